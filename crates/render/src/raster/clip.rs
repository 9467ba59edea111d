//! Clipping of triangles in homogeneous screen space, before the division.

/// A vertex after the vertex stage: `x` and `y` are pixels times `w`, `w` is the distance along the view direction.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct ScreenVertex {
    /// Pixel column × w.
    pub x: f32,
    /// Pixel row × w, downwards.
    pub y: f32,
    /// Distance along the view direction.
    pub w: f32,
    /// Texture coordinates.
    pub uv: [f32; 2],
    /// Light, 0…1 per channel.
    pub light: [f32; 3],
    /// Share of the surface's own colour that the fog leaves, 0…1.
    pub clear: f32,
}

impl ScreenVertex {
    fn lerp(&self, to: &ScreenVertex, t: f32) -> ScreenVertex {
        let mix = |a: f32, b: f32| a + (b - a) * t;
        ScreenVertex {
            x: mix(self.x, to.x),
            y: mix(self.y, to.y),
            w: mix(self.w, to.w),
            uv: [mix(self.uv[0], to.uv[0]), mix(self.uv[1], to.uv[1])],
            light: std::array::from_fn(|i| mix(self.light[i], to.light[i])),
            clear: mix(self.clear, to.clear),
        }
    }
}

/// Pixels beyond the origin within which coordinates stay exact in the rasterizer's integers.
pub(crate) const GUARD: f32 = 16384.0;

/// A triangle cut by five planes has at most eight corners.
const MAX_CORNERS: usize = 9;

/// A small convex polygon on the stack.
#[derive(Clone, Copy)]
pub(crate) struct Clipped {
    corners: [ScreenVertex; MAX_CORNERS],
    count: usize,
}

impl Clipped {
    pub(crate) fn corners(&self) -> &[ScreenVertex] {
        &self.corners[..self.count]
    }

    /// Keeps the part where `distance` is not negative. Both triangles of a shared edge cut it from the inside to
    /// the outside, so they cut it at the same bits and leave no crack.
    fn cut(&mut self, distance: impl Fn(&ScreenVertex) -> f32) {
        let from = *self;
        self.count = 0;
        for i in 0..from.count {
            let (a, b) = (&from.corners[i], &from.corners[(i + 1) % from.count]);
            let (da, db) = (distance(a), distance(b));
            if da >= 0.0 {
                self.push(*a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                let crossing = if da >= 0.0 { a.lerp(b, da / (da - db)) } else { b.lerp(a, db / (db - da)) };
                self.push(crossing);
            }
        }
    }

    fn push(&mut self, vertex: ScreenVertex) {
        if self.count < MAX_CORNERS {
            self.corners[self.count] = vertex;
            self.count += 1;
        }
    }
}

/// Whether nothing of a triangle is behind `near` or beyond the guard band.
#[inline(always)]
pub(crate) fn is_inside(triangle: [&ScreenVertex; 3], near: f32) -> bool {
    !triangle.iter().any(|v| v.w < near || is_beyond(v))
}

#[inline(always)]
fn is_beyond(v: &ScreenVertex) -> bool {
    v.x.abs() > GUARD * v.w || v.y.abs() > GUARD * v.w
}

/// The part of a triangle in front of `near` and within the guard band; fewer than three corners when none is.
pub(crate) fn clip(triangle: [&ScreenVertex; 3], near: f32) -> Clipped {
    let mut corners = [ScreenVertex::default(); MAX_CORNERS];
    corners[..3].copy_from_slice(&triangle.map(|v| *v));
    let mut polygon = Clipped { corners, count: 3 };
    if triangle.iter().any(|v| v.w < near) {
        polygon.cut(|v| v.w - near);
    }
    if polygon.corners().iter().any(is_beyond) {
        polygon.cut(|v| GUARD * v.w - v.x);
        polygon.cut(|v| GUARD * v.w + v.x);
        polygon.cut(|v| GUARD * v.w - v.y);
        polygon.cut(|v| GUARD * v.w + v.y);
    }
    polygon
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(x: f32, y: f32, w: f32) -> ScreenVertex {
        ScreenVertex { x, y, w, ..ScreenVertex::default() }
    }

    #[test]
    fn a_triangle_in_front_is_untouched() {
        let triangle = [vertex(0.0, 0.0, 1.0), vertex(5.0, 0.0, 1.0), vertex(0.0, 5.0, 1.0)];
        assert!(is_inside(triangle.each_ref(), 0.1));
        assert_eq!(clip(triangle.each_ref(), 0.1).corners(), triangle);
    }

    #[test]
    fn the_near_plane_cuts_a_corner_off() {
        let triangle = [vertex(0.0, 0.0, 1.0), vertex(5.0, 0.0, 1.0), vertex(0.0, 5.0, -1.0)];
        assert!(!is_inside(triangle.each_ref(), 0.1));
        let clipped = clip(triangle.each_ref(), 0.5);
        assert_eq!(clipped.corners().len(), 4);
        assert!(clipped.corners().iter().all(|v| v.w >= 0.5));
        assert!(clip(triangle.each_ref(), 2.0).corners().len() < 3);
    }

    #[test]
    fn far_corners_are_brought_into_the_guard_band() {
        let triangle = [vertex(-1e6, -1e6, 1.0), vertex(1e6, -1e6, 1.0), vertex(0.0, 1e6, 1.0)];
        assert!(!is_inside(triangle.each_ref(), 0.1));
        let clipped = clip(triangle.each_ref(), 0.1);
        assert!(clipped.corners().len() >= 3);
        assert!(clipped.corners().iter().all(|v| v.x.abs() <= GUARD * 1.01 && v.y.abs() <= GUARD * 1.01));
    }
}
