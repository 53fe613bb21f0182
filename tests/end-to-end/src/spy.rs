//! An endpoint that keeps what crosses it: all that the component sends to a server, and all that it is handed back.

use std::sync::{Arc, Mutex};

use host_example::BoxFuture;
use host_example::http::{Endpoint, EndpointRequest, Origin};
use host_example::types::http::{Error, Response};

/// One exchange, as the component saw it.
#[derive(Clone, Debug)]
pub struct Crossing {
    /// What the component asked for.
    pub request: EndpointRequest,
    /// What it was handed.
    pub response: Result<Response, Error>,
}

/// A real origin, and the exchanges that passed it.
#[derive(Clone)]
pub struct Spy {
    origin: Arc<Origin>,
    seen: Arc<Mutex<Vec<Crossing>>>,
}

impl Spy {
    /// Watches this origin.
    pub fn new(origin: Origin) -> Spy {
        Spy {
            origin: Arc::new(origin),
            seen: Arc::default(),
        }
    }

    /// The exchanges so far.
    pub fn seen(&self) -> Vec<Crossing> {
        self.seen.lock().unwrap().clone()
    }
}

impl Endpoint for Spy {
    fn fetch(&self, request: EndpointRequest) -> BoxFuture<'_, Result<Response, Error>> {
        Box::pin(async move {
            let response = self.origin.fetch(request.clone()).await;
            self.seen.lock().unwrap().push(Crossing {
                request,
                response: response.clone(),
            });
            response
        })
    }
}
