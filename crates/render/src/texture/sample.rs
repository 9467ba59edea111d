//! Trilinear sampling in integers, so that every machine computes the same texel.

use super::{Level, Texture};

/// What happens beyond the edge of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Address {
    /// The texture repeats.
    #[default]
    Wrap,
    /// The edge texels go on.
    Clamp,
}

/// Four channels in lanes of 16 bits.
pub(crate) type Lanes = u64;

const LOW_BYTES: u64 = 0x00FF_00FF_00FF_00FF;
const HALVES: u64 = 0x0080_0080_0080_0080;

#[inline(always)]
fn spread(texel: u32) -> Lanes {
    let x = u64::from(texel);
    let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    (x | x << 8) & LOW_BYTES
}

/// Mixes lane by lane; `t` runs from 0 (all `a`) to 256 (all `b`).
#[inline(always)]
pub(crate) fn mix(a: Lanes, b: Lanes, t: u32) -> Lanes {
    let t = u64::from(t);
    ((a * (256 - t) + b * t + HALVES) >> 8) & LOW_BYTES
}

#[inline(always)]
fn floor(x: f32) -> i32 {
    let truncated = x as i32;
    truncated - i32::from(truncated as f32 > x)
}

/// Logarithm to base 2, good to 0.01: enough to choose a mip level, and the same everywhere.
#[inline(always)]
fn log2(x: f32) -> f32 {
    let bits = x.to_bits();
    let exponent = (bits >> 23) as i32 - 127;
    let m = f32::from_bits(bits & 0x007F_FFFF | 0x3F80_0000);
    exponent as f32 + (2.0 - m / 3.0) * m - 5.0 / 3.0
}

impl Texture {
    /// The filtered texel at (u, v), where (0, 0) is the top left and (1, 1) the bottom right corner. `rho_sq` is
    /// the squared number of texels of the finest level that one pixel spans.
    #[inline(always)]
    pub(crate) fn sample(&self, u: f32, v: f32, rho_sq: f32, address: Address) -> Lanes {
        let last = self.levels.len() - 1;
        if rho_sq <= 1.0 || last == 0 {
            return self.bilinear(self.levels[0], u, v, address);
        }
        let lod = (0.5 * log2(rho_sq)).clamp(0.0, last as f32);
        let fixed = (lod * 256.0) as usize;
        let (fine, part) = (fixed >> 8, (fixed & 255) as u32);
        let a = self.bilinear(self.levels[fine], u, v, address);
        if part == 0 || fine == last {
            return a;
        }
        mix(a, self.bilinear(self.levels[fine + 1], u, v, address), part)
    }

    #[inline(always)]
    fn bilinear(&self, level: Level, u: f32, v: f32, address: Address) -> Lanes {
        let (log2_w, log2_h) = (u32::from(level.log2_width), u32::from(level.log2_height));
        if log2_w + log2_h == 0 {
            return spread(self.texels[level.offset as usize]);
        }
        let (w, h) = (1i32 << log2_w, 1i32 << log2_h);
        let x = floor(u * (w * 256) as f32).wrapping_sub(128);
        let y = floor(v * (h * 256) as f32).wrapping_sub(128);
        let (x0, y0) = (x >> 8, y >> 8);
        let wrap = |c: i32, side: i32| match address {
            Address::Wrap => (c & (side - 1)) as usize,
            Address::Clamp => c.clamp(0, side - 1) as usize,
        };
        let (x1, y1) = (wrap(x0 + 1, w), wrap(y0 + 1, h) << log2_w);
        let (x0, y0) = (wrap(x0, w), wrap(y0, h) << log2_w);
        let rows = &self.texels[level.offset as usize..][..1 << (log2_w + log2_h)];
        let fx = (x & 255) as u32;
        let top = mix(spread(rows[y0 + x0]), spread(rows[y0 + x1]), fx);
        let bottom = mix(spread(rows[y1 + x0]), spread(rows[y1 + x1]), fx);
        mix(top, bottom, (y & 255) as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::pack;

    fn at(texture: &Texture, u: f32, v: f32, rho_sq: f32, address: Address) -> [u8; 4] {
        let lanes = texture.sample(u, v, rho_sq, address);
        std::array::from_fn(|i| (lanes >> (16 * i)) as u8)
    }

    #[test]
    fn texel_centres_are_exact_and_the_middle_between_two_is_their_mean() {
        let texture = Texture::from_texels(2, 1, vec![pack(0, 10, 20, 255), pack(200, 10, 20, 255)]);
        assert_eq!(at(&texture, 0.25, 0.5, 0.0, Address::Clamp), [0, 10, 20, 255]);
        assert_eq!(at(&texture, 0.5, 0.5, 0.0, Address::Clamp), [100, 10, 20, 255]);
        assert_eq!(at(&texture, 0.75, 0.5, 0.0, Address::Clamp), [200, 10, 20, 255]);
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
    fn the_mip_level_follows_the_footprint() {
        let mut texels = vec![pack(0, 0, 0, 255); 16];
        texels.iter_mut().step_by(2).for_each(|t| *t = pack(200, 0, 0, 255));
        let texture = Texture::from_texels(4, 4, texels);
        assert_eq!(at(&texture, 0.125, 0.125, 1.0, Address::Wrap)[0], 200);
        assert_eq!(at(&texture, 0.125, 0.125, 4.0, Address::Wrap)[0], 100, "two texels a pixel: level 1");
        assert_eq!(at(&texture, 0.125, 0.125, 1e9, Address::Wrap)[0], 100);
        assert_eq!(at(&texture, f32::NAN, f32::INFINITY, f32::NAN, Address::Wrap)[3], 255);
    }
}
