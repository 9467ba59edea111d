// Worlds for the tests: the data is loaded once, and every test has a world of its own.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { World } from "threshold-web";

/** The repository. */
export const ROOT = process.env.THRESHOLD_ROOT ?? ".";
export const DATA = path.join(ROOT, "crates/golden/data");

export const origin = World.sample();
export const fresh = (): World => origin.another();

export const read = (name: string): Uint8Array => fs.readFileSync(path.join(DATA, name));

export function near(found: number | undefined, expected: number, apart: number): void {
  assert.ok(found !== undefined && Math.abs(found - expected) <= apart, `${found} is not near ${expected}`);
}

/** What is there must be there. */
export function there<T>(value: T | undefined): T {
  assert.notEqual(value, undefined);
  return value as T;
}
