//! Pictures before they are stored.

/// A colour: red, green, blue, 0…1.
pub(crate) type Rgb = [f32; 3];

/// A picture with transparency, rows from top to bottom.
#[derive(Clone, Debug, PartialEq)]
pub struct Image {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue, alpha.
    pub pixels: Vec<[u8; 4]>,
}

impl Image {
    /// A picture from a function of the place (0…1, v downwards) that gives colour and opacity.
    pub fn from_fn(width: u32, height: u32, f: impl Fn(f32, f32) -> [f32; 4]) -> Image {
        let at = |i: u32, size: u32| (i as f32 + 0.5) / size as f32;
        let rows = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = rows.map(|(x, y)| f(at(x, width), at(y, height)).map(to_byte)).collect();
        Image { width, height, pixels }
    }

    /// The picture with twice as many columns and rows, smoothly filled in; its rim is not taken to repeat.
    pub(crate) fn enlarged(&self) -> Image {
        let (w, h) = (self.width as usize, self.height as usize);
        // New pixels lie a quarter of the way from their old pixel to the next.
        let near = |i: usize, size: usize| {
            let other =
                if i.is_multiple_of(2) { (i / 2).saturating_sub(1) } else { (i / 2 + 1).min(size - 1) };
            (i / 2, other)
        };
        let pixel = |x: usize, y: usize| {
            let ((x0, x1), (y0, y1)) = (near(x, w), near(y, h));
            let at = |x: usize, y: usize, i: usize| u32::from(self.pixels[y * w + x][i]);
            std::array::from_fn(|i| {
                let sum = 9 * at(x0, y0, i) + 3 * (at(x1, y0, i) + at(x0, y1, i)) + at(x1, y1, i);
                ((sum + 8) / 16) as u8
            })
        };
        let pixels =
            (0..2 * h).flat_map(|y| (0..2 * w).map(move |x| (x, y))).map(|(x, y)| pixel(x, y)).collect();
        Image { width: 2 * self.width, height: 2 * self.height, pixels }
    }

    /// An opaque picture.
    pub(crate) fn opaque(size: u32, f: impl Fn(f32, f32) -> Rgb) -> Image {
        Image::from_fn(size, size, |u, v| {
            let [r, g, b] = f(u, v);
            [r, g, b, 1.0]
        })
    }
}

fn to_byte(value: f32) -> u8 {
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// Between two colours.
pub(crate) fn mix(a: Rgb, b: Rgb, t: f32) -> Rgb {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * t)
}

/// A colour made darker or lighter.
pub(crate) fn shade(color: Rgb, by: f32) -> Rgb {
    color.map(|c| c * by)
}
