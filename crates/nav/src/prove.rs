//! The proof of a route: a body walks it.

use crate::{
    NavError, PatchId, Query, Route,
    policy::is_open,
    pull::pull,
    route::ROOM,
    search::{Crossing, nearest_on},
};
use glam::{Vec2, Vec3};
use threshold_physics::scene::Foothold;
use threshold_world::{Frame, Position, coords::block_offset};

/// Ways of more waypoints are walked again with fewer.
const MANY_LEGS: usize = 6;

/// A body this near to a waypoint that it was sent to is there to the point, in metres.
const EXACT: f32 = 0.02;
/// Steps lead higher, in metres, and are taken one by one.
const FLAT: f32 = 0.3;

/// Whether some waypoints lie on one floor.
fn is_flat(part: &[Position]) -> bool {
    let heights = || part.iter().map(|place| place.frame.origin.z);
    heights().fold(f32::NEG_INFINITY, f32::max) - heights().fold(f32::INFINITY, f32::min) < FLAT
}

/// Where a way did not hold.
pub(crate) enum Failed {
    /// At a crossing of the corridor.
    At(usize),
    /// At its very end.
    AtGoal,
}

impl Query<'_> {
    /// Walks the way corner by corner; where that does not hold, from point to point of the mesh.
    pub(crate) fn prove(
        &mut self,
        start: &Foothold,
        corridor: &[Crossing],
        goal: &Foothold,
    ) -> Result<Result<Route, Failed>, NavError> {
        let corners = pull(self.flat(&start.position), corridor, self.flat(&goal.position));
        self.walk.start(start)?;
        let mut waypoints = vec![start.position];
        let mut passed = 0;
        for (k, corner) in corners.iter().enumerate() {
            let Some(milestone) = self.walk.milestone() else { return Ok(Err(Failed::AtGoal)) };
            let is_goal = k + 1 == corners.len();
            let patch = corner.crossings.checked_sub(1).and_then(|k| corridor.get(k)).map(|c| c.way.to);
            let to = match patch.filter(|_| !is_goal) {
                _ if is_goal => goal.position,
                Some(patch) => self.lifted(corner.at, patch),
                None => self.raw(corner.at, goal.position.frame.origin.z),
            };
            if self.walk.leg(&to, is_goal || patch.is_some())?.is_err() || is_goal && !self.is_at(goal) {
                self.walk.go_back(&milestone)?;
                let part = &corridor[passed..corner.crossings];
                if let Err(at) = self.point_by_point(part, &mut waypoints)? {
                    return Ok(Err(Failed::At(passed + at)));
                }
                if is_goal {
                    if self.walk.leg(&to, true)?.is_err() || !self.is_at(goal) {
                        let last = corridor.len().checked_sub(1);
                        return Ok(Err(last.map_or(Failed::AtGoal, Failed::At)));
                    }
                    waypoints.push(*self.walk.position());
                }
            } else {
                waypoints.push(*self.walk.position());
            }
            passed = corner.crossings;
        }
        let route = self.proved(waypoints);
        let tight = if route.waypoints.len() > MANY_LEGS {
            self.tighten(start, &route.waypoints, goal)?
        } else {
            None
        };
        Ok(Ok(tight.unwrap_or(route)))
    }

    /// Walks the way once more and leaves out waypoints wherever a straight leg holds as well.
    fn tighten(
        &mut self,
        start: &Foothold,
        waypoints: &[Position],
        goal: &Foothold,
    ) -> Result<Option<Route>, NavError> {
        self.walk.start(start)?;
        let mut kept = vec![start.position];
        let mut at = 0;
        while at + 1 < waypoints.len() {
            let Some(milestone) = self.walk.milestone() else { return Ok(None) };
            let mut went_on = false;
            for span in [4, 2, 1] {
                let Some(part) = waypoints.get(at..=at + span).filter(|part| span == 1 || is_flat(part))
                else {
                    continue;
                };
                let to = &part[span];
                let arrives = self.walk.leg(to, true)?.is_ok();
                if arrives && (span == 1 || self.walk.position().distance_to(to) < EXACT) {
                    at += span;
                    went_on = true;
                    break;
                }
                self.walk.go_back(&milestone)?;
            }
            if !went_on {
                return Ok(None);
            }
            kept.push(*self.walk.position());
        }
        Ok(self.is_at(goal).then(|| self.proved(kept)))
    }

    /// The way that the body has walked.
    pub(crate) fn proved(&mut self, waypoints: Vec<Position>) -> Route {
        let mut doors = std::mem::take(&mut self.walk.doors);
        doors.retain(|&door| !is_open(self.around, door));
        let cells = std::mem::take(&mut self.walk.cells);
        Route { proved: true, length: self.walk.metres, doors, waypoints, cells }
    }

    pub(crate) fn is_at(&self, goal: &Foothold) -> bool {
        self.walk.position().distance_to(&goal.position) < ROOM
    }

    fn raw(&self, at: Vec2, height: f32) -> Position {
        Position::new(self.home.cell(1), Frame::at(Vec3::new(at.x, at.y, height)))
    }

    /// Walks through crossings by the points of the mesh on both sides of them. The error is the crossing that does not hold.
    fn point_by_point(
        &mut self,
        crossings: &[Crossing],
        waypoints: &mut Vec<Position>,
    ) -> Result<Result<(), usize>, NavError> {
        for (k, crossing) in crossings.iter().enumerate() {
            let here = self.flat(self.walk.position());
            for (point, patch) in self.points_of(crossing, here) {
                let to = self.lifted(point, patch);
                if self.walk.leg(&to, true)?.is_err() {
                    return Ok(Err(k));
                }
                waypoints.push(*self.walk.position());
            }
        }
        Ok(Ok(()))
    }

    /// The points of the mesh on both sides of a crossing that are nearest to a place.
    fn points_of(&self, crossing: &Crossing, here: Vec2) -> [(Vec2, PatchId); 2] {
        let (from, to) = (crossing.way.id.from, crossing.way.to);
        if let Some(exit) = crossing.exit {
            return [(crossing.left, from), (exit, to)];
        }
        let mesh = self.nav.mesh(self.around, from.block());
        let shift = block_offset(self.home.cell(1), from.block().cell(1)).truncate();
        let Some((near, far)) = mesh.crossing(from.patch(), &crossing.way.link) else {
            return [(crossing.left, from), (crossing.right, to)];
        };
        let step = far[0] - near[0];
        let on = nearest_on(near[0], near[1], here - shift);
        let count = ((near[1] - near[0]).length() / mesh.pitch).round().max(1.0);
        let t = if near[0] == near[1] { 0.0 } else { ((on - near[0]).length() / mesh.pitch).round() / count };
        let point = near[0] + (near[1] - near[0]) * t + shift;
        [(point, from), (point + step, to)]
    }
}
