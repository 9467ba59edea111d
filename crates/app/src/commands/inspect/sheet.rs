//! The layout of a summary: a title, rows of label and text, and lists that do not flood the screen.

use std::fmt::{Display, Write};
use threshold_dat::{
    DatId,
    records::{Frame, Sphere, Vec3},
};

/// Longer lists are cut; JSON has everything.
const LINES: usize = 24;
const LABEL: usize = 16;

/// A summary in the making.
pub(super) struct Sheet(String);

impl Sheet {
    pub(super) fn new(title: impl Display) -> Sheet {
        Sheet(format!("{title}\n"))
    }

    pub(super) fn finish(self) -> String {
        self.0
    }

    pub(super) fn row(&mut self, label: &str, text: impl Display) {
        self.line(&format!("  {label:<LABEL$} {text}"));
    }

    /// A line of its own below a row.
    pub(super) fn item(&mut self, text: impl Display) {
        self.line(&format!("    {text}"));
    }

    fn line(&mut self, text: &str) {
        self.0.push_str(text.trim_end());
        self.0.push('\n');
    }

    /// A row with the number of elements, and a line for each of them.
    pub(super) fn list<T>(&mut self, label: &str, list: &[T], text: impl Fn(&T) -> String) {
        self.row(label, list.len());
        for element in list.iter().take(LINES) {
            self.item(text(element));
        }
        if list.len() > LINES {
            self.item(format!("… and {} more (--json has all)", list.len() - LINES));
        }
    }

    /// A row with the number of elements and the elements themselves, briefly.
    pub(super) fn inline<T>(&mut self, label: &str, list: &[T], text: impl Fn(&T) -> String) {
        let mut line = list.len().to_string();
        for (index, element) in list.iter().take(LINES).enumerate() {
            let _ = write!(line, "{}{}", if index == 0 { ": " } else { ", " }, text(element));
        }
        if list.len() > LINES {
            line.push_str(", …");
        }
        self.row(label, line);
    }

    /// A row for an id, unless it is 0.
    pub(super) fn id(&mut self, label: &str, id: DatId) {
        if id != DatId(0) {
            self.row(label, id);
        }
    }
}

/// Metres, to the millimetre; zero has no sign.
pub(super) fn point(point: Vec3) -> String {
    let [x, y, z] = point.map(|value| {
        let text = format!("{value:.3}");
        if text == "-0.000" { "0.000".to_owned() } else { text }
    });
    format!("({x}, {y}, {z})")
}

pub(super) fn sphere(sphere: &Sphere) -> String {
    format!("{} radius {:.3}", point(sphere.center), sphere.radius)
}

/// Where, and how it is turned.
pub(super) fn frame(frame: &Frame) -> String {
    let [w, x, y, z] = frame.orientation();
    let place = point(frame.origin);
    if x.abs() < 1e-6 && y.abs() < 1e-6 {
        let degrees = 2.0 * z.atan2(w).to_degrees();
        // One turn has two rotations; the shorter one is shown.
        let degrees = if degrees > 180.0 { degrees - 360.0 } else { degrees };
        let degrees = if degrees <= -180.0 { degrees + 360.0 } else { degrees };
        if degrees.abs() < 0.05 { place } else { format!("{place} turned {degrees:.1}° about z") }
    } else {
        format!("{place} rotation {w:.4} {x:.4} {y:.4} {z:.4}")
    }
}

/// The names of the bits that are set, and the rest as a number.
pub(super) fn flags(value: u32, names: &[(u32, &str)]) -> String {
    let mut rest = value;
    let mut text = String::new();
    for (bit, name) in names.iter().filter(|(bit, _)| value & bit != 0) {
        rest &= !bit;
        let _ = write!(text, ", {name}");
    }
    if rest != 0 {
        let _ = write!(text, ", {rest:#x}");
    }
    if text.is_empty() { "none".to_owned() } else { text.split_off(2) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_about_the_vertical_are_given_in_degrees() {
        let turned = |rotation| frame(&Frame { origin: [1.0, 2.0, 3.0], rotation });
        let half = std::f32::consts::FRAC_1_SQRT_2;
        assert_eq!(turned([1.0, 0.0, 0.0, 0.0]), "(1.000, 2.000, 3.000)");
        assert_eq!(turned([half, 0.0, 0.0, half]), "(1.000, 2.000, 3.000) turned 90.0° about z");
        assert_eq!(turned([half, 0.0, 0.0, -half]), "(1.000, 2.000, 3.000) turned -90.0° about z");
        assert_eq!(turned([-half, 0.0, 0.0, half]), "(1.000, 2.000, 3.000) turned -90.0° about z");
        assert_eq!(turned([0.0, 0.0, 0.0, 1.0]), "(1.000, 2.000, 3.000) turned 180.0° about z");
        assert_eq!(
            turned([0.5, 0.5, 0.5, 0.5]),
            "(1.000, 2.000, 3.000) rotation 0.5000 0.5000 0.5000 0.5000"
        );
    }

    #[test]
    fn flags_are_named_as_far_as_they_are_known() {
        let names = [(1, "one"), (4, "four")];
        assert_eq!(flags(5, &names), "one, four");
        assert_eq!(flags(0x12, &names), "0x12");
        assert_eq!(flags(0, &names), "none");
    }

    #[test]
    fn long_lists_are_cut() {
        let mut sheet = Sheet::new("title");
        sheet.list("numbers", &[7; 30], |n| n.to_string());
        let text = sheet.finish();
        assert_eq!(text.lines().count(), 1 + 1 + LINES + 1);
        assert!(text.ends_with("… and 6 more (--json has all)\n"), "{text}");
    }
}
