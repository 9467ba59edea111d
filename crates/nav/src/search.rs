//! The shortest path over the mesh: A* from patch to patch.

use crate::{
    Nav, PatchId, Policy, Surroundings,
    mesh::{BlockMesh, PatchKind, Side},
    nav::{LinkId, Way},
    policy::Terms,
    portals::Exits,
};
use glam::Vec2;
use std::{
    cmp::Reverse,
    collections::{BTreeSet, BinaryHeap, HashMap, hash_map::Entry},
    sync::Arc,
};
use threshold_world::{BlockId, Position, coords::block_offset};

/// Opening a door costs as much as walking this far, in metres.
const DOOR_COST: f32 = 2.0;
/// Extra cost of a fall, in metres.
const DROP_COST: f32 = 1.0;
/// Extra cost of a place close to a wall, in metres: routes use such places only where it is narrow.
const SQUEEZE_COST: f32 = 0.5;
/// Extra cost of a portal, in metres.
const PORTAL_COST: f32 = 5.0;
/// Factor on distances in water.
const WATER_COST: f32 = 1.5;

/// Patches that most searches visit.
const USUAL: usize = 512;

/// Factor on the estimate: of routes that differ by less than this, the search follows one instead of all.
const EAGER: f32 = 1.01;

/// A step of a corridor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Crossing {
    pub(crate) way: Way,
    /// The points it may cross at, seen from above: left and right of one who goes through.
    pub(crate) left: Vec2,
    pub(crate) right: Vec2,
    /// For a way from point to point, where it ends.
    pub(crate) exit: Option<Vec2>,
    /// It runs into this portal, and the next one leaves from where that leads.
    pub(crate) portal: Option<u32>,
}

/// The points that a way may be crossed at, as in [`Crossing`].
struct Gate {
    left: Vec2,
    right: Vec2,
    exit: Option<Vec2>,
}

/// How a patch was come to.
#[derive(Clone, Copy, Debug)]
struct Visit {
    cost: f32,
    /// Where it was entered.
    entry: Vec2,
    /// By which link.
    via: Option<LinkId>,
    is_closed: bool,
}

/// An entry of the open list: the estimate of the whole way, and the patch. Bits of numbers that are not negative sort like
/// the numbers, so that one comparison of integers is enough.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Open(u64);

impl Open {
    fn new(estimate: f32, patch: PatchId) -> Open {
        Open(u64::from(estimate.to_bits()) << 32 | u64::from(patch.0))
    }

    fn patch(self) -> PatchId {
        PatchId(self.0 as u32)
    }
}

/// How a search stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SearchState {
    /// Not finished.
    Open,
    /// A goal was reached.
    Found(PatchId),
    /// Everything reachable has been visited.
    Exhausted,
    /// It has come to the first mesh that may not be used: what is shorter there is not known. It can go on without.
    Lacks,
}

/// A search that can be gone on with. Points are seen from above, in the coordinates of the block it began in.
#[derive(Default)]
pub(crate) struct Search {
    home: BlockId,
    goal: Vec2,
    goals: Vec<PatchId>,
    visits: HashMap<PatchId, Visit, crate::flood::Mix>,
    open: BinaryHeap<Reverse<Open>>,
    pub(crate) marks: Arc<BTreeSet<LinkId>>,
    /// Portals that may be taken.
    pub(crate) exits: Exits,
    /// No portal leads nearer to the goal.
    shortcut: f32,
    pub(crate) expanded: usize,
    /// Blocks that it could not go on into.
    pub(crate) lacking: BTreeSet<BlockId>,
}

impl Search {
    /// Begins anew; memory is used again.
    pub(crate) fn begin(
        &mut self,
        nav: &Nav,
        home: BlockId,
        starts: &[PatchId],
        entry: Vec2,
        goal: Vec2,
        goals: &[PatchId],
    ) {
        self.home = home;
        self.goal = goal;
        self.goals.clear();
        self.goals.extend_from_slice(goals);
        self.visits.clear();
        self.visits.reserve(USUAL);
        self.open.clear();
        self.marks = nav.current_marks();
        self.expanded = 0;
        self.lacking.clear();
        let ways = self.exits.iter().map(|exit| self.flat(&exit.at.position).distance(goal));
        self.shortcut = ways.fold(f32::INFINITY, f32::min);
        for &patch in starts {
            self.offer(patch, 0.0, entry, None);
        }
    }

    /// Goes on for some steps.
    pub(crate) fn run(
        &mut self,
        nav: &Nav,
        around: &Surroundings<'_>,
        terms: &Terms<'_>,
        steps: usize,
    ) -> SearchState {
        for _ in 0..steps {
            let Some(Reverse(open)) = self.open.pop() else { return SearchState::Exhausted };
            let patch = open.patch();
            let Some(visit) = self.visits.get_mut(&patch).filter(|visit| !visit.is_closed) else { continue };
            visit.is_closed = true;
            let visit = *visit;
            if self.goals.contains(&patch) {
                return SearchState::Found(patch);
            }
            self.expanded += 1;
            let lacking = self.lacking.len();
            if !self.may_expand(nav, around, terms, patch) {
                if lacking == 0 {
                    return SearchState::Lacks;
                }
                continue;
            }
            self.expand(nav, around, terms.policy, patch, &visit);
        }
        SearchState::Open
    }

    /// Whether the meshes that the links of a patch lead to may be used; those that may not are noted.
    fn may_expand(
        &mut self,
        nav: &Nav,
        around: &Surroundings<'_>,
        terms: &Terms<'_>,
        patch: PatchId,
    ) -> bool {
        if terms.usable.is_none() {
            return true;
        }
        let beside = nav.blocks_beside(around, patch);
        self.lacking.extend(beside.iter().filter(|&&block| !terms.may_use(block)));
        beside.iter().all(|block| !self.lacking.contains(block))
    }

    /// A way to a patch, to be gone on from if there is no shorter one.
    fn offer(&mut self, patch: PatchId, cost: f32, entry: Vec2, via: Option<LinkId>) {
        let visit = Visit { cost, entry, via, is_closed: false };
        match self.visits.entry(patch) {
            Entry::Occupied(known) if known.get().is_closed || known.get().cost <= cost => return,
            Entry::Occupied(mut known) => *known.get_mut() = visit,
            Entry::Vacant(free) => {
                free.insert(visit);
            }
        }
        let estimate = cost + entry.distance(self.goal).min(self.shortcut) * EAGER;
        self.open.push(Reverse(Open::new(estimate, patch)));
    }

    fn flat(&self, place: &Position) -> Vec2 {
        place.frame.origin.truncate() + self.shift(place.cell.block())
    }

    fn shift(&self, block: BlockId) -> Vec2 {
        block_offset(self.home.cell(1), block.cell(1)).truncate()
    }

    /// The patch that was come to and the place in it that are nearest to the goal.
    pub(crate) fn nearest(&self, nav: &Nav, around: &Surroundings<'_>) -> Option<(PatchId, Vec2)> {
        let closed = self.visits.iter().filter(|(_, visit)| visit.is_closed).map(|(&patch, _)| patch);
        let places = closed.filter_map(|patch| {
            let mesh = nav.mesh(around, patch.block());
            let shift = self.shift(patch.block());
            let found = mesh.patches.get(patch.patch() as usize)?;
            let spot = mesh.lattice().spot(self.goal - shift)?;
            let point = mesh.flat(patch.patch(), found.nearest(spot)) + shift;
            Some((point.distance(self.goal), patch, point))
        });
        let nearest = places.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))?;
        Some((nearest.1, nearest.2))
    }

    fn expand(
        &mut self,
        nav: &Nav,
        around: &Surroundings<'_>,
        policy: &Policy,
        patch: PatchId,
        visit: &Visit,
    ) {
        let block = patch.block();
        let (mesh, shift) = (nav.mesh(around, block), self.shift(block));
        for way in nav.ways(around, patch) {
            if self.marks.contains(&way.id) {
                continue;
            }
            if way.link.door != 0 && self.take_portal(nav, around, &way, visit) {
                continue;
            }
            let known = self.visits.get(&way.to);
            if known.is_some_and(|known| known.is_closed) || !policy.allows(nav, around, &way) {
                continue;
            }
            let Some(gate) = self.gate(nav, around, mesh, shift, &way) else { continue };
            let near = nearest_on(gate.left, gate.right, visit.entry);
            let entry = gate.exit.unwrap_or(near);
            let mut length = visit.entry.distance(near) + near.distance(entry);
            let beyond = if way.to.block() == block { mesh } else { nav.mesh(around, way.to.block()) };
            let target = beyond.patches.get(way.to.patch() as usize);
            if target.is_some_and(|target| target.is_wet) {
                length *= WATER_COST;
            }
            let mut cost = visit.cost + length;
            if target.is_some_and(|target| target.kind == PatchKind::Single) {
                cost += SQUEEZE_COST;
            }
            if way.link.door != 0 {
                cost += DOOR_COST;
            }
            if way.link.drop != 0 {
                cost += DROP_COST;
            }
            self.offer(way.to, cost, entry, Some(way.id));
        }
    }

    /// Goes on from where a portal leads that a link runs into; false when it runs into none that may be taken.
    fn take_portal(&mut self, nav: &Nav, around: &Surroundings<'_>, way: &Way, visit: &Visit) -> bool {
        let Some((_, exit)) = self.exits.of(nav, way) else { return false };
        let (entry, patches) = (self.flat(&exit.at.position), exit.patches.clone());
        if let Some(crossing) = self.crossing(nav, around, way) {
            let near = nearest_on(crossing.left, crossing.right, visit.entry);
            let cost = visit.cost + visit.entry.distance(near) + PORTAL_COST;
            for patch in patches {
                self.offer(patch, cost, entry, Some(way.id));
            }
        }
        true
    }

    /// Where a way may be crossed.
    fn crossing(&self, nav: &Nav, around: &Surroundings<'_>, way: &Way) -> Option<Crossing> {
        let block = way.id.from.block();
        let Gate { left, right, exit } =
            self.gate(nav, around, nav.mesh(around, block), self.shift(block), way)?;
        Some(Crossing { way: *way, left, right, exit, portal: None })
    }

    /// The same, with the mesh that the way leaves from and how far that lies from home.
    #[inline]
    fn gate(
        &self,
        nav: &Nav,
        around: &Surroundings<'_>,
        mesh: &BlockMesh,
        shift: Vec2,
        way: &Way,
    ) -> Option<Gate> {
        let from = way.id.from.patch();
        match way.link.side {
            Side::Border(direction) => {
                let (near, far) = mesh.crossing(from, &way.link)?;
                let middle = [0, 1].map(|k| (near[k] + far[k]) / 2.0 + shift);
                // Going east or south, the higher end is to the left.
                let (left, right) =
                    if matches!(direction, 0 | 3) { (middle[1], middle[0]) } else { (middle[0], middle[1]) };
                Some(Gate { left, right, exit: None })
            }
            Side::Point => {
                let start = mesh.flat(from, way.link.lo) + shift;
                let other = nav.mesh(around, way.to.block());
                let end = other.flat(way.to.patch(), way.link.hi) + self.shift(way.to.block());
                Some(Gate { left: start, right: start, exit: Some(end) })
            }
        }
    }

    /// The crossings on the way to a patch, from the start.
    pub(crate) fn corridor(&self, nav: &Nav, around: &Surroundings<'_>, to: PatchId) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        let mut patch = to;
        while let Some(link) = self.visits.get(&patch).and_then(|visit| visit.via) {
            let way = nav.ways(around, link.from).nth(link.number as usize);
            let portal = way.as_ref().and_then(|way| self.exits.of(nav, way)).map(|(portal, _)| portal);
            let crossing = way.and_then(|way| self.crossing(nav, around, &way));
            crossings.extend(crossing.map(|c| Crossing { portal, ..c }));
            patch = link.from;
        }
        crossings.reverse();
        crossings
    }
}

/// The point of a segment that is nearest to another point.
pub(crate) fn nearest_on(a: Vec2, b: Vec2, p: Vec2) -> Vec2 {
    let along = b - a;
    let t = (p - a).dot(along) / along.length_squared();
    if t.is_finite() { a + along * t.clamp(0.0, 1.0) } else { a }
}
