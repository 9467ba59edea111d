//! Which interior cells can be seen from which, from openings alone.
//!
//! The answer is an upper bound: whatever a ray meets that starts in a cell and goes from opening to opening is in it. Walls and
//! objects hide nothing. Openings that leave a ray less than a tenth of a millimetre count as closed.
//!
//! A ray that leaves a cell goes through one of its openings, the source; where it can go from there is found by following the
//! beam from the source through one opening after the other, cut down by the planes that bound it. Work is bounded: a source whose
//! beams divide too often gets the coarser answer that its openings' planes alone give.

mod winding;

use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use winding::{Plane, Winding, clip, clip_to_beam, convex, is_in_front};

/// Bits of all sets of cells together; more is refused.
const MAX_BITS: usize = 1 << 31;
/// Openings that beams of one source are tried on, and those of a block.
const SOURCE_STEPS: usize = 50_000;
const BLOCK_STEPS: usize = 20_000_000;
/// Openings that a beam goes through one after the other.
const MAX_DEPTH: usize = 200;

/// An opening of an interior cell, or of a building.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Corners in block coordinates.
    pub corners: Vec<Vec3>,
    /// The owner, a cell or the outdoors, lies on the positive side of the polygon.
    pub owner_is_positive: bool,
    /// The cell behind it.
    pub target: u16,
}

/// The interior cells of a block as rays see them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rooms {
    /// Openings between cells, by the number of the cell; a cell without any is there as well.
    pub rooms: BTreeMap<u16, Vec<Opening>>,
    /// Openings that lead in from outdoors.
    pub doors: Vec<Opening>,
}

/// What can be seen in a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visibility {
    /// Cells that can be seen from each cell, without itself.
    pub rooms: BTreeMap<u16, BTreeSet<u16>>,
    /// Cells that can be seen through each door, with the one behind it.
    pub doors: Vec<BTreeSet<u16>>,
    /// Openings whose answer is coarse, because an exact one takes too long.
    pub coarse: usize,
}

/// A block with more openings and cells than any set of them can be kept for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{openings} openings of {cells} interior cells are too many to be followed")]
pub struct TooManyRooms {
    /// Openings of the block.
    pub openings: usize,
    /// Its interior cells.
    pub cells: usize,
}

impl Rooms {
    /// Finds what can be seen from each cell and through each door.
    pub fn visible(&self) -> Result<Visibility, TooManyRooms> {
        let graph = Graph::new(self)?;
        let (seen, coarse) = graph.solve();
        let numbers: Vec<u16> = self.rooms.keys().copied().collect();
        let mut visibility = Visibility { coarse, ..Visibility::default() };
        for (index, (&low, openings)) in self.rooms.iter().enumerate() {
            // What an opening leads to counts even if its polygon is of no use.
            let targets = openings.iter().map(|opening| opening.target);
            let mut own: BTreeSet<u16> = targets.filter(|target| self.rooms.contains_key(target)).collect();
            for &gate in &graph.of_cell[index] {
                own.extend(seen[gate].iter().map(|cell| numbers[cell]));
            }
            own.remove(&low);
            visibility.rooms.insert(low, own);
        }
        for (door, gate) in self.doors.iter().zip(&graph.of_doors) {
            let mut own: BTreeSet<u16> =
                self.rooms.contains_key(&door.target).then_some(door.target).into_iter().collect();
            own.extend(gate.iter().flat_map(|&gate| seen[gate].iter()).map(|cell| numbers[cell]));
            visibility.doors.push(own);
        }
        Ok(visibility)
    }
}

/// An opening with its plane looking onwards.
struct Gate {
    corners: Winding,
    plane: Plane,
    /// Index of the cell behind it.
    target: usize,
}

struct Graph {
    gates: Vec<Gate>,
    /// Indices of each cell's gates.
    of_cell: Vec<Vec<usize>>,
    /// Each door's gate, where its polygon is of use.
    of_doors: Vec<Option<usize>>,
}

impl Graph {
    fn new(rooms: &Rooms) -> Result<Graph, TooManyRooms> {
        let index: BTreeMap<u16, usize> = rooms.rooms.keys().copied().zip(0..).collect();
        let openings = rooms.rooms.values().map(Vec::len).sum::<usize>() + rooms.doors.len();
        if openings.saturating_mul(index.len()) > MAX_BITS {
            return Err(TooManyRooms { openings, cells: index.len() });
        }
        let mut graph = Graph { gates: Vec::new(), of_cell: Vec::new(), of_doors: Vec::new() };
        for (low, openings) in &rooms.rooms {
            let others = openings.iter().filter(|opening| opening.target != *low);
            let gates = others.filter_map(|opening| graph.add(opening, &index)).collect();
            graph.of_cell.push(gates);
        }
        for door in &rooms.doors {
            let gate = graph.add(door, &index);
            graph.of_doors.push(gate);
        }
        Ok(graph)
    }

    fn add(&mut self, opening: &Opening, index: &BTreeMap<u16, usize>) -> Option<usize> {
        let corners: Winding = opening.corners.iter().map(|p| p.as_dvec3()).collect();
        let plane = Plane::of(&corners)?;
        let corners = convex(corners, &plane);
        let plane = if opening.owner_is_positive { plane.flipped() } else { plane };
        self.gates.push(Gate { corners, plane, target: *index.get(&opening.target)? });
        Some(self.gates.len() - 1)
    }

    /// What is seen through each gate, and for how many of them the answer is coarse.
    fn solve(&self) -> (Vec<CellSet>, usize) {
        let mut seen: Vec<CellSet> = (0..self.gates.len()).map(|gate| self.in_front(gate)).collect();
        // Those that see little first: what they see narrows the search of the others.
        let mut order: Vec<usize> = (0..self.gates.len()).collect();
        order.sort_by_key(|&gate| seen[gate].count());
        let (mut coarse, mut left) = (0, BLOCK_STEPS);
        for gate in order {
            let mut search = Search {
                graph: self,
                known: &seen,
                found: CellSet::new(self.of_cell.len()),
                steps: SOURCE_STEPS.min(left),
            };
            let given = search.steps;
            let is_exact = search.from(gate);
            left -= given - search.steps;
            let found = search.found;
            if is_exact {
                seen[gate] = found;
            } else {
                coarse += 1;
            }
        }
        (seen, coarse)
    }

    /// The coarse answer: cells that can be come to through gates that are in front of the first one and have it behind them.
    fn in_front(&self, source: usize) -> CellSet {
        let first = &self.gates[source];
        let mut found = CellSet::new(self.of_cell.len());
        found.insert(first.target);
        let mut todo = vec![first.target];
        while let Some(cell) = todo.pop() {
            for next in self.of_cell[cell].iter().map(|&gate| &self.gates[gate]) {
                if !found.contains(next.target)
                    && is_in_front(&next.corners, &first.plane)
                    && is_in_front(&first.corners, &next.plane.flipped())
                {
                    found.insert(next.target);
                    todo.push(next.target);
                }
            }
        }
        found
    }
}

/// Follows the beams of one source.
struct Search<'g> {
    graph: &'g Graph,
    /// For each gate the cells that may be seen through it.
    known: &'g [CellSet],
    found: CellSet,
    steps: usize,
}

/// A beam: what of the source it comes from, and the last polygon that it went through.
struct Beam {
    source: Winding,
    pass: Winding,
    /// Where it went through last.
    gate: usize,
    /// Cells that it may still meet.
    may: CellSet,
}

impl Search<'_> {
    /// Finds all that is seen through a gate; false when it takes too long.
    fn from(&mut self, gate: usize) -> bool {
        let Gate { corners, target, .. } = &self.graph.gates[gate];
        self.found.insert(*target);
        let beam =
            Beam { source: corners.clone(), pass: Winding::new(), gate, may: self.known[gate].clone() };
        self.follow(&beam, &self.graph.gates[gate].plane, 0)
    }

    fn follow(&mut self, beam: &Beam, source_plane: &Plane, depth: usize) -> bool {
        let graph = self.graph;
        let last = &graph.gates[beam.gate];
        for &gate in &graph.of_cell[last.target] {
            let next = &graph.gates[gate];
            if !beam.may.contains(next.target) {
                continue;
            }
            let may = beam.may.intersection(&self.known[gate]);
            if self.found.contains(next.target) && may.is_subset(&self.found) {
                continue;
            }
            let Some(left) = self.steps.checked_sub(1).filter(|_| depth < MAX_DEPTH) else { return false };
            self.steps = left;
            let Some((source, pass)) = through(beam, source_plane, last, next) else { continue };
            self.found.insert(next.target);
            if !self.follow(&Beam { source, pass, gate, may }, source_plane, depth + 1) {
                return false;
            }
        }
        true
    }
}

/// What goes on of a beam through the next gate: the part of the source that it comes from, and the part of the gate that it fills.
fn through(beam: &Beam, source_plane: &Plane, last: &Gate, next: &Gate) -> Option<(Winding, Winding)> {
    let mut source = beam.source.clone();
    let mut pass: Winding = next.corners.clone();
    // Rays cross each gate's plane onwards and never come back.
    let goes_on = clip(&mut pass, source_plane)
        && clip(&mut pass, &last.plane)
        && clip(&mut source, &next.plane.flipped());
    if !goes_on {
        return None;
    }
    if beam.pass.is_empty() {
        return Some((source, pass));
    }
    let reaches =
        clip_to_beam(&mut pass, &source, &beam.pass) && clip_to_beam(&mut source, &pass, &beam.pass);
    reaches.then_some((source, pass))
}

/// A set of cells by index.
#[derive(Clone, Debug)]
struct CellSet(Box<[u64]>);

impl CellSet {
    fn new(cells: usize) -> CellSet {
        CellSet(vec![0; cells.div_ceil(64)].into())
    }

    fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn intersection(&self, other: &CellSet) -> CellSet {
        CellSet(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn is_subset(&self, other: &CellSet) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.0.len() * 64).filter(|&cell| self.contains(cell))
    }
}
