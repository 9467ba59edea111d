//! What must hold for ways through any world: an answer, an end, and legs that hold when they are walked again.

use super::{
    bytes::Bytes,
    sweep::{cells, changed},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_sim::{
    Walker,
    nav::{KeptMeshes, Nav, NavFile, Policy, Request, Surroundings, check_route},
};
use threshold_world::{BlockId, CellId, Frame, Library, Position};

const MAX_WAYS: usize = 2;
/// Bytes of a file of meshes that are changed.
const MAX_CHANGES: usize = 16;
/// Places of a block that are told apart: a part of a house, so that an input takes a moment.
const MAX_PLACES: usize = 300;
/// Sweeps of a slice of a mesh.
const SLICE: u64 = 500;

/// Meshes from a file that was written and then changed anywhere: refused, built again, or used without harm.
fn kept(nav: &Nav, around: &Surroundings<'_>, block: BlockId, data: &[u8]) {
    let mut file = nav.keep(around, 0);
    for change in data.chunks_exact(4).take(MAX_CHANGES) {
        let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % file.len();
        file[at] = change[3];
    }
    let Ok(kept) = KeptMeshes::read(file, nav.agent(), 0) else { return };
    let again = small(nav).with_kept(kept);
    for area in again.areas(around, block) {
        assert!(area.size().is_finite());
    }
    let Some(area) = again.areas(around, block).next() else { return };
    let place = Position::new(area.cell, Frame::at(area.low.extend(area.height)));
    let _ = again.reach(around, &place, &Policy::default());
}

/// Meshes of the same body, with few places.
fn small(nav: &Nav) -> Nav {
    Nav::new(nav.agent().clone()).with_limit(MAX_PLACES)
}

/// A mesh in slices is the mesh at once, for the work that it says.
fn slices(nav: &Nav, around: &Surroundings<'_>, block: BlockId) {
    let (whole, mut parts) = (small(nav), small(nav));
    let mut work = SLICE;
    let cost = loop {
        match parts.build_some(around, block, work) {
            Some(cost) => break cost,
            None => work += SLICE,
        }
        assert!(work < 1 << 24, "a mesh without an end");
    };
    assert!(cost <= work);
    assert_eq!(whole.mesh(around, block).len(), parts.mesh(around, block).len());
}

/// Ways between any places; and, of the same bytes, a route file.
pub(crate) fn nav(data: &[u8]) {
    if let Ok(text) = std::str::from_utf8(data)
        && let Ok(file) = NavFile::parse(text)
    {
        let places = file.points.iter().filter(|point| point.is_place).count();
        assert_eq!(NavFile::parse(&file.text()).map(|again| again.points.len()), Ok(places));
    }
    let mut bytes = Bytes(data);
    let library = Library::new(Arc::new(changed(&mut bytes)));
    let Ok(mut sim) = threshold_scenario::simulation(library) else { return };
    let cells = cells(&sim);
    let Some(&first) = cells.first() else { return };
    let tried = sim.with_nav(&Walker::default(), |nav, around| {
        let nav = small(nav);
        for _ in 0..MAX_WAYS {
            if bytes.is_empty() {
                break;
            }
            way(&nav, around, [place(around, &cells, &mut bytes), place(around, &cells, &mut bytes)]);
        }
        // One or the other, as each builds a mesh again.
        if data.len().is_multiple_of(2) {
            slices(&nav, around, first.block());
        } else {
            kept(&nav, around, first.block(), data);
        }
    });
    assert!(tried.is_ok());
}

/// A place in or near the middle of a cell.
fn place(around: &Surroundings<'_>, cells: &[CellId], bytes: &mut Bytes<'_>) -> Position {
    let cell: CellId = cells[usize::from(bytes.word()) % cells.len()];
    let home = match around.world.env_cell(cell) {
        Some(room) => {
            room.position.frame.apply((room.structure.bounds.min + room.structure.bounds.max) / 2.0)
        }
        None => Vec3::new(84.0, 84.0, 20.0),
    };
    Position::new(cell, Frame::at(home + bytes.vector(3.0)))
}

fn way(nav: &Nav, around: &Surroundings<'_>, [from, to]: [Position; 2]) {
    let policy = Policy::default();
    let Ok(Ok(route)) = nav.find(around, &Request { from, to, policy: &policy, prove: true }) else { return };
    assert!(route.proved && route.length.is_finite());
    let goal = route.waypoints.last().expect("a goal");
    assert!(goal.frame.is_finite() && goal.distance_to(&to) < 10.0);
    // The first leg begins where a body stands, so that it can be walked again.
    assert!(check_route(around, nav.agent(), &policy, &route.waypoints).is_ok());
}
