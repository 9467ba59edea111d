//! Pipelines: one for each combination of fixed states that is met, made when it is met.

use super::{DEPTH_FORMAT, Gpu, frame::RECORD_WORDS, meshes::VERTEX_WORDS};
use crate::raster::{Blend, Depth, DrawState};

/// Blend modes × depth modes × with or without alpha test, and portals last.
const COUNT: usize = 7 * 3 * 2 + 1;
/// Number of the pipeline that only sets depth.
pub(super) const PORTAL: u8 = COUNT as u8 - 1;

/// The states of a pipeline as a small number.
pub(super) fn key(state: &DrawState) -> u8 {
    let blend = match state.blend {
        Blend::Opaque => 0,
        Blend::Alpha => 1,
        Blend::AlphaAdditive => 2,
        Blend::InvAlpha => 3,
        Blend::InvAlphaAdditive => 4,
        Blend::Additive => 5,
        Blend::Clip => 6,
    };
    let depth = match state.depth {
        Depth::TestAndWrite => 0,
        Depth::Test => 1,
        Depth::Ignore => 2,
    };
    (blend * 3 + depth) * 2 + u8::from(state.alpha_ref > 0)
}

/// Factors of source and destination, in the order of [`key`]. Spec: render-data §3.1–3.2.
fn factors(blend: u8) -> Option<(wgpu::BlendFactor, wgpu::BlendFactor)> {
    use wgpu::BlendFactor::{One, OneMinusSrcAlpha, SrcAlpha};
    match blend {
        1 => Some((SrcAlpha, OneMinusSrcAlpha)),
        2 => Some((SrcAlpha, One)),
        3 => Some((OneMinusSrcAlpha, SrcAlpha)),
        4 => Some((OneMinusSrcAlpha, One)),
        5 => Some((One, One)),
        6 => Some((One, OneMinusSrcAlpha)),
        _ => None,
    }
}

/// All pipelines for one format of pictures.
pub(super) struct Pipelines {
    module: wgpu::ShaderModule,
    layout: wgpu::PipelineLayout,
    format: wgpu::TextureFormat,
    made: [Option<wgpu::RenderPipeline>; COUNT],
}

impl Pipelines {
    pub(super) fn new(
        gpu: &Gpu,
        format: wgpu::TextureFormat,
        groups: [&wgpu::BindGroupLayout; 2],
    ) -> Pipelines {
        let module = gpu.device.create_shader_module(wgpu::include_wgsl!("shader.wgsl"));
        let layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("pictures"),
            bind_group_layouts: &groups.map(Some),
            immediate_size: 0,
        });
        Pipelines { module, layout, format, made: [const { None }; COUNT] }
    }

    pub(super) fn format(&self) -> wgpu::TextureFormat {
        self.format
    }

    /// Makes a pipeline unless it is there.
    #[inline]
    pub(super) fn prepare(&mut self, gpu: &Gpu, key: u8) {
        if self.made[usize::from(key)].is_none() {
            let made = if key == PORTAL { self.portal(gpu) } else { self.mesh(gpu, key) };
            self.made[usize::from(key)] = Some(made);
        }
    }

    /// A pipeline that was prepared.
    pub(super) fn get(&self, key: u8) -> Option<&wgpu::RenderPipeline> {
        self.made[usize::from(key)].as_ref()
    }

    fn mesh(&self, gpu: &Gpu, key: u8) -> wgpu::RenderPipeline {
        let (blend, depth, tested) = (key / 6, key / 2 % 3, key % 2 == 1);
        let blend = factors(blend).map(|(source, destination)| wgpu::BlendState {
            color: wgpu::BlendComponent {
                src_factor: source,
                dst_factor: destination,
                operation: wgpu::BlendOperation::Add,
            },
            alpha: wgpu::BlendComponent::REPLACE,
        });
        let compare = if depth == 2 { wgpu::CompareFunction::Always } else { wgpu::CompareFunction::Greater };
        let attributes =
            wgpu::vertex_attr_array![0 => Float32x3, 1 => Float32x3, 2 => Float32x2, 3 => Unorm8x4];
        let records = wgpu::vertex_attr_array![4 => Uint32x3];
        let layout = |words: usize, step_mode, attributes| {
            Some(wgpu::VertexBufferLayout { array_stride: words as u64 * 4, step_mode, attributes })
        };
        let buffers = [
            layout(VERTEX_WORDS, wgpu::VertexStepMode::Vertex, &attributes[..]),
            layout(RECORD_WORDS, wgpu::VertexStepMode::Instance, &records[..]),
        ];
        let entry = if tested { "mesh_tested" } else { "mesh_plain" };
        let target = wgpu::ColorTargetState {
            format: self.format,
            blend,
            // Pictures are opaque.
            write_mask: wgpu::ColorWrites::COLOR,
        };
        let stages = Stages { vertex: "mesh_vertex", fragment: entry, buffers: &buffers, target };
        self.create(gpu, &stages, Some(wgpu::Face::Back), depth == 0, compare)
    }

    fn portal(&self, gpu: &Gpu) -> wgpu::RenderPipeline {
        let attributes = wgpu::vertex_attr_array![0 => Float32x4];
        let buffers = [
            None,
            None,
            Some(wgpu::VertexBufferLayout {
                array_stride: 16,
                step_mode: wgpu::VertexStepMode::Vertex,
                attributes: &attributes,
            }),
        ];
        let target = wgpu::ColorTargetState {
            format: self.format,
            blend: None,
            write_mask: wgpu::ColorWrites::empty(),
        };
        let stages = Stages { vertex: "portal_vertex", fragment: "portal_depth", buffers: &buffers, target };
        self.create(gpu, &stages, None, true, wgpu::CompareFunction::Always)
    }

    fn create(
        &self,
        gpu: &Gpu,
        stages: &Stages,
        cull_mode: Option<wgpu::Face>,
        writes_depth: bool,
        compare: wgpu::CompareFunction,
    ) -> wgpu::RenderPipeline {
        gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(stages.fragment),
            layout: Some(&self.layout),
            vertex: wgpu::VertexState {
                module: &self.module,
                entry_point: Some(stages.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: stages.buffers,
            },
            primitive: wgpu::PrimitiveState { cull_mode, ..wgpu::PrimitiveState::default() },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(writes_depth),
                depth_compare: Some(compare),
                stencil: wgpu::StencilState::default(),
                bias: wgpu::DepthBiasState::default(),
            }),
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: &self.module,
                entry_point: Some(stages.fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(stages.target.clone())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

struct Stages<'a> {
    vertex: &'a str,
    fragment: &'a str,
    buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    target: wgpu::ColorTargetState,
}
