//! Poses: which animation frame shows at a time. Spec: render-data §14.

use crate::assets::Assets;
use std::sync::Arc;
use threshold_dat::{
    DatId,
    records::{Animation, AnimationFrame, HookAction, Motion, MotionAnimation, MotionTable, Setup},
};

/// Frames whose hooks one look back may run; what was left longer ago is forgotten.
const MAX_PASSED: usize = 64;
/// Parts of a frame that rounding may cost.
const ROUNDING: f64 = 1e-6;
/// Frames per second of a setup's default animation.
const DEFAULT_RATE: f32 = 30.0;
/// Style in which doors move.
pub const NON_COMBAT: u32 = 0x8000_003D;
/// Motion of an open door.
pub const OPEN: u32 = 0x4000_000B;
/// Motion of a closed door.
pub const CLOSED: u32 = 0x4000_000C;

/// A stretch of an animation.
#[derive(Clone, Debug, PartialEq)]
struct Clip {
    animation: Arc<Animation>,
    low: usize,
    high: usize,
    rate: f32,
}

impl Clip {
    fn new(animation: Arc<Animation>, motion: &MotionAnimation) -> Option<Clip> {
        let last = animation.frames.len().checked_sub(1)?;
        let index = |stored: i32| usize::try_from(stored).map_or(last, |i| i.min(last));
        let (low, high) = (index(motion.low.max(0)), index(motion.high));
        let rate = if motion.rate.is_finite() { motion.rate } else { 0.0 };
        Some(Clip { animation, low: low.min(high), high: low.max(high), rate })
    }

    /// How long it lasts; for ever when it does not move.
    fn seconds(&self) -> f64 {
        (self.high - self.low + 1) as f64 / f64::from(self.rate.abs())
    }

    /// Whole frames are shown.
    fn frame(&self, seconds: f64) -> &AnimationFrame {
        self.step((seconds * f64::from(self.rate.abs())) as usize)
    }

    /// The frame after a number of steps, in the direction it is played.
    fn step(&self, steps: usize) -> &AnimationFrame {
        let steps = steps.min(self.high - self.low);
        &self.animation.frames[if self.rate < 0.0 { self.high - steps } else { self.low + steps }]
    }
}

/// Animations in a row: some once, then the rest over and over.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Playback {
    once: Vec<Clip>,
    cycle: Vec<Clip>,
}

impl Playback {
    /// The frame to show after some time; none when there is nothing to play.
    pub fn frame(&self, seconds: f64) -> Option<&AnimationFrame> {
        let mut rest = if seconds.is_finite() { seconds.max(0.0) } else { 0.0 };
        for clip in &self.once {
            if rest < clip.seconds() {
                return Some(clip.frame(rest));
            }
            rest -= clip.seconds();
        }
        let round: f64 = self.cycle.iter().map(Clip::seconds).sum();
        if round.is_finite() && round > 0.0 {
            rest %= round;
        }
        for clip in &self.cycle {
            if rest < clip.seconds() {
                return Some(clip.frame(rest));
            }
            rest -= clip.seconds();
        }
        let last = self.cycle.last().or(self.once.last())?;
        Some(last.frame(f64::INFINITY))
    }

    /// Visits the hooks of the frames that were left between two times, in order.
    /// Retail: `CSequence::update_internal`, `execute_hooks`.
    pub fn passed(&self, from: f64, to: f64, mut visit: impl FnMut(&HookAction)) {
        let mut at = from.max(0.0);
        for _ in 0..MAX_PASSED {
            let Some((clip, steps, end)) = self.shown(at) else { return };
            // Also false when something is no number.
            if !(end <= to && end > at) {
                return;
            }
            let direction = if clip.rate < 0.0 { -1 } else { 1 };
            let hooks = clip.step(steps).hooks.iter();
            hooks
                .filter(|hook| hook.direction == 0 || hook.direction == direction)
                .for_each(|hook| visit(&hook.action));
            at = end;
        }
    }

    /// The clip at a time, how many frames of it have passed, and when the present one ends; none when it never does.
    fn shown(&self, seconds: f64) -> Option<(&Clip, usize, f64)> {
        let within = |clips: &'_ [Clip], mut begin: f64| {
            for (index, clip) in clips.iter().enumerate() {
                let rate = f64::from(clip.rate.abs());
                if seconds + ROUNDING / rate < begin + clip.seconds() {
                    let steps = ((seconds - begin) * rate + ROUNDING) as usize;
                    return Ok((index, steps, begin + (steps + 1) as f64 / rate));
                }
                begin += clip.seconds();
            }
            Err(begin)
        };
        let begin = match within(&self.once, 0.0) {
            Ok((index, steps, end)) => return Some((&self.once[index], steps, end)),
            Err(begin) => begin,
        };
        let round: f64 = self.cycle.iter().map(Clip::seconds).sum();
        if !(round.is_finite() && round > 0.0) {
            return None;
        }
        let rounds = ((seconds - begin) / round + ROUNDING).floor().max(0.0);
        let (index, steps, end) = within(&self.cycle, begin + rounds * round).ok()?;
        Some((&self.cycle[index], steps, end))
    }

    /// Whether it shows one frame for ever.
    pub fn is_still(&self) -> bool {
        let still = |clip: &Clip| clip.low == clip.high || clip.rate == 0.0;
        self.once.is_empty() && self.cycle.len() <= 1 && self.cycle.iter().all(still)
    }

    /// What an object does when nobody tells it otherwise: its motion table's default state, else its default
    /// animation. Retail: `CMotionTable::SetDefaultState`, `CPartArray::InitDefaults`.
    pub fn idle(assets: &mut Assets, setup: &Setup) -> Option<Playback> {
        if let Some(table) = table_of(assets, setup) {
            let style = table.default_style;
            let (_, substate) = table.style_defaults.iter().find(|(s, _)| *s == style)?;
            let playback = Playback { once: Vec::new(), cycle: cycle(assets, &table, style, *substate) };
            return (!playback.cycle.is_empty()).then_some(playback);
        }
        let id = setup.defaults.animation;
        if id == DatId(0) {
            return None;
        }
        let animation = assets.animation(id)?;
        let motion = MotionAnimation { animation: id, low: 0, high: -1, rate: DEFAULT_RATE };
        Some(Playback { once: Vec::new(), cycle: vec![Clip::new(animation, &motion)?] })
    }

    /// A motion of the given style, preceded by the link from another motion if there is one.
    pub fn change(
        assets: &mut Assets,
        setup: &Setup,
        style: u32,
        from: Option<u32>,
        to: u32,
    ) -> Option<Playback> {
        let table = table_of(assets, setup)?;
        let link = from.and_then(|from| {
            let (_, links) = table.links.iter().find(|(key, _)| *key == motion_key(style, from))?;
            links.iter().find(|(target, _)| *target == to).map(|(_, motion)| motion.clone())
        });
        let once = link.map_or_else(Vec::new, |motion| clips(assets, &motion));
        let playback = Playback { once, cycle: cycle(assets, &table, style, to) };
        (!playback.cycle.is_empty() || !playback.once.is_empty()).then_some(playback)
    }
}

fn table_of(assets: &mut Assets, setup: &Setup) -> Option<Arc<MotionTable>> {
    let id = setup.defaults.motion_table;
    if id == DatId(0) { None } else { assets.motion_table(id) }
}

/// Key of cycles and links: only the low half of the style survives.
fn motion_key(style: u32, substate: u32) -> u32 {
    style << 16 | substate & 0x00FF_FFFF
}

fn cycle(assets: &mut Assets, table: &MotionTable, style: u32, substate: u32) -> Vec<Clip> {
    let key = motion_key(style, substate);
    let motion = table.cycles.iter().find(|(k, _)| *k == key).map(|(_, motion)| motion);
    motion.map_or_else(Vec::new, |motion| clips(assets, motion))
}

fn clips(assets: &mut Assets, motion: &Motion) -> Vec<Clip> {
    let clip = |m: &MotionAnimation| Clip::new(assets.animation(m.animation)?, m);
    motion.animations.iter().filter_map(clip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::records::{Frame, Hook};

    /// An animation of one part whose frame number is its height.
    fn rising(frames: u16) -> Arc<Animation> {
        let frame = |i: u16| AnimationFrame {
            parts: vec![Frame { origin: [0.0, 0.0, f32::from(i)], ..Frame::IDENTITY }],
            ..AnimationFrame::default()
        };
        Arc::new(Animation {
            part_count: 1,
            frames: (0..frames).map(frame).collect(),
            ..Animation::default()
        })
    }

    fn clip(frames: u16, low: i32, high: i32, rate: f32) -> Clip {
        Clip::new(rising(frames), &MotionAnimation { low, high, rate, ..MotionAnimation::default() }).unwrap()
    }

    fn height(playback: &Playback, seconds: f64) -> f32 {
        playback.frame(seconds).unwrap().parts[0].origin[2]
    }

    #[test]
    fn whole_frames_are_shown_and_the_cycle_repeats() {
        let playback = Playback { once: Vec::new(), cycle: vec![clip(4, 0, -1, 10.0)] };
        let heights: Vec<f32> = [0.0, 0.09, 0.1, 0.39, 0.41].map(|t| height(&playback, t)).to_vec();
        assert_eq!(heights, [0.0, 0.0, 1.0, 3.0, 0.0]);
        assert!(!playback.is_still());
    }

    #[test]
    fn a_link_plays_once_and_backwards_when_its_rate_is_negative() {
        let playback = Playback { once: vec![clip(10, 2, 5, -10.0)], cycle: vec![clip(10, 9, 9, 10.0)] };
        assert_eq!([0.0, 0.15, 0.35, 0.45, 99.0].map(|t| height(&playback, t)), [5.0, 4.0, 2.0, 9.0, 9.0]);
    }

    /// An animation whose frame `i` names itself by a fade of `i` seconds; odd frames only when played forward.
    fn telling(frames: u16, low: i32, high: i32, rate: f32) -> Clip {
        let hooks = |i: u16| {
            let action = HookAction::Scale { end: 1.0, time: f32::from(i) };
            vec![Hook { direction: i32::from(i % 2), action }]
        };
        let frame = |i: u16| AnimationFrame { hooks: hooks(i), ..AnimationFrame::default() };
        let animation = Animation { frames: (0..frames).map(frame).collect(), ..Animation::default() };
        let motion = MotionAnimation { low, high, rate, ..MotionAnimation::default() };
        Clip::new(Arc::new(animation), &motion).unwrap()
    }

    fn told(playback: &Playback, from: f64, to: f64) -> Vec<f32> {
        let mut told = Vec::new();
        playback.passed(from, to, |action| match action {
            HookAction::Scale { time, .. } => told.push(*time),
            other => panic!("{other:?}"),
        });
        told
    }

    #[test]
    fn hooks_run_once_when_their_frame_is_left() {
        let playback = Playback { once: Vec::new(), cycle: vec![telling(4, 0, -1, 10.0)] };
        assert_eq!(told(&playback, 0.0, 0.05), [0.0; 0]);
        assert_eq!(told(&playback, 0.05, 0.1), [0.0]);
        assert_eq!(told(&playback, 0.1, 0.35), [1.0, 2.0]);
        assert_eq!(told(&playback, 0.35, 0.61), [3.0, 0.0, 1.0], "the cycle begins again");
        // In steps of any size each frame is left as often.
        let in_steps: Vec<f32> =
            (0..300).flat_map(|i| told(&playback, f64::from(i) * 0.033, f64::from(i + 1) * 0.033)).collect();
        let expected: Vec<f32> = (0..99).map(|i| (i % 4) as f32).collect();
        assert_eq!(in_steps[..expected.len().min(in_steps.len())], expected[..in_steps.len().min(99)]);
        assert!((98..=99).contains(&in_steps.len()), "{}", in_steps.len());
    }

    #[test]
    fn backwards_only_hooks_of_that_direction_run() {
        let playback = Playback { once: vec![telling(6, 1, 4, -10.0)], cycle: vec![telling(2, 1, 1, 0.0)] };
        assert_eq!(told(&playback, 0.0, 10.0), [4.0, 2.0], "then one frame stays for ever");
    }

    #[test]
    fn odd_ranges_and_rates_do_no_harm() {
        for (low, high, rate) in [(7, 2, 5.0), (-3, 99, 0.0), (3, 3, f32::NAN), (99, 99, f32::INFINITY)] {
            let playback =
                Playback { once: vec![clip(5, low, high, rate)], cycle: vec![clip(5, low, high, rate)] };
            for seconds in [0.0, 1e9, f64::NAN, -1.0] {
                assert!(playback.frame(seconds).is_some(), "{low} {high} {rate} {seconds}");
                playback.passed(0.0, seconds, |_| {});
                playback.passed(seconds, 1e12, |_| {});
            }
        }
        assert_eq!(Playback::default().frame(1.0), None);
        assert!(Clip::new(rising(0), &MotionAnimation::default()).is_none());
    }

    #[test]
    fn a_door_that_stands_still_is_still() {
        assert!(Playback { once: Vec::new(), cycle: vec![clip(5, 4, 4, 30.0)] }.is_still());
        assert_eq!(motion_key(NON_COMBAT, OPEN), 0x003D_000B);
    }
}
