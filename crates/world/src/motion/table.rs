//! Motion tables: which animations a command means. Spec: motion §2, dat-portal §10.

use super::{Animation, Command};
use glam::Vec3;
use std::{ops::Range, sync::Arc};
use threshold_dat::{
    DatId,
    records::{self, Motion},
};

/// A stretch of an animation, as a table names it.
#[derive(Clone, Debug, PartialEq)]
pub struct Clip {
    /// The animation.
    pub animation: Arc<Animation>,
    /// First frame.
    pub low: i32,
    /// Last frame; −1 for the animation's last.
    pub high: i32,
    /// Frames per second; negative backwards.
    pub rate: f32,
}

/// Animations that are played one after the other, and the movement they mean. Retail: `MotionData`.
#[derive(Clone, Debug, PartialEq)]
pub struct MotionData {
    clips: Range<u32>,
    /// Animations that are named, whether they are there or not.
    named: u32,
    /// Metres per second.
    pub velocity: Vec3,
    /// Radians per second.
    pub omega: Vec3,
    /// Entering this cycle drops all modifiers, and none can be added to it.
    pub excludes_modifiers: bool,
    /// Only allowed while the style's default is the substate.
    pub needs_default: bool,
}

impl MotionData {
    /// Number of animations that are named. Motions wait for all of them, although those that are missing are never
    /// played.
    pub fn named_animations(&self) -> u32 {
        self.named
    }
}

/// A motion table: flat, immutable, shared by all objects that use it. Retail: `CMotionTable`.
#[derive(Debug, PartialEq)]
pub struct MotionTable {
    /// Its record.
    pub id: DatId,
    /// The style an object starts out in.
    pub default_style: Command,
    style_defaults: Sorted<u32, Command>,
    cycles: Sorted<u32, u32>,
    modifiers: Sorted<u32, u32>,
    links: Sorted<(u32, Command), u32>,
    motions: Box<[MotionData]>,
    clips: Box<[Clip]>,
}

/// Values under ascending keys.
type Sorted<K, V> = Box<[(K, V)]>;

/// Sorts by key; of several values under one key the last is found.
fn sorted<K: Ord + Copy, V>(mut entries: Vec<(K, V)>) -> Sorted<K, V> {
    entries.reverse();
    entries.sort_by_key(|(key, _)| *key);
    entries.dedup_by_key(|(key, _)| *key);
    entries.into()
}

fn find<K: Ord, V: Copy>(entries: &[(K, V)], key: &K) -> Option<V> {
    let index = entries.binary_search_by(|(other, _)| other.cmp(key)).ok()?;
    entries.get(index).map(|(_, value)| *value)
}

/// Under what a motion of a style is stored; only the low half of the style survives.
pub(super) fn key(style: Command, motion: Command) -> u32 {
    style.0 << 16 | motion.0 & 0x00FF_FFFF
}

/// From one motion to another, each with its speed.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkEnds {
    pub(super) from: (Command, f32),
    pub(super) to: (Command, f32),
}

impl MotionTable {
    /// Builds a table from its record. `animation` looks up animations, `report` receives problems.
    pub fn new(
        id: DatId,
        record: &records::MotionTable,
        animation: impl FnMut(DatId) -> Option<Arc<Animation>>,
        report: impl FnMut(String),
    ) -> MotionTable {
        let mut maker = Maker { animation, report, motions: Vec::new(), clips: Vec::new() };
        let mut lists = [&record.cycles, &record.modifiers]
            .map(|list| sorted(list.iter().map(|(key, motion)| (*key, maker.add(*key, motion))).collect()));
        let mut links = Vec::new();
        for (from, targets) in &record.links {
            links
                .extend(targets.iter().map(|(to, motion)| ((*from, Command(*to)), maker.add(*from, motion))));
        }
        let styles = record.style_defaults.iter().map(|&(style, substate)| (style, Command(substate)));
        let table = MotionTable {
            id,
            default_style: Command(record.default_style),
            style_defaults: sorted(styles.collect()),
            cycles: std::mem::take(&mut lists[0]),
            modifiers: std::mem::take(&mut lists[1]),
            links: sorted(links),
            motions: maker.motions.into(),
            clips: maker.clips.into(),
        };
        if table.default_cycle().is_none() {
            (maker.report)(format!(
                "has no cycle for the default of style {}; objects stand still",
                table.default_style
            ));
        }
        table
    }

    /// The substate that a style starts out in.
    pub fn style_default(&self, style: Command) -> Option<Command> {
        find(&self.style_defaults, &style.0)
    }

    /// What an object does that nobody has told anything: substate and cycle.
    pub(super) fn default_cycle(&self) -> Option<(Command, &MotionData)> {
        let substate = self.style_default(self.default_style)?;
        Some((substate, self.cycle(self.default_style, substate)?))
    }

    /// The cycle of a substate.
    pub fn cycle(&self, style: Command, substate: Command) -> Option<&MotionData> {
        self.motion(find(&self.cycles, &key(style, substate)))
    }

    /// The motion of a modifier, in this style or in any.
    pub fn modifier(&self, style: Command, modifier: Command) -> Option<&MotionData> {
        let index = find(&self.modifiers, &key(style, modifier));
        self.motion(index.or_else(|| find(&self.modifiers, &(modifier.0 & 0x00FF_FFFF))))
    }

    /// What leads from one motion to another. Played backwards, the way back is the way there.
    /// Retail: `CMotionTable::get_link`. Spec: motion §2.4.
    pub(super) fn link(&self, style: Command, ends: LinkEnds) -> Option<&MotionData> {
        let (from, to) = (ends.from.0, ends.to.0);
        let stored = |key: u32, to: Command| self.motion(find(&self.links, &(key, to)));
        if ends.from.1 < 0.0 || ends.to.1 < 0.0 {
            stored(key(style, to), from).or_else(|| stored(key(style, from), self.style_default(style)?))
        } else {
            stored(key(style, from), to).or_else(|| stored(style.0 << 16, to))
        }
    }

    /// Commands that something leads to, with their whole ids.
    pub(super) fn linked_commands(&self) -> impl Iterator<Item = Command> {
        self.links.iter().map(|((_, to), _)| *to)
    }

    /// Styles, with their whole ids.
    pub(super) fn styles(&self) -> impl Iterator<Item = Command> {
        self.style_defaults.iter().map(|(style, _)| Command(*style))
    }

    /// Whether any style repeats a substate with this low half.
    pub(super) fn has_cycle(&self, index: u16) -> bool {
        self.cycles.iter().any(|(key, _)| *key as u16 == index)
    }

    /// Whether there is a modifier with this low half.
    pub(super) fn has_modifier(&self, index: u16) -> bool {
        self.modifiers.iter().any(|(key, _)| *key as u16 == index)
    }

    /// The animations of a motion.
    pub fn clips(&self, motion: &MotionData) -> &[Clip] {
        self.clips.get(motion.clips.start as usize..motion.clips.end as usize).unwrap_or_default()
    }

    /// An animation that the table names.
    pub fn animation(&self, id: DatId) -> Option<&Arc<Animation>> {
        self.clips.iter().map(|clip| &clip.animation).find(|animation| animation.id == id)
    }

    fn motion(&self, index: Option<u32>) -> Option<&MotionData> {
        self.motions.get(index? as usize)
    }
}

/// Collects the motions of a table.
struct Maker<A, R> {
    animation: A,
    report: R,
    motions: Vec<MotionData>,
    clips: Vec<Clip>,
}

impl<A: FnMut(DatId) -> Option<Arc<Animation>>, R: FnMut(String)> Maker<A, R> {
    fn add(&mut self, key: u32, motion: &Motion) -> u32 {
        let start = self.clips.len() as u32;
        for clip in &motion.animations {
            let Some(animation) = (self.animation)(clip.animation).filter(|found| found.frame_count() > 0)
            else {
                (self.report)(format!(
                    "motion {key:#010x} names the animation {}, which is missing or empty; it is left out",
                    clip.animation
                ));
                continue;
            };
            let rate = self.finite(key, "frame rate", clip.rate);
            self.clips.push(Clip { animation, low: clip.low, high: clip.high, rate });
        }
        let [velocity, omega] = [("velocity", motion.velocity), ("omega", motion.omega)]
            .map(|(what, vector)| Vec3::from(vector.unwrap_or_default().map(|x| self.finite(key, what, x))));
        self.motions.push(MotionData {
            clips: start..self.clips.len() as u32,
            named: motion.animations.len() as u32,
            velocity,
            omega,
            excludes_modifiers: motion.bits & 1 != 0,
            needs_default: motion.bits & 2 != 0,
        });
        self.motions.len() as u32 - 1
    }

    fn finite(&mut self, key: u32, what: &str, value: f32) -> f32 {
        if value.is_finite() {
            return value;
        }
        (self.report)(format!("{what} of motion {key:#010x} is {value}; 0 is used"));
        0.0
    }
}
