//! A watch tower: a spiral stair around a pillar, a lookout on top.

use super::{
    house::{Facing, front_door, spot, trim, window},
    props::{Props, column, regular},
    skins::Skins,
};
use crate::{
    error::BuildError,
    geom::{Convex, Plane, Polygon},
    material::{Materials, Skin},
    mesh::Mesh,
    plan::{Finish, Plan, RoomId, spiral_steps},
};
use glam::{DVec2, DVec3};

/// Circumradii of the outer and the inner faces.
const OUTER: f64 = 5.2;
const INNER: f64 = 4.6;
const PILLAR: f64 = 0.5;

const FLOOR: f64 = 0.25;
/// Storeys end between two treads.
const LEVELS: [f64; 4] = [FLOOR, 3.6, 6.8, 9.6];
const LOOKOUT_FLOOR: f64 = 9.85;
const LOOKOUT_CEILING: f64 = 12.75;

const RISE: f64 = 0.2;
const PER_TURN: u32 = 16;
/// One step below the lookout's floor.
const STEPS: u32 = 47;

/// The rooms one wants to find again.
pub(super) struct Tower {
    pub(super) plan: Plan,
    pub(super) shell: Mesh,
    pub(super) doorway: RoomId,
    pub(super) ground: RoomId,
    pub(super) lookout: RoomId,
}

/// Distance of a flat side from the axis.
fn apothem(radius: f64) -> f64 {
    radius * libm::cos(std::f64::consts::PI / 8.0)
}

/// An octagon with flat sides to the four quarters of the sky.
fn octagon(radius: f64) -> Vec<DVec2> {
    regular(DVec2::ZERO, radius, 8, std::f64::consts::PI / 8.0)
}

/// The part of the inner octagon in front of some upright planes through the axis.
fn sector(normals: &[DVec2]) -> Vec<DVec2> {
    let whole = Polygon::new(octagon(INNER).iter().map(|p| p.extend(0.0)).collect::<Vec<_>>());
    let planes: Vec<Plane> = normals.iter().map(|n| Plane { normal: n.extend(0.0), d: 0.0 }).collect();
    whole.clipped(&planes).map_or(Vec::new(), |p| p.points.iter().map(|q| q.truncate()).collect())
}

pub(super) fn tower(s: &Skins, props: &Props, materials: &Materials) -> Result<Tower, BuildError> {
    let mut plan = Plan::default();
    let look = Finish { floor: s.flagstone, wall: s.stone, ceiling: s.ceiling };
    let levels: Vec<RoomId> = LEVELS
        .windows(2)
        .enumerate()
        .map(|(i, z)| plan.prism(format!("tower level {}", i + 1), &octagon(INNER), (z[0], z[1]), look))
        .collect();
    for pair in levels.windows(2) {
        plan.join(pair[0], pair[1])?;
    }
    // Three quarters of the lookout's floor are open to the stair; the last quarter is where one arrives.
    let slab = (LEVELS[3], LOOKOUT_FLOOR);
    let lookout = plan.prism("lookout", &octagon(INNER), (LOOKOUT_FLOOR, LOOKOUT_CEILING), look);
    let half = plan.prism("stairhead south", &sector(&[-DVec2::Y]), slab, look);
    let quarter = plan.prism("stairhead west", &sector(&[DVec2::Y, -DVec2::X]), slab, look);
    plan.join(half, quarter)?;
    for part in [half, quarter] {
        plan.join(levels[2], part)?;
        plan.join(part, lookout)?;
    }

    let turn = std::f64::consts::TAU / f64::from(PER_TURN);
    let steps = spiral_steps(
        DVec3::new(0.0, 0.0, FLOOR),
        (PILLAR - 0.1, INNER + 0.5),
        (STEPS, PER_TURN),
        (RISE, 0.3),
        turn,
        s.flagstone,
    );
    let pillar = |top: f64| column(DVec2::ZERO, PILLAR, 8, (FLOOR, top), s.stone);
    for &room in levels.iter().chain([&half, &quarter]) {
        plan.solid(room, pillar(LOOKOUT_CEILING));
        let (low, high) = plan.rooms()[room.index()].volume.bounds();
        for step in &steps {
            let (bottom, top) = step.bounds();
            if bottom.z < high.z && top.z > low.z && touches(step, &plan, room) {
                plan.solid(room, step.clone());
            }
        }
    }
    plan.solid(lookout, pillar(LOOKOUT_FLOOR + 1.1));

    let (inner, outer) = (apothem(INNER), apothem(OUTER));
    let doorway =
        front_door(&mut plan, levels[0], Facing::South, (-inner, -outer), (0.0, FLOOR), (look, s.beam))?;
    for (facing, sign) in
        [(Facing::North, 1.0), (Facing::East, 1.0), (Facing::South, -1.0), (Facing::West, -1.0)]
    {
        let planes = (inner * sign, outer * sign);
        window(&mut plan, lookout, facing, planes, (0.0, LOOKOUT_FLOOR + 0.8), look, props.pane)?;
    }
    window(&mut plan, levels[1], Facing::East, (inner, outer), (0.0, 5.2), look, props.pane)?;
    let diagonal = inner * std::f64::consts::FRAC_1_SQRT_2;
    for (i, &room) in levels.iter().enumerate() {
        // On the diagonal walls, at a height that no step passes.
        let at = DVec2::new(-1.0, 1.0) * (diagonal - 0.01);
        plan.furnish(room, props.torch, spot(at.extend(LEVELS[i] + 2.3), 315.0));
    }
    plan.furnish(
        lookout,
        props.torch,
        spot((DVec2::ONE * (diagonal - 0.01)).extend(LOOKOUT_FLOOR + 1.7), 45.0),
    );
    let shell = shell(&plan, s, materials);
    Ok(Tower { plan, shell, doorway, ground: levels[0], lookout })
}

/// Whether a solid reaches into a room.
fn touches(solid: &Convex<Skin>, plan: &Plan, room: RoomId) -> bool {
    let inward = plan.rooms()[room.index()].volume.inward_planes();
    solid.facets.iter().any(|f| f.polygon.clipped(&inward).is_some())
}

fn shell(plan: &Plan, s: &Skins, materials: &Materials) -> Mesh {
    let ring = |r: f64, z: f64| octagon(r).iter().map(|p| p.extend(z)).collect::<Vec<_>>();
    let mut shell = Mesh::default();
    shell.solid(Convex::prism(&octagon(OUTER), -0.8, 13.0, s.stone));
    shell.solid(Convex::between(&ring(OUTER + 0.5, -0.8), &ring(OUTER, 0.2), s.stone));
    shell.solid(Convex::between(&ring(OUTER + 0.9, 12.9), &ring(OUTER + 0.9, 13.2), s.beam));
    shell.solid(Convex::between(&ring(OUTER + 0.9, 13.2), &ring(0.05, 17.6), s.slate));
    let step = [(-1.3, -6.6), (1.3, -6.6), (1.3, -4.0), (-1.3, -4.0)].map(DVec2::from);
    shell.solid(Convex::prism(&step, -0.4, 0.1, s.stone));
    trim(&mut shell, plan, s.beam, materials);
    shell
}
