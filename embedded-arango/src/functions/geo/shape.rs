//! Reading shapes: GeoJSON objects, or `[longitude, latitude]` for a point.

use super::sphere::{Position, Vector, edges};
use crate::value::Value;

/// A set of points, lines and polygons; a polygon is its outer ring and its holes, none repeating its first corner.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    pub(super) points: Vec<Vector>,
    pub(super) lines: Vec<Vec<Vector>>,
    pub(super) polygons: Vec<Vec<Vec<Vector>>>,
}

impl Shape {
    /// How many corners it has.
    pub(super) fn size(&self) -> usize {
        let lines = self.lines.iter().map(Vec::len).sum::<usize>();
        self.points.len() + lines + self.polygons.iter().flatten().map(Vec::len).sum::<usize>()
    }

    /// All corners.
    pub(super) fn corners(&self) -> impl Iterator<Item = Vector> + '_ {
        let lines = self.lines.iter().flatten();
        self.points
            .iter()
            .chain(lines)
            .chain(self.polygons.iter().flatten().flatten())
            .copied()
    }

    /// All edges, of lines and of rings.
    pub(super) fn all_edges(&self) -> impl Iterator<Item = (Vector, Vector)> + '_ {
        let lines = self
            .lines
            .iter()
            .flat_map(|line| line.iter().copied().zip(line.iter().copied().skip(1)));
        lines.chain(self.ring_edges())
    }

    /// The edges of the polygons.
    pub(super) fn ring_edges(&self) -> impl Iterator<Item = (Vector, Vector)> + '_ {
        self.polygons.iter().flatten().flat_map(|ring| edges(ring))
    }

    /// The centre of gravity: of areas, else of lengths, else of points.
    pub(super) fn centre(&self) -> Vector {
        let mut sum = Vector::ZERO;
        for rings in &self.polygons {
            for (at, ring) in rings.iter().enumerate() {
                sum = sum.plus(ring_moment(ring).times(if at == 0 { 1.0 } else { -1.0 }));
            }
        }
        if self.polygons.is_empty() {
            for (from, to) in self.all_edges() {
                sum = sum.plus(from.plus(to).times(from.angle(to)));
            }
        }
        if self.polygons.is_empty() && self.lines.is_empty() {
            sum = self.points.iter().fold(sum, |sum, point| sum.plus(*point));
        }
        let any = || self.corners().fold(Vector::ZERO, Vector::plus).normalized();
        sum.normalized()
            .or_else(any)
            .or_else(|| self.corners().next())
            .unwrap_or(Vector {
                x: 1.0,
                y: 0.0,
                z: 0.0,
            })
    }
}

/// The centroid of a ring times its area, by triangles around its middle, so that far rings keep their digits.
fn ring_moment(ring: &[Vector]) -> Vector {
    let Some(middle) = ring
        .iter()
        .fold(Vector::ZERO, |sum, corner| sum.plus(*corner))
        .normalized()
    else {
        return Vector::ZERO;
    };
    let mut moment = Vector::ZERO;
    let mut turn = 0.0;
    for (from, to) in edges(ring) {
        let part = super::sphere::ring_area(&[middle, from, to]);
        let way = signed(middle, from, to);
        turn += way * part;
        moment = moment.plus(middle.plus(from).plus(to).times(way * part));
    }
    moment.times(if turn < 0.0 { -1.0 } else { 1.0 })
}

fn signed(a: Vector, b: Vector, c: Vector) -> f64 {
    let normal = Vector {
        x: b.y * c.z - b.z * c.y,
        y: b.z * c.x - b.x * c.z,
        z: b.x * c.y - b.y * c.x,
    };
    a.dot(normal).signum()
}

/// The shape that a value is, or `None`.
pub(super) fn read(value: &Value) -> Option<Shape> {
    let mut shape = Shape::default();
    if value.as_array().is_some() {
        shape.points.push(point(value)?);
        return Some(shape);
    }
    let object = value.as_object()?;
    let kind = object.get("type")?.as_str()?;
    let coordinates = object.get("coordinates");
    match kind.to_ascii_lowercase().as_str() {
        "point" => shape.points.push(point(coordinates?)?),
        "multipoint" => shape.points = all(coordinates?, point)?,
        "linestring" => shape.lines.push(line(coordinates?)?),
        "multilinestring" => shape.lines = all(coordinates?, line)?,
        "polygon" => shape.polygons.push(all(coordinates?, ring)?),
        "multipolygon" => shape.polygons = all(coordinates?, |polygon| all(polygon, ring))?,
        // One level, as a collection in a collection is no longer GeoJSON.
        "geometrycollection" => {
            for part in object.get("geometries")?.as_array()? {
                if part.get("type").as_str() == Some("GeometryCollection") {
                    return None;
                }
                let part = read(part)?;
                shape.points.extend(part.points);
                shape.lines.extend(part.lines);
                shape.polygons.extend(part.polygons);
            }
        }
        _ => return None,
    }
    (shape.size() > 0).then_some(shape)
}

fn all<T>(value: &Value, read: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
    value
        .as_array()
        .filter(|items| !items.is_empty())?
        .iter()
        .map(read)
        .collect()
}

pub(super) fn point(value: &Value) -> Option<Vector> {
    match value.as_array()? {
        [longitude, latitude, ..] => {
            let (longitude, latitude) = (longitude.as_f64()?, latitude.as_f64()?);
            (longitude.abs() <= 1e9 && latitude.abs() <= 90.0)
                .then(|| Position::new(longitude, latitude).vector())
        }
        _ => None,
    }
}

pub(super) fn line(value: &Value) -> Option<Vec<Vector>> {
    all(value, point).filter(|corners| corners.len() >= 2)
}

pub(super) fn ring(value: &Value) -> Option<Vec<Vector>> {
    let corners = all(value, point).filter(|corners| corners.len() >= 4)?;
    let (first, last) = (corners.first()?, corners.last()?);
    if !first.is_near(*last) {
        return None;
    }
    closed(corners)
}

/// A ring of at least three corners that some hemisphere holds, its repeated corners dropped.
pub(super) fn closed(mut corners: Vec<Vector>) -> Option<Vec<Vector>> {
    corners.dedup_by(|next, corner| next.is_near(*corner));
    while corners.len() > 1
        && corners
            .first()
            .zip(corners.last())
            .is_some_and(|(first, last)| first.is_near(*last))
    {
        corners.pop();
    }
    let centre = corners
        .iter()
        .fold(Vector::ZERO, |sum, corner| sum.plus(*corner));
    (corners.len() >= 3 && corners.iter().all(|corner| centre.dot(*corner) > 0.0))
        .then_some(corners)
}
