//! The parser: recursive over brackets and subqueries, with explicit stacks for operators.
//!
//! It takes the server's grammar and the checks that the server makes while parsing. No text makes it recurse without bound:
//! brackets and subqueries are counted against [`MAX_NESTING`], and the height of what they build against [`MAX_DEPTH`],
//! so that whoever walks or drops the tree needs a bounded stack as well. Expressions are handed over on a stack of values
//! rather than returned, which keeps each frame of the recursion to a few hundred bytes even in a debug build.

mod access;
mod checks;
mod collect;
mod expression;
mod for_loop;
mod graph;
mod hint;
mod modification;
mod names;
mod object;
mod operand;
mod pattern;
mod scope;
mod statements;

use crate::ast::{DataSource, Expr, ExprKind, Name, Query, Statement, StatementKind};
use crate::error::{Place, SyntaxError};
use crate::lexer::{Lexer, unescape};
use crate::span::Span;
use crate::token::{Token, TokenKind};
use crate::{MAX_DEPTH, MAX_NESTING, Version};

use expression::Pending;
use scope::Scopes;

/// Errors travel boxed, which keeps the frames of the recursion small.
type Parsed<T> = Result<T, Box<SyntaxError>>;

/// An expression and how high its tree is.
#[derive(Debug)]
struct Tree {
    expr: Expr,
    height: u32,
}

/// The state of one parse.
#[derive(Debug)]
struct Parser<'a> {
    source: &'a str,
    version: Version,
    lexer: Lexer<'a>,
    /// The token to look at.
    token: Token,
    /// The one before it.
    previous: Token,
    /// Those after it that were looked at already.
    ahead: [Option<Token>; 2],
    /// How many brackets and subqueries are open.
    nesting: u32,
    /// The height of the highest expression of the body being read.
    deepest: u32,
    /// How many subqueries were read.
    subqueries: u32,
    scopes: Scopes,
    /// Operands that wait for their operator, and operators that wait for their last operand.
    values: Vec<Tree>,
    pending: Vec<Pending>,
    /// The statements of the body being read.
    statements: Vec<Statement>,
}

/// Parses a whole query.
pub(crate) fn parse(source: &str, version: Version) -> Result<Query, Box<SyntaxError>> {
    let start = Token {
        kind: TokenKind::End,
        start: 0,
        end: 0,
        line: 1,
        column: 0,
    };
    let mut parser = Parser {
        source,
        version,
        lexer: Lexer::new(source, version),
        token: start,
        previous: start,
        ahead: [None, None],
        nesting: 0,
        deepest: 0,
        subqueries: 0,
        scopes: Scopes::default(),
        values: Vec::new(),
        pending: Vec::new(),
        statements: Vec::new(),
    };
    if u32::try_from(source.len()).is_err() {
        return Err(parser.plain(1501, String::from("query is too long"), start));
    }
    if source.is_empty() {
        return Err(parser.plain(1502, String::from("query is empty"), start));
    }
    parser.advance()?;
    parser.query()
}

impl Parser<'_> {
    fn query(&mut self) -> Parsed<Query> {
        self.scopes.start_query();
        let with = match self.take(TokenKind::With)? {
            true => self.with_list()?,
            false => Vec::new(),
        };
        self.body()?;
        let body = self.take_body();
        if self.token.kind != TokenKind::End {
            return Err(self.unexpected(&[TokenKind::End]));
        }
        Ok(Query { with, body })
    }

    /// The data sources after `WITH`, with or without commas between them.
    fn with_list(&mut self) -> Parsed<Vec<DataSource>> {
        let mut list = vec![self.data_source()?];
        loop {
            let comma = self.take(TokenKind::Comma)?;
            match self.token.kind {
                TokenKind::Identifier | TokenKind::Parameter | TokenKind::DataSourceParameter => {}
                _ if !comma => return Ok(list),
                _ => {}
            }
            list.push(self.data_source()?);
        }
    }

    /// A collection or view where nothing else may stand.
    fn data_source(&mut self) -> Parsed<DataSource> {
        match self.token.kind {
            TokenKind::Identifier => Ok(DataSource::Named(self.name()?)),
            TokenKind::DataSourceParameter => Ok(DataSource::Parameter(self.parameter()?)),
            TokenKind::Parameter => {
                // The server takes `@x` here for a data source whose key in the bind variables lacks the `@`. A tree cannot
                // tell the two, so the usual form is asked for.
                let text = self.text(self.token);
                let mut error =
                    self.unexpected(&[TokenKind::Identifier, TokenKind::DataSourceParameter]);
                error.hint =
                    Some(["a data source is bound with two signs: `@", &text, "`"].concat());
                Err(error)
            }
            _ => Err(self.unexpected(&[
                TokenKind::Identifier,
                TokenKind::Parameter,
                TokenKind::DataSourceParameter,
            ])),
        }
    }

    /// Moves to the next token.
    fn advance(&mut self) -> Parsed<()> {
        self.previous = self.token;
        self.token = match self.ahead[0].take() {
            Some(token) => {
                self.ahead[0] = self.ahead[1].take();
                token
            }
            None => self.lexer.next()?,
        };
        Ok(())
    }

    /// The kind of the token after this one.
    fn peek(&mut self) -> Parsed<TokenKind> {
        if self.ahead[0].is_none() {
            self.ahead[0] = Some(self.lexer.next()?);
        }
        Ok(self.ahead[0].map_or(TokenKind::End, |t| t.kind))
    }

    /// The kind of the token after that.
    fn peek_second(&mut self) -> Parsed<TokenKind> {
        self.peek()?;
        if self.ahead[1].is_none() {
            self.ahead[1] = Some(self.lexer.next()?);
        }
        Ok(self.ahead[1].map_or(TokenKind::End, |t| t.kind))
    }

    /// Moves past a token of that kind, where it is one.
    fn take(&mut self, kind: TokenKind) -> Parsed<bool> {
        if self.token.kind != kind {
            return Ok(false);
        }
        self.advance()?;
        Ok(true)
    }

    /// Moves past a token of that kind, or fails with a message that names it and `or`.
    fn expect(&mut self, kind: TokenKind, or: &[TokenKind]) -> Parsed<()> {
        match self.take(kind)? {
            true => Ok(()),
            false => Err(self.unexpected(or)),
        }
    }

    /// Whether the token is that word, which is no keyword but has a meaning in this place.
    fn is_word(&self, word: &str) -> bool {
        self.token.kind == TokenKind::Identifier && self.text(self.token).eq_ignore_ascii_case(word)
    }

    /// The text of a token: unescaped, and without quotes or signs.
    fn text(&self, token: Token) -> String {
        let raw = self.raw(token);
        let strip = |quote: usize| {
            let inner = raw.get(quote..raw.len().saturating_sub(quote));
            unescape(inner.unwrap_or(""))
        };
        match token.kind {
            TokenKind::Identifier if raw.starts_with('`') => strip(1),
            TokenKind::Identifier if raw.starts_with('´') => strip('´'.len_utf8()),
            TokenKind::QuotedString => strip(1),
            TokenKind::Parameter | TokenKind::DataSourceParameter => {
                String::from(raw.trim_start_matches('@'))
            }
            _ => String::from(raw),
        }
    }

    /// The token as it stands in the source.
    fn raw(&self, token: Token) -> &str {
        self.source
            .get(token.start as usize..token.end as usize)
            .unwrap_or("")
    }

    /// An identifier.
    fn name(&mut self) -> Parsed<Name> {
        if self.token.kind != TokenKind::Identifier {
            return Err(self.unexpected(&[TokenKind::Identifier]));
        }
        self.parameter()
    }

    /// The text and place of the token, whatever it is.
    fn parameter(&mut self) -> Parsed<Name> {
        let name = Name {
            text: self.text(self.token),
            span: span_of(self.token),
        };
        self.advance()?;
        Ok(name)
    }

    /// Makes a name a variable from here on.
    fn declare(&mut self, name: &Name) -> Parsed<()> {
        let (number, before, after) = match name.text.as_str() {
            text if text.is_empty() || text.starts_with('_') => {
                (1510, "variable name '", "' has an invalid format")
            }
            text if self.scopes.is_visible(text) => {
                (1511, "variable '", "' is assigned multiple times")
            }
            text => {
                self.scopes.declare(text);
                return Ok(());
            }
        };
        let message = [before, &name.text, after].concat();
        let mut error = self.plain(number, message, self.token);
        error.span = name.span;
        Err(error)
    }

    /// Adds a statement that began at `start`.
    fn push(&mut self, start: u32, kind: StatementKind) {
        let span = self.span_from(start);
        self.statements.push(Statement { kind, span });
    }

    /// The place from `start` to the end of the token before.
    fn span_from(&self, start: u32) -> Span {
        Span {
            start,
            end: self.previous.end,
        }
    }

    /// Puts an expression that began at `start`, over parts of that height, on the stack of values.
    #[inline(never)]
    fn build(&mut self, kind: ExprKind, start: u32, below: u32) -> Parsed<()> {
        if below >= MAX_DEPTH {
            return Err(self.too_deep());
        }
        let expr = Expr {
            kind,
            span: self.span_from(start),
        };
        self.values.push(Tree {
            expr,
            height: below + 1,
        });
        Ok(())
    }

    /// Counts `weight` levels of nesting; [`Parser::leave`] takes them back.
    fn enter(&mut self, weight: u32) -> Parsed<()> {
        self.nesting += weight;
        match self.nesting > MAX_NESTING {
            true => Err(self.too_deep()),
            false => Ok(()),
        }
    }

    fn leave(&mut self, weight: u32) {
        self.nesting -= weight;
    }

    fn too_deep(&self) -> Box<SyntaxError> {
        self.plain(1524, String::from("too much nesting"), self.token)
    }

    /// An error whose message has no place in it.
    fn plain(&self, number: u16, message: String, at: Token) -> Box<SyntaxError> {
        SyntaxError::plain(number, message, place_of(at), at.start, at.end)
    }

    /// An error of the server's parser other than a token out of place.
    fn error(&self, number: u16, message: &str, at: Token) -> Box<SyntaxError> {
        SyntaxError::near(number, message, self.source, place_of(at), at.start, at.end)
    }

    /// An error with a name in its message.
    fn error_about(
        &self,
        number: u16,
        before: &str,
        name: &str,
        after: &str,
        at: Token,
    ) -> Box<SyntaxError> {
        self.error(number, &[before, name, after].concat(), at)
    }

    /// The token is out of place. `expecting` is what the server lists, which it does for four kinds or fewer.
    fn unexpected(&self, expecting: &[TokenKind]) -> Box<SyntaxError> {
        let mut message = String::from("syntax error, unexpected ");
        message.push_str(self.token.kind.name());
        for (i, kind) in expecting.iter().enumerate() {
            message.push_str(if i == 0 { ", expecting " } else { " or " });
            message.push_str(kind.name());
        }
        let mut error = self.error(1501, &message, self.token);
        error.hint = self.hint(expecting);
        error
    }
}

fn place_of(token: Token) -> Place {
    Place {
        line: token.line,
        column: token.column,
    }
}

fn span_of(token: Token) -> Span {
    Span {
        start: token.start,
        end: token.end,
    }
}
