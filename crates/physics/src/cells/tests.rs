//! Worked examples 11–23 and 32 of the specification (physics-tests §B, §C).

use super::{CellSet, MAX_FLOOD_CYLINDERS, Touched, build, flood_cylinders};
use crate::testing::{LAND, ROOM, at, block, flat, room, v, with_portal, world};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;
use threshold_world::{
    BlockId, CellId, Frame, Quat, World,
    bsp::{CellVolume, Overlap},
    cell::{EnvCell, PortalTarget},
    geometry::{Cylinder, Plane, Sphere},
    landblock::{Building, BuildingPortal},
};

const OTHER: CellId = CellId(ROOM.0 + 1);
const NEAR_LAND: CellId = CellId(LAND.0 + 1);

fn ball(x: f32, y: f32, z: f32) -> Sphere {
    Sphere { center: v(x, y, z), radius: 0.48 }
}

fn ids(world: &World, seed: CellId, spheres: &[Sphere]) -> Vec<u32> {
    let mut set = CellSet::default();
    build(world, &mut set, &at(seed, 0.0, 0.0, 0.0), spheres);
    set.ids().map(|id| id.0).collect()
}

fn touched(world: &World, seed: CellId, spheres: &[Sphere]) -> Touched {
    build(world, &mut CellSet::default(), &at(seed, 0.0, 0.0, 0.0), spheres)
}

#[test]
fn example_11_a_sphere_takes_the_outdoor_cells_it_hangs_over() {
    let world = world(flat(0.0), vec![], vec![]);
    assert_eq!(ids(&world, LAND, &[ball(12.0, 12.0, 1.0)]), [0xA9B4_0001]);
    assert_eq!(ids(&world, LAND, &[ball(23.7, 12.0, 1.0)]), [0xA9B4_0001, 0xA9B4_0009]);
    assert_eq!(ids(&world, LAND, &[ball(23.7, 23.7, 1.0)]).len(), 4);
    assert_eq!(
        ids(&world, LAND, &[ball(23.5, 12.0, 1.0)]),
        [0xA9B4_0001],
        "a tangent sphere hangs over nothing"
    );
}

#[test]
fn example_12_the_ring_knows_no_block_borders() {
    let world = world(flat(0.0), vec![], vec![]);
    let corner = ids(&world, LAND, &[ball(0.2, 0.2, 1.0)]);
    assert_eq!(corner, [0xA9B4_0001, 0xA8B4_0039, 0xA8B3_0040, 0xA9B3_0008]);
}

#[test]
fn example_13_the_ring_is_added_once() {
    // Every land cell of the set asks for the ring again when it is walked.
    let mut world = world(flat(0.0), vec![], vec![]);
    for id in [0xA8B4, 0xA8B3, 0xA9B3] {
        world.insert_resident(Arc::new(block(BlockId(id), flat(0.0), vec![], vec![])));
    }
    let corner = ids(&world, LAND, &[ball(0.2, 0.2, 1.0)]);
    assert_eq!(corner, [0xA9B4_0001, 0xA8B4_0039, 0xA8B3_0040, 0xA9B3_0008]);
}

#[test]
fn example_14_a_first_sphere_off_the_map_ends_the_ring() {
    let corner = CellId(0x0000_0001);
    assert!(ids(&World::new(), corner, &[ball(-5.0, 5.0, 1.0), ball(5.0, 5.0, 1.0)]).is_empty());
    assert_eq!(ids(&World::new(), corner, &[ball(5.0, 5.0, 1.0), ball(-5.0, 5.0, 1.0)]), [1]);
}

#[test]
fn example_15_a_seed_that_is_not_loaded_stands_alone() {
    let world = world(flat(0.0), vec![], vec![]);
    let mut set = CellSet::default();
    let touched = build(&world, &mut set, &at(ROOM, 0.0, 0.0, 0.0), &[ball(12.0, 12.0, 1.0)]);
    assert_eq!(set.entries().iter().map(|e| (e.id, e.loaded)).collect::<Vec<_>>(), [(ROOM, false)]);
    assert_eq!(touched, Touched { containing: None, inside: true });
}

/// A house of one room, 8 m wide, whose exit is its east side.
fn house() -> EnvCell {
    with_portal(
        room(0, v(4.0, 4.0, -1.0), v(12.0, 12.0, 3.0)),
        v(12.0, 8.0, 0.0),
        v(1.0, 0.0, 0.0),
        PortalTarget::Outside,
    )
}

fn building(other_portal: Option<u16>) -> Building {
    let portal = BuildingPortal {
        cell: ROOM,
        other_portal,
        exact_match: true,
        neighbour_is_positive: true,
        visible_cells: Box::default(),
    };
    Building::new(DatId(0x0100_0001), None, at(LAND, 8.0, 8.0, 0.0), Box::new([portal]))
}

#[test]
fn example_16_an_interior_cell_wins_over_the_land_it_stands_on() {
    let world = world(flat(0.0), vec![house()], vec![building(Some(0))]);
    let doorstep = [ball(11.8, 8.0, 0.5)];
    for seed in [ROOM, LAND] {
        let set = ids(&world, seed, &doorstep);
        assert!(set.contains(&ROOM.0) && set.contains(&LAND.0), "{set:x?}");
        assert_eq!(touched(&world, seed, &doorstep), Touched { containing: Some(ROOM), inside: true });
    }
    assert_eq!(
        touched(&world, LAND, &[ball(20.0, 8.0, 0.5)]),
        Touched { containing: Some(LAND), inside: false }
    );
}

#[test]
fn example_17_on_a_shared_edge_the_later_land_cell_is_taken() {
    let world = world(flat(0.0), vec![], vec![]);
    let edge = [ball(24.0, 12.0, 1.0)];
    assert_eq!(ids(&world, LAND, &edge), [0xA9B4_0009, 0xA9B4_0001]);
    assert_eq!(touched(&world, LAND, &edge).containing, Some(LAND));
}

#[test]
fn example_18_the_outdoors_joins_only_at_a_straddled_exit() {
    let world = world(flat(0.0), vec![house()], vec![]);
    for side in [-1.0, 1.0] {
        let at_distance = |d: f32| ids(&world, ROOM, &[ball(12.0 + side * d, 8.0, 0.5)]);
        assert!(at_distance(0.4801).contains(&LAND.0));
        assert_eq!(at_distance(0.4803), [ROOM.0]);
        assert_eq!(at_distance(3.0), [ROOM.0]);
    }
}

/// Two rooms side by side; the second begins at x = 12.
fn two_rooms() -> [EnvCell; 2] {
    let east = PortalTarget::Cell(OTHER);
    let a =
        with_portal(room(0, v(4.0, 4.0, 0.0), v(12.0, 12.0, 3.0)), v(12.0, 8.0, 0.0), v(1.0, 0.0, 0.0), east);
    let west = PortalTarget::Cell(ROOM);
    let b = with_portal(
        room(1, v(12.0, 4.0, 0.0), v(20.0, 12.0, 3.0)),
        v(12.0, 8.0, 0.0),
        v(-1.0, 0.0, 0.0),
        west,
    );
    [a, b]
}

#[test]
fn example_19_a_loaded_neighbour_joins_by_its_volume() {
    let world = world(flat(-9.0), two_rooms().into(), vec![]);
    assert_eq!(ids(&world, ROOM, &[ball(12.0 - 0.485, 8.0, 1.0)]), [ROOM.0, OTHER.0]);
    assert_eq!(ids(&world, ROOM, &[ball(12.0 - 0.491, 8.0, 1.0)]), [ROOM.0]);
}

#[test]
fn example_20_an_unloaded_neighbour_joins_by_the_side_of_its_portal() {
    let [mut a, _] = two_rooms();
    let reached =
        |a: &EnvCell, x: f32| ids(&world(flat(-9.0), vec![a.clone()], vec![]), ROOM, &[ball(x, 8.0, 1.0)]);
    assert_eq!(reached(&a, 12.0 - 0.47), [ROOM.0, OTHER.0]);
    assert_eq!(reached(&a, 12.0 - 0.49), [ROOM.0]);
    assert_eq!(reached(&a, 15.0), [ROOM.0, OTHER.0]);
    let mut portal = a.portals[0].clone();
    portal.neighbour_is_positive = false;
    a.portals = Box::new([portal]);
    assert_eq!(reached(&a, 12.0 + 0.47), [ROOM.0, OTHER.0]);
    assert_eq!(reached(&a, 12.0 + 0.49), [ROOM.0]);
    assert_eq!(reached(&a, 9.0), [ROOM.0, OTHER.0]);
}

#[test]
fn example_21_a_building_portal_without_a_counterpart_lets_nobody_in() {
    let inside = [ball(10.0, 8.0, 0.5)];
    let open = world(flat(0.0), vec![house()], vec![building(Some(0))]);
    assert_eq!(ids(&open, LAND, &inside), [LAND.0, ROOM.0]);
    let closed = world(flat(0.0), vec![house()], vec![building(None)]);
    assert_eq!(ids(&closed, LAND, &inside), [LAND.0]);
}

#[test]
fn example_22_the_prune_keeps_the_seed_and_what_it_sees() {
    let pruned = |rooms: [EnvCell; 2], seed: CellId, sphere: Sphere| {
        let world = world(flat(0.0), rooms.into(), vec![building(Some(0))]);
        let mut set = CellSet { no_load: true, ..CellSet::default() };
        build(&world, &mut set, &at(seed, 0.0, 0.0, 0.0), &[sphere]);
        set.ids().map(|id| id.0).collect::<Vec<_>>()
    };
    let across = ball(12.0, 8.0, 1.0);
    let [mut a, b] = two_rooms();
    assert_eq!(
        pruned([a.clone(), b.clone()], ROOM, across),
        [ROOM.0],
        "the other room is not in its visible list"
    );
    a.visible_cells = Box::new([0x101]);
    assert_eq!(pruned([a.clone(), b.clone()], ROOM, across), [ROOM.0, OTHER.0]);
    a.visible_cells = Box::default();
    assert_eq!(pruned([a, b], LAND, across), [LAND.0, ROOM.0, OTHER.0], "outdoor seeds prune nothing");
}

#[test]
fn example_23_ten_low_points_of_cylinders_flood() {
    let world = world(flat(-9.0), two_rooms().into(), vec![]);
    let cylinder = |x: f32, height: f32| Cylinder { low: v(x, 8.0, 1.0), radius: 0.3, height };
    let flooded = |cylinders: &[Cylinder]| {
        let mut set = CellSet::default();
        flood_cylinders(&world, &mut set, &at(ROOM, 0.0, 0.0, 0.0), cylinders);
        set.ids().map(|id| id.0).collect::<Vec<_>>()
    };
    let mut cylinders = vec![cylinder(8.0, 1.0); MAX_FLOOD_CYLINDERS];
    cylinders.push(cylinder(12.0, 1.0));
    assert_eq!(flooded(&cylinders), [ROOM.0], "the eleventh does not count");
    cylinders.remove(0);
    assert_eq!(flooded(&cylinders), [ROOM.0, OTHER.0]);
    for x in [8.0, 11.69, 11.71, 12.0] {
        assert_eq!(flooded(&[cylinder(x, 5.0)]), flooded(&[cylinder(x, 0.1)]), "height does not count");
    }
}

#[test]
fn example_32_a_volume_is_a_chain_of_half_spaces() {
    let volume = CellVolume::from_iter([
        Plane { normal: v(1.0, 0.0, 0.0), d: 0.0 },
        Plane { normal: v(-1.0, 0.0, 0.0), d: 4.0 },
    ]);
    assert!(volume.contains(v(-0.0001, 0.0, 0.0)) && !volume.contains(v(-0.0003, 0.0, 0.0)));
    assert_eq!(volume.overlap_sphere(&ball(-0.48, 0.0, 0.0)), Overlap::Partial);
    assert_eq!(volume.overlap_sphere(&ball(-0.50, 0.0, 0.0)), Overlap::Outside);
    assert_eq!(volume.overlap_sphere(&ball(2.0, 0.0, 0.0)), Overlap::Inside);
}

/// What a set keeps from one use to the next must never show.
fn a_used_set_gives_what_a_fresh_one_gives(rotation: Quat) {
    let turned = |mut room: EnvCell| {
        let (middle, frame) = (v(12.0, 8.0, 1.0), Frame::new(Vec3::ZERO, rotation));
        room.position.frame = Frame::new(middle - frame.apply(middle), rotation);
        room
    };
    let mut world = world(flat(0.0), two_rooms().map(turned).into(), vec![building(Some(0))]);
    let mut used = CellSet::default();
    let mut seed = 1_u32;
    let mut random = |from: f32, to: f32| {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        from + (to - from) * (seed >> 8) as f32 / (1 << 24) as f32
    };
    let mut low = v(12.0, 8.0, 1.0);
    for i in 0..20_000 {
        if i % 21 == 0 {
            low = v(random(3.0, 25.0), random(3.0, 25.0), random(-1.0, 4.0));
        }
        // Along one axis, two or three of them; less and less far in a round of nine, and at times not at all.
        let far = if i % 11 == 10 { 0.0 } else { 0.6 / (1 << (i % 9)) as f32 };
        let axes = i / 5 % 7 + 1;
        low += v(random(-far, far), random(-far, far), random(-far, far))
            * v((axes & 1) as f32, (axes >> 1 & 1) as f32, (axes >> 2) as f32);
        // A step up and down again, the second sphere askew at times.
        let step = if i % 4 == 3 { 0.75 } else { 0.0 };
        let askew = if i % 10 == 9 { random(-0.2, 0.2) } else { 0.0 };
        let spheres = [ball(low.x, low.y, low.z + step), ball(low.x + askew, low.y, low.z + step + 0.9)];
        if i % 1000 == 999 {
            let loaded = world.cell(OTHER).is_some();
            world.set_cell_resident(OTHER, !loaded);
        }
        let cell = [ROOM, OTHER, LAND, NEAR_LAND][i / 7 % 4];
        let position = at(cell, 0.0, 0.0, 0.0);
        let mut fresh = CellSet::default();
        let expected = build(&world, &mut fresh, &position, &spheres);
        assert_eq!(build(&world, &mut used, &position, &spheres), expected, "{cell} {spheres:?}");
        assert_eq!(used.entries(), fresh.entries(), "{cell} {spheres:?}");
        assert_eq!(used.missing(), fresh.missing(), "{cell} {spheres:?}");
    }
}

#[test]
fn a_used_set_gives_what_a_fresh_one_gives_in_rooms_that_are_upright_turned_and_tilted() {
    a_used_set_gives_what_a_fresh_one_gives(Quat::IDENTITY);
    a_used_set_gives_what_a_fresh_one_gives(Quat::from_heading(90.0));
    a_used_set_gives_what_a_fresh_one_gives(Quat::from_heading(180.0));
    a_used_set_gives_what_a_fresh_one_gives(Quat::from_heading(33.0));
    a_used_set_gives_what_a_fresh_one_gives(Quat::about_x(0.3));
    a_used_set_gives_what_a_fresh_one_gives(Quat::from_heading_and_pitch(33.0, -0.2));
}

/// A cell whose sides are not those of the block, and the neighbours of the block's corner.
#[test]
fn a_used_set_gives_what_a_fresh_one_gives_across_the_middle_and_the_corner_of_outdoor_cells() {
    let world = world(flat(0.0), vec![], vec![]);
    let mut used = CellSet::default();
    for (from, step) in [(v(26.0, 26.0, 0.5), 0.11), (v(-3.0, -3.0, 0.5), 0.013)] {
        for i in 0..2_000 {
            let (column, row) = (i % 200, i % 199);
            let sphere = ball(from.x + step * column as f32, from.y + step * row as f32, from.z);
            let position = at([LAND, NEAR_LAND][i / 50 % 2], 0.0, 0.0, 0.0);
            let mut fresh = CellSet::default();
            let expected = build(&world, &mut fresh, &position, &[sphere]);
            assert_eq!(build(&world, &mut used, &position, &[sphere]), expected, "{sphere:?}");
            assert_eq!(used.entries(), fresh.entries(), "{sphere:?}");
        }
    }
}

#[test]
fn sets_on_both_sides_of_a_threshold_are_built_once() {
    let world = world(flat(-9.0), two_rooms().into(), vec![]);
    let mut set = CellSet::default();
    let crossing = [11.0, 11.8, 12.2, 13.0].map(|x| ball(x, 8.0, 1.0));
    let visits: Vec<_> = crossing.iter().flat_map(|ball| [ROOM, OTHER].map(|cell| (cell, *ball))).collect();
    for (cell, ball) in &visits {
        build(&world, &mut set, &at(*cell, 0.0, 0.0, 0.0), &[*ball]);
    }
    for (cell, ball) in &visits {
        assert!(set.recall_any(&world, *cell, &[*ball]).is_some(), "{cell} {ball:?}");
    }
}
