//! Long lists that states share piece by piece.

use super::object::ObjectState;
use crate::scene::EntityKey;
#[cfg(feature = "serde")]
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeSeq};
use std::sync::Arc;
use threshold_world::CellId;

/// Says which piece of a list something belongs to. Lists are in ascending order of it.
pub(super) trait InPiece {
    fn piece(&self) -> u32;
}

/// Objects that came with one block have mostly neighbouring keys.
impl InPiece for ObjectState {
    fn piece(&self) -> u32 {
        self.key.number() / 64
    }
}

impl InPiece for (CellId, Vec<EntityKey>) {
    fn piece(&self) -> u32 {
        u32::from(self.0.block().0)
    }
}

/// A list in pieces. What is added or removed makes new pieces; the others are the same allocations as before. As bytes it is a
/// plain list.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shared<T>(Vec<Arc<[T]>>);

impl<T> Default for Shared<T> {
    fn default() -> Shared<T> {
        Shared(Vec::new())
    }
}

impl<T> Shared<T> {
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flat_map(|piece| piece.iter())
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|piece| piece.len()).sum()
    }

    /// Whether one of them has a key, by which the list is sorted.
    pub(super) fn has<K: Ord>(&self, key: &K, key_of: impl Fn(&T) -> K) -> bool {
        let after = self.0.partition_point(|piece| piece.first().is_some_and(|first| key_of(first) <= *key));
        let piece = after.checked_sub(1).and_then(|index| self.0.get(index));
        piece.is_some_and(|piece| piece.binary_search_by(|item| key_of(item).cmp(key)).is_ok())
    }
}

impl<T: InPiece + PartialEq> Shared<T> {
    /// The list of these, with the pieces of an earlier one where they are equal.
    pub(super) fn new(items: impl IntoIterator<Item = T>, earlier: &Shared<T>) -> Shared<T> {
        let mut items = items.into_iter().peekable();
        let mut earlier = earlier.0.iter().peekable();
        let mut pieces = Vec::new();
        while let Some(first) = items.next() {
            let number = first.piece();
            let mut piece = vec![first];
            piece.extend(std::iter::from_fn(|| items.next_if(|item| item.piece() == number)));
            let is_before = |other: &&Arc<[T]>| other.first().is_some_and(|first| first.piece() < number);
            while earlier.next_if(is_before).is_some() {}
            pieces.push(match earlier.next_if(|other| ***other == *piece) {
                Some(same) => same.clone(),
                None => piece.into(),
            });
        }
        Shared(pieces)
    }
}

#[cfg(feature = "serde")]
impl<T: Serialize> Serialize for Shared<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.len()))?;
        for item in self.iter() {
            list.serialize_element(item)?;
        }
        list.end()
    }
}

#[cfg(feature = "serde")]
impl<'de, T: Deserialize<'de> + InPiece + PartialEq> Deserialize<'de> for Shared<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Shared<T>, D::Error> {
        Ok(Shared::new(Vec::deserialize(deserializer)?, &Shared::default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(cells: impl IntoIterator<Item = u32>) -> Vec<(CellId, Vec<EntityKey>)> {
        cells.into_iter().map(|cell| (CellId(cell), vec![EntityKey::FIRST])).collect()
    }

    #[test]
    fn pieces_that_did_not_change_are_shared() {
        let before = list([0x0101_0001, 0x0101_0002, 0x0303_0001, 0x0404_0001]);
        let first = Shared::new(before, &Shared::default());
        // One more block, a cell less in the third, and the last one gone.
        let after = list([0x0101_0001, 0x0101_0002, 0x0202_0001, 0x0303_0002]);
        let second = Shared::new(after.clone(), &first);
        assert!(second.iter().eq(&after));
        assert_eq!((first.len(), second.len(), second.0.len()), (4, 4, 3));
        let shared: Vec<bool> =
            second.0.iter().map(|piece| first.0.iter().any(|other| Arc::ptr_eq(piece, other))).collect();
        assert_eq!(shared, [true, false, false]);
        for (cell, there) in
            [(0x0101_0001, true), (0x0101_0003, false), (0x0303_0002, true), (0x0404_0001, false), (0, false)]
        {
            assert_eq!(second.has(&CellId(cell), |item| item.0), there, "{cell:#x}");
        }
    }
}
