//! Scenery rules.

use super::{setup::single_part, skins::Skins, terrain::kind};
use crate::{
    builder::WorldBuilder,
    error::BuildError,
    geom::Convex,
    mesh::{Face, Mesh},
    texture::hash,
    vertices::Corner,
};
use glam::{DVec2, DVec3};
use threshold_dat::{
    DatId,
    records::{
        CylSphere, DegradeInfo, DegradeLevel, Frame, PlacedObject, Scene, SceneObject, SceneType, Setup,
        Sphere,
    },
};

/// Scenery codes that terrain types offer, in this order.
const NOTHING: u8 = 0;
const MEADOW: u8 = 1;
const GROVE: u8 = 2;
const WOOD: u8 = 3;
const STONES: u8 = 4;

/// Number of scenery codes.
pub(super) const CODES: u32 = 5;

/// The scenery code of a sample.
pub(super) fn code(terrain: u8, i: i32, j: i32, tended: bool) -> u8 {
    let roll = hash(21, i as u32, j as u32);
    match terrain {
        _ if tended => NOTHING,
        kind::FOREST => WOOD,
        kind::GRASS | kind::LUSH_GRASS if roll < 0.3 => GROVE,
        kind::GRASS | kind::LUSH_GRASS | kind::PATCHY_GRASS => MEADOW,
        kind::ROCK | kind::SEMI_BARREN if roll < 0.6 => STONES,
        kind::SEMI_BARREN => GROVE,
        kind::SAND if roll < 0.2 => STONES,
        _ => NOTHING,
    }
}

/// Trees and bushes that the village plants too.
pub(super) struct Plants {
    pub(super) oak: DatId,
    pub(super) fir: DatId,
    pub(super) bush: DatId,
}

/// Makes all plants and rocks; returns those for gardens, and the scene types by code.
pub(super) fn make(world: &mut WorldBuilder, skins: &Skins) -> Result<(Plants, Vec<SceneType>), BuildError> {
    let (oak, maple) = (oak_mesh(skins.bark, skins.leaves), oak_mesh(skins.bark, skins.autumn));
    let (oak, maple, fir) = (world.mesh(&oak)?, world.mesh(&maple)?, fir_with_ladder(world, skins)?);
    let (oak, maple) = (tree(world, oak, (0.35, 8.0))?, tree(world, maple, (0.35, 8.0))?);
    let fir = tree(world, fir, (0.3, 11.0))?;
    let bush = world.mesh(&clump(skins.leaves, 1.1, 1.0, 3))?;
    let tuft = world.mesh(&clump(skins.tuft, 0.5, 0.45, 2))?;
    let flowers = world.mesh(&clump(skins.flowers, 0.4, 0.4, 2))?;
    let boulder = world.mesh(&boulder_mesh(skins))?;

    let meadow = world.store.add(&Scene {
        objects: vec![
            grows(tuft, 0.9, 11.0, (0.8, 1.5)),
            grows(tuft, 0.8, 11.0, (0.8, 1.5)),
            grows(flowers, 0.6, 11.0, (0.8, 1.4)),
            grows(tuft, 0.7, 11.0, (0.8, 1.5)),
            grows(bush, 0.06, 10.0, (0.7, 1.2)),
        ],
    })?;
    let grove = world.store.add(&Scene {
        objects: vec![
            grows(oak, 0.5, 10.0, (0.8, 1.3)),
            grows(tuft, 0.8, 11.0, (0.8, 1.5)),
            grows(flowers, 0.4, 11.0, (0.8, 1.4)),
            grows(bush, 0.25, 10.0, (0.7, 1.3)),
        ],
    })?;
    let orchard = world.store.add(&Scene {
        objects: vec![grows(maple, 0.6, 9.0, (0.8, 1.1)), grows(tuft, 0.8, 11.0, (0.8, 1.5))],
    })?;
    let wood = world.store.add(&Scene {
        objects: vec![
            grows(fir, 0.85, 11.0, (0.8, 1.4)),
            grows(oak, 0.35, 11.0, (0.9, 1.4)),
            grows(bush, 0.3, 11.0, (0.6, 1.1)),
            grows(fir, 0.5, 11.0, (0.7, 1.2)),
        ],
    })?;
    let stones = world.store.add(&Scene {
        objects: vec![grows(boulder, 0.5, 10.0, (0.5, 1.6)), grows(tuft, 0.4, 10.0, (0.7, 1.1))],
    })?;
    let scene = |scenes: &[DatId]| SceneType { sound: u32::MAX, scenes: scenes.to_vec() };
    let types =
        vec![scene(&[]), scene(&[meadow]), scene(&[grove, grove, orchard]), scene(&[wood]), scene(&[stones])];
    Ok((Plants { oak, fir, bush }, types))
}

/// A plant of a scene: chance, metres around the sample, sizes.
fn grows(model: DatId, frequency: f32, spread: f32, (min_scale, max_scale): (f32, f32)) -> SceneObject {
    SceneObject {
        object: PlacedObject { model, frame: Frame::IDENTITY },
        frequency,
        displace: [spread, spread],
        min_scale,
        max_scale,
        max_rotation: 360.0,
        min_slope: 0.75,
        max_slope: 1.0,
        align: 0,
        orient: 0,
        weenie: 0,
    }
}

/// A tree: its trunk can be walked into.
fn tree(world: &mut WorldBuilder, mesh: DatId, (radius, height): (f32, f32)) -> Result<DatId, BuildError> {
    let bounds = Sphere { center: [0.0, 0.0, height / 2.0], radius: height * 0.6 };
    let setup = Setup {
        cylinders: vec![CylSphere { low: [0.0; 3], radius, height }],
        height,
        radius,
        sorting_sphere: bounds,
        selection_sphere: bounds,
        ..single_part(mesh)
    };
    Ok(world.store.add(&setup)?)
}

/// A fir that becomes a flat picture, turned towards the viewer, in the distance.
fn fir_with_ladder(world: &mut WorldBuilder, skins: &Skins) -> Result<DatId, BuildError> {
    let mut flat = Mesh::default();
    let corners = [(-2.4, 0.6), (2.4, 0.6), (2.4, 11.0), (-2.4, 11.0)].map(|(x, z)| DVec3::new(x, 0.0, z));
    flat.picture(corners, skins.fir, true);
    let far = world.mesh(&flat)?;
    let ladder = world.store.reserve::<DegradeInfo>();
    let near = world.mesh(fir_mesh(skins).degrade(ladder))?;
    world.store.put(ladder, &DegradeInfo { levels: vec![level(near, 1, 40.0), level(far, 5, 400.0)] })?;
    Ok(near)
}

fn level(model: DatId, mode: u32, ideal: f32) -> DegradeLevel {
    DegradeLevel { model, mode, min_distance: ideal / 2.0, ideal_distance: ideal, max_distance: ideal * 2.0 }
}

/// A tapering trunk with smooth sides.
fn trunk(mesh: &mut Mesh, skin: crate::Skin, (bottom, top): (f64, f64), height: f64) {
    let sides = 7;
    let ring = |i: u32| {
        let a = f64::from(i) / f64::from(sides) * std::f64::consts::TAU;
        DVec3::new(libm::cos(a), libm::sin(a), 0.0)
    };
    for i in 0..sides {
        let (a, b) = (ring(i), ring(i + 1));
        let (u0, u1) = (f64::from(i) / 3.0, f64::from(i + 1) / 3.0);
        let corner = |n: DVec3, r: f64, z: f64, u: f64| Corner {
            place: n * r + DVec3::Z * z,
            normal: n,
            uv: DVec2::new(u, (height - z) / 1.5),
        };
        mesh.face(Face {
            corners: vec![
                corner(a, bottom, -0.5, u0),
                corner(b, bottom, -0.5, u1),
                corner(b, top, height, u1),
                corner(a, top, height, u0),
            ],
            skin,
            two_sided: false,
        });
    }
}

/// Upright pictures that cross in the middle.
fn crossed(
    mesh: &mut Mesh,
    skin: crate::Skin,
    at: DVec3,
    (width, height): (f64, f64),
    count: u32,
    turn: f64,
) {
    for i in 0..count {
        let a = turn + f64::from(i) / f64::from(count) * std::f64::consts::PI;
        let side = DVec3::new(libm::cos(a), libm::sin(a), 0.0) * (width / 2.0);
        let up = DVec3::Z * height;
        mesh.picture([at - side, at + side, at + side + up, at - side + up], skin, true);
    }
}

fn oak_mesh(bark: crate::Skin, leaves: crate::Skin) -> Mesh {
    let mut mesh = Mesh::default();
    trunk(&mut mesh, bark, (0.4, 0.22), 4.2);
    crossed(&mut mesh, leaves, DVec3::new(0.0, 0.0, 2.4), (6.0, 5.6), 3, 0.2);
    for (i, (x, y, z)) in
        [(1.5, 0.4, 3.0), (-1.2, 1.2, 3.4), (-0.4, -1.6, 2.8), (0.3, 0.2, 5.0)].into_iter().enumerate()
    {
        crossed(&mut mesh, leaves, DVec3::new(x, y, z), (3.6, 3.2), 2, i as f64 * 0.7);
    }
    // A lid of leaves, so that the crown is closed from above.
    let lid = |z: f64, r: f64| [(-r, -r), (r, -r), (r, r), (-r, r)].map(|(x, y)| DVec3::new(x, y, z));
    mesh.picture(lid(5.6, 2.4), leaves, true);
    mesh
}

fn fir_mesh(skins: &Skins) -> Mesh {
    let mut mesh = Mesh::default();
    trunk(&mut mesh, skins.bark, (0.28, 0.1), 3.0);
    crossed(&mut mesh, skins.fir, DVec3::new(0.0, 0.0, 0.6), (5.0, 10.4), 4, 0.0);
    mesh
}

fn clump(skin: crate::Skin, width: f64, height: f64, count: u32) -> Mesh {
    let mut mesh = Mesh::default();
    crossed(&mut mesh, skin, DVec3::new(0.0, 0.0, -0.05), (width, height), count, 0.4);
    mesh
}

/// A boulder: a squat block whose top is smaller and turned.
fn boulder_mesh(skins: &Skins) -> Mesh {
    let ring = |r: f64, z: f64, lean: f64| -> Vec<DVec3> {
        (0..7)
            .map(|i| {
                let a = f64::from(i) / 7.0 * std::f64::consts::TAU;
                DVec3::new(r * libm::cos(a) + lean, 0.8 * r * libm::sin(a), z)
            })
            .collect()
    };
    let mut mesh = Mesh::default();
    let lower = Convex::between(&ring(1.1, -0.6, 0.0), &ring(0.9, 0.5, 0.1), skins.rock);
    let upper = Convex::between(&ring(0.9, 0.5, 0.1), &ring(0.35, 0.95, 0.2), skins.rock);
    mesh.solid(lower).solid(upper);
    mesh
}
