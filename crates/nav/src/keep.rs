//! Meshes saved next to the data files, so that they need not be built again.
//!
//! Nothing depends on such a file. It names the version, data files and body it was built for, and has a hash of the input
//! of every mesh; meshes that do not match are rebuilt. The format is described in `docs/formats/nav.md`.

use crate::{Agent, BlockMesh, Nav, PatchKind, Surroundings, mesh::Side, signature::Signature};
use std::collections::BTreeMap;
use threshold_world::BlockId;

/// What a file begins with.
const MAGIC: [u8; 4] = *b"THNM";
/// Changes whenever meshes are made or written in another way.
const VERSION: u16 = 2;
/// Bytes before the index: magic, version, data files, body, number of blocks.
const HEAD: usize = 4 + 2 + 8 + 8 + 4;
/// Bytes of an entry of the index: block, signature, length.
const ENTRY: usize = 2 + 8 + 4;
/// Coordinates of a place of a mesh, in points of the lattice.
const MAX_SPOT: u16 = 16_000;

/// Why a mesh file cannot be used. It can be deleted; meshes are rebuilt when needed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KeptError {
    /// Another kind of file.
    #[error("it is not a mesh file")]
    Magic,
    /// Written by another version.
    #[error("its version is {0}; this program needs {VERSION}")]
    Version(u16),
    /// The data files have changed.
    #[error("it was built from other data files")]
    OtherData,
    /// Built for another body.
    #[error("it was built for another body")]
    OtherBody,
    /// It is too short or too long.
    #[error("{what} at byte {offset}")]
    Broken {
        /// Where.
        offset: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// Saved meshes; each is checked when it is needed.
#[derive(Debug)]
pub struct KeptMeshes {
    bytes: Vec<u8>,
    /// Where the mesh of a block lies, and what it was made from.
    index: BTreeMap<BlockId, (std::ops::Range<usize>, u64)>,
}

/// Reads numbers from the front.
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], KeptError> {
        let found = self.bytes.get(self.at..).and_then(|rest| rest.first_chunk::<N>());
        let broken = KeptError::Broken { offset: self.at, what: "the file ends" };
        self.at += N;
        found.copied().ok_or(broken)
    }
}

impl KeptMeshes {
    /// The name of the file with the meshes of a body.
    pub fn file_name(agent: &Agent) -> String {
        format!("nav-{:08X}-{:016x}.mesh", agent.model.id.0, agent.signature())
    }

    /// Reads a file; `data` is a hash of the data files.
    pub fn read(bytes: Vec<u8>, agent: &Agent, data: u64) -> Result<KeptMeshes, KeptError> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if bytes.get(..MAGIC.len()) != Some(&MAGIC) {
            return Err(KeptError::Magic);
        }
        reader.at = MAGIC.len();
        let version = u16::from_le_bytes(reader.take()?);
        if version != VERSION {
            return Err(KeptError::Version(version));
        }
        if u64::from_le_bytes(reader.take()?) != data {
            return Err(KeptError::OtherData);
        }
        if u64::from_le_bytes(reader.take()?) != agent.signature() {
            return Err(KeptError::OtherBody);
        }
        let count = u32::from_le_bytes(reader.take()?) as usize;
        let mut begin = HEAD.saturating_add(count.saturating_mul(ENTRY));
        let mut index = BTreeMap::new();
        for _ in 0..count {
            let offset = reader.at;
            let block = BlockId(u16::from_le_bytes(reader.take()?));
            let signature = u64::from_le_bytes(reader.take()?);
            let length = u32::from_le_bytes(reader.take()?) as usize;
            let end = begin.saturating_add(length);
            if end > bytes.len() {
                return Err(KeptError::Broken { offset, what: "a mesh lies behind the end of the file" });
            }
            if index.insert(block, (begin..end, signature)).is_some() {
                return Err(KeptError::Broken { offset, what: "a block is listed twice" });
            }
            begin = end;
        }
        if begin != bytes.len() {
            return Err(KeptError::Broken { offset: begin, what: "bytes follow the last mesh" });
        }
        Ok(KeptMeshes { bytes, index })
    }

    /// Number of meshes.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The mesh of a block, if it was made from what is there now and nothing is wrong with it.
    pub(crate) fn mesh(&self, around: &Surroundings<'_>, agent: &Agent, block: BlockId) -> Option<BlockMesh> {
        let (range, signature) = self.index.get(&block)?;
        if *signature != Signature::of_block(around, block) {
            return None;
        }
        let (mut mesh, rest): (BlockMesh, &[u8]) =
            postcard::take_from_bytes(self.bytes.get(range.clone())?).ok()?;
        if !rest.is_empty() || !mesh.is_sound(agent, block) {
            return None;
        }
        mesh.sort_into_buckets();
        Some(mesh)
    }
}

impl Nav {
    /// All meshes built so far, as the bytes of a file; `data` is a hash of the data files.
    pub fn keep(&self, around: &Surroundings<'_>, data: u64) -> Vec<u8> {
        let built = (0..=u16::MAX).map(BlockId).filter_map(|block| Some((block, self.built(block)?)));
        let meshes: Vec<(BlockId, u64, Vec<u8>)> = built
            .filter_map(|(block, mesh)| {
                let bytes = postcard::to_extend(mesh, Vec::new()).ok()?;
                Some((block, Signature::of_block(around, block), bytes))
            })
            .collect();
        let mut file = MAGIC.to_vec();
        file.extend(VERSION.to_le_bytes());
        file.extend(data.to_le_bytes());
        file.extend(self.agent().signature().to_le_bytes());
        file.extend((meshes.len() as u32).to_le_bytes());
        for (block, signature, bytes) in &meshes {
            file.extend(block.0.to_le_bytes());
            file.extend(signature.to_le_bytes());
            file.extend((bytes.len() as u32).to_le_bytes());
        }
        meshes.iter().for_each(|(.., bytes)| file.extend(bytes));
        file
    }
}

impl BlockMesh {
    /// Whether everything in it refers to something that is there, as in a mesh that was built.
    fn is_sound(&self, agent: &Agent, block: BlockId) -> bool {
        let size = |patch: u32| {
            self.patches.get(patch as usize).map_or(0, |patch| u32::from(patch.w) * u32::from(patch.h))
        };
        let is_door = |door: u16| usize::from(door) <= self.doors.len();
        let mut first_link = 0;
        for patch in &self.patches {
            let values = match patch.kind {
                PatchKind::Open => 0,
                PatchKind::Lattice => usize::from(patch.w) * usize::from(patch.h),
                PatchKind::Single => 3,
            };
            let is_on_map = patch.spot.i.unsigned_abs().max(patch.spot.j.unsigned_abs()) <= MAX_SPOT;
            let is_single = patch.kind != PatchKind::Single || (patch.w, patch.h) == (1, 1);
            if patch.w == 0
                || patch.h == 0
                || !is_on_map
                || !is_single
                || patch.links < first_link
                || (patch.data as usize).saturating_add(values) > self.heights.len()
            {
                return false;
            }
            first_link = patch.links;
        }
        let links_hold = (0..self.patches.len() as u32).all(|from| {
            self.links_of(from).iter().all(|link| {
                let patch = &self.patches[from as usize];
                let is_within = match link.side {
                    Side::Border(direction) => {
                        let count = if direction.is_multiple_of(2) { patch.h } else { patch.w };
                        direction < 4 && link.lo <= link.hi && link.hi < u16::from(count)
                    }
                    Side::Point => u32::from(link.lo) < size(from) && u32::from(link.hi) < size(link.to),
                };
                is_within && is_door(link.door) && size(link.to) != 0
            })
        });
        let exits_hold = self.exits.iter().all(|exit| {
            u32::from(exit.point) < size(exit.patch) && exit.origin.is_finite() && is_door(exit.door)
        });
        self.block == block
            && self.pitch == agent.pitch()
            && self.patches.len() <= 1 << 16
            && (self.sole == agent.sole() || self.patches.is_empty())
            && first_link as usize <= self.links.len()
            && self.heights.iter().all(|height| height.is_finite())
            && links_hold
            && exits_hold
    }
}
