//! `/_api/database`: list, create, drop.

use axum::http::Method;

use crate::error::ArangoError;
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Level, User};
use crate::value::Value;

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    match (&call.method, path) {
        (&Method::GET, []) => {
            call.require_administrator()?;
            Ok(Reply::result(200, names(&call.app.store.database_names())))
        }
        (&Method::GET, ["user"]) => {
            let mut all = call.app.store.database_names();
            all.retain(|name| call.user.database_level(name) > Level::None);
            Ok(Reply::result(200, names(&all)))
        }
        (&Method::GET, ["current"]) => Ok(Reply::result(200, current(call))),
        (&Method::POST, []) => create(call),
        (&Method::DELETE, [name]) => {
            call.require_administrator()?;
            call.app.store.drop_database(name)?;
            Ok(Reply::result(200, Value::Bool(true)))
        }
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn current(call: &Call) -> Value {
    Value::object(fields([
        ("id", Value::from(call.database.id().to_string())),
        ("name", Value::string(call.database.name())),
        ("isSystem", Value::Bool(call.database.name() == "_system")),
        ("path", Value::string("none")),
    ]))
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    call.require_administrator()?;
    let body = call.json_object()?;
    let name = body.get("name");
    call.app
        .store
        .create_database(name.as_str().unwrap_or_default())?;
    let name = name.to_text();
    for given in body.get("users").as_array().unwrap_or_default() {
        let login = match given.get("username") {
            Value::String(login) => login,
            _ => given.get("user").to_text().into(),
        };
        if login.is_empty() {
            continue;
        }
        let mut user = match call.app.store.user(&login) {
            Some(user) => (*user).clone(),
            None => User::new(&login, given.get("passwd").as_str().unwrap_or_default()),
        };
        user.active = given.get("active").as_bool().unwrap_or(user.active);
        user.grant_database(&name, Level::ReadWrite);
        call.app.store.put_user(user);
    }
    Ok(Reply::result(201, Value::Bool(true)))
}

fn names(names: &[String]) -> Value {
    Value::array(names.iter().map(Value::string).collect())
}
