//! Whether shapes contain, meet or equal each other.

use super::shape::Shape;
use super::sphere::{Vector, arcs_cross, arcs_meet, on_arc, ring_contains};

/// Whether a polygon has a point inside: in its outer ring and in none of its holes.
fn polygon_contains(rings: &[Vec<Vector>], point: Vector) -> bool {
    let mut rings = rings.iter();
    let inside = rings
        .next()
        .is_some_and(|outer| ring_contains(outer, point));
    inside && !rings.any(|hole| ring_contains(hole, point) && !on_edge(hole, point))
}

fn on_edge(ring: &[Vector], point: Vector) -> bool {
    super::sphere::edges(ring).any(|edge| on_arc(point, edge))
}

/// Whether any part of a shape has the point.
fn covers(shape: &Shape, point: Vector) -> bool {
    shape.points.iter().any(|other| other.is_near(point))
        || shape
            .polygons
            .iter()
            .any(|rings| polygon_contains(rings, point))
        || shape.all_edges().any(|edge| on_arc(point, edge))
}

/// Whether the first shape has all of the second.
pub(super) fn contains(outer: &Shape, inner: &Shape) -> bool {
    let corners = inner.corners().all(|corner| covers(outer, corner));
    if !corners {
        return false;
    }
    // An edge between two inner points may still leave through an edge or around a hole.
    let leaves = inner
        .all_edges()
        .any(|edge| outer.ring_edges().any(|other| arcs_cross(edge, other)));
    let middles = inner
        .all_edges()
        .all(|(from, to)| match from.plus(to).normalized() {
            Some(middle) => covers(outer, middle),
            None => true,
        });
    let hole_inside = !inner.polygons.is_empty()
        && outer
            .polygons
            .iter()
            .flat_map(|rings| rings.iter().skip(1))
            .flatten()
            .any(|corner| {
                inner.polygons.iter().any(|rings| {
                    polygon_contains(rings, *corner)
                        && !rings.iter().any(|ring| on_edge(ring, *corner))
                })
            });
    !leaves && middles && !hole_inside
}

/// Whether the shapes have a point in common.
pub(super) fn intersects(left: &Shape, right: &Shape) -> bool {
    left.corners().any(|corner| covers(right, corner))
        || right.corners().any(|corner| covers(left, corner))
        || left
            .all_edges()
            .any(|edge| right.all_edges().any(|other| arcs_meet(edge, other)))
}

/// Whether the shapes have the same corners in the same order, rings from any corner and in either direction.
pub(super) fn equals(left: &Shape, right: &Shape) -> bool {
    let same = |left: &[Vector], right: &[Vector]| {
        left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.is_near(*b))
    };
    left.lines.len() == right.lines.len()
        && left.polygons.len() == right.polygons.len()
        && same(&left.points, &right.points)
        && left.lines.iter().zip(&right.lines).all(|(a, b)| same(a, b))
        && left
            .polygons
            .iter()
            .zip(&right.polygons)
            .all(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_ring(a, b)))
}

fn same_ring(left: &[Vector], right: &[Vector]) -> bool {
    let Some(first) = left.first() else {
        return right.is_empty();
    };
    if left.len() != right.len() {
        return false;
    }
    let starts = right
        .iter()
        .enumerate()
        .filter(|(_, corner)| corner.is_near(*first))
        .map(|(at, _)| at);
    for start in starts {
        let forwards = right.iter().cycle().skip(start);
        let backwards = right.iter().rev().cycle().skip(right.len() - 1 - start);
        if left.iter().zip(forwards).all(|(a, b)| a.is_near(*b))
            || left.iter().zip(backwards).all(|(a, b)| a.is_near(*b))
        {
            return true;
        }
    }
    false
}
