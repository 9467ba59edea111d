//! Runs of pixels in lanes of 16 bits, written so that compilers use the processor's vectors for them.

use super::sample::{RUN, each};
use std::ops::{Add, BitAnd, Mul, Shr, Sub};

/// Whether whole runs are computed as vectors. Both ways give the same bits. WebAssembly computes pixels one by one even
/// with `simd128`: vectors are no faster there, and rustc 1.96 compiles them to other bits.
const HAS_VECTORS: bool = cfg!(target_feature = "sse2");

/// Fewest wanted pixels for which the whole run is computed; fewer are cheaper one by one.
const FEW: u32 = 4;

/// Whether to compute all pixels of a run when those of `mask` are wanted.
#[inline(always)]
pub(crate) fn is_wide(mask: u32) -> bool {
    HAS_VECTORS && mask.count_ones() >= FEW
}

/// Two numbers of 16 bits for each pixel of a run. Sums and products must fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pairs([u16; 2 * RUN]);

impl Pairs {
    /// The same number everywhere.
    #[inline(always)]
    pub(crate) fn all(value: u16) -> Pairs {
        Pairs([value; 2 * RUN])
    }

    /// The low and the high half of a number for each pixel.
    #[inline(always)]
    pub(crate) fn of(halves: &[u32; RUN]) -> Pairs {
        // The order of the halves is that of `halves`, whatever the processor's is.
        Pairs(bytemuck::cast(*halves))
    }

    /// A number below 2¹⁶ for each pixel, in both lanes.
    #[inline(always)]
    pub(crate) fn both(f: impl Fn(usize) -> u32) -> Pairs {
        Pairs::of(&each(|i| f(i) | f(i) << 16))
    }

    /// Both lanes of each pixel as the halves of a number.
    #[inline(always)]
    pub(crate) fn halves(self) -> [u32; RUN] {
        bytemuck::cast(self.0)
    }

    /// The difference, or 0 where it would be negative.
    #[inline(always)]
    pub(crate) fn saturating_sub(self, other: Pairs) -> Pairs {
        self.zip(other, u16::saturating_sub)
    }

    /// The smaller of each number and a limit.
    #[inline(always)]
    pub(crate) fn min(self, limit: u16) -> Pairs {
        // Older processors have no minimum of such lanes.
        Pairs::all(limit) - Pairs::all(limit).saturating_sub(self)
    }

    /// Products of fractions of 255, rounded.
    #[inline(always)]
    pub(crate) fn mul255(self, other: Pairs) -> Pairs {
        let t = self * other + Pairs::all(128);
        (t + (t >> 8)) >> 8
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
