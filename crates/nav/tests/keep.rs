//! Meshes that are kept: the same as those that were built, and nothing but those.

mod support;

use std::time::Instant;
use support::{Doors, Ground};
use threshold_nav::{Agent, KeptError, KeptMeshes, Nav, Policy, Request, Route, Unreachable};
use threshold_physics::random::Random;
use threshold_world::{BlockId, Position};

const DATA: u64 = 0x1234;
const VILLAGE: BlockId = BlockId(0x8080);

fn find(ground: &Ground, nav: &Nav) -> Result<Route, Unreachable> {
    let gateway = ground.gateway();
    let place = |text: &str| text.parse::<Position>().expect("a place");
    let (from, to) = (place("0x80800015 [60 97.5 20.01]"), place("0x80800108 [59.2 110 23.255]"));
    let policy = Policy::default();
    let request = Request { from, to, policy: &policy, prove: true };
    nav.find(&ground.around(&gateway), &request).expect("an answer")
}

fn route(ground: &Ground, nav: &Nav) -> Route {
    find(ground, nav).expect("a way")
}

fn kept(ground: &Ground) -> Vec<u8> {
    let nav = Nav::new(ground.player());
    route(ground, &nav);
    let gateway = ground.gateway();
    nav.keep(&ground.around(&gateway), DATA)
}

#[test]
fn kept_meshes_give_the_same_route_without_being_built() {
    let ground = Ground::sample(Doors::Shut);
    let bytes = kept(&ground);
    let built = Instant::now();
    let first = route(&ground, &Nav::new(ground.player()));
    let built = built.elapsed();
    let read = Instant::now();
    let meshes = KeptMeshes::read(bytes, &ground.player(), DATA).expect("what was written");
    assert_eq!(meshes.len(), 1, "the village: the way stays away from its borders");
    let second = route(&ground, &Nav::new(ground.player()).with_kept(meshes));
    let read = read.elapsed();
    assert_eq!(first, second);
    assert!(read < built / 2, "{read:?} to read, {built:?} to build");
}

#[test]
fn what_was_made_from_something_else_is_refused() {
    let ground = Ground::sample(Doors::Shut);
    let (bytes, me) = (kept(&ground), ground.player());
    let refused = |bytes: &[u8], agent: &Agent, data: u64| {
        KeptMeshes::read(bytes.to_vec(), agent, data).expect_err("refused")
    };
    assert_eq!(refused(&bytes, &me, DATA + 1), KeptError::OtherData);
    let taller = Agent { scale: 1.1, ..me.clone() };
    assert_eq!(refused(&bytes, &taller, DATA), KeptError::OtherBody);
    assert_ne!(KeptMeshes::file_name(&me), KeptMeshes::file_name(&taller));
    assert_eq!(refused(b"THSN....", &me, DATA), KeptError::Magic);
    let mut newer = bytes.clone();
    newer[4] = 200;
    assert_eq!(refused(&newer, &me, DATA), KeptError::Version(200));
    let cut = refused(&bytes[..bytes.len() - 1], &me, DATA);
    assert!(matches!(cut, KeptError::Broken { .. }), "{cut}");
    let more = refused(&[&bytes[..], &[0]].concat(), &me, DATA);
    assert_eq!(more, KeptError::Broken { offset: bytes.len(), what: "bytes follow the last mesh" });
}

/// A mesh that was kept before a post was put up is built again.
#[test]
fn a_block_that_has_changed_is_built_again() {
    let block = BlockId(0x8080);
    let bare = || Ground::bare(block, threshold_world::terrain::Terrain::new(block, [20.0; 81], [0; 81]));
    let (before, mut after) = (bare(), bare());
    after.post(100.0, 96.0);
    let mesh_of = |ground: &Ground, nav: &Nav| {
        let gateway = ground.gateway();
        nav.mesh(&ground.around(&gateway), block).len()
    };
    let nav = Nav::new(before.player());
    let open = mesh_of(&before, &nav);
    let gateway = before.gateway();
    let bytes = nav.keep(&before.around(&gateway), DATA);
    let read = || KeptMeshes::read(bytes.clone(), &before.player(), DATA).expect("what was written");
    assert_eq!(mesh_of(&before, &Nav::new(before.player()).with_kept(read())), open);
    let built = mesh_of(&after, &Nav::new(after.player()));
    assert!(built > open, "{built} patches with a post, {open} without");
    assert_eq!(mesh_of(&after, &Nav::new(after.player()).with_kept(read())), built);
}

/// Every byte of a small mesh, changed: what does not refer to anything is built again.
#[test]
fn a_mesh_that_is_not_sound_is_built_again() {
    let block = VILLAGE;
    let mut ground = Ground::bare(block, threshold_world::terrain::Terrain::new(block, [20.0; 81], [0; 81]));
    ground.post(100.0, 96.0);
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let nav = Nav::new(ground.player());
    nav.mesh(&around, block);
    let bytes = nav.keep(&around, DATA);
    let place = |text: &str| text.parse::<Position>().expect("a place");
    let (from, to) = (place("0x80800024 [100 90 20.01]"), place("0x80800025 [100 102 20.01]"));
    let policy = Policy::default();
    let mut used = 0;
    for at in bytes.len().saturating_sub(2500)..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x55;
        let Ok(meshes) = KeptMeshes::read(bytes, &ground.player(), DATA) else { continue };
        used += 1;
        let nav = Nav::new(ground.player()).with_kept(meshes);
        let request = Request { from, to, policy: &policy, prove: false };
        let found = nav.find(&around, &request).expect("an answer");
        if let Ok(route) = found {
            assert!(route.length.is_finite() && route.length < 1000.0, "byte {at}: {route:?}");
        }
    }
    assert!(used > 1000, "{used} files with one other byte were read");
}

/// Bytes changed anywhere are refused, or a mesh that does not hold is built again, or routes are proved as ever.
#[test]
fn damaged_files_never_give_a_route_that_does_not_hold() {
    let ground = Ground::sample(Doors::Shut);
    let bytes = kept(&ground);
    let mut random = Random::new(11);
    let mut part = |n: usize| ((random.signed() + 1.0) * 0.5 * n as f32) as usize % n;
    let (mut refused, mut used, mut held) = (0, 0, 0);
    for _ in 0..12 {
        let mut bytes = bytes.clone();
        for _ in 0..1 + part(60) {
            let at = part(bytes.len());
            bytes[at] = part(256) as u8;
        }
        match KeptMeshes::read(bytes, &ground.player(), DATA) {
            Err(_) => refused += 1,
            Ok(meshes) => {
                used += 1;
                let nav = Nav::new(ground.player()).with_kept(meshes);
                let gateway = ground.gateway();
                assert!(nav.mesh(&ground.around(&gateway), VILLAGE).len() > 100);
                let Ok(route) = find(&ground, &nav) else { continue };
                held += 1;
                assert!(route.proved && route.doors == [1], "{route:?}");
            }
        }
    }
    assert!(used > 4 && held > 2, "{used} of 12 files were used, {refused} refused, {held} gave a route");
}
