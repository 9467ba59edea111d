"""Array layouts and their constructors."""

import numpy as np

#: A place, in the engine's own layout.
POSITION = np.dtype([("cell", "<u4"), ("origin", "<f4", (3,)), ("rotation", "<f4", (4,))])

#: The first thing that a ray hit; kind 0 is nothing, 1 an object, 2 a room, 3 a shell, 4 the ground.
HIT = np.dtype(
    [
        ("kind", "<u4"),
        ("target_cell", "<u4"),
        ("entity", "<u8"),
        ("distance", "<f4"),
        ("point", "<f4", (3,)),
        ("cell", "<u4"),
        ("reserved", "<u4"),
    ]
)

#: How a sweep ended; kinds as in HIT.
SWEPT = np.dtype(
    [
        ("position", POSITION),
        ("valid", "<u4"),
        ("remaining", "<f4"),
        ("kind", "<u4"),
        ("target_cell", "<u4"),
        ("entity", "<u8"),
        ("normal", "<f4", (3,)),
        ("reserved", "<u4"),
    ]
)


def position_bytes(places):
    """The bytes of an array of POSITION."""
    array = np.asarray(places)
    if array.dtype != POSITION:
        raise TypeError("expected a list of positions, or an array of threshold.POSITION")
    return np.ascontiguousarray(array).reshape(-1).view(np.uint8)


def positions(cells, origins):
    """An array of POSITION from cells and origins, which broadcast against each other; all face north."""
    origins = np.asarray(origins, dtype="<f4")
    if origins.ndim < 1 or origins.shape[-1] != 3:
        raise ValueError("origins have three columns: x, y, z")
    cells = np.asarray(cells, dtype="<u4")
    array = np.zeros(np.broadcast_shapes(cells.shape, origins.shape[:-1]), dtype=POSITION)
    array["cell"] = cells
    array["origin"] = origins
    array["rotation"][..., 0] = 1
    return array


def on_map(places):
    """Metres from the map's south-west corner, east and north, and the height: an array with three columns."""
    places = np.asarray(places)
    if places.dtype != POSITION:
        raise TypeError("expected an array of threshold.POSITION")
    points = places["origin"].astype("f8")
    points[..., 0] += (places["cell"] >> 24) * 192.0
    points[..., 1] += (places["cell"] >> 16 & 0xFF) * 192.0
    return points
