/*
 * libthreshold: the cell world of Asheron's Call for C and everything else that can call C.
 *
 * Made from crates/capi; do not edit.
 *
 * Rules, once for all functions:
 *
 * - A function returns TH_STATUS_OK or says what was wrong; `th_error` has a sentence about it. Results are written
 *   only on success, unless the function says otherwise.
 * - A handle (ThWorld, ThDat) is opaque. Null, closed and made-up handles are refused. A world is used by one thread at a
 *   time; a call that finds another thread at work returns TH_STATUS_BUSY. Several worlds may be used in parallel.
 * - A pointer is null or points to memory that is the caller's for the time of the call; it need not be aligned.
 *   Null is refused unless the function says that it may be left out. Nothing is kept after the call.
 * - Lengths and counts are of 32 bits and count elements. Texts are UTF-8 with a length and need no zero at the end.
 * - Results of any number go into a buffer of the caller: pass null and a capacity of 0 to learn the count, then call
 *   again. A buffer that is too small stays as it is, with TH_STATUS_TOO_SMALL and the count.
 * - Structs are plain; set what you do not use to zero.
 * - Metres, seconds, degrees. Coordinates are those of a landblock: x east, y north, z up, from its south-west corner.
 */

#ifndef THRESHOLD_H
#define THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface: changes whenever a program that was built with an older header could go wrong.
#define TH_ABI 1

// How a call went. After anything but TH_STATUS_OK `th_error` has a sentence about it, and nothing was changed or
// written unless the function says so.
typedef enum {
    // Good.
    TH_STATUS_OK = 0,
    // A pointer that must not be null is.
    TH_STATUS_NULL_POINTER = 1,
    // The handle is closed, or never was one.
    TH_STATUS_CLOSED = 2,
    // Another thread is in a call with this handle.
    TH_STATUS_BUSY = 3,
    // The buffer is too small; the count that was written says how large it must be.
    TH_STATUS_TOO_SMALL = 4,
    // A number, text or length makes no sense: NaN, not on the map, not UTF-8.
    TH_STATUS_BAD_ARGUMENT = 5,
    // There is no such object, cell, block, record or name.
    TH_STATUS_NOT_FOUND = 6,
    // The object cannot do that: it is no player, has no legs, is carried by another.
    TH_STATUS_NOT_POSSIBLE = 7,
    // A file cannot be read or written, or its contents cannot be used.
    TH_STATUS_DATA = 8,
    // Too many handles are open.
    TH_STATUS_TOO_MANY = 9,
    // The library itself is at fault. A world that was in use then refuses everything but being closed.
    TH_STATUS_INTERNAL = 10,
} ThStatus;

// How a placement ended.
typedef enum {
    // The object is there.
    TH_PLACEMENT_PLACED = 0,
    // There is no room.
    TH_PLACEMENT_NO_ROOM = 1,
    // There is no cell.
    TH_PLACEMENT_NO_CELL = 2,
    // There is no room because of something that was reported.
    TH_PLACEMENT_COLLIDED = 3,
} ThPlacement;

// How a door stands.
typedef enum {
    // The object is not a door.
    TH_DOOR_NONE = 0,
    // It is closed.
    TH_DOOR_CLOSED = 1,
    // It is open.
    TH_DOOR_OPEN = 2,
    // It stays open, because something stands in it. Only `th_use` says this.
    TH_DOOR_BLOCKED = 3,
} ThDoor;

// Kinds of events. What the other fields of a ThEvent mean depends on it.
typedef enum {
    // Something that this version of the interface has no name for; its text says what.
    TH_EVENT_KIND_OTHER = 0,
    // `entity` is in cell `to` now instead of `from`; 0 stands for no loaded cell.
    TH_EVENT_KIND_CELL_CHANGED = 1,
    // `entity` touched `other`, or was touched by it, for the first time: `velocity` is that of the mover relative to what
    // it touched, `flags` say what the other one is: 1 lives, 2 a player, 4 can be attacked, 8 a missile, 0x10 touches
    // ground, 0x20 the one that is told touches ground, 0x40 a door.
    TH_EVENT_KIND_TOUCHED = 2,
    // `entity` no longer touches `other`.
    TH_EVENT_KIND_SEPARATED = 3,
    // `entity` hit walls, ground or anything else that no server placed, with `velocity`; `flags` are 1 when it touched
    // ground before.
    TH_EVENT_KIND_HIT_ENVIRONMENT = 4,
    // `entity` left walkable ground.
    TH_EVENT_KIND_LEFT_GROUND = 5,
    // `entity` reached walkable ground.
    TH_EVENT_KIND_HIT_GROUND = 6,
    // `entity` is in no loaded cell any more.
    TH_EVENT_KIND_LOST = 7,
    // The cell of `entity`, which waited for it, has been loaded.
    TH_EVENT_KIND_FOUND = 8,
    // The door `entity` opened.
    TH_EVENT_KIND_DOOR_OPENED = 9,
    // The door `entity` closed.
    TH_EVENT_KIND_DOOR_CLOSED = 10,
    // The door `entity` cannot close, because something stands in it.
    TH_EVENT_KIND_DOOR_BLOCKED = 11,
    // The player `entity` set out for another place; `other` is the portal, if it was one.
    TH_EVENT_KIND_DEPARTED = 12,
    // The player `entity` is at `position`, where it was going.
    TH_EVENT_KIND_ARRIVED = 13,
    // There was no room for the player `entity` at `position`, or no such cell.
    TH_EVENT_KIND_NO_ROOM = 14,
    // The player `entity` fell out of the world and is put back.
    TH_EVENT_KIND_RESCUED = 15,
    // The land of block `to` is there from now on.
    TH_EVENT_KIND_BLOCK_LOADED = 16,
    // The land of block `to` is gone.
    TH_EVENT_KIND_BLOCK_UNLOADED = 17,
    // Data cannot be used, or not now; the event has a text.
    TH_EVENT_KIND_PROBLEM = 18,
    // The missile `entity` hit `other`; `flags` say where, as seen by the target: 1 high, 2 middle, 4 low, 8 left, 0x10
    // right, 0x20 front, 0x40 back.
    TH_EVENT_KIND_MISSILE_HIT = 19,
} ThEventKind;

// Kinds of things that can be in the way.
typedef enum {
    // Nothing.
    TH_TARGET_KIND_NONE = 0,
    // An object.
    TH_TARGET_KIND_ENTITY = 1,
    // A wall, floor or ceiling of an interior cell.
    TH_TARGET_KIND_ROOM = 2,
    // The outside of a building.
    TH_TARGET_KIND_SHELL = 3,
    // The ground of a land cell.
    TH_TARGET_KIND_GROUND = 4,
} ThTargetKind;

// Why a path does not hold.
typedef enum {
    // Every leg holds.
    TH_STOP_NONE = 0,
    // There is no room where the path begins, or no ground.
    TH_STOP_NO_ROOM = 1,
    // Something is in the way.
    TH_STOP_BLOCKED = 2,
    // The end of the leg was reached, but above or below it.
    TH_STOP_OTHER_LEVEL = 3,
    // The body left what is loaded.
    TH_STOP_LOST = 4,
    // The path takes longer than an hour.
    TH_STOP_TOO_LONG = 5,
} ThStop;

// How a jump ended.
typedef enum {
    // On ground that one can stand on.
    TH_JUMP_END_LANDED = 0,
    // There was nothing to jump off from: no room, or no ground.
    TH_JUMP_END_NO_FOOTING = 1,
    // Outside of what is loaded.
    TH_JUMP_END_LOST = 2,
    // It was still in the air after half a minute, or stuck between walls.
    TH_JUMP_END_STUCK = 3,
} ThJumpEnd;

// Which objects stop a ray.
typedef enum {
    // Everything that can be pointed at, open doors and creatures included.
    TH_BLOCKERS_EVERYTHING = 0,
    // What blocks the view between two creatures: neither what lives nor what is ethereal, such as an open door.
    TH_BLOCKERS_SOLID = 1,
    // No object at all, only walls, shells and the ground.
    TH_BLOCKERS_ENVIRONMENT = 2,
} ThBlockers;

// Bodies that a walker can have.
typedef enum {
    // A player.
    TH_BODY_PLAYER = 0,
    // A creature with a setup and a scale.
    TH_BODY_CREATURE = 1,
    // A body like that of an object in the world, which does not hit the object itself.
    TH_BODY_ENTITY = 2,
} ThBody;

// Keys that are held, to be combined.
typedef enum {
    // Ahead.
    TH_CONTROL_FORWARD = 1,
    // Backwards.
    TH_CONTROL_BACK = 2,
    // A step to the left.
    TH_CONTROL_LEFT = 4,
    // A step to the right.
    TH_CONTROL_RIGHT = 8,
    // Turn left.
    TH_CONTROL_TURN_LEFT = 16,
    // Turn right.
    TH_CONTROL_TURN_RIGHT = 32,
    // Walk instead of running.
    TH_CONTROL_WALK = 64,
    // Charge a jump; letting go jumps.
    TH_CONTROL_JUMP = 128,
} ThControl;

// What of a world is loaded.
typedef enum {
    // A small world at once, a large one around its observers.
    TH_RESIDENCY_AUTOMATIC = 0,
    // Everything, from the beginning.
    TH_RESIDENCY_WHOLE = 1,
    // What observers need: players, and what `th_load_block` and `th_load_around` hold.
    TH_RESIDENCY_OBSERVED = 2,
} ThResidency;

// What the game says of an object, to be combined.
typedef enum {
    // A player, moved by the caller: `th_spawn_player` makes one that is driven by keys.
    TH_ROLE_PLAYER = 1,
    // Something that lives.
    TH_ROLE_CREATURE = 2,
    // Players collide with it.
    TH_ROLE_IMPENETRABLE = 4,
    // Player killer.
    TH_ROLE_PK = 8,
    // Player killer, lite.
    TH_ROLE_PK_LITE = 16,
    // A door: `th_use` opens and closes it.
    TH_ROLE_DOOR = 32,
} ThRole;

// How a sphere behaves on its way.
typedef enum {
    // Stops at the first thing in its way; passes what lives and what is ethereal.
    TH_SPHERE_KIND_CAMERA = 0,
    // Stops at the first thing in its way, creatures included.
    TH_SPHERE_KIND_MISSILE = 1,
    // Slides along what is in its way.
    TH_SPHERE_KIND_SLIDE = 2,
} ThSphereKind;

// A dat file. Open one with `th_dat_open`, close it with `th_dat_close`.
typedef struct ThDat ThDat;

// A world. Open one with `th_open` or `th_open_sample`, close it with `th_close`.
typedef struct ThWorld ThWorld;

// A point or direction: x east, y north, z up, in metres.
typedef struct {
    // East.
    float x;
    // North.
    float y;
    // Up.
    float z;
} ThVec3;

// A rotation. All zeros stand for none: upright, facing north.
typedef struct {
    // Real part.
    float w;
    // Imaginary part, east.
    float x;
    // Imaginary part, north.
    float y;
    // Imaginary part, up.
    float z;
} ThQuat;

// A place: a cell, and an origin in metres from the south-west corner of the cell's block.
typedef struct {
    // The cell, such as 0xA9B40019.
    uint32_t cell;
    // Where.
    ThVec3 origin;
    // Facing where.
    ThQuat rotation;
} ThPosition;

// What is needed to bring an object in.
typedef struct {
    // Game id, which must not be taken; 0 for none.
    uint32_t guid;
    // Setup or GfxObj.
    uint32_t setup;
    // Exactly where.
    ThPosition position;
    // State word of the game.
    uint32_t state;
    // Size; 0 for full size.
    float scale;
    // A combination of ThRole.
    uint32_t role;
} ThSpawn;

// Names an object of a world; 0 names none. The name of an object that is gone never becomes another's.
typedef uint64_t ThEntity;

// What a body can do.
typedef struct {
    // Run skill.
    uint32_t run;
    // Jump skill.
    uint32_t jump;
    // What is carried against what can be carried: below 1 it does not slow, from 2 on nothing is left.
    float burden;
} ThSkills;

// An object as it is now.
typedef struct {
    // Game id; 0 for none.
    uint32_t guid;
    // Setup or GfxObj.
    uint32_t setup;
    // Where it is.
    ThPosition position;
    // The loaded cell it is in; 0 for none.
    uint32_t loaded_cell;
    // State word of the game.
    uint32_t state;
    // State from tick to tick: 1 touches ground, 2 stands on walkable ground, and more.
    uint32_t transient;
    // Size.
    float scale;
    // Metres per second.
    ThVec3 velocity;
    // How it stands, if it is a door.
    ThDoor door;
    // Height in metres.
    float height;
    // Radius in metres.
    float radius;
} ThEntityInfo;

// Something that happened.
typedef struct {
    // What.
    ThEventKind kind;
    // Number of the event's text among those of this call, from 1; 0 when it has none.
    uint32_t text;
    // Whom it is about; 0 for none.
    ThEntity entity;
    // Who else; 0 for none.
    ThEntity other;
    // Cell before; 0 for none.
    uint32_t from;
    // Cell after, or a block; 0 for none.
    uint32_t to;
    // Where.
    ThPosition position;
    // How fast.
    ThVec3 velocity;
    // More about it.
    uint32_t flags;
} ThEvent;

// What is in the way.
typedef struct {
    // Its kind.
    ThTargetKind kind;
    // The cell of a room, shell or ground; 0 for an object.
    uint32_t cell;
    // The object.
    ThEntity entity;
} ThTarget;

// What a ray met first. The kind of the target is TH_TARGET_KIND_NONE when it met nothing.
typedef struct {
    // What.
    ThTarget target;
    // Metres from where the ray began.
    float distance;
    // Where, in the coordinates of the block of `cell`.
    ThVec3 point;
    // The cell that the ray was in.
    uint32_t cell;
    // Keeps the size the same everywhere.
    uint32_t reserved;
} ThHit;

// A ray to be cast.
typedef struct {
    // Where it begins.
    ThPosition from;
    // Where it goes, in the coordinates of the block of `from`; need not be a unit vector.
    ThVec3 direction;
    // How far it goes, in metres.
    float reach;
    // One of ThBlockers.
    uint32_t blockers;
} ThRay;

// An end of a line of sight: an object, at five sixths of its height, or a place when the object is 0.
typedef struct {
    // The object; it never blocks the line itself.
    ThEntity entity;
    // The place.
    ThPosition position;
} ThSpot;

// Two spots that may see each other.
typedef struct {
    // From here.
    ThSpot from;
    // To there.
    ThSpot to;
} ThSight;

// A sphere to be swept.
typedef struct {
    // Its centre at the beginning.
    ThPosition from;
    // Where its centre wants to go.
    ThPosition to;
    // Metres: 0.01 to 50.
    float radius;
    // One of ThSphereKind.
    uint32_t kind;
} ThSweep;

// How a sweep ended.
typedef struct {
    // Where it was held at the end, in the cell that it was in.
    ThPosition position;
    // 1 when that is a valid position in a loaded cell, else 0.
    uint32_t is_valid;
    // Metres from where it wanted to go.
    float remaining;
    // What it ran into last.
    ThTarget target;
    // The surface of that, away from it.
    ThVec3 normal;
    // Keeps the size the same everywhere.
    uint32_t reserved;
} ThSwept;

// Who goes. Where a walker is asked for, null means a player of average skill who runs.
typedef struct {
    // One of ThBody.
    uint32_t body;
    // 0 runs, 1 walks.
    uint32_t walks;
    // Setup of a creature.
    uint32_t setup;
    // Size of a creature.
    float scale;
    // The object.
    ThEntity entity;
    // What it can do.
    ThSkills skills;
    // Keeps the size the same everywhere.
    uint32_t reserved;
} ThWalker;

// How a path was walked.
typedef struct {
    // Where the body was at the end.
    ThPosition end;
    // Legs that were completed; the next one is where it stopped.
    uint32_t legs;
    // Why it stopped; TH_STOP_NONE when every leg holds.
    ThStop stop;
    // What is in the way, when something is.
    ThTarget blocker;
    // Seconds on the way.
    float seconds;
    // Metres on the way, seen from above.
    float metres;
    // The deepest fall on the way, in metres.
    float deepest_fall;
    // Keeps the size the same everywhere.
    uint32_t reserved;
} ThPathReport;

// A path among others: a run of an array of legs.
typedef struct {
    // Where it begins.
    ThPosition from;
    // Its first leg in the array.
    uint32_t first_leg;
    // How many legs it has.
    uint32_t leg_count;
} ThPath;

// A jump to be tried.
typedef struct {
    // From where, and facing where.
    ThPosition from;
    // Keys that are held at take-off: a combination of ThControl.
    uint32_t keys;
    // How long the key was held, 0…1.
    float power;
} ThJump;

// What came of a jump.
typedef struct {
    // How it ended.
    ThJumpEnd end;
    // Seconds in the air.
    float seconds;
    // Metres from take-off to the highest point.
    float height;
    // Metres from the highest point down to the end.
    float fall;
    // Where the body was at the end.
    ThPosition landing;
    // The first thing that was hit in the air.
    ThTarget bumped;
} ThJumpReport;

// Where to look for a spot: within a distance of a place, or in a cell when that is not 0.
typedef struct {
    // The cell; 0 to look around a place.
    uint32_t cell;
    // The place.
    ThPosition center;
    // How far from it, seen from above.
    float metres;
} ThArea;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

// The version of the interface that this library has; compare it with TH_ABI.
uint32_t th_abi(void);

// Why the last call of this thread that did not return TH_STATUS_OK failed, as UTF-8 with a zero at the end. Writes as
// much of it as there is room for; returns its length without the zero.
uint32_t th_error(uint8_t *buffer, uint32_t capacity);

// Opens a folder with `client_portal.dat` and `client_cell_1.dat`. An `entities.json` beside them lists what a server
// would place, a `Locations.txt` names places. `residency` is one of ThResidency.
ThStatus th_open(const uint8_t *folder, uint32_t length, uint32_t residency, ThWorld **world);

// Opens the built-in sample world.
ThStatus th_open_sample(uint32_t residency, ThWorld **world);

// Opens another world of the same data, as that was when it was opened. Both share what never changes, and nothing
// else: they may be used by two threads at the same time.
ThStatus th_open_another(ThWorld *world, uint32_t residency, ThWorld **another);

// Closes a world. Its handle names nothing from then on.
ThStatus th_close(ThWorld *world);

// Ids of the blocks that the data files have, loaded or not, such as 0xA9B4.
ThStatus th_blocks(ThWorld *world, uint32_t *blocks, uint32_t capacity, uint32_t *count);

// Loads a block with all its cells and keeps it until `th_unload` with the observer that is returned. `has_terrain` may
// be null; 0 is written there for a block without land, such as a dungeon's.
ThStatus th_load_block(ThWorld *world, uint32_t block, uint32_t *observer, uint32_t *has_terrain);

// Loads what can be seen from a place and keeps it, with objects there active, until `th_unload` with the observer that
// is returned.
ThStatus th_load_around(ThWorld *world, const ThPosition *place, uint32_t *observer);

// Moves an observer of `th_load_around` to another place, and loads what is around that.
ThStatus th_move_observer(ThWorld *world, uint32_t observer, const ThPosition *place);

// Ends an observer; what no other needs is unloaded.
ThStatus th_unload(ThWorld *world, uint32_t observer);

// The position that a text means: a named place, what the game's /loc prints (`0xA9B40019 [84 7.1 94] 1 0 0 0`), or map
// coordinates (`42.1N, 33.6E`), which are on the ground if it is loaded.
ThStatus th_find_place(ThWorld *world, const uint8_t *text, uint32_t length, ThPosition *position);

// Names of the places, one per line, UTF-8 without a zero at the end.
ThStatus th_place_names(ThWorld *world, uint8_t *text, uint32_t capacity, uint32_t *length);

// One tick of a thirtieth of a second.
ThStatus th_tick(ThWorld *world);

// Lets time pass, at most an hour: as many ticks as are complete, then the players' cameras.
ThStatus th_advance(ThWorld *world, double seconds);

// Ticks since the beginning.
ThStatus th_ticks(ThWorld *world, uint64_t *ticks);

// A number that differs when anything that moves differs; the same on every machine.
ThStatus th_state_hash(ThWorld *world, uint64_t *hash);

// Everything that can change, as bytes with a version: to be kept, and restored into a world of the same data files,
// in this process or another.
ThStatus th_snapshot(ThWorld *world, uint8_t *bytes, uint32_t capacity, uint32_t *count);

// Becomes what it was when a snapshot was taken. Bytes that are no snapshot of these data files are refused, and nothing
// changes but what is loaded.
ThStatus th_restore(ThWorld *world,
                    const uint8_t *bytes,
                    uint32_t count);

// Brings an object in exactly where it is said to be. Where its cell is not loaded it waits until it is.
ThStatus th_spawn(ThWorld *world, const ThSpawn *spawn, ThEntity *spawned);

// Brings in a player that is driven by keys, after loading what is around the place; the original's search finds a free
// spot for it. `skills` may be null for average ones.
ThStatus th_spawn_player(ThWorld *world, const ThPosition *place, const ThSkills *skills, ThEntity *spawned);

// Takes an object out.
ThStatus th_despawn(ThWorld *world, ThEntity object);

// Puts an object somewhere with the original's search for a free spot. `placement` may be null.
ThStatus th_place(ThWorld *world, ThEntity object, const ThPosition *place, ThPlacement *placement);

// Sends a player to a place; it is put down there as soon as the place is loaded. An event says how it ended.
ThStatus th_teleport(ThWorld *world, ThEntity player, const ThPosition *place);

// Where an object is.
ThStatus th_position(ThWorld *world, ThEntity object, ThPosition *position);

// An object as it is now.
ThStatus th_entity(ThWorld *world, ThEntity object, ThEntityInfo *info);

// All objects, scenery and statics included, in the order of their names.
ThStatus th_entities(ThWorld *world, ThEntity *objects, uint32_t capacity, uint32_t *count);

// The object with a game id.
ThStatus th_find(ThWorld *world, uint32_t guid, ThEntity *found);

// The placed object with a name, in any case.
ThStatus th_find_by_name(ThWorld *world, const uint8_t *name, uint32_t length, ThEntity *found);

// Replaces an object's state word, as the game's server does.
ThStatus th_set_state(ThWorld *world, ThEntity object, uint32_t state);

// Replaces an object's velocity, at most 50 m/s.
ThStatus th_set_velocity(ThWorld *world, ThEntity object, const ThVec3 *velocity);

// Says which keys a player holds from now on: a combination of ThControl.
ThStatus th_drive(ThWorld *world, ThEntity player, uint32_t keys);

// Looks around by degrees: turns a player right, and its eye up.
ThStatus th_look(ThWorld *world, ThEntity player, float right, float up);

// Uses an object as a player would: opens a closed door, closes an open one. `door` may be null; it says how the door
// stands then, TH_DOOR_NONE when the object is not one.
ThStatus th_use(ThWorld *world, ThEntity object, ThDoor *door);

// What has happened since the last call, in order. Without a buffer, or with one that is too small, nothing is taken and
// the same events come again.
ThStatus th_events(ThWorld *world,
                   ThEvent *events,
                   uint32_t capacity,
                   uint32_t *count);

// The text of an event of the last call of `th_events` that took any, UTF-8 without a zero at the end.
ThStatus th_event_text(ThWorld *world, uint32_t text, uint8_t *buffer, uint32_t capacity, uint32_t *length);

// The height of the land at a place, whatever is built on it. TH_STATUS_NOT_FOUND where no land is loaded.
ThStatus th_ground_height(ThWorld *world, const ThPosition *place, float *height);

// The ground, floor or solid object under a point.
ThStatus th_ground(ThWorld *world, const ThPosition *place, ThHit *ground);

// The ceiling or solid object over a point.
ThStatus th_ceiling(ThWorld *world, const ThPosition *place, ThHit *ceiling);

// The cell that a position from elsewhere belongs to, as the original finds it before it places anything. `reference`
// is a point of the mover in its own space that decides, such as the middle of its body; null stands for the origin.
// TH_STATUS_NOT_FOUND when it belongs to none.
ThStatus th_reseat(ThWorld *world, const ThPosition *position, const ThVec3 *reference, ThPosition *seated);

// Cells that a sphere touches, its own first; the position is its centre.
ThStatus th_cells_of_sphere(ThWorld *world,
                            const ThPosition *center,
                            float radius,
                            uint32_t *cells,
                            uint32_t capacity,
                            uint32_t *count);

// Interior cells that can be seen from an interior cell, itself included.
ThStatus th_visible_cells(ThWorld *world, uint32_t cell, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Cells in whose lists an object is: where it can be hit.
ThStatus th_shadow_cells(ThWorld *world, ThEntity object, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Objects at home in a cell.
ThStatus th_residents(ThWorld *world, uint32_t cell, ThEntity *objects, uint32_t capacity, uint32_t *count);

// Objects within a distance of a place, nearest first.
ThStatus th_objects_within(ThWorld *world,
                           const ThPosition *place,
                           float metres,
                           ThEntity *objects,
                           uint32_t capacity,
                           uint32_t *count);

// The first thing that a ray meets.
ThStatus th_cast(ThWorld *world, const ThRay *ray, ThHit *found);

// As `th_cast` for many rays, on all processors: `found` has room for `count` hits.
ThStatus th_casts(ThWorld *world, const ThRay *rays, uint32_t count, ThHit *found);

// What a player points at: the first thing on the way from its eye in a direction of the eye's block.
ThStatus th_pick(ThWorld *world, ThEntity player, const ThVec3 *direction, ThHit *found);

// Whether one spot sees another: TH_TARGET_KIND_NONE in `blocker` when it does, else what is between. Creatures and
// open doors block no view. With a radius it is asked for a missile or camera of that size.
ThStatus th_line_of_sight(ThWorld *world, const ThSpot *from, const ThSpot *to, float radius, ThHit *blocker);

// As `th_line_of_sight` for many pairs, on all processors: `blockers` has room for `count` hits.
ThStatus th_lines_of_sight(ThWorld *world, const ThSight *pairs, uint32_t count, float radius, ThHit *blockers);

// Sweeps a sphere through everything solid.
ThStatus th_sweep_sphere(ThWorld *world, const ThSweep *sweep, ThSwept *swept);

// As `th_sweep_sphere` for many spheres, on all processors: `swept` has room for `count` answers.
ThStatus th_sweep_spheres(ThWorld *world, const ThSweep *sweeps, uint32_t count, ThSwept *swept);

// Sweeps an object from where it stands, with its own body and footing, as one move; it stays where it is.
ThStatus th_sweep_entity(ThWorld *world, ThEntity object, const ThPosition *to, ThSwept *swept);

// Drives a body along a path, tick by tick, and says how far it comes and what stops it. `walker` may be null.
ThStatus th_check_path(ThWorld *world,
                       const ThWalker *who,
                       const ThPosition *from,
                       const ThPosition *legs,
                       uint32_t leg_count,
                       ThPathReport *report);

// As `th_check_path` for many paths, on all processors. Each path is a run of `legs`; `reports` has room for `count`
// reports.
ThStatus th_check_paths(ThWorld *world,
                        const ThWalker *who,
                        const ThPath *paths,
                        uint32_t count,
                        const ThPosition *legs,
                        uint32_t leg_count,
                        ThPathReport *reports);

// Lets a body jump and follows it until it lands. `walker` may be null. The arc, where the body was tick by tick from
// take-off to the end, is written as any array; it may be left out with a null buffer and a capacity of 0.
ThStatus th_simulate_jump(ThWorld *world,
                          const ThWalker *who,
                          const ThJump *jump,
                          ThJumpReport *report,
                          ThPosition *arc,
                          uint32_t capacity,
                          uint32_t *count);

// Where a body stands that is put down at a place, after the original's search for room and a fall to the ground.
// TH_STATUS_NOT_FOUND when there is no room, or no ground to stand on. `walker` may be null.
ThStatus th_stand_at(ThWorld *world, const ThWalker *who, const ThPosition *place, ThPosition *stands);

// A spot in an area where a body can stand, facing anywhere; the same seed gives the same spot. TH_STATUS_NOT_FOUND
// when none of 64 spots is good. `walker` may be null.
ThStatus th_random_standable(ThWorld *world, const ThWalker *who, const ThArea *area, uint64_t seed, ThPosition *spot);

// Opens a dat file.
ThStatus th_dat_open(const uint8_t *path, uint32_t length, ThDat **dat);

// Closes a dat file. Its handle names nothing from then on.
ThStatus th_dat_close(ThDat *dat);

// Ids of the records from `first` to `last`, ascending.
ThStatus th_dat_ids(ThDat *dat, uint32_t first, uint32_t last, uint32_t *ids, uint32_t capacity, uint32_t *count);

// The bytes of a record.
ThStatus th_dat_read(ThDat *dat, uint32_t id, uint8_t *bytes, uint32_t capacity, uint32_t *count);

// Stores a record, in place of the one that is there. The bytes must be a record of the kind that the id says. An
// interrupted write never damages the file.
ThStatus th_dat_put(ThDat *dat, uint32_t id, const uint8_t *bytes, uint32_t count);

// Removes a record.
ThStatus th_dat_remove(ThDat *dat, uint32_t id);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* THRESHOLD_H */
