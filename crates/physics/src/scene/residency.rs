//! Cells load and unload under the objects. Spec: physics-objects §8.8, §8.14; physics §12 no. 9.
//!
//! What the original does for objects that reach into a cell which loads later is not known. Here every object whose
//! flood asked for the cell and did not find it is flooded again, which covers the original's known rule (objects
//! homed in the cell) and leaves no object out of a list that it belongs to.

use super::{EntityKey, Event, Scene};
use crate::flags::Transient;
use threshold_world::{BlockId, CellId, World, stream::StreamEvent};

impl Scene {
    /// Follows changes of the resident set; `world` already has them. Statics are added and removed with their block or cell.
    /// Other objects stay: one whose own cell was unloaded waits ([`Event::Lost`]) until the cell is loaded again
    /// ([`Event::Found`]), and no list of an unloaded cell keeps an entry.
    pub fn follow(&mut self, world: &World, events: &[StreamEvent]) {
        for event in events {
            match *event {
                StreamEvent::LandscapeLoaded(block) => {
                    self.cells_loaded(world, block.cell(1), block.cell(0x40));
                    self.spawn_listed_statics(world, block);
                }
                StreamEvent::CellLoaded(cell) => {
                    self.cells_loaded(world, cell, cell);
                    self.spawn_cell_statics(world, cell);
                }
                StreamEvent::SceneryLoaded(block) => self.spawn_scenery(world, block),
                StreamEvent::SceneryUnloaded(block) => self.despawn_scenery(world, block),
                StreamEvent::CellUnloaded(cell) => {
                    self.despawn_cell_statics(world, cell);
                    self.cell_unloaded(cell);
                    self.shadows.release(cell.block());
                }
                StreamEvent::LandscapeUnloaded(block) => {
                    self.despawn_outdoor_statics(world, block);
                    for low in 1..=0x40 {
                        self.cell_unloaded(block.cell(low));
                    }
                    self.shadows.release(block);
                }
            }
        }
    }

    /// Like [`Scene::follow`] for blocks that have just been loaded with all their cells: a whole world, or the blocks that a
    /// scenario comes near. Outdoor statics of all of them are added first, then those of their interior cells.
    pub fn blocks_loaded(&mut self, world: &World, blocks: &[BlockId]) {
        for block in blocks {
            self.cells_loaded(world, block.cell(1), block.cell(0xFFFD));
        }
        for &block in blocks {
            self.spawn_listed_statics(world, block);
            self.spawn_scenery(world, block);
        }
        for &block in blocks {
            let Some(data) = world.block_data(block).cloned() else { continue };
            for cell in data.env_cells.iter().flatten() {
                self.spawn_cell_statics(world, cell.id());
            }
        }
    }

    /// Registers anew what waited for any of a run of cells. Retail: `CObjCell::init_objects` (0x0052B420),
    /// `recalc_cross_cells` (0x00515A30).
    fn cells_loaded(&mut self, world: &World, first: CellId, last: CellId) {
        let waiting = self.shadows.waiting_for(first, last);
        let mut keys: Vec<EntityKey> = waiting.map(|key| self.carrier_of(key)).collect();
        keys.sort_unstable();
        keys.dedup();
        for key in keys {
            let Some(entity) = self.entities.get_mut(key) else { continue };
            if entity.cell.is_some() || world.cell(entity.position.cell).is_none() {
                self.reflood(world, key);
                continue;
            }
            entity.last_update = self.now;
            entity.set_active();
            self.seat(world, key);
            self.events.push(Event::Found(key));
        }
    }

    /// Empties a cell's list and sets aside what is at home in it. Entries of objects that are at home elsewhere stay
    /// with them by id.
    fn cell_unloaded(&mut self, cell: CellId) {
        while let Some(&key) = self.shadows.list(cell).last() {
            let Some(entity) = self.entities.get_mut(key) else { break };
            let Some(entry) = entity.shadows.iter_mut().find(|entry| entry.cell == cell) else { break };
            entry.joined = false;
            self.shadows.remove(cell, key);
            self.wait_for(key, cell);
        }
        for key in self.residents_of(cell) {
            // What is carried goes with its parent, which is at home in the same cell.
            if self.entities.get(key).is_some_and(|e| e.parent.is_none()) {
                self.lose_home(key, cell);
            }
        }
    }

    fn residents_of(&self, cell: CellId) -> Vec<EntityKey> {
        let residents = self.residents.range((cell, EntityKey::FIRST)..);
        residents.take_while(|(home, _)| *home == cell).map(|&(_, key)| key).collect()
    }

    /// Sets an object aside until its cell is back.
    fn lose_home(&mut self, key: EntityKey, home: CellId) {
        let by_id = crate::cells::CellEntry { id: home, loaded: false };
        self.change_cell(key, None);
        self.carry_children(key);
        self.replace_shadows(key, &[by_id], &[home]);
        if let Some(entity) = self.entities.get_mut(key) {
            entity.transient.remove(Transient::ACTIVE);
        }
        self.events.push(Event::Lost(key));
    }
}
