//! What the hooks of an animation do to an object.

use std::sync::Arc;
use threshold_dat::{
    DatId, IdScheme,
    records::{Animation, AnimationFrame, DatRecord, Frame, GfxObj, Hook, HookAction, Setup, SetupDefaults},
};
use threshold_render::{
    assets::Assets,
    stage::{ObjectId, Spawn, Stage},
};
use threshold_world::{
    CellId, Library, Position,
    source::{MemorySource, Source},
};

const CELL: CellId = CellId(0x8080_0001);
const BEFORE: DatId = DatId(0x0100_0001);
const AFTER: DatId = DatId(0x0100_0002);
const MISSING: DatId = DatId(0x0100_0003);
const MODEL: DatId = DatId(0x0200_0001);
const DANCE: DatId = DatId(0x0300_0001);

/// An object whose default animation, at 30 frames a second, runs one hook in each of its frames.
fn dancer(actions: &[HookAction]) -> (Assets, Stage, ObjectId) {
    let mut source = MemorySource::new();
    // What has no polygons is not drawn: meshes of the sample world have some.
    let meshes = threshold_sample::build().unwrap().source().unwrap();
    for id in [BEFORE, AFTER] {
        let mesh: GfxObj = GfxObj::load(id, &meshes.record(IdScheme::Portal, id).unwrap().unwrap()).unwrap();
        source.insert_record(IdScheme::Portal, id, &mesh).unwrap();
    }
    let frame = |action: &HookAction| AnimationFrame {
        parts: vec![Frame::IDENTITY],
        hooks: vec![Hook { direction: 0, action: action.clone() }],
    };
    let dance =
        Animation { part_count: 1, frames: actions.iter().map(frame).collect(), ..Animation::default() };
    source.insert_record(IdScheme::Portal, DANCE, &dance).unwrap();
    let setup = Setup {
        parts: vec![BEFORE],
        placements: vec![(0, AnimationFrame { parts: vec![Frame::IDENTITY], hooks: Vec::new() })],
        defaults: SetupDefaults { animation: DANCE, ..SetupDefaults::default() },
        ..Setup::default()
    };
    source.insert_record(IdScheme::Portal, MODEL, &setup).unwrap();
    let mut assets = Assets::new(Arc::new(Library::new(Arc::new(source))));
    let mut stage = Stage::new();
    let spawn = Spawn::new(MODEL, Position { cell: CELL, ..Position::default() });
    let id = stage.spawn(&mut assets, &spawn, &[CELL]);
    (assets, stage, id)
}

#[test]
fn an_animation_replaces_a_part_and_hides_the_object_at_its_frames() {
    let actions = [
        HookAction::ReplaceObject { part: 0, object: AFTER },
        HookAction::NoDraw { on: true },
        HookAction::NoDraw { on: false },
        // Hooks of the last frame are never run.
        HookAction::NoDraw { on: true },
    ];
    let (mut assets, mut stage, id) = dancer(&actions);
    let mesh = |stage: &Stage| stage.part(id, 0).and_then(|part| part.level.mesh);
    let (before, after) = (assets.model_mesh(BEFORE), assets.model_mesh(AFTER));
    assert!(before.is_some() && after.is_some() && before != after);
    assert_eq!(mesh(&stage), before);
    stage.advance(&mut assets, 0.03);
    assert_eq!(mesh(&stage), before, "the first frame is still shown");
    stage.advance(&mut assets, 0.01);
    assert_eq!(mesh(&stage), after);
    stage.advance(&mut assets, 0.034);
    assert_eq!(mesh(&stage), None, "hidden");
    for _ in 0..2 {
        stage.advance(&mut assets, 0.034);
        assert_eq!(mesh(&stage), after, "shown again");
    }
}

#[test]
fn a_part_is_not_replaced_by_what_is_missing_and_no_other_part_is_made() {
    let actions = [
        HookAction::ReplaceObject { part: 0, object: MISSING },
        HookAction::ReplaceObject { part: 900, object: AFTER },
        HookAction::NoOp {},
    ];
    let (mut assets, mut stage, id) = dancer(&actions);
    let before = assets.model_mesh(BEFORE);
    for _ in 0..10 {
        stage.advance(&mut assets, 0.1);
    }
    assert_eq!(stage.part(id, 0).and_then(|part| part.level.mesh), before);
    assert!(stage.part(id, 900).is_none());
    assert!(assets.take_problems().iter().any(|problem| problem.id == MISSING));
}
