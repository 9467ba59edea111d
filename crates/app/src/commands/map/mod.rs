//! `threshold map`: the world from above, as a picture or as a page of tiles.

mod legend;
mod text;
mod tiles;

use super::Outcome;
use crate::{
    dats::DatsArg,
    input,
    out_file::{ForceArg, OutFile},
    progress,
};
use anyhow::{Context, Result, bail};
use glam::Vec2;
use rayon::prelude::*;
use serde::Deserialize;
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    sync::Arc,
};
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, LandBlockInfo},
};
use threshold_render::{
    map::{Blocks, Canvas, Color, Map, Rectangle, block_origin},
    raster::MAX_SIDE,
};
use threshold_world::{BlockId, CellId, Library, block_ids, load_block, source::Source};

const ENTITY: Color = [0.88, 0.12, 0.16];

/// Draw the world from above.
///
/// Shows terrain with slopes, water and roads; buildings, the floor plans of their rooms (blue: doorways, green: exits)
/// and objects. A block that has rooms but no buildings is a dungeon and is drawn without its ground. Without --block
/// and --all, the map shows the populated part of the land. Maps of more than a block have place names, a scale, a north
/// arrow, and coordinates in the margin. --tiles writes a zoomable page that also shows each floor of every dungeon.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold map --out map.png
  threshold map --tiles map
  threshold map --dats DIR --block 0xA9B4 --out holtburg.png
  threshold map --dats DIR --block 0xA9B4 --around 1 --window 110,-20,180,30 --out inn.png
  threshold map --dats DIR --block 0x01D9 --pixels 2000 --out dungeon.png
  threshold map --dats DIR --all --out dereth.png")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// Draw this landblock, e.g. 0xA9B4, or the one of a place such as 'Tower Lookout'
    #[arg(long, value_name = "BLOCK", conflicts_with = "all")]
    block: Option<String>,
    /// Also draw this many blocks around it, in every direction
    #[arg(long, value_name = "N", default_value_t = 0, requires = "block")]
    around: u8,
    /// Draw the whole world, including dungeons and empty land
    #[arg(long)]
    all: bool,
    /// Draw only this part, in metres from the block's south-west corner: west,south,east,north
    #[arg(long, value_name = "W,S,E,N", requires = "block", allow_hyphen_values = true, value_parser = window)]
    window: Option<[f32; 4]>,
    /// The picture to write
    #[arg(long, value_name = "FILE.png", required_unless_present = "tiles")]
    out: Option<PathBuf>,
    /// Write a zoomable page: open its index.html from disk or from any web server
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "block", "all", "pixels", "cut", "entities", "plain"])]
    tiles: Option<PathBuf>,
    /// Deepest zoom level of the page: a landblock is 2^N pixels wide there
    #[arg(long, value_name = "N", default_value_t = 10, requires = "tiles", value_parser = clap::value_parser!(u8).range(7..=12))]
    deepest: u8,
    #[command(flatten)]
    force: ForceArg,
    /// Omit names, scale, north arrow and coordinates
    #[arg(long, conflicts_with = "block")]
    plain: bool,
    /// Pixels along the longer side (default: 1024 for a block, up to 4096 for more)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=i64::from(MAX_SIDE)))]
    pixels: Option<u32>,
    /// Omit rooms, roofs and objects above this height in metres, to show lower floors
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    cut: Option<f32>,
    /// Mark the objects in this file: a scenario, or a list of objects with "cell" and "origin"
    #[arg(long, value_name = "FILE.json")]
    entities: Option<PathBuf>,
}

fn window(text: &str) -> Result<[f32; 4], String> {
    let numbers: Vec<f32> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    let window: Option<[f32; 4]> = numbers.try_into().ok();
    let is_good = |window: &[f32; 4]| Rectangle::in_block(BlockId(0), *window).is_some();
    window
        .filter(is_good)
        .ok_or_else(|| "expected four numbers west,south,east,north, at least a metre apart".into())
}

/// Something to mark: as scenarios have it, with fields that do not matter here.
#[derive(Clone, Copy, Deserialize)]
struct Entity {
    cell: CellId,
    origin: [f32; 3],
}

/// What matters here of a scenario.
#[derive(Deserialize)]
struct Scenario {
    entities: Vec<Entity>,
}

pub(crate) fn run(args: &Args) -> Result<Outcome> {
    if let Some(dir) = &args.tiles {
        return tiles::run(&args.dats, dir, args.deepest, args.force);
    }
    let path = args.out.as_deref().context("--out FILE.png or --tiles DIR is needed")?;
    let out = OutFile::picture(path, args.force)?;
    let library = args.dats.library()?;
    let entities = args.entities.as_deref().map(read_entities).transpose()?.unwrap_or_default();
    let center = args.block.as_deref().map(|text| args.dats.block(text, &**library.source())).transpose()?;
    let blocks = load_blocks(&library, &wanted(args, center, &library)?)?;
    let window = center.zip(args.window).and_then(|(block, window)| Rectangle::in_block(block, window));
    let rectangle = window.unwrap_or_else(|| Rectangle::around(&blocks));
    let map = Map { cut: args.cut.unwrap_or(f32::INFINITY), ..Map::new(&blocks, rectangle, args.pixels) };
    let canvas = map.draw(&blocks, |canvas, pixel| {
        for entity in &entities {
            let at = block_origin(entity.cell.block()) + Vec2::new(entity.origin[0], entity.origin[1]);
            canvas.disc(at, 0.5, 4.0 * pixel, ENTITY, 1.0);
        }
    });
    let canvas = if args.plain || center.is_some() {
        canvas
    } else {
        legend::draw(canvas, &rectangle, map.scale, &args.dats.places()?)
    };
    out.write(&canvas.png()?)?;
    let (width, height) = canvas.size();
    writeln!(stdout(), "{}: {width} x {height} pixels, {} blocks", path.display(), blocks.len())?;
    Ok(Outcome::Success)
}

/// A smooth map of a rectangle with a number of pixels per metre.
pub(crate) fn chart(
    library: &Arc<Library>,
    ids: &[BlockId],
    rectangle: Rectangle,
    scale: f32,
) -> Result<Canvas> {
    let blocks = load_blocks(library, ids)?;
    Ok(Map { rectangle, scale, cut: f32::INFINITY, smooth: true, grid: true }.draw(&blocks, |_, _| ()))
}

fn read_entities(path: &Path) -> Result<Vec<Entity>> {
    let text = input::read(path)?;
    let is_list = text.trim_ascii_start().starts_with(b"[");
    let entities = if is_list {
        serde_json::from_slice(&text)
    } else {
        serde_json::from_slice(&text).map(|Scenario { entities }| entities)
    };
    entities.with_context(|| path.display().to_string())
}

/// Ids of the blocks to draw.
fn wanted(args: &Args, center: Option<BlockId>, library: &Library) -> Result<Vec<BlockId>> {
    let mut known = block_ids(&**library.source())?.0;
    if let Some(center) = center {
        known.retain(|id| id.rings_to(center) <= args.around);
    } else if !args.all {
        known = populated(known, &**library.source())?;
    }
    if known.is_empty() {
        bail!("there are no blocks {}", args.dats.in_world());
    }
    Ok(known)
}

/// The blocks of the smallest rectangle with all land on which something stands; all blocks when there is no such land.
fn populated(known: Vec<BlockId>, source: &dyn Source) -> Result<Vec<BlockId>> {
    let mut corners: Option<[u8; 4]> = None;
    for id in &known {
        let record = DatId(id.cell(0xFFFE).0);
        let Some(bytes) = source.record(IdScheme::Cell, record)? else { continue };
        // One that cannot be read is reported by `check`; here it only does not widen the picture.
        let Ok(info) = LandBlockInfo::load(record, &bytes) else { continue };
        if !info.buildings.is_empty() || info.cell_count == 0 && !info.objects.is_empty() {
            let [west, south, east, north] = corners.unwrap_or([id.x(), id.y(), id.x(), id.y()]);
            corners = Some([west.min(id.x()), south.min(id.y()), east.max(id.x()), north.max(id.y())]);
        }
    }
    let Some([west, south, east, north]) = corners else { return Ok(known) };
    let is_inside = |id: &BlockId| (west..=east).contains(&id.x()) && (south..=north).contains(&id.y());
    Ok(known.into_iter().filter(is_inside).collect())
}

fn load_blocks(library: &Arc<Library>, ids: &[BlockId]) -> Result<Blocks, Error> {
    let bar = progress::bar(ids.len(), "loading");
    let blocks = ids.par_iter().map(|&id| Ok((id, load_block(library, id)?))).inspect(|_| bar.inc(1));
    let blocks = blocks.collect();
    bar.finish_and_clear();
    blocks
}
