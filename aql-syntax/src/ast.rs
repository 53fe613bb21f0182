//! The abstract syntax tree of AQL.
//!
//! Names stand here as they read after unescaping: `` `a b` `` is the text `a b`. Every node keeps its place in the source
//! as a [`Span`]. A bare name is resolved while parsing, as the server does it: a variable that is in scope, else a data
//! source. Comparison of two trees ignores places, so that a printed and re-read query equals the first.

use crate::Double;
use crate::span::Span;

/// A whole query: `[WITH data sources] body`.
#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// The data sources named after a leading `WITH`.
    pub with: Vec<DataSource>,
    /// The statements.
    pub body: Body,
}

/// The statements of a query or a subquery, in order.
///
/// The parser guarantees that there is at least one, and that the last is a `RETURN` or that a modification is among them.
#[derive(Clone, Debug, PartialEq)]
pub struct Body {
    /// The statements, in the order of the text.
    pub statements: Vec<Statement>,
}

/// A name with its place: unescaped, without quotes or the leading `@`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    /// The text after unescaping.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// A collection or view: by name, or by a bind parameter `@@name`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSource {
    /// A name, quoted or not.
    Named(Name),
    /// `@@name`; the text is `name`, and the key in the bind variables is `@name`.
    Parameter(Name),
}

/// One statement with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Statement {
    /// What it is.
    pub kind: StatementKind,
    /// Where it stands.
    pub span: Span,
}

/// The statements of AQL.
#[derive(Clone, Debug, PartialEq)]
pub enum StatementKind {
    /// `FOR … IN expression`, over a collection, a view, an array or a range.
    For(For),
    /// `FOR v[, e[, p]] IN [depth] direction start subject`.
    Traversal(Traversal),
    /// `FOR v[, e] IN direction SHORTEST_PATH a TO b subject`.
    ShortestPath(ShortestPath),
    /// `FOR p IN [depth] direction K_SHORTEST_PATHS | ALL_SHORTEST_PATHS | K_PATHS a TO b subject`.
    Paths(Paths),
    /// `LET a = …, b = …`.
    Let(Vec<(Pattern, Expr)>),
    /// `FILTER condition`.
    Filter(Expr),
    /// `COLLECT` in each of its forms.
    Collect(Collect),
    /// `SORT a ASC, b DESC`.
    Sort(Vec<SortKey>),
    /// `LIMIT [offset,] count`.
    Limit {
        /// The rows to skip; absent where only a count is given.
        offset: Option<Expr>,
        /// The rows to keep.
        count: Expr,
    },
    /// `WINDOW`.
    Window(Window),
    /// `RETURN [DISTINCT] value`.
    Return {
        /// Whether `DISTINCT` was written.
        distinct: bool,
        /// The row.
        value: Expr,
    },
    /// `INSERT`, `UPDATE`, `REPLACE`, `REMOVE` or `UPSERT`.
    Modify(Modification),
}

/// `FOR target IN source [SEARCH condition] [OPTIONS object]`.
#[derive(Clone, Debug, PartialEq)]
pub struct For {
    /// The variable, or from 3.12.2 on a pattern that takes the element apart.
    pub target: Pattern,
    /// A data source ([`ExprKind::DataSource`]) or any expression that gives an array.
    pub source: Expr,
    /// The condition on a view.
    pub search: Option<Expr>,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// What an assignment binds: a variable, or parts of an array or object.
#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A single variable.
    Variable(Name),
    /// `[a, , b]`; `None` for a position that is passed over.
    Array(Vec<Option<Pattern>>, Span),
    /// `{a, b: c, d: {e}}`: attribute and what it binds. `{a}` binds the variable `a`.
    Object(Vec<(Name, Pattern)>, Span),
}

/// The direction in which edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From `_from` to `_to`.
    Outbound,
    /// From `_to` to `_from`.
    Inbound,
    /// Both.
    Any,
}

/// A graph to walk: a named one, or edge collections.
#[derive(Clone, Debug, PartialEq)]
pub enum GraphSubject {
    /// `GRAPH name`, `GRAPH 'name'`.
    Named(Name),
    /// `GRAPH @name`: a value bind parameter.
    Parameter(Name),
    /// `[direction] edges, …`: each with a direction of its own where one is written.
    Edges(Vec<(Option<Direction>, DataSource)>),
}

/// The depth of a traversal: `n` or `a..b`. Constant or bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Depth {
    /// The least depth.
    pub min: Expr,
    /// The greatest depth; absent where a single number is written.
    pub max: Option<Expr>,
}

/// A graph traversal.
#[derive(Clone, Debug, PartialEq)]
pub struct Traversal {
    /// The variable of the vertex.
    pub vertex: Name,
    /// The variable of the edge.
    pub edge: Option<Name>,
    /// The variable of the path.
    pub path: Option<Name>,
    /// Absent: 1.
    pub depth: Option<Depth>,
    /// The direction.
    pub direction: Direction,
    /// The first vertex: an id, or an object with `_id`.
    pub start: Expr,
    /// The graph.
    pub graph: GraphSubject,
    /// `PRUNE [variable =] condition`.
    pub prune: Option<(Option<Name>, Expr)>,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// `SHORTEST_PATH`: one row for each vertex on the path.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPath {
    /// The variable of the vertex.
    pub vertex: Name,
    /// The variable of the edge.
    pub edge: Option<Name>,
    /// The direction.
    pub direction: Direction,
    /// The first vertex.
    pub from: Expr,
    /// The last vertex.
    pub to: Expr,
    /// The graph.
    pub graph: GraphSubject,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// Which paths a [`Paths`] statement gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathKind {
    /// `K_SHORTEST_PATHS`.
    KShortest,
    /// `ALL_SHORTEST_PATHS`.
    AllShortest,
    /// `K_PATHS`.
    K,
}

/// The statements that give one row for each path.
#[derive(Clone, Debug, PartialEq)]
pub struct Paths {
    /// Which paths.
    pub kind: PathKind,
    /// The variable of the path.
    pub path: Name,
    /// Only with [`PathKind::K`].
    pub depth: Option<Depth>,
    /// The direction.
    pub direction: Direction,
    /// The first vertex.
    pub from: Expr,
    /// The last vertex.
    pub to: Expr,
    /// The graph.
    pub graph: GraphSubject,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// `COLLECT groups [AGGREGATE …] [INTO … | WITH COUNT INTO …] [KEEP …] [OPTIONS …]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Collect {
    /// `name = expression` for each group criterion; from 3.12.2 on the left side may be a pattern.
    pub groups: Vec<(Pattern, Expr)>,
    /// `AGGREGATE name = FUNCTION(expression)`.
    pub aggregates: Vec<Aggregate>,
    /// `WITH COUNT INTO name`.
    pub count_into: Option<Name>,
    /// `INTO name [= projection]`.
    pub into: Option<(Name, Option<Expr>)>,
    /// `KEEP a, b`: variables that the groups keep.
    pub keep: Option<Vec<Name>>,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// `name = FUNCTION(argument)` of an `AGGREGATE` clause.
#[derive(Clone, Debug, PartialEq)]
pub struct Aggregate {
    /// The variable.
    pub variable: Name,
    /// The function's name in upper case.
    pub function: Name,
    /// The arguments: one for every function but `COUNT()` and `LENGTH()`, which may have none.
    pub arguments: Vec<Expr>,
}

/// One criterion of a `SORT`.
#[derive(Clone, Debug, PartialEq)]
pub struct SortKey {
    /// What to sort by.
    pub value: Expr,
    /// The order.
    pub order: SortOrder,
}

/// The order of a sort criterion.
#[derive(Clone, Debug, PartialEq)]
pub enum SortOrder {
    /// `ASC`, or nothing.
    Ascending,
    /// `DESC`.
    Descending,
    /// A text or bind parameter that decides: `SORT x @order`.
    Dynamic(Expr),
}

/// `WINDOW [value WITH] bounds AGGREGATE …`.
#[derive(Clone, Debug, PartialEq)]
pub struct Window {
    /// The value that a range-based window compares; absent in a row-based window.
    pub range: Option<Expr>,
    /// The object with `preceding` and `following`.
    pub bounds: Expr,
    /// The aggregates.
    pub aggregates: Vec<Aggregate>,
}

/// A statement that writes.
#[derive(Clone, Debug, PartialEq)]
pub struct Modification {
    /// Which, with its operands.
    pub kind: ModificationKind,
    /// What it writes to.
    pub target: DataSource,
    /// The object after `OPTIONS`.
    pub options: Option<Expr>,
}

/// The five statements that write.
#[derive(Clone, Debug, PartialEq)]
pub enum ModificationKind {
    /// `INSERT document`.
    Insert {
        /// The document.
        document: Expr,
    },
    /// `UPDATE [key WITH] document`.
    Update {
        /// The key, where one is written apart; else it is read from the document.
        key: Option<Expr>,
        /// The attributes.
        document: Expr,
    },
    /// `REPLACE [key WITH] document`.
    Replace {
        /// The key, where one is written apart; else it is read from the document.
        key: Option<Expr>,
        /// The document.
        document: Expr,
    },
    /// `REMOVE key`.
    Remove {
        /// The key, or a document with `_key`.
        key: Expr,
    },
    /// `UPSERT search INSERT … UPDATE | REPLACE …`.
    Upsert {
        /// What to look for.
        search: UpsertSearch,
        /// What to insert where nothing was found.
        insert: Expr,
        /// What to write where something was found.
        update: Expr,
        /// `REPLACE` rather than `UPDATE`.
        replace: bool,
    },
}

/// How an `UPSERT` looks for a document.
#[derive(Clone, Debug, PartialEq)]
pub enum UpsertSearch {
    /// By an example: an object literal or a bind parameter.
    Example(Expr),
    /// By a condition on `CURRENT` (3.12).
    Filter(Expr),
}

/// An expression with its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub span: Span,
}

/// The expressions of AQL.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `null`.
    Null,
    /// `true`, `false`.
    Bool(bool),
    /// A whole number that fits 64 bits.
    Integer(i64),
    /// Any other number. Always finite.
    Double(Double),
    /// A text, unescaped.
    String(String),
    /// `[a, b, ...c]`.
    Array(Vec<ArrayItem>),
    /// `{a, b: 1, [c]: 2, @d: 3}`.
    Object(Vec<ObjectItem>),
    /// A variable that is in scope, `CURRENT`, `OLD` and `NEW` among them.
    Variable(Name),
    /// A data source: a bare name that is no variable, or `@@name`.
    DataSource(DataSource),
    /// `@name`: a value.
    Parameter(Name),
    /// The element that an expansion is at; only at the root of [`Expansion::tail`].
    Element,
    /// `base.name`, `base.@name`.
    Attribute {
        /// The object.
        base: Box<Expr>,
        /// The attribute.
        name: AttributeName,
    },
    /// `base[index]`.
    Index {
        /// The array or object.
        base: Box<Expr>,
        /// A position or an attribute's name.
        index: Box<Expr>,
    },
    /// `base[* …]`, `base[** …]` with the accesses that follow it.
    Expansion(Box<Expansion>),
    /// `base[? quantifier FILTER condition]`, a boolean.
    ArrayFilter(Box<ArrayFilter>),
    /// `NAME(arguments)`, `NAMESPACE::NAME(arguments)`.
    Call {
        /// The function.
        name: FunctionName,
        /// The arguments. A bare name of a data source may stand among them.
        arguments: Vec<Expr>,
    },
    /// `-a`, `+a`, `NOT a`.
    Unary {
        /// The operator.
        op: UnaryOp,
        /// The operand.
        operand: Box<Expr>,
    },
    /// `a op b`.
    Binary {
        /// The operator.
        op: BinaryOp,
        /// The left operand.
        left: Box<Expr>,
        /// The right operand.
        right: Box<Expr>,
    },
    /// `a ANY == b`: a comparison of an array's elements.
    ArrayCompare {
        /// How many elements must satisfy it.
        quantifier: Quantifier,
        /// The comparison.
        op: BinaryOp,
        /// The array.
        left: Box<Expr>,
        /// What each element is compared with.
        right: Box<Expr>,
    },
    /// `a ? b : c`, and `a ?: c`, which gives `a` where it is true.
    Ternary {
        /// The condition.
        condition: Box<Expr>,
        /// Absent in `a ?: c`.
        then: Option<Box<Expr>>,
        /// The other branch.
        otherwise: Box<Expr>,
    },
    /// `from..to`.
    Range {
        /// The first number.
        from: Box<Expr>,
        /// The last number.
        to: Box<Expr>,
    },
    /// `( body )`, an array of the rows.
    Subquery(Box<Body>),
}

/// One item of an array literal.
#[derive(Clone, Debug, PartialEq)]
pub enum ArrayItem {
    /// A value.
    Value(Expr),
    /// `...array` (4.x).
    Spread(Expr),
}

/// One item of an object literal.
#[derive(Clone, Debug, PartialEq)]
pub enum ObjectItem {
    /// `name: value`, `"name": value`. `{name}` is kept as `name: name`.
    Attribute(Name, Expr),
    /// `@name: value`: a bind parameter that gives the attribute's name.
    Parameter(Name, Expr),
    /// `[expression]: value`.
    Computed(Expr, Expr),
    /// `...object` (4.x).
    Spread(Expr),
}

/// The name of an attribute after a dot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AttributeName {
    /// Written out.
    Static(Name),
    /// `.@name`: a bind parameter with a text, or with an array of texts for a path.
    Parameter(Name),
}

/// `base[* FILTER … LIMIT … RETURN …]` and what follows it.
///
/// `a[*].b.c` gives for each element its `b.c`: the accesses after the brackets, up to the end of the chain, are
/// [`Expansion::tail`], whose root is [`ExprKind::Element`]. A second expansion in the chain stands within that tail.
#[derive(Clone, Debug, PartialEq)]
pub struct Expansion {
    /// The array.
    pub base: Expr,
    /// The number of asterisks: 1 keeps the shape, each further one flattens a level.
    pub levels: u32,
    /// `FILTER condition` on `CURRENT`.
    pub filter: Option<Expr>,
    /// `LIMIT [offset,] count`.
    pub limit: Option<(Option<Expr>, Expr)>,
    /// `RETURN projection` of `CURRENT`.
    pub projection: Option<Expr>,
    /// What follows the brackets; absent where nothing does.
    pub tail: Option<Expr>,
}

/// `base[? quantifier FILTER condition]`.
#[derive(Clone, Debug, PartialEq)]
pub struct ArrayFilter {
    /// The array.
    pub base: Expr,
    /// How many elements must satisfy the condition; absent: at least one.
    pub quantifier: Option<Quantifier>,
    /// The condition on `CURRENT`; absent in `base[?]`.
    pub filter: Option<Expr>,
}

/// How many elements must satisfy a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantifier {
    /// `ALL`.
    All,
    /// `ANY`.
    Any,
    /// `NONE`.
    None,
    /// `AT LEAST (n)`.
    AtLeast(Box<Expr>),
    /// `n` or `a..b`; only in an [`ArrayFilter`].
    Exactly(Box<Expr>),
}

/// The name of a function as written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionName {
    /// The parts around `::`, unescaped, in the case of the text. One part for a built-in function.
    pub parts: Vec<Name>,
}

/// The operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `NOT`, `!`.
    Not,
}

/// The operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `OR`, `||`.
    Or,
    /// `AND`, `&&`.
    And,
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Modulo,
    /// `==`.
    Equal,
    /// `!=`.
    NotEqual,
    /// `<`.
    Less,
    /// `<=`.
    LessEqual,
    /// `>`.
    Greater,
    /// `>=`.
    GreaterEqual,
    /// `IN`.
    In,
    /// `NOT IN`.
    NotIn,
    /// `LIKE`.
    Like,
    /// `NOT LIKE`.
    NotLike,
    /// `=~`.
    Match,
    /// `!~`, `NOT =~`.
    NotMatch,
}
