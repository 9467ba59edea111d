//! The small shapes that records are made of.

use crate::DatId;
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// x (east), y (north), z (up), in metres.
pub type Vec3 = [f32; 3];

/// w, x, y, z: the order of the file.
pub type Quat = [f32; 4];

/// A placement: first turn, then move.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Frame {
    /// Position of the object's own origin.
    pub origin: Vec3,
    /// As stored; use [`Frame::orientation`] to rotate by it.
    pub rotation: Quat,
}

impl Frame {
    /// No movement and no turn.
    pub const IDENTITY: Frame = Frame { origin: [0.0; 3], rotation: [1.0, 0.0, 0.0, 0.0] };

    /// The rotation at unit length; identity when the stored value is not a rotation.
    pub fn orientation(&self) -> Quat {
        let [w, x, y, z] = self.rotation;
        let length = (w * w + x * x + y * y + z * z).sqrt();
        if length > 0.0 && length.is_finite() {
            [w / length, x / length, y / length, z / length]
        } else {
            Frame::IDENTITY.rotation
        }
    }

    /// False for a placement that has no place: the object is to be skipped.
    pub fn is_placed(&self) -> bool {
        self.origin.iter().all(|value| value.is_finite())
    }

    fn read_rotation(r: &mut Reader<'_>, field: &'static str) -> Result<Quat> {
        let offset = r.pos();
        let rotation: Quat = r.floats(field)?;
        let length: f32 = rotation.iter().map(|value| value * value).sum();
        if !(length.is_finite() && length > 0.0) {
            r.repair(field, offset, || format!("{rotation:?} is no rotation; identity is used"))?;
        }
        Ok(rotation)
    }

    /// A placement of which one object among others depends: without a place only that object is skipped.
    pub(crate) fn read_skippable(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        Ok(Frame { origin: r.read(field)?, rotation: Frame::read_rotation(r, field)? })
    }

    /// A placement that must be valid throughout.
    pub(crate) fn read_finite(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let frame: Frame = r.read(field)?;
        if !frame.rotation.iter().all(|value| value.is_finite()) {
            let problem = format!("rotation {:?} is not finite", frame.rotation);
            return Err(r.error(field, r.pos() - 16, problem));
        }
        Ok(frame)
    }
}

impl Default for Frame {
    fn default() -> Self {
        Frame::IDENTITY
    }
}

impl Wire for Frame {
    const MIN: usize = 28;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        Ok(Frame { origin: r.finite(field)?, rotation: Frame::read_rotation(r, field)? })
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.write(&self.origin, field)?;
        w.write(&self.rotation, field)
    }
}

/// Points with n·p + d > 0 are on the positive side.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Plane {
    /// Direction of the positive side.
    pub normal: Vec3,
    /// Signed distance of the coordinate origin.
    pub d: f32,
}

impl Wire for Plane {
    const MIN: usize = 16;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let offset = r.pos();
        let [x, y, z, d] = r.finite(field)?;
        let plane = Plane { normal: [x, y, z], d };
        if r.examines() {
            let length = plane.normal.iter().map(|value| value * value).sum::<f32>().sqrt();
            if !(0.9..=1.1).contains(&length) {
                r.note(field, offset, || format!("the normal has length {length}"));
            }
        }
        Ok(plane)
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.write(&self.normal, field)?;
        w.write(&self.d, field)
    }
}

wire_struct! {
    /// A ball.
    #[derive(Copy, Default)]
    pub struct Sphere {
        /// Its middle.
        pub center: Vec3,
        /// Metres.
        pub radius: f32,
    }
}

impl Sphere {
    /// A sphere that geometry depends on.
    pub(crate) fn read_finite(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let [x, y, z, radius] = r.finite(field)?;
        Ok(Sphere { center: [x, y, z], radius })
    }
}

wire_struct! {
    /// An upright cylinder, as creatures and trees have it.
    #[derive(Copy, Default)]
    pub struct CylSphere {
        /// Middle of the base.
        pub low: Vec3,
        /// Metres.
        pub radius: f32,
        /// From the base up.
        pub height: f32,
    }
}

/// A model and its frame, in landblock space wherever records place objects.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct PlacedObject {
    /// GfxObj or Setup.
    pub model: DatId,
    /// Skip the object unless [`Frame::is_placed`].
    pub frame: Frame,
}

impl Wire for PlacedObject {
    const MIN: usize = 32;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        Ok(PlacedObject { model: r.read(field)?, frame: Frame::read_skippable(r, field)? })
    }

    fn write(&self, w: &mut Writer<'_>, field: &'static str) -> Result<()> {
        w.write(&self.model, field)?;
        w.write(&self.frame, field)
    }
}

/// A colour in the file's byte order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[allow(missing_docs)] // The channels.
pub struct Color {
    pub blue: u8,
    pub green: u8,
    pub red: u8,
    pub alpha: u8,
}

impl std::fmt::Display for Color {
    /// `#AARRGGBB`.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Color { blue, green, red, alpha } = self;
        write!(f, "#{alpha:02X}{red:02X}{green:02X}{blue:02X}")
    }
}

#[cfg(feature = "serde")]
impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl Wire for Color {
    const MIN: usize = 4;

    fn read(r: &mut Reader<'_>, field: &'static str) -> Result<Self> {
        let [blue, green, red, alpha] = r.chunk(field)?;
        Ok(Color { blue, green, red, alpha })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.raw(&[self.blue, self.green, self.red, self.alpha]);
        Ok(())
    }
}
