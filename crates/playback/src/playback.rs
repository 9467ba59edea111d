//! A session on its own clock.

use crate::{
    Cue, Finding, Report, Timeline, Verdict,
    client::{Client, Told, put},
    cues,
    judge::{Judge, Source},
};
use threshold_sim::{EntityKey, ObserverId, Position, SimError, Simulation, Skills, TICKS_PER_SECOND};
use threshold_wire::{Event, Recording, Time};

/// How the client's own player is moved.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Drive {
    /// It is put where the client reports it.
    #[default]
    Reports,
    /// By the keys that the client reports. Its distance to the client's position is recorded, and it is then moved there. A
    /// greater distance than this is a finding.
    Keys {
        /// Metres.
        tolerance: f32,
    },
}

/// How a session is played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Options {
    /// How the own player is moved.
    pub drive: Drive,
    /// Skills of the own player, which the messages do not contain.
    pub skills: Skills,
    /// Which connection is played, counted from 0; by default the first one with messages.
    pub connection: Option<u32>,
}

impl Options {
    /// Sets [`Options::drive`].
    pub const fn drive(self, drive: Drive) -> Options {
        Options { drive, ..self }
    }

    /// Sets [`Options::skills`].
    pub const fn skills(self, skills: Skills) -> Options {
        Options { skills, ..self }
    }

    /// Sets [`Options::connection`].
    pub const fn connection(self, connection: u32) -> Options {
        Options { connection: Some(connection), ..self }
    }
}

/// A session being played in a simulation.
#[derive(Clone)]
pub struct Playback {
    options: Options,
    connection: Option<u32>,
    timeline: Timeline,
    /// Ticks of the simulation at the start, once it has begun.
    base: Option<u64>,
    /// The last record that said something.
    packet: u64,
    judge: Judge,
    client: Client,
    /// Keeps the world loaded around the client's reports while the own player is not known.
    observer: Option<ObserverId>,
}

impl Playback {
    /// A session that has not begun.
    pub fn new(options: Options) -> Playback {
        Playback {
            options,
            connection: options.connection,
            timeline: Timeline::default(),
            base: None,
            packet: 0,
            judge: Judge::default(),
            client: Client::default(),
            observer: None,
        }
    }

    /// Plays the next record of a recording; false at its end.
    pub fn step(&mut self, sim: &mut Simulation, recording: &mut Recording<'_>) -> Result<bool, SimError> {
        let mut result = Ok(());
        let more = recording.step(&mut |event| {
            if result.is_ok() {
                result = self.event(sim, event);
            }
        });
        result.map(|()| more)
    }

    /// Plays an event: advances time up to it, then performs its actions. Events of other connections are ignored.
    pub fn event(&mut self, sim: &mut Simulation, event: &Event<'_>) -> Result<(), SimError> {
        let (Some(time), Some(connection)) = (event.time, event.connection) else { return Ok(()) };
        if *self.connection.get_or_insert(connection) != connection {
            return Ok(());
        }
        let cues = cues(event);
        if cues.is_empty() {
            return Ok(());
        }
        let fraction = self.advance_to(sim, time)?;
        self.judge.verdict.records += 1;
        for cue in &cues {
            self.cue(sim, cue, event.packet, fraction)?;
        }
        Ok(())
    }

    /// Advances time to a moment of the session. Returns the fraction of the next tick that has passed.
    pub fn advance_to(&mut self, sim: &mut Simulation, time: Time) -> Result<f64, SimError> {
        let now = self.ticks(sim);
        let (tick, fraction) = self.timeline.tick_of(time);
        for _ in now..tick {
            self.tick(sim)?;
        }
        Ok(fraction)
    }

    /// Ticks since the start; the session starts with the first call.
    fn ticks(&mut self, sim: &Simulation) -> u64 {
        sim.ticks() - *self.base.get_or_insert(sim.ticks())
    }

    fn source(&mut self, sim: &Simulation) -> Source {
        let seconds = self.ticks(sim) as f64 / TICKS_PER_SECOND as f64;
        Source { packet: self.packet, seconds }
    }

    /// Runs a tick, and checks its events.
    pub fn tick(&mut self, sim: &mut Simulation) -> Result<(), SimError> {
        self.ticks(sim);
        match (self.own_player(sim), self.options.drive) {
            (Some(player), Drive::Keys { .. }) => self.client.tick(sim, player)?,
            _ => sim.tick()?,
        }
        let source = self.source(sim);
        self.judge.take_events(sim, source);
        Ok(())
    }

    /// Performs an action.
    pub fn cue(
        &mut self,
        sim: &mut Simulation,
        cue: &Cue,
        packet: u64,
        fraction: f64,
    ) -> Result<(), SimError> {
        self.packet = packet;
        let source = self.source(sim);
        match cue {
            Cue::Forget => self.judge.forget(sim),
            Cue::Update(update) => {
                self.judge.apply(sim, update, source);
                self.enable(sim)?;
            }
            Cue::Report(report) => self.report(sim, &Told { report, fraction, source })?,
        }
        Ok(())
    }

    /// Gives a new own player the body that it is said to have.
    fn enable(&mut self, sim: &mut Simulation) -> Result<(), SimError> {
        let Some(player) = self.own_player(sim) else { return Ok(()) };
        if sim.player(player)?.controller.skills != self.options.skills {
            sim.set_skills(player, self.options.skills)?;
        }
        Ok(())
    }

    fn report(&mut self, sim: &mut Simulation, told: &Told<'_>) -> Result<(), SimError> {
        let Some(player) = self.own_player(sim) else {
            return match told.report.position() {
                Some(at) => self.observe(sim, at),
                None => Ok(()),
            };
        };
        match self.options.drive {
            Drive::Reports => match told.report.position() {
                Some(at) if !sim.player(player)?.is_travelling() => put(sim, player, at),
                _ => Ok(()),
            },
            Drive::Keys { tolerance } => {
                let found = self.client.compare(sim, player, told, tolerance)?;
                self.add(found);
                follow(sim, player, told.report)
            }
        }
    }

    fn add(&mut self, finding: Option<Finding>) {
        if let Some(finding) = finding {
            self.judge.verdict.add(finding);
        }
    }

    /// Keeps the world around a place loaded.
    fn observe(&mut self, sim: &mut Simulation, at: &Position) -> Result<(), SimError> {
        if !sim.blocks().contains(&at.cell.block()) {
            return Ok(());
        }
        match self.observer {
            Some(observer) => sim.move_observer(observer, *at),
            None => {
                self.observer = Some(sim.observe(*at)?);
                Ok(())
            }
        }
    }

    /// The own player, once it exists.
    pub fn own_player(&self, sim: &Simulation) -> Option<EntityKey> {
        sim.own_player().and_then(|guid| sim.find(guid)).filter(|key| sim.player(*key).is_ok())
    }

    /// The result of the session so far.
    pub fn verdict(&self) -> &Verdict {
        &self.judge.verdict
    }

    /// Ends the session and returns its result.
    pub fn finish(mut self, sim: &Simulation) -> Verdict {
        self.judge.finish(sim);
        let mut verdict = self.judge.verdict;
        verdict.ticks = self.base.map_or(0, |base| sim.ticks() - base);
        verdict.seconds = self.timeline.micros() as f64 / 1e6;
        verdict.client = match self.options.drive {
            Drive::Keys { .. } => Some(self.client.verdict()),
            Drive::Reports => None,
        };
        verdict
    }
}

/// Lets a player do what its client reports that it does.
pub(crate) fn follow(sim: &mut Simulation, player: EntityKey, report: &Report) -> Result<(), SimError> {
    match report {
        Report::Keys { keys, .. } => sim.command(player, keys),
        Report::Jump { power, .. } => sim.jump(player, power.clamp(0.0, 1.0)).map(drop),
        Report::Position(_) => Ok(()),
    }
}
