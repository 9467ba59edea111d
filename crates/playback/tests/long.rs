//! Two hours among 5,000 objects: how fast they are played, and in how much memory.
//!
//! `cargo test --release -p threshold-playback --test long -- --ignored --nocapture`

use glam::Vec3;
use std::{fs::File, io::Write, sync::Arc, time::Instant};
use threshold_dat::DatId;
use threshold_physics::Entity;
use threshold_playback::{Options, Playback, time_of_tick};
use threshold_sim::{PLAYER_SETUP, PLAYER_STATE, Residency, Simulation, TICKS_PER_SECOND};
use threshold_wire::{
    Capture, DEFAULT_PORTS, Guid, Message, Recording, SessionWriter, Side, Time,
    messages::{
        self, AutonomousPosition, Deleted, GameAction, InterpretedState, Motion, MotionUpdate, Movement,
        MovementKind, ObjectDescription, PackedPosition, PhysicsDescription, PlayerCreated, PositionStamps,
        PositionUpdate, ReportStamps, WeenieDescription,
    },
};
use threshold_world::{BlockId, Library, World};

/// The whole session; `THRESHOLD_LONG_SECONDS` asks for less of it.
const TWO_HOURS: u64 = 2 * 60 * 60;
const OBJECTS: u32 = 5_000;
/// Objects that are told to walk, run or stand in a second.
const TOLD: u32 = 100;
/// Objects whose position is reported in a second.
const REPORTED: u32 = 20;
const START: Time = Time(1_420_113_600_000_000);
/// Metres from the middle of the village at which the player runs around it, and how fast.
const LAP: (f32, f32) = (250.0, 4.0);

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(sides)) as u32
    }

    /// Somewhere in the sample world's 25 blocks around the village, in metres from the south-west corner.
    fn place(&mut self) -> [f32; 2] {
        [0, 1].map(|_| self.roll(9500) as f32 / 10.0 + 5.0)
    }

    /// A few metres from there.
    fn near(&mut self, place: [f32; 2]) -> [f32; 2] {
        place.map(|at| (at + self.roll(100) as f32 / 10.0 - 5.0).clamp(1.0, 959.0))
    }
}

/// A place on the ground, by metres from the south-west corner of the 25 blocks.
fn on_ground(world: &World, place: [f32; 2]) -> messages::Position {
    let block = BlockId((0x7E + (place[0] / 192.0) as u16) << 8 | (0x7E + (place[1] / 192.0) as u16));
    let local = Vec3::new(place[0] % 192.0, place[1] % 192.0, 0.0);
    let ground = world.block_data(block).and_then(|data| data.terrain.ground_at(local)).expect("ground");
    let cell = (local.x / 24.0) as u16 * 8 + (local.y / 24.0) as u16 + 1;
    messages::Position {
        cell: block.cell(cell),
        origin: [local.x, local.y, ground.height + 0.01],
        rotation: [1.0, 0.0, 0.0, 0.0],
    }
}

fn described(guid: u32, at: messages::Position, table: DatId, state: u32) -> Message<'static> {
    let mut object = ObjectDescription { guid: Guid(guid), ..ObjectDescription::default() };
    object.physics = PhysicsDescription {
        state,
        position: Some(at),
        motion_table: Some(table),
        setup: Some(PLAYER_SETUP),
        ..PhysicsDescription::default()
    };
    object.weenie = WeenieDescription { item_type: 0x10, ..WeenieDescription::default() };
    Message::CreateObject(Box::new(object))
}

struct Script<'w> {
    world: &'w World,
    writer: SessionWriter,
    tick: u64,
    actions: u32,
    /// Where objects live, and the stamps of their positions and movements.
    objects: Vec<([f32; 2], [u16; 2])>,
    dice: Dice,
    table: DatId,
}

impl Script<'_> {
    fn say(&mut self, from: Side, message: &Message<'_>) {
        let time = Time(START.0 + time_of_tick(self.tick));
        self.writer.message(time, from, message).unwrap();
    }

    fn create(&mut self, index: u32) {
        let home = self.dice.place();
        self.objects[index as usize] = (home, [0; 2]);
        let creature = 0x0040_0408;
        let message = described(guid(index), on_ground(self.world, home), self.table, creature);
        self.say(Side::Server, &message);
    }

    /// Has an object stand, walk or run.
    fn tell(&mut self) {
        let index = self.dice.roll(OBJECTS);
        let stamp = &mut self.objects[index as usize].1[1];
        *stamp += 1;
        let state = InterpretedState {
            forward: [None, Some(5), Some(7)][self.dice.roll(3) as usize],
            ..Default::default()
        };
        let movement = Movement { style: 0x3D, options: 0, kind: MovementKind::Interpreted(state, None) };
        let motion = Motion { movement_stamp: *stamp, server_control: *stamp, autonomous: false, movement };
        let update = MotionUpdate { guid: Guid(guid(index)), instance: 0, motion };
        self.say(Side::Server, &Message::Movement(Box::new(update)));
    }

    /// Reports an object near its home.
    fn report(&mut self) {
        let index = self.dice.roll(OBJECTS);
        let (home, stamps) = &mut self.objects[index as usize];
        stamps[0] += 1;
        let stamps = PositionStamps { position: stamps[0], ..PositionStamps::default() };
        let position = on_ground(self.world, self.dice.near(*home));
        let position = PackedPosition { position, contact: true, stamps, ..PackedPosition::default() };
        let update = PositionUpdate { guid: Guid(guid(index)), position };
        self.say(Side::Server, &Message::UpdatePosition(update));
    }

    /// The client says where its player is.
    fn run(&mut self, second: u64) {
        let (radius, speed) = LAP;
        let turned = second as f32 * speed / radius;
        let place = [480.0 + radius * turned.cos(), 480.0 + radius * turned.sin()];
        let position = on_ground(self.world, place);
        let report = AutonomousPosition { position, stamps: ReportStamps::default(), contact: true };
        self.actions += 1;
        let action = GameAction::AutonomousPosition(report);
        self.say(Side::Client, &Message::GameAction { sequence: self.actions, action });
    }
}

fn guid(index: u32) -> u32 {
    0x8000_0000 + index
}

fn write(path: &std::path::Path, world: &World, table: DatId, seconds: u64) {
    let mut file = File::create(path).unwrap();
    let mut script = Script {
        world,
        writer: SessionWriter::new(START, "long"),
        tick: 0,
        actions: 0,
        objects: vec![([0.0; 2], [0; 2]); OBJECTS as usize],
        dice: Dice(7),
        table,
    };
    let own = 0x5000_0001;
    script.say(Side::Server, &Message::CreatePlayer(PlayerCreated { guid: Guid(own) }));
    let street = on_ground(world, [480.0 + LAP.0, 480.0]);
    script.say(Side::Server, &described(own, street, table, PLAYER_STATE.bits()));
    (0..OBJECTS).for_each(|index| script.create(index));
    for second in 1..=seconds {
        script.tick = second * TICKS_PER_SECOND;
        // One goes, another comes in its place.
        let index = script.dice.roll(OBJECTS);
        script.say(Side::Server, &Message::DeleteObject(Deleted { guid: Guid(guid(index)), instance: 0 }));
        script.create(index);
        (0..TOLD).for_each(|_| script.tell());
        (0..REPORTED).for_each(|_| script.report());
        script.run(second);
        file.write_all(&script.writer.drain()).unwrap();
    }
}

/// Resident memory in MB, where the system says so.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kilobytes| kilobytes / 1024.0)
}

/// Seconds of processor time so far, all threads together, where the system says so: other programs do not count.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

#[test]
#[ignore = "takes long even in a release build; run it by name"]
fn two_hours_among_5000_objects_play_a_hundred_times_faster_than_they_were() {
    let world = threshold_sample::build().unwrap();
    let library = Arc::new(Library::new(Arc::new(world.source().unwrap())));
    let table = {
        use threshold_dat::{
            IdScheme,
            records::{DatRecord as _, Setup},
        };
        let bytes = library.source().record(IdScheme::Portal, PLAYER_SETUP).unwrap().unwrap();
        Setup::load(PLAYER_SETUP, &bytes).unwrap().defaults.motion_table
    };
    let mut sim = Simulation::builder().library(library).residency(Residency::Whole).build().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.pcap");
    let seconds = std::env::var("THRESHOLD_LONG_SECONDS").map_or(TWO_HOURS, |text| text.parse().unwrap());
    write(&path, sim.world(), table, seconds);
    let megabytes = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    let mut playback = Playback::new(Options::default());
    let mut recording = Recording::new(Capture::open(&path).unwrap(), DEFAULT_PORTS);
    let (started, used) = (Instant::now(), processor_seconds());
    let mut early = None;
    while playback.step(&mut sim, &mut recording).unwrap() {
        if early.is_none() && sim.ticks() >= seconds / 12 * TICKS_PER_SECOND {
            early = resident();
        }
    }
    let (late, wall) = (resident(), started.elapsed().as_secs_f64());
    // Whichever is less: other programs run at the same time, and so do our own threads.
    let took = processor_seconds().zip(used).map_or(wall, |(after, before)| (after - before).min(wall));
    let verdict = playback.finish(&sim);
    assert_eq!(verdict.ticks, seconds * TICKS_PER_SECOND);
    assert!(verdict.objects as u64 > u64::from(OBJECTS) + seconds, "{}", verdict.objects);
    assert!(verdict.most_objects <= OBJECTS as usize + 2, "{}", verdict.most_objects);
    let speed = seconds as f64 / took;
    let pending = |entity: &Entity| {
        let told = entity.interpreter().map_or(0, |interpreter| interpreter.pending().len());
        told + entity.actor().map_or(0, |actor| actor.animator.pending().motions().count())
    };
    println!(
        "{megabytes:.0} MB of session, {} objects at once: {took:.1} s ({wall:.1} s by the clock), {speed:.0} x real time; \
         {early:.1?} MB after a twelfth of it, {late:.1?} MB at the end, {} motions are pending; state {:016x}",
        verdict.most_objects,
        sim.scene().entities().map(|(_, entity)| pending(entity)).sum::<usize>(),
        sim.state_hash(),
    );
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late < early * 1.1 + 4.0, "memory grows: {early:.1} MB, then {late:.1} MB");
    }
    // A part of it is played where changes are judged, on whatever machine that is: there it is a guard against the worst.
    let least = if seconds == TWO_HOURS { 100.0 } else { 50.0 };
    assert!(speed >= least, "{speed:.0} x real time");
}
