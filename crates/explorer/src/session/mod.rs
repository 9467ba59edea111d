//! A running world with one player in it, as a window needs it: a journal of what happens, time that can be turned back,
//! recordings, and names for what is seen.
//!
//! The world itself is a [`Simulation`]. Nothing in here knows of windows. Input comes as held keys and turns, time as
//! seconds; everything that a window shows is read from here.

mod film;
mod history;
mod journal;
mod record;
mod things;
mod time;
mod travel;

pub use film::{Film, SPEEDS, Shown, above};
pub use history::REMEMBERED;
pub use journal::{Crossing, Entry, Journal};
pub use record::Recorder;

use crate::data::Data;
use anyhow::Result;
use glam::Vec3;
use history::History;
use std::sync::Arc;
use threshold_physics::Scene;
use threshold_scenario::{StepReport, Witness, bystanders};
use threshold_sim::{
    Builder, Controls, EntityKey, Event, Eye, Hit, Player, Position, Residency, Simulation, Skills,
};
use threshold_world::{CellId, World, loc::Place, stream::StreamConfig};

/// Longest stretch of time that is made up for; after a longer gap the world simply stood still.
const LONGEST_GAP: f64 = 0.25;

/// Choices at the start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// What is loaded around the player.
    pub stream: StreamConfig,
    /// What the player can do.
    pub skills: Skills,
}

/// A world with a player in it.
pub struct Session {
    data: Arc<Data>,
    sim: Simulation,
    player: EntityKey,
    journal: Journal,
    history: History,
    recorder: Option<Recorder>,
    /// What the player set out for, in words.
    /// Where the region ended that the player can reach, when there was no way to a place.
    region_end: Option<[Position; 2]>,
    /// Where the player last wanted to walk.
    walks_to: Option<Position>,
    survey: travel::Survey,
    destination: String,
    paused: bool,
    last: StepReport,
    touched: Vec<EntityKey>,
    /// The recorded session that is played, if it is one.
    film: Option<Film>,
}

impl Session {
    /// A player at a place (the world's own starting point by default), with everything around it loaded.
    pub fn new(data: Arc<Data>, at: Option<Place>, options: Options) -> Result<Session> {
        let builder = data.folder.iter().fold(Simulation::builder(), Builder::keep_meshes_in);
        let mut sim = builder
            .library(data.library.clone())
            .placed(data.entities.values().cloned())
            .residency(Residency::Observed(options.stream))
            .draw_between_ticks()
            .build()?;
        let player = sim.spawn_player_at(at.unwrap_or(data.start), options.skills)?;
        let mut session = Session {
            last: Witness::default().report(sim.scene(), player, sim.ticks() as i64 - 1),
            data,
            sim,
            player,
            journal: Journal::default(),
            history: History::default(),
            recorder: None,
            region_end: None,
            walks_to: None,
            survey: Default::default(),
            destination: String::new(),
            paused: false,
            touched: Vec::new(),
            film: None,
        };
        session.note_events();
        Ok(session)
    }

    /// What is known of the world.
    pub fn data(&self) -> &Arc<Data> {
        &self.data
    }

    /// The world that runs.
    pub fn sim(&self) -> &Simulation {
        &self.sim
    }

    /// Cells that are loaded.
    pub fn world(&self) -> &World {
        self.sim.world()
    }

    /// Objects.
    pub fn scene(&self) -> &Scene {
        self.sim.scene()
    }

    /// The player's object.
    pub fn player(&self) -> EntityKey {
        self.player
    }

    fn own(&self) -> &Player {
        self.sim.player(self.player).expect("the session's player is never taken out")
    }

    fn own_mut(&mut self) -> &mut Player {
        self.sim.player_mut(self.player).expect("the session's player is never taken out")
    }

    /// Where the player is, as physics has it.
    pub fn position(&self) -> Position {
        self.sim.position(self.player).unwrap_or_default()
    }

    /// Where the player is drawn now.
    pub fn drawn_position(&self) -> Position {
        self.sim.drawn_position(self.player).unwrap_or_default()
    }

    /// Ticks since the beginning.
    pub fn ticks(&self) -> u64 {
        self.sim.ticks()
    }

    /// What `walk` prints for the last tick.
    pub fn last(&self) -> &StepReport {
        &self.last
    }

    /// Objects that the player touched in the last tick.
    pub fn touched(&self) -> &[EntityKey] {
        &self.touched
    }

    /// What happened.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Writes a line into the journal.
    pub fn note(&mut self, text: impl Into<String>) {
        self.journal.note(self.sim.ticks(), text);
    }

    /// The eye.
    pub fn eye(&self) -> &Eye {
        &self.own().eye
    }

    /// The eye, to be moved.
    pub fn eye_mut(&mut self) -> &mut Eye {
        &mut self.own_mut().eye
    }

    /// How the player is hidden from its own eye: 0 not at all, 1 wholly.
    pub fn player_translucency(&self) -> f32 {
        match self.sim.camera_player(self.player) {
            Ok(_) if self.eye().is_first_person() => 1.0,
            Ok(player) => self.eye().player_translucency(&player),
            Err(_) => 0.0,
        }
    }

    /// Says which keys are held from now on.
    pub fn control(&mut self, controls: Controls) {
        self.own_mut().controls = controls;
    }

    /// Whether the player runs when no key says otherwise.
    pub fn runs(&self) -> bool {
        self.own().controller.runs
    }

    /// Has the player run or walk when no key says otherwise.
    pub fn set_runs(&mut self, runs: bool) {
        self.own_mut().controller.runs = runs;
    }

    /// Power of the jump that is being charged, 0…1.
    pub fn jump_power(&self) -> Option<f32> {
        self.own().controller.jump_power()
    }

    /// Looks around by degrees: turns the player (in flight the eye) right, and the eye up.
    pub fn look(&mut self, right: f32, up: f32) {
        // What is not a number turns nothing.
        let right = match &mut self.film {
            Some(film) if !self.sim.player(self.player).is_ok_and(|own| own.eye.is_flying()) => {
                film.turned += if right.is_finite() { right } else { 0.0 };
                0.0
            }
            _ => right,
        };
        let _ = self.sim.look(self.player, right, up);
        // While time stands still no tick turns the spectator.
        if self.paused {
            let _ = self.look_on();
            self.sim.draw_last_tick();
        }
    }

    /// What a ray from the eye meets first.
    pub fn pick(&self, direction: Vec3) -> Option<Hit> {
        self.sim.pick(self.player, direction).ok().flatten()
    }

    /// Lets real time pass: as many ticks as fit, then the eye.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST_GAP) } else { 0.0 };
        let passed = seconds * self.film.as_ref().map_or(1.0, |film| film.speed);
        if self.paused {
            self.load()?;
        } else {
            for _ in 0..self.sim.pass_time(passed)? {
                self.tick()?;
            }
        }
        // In slow motion the eye is as quick as ever.
        self.sim.update_eyes(passed.max(seconds) as f32);
        Ok(())
    }

    /// One tick, unless the player has to wait for the world around it.
    pub fn tick(&mut self) -> Result<()> {
        if self.film.is_some() {
            return self.tick_film();
        }
        self.resume_present();
        self.load()?;
        if self.is_waiting() {
            return Ok(());
        }
        self.history.push(self.sim.snapshot());
        let others = self.recorder.is_some().then(|| bystanders(self.sim.scene(), self.player));
        let mut sweep = Witness::before(self.sim.scene(), self.player);
        self.sim.step_watched(&mut |step| sweep.watch(step))?;
        self.last = sweep.report(self.sim.scene(), self.player, self.sim.ticks() as i64 - 1);
        if let Some(others) = others {
            self.record(&sweep, &others)?;
        }
        self.touched = sweep.touched;
        self.note_events();
        Ok(())
    }

    /// Takes over what has been loaded.
    fn load(&mut self) -> Result<()> {
        self.sim.load()?;
        self.note_events();
        Ok(())
    }

    /// Writes down what happened to the player, and what doors did by themselves.
    fn note_events(&mut self) {
        let events: Vec<Event> = self.sim.drain_events().collect();
        let player = self.player;
        for event in events {
            match event {
                Event::CellChanged { entity, from, to } if entity == player => {
                    let [from, to] = [from, to].map(|cell| cell.unwrap_or(CellId::NONE));
                    self.journal.cross(self.sim.ticks(), from, to);
                }
                Event::Touched { entity, other, .. } if entity == player => {
                    self.note(format!("touched {}", self.name(other)));
                }
                Event::DoorClosed(door) => self.note(format!("{} closes by itself", self.name(door))),
                Event::Departed { entity, portal: Some(portal) } if entity == player => {
                    self.destination = self.name(portal);
                    self.note(format!("through {}", self.destination));
                }
                Event::Arrived { entity, .. } if entity == player => {
                    self.note(format!("arrived: {}", self.destination));
                    self.touched.clear();
                }
                Event::CameTo { entity, .. } if entity == player => {
                    self.note(format!("arrived: {}", self.destination));
                }
                Event::SetOut { entity, route } if entity == player => self.note_way(&route),
                Event::GaveUpGoing { entity, at, why } if entity == player => self.note_no_way(at, why),
                Event::NoRoom { entity, at } if entity == player => {
                    self.note(match self.world().cell(at.cell) {
                        Some(_) => format!("there is no room at {at}"),
                        None => format!("there is no cell {} in these data files", at.cell),
                    })
                }
                Event::Rescued(entity) if entity == player => {
                    self.destination = "solid ground".into();
                    self.note("fell out of the world and was put back");
                }
                Event::MeshesRefused { file, why } => self.note(format!("{}: {why}", file.display())),
                Event::Problem(problem) => self.note(problem.to_string()),
                _ => {}
            }
        }
    }
}
