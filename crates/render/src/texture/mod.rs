//! Textures as the renderer samples them: RGBA8 texels with mip levels, sides a power of two.

mod decode;
mod lanes;
mod sample;

pub use decode::{DecodeError, Picture, Usage, decode, decode_mask};
pub(crate) use lanes::{Plane, is_wide};
pub use sample::Address;
pub(crate) use sample::{RUN, Texels, each, pixels, round};

/// Largest side of a texture that is kept; larger pictures are refused by the record reader already.
const MAX_LOG2: u32 = 13;

/// One mip level: where its rows start and its sides as powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Level {
    offset: u32,
    log2_width: u8,
    log2_height: u8,
}

/// A texture with all its mip levels. Texels are packed `r | g << 8 | b << 16 | a << 24`, rows top to bottom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texture {
    texels: Box<[u32]>,
    levels: Box<[Level]>,
}

/// Packs a colour the way textures and pictures store it.
pub const fn pack(r: u8, g: u8, b: u8, a: u8) -> u32 {
    u32::from_le_bytes([r, g, b, a])
}

impl Texture {
    /// A texture of one colour.
    pub fn solid(color: u32) -> Texture {
        Texture {
            texels: Box::new([color]),
            levels: Box::new([Level { offset: 0, log2_width: 0, log2_height: 0 }]),
        }
    }

    /// One opaque white texel, for surfaces without a texture.
    pub fn white() -> &'static Texture {
        static WHITE: std::sync::LazyLock<Texture> = std::sync::LazyLock::new(|| Texture::solid(u32::MAX));
        &WHITE
    }

    /// Texels of a texture with sides that are powers of two, and of all its mip levels.
    pub(crate) fn texel_count(width: u32, height: u32) -> usize {
        let (mut w, mut h) = (width as usize, height as usize);
        let mut count = w * h;
        while w > 1 || h > 1 {
            (w, h) = ((w / 2).max(1), (h / 2).max(1));
            count += w * h;
        }
        count
    }

    /// A texture from rows of texels. Sides that are no power of two are stretched to the next one, so that
    /// sampling needs no division. Too few texels count as transparent black; an empty picture is a black texel.
    pub fn from_texels(width: u32, height: u32, mut texels: Vec<u32>) -> Texture {
        if width == 0 || height == 0 || width.max(height) > 1 << MAX_LOG2 {
            return Texture::solid(0);
        }
        texels.resize(width as usize * height as usize, 0);
        let (w, h) = (width.next_power_of_two(), height.next_power_of_two());
        if (w, h) != (width, height) {
            texels = stretch(&texels, (width, height), (w, h));
        }
        texels.reserve_exact(Texture::texel_count(w, h) - texels.len());
        let mut levels = vec![Level { offset: 0, log2_width: w.ilog2() as u8, log2_height: h.ilog2() as u8 }];
        let (mut w, mut h, mut start) = (w as usize, h as usize, 0);
        while w > 1 || h > 1 {
            let (nw, nh) = ((w / 2).max(1), (h / 2).max(1));
            let next = texels.len();
            texels.resize(next + nw * nh, 0);
            let (from, to) = texels[start..].split_at_mut(w * h);
            for (y, row) in to.chunks_exact_mut(nw).enumerate() {
                // A side of one texel has no second one.
                let above = &from[2 * y * w..][..w];
                let below = if h > 1 { &from[(2 * y + 1) * w..][..w] } else { above };
                if w == 1 {
                    row[0] = average([above[0], above[0], below[0], below[0]]);
                }
                let pairs = above.as_chunks().0.iter().zip(below.as_chunks().0);
                for (texel, (&[a, b], &[c, d])) in row.iter_mut().zip(pairs) {
                    *texel = average([a, b, c, d]);
                }
            }
            levels.push(Level {
                offset: next as u32,
                log2_width: nw.ilog2() as u8,
                log2_height: nh.ilog2() as u8,
            });
            (w, h, start) = (nw, nh, next);
        }
        Texture { texels: texels.into_boxed_slice(), levels: levels.into_boxed_slice() }
    }

    /// Mixes the texels at the rim of a square level with those beyond it, half and half.
    pub(crate) fn mix_rim(&mut self, level: usize, beyond: impl Fn(i32, i32) -> u32) {
        let Some(&Level { offset, log2_width, .. }) = self.levels.get(level) else { return };
        let side = 1i32 << log2_width;
        let texels = &mut self.texels[offset as usize..][..(side * side) as usize];
        // One beyond the nearer edge, if the texel lies at one.
        let over = |c: i32| {
            if c == 0 {
                -1
            } else if c == side - 1 {
                side
            } else {
                c
            }
        };
        let rows = [0, side - 1].into_iter().flat_map(|y| (0..side).map(move |x| (x, y)));
        let columns = [0, side - 1].into_iter().flat_map(|x| (1..side - 1).map(move |y| (x, y)));
        // A level of one texel has one row and is mixed once.
        for (x, y) in rows.chain(columns).take(if side > 1 { usize::MAX } else { 1 }) {
            let own = texels[(y * side + x) as usize];
            let (ox, oy) = (over(x), over(y));
            let [side_by, above, across] =
                [(ox, y), (x, oy), (ox, oy)].map(|at| if at == (x, y) { own } else { beyond(at.0, at.1) });
            texels[(y * side + x) as usize] = average([own, side_by, above, across]);
        }
    }

    /// Width of the finest level.
    pub fn width(&self) -> u32 {
        1 << self.levels[0].log2_width
    }

    /// Height of the finest level.
    pub fn height(&self) -> u32 {
        1 << self.levels[0].log2_height
    }

    /// Size in memory.
    pub fn bytes(&self) -> usize {
        size_of_val(&*self.texels)
    }

    /// Number of mip levels, the finest included.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// Sides and texels of a level; `None` beyond the last.
    pub fn level(&self, index: usize) -> Option<(u32, u32, &[u32])> {
        let level = self.levels.get(index)?;
        let (w, h) = (1u32 << level.log2_width, 1u32 << level.log2_height);
        let start = level.offset as usize;
        Some((w, h, &self.texels[start..start + (w * h) as usize]))
    }
}

/// The mean of four texels, two channels at a time.
fn average(texels: [u32; 4]) -> u32 {
    let sum = |shift: u32| texels.iter().map(|texel| texel >> shift & 0xFF_00FF).sum::<u32>() + 0x2_0002;
    (sum(0) >> 2 & 0xFF_00FF) | (sum(8) << 6 & 0xFF00_FF00)
}

/// Nearest-texel enlargement: exact for the common case of a side that is already right.
fn stretch(texels: &[u32], from: (u32, u32), to: (u32, u32)) -> Vec<u32> {
    let source = |at: u32, from: u32, to: u32| (u64::from(at) * u64::from(from) / u64::from(to)) as usize;
    let mut out = Vec::with_capacity(to.0 as usize * to.1 as usize);
    for y in 0..to.1 {
        let row = source(y, from.1, to.1) * from.0 as usize;
        out.extend((0..to.0).map(|x| texels[row + source(x, from.0, to.0)]));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mip_levels_end_at_one_texel_and_average_what_is_above() {
        let texture = Texture::from_texels(2, 2, vec![pack(0, 0, 0, 255), pack(100, 0, 0, 255), 0, 0]);
        assert_eq!(texture.level_count(), 2);
        assert_eq!(texture.level(1), Some((1, 1, &[pack(25, 0, 0, 128)][..])));
        assert_eq!(texture.level(2), None);
    }

    #[test]
    fn an_oblong_picture_keeps_one_side_at_one_texel() {
        let texture = Texture::from_texels(4, 1, vec![pack(8, 8, 8, 8); 4]);
        let sizes: Vec<_> =
            (0..texture.level_count()).map(|i| texture.level(i).map(|l| (l.0, l.1))).collect();
        assert_eq!(sizes, [Some((4, 1)), Some((2, 1)), Some((1, 1))]);
    }

    #[test]
    fn odd_sides_grow_and_missing_texels_are_transparent() {
        let texture = Texture::from_texels(3, 2, vec![7; 3]);
        assert_eq!((texture.width(), texture.height()), (4, 2));
        assert_eq!(texture.level(0).map(|l| l.2), Some(&[7, 7, 7, 7, 0, 0, 0, 0][..]));
        assert_eq!(Texture::from_texels(0, 5, Vec::new()), Texture::solid(0));
    }
}
