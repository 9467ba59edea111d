//! The outdoor half of the cell file: terrain samples, placed objects and buildings. Spec: dat-cell §2, §3.

use super::{DatRecord, Frame, PackedTable, PlacedObject, PortalFlags};
use crate::codec::{Reader, Result, Wire, Writer};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// One terrain sample: road, type and scenery in sixteen bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct TerrainWord(pub u16);

impl TerrainWord {
    /// 0 where there is no road.
    pub fn road(self) -> u8 {
        (self.0 & 3) as u8
    }

    /// 0–31, an index into the Region's terrain types.
    pub fn terrain_type(self) -> u8 {
        (self.0 >> 2 & 31) as u8
    }

    /// 0–31, an index into the scene types of the terrain type.
    pub fn scenery(self) -> u8 {
        (self.0 >> 11) as u8
    }
}

#[cfg(feature = "serde")]
impl Serialize for TerrainWord {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// The ground of a landblock: 9 × 9 samples, index = x·9 + y from the south-west corner.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LandBlock {
    /// Whether the block also has a [`LandBlockInfo`]; the directory decides.
    pub has_info: bool,
    /// What the ground is made of.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_slice"))]
    pub terrain: [TerrainWord; LandBlock::SAMPLES],
    /// Indices into the Region's height table.
    #[cfg_attr(feature = "serde", serde(serialize_with = "as_slice"))]
    pub heights: [u8; LandBlock::SAMPLES],
}

impl LandBlock {
    /// 9 × 9: the last row and column repeat the neighbour's first.
    pub const SAMPLES: usize = 81;
}

impl Default for LandBlock {
    fn default() -> Self {
        LandBlock { has_info: false, terrain: [TerrainWord(0); 81], heights: [0; 81] }
    }
}

#[cfg(feature = "serde")]
fn as_slice<S: Serializer, T: Serialize, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    array.as_slice().serialize(serializer)
}

impl DatRecord for LandBlock {
    const KIND: RecordKind = RecordKind::LandBlock;
}

impl Wire for LandBlock {
    const MIN: usize = 248;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let has_info = r.read("has info")?;
        let terrain = r.read::<[u16; LandBlock::SAMPLES]>("terrain")?.map(TerrainWord);
        let heights = r.chunk("heights")?;
        r.align("padding")?;
        Ok(LandBlock { has_info, terrain, heights })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.has_info, "has info")?;
        w.write(&self.terrain.map(|word| word.0), "terrain")?;
        w.raw(&self.heights);
        w.align();
        Ok(())
    }
}

/// The objects and buildings of a landblock, and its number of interior cells.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LandBlockInfo {
    /// Interior cells are numbered 0x0100 … 0x0100 + count − 1.
    pub cell_count: u32,
    /// Static objects outdoors.
    pub objects: Vec<PlacedObject>,
    /// Shells with openings into interior cells.
    pub buildings: Vec<Building>,
    /// Cell → object id of the house that guards it.
    pub restrictions: Option<PackedTable<u32, u32>>,
    /// Stored mask; bit 0 follows from `restrictions` when written.
    pub pack_mask: u16,
}

impl LandBlockInfo {
    const HAS_RESTRICTIONS: u16 = 1;
    const HAS_CELL_TABLE: u16 = 2;
    const MAX_CELLS: u32 = 0xFEFE;
}

impl DatRecord for LandBlockInfo {
    const KIND: RecordKind = RecordKind::LandBlockInfo;
}

impl Wire for LandBlockInfo {
    const MIN: usize = 12;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let cell_count: u32 = r.read("cell count")?;
        if cell_count > LandBlockInfo::MAX_CELLS {
            return Err(r.error(
                "cell count",
                offset,
                format!("{cell_count} is more than {:#x}", Self::MAX_CELLS),
            ));
        }
        let objects = r.read("objects")?;
        let offset = r.pos();
        let building_count: u16 = r.read("building count")?;
        let pack_mask: u16 = r.read("pack mask")?;
        r.check_count(building_count.into(), Building::MIN as u64, offset, "building count")?;
        let buildings = r.elements(building_count.into(), |r| r.read("building"))?;
        let restrictions = match pack_mask & LandBlockInfo::HAS_RESTRICTIONS {
            0 => None,
            _ => Some(r.read("restrictions")?),
        };
        if pack_mask & LandBlockInfo::HAS_CELL_TABLE != 0 {
            r.tolerate("pack mask", offset + 2, || {
                "a cell table follows, whose layout is unknown".to_owned()
            })?;
        }
        if pack_mask & !3 != 0 {
            r.note("pack mask", offset + 2, || format!("unknown bits in {pack_mask:#06x}"));
        }
        Ok(LandBlockInfo { cell_count, objects, buildings, restrictions, pack_mask })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        if self.cell_count > LandBlockInfo::MAX_CELLS {
            return Err(
                w.error("cell count", format!("{} is more than {:#x}", self.cell_count, Self::MAX_CELLS))
            );
        }
        w.write(&self.cell_count, "cell count")?;
        w.write(&self.objects, "objects")?;
        w.count_as::<u16>(self.buildings.len(), "building count")?;
        let has_restrictions = u16::from(self.restrictions.is_some());
        w.write(&(self.pack_mask & !LandBlockInfo::HAS_RESTRICTIONS | has_restrictions), "pack mask")?;
        w.elements(&self.buildings, "building")?;
        match &self.restrictions {
            Some(table) => w.write(table, "restrictions"),
            None => Ok(()),
        }
    }
}

/// A shell on the ground whose openings lead into interior cells.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Building {
    /// GfxObj or Setup; of a Setup only part 0 is the shell.
    pub model: DatId,
    /// In landblock space; skip the building unless [`Frame::is_placed`].
    pub frame: Frame,
    /// Leaves of the shell's drawing tree; not needed to draw.
    pub leaf_count: u32,
    /// In the order that the shell's drawing tree refers to.
    pub portals: Vec<BuildingPortal>,
}

impl Wire for Building {
    const MIN: usize = 40;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        Ok(Building {
            model: r.read("building model")?,
            frame: Frame::read_skippable(r, "building frame")?,
            leaf_count: r.read("building leaf count")?,
            portals: r.read("building portals")?,
        })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.model, "building model")?;
        w.write(&self.frame, "building frame")?;
        w.write(&self.leaf_count, "building leaf count")?;
        w.write(&self.portals, "building portals")
    }
}

/// An opening of a building's shell.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct BuildingPortal {
    /// Which side the outdoors is on.
    pub flags: PortalFlags,
    /// Number of the interior cell behind it.
    pub other_cell: u16,
    /// Index into that cell's portals; negative for none.
    pub other_portal: i16,
    /// Interior cells to load because of this opening and to admit to drawing through it.
    pub visible_cells: Vec<u16>,
}

impl Wire for BuildingPortal {
    const MIN: usize = 8;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let flags = r.read("building portal flags")?;
        let other_cell = r.read("building portal cell")?;
        let other_portal = r.read("building portal other portal")?;
        let offset = r.pos();
        let count: u16 = r.read("building portal visible cells")?;
        r.check_count(count.into(), 2, offset, "building portal visible cells")?;
        let visible_cells = r.elements(count.into(), |r| r.read("building portal visible cells"))?;
        r.align("building portal padding")?;
        Ok(BuildingPortal { flags, other_cell, other_portal, visible_cells })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.flags, "building portal flags")?;
        w.write(&self.other_cell, "building portal cell")?;
        w.write(&self.other_portal, "building portal other portal")?;
        w.count_as::<u16>(self.visible_cells.len(), "building portal visible cells")?;
        w.elements(&self.visible_cells, "building portal visible cells")?;
        w.align();
        Ok(())
    }
}
