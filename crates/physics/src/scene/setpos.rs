//! Putting an object somewhere: entering the world, teleporting. Spec: physics-objects §8.7.

use super::{EntityKey, MoveResult, Scene, SceneError, spawn::check_position};
use crate::{
    flags::Transient,
    random::Random,
    sweep::{Mover, PlacementInput},
};
use threshold_world::{CellId, Position, World};

/// Largest drift, signed and per axis, that a placement without search may end with.
const MAX_DRIFT: f32 = 0.05;

/// How to look for room.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PlaceOptions {
    /// Search around the spot and accept a neighbouring one (retail flag 0x10).
    pub slide: bool,
    /// Do not grow beyond the anchor's visible list (retail flag 0x20).
    pub no_load: bool,
    /// Try spots around the position at random.
    pub scatter: Option<Scatter>,
}

impl PlaceOptions {
    /// Sets [`PlaceOptions::slide`].
    pub const fn slide(self, slide: bool) -> PlaceOptions {
        PlaceOptions { slide, ..self }
    }

    /// Sets [`PlaceOptions::no_load`].
    pub const fn no_load(self, no_load: bool) -> PlaceOptions {
        PlaceOptions { no_load, ..self }
    }

    /// Sets [`PlaceOptions::scatter`].
    pub const fn scatter(self, scatter: Scatter) -> PlaceOptions {
        PlaceOptions { scatter: Some(scatter), ..self }
    }
}

impl Default for PlaceOptions {
    fn default() -> Self {
        PlaceOptions { slide: true, no_load: false, scatter: None }
    }
}

/// Random spots around a position; the same seed gives the same spots. Every try starts from scratch; the original's
/// report also keeps what earlier tries touched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scatter {
    /// Scatter even if the exact spot is free (retail flag 0x200), not only when it is not (0x100).
    pub always: bool,
    /// How many spots to try.
    pub tries: u32,
    /// Farthest from the position, east or west.
    pub x: f32,
    /// Farthest from the position, north or south.
    pub y: f32,
    /// Chooses the spots.
    pub seed: u64,
}

impl Scatter {
    /// The spots, in the order they are tried.
    fn spots(self, position: Position) -> impl Iterator<Item = Position> {
        let mut random = Random::new(self.seed);
        (0..self.tries).map(move |_| {
            let mut spot = position;
            spot.frame.origin.x += random.signed() * self.x;
            spot.frame.origin.y += random.signed() * self.y;
            spot
        })
    }
}

/// How a placement ended. Spec: physics §1.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// The object was placed (or set aside, if no cell is loaded there).
    Placed,
    /// No room.
    NoValidPosition,
    /// The search ended in no cell.
    NoCell,
    /// No room, because of a reported collision.
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
        check_position(position)?;
        self.free_entity(key)?;
        let exact = options.scatter.is_none_or(|scatter| !scatter.always).then_some(*position);
        let spots = options.scatter.into_iter().flat_map(|scatter| scatter.spots(*position));
        let spots = spots.filter(|spot| check_position(spot).is_ok());
        let mut result = Ok((Placement::NoValidPosition, MoveResult::without_sweep(false)));
        for spot in exact.into_iter().chain(spots) {
            result = self.try_place(world, key, &spot, &options);
            if !matches!(&result, Ok((placement, _)) if *placement != Placement::Placed) {
                break;
            }
        }
        result
    }

    /// Retail: `CPhysicsObj::SetPositionInternal` (position). Spec: physics-objects §8.7, "Try".
    fn try_place(
        &mut self,
        world: &World,
        key: EntityKey,
        position: &Position,
        options: &PlaceOptions,
    ) -> Result<(Placement, MoveResult), SceneError> {
        let mover = self.get(key).ok_or(SceneError::NoSuchEntity)?.as_mover(key);
        let entity = self.entities.get_mut(key).ok_or(SceneError::NoSuchEntity)?;
        if entity.cell.is_none() {
            entity.last_update = self.now;
            entity.set_active();
        }
        let seated = world
            .reseat(position, mover.spheres[0].center)
            .filter(|seated| world.cell(seated.cell).is_some());
        let forced = entity.role.forced_into_cell;
        let from = entity.cell;
        match seated {
            None => {
                self.lose(world, key, *position);
                let cell_changed = from.map(|from| (from, CellId::NONE));
                Ok((Placement::Placed, MoveResult { cell_changed, ..MoveResult::without_sweep(true) }))
            }
            Some(seated) if forced => Ok((Placement::Placed, self.force_into_cell(world, key, seated))),
            Some(seated) => self.find_room(world, key, mover, &seated, options),
        }
    }

    /// Puts an object into a cell without asking for room; only another cell registers it anew.
    /// Retail: `CPhysicsObj::ForceIntoCell`.
    fn force_into_cell(&mut self, world: &World, key: EntityKey, seated: Position) -> MoveResult {
        let Some(entity) = self.entities.get_mut(key) else { return MoveResult::without_sweep(false) };
        entity.position = seated;
        entity.place_parts();
        let cell_changed = self.change_cell(key, Some(seated.cell));
        self.carry_children(key);
        if cell_changed.is_some() {
            self.reflood(world, key);
        }
        MoveResult { cell_changed, ..MoveResult::without_sweep(true) }
    }

    fn find_room(
        &mut self,
        world: &World,
        key: EntityKey,
        mover: Mover,
        seated: &Position,
        options: &PlaceOptions,
    ) -> Result<(Placement, MoveResult), SceneError> {
        let mut sweeper = self.take_sweeper();
        let (may_search, no_load) = (options.slide, options.no_load);
        let input = PlacementInput { mover, at: seated, may_search, no_load };
        let searched = sweeper.place(world, self, input, None);
        let result = searched.copied().map(|outcome| {
            let held = &outcome.position;
            let drift = held.frame.origin - seated.frame.origin;
            if !(options.slide || (drift.x < MAX_DRIFT && drift.y < MAX_DRIFT && held.cell == seated.cell)) {
                sweeper.refuse();
            }
            let placement = if !sweeper.outcome().ok {
                let reported = self.respond(key, &outcome.log, sweeper.touched(), Transient::empty());
                if reported { Placement::Collided } else { Placement::NoValidPosition }
            } else if outcome.cell.is_none() {
                Placement::NoCell
            } else {
                return (Placement::Placed, self.apply(world, key, (&*sweeper).into()));
            };
            (placement, MoveResult { ok: false, swept: true, cell_changed: None })
        });
        self.sweeper = Some(sweeper);
        Ok(result?)
    }
}
