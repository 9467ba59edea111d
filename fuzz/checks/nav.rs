//! What must hold for ways through any world: an answer, an end, and legs that hold when they are walked again.

use super::{
    bytes::Bytes,
    sweep::{cells, changed},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_sim::{
    PathRequest, Simulation, Walker,
    nav::{KeptMeshes, Nav, NavFile, Policy, check_route},
};
use threshold_world::{CellId, Frame, Library, Position};

const MAX_WAYS: usize = 4;
/// Bytes of a file of meshes that are changed.
const MAX_CHANGES: usize = 16;

/// Meshes from a file that was written and then changed anywhere: refused, built again, or used without harm.
fn kept(sim: &mut Simulation, data: &[u8]) {
    let walker = Walker::default();
    let Some(block) = sim.world().block_ids().next() else { return };
    let tried = sim.with_nav(&walker, |nav, around| {
        nav.mesh(around, block);
        let mut file = nav.keep(around, 0);
        for change in data.chunks_exact(4).take(MAX_CHANGES) {
            let at = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize % file.len();
            file[at] = change[3];
        }
        let Ok(kept) = KeptMeshes::read(file, nav.agent(), 0) else { return };
        let again = Nav::new(nav.agent().clone()).with_kept(kept);
        for region in again.regions(around, &[block]) {
            assert!(region.area.is_finite());
            let _ = again.reach(around, &region.place, &Policy::default());
        }
    });
    assert!(tried.is_ok());
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
    let policy = Policy::default();
    kept(&mut sim, data);
    for _ in 0..MAX_WAYS {
        if bytes.is_empty() || cells.is_empty() {
            return;
        }
        let mut place = || {
            let cell: CellId = cells[usize::from(bytes.word()) % cells.len()];
            let home = match sim.world().env_cell(cell) {
                Some(room) => {
                    room.position.frame.apply((room.structure.bounds.min + room.structure.bounds.max) / 2.0)
                }
                None => Vec3::new(84.0, 84.0, 20.0),
            };
            Position::new(cell, Frame::at(home + bytes.vector(3.0)))
        };
        let (from, to) = (place(), place());
        let walker = Walker::default();
        let request = PathRequest { walker, from, to, policy: &policy, prove: true };
        let Ok(Ok(route)) = sim.find_path(&request) else { continue };
        assert!(route.proved && route.length.is_finite());
        let goal = route.waypoints.last().expect("a goal");
        assert!(goal.frame.is_finite() && goal.distance_to(&to) < 10.0);
        // The first leg begins where a body stands, so that it can be walked again.
        let again =
            sim.with_nav(&walker, |nav, around| check_route(around, nav.agent(), &policy, &route.waypoints));
        assert!(matches!(again, Ok(Ok(_))));
    }
}
