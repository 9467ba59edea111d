// Wrong use is an Error with a message, never a trap; it never changes the world or hangs.
import assert from "node:assert/strict";
import { test } from "node:test";
import * as threshold from "threshold-web";
import { Entity, moved, onMap, positions, Walker, World } from "threshold-web";
import type { Place, Position, Update } from "threshold-web";
import { fresh, read } from "./worlds.js";

const BAD = [NaN, Infinity, -Infinity];

/** A value of any type, as programs without types may pass it. */
const untyped = <T>(value: unknown): T => value as T;

function refused(call: () => unknown, expected: RegExp | { name: string; message?: RegExp } = /./): void {
  assert.throws(call, (error: unknown) => {
    assert.ok(error instanceof Error, `${call}: ${error}`);
    assert.ok(!(error instanceof WebAssembly.RuntimeError), `${call} traps: ${error.stack}`);
    assert.ok(error.message.length > 0, String(call));
    const { name, message } = expected instanceof RegExp ? { name: error.name, message: expected } : expected;
    assert.equal(error.name, name, String(call));
    assert.match(error.message, message ?? /./, String(call));
    return true;
  });
}

/** Every method, with arguments that are good in an open world. */
function calls(world: World, place: Position, thing: Entity, me: Walker): Record<string, () => unknown> {
  const dot = positions(place.cell, place.origin);
  return {
    "World.another": () => world.another("observed").close(),
    "World.blocks": () => world.blocks(),
    "World.load": () => world.unload(world.load(place)),
    "World.unload": () => world.unload(world.load(place)),
    "World.moveObserver": () => world.moveObserver(world.load(place), place),
    "World.places": () => world.places(),
    "World.place": () => world.place("Village Street"),
    "World.heights": () => world.heights(0x8080),
    "World.portals": () => world.portals(0x8080),
    "World.tick": () => world.tick(),
    "World.advance": () => world.advance(0.1),
    "World.ticks": () => world.ticks,
    "World.stateHash": () => world.stateHash,
    "World.snapshot": () => world.snapshot(),
    "World.restore": () => world.restore(world.snapshot()),
    "World.events": () => world.events(),
    "World.spawn": () => world.spawn(0x02000001, place).despawn(),
    "World.walker": () => world.walker(place).despawn(),
    "World.entities": () => world.entities(),
    "World.find": () => world.find("Cottage Door"),
    "World.residents": () => world.residents(place.cell),
    "World.objectsWithin": () => world.objectsWithin(place, 1),
    "World.apply": () => world.apply({ kind: "state", guid: 1, state: 2, stamp: 3 }),
    "World.awaitOwnPlayer": () => world.another().awaitOwnPlayer(),
    "World.ownPlayer": () => world.ownPlayer,
    "World.forgetServer": () => world.forgetServer(),
    "World.groundHeight": () => world.groundHeight(place),
    "World.ground": () => world.ground(place),
    "World.ceiling": () => world.ceiling(place),
    "World.reseat": () => world.reseat(place),
    "World.cellsOfSphere": () => world.cellsOfSphere(place, 1),
    "World.visibleCells": () => world.visibleCells(place.cell),
    "World.cast": () => world.cast(place, [0, 0, 1], 1),
    "World.casts": () => world.casts(dot, dot),
    "World.lineOfSight": () => world.lineOfSight(place, place),
    "World.linesOfSight": () => world.linesOfSight(dot, dot),
    "World.sweep": () => world.sweep(dot, dot),
    "World.checkPath": () => world.checkPath(place, [place]),
    "World.checkPaths": () => world.checkPaths([[place]]),
    "World.findPath": () => world.findPath(place, place),
    "World.simulateJump": () => world.simulateJump(place),
    "World.standAt": () => world.standAt(place),
    "World.randomStandable": () => world.randomStandable(place),
    "World.plan": () => world.plan(place, 8, 8),
    "World.render": () => world.render(place, 8, 8),
    "World.mapTile": () => world.mapTile(0x8080, { pixels: 16 }),
    "Entity.guid": () => thing.guid,
    "Entity.setup": () => thing.setup,
    "Entity.position": () => thing.position,
    "Entity.state": () => (thing.state = thing.state),
    "Entity.velocity": () => (thing.velocity = thing.velocity),
    "Entity.scale": () => thing.scale,
    "Entity.height": () => thing.height,
    "Entity.radius": () => thing.radius,
    "Entity.stands": () => thing.stands,
    "Entity.door": () => thing.door,
    "Entity.shadowCells": () => thing.shadowCells,
    "Entity.use": () => thing.use(),
    "Entity.place": () => thing.place(place),
    "Entity.sweep": () => thing.sweep(place),
    "Walker.drive": () => me.drive({}),
    "Walker.walk": () => me.walk(0.1),
    "Walker.look": () => me.look(1),
    "Walker.teleport": () => me.teleport(place),
    "Walker.pick": () => me.pick([0, 0, -1]),
    "Entity.despawn": () => thing.despawn(),
  };
}

function everything(world: World): Record<string, () => unknown> {
  const place = world.place("Village Street");
  return calls(world, place, world.spawn(0x02000001, place, { creature: true }), world.walker(place));
}

test("every public method and function is known here", () => {
  const known = everything(fresh());
  for (const [name, { prototype }] of Object.entries({ World, Entity, Walker })) {
    const own = Object.getOwnPropertyNames(prototype).filter((member) => !member.startsWith("__"));
    for (const member of own) {
      if (!["constructor", "free", "close", "id"].includes(member)) assert.ok(`${name}.${member}` in known, `${name}.${member} is not tried`);
    }
  }
  const functions = ["decode", "facing", "heading", "isInside", "loc", "moved", "onMap", "parse", "positions"];
  const glue = ["default", "initSync", "World", "Entity", "Walker"];
  const exported = Object.keys(threshold).filter((name) => !name.startsWith("__") && !glue.includes(name));
  assert.deepEqual(exported.filter((name) => name !== "start").sort(), functions);
});

test("a closed world refuses everything", () => {
  for (const call of Object.values(everything(fresh()))) call();
  const world = fresh();
  const methods = everything(world);
  world.close();
  for (const call of Object.values(methods)) refused(call, /closed/);
});

test("what was freed refuses everything, and nothing else is hurt", () => {
  const world = fresh();
  const methods = everything(world);
  const [place, me, thing] = [world.place("Village Street"), world.walker("Village Street"), world.find("Cottage Door")];
  me.free();
  for (const call of [() => me.position, () => me.id, () => me.drive(), () => me.walk(1), () => me.free()]) refused(call);
  for (const call of [() => world.lineOfSight(me, place), () => world.render(me), () => world.checkPath(place, [place], { like: me })]) refused(call);
  world.tick();
  world.free();
  for (const [name, call] of Object.entries(methods)) if (name.startsWith("World.")) refused(call);
  refused(() => new Walker(world, place));
  assert.equal(thing.use(), "open");
});

test("numbers that are none", () => {
  const world = fresh();
  const place = world.place("Village Street");
  const me = world.walker(place);
  const before = world.stateHash;
  for (const bad of BAD) {
    const at = (x: number): Position => ({ ...place, origin: [x, 0, 0] });
    const wrong: (() => unknown)[] = [
      () => moved(place, bad),
      () => world.ground(at(bad)),
      () => world.ground({ ...place, rotation: [bad, 0, 0, 0] }),
      () => world.ground({ ...place, cell: bad }),
      () => threshold.facing(place, bad),
      () => world.advance(bad),
      () => me.walk(bad),
      () => me.look(bad),
      () => me.look(0, bad),
      () => me.pick([bad, 0, 0]),
      () => (me.velocity = [bad, 0, 0]),
      () => (me.state = bad),
      () => world.cellsOfSphere(place, bad),
      () => world.cast(place, [bad, 0, 0], 1),
      () => world.sweep([place], [place], bad),
      () => world.sweep(positions(place.cell, [bad, 0, 0]), [place]),
      () => world.lineOfSight(place, place, bad),
      () => world.linesOfSight([place], [place], bad),
      () => world.simulateJump(place, bad),
      () => world.randomStandable(place, bad),
      () => world.randomStandable(place, 1, bad),
      () => world.reseat(place, [bad, 0, 0]),
      () => world.spawn(0x02000001, place, { scale: bad }),
      () => world.spawn(bad, place),
      () => world.walker(place, { burden: bad }),
      () => world.checkPath(place, [place], { burden: bad }),
      () => world.plan(place, 8, 8, { fov: bad }),
      () => world.plan(place, 8, 8, { pitch: bad }),
      () => world.render(place, bad, 8),
      () => world.render(place, 8, 8, { afterNoon: bad }),
      () => world.mapTile(0x8080, { window: [bad, 0, 1, 1] }),
      () => world.mapTile(bad),
      () => world.load(bad),
      () => world.unload(bad),
      () => world.residents(bad),
      () => world.visibleCells(bad),
      () => world.find(bad),
      () => world.heights(bad),
      () => world.portals(bad),
      () => world.apply({ kind: "move_to", guid: 9, to: place, stamp: 1, speed: bad }),
      () => world.apply({ kind: "turn_to", guid: 9, heading: bad, stamp: 1 }),
      () => world.apply({ kind: "movement", guid: 9, stamp: 1, forwardSpeed: bad }),
      () => world.apply({ kind: "create", guid: 9, setup: 0x02000001, position: place, scale: bad }),
      () => world.apply({ kind: "vector", guid: 9, velocity: [bad, 0, 0], stamp: 1 }),
      () => world.apply({ kind: "state", guid: 9, state: 1, stamp: bad }),
    ];
    for (const call of wrong) refused(call, { name: "RangeError" });
  }
  const wrong: (() => unknown)[] = [
    () => world.advance(-1),
    () => world.advance(1e9),
    () => world.cast(place, [0, 0, 1], NaN),
    () => world.objectsWithin(place, NaN),
    () => world.findPath(place, place, {}, { maxDrop: NaN }),
    () => world.mapTile(0x8080, { cut: NaN }),
    () => world.mapTile(0x8080, { pixels: 0 }),
    () => world.mapTile(0x8080, { around: 300 }),
    () => world.mapTile(0x10000),
    () => world.render(place, 0, 10),
    () => world.render(place, 10, 9000),
    () => world.render(place, 1.5, 10),
    () => world.load(-1),
    () => world.ground({ cell: 0, origin: [0, 0, 0] }),
    () => world.ground({ cell: 2 ** 32, origin: [0, 0, 0] }),
    () => threshold.parse("nowhere"),
    () => world.another(untyped("somehow")),
    () => world.sweep([place], [place], 1, untyped("ghost")),
    () => world.cast(place, [0, 0, 1], 1, untyped("ghosts")),
    () => world.apply(untyped({ kind: "dance" })),
    () => world.checkPath(place, [place], { setup: 1, like: me }),
  ];
  for (const call of wrong) refused(call, { name: "RangeError" });
  assert.equal(world.stateHash, before);
});

test("lengths and types", () => {
  const world = fresh();
  const place = world.place("Village Street");
  const before = world.stateHash;
  refused(() => world.sweep([place, place], [place]), /2 begins and 1 ends/);
  refused(() => world.casts([place], []), /begins/);
  refused(() => world.linesOfSight([], [place]), /begins/);
  assert.equal(world.sweep([], []).kinds.length, 0);
  refused(() => world.checkPaths([[]]), /beginning/);
  refused(() => positions(1, [1, 2]), /three numbers/);
  refused(() => positions([1, 2], [1, 2, 3]), /three numbers/);
  const [cells, origins] = [new Uint32Array([place.cell, 0]), new Float32Array(6)];
  refused(() => world.sweep({ cells, origins: origins.subarray(3) }, [place]), /three numbers/);
  refused(() => world.sweep({ cells, origins: origins.subarray(1) }, [place]), /three numbers/);
  refused(() => world.sweep({ cells, origins, rotations: origins }, [place]), /four/);
  refused(() => world.sweep({ cells, origins }, [place, place]), /entry 1/);
  refused(() => world.sweep([place, "Nowhere"], [place, place]), { name: "NotFoundError", message: /entry 1/ });
  refused(() => world.restore(new Uint8Array()), { name: "DataError" });
  const wrong: ((value: unknown) => unknown)[] = [
    (value) => world.ground(untyped<Place>(value)),
    (value) => world.sweep(untyped(value), [place]),
    (value) => world.checkPath(place, untyped(value)),
    (value) => world.checkPaths(untyped(value)),
    (value) => world.lineOfSight(place, untyped(value)),
    (value) => world.render(untyped(value), 8, 8),
    (value) => world.restore(untyped(value)),
    (value) => world.apply(untyped<Update>(value)),
    (value) => threshold.decode(untyped(value)),
    (value) => World.open(untyped(value)),
    (value) => World.open({ portal: untyped(value), cell: new Uint8Array() }),
    (value) => new Walker(world, untyped(value)),
    (value) => new Walker(untyped(value), place),
    (value) => world.place(untyped(value)),
    (value) => world.cast(place, untyped(value), 1),
    (value) => onMap(untyped(value)),
    (value) => threshold.loc(untyped(value)),
    (value) => threshold.parse(untyped(value)),
  ];
  const values = [undefined, null, 5, true, Symbol("what"), () => 1, {}, { cell: "x" }, { cell: 1, origin: 5 }, { id: "me" }, new Map(), [[]], 5n];
  for (const call of wrong) for (const value of values) refused(() => call(value));
  const options: (() => unknown)[] = [
    () => world.walker(place, untyped(5)),
    () => world.walker(place, untyped({ ran: 1 })),
    () => world.walker(place, untyped({ run: "fast" })),
    () => world.walker(place).drive(untyped({ forward: 1 })),
    () => world.walker(place).drive(untyped({ foward: true })),
    () => world.spawn(0x02000001, place, untyped({ door: "yes" })),
    () => world.render(place, 8, 8, untyped({ fow: 60 })),
    () => world.apply(untyped({ kind: "state", guid: 1, state: 1 })),
    () => world.apply(untyped({ kind: "state", guid: 1, state: 1, stamp: 1, wings: 2 })),
    () => world.apply(untyped({})),
  ];
  for (const call of options) refused(call, { name: "TypeError" });
  // What code of the caller throws comes back as it is.
  const thrower = { get cell(): number { throw new SyntaxError("mine"); }, origin: [0, 0, 0] };
  refused(() => world.ground(thrower), { name: "SyntaxError", message: /mine/ });
  // A call from within a call finds the world free: arguments are read first.
  const caller = { get cell(): number { return world.place("Village Street").cell; }, origin: place.origin };
  assert.equal(world.ground(caller)?.kind, "ground");
  assert.notEqual(world.stateHash, before, "walkers were brought in");
  world.free();
});

test("what does not exist", () => {
  const world = fresh();
  const door = world.find("Cottage Door");
  const nowhere: Position = { cell: 0x01010001, origin: [1, 1, 1], rotation: [1, 0, 0, 0] };
  const wrong: (() => unknown)[] = [
    () => world.find("Nobody"),
    () => world.find(12345),
    () => world.place("Nowhere"),
    () => world.ground("Nowhere"),
    () => world.unload(4711),
    () => world.heights(0x0101),
    () => world.portals(0x0101),
    () => world.mapTile(0x0101),
    () => world.plan(nowhere),
    () => world.spawn(0x0200ffff, "Village Street"),
    () => world.lineOfSight(untyped({ id: 77 }), "Village Street"),
    () => world.render(untyped({ id: 2 ** 40 }), 8, 8),
  ];
  for (const call of wrong) refused(call, { name: "NotFoundError" });
  refused(() => world.render(door, 8, 8), { name: "NotPossibleError" });
  refused(() => world.checkPath("Village Street", ["Village Street"], { like: door }), { name: "NotPossibleError" });
});

test("damaged files are refused", () => {
  const [portal, cell] = [read("worlds/cottage/client_portal.dat"), read("worlds/cottage/client_cell_1.dat")];
  for (let cut = 0; cut < portal.length; cut += Math.ceil(portal.length / 40)) {
    try {
      World.open({ portal: portal.subarray(0, cut), cell }, "observed").close();
    } catch (error) {
      assert.ok(error instanceof Error && !(error instanceof WebAssembly.RuntimeError), `cut at ${cut}: ${error}`);
    }
  }
  refused(() => World.open({ portal: cell, cell: portal }), { name: "DataError", message: /client_cell_1.dat seem to be swapped/ });
});

test("many worlds need no more memory than a few", () => {
  const used = (): number => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const life = (): void => {
    const world = fresh();
    world.walker("Village Street").walk(0.1);
    world.close();
  };
  for (let cycle = 0; cycle < 10; cycle++) life();
  const warm = used();
  for (let cycle = 0; cycle < 40; cycle++) life();
  assert.ok(used() - warm < 4 << 20, `${used() - warm} bytes more`);
});
