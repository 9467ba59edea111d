//! The window: events in, pictures out. Everything that happens, happens in the [`Explorer`].

mod artist;
mod enlarge;
mod frame_times;
mod panels;
mod screen;
mod touch;

use crate::{
    explorer::{Explorer, Request},
    platform::{self, Instant},
    settings::Settings,
};
use anyhow::{Context, Result, anyhow};
pub use frame_times::FrameTimes;
use panels::Panels;
use screen::{Screen, Wanted};
use std::{
    cell::RefCell,
    io::{Write, stdout},
    path::PathBuf,
    rc::Rc,
    sync::Arc,
};
use touch::Touched;
use winit::{
    application::ApplicationHandler,
    dpi::{PhysicalPosition, PhysicalSize},
    event::{DeviceEvent, DeviceId, ElementState, MouseButton, MouseScrollDelta, TouchPhase, WindowEvent},
    event_loop::{ActiveEventLoop, EventLoop},
    keyboard::PhysicalKey,
    window::{CursorGrabMode, Window, WindowId},
};

/// Pixels that the mouse may move between press and release of a click.
const CLICK_SLACK: f32 = 4.0;
/// Pixels of a touchpad that are one step of a wheel.
const WHEEL_PIXELS: f64 = 40.0;

/// Seconds between two looks at whether settings have changed.
const SETTINGS_TIME: f64 = 1.0;

/// Opens the window and runs until it is closed. Settings are written to their path as they change. Frame times are
/// summed up at the end.
pub fn run(explorer: Explorer, settings: Option<PathBuf>, frame_times: Option<FrameTimes>) -> Result<()> {
    let instead = platform::NO_DISPLAY;
    let events = EventLoop::new().map_err(|error| anyhow!("there is no display ({error}): {instead}"))?;
    events.set_control_flow(platform::CONTROL_FLOW);
    let app = App {
        kept: Kept { settings: explorer.settings.clone(), path: settings, since: 0.0 },
        explorer,
        panels: Panels::new(),
        screen: None,
        opening: Rc::default(),
        last: Instant::now(),
        looking: false,
        held_at: None,
        pressed_at: None,
        mouse: glam::Vec2::ZERO,
        wheel: 0.0,
        frame_times,
        error: None,
    };
    let Some(app) = platform::run_app(events, app)? else { return Ok(()) };
    if let Some(times) = &app.frame_times {
        writeln!(stdout(), "{}", times.summary())?;
    }
    app.error.map_or(Ok(()), Err)
}

/// Settings as they were written last.
struct Kept {
    settings: Settings,
    path: Option<PathBuf>,
    /// Seconds ago.
    since: f64,
}

impl Kept {
    /// Writes settings if they are others now.
    fn keep(&mut self, settings: &Settings) -> Result<()> {
        self.since = 0.0;
        match &self.path {
            Some(path) if self.settings != *settings => {
                self.settings = settings.clone();
                settings.save(path)
            }
            _ => Ok(()),
        }
    }
}

struct App {
    explorer: Explorer,
    panels: Panels,
    screen: Option<Screen>,
    /// Where the screen arrives: some systems take their time.
    opening: Rc<RefCell<Option<Result<Screen>>>>,
    kept: Kept,
    last: Instant,
    /// The right button is held: the mouse looks around.
    looking: bool,
    /// Where the pointer is to stay meanwhile, when the system does not hold it.
    held_at: Option<glam::Vec2>,
    pressed_at: Option<glam::Vec2>,
    mouse: glam::Vec2,
    wheel: f64,
    frame_times: Option<FrameTimes>,
    error: Option<anyhow::Error>,
}

impl ApplicationHandler for App {
    fn resumed(&mut self, events: &ActiveEventLoop) {
        if self.screen.is_none()
            && let Err(error) = self.open(events)
        {
            self.fail(events, error);
        }
        self.take_screen(events);
    }

    fn window_event(&mut self, events: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        self.take_screen(events);
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
                self.panels.touch.clear();
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
            WindowEvent::Touch(touch) => {
                let at = screen.points(touch.location);
                match touch.phase {
                    TouchPhase::Started if !screen.is_panel_at(at) => {
                        let whole = screen.whole();
                        self.panels.touch.start(touch.id, at, whole);
                    }
                    TouchPhase::Started => {}
                    TouchPhase::Moved => {
                        let egui::Vec2 { x, y } = self.panels.touch.go(touch.id, at);
                        self.look(x, y);
                    }
                    TouchPhase::Ended => {
                        if let Touched::Tap(_) = self.panels.touch.end(touch.id) {
                            self.mouse = glam::Vec2::new(touch.location.x as f32, touch.location.y as f32);
                            self.click();
                        }
                    }
                    TouchPhase::Cancelled => {
                        self.panels.touch.end(touch.id);
                    }
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
            self.look(x as f32, y as f32);
        }
    }

    fn about_to_wait(&mut self, _: &ActiveEventLoop) {
        if let Some(screen) = &self.screen {
            screen.window().request_redraw();
        }
    }

    fn exiting(&mut self, _: &ActiveEventLoop) {
        let ended = self.explorer.session.stop_recording().map(|_| ());
        if let Some(screen) = &self.screen {
            let size = screen.window().inner_size();
            if !self.explorer.is_scripted() && size.width >= 320 && size.height >= 320 {
                self.explorer.settings.window = [size.width, size.height];
            }
        }
        self.explorer.settings.first_person = self.explorer.session.eye().is_first_person();
        let kept = self.kept.keep(&self.explorer.settings);
        if let Err(error) = ended.and(kept) {
            self.error.get_or_insert(error);
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
        let attributes = platform::place_window(attributes);
        let window = Arc::new(events.create_window(attributes).context("a window cannot be opened")?);
        let (settings, scripted) = (self.explorer.settings.clone(), self.explorer.is_scripted());
        let opening = self.opening.clone();
        platform::spawn(async move {
            let screen = Screen::new(window.clone(), settings, scripted).await;
            opening.replace(Some(screen));
            window.request_redraw();
        });
        Ok(())
    }

    /// Takes over the screen when it has arrived.
    fn take_screen(&mut self, events: &ActiveEventLoop) {
        match self.opening.take() {
            Some(Ok(screen)) => {
                self.panels.artist = screen.artist_name();
                platform::show_window(screen.window());
                self.screen = Some(screen);
                self.last = Instant::now();
            }
            Some(Err(error)) => self.fail(events, error),
            None => {}
        }
    }

    fn fail(&mut self, events: &ActiveEventLoop, error: anyhow::Error) {
        platform::fail(&error);
        self.error.get_or_insert(error);
        events.exit();
    }

    fn frame(&mut self, events: &ActiveEventLoop) -> Result<()> {
        self.hold_pointer();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        platform::begin_frame(self.explorer.is_scripted());
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        self.panels.frames.note(seconds as f32);
        if let Some(times) = &mut self.frame_times {
            times.note(seconds, &self.explorer.session)?;
        }
        self.kept.since += seconds;
        if self.kept.since > SETTINGS_TIME {
            self.kept.keep(&self.explorer.settings)?;
        }
        self.panels.touch.press(screen.whole(), &mut self.explorer.held);
        self.explorer.advance(seconds)?;
        let requests = self.explorer.take_requests();
        let mut wanted = Wanted::default();
        for request in &requests {
            match request {
                Request::Picture(path) => wanted.pictures.push(path),
                Request::Screenshot(path) => wanted.windows.push(path),
                _ => {}
            }
        }
        self.panels.for_file = !wanted.windows.is_empty();
        screen.draw(&mut self.explorer, &mut self.panels, &wanted)?;
        if let Some(times) = &mut self.frame_times {
            times.note_picture();
        }
        if self.panels.leaves {
            events.exit();
        }
        if let Some(text) = self.panels.copied.take() {
            self.explorer.say(format!("copied: {text}"));
            screen.copy(text);
        }
        for request in requests {
            match request {
                Request::Picture(path) | Request::Screenshot(path) => self.explorer.say_written(&path),
                Request::State(path) => self.explorer.write_state(&path)?,
                Request::AskPlace => self.panels.ask_place(),
                Request::LetGo => self.let_go(),
                Request::Quit if platform::CAN_LEAVE => events.exit(),
                Request::Quit => self.explorer.end_script(),
            }
        }
        if platform::end_frame(&mut self.explorer)
            && let Some(screen) = &mut self.screen
        {
            screen.begin_anew();
            self.panels = Panels::new();
            self.panels.artist = screen.artist_name();
        }
        Ok(())
    }

    /// Closes what lies over the picture, one after the other; when there is nothing, asks whether to leave.
    fn let_go(&mut self) {
        if self.panels.asks_leave {
            self.panels.asks_leave = false;
        } else if self.panels.asks_place {
            self.panels.asks_place = false;
        } else if !self.explorer.settings.show.close_panel() {
            self.panels.asks_leave = platform::CAN_LEAVE;
        }
    }

    /// Looks around as far as the mouse went, to the right and down.
    fn look(&mut self, x: f32, y: f32) {
        let settings = &self.explorer.settings;
        let up = if settings.invert_mouse { y } else { -y };
        let speed = settings.mouse_speed;
        self.explorer.session.look(x * speed, up * speed);
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
