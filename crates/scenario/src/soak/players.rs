//! Players in a world with doors and portals: they run and jump, and blocks come and go under them.

use super::{
    crowd::{loaded_cells, random_spot, settle},
    doors::Door,
    run::{Soak, Violation},
};
use crate::Setting;
use std::sync::Arc;
use threshold_physics::{
    Event, State,
    movement::{Controller, Controls, Skills},
    scene::{EntityKey, PlaceOptions, Scatter, Spawn},
};
use threshold_world::{
    BlockId, CellId, Position, cell::EnvCell, load_block, model::Model, stream::StreamEvent,
};

/// Ticks between two uses of a door, teleports, unloadings and loadings, on average.
const DOOR: usize = 10;
const TELEPORT: usize = 12;
const UNLOAD: usize = 150;
const LOAD: usize = 75;
/// Blocks that are unloaded at a time.
const MAX_UNLOADED: usize = 3;

impl Soak {
    /// Names a door. It is opened and closed from now on, and nobody may come through while it is closed.
    pub fn add_door(&mut self, key: EntityKey) {
        self.doors.extend(Door::new(&self.setting.scene, key));
    }

    /// Names a portal: whoever touches it is put elsewhere.
    pub fn add_portal(&mut self, key: EntityKey, destination: Position) {
        self.portals.insert(key, destination);
    }

    /// Names a place where players come in.
    pub fn add_place(&mut self, place: Position) {
        self.places.push(place);
    }

    /// Brings in up to `count` players who stand on solid ground; returns how many found room.
    pub fn add_players(&mut self, model: &Arc<Model>, count: usize) -> usize {
        let before = self.guests.len();
        for _ in 0..count {
            let Some(position) = self.player_spot() else { break };
            let Setting { world, scene, .. } = &mut self.setting;
            let spawn = Spawn::player(self.next_guid, model.clone(), position);
            let Ok(key) = scene.spawn(world, spawn) else { continue };
            self.next_guid = self.next_guid.wrapping_add(1);
            let cells = loaded_cells(world);
            if settle(world, scene, key, &cells, position, &mut self.random) {
                let cells = scene.last_sweep().cells();
                self.expected.swept(world, scene, key, cells.entries(), cells.missing());
                let skills = Skills { run: self.random.below(800) as u32, jump: 300, burden: 0.0 };
                self.controllers.insert(key, (Controller::new(skills), Controls::default()));
                self.guests.push(key);
            } else {
                // It was there a moment ago.
                let _ = scene.despawn(world, key);
            }
        }
        self.setting.scene.drain_events();
        self.guests.len() - before
    }

    /// A tick of the game, and whatever happened before it; then everything is checked.
    pub fn play(&mut self) -> Result<(), Violation> {
        if self.random.once_in(DOOR) {
            self.use_door();
        }
        if self.random.once_in(TELEPORT)
            && let Some(key) = self.guest()
        {
            self.send_somewhere(key);
            self.count("teleport");
        }
        if self.dropped.len() < MAX_UNLOADED && self.random.once_in(UNLOAD) {
            self.unload_block();
        }
        if !self.dropped.is_empty() && self.random.once_in(LOAD) {
            let block = self.dropped.swap_remove(self.random.below(self.dropped.len()));
            self.load_block(block);
        }
        let action = self.tick();
        self.enter_portals();
        self.rescue();
        self.check(action)
    }

    fn use_door(&mut self) {
        let Some(door) = self.random.pick(&self.doors) else { return };
        let Setting { world, scene, .. } = &mut self.setting;
        let open = scene.get(door.key).is_some_and(|e| !e.state.contains(State::ETHEREAL));
        // The key is there.
        let _ = scene.set_ethereal(world, door.key, open);
        self.count(if open { "open door" } else { "close door" });
    }

    /// Mostly a named place, else anywhere.
    fn player_spot(&mut self) -> Option<Position> {
        let world = &self.setting.world;
        if !self.random.once_in(4)
            && let Some(place) = self.random.pick(&self.places)
            && world.cell(place.cell).is_some()
        {
            return Some(*place);
        }
        random_spot(world, &loaded_cells(world), &mut self.random)
    }

    fn send_somewhere(&mut self, key: EntityKey) {
        if let Some(spot) = self.player_spot() {
            self.send(key, &spot);
        }
    }

    fn send(&mut self, key: EntityKey, to: &Position) {
        let seed = self.random.bits();
        let scatter = Some(Scatter { always: false, tries: 8, x: 2.0, y: 2.0, seed });
        let Setting { world, scene, .. } = &mut self.setting;
        let options = PlaceOptions { scatter, ..PlaceOptions::default() };
        if let Ok((_, result)) = scene.place(world, key, to, options)
            && result.ok
        {
            let cells = scene.last_sweep().cells();
            self.expected.swept(world, scene, key, cells.entries(), cells.missing());
        }
        self.doors.iter_mut().for_each(|door| door.forget(key));
    }

    /// Whoever touched a portal in this tick goes where it leads.
    fn enter_portals(&mut self) {
        let mut sent = Vec::new();
        for event in self.setting.scene.drain_events() {
            self.stats.note(&event);
            let Event::Collided { entity, other, .. } = event else { continue };
            if self.doors.iter().any(|door| door.key == other) {
                self.stats.door_bumps += 1;
            }
            if let Some(&destination) = self.portals.get(&other)
                && self.controllers.contains_key(&entity)
            {
                sent.push((entity, destination));
            }
        }
        for (key, destination) in sent {
            self.send(key, &destination);
            self.count("portal");
        }
    }

    /// Whoever fell out of the world although the cell is there comes in again somewhere.
    fn rescue(&mut self) {
        let Setting { world, scene, .. } = &self.setting;
        let is_out = |key: &EntityKey| {
            let entity = scene.get(*key);
            entity.is_some_and(|e| e.cell.is_none() && world.cell(e.position.cell).is_some())
        };
        let out: Vec<EntityKey> = self.guests.iter().copied().filter(is_out).collect();
        for key in out {
            self.send_somewhere(key);
            self.count("rescue");
        }
    }

    /// Drops a block, with all its cells and data, rather under somebody's feet than anywhere.
    fn unload_block(&mut self) {
        let ids: Vec<BlockId> = self.setting.world.block_ids().collect();
        let under = self.guest().and_then(|key| Some(self.setting.scene.get(key)?.cell?.block()));
        let anywhere = self.random.pick(&ids).copied();
        let Some(block) = under.filter(|_| !self.random.once_in(3)).or(anywhere) else { return };
        let residents = self.residents(|home| home.block() == block);
        let Setting { world, scene, library, .. } = &mut self.setting;
        let Some(data) = world.remove(block) else { return };
        let cells: Vec<CellId> = data.env_cells.iter().flatten().map(EnvCell::id).collect();
        drop(data);
        let mut events: Vec<StreamEvent> =
            cells.iter().map(|&cell| StreamEvent::CellUnloaded(cell)).collect();
        events.push(StreamEvent::LandscapeUnloaded(block));
        scene.follow(world, &events);
        library.release_unused();
        self.expected.sync_statics(world, scene);
        for cell in cells.into_iter().chain((1..=0x40).map(|low| block.cell(low))) {
            self.expected.unloaded(world, scene, cell, &[]);
        }
        self.expected.unloaded(world, scene, block.cell(1), &residents);
        self.dropped.push(block);
        self.count("unload block");
    }

    /// Reads a block from its records again.
    fn load_block(&mut self, block: BlockId) {
        let Setting { world, scene, library, .. } = &mut self.setting;
        let Ok(loaded) = load_block(library, block) else { return };
        let cells: Vec<CellId> = loaded.block.env_cells.iter().flatten().map(EnvCell::id).collect();
        world.insert_resident(loaded.block);
        let has_land = world.landscape(block).is_some();
        let mut events = Vec::new();
        if has_land {
            events.extend([StreamEvent::LandscapeLoaded(block), StreamEvent::SceneryLoaded(block)]);
        }
        events.extend(cells.iter().map(|&cell| StreamEvent::CellLoaded(cell)));
        scene.follow(world, &events);
        let land = (1..=0x40).map(|low| block.cell(low)).filter(|_| has_land);
        for cell in land.chain(cells) {
            self.expected.loaded(world, scene, cell);
        }
        self.expected.sync_statics(world, scene);
        self.count("load block");
    }
}
