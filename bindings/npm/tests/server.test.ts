import assert from "node:assert/strict";
import { test } from "node:test";
import { decode, heading, moved } from "threshold-web";
import { fresh, near, read } from "./worlds.js";

const guid = 0x70000001;
const setup = 0x02000001;

test("updates follow the sequence numbers of the game", () => {
  const world = fresh();
  const [street, green] = [world.place("Village Street"), world.place("Village Green")];
  assert.equal(world.apply({ kind: "state", guid, state: 0x40c, stamp: 1 }), "queued");
  assert.equal(world.apply({ kind: "create", guid, setup, position: street, name: "Drudge", itemType: 0x10 }), "done");
  const drudge = world.find(guid);
  assert.equal(drudge.state, 0x40c);
  assert.equal(world.apply({ kind: "state", guid, state: 0x408, stamp: 1 }), "stale");
  assert.equal(world.apply({ kind: "state", guid, state: 0x408, stamp: 2 }), "done");
  assert.equal(drudge.state, 0x408);
  assert.equal(world.apply({ kind: "position", guid, position: green, stamp: 1, teleport: 1 }), "done");
  world.tick();
  assert.equal(drudge.position.cell, green.cell);
  assert.equal(world.apply({ kind: "vector", guid, velocity: [0, 0, 3], stamp: 1 }), "done");
  assert.equal(world.apply({ kind: "sound", guid, sound: 5, volume: 0.5 }), "done");
  assert.equal(world.apply({ kind: "script", guid, script: 0x33000001 }), "done");
  const kinds = world.events().map((event) => event.kind);
  for (const kind of ["created", "sound", "script"] as const) assert.ok(kinds.includes(kind), kind);
  assert.equal(world.apply({ kind: "delete", guid }), "done");
  assert.throws(() => world.find(guid), { name: "NotFoundError" });
});

test("a server orders an object to go and to turn", () => {
  const world = fresh();
  world.apply({ kind: "create", guid, setup, position: world.place("Village Green"), itemType: 0x10, motionTable: 0x09000001 });
  world.tick();
  const drudge = world.find(guid);
  const to = moved(drudge.position, 0, 4);
  assert.equal(world.apply({ kind: "move_to", guid, to, stamp: 1 }), "done");
  assert.equal(world.apply({ kind: "move_to", guid, to, stamp: 1 }), "stale");
  world.advance(4);
  assert.ok(drudge.position.origin[1] > to.origin[1] - 1);
  assert.equal(world.apply({ kind: "turn_to", guid, heading: 90, stamp: 2 }), "done");
  world.advance(3);
  near(heading(drudge.position), 90, 1);
  const before = drudge.position.origin[0];
  assert.equal(world.apply({ kind: "movement", guid, forward: 0x05, stamp: 3 }), "done");
  world.advance(1);
  assert.ok(drudge.position.origin[0] > before + 1, "it walks east");
});

test("things are held and put away", () => {
  const world = fresh();
  const position = world.place("Village Street");
  world.apply({ kind: "create", guid, setup, position, itemType: 0x10, stamps: [0, 0, 0, 0, 0, 0, 0, 0, 0] });
  world.apply({ kind: "create", guid: guid + 1, setup, position, anew: true });
  assert.equal(world.apply({ kind: "parent", child: guid + 1, parent: guid, location: 1, stamp: 1 }), "done");
  assert.equal(world.apply({ kind: "pickup", guid: guid + 1, stamp: 2 }), "done");
});

test("everything waits until the own player is named", () => {
  const world = fresh();
  world.awaitOwnPlayer();
  const position = world.place("Village Street");
  assert.equal(world.apply({ kind: "create", guid, setup, position, itemType: 0x10 }), "queued");
  assert.equal(world.ownPlayer, undefined);
  assert.equal(world.apply({ kind: "own_player", guid: 0x50000001 }), "done");
  assert.deepEqual([world.ownPlayer, world.find(guid).guid], [0x50000001, guid]);
  assert.throws(() => world.apply({ kind: "own_player", guid: 0x50000002 }), { name: "NotPossibleError" });
  assert.equal(world.apply({ kind: "teleport", stamp: 1 }), "stale", "the own player has not been described");
  world.forgetServer();
  assert.throws(() => world.find(guid), { name: "NotFoundError" });
});

test("messages are applied as they come", () => {
  const world = fresh();
  world.apply({ kind: "create", guid, setup, position: world.place("Village Street") });
  const message = new DataView(new ArrayBuffer(16));
  [0xf74b, guid, 0x40c].forEach((word, index) => message.setUint32(4 * index, word, true));
  message.setUint16(14, 1, true);
  const bytes = new Uint8Array(message.buffer);
  assert.equal(world.apply(bytes), "done");
  assert.equal(world.find(guid).state, 0x40c);
  assert.equal(world.apply(bytes), "stale");
  const other = new Uint8Array(28);
  new DataView(other.buffer).setUint32(0, 0xf7e5, true);
  assert.equal(world.apply(other), "nothing");
  assert.throws(() => world.apply(bytes.subarray(0, 7)), /not a message/);
});

test("a recorded session is decoded", () => {
  const events = decode(read("wire/village.pcap.gz"));
  const kinds = new Set(events.map((event) => event["event"]));
  assert.ok(events.length > 100 && kinds.has("created") && kinds.has("position"));
  assert.throws(() => decode(new TextEncoder().encode("no capture at all, but long enough to be read")), { name: "DataError" });
});
