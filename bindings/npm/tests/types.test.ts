// The types that come with the package say something of everything, and nothing is `any`.
import assert from "node:assert/strict";
import fs from "node:fs";
import { test } from "node:test";

const lines = fs.readFileSync(new URL("../../node_modules/threshold-web/threshold_web.d.ts", import.meta.url), "utf8").split("\n");

test("nothing is any", () => {
  assert.deepEqual(lines.filter((line) => /\bany\b/.test(line.replace(/^\s*(\/?\*).*|\/\*.*?\*\//, ""))), []);
});

test("every class, method, function and type is documented", () => {
  const silent = [];
  let documented = false;
  let inside = "";
  for (const line of lines) {
    if (/^export (class|function|type|interface) /.test(line)) inside = /^export (class|function|type|interface) (\w+)/.exec(line)?.[2] ?? "";
    const begins = /^export (class|function|type|interface) (?!Init|Sync)/.test(line) || (/^ {4}(static |get |set |readonly |\w)/.test(line) && ["World", "Entity", "Walker"].includes(inside));
    const own = /^ {4}(free\(\)|protected constructor|set |\[Symbol)/.test(line) || inside === "initSync" || inside === "__wbg_init";
    if (begins && !documented && !own) silent.push(line);
    documented = /\*\/\s*$/.test(line);
    if (/^}/.test(line)) inside = "";
  }
  assert.deepEqual(silent, []);
});
