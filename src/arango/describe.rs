//! Requests that describe the database: collections, indexes, graphs, views.
//!
//! Each returns the server's list as it is; what it means is read in [`schema`](crate::schema).

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::ask::Result;

use super::client::{Call, foreign, misshapen};
use super::paths::Route;
use super::{Client, DatabaseError};

/// What the server answered, or its error.
pub(crate) type Described<T> = Result<core::result::Result<T, DatabaseError>>;

/// The lists under the names that the server gives them.
#[derive(Deserialize)]
struct Lists<'a> {
    #[serde(borrow)]
    result: Option<&'a RawValue>,
    #[serde(borrow)]
    indexes: Option<&'a RawValue>,
    #[serde(borrow)]
    graphs: Option<&'a RawValue>,
}

impl Client<'_> {
    /// The collections, without the server's own: objects with `name`, `type` (3 for edges) and `isSystem`.
    pub(crate) fn collections(&self) -> Described<Vec<Value>> {
        self.list(Route::Collections, |lists| lists.result)
    }

    /// The indexes of a collection.
    pub(crate) fn indexes(&self, collection: &str) -> Described<Vec<Value>> {
        self.list(Route::Indexes(collection), |lists| lists.indexes)
    }

    /// The named graphs with their edge definitions.
    pub(crate) fn graphs(&self) -> Described<Vec<Value>> {
        self.list(Route::Graphs, |lists| lists.graphs)
    }

    /// The views: objects with `name` and `type`.
    pub(crate) fn views(&self) -> Described<Vec<Value>> {
        self.list(Route::Views, |lists| lists.result)
    }

    /// The properties of a view: `links`, or `indexes` of a search-alias view.
    pub(crate) fn view(&self, view: &str) -> Described<Value> {
        let route = Route::View(view);
        let body = match self.send(Call::short(route))? {
            Ok(body) => body,
            Err(error) => return Ok(Err(error)),
        };
        let value: Value =
            serde_json::from_slice(&body).map_err(|error| misshapen(route, &error))?;
        let described = value.get("links").is_some_and(Value::is_object)
            || value.get("indexes").is_some_and(Value::is_array);
        if !described {
            return Err(foreign(route, "it has neither links nor indexes"));
        }
        Ok(Ok(value))
    }

    fn list(
        &self,
        route: Route<'_>,
        pick: for<'v> fn(&Lists<'v>) -> Option<&'v RawValue>,
    ) -> Described<Vec<Value>> {
        let body = match self.send(Call::short(route))? {
            Ok(body) => body,
            Err(error) => return Ok(Err(error)),
        };
        let lists: Lists<'_> =
            serde_json::from_slice(&body).map_err(|error| misshapen(route, &error))?;
        let Some(list) = pick(&lists) else {
            return Err(foreign(route, "it holds no list"));
        };
        serde_json::from_str(list.get())
            .map(Ok)
            .map_err(|error| misshapen(route, &error))
    }
}
