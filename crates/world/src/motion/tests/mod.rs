//! The worked examples of the specification (motion §16), properties, and bad input.

mod bad_input;
mod choosing;
mod playing;
mod properties;

use super::*;
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::{
    DatId,
    records::{self, AnimationFrame, Hook, HookAction, Motion, MotionAnimation},
};

const NON_COMBAT: u32 = Command::NON_COMBAT.0;
const HAND_COMBAT: u32 = Command::HAND_COMBAT.0;
/// The action of table T.
const ACTION: Command = Command(0x1000_0062);

/// An animation of one part that moves nothing, with a sound hook of its own number in every frame.
fn animation(id: u32, frames: usize) -> Arc<Animation> {
    let frame = || {
        let hooks = vec![Hook { direction: 0, action: HookAction::Sound { wave: DatId(id) } }];
        AnimationFrame { parts: vec![records::Frame::default()], hooks }
    };
    let record = records::Animation {
        part_count: 1,
        frames: (0..frames).map(|_| frame()).collect(),
        ..records::Animation::default()
    };
    Arc::new(Animation::new(DatId(id), record))
}

fn clip(animation: u32, low: i32, high: i32, rate: f32) -> MotionAnimation {
    MotionAnimation { animation: DatId(animation), low, high, rate }
}

/// So many animations of ten frames at 30 frames per second, numbered from `first`.
fn motion(first: u32, count: u32) -> Motion {
    let animations = (first..first + count).map(|id| clip(id, 0, -1, 30.0)).collect();
    Motion { animations, ..Motion::default() }
}

fn moving(first: u32, velocity: [f32; 3], omega: [f32; 3], bits: u8) -> Motion {
    Motion { velocity: Some(velocity), omega: Some(omega), bits, ..motion(first, 1) }
}

fn key(style: u32, command: Command) -> u32 {
    style << 16 | command.0 & 0x00FF_FFFF
}

/// Animations of table T by what they are for.
mod clip_ids {
    pub(super) const READY: u32 = 1;
    pub(super) const WALK: u32 = 2;
    pub(super) const RUN: u32 = 3;
    pub(super) const TURN: u32 = 4;
    pub(super) const SIDE: u32 = 5;
    pub(super) const COMBAT_READY: u32 = 6;
    pub(super) const READY_WALK: u32 = 10;
    pub(super) const READY_RUN: u32 = 11;
    pub(super) const RUN_READY: u32 = 12;
    pub(super) const RUN_WALK: u32 = 13;
    pub(super) const WALK_READY: u32 = 14;
    pub(super) const TO_COMBAT: u32 = 20;
    pub(super) const ACT: u32 = 30;
}

/// Table T of the worked examples.
fn record() -> records::MotionTable {
    use clip_ids::*;
    let turn = || moving(TURN, [0.0; 3], [0.0, 0.0, -1.5], 2);
    let side = || moving(SIDE, [1.25, 0.0, 0.0], [0.0; 3], 2);
    let link = |to: Command, first| (to.0, motion(first, 1));
    records::MotionTable {
        default_style: NON_COMBAT,
        style_defaults: vec![(NON_COMBAT, Command::READY.0), (HAND_COMBAT, Command::READY.0)],
        cycles: vec![
            (key(NON_COMBAT, Command::READY), motion(READY, 1)),
            (key(NON_COMBAT, Command::WALK_FORWARD), moving(WALK, [0.0, 3.12, 0.0], [0.0; 3], 0)),
            (key(NON_COMBAT, Command::RUN_FORWARD), moving(RUN, [0.0, 4.0, 0.0], [0.0; 3], 0)),
            (key(NON_COMBAT, Command::TURN_RIGHT), turn()),
            (key(NON_COMBAT, Command::SIDE_STEP_RIGHT), side()),
            (key(HAND_COMBAT, Command::READY), motion(COMBAT_READY, 1)),
        ],
        modifiers: vec![(0x0D, Motion { bits: 0, ..turn() }), (0x0F, Motion { bits: 0, ..side() })],
        links: vec![
            (
                key(NON_COMBAT, Command::READY),
                vec![
                    link(Command::WALK_FORWARD, READY_WALK),
                    link(Command::RUN_FORWARD, READY_RUN),
                    (HAND_COMBAT, motion(TO_COMBAT, 2)),
                    (ACTION.0, motion(ACT, 3)),
                ],
            ),
            (
                key(NON_COMBAT, Command::RUN_FORWARD),
                vec![link(Command::READY, RUN_READY), link(Command::WALK_FORWARD, RUN_WALK)],
            ),
            (key(NON_COMBAT, Command::WALK_FORWARD), vec![link(Command::READY, WALK_READY)]),
        ],
    }
}

/// A table of its record, every animation of ten frames, and what was reported about it.
fn table_of(record: &records::MotionTable) -> (Arc<MotionTable>, Vec<String>) {
    let mut problems = Vec::new();
    let table = MotionTable::new(
        DatId(0x0900_0001),
        record,
        |id| (id.0 < 1000).then(|| animation(id.0, 10)),
        |problem| problems.push(problem),
    );
    (Arc::new(table), problems)
}

fn animator() -> Animator {
    Animator::with_table(table_of(&record()).0)
}

/// The animations in play order, each with its frames per second.
fn nodes(animator: &Animator) -> Vec<(u32, f32)> {
    animator.sequence().nodes().map(|node| (node.animation().id.0, node.rate())).collect()
}

/// How many animations the newest motion waits for.
fn newest(animator: &Animator) -> u32 {
    animator.pending().motions().last().map_or(0, |motion| motion.animations)
}

#[track_caller]
fn assert_moves(animator: &Animator, velocity: [f32; 3], turn: f32) {
    let sequence = animator.sequence();
    assert!((sequence.velocity - Vec3::from(velocity)).length() < 1e-4, "{}", sequence.velocity);
    assert!((sequence.omega - Vec3::new(0.0, 0.0, turn)).length() < 1e-4, "{}", sequence.omega);
}

fn modifiers(animator: &Animator) -> Vec<Command> {
    animator.state().modifiers().map(|(command, _)| command).collect()
}
