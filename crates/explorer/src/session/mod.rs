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
mod things;
mod time;
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
use history::History;
use record::Intent;
use std::sync::Arc;
use streaming::Streaming;
use threshold_dat::DatId;
use threshold_physics::{
    EntityKey, EntityRole, Event, MoveResult, Scene, Spawn, State, Transient,
    movement::{Controller, Controls, Skills},
    scene::{Motion, SweptStep, Viewer},
};
use threshold_scenario::{CellChange, StepReport};
use threshold_view::camera::Player;
use threshold_world::{
    Frame, Position, Quat, World,
    loc::Place as Spot,
    placed::{ObjectKind, PlacedObject},
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
    last: StepReport,
    touched: Vec<EntityKey>,
    velocities: [Vec3; 5],
}

impl Session {
    /// A player at a place (the world's own starting point when there is none), with everything around it loaded.
    pub fn new(data: Arc<Data>, at: Option<Spot>, options: Options) -> Result<Session> {
        let at = at.unwrap_or(data.start);
        let start = at.flat();
        travel::check_block(&data, &start)?;
        let mut world = World::new();
        let mut scene = Scene::new();
        let mut streaming = Streaming::new(&data, options.stream);
        if !streaming.settle(&mut world, &mut scene, &start) {
            bail!("the world around {} cannot be loaded", start.cell);
        }
        let position = at.resolve(&world);
        let model = data.library.model(PLAYER_SETUP)?;
        let model = model.with_context(|| format!("the data files have no player ({PLAYER_SETUP})"))?;
        let (mut doors, mut journal) = (Doors::default(), Journal::default());
        for entity in data.entities.values() {
            match spawn(&data, &world, &mut scene, entity) {
                Ok(key) if entity.kind == ObjectKind::Door => doors.add(key, &scene),
                Ok(_) => {}
                Err(error) => journal.note(0, format!("{} cannot be placed: {error:#}", entity.name)),
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
                role: EntityRole { is_player: true, ..EntityRole::default() },
            },
        )?;
        scene.set_viewers([Viewer::Object(player)]);
        let mut session = Session {
            last: StepReport::of(&scene, player, -1, &AT_REST),
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
            journal,
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
    pub fn last(&self) -> &StepReport {
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
        // The eye may have flown so far away that nothing is loaded around the player: he waits.
        if self.world.cell(self.position().cell).is_none() {
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
            let turned = self.previous.frame.rotation() * Quat::from_heading(turn);
            self.previous.frame.set_rotation(turned);
        }
        self.scene.end_stale_slide(self.player);
        let mut intent = None;
        self.scene.advance_clock(TICK)?;
        let watch = &mut |step: &SweptStep<'_>| intent = Some(Intent::of(step.entity, step.target));
        let result = self.scene.update_watched(&self.world, self.player, watch)?;
        self.touched.clear();
        if result.swept {
            self.touched.extend_from_slice(self.scene.last_sweep().touched());
        }
        let step = self.ticks as i64 - 1;
        self.last = StepReport::of(&self.scene, self.player, step, &result);
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
            self.scene.update(&self.world, key)?;
        }
        Ok(())
    }

    fn note_events(&mut self) {
        let events: Vec<Event> = self.scene.drain_events().collect();
        for event in events {
            if let Event::Collided { entity, other, .. } = event
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
        let turned = moved.frame.rotation() * Quat::from_heading(self.pending_turn);
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
}

fn spawn(data: &Data, world: &World, scene: &mut Scene, entity: &PlacedObject) -> Result<EntityKey> {
    let model = data.library.model(entity.setup)?.with_context(|| format!("no model {}", entity.setup))?;
    Ok(scene.spawn(
        world,
        Spawn {
            guid: Some(entity.id),
            model,
            position: entity.position(),
            state: State::from_bits_retain(entity.state),
            scale: entity.scale,
            role: EntityRole { creature: entity.is_living(), ..EntityRole::default() },
        },
    )?)
}
