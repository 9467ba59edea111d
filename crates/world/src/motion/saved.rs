//! An animator as plain data.

use super::{
    Animation, Animator, MotionState, MotionTable, Pending, Sequence,
    animator::Shown,
    sequence::{MAX_NODES, Node},
};
use glam::Vec3;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use threshold_dat::DatId;

/// A node without its animation.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct SavedNode {
    animation: u32,
    low: u32,
    high: u32,
    rate: f32,
}

/// An [`Animator`] at one moment, bit for bit. It refers to tables and animations by id.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct SavedAnimator {
    table: Option<u32>,
    nodes: Vec<SavedNode>,
    current: u32,
    frame: f64,
    velocity: Vec3,
    omega: Vec3,
    state: MotionState,
    pending: Pending,
    /// Animation and frame that the parts were placed by.
    shown: Option<(u32, u32)>,
}

/// Why an animator cannot be restored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SavedAnimatorError {
    /// The motion table is not there.
    #[error("its motion table {0} is missing")]
    Table(DatId),
    /// An animation is not there, or not as it was.
    #[error("its animation {0} is missing or has other frames")]
    Animation(DatId),
    /// A number is out of range.
    #[error("its {0} is out of range")]
    Range(&'static str),
}

impl Animator {
    /// The animator as plain data.
    pub fn save(&self) -> SavedAnimator {
        let Animator { sequence, table, state, pending, shown } = self;
        let Sequence { nodes, current, frame, velocity, omega } = sequence;
        let node = |node: &Node| {
            let (low, high) = node.range();
            SavedNode { animation: node.animation().id.0, low, high, rate: node.rate() }
        };
        SavedAnimator {
            table: table.as_ref().map(|table| table.id.0),
            nodes: nodes.iter().map(node).collect(),
            current: *current as u32,
            frame: *frame,
            velocity: *velocity,
            omega: *omega,
            state: state.clone(),
            pending: pending.clone(),
            shown: shown.as_ref().map(|shown| (shown.animation.id.0, shown.frame)),
        }
    }
}

impl SavedAnimator {
    /// Restores the animator. `tables` and `animations` look up what it plays.
    pub fn restore(
        &self,
        mut tables: impl FnMut(DatId) -> Option<Arc<MotionTable>>,
        mut animations: impl FnMut(DatId) -> Option<Arc<Animation>>,
    ) -> Result<Animator, SavedAnimatorError> {
        let table = match self.table.map(DatId) {
            Some(id) => Some(tables(id).ok_or(SavedAnimatorError::Table(id))?),
            None => None,
        };
        if self.nodes.len() > MAX_NODES || self.current as usize > self.nodes.len().saturating_sub(1) {
            return Err(SavedAnimatorError::Range("list of animations"));
        }
        let mut animation = |id: DatId| {
            let shared = table.as_ref().and_then(|table| table.animation(id).cloned());
            shared.or_else(|| animations(id)).ok_or(SavedAnimatorError::Animation(id))
        };
        let mut node = |saved: &SavedNode| {
            let id = DatId(saved.animation);
            let node = Node::restored(animation(id)?, saved.low, saved.high, saved.rate);
            node.ok_or(SavedAnimatorError::Animation(id))
        };
        let nodes = self.nodes.iter().map(&mut node).collect::<Result<_, _>>()?;
        let shown = match self.shown {
            Some((id, frame)) => {
                let animation = animation(DatId(id))?;
                if frame >= animation.frame_count() {
                    return Err(SavedAnimatorError::Range("shown frame"));
                }
                Some(Shown { animation, frame })
            }
            None => None,
        };
        let sequence = Sequence {
            nodes,
            current: self.current as usize,
            frame: self.frame,
            velocity: self.velocity,
            omega: self.omega,
        };
        let in_range = sequence.current().map_or(self.frame == 0.0, |node| {
            (f64::from(node.low)..=f64::from(node.high) + 1.0).contains(&self.frame)
        });
        let is_finite = self.velocity.is_finite() && self.omega.is_finite();
        for (what, is_sound) in
            [("frame number", in_range), ("velocity", is_finite), ("state", self.state.is_sound())]
        {
            if !is_sound {
                return Err(SavedAnimatorError::Range(what));
            }
        }
        let (state, pending) = (self.state.clone(), self.pending.clone());
        Ok(Animator { sequence, table, state, pending, shown })
    }
}
