use super::*;
use proptest::prelude::*;
use serde_json::{Value, json};

/// An answer to EXPLAIN as the server writes it, for one collection read by its index.
fn clean() -> Value {
    json!({
        "plan": {
            "nodes": [
                {"type": "SingletonNode", "dependencies": [], "id": 1, "bindParameterVariables": {"nodes": 1}},
                {"type": "IndexNode", "id": 2, "collection": "users", "condition": {
                    "type": "compare ==", "typeID": 25, "subNodes": [
                        {"type": "function call", "typeID": 47, "name": "LOWER", "subNodes": []},
                        {"type": "array", "typeID": 41, "raw": [{"nodes": [{"type": "InsertNode"}], "typeID": 48}]}
                    ]
                }},
                {"type": "ReturnNode", "id": 3}
            ],
            "rules": [],
            "estimatedCost": 4.5,
            "estimatedNrItems": 2,
            "collections": [{"name": "users", "type": "read"}],
            "variables": [{"id": 0, "name": "u", "constantValue": {"nodes": 7}}],
            "isModificationQuery": false
        },
        "cacheable": true,
        "warnings": [{"code": 1562, "message": "division by zero"}],
        "stats": {"peakMemoryUsage": 0},
        "error": false,
        "code": 200
    })
}

fn verdict(answer: &Value) -> Result<Plan, PlanFault> {
    read(answer.to_string().as_bytes())
}

/// The clean answer with one place changed.
fn with(pointer: &str, value: Value) -> Result<Plan, PlanFault> {
    let mut answer = clean();
    *answer.pointer_mut(pointer).unwrap() = value;
    verdict(&answer)
}

/// The clean answer without one member.
fn without(object: &str, member: &str) -> Result<Plan, PlanFault> {
    let mut answer = clean();
    answer
        .pointer_mut(object)
        .unwrap()
        .as_object_mut()
        .unwrap()
        .remove(member)
        .unwrap();
    verdict(&answer)
}

/// The clean answer with one more node.
fn with_node(node: Value) -> Result<Plan, PlanFault> {
    let mut answer = clean();
    answer
        .pointer_mut("/plan/nodes")
        .unwrap()
        .as_array_mut()
        .unwrap()
        .push(node);
    verdict(&answer)
}

/// The clean answer with an expression in a node of its own.
fn with_expression(expression: Value) -> Result<Plan, PlanFault> {
    with_node(json!({"type": "CalculationNode", "expression": expression}))
}

#[test]
fn a_clean_plan_gives_its_summary() {
    let plan = verdict(&clean()).unwrap();
    assert_eq!(plan.collections, NameSet::from(["users"]));
    assert_eq!(plan.touched, plan.collections);
    let texts = [plan.cost, plan.rows].map(|number| number.unwrap().text);
    assert_eq!(texts, ["4.5", "2"]);
    assert_eq!(plan.nodes.len(), 3);
    assert_eq!(
        plan.warnings,
        [Notice::new("arango-1562", "division by zero")]
    );
}

#[test]
fn answers_of_another_form_are_refused() {
    for answer in [
        "",
        "null",
        "[]",
        "{}",
        "\"garbage\"",
        "0",
        "true",
        "{\"plan\":null,\"error\":false}",
        "{\"plan\":{},\"error\":false}",
        "{\"plan\":[],\"error\":false}",
        "{\"plan\":{\"nodes\":[]},\"error\":false}",
        "<html></html>",
        "{\"plan\":{\"nodes\":[",
    ] {
        let fault = read(answer.as_bytes()).unwrap_err();
        assert!(
            matches!(fault, PlanFault::Shape(_) | PlanFault::NotJson(_)),
            "{answer}"
        );
        assert!(!fault.repairable(), "{answer}");
    }
    assert!(matches!(read(b"\xff\xfe{}"), Err(PlanFault::NotJson(0))));
}

#[test]
fn every_part_that_bears_on_the_verdict_must_be_there() {
    for (object, member) in [
        ("", "plan"),
        ("", "error"),
        ("/plan", "nodes"),
        ("/plan", "collections"),
        ("/plan", "isModificationQuery"),
        ("/plan/nodes/0", "type"),
        ("/plan/collections/0", "name"),
        ("/plan/collections/0", "type"),
    ] {
        assert!(
            matches!(without(object, member), Err(PlanFault::Shape(_))),
            "{object} {member}"
        );
    }
}

#[test]
fn a_member_of_the_wrong_type_is_refused() {
    for (pointer, value) in [
        ("/plan/isModificationQuery", json!(null)),
        ("/plan/isModificationQuery", json!("false")),
        ("/plan/isModificationQuery", json!(0)),
        ("/plan/isModificationQuery", json!([])),
        ("/plan/collections", json!({})),
        ("/plan/collections", json!(null)),
        ("/plan/collections/0", json!("users")),
        ("/plan/collections/0/type", json!(null)),
        ("/plan/collections/0/type", json!(["read"])),
        ("/plan/collections/0/name", json!(7)),
        ("/plan/nodes", json!([])),
        ("/plan/nodes", json!({})),
        ("/plan/nodes", json!("x")),
        ("/plan/nodes/0", json!("SingletonNode")),
        ("/plan/nodes/0/type", json!(1)),
        ("/plan/nodes/0/type", json!({"type": "SingletonNode"})),
        ("/error", json!(true)),
        ("/error", json!(null)),
        ("/code", json!(201)),
        ("/plan/estimatedCost", json!("4")),
        ("/plan/estimatedCost", json!([1])),
        ("/warnings", json!({})),
    ] {
        assert!(
            matches!(with(pointer, value.clone()), Err(PlanFault::Shape(_))),
            "{pointer} {value}"
        );
    }
}

#[test]
fn a_query_that_the_server_counts_as_a_modification_is_refused() {
    let fault = with("/plan/isModificationQuery", json!(true)).unwrap_err();
    assert_eq!(fault.notice().code, "writes");
}

#[test]
fn any_access_but_read_is_refused() {
    for access in ["write", "exclusive", "READ", "read ", "", "none"] {
        let fault = with("/plan/collections/0/type", json!(access)).unwrap_err();
        assert_eq!(fault.notice().code, "writes", "{access}");
    }
}

#[test]
fn every_writing_node_is_refused_at_the_top() {
    for name in [
        "InsertNode",
        "UpdateNode",
        "ReplaceNode",
        "RemoveNode",
        "UpsertNode",
        "MultipleRemoteModificationNode",
    ] {
        assert_eq!(
            with_node(json!({"type": name})).unwrap_err().notice().code,
            "writes",
            "{name}"
        );
    }
}

#[test]
fn an_unknown_node_is_refused_at_every_depth() {
    let unknown = json!({"nodes": [{"type": "TeleportNode"}]});
    for answer in [
        with_node(json!({"type": "TeleportNode"})),
        with_node(json!({"type": "SubqueryNode", "subquery": unknown})),
        with_node(json!({"type": "CalculationNode", "detail": {"deeper": [unknown]}})),
        with_node(json!({"type": "CalculationNode", "detail": {"type": "TeleportNode"}})),
        with("/stats", json!({"plans": [unknown]})),
    ] {
        assert_eq!(answer, Err(PlanFault::Node("TeleportNode".into())));
    }
}

#[test]
fn whatever_stands_under_nodes_is_held_to_be_one() {
    for nodes in [
        json!([{"type": "teleport"}]),
        json!([{}]),
        json!([1]),
        json!([]),
        json!({}),
        json!("x"),
    ] {
        let node = json!({"type": "LimitNode", "x": [{"nodes": nodes}]});
        assert!(with_node(node.clone()).is_err(), "{node}");
    }
}

#[test]
fn a_write_in_a_nested_plan_is_refused() {
    for node in [
        json!({"type": "SubqueryNode", "subquery": {"nodes": [{"type": "SubqueryNode", "subquery": {"nodes": [{"type": "RemoveNode"}]}}]}}),
        json!({"type": "LimitNode", "x": {"nodes": [{"type": "InsertNode"}]}}),
        json!({"type": "LimitNode", "x": [{"type": "UpdateNode"}]}),
    ] {
        assert!(matches!(with_node(node), Err(PlanFault::Writes(_))));
    }
    let mut answer = clean();
    answer["plans"] = json!([{"nodes": [{"type": "UpsertNode"}]}]);
    assert!(matches!(verdict(&answer), Err(PlanFault::Writes(_))));
}

#[test]
fn a_subquery_without_its_plan_is_refused() {
    for node in [
        json!({"type": "SubqueryNode"}),
        json!({"type": "SubqueryNode", "subquery": {}}),
        json!({"type": "SubqueryNode", "subquery": []}),
        json!({"type": "SubqueryNode", "subquery": {"nodes": []}}),
    ] {
        assert!(
            matches!(with_node(node.clone()), Err(PlanFault::Shape(_))),
            "{node}"
        );
    }
}

#[test]
fn a_single_remote_operation_must_be_a_lookup() {
    assert!(with_node(json!({"type": "SingleRemoteOperationNode", "mode": "IndexNode"})).is_ok());
    for mode in [
        "InsertNode",
        "UpdateNode",
        "ReplaceNode",
        "RemoveNode",
        "UpsertNode",
    ] {
        let fault =
            with_node(json!({"type": "SingleRemoteOperationNode", "mode": mode})).unwrap_err();
        assert_eq!(fault.notice().code, "writes", "{mode}");
    }
    for node in [
        json!({"type": "SingleRemoteOperationNode"}),
        json!({"type": "SingleRemoteOperationNode", "mode": "TeleportNode"}),
        json!({"type": "SingleRemoteOperationNode", "mode": null}),
    ] {
        assert!(with_node(node.clone()).is_err(), "{node}");
    }
}

#[test]
fn a_function_of_a_users_own_is_refused() {
    for expression in [
        json!({"type": "user function call", "typeID": 48, "name": "NS::F"}),
        json!({"type": "plus", "typeID": 20, "subNodes": [{"type": "user function call", "typeID": 48, "name": "NS::F"}]}),
        json!({"type": "function call", "typeID": 47, "name": "NS::F"}),
        json!({"type": "function call", "typeID": 47, "name": "SLEEP"}),
    ] {
        let fault = with_expression(expression.clone()).unwrap_err();
        assert_eq!(fault.notice().code, "plan-function", "{expression}");
    }
}

#[test]
fn calls_that_the_optimizer_writes_pass() {
    for name in [
        "COLLECTION_COUNT",
        "MAKE_DISTRIBUTE_INPUT",
        "SELECT_SMART_DISTRIBUTE_GRAPH_INPUT",
    ] {
        assert!(
            with_expression(json!({"type": "function call", "typeID": 47, "name": name})).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn an_expression_of_an_unknown_kind_is_refused() {
    for expression in [
        json!({"type": "teleport", "typeID": 99}),
        json!({"type": "reference", "typeID": 48}),
        json!({"typeID": 45}),
        json!({"type": "function call", "typeID": 47}),
        json!({"type": "function call", "name": "LOWER"}),
        json!({"type": "user function call", "name": "NS::F"}),
        json!({"type": "value", "typeID": "40"}),
        json!({"type": "value", "typeID": [40]}),
        json!({"type": "value", "typeID": 40.5}),
        json!({"type": "value", "typeID": -1}),
    ] {
        assert!(with_expression(expression.clone()).is_err(), "{expression}");
    }
    assert!(matches!(
        with_expression(json!({"type": "insert", "typeID": 6})),
        Err(PlanFault::Writes(_))
    ));
}

#[test]
fn values_may_stand_only_where_the_server_puts_them() {
    let hidden = json!({"nodes": [{"type": "InsertNode"}]});
    for node in [
        json!({"type": "CalculationNode", "raw": hidden}),
        json!({"type": "CalculationNode", "x": {"raw": hidden}}),
        json!({"type": "CalculationNode", "x": {"type": "reference", "typeID": 45, "raw": hidden}}),
        json!({"type": "CalculationNode", "constantValue": hidden}),
        json!({"type": "CalculationNode", "bindParameterVariables": hidden}),
    ] {
        assert!(
            matches!(with_node(node.clone()), Err(PlanFault::Shape(_))),
            "{node}"
        );
    }
}

#[test]
fn a_member_that_comes_twice_is_refused() {
    let clean = clean().to_string();
    for (once, twice) in [
        (
            "\"isModificationQuery\":false",
            "\"isModificationQuery\":true,\"isModificationQuery\":false",
        ),
        ("\"type\":\"read\"", "\"type\":\"write\",\"type\":\"read\""),
        (
            "\"type\":\"ReturnNode\"",
            "\"type\":\"InsertNode\",\"type\":\"ReturnNode\"",
        ),
        ("\"error\":false", "\"error\":false,\"\\u0065rror\":false"),
        ("\"collections\":[", "\"collections\":[],\"collections\":["),
    ] {
        assert!(clean.contains(once), "{once}");
        let answer = clean.replacen(once, twice, 1);
        assert!(
            matches!(
                read(answer.as_bytes()),
                Err(PlanFault::Shape(_) | PlanFault::Writes(_))
            ),
            "{twice}"
        );
    }
}

#[test]
fn a_sum_of_500_terms_passes_and_a_bomb_does_not() {
    let nested = |depth: usize| {
        let open = r#"{"type":"plus","typeID":20,"subNodes":["#.repeat(depth);
        let close = "]}".repeat(depth);
        let expression = format!("{open}{{\"type\":\"value\",\"typeID\":40,\"value\":1}}{close}");
        clean()
            .to_string()
            .replacen("\"rules\":[]", &format!("\"rules\":[{expression}]"), 1)
    };
    assert!(read(nested(500).as_bytes()).is_ok());
    assert!(matches!(
        read(nested(100_000).as_bytes()),
        Err(PlanFault::NotJson(_))
    ));
}

#[test]
fn an_answer_beyond_the_bound_is_refused() {
    let padded = format!("{}{}", clean(), " ".repeat(MAX_BYTES));
    assert!(matches!(
        read(padded.as_bytes()),
        Err(PlanFault::TooLarge(_))
    ));
}

#[test]
fn a_plan_over_more_collections_than_the_server_takes_is_refused() {
    let collections = |count: usize| -> Value {
        (0..count)
            .map(|n| json!({"name": format!("c{}", (n * 7919) % count), "type": "read"}))
            .collect()
    };
    assert!(with("/plan/collections", collections(2_048)).is_ok());
    assert!(matches!(
        with("/plan/collections", collections(100_003)),
        Err(PlanFault::Shape("collections"))
    ));
}

#[test]
fn messages_carry_no_control_characters() {
    let fault =
        with_node(json!({"type": format!("Evil\u{1b}[31m\n{}Node", "x".repeat(900))})).unwrap_err();
    let message = fault.notice().message;
    assert!(
        !message.contains(char::is_control) && message.len() < 300,
        "{message}"
    );
}

proptest! {
    #[test]
    fn any_bytes_end_as_a_plan_or_as_a_fault(body in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read(&body);
    }

    #[test]
    fn a_clean_answer_with_a_byte_changed_never_panics(at in 0_usize..900, byte in any::<u8>()) {
        let mut body = clean().to_string().into_bytes();
        let at = at % body.len();
        body[at] = byte;
        let _ = read(&body);
    }

    #[test]
    fn a_plan_cut_anywhere_is_refused(at in 0_usize..2000) {
        let body = clean().to_string();
        let at = at % body.len();
        prop_assert!(read(&body.as_bytes()[..at]).is_err());
    }
}
