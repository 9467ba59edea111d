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

// A number that stands for none where 0 means the first.
#define TH_NONE 4294967295

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

// What became of an update.
typedef enum {
    // It was taken over.
    TH_APPLIED_DONE = 0,
    // A newer one came before it, or it is about a life that is over.
    TH_APPLIED_STALE = 1,
    // It waits for the description of its object, or for the own player to be named.
    TH_APPLIED_QUEUED = 2,
    // The message is about nothing that a world has.
    TH_APPLIED_NOTHING = 3,
} ThApplied;

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
    // A server described `entity`, which is there from now on.
    TH_EVENT_KIND_CREATED = 20,
    // The described object with game id `to` is gone.
    TH_EVENT_KIND_DELETED = 21,
    // `entity` looks different.
    TH_EVENT_KIND_REDRESSED = 22,
    // `entity` plays the script `to`, a record, or of type `to` when `flags` are 1.
    TH_EVENT_KIND_SCRIPT = 23,
    // `entity` makes the noise `to`.
    TH_EVENT_KIND_SOUND = 24,
    // A server described `entity` in a cell that the data files do not have: `position`.
    TH_EVENT_KIND_NO_SUCH_PLACE = 25,
    // Updates wait for a description of game id `to`: the server is to be asked for it.
    TH_EVENT_KIND_DESCRIPTION_WANTED = 26,
    // `flags` updates of game id `to` that waited were dropped.
    TH_EVENT_KIND_UPDATES_DROPPED = 27,
    // An update of game id `to` that had waited was refused; the event has a text.
    TH_EVENT_KIND_UPDATE_REFUSED = 28,
    // The motion `to` of `entity` is over; `flags` are 1 when it was not cut short.
    TH_EVENT_KIND_MOTION_DONE = 29,
    // A hook of an animation of `entity` was run, such as a footstep; the event has a text.
    TH_EVENT_KIND_HOOK_RUN = 30,
    // `entity` has ended its way; `flags` say why, 0 when nothing was left to do.
    TH_EVENT_KIND_MOVE_TO_ENDED = 31,
    // `entity` could not follow the positions that a server reported, and was put at the last of them; `position` is where
    // it had come to.
    TH_EVENT_KIND_GAVE_UP_FOLLOWING = 32,
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

// What came of a search for a way.
typedef enum {
    // There is a way.
    TH_ROUTE_END_REACHED = 0,
    // A body cannot stand where the way begins.
    TH_ROUTE_END_NO_ROOM_AT_START = 1,
    // A body cannot stand where the way ends.
    TH_ROUTE_END_NO_ROOM_AT_GOAL = 2,
    // One can stand at the start, and go nowhere.
    TH_ROUTE_END_START_CUT_OFF = 3,
    // One can stand at the goal, and nobody comes there.
    TH_ROUTE_END_GOAL_CUT_OFF = 4,
    // What can be reached ends before the goal.
    TH_ROUTE_END_REGION_ENDS = 5,
    // The search was given up.
    TH_ROUTE_END_GAVE_UP = 6,
} ThRouteEnd;

// What a region of the picture belongs to.
typedef enum {
    // The whole picture.
    TH_OPENING_SCREEN = 0,
    // A portal of an interior cell.
    TH_OPENING_PORTAL = 1,
    // An opening of a building, seen from outdoors.
    TH_OPENING_BUILDING = 2,
} ThOpening;

// Operations of a plan, in the order of drawing. A renderer may batch, but moves nothing across a punch, seal, depth
// clear, flush or shell.
typedef enum {
    // Clear colour and depth.
    TH_STEP_KIND_BEGIN_FRAME = 0,
    // Lights from here on: `index` is 0 for sun and sky, 1 for the lights of interior cells.
    TH_STEP_KIND_LIGHTS = 1,
    // The outdoors begin, seen through the regions.
    TH_STEP_KIND_LANDSCAPE = 2,
    // The sky, without depth.
    TH_STEP_KIND_SKY = 3,
    // Ground of the block of `cell`: `index` cells along a side, `count` is column × side + row.
    TH_STEP_KIND_TERRAIN = 4,
    // Building `index` of the block of land cell `cell` begins.
    TH_STEP_KIND_BUILDING_BEGIN = 5,
    // Write the greatest depth where the opening is; one region.
    TH_STEP_KIND_PUNCH = 6,
    // The interior cells seen through an opening begin, with `cell`.
    TH_STEP_KIND_FLOOD_BEGIN = 7,
    // The mesh of an interior cell.
    TH_STEP_KIND_CELL = 8,
    // Objects of a cell, far to near: `count` parts from `index` on.
    TH_STEP_KIND_OBJECTS = 9,
    // The interior cells seen through an opening end.
    TH_STEP_KIND_FLOOD_END = 10,
    // The shell of building `index` of the block of land cell `cell`.
    TH_STEP_KIND_BUILDING_SHELL = 11,
    // Draw transparent things that were put off.
    TH_STEP_KIND_FLUSH_ALPHA = 12,
    // What was drawn may be drawn once more.
    TH_STEP_KIND_ADVANCE_STAMP = 13,
    // Clear depth, never colour.
    TH_STEP_KIND_CLEAR_DEPTH = 14,
    // Write the opening's own depth where it is; one region.
    TH_STEP_KIND_SEAL = 15,
    // Rain and snow.
    TH_STEP_KIND_WEATHER = 16,
    // The picture is complete.
    TH_STEP_KIND_END_FRAME = 17,
} ThStepKind;

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

// What an object is to do.
typedef enum {
    // It does the commands from now on.
    TH_ORDER_STATE = 0,
    // It goes to the object `target`, or to `to` if that is not known.
    TH_ORDER_MOVE_TO_OBJECT = 6,
    // It goes to `to`.
    TH_ORDER_MOVE_TO_POSITION = 7,
    // It turns towards the object `target`, or to `heading` if that is not known.
    TH_ORDER_TURN_TO_OBJECT = 8,
    // It turns to `heading`.
    TH_ORDER_TURN_TO_HEADING = 9,
} ThOrder;

// What the place of a camera means.
typedef enum {
    // Somebody stands there: the eye is carried up to eye height, as far as there is room.
    TH_SEAT_FEET = 0,
    // The eye is exactly there, in exactly that cell.
    TH_SEAT_EYE = 1,
} ThSeat;

// Kinds of updates. Every one uses `guid`; but for TH_UPDATE_KIND_OWN_PLAYER, TELEPORT, SCRIPT and SOUND also `instance`.
typedef enum {
    // The recipient's own player is this object.
    TH_UPDATE_KIND_OWN_PLAYER = 0,
    // The object is gone.
    TH_UPDATE_KIND_DELETE = 1,
    // The object is at `position`: `contact`, `placement`, `stamp` (of positions), `teleport`, `force_position`.
    TH_UPDATE_KIND_POSITION = 2,
    // The object has the state word `value`: `stamp` (of states).
    TH_UPDATE_KIND_STATE = 3,
    // The object has `velocity` and `omega`: `stamp` (of vectors).
    TH_UPDATE_KIND_VECTOR = 4,
    // The object is held by `parent` at `location`: `placement`, `stamp` (of positions); `instance` is the holder's.
    TH_UPDATE_KIND_PARENT = 5,
    // The object is taken out of the world, into a container: `stamp` (of positions).
    TH_UPDATE_KIND_PICKUP = 6,
    // The object plays the script `value`, a record.
    TH_UPDATE_KIND_SCRIPT = 7,
    // The object plays the script that its table has for type `value` and intensity `amount`.
    TH_UPDATE_KIND_SCRIPT_TYPE = 8,
    // The object makes the noise `value`, as loud as `amount`.
    TH_UPDATE_KIND_SOUND = 9,
    // The own player is about to be teleported: `teleport` is that of the position which will follow.
    TH_UPDATE_KIND_TELEPORT = 10,
} ThUpdateKind;

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

// One aspect of an object, as a server says it.
typedef struct {
    // One of ThUpdateKind.
    uint32_t kind;
    // The object's game id.
    uint32_t guid;
    // Which life of the object it is about.
    uint16_t instance;
    // Sequence number of the aspect.
    uint16_t stamp;
    // Sequence number of teleports.
    uint16_t teleport;
    // Sequence number of positions that a player must take.
    uint16_t force_position;
    // Where.
    ThPosition position;
    // Metres per second.
    ThVec3 velocity;
    // Radians per second.
    ThVec3 omega;
    // What the kind says.
    uint32_t value;
    // What the kind says.
    float amount;
    // 1 when it stands on something.
    uint32_t contact;
    // The holder's game id.
    uint32_t parent;
    // Which place of the holder's setup.
    uint32_t location;
    // Placement frame.
    uint32_t placement;
} ThUpdate;

// How an object moves, as a server says it. Commands are named by the low half of their ids. An object without a motion
// table does nothing.
typedef struct {
    // One of ThOrder.
    uint32_t order;
    // The object's game id.
    uint32_t guid;
    // Which life of the object it is about.
    uint16_t instance;
    // Sequence number of movements.
    uint16_t stamp;
    // Sequence number of the server's orders to move.
    uint16_t server_control;
    // Style; 0 for that of peace.
    uint16_t style;
    // Forward or another substate; 0 for standing.
    uint16_t forward;
    // To the right; 0 for none.
    uint16_t side;
    // Clockwise; 0 for none.
    uint16_t turn;
    // Keeps the size the same everywhere.
    uint16_t reserved;
    // Speed of the forward command; 0 for 1.
    float forward_speed;
    // Negative to the left; 0 for 1.
    float side_speed;
    // Negative counter-clockwise; 0 for 1.
    float turn_speed;
    // Game id of an object to stick to; 0 for none.
    uint32_t sticky;
    // 1 when its own player decided it.
    uint32_t autonomous;
    // Game id of the target.
    uint32_t target;
    // Where to.
    ThPosition to;
    // Bits of the game that say how; 0 for the usual ones.
    uint32_t bits;
    // Near enough, in metres; 0 for 0.6.
    float distance;
    // Degrees clockwise from north.
    float heading;
    // Speed of the way; 0 for 1.
    float speed;
    // Run rate from now on; 0 for 1.
    float run_rate;
} ThMovement;

// Everything about an object, as a server says it.
typedef struct {
    // The object's game id.
    uint32_t guid;
    // 1 to make it anew even if one with its id is known, else 0.
    uint32_t anew;
    // Setup; 0 for none.
    uint32_t setup;
    // Motion table; 0 for none.
    uint32_t motion_table;
    // Sound table; 0 for none.
    uint32_t sound_table;
    // Script table; 0 for none.
    uint32_t script_table;
    // State word.
    uint32_t state;
    // Placement frame.
    uint32_t placement;
    // Where it is; cell 0 for what is in a container or held.
    ThPosition position;
    // Metres per second.
    ThVec3 velocity;
    // Radians per second.
    ThVec3 omega;
    // Size; 0 for full size.
    float scale;
    // Slowing on the ground; 0 for the usual 0.95.
    float friction;
    // Bounce; 0 for the usual 0.05.
    float elasticity;
    // 0 opaque to 1 invisible.
    float translucency;
    // Number of its class.
    uint32_t class_id;
    // Kind of item, as bits: 0x10 lives.
    uint32_t item_type;
    // What it is, as bits of the game: 8 a player, 0x1000 a door, 0x40000 a portal.
    uint32_t description;
    // Metres from which it can be used; 0 for not said.
    float use_radius;
    // What it is in; 0 for nothing.
    uint32_t container;
    // Who wields it; 0 for nobody.
    uint32_t wielder;
    // What holds it; 0 for nothing.
    uint32_t parent;
    // Which place of the holder's setup.
    uint32_t location;
    // Sequence numbers: positions, movements, states, vectors, teleports, server control, forced positions, appearances,
    // lives.
    uint16_t stamps[9];
    // Keeps the size the same everywhere.
    uint16_t reserved;
} ThDescription;

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

// What one may do on the way. Where a policy is asked for, null means: open doors, fall six metres, wade, and prove the
// way. Portals are gone around.
typedef struct {
    // 0 opens closed doors, 1 goes only through those that stand open.
    uint32_t leaves_doors_shut;
    // 0 goes through water, 1 stays dry.
    uint32_t stays_dry;
    // The deepest fall, in metres.
    float max_drop;
    // 0 has a body walk the way, 1 does without, which is faster.
    uint32_t unproved;
    // 0 goes around portals, 1 takes them; those who are not players pass them.
    uint32_t takes_portals;
} ThPathPolicy;

// A way, or where it would end.
typedef struct {
    // Whether there is a way, and if not, why.
    ThRouteEnd end;
    // 1 when a body has walked every leg of it.
    uint32_t is_proved;
    // Metres, seen from above.
    float length;
    // Number of waypoints: the start, the ends of the legs, the goal.
    uint32_t waypoints;
    // Number of closed doors on the way.
    uint32_t doors;
    // Number of cells that it passes.
    uint32_t cells;
    // Number of portals that it takes.
    uint32_t portals;
    // Without a way: the place nearest to the goal that can be reached.
    ThPosition nearest;
    // Without a way: metres from there to the goal, seen from above.
    float gap;
} ThRoute;

// A portal that a way takes.
typedef struct {
    // Its game id.
    uint32_t portal;
    // Number of the waypoint that lies in the portal; the next one is where it leads.
    uint32_t waypoint;
} ThPassage;

// Where a picture is taken from: by the eye of a player, or from a place when the player is 0.
typedef struct {
    // The player, as `th_spawn_player` made it.
    ThEntity player;
    // The place, and facing where. Its cell must be loaded.
    ThPosition place;
    // One of ThSeat.
    uint32_t seat;
    // Degrees up from where the place faces; 0 keeps its rotation as it is.
    float pitch;
    // Vertical field of view in degrees; 0 for 60.
    float field_of_view;
    // Width of the picture in pixels, up to 8192.
    uint32_t width;
    // Height of the picture in pixels, up to 8192.
    uint32_t height;
    // Part of a day after noon, -0.5 to 0.5; only pictures ask for it.
    float after_noon;
} ThCamera;

// What a plan shows, and how long its arrays are.
typedef struct {
    // The cell that the eye is in; 0 for none, and then nothing of the world is seen.
    uint32_t viewer_cell;
    // First region through which the outdoors are seen.
    uint32_t first_region;
    // How many there are; 0 when the outdoors are not seen.
    uint32_t region_count;
    // Length of the array of `th_plan_cells`.
    uint32_t cells;
    // Length of the array of `th_plan_regions`.
    uint32_t regions;
    // Length of the array of `th_plan_points`.
    uint32_t points;
    // Length of the array of `th_plan_steps`.
    uint32_t steps;
    // Length of the array of `th_plan_parts`.
    uint32_t parts;
} ThPlanInfo;

// An interior cell that is seen. A cell stands before those that are seen through it; one that is seen into through
// several openings of buildings comes several times.
typedef struct {
    // The cell.
    uint32_t cell;
    // Metres to the farthest corner of the openings that it is seen through; 0 for the first one.
    float distance;
    // First region that it is seen through.
    uint32_t first_region;
    // How many there are.
    uint32_t region_count;
    // The land cell of the building whose opening is looked into from outdoors; 0 when the eye itself is inside.
    uint32_t building;
} ThPlanCell;

// A convex region of the picture, counter-clockwise as seen, through which something is seen.
typedef struct {
    // Its first corner.
    uint32_t first_point;
    // How many corners it has.
    uint32_t point_count;
    // The opening.
    ThOpening opening;
    // The cell of the portal, or the land cell of the building.
    uint32_t cell;
    // Number of the opening in the list of the cell or building.
    uint32_t portal;
} ThPlanRegion;

// A point of a picture in pixels: x right, y down.
typedef struct {
    // Right.
    float x;
    // Down.
    float y;
} ThPoint;

// One operation of a plan.
typedef struct {
    // What to do.
    ThStepKind kind;
    // With which cell; 0 for none.
    uint32_t cell;
    // First region that it is seen through.
    uint32_t first_region;
    // How many there are.
    uint32_t region_count;
    // What ThStepKind says.
    uint32_t index;
    // What ThStepKind says.
    uint32_t count;
} ThPlanStep;

// A part of an object that is drawn.
typedef struct {
    // The object.
    ThEntity entity;
    // Number of the part in its setup.
    uint32_t part;
    // Metres by which it was sorted.
    float distance;
} ThPlanPart;

// A block from above, and what is around it.
typedef struct {
    // The block, such as 0xA9B4.
    uint32_t block;
    // Also this many blocks in every direction, up to 16.
    uint32_t around;
    // Pixels along the longer side, 16 to 8192; 0 for 1024.
    uint32_t pixels;
    // 1 to leave out everything above `cut`, 0 to draw everything.
    uint32_t has_cut;
    // Height in metres, to look into lower floors.
    float cut;
    // Only this part, in metres from the block's south-west corner; all zeros for all of the block, or of a dungeon's
    // rooms.
    float west;
    // South edge.
    float south;
    // East edge.
    float east;
    // North edge.
    float north;
} ThTile;

// Size of a picture.
typedef struct {
    // Pixels from left to right.
    uint32_t width;
    // Pixels from top to bottom.
    uint32_t height;
} ThSize;

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

// Applies what a server says of one aspect of an object, with the original's sequence numbers; it acts in the next tick.
// `applied` may be null.
ThStatus th_apply(ThWorld *world,
                  const ThUpdate *update,
                  ThApplied *applied);

// Applies what a server says of the movement of an object. `applied` may be null.
ThStatus th_apply_movement(ThWorld *world, const ThMovement *movement, ThApplied *applied);

// Applies a server's description of an object, which is made or described again. `name` is UTF-8 and may be null with a
// length of 0; `applied` may be null.
ThStatus th_describe(ThWorld *world,
                     const ThDescription *object,
                     const uint8_t *name,
                     uint32_t name_length,
                     ThApplied *applied);

// Applies a server's message as it comes out of its fragments, its opcode first. `applied` may be null; it is
// TH_APPLIED_NOTHING for messages about other things than objects.
ThStatus th_apply_message(ThWorld *world, const uint8_t *bytes, uint32_t count, ThApplied *applied);

// Holds back everything that a server says until it has named the own player, as the original's client does.
ThStatus th_await_own_player(ThWorld *world);

// The own player's game id. TH_STATUS_NOT_FOUND until it is named.
ThStatus th_own_player(ThWorld *world, uint32_t *guid);

// Forgets everything that a server has said, and takes out the objects that it described: the connection is over.
ThStatus th_forget_server(ThWorld *world);

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

// Finds the shortest way that a body has walked. The world keeps it until the next one is asked for; the functions below
// copy its arrays out. Only what is loaded is searched. `walker` and `policy` may be null.
ThStatus th_find_path(ThWorld *world,
                      const ThWalker *who,
                      const ThPosition *from,
                      const ThPosition *to,
                      const ThPathPolicy *policy,
                      ThRoute *route);

// Where the legs of the last route end, the start first and the goal last. Empty when there was no way.
ThStatus th_route_waypoints(ThWorld *world, ThPosition *waypoints, uint32_t capacity, uint32_t *count);

// Game ids of the closed doors on the last route, in order.
ThStatus th_route_doors(ThWorld *world, uint32_t *doors, uint32_t capacity, uint32_t *count);

// Cells that the last route passes, in order.
ThStatus th_route_cells(ThWorld *world, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Portals that the last route takes, in order.
ThStatus th_route_portals(ThWorld *world, ThPassage *portals, uint32_t capacity, uint32_t *count);

// Plans a frame: which cells are seen through which regions of the picture, and in which order everything is drawn. The
// world keeps the plan until the next one; the functions below copy its arrays out. `info` may not be null.
ThStatus th_plan(ThWorld *world, const ThCamera *camera, ThPlanInfo *info);

// Interior cells that are seen, of the last plan.
ThStatus th_plan_cells(ThWorld *world, ThPlanCell *cells, uint32_t capacity, uint32_t *count);

// Regions of the picture, of the last plan.
ThStatus th_plan_regions(ThWorld *world, ThPlanRegion *regions, uint32_t capacity, uint32_t *count);

// Corners of the regions, of the last plan.
ThStatus th_plan_points(ThWorld *world, ThPoint *points, uint32_t capacity, uint32_t *count);

// What is drawn, in order, of the last plan.
ThStatus th_plan_steps(ThWorld *world, ThPlanStep *steps, uint32_t capacity, uint32_t *count);

// Parts of objects that are drawn, of the last plan.
ThStatus th_plan_parts(ThWorld *world, ThPlanPart *parts, uint32_t capacity, uint32_t *count);

// Draws what a camera sees, on the processor: the same picture on every machine. Four bytes per pixel, red, green, blue
// and 255, rows from the top down: width × height × 4. The first picture of a world takes longer, as fires are lit for it.
ThStatus th_render(ThWorld *world,
                   const ThCamera *camera,
                   uint8_t *rgba,
                   uint32_t capacity,
                   uint32_t *count);

// Draws a block from above: terrain, water, roads, buildings, floor plans. Four bytes per pixel as of `th_render`, north up;
// `size` is written even when the buffer is too small. What is loaded does not matter.
ThStatus th_map_tile(ThWorld *world,
                     const ThTile *asked,
                     ThSize *size,
                     uint8_t *rgba,
                     uint32_t capacity,
                     uint32_t *count);

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

// Checks rows of ACE-World SQL against a world: where they put objects, and of which classes. Writes one line per
// finding, `sql:LINE: PROBLEM: …`, UTF-8 without a zero at the end; no line when all is well. Classes are looked up in the
// same text.
ThStatus th_check_instances(ThWorld *world,
                            const uint8_t *sql,
                            uint32_t length,
                            uint8_t *findings,
                            uint32_t capacity,
                            uint32_t *count);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* THRESHOLD_H */
