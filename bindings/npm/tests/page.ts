// The example page and a worker in a real browser: node page.js NPM OUT.
//
// NPM is a folder with `example` and `dist`, OUT where pictures of the page go.
import assert from "node:assert/strict";
import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { chromium } from "playwright-core";
import type { Page } from "playwright-core";

const [folder = ".", out = "."] = process.argv.slice(2);
const TYPES: Record<string, string> = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const WORKER = `
import init, { World } from "./dist/threshold_web.js";
await init();
const world = World.sample();
const me = world.walker("Village Street");
me.walk(1);
const file = async (name) => (await fetch("./cottage/" + name)).blob();
const [portal, cell] = await Promise.all(["client_portal.dat", "client_cell_1.dat"].map(file));
const walk = (files) => {
  const world = World.open(files);
  world.walker("0xA9B40019 [84 70 20] 1 0 0 0").walk(2);
  return world.stateHash;
};
const whole = { portal: await portal.arrayBuffer(), cell: await cell.arrayBuffer() };
postMessage({ position: me.position, hash: world.stateHash, blobs: walk({ portal, cell }), bytes: walk(whole) });
`;
const COTTAGE = path.join(process.env.THRESHOLD_ROOT ?? "../..", "crates/golden/data/worlds");

const server = http.createServer((request, response) => {
  const name = new URL(request.url ?? "", "http://localhost").pathname.replace(/\/$/, "/index.html");
  const file = path.join(name.startsWith("/cottage/") ? COTTAGE : folder, path.normalize(name));
  const body = name === "/worker.js" ? WORKER : fs.existsSync(file) ? fs.readFileSync(file) : undefined;
  response.writeHead(body === undefined ? 404 : 200, { "Content-Type": TYPES[path.extname(name)] ?? "application/octet-stream" });
  response.end(body);
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const browser = await chromium.launch({
  ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
  args: ["--no-sandbox", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 640 } });
const complaints: string[] = [];
page.on("console", (message) => void (message.type() === "error" && !/favicon/.test(message.location().url) && complaints.push(message.text())));
page.on("pageerror", (error) => void complaints.push(error.message));

const where = (page: Page) => page.locator("#where").textContent().then((text) => text ?? "");

async function until(page: Page, what: string, done: (where: string) => boolean): Promise<string> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const now = await where(page);
    if (done(now)) return now;
    await page.waitForTimeout(100);
  }
  assert.fail(`${what}: ${await where(page)} ${complaints.join("\n")}`);
}

await page.goto(`${address}/example/`);
const first = await until(page, "the first picture", (text) => text.includes("0x80800015"));
assert.match(first, /closed$/);
await page.screenshot({ path: path.join(out, "example-outside.png") });
await page.keyboard.press("KeyE");
await until(page, "the door opens", (text) => text.endsWith("open"));
await page.keyboard.down("KeyW");
const inside = await until(page, "walks in", (text) => Number(text.slice(0, 10)) >= 0x80800100 && Number(text.slice(0, 10)) < 0x8080fffe);
await page.keyboard.up("KeyW");
assert.notEqual(inside, first);
const colours = await page.evaluate(() => {
  const canvas = document.querySelector("canvas");
  const data = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? new Uint8ClampedArray();
  return new Set(new Uint32Array(data.buffer)).size;
});
assert.ok(colours > 100, `the picture has ${colours} colours`);
await page.screenshot({ path: path.join(out, "example-inside.png") });

const told = await page.evaluate(
  (url) =>
    new Promise<{ position: { cell: number }; hash: string; blobs: string; bytes: string }>((resolve, reject) => {
      const worker = new Worker(url, { type: "module" });
      worker.onmessage = (message) => resolve(message.data);
      worker.onerror = (error) => reject(new Error(error.message));
    }),
  `${address}/worker.js`,
);
assert.equal(told.position.cell >>> 16, 0x8080);
assert.match(told.hash, /^[0-9a-f]{16}$/);
assert.equal(told.blobs, told.bytes, "a world of blobs is that of their bytes");
assert.deepEqual(complaints, []);
await browser.close();
server.close();
console.log(`the page walks in (${colours} colours), a worker walks too`);
