//! From a draw list to commands: the order stays, neighbours that differ only in their place become one command.

use super::{
    Gpu,
    buffers::{DataTable, GrowingBuffer},
    meshes::Meshes,
    pipelines::{self, PORTAL, Pipelines},
    textures::Textures,
};
use crate::{
    assets::Assets,
    draw::{Draw, DrawList, Instance, Item, Lighting},
    light::PointLight,
    raster::{Blend, PUNCH_DEPTH, Rect, Z_NEAR},
    texture::Address,
};
use glam::Vec3;
use std::ops::Range;
use threshold_view::Projection;

/// Words of what the shader knows about one draw: instance, layer, state.
pub(super) const RECORD_WORDS: usize = 3;
type Record = [u32; RECORD_WORDS];

const STATE_FOG: u32 = 0x1_0000;
const STATE_CLAMP: u32 = 0x2_0000;
const STATE_CLIP_MAP: u32 = 0x4_0000;

/// Asks for the polygon's own depth.
const OWN_DEPTH: f32 = -1.0;

type GlobalsWords = [u32; 24];
type InstanceWords = [u32; 28];
type LightingWords = [u32; 12];
type LightWords = [f32; 8];

/// One command to the device.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Command {
    /// Indexed triangles, once for each record.
    Mesh { pipeline: u8, array: u16, bounds: Rect, indices: Range<u32>, records: Range<u32> },
    /// Polygons that set depth.
    Portals { vertices: Range<u32> },
}

/// Statistics of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Draws of the list that touch the picture.
    pub draws: usize,
    /// Commands that were made of them, portals included.
    pub commands: usize,
    /// Draws that were left out because the device has no room for their meshes.
    pub left_out: usize,
}

/// Everything that changes from frame to frame.
pub(super) struct GpuFrame {
    pub(super) commands: Vec<Command>,
    pub(super) counts: Counts,
    records: Vec<Record>,
    portals: Vec<[f32; 4]>,
    instances: Vec<InstanceWords>,
    lightings: Vec<LightingWords>,
    lights: Vec<LightWords>,
    buffers: Buffers,
    layout: wgpu::BindGroupLayout,
    bind_group: wgpu::BindGroup,
}

struct Buffers {
    globals: wgpu::Buffer,
    records: GrowingBuffer,
    portals: GrowingBuffer,
    instances: DataTable,
    lightings: DataTable,
    lights: DataTable,
}

impl GpuFrame {
    pub(super) fn new(gpu: &Gpu) -> GpuFrame {
        use wgpu::BufferUsages as Usage;
        let buffers = Buffers {
            globals: gpu.device.create_buffer(&wgpu::BufferDescriptor {
                label: Some("globals"),
                size: size_of::<GlobalsWords>() as u64,
                usage: Usage::UNIFORM | Usage::COPY_DST,
                mapped_at_creation: false,
            }),
            records: GrowingBuffer::new(gpu, "draws", Usage::VERTEX, size_of::<Record>()),
            portals: GrowingBuffer::new(gpu, "portals", Usage::VERTEX, size_of::<[f32; 4]>()),
            instances: DataTable::new(gpu, "instances"),
            lightings: DataTable::new(gpu, "lightings"),
            lights: DataTable::new(gpu, "lights"),
        };
        let layout = layout(gpu);
        let bind_group = buffers.bind(gpu, &layout);
        GpuFrame {
            commands: Vec::new(),
            counts: Counts::default(),
            records: Vec::new(),
            portals: Vec::new(),
            instances: Vec::new(),
            lightings: Vec::new(),
            lights: Vec::new(),
            buffers,
            layout,
            bind_group,
        }
    }

    pub(super) fn layout(&self) -> &wgpu::BindGroupLayout {
        &self.layout
    }

    pub(super) fn bind_group(&self) -> &wgpu::BindGroup {
        &self.bind_group
    }

    pub(super) fn record_buffer(&self) -> &wgpu::Buffer {
        self.buffers.records.get()
    }

    pub(super) fn portal_buffer(&self) -> &wgpu::Buffer {
        self.buffers.portals.get()
    }

    /// Makes the commands of a list and brings all they need to the device.
    pub(super) fn prepare(
        &mut self,
        gpu: &Gpu,
        list: &DrawList,
        assets: &Assets,
        stores: (&mut Meshes, &mut Textures, &mut Pipelines),
        size: (u32, u32),
    ) {
        self.commands.clear();
        self.records.clear();
        self.portals.clear();
        self.counts = Counts::default();
        let Some(projection) = &list.projection else { return };
        let (meshes, textures, pipelines) = stores;
        let screen = Rect { min: (0, 0), max: (size.0 as i32 - 1, size.1 as i32 - 1) };
        for item in &list.items {
            match item {
                Item::Draw(draw) => {
                    let bounds = draw.bounds.within(screen);
                    if bounds.is_empty() || draw.indices.is_empty() {
                        continue;
                    }
                    let Some(first) = meshes.locate(gpu, assets, draw.mesh) else {
                        self.counts.left_out += 1;
                        continue;
                    };
                    let slot = textures.locate(gpu, assets, draw.texture);
                    let pipeline = pipelines::key(&draw.state);
                    pipelines.prepare(gpu, pipeline);
                    self.counts.draws += 1;
                    let at = self.records.len() as u32;
                    self.records.push(record(draw, slot.layer));
                    self.mesh(Command::Mesh {
                        pipeline,
                        array: slot.array,
                        bounds,
                        indices: first + draw.indices.start..first + draw.indices.end,
                        records: at..at + 1,
                    });
                }
                Item::ClearDepth => self.clear_depth(),
                Item::Punch(corners) => {
                    self.polygon(list, corners, Z_NEAR * PUNCH_DEPTH, size);
                }
                Item::Seal(corners) => self.polygon(list, corners, OWN_DEPTH, size),
            }
        }
        if !self.portals.is_empty() {
            pipelines.prepare(gpu, PORTAL);
        }
        self.counts.commands = self.commands.len();
        self.fill(gpu, list, projection, size);
    }

    /// Adds a command with one record, the last one; or makes the command before it do the same.
    fn mesh(&mut self, next: Command) {
        if let (
            Some(Command::Mesh { pipeline, array, bounds, indices, records }),
            Command::Mesh { pipeline: p, array: a, bounds: b, indices: i, records: r },
        ) = (self.commands.last_mut(), &next)
            && (*pipeline, *array, *bounds) == (*p, *a, *b)
        {
            if indices == i && records.end == r.start {
                // The same triangles at another place.
                records.end = r.end;
                return;
            }
            let last = self.records.len() - 1;
            if indices.end == i.start
                && records.len() == 1
                && records.end == r.start
                && self.records[records.start as usize] == self.records[last]
            {
                // More triangles of the same mesh at the same place.
                indices.end = i.end;
                self.records.pop();
                return;
            }
        }
        self.commands.push(next);
    }

    /// Polygons without a mesh between them are one command.
    fn portals(&mut self, start: u32) {
        let end = self.portals.len() as u32;
        match self.commands.last_mut() {
            Some(Command::Portals { vertices }) if vertices.end == start => vertices.end = end,
            _ if end > start => self.commands.push(Command::Portals { vertices: start..end }),
            _ => {}
        }
    }

    /// A triangle larger than the picture, infinitely far away.
    fn clear_depth(&mut self) {
        let start = self.portals.len() as u32;
        self.portals.extend([[-1.0, -1.0, 1.0, 0.0], [3.0, -1.0, 1.0, 0.0], [-1.0, 3.0, 1.0, 0.0]]);
        self.portals(start);
    }

    fn polygon(&mut self, list: &DrawList, corners: &Range<u32>, depth: f32, size: (u32, u32)) {
        let start = self.portals.len() as u32;
        let corners = list.corners.get(corners.start as usize..corners.end as usize).unwrap_or_default();
        let (sx, sy) = (2.0 / size.0 as f32, 2.0 / size.1 as f32);
        let place = |c: Vec3| [c.x * sx - c.z, c.z - c.y * sy, c.z, depth];
        for pair in corners.windows(2).skip(1) {
            self.portals.extend([corners[0], pair[0], pair[1]].map(place));
        }
        self.portals(start);
    }

    fn fill(&mut self, gpu: &Gpu, list: &DrawList, projection: &Projection, size: (u32, u32)) {
        self.instances.clear();
        self.instances.extend(list.instances.iter().map(instance_words));
        self.lightings.clear();
        self.lightings.extend(list.lightings.iter().map(lighting_words));
        self.lights.clear();
        self.lights.extend(list.lights.iter().map(light_words));
        let globals = [globals_words(list, projection, size)];
        gpu.queue.write_buffer(&self.buffers.globals, 0, bytemuck::cast_slice(&globals));
        let buffers = &mut self.buffers;
        buffers.records.fill(gpu, &self.records);
        buffers.portals.fill(gpu, &self.portals);
        let grown = [
            buffers.instances.fill(gpu, &self.instances),
            buffers.lightings.fill(gpu, &self.lightings),
            buffers.lights.fill(gpu, &self.lights),
        ];
        if grown.contains(&true) {
            self.bind_group = buffers.bind(gpu, &self.layout);
        }
    }
}

impl Buffers {
    fn bind(&self, gpu: &Gpu, layout: &wgpu::BindGroupLayout) -> wgpu::BindGroup {
        let table = |binding, view| wgpu::BindGroupEntry {
            binding,
            resource: wgpu::BindingResource::TextureView(view),
        };
        gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("frame"),
            layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: self.globals.as_entire_binding() },
                table(1, self.instances.view()),
                table(2, self.lightings.view()),
                table(3, self.lights.view()),
            ],
        })
    }
}

fn layout(gpu: &Gpu) -> wgpu::BindGroupLayout {
    let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
    let globals = wgpu::BindingType::Buffer {
        ty: wgpu::BufferBindingType::Uniform,
        has_dynamic_offset: false,
        min_binding_size: None,
    };
    let table = wgpu::BindingType::Texture {
        sample_type: wgpu::TextureSampleType::Uint,
        view_dimension: wgpu::TextureViewDimension::D2,
        multisampled: false,
    };
    let vertex = wgpu::ShaderStages::VERTEX;
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
        label: Some("frame"),
        entries: &[
            entry(0, wgpu::ShaderStages::VERTEX_FRAGMENT, globals),
            entry(1, vertex, table),
            entry(2, vertex, table),
            entry(3, vertex, table),
        ],
    })
}

fn record(draw: &Draw, layer: u16) -> Record {
    let state = &draw.state;
    let fog = if state.fog { STATE_FOG } else { 0 };
    let clamp = if state.address == Address::Clamp { STATE_CLAMP } else { 0 };
    let clip_map = if state.blend == Blend::Clip { STATE_CLIP_MAP } else { 0 };
    let packed = u32::from(state.opacity) | u32::from(state.alpha_ref) << 8 | fog | clamp | clip_map;
    [draw.instance, u32::from(layer), packed]
}

fn globals_words(list: &DrawList, projection: &Projection, size: (u32, u32)) -> GlobalsWords {
    let (begin, end) = list.fog.map_or((0.0, 1.0), |fog| (fog.begin, fog.end));
    let [r, g, b, _] = list.fog_color.to_le_bytes().map(f32::from);
    let mut words = [0; 24];
    let mut put = |at: usize, value: Vec3| {
        words[at..at + 3].copy_from_slice(&value.to_array().map(f32::to_bits));
    };
    put(0, projection.eye);
    put(4, projection.right);
    put(8, projection.up);
    put(12, projection.forward);
    put(20, Vec3::new(r, g, b));
    words[3] = begin.to_bits();
    words[7] = end.to_bits();
    words[11] = u32::from(list.fog.is_some());
    words[16] = (projection.size.x / size.0 as f32).to_bits();
    words[17] = (projection.size.y / size.1 as f32).to_bits();
    words[18] = projection.tangent.x.to_bits();
    words[19] = projection.tangent.y.to_bits();
    words
}

#[inline]
fn instance_words(instance: &Instance) -> InstanceWords {
    let transform = &instance.transform;
    let mut words = [0; 28];
    let mut put = |at: usize, value: Vec3, fourth: f32| {
        let [x, y, z] = value.to_array().map(f32::to_bits);
        words[at..at + 4].copy_from_slice(&[x, y, z, fourth.to_bits()]);
    };
    put(0, transform.matrix.x_axis, transform.translation.x);
    put(4, transform.matrix.y_axis, transform.translation.y);
    put(8, transform.matrix.z_axis, transform.translation.z);
    put(12, transform.rotation.x_axis, instance.emissive);
    put(16, transform.rotation.y_axis, instance.diffuse);
    put(20, transform.rotation.z_axis, instance.uv_scale);
    words[24] = instance.uv_offset.x.to_bits();
    words[25] = instance.uv_offset.y.to_bits();
    words[26] = instance.lighting;
    words
}

fn lighting_words(lighting: &Lighting) -> LightingWords {
    let (kind, ambient, sun, sun_color, run) = match lighting {
        Lighting::Ground { ambient, sun, sun_color } => (0, *ambient, *sun, *sun_color, 0..0),
        Lighting::Sun { ambient, sun, sun_color } => (1, *ambient, *sun, *sun_color, 0..0),
        Lighting::Points { ambient, lights } => (2, *ambient, Vec3::ZERO, Vec3::ZERO, lights.clone()),
    };
    let mut words = [0; 12];
    let mut put = |at: usize, value: Vec3, fourth: u32| {
        let [x, y, z] = value.to_array().map(f32::to_bits);
        words[at..at + 4].copy_from_slice(&[x, y, z, fourth]);
    };
    put(0, ambient, kind);
    put(4, sun, run.start);
    put(8, sun_color, run.end);
    words
}

fn light_words(light: &PointLight) -> LightWords {
    let (p, c) = (light.position, light.color);
    [p.x, p.y, p.z, light.range(), c.x, c.y, c.z, light.intensity]
}
