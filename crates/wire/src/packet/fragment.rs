//! Fragments: pieces of messages. Spec: wire §4.1.

use std::fmt;

/// Bytes of a fragment's header.
const HEADER: usize = 16;
/// Most bytes of a message in one fragment; only the last fragment of a message has fewer.
pub const MAX_PIECE: usize = 448;

/// Number of a message within a flow: a counter and an ordering stamp; all 64 bits identify the message.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct MessageNumber(pub u64);

impl fmt::Display for MessageNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "0x{:016X}", self.0)
    }
}

impl fmt::Debug for MessageNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// One piece of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// The message.
    pub number: MessageNumber,
    /// Pieces of the message.
    pub count: u16,
    /// Which piece it is, from 0.
    pub index: u16,
    /// 10 objects, 9 game events, 3 client actions, 4 login and chat, 5 data files, 2 control.
    pub queue: u16,
    /// At most [`MAX_PIECE`] bytes.
    pub data: &'a [u8],
}

impl<'a> Fragment<'a> {
    /// Takes a fragment off the front; absent when its size is impossible.
    #[inline]
    fn take(bytes: &mut &'a [u8]) -> Option<Fragment<'a>> {
        let (&head, _) = bytes.split_first_chunk::<HEADER>()?;
        let [n0, n1, n2, n3, n4, n5, n6, n7, c0, c1, s0, s1, i0, i1, q0, q1] = head;
        let size = usize::from(u16::from_le_bytes([s0, s1]));
        if size > HEADER + MAX_PIECE {
            return None;
        }
        let (fragment, rest) = bytes.split_at_checked(size)?;
        let data = fragment.get(HEADER..)?;
        *bytes = rest;
        Some(Fragment {
            number: MessageNumber(u64::from_le_bytes([n0, n1, n2, n3, n4, n5, n6, n7])),
            count: u16::from_le_bytes([c0, c1]),
            index: u16::from_le_bytes([i0, i1]),
            queue: u16::from_le_bytes([q0, q1]),
            data,
        })
    }

    pub(super) fn header(&self) -> [u8; HEADER] {
        let size = (HEADER + self.data.len()) as u16;
        let mut header = [0; HEADER];
        let (number, rest) = header.split_at_mut(8);
        number.copy_from_slice(&self.number.0.to_le_bytes());
        let fields = [self.count, size, self.index, self.queue];
        for (place, field) in rest.chunks_exact_mut(2).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
        header
    }

    /// Appends the bytes of the fragment.
    pub fn encode(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.header());
        bytes.extend_from_slice(self.data);
    }
}

/// Cuts a message into its fragments; one that has more than 65,535 is cut off.
pub fn pieces(number: MessageNumber, queue: u16, message: &[u8]) -> impl Iterator<Item = Fragment<'_>> {
    let count = u16::try_from(message.len().div_ceil(MAX_PIECE).max(1)).unwrap_or(u16::MAX);
    (0..count).map(move |index| {
        let rest = message.get(usize::from(index) * MAX_PIECE..).unwrap_or_default();
        let data = rest.get(..MAX_PIECE).unwrap_or(rest);
        Fragment { number, count, index, queue, data }
    })
}

/// The fragments of a packet; ends at the first one whose size is impossible.
#[derive(Clone, Copy, Debug)]
pub struct Fragments<'a>(&'a [u8]);

impl<'a> Fragments<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Fragments(bytes)
    }

    pub(super) fn rest(&self) -> &'a [u8] {
        self.0
    }
}

impl<'a> Iterator for Fragments<'a> {
    type Item = Fragment<'a>;

    #[inline]
    fn next(&mut self) -> Option<Fragment<'a>> {
        Fragment::take(&mut self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_cut_into_full_pieces_and_a_last_one() {
        let message: Vec<u8> = (0..1000).map(|byte| byte as u8).collect();
        let lengths =
            |message| pieces(MessageNumber(1), 10, message).map(|piece| piece.data.len()).collect::<Vec<_>>();
        assert_eq!(lengths(&message[..]), [448, 448, 104]);
        assert_eq!(lengths(&message[..896]), [448, 448]);
        assert_eq!(lengths(&[]), [0]);
        let whole: Vec<u8> =
            pieces(MessageNumber(1), 10, &message).flat_map(|piece| piece.data.to_vec()).collect();
        assert_eq!(whole, message);
    }

    #[test]
    fn a_fragment_is_written_as_it_is_read() {
        let fragment = Fragment {
            number: MessageNumber(0x0300_0007_0000_0001),
            count: 3,
            index: 2,
            queue: 9,
            data: b"abc",
        };
        let mut bytes = Vec::new();
        fragment.encode(&mut bytes);
        bytes.extend([0; 15]);
        let mut rest = &bytes[..];
        assert_eq!(Fragment::take(&mut rest), Some(fragment));
        assert_eq!(Fragment::take(&mut rest), None, "fewer bytes than a header");
        assert_eq!(rest.len(), 15);
    }
}
