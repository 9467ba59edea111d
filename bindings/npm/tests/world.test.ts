import assert from "node:assert/strict";
import { test } from "node:test";
import init, { Entity, facing, heading, isInside, loc, moved, onMap, parse, positions, Walker, World } from "threshold-web";
import type { Position } from "threshold-web";
import { fresh, near, origin, read, there } from "./worlds.js";

test("await init() is harmless in Node", async () => {
  await init();
  assert.ok(World.sample instanceof Function);
});

test("a player walks through the door only when it is open", () => {
  const world = fresh();
  const me = new Walker(world, "Cottage Door");
  const door = world.find("Cottage Door");
  me.walk(1, { slow: true });
  assert.ok(!isInside(me.position));
  const touched = world.events().filter((event) => event.kind === "touched" && event.entity === me.id);
  assert.ok(touched[0]?.kind === "touched" && touched[0].other === door.id);
  assert.deepEqual([door.door, door.use(), door.door], ["closed", "open", "open"]);
  const way = me.walk(1.5, { slow: true });
  const inside = world.place("Cottage Vestibule").cell;
  assert.equal(way.cells.length, 45);
  assert.deepEqual([...way.origins.slice(-3)], me.position.origin);
  assert.ok(way.cells.includes(inside));
  const events = world.events();
  assert.ok(events.some((event) => event.kind === "door_opened" && event.entity === door.id));
  assert.ok(events.some((event) => event.kind === "cell_changed" && event.to === inside));
  assert.deepEqual([world.events(), world.ticks], [[], 75]);
});

test("snapshots bring a world back", () => {
  const world = fresh();
  const me = world.walker("Village Street");
  const [before, snapshot] = [world.stateHash, world.snapshot()];
  assert.match(before, /^[0-9a-f]{16}$/);
  me.drive({ forward: true });
  world.advance(0.5);
  assert.notEqual(world.stateHash, before);
  world.restore(snapshot);
  assert.equal(world.stateHash, before);
  snapshot.fill(0, 0, 1);
  assert.throws(() => world.restore(snapshot), { name: "DataError" });
});

test("blocks come and go", () => {
  const street = origin.place("Village Street");
  const world = origin.another("observed");
  assert.equal(world.groundHeight(street), undefined);
  const block = world.load(street.cell >>> 16);
  near(world.groundHeight(street), street.origin[2], 0.1);
  const around = world.load(street);
  world.unload(block);
  world.moveObserver(around, moved(street, 5));
  assert.notEqual(world.groundHeight(street), undefined);
  world.unload(around);
  assert.throws(() => world.unload(around), { name: "NotFoundError" });
  assert.throws(() => world.load(0x0101), { name: "NotFoundError" });
});

test("dat files are a world", () => {
  const [portal, cell] = [read("worlds/cottage/client_portal.dat"), read("worlds/cottage/client_cell_1.dat")];
  const world = World.open({ portal, cell: new Uint8Array(cell).buffer, locations: "Home | house | 0xA9B40019 [84 7.1 94] 1 0 0 0\n" });
  assert.ok(world.blocks().includes(0xa9b4));
  assert.equal(world.heights(0xa9b4).length, 81);
  assert.ok(world.portals(0xa9b4).length > 0);
  assert.deepEqual(world.places(), ["Home"]);
  assert.throws(() => World.open({ portal: cell.subarray(0, 100), cell }), { name: "DataError", message: /^portal: / });
  assert.throws(() => World.open({ portal, cell, locations: "nowhere" }), { name: "DataError", message: /^locations:1: / });
  assert.throws(() => World.open({ portal, cell, entities: "{" }), { name: "DataError", message: /^entities: / });
});

test("files are read by ranges", () => {
  const paths = ["worlds/cottage/client_portal.dat", "worlds/cottage/client_cell_1.dat"];
  const [portal, cell] = paths.map(read);
  assert.ok(portal && cell);
  const asked: number[] = [];
  const ranged = (bytes: Uint8Array) => ({
    size: bytes.length,
    read(offset: number, length: number): Uint8Array {
      asked.push(length);
      assert.ok(this.size === bytes.length && offset + length <= bytes.length);
      return bytes.slice(offset, offset + length);
    },
  });
  const walk = (world: World) => {
    const me = new Walker(world, "0xA9B40019 [84 70 20] 1 0 0 0");
    me.walk(2);
    return [me.position, world.stateHash];
  };
  const files = { portal: ranged(portal), cell: ranged(cell) };
  const inRanges = walk(World.open(files, "observed"));
  assert.deepEqual(inRanges, walk(World.open({ portal, cell }, "observed")));
  assert.ok(asked.length > 2 && Math.max(...asked) < portal.length, `${asked.length} ranges, at most ${Math.max(...asked)} bytes`);
  const broken = (read: () => unknown, size: unknown = portal.length) => ({ portal: { size, read } as unknown as Uint8Array, cell });
  const refused = (files: { portal: Uint8Array; cell: Uint8Array }, message: RegExp, name = "DataError") =>
    assert.throws(() => World.open(files), { name, message });
  refused(broken(() => { throw new Error("the disk is gone"); }), /^portal: .*the disk is gone/);
  refused(broken(() => new Uint8Array(3)), /3 bytes instead of/);
  refused(broken(() => "bytes"), /read has answered 'bytes'/);
  refused(broken(() => portal, "large"), /^portal\.size: expected a number, not 'large'/, "TypeError");
  refused(broken(() => portal, -1), /^portal\.size: -1 is not a number of bytes/, "RangeError");
  refused({ portal: new Blob([new Uint8Array(portal)]) as unknown as Uint8Array, cell }, /in a browser's worker only/, "RangeError");
});

test("heights are those of the ground", () => {
  const world = fresh();
  const corner: Position = { cell: 0x80800001, origin: [23.999, 24, 0], rotation: [1, 0, 0, 0] };
  near(world.groundHeight(corner), there(world.heights(0x8080)[9 + 1]), 0.01);
});

test("portals lead from cell to cell", () => {
  const world = fresh();
  const portals = world.portals(0x8080);
  assert.ok(portals.some((portal) => portal.to === undefined));
  for (const { cell, to, polygon } of portals) {
    assert.ok(polygon.length >= 9 && polygon.length % 3 === 0);
    assert.ok(to === undefined || portals.some((back) => back.cell === to && back.to === cell));
  }
});

test("objects come, move and go", () => {
  const world = fresh();
  const street = world.place("Village Street");
  const thing = world.spawn(0x02000001, street, { guid: 0x70000001, creature: true });
  assert.equal(world.find(0x70000001).id, thing.id);
  assert.deepEqual([thing.guid, thing.setup, thing.scale, thing.state], [0x70000001, 0x02000001, 1, 0x408]);
  assert.ok(thing.height > 1 && thing.radius > 0.1 && thing.door === undefined);
  for (const all of [world.residents(street.cell), world.entities()]) assert.ok(all.some(({ id }) => id === thing.id));
  assert.equal(world.objectsWithin(street, 0.5)[0]?.id, thing.id);
  assert.ok(thing.shadowCells.includes(street.cell));
  assert.equal(thing.place(moved(street, 0, 0, 0.1)), "placed");
  thing.velocity = [0, 0, 5];
  thing.state = 0x40c;
  assert.deepEqual([thing.velocity, thing.state], [[0, 0, 5], 0x40c]);
  world.tick();
  thing.despawn();
  assert.throws(() => thing.position, { name: "NotFoundError" });
  assert.equal(world.spawn(0x02000001, street, { door: true }).door, "closed");
});

test("a walker looks, jumps and travels", () => {
  const world = fresh();
  const me = new Walker(world, "Village Street", { run: 400, jump: 100 });
  const before = heading(me.position);
  me.look(90);
  world.tick();
  near((heading(me.position) - before + 360) % 360, 90, 0.1);
  assert.ok(me.stands && me instanceof Entity);
  assert.ok(["ground", "entity"].includes(there(me.pick([0, 0, -1])).kind));
  const free = me.sweep(moved(me.position, 0, -2));
  assert.ok(free.remaining < 0.1 && free.valid && free.normal.length === 3 && free.position.cell >>> 16 === 0x8080);
  me.walk(1, { forward: false, jump: true });
  const ups = me.walk(0.5, { forward: false }).origins.filter((_, index) => index % 3 === 2);
  assert.ok(Math.max(...ups) > there(ups[0]) - 0.01 && Math.max(...ups) > there(me.position.origin[2]) - 1);
  const tower = world.place("Tower Lookout");
  me.teleport(tower);
  assert.ok(world.events().some((event) => event.kind === "arrived"));
  assert.equal(me.position.cell, tower.cell);
});

test("positions are values", () => {
  const text = "0xA9B40019 [84.000000 7.100000 94.000000] 1.000000 0.000000 0.000000 0.000000";
  const place = parse(text);
  assert.equal(loc(place), text);
  assert.deepEqual(place, { cell: 0xa9b40019, origin: [84, Math.fround(7.1), 94], rotation: [1, 0, 0, 0] });
  assert.deepEqual(structuredClone(place), place);
  assert.deepEqual(moved(place, 1, 2, 3).origin.map((x) => Math.round(x * 10) / 10), [85, 9.1, 97]);
  near(heading(facing(place, 90)), 90, 0.001);
  assert.ok(!isInside(place) && isInside({ ...place, cell: 0xa9b40100 }));
  const many = positions([0xa9b40019], place.origin);
  assert.deepEqual([...onMap(many)], [0xa9 * 192 + 84, 0xb4 * 192 + Math.fround(7.1), 94]);
  assert.deepEqual([...many.rotations], [1, 0, 0, 0]);
  assert.deepEqual([...positions(7, new Float32Array(6)).cells], [7, 7]);
});

test("objects outlive the JavaScript object of their world, but not the world", () => {
  const world = fresh();
  const door = world.find("Cottage Door");
  world.free();
  assert.equal(door.use(), "open");
  const other = fresh();
  const street = other.walker("Village Street");
  other.close();
  other.close();
  assert.throws(() => street.position, /the world is closed/);
});
