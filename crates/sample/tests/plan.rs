//! Random floor plans: portals match, visible lists hold whatever a ray can reach.

use glam::{DVec2, DVec3};
use proptest::prelude::*;
use threshold_dat::records::{BspNode, BspTree, CellStruct, find_by_key};
use threshold_sample::{
    Materials, Skin,
    geom::{Convex, Polygon},
    plan::{CompiledPlan, Finish, Plan, RoomId},
};

const LOOK: Finish = Finish { floor: Skin::OPENING, wall: Skin::OPENING, ceiling: Skin::OPENING };

/// Rooms on a grid of 8 m squares and two floors; which neighbours are joined, and which rooms have a window.
#[derive(Debug, Clone)]
struct Layout {
    columns: usize,
    rows: usize,
    sizes: Vec<(f64, f64)>,
    east: Vec<bool>,
    north: Vec<bool>,
    up: Vec<bool>,
    windows: Vec<bool>,
}

fn layouts() -> impl Strategy<Value = Layout> {
    (1usize..4, 1usize..4).prop_flat_map(|(columns, rows)| {
        let n = columns * rows * 2;
        let flags = || proptest::collection::vec(any::<bool>(), n);
        (proptest::collection::vec((4.0f64..7.5, 4.0f64..7.5), n), flags(), flags(), flags(), flags())
            .prop_map(move |(sizes, east, north, up, windows)| Layout {
                columns,
                rows,
                sizes,
                east,
                north,
                up,
                windows,
            })
    })
}

fn build(layout: &Layout) -> Plan {
    let mut plan = Plan::default();
    let per_floor = layout.columns * layout.rows;
    let bounds = |i: usize| {
        let (column, row, floor) = (i % layout.columns, i % per_floor / layout.columns, i / per_floor);
        let (x, y, z) = (column as f64 * 8.0, row as f64 * 8.0, floor as f64 * 3.5);
        let (w, d) = layout.sizes[i];
        (DVec3::new(x - w / 2.0, y - d / 2.0, z), DVec3::new(x + w / 2.0, y + d / 2.0, z + 3.0))
    };
    let rooms: Vec<RoomId> = (0..per_floor * 2)
        .map(|i| {
            let (min, max) = bounds(i);
            plan.block(format!("room {i}"), min, max, LOOK)
        })
        .collect();
    for i in 0..per_floor * 2 {
        let (min, max) = bounds(i);
        let middle = (min + max) / 2.0;
        let door = DVec3::new(0.6, 0.6, 2.1);
        if layout.east[i] && i % layout.columns + 1 < layout.columns {
            let (from, to) = (max.x, bounds(i + 1).0.x);
            let volume = (
                DVec3::new(from, middle.y - door.y, min.z),
                DVec3::new(to, middle.y + door.y, min.z + door.z),
            );
            plan.doorway("door east", (rooms[i], rooms[i + 1]), volume, LOOK).unwrap();
        }
        if layout.north[i] && i % per_floor / layout.columns + 1 < layout.rows {
            let j = i + layout.columns;
            let (from, to) = (max.y, bounds(j).0.y);
            let volume = (
                DVec3::new(middle.x - door.x, from, min.z),
                DVec3::new(middle.x + door.x, to, min.z + door.z),
            );
            plan.doorway("door north", (rooms[i], rooms[j]), volume, LOOK).unwrap();
        }
        if layout.up[i] && i < per_floor {
            let volume = (
                middle.with_z(max.z) - DVec3::new(0.9, 0.9, 0.0),
                middle.with_z(3.5) + DVec3::new(0.9, 0.9, 0.0),
            );
            plan.doorway("hatch", (rooms[i], rooms[i + per_floor]), volume, LOOK).unwrap();
        }
        if layout.windows[i] && i % layout.columns == 0 {
            let volume = (
                DVec3::new(min.x - 0.4, middle.y - 0.5, min.z + 1.0),
                DVec3::new(min.x, middle.y + 0.5, min.z + 2.0),
            );
            plan.window("window", rooms[i], -DVec3::X, volume, LOOK).unwrap();
        }
    }
    plan
}

/// Whether the descent to a point ends in matter. Spec: physics-bsp §5.4.
fn in_matter(tree: &BspTree, p: DVec3) -> bool {
    let mut at = 0;
    loop {
        match &tree.nodes[at] {
            BspNode::Leaf(leaf) => return leaf.solid == 1 && leaf.polygons.len > 0,
            BspNode::Inner(inner) => {
                let normal = DVec3::from(inner.plane.normal.map(f64::from));
                let t = normal.dot(p) + f64::from(inner.plane.d);
                let child = if t < 0.0 { inner.negative } else { inner.positive };
                at = child.expect("inner nodes of physics trees have both children") as usize;
            }
        }
    }
}

/// Corners of a cell's polygon in the plan's space.
fn polygon(cells: &CompiledPlan, room: usize, id: u16) -> Vec<DVec3> {
    let cell = &cells.cells[room];
    let structure: &CellStruct = &cell.structure;
    let polygon = find_by_key(&structure.polygons, id).expect("portal polygon exists");
    let corner =
        |v: &u16| DVec3::from(structure.vertices.get(*v).unwrap().origin.map(f64::from)) + cell.origin;
    polygon.vertices.iter().map(corner).collect()
}

/// Follows a ray from room to room; the rooms it enters, and whether it ends outdoors.
fn trace(plan: &Plan, start: RoomId, from: DVec3, direction: DVec3) -> (Vec<RoomId>, bool) {
    let (mut room, mut reached, mut at) = (start, Vec::new(), from);
    loop {
        let mut next = None;
        for link in plan.links() {
            let (polygon, other) = if link.room == room {
                (link.polygon.clone(), link.other)
            } else if link.other == Some(room) {
                (link.polygon.flipped(), Some(link.room))
            } else {
                continue;
            };
            let plane = polygon.plane().unwrap();
            let toward = plane.normal.dot(direction);
            if toward > -1e-9 {
                continue;
            }
            let hit = at + direction * (plane.distance(at) / -toward);
            if polygon.edge_planes().iter().all(|e| e.distance(hit) > 1e-6) {
                next = Some((hit, other));
            }
        }
        match next {
            None => return (reached, false),
            Some((_, None)) => return (reached, true),
            Some((hit, Some(other))) => {
                reached.push(other);
                (at, room) = (hit, other);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn portals_are_reciprocal_and_lie_on_each_other(layout in layouts()) {
        let plan = build(&layout);
        let compiled = plan.compile(&Materials::default()).unwrap();
        for (i, cell) in compiled.cells.iter().enumerate() {
            for (n, portal) in cell.portals.iter().enumerate() {
                let Some((other, back)) = portal.other else { continue };
                let j = other.index();
                let reverse = &compiled.cells[j].portals[usize::from(back)];
                prop_assert_eq!(reverse.other.map(|(r, k)| (r.index(), k)), Some((i, n as u16)));
                let mut mine = polygon(&compiled, i, portal.polygon);
                let mut theirs = polygon(&compiled, j, reverse.polygon);
                let key = |p: &DVec3| (p.as_vec3() * 1000.0).round().to_array().map(|v| v as i64);
                mine.sort_by_key(key);
                theirs.sort_by_key(key);
                prop_assert_eq!(mine.len(), theirs.len());
                for (a, b) in mine.iter().zip(&theirs) {
                    prop_assert!(a.distance(*b) < 1e-4, "{} and {}", a, b);
                }
            }
        }
    }

    #[test]
    fn furniture_is_matter_and_the_rest_of_the_room_is_free(
        boxes in proptest::collection::vec((0.0f64..9.0, 0.0f64..9.0, -1.0f64..3.0, 0.2f64..4.0, 0.2f64..4.0, 0.2f64..3.0), 0..6),
        probes in proptest::collection::vec((0.01f64..0.99, 0.01f64..0.99, 0.01f64..0.99), 80)
    ) {
        // On a coarse grid, so that boxes touch walls, floor, each other and the doorway's plane.
        let grid = |v: f64| (v * 2.0).round() / 2.0;
        let mut plan = Plan::default();
        let room = plan.block("room", DVec3::ZERO, DVec3::new(10.0, 10.0, 3.0), LOOK);
        let next = plan.block("next", DVec3::new(10.5, 0.0, 0.0), DVec3::new(15.0, 10.0, 3.0), LOOK);
        let span = (DVec3::new(10.0, 4.0, 0.0), DVec3::new(10.5, 6.0, 2.0));
        plan.doorway("door", (room, next), span, LOOK).unwrap();
        let solids: Vec<Convex<Skin>> = boxes.iter().map(|&(x, y, z, a, b, c)| {
            let min = DVec3::new(grid(x), grid(y), grid(z));
            Convex::block(min, min + DVec3::new(grid(a), grid(b), grid(c)).max(DVec3::splat(0.5)), Skin::OPENING)
        }).collect();
        for solid in &solids {
            plan.solid(room, solid.clone());
        }
        let compiled = plan.compile(&Materials::default()).unwrap();
        let cell = &compiled.cells[0];
        for probe in probes {
            let p = DVec3::from(probe) * DVec3::new(10.0, 10.0, 3.0);
            let near = solids.iter().any(|s| s.planes().iter().any(|q| q.distance(p).abs() < 2e-3));
            if near {
                continue;
            }
            let inside = solids.iter().any(|s| s.contains(p, 0.0));
            prop_assert_eq!(in_matter(&cell.structure.physics_bsp, p - cell.origin), inside, "at {}", p);
        }
    }

    #[test]
    fn visible_lists_hold_every_room_a_ray_reaches(
        layout in layouts(),
        rays in proptest::collection::vec((0usize..1000, (0.01f64..0.99, 0.01f64..0.99, 0.01f64..0.99), (-1.0f64..1.0, -1.0f64..1.0, -0.6f64..0.6)), 400)
    ) {
        let plan = build(&layout);
        let compiled = plan.compile(&Materials::default()).unwrap();
        let ids: Vec<RoomId> = plan.room_ids().collect();
        for (room, place, direction) in rays {
            let room = room % ids.len();
            let (min, max) = plan.rooms()[room].volume.bounds();
            let from = min + (max - min) * DVec3::from(place);
            let Some(direction) = DVec3::from(direction).try_normalize() else { continue };
            let (reached, outdoors) = trace(&plan, ids[room], from, direction);
            let sight = &compiled.cells[room].sight;
            for seen in reached {
                prop_assert!(sight.rooms.contains(&seen), "{} does not list {:?}", plan.rooms()[room].name, seen);
            }
            prop_assert!(sight.outside || !outdoors, "{} sees outdoors", plan.rooms()[room].name);
        }
    }
}

#[test]
fn a_room_behind_two_corners_is_not_listed() {
    // Three rooms in a row with doors out of line: the far one cannot be seen from the first.
    let mut plan = Plan::default();
    let at = |x: f64| (DVec3::new(x, 0.0, 0.0), DVec3::new(x + 6.0, 6.0, 3.0));
    let rooms: Vec<RoomId> = [0.0, 6.5, 13.0, 19.5, 26.0]
        .iter()
        .map(|&x| {
            let (min, max) = at(x);
            plan.block(format!("room at {x}"), min, max, LOOK)
        })
        .collect();
    for (i, y) in [0.2, 5.0, 0.2, 5.0].into_iter().enumerate() {
        let x = 6.0 + 6.5 * i as f64;
        let volume = (DVec3::new(x, y, 0.0), DVec3::new(x + 0.5, y + 0.8, 2.0));
        plan.doorway(format!("door {i}"), (rooms[i], rooms[i + 1]), volume, LOOK).unwrap();
    }
    let compiled = plan.compile(&Materials::default()).unwrap();
    let seen = &compiled.cells[0].sight.rooms;
    assert!(seen.contains(&rooms[1]));
    assert!(seen.contains(&rooms[2]), "a slanting ray passes the first two doors");
    assert!(!seen.contains(&rooms[4]), "no ray passes four doors that zigzag");
}

#[test]
fn a_room_that_is_not_convex_becomes_joined_cells() {
    let mut plan = Plan::default();
    let l = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0)].map(DVec2::from);
    let rooms = plan.hall("hall", &l, (0.0, 3.0), LOOK).unwrap();
    assert_eq!((rooms.len(), plan.links().len()), (2, 1));
    let compiled = plan.compile(&Materials::default()).unwrap();
    assert_eq!(compiled.cells[0].portals.len(), 1);
}

#[test]
fn steps_replace_the_floor_they_stand_on() {
    let mut plan = Plan::default();
    let room = plan.block("room", DVec3::ZERO, DVec3::new(4.0, 4.0, 3.0), LOOK);
    plan.solid(room, Convex::block(DVec3::ZERO, DVec3::new(1.0, 1.0, 0.5), Skin::OPENING));
    let compiled = plan.compile(&Materials::default()).unwrap();
    let structure = &compiled.cells[0].structure;
    let area: f64 = structure
        .physics_polygons
        .iter()
        .map(|(_, p)| {
            let corner = |v: &u16| DVec3::from(structure.vertices.get(*v).unwrap().origin.map(f64::from));
            Polygon::new(p.vertices.iter().map(corner).collect::<Vec<_>>()).area()
        })
        .sum();
    // The whole room (80) loses footprint (1) and two flush sides (2 × 0.5) and gains top (1) and two sides (2 × 0.5).
    assert!((area - 80.0).abs() < 1e-4, "{area}");
}

#[test]
fn a_tread_that_ends_in_an_opening_is_not_lost() {
    // Two rooms above each other; a block as tall as the lower one shows its top to the upper one.
    let mut plan = Plan::default();
    let lower = plan.block("lower", DVec3::ZERO, DVec3::new(4.0, 4.0, 3.0), LOOK);
    let upper = plan.block("upper", DVec3::new(0.0, 0.0, 3.0), DVec3::new(4.0, 4.0, 6.0), LOOK);
    plan.join(lower, upper).unwrap();
    plan.solid(lower, Convex::block(DVec3::ZERO, DVec3::new(1.0, 1.0, 3.0), Skin::OPENING));
    let compiled = plan.compile(&Materials::default()).unwrap();
    let cell = &compiled.cells[0];
    let tops = cell.structure.physics_polygons.iter().filter(|(_, p)| {
        let corner = |v: &u16| cell.structure.vertices.get(*v).unwrap().origin[2];
        p.vertices.iter().all(|v| corner(v) == 3.0)
    });
    assert_eq!(tops.count(), 1);
}
