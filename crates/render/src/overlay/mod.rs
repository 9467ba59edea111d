//! Debug overlays: cells, portals, collision, shadow lists.
//!
//! Overlays are lists of lines and labels in the coordinates of the viewer's block, for any backend to draw;
//! [`paint`] draws them into a picture of the CPU reference.

mod font;
mod paint;
mod shapes;
mod subjects;

pub use paint::{paint, write};

use crate::stage::ObjectSource;
use glam::Vec3;
use threshold_view::FramePlan;
use threshold_world::{CellId, World};

/// Red, green, blue.
pub type Color = [u8; 3];

/// A portal that leads outdoors.
pub const TO_OUTSIDE: Color = [60, 220, 110];
/// A portal whose polygon coincides with its partner's.
pub const EXACT: Color = [80, 150, 255];
/// Any other portal: both polygons must be passed.
pub const INEXACT: Color = [255, 140, 40];
/// A walkable polygon.
pub const WALKABLE: Color = [90, 230, 90];
/// A polygon that is too steep to stand on.
pub const STEEP: Color = [255, 150, 60];
/// The plane of a node.
pub const SPLIT: Color = [190, 110, 255];
/// Objects that move, by the number of cells that list them: one, two, three, more.
pub const LISTED: [Color; 4] = [[90, 190, 255], [255, 225, 70], [255, 150, 40], [255, 60, 60]];
/// Statics, likewise.
pub const STATIC_LISTED: [Color; 4] = [[120, 125, 135], [150, 155, 160], [185, 185, 185], [225, 220, 210]];

/// What an overlay shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Boundaries of the interior cells in view, with their numbers.
    Cells,
    /// Portals of those cells, by where they lead.
    Portals,
    /// Polygons and splitting planes of the viewer's own cell.
    Bsp,
    /// Objects that the lists of the cells in view name, by the number of cells that list them.
    Shadows,
}

/// A line in the coordinates of the viewer's block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment {
    /// From here …
    pub a: Vec3,
    /// … to here.
    pub b: Vec3,
    /// Its colour.
    pub color: Color,
}

/// A hexadecimal number at a place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Label {
    /// Where.
    pub at: Vec3,
    /// The number; four digits are shown.
    pub number: u16,
    /// Its colour.
    pub color: Color,
}

/// The input of overlays.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// The cells.
    pub world: &'a World,
    /// The objects and the lists they are in.
    pub objects: &'a dyn ObjectSource,
    /// What is in view.
    pub plan: &'a FramePlan,
    /// The eye's cell.
    pub viewer: CellId,
}

/// The lines of an overlay.
pub fn lines(kind: Kind, subject: &Subject) -> Vec<Segment> {
    let mut lines = Vec::new();
    match kind {
        Kind::Cells => subject.cells(&mut lines),
        Kind::Portals => subject.portals(&mut lines),
        Kind::Bsp => subject.collision(&mut lines),
        Kind::Shadows => subject.shadows(&mut lines),
    }
    lines
}

/// The labels of an overlay: numbers of cells; other overlays have none.
pub fn labels(kind: Kind, subject: &Subject) -> Vec<Label> {
    if kind == Kind::Cells { subject.numbers() } else { Vec::new() }
}

/// The colour of a cell.
pub fn color_of(cell: CellId) -> Color {
    // Steps of the golden ratio around the colour wheel keep neighbours apart.
    let hue = (f32::from(cell.low()) * 0.618_034).fract() * 6.0;
    let channel = |offset: f32| {
        let distance = ((hue + offset) % 6.0 - 3.0).abs() - 1.0;
        (70.0 + 185.0 * distance.clamp(0.0, 1.0)) as u8
    };
    [channel(0.0), channel(4.0), channel(2.0)]
}

#[cfg(test)]
mod tests;
