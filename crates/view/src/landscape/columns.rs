//! Culling terrain: the heights that a plane leaves visible over the corners of a grid square, against the square's
//! heights.
//!
//! Retail: `LScape::draw_check_blocks` (0x00505F80), `landcell_check` (0x005050A0). Spec: visibility §10.2.

use threshold_world::{EPSILON, geometry::Plane};

/// Terrain is taken to lie between 0 and this height.
const SKY: f32 = 1000.0;
/// A corner over which nothing is visible.
const OUTSIDE: f32 = 1001.0;
/// A corner over which everything is visible.
const INSIDE: f32 = 0.0;

/// Heights that occur over a square.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Slab {
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl Slab {
    /// Whatever stands on terrain with these heights. Retail: `CLandBlock::get_land_limits` (0x0052F1D0).
    pub(crate) fn of_heights(heights: impl Iterator<Item = f32>) -> Slab {
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), h| (low.min(h), high.max(h)));
        Slab { min: low - 1.0, max: high + 200.0 }
    }

    /// Whatever can stand anywhere.
    pub(crate) const ANY: Slab = Slab { min: -1.0, max: SKY + 200.0 };
}

/// How much of a square is in view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cover {
    Out,
    Partial,
    In,
}

/// What a plane leaves visible over a corner: 1001 nothing, 0 everything, minus the lowest or plus the highest visible
/// height. Retail: `Render::get_pt_limit` (0x0054B840).
pub(crate) fn limit(plane: &Plane, x: f32, y: f32) -> f32 {
    let Plane { normal, d } = plane;
    let rest = normal.x * x + normal.y * y + d;
    if normal.z > EPSILON {
        let lowest = -rest / normal.z;
        if lowest >= SKY {
            OUTSIDE
        } else if lowest > 0.0 {
            -lowest
        } else {
            INSIDE
        }
    } else if normal.z < -EPSILON {
        let highest = -rest / normal.z;
        if highest <= 0.0 {
            OUTSIDE
        } else if highest >= SKY {
            INSIDE
        } else {
            highest
        }
    } else if rest < -EPSILON {
        OUTSIDE
    } else {
        INSIDE
    }
}

/// A corner's limit against the square's heights. Retail: `Render::block_check` (0x0054DC50).
fn corner(limit: f32, slab: Slab) -> Cover {
    if limit == OUTSIDE {
        Cover::Out
    } else if limit == INSIDE {
        Cover::In
    } else if limit < 0.0 {
        let lowest = -limit;
        if lowest <= slab.min {
            Cover::In
        } else if slab.max <= lowest {
            Cover::Out
        } else {
            Cover::Partial
        }
    } else if limit >= slab.max {
        Cover::In
    } else if limit <= slab.min {
        Cover::Out
    } else {
        Cover::Partial
    }
}

/// What one plane leaves of a square.
pub(crate) fn square(limits: [f32; 4], slab: Slab) -> Cover {
    let corners = limits.map(|limit| corner(limit, slab));
    if corners == [Cover::Out; 4] {
        Cover::Out
    } else if corners == [Cover::In; 4] {
        Cover::In
    } else {
        Cover::Partial
    }
}

/// What several planes together leave of a square.
pub(crate) fn both(a: Cover, b: Cover) -> Cover {
    match (a, b) {
        (Cover::Out, _) | (_, Cover::Out) => Cover::Out,
        (Cover::In, Cover::In) => Cover::In,
        _ => Cover::Partial,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn example_51_limits_of_columns() {
        let plane = |x, y, z, d| Plane { normal: Vec3::new(x, y, z), d };
        assert_eq!(limit(&plane(0.0, 0.0, 1.0, -5.0), 0.0, 0.0), -5.0);
        assert_eq!(limit(&plane(0.0, 0.0, 1.0, -1000.0), 0.0, 0.0), OUTSIDE);
        assert_eq!(limit(&plane(0.0, 0.0, 1.0, 3.0), 0.0, 0.0), INSIDE);
        assert_eq!(limit(&plane(0.0, 0.0, -1.0, 7.0), 0.0, 0.0), 7.0);
        assert_eq!(limit(&plane(0.0, 0.0, -1.0, -2.0), 0.0, 0.0), OUTSIDE);
        let upright = plane(1.0, 0.0, 0.0, -10.0);
        assert_eq!([5.0, 15.0, 10.0].map(|x| limit(&upright, x, 0.0)), [OUTSIDE, INSIDE, INSIDE]);
    }

    #[test]
    fn example_52_corners_against_slabs() {
        let against = |limit, min, max| corner(limit, Slab { min, max });
        let low = [(6.0, 10.0), (2.0, 10.0), (2.0, 4.0), (2.0, 5.0), (5.0, 10.0)];
        let expected = [Cover::In, Cover::Partial, Cover::Out, Cover::Out, Cover::In];
        assert_eq!(low.map(|(min, max)| against(-5.0, min, max)), expected);
        let high = [(2.0, 6.0), (2.0, 10.0), (8.0, 10.0)];
        assert_eq!(high.map(|(min, max)| against(7.0, min, max)), [Cover::In, Cover::Partial, Cover::Out]);
    }

    #[test]
    fn example_68_a_block_s_slab_has_headroom() {
        assert_eq!(Slab::of_heights([10.0, 30.0, 20.0].into_iter()), Slab { min: 9.0, max: 230.0 });
    }

    #[test]
    fn a_square_is_out_when_one_plane_says_so() {
        assert_eq!(both(Cover::In, Cover::Out), Cover::Out);
        assert_eq!(both(Cover::In, Cover::Partial), Cover::Partial);
        assert_eq!(square([OUTSIDE, OUTSIDE, OUTSIDE, INSIDE], Slab::ANY), Cover::Partial);
    }
}
