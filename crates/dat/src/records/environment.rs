//! Shapes of interior cells. Spec: dat-portal §4.

use super::mesh::read_polygons;
use super::{BspKind, BspTree, DatRecord, Polygon, VertexArray};
use crate::RecordKind;
use crate::codec::{Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The shape of an interior cell, in its own space.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct CellStruct {
    /// Shared by both sets of polygons.
    pub vertices: VertexArray,
    /// Polygons to draw, including the openings, by id.
    pub polygons: Vec<(u16, Polygon)>,
    /// Ids of the polygons that are openings.
    pub portals: Vec<u16>,
    /// The cell's volume.
    pub cell_bsp: BspTree,
    /// Collision polygons, by id.
    pub physics_polygons: Vec<(u16, Polygon)>,
    /// Collision polygons in space.
    pub physics_bsp: BspTree,
    /// Drawing polygons in space.
    pub drawing_bsp: Option<BspTree>,
}

impl CellStruct {
    const SMALLEST_POLYGON: u64 = <(u16, Polygon)>::MIN as u64;
}

impl Wire for CellStruct {
    const MIN: usize = 12 + 8 + 8 + 8 + 4;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let counts_at = r.pos();
        let [polygon_count, physics_count, portal_count]: [u32; 3] = r.read("cell structure counts")?;
        let vertices = r.read("vertices")?;
        r.check_count(polygon_count.into(), Self::SMALLEST_POLYGON, counts_at, "polygon count")?;
        let polygons = read_polygons(r, polygon_count as usize, &vertices, "polygon")?;
        r.check_count(portal_count.into(), 2, counts_at + 8, "portal count")?;
        let portals_at = r.pos();
        let portals: Vec<u16> = r.elements(portal_count as usize, |r| r.read("portal list"))?;
        if r.examines()
            && let Some(missing) = portals.iter().find(|id| !polygons.iter().any(|(known, _)| known == *id))
        {
            r.note("portal list", portals_at, || format!("portal polygon {missing} does not exist"));
        }
        r.align("portal list padding")?;
        let cell_bsp = BspTree::read(r, BspKind::Cell)?;
        r.check_count(physics_count.into(), Self::SMALLEST_POLYGON, counts_at + 4, "physics polygon count")?;
        let physics_polygons = read_polygons(r, physics_count as usize, &vertices, "physics polygon")?;
        let physics_bsp = BspTree::read(r, BspKind::Physics)?;
        let has_drawing: bool = r.read("has drawing tree")?;
        let drawing_bsp = if has_drawing { Some(BspTree::read(r, BspKind::Drawing)?) } else { None };
        r.align("cell structure padding")?;
        Ok(CellStruct { vertices, polygons, portals, cell_bsp, physics_polygons, physics_bsp, drawing_bsp })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.count_as::<u32>(self.polygons.len(), "polygon count")?;
        w.count_as::<u32>(self.physics_polygons.len(), "physics polygon count")?;
        w.count_as::<u32>(self.portals.len(), "portal count")?;
        w.write(&self.vertices, "vertices")?;
        w.elements(&self.polygons, "polygon")?;
        w.elements(&self.portals, "portal list")?;
        w.align();
        self.cell_bsp.write(w, BspKind::Cell)?;
        w.elements(&self.physics_polygons, "physics polygon")?;
        self.physics_bsp.write(w, BspKind::Physics)?;
        w.write(&self.drawing_bsp.is_some(), "has drawing tree")?;
        if let Some(tree) = &self.drawing_bsp {
            tree.write(w, BspKind::Drawing)?;
        }
        w.align();
        Ok(())
    }
}

/// Structures under their keys, in stored order.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Environment {
    /// An EnvCell names one of these keys.
    pub structures: Vec<(u32, CellStruct)>,
}

impl Environment {
    /// The structure stored under a key; the first one counts when a key occurs twice.
    pub fn structure(&self, key: u16) -> Option<&CellStruct> {
        self.structures.iter().find(|(stored, _)| *stored == u32::from(key)).map(|(_, structure)| structure)
    }
}

impl DatRecord for Environment {
    const KIND: RecordKind = RecordKind::Environment;
}

impl Wire for Environment {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let structures: Vec<(u32, CellStruct)> = r.read("structures")?;
        r.note_duplicates("structure key", offset, structures.iter().map(|(key, _)| *key));
        Ok(Environment { structures })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.structures, "structures")
    }
}
