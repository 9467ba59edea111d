//! Links that lead to a patch, followed back from a goal.
//!
//! A search back from the goal finds that a closed room is cut off, without searching the whole world.

use crate::{
    Nav, PatchId, Surroundings,
    flood::Mix,
    nav::{LinkId, Way},
    policy::Terms,
};
use std::collections::{BTreeSet, HashSet, VecDeque};
use threshold_world::BlockId;

/// Links by where they lead.
pub(crate) type Sources = Box<[(u32, Way)]>;

/// Links of a block by the patches of the same block that they lead to.
pub(crate) fn own_sources(nav: &Nav, around: &Surroundings<'_>, block: BlockId) -> Sources {
    let count = nav.mesh(around, block).len() as u32;
    let ways = (0..count).flat_map(|patch| nav.own_ways(around, PatchId::new(block, patch)));
    sorted(ways.map(|way| (way.to.patch(), way)).collect())
}

/// Links of other blocks that lead into a block.
pub(crate) fn seam_sources(nav: &Nav, around: &Surroundings<'_>, block: BlockId) -> Sources {
    let near = |v: u8| v.saturating_sub(1)..=v.saturating_add(1);
    let mut sources = Vec::new();
    for (x, y) in near(block.x()).flat_map(|x| near(block.y()).map(move |y| (x, y))) {
        let other = BlockId::new(x, y);
        if other != block && around.world.block_data(other).is_some() {
            let ways = nav.seam_ways(around, other).filter(|way| way.to.block() == block);
            sources.extend(ways.map(|way| (way.to.patch(), way)));
        }
    }
    sorted(sources)
}

fn sorted(mut sources: Vec<(u32, Way)>) -> Sources {
    sources.sort_by_key(|(to, way)| (*to, way.id));
    sources.into()
}

/// A search back from a goal.
#[derive(Default)]
pub(crate) struct LookBack {
    seen: HashSet<PatchId, Mix>,
    queue: VecDeque<PatchId>,
    /// Somebody who stands where the search begins can come to the goal.
    pub(crate) has_met: bool,
}

impl LookBack {
    pub(crate) fn begin(&mut self, goals: &[PatchId]) {
        self.seen.clear();
        self.queue.clear();
        self.seen.extend(goals);
        self.queue.extend(goals);
        self.has_met = false;
    }

    /// Goes on for some steps; false when everything is known from which the goal can be come to, and the starts are not
    /// among it.
    pub(crate) fn run(
        &mut self,
        nav: &Nav,
        around: &Surroundings<'_>,
        terms: &Terms<'_>,
        marks: &BTreeSet<LinkId>,
        starts: &[PatchId],
        steps: usize,
    ) -> bool {
        for _ in 0..steps {
            if self.has_met {
                return true;
            }
            let Some(patch) = self.queue.pop_front() else { return false };
            if starts.contains(&patch) {
                self.has_met = true;
                return true;
            }
            // Somebody may come from where nothing is known yet.
            if !nav.blocks_before(around, patch).all(|block| terms.may_use(block)) {
                self.has_met = true;
                return true;
            }
            for (_, way) in nav.ways_to(around, patch) {
                let is_open = !marks.contains(&way.id) && terms.policy.allows(nav, around, way);
                if is_open && self.seen.insert(way.id.from) {
                    self.queue.push_back(way.id.from);
                }
            }
        }
        true
    }
}

impl Nav {
    /// Blocks besides its own whose meshes are needed for the ways that lead to a patch.
    fn blocks_before<'a>(
        &self,
        around: &Surroundings<'a>,
        patch: PatchId,
    ) -> impl Iterator<Item = BlockId> + use<'a> {
        let near = |v: u8| v.saturating_sub(2)..=v.saturating_add(2);
        let (block, world) = (patch.block(), around.world);
        let is_at_border = self.built(block).is_some_and(|mesh| mesh.is_at_border(patch.patch()));
        let blocks = near(block.x()).flat_map(move |x| near(block.y()).map(move |y| BlockId::new(x, y)));
        blocks.filter(move |&id| is_at_border && world.block_data(id).is_some())
    }

    /// Ways that lead to a patch.
    fn ways_to(&self, around: &Surroundings<'_>, patch: PatchId) -> impl Iterator<Item = &(u32, Way)> {
        let block = patch.block();
        let is_at_border = self.mesh(around, block).is_at_border(patch.patch());
        let to = move |sources: &'_ Sources| {
            let first = sources.partition_point(|(to, _)| *to < patch.patch());
            let count = sources[first..].iter().take_while(|(to, _)| *to == patch.patch()).count();
            first..first + count
        };
        let own = self.own_sources(around, block);
        let own = &own[to(own)];
        let seam: &[(u32, Way)] = if is_at_border {
            let seam = self.seam_sources(around, block);
            &seam[to(seam)]
        } else {
            &[]
        };
        own.iter().chain(seam)
    }
}
