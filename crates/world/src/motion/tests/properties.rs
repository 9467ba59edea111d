//! What holds for motions of any speed.

use super::{super::request::MAX_MODIFIERS, *};
use crate::Frame;
use proptest::prelude::*;

fn commands() -> impl Strategy<Value = Command> {
    prop::sample::select(vec![
        Command::READY,
        Command::WALK_FORWARD,
        Command::RUN_FORWARD,
        Command::TURN_RIGHT,
        Command::SIDE_STEP_RIGHT,
        Command::HAND_COMBAT,
        Command::NON_COMBAT,
        Command::DEAD,
        ACTION,
    ])
}

proptest! {
    /// A cycle that runs forwards for a while fires every frame's hook but the last, in order, however time is cut
    /// into steps and however fast it runs.
    #[test]
    fn no_hook_is_skipped_at_any_speed(rate in 0.5f32..400.0, steps in prop::collection::vec(0.001f64..0.2, 1..60)) {
        let clip = Clip { animation: animation(1, 10), low: 0, high: -1, rate };
        let mut sequence = Sequence::default();
        sequence.append(&clip, 1.0);
        let mut fired = Vec::new();
        for step in &steps {
            let mut hooks = Vec::new();
            prop_assert!(sequence.advance(*step, None, &mut hooks));
            fired.extend(hooks.into_iter().map(|hook| match hook {
                QueuedHook::Stored { number, .. } => number,
                QueuedHook::AnimationDone => u32::MAX,
            }));
        }
        let expected = (0..fired.len() as u32).map(|i| i % 9);
        prop_assert!(fired.iter().copied().eq(expected), "{:?}", fired);
        let passed: f64 = steps.iter().sum::<f64>() * f64::from(rate);
        // Nine hooks in ten frames; the step under way may hold back one.
        let whole = (passed / 10.0).floor() * 9.0 + (passed % 10.0).floor().min(9.0);
        prop_assert!((fired.len() as f64 - whole).abs() <= 1.0, "{} of {whole}", fired.len());
    }

    /// Links of any speed, forwards and backwards, come to their end: nothing stalls, and the motion ends with them.
    #[test]
    fn no_sequence_stalls(speed in prop_oneof![0.05f32..50.0, -50.0f32..-0.05], step in 0.01f64..0.2) {
        let mut animator = animator();
        animator.request(Command::WALK_FORWARD, speed).expect("it walks");
        let mut hooks = Vec::new();
        // Ten frames at the slowest rate of the range, and one step more.
        for _ in 0..(10.0 / (30.0 * f64::from(speed.abs())) / step).ceil() as u32 + 1 {
            hooks.clear();
            prop_assert!(animator.advance(step, None, &mut hooks));
            animator.finish(&hooks);
        }
        prop_assert!(animator.pending().is_empty());
        prop_assert_eq!(animator.sequence().nodes().len(), 1);
    }

    /// Any commands in any order leave a sequence whose numbers are sound and whose lists are bounded.
    #[test]
    fn any_commands_leave_a_sound_state(
        orders in prop::collection::vec((commands(), -3.0f32..3.0, 0u8..4, 0.0f64..0.3), 1..200),
    ) {
        let mut animator = animator();
        for (command, speed, kind, seconds) in orders {
            // What cannot be done is refused.
            match kind {
                0 | 1 => drop(animator.request(command, speed)),
                2 => drop(animator.stop(command)),
                _ => drop(animator.stop_completely()),
            }
            let (mut offset, mut hooks) = (Frame::IDENTITY, Vec::new());
            prop_assert!(animator.advance(seconds, Some(&mut offset), &mut hooks));
            animator.finish(&hooks);
            prop_assert!(offset.is_finite());
            prop_assert!(animator.sequence().velocity.is_finite() && animator.sequence().omega.is_finite());
            prop_assert!(animator.state().modifiers().len() <= MAX_MODIFIERS);
            let current = animator.sequence().current().expect("something is played");
            let (low, high) = current.range();
            let frame = animator.sequence().frame_number();
            prop_assert!((f64::from(low)..f64::from(high) + 1.0).contains(&frame), "{frame} of {low}..={high}");
            prop_assert_eq!(animator.save().restore(|_| animator.table().cloned(), |_| None), Ok(animator.clone()));
        }
    }
}
