//! What the window shows: the world's picture with the panels over it.

use super::{artist::Artist, enlarge::Enlarger, panels::Panels};
use crate::{
    explorer::{Explorer, write_png},
    platform,
    settings::Settings,
};
use anyhow::{Context, Result, anyhow};
use egui_wgpu::{RendererOptions, ScreenDescriptor};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use threshold_render::gpu::{Gpu, wgpu};
use winit::{dpi::PhysicalPosition, event::WindowEvent, window::Window};

/// Format of the world's picture: bytes, not light.
const PICTURE: wgpu::TextureFormat = wgpu::TextureFormat::Rgba8Unorm;

/// Time between pictures that nobody sees.
const UNSEEN: Duration = Duration::from_millis(30);

/// Files to write pictures of a frame to.
#[derive(Default)]
pub(super) struct Wanted<'a> {
    /// The world alone.
    pub(super) pictures: Vec<&'a Path>,
    /// The whole window.
    pub(super) windows: Vec<&'a Path>,
}

/// A texture that is drawn into.
struct Canvas {
    texture: wgpu::Texture,
    view: wgpu::TextureView,
    size: (u32, u32),
}

impl Canvas {
    fn new(gpu: &Gpu, format: wgpu::TextureFormat, size: (u32, u32)) -> Canvas {
        let usage = wgpu::TextureUsages::RENDER_ATTACHMENT
            | wgpu::TextureUsages::TEXTURE_BINDING
            | wgpu::TextureUsages::COPY_DST
            | wgpu::TextureUsages::COPY_SRC;
        let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
            label: Some("canvas"),
            size: wgpu::Extent3d { width: size.0, height: size.1, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format,
            usage,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        Canvas { texture, view, size }
    }

    fn write(&self, gpu: &Gpu, rgba: &[u8]) {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.size.0 * 4),
            rows_per_image: None,
        };
        let size = wgpu::Extent3d { width: self.size.0, height: self.size.1, depth_or_array_layers: 1 };
        gpu.queue.write_texture(self.texture.as_image_copy(), rgba, layout, size);
    }

    /// Writes what was drawn to files: at once, or as soon as the device hands it out.
    fn write_to(&self, gpu: &Gpu, paths: &[&Path]) -> Result<()> {
        let (width, height) = self.size;
        let format = self.texture.format();
        let row = (width * 4).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let buffer = gpu.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("copy"),
            size: u64::from(row) * u64::from(height),
            usage: wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ,
            mapped_at_creation: false,
        });
        let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let layout =
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(row), rows_per_image: None };
        encoder.copy_texture_to_buffer(
            self.texture.as_image_copy(),
            wgpu::TexelCopyBufferInfo { buffer: &buffer, layout },
            wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        );
        gpu.queue.submit([encoder.finish()]);
        let paths: Vec<PathBuf> = paths.iter().map(|&path| path.to_owned()).collect();
        let written = buffer.clone();
        let write = move || -> Result<()> {
            let mapped = written.slice(..).get_mapped_range().map_err(|error| anyhow!("{error}"))?;
            let rows = mapped.chunks_exact(row as usize).flat_map(|row| &row[..width as usize * 4]);
            let mut rgba: Vec<u8> = rows.copied().collect();
            to_rgba(format, &mut rgba);
            paths.iter().try_for_each(|path| write_png(path, (width, height), &rgba))
        };
        platform::when_mapped(&gpu.device, &buffer, write)
    }
}

/// The window's surface and everything that draws on it.
pub(super) struct Screen {
    gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    artist: Artist,
    picture: Canvas,
    /// Brings the picture to the size of the window where the driver would take too long for it.
    enlarger: Option<Enlarger>,
    blitter: wgpu::util::TextureBlitter,
    /// The window once more, for pictures of it.
    copy: Option<Canvas>,
    egui: egui_winit::State,
    painter: egui_wgpu::Renderer,
    clipboard: platform::Clipboard,
    window: Arc<Window>,
}

impl Screen {
    /// What draws a window, for pictures of people (`scripted` is false) or of scripts, which are all alike.
    pub(super) async fn new(window: Arc<Window>, settings: Settings, scripted: bool) -> Result<Screen> {
        let advice = platform::NO_DRIVER;
        let descriptor = wgpu::InstanceDescriptor::new_with_display_handle_from_env(Box::new(window.clone()));
        let instance = wgpu::util::new_instance_with_webgpu_detection(descriptor).await;
        let surface = instance.create_surface(window.clone()).context(advice)?;
        let gpu = Gpu::for_surface(instance, &surface).await.context(advice)?;
        let size = window.inner_size();
        let (width, height) = (size.width.max(1), size.height.max(1));
        let mut config = surface.get_default_config(&gpu.adapter, width, height).context(advice)?;
        let offered = surface.get_capabilities(&gpu.adapter);
        config.format = offered.formats.into_iter().find(|format| !format.is_srgb()).unwrap_or(config.format);
        config.present_mode =
            if scripted { wgpu::PresentMode::AutoNoVsync } else { wgpu::PresentMode::AutoVsync };
        let artist =
            if gpu.serves(settings.backend) { Artist::gpu(&gpu, PICTURE) } else { Artist::cpu(!scripted) };
        let may_write = offered.usages.contains(wgpu::TextureUsages::COPY_DST);
        let enlarges = may_write && gpu.is_software() && matches!(artist, Artist::Cpu(_));
        let enlarger = if enlarges { Enlarger::new(config.format) } else { None };
        if enlarger.is_some() {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        surface.configure(&gpu.device, &config);
        let picture = Canvas::new(&gpu, PICTURE, artist.picture_size((width, height)));
        let blitter = wgpu::util::TextureBlitterBuilder::new(&gpu.device, config.format)
            .sample_type(wgpu::FilterMode::Linear)
            .build();
        let options = RendererOptions { dithering: false, ..RendererOptions::default() };
        let painter = egui_wgpu::Renderer::new(&gpu.device, config.format, options);
        let context = egui::Context::default();
        let ground = egui::Color32::from_rgba_unmultiplied(24, 26, 30, 236);
        context.set_visuals(egui::Visuals {
            override_text_color: Some(egui::Color32::from_gray(226)),
            window_fill: ground,
            ..egui::Visuals::dark()
        });
        let limit = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = Some(window.scale_factor() as f32);
        let egui = egui_winit::State::new(context, egui::ViewportId::ROOT, &window, scale, None, Some(limit));
        Ok(Screen {
            gpu,
            surface,
            config,
            artist,
            picture,
            enlarger,
            blitter,
            copy: None,
            egui,
            painter,
            clipboard: platform::Clipboard::default(),
            window,
        })
    }

    /// Forgets what was drawn: another world has other meshes and textures.
    pub(super) fn begin_anew(&mut self) {
        self.artist = match self.artist {
            Artist::Gpu(_) => Artist::gpu(&self.gpu, PICTURE),
            Artist::Cpu(_) => Artist::cpu(true),
        };
    }

    pub(super) fn window(&self) -> &Window {
        &self.window
    }

    /// Width and height of the window in pixels.
    pub(super) fn size(&self) -> (u32, u32) {
        (self.config.width, self.config.height)
    }

    /// Who draws the world.
    pub(super) fn artist_name(&self) -> String {
        match self.artist {
            Artist::Gpu(_) => self.gpu.name(),
            Artist::Cpu(_) => "drawn by the processor".into(),
        }
    }

    /// Hands an event to the panels; true when it was meant for them.
    pub(super) fn on_event(&mut self, event: &WindowEvent) -> bool {
        let response = self.egui.on_window_event(&self.window, event);
        let context = self.egui.egui_ctx();
        response.consumed
            || (matches!(event, WindowEvent::MouseInput { .. } | WindowEvent::MouseWheel { .. })
                && context.is_pointer_over_egui())
    }

    /// A place on the window in points, as panels count.
    pub(super) fn points(&self, at: PhysicalPosition<f64>) -> egui::Pos2 {
        let scale = self.egui.egui_ctx().pixels_per_point();
        egui::Pos2::new(at.x as f32 / scale, at.y as f32 / scale)
    }

    /// The whole window in points.
    pub(super) fn whole(&self) -> egui::Rect {
        self.egui.egui_ctx().viewport_rect()
    }

    /// Whether a panel lies there.
    pub(super) fn is_panel_at(&self, at: egui::Pos2) -> bool {
        self.egui.egui_ctx().layer_id_at(at).is_some_and(|layer| layer.order != egui::Order::Background)
    }

    /// Whether keys are letters of a text.
    pub(super) fn is_writing(&self) -> bool {
        self.egui.egui_ctx().text_edit_focused()
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        if width == 0 || height == 0 {
            return;
        }
        let limit = self.gpu.device.limits().max_texture_dimension_2d;
        (self.config.width, self.config.height) = (width.min(limit), height.min(limit));
        self.surface.configure(&self.gpu.device, &self.config);
    }

    /// Puts a text where other programs find it.
    pub(super) fn copy(&mut self, text: String) {
        self.clipboard.set(&text);
        self.egui.set_clipboard_text(text);
    }

    /// Draws the world and the panels, and shows them.
    pub(super) fn draw(
        &mut self,
        explorer: &mut Explorer,
        panels: &mut Panels,
        wanted: &Wanted<'_>,
    ) -> Result<()> {
        self.draw_world(explorer);
        if !wanted.pictures.is_empty() {
            self.picture.write_to(&self.gpu, &wanted.pictures)?;
        }
        let input = self.egui.take_egui_input(&self.window);
        let context = self.egui.egui_ctx().clone();
        let mut output = context.run_pass(input, |context| panels.show(context, explorer));
        self.egui.handle_platform_output(&self.window, output.platform_output);
        let jobs = context.tessellate(output.shapes, output.pixels_per_point);
        let freed = std::mem::take(&mut output.textures_delta.free);
        for (id, deltas) in output.textures_delta.set.drain() {
            for delta in &deltas {
                self.painter.update_texture(&self.gpu.device, &self.gpu.queue, id, delta);
            }
        }
        let screen = ScreenDescriptor {
            size_in_pixels: [self.config.width, self.config.height],
            pixels_per_point: output.pixels_per_point,
        };
        if !wanted.windows.is_empty() {
            let size = self.size();
            if self.copy.as_ref().is_none_or(|copy| copy.size != size) {
                self.copy = Some(Canvas::new(&self.gpu, self.config.format, size));
            }
            if let Some(copy) = self.copy.take() {
                self.paint(&copy.view, true, &jobs, &screen);
                copy.write_to(&self.gpu, &wanted.windows)?;
                self.copy = Some(copy);
            }
        }
        self.present(&jobs, &screen)?;
        for id in &freed {
            self.painter.free_texture(id);
        }
        match self.gpu.take_failure() {
            Some(error) => Err(error.into()),
            None => Ok(()),
        }
    }

    fn present(&mut self, jobs: &[egui::ClippedPrimitive], screen: &ScreenDescriptor) -> Result<()> {
        use wgpu::CurrentSurfaceTexture as Current;
        let texture = match self.surface.get_current_texture() {
            Current::Success(texture) | Current::Suboptimal(texture) => texture,
            Current::Outdated | Current::Lost => {
                self.surface.configure(&self.gpu.device, &self.config);
                return Ok(());
            }
            Current::Timeout | Current::Occluded => {
                // Nobody sees the window now.
                platform::rest(UNSEEN);
                return Ok(());
            }
            Current::Validation => return Err(anyhow!("the window's surface cannot be drawn on")),
        };
        let view = texture.texture.create_view(&wgpu::TextureViewDescriptor::default());
        let is_there =
            self.enlarger.as_ref().is_some_and(|picture| picture.write(&self.gpu.queue, &texture.texture));
        self.paint(&view, !is_there, jobs, screen);
        self.window.pre_present_notify();
        self.gpu.queue.present(texture);
        Ok(())
    }

    /// Draws the panels on something, and under them the picture unless it is there already.
    fn paint(
        &mut self,
        view: &wgpu::TextureView,
        with_picture: bool,
        jobs: &[egui::ClippedPrimitive],
        screen: &ScreenDescriptor,
    ) {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let mut commands = self.painter.update_buffers(device, queue, &mut encoder, jobs, screen);
        if with_picture {
            self.blitter.copy(device, &mut encoder, &self.picture.view, view);
        }
        let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("panels"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
            })],
            ..wgpu::RenderPassDescriptor::default()
        });
        self.painter.render(&mut pass.forget_lifetime(), jobs, screen);
        commands.push(encoder.finish());
        queue.submit(commands);
    }

    fn draw_world(&mut self, explorer: &mut Explorer) {
        let whole = self.size();
        let size = self.artist.picture_size(whole);
        if self.picture.size != size {
            self.picture = Canvas::new(&self.gpu, PICTURE, size);
        }
        if !explorer.plan_frame(size.0, size.1) {
            return;
        }
        let (list, assets) = (explorer.draw_list(), &explorer.view.studio.assets);
        match &mut self.artist {
            Artist::Gpu(renderer) => renderer.draw(&self.gpu, &list, assets, &self.picture.view, size),
            Artist::Cpu(painter) => {
                let rgba = painter.draw(&list, assets, size);
                self.picture.write(&self.gpu, rgba);
                if let Some(enlarger) = &mut self.enlarger {
                    enlarger.enlarge(rgba, size, whole);
                }
            }
        }
    }
}

/// Brings pixels of a surface's format into the order of pictures.
fn to_rgba(format: wgpu::TextureFormat, pixels: &mut [u8]) {
    let swapped = matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Bgra8UnormSrgb);
    for pixel in pixels.chunks_exact_mut(4) {
        if swapped {
            pixel.swap(0, 2);
        }
        pixel[3] = 255;
    }
}
