//! Frames in a row: nothing flickers, nothing is missing for a single frame.
//! Spec: visibility §15 and §16, examples 55–57.

use crate::{oracle, support};
use oracle::{Oracle, is_sliver, missing};
use std::sync::Arc;
use support::*;
use threshold_golden::world_dir;
use threshold_view::{FramePlan, Lens, Options, Planner, Root, Viewer, camera::orientation};
use threshold_world::{
    CellId, Frame, Library, Position, SearchedCells, World, cell::PortalTarget, coords::adjust_to_outside,
    load_all, source::DatSource,
};

/// R0 and R1 with D0 between them.
fn two_rooms() -> World {
    block(vec![
        room(R0, vec![Portal::to(R1, d0(), 0).other(0)]),
        room(R1, vec![Portal::to(R0, d0(), 1).other(0)]).bounds(v(-5.0, 5.0, 0.0), v(5.0, 15.0, 3.0)),
    ])
    .world()
}

#[test]
fn example_55_the_same_view_gives_the_same_plan() {
    let world = block(vec![room(R0, vec![Portal::exit(d0(), 0)])]).world();
    let mut planner = Planner::new(Options::RETAIL);
    let (mut first, mut again) = (FramePlan::default(), FramePlan::default());
    planner.plan(&world, &(), &e(), &mut first);
    planner.plan(&world, &(), &e(), &mut first);
    for _ in 0..1000 {
        planner.plan(&world, &(), &e(), &mut again);
        assert_eq!(again, first);
    }
}

#[test]
fn example_56_through_a_door_the_picture_is_the_same_from_both_sides() {
    let world = two_rooms();
    let full = rect([-1.0, 1.0], [-1.0, 1.0]);
    for (yaw, ahead) in [(0.0, R1), (180.0, R0)] {
        let mut flips = 0;
        let mut last = None;
        for step in 0..4000 {
            // Half a millimetre off, so that no step lies in the plane of the door.
            let y = 3.0 + step as f32 * 0.001 + 0.0005;
            let root = if y < 5.0 { R0 } else { R1 };
            let plan = plan(&world, &viewer(root, v(0.0, y, 1.0), yaw));
            assert!(draw(&plan).contains(&ahead), "{y}");
            let before = last.replace(root);
            if before.is_some_and(|before| before != root) {
                flips += 1;
            }
            // The last step before and the first after the flip.
            if (y - 5.0).abs() < 0.001 {
                assert_regions(&regions_of(&plan, ahead), std::slice::from_ref(&full));
            }
        }
        assert_eq!(flips, 1);
    }
}

#[test]
fn example_57_out_of_a_door_either_the_landscape_or_the_room_is_always_there() {
    let exit = d0();
    let world = block(vec![room(R0, vec![Portal::exit(exit.clone(), 0)])])
        .houses(vec![house(vec![Opening::into(R0, exit, 1).node()])])
        .world();
    let steps = |yaw: f32| {
        let world = &world;
        (0..4000).map(move |step| {
            let y = 3.0 + step as f32 * 0.001 + 0.0005;
            let low = if y < 5.0 { R0 } else { 1 };
            (y, plan(world, &viewer(low, v(0.0, y, 1.0), yaw)))
        })
    };
    for (y, plan) in steps(0.0) {
        assert!(plan.draws_landscape(), "{y}");
        assert_eq!(matches!(plan.root, Root::Interior(_)), y < 5.0);
    }
    // Looking back: the room itself, then the room through the punched door.
    for (y, plan) in steps(180.0) {
        let through_door = count(&plan, "punch") == 1 && plan.floods.len() == 1;
        assert!(draw(&plan) == [R0] || through_door, "{y}");
    }
}

fn golden(name: &str) -> World {
    let source = DatSource::open(world_dir(name)).unwrap();
    load_all(&Library::new(Arc::new(source))).unwrap().0
}

fn named_point(world: &str, name: &str) -> Position {
    let manifest = threshold_golden::manifest(world);
    let point = &manifest["points"][name];
    let xyz: Vec<f32> =
        point["origin"].as_array().unwrap().iter().map(|v| v.as_f64().unwrap() as f32).collect();
    Position::new(point["cell"].as_str().unwrap().parse().unwrap(), Frame::at(v(xyz[0], xyz[1], xyz[2])))
}

/// The cell of a point that moved a little: the same one, else one through a portal of it.
fn follow(world: &World, cell: CellId, p: Vec3) -> (CellId, Vec3) {
    if let Some(env) = world.env_cell(cell) {
        if let Some(next) = world.visible_child(env, p, SearchedCells::Neighbours) {
            return (next.id(), p);
        }
        let has_exit = env.portals.iter().any(|portal| portal.target == PortalTarget::Outside);
        assert!(has_exit, "the path left {cell} at {p}");
        return adjust_to_outside(cell, p).unwrap();
    }
    let block = world.landscape(cell.block()).unwrap();
    let mut inside =
        block.buildings.iter().flat_map(|b| &b.portals).filter_map(|portal| world.env_cell(portal.cell));
    match inside.find(|cell| cell.contains(p)) {
        Some(cell) => (cell.id(), p),
        None => adjust_to_outside(cell, p).unwrap(),
    }
}

/// A walk through points in centimetre steps at eye height, looking ahead and swaying.
fn walk(world: &World, points: &[Vec3], start: CellId, mut see: impl FnMut(usize, &Position)) {
    let mut cell = start;
    let mut step = 0;
    for leg in points.windows(2) {
        let along = leg[1] - leg[0];
        let count = (along.length() / 0.01).ceil() as usize;
        let heading = along.x.atan2(along.y).to_degrees();
        for i in 0..count {
            let eye = leg[0] + along * (i as f32 / count as f32);
            let (next, p) = follow(world, cell, eye);
            assert_eq!(p, eye, "the path stays in one block");
            cell = next;
            let sway = 70.0 * (step as f32 * 0.02).sin();
            see(step, &Position::new(cell, Frame::new(eye, orientation(heading + sway, sway / 8.0))));
            step += 1;
        }
    }
}

/// From the street through the vestibule into the main room of the cottage and out again.
fn cottage_path() -> (World, Vec<Vec3>, CellId) {
    let world = golden("cottage");
    let eye = |name: &str| named_point("cottage", name).frame.origin + v(0.0, 0.0, 1.5);
    let (hall, main) = (eye("vestibule"), eye("main"));
    let street = v(hall.x, hall.y - 12.0, hall.z);
    let (land, _) = adjust_to_outside(CellId(0xA9B4_0001), street).unwrap();
    (world, vec![street, hall, main, main + v(2.0, 2.0, 0.0), main, hall, street + v(6.0, 0.0, 0.0)], land)
}

/// Casts rays in every frame of a walk; the cells the walker was in, in order, and the number of rays.
fn watch_walk(world: &World, points: &[Vec3], start: CellId) -> (Vec<CellId>, usize) {
    let oracle = Oracle::new(world);
    let lens = Lens::new(60f32.to_radians(), 1280, 720).unwrap();
    let mut planner = Planner::default();
    let mut plan = FramePlan::default();
    let (mut rays, mut roots) = (0, Vec::new());
    walk(world, points, start, |step, at| {
        planner.plan(world, &(), &Viewer { position: *at, lens, player_cell: at.cell }, &mut plan);
        let root = match plan.root {
            Root::Outdoor(cell) | Root::Interior(cell) => cell,
            Root::None => panic!("nothing to see at step {step}"),
        };
        assert_eq!(root, at.cell, "the root is the cell the walker is in");
        if roots.last() != Some(&root) {
            roots.push(root);
        }
        for i in 0..40 {
            // A grid that moves from frame to frame.
            let (dx, dy) = ((step % 160) as f32, (step % 144) as f32);
            let pixel = Vec2::new((i % 8) as f32 * 160.0 + dx, (i / 8) as f32 * 144.0 + dy);
            let trace = oracle.trace(at.cell, &oracle.ray(&plan, at.cell, pixel));
            rays += 1;
            if let Some(what) = missing(&plan, &trace, pixel) {
                assert!(is_sliver(&plan, at.cell, &trace), "step {step} at {pixel}: {what}");
            }
        }
    });
    (roots, rays)
}

#[test]
fn on_a_walk_in_centimetre_steps_no_frame_lacks_what_rays_hit() {
    let (world, points, start) = cottage_path();
    let (roots, rays) = watch_walk(&world, &points, start);
    assert!(rays > 100_000, "the walk was too short: {rays}");
    let indoors = roots.iter().filter(|cell| cell.is_interior()).count();
    assert_eq!(indoors, 3, "vestibule, room, vestibule: {roots:?}");
}

#[test]
fn on_walks_through_the_sample_world_no_frame_lacks_what_rays_hit() {
    let built = threshold_sample::build().unwrap();
    let source = built.source().unwrap();
    let (world, _) = load_all(&Library::new(Arc::new(source))).unwrap();
    let place = |name: &str| {
        let found = built.places.iter().find(|place| place.name == name);
        found.unwrap_or_else(|| panic!("no place {name}")).position
    };
    for names in [
        &["Village Street", "Cottage Door", "Cottage Vestibule", "Cottage Living Room"][..],
        &["Inn Door", "Inn Common Room"],
        &["Tower Door", "Tower Ground Floor"],
        &["Ferry House Door", "Ferry House West Room"],
        &["Cave Entrance", "Cave Mouth", "Cave Slope", "Cave Chamber"],
    ] {
        let eye = |name: &&str| place(name).frame.origin + v(0.0, 0.0, 1.5);
        let mut points: Vec<Vec3> = names.iter().map(eye).collect();
        points.extend(names.iter().rev().skip(1).map(eye));
        let (roots, _) = watch_walk(&world, &points, place(names[0]).cell);
        assert!(
            roots.first().unwrap().is_outdoor() && roots.last().unwrap().is_outdoor(),
            "{names:?}: {roots:?}"
        );
        assert!(roots.contains(&place(names[names.len() - 1]).cell), "{names:?}: {roots:?}");
    }
}

#[test]
fn seed_test_7_the_landscape_is_reached_through_the_cottage_s_door() {
    let world = golden("cottage");
    let mut at = named_point("cottage", "vestibule");
    at.frame = Frame::new(at.frame.origin + v(0.0, 0.0, 1.5), orientation(180.0, 0.0));
    let lens = square_lens();
    let plan = plan(&world, &Viewer { position: at, lens, player_cell: at.cell });
    assert!(plan.draws_landscape() && count(&plan, "terrain") > 0 && count(&plan, "seal") > 0);
    // The region covers the door as one projects it by hand.
    let cell = world.env_cell(at.cell).unwrap();
    let portal = cell.portals.iter().find(|p| p.target == PortalTarget::Outside).unwrap();
    let set = &cell.structure.portal_polygons;
    let projection = plan.projection.unwrap();
    let corners: Vec<Vec3> = set.vertices(&set.polygons()[usize::from(portal.polygon)]).collect();
    let center = corners.iter().sum::<Vec3>() / corners.len() as f32;
    let mut covered = 0;
    for (corner, part) in corners.iter().flat_map(|corner| (0..=20).map(move |i| (corner, i as f32 / 20.0))) {
        let p = projection.to_screen(cell.position.frame.apply(center.lerp(*corner, part)));
        let pixel = Vec2::new(p.x, p.y) / p.w;
        if p.w > 0.0 && pixel.cmpge(Vec2::ZERO).all() && pixel.cmple(projection.size).all() {
            assert!(
                plan.views(plan.outside).any(|view| oracle::contains(plan.pixels(view), pixel, 0.5)),
                "{pixel}"
            );
            covered += 1;
        }
    }
    assert!(covered > 0, "the door is in view");
}

#[test]
fn seed_test_8_no_landscape_in_a_dungeon() {
    let world = golden("dungeon");
    let mut rooms = 0;
    for id in world.block_ids() {
        let block = world.block_data(id).unwrap();
        // A block of rooms without any exit.
        let exit = |p: &threshold_world::cell::CellPortal| p.target == PortalTarget::Outside;
        if block.env_cells.iter().flatten().any(|cell| cell.portals.iter().any(exit)) {
            continue;
        }
        for cell in block.env_cells.iter().flatten() {
            let bounds = cell.structure.bounds;
            let eye = cell.position.frame.apply((bounds.min + bounds.max) / 2.0);
            for yaw in [0.0, 90.0, 180.0, 270.0] {
                let position = Position::new(cell.id(), Frame::new(eye, orientation(yaw, 0.0)));
                let plan = plan(&world, &Viewer { position, lens: square_lens(), player_cell: cell.id() });
                assert!(!plan.draws_landscape() && count(&plan, "sky") == 0 && count(&plan, "terrain") == 0);
            }
            rooms += 1;
        }
    }
    assert!(rooms > 10, "{rooms} rooms");
}
