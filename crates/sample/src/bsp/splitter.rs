//! Which plane to split by.

use crate::geom::{Plane, Polygon, Side};
use glam::DVec3;

/// A part of an input polygon that reached some node.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    /// Index of the input polygon.
    pub(super) source: usize,
    /// What of it lies in the node's space.
    pub(super) polygon: Polygon,
}

/// Planes are compared on at most this many candidates; more do not make better trees.
const CANDIDATES: usize = 40;

/// A cut costs as much as this much imbalance.
const CUT_COST: usize = 4;

/// From this many pieces on a plane of no piece may divide them; fewer are better off with their own planes.
const CROWD: usize = 24;

/// What such a plane costs more than one that disposes of a piece.
const FOREIGN_COST: usize = 8;

/// The plane that divides the pieces best: few cuts first, then balance, then input order. Usually one of their own;
/// in a crowd that none of them divides, such as a dome, a plane through its middle.
pub(super) fn best_splitter(pieces: &[Piece], planes: &[Plane]) -> Option<Plane> {
    let mut candidates: Vec<usize> = pieces.iter().map(|p| p.source).collect();
    candidates.sort_unstable();
    candidates.dedup();
    let mut distinct: Vec<Plane> = Vec::new();
    for source in candidates {
        let plane = planes[source];
        let near = plane.normal * -plane.d;
        if !distinct.iter().any(|p| p.coincides(&plane, near) || p.flipped().coincides(&plane, near)) {
            distinct.push(plane);
        }
    }
    let step = distinct.len().div_ceil(CANDIDATES).max(1);
    let own = distinct.into_iter().step_by(step).map(|plane| (cost(pieces, &plane), plane));
    let foreign = middles(pieces).into_iter().map(|plane| (cost(pieces, &plane) + FOREIGN_COST, plane));
    own.chain(foreign).min_by_key(|(cost, _)| *cost).map(|(_, plane)| plane)
}

/// Planes at right angles to the axes that have as many pieces in front as behind.
fn middles(pieces: &[Piece]) -> Vec<Plane> {
    if pieces.len() < CROWD {
        return Vec::new();
    }
    let middle = |axis: DVec3| {
        let mut along: Vec<f64> = pieces.iter().map(|p| p.polygon.center().dot(axis)).collect();
        along.sort_unstable_by(f64::total_cmp);
        Plane { normal: axis, d: -along[along.len() / 2] }
    };
    let divides = |plane: &Plane| {
        let side =
            |wanted: fn(f64) -> bool| pieces.iter().any(|p| wanted(plane.distance(p.polygon.center())));
        side(|t| t > 0.1) && side(|t| t < -0.1)
    };
    [DVec3::X, DVec3::Y, DVec3::Z].map(middle).into_iter().filter(divides).collect()
}

fn cost(pieces: &[Piece], plane: &Plane) -> usize {
    let (mut front, mut back, mut cut) = (0usize, 0usize, 0usize);
    for piece in pieces {
        match piece.polygon.side(plane) {
            Side::Front => front += 1,
            Side::Back => back += 1,
            Side::Across => cut += 1,
            Side::On => {}
        }
    }
    cut * CUT_COST + front.abs_diff(back)
}

/// Pieces sorted by a plane.
#[derive(Default)]
pub(super) struct Divided {
    pub(super) front: Vec<Piece>,
    pub(super) back: Vec<Piece>,
    /// In the plane, facing as it does.
    pub(super) along: Vec<Piece>,
    /// In the plane, facing the other way.
    pub(super) against: Vec<Piece>,
}

pub(super) fn divide(pieces: Vec<Piece>, plane: &Plane, planes: &[Plane]) -> Divided {
    let mut out = Divided::default();
    for piece in pieces {
        match piece.polygon.side(plane) {
            Side::Front => out.front.push(piece),
            Side::Back => out.back.push(piece),
            Side::On if planes[piece.source].normal.dot(plane.normal) > 0.0 => out.along.push(piece),
            Side::On => out.against.push(piece),
            Side::Across => {
                let (front, back) = piece.polygon.split(plane);
                out.front.extend(front.map(|polygon| Piece { source: piece.source, polygon }));
                out.back.extend(back.map(|polygon| Piece { source: piece.source, polygon }));
            }
        }
    }
    out
}
