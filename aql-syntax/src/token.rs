//! The tokens of AQL, under the names by which the server speaks of them.

use crate::Version;

/// A token with its place.
///
/// `line` and `column` are those that an error about this token prints. They differ from the place of its first byte where
/// the server's own count does: a quoted token is known by its closing quote, and a newline within quotes starts no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// What it is.
    pub(crate) kind: TokenKind,
    /// The first byte.
    pub(crate) start: u32,
    /// The byte after the last.
    pub(crate) end: u32,
    /// The line, from 1.
    pub(crate) line: u32,
    /// The column in bytes, from 0.
    pub(crate) column: u32,
}

/// Declares the kinds of tokens with the names that errors give them, and the table of keywords.
macro_rules! tokens {
    ($($kind:ident $name:literal $(= $word:literal)?,)*) => {
        /// The kinds of tokens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum TokenKind { $($kind,)* }

        impl TokenKind {
            /// The name in messages.
            pub(crate) fn name(self) -> &'static str {
                match self { $(TokenKind::$kind => $name,)* }
            }
        }

        /// The reserved words of every version, in upper case.
        const KEYWORDS: &[(&str, TokenKind)] = &[$($(($word, TokenKind::$kind),)?)*];
    };
}

tokens! {
    For "FOR declaration" = "FOR",
    Let "LET declaration" = "LET",
    Filter "FILTER declaration" = "FILTER",
    Return "RETURN declaration" = "RETURN",
    Collect "COLLECT declaration" = "COLLECT",
    Sort "SORT declaration" = "SORT",
    Limit "LIMIT declaration" = "LIMIT",
    Window "WINDOW declaration" = "WINDOW",
    Asc "ASC keyword" = "ASC",
    Desc "DESC keyword" = "DESC",
    In "IN keyword" = "IN",
    With "WITH keyword" = "WITH",
    Into "INTO keyword" = "INTO",
    Aggregate "AGGREGATE keyword" = "AGGREGATE",
    Graph "GRAPH keyword" = "GRAPH",
    ShortestPath "SHORTEST_PATH keyword" = "SHORTEST_PATH",
    KShortestPaths "K_SHORTEST_PATHS keyword" = "K_SHORTEST_PATHS",
    KPaths "K_PATHS keyword" = "K_PATHS",
    AllShortestPaths "ALL_SHORTEST_PATHS keyword" = "ALL_SHORTEST_PATHS",
    Distinct "DISTINCT modifier" = "DISTINCT",
    Remove "REMOVE command" = "REMOVE",
    Insert "INSERT command" = "INSERT",
    Update "UPDATE command" = "UPDATE",
    Replace "REPLACE command" = "REPLACE",
    Upsert "UPSERT command" = "UPSERT",
    Null "null" = "NULL",
    True "true" = "TRUE",
    False "false" = "FALSE",
    Not "not operator" = "NOT",
    And "and operator" = "AND",
    Or "or operator" = "OR",
    Like "like operator" = "LIKE",
    Outbound "outbound modifier" = "OUTBOUND",
    Inbound "inbound modifier" = "INBOUND",
    Any "any modifier" = "ANY",
    All "all modifier" = "ALL",
    None "none modifier" = "NONE",
    InnerJoin "INNER_JOIN keyword" = "INNER_JOIN",
    LeftJoin "LEFT_JOIN keyword" = "LEFT_JOIN",
    RightJoin "RIGHT_JOIN keyword" = "RIGHT_JOIN",
    OuterJoin "OUTER_JOIN keyword" = "OUTER_JOIN",
    Match "MATCH keyword" = "MATCH",
    While "WHILE keyword" = "WHILE",
    Until "UNTIL keyword" = "UNTIL",
    Scan "SCAN keyword" = "SCAN",
    Fold "FOLD keyword" = "FOLD",
    Identifier "identifier",
    QuotedString "quoted string",
    Integer "integer number",
    Double "number",
    Parameter "bind parameter",
    DataSourceParameter "bind data source parameter",
    Assign "assignment",
    Bang "not operator",
    NotIn "not in operator",
    AtLeast "at least modifier",
    // The server swaps the two characters in its own messages.
    RegexMatch "~= operator",
    RegexNonMatch "~! operator",
    Equal "== operator",
    NotEqual "!= operator",
    Less "< operator",
    Greater "> operator",
    LessEqual "<= operator",
    GreaterEqual ">= operator",
    Plus "+ operator",
    Minus "- operator",
    Times "* operator",
    Divide "/ operator",
    Modulo "% operator",
    Question "?",
    Colon ":",
    Scope "::",
    Range "..",
    Spread "...",
    // The server's parser generator keeps the quotes of a name that has a comma in it.
    Comma "\",\"",
    Open "(",
    Close ")",
    ObjectOpen "{",
    ObjectClose "}",
    ArrayOpen "[",
    ArrayClose "]",
    Dot "'.'",
    Invalid "invalid token",
    End "end of query string",
    // A byte outside ASCII, or a zero byte: the server takes it for the end of the query.
    Foreign "end of query string",
}

impl TokenKind {
    /// The kind of a bare word: a keyword of that version, else an identifier.
    pub(crate) fn of_word(word: &str, version: Version) -> TokenKind {
        match keyword(word) {
            Some(kind) if version == Version::V4 || !kind.is_reserved_since_v4() => kind,
            _ => TokenKind::Identifier,
        }
    }

    /// Whether the word is reserved only from 4.0 on.
    fn is_reserved_since_v4(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            InnerJoin | LeftJoin | RightJoin | OuterJoin | Match | While | Until | Scan | Fold
        )
    }

    /// Whether a statement begins with it.
    pub(crate) fn starts_statement(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            For | Let
                | Filter
                | Return
                | Collect
                | Sort
                | Limit
                | Window
                | Remove
                | Insert
                | Update
                | Replace
                | Upsert
        )
    }
}

/// The keyword that a bare word is in any version; case does not matter.
pub(crate) fn keyword(word: &str) -> Option<TokenKind> {
    KEYWORDS
        .iter()
        .find(|(keyword, _)| keyword.eq_ignore_ascii_case(word))
        .map(|(_, kind)| *kind)
}
