//! The proof of a route: a body walks it.

use crate::{
    NavError, Passage, PatchId, Query, Route,
    policy::is_open,
    pull::{Corner, pull},
    route::ROOM,
    search::{Crossing, nearest_on},
    walk::Milestone,
};
use glam::{Vec2, Vec3};
use threshold_physics::scene::Foothold;
use threshold_world::{Frame, Position, coords::block_offset};

/// Ways of this many legs are walked with fewer where that is possible.
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

/// The crossings of a corridor before the next portal, and that portal with the crossing that runs into it.
pub(crate) fn part_before_portal(corridor: &[Crossing]) -> (&[Crossing], Option<(u32, &Crossing)>) {
    let portals = (0..).zip(corridor).find_map(|(k, c): (usize, _)| Some((k, (c.portal?, c))));
    match portals {
        Some((count, portal)) => (&corridor[..count], Some(portal)),
        None => (corridor, None),
    }
}

/// The patch that a corner lies in, behind the last crossing before it.
fn patch_of(corridor: &[Crossing], corner: &Corner) -> Option<PatchId> {
    corner.crossings.checked_sub(1).and_then(|k| corridor.get(k)).map(|crossing| crossing.way.to)
}

impl Query<'_> {
    /// Walks the way from portal to portal.
    pub(crate) fn prove(
        &mut self,
        start: &Foothold,
        corridor: &[Crossing],
        goal: &Foothold,
    ) -> Result<Result<Route, Failed>, NavError> {
        self.walk.start(start)?;
        let (mut waypoints, mut passages) = (vec![start.position], Vec::new());
        let mut rest = corridor;
        loop {
            let first = corridor.len() - rest.len();
            let (part, portal) = part_before_portal(rest);
            let here = self.flat(self.walk.position());
            let into = portal.map(|(id, crossing)| (id, self.places_at_portal(crossing, here)));
            let end = into.map_or(goal.position, |(_, [near, _])| near);
            if let Err(failed) = self.prove_part(part, &end, &mut waypoints)? {
                return Ok(Err(match failed {
                    Failed::At(k) => Failed::At(first + k),
                    Failed::AtGoal if into.is_some() => Failed::At(first + part.len()),
                    Failed::AtGoal => Failed::AtGoal,
                }));
            }
            let Some((portal, [_, inside])) = into else { break };
            if !self.walk.leg_into(&inside, portal)? || !self.walk.take_portal(portal)? {
                return Ok(Err(Failed::At(first + part.len())));
            }
            passages.push(Passage { portal, waypoint: waypoints.len() as u32 });
            waypoints.extend([inside, *self.walk.position()]);
            rest = &rest[part.len() + 1..];
        }
        Ok(Ok(self.proved(waypoints, passages)))
    }

    /// Walks a part of the way corner by corner; where that does not hold, from point to point of the mesh.
    fn prove_part(
        &mut self,
        corridor: &[Crossing],
        goal: &Position,
        waypoints: &mut Vec<Position>,
    ) -> Result<Result<(), Failed>, NavError> {
        let Some(start) = self.walk.milestone() else { return Ok(Err(Failed::AtGoal)) };
        let first = waypoints.len() - 1;
        let corners = pull(self.flat(&start.at.position), corridor, self.flat(goal));
        if corners.len() >= MANY_LEGS && self.leap(&start, corridor, &corners, goal, waypoints)? {
            return Ok(Ok(()));
        }
        let mut passed = 0;
        for (k, corner) in corners.iter().enumerate() {
            let Some(milestone) = self.walk.milestone() else { return Ok(Err(Failed::AtGoal)) };
            let is_goal = k + 1 == corners.len();
            let patch = patch_of(corridor, corner);
            let to = if is_goal { *goal } else { self.corner(corner, patch, goal) };
            if self.walk.leg(&to, is_goal || patch.is_some())?.is_err() || is_goal && !self.is_at(goal) {
                self.walk.go_back(&milestone)?;
                let part = &corridor[passed..corner.crossings];
                if let Err(at) = self.point_by_point(part, waypoints)? {
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
        if waypoints.len() - first > MANY_LEGS {
            self.tighten(&start, first, goal, waypoints)?;
        }
        Ok(Ok(()))
    }

    /// The place of a corner.
    fn corner(&self, corner: &Corner, patch: Option<PatchId>, goal: &Position) -> Position {
        patch.map_or_else(|| self.raw(corner.at, goal.frame.origin.z), |patch| self.lifted(corner.at, patch))
    }

    /// Walks a part of the way with many corners and leaves out those that a straight leg passes as well; false, and back
    /// at its beginning, when a leg fails.
    fn leap(
        &mut self,
        start: &Milestone,
        corridor: &[Crossing],
        corners: &[Corner],
        goal: &Position,
        waypoints: &mut Vec<Position>,
    ) -> Result<bool, NavError> {
        let mut places = vec![start.at.position];
        let last = corners.len().saturating_sub(1);
        places.extend(corners.iter().take(last).map(|c| self.corner(c, patch_of(corridor, c), goal)));
        places.push(*goal);
        match self.shortened(&places)? {
            Some(kept) if self.is_at(goal) => {
                waypoints.pop();
                waypoints.extend(kept);
                Ok(true)
            }
            _ => self.walk.go_back(start).map(|()| false),
        }
    }

    /// Walks a part of the way once more and leaves out waypoints wherever a straight leg holds as well.
    fn tighten(
        &mut self,
        start: &Milestone,
        first: usize,
        goal: &Position,
        waypoints: &mut Vec<Position>,
    ) -> Result<(), NavError> {
        let before = self.walk.record();
        self.walk.go_back(start)?;
        match self.shortened(&waypoints[first..])? {
            Some(kept) if self.is_at(goal) => {
                waypoints.truncate(first);
                waypoints.extend(kept);
            }
            _ => self.walk.set_record(before)?,
        }
        Ok(())
    }

    /// Fewer waypoints by which the body has walked just now.
    fn shortened(&mut self, waypoints: &[Position]) -> Result<Option<Vec<Position>>, NavError> {
        let mut kept = vec![*self.walk.position()];
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
                // One that slides past something holds by a hair: another body may be stopped there.
                let is_clear = || !self.walk.has_slid && self.walk.position().distance_to(to) < EXACT;
                if arrives && (span == 1 || is_clear()) {
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
        Ok(Some(kept))
    }

    /// The last place before a portal, and one in it.
    pub(crate) fn places_at_portal(&self, crossing: &Crossing, here: Vec2) -> [Position; 2] {
        self.points_of(crossing, here).map(|(point, patch)| self.lifted(point, patch))
    }

    /// The way that the body has walked.
    pub(crate) fn proved(&mut self, waypoints: Vec<Position>, passages: Vec<Passage>) -> Route {
        let mut doors = std::mem::take(&mut self.walk.doors);
        doors.retain(|&door| !is_open(self.around, door));
        let cells = std::mem::take(&mut self.walk.cells);
        Route { proved: true, length: self.walk.metres, doors, waypoints, cells, passages }
    }

    pub(crate) fn is_at(&self, goal: &Position) -> bool {
        self.walk.position().distance_to(goal) < ROOM
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
