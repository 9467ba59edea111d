//! What a sequence does as time passes.

use super::*;
use crate::Frame;
use std::collections::VecDeque;

fn node(id: u32, frames: usize, rate: f32) -> Node {
    let clip = Clip { animation: animation(id, frames), low: 0, high: -1, rate };
    Node::new(&clip, 1.0).expect("it has frames")
}

fn sequence(nodes: Vec<Node>, velocity: [f32; 3]) -> Sequence {
    let frame = nodes[0].start();
    Sequence { nodes: VecDeque::from(nodes), frame, velocity: velocity.into(), ..Sequence::default() }
}

/// Lets time pass; the offset and the hooks as (animation, frame), none for the end of an animation.
fn advance(sequence: &mut Sequence, seconds: f64) -> (Frame, Vec<Option<(u32, u32)>>) {
    let (mut offset, mut hooks) = (Frame::IDENTITY, Vec::new());
    assert!(sequence.advance(seconds, Some(&mut offset), &mut hooks));
    let hooks = hooks.iter().map(|hook| match hook {
        QueuedHook::Stored { animation, number } => Some((animation.id.0, *number)),
        QueuedHook::AnimationDone => None,
    });
    (offset, hooks.collect())
}

fn frames(id: u32, numbers: impl IntoIterator<Item = u32>) -> Vec<Option<(u32, u32)>> {
    numbers.into_iter().map(|number| Some((id, number))).collect()
}

/// Spec: motion §16, example 13.
#[test]
fn ranges_are_brought_into_the_animation() {
    for (low, high, expected) in
        [(0, -1, (0, 9)), (12, 20, (9, 9)), (5, 3, (5, 5)), (-1, 4, (9, 9)), (2, 30, (2, 9))]
    {
        let clip = Clip { animation: animation(1, 10), low, high, rate: 30.0 };
        assert_eq!(Node::new(&clip, 1.0).expect("it has frames").range(), expected, "({low}, {high})");
    }
}

/// Spec: motion §16, example 14.
#[test]
fn a_link_leads_into_its_cycle_and_its_last_frame_fires_nothing() {
    let (link, cycle) = (1, 2);
    // One metre per frame, so that the offset counts the steps.
    let mut sequence = sequence(vec![node(link, 10, 30.0), node(cycle, 10, 30.0)], [0.0, 30.0, 0.0]);
    let (offset, hooks) = advance(&mut sequence, 0.125);
    assert_eq!((sequence.frame_number(), hooks), (3.75, frames(link, 0..3)));
    assert!((offset.origin.y - 3.0).abs() < 1e-5);
    let (_, hooks) = advance(&mut sequence, 0.125);
    assert_eq!((sequence.frame_number(), hooks), (7.5, frames(link, 3..7)));
    let (offset, hooks) = advance(&mut sequence, 0.125);
    let expected = [frames(link, [7, 8]), vec![None], frames(cycle, [0])].concat();
    assert_eq!((sequence.frame_number(), hooks), (1.25, expected));
    assert!((offset.origin.y - 4.0).abs() < 1e-5, "7, 8, the root frame 0 of the cycle, and 0 again");
    assert_eq!(sequence.nodes().len(), 1, "what was played is forgotten");
}

/// Spec: motion §16, example 15.
#[test]
fn a_cycle_played_backwards_starts_just_before_its_end() {
    let mut sequence = sequence(vec![node(1, 10, -30.0)], [0.0; 3]);
    let mut step = |expected: f64, fired: &[u32]| {
        let (_, hooks) = advance(&mut sequence, 0.125);
        assert_eq!(hooks, frames(1, fired.iter().copied()));
        assert!((sequence.frame_number() - expected).abs() < 1e-6, "{}", sequence.frame_number());
    };
    step(6.2498, &[9, 8, 7]);
    step(2.4998, &[6, 5, 4, 3]);
    // Frame 0 never fires.
    step(8.7496, &[2, 1, 9]);
}

/// Spec: motion §16, example 16.
#[test]
fn a_single_frame_moves_and_a_rate_of_zero_moves_smoothly() {
    let mut one = sequence(vec![node(1, 1, 30.0)], [0.0, 30.0, 0.0]);
    let (offset, hooks) = advance(&mut one, 0.125);
    assert_eq!((one.frame_number(), hooks), (0.75, vec![]));
    assert!((offset.origin.y - 3.0).abs() < 1e-5);
    let mut still = sequence(vec![node(1, 1, 0.0)], [0.0, 1.0, 0.0]);
    let (offset, hooks) = advance(&mut still, 0.125);
    assert_eq!((offset.origin.y, hooks), (0.125, vec![]));
}

/// Spec: motion §6.3.
#[test]
fn backwards_root_frames_take_off_what_forwards_ones_add() {
    let turned = records::Frame { origin: [0.3, 1.0, 0.1], rotation: crate::Quat::about_z(0.4).into() };
    let frames = || vec![AnimationFrame { parts: vec![records::Frame::default()], hooks: vec![] }; 10];
    let record = records::Animation {
        part_count: 1,
        frames: frames(),
        root_frames: Some(vec![turned; 10]),
        ..records::Animation::default()
    };
    let rooted = Arc::new(Animation::new(DatId(7), record));
    let play = |rate: f32| {
        let clip = Clip { animation: rooted.clone(), low: 0, high: -1, rate };
        let mut sequence = sequence(vec![Node::new(&clip, 1.0).expect("frames")], [0.0; 3]);
        advance(&mut sequence, 0.1).0
    };
    // Three frames each way; the way back undoes the way there.
    let there_and_back = play(31.0).compose(&play(-31.0));
    assert!(there_and_back.origin.length() < 1e-5, "{}", there_and_back.origin);
    assert!((1.0 - there_and_back.rotation().w.abs()) < 1e-6);
}
