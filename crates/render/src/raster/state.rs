//! How a triangle is combined with the picture.

use crate::texture::Address;

/// Factors of source and destination colour. Spec: render-data §3.1–3.3, §3.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Blend {
    /// The source replaces the picture.
    #[default]
    Opaque,
    /// Source alpha, one minus source alpha.
    Alpha,
    /// Source alpha, one.
    AlphaAdditive,
    /// One minus source alpha, source alpha.
    InvAlpha,
    /// One minus source alpha, one.
    InvAlphaAdditive,
    /// One, one.
    Additive,
    /// One, one minus source alpha: clip maps, whose transparent texels are black.
    Clip,
}

impl Blend {
    /// Factors of source and destination, given alpha, what it leaves, and both ends of the range.
    #[inline(always)]
    pub(super) fn factors<T: Copy>(self, alpha: T, rest: T, one: T, zero: T) -> (T, T) {
        match self {
            Blend::Opaque => (one, zero),
            Blend::Alpha => (alpha, rest),
            Blend::AlphaAdditive => (alpha, one),
            Blend::InvAlpha => (rest, alpha),
            Blend::InvAlphaAdditive => (rest, one),
            Blend::Additive => (one, one),
            Blend::Clip => (one, rest),
        }
    }
}

/// Depth test and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Depth {
    /// Nearer wins, and its depth is kept.
    #[default]
    TestAndWrite,
    /// Nearer wins, depth stays as it was.
    Test,
    /// Drawn over everything, depth stays as it was: the sky.
    Ignore,
}

/// The fixed state of one draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct DrawState {
    /// Blending.
    pub blend: Blend,
    /// Depth test and write.
    pub depth: Depth,
    /// Texels whose alpha is below this are not drawn; 0 turns the test off.
    pub alpha_ref: u8,
    /// Opacity of the vertices; multiplies the texture's alpha.
    pub opacity: u8,
    /// Whether distance fog applies.
    pub fog: bool,
    /// Addressing of the texture.
    pub address: Address,
}

impl DrawState {
    /// Whether pixels that are drawn hide what was there.
    pub(super) fn is_plain(&self) -> bool {
        self.blend == Blend::Opaque && self.alpha_ref == 0
    }
}

/// Multiplies two fractions of 255, rounded.
#[inline(always)]
pub(crate) fn mul255(a: u32, b: u32) -> u32 {
    ((a * b + 128) * 257) >> 16
}

/// Mixes a source colour into a destination; both as (r, g, b), alpha as a fraction of 255.
#[inline(always)]
pub(crate) fn blend(mode: Blend, source: [u32; 3], alpha: u32, destination: u32) -> u32 {
    let below = destination.to_le_bytes();
    let rest = 255 - alpha;
    let (from, to) = mode.factors(alpha, rest, 255, 0);
    let channel =
        |i: usize| (mul255(source[i], from) + mul255(u32::from(below[i]), to)).min(255) << (8 * i as u32);
    channel(0) | channel(1) | channel(2) | 0xFF00_0000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_of_each_mode() {
        let destination = u32::from_le_bytes([100, 100, 100, 255]);
        let mixed = |mode| blend(mode, [200, 0, 50], 51, destination).to_le_bytes();
        assert_eq!(mixed(Blend::Opaque), [200, 0, 50, 255]);
        assert_eq!(mixed(Blend::Alpha), [120, 80, 90, 255]);
        assert_eq!(mixed(Blend::AlphaAdditive), [140, 100, 110, 255]);
        assert_eq!(mixed(Blend::InvAlpha), [180, 20, 60, 255]);
        assert_eq!(mixed(Blend::InvAlphaAdditive), [255, 100, 140, 255]);
        assert_eq!(mixed(Blend::Additive), [255, 100, 150, 255]);
        assert_eq!(mixed(Blend::Clip), [255, 80, 130, 255]);
    }

    #[test]
    fn full_and_zero_fractions_are_exact() {
        for a in 0..=255 {
            assert_eq!(mul255(a, 255), a);
            assert_eq!(mul255(a, 0), 0);
        }
    }
}
