//! Scenery: trees, rocks and flowers that grow by formula. Spec: render-data §10.
//!
//! Nothing is drawn from a running generator: what grows at a sample depends on its place on the map alone. A block
//! that is loaded carries what grows on it ([`Landblock::scenery`]).

use crate::{
    CellId, Frame, Library, Position, Quat,
    coords::{BLOCK_SIDE, CELL_SIDE},
    frame::heading_or_north,
    geometry::Sphere,
    landblock::Landblock,
    model::Model,
    terrain::{Terrain, cell_index_at},
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::{
    DatId, Error,
    records::{Region, SceneObject},
};

/// 2⁻³².
const UNIT: f64 = 1.0 / 4_294_967_296.0;

/// An object that grew.
#[derive(Clone, Debug)]
pub struct Growth {
    /// What it is.
    pub model: Arc<Model>,
    /// The land cell it stands in.
    pub cell: CellId,
    /// Where it stands, in block coordinates.
    pub origin: Vec3,
    /// How it is turned.
    pub rotation: Quat,
    /// Its size.
    pub scale: f32,
}

impl Growth {
    /// Its place.
    pub fn position(&self) -> Position {
        Position::new(self.cell, Frame::new(self.origin, self.rotation))
    }
}

/// A sample of the map, by which everything at it is decided.
#[derive(Clone, Copy)]
struct Sample {
    x: u32,
    y: u32,
}

impl Sample {
    /// Which of a scene type's scenes grows here.
    fn scene(self, count: usize) -> usize {
        let Sample { x, y } = self;
        let a = y
            .wrapping_mul(712_977_289u32.wrapping_mul(x).wrapping_add(1_813_693_831))
            .wrapping_sub(1_109_124_029u32.wrapping_mul(x))
            .wrapping_add(2_139_937_281);
        let index = (count as f64 * f64::from(a) * UNIT) as usize;
        if index < count { index } else { 0 }
    }

    /// A number in 0…1 for the `object`th object of a scene and one of its properties.
    fn chance(self, object: u32, property: u32) -> f64 {
        let Sample { x, y } = self;
        let h =
            1_813_693_831u32
                .wrapping_mul(y)
                .wrapping_sub(object.wrapping_add(property).wrapping_mul(
                    1_360_117_743u32.wrapping_mul(x).wrapping_mul(y).wrapping_add(1_888_038_839),
                ))
                .wrapping_sub(1_109_124_029u32.wrapping_mul(x));
        f64::from(h) * UNIT
    }

    /// The quarter turn that all objects of a sample share.
    fn turn(self) -> f64 {
        let Sample { x, y } = self;
        let q = 1_813_693_831u32
            .wrapping_mul(y)
            .wrapping_sub(x.wrapping_mul(1_870_387_557u32.wrapping_mul(y).wrapping_add(1_109_124_029)))
            .wrapping_sub(402_451_965);
        f64::from(q) * UNIT
    }

    /// Offset of an object from the sample. Retail: `ObjectDesc::Place` (0x005A5BB0).
    fn offset(self, index: u32, object: &SceneObject) -> (f32, f32) {
        let [bx, by, _] = object.object.frame.origin;
        let [ax, ay] = object.displace;
        let shift = |base: f32, reach: f32, property: u32| {
            if reach > 0.0 { (self.chance(index, property) * f64::from(reach)) as f32 + base } else { base }
        };
        let (dx, dy) = (shift(bx, ax, 45_773), shift(by, ay, 72_719));
        match self.turn() {
            q if q >= 0.75 => (dy, -dx),
            q if q >= 0.5 => (-dx, -dy),
            q if q >= 0.25 => (-dy, dx),
            _ => (dx, dy),
        }
    }
}

/// Everything that grows on a block; what grows there already is not looked at. An error means that the library's
/// source could not answer now.
///
/// Retail: `CLandBlock::get_land_scenes` (0x00530460).
pub fn grow(block: &Landblock, library: &Library) -> Result<Vec<Growth>, Error> {
    let mut grown = Vec::new();
    let Some(region) = library.region()? else { return Ok(grown) };
    for index in 0..81 {
        let (x, y) = (index as u32 / 9, index as u32 % 9);
        let sample = Sample { x: u32::from(block.id.x()) * 8 + x, y: u32::from(block.id.y()) * 8 + y };
        let scenes = scenes_at(&region, &block.terrain, index);
        let chosen = if scenes.len() == 1 { 0 } else { sample.scene(scenes.len()) };
        let Some(&id) = scenes.get(chosen) else { continue };
        let Some(scene) = library.scene(id)? else { continue };
        for (j, object) in (0..).zip(&scene.objects) {
            let grows = sample.chance(j, 23_399) < f64::from(object.frequency);
            if !grows || object.weenie != 0 || object.object.model == DatId(0) {
                continue;
            }
            let (dx, dy) = sample.offset(j, object);
            let origin = Vec3::new(x as f32 * CELL_SIDE + dx, y as f32 * CELL_SIDE + dy, 0.0);
            let Some((cell, origin, normal)) = stand(block, origin) else { continue };
            if !(object.min_slope <= normal.z && normal.z <= object.max_slope) {
                continue;
            }
            let frame = Frame::new(origin, rotation(sample, j, object, normal));
            let model = library.model(object.object.model)?;
            if let Some(model) = model.filter(|model| within_block(model, &frame)) {
                grown.push(Growth {
                    model,
                    cell: block.id.cell(cell as u16 + 1),
                    origin,
                    rotation: frame.rotation(),
                    scale: scale(sample, j, object),
                });
            }
        }
    }
    Ok(grown)
}

/// Scenes that may grow at a sample of a block, of which its place on the map chooses one.
fn scenes_at<'r>(region: &'r Region, terrain: &Terrain, index: usize) -> &'r [DatId] {
    let scene_types = region.scene_types.as_deref().unwrap_or_default();
    let kind = region.terrain_types.get(usize::from(terrain.terrain_type(index)));
    let scene_type = kind.and_then(|kind| kind.scene_types.get(usize::from(terrain.scenery(index))));
    let scene_type = scene_type.and_then(|&scene_type| scene_types.get(scene_type as usize));
    scene_type.map_or(&[], |scene_type| &scene_type.scenes)
}

/// The cell, ground point and ground normal at a place, where something may grow.
fn stand(block: &Landblock, origin: Vec3) -> Option<(usize, Vec3, Vec3)> {
    let inside = |v: f32| (0.0..BLOCK_SIDE).contains(&v);
    if !inside(origin.x) || !inside(origin.y) {
        return None;
    }
    let cell = cell_index_at(origin)?;
    if on_road(&block.terrain, cell, origin) || block.cell_buildings[cell].is_some() {
        return None;
    }
    let plane = block.terrain.plane(cell, block.terrain.triangle_under(cell, origin)?);
    let z = -(plane.normal.x * origin.x + plane.normal.y * origin.y + plane.d) / plane.normal.z;
    z.is_finite().then_some((cell, Vec3::new(origin.x, origin.y, z), plane.normal))
}

/// Whether a point lies on one of the roads that cross its cell. Spec: render-data §10.1.
fn on_road(terrain: &Terrain, cell: usize, p: Vec3) -> bool {
    let [sw, se, nw, ne] = terrain.corner_samples(cell).map(|sample| terrain.road(sample) != 0);
    let (u, v) = (p.x - (cell / 8) as f32 * CELL_SIDE, p.y - (cell % 8) as f32 * CELL_SIDE);
    let (near, far, side) = (5.0, 19.0, CELL_SIDE);
    let (west, south, east, north) = (u < near, v < near, u > far, v > far);
    match (sw, nw, se, ne) {
        (true, true, true, true) => true,
        (true, true, true, false) => west || south,
        (true, true, false, true) => west || north,
        (true, false, true, true) => east || south,
        (false, true, true, true) => east || north,
        (true, true, false, false) => west,
        (true, false, true, false) => south,
        (false, true, false, true) => north,
        (false, false, true, true) => east,
        (true, false, false, true) => (u - v).abs() < near,
        (false, true, true, false) => (u + v - side).abs() < near,
        (true, false, false, false) => u + v < near,
        (false, true, false, false) => side + u - v < near,
        (false, false, true, false) => side - u + v < near,
        (false, false, false, true) => 2.0 * side - u - v < near,
        (false, false, false, false) => false,
    }
}

/// An orientation turned to a heading; it keeps how far its front points up. Retail: `Frame::set_heading`.
fn with_heading(base: Quat, heading: f32) -> Quat {
    let rise = Frame::new(Vec3::ZERO, base).rotate(Vec3::Y).z;
    let radians = heading.to_radians();
    let forward = Vec3::new(libm::sinf(radians), libm::cosf(radians), rise);
    let forward = forward / forward.length();
    Quat::from_heading_and_pitch(heading_or_north(forward), libm::asinf(forward.z))
}

/// Retail: `ObjectDesc::GetObjFrame`, `ObjAlign`.
fn rotation(sample: Sample, index: u32, object: &SceneObject, normal: Vec3) -> Quat {
    let base = Quat::from(object.object.frame.orientation());
    if object.align != 0 {
        with_heading(base, heading_or_north(-normal))
    } else if object.max_rotation > 0.0 {
        let turn = sample.chance(index, 63_127) * f64::from(object.max_rotation);
        with_heading(base, turn as f32)
    } else {
        base
    }
}

/// Retail: `ObjectDesc::ScaleObj`.
fn scale(sample: Sample, index: u32, object: &SceneObject) -> f32 {
    let usable = |v: f32| if v.is_finite() && v > 0.0 { v } else { 1.0 };
    let (a, b) = (usable(object.min_scale), usable(object.max_scale));
    let (min, max) = (a.min(b), a.max(b));
    if min == max {
        return min;
    }
    let part = sample.chance(index, 32_593);
    (f64::from(min) * libm::pow(f64::from(max) / f64::from(min), part)) as f32
}

/// Whether an object at scale 1 lies within its block. Retail: `CPhysicsObj::obj_within_block` (0x00511030).
/// Spec: render-data §10.2.
fn within_block(model: &Model, frame: &Frame) -> bool {
    let fits = |center: Vec3, radius: f32| {
        let p = frame.apply(center);
        let inside = |v: f32| radius <= v && v < BLOCK_SIDE - radius;
        inside(p.x) && inside(p.y)
    };
    let sphere = |s: &Sphere| fits(s.center, s.radius);
    if model.has_physics_mesh() {
        sphere(&model.sorting_sphere)
    } else if !model.cylinders.is_empty() {
        model.cylinders.iter().all(|c| fits(c.low, c.radius))
    } else if !model.spheres.is_empty() {
        sphere(&model.sorting_sphere)
    } else {
        fits(Vec3::ZERO, 0.0)
    }
}

#[cfg(test)]
mod tests;
