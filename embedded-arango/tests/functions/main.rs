//! The built-in functions: against a real server's recordings, case by case, and on random values.

mod bounds;
mod cases;
mod evaluate;
mod recorded;
mod table;

use std::collections::BTreeMap;
use std::time::Duration;

use embedded_arango::ArangoError;
use embedded_arango::functions::{Context, Host, resolve};
use embedded_arango::value::Value;

/// A query that is not there: it notes warnings, has two documents and a limit of memory.
#[derive(Default)]
struct Query {
    warnings: Vec<(u16, String)>,
    limit: Option<usize>,
    analyzers: BTreeMap<String, Value>,
}

impl Host for Query {
    fn warn(&mut self, number: u16, message: String) -> Result<(), ArangoError> {
        self.warnings.push((number, message));
        Ok(())
    }

    fn document(&mut self, id: &str) -> Result<Option<Value>, ArangoError> {
        Ok(["people/ada", "people/béla"]
            .contains(&id)
            .then(|| Value::from_json(serde_json::json!({ "_id": id }))))
    }

    fn collection_count(&mut self, name: &str) -> Result<i64, ArangoError> {
        if name == "people" {
            Ok(2)
        } else {
            Err(ArangoError::data_source_not_found(name))
        }
    }

    fn collections(&mut self) -> Result<Vec<(String, String)>, ArangoError> {
        Ok(vec![("7".to_owned(), "people".to_owned())])
    }

    fn schema(&mut self, _: &str) -> Result<Value, ArangoError> {
        Ok(Value::Null)
    }

    fn analyzer(&mut self, name: &str) -> Result<Option<Value>, ArangoError> {
        Ok(self.analyzers.get(name).cloned())
    }

    fn now_millis(&self) -> i64 {
        1_750_000_000_000
    }

    fn user(&self) -> Option<String> {
        Some("ada".to_owned())
    }

    fn database(&self) -> String {
        "books".to_owned()
    }

    fn version(&self) -> String {
        "3.12.10".to_owned()
    }

    fn sleep(&mut self, _: Duration) -> Result<(), ArangoError> {
        Ok(())
    }

    fn check_killed(&self) -> Result<(), ArangoError> {
        Ok(())
    }

    fn charge(&mut self, bytes: usize) -> Result<(), ArangoError> {
        // What was charged is given back at once, so that each charge must stand for a whole.
        match self.limit {
            Some(limit) if bytes > limit => Err(ArangoError::new(
                32,
                "query would use more memory than allowed",
            )),
            _ => Ok(()),
        }
    }
}

impl Query {
    fn call(&mut self, name: &str, args: &[Value]) -> Result<Value, ArangoError> {
        let function = resolve(name, args.len())?;
        (function.eval)(&mut Context { host: self }, args)
    }
}
