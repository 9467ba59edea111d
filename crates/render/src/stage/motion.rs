//! Poses of objects: from the source's animator, or, for objects that no source moves, from the stage's own
//! animator. Spec: motion §6.6, §7.

use super::{Object, Stage, object::frame};
use crate::assets::Assets;
use threshold_dat::{
    DatId,
    records::{self, HookAction, Setup},
};
use threshold_world::{
    EPSILON,
    motion::{Animator, QueuedHook},
};

/// Seconds between two updates of what the stage plays by itself. What rounding takes off a thirtieth does not count.
const STEP: f64 = 1.0 / 30.0 - 1e-6;
/// Longer gaps are dropped.
const LONGEST_STEP: f64 = 2.0;

/// Who decides where an object's parts are.
pub(super) enum Motion {
    /// Nobody: they are where the setup's placement puts them.
    Still,
    /// The stage, as time passes.
    Own(Box<OwnMotion>),
    /// The object's source.
    Source,
}

/// An animator and when it was last brought up to date.
pub(super) struct OwnMotion {
    animator: Animator,
    updated: f64,
}

impl OwnMotion {
    /// Whether it shows one frame for ever.
    fn is_still(&self) -> bool {
        let mut nodes = self.animator.sequence().nodes();
        nodes.len() == 1 && nodes.all(|node| node.range().0 == node.range().1 || node.rate() == 0.0)
    }
}

impl Motion {
    /// What an object plays when nobody tells it otherwise: its motion table's default state, else its default animation.
    /// Retail: `CPartArray::InitDefaults`.
    pub(super) fn of(assets: &mut Assets, setup: &Setup, now: f64) -> Motion {
        let (table, animation) = (setup.defaults.motion_table, setup.defaults.animation);
        let animator = match (table, animation) {
            (DatId(0), DatId(0)) => None,
            (DatId(0), animation) => assets.animation(animation).map(Animator::repeating),
            (table, _) => assets.motion_table(table).map(Animator::with_table),
        };
        match animator {
            Some(animator) if !animator.sequence().is_empty() => {
                Motion::Own(Box::new(OwnMotion { animator, updated: now }))
            }
            _ => Motion::Still,
        }
    }

    /// Whether the stage has to play it.
    pub(super) fn is_active(&self) -> bool {
        matches!(self, Motion::Own(own) if !own.is_still())
    }
}

impl Stage {
    /// Applies the visible effect of a hook that a source's object has run. `animation` and `number` identify it.
    pub fn run_hook(&mut self, assets: &mut Assets, key: u64, animation: DatId, number: u32) {
        let Some(id) = self.object_of(key) else { return };
        let Some(animation) = assets.animation(animation) else { return };
        match animation.hook(number).map(|hook| &hook.action) {
            // The source changes the size itself.
            None | Some(HookAction::Scale { .. }) => {}
            Some(action) => {
                self.hook(assets, id, action);
                if !self.active.contains(&id) && self.object(id).is_some_and(Object::is_active) {
                    self.active.push(id);
                }
            }
        }
    }
}

impl Object {
    /// Puts the parts where an animation says; parts that it does not know keep their pose.
    /// Retail: `CPartArray::UpdateParts`.
    pub(super) fn pose(&mut self, pose: &[records::Frame]) {
        for (part, stored) in self.parts.iter_mut().zip(pose) {
            part.frame = frame(stored);
        }
    }

    /// Takes over where the source's animator has the parts. Without one they are as the stage plays them.
    pub(super) fn follow_pose(&mut self, pose: Option<&[records::Frame]>) {
        match pose {
            Some(pose) => {
                self.motion = Motion::Source;
                self.pose(pose);
            }
            None if matches!(self.motion, Motion::Source) => {
                self.motion = Motion::Still;
                if let Some(setup) = self.setup.clone() {
                    setup.placement().into_iter().for_each(|rest| self.pose(&rest.parts));
                }
            }
            None => {}
        }
    }

    /// Shows what the stage plays.
    pub(super) fn show_own_pose(&mut self) {
        let motion = std::mem::replace(&mut self.motion, Motion::Still);
        if let Motion::Own(own) = &motion
            && let Some(pose) = own.animator.pose()
        {
            self.pose(pose);
        }
        self.motion = motion;
    }

    /// Brings what the stage plays up to date; hooks of the frames that passed are appended in order.
    /// Retail: `CPhysicsObj::animate_static_object`. Spec: motion §7.
    pub(super) fn animate(&mut self, now: f64, hooks: &mut Vec<QueuedHook>) {
        let Motion::Own(own) = &mut self.motion else { return };
        let passed = now - own.updated;
        if passed > f64::from(EPSILON) && passed < STEP {
            return;
        }
        own.updated = now;
        if (STEP..=LONGEST_STEP).contains(&passed) {
            let first = hooks.len();
            own.animator.advance(passed, None, hooks);
            own.animator.finish(&hooks[first..]);
            self.show_own_pose();
        }
    }
}
