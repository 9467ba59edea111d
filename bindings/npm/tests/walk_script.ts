// Plays a walk script and prints the state hashes: node walk_script.js SCRIPT.txt
import fs from "node:fs";
import { Walker, World } from "threshold-web";

const KEYS = ["forward", "back", "left", "right", "turnLeft", "turnRight", "slow", "jump"];

const world = World.sample();
let player: Walker | undefined;
for (const line of fs.readFileSync(process.argv[2] ?? "", "utf8").split("\n")) {
  const [, command, rest = ""] = line.match(/^(\S*) ?(.*)$/) ?? [];
  if (!command || line.startsWith("#")) continue;
  else if (command === "spawn") player = world.walker(rest);
  else if (command === "use") world.find(rest).use();
  else if (command === "look") player?.look(...(rest.split(" ").map(Number) as [number, number]));
  else if (command === "keys") player?.drive(Object.fromEntries(KEYS.map((key, bit) => [key, Boolean((Number(rest) >> bit) & 1)])));
  else if (command === "ticks") for (let tick = 0; tick < Number(rest); tick++) world.tick();
  else if (command === "hash") console.log(world.stateHash);
  else throw new Error(`what is '${line}'?`);
}
