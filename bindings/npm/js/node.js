// Node has no `fetch` for files: the module is read at once, and `await init()` has nothing left to do.
import { readFileSync } from "node:fs";
import { initSync } from "./threshold_web.js";

initSync({ module: readFileSync(new URL("./threshold_web_bg.wasm", import.meta.url)) });

export * from "./threshold_web.js";
export { default } from "./threshold_web.js";
