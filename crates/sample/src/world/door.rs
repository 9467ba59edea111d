//! A door that opens and closes: three parts with physics trees, no cylinders, one tiny sphere.
//!
//! Closed, its leaf spans the doorway. Its motion table swings the leaf, for the eye and for what meets it.

use super::{
    props::slab,
    setup::{DEFAULT_PLACEMENT, ball},
    skins::Skins,
};
use crate::{builder::WorldBuilder, error::BuildError, mesh::Mesh};
use glam::DVec3;
use threshold_dat::{
    DatId,
    records::{
        Animation, AnimationFrame, Frame, Motion, MotionAnimation, MotionTable, Quat, Setup, SetupDefaults,
    },
};
use threshold_world::motion::Command;

/// Motion style and commands of doors. Spec: render-data §14.
const NON_COMBAT: u32 = Command::NON_COMBAT.0;
const OPEN: u32 = Command::ON.0;
const CLOSED: u32 = Command::OFF.0;

/// Frames of the swing, played at this many per second.
const FRAMES: u32 = 12;
const RATE: f32 = 15.0;

/// Width, height and thickness of the doorway that a door fills.
pub(super) const WIDTH: f64 = 1.6;
pub(super) const HEIGHT: f64 = 2.4;
pub(super) const THICKNESS: f64 = 0.1;

/// Makes the door's models and motions; returns its Setup. Its origin is the middle of the threshold, the leaf lies along
/// x, its hinge in the west.
pub(super) fn make(world: &mut WorldBuilder, s: &Skins) -> Result<DatId, BuildError> {
    let (w, h, t) = (WIDTH / 2.0, HEIGHT, THICKNESS / 2.0);
    let mut frame = Mesh::default();
    for post in [
        slab((-w, -0.12, 0.0), (-w + 0.06, 0.12, h), s.beam),
        slab((w - 0.06, -0.12, 0.0), (w, 0.12, h), s.beam),
        slab((-w + 0.06, -0.12, h - 0.06), (w - 0.06, 0.12, h), s.beam),
    ] {
        frame.solid(post);
    }
    // The leaf's own origin is its hinge, so that it can swing.
    let width = WIDTH - 0.12;
    let mut leaf = Mesh::default();
    leaf.collider(slab((0.0, -t, 0.0), (width, t, h - 0.06), s.door));
    leaf.shape(&slab((0.0, -t + 0.002, 0.002), (width, t - 0.002, h - 0.062), s.beam), &world.materials);
    let face = |y: f64, from: f64, to: f64| {
        [(from, 0.0), (to, 0.0), (to, h - 0.06), (from, h - 0.06)].map(|(x, z)| DVec3::new(x, y, z))
    };
    leaf.picture(face(-t, 0.0, width), s.door, false);
    leaf.picture(face(t, width, 0.0), s.door, false);
    let mut handle = Mesh::default();
    handle.solid(slab((-0.05, -0.12, -0.05), (0.05, 0.12, 0.05), s.brass));
    let (frame, leaf, handle) = (world.mesh(&frame)?, world.mesh(&leaf)?, world.mesh(&handle)?);

    let pose = |swing: f64| AnimationFrame { parts: pose(swing).to_vec(), hooks: Vec::new() };
    let swing = |from: f64, to: f64| Animation {
        part_count: 3,
        frames: (0..=FRAMES).map(|i| pose(from + (to - from) * f64::from(i) / f64::from(FRAMES))).collect(),
        ..Animation::default()
    };
    let still = |at: f64| Animation { part_count: 3, frames: vec![pose(at)], ..Animation::default() };
    let wide = 100.0;
    let opening = world.store.add(&swing(0.0, wide))?;
    let closing = world.store.add(&swing(wide, 0.0))?;
    let open = world.store.add(&still(wide))?;
    let closed = world.store.add(&still(0.0))?;
    let motion = |animation: DatId| Motion {
        animations: vec![MotionAnimation { animation, low: 0, high: -1, rate: RATE }],
        ..Motion::default()
    };
    let key = |command: u32| NON_COMBAT << 16 | command & 0x00FF_FFFF;
    let table = MotionTable {
        default_style: NON_COMBAT,
        style_defaults: vec![(NON_COMBAT, CLOSED)],
        cycles: vec![(key(OPEN), motion(open)), (key(CLOSED), motion(closed))],
        modifiers: Vec::new(),
        links: vec![
            (key(CLOSED), vec![(OPEN, motion(opening))]),
            (key(OPEN), vec![(CLOSED, motion(closing))]),
        ],
    };
    let motion_table = world.store.add(&table)?;
    let setup = Setup {
        flags: Setup::HAS_PHYSICS_BSP,
        parts: vec![frame, leaf, handle],
        placements: vec![(DEFAULT_PLACEMENT, pose(0.0))],
        spheres: vec![ball(0.018, 0.1)],
        height: 0.2,
        radius: 0.141,
        sorting_sphere: ball(HEIGHT / 2.0, 1.4),
        selection_sphere: ball(HEIGHT / 2.0, 1.4),
        defaults: SetupDefaults { motion_table, ..SetupDefaults::default() },
        ..Setup::default()
    };
    Ok(world.store.add(&setup)?)
}

/// Frames of posts, leaf and handle with the leaf opened by some degrees, inwards (towards north).
fn pose(degrees: f64) -> [Frame; 3] {
    let half = degrees.to_radians() / 2.0;
    let rotation: Quat = [libm::cos(half) as f32, 0.0, 0.0, libm::sin(half) as f32];
    let hinge = DVec3::new(-WIDTH / 2.0 + 0.06, 0.0, 0.0);
    let (sin, cos) = (libm::sin(2.0 * half), libm::cos(2.0 * half));
    let reach = WIDTH - 0.12 - 0.12;
    let grip = hinge + DVec3::new(reach * cos, reach * sin, 1.05);
    let at = |p: DVec3| Frame { origin: p.as_vec3().to_array(), rotation };
    [Frame::IDENTITY, at(hinge), at(grip)]
}
