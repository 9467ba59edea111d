//! Everything that is loaded once and drawn often: textures, materials, meshes.
//!
//! Lookups never fail. Missing or broken data is reported once, through [`Assets::take_problems`], and replaced:
//! a texture by a grey checkerboard, a mesh by nothing. The same applies to data that cannot be read yet.

mod ground;
mod mesh;
mod records;
mod surface;
mod unanswered;

pub use ground::{GroundStyle, TerrainAssets};
pub use mesh::{Lod, LodLevel, MeshAsset, MeshIndex};
pub use surface::{Appearance, Material, MaterialIndex, PaletteIndex, SubPaletteRange};

use crate::{
    raster::TextureIndex,
    texture::{Texture, pack},
};
use std::{any::Any, sync::Arc};
use threshold_dat::{
    DatId,
    records::{DatRecord, DegradeInfo},
};
use threshold_world::{Library, Problem, ladder::Ladder};
pub use unanswered::Making;
use unanswered::{Refusal, Unanswered};

/// A cache of textures, materials and meshes.
pub struct Assets {
    library: Arc<Library>,
    problems: Vec<Problem>,
    textures: Vec<Texture>,
    /// How often each of them was replaced by another one.
    texture_versions: Vec<u32>,
    /// Indices whose textures are gone.
    spare_textures: Vec<TextureIndex>,
    surfaces: surface::Surfaces,
    meshes: mesh::Meshes,
    records: records::Records,
    unanswered: Unanswered,
    /// The region's ground data.
    pub terrain: TerrainAssets,
}

/// One white texel.
pub const WHITE: TextureIndex = 0;
/// The substitute for a texture that is missing or broken.
pub const SUBSTITUTE: TextureIndex = 1;
/// One grey texel, the substitute for a texture that there was no time to make.
const UNMADE: TextureIndex = 2;
const GREY: u32 = pack(120, 116, 110, 255);

impl Assets {
    /// Assets from a library's source.
    pub fn new(library: Arc<Library>) -> Assets {
        let mut assets = Assets {
            library,
            problems: Vec::new(),
            textures: vec![Texture::solid(u32::MAX), substitute(), Texture::solid(GREY)],
            texture_versions: vec![0; 3],
            spare_textures: Vec::new(),
            surfaces: surface::Surfaces::default(),
            meshes: mesh::Meshes::default(),
            records: records::Records::default(),
            unanswered: Unanswered::default(),
            terrain: TerrainAssets::default(),
        };
        assets.load_terrain();
        assets
    }

    /// The library that collision shares with the picture.
    pub fn library(&self) -> &Arc<Library> {
        &self.library
    }

    /// A texture by its index.
    #[inline]
    pub fn texture(&self, index: TextureIndex) -> &Texture {
        self.textures.get(index as usize).unwrap_or(&self.textures[SUBSTITUTE as usize])
    }

    /// Number of textures; indices below it are valid.
    pub fn texture_count(&self) -> usize {
        self.textures.len()
    }

    /// Changes whenever another texture takes an index over.
    #[inline]
    pub fn texture_version(&self, index: TextureIndex) -> u32 {
        self.texture_versions.get(index as usize).copied().unwrap_or_default()
    }

    pub(crate) fn add_texture(&mut self, texture: Texture) -> TextureIndex {
        if let Some(index) = self.spare_textures.pop() {
            self.textures[index as usize] = texture;
            self.texture_versions[index as usize] += 1;
            return index;
        }
        self.textures.push(texture);
        self.texture_versions.push(0);
        self.textures.len() as u32 - 1
    }

    /// Frees a texture that nothing draws any more; its index goes to the next one that is added.
    pub(crate) fn remove_texture(&mut self, index: TextureIndex) {
        self.textures[index as usize] = Texture::solid(0);
        self.spare_textures.push(index);
    }

    /// A portal record; `None`, with a report, when it is missing or damaged or cannot be read now.
    pub fn load<R: DatRecord>(&mut self, id: DatId) -> Option<R> {
        let answer = self.try_load(id);
        self.reported::<R, R>(id, answer)
    }

    /// As [`Assets::load`] for records that collision uses too: the library hands on what it has decoded.
    fn load_shared<R: DatRecord + Any + Send + Sync>(&mut self, id: DatId) -> Option<Arc<R>> {
        let answer = self.ask(id, |library| library.shared_record(id));
        self.reported::<R, Arc<R>>(id, answer)
    }

    /// A portal record that may be absent.
    fn try_load<R: DatRecord>(&mut self, id: DatId) -> Result<Option<R>, Refusal> {
        self.ask(id, |library| library.record(id))
    }

    fn reported<R: DatRecord, T>(&mut self, id: DatId, answer: Result<Option<T>, Refusal>) -> Option<T> {
        match answer {
            Ok(Some(record)) => return Some(record),
            Ok(None) => self.report(id, format!("{} is missing", R::KIND)),
            Err(Refusal::Damaged(problem)) => self.report(id, problem),
            Err(Refusal::NotNow) => {}
        }
        None
    }

    fn report(&mut self, id: DatId, what: impl Into<String>) {
        let problem = Problem::new(id, what);
        if !self.problems.contains(&problem) {
            self.problems.push(problem);
        }
    }

    /// Problems met since the last call.
    pub fn take_problems(&mut self) -> Vec<Problem> {
        std::mem::take(&mut self.problems)
    }

    /// A distance ladder; `None` when the mesh itself is drawn at any distance.
    pub fn ladder(&mut self, id: DatId) -> Option<Arc<Ladder>> {
        let answer = self.ask(id, |library| library.ladder(id));
        self.reported::<DegradeInfo, _>(id, answer)?.ladder.clone()
    }
}

/// A check of two greys: seen at once, and easy on the eye.
fn substitute() -> Texture {
    const SIDE: u32 = 64;
    let texel = |i: u32| {
        let dark = (i % SIDE / 8 + i / SIDE / 8).is_multiple_of(2);
        if dark { pack(112, 112, 118, 255) } else { pack(150, 150, 156, 255) }
    };
    Texture::from_texels(SIDE, SIDE, (0..SIDE * SIDE).map(texel).collect())
}
