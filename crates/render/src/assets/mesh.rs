//! Meshes of models and cell structures.

use super::{Assets, MaterialIndex};
use crate::mesh::{Mesh, Vertex};
use glam::Vec3;
use std::{collections::HashMap, sync::Arc};
use threshold_dat::{
    DatId,
    records::{BspNode, BspTree, Environment, GfxObj},
};
use threshold_world::{
    geometry::Sphere,
    ladder::{Facing, Ladder},
};

/// Index of a mesh.
pub type MeshIndex = u32;

/// A mesh with its data.
#[derive(Clone, Debug)]
pub struct MeshAsset {
    /// Its triangles.
    pub mesh: Mesh,
    /// Surfaces that its subsets index, as records name them; empty for structures, which their cells dress.
    pub surfaces: Box<[DatId]>,
    /// Materials of those surfaces.
    pub materials: Box<[MaterialIndex]>,
    /// Other meshes for other distances.
    pub ladder: Option<Arc<Ladder>>,
    /// Root sphere of the drawing tree, else a sphere around the triangles.
    pub sphere: Sphere,
    /// Grows when the mesh is changed.
    pub version: u32,
}

impl MeshAsset {
    /// A mesh whose materials are somebody else's business.
    fn bare(mesh: Mesh) -> MeshAsset {
        let sphere = mesh.sphere;
        MeshAsset {
            mesh,
            surfaces: Box::default(),
            materials: Box::default(),
            ladder: None,
            sphere,
            version: 0,
        }
    }
}

/// A mesh with its levels of detail.
#[derive(Clone, Debug)]
pub struct Lod {
    ladder: Option<Arc<Ladder>>,
    levels: Box<[LodLevel]>,
    /// The point its distance is measured to.
    pub sort_center: Vec3,
}

/// One level of detail.
#[derive(Clone, Copy, Debug)]
pub struct LodLevel {
    /// Its mesh; `None` draws nothing.
    pub mesh: Option<MeshIndex>,
    /// How it turns towards the eye.
    pub facing: Facing,
    /// Drawing sphere of the mesh.
    pub sphere: Sphere,
}

impl Lod {
    /// The level for a viewer distance and a height scale, with its number.
    pub fn select(&self, distance: f32, z_scale: f32) -> (usize, &LodLevel) {
        let index = self.ladder.as_ref().map_or(0, |ladder| ladder.select(distance, z_scale));
        (index, &self.levels[index])
    }

    /// All levels; at least one.
    pub fn levels(&self) -> &[LodLevel] {
        &self.levels
    }
}

#[derive(Default)]
pub(super) struct Meshes {
    meshes: Vec<MeshAsset>,
    lods: HashMap<DatId, Option<Arc<Lod>>>,
    models: HashMap<DatId, Option<MeshIndex>>,
    structures: HashMap<(DatId, u32), Option<MeshIndex>>,
}

impl Assets {
    /// A mesh by its index.
    #[inline]
    pub fn mesh(&self, index: MeshIndex) -> &MeshAsset {
        &self.meshes.meshes[index as usize]
    }

    /// Number of meshes; indices below it are valid.
    pub fn mesh_count(&self) -> usize {
        self.meshes.meshes.len()
    }

    /// The mesh of a GfxObj; `None` when it is missing or broken.
    pub fn model_mesh(&mut self, id: DatId) -> Option<MeshIndex> {
        if let Some(&known) = self.meshes.models.get(&id) {
            return known;
        }
        let (record, is_sure) = self.surely(|assets| {
            let record = assets.load_shared::<GfxObj>(id)?;
            let ladder = record.degrade.and_then(|ladder| assets.ladder(ladder));
            Some((record, ladder))
        });
        if !is_sure {
            return None;
        }
        let index = record.map(|(record, ladder)| {
            let mesh = Mesh::from_model(&record);
            let materials = record.surfaces.iter().map(|&surface| self.surface(surface)).collect();
            let tree = record.drawing.as_ref().map(|drawing| &drawing.bsp);
            let sphere = tree.and_then(root_sphere).unwrap_or(mesh.sphere);
            let surfaces = record.surfaces.as_slice().into();
            self.add(MeshAsset { mesh, surfaces, materials, ladder, sphere, version: 0 })
        });
        self.meshes.models.insert(id, index);
        index
    }

    /// A GfxObj with its levels of detail; `None` when it is missing or broken.
    pub fn lod(&mut self, id: DatId) -> Option<Arc<Lod>> {
        if let Some(known) = self.meshes.lods.get(&id) {
            return known.clone();
        }
        let (lod, is_sure) = self.surely(|assets| assets.make_lod(id));
        if !is_sure {
            return None;
        }
        self.meshes.lods.insert(id, lod.clone());
        lod
    }

    fn make_lod(&mut self, id: DatId) -> Option<Arc<Lod>> {
        self.model_mesh(id).map(|base| {
            let ladder = self.mesh(base).ladder.clone();
            let level = |mesh: Option<MeshIndex>, facing, assets: &Assets| {
                // What has no polygons is not drawn.
                let mesh = mesh.filter(|&mesh| !assets.mesh(mesh).mesh.indices.is_empty());
                let sphere = mesh.map_or(Sphere::default(), |mesh| assets.mesh(mesh).sphere);
                LodLevel { mesh, facing, sphere }
            };
            let levels = match &ladder {
                None => Box::from([level(Some(base), Facing::Fixed, self)]),
                Some(ladder) => ladder
                    .levels()
                    .iter()
                    .map(|step| {
                        let mesh = step.mesh.and_then(|id| self.model_mesh(id));
                        level(mesh, step.facing, self)
                    })
                    .collect(),
            };
            Arc::new(Lod { ladder, levels, sort_center: self.mesh(base).mesh.sort_center })
        })
    }

    /// The mesh of a cell structure; `None` when it is missing or broken.
    pub fn structure_mesh(&mut self, environment: DatId, key: u32) -> Option<MeshIndex> {
        if let Some(&known) = self.meshes.structures.get(&(environment, key)) {
            return known;
        }
        let (record, is_sure) = self.surely(|assets| assets.load_shared::<Environment>(environment));
        if !is_sure {
            return None;
        }
        if let Some(record) = record {
            for (key, structure) in &record.structures {
                let key = *key;
                if self.meshes.structures.contains_key(&(environment, key)) {
                    continue;
                }
                // Cells dress a structure with at most 255 surfaces.
                let mesh = Mesh::new(&structure.vertices, &structure.polygons, 255);
                let sphere = structure.drawing_bsp.as_ref().and_then(root_sphere).unwrap_or(mesh.sphere);
                let index = self.add(MeshAsset { sphere, ..MeshAsset::bare(mesh) });
                self.meshes.structures.insert((environment, key), Some(index));
            }
        }
        *self.meshes.structures.entry((environment, key)).or_insert(None)
    }

    /// Adds a mesh made by other means, such as terrain.
    pub(crate) fn add_mesh(&mut self, mesh: Mesh) -> MeshIndex {
        self.add(MeshAsset::bare(mesh))
    }

    fn add(&mut self, mesh: MeshAsset) -> MeshIndex {
        self.meshes.meshes.push(mesh);
        self.meshes.meshes.len() as u32 - 1
    }

    /// Vertices of a mesh, to be lit anew.
    pub(crate) fn mesh_vertices_mut(&mut self, index: MeshIndex) -> &mut [Vertex] {
        let asset = &mut self.meshes.meshes[index as usize];
        asset.version += 1;
        &mut asset.mesh.vertices
    }

    /// Replaces a mesh that was added with [`Assets::add_mesh`].
    pub(crate) fn replace_mesh(&mut self, index: MeshIndex, mesh: Mesh) {
        let version = self.mesh(index).version + 1;
        self.meshes.meshes[index as usize] = MeshAsset { version, ..MeshAsset::bare(mesh) };
    }
}

fn root_sphere(tree: &BspTree) -> Option<Sphere> {
    let sphere = match tree.nodes.first()? {
        BspNode::Inner(inner) => inner.sphere,
        BspNode::Leaf(leaf) => leaf.sphere,
    };
    let sphere = Sphere { center: Vec3::from_array(sphere.center), radius: sphere.radius };
    (sphere.center.is_finite() && sphere.radius.is_finite() && sphere.radius > 0.0).then_some(sphere)
}
