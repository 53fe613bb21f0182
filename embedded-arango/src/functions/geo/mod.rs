//! Geography: GeoJSON shapes on a sphere, or distances and areas on an ellipsoid.
//!
//! Edges are arcs of great circles, as in the server's index library. A polygon's inside is the smaller of the two parts
//! into which its ring divides the sphere, whatever the ring's direction; a ring that no hemisphere holds is refused
//! with a warning, as is every value that is no shape. Positions are `[longitude, latitude]` in degrees.

mod construct;
mod relate;
mod shape;
mod sphere;

use geographiclib_rs::{Geodesic, InverseGeodesic as _, PolygonArea, Winding};

use super::arguments::{arg, flag};
use super::{Context, Function, messages, pure};
use crate::error::ArangoError;
use crate::value::Value;
use shape::Shape;
use sphere::{Position, Vector};

type Outcome = Result<Value, ArangoError>;

pub(super) const TABLE: &[Function] = &[
    pure("DISTANCE", 4, 4, distance_of_degrees),
    pure("GEO_AREA", 1, 2, area),
    pure("GEO_CONTAINS", 2, 2, |ctx, args| {
        relation(ctx, args, "GEO_CONTAINS", relate::contains)
    }),
    pure("GEO_DISTANCE", 2, 3, |ctx, args| {
        Ok(distance(ctx, args, "GEO_DISTANCE", arg(args, 2))?
            .map_or(Value::Null, Value::from_f64_narrow))
    }),
    pure("GEO_EQUALS", 2, 2, |ctx, args| {
        relation(ctx, args, "GEO_EQUALS", relate::equals)
    }),
    pure("GEO_INTERSECTS", 2, 2, |ctx, args| {
        relation(ctx, args, "GEO_INTERSECTS", relate::intersects)
    }),
    pure("GEO_IN_RANGE", 4, 7, in_range),
    pure("GEO_LINESTRING", 1, 1, construct::line),
    pure("GEO_MULTILINESTRING", 1, 1, construct::lines),
    pure("GEO_MULTIPOINT", 1, 1, construct::points),
    pure("GEO_MULTIPOLYGON", 1, 1, construct::polygons),
    pure("GEO_POINT", 2, 3, construct::point),
    pure("GEO_POLYGON", 1, 1, construct::polygon),
    pure("IS_IN_POLYGON", 2, 3, is_in_polygon),
];

/// The mean radius of the earth that the server counts with, in metres.
const RADIUS: f64 = 6_371_000.0;

/// No relation compares more pairs of edges than this.
const MOST_PAIRS: usize = 10_000_000;

/// The ellipsoid of a name; any other name is the sphere.
fn ellipsoid(name: &Value) -> Option<Geodesic> {
    match name.as_str() {
        Some("wgs84") => Some(Geodesic::wgs84()),
        Some("grs80") => Some(Geodesic::new(6_378_137.0, 1.0 / 298.257_222_101)),
        _ => None,
    }
}

fn distance_of_degrees(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let numbers: Option<Vec<f64>> = args.iter().map(Value::as_f64).collect();
    let Some([from_latitude, from_longitude, to_latitude, to_longitude]) = numbers.as_deref()
    else {
        return ctx.invalid("DISTANCE");
    };
    let (from, to) = (
        Position::new(*from_longitude, *from_latitude),
        Position::new(*to_longitude, *to_latitude),
    );
    Ok(Value::from_f64_narrow(
        from.vector().angle(to.vector()) * RADIUS,
    ))
}

fn shape(ctx: &mut Context<'_>, value: &Value, name: &str) -> Result<Option<Shape>, ArangoError> {
    let shape = shape::read(value);
    if shape.is_none() {
        ctx.invalid(name)?;
    }
    Ok(shape)
}

/// Metres between the centres of two shapes, or `None` after a warning.
fn distance(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    on: &Value,
) -> Result<Option<f64>, ArangoError> {
    let Some(left) = shape(ctx, arg(args, 0), name)? else {
        return Ok(None);
    };
    let Some(right) = shape(ctx, arg(args, 1), name)? else {
        return Ok(None);
    };
    let (left, right) = (left.centre(), right.centre());
    Ok(Some(match ellipsoid(on) {
        None => left.angle(right) * RADIUS,
        Some(geodesic) => {
            let (left, right) = (left.position(), right.position());
            geodesic.inverse(
                left.latitude,
                left.longitude,
                right.latitude,
                right.longitude,
            )
        }
    }))
}

fn in_range(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "GEO_IN_RANGE";
    let (Some(low), Some(high)) = (arg(args, 2).as_f64(), arg(args, 3).as_f64()) else {
        return ctx.invalid(NAME);
    };
    let include = |at: usize| args.get(at).is_none_or(Value::is_true);
    let Some(metres) = distance(ctx, args, NAME, arg(args, 6))? else {
        return Ok(Value::Null);
    };
    let above = if include(4) {
        metres >= low
    } else {
        metres > low
    };
    let below = if include(5) {
        metres <= high
    } else {
        metres < high
    };
    Ok(Value::Bool(above && below))
}

fn relation(
    ctx: &mut Context<'_>,
    args: &[Value],
    name: &str,
    holds: fn(&Shape, &Shape) -> bool,
) -> Outcome {
    let Some(left) = shape(ctx, arg(args, 0), name)? else {
        return Ok(Value::Null);
    };
    let Some(right) = shape(ctx, arg(args, 1), name)? else {
        return Ok(Value::Null);
    };
    if left.size().saturating_mul(right.size()) > MOST_PAIRS {
        return Err(messages::too_large(name));
    }
    Ok(Value::Bool(holds(&left, &right)))
}

fn area(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    let Some(shape) = shape(ctx, arg(args, 0), "GEO_AREA")? else {
        return Ok(Value::Null);
    };
    let geodesic = ellipsoid(arg(args, 1));
    let ring_area = |ring: &[Vector]| match &geodesic {
        None => sphere::ring_area(ring) * RADIUS * RADIUS,
        Some(geodesic) => {
            let mut area = PolygonArea::new(geodesic, Winding::CounterClockwise);
            for corner in ring {
                let position = corner.position();
                area.add_point(position.latitude, position.longitude);
            }
            let (_, square_metres, _) = area.compute(true);
            square_metres.abs()
        }
    };
    let polygon_area = |rings: &Vec<Vec<Vector>>| {
        let holes: f64 = rings.iter().skip(1).map(|ring| ring_area(ring)).sum();
        rings.first().map_or(0.0, |ring| ring_area(ring)) - holes
    };
    Ok(Value::from_f64_narrow(
        shape.polygons.iter().map(polygon_area).sum(),
    ))
}

/// Coordinates are `[latitude, longitude]` unless the last argument of the short form says otherwise.
fn is_in_polygon(ctx: &mut Context<'_>, args: &[Value]) -> Outcome {
    const NAME: &str = "IS_IN_POLYGON";
    let pair = |value: &Value, swapped: bool| {
        let (first, second) = (value.at(0).as_f64()?, value.at(1).as_f64()?);
        let (latitude, longitude) = if swapped {
            (second, first)
        } else {
            (first, second)
        };
        Some(Position::new(longitude, latitude).vector())
    };
    let by_array = arg(args, 1).as_array().is_some();
    let swapped = by_array && flag(args, 2);
    let point = if by_array {
        pair(arg(args, 1), swapped)
    } else {
        pair(
            &Value::array(vec![arg(args, 1).clone(), arg(args, 2).clone()]),
            false,
        )
    };
    let ring: Option<Vec<Vector>> = arg(args, 0)
        .as_array()
        .and_then(|items| items.iter().map(|item| pair(item, swapped)).collect());
    match (point, ring.and_then(shape::closed)) {
        (Some(point), Some(ring)) => Ok(Value::Bool(sphere::ring_contains(&ring, point))),
        _ => ctx.invalid(NAME),
    }
}
