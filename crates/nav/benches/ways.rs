//! What meshes and routes cost: `cargo bench -p threshold-nav`. Best of several runs on one thread, in processor time where the system
//! tells it; `--map` also builds a full-size map of open ground, `--routes` leaves out the meshes.

use std::{
    hint::black_box,
    sync::Arc,
    time::{Duration, Instant},
};
use threshold_nav::{Agent, Gateway, Nav, Policy, Request, Surroundings};
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
    if !std::env::args().any(|argument| argument == "--routes") {
        build(&around, &agent, &blocks);
    }
    routes(&around, &agent);
    if std::env::args().any(|argument| argument == "--map") {
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

fn routes(around: &Surroundings<'_>, agent: &Agent) {
    let nav = Nav::new(agent.clone());
    let policy = Policy::default();
    let from: Position = "0x8080001A [81.76 34.43 20.005]".parse().expect("a place");
    let to: Position = "0x80800108 [59.2 110 23.255]".parse().expect("a place");
    for prove in [true, false] {
        let request = Request { from, to, policy: &policy, prove };
        let route = nav.find(around, &request).expect("an answer").expect("a way");
        // Many at a time, as reading the clock costs as much as a short search.
        let time =
            best(5, || (0..200).map(|_| nav.find(around, &request).is_ok()).filter(|&ok| ok).count()) / 200;
        println!(
            "village, house, upstairs: {:.0} m, {} legs, proved {}: {:.3} ms",
            route.length,
            route.waypoints.len() - 1,
            route.proved,
            ms(time)
        );
    }
    // A thousand followers that look for their way again once a second, from all over the village.
    let starts: Vec<Position> = (0..1000)
        .map(|k| {
            let (x, y) = (30.0 + (k % 40) as f32 * 2.0, 25.0 + (k / 40) as f32 * 2.0);
            let block = BlockId(0x8080);
            let index = (x / 24.0) as u16 * 8 + (y / 24.0) as u16 + 1;
            format!("{} [{x} {y} 20.01]", block.cell(index)).parse().expect("a place")
        })
        .collect();
    let goal: Position = "0x80800024 [110 90 20.01]".parse().expect("a place");
    let mut found = 0;
    let time = best(3, || {
        found = starts
            .iter()
            .filter(|&&from| {
                nav.find(around, &Request { from, to: goal, policy: &policy, prove: true })
                    .is_ok_and(|r| r.is_ok())
            })
            .count();
    });
    println!("1000 followers, one route each, {found} of them with a way: {:.1} ms", ms(time));
    let routes = starts.iter().filter_map(|&from| {
        nav.find(around, &Request { from, to: goal, policy: &policy, prove: true }).ok()?.ok()
    });
    let (mut straight, mut legs, mut metres) = (0, 0, 0.0);
    for route in routes {
        straight += usize::from(route.waypoints.len() == 2);
        legs += route.waypoints.len() - 1;
        metres += route.length;
    }
    println!("  {straight} of them straight, {legs} legs, {metres:.0} m in all");
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
