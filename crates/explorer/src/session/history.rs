//! The last minute, tick by tick: everything that moves can be put back to how it was.

use super::{Door, Doors, TICKS_PER_SECOND};
use std::{collections::VecDeque, sync::Arc};
use threshold_physics::{
    Entity, EntityKey, Motion, Scene, SceneError, State, movement::Controller, scene::Body,
};
use threshold_world::{Position, World};

/// Ticks that are remembered.
pub const REMEMBERED: usize = 60 * TICKS_PER_SECOND as usize;

/// One object as it was.
#[derive(Clone, Debug, PartialEq)]
struct Saved {
    key: EntityKey,
    body: Body,
    state: State,
    motion: Motion,
}

impl Saved {
    fn of(scene: &Scene, key: EntityKey) -> Option<Saved> {
        let entity = scene.get(key)?;
        Some(Saved { key, body: scene.body(key)?, state: entity.state, motion: entity.motion })
    }

    fn restore(&self, world: &World, scene: &mut Scene) -> Result<(), SceneError> {
        scene.set_state(self.key, self.state)?;
        scene.set_motion(self.key, self.motion)?;
        scene.restore_body(world, self.key, &self.body)
    }
}

/// Everything that moves, at the beginning of a tick.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    pub(super) tick: u64,
    pub(super) controller: Controller,
    pub(super) previous: Position,
    /// Doors that stood open.
    pub(super) open: Arc<[Door]>,
    player: Saved,
    /// Mostly the same from tick to tick, and then shared.
    others: Arc<[Saved]>,
}

impl Moment {
    /// Where the player was.
    pub(super) fn place(&self) -> &Position {
        &self.player.body.position
    }

    /// Puts everything back. What is loaded must be what was loaded then.
    pub(super) fn restore(&self, world: &World, scene: &mut Scene) -> Result<(), SceneError> {
        self.player.restore(world, scene)?;
        self.others.iter().try_for_each(|saved| saved.restore(world, scene))
    }
}

/// The moments that are remembered; while time stands still, one of them may be shown.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    moments: VecDeque<Moment>,
    /// The moment that is shown; none in the present, which is not in the list.
    pub(super) shown: Option<usize>,
}

impl History {
    pub(super) fn capture(
        &self,
        scene: &Scene,
        player: EntityKey,
        now: (u64, &Controller, Position),
        doors: &Doors,
    ) -> Option<Moment> {
        let last = self.moments.back();
        // What is in no loaded cell stays as it is.
        let is_other = |key: EntityKey, entity: &Entity| {
            key != player && !entity.state.contains(State::STATIC) && entity.cell.is_some()
        };
        let others = scene.entities().filter(|(key, entity)| is_other(*key, entity));
        let others: Vec<Saved> = others.filter_map(|(key, _)| Saved::of(scene, key)).collect();
        let known = last.map(|last| &last.others).filter(|known| known[..] == others[..]);
        let known_open = last.map(|last| &last.open).filter(|known| known.iter().eq(doors.open()));
        Some(Moment {
            tick: now.0,
            controller: now.1.clone(),
            previous: now.2,
            open: known_open.cloned().unwrap_or_else(|| doors.open().copied().collect()),
            player: Saved::of(scene, player)?,
            others: known.cloned().unwrap_or_else(|| others.into()),
        })
    }

    pub(super) fn push(&mut self, moment: Moment) {
        if self.moments.len() == REMEMBERED {
            self.moments.pop_front();
        }
        self.moments.push_back(moment);
    }

    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }

    pub(super) fn get(&self, index: usize) -> Option<&Moment> {
        self.moments.get(index)
    }

    /// Forgets the shown moment and everything after it: time goes on from there.
    pub(super) fn cut(&mut self) {
        if let Some(shown) = self.shown.take() {
            self.moments.truncate(shown);
        }
    }
}
