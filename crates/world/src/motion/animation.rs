//! Animations, ready to be played.

use crate::{Frame, Quat};
use glam::Vec3;
use threshold_dat::{
    DatId,
    records::{self, Hook},
};

/// Poses of all parts in every frame, root motion, and hooks. Spec: dat-portal §9.
#[derive(Debug, PartialEq)]
pub struct Animation {
    /// Its record.
    pub id: DatId,
    frame_count: u32,
    part_count: usize,
    /// Frame after frame, all parts of each.
    poses: Box<[records::Frame]>,
    /// One per frame, or none at all.
    roots: Box<[Frame]>,
    /// Frame after frame.
    hooks: Box<[Hook]>,
    /// Where the hooks of each frame begin; one more than there are frames.
    first_hooks: Box<[u32]>,
}

impl Animation {
    /// Takes a record apart.
    pub fn new(id: DatId, record: records::Animation) -> Animation {
        let part_count = record.part_count as usize;
        let frame_count = record.frames.len() as u32;
        let mut poses = Vec::with_capacity(part_count * record.frames.len());
        let mut hooks = Vec::new();
        let mut first_hooks = vec![0];
        for frame in record.frames {
            poses.extend(frame.parts.into_iter().take(part_count));
            hooks.extend(frame.hooks);
            first_hooks.push(hooks.len() as u32);
        }
        let roots = record.root_frames.unwrap_or_default().iter().map(frame).collect();
        Animation {
            id,
            frame_count,
            part_count,
            poses: poses.into(),
            roots,
            hooks: hooks.into(),
            first_hooks: first_hooks.into(),
        }
    }

    /// Number of frames.
    pub fn frame_count(&self) -> u32 {
        self.frame_count
    }

    /// Where the parts are in a frame, in the object's space; empty when there is no such frame.
    pub fn pose(&self, frame: u32) -> &[records::Frame] {
        let start = frame as usize * self.part_count;
        self.poses.get(start..start + self.part_count).unwrap_or_default()
    }

    /// How the object moves in a frame; `None` when the animation has no root frames.
    pub fn root(&self, frame: u32) -> Option<&Frame> {
        self.roots.get(frame as usize)
    }

    /// Hooks of a frame, each with its number in the animation.
    pub fn hooks(&self, frame: u32) -> impl Iterator<Item = (u32, &Hook)> {
        let bound = |frame: usize| self.first_hooks.get(frame).copied().unwrap_or_default();
        let (start, end) = (bound(frame as usize), bound(frame as usize + 1));
        (start..end).zip(self.hooks.get(start as usize..end as usize).unwrap_or_default())
    }

    /// A hook by its number in the animation.
    pub fn hook(&self, number: u32) -> Option<&Hook> {
        self.hooks.get(number as usize)
    }
}

/// A stored placement as a frame.
fn frame(stored: &records::Frame) -> Frame {
    Frame::new(Vec3::from(stored.origin), Quat::from(stored.rotation))
}
