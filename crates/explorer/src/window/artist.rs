//! What draws the world: the graphics card, or the processor at a resolution that holds the frame rate.

use crate::platform::{self, Instant};
use std::time::Duration;
use threshold_render::{
    assets::Assets,
    cpu::CpuRenderer,
    draw::DrawList,
    gpu::{Gpu, GpuRenderer, wgpu},
};

/// Pictures that the processor draws have at most so many pixels; larger windows show them enlarged.
const CPU_PIXELS: f32 = 1280.0 * 720.0;
/// Sides of a picture in parts of what they could be, from fine to coarse.
const FINENESS: [f32; 6] = [1.0, 0.85, 0.7, 0.6, 0.5, 0.4];
/// Pictures whose second slowest decides about the next ones: one in twenty may be late.
const TRIAL: u32 = 20;
/// Pictures after which it is clear that they take too long.
const SHORT_TRIAL: u32 = 4;
/// Room that finer pictures must have, so that it does not go back and forth.
const ROOM: f32 = 1.15;

/// What draws the world.
pub(super) enum Artist {
    Gpu(Box<GpuRenderer>),
    Cpu(Box<Painter>),
}

impl Artist {
    pub(super) fn gpu(gpu: &Gpu, format: wgpu::TextureFormat) -> Artist {
        Artist::Gpu(Box::new(GpuRenderer::new(gpu, format)))
    }

    /// The processor. A hasty one draws coarser pictures rather than fewer.
    pub(super) fn cpu(hasty: bool) -> Artist {
        let renderer = CpuRenderer::new(1, 1);
        let step = if platform::BEGINS_COARSE { FINENESS.len() - 1 } else { 0 };
        let pace = hasty.then(|| Pace { step, ..Pace::default() });
        let (rgba, last) = (Vec::new(), Duration::ZERO);
        Artist::Cpu(Box::new(Painter { renderer, size: (1, 1), rgba, pace, last }))
    }

    /// Size of the world's picture in a window.
    pub(super) fn picture_size(&self, (width, height): (u32, u32)) -> (u32, u32) {
        let Artist::Cpu(painter) = self else { return (width, height) };
        let fineness = painter.pace.as_ref().map_or(1.0, Pace::fineness);
        let pixels = width as f32 * height as f32;
        let scale = (CPU_PIXELS / pixels).sqrt().min(1.0) * fineness;
        let side = |side: u32| ((side as f32 * scale).round() as u32).clamp(1, side.max(1));
        (side(width), side(height))
    }
}

/// Draws on the processor.
pub(super) struct Painter {
    renderer: CpuRenderer,
    size: (u32, u32),
    rgba: Vec<u8>,
    pace: Option<Pace>,
    /// Time that the last picture took.
    last: Duration,
}

impl Painter {
    /// A picture of that size as bytes.
    pub(super) fn draw(&mut self, list: &DrawList, assets: &Assets, size: (u32, u32)) -> &[u8] {
        if self.size != size {
            self.renderer = CpuRenderer::new(size.0, size.1);
            self.size = size;
        }
        let start = Instant::now();
        self.renderer.draw(list, assets);
        self.renderer.picture().copy_rgba(&mut self.rgba);
        if let Some(pace) = &mut self.pace {
            let beside = platform::last_frame().saturating_sub(self.last);
            self.last = start.elapsed();
            pace.note(self.last, beside);
        }
        &self.rgba
    }
}

/// How fine pictures are, by how long they take.
#[derive(Default)]
struct Pace {
    step: usize,
    /// The two highest loads of the trial, the highest first.
    highest: [f32; 2],
    count: u32,
}

impl Pace {
    fn fineness(&self) -> f32 {
        FINENESS[self.step]
    }

    /// Takes note of a picture's time, and of that of everything else in its frame. The second slowest of several pictures
    /// counts: one may be late because others use the processor, too.
    fn note(&mut self, spent: Duration, beside: Duration) {
        let time = platform::FRAME_TIME.saturating_sub(beside).max(platform::FRAME_TIME / 4);
        let load = spent.as_secs_f32() / time.as_secs_f32();
        let [first, second] = self.highest;
        self.highest = if load > first { [load, first] } else { [first, load.max(second)] };
        self.count += 1;
        let load = self.highest[1];
        if self.count < if load > 1.0 { SHORT_TRIAL } else { TRIAL } {
            return;
        }
        // The finest that is fast enough, as time grows with the area.
        let fits = |&step: &usize| {
            let more = (FINENESS[step] / self.fineness()).powi(2);
            load * more * if step < self.step { ROOM } else { 1.0 } <= 1.0
        };
        let step = (0..FINENESS.len()).find(fits).unwrap_or(FINENESS.len() - 1);
        *self = Pace { step, ..Pace::default() };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn took(milliseconds: f32) -> Duration {
        Duration::from_secs_f32(milliseconds / 1000.0)
    }

    /// The step a processor ends at that needs so long for the finest picture.
    fn settles(pace: &mut Pace, milliseconds: f32) -> usize {
        for _ in 0..20 * TRIAL {
            pace.note(took(milliseconds * pace.fineness().powi(2)), Duration::ZERO);
        }
        let step = pace.step;
        for _ in 0..4 * TRIAL {
            pace.note(took(milliseconds * pace.fineness().powi(2)), Duration::ZERO);
            assert_eq!(pace.step, step, "it goes back and forth");
        }
        step
    }

    #[test]
    fn pictures_are_as_fine_as_there_is_time_for() {
        let mut pace = Pace::default();
        assert_eq!(settles(&mut pace, 9.0), 0);
        assert_eq!(settles(&mut pace, 27.0), 3);
        assert_eq!(settles(&mut pace, 500.0), FINENESS.len() - 1);
        assert_eq!(settles(&mut pace, 3.0), 0);
    }

    #[test]
    fn a_slow_processor_is_known_after_a_few_pictures() {
        let mut pace = Pace::default();
        for _ in 0..SHORT_TRIAL {
            pace.note(took(38.0), Duration::ZERO);
        }
        assert_eq!(pace.step, 4);
    }

    #[test]
    fn one_slow_picture_changes_nothing() {
        let mut pace = Pace::default();
        for number in 0..10 * TRIAL {
            pace.note(took(if number % TRIAL == 3 { 300.0 } else { 8.0 }), Duration::ZERO);
        }
        assert_eq!(pace.step, 0);
    }

    #[test]
    fn what_else_a_frame_does_leaves_less_time_for_its_picture() {
        let mut pace = Pace::default();
        for _ in 0..4 * TRIAL {
            pace.note(took(8.0 * pace.fineness().powi(2)), took(5.0));
        }
        assert_eq!(pace.step, 2, "8 ms are too long for the 5 ms that are left, 3.9 ms are not");
    }
}
