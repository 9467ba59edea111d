//! Ray casts. A ray goes from cell to cell through the openings, as everything does: it never hits a wall of a cell that
//! it does not enter, and the ground does not stop a ray in a cellar below it.

mod ray;
mod walk;

use crate::scene::{EntityKey, Scene};
use glam::Vec3;
use threshold_world::{CellId, Position, World};

/// What a ray can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Target {
    /// An object.
    Entity(EntityKey),
    /// A wall, floor or ceiling of an interior cell.
    Room(CellId),
    /// The outside of a building in a land cell.
    Shell(CellId),
    /// The ground of a land cell.
    Ground(CellId),
}

/// Which objects stop a ray.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Blockers {
    /// Everything that can be pointed at, including open doors and creatures.
    #[default]
    Everything,
    /// Objects that block the view between two creatures: not living or ethereal ones, such as open doors.
    Solid,
    /// No object at all, only walls, shells and the ground.
    Environment,
}

/// A ray to be cast.
#[derive(Clone, Copy, Debug)]
pub struct Cast<'a> {
    /// Where it begins; the cell counts, as everywhere.
    pub from: Position,
    /// Its direction, in the coordinates of `from`'s block; need not be a unit vector.
    pub direction: Vec3,
    /// Its length in metres.
    pub reach: f32,
    /// Which objects stop it.
    pub blockers: Blockers,
    /// Objects that never stop it.
    pub ignored: &'a [EntityKey],
}

/// The first thing that a ray hit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// What.
    pub target: Target,
    /// Metres from where the ray began.
    pub distance: f32,
    /// Where, in the coordinates of the block of [`Hit::cell`].
    pub point: Vec3,
    /// The cell the ray was in.
    pub cell: CellId,
}

impl Cast<'_> {
    /// Casts the ray through the loaded cells. `None` when it hits nothing within its reach, leaves the loaded world, or has
    /// no direction.
    pub fn first(&self, world: &World, scene: &Scene) -> Option<Hit> {
        walk::first(self, world, scene)
    }
}
