//! Points on the globe that an analyzer reads in another form than the geo functions do.

use super::{Context, local};
use crate::engine::plan::expression::{Ex, VarId};
use crate::error::ArangoError;
use crate::functions;
use crate::value::{Object, Value};

/// The document as an expression is to see it: with a `geopoint` analyzer, the latitudes and longitudes of the fields that the
/// expression reads are points of longitude and latitude.
pub(super) fn read(
    document: Value,
    ex: &Ex,
    variable: VarId,
    analyzer: &str,
    context: &mut Context<'_, '_>,
) -> Result<Value, ArangoError> {
    let Some(definition) = functions::Host::analyzer(context.run, local(analyzer))? else {
        return Ok(document);
    };
    if definition.get("type").as_str() != Some("geopoint") {
        return Ok(document);
    }
    let properties = definition.get("properties");
    let mut read = document;
    ex.walk(&mut |ex| {
        if let Some((id, path)) = ex.attribute_path()
            && id == variable
            && !path.is_empty()
        {
            read = with_point(&read, &path, &properties);
        }
    });
    Ok(read)
}

/// The document with the latitude and longitude at the path as a point of longitude and latitude.
fn with_point(document: &Value, path: &[&str], properties: &Value) -> Value {
    let Some((first, rest)) = path.split_first() else {
        let (latitude, longitude) = match document {
            Value::Array(_) => (document.at(0), document.at(1)),
            _ => (
                reach(document, &properties.get("latitude")),
                reach(document, &properties.get("longitude")),
            ),
        };
        return Value::array(vec![longitude, latitude]);
    };
    match document.as_object() {
        Some(object) if object.contains(first) => {
            let mut changed: Object = object.clone();
            changed.insert(*first, with_point(&document.get(first), rest, properties));
            Value::object(changed)
        }
        _ => document.clone(),
    }
}

/// The value at a path of names.
fn reach(value: &Value, path: &Value) -> Value {
    let mut value = value.clone();
    for step in path.as_array().unwrap_or_default() {
        value = value.get(&step.to_text());
    }
    value
}
