//! What must hold for sweeps in any world: finite places, a latch that holds, an end.

use super::{bytes::Bytes, watch::Watch};
use glam::Vec3;
use std::{collections::BTreeSet, sync::Arc};
use threshold_dat::{DatId, IdScheme};
use threshold_physics::{
    EntityRole, Spawn, State,
    scene::{PlaceOptions, camera},
    sweep::SweepInput,
};
use threshold_sim::Simulation;
use threshold_world::{
    CellId, Frame, Library, Position, Quat,
    source::{DatSource, MemorySource, Source},
};

const WORLDS: [&str; 3] = ["cottage", "hostile", "seam"];
const PLAYER: DatId = DatId(0x0200_0001);
const MAX_CHANGES: usize = 24;
const MAX_MOVES: usize = 16;
const MAX_STARTS: usize = 24;

thread_local! {
    static SOURCES: Vec<(MemorySource, Vec<(IdScheme, DatId)>)> = WORLDS.iter().map(|world| source(world)).collect();
}

/// A golden world, and the records of it that decide where one can go.
fn source(world: &str) -> (MemorySource, Vec<(IdScheme, DatId)>) {
    let source = DatSource::open(threshold_golden::world_dir(world)).expect("a golden world");
    let copy = MemorySource::copy_of(&source).expect("it can be read");
    let mut ids = Vec::new();
    for (scheme, kinds) in [
        (IdScheme::Cell, 0..=u32::MAX),
        (IdScheme::Portal, 0x0100_0000..=0x02FF_FFFF),
        (IdScheme::Portal, 0x0D00_0000..=0x0DFF_FFFF),
    ] {
        let range = DatId(*kinds.start())..=DatId(*kinds.end());
        ids.extend(copy.ids(scheme, range).unwrap_or_default().ids.into_iter().map(|id| (scheme, id)));
    }
    (copy, ids)
}

/// Changes numbers in the records, so that rooms, portals, trees and shapes are other ones.
pub(crate) fn changed(bytes: &mut Bytes<'_>) -> MemorySource {
    SOURCES.with(|sources| {
        let (source, ids) = &sources[bytes.below(sources.len())];
        let mut source = source.clone();
        for _ in 0..bytes.below(MAX_CHANGES) {
            let (scheme, id) = ids[usize::from(bytes.word()) % ids.len()];
            let Ok(Some(record)) = source.record(scheme, id) else { continue };
            let mut record = record.into_owned();
            let words = (record.len() / 4).max(1);
            let at = usize::from(bytes.word()) % words * 4;
            let value = match bytes.below(4) {
                0 => u32::from(bytes.word()),
                1 => bytes.number(100.0).to_bits(),
                _ => bytes.number(10.0).to_bits(),
            };
            if let Some(place) = record.get_mut(at..at + 4) {
                place.copy_from_slice(&value.to_le_bytes());
            }
            source.insert(scheme, id, record);
        }
        source
    })
}

/// A body and a camera that go anywhere.
pub(crate) fn sweep(data: &[u8]) {
    let mut bytes = Bytes(data);
    let library = Library::new(Arc::new(changed(&mut bytes)));
    let Ok(mut sim) = threshold_scenario::simulation(library) else { return };
    let cells = cells(&sim);
    for _ in 0..MAX_STARTS {
        if bytes.is_empty() || cells.is_empty() {
            return;
        }
        let cell = cells[usize::from(bytes.word()) % cells.len()];
        begin_in(&mut sim, cell, &mut bytes);
    }
}

/// Cells to begin in.
pub(crate) fn cells(sim: &Simulation) -> Vec<CellId> {
    let blocks: BTreeSet<_> = sim.world().block_ids().collect();
    let rooms = blocks
        .iter()
        .filter_map(|&id| sim.world().block_data(id))
        .flat_map(|block| block.env_cells.iter().flatten().map(|cell| cell.id()));
    let land = blocks.iter().map(|id| id.cell(29));
    rooms.chain(land).filter(|&id| sim.world().cell(id).is_some()).collect()
}

/// A walk and a flight from somewhere in a cell.
fn begin_in(sim: &mut Simulation, cell: CellId, bytes: &mut Bytes<'_>) {
    let home = match sim.world().env_cell(cell) {
        Some(room) => {
            room.position.frame.apply((room.structure.bounds.min + room.structure.bounds.max) / 2.0)
        }
        None => Vec3::new(84.0, 84.0, 20.0),
    };
    let start =
        Position::new(cell, Frame::new(home + bytes.vector(3.0), Quat::from_heading(bytes.finite(180.0))));
    sim.clear();
    walk(sim, start, bytes);
    fly(sim, start, bytes);
}

fn walk(sim: &mut Simulation, start: Position, bytes: &mut Bytes<'_>) {
    let Ok(Some(model)) = sim.library().model(PLAYER) else { return };
    let state = State::from_bits_retain(0x0040_0408);
    let role = EntityRole { is_player: true, ..EntityRole::default() };
    let spawn = Spawn { guid: Some(1), model, position: start, state, scale: 1.0, role };
    let (world, scene) = sim.parts_mut();
    let Ok(key) = scene.spawn(world, spawn) else { return };
    let _ = scene.place(world, key, &start, PlaceOptions::default());
    for _ in 0..MAX_MOVES {
        let Some((from, Some(cell))) = scene.get(key).map(|body| (body.position, body.cell)) else { return };
        if bytes.is_empty() {
            return;
        }
        if bytes.below(3) == 0 {
            let _ = scene.set_velocity(key, bytes.vector(20.0));
            let _ = scene.advance_clock(f64::from(bytes.byte()) / 500.0);
            let _ = scene.update(world, key);
        } else {
            let mut watch = Watch::new(from, Some(cell));
            let size = if bytes.below(8) == 0 { 30.0 } else { 0.6 };
            let mut target = from;
            target.frame.origin += bytes.vector(size);
            let moved = scene.move_to(world, key, &target, Some(&mut watch));
            let body = scene.get(key).expect("the body");
            match moved {
                Ok(result) if result.ok && body.cell.is_some() => {
                    let (held, cell) = watch.held();
                    assert_eq!((body.position.frame.origin, body.cell), (held.frame.origin, cell));
                }
                Ok(result) if result.ok => {}
                _ => assert_eq!(
                    (body.position, body.cell),
                    (from, Some(cell)),
                    "a failed sweep commits nothing"
                ),
            }
        }
        let body = scene.get(key).expect("the body");
        assert!(body.position.frame.is_finite() && body.velocity.is_finite(), "{:?}", body.position);
        assert!(body.contact_plane.normal.is_finite() && body.sliding_normal.is_finite());
        assert!(body.cell.is_none_or(|cell| cell == body.position.cell && world.cell(cell).is_some()));
    }
}

fn fly(sim: &Simulation, start: Position, bytes: &mut Bytes<'_>) {
    let Some(mut position) = sim.world().reseat(&start, Vec3::ZERO) else { return };
    let mut sweeper = threshold_physics::Sweeper::new();
    for _ in 0..MAX_MOVES {
        if bytes.is_empty() {
            return;
        }
        let cell = sim.world().cell(position.cell).map(|cell| cell.id());
        let mut watch = Watch::new(position, cell);
        let mut end = position;
        end.frame.origin += bytes.vector(4.0);
        let begin = position;
        let input = SweepInput::new(camera(), &begin, &end);
        let swept = sweeper.sweep(sim.world(), sim.scene(), input, Some(&mut watch));
        let Ok(outcome) = swept else { return };
        assert!(outcome.position.frame.is_finite());
        if outcome.cell.is_none() {
            return;
        }
        if outcome.ok {
            position = outcome.position;
        }
    }
}
