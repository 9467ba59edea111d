//! Putting an object somewhere: entering the world, teleporting. Spec: physics-objects §8.7.

use super::{EntityKey, MoveResult, Scene, SceneError};
use crate::flags::Transient;
use threshold_world::{Position, World};

/// Largest drift, signed and per axis, that a placement without search may end with.
const MAX_DRIFT: f32 = 0.05;

/// How to look for room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlaceOptions {
    /// Search around the spot and accept a neighbouring one (retail flag 0x10).
    pub slide: bool,
    /// Do not grow beyond the anchor's visible list (retail flag 0x20).
    pub no_load: bool,
}

impl Default for PlaceOptions {
    fn default() -> Self {
        PlaceOptions { slide: true, no_load: false }
    }
}

/// How a placement ended. Spec: physics §1.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The object is there (or, without a loaded cell there, kept aside).
    Placed,
    /// No room.
    NoValidPosition,
    /// The search ended in no cell.
    NoCell,
    /// No room, because of something that was reported.
    Collided,
}

impl Scene {
    /// Puts an object at a position with the original's search for a free spot.
    /// Retail: `CPhysicsObj::SetPosition`.
    pub fn place(
        &mut self,
        world: &World,
        key: EntityKey,
        position: &Position,
        options: PlaceOptions,
    ) -> Result<(Placement, MoveResult), SceneError> {
        if !position.frame.is_finite() {
            return Err(SceneError::NotFinite("position"));
        }
        let mover = self.describe(key).ok_or(SceneError::NoSuchEntity)?;
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if entity.cell.is_none() {
            entity.last_update = self.now;
            entity.set_active();
        }
        let seated = world
            .reseat(position, mover.spheres[0].center, true)
            .filter(|seated| world.cell(seated.cell).is_some());
        let Some(seated) = seated else {
            let from = entity.cell;
            self.lose(key, *position);
            let cell_changed = from.map(|from| (from, threshold_world::CellId::NONE));
            return Ok((Placement::Placed, MoveResult { cell_changed, ..MoveResult::still(true) }));
        };
        if entity.facts.forced_into_cell {
            let from = entity.cell;
            self.update_position(world, key, seated)?;
            let cell_changed = (from != Some(seated.cell)).then(|| (from.unwrap_or_default(), seated.cell));
            return Ok((Placement::Placed, MoveResult { cell_changed, ..MoveResult::still(true) }));
        }
        let mut sweeper = std::mem::take(&mut self.sweeper);
        let outcome = sweeper.place(world, self, mover, &seated, options.slide, options.no_load, None);
        let result = outcome.map(|mut outcome| {
            let held = &outcome.position;
            let drift = held.frame.origin - seated.frame.origin;
            outcome.ok &=
                options.slide || (drift.x < MAX_DRIFT && drift.y < MAX_DRIFT && held.cell == seated.cell);
            if !outcome.ok {
                let reported = self.respond(key, &outcome.log, sweeper.touched(), Transient::empty());
                let placement = if reported { Placement::Collided } else { Placement::NoValidPosition };
                return (placement, MoveResult { ok: false, outcome: Some(outcome), cell_changed: None });
            }
            if outcome.cell.is_none() {
                return (
                    Placement::NoCell,
                    MoveResult { ok: false, outcome: Some(outcome), cell_changed: None },
                );
            }
            (Placement::Placed, self.apply(world, key, outcome, &sweeper))
        });
        self.sweeper = sweeper;
        Ok(result?)
    }
}
