//! Steps.

use crate::{geom::Convex, material::Skin};
use glam::{DVec2, DVec3};

/// A straight flight of steps that stands on the floor.
#[derive(Clone, Copy, Debug)]
pub struct Flight {
    /// Middle of the foot, on the floor.
    pub foot: DVec3,
    /// Horizontal unit vector, the way up.
    pub up: DVec2,
    /// Across.
    pub width: f64,
    /// Height of one step. People climb steps of 0.6 m at most; 0.25 m is comfortable.
    pub rise: f64,
    /// Depth of one step.
    pub run: f64,
    /// How many.
    pub steps: u32,
}

impl Flight {
    /// The steps, lowest first, each a block from the floor up.
    pub fn solids(&self, skin: Skin) -> Vec<Convex<Skin>> {
        let across = self.up.perp() * (self.width / 2.0);
        let foot = self.foot.truncate();
        let step = |i: u32| {
            let (near, far) = (self.up * (f64::from(i) * self.run), self.up * (f64::from(i + 1) * self.run));
            let outline =
                [foot + near - across, foot + far - across, foot + far + across, foot + near + across];
            Convex::prism(&outline, self.foot.z, self.foot.z + f64::from(i + 1) * self.rise, skin)
        };
        (0..self.steps).map(step).collect()
    }

    /// Horizontal length of the flight.
    pub fn length(&self) -> f64 {
        f64::from(self.steps) * self.run
    }
}

/// Wedge-shaped slabs around a vertical axis, rising counter-clockwise seen from above: from radius `inner` to `outer`,
/// `per_turn` to a full turn, beginning at the direction `start` (radians from east).
pub fn spiral_steps(
    axis: DVec3,
    (inner, outer): (f64, f64),
    (steps, per_turn): (u32, u32),
    (rise, thickness): (f64, f64),
    start: f64,
    skin: Skin,
) -> Vec<Convex<Skin>> {
    let angle = std::f64::consts::TAU / f64::from(per_turn);
    let ray = |i: u32| {
        let a = start + f64::from(i) * angle;
        DVec2::new(libm::cos(a), libm::sin(a))
    };
    let step = |i: u32| {
        let (from, to) = (ray(i), ray(i + 1));
        let center = axis.truncate();
        let outline =
            [center + from * inner, center + from * outer, center + to * outer, center + to * inner];
        let top = axis.z + f64::from(i + 1) * rise;
        Convex::prism(&outline, top - thickness, top, skin)
    };
    (0..steps).map(step).collect()
}
