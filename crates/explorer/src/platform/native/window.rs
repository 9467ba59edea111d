//! What a window may do on a desktop.

use crate::explorer::Explorer;
use anyhow::{Context, Result, bail};
use std::{env, future::Future, thread, time::Duration};
use threshold_render::gpu::wgpu;
use winit::{
    application::ApplicationHandler,
    event_loop::{ControlFlow, EventLoop},
    window::{Window, WindowAttributes},
};

/// What to do instead when there is no display.
pub const NO_DISPLAY: &str = "use `threshold tour` or `threshold render` for pictures without one, \
     `threshold-explorer --script FILE --headless` for a scripted walk, or install xvfb and run `xvfb-run threshold-explorer`";
/// What to do when there is no driver.
pub const NO_DRIVER: &str = "no graphics driver can draw on the window; install one (on Debian and Ubuntu: \
     mesa-vulkan-drivers, which also draws without a graphics card), or use `threshold render` and `threshold tour`, \
     which need none";
/// When the next picture is drawn.
pub const CONTROL_FLOW: ControlFlow = ControlFlow::Poll;
/// Whether a window can be left: for the desktop.
pub const CAN_LEAVE: bool = true;

/// Time that a picture may take when the processor draws sixty of them a second.
pub const FRAME_TIME: Duration = Duration::from_millis(10);

/// Pictures that the processor draws begin fine.
pub const BEGINS_COARSE: bool = false;

/// Time that the last frame took: frames wait for the display, so that only pictures count.
pub fn last_frame() -> Duration {
    Duration::ZERO
}

/// Says what is missing when there is no display.
pub(super) fn check_display() -> Result<()> {
    let has = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(all(unix, not(target_os = "macos"))) && !has("DISPLAY") {
        bail!("there is no display (DISPLAY is not set): {NO_DISPLAY}");
    }
    Ok(())
}

/// Runs until the window is closed, and gives back what ran.
pub fn run_app<A: ApplicationHandler + 'static>(events: EventLoop<()>, mut app: A) -> Result<Option<A>> {
    events.run_app(&mut app).context("the window")?;
    Ok(Some(app))
}

/// Has something done that may have to wait.
pub fn spawn(work: impl Future<Output = ()> + 'static) {
    pollster::block_on(work);
}

/// Does something as soon as the contents of a buffer can be read.
pub fn when_mapped(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    read: impl FnOnce() -> Result<()>,
) -> Result<()> {
    buffer.slice(..).map_async(wgpu::MapMode::Read, |_| {});
    device.poll(wgpu::PollType::wait_indefinitely()).context("the graphics driver")?;
    read()
}

/// Waits for a while.
pub fn rest(time: Duration) {
    thread::sleep(time);
}

/// Where the window is to be.
pub fn place_window(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}

/// The window is ready.
pub fn show_window(_: &Window) {}

/// A frame begins.
pub fn begin_frame(_: bool) {}

/// A frame is over. True when it was the last one of its world, and another has taken its place.
pub fn end_frame(_: &mut Explorer) -> bool {
    false
}

/// An address that leads to a place, where there are such.
pub fn link_to(_: &str) -> Option<String> {
    None
}

/// Something went wrong that ends the program; who started it is told.
pub fn fail(_: &anyhow::Error) {}

/// Where other programs find a text.
#[derive(Default)]
pub struct Clipboard(Option<arboard::Clipboard>);

impl Clipboard {
    /// Puts a text there. A clipboard that refuses is no reason to stop.
    pub fn set(&mut self, text: &str) {
        if self.0.is_none() {
            self.0 = arboard::Clipboard::new().ok();
        }
        if let Some(clipboard) = &mut self.0 {
            let _ = clipboard.set_text(text);
        }
    }
}
