//! Drawing overlays into a finished picture of the CPU reference.

use super::{
    Color, Label, Segment,
    font::{HEIGHT, WIDTH, is_set},
};
use crate::raster::{Raster, Z_NEAR};
use glam::{Vec2, Vec3, Vec4};
use threshold_view::Projection;

/// Share of a line's colour where something hides it.
const HIDDEN: u32 = 70;
/// A line counts as hidden when it is farther than what is drawn by this much: lines lie on the walls they outline.
const SLACK: f32 = 1.01;
const SLACK_METRES: f32 = 0.02;

/// Draws lines over a picture, faintly where something hides them. `rgba` holds the pixels of `picture`.
pub fn paint(picture: &Raster, projection: &Projection, lines: &[Segment], rgba: &mut [u8]) {
    let mut canvas = Canvas::new(picture, rgba);
    for line in lines {
        canvas.line(projection, line);
    }
}

/// Writes labels over a picture, with a dark ground behind them.
pub fn write(picture: &Raster, projection: &Projection, labels: &[Label], rgba: &mut [u8]) {
    let mut canvas = Canvas::new(picture, rgba);
    for label in labels {
        canvas.label(projection, label);
    }
}

struct Canvas<'a> {
    picture: &'a Raster,
    rgba: &'a mut [u8],
    width: i32,
    height: i32,
    /// Width of a line, and of a pixel of a digit.
    pen: i32,
}

/// A point on the screen and its 1/w, which is linear there.
type OnScreen = (Vec2, f32);

impl<'a> Canvas<'a> {
    fn new(picture: &'a Raster, rgba: &'a mut [u8]) -> Canvas<'a> {
        let (width, height) = (picture.width() as i32, picture.height() as i32);
        Canvas { picture, rgba, width, height, pen: (height / 270).clamp(1, 4) }
    }

    fn line(&mut self, projection: &Projection, line: &Segment) {
        let ends = in_front(projection.to_screen(line.a), projection.to_screen(line.b));
        let Some((a, b)) = ends.and_then(|(a, b)| self.clip(a, b)) else { return };
        let steps = (b.0 - a.0).abs().max_element().ceil().max(1.0) as i32;
        for i in 0..=steps {
            let t = i as f32 / steps as f32;
            let (p, q) = (a.0 + (b.0 - a.0) * t, a.1 + (b.1 - a.1) * t);
            let (x, y) = (p.x as i32, p.y as i32);
            let pen = self.pen;
            for (dx, dy) in (0..pen).flat_map(|dx| (0..pen).map(move |dy| (dx, dy))) {
                let hidden = self.hides(x + dx, y + dy, 1.0 / q);
                self.blend(x + dx, y + dy, line.color, if hidden { HIDDEN } else { 255 });
            }
        }
    }

    fn label(&mut self, projection: &Projection, label: &Label) {
        let place = projection.to_screen(label.at);
        if place.w < Z_NEAR {
            return;
        }
        let scale = self.pen * 2;
        let (x, y) = ((place.x / place.w) as i32, (place.y / place.w) as i32);
        let (wide, high) = ((4 * (WIDTH + 1) + 1) * scale, (HEIGHT + 2) * scale);
        let (left, top) = (x - wide / 2, y - high / 2);
        for (dx, dy) in (0..wide).flat_map(|dx| (0..high).map(move |dy| (dx, dy))) {
            // One pixel of ground on each side of the digits.
            let (column, row) = (dx / scale - 1, dy / scale - 1);
            let (digit, inner) = (column.div_euclid(WIDTH + 1), column.rem_euclid(WIDTH + 1));
            let in_digit = column >= 0 && digit < 4 && inner < WIDTH && (0..HEIGHT).contains(&row);
            let set = in_digit && is_set(label.number >> (4 * (3 - digit)), inner, row);
            let (color, share) = if set { (label.color, 255) } else { ([0; 3], 150) };
            self.blend(left + dx, top + dy, color, share);
        }
    }

    /// Whether what a pixel shows is nearer than `w`.
    fn hides(&self, x: i32, y: i32, w: f32) -> bool {
        let drawn = self.picture.distance_at(x.max(0) as u32, y.max(0) as u32);
        drawn.is_some_and(|drawn| w > drawn * SLACK + SLACK_METRES)
    }

    fn blend(&mut self, x: i32, y: i32, color: Color, share: u32) {
        if !(0..self.width).contains(&x) || !(0..self.height).contains(&y) {
            return;
        }
        let at = (y * self.width + x) as usize * 4;
        let Some(pixel) = self.rgba.get_mut(at..at + 3) else { return };
        for (channel, own) in pixel.iter_mut().zip(color) {
            *channel = ((u32::from(*channel) * (255 - share) + u32::from(own) * share + 127) / 255) as u8;
        }
    }

    /// The part of a line on the screen.
    fn clip(&self, a: OnScreen, b: OnScreen) -> Option<(OnScreen, OnScreen)> {
        let (mut from, mut to) = (0.0f32, 1.0f32);
        let limit = Vec2::new(self.width as f32 - 0.01, self.height as f32 - 0.01);
        let way = b.0 - a.0;
        for axis in 0..2 {
            for (start, step) in [(a.0[axis], way[axis]), (limit[axis] - a.0[axis], -way[axis])] {
                if step == 0.0 {
                    if start < 0.0 {
                        return None;
                    }
                } else if step > 0.0 {
                    from = from.max(-start / step);
                } else {
                    to = to.min(-start / step);
                }
            }
        }
        let at = |t: f32| (a.0 + way * t, a.1 + (b.1 - a.1) * t);
        (from <= to).then(|| (at(from), at(to)))
    }
}

/// Cuts a line at the near plane and divides.
fn in_front(a: Vec4, b: Vec4) -> Option<(OnScreen, OnScreen)> {
    if !(a.is_finite() && b.is_finite()) || (a.w < Z_NEAR && b.w < Z_NEAR) {
        return None;
    }
    let cut = |inside: Vec4, outside: Vec4| {
        if outside.w >= Z_NEAR {
            return outside;
        }
        inside + (outside - inside) * ((inside.w - Z_NEAR) / (inside.w - outside.w))
    };
    let divide = |v: Vec4| {
        let v: Vec3 = Vec3::new(v.x, v.y, 1.0) / v.w.max(Z_NEAR);
        (v.truncate(), v.z)
    };
    Some((divide(cut(b, a)), divide(cut(a, b))))
}
