//! Routes: found on the mesh, returned when a body has walked them.

use crate::{
    Nav, NavError, PatchId, Policy, Surroundings,
    behind::LookBack,
    mesh::{Found, PatchKind},
    policy::{Terms, is_open},
    portals::Exits,
    prove::{Failed, part_before_portal},
    pull::pull,
    search::{Crossing, Search, SearchState},
    walk::Walk,
};
use glam::Vec2;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use threshold_physics::scene::{Foothold, check_position};
use threshold_world::{BlockId, CellId, Frame, Position, coords::block_offset};

/// How far from a place the mesh is searched, horizontally and vertically, in metres.
const REACH: Vec2 = Vec2::new(1.3, 1.0);
/// Places of the mesh that are tried at either end.
const ENDS: usize = 10;
/// There is no room for a body that ends up farther than this from where it was put down, in metres.
pub(crate) const ROOM: f32 = 0.3;
/// Places of the mesh that are enough at either end.
pub(crate) const ENOUGH: usize = 2;
/// Up to this distance the straight line is tried first, in metres. It mostly succeeds, and then no mesh has to be built.
const STRAIGHT: f32 = 64.0;
/// Failed routes after which a search gives up.
const MAX_REPLANS: usize = 64;
/// Patches that are searched from one end before it is the other end's turn.
const BATCH: usize = 64;
/// Patches that are searched before checking whether the goal can be reached at all.
const PROMPT: usize = 1024;
/// Patches that are searched for the place nearest to an unreachable goal.
const LOOK_AROUND: usize = 1024;
/// Patches per step of [`Nav::find`].
const STEPS: usize = 1 << 16;
/// Patches after which a search gives up.
const MAX_STEPS: usize = 1 << 22;

/// A route that can be walked.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// Whether a body has walked every leg of it.
    pub proved: bool,
    /// Length in metres, seen from above.
    pub length: f32,
    /// Game ids of the closed doors on the route, in order.
    pub doors: Vec<u32>,
    /// Where its legs end, the start first and the goal last.
    pub waypoints: Vec<Position>,
    /// Cells that it passes through, in order.
    pub cells: Vec<CellId>,
    /// Portals that it uses, in order.
    pub passages: Vec<Passage>,
}

/// A portal that a route uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// Its game id.
    pub portal: u32,
    /// Index of the waypoint inside the portal; the next waypoint is its destination.
    pub waypoint: u32,
}

/// Why there is no route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstruction {
    /// There is no room to stand at the start.
    NoRoomAtStart,
    /// There is no room to stand at the goal.
    NoRoomAtGoal,
    /// The start is not on the mesh: a body can stand there but not leave.
    StartCutOff,
    /// The goal is not on the mesh: a body could stand there but not reach it.
    GoalCutOff,
    /// The reachable region ends before the goal.
    RegionEnds,
    /// The search took too long.
    GaveUp,
}

impl std::fmt::Display for Obstruction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Obstruction::NoRoomAtStart => "there is no room to stand at the start",
            Obstruction::NoRoomAtGoal => "there is no room to stand at the goal",
            Obstruction::StartCutOff => "the start is cut off",
            Obstruction::GoalCutOff => "the goal is cut off",
            Obstruction::RegionEnds => "the region reachable from the start ends before the goal",
            Obstruction::GaveUp => "the search took too long",
        })
    }
}

/// There is no route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unreachable {
    /// Why.
    pub why: Obstruction,
    /// The reachable place nearest to the goal: where the region ends.
    pub nearest: Position,
    /// Metres from there to the goal, seen from above.
    pub gap: f32,
}

/// A request for a route.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Start of the route.
    pub from: Position,
    /// Its goal.
    pub to: Position,
    /// What it may use.
    pub policy: &'a Policy,
    /// Whether a body walks the route before it is returned.
    pub prove: bool,
}

/// The result of [`Nav::attempt`].
#[derive(Clone, Debug, PartialEq)]
pub enum Attempt {
    /// The answer.
    Answer(Result<Route, Unreachable>),
    /// The search needs the meshes of these blocks first.
    Needs(Vec<BlockId>),
}

/// A question being answered, a little at a time.
pub struct Query<'a> {
    pub(crate) nav: &'a Nav,
    pub(crate) around: &'a Surroundings<'a>,
    request: Request<'a>,
    terms: Terms<'a>,
    pub(crate) home: BlockId,
    search: Search,
    behind: LookBack,
    pub(crate) walk: Walk<'a>,
    start: Option<Foothold>,
    goal: Option<Foothold>,
    starts: Vec<PatchId>,
    goals: Vec<PatchId>,
    replans: usize,
    steps: usize,
    /// Blocks whose meshes are needed before there is an answer.
    lacking: BTreeSet<BlockId>,
    answer: Option<Result<Route, Unreachable>>,
}

impl Nav {
    /// Finds a way with meshes of some blocks alone, and builds none but those. Gives up after `steps` patches and sweeps, or a few more, so that its cost has a bound. Where other meshes are
    /// needed for the answer that [`Nav::find`] would give, it says which. The number is what it cost, in patches and sweeps.
    pub fn attempt(
        &self,
        around: &Surroundings<'_>,
        request: &Request<'_>,
        is_usable: &(dyn Fn(BlockId) -> bool + Sync),
        steps: usize,
    ) -> Result<(Attempt, u64), NavError> {
        let mut query = Query::with_meshes(self, around, request, Some(is_usable))?;
        let answer = if query.lacking.is_empty() { query.advance(steps)? } else { None };
        if answer.is_none() && query.lacking.is_empty() {
            query.fail(Obstruction::GaveUp);
        }
        let work = query.steps as u64 + query.walk.sweeps();
        let attempt = match query.answer {
            Some(answer) => Attempt::Answer(answer),
            None => Attempt::Needs(query.lacking.into_iter().collect()),
        };
        Ok((attempt, work))
    }

    /// Finds a way.
    pub fn find(
        &self,
        around: &Surroundings<'_>,
        request: &Request<'_>,
    ) -> Result<Result<Route, Unreachable>, NavError> {
        let mut query = Query::new(self, around, request)?;
        loop {
            if let Some(answer) = query.advance(STEPS)? {
                return Ok(answer);
            }
        }
    }
}

impl<'a> Query<'a> {
    /// Starts a search: places bodies at both ends.
    pub fn new(
        nav: &'a Nav,
        around: &'a Surroundings<'a>,
        request: &Request<'a>,
    ) -> Result<Query<'a>, NavError> {
        Query::with_meshes(nav, around, request, None)
    }

    fn with_meshes(
        nav: &'a Nav,
        around: &'a Surroundings<'a>,
        request: &Request<'a>,
        usable: Option<&'a (dyn Fn(BlockId) -> bool + Sync)>,
    ) -> Result<Query<'a>, NavError> {
        check_position(&request.from)?;
        check_position(&request.to)?;
        let probe = nav.agent().probe(around, request.from)?;
        let mut query = Query {
            nav,
            around,
            request: *request,
            terms: Terms { policy: request.policy, usable },
            home: request.from.cell.block(),
            search: Search::default(),
            behind: LookBack::default(),
            walk: Walk::new(around, request.policy, probe, nav.agent().stride()),
            start: None,
            goal: None,
            starts: Vec::new(),
            goals: Vec::new(),
            replans: 0,
            steps: 0,
            lacking: BTreeSet::new(),
            answer: None,
        };
        query.prepare()?;
        Ok(query)
    }

    fn prepare(&mut self) -> Result<(), NavError> {
        let Some(start) = self.stand_at(self.request.from)? else {
            self.fail(Obstruction::NoRoomAtStart);
            return Ok(());
        };
        let Some(goal) = self.stand_at(self.request.to)? else {
            self.fail(Obstruction::NoRoomAtGoal);
            return Ok(());
        };
        (self.start, self.goal) = (Some(start), Some(goal));
        self.home = start.position.cell.block();
        if let Some(route) = self.straight(&start, &goal)? {
            self.answer = Some(Ok(route));
            return Ok(());
        }
        let ends = [start, goal].map(|end| end.position.cell.block());
        self.lacking.extend(ends.into_iter().filter(|&block| !self.terms.may_use(block)));
        if !self.lacking.is_empty() {
            return Ok(());
        }
        let starts = self.ends(&start, End::Start)?;
        if starts.is_empty() {
            self.fail(Obstruction::StartCutOff);
            return Ok(());
        }
        let goals = self.ends(&goal, End::Goal)?;
        self.search.exits =
            Exits::find(self.nav, self.around, &self.terms, &mut self.walk, &mut self.lacking)?;
        (self.starts, self.goals) = (starts, goals);
        self.begin_search();
        Ok(())
    }

    /// The straight line, if it is short and can be walked: then there is no shorter way.
    fn straight(&mut self, start: &Foothold, goal: &Foothold) -> Result<Option<Route>, NavError> {
        let length = start.position.offset_to(&goal.position).truncate().length();
        if !self.request.prove
            || !self.request.policy.wades
            || length > STRAIGHT
            || !walks(&mut self.walk, start, &goal.position)?
        {
            return Ok(None);
        }
        Ok(self.is_at(&goal.position).then(|| {
            let waypoints = vec![start.position, *self.walk.position()];
            self.proved(waypoints, Vec::new())
        }))
    }

    /// Where a body stands that is put down at a place, unless it had to be moved away.
    fn stand_at(&mut self, at: Position) -> Result<Option<Foothold>, NavError> {
        let found = self.walk.put_down(&at)?;
        Ok(found.filter(|found| at.offset_to(&found.position).truncate().length() < ROOM))
    }

    /// Patches that a body can come to from a place, or from which it can come there.
    fn ends(&mut self, place: &Foothold, end: End) -> Result<Vec<PatchId>, NavError> {
        let (nav, around) = (self.nav, self.around);
        let mut found = Vec::new();
        for (patch, at) in places_near(nav, around, &place.position) {
            if is_in_the_open(nav, patch, &at, &place.position) {
                return Ok(vec![patch]);
            }
            let holds = !self.request.prove && at.cell == place.position.cell
                || match end {
                    End::Start => walks(&mut self.walk, place, &at)?,
                    End::Goal => match self.walk.put_down(&at)? {
                        Some(from) => walks(&mut self.walk, &from, &place.position)?,
                        None => false,
                    },
                };
            if holds {
                found.push(patch);
            }
            if found.len() == ENOUGH {
                break;
            }
        }
        Ok(found)
    }

    fn begin_search(&mut self) {
        let (Some(start), Some(goal)) = (self.start, self.goal) else { return };
        let entry = self.flat(&start.position);
        let goal = self.flat(&goal.position);
        self.search.begin(self.nav, self.home, &self.starts, entry, goal, &self.goals);
        self.behind.begin(&self.goals);
    }

    /// A place from above, in the coordinates of the block that the way begins in.
    pub(crate) fn flat(&self, place: &Position) -> Vec2 {
        (place.frame.origin + block_offset(self.home.cell(1), place.cell)).truncate()
    }

    fn fail(&mut self, why: Obstruction) {
        let nearest = self.search.nearest(self.nav, self.around);
        let start = self.start.map_or(self.request.from, |start| start.position);
        let nearest = nearest.map_or(start, |(patch, point)| {
            let mesh = self.nav.mesh(self.around, patch.block());
            let local = point - block_offset(self.home.cell(1), patch.block().cell(1)).truncate();
            let spot = mesh.lattice().spot(local);
            let found = mesh.patches.get(patch.patch() as usize).zip(spot);
            let number = found.map_or(0, |(patch, spot)| patch.nearest(spot));
            mesh.place(self.around.world, patch.patch(), number)
        });
        let gap = nearest.offset_to(&self.request.to).truncate().length();
        self.answer = Some(Err(Unreachable { why, nearest, gap }));
    }

    /// Continues for some steps, each a patch or a sweep, and returns the answer once there is one. The proof of a route is not interrupted: it ends at the goal
    /// or at the first leg that fails.
    pub fn advance(&mut self, steps: usize) -> Result<Option<Result<Route, Unreachable>>, NavError> {
        let mut left = steps;
        while left > 0 && self.answer.is_none() && self.lacking.is_empty() {
            let sweeps = self.walk.sweeps();
            self.go_on()?;
            let spent = BATCH as u64 + self.walk.sweeps() - sweeps;
            left = left.saturating_sub(spent as usize);
        }
        Ok(self.answer.clone())
    }

    /// Searches from both ends: from the start for the way, from the goal for whether there can be one.
    fn go_on(&mut self) -> Result<(), NavError> {
        self.steps += BATCH;
        let is_cut_off = self.is_cut_off();
        match self.search.run(self.nav, self.around, &self.terms, BATCH) {
            SearchState::Open if is_cut_off && self.search.expanded >= LOOK_AROUND => self.fail_cut_off(),
            SearchState::Open if self.steps >= MAX_STEPS => self.fail(Obstruction::GaveUp),
            SearchState::Open => {}
            SearchState::Exhausted => self.fail_cut_off(),
            // Where the goal is cut off in its own block no other one has to be known.
            SearchState::Lacks if self.comes_from_afar() => self.lacking = self.search.lacking.clone(),
            SearchState::Lacks => {}
            SearchState::Found(patch) => self.found(patch)?,
        }
        Ok(())
    }

    fn fail_cut_off(&mut self) {
        self.fail(if self.goals.is_empty() { Obstruction::GoalCutOff } else { Obstruction::RegionEnds });
    }

    /// Whether it is known that nobody comes from the starts to the goals.
    fn is_cut_off(&mut self) -> bool {
        // Most ways are found before that is worth asking.
        let is_worth_it = self.search.expanded >= PROMPT || !self.search.lacking.is_empty();
        is_worth_it && !self.look_back(BATCH)
    }

    /// Looks back from the goals; false when everything is known from which they can be come to, and the starts are not among it.
    fn look_back(&mut self, steps: usize) -> bool {
        let Query { nav, around, terms, search, behind, starts, .. } = self;
        // What leads into a portal is not known from behind.
        !search.exits.is_empty() || behind.run(nav, around, terms, &search.marks, starts, steps)
    }

    /// Whether one may come to the goals from other blocks, as far as is known.
    fn comes_from_afar(&mut self) -> bool {
        self.look_back(PROMPT)
    }

    /// A way over the mesh has been found: walks it, or looks for another one.
    fn found(&mut self, goal_patch: PatchId) -> Result<(), NavError> {
        let (Some(start), Some(goal)) = (self.start, self.goal) else { return Ok(()) };
        let corridor = self.search.corridor(self.nav, self.around, goal_patch);
        if !self.request.prove {
            let route = self.unproved(&start.position, &corridor, &goal.position);
            self.answer = Some(Ok(route));
            return Ok(());
        }
        match self.prove(&start, &corridor, &goal)? {
            Ok(route) => self.answer = Some(Ok(route)),
            Err(Failed::At(crossing)) => {
                self.nav.mark(corridor[crossing].way.id);
                self.replan();
            }
            Err(Failed::AtGoal) => {
                self.goals.retain(|&goal| goal != goal_patch);
                self.replan();
            }
        }
        Ok(())
    }

    fn replan(&mut self) {
        self.replans += 1;
        if self.replans > MAX_REPLANS {
            self.fail(Obstruction::GaveUp);
        } else {
            self.begin_search();
        }
    }

    /// A place by its point from above, with the height of the patch that a crossing leads to.
    pub(crate) fn lifted(&self, at: Vec2, patch: PatchId) -> Position {
        let mesh = self.nav.mesh(self.around, patch.block());
        let shift = block_offset(self.home.cell(1), patch.block().cell(1)).truncate();
        let local = at - shift;
        let found = mesh.patches.get(patch.patch() as usize).zip(mesh.lattice().spot(local));
        let point = found.map_or(0, |(patch, spot)| patch.nearest(spot));
        let place = mesh.place(self.around.world, patch.patch(), point);
        Position::new(place.cell, Frame::at(local.extend(place.frame.origin.z)))
    }

    fn unproved(&self, start: &Position, corridor: &[Crossing], goal: &Position) -> Route {
        let (mut waypoints, mut passages, mut length) = (vec![*start], Vec::new(), 0.0);
        let mut rest = corridor;
        loop {
            let (part, portal) = part_before_portal(rest);
            let here = waypoints[waypoints.len() - 1];
            let into = portal.map(|(id, crossing)| (id, self.places_at_portal(crossing, self.flat(&here))));
            let end = into.map_or(*goal, |(_, [near, _])| near);
            let first = waypoints.len() - 1;
            let corners = pull(self.flat(&here), part, self.flat(&end));
            for corner in corners.iter().take(corners.len().saturating_sub(1)) {
                let patch = corner.crossings.checked_sub(1).and_then(|k| part.get(k)).map(|c| c.way.to);
                let patch = patch.or_else(|| part.first().map(|c| c.way.id.from));
                waypoints.extend(patch.map(|patch| self.lifted(corner.at, patch)));
            }
            waypoints.push(end);
            waypoints.extend(into.map(|(_, [_, far])| far));
            let legs = waypoints[first..].windows(2);
            length += legs.map(|pair| pair[0].offset_to(&pair[1]).truncate().length()).sum::<f32>();
            let Some((id, _)) = into else { break };
            let Some(exit) = self.search.exits.get(id) else { break };
            passages.push(Passage { portal: id, waypoint: waypoints.len() as u32 - 1 });
            waypoints.push(exit.at.position);
            rest = &rest[part.len() + 1..];
        }
        let mut cells = vec![start.cell];
        cells.extend(corridor.iter().map(|c| self.nav.cell(self.around, c.way.to)));
        cells.dedup();
        let mut doors: Vec<u32> = corridor.iter().filter_map(|c| self.nav.door_of(&c.way)).collect();
        doors.dedup();
        doors.retain(|&door| !is_open(self.around, door) && self.around.portal(door).is_none());
        Route { proved: false, length, doors, waypoints, cells, passages }
    }
}

/// Places of the mesh near another place, nearest first. Those of a neighbouring block are reached over one of its own.
pub(crate) fn places_near(nav: &Nav, around: &Surroundings<'_>, at: &Position) -> Vec<(PatchId, Position)> {
    let block = at.cell.block();
    let mesh = nav.mesh(around, block);
    let mut near: Vec<Found> = Vec::new();
    mesh.around(around.world, at.frame.origin, REACH, &mut near);
    let place =
        |near: &Found| (PatchId::new(block, near.patch), mesh.place(around.world, near.patch, near.point));
    near.iter().take(ENDS).map(place).collect()
}

/// Whether a place lies on open ground beside a point of it: nothing is near that a walk there would show.
fn is_in_the_open(nav: &Nav, patch: PatchId, point: &Position, place: &Position) -> bool {
    nav.patch(patch).is_some_and(|patch| patch.kind == PatchKind::Open)
        && point.cell == place.cell
        && point.distance_to(place) < nav.agent().pitch()
}

/// Patches near a place that a body comes to from there, the nearest first; some are enough.
pub(crate) fn patches_from(
    nav: &Nav,
    around: &Surroundings<'_>,
    walk: &mut Walk<'_>,
    place: &Foothold,
    enough: usize,
) -> Result<Vec<PatchId>, NavError> {
    let mut found = Vec::new();
    for (patch, at) in places_near(nav, around, &place.position) {
        if found.len() < enough && walks(walk, place, &at)? {
            found.push(patch);
        }
    }
    Ok(found)
}

fn walks(walk: &mut Walk<'_>, from: &Foothold, to: &Position) -> Result<bool, NavError> {
    walk.start(from)?;
    Ok(walk.leg(to, true)?.is_ok())
}

/// Which end of a way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Goal,
}
