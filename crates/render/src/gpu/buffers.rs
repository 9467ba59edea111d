//! Buffers on the device that grow as they fill.

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
        let usage = usage | wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::COPY_SRC;
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
