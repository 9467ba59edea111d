//! Openings for doors.

use glam::Vec3;
use threshold_world::{
    CellId,
    cell::{EnvCell, PortalTarget},
    landblock::Landblock,
};

/// How far an opening's normal may be from level, as the sine: others are hatches.
const LEVEL: f32 = 0.3;
/// Metres between the middles of the two polygons of one opening.
const SAME: f32 = 0.1;

/// An upright opening of a room, as the rectangle around it, in block coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Opening {
    /// The room it is an opening of.
    pub(super) cell: CellId,
    /// Where it leads.
    pub(super) to: PortalTarget,
    /// The middle.
    pub(super) center: Vec3,
    /// Level, through the opening.
    pub(super) normal: Vec3,
    /// Level, in the opening.
    pub(super) along: Vec3,
    /// Half of its width.
    pub(super) half_width: f32,
    /// Height of its lower edge.
    pub(super) bottom: f32,
    /// Height of its upper edge.
    pub(super) top: f32,
}

impl Opening {
    /// The upright openings of all rooms of a block; one between two rooms once.
    pub(super) fn all(block: &Landblock) -> Vec<Opening> {
        let mut openings: Vec<Opening> = Vec::new();
        for opening in block.env_cells.iter().flatten().flat_map(Opening::of) {
            let is_known = matches!(opening.to, PortalTarget::Cell(to) if to < opening.cell)
                && openings.iter().any(|known| known.is_same(&opening));
            if !is_known {
                openings.push(opening);
            }
        }
        openings
    }

    /// Whether another opening is this one seen from the other side.
    fn is_same(&self, other: &Opening) -> bool {
        self.to == PortalTarget::Cell(other.cell)
            && other.to == PortalTarget::Cell(self.cell)
            && self.center.distance(other.center) < SAME
    }

    fn of(room: &EnvCell) -> impl Iterator<Item = Opening> + '_ {
        let (frame, set) = (&room.position.frame, &room.structure.portal_polygons);
        room.portals.iter().filter_map(move |portal| {
            let polygon = set.polygons().get(usize::from(portal.polygon))?;
            let normal = frame.rotate(portal.plane.normal);
            if normal.z.abs() > LEVEL {
                return None;
            }
            let normal = normal.with_z(0.0).normalize();
            let along = normal.cross(Vec3::Z);
            let corners: Vec<Vec3> = set.vertices(polygon).map(|corner| frame.apply(corner)).collect();
            let range = |axis: Vec3| {
                let values = corners.iter().map(|corner| corner.dot(axis));
                values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)))
            };
            let ((left, right), (bottom, top)) = (range(along), range(Vec3::Z));
            let depth = corners.first()?.dot(normal);
            let center = normal * depth + along * (left + right) * 0.5 + Vec3::Z * (bottom + top) * 0.5;
            let half_width = (right - left) * 0.5;
            Some(Opening {
                cell: room.id(),
                to: portal.target,
                center,
                normal,
                along,
                half_width,
                bottom,
                top,
            })
        })
    }

    /// Metres from a point to the opening, seen from above.
    pub(super) fn distance_in_plan(&self, point: Vec3) -> f32 {
        let from = point - self.center;
        let beside = (from.dot(self.along).abs() - self.half_width).max(0.0);
        from.dot(self.normal).hypot(beside)
    }

    /// Metres between heights and the opening.
    pub(super) fn distance_in_height(&self, low: f32, high: f32) -> f32 {
        (self.bottom - high).max(low - self.top).max(0.0)
    }

    /// Whether a cell is on one of its sides.
    pub(super) fn is_beside(&self, cell: CellId) -> bool {
        match self.to {
            PortalTarget::Outside => cell == self.cell || cell.is_outdoor(),
            PortalTarget::Cell(other) => cell == self.cell || cell == other,
        }
    }

    /// Where it leads from and to, for people.
    pub(super) fn sides(&self) -> String {
        match self.to {
            PortalTarget::Outside => format!("{} and the outdoors", self.cell),
            PortalTarget::Cell(other) => format!("{} and {other}", self.cell),
        }
    }
}
