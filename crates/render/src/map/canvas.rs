//! A picture in memory and the few shapes a map is made of.

use glam::Vec2;

/// Red, green, blue, 0…1.
pub type Color = [f32; 3];

/// A picture of a rectangle of the plane. Shapes are given in metres, north up.
pub struct Canvas {
    width: usize,
    height: usize,
    origin: Vec2,
    /// Pixels per metre.
    scale: f32,
    /// Rows from the north down.
    pixels: Vec<Color>,
}

impl Canvas {
    /// A picture of the rectangle from `min` to `max`.
    pub fn new(min: Vec2, max: Vec2, scale: f32, background: Color) -> Canvas {
        let pixels_along = |length: f32| (length * scale).round().max(1.0) as usize;
        let (width, height) = (pixels_along(max.x - min.x), pixels_along(max.y - min.y));
        Canvas { width, height, origin: min, scale, pixels: vec![background; width * height] }
    }

    /// Rows of the picture, each with the point of its first pixel's centre, and the step to the next pixel.
    pub(super) fn rows_mut(&mut self) -> (Vec<(Vec2, &mut [Color])>, f32) {
        let (step, origin, height) = (1.0 / self.scale, self.origin, self.height);
        let at = |row: usize| origin + Vec2::new(0.5, (height - row) as f32 - 0.5) * step;
        let rows = self.pixels.chunks_mut(self.width).enumerate();
        (rows.map(|(row, pixels)| (at(row), pixels)).collect(), step)
    }

    /// Where a point of the plane is in the picture: pixels from the left and from the top.
    pub fn to_pixels(&self, p: Vec2) -> Vec2 {
        let p = (p - self.origin) * self.scale;
        Vec2::new(p.x, self.height as f32 - p.y)
    }

    fn blend(&mut self, x: usize, y: usize, color: Color, alpha: f32) {
        if let Some(pixel) = self.pixels.get_mut(y * self.width + x) {
            *pixel = std::array::from_fn(|i| pixel[i] + (color[i] - pixel[i]) * alpha);
        }
    }

    /// Paints every pixel of a rectangle (in pixels) whose centre is `inside`.
    fn paint(&mut self, min: Vec2, max: Vec2, color: Color, alpha: f32, inside: impl Fn(Vec2) -> bool) {
        let range = |low: f32, high: f32, size: usize| {
            let clamp = |v: f32| v.clamp(0.0, size as f32) as usize;
            clamp(low.floor())..clamp(high.ceil())
        };
        for y in range(min.y, max.y, self.height) {
            for x in range(min.x, max.x, self.width) {
                if inside(Vec2::new(x as f32 + 0.5, y as f32 + 0.5)) {
                    self.blend(x, y, color, alpha);
                }
            }
        }
    }

    /// Fills a convex polygon, whichever way it runs.
    pub(super) fn fill(&mut self, corners: &[Vec2], color: Color, alpha: f32) {
        let corners: Vec<Vec2> = corners.iter().map(|&p| self.to_pixels(p)).collect();
        let Some((min, max)) = bounds(&corners) else { return };
        let edges = || (0..corners.len()).map(|i| (corners[i], corners[(i + 1) % corners.len()]));
        let side = |p: Vec2, (a, b): (Vec2, Vec2)| (b - a).perp_dot(p - a);
        self.paint(min, max, color, alpha, |p| {
            edges().all(|edge| side(p, edge) >= 0.0) || edges().all(|edge| side(p, edge) <= 0.0)
        });
    }

    /// Fills a rectangle.
    pub fn rectangle(&mut self, min: Vec2, max: Vec2, color: Color, alpha: f32) {
        self.fill(&[min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)], color, alpha);
    }

    /// A line, `width` pixels wide.
    pub fn line(&mut self, a: Vec2, b: Vec2, width: f32, color: Color, alpha: f32) {
        let (a, b) = (self.to_pixels(a), self.to_pixels(b));
        let (along, reach) = (b - a, width / 2.0);
        let length_sq = along.length_squared();
        let (min, max) = (a.min(b) - reach, a.max(b) + reach);
        self.paint(min, max, color, alpha, |p| {
            let t = if length_sq > 0.0 { ((p - a).dot(along) / length_sq).clamp(0.0, 1.0) } else { 0.0 };
            p.distance(a + along * t) <= reach
        });
    }

    /// A disc with a radius in metres, but at least `min_pixels`.
    pub fn disc(&mut self, center: Vec2, radius: f32, min_pixels: f32, color: Color, alpha: f32) {
        let (center, radius) = (self.to_pixels(center), (radius * self.scale).max(min_pixels));
        self.paint(center - radius, center + radius, color, alpha, |p| p.distance(center) <= radius);
    }

    /// Blends a colour into a pixel, counted from the left and from the top; beyond the picture nothing happens.
    pub fn tint(&mut self, x: i32, y: i32, color: Color, alpha: f32) {
        if let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y))
            && x < self.width
        {
            self.blend(x, y, color, alpha);
        }
    }

    /// Puts another picture over this one, its upper left corner at a pixel.
    pub fn paste(&mut self, left: usize, top: usize, other: &Canvas) {
        let wide = other.width.min(self.width.saturating_sub(left));
        let rows = self.pixels.chunks_mut(self.width).skip(top);
        for (row, own) in rows.zip(other.pixels.chunks(other.width)) {
            row[left.min(self.width)..][..wide].copy_from_slice(&own[..wide]);
        }
    }

    /// The picture in a wider one: pixels to the left, above, to the right and below.
    pub fn framed(self, [left, top, right, bottom]: [usize; 4], color: Color) -> Canvas {
        let (width, height) = (self.width + left + right, self.height + top + bottom);
        let origin = self.origin - Vec2::new(left as f32, bottom as f32) / self.scale;
        let mut framed =
            Canvas { width, height, origin, scale: self.scale, pixels: vec![color; width * height] };
        framed.paste(left, top, &self);
        framed
    }

    /// The same picture with half the pixels each way, smoothed.
    pub fn halved(self) -> Canvas {
        let (width, height) = (self.width / 2, self.height / 2);
        let at = |x: usize, y: usize| self.pixels[y * self.width + x];
        let pixels = (0..width * height).map(|i| {
            let (x, y) = (i % width * 2, i / width * 2);
            let four = [at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)];
            std::array::from_fn(|c| four.iter().map(|color| color[c]).sum::<f32>() / 4.0)
        });
        Canvas { pixels: pixels.collect(), width, height, origin: self.origin, scale: self.scale / 2.0 }
    }

    /// This picture and another one to the right of it; below the lower one it is black.
    pub fn beside(self, other: &Canvas) -> Canvas {
        let (width, height) = (self.width + other.width, self.height.max(other.height));
        let mut pixels = vec![[0.0; 3]; width * height];
        for (picture, left) in [(&self, 0), (other, self.width)] {
            for (row, own) in pixels.chunks_mut(width).zip(picture.pixels.chunks(picture.width)) {
                row[left..left + picture.width].copy_from_slice(own);
            }
        }
        Canvas { height, width, pixels, ..self }
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    /// The picture as PNG.
    #[cfg(feature = "png")]
    pub fn png(&self) -> std::io::Result<Vec<u8>> {
        let bytes: Vec<u8> = self.pixels.iter().flatten().map(|&v| byte(v)).collect();
        crate::picture::encode_rgb((self.width as u32, self.height as u32), &bytes)
    }

    /// The picture as four bytes per pixel, opaque, rows from the north down.
    pub fn rgba(&self) -> Vec<u8> {
        self.pixels.iter().flat_map(|&[red, green, blue]| [byte(red), byte(green), byte(blue), 255]).collect()
    }
}

fn byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0).round() as u8
}

fn bounds(points: &[Vec2]) -> Option<(Vec2, Vec2)> {
    let first = *points.first()?;
    Some(points.iter().fold((first, first), |(min, max), p| (min.min(*p), max.max(*p))))
}
