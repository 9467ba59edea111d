"""The cell world of Asheron's Call: routes, jumps, lines of sight, cells, plans and pictures, as in the original.

>>> import threshold
>>> world = threshold.World.sample()
>>> world.check_path("Cottage Door", ["Cottage Vestibule"]).stop
'blocked'
"""

from ._arrays import HIT, POSITION, SWEPT, on_map, positions
from ._native import (
    Body,
    BusyError,
    DataError,
    DatFile,
    Entity,
    Error,
    Hit,
    JumpReport,
    NotFoundError,
    NotPossibleError,
    PathReport,
    Plan,
    PlanCell,
    Portal,
    Position,
    Route,
    Update,
    Walker,
    World,
    decode,
)

__all__ = [
    "HIT",
    "POSITION",
    "SWEPT",
    "Body",
    "BusyError",
    "DataError",
    "DatFile",
    "Entity",
    "Error",
    "Hit",
    "JumpReport",
    "NotFoundError",
    "NotPossibleError",
    "PathReport",
    "Plan",
    "PlanCell",
    "Portal",
    "Position",
    "Route",
    "Update",
    "Walker",
    "World",
    "decode",
    "on_map",
    "positions",
]
