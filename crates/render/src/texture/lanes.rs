//! Runs of pixels in lanes of 16 bits, two for each pixel, written so that compilers use the processor's own vectors.

use super::sample::{RUN, each};
use std::ops::{Add, BitAnd, Mul, Shr, Sub};

/// Whether the processor has vectors for such runs; the results are the same without them.
pub(crate) const FAST: bool =
    cfg!(any(target_feature = "sse2", target_feature = "neon", target_feature = "simd128"));

/// Two numbers of 16 bits for each pixel of a run. Sums and products must fit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pairs([u16; 2 * RUN]);

impl Pairs {
    /// The same number everywhere.
    #[inline(always)]
    pub(crate) fn all(value: u16) -> Pairs {
        Pairs([value; 2 * RUN])
    }

    /// The low and the high half of each number.
    #[inline(always)]
    pub(crate) fn halves(values: [u32; RUN]) -> Pairs {
        // The order of the halves in memory does not matter, as `into_halves` has the same.
        Pairs(bytemuck::cast(values))
    }

    /// Numbers of 16 bits, each for both lanes of its pixel.
    #[inline(always)]
    pub(crate) fn both(values: [u32; RUN]) -> Pairs {
        Pairs::halves(each(|i| values[i] | values[i] << 16))
    }

    /// The numbers that [`Pairs::halves`] takes.
    #[inline(always)]
    pub(crate) fn into_halves(self) -> [u32; RUN] {
        bytemuck::cast(self.0)
    }

    #[inline(always)]
    fn each(mut self, f: impl Fn(usize, u16) -> u16) -> Pairs {
        for (i, value) in self.0.iter_mut().enumerate() {
            *value = f(i, *value);
        }
        self
    }

    #[inline(always)]
    fn zip(self, other: Pairs, f: impl Fn(u16, u16) -> u16) -> Pairs {
        self.each(|i, value| f(value, other.0[i]))
    }

    /// The difference, or 0 where it would be negative.
    #[inline(always)]
    pub(crate) fn saturating_sub(self, other: Pairs) -> Pairs {
        self.zip(other, u16::saturating_sub)
    }

    /// Products of fractions of 255, rounded.
    #[inline(always)]
    pub(crate) fn mul255(self, other: Pairs) -> Pairs {
        let t = self * other + Pairs::all(128);
        (t + (t >> 8)) >> 8
    }
}

impl Add for Pairs {
    type Output = Pairs;
    #[inline(always)]
    fn add(self, other: Pairs) -> Pairs {
        self.zip(other, u16::wrapping_add)
    }
}

impl Sub for Pairs {
    type Output = Pairs;
    #[inline(always)]
    fn sub(self, other: Pairs) -> Pairs {
        self.zip(other, u16::wrapping_sub)
    }
}

impl Mul for Pairs {
    type Output = Pairs;
    #[inline(always)]
    fn mul(self, other: Pairs) -> Pairs {
        self.zip(other, u16::wrapping_mul)
    }
}

impl Shr<u32> for Pairs {
    type Output = Pairs;
    #[inline(always)]
    fn shr(self, bits: u32) -> Pairs {
        self.each(|_, value| value >> bits)
    }
}

impl BitAnd<u16> for Pairs {
    type Output = Pairs;
    #[inline(always)]
    fn bitand(self, mask: u16) -> Pairs {
        self.each(|_, value| value & mask)
    }
}
