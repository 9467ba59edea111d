//! Builds a mesh in slices of counted work, so that no tick stalls.

use crate::{Agent, BlockMesh, NavError, Surroundings, flood::Flood, merge::merge};
use threshold_world::BlockId;

/// The cost of a mesh besides the sweeps that find its places, expressed in sweeps: the marks of its lattice, its patches and links.
const BESIDES: u64 = 2_000;

/// An unfinished mesh.
pub(crate) struct MeshBuild {
    block: BlockId,
    pitch: f32,
    /// `None` when nothing can be found.
    flood: Option<Flood>,
    /// Everything has been found.
    is_found: bool,
    /// Work that it was allowed so far.
    allowed: u64,
}

impl MeshBuild {
    pub(crate) fn new(
        around: &Surroundings<'_>,
        agent: &Agent,
        block: BlockId,
        max_places: usize,
    ) -> MeshBuild {
        let flood = Flood::new(around, agent, block, max_places).ok();
        MeshBuild { block, pitch: agent.pitch(), flood, is_found: false, allowed: 0 }
    }

    pub(crate) fn block(&self) -> BlockId {
        self.block
    }

    /// Work that it was allowed so far.
    pub(crate) fn allowed(&self) -> u64 {
        self.allowed
    }

    /// Continues until about this much work has been spent in total. Returns the mesh once it is complete. Patches and links are made in one go, in a slice
    /// that makes no sweeps before.
    pub(crate) fn advance(&mut self, around: &Surroundings<'_>, work: u64) -> Option<BlockMesh> {
        self.allowed = self.allowed.max(work);
        match self.find(around, work) {
            Ok(is_found) => self.is_found = is_found,
            Err(_) => self.flood = None,
        }
        let Some(flood) = &self.flood else { return Some(BlockMesh::empty(self.block, self.pitch)) };
        let cost = flood.probe.sweeps() + BESIDES;
        if !self.is_found || cost > work {
            return None;
        }
        let mesh = merge(self.flood.take()?, around.world);
        Some(BlockMesh { work: u32::try_from(cost).unwrap_or(u32::MAX), ..mesh })
    }

    /// Whether everything has been found.
    fn find(&mut self, around: &Surroundings<'_>, work: u64) -> Result<bool, NavError> {
        let Some(flood) = self.flood.as_mut().filter(|_| !self.is_found) else { return Ok(true) };
        while flood.probe.sweeps() < work {
            // The next seed is tried once nothing is left to reach from the last one.
            if !flood.spread(around)? && (flood.is_full() || !flood.seed_next(around)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flood::MAX_NODES;
    use std::sync::Arc;
    use threshold_physics::{PLAYER_SETUP, Scene};
    use threshold_world::{Library, load_all};

    /// Sweeps of a slice, and those by which it may be longer: a place is gone on from in one go.
    const SLICE: u64 = 500;
    const MORE: u64 = 400;

    #[test]
    fn a_slice_makes_no_more_sweeps_than_it_may_and_the_mesh_is_the_same() {
        let sample = threshold_sample::build().expect("the sample world");
        let library = Library::new(Arc::new(sample.source().expect("its files")));
        let (world, _) = load_all(&library).expect("a world");
        let mut scene = Scene::new();
        let blocks: Vec<BlockId> = world.block_ids().collect();
        scene.blocks_loaded(&world, &blocks);
        let around = Surroundings::new(&world, &scene);
        let agent = Agent::player(library.model(PLAYER_SETUP).expect("models").expect("a player"));
        let village = BlockId(0x8080);
        let begin = || MeshBuild::new(&around, &agent, village, MAX_NODES);
        let (mut build, mut work, mut before) = (begin(), 0, 0);
        let parts = loop {
            work += SLICE;
            if let Some(mesh) = build.advance(&around, work) {
                break mesh;
            }
            let sweeps = build.flood.as_ref().expect("it goes on").probe.sweeps();
            assert!(sweeps - before < SLICE + MORE, "{} sweeps in a slice", sweeps - before);
            assert!(sweeps < work + MORE, "{sweeps} sweeps for {work}");
            assert!(!build.is_found || sweeps + BESIDES > work, "{sweeps} sweeps, and no mesh for {work}");
            before = sweeps;
        };
        let whole = begin().advance(&around, u64::MAX).expect("a mesh");
        assert!(u64::from(whole.work) > 20 * SLICE && u64::from(whole.work) < work + MORE, "{}", whole.work);
        assert_eq!(parts.work, whole.work);
        assert_eq!(
            (&parts.patches, &parts.links, &parts.heights),
            (&whole.patches, &whole.links, &whole.heights)
        );
    }

    #[test]
    fn one_that_may_tell_few_places_apart_ends_early() {
        let block = BlockId(0x8080);
        let sample = threshold_sample::build().expect("the sample world");
        let library = Library::new(Arc::new(sample.source().expect("its files")));
        let (world, _) = load_all(&library).expect("a world");
        let scene = Scene::new();
        let around = Surroundings::new(&world, &scene);
        let agent = Agent::player(library.model(PLAYER_SETUP).expect("models").expect("a player"));
        let mesh = MeshBuild::new(&around, &agent, block, 100).advance(&around, u64::MAX).expect("a mesh");
        assert!(mesh.is_cut && u64::from(mesh.work) < BESIDES + 100 * 50, "{} sweeps", mesh.work);
    }
}
