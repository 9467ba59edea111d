//! One world on two simulations, as two processes of a server would run it: each moves the objects in its region, has ghosts of
//! the other's objects near the border, and hands over objects that cross it. docs/scale.md explains how this scales.
//!
//! `cargo run --release -p threshold-sim --example two_regions`

use std::error::Error;
use threshold_sim::{
    Controls, Position, Simulation,
    update::{ObjectDescription, PositionUpdate, Stamps, Update},
};

/// The player's id in the whole shard.
const GUID: u32 = 0x5000_0001;
/// The border runs north and south through the street, here, in metres from the block's west side. Real ones run between
/// blocks; the sample village lies in one.
const BORDER: f32 = 66.0;

/// Whether a place is in the western region.
fn is_west(place: &Position) -> bool {
    place.frame.origin.x < BORDER
}

fn ghost(at: Position) -> Update {
    Update::Create(Box::new(ObjectDescription {
        guid: GUID,
        setup: Some(threshold_dat::DatId(0x0200_0001)),
        position: Some(at),
        stamps: Stamps::default(),
        ..ObjectDescription::default()
    }))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut west, mut east) = (Simulation::sample()?, Simulation::sample()?);
    let start: Position = "0x80800015 [60 97.5 20.01] 0.7071068 0 0 -0.7071068".parse()?;
    let keys = Controls { forward: true, ..Controls::default() };
    let player = west.spawn_player(start)?;
    west.control(player, keys)?;
    east.apply(&ghost(start))?;

    // The west moves the player and tells the east where it is, until it has crossed.
    let mut stamp = 0;
    let at = loop {
        west.tick()?;
        east.tick()?;
        let at = west.position(player)?;
        if !is_west(&at) {
            break at;
        }
        stamp += 1;
        let (placement, instance, teleport, force_position) = (0, 0, 0, 0);
        let contact = true;
        east.apply(&Update::Position(PositionUpdate {
            guid: GUID,
            position: at,
            contact,
            placement,
            instance,
            position_stamp: stamp,
            teleport,
            force_position,
        }))?;
        if stamp > 300 {
            return Err("the player never came to the border".into());
        }
    };

    // Handing over: the ghost becomes the player, the player a ghost.
    println!("crosses at {at} after {stamp} ticks");
    west.despawn(player)?;
    west.apply(&ghost(at))?;
    east.apply(&Update::Delete { guid: GUID, instance: 0 })?;
    let player = east.spawn_player(at)?;
    east.control(player, keys)?;
    for _ in 0..30 {
        east.tick()?;
    }
    let end = east.position(player)?;
    println!("the east walked it on to {end}");
    if is_west(&end) || end.distance_to(&at) < 1.0 {
        return Err("it did not walk on".into());
    }
    Ok(())
}

#[test]
fn the_player_walks_on_in_the_other_region() {
    main().unwrap();
}
