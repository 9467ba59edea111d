import assert from "node:assert/strict";
import { test } from "node:test";
import { isInside, moved, positions } from "threshold-web";
import type { Position } from "threshold-web";
import { fresh, near, there } from "./worlds.js";

test("a closed door blocks the view and an open one does not", () => {
  const world = fresh();
  const door = world.find("Cottage Door");
  const outside = moved(world.place("Cottage Door"), 0, 0, 1.2);
  const inside = moved(world.place("Cottage Vestibule"), 0, 0, 1.2);
  const hit = there(world.lineOfSight(outside, inside));
  assert.deepEqual([hit.kind, hit.entity, hit.cell], ["entity", door.id, undefined]);
  near(hit.position.origin[1], outside.origin[1] + hit.distance, 0.01);
  assert.deepEqual([...world.linesOfSight([outside, inside], [inside, outside]).entities], [door.id, door.id]);
  door.use();
  assert.equal(world.lineOfSight(outside, inside, 0.1), undefined);
  assert.deepEqual([...world.linesOfSight([outside, inside], [inside, outside]).kinds], [0, 0]);
  assert.equal(world.lineOfSight(world.walker("Village Street"), world.walker("Village Green")), undefined);
});

test("a path over the stairs holds and one through the floor does not", () => {
  const world = fresh();
  const [room, foot] = [world.place("Cottage Living Room"), world.place("Cottage Cellar Stairs")];
  const top = (east: number): Position => ({
    ...room,
    origin: [foot.origin[0] + east, foot.origin[1] - 4.6, room.origin[2]],
  });
  const down = world.checkPath(room, [top(1.9), top(0), foot]);
  assert.deepEqual([down.holds, down.stop, down.legs, down.end.cell], [true, undefined, 3, foot.cell]);
  const up = world.checkPath(down.end, [top(0), top(1.9), room], { slow: true });
  assert.ok(up.holds && up.seconds > down.seconds && up.metres > 5 && up.deepestFall < 1);
  assert.ok(!world.checkPath(room, ["Cottage Cellar"]).holds);
  const [door, stairs] = world.checkPaths([["Cottage Door", "Cottage Vestibule"], [room, top(1.9)]]);
  assert.deepEqual([door?.stop, door?.blocker, door?.blockingEntity], ["blocked", "entity", world.find("Cottage Door").id]);
  assert.deepEqual([stairs?.holds, stairs?.blocker], [true, undefined]);
  assert.ok(world.checkPath(room, [room], { like: world.walker(room) }).holds);
});

test("a way to the cellar is walked before it is given out", () => {
  const world = fresh();
  const way = world.findPath("Village Street", "Cottage Cellar");
  assert.ok(way.reachable && way.proved && way.why === undefined && way.length > 10);
  const cellar = world.place("Cottage Cellar").cell;
  assert.deepEqual([way.waypoints.at(-1)?.cell, way.cells.at(-1)], [cellar, cellar]);
  assert.deepEqual(way.doors, [world.find("Cottage Door").guid]);
  const shut = world.findPath("Village Street", "Cottage Cellar", undefined, { opensDoors: false });
  assert.ok(!shut.reachable && there(shut.why).includes("ends before the goal") && shut.gap > 0);
  assert.ok(!isInside(shut.nearest) && shut.waypoints.length === 0);
});

test("a portal is taken by one who may", () => {
  const world = fresh();
  const walked = world.findPath("Cave Entrance", "Dungeon Great Hall");
  assert.deepEqual([walked.reachable, walked.portals], [false, []]);
  const way = world.findPath("Cave Entrance", "Dungeon Great Hall", undefined, { takesPortals: true });
  assert.ok(way.reachable);
  const [taken] = way.portals;
  assert.equal(taken?.portal, world.find("Portal to the Dungeon").guid);
  assert.ok(there(taken).waypoint + 1 < way.waypoints.length);
});

test("jumps land where they should", () => {
  const world = fresh();
  const jump = world.simulateJump("Village Street", 1, { forward: true, body: { run: 300, jump: 300 } });
  assert.ok(jump.end === "landed" && jump.height > 3.5 && jump.height < 4.5 && jump.fall > 2 && jump.bumped === undefined);
  assert.deepEqual([...jump.arc.origins.slice(-3)], jump.landing?.origin);
  assert.ok(jump.seconds > 1);
  assert.equal(world.simulateJump("Cottage Cellar").bumped, "room");
});

test("spots, ground and cells", () => {
  const world = fresh();
  const street = world.place("Village Street");
  assert.equal(world.ground(street)?.kind, "ground");
  assert.equal(world.ceiling(street), undefined);
  assert.equal(world.ceiling("Cottage Cellar")?.kind, "room");
  assert.equal(world.standAt(street)?.cell, street.cell);
  assert.equal(world.standAt(moved(street, 0, 0, 300)), undefined);
  const room = world.place("Cottage Living Room").cell;
  const spot = there(world.randomStandable(room, undefined, 7));
  assert.equal(spot.cell, room);
  assert.deepEqual(world.randomStandable(room, undefined, 7), spot);
  assert.notEqual(world.randomStandable(street, 10, 3, { setup: 0x02000001 }), undefined);
  assert.equal(world.reseat(spot, [0, 0, 1])?.cell, room);
  assert.equal(world.cellsOfSphere(moved(spot, 0, 0, 1.2), 0.2)[0], room);
  assert.ok(world.visibleCells(room).includes(world.place("Cottage Vestibule").cell));
  assert.ok(world.places().includes("Village Street") && world.blocks().length > 5);
});

test("many sweeps are as good as one", () => {
  const world = fresh();
  const door = world.find("Cottage Door");
  const [begin, end] = ["Cottage Door", "Cottage Vestibule"].map((name) => moved(world.place(name), 0, 0, 1)) as [Position, Position];
  const one = world.sweep([begin], [end], 0.2);
  assert.deepEqual([one.valid[0], one.entities[0], one.kinds[0], one.targetCells[0]], [1, door.id, 1, 0]);
  assert.ok(there(one.remaining[0]) > 0.3);
  near(one.normals[1], -1, 0.01);
  const tiled = ({ cell, origin }: Position) => positions(cell, Float32Array.from({ length: 300 }, (_, index) => there(origin[index % 3])));
  const many = world.sweep(tiled(begin), tiled(end), 0.2, "camera");
  assert.equal(many.positions.cells.length, 100);
  for (let index = 0; index < 300; index++) assert.equal(many.positions.origins[index], one.positions.origins[index % 3]);
  const hits = world.casts([begin], [end], "solid");
  assert.deepEqual([hits.kinds[0], hits.entities[0], hits.points.length, hits.cells.length], [1, door.id, 3, 1]);
  assert.ok(there(hits.distances[0]) > 1);
  assert.equal(world.cast(begin, [0, 0, -1], 5, "environment")?.kind, "ground");
});
