//! Graph loops: traversals, `SHORTEST_PATH`, and the statements that give whole paths.

use crate::ast::{
    DataSource, Depth, Direction, Expr, ExprKind, GraphSubject, PathKind, Paths, Pattern,
    ShortestPath, StatementKind, Traversal,
};
use crate::token::TokenKind;

use super::{Parsed, Parser};

impl Parser<'_> {
    /// The direction that the token is.
    pub(super) fn direction_here(&self) -> Option<Direction> {
        match self.token.kind {
            TokenKind::Outbound => Some(Direction::Outbound),
            TokenKind::Inbound => Some(Direction::Inbound),
            TokenKind::Any => Some(Direction::Any),
            _ => None,
        }
    }

    /// The rest of a `FOR` from its direction on.
    pub(super) fn graph_loop(
        &mut self,
        start: u32,
        targets: Vec<Pattern>,
        depth: Option<Expr>,
    ) -> Parsed<()> {
        let Some(direction) = self.direction_here() else {
            return Err(self.unexpected(&[]));
        };
        self.advance()?;
        match (self.token.kind, depth) {
            (TokenKind::ShortestPath, None) => self.shortest_path(start, targets, direction),
            (TokenKind::KShortestPaths, None) => {
                self.paths(start, targets, direction, PathKind::KShortest, None)
            }
            (TokenKind::AllShortestPaths, None) => {
                self.paths(start, targets, direction, PathKind::AllShortest, None)
            }
            (TokenKind::KPaths, depth) => self.paths(start, targets, direction, PathKind::K, depth),
            (_, depth) => self.traversal(start, targets, direction, depth),
        }
    }

    fn traversal(
        &mut self,
        start: u32,
        targets: Vec<Pattern>,
        direction: Direction,
        depth: Option<Expr>,
    ) -> Parsed<()> {
        let first = self.expression()?;
        let graph = self.graph_subject()?;
        let message = "Traversals only have one, two or three return variables";
        let mut names = self.loop_variables(targets, 3, message)?.into_iter();
        let Some(vertex) = names.next() else {
            return Err(self.error(1501, message, self.token));
        };
        let mut traversal = Traversal {
            vertex,
            edge: names.next(),
            path: names.next(),
            depth: self.depth(depth)?,
            direction,
            start: first,
            graph,
            prune: None,
            options: None,
        };
        self.traversal_clauses(&mut traversal)?;
        self.push(start, StatementKind::Traversal(traversal));
        Ok(())
    }

    /// `PRUNE [variable =] condition`, `OPTIONS object`, in this order.
    fn traversal_clauses(&mut self, traversal: &mut Traversal) -> Parsed<()> {
        if self.token.kind != TokenKind::Identifier {
            return Ok(());
        }
        let first = self.token;
        let is_prune = self.is_word("PRUNE");
        let is_options = self.is_word("OPTIONS");
        self.advance()?;
        let subqueries = self.subqueries;
        let variable =
            match self.token.kind == TokenKind::Identifier && self.peek()? == TokenKind::Assign {
                true => {
                    let name = self.name()?;
                    self.advance()?;
                    Some(name)
                }
                false => None,
            };
        let value = self.expression()?;
        if let Some(name) = &variable {
            self.declare(name)?;
        }
        if self.token.kind == TokenKind::Identifier {
            if !is_prune {
                return Err(self.unexpected_word(first, "'PRUNE'", self.token));
            }
            traversal.options = self.options()?;
        } else if is_options && variable.is_none() {
            self.check_options(&value, self.token)?;
            traversal.options = Some(value);
            return Ok(());
        } else if !is_prune {
            return Err(self.unexpected_word(first, "'PRUNE' or 'OPTIONS'", self.token));
        }
        if self.subqueries > subqueries {
            return Err(self.error(1501, "PRUNE condition must not use a subquery", self.token));
        }
        traversal.prune = Some((variable, value));
        Ok(())
    }

    fn shortest_path(
        &mut self,
        start: u32,
        targets: Vec<Pattern>,
        direction: Direction,
    ) -> Parsed<()> {
        self.advance()?;
        let (from, to) = self.ends()?;
        let graph = self.graph_subject()?;
        let options = self.options()?;
        let message = "SHORTEST_PATH must have one or two return variables";
        let mut names = self.loop_variables(targets, 2, message)?.into_iter();
        let Some(vertex) = names.next() else {
            return Err(self.error(1501, message, self.token));
        };
        let statement = ShortestPath {
            vertex,
            edge: names.next(),
            direction,
            from,
            to,
            graph,
            options,
        };
        self.push(start, StatementKind::ShortestPath(statement));
        Ok(())
    }

    fn paths(
        &mut self,
        start: u32,
        targets: Vec<Pattern>,
        direction: Direction,
        kind: PathKind,
        depth: Option<Expr>,
    ) -> Parsed<()> {
        self.advance()?;
        let (from, to) = self.ends()?;
        let graph = self.graph_subject()?;
        let options = self.options()?;
        let message = match kind {
            PathKind::KShortest => "K_SHORTEST_PATHS only has one return variable",
            PathKind::AllShortest => "ALL_SHORTEST_PATHS only has one return variable",
            PathKind::K => "K_PATHS only has one return variable",
        };
        let Some(path) = self.loop_variables(targets, 1, message)?.pop() else {
            return Err(self.error(1501, message, self.token));
        };
        let statement = Paths {
            kind,
            path,
            depth: self.depth(depth)?,
            direction,
            from,
            to,
            graph,
            options,
        };
        self.push(start, StatementKind::Paths(statement));
        Ok(())
    }

    /// `a TO b`.
    fn ends(&mut self) -> Parsed<(Expr, Expr)> {
        let from = self.expression()?;
        let word = self.token;
        self.expect(TokenKind::Identifier, &[])?;
        let to = self.expression()?;
        if !self.text(word).eq_ignore_ascii_case("TO") {
            return Err(self.unexpected_word(word, "'TO'", self.token));
        }
        Ok((from, to))
    }

    /// A depth as a number or a range; both ends are checked where they are literals.
    fn depth(&mut self, depth: Option<Expr>) -> Parsed<Option<Depth>> {
        let Some(expr) = depth else {
            return Ok(None);
        };
        let depth = match expr.kind {
            ExprKind::Range { from, to } => Depth {
                min: *from,
                max: Some(*to),
            },
            kind => Depth {
                min: Expr {
                    kind,
                    span: expr.span,
                },
                max: None,
            },
        };
        self.check_depth(&depth)?;
        Ok(Some(depth))
    }

    fn graph_subject(&mut self) -> Parsed<GraphSubject> {
        if self.take(TokenKind::Graph)? {
            return match self.token.kind {
                TokenKind::Identifier | TokenKind::QuotedString => {
                    Ok(GraphSubject::Named(self.parameter()?))
                }
                TokenKind::Parameter => Ok(GraphSubject::Parameter(self.parameter()?)),
                _ => Err(self.unexpected(&[
                    TokenKind::Identifier,
                    TokenKind::QuotedString,
                    TokenKind::Parameter,
                    TokenKind::DataSourceParameter,
                ])),
            };
        }
        let mut edges = Vec::new();
        loop {
            edges.push(self.edges()?);
            if !self.take(TokenKind::Comma)? {
                return Ok(GraphSubject::Edges(edges));
            }
        }
    }

    /// An edge collection with the direction of its own.
    fn edges(&mut self) -> Parsed<(Option<Direction>, DataSource)> {
        let direction = self.direction_here();
        if direction.is_some() {
            self.advance()?;
        }
        match self.token.kind {
            TokenKind::Identifier | TokenKind::DataSourceParameter | TokenKind::Parameter => {
                Ok((direction, self.data_source()?))
            }
            _ => Err(self.unexpected(&[])),
        }
    }
}
