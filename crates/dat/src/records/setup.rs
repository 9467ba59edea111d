//! Objects made of parts: how they fit together, collide and start out. Spec: dat-portal §8.

use super::animation::MAX_PARTS;
use super::{AnimationFrame, Color, CylSphere, DatRecord, Frame, Sphere, Vec3};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::Serialize;

wire_struct! {
    /// A place on a part, such as a hand.
    #[derive(Copy)]
    pub struct Location {
        /// −1 for the whole object.
        pub part: i32,
        /// Relative to the part.
        pub frame: Frame,
    }
}

wire_struct! {
    /// A light that an object carries.
    #[derive(Copy)]
    pub struct Light {
        /// Relative to the object.
        pub frame: Frame,
        /// Of the light itself.
        pub color: Color,
        /// Brightness.
        pub intensity: f32,
        /// Metres.
        pub falloff: f32,
        /// Degrees; 0 for a light in all directions.
        pub cone_angle: f32,
    }
}

wire_struct! {
    /// Default tables and scripts of an object; 0 for none.
    #[derive(Copy, Eq, Default)]
    pub struct SetupDefaults {
        /// 0x03……
        pub animation: DatId,
        /// 0x33……
        pub script: DatId,
        /// 0x09……
        pub motion_table: DatId,
        /// 0x20……
        pub sound_table: DatId,
        /// 0x34……
        pub script_table: DatId,
    }
}

/// An object made of parts.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Setup {
    /// Stored flags; those of the optional parts follow from the parts when written.
    pub flags: u32,
    /// GfxObjs; 0 draws nothing.
    pub parts: Vec<DatId>,
    /// For each part the index of its parent.
    pub parents: Option<Vec<u32>>,
    /// For each part its size; see [`Setup::part_scale`].
    pub scales: Option<Vec<Vec3>>,
    /// Where things are held, by location key.
    pub holding_locations: Vec<(i32, Location)>,
    /// Where this object is held, by location key.
    pub connection_points: Vec<(i32, Location)>,
    /// How the parts lie, by placement key; see [`Setup::placement`].
    pub placements: Vec<(i32, AnimationFrame)>,
    /// Collision shape; if there are any, spheres are not used.
    pub cylinders: Vec<CylSphere>,
    /// Collision shape.
    pub spheres: Vec<Sphere>,
    /// Metres.
    pub height: f32,
    /// Metres.
    pub radius: f32,
    /// How high it can step.
    pub step_up: f32,
    /// How far down it follows the ground.
    pub step_down: f32,
    /// For drawing order.
    pub sorting_sphere: Sphere,
    /// For picking with the mouse.
    pub selection_sphere: Sphere,
    /// Lights, by key.
    pub lights: Vec<(i32, Light)>,
    /// Its defaults.
    pub defaults: SetupDefaults,
}

impl Setup {
    /// The object may turn freely.
    pub const FREE_HEADING: u32 = 4;
    /// Says that some part can be collided with; only advice.
    pub const HAS_PHYSICS_BSP: u32 = 8;
    const HAS_PARENTS: u32 = 1;
    const HAS_SCALES: u32 = 2;

    /// The default placement: resting if present, else the default one.
    pub fn placement(&self) -> Option<&AnimationFrame> {
        let find = |wanted| self.placements.iter().find(|(key, _)| *key == wanted).map(|(_, frame)| frame);
        find(0x65).or_else(|| find(0))
    }

    /// A part's size, with 1 in place of values that cannot be used.
    pub fn part_scale(&self, part: usize) -> Vec3 {
        let stored = self.scales.as_ref().and_then(|scales| scales.get(part)).copied().unwrap_or([1.0; 3]);
        stored.map(|value| if value.is_finite() && value != 0.0 { value } else { 1.0 })
    }

    fn read_shape(r: &mut Reader<'_>, part_count: u32) -> Result<Self> {
        let mut setup = Setup { holding_locations: r.read("holding locations")?, ..Setup::default() };
        setup.connection_points = r.read("connection points")?;
        let offset = r.pos();
        let count: u32 = r.read("placement count")?;
        r.check_count(count.into(), 4 + AnimationFrame::smallest(part_count), offset, "placement count")?;
        setup.placements = r.elements(count as usize, |r| {
            Ok((r.read("placement key")?, AnimationFrame::read(r, part_count)?))
        })?;
        r.note_duplicates("placement key", offset, setup.placements.iter().map(|(key, _)| *key));
        let count = r.count(CylSphere::MIN, "cylinders")?;
        setup.cylinders = r.elements(count, |r| {
            let [x, y, z, radius, height] = r.finite("cylinder")?;
            let cylinder = CylSphere { low: [x, y, z], radius, height };
            repair_negative(r, cylinder.radius, r.pos() - 8, "cylinder radius")?;
            Ok(cylinder)
        })?;
        let count = r.count(Sphere::MIN, "spheres")?;
        setup.spheres = r.elements(count, |r| {
            let sphere = Sphere::read_finite(r, "sphere")?;
            repair_negative(r, sphere.radius, r.pos() - 4, "sphere radius")?;
            Ok(sphere)
        })?;
        Ok(setup)
    }
}

fn repair_negative(r: &mut Reader<'_>, value: f32, offset: usize, field: &'static str) -> Result<()> {
    if value < 0.0 {
        r.repair(field, offset, || format!("{value} is negative; 0 is used"))?;
    }
    Ok(())
}

impl DatRecord for Setup {
    const KIND: RecordKind = RecordKind::Setup;
}

impl Wire for Setup {
    const MIN: usize = 8 + 5 * 4 + 16 + 32 + 4 + 20;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let [flags, part_count]: [u32; 2] = r.read("flags and part count")?;
        if part_count > MAX_PARTS {
            return Err(r.error("part count", offset + 4, format!("{part_count} is more than {MAX_PARTS}")));
        }
        if flags & !0xF != 0 {
            r.note("flags", offset, || format!("unknown bits in {flags:#x}"));
        }
        let has = |flag| flags & flag != 0;
        let count = part_count as usize;
        r.check_count(part_count.into(), 4, offset + 4, "part count")?;
        let parts = r.elements(count, |r| r.read("parts"))?;
        let parents = if has(Self::HAS_PARENTS) {
            r.check_count(part_count.into(), 4, offset + 4, "part count")?;
            Some(r.elements(count, |r| r.read("parents"))?)
        } else {
            None
        };
        let scales = if has(Self::HAS_SCALES) {
            r.check_count(part_count.into(), 12, offset + 4, "part count")?;
            Some(r.elements(count, read_scale)?)
        } else {
            None
        };
        let mut setup = Setup { flags, parts, parents, scales, ..Setup::read_shape(r, part_count)? };
        setup.height = r.read("height")?;
        let radius_at = r.pos();
        setup.radius = r.read("radius")?;
        repair_negative(r, setup.radius, radius_at, "radius")?;
        setup.step_up = r.read("step up")?;
        setup.step_down = r.read("step down")?;
        setup.sorting_sphere = r.read("sorting sphere")?;
        setup.selection_sphere = r.read("selection sphere")?;
        setup.lights = r.read("lights")?;
        setup.defaults = r.read("defaults")?;
        Ok(setup)
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        let mut flags = self.flags & !(Self::HAS_PARENTS | Self::HAS_SCALES);
        let mut lengths = vec![];
        if let Some(parents) = &self.parents {
            flags |= Self::HAS_PARENTS;
            lengths.push(parents.len());
        }
        if let Some(scales) = &self.scales {
            flags |= Self::HAS_SCALES;
            lengths.push(scales.len());
        }
        if let Some(length) = lengths.into_iter().find(|length| *length != self.parts.len()) {
            return Err(
                w.error("parts", format!("{length} parents or scales for {} parts", self.parts.len()))
            );
        }
        w.write(&flags, "flags")?;
        w.write(&self.parts, "parts")?;
        w.elements(self.parents.as_deref().unwrap_or_default(), "parents")?;
        w.elements(self.scales.as_deref().unwrap_or_default(), "scales")?;
        w.write(&self.holding_locations, "holding locations")?;
        w.write(&self.connection_points, "connection points")?;
        w.count_as::<u32>(self.placements.len(), "placement count")?;
        for (key, placement) in &self.placements {
            w.write(key, "placement key")?;
            placement.write(w, self.parts.len())?;
        }
        w.write(&self.cylinders, "cylinders")?;
        w.write(&self.spheres, "spheres")?;
        w.write(&[self.height, self.radius, self.step_up, self.step_down], "measures")?;
        w.write(&self.sorting_sphere, "sorting sphere")?;
        w.write(&self.selection_sphere, "selection sphere")?;
        w.write(&self.lights, "lights")?;
        w.write(&self.defaults, "defaults")
    }
}

fn read_scale(r: &mut Reader<'_>) -> Result<Vec3> {
    let offset = r.pos();
    let scale: Vec3 = r.read("scale")?;
    if scale.contains(&0.0) {
        r.repair("scale", offset, || format!("{scale:?} has a zero; 1 is used"))?;
    }
    Ok(scale)
}
