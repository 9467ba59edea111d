//! Hooks of animations are run: after integration, before the sweep. Spec: motion §6.5.

use super::{EntityKey, SCALES, Scene};
use crate::motion::{HookRun, Note, ScaleChange};
use glam::Vec3;
use threshold_dat::records::HookAction;
use threshold_world::{EPSILON, World, motion::QueuedHook};

impl Scene {
    /// Runs what an object's animation queued in this step. Retail: `CPhysicsObj::process_hooks`.
    pub(super) fn run_hooks(&mut self, world: &World, key: EntityKey) {
        let actor = self.entities.get(key).and_then(|entity| entity.actor.as_deref());
        if actor.is_none_or(|actor| actor.hooks.is_empty() && actor.scale_changes.is_empty()) {
            return;
        }
        self.change_scale(key);
        let mut at = 0;
        while let Some(hook) = self.queued_hook(key, at) {
            self.run_hook(world, key, &hook);
            at += 1;
        }
        if let Some(actor) = self.entities.get_mut(key).and_then(|entity| entity.actor.as_deref_mut()) {
            actor.hooks.clear();
        }
        self.settle_motion(key);
    }

    /// Hooks that are queued while others run are run in the same pass.
    fn queued_hook(&self, key: EntityKey, at: usize) -> Option<QueuedHook> {
        self.entities.get(key)?.actor.as_ref()?.hooks.get(at).cloned()
    }

    fn run_hook(&mut self, world: &World, key: EntityKey, hook: &QueuedHook) {
        let Some(entity) = self.entities.get_mut(key) else { return };
        entity.actor_mut().notes.push(Note::Hook(HookRun::of(hook)));
        match hook.action() {
            HookAction::AnimationDone {} => entity.animation_done(true),
            HookAction::SetOmega { omega } => {
                let omega = Vec3::from(*omega);
                if omega.is_finite() {
                    entity.omega = omega;
                }
            }
            &HookAction::Scale { end, time } if SCALES.contains(&end) && time.is_finite() => {
                let change =
                    ScaleChange { start: entity.scale, end, begun: entity.last_update, seconds: time };
                if time < EPSILON {
                    entity.resize(end);
                } else {
                    entity.actor_mut().scale_changes.push(change);
                }
            }
            // An object that is there can be made ethereal.
            &HookAction::Ethereal { on } => drop(self.set_ethereal(world, key, on)),
            _ => {}
        }
    }

    /// Goes on with changes of size, newest first. Retail: `FPHook::Execute`.
    fn change_scale(&mut self, key: EntityKey) {
        let Some(entity) = self.entities.get_mut(key).filter(|entity| entity.is_changing_scale()) else {
            return;
        };
        let now = entity.last_update;
        let mut changes = std::mem::take(&mut entity.actor_mut().scale_changes);
        for change in changes.iter().rev() {
            entity.resize(change.at(now).0);
        }
        changes.retain(|change| !change.at(now).1);
        entity.actor_mut().scale_changes = changes;
    }
}

impl super::Entity {
    /// Changes the object's size where it is registered.
    fn resize(&mut self, scale: f32) {
        self.scale = scale;
        self.girth = self.compute_girth();
        self.place_parts();
    }
}
