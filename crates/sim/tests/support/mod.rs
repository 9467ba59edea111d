//! The sample world, and walking in it.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use std::sync::{Arc, LazyLock};
use threshold_dat::container::DatFile;
use threshold_sample::SampleWorld;
use threshold_sim::{Builder, Controls, EntityKey, Position, Simulation};
use threshold_world::{Library, source::DatSource};

/// The cottage's door as a server knows it.
pub(crate) const COTTAGE_DOOR: &str = "Cottage Door";

/// Built once for all tests of a binary.
static SAMPLE: LazyLock<(SampleWorld, Arc<Library>)> = LazyLock::new(|| {
    let mut world = threshold_sample::build().expect("the sample world");
    let (portal, cell) = (std::mem::take(&mut world.portal), std::mem::take(&mut world.cell));
    let open = |bytes| DatFile::from_bytes(bytes).expect("its own files");
    let source = DatSource::new(open(portal), open(cell)).expect("its own files");
    let library = Library::new(Arc::new(source));
    (world, Arc::new(library))
});

/// Its records.
pub(crate) fn library() -> Arc<Library> {
    SAMPLE.1.clone()
}

/// A builder of the sample world.
pub(crate) fn builder() -> Builder {
    let (world, library) = &*SAMPLE;
    let builder = Simulation::builder().library(library.clone());
    builder.placed(world.entities.clone()).places(world.places.clone())
}

pub(crate) fn sample() -> Simulation {
    builder().build().expect("the sample world")
}

/// A named place.
pub(crate) fn place(sim: &Simulation, name: &str) -> Position {
    sim.places().iter().find(|place| place.name == name).unwrap_or_else(|| panic!("no place {name}")).position
}

pub(crate) fn object(sim: &Simulation, name: &str) -> EntityKey {
    sim.find_by_name(name).unwrap_or_else(|| panic!("no object {name}"))
}

pub(crate) const FORWARD: Controls = Controls {
    forward: true,
    back: false,
    left: false,
    right: false,
    turn_left: false,
    turn_right: false,
    toggle_run: true,
    jump: false,
};

/// Walks a player straight to a place; whether it came within 0.3 m.
pub(crate) fn walk_to(sim: &mut Simulation, me: EntityKey, to: &Position) -> bool {
    let mut best = f32::INFINITY;
    let mut patience = 45;
    while patience > 0 {
        let at = sim.position(me).unwrap();
        let way = at.offset_to(to).truncate();
        if way.length() < 0.3 {
            sim.control(me, Controls::default()).unwrap();
            return true;
        }
        patience = if way.length() < best - 0.01 { 45 } else { patience - 1 };
        best = best.min(way.length());
        let wanted = way.x.atan2(way.y).to_degrees();
        let turn = (wanted - at.frame.heading() + 540.0).rem_euclid(360.0) - 180.0;
        sim.look(me, turn, 0.0).unwrap();
        sim.control(me, FORWARD).unwrap();
        sim.tick().unwrap();
    }
    sim.control(me, Controls::default()).unwrap();
    false
}
