//! `/_api/user`: users and their grants.

use axum::http::Method;

use crate::error::{ArangoError, number};
use crate::http::reply::{Reply, fields};
use crate::http::request::Call;
use crate::storage::{Level, User};
use crate::value::{Object, Value};

pub(super) fn answer(call: &Call, path: &[&str]) -> Result<Reply, ArangoError> {
    let is_own = path.first() == Some(&call.user.name.as_str()) && call.method == Method::GET;
    if !is_own {
        call.require_administrator()?;
    }
    match (&call.method, path) {
        (&Method::GET, []) => {
            let users = call
                .app
                .store
                .users()
                .iter()
                .map(|user| Value::object(describe(user)))
                .collect();
            Ok(Reply::result(200, Value::array(users)))
        }
        (&Method::POST, []) => create(call),
        (&Method::GET, [name]) => Ok(Reply::code_last(200, describe(&*find(call, name)?))),
        (&Method::PUT | &Method::PATCH, [name]) => change(call, name),
        (&Method::DELETE, [name]) => {
            call.app.store.drop_user(name)?;
            Ok(Reply::first(202, Object::default()))
        }
        (_, [name, "database", rest @ ..]) => grants(call, name, rest),
        (_, [] | [_]) => Err(call.wrong_method()),
        _ => Err(call.unknown_path()),
    }
}

fn find(call: &Call, name: &str) -> Result<std::sync::Arc<User>, ArangoError> {
    call.app
        .store
        .user(name)
        .ok_or_else(|| ArangoError::new(number::USER_NOT_FOUND, "user not found"))
}

fn describe(user: &User) -> Object {
    fields([
        ("user", Value::string(&user.name)),
        ("active", Value::Bool(user.active)),
        ("extra", Value::object(user.extra.clone())),
    ])
}

fn create(call: &Call) -> Result<Reply, ArangoError> {
    let body = call.json_object()?;
    let name = body.get("user");
    let name = name
        .as_str()
        .filter(|name| !name.is_empty())
        .ok_or_else(|| ArangoError::new(number::USER_INVALID_NAME, "invalid user name"))?;
    if call.app.store.user(name).is_some() {
        return Err(ArangoError::new(number::USER_DUPLICATE, "duplicate user"));
    }
    let mut user = User::new(name, body.get("passwd").as_str().unwrap_or_default());
    apply(&mut user, &body);
    let reply = Reply::code_last(201, describe(&user));
    call.app.store.put_user(user);
    Ok(reply)
}

fn change(call: &Call, name: &str) -> Result<Reply, ArangoError> {
    let body = call.json_object()?;
    let user = call.app.store.alter_user(name, |user| {
        if let Some(password) = body.get("passwd").as_str() {
            user.set_password(password);
        }
        apply(user, &body);
    })?;
    Ok(Reply::code_last(200, describe(&user)))
}

fn apply(user: &mut User, body: &Value) {
    user.active = body.get("active").as_bool().unwrap_or(user.active);
    if let Value::Object(extra) = body.get("extra") {
        user.extra = (*extra).clone();
    }
}

fn grants(call: &Call, name: &str, path: &[&str]) -> Result<Reply, ArangoError> {
    let user = find(call, name)?;
    match (&call.method, path) {
        (&Method::GET, []) => Ok(Reply::result(200, databases(call, &user))),
        (&Method::GET, [database]) => Ok(Reply::result(
            200,
            Value::string(user.database_level(database).name()),
        )),
        (&Method::GET, [database, collection]) => Ok(Reply::result(
            200,
            Value::string(user.collection_level(database, collection).name()),
        )),
        (&Method::PUT, [database]) => {
            let level = level(call)?;
            call.app
                .store
                .alter_user(name, |user| user.grant_database(database, level))?;
            Ok(Reply::first(
                200,
                fields([(database, Value::string(level.name()))]),
            ))
        }
        (&Method::PUT, [database, collection]) => {
            let level = level(call)?;
            call.app.store.alter_user(name, |user| {
                user.grant_collection(database, collection, level)
            })?;
            Ok(Reply::first(
                200,
                fields([(
                    &format!("{database}/{collection}"),
                    Value::string(level.name()),
                )]),
            ))
        }
        (&Method::DELETE, [database]) => {
            call.app.store.alter_user(name, |user| {
                user.grants.remove(*database);
            })?;
            Ok(Reply::first(202, Object::default()))
        }
        (&Method::DELETE, [database, collection]) => {
            call.app.store.alter_user(name, |user| {
                if let Some(grant) = user.grants.get_mut(*database) {
                    grant.collections.remove(*collection);
                }
            })?;
            Ok(Reply::first(202, Object::default()))
        }
        _ => Err(call.wrong_method()),
    }
}

fn level(call: &Call) -> Result<Level, ArangoError> {
    let body = call.json_object()?;
    let grant = body.get("grant");
    let level = grant.as_str().and_then(Level::parse);
    level.ok_or_else(|| {
        ArangoError::bad_request("expecting `grant` to be \"none\", \"ro\" or \"rw\"")
    })
}

/// Levels by database; with `full=true` also by collection.
fn databases(call: &Call, user: &User) -> Value {
    let full = call.flag("full") == Some(true);
    let mut out = Object::default();
    for name in call.app.store.database_names() {
        let level = user.database_level(&name);
        if !full {
            if level > Level::None {
                out.insert(name, Value::string(level.name()));
            }
            continue;
        }
        let given = user.grants.get(&name);
        let shown = |collection: &str| {
            let level = given.and_then(|grant| grant.collections.get(collection));
            Value::string(level.map_or("undefined", |level| level.name()))
        };
        let mut collections = Object::default();
        if let Ok(database) = call.app.store.database(&name) {
            for collection in database.snapshot().collections() {
                collections.insert(&*collection.meta().name, shown(&collection.meta().name));
            }
        }
        collections.insert("*", shown("*"));
        let entry = fields([
            ("permission", Value::string(level.name())),
            ("collections", Value::object(collections)),
        ]);
        out.insert(name, Value::object(entry));
    }
    if full {
        let level = user
            .grants
            .get("*")
            .and_then(|grant| grant.database)
            .unwrap_or(Level::None);
        out.insert(
            "*",
            Value::object(fields([("permission", Value::string(level.name()))])),
        );
    }
    Value::object(out)
}
