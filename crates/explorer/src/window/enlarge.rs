//! Pictures enlarged to the size of the window. A software driver takes several times as long for it.

use threshold_render::gpu::wgpu;
use threshold_world::parallel;

/// Rows that one task makes.
const ROWS: usize = 32;
/// The low half of each of four 16-bit lanes, which hold the four bytes of a pixel.
const BYTES: u64 = 0x00FF_00FF_00FF_00FF;
/// Half of a byte's unit in each lane, for rounding.
const HALF: u64 = 0x0080_0080_0080_0080;

/// Enlarges pictures for a surface.
pub(super) struct Enlarger {
    /// Blue comes first.
    is_swapped: bool,
    size: (u32, u32),
    pixels: Vec<u8>,
}

impl Enlarger {
    /// For a surface of a format; `None` when it has pixels of another kind.
    pub(super) fn new(format: wgpu::TextureFormat) -> Option<Enlarger> {
        let is_swapped = match format {
            wgpu::TextureFormat::Rgba8Unorm => false,
            wgpu::TextureFormat::Bgra8Unorm => true,
            _ => return None,
        };
        Some(Enlarger { is_swapped, size: (0, 0), pixels: Vec::new() })
    }

    /// Enlarges a picture, bytes of RGBA, smoothly: in between its pixels colours are mixed as a driver does it.
    pub(super) fn enlarge(&mut self, rgba: &[u8], from: (u32, u32), to: (u32, u32)) {
        let width = to.0 as usize;
        self.size = to;
        self.pixels.resize(width * to.1 as usize * 4, 0);
        if rgba.len() != from.0 as usize * from.1 as usize * 4 || self.pixels.is_empty() || rgba.is_empty() {
            return;
        }
        let (columns, rows) = (taps(from.0, to.0), taps(from.1, to.1));
        let is_swapped = self.is_swapped;
        parallel::each_chunk_mut(&mut self.pixels, width * 4 * ROWS, |task, pixels| {
            let mut line = vec![0; from.0 as usize * 4];
            let (pixels, _) = pixels.as_chunks_mut::<4>();
            for (row, tap) in pixels.chunks_exact_mut(width).zip(&rows[task * ROWS..]) {
                let row_at = |y: usize| &rgba[y * line.len()..][..line.len()];
                mix_rows(row_at(tap.first), row_at(tap.second), tap.part, &mut line);
                let (line, _) = line.as_chunks::<4>();
                for (pixel, tap) in row.iter_mut().zip(&columns) {
                    *pixel = mix(lanes(line[tap.first]), lanes(line[tap.second]), tap.part, is_swapped);
                }
            }
        });
    }

    /// Shows the last picture on a texture; false when that has another size.
    pub(super) fn write(&self, queue: &wgpu::Queue, texture: &wgpu::Texture) -> bool {
        let (width, height) = self.size;
        if (texture.width(), texture.height()) != self.size || self.pixels.is_empty() {
            return false;
        }
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(width * 4), rows_per_image: None };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        queue.write_texture(texture.as_image_copy(), &self.pixels, layout, size);
        true
    }
}

/// Two neighbours whose mixture a pixel is, and how much of the second there is in it, of 256.
struct Tap {
    first: usize,
    second: usize,
    part: u16,
}

/// Where the pixels of an enlarged row or column come from.
fn taps(from: u32, to: u32) -> Vec<Tap> {
    let last = from.saturating_sub(1);
    let tap = |pixel: u32| {
        let center = (f64::from(pixel) + 0.5) * f64::from(from) / f64::from(to) - 0.5;
        let at = (center.clamp(0.0, f64::from(last)) * 256.0).round() as usize;
        let first = at / 256;
        Tap { first, second: (first + 1).min(last as usize), part: (at % 256) as u16 }
    };
    (0..to).map(tap).collect()
}

/// The mixture of two rows, byte by byte.
fn mix_rows(above: &[u8], below: &[u8], part: u16, mixed: &mut [u16]) {
    for ((mixed, &above), &below) in mixed.iter_mut().zip(above).zip(below) {
        *mixed = (u16::from(above) * (256 - part) + u16::from(below) * part + 128) >> 8;
    }
}

/// The bytes of a pixel side by side, each with room to be multiplied.
#[inline]
fn lanes([red, green, blue, alpha]: [u16; 4]) -> u64 {
    u64::from(red) | u64::from(green) << 16 | u64::from(blue) << 32 | u64::from(alpha) << 48
}

/// The mixture of two pixels, red and blue exchanged if need be.
#[inline]
fn mix(first: u64, second: u64, part: u16, is_swapped: bool) -> [u8; 4] {
    let part = u64::from(part);
    let lanes = (first * (256 - part) + second * part + HALF) >> 8 & BYTES;
    let pairs = (lanes | lanes >> 8) & 0x0000_FFFF_0000_FFFF;
    let packed = (pairs | pairs >> 16) as u32;
    (if is_swapped { packed.swap_bytes().rotate_right(8) } else { packed }).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn enlarged(rgba: &[[u8; 4]], from: (u32, u32), to: (u32, u32), is_swapped: bool) -> Vec<[u8; 4]> {
        let mut enlarger = Enlarger { is_swapped, size: (0, 0), pixels: Vec::new() };
        enlarger.enlarge(rgba.as_flattened(), from, to);
        enlarger.pixels.as_chunks::<4>().0.to_vec()
    }

    #[test]
    fn a_picture_of_the_same_size_stays_as_it_is() {
        let picture: Vec<[u8; 4]> =
            (0..70 * 50).map(|i| [i as u8, (i / 7) as u8, (i / 70) as u8, 255]).collect();
        assert_eq!(enlarged(&picture, (70, 50), (70, 50), false), picture);
        let swapped: Vec<[u8; 4]> = picture.iter().map(|&[r, g, b, a]| [b, g, r, a]).collect();
        assert_eq!(enlarged(&picture, (70, 50), (70, 50), true), swapped);
    }

    #[test]
    fn pixels_in_between_are_mixed_and_edges_stay() {
        let picture = [[0, 10, 255, 255], [200, 10, 55, 255]];
        let row = [[0, 10, 255, 255], [50, 10, 205, 255], [150, 10, 105, 255], [200, 10, 55, 255]];
        assert_eq!(enlarged(&picture, (2, 1), (4, 1), false), row);
        assert_eq!(enlarged(&picture, (1, 2), (1, 4), false), row);
    }

    #[test]
    fn a_large_picture_is_as_a_driver_samples_it() {
        let (from, to) = ((48, 27), (120, 66));
        let picture: Vec<[u8; 4]> =
            (0..from.0 * from.1).map(|i| [(i * 37) as u8, (i * 11) as u8, i as u8, 255]).collect();
        let at = |x: i64, y: i64, lane: usize| {
            let (x, y) = (x.clamp(0, i64::from(from.0) - 1), y.clamp(0, i64::from(from.1) - 1));
            f64::from(picture[(y * i64::from(from.0) + x) as usize][lane])
        };
        for (i, pixel) in (0..).zip(enlarged(&picture, from, to, false)) {
            let place = |pixel: u32, from: u32, to: u32| {
                (f64::from(pixel) + 0.5) * f64::from(from) / f64::from(to) - 0.5
            };
            let (x, y) = (place(i % to.0, from.0, to.0), place(i / to.0, from.1, to.1));
            let (left, top) = (x.floor() as i64, y.floor() as i64);
            let (right, low) = (x - left as f64, y - top as f64);
            for lane in 0..4 {
                let row = |y: i64| at(left, y, lane) * (1.0 - right) + at(left + 1, y, lane) * right;
                let expected = row(top) * (1.0 - low) + row(top + 1) * low;
                assert!((f64::from(pixel[lane]) - expected).abs() < 2.5, "{i}: {pixel:?}, {expected}");
            }
        }
    }

    #[test]
    fn pictures_without_pixels_are_left_alone() {
        assert!(enlarged(&[], (0, 0), (0, 0), false).is_empty());
        assert_eq!(enlarged(&[], (0, 0), (2, 1), false), [[0; 4]; 2]);
    }
}
