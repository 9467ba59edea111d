//! What draws pictures: the processor, or a graphics card when the program was built for one.

use anyhow::{Context, Result};
#[cfg(feature = "gpu")]
use threshold_render::gpu::{Gpu, GpuRenderer, wgpu::TextureFormat};
use threshold_render::{Backend, assets::Assets, cpu::CpuRenderer, draw::DrawList};

/// A backend that is ready to draw pictures of one size.
pub(crate) enum Drawer {
    /// The reference.
    Cpu {
        /// What draws.
        renderer: Box<CpuRenderer>,
        /// Why a graphics card that would have been welcome is not used.
        instead: Option<String>,
    },
    /// The graphics card.
    #[cfg(feature = "gpu")]
    Gpu(Box<OnGpu>),
}

#[cfg(feature = "gpu")]
pub(crate) struct OnGpu {
    gpu: Gpu,
    renderer: GpuRenderer,
    size: (u32, u32),
}

/// The graphics card, if the choice of a backend allows for the one that there is.
#[cfg(feature = "gpu")]
fn gpu(backend: Backend, size: (u32, u32)) -> Result<Drawer> {
    let gpu = Gpu::headless()?;
    anyhow::ensure!(gpu.serves(backend), "{} is not a graphics card", gpu.name());
    let renderer = GpuRenderer::new(&gpu, TextureFormat::Rgba8Unorm);
    Ok(Drawer::Gpu(Box::new(OnGpu { gpu, renderer, size })))
}

#[cfg(not(feature = "gpu"))]
fn gpu(_: Backend, _: (u32, u32)) -> Result<Drawer> {
    anyhow::bail!("this program was built without the feature `gpu`")
}

impl Drawer {
    /// Opens a backend; with `auto` [`Drawer::name`] tells why it is not a graphics card.
    pub(crate) fn open(backend: Backend, size: (u32, u32)) -> Result<Drawer> {
        let on_cpu = |instead| Drawer::Cpu { renderer: Box::new(CpuRenderer::new(size.0, size.1)), instead };
        match backend {
            Backend::Cpu => Ok(on_cpu(None)),
            Backend::Gpu => gpu(backend, size).context("--backend gpu"),
            Backend::Auto => {
                Ok(gpu(backend, size).unwrap_or_else(|reason| on_cpu(Some(format!("{reason:#}")))))
            }
        }
    }

    /// Draws a frame as rows of RGBA bytes, top to bottom.
    pub(crate) fn draw(&mut self, list: &DrawList, assets: &Assets) -> Result<Vec<u8>> {
        match self {
            Drawer::Cpu { renderer, .. } => {
                renderer.draw(list, assets);
                let mut rgba = Vec::new();
                renderer.picture().copy_rgba(&mut rgba);
                Ok(rgba)
            }
            #[cfg(feature = "gpu")]
            Drawer::Gpu(on) => Ok(on.renderer.picture(&on.gpu, list, assets, on.size)?),
        }
    }

    /// Where it draws, for people.
    pub(crate) fn name(&self) -> String {
        match self {
            Drawer::Cpu { instead: None, .. } => "the CPU".to_owned(),
            Drawer::Cpu { instead: Some(reason), .. } => format!("the CPU: {reason}"),
            #[cfg(feature = "gpu")]
            Drawer::Gpu(on) => on.gpu.name(),
        }
    }
}
