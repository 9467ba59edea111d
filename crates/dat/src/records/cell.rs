//! Interior cells. Spec: dat-cell §4, §5.

use super::{DatRecord, Frame, PlacedObject};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// Properties of a portal; unknown bits are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct PortalFlags(pub u16);

impl PortalFlags {
    /// The polygons of both sides coincide.
    pub const EXACT_MATCH: u16 = 1;
    /// The owner lies on the positive side of the portal's plane.
    pub const POSITIVE_SIDE: u16 = 2;
    /// Leads outdoors; only on cell portals.
    pub const EXIT: u16 = 4;

    /// The polygons of both sides coincide.
    pub fn is_exact(self) -> bool {
        self.0 & Self::EXACT_MATCH != 0
    }

    /// True when the owner lies on the positive side of the portal's plane, false for the negative side.
    pub fn owner_is_positive(self) -> bool {
        self.0 & Self::POSITIVE_SIDE != 0
    }

    /// Marked as leading outdoors; ask [`CellPortal::is_exit`] for the whole rule.
    pub fn is_exit(self) -> bool {
        self.0 & Self::EXIT != 0
    }
}

#[cfg(feature = "serde")]
impl Serialize for PortalFlags {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Wire for PortalFlags {
    const MIN: usize = 2;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let offset = r.pos();
        let flags: u16 = r.read(field)?;
        if flags & !7 != 0 {
            r.note(field, offset, || format!("unknown bits in {flags:#06x}"));
        }
        Ok(PortalFlags(flags))
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.write(&self.0, field)
    }
}

wire_struct! {
    /// An opening of an interior cell.
    #[derive(Copy, Eq)]
    pub struct CellPortal {
        /// Which side the cell is on, and whether this is an exit.
        pub flags: PortalFlags,
        /// Id of a polygon of the cell's structure.
        pub polygon: u16,
        /// Number of the cell behind it; 0xFFFF outdoors.
        pub other_cell: u16,
        /// Index into that cell's portals; negative for none.
        pub other_portal: i16,
    }
}

impl CellPortal {
    /// Whether it leads outdoors: marked so, or naming the outdoors.
    pub fn is_exit(&self) -> bool {
        self.flags.is_exit() || self.other_cell == 0xFFFF
    }
}

/// An interior cell: a structure of an Environment, dressed, placed and connected.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct EnvCell {
    /// Stored flags; those of the optional parts follow from the parts when written.
    pub flags: u32,
    /// Surfaces that the structure's polygons index; each is 0x08000000 + number.
    pub surfaces: Vec<u16>,
    /// Environment 0x0D000000 + number.
    pub environment: u16,
    /// Key of the structure inside the Environment.
    pub structure: u16,
    /// Structure space → landblock space.
    pub frame: Frame,
    /// Openings.
    pub portals: Vec<CellPortal>,
    /// Numbers of the cells that may be drawn from here.
    pub visible_cells: Vec<u16>,
    /// Objects, placed in landblock space.
    pub statics: Vec<PlacedObject>,
    /// Object id of the house that guards access.
    pub restriction: Option<u32>,
}

impl EnvCell {
    /// The outdoors can be seen from here: it is loaded, and the sun shines in.
    pub const SEEN_OUTSIDE: u32 = 1;
    const HAS_STATICS: u32 = 2;
    const HAS_SERVER_DATA: u32 = 4;
    const HAS_RESTRICTION: u32 = 8;

    /// The outdoors can be seen from here: it is loaded, and the sun shines in.
    pub fn seen_outside(&self) -> bool {
        self.flags & Self::SEEN_OUTSIDE != 0
    }

    /// The full id of surface number `index` of this cell.
    pub fn surface(&self, index: usize) -> Option<DatId> {
        self.surfaces.get(index).map(|&number| DatId(0x0800_0000 | u32::from(number)))
    }

    /// The full id of the Environment.
    pub fn environment_id(&self) -> DatId {
        DatId(0x0D00_0000 | u32::from(self.environment))
    }
}

impl DatRecord for EnvCell {
    const KIND: RecordKind = RecordKind::EnvCell;
}

impl Wire for EnvCell {
    const MIN: usize = 44;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let flags_at = r.pos();
        let flags: u32 = r.read("flags")?;
        if flags & !0xF != 0 {
            r.note("flags", flags_at, || format!("unknown bits in {flags:#x}"));
        }
        r.own_id(true, "second id")?;
        let counts_at = r.pos();
        let surface_count: u8 = r.read("surface count")?;
        let portal_count: u8 = r.read("portal count")?;
        let visible_count: u16 = r.read("visible cell count")?;
        let fixed = 2 * u64::from(surface_count) + 8 * u64::from(portal_count) + 2 * u64::from(visible_count);
        r.check_count(1, fixed + 32, counts_at, "counts")?;
        let surfaces = r.elements(surface_count.into(), |r| r.read("surfaces"))?;
        let environment = r.read("environment")?;
        let structure = r.read("structure")?;
        let frame = r.read("frame")?;
        let portals = r.elements(portal_count.into(), |r| r.read("portals"))?;
        let visible_cells = r.elements(visible_count.into(), |r| r.read("visible cells"))?;
        let statics = if flags & Self::HAS_STATICS != 0 { r.read("statics")? } else { Vec::new() };
        let mut restriction = None;
        if flags & Self::HAS_SERVER_DATA != 0 {
            r.tolerate("flags", flags_at, || "server data follows, whose layout is unknown".to_owned())?;
        } else if flags & Self::HAS_RESTRICTION != 0 {
            restriction = Some(r.read("restriction")?);
        }
        Ok(EnvCell {
            flags,
            surfaces,
            environment,
            structure,
            frame,
            portals,
            visible_cells,
            statics,
            restriction,
        })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        let mut flags = self.flags;
        if !self.statics.is_empty() {
            flags |= Self::HAS_STATICS;
        }
        // Behind server data nothing was decoded, and the bit belongs to the bytes that were kept.
        if flags & Self::HAS_SERVER_DATA == 0 {
            flags &= !Self::HAS_RESTRICTION;
            flags |= if self.restriction.is_some() { Self::HAS_RESTRICTION } else { 0 };
        }
        w.write(&flags, "flags")?;
        w.own_id();
        w.count_as::<u8>(self.surfaces.len(), "surface count")?;
        w.count_as::<u8>(self.portals.len(), "portal count")?;
        w.count_as::<u16>(self.visible_cells.len(), "visible cell count")?;
        w.elements(&self.surfaces, "surfaces")?;
        w.write(&self.environment, "environment")?;
        w.write(&self.structure, "structure")?;
        w.write(&self.frame, "frame")?;
        w.elements(&self.portals, "portals")?;
        w.elements(&self.visible_cells, "visible cells")?;
        if flags & Self::HAS_STATICS != 0 {
            w.write(&self.statics, "statics")?;
        }
        match &self.restriction {
            Some(restriction) if flags & Self::HAS_SERVER_DATA == 0 => w.write(restriction, "restriction"),
            _ => Ok(()),
        }
    }
}
