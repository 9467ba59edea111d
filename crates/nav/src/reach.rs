//! What is reachable, and what is cut off from it.

use crate::{
    Nav, NavError, Obstruction, PatchId, PatchKind, Policy, Surroundings,
    nav::Way,
    policy::Terms,
    portals::Exits,
    route::{patches_from, places_near},
    walk::Walk,
};
use glam::Vec2;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use threshold_physics::scene::check_position;
use threshold_world::{BlockId, CellId, Position};

/// A part of the mesh, to be drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchArea {
    /// Its cell.
    pub cell: CellId,
    /// South-west corner, in the coordinates of the cell's block.
    pub low: Vec2,
    /// North-east corner.
    pub high: Vec2,
    /// Height of its middle.
    pub height: f32,
    /// It is open ground, with nothing near.
    pub is_open: bool,
}

impl PatchArea {
    /// Square metres.
    pub fn size(&self) -> f32 {
        (self.high - self.low).element_product()
    }
}

/// Connected patches.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// Its patches, ascending.
    pub patches: Vec<PatchId>,
    /// Square metres.
    pub area: f32,
    /// Cells that it has places in.
    pub cells: BTreeSet<CellId>,
    /// A place in its largest patch.
    pub place: Position,
}

impl Nav {
    /// Where a patch lies.
    pub fn area(&self, around: &Surroundings<'_>, id: PatchId) -> Option<PatchArea> {
        let mesh = self.mesh(around, id.block());
        let patch = mesh.patches.get(id.patch() as usize)?;
        let half = Vec2::splat(mesh.pitch / 2.0);
        let last = u16::from(patch.w) * u16::from(patch.h) - 1;
        let middle = u16::from(patch.h / 2) * u16::from(patch.w) + u16::from(patch.w / 2);
        Some(PatchArea {
            cell: mesh.cell(id.patch()),
            low: mesh.flat(id.patch(), 0) - half,
            high: mesh.flat(id.patch(), last) + half,
            height: mesh.place(around.world, id.patch(), middle).frame.origin.z,
            is_open: patch.kind == PatchKind::Open,
        })
    }

    /// Where the patches of a block lie.
    pub fn areas(&self, around: &Surroundings<'_>, block: BlockId) -> impl Iterator<Item = PatchArea> {
        let count = self.mesh(around, block).len() as u32;
        (0..count).filter_map(move |patch| self.area(around, PatchId::new(block, patch)))
    }

    /// Everything that a body can reach from a place; the error says why it cannot start.
    pub fn reach(
        &self,
        around: &Surroundings<'_>,
        from: &Position,
        policy: &Policy,
    ) -> Result<Result<Region, Obstruction>, NavError> {
        check_position(from)?;
        let probe = self.agent().probe(around, *from)?;
        let mut walk = Walk::new(around, policy, probe, self.agent().stride());
        let Some(start) = walk.put_down(from)? else { return Ok(Err(Obstruction::NoRoomAtStart)) };
        let mut queue: VecDeque<PatchId> = patches_from(self, around, &mut walk, &start, usize::MAX)?.into();
        if queue.is_empty() {
            return Ok(Err(Obstruction::StartCutOff));
        }
        let terms = Terms { policy, usable: None };
        let exits = Exits::find(self, around, &terms, &mut walk, &mut BTreeSet::new())?;
        let mut seen: BTreeSet<PatchId> = queue.iter().copied().collect();
        while let Some(patch) = queue.pop_front() {
            for way in self.ways(around, patch) {
                let next = match exits.of(self, &way) {
                    Some((_, exit)) => &exit.patches[..],
                    None if policy.allows(self, around, &way) => std::slice::from_ref(&way.to),
                    None => &[],
                };
                for &to in next.iter().filter(|&&to| seen.insert(to)) {
                    queue.push_back(to);
                }
            }
        }
        Ok(Ok(self.region(around, seen.into_iter().collect())))
    }

    /// Whether a place lies in a region, or next to it.
    pub fn is_beside(&self, around: &Surroundings<'_>, region: &Region, at: &Position) -> bool {
        let near = places_near(self, around, at);
        near.iter().any(|(patch, _)| region.patches.binary_search(patch).is_ok())
    }

    /// All regions of some blocks, the largest first: parts that are not connected in either direction by links that
    /// the policy allows.
    pub fn regions(&self, around: &Surroundings<'_>, blocks: &[BlockId], policy: &Policy) -> Vec<Region> {
        self.build_all(around, blocks);
        let mut ids: Vec<PatchId> = Vec::new();
        for &block in blocks {
            let count = self.mesh(around, block).len() as u32;
            ids.extend((0..count).map(|patch| PatchId::new(block, patch)));
        }
        ids.sort_unstable();
        let number = |id: PatchId| ids.binary_search(&id).ok();
        let mut parents: Vec<usize> = (0..ids.len()).collect();
        // The ground in a portal is no island, though nobody walks through it.
        let is_portal = |way: &Way| self.door_of(way).is_some_and(|id| around.portal(id).is_some());
        let connects = |way: &Way| is_portal(way) || policy.allows(self, around, way);
        for (index, &id) in ids.iter().enumerate() {
            for way in self.ways(around, id).filter(&connects) {
                if let Some(to) = number(way.to) {
                    let (a, b) = (root(&mut parents, index), root(&mut parents, to));
                    parents[a.max(b)] = a.min(b);
                }
            }
        }
        let mut regions: BTreeMap<usize, Vec<PatchId>> = BTreeMap::new();
        for (index, &id) in ids.iter().enumerate() {
            regions.entry(root(&mut parents, index)).or_default().push(id);
        }
        let mut regions: Vec<Region> =
            regions.into_values().map(|patches| self.region(around, patches)).collect();
        regions.sort_by(|a, b| b.area.total_cmp(&a.area));
        regions
    }

    fn region(&self, around: &Surroundings<'_>, patches: Vec<PatchId>) -> Region {
        let mut region = Region { patches, ..Region::default() };
        let mut largest = 0.0;
        for &id in &region.patches {
            let Some(area) = self.area(around, id) else { continue };
            region.area += area.size();
            region.cells.insert(area.cell);
            if area.size() > largest {
                largest = area.size();
                let mesh = self.mesh(around, id.block());
                let middle = mesh.patches.get(id.patch() as usize);
                let middle = middle.map_or(0, |p| u16::from(p.h / 2) * u16::from(p.w) + u16::from(p.w / 2));
                region.place = mesh.place(around.world, id.patch(), middle);
            }
        }
        region
    }
}

fn root(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}
