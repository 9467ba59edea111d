// The explorer's page in a real browser, used as people use it: `node run.mjs DIST NATIVE OUT [MINUTES]`.
//
// DIST is the folder that `cargo web` makes, NATIVE the folder in which the native explorer has run `walk.txt` and `own.txt`
// and `threshold record` has written a session, OUT where pictures of failures go, MINUTES how long the last test plays.
// ONLY=TEXT runs the tests whose names contain it; THRESHOLD_ACCEPT=1 keeps the pictures that were made as the expected ones.

import { chromium } from "playwright-core";
import { PNG } from "pngjs";
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { launch } from "./firefox.mjs";
import { spread } from "./large.mjs";
import { record } from "./recording.mjs";

const [dist, native, out] = process.argv.slice(2, 5).map((folder) => path.resolve(folder));
const minutes = Number(process.argv[5] ?? 1);
const here = import.meta.dirname;
// A world of own files, and where its cottage is entered.
const cottage = path.join(here, "../../crates/golden/data/worlds/cottage");
const DATS = ["client_portal.dat", "client_cell_1.dat"].map((name) => path.join(cottage, name));
const DOORSTEP = encodeURIComponent("0xA9B40019 [84 70 20] 1 0 0 0");
const golden = path.join(here, "golden");
const accept = process.env.THRESHOLD_ACCEPT === "1";
fs.mkdirSync(out, { recursive: true });

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".txt": "text/plain" };

// A static server as simple as they come; under a folder, so that only relative addresses work.
const BASE = "/some/folder/";
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const relative = name.startsWith(BASE) ? name.slice(BASE.length) || "index.html" : "missing";
  const file = [dist, here, native].map((folder) => path.join(folder, relative)).find((file) => fs.existsSync(file));
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
  return { context, page: context.pages()[0], profile, close };
}

// Bytes of memory that the pages of a browser have: its renderer processes, whose program's name says what they are.
function renderers(profile) {
  const all = fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const [stat, line, status] = ["stat", "cmdline", "status"].map((name) => fs.readFileSync(`/proc/${pid}/${name}`, "utf8"));
      const resident = Number(status.match(/^VmRSS:\s+(\d+)/m)?.[1] ?? 0) * 1024;
      return [{ pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]), line, resident }];
    } catch {
      return [];
    }
  });
  const own = new Set(all.filter(({ line }) => line.includes(profile)).map(({ pid }) => pid));
  for (let before = -1; before !== own.size; ) {
    before = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.filter(({ pid, line }) => own.has(pid) && line.includes("--type=renderer")).reduce((sum, { resident }) => sum + resident, 0);
}

// A page that waits for files of one's own gets them.
async function chooseFiles(page, files) {
  await page.waitForFunction(() => document.getElementById("files").open, null, { timeout: 120_000 });
  await page.setInputFiles(typeof files === "string" ? "#folder" : "#some", files);
}

// What the page says about files that it cannot use.
async function refusal(page, files) {
  await chooseFiles(page, files);
  await page.waitForFunction(() => document.getElementById("files-say").classList.contains("failed"), null, { timeout: 60_000 });
  const text = await page.textContent("#files-say");
  await page.evaluate(() => document.getElementById("files-say").classList.remove("failed"));
  return text;
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

// Has a page do what a script says, and collects the files that it writes.
async function script(page, name, start) {
  const files = new Map();
  const arrived = [];
  page.on("download", (download) => arrived.push(download.path().then((file) => files.set(download.suggestedFilename(), fs.readFileSync(file)))));
  await start();
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
      for (const [file, bytes] of await script(page, name, () => open(page, `?script=${name}&at=${DOOR}&backend=${backend}`))) {
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
    // A panel is a sheet over the lower half, as wide as the screen.
    await page.keyboard.press("KeyH");
    await page.waitForTimeout(1500);
    const sheet = await page.screenshot();
    fs.writeFileSync(path.join(out, "sheet.png"), sheet);
    const { data, width } = PNG.sync.read(sheet);
    // How much of a row has the ground of panels, which is dark and almost opaque.
    const dark = (y) => {
      let count = 0;
      for (let x = 0; x < width; x++) count += Math.max(...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 3)) < 60 ? 1 : 0;
      return count / width;
    };
    assert.ok(dark(690) > 0.85 && dark(695) > 0.85, `the sheet ends at the bottom: ${dark(690)}, ${dark(695)} of the width`);
    assert.ok(dark(250) < 0.5 && dark(300) < 0.5, `the picture is above it: ${dark(250)}, ${dark(300)} of the width`);
    await close();
  },

  async "files of one's own: the same walk as in the native program, whatever they are called"() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "threshold-own-"));
    // Under each other's names.
    DATS.forEach((file, i) => fs.copyFileSync(file, path.join(folder, path.basename(DATS[1 - i]))));
    fs.writeFileSync(path.join(folder, "readme.txt"), "Not a data file.");
    for (const files of [DATS, folder]) {
      const { page, close } = await browser({ viewport: { width: 480, height: 270 } });
      const written = await script(page, "own.txt", async () => {
        await page.goto(`${origin}${BASE}?own&script=own.txt&at=${DOORSTEP}&backend=cpu`);
        await chooseFiles(page, files);
      });
      for (const [file, bytes] of written) {
        const own = fs.readFileSync(path.join(native, file));
        if (file.endsWith(".json")) assert.deepEqual(JSON.parse(bytes), JSON.parse(own), file);
        else assert.ok(PNG.sync.read(bytes).data.equals(PNG.sync.read(own).data), `${file}: the picture`);
      }
      assert.equal(JSON.parse(written.get("own-inside.json")).cell, "0xA9B40101", "it has walked in");
      await close();
    }
    fs.rmSync(folder, { recursive: true });
  },

  async "files of one's own: wrong ones are named, dropped ones take the place of the sample world, and a worker reaches nothing"() {
    let strangers = 0;
    const stranger = http.createServer((_, response) => {
      strangers += 1;
      response.writeHead(200, { "Access-Control-Allow-Origin": "*" }).end();
    });
    await new Promise((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { page, close } = await browser();
    await open(page, "?backend=cpu");
    await until(page, "the sample world", (now) => now.tick > 5);
    await page.click("#own");
    const text = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("Nothing of use. ".repeat(100)) };
    const damaged = fs.readFileSync(DATS[0]);
    damaged.fill(0, 0x140, 0x150);
    assert.match(await refusal(page, [text]), /notes\.txt: not a usable dat file: magic/);
    assert.match(await refusal(page, [DATS[0]]), /client_cell_1\.dat: it is not among the files/);
    assert.match(await refusal(page, [DATS[1]]), /client_portal\.dat: it is not among the files/);
    const wrong = { name: "client_portal.dat", mimeType: "application/octet-stream", buffer: damaged };
    assert.match(await refusal(page, [wrong, { ...wrong, name: "client_cell_1.dat" }]), /client_portal\.dat: not a usable dat file/);
    fs.writeFileSync(path.join(out, "files.png"), await page.screenshot());
    await page.click("#files-close");
    const now = await state(page);
    assert.ok(now.cell.startsWith("0x8080"), "the sample world is still there");
    // As if the two files were dropped on the picture.
    const bytes = DATS.map((file) => [path.basename(file), fs.readFileSync(file).toString("base64")]);
    await page.evaluate((files) => {
      const data = new DataTransfer();
      for (const [name, text] of files) data.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
      document.getElementById("world").dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, bytes);
    await until(page, "the own world", (now) => now.cell.startsWith("0xA9B4") && now.tick > 0 && now.landscape && now.loading === null);
    await page.waitForFunction(() => !document.getElementById("files").open);
    // Keys, the line for places and loading go on as in any world.
    await page.keyboard.press("KeyT");
    await page.waitForTimeout(500);
    await page.keyboard.type("0xA9B40107 [83 83 17.155] 1 0 0 0", { delay: 10 });
    await page.keyboard.press("Enter");
    await until(page, "the cellar, without the landscape", (now) => now.cell === "0xA9B40107" && !now.landscape);
    // Panels show what the files contain: the plan of visible cells, the journal, the map.
    const pixels = async () => new Uint32Array(PNG.sync.read(await page.screenshot()).data.buffer);
    const plain = await pixels();
    for (const key of ["Digit2", "Digit3", "Digit4"]) {
      await page.keyboard.press(key);
      await page.waitForTimeout(1000);
      fs.writeFileSync(path.join(out, `own-${key}.png`), await page.screenshot());
      const shown = await pixels();
      const others = shown.filter((pixel, i) => pixel !== plain[i]).length;
      assert.ok(others > plain.length * 0.1, `${key} shows a panel: ${others} pixels have changed`);
      await page.keyboard.press(key);
      await page.waitForTimeout(300);
    }
    const address = `http://127.0.0.1:${stranger.address().port}/`;
    const reached = page.workers().map((worker) => worker.evaluate((address) => fetch(address).then(() => "reached", () => "refused"), address));
    assert.deepEqual(await Promise.all(reached), ["refused"]);
    assert.equal(strangers, 0, "the worker reaches nothing but the page's own folder");
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes(address)));
    stranger.close();
    await close();
  },

  async "frames take less than 30 ms of processor time from the first picture on"() {
    const { context, page, close } = await browser();
    const recorded = await record(await context.newCDPSession(page));
    await open(page, `?at=${encodeURIComponent("Village Street")}&backend=cpu`);
    await until(page, "the landscape", (now) => now.tick > 5 && now.loading === null);
    await page.keyboard.down("KeyW");
    await page.waitForTimeout(4000);
    await page.keyboard.up("KeyW");
    const [used] = await recorded(["ready"]);
    const drawn = used.filter((spent) => spent > 1).sort((a, b) => a - b);
    const summary = `${drawn.length} frames, median ${drawn[drawn.length >> 1]?.toFixed(1)} ms, longest ${drawn.at(-1)?.toFixed(1)} ms`;
    console.log(`   ${summary}`);
    assert.ok(drawn.length > 20, summary);
    // One may be late: other programs use the processor's caches, too.
    assert.ok(drawn.at(-2) < 30 && drawn.at(-1) < 60, summary);
    await close();
  },

  async "files of one's own: 2 GB of them take less than 600 MB of memory"() {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "threshold-large-"));
    const large = DATS.map((file) => path.join(folder, path.basename(file)));
    const sizes = [spread(DATS[0], large[0], 10000), spread(DATS[1], large[1], 50000)];
    assert.ok(sizes[0] > 1.5e9);
    const { page, profile, close } = await browser({ viewport: { width: 480, height: 270 } });
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, renderers(profile))), 100);
    const written = await script(page, "own.txt", async () => {
      await page.goto(`${origin}${BASE}?own&script=own.txt&at=${DOORSTEP}&backend=cpu`);
      await chooseFiles(page, large);
    });
    clearInterval(watch);
    for (const [file, bytes] of written) {
      if (file.endsWith(".json")) assert.deepEqual(JSON.parse(bytes), JSON.parse(fs.readFileSync(path.join(native, file))), file);
    }
    console.log(`   files of ${sizes.map((size) => (size / 1e6).toFixed(0)).join(" and ")} MB: the page's processes have at most ${(most / 1e6).toFixed(0)} MB`);
    assert.ok(most > 10e6 && most < 600e6, `${most} bytes`);
    await close();
    fs.rmSync(folder, { recursive: true });
  },

  async "links lead to places and sessions, and are copied"() {
    const { context, page, close } = await browser({ viewport: { width: 900, height: 600 } });
    await open(page, "?session=session.pcap&backend=cpu");
    const first = await until(page, "the session", (now) => now.tick > 5);
    await until(page, "it goes on", (now) => now.tick > first.tick + 30);
    await open(page, `?at=${DOOR}&backend=cpu`);
    await until(page, "the first picture", (now) => now.tick > 5);
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin });
    await page.keyboard.press("Digit2");
    await page.waitForTimeout(500);
    const { loc } = await state(page);
    let link = "";
    // The button is somewhere at the top of the panel; the lines around it copy other things.
    for (let y = 60; y < 180 && !link.includes("?at="); y += 9) {
      await page.mouse.move(550, y);
      await page.mouse.down();
      await page.waitForTimeout(300);
      await page.mouse.up();
      await page.waitForTimeout(700);
      link = await page.evaluate(() => navigator.clipboard.readText());
    }
    fs.writeFileSync(path.join(out, "inspector.png"), await page.screenshot());
    assert.equal(link, `${origin}${BASE}?at=${encodeURIComponent(loc)}`, "the link that was copied");
    await page.goto(link);
    await page.waitForFunction(() => document.getElementById("cover").hidden, null, { timeout: 120_000 });
    const there = await until(page, "the link's place", (now) => now.tick > 5);
    assert.equal(there.cell, loc.split(" ")[0]);
    await close();
  },

  async "the keyboard belongs to what has the focus, and the mouse is held while it looks around"() {
    const { page, close } = await browser();
    await open(page, `?at=${DOOR}&backend=cpu`);
    const before = await until(page, "the first picture", (now) => now.tick > 5);
    assert.equal(await page.evaluate(() => document.activeElement.id), "world");
    await page.focus("#own");
    await page.keyboard.down("KeyS");
    await page.waitForTimeout(500);
    await page.keyboard.up("KeyS");
    assert.equal((await state(page)).loc, before.loc, "keys of a button move nobody");
    await page.mouse.click(320, 60);
    assert.equal(await page.evaluate(() => document.activeElement.id), "world");
    await page.keyboard.down("KeyS");
    await until(page, "walks back", (now) => now.loc !== before.loc);
    await page.keyboard.up("KeyS");
    await page.mouse.move(320, 180);
    await page.mouse.down({ button: "right" });
    await page.waitForFunction(() => document.pointerLockElement?.id === "world", null, { timeout: 10_000 });
    const heading = (now) => now.loc.split("]")[1];
    const still = await state(page);
    await page.mouse.move(420, 180, { steps: 5 });
    await until(page, "the mouse turns", (now) => heading(now) !== heading(still));
    await page.mouse.up({ button: "right" });
    await page.waitForFunction(() => document.pointerLockElement === null, null, { timeout: 10_000 });
    await close();
  },

  async "Firefox: keys open the door and lead in, and files of one's own are read"() {
    const page = await launch(process.env.FIREFOX);
    const now = () => page.evaluate("globalThis.threshold.state()");
    const reaches = async (what, done) => {
      for (let attempt = 0; attempt < 300; attempt++) {
        if (done(await now())) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      assert.fail(`${what}: ${JSON.stringify(await now()).slice(0, 600)}`);
    };
    const shown = async () => {
      for (let attempt = 0; attempt < 600; attempt++) {
        if (await page.evaluate('document.getElementById("cover").hidden')) return;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
      assert.fail(await page.evaluate('document.getElementById("doing").textContent'));
    };
    await page.resize(480, 270);
    await page.goto(`${origin}${BASE}?at=${DOOR}&backend=cpu`);
    await shown();
    await reaches("the first picture", (now) => now.tick > 5 && now.landscape);
    const shut = (await now()).doors.filter((door) => door.open).length;
    await page.key("down", "e");
    await page.key("up", "e");
    await reaches("the door opens", (now) => now.doors.filter((door) => door.open).length === shut + 1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await page.key("down", "w");
    await reaches("walks in", (now) => Number(now.cell) >= 0x80800100);
    await page.key("up", "w");
    fs.writeFileSync(path.join(out, "firefox.png"), await page.screenshot());
    await page.goto(`${origin}${BASE}?own&at=${DOORSTEP}&backend=cpu`);
    for (let attempt = 0; attempt < 300 && !(await page.evaluate('document.getElementById("files").open')); attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    await page.choose("#some", DATS);
    await shown();
    await reaches("the own world", (now) => now.cell.startsWith("0xA9B4") && now.tick > 5);
    await page.key("down", "w");
    await reaches("walks in", (now) => now.cell === "0xA9B40101");
    await page.key("up", "w");
    assert.deepEqual(page.errors(), [], "the console");
    const foreign = page.requests().filter((address) => !address.startsWith(`${origin}/`) && !/^(data|blob):/.test(address));
    assert.deepEqual(foreign, [], "the network");
    await page.close();
  },

  async "play goes on without growing"() {
    const { page, profile, close } = await browser();
    await open(page, `?at=${DOOR}&backend=cpu`);
    await until(page, "the landscape", (now) => now.tick > 5 && now.loading === null);
    const places = ["Village Street", "Cottage Cellar", "Tower Lookout", "Cottage Door"];
    const devtools = await page.context().newCDPSession(page);
    const figures = [];
    const end = Date.now() + minutes * 60_000;
    for (let round = 0; Date.now() < end; round++) {
      await page.keyboard.press("KeyT");
      await page.waitForTimeout(200);
      await page.keyboard.type(places[round % places.length]);
      await page.keyboard.press("Enter");
      for (const key of ["KeyW", "KeyA", "KeyW", "KeyD", "Space", "KeyS"]) {
        await page.keyboard.down(key);
        await page.waitForTimeout(500);
        await page.keyboard.up(key);
      }
      if (round % places.length === places.length - 1) {
        // What is no longer used does not count.
        await devtools.send("HeapProfiler.collectGarbage");
        const own = await page.evaluate(() => globalThis.threshold.memory());
        figures.push({ own, pages: renderers(profile) });
      }
    }
    const now = await state(page);
    const megabytes = ({ own, pages }) => `${(own / 1e6).toFixed(0)} MB of its own, ${(pages / 1e6).toFixed(0)} MB in all`;
    const [first, last] = [figures[Math.min(1, figures.length - 1)], figures.at(-1)];
    const quarters = [first, ...[0.25, 0.5, 0.75].map((part) => figures[Math.floor(figures.length * part)]), last];
    console.log(`   ${minutes} min, ${now.tick} ticks, ${figures.length} rounds; from quarter to quarter: ${quarters.map(megabytes).join("; ")}`);
    assert.ok(last.own <= first.own * 1.1, `the program grows: ${figures.map(megabytes).join("; ")}`);
    assert.ok(last.pages <= first.pages * 1.1 + 30e6, `the page grows: ${figures.map(megabytes).join("; ")}`);
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
