//! The animation state of one object. Retail: `CPartArray`'s sequence and `MotionTableManager`. Spec: motion §5, §7.

use super::{
    Animation, Clip, Command, MotionState, MotionTable, Node, Pending, QueuedHook, Sequence, request::Chooser,
};
use crate::Frame;
use std::sync::Arc;
use threshold_dat::records;

/// Frames per second of a setup's default animation.
pub const DEFAULT_RATE: f32 = 30.0;

/// Why a motion cannot be begun or ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no motion table.
    #[error("there is no motion table")]
    NoTable,
    /// The motion table has nothing for it in this state.
    #[error("the motion table has no such motion in this state")]
    NoMotion,
}

/// The frame of an animation that the parts were last placed by.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shown {
    pub(super) animation: Arc<Animation>,
    pub(super) frame: u32,
}

/// A sequence, the motion table that fills it and the motions that are not over yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Animator {
    pub(super) sequence: Sequence,
    pub(super) table: Option<Arc<MotionTable>>,
    pub(super) state: MotionState,
    pub(super) pending: Pending,
    pub(super) shown: Option<Shown>,
}

impl Animator {
    /// An animator that plays nothing.
    pub fn new() -> Animator {
        Animator::default()
    }

    /// Plays one animation over and over, as objects without a motion table do. Spec: motion §7.
    pub fn repeating(animation: Arc<Animation>) -> Animator {
        let mut animator = Animator::new();
        animator.sequence.append(&Clip { animation, low: 0, high: -1, rate: DEFAULT_RATE }, 1.0);
        animator
    }

    /// Begins where a motion table does.
    pub fn with_table(table: Arc<MotionTable>) -> Animator {
        let mut animator = Animator { table: Some(table), ..Animator::default() };
        animator.initialize();
        animator
    }

    /// The sequence being played.
    pub fn sequence(&self) -> &Sequence {
        &self.sequence
    }

    /// The motion table.
    pub fn table(&self) -> Option<&Arc<MotionTable>> {
        self.table.as_ref()
    }

    /// The object's state in its motion table.
    pub fn state(&self) -> &MotionState {
        &self.state
    }

    /// Motions that are not over yet.
    #[inline]
    pub fn pending(&self) -> &Pending {
        &self.pending
    }

    /// Frames of the parts; `None` when nothing is played and the setup's placement applies.
    pub fn pose(&self) -> Option<&[records::Frame]> {
        self.sequence.pose()
    }

    /// The node that repeats in a substate of the current style; `None` when the table has none.
    pub fn resting_node(&self, substate: Command) -> Option<Node> {
        let table = self.table.as_deref()?;
        Node::new(table.clips(table.cycle(self.state.style, substate)?).last()?, 1.0)
    }

    /// Makes the current pose the shown one. Commands change what is played immediately, but parts
    /// move only when their object is placed. Retail: `CPartArray::UpdateParts`. Spec: motion §8.5.
    #[inline]
    pub fn show(&mut self) {
        if !self.is_shown() {
            self.show_current();
        }
    }

    fn show_current(&mut self) {
        match (self.sequence.current_frame(), &mut self.shown) {
            (Some((animation, frame)), Some(shown)) => {
                if !Arc::ptr_eq(animation, &shown.animation) {
                    shown.animation = animation.clone();
                }
                shown.frame = frame;
            }
            (Some((animation, frame)), shown) => *shown = Some(Shown { animation: animation.clone(), frame }),
            (None, shown) => *shown = None,
        }
    }

    /// Whether the current pose is the shown one already.
    #[inline]
    pub fn is_shown(&self) -> bool {
        match (self.sequence.current_frame(), &self.shown) {
            (Some((animation, frame)), Some(shown)) => {
                frame == shown.frame && Arc::ptr_eq(animation, &shown.animation)
            }
            (current, shown) => current.is_none() && shown.is_none(),
        }
    }

    /// Where the parts were at the last [`Animator::show`]; `None` when the setup's placement counts.
    pub fn shown_pose(&self) -> Option<&[records::Frame]> {
        self.shown.as_ref().map(|shown| shown.animation.pose(shown.frame))
    }

    /// Replaces or removes the motion table. Whatever the old table played is dropped; call
    /// [`Animator::initialize`] to start.
    pub fn set_table(&mut self, table: Option<Arc<MotionTable>>) {
        self.state = MotionState::default();
        self.table = table;
    }

    /// Begins where the table does. Retail: `MotionTableManager::initialize_state`. Spec: motion §5.6.
    pub fn initialize(&mut self) {
        let Some(table) = self.table.as_deref() else { return };
        let animations = Chooser::new(table, &mut self.state, &mut self.sequence).reset().unwrap_or(0);
        self.queue(Command::READY, animations);
    }

    /// Begins a motion. Retail: `MotionTableManager::PerformMovement`. Spec: motion §5.2.
    pub fn request(&mut self, motion: Command, speed: f32) -> Result<(), Refusal> {
        let animations = self.chooser()?.request(motion, speed).ok_or(Refusal::NoMotion)?;
        self.queue(motion, animations);
        Ok(())
    }

    /// Ends a motion.
    pub fn stop(&mut self, motion: Command) -> Result<(), Refusal> {
        let animations = self.chooser()?.stop(motion).ok_or(Refusal::NoMotion)?;
        self.queue(Command::READY, animations);
        Ok(())
    }

    /// Ends everything.
    pub fn stop_completely(&mut self) -> Result<(), Refusal> {
        let animations = self.chooser()?.stop_completely();
        self.queue(Command::READY, animations);
        Ok(())
    }

    /// Whether another motion can begin: [`MAX_REPEATS`](super::MAX_REPEATS) motions can wait, with
    /// [`MAX_NODES`](super::MAX_NODES) animations.
    pub fn has_room(&self) -> bool {
        self.sequence.has_room() && self.pending.has_room()
    }

    /// The table at work; refused while too much is waiting already.
    fn chooser(&mut self) -> Result<Chooser<'_>, Refusal> {
        let table = self.table.as_deref().ok_or(Refusal::NoTable)?;
        if !self.has_room() {
            return Err(Refusal::NoMotion);
        }
        Ok(Chooser::new(table, &mut self.state, &mut self.sequence))
    }

    fn queue(&mut self, motion: Command, animations: u32) {
        if self.pending.has_room() {
            let redundant = self.pending.push(motion, animations);
            self.sequence.remove_links(redundant);
        }
    }

    /// Advances time; see [`Sequence::advance`].
    pub fn advance(&mut self, seconds: f64, offset: Option<&mut Frame>, hooks: &mut Vec<QueuedHook>) -> bool {
        self.sequence.advance(seconds, offset, hooks)
    }

    /// Removes every animation except the one that repeats. Motions that wait for their end must be notified: call
    /// [`Animator::count_done`] until none waits. Spec: motion §5.7.
    pub fn remove_links(&mut self) {
        self.sequence.remove_links(usize::MAX);
    }

    /// An animation has ended; false when no motion waits for one. [`Animator::next_over`] names the motions that are
    /// over with it. Retail: `MotionTableManager::AnimationDone`. Spec: motion §5.4.
    pub fn count_done(&mut self) -> bool {
        self.pending.count()
    }

    /// The oldest motion, if it is over; [`Animator::retire`] takes it off.
    pub fn next_over(&mut self) -> Option<Command> {
        let motion = self.pending.over();
        self.begin_retirement(motion)
    }

    /// The oldest motion, if it had nothing to wait for. Retail: `MotionTableManager::CheckForCompletedMotions`.
    /// Spec: motion §5.5.
    pub fn next_completed(&mut self) -> Option<Command> {
        let motion = self.pending.completed();
        self.begin_retirement(motion)
    }

    fn begin_retirement(&mut self, motion: Option<Command>) -> Option<Command> {
        if motion.is_some_and(Command::is_action) {
            self.state.drop_oldest_action();
        }
        motion
    }

    /// Takes off the oldest motion.
    pub fn retire(&mut self) {
        self.pending.retire();
    }

    /// To be called when no more motions are over.
    pub fn settle(&mut self) {
        self.pending.settle();
    }

    /// Runs those hooks of an update that concern only the animator, and removes finished motions: for objects whose motion
    /// ends nobody else needs.
    pub fn finish(&mut self, hooks: &[QueuedHook]) {
        for _ in hooks.iter().filter(|hook| **hook == QueuedHook::AnimationDone) {
            if self.count_done() {
                while self.next_over().is_some() {
                    self.retire();
                }
                self.settle();
            }
        }
        while self.next_completed().is_some() {
            self.retire();
        }
    }
}
