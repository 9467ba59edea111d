// Draws the sample world into a canvas and walks by keys: `python3 -m http.server --directory bindings/npm`, then /example/.
import init, { loc, Walker, World } from "threshold-web";

await init();
const world = World.sample();
const me = new Walker(world, "Cottage Door");
const door = world.find("Cottage Door");
world.tick();

const canvas = /** @type {HTMLCanvasElement} */ (document.getElementById("world"));
const where = /** @type {HTMLOutputElement} */ (document.getElementById("where"));
const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));

const held = new Set();
addEventListener("keyup", (key) => held.delete(key.code));
addEventListener("keydown", (key) => {
  if (key.code === "KeyE" && !key.repeat) door.use();
  held.add(key.code);
});

let last = performance.now();
requestAnimationFrame(function frame(now) {
  const walk = { forward: held.has("KeyW"), back: held.has("KeyS"), jump: held.has("Space") };
  me.drive({ ...walk, turnLeft: held.has("KeyA"), turnRight: held.has("KeyD") });
  world.advance(Math.min(Math.max(now - last, 0) / 1000, 0.1));
  world.events();
  last = now;
  const picture = world.render(me, canvas.width, canvas.height);
  context.putImageData(new ImageData(picture.rgba, picture.width), 0, 0);
  where.textContent = `${loc(me.position)}, the door is ${door.door}`;
  requestAnimationFrame(frame);
});
