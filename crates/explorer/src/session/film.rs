//! Recorded sessions as films: everything that a server said happens again, at any speed and from any moment.

use super::{History, Journal, Session};
use crate::data::Data;
use anyhow::{Context, Result, ensure};
use glam::Vec3;
use std::{collections::BTreeMap, io::Read, sync::Arc};
use threshold_playback::{Cue, Drive, Options as PlayOptions, Playback, Timeline, Verdict, cues};
use threshold_scenario::Witness;
use threshold_sim::{EntityKey, Position, Simulation, Snapshot, TICKS_PER_SECOND, update::Update};
use threshold_wire::{Capture, DEFAULT_PORTS, Recording};

/// Ticks between two moments that can be gone to at once; others are reached by playing on from there. They are farther
/// apart in a film that has more of them than are kept.
const CHECKPOINT: u64 = 10 * TICKS_PER_SECOND;
/// Moments that are kept; a power of two.
const MOST_CHECKPOINTS: usize = 64;
/// Things that a film holds; a longer one is cut off.
const MOST_CUES: usize = 4_000_000;
/// Farther than this from where it is said to be, an object has a ghost.
const APART: f32 = 0.1;
/// How fast a film may run.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=20.0;

/// Something that happens in a film.
struct FilmCue {
    tick: u64,
    fraction: f64,
    packet: u64,
    cue: Cue,
}

/// A moment that can be gone to.
#[derive(Clone)]
struct Checkpoint {
    snapshot: Snapshot,
    tick: u64,
    next: usize,
    playback: Playback,
    told: BTreeMap<u32, Position>,
}

/// A recorded session that is played in a [`Session`].
pub struct Film {
    name: String,
    cues: Vec<FilmCue>,
    /// The first one that has not happened yet.
    next: usize,
    playback: Playback,
    tick: u64,
    /// Times real time.
    pub speed: f64,
    /// The object that is followed; the own player when none is named.
    pub followed: Option<u32>,
    /// Degrees to the right that the spectator looks off the way that what it follows faces.
    pub(super) turned: f32,
    /// Where objects were last said to be, by the server, or by the client of the own player.
    told: BTreeMap<u32, Position>,
    checkpoints: Vec<Checkpoint>,
    /// Ticks between two of them.
    interval: u64,
    findings: usize,
}

/// An object of a film as it is shown: where it is, and where it was said to be.
#[derive(Clone, Debug, PartialEq)]
pub struct Shown {
    /// Its game id.
    pub guid: u32,
    /// Its name.
    pub name: String,
    /// Where it is here.
    pub ours: Position,
    /// Where it was said to be, if that is somewhere else.
    pub ghost: Option<Position>,
}

impl Film {
    /// Reads a capture file.
    fn open(name: &str, file: impl Read) -> Result<Film> {
        let capture = Capture::new(file)?;
        let mut recording = Recording::new(capture, DEFAULT_PORTS);
        let (mut timed, mut timeline, mut connection) = (Vec::new(), Timeline::default(), None);
        while recording.step(&mut |event| {
            let (Some(time), Some(number)) = (event.time, event.connection) else { return };
            if *connection.get_or_insert(number) != number || timed.len() >= MOST_CUES {
                return;
            }
            for cue in cues(event) {
                let (tick, fraction) = timeline.tick_of(time);
                timed.push(FilmCue { tick, fraction, packet: event.packet, cue });
            }
        }) {}
        ensure!(!timed.is_empty(), "it contains no messages about objects");
        let drive = Drive::Keys { tolerance: 0.5 };
        Ok(Film {
            name: name.to_owned(),
            cues: timed,
            next: 0,
            playback: Playback::new(PlayOptions::default().drive(drive)),
            tick: 0,
            speed: 1.0,
            followed: None,
            turned: 0.0,
            told: BTreeMap::new(),
            checkpoints: Vec::new(),
            interval: CHECKPOINT,
            findings: 0,
        })
    }

    /// Name of the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Ticks since the start of the recording.
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// Ticks from its start to its end.
    pub fn length(&self) -> u64 {
        self.cues.last().map_or(0, |timed| timed.tick)
    }

    /// What was found so far.
    pub fn verdict(&self) -> &Verdict {
        self.playback.verdict()
    }

    /// Where the first object is that is said to be anywhere.
    fn first_place(&self) -> Option<Position> {
        self.cues.iter().find_map(|timed| match &timed.cue {
            Cue::Update(Update::Create(object)) => object.position,
            Cue::Report(report) => report.position().copied(),
            _ => None,
        })
    }

    /// Has everything happen that is due, then lets a tick pass.
    fn advance(&mut self, sim: &mut Simulation) -> Result<()> {
        self.keep(sim);
        self.happen(sim)?;
        if self.tick < self.length() {
            self.playback.tick(sim)?;
            self.tick += 1;
            self.happen(sim)?;
        }
        Ok(())
    }

    /// Keeps this moment, if it is the next one to be kept.
    fn keep(&mut self, sim: &Simulation) {
        if self.tick != self.checkpoints.len() as u64 * self.interval {
            return;
        }
        self.checkpoints.push(Checkpoint {
            snapshot: sim.snapshot(),
            tick: self.tick,
            next: self.next,
            playback: self.playback.clone(),
            told: self.told.clone(),
        });
        if self.checkpoints.len() > MOST_CHECKPOINTS {
            self.interval *= 2;
            self.checkpoints.retain(|kept| kept.tick.is_multiple_of(self.interval));
        }
    }

    /// What is said at this tick.
    fn happen(&mut self, sim: &mut Simulation) -> Result<()> {
        while let Some(timed) = self.cues.get(self.next).filter(|timed| timed.tick <= self.tick) {
            match &timed.cue {
                Cue::Forget => self.told.clear(),
                Cue::Update(Update::Create(object) | Update::CreateAnew(object)) => {
                    self.told.extend(object.position.map(|at| (object.guid, at)));
                }
                Cue::Update(Update::Position(update)) => {
                    self.told.insert(update.guid, update.position);
                }
                Cue::Update(Update::Delete { guid, .. }) => drop(self.told.remove(guid)),
                Cue::Update(Update::Pickup(update)) => drop(self.told.remove(&update.guid)),
                Cue::Update(Update::Parent(update)) => drop(self.told.remove(&update.child)),
                Cue::Update(_) => {}
                Cue::Report(report) => {
                    let own = sim.own_player().zip(report.position().copied());
                    self.told.extend(own);
                }
            }
            self.playback.cue(sim, &timed.cue, timed.packet, timed.fraction)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Goes back to the last moment before a tick that can be gone to at once.
    fn return_before(&mut self, sim: &mut Simulation, tick: u64) -> Result<()> {
        let index = (tick / self.interval).min(self.checkpoints.len().saturating_sub(1) as u64) as usize;
        let moment = self.checkpoints.get(index).cloned().context("the film has not begun")?;
        sim.restore(&moment.snapshot)?;
        (self.tick, self.next) = (moment.tick, moment.next);
        (self.playback, self.told) = (moment.playback, moment.told);
        self.findings = self.playback.verdict().findings.len();
        Ok(())
    }

    /// Where the spectator should be: at what is followed, or where the film has something to show.
    fn focus(&self, sim: &Simulation) -> Option<Position> {
        let guid = self.followed.or_else(|| sim.own_player())?;
        let entity = sim.entity(sim.find(guid)?).ok()?;
        entity.cell?;
        let mut at = entity.position;
        at.frame.set_heading(at.frame.heading() + self.turned);
        Some(at)
    }
}

impl Session {
    /// A recorded session in a world where nothing is placed but what its server describes. It is watched by a spectator
    /// that follows its own player, or any other object.
    pub fn film(data: Arc<Data>, name: &str, file: impl Read) -> Result<Session> {
        let film = Film::open(name, file).with_context(|| name.to_owned())?;
        // A small world is loaded wholly: what was recorded in it does not depend on when a block arrives.
        let mut sim = Simulation::builder().library(data.library.clone()).draw_between_ticks().build()?;
        let start = film.first_place().filter(|at| sim.blocks().contains(&at.cell.block()));
        let start = start.with_context(|| format!("{name}: the session takes place outside this world"))?;
        let player = sim.spawn_spectator(start)?;
        let mut session = Session {
            last: Witness::default().report(sim.scene(), player, 0),
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
            film: Some(film),
        };
        session.tick_film()?;
        Ok(session)
    }

    /// The recorded session that is played.
    pub fn playing(&self) -> Option<&Film> {
        self.film.as_ref()
    }

    /// The recorded session that is played, to change its speed or what is followed.
    pub fn playing_mut(&mut self) -> Option<&mut Film> {
        self.film.as_mut()
    }

    /// One tick of the film; at its end time stands still.
    pub(super) fn tick_film(&mut self) -> Result<()> {
        let Some(film) = &mut self.film else { return Ok(()) };
        film.advance(&mut self.sim)?;
        self.look_on()?;
        let Some(film) = &mut self.film else { return Ok(()) };
        let found = &film.playback.verdict().findings;
        let new: Vec<String> = found.iter().skip(film.findings).map(ToString::to_string).collect();
        film.findings = found.len();
        let is_over = film.tick >= film.length();
        new.into_iter().for_each(|text| self.note(text));
        self.paused |= is_over;
        Ok(())
    }

    /// The spectator goes where what it follows is.
    pub(super) fn look_on(&mut self) -> Result<()> {
        if let Some(at) = self.film.as_ref().and_then(|film| film.focus(&self.sim)) {
            self.sim.move_spectator(self.player, at)?;
            self.sim.drain_events();
        }
        Ok(())
    }

    /// Shows the film at a tick after its start. The eye stays as it is.
    pub fn seek(&mut self, tick: u64) -> Result<()> {
        let Some(film) = &mut self.film else { return Ok(()) };
        let tick = tick.min(film.length());
        let eye = self.sim.player(self.player)?.eye.clone();
        let is_near = film.tick <= tick && tick - film.tick < film.interval;
        let is_known = (tick / film.interval) < film.checkpoints.len() as u64;
        if !is_near && (tick < film.tick || is_known) {
            film.return_before(&mut self.sim, tick)?;
        }
        while film.tick < tick {
            film.advance(&mut self.sim)?;
        }
        film.findings = film.playback.verdict().findings.len();
        self.look_on()?;
        self.own_mut().eye = eye;
        self.sim.draw_last_tick();
        self.paused |= self.film.as_ref().is_some_and(|film| film.tick >= film.length());
        Ok(())
    }

    /// Follows an object from now on; `None` is the own player.
    pub fn follow(&mut self, guid: Option<u32>) -> Result<()> {
        if let Some(film) = &mut self.film {
            film.followed = guid;
        }
        self.look_on()?;
        self.own_mut().eye.reset();
        Ok(())
    }

    /// The objects of the film within some metres of the spectator, nearest first.
    pub fn shown(&self, metres: f32) -> Vec<Shown> {
        let Some(film) = &self.film else { return Vec::new() };
        let here = self.position();
        let mut shown: Vec<(f32, Shown)> = self
            .sim
            .all_described()
            .filter_map(|(guid, object)| {
                let entity = self.sim.entity(self.sim.find(guid)?).ok()?;
                let distance = entity.position.distance_to(&here);
                (entity.cell.is_some() && distance <= metres).then(|| {
                    let told = film.told.get(&guid).copied();
                    let ghost = told.filter(|told| told.distance_to(&entity.position) > APART);
                    let name = object.game.name.clone();
                    (distance, Shown { guid, name, ours: entity.position, ghost })
                })
            })
            .collect();
        shown.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.guid.cmp(&b.1.guid)));
        shown.into_iter().map(|(_, shown)| shown).collect()
    }

    /// The name that the film's server gives an object.
    pub(super) fn told_name(&self, key: EntityKey) -> Option<String> {
        let guid = self.scene().get(key)?.guid?;
        self.sim.described(guid).map(|object| object.game.name.clone()).filter(|name| !name.is_empty())
    }
}

/// Where the name of an object stands: above its head.
pub fn above(position: &Position) -> Vec3 {
    position.frame.origin + Vec3::new(0.0, 0.0, 2.1)
}
