//! Queries.

use crate::{SimError, Simulation};
use glam::Vec3;
use threshold_physics::{
    EntityKey,
    cast::{Blockers, Cast},
};
use threshold_world::{CellId, Frame, Position, geometry::Sphere};

pub use threshold_physics::cast::{Hit, Target};

/// How far one can point, in metres.
const POINTING_REACH: f32 = 200.0;
/// Part of an object's height at which it looks and is looked at.
const EYES: f32 = 5.0 / 6.0;
/// Lifts a question about the ground off the ground itself.
const LIFT: f32 = 0.01;

/// An end of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Spot {
    /// A point in a cell.
    Place(Position),
    /// An object, at five sixths of its height; it never blocks the line itself.
    Object(EntityKey),
}

impl From<Position> for Spot {
    fn from(position: Position) -> Spot {
        Spot::Place(position)
    }
}

impl From<EntityKey> for Spot {
    fn from(key: EntityKey) -> Spot {
        Spot::Object(key)
    }
}

/// The result of a line of sight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sight {
    /// There is no obstacle.
    Clear,
    /// The first obstacle.
    Blocked(Hit),
}

impl Sight {
    /// Whether there is no obstacle.
    pub fn is_clear(&self) -> bool {
        matches!(self, Sight::Clear)
    }
}

impl Simulation {
    /// The first thing that a ray hits.
    pub fn cast(&self, cast: &Cast<'_>) -> Option<Hit> {
        cast.first(&self.world, &self.scene)
    }

    /// What a player points at: the first thing from its camera in a direction, in the coordinates of the camera's block.
    pub fn pick(&self, player: EntityKey, direction: Vec3) -> Result<Option<Hit>, SimError> {
        let Some(&from) = self.player(player)?.eye.position() else { return Ok(None) };
        let ignored = [player];
        let blockers = Blockers::Everything;
        Ok(self.cast(&Cast { from, direction, reach: POINTING_REACH, blockers, ignored: &ignored }))
    }

    /// Whether a line of sight is clear, and if not, the first obstacle. Creatures and open doors do not block the view.
    pub fn line_of_sight(&self, from: impl Into<Spot>, to: impl Into<Spot>) -> Result<Sight, SimError> {
        let (from, to) = (from.into(), to.into());
        let ignored: Vec<EntityKey> = [from, to]
            .into_iter()
            .filter_map(|spot| match spot {
                Spot::Object(key) => Some(key),
                Spot::Place(_) => None,
            })
            .collect();
        let (from, to) = (self.end_of_sight(from)?, self.end_of_sight(to)?);
        let direction = from.offset_to(&to);
        let cast =
            Cast { from, direction, reach: direction.length(), blockers: Blockers::Solid, ignored: &ignored };
        Ok(self.cast(&cast).map_or(Sight::Clear, Sight::Blocked))
    }

    pub(crate) fn end_of_sight(&self, spot: Spot) -> Result<Position, SimError> {
        match spot {
            Spot::Place(position) => Ok(position),
            Spot::Object(key) => {
                let entity = self.entity(key)?;
                let mut position = entity.position;
                position.frame.origin.z += entity.model.height * entity.scale * EYES;
                Ok(position)
            }
        }
    }

    /// The ground, floor or solid object under a point.
    pub fn ground_under(&self, place: &Position) -> Option<Hit> {
        let mut from = *place;
        from.frame.origin.z += LIFT;
        self.upright(from, -Vec3::Z)
    }

    /// The ceiling or solid object over a point.
    pub fn ceiling_over(&self, place: &Position) -> Option<Hit> {
        self.upright(*place, Vec3::Z)
    }

    fn upright(&self, from: Position, direction: Vec3) -> Option<Hit> {
        let blockers = Blockers::Solid;
        self.cast(&Cast { from, direction, reach: f32::MAX, blockers, ignored: &[] })
    }

    /// Objects whose cell this is, in order of key.
    pub fn residents_of(&self, cell: CellId) -> impl Iterator<Item = EntityKey> + '_ {
        self.scene.residents_in(cell)
    }

    /// Objects whose shapes a sphere in a cell overlaps; the position is its centre.
    pub fn overlapping(&self, center: &Position, radius: f32) -> Vec<EntityKey> {
        let sphere = Sphere { center: center.frame.origin, radius };
        self.scene.overlapping(center.cell, &sphere)
    }

    /// Objects within a distance of a place, with their distances, nearest first.
    pub fn objects_within(&self, place: &Position, metres: f32) -> Vec<(EntityKey, f32)> {
        self.scene.within(place, metres)
    }

    /// Interior cells visible from an interior cell, including itself; empty for a cell that is not loaded.
    pub fn cells_seen_from(&self, cell: CellId) -> Vec<CellId> {
        let Some(room) = self.world.env_cell(cell) else { return Vec::new() };
        let listed = room.visible_cells.iter().map(|&low| cell.block().cell(low));
        let mut seen: Vec<CellId> = std::iter::once(cell).chain(listed).collect();
        seen.sort_unstable();
        seen.dedup();
        seen
    }

    /// The position at which a hit happened, upright.
    pub fn position_of(hit: &Hit) -> Position {
        Position::new(hit.cell, Frame::at(hit.point))
    }
}
