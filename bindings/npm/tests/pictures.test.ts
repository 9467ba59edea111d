import assert from "node:assert/strict";
import { test } from "node:test";
import { World } from "threshold-web";
import type { Picture } from "threshold-web";
import { fresh } from "./worlds.js";

const differ = (a: Picture, b: Picture): number => a.rgba.filter((byte, index) => byte !== b.rgba[index]).length;
const mean = (picture: Picture): number => picture.rgba.reduce((sum, byte) => sum + byte, 0) / picture.rgba.length;

test("a plan says what is seen through what", () => {
  const world = fresh();
  const room = world.place("Cottage Living Room").cell;
  const plan = world.plan("Cottage Living Room", 640, 360);
  assert.deepEqual([plan.viewerCell, plan.outside, plan.cells[0]?.cell, plan.cells[0]?.distance], [room, false, room, 0]);
  assert.ok(plan.cells.length > 1 && plan.landscape.length > 0 && plan.buildings.length > 0);
  for (const region of plan.cells.flatMap((cell) => cell.regions)) {
    assert.ok(region.length >= 6 && region.every((corner) => Math.abs(corner) <= 1.001));
  }
  const operations = plan.steps.map((step) => (step as { op: string }).op);
  assert.deepEqual([operations[0], operations.at(-1)], ["begin_frame", "end_frame"]);
});

test("a picture shows an open door", () => {
  const world = fresh();
  const closed = world.render("Cottage Door", 160, 90);
  assert.deepEqual([closed.width, closed.height, closed.rgba.length], [160, 90, 160 * 90 * 4]);
  assert.ok(closed.rgba.every((byte, index) => index % 4 !== 3 || byte === 255));
  assert.equal(differ(world.render("Cottage Door", 160, 90), closed), 0);
  world.find("Cottage Door").use();
  world.advance(2);
  assert.ok(differ(world.render("Cottage Door", 160, 90), closed) > 1000);
});

test("a player sees with its own eye", () => {
  const world = fresh();
  const me = world.walker("Cottage Door");
  world.advance(0.5);
  const own = world.render(me, 160, 90);
  assert.ok(differ(own, world.render("Cottage Door", 160, 90)) > 0);
  assert.notEqual(world.plan(me).viewerCell, undefined);
  assert.ok(mean(world.render(me, 160, 90, { afterNoon: 0.5 })) < mean(own));
});

test("a map tile shows a block from above", () => {
  const world = fresh();
  const tile = world.mapTile(0x8080, { pixels: 128 });
  assert.deepEqual([tile.width, tile.height], [128, 128]);
  const part = world.mapTile(0x8080, { window: [48, 96, 72, 108], pixels: 128, cut: 21 });
  assert.deepEqual([part.width, part.height], [128, 64]);
  assert.ok(world.mapTile(0x8080, { around: 1, pixels: 96 }).width <= 96);
});

test("the same pictures as from another world", () => {
  assert.equal(differ(fresh().render("Village Street", 80, 45), World.sample().render("Village Street", 80, 45)), 0);
});
