//! The adapter and the device.

use crate::Backend;
use std::sync::{Arc, Mutex, PoisonError};
use thiserror::Error;

/// Why there is no picture from the GPU.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum GpuError {
    /// No driver offers a device.
    #[error("no graphics adapter: {0}")]
    NoAdapter(String),
    /// There is an adapter, but it lacks something needed.
    #[error("{adapter} cannot be used: {reason}")]
    Unfit {
        /// Its name.
        adapter: String,
        /// What is missing.
        reason: String,
    },
    /// The picture is larger than the device allows.
    #[error("pictures are at most {0} pixels a side on this device")]
    TooLarge(u32),
    /// The driver reported an error while drawing.
    #[error("the graphics driver failed: {0}")]
    Failed(String),
}

/// A device to draw with, shared with other users of it.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// Where adapters and surfaces come from.
    pub instance: wgpu::Instance,
    /// The graphics card, or a program that behaves like one.
    pub adapter: wgpu::Adapter,
    /// Makes buffers, textures and pipelines.
    pub device: wgpu::Device,
    /// Takes commands.
    pub queue: wgpu::Queue,
    failure: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// A device for pictures that no window shows.
    pub fn headless() -> Result<Gpu, GpuError> {
        let descriptor = wgpu::InstanceDescriptor::new_without_display_handle().with_env();
        pollster::block_on(Gpu::open(wgpu::Instance::new(descriptor), None))
    }

    /// A device that can draw on a window's surface. A browser takes its time to answer.
    pub async fn for_surface(instance: wgpu::Instance, surface: &wgpu::Surface<'_>) -> Result<Gpu, GpuError> {
        Gpu::open(instance, Some(surface)).await
    }

    async fn open(instance: wgpu::Instance, surface: Option<&wgpu::Surface<'_>>) -> Result<Gpu, GpuError> {
        let options = wgpu::RequestAdapterOptions {
            power_preference: wgpu::PowerPreference::HighPerformance,
            compatible_surface: surface,
            ..wgpu::RequestAdapterOptions::default()
        };
        let adapter = instance
            .request_adapter(&options)
            .await
            .map_err(|error| GpuError::NoAdapter(error.to_string()))?;
        let unfit = |reason: String| GpuError::Unfit { adapter: adapter.get_info().name, reason };
        // What WebGL 2 can do is enough.
        let offered = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: offered.max_buffer_size,
            ..wgpu::Limits::downlevel_webgl2_defaults().using_resolution(offered)
        };
        let descriptor =
            wgpu::DeviceDescriptor { required_limits: limits, ..wgpu::DeviceDescriptor::default() };
        let (device, queue) =
            adapter.request_device(&descriptor).await.map_err(|error| unfit(error.to_string()))?;
        let failure = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&failure);
        // The first error says what went wrong; those that follow from it do not.
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_with(|| error.to_string());
        }));
        Ok(Gpu { instance, adapter, device, queue, failure })
    }

    /// Name of the adapter and the interface it is reached through.
    pub fn name(&self) -> String {
        let info = self.adapter.get_info();
        format!("{} ({})", info.name, info.backend)
    }

    /// Whether the adapter is a software driver. A browser reveals only its name.
    pub fn is_software(&self) -> bool {
        let info = self.adapter.get_info();
        info.device_type == wgpu::DeviceType::Cpu
            || info.name.contains("SwiftShader")
            || info.name.contains("llvmpipe")
    }

    /// Whether it satisfies a choice of backend. A software driver is slower than the reference, and used only on request.
    pub fn serves(&self, backend: Backend) -> bool {
        match backend {
            Backend::Auto => !self.is_software(),
            Backend::Cpu => false,
            Backend::Gpu => true,
        }
    }

    /// The error since the last call, if there was one.
    pub fn take_failure(&self) -> Option<GpuError> {
        let text = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        text.map(GpuError::Failed)
    }
}
