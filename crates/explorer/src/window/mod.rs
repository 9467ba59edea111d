//! The window: events in, pictures out. Everything that happens, happens in the [`Explorer`].

mod artist;
mod panels;
mod screen;

use crate::{
    explorer::{Explorer, Request, write_png},
    session::Session,
};
use anyhow::{Context, Result, anyhow, bail};
use panels::Panels;
use screen::Screen;
use std::{
    fs::File,
    io::{LineWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use winit::{
    application::ApplicationHandler,
    dpi::{PhysicalPosition, PhysicalSize},
    event::{DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, WindowEvent},
    event_loop::{ActiveEventLoop, ControlFlow, EventLoop},
    keyboard::PhysicalKey,
    window::{CursorGrabMode, Window, WindowId},
};

/// What to do instead when there is no display.
const INSTEAD: &str = "use `threshold tour` or `threshold render` for pictures without one, \
     `threshold-explorer --script FILE --headless` for a scripted walk, or install xvfb and run `xvfb-run threshold-explorer`";
/// Pixels that the mouse may move between press and release of a click.
const CLICK_SLACK: f32 = 4.0;
/// Pixels of a touchpad that are one step of a wheel.
const WHEEL_PIXELS: f64 = 40.0;

/// Says what is missing when there is no display.
pub fn check_display() -> Result<()> {
    let has = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if cfg!(all(unix, not(target_os = "macos"))) && !has("DISPLAY") {
        bail!("there is no display (DISPLAY is not set): {INSTEAD}");
    }
    Ok(())
}

/// Opens the window and runs until it is closed. Settings are written to their path at the end, the time of each frame
/// to its own as it goes.
pub fn run(explorer: Explorer, settings: Option<PathBuf>, frame_times: Option<&Path>) -> Result<()> {
    let table = frame_times.map(FrameTable::create).transpose()?;
    let events = EventLoop::new().map_err(|error| anyhow!("there is no display ({error}): {INSTEAD}"))?;
    events.set_control_flow(ControlFlow::Poll);
    let mut app = App {
        explorer,
        panels: Panels::new(),
        screen: None,
        last: Instant::now(),
        looking: false,
        held_at: None,
        pressed_at: None,
        mouse: glam::Vec2::ZERO,
        wheel: 0.0,
        table,
        error: None,
    };
    events.run_app(&mut app).context("the window")?;
    if let Some(error) = app.error {
        return Err(error);
    }
    app.explorer.session.stop_recording()?;
    if let Some(path) = settings {
        app.explorer.settings.first_person = app.explorer.session.eye().is_first_person();
        app.explorer.settings.save(&path)?;
    }
    Ok(())
}

struct App {
    explorer: Explorer,
    panels: Panels,
    screen: Option<Screen>,
    last: Instant,
    /// The right button is held: the mouse looks around.
    looking: bool,
    /// Where the pointer is to stay meanwhile, when the system does not hold it.
    held_at: Option<glam::Vec2>,
    pressed_at: Option<glam::Vec2>,
    mouse: glam::Vec2,
    wheel: f64,
    table: Option<FrameTable>,
    error: Option<anyhow::Error>,
}

/// How long each frame took, for those who look for hitches.
struct FrameTable {
    file: LineWriter<File>,
    path: PathBuf,
    start: Instant,
}

impl FrameTable {
    fn create(path: &Path) -> Result<FrameTable> {
        let context = || path.display().to_string();
        let mut file = LineWriter::new(File::create(path).with_context(context)?);
        writeln!(file, "second,frame_ms,cell,loading").with_context(context)?;
        Ok(FrameTable { file, path: path.to_owned(), start: Instant::now() })
    }

    fn note(&mut self, seconds: f64, session: &Session) -> Result<()> {
        let (now, ms) = (self.start.elapsed().as_secs_f64(), seconds * 1000.0);
        let loading = session.loading().unwrap_or_default();
        writeln!(self.file, "{now:.3},{ms:.2},{},{loading}", session.position().cell)
            .with_context(|| self.path.display().to_string())
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.screen.is_none()
            && let Err(error) = self.open(events)
        {
            self.fail(events, error);
        }
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let taken = screen.on_event(&event);
        match event {
            WindowEvent::CloseRequested => events.exit(),
            WindowEvent::Resized(size) => screen.resize(size.width, size.height),
            WindowEvent::RedrawRequested => {
                if let Err(error) = self.frame(events) {
                    self.fail(events, error);
                }
            }
            WindowEvent::Focused(false) => {
                self.explorer.held.clear();
                self.look_around(false);
            }
            WindowEvent::KeyboardInput { event, .. } => {
                let writing = screen.is_writing();
                let PhysicalKey::Code(code) = event.physical_key else { return };
                let Some(action) = self.explorer.settings.action(&format!("{code:?}")) else { return };
                let down = event.state == ElementState::Pressed && !writing;
                if !self.explorer.is_scripted() && (!event.repeat || !down) {
                    self.explorer.key(action, down);
                }
            }
            WindowEvent::CursorMoved { position, .. } => {
                self.mouse = glam::Vec2::new(position.x as f32, position.y as f32);
            }
            WindowEvent::MouseInput { button: MouseButton::Right, state, .. } => {
                let down = state == ElementState::Pressed;
                if !down || !taken {
                    self.look_around(down);
                }
            }
            WindowEvent::MouseInput { button: MouseButton::Left, state, .. } if !taken => {
                match (state, self.pressed_at.take()) {
                    (ElementState::Pressed, _) => self.pressed_at = Some(self.mouse),
                    (ElementState::Released, Some(at)) if at.distance(self.mouse) <= CLICK_SLACK => {
                        self.click()
                    }
                    _ => {}
                }
            }
            WindowEvent::MouseWheel { delta, .. } if !taken => {
                self.wheel += match delta {
                    MouseScrollDelta::LineDelta(_, lines) => f64::from(lines),
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y / WHEEL_PIXELS,
                };
                let steps = self.wheel.trunc();
                self.wheel -= steps;
                self.explorer.session.eye_mut().zoom(steps as i32);
            }
            _ => {}
        }
    }

    fn device_event(&mut self, _: &ActiveEventLoop, _: DeviceId, event: DeviceEvent) {
        if let DeviceEvent::MouseMotion { delta: (x, y) } = event
            && self.looking
        {
            let settings = &self.explorer.settings;
            let up = if settings.invert_mouse { y } else { -y };
            let speed = settings.mouse_speed;
            self.explorer.session.look(x as f32 * speed, up as f32 * speed);
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            screen.window().request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            let size = screen.window().inner_size();
            if !self.explorer.is_scripted() && size.width >= 320 && size.height >= 320 {
                self.explorer.settings.window = [size.width, size.height];
            }
        }
        // The surface goes before the window and the connection it belongs to.
        self.screen = None;
    }
}

impl App {
    fn open(&mut self, events: &ActiveEventLoop) -> Result<()> {
        let [width, height] = self.explorer.settings.window;
        let attributes = Window::default_attributes()
            .with_title("Threshold")
            .with_resizable(!self.explorer.is_scripted())
            .with_inner_size(PhysicalSize::new(width, height));
        let window = Arc::new(events.create_window(attributes).context("a window cannot be opened")?);
        let screen = Screen::new(window, &self.explorer)?;
        self.panels.artist = screen.artist_name();
        self.screen = Some(screen);
        self.last = Instant::now();
        Ok(())
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        self.error.get_or_insert(error);
        events.exit();
    }

    fn frame(&mut self, events: &ActiveEventLoop) -> Result<()> {
        self.hold_pointer();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.panels.frames.note(seconds as f32);
        if let Some(table) = &mut self.table {
            table.note(seconds, &self.explorer.session)?;
        }
        self.explorer.advance(seconds)?;
        let requests = self.explorer.take_requests();
        let picture = requests.iter().any(|request| matches!(request, Request::Picture(_)));
        let shot = requests.iter().any(|request| matches!(request, Request::Screenshot(_)));
        let frame = screen.draw(&mut self.explorer, &mut self.panels, picture, shot)?;
        if let Some(text) = self.panels.copied.take() {
            self.explorer.say(format!("copied: {text}"));
            screen.copy(text);
        }
        for request in requests {
            match request {
                Request::Picture(path) => {
                    let (width, height, rgba) = frame.picture.as_ref().context("no picture was drawn")?;
                    write_png(&path, (*width, *height), rgba)?;
                }
                Request::Screenshot(path) => {
                    let (width, height, rgba) = frame.window.as_ref().context("no picture was drawn")?;
                    write_png(&path, (*width, *height), rgba)?;
                }
                Request::State(path) => self.explorer.write_state(&path)?,
                Request::AskPlace => self.panels.ask_place(),
                Request::LetGo => self.let_go(events),
                Request::Quit => events.exit(),
            }
        }
        Ok(())
    }

    /// Closes what lies over the picture; when there is nothing, leaves.
    fn let_go(&mut self, events: &ActiveEventLoop) {
        if self.panels.asks_place {
            self.panels.asks_place = false;
        } else if self.explorer.settings.show.help {
            self.explorer.settings.show.help = false;
        } else {
            events.exit();
        }
    }

    fn look_around(&mut self, looking: bool) {
        let Some(screen) = &self.screen else { return };
        self.looking = looking;
        let window = screen.window();
        window.set_cursor_visible(!looking);
        let mode = if looking { CursorGrabMode::Locked } else { CursorGrabMode::None };
        let is_locked = window.set_cursor_grab(mode).is_ok();
        self.held_at = (looking && !is_locked).then_some(self.mouse);
    }

    /// Where the pointer cannot be locked, it is put back in every frame. Confining it to the window instead would have
    /// X report every motion twice.
    fn hold_pointer(&self) {
        if let (Some(at), Some(screen)) = (self.held_at, &self.screen) {
            // A pointer that cannot be moved either moves along, which is no harm.
            let _ = screen.window().set_cursor_position(PhysicalPosition::new(at.x, at.y));
        }
    }

    fn click(&mut self) {
        let Some(screen) = &self.screen else { return };
        let (width, height) = screen.size();
        if let Some(lens) = self.explorer.lens(width, height) {
            self.explorer.point_at(self.mouse, lens);
            self.explorer.click();
        }
    }
}

/// Names of keys are those of the settings.
#[cfg(test)]
mod tests {
    use crate::input::Action;
    use winit::keyboard::KeyCode;

    #[test]
    fn keys_of_the_window_have_the_names_of_the_settings() {
        let settings = crate::settings::Settings::default();
        for (code, action) in [
            (KeyCode::KeyW, Action::Forward),
            (KeyCode::Space, Action::Jump),
            (KeyCode::F1, Action::Help),
            (KeyCode::ArrowLeft, Action::TurnLeft),
            (KeyCode::ShiftLeft, Action::Gait),
            (KeyCode::Escape, Action::Quit),
            (KeyCode::Equal, Action::ZoomIn),
            (KeyCode::Period, Action::Step),
        ] {
            assert_eq!(settings.action(&format!("{code:?}")), Some(action));
        }
    }
}
