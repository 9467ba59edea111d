// How fast the page is: `node frames.mjs DIST [BACKEND [WIDTH HEIGHT]]` prints when the first picture came, and how long frames take while
// the player runs along Village Street. DIST is the folder that `cargo web` makes, BACKEND `cpu` (default) or `gpu`. With `PROFILE=start`,
// `PROFILE=loading` or `PROFILE=frames` it also lists the functions that took the time; their names are there if the page was built with `--names`.

import { chromium } from "playwright-core";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import { record } from "./recording.mjs";

const [dist, backend = "cpu", width = "640", height = "360"] = process.argv.slice(2);
const SECONDS = 5;
// Milliseconds that a frame should not take.
const LATE = 30;
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm" };
const server = http.createServer((request, response) => {
  const name = path.normalize(new URL(request.url, "http://localhost").pathname);
  const file = path.join(dist, name === "/" ? "index.html" : name);
  if (!fs.existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
  fs.createReadStream(file).pipe(response);
});
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));

const profile = fs.mkdtempSync(path.join(os.tmpdir(), "threshold-frames-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  viewport: { width: Number(width), height: Number(height) },
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await context.newPage();
await page.addInitScript(() => {
  const real = globalThis.requestAnimationFrame.bind(globalThis);
  globalThis.framesSeen = [];
  globalThis.requestAnimationFrame = (draw) =>
    real((time) => {
      const begin = performance.now();
      draw(time);
      globalThis.framesSeen.push([time, performance.now() - begin]);
    });
});
const devtools = await context.newCDPSession(page);
// Does something, and lists the functions that took the time if that is wanted.
async function profiled(part, act) {
  if (process.env.PROFILE !== part) return act();
  await devtools.send("Profiler.enable");
  await devtools.send("Profiler.setSamplingInterval", { interval: 500 });
  await devtools.send("Profiler.start");
  await act();
  const { profile } = await devtools.send("Profiler.stop");
  const frames = new Map(profile.nodes.map((node) => [node.id, node.callFrame]));
  const spent = new Map();
  profile.samples.forEach((id, i) => {
    const { functionName, url } = frames.get(id);
    spent.set(functionName || url, (spent.get(functionName || url) ?? 0) + profile.timeDeltas[i]);
  });
  for (const [name, time] of [...spent].sort((a, b) => b[1] - a[1]).slice(0, 40)) console.log(`${(time / 1000).toFixed(0).padStart(6)} ms  ${name}`);
}

const recorded = await record(devtools);
// Milliseconds of processor time that the page's thread has used.
await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
async function processorTime() {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

const started = Date.now();
await profiled("start", async () => {
  await page.goto(`http://127.0.0.1:${server.address().port}/?at=Village%20Street&backend=${backend}`);
  await page.waitForFunction(() => document.getElementById("cover").hidden, null, { timeout: 120_000 });
});
const seconds = (milliseconds) => `${(milliseconds / 1000).toFixed(2)} s`;
const first = seconds(Date.now() - started);
const [compiled, ready] = await page.evaluate(() => ["compiled", "ready"].map((name) => performance.getEntriesByName(name)[0].startTime));
console.log(`program compiled after ${seconds(compiled)}, first picture after ${first}; processor time of the page's thread ${seconds(await processorTime())}`);
await profiled("loading", async () => {
  while ((await page.evaluate(() => globalThis.threshold.state())).loading !== null) await page.waitForTimeout(200);
});
const loading = (await page.evaluate(() => globalThis.framesSeen.splice(0))).filter(([time]) => time > ready);

const before = await processorTime();
await page.evaluate(() => performance.mark("running"));
await page.keyboard.down("KeyW");
await profiled("frames", () => page.waitForTimeout(SECONDS * 1000));
const used = (await processorTime()) - before;
const seen = await page.evaluate(() => globalThis.framesSeen);
const [loadingUsed, runningUsed] = await recorded(["ready", "running"], ["running"]);
// The browser calls back for other reasons, too, in which nothing is drawn.
const sorted = (numbers) => numbers.filter((number) => number > 1).sort((a, b) => a - b);
const summary = (numbers) => {
  const at = (part) => `${numbers[Math.floor((numbers.length - 1) * part)].toFixed(1)} ms`;
  const late = numbers.filter((number) => number > LATE).length;
  return `median ${at(0.5)}, 95 % within ${at(0.95)}, longest ${at(1)}; ${late} of ${numbers.length} above ${LATE} ms`;
};
console.log(`while blocks load:      ${summary(sorted(loading.map(([, spent]) => spent)))}`);
console.log(`  by processor time:    ${summary(sorted(loadingUsed))}`);
console.log(`${seen.length} frames in ${SECONDS} s at ${width} × ${height}, backend ${backend}`);
console.log(`the program's own time: ${summary(sorted(seen.map(([, spent]) => spent)))}`);
console.log(`  by processor time:    ${summary(sorted(runningUsed))}`);
console.log(`processor time:         ${(used / seen.length).toFixed(1)} ms a frame`);
console.log(`between frames:         ${summary(sorted(seen.slice(1).map(([time], i) => time - seen[i][0])))}`);
await context.close();
server.close();
fs.rmSync(profile, { recursive: true, force: true });
