//! What would happen if: sweeps, paths, jumps and spots; nothing in the world changes.

use crate::{
    ask::{answer_each, check_each},
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{Out, OutArray, OutExact, read, read_array, read_optional},
    types::{ThEntity, ThPosition, ThTarget, ThVec3, ThWalker, controls, entity},
    world::with_world,
};
use bytemuck::AnyBitPattern;
use threshold_sim::{
    Area, Jump, JumpEnd, JumpReport, PathCheck, PathReport, Position, SphereKind, SphereSweep, StopReason,
    Swept, Walker,
};
use threshold_world::CellId;

/// How a sphere reacts to obstacles.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThSphereKind {
    /// Stops at the first obstacle; passes through living and ethereal objects.
    Camera = 0,
    /// Stops at the first obstacle, including creatures.
    Missile = 1,
    /// Slides along obstacles.
    Slide = 2,
}

/// A sphere to be swept.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThSweep {
    /// Its centre at the start.
    pub from: ThPosition,
    /// The target of its centre.
    pub to: ThPosition,
    /// Metres: 0.01 to 50.
    pub radius: f32,
    /// One of ThSphereKind.
    pub kind: u32,
}

/// How a sweep ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThSwept {
    /// Where it ended, in the cell it was in.
    pub position: ThPosition,
    /// 1 when that is a valid position in a loaded cell, else 0.
    pub is_valid: u32,
    /// Metres left to the target.
    pub remaining: f32,
    /// The last obstacle it hit.
    pub target: ThTarget,
    /// The surface normal of that obstacle.
    pub normal: ThVec3,
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u32,
}

/// Why a path cannot be walked.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThStop {
    /// Every leg was completed.
    #[default]
    None = 0,
    /// There is no room or no ground at the start of the path.
    NoRoom = 1,
    /// Something is in the way.
    Blocked = 2,
    /// The end of the leg was reached, but above or below it.
    OtherLevel = 3,
    /// The body left the loaded world.
    Lost = 4,
    /// The path takes longer than an hour.
    TooLong = 5,
}

/// The result of walking a path.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPathReport {
    /// Where the body was at the end.
    pub end: ThPosition,
    /// Number of completed legs; it stopped in the next one.
    pub legs: u32,
    /// Why it stopped; TH_STOP_NONE when every leg was completed.
    pub stop: ThStop,
    /// The obstacle, if there is one.
    pub blocker: ThTarget,
    /// Seconds walked.
    pub seconds: f32,
    /// Metres walked, seen from above.
    pub metres: f32,
    /// The deepest fall on the path, in metres.
    pub deepest_fall: f32,
    /// Padding: keeps the size the same on all platforms.
    pub reserved: u32,
}

/// A path of a batch: a range of an array of legs.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThPath {
    /// Where it begins.
    pub from: ThPosition,
    /// Its first leg in the array.
    pub first_leg: u32,
    /// How many legs it has.
    pub leg_count: u32,
}

/// How a jump ended.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThJumpEnd {
    /// On walkable ground.
    #[default]
    Landed = 0,
    /// The body could not take off: no room, or no ground.
    NoFooting = 1,
    /// Outside the loaded world.
    Lost = 2,
    /// It was still in the air after half a minute, or stuck between walls.
    Stuck = 3,
}

/// A jump to simulate.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThJump {
    /// Start and rotation.
    pub from: ThPosition,
    /// Keys that are held at take-off: a combination of ThControl.
    pub keys: u32,
    /// Power of the jump, 0…1.
    pub power: f32,
}

/// The result of a jump.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThJumpReport {
    /// How it ended.
    pub end: ThJumpEnd,
    /// Seconds in the air.
    pub seconds: f32,
    /// Metres from take-off to the highest point.
    pub height: f32,
    /// Metres from the highest point down to the end.
    pub fall: f32,
    /// Where the body was at the end.
    pub landing: ThPosition,
    /// The first thing that was hit in the air.
    pub bumped: ThTarget,
}

/// Where to look for a spot: within a distance of a place, or in a cell if that is not 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThArea {
    /// The cell; 0 to look around a place.
    pub cell: u32,
    /// The place.
    pub center: ThPosition,
    /// How far from it, seen from above.
    pub metres: f32,
}

impl ThSweep {
    fn check(&self) -> Result<SphereSweep, Fault> {
        let kind = match self.kind {
            0 => SphereKind::Camera,
            1 => SphereKind::Missile,
            2 => SphereKind::Slide,
            other => return Err(Fault::argument(format!("unknown kind of sphere {other}"))),
        };
        Ok(SphereSweep { from: self.from.check()?, to: self.to.check()?, radius: self.radius, kind })
    }
}

impl From<Swept> for ThSwept {
    fn from(swept: Swept) -> ThSwept {
        let Swept { position, is_valid, remaining, hit } = swept;
        ThSwept {
            position: position.into(),
            is_valid: is_valid.into(),
            remaining,
            target: hit.map(|hit| hit.target.into()).unwrap_or_default(),
            normal: hit.map(|hit| hit.normal.into()).unwrap_or_default(),
            reserved: 0,
        }
    }
}

impl From<PathReport> for ThPathReport {
    fn from(report: PathReport) -> ThPathReport {
        ThPathReport {
            end: report.end.into(),
            legs: report.legs,
            stop: report.stop.map_or(ThStop::None, |stop| match stop.reason {
                StopReason::NoRoom => ThStop::NoRoom,
                StopReason::Blocked => ThStop::Blocked,
                StopReason::OtherLevel => ThStop::OtherLevel,
                StopReason::Lost => ThStop::Lost,
                StopReason::TooLong => ThStop::TooLong,
            }),
            blocker: report.stop.and_then(|stop| stop.blocker).map(ThTarget::from).unwrap_or_default(),
            seconds: report.seconds,
            metres: report.metres,
            deepest_fall: report.deepest_fall,
            reserved: 0,
        }
    }
}

impl ThJumpReport {
    fn new(report: &JumpReport, from: ThPosition) -> ThJumpReport {
        ThJumpReport {
            end: match report.end {
                JumpEnd::Landed => ThJumpEnd::Landed,
                JumpEnd::NoFooting => ThJumpEnd::NoFooting,
                JumpEnd::Lost => ThJumpEnd::Lost,
                JumpEnd::Stuck => ThJumpEnd::Stuck,
            },
            seconds: report.seconds(),
            height: report.height,
            fall: report.fall,
            landing: report.arc.last().map_or(from, |&at| at.into()),
            bumped: report.bumped.map(ThTarget::from).unwrap_or_default(),
        }
    }
}

pub(crate) fn walker(walker: Option<ThWalker>) -> Result<Walker, Fault> {
    walker.map_or_else(|| Ok(Walker::default()), ThWalker::check)
}

/// Sweeps a sphere through everything solid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_sweep_sphere(
    world: *mut ThWorld,
    sweep: *const ThSweep,
    swept: *mut ThSwept,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (sweep, out) = unsafe { (read(sweep, "sweep")?, Out::new(swept, "swept")?) };
        out.set(world.sim.sweep_sphere(&sweep.check()?)?.into());
        Ok(())
    })
}

/// Like `th_sweep_sphere` for many spheres, on all processors: `swept` has room for `count` answers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_sweep_spheres(
    world: *mut ThWorld,
    sweeps: *const ThSweep,
    count: u32,
    swept: *mut ThSwept,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (sweeps, out) =
            unsafe { (read_array(sweeps, count, "sweeps")?, OutExact::new(swept, count, "swept")?) };
        let sweep = |sweeps: &[_]| world.sim.sweep_spheres(sweeps);
        out.set(&answer_each(&sweeps, ThSweep::check, sweep, ThSwept::from)?)
    })
}

/// Sweeps an object from its position, with its own body and footing, as one move, without moving it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_sweep_entity(
    world: *mut ThWorld,
    object: ThEntity,
    to: *const ThPosition,
    swept: *mut ThSwept,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (to, out) = unsafe { (read(to, "to")?, Out::new(swept, "swept")?) };
        out.set(world.sim.sweep_entity(entity(object)?, &to.check()?)?.into());
        Ok(())
    })
}

/// Moves a body along a path, tick by tick, and reports how far it gets and what stops it. `walker` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_check_path(
    world: *mut ThWorld,
    who: *const ThWalker,
    from: *const ThPosition,
    legs: *const ThPosition,
    leg_count: u32,
    report: *mut ThPathReport,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, from, legs, out) = unsafe {
            (
                read_optional(who),
                read(from, "from")?,
                read_array(legs, leg_count, "legs")?,
                Out::new(report, "report")?,
            )
        };
        let legs = check_each(&legs, |leg| leg.check())?;
        let path = PathCheck { walker: walker(who)?, from: from.check()?, legs: &legs };
        out.set(world.sim.check_path(&path)?.into());
        Ok(())
    })
}

/// Like `th_check_path` for many paths, on all processors. Each path is a run of `legs`; `reports` has room for `count`
/// reports.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_check_paths(
    world: *mut ThWorld,
    who: *const ThWalker,
    paths: *const ThPath,
    count: u32,
    legs: *const ThPosition,
    leg_count: u32,
    reports: *mut ThPathReport,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, paths, legs, out) = unsafe {
            (
                read_optional(who),
                read_array(paths, count, "paths")?,
                read_array(legs, leg_count, "legs")?,
                OutExact::new(reports, count, "reports")?,
            )
        };
        let (walker, legs) = (walker(who)?, check_each(&legs, |leg| leg.check())?);
        let path = |path: &ThPath| {
            let first = path.first_leg as usize;
            let run: Option<&[Position]> =
                first.checked_add(path.leg_count as usize).and_then(|end| legs.get(first..end));
            let legs = run.ok_or_else(|| Fault::argument("the legs of a path are outside the array"))?;
            Ok(PathCheck { walker, from: path.from.check()?, legs })
        };
        let walk = |paths: &[_]| world.sim.check_paths(paths);
        out.set(&answer_each(&paths, path, walk, ThPathReport::from)?)
    })
}

/// Simulates a jump until the body lands. `walker` may be null. The arc, the position of the body at every tick from
/// take-off to the end, is written like any array; pass a null buffer and a capacity of 0 to omit it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_simulate_jump(
    world: *mut ThWorld,
    who: *const ThWalker,
    jump: *const ThJump,
    report: *mut ThJumpReport,
    arc: *mut ThPosition,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, jump, report, arc) = unsafe {
            (
                read_optional(who),
                read(jump, "jump")?,
                Out::new(report, "report")?,
                OutArray::new(arc, capacity, count)?,
            )
        };
        let found = world.sim.simulate_jump(&Jump {
            walker: walker(who)?,
            from: jump.from.check()?,
            controls: controls(jump.keys)?,
            power: jump.power,
        })?;
        report.set(ThJumpReport::new(&found, jump.from));
        arc.set(&found.arc.iter().map(|&at| at.into()).collect::<Vec<ThPosition>>())
    })
}

/// Where a body placed here comes to stand, after the original's search for a free spot and a fall to the ground.
/// TH_STATUS_NOT_FOUND when there is no room, or no ground to stand on. `walker` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_stand_at(
    world: *mut ThWorld,
    who: *const ThWalker,
    place: *const ThPosition,
    stands: *mut ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, place, out) =
            unsafe { (read_optional(who), read(place, "place")?, Out::new(stands, "stands")?) };
        let found = world.sim.stand_at(&walker(who)?, &place.check()?)?;
        out.set(found.ok_or_else(|| Fault::not_found("room to stand there"))?.into());
        Ok(())
    })
}

/// A random spot in an area where a body can stand, with a random heading; the same seed gives the same spot. TH_STATUS_NOT_FOUND
/// when none of 64 tries succeeds. `walker` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_random_standable(
    world: *mut ThWorld,
    who: *const ThWalker,
    area: *const ThArea,
    seed: u64,
    spot: *mut ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, area, out) = unsafe { (read_optional(who), read(area, "area")?, Out::new(spot, "spot")?) };
        let area = match area.cell {
            0 => Area::Around { center: area.center.check()?, metres: area.metres },
            cell => Area::Cell(CellId(cell)),
        };
        let found = world.sim.random_standable(&walker(who)?, area, seed)?;
        out.set(found.ok_or_else(|| Fault::not_found("spot to stand on"))?.into());
        Ok(())
    })
}
