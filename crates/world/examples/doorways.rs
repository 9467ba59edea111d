//! The rooms of a landblock, and where their doorways lead.
//!
//! `cargo run -p threshold-world --example doorways -- DIR 0xA9B4`; without arguments, a world of the conformance kit.

use std::{env, error::Error, sync::Arc};
use threshold_world::{BlockId, Library, cell::PortalTarget, load_block, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let dir = arguments.next().map_or_else(|| threshold_golden::world_dir("cottage"), Into::into);
    let block: BlockId = arguments.next().as_deref().unwrap_or("0xA9B4").parse()?;
    let library = Library::new(Arc::new(DatSource::open(dir)?));
    let loaded = load_block(&library, block)?;
    for cell in loaded.block.env_cells.iter().flatten() {
        let ways: Vec<String> = cell.portals.iter().map(|portal| match portal.target {
            PortalTarget::Outside => "outdoors".to_owned(),
            PortalTarget::Cell(cell) => cell.to_string(),
        }).collect();
        println!("{} -> {}", cell.id(), ways.join(", "));
    }
    for problem in loaded.problems {
        eprintln!("{problem}");
    }
    Ok(())
}
