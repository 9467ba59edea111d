use super::*;
use crate::raster::{DrawState, Fill, Raster, ScreenVertex};
use crate::texture::Texture;
use glam::Vec3;
use threshold_view::{Lens, Projection};
use threshold_world::{Frame, Position};

const RED: Color = [255, 0, 0];

/// Looks north over a black picture with a grey wall 10 m away in its left half.
fn picture() -> (Raster, Projection, Vec<u8>) {
    let lens = Lens::new(1.0, 200, 100).unwrap();
    let position = Position::new(CellId(0x8080_0001), Frame::at(Vec3::ZERO));
    let projection = Projection::new(&position, &lens);
    let mut raster = Raster::new(200, 100);
    let white = Texture::solid(0xFF80_8080);
    raster.draw(
        0,
        0,
        1,
        |_| &white,
        |_, batch| {
            let state = DrawState { opacity: 255, ..DrawState::default() };
            batch.set_fill(Fill::Surface { texture: 0, state });
            let corner = |x: f32, y: f32| ScreenVertex {
                x: x * 10.0,
                y: y * 10.0,
                w: 10.0,
                light: [1.0; 3],
                clear: 1.0,
                ..ScreenVertex::default()
            };
            batch.triangle([corner(0.0, 100.0), corner(100.0, 100.0), corner(100.0, 0.0)]);
            batch.triangle([corner(0.0, 100.0), corner(100.0, 0.0), corner(0.0, 0.0)]);
        },
    );
    let mut rgba = Vec::new();
    raster.copy_rgba(&mut rgba);
    (raster, projection, rgba)
}

fn pixel(rgba: &[u8], x: usize, y: usize) -> [u8; 3] {
    let at = (y * 200 + x) * 4;
    [rgba[at], rgba[at + 1], rgba[at + 2]]
}

/// A level line across the whole picture at a distance.
fn across(distance: f32) -> Segment {
    Segment { a: Vec3::new(-50.0, distance, 0.0), b: Vec3::new(50.0, distance, 0.0), color: RED }
}

#[test]
fn a_line_before_the_wall_is_bright_and_one_behind_it_is_faint() {
    let (raster, projection, clean) = picture();
    let mut near = clean.clone();
    paint(&raster, &projection, &[across(5.0)], &mut near);
    let mut far = clean.clone();
    paint(&raster, &projection, &[across(20.0)], &mut far);
    let row = (0..100).find(|&y| pixel(&near, 50, y) == RED).expect("the line is drawn");
    assert!((48..=51).contains(&row), "{row}");
    assert_eq!(pixel(&near, 150, row), RED);
    let faint = pixel(&far, 50, row);
    assert!(faint[0] > 128 && faint[0] < 200 && faint[1] > 60, "over the wall: {faint:?}");
    assert_eq!(pixel(&far, 150, row), RED, "over nothing it is whole");
    let changed = (0..200 * 100).filter(|&i| near[i * 4..i * 4 + 3] != clean[i * 4..i * 4 + 3]).count();
    assert_eq!(changed, 200, "one pixel per column and no other");
}

#[test]
fn a_line_on_the_wall_counts_as_seen() {
    let (raster, projection, mut rgba) = picture();
    paint(&raster, &projection, &[across(10.05)], &mut rgba);
    assert!((0..100).any(|y| pixel(&rgba, 50, y) == RED));
}

#[test]
fn lines_behind_the_eye_or_without_numbers_leave_no_trace() {
    let (raster, projection, clean) = picture();
    let mut rgba = clean.clone();
    let line = |a: Vec3, b: Vec3| Segment { a, b, color: RED };
    let odd = [
        line(Vec3::new(0.0, -5.0, 0.0), Vec3::new(1.0, -1.0, 0.0)),
        line(Vec3::NAN, Vec3::Y),
        line(Vec3::splat(f32::INFINITY), Vec3::Y),
        line(Vec3::new(900.0, 10.0, 0.0), Vec3::new(901.0, 10.0, 5.0)),
    ];
    paint(&raster, &projection, &odd, &mut rgba);
    assert_eq!(rgba, clean);
    // One that starts behind the eye is cut, and what is in front is drawn.
    let through = line(Vec3::new(3.0, -5.0, -1.0), Vec3::new(3.0, 30.0, -1.0));
    paint(&raster, &projection, &[through], &mut rgba);
    assert_ne!(rgba, clean);
}

#[test]
fn a_label_is_written_in_digits_on_a_dark_ground() {
    let (raster, projection, mut rgba) = picture();
    let label = Label { at: Vec3::new(2.0, 10.0, 0.0), number: 0x0111, color: RED };
    write(&raster, &projection, &[label], &mut rgba);
    let red = (0..200 * 100).filter(|&i| rgba[i * 4..i * 4 + 3] == RED).count();
    // Twelve pixels of the nought and eight of each one, each of them drawn two by two.
    assert_eq!(red, (12 + 3 * 8) * 4);
}

#[test]
fn neighbouring_cells_have_colours_of_their_own() {
    let colors: Vec<Color> = (0x100..0x108).map(|low| color_of(CellId(0x8080_0000 | low))).collect();
    for (i, a) in colors.iter().enumerate() {
        for b in &colors[i + 1..] {
            let distance: u32 = a.iter().zip(b).map(|(a, b)| u32::from(a.abs_diff(*b))).sum();
            assert!(distance > 40, "{a:?} {b:?}");
        }
    }
}
