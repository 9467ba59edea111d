//! Dat files, block loading, and what a cell costs in memory.

use super::{Bench, Case, time};
use crate::memory::Memory;
use anyhow::{Context, Result};
use serde::Serialize;
use std::{hint::black_box, sync::Arc};
use threshold_dat::container::DatFile;
use threshold_world::{BlockId, Library, World, block_ids, landblock::Landblock, load_block};

/// Walks over both files, and loading of the block with the most cells.
pub(crate) fn cases(bench: &Bench) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (name, bytes) in [("portal", &bench.sample.portal), ("cell", &bench.sample.cell)] {
        cases.push(walk(name, bytes)?);
    }
    let block = largest_block(&bench.library)?;
    let cells = load_block(&bench.library, block)?.block.env_cells.len();
    let (library, source) = (bench.library.clone(), bench.source.clone());
    let detail = format!("{cells} rooms");
    let warm = move || Ok(time(|| drop(black_box(load_block(&library, block)))));
    let cold = move || Ok(time(|| drop(black_box(load_block(&Library::new(source.clone()), block)))));
    cases
        .push(Case::new("data", "load a block, shared geometry there", "block", warm).detail(detail.clone()));
    cases.push(Case::new("data", "load a block from nothing", "block", cold).detail(detail));
    Ok(cases)
}

fn walk(name: &str, bytes: &[u8]) -> Result<Case> {
    let dat = DatFile::from_bytes(bytes.to_vec())?;
    let records = dat.entries().count();
    let name = format!("walk the {name} file and read all its records");
    let detail = format!("{records} records, {} kB", bytes.len() / 1000);
    let mut buffer = Vec::new();
    let run = move || {
        let mut read = 0;
        let took = time(|| {
            for entry in dat.entries().prefetching().flatten() {
                read += dat.read_with(&entry, &mut buffer).map_or(0, <[u8]>::len);
            }
        });
        black_box(read);
        Ok(took)
    };
    Ok(Case::new("data", name, "record", run).times(records).detail(detail))
}

fn largest_block(library: &Library) -> Result<BlockId> {
    let mut largest = None;
    for id in block_ids(&**library.source())?.0 {
        let cells = load_block(library, id)?.block.env_cells.len();
        largest = largest.max(Some((cells, id)));
    }
    Ok(largest.context("the sample world has no blocks")?.1)
}

/// What resident cells cost, besides the geometry they share.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct CellMemory {
    pub(crate) cells: usize,
    pub(crate) bytes_per_cell: u64,
    pub(crate) bytes_per_block: u64,
}

/// Fills a world with copies of the largest block and of its land alone. None where the system tells nothing.
pub(crate) fn cell_memory(bench: &Bench, copies: u16) -> Result<Option<CellMemory>> {
    let whole = load_block(&bench.library, largest_block(&bench.library)?)?.block;
    let cells = whole.env_cells.len();
    let bare = Landblock { env_cells: Box::default(), ..Landblock::clone(&whole) };
    // Both stay until both are measured: memory that is freed would be used again unseen.
    let mut worlds = [World::new(), World::new()];
    let grown = |block: &Landblock, world: &mut World| {
        let before = Memory::now()?;
        for id in (0..copies).map(|i| BlockId::new(1 + (i / 250) as u8, 1 + (i % 250) as u8)) {
            world.insert_resident(Arc::new(Landblock { id, ..block.clone() }));
        }
        Some(Memory::now()?.now.saturating_sub(before.now) / u64::from(copies))
    };
    let [with_rooms, without] = &mut worlds;
    let sizes = grown(&whole, with_rooms).zip(grown(&bare, without));
    black_box(&worlds);
    Ok(sizes.map(|(whole, bare)| CellMemory {
        cells: cells * usize::from(copies),
        bytes_per_cell: whole.saturating_sub(bare) / cells.max(1) as u64,
        bytes_per_block: bare,
    }))
}
