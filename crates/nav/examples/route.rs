//! Finds a route between two places of a landblock and its neighbours, and prints it as a Virindi Tank route.
//!
//! `cargo run --release -p threshold-nav --example route -- DIR '0xA9B40019 [84 7.1 94]' '0xA9B40021 [104 20 94]'`

use std::{env::args, error::Error, sync::Arc};
use threshold_nav::{Agent, Nav, NavFile, Policy, Request, Surroundings};
use threshold_physics::{PLAYER_SETUP, Scene};
use threshold_world::{BlockId, Library, Position, World, load_block, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(from), Some(to)) = (args().nth(1), args().nth(2), args().nth(3)) else {
        return Err("usage: route DIR FROM TO; places as /loc prints them".into());
    };
    let (from, to): (Position, Position) = (from.parse()?, to.parse()?);
    let library = Library::new(Arc::new(DatSource::open(dats)?));
    let mut world = World::new();
    let blocks = around(from.cell.block());
    for &block in &blocks {
        world.insert_resident(load_block(&library, block)?.block);
    }
    let mut scene = Scene::new();
    scene.blocks_loaded(&world, &blocks);
    let nav = Nav::new(Agent::player(library.model(PLAYER_SETUP)?.ok_or("there is no model of a player")?));
    let policy = Policy::default();
    let request = Request { from, to, policy: &policy, prove: true };
    match nav.find(&Surroundings::new(&world, &scene), &request)? {
        Ok(route) => {
            eprintln!("{:.1} m in {} legs", route.length, route.waypoints.len() - 1);
            print!("{}", NavFile::once(&route.waypoints).text());
            Ok(())
        }
        Err(failed) => Err(format!("{}; the nearest place is {}", failed.why, failed.nearest).into()),
    }
}

/// A block and those around it on the map.
fn around(block: BlockId) -> Vec<BlockId> {
    let near = |at: u8| at.saturating_sub(1)..=at.saturating_add(1).min(0xFE);
    near(block.x()).flat_map(|x| near(block.y()).map(move |y| BlockId::new(x, y))).collect()
}
