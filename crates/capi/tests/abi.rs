//! The C ABI from the outside: layouts, completeness of the examples, and the same world as from Rust.
#![allow(unsafe_code, reason = "calls the C ABI as C does")]

use std::{fs, mem::size_of, path::Path, ptr};
use threshold::*;
use threshold_sim::{Controls, Simulation};

fn text_of(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn structs_are_as_large_as_bindings_think() {
    let sizes = [
        (size_of::<ThPosition>(), 32),
        (size_of::<ThTarget>(), 16),
        (size_of::<ThHit>(), 40),
        (size_of::<ThWalker>(), 40),
        (size_of::<ThSpot>(), 40),
        (size_of::<ThSpawn>(), 52),
        (size_of::<ThEntityInfo>(), 80),
        (size_of::<ThEvent>(), 80),
        (size_of::<ThRay>(), 52),
        (size_of::<ThSweep>(), 72),
        (size_of::<ThSwept>(), 72),
        (size_of::<ThPathReport>(), 72),
        (size_of::<ThJumpReport>(), 64),
        (size_of::<ThCamera>(), 64),
        (size_of::<ThPlanInfo>(), 32),
        (size_of::<ThPlanCell>(), 20),
        (size_of::<ThPlanRegion>(), 20),
        (size_of::<ThPlanStep>(), 24),
        (size_of::<ThPlanPart>(), 16),
        (size_of::<ThTile>(), 36),
        (size_of::<ThUpdate>(), 96),
        (size_of::<ThDescription>(), 156),
        (size_of::<ThMovement>(), 100),
    ];
    for (i, (found, expected)) in sizes.into_iter().enumerate() {
        assert_eq!(found, expected, "{i}");
    }
}

/// Declarations of the header: names of functions, and their parameters.
fn functions(header: &str) -> Vec<(String, String)> {
    let code: String =
        header.lines().filter(|line| !line.starts_with("//") && !line.starts_with(" *")).collect();
    let declarations = code.split(';').filter_map(|text| {
        let start = text.rfind(" th_")? + 1;
        let (name, parameters) = text[start..].split_once('(')?;
        Some((name.to_owned(), parameters.to_owned()))
    });
    let found: Vec<_> = declarations.collect();
    assert!(found.len() > 75, "{found:?}");
    found
}

#[test]
fn every_function_of_the_header_is_called_by_an_example() {
    let examples = ["questions", "pictures", "walk_script", "lifetimes", "data"];
    let examples: Vec<String> = examples.map(|name| text_of(&format!("examples/{name}.c"))).into();
    for (function, _) in functions(&text_of("include/threshold.h")) {
        let call = format!("{function}(");
        assert!(examples.iter().any(|example| example.contains(&call)), "no example calls {function}");
    }
}

#[test]
fn wrong_use_of_every_function_is_tried() {
    let misuse = text_of("examples/misuse.c");
    for (function, parameters) in functions(&text_of("include/threshold.h")) {
        let calls = |with: &str| misuse.contains(&format!("expect({function}({with}"));
        if parameters.starts_with("ThWorld *world") || parameters.starts_with("ThDat *dat") {
            assert!(calls("bad"), "{function} is not tried with a handle that was never given out");
        }
        // `th_use` takes a place for an answer that may be left out.
        let is_optional = ["th_error", "th_use"].contains(&function.as_str());
        if parameters.matches('*').count() > 1 && parameters.starts_with("ThWorld *world") && !is_optional {
            assert!(calls("world"), "{function} is not tried with null");
        }
    }
}

#[test]
fn the_world_behind_the_abi_is_the_same_world() {
    let mut sim = Simulation::sample().unwrap();
    let place = sim.places().iter().find(|place| place.name == "Village Street").unwrap().position;
    let me = sim.spawn_player(place).unwrap();
    sim.control(me, Controls { forward: true, left: true, ..Controls::default() }).unwrap();
    sim.advance(1.5).unwrap();

    let (mut world, mut player, mut hash) = (ptr::null_mut(), 0, 0);
    let place = ThPosition::from(place);
    // SAFETY: the pointers are to variables that outlive the calls.
    unsafe {
        assert_eq!(th_open_sample(0, &raw mut world), ThStatus::Ok);
        assert_eq!(th_spawn_player(world, &raw const place, ptr::null(), &raw mut player), ThStatus::Ok);
        assert_eq!(th_drive(world, player, 5), ThStatus::Ok);
        assert_eq!(th_advance(world, 1.5), ThStatus::Ok);
        assert_eq!(th_state_hash(world, &raw mut hash), ThStatus::Ok);
    }
    assert_eq!(th_close(world), ThStatus::Ok);
    assert_eq!((player, hash), (me.id(), sim.state_hash()));
}
