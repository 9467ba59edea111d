//! From places and steps to patches and links.

use crate::{
    flood::{Flood, NONE, Node},
    lattice::{Mark, Spot},
    mesh::{BlockMesh, ExitPoint, Link, Patch, PatchKind, Side},
};
use std::collections::HashMap;
use threshold_world::{BlockId, World, terrain::WaterClass};

/// Most patches of a block, as they are numbered with sixteen bits.
const MAX_PATCHES: usize = 1 << 16;

/// Patches and links as they are found.
struct Merge<'a> {
    flood: &'a Flood,
    world: &'a World,
    block: BlockId,
    patches: Vec<Patch>,
    heights: Vec<f32>,
    /// The patch of each node.
    owners: Vec<u32>,
    /// The patch of each free point without a node, column by column.
    open_owners: Vec<u32>,
    is_cut: bool,
}

/// The owner of a point that is not free, or has a node.
const COVERED: u32 = NONE - 1;

/// One step across a border, before steps side by side become one link.
type RawLink = (u32, u8, u32, u16, u16);

pub(crate) fn merge(mut flood: Flood, world: &World) -> BlockMesh {
    flood.join_free();
    let block = flood.block;
    let side = flood.lattice.side as usize;
    let mut merge = Merge {
        flood: &flood,
        world,
        block,
        patches: Vec::new(),
        heights: Vec::new(),
        owners: vec![NONE; flood.nodes.len()],
        open_owners: vec![COVERED; side * side],
        is_cut: flood.is_cut,
    };
    merge.find_open_ground();
    merge.cover_open_ground();
    merge.cover_nodes();
    let links = merge.links();
    let exits = merge.exits();
    let Merge { patches, heights, is_cut, .. } = merge;
    let mut mesh = BlockMesh {
        block,
        pitch: flood.lattice.pitch,
        sole: flood.sole,
        work: 0,
        patches: patches.into(),
        links: links.into(),
        heights: heights.into(),
        exits: exits.into(),
        doors: flood.doors.into(),
        buckets: Box::default(),
        is_cut,
    };
    mesh.sort_into_buckets();
    mesh
}

impl Merge<'_> {
    fn open_index(&self, spot: Spot) -> Option<usize> {
        let side = self.flood.lattice.side as usize;
        self.flood.lattice.is_in_block(spot).then(|| spot.i as usize * side + spot.j as usize)
    }

    /// Free points without a node.
    fn find_open_ground(&mut self) {
        for spot in self.flood.block_spots() {
            if self.flood.marks.get(spot) == Mark::Free
                && let Some(index) = self.open_index(spot)
            {
                self.open_owners[index] = NONE;
            }
        }
        for node in self.flood.nodes.iter().filter(|node| node.is_free) {
            if let Some(index) = self.open_index(node.spot) {
                self.open_owners[index] = COVERED;
            }
        }
    }

    /// A free point that has no node and no patch yet.
    fn is_uncovered(&self, spot: Spot) -> bool {
        self.open_index(spot).is_some_and(|index| self.open_owners[index] == NONE)
    }

    fn push(&mut self, patch: Patch) -> Option<u32> {
        if self.patches.len() >= MAX_PATCHES {
            self.is_cut = true;
            return None;
        }
        self.patches.push(patch);
        Some(self.patches.len() as u32 - 1)
    }

    /// Rectangles of free points, each in one land cell.
    fn cover_open_ground(&mut self) {
        let per_cell = self.flood.lattice.side / 8;
        for cell in 0..64i16 {
            let (west, south) = (cell / 8 * per_cell, cell % 8 * per_cell);
            let (east, north) = (west + per_cell, south + per_cell);
            let land = self.world.landscape(self.block);
            let is_wet = land.is_some_and(|land| land.terrain.water(cell as usize) != WaterClass::Dry);
            for i in west..east {
                for j in south..north {
                    let spot = Spot { i, j };
                    if !self.is_uncovered(spot) {
                        continue;
                    }
                    let h = (j..north).take_while(|&j| self.is_uncovered(Spot { i, j })).count() as i16;
                    let fits = |i: i16| (j..j + h).all(|j| self.is_uncovered(Spot { i, j }));
                    let w = (i..east).take_while(|&i| fits(i)).count() as i16;
                    let Some(index) = self.push(Patch {
                        spot,
                        w: w as u8,
                        h: h as u8,
                        cell: cell as u16 + 1,
                        kind: PatchKind::Open,
                        is_wet,
                        data: 0,
                        links: 0,
                    }) else {
                        return;
                    };
                    for (i, j) in (i..i + w).flat_map(|i| (j..j + h).map(move |j| (i, j))) {
                        if let Some(open) = self.open_index(Spot { i, j }) {
                            self.open_owners[open] = index;
                        }
                    }
                }
            }
        }
    }

    /// The node beside another one to which a body can go and come back, freely and within a cell.
    fn mutual(&self, from: u32, direction: usize) -> Option<u32> {
        let nodes = &self.flood.nodes;
        let node = &nodes[from as usize];
        let there = node.edges[direction];
        let beside = nodes.get(there.to as usize)?;
        let back = beside.edges[(direction + 2) % 4];
        let is_plain = there.door == 0 && back.door == 0 && back.to == from;
        (is_plain && beside.cell() == node.cell() && beside.is_exact && node.is_exact).then_some(there.to)
    }

    fn unowned(&self, node: u32) -> bool {
        self.owners[node as usize] == NONE
    }

    /// Rectangles of nodes.
    fn cover_nodes(&mut self) {
        let nodes = &self.flood.nodes;
        let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
        let key = |node: &Node| {
            (node.cell().low(), node.spot, node.origin().z.to_bits(), node.origin().x.to_bits())
        };
        order.sort_by_key(|&index| key(&nodes[index as usize]));
        for first in order {
            if !self.unowned(first) {
                continue;
            }
            let node = &nodes[first as usize];
            let rows = self.grow(first);
            let (w, h) = (rows[0].len(), rows.len());
            let data = self.heights.len() as u32;
            let patch = Patch {
                spot: node.spot,
                w: w as u8,
                h: h as u8,
                cell: node.cell().low(),
                kind: if node.is_exact { PatchKind::Lattice } else { PatchKind::Single },
                is_wet: node.cell().is_outdoor() && node.at.ground.is_water,
                data,
                links: 0,
            };
            let Some(index) = self.push(patch) else { return };
            if node.is_exact {
                let heights = rows.iter().flatten().map(|&n| nodes[n as usize].origin().z);
                self.heights.extend(heights);
            } else {
                self.heights.extend(node.origin().to_array());
            }
            for node in rows.into_iter().flatten() {
                self.owners[node as usize] = index;
            }
        }
    }

    /// The largest rectangle that grows from a node, first to the north and then to the east, as rows from south to north.
    fn grow(&self, first: u32) -> Vec<Vec<u32>> {
        let most = (self.flood.lattice.side / 8) as usize;
        let free = |node: Option<u32>| node.filter(|&node| self.unowned(node));
        let mut rows = vec![vec![first]];
        while let Some(next) = free(self.mutual(rows[rows.len() - 1][0], 1)).filter(|_| rows.len() < most) {
            rows.push(vec![next]);
        }
        while rows[0].len() < most {
            let next: Option<Vec<u32>> =
                rows.iter().map(|row| free(self.mutual(row[row.len() - 1], 0))).collect();
            let Some(next) = next else { break };
            if !next.windows(2).all(|pair| self.mutual(pair[0], 1) == Some(pair[1])) {
                break;
            }
            rows.iter_mut().zip(next).for_each(|(row, node)| row.push(node));
        }
        rows
    }

    /// The patch that a free spot belongs to.
    fn free_owner(&self, spot: Spot) -> Option<u32> {
        let open =
            self.open_index(spot).map(|index| self.open_owners[index]).filter(|&owner| owner < COVERED);
        open.or_else(|| {
            Some(self.owners[self.flood.free_node(spot)? as usize]).filter(|&owner| owner != NONE)
        })
    }

    fn links(&mut self) -> Vec<Link> {
        let mut raw: Vec<RawLink> = Vec::new();
        let offset = |patch: &Patch, spot: Spot, direction: usize| {
            if direction.is_multiple_of(2) { spot.j - patch.spot.j } else { spot.i - patch.spot.i }
        };
        // Between open patches, and between those and their fringe, both ways.
        for (index, patch) in (0..).zip(&self.patches) {
            if patch.kind != PatchKind::Open {
                continue;
            }
            for (spot, direction) in border(patch) {
                let beside = spot.beside(direction);
                if self.flood.marks.get(beside) != Mark::Free {
                    continue;
                }
                let Some(to) = self.free_owner(beside).filter(|&to| to != index) else { continue };
                raw.push((index, direction as u8, to, 0, offset(patch, spot, direction) as u16));
                let other = &self.patches[to as usize];
                if other.kind != PatchKind::Open {
                    let back = (direction + 2) % 4;
                    raw.push((to, back as u8, index, 0, offset(other, beside, back) as u16));
                }
            }
        }
        for (node, &owner) in self.flood.nodes.iter().zip(&self.owners) {
            for (direction, edge) in node.edges.iter().enumerate() {
                let to = self.owners.get(edge.to as usize).copied().filter(|&to| to != NONE && to != owner);
                let (Some(to), true) = (to, owner != NONE) else { continue };
                let patch = &self.patches[owner as usize];
                raw.push((owner, direction as u8, to, edge.door, offset(patch, node.spot, direction) as u16));
            }
        }
        raw.sort_unstable();
        raw.dedup();
        let mut links: Vec<(u32, Link)> = Vec::new();
        for (from, direction, to, door, offset) in raw {
            // A place off the lattice has one point, and its steps are from point to point.
            let is_border = self.patches[from as usize].kind != PatchKind::Single;
            let side = if is_border { Side::Border(direction) } else { Side::Point };
            match links.last_mut() {
                Some((last, link))
                    if is_border
                        && (*last, link.side, link.to, link.door) == (from, side, to, door)
                        && link.hi + 1 == offset =>
                {
                    link.hi = offset;
                }
                _ if is_border => {
                    links.push((from, Link { to, lo: offset, hi: offset, door, side, drop: 0 }));
                }
                _ => {
                    let beside = self.patches[from as usize].spot.beside(direction.into());
                    let hi = self.patches[to as usize].point_of(beside);
                    links.push((from, Link { to, lo: 0, hi, door, side, drop: 0 }));
                }
            }
        }
        links.extend(self.strays());
        links.sort_by_key(|(from, _)| *from);
        let mut next = 0;
        for (index, patch) in (0..).zip(&mut self.patches) {
            patch.links = next as u32;
            next += links[next..].iter().take_while(|(from, _)| *from == index).count();
        }
        links.into_iter().map(|(_, link)| link).collect()
    }

    fn strays(&self) -> Vec<(u32, Link)> {
        let mut seen = HashMap::new();
        let mut found = Vec::new();
        for stray in &self.flood.strays {
            let ends = [stray.from, stray.edge.to].map(|node| self.owners[node as usize]);
            if ends.contains(&NONE)
                || ends[0] == ends[1]
                || seen.insert((stray.from, stray.edge.to), ()).is_some()
            {
                continue;
            }
            let point = |k: usize, node: u32| {
                self.patches[ends[k] as usize].point_of(self.flood.nodes[node as usize].spot)
            };
            let (lo, hi) = (point(0, stray.from), point(1, stray.edge.to));
            let drop = decimetres(stray.edge.drop);
            found.push((
                ends[0],
                Link { to: ends[1], lo, hi, door: stray.edge.door, side: Side::Point, drop },
            ));
        }
        found
    }

    fn exits(&self) -> Vec<ExitPoint> {
        let exits = self.flood.exits.iter().filter_map(|exit| {
            let patch = Some(self.owners[exit.from as usize]).filter(|&owner| owner != NONE)?;
            let node = &self.flood.nodes[exit.from as usize];
            Some(ExitPoint {
                patch,
                point: self.patches[patch as usize].point_of(node.spot),
                to: exit.at.cell,
                origin: exit.at.frame.origin,
                door: exit.door,
                drop: decimetres(exit.drop),
            })
        });
        let mut exits: Vec<ExitPoint> = exits.collect();
        exits.sort_by_key(|exit| exit.patch);
        exits
    }
}

/// Falls as links keep them: at least one when there is any.
fn decimetres(metres: f32) -> u8 {
    (metres * 10.0).ceil().clamp(0.0, 255.0) as u8
}

/// Spots along the borders of a patch, each with the direction that leads out.
pub(crate) fn border(patch: &Patch) -> impl Iterator<Item = (Spot, usize)> + use<> {
    let Spot { i, j } = patch.spot;
    let (w, h) = (i16::from(patch.w), i16::from(patch.h));
    let rows = (j..j + h).flat_map(move |j| [(Spot { i: i + w - 1, j }, 0), (Spot { i, j }, 2)]);
    rows.chain((i..i + w).flat_map(move |i| [(Spot { i, j: j + h - 1 }, 1), (Spot { i, j }, 3)]))
}
