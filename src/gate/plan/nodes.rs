//! The tables that a plan is held against: node types and the kinds of expression nodes.

/// What the table says of an execution node's type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NodeKind {
    /// It only reads.
    Read,
    /// It reads where its `mode` is `IndexNode`, and else writes.
    SingleRemote,
    /// It reads what its `subquery` reads.
    Subquery,
    /// It writes.
    Write,
    /// No release of the server that is known has it.
    Unknown,
}

/// What the table says of an execution node's type, in the releases 3.7 to 4.x.
pub(super) fn node(name: &str) -> NodeKind {
    match name {
        // All releases.
        "SingletonNode"
        | "EnumerateCollectionNode"
        | "EnumerateListNode"
        | "IndexNode"
        | "LimitNode"
        | "CalculationNode"
        | "FilterNode"
        | "SortNode"
        | "CollectNode"
        | "ReturnNode"
        | "NoResultsNode"
        | "TraversalNode"
        | "ShortestPathNode"
        | "EnumerateViewNode"
        | "SubqueryStartNode"
        | "SubqueryEndNode"
        | "MaterializeNode" => NodeKind::Read,
        // Clusters: they move rows between servers. `DistributeConsumer` has no suffix.
        "RemoteNode" | "ScatterNode" | "DistributeNode" | "GatherNode" | "DistributeConsumer"
        | "AsyncNode" | "MutexNode" => NodeKind::Read,
        // Up to 3.8.
        "KShortestPathsNode" | "ParallelStartNode" | "ParallelEndNode" => NodeKind::Read,
        // From 3.9 on, 3.12, 3.12.4, and the releases after it.
        "WindowNode"
        | "EnumeratePathsNode"
        | "OffsetMaterializeNode"
        | "JoinNode"
        | "EnumerateNearVectorNode"
        | "IndexCollectNode" => NodeKind::Read,
        "SubqueryNode" => NodeKind::Subquery,
        "SingleRemoteOperationNode" => NodeKind::SingleRemote,
        "InsertNode"
        | "UpdateNode"
        | "ReplaceNode"
        | "RemoveNode"
        | "UpsertNode"
        | "MultipleRemoteModificationNode" => NodeKind::Write,
        _ => NodeKind::Unknown,
    }
}

/// Whether a value under `type` means an execution node, wherever it stands.
pub(super) fn looks_like_node(name: &str) -> bool {
    name.ends_with("Node") || name == "DistributeConsumer"
}

/// The type number of a call of a built-in function.
pub(super) const FUNCTION_CALL: u16 = 47;

/// What the table says of an expression node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ExpressionKind {
    /// It computes.
    Read,
    /// It calls a built-in function.
    Call,
    /// It calls a function that a user has written.
    UserCall,
    /// It belongs to a statement that writes.
    Write,
    /// The number is unknown, or the name belongs to another number.
    Unknown,
}

/// What the table says of an expression node, by its number and its name. The server never re-uses a number.
pub(super) fn expression(id: u16, name: &str) -> ExpressionKind {
    let known = EXPRESSIONS.binary_search_by_key(&id, |(id, _)| *id);
    match known.ok().and_then(|at| EXPRESSIONS.get(at)) {
        Some((_, expected)) if *expected == name => match id {
            5..=8 | 54 => ExpressionKind::Write,
            FUNCTION_CALL => ExpressionKind::Call,
            48 => ExpressionKind::UserCall,
            _ => ExpressionKind::Read,
        },
        _ => ExpressionKind::Unknown,
    }
}

/// The numbers and names of expression nodes, sorted by number.
#[rustfmt::skip]
const EXPRESSIONS: &[(u16, &str)] = &[
    (0, "root"), (1, "for"), (2, "let"), (3, "filter"), (4, "return"), (5, "remove"), (6, "insert"), (7, "update"),
    (8, "replace"), (9, "collect"), (10, "sort"), (11, "sort element"), (12, "limit"), (13, "variable"), (14, "assign"),
    (15, "unary plus"), (16, "unary minus"), (17, "unary not"), (18, "logical and"), (19, "logical or"), (20, "plus"),
    (21, "minus"), (22, "times"), (23, "division"), (24, "modulus"), (25, "compare =="), (26, "compare !="),
    (27, "compare <"), (28, "compare <="), (29, "compare >"), (30, "compare >="), (31, "compare in"),
    (32, "compare not in"), (33, "ternary"), (34, "subquery"), (35, "attribute access"), (36, "bound attribute access"),
    (37, "indexed access"), (38, "expansion"), (39, "iterator"), (40, "value"), (41, "array"), (42, "object"),
    (43, "object element"), (44, "collection"), (45, "reference"), (46, "parameter"), (47, "function call"),
    (48, "user function call"), (49, "range"), (50, "no-op"), (53, "calculated object element"), (54, "upsert"),
    (55, "example"), (56, "passthru"), (57, "array limit"), (58, "distinct"), (59, "traversal"),
    (60, "collection list"), (61, "direction"), (62, "n-ary and"), (63, "n-ary or"), (64, "aggregations array"),
    (65, "array compare =="), (66, "array compare !="), (67, "array compare <"), (68, "array compare <="),
    (69, "array compare >"), (70, "array compare >="), (71, "array compare in"), (72, "array compare not in"),
    (73, "quantifier"), (74, "with collections"), (75, "shortest path"), (76, "enumerate paths"), (77, "view"),
    (78, "datasource parameter"), (79, "view enumeration"), (80, "window"), (81, "array filter"), (82, "destructuring"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_table_is_sorted() {
        assert!(EXPRESSIONS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }

    #[test]
    fn every_writing_node_is_told_from_a_reading_one() {
        for name in [
            "InsertNode",
            "UpdateNode",
            "ReplaceNode",
            "RemoveNode",
            "UpsertNode",
            "MultipleRemoteModificationNode",
        ] {
            assert_eq!(node(name), NodeKind::Write, "{name}");
        }
        for name in ["insertnode", "MultipleRemoteExecutionNode", "", "Singleton"] {
            assert_eq!(node(name), NodeKind::Unknown, "{name}");
        }
    }

    #[test]
    fn a_number_and_another_numbers_name_are_unknown() {
        assert_eq!(expression(47, "function call"), ExpressionKind::Call);
        assert_eq!(expression(45, "function call"), ExpressionKind::Unknown);
        assert_eq!(expression(48, "reference"), ExpressionKind::Unknown);
        assert_eq!(expression(83, "spread"), ExpressionKind::Unknown);
        assert_eq!(expression(54, "upsert"), ExpressionKind::Write);
    }
}
