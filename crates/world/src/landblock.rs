//! Landblocks: terrain, outdoor cells, buildings and the interior cells that belong to them.

use crate::{
    BlockId, CellId,
    cell::{EnvCell, StaticObject},
    frame::{Frame, Position},
    model::{Mesh, Model},
    scenery::Growth,
    terrain::Terrain,
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::{DatId, prefetch};

/// An opening of a building's shell.
#[derive(Clone, Debug, PartialEq)]
pub struct BuildingPortal {
    /// Interior cell behind it.
    pub cell: CellId,
    /// Index of that cell's own opening; `None` means that it cannot be entered.
    pub other_portal: Option<u16>,
    /// Stored flag; nothing outdoors reads it.
    pub exact_match: bool,
    /// An outdoor viewer looks in from the negative side of the shell polygon (retail: portal side 1).
    pub neighbour_is_positive: bool,
    /// Interior cells to be loaded because of, and seen through, this opening.
    pub visible_cells: Box<[u16]>,
}

/// A building: a shell outdoors and portals into interior cells.
#[derive(Clone, Debug)]
pub struct Building {
    /// GfxObj or Setup of the shell.
    pub model_id: DatId,
    /// The shell; `None` when the model is missing. Only part 0 collides and has openings.
    pub model: Option<Arc<Model>>,
    /// The land cell that holds it and the shell's place.
    pub position: Position,
    /// Where part 0 of the model, the shell, is.
    pub shell: Position,
    /// Openings; the shell's drawing tree refers to them by index.
    pub portals: Box<[BuildingPortal]>,
    /// Other meshes of the shell's distance ladder.
    pub levels: Box<[Arc<Mesh>]>,
}

impl Building {
    /// A building; its shell is part 0 of the model.
    pub fn new(
        model_id: DatId,
        model: Option<Arc<Model>>,
        position: Position,
        portals: Box<[BuildingPortal]>,
    ) -> Building {
        let mut shell = position;
        if let Some(part) = model.as_ref().and_then(|model| model.parts.first()) {
            shell.frame = position.frame.compose(&part.frame);
        }
        Building { model_id, model, position, shell, portals, levels: Box::default() }
    }

    /// The mesh of the shell at a distance; `None` when neither the shell nor its interior is drawn.
    /// Spec: visibility §7 step 1.
    pub fn shell_at(&self, distance: f32) -> Option<&Mesh> {
        let part = self.model.as_ref()?.parts.first()?;
        let own = part.mesh.as_deref()?;
        // Shells without polygons have openings all the same.
        let Some(ladder) = &own.ladder else { return Some(own) };
        let drawn = ladder.levels()[ladder.select(distance, part.scale.z)].mesh?;
        if drawn == own.id {
            Some(own)
        } else {
            self.levels.iter().map(|mesh| &**mesh).find(|mesh| mesh.id == drawn)
        }
    }
}

/// A landblock; never changes once it is loaded.
#[derive(Clone, Debug)]
pub struct Landblock {
    /// Which one.
    pub id: BlockId,
    /// Heights, triangles, water, roads.
    pub terrain: Terrain,
    /// Whether there is land at all: outdoor cells of a block without it are never resident. The rule for blocks
    /// without a LandBlock record is that of [`load_block`](crate::load_block).
    pub has_land: bool,
    /// Buildings in stored order, the ignored ones included.
    pub buildings: Box<[Building]>,
    /// Objects listed in the block's info record.
    pub statics: Box<[StaticObject]>,
    /// Trees, rocks and flowers that grow on it.
    pub scenery: Box<[Growth]>,
    /// Interior cells; index 0 is number 0x100. Missing and broken ones are `None`.
    pub env_cells: Box<[Option<EnvCell>]>,
    /// Objects that guard outdoor cells, by cell number; number 0 means the whole block.
    pub restrictions: Box<[(u32, u32)]>,
    /// For each outdoor cell, the building in it.
    pub cell_buildings: [Option<u16>; 64],
}

impl Landblock {
    /// The interior cell with the given number.
    #[inline]
    pub fn env_cell(&self, low: u16) -> Option<&EnvCell> {
        self.env_cells.get(usize::from(low.wrapping_sub(0x100)))?.as_ref().filter(|_| low >= 0x100)
    }

    /// The outdoor cell with the given number.
    #[inline]
    pub fn land_cell(&self, low: u16) -> Option<LandCell<'_>> {
        (1..=0x40).contains(&low).then(|| LandCell { block: self, index: (low - 1) as u8 })
    }

    /// The object that guards an outdoor cell, by index from 0.
    ///
    /// UNCERTAIN in the original: what the table's keys mean. Taken as cell numbers, 0 for all. Spec: dat-cell §3.
    #[inline]
    pub fn land_restriction(&self, index: usize) -> Option<u32> {
        let mut entries = self.restrictions.iter();
        entries.find(|(key, _)| *key == 0 || *key == index as u32 + 1).map(|&(_, guard)| guard)
    }

    /// Assigns to each land cell the first building whose origin is in it.
    ///
    /// Retail: `CLandBlock::init_buildings` (0x0052FD80), `CSortCell::add_building`. Spec: physics-cells §3.1.
    pub fn assign_buildings(id: BlockId, buildings: &[Building]) -> [Option<u16>; 64] {
        let mut owners = [None; 64];
        for (i, building) in buildings.iter().enumerate() {
            let cell = building.position.cell;
            if cell.block() == id && (1..=0x40).contains(&cell.low()) {
                owners[usize::from(cell.low()) - 1].get_or_insert(i as u16);
            }
        }
        owners
    }
}

/// An outdoor cell of a loaded block.
#[derive(Clone, Copy, Debug)]
pub struct LandCell<'w> {
    /// The block it belongs to.
    pub block: &'w Landblock,
    index: u8,
}

impl<'w> LandCell<'w> {
    /// Asks for what a sweep reads of it first.
    pub(crate) fn prefetch(&self) {
        let (block, index) = (self.block, self.index());
        prefetch(&block.restrictions);
        prefetch(&block.cell_buildings[index]);
        block.terrain.prefetch(index);
    }

    /// The cell's id.
    #[inline]
    pub fn id(&self) -> CellId {
        self.block.id.cell(u16::from(self.index) + 1)
    }

    /// Number of the cell in its block from 0: column × 8 + row.
    pub fn index(&self) -> usize {
        usize::from(self.index)
    }

    /// The cell's centre at height zero, as retail places land cells.
    pub fn position(&self) -> Position {
        let (x, y) = (f32::from(self.index >> 3), f32::from(self.index & 7));
        Position::new(self.id(), Frame::at(Vec3::new((2.0 * x + 1.0) * 12.0, (2.0 * y + 1.0) * 12.0, 0.0)))
    }

    /// The building in this cell.
    #[inline]
    pub fn building(&self) -> Option<&'w Building> {
        self.block.cell_buildings[self.index()].map(|i| &self.block.buildings[usize::from(i)])
    }

    /// Whether a point in block coordinates lies over one of the cell's triangles.
    /// Retail: `CLandCell::point_in_cell` (0x00532D40).
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        self.block.terrain.triangle_under(self.index(), p).is_some()
    }
}
