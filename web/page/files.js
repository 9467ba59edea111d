// Data files of one's own: chosen or dropped, handed to a worker that reads them, and shown as soon as it has.

import { open_world, receive } from "./threshold-explorer.js";

const dialog = document.getElementById("files");
const line = document.getElementById("files-say");
const drop = document.getElementById("drop");

// Files that a folder may hold beside the dats, as `threshold sample` writes them.
const PLACES = "Locations.txt";
const THINGS = "entities.json";
const MOST_FILES = 20000;
const MOST_TEXT = 64e6;

let program;
let worker;
let chosen = 0;

const say = (text, failed = false) => {
  line.textContent = text;
  line.classList.toggle("failed", failed);
};

// A worker from a piece of text has the page's own Content-Security-Policy: it reaches nothing that the page does not.
function startWorker() {
  const address = new URL("./dats.js", import.meta.url).href;
  const text = URL.createObjectURL(new Blob([`import ${JSON.stringify(address)};`], { type: "text/javascript" }));
  const worker = new Worker(text, { type: "module" });
  worker.addEventListener("message", () => URL.revokeObjectURL(text), { once: true });
  return worker;
}

const textOf = async (file) => {
  if (file && file.size > MOST_TEXT) throw new Error(`${file.name} is larger than ${MOST_TEXT} bytes`);
  return file?.text();
};

// Which of the files are dats: all that are called so, or all there are when none is.
function datsOf(files) {
  const others = new Set([PLACES, THINGS]);
  const dats = files.filter((file) => /\.dat$/i.test(file.name));
  const game = dats.filter((file) => /^client_(portal|cell_1|highres|local_english)\.dat$/i.test(file.name));
  if (game.length > 1) return game;
  return dats.length ? dats : files.filter((file) => !others.has(file.name)).slice(0, 8);
}

export async function openFiles(files) {
  const own = ++chosen;
  const isCurrent = () => own === chosen;
  if (!dialog.open) dialog.showModal();
  let next;
  try {
    const dats = datsOf(files);
    if (!dats.length) throw new Error("no files found; a world needs client_portal.dat and client_cell_1.dat");
    say(`opening ${dats.map((file) => file.name).join(", ")}`);
    const [places, things] = await Promise.all([PLACES, THINGS].map((name) => textOf(files.find((file) => file.name === name))));
    next = startWorker();
    const send = (message) => next.postMessage(message);
    const directories = await new Promise((resolve, reject) => {
      next.onerror = (event) => reject(new Error(event.message || "the worker that reads the files did not start"));
      next.onmessage = ({ data }) => {
        if (data.ready) send({ what: "open", program, files: dats });
        else if (data.failed) reject(new Error(data.failed));
        else resolve(data.directories);
      };
    });
    if (!isCurrent()) return next.terminate();
    next.onmessage = ({ data }) => {
      if (data.failed) console.error(data.failed);
      else receive(data.answer);
    };
    say("loading the surroundings");
    await open_world(directories, places, things, (wanted) => send({ what: "ask", wanted }));
    worker?.terminate();
    worker = next;
    say("");
    dialog.close();
    document.getElementById("world").focus();
    performance.mark("own files");
  } catch (error) {
    next?.terminate();
    if (isCurrent()) say(`${error?.message ?? error}`, true);
  }
}

// Everything in what was dropped: folders are looked into.
async function dropped(items) {
  const files = [];
  const visit = async (entry) => {
    if (files.length >= MOST_FILES) return;
    if (entry.isFile) files.push(await new Promise((resolve, reject) => entry.file(resolve, reject)));
    if (!entry.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const entry of some) await visit(entry);
    }
  };
  // Asked for before anything is waited for: afterwards the browser has forgotten them.
  const entries = [...items].filter((item) => item.kind === "file").map((item) => [item.webkitGetAsEntry?.(), item.getAsFile()]);
  for (const [entry, file] of entries) {
    if (entry) await visit(entry);
    else if (file) files.push(file);
  }
  return files;
}

export function offerFiles(module) {
  program = module;
  const button = document.getElementById("own");
  button.hidden = false;
  button.addEventListener("click", () => dialog.showModal());
  if (new URLSearchParams(location.search).has("own")) dialog.showModal();
  document.getElementById("files-close").addEventListener("click", () => dialog.close());
  for (const id of ["folder", "some"]) {
    const input = document.getElementById(id);
    input.addEventListener("change", () => {
      const files = [...input.files];
      input.value = "";
      if (files.length) openFiles(files);
    });
  }
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    drop.hidden = false;
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) drop.hidden = true;
  });
  addEventListener("drop", async (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    drop.hidden = true;
    try {
      openFiles(await dropped(event.dataTransfer.items));
    } catch (error) {
      if (!dialog.open) dialog.showModal();
      say(`${error?.message ?? error}`, true);
    }
  });
}
