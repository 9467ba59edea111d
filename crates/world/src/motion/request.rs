//! Chooses what to play for a command. Retail: `CMotionTable`. Spec: motion §3, §4.

use super::{Command, MotionData, MotionTable, Sequence, table::LinkEnds};
use crate::EPSILON;
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};
use std::collections::VecDeque;

/// Maximum number of modifiers at a time. The original has no limit; two or three occur in practice.
pub const MAX_MODIFIERS: usize = 64;
/// Most actions that wait. The original has no limit in this place.
pub const MAX_ACTIONS: usize = 256;
/// How often a modifier that becomes a substate may bring back another. The original recurses without a limit.
const MAX_DEPTH: u32 = 32;

/// The state of an object in its motion table. Retail: `MotionState`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct MotionState {
    /// Style.
    pub style: Command,
    /// Substate.
    pub substate: Command,
    /// Speed of the substate. Retail: `substate_mod`.
    pub speed: f32,
    /// Newest last.
    modifiers: Vec<(Command, f32)>,
    /// Oldest first.
    actions: VecDeque<(Command, f32)>,
}

impl Default for MotionState {
    fn default() -> Self {
        MotionState {
            style: Command::NONE,
            substate: Command::NONE,
            speed: 1.0,
            modifiers: Vec::new(),
            actions: VecDeque::new(),
        }
    }
}

impl MotionState {
    /// Modifiers and their speeds, newest first.
    pub fn modifiers(&self) -> impl ExactSizeIterator<Item = (Command, f32)> {
        self.modifiers.iter().rev().copied()
    }

    /// Actions and their speeds, oldest first.
    pub fn actions(&self) -> impl ExactSizeIterator<Item = (Command, f32)> {
        self.actions.iter().copied()
    }

    pub(super) fn drop_oldest_action(&mut self) {
        self.actions.pop_front();
    }

    /// Whether every number in it is in range.
    pub(super) fn is_sound(&self) -> bool {
        let speeds = self.modifiers.iter().chain(&self.actions).map(|(_, speed)| *speed);
        self.modifiers.len() <= MAX_MODIFIERS
            && self.actions.len() <= MAX_ACTIONS
            && speeds.chain([self.speed]).all(f32::is_finite)
    }

    fn position_of(&self, modifier: Command) -> Option<usize> {
        self.modifiers.iter().rposition(|(listed, _)| *listed == modifier)
    }

    /// False when it is listed already or is the substate.
    fn add_modifier(&mut self, modifier: Command, speed: f32) -> bool {
        let is_new = modifier != self.substate && self.position_of(modifier).is_none();
        let accepted = is_new && self.modifiers.len() < MAX_MODIFIERS;
        if accepted {
            self.modifiers.push((modifier, speed));
        }
        accepted
    }
}

/// Whether a request comes from stopping something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    Command,
    Stop,
}

/// A table at work on an object's state and sequence.
pub(super) struct Chooser<'a> {
    pub(super) table: &'a MotionTable,
    pub(super) state: &'a mut MotionState,
    pub(super) sequence: &'a mut Sequence,
    depth: u32,
}

/// Both of the same sign; zero counts as positive.
fn same(a: f32, b: f32) -> bool {
    (a < 0.0) == (b < 0.0)
}

fn count(motions: &[Option<&MotionData>]) -> u32 {
    motions.iter().flatten().map(|motion| motion.named_animations()).sum()
}

impl<'a> Chooser<'a> {
    pub(super) fn new(
        table: &'a MotionTable,
        state: &'a mut MotionState,
        sequence: &'a mut Sequence,
    ) -> Chooser<'a> {
        Chooser { table, state, sequence, depth: 0 }
    }

    /// Begins a motion; how many animations must end before it is over, none when it cannot be.
    /// Retail: `CMotionTable::GetObjectSequence`. Spec: motion §3.
    pub(super) fn request(&mut self, motion: Command, speed: f32) -> Option<u32> {
        self.choose(motion, speed, Cause::Command)
    }

    fn choose(&mut self, motion: Command, speed: f32, cause: Cause) -> Option<u32> {
        let (style, substate) = (self.state.style, self.state.substate);
        if style == Command::NONE || substate == Command::NONE {
            return None;
        }
        let is_default = self.table.style_default(style) == Some(motion);
        if is_default && cause == Cause::Command && substate.is_modifier() {
            return Some(0);
        }
        if motion.is_style()
            && let Some(animations) = self.change_style(motion, speed)
        {
            return Some(animations);
        }
        if motion.is_substate()
            && let Some(animations) = self.change_substate(motion, speed)
        {
            return Some(animations);
        }
        if motion.is_action()
            && let Some(animations) = self.act(motion, speed)
        {
            return Some(animations);
        }
        if motion.is_modifier() && self.modify(motion, speed) {
            return Some(0);
        }
        None
    }

    fn link(&self, from: (Command, f32), to: (Command, f32)) -> Option<&'a MotionData> {
        self.table.link(self.state.style, LinkEnds { from, to })
    }

    /// By way of the style's default: from where, and to where.
    fn detour(
        &self,
        from: (Command, f32),
        to: (Command, f32),
    ) -> (Option<&'a MotionData>, Option<&'a MotionData>) {
        let Some(default) = self.table.style_default(self.state.style) else { return (None, None) };
        (self.link(from, (default, 1.0)), self.link((default, 1.0), to))
    }

    /// Spec: motion §3.3.
    fn change_style(&mut self, style: Command, speed: f32) -> Option<u32> {
        let MotionState { style: old, substate, speed: old_speed, .. } = *self.state;
        if style == old {
            return Some(0);
        }
        let target = self.table.style_default(style)?;
        let cycle = self.table.cycle(style, target)?;
        let default = self.table.style_default(old);
        let leave = default
            .filter(|&default| default != substate)
            .and_then(|default| self.link((substate, old_speed), (default, speed)));
        if cycle.excludes_modifiers {
            self.state.modifiers.clear();
        }
        let mut first = default.and_then(|default| self.link((default, old_speed), (style, speed)));
        let mut second = None;
        if first.is_none() {
            let middle = self.table.default_style;
            first = default.and_then(|default| self.link((default, 1.0), (middle, 1.0)));
            let ends = |from| LinkEnds { from: (from, 1.0), to: (style, 1.0) };
            second = self.table.style_default(middle).and_then(|from| self.table.link(middle, ends(from)));
        }
        self.start_over();
        for motion in [leave, first, second, Some(cycle)] {
            self.add(motion, speed);
        }
        self.state.substate = target;
        self.state.style = style;
        self.state.speed = speed;
        self.reapply_modifiers();
        Some(count(&[leave, first, second, Some(cycle)]).saturating_sub(1))
    }

    /// Spec: motion §3.4.
    fn change_substate(&mut self, motion: Command, speed: f32) -> Option<u32> {
        let MotionState { style, substate, speed: old_speed, .. } = *self.state;
        let cycle = self.table.cycle(style, motion);
        let cycle = cycle.or_else(|| self.table.cycle(self.table.default_style, motion))?;
        if !self.is_allowed(motion, cycle) {
            return None;
        }
        if motion == substate && same(speed, old_speed) && !self.sequence.is_empty() {
            self.change_speed(old_speed, speed);
            self.combine(cycle, -old_speed);
            self.combine(cycle, speed);
            self.state.speed = speed;
            return Some(0);
        }
        if cycle.excludes_modifiers {
            self.state.modifiers.clear();
        }
        let (from, to) = ((substate, old_speed), (motion, speed));
        let mut first = self.link(from, to);
        let mut second = None;
        if first.is_none() || !same(speed, old_speed) {
            (first, second) = self.detour(from, to);
        }
        self.start_over();
        if second.is_some() {
            self.add(first, old_speed);
            self.add(second, speed);
        } else {
            self.add(first, if old_speed < 0.0 && speed > 0.0 { -speed } else { speed });
        }
        self.add(Some(cycle), speed);
        let leaves_modifier = substate != motion && substate.is_modifier();
        if leaves_modifier
            && self.table.style_default(style) != Some(motion)
            && self.state.modifiers.len() < MAX_MODIFIERS
        {
            self.state.modifiers.push((substate, old_speed));
        }
        self.state.speed = speed;
        self.state.substate = motion;
        self.reapply_modifiers();
        Some(count(&[first, second, Some(cycle)]).saturating_sub(1))
    }

    /// Spec: motion §2.5.
    fn is_allowed(&self, motion: Command, cycle: &MotionData) -> bool {
        !cycle.needs_default
            || motion == self.state.substate
            || self.table.style_default(self.state.style) == Some(self.state.substate)
    }

    /// Spec: motion §3.5.
    fn act(&mut self, action: Command, speed: f32) -> Option<u32> {
        let MotionState { style, substate, speed: old_speed, .. } = *self.state;
        let cycle = self.table.cycle(style, substate)?;
        if self.state.actions.len() >= MAX_ACTIONS {
            return None;
        }
        let (from, to) = ((substate, old_speed), (action, speed));
        if let Some(link) = self.link(from, to) {
            self.state.actions.push_back((action, speed));
            self.start_over();
            self.add(Some(link), speed);
            self.add(Some(cycle), old_speed);
            self.reapply_modifiers();
            return Some(link.named_animations());
        }
        let (Some(leave), Some(link)) = self.detour(from, to) else { return None };
        let default = self.table.style_default(style)?;
        let back = self.link((default, 1.0), from);
        self.state.actions.push_back((action, speed));
        self.start_over();
        self.add(Some(leave), 1.0);
        self.add(Some(link), speed);
        self.add(back, 1.0);
        self.add(Some(cycle), old_speed);
        self.reapply_modifiers();
        Some(count(&[Some(leave), Some(link), back]))
    }

    /// Spec: motion §3.6.
    fn modify(&mut self, modifier: Command, speed: f32) -> bool {
        let MotionState { style, substate, .. } = *self.state;
        let Some(cycle) = self.table.cycle(style, substate) else { return false };
        let Some(motion) = self.table.modifier(style, modifier) else { return false };
        if cycle.excludes_modifiers {
            return false;
        }
        if !self.state.add_modifier(modifier, speed) {
            self.stop(modifier);
            if !self.state.add_modifier(modifier, speed) {
                return false;
            }
        }
        self.combine(motion, speed);
        true
    }

    /// Ends a motion. Retail: `CMotionTable::StopSequenceMotion`. Spec: motion §4.1.
    pub(super) fn stop(&mut self, motion: Command) -> Option<u32> {
        let MotionState { style, substate, .. } = *self.state;
        if motion.is_substate() && motion == substate {
            let default = self.table.style_default(style);
            let animations = default.and_then(|default| self.choose(default, 1.0, Cause::Stop));
            return Some(animations.unwrap_or(0));
        }
        let index = self.state.position_of(motion).filter(|_| motion.is_modifier())?;
        let data = self.table.modifier(style, motion)?;
        let (_, speed) = self.state.modifiers.remove(index);
        self.combine(data, -speed);
        Some(0)
    }

    /// Ends everything. Retail: `CMotionTable::StopObjectCompletely`. Spec: motion §4.2.
    pub(super) fn stop_completely(&mut self) -> u32 {
        while let Some(&(newest, _)) = self.state.modifiers.last() {
            if self.stop(newest).is_none() {
                // The original would try for ever.
                self.state.modifiers.pop();
            }
        }
        self.stop(self.state.substate).unwrap_or(0)
    }

    /// Brings back the modifiers after a change: as often as there are any, the newest one. The others are not, a slip
    /// of the original. Retail: `CMotionTable::re_modify`. Spec: motion §4.3.
    fn reapply_modifiers(&mut self) {
        if self.depth >= MAX_DEPTH {
            self.state.modifiers.clear();
            return;
        }
        self.depth += 1;
        for _ in 0..self.state.modifiers.len() {
            let Some((newest, speed)) = self.state.modifiers.pop() else { break };
            self.choose(newest, speed, Cause::Command);
        }
        self.depth -= 1;
    }

    /// The table's default, with everything else forgotten. Retail: `CMotionTable::SetDefaultState`. Spec: motion §4.4.
    pub(super) fn reset(&mut self) -> Option<u32> {
        let (substate, cycle) = self.table.default_cycle()?;
        self.state.modifiers.clear();
        self.state.actions.clear();
        self.state.style = self.table.default_style;
        self.state.substate = substate;
        self.state.speed = 1.0;
        self.sequence.clear();
        self.add(Some(cycle), 1.0);
        Some(cycle.named_animations().saturating_sub(1))
    }

    fn start_over(&mut self) {
        self.sequence.clear_physics();
        self.sequence.remove_cyclic();
    }

    /// Appends a motion, and moves as it says from now on. Retail: `add_motion`. Spec: motion §2.6.
    fn add(&mut self, motion: Option<&MotionData>, speed: f32) {
        let Some(motion) = motion else { return };
        self.sequence.set_physics(motion.velocity * speed, motion.omega * speed);
        for clip in self.table.clips(motion) {
            self.sequence.append(clip, speed);
        }
    }

    /// Retail: `combine_motion`, and `subtract_motion` with a negative speed. Spec: motion §2.7.
    fn combine(&mut self, motion: &MotionData, speed: f32) {
        let Sequence { velocity, omega, .. } = *self.sequence;
        self.sequence.set_physics(velocity + motion.velocity * speed, omega + motion.omega * speed);
    }

    /// Retail: `change_cycle_speed`. Spec: motion §2.8.
    fn change_speed(&mut self, old: f32, new: f32) {
        if old.abs() > EPSILON {
            self.sequence.scale_cyclic_rate(new / old);
        } else if new.abs() < EPSILON {
            self.sequence.scale_cyclic_rate(0.0);
        }
    }
}
