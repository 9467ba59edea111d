//! A cave: a mouth in an outcrop of rock, a way down, chambers.

use super::{
    house::spot,
    props::{Props, column, slab},
    skins::Skins,
};
use crate::{
    error::BuildError,
    geom::Convex,
    mesh::Mesh,
    plan::{Finish, Plan, RoomId},
};
use glam::{DVec2, DVec3};

const FLOOR: f64 = 0.2;
const DEEP: f64 = -4.8;

pub(super) struct Cave {
    pub(super) plan: Plan,
    pub(super) shell: Mesh,
    pub(super) mouth: RoomId,
    pub(super) slope: RoomId,
    pub(super) chamber: RoomId,
    pub(super) shrine: RoomId,
}

/// Where the portal stands in the plan.
pub(super) const PORTAL: DVec3 = DVec3::new(13.0, 24.5, DEEP);

pub(super) fn cave(s: &Skins, props: &Props) -> Result<Cave, BuildError> {
    let mut plan = Plan::default();
    let look = Finish { floor: s.cave_floor, wall: s.rock, ceiling: s.rock };
    let at = DVec3::new;
    let outline = |list: &[(f64, f64)]| list.iter().map(|&p| DVec2::from(p)).collect::<Vec<_>>();

    let mouth = plan.block("cave mouth", at(-1.3, -6.8, FLOOR), at(1.3, -5.8, FLOOR + 2.7), look);
    plan.exit(mouth, -DVec3::Y, true)?;
    let porch = outline(&[(-1.3, -5.8), (1.3, -5.8), (2.6, -4.4), (2.2, -2.0), (-2.2, -2.0), (-2.8, -4.0)]);
    let porch = plan.prism("cave porch", &porch, (FLOOR, FLOOR + 3.4), look);
    plan.join(mouth, porch)?;
    // Down, two metres in four.
    let lower = [at(-1.5, -2.0, FLOOR), at(1.5, -2.0, FLOOR), at(1.5, 8.0, DEEP), at(-1.5, 8.0, DEEP)];
    let slope = plan.between("cave slope", &lower, &lower.map(|p| p + DVec3::Z * 2.8), look);
    plan.join(porch, slope)?;
    let first = outline(&[
        (-1.5, 8.0),
        (1.5, 8.0),
        (5.0, 10.5),
        (5.5, 15.0),
        (2.0, 18.0),
        (-3.5, 17.0),
        (-5.5, 12.0),
    ]);
    let chamber = plan.prism("cave chamber", &first, (DEEP, DEEP + 5.2), look);
    plan.join(slope, chamber)?;
    plan.solid(chamber, column(DVec2::new(-2.4, 13.2), 0.8, 7, (DEEP, DEEP + 5.2), s.rock));
    plan.solid(chamber, slab((2.6, 15.2, DEEP), (4.0, 16.4, DEEP + 0.5), s.rock));

    // A low tunnel eastwards into the shrine.
    let tunnel = plan.between(
        "cave tunnel",
        &[at(5.5, 12.0, DEEP), at(8.5, 12.4, DEEP), at(8.5, 14.6, DEEP), at(5.5, 14.4, DEEP)],
        &[
            at(5.5, 12.0, DEEP + 2.6),
            at(8.5, 12.4, DEEP + 2.6),
            at(8.5, 14.6, DEEP + 2.6),
            at(5.5, 14.4, DEEP + 2.6),
        ],
        look,
    );
    // The chamber's wall slants; a wedge brings it to the tunnel's straight end.
    let wedge = outline(&[(5.0, 10.5), (5.5, 10.5), (5.5, 15.0)]);
    let wedge = plan.prism("cave bend", &wedge, (DEEP, DEEP + 3.2), look);
    plan.join(chamber, wedge)?;
    plan.join(wedge, tunnel)?;
    let second = outline(&[
        (8.5, 11.5),
        (13.0, 10.0),
        (18.0, 13.0),
        (18.5, 19.0),
        (16.0, 26.0),
        (11.0, 27.0),
        (8.5, 21.0),
    ]);
    let shrine = plan.prism("cave shrine", &second, (DEEP, DEEP + 6.5), Finish { floor: s.marble, ..look });
    plan.join(tunnel, shrine)?;
    for (px, py) in [(11.2, 21.4), (15.6, 21.4), (10.9, 16.8), (16.0, 16.8)] {
        plan.solid(shrine, column(DVec2::new(px, py), 0.45, 8, (DEEP, DEEP + 6.5), s.limestone));
    }
    plan.solid(shrine, slab((11.0, 23.3, DEEP), (15.0, 25.7, DEEP + 0.25), s.marble));

    plan.furnish(porch, props.torch, spot(at(2.35, -3.0, FLOOR + 1.8), 85.0));
    plan.furnish(chamber, props.torch, spot(at(-1.55, 13.2, DEEP + 1.9), 270.0));
    plan.furnish(chamber, props.torch, spot(at(0.0, 17.5, DEEP + 2.2), 20.0));
    plan.furnish(chamber, props.crate_box, spot(at(-3.6, 10.9, DEEP), 40.0));
    for (px, py, heading) in
        [(11.2, 20.95, 0.0), (15.6, 20.95, 0.0), (10.9, 17.25, 180.0), (16.0, 17.25, 180.0)]
    {
        plan.furnish(shrine, props.torch, spot(at(px, py, DEEP + 2.0), heading));
    }
    Ok(Cave { plan, shell: shell(s), mouth, slope, chamber, shrine })
}

/// Boulders heaped around the mouth.
fn shell(s: &Skins) -> Mesh {
    let ring = |center: DVec2, r: f64, z: f64, turn: f64, squash: f64| -> Vec<DVec3> {
        (0..7)
            .map(|i| {
                let a = turn + f64::from(i) / 7.0 * std::f64::consts::TAU;
                (center + DVec2::new(r * libm::cos(a), squash * r * libm::sin(a))).extend(z)
            })
            .collect()
    };
    let boulder = |x: f64, y: f64, r: f64, height: f64, turn: f64| {
        let c = DVec2::new(x, y);
        Convex::between(
            &ring(c, r, -1.5, turn, 0.9),
            &ring(c + DVec2::new(0.2, 0.3), r * 0.55, height, turn, 0.9),
            s.rock,
        )
    };
    let mut shell = Mesh::default();
    // The frame of the mouth: upright, so that the opening lies flat in it.
    shell.solid(slab((-2.6, -6.8, -1.0), (2.6, -4.0, 4.0), s.rock));
    shell.solid(boulder(0.0, 0.5, 8.0, 6.6, 0.3));
    shell.solid(boulder(-4.6, -3.4, 3.6, 3.4, 0.9));
    shell.solid(boulder(4.8, -3.2, 3.8, 4.2, 0.1));
    shell.solid(boulder(2.0, 4.5, 5.5, 8.4, 0.6));
    shell
}
