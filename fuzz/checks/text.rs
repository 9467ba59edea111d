//! What must hold for any SQL and any place written as text.

use std::{cell::RefCell, sync::Arc};
use threshold_ace::Database;
use threshold_sim::Simulation;
use threshold_world::{Library, Position, loc::Place, source::DatSource};

fn simulation() -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).expect("a golden world");
    threshold_scenario::simulation(Library::new(Arc::new(source))).expect("it loads")
}

thread_local! {
    static COTTAGE: RefCell<Simulation> = RefCell::new(simulation());
}

/// An error names a line of the text; what is read can be brought into a world.
pub(crate) fn sql(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut database = Database::new();
    if let Err(error) = database.read("any.sql", text) {
        let lines = text.matches('\n').count() + 1;
        assert!((1..=lines).contains(&(error.line as usize)), "{error} of {lines}");
    }
    COTTAGE.with_borrow_mut(|sim| {
        let library = sim.library().clone();
        let (world, scene) = sim.parts_mut();
        let read = database.objects(world, &mut |id| library.model(id).ok().flatten());
        assert!(read.placed.len() <= database.instances().count());
        for object in read.placed.iter().take(100) {
            // A spawn may be refused; one that is not is where it was put.
            if let Ok(key) = scene.spawn(world, object.spawn()) {
                assert!(scene.get(key).is_some_and(|entity| entity.position.frame.is_finite()));
            }
        }
        sim.clear();
    });
}

/// A place that is understood is printed so that it is understood again.
pub(crate) fn loc(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Ok(place) = text.parse::<Place>() {
        let flat = place.flat();
        assert!(flat.frame.is_finite(), "{flat}");
        COTTAGE.with_borrow(|sim| {
            let resolved = place.resolve(sim.world());
            assert!(resolved.frame.is_finite(), "{resolved}");
        });
        if let Place::Map { coords, .. } = place {
            assert_eq!(coords.to_string().parse(), Ok(Place::from(coords)));
        }
    }
    if let Ok(position) = text.parse::<Position>() {
        let printed = position.to_string();
        let again: Position = printed.parse().unwrap_or_else(|error| panic!("{printed}: {error}"));
        assert_eq!(again.cell, position.cell);
        let near = (again.frame.origin - position.frame.origin).abs();
        assert!(near.cmple(position.frame.origin.abs() * 1e-6 + 1e-5).all(), "{printed}");
    }
}
