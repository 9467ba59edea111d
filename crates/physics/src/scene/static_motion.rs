//! Statics that play something: a mill, a flag, a fountain. Spec: motion §7.

use super::{Entity, EntityKey, HUGE_QUANTUM, MIN_QUANTUM, Scene};
use threshold_dat::Error;
use threshold_world::{EPSILON, Library, World, model::ModelMotion};

#[cfg(test)]
mod tests;

/// What rounding may take off a tick without its being too short.
const ROUNDING: f64 = 1e-6;

impl Entity {
    /// Whether it belongs to a block or cell and yet its parts move. Spec: motion §7.
    pub(super) fn plays_as_static(&self) -> bool {
        let Some(actor) = self.actor.as_deref().filter(|_| self.is_static()) else { return false };
        let is_advanced = actor.animator.table().is_none() || self.model.plays_when_static;
        is_advanced && !actor.animator.sequence().is_empty()
    }
}

impl Scene {
    /// Starts the default animations of statics that were added since the last call. Animations that cannot be read now are
    /// started by a later call; objects whose animation is missing or broken stand still.
    pub fn begin_static_motions(&mut self, library: &Library) {
        for key in std::mem::take(&mut self.new_statics) {
            if self.begin_static_motion(library, key).is_err() {
                self.new_statics.push(key);
            }
        }
    }

    fn begin_static_motion(&mut self, library: &Library, key: EntityKey) -> Result<(), Error> {
        let Some(motion) = self.get(key).map(|entity| entity.model.motion) else { return Ok(()) };
        // It is there.
        let _ = match motion {
            ModelMotion::None => Ok(()),
            ModelMotion::Animation(id) => match library.animation(id)? {
                Some(animation) => self.set_default_animation(key, animation),
                None => Ok(()),
            },
            ModelMotion::Table(id) => self.set_motion_table(key, library.motion_table(id)?),
        };
        Ok(())
    }

    /// Notes whether an object is a static that plays something.
    pub(super) fn note_static_motion(&mut self, key: EntityKey) {
        let plays = self.get(key).is_some_and(Entity::plays_as_static);
        let changed = match plays {
            true => self.playing_statics.insert(key),
            false => self.playing_statics.remove(&key),
        };
        if changed {
            self.entities.note_static_change();
        }
    }

    /// Lets time pass for the statics that play something. Retail: `CPhysics::UseTime`, after everything else.
    pub(super) fn animate_statics(&mut self, world: &World) {
        let playing = std::mem::take(&mut self.playing_statics);
        for &key in &playing {
            self.animate_static(world, key);
        }
        self.playing_statics = playing;
    }

    /// The sequence advances without moving the object, which then turns by its omega: by the vector itself, however long
    /// the tick is. Retail: `CPhysicsObj::animate_static_object`.
    fn animate_static(&mut self, world: &World, key: EntityKey) {
        let now = self.now;
        let Some(entity) = self.entities.get_mut(key).filter(|entity| entity.cell.is_some()) else { return };
        let passed = now - entity.last_update;
        if passed > f64::from(EPSILON) && passed < MIN_QUANTUM - ROUNDING {
            return;
        }
        entity.last_update = now;
        if passed <= f64::from(EPSILON) || passed > HUGE_QUANTUM {
            return;
        }
        if let Some(actor) = entity.actor.as_deref_mut() {
            actor.animator.advance(passed, None, &mut actor.hooks);
        }
        entity.position.frame.turn_globally(entity.omega);
        entity.place_parts();
        self.carry_children(key);
        self.run_hooks(world, key);
    }
}
