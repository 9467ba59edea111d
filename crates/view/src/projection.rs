//! From the world to the screen and back.

use glam::{Mat4, Vec2, Vec3, Vec4};
use serde::Serialize;
use threshold_world::{BlockId, Position};

/// Distance of the near plane in metres.
pub const Z_NEAR: f32 = 0.1;
/// Distance of the far plane in metres; the sky is drawn with four times as much.
pub const Z_FAR: f32 = 4000.0;

/// Shape of the picture: vertical field of view and size in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Lens {
    fov_y: f32,
    width: f32,
    height: f32,
}

impl Lens {
    /// None unless the angle (in radians) lies between 0 and π and the picture has pixels.
    pub fn new(fov_y: f32, width: u32, height: u32) -> Option<Lens> {
        let valid = fov_y > 0.0 && fov_y < std::f32::consts::PI && libm::tanf(fov_y / 2.0) > 1e-6;
        let sized = (1..=1 << 16).contains(&width) && (1..=1 << 16).contains(&height);
        (valid && sized).then_some(Lens { fov_y, width: width as f32, height: height as f32 })
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width as u32, self.height as u32)
    }

    /// Vertical field of view in radians.
    pub fn fov_y(&self) -> f32 {
        self.fov_y
    }
}

/// The vertical field of view that the game applies for its own setting (both in radians), which shrinks on wide
/// screens. None when the law gives no usable angle. Spec: visibility §1.
pub fn retail_fov(game_fov: f32, aspect: f32) -> Option<f32> {
    let fov = game_fov / (aspect - 0.1);
    (fov > 0.0 && fov < std::f32::consts::PI).then_some(fov)
}

/// The eye, and how points are projected to the screen.
///
/// World coordinates are those of the viewer's block. Screen points are homogeneous pixels (x right, y down): the
/// pixel is `(X / w, Y / w)`, `w` is the distance along the view direction, `Z / w` the depth from 0 (near) to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Projection {
    /// The viewer's block: the one all world coordinates of a plan count from.
    #[serde(serialize_with = "crate::plan::block_as_text")]
    pub block: BlockId,
    /// Where the eye is.
    pub eye: Vec3,
    /// Unit vector to the right of the picture.
    pub right: Vec3,
    /// Unit vector into the picture.
    pub forward: Vec3,
    /// Unit vector to the top of the picture.
    pub up: Vec3,
    /// Tangents of half the horizontal and half the vertical field of view.
    pub tangent: Vec2,
    /// Picture size in pixels.
    pub size: Vec2,
}

impl Projection {
    /// The view from a position's origin along its +Y axis with +Z up.
    pub fn new(position: &Position, lens: &Lens) -> Projection {
        let frame = &position.frame;
        let vertical = libm::tanf(lens.fov_y / 2.0);
        Projection {
            block: position.cell.block(),
            eye: frame.origin,
            right: frame.rotate(Vec3::X),
            forward: frame.rotate(Vec3::Y),
            up: frame.rotate(Vec3::Z),
            tangent: Vec2::new(vertical * (lens.width / lens.height), vertical),
            size: Vec2::new(lens.width, lens.height),
        }
    }

    /// A world point as homogeneous pixels.
    #[inline]
    pub fn to_screen(&self, point: Vec3) -> Vec4 {
        let from_eye = point - self.eye;
        let w = self.forward.dot(from_eye);
        let x = (self.right.dot(from_eye) / self.tangent.x + w) * (self.size.x / 2.0);
        let y = (w - self.up.dot(from_eye) / self.tangent.y) * (self.size.y / 2.0);
        Vec4::new(x, y, (w - Z_NEAR) * (Z_FAR / (Z_FAR - Z_NEAR)), w)
    }

    /// Normalised device coordinates (x right, y up, -1…1) of a pixel.
    #[inline]
    pub fn to_ndc(&self, pixel: Vec2) -> Vec2 {
        Vec2::new(pixel.x * 2.0 / self.size.x - 1.0, 1.0 - pixel.y * 2.0 / self.size.y)
    }

    /// World direction from the eye through a pixel; its component along the view direction is 1.
    #[inline]
    pub fn ray(&self, pixel: Vec2) -> Vec3 {
        let ndc = self.to_ndc(pixel) * self.tangent;
        self.forward + self.right * ndc.x + self.up * ndc.y
    }

    /// The same projection as a matrix to clip space (x right, y up, depth 0…1) for renderers.
    pub fn to_clip(&self) -> Mat4 {
        let row = |axis: Vec3, scale: f32| (axis * scale).extend(-axis.dot(self.eye) * scale);
        let depth = Z_FAR / (Z_FAR - Z_NEAR);
        let x = row(self.right, 1.0 / self.tangent.x);
        let y = row(self.up, 1.0 / self.tangent.y);
        let w = row(self.forward, 1.0);
        let z = w * depth - Vec4::new(0.0, 0.0, 0.0, Z_NEAR * depth);
        Mat4::from_cols(x, y, z, w).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_world::{CellId, Frame, Quat};

    fn looking_north(fov_degrees: f32, width: u32, height: u32) -> Projection {
        let lens = Lens::new(fov_degrees.to_radians(), width, height).unwrap();
        let at = Position::new(CellId(0xA9B4_0100), Frame::new(Vec3::new(0.0, 0.0, 1.0), Quat::IDENTITY));
        Projection::new(&at, &lens)
    }

    #[test]
    fn a_point_to_the_upper_right_has_a_larger_x_and_a_smaller_y_pixel() {
        let p = looking_north(90.0, 600, 600).to_screen(Vec3::new(1.0, 5.0, 2.0));
        assert!((p.x / p.w - 360.0).abs() < 1e-3 && (p.y / p.w - 240.0).abs() < 1e-3, "{p}");
    }

    #[test]
    fn example_59_a_quad_at_five_metres_has_depth_0_98002() {
        let p = looking_north(90.0, 600, 600).to_screen(Vec3::new(0.0, 5.0, 1.0));
        assert!((p.z / p.w - 0.98002).abs() < 1e-5);
        let punch = looking_north(90.0, 600, 600).to_screen(Vec3::new(0.0, 3844.0, 1.0));
        assert!((punch.z / punch.w - crate::plan::PUNCH_DEPTH).abs() < 1e-7);
    }

    #[test]
    fn the_matrix_agrees_with_the_projection_of_points() {
        let projection = looking_north(60.0, 1280, 720);
        let point = Vec3::new(3.0, 7.0, -2.0);
        let (screen, clip) = (projection.to_screen(point), projection.to_clip() * point.extend(1.0));
        let ndc = projection.to_ndc(Vec2::new(screen.x, screen.y) / screen.w);
        assert!((ndc - Vec2::new(clip.x, clip.y) / clip.w).length() < 1e-5);
        assert!((screen.z / screen.w - clip.z / clip.w).abs() < 1e-5);
    }

    #[test]
    fn the_law_of_the_field_of_view_gives_the_published_angles() {
        for (aspect, degrees) in [(4.0 / 3.0, 72.97), (16.0 / 9.0, 53.64), (21.0 / 9.0, 40.30)] {
            let fov = retail_fov(90f32.to_radians(), aspect).unwrap().to_degrees();
            assert!((fov - degrees).abs() < 0.01, "{fov}");
        }
        assert!(retail_fov(1.5, 0.1).is_none() && retail_fov(1.5, 0.05).is_none());
    }

    #[test]
    fn a_lens_without_pixels_or_angle_does_not_exist() {
        assert!(Lens::new(1.0, 0, 10).is_none() && Lens::new(0.0, 10, 10).is_none());
        assert!(Lens::new(f32::NAN, 10, 10).is_none() && Lens::new(3.2, 10, 10).is_none());
    }
}
