//! The exports as calls of the core's node: parameters come flat, and each result is given as the address of where it lies.

use std::cell::Cell;

use querent::ask::{AqlRequest, Outputs, QuestionKind, QuestionRequest};
use querent::node::{self, Node, tools};

use crate::abi::{self, Lift};
use crate::imports::Host;

thread_local! {
    /// The node of this instance; absent until `configure` succeeds.
    static NODE: Cell<Option<Node>> = const { Cell::new(None) };
}

/// Lends the node to a call.
fn with_node<T>(call: impl FnOnce(Option<&Node>) -> T) -> T {
    let node = NODE.take();
    let result = call(node.as_ref());
    NODE.set(node);
    result
}

/// Exports a function of an interface, and what the host calls once it has read the function's result.
macro_rules! export {
    ($name:literal, $after:literal, fn $function:ident($($parameter:ident: $of:ty),* $(,)?) $body:block) => {
        // SAFETY: no other symbol of the component has this name. The parameters are the contract's, flattened: the host
        // wrote what they point to through `cabi_realloc`, and gives it to this call.
        #[unsafe(export_name = $name)]
        #[allow(unused_unsafe, reason = "one of the functions takes nothing")]
        unsafe extern "C" fn $function($($parameter: $of),*) -> *const u8 {
            const _: () = {
                // SAFETY: as above.
                #[unsafe(export_name = $after)]
                extern "C" fn after(_returned: *const u8) {
                    abi::take_back();
                }
            };
            // SAFETY: see above.
            unsafe { $body }
        }
    };
}

export!(
    "querent:ask/ask@0.1.0#configure",
    "cabi_post_querent:ask/ask@0.1.0#configure",
    fn configure(
        settings: *mut u8,
        settings_length: usize,
        is_prepared: i32,
        prepared: *mut u8,
        prepared_length: usize,
    ) {
        let settings = abi::text(settings, settings_length);
        let prepared = abi::option(is_prepared, prepared, prepared_length);
        abi::give(
            Node::configure(&Host, &Host, &settings, prepared).map(|(node, configured)| {
                NODE.set(Some(node));
                configured
            }),
        )
    }
);

export!(
    "querent:ask/ask@0.1.0#question",
    "cabi_post_querent:ask/ask@0.1.0#question",
    fn question(
        kind: i32,
        text: *mut u8,
        text_length: usize,
        is_bind_vars: i32,
        bind_vars: *mut u8,
        bind_vars_length: usize,
        is_limit: i32,
        limit: u32,
        history: *mut u8,
        history_length: usize,
        outputs: i32,
        options: *mut u8,
        options_length: usize,
    ) {
        let asked = |bit: i32| outputs & (1 << bit) != 0;
        let kind = kind as u8;
        let request = QuestionRequest {
            kind: QuestionKind::lift(&raw const kind),
            text: abi::text(text, text_length),
            bind_vars: abi::option(is_bind_vars, bind_vars, bind_vars_length),
            limit: (is_limit != 0).then_some(limit),
            history: abi::list(history, history_length),
            outputs: Outputs {
                rows: asked(0),
                table: asked(1),
                text: asked(2),
                answers: asked(3),
                prose: asked(4),
            },
            options: abi::list(options, options_length),
        };
        abi::give(with_node(|node| {
            node::question(node, &Host, &Host, &request)
        }))
    }
);

export!(
    "querent:ask/ask@0.1.0#schema",
    "cabi_post_querent:ask/ask@0.1.0#schema",
    fn schema(is_collection: i32, collection: *mut u8, collection_length: usize) {
        let collection = abi::option(is_collection, collection, collection_length);
        abi::give(with_node(|node| node::schema(node, collection.as_deref())))
    }
);

export!(
    "querent:ask/aql@0.1.0#aql",
    "cabi_post_querent:ask/aql@0.1.0#aql",
    fn aql(
        question: *mut u8,
        question_length: usize,
        is_limit: i32,
        limit: u32,
        history: *mut u8,
        history_length: usize,
        plan: i32,
        options: *mut u8,
        options_length: usize,
    ) {
        let request = AqlRequest {
            question: abi::text(question, question_length),
            limit: (is_limit != 0).then_some(limit),
            history: abi::list(history, history_length),
            plan: plan != 0,
            options: abi::list(options, options_length),
        };
        abi::give(with_node(|node| node::aql(node, &Host, &Host, &request)))
    }
);

export!(
    "querent:ask/tools@0.1.0#definitions",
    "cabi_post_querent:ask/tools@0.1.0#definitions",
    fn definitions() {
        abi::give(tools::DEFINITIONS.to_vec())
    }
);

export!(
    "querent:ask/tools@0.1.0#invoke",
    "cabi_post_querent:ask/tools@0.1.0#invoke",
    fn invoke(name: *mut u8, name_length: usize, arguments: *mut u8, arguments_length: usize) {
        let name = abi::text(name, name_length);
        let arguments = abi::text(arguments, arguments_length);
        abi::give(with_node(|node| {
            tools::invoke(node, &Host, &Host, &name, &arguments)
        }))
    }
);
