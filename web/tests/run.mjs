// The explorer's page in a real browser, used as people use it: `node run.mjs DIST NATIVE OUT`.
//
// DIST is the folder that `cargo web` makes, NATIVE the folder in which the native explorer has run `walk.txt`, OUT where
// pictures of failures go. THRESHOLD_ACCEPT=1 keeps the pictures that were made as the expected ones.

import { chromium } from "playwright-core";
import { PNG } from "pngjs";
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const [dist, native, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
const here = import.meta.dirname;
const golden = path.join(here, "golden");
const accept = process.env.THRESHOLD_ACCEPT === "1";
fs.mkdirSync(out, { recursive: true });

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".txt": "text/plain" };

// A static server as simple as they come; under a folder, so that only relative addresses work.
const BASE = "/some/folder/";
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const relative = name.startsWith(BASE) ? name.slice(BASE.length) || "index.html" : "missing";
  const file = [path.join(dist, relative), path.join(here, relative)].find((file) => fs.existsSync(file));
  if (!file || relative.includes("..")) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
  fs.createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

// Before the door of the cottage.
const DOOR = encodeURIComponent("Cottage Door");

const started = Date.now();
const complaints = [];

// A browser that nobody has used, whose console and network are watched.
async function browser(options = {}) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "threshold-web-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM,
    headless: true,
    viewport: { width: 640, height: 360 },
    acceptDownloads: true,
    args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
      "--disable-sync", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    ...options,
  });
  context.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(`${origin}/`) && !/^(data|blob):/.test(address)) complaints.push(`foreign request: ${address}`);
  });
  const watch = (page) => {
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(`console: ${message.text()}`);
    });
    page.on("pageerror", (error) => complaints.push(`page: ${error.message}`));
  };
  context.pages().forEach(watch);
  context.on("page", watch);
  const close = async () => {
    await context.close();
    fs.rmSync(profile, { recursive: true, force: true });
  };
  return { context, page: context.pages()[0], close };
}

async function open(page, query = "") {
  await page.goto(`${origin}${BASE}${query}`);
  await page.waitForFunction(() => document.getElementById("cover").hidden, null, { timeout: 120_000 });
}

const state = (page) => page.evaluate(() => globalThis.threshold.state());

// How long frames take while the player runs.
const frames = (page) =>
  page.evaluate(async () => {
    const times = [];
    for (let last = await new Promise(requestAnimationFrame), begin = last; last - begin < 3000; ) {
      const now = await new Promise(requestAnimationFrame);
      times.push(now - last);
      last = now;
    }
    times.sort((a, b) => a - b);
    return `${times.length} frames in 3 s, median ${times[times.length >> 1].toFixed(1)} ms, longest ${times.at(-1).toFixed(1)} ms`;
  });

async function until(page, what, done) {
  for (let attempt = 0; attempt < 300; attempt++) {
    const now = await state(page);
    if (done(now)) return now;
    await page.waitForTimeout(100);
  }
  assert.fail(`${what}: ${JSON.stringify(await state(page)).slice(0, 600)}`);
}

// Compares a picture with the expected one: the mean difference of a channel, and the part of pixels that differ clearly.
function compare(name, bytes) {
  const expected = path.join(golden, `${name}.png`);
  fs.writeFileSync(path.join(out, `${name}.png`), bytes);
  if (accept) fs.writeFileSync(expected, bytes);
  const [a, b] = [fs.readFileSync(expected), bytes].map((png) => PNG.sync.read(png));
  assert.deepEqual([a.width, a.height], [b.width, b.height], `${name}: the size of the picture`);
  let sum = 0;
  let clear = 0;
  for (let i = 0; i < a.data.length; i += 4) {
    const apart = [0, 1, 2].map((channel) => Math.abs(a.data[i + channel] - b.data[i + channel]));
    sum += apart[0] + apart[1] + apart[2];
    clear += Math.max(...apart) > 24 ? 1 : 0;
  }
  const mean = sum / (a.data.length * 0.75);
  const part = clear / (a.data.length / 4);
  assert.ok(mean < 2 && part < 0.02, `${name}: ${mean.toFixed(2)} off in the mean, ${(part * 100).toFixed(2)} % clearly; see ${out}`);
}

// Does what a script says, and has the files that it writes.
async function script(page, name, backend) {
  const files = new Map();
  const arrived = [];
  page.on("download", (download) => arrived.push(download.path().then((file) => files.set(download.suggestedFilename(), fs.readFileSync(file)))));
  await open(page, `?script=${name}&at=${DOOR}&backend=${backend}`);
  const wanted = fs.readFileSync(path.join(here, name), "utf8").match(/^[\d.]+ +(picture|state|screenshot) /gm).length;
  for (let attempt = 0; attempt < 3000 && arrived.length < wanted; attempt++) await page.waitForTimeout(100);
  await Promise.all(arrived);
  assert.equal(files.size, wanted, `files of the script: ${[...files.keys()]}`);
  return files;
}

const tests = {
  async "the same script gives the same state and pictures as the native program"() {
    for (const [name, backend, apart] of [["walk.txt", "cpu", 0], ["door.txt", "gpu", 0.02]]) {
      const { page, close } = await browser({ viewport: { width: 480, height: 270 } });
      for (const [file, bytes] of await script(page, name, backend)) {
        const own = fs.readFileSync(path.join(native, file));
        if (file.endsWith(".json")) {
          const [shown, expected] = [bytes, own].map((json) => JSON.parse(json));
          assert.equal(shown.hash, expected.hash, `${file}, ${backend}: the state's hash`);
          assert.deepEqual(shown, expected, `${file}, ${backend}`);
        } else if (file === "window.png") {
          compare("window", bytes);
        } else {
          const [a, b] = [own, bytes].map((png) => PNG.sync.read(png).data);
          assert.equal(a.length, b.length, `${file}, ${backend}: the size of the picture`);
          const clearly = b.filter((byte, i) => Math.abs(byte - a[i]) > (apart ? 24 : 0)).length;
          assert.ok(clearly <= apart * a.length, `${file}, ${backend}: ${clearly} of ${a.length} bytes differ from the native picture`);
        }
      }
      await close();
    }
  },

  async "the first picture, then keys open the door and lead in, T leads to the cellar"() {
    const { page, close } = await browser();
    await open(page, `?at=${DOOR}&backend=cpu`);
    const ready = await page.evaluate(() => performance.getEntriesByName("ready")[0].startTime);
    console.log(`   ready after ${(ready / 1000).toFixed(2)} s`);
    const outside = await until(page, "the first picture", (now) => now.tick > 5 && now.landscape);
    assert.equal(outside.cell, "0x80800015", "the link's own place");
    const shut = outside.doors.filter((door) => door.open).length;
    console.log(`   on the processor: ${await frames(page)}`);
    await page.keyboard.press("KeyE");
    await until(page, "the door opens", (now) => now.doors.filter((door) => door.open).length === shut + 1);
    await page.waitForTimeout(1000);
    await page.keyboard.down("KeyW");
    await until(page, "walks in", (now) => Number(now.cell) >= 0x80800100);
    await page.keyboard.up("KeyW");
    await page.keyboard.press("KeyT");
    await page.waitForTimeout(500);
    await page.keyboard.type("Cottage Cellar", { delay: 30 });
    await page.keyboard.press("Enter");
    const cellar = await until(page, "the cellar", (now) => now.crossings.length > 1 && !now.landscape && now.loading === null);
    assert.ok(Number(cellar.cell) >= 0x80800100, cellar.cell);
    await page.setViewportSize({ width: 900, height: 500 });
    await page.waitForTimeout(500);
    const canvas = await page.evaluate(() => {
      const world = document.getElementById("world");
      return [world.width, world.height];
    });
    assert.deepEqual(canvas, [900, 500], "the picture is as large as the page");
    await close();
  },

  async "settings are remembered, and the page works without a network"() {
    const { context, page, close } = await browser();
    await open(page);
    await page.keyboard.press("KeyH");
    await page.waitForFunction(() => localStorage.getItem("threshold-explorer.json")?.includes('"help": true'), null, { timeout: 30_000 });
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.waitForFunction(async () => (await caches.keys()).length === 1);
    await context.setOffline(true);
    server.closeAllConnections();
    await open(page, "?at=Tower%20Lookout");
    const now = await until(page, "the tower", (now) => now.tick > 5);
    assert.ok(await page.evaluate(() => localStorage.getItem("threshold-explorer.json").includes('"help": true')));
    assert.notEqual(now.cell, "0x80800015");
    await close();
  },

  async "fingers: one looks around, the stick walks, a tap opens the door"() {
    const { context, page, close } = await browser({ viewport: { width: 390, height: 700 }, hasTouch: true });
    await open(page, `?at=${DOOR}&backend=cpu`);
    const before = await until(page, "the first picture", (now) => now.tick > 5);
    const hand = await context.newCDPSession(page);
    const touch = (type, ...points) => hand.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y]) => ({ x, y })) });
    const closed = before.doors.filter((door) => door.open).length;
    await page.touchscreen.tap(195, 330);
    await until(page, "the tap opens the door", (now) => now.doors.filter((door) => door.open).length === closed + 1);
    await page.waitForTimeout(1000);
    const stick = [36 + 56, 700 - 36 - 56];
    await touch("touchStart", stick);
    await touch("touchMove", [stick[0], stick[1] - 60]);
    await until(page, "the stick walks in", (now) => Number(now.cell) >= 0x80800100);
    await touch("touchEnd");
    const heading = (now) => now.loc.split("]")[1].trim();
    const still = await until(page, "stands", (now) => now.tick > before.tick);
    await touch("touchStart", [200, 200]);
    for (let x = 200; x <= 320; x += 20) await touch("touchMove", [x, 200]);
    await touch("touchEnd");
    await until(page, "the finger turns", (now) => heading(now) !== heading(still));
    fs.writeFileSync(path.join(out, "touch.png"), await page.screenshot());
    await close();
  },
};

let failures = 0;
const chosen = Object.entries(tests).filter(([name]) => !process.env.ONLY || name.includes(process.env.ONLY));
for (const [name, test] of chosen) {
  const begin = Date.now();
  complaints.length = 0;
  try {
    await test();
    assert.deepEqual(complaints, [], "the console and the network are quiet");
    console.log(`ok   ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failures += 1;
    console.log(`FAIL ${name}\n${error.stack}\n${complaints.join("\n")}`);
  }
}
console.log(`${chosen.length - failures} of ${chosen.length} passed in ${((Date.now() - started) / 1000).toFixed(0)} s`);
process.exit(failures || chosen.length === 0 ? 1 : 0);
