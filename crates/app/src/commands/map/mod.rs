//! `threshold map`: the world from above, as a picture.

mod canvas;
mod plan;
mod terrain;

use super::Outcome;
use crate::{
    dats::DatsArg,
    input,
    out_file::{ForceArg, OutFile},
    progress,
};
use anyhow::{Context, Result, bail};
pub(crate) use canvas::{Canvas, Color};
use glam::Vec2;
use plan::Plan;
use rayon::prelude::*;
use serde::Deserialize;
use std::{
    collections::BTreeMap,
    io::{Write, stdout},
    path::{Path, PathBuf},
    sync::Arc,
};
use terrain::Ground;
use threshold_dat::{
    DatId, Error, IdScheme,
    records::{DatRecord, LandBlockInfo},
};
use threshold_render::raster::MAX_SIDE;
use threshold_world::{
    BlockId, CellId, Library, LoadedBlock, block_ids, coords::BLOCK_SIDE, load_block, source::Source,
};

/// Longest side of a picture whose size was not asked for.
const COMFORTABLE: usize = 4096;
/// Pixels per metre from which rooms and objects can be told apart.
const PLAN_SCALE: f32 = 0.5;
const VOID: Color = [0.09, 0.09, 0.11];
const ENTITY: Color = [0.88, 0.12, 0.16];
const GRID: Color = [0.0, 0.0, 0.0];

/// Draw the world from above.
///
/// Terrain with its slopes, water and roads; buildings, the floor plans of their rooms (blue: doorways, green: exits)
/// and objects. A block that has rooms but no buildings is a dungeon and is drawn without its ground. Without --block
/// and --all it is the part of the land where something stands.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold map --out map.png
  threshold map --dats DIR --block 0xA9B4 --out holtburg.png
  threshold map --dats DIR --block 0xA9B4 --around 1 --window 110,-20,180,30 --out inn.png
  threshold map --dats DIR --block 0x01D9 --pixels 2000 --out dungeon.png
  threshold map --dats DIR --all --out dereth.png")]
pub(crate) struct Args {
    #[command(flatten)]
    dats: DatsArg,
    /// This landblock, e.g. 0xA9B4, or the one of a place such as 'Tower Lookout'
    #[arg(long, value_name = "BLOCK", conflicts_with = "all")]
    block: Option<String>,
    /// Also this many blocks around it, in every direction
    #[arg(long, value_name = "N", default_value_t = 0, requires = "block")]
    around: u8,
    /// The whole world, dungeons and empty land too
    #[arg(long)]
    all: bool,
    /// Only this part, in metres from the block's south-west corner: west,south,east,north
    #[arg(long, value_name = "W,S,E,N", requires = "block", allow_hyphen_values = true, value_parser = window)]
    window: Option<[f32; 4]>,
    /// The picture to write
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArg,
    /// Pixels along the longer side (default: 1024 for a block, up to 4096 for more)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(16..=i64::from(MAX_SIDE)))]
    pixels: Option<u32>,
    /// Leave out rooms, roofs and objects above this height in metres, to look into lower floors
    #[arg(long, value_name = "METRES", allow_negative_numbers = true)]
    cut: Option<f32>,
    /// Mark these: a scenario, or a list of objects with "cell" and "origin"
    #[arg(long, value_name = "FILE.json")]
    entities: Option<PathBuf>,
}

fn window(text: &str) -> Result<[f32; 4], String> {
    let numbers: Vec<f32> = text.split(',').filter_map(|word| word.trim().parse().ok()).collect();
    match numbers[..] {
        [w, s, e, n] if numbers.iter().all(|v| v.abs() <= 1e5) && e - w >= 1.0 && n - s >= 1.0 => {
            Ok([w, s, e, n])
        }
        _ => Err("expected four numbers west,south,east,north, at least a metre apart".into()),
    }
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
    let out = OutFile::picture(&args.out, args.force)?;
    let library = args.dats.library()?;
    let entities = args.entities.as_deref().map(read_entities).transpose()?.unwrap_or_default();
    let center = args.block.as_deref().map(|text| args.dats.block(text, &**library.source())).transpose()?;
    let blocks = load_blocks(&library, &wanted(args, center, &library)?)?;
    let view = View::of(&blocks, args, center);
    let mut canvas = view.canvas();
    draw(&mut canvas, &blocks, view.scale >= PLAN_SCALE, args.cut.unwrap_or(f32::INFINITY));
    for entity in &entities {
        let at = block_origin(entity.cell.block()) + Vec2::new(entity.origin[0], entity.origin[1]);
        canvas.disc(at, 0.5, 4.0 * view.oversampling() as f32, ENTITY, 1.0);
    }
    let canvas = if view.oversampling() == 2 { canvas.halved() } else { canvas };
    out.write(&canvas.png()?)?;
    let (width, height) = canvas.size();
    writeln!(stdout(), "{}: {width} x {height} pixels, {} blocks", args.out.display(), blocks.len())?;
    Ok(Outcome::Success)
}

/// A smoothed map of a rectangle, in metres from the map's south-west corner.
pub(crate) fn chart(
    library: &Arc<Library>,
    ids: &[BlockId],
    (min, max): (Vec2, Vec2),
    scale: f32,
) -> Result<Canvas> {
    let blocks = load_blocks(library, ids)?;
    let mut canvas = Canvas::new(min, max, scale * 2.0, VOID);
    draw(&mut canvas, &blocks, true, f32::INFINITY);
    Ok(canvas.halved())
}

fn draw(canvas: &mut Canvas, blocks: &BTreeMap<BlockId, LoadedBlock>, detailed: bool, cut: f32) {
    draw_ground(canvas, blocks);
    if detailed {
        for block in blocks.values() {
            let origin = block_origin(block.block.id);
            Plan { canvas: &mut *canvas, origin, cut }.draw(&block.block);
        }
        draw_grid(canvas, blocks);
    }
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

/// The blocks of the smallest rectangle with all land on which something stands; all blocks where there is none.
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

fn load_blocks(library: &Arc<Library>, ids: &[BlockId]) -> Result<BTreeMap<BlockId, LoadedBlock>, Error> {
    let bar = progress::bar(ids.len(), "loading");
    let blocks = ids.par_iter().map(|&id| Ok((id, load_block(library, id)?))).inspect(|_| bar.inc(1));
    let blocks = blocks.collect();
    bar.finish_and_clear();
    blocks
}

/// South-west corner of a block on the map.
pub(crate) fn block_origin(id: BlockId) -> Vec2 {
    Vec2::new(f32::from(id.x()), f32::from(id.y())) * BLOCK_SIDE
}

/// Rooms without buildings: the ground above them has nothing to do with them.
fn is_dungeon(block: &LoadedBlock) -> bool {
    block.block.buildings.is_empty() && block.block.env_cells.iter().any(Option::is_some)
}

/// What part of the plane the picture shows, and how large.
struct View {
    min: Vec2,
    max: Vec2,
    /// Pixels per metre in the finished picture.
    scale: f32,
    pixels: usize,
}

impl View {
    fn of(blocks: &BTreeMap<BlockId, LoadedBlock>, args: &Args, center: Option<BlockId>) -> View {
        let single = blocks.len() == 1;
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for (&id, block) in blocks {
            let origin = block_origin(id);
            // Among other blocks a dungeon takes its place on the map; alone it is shown where its rooms are.
            let (low, high) = match rooms(block).filter(|_| single && is_dungeon(block)) {
                Some((low, high)) => (low - 2.0, high + 2.0),
                None => (Vec2::ZERO, Vec2::splat(BLOCK_SIDE)),
            };
            (min, max) = (min.min(origin + low), max.max(origin + high));
        }
        if let (Some(block), Some([west, south, east, north])) = (center, args.window) {
            (min, max) =
                (block_origin(block) + Vec2::new(west, south), block_origin(block) + Vec2::new(east, north));
        }
        let longest = (max - min).max_element().max(1.0);
        let comfortable = if single { 1024 } else { (longest as usize).clamp(1024, COMFORTABLE) };
        let pixels = args.pixels.map_or(comfortable, |pixels| pixels as usize);
        View { min, max, scale: pixels as f32 / longest, pixels }
    }

    /// Pictures of moderate size are drawn at twice the size and smoothed.
    fn oversampling(&self) -> usize {
        if self.pixels <= 2048 { 2 } else { 1 }
    }

    fn canvas(&self) -> Canvas {
        Canvas::new(self.min, self.max, self.scale * self.oversampling() as f32, VOID)
    }
}

/// Extent of a block's rooms in block coordinates.
fn rooms(block: &LoadedBlock) -> Option<(Vec2, Vec2)> {
    let boxes = block.block.env_cells.iter().flatten().map(|cell| {
        let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
        (bounds.min.truncate(), bounds.max.truncate())
    });
    boxes.reduce(|(a, b), (c, d)| (a.min(c), b.max(d)))
}

fn draw_ground(canvas: &mut Canvas, blocks: &BTreeMap<BlockId, LoadedBlock>) {
    let with_ground = blocks.iter().filter(|(_, block)| block.has_terrain && !is_dungeon(block));
    let grounds: BTreeMap<BlockId, Ground<'_>> =
        with_ground.map(|(&id, block)| (id, Ground::new(&block.block))).collect();
    let (rows, step) = canvas.rows_mut();
    rows.into_par_iter().for_each(|(start, pixels)| {
        for (i, pixel) in pixels.iter_mut().enumerate() {
            let p = start + Vec2::new(i as f32 * step, 0.0);
            let block = p / BLOCK_SIDE;
            let id = BlockId::new(block.x.floor() as u8, block.y.floor() as u8);
            if let Some(ground) = grounds.get(&id) {
                *pixel = ground.color(p - block_origin(id));
            }
        }
    });
}

/// Borders of the blocks.
fn draw_grid(canvas: &mut Canvas, blocks: &BTreeMap<BlockId, LoadedBlock>) {
    if blocks.len() < 2 {
        return;
    }
    for &id in blocks.keys() {
        let corner = block_origin(id);
        canvas.line(corner, corner + Vec2::new(BLOCK_SIDE, 0.0), 1.0, GRID, 0.25);
        canvas.line(corner, corner + Vec2::new(0.0, BLOCK_SIDE), 1.0, GRID, 0.25);
    }
}
