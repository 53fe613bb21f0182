//! `INSERT`, `UPDATE`, `REPLACE`, `REMOVE` and `UPSERT`.
//!
//! An `UPSERT` is planned as the server plans it: a subquery that looks for one document, its first row as `OLD`, and
//! the node that then inserts or writes.

use aql_syntax::ast::{
    ArrayItem, BinaryOp, Expr, ExprKind, Modification, ModificationKind, ObjectItem, UpsertSearch,
};

use super::options::{flag, word};
use super::{Builder, refused};
use crate::engine::plan::expression::{Ex, VarId};
use crate::engine::plan::node::{Modify, ModifyKind, ModifyOptions, NodeKind, Overwrite, Scan};
use crate::error::ArangoError;
use crate::value::Value;

impl Builder<'_> {
    pub(super) fn modification(&mut self, syntax: &Modification) -> Result<(), ArangoError> {
        let name = self.source_name(&syntax.target)?;
        let given = self.options(syntax.options.as_ref())?;
        let options = modify_options(&given)?;
        let mut found = None;
        let kind = match &syntax.kind {
            ModificationKind::Insert { document } => ModifyKind::Insert {
                document: self.operand(document)?,
            },
            ModificationKind::Update { key, document } => ModifyKind::Update {
                key: self.optional(key.as_ref())?,
                document: self.operand(document)?,
            },
            ModificationKind::Replace { key, document } => ModifyKind::Replace {
                key: self.optional(key.as_ref())?,
                document: self.operand(document)?,
            },
            ModificationKind::Remove { key } => ModifyKind::Remove {
                key: self.operand(key)?,
            },
            ModificationKind::Upsert {
                search,
                insert,
                update,
                replace,
            } => {
                let old = self.search(&name, search)?;
                found = Some(old);
                self.bring("OLD", old);
                let insert = self.operand(insert)?;
                let update = self.operand(update)?;
                ModifyKind::Upsert {
                    found: old,
                    insert,
                    update,
                    replace: *replace,
                }
            }
        };
        let collection = self.write(&name, options.exclusive)?;
        let old = match found {
            Some(_) => None,
            None => Some(self.define("OLD")?),
        };
        let new = match syntax.kind {
            ModificationKind::Remove { .. } => None,
            _ => Some(self.define("NEW")?),
        };
        self.push(NodeKind::Modify(Box::new(Modify {
            kind,
            collection,
            options,
            old,
            new,
        })))
    }

    fn operand(&mut self, expression: &Expr) -> Result<VarId, ArangoError> {
        let value = self.expression(expression)?;
        self.held(value)
    }

    fn optional(&mut self, expression: Option<&Expr>) -> Result<Option<VarId>, ArangoError> {
        match expression {
            Some(expression) => Ok(Some(self.operand(expression)?)),
            None => Ok(None),
        }
    }

    /// The lookup of an `UPSERT`: a subquery that gives the first document that fits, and the variable that holds it.
    fn search(&mut self, name: &str, search: &UpsertSearch) -> Result<VarId, ArangoError> {
        let collection = match self.catalog.source(name) {
            Some(crate::engine::catalog::SourceInfo::Collection(info)) => info.name,
            _ => return Err(ArangoError::data_source_not_found(name)),
        };
        // Operands of the example are computed outside, where the text stands.
        let rows = self.temporary()?;
        if let Some(variable) = self.variables.get_mut(rows) {
            variable.subquery = true;
        }
        let document = self.temporary()?;
        self.mark_document(document);
        let condition = match search {
            UpsertSearch::Example(example) => self.example(example, document)?,
            UpsertSearch::Filter(_) => Ex::Const(Value::Bool(true)),
        };
        self.push(NodeKind::SubqueryStart { output: rows })?;
        self.push(NodeKind::EnumerateCollection(Scan {
            collection,
            output: document,
            filter: None,
            own_writes: true,
            produces: true,
            projections: Vec::new(),
        }))?;
        let condition = match search {
            UpsertSearch::Example(_) => condition,
            UpsertSearch::Filter(filter) => {
                let before = self.lookup("CURRENT");
                self.bring("CURRENT", document);
                let filter = self.expression(filter)?;
                if let Some(before) = before {
                    self.bring("CURRENT", before);
                } else if let Some(scope) = self.scopes.last_mut() {
                    scope.remove("CURRENT");
                }
                filter
            }
        };
        self.filter(condition)?;
        self.push(NodeKind::Limit {
            offset: 0,
            count: 1,
            full_count: false,
        })?;
        self.push(NodeKind::SubqueryEnd {
            input: Some(document),
            output: rows,
        })?;
        let first = Ex::Index(Box::new(Ex::Var(rows)), Box::new(Ex::Const(Value::Int(0))));
        let old = self.variable(Some("OLD".into()))?;
        self.calculation(first, Some(old))
    }

    /// `document.a == 1 AND document.b.c == 2` for the example `{a: 1, b: {c: 2}}`.
    fn example(&mut self, example: &Expr, document: VarId) -> Result<Ex, ArangoError> {
        let mut condition = None;
        match &example.kind {
            ExprKind::Object(items) => {
                self.example_items(items, &Ex::Var(document), &mut condition)?;
            }
            ExprKind::Parameter(_) => {
                let Ex::Const(value @ Value::Object(_)) = self.expression(example)? else {
                    return Err(refused(1501, "expecting object literal for example"));
                };
                example_value(&value, Ex::Var(document), &mut condition);
            }
            _ => return Err(refused(1501, "expecting object literal for example")),
        }
        Ok(condition.unwrap_or(Ex::Const(Value::Bool(true))))
    }

    fn example_items(
        &mut self,
        items: &[ObjectItem],
        base: &Ex,
        condition: &mut Option<Ex>,
    ) -> Result<(), ArangoError> {
        for item in items {
            let (name, value) = match item {
                ObjectItem::Attribute(name, value) => (name.text.clone(), value),
                ObjectItem::Parameter(name, value) => {
                    let text = super::bind::value(self.bind, &name.text)?;
                    (text.to_text(), value)
                }
                _ => {
                    return Err(refused(
                        1501,
                        "expecting object literal with literal attribute names in example",
                    ));
                }
            };
            let access = Ex::Attribute(Box::new(base.clone()), name.into());
            match &value.kind {
                ExprKind::Object(inner) if !inner.is_empty() => {
                    self.example_items(inner, &access, condition)?;
                }
                _ => {
                    let value = self.example_operand(value)?;
                    require(condition, access, value);
                }
            }
        }
        Ok(())
    }

    /// An operand that may be evaluated again for each document: plain values stay, all else is computed once.
    fn example_operand(&mut self, value: &Expr) -> Result<Ex, ArangoError> {
        let simple = match &value.kind {
            ExprKind::Array(items) => items.iter().all(|item| matches!(item, ArrayItem::Value(_))),
            _ => true,
        };
        let built = self.expression(value)?;
        match built {
            Ex::Const(_) | Ex::Var(_) | Ex::Attribute(..) if simple => Ok(built),
            built => Ok(Ex::Var(self.held(built)?)),
        }
    }
}

fn example_value(value: &Value, base: Ex, condition: &mut Option<Ex>) {
    match value.as_object() {
        Some(object) if !object.is_empty() => {
            for (name, value) in object.iter() {
                let access = Ex::Attribute(Box::new(base.clone()), name.clone());
                example_value(value, access, condition);
            }
        }
        _ => require(condition, base, Ex::Const(value.clone())),
    }
}

fn require(condition: &mut Option<Ex>, access: Ex, value: Ex) {
    let equal = Ex::Binary(BinaryOp::Equal, Box::new(access), Box::new(value));
    *condition = Some(match condition.take() {
        Some(before) => Ex::Binary(BinaryOp::And, Box::new(before), Box::new(equal)),
        None => equal,
    });
}

fn modify_options(given: &Value) -> Result<ModifyOptions, ArangoError> {
    let overwrite = match word(given, "overwriteMode").as_deref() {
        None if flag(given, "overwrite", false) => Overwrite::Replace,
        None | Some("conflict") => Overwrite::Conflict,
        Some("ignore") => Overwrite::Ignore,
        Some("replace") => Overwrite::Replace,
        Some("update") => Overwrite::Update,
        Some(_) => Overwrite::Conflict,
    };
    Ok(ModifyOptions {
        ignore_errors: flag(given, "ignoreErrors", false),
        keep_null: flag(given, "keepNull", true),
        merge_objects: flag(given, "mergeObjects", true),
        ignore_revs: flag(given, "ignoreRevs", true),
        exclusive: flag(given, "exclusive", false),
        wait_for_sync: flag(given, "waitForSync", false),
        overwrite,
    })
}
