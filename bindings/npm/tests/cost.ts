// What calls cost: the best of many short runs, to compare with crates/capi/examples/cost.rs.
import { moved, positions, World } from "threshold-web";

// Runs are short enough to be rarely interrupted.
const CALLS = 2_000;
const SWEEPS = 2_000;

const world = World.sample();
const street = world.place("Village Street");
const me = world.walker(street);

function best(runs: number, calls: number, work: () => void): string {
  let least = Infinity;
  for (let run = 0; run < runs; run++) {
    const start = process.hrtime.bigint();
    work();
    least = Math.min(least, Number(process.hrtime.bigint() - start) / calls);
  }
  return `${least.toFixed(1)} ns`;
}

const many = (work: () => unknown) => () => {
  for (let call = 0; call < CALLS; call++) work();
};
const [x, y, z] = street.origin;
const begins = positions(street.cell, Float32Array.from({ length: 3 * SWEEPS }, (_, i) => [x, y, z + 1][i % 3] ?? 0));
const ends = positions(
  street.cell,
  Float32Array.from({ length: 3 * SWEEPS }, (_, i) => {
    const sweep = Math.floor(i / 3);
    return [x + (sweep % 7) - 3, y + (sweep % 5) - 2, z + 1][i % 3] ?? 0;
  }),
);
const up = moved(street, 0, 0, 1);
console.log(`ticks ${best(300, CALLS, many(() => world.ticks))}`);
console.log(`position ${best(300, CALLS, many(() => me.position))}`);
console.log(`sweep, one at a time ${best(300, CALLS, many(() => world.sweep([up], [street])))}`);
console.log(`sweep, ${SWEEPS} at once ${best(300, SWEEPS, () => world.sweep(begins, ends))} per sweep`);
