//! Routes from one place to another, proved by a body that walks them.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{Out, read, read_optional},
    probe::walker,
    types::{ThPosition, ThWalker},
    world::{copy_array, with_world},
};
use bytemuck::AnyBitPattern;
use threshold_sim::{
    PathRequest,
    nav::{DoorPolicy, Obstruction, Passage, Policy},
};

/// What a route may use. A null policy means: open doors, fall up to six metres, wade, go around portals, and prove the
/// route.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThPathPolicy {
    /// 0 opens closed doors, 1 uses only doors that are already open.
    pub leaves_doors_shut: u32,
    /// 0 may wade through water, 1 avoids it.
    pub stays_dry: u32,
    /// The deepest fall, in metres.
    pub max_drop: f32,
    /// 0 proves the route by walking it, 1 skips the proof, which is faster.
    pub unproved: u32,
    /// 0 goes around portals, 1 takes them. Only players can; others walk through them.
    pub takes_portals: u32,
}

/// The result of a search for a route.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThRouteEnd {
    /// There is a route.
    #[default]
    Reached = 0,
    /// There is no room to stand at the start.
    NoRoomAtStart = 1,
    /// There is no room to stand at the goal.
    NoRoomAtGoal = 2,
    /// The start is cut off.
    StartCutOff = 3,
    /// The goal is cut off.
    GoalCutOff = 4,
    /// The reachable region ends before the goal.
    RegionEnds = 5,
    /// The search took too long.
    GaveUp = 6,
}

/// A route, or how near to the goal one can get.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThRoute {
    /// Whether there is a route, and if not, why.
    pub end: ThRouteEnd,
    /// 1 when a body has walked every leg of it.
    pub is_proved: u32,
    /// Metres, seen from above.
    pub length: f32,
    /// Number of waypoints: the start, the ends of the legs, the goal.
    pub waypoints: u32,
    /// Number of closed doors on the route.
    pub doors: u32,
    /// Number of cells that it passes through.
    pub cells: u32,
    /// Number of portals that it takes.
    pub portals: u32,
    /// Without a route: the place nearest to the goal that can be reached.
    pub nearest: ThPosition,
    /// Without a route: metres from there to the goal, seen from above.
    pub gap: f32,
}

/// A portal that a route takes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThPassage {
    /// Its game id.
    pub portal: u32,
    /// Number of the waypoint that lies in the portal; the next one is where it leads.
    pub waypoint: u32,
}

/// The route that was found last.
#[derive(Default)]
pub(crate) struct LastRoute {
    pub(crate) waypoints: Vec<ThPosition>,
    pub(crate) doors: Vec<u32>,
    pub(crate) cells: Vec<u32>,
    pub(crate) portals: Vec<ThPassage>,
}

impl ThPathPolicy {
    fn check(self) -> Result<Policy, Fault> {
        if self.max_drop.is_nan() || self.max_drop < 0.0 {
            return Err(Fault::argument("the deepest fall is NaN, infinite or out of range"));
        }
        let doors = if self.leaves_doors_shut == 0 { DoorPolicy::Opens } else { DoorPolicy::LeavesShut };
        let policy = Policy::default().doors(doors).max_drop(self.max_drop);
        Ok(policy.wades(self.stays_dry == 0).takes_portals(self.takes_portals != 0))
    }
}

impl From<Passage> for ThPassage {
    fn from(Passage { portal, waypoint }: Passage) -> ThPassage {
        ThPassage { portal, waypoint }
    }
}

impl From<Obstruction> for ThRouteEnd {
    fn from(why: Obstruction) -> ThRouteEnd {
        match why {
            Obstruction::NoRoomAtStart => ThRouteEnd::NoRoomAtStart,
            Obstruction::NoRoomAtGoal => ThRouteEnd::NoRoomAtGoal,
            Obstruction::StartCutOff => ThRouteEnd::StartCutOff,
            Obstruction::GoalCutOff => ThRouteEnd::GoalCutOff,
            Obstruction::RegionEnds => ThRouteEnd::RegionEnds,
            Obstruction::GaveUp => ThRouteEnd::GaveUp,
        }
    }
}

/// Finds the shortest route and proves it by walking it. The world keeps it until the next search; the functions below
/// copy its arrays out. Only what is loaded is searched. `walker` and `policy` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_find_path(
    world: *mut ThWorld,
    who: *const ThWalker,
    from: *const ThPosition,
    to: *const ThPosition,
    policy: *const ThPathPolicy,
    route: *mut ThRoute,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (who, from, to, given, out) = unsafe {
            (
                read_optional(who),
                read(from, "from")?,
                read(to, "to")?,
                read_optional(policy),
                Out::new(route, "route")?,
            )
        };
        let policy = given.map_or_else(|| Ok(Policy::default()), ThPathPolicy::check)?;
        let prove = given.is_none_or(|policy| policy.unproved == 0);
        let (from, to) = (from.check()?, to.check()?);
        let request = PathRequest { walker: walker(who)?, from, to, policy: &policy, prove };
        world.route = LastRoute::default();
        out.set(match world.sim.find_path(&request)? {
            Ok(found) => {
                world.route = LastRoute {
                    waypoints: found.waypoints.iter().map(|&at| at.into()).collect(),
                    doors: found.doors,
                    cells: found.cells.iter().map(|cell| cell.0).collect(),
                    portals: found.passages.iter().map(|&passage| passage.into()).collect(),
                };
                ThRoute {
                    is_proved: found.proved.into(),
                    length: found.length,
                    waypoints: world.route.waypoints.len() as u32,
                    doors: world.route.doors.len() as u32,
                    cells: world.route.cells.len() as u32,
                    portals: world.route.portals.len() as u32,
                    ..ThRoute::default()
                }
            }
            Err(end) => ThRoute {
                end: end.why.into(),
                nearest: end.nearest.into(),
                gap: end.gap,
                ..ThRoute::default()
            },
        });
        Ok(())
    })
}

/// Where the legs of the last route end, the start first and the goal last. Empty when there was no route.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_route_waypoints(
    world: *mut ThWorld,
    waypoints: *mut ThPosition,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (waypoints, capacity, count), |world| &world.route.waypoints) }
}

/// Game ids of the closed doors on the last route, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_route_doors(
    world: *mut ThWorld,
    doors: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (doors, capacity, count), |world| &world.route.doors) }
}

/// Cells that the last route passes through, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_route_cells(
    world: *mut ThWorld,
    cells: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (cells, capacity, count), |world| &world.route.cells) }
}

/// Portals that the last route takes, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_route_portals(
    world: *mut ThWorld,
    portals: *mut ThPassage,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (portals, capacity, count), |world| &world.route.portals) }
}
