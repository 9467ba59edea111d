//! Places: an origin and an orientation, alone or together with the cell they are in.

use crate::{CellId, EPSILON, coords::block_offset};
use glam::{Mat3A, Vec3, Vec3A, Vec4};
#[cfg(feature = "serde")]
use serde::{Deserialize, Serialize};

/// A rotation as the game stores it: w first.
///
/// Own code rather than a library's quaternion, whose SIMD paths would give other bits on other machines.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "[f32; 4]", into = "[f32; 4]"))]
pub struct Quat {
    /// Real part.
    pub w: f32,
    /// Imaginary parts.
    pub v: Vec3,
}

impl From<[f32; 4]> for Quat {
    fn from([w, x, y, z]: [f32; 4]) -> Self {
        Quat { w, v: Vec3::new(x, y, z) }
    }
}

impl From<Quat> for [f32; 4] {
    fn from(q: Quat) -> Self {
        [q.w, q.v.x, q.v.y, q.v.z]
    }
}

impl Quat {
    /// No rotation.
    pub const IDENTITY: Quat = Quat { w: 1.0, v: Vec3::ZERO };

    /// Rotation about the vertical axis by `radians`, counter-clockwise seen from above.
    pub fn about_z(radians: f32) -> Quat {
        Quat { w: libm::cosf(radians / 2.0), v: Vec3::new(0.0, 0.0, libm::sinf(radians / 2.0)) }
    }

    /// Rotation about the axis to the right by `radians`; positive ones raise the front.
    pub fn about_x(radians: f32) -> Quat {
        Quat { w: libm::cosf(radians / 2.0), v: Vec3::new(libm::sinf(radians / 2.0), 0.0, 0.0) }
    }

    /// Rotation about an axis by its length in radians; `None` when that is not more than the epsilon.
    #[inline]
    fn from_rotation_vector(by: Vec3) -> Option<Quat> {
        if by == Vec3::ZERO { None } else { Quat::from_nonzero_rotation_vector(by) }
    }

    fn from_nonzero_rotation_vector(by: Vec3) -> Option<Quat> {
        let angle = by.length();
        (angle > EPSILON).then(|| {
            let (sin, cos) = (libm::sinf(angle * 0.5), libm::cosf(angle * 0.5));
            Quat { w: cos, v: by * (sin / angle) }
        })
    }

    /// The orientation that faces `degrees` clockwise from north.
    pub fn from_heading(degrees: f32) -> Quat {
        Quat::about_z(-degrees.to_radians())
    }

    /// The orientation that faces a heading in degrees, its front raised by `pitch` radians, without roll.
    pub fn from_heading_and_pitch(heading: f32, pitch: f32) -> Quat {
        Quat::from_heading(heading) * Quat::about_x(pitch)
    }

    /// Inner product of the four components.
    pub fn dot(self, other: Quat) -> f32 {
        self.w * other.w + self.v.dot(other.v)
    }

    /// Unit length; the identity when there is no direction to keep (zero or not finite).
    pub fn normalized(self) -> Quat {
        let length = self.dot(self).sqrt();
        if length.is_finite() && length > 0.0 { self.scaled(1.0 / length) } else { Quat::IDENTITY }
    }

    /// Whether [`Quat::normalized`] keeps it bit for bit.
    #[inline]
    pub fn is_normalized(self) -> bool {
        self.dot(self).sqrt() == 1.0
    }

    fn scaled(self, s: f32) -> Quat {
        Quat { w: self.w * s, v: self.v * s }
    }

    /// Bitwise equality: unlike `==` this distinguishes −0 from 0, which may show in a matrix made from them.
    #[inline]
    pub fn is_same(self, other: Quat) -> bool {
        let differences = |a: f32, b: f32| a.to_bits() ^ b.to_bits();
        differences(self.w, other.w)
            | differences(self.v.x, other.v.x)
            | differences(self.v.y, other.v.y)
            | differences(self.v.z, other.v.z)
            == 0
    }

    fn to_matrix(self) -> Mat3A {
        let (w, x, y, z) = (self.w, self.v.x, self.v.y, self.v.z);
        Mat3A::from_cols(
            Vec3A::new(1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)),
            Vec3A::new(2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)),
            Vec3A::new(2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)),
        )
    }

    /// Rotation part of the way from `self` to `to`. Retail: `Frame::interpolate_rotation`. Spec: physics §2.9.
    pub fn interpolate(self, to: Quat, t: f32) -> Quat {
        let mut cos = self.dot(to);
        let to = if cos < 0.0 {
            cos = -cos;
            to.scaled(-1.0)
        } else {
            to
        };
        let (mut a, mut b) = (1.0 - t, t);
        if 1.0 - cos > EPSILON {
            let omega = libm::acosf(cos);
            let sin = libm::sinf(omega);
            let weights = (libm::sinf((1.0 - t) * omega) / sin, libm::sinf(t * omega) / sin);
            if (0.0..=1.0).contains(&weights.0) && (0.0..=1.0).contains(&weights.1) {
                (a, b) = weights;
            }
        }
        let (from, to) = (self.scaled(a), to.scaled(b));
        Quat { w: from.w + to.w, v: from.v + to.v }.normalized()
    }
}

impl std::ops::Mul for Quat {
    type Output = Quat;

    /// The rotation that first turns by `other`, then by `self`.
    #[inline]
    fn mul(self, other: Quat) -> Quat {
        Quat {
            w: self.w * other.w - self.v.dot(other.v),
            v: other.v * self.w + self.v * other.w + self.v.cross(other.v),
        }
    }
}

/// An origin and an orientation, with the rotation matrix cached. Serialized bit for bit, without the matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
#[cfg_attr(feature = "serde", serde(from = "PlainFrame", into = "PlainFrame"))]
pub struct Frame {
    /// Where the local origin lies.
    pub origin: Vec3,
    rotation: Quat,
    /// In a form that is worked on a column at a time.
    matrix: Mat3A,
}

/// A frame without what follows from it.
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
struct PlainFrame {
    origin: Vec3,
    rotation: Quat,
}

impl From<Frame> for PlainFrame {
    fn from(frame: Frame) -> PlainFrame {
        PlainFrame { origin: frame.origin, rotation: frame.rotation }
    }
}

impl From<PlainFrame> for Frame {
    fn from(plain: PlainFrame) -> Frame {
        Frame::new(plain.origin, plain.rotation)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Frame::IDENTITY
    }
}

impl Frame {
    /// The identity frame.
    pub const IDENTITY: Frame =
        Frame { origin: Vec3::ZERO, rotation: Quat::IDENTITY, matrix: Mat3A::IDENTITY };

    /// A frame from stored values. A rotation that is unit up to the noise of stored data is kept bit for bit, because the
    /// original normalises only what it computes; any other is normalised.
    pub fn new(origin: Vec3, rotation: Quat) -> Frame {
        let is_unit = (rotation.dot(rotation) - 1.0).abs() <= 1e-5;
        Frame::with_unit(origin, if is_unit { rotation } else { rotation.normalized() })
    }

    fn with_unit(origin: Vec3, rotation: Quat) -> Frame {
        Frame { origin, rotation, matrix: rotation.to_matrix() }
    }

    /// A frame that only moves.
    pub fn at(origin: Vec3) -> Frame {
        Frame { origin, ..Frame::IDENTITY }
    }

    /// The orientation, unit length.
    pub fn rotation(&self) -> Quat {
        self.rotation
    }

    /// Whether up is the same in the frame's space and around it, to the bit.
    #[inline]
    pub fn is_upright(&self) -> bool {
        self.rotation.v.x == 0.0 && self.rotation.v.y == 0.0
    }

    /// Whether up is the same and the other axes are parallel to those around it, but for rounding.
    #[inline]
    pub fn is_quarter_turn(&self) -> bool {
        let x = self.matrix.x_axis;
        self.is_upright() && (x.x.abs() <= 1e-6 || x.y.abs() <= 1e-6)
    }

    /// Like [`Frame::is_quarter_turn`], to the bit: each coordinate depends on one alone of the surrounding space.
    #[inline]
    pub fn is_axis_aligned(&self) -> bool {
        let x = self.matrix.x_axis;
        self.is_upright() && (x.x == 0.0 || x.y == 0.0)
    }

    /// Replaces the orientation, normalising it; false when it is unchanged, bit for bit.
    /// Retail: `Frame::set_rotate`.
    #[inline]
    pub fn set_rotation(&mut self, rotation: Quat) -> bool {
        if rotation.is_same(self.rotation) && rotation.is_normalized() {
            return false;
        }
        let rotation = rotation.normalized();
        let turned = !rotation.is_same(self.rotation);
        if turned {
            *self = Frame::with_unit(self.origin, rotation);
        }
        turned
    }

    /// A direction of the frame's space in the surrounding space.
    #[inline]
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        (self.matrix * Vec3A::from(v)).into()
    }

    /// A direction of the surrounding space in the frame's space.
    #[inline]
    pub fn rotate_inverse(&self, v: impl Into<Vec3A>) -> Vec3 {
        (self.matrix.transpose() * v.into()).into()
    }

    /// A point of the frame's space in the surrounding space. Retail: `Frame::localtoglobal`.
    #[inline]
    pub fn apply(&self, p: Vec3) -> Vec3 {
        self.rotate(p) + self.origin
    }

    /// A point of the surrounding space in the frame's space. Retail: `Frame::globaltolocal`.
    #[inline]
    pub fn apply_inverse(&self, p: impl Into<Vec3A>) -> Vec3 {
        self.rotate_inverse(p.into() - Vec3A::from(self.origin))
    }

    /// `self` applied after `inner`: the frame of something placed at `inner` inside this one. Retail: `Frame::combine`.
    pub fn compose(&self, inner: &Frame) -> Frame {
        Frame::with_unit(self.apply(inner.origin), (self.rotation * inner.rotation).normalized())
    }

    /// Degrees clockwise from north that the frame's +Y axis points to, in 0…360. Retail: `Frame::get_heading`.
    pub fn heading(&self) -> f32 {
        heading_of(self.matrix.y_axis.into())
    }

    /// Turns +Y along a direction, pitch included, with +X level; one shorter than the epsilon changes nothing.
    /// Retail: `Frame::set_vector_heading`. Spec: physics-objects §8.3.
    pub fn face(&mut self, direction: Vec3) {
        let length = direction.length();
        if length >= EPSILON {
            let pitch = libm::asinf((direction.z / length).clamp(-1.0, 1.0));
            self.set_rotation(Quat::from_heading(heading_of(direction)) * Quat::about_x(pitch));
        }
    }

    /// Turns to a heading. How far +Y rises is kept as the rise over a horizontal metre, so that a tilted frame stays
    /// tilted, a little less each time; a roll is lost. Retail: `Frame::set_heading`. Spec: physics-objects §8.3.
    pub fn set_heading(&mut self, degrees: f32) {
        let radians = degrees.to_radians();
        self.face(Vec3::new(libm::sinf(radians), libm::cosf(radians), self.matrix.y_axis.z));
    }

    /// Turns by a rotation vector (an axis, as long as the angle in radians) about the frame's own axes; one shorter
    /// than the epsilon changes nothing. Retail: `Frame::rotate`.
    #[inline]
    pub fn turn(&mut self, by: Vec3) {
        if let Some(rotation) = Quat::from_rotation_vector(by) {
            self.set_rotation(self.rotation * rotation);
        }
    }

    /// Like [`Frame::turn`], about the axes of the surrounding space. Retail: `Frame::grotate`.
    #[inline]
    pub fn turn_globally(&mut self, by: Vec3) {
        if let Some(rotation) = Quat::from_rotation_vector(by) {
            self.set_rotation(rotation * self.rotation);
        }
    }

    /// Whether every number in it is finite.
    #[inline]
    pub fn is_finite(&self) -> bool {
        let Quat { w, v } = self.rotation;
        self.origin.is_finite() && Vec4::new(w, v.x, v.y, v.z).is_finite()
    }
}

/// Degrees clockwise from north of a direction on the map, in 0…360; 90 when it has no horizontal part.
/// Retail: `Vector3::get_heading`.
pub fn heading_of(direction: Vec3) -> f32 {
    (450.0 - libm::atan2f(direction.y, direction.x).to_degrees()) % 360.0
}

/// Like [`heading_of`], but 0 when the direction has no horizontal part.
pub fn heading_or_north(direction: Vec3) -> f32 {
    if libm::hypotf(direction.x, direction.y) < EPSILON { 0.0 } else { heading_of(direction) }
}

/// A frame in the block coordinates of the cell it is in.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize, Deserialize))]
pub struct Position {
    /// The cell; its block is the one the origin counts from.
    pub cell: CellId,
    /// Place and orientation.
    pub frame: Frame,
}

impl Position {
    /// A position.
    pub fn new(cell: CellId, frame: Frame) -> Position {
        Position { cell, frame }
    }

    /// Vector from here to `other`, whatever blocks they are in. Retail: `Position::get_offset`.
    #[inline]
    pub fn offset_to(&self, other: &Position) -> Vec3 {
        other.frame.origin + block_offset(self.cell, other.cell) - self.frame.origin
    }

    /// Distance to `other`, whatever blocks they are in.
    pub fn distance_to(&self, other: &Position) -> f32 {
        self.offset_to(other).length()
    }

    /// A point of `other`'s frame in this position's block coordinates. Retail: `Position::localtoglobal`.
    #[inline]
    pub fn block_point_of(&self, other: &Position, p: Vec3) -> Vec3 {
        other.frame.apply(p) + block_offset(self.cell, other.cell)
    }

    /// A point of `other`'s frame in this position's frame. Retail: `Position::localtolocal`.
    #[inline]
    pub fn local_point_of(&self, other: &Position, p: Vec3) -> Vec3 {
        self.frame.apply_inverse(self.block_point_of(other, p))
    }

    /// Same cell, and place and orientation equal within the epsilon. Spec: physics §2.1.
    #[inline]
    pub fn nearly_equals(&self, other: &Position) -> bool {
        let (a, b) = (&self.frame, &other.frame);
        let near = |x: f32, y: f32| (x - y).abs() <= EPSILON;
        self.cell == other.cell
            && near(a.origin.x, b.origin.x)
            && near(a.origin.y, b.origin.y)
            && near(a.origin.z, b.origin.z)
            && [
                a.rotation.w - b.rotation.w,
                a.rotation.v.x - b.rotation.v.x,
                a.rotation.v.y - b.rotation.v.y,
                a.rotation.v.z - b.rotation.v.z,
            ]
            .iter()
            .all(|d| d.abs() < EPSILON)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f32::consts::FRAC_1_SQRT_2;

    fn frames() -> impl Strategy<Value = Frame> {
        let rotation = prop::array::uniform4(-1.0f32..1.0)
            .prop_filter("has a direction", |q| q.iter().map(|v| v * v).sum::<f32>() > 0.01);
        (prop::array::uniform3(-200.0f32..400.0), rotation).prop_map(|(o, q)| Frame::new(o.into(), q.into()))
    }

    fn positions() -> impl Strategy<Value = Position> {
        (0u8..255, 0u8..255, frames())
            .prop_map(|(x, y, frame)| Position::new(crate::BlockId::new(x, y).cell(0x101), frame))
    }

    proptest! {
        #[test]
        fn into_a_frame_and_out_again(frame in frames(), p in prop::array::uniform3(-50.0f32..50.0)) {
            let p = Vec3::from(p);
            prop_assert!((frame.apply_inverse(frame.apply(p)) - p).length() < 1e-3);
            prop_assert!((frame.apply(frame.apply_inverse(p)) - p).length() < 1e-3);
            prop_assert!((frame.rotate(p).length() - p.length()).abs() < 1e-3);
        }

        #[test]
        fn a_frame_inside_a_frame(a in frames(), b in frames(), p in prop::array::uniform3(-50.0f32..50.0)) {
            let p = Vec3::from(p);
            prop_assert!((a.compose(&b).apply(p) - a.apply(b.apply(p))).length() < 5e-3);
        }

        #[test]
        fn between_positions_and_back(a in positions(), step in (-3i16..=3, -3i16..=3), b in frames(), p in prop::array::uniform3(-50.0f32..50.0)) {
            // Neighbouring blocks: across the whole map few digits are left.
            let (x, y) = (i16::from(a.cell.block().x()) + step.0, i16::from(a.cell.block().y()) + step.1);
            prop_assume!((0..255).contains(&x) && (0..255).contains(&y));
            let b = Position::new(crate::BlockId::new(x as u8, y as u8).cell(1), b);
            let p = Vec3::from(p);
            let there = a.local_point_of(&b, p);
            prop_assert!((b.local_point_of(&a, there) - p).length() < 5e-3);
            prop_assert!((a.block_point_of(&b, p) - a.frame.apply(there)).length() < 5e-3);
        }

        #[test]
        fn headings_are_read_back(degrees in 0.0f32..359.9) {
            let read = Frame::new(Vec3::ZERO, Quat::from_heading(degrees)).heading();
            let apart = (read - degrees).abs();
            prop_assert!(apart.min(360.0 - apart) < 0.01, "{read}");
        }

        #[test]
        fn turning_part_of_the_way_begins_and_ends_where_it_should(a in frames(), b in frames()) {
            let (from, to) = (a.rotation(), b.rotation());
            // A rotation and its negation are the same turn.
            let apart = |x: Quat, y: Quat| 1.0 - x.dot(y).abs();
            prop_assert!(apart(from.interpolate(to, 0.0), from) < 1e-5);
            prop_assert!(apart(from.interpolate(to, 1.0), to) < 1e-5);
            let half = from.interpolate(to, 0.5);
            prop_assert!((apart(half, from) - apart(half, to)).abs() < 1e-3);
        }
    }

    #[test]
    fn facing_along_a_direction_raises_the_front_and_keeps_the_right_level() {
        // 36.87° east of north and 45° up.
        let mut frame = Frame::new(Vec3::ONE, Quat::from_heading(200.0));
        frame.face(Vec3::new(3.0, 4.0, 5.0));
        let near = |a: Vec3, b: [f32; 3]| (a - Vec3::from(b)).abs().max_element() < 1e-6;
        assert!(near(frame.rotate(Vec3::Y), [0.6, 0.8, 1.0].map(|x| x * FRAC_1_SQRT_2)));
        assert!(near(frame.rotate(Vec3::X), [0.8, -0.6, 0.0]));
        assert!(near(frame.rotate(Vec3::Z), [-0.6, -0.8, 1.0].map(|x| x * FRAC_1_SQRT_2)));
        assert!((frame.heading() - 36.869_9).abs() < 1e-4);
        assert_eq!(frame.origin, Vec3::ONE);
        // Straight down there is no heading left: east, as in the original.
        frame.face(Vec3::new(0.0, 0.0, -2.0));
        assert!(
            near(frame.rotate(Vec3::Y), [0.0, 0.0, -1.0]) && near(frame.rotate(Vec3::X), [0.0, -1.0, 0.0])
        );
        let before = frame;
        frame.face(Vec3::new(0.000_1, 0.0, 0.000_1));
        assert_eq!(frame, before, "too short to be a direction");
    }

    #[test]
    fn setting_a_heading_keeps_a_tilt() {
        let mut frame = Frame::IDENTITY;
        frame.set_heading(90.0);
        assert!((frame.rotate(Vec3::Y) - Vec3::X).length() < 1e-6, "upright stays upright");
        // Rises by 0.6: the new front is (1, 0, 0.6), which has the length 1.16619.
        frame.face(Vec3::new(0.0, 0.8, 0.6));
        frame.set_heading(90.0);
        assert!((frame.rotate(Vec3::Y) - Vec3::new(0.857_493, 0.0, 0.514_496)).length() < 1e-5);
        assert!((frame.rotate(Vec3::X) - Vec3::NEG_Y).length() < 1e-6);
    }

    #[test]
    fn what_is_no_rotation_is_the_identity() {
        for broken in [[0.0; 4], [f32::NAN, 0.0, 0.0, 0.0], [f32::INFINITY, 0.0, 0.0, 1.0]] {
            assert_eq!(Frame::new(Vec3::ONE, broken.into()).rotation(), Quat::IDENTITY);
        }
    }
}
