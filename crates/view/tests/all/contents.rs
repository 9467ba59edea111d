//! Objects in the plan. Spec: visibility §16, examples 47–49, 53, 65, 69, 72.

use crate::support;
use std::collections::BTreeMap;
use support::*;
use threshold_view::{Candidate, Contents, FramePlan, Options, Part, Planner, Step, Viewer};
use threshold_world::{CellId, World, geometry::Sphere};

/// Objects by the cells they are registered in.
#[derive(Default)]
struct Lists(BTreeMap<CellId, Vec<Candidate>>);

impl Contents for Lists {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        self.0.get(&cell).into_iter().flatten().for_each(|candidate| visit(*candidate));
    }
}

fn part(object: u32, part: u16, center: Vec3, radius: f32) -> Candidate {
    Candidate {
        object,
        part,
        sphere: Some(Sphere { center, radius }),
        sort_center: center,
        origin: center,
        emitter: false,
    }
}

impl Lists {
    fn with(mut self, cell: u16, candidates: &[Candidate]) -> Lists {
        self.0.entry(id(cell)).or_default().extend_from_slice(candidates);
        self
    }
}

fn plan_of(world: &World, lists: &Lists, viewer: &Viewer, options: Options) -> FramePlan {
    let mut plan = FramePlan::default();
    Planner::new(options).plan(world, lists, viewer, &mut plan);
    plan
}

/// Parts drawn for a cell, step by step.
fn drawn(plan: &FramePlan, low: u16) -> Vec<Vec<Part>> {
    let parts = |step: &Step| match step {
        Step::Objects { cell, parts, .. } if cell.low() == low => Some(plan.parts[parts.range()].to_vec()),
        _ => None,
    };
    plan.steps.iter().filter_map(parts).collect()
}

fn objects(parts: &[Part]) -> Vec<u32> {
    parts.iter().map(|p| p.object).collect()
}

/// R1 behind D0.
fn two_rooms() -> World {
    block(vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, d0(), 1).other(0)]),
    ])
    .world()
}

#[test]
fn example_47_objects_are_culled_by_the_edges_of_the_region() {
    let world = two_rooms();
    let lists = Lists::default().with(
        R1,
        &[
            part(1, 0, v(-3.0, 10.0, 1.0), 0.5),
            part(2, 0, v(-2.3, 10.0, 1.0), 0.5),
            part(3, 0, v(0.0, 10.0, 1.0), 0.5),
        ],
    );
    let plan = plan_of(&world, &lists, &e(), Options::RETAIL);
    let parts = &drawn(&plan, R1)[0];
    let found: BTreeMap<u32, bool> = parts.iter().map(|p| (p.object, p.inside)).collect();
    assert_eq!(found, BTreeMap::from([(2, false), (3, true)]));
    let region = &plan.views[plan.view_refs[parts[0].views.range()][0] as usize];
    let left = plan.edge_planes(region).find(|plane| plane.normal.x > 0.9).unwrap();
    assert!((left.normal - v(0.98058, 0.19612, 0.0)).length() < 1e-4);
    assert!(left.distance(v(0.0, 0.0, 1.0)).abs() < 1e-5, "it goes through the eye");
    assert!((left.distance(v(-3.0, 10.0, 1.0)) + 0.9806).abs() < 1e-3);
    assert!((left.distance(v(-2.3, 10.0, 1.0)) + 0.2942).abs() < 1e-3);
}

#[test]
fn example_48_the_forward_plane() {
    let world = two_rooms();
    // The forward plane stands 0.1 m before the eye; 0.9 m behind the eye is 1 m behind the plane.
    let lists =
        Lists::default().with(R0, &[part(1, 0, v(0.0, -5.0, 1.0), 1.0), part(2, 0, v(0.0, -0.9, 1.0), 1.0)]);
    assert_eq!(objects(&drawn(&plan_of(&world, &lists, &e(), Options::RETAIL), R0)[0]), [2]);
}

#[test]
fn example_49_a_part_is_drawn_once_until_the_stamp_advances() {
    // Two doors into R1, both of which show the object; it is registered in R0 as well.
    let doors = [door(5.0, [-4.0, -0.1], [0.0, 2.0]), door(5.0, [0.1, 4.0], [0.0, 2.0])];
    let rooms = vec![
        room(
            R0,
            vec![
                Portal::to(R1, doors[0].clone(), 0).other(0),
                Portal::to(R1, doors[1].clone(), 0).other(1),
                Portal::exit(door(5.0, [4.2, 4.8], [0.0, 2.0]), 0),
            ],
        ),
        room(
            R1,
            vec![Portal::to(R0, doors[0].clone(), 1).other(0), Portal::to(R0, doors[1].clone(), 1).other(1)],
        ),
    ];
    let world = block(rooms).world();
    let shared = part(7, 0, v(0.0, 10.0, 1.0), 1.0);
    let lists = Lists::default()
        .with(R0, &[shared])
        .with(R1, &[shared])
        .with(1, &[part(7, 0, v(10.0, 10.0, 1.0), 9.0)]);
    let plan = plan_of(&world, &lists, &e(), Options::RETAIL);
    assert_eq!(objects(&drawn(&plan, 1)[0]), [7], "once in the landscape");
    assert_eq!(objects(&drawn(&plan, R1)[0]), [7], "once more after the stamp, in the first of the cells");
    assert_eq!(drawn(&plan, R1)[0][0].views.len, 2, "both regions accept it");
    assert_eq!(drawn(&plan, R0), [vec![]]);
}

#[test]
fn example_53_order_within_a_land_cell() {
    let opening = door(-5.0, [-1.0, 1.0], [0.0, 2.5]);
    let rooms = vec![room(R0, vec![Portal::exit(opening.clone(), 1)])];
    let world = block(rooms).houses(vec![house(vec![Opening::into(R0, opening, 0).node()])]).world();
    let lists = Lists::default().with(1, &[part(1, 0, v(0.0, 5.0, 1.0), 1.0)]);
    let plan = plan_of(&world, &lists, &viewer(1, v(0.0, -20.0, 1.5), 0.0), Options::RETAIL);
    let ops = ops(&plan);
    let at = |op: &str| ops.iter().rposition(|o| o == op).unwrap_or_else(|| panic!("no {op} in {ops:?}"));
    let order = [at("terrain"), at("building 0"), at("shell 0"), at("objects 1"), at("flush 0.75")];
    assert!(order.windows(2).all(|pair| pair[0] < pair[1]), "{order:?}");
}

#[test]
fn example_65_a_room_seen_through_two_windows_shows_each_object_once() {
    let windows = [door(-5.0, [-4.0, -2.0], [0.0, 2.0]), door(-5.0, [2.0, 4.0], [0.0, 2.0])];
    let rooms = vec![room(R0, windows.iter().map(|w| Portal::exit(w.clone(), 1)).collect())];
    let mut second = Opening::into(R0, windows[1].clone(), 0);
    second.other = Some(1);
    let nodes = vec![Opening::into(R0, windows[0].clone(), 0).node(), second.node()];
    let world = block(rooms).houses(vec![house(nodes)]).world();
    let lists = Lists::default().with(
        R0,
        &[
            part(1, 0, v(-3.0, -4.0, 1.0), 0.3),
            part(2, 0, v(3.0, -4.0, 1.0), 0.3),
            part(3, 0, v(0.0, 0.0, 1.0), 4.0),
        ],
    );
    let plan = plan_of(&world, &lists, &viewer(1, v(0.0, -20.0, 1.5), 0.0), Options::RETAIL);
    let (first, second) = (&drawn(&plan, R0)[0], &drawn(&plan, R0)[1]);
    assert_eq!((objects(first), objects(second)), (vec![3, 1], vec![2]));
    assert_eq!(count(&plan, "cell 100"), 1);
}

#[test]
fn example_69_far_objects_sort_as_a_whole() {
    let at = |object, number, origin: Vec3, sort_center| Candidate {
        origin,
        sort_center,
        ..part(object, number, origin, 1.0)
    };
    let eye = v(0.0, 60.0, 1.0);
    // A land cell whose centre is 60 m away: all its objects are that far.
    let world = block(vec![]).world();
    let (center, cell) = (v(60.0, 60.0, 0.0), 0x13);
    let lists = Lists::default().with(
        cell,
        &[at(1, 0, center + v(3.0, 0.0, 0.0), center), at(2, 0, center - v(8.0, 0.0, 0.0), center)],
    );
    let from = Viewer { player_cell: id(cell), ..viewer(3, eye, 90.0) };
    let plan = plan_of(&world, &lists, &from, Options::RETAIL);
    let parts = &drawn(&plan, cell)[0];
    assert_eq!((objects(parts), parts[0].distance, parts[1].distance), (vec![1, 2], 60.0, 60.0));
    // An object 30 m away: its parts are as far as itself, in the order of the list.
    let origin = eye + v(30.0, 0.0, 0.0);
    let near = at(1, 0, origin, origin - v(4.0, 0.0, 0.0));
    let far = at(1, 1, origin, origin + v(4.0, 0.0, 0.0));
    let lists = Lists::default().with(0x0B, &[near, far]);
    let lumped = plan_of(&world, &lists, &from, Options::RETAIL);
    assert_eq!(
        drawn(&lumped, 0x0B)[0].iter().map(|p| (p.part, p.distance)).collect::<Vec<_>>(),
        [(0, 30.0), (1, 30.0)]
    );
    let by_part = plan_of(&world, &lists, &from, Options::REPAIRED);
    assert_eq!(
        drawn(&by_part, 0x0B)[0].iter().map(|p| (p.part, p.distance)).collect::<Vec<_>>(),
        [(1, 34.0), (0, 26.0)]
    );
}

#[test]
fn near_parts_sort_far_to_near_and_equally_far_ones_keep_their_order() {
    let world = two_rooms();
    let lists = Lists::default().with(
        R0,
        &[
            part(1, 0, v(0.0, 2.0, 1.0), 0.5),
            part(2, 0, v(0.0, 4.0, 1.0), 0.5),
            part(3, 0, v(0.0, 3.0, 1.0), 0.5),
            part(4, 0, v(0.0, 3.0, 1.0), 0.5),
        ],
    );
    assert_eq!(objects(&drawn(&plan_of(&world, &lists, &e(), Options::RETAIL), R0)[0]), [2, 3, 4, 1]);
}

#[test]
fn example_72_a_sphere_that_touches_a_plane_from_inside_is_partly_inside() {
    let world = two_rooms();
    // One metre from the forward plane, which stands at y = 0.1; the other planes are far away.
    let lists =
        Lists::default().with(R0, &[part(1, 0, v(0.0, 20.1, 1.0), 20.0), part(2, 0, v(0.0, 20.1, 1.0), 9.0)]);
    let plan = plan_of(&world, &lists, &e(), Options::RETAIL);
    let inside: BTreeMap<u32, bool> = drawn(&plan, R0)[0].iter().map(|p| (p.object, p.inside)).collect();
    assert_eq!(inside, BTreeMap::from([(1, false), (2, true)]));
}

#[test]
fn a_part_without_a_sphere_is_drawn_with_its_cell() {
    let world = two_rooms();
    let mut everywhere = part(1, 0, v(0.0, -90.0, 1.0), 0.1);
    everywhere.sphere = None;
    let lists = Lists::default().with(R1, &[everywhere]);
    assert_eq!(objects(&drawn(&plan_of(&world, &lists, &e(), Options::RETAIL), R1)[0]), [1]);
}
