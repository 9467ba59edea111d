//! Meshes of all blocks for one kind of body, built on demand.

use crate::{
    Agent, BlockMesh, KeptMeshes, Patch, Surroundings,
    behind::{Sources, own_sources, seam_sources},
    build::MeshBuild,
    flood::{MAX_NODES, block_beside},
    mesh::Link,
    seam::{SeamLink, seam_links},
};
use serde::{Deserialize, Serialize};
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock, RwLock},
};
use threshold_world::{BlockId, CellId, parallel};

/// A patch: its block and its number there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct PatchId(pub(crate) u32);

impl PatchId {
    pub(crate) fn new(block: BlockId, patch: u32) -> PatchId {
        PatchId(u32::from(block.0) << 16 | patch)
    }

    pub(crate) fn block(self) -> BlockId {
        BlockId((self.0 >> 16) as u16)
    }

    pub(crate) fn patch(self) -> u32 {
        self.0 & 0xFFFF
    }
}

/// A link of the mesh, as it is named while the mesh lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub(crate) struct LinkId {
    pub(crate) from: PatchId,
    /// Number among the links of the patch; those into other blocks come last.
    pub(crate) number: u32,
}

/// Links that a body failed to follow.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks(pub(crate) BTreeSet<LinkId>);

/// A link and where it leads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) id: LinkId,
    pub(crate) link: Link,
    pub(crate) to: PatchId,
}

/// Where one kind of body can stand and go, everywhere. Blocks are built when a query first needs them; any number of
/// threads may query at once.
pub struct Nav {
    agent: Agent,
    /// Places of a block that are told apart at most.
    max_places: usize,
    /// Meshes from before.
    kept: Option<KeptMeshes>,
    meshes: Box<[OnceLock<Box<BlockMesh>>]>,
    seams: Box<[OnceLock<Box<[SeamLink]>>]>,
    /// Links by where they lead, from the same block and from others.
    sources: Box<[[OnceLock<Sources>; 2]]>,
    /// Links that a body could not follow after all.
    marks: RwLock<Arc<BTreeSet<LinkId>>>,
    /// The mesh that is being built in slices.
    under_way: Option<MeshBuild>,
}

impl Nav {
    /// A navigation without any meshes yet.
    pub fn new(agent: Agent) -> Nav {
        Nav {
            agent,
            max_places: MAX_NODES,
            kept: None,
            meshes: (0..=u16::MAX).map(|_| OnceLock::new()).collect(),
            seams: (0..=u16::MAX).map(|_| OnceLock::new()).collect(),
            sources: (0..=u16::MAX).map(|_| [OnceLock::new(), OnceLock::new()]).collect(),
            marks: RwLock::default(),
            under_way: None,
        }
    }

    /// Distinguishes at most this many places per block; further places are omitted ([`BlockMesh::is_cut`]).
    pub fn with_limit(mut self, places: usize) -> Nav {
        self.max_places = places.min(MAX_NODES);
        self
    }

    /// Uses saved meshes where they are still valid.
    pub fn with_kept(mut self, kept: KeptMeshes) -> Nav {
        self.kept = Some(kept);
        self
    }

    /// The body that walks.
    pub fn agent(&self) -> &Agent {
        &self.agent
    }

    /// The mesh of a block, built now if necessary.
    pub fn mesh(&self, around: &Surroundings<'_>, block: BlockId) -> &BlockMesh {
        self.meshes[usize::from(block.0)].get_or_init(|| Box::new(self.build(around, block)))
    }

    /// The mesh of a block, if it has been built.
    pub fn built(&self, block: BlockId) -> Option<&BlockMesh> {
        self.meshes[usize::from(block.0)].get().map(|mesh| &**mesh)
    }

    /// Builds the meshes of many blocks on all processors, with the links between them.
    pub fn build_all(&self, around: &Surroundings<'_>, blocks: &[BlockId]) {
        parallel::map(blocks, |&block| self.mesh(around, block).len());
        parallel::map(blocks, |&block| self.seam(around, block).len());
    }

    fn build(&self, around: &Surroundings<'_>, block: BlockId) -> BlockMesh {
        if let Some(mesh) = self.kept.as_ref().and_then(|kept| kept.mesh(around, &self.agent, block)) {
            return mesh;
        }
        let mesh = self.begin(around, block).advance(around, u64::MAX);
        mesh.unwrap_or_else(|| BlockMesh::empty(block, self.agent.pitch()))
    }

    fn begin(&self, around: &Surroundings<'_>, block: BlockId) -> MeshBuild {
        MeshBuild::new(around, &self.agent, block, self.max_places)
    }

    /// Continues the mesh of a block until `work` sweeps have been spent on it in total. Returns its cost once it is complete.
    /// The answer is the same whether the mesh was built this way, at once, or was saved in a file.
    pub fn build_some(&mut self, around: &Surroundings<'_>, block: BlockId, work: u64) -> Option<u64> {
        if self.built(block).is_none() {
            let under_way = self.under_way.take().filter(|build| build.block() == block);
            let kept = self.kept.as_ref().filter(|_| under_way.is_none());
            let mut mesh = kept.and_then(|kept| kept.mesh(around, &self.agent, block));
            if mesh.is_none() {
                let mut build = under_way.unwrap_or_else(|| self.begin(around, block));
                mesh = build.advance(around, work);
                self.under_way = Some(build).filter(|_| mesh.is_none());
            }
            let _ = self.meshes[usize::from(block.0)].set(Box::new(mesh?));
        }
        self.built(block).map(|mesh| mesh.work.into()).filter(|&cost| cost <= work)
    }

    /// Continues the mesh of a block for about this many sweeps. Returns whether it is complete. Only one mesh is built in slices at a time:
    /// progress on another block is lost.
    pub fn build_more(&mut self, around: &Surroundings<'_>, block: BlockId, sweeps: u64) -> bool {
        let under_way = self.under_way.as_ref().filter(|build| build.block() == block);
        let allowed = under_way.map_or(0, MeshBuild::allowed);
        self.build_some(around, block, allowed.saturating_add(sweeps));
        self.built(block).is_some()
    }

    /// Drops the meshes of a block and of its neighbours, because something in the block has changed.
    pub fn forget(&mut self, block: BlockId) {
        let around = |rings: u8| {
            let side = move |at: u8| at.saturating_sub(rings)..=at.saturating_add(rings);
            side(block.x()).flat_map(move |x| side(block.y()).map(move |y| BlockId::new(x, y)))
        };
        for id in around(1) {
            self.meshes[usize::from(id.0)].take();
        }
        self.under_way.take_if(|build| build.block().rings_to(block) <= 1);
        // Seams name the patches of both sides.
        for id in around(2) {
            self.seams[usize::from(id.0)].take();
            self.sources[usize::from(id.0)] = [OnceLock::new(), OnceLock::new()];
        }
        let keeps = |mark: &LinkId| mark.from.block().rings_to(block) > 2;
        if let Ok(marks) = self.marks.get_mut()
            && !marks.iter().all(keeps)
        {
            Arc::make_mut(marks).retain(keeps);
        }
    }

    fn seam(&self, around: &Surroundings<'_>, block: BlockId) -> &[SeamLink] {
        self.seams[usize::from(block.0)].get_or_init(|| seam_links(self, around, block))
    }

    pub(crate) fn own_sources(&self, around: &Surroundings<'_>, block: BlockId) -> &Sources {
        self.sources[usize::from(block.0)][0].get_or_init(|| own_sources(self, around, block))
    }

    pub(crate) fn seam_sources(&self, around: &Surroundings<'_>, block: BlockId) -> &Sources {
        self.sources[usize::from(block.0)][1].get_or_init(|| seam_sources(self, around, block))
    }

    /// Links of a patch that stay in its block.
    pub(crate) fn own_ways(&self, around: &Surroundings<'_>, from: PatchId) -> impl Iterator<Item = Way> {
        let block = from.block();
        let own = (0..).zip(self.mesh(around, block).links_of(from.patch()));
        own.map(move |(number, link)| Way {
            id: LinkId { from, number },
            link: *link,
            to: PatchId::new(block, link.to),
        })
    }

    /// Links that lead out of a block. Their numbers go on after those of their own patches.
    pub(crate) fn seam_ways(&self, around: &Surroundings<'_>, block: BlockId) -> impl Iterator<Item = Way> {
        let mesh = self.mesh(around, block);
        let mut last = (u32::MAX, 0);
        self.seam(around, block).iter().map(move |seam| {
            let number = if last.0 == seam.from { last.1 + 1 } else { mesh.links_of(seam.from).len() as u32 };
            last = (seam.from, number);
            Way { id: LinkId { from: PatchId::new(block, seam.from), number }, link: seam.link, to: seam.to }
        })
    }

    /// Links of a patch, those into other blocks included.
    pub(crate) fn ways(&self, around: &Surroundings<'_>, from: PatchId) -> impl Iterator<Item = Way> {
        let block = from.block();
        let mesh = self.mesh(around, block);
        let count = mesh.links_of(from.patch()).len() as u32;
        let seam = if mesh.is_at_border(from.patch()) { self.seam(around, block) } else { &[] };
        let first = seam.partition_point(|link| link.from < from.patch());
        let seam = seam[first..].iter().take_while(move |link| link.from == from.patch());
        let seam = (count..).zip(seam);
        let seam =
            seam.map(move |(number, seam)| Way { id: LinkId { from, number }, link: seam.link, to: seam.to });
        self.own_ways(around, from).chain(seam)
    }

    /// Blocks besides its own whose meshes are needed for the links of a patch.
    pub(crate) fn blocks_beside(&self, around: &Surroundings<'_>, from: PatchId) -> Vec<BlockId> {
        let Some(mesh) = self.built(from.block()).filter(|mesh| mesh.is_at_border(from.patch())) else {
            return Vec::new();
        };
        let beside = (0..4).filter_map(|direction| block_beside(from.block(), direction));
        let beside = beside.filter(|&id| around.world.landscape(id).is_some());
        let mut blocks: Vec<BlockId> = beside.chain(mesh.exits.iter().map(|exit| exit.to.block())).collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// The game id of a link's door or portal.
    pub(crate) fn door_of(&self, way: &Way) -> Option<u32> {
        let index = usize::from(way.link.door).checked_sub(1)?;
        self.built(way.id.from.block())?.doors.get(index).copied()
    }

    /// Remembers that a body could not follow a link.
    pub(crate) fn mark(&self, link: LinkId) {
        if let Ok(mut marks) = self.marks.write() {
            Arc::make_mut(&mut marks).insert(link);
        }
    }

    /// The links that turned out to fail, to be saved with other changing state.
    pub fn marks(&self) -> Marks {
        Marks(BTreeSet::clone(&self.current_marks()))
    }

    pub(crate) fn current_marks(&self) -> Arc<BTreeSet<LinkId>> {
        self.marks.read().map(|marks| marks.clone()).unwrap_or_default()
    }

    /// Restores the result of [`Nav::marks`].
    pub fn set_marks(&self, marks: &Marks) {
        if let Ok(mut own) = self.marks.write() {
            *own = Arc::new(marks.0.clone());
        }
    }

    /// Number of links that turned out to fail.
    pub fn marked(&self) -> usize {
        self.marks.read().map_or(0, |marks| marks.len())
    }

    pub(crate) fn patch(&self, id: PatchId) -> Option<&Patch> {
        self.built(id.block())?.patches.get(id.patch() as usize)
    }

    pub(crate) fn cell(&self, around: &Surroundings<'_>, patch: PatchId) -> CellId {
        self.mesh(around, patch.block()).cell(patch.patch())
    }
}
