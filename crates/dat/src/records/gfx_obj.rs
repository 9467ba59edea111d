//! Models. Spec: dat-portal §5.

use super::mesh::read_polygons;
use super::{BspKind, BspTree, DatRecord, Polygon, Vec3, VertexArray};
use crate::codec::{Reader, Result, Wire, Writer};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

/// Polygons under their ids, in stored order, and the tree that arranges them.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PolygonTree {
    /// Keyed by the ids that the tree uses.
    pub polygons: Vec<(u16, Polygon)>,
    /// Arranges the polygons in space.
    pub bsp: BspTree,
}

impl PolygonTree {
    fn read(r: &mut Reader<'_>, kind: BspKind, vertices: &VertexArray, field: &'static str) -> Result<Self> {
        let count = r.compressed_count(<(u16, Polygon)>::MIN, field)?;
        Ok(PolygonTree { polygons: read_polygons(r, count, vertices, field)?, bsp: BspTree::read(r, kind)? })
    }

    fn write(&self, w: &mut Writer<'_>, kind: BspKind, field: &'static str) -> Result<()> {
        w.compressed_count(self.polygons.len(), field)?;
        w.elements(&self.polygons, field)?;
        self.bsp.write(w, kind)
    }
}

/// A model: drawing and collision geometry.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct GfxObj {
    /// Stored flags; those of the optional parts follow from the parts when written.
    pub flags: u32,
    /// Surfaces that polygons index.
    pub surfaces: Vec<DatId>,
    /// Shared by both sets of polygons.
    pub vertices: VertexArray,
    /// Collision geometry.
    pub physics: Option<PolygonTree>,
    /// By which transparent parts are sorted.
    pub sort_center: Vec3,
    /// Drawing geometry.
    pub drawing: Option<PolygonTree>,
    /// Models for greater distances.
    pub degrade: Option<DatId>,
}

impl GfxObj {
    const HAS_PHYSICS: u32 = 1;
    const HAS_DRAWING: u32 = 2;
    const HAS_DEGRADE: u32 = 8;
}

impl DatRecord for GfxObj {
    const KIND: RecordKind = RecordKind::GfxObj;
}

impl Wire for GfxObj {
    const MIN: usize = 4 + 1 + 8 + 12;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let flags: u32 = r.read("flags")?;
        if flags & !(Self::HAS_PHYSICS | Self::HAS_DRAWING | Self::HAS_DEGRADE) != 0 {
            r.note("flags", offset, || format!("unknown bits in {flags:#x}"));
        }
        let surface_count = r.compressed_count(4, "surface count")?;
        let surfaces = r.elements(surface_count, |r| r.read("surfaces"))?;
        let vertices = r.read("vertices")?;
        let has = |flag| flags & flag != 0;
        let physics = if has(Self::HAS_PHYSICS) {
            Some(PolygonTree::read(r, BspKind::Physics, &vertices, "physics polygon")?)
        } else {
            None
        };
        let sort_center = r.read("sort center")?;
        let drawing = if has(Self::HAS_DRAWING) {
            Some(PolygonTree::read(r, BspKind::Drawing, &vertices, "polygon")?)
        } else {
            None
        };
        let degrade = if has(Self::HAS_DEGRADE) { Some(r.read("degrade info")?) } else { None };
        Ok(GfxObj { flags, surfaces, vertices, physics, sort_center, drawing, degrade })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        let mut flags = self.flags;
        for (flag, present) in [
            (Self::HAS_PHYSICS, self.physics.is_some()),
            (Self::HAS_DRAWING, self.drawing.is_some()),
            (Self::HAS_DEGRADE, self.degrade.is_some()),
        ] {
            flags = if present { flags | flag } else { flags & !flag };
        }
        w.write(&flags, "flags")?;
        w.compressed_count(self.surfaces.len(), "surface count")?;
        w.elements(&self.surfaces, "surfaces")?;
        w.write(&self.vertices, "vertices")?;
        if let Some(physics) = &self.physics {
            physics.write(w, BspKind::Physics, "physics polygon")?;
        }
        w.write(&self.sort_center, "sort center")?;
        if let Some(drawing) = &self.drawing {
            drawing.write(w, BspKind::Drawing, "polygon")?;
        }
        match &self.degrade {
            Some(degrade) => w.write(degrade, "degrade info"),
            None => Ok(()),
        }
    }
}
