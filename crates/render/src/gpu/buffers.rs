//! Buffers and tables on the device that grow as they fill.

use super::Gpu;

/// Elements a buffer has room for at first.
const FIRST: u64 = 1024;

/// A buffer that is replaced by a larger one when it is full.
pub(super) struct GrowingBuffer {
    buffer: wgpu::Buffer,
    label: &'static str,
    usage: wgpu::BufferUsages,
    element: u64,
    capacity: u64,
}

impl GrowingBuffer {
    pub(super) fn new(gpu: &Gpu, label: &'static str, usage: wgpu::BufferUsages, element: usize) -> Self {
        // WebGL copies nothing out of indices.
        let source = wgpu::BufferUsages::COPY_SRC;
        let source =
            if usage.contains(wgpu::BufferUsages::INDEX) { wgpu::BufferUsages::empty() } else { source };
        let usage = usage | wgpu::BufferUsages::COPY_DST | source;
        let element = element as u64;
        let buffer = create(gpu, label, usage, FIRST * element);
        GrowingBuffer { buffer, label, usage, element, capacity: FIRST }
    }

    pub(super) fn get(&self) -> &wgpu::Buffer {
        &self.buffer
    }

    /// Makes room for `count` elements, the first `kept` of which stay; true when the buffer is another one now, none
    /// when the device has no buffers that large.
    pub(super) fn reserve(&mut self, gpu: &Gpu, count: u64, kept: u64) -> Option<bool> {
        if count <= self.capacity {
            return Some(false);
        }
        let limit = gpu.device.limits().max_buffer_size / self.element;
        if count > limit {
            return None;
        }
        self.capacity = count.next_power_of_two().min(limit);
        let larger = create(gpu, self.label, self.usage, self.capacity * self.element);
        if kept > 0 {
            let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(&self.buffer, 0, &larger, 0, kept * self.element);
            gpu.queue.submit([encoder.finish()]);
        }
        self.buffer = larger;
        Some(true)
    }

    /// Replaces the contents; true when the buffer is another one now. What does not fit is left out.
    pub(super) fn fill<T: bytemuck::Pod>(&mut self, gpu: &Gpu, data: &[T]) -> bool {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        let count = (bytes.len() as u64).div_ceil(self.element);
        let Some(grown) = self.reserve(gpu, count, 0) else { return false };
        if !bytes.is_empty() {
            gpu.queue.write_buffer(&self.buffer, 0, bytes);
        }
        grown
    }

    /// Writes elements from a place on that was reserved before.
    pub(super) fn write<T: bytemuck::Pod>(&self, gpu: &Gpu, first: u64, data: &[T]) {
        if !data.is_empty() {
            gpu.queue.write_buffer(&self.buffer, first * self.element, bytemuck::cast_slice(data));
        }
    }
}

fn create(gpu: &Gpu, label: &str, usage: wgpu::BufferUsages, size: u64) -> wgpu::Buffer {
    gpu.device.create_buffer(&wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage,
        mapped_at_creation: false,
    })
}

/// Texels in a row of a [`DataTable`]; the shader has the same number.
const ROW: usize = 1024;
/// Bytes of a texel: four words.
const TEXEL: usize = 16;

/// Words that the vertex shader finds by their place. They lie in a texture, because WebGL 2 has no storage buffers.
pub(super) struct DataTable {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    label: &'static str,
}

impl DataTable {
    pub(super) fn new(gpu: &Gpu, label: &'static str) -> DataTable {
        let texture = table(gpu, label, 1);
        DataTable { view: texture.create_view(&wgpu::TextureViewDescriptor::default()), texture, label }
    }

    pub(super) fn view(&self) -> &wgpu::TextureView {
        &self.view
    }

    /// Replaces the contents; true when the texture is another one now. What does not fit is left out.
    pub(super) fn fill<T: bytemuck::Pod>(&mut self, gpu: &Gpu, data: &[T]) -> bool {
        let limit = gpu.device.limits().max_texture_dimension_2d as usize * ROW * TEXEL;
        let bytes: &[u8] = bytemuck::cast_slice(data);
        let bytes = &bytes[..bytes.len().min(limit)];
        let texels = bytes.len() / TEXEL;
        let rows = texels.div_ceil(ROW) as u32;
        let grown = rows > self.texture.height();
        if grown {
            let most = gpu.device.limits().max_texture_dimension_2d;
            self.texture = table(gpu, self.label, rows.next_power_of_two().min(most));
            self.view = self.texture.create_view(&wgpu::TextureViewDescriptor::default());
        }
        let (whole, rest) = bytes.split_at(texels / ROW * ROW * TEXEL);
        self.write(gpu, whole, 0, ROW);
        self.write(gpu, rest, texels / ROW, texels % ROW);
        grown
    }

    /// Writes rows that are `width` texels wide.
    fn write(&self, gpu: &Gpu, bytes: &[u8], first: usize, width: usize) {
        if bytes.is_empty() {
            return;
        }
        let height = bytes.len() / (width * TEXEL);
        gpu.queue.write_texture(
            wgpu::TexelCopyTextureInfo {
                texture: &self.texture,
                mip_level: 0,
                origin: wgpu::Origin3d { x: 0, y: first as u32, z: 0 },
                aspect: wgpu::TextureAspect::All,
            },
            bytes,
            wgpu::TexelCopyBufferLayout {
                offset: 0,
                bytes_per_row: Some((width * TEXEL) as u32),
                rows_per_image: None,
            },
            wgpu::Extent3d { width: width as u32, height: height as u32, depth_or_array_layers: 1 },
        );
    }
}

fn table(gpu: &Gpu, label: &str, rows: u32) -> wgpu::Texture {
    gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: Some(label),
        size: wgpu::Extent3d { width: ROW as u32, height: rows, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba32Uint,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}
