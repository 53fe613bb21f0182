//! The core's own AQL: fixed at compile time, its names and values bound.

use crate::json;

/// A query of the core's own: probe, reflection, canary, lookups.
///
/// Its text is put together from parts known at compile time and from bind parameters that are numbered here. No name and
/// no value of the outside's can become part of it.
///
/// ```
/// use querent::arango::OwnQuery;
///
/// let mut query = OwnQuery::new("FOR d IN ");
/// query.collection("my orders");
/// query.text(" LIMIT ");
/// query.value("25");
/// query.text(" RETURN d._key");
/// assert_eq!(query.aql(), "FOR d IN @@c0 LIMIT @v1 RETURN d._key");
/// assert_eq!(query.bind_vars(), r#"{"@c0":"my orders","v1":25}"#);
/// ```
///
/// ```compile_fail
/// let name = String::from("orders");
/// querent::arango::OwnQuery::new(&format!("FOR d IN {name} RETURN d"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnQuery {
    aql: String,
    binds: String,
    count: usize,
}

/// A bind parameter that already has its value, to be named again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound(usize);

impl OwnQuery {
    /// A query that begins with this text.
    pub fn new(text: &'static str) -> OwnQuery {
        OwnQuery {
            aql: text.into(),
            binds: String::new(),
            count: 0,
        }
    }

    /// Adds text.
    pub fn text(&mut self, text: &'static str) {
        self.aql.push_str(text);
    }

    /// Adds text that ends in a number, such as a loop variable's.
    pub fn numbered(&mut self, text: &'static str, number: u32) {
        self.aql.push_str(text);
        self.aql.push_str(&number.to_string());
    }

    /// Adds a collection or view by its name.
    pub fn collection(&mut self, name: &str) -> Bound {
        let bound = self.bind("@c", &json::quote(name));
        self.collection_again(bound);
        bound
    }

    /// Adds a collection or view that is bound already.
    pub fn collection_again(&mut self, bound: Bound) {
        self.aql.push_str("@@c");
        self.aql.push_str(&bound.0.to_string());
    }

    /// Adds a value, given as JSON. What is not JSON is bound as null.
    pub fn value(&mut self, json: &str) -> Bound {
        let bound = self.bind_value(json);
        self.value_again(bound);
        bound
    }

    /// Binds a value without adding it yet. The server refuses a query that binds what it does not use.
    pub fn bind_value(&mut self, json: &str) -> Bound {
        let valid = json::is_valid(json);
        self.bind("v", if valid { json } else { "null" })
    }

    /// Adds a value that is bound already.
    pub fn value_again(&mut self, bound: Bound) {
        self.aql.push_str("@v");
        self.aql.push_str(&bound.0.to_string());
    }

    /// The text.
    pub fn aql(&self) -> &str {
        &self.aql
    }

    /// The bind variables, a JSON object.
    pub fn bind_vars(&self) -> String {
        format!("{{{}}}", self.binds)
    }

    fn bind(&mut self, letter: &'static str, json: &str) -> Bound {
        let bound = Bound(self.count);
        if self.count > 0 {
            self.binds.push(',');
        }
        self.binds
            .push_str(&format!("\"{letter}{}\":{json}", bound.0));
        self.count = self.count.saturating_add(1);
        bound
    }
}
