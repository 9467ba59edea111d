//! Objects, players and doors.

use crate::{
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{OptionalOut, Out, OutArray, read, read_optional, read_text},
    types::{ThEntity, ThPosition, ThSkills, ThVec3, controls, entity, finite},
    world::{World, with_world},
};
use bytemuck::AnyBitPattern;
use threshold_dat::DatId;
use threshold_physics::{EntityRole, Placement, State};
use threshold_sim::{DoorChange, NewObject, Skills};

/// Properties of an object in the game; combine them with OR.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThRole {
    /// A player that the caller moves; `th_spawn_player` makes one that is controlled by keys.
    Player = 1,
    /// A living object.
    Creature = 2,
    /// Players collide with it.
    Impenetrable = 4,
    /// Player killer.
    Pk = 8,
    /// Player killer, lite.
    PkLite = 16,
    /// A door: `th_use` opens and closes it.
    Door = 32,
}

/// Parameters for spawning an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThSpawn {
    /// Game id, which must not be in use; 0 for none.
    pub guid: u32,
    /// Setup or GfxObj.
    pub setup: u32,
    /// Its exact position.
    pub position: ThPosition,
    /// State word of the game.
    pub state: u32,
    /// Scale; 0 means 1.
    pub scale: f32,
    /// A combination of ThRole.
    pub role: u32,
}

/// State of a door.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThDoor {
    /// The object is not a door.
    #[default]
    None = 0,
    /// It is closed.
    Closed = 1,
    /// It is open.
    Open = 2,
    /// It stays open because something is in the way. Only `th_use` returns this.
    Blocked = 3,
}

/// The current state of an object.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThEntityInfo {
    /// Game id; 0 for none.
    pub guid: u32,
    /// Setup or GfxObj.
    pub setup: u32,
    /// Where it is.
    pub position: ThPosition,
    /// The loaded cell it is in; 0 for none.
    pub loaded_cell: u32,
    /// State word of the game.
    pub state: u32,
    /// State from tick to tick: 1 touches ground, 2 stands on walkable ground, and more.
    pub transient: u32,
    /// Size.
    pub scale: f32,
    /// Metres per second.
    pub velocity: ThVec3,
    /// State of the door, if it is one.
    pub door: ThDoor,
    /// Height in metres.
    pub height: f32,
    /// Radius in metres.
    pub radius: f32,
}

/// Result of a placement.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThPlacement {
    /// The object was placed.
    Placed = 0,
    /// There is no room.
    NoRoom = 1,
    /// There is no cell.
    NoCell = 2,
    /// There is no room because of a reported collision.
    Collided = 3,
}

/// Spawns an object exactly at the given position. If its cell is not loaded, the object waits until it is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_spawn(
    world: *mut ThWorld,
    spawn: *const ThSpawn,
    spawned: *mut ThEntity,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (spawn, out) = unsafe { (read(spawn, "spawn")?, Out::new(spawned, "spawned")?) };
        if spawn.role > 63 {
            return Err(Fault::argument(format!("the role {:#x} has unknown bits", spawn.role)));
        }
        let is = |role: ThRole| spawn.role & role as u32 != 0;
        let role = EntityRole {
            is_player: is(ThRole::Player),
            creature: is(ThRole::Creature),
            impenetrable: is(ThRole::Impenetrable),
            pk: is(ThRole::Pk),
            pk_lite: is(ThRole::PkLite),
            ..EntityRole::default()
        };
        let key = world.sim.spawn(NewObject {
            guid: (spawn.guid != 0).then_some(spawn.guid),
            setup: DatId(spawn.setup),
            position: spawn.position.check()?,
            state: State::from_bits_retain(spawn.state),
            scale: if spawn.scale == 0.0 { 1.0 } else { spawn.scale },
            role,
        })?;
        if is(ThRole::Door) {
            world.sim.add_door(key, None)?;
        }
        out.set(key.id());
        Ok(())
    })
}

/// Spawns a player controlled by keys, after loading the surroundings of the place; the original's search finds a free
/// spot for it. `skills` may be null for average skills.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_spawn_player(
    world: *mut ThWorld,
    place: *const ThPosition,
    skills: *const ThSkills,
    spawned: *mut ThEntity,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, skills, out) =
            unsafe { (read(place, "place")?, read_optional(skills), Out::new(spawned, "spawned")?) };
        let skills = skills.map_or_else(|| Ok(Skills::default()), ThSkills::check)?;
        out.set(world.sim.spawn_player_with(place.check()?, skills)?.id());
        Ok(())
    })
}

/// Removes an object from the world.
#[unsafe(no_mangle)]
pub extern "C" fn th_despawn(world: *mut ThWorld, object: ThEntity) -> ThStatus {
    with_world(world, |world| Ok(world.sim.despawn(entity(object)?)?))
}

/// Places an object, using the original's search for a free spot. `placement` may be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_place(
    world: *mut ThWorld,
    object: ThEntity,
    place: *const ThPosition,
    placement: *mut ThPlacement,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (place, out) = unsafe { (read(place, "place")?, OptionalOut::new(placement)) };
        out.set(match world.sim.place(entity(object)?, &place.check()?)? {
            Placement::Placed => ThPlacement::Placed,
            Placement::NoValidPosition => ThPlacement::NoRoom,
            Placement::NoCell => ThPlacement::NoCell,
            Placement::Collided => ThPlacement::Collided,
        });
        Ok(())
    })
}

/// Teleports a player to a place; it is placed there as soon as the place is loaded. An event reports the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_teleport(
    world: *mut ThWorld,
    player: ThEntity,
    place: *const ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let place = unsafe { read(place, "place")? }.check()?;
        Ok(world.sim.teleport(entity(player)?, place)?)
    })
}

/// Where an object is.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_position(
    world: *mut ThWorld,
    object: ThEntity,
    position: *mut ThPosition,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(position, "position")? };
        out.set(world.sim.position(entity(object)?)?.into());
        Ok(())
    })
}

/// The current state of an object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_entity(
    world: *mut ThWorld,
    object: ThEntity,
    info: *mut ThEntityInfo,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(info, "info")? };
        let key = entity(object)?;
        let found = world.sim.entity(key)?;
        out.set(ThEntityInfo {
            guid: found.guid.unwrap_or(0),
            setup: found.model.id.0,
            position: found.position.into(),
            loaded_cell: found.cell.map_or(0, |cell| cell.0),
            state: found.state.bits(),
            transient: found.transient.bits(),
            scale: found.scale,
            velocity: found.velocity.into(),
            door: match world.sim.door(key).map(|door| door.open) {
                None => ThDoor::None,
                Some(false) => ThDoor::Closed,
                Some(true) => ThDoor::Open,
            },
            height: found.model.height * found.scale,
            radius: found.model.radius * found.scale,
        });
        Ok(())
    })
}

/// All objects, including scenery and statics, in order of id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_entities(
    world: *mut ThWorld,
    objects: *mut ThEntity,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OutArray::new(objects, capacity, count)? };
        let ids: Vec<ThEntity> = world.sim.scene().entities().map(|(key, _)| key.id()).collect();
        out.set(&ids)
    })
}

/// The object with a game id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_find(world: *mut ThWorld, guid: u32, found: *mut ThEntity) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { Out::new(found, "found")? };
        let key = world.sim.find(guid);
        out.set(key.ok_or_else(|| Fault::not_found(format_args!("object with id {guid:#010x}")))?.id());
        Ok(())
    })
}

/// The placed object with a name (case-insensitive).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_find_by_name(
    world: *mut ThWorld,
    name: *const u8,
    length: u32,
    found: *mut ThEntity,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (name, out) = unsafe { (read_text(name, length, "name")?, Out::new(found, "found")?) };
        let key = world.sim.find_by_name(&name);
        out.set(key.ok_or_else(|| Fault::not_found(format_args!("object named '{name}'")))?.id());
        Ok(())
    })
}

/// Replaces an object's state word, as the game's server does.
#[unsafe(no_mangle)]
pub extern "C" fn th_set_state(world: *mut ThWorld, object: ThEntity, state: u32) -> ThStatus {
    with_world(world, |world| {
        let (_, scene) = world.sim.parts_mut();
        Ok(scene.set_state(entity(object)?, State::from_bits_retain(state))?)
    })
}

/// Replaces an object's velocity, at most 50 m/s.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_set_velocity(
    world: *mut ThWorld,
    object: ThEntity,
    velocity: *const ThVec3,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let velocity = finite(unsafe { read(velocity, "velocity")? }, "a velocity")?;
        Ok(world.sim.parts_mut().1.set_velocity(entity(object)?, velocity)?)
    })
}

/// Sets the keys that a player holds until the next call: a combination of ThControl.
#[unsafe(no_mangle)]
pub extern "C" fn th_drive(world: *mut ThWorld, player: ThEntity, keys: u32) -> ThStatus {
    with_world(world, |world| Ok(world.sim.control(entity(player)?, controls(keys)?)?))
}

/// Turns a player right, and its camera up, by degrees.
#[unsafe(no_mangle)]
pub extern "C" fn th_look(world: *mut ThWorld, player: ThEntity, right: f32, up: f32) -> ThStatus {
    with_world(world, |world| Ok(world.sim.look(entity(player)?, right, up)?))
}

/// Uses an object as a player would: opens a closed door, closes an open one. `door` may be null; it receives the new state of
/// the door, TH_DOOR_NONE when the object is not one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_use(world: *mut ThWorld, object: ThEntity, door: *mut ThDoor) -> ThStatus {
    with_world(world, |World { sim, .. }| {
        // SAFETY: the caller keeps the rules of the header.
        let out = unsafe { OptionalOut::new(door) };
        let key = entity(object)?;
        sim.entity(key)?;
        out.set(match sim.use_object(key)? {
            None => ThDoor::None,
            Some(DoorChange::Opened) => ThDoor::Open,
            Some(DoorChange::Closed) => ThDoor::Closed,
            Some(DoorChange::Blocked) => ThDoor::Blocked,
        });
        Ok(())
    })
}
