//! From fragments to messages, one flow at a time. Spec: wire §4.2.

use crate::{
    Time,
    packet::{Fragment, MAX_PIECE, MessageNumber},
};
use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
};

/// Most open messages of a flow.
const MAX_OPEN: usize = 4096;
/// What an open message costs beside its bytes, about.
const OPEN_COST: usize = 256;

/// Number and time of a captured record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Arrival {
    /// All records of a capture count, from 0.
    pub packet: u64,
    /// When it was captured.
    pub time: Time,
}

/// Why a fragment was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FragmentReason {
    /// Its index is not below its count.
    Index,
    /// It is not the last one and has not the full length.
    Length,
    /// The message is open with another count or queue.
    Mismatch,
}

impl FragmentReason {
    /// The word that events use.
    pub fn name(self) -> &'static str {
        match self {
            FragmentReason::Index => "index",
            FragmentReason::Length => "length",
            FragmentReason::Mismatch => "mismatch",
        }
    }
}

/// A fragment that was ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("fragment of message {number}: {}", reason.name())]
pub struct FragmentFault {
    /// What is wrong.
    pub reason: FragmentReason,
    /// Its message.
    pub number: MessageNumber,
}

/// A message that was given up before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abandoned {
    /// True when there were too many, false when no more can come.
    pub evicted: bool,
    /// The message.
    pub number: MessageNumber,
    /// Fragments that have arrived.
    pub have: u16,
    /// Fragments that were to arrive.
    pub count: u16,
    /// The packet that began it.
    pub began: Arrival,
}

/// The result of adding a fragment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Added<'a> {
    /// The whole message.
    Whole(Cow<'a, [u8]>),
    /// More is to come, or the piece was there already.
    Part,
    /// The fragment was ignored.
    Refused(FragmentFault),
}

/// The open messages of one flow: fragments in any order, with duplicates. Memory grows with the bytes that have arrived,
/// never with the announced sizes.
#[derive(Clone, Debug, Default)]
pub struct Reassembly {
    open: HashMap<MessageNumber, Open>,
    /// In the order of opening, with entries of messages that are closed.
    order: VecDeque<(u64, MessageNumber)>,
    opened: u64,
    held: usize,
}

/// A message of which not everything has arrived.
#[derive(Clone, Debug)]
struct Open {
    serial: u64,
    began: Arrival,
    count: u16,
    queue: u16,
    /// Pieces at the front without a gap, and their bytes.
    front: u16,
    bytes: Vec<u8>,
    /// Pieces behind a gap.
    ahead: BTreeMap<u16, Box<[u8]>>,
}

impl Open {
    /// Adds a piece; false when it was there.
    fn add(&mut self, fragment: &Fragment<'_>) -> bool {
        if fragment.index < self.front || self.ahead.contains_key(&fragment.index) {
            return false;
        }
        if fragment.index > self.front {
            self.ahead.insert(fragment.index, fragment.data.into());
            return true;
        }
        self.bytes.extend_from_slice(fragment.data);
        self.front += 1;
        while let Some(piece) = self.ahead.remove(&self.front) {
            self.bytes.extend_from_slice(&piece);
            self.front += 1;
        }
        true
    }

    fn abandoned(&self, number: MessageNumber, evicted: bool) -> Abandoned {
        let have = self.front + self.ahead.len() as u16;
        Abandoned { evicted, number, have, count: self.count, began: self.began }
    }
}

impl Reassembly {
    /// Takes a fragment. A message that had to be given up for it comes first.
    pub fn add<'a>(&mut self, arrival: Arrival, fragment: &Fragment<'a>) -> (Option<Abandoned>, Added<'a>) {
        let refused = |reason| Added::Refused(FragmentFault { reason, number: fragment.number });
        if fragment.index >= fragment.count {
            return (None, refused(FragmentReason::Index));
        }
        if fragment.index + 1 < fragment.count && fragment.data.len() != MAX_PIECE {
            return (None, refused(FragmentReason::Length));
        }
        let mut evicted = None;
        if self.open.is_empty() || !self.open.contains_key(&fragment.number) {
            if fragment.count == 1 {
                return (None, Added::Whole(Cow::Borrowed(fragment.data)));
            }
            if self.open.len() >= MAX_OPEN {
                evicted = self.evict();
            }
            self.begin(arrival, fragment);
        }
        let Some(open) = self.open.get_mut(&fragment.number) else { return (evicted, Added::Part) };
        if (open.count, open.queue) != (fragment.count, fragment.queue) {
            return (evicted, refused(FragmentReason::Mismatch));
        }
        if open.add(fragment) {
            self.held += fragment.data.len();
        }
        if open.front < open.count {
            return (evicted, Added::Part);
        }
        let bytes = self.close(fragment.number).map(|open| open.bytes).unwrap_or_default();
        (evicted, Added::Whole(Cow::Owned(bytes)))
    }

    fn begin(&mut self, arrival: Arrival, fragment: &Fragment<'_>) {
        self.opened += 1;
        let open = Open {
            serial: self.opened,
            began: arrival,
            count: fragment.count,
            queue: fragment.queue,
            front: 0,
            bytes: Vec::new(),
            ahead: BTreeMap::new(),
        };
        self.open.insert(fragment.number, open);
        self.held += OPEN_COST;
        if self.order.len() > 2 * self.open.len() + 64 {
            self.order
                .retain(|(serial, number)| self.open.get(number).is_some_and(|open| open.serial == *serial));
        }
        self.order.push_back((self.opened, fragment.number));
    }

    fn close(&mut self, number: MessageNumber) -> Option<Open> {
        let open = self.open.remove(&number)?;
        let ahead: usize = open.ahead.values().map(|piece| piece.len()).sum();
        self.held = self.held.saturating_sub(OPEN_COST + open.bytes.len() + ahead);
        Some(open)
    }

    /// The message that was opened first.
    fn first(&mut self) -> Option<MessageNumber> {
        while let Some(&(serial, number)) = self.order.front() {
            if self.open.get(&number).is_some_and(|open| open.serial == serial) {
                return Some(number);
            }
            self.order.pop_front();
        }
        None
    }

    /// When the message that was opened first began.
    pub(crate) fn oldest(&mut self) -> Option<Arrival> {
        let first = self.first()?;
        self.open.get(&first).map(|open| open.began)
    }

    /// Gives up the message that was opened first, to make room.
    pub fn evict(&mut self) -> Option<Abandoned> {
        let number = self.first()?;
        Some(self.close(number)?.abandoned(number, true))
    }

    /// Abandons all open messages, in order of opening, because no more fragments can arrive.
    pub fn abandon(&mut self) -> Vec<Abandoned> {
        let mut abandoned = Vec::with_capacity(self.open.len());
        while let Some(number) = self.first() {
            abandoned.extend(self.close(number).map(|open| open.abandoned(number, false)));
        }
        abandoned
    }

    /// Bytes that are held, about.
    pub fn held(&self) -> usize {
        self.held
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::pieces;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn pieces_in_any_order_and_any_number_give_the_message(
            message in prop::collection::vec(any::<u8>(), 449..5000),
            order in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
        ) {
            let all: Vec<_> = pieces(MessageNumber(7), 10, &message).collect();
            let mut flow = Reassembly::default();
            let shuffled = order.iter().map(|index| index.get(&all)).chain(&all);
            let mut whole = Vec::new();
            for piece in shuffled {
                if let (None, Added::Whole(bytes)) = flow.add(Arrival::default(), piece) {
                    whole.push(bytes.into_owned());
                }
            }
            prop_assert!(!whole.is_empty());
            prop_assert!(whole.iter().all(|bytes| *bytes == message));
            flow.abandon();
            prop_assert_eq!(flow.held(), 0);
        }
    }

    fn first_piece(number: u64) -> Fragment<'static> {
        Fragment { number: MessageNumber(number), count: 65_535, index: 0, queue: 10, data: &[0; MAX_PIECE] }
    }

    #[test]
    fn the_message_that_was_opened_first_makes_room() {
        let mut flow = Reassembly::default();
        for number in 0..MAX_OPEN as u64 {
            assert_eq!(
                flow.add(Arrival { packet: number, ..Arrival::default() }, &first_piece(number)),
                (None, Added::Part)
            );
        }
        // A whole message needs no room.
        let whole = Fragment { count: 1, ..first_piece(u64::MAX) };
        assert!(matches!(flow.add(Arrival::default(), &whole), (None, Added::Whole(_))));
        let (evicted, _) = flow.add(Arrival::default(), &first_piece(u64::MAX));
        let evicted = evicted.unwrap();
        assert_eq!((evicted.number.0, evicted.have, evicted.began.packet), (0, 1, 0));
        assert_eq!(flow.abandon().len(), MAX_OPEN);
    }

    #[test]
    fn closing_and_opening_for_ever_holds_nothing() {
        let mut flow = Reassembly::default();
        let message = vec![1; 900];
        for number in 0..10_000 {
            for piece in pieces(MessageNumber(number % 3), 10, &message) {
                flow.add(Arrival::default(), &piece);
            }
        }
        assert_eq!(flow.held(), 0);
        assert!(flow.order.len() < 200, "{}", flow.order.len());
    }
}
