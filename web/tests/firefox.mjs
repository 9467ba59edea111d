// The page in Firefox, driven by WebDriver BiDi, which Debian's own Firefox speaks: `launch()` gives a page with the few
// things that the tests need. Without a window Firefox has no WebGL, so that it gets one that nobody sees (xvfb-run).

import { spawn } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import WebSocket from "ws";

const PREFERENCES = {
  "app.normandy.enabled": false,
  "app.update.enabled": false,
  "browser.safebrowsing.downloads.enabled": false,
  "browser.shell.checkDefaultBrowser": false,
  "datareporting.policy.dataSubmissionEnabled": false,
  "extensions.update.enabled": false,
  "network.captive-portal-service.enabled": false,
  "network.connectivity-service.enabled": false,
  "services.settings.server": "data:,",
  "toolkit.telemetry.enabled": false,
  // Drawn by the processor, where there is no graphics card.
  "webgl.force-enabled": true,
};

// Names of keys as the protocol has them.
const KEYS = { Enter: "\uE007" };

export async function launch(program) {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), "threshold-firefox-"));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`);
  fs.writeFileSync(path.join(profile, "user.js"), lines.join(""));
  const browser = spawn("xvfb-run", ["-a", program, "--no-remote", "--profile", profile, "--remote-debugging-port", "0"], { stdio: ["ignore", "ignore", "pipe"] });
  process.on("exit", () => browser.kill());
  const address = await new Promise((resolve, reject) => {
    let said = "";
    browser.stderr.on("data", (text) => {
      said += text;
      const found = said.match(/WebDriver BiDi listening on (ws:\S+)/);
      if (found) resolve(found[1]);
    });
    browser.on("exit", () => reject(new Error(`Firefox has ended: ${said}`)));
    setTimeout(() => reject(new Error(`Firefox does not answer: ${said}`)), 120_000).unref();
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error("Firefox does not take the connection"));
  });
  const waiting = new Map();
  const events = [];
  let last = 0;
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "event") return events.push(message);
    const { resolve, reject } = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "success") resolve(message.result);
    else reject(new Error(`${message.error}: ${message.message}`));
  };
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { resolve, reject });
      socket.send(JSON.stringify({ id: last, method, params }));
    });
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
  const { context } = await send("browsingContext.create", { type: "tab" });

  const evaluate = async (expression) => {
    const answer = await send("script.evaluate", { expression: `(async () => JSON.stringify(await (${expression})) ?? "null")()`, target: { context }, awaitPromise: true });
    if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
    return JSON.parse(answer.result.value);
  };
  const keys = (...actions) => send("input.performActions", { context, actions: [{ type: "key", id: "keys", actions }] });
  return {
    evaluate,
    goto: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    resize: (width, height) => send("browsingContext.setViewport", { context, viewport: { width, height } }),
    key: (type, value) => keys({ type: type === "down" ? "keyDown" : "keyUp", value: KEYS[value] ?? value }),
    async choose(selector, files) {
      const found = await send("browsingContext.locateNodes", { context, locator: { type: "css", value: selector } });
      await send("input.setFiles", { context, element: { sharedId: found.nodes[0].sharedId }, files });
    },
    async screenshot() {
      return Buffer.from((await send("browsingContext.captureScreenshot", { context })).data, "base64");
    },
    // What went wrong since the beginning: errors of the console.
    errors: () => events.filter(({ method, params }) => method === "log.entryAdded" && params.level === "error").map(({ params }) => params.text),
    requests: () => events.filter(({ method }) => method === "network.beforeRequestSent").map(({ params }) => params.request.url),
    async close() {
      await send("browser.close").catch(() => {});
      socket.close();
      if (browser.exitCode === null) await Promise.race([new Promise((resolve) => browser.once("exit", resolve)), new Promise((resolve) => setTimeout(resolve, 10_000))]);
      if (browser.exitCode === null) browser.kill();
      fs.rmSync(profile, { recursive: true, force: true });
    },
  };
}
