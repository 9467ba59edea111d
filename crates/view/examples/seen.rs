//! Prints what is visible from a place: cells, buildings and the landscape, each with its openings.
//!
//! `cargo run -p threshold-view --example seen -- DIR '0xA9B40019 [84 7.1 96]'`

use std::{env::args, error::Error, sync::Arc};
use threshold_view::{FramePlan, Lens, Planner, Viewer, report::Tree};
use threshold_world::{Library, Position, load_all, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(place)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: seen DIR LOC".into());
    };
    let (world, _) = load_all(&Library::new(Arc::new(DatSource::open(dats)?)))?;
    let position: Position = place.parse()?;
    let lens = Lens::new(60f32.to_radians(), 1280, 720).ok_or("a picture needs pixels")?;
    let (mut planner, mut plan) = (Planner::default(), FramePlan::default());
    planner.plan(&world, &(), &Viewer { position, lens, player_cell: position.cell }, &mut plan);
    println!("{}", Tree(&plan));
    Ok(())
}
