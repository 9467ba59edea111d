//! What is visible from a room: the visible lists of cells and building portals.
//!
//! A straight line that leaves a convex room crosses openings one after the other and never comes back, so a walk through
//! openings, each clipped to what can be seen of it through the first and the one before, finds every room that any
//! line can reach. The clipping planes leave a millimetre of slack: the lists may hold a room too many, never one too
//! few.

use super::{Plan, RoomId};
use crate::geom::{Plane, Polygon};
use glam::DVec3;
use std::collections::BTreeSet;

/// Rooms seen from somewhere, and whether the outdoors is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sight {
    /// By number.
    pub rooms: BTreeSet<RoomId>,
    /// Some exit is in view.
    pub outside: bool,
}

/// Openings looked at per viewpoint before giving up exactness; then everything connected counts as seen.
const MOST_STEPS: usize = 50_000;

/// Metres by which clipping planes are moved outwards.
const SLACK: f64 = 1e-3;

struct Opening {
    link: usize,
    /// Seen from the room it belongs to, facing into it.
    polygon: Polygon,
    other: Option<RoomId>,
}

/// Answers for all rooms of a plan.
pub(crate) struct Visibility {
    rooms: Vec<Vec<Opening>>,
}

impl Visibility {
    pub(crate) fn new(plan: &Plan) -> Visibility {
        let openings = |room: usize| {
            let links = plan.links.iter().enumerate();
            let seen = links.filter_map(|(link, l)| {
                let (polygon, other) = l.seen_from(RoomId(room))?;
                Some(Opening { link, polygon, other })
            });
            seen.collect()
        };
        Visibility { rooms: (0..plan.rooms.len()).map(openings).collect() }
    }

    /// What can be seen from anywhere in a room. Rooms two openings away always count: a body may reach into them.
    pub(crate) fn seen_from(&self, room: RoomId) -> Sight {
        let mut walk = Walk { visibility: self, sight: Sight::default(), path: vec![room], steps: 0 };
        for opening in &self.rooms[room.0] {
            walk.look_through(opening);
        }
        let mut sight = walk.finish(room);
        for near in self.rooms[room.0].iter().filter_map(|o| o.other) {
            sight.rooms.insert(near);
            sight.rooms.extend(self.rooms[near.0].iter().filter_map(|o| o.other));
        }
        sight.rooms.remove(&room);
        sight
    }

    /// What can be seen from outdoors through an exit of `room`.
    pub(crate) fn through_exit(&self, room: RoomId, link: usize) -> Sight {
        let mut walk = Walk { visibility: self, sight: Sight::default(), path: Vec::new(), steps: 0 };
        if let Some(exit) = self.rooms[room.0].iter().find(|o| o.link == link) {
            walk.look_through(&Opening { link, polygon: exit.polygon.flipped(), other: Some(room) });
        }
        let mut sight = walk.finish(room);
        sight.rooms.insert(room);
        sight.rooms.extend(self.rooms[room.0].iter().filter_map(|o| o.other));
        sight
    }
}

struct Walk<'a> {
    visibility: &'a Visibility,
    sight: Sight,
    /// Rooms the line of sight has been in.
    path: Vec<RoomId>,
    steps: usize,
}

impl Walk<'_> {
    /// Follows all lines that leave through `opening`, which faces the viewer.
    fn look_through(&mut self, opening: &Opening) {
        match opening.other {
            None => self.sight.outside = true,
            Some(next) => {
                self.sight.rooms.insert(next);
                if let Some(plane) = opening.polygon.plane() {
                    let window = Window { polygon: &opening.polygon, beyond: plane.flipped() };
                    self.enter(next, opening.link, &window, &opening.polygon);
                }
            }
        }
    }

    /// In `room`, having come through the part `last` of opening `came`, and first through `window`.
    fn enter(&mut self, room: RoomId, came: usize, window: &Window<'_>, last: &Polygon) {
        self.path.push(room);
        let visibility = self.visibility;
        for opening in &visibility.rooms[room.0] {
            self.steps += 1;
            let known = opening.other.is_some_and(|other| self.path.contains(&other));
            if opening.link == came || known || self.steps > MOST_STEPS {
                continue;
            }
            let Some(seen) = window.part_in_view(last, &opening.polygon) else { continue };
            match opening.other {
                None => self.sight.outside = true,
                Some(next) => {
                    self.sight.rooms.insert(next);
                    self.enter(next, opening.link, window, &seen);
                }
            }
        }
        self.path.pop();
    }

    fn finish(mut self, from: RoomId) -> Sight {
        if self.steps > MOST_STEPS {
            let mut open = vec![from];
            while let Some(room) = open.pop() {
                for opening in &self.visibility.rooms[room.0] {
                    match opening.other {
                        None => self.sight.outside = true,
                        Some(next) if self.sight.rooms.insert(next) => open.push(next),
                        Some(_) => {}
                    }
                }
            }
        }
        self.sight
    }
}

/// The first opening of a line of sight.
struct Window<'a> {
    polygon: &'a Polygon,
    /// Its plane, facing away from the viewer.
    beyond: Plane,
}

impl Window<'_> {
    /// What of `target` can be seen through the window and then through `last`.
    fn part_in_view(&self, last: &Polygon, target: &Polygon) -> Option<Polygon> {
        let mut planes = vec![slackened(self.beyond)];
        if !std::ptr::eq(self.polygon, last) {
            planes.extend(separators(self.polygon, last));
            planes.extend(
                separators(last, self.polygon).into_iter().map(|p| slackened(slackened(p.flipped()))),
            );
        }
        let facing = target.points.iter().any(|&p| self.beyond.distance(p) > SLACK);
        if facing { target.clipped(&planes) } else { None }
    }
}

fn slackened(plane: Plane) -> Plane {
    Plane { normal: plane.normal, d: plane.d + SLACK }
}

/// Planes through an edge of `from` and a corner of `to` that have `from` behind and `to` in front of them: lines that
/// pass both end up in front.
fn separators(from: &Polygon, to: &Polygon) -> Vec<Plane> {
    let mut planes = Vec::new();
    let next = from.points.iter().cycle().skip(1);
    for (&a, &b) in from.points.iter().zip(next) {
        for &c in &to.points {
            let Some(normal) = (b - a).cross(c - a).try_normalize() else { continue };
            for plane in [Plane::through(normal, a), Plane::through(-normal, a)] {
                let behind = |p: &DVec3| plane.distance(*p) < 1e-6;
                let in_front = |p: &DVec3| plane.distance(*p) > -1e-6;
                let touches_all = from.points.iter().all(|p| plane.distance(*p).abs() < 1e-6);
                if !touches_all && from.points.iter().all(behind) && to.points.iter().all(in_front) {
                    planes.push(slackened(plane));
                }
            }
        }
    }
    planes
}
