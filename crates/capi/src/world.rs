//! Life of a world, what of it is loaded, and its time.

use crate::{
    fault::{Fault, ThStatus, guarded},
    handles::{self, ThWorld, WORLDS, number},
    memory::{OptionalOut, Out, OutArray, read, read_array, read_text},
    plan::Plan,
    route::LastRoute,
    types::{ThPosition, block as block_id},
};
use std::path::Path;
use threshold_sim::{Builder, ObserverId, Residency, Simulation, SimulationView, Snapshot};
use threshold_world::stream::StreamConfig;

/// Which parts of a world are loaded.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThResidency {
    /// A small world completely, a large one around its observers.
    Automatic = 0,
    /// Everything, from the start.
    Whole = 1,
    /// What observers need: players, and the observers of `th_load_block` and `th_load_around`.
    Observed = 2,
}

/// What a handle names.
pub(crate) struct World {
    pub(crate) sim: Simulation,
    /// Makes another world of the same data.
    origin: Builder,
    /// Texts of the events that were fetched last.
    pub(crate) texts: Vec<String>,
    /// The plan that was made last.
    pub(crate) plan: Plan,
    /// The last route.
    pub(crate) route: LastRoute,
    /// What draws pictures, once one was asked for.
    pub(crate) view: Option<Box<SimulationView>>,
}

/// Works with an open world.
#[inline]
pub(crate) fn with_world(
    world: *mut ThWorld,
    work: impl FnOnce(&mut World) -> Result<(), Fault>,
) -> ThStatus {
    guarded(|| WORLDS.with(number(world), work))
}

/// Copies an array that the world keeps.
///
/// # Safety
/// `at` and `count` keep the rules of the header.
pub(crate) unsafe fn copy_array<T: Copy>(
    world: *mut ThWorld,
    (at, capacity, count): (*mut T, u32, *mut u32),
    array: impl FnOnce(&World) -> &[T],
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: as the caller promises.
        let out: Result<OutArray<T>, Fault> = unsafe { OutArray::new(at, capacity, count) };
        out?.set(array(world))
    })
}

fn residency(builder: Builder, residency: u32) -> Result<Builder, Fault> {
    match residency {
        0 => Ok(builder),
        1 => Ok(builder.residency(Residency::Whole)),
        2 => Ok(builder.residency(Residency::Observed(StreamConfig::default()))),
        other => Err(Fault::argument(format!("unknown residency {other}"))),
    }
}

fn open(origin: Builder, how: u32, out: &Out<*mut ThWorld>) -> Result<(), Fault> {
    let sim = residency(origin.clone(), how)?.build()?;
    let world = World {
        sim,
        origin,
        texts: Vec::new(),
        plan: Plan::default(),
        route: LastRoute::default(),
        view: None,
    };
    let number = WORLDS.open(world)?;
    out.set(handles::handle(number));
    Ok(())
}

/// Loads what a new observer needs, or ends it again.
fn settle_or_stop(sim: &mut Simulation, id: ObserverId) -> Result<(), Fault> {
    if let Err(error) = sim.settle(id) {
        sim.stop_observing(id)?;
        return Err(error.into());
    }
    Ok(())
}

/// Opens a folder with `client_portal.dat` and `client_cell_1.dat`. An `entities.json` next to them lists the objects that a server
/// would place, a `Locations.txt` names places. `residency` is one of ThResidency.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_open(
    folder: *const u8,
    length: u32,
    residency: u32,
    world: *mut *mut ThWorld,
) -> ThStatus {
    guarded(|| {
        // SAFETY: the caller keeps the rules of the header.
        let (folder, out) = unsafe { (read_text(folder, length, "the folder")?, Out::new(world, "world")?) };
        open(Builder::open(Path::new(&folder))?, residency, &out)
    })
}

/// Opens the built-in sample world.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_open_sample(residency: u32, world: *mut *mut ThWorld) -> ThStatus {
    guarded(|| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(world, "world")? };
        open(Builder::sample()?, residency, &out)
    })
}

/// Opens another world of the same data, as it was when first opened. The two share only immutable data,
/// so two threads may use them at the same time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_open_another(
    world: *mut ThWorld,
    residency: u32,
    another: *mut *mut ThWorld,
) -> ThStatus {
    guarded(|| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(another, "another")? };
        let origin = WORLDS.with(number(world), |world| Ok(world.origin.clone()))?;
        open(origin, residency, &out)
    })
}

/// Closes a world. Its handle is invalid afterwards.
#[unsafe(no_mangle)]
pub extern "C" fn th_close(world: *mut ThWorld) -> ThStatus {
    guarded(|| WORLDS.close(number(world)))
}

/// Ids of the blocks that the data files have, loaded or not, such as 0xA9B4.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_blocks(
    world: *mut ThWorld,
    blocks: *mut u32,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(blocks, capacity, count)? };
        let ids: Vec<u32> = world.sim.blocks().iter().map(|block| block.0.into()).collect();
        out.set(&ids)
    })
}

/// Loads a block with all its cells and keeps it until `th_unload` is called with the returned observer. `has_terrain` may
/// be null; 0 is written there for a block without land, such as a dungeon's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_load_block(
    world: *mut ThWorld,
    block: u32,
    observer: *mut u32,
    has_terrain: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (observer, has_terrain) =
            unsafe { (Out::new(observer, "observer")?, OptionalOut::new(has_terrain)) };
        let block = block_id(block)?;
        let id = world.sim.hold_open([block])?;
        settle_or_stop(&mut world.sim, id)?;
        let land = world.sim.world().block_data(block).is_some_and(|data| data.has_land);
        has_terrain.set(land.into());
        observer.set(id.number());
        Ok(())
    })
}

/// Loads everything visible from a place and keeps it, with the objects there active, until `th_unload` is called with the
/// returned observer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_load_around(
    world: *mut ThWorld,
    place: *const ThPosition,
    observer: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, Out::new(observer, "observer")?) };
        let id = world.sim.observe(place.check()?)?;
        settle_or_stop(&mut world.sim, id)?;
        out.set(id.number());
        Ok(())
    })
}

/// Moves an observer of `th_load_around` to another place, and loads its surroundings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_move_observer(
    world: *mut ThWorld,
    observer: u32,
    place: *const ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let place = unsafe { read(place, "place")? }.check()?;
        let id = ObserverId::from_number(observer);
        world.sim.move_observer(id, place)?;
        Ok(world.sim.settle(id)?)
    })
}

/// Removes an observer; blocks that no other observer needs are unloaded.
#[unsafe(no_mangle)]
pub extern "C" fn th_unload(world: *mut ThWorld, observer: u32) -> ThStatus {
    with_world(world, |world| Ok(world.sim.stop_observing(ObserverId::from_number(observer))?))
}

/// The position that a text denotes: a named place, the output of the game's /loc (`0xA9B40019 [84 7.1 94] 1 0 0 0`), or map
/// coordinates (`42.1N, 33.6E`), which are on the ground if it is loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_find_place(
    world: *mut ThWorld,
    text: *const u8,
    length: u32,
    position: *mut ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (text, out) = unsafe { (read_text(text, length, "text")?, Out::new(position, "position")?) };
        let found = world.sim.find_place(&text);
        out.set(found.ok_or_else(|| Fault::not_found(format_args!("place '{text}'")))?.into());
        Ok(())
    })
}

/// Names of the places, one per line, UTF-8 without a zero at the end.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_place_names(
    world: *mut ThWorld,
    text: *mut u8,
    capacity: u32,
    length: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(text, capacity, length)? };
        let names: Vec<&str> = world.sim.places().iter().map(|place| place.name.as_str()).collect();
        out.set(names.join("\n").as_bytes())
    })
}

/// One tick of a thirtieth of a second.
#[unsafe(no_mangle)]
pub extern "C" fn th_tick(world: *mut ThWorld) -> ThStatus {
    with_world(world, |world| Ok(world.sim.tick()?))
}

/// Advances time, by at most an hour: runs as many ticks as are complete, then moves the players' cameras.
#[unsafe(no_mangle)]
pub extern "C" fn th_advance(world: *mut ThWorld, seconds: f64) -> ThStatus {
    with_world(world, |world| Ok(world.sim.advance(seconds)?))
}

/// Ticks since the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_ticks(world: *mut ThWorld, ticks: *mut u64) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(ticks, "ticks")? };
        out.set(world.sim.ticks());
        Ok(())
    })
}

/// A hash of everything that can change; the same on every machine.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_state_hash(world: *mut ThWorld, hash: *mut u64) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(hash, "hash")? };
        out.set(world.sim.state_hash());
        Ok(())
    })
}

/// Everything that can change, as versioned bytes that can be restored into a world of the same data files,
/// in this process or another.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_snapshot(
    world: *mut ThWorld,
    bytes: *mut u8,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(bytes, capacity, count)? };
        out.set(&world.sim.snapshot().to_bytes()?)
    })
}

/// Restores the state of a snapshot. Bytes that are not a snapshot of these data files are refused; then nothing
/// changes except which blocks are loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_restore(world: *mut ThWorld, bytes: *const u8, count: u32) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let bytes = unsafe { read_array(bytes, count, "bytes")? };
        Ok(world.sim.restore(&Snapshot::from_bytes(&bytes)?)?)
    })
}
