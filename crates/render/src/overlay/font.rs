//! The sixteen hexadecimal digits, three pixels wide and five high.

pub(super) const WIDTH: i32 = 3;
pub(super) const HEIGHT: i32 = 5;

/// Rows from the top, the leftmost pixel in the highest of three bits.
const DIGITS: [[u8; 5]; 16] = [
    [7, 5, 5, 5, 7],
    [2, 6, 2, 2, 7],
    [7, 1, 7, 4, 7],
    [7, 1, 3, 1, 7],
    [5, 5, 7, 1, 1],
    [7, 4, 7, 1, 7],
    [7, 4, 7, 5, 7],
    [7, 1, 2, 2, 2],
    [7, 5, 7, 5, 7],
    [7, 5, 7, 1, 7],
    [2, 5, 7, 5, 5],
    [6, 5, 6, 5, 6],
    [3, 4, 4, 4, 3],
    [6, 5, 5, 5, 6],
    [7, 4, 6, 4, 7],
    [7, 4, 6, 4, 4],
];

/// Whether a pixel of a digit is set.
pub(super) fn is_set(digit: u16, x: i32, y: i32) -> bool {
    let row = DIGITS[usize::from(digit & 15)][y.clamp(0, HEIGHT - 1) as usize];
    row >> (WIDTH - 1 - x.clamp(0, WIDTH - 1)) & 1 == 1
}
