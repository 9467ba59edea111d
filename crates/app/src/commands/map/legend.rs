//! What makes a picture of the land a map: names, coordinates in the margin, scale, north.

use super::text::{self, HEIGHT};
use glam::Vec2;
use threshold_render::map::{Canvas, Color, Rectangle, block_origin};
use threshold_world::placed::{NamedPlace, PlaceKind};

const PAPER: Color = [0.96, 0.94, 0.89];
const INK: Color = [0.17, 0.15, 0.13];
const LIGHT: Color = [1.0, 0.99, 0.95];
const DARK: Color = [0.08, 0.07, 0.06];
const DOT: Color = [0.80, 0.16, 0.12];
/// Pixels around the map: left, above, right, below.
const MARGIN: [usize; 4] = [64, 30, 20, 62];
/// Metres of one unit of map coordinates, and the unit at the map's south-west corner.
const UNIT: f32 = 240.0;
const FIRST_UNIT: f32 = -101.95;
/// Pixels that coordinates in the margin are apart, at least.
const APART: f32 = 84.0;
/// Steps between coordinates, in units.
const STEPS: [f32; 8] = [0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0];
/// Pixels per metre from which rooms have names.
const ROOMS_NAMED: f32 = 6.0;
/// Lengths that a scale bar can have, in metres.
const BARS: [u32; 11] = [5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/// Draws names into a picture of a rectangle, and a margin around it.
pub(super) fn draw(mut canvas: Canvas, rectangle: &Rectangle, scale: f32, places: &[NamedPlace]) -> Canvas {
    names(&mut canvas, rectangle, scale, places);
    let (width, height) = canvas.size();
    let mut canvas = canvas.framed(MARGIN, PAPER);
    let [left, top, ..] = MARGIN.map(|side| side as i32);
    let (right, bottom) = (left + width as i32, top + height as i32);
    for x in left - 1..=right {
        canvas.tint(x, top - 1, INK, 1.0);
        canvas.tint(x, bottom, INK, 1.0);
    }
    for y in top - 1..=bottom {
        canvas.tint(left - 1, y, INK, 1.0);
        canvas.tint(right, y, INK, 1.0);
    }
    let step = STEPS.into_iter().find(|step| step * UNIT * scale >= APART).unwrap_or(50.0);
    for (unit, label) in units(rectangle.min.x, rectangle.max.x, step, ["E", "W"]) {
        let x = canvas.to_pixels(Vec2::new((unit - FIRST_UNIT) * UNIT, 0.0)).x as i32;
        for tick in 0..6 {
            canvas.tint(x, bottom + tick, INK, 1.0);
            canvas.tint(x, top - 1 - tick, INK, 1.0);
        }
        let middle = x - text::width(&label) / 2;
        text::write(&mut canvas, (middle, bottom + 7), &label, INK, None);
        text::write(&mut canvas, (middle, top - 7 - HEIGHT), &label, INK, None);
    }
    for (unit, label) in units(rectangle.min.y, rectangle.max.y, step, ["N", "S"]) {
        let y = canvas.to_pixels(Vec2::new(0.0, (unit - FIRST_UNIT) * UNIT)).y as i32;
        for tick in 0..6 {
            canvas.tint(left - 1 - tick, y, INK, 1.0);
            canvas.tint(right + tick, y, INK, 1.0);
        }
        text::write(&mut canvas, (left - 9 - text::width(&label), y - HEIGHT / 2), &label, INK, None);
    }
    scale_bar(&mut canvas, (left, bottom + 32), width as f32, scale);
    north(&mut canvas, (right - 14, bottom + 28));
    canvas
}

/// Coordinates that are multiples of a step within a range of metres, and how they are written.
fn units(from: f32, to: f32, step: f32, letters: [&str; 2]) -> Vec<(f32, String)> {
    let [first, last] = [from, to].map(|metres| metres / UNIT + FIRST_UNIT);
    let decimals = usize::from(step < 1.0);
    let steps = (first / step).ceil() as i32..=(last / step).floor() as i32;
    let named = steps.map(|n| {
        let unit = n as f32 * step;
        let letter = match n {
            0 => "",
            1.. => letters[0],
            _ => letters[1],
        };
        (unit, format!("{:.decimals$}{letter}", unit.abs()))
    });
    named.collect()
}

fn scale_bar(canvas: &mut Canvas, (left, top): (i32, i32), width: f32, scale: f32) {
    let longest = (width / 4.0).max(40.0);
    let metres = BARS.into_iter().rev().find(|metres| *metres as f32 * scale <= longest).unwrap_or(BARS[0]);
    let length = (metres as f32 * scale).round() as i32;
    for x in 0..length {
        // Four fields, dark and light in turn.
        let color = if x * 4 / length % 2 == 0 { INK } else { LIGHT };
        for y in 0..7 {
            let is_rim = y == 0 || y == 6 || x == 0 || x == length - 1;
            canvas.tint(left + x, top + y, if is_rim { INK } else { color }, 1.0);
        }
    }
    let label = if metres >= 1000 { format!("{} km", metres / 1000) } else { format!("{metres} m") };
    text::write(canvas, (left + length + 8, top - 5), &label, INK, None);
}

/// An arrow that points up, and the letter.
fn north(canvas: &mut Canvas, (middle, top): (i32, i32)) {
    for y in 0..22i32 {
        for x in -(y / 3)..=(y / 3) {
            // The left half is filled, the right one outlined.
            let is_rim = x.abs() == y / 3 || y == 21;
            canvas.tint(middle + x, top + y, if x <= 0 || is_rim { INK } else { LIGHT }, 1.0);
        }
    }
    text::write(canvas, (middle - 24, top + 3), "N", INK, None);
}

/// Names of places, as many as have room: those outdoors first.
fn names(canvas: &mut Canvas, rectangle: &Rectangle, scale: f32, places: &[NamedPlace]) {
    let (width, height) = canvas.size();
    let mut taken: Vec<[i32; 4]> = Vec::new();
    let kinds = [PlaceKind::Outdoors, PlaceKind::Dungeon, PlaceKind::Interior];
    for kind in kinds.into_iter().filter(|kind| *kind != PlaceKind::Interior || scale >= ROOMS_NAMED) {
        for place in places.iter().filter(|place| place.kind == kind) {
            let position = &place.position;
            let at = block_origin(position.cell.block()) + position.frame.origin.truncate();
            if at.cmplt(rectangle.min).any() || at.cmpgt(rectangle.max).any() {
                continue;
            }
            let pixel = canvas.to_pixels(at);
            let (x, y) = (pixel.x as i32, pixel.y as i32);
            let dot = [x - 5, y - 5, x + 5, y + 5];
            if taken.iter().any(|other| overlap(&dot, other)) {
                continue;
            }
            let wide = text::width(&place.name);
            let sides = [
                (x + 7, y - HEIGHT / 2),
                (x - 7 - wide, y - HEIGHT / 2),
                (x - wide / 2, y - 8 - HEIGHT),
                (x - wide / 2, y + 7),
            ];
            let room =
                sides.into_iter().map(|(left, top)| [left, top, left + wide, top + HEIGHT]).find(|label| {
                    let [left, top, right, bottom] = *label;
                    let is_inside =
                        left >= 2 && top >= 2 && right <= width as i32 - 2 && bottom <= height as i32 - 2;
                    is_inside && !taken.iter().any(|other| overlap(label, other))
                });
            let Some(label) = room else { continue };
            taken.push(label);
            taken.push(dot);
            canvas.disc(at, 0.0, 4.5, LIGHT, 0.9);
            canvas.disc(at, 0.0, 3.0, DOT, 1.0);
            text::write(canvas, (label[0], label[1]), &place.name, LIGHT, Some(DARK));
        }
    }
}

fn overlap(a: &[i32; 4], b: &[i32; 4]) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_those_of_the_game() {
        // The middle of land cell (1019, 1019) is 0N, 0E.
        let middle = 1019.5 * 24.0;
        let found = units(middle - 241.0, middle + 241.0, 1.0, ["N", "S"]);
        assert_eq!(found.iter().map(|(_, label)| label.as_str()).collect::<Vec<_>>(), ["1S", "0", "1N"]);
        assert!(((found[1].0 - FIRST_UNIT) * UNIT - middle).abs() < 13.0);
        let fine = units(middle, middle + 130.0, 0.5, ["E", "W"]);
        assert_eq!(fine.last().map(|(_, label)| label.as_str()), Some("0.5E"));
    }
}
