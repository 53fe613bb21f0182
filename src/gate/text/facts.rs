//! One walk over the tree that gathers what the text reads and refuses what it may not hold.

use aql_syntax::ast::{
    BinaryOp, DataSource, Expr, ExprKind, FunctionName, GraphSubject, Name, StatementKind,
};
use aql_syntax::visit::Node;
use core::ptr;

use super::super::binds::Binds;
use super::super::functions::{self, Access, Verdict};
use super::super::names::Names;
use super::super::refusal::{Refusal, RefusalKind};
use super::super::told;
use super::{bounds, constants, patterns};
use crate::arango::clean_to;
use crate::ask::Notice;
use crate::find::joined;
use crate::order::NameSet;

pub(super) struct Facts {
    pub(super) collections: NameSet,
    pub(super) dynamic: Option<&'static str>,
    pub(super) guarded: Option<&'static str>,
    pub(super) warnings: Vec<Notice>,
}

pub(super) fn gather(
    query: &aql_syntax::ast::Query,
    binds: &Binds<'_>,
    names: &dyn Names,
) -> Result<Facts, Box<Refusal>> {
    let mut walk = Walk {
        binds,
        names,
        facts: Facts {
            collections: NameSet::default(),
            dynamic: None,
            guarded: None,
            warnings: Vec::new(),
        },
        in_place: Vec::new(),
    };
    let mut verdict = Ok(());
    query.walk(|node| {
        if verdict.is_ok() {
            verdict = walk.visit(node);
        }
    });
    verdict.map(|()| walk.facts)
}

struct Walk<'a> {
    binds: &'a Binds<'a>,
    names: &'a dyn Names,
    facts: Facts,
    /// Expressions that are to come and may be a data source: the source of a loop, the argument of a call.
    in_place: Vec<*const Expr>,
}

impl Walk<'_> {
    fn visit(&mut self, node: Node<'_>) -> Result<(), Box<Refusal>> {
        match node {
            Node::Statement(statement) => match &statement.kind {
                StatementKind::For(statement) => {
                    self.expect(&statement.source);
                    Ok(())
                }
                StatementKind::Traversal(statement) => self.vertex(&statement.start),
                StatementKind::ShortestPath(statement) => {
                    self.vertices(&statement.from, &statement.to)
                }
                StatementKind::Paths(statement) => self.vertices(&statement.from, &statement.to),
                _ => Ok(()),
            },
            Node::DataSource(source) => self.source(source),
            Node::Graph(GraphSubject::Edges(_)) => {
                self.dynamic(
                    "a traversal over edge collections reaches vertices of any collection",
                );
                Ok(())
            }
            Node::Graph(GraphSubject::Parameter(name)) | Node::Parameter(name) => {
                self.binds.require(&name.text)
            }
            Node::Expr(expr) => self.expression(expr),
            // The parser takes no aggregate but those of its own list, which compute from their arguments.
            Node::Aggregate(_)
            | Node::Body(_)
            | Node::Pattern(_)
            | Node::Graph(GraphSubject::Named(_)) => Ok(()),
        }
    }

    fn expression(&mut self, expr: &Expr) -> Result<(), Box<Refusal>> {
        match &expr.kind {
            ExprKind::Parameter(name) => self.binds.require(&name.text),
            ExprKind::DataSource(source) => {
                let here = ptr::from_ref(expr);
                if let Some(at) = self.in_place.iter().position(|place| *place == here) {
                    self.in_place.swap_remove(at);
                } else {
                    self.warn_collection(source);
                }
                Ok(())
            }
            ExprKind::Binary {
                op: BinaryOp::Add,
                left,
                right,
            } => {
                if is_text(left) || is_text(right) {
                    self.warn(
                        "text-addition",
                        "`+` adds numbers, and a text that is no number counts as 0; CONCAT joins texts".into(),
                    );
                }
                Ok(())
            }
            ExprKind::Binary { op, right, .. } => patterns::operator(*op, right, self.binds),
            ExprKind::Range { from, to } => bounds::range(from, to, self.binds),
            ExprKind::Call { name, arguments } => self.call(name, arguments),
            _ => Ok(()),
        }
    }

    fn call(&mut self, name: &FunctionName, arguments: &[Expr]) -> Result<(), Box<Refusal>> {
        arguments.iter().for_each(|argument| self.expect(argument));
        let [Name { text: name, .. }] = name.parts.as_slice() else {
            let full: Vec<&str> = name.parts.iter().map(|part| part.text.as_str()).collect();
            return Err(refused(
                &joined(&full, "::"),
                "it is a function that a user has written",
            ));
        };
        function(name)?;
        bounds::call(name, arguments, self.binds)?;
        patterns::call(name, arguments, self.binds)?;
        match functions::access(name) {
            Access::None => Ok(()),
            Access::Documents => self.documents(arguments),
            Access::FirstArgument => match arguments
                .first()
                .and_then(|first| constants::text(first, self.binds))
            {
                Some(collection) => self.constant(&collection),
                None if arguments.first().is_some_and(is_source) => Ok(()),
                None => {
                    self.dynamic("a function takes the name of a collection from a value");
                    Ok(())
                }
            },
        }
    }

    /// Where a data source may stand, the next visit of this expression is no reason for a warning.
    fn expect(&mut self, expr: &Expr) {
        if is_source(expr) {
            self.in_place.push(ptr::from_ref(expr));
        }
    }

    fn vertices(&mut self, from: &Expr, to: &Expr) -> Result<(), Box<Refusal>> {
        self.vertex(from)?;
        self.vertex(to)
    }

    /// Where a traversal begins: a path returns that vertex, and its collection need not be one of the graph's.
    fn vertex(&mut self, start: &Expr) -> Result<(), Box<Refusal>> {
        match constants::text(start, self.binds) {
            Some(id) => match id.split_once('/') {
                Some((collection, _)) => self.constant(collection),
                None => Ok(()),
            },
            None => {
                self.facts
                    .guarded
                    .get_or_insert("a traversal takes its first vertex from a value");
                Ok(())
            }
        }
    }

    /// `DOCUMENT(id)`, `DOCUMENT([ids])`, `DOCUMENT(collection, keys)`.
    fn documents(&mut self, arguments: &[Expr]) -> Result<(), Box<Refusal>> {
        const DYNAMIC: &str = "DOCUMENT takes an id from a value";
        let collection = match arguments {
            [first, _] if is_source(first) => return Ok(()),
            [first, _] => constants::text(first, self.binds).map(|name| vec![name]),
            [ids] => constants::texts(ids, self.binds),
            _ => None,
        };
        let Some(found) = collection else {
            self.dynamic(DYNAMIC);
            return Ok(());
        };
        for id in found {
            // Without a slash it is no id, and the server finds nothing under it.
            let collection = id
                .split_once('/')
                .map_or(id.as_str(), |(collection, _)| collection);
            self.constant(collection)?;
        }
        Ok(())
    }

    /// A collection that a constant text names. A transaction can only declare what exists, so that one that is unknown is
    /// refused, or left to the server.
    fn constant(&mut self, name: &str) -> Result<(), Box<Refusal>> {
        if !self.names.allows(name) {
            return Err(denied(name));
        }
        if !self.names.is_collection(name) {
            return if self.names.refuses_unknown() {
                Err(self.unknown(name))
            } else {
                Ok(())
            };
        }
        self.facts.collections.insert(name);
        Ok(())
    }

    fn source(&mut self, source: &DataSource) -> Result<(), Box<Refusal>> {
        let name = match source {
            DataSource::Named(name) => name.text.clone(),
            DataSource::Parameter(name) => self.binds.source(&name.text)?.into_owned(),
        };
        if self.names.is_view(&name) {
            return Ok(());
        }
        self.constant(&name)
    }

    fn unknown(&self, name: &str) -> Box<Refusal> {
        let near = self.names.near(name);
        let mut message = format!("there is no collection or view `{}`", shown(name));
        if let Some(near) = told::nearest(&near) {
            message.push_str("; ");
            message.push_str(&near);
        }
        Refusal::repairable(RefusalKind::Invalid, "unknown-collection", message)
    }

    fn warn_collection(&mut self, source: &DataSource) {
        let (DataSource::Named(name) | DataSource::Parameter(name)) = source;
        self.warn(
            "collection-as-value",
            format!(
                "`{}` stands where a value is expected, and gives all of its documents",
                shown(&name.text)
            ),
        );
    }

    fn warn(&mut self, code: &str, message: String) {
        let notice = Notice::new(code, message);
        if !self.facts.warnings.contains(&notice) {
            self.facts.warnings.push(notice);
        }
    }

    fn dynamic(&mut self, reason: &'static str) {
        self.facts.dynamic.get_or_insert(reason);
    }
}

fn function(name: &str) -> Result<(), Box<Refusal>> {
    match functions::verdict(name) {
        Verdict::Usable => Ok(()),
        Verdict::Refused(reason) => Err(refused(name, reason)),
        Verdict::Unknown => {
            let near = functions::near(name);
            let mut message = format!("there is no function `{}`", shown(name));
            if let Some(near) = told::nearest(&near) {
                message.push_str("; ");
                message.push_str(&near);
            }
            Err(Refusal::repairable(
                RefusalKind::Invalid,
                "unknown-function",
                message,
            ))
        }
    }
}

fn refused(name: &str, reason: &str) -> Box<Refusal> {
    Refusal::repairable(
        RefusalKind::Policy,
        "refused-function",
        format!(
            "the function `{}` may not be called: {reason}; write the query without it",
            shown(name)
        ),
    )
}

/// A collection that the policy denies. It says nothing about whether such a collection is there.
fn denied(name: &str) -> Box<Refusal> {
    Refusal::repairable(
        RefusalKind::Policy,
        "policy-collection",
        format!(
            "the collection `{}` may not be read; use only the collections of the schema",
            shown(name)
        ),
    )
}

fn is_source(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::DataSource(_))
}

fn is_text(expr: &Expr) -> bool {
    matches!(expr.kind, ExprKind::String(_))
}

/// A name of the query's as it may stand in a message.
fn shown(name: &str) -> String {
    clean_to(name, 80)
}
