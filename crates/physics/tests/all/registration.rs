//! Where an object can be hit is decided when it is placed. Spec: physics-objects §8.8, §8.9.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::{Attachment, EntityRole, Observer, Spawn, State, Transient, Verdict, cells::CellSet};
use threshold_world::{CellId, Frame, Position, landblock::Building};

const VESTIBULE: u32 = 0xA9B4_0100;
const MAIN: u32 = 0xA9B4_0101;
const CELLAR: u32 = 0xA9B4_0107;
const STREET: u32 = 0xA9B4_001C;

/// Cells that sweeps tested, with what came of it.
#[derive(Default)]
struct Tested(Vec<(u32, Verdict)>);

impl Observer for Tested {
    fn cell(&mut self, cell: CellId, verdict: Verdict) {
        self.0.push((cell.0, verdict));
    }
}

impl Tested {
    fn includes_outdoors(&self) -> bool {
        self.0.iter().any(|&(cell, _)| CellId(cell).is_outdoor())
    }
}

fn push_watched(setting: &mut Setting, key: threshold_physics::EntityKey, by: [f32; 3]) -> Tested {
    let mut tested = Tested::default();
    let target = moved(&setting.scene.get(key).unwrap().position, by);
    setting.scene.move_to(&setting.world, key, &target, Some(&mut tested)).unwrap();
    tested
}

#[test]
fn a_fireplace_deep_in_a_room_is_in_one_cell() {
    let mut setting = setting("cottage");
    let place = point("cottage", "main");
    for (guid, setup) in [(1, CRATE), (2, CHEST), (3, CREATURE)] {
        let state = if setup == CRATE { CLOSED } else { State::REPORT_COLLISIONS };
        let key = spawn(&mut setting, guid, setup, place, state);
        assert_eq!(cells_of(&setting.scene, key), [MAIN], "not the cells that are seen from there");
        assert!(setting.world.env_cell(CellId(MAIN)).unwrap().visible_cells.len() > 1);
    }
}

#[test]
fn a_chest_in_an_opening_between_rooms_is_in_both() {
    let mut setting = setting("cottage");
    let key = spawn(&mut setting, 1, CHEST, at(MAIN, 84.0, 80.2, 20.155), State::REPORT_COLLISIONS);
    assert_eq!(cells_of(&setting.scene, key), [MAIN, VESTIBULE]);
    assert!(is_in(&setting.scene, MAIN, key) && is_in(&setting.scene, VESTIBULE, key));
}

#[test]
fn things_across_a_landblock_border_are_on_both_sides_of_it() {
    let mut setting = setting("plains");
    let west = at(0xA9B4_0005, 0.2, 110.0, 26.0);
    let chest = spawn(&mut setting, 1, CHEST, west, State::REPORT_COLLISIONS);
    assert_eq!(cells_of(&setting.scene, chest), [0xA9B4_0005, 0xA8B4_003D]);
    let crate_ = spawn(&mut setting, 2, CRATE, at(0xA9B4_0006, 0.2, 130.0, 26.0), CLOSED);
    let cells = cells_of(&setting.scene, crate_);
    assert!(cells.contains(&0xA9B4_0006) && cells.contains(&0xA8B4_003E), "{cells:08X?}");
    // At a corner of four blocks a body is in all four.
    let corner = spawn(&mut setting, 3, CHEST, at(0xA9B4_0001, 0.2, 0.2, 18.0), State::REPORT_COLLISIONS);
    let mut cells = cells_of(&setting.scene, corner);
    cells.sort_unstable();
    assert_eq!(cells, [0xA8B3_0040, 0xA8B4_0039, 0xA9B3_0008, 0xA9B4_0001]);
}

/// From the block in which the object is not.
#[test]
fn a_chest_across_a_landblock_border_blocks_from_the_other_block() {
    let mut setting = setting("cottage");
    spawn(&mut setting, 1, CHEST, at(0xA9B4_0001, 0.2, 12.0, 20.0), State::REPORT_COLLISIONS);
    let key = player(&mut setting, 2, at(0xA8B4_0039, 189.0, 12.0, 20.005));
    let way = push_on(&mut setting, key, [0.15, 0.0, 0.0], 40);
    assert!((1.5..=2.4).contains(&way.x), "{way}");
    assert_eq!(setting.scene.get(key).unwrap().position.cell.block().0, 0xA8B4);
    assert!(cells_of(&setting.scene, key).contains(&0xA8B4_0039));
}

/// A cylinder floods from its foot, whatever its height.
#[test]
fn a_tree_in_the_cellar_is_not_in_the_room_above() {
    let mut setting = setting("cottage");
    let tree = spawn(&mut setting, 1, TREE, at(CELLAR, 83.0, 83.0, 17.15), State::REPORT_COLLISIONS);
    assert_eq!(cells_of(&setting.scene, tree), [CELLAR]);
    // It sticks out twelve metres through the floor, and nobody upstairs meets it.
    let above = player(&mut setting, 2, at(MAIN, 81.5, 83.0, 20.155));
    assert!(push_on(&mut setting, above, [0.15, 0.0, 0.0], 20).x > 2.9);
    let below = player(&mut setting, 3, at(CELLAR, 81.5, 83.0, 17.155));
    assert!(push_on(&mut setting, below, [0.15, 0.0, 0.0], 20).x < 0.8);
}

#[test]
fn a_building_is_out_of_reach_of_a_wholly_interior_cell_set() {
    let mut setting = setting("cottage");
    for (guid, name) in [(1, "main"), (2, "cellar"), (3, "upstairs"), (4, "sub_cellar")] {
        let key = player(&mut setting, guid, point("cottage", name));
        for by in [[0.15, 0.0, 0.0], [0.0, 0.15, 0.0], [-0.15, 0.0, 0.0], [0.0, -0.15, 0.0]] {
            let tested = push_watched(&mut setting, key, by);
            assert!(!tested.0.is_empty() && !tested.includes_outdoors(), "{name}: {:X?}", tested.0);
        }
        setting.scene.despawn(&setting.world, key).unwrap();
    }
}

/// The cottage with a crate for a shell, its middle at a point of block 0xA9B4.
fn with_a_crate_for_a_shell(setting: &mut Setting, middle: Vec3) {
    let crate_ = setting.library.model(threshold_dat::DatId(CRATE)).unwrap().unwrap();
    let mut part = crate_.parts[0].clone();
    let bounds = part.mesh.as_ref().unwrap().bounds;
    let id = threshold_world::BlockId(0xA9B4);
    let mut block = (**setting.world.block_data(id).unwrap()).clone();
    part.frame =
        Frame::at(middle - (bounds.min + bounds.max) / 2.0 - block.buildings[0].position.frame.origin);
    let model = threshold_world::model::Model { parts: Box::new([part]), ..(*crate_).clone() };
    let old = block.buildings[0].clone();
    let model = Some(std::sync::Arc::new(model));
    block.buildings[0] = Building::new(old.model_id, model, old.position, old.portals);
    setting.world.insert_resident(std::sync::Arc::new(block));
}

#[test]
fn a_building_is_tested_from_inside_where_a_body_straddles_the_exit() {
    let mut setting = setting("cottage");
    // Half a metre of crate behind the door, which lies at y = 79.
    with_a_crate_for_a_shell(&mut setting, Vec3::new(84.0, 78.4, 20.65));
    let key = player(&mut setting, 1, at(MAIN, 84.0, 81.0, 20.155));
    let way = push_on(&mut setting, key, [0.0, -0.15, 0.0], 20);
    let body = setting.scene.get(key).unwrap();
    assert_eq!(body.position.cell.0, VESTIBULE);
    // Its edge is at 78.9: the body stops when its middle is 0.48 away, 0.38 before it would be outdoors.
    assert!((79.38..79.5).contains(&body.position.frame.origin.y), "{way}");
    push(&mut setting, key, [0.0, 0.1, 0.0]);
    let tested = push_watched(&mut setting, key, [0.0, -0.3, 0.0]);
    assert!(
        tested.0.iter().any(|&(cell, verdict)| cell == STREET && verdict != Verdict::Clear),
        "{:X?}",
        tested.0
    );
}

#[test]
fn a_building_that_fills_a_room_is_not_felt_in_it() {
    let mut setting = setting("cottage");
    with_a_crate_for_a_shell(&mut setting, Vec3::new(84.0, 83.0, 20.65));
    let key = player(&mut setting, 1, at(MAIN, 84.0, 85.0, 20.155));
    assert!(push_on(&mut setting, key, [0.0, -0.15, 0.0], 20).y < -2.9);
}

/// Having an exit is not enough: a body must reach across its plane.
#[test]
fn a_room_with_an_exit_does_not_bring_in_the_outdoors() {
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, point("cottage", "main"));
    push(&mut setting, key, [0.1, 0.0, 0.0]);
    let cells: Vec<u32> = setting.scene.last_sweep().cells().ids().map(|cell| cell.0).collect();
    assert_eq!(cells, [MAIN]);
    // At the door it does, once the body is nearer to the opening's plane than its radius.
    let key = player(&mut setting, 2, at(VESTIBULE, 84.0, 79.55, 20.155));
    push(&mut setting, key, [0.0, 0.01, 0.0]);
    assert!(!setting.scene.last_sweep().cells().ids().any(|cell| cell.is_outdoor()));
    push(&mut setting, key, [0.0, -0.1, 0.0]);
    assert!(setting.scene.last_sweep().cells().ids().any(|cell| cell.is_outdoor()));
}

/// Objects of the other cells that a body reaches into count as much as those of its own.
#[test]
fn an_object_of_a_neighbouring_cell_blocks_before_the_cell_is_entered() {
    let mut setting = setting("cottage");
    let chest = spawn(&mut setting, 1, CHEST, at(MAIN, 84.0, 81.0, 20.155), State::REPORT_COLLISIONS);
    assert_eq!(cells_of(&setting.scene, chest), [MAIN]);
    let key = player(&mut setting, 2, at(VESTIBULE, 84.0, 79.3, 20.155));
    let mut touched = false;
    for _ in 0..20 {
        push(&mut setting, key, [0.0, 0.15, 0.0]);
        touched |= setting.scene.last_sweep().touched() == [chest];
    }
    let body = setting.scene.get(key).unwrap();
    assert!(touched && body.position.cell.0 == MAIN || body.position.frame.origin.y < 80.2);
    assert!(touched, "the chest stopped it at {:?}", body.position);
}

/// After a move the sweep's own set is the registration.
#[test]
fn a_moved_body_is_registered_where_its_sweep_went() {
    let mut setting = setting("cottage");
    let key = player(&mut setting, 1, at(VESTIBULE, 84.0, 79.5, 20.155));
    for _ in 0..25 {
        push(&mut setting, key, [0.0, 0.12, 0.0]);
        let swept: Vec<u32> = setting.scene.last_sweep().cells().ids().map(|cell| cell.0).collect();
        if !swept.is_empty() {
            assert_eq!(cells_of(&setting.scene, key), swept);
        }
        assert_lists_agree(&setting);
    }
    assert_eq!(cells_of(&setting.scene, key), [MAIN]);
}

/// physics-tests 74.
#[test]
fn an_emitter_is_in_its_own_cell_only() {
    let mut setting = setting("cottage");
    let place = at(MAIN, 84.0, 80.2, 20.155);
    let state = State::REPORT_COLLISIONS | State::PARTICLE_EMITTER;
    let key = spawn(&mut setting, 1, CHEST, place, state);
    assert_eq!(cells_of(&setting.scene, key), [MAIN]);
    setting.scene.update_position(&setting.world, key, at(VESTIBULE, 84.0, 79.9, 20.155)).unwrap();
    assert_eq!(cells_of(&setting.scene, key), [VESTIBULE]);
}

/// The state is one word of the object, not a copy in every list.
#[test]
fn a_change_of_state_takes_effect_in_every_cell_at_once() {
    let mut setting = setting("cottage");
    let chest = spawn(&mut setting, 1, CHEST, at(MAIN, 84.0, 80.2, 20.155), State::REPORT_COLLISIONS);
    for (state, blocks) in [
        (State::REPORT_COLLISIONS, true),
        (State::REPORT_COLLISIONS | State::ETHEREAL, false),
        (State::REPORT_COLLISIONS, true),
        (State::ETHEREAL | State::IGNORE_COLLISIONS, false),
    ] {
        setting.scene.set_state(chest, state).unwrap();
        assert_eq!(cells_of(&setting.scene, chest), [MAIN, VESTIBULE]);
        for (from, by) in [(at(MAIN, 84.0, 82.5, 20.155), -0.15), (at(VESTIBULE, 84.0, 79.1, 20.155), 0.15)] {
            let key = player(&mut setting, 2, from);
            let way = push_on(&mut setting, key, [0.0, by, 0.0], 18);
            assert_eq!(way.y.abs() < 1.7, blocks, "{state:?} {way}");
            setting.scene.despawn(&setting.world, key).unwrap();
        }
    }
}

#[test]
fn what_is_carried_goes_with_its_parent_and_is_never_hit() {
    let mut setting = setting("cottage");
    let parent = player(&mut setting, 1, point("cottage", "main"));
    let child = spawn(&mut setting, 2, CHEST, point("cottage", "cellar"), State::REPORT_COLLISIONS);
    let held = Attachment { part: usize::MAX, frame: Frame::at(Vec3::new(0.0, 1.0, 0.5)) };
    setting.scene.set_parent(&setting.world, child, Some(parent), held).unwrap();
    let place = |setting: &Setting, key| setting.scene.get(key).unwrap().position;
    let gap = |setting: &Setting| place(setting, parent).offset_to(&place(setting, child));
    assert!((gap(&setting) - held.frame.origin).length() < 1e-5);
    assert_eq!(cells_of(&setting.scene, child), [MAIN]);
    // The next time the parent is registered, so is what it carries: in the same cells.
    for _ in 0..25 {
        push(&mut setting, parent, [0.0, -0.18, 0.0]);
        assert_eq!(cells_of(&setting.scene, child), cells_of(&setting.scene, parent));
        assert!((gap(&setting) - held.frame.origin).length() < 1e-5);
    }
    assert_eq!(place(&setting, parent).cell.0, VESTIBULE);
    assert_eq!(setting.scene.get(child).unwrap().cell, Some(CellId(VESTIBULE)));
    let beside = moved(&place(&setting, child), [0.0, 1.2, -0.5]);
    let other = player(&mut setting, 3, beside);
    assert!(push(&mut setting, other, [0.0, -0.4, 0.0]), "what is carried is in nobody's way");
    assert!(!setting.scene.last_sweep().touched().contains(&child));
    // Put down it is.
    setting.scene.set_parent(&setting.world, child, None, Attachment::default()).unwrap();
    assert_lists_agree(&setting);
    push_on(&mut setting, other, [0.0, 0.2, 0.0], 4);
    push_on(&mut setting, other, [0.0, -0.1, 0.0], 14);
    assert!(setting.scene.get(child).unwrap().parent.is_none());
}

#[test]
fn what_a_despawned_parent_carried_stays_where_it_is_and_can_be_hit() {
    let mut setting = setting("cottage");
    let parent = spawn(&mut setting, 1, CREATURE, point("cottage", "main"), WALKER);
    let child = spawn(&mut setting, 2, CHEST, point("cottage", "cellar"), State::REPORT_COLLISIONS);
    let grandchild = spawn(&mut setting, 3, CHEST, point("cottage", "cellar"), State::REPORT_COLLISIONS);
    let held = Attachment { part: usize::MAX, frame: Frame::at(Vec3::new(0.0, 1.0, 0.0)) };
    setting.scene.set_parent(&setting.world, child, Some(parent), held).unwrap();
    setting.scene.set_parent(&setting.world, grandchild, Some(child), held).unwrap();
    setting.scene.despawn(&setting.world, parent).unwrap();
    let entity = setting.scene.get(child).unwrap();
    assert_eq!((entity.parent, entity.cell), (None, Some(CellId(MAIN))));
    assert_eq!(cells_of(&setting.scene, child), [MAIN]);
    assert_eq!(setting.scene.get(grandchild).unwrap().parent, Some(child));
    assert_eq!(cells_of(&setting.scene, grandchild), [MAIN]);
    assert_lists_agree(&setting);
    let key = player(&mut setting, 4, at(MAIN, 82.0, 85.0, 20.155));
    assert!(push_on(&mut setting, key, [0.15, 0.0, 0.0], 20).x < 1.3, "it stands at (84, 85)");
}

#[test]
fn a_held_thing_hangs_on_the_part_that_holds_it() {
    let mut setting = setting("cottage");
    let door = spawn(&mut setting, 1, DOOR, point("cottage", "main"), CLOSED);
    let child = spawn(&mut setting, 2, CHEST, point("cottage", "cellar"), State::REPORT_COLLISIONS);
    let held = Attachment { part: 2, frame: Frame::at(Vec3::new(0.1, 0.2, 0.3)) };
    setting.scene.set_parent(&setting.world, child, Some(door), held).unwrap();
    setting.scene.set_scale(&setting.world, door, 2.0).unwrap();
    let (door, child) = (setting.scene.get(door).unwrap(), setting.scene.get(child).unwrap());
    let expected = door.parts()[2].position.frame.compose(&held.frame);
    assert!((child.position.frame.origin - expected.origin).length() < 1e-5);
    assert!(door.model.parts[2].frame.origin.length() > 0.1, "the part is not at the origin");
}

/// A static of a cell floods by its boxes, or its cylinders, and a dynamic one with only spheres by its sorting sphere.
#[test]
fn statics_and_entities_are_registered_the_same_way_from_the_same_place() {
    let mut setting = setting("cottage");
    let place = at(MAIN, 84.0, 80.2, 20.155);
    let dynamic = spawn(&mut setting, 1, CRATE, place, CLOSED);
    let fixed = spawn(&mut setting, 2, CRATE, place, CLOSED | State::STATIC);
    assert_eq!(cells_of(&setting.scene, dynamic), cells_of(&setting.scene, fixed));
    let mut set = CellSet::default();
    setting.scene.flood_into(&setting.world, fixed, &mut set);
    assert_eq!(set.ids().map(|cell| cell.0).collect::<Vec<_>>(), cells_of(&setting.scene, fixed));
}

#[test]
fn reports_of_a_contact_come_once_and_end() {
    use threshold_physics::Event;
    let mut setting = setting("cottage");
    let role = EntityRole { creature: true, ..EntityRole::default() };
    let other = Spawn { role, ..object(&setting, 1, CREATURE, at(MAIN, 84.0, 85.0, 20.155), WALKER) };
    let other = stand(&mut setting, other);
    let key = player(&mut setting, 2, at(MAIN, 84.0, 83.0, 20.155));
    let mut events = Vec::new();
    for _ in 0..20 {
        setting.scene.set_velocity(key, Vec3::new(0.0, 3.0, 0.0)).unwrap();
        tick(&mut setting, key, 1.0 / 30.0);
        events.extend(setting.scene.drain_events());
    }
    let count = |events: &[Event], event: Event| events.iter().filter(|&e| *e == event).count();
    let touches = |told| {
        events.iter().filter(|e| matches!(e, Event::Collided { entity, .. } if *entity == told)).count()
    };
    assert_eq!(touches(key), 1, "{events:?}");
    assert_eq!(touches(other), 1, "both are told");
    assert_eq!(count(&events, Event::CollisionEnded { entity: key, other }), 0);
    for _ in 0..45 {
        setting.scene.set_velocity(key, Vec3::new(0.0, -1.0, 0.0)).unwrap();
        tick(&mut setting, key, 1.0 / 30.0);
        events.extend(setting.scene.drain_events());
    }
    assert_eq!(count(&events, Event::CollisionEnded { entity: key, other }), 1, "a second later");
    assert!(setting.scene.get(key).unwrap().has(Transient::CONTACT));
}

#[test]
fn a_position_changes_the_cell_only_as_it_is_told() {
    let mut setting = setting("cottage");
    let key = spawn(&mut setting, 1, CHEST, point("cottage", "main"), State::REPORT_COLLISIONS);
    // The latch: the named cell is taken even where the point lies in another one.
    let named = Position::new(CellId(VESTIBULE), point("cottage", "main").frame);
    setting.scene.update_position(&setting.world, key, named).unwrap();
    assert_eq!(setting.scene.get(key).unwrap().cell, Some(CellId(VESTIBULE)));
    assert_lists_agree(&setting);
}
