//! Everything behind the window: session and look, driven by keys, mouse or a script.

use crate::{
    data::Data,
    input::{Action, Held, key_name},
    inspect::Report,
    overlay, platform,
    script::{Command, Script},
    session::{Options, SPEEDS, Session},
    session_view::SessionView,
    settings::{Bookmark, Settings},
};
use anyhow::{Context, Result, ensure};
use glam::Vec2;
use std::{
    borrow::Cow,
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};
use threshold_dat::parse_hex;
use threshold_render::{
    cpu::CpuRenderer,
    draw::DrawList,
    overlay::{paint, write},
    picture::encode_rgba,
};
use threshold_sim::{Hit, Skills, TICKS_PER_SECOND, Target};
use threshold_view::{Lens, Projection};
use threshold_world::loc::Place as Spot;

/// Seconds of a frame while a script runs, whatever the machine: the same script gives the same pictures.
pub const SCRIPT_FRAME: f64 = 1.0 / 60.0;
/// How near things must be to be used by pointing at them.
const REACH: f32 = 6.0;

/// Something that only the window can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Write a picture of the window.
    Screenshot(PathBuf),
    /// Write a picture of the world alone.
    Picture(PathBuf),
    /// Write what the inspector shows, as of this frame.
    State(PathBuf),
    /// Put the cursor into the line for places.
    AskPlace,
    /// Close what is open; when nothing is, ask whether to leave.
    LetGo,
    /// Leave.
    Quit,
}

/// The explorer without its window.
pub struct Explorer {
    /// What happens.
    pub session: Session,
    /// How it looks.
    pub view: SessionView,
    /// Keys that are down.
    pub held: Held,
    /// What is remembered.
    pub settings: Settings,
    /// What was pointed at last.
    pub picked: Option<Hit>,
    /// Draws of the frame that are shown; `None` is all of them.
    pub draws_shown: Option<usize>,
    script: Option<Script>,
    seconds: f64,
    requests: Vec<Request>,
    sky_set: Option<(f32, bool)>,
}

impl Explorer {
    /// A player at a place, or at the world's own starting point.
    pub fn new(
        data: Arc<Data>,
        at: Option<Spot>,
        settings: Settings,
        script: Option<Script>,
    ) -> Result<Explorer> {
        let skills = Skills { run: settings.run, jump: settings.jump, burden: 0.0 };
        let options = Options { stream: platform::streaming(script.is_some()), skills };
        let mut session = Session::new(data, at, options)?;
        if settings.first_person {
            session.eye_mut().enter_head();
        }
        Ok(Explorer::of(session, settings, script))
    }

    /// A recorded session, a capture file with a name, watched by a spectator.
    pub fn film(
        data: Arc<Data>,
        name: &str,
        file: impl Read,
        settings: Settings,
        script: Option<Script>,
    ) -> Result<Explorer> {
        let session = Session::film(data, name, file)?;
        Ok(Explorer::of(session, settings, script))
    }

    fn of(mut session: Session, settings: Settings, script: Option<Script>) -> Explorer {
        let view = SessionView::new(session.data().library.clone());
        if let Some(reminder) = settings.reminder().filter(|_| script.is_none()) {
            session.note(reminder);
        }
        Explorer {
            session,
            view,
            held: Held::default(),
            settings,
            picked: None,
            draws_shown: None,
            script,
            seconds: 0.0,
            requests: Vec::new(),
            sky_set: None,
        }
    }

    /// The script is over: keys drive it.
    pub fn end_script(&mut self) {
        self.script = None;
        self.held.clear();
    }

    /// Whether a script drives it.
    pub fn is_scripted(&self) -> bool {
        self.script.is_some()
    }

    /// A key goes down or up.
    pub fn key(&mut self, action: Action, down: bool) {
        self.held.set(action, down && action.is_held());
        if down && let Err(error) = self.act(action) {
            self.say(format!("{error:#}"));
        }
    }

    /// Says something in the journal.
    pub fn say(&mut self, text: String) {
        self.session.note(text);
    }

    fn act(&mut self, action: Action) -> Result<()> {
        let show = &mut self.settings.show;
        let session = &mut self.session;
        match action {
            Action::Use => return self.use_pointed(),
            Action::RunLock => {
                let runs = !session.runs();
                session.set_runs(runs);
                session.note(if runs { "running" } else { "walking" });
            }
            Action::ZoomIn => session.eye_mut().zoom(1),
            Action::ZoomOut => session.eye_mut().zoom(-1),
            Action::FirstPerson => {
                if session.eye().is_first_person() {
                    session.eye_mut().leave_head();
                } else {
                    session.eye_mut().enter_head();
                }
            }
            Action::Fly => session.eye_mut().toggle_flight(),
            Action::Walls => {
                let ignores = !session.eye().ignores_walls;
                session.eye_mut().ignores_walls = ignores;
                session.note(if ignores {
                    "the camera passes through walls"
                } else {
                    "walls stop the camera"
                });
            }
            Action::Pause => session.set_paused(!session.is_paused()),
            Action::Step => {
                session.set_paused(true);
                session.tick()?;
            }
            Action::Rewind => session.rewind(session.ticks_back() + 1)?,
            Action::Record => return self.toggle_recording(),
            Action::Inspector => show.inspector = !show.inspector,
            Action::View => show.view = !show.view,
            Action::Journal => show.journal = !show.journal,
            Action::Overlays => show.overlays = !show.overlays,
            Action::Help => show.help = !show.help,
            Action::Map => show.map = !show.map,
            Action::Teleport => self.requests.push(Request::AskPlace),
            Action::Bookmark => self.bookmark(""),
            Action::Screenshot => {
                let folder = self.settings.pictures.clone().unwrap_or_else(platform::pictures_folder);
                self.requests.push(Request::Screenshot(platform::free_path(&folder, "threshold", "png")?));
            }
            Action::Quit => self.requests.push(Request::LetGo),
            _ => {}
        }
        Ok(())
    }

    /// Begins or ends a capture file in the current folder.
    pub fn toggle_recording(&mut self) -> Result<()> {
        if self.session.recorder().is_some() {
            self.session.stop_recording().map(|_| ())
        } else {
            self.session.start_recording(&platform::free_path(Path::new(""), "capture", "jsonl")?)
        }
    }

    /// Remembers where the player is, under a name or a number.
    pub fn bookmark(&mut self, name: &str) {
        let loc = self.session.position().to_string();
        let name = &self.settings.add_bookmark(name, loc).name;
        let text = format!("bookmarked as {name}");
        self.say(text);
    }

    /// Goes to a bookmark or any other place, at once.
    pub fn go(&mut self, place: &str) -> Result<()> {
        match self.settings.bookmark(place) {
            Some(Bookmark { name, loc }) => self.session.travel(self.session.data().find(loc)?, name),
            None => self.session.go(place),
        }
    }

    /// Walks to a bookmark or any other place.
    pub fn walk(&mut self, place: &str) -> Result<()> {
        match self.settings.bookmark(place) {
            Some(Bookmark { name, loc }) => self.session.walk_to(self.session.data().find(loc)?, name),
            None => self.session.walk(place),
        }
    }

    /// What hides something or stands still, in words, each with the key that ends it.
    pub fn modes(&self) -> Vec<String> {
        let session = &self.session;
        let key = |action| key_name(self.settings.key(action));
        let mut modes = Vec::new();
        if session.eye().is_flying() {
            modes.push(format!("free camera ({} ends it)", key(Action::Fly)));
        } else if session.eye().is_first_person() {
            modes.push(format!("first person ({} ends it)", key(Action::FirstPerson)));
        }
        if session.eye().ignores_walls {
            modes.push(format!("the camera passes through walls ({} ends it)", key(Action::Walls)));
        }
        if session.is_paused() {
            let back = session.ticks_back() as f64 / TICKS_PER_SECOND as f64;
            modes.push(format!("paused, {back:.1} s back ({} resumes)", key(Action::Pause)));
        }
        let count = self.view.studio.list().items.len();
        if let Some(shown) = self.draws_shown.filter(|&shown| shown < count) {
            modes.push(format!("only {shown} of {count} draws are shown ({} ends it)", key(Action::View)));
        }
        modes
    }

    /// Says that a file was written.
    pub fn say_written(&mut self, path: &Path) {
        if self.script.is_none() {
            self.say(format!("picture: {}", platform::full_path(path).display()));
        }
    }

    /// Uses what was pointed at if it is near, else the door ahead.
    fn use_pointed(&mut self) -> Result<()> {
        let pointed = self.picked.filter(|pick| pick.distance <= REACH).and_then(|pick| match pick.target {
            Target::Entity(key) if self.session.is_door(key) => Some(key),
            _ => None,
        });
        match pointed.or_else(|| self.session.door_ahead()) {
            Some(key) => self.session.use_entity(key),
            None => {
                self.say("there is no door within reach".into());
                Ok(())
            }
        }
    }

    /// Points at a pixel of the picture.
    pub fn point_at(&mut self, pixel: Vec2, lens: Lens) {
        let Some(eye) = self.session.eye().position() else { return };
        let ray = Projection::new(eye, &lens).ray(pixel);
        self.picked = self.session.pick(ray);
    }

    /// Clicks on what was pointed at: doors open and close, other things are described.
    pub fn click(&mut self) {
        if let Some(Hit { target: Target::Entity(key), distance, .. }) = self.picked {
            let is_door = self.session.is_door(key);
            let result = if is_door && distance > REACH {
                self.say(format!("{} is too far away", self.session.name(key)));
                Ok(())
            } else {
                self.session.use_entity(key)
            };
            if let Err(error) = result {
                self.say(format!("{error:#}"));
            }
        }
    }

    /// Lets a frame's time pass. With a script, time is the script's own.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        if !self.settings.show.view {
            // The stepping through a frame ends with the panel that steers it, however that was closed.
            self.draws_shown = None;
        }
        let seconds = if self.script.is_some() { SCRIPT_FRAME } else { seconds };
        self.run_script()?;
        let sky = (self.settings.time, self.settings.weather);
        if self.sky_set != Some(sky) {
            self.view.set_time(sky.0);
            self.view.set_weather(sky.1);
            self.sky_set = Some(sky);
        }
        if self.held.has(Action::Rewind) {
            self.session.rewind(self.session.ticks_back() + 1)?;
        }
        self.held.apply(&mut self.session);
        self.session.advance(seconds)?;
        if self.settings.show.mesh {
            self.session.survey_ground(overlay::REACH)?;
        }
        self.view.update(&self.session, seconds);
        self.seconds += seconds;
        Ok(())
    }

    fn run_script(&mut self) -> Result<()> {
        while let Some(command) = self.script.as_mut().and_then(|script| script.next_due(self.seconds)) {
            match command {
                Command::Down(action) => self.key(action, true),
                Command::Up(action) => self.key(action, false),
                Command::Tap(action) => {
                    self.key(action, true);
                    self.key(action, false);
                }
                Command::Look { right, up } => self.session.look(right, up),
                Command::Zoom(steps) => self.session.eye_mut().zoom(steps),
                Command::Go(place) => self.go(&place)?,
                Command::Walk(place) => self.walk(&place)?,
                Command::Seek(seconds) => {
                    self.session.seek((seconds * TICKS_PER_SECOND as f32) as u64)?;
                }
                Command::Follow(name) => self.follow(&name)?,
                Command::Speed(speed) => {
                    if let Some(film) = self.session.playing_mut() {
                        film.speed = f64::from(speed).clamp(*SPEEDS.start(), *SPEEDS.end());
                    }
                }
                Command::Eye(position) => self.session.eye_mut().fly_to(position),
                Command::Time(part) => self.settings.time = part,
                Command::Show(overlay) => {
                    let flag = self.settings.show.overlay_mut(overlay);
                    *flag = !*flag;
                }
                Command::Screenshot(path) => self.requests.push(Request::Screenshot(path)),
                Command::Picture(path) => self.requests.push(Request::Picture(path)),
                Command::State(path) => self.requests.push(Request::State(path)),
                Command::Quit => self.requests.push(Request::Quit),
            }
        }
        if self.script.as_ref().is_some_and(Script::is_done) && !self.requests.contains(&Request::Quit) {
            self.requests.push(Request::Quit);
        }
        Ok(())
    }

    /// Follows the object of a film with a name or a game id; an empty name is the own player.
    pub fn follow(&mut self, name: &str) -> Result<()> {
        let by_id = parse_hex(name).ok().filter(|_| name.starts_with("0x"));
        let sim = self.session.sim();
        let named = sim.all_described().find(|(_, object)| object.game.name.eq_ignore_ascii_case(name));
        let found = by_id.or(named.map(|(guid, _)| guid)).filter(|_| !name.is_empty());
        ensure!(found.is_some() || name.is_empty(), "`{name}` is not in the session at this moment");
        self.session.follow(found)
    }

    /// The lens of a picture.
    pub fn lens(&self, width: u32, height: u32) -> Option<Lens> {
        Lens::new(self.settings.fov.to_radians(), width, height)
    }

    /// Plans a frame and makes its draw list. False while there is no eye.
    pub fn plan_frame(&mut self, width: u32, height: u32) -> bool {
        self.lens(width, height).is_some_and(|lens| self.view.frame(&self.session, lens).is_some())
    }

    /// The last draw list, cut off where the stepping through it stands.
    pub fn draw_list(&self) -> Cow<'_, DrawList> {
        let list = self.view.studio.list();
        match self.draws_shown.filter(|&shown| shown < list.items.len()) {
            None => Cow::Borrowed(list),
            Some(shown) => {
                let mut cut = list.clone();
                cut.items.truncate(shown);
                Cow::Owned(cut)
            }
        }
    }

    /// What only the window can do, in order.
    pub fn take_requests(&mut self) -> Vec<Request> {
        std::mem::take(&mut self.requests)
    }

    /// Writes what the inspector shows.
    pub fn write_state(&self, path: &Path) -> Result<()> {
        let report = Report::new(&self.session, &self.view);
        let text = serde_json::to_string_pretty(&report)?;
        platform::write_file(path, text + "\n")
    }

    /// Draws overlays over the pixels of the last frame, as the window does.
    fn paint_overlays(&self, renderer: &CpuRenderer, rgba: &mut [u8]) {
        let Some(projection) = &self.view.plan().projection else { return };
        let (lines, labels) = overlay::all(&self.session, &self.view, &self.settings.show, self.picked);
        paint(renderer.picture(), projection, &lines, rgba);
        write(renderer.picture(), projection, &labels, rgba);
    }

    /// Runs a script to its end without a window, drawing its pictures on the CPU.
    pub fn run_headless(&mut self, width: u32, height: u32) -> Result<()> {
        let mut renderer = CpuRenderer::new(width, height);
        let mut rgba = Vec::new();
        loop {
            self.advance(SCRIPT_FRAME)?;
            let requests = self.take_requests();
            if requests.iter().any(|request| !matches!(request, Request::Quit)) {
                if self.plan_frame(width, height) {
                    renderer.draw(&self.draw_list(), &self.view.studio.assets);
                }
                renderer.picture().copy_rgba(&mut rgba);
            }
            for request in requests {
                match request {
                    Request::Screenshot(path) => {
                        let mut rgba = rgba.clone();
                        self.paint_overlays(&renderer, &mut rgba);
                        write_png(&path, (width, height), &rgba)?;
                    }
                    Request::Picture(path) => write_png(&path, (width, height), &rgba)?,
                    Request::State(path) => self.write_state(&path)?,
                    Request::Quit => return Ok(()),
                    Request::AskPlace | Request::LetGo => {}
                }
            }
        }
    }
}

/// Writes a picture, rows of RGBA bytes from top to bottom.
pub fn write_png(path: &Path, size: (u32, u32), rgba: &[u8]) -> Result<()> {
    let png = encode_rgba(size, rgba).with_context(|| path.display().to_string())?;
    platform::write_file(path, png)
}
