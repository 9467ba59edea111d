// The page of `threshold map --tiles` in a real browser, used as people use it: `node map.mjs TILES OUT`.
//
// TILES is the folder with the page of the sample world, OUT where pictures go. The page is opened from the disk and from a server.

import { chromium } from "playwright-core";
import { PNG } from "pngjs";
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [tiles, out] = process.argv.slice(2).map((folder) => path.resolve(folder));
fs.mkdirSync(out, { recursive: true });
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".png": "image/png" };
const BASE = "/some/folder/";
const server = http.createServer((request, response) => {
  const name = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
  const file = path.join(tiles, name.startsWith(BASE) ? name.slice(BASE.length) || "index.html" : "missing");
  if (!file.startsWith(tiles) || !fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
  fs.createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const complaints = [];
const context = await chromium.launchPersistentContext(fs.mkdtempSync(path.join(os.tmpdir(), "threshold-map-")), {
  executablePath: process.env.CHROMIUM,
  headless: true,
  hasTouch: true,
  viewport: { width: 1000, height: 640 },
  args: ["--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
context.on("request", (request) => {
  if (!/^(file|data):/.test(request.url()) && !request.url().startsWith(`${origin}/`)) complaints.push(`foreign request: ${request.url()}`);
});
context.on("requestfailed", (request) => complaints.push(`failed: ${request.url()}`));
context.on("response", (response) => { if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`); });

// Everything that is wanted is there, and drawn.
const settled = (page) => page.waitForFunction(() => document.body.dataset.pending === "0", null, { timeout: 20_000 });
async function state(page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await settled(page);
  return JSON.parse(await page.evaluate(() => document.body.dataset.state));
}
async function shot(page, name) {
  await settled(page);
  const bytes = await page.screenshot({ path: path.join(out, `${name}.png`) });
  const { data, width, height } = PNG.sync.read(bytes);
  const colors = new Set();
  for (let i = 0; i < width * height; i += 7) colors.add(data.readUIntBE(i * 4, 3) & 0xF0F0F0);
  assert.ok(colors.size > 25, `${name} is nearly empty: ${colors.size} colours`);
  return bytes;
}
async function open(address) {
  const page = await context.newPage();
  page.on("console", (message) => { if (message.type() === "error") complaints.push(`console: ${message.text()}`); });
  page.on("pageerror", (error) => complaints.push(`page: ${error}`));
  await page.goto(address);
  await page.waitForFunction(() => document.body.dataset.state);
  return page;
}

for (const [kind, address] of [["disk", pathToFileURL(path.join(tiles, "index.html")).href], ["server", `${origin}${BASE}`]]) {
  const page = await open(address);
  const first = await state(page);
  assert.equal(first.dungeon, null);
  const whole = await shot(page, `${kind}-whole`);

  // Coordinates under the pointer, and a wheel that keeps the point under it where it is.
  const where = () => page.evaluate(() => document.getElementById("where").value);
  await page.mouse.move(600, 300);
  const pointed = await where();
  assert.match(pointed, /^\d+\.\d[NS]?, \d+\.\d[EW]? · 0x[0-9A-F]{4} \[/);
  for (let i = 0; i < 4; i++) await page.mouse.wheel(0, -300);
  const zoomed = await state(page);
  assert.ok(zoomed.zoom > first.zoom + 2, `${zoomed.zoom} after ${first.zoom}`);
  await page.mouse.move(600, 300);
  const block = (text) => text.split(" · ")[1].split(" ")[0];
  assert.equal(block(await where()), block(pointed));
  assert.notDeepEqual(await shot(page, `${kind}-zoomed`), whole);

  // Dragging moves the land with the pointer.
  await page.mouse.move(500, 320);
  await page.mouse.down();
  await page.mouse.move(620, 260, { steps: 4 });
  await page.mouse.up();
  const panned = await state(page);
  const metre = 2 ** zoomed.zoom / 192;
  assert.ok(Math.abs(zoomed.x - panned.x - 120 / metre) < 1 && Math.abs(panned.y - zoomed.y + 60 / metre) < 1, "dragged");

  // Keys.
  await page.keyboard.press("ArrowRight");
  assert.ok((await state(page)).x > panned.x);
  await page.keyboard.press("-");
  assert.equal((await state(page)).zoom, panned.zoom - 0.5);
  await page.keyboard.press("Home");
  assert.deepEqual((await state(page)).zoom, first.zoom);

  // A place by its name, then as deep as it goes.
  await page.fill("#place", "Village Street");
  await page.press("#place", "Enter");
  const street = await state(page);
  assert.ok(street.zoom >= 9);
  await shot(page, `${kind}-street`);
  await page.click("#in");
  await page.click("#in");
  await shot(page, `${kind}-deep`);

  // A dungeon and its floors, one by one.
  const dungeon = await page.evaluate(() => DATA.dungeons.reduce((a, b) => (b.floors.length > a.floors.length ? b : a)));
  assert.ok(dungeon.floors.length >= 3, "the sample world has a dungeon with floors");
  await page.fill("#place", dungeon.name);
  await page.press("#place", "Enter");
  assert.equal((await state(page)).dungeon, dungeon.id);
  const pictures = [await shot(page, `${kind}-dungeon-all`)];
  for (let floor = 1; floor < dungeon.floors.length; floor++) {
    await page.click(`#floors button:nth-child(${floor + 1})`);
    assert.equal((await state(page)).floor, floor);
    assert.equal(await page.getAttribute(`#floors button:nth-child(${floor + 1})`, "aria-pressed"), "true");
    pictures.push(await page.screenshot({ path: path.join(out, `${kind}-floor-${floor}.png`) }));
  }
  assert.equal(new Set(pictures.map((bytes) => bytes.toString("base64"))).size, pictures.length, "every floor looks different");
  await page.keyboard.press("PageDown");
  assert.equal((await state(page)).floor, dungeon.floors.length - 2);

  // The address leads back to the same view.
  await page.waitForFunction((end) => location.hash.endsWith(end), `,${dungeon.id},${dungeon.floors.length - 2}`);
  const again = await open(page.url());
  assert.deepEqual({ ...(await state(again)), x: 0, y: 0, zoom: 0 }, { ...(await state(page)), x: 0, y: 0, zoom: 0 });
  await again.close();
  await page.keyboard.press("Escape");
  assert.equal((await state(page)).dungeon, null);

  // Two fingers.
  const before = await state(page);
  const client = await context.newCDPSession(page);
  const fingers = (type, spread) => client.send("Input.dispatchTouchEvent", {
    type, touchPoints: type === "touchEnd" ? [] : [{ x: 500 - spread, y: 320, id: 1 }, { x: 500 + spread, y: 320, id: 2 }],
  });
  await fingers("touchStart", 40);
  for (const spread of [60, 80, 100, 120]) await fingers("touchMove", spread);
  await fingers("touchEnd", 120);
  const pinched = await state(page);
  assert.ok(pinched.zoom > before.zoom + 1, `${pinched.zoom} after ${before.zoom}`);
  await page.close();
  console.log(`${kind}: looked at, zoomed, dragged, searched, ${dungeon.floors.length} floors, pinched`);
}
await context.close();
server.close();
assert.deepEqual(complaints, []);
