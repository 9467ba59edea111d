//! Outside views, buildings and depth. Spec: visibility §16, examples 33–46, 54, 57, 62–67, 71, 73.

use crate::support;
use support::*;
use threshold_view::{Candidate, Contents, FloodSource, FramePlan, Options, Planner, Root, Step, Viewer};
use threshold_world::{BlockId, CellId, Frame, World, geometry::Plane, landblock::Building, model::Mesh};

fn exit_room() -> Room {
    room(R0, vec![Portal::exit(d0(), 0)]).seen_outside()
}

/// Positions of the named steps; they must occur in this order.
#[track_caller]
fn assert_in_order(plan: &FramePlan, wanted: &[&str]) {
    let ops = ops(plan);
    let mut from = 0;
    for want in wanted {
        match ops[from..].iter().position(|op| op == want) {
            Some(at) => from += at + 1,
            None => panic!("no `{want}` in its place in {ops:?}"),
        }
    }
}

#[test]
fn example_33_the_landscape_through_a_door() {
    let world = block(vec![exit_room()]).world();
    let plan = plan_with(Options::REPAIRED, &world, &e());
    assert_regions(&regions(&plan, plan.outside), &[rect([-0.2, 0.2], [-0.2, 0.2])]);
    assert_in_order(
        &plan,
        &[
            "begin",
            "flood",
            "lights sun",
            "landscape",
            "sky",
            "flush 0",
            "stamp",
            "clear depth",
            "seal",
            "lights cells",
        ],
    );
    assert_in_order(
        &plan,
        &["lights cells", "cell 100", "objects 100", "lights sun", "flood end", "flush 0", "end"],
    );
    assert!(count(&plan, "terrain") > 0);
}

#[test]
fn example_33_through_three_rooms() {
    let (d1, out) = (door(15.0, [-1.0, 1.0], [0.0, 2.0]), door(25.0, [-1.0, 1.0], [0.0, 2.0]));
    let world = block(vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, d0(), 1).other(0), Portal::to(R2, d1.clone(), 0).other(0)]),
        room(R2, vec![Portal::to(R1, d1, 1).other(1), Portal::exit(out, 0)]),
    ])
    .world();
    let plan = plan(&world, &e());
    assert_regions(&regions(&plan, plan.outside), &[rect([-0.04, 0.04], [-0.04, 0.04])]);
}

#[test]
fn example_34_the_original_clears_depth_by_the_seals_of_the_frame_before() {
    let world = block(vec![exit_room()]).world();
    let mut planner = Planner::new(Options::RETAIL);
    let mut plan = FramePlan::default();
    let mut clears = |viewer: &Viewer| {
        planner.plan(&world, &(), viewer, &mut plan);
        count(&plan, "clear depth")
    };
    assert_eq!(clears(&e()), 0);
    assert_eq!(clears(&e()), 1);
    for _ in 0..10 {
        assert_eq!(clears(&viewer(1, v(5.0, 5.0, 1.0), 0.0)), 0);
    }
    assert_eq!(clears(&e()), 1);
}

#[test]
fn example_35_seals_of_far_rooms_come_first() {
    let side_exit = |y: f32| Portal::exit(door(y, [1.0, 3.0], [0.0, 2.0]), 0);
    let world = block(vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0), side_exit(5.0)]),
        room(
            R1,
            vec![Portal::to(R0, d0(), 1).other(0), Portal::exit(door(15.0, [-1.0, 1.0], [0.0, 2.0]), 0)],
        ),
    ])
    .world();
    let plan = plan(&world, &e());
    let sealed: Vec<_> = plan.apertures.iter().map(|a| a.via).collect();
    let via = |low: u16| threshold_view::Via::Cell { cell: id(low), portal: 1 };
    assert_eq!(sealed, [via(R1), via(R0)]);
}

#[test]
fn example_36_no_exit_no_landscape() {
    let behind = door(-5.0, [-1.0, 1.0], [0.0, 2.0]);
    for rooms in [vec![room(R0, vec![])], vec![room(R0, vec![Portal::exit(behind, 0)])]] {
        let plan = plan_with(Options::REPAIRED, &block(rooms).world(), &e());
        assert!(!plan.draws_landscape());
        for op in ["sky", "terrain", "clear depth", "seal"] {
            assert_eq!(count(&plan, op), 0, "{op}");
        }
    }
}

#[test]
fn example_37_the_flag_of_the_cell_does_not_decide_whether_the_landscape_is_drawn() {
    let dark = || block(vec![room(R0, vec![Portal::exit(d0(), 0)])]);
    let loaded = plan(&dark().world(), &e());
    assert!(count(&loaded, "terrain") > 0 && count(&loaded, "sky") == 1);
    let missing = plan(&dark().no_landscape().world(), &Viewer { player_cell: id(1), ..e() });
    assert_eq!(count(&missing, "sky"), 1);
    assert_eq!(count(&missing, "terrain") + count(&missing, "weather"), 0);
    assert_eq!(count(&missing, "seal"), 1);
    assert!(missing.wanted_blocks.contains(&BLOCK));
}

fn front() -> Vec<Vec3> {
    door(-5.0, [-1.0, 1.0], [0.0, 2.5])
}

/// A house with one room: front door in the south, back door in the north.
fn street(side: u8) -> World {
    let back = door(5.0, [-1.0, 1.0], [0.0, 2.5]);
    let inside = room(R0, vec![Portal::exit(front(), 1), Portal::exit(back, 0)]);
    block(vec![inside]).houses(vec![house(vec![Opening::into(R0, front(), side).node()])]).world()
}

fn passer_by() -> Viewer {
    viewer(1, v(0.0, -20.0, 1.5), 0.0)
}

fn clipped_ndc(plan: &FramePlan, aperture: usize) -> Vec<Vec2> {
    let projection = plan.projection.unwrap();
    let points = &plan.clipped[plan.apertures[aperture].clipped.range()];
    points.iter().map(|p| projection.to_ndc(Vec2::new(p.x, p.y) / p.w)).collect()
}

#[test]
fn example_38_a_house_from_the_street() {
    let plan = plan(&street(0), &passer_by());
    assert_eq!(plan.root, Root::Outdoor(id(1)));
    assert_region(&clipped_ndc(&plan, 0), &rect([-0.0667, 0.0667], [-0.1, 0.0667]));
    assert_eq!(plan.floods.len(), 1);
    assert_eq!(plan.floods[0].source, FloodSource::Building { building: 0, portal: 0 });
    let cell = plan.cells[plan.floods[0].cells.range()][0];
    assert_eq!(cell.id, id(R0));
    assert_regions(&regions(&plan, cell.views), &[rect([-0.0667, 0.0667], [-0.1, 0.0667])]);
    assert_eq!(plan.views(plan.outside).len(), 1, "the back door opens no second landscape");
    assert_eq!((count(&plan, "seal"), count(&plan, "landscape")), (0, 1));
}

#[test]
fn example_39_a_door_seen_from_the_wrong_side_or_from_its_plane_stays_closed() {
    let wrong_side = plan(&street(1), &passer_by());
    let in_plane = plan(&street(0), &viewer(1, v(-3.0, -5.0, 1.5), 0.0));
    for plan in [wrong_side, in_plane] {
        assert_eq!((count(&plan, "punch"), count(&plan, "flood")), (0, 0));
        assert_eq!(count(&plan, "shell 0"), 1);
    }
}

#[test]
fn example_40_no_hole_into_a_cell_that_is_not_loaded() {
    let rooms = vec![room(R0, vec![Portal::exit(front(), 1)]).not_loaded()];
    let world = block(rooms).houses(vec![house(vec![Opening::into(R0, front(), 0).node()])]).world();
    let plan = plan(&world, &passer_by());
    assert_eq!((count(&plan, "punch"), count(&plan, "flood")), (0, 0));
    assert_eq!(plan.wanted_cells, [id(R0)]);
}

#[test]
fn example_41_all_openings_are_punched_before_the_interiors() {
    let (a, b) = (door(-5.0, [-4.0, -2.0], [0.0, 2.0]), door(-5.0, [2.0, 4.0], [0.0, 2.0]));
    let rooms = vec![room(R0, vec![Portal::exit(a.clone(), 1), Portal::exit(b.clone(), 1)])];
    let mut second = Opening::into(R0, b, 0);
    second.other = Some(1);
    let world = block(rooms).houses(vec![house(vec![Opening::into(R0, a, 0).node(), second.node()])]).world();
    let plan = plan(&world, &passer_by());
    let ops = ops_without_terrain(&plan);
    let from = ops.iter().position(|op| op == "building 0").unwrap();
    let flood = ["flood", "lights cells", "cell 100", "objects 100", "lights sun", "flood end"];
    let again = ["flood", "lights cells", "objects 100", "lights sun", "flood end"];
    let expected =
        [&["building 0", "punch", "punch"][..], &flood, &again, &["shell 0", "flush 0.75"]].concat();
    assert_eq!(ops[from - 1], "flush 0");
    assert_eq!(ops[from..from + expected.len()], expected);
    let portals = |floods: bool| -> Vec<u16> {
        if floods {
            let portal = |f: &threshold_view::SeenFlood| match f.source {
                FloodSource::Building { portal, .. } => portal,
                FloodSource::Viewer => panic!("nobody is inside"),
            };
            plan.floods.iter().map(portal).collect()
        } else {
            let portal = |a: &threshold_view::Aperture| match a.via {
                threshold_view::Via::Building { portal, .. } => portal,
                via => panic!("{via:?}"),
            };
            plan.apertures.iter().map(portal).collect()
        }
    };
    assert_eq!(portals(false), portals(true));
}

#[test]
fn example_42_the_order_of_a_building_s_openings() {
    // S = [N, P]; both openings are always in view, only the splitting planes differ.
    let openings = [door(-5.0, [-4.0, -2.0], [0.0, 2.0]), door(-5.0, [2.0, 4.0], [0.0, 2.0])];
    let rooms =
        vec![room(R0, vec![Portal::exit(openings[0].clone(), 1), Portal::exit(openings[1].clone(), 1)])];
    // A plane through the point (0, -20, 1.5) of the eye, moved along its normal.
    let plane = |d: f32| Some(Plane { normal: Vec3::Y, d: 20.0 + d });
    let (n, p) = (0u16, 1u16);
    for (n_side, p_side, order) in [
        (1.0, 1.0, vec![n, p]),
        (-1.0, -1.0, vec![p, n]),
        (1.0, -1.0, vec![n, p]),
        (-1.0, 1.0, vec![p, n]),
        (0.0, 1.0, vec![p]),
        (0.0, -1.0, vec![p]),
    ] {
        let node = |i: usize, side: f32| {
            let mut opening = Opening::into(R0, openings[i].clone(), 0);
            opening.other = Some(i as u16);
            Node { plane: plane(side), openings: vec![opening] }
        };
        let world = block(rooms.clone()).houses(vec![house(vec![node(0, n_side), node(1, p_side)])]).world();
        let plan = plan(&world, &passer_by());
        let punched: Vec<u16> = plan
            .apertures
            .iter()
            .map(|a| if let threshold_view::Via::Building { portal, .. } = a.via { portal } else { u16::MAX })
            .collect();
        assert_eq!(punched, order, "{n_side} {p_side}");
    }
}

#[test]
fn example_43_openings_on_the_grid_of_land_cells_let_views_pass_but_are_not_punched() {
    for (x, punches) in [(12.0, 0), (11.999, 1)] {
        // Seen from the west: the outdoor side of a plane whose normal is (-1, 0, 0).
        let opening = vec![v(x, 1.0, 0.0), v(x, -1.0, 0.0), v(x, -1.0, 2.0), v(x, 1.0, 2.0)];
        let rooms = vec![room(R0, vec![Portal::exit(opening.clone(), 1)])];
        let world =
            block(rooms).houses(vec![house(vec![Opening::into(R0, opening.clone(), 0).node()])]).world();
        let plan_outside = plan(&world, &viewer(1, v(0.0, 0.0, 1.0), 90.0));
        assert_eq!((count(&plan_outside, "punch"), count(&plan_outside, "flood")), (punches, 1), "{x}");

        let mut inside = opening.clone();
        inside.reverse();
        let exit = block(vec![room(R0, vec![Portal::exit(inside, 1)])]).world();
        let from_inside = viewer(R0, v(0.0, 0.0, 1.0), 90.0);
        let repaired = plan_with(Options::REPAIRED, &exit, &from_inside);
        assert_eq!(count(&repaired, "clear depth"), punches, "without a seal the ground's depth stays");
        let plan = plan(&exit, &from_inside);
        assert_eq!((plan.seal_count, count(&plan, "seal")), (punches as u32, punches), "{x}");
        assert!(plan.draws_landscape());
    }
}

/// R0 has an exit in the north; behind it stands a house with a door towards it.
fn house_across(extra_exit: Option<Vec<Vec3>>) -> World {
    let across = door(30.0, [-10.0, 10.0], [0.0, 10.0]);
    let mut portals = vec![Portal::exit(d0(), 0)];
    portals.extend(extra_exit.map(|corners| Portal::exit(corners, 0)));
    let rooms = vec![room(R0, portals), room(R1, vec![Portal::exit(across.clone(), 1)])];
    block(rooms).houses(vec![house(vec![Opening::into(R1, across, 0).node()])]).world()
}

#[test]
fn example_44_from_inside_through_an_exit_into_another_house() {
    let plan = plan(&house_across(None), &e());
    assert_region(&clipped_ndc(&plan, 0), &rect([-0.2, 0.2], [-0.0333, 0.2]));
    assert_eq!(plan.floods.len(), 2);
    assert_eq!(plan.floods[1].root, id(R1));
    let cell = plan.cells[plan.floods[1].cells.range()][0];
    assert_regions(&regions(&plan, cell.views), &[rect([-0.2, 0.2], [-0.0333, 0.2])]);
}

#[test]
fn with_two_exits_the_original_punches_per_region_and_the_repaired_order_punches_first() {
    let world = house_across(Some(door(5.0, [1.2, 1.6], [0.0, 2.0])));
    let order = |options: Options| -> Vec<String> {
        ops(&plan_with(options, &world, &e()))
            .into_iter()
            .skip(2)
            .filter(|op| op == "punch" || op == "flood")
            .collect()
    };
    assert_eq!(order(Options::RETAIL), ["punch", "flood", "punch", "flood"]);
    assert_eq!(order(Options::REPAIRED), ["punch", "punch", "flood", "flood"]);
}

/// Answers with another mesh for the shell, or with none.
struct Ladder(Option<Mesh>);

impl Contents for Ladder {
    fn parts(&self, _: CellId, _: &mut dyn FnMut(Candidate)) {}

    fn shell<'a>(&'a self, _: &'a Building, _: f32) -> Option<&'a Mesh> {
        self.0.as_ref()
    }
}

#[test]
fn example_45_the_distance_ladder_of_a_shell() {
    let world = street(0);
    let of = |contents: &Ladder| {
        let mut plan = FramePlan::default();
        Planner::new(Options::RETAIL).plan(&world, contents, &passer_by(), &mut plan);
        (count(&plan, "punch"), count(&plan, "flood"), count(&plan, "shell 0"))
    };
    assert_eq!(of(&Ladder(None)), (0, 0, 0));
    let block = world.landscape(BLOCK).unwrap();
    let fine = block.buildings[0].model.as_ref().unwrap().parts[0].mesh.as_deref().unwrap();
    let coarse = Mesh { openings: Box::default(), ..fine.clone() };
    assert_eq!(of(&Ladder(Some(coarse))), (0, 0, 1));
    assert_eq!(of(&Ladder(Some(fine.clone()))), (1, 1, 1));
}

#[test]
fn example_46_at_most_one_sky() {
    for (world, viewer) in [(street(0), passer_by()), (house_across(None), e())] {
        assert_eq!(count(&plan(&world, &viewer), "sky"), 1);
    }
}

#[test]
fn example_54_rain_falls_only_while_the_player_is_outdoors() {
    let world = block(vec![exit_room()]).world();
    let weather = |player: u16| count(&plan(&world, &Viewer { player_cell: id(player), ..e() }), "weather");
    assert_eq!((weather(3), weather(R0)), (1, 0));
    let dry = Options::RETAIL.weather(false);
    assert_eq!(count(&plan_with(dry, &world, &Viewer { player_cell: id(3), ..e() }), "weather"), 0);
}

#[test]
fn example_62_seals_behind_the_eye_are_counted_but_not_drawn() {
    let south = vec![v(1.0, -5.0, 0.0), v(-1.0, -5.0, 0.0), v(-1.0, -5.0, 2.0), v(1.0, -5.0, 2.0)];
    let world = block(vec![room(R0, vec![Portal::exit(d0(), 0), Portal::exit(south, 0)])]).world();
    let plan = plan(&world, &e());
    assert_eq!((count(&plan, "seal"), plan.seal_count), (1, 2));
}

#[test]
fn example_63_an_exit_that_is_not_looked_through_is_sealed_all_the_same() {
    let wrong_side = door(5.0, [2.0, 3.0], [0.0, 2.0]);
    let world = block(vec![room(R0, vec![Portal::exit(d0(), 0), Portal::exit(wrong_side, 1)])]).world();
    let plan = plan(&world, &e());
    assert_eq!(plan.views(plan.outside).len(), 1);
    assert_eq!(count(&plan, "seal"), 2);
}

#[test]
fn example_64_a_room_without_a_drawing_tree() {
    let world = block(vec![exit_room().not_drawable()]).world();
    let plan = plan(&world, &e());
    assert_eq!((count(&plan, "seal"), count(&plan, "cell 100"), count(&plan, "objects 100")), (0, 0, 1));
}

#[test]
fn example_65_one_s_own_wing_through_an_exit_is_drawn_before_and_after_the_stamp() {
    // The exit shows a house whose interior is R1, which is also behind the other door of R0.
    let across = door(30.0, [-10.0, 10.0], [0.0, 10.0]);
    let inner = door(5.0, [2.0, 3.0], [0.0, 2.0]);
    let rooms = vec![
        room(R0, vec![Portal::exit(d0(), 0), Portal::to(R1, inner.clone(), 0).other(1)]),
        room(R1, vec![Portal::exit(across.clone(), 1), Portal::to(R0, inner, 1).other(1)]),
    ];
    let world = block(rooms).houses(vec![house(vec![Opening::into(R1, across, 0).node()])]).world();
    assert_in_order(&plan(&world, &e()), &["cell 101", "stamp", "cell 101", "cell 100"]);
}

#[test]
fn example_66_the_shell_s_sphere_does_not_gate_its_openings() {
    let mut small = house(vec![Opening::into(R0, front(), 0).node()]);
    small.radius = 1.0;
    small.frame = Frame::at(v(0.0, 0.0, 0.0));
    let rooms = vec![room(R0, vec![Portal::exit(front(), 1)])];
    let world = block(rooms).houses(vec![small]).world();
    // From close by, looking along the wall: the edge of the door is in view, the sphere around the origin is not.
    let plan = plan(&world, &viewer(1, v(0.5, -5.5, 1.5), 80.0));
    assert_eq!((count(&plan, "punch"), count(&plan, "flood"), count(&plan, "shell 0")), (1, 1, 0));
}

#[test]
fn example_67_ground_is_seen_from_above_only() {
    for (z, drawn) in [(10.001, true), (9.995, true), (9.98, false)] {
        let world = Block { height: 10.0, ..block(vec![]) }.world();
        let plan = plan(&world, &viewer(1, v(5.0, 5.0, z), 0.0));
        assert_eq!(count(&plan, "terrain") > 0, drawn, "{z}");
    }
}

#[test]
fn example_71_a_portal_that_leads_outdoors() {
    let plan = plan(&block(vec![exit_room()]).world(), &e());
    assert!(plan.draws_landscape());
}

#[test]
fn example_73_a_second_building_in_a_land_cell_is_not_drawn() {
    let rooms = vec![room(R0, vec![Portal::exit(front(), 1)])];
    let one = house(vec![Opening::into(R0, front(), 0).node()]);
    let world = block(rooms).houses(vec![one.clone(), one]).world();
    let plan = plan(&world, &passer_by());
    assert_eq!(plan.buildings.len(), 1);
    assert_eq!(count(&plan, "punch"), 1);
}

#[test]
fn example_70_without_a_cell_there_is_nothing_to_see() {
    let world = block(vec![exit_room()]).world();
    for low in [0, 0x50, 0x105] {
        let plan = plan(&world, &viewer(low, v(0.0, 0.0, 1.0), 0.0));
        assert_eq!((plan.root, plan.steps.len()), (Root::None, 0), "{low:X}");
    }
}

#[test]
fn landscape_beyond_the_near_rings_is_coarser_and_without_objects() {
    let mut world = World::new();
    for dx in 0..8u8 {
        Block { id: BlockId::new(0xA9 + dx, 0xB4), ..block(vec![]) }.add_to(&mut world);
    }
    let plan = plan(&world, &viewer(1, v(5.0, 100.0, 30.0), 90.0));
    let mut sides = std::collections::BTreeMap::new();
    for step in &plan.steps {
        if let Step::Terrain { block, side, .. } = step {
            sides.insert(block.x() - 0xA9, *side);
        }
    }
    let expected = [(0, 8), (1, 8), (2, 4), (3, 2), (4, 2), (5, 1), (6, 1), (7, 1)];
    assert_eq!(sides.into_iter().collect::<Vec<_>>(), expected);
    // Far to near: the columns never go back to the east.
    let columns: Vec<u8> = plan
        .steps
        .iter()
        .filter_map(|s| if let Step::Terrain { block, .. } = s { Some(block.x()) } else { None })
        .collect();
    assert!(columns.windows(2).all(|pair| pair[0] >= pair[1]));
}
