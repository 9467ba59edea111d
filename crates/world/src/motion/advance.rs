//! Playing a sequence: frames pass, the object moves, hooks are queued. Spec: motion §6.3–6.5.

use super::{Animation, Sequence, sequence::Node};
use crate::{EPSILON, Frame, Quat};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::records::{Hook, HookAction};

/// Frames that one update may pass; the rest of its time is lost. The fastest motions pass a few dozen.
pub const MAX_FRAMES_PER_ADVANCE: u32 = 16_384;

/// A hook that waits until the frames of an update have passed.
#[derive(Clone, Debug, PartialEq)]
pub enum QueuedHook {
    /// An animation that does not repeat has ended.
    AnimationDone,
    /// A hook of an animation.
    Stored {
        /// The animation.
        animation: Arc<Animation>,
        /// Number of the hook in it.
        number: u32,
    },
}

impl QueuedHook {
    /// The stored type number.
    pub fn code(&self) -> u32 {
        self.action().code()
    }

    /// What it does.
    pub fn action(&self) -> &HookAction {
        match self {
            QueuedHook::Stored { animation, number } => {
                animation.hook(*number).map_or(&HookAction::NoOp {}, |hook| &hook.action)
            }
            QueuedHook::AnimationDone => &HookAction::AnimationDone {},
        }
    }
}

/// What an update of a sequence adds to.
struct Passing<'a> {
    offset: Option<&'a mut Frame>,
    hooks: &'a mut Vec<QueuedHook>,
    velocity: Vec3,
    omega: Vec3,
}

impl Passing<'_> {
    /// Root motion of one frame, forwards or backwards.
    fn root(&mut self, node: &Node, frame: u32, forwards: bool) {
        let Some(offset) = self.offset.as_deref_mut() else { return };
        if let Some(root) = node.animation().root(frame) {
            if forwards {
                *offset = offset.compose(root);
            } else {
                subtract(offset, root);
            }
        }
        if node.rate.abs() > EPSILON {
            self.step(1.0 / f64::from(node.rate));
        }
    }

    /// Velocity and omega act for a time. Retail: `CSequence::apply_physics`. Spec: motion §6.4.
    fn step(&mut self, seconds: f64) {
        let Some(offset) = self.offset.as_deref_mut() else { return };
        let seconds = seconds.abs() as f32;
        offset.origin += self.velocity * seconds;
        offset.turn(self.omega * seconds);
    }

    fn hooks(&mut self, node: &Node, frame: u32, direction: i32) {
        let matches = |hook: &Hook| hook.direction == 0 || hook.direction == direction;
        let animation = node.animation();
        for (number, _) in animation.hooks(frame).filter(|(_, hook)| matches(hook)) {
            self.hooks.push(QueuedHook::Stored { animation: animation.clone(), number });
        }
    }
}

/// Takes a root frame off again. Spec: motion §6.3.
fn subtract(offset: &mut Frame, root: &Frame) {
    let Quat { w, v } = root.rotation();
    offset.set_rotation(offset.rotation() * Quat { w, v: -v });
    offset.origin -= offset.rotate(root.origin);
}

impl Sequence {
    /// Advances time. The object's movement is composed onto `offset`, hooks are appended in order.
    ///
    /// False when more frames passed than [`MAX_FRAMES_PER_ADVANCE`]: the rest of the time is dropped.
    /// Retail: `CSequence::update`, `update_internal`.
    pub fn advance(&mut self, seconds: f64, offset: Option<&mut Frame>, hooks: &mut Vec<QueuedHook>) -> bool {
        let mut passing = Passing { offset, hooks, velocity: self.velocity, omega: self.omega };
        if self.nodes.is_empty() {
            passing.step(seconds);
            return true;
        }
        let mut rest = seconds;
        let mut budget = MAX_FRAMES_PER_ADVANCE;
        let mut in_time = true;
        while let Some(left) = self.play(rest, &mut passing, &mut budget) {
            if self.nodes.len() > 1 {
                passing.hooks.push(QueuedHook::AnimationDone);
            }
            self.next_node(&mut passing);
            rest = left;
            if budget == 0 {
                in_time = false;
                break;
            }
        }
        self.trim();
        in_time
    }

    /// Plays the current node; what is left of the time when it ended.
    fn play(&mut self, seconds: f64, passing: &mut Passing<'_>, budget: &mut u32) -> Option<f64> {
        let node = self.nodes.get(self.current)?;
        let rate = f64::from(node.rate);
        let passed = rate * seconds;
        let mut at = self.frame.floor();
        self.frame += passed;
        let (low, high) = (f64::from(node.low), f64::from(node.high));
        let seconds_of = |frames: f64| if node.rate.abs() > EPSILON { frames / rate } else { 0.0 };
        let mut left = None;
        if passed > 0.0 {
            if self.frame.floor() > high {
                left = Some(seconds_of((self.frame - high - 1.0).max(0.0)));
                self.frame = high;
            }
            while self.frame.floor() > at {
                passing.root(node, at as u32, true);
                passing.hooks(node, at as u32, 1);
                at += 1.0;
                *budget = budget.saturating_sub(1);
            }
        } else if passed < 0.0 {
            if self.frame.floor() < low {
                left = Some(seconds_of((self.frame - low).min(0.0)));
                self.frame = low;
            }
            while self.frame.floor() < at {
                passing.root(node, at as u32, false);
                passing.hooks(node, at as u32, -1);
                at -= 1.0;
                *budget = budget.saturating_sub(1);
            }
        } else if seconds.abs() > f64::from(EPSILON) {
            passing.step(seconds);
        }
        *budget = budget.saturating_sub(1);
        left
    }

    /// Goes on to the next node, or again to the last. Retail: `CSequence::advance_to_next_animation`.
    fn next_node(&mut self, passing: &mut Passing<'_>) {
        let Some(node) = self.nodes.get(self.current) else { return };
        if node.rate < 0.0 {
            passing.root(node, self.frame as u32, false);
        }
        self.current = (self.current + 1).min(self.nodes.len() - 1);
        let Some(node) = self.nodes.get(self.current) else { return };
        self.frame = node.start();
        if node.rate > 0.0 {
            passing.root(node, self.frame as u32, true);
        }
    }
}
