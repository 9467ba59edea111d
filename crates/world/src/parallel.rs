//! Work on all processors with the feature `parallel`, on the caller's thread without it; the same results either way.
//!
//! Everything in the engine that uses more than one processor does so through these functions.

#[cfg(feature = "parallel")]
use rayon::prelude::*;

/// Calls `f` with each item and its index.
pub fn each_mut<T: Send>(items: &mut [T], f: impl Fn(usize, &mut T) + Sync + Send) {
    #[cfg(feature = "parallel")]
    items.par_iter_mut().enumerate().for_each(|(i, item)| f(i, item));
    #[cfg(not(feature = "parallel"))]
    items.iter_mut().enumerate().for_each(|(i, item)| f(i, item));
}

/// Calls `f` with each run of `size` items, the last of which may be shorter, and its index.
pub fn each_chunk_mut<T: Send>(items: &mut [T], size: usize, f: impl Fn(usize, &mut [T]) + Sync + Send) {
    #[cfg(feature = "parallel")]
    items.par_chunks_mut(size).enumerate().for_each(|(i, chunk)| f(i, chunk));
    #[cfg(not(feature = "parallel"))]
    items.chunks_mut(size).enumerate().for_each(|(i, chunk)| f(i, chunk));
}

/// Calls `f` with each run of `size` items and the entry of `partners` that belongs to it.
pub fn each_chunk_with<T: Send, U: Send>(
    items: &mut [T],
    size: usize,
    partners: &mut [U],
    f: impl Fn(&mut [T], &mut U) + Sync + Send,
) {
    #[cfg(feature = "parallel")]
    items.par_chunks_mut(size).zip(partners).for_each(|(chunk, partner)| f(chunk, partner));
    #[cfg(not(feature = "parallel"))]
    items.chunks_mut(size).zip(partners).for_each(|(chunk, partner)| f(chunk, partner));
}

/// Maps each item with `f`, in order.
pub fn map<T: Sync, U: Send>(items: &[T], f: impl Fn(&T) -> U + Sync + Send) -> Vec<U> {
    map_init(items, 1, || (), |(), item| f(item))
}

/// Maps each item with `f`, in order, with a state that is initialised once for many items. A processor takes at least
/// `grain` items at a time.
pub fn map_init<T: Sync, S, U: Send>(
    items: &[T],
    grain: usize,
    init: impl Fn() -> S + Sync + Send,
    f: impl Fn(&mut S, &T) -> U + Sync + Send,
) -> Vec<U> {
    #[cfg(feature = "parallel")]
    return items.par_iter().with_min_len(grain).map_init(init, f).collect();
    #[cfg(not(feature = "parallel"))]
    {
        let _ = grain;
        let mut state = init();
        items.iter().map(|item| f(&mut state, item)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_seen_once_and_answers_keep_their_order() {
        let mut items: Vec<usize> = (0..1000).collect();
        each_mut(&mut items, |i, item| *item += i);
        each_chunk_mut(&mut items, 64, |i, chunk| chunk.iter_mut().for_each(|item| *item += i));
        let mut sums = [0; 16];
        each_chunk_with(&mut items, 64, &mut sums, |chunk, sum| *sum = chunk.iter().sum());
        let expected = |i: usize| 2 * i + i / 64;
        assert_eq!(items, (0..1000).map(expected).collect::<Vec<_>>());
        assert_eq!(sums.iter().sum::<usize>(), (0..1000).map(expected).sum::<usize>());
        assert_eq!(map(&items, |item| item + 1), (0..1000).map(|i| expected(i) + 1).collect::<Vec<_>>());
        let counted = map_init(
            &items,
            32,
            || 0,
            |count, _| {
                *count += 1;
                *count
            },
        );
        assert!(counted.iter().all(|&count| count >= 1) && counted.len() == 1000);
    }
}
