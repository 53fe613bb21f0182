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
    let known = EXPRESSIONS.split('|').nth(usize::from(id));
    match known {
        Some(expected) if expected == name && !name.is_empty() => match id {
            5..=8 | 54 => ExpressionKind::Write,
            FUNCTION_CALL => ExpressionKind::Call,
            48 => ExpressionKind::UserCall,
            _ => ExpressionKind::Read,
        },
        _ => ExpressionKind::Unknown,
    }
}

/// The names of expression nodes in the order of their numbers from 0, a bar between two; a number that the server does not
/// use has an empty name. One text takes half the bytes of a table of numbers and slices.
const EXPRESSIONS: &str = "\
    root|for|let|filter|return|remove|insert|update|replace|collect|sort|sort element|limit|variable|assign|\
    unary plus|unary minus|unary not|logical and|logical or|plus|minus|times|division|modulus|compare ==|\
    compare !=|compare <|compare <=|compare >|compare >=|compare in|compare not in|ternary|subquery|\
    attribute access|bound attribute access|indexed access|expansion|iterator|value|array|object|\
    object element|collection|reference|parameter|function call|user function call|range|no-op|||\
    calculated object element|upsert|example|passthru|array limit|distinct|traversal|collection list|\
    direction|n-ary and|n-ary or|aggregations array|array compare ==|array compare !=|array compare <|\
    array compare <=|array compare >|array compare >=|array compare in|array compare not in|quantifier|\
    with collections|shortest path|enumerate paths|view|datasource parameter|view enumeration|window|\
    array filter|destructuring";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expression_table_has_its_names_at_their_numbers() {
        let names: Vec<&str> = EXPRESSIONS.split('|').collect();
        assert_eq!(names.len(), 83);
        for (number, name) in [
            (0, "root"),
            (8, "replace"),
            (47, "function call"),
            (50, "no-op"),
            (51, ""),
            (52, ""),
            (53, "calculated object element"),
            (82, "destructuring"),
        ] {
            assert_eq!(names[number], name);
        }
        assert_eq!(expression(51, ""), ExpressionKind::Unknown);
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
