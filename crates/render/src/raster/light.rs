//! From texels to pixels: light, fog, and what is there already.

use super::state::{Blend, DrawState, blend, mul255};
use crate::texture::{Plane, RUN, Texels, each, is_wide, pixels};

/// Light and fog of a run of pixels, as fractions of 255.
pub(super) struct Light {
    /// Red, green and blue.
    pub(super) color: [[u16; RUN]; 3],
    /// What the fog leaves.
    pub(super) clear: [u16; RUN],
    pub(super) fog_color: u32,
}

impl Light {
    /// Mixes the pixels of `mask` with what is there, and returns which of them pass the test of their alpha.
    ///
    /// `PLAIN`: nothing shows through, and all pass. `FOG`: there is some.
    #[inline(never)]
    pub(super) fn paint<const PLAIN: bool, const FOG: bool>(
        &self,
        texels: &Texels,
        state: DrawState,
        mask: u32,
        color: &mut [u32; RUN],
    ) -> u32 {
        if is_wide(mask) {
            self.paint_run::<PLAIN, FOG>(texels, state, mask, color)
        } else {
            self.paint_pixels::<PLAIN, FOG>(texels, state, mask, color)
        }
    }

    /// One pixel after the other.
    #[inline(always)]
    fn paint_pixels<const PLAIN: bool, const FOG: bool>(
        &self,
        texels: &Texels,
        state: DrawState,
        mut mask: u32,
        color: &mut [u32; RUN],
    ) -> u32 {
        let fog = self.fog_color.to_le_bytes().map(u32::from);
        for i in pixels(mask) {
            let texel = texels.channels(i);
            let alpha = if PLAIN { 255 } else { mul255(texel[3], u32::from(state.opacity)) };
            if !PLAIN && alpha < u32::from(state.alpha_ref) {
                mask &= !(1 << i);
                continue;
            }
            let mut rgb: [u32; 3] = std::array::from_fn(|c| mul255(texel[c], u32::from(self.color[c][i])));
            if FOG {
                let clear = u32::from(self.clear[i]);
                let mut haze = 255 - clear;
                // What a clip map leaves open has no colour to be mixed with, and so takes no fog either.
                if !PLAIN && state.blend == Blend::Clip {
                    haze = mul255(haze, alpha);
                }
                rgb = std::array::from_fn(|c| mul255(rgb[c], clear) + mul255(fog[c], haze));
            }
            color[i] = if PLAIN {
                rgb[0] | rgb[1] << 8 | rgb[2] << 16 | 0xFF00_0000
            } else {
                blend(state.blend, rgb, alpha, color[i])
            };
        }
        mask
    }

    /// The same sums, with all pixels side by side.
    #[inline(always)]
    fn paint_run<const PLAIN: bool, const FOG: bool>(
        &self,
        texels: &Texels,
        state: DrawState,
        mut mask: u32,
        color: &mut [u32; RUN],
    ) -> u32 {
        let Texels { red_blue, green_alpha } = texels;
        let mut red = Plane::of(|i| red_blue[i] as u8 as u16).mul255(Plane::of(|i| self.color[0][i]));
        let mut green = Plane::of(|i| green_alpha[i] as u8 as u16).mul255(Plane::of(|i| self.color[1][i]));
        let mut blue = Plane::of(|i| (red_blue[i] >> 16) as u16).mul255(Plane::of(|i| self.color[2][i]));
        let all = Plane::all(255);
        let opacity = Plane::all(u16::from(state.opacity));
        let alpha = Plane::of(|i| (green_alpha[i] >> 16) as u16).mul255(opacity);
        if !PLAIN {
            for (i, &alpha) in alpha.values().iter().enumerate() {
                mask &= !(u32::from(alpha < u16::from(state.alpha_ref)) << i);
            }
        }
        if FOG {
            let clear = Plane::of(|i| self.clear[i]);
            let mut haze = all - clear;
            if !PLAIN && state.blend == Blend::Clip {
                haze = haze.mul255(alpha);
            }
            let [fog_red, fog_green, fog_blue, _] = self.fog_color.to_le_bytes();
            red = red.mul255(clear) + Plane::all(fog_red.into()).mul255(haze);
            green = green.mul255(clear) + Plane::all(fog_green.into()).mul255(haze);
            blue = blue.mul255(clear) + Plane::all(fog_blue.into()).mul255(haze);
        }
        if !PLAIN {
            let rest = all - alpha;
            let (from, to) = state.blend.factors(alpha, rest, all, Plane::all(0));
            let below = |shift: u32| Plane::of(|i| (color[i] >> shift) as u8 as u16);
            let (below_red, below_green, below_blue) = (below(0), below(8), below(16));
            red = (red.mul255(from) + below_red.mul255(to)).min(255);
            green = (green.mul255(from) + below_green.mul255(to)).min(255);
            blue = (blue.mul255(from) + below_blue.mul255(to)).min(255);
        }
        let (red, green, blue) = (red.values(), green.values(), blue.values());
        let mut mixed = [0; RUN];
        interleave(&each(|i| red[i] | green[i] << 8), &each(|i| blue[i] | 0xFF00), &mut mixed);
        if mask == 0xFF {
            *color = mixed;
        } else {
            pixels(mask).for_each(|i| color[i] = mixed[i]);
        }
        mask
    }
}

/// Puts the low and high halves of pixels together. A separate function, because compilers would otherwise compute the
/// halves in vectors of half the length.
#[inline(never)]
fn interleave(low: &[u16; RUN], high: &[u16; RUN], out: &mut [u32; RUN]) {
    let out: &mut [[u16; 2]; RUN] = bytemuck::cast_mut(out);
    for i in 0..RUN {
        out[i] = if cfg!(target_endian = "little") { [low[i], high[i]] } else { [high[i], low[i]] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::Blend;

    #[test]
    fn a_run_has_the_colours_of_its_pixels() {
        let mut seed = 7u32;
        let mut next = || {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        };
        let blends = [
            Blend::Opaque,
            Blend::Alpha,
            Blend::AlphaAdditive,
            Blend::InvAlpha,
            Blend::InvAlphaAdditive,
            Blend::Additive,
            Blend::Clip,
        ];
        for round in 0..3000 {
            let mut byte = |_: usize| next() & 0xFF;
            let mut run = || -> [u32; RUN] { std::array::from_fn(&mut byte) };
            let light = Light {
                color: [run(), run(), run()].map(|run| run.map(|value| value as u16)),
                clear: run().map(|value| value as u16),
                fog_color: 0xFF40_C8FF,
            };
            let (red, green, blue, alpha, below) = (run(), run(), run(), run(), run());
            let texels = Texels {
                red_blue: each(|i| red[i] | blue[i] << 16),
                green_alpha: each(|i| green[i] | alpha[i] << 16),
            };
            let state = DrawState {
                blend: blends[round % blends.len()],
                alpha_ref: [0, 100, 200][round % 3],
                opacity: [255, 255, 90][round % 3],
                ..DrawState::default()
            };
            let before = each(|i| 0xFF00_0000 | (below[i] * 66_051));
            let mask = 1 + round as u32 % 255;
            let (mut one, mut all) = (before, before);
            let drawn = light.paint_pixels::<false, true>(&texels, state, mask, &mut one);
            assert_eq!(light.paint_run::<false, true>(&texels, state, mask, &mut all), drawn, "{state:?}");
            assert_eq!(one, all, "{state:?}");
            let (mut one, mut all) = (before, before);
            light.paint_pixels::<false, false>(&texels, state, mask, &mut one);
            light.paint_run::<false, false>(&texels, state, mask, &mut all);
            assert_eq!(one, all, "{state:?}, without fog");
            let (mut one, mut all) = (before, before);
            light.paint_pixels::<true, true>(&texels, state, mask, &mut one);
            light.paint_run::<true, true>(&texels, state, mask, &mut all);
            assert_eq!(one, all);
        }
    }
}
