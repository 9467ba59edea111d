//! Meshes on the device: all of them in one vertex and one index buffer.

use super::{Gpu, buffers::GrowingBuffer};
use crate::{
    assets::{Assets, MeshAsset, MeshIndex},
    mesh::Vertex,
};

/// Words of a vertex: position, normal, texture coordinates, glow.
pub(super) const VERTEX_WORDS: usize = 9;

/// Where a mesh lies.
#[derive(Clone, Copy)]
struct Place {
    version: u32,
    first_vertex: u32,
    first_index: u32,
    vertex_room: u32,
    index_room: u32,
}

/// What a draw has to know about a mesh.
#[derive(Clone, Copy)]
pub(super) struct Located {
    pub(super) base_vertex: i32,
    pub(super) first_index: u32,
}

/// All meshes that were drawn so far.
pub(super) struct Meshes {
    vertices: GrowingBuffer,
    indices: GrowingBuffer,
    used_vertices: u64,
    used_indices: u64,
    places: Vec<Option<Place>>,
    scratch: Vec<[u32; VERTEX_WORDS]>,
}

impl Meshes {
    pub(super) fn new(gpu: &Gpu) -> Meshes {
        let vertices =
            GrowingBuffer::new(gpu, "vertices", wgpu::BufferUsages::VERTEX, VERTEX_WORDS * size_of::<u32>());
        let indices = GrowingBuffer::new(gpu, "indices", wgpu::BufferUsages::INDEX, size_of::<u32>());
        Meshes {
            vertices,
            indices,
            used_vertices: 0,
            used_indices: 0,
            places: Vec::new(),
            scratch: Vec::new(),
        }
    }

    pub(super) fn vertex_buffer(&self) -> &wgpu::Buffer {
        self.vertices.get()
    }

    pub(super) fn index_buffer(&self) -> &wgpu::Buffer {
        self.indices.get()
    }

    /// Where a mesh lies, brought to the device when it is new or was changed; `None` when there is no room for it.
    #[inline]
    pub(super) fn locate(&mut self, gpu: &Gpu, assets: &Assets, index: MeshIndex) -> Option<Located> {
        let asset = assets.mesh(index);
        let place = match self.places.get(index as usize).copied().flatten() {
            Some(place) if place.version == asset.version => place,
            known => self.upload(gpu, asset, index, known)?,
        };
        Some(Located { base_vertex: place.first_vertex as i32, first_index: place.first_index })
    }

    fn upload(
        &mut self,
        gpu: &Gpu,
        asset: &MeshAsset,
        index: MeshIndex,
        known: Option<Place>,
    ) -> Option<Place> {
        let (vertices, indices) = (asset.mesh.vertices.len() as u32, asset.mesh.indices.len() as u32);
        let fits = known.filter(|place| vertices <= place.vertex_room && indices <= place.index_room);
        let place = match fits {
            Some(place) => Place { version: asset.version, ..place },
            None => self.make_room(gpu, asset.version, vertices, indices)?,
        };
        self.scratch.clear();
        self.scratch.extend(asset.mesh.vertices.iter().map(words));
        self.vertices.write(gpu, u64::from(place.first_vertex), &self.scratch);
        self.indices.write(gpu, u64::from(place.first_index), &asset.mesh.indices);
        if self.places.len() <= index as usize {
            self.places.resize(index as usize + 1, None);
        }
        self.places[index as usize] = Some(place);
        Some(place)
    }

    fn make_room(&mut self, gpu: &Gpu, version: u32, vertices: u32, indices: u32) -> Option<Place> {
        let (vertex_end, index_end) =
            (self.used_vertices + u64::from(vertices), self.used_indices + u64::from(indices));
        // Offsets are signed in draw commands.
        if vertex_end.max(index_end) > i32::MAX as u64 {
            return None;
        }
        self.vertices.reserve(gpu, vertex_end, self.used_vertices)?;
        self.indices.reserve(gpu, index_end, self.used_indices)?;
        let place = Place {
            version,
            first_vertex: self.used_vertices as u32,
            first_index: self.used_indices as u32,
            vertex_room: vertices,
            index_room: indices,
        };
        (self.used_vertices, self.used_indices) = (vertex_end, index_end);
        Some(place)
    }
}

fn words(vertex: &Vertex) -> [u32; VERTEX_WORDS] {
    let (p, n, uv) = (vertex.position, vertex.normal, vertex.uv);
    let [a, b, c] = p.to_array().map(f32::to_bits);
    let [d, e, f] = n.to_array().map(f32::to_bits);
    [a, b, c, d, e, f, uv.x.to_bits(), uv.y.to_bits(), u32::from_le_bytes(vertex.glow)]
}
