//! Animations: the places of all parts, frame by frame. Spec: dat-portal §9.

use super::{DatRecord, Frame, Hook};
use crate::RecordKind;
use crate::codec::{Reader, Result, Wire, Writer};
#[cfg(feature = "serde")]
use serde::Serialize;

/// More parts than this do not occur, and would make frames of no use.
pub(crate) const MAX_PARTS: u32 = 1024;

/// One frame: the position of each part, and its hooks.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct AnimationFrame {
    /// One placement for each part.
    pub parts: Vec<Frame>,
    /// Hooks that run when the frame is reached.
    pub hooks: Vec<Hook>,
}

impl AnimationFrame {
    /// The fewest bytes of a frame with this many parts.
    pub(crate) fn smallest(parts: u32) -> u64 {
        28 * u64::from(parts) + 4
    }

    pub(crate) fn read(r: &mut Reader<'_>, parts: u32) -> Result<Self> {
        r.check_count(1, Self::smallest(parts), r.pos(), "animation frame")?;
        Ok(AnimationFrame {
            parts: r.elements(parts as usize, |r| Frame::read_finite(r, "part frame"))?,
            hooks: r.read("hooks")?,
        })
    }

    pub(crate) fn write(&self, w: &mut Writer<'_>, parts: usize) -> Result<()> {
        if self.parts.len() != parts {
            return Err(w.error("part frame", format!("{} placements for {parts} parts", self.parts.len())));
        }
        w.elements(&self.parts, "part frame")?;
        w.write(&self.hooks, "hooks")
    }
}

/// A sequence of frames for an object of so many parts.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Animation {
    /// Stored flags; that of the root frames follows from them when written.
    pub flags: u32,
    /// Parts of the object it was made for.
    pub part_count: u32,
    /// Movement of the whole object, one for each frame.
    pub root_frames: Option<Vec<Frame>>,
    /// In the order of time.
    pub frames: Vec<AnimationFrame>,
}

impl Animation {
    const HAS_ROOT_FRAMES: u32 = 1;
    const MAX_FRAMES: u32 = 65536;
}

impl DatRecord for Animation {
    const KIND: RecordKind = RecordKind::Animation;
}

impl Wire for Animation {
    const MIN: usize = 12;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let [flags, part_count, frame_count]: [u32; 3] = r.read("animation counts")?;
        if part_count > MAX_PARTS || frame_count > Self::MAX_FRAMES {
            let problem = format!("{part_count} parts and {frame_count} frames are more than there can be");
            return Err(r.error("animation counts", offset + 4, problem));
        }
        if flags & !3 != 0 {
            r.note("flags", offset, || format!("unknown bits in {flags:#x}"));
        }
        let has_root = flags & Self::HAS_ROOT_FRAMES != 0;
        let smallest = AnimationFrame::smallest(part_count) + if has_root { 28 } else { 0 };
        r.check_count(frame_count.into(), smallest, offset + 8, "frame count")?;
        let frame_count = frame_count as usize;
        let root_frames = if has_root {
            Some(r.elements(frame_count, |r| Frame::read_finite(r, "root frame"))?)
        } else {
            None
        };
        let frames = r.elements(frame_count, |r| AnimationFrame::read(r, part_count))?;
        Ok(Animation { flags, part_count, root_frames, frames })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        if let Some(root) = &self.root_frames
            && root.len() != self.frames.len()
        {
            return Err(w.error("root frame", format!("{} for {} frames", root.len(), self.frames.len())));
        }
        let has_root = u32::from(self.root_frames.is_some());
        w.write(&(self.flags & !Self::HAS_ROOT_FRAMES | has_root), "flags")?;
        w.write(&self.part_count, "part count")?;
        w.count_as::<u32>(self.frames.len(), "frame count")?;
        w.elements(self.root_frames.as_deref().unwrap_or_default(), "root frame")?;
        self.frames.iter().try_for_each(|frame| frame.write(w, self.part_count as usize))
    }
}
