//! Making GeoJSON objects from coordinates, checked.

use super::super::Context;
use super::super::arguments::arg;
use super::{Outcome, shape};
use crate::value::{Object, Value};

/// An object of a type, its coordinates as given.
fn made(kind: &str, coordinates: Value) -> Value {
    Value::object(
        [("type", Value::from(kind)), ("coordinates", coordinates)]
            .into_iter()
            .collect::<Object>(),
    )
}

/// Longitude and latitude, or both in one array.
pub(super) fn point(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let coordinates = args.to_vec();
    if coordinates.iter().all(Value::is_number) {
        Ok(made("Point", Value::array(coordinates)))
    } else {
        ctx.invalid("GEO_POINT")
    }
}

pub(super) fn points(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let items = arg(args, 0).as_array().unwrap_or_default();
    if items.len() >= 2 && items.iter().all(|item| shape::point(item).is_some()) {
        Ok(made("MultiPoint", arg(args, 0).clone()))
    } else {
        ctx.invalid("GEO_MULTIPOINT")
    }
}

pub(super) fn line(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    match shape::line(arg(args, 0)) {
        Some(_) => Ok(made("LineString", arg(args, 0).clone())),
        None => ctx.invalid("GEO_LINESTRING"),
    }
}

pub(super) fn lines(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let items = arg(args, 0).as_array().unwrap_or_default();
    if !items.is_empty() && items.iter().all(|item| shape::line(item).is_some()) {
        Ok(made("MultiLineString", arg(args, 0).clone()))
    } else {
        ctx.invalid("GEO_MULTILINESTRING")
    }
}

/// One ring, or an outer ring and its holes.
pub(super) fn polygon(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let given = arg(args, 0);
    // A ring's first item is a position, whose first item is a number.
    let single = given.at(0).at(0).is_number();
    let rings = if single {
        Value::array(vec![given.clone()])
    } else {
        given.clone()
    };
    if is_polygon(&rings) {
        Ok(made("Polygon", rings))
    } else {
        ctx.invalid("GEO_POLYGON")
    }
}

pub(super) fn polygons(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let items = arg(args, 0).as_array().unwrap_or_default();
    if !items.is_empty() && items.iter().all(is_polygon) {
        Ok(made("MultiPolygon", arg(args, 0).clone()))
    } else {
        ctx.invalid("GEO_MULTIPOLYGON")
    }
}

fn is_polygon(rings: &Value) -> bool {
    rings.as_array().is_some_and(|rings| {
        !rings.is_empty() && rings.iter().all(|ring| shape::ring(ring).is_some())
    })
}
