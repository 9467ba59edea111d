//! Adjusts the offset of a step. Retail: `PositionManager`. Spec: entities §3.

use super::{Constraint, Interpolation, Sticky};
use crate::{flags::Transient, scene::Entity};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use threshold_world::{Frame, Position};

/// Positions to follow, an object to stick to, and a limit on the distance moved.
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct PositionManager {
    /// Positions to follow.
    pub interpolation: Interpolation,
    /// An object to stick to.
    pub sticky: Option<Sticky>,
    /// The limit on the distance moved.
    pub constraint: Constraint,
}

/// What a step is measured by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OffsetInput {
    pub(super) own: Position,
    pub(super) own_radius: f32,
    pub(super) quantum: f32,
    pub(super) contact: bool,
    pub(super) max_speed: f32,
    pub(super) adjusted_max_speed: f32,
    /// Where the object that it sticks to is now.
    pub(super) sticky_target: Option<Position>,
}

impl PositionManager {
    pub(super) fn is_sound(&self) -> bool {
        self.interpolation.is_sound()
            && self.sticky.is_none_or(|sticky| sticky.is_sound())
            && self.constraint.is_sound()
    }

    fn adjust(&mut self, input: &OffsetInput, offset: &mut Frame) {
        self.interpolation.adjust(input, self.sticky.is_some(), offset);
        if let Some(sticky) = &self.sticky {
            sticky.adjust(input, offset);
        }
        self.constraint.adjust(input.contact, offset);
    }

    fn needs_speed(&self) -> bool {
        !self.interpolation.nodes.is_empty() || self.sticky.is_some()
    }
}

impl Entity {
    /// The object's position manager, if it has one.
    pub fn position_manager(&self) -> Option<&PositionManager> {
        self.actor.as_ref()?.position.as_ref()
    }

    /// Makes the position manager unless it is there; what has one is awake.
    pub(super) fn ensure_position_manager(&mut self) -> &mut PositionManager {
        if self.position_manager().is_none() {
            self.set_active();
        }
        self.actor_mut().position.get_or_insert_default()
    }

    /// Changes the offset of a step. Retail: `PositionManager::adjust_offset`.
    pub(crate) fn adjust_offset(
        &mut self,
        quantum: f32,
        sticky_target: Option<Position>,
        offset: &mut Frame,
    ) {
        let Some(needs_speed) = self.position_manager().map(PositionManager::needs_speed) else { return };
        if needs_speed {
            self.ensure_interpreter();
        }
        let input = OffsetInput {
            own: self.position,
            own_radius: self.cylinder().radius,
            quantum,
            contact: self.has(Transient::CONTACT),
            max_speed: self.max_speed(),
            adjusted_max_speed: self.adjusted_max_speed(),
            sticky_target,
        };
        if let Some(position) = self.actor.as_deref_mut().and_then(|actor| actor.position.as_mut()) {
            position.adjust(&input, offset);
        }
    }

    /// Counts how far the object goes from now on. Retail: `PositionManager::ConstrainTo`.
    pub(crate) fn constrain_to(&mut self, position: &Position) {
        let begun = Constraint::begin(self.position.cell, self.position.distance_to(position));
        self.ensure_position_manager().constraint = begun;
    }

    /// Retail: `PositionManager::UnConstrain`.
    pub(crate) fn unconstrain(&mut self) {
        if let Some(position) = self.actor.as_deref_mut().and_then(|actor| actor.position.as_mut()) {
            position.constraint.is_on = false;
        }
    }
}
