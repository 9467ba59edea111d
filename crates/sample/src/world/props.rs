//! Props: furniture, lamps, signs.

use super::{
    setup::{ball, facing_picture, light, parts, single_part},
    skins::Skins,
};
use crate::{
    builder::WorldBuilder,
    error::BuildError,
    geom::Convex,
    material::{Materials, Skin},
    mesh::Mesh,
};
use glam::{DVec2, DVec3};
use threshold_dat::{
    DatId,
    records::{CylSphere, Light, Setup},
};

/// Warm light of candles and fires.
const WARM: [u8; 3] = [255, 196, 120];

/// Models of things, by what they are.
pub(super) struct Props {
    pub(super) table: DatId,
    pub(super) bench: DatId,
    pub(super) bed: DatId,
    pub(super) barrel: DatId,
    pub(super) crate_box: DatId,
    pub(super) shelf: DatId,
    pub(super) hearth: DatId,
    pub(super) wall_lamp: DatId,
    pub(super) candle: DatId,
    pub(super) torch: DatId,
    pub(super) lamp_post: DatId,
    pub(super) lamplight: DatId,
    pub(super) carpet: DatId,
    pub(super) pane: DatId,
    pub(super) way_sign: DatId,
    pub(super) inn_sign: DatId,
    pub(super) fence: DatId,
    pub(super) well: DatId,
    pub(super) chest: DatId,
    pub(super) portal: DatId,
    pub(super) obelisk: DatId,
    pub(super) smoke: DatId,
    pub(super) hand_torch: DatId,
    pub(super) dart: DatId,
    pub(super) target: DatId,
}

/// A box by its corners' coordinates.
pub(super) fn slab(min: (f64, f64, f64), max: (f64, f64, f64), skin: Skin) -> Convex<Skin> {
    Convex::block(DVec3::from(min), DVec3::from(max), skin)
}

/// An upright prism with a regular outline.
pub(super) fn column(
    at: DVec2,
    radius: f64,
    sides: u32,
    (bottom, top): (f64, f64),
    skin: Skin,
) -> Convex<Skin> {
    Convex::prism(&regular(at, radius, sides, 0.0), bottom, top, skin)
}

/// Corners of a regular outline, counter-clockwise, the first one `turn` radians from east.
pub(super) fn regular(at: DVec2, radius: f64, sides: u32, turn: f64) -> Vec<DVec2> {
    let corner = |i: u32| {
        let a = turn + f64::from(i) / f64::from(sides) * std::f64::consts::TAU;
        at + DVec2::new(libm::cos(a), libm::sin(a)) * radius
    };
    (0..sides).map(corner).collect()
}

fn mesh_of(solids: impl IntoIterator<Item = Convex<Skin>>) -> Mesh {
    let mut mesh = Mesh::default();
    for solid in solids {
        mesh.solid(solid);
    }
    mesh
}

impl Props {
    pub(super) fn new(world: &mut WorldBuilder, skins: &Skins) -> Result<Props, BuildError> {
        let s = skins;
        Ok(Props {
            table: world.mesh(&table(s))?,
            bench: world.mesh(&mesh_of([
                slab((-0.9, -0.18, 0.4), (0.9, 0.18, 0.46), s.boards),
                slab((-0.8, -0.15, 0.0), (-0.7, 0.15, 0.4), s.beam),
                slab((0.7, -0.15, 0.0), (0.8, 0.15, 0.4), s.beam),
            ]))?,
            bed: world.mesh(&bed(s))?,
            barrel: world.mesh(&barrel(s))?,
            crate_box: world.mesh(&mesh_of([slab((-0.5, -0.5, 0.0), (0.5, 0.5, 1.0), s.boards)]))?,
            shelf: world.mesh(&shelf(s))?,
            hearth: hearth(world, s)?,
            wall_lamp: wall_lamp(world, s)?,
            candle: candle(world, s)?,
            torch: torch(world, s)?,
            lamp_post: lamp_post(world, s)?,
            lamplight: {
                let mut mesh = Mesh::default();
                let corners = [(-5.0, -5.0), (5.0, -5.0), (5.0, 5.0), (-5.0, 5.0)];
                mesh.picture(corners.map(|(x, y)| DVec3::new(x, y, 0.03)), s.lamplight, false);
                world.mesh(&mesh)?
            },
            carpet: {
                let mut mesh = Mesh::default();
                let corners = [(-1.5, -1.0), (1.5, -1.0), (1.5, 1.0), (-1.5, 1.0)];
                mesh.picture(corners.map(|(x, y)| DVec3::new(x, y, 0.015)), s.carpet, false);
                world.mesh(&mesh)?
            },
            pane: {
                let mut mesh = Mesh::default();
                let (w, h) = (super::house::WINDOW.0 / 2.0, super::house::WINDOW.1);
                let corners = [(-w, 0.0), (w, 0.0), (w, h), (-w, h)];
                mesh.picture(corners.map(|(x, z)| DVec3::new(x, 0.0, z)), s.glass, true);
                world.mesh(&mesh)?
            },
            way_sign: sign(world, s, s.way_sign, 1.7)?,
            inn_sign: inn_sign(world, s)?,
            fence: world.mesh(&mesh_of([
                slab((-1.5, -0.05, -0.3), (-1.38, 0.05, 1.1), s.beam),
                slab((1.38, -0.05, -0.3), (1.5, 0.05, 1.1), s.beam),
                slab((-1.5, -0.03, 0.35), (1.5, 0.03, 0.47), s.boards),
                slab((-1.5, -0.03, 0.8), (1.5, 0.03, 0.92), s.boards),
            ]))?,
            well: world.mesh(&well(s))?,
            chest: chest(world, s)?,
            portal: portal(world, s)?,
            obelisk: world.mesh(&obelisk(s))?,
            smoke: super::smoke::make(world, s)?,
            hand_torch: hand_torch(world, s)?,
            dart: dart(world, s)?,
            target: target(world, s)?,
        })
    }
}

fn table(s: &Skins) -> Mesh {
    let leg = |x: f64, y: f64| slab((x - 0.05, y - 0.05, 0.0), (x + 0.05, y + 0.05, 0.72), s.beam);
    mesh_of([
        slab((-0.9, -0.5, 0.72), (0.9, 0.5, 0.8), s.boards),
        leg(-0.8, -0.4),
        leg(0.8, -0.4),
        leg(0.8, 0.4),
        leg(-0.8, 0.4),
    ])
}

fn bed(s: &Skins) -> Mesh {
    mesh_of([
        slab((-0.55, -1.05, 0.0), (0.55, 1.05, 0.35), s.beam),
        slab((-0.5, -1.0, 0.35), (0.5, 0.45, 0.5), s.red_cloth),
        slab((-0.5, 0.45, 0.35), (0.5, 1.0, 0.55), s.linen),
        slab((-0.55, 1.05, 0.0), (0.55, 1.12, 1.0), s.beam),
    ])
}

fn barrel(s: &Skins) -> Mesh {
    let ring =
        |r: f64, z: f64| regular(DVec2::ZERO, r, 10, 0.0).iter().map(|p| p.extend(z)).collect::<Vec<_>>();
    let stave =
        |r0: f64, z0: f64, r1: f64, z1: f64, skin: Skin| Convex::between(&ring(r0, z0), &ring(r1, z1), skin);
    mesh_of([
        stave(0.3, 0.0, 0.36, 0.25, s.boards),
        stave(0.36, 0.25, 0.38, 0.45, s.iron),
        stave(0.38, 0.45, 0.36, 0.65, s.boards),
        stave(0.36, 0.65, 0.3, 0.9, s.boards),
    ])
}

fn shelf(s: &Skins) -> Mesh {
    let mut mesh = mesh_of([
        slab((-0.75, -0.2, 0.0), (-0.68, 0.2, 2.0), s.beam),
        slab((0.68, -0.2, 0.0), (0.75, 0.2, 2.0), s.beam),
        slab((-0.68, 0.14, 0.0), (0.68, 0.2, 2.0), s.boards),
    ]);
    for (i, z) in [0.1, 0.7, 1.3, 1.9].into_iter().enumerate() {
        mesh.solid(slab((-0.68, -0.2, z), (0.68, 0.14, z + 0.05), s.boards));
        let books = [s.red_cloth, s.green_cloth, s.leather];
        for k in 0..6 {
            let x = -0.6 + f64::from(k) * 0.18;
            if (k as usize + i) % 4 != 3 && i < 3 {
                let tall = 0.3 + 0.05 * f64::from((k + i as u32) % 3);
                mesh.solid(slab(
                    (x, -0.1, z + 0.05),
                    (x + 0.14, 0.12, z + 0.05 + tall),
                    books[(k as usize + i) % 3],
                ));
            }
        }
    }
    mesh
}

/// Stores a setup made of one mesh with lights.
fn lit(world: &mut WorldBuilder, mesh: &Mesh, lights: Vec<Light>, height: f64) -> Result<DatId, BuildError> {
    let part = world.mesh(mesh)?;
    lit_parts(world, &[(part, DVec3::ZERO)], lights, height)
}

fn lit_parts(
    world: &mut WorldBuilder,
    list: &[(DatId, DVec3)],
    lights: Vec<Light>,
    height: f64,
) -> Result<DatId, BuildError> {
    let setup = Setup {
        lights: (0..).zip(lights).collect(),
        height: height as f32,
        radius: 0.3,
        sorting_sphere: ball(height / 2.0, height / 2.0 + 0.3),
        selection_sphere: ball(height / 2.0, height / 2.0 + 0.3),
        ..parts(list)
    };
    Ok(world.store.add(&setup)?)
}

/// Two crossed flames.
fn flames(mesh: &mut Mesh, at: DVec3, width: f64, height: f64, skin: Skin) {
    for side in [DVec3::X, DVec3::Y] {
        let (w, up) = (side * (width / 2.0), DVec3::Z * height);
        mesh.picture([at - w, at + w, at + w + up, at - w + up], skin, true);
    }
}

/// A fireplace against a wall: the back is at y = 0, the opening faces south.
fn hearth(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = mesh_of([
        slab((-1.0, -0.7, 0.0), (-0.65, 0.0, 1.1), s.brick),
        slab((0.65, -0.7, 0.0), (1.0, 0.0, 1.1), s.brick),
        slab((-0.65, -0.12, 0.0), (0.65, 0.0, 1.1), s.brick),
        slab((-1.1, -0.75, 1.1), (1.1, 0.0, 1.25), s.stone),
        slab((-0.8, -0.5, 1.25), (0.8, 0.0, 2.6), s.brick),
        slab((-0.65, -0.7, 0.0), (0.65, -0.12, 0.08), s.stone),
        slab((-0.35, -0.5, 0.08), (0.35, -0.35, 0.2), s.embers),
        slab((-0.35, -0.3, 0.08), (0.35, -0.18, 0.22), s.embers),
    ]);
    flames(&mut mesh, DVec3::new(0.0, -0.35, 0.15), 0.7, 0.75, s.flame);
    lit(world, &mesh, vec![light(DVec3::new(0.0, -0.9, 0.8), [255, 160, 80], 18.0, 7.0)], 2.6)
}

/// A lantern on an arm; the wall is at y = 0, the lantern south of it.
fn wall_lamp(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.03, -0.25, 0.2), (0.03, 0.0, 0.25), s.iron), m);
    mesh.shape(&slab((-0.07, -0.3, -0.1), (0.07, -0.16, 0.12), s.lamp), m);
    mesh.shape(&slab((-0.09, -0.32, 0.12), (0.09, -0.14, 0.16), s.iron), m);
    lit(world, &mesh, vec![light(DVec3::new(0.0, -0.35, 0.0), WARM, 10.0, 7.0)], 0.4)
}

fn candle(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.06, -0.06, 0.0), (0.06, 0.06, 0.02), s.brass), m);
    mesh.shape(&slab((-0.025, -0.025, 0.02), (0.025, 0.025, 0.2), s.linen), m);
    flames(&mut mesh, DVec3::new(0.0, 0.0, 0.19), 0.08, 0.14, s.flame);
    lit(world, &mesh, vec![light(DVec3::new(0.0, 0.0, 0.4), WARM, 7.0, 6.0)], 0.35)
}

/// A torch in a wall bracket, as in dungeons; the wall is at y = 0.
fn torch(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.04, -0.18, -0.25), (0.04, -0.1, 0.2), s.beam), m);
    mesh.shape(&slab((-0.06, -0.14, -0.05), (0.06, 0.0, 0.0), s.iron), m);
    flames(&mut mesh, DVec3::new(0.0, -0.14, 0.15), 0.3, 0.45, s.flame);
    lit(world, &mesh, vec![light(DVec3::new(0.0, -0.4, 0.4), [255, 170, 90], 45.0, 9.0)], 0.6)
}

/// A torch that is carried, leaning forward; the hand is at its origin.
fn hand_torch(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let (sin, cos) = (0.6, 0.8);
    let lean = glam::DMat3::from_cols(DVec3::X, DVec3::new(0.0, cos, -sin), DVec3::new(0.0, sin, cos));
    let shaft = slab((-0.03, -0.03, -0.15), (0.03, 0.03, 0.5), s.beam).moved(lean, DVec3::ZERO);
    mesh.shape(&shaft, &world.materials);
    let tip = lean * DVec3::new(0.0, 0.0, 0.45);
    flames(&mut mesh, tip, 0.3, 0.45, s.flame);
    lit(world, &mesh, vec![light(tip + DVec3::Z * 0.3, [255, 170, 90], 45.0, 9.0)], 0.8)
}

/// A dart with feathers that flies with its point, in the north, ahead.
fn dart(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.02, -0.35, -0.02), (0.02, 0.3, 0.02), s.beam), m);
    mesh.shape(&slab((-0.03, 0.3, -0.03), (0.03, 0.4, 0.03), s.iron), m);
    mesh.shape(&slab((-0.08, -0.35, -0.005), (0.08, -0.2, 0.005), s.red_cloth), m);
    mesh.shape(&slab((-0.005, -0.35, -0.08), (0.005, -0.2, 0.08), s.red_cloth), m);
    let part = world.mesh(&mesh)?;
    let setup = Setup {
        spheres: vec![ball(0.0, 0.1)],
        height: 0.2,
        radius: 0.1,
        sorting_sphere: ball(0.0, 0.5),
        selection_sphere: ball(0.0, 0.4),
        ..single_part(part)
    };
    Ok(world.store.add(&setup)?)
}

/// A board with rings to throw at, facing south.
fn target(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = mesh_of([
        slab((-0.7, -0.12, 0.5), (0.7, 0.12, 1.9), s.boards),
        slab((-0.5, -0.06, -0.3), (-0.38, 0.06, 0.5), s.beam),
        slab((0.38, -0.06, -0.3), (0.5, 0.06, 0.5), s.beam),
    ]);
    for (ring, radius, skin) in [(1, 0.6, s.linen), (2, 0.4, s.red_cloth), (3, 0.2, s.linen)] {
        let (r, y) = (radius, -0.12 - 0.004 * f64::from(ring));
        let corners = [(-r, -r), (r, -r), (r, r), (-r, r)];
        mesh.picture(corners.map(|(x, z)| DVec3::new(x, y, 1.2 + z)), skin, false);
    }
    let part = world.mesh(&mesh)?;
    let setup = Setup {
        flags: Setup::HAS_PHYSICS_BSP,
        height: 2.4,
        radius: 0.7,
        sorting_sphere: ball(1.0, 1.3),
        selection_sphere: ball(1.2, 0.8),
        ..single_part(part)
    };
    Ok(world.store.add(&setup)?)
}

/// A lantern on a post. Lights outdoors shine on nothing (spec: render-data §12.1), so it has a halo of its own, and
/// [`Props::lamplight`] lies on the ground below it: the colour that the ground has by day.
fn lamp_post(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    mesh.solid(column(DVec2::ZERO, 0.09, 6, (-0.4, 2.8), s.iron));
    mesh.solid(slab((-0.16, -0.16, 2.8), (0.16, 0.16, 3.2), s.lamp));
    mesh.solid(slab((-0.22, -0.22, 3.2), (0.22, 0.22, 3.28), s.iron));
    let lamp = DVec3::new(0.0, 0.0, 3.0);
    let (post, halo) = (world.mesh(&mesh)?, facing_picture(world, 0.9, s.halo)?);
    lit_parts(world, &[(post, DVec3::ZERO), (halo, lamp)], vec![light(lamp, WARM, 60.0, 10.0)], 3.3)
}

/// A board on a post; can be read, so it is an object of its own.
fn sign(world: &mut WorldBuilder, s: &Skins, face: Skin, height: f64) -> Result<DatId, BuildError> {
    let mut mesh = mesh_of([
        slab((-0.06, -0.06, -0.4), (0.06, 0.06, height + 0.5), s.beam),
        slab((-0.8, -0.1, height - 0.35), (0.8, -0.06, height + 0.35), s.boards),
    ]);
    let board = [(-0.78, -0.33), (0.78, -0.33), (0.78, 0.33), (-0.78, 0.33)];
    mesh.picture(board.map(|(x, z)| DVec3::new(x, -0.105, height + z)), face, false);
    let part = world.mesh(&mesh)?;
    let setup = Setup {
        flags: Setup::HAS_PHYSICS_BSP,
        height: height as f32,
        radius: 0.8,
        sorting_sphere: ball(height / 2.0, 1.4),
        selection_sphere: ball(height, 0.9),
        ..single_part(part)
    };
    Ok(world.store.add(&setup)?)
}

/// A board that hangs from an arm over the street; the wall is at y = 0.
fn inn_sign(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.04, -1.5, 0.5), (0.04, 0.0, 0.58), s.beam), m);
    mesh.shape(&slab((-0.02, -1.4, -0.35), (0.02, -0.1, 0.4), s.boards), m);
    let east =
        [(-1.36, -0.33), (-0.14, -0.33), (-0.14, 0.38), (-1.36, 0.38)].map(|(y, z)| DVec3::new(0.025, y, z));
    mesh.picture(east, s.inn_sign, false);
    let west =
        [(-0.14, -0.33), (-1.36, -0.33), (-1.36, 0.38), (-0.14, 0.38)].map(|(y, z)| DVec3::new(-0.025, y, z));
    mesh.picture(west, s.inn_sign, false);
    world.mesh(&mesh)
}

fn well(s: &Skins) -> Mesh {
    let mut mesh = Mesh::default();
    let (outer, inner) = (regular(DVec2::ZERO, 1.1, 8, 0.0), regular(DVec2::ZERO, 0.8, 8, 0.0));
    for i in 0..8 {
        let j = (i + 1) % 8;
        mesh.solid(Convex::prism(&[inner[i], outer[i], outer[j], inner[j]], -0.5, 0.9, s.stone));
    }
    let water = [(-0.8, -0.8), (0.8, -0.8), (0.8, 0.8), (-0.8, 0.8)].map(|(x, y)| DVec3::new(x, y, 0.35));
    mesh.picture(water, s.water, false);
    mesh.solid(slab((-1.05, -0.08, 0.9), (-0.9, 0.08, 2.4), s.beam));
    mesh.solid(slab((0.9, -0.08, 0.9), (1.05, 0.08, 2.4), s.beam));
    let eaves = |y: f64| [DVec3::new(-1.3, y, 2.2), DVec3::new(1.3, y, 2.2)];
    let [a, b] = eaves(-0.9);
    let [d, c] = eaves(0.9);
    let (l, r) = (DVec3::new(-1.3, 0.0, 2.8), DVec3::new(1.3, 0.0, 2.8));
    mesh.solid(Convex::between(&[a, b, c, d], &[l, r, r, l], s.slate));
    mesh
}

/// A chest: collides as a cylinder, as chests do.
fn chest(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut mesh = Mesh::default();
    let m = &world.materials;
    mesh.shape(&slab((-0.45, -0.3, 0.0), (0.45, 0.3, 0.4), s.boards), m);
    let lid = [(-0.3, 0.4), (0.3, 0.4), (0.22, 0.56), (0.0, 0.64), (-0.22, 0.56)];
    mesh.shape(&lying_prism(&lid, (-0.45, 0.45), s.ceiling), m);
    for x in [-0.32, 0.26] {
        mesh.shape(&slab((x, -0.31, 0.0), (x + 0.06, 0.31, 0.41), s.iron), m);
    }
    mesh.shape(&slab((-0.06, -0.33, 0.28), (0.06, -0.3, 0.44), s.brass), m);
    let part = world.mesh(&mesh)?;
    let setup = Setup {
        cylinders: vec![CylSphere { low: [0.0; 3], radius: 0.45, height: 0.65 }],
        height: 0.65,
        radius: 0.45,
        sorting_sphere: ball(0.3, 0.6),
        selection_sphere: ball(0.3, 0.6),
        ..single_part(part)
    };
    Ok(world.store.add(&setup)?)
}

/// A prism that lies along x over an outline given as (y, z), counter-clockwise seen from the east.
pub(super) fn lying_prism(outline: &[(f64, f64)], (from, to): (f64, f64), skin: Skin) -> Convex<Skin> {
    let upright: Vec<DVec2> = outline.iter().map(|&p| DVec2::from(p)).collect();
    // Standing over (y, z), then laid down: x takes the place of the height.
    let turn = glam::DMat3::from_cols(DVec3::Y, DVec3::Z, DVec3::X);
    Convex::prism(&upright, from, to, skin).moved(turn, DVec3::ZERO)
}

/// A swirl one can step into; it does not block.
fn portal(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let mut disc = Mesh::default();
    let corners = [(-1.2, 0.1), (1.2, 0.1), (1.2, 2.7), (-1.2, 2.7)].map(|(x, z)| DVec3::new(x, 0.0, z));
    disc.picture(corners, s.swirl, true);
    let mut ring = Mesh::default();
    ring_of_stones(&mut ring, s.limestone, &world.materials);
    let (disc, ring) = (world.mesh(&disc)?, world.mesh(&ring)?);
    let setup = Setup {
        spheres: vec![ball(1.2, 0.9)],
        height: 2.6,
        radius: 1.2,
        sorting_sphere: ball(1.4, 1.6),
        selection_sphere: ball(1.4, 1.6),
        lights: vec![(0, light(DVec3::new(0.0, -0.8, 1.5), [190, 140, 255], 35.0, 8.0))],
        ..parts(&[(disc, DVec3::ZERO), (ring, DVec3::ZERO)])
    };
    Ok(world.store.add(&setup)?)
}

fn ring_of_stones(mesh: &mut Mesh, skin: Skin, materials: &Materials) {
    for (x, y) in [(-1.5, 0.0), (1.5, 0.0), (-0.8, -0.6), (0.8, -0.6), (-0.8, 0.6), (0.8, 0.6)] {
        let stone = column(DVec2::new(x, y), 0.16, 5, (-0.1, 0.35), skin);
        mesh.shape(&stone, materials);
    }
}

fn obelisk(s: &Skins) -> Mesh {
    let square = |r: f64, z: f64| [(-r, -r), (r, -r), (r, r), (-r, r)].map(|(x, y)| DVec3::new(x, y, z));
    mesh_of([
        slab((-1.0, -1.0, 0.0), (1.0, 1.0, 0.4), s.limestone),
        Convex::between(&square(0.6, 0.4), &square(0.4, 4.0), s.limestone),
        Convex::between(&square(0.4, 4.0), &square(0.02, 4.6), s.brass),
    ])
}
