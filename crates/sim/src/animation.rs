//! Default animations of objects, and the hooks that animations have run.

use crate::{Event, SimError, Simulation};
use std::collections::VecDeque;
use threshold_physics::{EntityKey, motion::HookRun};
use threshold_world::model::ModelMotion;

/// Ticks for which hooks are kept for those who draw: longer than any pause between two pictures.
const KEPT: u64 = 60;

/// Hooks that ran lately, each with its tick.
#[derive(Default)]
pub(crate) struct RecentHooks(VecDeque<(u64, EntityKey, HookRun)>);

impl RecentHooks {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    fn push(&mut self, tick: u64, entity: EntityKey, hook: HookRun) {
        while self.0.front().is_some_and(|(ran, ..)| ran + KEPT < tick) {
            self.0.pop_front();
        }
        self.0.push_back((tick, entity, hook));
    }
}

impl Simulation {
    /// Animation hooks that ran after a tick, in order; those of the last two seconds are kept. A renderer uses them for
    /// smoke, light and sound.
    pub fn hooks_since(&self, tick: u64) -> impl Iterator<Item = (EntityKey, HookRun)> + '_ {
        let recent = self.recent_hooks.0.iter().rev().take_while(move |(ran, ..)| *ran > tick).count();
        let first = self.recent_hooks.0.len() - recent;
        self.recent_hooks.0.range(first..).map(|&(_, entity, hook)| (entity, hook))
    }

    /// Keeps the hooks among the events from `first` on.
    pub(crate) fn note_hooks(&mut self, first: usize) {
        let tick = self.clock.ticks;
        for event in &self.events[first..] {
            if let Event::HookRun { entity, hook } = *event
                && hook.source.is_some()
            {
                self.recent_hooks.push(tick, entity, hook);
            }
        }
    }

    /// Has a new object play what its model plays when nobody tells it otherwise. What is missing or wrong with that is
    /// reported, and does not move it. Spec: motion §7.
    pub(crate) fn play_own_motion(&mut self, key: EntityKey) -> Result<(), SimError> {
        match self.entity(key)?.model.motion {
            ModelMotion::None => return Ok(()),
            ModelMotion::Animation(id) => {
                if let Some(animation) = self.library.animation(id)? {
                    self.scene.set_default_animation(key, animation)?;
                }
            }
            ModelMotion::Table(id) => {
                if let Some(table) = self.library.motion_table(id)? {
                    self.scene.set_motion_table(key, Some(table))?;
                }
            }
        }
        self.events.extend(self.library.take_problems().into_iter().map(Event::Problem));
        Ok(())
    }
}
