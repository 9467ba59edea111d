//! Setups: how parts make an object.

use crate::{builder::WorldBuilder, error::BuildError, material::Skin, mesh::Mesh};
use glam::DVec3;
use threshold_dat::{
    DatId,
    records::{AnimationFrame, Color, DegradeInfo, DegradeLevel, Frame, Light, Setup, Sphere},
};

/// The placement used when nothing else is asked for.
pub(super) const DEFAULT_PLACEMENT: i32 = 0;

/// A setup of one part at its own origin, without collision shape.
pub(super) fn single_part(mesh: DatId) -> Setup {
    parts(&[(mesh, DVec3::ZERO)])
}

/// A setup of several parts, each moved.
pub(super) fn parts(list: &[(DatId, DVec3)]) -> Setup {
    let frames = list.iter().map(|(_, at)| moved(*at)).collect();
    Setup {
        parts: list.iter().map(|(mesh, _)| *mesh).collect(),
        placements: vec![(DEFAULT_PLACEMENT, AnimationFrame { parts: frames, hooks: Vec::new() })],
        ..Setup::default()
    }
}

/// A frame that only moves.
pub(super) fn moved(by: DVec3) -> Frame {
    Frame { origin: by.as_vec3().to_array(), ..Frame::IDENTITY }
}

/// A ball around the axis of an upright thing.
pub(super) fn ball(height: f64, radius: f64) -> Sphere {
    Sphere { center: [0.0, 0.0, height as f32], radius: radius as f32 }
}

/// A lamp at a place of the object.
pub(super) fn light(at: DVec3, [red, green, blue]: [u8; 3], intensity: f32, falloff: f32) -> Light {
    Light {
        frame: Frame { origin: at.as_vec3().to_array(), ..Frame::IDENTITY },
        color: Color { red, green, blue, alpha: 255 },
        intensity,
        falloff,
        cone_angle: 0.0,
    }
}

/// Ladder mode that turns a mesh to the viewer.
const FACING: u32 = 2;

/// A square picture that turns to the viewer, so that its edge is never seen.
pub(super) fn facing_picture(world: &mut WorldBuilder, r: f64, skin: Skin) -> Result<DatId, BuildError> {
    let ladder = world.store.reserve::<DegradeInfo>();
    let corners = [(-r, -r), (r, -r), (r, r), (-r, r)].map(|(x, z)| DVec3::new(x, 0.0, z));
    let mesh = world.mesh(Mesh::default().picture(corners, skin, true).degrade(ladder))?;
    let level = DegradeLevel {
        model: mesh,
        mode: FACING,
        min_distance: 60.0,
        ideal_distance: 120.0,
        max_distance: 240.0,
    };
    world.store.put(ladder, &DegradeInfo { levels: vec![level] })?;
    Ok(mesh)
}
