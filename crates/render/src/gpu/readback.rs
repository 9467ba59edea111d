//! Pictures as bytes, for programs without a window.

use super::{Gpu, GpuError, GpuRenderer};
use crate::{assets::Assets, draw::DrawList};

/// What pictures without a window are drawn into, kept for the next one.
#[derive(Default)]
pub(super) struct Readback {
    made: Option<Target>,
}

struct Target {
    size: (u32, u32),
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    buffer: wgpu::Buffer,
    bytes_per_row: u32,
}

impl Target {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: (u32, u32)) -> Target {
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("picture"),
            size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::COPY_SRC,
            view_formats: &[],
        });
        let bytes_per_row = (size.0 * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("picture"),
            size: u64::from(bytes_per_row) * u64::from(size.1),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Target { size, texture, view, buffer, bytes_per_row }
    }
}

impl GpuRenderer {
    /// Draws a frame and waits for it: rows of RGBA bytes, top to bottom.
    pub fn picture(
        &mut self,
        gpu: &Gpu,
        list: &DrawList,
        assets: &Assets,
        (width, height): (u32, u32),
    ) -> Result<Vec<u8>, GpuError> {
        let limit = gpu.device.limits().max_texture_dimension_2d;
        if width.max(height) > limit {
            return Err(GpuError::TooLarge(limit));
        }
        let size = (width.max(1), height.max(1));
        let target = match self.readback.made.take() {
            Some(target) if target.size == size => target,
            _ => Target::new(gpu, self.color_format(), size),
        };
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        self.encode(gpu, list, assets, &mut encoder, &target.view, size);
        encoder.copy_texture_to_buffer(
            target.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo {
                buffer: &target.buffer,
                layout: wgpu::TexelCopyBufferLayout {
                    offset: 0,
                    bytes_per_row: Some(target.bytes_per_row),
                    rows_per_image: None,
                },
            },
            wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()]);
        let rows = read(gpu, &target);
        if let Some(failure) = gpu.take_failure() {
            return Err(failure);
        }
        let mut rgba = rows?;
        if matches!(self.color_format().remove_srgb_suffix(), wgpu::TextureFormat::Bgra8Unorm) {
            rgba.chunks_exact_mut(4).for_each(|pixel| pixel.swap(0, 2));
        }
        self.readback.made = Some(target);
        Ok(rgba)
    }
}

fn read(gpu: &Gpu, target: &Target) -> Result<Vec<u8>, GpuError> {
    let failed = |error: &dyn std::fmt::Display| GpuError::Failed(error.to_string());
    let (sender, receiver) = std::sync::mpsc::channel();
    target.buffer.slice(..).map_async(wgpu::MapMode::Read, move |result| {
        // Nobody listens any more only when the wait below failed.
        let _ = sender.send(result);
    });
    gpu.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
    match receiver.recv() {
        Ok(Ok(())) => {}
        Ok(Err(error)) => return Err(failed(&error)),
        Err(error) => return Err(failed(&error)),
    }
    let row = target.size.0 as usize * 4;
    let mut rgba = Vec::with_capacity(row * target.size.1 as usize);
    {
        let mapped = target.buffer.slice(..).get_mapped_range().map_err(|error| failed(&error))?;
        for line in mapped.chunks_exact(target.bytes_per_row as usize) {
            rgba.extend_from_slice(&line[..row]);
        }
    }
    target.buffer.unmap();
    Ok(rgba)
}
