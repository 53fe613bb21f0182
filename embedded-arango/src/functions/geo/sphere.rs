//! Points, arcs and rings on the unit sphere.

use std::f64::consts::{PI, TAU};

/// A place in degrees.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    pub(super) longitude: f64,
    pub(super) latitude: f64,
}

/// A point of the unit sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Vector {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) z: f64,
}

/// Points nearer than this (about 6 micrometres on the ground) are one: what degrees lose on their way through sines.
const SAME: f64 = 1e-12;

impl Position {
    pub(super) fn new(longitude: f64, latitude: f64) -> Self {
        Self {
            longitude,
            latitude: latitude.clamp(-90.0, 90.0),
        }
    }

    pub(super) fn vector(self) -> Vector {
        let (latitude, longitude) = (self.latitude.to_radians(), self.longitude.to_radians());
        Vector {
            x: latitude.cos() * longitude.cos(),
            y: latitude.cos() * longitude.sin(),
            z: latitude.sin(),
        }
    }
}

impl Vector {
    pub(super) const ZERO: Self = Self {
        x: 0.0,
        y: 0.0,
        z: 0.0,
    };

    pub(super) fn dot(self, other: Self) -> f64 {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    fn cross(self, other: Self) -> Self {
        Self {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }

    pub(super) fn times(self, factor: f64) -> Self {
        Self {
            x: self.x * factor,
            y: self.y * factor,
            z: self.z * factor,
        }
    }

    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }

    /// The point of the sphere in this direction, or `None` where there is no direction.
    pub(super) fn normalized(self) -> Option<Self> {
        let length = self.length();
        (length > 1e-15 && length.is_finite()).then(|| self.times(1.0 / length))
    }

    /// The angle between two points, in radians; exact also for near ones.
    pub(super) fn angle(self, other: Self) -> f64 {
        self.cross(other).length().atan2(self.dot(other))
    }

    pub(super) fn position(self) -> Position {
        Position {
            longitude: self.y.atan2(self.x).to_degrees(),
            latitude: self.z.atan2(self.x.hypot(self.y)).to_degrees(),
        }
    }

    pub(super) fn is_near(self, other: Self) -> bool {
        self.angle(other) < SAME
    }
}

/// Whether a point lies on the arc between two others.
pub(super) fn on_arc(point: Vector, (from, to): (Vector, Vector)) -> bool {
    (from.angle(point) + point.angle(to) - from.angle(to)).abs() < SAME
}

/// Whether two arcs meet, at a point inside both or at an end.
pub(super) fn arcs_meet(left: (Vector, Vector), right: (Vector, Vector)) -> bool {
    arcs_cross(left, right)
        || on_arc(left.0, right)
        || on_arc(left.1, right)
        || on_arc(right.0, left)
        || on_arc(right.1, left)
}

/// Whether two arcs cross at a point inside both.
pub(super) fn arcs_cross((a, b): (Vector, Vector), (c, d): (Vector, Vector)) -> bool {
    let side = |from: Vector, to: Vector, point: Vector| from.cross(to).dot(point);
    let (abc, abd) = (side(a, b, c), side(a, b, d));
    let (cda, cdb) = (side(c, d, a), side(c, d, b));
    // Both straddle the other's great circle, and on the same side of the earth.
    abc * abd < 0.0 && cda * cdb < 0.0 && abc * cdb > 0.0
}

/// The edges of a ring that does not repeat its first corner.
pub(super) fn edges(ring: &[Vector]) -> impl Iterator<Item = (Vector, Vector)> + '_ {
    ring.iter()
        .copied()
        .zip(ring.iter().copied().cycle().skip(1))
}

/// Whether a ring, whose inside is the smaller part of the sphere, has a point inside or on its edge.
pub(super) fn ring_contains(ring: &[Vector], point: Vector) -> bool {
    if edges(ring).any(|edge| on_arc(point, edge)) {
        return true;
    }
    let centre = ring
        .iter()
        .fold(Vector::ZERO, |sum, corner| sum.plus(*corner));
    // The way around the opposite point winds as well, but a ring fits in the hemisphere around its centre.
    if centre.dot(point) <= 0.0 {
        return false;
    }
    winding(ring, point).abs() > PI
}

/// The angle by which a ring turns around a point.
fn winding(ring: &[Vector], point: Vector) -> f64 {
    edges(ring)
        .map(|(from, to)| {
            // Directions from the point, in the plane that touches the sphere there.
            let (from, to) = (point.cross(from), point.cross(to));
            from.cross(to).dot(point).atan2(from.dot(to))
        })
        .sum()
}

/// The area of the smaller part that a ring encloses, in units of the squared radius.
pub(super) fn ring_area(ring: &[Vector]) -> f64 {
    let Some(first) = ring.first() else {
        return 0.0;
    };
    let fan = ring.iter().skip(1).zip(ring.iter().skip(2));
    let area = fan
        .map(|(second, third)| triangle(*first, *second, *third))
        .sum::<f64>()
        .abs()
        % (2.0 * TAU);
    area.min(2.0 * TAU - area)
}

/// The signed area of a triangle.
fn triangle(a: Vector, b: Vector, c: Vector) -> f64 {
    2.0 * a
        .dot(b.cross(c))
        .atan2(1.0 + a.dot(b) + b.dot(c) + c.dot(a))
}
