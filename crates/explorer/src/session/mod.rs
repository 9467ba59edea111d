//! The world under a player's feet: streaming, physics in fixed ticks, doors, portals, time that can be turned back.
//!
//! Nothing in here knows of windows. Input comes as held keys and turns, time as seconds; everything that a window
//! shows is read from here.

mod camera;
mod doors;
mod history;
mod journal;
mod pick;
mod record;
mod streaming;
mod travel;

pub use camera::{Course, Eye};
pub use doors::{Door, DoorChange, Doors, OPEN_TICKS};
pub use history::REMEMBERED;
pub use journal::{Crossing, Entry, Journal};
pub use pick::{Pick, Target};
pub use record::Recorder;

use crate::data::Data;
use anyhow::{Context, Result, bail};
use glam::Vec3;
use history::{History, Moment};
use record::Intent;
use std::{path::Path, path::PathBuf, sync::Arc};
use streaming::Streaming;
use threshold_dat::DatId;
use threshold_physics::{
    EntityKey, Event, Facts, MoveResult, Scene, Spawn, State, Transient,
    movement::{Controller, Controls, Skills},
    scene::Motion,
    script::{CellChange, Line},
};
use threshold_sample::EntityKind;
use threshold_view::camera::Player;
use threshold_world::{
    Frame, Position, Quat, World,
    loc::Place as Spot,
    stream::{StreamConfig, StreamStatus},
};
use travel::Journey;

/// Physics ticks in a second.
pub const TICKS_PER_SECOND: u64 = 30;
/// Seconds of a tick.
pub const TICK: f64 = 1.0 / TICKS_PER_SECOND as f64;
/// Longest stretch of time that is made up for; after a longer gap the world simply stood still.
const LONGEST_GAP: f64 = 0.25;
/// Model, game id and state word of the player.
const PLAYER_SETUP: DatId = DatId(0x0200_0001);
const PLAYER_GUID: u32 = 0x5000_0001;
const PLAYER_STATE: u32 = 0x0040_0408;
/// How near a door must be to be opened without pointing at it.
const ARM: f32 = 4.5;

/// What a moment without a sweep is written down as.
const AT_REST: MoveResult = MoveResult { ok: true, swept: false, cell_changed: None };

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
    world: World,
    scene: Scene,
    streaming: Streaming,
    player: EntityKey,
    controller: Controller,
    /// Keys that are held.
    pub controls: Controls,
    /// Where the flying eye goes.
    pub course: Course,
    eye: Eye,
    doors: Doors,
    journal: Journal,
    history: History,
    recorder: Option<Recorder>,
    journey: Option<Journey>,
    /// Degrees to the right that the mouse asked for and no tick has made yet.
    pending_turn: f32,
    accumulator: f64,
    paused: bool,
    ticks: u64,
    /// The player before the last tick.
    previous: Position,
    /// The last place where he stood on solid ground.
    safe: Position,
    last: Line,
    touched: Vec<EntityKey>,
    velocities: [Vec3; 5],
}

impl Session {
    /// A player at a place (the world's own starting point when there is none), with everything around it loaded.
    pub fn new(data: Arc<Data>, at: Option<Spot>, options: Options) -> Result<Session> {
        let at = at.unwrap_or(data.start);
        let start = at.flat().context("the place is off the map")?;
        travel::check_block(&data, &start)?;
        let mut world = World::new();
        let mut scene = Scene::new();
        let mut streaming = Streaming::new(&data, options.stream);
        if !streaming.settle(&mut world, &mut scene, &start) {
            bail!("the world around {} cannot be loaded", start.cell);
        }
        let position = at.resolve(&world).context("the place is off the map")?;
        let model = data.library.model(PLAYER_SETUP)?;
        let model = model.with_context(|| format!("the data files have no player ({PLAYER_SETUP})"))?;
        let mut doors = Doors::default();
        for entity in &data.entities {
            let key = spawn(&data, &world, &mut scene, entity)?;
            if entity.kind == EntityKind::Door {
                doors.add(key, &scene);
            }
        }
        let player = scene.spawn(
            &world,
            Spawn {
                guid: Some(PLAYER_GUID),
                model,
                position,
                state: State::from_bits_retain(PLAYER_STATE),
                scale: 1.0,
                facts: Facts { is_player: true, ..Facts::default() },
            },
        )?;
        scene.set_player(Some(player));
        let mut session = Session {
            last: Line::of(&scene, player, -1, &AT_REST),
            data,
            world,
            scene,
            streaming,
            player,
            controller: Controller::new(options.skills),
            controls: Controls::default(),
            course: Course::default(),
            eye: Eye::default(),
            doors,
            journal: Journal::default(),
            history: History::default(),
            recorder: None,
            journey: None,
            pending_turn: 0.0,
            accumulator: 0.0,
            paused: false,
            ticks: 0,
            previous: position,
            safe: position,
            touched: Vec::new(),
            velocities: [Vec3::ZERO; 5],
        };
        session.arrive(&position)?;
        session.update_eye(0.0);
        Ok(session)
    }

    /// What is known of the world.
    pub fn data(&self) -> &Arc<Data> {
        &self.data
    }

    /// Cells that are loaded.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Objects.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The player.
    pub fn player(&self) -> EntityKey {
        self.player
    }

    /// Where the player is, as physics has it.
    pub fn position(&self) -> Position {
        self.scene.get(self.player).map(|player| player.position).unwrap_or_default()
    }

    /// Ticks since the beginning.
    pub fn ticks(&self) -> u64 {
        self.ticks
    }

    /// What `walk` prints for the last tick.
    pub fn last(&self) -> &Line {
        &self.last
    }

    /// Objects that the player touched in the last tick.
    pub fn touched(&self) -> &[EntityKey] {
        &self.touched
    }

    /// Doors.
    pub fn doors(&self) -> &Doors {
        &self.doors
    }

    /// What happened.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// Writes a line into the journal.
    pub fn note(&mut self, text: impl Into<String>) {
        self.journal.note(self.ticks, text);
    }

    /// The eye.
    pub fn eye(&self) -> &Eye {
        &self.eye
    }

    /// The eye, to be moved.
    pub fn eye_mut(&mut self) -> &mut Eye {
        &mut self.eye
    }

    /// Turns held keys into movement.
    pub fn controller_mut(&mut self) -> &mut Controller {
        &mut self.controller
    }

    /// Power of the jump that is being charged, 0…1.
    pub fn jump_power(&self) -> Option<f32> {
        self.controller.jump_power()
    }

    /// How far the world around is.
    pub fn streaming(&self) -> StreamStatus {
        self.streaming.status
    }

    /// What is loading, or nothing.
    pub fn loading(&self) -> Option<String> {
        match (&self.journey, self.streaming.status) {
            (Some(journey), _) => Some(format!("on the way to {}", journey.name)),
            (None, StreamStatus::Holding) => Some("waiting for the ground".into()),
            (None, StreamStatus::Loading(blocks)) => Some(format!("loading {blocks} landblocks")),
            (None, StreamStatus::Settled) => None,
        }
    }

    /// Looks around by degrees: turns the player (in flight the eye) right, and the eye up.
    pub fn look(&mut self, right: f32, up: f32) {
        if !(right.is_finite() && up.is_finite()) {
            return;
        }
        if !self.eye.is_flying() {
            self.pending_turn += right;
        }
        self.eye.look(right, up);
    }

    /// Lets real time pass: as many ticks as fit, then the eye.
    pub fn advance(&mut self, seconds: f64) -> Result<()> {
        let seconds = if seconds.is_finite() { seconds.clamp(0.0, LONGEST_GAP) } else { 0.0 };
        if !self.paused {
            self.accumulator += seconds;
            while self.accumulator >= TICK {
                self.accumulator -= TICK;
                self.tick()?;
            }
        }
        self.update_eye(seconds as f32);
        Ok(())
    }

    /// One tick of physics.
    pub fn tick(&mut self) -> Result<()> {
        self.resume_present();
        self.stream()?;
        if self.journey.is_some() || self.streaming.status == StreamStatus::Holding {
            return Ok(());
        }
        let now = (self.ticks, &self.controller, self.previous);
        if let Some(moment) = self.history.capture(&self.scene, self.player, now, &self.doors) {
            self.history.push(moment);
        }
        self.ticks += 1;
        for key in self.doors.update(&self.world, &mut self.scene, self.ticks)? {
            let name = self.name(key);
            self.journal.note(self.ticks, format!("{name} closes by itself"));
        }
        let intent = self.move_player()?;
        self.record(intent)?;
        self.move_others()?;
        self.note_events();
        self.after_touch()
    }

    /// Ticks the player with what the keys ask for; returns the sweep that was made for him.
    fn move_player(&mut self) -> Result<Option<Intent>> {
        self.previous = self.position();
        self.controller.drive(&mut self.scene, self.player, &self.controls, TICK)?;
        let turn = std::mem::take(&mut self.pending_turn);
        if turn != 0.0 {
            let motion = self.scene.get(self.player).map(|player| player.motion).unwrap_or_default();
            let rate = turn.to_radians() / TICK as f32;
            self.scene.set_motion(self.player, Motion { turn: motion.turn + rate, ..motion })?;
            // The mouse's turn has been drawn already: only what the keys turn is drawn bit by bit.
            let turned = self.previous.frame.rotation().then_after(Quat::from_heading(turn));
            self.previous.frame.set_rotation(turned);
        }
        let mut intent = None;
        let watch = &mut |entity: &_, target: &_| intent = Some(Intent::of(entity, target));
        let result = self.scene.tick_watched(&self.world, self.player, TICK, watch)?;
        self.touched.clear();
        if result.swept {
            self.touched.extend_from_slice(self.scene.last_sweep().touched());
        }
        let step = self.ticks as i64 - 1;
        self.last = Line::of(&self.scene, self.player, step, &result);
        if let Some(CellChange { from, to }) = self.last.cell_changed {
            self.journal.cross(self.ticks, from, to);
        }
        self.velocities.rotate_right(1);
        self.velocities[0] = self.previous.offset_to(&self.position()) / TICK as f32;
        Ok(intent.filter(|_| result.swept))
    }

    /// Everything else that is not static: people settle on the ground, doors become solid again.
    fn move_others(&mut self) -> Result<()> {
        let others = self.scene.entities().filter(|(key, entity)| {
            *key != self.player && !entity.state.contains(State::STATIC) && entity.cell.is_some()
        });
        let others: Vec<EntityKey> = others.map(|(key, _)| key).collect();
        for key in others {
            self.scene.tick(&self.world, key, 0.0)?;
        }
        Ok(())
    }

    fn note_events(&mut self) {
        let events: Vec<Event> = self.scene.drain_events().collect();
        for event in events {
            if let Event::Collided { entity, other } = event
                && entity == self.player
            {
                let name = self.name(other);
                self.journal.note(self.ticks, format!("touched {name}"));
            }
        }
    }

    /// Portals lead away; whoever falls out of the world is put back.
    fn after_touch(&mut self) -> Result<()> {
        let portal = self.touched.iter().find_map(|&key| {
            let entity = self.data.entity(self.scene.get(key)?.guid?)?;
            Some((entity.name.clone(), entity.destination?))
        });
        if let Some((name, destination)) = portal {
            self.journal.note(self.ticks, format!("through {name}"));
            return self.travel(Spot::Exact(destination), &name);
        }
        let player = self.scene.get(self.player).context("the player is gone")?;
        if player.cell.is_none() {
            self.journal.note(self.ticks, "fell out of the world and was put back");
            return self.travel(Spot::Exact(self.safe), "solid ground");
        }
        if player.has(Transient::ON_WALKABLE) {
            self.safe = player.position;
        }
        Ok(())
    }

    /// The player as he is drawn now: between the last two ticks.
    pub fn drawn_player(&self) -> Position {
        let current = self.position();
        let moved = if self.paused || self.history.shown.is_some() {
            current
        } else {
            self.between(&self.previous, &current, (self.accumulator / TICK) as f32)
        };
        if self.pending_turn == 0.0 {
            return moved;
        }
        let turned = moved.frame.rotation().then_after(Quat::from_heading(self.pending_turn));
        Position::new(moved.cell, Frame::new(moved.frame.origin, turned))
    }

    /// Part of the way between two committed places; in the cell of the first as long as that contains it.
    fn between(&self, from: &Position, to: &Position, part: f32) -> Position {
        let way = from.offset_to(to);
        let rotation = from.frame.rotation().interpolate(to.frame.rotation(), part);
        let early = Position::new(from.cell, Frame::new(from.frame.origin + way * part, rotation));
        let late = Position::new(to.cell, Frame::new(to.frame.origin - way * (1.0 - part), rotation));
        let center = self.scene.get(self.player).and_then(|player| player.model.spheres.first());
        let center = center.map_or(Vec3::ZERO, |sphere| sphere.center);
        let holds = self.world.cell(from.cell).is_some_and(|cell| cell.contains(early.frame.apply(center)));
        if holds { early } else { late }
    }

    /// The player as the camera sees him.
    pub fn camera_player(&self) -> Player {
        let entity = self.scene.get(self.player);
        let grounded = entity.filter(|player| player.has(Transient::ON_WALKABLE));
        Player {
            position: self.drawn_player(),
            ground: grounded.map(|player| player.contact_plane.normal),
            velocity: self.velocities.iter().sum::<Vec3>() / self.velocities.len() as f32,
        }
    }

    fn update_eye(&mut self, seconds: f32) {
        let player = self.camera_player();
        let course = self.course;
        self.eye.update(&self.world, &self.scene, self.player, &player, &course, seconds);
    }

    // ---- things ----------------------------------------------------------------------------------------------

    /// The name of an object for people.
    pub fn name(&self, key: EntityKey) -> String {
        let Some(entity) = self.scene.get(key) else { return "nothing".into() };
        let known = entity.guid.and_then(|guid| self.data.entity(guid));
        match known {
            Some(known) => known.name.clone(),
            None if key == self.player => "the player".into(),
            None => format!("object {}", entity.model.id),
        }
    }

    /// What there is to say about an object.
    pub fn describe(&self, key: EntityKey) -> String {
        let Some(entity) = self.scene.get(key) else { return "It is gone.".into() };
        let known = entity.guid.and_then(|guid| self.data.entity(guid));
        match known.map(|known| (known.kind, known)) {
            Some((EntityKind::Door, door)) => {
                let open = self.doors.get(key).is_some_and(|door| door.open);
                format!("{}: {}", door.name, if open { "open" } else { "closed" })
            }
            Some((EntityKind::Chest, chest)) => format!("{}: a chest, locked", chest.name),
            Some((EntityKind::Sign, sign)) => format!("{}: a sign to read the way by", sign.name),
            Some((EntityKind::Person, person)) => format!("{}, who lives here", person.name),
            Some((EntityKind::Creature, beast)) => format!("{}: a beast, best left alone", beast.name),
            Some((EntityKind::Portal, portal)) => {
                let to = portal.destination.map(|to| to.cell.to_string()).unwrap_or_default();
                format!("{}: leads to {to}", portal.name)
            }
            None => format!("an object of the landscape, model {}", entity.model.id),
        }
    }

    /// What a ray from the eye meets first.
    pub fn pick(&self, direction: Vec3) -> Option<Pick> {
        let eye = self.eye.position()?;
        pick::pick(&self.world, &self.scene, eye, direction, self.player)
    }

    /// The nearest door before the player that is within reach.
    pub fn door_ahead(&self) -> Option<EntityKey> {
        let player = self.position();
        let facing = player.frame.rotate(Vec3::Y);
        let reach = |door: &Door| {
            let way = player.offset_to(&self.scene.get(door.key)?.position);
            let distance = way.truncate().length();
            let ahead = facing.dot(way.with_z(0.0)) >= -0.2 * distance || distance < 1.0;
            (distance <= ARM && way.z.abs() < ARM && ahead).then_some((distance, door.key))
        };
        self.doors.iter().filter_map(reach).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, key)| key)
    }

    /// Uses an object: opens or closes a door, looks at anything else.
    pub fn use_entity(&mut self, key: EntityKey) -> Result<()> {
        let change = self.doors.turn(&self.world, &mut self.scene, key, self.ticks)?;
        let name = self.name(key);
        let text = match change {
            Some(DoorChange::Opened) => format!("{name} opens"),
            Some(DoorChange::Closed) => format!("{name} closes"),
            Some(DoorChange::Blocked) => format!("{name} cannot close: something stands in it"),
            None => self.describe(key),
        };
        self.journal.note(self.ticks, text);
        Ok(())
    }

    // ---- time ------------------------------------------------------------------------------------------------

    /// Whether time stands still.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Stops time, or lets it go on from the moment that is shown.
    pub fn set_paused(&mut self, paused: bool) {
        self.paused = paused;
        self.accumulator = 0.0;
        self.previous = self.position();
        if !paused {
            self.resume_present();
        }
    }

    /// Ticks that are remembered before the present.
    pub fn remembered(&self) -> usize {
        self.history.len() - usize::from(self.history.shown.is_some())
    }

    /// How many ticks back the shown moment lies.
    pub fn ticks_back(&self) -> usize {
        self.history.shown.map_or(0, |shown| self.history.len() - 1 - shown)
    }

    /// Shows the moment so many ticks before the present; time stands still.
    pub fn rewind(&mut self, ticks_back: usize) -> Result<()> {
        self.set_paused_at_present()?;
        let index = (self.history.len() - 1).saturating_sub(ticks_back);
        self.history.shown = Some(index);
        let moment: Moment = self.history.get(index).cloned().context("nothing is remembered")?;
        self.streaming.settle(&mut self.world, &mut self.scene, moment.place());
        moment.restore(&self.world, &mut self.scene)?;
        self.scene.drain_events();
        self.ticks = moment.tick;
        self.doors = (*moment.doors).clone();
        self.controller = moment.controller;
        self.previous = moment.previous;
        self.pending_turn = 0.0;
        self.touched.clear();
        self.last = Line::of(&self.scene, self.player, self.ticks as i64 - 1, &AT_REST);
        self.journey = None;
        Ok(())
    }

    /// The present becomes the last remembered moment, so that one can come back to it.
    fn set_paused_at_present(&mut self) -> Result<()> {
        self.paused = true;
        self.accumulator = 0.0;
        if self.history.shown.is_none() {
            let now = (self.ticks, &self.controller, self.previous);
            let present = self.history.capture(&self.scene, self.player, now, &self.doors);
            self.history.push(present.context("the player is gone")?);
            self.history.shown = Some(self.history.len() - 1);
        }
        Ok(())
    }

    /// What is shown becomes the present.
    fn resume_present(&mut self) {
        if self.history.shown.is_some() {
            self.history.cut();
            self.journal.forget_after(self.ticks);
        }
    }

    // ---- recording -------------------------------------------------------------------------------------------

    /// Begins a capture file.
    pub fn start_recording(&mut self, path: &Path) -> Result<()> {
        self.recorder = Some(Recorder::create(path)?);
        self.journal.note(self.ticks, format!("recording to {}", path.display()));
        Ok(())
    }

    /// The recording under way.
    pub fn recorder(&self) -> Option<&Recorder> {
        self.recorder.as_ref()
    }

    /// Ends the capture file; its path and how many sweeps are in it.
    pub fn stop_recording(&mut self) -> Result<Option<(PathBuf, u64)>> {
        let Some(recorder) = self.recorder.take() else { return Ok(None) };
        let done = recorder.finish()?;
        self.journal.note(self.ticks, format!("recorded {} sweeps to {}", done.1, done.0.display()));
        Ok(Some(done))
    }

    fn record(&mut self, intent: Option<Intent>) -> Result<()> {
        let (Some(recorder), Some(intent)) = (&mut self.recorder, intent) else { return Ok(()) };
        let scene = &self.scene;
        let player = scene.get(self.player).context("the player is gone")?;
        let guests = scene.entities().filter(|(key, entity)| *key != self.player && entity.cell.is_some());
        let mut others: Vec<(u32, EntityKey)> =
            guests.filter_map(|(key, entity)| Some((entity.guid?, key))).collect();
        others.extend(self.streaming.scenery());
        recorder.write(scene, player, &others, intent, &self.last, &self.touched)
    }
}

fn spawn(
    data: &Data,
    world: &World,
    scene: &mut Scene,
    entity: &threshold_sample::Entity,
) -> Result<EntityKey> {
    let model = data.library.model(entity.setup)?.with_context(|| format!("no model {}", entity.setup))?;
    let living = matches!(entity.kind, EntityKind::Creature | EntityKind::Person);
    let frame = Frame::new(entity.origin.into(), Quat::from(entity.rotation));
    Ok(scene.spawn(
        world,
        Spawn {
            guid: Some(entity.id),
            model,
            position: Position::new(entity.cell, frame),
            state: State::from_bits_retain(entity.state),
            scale: entity.scale,
            facts: Facts { creature: living, ..Facts::default() },
        },
    )?)
}
