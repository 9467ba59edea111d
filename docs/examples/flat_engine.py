#!/usr/bin/env python3
"""A hundred-line engine that only knows flat ground.

    flat_engine.py DATS SCENARIO.json

It plays a scenario of `threshold walk` and prints a line per step, as docs/formats/scenario.md describes. It never opens the dat
files: it assumes infinite empty ground at the height where the mover starts. It gets walks over open, level ground right, but not
hills, houses, doors, people and gravity. `threshold conform` shows where it first goes wrong:

    threshold conform --engine 'python3 docs/examples/flat_engine.py {dats} {scenario}'
"""
import json
import struct
import sys

CELL = 24.0             # metres along a land cell
BLOCK = 192.0           # metres along a block: eight cells
RADIUS = 0.48           # of a player's spheres
GAP = 0.005             # a mover rests this far above the ground


def f32(value):
    """Rounds as the recordings do."""
    return struct.unpack("f", struct.pack("f", value))[0]


class Mover:
    def __init__(self, start):
        self.place(start)
        self.ground = f32(self.origin[2] - GAP)

    def place(self, position):
        self.cell = int(position["cell"], 16)
        self.origin = [f32(v) for v in position["origin"]]
        self.rotation = position.get("rotation", [1, 0, 0, 0])
        self.settle()

    def settle(self):
        """Finds the block and the land cell of the origin, which may lie outside of the block it is given in."""
        x, y = self.cell >> 24, self.cell >> 16 & 0xFF
        across, up = int(self.origin[0] // BLOCK), int(self.origin[1] // BLOCK)
        self.origin[0] = f32(self.origin[0] - across * BLOCK)
        self.origin[1] = f32(self.origin[1] - up * BLOCK)
        self.cell = land_cell((x + across) * 8 + int(self.origin[0] // CELL), (y + up) * 8 + int(self.origin[1] // CELL))

    def move(self, delta):
        self.origin = [f32(a + b) for a, b in zip(self.origin, delta)]
        self.origin[2] = f32(self.ground + GAP)
        self.settle()

    def cells(self):
        """The land cells that the mover's spheres reach: its own first."""
        column, row = map_cell(self.cell)
        x, y = self.origin[0] % CELL, self.origin[1] % CELL
        across = 1 if x + RADIUS > CELL else -1 if x < RADIUS else 0
        up = 1 if y + RADIUS > CELL else -1 if y < RADIUS else 0
        reached = [(0, 0)] + [step for step in ((across, 0), (across, up), (0, up)) if step != (0, 0)]
        return list(dict.fromkeys(land_cell(column + i, row + j) for i, j in reached))


def land_cell(column, row):
    """The id of a land cell by its place on the map."""
    return column // 8 << 24 | row // 8 << 16 | (column % 8 * 8 + row % 8 + 1)


def map_cell(cell):
    low = (cell & 0xFFFF) - 1
    return (cell >> 24) * 8 + low // 8, (cell >> 16 & 0xFF) * 8 + low % 8


def line(mover, step, swept=True):
    cells = [f"0x{cell:08X}" for cell in mover.cells()]
    report = {
        "step": step, "ok": True, "cell": f"0x{mover.cell:08X}", "origin": mover.origin, "rotation": mover.rotation,
        "contact": True, "on_walkable": True, "contact_plane": [0, 0, 1, -mover.ground], "sliding_normal": None,
        "collided_env": step == -1, "collided_with": [], "cell_array": cells if swept else [], "mover_shadow_cells": cells,
    }
    if step == -1:
        report["entity_shadow_cells"] = {}
    print(json.dumps(report))


def main(scenario):
    mover = Mover(scenario["start"])
    line(mover, -1)
    for number, step in enumerate(scenario["steps"]):
        if "teleport" in step:
            mover.place(step["teleport"])
        if "rotate" in step:
            mover.rotation = step["rotate"]
        if "move" in step:
            mover.move(step["move"])
        line(mover, number, swept=any(key in step for key in ("teleport", "rotate", "move", "tick")))


if __name__ == "__main__":
    with open(sys.argv[2], encoding="utf-8") as file:
        main(json.load(file))
