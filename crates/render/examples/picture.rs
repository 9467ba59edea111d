//! Draws the view from a place on the CPU.
//!
//! `cargo run --release -p threshold-render --example picture -- DIR '0xA9B40019 [84 7.1 96] 1 0 0 0' picture.png`

use std::{env::args, error::Error, fs, sync::Arc};
use threshold_render::{cpu::CpuRenderer, picture::encode_rgba, studio::Studio};
use threshold_view::{Lens, Options, Viewer};
use threshold_world::{Library, Position, load_all, source::DatSource};

const SIZE: (u32, u32) = (960, 540);

fn main() -> Result<(), Box<dyn Error>> {
    let (Some(dats), Some(place), Some(file)) = (args().nth(1), args().nth(2), args().nth(3)) else {
        return Err("usage: picture DIR LOC FILE.png".into());
    };
    let library = Arc::new(Library::new(Arc::new(DatSource::open(dats)?)));
    let (world, _) = load_all(&library)?;
    let position: Position = place.parse()?;
    let lens = Lens::new(60f32.to_radians(), SIZE.0, SIZE.1).ok_or("a picture needs pixels")?;
    let mut studio = Studio::new(library, Options::default());
    studio.frame(&world, &Viewer { position, lens, player_cell: position.cell }, &position);
    let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
    renderer.draw(studio.list(), &studio.assets);
    let mut rgba = Vec::new();
    renderer.picture().copy_rgba(&mut rgba);
    fs::write(file, encode_rgba(SIZE, &rgba)?)?;
    Ok(())
}
