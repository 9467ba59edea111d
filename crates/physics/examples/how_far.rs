//! How far somebody gets who runs straight ahead for some seconds, and through which cells.
//!
//! `cargo run -p threshold-physics --example how_far -- DIR '0xA9B4001C [84 70 20.01]' 3`; without arguments, a cottage of the
//! conformance kit.

use std::{env, error::Error, sync::Arc};
use threshold_dat::DatId;
use threshold_physics::{
    EntityRole, PlaceOptions, Scene, Spawn, State,
    movement::{Controller, Controls},
};
use threshold_world::{Library, Position, load_all, source::DatSource};

const TICK: f64 = 1.0 / 30.0;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let dir = arguments.next().map_or_else(|| threshold_golden::world_dir("cottage"), Into::into);
    let from: Position = arguments.next().as_deref().unwrap_or("0xA9B4001C [84 70 20.01]").parse()?;
    let seconds: f64 = arguments.next().as_deref().unwrap_or("3").parse()?;

    let library = Library::new(Arc::new(DatSource::open(dir)?));
    let (world, _) = load_all(&library)?;
    let model = library.model(DatId(0x0200_0001))?.ok_or("there is no model of a person")?;
    let role = EntityRole { is_player: true, ..EntityRole::default() };
    let state = State::from_bits_retain(0x408);
    let mut scene = Scene::new();
    let player = scene.spawn(&world, Spawn { guid: Some(1), model, position: from, state, scale: 1.0, role })?;
    scene.place(&world, player, &from, PlaceOptions::default())?;

    let (mut controller, keys) = (Controller::default(), Controls { forward: true, ..Controls::default() });
    let mut cell = from.cell;
    for tick in 0..(seconds / TICK).clamp(0.0, 1e6) as u32 {
        controller.drive(&mut scene, player, &keys, TICK as f32)?;
        scene.advance_clock(TICK)?;
        scene.update(&world, player)?;
        let now = scene.get(player).ok_or("it is gone")?.position;
        if now.cell != cell {
            cell = now.cell;
            println!("after {:.2} s: {now}", f64::from(tick + 1) * TICK);
        }
    }
    let end = scene.get(player).ok_or("it is gone")?.position;
    println!("{:.2} m, to {end}", end.distance_to(&from));
    Ok(())
}
