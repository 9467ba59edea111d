//! The GPU backend: executes the same draw lists as the CPU reference, on [`wgpu`].
//!
//! Depth is that of the reference, 1/w with nearer greater, scaled so that the near plane has depth 1. Meshes and
//! textures go to the device once, when they are first drawn; a frame sends places, lights and one small record per
//! draw. Draws that follow each other and differ only in their place are one command.
//!
//! A renderer belongs to one [`Assets`]: it knows meshes and textures by their indices.

mod buffers;
mod device;
mod frame;
mod meshes;
mod pipelines;
mod readback;
mod textures;

pub use device::{Gpu, GpuError};
pub use frame::Counts;
pub use wgpu;

use crate::{
    assets::{Assets, WHITE},
    draw::DrawList,
    raster::Rect,
};
use frame::{Command, GpuFrame};
use meshes::Meshes;
use pipelines::{PORTAL, Pipelines};
use textures::Textures;

const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Draws pictures with a GPU.
pub struct GpuRenderer {
    meshes: Meshes,
    textures: Textures,
    pipelines: Pipelines,
    frame: GpuFrame,
    depth: Option<(wgpu::TextureView, (u32, u32))>,
    readback: readback::Readback,
}

impl GpuRenderer {
    /// A renderer for pictures of a format. Colours are bytes, not light: the format should not be an sRGB one.
    pub fn new(gpu: &Gpu, color_format: wgpu::TextureFormat) -> GpuRenderer {
        let textures = Textures::new(gpu);
        let frame = GpuFrame::new(gpu);
        let pipelines = Pipelines::new(gpu, color_format, [frame.layout(), textures.layout()]);
        let readback = readback::Readback::default();
        GpuRenderer { meshes: Meshes::new(gpu), textures, pipelines, frame, depth: None, readback }
    }

    /// Draws a frame into a picture of the renderer's format and of `size`.
    pub fn draw(
        &mut self,
        gpu: &Gpu,
        list: &DrawList,
        assets: &Assets,
        target: &wgpu::TextureView,
        size: (u32, u32),
    ) {
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encode(gpu, list, assets, &mut encoder, target, size);
        gpu.queue.submit([encoder.finish()]);
    }

    /// Like [`GpuRenderer::draw`], into the caller's encoder; the caller may draw over it and submits it. One frame per
    /// submission: the next one overwrites the buffers that this one reads.
    pub fn encode(
        &mut self,
        gpu: &Gpu,
        list: &DrawList,
        assets: &Assets,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        size: (u32, u32),
    ) {
        let size = (size.0.max(1), size.1.max(1));
        let stores = (&mut self.meshes, &mut self.textures, &mut self.pipelines);
        self.frame.prepare(gpu, list, assets, stores, size);
        // Something must be bound even while only depth is drawn.
        let white = self.textures.locate(gpu, assets, WHITE);
        let depth = match &self.depth {
            Some((view, of)) if *of == size => view,
            _ => &self.depth.insert((depth_buffer(gpu, size), size)).0,
        };
        let [r, g, b, _] = list.background.to_le_bytes().map(|byte| f64::from(byte) / 255.0);
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("picture"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                    store: wgpu::StoreOp::Store,
                },
            })],
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: depth,
                depth_ops: Some(wgpu::Operations {
                    load: wgpu::LoadOp::Clear(0.0),
                    store: wgpu::StoreOp::Discard,
                }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_bind_group(0, self.frame.bind_group(), &[]);
        pass.set_bind_group(1, self.textures.bind_group(white.array), &[]);
        pass.set_vertex_buffer(0, self.meshes.vertex_buffer().slice(..));
        pass.set_vertex_buffer(1, self.frame.record_buffer().slice(..));
        pass.set_vertex_buffer(2, self.frame.portal_buffer().slice(..));
        pass.set_index_buffer(self.meshes.index_buffer().slice(..), wgpu::IndexFormat::Uint32);
        let screen = Rect { min: (0, 0), max: (size.0 as i32 - 1, size.1 as i32 - 1) };
        let mut current = Bound { pipeline: None, array: white.array, bounds: screen };
        for command in &self.frame.commands {
            match command {
                Command::Mesh { pipeline, array, bounds, indices, records } => {
                    if current.array != *array {
                        current.array = *array;
                        pass.set_bind_group(1, self.textures.bind_group(*array), &[]);
                    }
                    current.switch(&mut pass, &self.pipelines, *pipeline, *bounds);
                    pass.draw_indexed(indices.clone(), 0, records.clone());
                }
                Command::Portals { vertices } => {
                    current.switch(&mut pass, &self.pipelines, PORTAL, screen);
                    pass.draw(vertices.clone(), 0..1);
                }
            }
        }
    }

    /// Statistics of the last frame.
    pub fn counts(&self) -> Counts {
        self.frame.counts
    }

    /// The format of the pictures.
    pub fn color_format(&self) -> wgpu::TextureFormat {
        self.pipelines.format()
    }
}

/// What the pass has at the moment.
struct Bound {
    pipeline: Option<u8>,
    array: u16,
    bounds: Rect,
}

impl Bound {
    fn switch(&mut self, pass: &mut wgpu::RenderPass, pipelines: &Pipelines, pipeline: u8, bounds: Rect) {
        if self.pipeline != Some(pipeline)
            && let Some(made) = pipelines.get(pipeline)
        {
            self.pipeline = Some(pipeline);
            pass.set_pipeline(made);
        }
        if self.bounds != bounds {
            self.bounds = bounds;
            let (x, y) = (bounds.min.0 as u32, bounds.min.1 as u32);
            pass.set_scissor_rect(x, y, bounds.max.0 as u32 - x + 1, bounds.max.1 as u32 - y + 1);
        }
    }
}

fn depth_buffer(gpu: &Gpu, (width, height): (u32, u32)) -> wgpu::TextureView {
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some("depth"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: DEPTH_FORMAT,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

#[cfg(test)]
mod tests;
