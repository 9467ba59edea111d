//! Motion tables that nobody would make on purpose: what is wrong is reported, and the object stands still.

use super::{clip_ids::*, *};
use crate::Frame;

fn stands(animator: &mut Animator, seconds: f64) -> bool {
    let (mut offset, mut hooks) = (Frame::IDENTITY, Vec::new());
    animator.advance(seconds, Some(&mut offset), &mut hooks);
    animator.finish(&hooks);
    offset == Frame::IDENTITY
}

#[test]
fn rates_and_speeds_that_are_not_finite_are_reported_and_count_as_zero() {
    for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        let mut record = record();
        record.cycles[0].1.animations[0].rate = bad;
        record.cycles[0].1.velocity = Some([0.0, bad, 0.0]);
        record.cycles[0].1.omega = Some([bad, 0.0, 0.0]);
        let (table, problems) = table_of(&record);
        assert_eq!(problems.len(), 3, "{problems:?}");
        let mut animator = Animator::with_table(table);
        assert!((0..100).all(|_| stands(&mut animator, 0.2)));
        assert_eq!(animator.sequence().frame_number(), 0.0);
    }
}

#[test]
fn speeds_that_make_rates_overflow_stand_still() {
    let mut record = record();
    record.cycles[1].1.animations[0].rate = 3.0e38;
    let mut animator = Animator::with_table(table_of(&record).0);
    animator.request(Command::WALK_FORWARD, 3.0e38).expect("it is taken");
    assert_eq!(nodes(&animator).last(), Some(&(WALK, 0.0)));
    assert!(stands(&mut animator, 0.2));
    // The fastest that is left: more frames than an update may pass.
    let mut animator = Animator::with_table(table_of(&record).0);
    animator.request(Command::WALK_FORWARD, 1.0).expect("it is taken");
    let mut hooks = Vec::new();
    let in_time = (0..10).all(|_| animator.advance(0.2, None, &mut hooks));
    assert!(!in_time && hooks.len() <= 10 * MAX_FRAMES_PER_ADVANCE as usize);
    assert!(animator.sequence().frame_number().is_finite());
}

#[test]
fn missing_animations_are_reported_and_left_out_but_waited_for() {
    let mut record = record();
    record.links[0].1[0].1.animations = vec![clip(5000, 0, -1, 30.0), clip(READY_WALK, 0, -1, 30.0)];
    let (table, problems) = table_of(&record);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("0x00001388"), "{problems:?}");
    let mut animator = Animator::with_table(table);
    animator.request(Command::WALK_FORWARD, 1.0).expect("it walks");
    assert_eq!((newest(&animator), nodes(&animator)), (2, vec![(READY_WALK, 30.0), (WALK, 30.0)]));
}

#[test]
fn a_table_without_its_default_is_reported_and_nothing_moves() {
    let mut record = record();
    record.cycles.remove(0);
    let (table, problems) = table_of(&record);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].contains("no cycle for the default"), "{problems:?}");
    let mut animator = Animator::with_table(table);
    assert_eq!(animator.request(Command::WALK_FORWARD, 1.0), Err(Refusal::NoMotion));
    assert!(stands(&mut animator, 0.2));
}

/// Links that lead from every substate to every other, and round again, are played one after the other; requests
/// that pile up are refused before lists grow without bound.
#[test]
fn cycles_of_links_are_bounded() {
    let mut record = record();
    let states = [Command::READY, Command::WALK_FORWARD, Command::RUN_FORWARD];
    record.links = states
        .iter()
        .map(|from| (key(NON_COMBAT, *from), states.iter().map(|to| (to.0, motion(READY, 40))).collect()))
        .collect();
    let mut animator = Animator::with_table(table_of(&record).0);
    let mut refused = 0;
    for i in 0..5000 {
        let speed = if i % 2 == 0 { 1.0 } else { -1.0 };
        refused += usize::from(animator.request(states[i % 3], speed).is_err());
    }
    assert!(refused > 0 && animator.sequence().nodes().len() <= MAX_NODES + 200);
    assert!(animator.pending().motions().len() <= MAX_REPEATS);
    assert!(animator.advance(0.2, None, &mut Vec::new()));
}

#[test]
fn thousands_of_modifiers_are_refused() {
    let mut record = record();
    let command = |i: u32| Command(0x2000_0100 + i);
    record.modifiers = (0..5000).map(|i| (command(i).0 & 0x00FF_FFFF, motion(TURN, 1))).collect();
    let mut animator = Animator::with_table(table_of(&record).0);
    let taken = (0..5000).filter(|i| animator.request(command(*i), 1.0).is_ok()).count();
    assert_eq!((taken, animator.state().modifiers().len()), (MAX_MODIFIERS, MAX_MODIFIERS));
    animator.stop_completely().expect("it stops");
    assert_eq!(animator.state().modifiers().len(), 0);
    assert!(stands(&mut animator, 0.1));
}
