//! Objects that others keep an eye on. Retail: `TargetManager`. Spec: motion §13.

use crate::scene::{Entity, EntityKey};
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::Position;

/// Seconds between two looks at a watched object.
pub(crate) const TARGET_INTERVAL: f64 = 0.5;
/// Seconds after which a target that never answered counts as lost.
pub(crate) const TARGET_TIMEOUT: f64 = 10.0;

/// The status of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub enum TargetStatus {
    /// Nothing yet.
    Unknown,
    /// It exists.
    Ok,
    /// It has left the world.
    LeftWorld,
    /// It was teleported.
    Teleported,
    /// It never answered.
    TimedOut,
}

/// What an object knows about its target.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct TargetInfo {
    /// The target.
    pub object: EntityKey,
    /// Its status.
    pub status: TargetStatus,
    /// Where it was last known to be.
    pub position: Position,
    /// Where it will be.
    pub predicted: Position,
    /// How it moves.
    pub velocity: Vec3,
    /// How far from the last news it must be to send more.
    pub radius: f32,
    /// Seconds that predictions look ahead.
    pub quantum: f32,
    /// What the last news were about.
    pub(crate) last_sent: Position,
    /// When they came.
    pub(crate) updated: f64,
}

/// An object's target, and those it is the target of.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Targets {
    /// The target that it watches.
    pub target: Option<TargetInfo>,
    /// Who keeps an eye on it. Those that no longer do are found out when it has news for them.
    pub(crate) watchers: Vec<EntityKey>,
    /// When it was last looked at; `None` before it had a target or was one. From then on it is looked at regularly.
    pub(crate) checked: Option<f64>,
}

impl Targets {
    /// It has a target or is one. Retail: `CPhysicsObj::MakeTargetManager`.
    pub(crate) fn begin(&mut self) -> &mut Targets {
        self.checked.get_or_insert(-TARGET_INTERVAL);
        self
    }

    /// Whether every number in it is in range.
    pub(super) fn is_sound(&self) -> bool {
        self.checked.is_none_or(f64::is_finite)
            && self.target.is_none_or(|target| {
                let places = [target.position, target.predicted, target.last_sent];
                places.iter().all(|place| place.frame.is_finite())
                    && target.velocity.is_finite()
                    && target.radius.is_finite()
                    && target.quantum.is_finite()
                    && target.updated.is_finite()
            })
    }
}

impl Entity {
    /// The target that the object watches.
    pub fn target_info(&self) -> Option<&TargetInfo> {
        self.actor.as_ref()?.targets.target.as_ref()
    }

    /// No longer keeps an eye on anything. Retail: `TargetManager::ClearTarget`.
    pub(crate) fn clear_target(&mut self) {
        if let Some(actor) = self.actor.as_deref_mut() {
            actor.targets.target = None;
        }
    }

    /// Where the object will be. Retail: `TargetManager::GetInterpolatedPosition`.
    pub(crate) fn predict(&self, seconds: f32) -> Position {
        let mut position = self.position;
        position.frame.origin += self.cached_velocity * seconds;
        position
    }

    /// News of the target go to the move-to, then to what sticks.
    pub(crate) fn receive_target_update(&mut self, info: TargetInfo, now: f64) {
        if self.target_info().is_none_or(|target| target.object != info.object) {
            return;
        }
        self.actor_mut().targets.target = Some(info);
        self.move_to_target_update(&info, now);
        self.sticky_target_update(&info);
        let gone = info.status == TargetStatus::LeftWorld;
        if gone && self.target_info().is_some_and(|target| target.object == info.object) {
            self.clear_target();
        }
    }
}
