//! The map as a page to zoom into: tiles, and a little program that shows them.
//!
//! At level N a landblock is 2^N pixels wide. Levels up to [`GROUND`] show all land; deeper ones only have tiles with
//! something built, and between those the page stretches the ground. Dungeons lie in layers of their own, one for each floor.

use super::Outcome;
use crate::{
    dats::DatsArg,
    out_file::ForceArg,
    out_folder::{OutFiles, OutFolder},
    progress,
};
use anyhow::{Result, bail};
use glam::Vec2;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::Serialize;
use std::{
    collections::BTreeMap,
    io::{Write, stdout},
    path::Path,
    sync::Arc,
};
use threshold_dat::{
    DatId, IdScheme,
    records::{DatRecord, LandBlockInfo},
};
use threshold_render::map::{Blocks, Canvas, Map, Rectangle, VOID, block_origin, is_dungeon};
use threshold_world::{
    BlockId, Library, LoadedBlock, block_ids,
    cell::EnvCell,
    coords::{BLOCK_SIDE, CELL_SIDE},
    landblock::Landblock,
    load_block,
    placed::{NamedPlace, PlaceKind},
    terrain::SAMPLES_PER_SIDE,
};

/// Pixels a side of a tile.
const TILE: usize = 256;
/// The level down to which all land is drawn, and from whose tiles the ones above are made.
const GROUND: u8 = 6;
/// The level at which the map, 256 blocks wide, is one tile.
const TOP: u8 = 0;
/// The level down to which roads are drawn: deeper ones show nothing more of them.
const ROADS: u8 = 8;
/// The first level at which rooms can be told apart.
const ROOMS: u8 = 7;
/// Rooms whose floors are this much higher than the lowest one of a storey belong to the next, in metres.
const STOREY: f32 = 4.0;
/// Floors of a dungeon that get a layer.
const MAX_STOREYS: usize = 64;
/// How far from their block rooms are shown, in metres.
const FAR: f32 = 1000.0;
/// A room that reaches this far above the floor of a storey is shown there as well.
const REACHES: f32 = 1.5;
const PAGE: [(&str, &str); 3] = [
    ("index.html", include_str!("page/index.html")),
    ("map.css", include_str!("page/map.css")),
    ("map.js", include_str!("page/map.js")),
];
const DATA: &str = "data.js";

/// What the page is told.
#[derive(Serialize)]
struct Data {
    deepest: u8,
    ground: u8,
    rooms: u8,
    /// West, south, east, north of the land, in blocks.
    bounds: [u8; 4],
    land: String,
    dungeons: Vec<Dungeon>,
    places: Vec<PlaceMark>,
}

#[derive(Serialize)]
struct Dungeon {
    id: String,
    name: String,
    /// West, south, east, north of its rooms, in metres from the map's south-west corner.
    bounds: [f32; 4],
    /// All floors together, then one by one from the lowest.
    floors: Vec<Floor>,
}

#[derive(Serialize)]
struct Floor {
    /// Altitude; none for all floors.
    z: Option<f32>,
    tiles: String,
}

#[derive(Serialize)]
struct PlaceMark {
    name: String,
    kind: String,
    x: f32,
    y: f32,
    z: f32,
    #[serde(skip_serializing_if = "Option::is_none")]
    dungeon: Option<String>,
}

pub(super) fn run(dats: &DatsArg, dir: &Path, deepest: u8, force: ForceArg) -> Result<Outcome> {
    let folder = OutFolder::open(dir, "map", force.force)?;
    let names: Vec<&str> = PAGE.iter().map(|(name, _)| *name).chain([DATA]).collect();
    folder.check(&names)?;
    let library = Library::new(dats.open()?).without_scenery();
    let known = block_ids(&**library.source())?.0;
    if known.is_empty() {
        bail!("there are no blocks {}", dats.in_world());
    }
    let places = dats.places()?;
    let files = folder.begin()?;
    let (dungeons, land): (Vec<BlockId>, Vec<BlockId>) = split(&library, &known)?;
    let bar = progress::bar(known.len() + dungeons.len(), "drawing tiles");
    let tiler = Tiler { library: &library, files: &files, deepest, land: Grid::new(&known), bar: &bar };
    let tree = tiler.land(TOP, 0, 0)?.map(|(_, tree)| tree);
    let drawn = dungeons.par_iter().map(|&id| tiler.dungeon(id, &places)).inspect(|_| bar.inc(1));
    let dungeons: Vec<Dungeon> = drawn.collect::<Result<Vec<_>>>()?.into_iter().flatten().collect();
    bar.finish_and_clear();
    let data = Data {
        deepest,
        ground: GROUND,
        rooms: ROOMS,
        bounds: bounds(&land).or_else(|| bounds(&known)).unwrap_or_default(),
        land: tree.map(|tree| tree.text()).unwrap_or_default(),
        places: places.iter().map(|place| mark(place, &dungeons)).collect(),
        dungeons,
    };
    for (name, text) in PAGE {
        files.put(name, text.as_bytes())?;
    }
    // A script, as pages from a disk may not fetch other files. No name can end it: it is a file of its own.
    files.put(
        DATA,
        format!("\"use strict\";\nconst DATA = {};\n", serde_json::to_string(&data)?).as_bytes(),
    )?;
    let (count, floors) =
        (files.finish()?, data.dungeons.iter().map(|dungeon| dungeon.floors.len()).sum::<usize>());
    let out = &mut stdout();
    writeln!(
        out,
        "{}: {} tiles, {} blocks of land, {} dungeons with {floors} layers",
        dir.display(),
        count - PAGE.len() - 1,
        land.len(),
        data.dungeons.len()
    )?;
    writeln!(out, "open {}", dir.join("index.html").display())?;
    Ok(Outcome::Success)
}

/// Blocks with rooms but without buildings, and the others.
fn split(library: &Library, known: &[BlockId]) -> Result<(Vec<BlockId>, Vec<BlockId>)> {
    let is_dungeon = known.par_iter().map(|id| {
        let record = DatId(id.cell(0xFFFE).0);
        let bytes = library.source().record(IdScheme::Cell, record)?;
        let info = bytes.and_then(|bytes| LandBlockInfo::load(record, &bytes).ok());
        Ok(info.is_some_and(|info| info.cell_count > 0 && info.buildings.is_empty()))
    });
    let is_dungeon: Vec<bool> = is_dungeon.collect::<Result<_>>()?;
    let of =
        |wanted: bool| known.iter().zip(&is_dungeon).filter(move |(_, is)| **is == wanted).map(|(id, _)| *id);
    Ok((of(true).collect(), of(false).collect()))
}

/// Which blocks there are.
struct Grid(Vec<bool>);

impl Grid {
    fn new(ids: &[BlockId]) -> Grid {
        let mut grid = vec![false; 1 << 16];
        ids.iter().for_each(|id| grid[usize::from(id.0)] = true);
        Grid(grid)
    }

    fn contains(&self, id: BlockId) -> bool {
        self.0[usize::from(id.0)]
    }
}

/// A tile that was written, and those below it: south-west, south-east, north-west, north-east.
#[derive(Default)]
struct Tree([Option<Box<Tree>>; 4]);

impl Tree {
    /// A hexadecimal digit for each tile, whose bits say which of the four below it there are, followed by those.
    fn text(&self) -> String {
        let mut text = String::new();
        self.add_to(&mut text);
        text
    }

    fn add_to(&self, text: &mut String) {
        let mask = (0..4).filter(|&i| self.0[i].is_some()).fold(0u32, |mask, i| mask | 1 << i);
        text.extend(char::from_digit(mask, 16));
        self.0.iter().flatten().for_each(|below| below.add_to(text));
    }
}

struct Tiler<'t> {
    library: &'t Library,
    files: &'t OutFiles,
    deepest: u8,
    land: Grid,
    bar: &'t ProgressBar,
}

/// Something to see from near, and down to which level it is worth tiles.
#[derive(Clone, Copy)]
struct Built {
    place: Rectangle,
    deepest: u8,
}

impl Built {
    /// Worth tiles of all levels.
    fn whole(place: Rectangle) -> Built {
        Built { place, deepest: u8::MAX }
    }
}

impl Tiler<'_> {
    /// Draws a tile of the land and all below it; none where there is nothing.
    fn land(&self, level: u8, x: u32, y: u32) -> Result<Option<(Canvas, Tree)>> {
        let side = 1u32 << (8 - level);
        let blocks = || {
            (x * side..(x + 1) * side).flat_map(move |bx| (y * side..(y + 1) * side).map(move |by| (bx, by)))
        };
        if !blocks().any(|(bx, by)| self.land.contains(BlockId::new(bx as u8, by as u8))) {
            return Ok(None);
        }
        let (canvas, tree) = if level == GROUND { self.ground(x, y)? } else { self.above(level, x, y)? };
        self.files.put(&format!("land/{level}/{x}_{y}.png"), &canvas.png()?)?;
        Ok(Some((canvas, tree)))
    }

    /// A tile made of the four below it.
    fn above(&self, level: u8, x: u32, y: u32) -> Result<(Canvas, Tree)> {
        let below = (0..4u32).into_par_iter().map(|i| self.land(level + 1, 2 * x + i % 2, 2 * y + i / 2));
        let below: Vec<Option<(Canvas, Tree)>> = below.collect::<Result<_>>()?;
        let mut canvas = blank();
        let mut tree = Tree::default();
        for (i, below) in below.into_iter().enumerate() {
            let Some((part, branch)) = below else { continue };
            canvas.paste(i % 2 * TILE / 2, (1 - i / 2) * TILE / 2, &part.halved());
            tree.0[i] = Some(Box::new(branch));
        }
        Ok((canvas, tree))
    }

    /// A tile of the ground, and the deeper ones where something stands.
    fn ground(&self, x: u32, y: u32) -> Result<(Canvas, Tree)> {
        let side = 1u32 << (8 - GROUND);
        let (mut blocks, mut built) = (Blocks::new(), Vec::new());
        // Roofs and trees reach into the neighbouring tiles.
        for bx in (x * side).saturating_sub(1)..=((x + 1) * side).min(254) {
            for by in (y * side).saturating_sub(1)..=((y + 1) * side).min(254) {
                let id = BlockId::new(bx as u8, by as u8);
                if !self.land.contains(id) {
                    continue;
                }
                let mut block = load_block(self.library, id)?;
                if is_dungeon(&block) {
                    // Here only the ground above it counts.
                    block.block =
                        Arc::new(Landblock { env_cells: Box::default(), ..Landblock::clone(&block.block) });
                }
                built.extend(built_in(&block.block));
                blocks.insert(id, block);
                if bx / side == x && by / side == y {
                    self.bar.inc(1);
                }
            }
        }
        let canvas = draw(&blocks, GROUND, x, y);
        let mut tree = Tree::default();
        for i in 0..4u32 {
            tree.0[i as usize] =
                self.built("land", &blocks, &built, ROOMS, 2 * x + i % 2, 2 * y + i / 2)?.map(Box::new);
        }
        Ok((canvas, tree))
    }

    /// A tile with something built, and all below it.
    fn built(
        &self,
        layer: &str,
        blocks: &Blocks,
        built: &[Built],
        level: u8,
        x: u32,
        y: u32,
    ) -> Result<Option<Tree>> {
        let tile = rectangle(level, x, y);
        let here: Vec<Built> = built
            .iter()
            .filter(|built| built.deepest >= level && touches(&built.place, &tile))
            .copied()
            .collect();
        if here.is_empty() || level > self.deepest {
            return Ok(None);
        }
        let canvas = draw(blocks, level, x, y);
        self.files.put(&format!("{layer}/{level}/{x}_{y}.png"), &canvas.png()?)?;
        let mut tree = Tree::default();
        for i in 0..4u32 {
            tree.0[i as usize] =
                self.built(layer, blocks, &here, level + 1, 2 * x + i % 2, 2 * y + i / 2)?.map(Box::new);
        }
        Ok(Some(tree))
    }

    /// The floors of a dungeon; none when it has no rooms that can be loaded.
    fn dungeon(&self, id: BlockId, places: &[NamedPlace]) -> Result<Option<Dungeon>> {
        let loaded = load_block(self.library, id)?;
        let rooms: Vec<Rectangle> =
            loaded.block.env_cells.iter().flatten().map(|cell| room(id, cell)).collect();
        let Some(extent) = rooms.iter().copied().reduce(around).filter(|_| is_dungeon(&loaded)) else {
            return Ok(None);
        };
        let storeys = storeys(&loaded.block);
        let mut floors = vec![self.floor(&loaded, "all", None, |_| true)?];
        if storeys.len() > 1 {
            for (index, &z) in storeys.iter().enumerate() {
                let next = storeys.get(index + 1).copied().unwrap_or(f32::INFINITY);
                let is_here = |cell: &EnvCell| {
                    let [low, high] = heights(cell);
                    (z..next).contains(&low) || low < z && high > z + REACHES
                };
                floors.push(self.floor(&loaded, &index.to_string(), Some(z), is_here)?);
            }
        }
        Ok(Some(Dungeon {
            id: format!("0x{:04X}", id.0),
            name: dungeon_name(id, places),
            bounds: [extent.min.x, extent.min.y, extent.max.x, extent.max.y],
            floors,
        }))
    }

    fn floor(
        &self,
        loaded: &LoadedBlock,
        name: &str,
        z: Option<f32>,
        is_here: impl Fn(&EnvCell) -> bool,
    ) -> Result<Floor> {
        let mut block = Landblock::clone(&loaded.block);
        for cell in &mut block.env_cells {
            *cell = cell.take().filter(&is_here);
        }
        let id = block.id;
        let rooms: Vec<Built> =
            block.env_cells.iter().flatten().map(|cell| Built::whole(room(id, cell))).collect();
        let blocks = BTreeMap::from([(id, LoadedBlock { block: Arc::new(block), ..loaded.clone() })]);
        let layer = format!("{:04X}/{name}", id.0);
        let tree = self.path_to(&layer, &blocks, &rooms, TOP, 0, 0)?;
        Ok(Floor { z, tiles: tree.map(|tree| tree.text()).unwrap_or_default() })
    }

    /// The way from the top down to the first tiles that are drawn.
    fn path_to(
        &self,
        layer: &str,
        blocks: &Blocks,
        rooms: &[Built],
        level: u8,
        x: u32,
        y: u32,
    ) -> Result<Option<Tree>> {
        if level == ROOMS {
            return self.built(layer, blocks, rooms, level, x, y);
        }
        let tile = rectangle(level, x, y);
        if !rooms.iter().any(|room| touches(&room.place, &tile)) {
            return Ok(None);
        }
        let mut tree = Tree::default();
        for i in 0..4u32 {
            tree.0[i as usize] =
                self.path_to(layer, blocks, rooms, level + 1, 2 * x + i % 2, 2 * y + i / 2)?.map(Box::new);
        }
        Ok(Some(tree))
    }
}

fn blank() -> Canvas {
    Canvas::new(Vec2::ZERO, Vec2::splat(TILE as f32), 1.0, VOID)
}

/// The part of the map that a tile shows.
fn rectangle(level: u8, x: u32, y: u32) -> Rectangle {
    let side = BLOCK_SIDE * 2f32.powi(8 - i32::from(level));
    let min = Vec2::new(x as f32, y as f32) * side;
    Rectangle { min, max: min + side }
}

fn draw(blocks: &Blocks, level: u8, x: u32, y: u32) -> Canvas {
    let rectangle = rectangle(level, x, y);
    let scale = TILE as f32 / (rectangle.max.x - rectangle.min.x);
    // Only what can reach into the tile: objects stand at most a block away from theirs, dungeons wherever they like.
    let near = |id: &BlockId, block: &LoadedBlock| {
        let min = block_origin(*id) - BLOCK_SIDE;
        is_dungeon(block) || touches(&Rectangle { min, max: min + 3.0 * BLOCK_SIDE }, &rectangle)
    };
    let near: Blocks =
        blocks.iter().filter(|(id, block)| near(id, block)).map(|(id, block)| (*id, block.clone())).collect();
    Map { rectangle, scale, cut: f32::INFINITY, smooth: true, grid: false }.draw(&near, |_, _| ())
}

fn touches(a: &Rectangle, b: &Rectangle) -> bool {
    a.min.cmplt(b.max).all() && b.min.cmplt(a.max).all()
}

fn around(a: Rectangle, b: Rectangle) -> Rectangle {
    Rectangle { min: a.min.min(b.min), max: a.max.max(b.max) }
}

fn room(block: BlockId, cell: &EnvCell) -> Rectangle {
    let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
    on_map(block, bounds.min.truncate(), bounds.max.truncate())
}

/// A rectangle in block coordinates on the map; what is absurdly far away does not cost tiles.
fn on_map(block: BlockId, min: Vec2, max: Vec2) -> Rectangle {
    let (far, near) = (Vec2::splat(BLOCK_SIDE + FAR), Vec2::splat(-FAR));
    let origin = block_origin(block);
    Rectangle { min: origin + min.max(near).min(far), max: origin + max.max(near).min(far) }
}

/// Where rooms, shells, objects and roads of a block are.
fn built_in(block: &Landblock) -> Vec<Built> {
    let mut built: Vec<Built> =
        block.env_cells.iter().flatten().map(|cell| Built::whole(room(block.id, cell))).collect();
    for building in &block.buildings {
        let mesh =
            building.model.as_ref().and_then(|model| model.parts.first()).and_then(|part| part.mesh.as_ref());
        if let Some(mesh) = mesh {
            let bounds = mesh.bounds.transformed(|p| building.shell.frame.apply(p));
            built.push(Built::whole(on_map(block.id, bounds.min.truncate(), bounds.max.truncate())));
        }
    }
    for object in &block.statics {
        let Some(model) = &object.model else { continue };
        let sphere = model.sorting_sphere;
        let center = object.frame.apply(sphere.center).truncate();
        let radius = sphere.radius.max(1.0);
        built.push(Built::whole(on_map(block.id, center - radius, center + radius)));
    }
    for sample in (0..SAMPLES_PER_SIDE * SAMPLES_PER_SIDE).filter(|&sample| block.terrain.road(sample) != 0) {
        let (column, row) = (sample / SAMPLES_PER_SIDE, sample % SAMPLES_PER_SIDE);
        let at = Vec2::new(column as f32, row as f32) * CELL_SIDE;
        let place = on_map(block.id, at - CELL_SIDE / 2.0, at + CELL_SIDE / 2.0);
        built.push(Built { place, deepest: ROADS });
    }
    built.retain(|built| built.place.min.is_finite() && built.place.max.is_finite());
    built
}

/// The lowest and the highest point of a room.
fn heights(cell: &EnvCell) -> [f32; 2] {
    let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
    [bounds.min.z, bounds.max.z]
}

/// Altitudes of a dungeon's floors, from the lowest.
fn storeys(block: &Landblock) -> Vec<f32> {
    let mut lows: Vec<f32> = block.env_cells.iter().flatten().map(|cell| heights(cell)[0]).collect();
    lows.retain(|low| low.is_finite());
    lows.sort_by(f32::total_cmp);
    let mut storeys: Vec<f32> = Vec::new();
    for low in lows {
        if storeys.last().is_none_or(|last| low - last > STOREY) {
            storeys.push(low);
        }
    }
    storeys.truncate(MAX_STOREYS);
    storeys
}

fn bounds(ids: &[BlockId]) -> Option<[u8; 4]> {
    let corner = |id: &BlockId| [id.x(), id.y(), id.x(), id.y()];
    ids.iter().map(corner).reduce(|a, b| [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])])
}

/// What the places in a dungeon are called together.
fn dungeon_name(id: BlockId, places: &[NamedPlace]) -> String {
    let inside = places.iter().filter(|place| place.position.cell.block() == id);
    let mut names = inside.map(|place| place.name.as_str());
    let first = names.next().unwrap_or_default();
    // The words that all of them begin with.
    let shared = names.fold(first.split(' ').collect::<Vec<_>>(), |shared, name| {
        shared.iter().zip(name.split(' ')).take_while(|(a, b)| **a == *b).map(|(a, _)| *a).collect()
    });
    let name = if shared.is_empty() { first.to_owned() } else { shared.join(" ") };
    if name.is_empty() { format!("Dungeon 0x{:04X}", id.0) } else { name }
}

fn mark(place: &NamedPlace, dungeons: &[Dungeon]) -> PlaceMark {
    let block = place.position.cell.block();
    let [x, y, z] = place.position.frame.origin.to_array();
    let at = block_origin(block) + Vec2::new(x, y);
    let id = format!("0x{:04X}", block.0);
    let dungeon = dungeons.iter().any(|dungeon| dungeon.id == id).then_some(id);
    let kind = if dungeon.is_some() { PlaceKind::Dungeon } else { place.kind };
    PlaceMark { name: place.name.clone(), kind: kind.to_string(), x: at.x, y: at.y, z, dungeon }
}
