//! Interior cells and the structures they share.

use crate::{
    CellId,
    bsp::{CellVolume, PhysicsMesh},
    frame::{Frame, Position},
    geometry::{Aabb, Plane, PolygonSet, Sphere},
    model::Model,
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;

/// The geometry of a room, shared by every cell that is built from it.
#[derive(Clone, Debug)]
pub struct CellStruct {
    /// The Environment record it comes from.
    pub environment: DatId,
    /// Its key in that record.
    pub key: u32,
    /// The space it fills.
    pub volume: CellVolume,
    /// Collision geometry.
    pub physics: Option<PhysicsMesh>,
    /// Drawing polygons; openings refer to them.
    pub portal_polygons: PolygonSet,
    /// Box of all vertices.
    pub bounds: Aabb,
    /// Root sphere of the drawing tree; `None` when there is no such tree.
    pub drawing_sphere: Option<Sphere>,
}

/// Where a portal leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortalTarget {
    /// Outdoors.
    Outside,
    /// Another interior cell of the same block, whether it is loaded or not.
    Cell(CellId),
}

/// An opening of an interior cell.
#[derive(Clone, Debug, PartialEq)]
pub struct CellPortal {
    /// Plane of the opening in the cell's space.
    pub plane: Plane,
    /// Index into the structure's [`CellStruct::portal_polygons`].
    pub polygon: u16,
    /// Where it leads.
    pub target: PortalTarget,
    /// Index of the opening on the other side.
    pub other_portal: Option<u16>,
    /// The polygons of both sides coincide.
    pub exact_match: bool,
    /// The neighbour lies on the positive side of the plane (retail: portal side 1), else on the negative side (0).
    pub neighbour_is_positive: bool,
}

/// A static object of a block or cell: model and place in block coordinates.
#[derive(Clone, Debug)]
pub struct StaticObject {
    /// GfxObj or Setup.
    pub model_id: DatId,
    /// The model; `None` when it is missing or broken.
    pub model: Option<Arc<Model>>,
    /// Block coordinates.
    pub frame: Frame,
}

/// An interior cell.
#[derive(Clone, Debug)]
pub struct EnvCell {
    /// Id and the frame that places the structure in block coordinates.
    pub position: Position,
    /// Geometry.
    pub structure: Arc<CellStruct>,
    /// Openings in stored order.
    pub portals: Box<[CellPortal]>,
    /// Cells that can be seen from here: upper bound for drawing, search list for re-seating.
    pub visible_cells: Box<[u16]>,
    /// The author's statement that the outdoors can be seen from here.
    pub seen_outside: bool,
    /// Objects listed in the cell's record.
    pub statics: Box<[StaticObject]>,
    /// Surfaces that dress the structure's polygons.
    pub surfaces: Box<[u16]>,
    /// Object that guards entry.
    pub restriction: Option<u32>,
}

impl EnvCell {
    /// The cell's id.
    pub fn id(&self) -> CellId {
        self.position.cell
    }

    /// Whether a point in block coordinates lies in the cell; a cell without portals contains nothing.
    /// Retail: `CEnvCell::point_in_cell` (0x0052C300). Spec: physics-cells §3.4.
    #[inline]
    pub fn contains(&self, p: Vec3) -> bool {
        !self.portals.is_empty() && self.structure.volume.contains(self.position.frame.apply_inverse(p))
    }

    /// Whether `id` is in the visible list (the cell itself always counts).
    pub fn sees(&self, id: CellId) -> bool {
        id == self.id() || (id.block() == self.id().block() && self.visible_cells.contains(&id.low()))
    }
}
