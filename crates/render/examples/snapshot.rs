//! A picture from any place of the sample world, drawn by the processor.
//!
//! `cargo run --release -p threshold-render --example snapshot -- '0x80800015 [60 97.5 21.5] 0.7 0 0 -0.7' street.png`

use std::{env, error::Error, fs, sync::Arc};
use threshold_dat::container::DatFile;
use threshold_render::{cpu::CpuRenderer, picture::encode_rgba, studio::Studio};
use threshold_view::{Lens, Options, Viewer};
use threshold_world::{Library, Position, load_all, source::DatSource};

const SIZE: (u32, u32) = (640, 360);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let place = arguments.next();
    let position: Position = place.as_deref().unwrap_or("0x80800015 [60 97.5 21.5] 0.7 0 0 -0.7").parse()?;
    let out = arguments.next().unwrap_or_else(|| "snapshot.png".to_owned());
    let sample = threshold_sample::build()?;
    let source = DatSource::new(DatFile::from_bytes(sample.portal)?, DatFile::from_bytes(sample.cell)?);
    let library = Arc::new(Library::new(Arc::new(source)));
    let (world, _) = load_all(&library)?;
    let lens = Lens::new(60f32.to_radians(), SIZE.0, SIZE.1).ok_or("a picture needs pixels")?;
    let mut studio = Studio::new(library, Options::default());
    studio.frame(&world, &Viewer { position, lens, player_cell: position.cell }, &position);
    let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
    renderer.draw(studio.list(), &studio.assets);
    let mut rgba = Vec::new();
    renderer.picture().copy_rgba(&mut rgba);
    fs::write(&out, encode_rgba(SIZE, &rgba)?)?;
    println!("{out}");
    Ok(())
}
