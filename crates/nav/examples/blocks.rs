use std::{sync::Arc, time::Instant};
use threshold_nav::{Agent, Nav, Surroundings, count_sweeps};
use threshold_physics::{PLAYER_SETUP, Scene};
use threshold_world::{BlockId, Library, load_all};

fn main() {
    let sample = threshold_sample::build().unwrap();
    let library = Library::new(Arc::new(sample.source().unwrap()));
    let (world, _) = load_all(&library).unwrap();
    let mut scene = Scene::new();
    let blocks: Vec<BlockId> = world.block_ids().collect();
    scene.blocks_loaded(&world, &blocks);
    println!("{} blocks, {} statics", blocks.len(), scene.len());
    let agent = Agent::player(library.model(PLAYER_SETUP).unwrap().unwrap());
    let around = Surroundings::new(&world, &scene);
    let nav = Nav::new(agent.clone());
    let all = Instant::now();
    let mut bytes = 0;
    for &block in &blocks {
        let t = Instant::now();
        let mesh = nav.mesh(&around, block);
        let ms = t.elapsed().as_secs_f64() * 1e3;
        bytes += mesh.bytes();
        let (nodes, sweeps) = count_sweeps(&around, &agent, block).unwrap();
        println!("{block} {ms:.1} ms, {nodes} nodes {sweeps} sweeps, {} patches {} kB cut {}", mesh.len(), mesh.bytes() / 1024, mesh.is_cut);
    }
    println!("all {:.1} ms {} kB", all.elapsed().as_secs_f64() * 1e3, bytes / 1024);
}
