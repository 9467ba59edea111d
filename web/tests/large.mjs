// A dat file as large as the game's: that of a small world, with its blocks far apart. What lies between them is a hole.

import fs from "node:fs";

const FREE = 0x80000000;
const [ENTRIES, ENTRY, BRANCHES] = [252, 24, 62];

// Writes a copy of a file whose every block is `factor` times as far from the start.
export function spread(from, to, factor) {
  const file = fs.readFileSync(from);
  const blockSize = file.readUInt32LE(0x144);
  const moved = (offset) => offset * factor;
  const move = (at) => {
    const word = file.readUInt32LE(at);
    const offset = word & ~FREE;
    if (offset !== 0) file.writeUInt32LE((moved(offset) | (word & FREE)) >>> 0, at);
  };
  // Where the bytes of a node are: its blocks are followed before anything in them is changed.
  const node = (first) => {
    const blocks = [];
    for (let block = first; blocks.length * (blockSize - 4) < ENTRIES + 61 * ENTRY; block = file.readUInt32LE(block)) blocks.push(block);
    return (at) => blocks[Math.floor(at / (blockSize - 4))] + 4 + (at % (blockSize - 4));
  };
  const changes = [];
  const visit = (offset) => {
    const at = node(offset);
    const count = file.readUInt32LE(at(BRANCHES * 4));
    const isLeaf = file.readUInt32LE(at(0)) === 0;
    for (let index = 0; index < count; index++) changes.push(at(ENTRIES + index * ENTRY + 8));
    for (let index = 0; !isLeaf && index <= count; index++) {
      changes.push(at(index * 4));
      visit(file.readUInt32LE(at(index * 4)));
    }
  };
  visit(file.readUInt32LE(0x160));
  for (let block = 1024; block + 4 <= file.length; block += blockSize) changes.push(block);
  const size = moved(file.length - blockSize) + blockSize;
  changes.push(0x154, 0x158, 0x160);
  changes.forEach(move);
  file.writeUInt32LE(size, 0x148);
  const out = fs.openSync(to, "w");
  fs.ftruncateSync(out, size);
  fs.writeSync(out, file, 0, 1024, 0);
  for (let block = 1024; block < file.length; block += blockSize) fs.writeSync(out, file, block, Math.min(blockSize, file.length - block), moved(block));
  fs.closeSync(out);
  return size;
}
