"""Plots a walk and a floor plan: python walk_and_plan.py [PICTURE.png]

A player walks from the village street through the cottage's door into the living room. Left: the map with its way,
coloured by height. Right, above: what it sees at the end, with the regions through which other cells are seen. Right,
below: a jump on the street, from the side.
"""

# %% A world, and somebody in it.
import sys

import matplotlib

if len(sys.argv) > 1:
    matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import threshold

world = threshold.World.sample()
block = world.place("Cottage Door").cell >> 16
me = threshold.Walker(world, world.place("Cottage Door").moved(east=-7, north=-7).facing(45))

# %% A walk: to the door, which is opened, through the vestibule, and around in the living room.
ways = [me.walk(1.05)]
me.look(-45)
world.find("Cottage Door").use()
ways.append(me.walk(2.4, slow=True))
me.look(-35)
ways.append(me.walk(1.3, slow=True))
me.look(215)
ways.append(me.walk(0.3, forward=False))
way = np.concatenate(ways)
crossings = np.flatnonzero(np.diff(way["cell"])) + 1
print(f"{len(way)} ticks through the cells", ", ".join(f"{way['cell'][i]:08X}" for i in [0, *crossings]))

# %% The floor plan: a map tile without what is above the ground floor, and the openings of the rooms.
west, south, east, north = window = (48.0, 92.0, 74.0, 118.0)
tile = world.map_tile(block, window=window, pixels=900, cut=22)

figure = plt.figure(figsize=(11, 5.6), layout="constrained")
grid = figure.add_gridspec(2, 2, width_ratios=[1.1, 1], height_ratios=[1.7, 1])
plan_axes = figure.add_subplot(grid[:, 0], title="A walk, and the floor plan")
plan_axes.imshow(tile, extent=(west, east, south, north))
for portal in world.portals(block):
    corners = portal.polygon
    if (corners[:, 2] > 19.5).all() and (corners[:, 2] < 23).all():
        plan_axes.plot(*corners[:, :2].T, color="tab:green" if portal.to is None else "tab:blue", linewidth=2.5)
track = plan_axes.scatter(*way["origin"][:, :2].T, c=way["origin"][:, 2], s=9, cmap="autumn", zorder=3)
plan_axes.scatter(*way["origin"][crossings, :2].T, marker="x", s=45, color="black", zorder=4, label="another cell")
plan_axes.set(xlim=(west, east), ylim=(south, north), xlabel="metres east", ylabel="metres north")
plan_axes.legend(loc="lower right")
figure.colorbar(track, ax=plan_axes, label="height of the feet in metres", shrink=0.7)

# %% What it sees now, and through which regions of the picture.
picture = world.render(me, 640, 360)
view = world.plan(me, 640, 360)
view_axes = figure.add_subplot(grid[0, 1], title=f"What it sees: {len(view.cells)} cells")
view_axes.imshow(picture, extent=(-1, 1, -1, 1), aspect=360 / 640)
for cell in view.cells[1:]:
    for region in cell.regions:
        view_axes.fill(*region.T, fill=False, edgecolor="yellow", linewidth=1)
for region in view.landscape:
    view_axes.fill(*region.T, fill=False, edgecolor="cyan", linewidth=1)
view_axes.set(xticks=[], yticks=[], xlim=(-1, 1), ylim=(-1, 1))

# %% Jumps with more and more power, from the side.
jump_axes = figure.add_subplot(grid[1, 1], title="Jumps on the street", xlabel="metres ahead", ylabel="metres up")
for power in (0.25, 0.5, 0.75, 1.0):
    arc = world.simulate_jump("Village Street", power, forward=True).arc
    points = threshold.on_map(arc)
    ahead = np.hypot(*(points - points[0])[:, :2].T)
    jump_axes.plot(ahead, points[:, 2] - points[0, 2], label=f"power {power}")
jump_axes.set_aspect("equal")
jump_axes.legend(fontsize="x-small", loc="upper left", bbox_to_anchor=(1, 1))

# %% Show it, or keep it.
if len(sys.argv) > 1:
    figure.savefig(sys.argv[1], dpi=90)
else:
    plt.show()
