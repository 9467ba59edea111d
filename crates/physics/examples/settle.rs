//! Places a person, lets it fall, and prints where it comes to rest and in which cell.
//!
//! `cargo run -p threshold-physics --example settle -- DIR '0xA9B40019 [84 7.1 94]'`

use std::{env::args, error::Error, sync::Arc};
use threshold_physics::{PLAYER_SETUP, PlaceOptions, Scene, Spawn, Transient};
use threshold_world::{Library, Position, load_all, source::DatSource};

const TICK: f64 = 1.0 / 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(place)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: settle DIR LOC".into());
    };
    let library = Library::new(Arc::new(DatSource::open(dats)?));
    let (world, _) = load_all(&library)?;
    let at: Position = place.parse()?;
    let model = library.model(PLAYER_SETUP)?.ok_or("these dats have no person")?;
    let mut scene = Scene::new();
    let key = scene.spawn(&world, Spawn::player(0x5000_0001, model, at))?;
    let (placed, _) = scene.place(&world, key, &at, PlaceOptions::default())?;
    for _ in 0..300 {
        scene.advance_clock(TICK)?;
        scene.update(&world, key)?;
        let person = scene.get(key).ok_or("gone")?;
        if person.has(Transient::ON_WALKABLE) {
            println!("{placed:?}; stands at {}", person.position);
            return Ok(());
        }
    }
    println!("{placed:?}; found nothing to stand on within ten seconds");
    Ok(())
}
