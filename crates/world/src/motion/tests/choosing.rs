//! Which animations a command means.

use super::{super::table::LinkEnds, clip_ids::*, *};

/// Spec: motion §16, example 1.
#[test]
fn keys_hold_the_low_half_of_the_style_and_the_low_bytes_of_the_command() {
    assert_eq!(super::super::table::key(Command::NON_COMBAT, Command::RUN_FORWARD), 0x003D_0007);
    let mut record = record();
    let (table, _) = table_of(&record);
    let turn =
        |table: &MotionTable| table.modifier(Command::NON_COMBAT, Command::TURN_RIGHT).map(|m| m.omega.z);
    assert_eq!(turn(&table), Some(-1.5), "under 0x0000000D, for every style");
    record.modifiers.push((0x003D_000D, moving(TURN, [0.0; 3], [0.0, 0.0, -9.0], 0)));
    assert_eq!(turn(&table_of(&record).0), Some(-9.0), "the style's own comes first");
}

/// Spec: motion §2.1.
#[test]
fn of_two_entries_under_one_key_the_last_is_found() {
    let mut record = record();
    let run = key(NON_COMBAT, Command::RUN_FORWARD);
    record.cycles.push((run, moving(RUN, [0.0, 7.0, 0.0], [0.0; 3], 0)));
    let (table, _) = table_of(&record);
    let cycle = table.cycle(Command::NON_COMBAT, Command::RUN_FORWARD).expect("it runs");
    assert_eq!(cycle.velocity.y, 7.0);
}

/// Spec: motion §16, example 2.
#[test]
fn a_link_played_backwards_is_the_way_back() {
    let (table, _) = table_of(&record());
    let found = |from, to| {
        let link = table.link(Command::NON_COMBAT, LinkEnds { from, to }).expect("a link");
        table.clips(link)[0].animation.id.0
    };
    let (ready, walk) = (Command::READY, Command::WALK_FORWARD);
    assert_eq!(found((ready, 1.0), (walk, -0.65)), WALK_READY);
    assert_eq!(found((walk, -0.65), (ready, 1.0)), READY_WALK);
}

/// Spec: motion §16, examples 3 and 4.
#[test]
fn running_begins_with_its_link_and_changes_its_speed_without_one() {
    let mut animator = animator();
    animator.request(Command::RUN_FORWARD, 1.0).expect("it runs");
    assert_eq!((newest(&animator), nodes(&animator)), (1, vec![(READY_RUN, 30.0), (RUN, 30.0)]));
    assert_moves(&animator, [0.0, 4.0, 0.0], 0.0);
    animator.request(Command::RUN_FORWARD, 1.5).expect("faster");
    assert_eq!((newest(&animator), nodes(&animator)), (0, vec![(READY_RUN, 30.0), (RUN, 45.0)]));
    assert_moves(&animator, [0.0, 6.0, 0.0], 0.0);
}

/// Spec: motion §16, example 5.
#[test]
fn backing_plays_everything_backwards_and_turns_round_through_the_default() {
    let mut animator = animator();
    animator.request(Command::WALK_FORWARD, -0.65).expect("it backs up");
    assert_eq!(nodes(&animator), [(WALK_READY, -19.5), (WALK, -19.5)]);
    assert_moves(&animator, [0.0, -2.028, 0.0], 0.0);
    // Nothing waits any more that would make the links redundant.
    animator.finish(&[QueuedHook::AnimationDone]);
    animator.request(Command::WALK_FORWARD, 1.0).expect("forward again");
    let expected = [(WALK_READY, -19.5), (READY_WALK, -19.5), (READY_WALK, 30.0), (WALK, 30.0)];
    assert_eq!((newest(&animator), nodes(&animator)), (2, expected.to_vec()));
}

/// Spec: motion §16, example 6.
#[test]
fn a_turn_in_place_becomes_a_modifier_of_what_follows_and_comes_back_after_it() {
    let mut animator = animator();
    animator.request(Command::TURN_RIGHT, 1.0).expect("it turns");
    assert_eq!(animator.state().substate, Command::TURN_RIGHT);
    assert_moves(&animator, [0.0; 3], -1.5);
    let before = animator.clone();
    animator.request(Command::READY, 1.0).expect("taken, but nothing changes");
    assert_eq!((nodes(&animator), animator.state()), (nodes(&before), before.state()));
    animator.request(Command::RUN_FORWARD, 1.0).expect("it runs");
    assert_eq!(modifiers(&animator), [Command::TURN_RIGHT]);
    assert_moves(&animator, [0.0, 4.0, 0.0], -1.5);
    animator.stop(Command::RUN_FORWARD).expect("it stops");
    assert_eq!((animator.state().substate, modifiers(&animator)), (Command::TURN_RIGHT, vec![]));
    assert_eq!(newest(&animator), 1);
    assert_moves(&animator, [0.0; 3], -1.5);
}

/// Spec: motion §16, example 7.
#[test]
fn turning_while_running_is_a_modifier_that_is_replaced() {
    let mut animator = animator();
    animator.request(Command::RUN_FORWARD, 1.0).expect("it runs");
    for (speed, turn) in [(1.0, -1.5), (1.5, -2.25)] {
        animator.request(Command::TURN_RIGHT, speed).expect("it turns");
        assert_eq!((newest(&animator), modifiers(&animator)), (0, vec![Command::TURN_RIGHT]));
        assert_moves(&animator, [0.0, 4.0, 0.0], turn);
    }
}

/// Spec: motion §16, example 8.
#[test]
fn of_two_modifiers_the_newest_is_applied_twice_when_the_substate_changes() {
    let mut animator = animator();
    animator.request(Command::RUN_FORWARD, 1.5).expect("it runs");
    animator.request(Command::TURN_RIGHT, 1.0).expect("it turns");
    animator.request(Command::SIDE_STEP_RIGHT, 1.0).expect("it steps aside");
    let both = [Command::SIDE_STEP_RIGHT, Command::TURN_RIGHT];
    assert_eq!(modifiers(&animator), both);
    assert_moves(&animator, [1.25, 6.0, 0.0], -1.5);
    animator.request(Command::WALK_FORWARD, 1.0).expect("it walks");
    assert_eq!(modifiers(&animator), both);
    assert_moves(&animator, [2.5, 3.12, 0.0], 0.0);
    animator.stop(Command::TURN_RIGHT).expect("no more turning");
    assert_moves(&animator, [2.5, 3.12, 0.0], 1.5);
    animator.stop(Command::SIDE_STEP_RIGHT).expect("no more side steps");
    assert_moves(&animator, [1.25, 3.12, 0.0], 1.5);
}

/// Spec: motion §16, example 9.
#[test]
fn a_change_of_style_goes_through_the_default_of_the_old_one() {
    let mut animator = animator();
    animator.request(Command::RUN_FORWARD, 1.0).expect("it runs");
    animator.finish(&[QueuedHook::AnimationDone]);
    animator.sequence.remove_links(usize::MAX);
    animator.request(Command::HAND_COMBAT, 1.0).expect("it fights");
    let expected = [(RUN_READY, 30.0), (TO_COMBAT, 30.0), (TO_COMBAT + 1, 30.0), (COMBAT_READY, 30.0)];
    assert_eq!((newest(&animator), nodes(&animator)), (3, expected.to_vec()));
    assert_eq!((animator.state().style, animator.state().substate), (Command::HAND_COMBAT, Command::READY));
}

/// Spec: motion §16, example 10.
#[test]
fn an_action_goes_through_the_default_and_back() {
    let mut standing = animator();
    standing.request(ACTION, 1.0).expect("it acts");
    assert_eq!(newest(&standing), 3);
    let mut running = animator();
    running.request(Command::RUN_FORWARD, 2.0).expect("it runs");
    running.sequence.remove_links(usize::MAX);
    running.request(ACTION, 1.0).expect("it acts");
    let expected =
        [(RUN_READY, 30.0), (ACT, 30.0), (ACT + 1, 30.0), (ACT + 2, 30.0), (READY_RUN, 30.0), (RUN, 60.0)];
    assert_eq!((newest(&running), nodes(&running)), (5, expected.to_vec()));
    assert_eq!(running.state().actions().collect::<Vec<_>>(), [(ACTION, 1.0)]);
    assert_moves(&running, [0.0, 8.0, 0.0], 0.0);
}

fn waiting(animator: &Animator) -> Vec<(Command, u32)> {
    animator.pending().motions().map(|motion| (motion.motion, motion.animations)).collect()
}

/// Spec: motion §16, example 11.
#[test]
fn motions_end_with_the_animations_they_wait_for() {
    let mut animator = Animator::new();
    let (ready, walk, run) = (Command::READY, Command::WALK_FORWARD, Command::RUN_FORWARD);
    for (motion, animations) in [(ready, 0), (walk, 1), (run, 2)] {
        animator.pending.push(motion, animations);
    }
    animator.finish(&[]);
    assert_eq!(waiting(&animator), [(walk, 1), (run, 2)]);
    animator.finish(&[QueuedHook::AnimationDone]);
    assert_eq!((waiting(&animator), animator.pending().counter()), (vec![(run, 2)], 0));
    animator.finish(&[QueuedHook::AnimationDone]);
    assert_eq!((waiting(&animator), animator.pending().counter()), (vec![(run, 2)], 1));
    animator.finish(&[QueuedHook::AnimationDone]);
    assert_eq!((waiting(&animator), animator.pending().counter()), (vec![], 0));
}

/// Spec: motion §16, example 12.
#[test]
fn what_leads_back_to_a_motion_that_still_comes_makes_the_links_between_redundant() {
    let mut pending = Pending::default();
    let (ready, run) = (Command::READY, Command::RUN_FORWARD);
    assert_eq!([pending.push(run, 1), pending.push(ready, 1), pending.push(run, 1)], [0, 0, 2]);
    let entries: Vec<_> = pending.motions().map(|motion| (motion.motion, motion.animations)).collect();
    assert_eq!(entries, [(run, 1), (ready, 0), (run, 0)]);
    let mut pending = Pending::default();
    for (motion, animations) in [(run, 1), (ACTION, 3), (ready, 1)] {
        pending.push(motion, animations);
    }
    assert_eq!(pending.push(run, 1), 0, "an action between them must be played");
}
