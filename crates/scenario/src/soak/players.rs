//! Players in a world with doors and portals: they run and jump, and blocks come and go under them.

use super::{
    crowd::{loaded_cells, random_spot, settle},
    run::{Soak, Violation},
};
use std::sync::Arc;
use threshold_physics::{
    movement::{Controller, Controls, Skills},
    scene::{EntityKey, PlaceOptions, Scatter, Spawn},
};
use threshold_sim::{DoorChange, Event};
use threshold_world::{BlockId, CellId, Position, World, cell::EnvCell, model::Model};

/// Ticks between two uses of a door, teleports, unloadings and loadings, on average.
const DOOR: usize = 10;
const TELEPORT: usize = 12;
const UNLOAD: usize = 150;
const LOAD: usize = 75;
/// Blocks that are unloaded at a time.
const MAX_UNLOADED: usize = 3;

impl Soak {
    /// Spawns up to `count` players on solid ground; returns how many found room.
    pub fn add_players(&mut self, model: &Arc<Model>, count: usize) -> usize {
        let before = self.guests.len();
        for _ in 0..count {
            let Some(position) = self.player_spot() else { break };
            let (world, scene) = self.sim.parts_mut();
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
        self.sim.parts_mut().1.drain_events();
        self.guests.len() - before
    }

    /// A tick of the game, preceded by random events; then everything is checked.
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
        self.go_on_restored(action);
        self.check(action)
    }

    fn use_door(&mut self) {
        let Some(key) = self.random.pick(&self.doors).map(|door| door.key) else { return };
        match self.sim.use_object(key) {
            Ok(Some(DoorChange::Opened)) => self.count("open door"),
            Ok(Some(DoorChange::Closed)) => self.count("close door"),
            Ok(Some(DoorChange::Blocked)) => self.count("blocked door"),
            other => drop(self.fault.get_or_insert(format!("a door cannot be used: {other:?}"))),
        }
        self.expected.shape_changed(key);
    }

    /// Mostly a named place, else anywhere.
    fn player_spot(&mut self) -> Option<Position> {
        let world = self.sim.world();
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
        let scatter = Scatter { always: false, tries: 8, x: 2.0, y: 2.0, seed };
        let (world, scene) = self.sim.parts_mut();
        let options = PlaceOptions::default().scatter(scatter);
        if let Ok((_, result)) = scene.place(world, key, to, options)
            && result.ok
        {
            let cells = scene.last_sweep().cells();
            self.expected.swept(world, scene, key, cells.entries(), cells.missing());
        }
        self.doors.iter_mut().for_each(|door| door.forget(key));
    }

    /// A player that touched a portal in this tick goes where it leads.
    fn enter_portals(&mut self) {
        let mut sent = Vec::new();
        for event in self.take_events() {
            let Event::Touched { entity, other, .. } = event else { continue };
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

    /// A player that fell out of the world although the cell is there comes in again somewhere.
    fn rescue(&mut self) {
        let (world, scene) = (self.sim.world(), self.sim.scene());
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
        let ids: Vec<BlockId> = self.sim.world().block_ids().collect();
        let under = self.guest().and_then(|key| Some(self.sim.scene().get(key)?.cell?.block()));
        let anywhere = self.random.pick(&ids).copied();
        let Some(block) = under.filter(|_| !self.random.once_in(3)).or(anywhere) else { return };
        let residents = self.residents(|home| home.block() == block);
        let cells: Vec<CellId> = rooms(self.sim.world(), block);
        if let Err(error) = self.sim.drop_block(block) {
            self.fault.get_or_insert(format!("{block} cannot be dropped: {error}"));
        }
        self.sim.library().release_unused();
        let (world, scene) = (self.sim.world(), self.sim.scene());
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
        if let Err(error) = self.sim.load_blocks([block]) {
            self.fault.get_or_insert(format!("{block} cannot be loaded: {error}"));
        }
        let (world, scene) = (self.sim.world(), self.sim.scene());
        let land = (1..=0x40).map(|low| block.cell(low)).filter(|_| world.landscape(block).is_some());
        for cell in land.chain(rooms(world, block)) {
            self.expected.loaded(world, scene, cell);
        }
        self.expected.sync_statics(world, scene);
        self.count("load block");
    }
}

/// The interior cells of a block.
fn rooms(world: &World, block: BlockId) -> Vec<CellId> {
    let data = world.block_data(block);
    data.map_or_else(Vec::new, |data| data.env_cells.iter().flatten().map(EnvCell::id).collect())
}
