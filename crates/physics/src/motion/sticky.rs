//! Staying close to an object for a moment. Retail: `StickyManager`. Spec: entities §3.3.

use super::{MotionError, OffsetInput, TargetInfo, TargetStatus};
use crate::scene::{Entity, EntityKey};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::{EPSILON, Frame, Position, heading_of};

/// Seconds that one command to stick lasts.
const STICK_TIME: f64 = 1.0;
/// Room that is kept between the two.
const STICK_GAP: f32 = 0.3;
/// How many times its own speed the object may move at.
const STICK_SPEED: f32 = 5.0;
/// Speed of an object that cannot move by itself.
const FALLBACK_SPEED: f32 = 15.0;

/// The object to stick to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Sticky {
    /// The object.
    pub object: EntityKey,
    pub(super) radius: f32,
    /// Where it was last known to be; nothing happens before that is known.
    pub(super) known: Option<Position>,
    pub(super) until: f64,
}

impl Sticky {
    pub(super) fn is_sound(&self) -> bool {
        self.radius.is_finite()
            && self.until.is_finite()
            && self.known.is_none_or(|known| known.frame.is_finite())
    }

    /// Moves towards the target and faces it. Retail: `StickyManager::adjust_offset`. Spec: entities §3.3.4.
    pub(super) fn adjust(&self, input: &OffsetInput, offset: &mut Frame) {
        let Some(target) = self.known.map(|known| input.sticky_target.unwrap_or(known)) else { return };
        let between = input.own.offset_to(&target);
        let mut towards = input.own.frame.rotate_inverse(between);
        towards.z = 0.0;
        let length = towards.length();
        let towards = if length < EPSILON { glam::Vec3::ZERO } else { towards / length };
        let missing = between.length() - (input.own_radius + self.radius) - STICK_GAP;
        let speed = STICK_SPEED * input.max_speed;
        let reach = input.quantum * if speed < EPSILON { FALLBACK_SPEED } else { speed };
        offset.origin = towards * if reach >= missing.abs() { missing } else { reach };
        let mut heading = heading_of(between) - input.own.frame.heading();
        if heading < 0.0 {
            heading += 360.0;
        }
        offset.set_heading(heading);
    }
}

impl Entity {
    /// The object's stickiness, if it has any.
    pub fn sticky(&self) -> Option<&Sticky> {
        self.actor.as_ref()?.position.as_ref()?.sticky.as_ref()
    }

    /// Begins to stick; the scene then sets the target. Retail: `StickyManager::StickTo`. Spec: entities §3.3.1.
    pub(crate) fn begin_to_stick(&mut self, object: EntityKey, radius: f32, now: f64) {
        self.unstick();
        self.ensure_position_manager().sticky =
            Some(Sticky { object, radius, known: None, until: now + STICK_TIME });
    }

    /// No longer sticks. Retail: `PositionManager::Unstick`. Spec: entities §3.3.2.
    pub(crate) fn unstick(&mut self) {
        let position = self.actor.as_deref_mut().and_then(|actor| actor.position.as_mut());
        if position.is_some_and(|position| position.sticky.take().is_some()) {
            self.clear_target();
            self.cancel_move_to(MotionError::CANCELLED);
        }
    }

    pub(super) fn sticky_target_update(&mut self, info: &TargetInfo) {
        let position = self.actor.as_deref_mut().and_then(|actor| actor.position.as_mut());
        let sticky = position.and_then(|position| position.sticky.as_mut());
        let Some(sticky) = sticky.filter(|sticky| sticky.object == info.object) else { return };
        if info.status == TargetStatus::Ok {
            sticky.known = Some(info.position);
        } else {
            self.unstick();
        }
    }

    /// Lets go when the time is over. Retail: `StickyManager::UseTime`.
    pub(crate) fn tick_sticky(&mut self, now: f64) {
        if self.sticky().is_some_and(|sticky| now > sticky.until) {
            self.unstick();
        }
    }
}
