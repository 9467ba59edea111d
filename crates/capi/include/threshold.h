/*
 * libthreshold: the cell world of Asheron's Call for C and every language that can call C.
 *
 * Generated from crates/capi; do not edit.
 *
 * Rules for all functions:
 *
 * - A function returns TH_STATUS_OK or an error status, which `th_error` explains. Results are written
 *   only on success, unless the function says otherwise.
 * - A handle (ThWorld, ThDat) is opaque. Null, closed and invalid handles are refused. Use a world from one thread at a
 *   time; a call made while another thread uses it returns TH_STATUS_BUSY. Several worlds may be used in parallel.
 * - A pointer is null or points to memory that the caller owns during the call; it need not be aligned.
 *   Null is refused unless the function says that it is optional. No pointer is kept after the call.
 * - Lengths and counts have 32 bits and count elements. Texts are UTF-8 with a length and need no zero at the end.
 * - Results of variable length are written to the caller's buffer: pass null and a capacity of 0 to get the count, then call
 *   again. A buffer that is too small is left unchanged; the call returns TH_STATUS_TOO_SMALL and the count.
 * - Structs are plain; set what you do not use to zero.
 * - Metres, seconds, degrees. Coordinates are those of a landblock: x east, y north, z up, from its south-west corner.
 */

#ifndef THRESHOLD_H
#define THRESHOLD_H

#include <stddef.h>
#include <stdint.h>

// Version of this interface: changes whenever a program built with an older header could break.
#define TH_ABI 1

// Means none where 0 means the first.
#define TH_NONE 4294967295

// Result of a call. After anything but TH_STATUS_OK, `th_error` explains it, and nothing was changed or
// written unless the function says so.
typedef enum {
    // Success.
    TH_STATUS_OK = 0,
    // A required pointer is null.
    TH_STATUS_NULL_POINTER = 1,
    // The handle is closed or invalid.
    TH_STATUS_CLOSED = 2,
    // Another thread is using this handle.
    TH_STATUS_BUSY = 3,
    // The buffer is too small; the required count was written.
    TH_STATUS_TOO_SMALL = 4,
    // An argument is invalid: NaN, not on the map, not UTF-8, a wrong length.
    TH_STATUS_BAD_ARGUMENT = 5,
    // There is no such object, cell, block, record or name.
    TH_STATUS_NOT_FOUND = 6,
    // The object cannot do that: it is not a player, cannot walk, or is carried by another.
    TH_STATUS_NOT_POSSIBLE = 7,
    // A file cannot be read or written, or its contents cannot be used.
    TH_STATUS_DATA = 8,
    // Too many handles are open.
    TH_STATUS_TOO_MANY = 9,
    // Internal error of the library. The world in use then accepts nothing but being closed.
    TH_STATUS_INTERNAL = 10,
} ThStatus;

// Result of a placement.
typedef enum {
    // The object was placed.
    TH_PLACEMENT_PLACED = 0,
    // There is no room.
    TH_PLACEMENT_NO_ROOM = 1,
    // There is no cell.
    TH_PLACEMENT_NO_CELL = 2,
    // There is no room because of a reported collision.
    TH_PLACEMENT_COLLIDED = 3,
} ThPlacement;

// State of a door.
typedef enum {
    // The object is not a door.
    TH_DOOR_NONE = 0,
    // It is closed.
    TH_DOOR_CLOSED = 1,
    // It is open.
    TH_DOOR_OPEN = 2,
    // It stays open because something is in the way. Only `th_use` returns this.
    TH_DOOR_BLOCKED = 3,
} ThDoor;

// The result of an update.
typedef enum {
    // It was applied.
    TH_APPLIED_DONE = 0,
    // It is older than one that was already applied, or belongs to an earlier instance of the object.
    TH_APPLIED_STALE = 1,
    // It waits for the description of its object, or for the own player to be named.
    TH_APPLIED_QUEUED = 2,
    // The message does not concern the world.
    TH_APPLIED_NOTHING = 3,
} ThApplied;

// Kinds of events. The meaning of the other fields of a ThEvent depends on the kind.
typedef enum {
    // An event that this version of the interface does not know; see its text.
    TH_EVENT_KIND_OTHER = 0,
    // `entity` moved from cell `from` to cell `to`; 0 means no loaded cell.
    TH_EVENT_KIND_CELL_CHANGED = 1,
    // `entity` touched `other`, or was touched by it, for the first time: `velocity` is that of the mover relative to what
    // it touched, `flags` describe the other one: 1 alive, 2 a player, 4 attackable, 8 a missile, 0x10 touches
    // ground, 0x20 `entity` itself touches ground, 0x40 a door.
    TH_EVENT_KIND_TOUCHED = 2,
    // `entity` no longer touches `other`.
    TH_EVENT_KIND_SEPARATED = 3,
    // `entity` hit walls, ground or another static with `velocity`; `flags` are 1 when it touched
    // ground before.
    TH_EVENT_KIND_HIT_ENVIRONMENT = 4,
    // `entity` left walkable ground.
    TH_EVENT_KIND_LEFT_GROUND = 5,
    // `entity` reached walkable ground.
    TH_EVENT_KIND_HIT_GROUND = 6,
    // `entity` is no longer in any loaded cell.
    TH_EVENT_KIND_LOST = 7,
    // The cell that `entity` waited for has been loaded.
    TH_EVENT_KIND_FOUND = 8,
    // The door `entity` opened.
    TH_EVENT_KIND_DOOR_OPENED = 9,
    // The door `entity` closed.
    TH_EVENT_KIND_DOOR_CLOSED = 10,
    // The door `entity` cannot close because something is in the way.
    TH_EVENT_KIND_DOOR_BLOCKED = 11,
    // The player `entity` started to teleport; `other` is the portal, if there is one.
    TH_EVENT_KIND_DEPARTED = 12,
    // The player `entity` arrived at `position`.
    TH_EVENT_KIND_ARRIVED = 13,
    // There was no room for the player `entity` at `position`, or no such cell.
    TH_EVENT_KIND_NO_ROOM = 14,
    // The player `entity` fell out of the world and was put back.
    TH_EVENT_KIND_RESCUED = 15,
    // The land of block `to` has been loaded.
    TH_EVENT_KIND_BLOCK_LOADED = 16,
    // The land of block `to` has been unloaded.
    TH_EVENT_KIND_BLOCK_UNLOADED = 17,
    // Data cannot be used, or cannot be read at the moment; the event has a text.
    TH_EVENT_KIND_PROBLEM = 18,
    // The missile `entity` hit `other`; `flags` say where, as seen by the target: 1 high, 2 middle, 4 low, 8 left, 0x10
    // right, 0x20 front, 0x40 back.
    TH_EVENT_KIND_MISSILE_HIT = 19,
    // A server described `entity`, which now exists.
    TH_EVENT_KIND_CREATED = 20,
    // The described object with game id `to` was removed.
    TH_EVENT_KIND_DELETED = 21,
    // The appearance of `entity` changed.
    TH_EVENT_KIND_REDRESSED = 22,
    // `entity` plays the script `to`, a record, or of type `to` when `flags` are 1.
    TH_EVENT_KIND_SCRIPT = 23,
    // `entity` plays the sound `to`.
    TH_EVENT_KIND_SOUND = 24,
    // A server described `entity` in a cell that the data files do not have: `position`.
    TH_EVENT_KIND_NO_SUCH_PLACE = 25,
    // Updates wait for a description of game id `to`: ask the server for it.
    TH_EVENT_KIND_DESCRIPTION_WANTED = 26,
    // `flags` updates of game id `to` that waited were dropped.
    TH_EVENT_KIND_UPDATES_DROPPED = 27,
    // An update of game id `to` that had waited was refused; the event has a text.
    TH_EVENT_KIND_UPDATE_REFUSED = 28,
    // The motion `to` of `entity` ended; `flags` are 1 when it was not cut short.
    TH_EVENT_KIND_MOTION_DONE = 29,
    // An animation hook of `entity` ran, such as a footstep; the event has a text.
    TH_EVENT_KIND_HOOK_RUN = 30,
    // A move-to of `entity` ended; `flags` say why, 0 for success.
    TH_EVENT_KIND_MOVE_TO_ENDED = 31,
    // `entity` could not follow the positions that a server reported, and was moved to the last of them; `position` is where
    // it was before.
    TH_EVENT_KIND_GAVE_UP_FOLLOWING = 32,
    // `entity`, on its way to a place, has found a route and sets out.
    TH_EVENT_KIND_SET_OUT = 33,
    // `entity` reached the place it was on its way to: `position`.
    TH_EVENT_KIND_CAME_TO = 34,
    // `entity` stopped on its way, at `position`.
    TH_EVENT_KIND_GAVE_UP_GOING = 35,
} ThEventKind;

// Kinds of obstacles.
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

// Why a path cannot be walked.
typedef enum {
    // Every leg was completed.
    TH_STOP_NONE = 0,
    // There is no room or no ground at the start of the path.
    TH_STOP_NO_ROOM = 1,
    // Something is in the way.
    TH_STOP_BLOCKED = 2,
    // The end of the leg was reached, but above or below it.
    TH_STOP_OTHER_LEVEL = 3,
    // The body left the loaded world.
    TH_STOP_LOST = 4,
    // The path takes longer than an hour.
    TH_STOP_TOO_LONG = 5,
} ThStop;

// How a jump ended.
typedef enum {
    // On walkable ground.
    TH_JUMP_END_LANDED = 0,
    // The body could not take off: no room, or no ground.
    TH_JUMP_END_NO_FOOTING = 1,
    // Outside the loaded world.
    TH_JUMP_END_LOST = 2,
    // It was still in the air after half a minute, or stuck between walls.
    TH_JUMP_END_STUCK = 3,
} ThJumpEnd;

// The result of a search for a route.
typedef enum {
    // There is a route.
    TH_ROUTE_END_REACHED = 0,
    // There is no room to stand at the start.
    TH_ROUTE_END_NO_ROOM_AT_START = 1,
    // There is no room to stand at the goal.
    TH_ROUTE_END_NO_ROOM_AT_GOAL = 2,
    // The start is cut off.
    TH_ROUTE_END_START_CUT_OFF = 3,
    // The goal is cut off.
    TH_ROUTE_END_GOAL_CUT_OFF = 4,
    // The reachable region ends before the goal.
    TH_ROUTE_END_REGION_ENDS = 5,
    // The search took too long.
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

// Operations of a plan, in drawing order. A renderer may batch, but must not move anything across a punch, seal, depth
// clear, flush or shell.
typedef enum {
    // Clear colour and depth.
    TH_STEP_KIND_BEGIN_FRAME = 0,
    // Select the lights: `index` is 0 for sun and sky, 1 for the lights of interior cells.
    TH_STEP_KIND_LIGHTS = 1,
    // The outdoors begins, visible in the regions.
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
    // Draw the deferred transparent parts.
    TH_STEP_KIND_FLUSH_ALPHA = 12,
    // Parts that were drawn may be drawn again.
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
    // Everything that can be pointed at, including open doors and creatures.
    TH_BLOCKERS_EVERYTHING = 0,
    // Objects that block the view between two creatures: not living or ethereal ones, such as open doors.
    TH_BLOCKERS_SOLID = 1,
    // No objects, only walls, shells and the ground.
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

// Held keys; combine them with OR.
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
    // Charge a jump; releasing the key jumps.
    TH_CONTROL_JUMP = 128,
} ThControl;

// Which parts of a world are loaded.
typedef enum {
    // A small world completely, a large one around its observers.
    TH_RESIDENCY_AUTOMATIC = 0,
    // Everything, from the start.
    TH_RESIDENCY_WHOLE = 1,
    // What observers need: players, and the observers of `th_load_block` and `th_load_around`.
    TH_RESIDENCY_OBSERVED = 2,
} ThResidency;

// Properties of an object in the game; combine them with OR.
typedef enum {
    // A player that the caller moves; `th_spawn_player` makes one that is controlled by keys.
    TH_ROLE_PLAYER = 1,
    // A living object.
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

// How a sphere reacts to obstacles.
typedef enum {
    // Stops at the first obstacle; passes through living and ethereal objects.
    TH_SPHERE_KIND_CAMERA = 0,
    // Stops at the first obstacle, including creatures.
    TH_SPHERE_KIND_MISSILE = 1,
    // Slides along obstacles.
    TH_SPHERE_KIND_SLIDE = 2,
} ThSphereKind;

// Kinds of movement orders.
typedef enum {
    // It performs the commands until the next order.
    TH_ORDER_STATE = 0,
    // It moves to the object `target`, or to `to` if that is not known.
    TH_ORDER_MOVE_TO_OBJECT = 6,
    // It moves to `to`.
    TH_ORDER_MOVE_TO_POSITION = 7,
    // It turns towards the object `target`, or to `heading` if that is not known.
    TH_ORDER_TURN_TO_OBJECT = 8,
    // It turns to `heading`.
    TH_ORDER_TURN_TO_HEADING = 9,
} ThOrder;

// What the place of a camera means.
typedef enum {
    // The feet of a viewer: the eye is raised to eye height, as far as there is room.
    TH_SEAT_FEET = 0,
    // The eye is exactly there, in exactly that cell.
    TH_SEAT_EYE = 1,
} ThSeat;

// Kinds of updates. All use `guid`; all except TH_UPDATE_KIND_OWN_PLAYER, TELEPORT, SCRIPT and SOUND also use `instance`.
typedef enum {
    // The recipient's own player is this object.
    TH_UPDATE_KIND_OWN_PLAYER = 0,
    // The object is deleted.
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
    // The object plays the sound `value` at volume `amount`.
    TH_UPDATE_KIND_SOUND = 9,
    // The own player is about to be teleported: `teleport` is the number of the position that will follow.
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

// A rotation. All zeros mean no rotation: upright, facing north.
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
    // Its rotation.
    ThQuat rotation;
} ThPosition;

// Parameters for spawning an object.
typedef struct {
    // Game id, which must not be in use; 0 for none.
    uint32_t guid;
    // Setup or GfxObj.
    uint32_t setup;
    // Its exact position.
    ThPosition position;
    // State word of the game.
    uint32_t state;
    // Scale; 0 means 1.
    float scale;
    // A combination of ThRole.
    uint32_t role;
} ThSpawn;

// The id of an object in a world; 0 means none. The id of a removed object is never reused.
typedef uint64_t ThEntity;

// Skills of a body.
typedef struct {
    // Run skill.
    uint32_t run;
    // Jump skill.
    uint32_t jump;
    // Burden as a fraction of capacity: below 1 it does not reduce the skills, from 2 on they count as 0.
    float burden;
} ThSkills;

// The current state of an object.
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
    // State of the door, if it is one.
    ThDoor door;
    // Height in metres.
    float height;
    // Radius in metres.
    float radius;
} ThEntityInfo;

// A server's update of one aspect of an object.
typedef struct {
    // One of ThUpdateKind.
    uint32_t kind;
    // The object's game id.
    uint32_t guid;
    // Instance number of the object.
    uint16_t instance;
    // Sequence number of the aspect.
    uint16_t stamp;
    // Sequence number of teleports.
    uint16_t teleport;
    // Sequence number of forced positions.
    uint16_t force_position;
    // Where.
    ThPosition position;
    // Metres per second.
    ThVec3 velocity;
    // Radians per second.
    ThVec3 omega;
    // Meaning depends on the kind.
    uint32_t value;
    // Meaning depends on the kind.
    float amount;
    // 1 when it touches ground.
    uint32_t contact;
    // The holder's game id.
    uint32_t parent;
    // Holding location of the holder's setup.
    uint32_t location;
    // Placement frame.
    uint32_t placement;
} ThUpdate;

// A server's movement order. Commands are given by the low half of their ids. An object without a motion
// table does nothing.
typedef struct {
    // One of ThOrder.
    uint32_t order;
    // The object's game id.
    uint32_t guid;
    // Instance number of the object.
    uint16_t instance;
    // Sequence number of movements.
    uint16_t stamp;
    // Sequence number of server-controlled movements.
    uint16_t server_control;
    // Style; 0 for the peace style.
    uint16_t style;
    // Forward or another substate; 0 for standing.
    uint16_t forward;
    // To the right; 0 for none.
    uint16_t side;
    // Clockwise; 0 for none.
    uint16_t turn;
    // Padding: keeps the size the same on all platforms.
    uint16_t reserved;
    // Speed of the forward command; 0 for 1.
    float forward_speed;
    // Negative to the left; 0 for 1.
    float side_speed;
    // Negative counter-clockwise; 0 for 1.
    float turn_speed;
    // Game id of an object to stick to; 0 for none.
    uint32_t sticky;
    // 1 when the object's own player decided it.
    uint32_t autonomous;
    // Game id of the target.
    uint32_t target;
    // Where to.
    ThPosition to;
    // Movement parameter bits of the game; 0 for the usual ones.
    uint32_t bits;
    // Distance that counts as arrived, in metres; 0 for 0.6.
    float distance;
    // Degrees clockwise from north.
    float heading;
    // Speed of the movement; 0 for 1.
    float speed;
    // New run rate; 0 for 1.
    float run_rate;
} ThMovement;

// A server's full description of an object.
typedef struct {
    // The object's game id.
    uint32_t guid;
    // 1 to replace an object with the same id, else 0.
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
    // Its position; cell 0 if it is in a container or held.
    ThPosition position;
    // Metres per second.
    ThVec3 velocity;
    // Radians per second.
    ThVec3 omega;
    // Scale; 0 means 1.
    float scale;
    // Friction; 0 for the usual 0.95.
    float friction;
    // Elasticity; 0 for the usual 0.05.
    float elasticity;
    // 0 opaque to 1 invisible.
    float translucency;
    // Number of its class.
    uint32_t class_id;
    // Kind of item, as bits: 0x10 for creatures.
    uint32_t item_type;
    // What it is, as bits of the game: 8 a player, 0x1000 a door, 0x40000 a portal.
    uint32_t description;
    // Metres from which it can be used; 0 if unknown.
    float use_radius;
    // The container it is in; 0 for none.
    uint32_t container;
    // The object that wields it; 0 for none.
    uint32_t wielder;
    // The object that holds it; 0 for none.
    uint32_t parent;
    // Holding location of the holder's setup.
    uint32_t location;
    // Sequence numbers: positions, movements, states, vectors, teleports, server control, forced positions, appearances,
    // instances.
    uint16_t stamps[9];
    // Padding: keeps the size the same on all platforms.
    uint16_t reserved;
} ThDescription;

// An event.
typedef struct {
    // What.
    ThEventKind kind;
    // Number of the event's text among those of this call, from 1; 0 when it has none.
    uint32_t text;
    // The object it is about; 0 for none.
    ThEntity entity;
    // The other object; 0 for none.
    ThEntity other;
    // Cell before; 0 for none.
    uint32_t from;
    // Cell after, or a block; 0 for none.
    uint32_t to;
    // Where.
    ThPosition position;
    // How fast.
    ThVec3 velocity;
    // Details, by kind.
    uint32_t flags;
} ThEvent;

// An obstacle.
typedef struct {
    // Its kind.
    ThTargetKind kind;
    // The cell of a room, shell or ground; 0 for an object.
    uint32_t cell;
    // The object.
    ThEntity entity;
} ThTarget;

// The first thing that a ray hit. The kind of the target is TH_TARGET_KIND_NONE when it hit nothing.
typedef struct {
    // What.
    ThTarget target;
    // Metres from the start of the ray.
    float distance;
    // Where, in the coordinates of the block of `cell`.
    ThVec3 point;
    // The cell that the ray was in.
    uint32_t cell;
    // Padding: keeps the size the same on all platforms.
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

// The two ends of a line of sight.
typedef struct {
    // From here.
    ThSpot from;
    // To there.
    ThSpot to;
} ThSight;

// A sphere to be swept.
typedef struct {
    // Its centre at the start.
    ThPosition from;
    // The target of its centre.
    ThPosition to;
    // Metres: 0.01 to 50.
    float radius;
    // One of ThSphereKind.
    uint32_t kind;
} ThSweep;

// How a sweep ended.
typedef struct {
    // Where it ended, in the cell it was in.
    ThPosition position;
    // 1 when that is a valid position in a loaded cell, else 0.
    uint32_t is_valid;
    // Metres left to the target.
    float remaining;
    // The last obstacle it hit.
    ThTarget target;
    // The surface normal of that obstacle.
    ThVec3 normal;
    // Padding: keeps the size the same on all platforms.
    uint32_t reserved;
} ThSwept;

// A body that walks. Where a walker is optional, null means a running player of average skill.
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
    // Padding: keeps the size the same on all platforms.
    uint32_t reserved;
} ThWalker;

// The result of walking a path.
typedef struct {
    // Where the body was at the end.
    ThPosition end;
    // Number of completed legs; it stopped in the next one.
    uint32_t legs;
    // Why it stopped; TH_STOP_NONE when every leg was completed.
    ThStop stop;
    // The obstacle, if there is one.
    ThTarget blocker;
    // Seconds walked.
    float seconds;
    // Metres walked, seen from above.
    float metres;
    // The deepest fall on the path, in metres.
    float deepest_fall;
    // Padding: keeps the size the same on all platforms.
    uint32_t reserved;
} ThPathReport;

// A path of a batch: a range of an array of legs.
typedef struct {
    // Where it begins.
    ThPosition from;
    // Its first leg in the array.
    uint32_t first_leg;
    // How many legs it has.
    uint32_t leg_count;
} ThPath;

// A jump to simulate.
typedef struct {
    // Start and rotation.
    ThPosition from;
    // Keys that are held at take-off: a combination of ThControl.
    uint32_t keys;
    // Power of the jump, 0…1.
    float power;
} ThJump;

// The result of a jump.
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

// Where to look for a spot: within a distance of a place, or in a cell if that is not 0.
typedef struct {
    // The cell; 0 to look around a place.
    uint32_t cell;
    // The place.
    ThPosition center;
    // How far from it, seen from above.
    float metres;
} ThArea;

// What a route may use. A null policy means: open doors, fall up to six metres, wade, go around portals, and prove the
// route.
typedef struct {
    // 0 opens closed doors, 1 uses only doors that are already open.
    uint32_t leaves_doors_shut;
    // 0 may wade through water, 1 avoids it.
    uint32_t stays_dry;
    // The deepest fall, in metres.
    float max_drop;
    // 0 proves the route by walking it, 1 skips the proof, which is faster.
    uint32_t unproved;
    // 0 goes around portals, 1 takes them. Only players can; others walk through them.
    uint32_t takes_portals;
} ThPathPolicy;

// A route, or how near to the goal one can get.
typedef struct {
    // Whether there is a route, and if not, why.
    ThRouteEnd end;
    // 1 when a body has walked every leg of it.
    uint32_t is_proved;
    // Metres, seen from above.
    float length;
    // Number of waypoints: the start, the ends of the legs, the goal.
    uint32_t waypoints;
    // Number of closed doors on the route.
    uint32_t doors;
    // Number of cells that it passes through.
    uint32_t cells;
    // Number of portals that it takes.
    uint32_t portals;
    // Without a route: the place nearest to the goal that can be reached.
    ThPosition nearest;
    // Without a route: metres from there to the goal, seen from above.
    float gap;
} ThRoute;

// A portal that a route takes.
typedef struct {
    // Its game id.
    uint32_t portal;
    // Number of the waypoint that lies in the portal; the next one is where it leads.
    uint32_t waypoint;
} ThPassage;

// A camera: that of a player, or at a place when the player is 0.
typedef struct {
    // The player, as `th_spawn_player` made it.
    ThEntity player;
    // The place and its rotation. Its cell must be loaded.
    ThPosition place;
    // One of ThSeat.
    uint32_t seat;
    // Degrees up from the direction of the place; 0 keeps its rotation unchanged.
    float pitch;
    // Vertical field of view in degrees; 0 for 60.
    float field_of_view;
    // Width of the picture in pixels, up to 8192.
    uint32_t width;
    // Height of the picture in pixels, up to 8192.
    uint32_t height;
    // Time after noon as a fraction of a day, -0.5 to 0.5; used for pictures only.
    float after_noon;
} ThCamera;

// Summary of a plan, and the lengths of its arrays.
typedef struct {
    // The cell of the eye; 0 for none, and then nothing of the world is visible.
    uint32_t viewer_cell;
    // First region in which the outdoors is visible.
    uint32_t first_region;
    // How many there are; 0 when the outdoors is not visible.
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

// A visible interior cell. A cell precedes those that are seen through it; one that is visible through
// several openings of buildings is listed several times.
typedef struct {
    // The cell.
    uint32_t cell;
    // Metres to the farthest corner of the openings through which it is visible; 0 for the first one.
    float distance;
    // First region in which it is visible.
    uint32_t first_region;
    // How many there are.
    uint32_t region_count;
    // The land cell of the building into which the eye looks from outdoors; 0 when the eye itself is inside.
    uint32_t building;
} ThPlanCell;

// A convex region of the picture, counter-clockwise as seen, in which something is visible.
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
    // First region in which it is visible.
    uint32_t first_region;
    // How many there are.
    uint32_t region_count;
    // Meaning depends on the kind.
    uint32_t index;
    // Meaning depends on the kind.
    uint32_t count;
} ThPlanStep;

// A part of an object that is drawn.
typedef struct {
    // The object.
    ThEntity entity;
    // Number of the part in its setup.
    uint32_t part;
    // Sorting distance in metres.
    float distance;
} ThPlanPart;

// A block from above, and its surroundings.
typedef struct {
    // The block, such as 0xA9B4.
    uint32_t block;
    // Blocks to add in every direction, up to 16.
    uint32_t around;
    // Pixels along the longer side, 16 to 8192; 0 for 1024.
    uint32_t pixels;
    // 1 to omit everything above `cut`, 0 to draw everything.
    uint32_t has_cut;
    // Height of the cut in metres, to show lower floors.
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

// The interface version of this library; compare it with TH_ABI.
uint32_t th_abi(void);

// Why the last call of this thread that did not return TH_STATUS_OK failed, as UTF-8 with a zero at the end. Writes as
// much of it as there is room for; returns its length without the zero.
uint32_t th_error(uint8_t *buffer, uint32_t capacity);

// Opens a folder with `client_portal.dat` and `client_cell_1.dat`. An `entities.json` next to them lists the objects that a server
// would place, a `Locations.txt` names places. `residency` is one of ThResidency.
ThStatus th_open(const uint8_t *folder,
                 uint32_t length,
                 uint32_t residency,
                 ThWorld **world);

// Opens the built-in sample world.
ThStatus th_open_sample(uint32_t residency, ThWorld **world);

// Opens another world of the same data, as it was when first opened. The two share only immutable data,
// so two threads may use them at the same time.
ThStatus th_open_another(ThWorld *world, uint32_t residency, ThWorld **another);

// Closes a world. Its handle is invalid afterwards.
ThStatus th_close(ThWorld *world);

// Ids of the blocks that the data files have, loaded or not, such as 0xA9B4.
ThStatus th_blocks(ThWorld *world, uint32_t *blocks, uint32_t capacity, uint32_t *count);

// Loads a block with all its cells and keeps it until `th_unload` is called with the returned observer. `has_terrain` may
// be null; 0 is written there for a block without land, such as a dungeon's.
ThStatus th_load_block(ThWorld *world,
                       uint32_t block,
                       uint32_t *observer,
                       uint32_t *has_terrain);

// Loads everything visible from a place and keeps it, with the objects there active, until `th_unload` is called with the
// returned observer.
ThStatus th_load_around(ThWorld *world,
                        const ThPosition *place,
                        uint32_t *observer);

// Moves an observer of `th_load_around` to another place, and loads its surroundings.
ThStatus th_move_observer(ThWorld *world, uint32_t observer, const ThPosition *place);

// Removes an observer; blocks that no other observer needs are unloaded.
ThStatus th_unload(ThWorld *world, uint32_t observer);

// The position that a text denotes: a named place, the output of the game's /loc (`0xA9B40019 [84 7.1 94] 1 0 0 0`), or map
// coordinates (`42.1N, 33.6E`), which are on the ground if it is loaded.
ThStatus th_find_place(ThWorld *world,
                       const uint8_t *text,
                       uint32_t length,
                       ThPosition *position);

// Names of the places, one per line, UTF-8 without a zero at the end.
ThStatus th_place_names(ThWorld *world, uint8_t *text, uint32_t capacity, uint32_t *length);

// One tick of a thirtieth of a second.
ThStatus th_tick(ThWorld *world);

// Advances time, by at most an hour: runs as many ticks as are complete, then moves the players' cameras.
ThStatus th_advance(ThWorld *world, double seconds);

// Ticks since the start.
ThStatus th_ticks(ThWorld *world, uint64_t *ticks);

// A hash of everything that can change; the same on every machine.
ThStatus th_state_hash(ThWorld *world, uint64_t *hash);

// Everything that can change, as versioned bytes that can be restored into a world of the same data files,
// in this process or another.
ThStatus th_snapshot(ThWorld *world, uint8_t *bytes, uint32_t capacity, uint32_t *count);

// Restores the state of a snapshot. Bytes that are not a snapshot of these data files are refused; then nothing
// changes except which blocks are loaded.
ThStatus th_restore(ThWorld *world, const uint8_t *bytes, uint32_t count);

// Spawns an object exactly at the given position. If its cell is not loaded, the object waits until it is.
ThStatus th_spawn(ThWorld *world, const ThSpawn *spawn, ThEntity *spawned);

// Spawns a player controlled by keys, after loading the surroundings of the place; the original's search finds a free
// spot for it. `skills` may be null for average skills.
ThStatus th_spawn_player(ThWorld *world, const ThPosition *place, const ThSkills *skills, ThEntity *spawned);

// Removes an object from the world.
ThStatus th_despawn(ThWorld *world, ThEntity object);

// Places an object, using the original's search for a free spot. `placement` may be null.
ThStatus th_place(ThWorld *world, ThEntity object, const ThPosition *place, ThPlacement *placement);

// Teleports a player to a place; it is placed there as soon as the place is loaded. An event reports the result.
ThStatus th_teleport(ThWorld *world, ThEntity player, const ThPosition *place);

// Where an object is.
ThStatus th_position(ThWorld *world, ThEntity object, ThPosition *position);

// The current state of an object.
ThStatus th_entity(ThWorld *world, ThEntity object, ThEntityInfo *info);

// All objects, including scenery and statics, in order of id.
ThStatus th_entities(ThWorld *world, ThEntity *objects, uint32_t capacity, uint32_t *count);

// The object with a game id.
ThStatus th_find(ThWorld *world, uint32_t guid, ThEntity *found);

// The placed object with a name (case-insensitive).
ThStatus th_find_by_name(ThWorld *world, const uint8_t *name, uint32_t length, ThEntity *found);

// Replaces an object's state word, as the game's server does.
ThStatus th_set_state(ThWorld *world, ThEntity object, uint32_t state);

// Replaces an object's velocity, at most 50 m/s.
ThStatus th_set_velocity(ThWorld *world, ThEntity object, const ThVec3 *velocity);

// Sets the keys that a player holds until the next call: a combination of ThControl.
ThStatus th_drive(ThWorld *world, ThEntity player, uint32_t keys);

// Turns a player right, and its camera up, by degrees.
ThStatus th_look(ThWorld *world, ThEntity player, float right, float up);

// Uses an object as a player would: opens a closed door, closes an open one. `door` may be null; it receives the new state of
// the door, TH_DOOR_NONE when the object is not one.
ThStatus th_use(ThWorld *world,
                ThEntity object,
                ThDoor *door);

// Applies a server's update of one aspect of an object, with the original's sequence numbers; it takes effect in the next tick.
// `applied` may be null.
ThStatus th_apply(ThWorld *world,
                  const ThUpdate *update,
                  ThApplied *applied);

// Applies a server's movement order. `applied` may be null.
ThStatus th_apply_movement(ThWorld *world, const ThMovement *movement, ThApplied *applied);

// Applies a server's description of an object, creating or updating it. `name` is UTF-8 and may be null with a
// length of 0; `applied` may be null.
ThStatus th_describe(ThWorld *world,
                     const ThDescription *object,
                     const uint8_t *name,
                     uint32_t name_length,
                     ThApplied *applied);

// Applies a server's message reassembled from its fragments, starting with the opcode. `applied` may be null; it is
// TH_APPLIED_NOTHING for messages that are not about objects.
ThStatus th_apply_message(ThWorld *world, const uint8_t *bytes, uint32_t count, ThApplied *applied);

// Holds back all server updates until one names the own player, as the original client does.
ThStatus th_await_own_player(ThWorld *world);

// The own player's game id. TH_STATUS_NOT_FOUND until it is named.
ThStatus th_own_player(ThWorld *world, uint32_t *guid);

// Forgets all server updates, and removes the objects they described: call it when the connection ends.
ThStatus th_forget_server(ThWorld *world);

// Events since the last call, in order. Without a buffer, or with one that is too small, nothing is removed and
// the next call returns the same events.
ThStatus th_events(ThWorld *world, ThEvent *events, uint32_t capacity, uint32_t *count);

// The text of an event from the last successful call of `th_events`, UTF-8 without a zero at the end.
ThStatus th_event_text(ThWorld *world, uint32_t text, uint8_t *buffer, uint32_t capacity, uint32_t *length);

// The height of the land at a place, ignoring buildings. TH_STATUS_NOT_FOUND where no land is loaded.
ThStatus th_ground_height(ThWorld *world, const ThPosition *place, float *height);

// The ground, floor or solid object under a point.
ThStatus th_ground(ThWorld *world, const ThPosition *place, ThHit *ground);

// The ceiling or solid object over a point.
ThStatus th_ceiling(ThWorld *world, const ThPosition *place, ThHit *ceiling);

// Finds the cell of a position from an outside source, as the original does before placing an object. `reference`
// is the deciding point of the mover, in its own space, such as the middle of its body; null means the origin.
// TH_STATUS_NOT_FOUND when no cell contains it.
ThStatus th_reseat(ThWorld *world, const ThPosition *position, const ThVec3 *reference, ThPosition *seated);

// Cells that a sphere touches, its own first; the position is its centre.
ThStatus th_cells_of_sphere(ThWorld *world,
                            const ThPosition *center,
                            float radius,
                            uint32_t *cells,
                            uint32_t capacity,
                            uint32_t *count);

// Interior cells visible from an interior cell, including itself.
ThStatus th_visible_cells(ThWorld *world, uint32_t cell, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Cells in which an object is registered and can be hit.
ThStatus th_shadow_cells(ThWorld *world, ThEntity object, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Objects whose cell this is.
ThStatus th_residents(ThWorld *world, uint32_t cell, ThEntity *objects, uint32_t capacity, uint32_t *count);

// Objects within a distance of a place, nearest first.
ThStatus th_objects_within(ThWorld *world,
                           const ThPosition *place,
                           float metres,
                           ThEntity *objects,
                           uint32_t capacity,
                           uint32_t *count);

// The first thing that a ray hits.
ThStatus th_cast(ThWorld *world, const ThRay *ray, ThHit *found);

// Like `th_cast` for many rays, on all processors: `found` has room for `count` hits.
ThStatus th_casts(ThWorld *world, const ThRay *rays, uint32_t count, ThHit *found);

// What a player points at: the first thing from its camera in a direction, in the coordinates of the camera's block.
ThStatus th_pick(ThWorld *world, ThEntity player, const ThVec3 *direction, ThHit *found);

// Checks a line of sight: `blocker` is TH_TARGET_KIND_NONE when it is clear, otherwise the obstacle. Creatures and
// open doors do not block the view. With a radius, the line is checked for a missile or camera of that size.
ThStatus th_line_of_sight(ThWorld *world, const ThSpot *from, const ThSpot *to, float radius, ThHit *blocker);

// Like `th_line_of_sight` for many pairs, on all processors: `blockers` has room for `count` hits.
ThStatus th_lines_of_sight(ThWorld *world, const ThSight *pairs, uint32_t count, float radius, ThHit *blockers);

// Sweeps a sphere through everything solid.
ThStatus th_sweep_sphere(ThWorld *world, const ThSweep *sweep, ThSwept *swept);

// Like `th_sweep_sphere` for many spheres, on all processors: `swept` has room for `count` answers.
ThStatus th_sweep_spheres(ThWorld *world, const ThSweep *sweeps, uint32_t count, ThSwept *swept);

// Sweeps an object from its position, with its own body and footing, as one move, without moving it.
ThStatus th_sweep_entity(ThWorld *world, ThEntity object, const ThPosition *to, ThSwept *swept);

// Moves a body along a path, tick by tick, and reports how far it gets and what stops it. `walker` may be null.
ThStatus th_check_path(ThWorld *world,
                       const ThWalker *who,
                       const ThPosition *from,
                       const ThPosition *legs,
                       uint32_t leg_count,
                       ThPathReport *report);

// Like `th_check_path` for many paths, on all processors. Each path is a run of `legs`; `reports` has room for `count`
// reports.
ThStatus th_check_paths(ThWorld *world,
                        const ThWalker *who,
                        const ThPath *paths,
                        uint32_t count,
                        const ThPosition *legs,
                        uint32_t leg_count,
                        ThPathReport *reports);

// Simulates a jump until the body lands. `walker` may be null. The arc, the position of the body at every tick from
// take-off to the end, is written like any array; pass a null buffer and a capacity of 0 to omit it.
ThStatus th_simulate_jump(ThWorld *world,
                          const ThWalker *who,
                          const ThJump *jump,
                          ThJumpReport *report,
                          ThPosition *arc,
                          uint32_t capacity,
                          uint32_t *count);

// Where a body placed here comes to stand, after the original's search for a free spot and a fall to the ground.
// TH_STATUS_NOT_FOUND when there is no room, or no ground to stand on. `walker` may be null.
ThStatus th_stand_at(ThWorld *world, const ThWalker *who, const ThPosition *place, ThPosition *stands);

// A random spot in an area where a body can stand, with a random heading; the same seed gives the same spot. TH_STATUS_NOT_FOUND
// when none of 64 tries succeeds. `walker` may be null.
ThStatus th_random_standable(ThWorld *world,
                             const ThWalker *who,
                             const ThArea *area,
                             uint64_t seed,
                             ThPosition *spot);

// Finds the shortest route and proves it by walking it. The world keeps it until the next search; the functions below
// copy its arrays out. Only what is loaded is searched. `walker` and `policy` may be null.
ThStatus th_find_path(ThWorld *world,
                      const ThWalker *who,
                      const ThPosition *from,
                      const ThPosition *to,
                      const ThPathPolicy *policy,
                      ThRoute *route);

// Where the legs of the last route end, the start first and the goal last. Empty when there was no route.
ThStatus th_route_waypoints(ThWorld *world, ThPosition *waypoints, uint32_t capacity, uint32_t *count);

// Game ids of the closed doors on the last route, in order.
ThStatus th_route_doors(ThWorld *world, uint32_t *doors, uint32_t capacity, uint32_t *count);

// Cells that the last route passes through, in order.
ThStatus th_route_cells(ThWorld *world, uint32_t *cells, uint32_t capacity, uint32_t *count);

// Portals that the last route takes, in order.
ThStatus th_route_portals(ThWorld *world, ThPassage *portals, uint32_t capacity, uint32_t *count);

// Plans a frame: which cells are visible in which regions of the picture, and in which order everything is drawn. The
// world keeps the plan until the next one; the functions below copy its arrays out. `info` may not be null.
ThStatus th_plan(ThWorld *world, const ThCamera *camera, ThPlanInfo *info);

// Visible interior cells of the last plan.
ThStatus th_plan_cells(ThWorld *world, ThPlanCell *cells, uint32_t capacity, uint32_t *count);

// Regions of the picture, of the last plan.
ThStatus th_plan_regions(ThWorld *world, ThPlanRegion *regions, uint32_t capacity, uint32_t *count);

// Corners of the regions, of the last plan.
ThStatus th_plan_points(ThWorld *world, ThPoint *points, uint32_t capacity, uint32_t *count);

// Drawing steps of the last plan, in order.
ThStatus th_plan_steps(ThWorld *world, ThPlanStep *steps, uint32_t capacity, uint32_t *count);

// Parts of objects that are drawn, of the last plan.
ThStatus th_plan_parts(ThWorld *world, ThPlanPart *parts, uint32_t capacity, uint32_t *count);

// Renders the view of a camera on the processor: the same picture on every machine. Four bytes per pixel, red, green, blue
// and 255, rows from the top down: width × height × 4. The first picture of a world takes longer, because particle effects are started for it.
ThStatus th_render(ThWorld *world,
                   const ThCamera *camera,
                   uint8_t *rgba,
                   uint32_t capacity,
                   uint32_t *count);

// Draws a block from above: terrain, water, roads, buildings, floor plans. Four bytes per pixel as in `th_render`, north up;
// `size` is written even when the buffer is too small. The block need not be loaded.
ThStatus th_map_tile(ThWorld *world,
                     const ThTile *asked,
                     ThSize *size,
                     uint8_t *rgba,
                     uint32_t capacity,
                     uint32_t *count);

// Opens a dat file.
ThStatus th_dat_open(const uint8_t *path, uint32_t length, ThDat **dat);

// Closes a dat file. Its handle is invalid afterwards.
ThStatus th_dat_close(ThDat *dat);

// Ids of the records from `first` to `last`, ascending.
ThStatus th_dat_ids(ThDat *dat, uint32_t first, uint32_t last, uint32_t *ids, uint32_t capacity, uint32_t *count);

// The bytes of a record.
ThStatus th_dat_read(ThDat *dat, uint32_t id, uint8_t *bytes, uint32_t capacity, uint32_t *count);

// Stores a record, replacing an existing one. The bytes must be a valid record of the kind that the id implies. An
// interrupted write never damages the file.
ThStatus th_dat_put(ThDat *dat, uint32_t id, const uint8_t *bytes, uint32_t count);

// Removes a record.
ThStatus th_dat_remove(ThDat *dat, uint32_t id);

// Checks rows of ACE-World SQL against a world: placements and classes. Writes one line per
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
