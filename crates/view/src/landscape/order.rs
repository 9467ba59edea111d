//! The order in which blocks and their cells are drawn: a spiral around the nearest one, walked inwards.
//!
//! Retail: `LScape::draw` (0x00506330). Spec: visibility §10.1.

/// Positions around (0, 0) ring by ring, near to far, up to and including ring `radius`.
pub(crate) fn spiral(radius: i32) -> impl Iterator<Item = (i32, i32)> {
    let ring = |r: i32| {
        (0..r).flat_map(move |s| {
            [(-s, r), (-r, -s), (s, -r), (r, s), (s + 1, r), (-r, s + 1), (-s - 1, -r), (r, -s - 1)]
        })
    };
    std::iter::once((0, 0)).chain((1..=radius).flat_map(ring))
}

/// The cell of a block that is nearest to the viewer, at `side` cells per side.
///
/// `(dx, dy)` is the block's place relative to the viewer's block, `viewer` the viewer's cell in its own block.
pub(crate) fn nearest_cell((dx, dy): (i32, i32), viewer: (i32, i32), side: i32) -> (i32, i32) {
    let along = |d: i32, viewer: i32| match d {
        0 => viewer / (8 / side),
        1.. => 0,
        _ => side - 1,
    };
    (along(dx, viewer.0), along(dy, viewer.1))
}

/// The cells of a block near to far, as `column × side + row`, written to `out`. Returns how many there are.
pub(crate) fn cells_near_to_far(nearest: (i32, i32), side: i32, out: &mut [u8; 64]) -> usize {
    let mut count = 0;
    for (x, y) in spiral(side - 1) {
        let (x, y) = (nearest.0 + x, nearest.1 + y);
        if (0..side).contains(&x) && (0..side).contains(&y) {
            out[count] = (x * side + y) as u8;
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn example_50_a_three_by_three_window_near_to_far() {
        let order: Vec<_> = spiral(1).collect();
        assert_eq!(order, [(0, 0), (0, 1), (-1, 0), (0, -1), (1, 0), (1, 1), (-1, 1), (-1, -1), (1, -1)]);
    }

    #[test]
    fn the_spiral_visits_every_position_once() {
        let all: Vec<_> = spiral(8).collect();
        assert_eq!(all.len(), 17 * 17);
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), 17 * 17);
    }

    #[test]
    fn every_cell_of_a_block_is_drawn_whatever_the_viewer_s_cell() {
        for side in [1, 2, 4, 8] {
            for nearest in (0..side).flat_map(|x| (0..side).map(move |y| (x, y))) {
                let mut order = [0; 64];
                let count = cells_near_to_far(nearest, side, &mut order);
                assert_eq!(count as i32, side * side);
                assert_eq!(i32::from(order[0]), nearest.0 * side + nearest.1);
                assert_eq!(order[..count].iter().collect::<BTreeSet<_>>().len(), count);
            }
        }
    }

    #[test]
    fn the_nearest_cell_lies_towards_the_viewer() {
        assert_eq!(nearest_cell((0, 0), (3, 6), 8), (3, 6));
        assert_eq!(nearest_cell((0, 1), (3, 6), 8), (3, 0));
        assert_eq!(nearest_cell((0, -2), (3, 6), 8), (3, 7));
        assert_eq!(nearest_cell((4, 0), (3, 6), 2), (0, 1));
        assert_eq!(nearest_cell((-1, -1), (3, 6), 4), (3, 3));
        assert_eq!(nearest_cell((1, -1), (3, 6), 8), (0, 7));
    }
}
