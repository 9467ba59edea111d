//! How much memory the whole of a world as large as Dereth takes when all of it is resident for collision.
//!
//! The world is made up ([`threshold_sample::census`]). Linux only, because of how memory is measured.
//!
//! `cargo bench -p threshold-world --bench census`

use std::{sync::Arc, time::Instant};
use threshold_dat::Error;
use threshold_sample::census::{Census, POLYGONS, STRUCTURES};
use threshold_world::{Library, cell, landblock, load_all};

/// Resident memory of this process in bytes.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches("kB").trim().parse::<u64>().unwrap_or(0) * 1024
}

fn main() -> Result<(), Error> {
    let before = resident();
    let started = Instant::now();
    let library = Library::new(Arc::new(Census::DERETH));
    let (world, problems) = load_all(&library)?;
    let (elapsed, used) = (started.elapsed(), resident() - before);
    let blocks = world.block_ids().count();
    let cells: usize = world
        .block_ids()
        .filter_map(|id| world.block_data(id))
        .map(|b| b.env_cells.iter().flatten().count())
        .sum();
    assert_eq!(problems.first().map(ToString::to_string), None);
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!("blocks                 {blocks:>10}");
    println!("interior cells         {cells:>10}  of {STRUCTURES} structures with {POLYGONS} polygons each");
    println!("made and loaded in     {:>10.1} s", elapsed.as_secs_f64());
    println!("resident               {:>10.0} MB", megabytes(used));
    let bare_block = std::mem::size_of::<landblock::Landblock>() as u64 + 64 * 32;
    let per_cell = used.saturating_sub(bare_block * blocks as u64) / cells as u64;
    println!(
        "per cell               {per_cell:>10} bytes ({} of them the cell itself)",
        std::mem::size_of::<cell::EnvCell>()
    );
    println!("per block, without     {bare_block:>10} bytes");
    Ok(())
}
