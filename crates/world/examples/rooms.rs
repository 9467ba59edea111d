//! Lists the rooms of a landblock and where their openings lead.
//!
//! `cargo run -p threshold-world --example rooms -- DIR 0xA9B4`

use std::{env::args, error::Error, sync::Arc};
use threshold_world::{BlockId, Library, cell::PortalTarget, load_block, source::DatSource};

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(block)) = (args().nth(1), args().nth(2)) else {
        return Err("usage: rooms DIR BLOCK".into());
    };
    let library = Library::new(Arc::new(DatSource::open(dats)?));
    let loaded = load_block(&library, block.parse::<BlockId>()?)?;
    for room in loaded.block.env_cells.iter().flatten() {
        let ways = room.portals.iter().map(|portal| match portal.target {
            PortalTarget::Outside => "outside".to_owned(),
            PortalTarget::Cell(cell) => cell.to_string(),
        });
        println!("{}: {}", room.id(), ways.collect::<Vec<_>>().join(", "));
    }
    for problem in loaded.problems {
        eprintln!("{problem}");
    }
    Ok(())
}
