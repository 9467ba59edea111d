//! What is loaded around the player or the flying eye: blocks by background threads, scenery a block at a time.

use crate::data::Data;
use std::{collections::BTreeMap, sync::Arc, thread, time::Duration};
use threshold_dat::{
    DatId, IdScheme,
    records::{self, DatRecord},
};
use threshold_physics::{EntityKey, Facts, Scene, Spawn, State};
use threshold_render::scenery::{Growth, grow};
use threshold_world::{
    BlockId, Library, Position, Problem, World,
    stream::{StreamConfig, StreamEvent, StreamStatus, Streamer},
};

/// Rings of blocks around the player's in which scenery grows.
const SCENERY_RINGS: u8 = 1;
/// Rings beyond which it is taken out again: a step across a border and back plants nothing anew.
const SCENERY_KEPT: u8 = 2;

/// Game ids of scenery, which has none of its own, in captures: the low bits count.
pub(super) const SCENERY_IDS: u32 = 0xE000_0000;

/// Keeps world and scene loaded around a place.
pub(super) struct Streaming {
    streamer: Streamer,
    library: Arc<Library>,
    region: Option<Arc<records::Region>>,
    scenes: BTreeMap<DatId, Option<Arc<records::Scene>>>,
    planted: BTreeMap<BlockId, Vec<EntityKey>>,
    pub(super) status: StreamStatus,
    pub(super) problems: Vec<Problem>,
}

impl Streaming {
    pub(super) fn new(data: &Data, config: StreamConfig) -> Streaming {
        let library = data.library.clone();
        Streaming {
            streamer: Streamer::new(library.clone(), config),
            region: load(&library, DatId(0x1300_0000)).map(Arc::new),
            library,
            scenes: BTreeMap::new(),
            planted: BTreeMap::new(),
            status: StreamStatus::Holding,
            problems: Vec::new(),
        }
    }

    /// Takes over what the threads have finished; never waits for them.
    pub(super) fn update(&mut self, world: &mut World, scene: &mut Scene, focus: &Position) {
        let report = self.streamer.tick(world, Some(focus));
        self.status = report.status;
        self.problems.extend(report.problems);
        let library = &self.library;
        scene.follow(world, &report.events, &mut |id| library.model(id).ok().flatten());
        for event in &report.events {
            if let StreamEvent::LandscapeUnloaded(block) = *event {
                self.uproot(world, scene, block);
            }
        }
        self.garden(world, scene, focus.cell.block());
    }

    /// Waits until everything around a place is there.
    pub(super) fn settle(&mut self, world: &mut World, scene: &mut Scene, focus: &Position) -> bool {
        for _ in 0..60_000 {
            self.update(world, scene, focus);
            if self.status == StreamStatus::Settled && self.next_plot(world, focus.cell.block()).is_none() {
                return true;
            }
            if self.status != StreamStatus::Settled {
                thread::sleep(Duration::from_millis(1));
            }
        }
        false
    }

    /// The nearest block whose scenery is to be planted.
    fn next_plot(&self, world: &World, middle: BlockId) -> Option<BlockId> {
        let rings = |v: u8| v.saturating_sub(SCENERY_RINGS)..=v.saturating_add(SCENERY_RINGS);
        let near = rings(middle.x()).flat_map(|x| rings(middle.y()).map(move |y| BlockId::new(x, y)));
        near.filter(|id| !self.planted.contains_key(id) && world.landscape(*id).is_some())
            .min_by_key(|id| distance(*id, middle))
    }

    /// Plants one block and takes out what is far away: little enough for any tick.
    fn garden(&mut self, world: &World, scene: &mut Scene, middle: BlockId) {
        if let Some(far) = self.planted.keys().copied().find(|&id| distance(id, middle) > SCENERY_KEPT) {
            self.uproot(world, scene, far);
        }
        let Some(plot) = self.next_plot(world, middle) else { return };
        let growths = self.growths(world, plot);
        let keys = growths.iter().filter_map(|growth| self.plant(world, scene, growth)).collect();
        self.planted.insert(plot, keys);
    }

    fn growths(&mut self, world: &World, block: BlockId) -> Vec<Growth> {
        let (Some(region), Some(data)) = (self.region.clone(), world.block_data(block).cloned()) else {
            return Vec::new();
        };
        let (library, scenes) = (&self.library, &mut self.scenes);
        let scene = |id| scenes.entry(id).or_insert_with(|| load(library, id).map(Arc::new)).clone();
        grow(&data, &region, scene, |id| library.model(id).ok().flatten())
    }

    fn plant(&self, world: &World, scene: &mut Scene, growth: &Growth) -> Option<EntityKey> {
        let model = self.library.model(growth.model).ok().flatten()?;
        let mut state = State::STATIC;
        state.set(State::HAS_PHYSICS_BSP, model.has_physics_mesh());
        let facts = Facts { has_game_object: false, ..Facts::default() };
        let position = Position::new(growth.cell, growth.frame);
        scene.spawn(world, Spawn { guid: None, model, position, state, scale: growth.scale, facts }).ok()
    }

    fn uproot(&mut self, world: &World, scene: &mut Scene, block: BlockId) {
        for key in self.planted.remove(&block).unwrap_or_default() {
            // Nobody else takes scenery out.
            let _ = scene.despawn(world, key);
        }
    }

    /// All scenery with the ids it has in captures.
    pub(super) fn scenery(&self) -> impl Iterator<Item = (u32, EntityKey)> + '_ {
        let keys = self.planted.values().flatten();
        keys.enumerate().map(|(number, &key)| (SCENERY_IDS + number as u32, key))
    }
}

fn distance(a: BlockId, b: BlockId) -> u8 {
    a.x().abs_diff(b.x()).max(a.y().abs_diff(b.y()))
}

fn load<R: DatRecord>(library: &Library, id: DatId) -> Option<R> {
    let bytes = library.source().record(IdScheme::Portal, id).ok().flatten()?;
    R::load(id, &bytes).ok()
}
