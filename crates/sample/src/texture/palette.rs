//! Few colours for a picture with many.

use super::Image;
use threshold_dat::records::Color;

/// A colour table and, for each pixel, its entry.
pub(crate) struct Indexed {
    pub(crate) colors: Vec<Color>,
    pub(crate) indices: Vec<u16>,
}

/// Entries that a clip map leaves transparent; kept free of colours. Spec: render-data §4.
const TRANSPARENT: usize = 8;

/// Reduces a picture to a table of `entries` colours by splitting the box of all colours (median cut). Pixels that are
/// less than half opaque get entry 0.
pub(crate) fn reduce(image: &Image, entries: usize) -> Indexed {
    let mut colors: Vec<[u8; 3]> =
        image.pixels.iter().filter(|p| p[3] >= 128).map(|p| [p[0], p[1], p[2]]).collect();
    colors.sort_unstable();
    colors.dedup();
    let mut boxes = vec![colors];
    // Beyond this many colours nobody sees a difference.
    let wanted = (entries - TRANSPARENT).min(64);
    while boxes.len() < wanted {
        let widest = (0..boxes.len()).max_by_key(|&i| (spread(&boxes[i]).1, usize::MAX - i));
        let Some(i) = widest.filter(|&i| boxes[i].len() > 1) else { break };
        let axis = spread(&boxes[i]).0;
        boxes[i].sort_unstable_by_key(|c| (c[axis], *c));
        let half = boxes[i].len() / 2;
        let upper = boxes[i].split_off(half);
        boxes.push(upper);
    }
    let table: Vec<[u8; 3]> = boxes.iter().filter(|b| !b.is_empty()).map(|b| mean(b)).collect();
    let find = |p: &[u8; 4]| -> u16 {
        if p[3] < 128 {
            return 0;
        }
        let nearest = (0..table.len()).min_by_key(|&i| distance(&table[i], p));
        (nearest.unwrap_or(0) + TRANSPARENT) as u16
    };
    let indices = image.pixels.iter().map(find).collect();
    let mut stored = vec![Color::default(); TRANSPARENT];
    stored.extend(table.iter().map(|&[red, green, blue]| Color { red, green, blue, alpha: 255 }));
    stored.resize(entries, Color { red: 0, green: 0, blue: 0, alpha: 255 });
    Indexed { colors: stored, indices }
}

/// The axis along which colours differ most, and by how much.
fn spread(colors: &[[u8; 3]]) -> (usize, u8) {
    let range = |axis: usize| {
        let values = colors.iter().map(|c| c[axis]);
        values.clone().max().unwrap_or(0) - values.min().unwrap_or(0)
    };
    (0..3)
        .map(|axis| (axis, range(axis)))
        .fold((0, 0), |best, next| if next.1 > best.1 { next } else { best })
}

fn mean(colors: &[[u8; 3]]) -> [u8; 3] {
    std::array::from_fn(|i| (colors.iter().map(|c| u32::from(c[i])).sum::<u32>() / colors.len() as u32) as u8)
}

fn distance(a: &[u8; 3], b: &[u8; 4]) -> i32 {
    (0..3).map(|i| (i32::from(a[i]) - i32::from(b[i])).pow(2)).sum()
}
