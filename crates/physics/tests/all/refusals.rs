//! What a scene refuses, and that it is unchanged then.

use crate::support;
use glam::Vec3;
use support::*;
use threshold_physics::{
    Attachment, EntityKey, Motion, PlaceOptions, SceneError, Spawn, State, scene::MAX_CARRY_DEPTH,
    sweep::SweepError,
};
use threshold_world::{CellId, Frame, Position, Quat};

/// Everything there is to know of a scene.
fn picture(setting: &Setting) -> (u64, usize, Vec<(CellId, Vec<EntityKey>)>, String) {
    let lists = setting.scene.shadow_lists().map(|(cell, list)| (cell, list.to_vec())).collect();
    let all: Vec<_> =
        setting.scene.entities().map(|(_, e)| (e.position, e.state, e.scale, e.parent, e.velocity)).collect();
    (setting.scene.state_hash(), setting.scene.waiting(), lists, format!("{all:?}"))
}

struct Case {
    setting: Setting,
    key: EntityKey,
    other: EntityKey,
}

impl Case {
    fn new() -> Case {
        let mut setting = setting("cottage");
        let key = player(&mut setting, 1, point("cottage", "main"));
        let other =
            spawn(&mut setting, 2, CHEST, at(0xA9B4_0101, 84.0, 80.2, 20.155), State::REPORT_COLLISIONS);
        Case { setting, key, other }
    }

    fn refuses<T: std::fmt::Debug>(
        &mut self,
        what: &str,
        expected: SceneError,
        change: impl FnOnce(&mut Setting, EntityKey, EntityKey) -> Result<T, SceneError>,
    ) {
        let before = picture(&self.setting);
        let error = change(&mut self.setting, self.key, self.other).expect_err(what);
        assert_eq!(error, expected, "{what}");
        assert_eq!(picture(&self.setting), before, "{what}: the scene is unchanged");
        assert_lists_agree(&self.setting);
    }
}

fn bad_positions() -> Vec<(Position, SceneError)> {
    let nan = |v: [f32; 3]| Position::new(CellId(0xA9B4_0101), Frame::at(Vec3::from(v)));
    let mut twisted = at(0xA9B4_0101, 84.0, 84.0, 20.0);
    twisted.frame = Frame::new(Vec3::ZERO, Quat { w: f32::NAN, v: Vec3::ZERO });
    let mut list = vec![
        (nan([f32::NAN, 0.0, 0.0]), SceneError::NotFinite("position")),
        (nan([0.0, 0.0, f32::INFINITY]), SceneError::NotFinite("position")),
        (at(0xA9B4_0001, -1e9, 0.0, 0.0), SceneError::OffMap(CellId(0xA9B4_0001))),
        (at(0x0001_0001, -1.0, 5.0, 0.0), SceneError::OffMap(CellId(0x0001_0001))),
        (at(0xFEFE_0040, 190.0, 193.0, 0.0), SceneError::OffMap(CellId(0xFEFE_0040))),
        (at(0xA9B4_0101, 0.0, 0.0, 1e9), SceneError::OffMap(CellId(0xA9B4_0101))),
    ];
    for cell in [0, 0xA9B4_0000, 0xA9B4_0041, 0xA9B4_00FF, 0xA9B4_FFFE, 0xA9B4_FFFF, 0xFF00_0001, 0x00FF_0101]
    {
        list.push((at(cell, 10.0, 10.0, 10.0), SceneError::BadCell(CellId(cell))));
    }
    assert!(twisted.frame.is_finite(), "a rotation of zero length becomes the identity");
    list
}

#[test]
fn positions_off_the_map_are_refused_everywhere() {
    let mut case = Case::new();
    for (position, error) in bad_positions() {
        let what = format!("{position:?}");
        // An object may begin in no cell at all.
        if position.cell != CellId::NONE {
            case.refuses(&what, error.clone(), |setting, _, _| {
                let spawn = object(setting, 3, CHEST, position, State::empty());
                setting.scene.spawn(&setting.world, spawn)
            });
        }
        case.refuses(&what, error.clone(), |setting, key, _| {
            setting.scene.update_position(&setting.world, key, position)
        });
        case.refuses(&what, error, |setting, key, _| {
            setting.scene.place(&setting.world, key, &position, PlaceOptions::default())
        });
    }
}

#[test]
fn ids_used_twice_are_refused() {
    let mut case = Case::new();
    case.refuses("spawn", SceneError::DuplicateGuid(2), |setting, _, _| {
        let spawn = object(setting, 2, CHEST, point("cottage", "cellar"), State::empty());
        setting.scene.spawn(&setting.world, spawn)
    });
}

#[test]
fn state_words_with_unknown_bits_are_refused() {
    let mut case = Case::new();
    for bits in [0x2, 0x2000, 0x0200_0000, 0x8000_0000, u32::MAX] {
        let state = State::from_bits_retain(bits);
        case.refuses("set_state", SceneError::UnknownState(bits), |setting, _, other| {
            setting.scene.set_state(other, state)
        });
        case.refuses("spawn", SceneError::UnknownState(bits), |setting, _, _| {
            let spawn = object(setting, 3, CHEST, point("cottage", "cellar"), state);
            setting.scene.spawn(&setting.world, spawn)
        });
    }
    for bit in 0..32 {
        let state = State::from_bits_retain(1 << bit);
        let is_known = case.setting.scene.set_state(case.other, state).is_ok();
        assert_eq!(is_known, ![1, 13].contains(&bit) && bit < 25, "bit {bit}");
    }
}

#[test]
fn sizes_that_are_none_are_refused() {
    let mut case = Case::new();
    for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e9, 1e-9] {
        case.refuses("set_scale", SceneError::NotFinite("scale"), |setting, _, other| {
            setting.scene.set_scale(&setting.world, other, scale)
        });
        case.refuses("spawn", SceneError::NotFinite("scale"), |setting, _, _| {
            let spawn =
                Spawn { scale, ..object(setting, 3, CHEST, point("cottage", "cellar"), State::empty()) };
            setting.scene.spawn(&setting.world, spawn)
        });
    }
}

#[test]
fn nobody_carries_himself() {
    let mut case = Case::new();
    let none = Attachment::default();
    case.refuses("itself", SceneError::ParentCycle, |setting, key, _| {
        setting.scene.set_parent(&setting.world, key, Some(key), none)
    });
    let third = spawn(&mut case.setting, 3, CHEST, point("cottage", "cellar"), State::empty());
    case.setting.scene.set_parent(&case.setting.world, case.other, Some(case.key), none).unwrap();
    case.setting.scene.set_parent(&case.setting.world, third, Some(case.other), none).unwrap();
    case.refuses("its grandchild", SceneError::ParentCycle, |setting, key, _| {
        setting.scene.set_parent(&setting.world, key, Some(third), none)
    });
    case.refuses("a nobody", SceneError::NoSuchEntity, |setting, key, _| {
        setting.scene.set_parent(&setting.world, key, Some(EntityKey::default()), none)
    });
    let twisted = Attachment { part: 0, frame: Frame::at(Vec3::NAN) };
    case.refuses("nowhere", SceneError::NotFinite("attachment"), |setting, _, other| {
        setting.scene.set_parent(&setting.world, other, None, twisted)
    });
}

#[test]
fn towers_of_objects_have_a_limit() {
    let mut case = Case::new();
    let mut keys = vec![case.key];
    for guid in 10..10 + MAX_CARRY_DEPTH as u32 {
        let key = spawn(&mut case.setting, guid, CHEST, point("cottage", "cellar"), State::empty());
        let top = *keys.last().unwrap();
        case.setting.scene.set_parent(&case.setting.world, key, Some(top), Attachment::default()).unwrap();
        keys.push(key);
    }
    let top = *keys.last().unwrap();
    case.refuses("one more", SceneError::ParentDepth, |setting, _, other| {
        setting.scene.set_parent(&setting.world, other, Some(top), Attachment::default())
    });
    case.refuses("from below", SceneError::ParentDepth, |setting, key, other| {
        setting.scene.set_parent(&setting.world, key, Some(other), Attachment::default())
    });
}

#[test]
fn what_is_carried_has_no_place_of_its_own() {
    let mut case = Case::new();
    case.setting
        .scene
        .set_parent(&case.setting.world, case.other, Some(case.key), Attachment::default())
        .unwrap();
    let place = point("cottage", "cellar");
    case.refuses("update_position", SceneError::Carried, |setting, _, other| {
        setting.scene.update_position(&setting.world, other, place)
    });
    case.refuses("move_to", SceneError::Carried, |setting, _, other| {
        setting.scene.move_to(&setting.world, other, &place, None)
    });
    case.refuses("place", SceneError::Carried, |setting, _, other| {
        setting.scene.place(&setting.world, other, &place, PlaceOptions::default())
    });
}

#[test]
fn numbers_that_are_none_are_refused() {
    let mut case = Case::new();
    let nan = Vec3::new(0.0, f32::NAN, 0.0);
    case.refuses("velocity", SceneError::NotFinite("velocity"), |setting, key, _| {
        setting.scene.set_velocity(key, nan)
    });
    case.refuses("motion", SceneError::NotFinite("motion"), |setting, key, _| {
        setting.scene.set_motion(key, Motion { velocity: nan, turn: 0.0 })
    });
    case.refuses("jump", SceneError::NotFinite("jump"), |setting, key, _| {
        setting.scene.jump(key, f32::INFINITY)
    });
    for time in [f64::NAN, f64::INFINITY] {
        case.refuses("advance_clock", SceneError::NotFinite("time"), |setting, _, _| {
            setting.scene.advance_clock(time)
        });
    }
    case.refuses("a target", SceneError::Sweep(SweepError::NotFinite), |setting, key, _| {
        let target = Position::new(CellId(0xA9B4_0101), Frame::at(nan));
        setting.scene.move_to(&setting.world, key, &target, None)
    });
    case.refuses("a target far away", SceneError::Sweep(SweepError::TooLong), |setting, key, _| {
        setting.scene.move_to(&setting.world, key, &at(0xA9B4_0101, 1e20, 0.0, 0.0), None)
    });
}

#[test]
fn a_key_of_something_gone_names_nothing() {
    let mut case = Case::new();
    case.setting.scene.despawn(&case.setting.world, case.other).unwrap();
    let place = point("cottage", "cellar");
    case.refuses("despawn", SceneError::NoSuchEntity, |setting, _, gone| {
        setting.scene.despawn(&setting.world, gone)
    });
    case.refuses("set_state", SceneError::NoSuchEntity, |setting, _, gone| {
        setting.scene.set_state(gone, State::empty())
    });
    case.refuses("update_position", SceneError::NoSuchEntity, |setting, _, gone| {
        setting.scene.update_position(&setting.world, gone, place)
    });
    case.refuses("move_to", SceneError::NoSuchEntity, |setting, _, gone| {
        setting.scene.move_to(&setting.world, gone, &place, None)
    });
    case.refuses("update", SceneError::NoSuchEntity, |setting, _, gone| {
        setting.scene.update(&setting.world, gone)
    });
    let again = spawn(&mut case.setting, 2, CHEST, place, State::empty());
    assert_ne!(again, case.other, "the id is free again, the key is not");
}
