//! The player, villagers and beasts: jointed figures with a few motions.

use super::{
    props::{column, lying_prism, slab},
    setup::{DEFAULT_PLACEMENT, ball},
    skins::Skins,
};
use crate::{builder::WorldBuilder, error::BuildError, material::Skin, mesh::Mesh};
use glam::{DVec2, DVec3};
use threshold_dat::{
    DatId,
    records::{
        Animation, AnimationFrame, Frame, Location, Motion, MotionAnimation, MotionTable, Setup,
        SetupDefaults, Sphere,
    },
};
use threshold_world::motion::Command;

/// Where people hold things, by the numbers that servers use.
pub(super) const RIGHT_HAND: i32 = 1;
pub(super) const LEFT_HAND: i32 = 2;

/// The number that scenarios give the player.
pub(super) const PLAYER: DatId = DatId(0x0200_0001);

/// Metres per second that the motions carry a figure. Spec: motion §10.1.
const WALK_SPEED: f32 = 3.12;
const RUN_SPEED: f32 = 4.0;
const SIDE_STEP_SPEED: f32 = 1.25;
/// Radians per second, clockwise.
const TURN_SPEED: f32 = std::f32::consts::FRAC_PI_2;
/// Frames per second: one a tick at full speed.
const RATE: f32 = 30.0;
/// Bit of a motion that begins from standing only; otherwise it is added to what goes on.
const FROM_STANDING: u8 = 2;

/// Models of living things.
pub(super) struct People {
    pub(super) villager: DatId,
    pub(super) boar: DatId,
}

/// Reserves the player's number; call before any other Setup is made.
pub(super) fn make(world: &mut WorldBuilder, s: &Skins) -> Result<People, BuildError> {
    let player = world.store.reserve::<Setup>();
    debug_assert_eq!(player, PLAYER);
    let setup = person(world, s, [s.green_cloth, s.leather])?;
    world.store.put(player, &setup)?;
    let setup = person(world, s, [s.red_cloth, s.linen])?;
    let villager = world.store.add(&setup)?;
    let boar = boar(world, s)?;
    let boar = world.store.add(&boar)?;
    Ok(People { villager, boar })
}

/// A part and where its joint is.
struct Limb {
    mesh: DatId,
    joint: DVec3,
    /// How far it swings forward (positive) or back in a full stride, degrees.
    swing: f64,
}

/// One pose of a stride; `phase` in −1…1.
fn pose(limbs: &[Limb], phase: f64) -> AnimationFrame {
    let frame = |limb: &Limb| {
        // Forward is north: a positive turn about x lifts what hangs below towards the north.
        let half = (limb.swing * phase).to_radians() / 2.0;
        Frame {
            origin: limb.joint.as_vec3().to_array(),
            rotation: [libm::cos(half) as f32, libm::sin(half) as f32, 0.0, 0.0],
        }
    };
    AnimationFrame { parts: limbs.iter().map(frame).collect(), hooks: Vec::new() }
}

fn stride(limbs: &[Limb], reach: f64) -> Animation {
    let frames = (0..16).map(|i| pose(limbs, reach * libm::sin(f64::from(i) / 16.0 * std::f64::consts::TAU)));
    Animation { part_count: limbs.len() as u32, frames: frames.collect(), ..Animation::default() }
}

/// Standing, walking, running, stepping aside, turning and falling.
fn motions(world: &mut WorldBuilder, limbs: &[Limb]) -> Result<DatId, BuildError> {
    let still =
        Animation { part_count: limbs.len() as u32, frames: vec![pose(limbs, 0.0)], ..Animation::default() };
    let still = world.store.add(&still)?;
    let shuffle = world.store.add(&stride(limbs, 0.25))?;
    let walk = world.store.add(&stride(limbs, 0.7))?;
    let run = world.store.add(&stride(limbs, 1.2))?;
    let motion = |animation: DatId| Motion {
        animations: vec![MotionAnimation { animation, low: 0, high: -1, rate: RATE }],
        ..Motion::default()
    };
    let carried =
        |animation: DatId, velocity: [f32; 3]| Motion { velocity: Some(velocity), ..motion(animation) };
    let turn = Some([0.0, 0.0, -TURN_SPEED]);
    let aside = Some([SIDE_STEP_SPEED, 0.0, 0.0]);
    let key = |command: Command| Command::NON_COMBAT.0 << 16 | command.0 & 0x00FF_FFFF;
    let table = MotionTable {
        default_style: Command::NON_COMBAT.0,
        style_defaults: vec![(Command::NON_COMBAT.0, Command::READY.0)],
        cycles: vec![
            (key(Command::READY), motion(still)),
            (key(Command::WALK_FORWARD), carried(walk, [0.0, WALK_SPEED, 0.0])),
            (key(Command::RUN_FORWARD), carried(run, [0.0, RUN_SPEED, 0.0])),
            (key(Command::TURN_RIGHT), Motion { bits: FROM_STANDING, omega: turn, ..motion(shuffle) }),
            (
                key(Command::SIDE_STEP_RIGHT),
                Motion { bits: FROM_STANDING, velocity: aside, ..motion(shuffle) },
            ),
            (key(Command::FALLING), motion(still)),
        ],
        modifiers: vec![
            (key(Command::TURN_RIGHT), Motion { omega: turn, ..Motion::default() }),
            (key(Command::SIDE_STEP_RIGHT), Motion { velocity: aside, ..Motion::default() }),
        ],
        links: Vec::new(),
    };
    Ok(world.store.add(&table)?)
}

fn setup_of(world: &mut WorldBuilder, limbs: &[Limb], shape: Vec<Sphere>) -> Result<Setup, BuildError> {
    Ok(Setup {
        parts: limbs.iter().map(|l| l.mesh).collect(),
        placements: vec![(DEFAULT_PLACEMENT, pose(limbs, 0.0))],
        spheres: shape,
        defaults: SetupDefaults { motion_table: motions(world, limbs)?, ..SetupDefaults::default() },
        ..Setup::default()
    })
}

/// A grown person, 1.8 m tall.
fn person(world: &mut WorldBuilder, s: &Skins, [coat, trousers]: [Skin; 2]) -> Result<Setup, BuildError> {
    let m = &world.materials;
    let mut torso = Mesh::default();
    torso.shape(&slab((-0.22, -0.12, 0.0), (0.22, 0.12, 0.55), coat), m);
    torso.shape(&slab((-0.23, -0.13, 0.02), (0.23, 0.13, 0.1), s.leather), m);
    torso.shape(&column(DVec2::ZERO, 0.07, 6, (0.55, 0.63), s.face), m);
    let mut head = Mesh::default();
    head.shape(&column(DVec2::ZERO, 0.12, 8, (0.0, 0.26), s.face), m);
    head.shape(&column(DVec2::new(0.0, -0.02), 0.135, 8, (0.16, 0.29), s.hair), m);
    let mut arm = Mesh::default();
    arm.shape(&slab((-0.06, -0.06, -0.5), (0.06, 0.06, 0.03), coat), m);
    arm.shape(&slab((-0.05, -0.05, -0.62), (0.05, 0.05, -0.5), s.face), m);
    let mut leg = Mesh::default();
    leg.shape(&slab((-0.09, -0.09, -0.72), (0.09, 0.09, 0.02), trousers), m);
    leg.shape(&slab((-0.08, -0.1, -0.88), (0.08, 0.18, -0.72), s.leather), m);
    let (torso, head, arm, leg) =
        (world.mesh(&torso)?, world.mesh(&head)?, world.mesh(&arm)?, world.mesh(&leg)?);
    let limb = |mesh: DatId, x: f64, z: f64, swing: f64| Limb { mesh, joint: DVec3::new(x, 0.0, z), swing };
    let limbs = [
        limb(torso, 0.0, 0.86, 0.0),
        limb(head, 0.0, 1.49, 0.0),
        limb(arm, -0.29, 1.38, 30.0),
        limb(arm, 0.29, 1.38, -30.0),
        limb(leg, -0.11, 0.88, -32.0),
        limb(leg, 0.11, 0.88, 32.0),
    ];
    let hand = |part| Location { part, frame: Frame { origin: [0.0, 0.04, -0.57], ..Frame::IDENTITY } };
    Ok(Setup {
        holding_locations: vec![(RIGHT_HAND, hand(3)), (LEFT_HAND, hand(2))],
        height: 1.835,
        radius: 0.3,
        step_up: 0.6,
        step_down: 1.5,
        sorting_sphere: ball(0.9, 1.0),
        selection_sphere: ball(0.9, 1.0),
        ..setup_of(world, &limbs, vec![ball(0.475, 0.48), ball(1.35, 0.48)])?
    })
}

/// A boar, knee-high and cross.
fn boar(world: &mut WorldBuilder, s: &Skins) -> Result<Setup, BuildError> {
    let m = &world.materials;
    let mut body = Mesh::default();
    // Along y: laid along x first, then seen from the side it is the same outline.
    let outline = [(-0.28, -0.2), (0.28, -0.2), (0.32, 0.05), (0.18, 0.26), (-0.18, 0.26), (-0.32, 0.05)];
    let barrel = lying_prism(&outline, (-0.6, 0.5), s.hide);
    let quarter_turn = glam::DMat3::from_cols(DVec3::Y, -DVec3::X, DVec3::Z);
    body.shape(&barrel.moved(quarter_turn, DVec3::ZERO), m);
    let mut head = Mesh::default();
    head.shape(&slab((-0.17, 0.0, -0.18), (0.17, 0.3, 0.16), s.hide), m);
    head.shape(&slab((-0.1, 0.3, -0.18), (0.1, 0.5, 0.02), s.leather), m);
    for x in [-0.12, 0.08] {
        head.shape(&slab((x, 0.4, -0.1), (x + 0.04, 0.46, 0.08), s.linen), m);
        head.shape(&slab((x * 1.6, 0.02, 0.16), (x * 1.6 + 0.06, 0.06, 0.28), s.hide), m);
    }
    let mut leg = Mesh::default();
    leg.shape(&slab((-0.07, -0.07, -0.42), (0.07, 0.07, 0.05), s.hide), m);
    let (body, head, leg) = (world.mesh(&body)?, world.mesh(&head)?, world.mesh(&leg)?);
    let limb =
        |mesh: DatId, x: f64, y: f64, z: f64, swing: f64| Limb { mesh, joint: DVec3::new(x, y, z), swing };
    let limbs = [
        limb(body, 0.0, 0.0, 0.58, 0.0),
        limb(head, 0.0, 0.5, 0.66, 4.0),
        limb(leg, -0.2, 0.35, 0.42, 26.0),
        limb(leg, 0.2, 0.35, 0.42, -26.0),
        limb(leg, -0.2, -0.4, 0.42, -26.0),
        limb(leg, 0.2, -0.4, 0.42, 26.0),
    ];
    Ok(Setup {
        height: 1.0,
        radius: 0.45,
        step_up: 0.5,
        step_down: 1.0,
        sorting_sphere: ball(0.5, 0.9),
        selection_sphere: ball(0.5, 0.9),
        ..setup_of(world, &limbs, vec![ball(0.45, 0.45)])?
    })
}
