//! Hooks of animations, as far as they touch physics. Spec: motion §6.5.

use crate::scene::Entity;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_dat::{DatId, records::HookAction};
use threshold_world::{EPSILON, motion::QueuedHook};

/// A hook that was run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct HookRun {
    /// Its type.
    pub code: u32,
    /// Its animation and its number there; `None` for the end of an animation.
    pub source: Option<(u32, u32)>,
}

impl HookRun {
    pub(crate) fn of(hook: &QueuedHook) -> HookRun {
        let source = match hook {
            QueuedHook::Stored { animation, number } => Some((animation.id.0, *number)),
            QueuedHook::AnimationDone => None,
        };
        HookRun { code: hook.code(), source }
    }

    /// The hook's animation and its number there.
    pub fn source(&self) -> Option<(DatId, u32)> {
        self.source.map(|(animation, number)| (DatId(animation), number))
    }
}

/// An object that grows or shrinks. Retail: `FPHook`.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub(crate) struct ScaleChange {
    pub(crate) start: f32,
    pub(crate) end: f32,
    pub(crate) begun: f64,
    pub(crate) seconds: f32,
}

impl ScaleChange {
    /// The size at a time, and whether it is the last. Spec: motion §6.5.3.
    pub(crate) fn at(&self, now: f64) -> (f32, bool) {
        let part = if self.seconds < EPSILON {
            1.0
        } else {
            ((now - self.begun) as f32 / self.seconds).clamp(0.0, 1.0)
        };
        (self.start + (self.end - self.start) * part, part >= 1.0)
    }
}

/// Whether a hook changes how others meet the object.
pub(crate) fn touches_others(hook: &QueuedHook) -> bool {
    matches!(hook.action(), HookAction::Ethereal { .. } | HookAction::Scale { .. })
}

impl Entity {
    /// Whether the object's size changes.
    pub(crate) fn is_changing_scale(&self) -> bool {
        self.actor.as_ref().is_some_and(|actor| !actor.scale_changes.is_empty())
    }
}
