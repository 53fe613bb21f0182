//! The three exports as calls of the core's node.

use std::cell::RefCell;

use querent::node::{Node, tools as node_tools};

use crate::bindings::exports::querent::ask::{aql, ask, tools};
use crate::convert;
use crate::imports::Host;

thread_local! {
    /// The node of this instance; absent until `configure` succeeds.
    static NODE: RefCell<Option<Node>> = const { RefCell::new(None) };
}

/// The component.
pub(crate) struct Component;

impl ask::Guest for Component {
    fn configure(
        settings: String,
        prepared: Option<String>,
    ) -> Result<ask::Configured, ask::Error> {
        let (node, configured) =
            Node::configure(&Host, &Host, &settings, prepared).map_err(convert::error)?;
        NODE.set(Some(node));
        Ok(convert::configured(configured))
    }

    fn question(request: ask::QuestionRequest) -> Result<ask::Answer, ask::Error> {
        let request = convert::question_request(request);
        NODE.with_borrow(|node| querent::node::question(node.as_ref(), &Host, &Host, &request))
            .map(convert::answer)
            .map_err(convert::error)
    }

    fn schema(collection: Option<String>) -> Result<String, ask::Error> {
        NODE.with_borrow(|node| querent::node::schema(node.as_ref(), collection.as_deref()))
            .map_err(convert::error)
    }
}

impl aql::Guest for Component {
    fn aql(request: aql::AqlRequest) -> Result<aql::AqlAnswer, ask::Error> {
        let request = convert::aql_request(request);
        NODE.with_borrow(|node| querent::node::aql(node.as_ref(), &Host, &Host, &request))
            .map(convert::aql_answer)
            .map_err(convert::error)
    }
}

impl tools::Guest for Component {
    fn definitions() -> Vec<tools::Definition> {
        node_tools::DEFINITIONS
            .iter()
            .map(convert::definition)
            .collect()
    }

    fn invoke(name: String, arguments: String) -> Result<String, ask::Error> {
        NODE.with_borrow(|node| node_tools::invoke(node.as_ref(), &Host, &Host, &name, &arguments))
            .map_err(convert::error)
    }
}
