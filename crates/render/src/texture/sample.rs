//! Trilinear sampling in integers, so that every machine computes the same texel.

use super::{
    Level, Texture,
    lanes::{Pairs, is_wide},
};

/// What happens beyond the edge of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Address {
    /// The texture repeats.
    #[default]
    Wrap,
    /// The edge texels go on.
    Clamp,
}

impl Address {
    /// The texel that a coordinate stands for.
    #[inline(always)]
    fn apply(self, c: i32, side: i32) -> i32 {
        match self {
            Address::Wrap => c & (side - 1),
            // As floats, because not all processors have the least and the greatest of vectors of integers.
            Address::Clamp => round((c as f32).max(0.0).min((side - 1) as f32)),
        }
    }
}

/// Pixels that are sampled together; they share the choice of the mip level.
pub(crate) const RUN: usize = 8;

/// A value for each pixel of a run. Unlike `std::array::from_fn` it is always inlined, so that loops become vectors.
#[inline(always)]
pub(crate) fn each<T: Copy + Default>(f: impl Fn(usize) -> T) -> [T; RUN] {
    let mut values = [T::default(); RUN];
    for (i, value) in values.iter_mut().enumerate() {
        *value = f(i);
    }
    values
}

/// Filtered texels of a run.
#[derive(Default)]
pub(crate) struct Texels {
    /// Red in the low half of each number, blue in the high one.
    pub(crate) red_blue: [u32; RUN],
    /// Green and alpha likewise.
    pub(crate) green_alpha: [u32; RUN],
}

impl Texels {
    /// Red, green, blue and alpha of a pixel.
    #[inline(always)]
    pub(crate) fn channels(&self, i: usize) -> [u32; 4] {
        let lanes = self.get(i);
        [0, 32, 16, 48].map(|shift| (lanes >> shift) as u32 & 0xFF)
    }

    #[inline(always)]
    fn set(&mut self, i: usize, lanes: Lanes) {
        (self.red_blue[i], self.green_alpha[i]) = (lanes as u32, (lanes >> 32) as u32);
    }

    #[inline(always)]
    fn get(&self, i: usize) -> Lanes {
        u64::from(self.red_blue[i]) | u64::from(self.green_alpha[i]) << 32
    }
}

/// Four channels of one pixel in lanes of 16 bits, from the lowest: red, blue, green, alpha.
type Lanes = u64;

const LOW_BYTES: u64 = 0x00FF_00FF_00FF_00FF;
const HALVES: u64 = 0x0080_0080_0080_0080;

#[inline(always)]
fn spread(texel: u32) -> Lanes {
    (u64::from(texel) | u64::from(texel) << 24) & LOW_BYTES
}

/// Mixes lane by lane; `t` runs from 0 (all `a`) to 256 (all `b`).
#[inline(always)]
fn mix(a: Lanes, b: Lanes, t: u32) -> Lanes {
    let t = u64::from(t);
    ((a * (256 - t) + b * t + HALVES) >> 8) & LOW_BYTES
}

/// Logarithm to base 2, good to 0.01: enough to choose a mip level, and the same everywhere.
#[inline(always)]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    exponent as f32 + (2.0 - m / 3.0) * m - 5.0 / 3.0
}

/// Adding this rounds a number below 2²² to an integer in the low bits of the sum.
const MAGIC: f32 = 12_582_912.0;

/// Rounds a number below 2²² either way; others come out as something.
#[inline(always)]
pub(crate) fn round(x: f32) -> i32 {
    ((x + MAGIC).to_bits() as i32).wrapping_sub(MAGIC.to_bits() as i32)
}

/// Coordinates in 1/256 texels, measured from texel centres, along a side of that many.
#[inline(always)]
fn place(u: &[f32; RUN], side: i32) -> [i32; RUN] {
    let scale = side as f32;
    each(|i| round(u[i] * scale - 128.5))
}

/// One mip level, prepared for a run of pixels: what the texture coordinates are moved and multiplied by.
struct Grid<'a> {
    texels: &'a [u32],
    width: i32,
    height: i32,
    log2_width: u32,
    log2_height: u32,
}

impl<'a> Grid<'a> {
    #[inline(always)]
    fn new(texture: &'a Texture, level: Level) -> Grid<'a> {
        let (w, h) = (u32::from(level.log2_width), u32::from(level.log2_height));
        let texels = &texture.texels[level.offset as usize..][..1 << (w + h)];
        Grid { texels, width: 1 << w, height: 1 << h, log2_width: w, log2_height: h }
    }

    /// One pixel.
    #[inline(always)]
    fn sample(&self, x: i32, y: i32, address: Address) -> Lanes {
        let wrap = |c: i32, side: i32| address.apply(c, side);
        let (x0, y0) = (x >> 8, y >> 8);
        let (x1, y1) = (wrap(x0.wrapping_add(1), self.width), wrap(y0.wrapping_add(1), self.height));
        let (x0, y0) = (wrap(x0, self.width), wrap(y0, self.height));
        let at = |x: i32, y: i32| spread(self.texels[((y << self.log2_width) | x) as usize]);
        let (fx, fy) = ((x & 255) as u64, (y & 255) as u64);
        let both = (fx * fy + 128) >> 8;
        let (right, below) = (fx - both.min(fx), fy - both.min(fy));
        let rest = 256 - right - below - both;
        let sum = at(x0, y0) * rest + at(x1, y0) * right + at(x0, y1) * below + at(x1, y1) * both;
        ((sum + HALVES) >> 8) & LOW_BYTES
    }

    /// Some pixels of a run, one after the other.
    #[inline(always)]
    fn sample_pixels(
        &self,
        u: &[f32; RUN],
        v: &[f32; RUN],
        address: Address,
        mask: u32,
        mut out: impl FnMut(usize, Lanes),
    ) {
        let (x, y) = (place(u, self.width * 256), place(v, self.height * 256));
        pixels(mask).for_each(|i| out(i, self.sample(x[i], y[i], address)));
    }

    /// A whole run: the same sums, with all pixels side by side.
    #[inline(always)]
    fn sample_run(&self, u: &[f32; RUN], v: &[f32; RUN], address: Address, out: &mut Texels) {
        let places = Places::find((self.log2_width, self.log2_height), u, v, address);
        let mut corners = [[0; RUN]; 4];
        if places.have_neighbours {
            self.load_neighbours(&places, &mut corners);
        } else {
            self.load(&places, address, &mut corners);
        }
        mix_corners(&corners, &places, out);
    }

    /// Loads the four texels around each pixel: above left, above right, below left, below right.
    #[inline(always)]
    fn load_neighbours(&self, places: &Places, corners: &mut [[u32; RUN]; 4]) {
        // Slices of one length, so that one check is enough for all.
        let width = self.width as usize;
        let (above, below) = (&self.texels[..self.texels.len() - width], &self.texels[width..]);
        let count = below.len() - 1;
        let (a, b) = (&above[..count], &above[1..][..count]);
        let (c, d) = (&below[..count], &below[1..][..count]);
        for (i, &at) in places.first.iter().enumerate() {
            let at = at as usize;
            (corners[0][i], corners[1][i], corners[2][i], corners[3][i]) = (a[at], b[at], c[at], d[at]);
        }
    }

    /// The same at the edges of the texture.
    #[inline(never)]
    fn load(&self, places: &Places, address: Address, corners: &mut [[u32; RUN]; 4]) {
        match address {
            Address::Wrap => self.find_at_edges(places, Address::Wrap, corners),
            Address::Clamp => self.find_at_edges(places, Address::Clamp, corners),
        }
        for corner in corners.as_flattened_mut() {
            *corner = self.texels[*corner as usize];
        }
    }

    /// Where the four texels around each pixel are.
    #[inline(always)]
    fn find_at_edges(&self, Places { x, y, .. }: &Places, address: Address, corners: &mut [[u32; RUN]; 4]) {
        for i in 0..RUN {
            let (left, above) = (x[i] >> 8, y[i] >> 8);
            let (right, below) = (left.wrapping_add(1), above.wrapping_add(1));
            let [left, right] = [left, right].map(|c| address.apply(c, self.width));
            let [above, below] = [above, below].map(|c| address.apply(c, self.height) << self.log2_width);
            corners[0][i] = (above | left) as u32;
            corners[1][i] = (above | right) as u32;
            corners[2][i] = (below | left) as u32;
            corners[3][i] = (below | right) as u32;
        }
    }
}

/// Where the pixels of a run are in a mip level.
struct Places {
    /// Columns and rows in 1/256 texels, measured from texel centres.
    x: [i32; RUN],
    y: [i32; RUN],
    /// Indices of the texels above and left of them.
    first: [u32; RUN],
    /// Whether the other three texels around each pixel are next to that one in memory.
    have_neighbours: bool,
}

impl Places {
    /// Finds the pixels in a level; `log2` is the logarithm of its sides.
    ///
    /// Apart from what loads the texels, so that all are found as vectors. The sides come in registers: everything waits
    /// for them, and what has just been written to memory in two parts is slow to read as one.
    #[inline(never)]
    fn find(log2: (u32, u32), u: &[f32; RUN], v: &[f32; RUN], address: Address) -> Places {
        let (width, height) = (256 << log2.0, 256 << log2.1);
        let (mut x, mut y) = (place(u, width), place(v, height));
        if address == Address::Wrap {
            x = each(|i| x[i] & (width - 1));
            y = each(|i| y[i] & (height - 1));
        }
        let first = each(|i| ((y[i] >> 8) << log2.0 | x[i] >> 8) as u32);
        let (last_x, last_y) = (width - 257, height - 257);
        let signs = each(|i| x[i] | y[i] | last_x.wrapping_sub(x[i]) | last_y.wrapping_sub(y[i]));
        let have_neighbours = signs.iter().fold(0, |all, one| all | one) >= 0;
        Places { x, y, first, have_neighbours }
    }
}

/// Mixes the four texels around each pixel. Apart from what finds them, so that they come from memory as vectors.
#[inline(never)]
fn mix_corners(corners: &[[u32; RUN]; 4], Places { x, y, .. }: &Places, out: &mut Texels) {
    let [a, b, c, d] = corners;
    let (a, b, c, d) = (Pairs::halves_of(a), Pairs::halves_of(b), Pairs::halves_of(c), Pairs::halves_of(d));
    let (fx, fy) = (Pairs::both(|i| (x[i] & 255) as u32), Pairs::both(|i| (y[i] & 255) as u32));
    let both = (fx * fy + Pairs::all(128)) >> 8;
    let (right, below) = (fx.saturating_sub(both), fy.saturating_sub(both));
    let rest = Pairs::all(256) - right - below - both;
    let red_blue = (a & 0xFF) * rest + (b & 0xFF) * right + (c & 0xFF) * below + (d & 0xFF) * both;
    let green_alpha = (a >> 8) * rest + (b >> 8) * right + (c >> 8) * below + (d >> 8) * both;
    out.red_blue = ((red_blue + Pairs::all(128)) >> 8).halves();
    out.green_alpha = ((green_alpha + Pairs::all(128)) >> 8).halves();
}

/// Mixes two levels.
#[inline(never)]
fn mix_levels(fine: &mut Texels, coarse: &Texels, part: u32) {
    let (rest, t) = (Pairs::all(256 - part as u16), Pairs::all(part as u16));
    let all = |texels: &Texels| (Pairs::halves_of(&texels.red_blue), Pairs::halves_of(&texels.green_alpha));
    let ((red_blue, green_alpha), (coarse_red_blue, coarse_green_alpha)) = (all(fine), all(coarse));
    fine.red_blue = ((red_blue * rest + coarse_red_blue * t + Pairs::all(128)) >> 8).halves();
    fine.green_alpha = ((green_alpha * rest + coarse_green_alpha * t + Pairs::all(128)) >> 8).halves();
}

impl Texture {
    /// The filtered texels at some (u, v), where (0, 0) is the top left and (1, 1) the bottom right corner.
    ///
    /// `rho_sq` is the squared number of texels of the finest level that one pixel spans; `u` and `v` of repeating
    /// textures should be near zero. Only the pixels of `mask` are sampled.
    #[inline(never)]
    pub(crate) fn sample(
        &self,
        u: &[f32; RUN],
        v: &[f32; RUN],
        rho_sq: f32,
        address: Address,
        mask: u32,
        out: &mut Texels,
    ) {
        let last = self.levels.len() - 1;
        if last == 0 {
            let texel = spread(self.texels[0]);
            return (0..RUN).for_each(|i| out.set(i, texel));
        }
        let lod = if rho_sq <= 1.0 { 0.0 } else { (0.5 * log2(rho_sq)).clamp(0.0, last as i32 as f32) };
        let fixed = (lod * 256.0) as i32 as usize;
        let (fine, part) = (fixed >> 8, (fixed & 255) as u32);
        let part = if fine < last { part } else { 0 };
        if is_wide(mask) {
            Grid::new(self, self.levels[fine]).sample_run(u, v, address, out);
            if part > 0 {
                let mut coarse = Texels::default();
                Grid::new(self, self.levels[fine + 1]).sample_run(u, v, address, &mut coarse);
                mix_levels(out, &coarse, part);
            }
        } else {
            Grid::new(self, self.levels[fine])
                .sample_pixels(u, v, address, mask, |i, texel| out.set(i, texel));
            if part > 0 {
                let coarse = Grid::new(self, self.levels[fine + 1]);
                coarse
                    .sample_pixels(u, v, address, mask, |i, texel| out.set(i, mix(out.get(i), texel, part)));
            }
        }
    }
}

/// The bits of a mask, lowest first.
#[inline(always)]
pub(crate) fn pixels(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let i = mask.trailing_zeros() as usize & (RUN - 1);
        mask &= mask - 1;
        Some(i)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::pack;

    fn at(texture: &Texture, u: f32, v: f32, rho_sq: f32, address: Address) -> [u8; 4] {
        let sample = |mask| {
            let mut texels = Texels::default();
            texture.sample(&[u; RUN], &[v; RUN], rho_sq, address, mask, &mut texels);
            texels
        };
        let (one, all) = (sample(1).channels(0), sample(0xFF));
        assert!((0..RUN).all(|i| all.channels(i) == one));
        one.map(|channel| channel as u8)
    }

    #[test]
    fn texel_centres_are_exact_and_the_middle_between_two_is_their_mean() {
        let texture = Texture::from_texels(2, 1, vec![pack(0, 10, 20, 255), pack(200, 10, 20, 255)]);
        assert_eq!(at(&texture, 0.25, 0.5, 0.0, Address::Clamp), [0, 10, 20, 255]);
        assert_eq!(at(&texture, 0.5, 0.5, 0.0, Address::Clamp), [100, 10, 20, 255]);
        assert_eq!(at(&texture, 0.75, 0.5, 0.0, Address::Clamp), [200, 10, 20, 255]);
    }

    #[test]
    fn a_flat_texture_stays_flat_wherever_it_is_sampled() {
        let texture = Texture::from_texels(8, 8, vec![pack(255, 128, 1, 254); 64]);
        for i in 0..200 {
            let (u, v) = (i as f32 * 0.0137, i as f32 * 0.0071);
            assert_eq!(at(&texture, u, v, i as f32, Address::Wrap), [255, 128, 1, 254]);
        }
    }

    #[test]
    fn wrap_mixes_across_the_edge_and_clamp_does_not() {
        let texture = Texture::from_texels(2, 1, vec![pack(0, 0, 0, 255), pack(200, 0, 0, 255)]);
        assert_eq!(at(&texture, 0.0, 0.5, 0.0, Address::Wrap)[0], 100);
        assert_eq!(at(&texture, 0.0, 0.5, 0.0, Address::Clamp)[0], 0);
        assert_eq!(at(&texture, -2.25, 0.5, 0.0, Address::Wrap)[0], 200);
        assert_eq!(at(&texture, -2.25, 0.5, 0.0, Address::Clamp)[0], 0);
    }

    #[test]
    fn a_run_has_the_texels_of_its_pixels() {
        let texture =
            Texture::from_texels(16, 8, (0..128u32).map(|i| i.wrapping_mul(2_654_435_761)).collect());
        for step in 0..400u32 {
            let at = |i: usize, k: u32| (step * k + i as u32 * 7) as f32 * 0.013 - 2.0;
            let (u, v) = (each(|i| at(i, 3)), each(|i| at(i, 5)));
            let rho_sq = step as f32 * 0.3;
            for address in [Address::Wrap, Address::Clamp] {
                let sample = |mask: u32| {
                    let mut texels = Texels::default();
                    texture.sample(&u, &v, rho_sq, address, mask, &mut texels);
                    texels
                };
                let run = sample(0xFF);
                for i in 0..RUN {
                    assert_eq!(run.channels(i), sample(1 << i).channels(i), "{step}, {address:?}, pixel {i}");
                }
            }
        }
    }

    #[test]
    fn the_mip_level_follows_the_footprint() {
        let mut texels = vec![pack(0, 0, 0, 255); 16];
        texels.iter_mut().step_by(2).for_each(|t| *t = pack(200, 0, 0, 255));
        let texture = Texture::from_texels(4, 4, texels);
        assert_eq!(at(&texture, 0.125, 0.125, 1.0, Address::Wrap)[0], 200);
        assert_eq!(at(&texture, 0.125, 0.125, 4.0, Address::Wrap)[0], 100, "two texels a pixel: level 1");
        assert_eq!(at(&texture, 0.125, 0.125, 1e9, Address::Wrap)[0], 100);
        for bad in [f32::NAN, f32::INFINITY, -1e30] {
            assert_eq!(at(&texture, bad, bad, bad, Address::Wrap)[3], 255);
            assert_eq!(at(&texture, bad, bad, bad, Address::Clamp)[3], 255);
        }
    }
}
