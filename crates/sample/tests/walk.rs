//! A player with gravity walks through the sample world: doors, stairs, cellar, tower, cave, dungeon.

use glam::{Vec2, Vec3};
use std::{
    collections::{BTreeMap, VecDeque, btree_map::Entry},
    sync::{Arc, OnceLock},
};
use threshold_dat::DatId;
use threshold_physics::{EntityKey, EntityRole, Spawn, State};
use threshold_sample::SampleWorld;
use threshold_sim::Simulation;
use threshold_world::{CellId, Position, cell::PortalTarget};

/// The village's landblock; places are given in metres from its south-west corner.
const VILLAGE: (f32, f32) = (128.0, 128.0);
const TICK: f64 = 1.0 / 30.0;
const SPEED: f32 = 3.12;

fn sample() -> &'static SampleWorld {
    static WORLD: OnceLock<SampleWorld> = OnceLock::new();
    WORLD.get_or_init(|| threshold_sample::build().unwrap())
}

struct Walker {
    sim: Simulation,
    player: EntityKey,
    /// Cells in the order they were entered.
    cells: Vec<CellId>,
    ticks: u32,
    last_change: u32,
}

impl Walker {
    /// A player at a named place, in a world with all its entities.
    fn at(place: &str) -> Walker {
        let source = sample().source().unwrap();
        let mut sim = Simulation::builder().source(Arc::new(source)).build().unwrap();
        let library = sim.library().clone();
        let (world, scene) = sim.parts_mut();
        for entity in &sample().entities {
            let position = Position::new(
                entity.cell,
                threshold_world::Frame::new(Vec3::from(entity.origin), entity.rotation.into()),
            );
            let spawn = Spawn {
                guid: Some(entity.id),
                model: library.model(entity.setup).unwrap().unwrap(),
                position,
                state: State::from_bits_retain(entity.state),
                scale: entity.scale,
                role: EntityRole::default(),
            };
            scene.spawn(world, spawn).unwrap();
        }
        let start = find(place);
        let spawn = Spawn {
            guid: None,
            model: library.model(DatId(0x0200_0001)).unwrap().unwrap(),
            position: start,
            state: State::from_bits_retain(0x0040_0408),
            scale: 1.0,
            role: EntityRole { is_player: true, ..EntityRole::default() },
        };
        let player = scene.spawn(world, spawn).unwrap();
        Walker { sim, player, cells: vec![start.cell], ticks: 0, last_change: 0 }
    }

    fn position(&self) -> Position {
        self.sim.position(self.player).unwrap()
    }

    /// Metres from the village's corner.
    fn place(&self) -> Vec2 {
        global(&self.position())
    }

    /// Walks straight to a place; true if it got there.
    fn go(&mut self, x: f32, y: f32) -> bool {
        let target = Vec2::new(x, y);
        let mut best = f32::MAX;
        let mut stuck = 0;
        while stuck < 90 {
            let way = target - self.place();
            if way.length() < 0.15 {
                return true;
            }
            if way.length() < best - 0.01 {
                (best, stuck) = (way.length(), 0);
            } else {
                stuck += 1;
            }
            self.sim.advance_clock(TICK).unwrap();
            let (world, scene) = self.sim.parts_mut();
            let fall = scene.get(self.player).unwrap().velocity.z.min(0.0);
            let velocity = (way.normalize() * SPEED.min(way.length() / TICK as f32)).extend(fall);
            scene.set_velocity(self.player, velocity).unwrap();
            scene.update(world, self.player).unwrap();
            let cell = self.position().cell;
            if self.cells.last() != Some(&cell) {
                let flips = self.cells.len() > 1 && self.cells[self.cells.len() - 2] == cell;
                let since = self.ticks - self.last_change;
                assert!(!flips || since > 6, "{cell} was left and entered again within {since} ticks");
                self.cells.push(cell);
                self.last_change = self.ticks;
            }
            self.ticks += 1;
        }
        false
    }

    /// Walks through all places; panics at the first it cannot reach.
    fn follow(&mut self, way: &[(f32, f32)]) {
        for &(x, y) in way {
            assert!(
                self.go(x, y),
                "stuck at {} ({}) on the way to {x}, {y}; cells {:?}",
                self.position(),
                self.place(),
                self.cells
            );
        }
    }

    /// Walks from room to room to a named place indoors, by way of the middles of the openings.
    fn seek(&mut self, place: &str) {
        let goal = find(place);
        let (from, block) = (self.position().cell, goal.cell.block());
        let loaded = self.sim.world().block_data(block).unwrap().clone();
        let mut came: BTreeMap<CellId, (CellId, Vec2)> = BTreeMap::from([(from, (from, Vec2::ZERO))]);
        let mut open = VecDeque::from([from]);
        while let Some(id) = open.pop_front() {
            let cell = loaded.env_cell(id.low()).unwrap();
            for portal in &cell.portals {
                let PortalTarget::Cell(next) = portal.target else { continue };
                let polygons = &cell.structure.portal_polygons;
                let vertices = polygons.vertices(&polygons.polygons()[usize::from(portal.polygon)]);
                let count = vertices.len() as f32;
                let middle = vertices.sum::<Vec3>() / count;
                let place = cell.position.frame.apply(middle);
                if let Entry::Vacant(entry) = came.entry(next) {
                    entry.insert((id, global(&Position::new(id, threshold_world::Frame::at(place)))));
                    open.push_back(next);
                }
            }
        }
        let mut way = vec![global(&goal)];
        let mut at = goal.cell;
        while at != from {
            let (before, through) = came[&at];
            way.push(through);
            at = before;
        }
        for place in way.into_iter().rev() {
            self.follow(&[(place.x, place.y)]);
        }
        assert_eq!(self.position().cell, goal.cell, "{place}");
    }

    fn open(&mut self, door: &str) {
        let id = sample().entities.iter().find(|e| e.name == door).unwrap().id;
        let key = self.sim.find(id).unwrap();
        let (world, scene) = self.sim.parts_mut();
        scene.set_ethereal(world, key, true).unwrap();
    }

    fn height(&self) -> f32 {
        self.position().frame.origin.z
    }
}

fn find(place: &str) -> Position {
    sample().places.iter().find(|p| p.name == place).unwrap_or_else(|| panic!("no place {place}")).position
}

fn global(position: &Position) -> Vec2 {
    let block = position.cell.block();
    let corner = Vec2::new(f32::from(block.x()) - VILLAGE.0, f32::from(block.y()) - VILLAGE.1) * 192.0;
    corner + position.frame.origin.truncate()
}

#[test]
fn a_closed_door_blocks_and_an_open_one_does_not() {
    for offset in [-0.3, 0.0, 0.3] {
        let mut walker = Walker::at("Village Street");
        assert!(walker.go(60.0 + offset, 103.0));
        assert!(!walker.go(60.0 + offset, 105.3), "the closed door lets nobody in");
        assert!(walker.place().y < 104.3 && walker.position().cell.is_outdoor(), "{}", walker.position());
        walker.open("Cottage Door");
        walker.follow(&[(60.0, 103.2), (60.0, 105.3)]);
        assert_eq!(walker.position().cell, find("Cottage Vestibule").cell);
    }
}

#[test]
fn the_cellar_can_be_visited_and_left() {
    let mut walker = Walker::at("Cottage Vestibule");
    walker.follow(&[(60.0, 107.6), (57.5, 107.05), (55.6, 107.05), (55.6, 111.6)]);
    assert_eq!(walker.position().cell, find("Cottage Cellar Stairs").cell);
    walker.follow(&[(57.5, 111.6)]);
    assert_eq!(walker.position().cell, find("Cottage Cellar").cell);
    assert!((walker.height() - 17.25).abs() < 0.05);
    walker.follow(&[(55.6, 111.6), (55.6, 107.05), (57.5, 107.05), (60.0, 107.6), (60.0, 105.3)]);
    assert_eq!(walker.position().cell, find("Cottage Vestibule").cell);
}

#[test]
fn stairs_lead_up_to_the_window() {
    let mut walker = Walker::at("Cottage Living Room");
    walker.follow(&[(55.9, 111.5), (55.9, 112.95), (60.5, 112.95)]);
    assert!((walker.height() - 23.25).abs() < 0.05, "{}", walker.position());
    walker.follow(&[(60.4, 109.0), (57.0, 105.0)]);
    assert_eq!(walker.position().cell, find("Cottage Window").cell);
    walker.follow(&[(60.4, 109.0), (60.5, 112.95), (55.9, 112.95), (55.9, 111.0), (59.0, 110.0)]);
    assert_eq!(walker.position().cell, find("Cottage Living Room").cell);
}

#[test]
fn the_road_leads_over_the_bridge_to_the_tower_and_up_to_its_top() {
    let mut walker = Walker::at("Village Street");
    walker.follow(&[(180.0, 97.5), (234.0, 97.5), (264.0, 97.5), (296.0, 97.5), (324.0, 99.0)]);
    let blocks: Vec<u16> = walker.cells.iter().map(|c| c.block().0).collect();
    assert!(blocks.contains(&0x8080) && blocks.contains(&0x8180));
    walker.open("Tower Door");
    walker.follow(&[(324.0, 107.5)]);
    assert_eq!(walker.position().cell, find("Tower Ground Floor").cell);
    // Counter-clockwise around the pillar, two and a half metres from it.
    let mut turn = -0.3f32;
    while walker.height() < 32.5 && turn < 25.0 {
        turn += 0.2;
        walker.follow(&[(324.0 + 2.5 * turn.cos(), 110.0 + 2.5 * turn.sin())]);
    }
    walker.follow(&[(326.0, 112.0)]);
    assert_eq!(walker.position().cell, find("Tower Lookout").cell);
    assert!((walker.height() - 32.85).abs() < 0.05, "{}", walker.position());
}

#[test]
fn the_cave_leads_down_to_the_portal() {
    let mut walker = Walker::at("Cave Entrance");
    walker.follow(&[
        (300.0, 272.0),
        (300.0, 284.5),
        (301.0, 288.0),
        (304.0, 289.2),
        (308.0, 289.4),
        (313.0, 290.0),
        (313.0, 294.0),
    ]);
    assert_eq!(walker.position().cell, find("Cave Shrine").cell);
    walker.follow(&[(313.0, 289.5), (308.0, 289.4), (304.0, 289.2), (300.0, 285.0), (300.0, 266.0)]);
    assert!(walker.position().cell.is_outdoor());
}

#[test]
fn every_room_of_the_inn_can_be_reached_from_its_door() {
    let mut walker = Walker::at("Inn Door");
    walker.open("Inn Door");
    walker.follow(&[(105.0, 105.5)]);
    walker.seek("Inn Kitchen");
    walker.seek("Inn Common Room");
    // Around the foot of the stairs, which stand in the middle of the room.
    walker.follow(&[(100.4, 107.5), (100.4, 109.5), (105.5, 109.5)]);
    walker.seek("Inn Corridor");
    walker.seek("Inn Guest Room");
}

#[test]
fn the_ferry_house_is_entered_in_one_block_and_walked_into_the_next() {
    let mut walker = Walker::at("Ferry House Door");
    walker.open("Ferry House Door");
    walker.follow(&[(186.9, 84.0)]);
    walker.seek("Ferry House East Room");
    assert!(walker.position().frame.origin.x > 192.0, "{}", walker.position());
    assert_eq!(walker.position().cell.block().0, 0x8080);
}

#[test]
fn the_walls_of_the_ferry_house_hold_beyond_the_border() {
    for (from, to) in
        [((200.0, 82.5), (190.0, 82.5)), ((193.6, 74.0), (193.6, 82.0)), ((193.6, 92.0), (193.6, 82.0))]
    {
        let mut walker = Walker::at("Landblock Border");
        walker.follow(&[(200.0, 95.0)]);
        let (x, y) = from;
        walker.follow(if y < 80.0 { &[(200.0, 74.0), (193.6, 74.0)] } else { std::slice::from_ref(&from) });
        assert!(!walker.go(to.0, to.1), "walked through the wall from {x}, {y}");
        assert!(walker.position().cell.is_outdoor());
    }
}

#[test]
fn a_turned_cottage_is_the_same_inside() {
    let mut walker = Walker::at("Crooked Cottage");
    let before = walker.place();
    walker.follow(&[(before.x + 1.0, before.y + 1.0)]);
    assert_eq!(walker.position().cell, find("Crooked Cottage").cell);
}

#[test]
fn the_dungeon_is_walked_from_the_portal_to_its_depths() {
    let mut walker = Walker::at("Dungeon Entrance");
    walker.seek("Dungeon Great Hall");
    assert!((walker.height() + 39.0).abs() < 0.5, "{}", walker.position());
    walker.seek("Dungeon Ramp");
    walker.seek("Dungeon Depths");
    assert!((walker.height() + 48.0).abs() < 0.05, "{}", walker.position());
    walker.seek("Dungeon Entrance");
    assert!((walker.height() + 30.0).abs() < 0.05, "{}", walker.position());
}

#[test]
fn a_drop_into_the_pit_ends_one_floor_below() {
    let mut walker = Walker::at("Dungeon Entrance");
    let below = find("Dungeon Below the Pit");
    let rim = walker.sim.world().block_data(below.cell.block()).unwrap().clone();
    // The room above the pit: the cell that holds the point a storey higher.
    let above = below.frame.origin + Vec3::new(0.0, 0.0, 9.3);
    let room = rim.env_cells.iter().flatten().find(|c| c.contains(above)).unwrap().id();
    let start = Position::new(room, threshold_world::Frame::at(above));
    let (world, scene) = walker.sim.parts_mut();
    scene.update_position(world, walker.player, start).unwrap();
    walker.cells = vec![room];
    for _ in 0..60 {
        walker.sim.advance_clock(TICK).unwrap();
        let (world, scene) = walker.sim.parts_mut();
        scene.update(world, walker.player).unwrap();
    }
    assert_eq!(walker.position().cell, below.cell);
}
