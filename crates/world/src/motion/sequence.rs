//! The animations an object plays, in order; the last one repeats. Spec: motion §6.1, §6.2.

use super::{Animation, Clip};
use crate::EPSILON;
use glam::Vec3;
use std::{collections::VecDeque, sync::Arc};
use threshold_dat::records;

/// Maximum length. The original has no limit; a few dozen occur in practice.
pub const MAX_NODES: usize = 1024;

/// A stretch of an animation in a list. Retail: `AnimSequenceNode`.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    animation: Arc<Animation>,
    pub(super) low: u32,
    pub(super) high: u32,
    pub(super) rate: f32,
}

impl Node {
    /// Brings the range into the animation; `None` when that has no frames. Spec: motion §6.1.
    pub fn new(clip: &Clip, speed: f32) -> Option<Node> {
        let last = clip.animation.frame_count().checked_sub(1)?;
        let high = u32::try_from(clip.high).unwrap_or(last).min(last);
        // A negative first frame is a huge unsigned number to the original.
        let low = u32::try_from(clip.low).unwrap_or(last).min(last);
        let rate = clip.rate * speed;
        Some(Node {
            animation: clip.animation.clone(),
            low,
            high: high.max(low),
            rate: if rate.is_finite() { rate } else { 0.0 },
        })
    }

    /// What is played.
    pub fn animation(&self) -> &Arc<Animation> {
        &self.animation
    }

    /// Frames per second; negative backwards.
    pub fn rate(&self) -> f32 {
        self.rate
    }

    /// First and last frame.
    pub fn range(&self) -> (u32, u32) {
        (self.low, self.high)
    }

    /// A node as it was, its range trusted as little as any input.
    pub(super) fn restored(animation: Arc<Animation>, low: u32, high: u32, rate: f32) -> Option<Node> {
        let fits = low <= high && high < animation.frame_count() && rate.is_finite();
        fits.then_some(Node { animation, low, high, rate })
    }

    fn upper_end(&self) -> f64 {
        f64::from(self.high + 1) - f64::from(EPSILON)
    }

    /// Frame number at which it begins.
    pub(super) fn start(&self) -> f64 {
        if self.rate >= 0.0 { f64::from(self.low) } else { self.upper_end() }
    }

    /// Frame number at which it ends.
    fn end(&self) -> f64 {
        if self.rate >= 0.0 { self.upper_end() } else { f64::from(self.low) }
    }
}

/// The animations of an object. Retail: `CSequence`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sequence {
    pub(super) nodes: VecDeque<Node>,
    pub(super) current: usize,
    /// Frame number within the current node's animation.
    pub(super) frame: f64,
    /// Metres per second that the motion means.
    pub velocity: Vec3,
    /// Radians per second that it means.
    pub omega: Vec3,
}

impl Sequence {
    /// The nodes, in play order. The last one repeats.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = &Node> {
        self.nodes.iter()
    }

    /// Whether nothing is played.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Whether there is room for more.
    pub(super) fn has_room(&self) -> bool {
        self.nodes.len() < MAX_NODES
    }

    /// The node being played.
    pub fn current(&self) -> Option<&Node> {
        self.nodes.get(self.current)
    }

    /// Its place in the list.
    pub fn current_index(&self) -> Option<usize> {
        (!self.nodes.is_empty()).then_some(self.current)
    }

    /// Where in the current animation, in frames.
    pub fn frame_number(&self) -> f64 {
        self.frame
    }

    /// The animation and the frame of it that is played now; `None` when nothing is. Spec: motion §6.6.
    #[inline]
    pub(super) fn current_frame(&self) -> Option<(&Arc<Animation>, u32)> {
        let node = self.current()?;
        Some((&node.animation, (self.frame as u32).clamp(node.low, node.high)))
    }

    /// Current frames of the parts; `None` when nothing is played. Frames are not interpolated. Spec: motion §6.6.
    pub fn pose(&self) -> Option<&[records::Frame]> {
        self.current_frame().map(|(animation, frame)| animation.pose(frame))
    }

    /// Forgets the list, velocity and omega.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.current = 0;
        self.frame = 0.0;
        self.clear_physics();
    }

    /// Moves like this from now on; what is too large for a number does not move.
    pub(super) fn set_physics(&mut self, velocity: Vec3, omega: Vec3) {
        let finite = |vector: Vec3| if vector.is_finite() { vector } else { Vec3::ZERO };
        self.velocity = finite(velocity);
        self.omega = finite(omega);
    }

    pub(super) fn clear_physics(&mut self) {
        self.velocity = Vec3::ZERO;
        self.omega = Vec3::ZERO;
    }

    /// Appends a node; from now on it is the one that repeats. Retail: `CSequence::append_animation`.
    pub(super) fn append(&mut self, clip: &Clip, speed: f32) {
        let Some(node) = Node::new(clip, speed).filter(|_| self.has_room()) else { return };
        if self.nodes.is_empty() {
            self.current = 0;
            self.frame = node.start();
        }
        self.nodes.push_back(node);
    }

    /// Removes the node that repeats. Retail: `CSequence::remove_cyclic_anims`.
    pub(super) fn remove_cyclic(&mut self) {
        self.nodes.pop_back();
        if self.current < self.nodes.len() {
            return;
        }
        self.current = self.nodes.len().saturating_sub(1);
        self.frame = self.nodes.back().map_or(0.0, Node::end);
    }

    /// Removes up to `count` nodes directly before the one that repeats. Retail: `CSequence::remove_link_animations`.
    pub(super) fn remove_links(&mut self, count: usize) {
        let links = self.nodes.len().saturating_sub(1);
        let first = links - count.min(links);
        if first == links {
            return;
        }
        self.nodes.drain(first..links);
        if self.current >= links {
            self.current -= links - first;
        } else if self.current >= first {
            self.current = first;
            self.frame = self.nodes.back().map_or(0.0, Node::start);
        }
    }

    /// Removes what has been played. Retail: `CSequence::apricot`.
    pub(super) fn trim(&mut self) {
        // The current node is never behind the last.
        self.nodes.drain(..self.current);
        self.current = 0;
    }

    /// Plays the node that repeats faster or slower. Retail: `CSequence::multiply_cyclic_animation_fr`.
    pub(super) fn scale_cyclic_rate(&mut self, factor: f32) {
        if let Some(node) = self.nodes.back_mut() {
            let rate = node.rate * factor;
            node.rate = if rate.is_finite() { rate } else { 0.0 };
        }
    }
}
