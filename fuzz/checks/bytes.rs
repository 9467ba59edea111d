//! Numbers out of the bytes of a fuzzer; zeros when there are none left.

pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Bytes<'_> {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn byte(&mut self) -> u8 {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        usize::from(self.byte()) % count.max(1)
    }

    pub(crate) fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.byte(), self.byte()])
    }

    /// Mostly a handy number; now and then any bits at all.
    pub(crate) fn number(&mut self, size: f32) -> f32 {
        match self.byte() {
            0xFF => f32::from_bits(u32::from(self.word()) << 16 | u32::from(self.word())),
            _ => f32::from(self.word() as i16) / f32::from(i16::MAX) * size,
        }
    }

    pub(crate) fn finite(&mut self, size: f32) -> f32 {
        let number = self.number(size);
        if number.is_finite() { number } else { size }
    }

    pub(crate) fn vector(&mut self, size: f32) -> glam::Vec3 {
        glam::Vec3::new(self.finite(size), self.finite(size), self.finite(size))
    }
}
