//! A bridge of stone with three arches, walked on as any static object.

use super::{props::slab, skins::Skins};
use crate::{geom::Convex, material::Skin, mesh::Mesh};
use glam::DVec3;

/// Half the length and half the width of the deck.
pub(super) const HALF_LENGTH: f64 = 27.0;
const HALF_WIDTH: f64 = 2.6;

/// A bridge along x over its origin; `west` and `east` are the heights of its ends, `crown` that of its middle.
pub(super) fn bridge(s: &Skins, west: f64, crown: f64, east: f64) -> Mesh {
    let mut mesh = Mesh::default();
    // The deck rises and falls in straight pieces; each is a block with slanting top and bottom.
    let knots = [
        (-HALF_LENGTH, west - 0.1),
        (-16.0, crown - 0.6),
        (-6.0, crown),
        (6.0, crown),
        (16.0, crown - 0.6),
        (HALF_LENGTH, east - 0.1),
    ];
    for pair in knots.windows(2) {
        let [(x0, z0), (x1, z1)] = [pair[0], pair[1]];
        mesh.solid(beam((x0, z0 - 1.2, z0), (x1, z1 - 1.2, z1), HALF_WIDTH, s.flagstone));
        for side in [-1.0, 1.0] {
            let rail = beam((x0, z0 - 1.3, z0 + 0.9), (x1, z1 - 1.3, z1 + 0.9), 0.2, s.stone);
            mesh.solid(rail.moved(glam::DMat3::IDENTITY, DVec3::Y * (side * (HALF_WIDTH + 0.2))));
        }
    }
    // Piers stand in the river bed.
    for x in [-11.0, 0.0, 11.0] {
        mesh.solid(slab((x - 1.2, -HALF_WIDTH, crown - 14.0), (x + 1.2, HALF_WIDTH, crown - 1.0), s.stone));
    }
    mesh
}

/// A block along x between two uprights given as (x, bottom, top).
fn beam((x0, b0, t0): (f64, f64, f64), (x1, b1, t1): (f64, f64, f64), half: f64, skin: Skin) -> Convex<Skin> {
    let quad = |z0: f64, z1: f64| {
        [(x0, -half, z0), (x1, -half, z1), (x1, half, z1), (x0, half, z0)].map(DVec3::from)
    };
    Convex::between(&quad(b0, b1), &quad(t0, t1), skin)
}
