//! Files with saved meshes beside the data files: used when they match, built again when they are damaged or deleted.

use std::{fs, path::Path};
use threshold_sim::{
    Builder, Event, Gait, PathRequest, Position, Simulation, Walker,
    nav::{Policy, Route},
};
use threshold_world::BlockId;

const VILLAGE: BlockId = BlockId(0x8080);

fn open(folder: &Path) -> Simulation {
    Builder::sample().and_then(|sample| sample.keep_meshes_in(folder).build()).expect("the sample world")
}

fn walker() -> Walker {
    Walker { gait: Gait::Walk, ..Walker::default() }
}

/// The route into the house and up its stairs, and the files that could not be used, with the reasons.
fn route(sim: &mut Simulation) -> (Route, Vec<String>) {
    let at = |text: &str| text.parse::<Position>().expect("a place");
    let (from, to) = (at("0x80800015 [60 97.5 20.01]"), at("0x80800108 [59.2 110 23.255]"));
    let policy = Policy::default();
    let request = PathRequest { walker: walker(), from, to, policy: &policy, prove: true };
    let route = sim.find_path(&request).expect("an answer").expect("a way");
    let refused = sim.drain_events().filter_map(|event| match event {
        Event::MeshesRefused { file, why } => Some(format!("{}: {why}", file.display())),
        _ => None,
    });
    (route, refused.collect())
}

fn file_of(folder: &Path) -> std::path::PathBuf {
    let mut files = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
    let file = files.next().expect("a file of meshes");
    assert_eq!(files.next(), None, "one file, and nothing left half written");
    file
}

#[test]
fn saved_meshes_are_used_and_damaged_or_deleted_ones_are_built_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let (built, refused) = route(&mut open(folder.path()));
    assert!(built.proved && refused.is_empty());
    let mut sim = open(folder.path());
    route(&mut sim);
    let file = sim.keep_meshes(&walker()).expect("a file");
    assert_eq!(file, file_of(folder.path()));

    // Used: a simulation has the mesh after one sweep, though building it takes fifty thousand.
    let mut sim = open(folder.path());
    assert!(sim.build_mesh_slice(&walker(), VILLAGE).expect("a body"), "read from the file");
    assert_eq!(route(&mut sim), (built.clone(), Vec::new()));

    // Damaged in its head, and cut off: refused with the file's name and a reason, and built again.
    let bytes = fs::read(&file).expect("the file");
    let mut head = bytes.clone();
    head[0] ^= 0xFF;
    for damaged in [&head[..], &bytes[..bytes.len() / 2], &[]] {
        fs::write(&file, damaged).expect("the file");
        let mut sim = open(folder.path());
        assert!(!sim.build_mesh_slice(&walker(), VILLAGE).expect("a body"), "nothing was read");
        let (again, refused) = route(&mut sim);
        assert_eq!(again, built);
        assert_eq!(refused.len(), 1, "{refused:?}");
        assert!(refused[0].starts_with(&format!("{}: ", file.display())), "{refused:?}");
    }

    // Deleted: nothing to say.
    fs::remove_file(&file).expect("the file");
    let mut sim = open(folder.path());
    assert!(!sim.build_mesh_slice(&walker(), VILLAGE).expect("a body"));
    assert_eq!(route(&mut sim), (built, Vec::new()));
}

#[test]
fn a_mesh_built_in_slices_is_the_one_built_at_once() {
    let slices =
        |sim: &mut Simulation| (1..1000).find(|_| sim.build_mesh_slice(&walker(), VILLAGE).expect("a body"));
    let mut sim = Simulation::sample().expect("the sample world");
    let count = slices(&mut sim).expect("a mesh");
    assert!((20..200).contains(&count), "{count} slices");
    let mut other = Simulation::sample().expect("the sample world");
    let patches = |sim: &mut Simulation| {
        sim.with_nav(&walker(), |nav, around| nav.mesh(around, VILLAGE).len()).expect("a mesh")
    };
    assert_eq!(patches(&mut sim), patches(&mut other));
    assert_eq!(slices(&mut other), Some(1), "what is there is there");
}
