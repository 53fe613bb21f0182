//! Requests that describe the database: collections, indexes, graphs, views.
//!
//! Each hands over the items of the server's list as they are; what they mean is read in [`schema`](crate::schema).

use crate::ask::Result;
use crate::json::Value;

use super::client::{Call, foreign, misshapen, parse};
use super::paths::Route;
use super::{Client, DatabaseError};

/// What the server answered, or its error.
pub(crate) type Described<T> = Result<core::result::Result<T, DatabaseError>>;

/// What takes the items, one by one.
type Each<'e> = &'e mut dyn FnMut(&Value<'_>);

impl Client<'_> {
    /// The collections, without the server's own: objects with `name`, `type` (3 for edges) and `isSystem`.
    pub(crate) fn collections(&self, each: Each<'_>) -> Described<()> {
        self.list(Route::Collections, "result", each)
    }

    /// The indexes of a collection.
    pub(crate) fn indexes(&self, collection: &str, each: Each<'_>) -> Described<()> {
        self.list(Route::Indexes(collection), "indexes", each)
    }

    /// The named graphs with their edge definitions.
    pub(crate) fn graphs(&self, each: Each<'_>) -> Described<()> {
        self.list(Route::Graphs, "graphs", each)
    }

    /// The views: objects with `name` and `type`.
    pub(crate) fn views(&self, each: Each<'_>) -> Described<()> {
        self.list(Route::Views, "result", each)
    }

    /// The properties of a view, read by `read`: `links`, or `indexes` of a search-alias view.
    pub(crate) fn view<T>(&self, view: &str, read: impl FnOnce(&Value<'_>) -> T) -> Described<T> {
        let route = Route::View(view);
        let body = match self.send(Call::short(route))? {
            Ok(body) => body,
            Err(error) => return Ok(Err(error)),
        };
        let value = parse(route, &body)?;
        let described = matches!(value.get("links"), Some(Value::Object(_)))
            || matches!(value.get("indexes"), Some(Value::List(_)));
        if !described {
            return Err(foreign(route, "it has neither links nor indexes"));
        }
        Ok(Ok(read(&value)))
    }

    fn list(&self, route: Route<'_>, name: &str, each: Each<'_>) -> Described<()> {
        let body = match self.send(Call::short(route))? {
            Ok(body) => body,
            Err(error) => return Ok(Err(error)),
        };
        let value = parse(route, &body)?;
        match value.get(name) {
            Some(Value::List(items)) => items.iter().for_each(each),
            None | Some(Value::Null) => return Err(foreign(route, "it holds no list")),
            Some(_) => return Err(misshapen(route)),
        }
        Ok(Ok(()))
    }
}
