//! The draw list: one flat list of strictly ordered items, the same for every backend.

use crate::{
    assets::MeshIndex,
    light::PointLight,
    raster::{DrawState, Rect, TextureIndex},
};
use glam::{Mat3, Vec2, Vec3};
use std::ops::Range;
use threshold_view::Projection;
use threshold_world::Frame;

/// From a mesh's space to that of the viewer's block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Transform {
    /// Turn and scale.
    pub matrix: Mat3,
    /// Turn alone, for normals.
    pub rotation: Mat3,
    /// Position of the mesh's origin.
    pub translation: Vec3,
}

impl Transform {
    /// Only moves.
    pub fn at(translation: Vec3) -> Transform {
        Transform { matrix: Mat3::IDENTITY, rotation: Mat3::IDENTITY, translation }
    }

    /// Scales, then places.
    pub fn new(frame: &Frame, scale: Vec3, offset: Vec3) -> Transform {
        let rotation = Mat3::from_cols(frame.rotate(Vec3::X), frame.rotate(Vec3::Y), frame.rotate(Vec3::Z));
        let matrix =
            Mat3::from_cols(rotation.x_axis * scale.x, rotation.y_axis * scale.y, rotation.z_axis * scale.z);
        Transform { matrix, rotation, translation: frame.origin + offset }
    }

    /// A point of the mesh in the viewer's block.
    #[inline]
    pub fn apply(&self, p: Vec3) -> Vec3 {
        self.matrix * p + self.translation
    }
}

/// How vertices are lit.
#[derive(Clone, Debug, PartialEq)]
pub enum Lighting {
    /// Ambient light and the sun, in steps of a byte: terrain.
    Ground {
        /// Ambient light.
        ambient: Vec3,
        /// Towards the sun, as long as it is bright.
        sun: Vec3,
        /// Colour of the sun.
        sun_color: Vec3,
    },
    /// Ambient light and the sun: everything else outdoors.
    Sun {
        /// Ambient light.
        ambient: Vec3,
        /// Towards the sun, as long as it is bright.
        sun: Vec3,
        /// Colour of the sun.
        sun_color: Vec3,
    },
    /// Ambient light and some of [`DrawList::lights`]: indoors.
    Points {
        /// Ambient light.
        ambient: Vec3,
        /// The lights.
        lights: Range<u32>,
    },
}

impl Lighting {
    /// Light on a vertex: emissive + ambient + diffuse · lights, clamped. Spec: render-data §3.5, §9.4.
    #[inline]
    pub fn at(
        &self,
        lights: &[PointLight],
        position: Vec3,
        normal: Vec3,
        emissive: Vec3,
        diffuse: f32,
    ) -> Vec3 {
        let sum = match self {
            Lighting::Ground { ambient, sun, sun_color } | Lighting::Sun { ambient, sun, sun_color } => {
                emissive + *ambient + *sun_color * (normal.dot(*sun).max(0.0) * diffuse)
            }
            Lighting::Points { ambient, lights: run } => {
                let mut shine = Vec3::ZERO;
                for light in &lights[run.start as usize..run.end as usize] {
                    shine += light.on_object(position, normal);
                }
                emissive + *ambient + shine * diffuse
            }
        };
        let sum = sum.clamp(Vec3::ZERO, Vec3::ONE);
        match self {
            // The original keeps the light of the ground as bytes.
            Lighting::Ground { .. } => (sum * 255.0).floor() / 255.0,
            _ => sum,
        }
    }
}

/// The transform and lighting of a draw.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Its place.
    pub transform: Transform,
    /// Index in [`DrawList::lightings`].
    pub lighting: u32,
    /// Light of its own, besides that of its vertices.
    pub emissive: f32,
    /// Share of the lights that it reflects.
    pub diffuse: f32,
    /// Texture coordinates are multiplied by this …
    pub uv_scale: f32,
    /// … and then moved.
    pub uv_offset: Vec2,
}

impl Instance {
    /// An instance with default properties.
    pub fn new(transform: Transform, lighting: u32) -> Instance {
        Instance { transform, lighting, emissive: 0.0, diffuse: 1.0, uv_scale: 1.0, uv_offset: Vec2::ZERO }
    }
}

/// The kind of thing a draw belongs to; for overlays and tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawKind {
    /// Sky and weather.
    Sky,
    /// Terrain.
    Ground,
    /// The shell of a building.
    Shell,
    /// The walls of an interior cell.
    Cell,
    /// Anything that stands in a cell.
    Object,
}

/// Triangles of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Draw {
    /// The mesh.
    pub mesh: MeshIndex,
    /// Vertices that the triangles use.
    pub vertices: Range<u32>,
    /// Their indices.
    pub indices: Range<u32>,
    /// Index in [`DrawList::instances`].
    pub instance: u32,
    /// Texture.
    pub texture: TextureIndex,
    /// State.
    pub state: DrawState,
    /// Pixels outside this rectangle will be covered by later draws and need not be drawn.
    pub bounds: Rect,
    /// What it is.
    pub what: DrawKind,
}

/// One item; a backend may batch, but keeps the order.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// Triangles of a mesh.
    Draw(Draw),
    /// Forget all depth.
    ClearDepth,
    /// Set depth inside a polygon to that of [`PUNCH_DEPTH`](crate::raster::PUNCH_DEPTH).
    Punch(Range<u32>),
    /// Set depth inside a polygon to its own.
    Seal(Range<u32>),
}

/// Linear fog by distance from the eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fog {
    /// Metres at which it begins.
    pub begin: f32,
    /// Metres at which the fog is opaque.
    pub end: f32,
}

impl Fog {
    /// Fraction of an object's own colour that remains at a distance.
    #[inline]
    pub fn clear(&self, distance: f32) -> f32 {
        ((self.end - distance) / (self.end - self.begin)).clamp(0.0, 1.0)
    }
}

/// A frame ready to be drawn. Coordinates are those of the viewer's block.
#[derive(Clone, Debug, Default)]
pub struct DrawList {
    /// Eye and screen; `None` draws only the background.
    pub projection: Option<Projection>,
    /// Colour where nothing is drawn.
    pub background: u32,
    /// Fog, if there is any.
    pub fog: Option<Fog>,
    /// Colour of the fog.
    pub fog_color: u32,
    /// The items, in drawing order.
    pub items: Vec<Item>,
    /// Places.
    pub instances: Vec<Instance>,
    /// Kinds of light.
    pub lightings: Vec<Lighting>,
    /// Point lights.
    pub lights: Vec<PointLight>,
    /// Corners of portal polygons: pixel column × w, pixel row × w, w.
    pub corners: Vec<Vec3>,
}

impl DrawList {
    /// Empties the list and keeps its memory.
    pub fn clear(&mut self) {
        self.projection = None;
        self.fog = None;
        self.items.clear();
        self.instances.clear();
        self.lightings.clear();
        self.lights.clear();
        self.corners.clear();
    }

    /// Triangles in the list.
    pub fn triangle_count(&self) -> usize {
        let triangles = |item: &Item| match item {
            Item::Draw(draw) => draw.indices.len() / 3,
            _ => 0,
        };
        self.items.iter().map(triangles).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn example_16_fog_is_linear_between_its_distances() {
        let fog = Fog { begin: 100.0, end: 300.0 };
        assert_eq!([50.0, 200.0, 400.0].map(|d| fog.clear(d)), [1.0, 0.5, 0.0]);
    }

    #[test]
    fn spec_9_6_light_on_the_ground() {
        let ground = Lighting::Ground {
            ambient: Vec3::new(1.0, 0.8, 0.6) * 0.3,
            sun: Vec3::new(1.0392, 0.0, 0.6),
            sun_color: Vec3::new(1.0, 0.9, 0.5),
        };
        let slope = std::f32::consts::FRAC_1_SQRT_2;
        for (normal, expected) in [
            (Vec3::Z, Vec3::new(0.9, 0.78, 0.48)),
            (Vec3::new(slope, 0.0, slope), Vec3::new(1.0, 1.0, 0.7596)),
            (Vec3::new(-slope, 0.0, slope), Vec3::new(0.3, 0.24, 0.18)),
        ] {
            let light = ground.at(&[], Vec3::ZERO, normal, Vec3::ZERO, 1.0);
            assert!((light - expected).abs().max_element() <= 1.0 / 255.0, "{normal}: {light}");
        }
    }

    #[test]
    fn light_is_clamped_and_diffuse_scales_only_the_lights() {
        let sun = Lighting::Sun { ambient: Vec3::splat(0.25), sun: Vec3::Z, sun_color: Vec3::ONE };
        let at =
            |normal, emissive, diffuse| sun.at(&[], Vec3::ZERO, normal, Vec3::splat(emissive), diffuse).x;
        assert_eq!(
            [at(Vec3::Z, 0.0, 0.5), at(Vec3::Z, 0.5, 1.0), at(Vec3::ZERO, 0.5, 1.0)],
            [0.75, 1.0, 0.75]
        );
    }

    #[test]
    fn a_transform_scales_before_it_turns_and_moves() {
        let frame = Frame::new(Vec3::new(1.0, 0.0, 0.0), threshold_world::Quat::from_heading(90.0));
        let transform = Transform::new(&frame, Vec3::new(2.0, 3.0, 1.0), Vec3::new(0.0, 0.0, 5.0));
        let p = transform.apply(Vec3::new(0.0, 1.0, 0.0));
        assert!((p - Vec3::new(4.0, 0.0, 5.0)).length() < 1e-5, "{p}");
        assert!((transform.rotation * Vec3::Y - Vec3::X).length() < 1e-6);
    }
}
