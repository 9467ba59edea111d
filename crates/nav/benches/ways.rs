//! What meshes and routes cost: `cargo bench -p threshold-nav`. Best of several runs on one thread, in processor time where the system
//! tells it; `--map` also builds a full-size map of open ground, `--routes` leaves out the meshes. For a profiler `--once upstairs`,
//! `--once unproved` or `--once crowd` runs [`measured`] once, with its meshes built before.

use std::{
    hash::{Hash, Hasher},
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};
use threshold_nav::{Agent, Gateway, Nav, Policy, Request, Route, Surroundings};
use threshold_physics::{EntityKey, PLAYER_SETUP, Scene, Spawn};
use threshold_world::{
    BlockId, Library, Position, World, landblock::Landblock, load_all, placed::ObjectKind, terrain::Terrain,
};

fn best<T>(runs: usize, mut work: impl FnMut() -> T) -> Duration {
    let once = |work: &mut dyn FnMut() -> T| {
        let start = (Instant::now(), processor_time());
        black_box(work());
        let spent = processor_time().zip(start.1).map(|(now, start)| now.saturating_sub(start));
        spent.unwrap_or_else(|| start.0.elapsed())
    };
    (0..runs).map(|_| once(&mut work)).min().unwrap_or_default()
}

/// Time that this thread has been on a processor: other programs do not count.
fn processor_time() -> Option<Duration> {
    let stat = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(Duration::from_nanos(stat.split_whitespace().next()?.parse().ok()?))
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1e3
}

fn main() {
    let sample = threshold_sample::build().expect("the sample world");
    let library = Library::new(Arc::new(sample.source().expect("its files")));
    let (world, _) = load_all(&library).expect("a world");
    let mut scene = Scene::new();
    let blocks: Vec<BlockId> = world.block_ids().collect();
    scene.blocks_loaded(&world, &blocks);
    let mut doors: Vec<EntityKey> = Vec::new();
    for object in sample.entities.iter().filter(|object| !object.is_living()) {
        let model = library.model(object.setup).expect("models").expect("a model");
        let key = scene.spawn(&world, Spawn::placed(object, model)).expect("an object");
        doors.extend((object.kind == ObjectKind::Door).then_some(key));
    }
    let gateway = |key: EntityKey| doors.contains(&key).then_some(Gateway::Door);
    let around = Surroundings { world: &world, scene: &scene, gateway: &gateway };
    let agent = Agent::player(library.model(PLAYER_SETUP).expect("models").expect("a player"));
    let arguments: Vec<String> = std::env::args().collect();
    let has = |argument: &str| arguments.iter().any(|given| given == argument);
    if !has("--routes") && !has("--once") {
        build(&around, &agent, &blocks);
    }
    let runs = if has("--once") { 1 } else { 5 };
    for (name, prove) in [("upstairs", true), ("unproved", false)] {
        if !has("--once") || has(name) {
            upstairs(&around, &agent, prove, runs);
        }
    }
    if !has("--once") || has("crowd") {
        crowd(&around, &agent, runs);
    }
    if has("--map") {
        open_map(&agent);
    }
}

fn build(around: &Surroundings<'_>, agent: &Agent, blocks: &[BlockId]) {
    let mut times: Vec<(f64, BlockId, usize, usize)> = blocks
        .iter()
        .map(|&block| {
            let time = best(3, || Nav::new(agent.clone()).mesh(around, block).len());
            let nav = Nav::new(agent.clone());
            let mesh = nav.mesh(around, block);
            (ms(time), block, mesh.len(), mesh.bytes())
        })
        .collect();
    let (sum, bytes) = times.iter().fold((0.0, 0), |(sum, bytes), t| (sum + t.0, bytes + t.3));
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    println!("blocks: {}, all of them {sum:.0} ms, {} kB", blocks.len(), bytes / 1024);
    println!("  median {:.1} ms", times[times.len() / 2].0);
    for (time, block, patches, bytes) in times.iter().rev().take(5) {
        println!("  {block}: {time:.1} ms, {patches} patches, {} kB", bytes / 1024);
    }
    let village = times.iter().find(|t| t.1 == BlockId(0x8080)).expect("the village");
    println!("  the village: {:.1} ms, {} patches, {} kB", village.0, village.2, village.3 / 1024);
}

/// A route through the village, into a house and up its stairs.
fn upstairs(around: &Surroundings<'_>, agent: &Agent, prove: bool, runs: usize) {
    let nav = Nav::new(agent.clone());
    let policy = Policy::default();
    let from: Position = "0x8080001A [81.76 34.43 20.005]".parse().expect("a place");
    let to: Position = "0x80800108 [59.2 110 23.255]".parse().expect("a place");
    let request = Request { from, to, policy: &policy, prove };
    let route = nav.find(around, &request).expect("an answer").expect("a way");
    // Many at a time, as reading the clock costs as much as a short search.
    let requests = vec![request; if runs == 1 { 1 } else { 200 }];
    let time = best(runs, || measured(&nav, around, &requests)) / requests.len() as u32;
    println!(
        "village, house, upstairs: {:.0} m, {} legs, proved {}: {:.3} ms",
        route.length,
        route.waypoints.len() - 1,
        route.proved,
        ms(time)
    );
}

/// Finds routes. Not inlined, so that a profile can be limited to it.
#[inline(never)]
fn measured(nav: &Nav, around: &Surroundings<'_>, requests: &[Request<'_>]) -> Vec<Route> {
    requests.iter().filter_map(|request| nav.find(around, request).ok()?.ok()).collect()
}

/// A thousand followers that look for their way again once a second, from all over the village.
fn crowd(around: &Surroundings<'_>, agent: &Agent, runs: usize) {
    let nav = Nav::new(agent.clone());
    let policy = Policy::default();
    let to: Position = "0x80800024 [110 90 20.01]".parse().expect("a place");
    let requests: Vec<Request<'_>> = (0..1000)
        .map(|k| {
            let (x, y) = (30.0 + (k % 40) as f32 * 2.0, 25.0 + (k / 40) as f32 * 2.0);
            let cell = BlockId(0x8080).cell((x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1);
            let from = format!("{cell} [{x} {y} 20.01]").parse().expect("a place");
            Request { from, to, policy: &policy, prove: true }
        })
        .collect();
    // Builds the mesh, and finds out which links do not hold.
    let routes: Vec<Route> = requests.iter().filter_map(|r| nav.find(around, r).ok()?.ok()).collect();
    let time = best(runs, || measured(&nav, around, &requests));
    println!("1000 followers, one route each, {} of them with a way: {:.1} ms", routes.len(), ms(time));
    let straight = routes.iter().filter(|route| route.waypoints.len() == 2).count();
    let legs: usize = routes.iter().map(|route| route.waypoints.len() - 1).sum();
    let metres: f32 = routes.iter().map(|route| route.length).sum();
    println!("  {straight} of them straight, {legs} legs, {metres:.0} m in all");
    // Tells whether routes are still the same.
    let mut hash = std::hash::DefaultHasher::new();
    routes.iter().for_each(|route| format!("{route:?}").hash(&mut hash));
    println!("  routes {:016x}", hash.finish());
}

/// Every block of the map with gentle ground and nothing on it.
fn open_map(agent: &Agent) {
    let mut world = World::new();
    for x in 0..255 {
        for y in 0..255 {
            let id = BlockId::new(x, y);
            world.insert_resident(Arc::new(Landblock {
                id,
                terrain: Terrain::new(id, [10.0; 81], [0; 81]),
                has_land: true,
                cell_buildings: Landblock::assign_buildings(id, &[]),
                buildings: Box::default(),
                statics: Box::default(),
                scenery: Box::default(),
                env_cells: Box::default(),
                restrictions: Box::default(),
            }));
        }
    }
    let scene = Scene::new();
    let around = Surroundings::new(&world, &scene);
    let blocks: Vec<BlockId> = world.block_ids().collect();
    let before = resident();
    let nav = Nav::new(agent.clone());
    let start = Instant::now();
    nav.build_all(&around, &blocks);
    let bytes: usize = blocks.iter().filter_map(|&block| nav.built(block)).map(|mesh| mesh.bytes()).sum();
    println!(
        "{} blocks of open ground: {:.1} s, {} MB of meshes, {} MB more in memory",
        blocks.len(),
        start.elapsed().as_secs_f64(),
        bytes >> 20,
        (resident() - before) >> 20
    );
}

/// Bytes of memory that the process has.
fn resident() -> usize {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    status.split_whitespace().nth(1).and_then(|pages| pages.parse::<usize>().ok()).unwrap_or(0) * 4096
}
