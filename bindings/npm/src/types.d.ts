/** East, north, up in metres. */
export type Vector = readonly [x: number, y: number, z: number];

/** A turn: w, x, y, z. */
export type Quaternion = readonly [w: number, x: number, y: number, z: number];

/** A place: a cell, and an origin in metres from the south-west corner of the cell's block. A plain value. */
export interface Position {
  readonly cell: number;
  readonly origin: Vector;
  readonly rotation: Quaternion;
}

/** Where something is: a position (without a rotation it faces north), or a text: a named place, what the game's `/loc` prints, or map coordinates (`42.1N, 33.6E`). */
export type Place = string | { readonly cell: number; readonly origin: ArrayLike<number>; readonly rotation?: ArrayLike<number> };

/** Many positions: a cell each, three numbers of `origins` each, four of `rotations` each (w, x, y, z). `positions` makes them. */
export interface Positions {
  readonly cells: Uint32Array;
  readonly origins: Float32Array;
  readonly rotations: Float32Array;
}

/** Many places. Without rotations they face north. */
export type Places = readonly Place[] | { readonly cells: Uint32Array; readonly origins: Float32Array; readonly rotations?: Float32Array };

/** An end of a line of sight: an object, which sees with its eyes, or a place. */
export type Spot = Entity | Place;

/** Who looks: a player with its own eye, or anybody who stands at a place. */
export type View = Entity | Place;

/** What is loaded: a small world at once and a large one around its observers; everything; or what observers are near to. */
export type Residency = "automatic" | "whole" | "observed";

/** What can be hit: an object, the inside of a room, the outside of a building, the land. */
export type Kind = "entity" | "room" | "shell" | "ground";

/** What stops a ray. */
export type Blockers = "everything" | "solid" | "environment";

/** How a sphere moves: as a camera does, as a missile does, or sliding along what it meets. */
export type SphereKind = "camera" | "missile" | "slide";

/** Names of the errors that are more than a wrong argument, which is a `RangeError` or a `TypeError`. */
export type ErrorName = "NotFoundError" | "NotPossibleError" | "DataError";

/** A file of which only the parts that are needed are read, a few of them kept. */
export interface RangedFile {
  /** Bytes of the file. */
  readonly size: number;
  /** Exactly so many bytes from an offset. What it throws is the reason why a record cannot be read. */
  read(offset: number, length: number): Uint8Array;
}

/**
 * A data file: its bytes, or something that is read by ranges, as the game's own files are too large to be held in memory. A `Blob` or
 * `File` is read in a worker of a browser; pages have no way to wait for one.
 */
export type DatContent = Uint8Array | ArrayBuffer | Blob | RangedFile;

/** The game's files, and what may lie beside them. */
export interface DatFiles {
  /** `client_portal.dat` */
  readonly portal: DatContent;
  /** `client_cell_1.dat` */
  readonly cell: DatContent;
  /** Text of `entities.json`: what a server would place. */
  readonly entities?: string;
  /** Text of `Locations.txt`: names of places, one a line. */
  readonly locations?: string;
}

/** How an object comes into a world. */
export interface SpawnOptions {
  /** Game id. */
  readonly guid?: number;
  /** State word of the game; 0x408 unless named. */
  readonly state?: number;
  readonly scale?: number;
  readonly creature?: boolean;
  readonly player?: boolean;
  /** It opens and closes when it is used. */
  readonly door?: boolean;
}

/** What a player is able to do; run and jump are 200 unless named. */
export interface Skills {
  readonly run?: number;
  readonly jump?: number;
  /** A part of what it can carry. */
  readonly burden?: number;
}

/** Keys that are held. */
export interface Keys {
  readonly forward?: boolean;
  readonly back?: boolean;
  readonly left?: boolean;
  readonly right?: boolean;
  readonly turnLeft?: boolean;
  readonly turnRight?: boolean;
  /** Walks instead of running. */
  readonly slow?: boolean;
  readonly jump?: boolean;
}

/** Who walks or jumps: a player, a creature of a setup, or a body like that of an object. */
export interface Body extends Skills {
  readonly slow?: boolean;
  readonly setup?: number;
  readonly scale?: number;
  readonly like?: Entity;
}

/** Which ways `findPath` takes. */
export interface PathOptions {
  /** Closed doors are opened; true unless named. */
  readonly opensDoors?: boolean;
  /** The deepest fall in metres; 6 unless named. */
  readonly maxDrop?: number;
  /** Through water; true unless named. */
  readonly wades?: boolean;
  /** Through portals; false unless named. */
  readonly takesPortals?: boolean;
  /** A body walks every leg before the way is given out; true unless named. */
  readonly prove?: boolean;
}

/** How a jump begins. */
export interface JumpOptions {
  readonly forward?: boolean;
  readonly back?: boolean;
  readonly left?: boolean;
  readonly right?: boolean;
  readonly slow?: boolean;
  readonly body?: Body;
}

/** How a frame is looked at. */
export interface PlanOptions {
  /** Degrees of view from side to side; 60 unless named. */
  readonly fov?: number;
  /** Degrees up, for a place. */
  readonly pitch?: number;
  /** The place is the eye's, not the feet's. */
  readonly isEye?: boolean;
}

/** How a picture is taken. */
export interface RenderOptions extends PlanOptions {
  /** A part of a day, -0.5 to 0.5; 0 is noon. */
  readonly afterNoon?: number;
}

/** What a map shows. */
export interface TileOptions {
  /** Blocks around it that are drawn too. */
  readonly around?: number;
  /** West, south, east, north in metres from the block's south-west corner. */
  readonly window?: readonly [west: number, south: number, east: number, north: number];
  /** Pixels of the longer side; 1024 unless named. */
  readonly pixels?: number;
  /** Everything above this height is cut off. */
  readonly cut?: number;
}

/** What a ray met first. */
export interface Hit {
  readonly kind: Kind;
  /** The object's `id`, when it is one. */
  readonly entity: number | undefined;
  /** The cell of a room, shell or ground. */
  readonly cell: number | undefined;
  /** Metres from where the ray began. */
  readonly distance: number;
  readonly position: Position;
}

/** What rays met first, one entry each; three numbers of `points` each. */
export interface Hits {
  /** 0 nothing, 1 an object, 2 a room, 3 a shell, 4 the ground. */
  readonly kinds: Uint8Array;
  /** The cell of a room, shell or ground; 0 for none. */
  readonly targetCells: Uint32Array;
  /** `id` of the object; 0 for none. */
  readonly entities: Float64Array;
  readonly distances: Float32Array;
  readonly points: Float32Array;
  /** The cell whose block the point is given in. */
  readonly cells: Uint32Array;
}

/** How a sweep ended. */
export interface Swept {
  readonly position: Position;
  /** Whether the beginning was a place where it can be. */
  readonly valid: boolean;
  /** The part of the way that was left, 0 to 1. */
  readonly remaining: number;
  /** What was met last; `undefined` for nothing. */
  readonly kind: Kind | undefined;
  readonly entity: number | undefined;
  readonly cell: number | undefined;
  readonly normal: Vector;
}

/** How sweeps ended, one entry each; three numbers of `normals` each. */
export interface Sweeps {
  readonly positions: Positions;
  /** 1 where the beginning was a place where it can be. */
  readonly valid: Uint8Array;
  /** The part of the way that was left, 0 to 1. */
  readonly remaining: Float32Array;
  /** What was met last: 0 nothing, 1 an object, 2 a room, 3 a shell, 4 the ground. */
  readonly kinds: Uint8Array;
  readonly targetCells: Uint32Array;
  readonly entities: Float64Array;
  readonly normals: Float32Array;
}

/** How a path was walked. */
export interface PathReport {
  /** Whether every leg holds. */
  readonly holds: boolean;
  /** Where the body was at the end. */
  readonly end: Position;
  /** Legs that were completed; the next one is where it stopped. */
  readonly legs: number;
  readonly stop: "no room" | "blocked" | "other level" | "lost" | "too long" | undefined;
  /** What is in the way. */
  readonly blocker: Kind | undefined;
  readonly blockingEntity: number | undefined;
  readonly seconds: number;
  /** Seen from above. */
  readonly metres: number;
  readonly deepestFall: number;
}

/** A way, or where it would end. */
export interface Route {
  readonly reachable: boolean;
  /** Why there is no way. */
  readonly why: string | undefined;
  /** Whether a body has walked every leg of it. */
  readonly proved: boolean;
  /** Metres, seen from above. */
  readonly length: number;
  /** Where its legs end, the start first and the goal last. */
  readonly waypoints: readonly Position[];
  /** Game ids of closed doors on the way, in order. */
  readonly doors: readonly number[];
  /** Cells that it passes, in order. */
  readonly cells: readonly number[];
  /** Portals that it takes, in order: the game id, and the number of the waypoint that lies in the portal. */
  readonly portals: readonly { readonly portal: number; readonly waypoint: number }[];
  /** The reachable place nearest to the goal. */
  readonly nearest: Position;
  /** Metres from there to the goal, seen from above. */
  readonly gap: number;
}

/** What came of a jump. */
export interface JumpReport {
  readonly end: "landed" | "no footing" | "lost" | "stuck";
  /** Seconds in the air. */
  readonly seconds: number;
  /** Metres from take-off to the highest point. */
  readonly height: number;
  /** Metres from the highest point down to the end. */
  readonly fall: number;
  /** Where it landed. */
  readonly landing: Position | undefined;
  /** The first thing that was hit in the air. */
  readonly bumped: Kind | undefined;
  /** Where the body was, tick by tick. */
  readonly arc: Positions;
}

/** An opening of an interior cell. */
export interface Portal {
  readonly cell: number;
  /** The cell behind it; `undefined` for the outdoors. */
  readonly to: number | undefined;
  /** Corners in block coordinates, three numbers each. */
  readonly polygon: Float32Array;
}

/** An interior cell that is seen. */
export interface PlanCell {
  readonly cell: number;
  /** Metres to the farthest corner of the openings that it is seen through. */
  readonly distance: number;
  /** Convex polygons in normalised device coordinates (x right, y up, -1 to 1), two numbers a corner. */
  readonly regions: readonly Float32Array[];
}

/** What is seen, through which regions of the picture, and in which order it is drawn. */
export interface Plan {
  /** The cell that the eye is in. */
  readonly viewerCell: number | undefined;
  readonly outside: boolean;
  /** Regions through which the outdoors are seen. */
  readonly landscape: readonly Float32Array[];
  /** Interior cells seen from the eye's own cell, nearest first. */
  readonly cells: readonly PlanCell[];
  /** Interior cells seen through openings of buildings, by the building's land cell. */
  readonly buildings: readonly { readonly cell: number; readonly cells: readonly PlanCell[] }[];
  /** The order of drawing, as `threshold view --json` prints it. */
  readonly steps: readonly Json[];
}

/** A picture: `new ImageData(picture.rgba, picture.width)`. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Red, green, blue and alpha of every pixel, row by row from the top. */
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}

/** A value of JSON. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** What happens in a recorded session, as `threshold wire decode` prints it. */
export type SessionEvent = { readonly [name: string]: Json };

/** What has happened in a world. `entity` and `other` are ids of objects, `guid` is a game id. */
export type WorldEvent =
  | { readonly kind: "cell_changed"; readonly entity: number; readonly from: number | undefined; readonly to: number | undefined }
  | { readonly kind: "touched"; readonly entity: number; readonly other: number; readonly velocity: Vector; readonly flags: number }
  | { readonly kind: "missile_hit"; readonly entity: number; readonly other: number; readonly flags: number }
  | { readonly kind: "separated"; readonly entity: number; readonly other: number }
  | { readonly kind: "hit_environment"; readonly entity: number; readonly velocity: Vector; readonly hadContact: boolean }
  | { readonly kind: "left_ground" | "hit_ground" | "lost" | "found" | "rescued" | "created" | "redressed" | "set_out"; readonly entity: number }
  | { readonly kind: "door_opened" | "door_closed" | "door_blocked"; readonly entity: number }
  | { readonly kind: "departed"; readonly entity: number; readonly portal: number | undefined }
  | { readonly kind: "arrived" | "no_room" | "no_such_place" | "gave_up_following" | "came_to" | "gave_up_going"; readonly entity: number; readonly position: Position }
  | { readonly kind: "block_loaded" | "block_unloaded"; readonly block: number }
  | { readonly kind: "deleted" | "description_wanted"; readonly guid: number }
  | { readonly kind: "script"; readonly entity: number; readonly script: number }
  | { readonly kind: "script_type"; readonly entity: number; readonly type: number; readonly intensity: number }
  | { readonly kind: "sound"; readonly entity: number; readonly sound: number; readonly volume: number }
  | { readonly kind: "updates_dropped"; readonly guid: number; readonly count: number }
  | { readonly kind: "update_refused"; readonly guid: number; readonly text: string }
  | { readonly kind: "motion_done"; readonly entity: number; readonly motion: number; readonly success: boolean }
  | { readonly kind: "hook_run"; readonly entity: number; readonly text: string }
  | { readonly kind: "move_to_ended"; readonly entity: number; readonly code: number }
  | { readonly kind: "problem" | "other"; readonly text: string };

/** Sequence numbers of an object: of positions, movements, states, vectors, teleports, server control, forced positions, appearances, lives. */
export type Stamps = readonly [number, number, number, number, number, number, number, number, number];

/** Something that a server says of an object. Stamps are the game's sequence numbers, 0 to 65535. */
export type Update =
  /** The recipient's own player is this object. */
  | { readonly kind: "own_player"; readonly guid: number }
  /** An object is there, or is described again; with `anew` it is made anew. */
  | {
      readonly kind: "create";
      readonly guid: number;
      readonly setup: number;
      readonly position?: Position;
      readonly name?: string;
      readonly state?: number;
      readonly scale?: number;
      readonly classId?: number;
      readonly itemType?: number;
      readonly description?: number;
      readonly motionTable?: number;
      readonly placement?: number;
      readonly parent?: number;
      readonly location?: number;
      readonly stamps?: Stamps;
      readonly anew?: boolean;
    }
  /** An object is gone. */
  | { readonly kind: "delete"; readonly guid: number; readonly instance?: number }
  /** An object is somewhere. */
  | {
      readonly kind: "position";
      readonly guid: number;
      readonly position: Position;
      readonly stamp: number;
      readonly instance?: number;
      readonly teleport?: number;
      readonly forcePosition?: number;
      readonly contact?: boolean;
      readonly placement?: number;
    }
  /** An object does commands from now on, named by the low halves of their ids. */
  | {
      readonly kind: "movement";
      readonly guid: number;
      readonly stamp: number;
      readonly forward?: number;
      readonly side?: number;
      readonly turn?: number;
      readonly forwardSpeed?: number;
      readonly sideSpeed?: number;
      readonly turnSpeed?: number;
      readonly style?: number;
      readonly sticky?: number;
      readonly instance?: number;
      readonly serverControl?: number;
      readonly autonomous?: boolean;
    }
  /** An object goes to a place, or to an object if that is known. */
  | {
      readonly kind: "move_to";
      readonly guid: number;
      readonly to: Position;
      readonly stamp: number;
      readonly target?: number;
      readonly distance?: number;
      readonly speed?: number;
      readonly runRate?: number;
      readonly bits?: number;
      readonly instance?: number;
      readonly serverControl?: number;
    }
  /** An object turns to a heading in degrees, or towards an object if that is known. */
  | {
      readonly kind: "turn_to";
      readonly guid: number;
      readonly heading: number;
      readonly stamp: number;
      readonly target?: number;
      readonly speed?: number;
      readonly instance?: number;
      readonly serverControl?: number;
    }
  /** An object has another state. */
  | { readonly kind: "state"; readonly guid: number; readonly state: number; readonly stamp: number; readonly instance?: number }
  /** An object has another velocity and spin. */
  | { readonly kind: "vector"; readonly guid: number; readonly velocity: Vector; readonly omega?: Vector; readonly stamp: number; readonly instance?: number }
  /** An object is held by another one. */
  | {
      readonly kind: "parent";
      readonly child: number;
      readonly parent: number;
      readonly location: number;
      readonly stamp: number;
      readonly placement?: number;
      readonly parentInstance?: number;
    }
  /** An object is taken out of the world, into a container. */
  | { readonly kind: "pickup"; readonly guid: number; readonly stamp: number; readonly instance?: number }
  /** An object plays a script, a record. */
  | { readonly kind: "script"; readonly guid: number; readonly script: number }
  /** An object makes a noise. */
  | { readonly kind: "sound"; readonly guid: number; readonly sound: number; readonly volume?: number }
  /** The own player is about to be teleported. */
  | { readonly kind: "teleport"; readonly stamp: number };
