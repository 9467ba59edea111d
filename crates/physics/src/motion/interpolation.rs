//! Following positions that a server reports. Retail: `InterpolationManager`. Spec: entities §3.2.

use super::OffsetInput;
use crate::scene::Entity;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;
use threshold_world::{EPSILON, Frame, Position};

/// Positions that wait at most.
pub const MAX_INTERPOLATION_NODES: usize = 20;

/// Distance at which a position is reached.
const REACHED: f32 = 0.05;
/// Distance at which a position counts as reached that could not be.
const NEARLY_REACHED: f32 = 0.2;
/// Steps between two looks at the progress.
const WINDOW: u32 = 5;
/// Part of its own speed that counts as progress.
const MIN_PROGRESS: f32 = 0.3;
/// Failures after which the object jumps.
const MAX_FAILS: u32 = 3;
/// Speed of an object that cannot move by itself.
const FALLBACK_SPEED: f32 = 7.5;
/// Distance of what has not been measured.
const UNMEASURED: f32 = 999_999.0;

/// Positions to follow, and the progress.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Interpolation {
    pub(super) nodes: VecDeque<Position>,
    keep_heading: bool,
    steps: u32,
    elapsed: f32,
    original: f32,
    fails: u32,
    /// Where a position that could not be reached was, after the last one.
    blip: Option<Position>,
}

impl Default for Interpolation {
    fn default() -> Self {
        Interpolation {
            nodes: VecDeque::new(),
            keep_heading: false,
            steps: 0,
            elapsed: 0.0,
            original: UNMEASURED,
            fails: 0,
            blip: None,
        }
    }
}

/// How a position was done with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Completion {
    Reached,
    Failed,
}

impl Interpolation {
    /// Positions that wait.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Position> {
        self.nodes.iter()
    }

    /// Positions that could not be reached.
    pub fn fails(&self) -> u32 {
        self.fails
    }

    /// Forgets everything. Retail: `InterpolationManager::StopInterpolating`.
    pub(super) fn stop(&mut self) {
        self.nodes.clear();
        self.steps = 0;
        self.elapsed = 0.0;
        self.fails = 0;
        self.original = UNMEASURED;
    }

    pub(super) fn is_sound(&self) -> bool {
        let places = self.nodes.iter().chain(&self.blip);
        self.nodes.len() <= MAX_INTERPOLATION_NODES
            && places.into_iter().all(|place| place.frame.is_finite())
            && self.elapsed.is_finite()
            && self.original.is_finite()
    }

    fn push(&mut self, node: Position) {
        while self.nodes.len() >= MAX_INTERPOLATION_NODES {
            self.nodes.pop_front();
        }
        self.nodes.push_back(node);
    }

    /// A position to go to. True when the object is there and must only turn.
    /// Retail: `InterpolationManager::InterpolateTo`. Spec: entities §3.2.1.
    pub(super) fn follow(&mut self, own: &Position, to: &Position, keep: bool, blip_distance: f32) -> bool {
        let with_heading = |keep: bool| {
            let mut node = *to;
            if keep {
                node.frame.set_heading(own.frame.heading());
            }
            node
        };
        if self.nodes.back().unwrap_or(own).distance_to(to) > blip_distance {
            // The original lets these pile up; only the last one counts.
            self.push(with_heading(self.keep_heading));
            self.fails = MAX_FAILS + 1;
            return false;
        }
        if own.distance_to(to) <= REACHED {
            self.stop();
            return !keep;
        }
        while self.nodes.back().is_some_and(|tail| tail.distance_to(to) < REACHED) {
            self.nodes.pop_back();
        }
        self.keep_heading = keep;
        self.push(with_heading(keep));
        false
    }

    /// Replaces a step by one towards the first position. Retail: `InterpolationManager::adjust_offset`.
    /// Spec: entities §3.2.2.
    pub(super) fn adjust(&mut self, input: &OffsetInput, is_sticky: bool, offset: &mut Frame) {
        let Some(head) = self.nodes.front().copied().filter(|_| input.contact) else { return };
        let own = &input.own;
        let distance = own.distance_to(&head);
        if distance < REACHED {
            return self.complete(own, Completion::Reached);
        }
        let speed = 2.0 * input.adjusted_max_speed;
        let speed = if speed < EPSILON { FALLBACK_SPEED } else { speed };
        self.elapsed += input.quantum;
        self.steps += 1;
        if self.steps >= WINDOW {
            let gained = self.original - distance;
            let enough = gained >= EPSILON && gained / self.elapsed / speed >= MIN_PROGRESS;
            if is_sticky || enough {
                self.steps = 0;
                self.elapsed = 0.0;
                self.original = distance;
            } else if distance < NEARLY_REACHED {
                return self.complete(own, Completion::Reached);
            } else {
                self.fails += 1;
                return self.complete(own, Completion::Failed);
            }
        }
        *offset = relative(own, &head);
        let (length, reach) = (offset.origin.length(), speed * input.quantum);
        if length <= REACHED {
            self.complete(own, Completion::Reached);
        }
        if length > reach {
            offset.origin *= reach / length;
        }
        if self.keep_heading {
            offset.set_heading(0.0);
        }
    }

    /// The first position is done with. Retail: `InterpolationManager::NodeCompleted`. Spec: entities §3.2.4.
    pub(super) fn complete(&mut self, own: &Position, completion: Completion) {
        self.steps = 0;
        self.elapsed = 0.0;
        let done = self.nodes.pop_front();
        match (self.nodes.front(), completion) {
            (Some(next), _) => self.original = own.distance_to(next),
            (None, Completion::Reached) => self.stop(),
            (None, Completion::Failed) => {
                self.original = UNMEASURED;
                self.blip = done;
            }
        }
    }

    /// Whether there is nothing to follow and nothing to jump to.
    pub(crate) fn is_idle(&self) -> bool {
        self.nodes.is_empty() && self.fails == 0
    }

    /// Where the object must jump to, having failed too often. Retail: `InterpolationManager::UseTime`.
    /// Spec: entities §3.2.5.
    pub(crate) fn jump_target(&self) -> Option<Position> {
        let jumps = self.fails > MAX_FAILS || self.nodes.is_empty() && self.fails > 0;
        self.nodes.back().copied().or(self.blip).filter(|_| jumps)
    }
}

/// One position in the frame of another.
fn relative(own: &Position, other: &Position) -> Frame {
    let origin = own.frame.rotate_inverse(own.offset_to(other));
    let threshold_world::Quat { w, v } = own.frame.rotation();
    let inverse = threshold_world::Quat { w, v: -v };
    let mut frame = Frame::at(origin);
    frame.set_rotation(inverse * other.frame.rotation());
    frame
}

impl Entity {
    /// Positions the object follows.
    pub fn interpolation(&self) -> Option<&Interpolation> {
        Some(&self.actor.as_ref()?.position.as_ref()?.interpolation)
    }

    /// From which distance on the object jumps instead of following. Spec: entities §3.2.1.
    pub(super) fn blip_distance(&self) -> f32 {
        let is_own = self.actor.as_ref().is_some_and(|actor| actor.skills.is_some());
        match (self.position.cell.is_interior(), is_own) {
            (true, true) => 25.0,
            (true, false) => 20.0,
            (false, _) => 100.0,
        }
    }

    /// Follows a position. True when the object was turned on the spot. Retail: `PositionManager::InterpolateTo`.
    pub(crate) fn interpolate_to(&mut self, to: &Position, keep_heading: bool) -> bool {
        let (own, blip) = (self.position, self.blip_distance());
        let turns = self.ensure_position_manager().interpolation.follow(&own, to, keep_heading, blip);
        if turns {
            self.position.frame.set_heading(to.frame.heading());
        }
        turns
    }

    pub(crate) fn stop_interpolating(&mut self) {
        if let Some(position) = self.actor.as_deref_mut().and_then(|actor| actor.position.as_mut()) {
            position.interpolation.stop();
        }
    }
}
