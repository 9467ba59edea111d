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
    // Not all processors can count bits; taking some away is quick everywhere.
    HAS_VECTORS && (1..FEW).fold(mask, |rest, _| rest & rest.wrapping_sub(1)) != 0
}

/// Numbers of 16 bits side by side. Sums and products must fit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shorts<const N: usize>([u16; N]);

/// One number for each pixel of a run.
pub(crate) type Plane = Shorts<RUN>;

/// Two numbers for each pixel of a run.
pub(crate) type Pairs = Shorts<{ 2 * RUN }>;

impl Plane {
    /// A number for each pixel.
    #[inline(always)]
    pub(crate) fn of(f: impl Fn(usize) -> u16) -> Plane {
        Shorts(each(f))
    }

    /// The numbers.
    #[inline(always)]
    pub(crate) fn values(self) -> [u16; RUN] {
        self.0
    }

    /// The smaller of each number and a limit.
    #[inline(always)]
    pub(crate) fn min(self, limit: u16) -> Plane {
        // Older processors have no minimum of such lanes.
        Shorts::all(limit) - Shorts::all(limit).saturating_sub(self)
    }

    /// Products of fractions of 255, rounded.
    #[inline(always)]
    pub(crate) fn mul255(self, other: Plane) -> Plane {
        let t = self * other + Shorts::all(128);
        (t + (t >> 8)) >> 8
    }
}

impl Pairs {
    /// The low and the high half of a number for each pixel.
    #[inline(always)]
    pub(crate) fn halves_of(halves: &[u32; RUN]) -> Pairs {
        // The order of the halves is that of `halves`, whatever the processor's is.
        Shorts(bytemuck::cast(*halves))
    }

    /// A number below 2¹⁶ for each pixel, in both lanes.
    #[inline(always)]
    pub(crate) fn both(f: impl Fn(usize) -> u32) -> Pairs {
        Pairs::halves_of(&each(|i| f(i) | f(i) << 16))
    }

    /// Both lanes of each pixel as the halves of a number.
    #[inline(always)]
    pub(crate) fn halves(self) -> [u32; RUN] {
        bytemuck::cast(self.0)
    }
}

impl<const N: usize> Shorts<N> {
    /// The same number everywhere.
    #[inline(always)]
    pub(crate) fn all(value: u16) -> Shorts<N> {
        Shorts([value; N])
    }

    /// The difference, or 0 where it would be negative.
    #[inline(always)]
    pub(crate) fn saturating_sub(self, other: Shorts<N>) -> Shorts<N> {
        self.zip(other, u16::saturating_sub)
    }

    #[inline(always)]
    fn each(mut self, f: impl Fn(usize, u16) -> u16) -> Shorts<N> {
        for (i, value) in self.0.iter_mut().enumerate() {
            *value = f(i, *value);
        }
        self
    }

    #[inline(always)]
    fn zip(self, other: Shorts<N>, f: impl Fn(u16, u16) -> u16) -> Shorts<N> {
        self.each(|i, value| f(value, other.0[i]))
    }
}

impl<const N: usize> Add for Shorts<N> {
    type Output = Shorts<N>;
    #[inline(always)]
    fn add(self, other: Shorts<N>) -> Shorts<N> {
        self.zip(other, u16::wrapping_add)
    }
}

impl<const N: usize> Sub for Shorts<N> {
    type Output = Shorts<N>;
    #[inline(always)]
    fn sub(self, other: Shorts<N>) -> Shorts<N> {
        self.zip(other, u16::wrapping_sub)
    }
}

impl<const N: usize> Mul for Shorts<N> {
    type Output = Shorts<N>;
    #[inline(always)]
    fn mul(self, other: Shorts<N>) -> Shorts<N> {
        self.zip(other, u16::wrapping_mul)
    }
}

impl<const N: usize> Shr<u32> for Shorts<N> {
    type Output = Shorts<N>;
    #[inline(always)]
    fn shr(self, bits: u32) -> Shorts<N> {
        self.each(|_, value| value >> bits)
    }
}

impl<const N: usize> BitAnd<u16> for Shorts<N> {
    type Output = Shorts<N>;
    #[inline(always)]
    fn bitand(self, mask: u16) -> Shorts<N> {
        self.each(|_, value| value & mask)
    }
}
