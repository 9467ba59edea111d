//! The CPU backend: executes a draw list with the rasterizer.

use crate::{
    assets::Assets,
    draw::{Draw, DrawList, Fog, Instance, Item, Lighting},
    mesh::Vertex,
    raster::{Batch, Fill, PUNCH_DEPTH, Raster, Rect, ScreenVertex},
};
use glam::Vec3;
use std::ops::Range;
use threshold_view::Projection;

/// Number of batches the vertex stage is cut into; a constant, so that pictures do not depend on the machine.
const BATCHES: usize = 16;

/// Draws pictures without a GPU.
pub struct CpuRenderer {
    raster: Raster,
    chunks: Vec<Range<usize>>,
}

impl CpuRenderer {
    /// A renderer for pictures of one size.
    pub fn new(width: u32, height: u32) -> CpuRenderer {
        CpuRenderer { raster: Raster::new(width, height), chunks: Vec::with_capacity(BATCHES) }
    }

    /// The last picture.
    pub fn picture(&self) -> &Raster {
        &self.raster
    }

    /// Draws a frame.
    pub fn draw(&mut self, list: &DrawList, assets: &Assets) {
        self.split(list);
        let chunks = &self.chunks;
        self.raster.draw(
            list.background,
            list.fog_color,
            chunks.len(),
            |texture| assets.texture(texture),
            |chunk, batch| {
                if let Some(projection) = &list.projection {
                    let stage = VertexStage { list, assets, projection };
                    stage.run(&list.items[chunks[chunk].clone()], batch);
                }
            },
        );
    }

    /// Cuts the list into chunks of about the same number of vertices.
    fn split(&mut self, list: &DrawList) {
        let cost = |item: &Item| match item {
            Item::Draw(draw) => draw.vertices.len() + draw.indices.len(),
            _ => 8,
        };
        let total: usize = list.items.iter().map(cost).sum();
        let share = total / BATCHES + 1;
        self.chunks.clear();
        let (mut start, mut spent) = (0, 0);
        for (i, item) in list.items.iter().enumerate() {
            spent += cost(item);
            if spent >= share {
                self.chunks.push(start..i + 1);
                (start, spent) = (i + 1, 0);
            }
        }
        if start < list.items.len() {
            self.chunks.push(start..list.items.len());
        }
    }
}

/// What the attributes of a draw's vertices depend on.
struct Shading<'a> {
    instance: &'a Instance,
    light: &'a Lighting,
    fog: Option<Fog>,
}

struct VertexStage<'a> {
    list: &'a DrawList,
    assets: &'a Assets,
    projection: &'a Projection,
}

impl VertexStage<'_> {
    fn run(&self, items: &[Item], batch: &mut Batch) {
        let mut vertices = batch.take_vertices();
        for item in items {
            match item {
                Item::Draw(draw) => self.mesh(draw, batch, &mut vertices),
                Item::ClearDepth => batch.clear_depth(),
                Item::Punch(corners) => {
                    batch.set_fill(Fill::Punch { depth: PUNCH_DEPTH });
                    self.polygon(corners, batch, &mut vertices);
                }
                Item::Seal(corners) => {
                    batch.set_fill(Fill::Seal);
                    self.polygon(corners, batch, &mut vertices);
                }
            }
        }
        batch.return_vertices(vertices);
    }

    fn polygon(&self, corners: &Range<u32>, batch: &mut Batch, vertices: &mut Vec<ScreenVertex>) {
        vertices.clear();
        batch.set_bounds(Rect::ALL);
        let corners = &self.list.corners[corners.start as usize..corners.end as usize];
        vertices.extend(corners.iter().map(|c| ScreenVertex {
            x: c.x,
            y: c.y,
            w: c.z,
            ..ScreenVertex::default()
        }));
        batch.polygon(vertices);
    }

    fn mesh(&self, draw: &Draw, batch: &mut Batch, out: &mut Vec<ScreenVertex>) {
        if draw.bounds.is_empty() {
            return;
        }
        let mesh = &self.assets.mesh(draw.mesh).mesh;
        let first = draw.vertices.start;
        let source = &mesh.vertices[first as usize..draw.vertices.end as usize];
        let indices = &mesh.indices[draw.indices.start as usize..draw.indices.end as usize];
        let instance = &self.list.instances[draw.instance as usize];
        let shading = Shading {
            instance,
            light: &self.list.lightings[instance.lighting as usize],
            fog: self.list.fog.filter(|_| draw.state.fog),
        };
        out.clear();
        out.extend(source.iter().map(|vertex| self.place(vertex, instance)));
        batch.set_bounds(draw.bounds);
        batch.set_fill(Fill::Surface { texture: draw.texture, state: draw.state });
        for corners in indices.as_chunks::<3>().0 {
            let [a, b, c] = *corners;
            let corners = [(a - first) as usize, (b - first) as usize, (c - first) as usize];
            batch.indexed_triangle(out, corners, |i, vertex| {
                if vertex.clear.is_nan() {
                    self.finish(vertex, &source[i], &shading);
                }
            });
        }
    }

    /// A vertex without its attributes, which most vertices do not need. Its share of fog is NaN until it has them.
    #[inline]
    fn place(&self, vertex: &Vertex, instance: &Instance) -> ScreenVertex {
        let screen = self.projection.to_screen(instance.transform.apply(vertex.position));
        ScreenVertex { x: screen.x, y: screen.y, w: screen.w, clear: f32::NAN, ..ScreenVertex::default() }
    }

    /// Computes the attributes of a vertex.
    fn finish(&self, out: &mut ScreenVertex, vertex: &Vertex, shading: &Shading) {
        let Shading { instance, light, fog } = shading;
        let position = instance.transform.apply(vertex.position);
        let normal = instance.transform.rotation * vertex.normal;
        let [r, g, b, _] = vertex.glow.map(f32::from);
        let own = Vec3::new(r, g, b) / 255.0 + instance.emissive;
        let light = light.at(&self.list.lights, position, normal, own, instance.diffuse);
        out.uv = (vertex.uv * instance.uv_scale + instance.uv_offset).to_array();
        out.light = light.to_array();
        out.clear = fog.map_or(1.0, |fog| fog.clear((position - self.projection.eye).length()));
    }
}
