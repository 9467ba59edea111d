// Loads the explorer, shows how far it is, and hands it what a page must do for it.

import init, { state } from "./threshold-explorer.js";
import { offerFiles } from "./files.js";

// With vectors, where the browser has them.
const PROGRAM = PROGRAM_FILE;
const SIZE = PROGRAM_BYTES;
const cover = document.getElementById("cover");
const bar = document.getElementById("bar");
const line = document.getElementById("doing");
const world = document.getElementById("world");

const doing = (text) => {
  line.textContent = text;
};

const failed = (text) => {
  doing(text);
  cover.hidden = false;
  cover.classList.add("failed");
  console.error(text);
};

// What the program tells the page.
globalThis.thresholdPage = {
  doing,
  failed,
  ready() {
    cover.hidden = true;
    performance.mark("ready");
    // From now on it works without a network, too. Not earlier: the files are loaded once more for it.
    if (window.isSecureContext) navigator.serviceWorker?.register("./sw.js").catch(() => {});
  },
};

let program;

// How everything stands, for those who look behind the picture: `await threshold.state()`, and the bytes that the program has.
globalThis.threshold = { state: async () => JSON.parse(await state()), memory: () => program?.memory.buffer.byteLength ?? 0 };

// Keys that would scroll the page or search in it; others stay with the browser.
const OWN_KEYS = new Set(["Space", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Tab", "Slash", "Quote", "Backspace"]);
world.addEventListener("keydown", (event) => {
  if (OWN_KEYS.has(event.code) && !event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault();
});
world.addEventListener("contextmenu", (event) => event.preventDefault());
world.addEventListener("wheel", (event) => event.preventDefault(), { passive: false });
world.addEventListener("pointerdown", () => world.focus());

async function load() {
  const answer = await fetch(PROGRAM);
  if (!answer.ok) throw new Error(`the program cannot be loaded: ${answer.status} ${answer.statusText}`);
  let loaded = 0;
  const counted = answer.body.pipeThrough(
    new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.byteLength;
        bar.value = Math.min(loaded / SIZE, 1);
        doing(`loading, ${(loaded / 1e6).toFixed(1)} of ${(SIZE / 1e6).toFixed(1)} MB`);
        controller.enqueue(chunk);
      },
    }),
  );
  const file = new Response(counted, { headers: { "Content-Type": "application/wasm" } });
  const module = await WebAssembly.compileStreaming(file);
  performance.mark("compiled");
  program = await init({ module_or_path: module });
  offerFiles(module);
}

load().catch((error) => failed(`${error.message ?? error}`));

// Browsers take a while to start drawing for the first time: that happens while the program loads.
document.createElement("canvas").getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext();
