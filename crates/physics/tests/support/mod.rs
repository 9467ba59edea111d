//! Golden worlds as settings, and shorthand for putting things into them.
#![allow(dead_code, reason = "every test binary uses a part of it")]

use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_physics::{
    EntityKey, EntityRole, PlaceOptions, Placement, Scene, Spawn, State, Transient, scene::CrowdReport,
};
use threshold_scenario::EntitySpec;
use threshold_world::{
    CellId, Frame, Library, Position, World, load_all,
    source::{DatSource, Source},
};

pub(crate) const PLAYER: u32 = 0x0200_0001;
pub(crate) const DOOR: u32 = 0x0200_0100;
pub(crate) const CHEST: u32 = 0x0200_0101;
pub(crate) const TREE: u32 = 0x0200_0102;
pub(crate) const CREATURE: u32 = 0x0200_0103;
pub(crate) const CRATE: u32 = 0x0200_0104;
pub(crate) const PLATFORM: u32 = 0x0200_0105;
pub(crate) const BALL: u32 = 0x0200_010B;

/// A closed door as a server sends it, and an open one.
pub(crate) const CLOSED: State = State::from_bits_retain(0x1_0008);
pub(crate) const OPEN: State = State::from_bits_retain(0x1_000C);
/// A walking body.
pub(crate) const WALKER: State = State::from_bits_retain(0x0040_0408);

/// A golden world, wholly loaded: the layers below a simulation, as these tests use them.
pub(crate) struct Setting {
    pub(crate) world: World,
    pub(crate) library: Library,
    pub(crate) scene: Scene,
}

impl Setting {
    pub(crate) fn load(source: impl Source + 'static) -> Setting {
        let library = Library::new(Arc::new(source));
        let (world, _) = load_all(&library).expect("a world that loads");
        let mut scene = Scene::new();
        scene.blocks_loaded(&world, &world.block_ids().collect::<Vec<_>>());
        Setting { world, library, scene }
    }

    /// Back to nothing but statics, and to the beginning of time.
    pub(crate) fn reset(&mut self) {
        self.scene.clear_guests(&self.world);
    }
}

pub(crate) fn setting(world: &str) -> Setting {
    Setting::load(DatSource::open(threshold_golden::world_dir(world)).expect("a golden world"))
}

/// A named point of a golden world.
pub(crate) fn point(world: &str, name: &str) -> Position {
    let point = &threshold_golden::manifest(world)["points"][name];
    let number = |i: usize| point["origin"][i].as_f64().expect("a number") as f32;
    let cell = point["cell"].as_str().expect("a cell");
    let cell: CellId = cell.parse().expect("a cell id");
    at(cell.0, number(0), number(1), number(2))
}

pub(crate) fn at(cell: u32, x: f32, y: f32, z: f32) -> Position {
    Position::new(CellId(cell), Frame::at(Vec3::new(x, y, z)))
}

pub(crate) fn moved(position: &Position, by: [f32; 3]) -> Position {
    let mut position = *position;
    position.frame.origin += Vec3::from(by);
    position
}

/// What is to be spawned: a model of the setting's world.
pub(crate) fn object(setting: &Setting, guid: u32, setup: u32, position: Position, state: State) -> Spawn {
    let model = setting.library.model(DatId(setup)).expect("readable").expect("a model");
    Spawn { guid: Some(guid), model, position, state, scale: 1.0, role: EntityRole::default() }
}

pub(crate) fn spawn(
    setting: &mut Setting,
    guid: u32,
    setup: u32,
    position: Position,
    state: State,
) -> EntityKey {
    let object = object(setting, guid, setup, position, state);
    setting.scene.spawn(&setting.world, object).expect("a spawn")
}

/// Brings in recorded objects.
pub(crate) fn spawn_recorded<'e>(setting: &mut Setting, entities: impl IntoIterator<Item = &'e EntitySpec>) {
    for entity in entities {
        let spawn = entity.spawn(&setting.library).expect("a recorded object");
        let key = setting.scene.spawn(&setting.world, spawn).expect("a recorded object");
        setting.scene.set_admission(key, entity.admission()).expect("it is there");
    }
}

/// Lets time pass and updates one object.
pub(crate) fn tick(setting: &mut Setting, key: EntityKey, seconds: f64) {
    setting.scene.advance_clock(seconds).expect("a time");
    setting.scene.update(&setting.world, key).expect("it is there");
}

/// Lets time pass for everything.
pub(crate) fn tick_all(setting: &mut Setting, seconds: f64) -> CrowdReport {
    setting.scene.advance_clock(seconds).expect("a time");
    setting.scene.update_all(&setting.world)
}

/// A player that stands on the ground at a position.
pub(crate) fn player(setting: &mut Setting, guid: u32, position: Position) -> EntityKey {
    let role = EntityRole { is_player: true, ..EntityRole::default() };
    let spawn = Spawn { role, ..object(setting, guid, PLAYER, position, WALKER) };
    stand(setting, spawn)
}

/// Brings something in and puts it onto the ground under it.
pub(crate) fn stand(setting: &mut Setting, spawn: Spawn) -> EntityKey {
    let position = spawn.position;
    let key = setting.scene.spawn(&setting.world, spawn).expect("a spawn");
    let placed =
        setting.scene.place(&setting.world, key, &position, PlaceOptions::default()).expect("a placement");
    assert_eq!(placed.0, Placement::Placed);
    let entity = &setting.scene.get(key).expect("it is there");
    assert!(entity.has(Transient::ON_WALKABLE), "it stands on the ground");
    setting.scene.drain_events();
    key
}

/// The cells an object can be hit in.
pub(crate) fn cells_of(scene: &Scene, key: EntityKey) -> Vec<u32> {
    let shadows = scene.get(key).expect("it is there").shadows();
    shadows.iter().filter(|shadow| shadow.is_joined()).map(|shadow| shadow.cell.0).collect()
}

/// Whether an object can be hit in a cell.
pub(crate) fn is_in(scene: &Scene, cell: u32, key: EntityKey) -> bool {
    scene.shadows_in(CellId(cell)).contains(&key)
}

/// Every list holds exactly the objects that say they are in it, and no list of an unloaded cell holds any.
pub(crate) fn assert_lists_agree(setting: &Setting) {
    let scene = &setting.scene;
    for (cell, list) in scene.shadow_lists() {
        assert!(setting.world.cell(cell).is_some(), "{cell} is not loaded and has a list");
        for (i, &key) in list.iter().enumerate() {
            assert!(!list[..i].contains(&key), "{cell} lists an object twice");
            assert!(
                cells_of(scene, key).contains(&cell.0),
                "{cell} lists an object that does not know of it"
            );
        }
    }
    for (key, entity) in scene.entities() {
        for shadow in entity.shadows().iter().filter(|shadow| shadow.is_joined()) {
            assert!(scene.shadows_in(shadow.cell).contains(&key), "{:?} is missing in {}", key, shadow.cell);
        }
    }
}

/// Sweeps an object by a displacement; true when it got at least half the way.
pub(crate) fn push(setting: &mut Setting, key: EntityKey, by: [f32; 3]) -> bool {
    let from = setting.scene.get(key).expect("it is there").position;
    setting.scene.move_to(&setting.world, key, &moved(&from, by), None).expect("a move");
    let to = setting.scene.get(key).expect("it is there").position;
    from.offset_to(&to).length() >= Vec3::from(by).length() / 2.0
}

/// Pushes an object on and on; returns how far it got in all.
pub(crate) fn push_on(setting: &mut Setting, key: EntityKey, by: [f32; 3], times: usize) -> Vec3 {
    let from = setting.scene.get(key).expect("it is there").position;
    for _ in 0..times {
        push(setting, key, by);
    }
    from.offset_to(&setting.scene.get(key).expect("it is there").position)
}
