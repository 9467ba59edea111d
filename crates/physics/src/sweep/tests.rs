//! Worked examples 45 and 50–66 of the specification (physics-tests §F, §G). Number 67 speaks of a pool of sweeps,
//! which does not exist here: sweeps do not nest.

use super::{
    ContactLog, Mover, Observer, Outcome, PlacementInput, StartContact, Sweep, SweepError, SweepInput,
    Sweeper, Verdict,
};
use crate::{
    flags::{MoverFlags, State, Transient},
    scene::{EntityRole, Scene, Spawn},
    sweep::Contact,
    testing::{
        LAND, ROOM, assert_close, assert_near, at, ball, ceiling, flat, floor, mesh, model, pair, room,
        standing, v, wall_facing_east, wall_facing_west, with_mesh, with_portal, world,
    },
};
use glam::Vec3;
use threshold_world::{
    CellId, Frame, Position, Quat, World,
    cell::{EnvCell, PortalTarget},
    geometry::{Cylinder, Plane, Sphere},
};

impl<'w> Sweep<'w> {
    /// A sweep that has just begun, with its trial where the mover is held.
    pub(crate) fn begun(
        scratch: &'w mut Sweeper,
        world: &'w World,
        scene: &'w Scene,
        mover: Mover,
        held: Position,
    ) -> Sweep<'w> {
        let cell = world.cell(held.cell).map(|cell| cell.id());
        let (mover, contact) = (Box::leak(Box::new(mover)), &StartContact::default());
        let mut sweep = Sweep::new(scratch, world, scene, mover, contact);
        sweep.path.begin(&held, cell);
        sweep
    }
}

/// Everything a sweep decided.
#[derive(Default)]
struct Record {
    tested: Vec<(Position, Verdict)>,
    held: Vec<(Position, Option<CellId>, ContactLog)>,
    cells: Vec<(CellId, Verdict)>,
}

impl Observer for Record {
    fn tested(&mut self, _: u32, trial: &Position, _: Option<CellId>, verdict: Verdict) {
        self.tested.push((*trial, verdict));
    }
    fn held(&mut self, _: u32, held: &Position, cell: Option<CellId>, log: &ContactLog) {
        self.held.push((*held, cell, *log));
    }
    fn cell(&mut self, cell: CellId, verdict: Verdict) {
        self.cells.push((cell, verdict));
    }
}

const UP: Plane = Plane { normal: Vec3::Z, d: 0.0 };

/// Standing on the plane z = 0.
fn grounded(cell: CellId) -> StartContact {
    let contact = Contact { plane: UP, cell, is_water: false };
    StartContact { contact: Some(contact), last_contact: Some(contact), ..StartContact::default() }
}

fn run(
    world: &World,
    scene: &Scene,
    mover: Mover,
    start: StartContact,
    from: Position,
    by: Vec3,
) -> (Outcome, Record) {
    let mut record = Record::default();
    let to = Position::new(from.cell, Frame::new(from.frame.origin + by, from.frame.rotation()));
    let outcome = *Sweeper::new()
        .sweep(world, scene, SweepInput { mover, contact: start, begin: &from, end: &to }, Some(&mut record))
        .expect("a finite move");
    (outcome, record)
}

#[test]
fn example_50_a_move_is_cut_by_the_radius() {
    let ground = world(flat(0.0), vec![], vec![]);
    let steps = |mover: Mover, start: StartContact, z: f32, length: f32| {
        let (_, record) =
            run(&ground, &Scene::new(), mover, start, at(LAND, 2.0, 12.0, z), v(length, 0.0, 0.0));
        record.tested.len()
    };
    for (length, count) in [(0.1, 1), (0.47, 1), (0.49, 2), (1.0, 3), (5.0, 11)] {
        assert_eq!(steps(pair(0.9, standing()), grounded(LAND), 0.48, length), count, "{length} m");
    }
    let camera = || ball(0.3, MoverFlags::CAMERA);
    assert_eq!(steps(camera(), StartContact::default(), 9.0, 5.0), 17);
    let (_, record) = run(
        &ground,
        &Scene::new(),
        camera(),
        StartContact::default(),
        at(LAND, 2.0, 12.0, 9.0),
        v(1.0, 0.0, 0.0),
    );
    let x: Vec<f32> = record.held.iter().map(|(held, _, _)| held.frame.origin.x).collect();
    assert_eq!(x.len(), 4);
    for (found, expected) in x.iter().zip([2.3, 2.6, 2.9, 3.0]) {
        assert_close(*found, expected);
    }
}

#[test]
fn example_51_a_step_follows_the_ground_and_the_wall() {
    let ground = world(flat(-50.0), vec![], vec![]);
    let scene = Scene::new();
    let mut scratch = Sweeper::new();
    let mut sweep =
        Sweep::begun(&mut scratch, &ground, &scene, pair(0.9, standing()), at(LAND, 5.0, 5.0, 0.0));
    // Without a cell the plane does not push the mover up.
    let slope =
        Contact { plane: Plane { normal: v(-0.6, 0.0, 0.8), d: 0.0 }, cell: CellId::NONE, is_water: false };
    sweep.log.set_contact(slope);
    assert_near(sweep.adjust_offset(v(1.0, 0.0, 0.0)), v(0.64, 0.0, 0.48));
    assert_near(sweep.adjust_offset(v(-1.0, 0.0, 0.0)), v(-1.0, 0.0, -0.75));
    sweep.log.set_contact(Contact { plane: UP, ..slope });
    sweep.log.set_slide(v(-1.0, 0.0, 0.0));
    assert_near(sweep.adjust_offset(v(1.0, 1.0, 0.0)), v(0.0, 1.0, 0.0));
}

#[test]
fn example_52_a_sunken_mover_is_raised_before_it_steps() {
    let ground = world(flat(-50.0), vec![], vec![]);
    let scene = Scene::new();
    for (is_water, raised) in [(false, 0.08), (true, 0.0)] {
        let mut scratch = Sweeper::new();
        let mut sweep =
            Sweep::begun(&mut scratch, &ground, &scene, pair(0.9, standing()), at(LAND, 5.0, 5.0, 0.40));
        sweep.log.set_contact(Contact { plane: UP, cell: LAND, is_water });
        assert_near(sweep.adjust_offset(v(0.1, 0.0, 0.0)), v(0.1, 0.0, 0.0));
        assert_close(sweep.path.trial.frame.origin.z, 0.40 + raised);
        assert_close(sweep.path.trial_spheres[0].center.z, 0.40 + raised);
    }
}

#[test]
fn example_53_turning_in_place_succeeds_and_builds_the_set() {
    let ground = world(flat(0.0), vec![], vec![]);
    let from = at(LAND, 23.7, 12.0, 0.48);
    let to = Position::new(LAND, Frame::new(from.frame.origin, Quat::from_heading(90.0)));
    let mut sweeper = Sweeper::new();
    let outcome = sweeper
        .sweep(
            &ground,
            &Scene::new(),
            SweepInput { contact: grounded(LAND), ..SweepInput::new(pair(0.9, standing()), &from, &to) },
            None,
        )
        .expect("a finite move");
    assert!(outcome.ok);
    assert!(outcome.position.nearly_equals(&to));
    assert_eq!(sweeper.cells().ids().collect::<Vec<_>>(), [LAND, CellId(0xA9B4_0009)]);
}

const OTHER: CellId = CellId(ROOM.0 + 1);

/// Two rooms with a floor at 0, joined at x = 12.
fn two_rooms() -> Vec<EnvCell> {
    let x = v(1.0, 0.0, 0.0);
    let a = with_portal(
        room(0, v(4.0, 4.0, -2.0), v(12.0, 12.0, 4.0)),
        v(12.0, 8.0, 0.0),
        x,
        PortalTarget::Cell(OTHER),
    );
    let b = with_portal(
        room(1, v(12.0, 4.0, -2.0), v(20.0, 12.0, 4.0)),
        v(12.0, 8.0, 0.0),
        -x,
        PortalTarget::Cell(ROOM),
    );
    vec![
        with_mesh(a, mesh(&[floor([4.0, 12.0], [4.0, 12.0], 0.0)])),
        with_mesh(b, mesh(&[floor([12.0, 20.0], [4.0, 12.0], 0.0)])),
    ]
}

/// An upright post in the way.
fn post(scene: &mut Scene, world: &World, x: f32, height: f32) {
    let cylinder = Cylinder { low: Vec3::ZERO, radius: 0.3, height };
    let spawn = Spawn {
        guid: Some(1),
        model: model(&[], &[cylinder]),
        position: at(OTHER, x, 8.0, 0.0),
        state: State::REPORT_COLLISIONS,
        scale: 1.0,
        role: EntityRole::default(),
    };
    scene.spawn(world, spawn).expect("a post");
}

#[test]
fn example_54_and_55_only_an_accepted_step_changes_the_cell() {
    let rooms = world(flat(-50.0), two_rooms(), vec![]);
    let from = at(ROOM, 11.9, 8.0, 0.48);
    let go =
        |scene: &Scene| run(&rooms, scene, pair(0.9, standing()), grounded(ROOM), from, v(0.2, 0.0, 0.0));
    let (outcome, _) = go(&Scene::new());
    assert!(outcome.ok);
    assert_eq!((outcome.cell, outcome.position.cell), (Some(OTHER), OTHER));
    assert_close(outcome.position.frame.origin.x, 12.1);

    let mut scene = Scene::new();
    post(&mut scene, &rooms, 12.8, 2.0);
    let (outcome, record) = go(&scene);
    assert_eq!(record.tested[0].1, Verdict::Blocked);
    assert_eq!((outcome.cell, outcome.position), (Some(ROOM), from), "held to the bit");
    assert_eq!(record.held[0].0, from);
}

/// A room with a floor and a wall at x = 10 of a given height.
fn walled(height: f32) -> World {
    let walls = mesh(&[
        floor([4.0, 10.0], [4.0, 12.0], 0.0),
        wall_facing_west(10.0, [4.0, 12.0], [0.0, height]),
        floor([10.0, 12.0], [4.0, 12.0], height),
    ]);
    let room = with_mesh(room(0, v(4.0, 4.0, -2.0), v(12.0, 12.0, 6.0)), walls);
    world(
        flat(-50.0),
        vec![with_portal(room, v(4.0, 8.0, 0.0), v(-1.0, 0.0, 0.0), PortalTarget::Outside)],
        vec![],
    )
}

#[test]
fn example_56_a_blocked_mover_stays_on_its_ground_and_stops() {
    let world = walled(4.0);
    let from = at(ROOM, 9.4, 8.0, 0.48);
    let (outcome, record) =
        run(&world, &Scene::new(), pair(0.9, standing()), grounded(ROOM), from, v(0.2, 0.0, 0.0));
    assert_eq!(record.tested[0].1, Verdict::Blocked);
    assert!(outcome.ok && outcome.stopped);
    assert_eq!(outcome.position, from);
    assert_eq!(outcome.log.ground().expect("ground").plane, UP);
    assert_eq!(outcome.log.stationary_stage, 0);
    assert_near(outcome.log.hit, v(-1.0, 0.0, 0.0));
    assert_near(outcome.log.slide, v(-1.0, 0.0, 0.0));
}

/// A closed box of 2 m around (8, 8), from -1 to 1.
fn boxed() -> World {
    let (x, y) = ([7.0, 9.0], [7.0, 9.0]);
    let walls = mesh(&[ceiling(x, y, 1.0)]);
    let room = with_mesh(room(0, v(7.0, 7.0, -9.0), v(9.0, 9.0, 1.0)), walls);
    world(
        flat(-50.0),
        vec![with_portal(room, v(7.0, 8.0, 0.0), v(-1.0, 0.0, 0.0), PortalTarget::Outside)],
        vec![],
    )
}

#[test]
fn example_57_a_body_that_cannot_fall_stands_after_three_frames() {
    let world = boxed();
    let mut scene = Scene::new();
    let spawn = Spawn {
        guid: Some(1),
        model: model(&[Sphere { center: Vec3::ZERO, radius: 0.48 }], &[]),
        position: at(ROOM, 8.0, 8.0, 0.5),
        state: State::GRAVITY,
        scale: 1.0,
        role: EntityRole::default(),
    };
    let key = scene.spawn(&world, spawn).expect("a body");
    for frame in 1..=3 {
        let result = scene.move_to(&world, key, &at(ROOM, 8.0, 8.0, 0.7), None).expect("a finite move");
        assert!(result.swept);
        assert_eq!(scene.last_sweep().outcome().log.stationary_stage, frame);
        let entity = scene.get(key).expect("the body");
        assert_eq!(entity.position, at(ROOM, 8.0, 8.0, 0.5), "the ceiling holds it");
        assert_eq!(entity.has(Transient::CONTACT | Transient::ON_WALKABLE), frame == 3);
        if frame == 3 {
            assert_eq!(entity.contact_plane.normal, Vec3::Z);
            assert_close(entity.contact_plane.distance(v(8.0, 8.0, 0.5 - 0.48)), 0.0);
            assert_eq!(entity.stationary_stage(), 0, "it has settled");
        } else {
            assert_eq!(entity.stationary_stage(), frame);
        }
    }
}

#[test]
fn example_58_a_camera_never_becomes_stationary() {
    let world = boxed();
    let start = StartContact { stationary_stage: 0, ..StartContact::default() };
    let (outcome, record) = run(
        &world,
        &Scene::new(),
        ball(0.3, MoverFlags::CAMERA),
        start,
        at(ROOM, 8.0, 8.0, 0.69),
        v(0.0, 0.0, 0.2),
    );
    assert!(!record.tested.is_empty());
    assert!(outcome.position.frame.origin.z < 0.71, "the ceiling holds it");
    assert_eq!(outcome.log.stationary_stage, 0);
}

#[test]
fn example_59_a_missile_stops_at_its_first_hit_and_never_settles() {
    let world = walled(4.0);
    let mut missile = ball(0.1, MoverFlags::PATH_CLIPPED);
    missile.state = State::MISSILE;
    let (outcome, record) = run(
        &world,
        &Scene::new(),
        missile.clone(),
        StartContact::default(),
        at(ROOM, 9.0, 8.0, 1.0),
        v(3.0, 0.0, 0.0),
    );
    assert!(record.tested.len() < 30, "of thirty sub-steps only those up to the wall");
    let (last, verdict) = record.tested.last().copied().expect("a sub-step");
    assert_eq!(verdict, Verdict::Blocked);
    assert!(last.frame.origin.x > 9.85 && outcome.position.frame.origin.x < 9.91);
    assert!(record.tested[..record.tested.len() - 1].iter().all(|(_, verdict)| *verdict == Verdict::Clear));
    assert!(record.held.iter().all(|(held, _, _)| held.frame.origin.z == 1.0), "it does not settle");
    missile.flags |= standing();
    let (outcome, _) =
        run(&world, &Scene::new(), missile, grounded(ROOM), at(ROOM, 5.0, 8.0, 0.5), v(0.05, 0.0, 0.0));
    assert_eq!(outcome.position.frame.origin.z, 0.5);
}

/// A floor that drops by `depth` at x = 8.
fn drop(depth: f32) -> World {
    let walls = mesh(&[
        floor([4.0, 8.0], [4.0, 12.0], 0.0),
        wall_facing_east(8.0, [4.0, 12.0], [-depth, 0.0]),
        floor([8.0, 16.0], [4.0, 12.0], -depth),
    ]);
    let room = with_mesh(room(0, v(4.0, 4.0, -9.0), v(16.0, 12.0, 6.0)), walls);
    world(
        flat(-50.0),
        vec![with_portal(room, v(4.0, 8.0, 0.0), v(-1.0, 0.0, 0.0), PortalTarget::Outside)],
        vec![],
    )
}

/// Walks 2.1 m east as an object does, contact carried along; where it ends, and whether it has ground. The moves are
/// long enough to clear the edge, which would stop a body that goes down close to it.
fn stroll(world: &World, mut mover: Mover, from: Position) -> (Vec3, bool) {
    let mut position = from;
    let mut start = grounded(ROOM);
    for _ in 0..7 {
        let (outcome, _) = run(world, &Scene::new(), mover.clone(), start, position, v(0.3, 0.0, 0.0));
        if outcome.ok {
            position = outcome.position;
            let ground = outcome.log.ground();
            start = StartContact { contact: ground, last_contact: ground, ..StartContact::default() };
            mover.flags.set(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE, ground.is_some());
        }
    }
    (position.frame.origin, start.contact.is_some())
}

#[test]
fn example_60_a_body_follows_the_ground_by_twice_half_its_step() {
    let from = at(ROOM, 7.0, 8.0, 0.48);
    let (end, grounded) = stroll(&drop(1.4), pair(0.9, standing()), from);
    assert!(grounded && end.x > 8.9, "{end}");
    assert_close(end.z, 0.48 - 1.4);
    let (end, grounded) = stroll(&drop(1.6), pair(0.9, standing()), from);
    assert!(!grounded && end.z > 0.4, "deeper than a step: it walks off: {end}");
    let (end, grounded) = stroll(&drop(0.2), ball(0.48, standing()), from);
    assert!(grounded);
    assert_close(end.z, 0.48 - 0.2);
    let (end, grounded) = stroll(&drop(0.3), ball(0.48, standing()), from);
    assert!(!grounded && end.z > 0.4, "one sphere steps down by half its radius: {end}");
}

#[test]
fn example_61_without_edge_slide_a_body_walks_off_and_with_it_it_does_not() {
    let from = at(ROOM, 7.0, 8.0, 0.48);
    let (end, grounded) = stroll(&drop(3.0), pair(0.9, standing()), from);
    assert!(end.x > 8.9 && !grounded, "{end}");
    let (end, grounded) = stroll(&drop(3.0), pair(0.9, standing() | MoverFlags::EDGE_SLIDE), from);
    assert!(end.x < 8.5 && grounded, "{end}");
}

#[test]
fn example_62_parallel_ground_makes_no_cliff() {
    let ground = world(flat(-50.0), vec![], vec![]);
    let scene = Scene::new();
    let mut scratch = Sweeper::new();
    let mut sweep =
        Sweep::begun(&mut scratch, &ground, &scene, pair(0.9, standing()), at(LAND, 5.0, 5.0, 0.0));
    sweep.log.last_contact.plane = UP;
    sweep.path.shift_trial(v(0.1, 0.0, 0.0));
    assert_eq!(sweep.cliff_slide(UP), Verdict::Clear);
    assert_near(sweep.path.trial.frame.origin, v(5.1, 5.0, 0.0));
    let cliff = Plane { normal: v(0.8, 0.0, 0.6), d: 0.0 };
    assert_eq!(sweep.cliff_slide(cliff), Verdict::Nudged);
    assert_near(sweep.path.trial.frame.origin, v(5.0, 5.0, 0.0));
}

#[test]
fn example_63_a_ledge_is_stepped_on_within_one_sub_step() {
    let world = walled(0.3);
    let from = at(ROOM, 9.4, 8.0, 0.48);
    let (outcome, record) =
        run(&world, &Scene::new(), pair(0.9, standing()), grounded(ROOM), from, v(0.4, 0.0, 0.0));
    assert_eq!(record.tested.len(), 1);
    assert_near(outcome.position.frame.origin, v(9.8, 8.0, 0.78));
    assert_close(outcome.log.ground().expect("ground").plane.distance(v(9.8, 8.0, 0.3)), 0.0);
}

#[test]
fn example_64_a_ledge_that_is_too_high_is_slid_along() {
    // Polygons let a step overdraw its budget by half: 0.9 m could still be climbed.
    let world = walled(0.95);
    let from = at(ROOM, 9.4, 8.0, 0.48);
    let (outcome, _) =
        run(&world, &Scene::new(), pair(0.9, standing()), grounded(ROOM), from, v(0.2, 0.3, 0.0));
    assert_near(outcome.position.frame.origin, v(9.4, 8.3, 0.48));
    assert_near(outcome.log.hit, v(-1.0, 0.0, 0.0));
}

#[test]
fn example_45_a_post_no_higher_than_the_step_is_stepped_on() {
    let rooms = world(flat(-50.0), two_rooms(), vec![]);
    let mut scene = Scene::new();
    post(&mut scene, &rooms, 15.0, 0.5);
    let go = |step_up: f32| {
        let mover = Mover { step_up, ..pair(0.9, standing()) };
        let from = at(OTHER, 14.2, 8.0, 0.48);
        run(&rooms, &scene, mover, grounded(OTHER), from, v(0.3, 0.0, 0.0)).0.position.frame.origin
    };
    assert_near(go(0.6), v(14.5, 8.0, 0.98));
    assert_near(go(0.4), v(14.2, 8.0, 0.48));
}

/// A scene in which a huge ball leaves no room anywhere.
fn crowded(world: &World, radius: f32) -> Scene {
    let mut scene = Scene::new();
    let spawn = Spawn {
        guid: Some(1),
        model: model(&[Sphere { center: Vec3::ZERO, radius }], &[]),
        position: at(LAND, 12.0, 12.0, 0.0),
        state: State::REPORT_COLLISIONS,
        scale: 1.0,
        role: EntityRole::default(),
    };
    scene.spawn(world, spawn).expect("a ball");
    scene
}

fn place(world: &World, scene: &Scene, mover: Mover, may_search: bool) -> (Outcome, Record) {
    let mut record = Record::default();
    let spot = at(LAND, 12.0, 12.0, 0.48);
    let mut sweeper = Sweeper::new();
    let input = PlacementInput { mover, at: &spot, may_search, no_load: false };
    let outcome = sweeper.place(world, scene, input, Some(&mut record));
    (*outcome.expect("a finite place"), record)
}

#[test]
fn example_65_room_is_looked_for_in_rings() {
    let ground = world(flat(-9.0), vec![], vec![]);
    let scene = crowded(&ground, 9.0);
    for (radius, directions) in [(0.48, 270), (1.0, 68), (0.1, 1338)] {
        let (outcome, record) = place(&ground, &scene, ball(radius, MoverFlags::empty()), true);
        assert!(!outcome.ok);
        let attempts = record.cells.iter().filter(|(_, verdict)| *verdict == Verdict::Blocked).count();
        assert_eq!(attempts, 1 + directions, "the spot itself and every direction, for radius {radius}");
    }
    let (outcome, record) = place(&ground, &scene, ball(0.48, MoverFlags::empty()), false);
    assert!(
        !outcome.ok && record.cells.iter().filter(|(_, verdict)| *verdict == Verdict::Blocked).count() == 1
    );
    // Room enough two rings out: 0.48 + 0.3 is more than one ring of 0.444 and less than two.
    let (outcome, _) = place(&ground, &crowded(&ground, 0.6), ball(0.48, MoverFlags::empty()), true);
    assert!(outcome.ok);
    assert_near(outcome.position.frame.origin.with_z(0.0), v(12.0, 12.0 + 4.0 / 9.0 * 3.0, 0.0));
}

#[test]
fn example_66_the_first_pass_of_a_placement_ignores_objects() {
    let ground = world(flat(-9.0), vec![], vec![]);
    let (outcome, record) = place(&ground, &crowded(&ground, 9.0), ball(0.48, MoverFlags::empty()), false);
    assert_eq!(record.cells, [(LAND, Verdict::Clear), (LAND, Verdict::Blocked)]);
    assert!(!outcome.ok);
}

#[test]
fn a_sweep_that_is_refused_leaves_nothing_to_commit() {
    let (ground, scene) = (world(flat(0.0), vec![], vec![]), Scene::new());
    let mut sweeper = Sweeper::new();
    let from = at(LAND, 2.0, 12.0, 9.0);
    let mut moved = |by: f32| {
        let to = at(LAND, 2.0 + by, 12.0, 9.0);
        let error = sweeper
            .sweep(&ground, &scene, SweepInput::new(ball(0.3, MoverFlags::CAMERA), &from, &to), None)
            .err();
        (error, sweeper.outcome().ok)
    };
    assert_eq!(moved(0.5), (None, true));
    assert_eq!(moved(1e9), (Some(SweepError::TooLong), false));
}
