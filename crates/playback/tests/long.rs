//! Two hours among 5,000 objects: how fast they are played, and in how much memory.
//!
//! `cargo test --release -p threshold-playback --test long -- --ignored --nocapture`

use std::{fs::File, io::Write, sync::Arc, time::Instant};
use threshold_dat::DatId;
use threshold_playback::{Options, Playback, time_of_tick};
use threshold_sim::{PLAYER_SETUP, PLAYER_STATE, Simulation, TICKS_PER_SECOND};
use threshold_wire::{
    Capture, DEFAULT_PORTS, Guid, Message, Recording, SessionWriter, Side, Time,
    messages::{
        self, Deleted, InterpretedState, Motion, MotionUpdate, Movement, MovementKind, ObjectDescription,
        PackedPosition, PhysicsDescription, PlayerCreated, PositionStamps, PositionUpdate, WeenieDescription,
    },
};
use threshold_world::{CellId, Library};

/// The whole session; `THRESHOLD_LONG_SECONDS` asks for less of it.
const TWO_HOURS: u64 = 2 * 60 * 60;
const OBJECTS: u32 = 5_000;
/// Objects that are heard of in a second.
const TOLD: u32 = 100;
const START: Time = Time(1_420_113_600_000_000);

/// Numbers that look random, the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(sides)) as u32
    }

    /// Somewhere in the sample world's 25 blocks around the village.
    fn place(&mut self) -> messages::Position {
        let (x, y) = (0x7E + self.roll(5), 0x7E + self.roll(5));
        let local = [self.roll(1900) as f32 / 10.0 + 1.0, self.roll(1900) as f32 / 10.0 + 1.0];
        let cell = (local[0] / 24.0) as u32 * 8 + (local[1] / 24.0) as u32 + 1;
        messages::Position {
            cell: CellId(x << 24 | y << 16 | cell),
            origin: [local[0], local[1], 60.0],
            rotation: [1.0, 0.0, 0.0, 0.0],
        }
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

struct Script {
    writer: SessionWriter,
    file: File,
    tick: u64,
}

impl Script {
    fn say(&mut self, message: &Message<'_>) {
        let time = Time(START.0 + time_of_tick(self.tick));
        self.writer.message(time, Side::Server, message).unwrap();
    }
}

fn write(path: &std::path::Path, table: DatId, seconds: u64) {
    let mut script =
        Script { writer: SessionWriter::new(START, "long"), file: File::create(path).unwrap(), tick: 0 };
    let mut dice = Dice(7);
    let own = 0x5000_0001;
    script.say(&Message::CreatePlayer(PlayerCreated { guid: Guid(own) }));
    let street = messages::Position {
        cell: CellId(0x8080_0015),
        origin: [60.0, 97.5, 20.01],
        rotation: [1.0, 0.0, 0.0, 0.0],
    };
    script.say(&described(own, street, table, PLAYER_STATE.bits()));
    let mut stamps = vec![[0_u16; 2]; OBJECTS as usize];
    let guid = |index: u32| 0x8000_0000 + index;
    let creature = 0x0040_0408;
    for index in 0..OBJECTS {
        let at = dice.place();
        script.say(&described(guid(index), at, table, creature));
    }
    for second in 1..=seconds {
        script.tick = second * TICKS_PER_SECOND;
        // One goes, another comes in its place.
        let index = dice.roll(OBJECTS);
        script.say(&Message::DeleteObject(Deleted { guid: Guid(guid(index)), instance: 0 }));
        let at = dice.place();
        script.say(&described(guid(index), at, table, creature));
        stamps[index as usize] = [0; 2];
        for _ in 0..TOLD {
            let index = dice.roll(OBJECTS);
            let stamp = &mut stamps[index as usize];
            stamp[1] += 1;
            let state = InterpretedState {
                forward: [None, Some(5), Some(7)][dice.roll(3) as usize],
                ..Default::default()
            };
            let movement = Movement { style: 0x3D, options: 0, kind: MovementKind::Interpreted(state, None) };
            let motion =
                Motion { movement_stamp: stamp[1], server_control: stamp[1], autonomous: false, movement };
            script.say(&Message::Movement(Box::new(MotionUpdate {
                guid: Guid(guid(index)),
                instance: 0,
                motion,
            })));
        }
        if second == seconds {
            let stamps = PositionStamps { position: 1, ..PositionStamps::default() };
            let position = PackedPosition { contact: true, stamps, ..PackedPosition::default() };
            let position = PackedPosition { position: dice.place(), ..position };
            script.say(&Message::UpdatePosition(PositionUpdate { guid: Guid(guid(0)), position }));
        }
        let bytes = script.writer.drain();
        script.file.write_all(&bytes).unwrap();
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
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("long.pcap");
    let seconds = std::env::var("THRESHOLD_LONG_SECONDS").map_or(TWO_HOURS, |text| text.parse().unwrap());
    write(&path, table, seconds);
    let megabytes = std::fs::metadata(&path).unwrap().len() as f64 / 1e6;
    let mut sim = Simulation::builder().library(library).build().unwrap();
    let mut playback = Playback::new(Options::default());
    let mut recording = Recording::new(Capture::open(&path).unwrap(), DEFAULT_PORTS);
    let (started, used) = (Instant::now(), processor_seconds());
    let mut early = None;
    while playback.step(&mut sim, &mut recording).unwrap() {
        if early.is_none() && sim.ticks() >= 600 * TICKS_PER_SECOND {
            early = resident();
        }
    }
    let (late, wall) = (resident(), started.elapsed().as_secs_f64());
    let took = processor_seconds().zip(used).map_or(wall, |(after, before)| after - before);
    let verdict = playback.finish(&sim);
    assert_eq!(verdict.ticks, seconds * TICKS_PER_SECOND);
    assert!(verdict.objects as u64 > u64::from(OBJECTS) + seconds, "{}", verdict.objects);
    assert!(verdict.most_objects <= OBJECTS as usize + 2, "{}", verdict.most_objects);
    let speed = seconds as f64 / took;
    println!(
        "{megabytes:.0} MB of session, {} objects at once: {took:.1} s of processor time ({wall:.1} s), {speed:.0} x real time; {early:.1?} MB after ten minutes, {late:.1?} MB at the end",
        verdict.most_objects
    );
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late < early * 1.25 + 20.0, "memory grows: {early:.1} MB, then {late:.1} MB");
    }
    assert!(speed >= 100.0, "{speed:.0} x real time");
}
