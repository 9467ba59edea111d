//! Where a body can stand in a block and where it can go from there, found by sweeps.
//!
//! A body is swept from every point of the lattice to its four neighbours. Where it arrives there is an edge; where it
//! slides along an obstacle and stops elsewhere, that place becomes a node of its own, off the lattice. So the graph
//! contains the places that a body really reaches, including narrow doors, and every edge of it has been walked.

use crate::{
    Agent, NavError, Surroundings,
    agent::land,
    lattice::{Lattice, Mark, Marks, Spot, on_ground},
    seeds::Seeds,
    surroundings::Passed,
};
use glam::{Vec2, Vec3};
use std::collections::HashMap;
use threshold_physics::scene::{Foothold, Probe};
use threshold_world::{BlockId, CellId, Frame, Position};

/// Most places that are told apart in one block: a body that finds more is in a world made to keep it busy.
pub(crate) const MAX_NODES: usize = 1 << 18;
/// A body this near to a point of the lattice stands on it, in metres.
pub(crate) const EXACT: f32 = 0.02;
/// Places of one column with less between them are one, in metres.
pub(crate) const LEVEL: f32 = 0.25;
/// Off the lattice, places nearer than this are one, in metres.
pub(crate) const APART: f32 = 0.1;
/// A body that ends this much beside its line has slid along something, in metres.
const ASIDE: f32 = 0.03;
/// A body that rises or falls by less has stayed on its floor, in metres.
const FLAT: f32 = 0.05;
/// Places beside each other on one level of a column.
const CROWD: usize = 3;
/// Sweeps that a body may need to come to the next point.
const MAX_SHIFTS: usize = 8;
/// Points of the lattice at which the floors of a block are tried: larger floors do not exist.
const MAX_SAMPLES: usize = 1 << 20;
/// No node.
pub(crate) const NONE: u32 = u32::MAX;

/// A step that a body has made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) to: u32,
    /// The door or portal it went through: its number in [`Flood::doors`] plus one.
    pub(crate) door: u16,
    /// Metres that it fell.
    pub(crate) drop: f32,
}

const NO_EDGE: Edge = Edge { to: NONE, door: 0, drop: 0.0 };

/// A place where a body stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    pub(crate) at: Foothold,
    pub(crate) spot: Spot,
    /// It stands on the point of the lattice.
    pub(crate) is_exact: bool,
    /// Nothing is near: its steps to other free points need no trial.
    pub(crate) is_free: bool,
    /// Steps to the lattice points beside it.
    pub(crate) edges: [Edge; 4],
    /// The next place in the same column.
    next: u32,
}

impl Node {
    pub(crate) fn cell(&self) -> CellId {
        self.at.position.cell
    }

    pub(crate) fn origin(&self) -> Vec3 {
        self.at.position.frame.origin
    }
}

/// A step that does not end on the lattice point beside its beginning.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stray {
    pub(crate) from: u32,
    pub(crate) edge: Edge,
}

/// A step into another block.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub(crate) from: u32,
    pub(crate) at: Position,
    pub(crate) door: u16,
    pub(crate) drop: f32,
}

/// The places of a block and the steps between them, as far as they have been found.
pub(crate) struct Flood {
    pub(crate) lattice: Lattice,
    pub(crate) block: BlockId,
    pub(crate) sole: f32,
    /// Metres that the body goes in a tick.
    stride: f32,
    pub(crate) marks: Marks,
    pub(crate) probe: Probe,
    pub(crate) nodes: Vec<Node>,
    pub(crate) strays: Vec<Stray>,
    pub(crate) exits: Vec<Exit>,
    /// Game ids of doors and portals.
    pub(crate) doors: Vec<u32>,
    columns: HashMap<Spot, u32, Mix>,
    /// Where it begins next.
    pub(crate) seeds: Seeds,
    /// Nodes from `done` on have not been gone on from.
    done: usize,
    pub(crate) samples_left: usize,
    /// Places that are told apart at most.
    max_nodes: usize,
    /// Places were left out because there were too many.
    pub(crate) is_cut: bool,
}

/// Where a step of a body ended.
struct Step {
    end: Foothold,
    door: u16,
    drop: f32,
}

impl Flood {
    pub(crate) fn new(
        around: &Surroundings<'_>,
        agent: &Agent,
        block: BlockId,
        max_nodes: usize,
    ) -> Result<Flood, NavError> {
        let lattice = Lattice::new(agent.pitch());
        let origin = Position::new(block.cell(1), Frame::IDENTITY);
        Ok(Flood {
            lattice,
            block,
            sole: agent.sole(),
            stride: agent.stride(),
            marks: Marks::new(around, agent, lattice, block),
            probe: agent.probe(around, origin)?,
            nodes: Vec::new(),
            strays: Vec::new(),
            exits: Vec::new(),
            doors: Vec::new(),
            columns: HashMap::default(),
            seeds: Seeds::default(),
            done: 0,
            samples_left: MAX_SAMPLES,
            max_nodes,
            is_cut: false,
        })
    }

    pub(crate) fn block_spots(&self) -> impl Iterator<Item = Spot> + use<> {
        let side = self.lattice.side;
        (0..side).flat_map(move |i| (0..side).map(move |j| Spot { i, j }))
    }

    /// Goes on from the next place that nobody has gone on from; false when there is none.
    pub(crate) fn spread(&mut self, around: &Surroundings<'_>) -> Result<bool, NavError> {
        let from = self.done as u32;
        let Some(&Node { spot, is_exact, .. }) = self.nodes.get(self.done) else { return Ok(false) };
        self.done += 1;
        for direction in 0..4 {
            self.step_from(around, from, spot.beside(direction), Some(direction))?;
        }
        if !is_exact {
            self.step_from(around, from, spot, None)?;
        }
        Ok(true)
    }

    /// The node of a free point.
    pub(crate) fn free_node(&self, spot: Spot) -> Option<u32> {
        self.column_indices(spot).find(|&index| self.nodes[index as usize].is_free)
    }

    /// Adds the steps between nodes of free points, which need no trial.
    pub(crate) fn join_free(&mut self) {
        for index in 0..self.nodes.len() {
            let node = self.nodes[index];
            for direction in (0..4).filter(|_| node.is_free) {
                if let Some(to) = self.free_node(node.spot.beside(direction)) {
                    self.nodes[index].edges[direction] = Edge { to, ..NO_EDGE };
                }
            }
        }
    }

    /// A free point: its steps to other free points need no trial.
    fn is_free(&self, around: &Surroundings<'_>, at: &Foothold, spot: Spot) -> bool {
        if !at.position.cell.is_outdoor() || self.marks.get(spot) != Mark::Free {
            return false;
        }
        let land = around.world.landscape(self.block);
        let ground = land.and_then(|land| on_ground(land, self.sole, self.lattice.point(spot)));
        ground
            .is_some_and(|ground| (ground.position.frame.origin.z - at.position.frame.origin.z).abs() < LEVEL)
    }

    fn step_from(
        &mut self,
        around: &Surroundings<'_>,
        from: u32,
        target: Spot,
        direction: Option<usize>,
    ) -> Result<(), NavError> {
        let node = self.nodes[from as usize];
        // Steps into another block are known by having been made.
        if node.is_free && self.marks.get(target) == Mark::Free && self.lattice.is_in_block(target) {
            return Ok(());
        }
        let by = self.lattice.point(target) - node.origin().truncate();
        let at_once = self.attempt(around, &node.at, by, f32::INFINITY)?;
        let arrives =
            |step: &Step| node.at.position.offset_to(&step.end.position).truncate().distance(by) < EXACT;
        if at_once.as_ref().is_some_and(arrives) {
            return at_once.map_or(Ok(()), |step| self.note(around, from, target, direction, step));
        }
        // Where a body does not come at once it may come stride by stride, or only to another place.
        let by_strides = self.attempt(around, &node.at, by, self.stride)?;
        for step in [at_once, by_strides].into_iter().flatten() {
            self.note(around, from, target, direction, step)?;
        }
        Ok(())
    }

    /// Keeps a step that a body has made.
    fn note(
        &mut self,
        around: &Surroundings<'_>,
        from: u32,
        target: Spot,
        direction: Option<usize>,
        step: Step,
    ) -> Result<(), NavError> {
        if step.end.position.cell.block() != self.block {
            let Step { end, door, drop } = step;
            self.exits.push(Exit { from, at: end.position, door, drop });
            return Ok(());
        }
        if self.stops_short(from, target, &step) {
            return Ok(());
        }
        let Some(to) = self.node_at(around, step.end)? else { return Ok(()) };
        let edge = Edge { to, door: step.door, drop: step.drop };
        let (start, end) = (self.nodes[from as usize], self.nodes[to as usize]);
        match direction.filter(|_| end.is_exact && end.spot == target && step.drop == 0.0) {
            Some(direction) => self.nodes[from as usize].edges[direction] = edge,
            None if to != from => self.strays.push(Stray { from, edge }),
            None => {}
        }
        if !(start.is_exact && end.is_exact) && step.drop == 0.0 && to != from {
            self.step_back(around, to, from)?;
        }
        Ok(())
    }

    /// A step off the lattice that only leads a little nearer to a wall on the same floor. Nothing is behind such a place that is not behind the one it
    /// comes from: what leads through walls has a doorway, and doorways are looked at by themselves.
    fn stops_short(&self, from: u32, target: Spot, step: &Step) -> bool {
        let start = &self.nodes[from as usize];
        let by = self.lattice.point(target) - start.origin().truncate();
        let way = start.at.position.offset_to(&step.end.position);
        let aside = by.normalize_or_zero().perp_dot(way.truncate()).abs();
        let is_short = way.truncate().distance(by) >= EXACT && way.z.abs() < FLAT;
        start.is_exact && is_short && aside < ASIDE && step.drop == 0.0
    }

    /// Off the lattice nothing else would try the way back.
    fn step_back(&mut self, around: &Surroundings<'_>, from: u32, to: u32) -> Result<(), NavError> {
        let [start, goal] = [from, to].map(|node| self.nodes[node as usize].at);
        if let Some(door) = self.arrives(around, &start, &goal)? {
            self.strays.push(Stray { from, edge: Edge { to, door, drop: 0.0 } });
        }
        Ok(())
    }

    /// Moves a body from a place, at once or else stride by stride; whether it comes to another one, and through which door.
    fn arrives(
        &mut self,
        around: &Surroundings<'_>,
        from: &Foothold,
        to: &Foothold,
    ) -> Result<Option<u16>, NavError> {
        let by = from.position.offset_to(&to.position).truncate();
        for stride in [f32::INFINITY, self.stride] {
            let step = self.attempt(around, from, by, stride)?;
            let is_there = |step: &Step| {
                step.end.position.cell == to.position.cell
                    && step.end.position.distance_to(&to.position) < EXACT
                    && step.drop == 0.0
            };
            if let Some(step) = step.filter(is_there) {
                return Ok(Some(step.door));
            }
        }
        Ok(None)
    }

    /// Moves a body from a place with strides of a length; where it stands in the end. None when it did not come away, or meets
    /// what stands there.
    fn attempt(
        &mut self,
        around: &Surroundings<'_>,
        from: &Foothold,
        by: Vec2,
        stride: f32,
    ) -> Result<Option<Step>, NavError> {
        self.probe.stand(around.world, from)?;
        let (mut rest, mut door, mut is_taken) = (by, 0, false);
        // A slope shortens what a body moves, seen from above: it goes on as long as it comes nearer.
        for _ in 0..MAX_SHIFTS {
            let part = rest.clamp_length_max(stride);
            if !self.probe.shift(around.world, around.scene, part.extend(0.0))? {
                break;
            }
            match around.passed(&self.probe) {
                Passed::Nothing => {}
                Passed::Door(id) if !is_taken => door = self.door(id),
                Passed::Door(_) => {}
                Passed::Portal(id) => (door, is_taken) = (self.door(id), true),
                Passed::Obstacle => return Ok(None),
            }
            let left = by - from.position.offset_to(&self.probe.entity().position).truncate();
            let gained = rest.length() - left.length();
            rest = left;
            if left.length() < EXACT / 2.0 || gained < part.length() * 0.2 || !self.probe.entity().stands() {
                break;
            }
        }
        let is_falling = !self.probe.entity().stands();
        let end = if is_falling { land(around, &mut self.probe)? } else { self.probe.foothold() };
        let Some(end) = end else { return Ok(None) };
        let way = from.position.offset_to(&end.position);
        let drop = if is_falling { (-way.z).max(f32::MIN_POSITIVE) } else { 0.0 };
        Ok((way.truncate().length() > APART).then_some(Step { end, door, drop }))
    }

    /// The number of a door, plus one.
    fn door(&mut self, id: u32) -> u16 {
        let known = self.doors.iter().position(|&door| door == id);
        let index = known.unwrap_or_else(|| {
            self.doors.push(id);
            self.doors.len() - 1
        });
        u16::try_from(index + 1).unwrap_or(u16::MAX)
    }

    pub(crate) fn column(&self, spot: Spot) -> impl Iterator<Item = &Node> {
        self.column_indices(spot).map(|index| &self.nodes[index as usize])
    }

    fn column_indices(&self, spot: Spot) -> impl Iterator<Item = u32> {
        let first = self.columns.get(&spot).copied().filter(|&index| index != NONE);
        std::iter::successors(first, |&index| {
            Some(self.nodes[index as usize].next).filter(|&next| next != NONE)
        })
    }

    /// The node for a place where a body stands, new or not; `None` when it leads nowhere new.
    pub(crate) fn node_at(
        &mut self,
        around: &Surroundings<'_>,
        at: Foothold,
    ) -> Result<Option<u32>, NavError> {
        let origin = at.position.frame.origin;
        let Some(spot) = self.lattice.spot(origin.truncate()) else { return Ok(None) };
        let is_exact = self.lattice.point(spot).distance(origin.truncate()) < EXACT;
        let mut beside = [NONE; CROWD];
        let mut count = 0;
        for index in self.column_indices(spot) {
            let node = &self.nodes[index as usize];
            let is_same_level = node.cell() == at.position.cell && (node.origin().z - origin.z).abs() < LEVEL;
            if !is_same_level {
                continue;
            }
            let apart = node.origin().distance(origin);
            if node.is_exact && is_exact || apart < APART {
                return Ok(Some(index));
            }
            if count == CROWD {
                return Ok(None);
            }
            beside[count] = index;
            count += 1;
        }
        for &index in &beside[..count] {
            let to = self.nodes[index as usize].at;
            if self.arrives(around, &at, &to)? == Some(0) && self.arrives(around, &to, &at)? == Some(0) {
                return Ok(Some(index));
            }
        }
        Ok(self.add(around, at, spot, is_exact))
    }

    /// Whether no more places are told apart.
    pub(crate) fn is_full(&self) -> bool {
        self.nodes.len() >= self.max_nodes
    }

    pub(crate) fn add(
        &mut self,
        around: &Surroundings<'_>,
        at: Foothold,
        spot: Spot,
        is_exact: bool,
    ) -> Option<u32> {
        if self.is_full() {
            self.is_cut = true;
            return None;
        }
        let index = self.nodes.len() as u32;
        let next = self.columns.insert(spot, index).unwrap_or(NONE);
        let is_free = is_exact && self.is_free(around, &at, spot);
        self.nodes.push(Node { at, spot, is_exact, is_free, edges: [NO_EDGE; 4], next });
        Some(index)
    }
}

/// Whether the map has a block beside another one in a direction.
pub(crate) fn block_beside(block: BlockId, direction: usize) -> Option<BlockId> {
    let (dx, dy) = [(1, 0), (0, 1), (-1, 0), (0, -1)][direction];
    let beside = BlockId::new(block.x().checked_add_signed(dx)?, block.y().checked_add_signed(dy)?);
    beside.is_on_map().then_some(beside)
}

/// A fast hash of spots; they come from the world's geometry, and a block has a bounded number of them.
#[derive(Clone, Copy, Default)]
pub(crate) struct Mix;

/// See [`Mix`].
#[derive(Default)]
pub(crate) struct MixHasher(u64);

impl std::hash::BuildHasher for Mix {
    type Hasher = MixHasher;

    fn build_hasher(&self) -> MixHasher {
        MixHasher::default()
    }
}

impl std::hash::Hasher for MixHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u32(byte.into());
        }
    }

    fn write_i16(&mut self, v: i16) {
        self.write_u32(u32::from(v as u16));
    }

    fn write_u32(&mut self, v: u32) {
        self.0 = (self.0 ^ u64::from(v)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }
}
