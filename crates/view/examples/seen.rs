//! Which cells are seen from a place, and how much of the picture each takes.
//!
//! `cargo run -p threshold-view --example seen -- DIR '0xA9B40100 [84 79.5 21.6]'`; without arguments, a cottage of the
//! conformance kit.

use std::{env, error::Error, sync::Arc};
use threshold_view::{FramePlan, Lens, Planner, Viewer};
use threshold_world::{Library, Position, load_all, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let dir = arguments.next().map_or_else(|| threshold_golden::world_dir("cottage"), Into::into);
    let position: Position = arguments.next().as_deref().unwrap_or("0xA9B40100 [84 79.5 21.6]").parse()?;
    let (world, _) = load_all(&Library::new(Arc::new(DatSource::open(dir)?)))?;
    let lens = Lens::new(60f32.to_radians(), 1280, 720).ok_or("a picture needs pixels")?;
    let mut plan = FramePlan::default();
    Planner::default().plan(&world, &(), &Viewer { position, lens, player_cell: position.cell }, &mut plan);
    for cell in plan.interior_cells() {
        let area: f32 = plan.views(cell.views).map(|view| area(plan.pixels(view))).sum();
        println!("{}  {:5.1} % of the picture, {:.1} m away", cell.id, area / (1280.0 * 720.0) * 100.0, cell.distance);
    }
    println!("the outdoors is {}", if plan.draws_landscape() { "seen" } else { "not seen" });
    Ok(())
}

/// Of a polygon, by the shoelace formula.
fn area(corners: &[glam::Vec2]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    (corners.iter().zip(next).map(|(a, b)| a.perp_dot(*b)).sum::<f32>() / 2.0).abs()
}
