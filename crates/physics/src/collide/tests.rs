//! Worked examples 25–31, 34, 35 and 37–49 of the specification (physics-tests §D, §E, §F); 45 is with the sweep.

use super::sphere::time_of_contact;
use crate::{
    bsp,
    flags::{MoverFlags, State},
    scene::Scene,
    sweep::{Contact, Mode, Mover, Sweep, Sweeper, Verdict},
    testing::{
        BLOCK, LAND, ROOM, assert_close, assert_near, at, ball, flat, floor, mesh, pair, room, solid,
        standing, v, wall_facing_east, wall_facing_west, with_mesh, world,
    },
};
use glam::Vec3;
use threshold_world::{
    Position, World,
    geometry::{Cylinder, Plane, Sphere},
    terrain::{FLOOR_Z, Terrain},
};

const AIRBORNE: MoverFlags = MoverFlags::empty();

/// A sweep with its trial away from where the mover is held, and what is done with it.
fn during<T>(
    world: &World,
    mover: Mover,
    held: Position,
    movement: Vec3,
    ask: impl FnOnce(&mut Sweep<'_>) -> T,
) -> T {
    let (scene, mut scratch) = (Scene::new(), Sweeper::new());
    let mut sweep = Sweep::begun(&mut scratch, world, &scene, mover, held);
    sweep.path.shift_trial(movement);
    ask(&mut sweep)
}

/// A mover in the middle of a land cell, asked at once.
fn on_land<T>(terrain: Terrain, mover: Mover, z: f32, ask: impl FnOnce(&mut Sweep<'_>) -> T) -> T {
    during(&world(terrain, vec![], vec![]), mover, at(LAND, 12.0, 12.0, z), Vec3::ZERO, ask)
}

#[test]
fn example_25_resting_on_flat_ground_makes_contact() {
    on_land(flat(0.0), ball(0.48, standing()), 0.48, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Clear);
        let ground = sweep.log.ground().expect("contact");
        assert_eq!((ground.plane, ground.cell), (Plane { normal: Vec3::Z, d: 0.0 }, LAND));
        assert!(!sweep.log.hit_valid && !sweep.log.hit_environment);
    });
    on_land(flat(0.0), ball(0.48, standing()), 0.49, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Clear);
        assert_eq!(sweep.log.ground(), None);
    });
    on_land(flat(0.0), ball(0.48, AIRBORNE), 0.48, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Clear);
        assert!(sweep.log.ground().is_some() && sweep.log.hit_environment);
        assert_eq!(sweep.log.hit, Vec3::Z);
    });
}

#[test]
fn example_26_a_falling_body_is_lifted_out_of_the_ground() {
    on_land(flat(0.0), ball(0.48, AIRBORNE), 0.40, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Nudged);
        assert_close(sweep.path.trial.frame.origin.z, 0.48);
        assert!(sweep.log.ground().is_some() && sweep.log.hit_environment);
    });
}

#[test]
fn example_27_stepping_down_pays_from_its_budget() {
    on_land(flat(0.0), ball(0.48, AIRBORNE), 0.40, |sweep| {
        sweep.path.going_down = true;
        sweep.path.down_amount = 0.6;
        sweep.path.budget = 1.0;
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Nudged);
        assert_close(sweep.path.budget, 0.8667);
        assert!(!sweep.log.hit_valid && !sweep.log.hit_environment);
    });
}

#[test]
fn example_28_a_probe_only_asks_whether_there_is_ground() {
    on_land(flat(0.0), ball(0.48, AIRBORNE), 0.40, |sweep| {
        sweep.path.floor_probe = true;
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Blocked);
        assert_eq!(sweep.path.trial.frame.origin.z, 0.40);
    });
}

#[test]
fn example_29_steep_ground_is_no_contact_for_a_walker() {
    let slope = || Terrain::new(BLOCK, std::array::from_fn(|sample| (sample / 9) as f32 * 32.0), [0; 81]);
    // The plane is at 16 in the middle of the cell; its normal has z = 0.6.
    on_land(slope(), ball(0.48, standing()), 16.0, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Clear);
        assert_eq!(sweep.log.ground(), None);
        assert_eq!(sweep.path.trial.frame.origin.z, 16.0);
    });
    on_land(slope(), ball(0.48, AIRBORNE), 16.0, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Nudged);
        assert_close(sweep.log.ground().expect("contact").plane.normal.z, 0.6);
    });
}

/// Terrain word of running water.
const WATER: u16 = 16 << 2;

#[test]
fn example_30_a_block_of_water_stops_walkers_only() {
    let sea = || Terrain::new(BLOCK, [0.0; 81], [WATER; 81]);
    on_land(sea(), ball(0.48, standing()), 5.0, |sweep| {
        assert_eq!(sweep.collide_with_cell(LAND), Verdict::Blocked);
    });
    let missile = Mover { state: State::MISSILE, ..ball(0.48, MoverFlags::PATH_CLIPPED) };
    on_land(sea(), missile, 5.0, |sweep| assert_eq!(sweep.collide_with_cell(LAND), Verdict::Clear));
    during(
        &world(sea(), vec![], vec![]),
        ball(0.3, MoverFlags::CAMERA),
        at(LAND, 12.0, 12.0, 1.0),
        v(0.0, 0.0, -0.9),
        |sweep| {
            assert_eq!(sweep.collide_with_cell(LAND), Verdict::Nudged);
            assert_close(sweep.path.trial.frame.origin.z, 0.3);
        },
    );
}

#[test]
fn example_31_bodies_stand_in_water() {
    // The corners of cell (0, 0) are water, those east and north of it are dry.
    let wet = [0, 1, 9, 10];
    let pond =
        || Terrain::new(BLOCK, [0.0; 81], std::array::from_fn(|s| if wet.contains(&s) { WATER } else { 0 }));
    let lowest = |x: f32, y: f32, cell: u16| {
        let id = BLOCK.cell(cell);
        during(
            &world(pond(), vec![], vec![]),
            ball(0.48, AIRBORNE),
            at(id, x, y, -1.0),
            Vec3::ZERO,
            |sweep| {
                assert_eq!(sweep.collide_with_cell(id), Verdict::Nudged);
                assert!(sweep.log.ground().expect("contact").is_water);
                sweep.path.trial_low.z
            },
        )
    };
    assert_close(lowest(12.0, 5.0, 1), -0.9);
    assert_close(lowest(26.0, 5.0, 9), -0.45);
    assert_close(lowest(46.0, 5.0, 9), -0.1);
}

/// A mover in a room with a mesh, held and moved as said.
fn in_room<T>(
    mesh: threshold_world::bsp::PhysicsMesh,
    mover: Mover,
    from: Vec3,
    movement: Vec3,
    ask: impl FnOnce(&mut Sweep<'_>) -> T,
) -> T {
    let room = with_mesh(room(0, v(-9.0, -9.0, -9.0), v(9.0, 9.0, 9.0)), mesh);
    let world = world(flat(-50.0), vec![room], vec![]);
    during(&world, mover, at(ROOM, from.x, from.y, from.z), movement, ask)
}

#[test]
fn example_34_and_35_a_back_face_is_remembered_by_bodies_of_two_spheres() {
    let low = || mesh(&[wall_facing_west(0.0, [-2.0, 2.0], [-2.0, 0.3])]);
    let tall = || mesh(&[wall_facing_west(0.0, [-2.0, 2.0], [-2.0, 2.0])]);
    let (from, away) = (v(-0.3, 0.0, 0.0), v(-0.1, 0.0, 0.0));
    let back_face = |mesh, mover| {
        in_room(mesh, mover, from, away, |sweep| {
            assert_eq!(sweep.collide_with_cell(ROOM), Verdict::Clear);
            sweep.path.back_face.map(|back| (back.steps, back.normal))
        })
    };
    assert_eq!(back_face(low(), pair(1.2, standing())), Some((true, v(1.0, 0.0, 0.0))));
    assert_eq!(back_face(tall(), pair(1.2, standing())), Some((false, v(1.0, 0.0, 0.0))));
    assert_eq!(back_face(tall(), ball(0.48, standing())), None);
}

#[test]
fn example_37_a_shell_is_hollow_for_those_who_touch_its_rooms() {
    let shell = || solid(&[wall_facing_west(5.0, [-2.0, 2.0], [-2.0, 2.0])]);
    let verdict = |x: f32, shell_test: bool, touches_inside: bool| {
        in_room(shell(), ball(0.48, AIRBORNE), v(x, 0.0, 0.0), Vec3::ZERO, |sweep| {
            sweep.path.mode = Mode::Place;
            sweep.path.shell_test = shell_test;
            sweep.path.touches_inside = touches_inside;
            sweep.collide_with_cell(ROOM)
        })
    };
    assert_eq!(verdict(0.0, false, false), Verdict::Blocked);
    assert_eq!(verdict(0.0, true, false), Verdict::Blocked);
    assert_eq!(verdict(0.0, false, true), Verdict::Blocked);
    assert_eq!(verdict(0.0, true, true), Verdict::Clear);
    assert_eq!(verdict(4.8, true, true), Verdict::Blocked, "a polygon still counts");
}

#[test]
fn example_38_pushing_out_moves_only_what_is_in_and_ends() {
    let first_place = |mesh, x: f32| {
        in_room(mesh, ball(0.48, AIRBORNE), v(x, 0.0, 0.0), Vec3::ZERO, |sweep| {
            sweep.path.mode = Mode::FirstPlace;
            (sweep.collide_with_cell(ROOM), sweep.path.trial.frame.origin.x)
        })
    };
    let wall = || mesh(&[wall_facing_west(0.0, [-2.0, 2.0], [-2.0, 2.0])]);
    assert_eq!(first_place(wall(), -1.0), (Verdict::Clear, -1.0));
    let (verdict, x) = first_place(wall(), -0.3);
    assert_eq!(verdict, Verdict::Nudged);
    assert_close(x, -0.48);
    let (y, z) = ([-2.0, 2.0], [-2.0, 2.0]);
    let gap = mesh(&[wall_facing_west(0.3, y, z), wall_facing_east(-0.3, y, z)]);
    assert_eq!(
        first_place(gap, 0.0).0,
        Verdict::Blocked,
        "0.6 m are too narrow for 0.96 m, at any number of pushes"
    );
}

#[test]
fn example_39_the_camera_stops_just_before_the_wall() {
    let wall = || mesh(&[wall_facing_west(0.0, [-2.0, 2.0], [-2.0, 2.0])]);
    for tilt in [0.0, 0.3, -0.7] {
        let movement = v(2.1, tilt, 0.2);
        in_room(wall(), ball(0.3, MoverFlags::CAMERA), v(-2.0, 0.0, 0.0), movement, |sweep| {
            assert_eq!(sweep.collide_with_cell(ROOM), Verdict::Nudged);
            let stop = sweep.path.trial_spheres[0];
            assert!(!bsp::first_facing(&wall(), &stop, movement, &mut None), "{stop:?}");
            assert!(stop.center.x <= -0.3 + 0.0002 && stop.center.x > -0.3 - 0.02 * 2.1, "{stop:?}");
            assert_near(sweep.log.hit, v(-1.0, 0.0, 0.0));
        });
    }
}

/// A mover in empty air, held and moved as said.
fn in_air<T>(mover: Mover, from: Vec3, movement: Vec3, ask: impl FnOnce(&mut Sweep<'_>) -> T) -> T {
    during(&world(flat(-50.0), vec![], vec![]), mover, at(LAND, from.x, from.y, from.z), movement, ask)
}

/// A ball in the way at the block's corner.
const BALL: Sphere = Sphere { center: Vec3::ZERO, radius: 0.5 };

#[test]
fn example_40_spheres_overlap_up_to_the_epsilon() {
    let placed = |distance: f32| {
        in_air(ball(0.48, AIRBORNE), v(distance, 0.0, 0.0), Vec3::ZERO, |sweep| {
            sweep.path.mode = Mode::Place;
            sweep.collide_with_sphere(&BALL, false)
        })
    };
    assert_eq!(placed(0.979), Verdict::Blocked);
    assert_eq!(placed(0.980), Verdict::Clear);
}

fn stepping_down<T>(mover: Mover, from: Vec3, ask: impl FnOnce(&mut Sweep<'_>) -> T) -> T {
    in_air(mover, from, Vec3::ZERO, |sweep| {
        sweep.path.going_down = true;
        sweep.path.down_amount = 0.6;
        sweep.path.budget = 1.0;
        sweep.path.min_up = FLOOR_Z;
        ask(sweep)
    })
}

#[test]
fn example_41_stepping_down_onto_a_ball() {
    stepping_down(ball(0.48, standing()), v(0.3, 0.0, 0.6), |sweep| {
        assert_eq!(sweep.collide_with_sphere(&BALL, false), Verdict::Nudged);
        assert_near(sweep.path.trial.frame.origin, v(0.3, 0.0, 0.6 + 0.33295));
        assert_close(sweep.path.budget, 0.44508);
        let ground = sweep.log.ground().expect("contact");
        assert_near(ground.plane.normal, v(0.30612, 0.0, 0.95199));
        assert!(ground.is_water);
    });
}

#[test]
fn example_42_nobody_stands_on_what_lives() {
    stepping_down(ball(0.48, standing()), v(0.3, 0.0, 0.6), |sweep| {
        assert_eq!(sweep.collide_with_sphere(&BALL, true), Verdict::Clear);
        assert_eq!(sweep.path.trial.frame.origin, v(0.3, 0.0, 0.6));
        assert_eq!((sweep.path.budget, sweep.log.ground()), (1.0, None));
    });
}

#[test]
fn example_43_landing_on_a_ball() {
    in_air(ball(0.48, AIRBORNE), v(0.0, 0.0, 1.2), v(0.0, 0.0, -0.3), |sweep| {
        sweep.path.landing = true;
        sweep.path.budget = 1.0;
        assert_eq!(sweep.collide_with_sphere(&BALL, false), Verdict::Nudged);
        assert_close(sweep.path.budget, 0.73333);
        assert_near(sweep.path.trial.frame.origin, v(0.0, 0.0, 0.98));
        assert_near(sweep.log.ground().expect("contact").plane.normal, Vec3::Z);
    });
}

#[test]
fn example_44_stepping_down_onto_a_post() {
    let post = Cylinder { low: Vec3::ZERO, radius: 0.3, height: 0.5 };
    stepping_down(ball(0.48, standing()), v(0.1, 0.0, 0.8), |sweep| {
        assert_eq!(sweep.collide_with_cylinder(&post), Verdict::Nudged);
        assert_near(sweep.path.trial.frame.origin, v(0.1, 0.0, 0.98));
        assert_close(sweep.path.budget, 0.7);
        let plane = sweep.log.ground().expect("contact").plane;
        assert_near(plane.normal, Vec3::Z);
        assert_close(plane.d, -0.5);
    });
}

#[test]
fn example_46_time_of_contact() {
    let time = |from: Vec3| time_of_contact(v(2.0, 0.0, 0.0), from, 1.0);
    assert_close(time(v(-2.0, 0.0, 0.0)), 0.5);
    assert_close(time(v(-2.0, 0.6, 0.0)), 0.6);
    assert_eq!(time(v(-2.0, 1.5, 0.0)), -1.0);
}

/// A slide along a wall that faces west, with or without ground: the verdict and where the trial went.
fn slid(normal: Vec3, ground: bool, movement: Vec3) -> (Verdict, Vec3, Vec3) {
    let from = v(5.0, 5.0, 0.0);
    in_air(ball(0.48, standing()), from, movement, |sweep| {
        if ground {
            let plane = Plane { normal: Vec3::Z, d: 0.0 };
            sweep.log.set_contact(Contact { plane, cell: LAND, is_water: false });
        }
        let verdict = sweep.slide(0, normal);
        (verdict, sweep.path.trial.frame.origin - from, sweep.log.hit)
    })
}

#[test]
fn example_47_a_slide_keeps_what_leads_along_the_wall() {
    let wall = v(-1.0, 0.0, 0.0);
    for ground in [true, false] {
        let (verdict, movement, hit) = slid(wall, ground, v(0.3, 0.4, 0.0));
        assert_eq!(verdict, Verdict::Slid);
        assert_near(movement, v(0.0, 0.4, 0.0));
        assert_near(hit, wall);
    }
    assert_eq!(slid(wall, true, v(0.3, 0.01, 0.0)).0, Verdict::Blocked, "a centimetre is too little");
}

#[test]
fn example_48_a_ceiling_over_the_ground_blocks() {
    let (verdict, _, hit) = slid(v(0.0, 0.0, -1.0), true, v(0.0, 0.0, 0.3));
    assert_eq!(verdict, Verdict::Blocked);
    assert_near(hit, v(0.0, 0.0, -1.0));
}

#[test]
fn example_49_without_a_normal_the_trial_goes_half_way_back() {
    let (verdict, movement, _) = slid(Vec3::ZERO, true, v(0.3, 0.4, 0.0));
    assert_eq!(verdict, Verdict::Nudged);
    assert_near(movement, v(0.15, 0.2, 0.0));
}

#[test]
fn a_floor_under_a_standing_body_is_found_by_stepping_down() {
    let ground = mesh(&[floor([-2.0, 2.0], [-2.0, 2.0], 0.0)]);
    in_room(ground, ball(0.48, standing()), v(0.0, 0.0, 0.4), Vec3::ZERO, |sweep| {
        sweep.path.going_down = true;
        sweep.path.down_amount = 0.6;
        sweep.path.min_up = FLOOR_Z;
        assert_eq!(sweep.collide_with_cell(ROOM), Verdict::Nudged);
        assert_close(sweep.path.trial.frame.origin.z, 0.48);
        assert_eq!(sweep.log.ground().expect("contact").cell, ROOM);
    });
}
