//! What houses have in common: openings in thick walls, roofs, trim.

use super::{props::lying_prism, skins::Skins};
use crate::{
    error::BuildError,
    geom::Convex,
    material::{Materials, Skin},
    mesh::Mesh,
    plan::{Finish, Plan, RoomId},
};
use glam::{DMat3, DVec3};
use threshold_dat::DatId;
use threshold_world::{Frame, Quat};

/// Width and height of every glazed window; the pane is made to fit.
pub(super) const WINDOW: (f64, f64) = (1.2, 1.1);

/// One of the four ways a wall can face.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Facing {
    North,
    East,
    South,
    West,
}

impl Facing {
    pub(super) fn outward(self) -> DVec3 {
        match self {
            Facing::North => DVec3::Y,
            Facing::East => DVec3::X,
            Facing::South => -DVec3::Y,
            Facing::West => -DVec3::X,
        }
    }

    /// Degrees clockwise from north.
    pub(super) fn heading(self) -> f64 {
        match self {
            Facing::North => 0.0,
            Facing::East => 90.0,
            Facing::South => 180.0,
            Facing::West => 270.0,
        }
    }

    /// The box between two parallel planes (coordinates along the facing's axis), two coordinates along the wall and two
    /// heights.
    pub(super) fn span(self, planes: (f64, f64), along: (f64, f64), heights: (f64, f64)) -> (DVec3, DVec3) {
        let ordered = |(a, b): (f64, f64)| (a.min(b), a.max(b));
        let ((p0, p1), (a0, a1), (z0, z1)) = (ordered(planes), ordered(along), ordered(heights));
        match self {
            Facing::North | Facing::South => (DVec3::new(a0, p0, z0), DVec3::new(a1, p1, z1)),
            Facing::East | Facing::West => (DVec3::new(p0, a0, z0), DVec3::new(p1, a1, z1)),
        }
    }
}

/// A frame in a plan.
pub(super) fn spot(at: DVec3, heading: f64) -> Frame {
    Frame::new(at.as_vec3(), Quat::from_heading(heading as f32))
}

/// A glazed window through an outer wall between two planes, centred at `along`, with its sill at `sill`.
pub(super) fn window(
    plan: &mut Plan,
    room: RoomId,
    facing: Facing,
    planes: (f64, f64),
    (along, sill): (f64, f64),
    look: Finish,
    pane: DatId,
) -> Result<RoomId, BuildError> {
    let (w, h) = WINDOW;
    let (min, max) = facing.span(planes, (along - w / 2.0, along + w / 2.0), (sill, sill + h));
    let niche = plan.window("window", room, facing.outward(), (min, max), look)?;
    plan.furnish(niche, pane, spot(((min + max) / 2.0).with_z(sill), facing.heading()));
    Ok(niche)
}

/// The way out through an outer wall; the returned room is the thickness of the wall. Its jambs are of `frame`, as the
/// door's own posts are, so that nothing else shows between those and the trim.
pub(super) fn front_door(
    plan: &mut Plan,
    room: RoomId,
    facing: Facing,
    planes: (f64, f64),
    (along, sill): (f64, f64),
    (look, frame): (Finish, Skin),
) -> Result<RoomId, BuildError> {
    let look = Finish { wall: frame, ..look };
    let half = super::door::WIDTH / 2.0;
    let (min, max) = facing.span(planes, (along - half, along + half), (sill, sill + super::door::HEIGHT));
    let doorway = plan.room("doorway", Convex::block(min, max, ()).dressed(|n| skin_of(&look, n)));
    plan.join(room, doorway)?;
    plan.exit(doorway, facing.outward(), true)?;
    Ok(doorway)
}

fn skin_of(look: &Finish, outward: DVec3) -> Skin {
    match outward.z {
        z if z < -0.5 => look.floor,
        z if z > 0.5 => look.ceiling,
        _ => look.wall,
    }
}

/// A gable roof whose ridge runs east and west: eaves at `eaves` high and `half` from the ridge, from `from` to `to`.
pub(super) fn gable_roof(
    (from, to): (f64, f64),
    half: f64,
    (eaves, ridge): (f64, f64),
    (cover, gable): (Skin, Skin),
) -> Convex<Skin> {
    let outline = [(-half, eaves), (half, eaves), (half, eaves + 0.15), (0.0, ridge), (-half, eaves + 0.15)];
    lying_prism(&outline, (from, to), cover)
        .dressed(|n| if n.x.abs() > 0.5 || n.z < -0.5 { gable } else { cover })
}

/// Bars around every exit of a plan, on the outside of its shell.
pub(super) fn trim(shell: &mut Mesh, plan: &Plan, skin: Skin, materials: &Materials) {
    for exit in plan.exits() {
        let Some(plane) = exit.polygon.plane() else { continue };
        // The polygon faces inwards.
        let outward = -plane.normal;
        let across = outward.cross(DVec3::Z);
        let turn = DMat3::from_cols(across, outward, DVec3::Z);
        let center = exit.polygon.center();
        let reach =
            |axis: DVec3| exit.polygon.points.iter().map(|p| (*p - center).dot(axis)).fold(0.0, f64::max);
        let (w, h) = (reach(across), reach(DVec3::Z));
        let bar = |x: (f64, f64), z: (f64, f64)| {
            Convex::block(DVec3::new(x.0, -0.01, z.0), DVec3::new(x.1, 0.07, z.1), skin).moved(turn, center)
        };
        let width = 0.12;
        shell.shape(&bar((-w - width, -w), (-h - width, h + width)), materials);
        shell.shape(&bar((w, w + width), (-h - width, h + width)), materials);
        shell.shape(&bar((-w, w), (h, h + width)), materials);
        if !exit.passable {
            shell.shape(&bar((-w - 0.1, w + 0.1), (-h - width, -h)), materials);
        }
    }
}

/// Upright beams at the corners of a box-shaped house and a rail around it: a timber frame, drawn only.
pub(super) fn timber_frame(
    shell: &mut Mesh,
    (min, max): (DVec3, DVec3),
    rails: &[f64],
    skins: &Skins,
    materials: &Materials,
) {
    let (out, width) = (0.05f64, 0.22f64);
    let mut beam = |a: (f64, f64, f64), b: (f64, f64, f64)| {
        shell.shape(&Convex::block(DVec3::from(a), DVec3::from(b), skins.beam), materials);
    };
    for (x, dx) in [(min.x, width), (max.x, -width)] {
        for (y, dy) in [(min.y, width), (max.y, -width)] {
            let (ox, oy) = (x - out * dx.signum(), y - out * dy.signum());
            let ordered = |a: f64, b: f64| (a.min(b), a.max(b));
            let ((x0, x1), (y0, y1)) = (ordered(ox, x + dx), ordered(oy, y + dy));
            beam((x0, y0, min.z), (x1, y1, max.z));
        }
    }
    for &z in rails {
        beam((min.x + width, min.y - out, z), (max.x - width, min.y, z + 0.18));
        beam((min.x + width, max.y, z), (max.x - width, max.y + out, z + 0.18));
        beam((min.x - out, min.y + width, z), (min.x, max.y - width, z + 0.18));
        beam((max.x, min.y + width, z), (max.x + out, max.y - width, z + 0.18));
    }
}
