//! Which plane to split by.

use crate::geom::{Plane, Polygon, Side};

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

/// The plane of a piece that divides all pieces best: few cuts first, then balance, then input order.
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
    distinct.into_iter().step_by(step).min_by_key(|plane| cost(pieces, plane))
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
