"use strict";
// Shows the tiles beside it. Places are metres from the map's south-west corner, y to the north; at zoom Z a landblock, 192 m
// wide, is 2^Z pixels wide. DATA comes from data.js.

const BLOCK = 192, TILE = 256, TOP_BLOCKS = 256;
const CACHED = 600;
const byId = (id) => document.getElementById(id);
const canvas = byId("map"), pen = canvas.getContext("2d", { alpha: false });

// Which tiles a layer has: a hexadecimal digit for each tile says which of the four below it there are, followed by those.
function decode(text) {
  const tiles = new Set();
  let at = 0;
  const read = (level, x, y) => {
    tiles.add(`${level}/${x}_${y}`);
    const mask = parseInt(text[at++], 16);
    for (let i = 0; i < 4; i++) if (mask >> i & 1) read(level + 1, 2 * x + i % 2, 2 * y + (i >> 1));
  };
  if (text) read(0, 0, 0);
  return tiles;
}

const dungeons = new Map(DATA.dungeons.map((dungeon) => [dungeon.id, dungeon]));
const layers = new Map();
function layer(state) {
  const { dungeon, floor } = state;
  const folder = dungeon ? `${dungeon.slice(2)}/${floor === 0 ? "all" : floor - 1}` : "land";
  if (!layers.has(folder)) {
    const text = dungeon ? dungeons.get(dungeon).floors[floor].tiles : DATA.land;
    layers.set(folder, { folder, tiles: decode(text), first: dungeon ? DATA.rooms : 0 });
  }
  return layers.get(folder);
}

// What is shown. Floor 0 is all floors of a dungeon together.
const state = { x: 0, y: 0, zoom: 8, dungeon: null, floor: 0 };
const metres = () => BLOCK / 2 ** state.zoom;
const size = () => [canvas.clientWidth || 1, canvas.clientHeight || 1];
const toScreen = (x, y) => { const [w, h] = size(); return [w / 2 + (x - state.x) / metres(), h / 2 - (y - state.y) / metres()]; };
const toMap = (px, py) => { const [w, h] = size(); return [state.x + (px - w / 2) * metres(), state.y + (h / 2 - py) * metres()]; };

function extent() {
  if (state.dungeon) return dungeons.get(state.dungeon).bounds;
  const [west, south, east, north] = DATA.bounds;
  return [west * BLOCK, south * BLOCK, (east + 1) * BLOCK, (north + 1) * BLOCK];
}

// Pixels on the left that the panel of a dungeon covers.
const covered = () => (state.dungeon && size()[0] > 720 ? 272 : 0);

const fitZoom = () => {
  const [west, south, east, north] = extent(), [w, h] = size();
  const [wide, high] = [Math.max(80, w - covered() - 60), Math.max(80, h - 110)];
  return Math.min(DATA.deepest, Math.log2(BLOCK * Math.min(wide / Math.max(east - west, 8), high / Math.max(north - south, 8))));
};

function clamp() {
  const [west, south, east, north] = extent();
  state.zoom = Math.min(DATA.deepest + 2, Math.max(Math.min(fitZoom(), DATA.ground) - 1, state.zoom));
  state.x = Math.min(east, Math.max(west, state.x));
  state.y = Math.min(north, Math.max(south, state.y));
}

function fit() {
  const [west, south, east, north] = extent();
  Object.assign(state, { x: (west + east) / 2, y: (south + north) / 2, zoom: fitZoom() });
  state.x -= covered() / 2 * metres();
  changed();
}

function move(dx, dy) {
  state.x -= dx * metres();
  state.y += dy * metres();
  changed();
}

// Zooms about a point of the screen, which stays where it is.
function zoom(by, px, py) {
  const [w, h] = size();
  const [x, y] = [px ?? w / 2, py ?? h / 2];
  const before = toMap(x, y);
  state.zoom += by;
  clamp();
  const after = toMap(x, y);
  state.x += before[0] - after[0];
  state.y += before[1] - after[1];
  changed();
}

function show(dungeon, floor = 0) {
  Object.assign(state, { dungeon, floor });
  panel();
  fit();
}

function setFloor(floor) {
  const floors = state.dungeon ? dungeons.get(state.dungeon).floors.length : 1;
  state.floor = Math.min(floors - 1, Math.max(0, floor));
  panel();
  changed();
}

function panel() {
  const dungeon = dungeons.get(state.dungeon);
  byId("dungeon").hidden = !dungeon;
  if (!dungeon) return;
  byId("dungeon-name").textContent = dungeon.name;
  byId("floors").replaceChildren(...dungeon.floors.map((floor, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = floor.z === null ? "All floors" : `Floor ${index} · ${Math.round(floor.z)} m`;
    button.setAttribute("aria-pressed", String(index === state.floor));
    button.addEventListener("click", () => setFloor(index));
    return button;
  }));
}

// Pictures, the most recently used ones kept.
const pictures = new Map();
function picture(name) {
  let image = pictures.get(name);
  if (image) {
    pictures.delete(name);
  } else {
    image = new Image();
    image.decoding = "async";
    image.addEventListener("load", redraw);
    image.src = `${name}.png`;
  }
  pictures.set(name, image);
  if (pictures.size > CACHED) pictures.delete(pictures.keys().next().value);
  return image.complete && image.naturalWidth > 0 ? image : null;
}

let waiting = false, pending = 0, pointer = null;
function redraw() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => { waiting = false; draw(); });
}

let hash = null;
function changed() {
  clamp();
  redraw();
  clearTimeout(hash);
  hash = setTimeout(() => {
    const where = `${state.x.toFixed(1)},${state.y.toFixed(1)},${state.zoom.toFixed(2)}`;
    const text = state.dungeon ? `#${where},${state.dungeon},${state.floor}` : `#${where}`;
    try { history.replaceState(null, "", text); } catch { /* some browsers refuse it on a disk */ }
  }, 200);
}

function draw() {
  const [w, h] = size(), ratio = window.devicePixelRatio || 1;
  if (canvas.width !== Math.round(w * ratio) || canvas.height !== Math.round(h * ratio)) {
    canvas.width = Math.round(w * ratio);
    canvas.height = Math.round(h * ratio);
  }
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.fillStyle = "#17171c";
  pen.fillRect(0, 0, w, h);
  pen.imageSmoothingQuality = "high";
  const shown = layer(state);
  const wanted = Math.min(DATA.deepest, Math.max(shown.first, Math.ceil(state.zoom + Math.log2(ratio) - 0.3)));
  pending = 0;
  // From coarse to fine: what is not there, or not there yet, is filled by what is above it.
  for (let level = Math.max(shown.first, Math.min(wanted - 5, DATA.ground)); level <= wanted; level++) tiles(shown, level, w, h);
  grid(w, h);
  labels(w, h);
  furniture(w);
  where(...(pointer ?? [w / 2, h / 2]));
  document.body.dataset.pending = String(pending);
  document.body.dataset.state = JSON.stringify(state);
}

function tiles(shown, level, w, h) {
  const side = BLOCK * TOP_BLOCKS / 2 ** level;
  const [west, north] = toMap(0, 0), [east, south] = toMap(w, h);
  const last = 2 ** level - 1;
  const pixels = side / metres();
  for (let y = Math.max(0, Math.floor(south / side)); y <= Math.min(last, Math.floor(north / side)); y++) {
    for (let x = Math.max(0, Math.floor(west / side)); x <= Math.min(last, Math.floor(east / side)); x++) {
      if (!shown.tiles.has(`${level}/${x}_${y}`)) continue;
      const image = picture(`${shown.folder}/${level}/${x}_${y}`);
      if (!image) { pending++; continue; }
      const [left, bottom] = toScreen(x * side, y * side);
      // Whole pixels, so that no seams show.
      const [x0, y0, x1, y1] = [left, bottom - pixels, left + pixels, bottom].map(Math.round);
      pen.drawImage(image, x0, y0, x1 - x0, y1 - y0);
    }
  }
}

// Borders of landblocks, where they are wide enough to matter.
function grid(w, h) {
  if (state.dungeon || state.zoom < 6.5) return;
  const [west, north] = toMap(0, 0), [east, south] = toMap(w, h);
  pen.strokeStyle = "#00000040";
  pen.lineWidth = 1;
  pen.beginPath();
  for (let x = Math.ceil(west / BLOCK); x <= east / BLOCK; x++) {
    const at = Math.round(toScreen(x * BLOCK, 0)[0]) + 0.5;
    pen.moveTo(at, 0);
    pen.lineTo(at, h);
  }
  for (let y = Math.ceil(south / BLOCK); y <= north / BLOCK; y++) {
    const at = Math.round(toScreen(0, y * BLOCK)[1]) + 0.5;
    pen.moveTo(0, at);
    pen.lineTo(w, at);
  }
  pen.stroke();
}

// Names that have room, the more important ones first. Kept for clicks.
let shownLabels = [];
function marks() {
  if (state.dungeon) {
    const { floors } = dungeons.get(state.dungeon);
    const [low, high] = [floors[state.floor].z, floors[state.floor + 1]?.z ?? Infinity];
    const here = (place) => state.floor === 0 || (place.z >= low - 0.5 && place.z < high - 0.5);
    return DATA.places.filter((place) => place.dungeon === state.dungeon && here(place));
  }
  const dens = DATA.dungeons.map(({ id, name, bounds }) => ({ name, kind: "dungeon", enter: id, x: (bounds[0] + bounds[2]) / 2, y: (bounds[1] + bounds[3]) / 2 }));
  const land = DATA.places.filter((place) => !place.dungeon && (place.kind === "outdoors" || state.zoom > 7.5));
  return [...land, ...dens];
}

function labels(w, h) {
  shownLabels = [];
  pen.font = "600 13px system-ui, sans-serif";
  pen.textBaseline = "middle";
  pen.lineJoin = "round";
  const free = (box) => !shownLabels.some((other) => box[0] < other.box[2] && other.box[0] < box[2] && box[1] < other.box[3] && other.box[1] < box[3]);
  for (const place of marks()) {
    const [x, y] = toScreen(place.x, place.y);
    if (x < -150 || y < -20 || x > w + 20 || y > h + 20) continue;
    const wide = pen.measureText(place.name).width;
    const box = [x - 7, y - 10, x + 11 + wide, y + 10];
    if (!free(box)) continue;
    shownLabels.push({ place, box });
    pen.fillStyle = place.kind === "dungeon" ? "#b78af0" : place.kind === "interior" ? "#6fb1ff" : "#e2483d";
    pen.strokeStyle = "#fff";
    pen.lineWidth = 1.5;
    pen.beginPath();
    pen.arc(x, y, 4.5, 0, 2 * Math.PI);
    pen.fill();
    pen.stroke();
    pen.strokeStyle = "#000c";
    pen.lineWidth = 3.5;
    pen.strokeText(place.name, x + 9, y);
    pen.fillStyle = "#fffdf6";
    pen.fillText(place.name, x + 9, y);
  }
}

// The scale: a round length of at most a quarter of the width.
function furniture(w) {
  const longest = Math.min(w / 4, 180) * metres();
  const power = 10 ** Math.floor(Math.log10(longest));
  const length = [5, 2, 1].map((n) => n * power).find((n) => n <= longest) ?? power;
  byId("bar").style.width = `${length / metres()}px`;
  byId("length").textContent = length >= 1000 ? `${length / 1000} km` : `${+length.toPrecision(2)} m`;
}

// Coordinates as the game prints them: the middle of land cell 1019 is 0.
function coordinate(metres, positive, negative) {
  const tenths = Math.floor(metres / 24) - 1019;
  const letter = tenths > 0 ? positive : tenths < 0 ? negative : "";
  return (Math.abs(tenths) / 10).toFixed(1) + letter;
}

function where(px, py) {
  const [x, y] = toMap(px, py);
  const hex = (n) => n.toString(16).toUpperCase().padStart(2, "0");
  const [bx, by] = [x, y].map((v) => Math.min(254, Math.max(0, Math.floor(v / BLOCK))));
  const local = (v, b) => (v - b * BLOCK).toFixed(1);
  if (state.dungeon) {
    const id = parseInt(state.dungeon, 16);
    byId("where").value = `${state.dungeon} [${local(x, id >> 8)} ${local(y, id & 255)}]`;
  } else {
    byId("where").value = `${coordinate(y, "N", "S")}, ${coordinate(x, "E", "W")} · 0x${hex(bx)}${hex(by)} [${local(x, bx)} ${local(y, by)}]`;
  }
}

function labelAt(px, py) {
  return shownLabels.find(({ box }) => px >= box[0] && px <= box[2] && py >= box[1] && py <= box[3])?.place;
}

function go(place) {
  const dungeon = place.enter ?? place.dungeon ?? null;
  if (dungeon !== state.dungeon) show(dungeon);
  if (place.enter) return;
  if (place.dungeon) {
    const floors = dungeons.get(place.dungeon).floors;
    state.floor = Math.max(0, floors.findLastIndex((floor) => floor.z !== null && floor.z <= place.z + 0.5));
    panel();
  }
  Object.assign(state, { x: place.x, y: place.y, zoom: Math.max(state.zoom, 9) });
  changed();
}

// Mouse, pen and fingers alike: one drags, two pinch, a tap on a name goes there.
const held = new Map();
let dragged = 0;
const at = (event) => { const { left, top } = canvas.getBoundingClientRect(); return [event.clientX - left, event.clientY - top]; };
canvas.addEventListener("pointerdown", (event) => {
  try { canvas.setPointerCapture(event.pointerId); } catch { /* a pointer that is gone already */ }
  if (held.size === 0) dragged = 0;
  held.set(event.pointerId, at(event));
  canvas.classList.add("held");
});
canvas.addEventListener("pointermove", (event) => {
  const [x, y] = at(event);
  const before = held.get(event.pointerId);
  if (before) {
    const other = [...held].find(([id]) => id !== event.pointerId)?.[1];
    dragged += Math.hypot(x - before[0], y - before[1]);
    if (other) {
      const spread = (p) => Math.max(10, Math.hypot(p[0] - other[0], p[1] - other[1]));
      move((x - before[0]) / 2, (y - before[1]) / 2);
      zoom(Math.log2(spread([x, y]) / spread(before)), (x + other[0]) / 2, (y + other[1]) / 2);
    } else {
      move(x - before[0], y - before[1]);
    }
    held.set(event.pointerId, [x, y]);
  }
  canvas.classList.toggle("over", held.size === 0 && Boolean(labelAt(x, y)));
  pointer = [x, y];
  where(x, y);
});
function release(event) {
  const was = held.delete(event.pointerId);
  if (held.size === 0) canvas.classList.remove("held");
  const place = event.type === "pointerup" && was && dragged < 5 ? labelAt(...at(event)) : null;
  if (place) go(place);
}
canvas.addEventListener("pointerup", release);
canvas.addEventListener("pointercancel", release);
canvas.addEventListener("dblclick", (event) => zoom(1, ...at(event)));
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const step = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
  zoom(Math.max(-1, Math.min(1, -event.deltaY * step / 300)), ...at(event));
}, { passive: false });

const KEYS = {
  ArrowLeft: () => move(80, 0), ArrowRight: () => move(-80, 0), ArrowUp: () => move(0, 80), ArrowDown: () => move(0, -80),
  "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(-0.5), _: () => zoom(-0.5), Home: fit,
  PageUp: () => setFloor(state.floor + 1), PageDown: () => setFloor(state.floor - 1),
  Escape: () => state.dungeon && leave(), "/": () => byId("place").focus(),
};
document.addEventListener("keydown", (event) => {
  const isTyping = event.target instanceof HTMLInputElement;
  if (isTyping && event.key === "Escape") canvas.focus();
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});

// Back to where the dungeon is.
function leave() {
  const [west, south, east, north] = dungeons.get(state.dungeon).bounds;
  show(null);
  Object.assign(state, { x: (west + east) / 2, y: (south + north) / 2, zoom: Math.max(state.zoom, 7) });
  changed();
}

function find(text) {
  const wanted = text.trim().toLowerCase();
  const all = [...DATA.places, ...DATA.dungeons.map(({ id, name }) => ({ name, enter: id }))];
  const place = all.find(({ name }) => name.toLowerCase() === wanted)
    ?? all.find(({ name, enter }) => wanted && (name.toLowerCase().includes(wanted) || enter?.toLowerCase() === wanted));
  if (place) { go(place); canvas.focus(); }
}
byId("search").addEventListener("submit", (event) => { event.preventDefault(); find(byId("place").value); });
byId("place").addEventListener("change", () => find(byId("place").value));
byId("places").append(...[...DATA.places, ...DATA.dungeons].map(({ name }) => { const option = document.createElement("option"); option.value = name; return option; }));
byId("in").addEventListener("click", () => zoom(1));
byId("out").addEventListener("click", () => zoom(-1));
byId("fit").addEventListener("click", fit);
byId("leave").addEventListener("click", leave);
new ResizeObserver(() => { clamp(); redraw(); }).observe(canvas);

function begin() {
  const [x, y, zoom, dungeon, floor] = location.hash.slice(1).split(",");
  const numbers = [x, y, zoom].map(Number);
  if (numbers.length === 3 && x && numbers.every(Number.isFinite)) {
    Object.assign(state, { x: numbers[0], y: numbers[1], zoom: numbers[2], dungeon: null, floor: 0 });
    if (dungeons.has(dungeon)) state.dungeon = dungeon;
    setFloor(Number.parseInt(floor, 10) || 0);
  } else {
    show(DATA.land || !DATA.dungeons.length ? null : DATA.dungeons[0].id);
  }
}
window.addEventListener("hashchange", begin);
begin();
canvas.focus();
