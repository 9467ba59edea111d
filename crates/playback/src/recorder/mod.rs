//! Records a session: the messages of a server and a client while a player walks through the sample world.

mod client;
mod server;

use crate::time_of_tick;
use client::Keys;
use server::Server;
use std::sync::Arc;
use threshold_sim::{EntityKey, Position, SimError, Simulation, motion::RawState};
use threshold_wire::{Guid, Message, MessageError, SessionWriter, Side, Time, messages::GameAction};
use threshold_world::{
    Library,
    placed::{NamedPlace, ObjectKind, PlacedObject},
};

/// When the session begins: 1 January 2015, noon.
const START: Time = Time(1_420_113_600_000_000);
/// The own player.
const PLAYER: u32 = 0x5000_0001;
/// Objects of the world are numbered from here.
const OBJECTS: u32 = 0x7808_0000;
/// Something that changes hands.
const PARCEL: u32 = 0x8000_0001;
/// What the login packet names; files that contain it were written by [`record`].
pub(crate) const ACCOUNT: &str = "threshold record";

/// The world that a session is recorded in, and the flaw to record.
#[derive(Clone)]
pub struct SampleSession<'w> {
    /// Its records.
    pub library: Arc<Library>,
    /// Objects that a server places in it.
    pub placed: &'w [PlacedObject],
    /// Its places.
    pub places: &'w [NamedPlace],
    /// A deliberate flaw.
    pub flaw: Option<Flaw>,
}

/// An error in a server's messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A villager is behind a wall from one moment to the next.
    ThroughWall,
}

/// A session that was recorded.
#[derive(Clone, Debug)]
pub struct Recorded {
    /// The capture file.
    pub file: Vec<u8>,
    /// [`Simulation::state_hash`] after each tick.
    pub hashes: Vec<u64>,
    /// The same after everything that was said.
    pub state: u64,
}

impl Recorded {
    /// A text that every file of [`record`] contains within its first bytes.
    pub const MARK: &'static str = ACCOUNT;
}

/// Errors of recording.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// An error of the simulation.
    #[error(transparent)]
    Sim(#[from] SimError),
    /// A message cannot be sent.
    #[error(transparent)]
    Message(#[from] MessageError),
    /// A record cannot be read.
    #[error(transparent)]
    Dat(#[from] threshold_dat::Error),
    /// The script needs a place or an object that this world lacks.
    #[error("there is no {0} in this world; sessions can only be recorded in the sample world")]
    Missing(String),
    /// The player did not get there.
    #[error("the player did not reach {place}: it is at {at}")]
    Stuck {
        /// Where it was going.
        place: String,
        /// Where it is.
        at: Position,
    },
}

/// Records a session in a world that has the places and objects of the sample world. The same world gives the same bytes.
///
/// A player appears on the village street among everything that is placed there. It walks to the cottage, opens the door,
/// goes in, jumps, comes out and runs down the street; villagers and beasts walk about, a parcel changes hands, and in the
/// end a portal takes the player to the dungeon.
///
/// # Errors
/// When the world lacks the sample world's places and objects.
pub fn record(session: &SampleSession<'_>) -> Result<Recorded, RecordError> {
    let mut stage = Stage::new(session)?;
    stage.enter()?;
    stage.visit_cottage()?;
    stage.run_and_travel()?;
    stage.finish()
}

/// The world while it is recorded.
struct Stage<'w> {
    session: &'w SampleSession<'w>,
    sim: Simulation,
    writer: SessionWriter,
    server: Server,
    keys: Keys,
    actions: u32,
    hashes: Vec<u64>,
    /// Objects whose positions are reported every second.
    walkers: Vec<u32>,
}

impl<'w> Stage<'w> {
    fn new(session: &'w SampleSession<'w>) -> Result<Stage<'w>, RecordError> {
        let sim = Simulation::builder().library(session.library.clone()).build()?;
        Ok(Stage {
            session,
            sim,
            writer: SessionWriter::new(START, ACCOUNT),
            server: Server::default(),
            keys: Keys::default(),
            actions: 0,
            hashes: Vec::new(),
            walkers: Vec::new(),
        })
    }

    fn now(&self) -> Time {
        Time(START.0 + time_of_tick(self.sim.ticks()))
    }

    /// The server says something; the simulation hears it as one that plays the file will.
    fn say(&mut self, message: &Message<'_>) -> Result<(), RecordError> {
        self.writer.message(self.now(), Side::Server, message)?;
        for update in message.updates() {
            self.sim.apply(&update)?;
        }
        Ok(())
    }

    /// The client reports something, and does it.
    fn report(&mut self, action: GameAction<'static>) -> Result<(), RecordError> {
        self.actions += 1;
        let message = Message::GameAction { sequence: self.actions, action };
        self.writer.message(self.now(), Side::Client, &message)?;
        let Message::GameAction { action, .. } = &message else { return Ok(()) };
        if let Some(report) = crate::cue::report(action) {
            let player = self.player()?;
            crate::playback::follow(&mut self.sim, player, &report)?;
        }
        Ok(())
    }

    fn player(&self) -> Result<EntityKey, RecordError> {
        self.sim.find(PLAYER).ok_or_else(|| RecordError::Missing("player".into()))
    }

    fn position(&self) -> Result<Position, RecordError> {
        Ok(self.sim.position(self.player()?)?)
    }

    fn tick(&mut self) -> Result<(), RecordError> {
        self.sim.tick()?;
        self.sim.drain_events();
        self.hashes.push(self.sim.state_hash());
        self.report_position()?;
        if self.sim.ticks().is_multiple_of(threshold_sim::TICKS_PER_SECOND) {
            for guid in self.walkers.clone() {
                self.tell_position(guid)?;
            }
        }
        Ok(())
    }

    fn wait(&mut self, seconds: f32) -> Result<(), RecordError> {
        for _ in 0..(seconds * threshold_sim::TICKS_PER_SECOND as f32) as u32 {
            self.tick()?;
        }
        Ok(())
    }

    fn place(&self, name: &str) -> Result<Position, RecordError> {
        let place = self.session.places.iter().find(|place| place.name == name);
        place.map(|place| place.position).ok_or_else(|| RecordError::Missing(format!("place {name}")))
    }

    fn object(&self, name: &str) -> Result<&'w PlacedObject, RecordError> {
        let found = self.session.placed.iter().find(|placed| placed.name == name);
        found.ok_or_else(|| RecordError::Missing(format!("object {name}")))
    }

    /// The person or beast outdoors that is nearest to a place.
    fn nearest(&self, kind: ObjectKind, to: &Position) -> Result<&'w PlacedObject, RecordError> {
        let living = self.session.placed.iter();
        let living = living.filter(|placed| placed.kind == kind && placed.cell.is_outdoor());
        let distance = |placed: &&PlacedObject| placed.position().distance_to(to);
        let found = living.min_by(|a, b| distance(a).total_cmp(&distance(b)));
        found.ok_or_else(|| RecordError::Missing(format!("{kind:?} outdoors")))
    }

    fn enter(&mut self) -> Result<(), RecordError> {
        let street = self.place("Village Street")?;
        self.say_player(PLAYER)?;
        self.describe_player(street)?;
        for placed in self.session.placed {
            self.describe(placed)?;
        }
        let holder = self.nearest(ObjectKind::Person, &street)?;
        self.describe_parcel(OBJECTS + holder.id)?;
        self.wait(1.0)
    }

    fn visit_cottage(&mut self) -> Result<(), RecordError> {
        let street = self.place("Village Street")?;
        let villager = self.nearest(ObjectKind::Person, &street)?;
        let mut to = villager.position();
        to.frame.origin.x += 5.0;
        self.order_walk(OBJECTS + villager.id, &to)?;
        self.walk_to("Cottage Door")?;
        self.pass_parcel(PLAYER)?;
        self.swing_door("Cottage Door", server::Swing::Open)?;
        self.wait(0.5)?;
        self.walk_to("Cottage Vestibule")?;
        self.walk_to("Cottage Living Room")?;
        self.jump(0.5)?;
        self.wait(1.5)?;
        if self.session.flaw == Some(Flaw::ThroughWall) {
            self.walkers.retain(|guid| *guid != OBJECTS + villager.id);
            self.displace(OBJECTS + villager.id, self.place("Cottage Bedroom")?)?;
            self.wait(3.0)?;
        }
        self.walk_to("Cottage Vestibule")?;
        self.walk_to("Cottage Door")?;
        self.walk_to("Village Street")?;
        self.swing_door("Cottage Door", server::Swing::Closed)?;
        self.wait(1.0)
    }

    fn run_and_travel(&mut self) -> Result<(), RecordError> {
        let boar = self.nearest(ObjectKind::Creature, &self.place("Village Street")?)?;
        let boar = OBJECTS + boar.id;
        self.order_run(boar, 1.5)?;
        self.pick_up_parcel()?;
        self.keys.runs = true;
        self.walk_to("Village Green")?;
        self.order_stop(boar)?;
        self.wait(1.0)?;
        let chest = self.object("Cottage Chest")?;
        self.delete(OBJECTS + chest.id)?;
        self.teleport(self.place("Dungeon Entrance")?)?;
        self.wait(1.0)?;
        self.keys.runs = false;
        self.walk_ahead(1.5)?;
        self.wait(0.5)
    }

    /// The last message is of the last tick, so that playing the file ends there.
    fn finish(mut self) -> Result<Recorded, RecordError> {
        self.release(true)?;
        Ok(Recorded { state: self.sim.state_hash(), file: self.writer.into_bytes(), hashes: self.hashes })
    }

    fn say_player(&mut self, guid: u32) -> Result<(), RecordError> {
        self.say(&Message::CreatePlayer(threshold_wire::messages::PlayerCreated { guid: Guid(guid) }))
    }

    /// Lets go of all keys; says so even if none is held when that is `always` to be said.
    fn release(&mut self, always: bool) -> Result<(), RecordError> {
        if always {
            self.keys.held = None;
        }
        self.hold(RawState::default())
    }
}
