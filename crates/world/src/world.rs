//! The resident set: which blocks and cells exist for the engine right now.

use crate::{
    BlockId, CellId,
    cell::EnvCell,
    coords::adjust_to_outside,
    frame::Position,
    landblock::{LandCell, Landblock},
};
use glam::Vec3;
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};
use threshold_dat::prefetch;

/// A cell that is loaded, of either kind.
#[derive(Clone, Copy, Debug)]
pub enum Cell<'w> {
    /// Outdoors.
    Land(LandCell<'w>),
    /// Indoors.
    Env(&'w EnvCell),
}

impl Cell<'_> {
    /// The cell's id.
    pub fn id(&self) -> CellId {
        match self {
            Cell::Land(cell) => cell.id(),
            Cell::Env(cell) => cell.id(),
        }
    }

    /// Whether a point in the coordinates of the cell's block lies in it.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        match self {
            Cell::Land(cell) => cell.contains(p),
            Cell::Env(cell) => cell.contains(p),
        }
    }
}

/// One bit per interior cell.
#[derive(Clone, Debug, Default)]
struct CellBits(Vec<u64>);

impl CellBits {
    fn get(&self, index: usize) -> bool {
        self.0.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
    }

    fn set(&mut self, index: usize, value: bool) {
        if index / 64 >= self.0.len() {
            if !value {
                return;
            }
            self.0.resize(index / 64 + 1, 0);
        }
        let bit = 1 << (index % 64);
        if value { self.0[index / 64] |= bit } else { self.0[index / 64] &= !bit }
    }
}

#[derive(Clone, Debug)]
struct Slot {
    block: Arc<Landblock>,
    landscape: bool,
    cells: CellBits,
}

/// Block slots over the whole map. Looking up a cell is two array accesses and never loads anything.
///
/// Data and residency are separate: a slot has the block's data and records which of its cells count as loaded.
/// Retail: the landscape's block array and the visible-cell table.
#[derive(Clone, Debug)]
pub struct World {
    slots: Box<[Option<Slot>]>,
    version: u64,
}

/// Source of [`World::version`]: no two states of any worlds share a number.
static NEXT_VERSION: AtomicU64 = AtomicU64::new(1);

fn next_version() -> u64 {
    NEXT_VERSION.fetch_add(1, Ordering::Relaxed)
}

impl Default for World {
    fn default() -> Self {
        World { slots: vec![None; 1 << 16].into_boxed_slice(), version: next_version() }
    }
}

/// Cells that are searched besides the one a search starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchedCells {
    /// All that are on its visible list.
    Visible,
    /// Those behind its portals.
    Neighbours,
}

impl World {
    /// A world in which nothing is loaded.
    pub fn new() -> World {
        World::default()
    }

    /// A number that changes whenever what is loaded changes, and that no other world has. Results derived from a world stay
    /// valid while it is unchanged.
    #[inline]
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Puts a block's data into its slot, with nothing resident yet; replaces existing data.
    pub fn insert(&mut self, block: Arc<Landblock>) {
        self.version = next_version();
        let index = usize::from(block.id.0);
        self.slots[index] = Some(Slot { block, landscape: false, cells: CellBits::default() });
    }

    /// Puts a block's data into its slot with its outdoor cells, if it has land, and all its interior cells
    /// resident.
    pub fn insert_resident(&mut self, block: Arc<Landblock>) {
        let id = block.id;
        let cells = block.env_cells.len();
        self.insert(block);
        self.set_landscape_resident(id, true);
        for index in 0..cells {
            self.set_cell_resident(id.cell(0x100 + index as u16), true);
        }
    }

    /// Empties a slot.
    pub fn remove(&mut self, id: BlockId) -> Option<Arc<Landblock>> {
        self.version = next_version();
        self.slots[usize::from(id.0)].take().map(|slot| slot.block)
    }

    /// Declares the outdoor cells of a block loaded or not. False when the slot is empty, or the block has no land.
    pub fn set_landscape_resident(&mut self, id: BlockId, resident: bool) -> bool {
        let Some(slot) = &mut self.slots[usize::from(id.0)] else { return false };
        slot.landscape = resident && slot.block.has_land;
        self.version = next_version();
        slot.block.has_land
    }

    /// Declares an interior cell loaded or not. False when its block holds no such cell.
    pub fn set_cell_resident(&mut self, id: CellId, resident: bool) -> bool {
        let Some(slot) = &mut self.slots[usize::from(id.block().0)] else { return false };
        let exists = slot.block.env_cell(id.low()).is_some();
        if exists {
            slot.cells.set(usize::from(id.low() - 0x100), resident);
            self.version = next_version();
        }
        exists
    }

    /// The data in a block's slot, resident or not.
    pub fn block_data(&self, id: BlockId) -> Option<&Arc<Landblock>> {
        self.slots[usize::from(id.0)].as_ref().map(|slot| &slot.block)
    }

    /// Ids of all slots that hold data, ascending.
    pub fn block_ids(&self) -> impl Iterator<Item = BlockId> + '_ {
        (0..=u16::MAX).map(BlockId).filter(|id| self.slots[usize::from(id.0)].is_some())
    }

    /// A block whose outdoor cells are loaded.
    #[inline]
    pub fn landscape(&self, id: BlockId) -> Option<&Landblock> {
        self.slots[usize::from(id.0)].as_ref().filter(|slot| slot.landscape).map(|slot| &*slot.block)
    }

    /// A loaded outdoor cell. Retail: `LScape::get_landcell`.
    #[inline]
    pub fn land_cell(&self, id: CellId) -> Option<LandCell<'_>> {
        self.landscape(id.block())?.land_cell(id.low())
    }

    /// A loaded interior cell. Retail: `CEnvCell::GetVisible` (0x0052DC10).
    #[inline]
    pub fn env_cell(&self, id: CellId) -> Option<&EnvCell> {
        let slot = self.slots[usize::from(id.block().0)].as_ref()?;
        slot.block.env_cell(id.low()).filter(|_| slot.cells.get(usize::from(id.low() - 0x100)))
    }

    /// A loaded cell of either kind; never loads. Retail: `CObjCell::GetVisible` (0x0052AD40).
    #[inline]
    pub fn cell(&self, id: CellId) -> Option<Cell<'_>> {
        if id.is_interior() { self.env_cell(id).map(Cell::Env) } else { self.land_cell(id).map(Cell::Land) }
    }

    /// Asks for what a sweep reads of a cell first, if the cell is loaded.
    #[doc(hidden)]
    #[inline]
    pub fn prefetch(&self, id: CellId) {
        match self.cell(id) {
            Some(Cell::Env(cell)) => prefetch(cell),
            Some(Cell::Land(cell)) => cell.prefetch(),
            None => {}
        }
    }

    /// The loaded cell at a point near `anchor`: the anchor itself, else one of the cells that are searched.
    /// Retail: `CEnvCell::find_visible_child_cell` (0x0052DC50). Spec: physics-cells §3.12.
    pub fn visible_child<'w>(
        &'w self,
        anchor: &'w EnvCell,
        p: Vec3,
        searched: SearchedCells,
    ) -> Option<&'w EnvCell> {
        if anchor.contains(p) {
            return Some(anchor);
        }
        let block = anchor.id().block();
        match searched {
            SearchedCells::Visible => {
                let mut cells = anchor.visible_cells.iter().filter_map(|&low| self.env_cell(block.cell(low)));
                cells.find(|cell| cell.contains(p))
            }
            SearchedCells::Neighbours => {
                let mut cells = anchor.portals.iter().filter_map(|portal| match portal.target {
                    crate::cell::PortalTarget::Cell(id) => self.env_cell(id),
                    crate::cell::PortalTarget::Outside => None,
                });
                cells.find(|cell| cell.contains(p))
            }
        }
    }

    /// Finds the cell of a position that comes from outside the sweep (placement, teleport, start of the camera).
    ///
    /// `reference` is the mover's first sphere centre in its own space. The result names a cell that need not be
    /// loaded when it is outdoors. Retail: `CPhysicsObj::AdjustPosition`. Spec: physics-cells §3.12.
    pub fn reseat(&self, position: &Position, reference: Vec3) -> Option<Position> {
        let outside = |position: &Position| {
            let (cell, origin) = adjust_to_outside(position.cell, position.frame.origin)?;
            let mut frame = position.frame;
            frame.origin = origin;
            Some(Position::new(cell, frame))
        };
        if !position.cell.has_valid_low() {
            return None;
        }
        if position.cell.is_outdoor() {
            return outside(position);
        }
        let anchor = self.env_cell(position.cell)?;
        match self.visible_child(anchor, position.frame.apply(reference), SearchedCells::Visible) {
            Some(cell) => Some(Position::new(cell.id(), position.frame)),
            None if anchor.seen_outside => outside(position),
            None => None,
        }
    }
}
