"""The cell world of Asheron's Call: routes, jumps, lines of sight, cells, plans and pictures, as in the original.

Metres, seconds, degrees. Coordinates are those of a landblock: x east, y north, z up, from its south-west corner.

A place is a ``Position``, or a text: a named place, the output of the game's ``/loc``, or map
coordinates (``42.1N, 33.6E``). Several places are a list of those, or an array of ``POSITION``.

Use a world from one thread at a time: a call made while another thread uses it raises ``BusyError``. Calls that may take
long release the GIL.
"""

import os
from collections.abc import Sequence
from typing import Any, Literal, Optional, Union

import numpy as np
import numpy.typing as npt

_Vector = tuple[float, float, float]
_Place = Union[Position, str]
_Places = Union[Sequence[_Place], npt.NDArray[np.void]]
_Residency = Literal["automatic", "whole", "observed"]
_Kind = Literal["entity", "room", "shell", "ground"]
_Door = Literal["open", "closed"]

#: A place: ``cell``, ``origin`` (3), ``rotation`` (4: w x y z).
POSITION: np.dtype[np.void]
#: The first thing that a ray hit: ``kind`` (0 nothing, 1 an object, 2 a room, 3 a shell, 4 the ground), ``target_cell``, ``entity``,
#: ``distance``, ``point`` (3), ``cell``.
HIT: np.dtype[np.void]
#: How a sweep ended: ``position``, ``valid``, ``remaining``, ``kind``, ``target_cell``, ``entity``, ``normal`` (3).
SWEPT: np.dtype[np.void]

class Error(Exception):
    """The engine refused a call; the world is unchanged."""

class NotFoundError(Error):
    """There is no such object, cell, block, record or name."""

class NotPossibleError(Error):
    """The object cannot do that: it is not a player, cannot walk, or is carried by another."""

class DataError(Error):
    """A file cannot be read or written, or its contents cannot be used."""

class BusyError(Error):
    """Another thread is using the same world or file."""

class Position:
    """A place: a cell, and an origin in metres from the south-west corner of the cell's block."""

    def __init__(
        self, cell: int, origin: _Vector = ..., rotation: tuple[float, float, float, float] = ...
    ) -> None: ...
    @staticmethod
    def parse(text: str) -> Position:
        """Parses the output of the game's ``/loc``: ``0xA9B40019 [84 7.1 94] 1 0 0 0``."""
    @property
    def cell(self) -> int: ...
    @property
    def origin(self) -> _Vector: ...
    @property
    def rotation(self) -> tuple[float, float, float, float]:
        """A quaternion: w, x, y, z."""
    @property
    def heading(self) -> float:
        """Degrees clockwise from north."""
    @property
    def is_inside(self) -> bool:
        """Whether the cell is inside a building or dungeon."""
    @property
    def on_map(self) -> _Vector:
        """Metres from the map's south-west corner, east and north, and the height."""
    def moved(self, east: float = 0.0, north: float = 0.0, up: float = 0.0) -> Position:
        """This position moved by some metres; the cell stays the same."""
    def facing(self, degrees: float) -> Position:
        """This position, facing the given degrees clockwise from north."""
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Hit:
    """The first thing that a ray hit."""

    @property
    def kind(self) -> _Kind: ...
    @property
    def entity(self) -> Optional[int]:
        """The object's ``id``, if it hit one."""
    @property
    def cell(self) -> Optional[int]:
        """The cell of a room, shell or ground."""
    @property
    def distance(self) -> float:
        """Metres from the start of the ray."""
    @property
    def position(self) -> Position: ...

class Body:
    """A body that walks or jumps: a player's, a creature's with a given setup, or one like that of an object."""

    def __init__(
        self,
        *,
        run: int = 200,
        jump: int = 200,
        burden: float = 0.0,
        slow: bool = False,
        setup: Optional[int] = None,
        scale: float = 1.0,
        like: Optional[Entity] = None,
    ) -> None: ...

class PathReport:
    """The result of walking a path."""

    @property
    def holds(self) -> bool: ...
    @property
    def end(self) -> Position: ...
    @property
    def legs(self) -> int:
        """Number of completed legs; it stopped in the next one."""
    @property
    def stop(self) -> Optional[Literal["no room", "blocked", "other level", "lost", "too long"]]: ...
    @property
    def blocker(self) -> Optional[_Kind]: ...
    @property
    def blocking_entity(self) -> Optional[int]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def metres(self) -> float: ...
    @property
    def deepest_fall(self) -> float: ...

class Route:
    """A route, or how near to the goal one can get."""

    @property
    def reachable(self) -> bool: ...
    @property
    def why(self) -> Optional[str]:
        """Why there is no route; ``None`` if there is one."""
    @property
    def proved(self) -> bool:
        """Whether a body has walked every leg of it."""
    @property
    def length(self) -> float:
        """Length in metres, seen from above."""
    @property
    def waypoints(self) -> list[Position]:
        """Where its legs end, the start first and the goal last."""
    @property
    def doors(self) -> list[int]:
        """Game ids of the closed doors on the route, in order."""
    @property
    def cells(self) -> list[int]:
        """Cells that it passes through, in order."""
    @property
    def portals(self) -> list[tuple[int, int]]:
        """Portals that it takes, in order: the game id, and the number of the waypoint that lies in the portal."""
    @property
    def nearest(self) -> Position:
        """The reachable place nearest to the goal."""
    @property
    def gap(self) -> float:
        """Metres from there to the goal, seen from above."""

class JumpReport:
    """The result of a jump."""

    @property
    def end(self) -> Literal["landed", "no footing", "lost", "stuck"]: ...
    @property
    def seconds(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def fall(self) -> float: ...
    @property
    def landing(self) -> Optional[Position]: ...
    @property
    def bumped(self) -> Optional[_Kind]: ...
    @property
    def arc(self) -> npt.NDArray[np.void]:
        """Positions of the body, tick by tick: an array of ``POSITION``."""

class PlanCell:
    """A visible interior cell."""

    @property
    def cell(self) -> int: ...
    @property
    def distance(self) -> float:
        """Metres to the farthest corner of the openings through which it is visible."""
    @property
    def regions(self) -> list[npt.NDArray[np.float32]]:
        """Convex polygons in normalised device coordinates (x right, y up, -1 to 1)."""

class Plan:
    """What is visible, in which regions of the picture, and in which order it is drawn."""

    @property
    def viewer_cell(self) -> Optional[int]: ...
    @property
    def outside(self) -> bool: ...
    @property
    def landscape(self) -> list[npt.NDArray[np.float32]]:
        """Regions in which the outdoors is visible."""
    @property
    def cells(self) -> list[PlanCell]: ...
    @property
    def buildings(self) -> list[tuple[int, list[PlanCell]]]:
        """Cells visible through the openings of buildings, by the building's land cell."""
    @property
    def steps(self) -> list[dict[str, Any]]: ...

class Portal:
    """An opening of an interior cell."""

    @property
    def cell(self) -> int: ...
    @property
    def to(self) -> Optional[int]:
        """The cell behind it; ``None`` for the outdoors."""
    @property
    def polygon(self) -> npt.NDArray[np.float32]: ...

class Entity:
    """An object of a world. The number of a removed object is never reused."""

    @property
    def id(self) -> int: ...
    @property
    def guid(self) -> Optional[int]: ...
    @property
    def setup(self) -> int: ...
    @property
    def position(self) -> Position: ...
    state: int
    velocity: _Vector
    @property
    def scale(self) -> float: ...
    @property
    def height(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def stands(self) -> bool:
        """Whether it stands on walkable ground."""
    @property
    def door(self) -> Optional[_Door]: ...
    @property
    def shadow_cells(self) -> npt.NDArray[np.uint32]:
        """Cells in which it is registered and can be hit."""
    def use(self) -> Optional[Literal["open", "closed", "blocked"]]:
        """Uses it as a player would: opens a closed door, closes an open one."""
    def place(self, place: _Place) -> Literal["placed", "no room", "no cell", "collided"]:
        """Places it, using the original's search for a free spot."""
    def sweep(self, to: _Place) -> np.void:
        """Sweeps it from its position, with its own body and footing, without moving it. Returns a row of ``SWEPT``."""
    def despawn(self) -> None: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class Walker(Entity):
    """A player controlled by keys."""

    def __new__(
        cls, world: World, place: _Place, *, run: int = 200, jump: int = 200, burden: float = 0.0
    ) -> Walker: ...
    def drive(
        self,
        *,
        forward: bool = False,
        back: bool = False,
        left: bool = False,
        right: bool = False,
        turn_left: bool = False,
        turn_right: bool = False,
        slow: bool = False,
        jump: bool = False,
    ) -> None:
        """Holds keys until the next call."""
    def walk(
        self,
        seconds: float,
        *,
        forward: bool = True,
        back: bool = False,
        left: bool = False,
        right: bool = False,
        turn_left: bool = False,
        turn_right: bool = False,
        slow: bool = False,
        jump: bool = False,
    ) -> npt.NDArray[np.void]:
        """Holds keys for some seconds, then releases them. Returns the position after every tick as an array of ``POSITION``."""
    def look(self, right: float, up: float = 0.0) -> None:
        """Turns right, and its camera up, by degrees."""
    def teleport(self, place: _Place) -> None: ...
    def pick(self, direction: _Vector) -> Optional[Hit]:
        """The first thing in a direction from its camera, in the coordinates of the camera's block."""

class Update:
    """A server's update of an object. Stamps are the game's sequence numbers."""

    @staticmethod
    def own_player(guid: int) -> Update: ...
    @staticmethod
    def create(
        guid: int,
        setup: int,
        position: Optional[Position] = None,
        *,
        name: str = "",
        state: int = 0x408,
        scale: float = 1.0,
        class_id: int = 0,
        item_type: int = 0,
        description: int = 0,
        motion_table: Optional[int] = None,
        placement: int = 0,
        parent: Optional[int] = None,
        location: int = 0,
        stamps: Sequence[int] = ...,
        anew: bool = False,
    ) -> Update:
        """Creates an object or describes it again. Stamps: positions, movements, states, vectors, teleports, server control,
        forced positions, appearances, instances."""
    @staticmethod
    def delete(guid: int, instance: int = 0) -> Update: ...
    @staticmethod
    def position(
        guid: int,
        position: Position,
        *,
        stamp: int,
        instance: int = 0,
        teleport: int = 0,
        force_position: int = 0,
        contact: bool = True,
        placement: int = 0,
    ) -> Update: ...
    @staticmethod
    def movement(
        guid: int,
        forward: int = 0x03,
        *,
        stamp: int,
        side: int = 0,
        turn: int = 0,
        forward_speed: float = 1.0,
        side_speed: float = 1.0,
        turn_speed: float = 1.0,
        style: int = 0x3D,
        sticky: Optional[int] = None,
        instance: int = 0,
        server_control: int = 0,
        autonomous: bool = False,
    ) -> Update:
        """An object performs commands, given by the low halves of their ids, until the next update; without a motion table it does nothing."""
    @staticmethod
    def move_to(
        guid: int,
        to: Position,
        *,
        stamp: int,
        target: Optional[int] = None,
        distance: float = 0.6,
        speed: float = 1.0,
        run_rate: float = 1.0,
        bits: Optional[int] = None,
        instance: int = 0,
        server_control: int = 0,
    ) -> Update:
        """An object moves to a place, or to an object if that is known."""
    @staticmethod
    def turn_to(
        guid: int,
        heading: float,
        *,
        stamp: int,
        target: Optional[int] = None,
        speed: float = 1.0,
        instance: int = 0,
        server_control: int = 0,
    ) -> Update:
        """An object turns to a heading in degrees, or towards an object if that is known."""
    @staticmethod
    def state(guid: int, state: int, *, stamp: int, instance: int = 0) -> Update: ...
    @staticmethod
    def vector(
        guid: int, velocity: _Vector, omega: _Vector = ..., *, stamp: int, instance: int = 0
    ) -> Update: ...
    @staticmethod
    def parent(
        child: int, parent: int, location: int, *, stamp: int, placement: int = 0, parent_instance: int = 0
    ) -> Update: ...
    @staticmethod
    def pickup(guid: int, *, stamp: int, instance: int = 0) -> Update: ...
    @staticmethod
    def script(guid: int, script: int) -> Update: ...
    @staticmethod
    def sound(guid: int, sound: int, volume: float = 1.0) -> Update: ...
    @staticmethod
    def teleport(stamp: int) -> Update: ...

class World:
    """A running world: cells, objects, doors, players, and queries about them."""

    @staticmethod
    def sample(residency: _Residency = "automatic") -> World:
        """The built-in sample world."""
    @staticmethod
    def open(folder: Union[str, os.PathLike[str]], residency: _Residency = "automatic") -> World:
        """A folder with ``client_portal.dat`` and ``client_cell_1.dat``."""
    def another(self, residency: _Residency = "automatic") -> World:
        """Opens another world that shares the data; another thread may use it at the same time."""
    def close(self) -> None: ...
    def __enter__(self) -> World: ...
    def __exit__(self, *exception: object) -> None: ...

    # Loading.
    def blocks(self) -> npt.NDArray[np.uint32]: ...
    def load(self, what: Union[int, _Place]) -> int:
        """Loads a block, or everything visible from a place, until ``unload`` is called with the returned number."""
    def unload(self, observer: int) -> None: ...
    def move_observer(self, observer: int, place: _Place) -> None: ...
    def places(self) -> list[str]: ...
    def place(self, text: str) -> Position: ...
    def heights(self, block: int) -> npt.NDArray[np.float32]:
        """Heights of a block's ground: 9 by 9, ``[x, y]`` from the south-west corner, 24 m apart."""
    def portals(self, block: int) -> list[Portal]:
        """The openings of a block's interior cells."""

    # Time.
    def tick(self) -> None:
        """One tick of a thirtieth of a second."""
    def advance(self, seconds: float) -> None:
        """Advances time, by at most an hour."""
    @property
    def ticks(self) -> int: ...
    @property
    def state_hash(self) -> int:
        """A hash of everything that can change; the same on every machine."""
    def snapshot(self) -> bytes: ...
    def restore(self, snapshot: bytes) -> None: ...
    def events(self) -> list[dict[str, Any]]:
        """Events since the last call, in order: a dict each, with at least ``kind``."""

    # Objects.
    def spawn(
        self,
        setup: int,
        place: _Place,
        *,
        guid: Optional[int] = None,
        state: int = 0x408,
        scale: float = 1.0,
        creature: bool = False,
        player: bool = False,
        door: bool = False,
    ) -> Entity: ...
    def walker(self, place: _Place, *, run: int = 200, jump: int = 200, burden: float = 0.0) -> Walker: ...
    def entities(self) -> list[Entity]: ...
    def find(self, what: Union[int, str]) -> Entity:
        """The object with a game id, or the placed object with a name."""
    def residents(self, cell: int) -> list[Entity]: ...
    def objects_within(self, place: _Place, metres: float) -> list[Entity]: ...

    # Server updates.
    def apply(self, said: Union[Update, bytes]) -> Literal["done", "stale", "queued", "nothing"]:
        """Applies an update, or a server's message reassembled from its fragments."""
    def await_own_player(self) -> None: ...
    @property
    def own_player(self) -> Optional[int]: ...
    def forget_server(self) -> None: ...

    # Queries; nothing changes.
    def ground_height(self, place: _Place) -> Optional[float]: ...
    def ground(self, place: _Place) -> Optional[Hit]: ...
    def ceiling(self, place: _Place) -> Optional[Hit]: ...
    def reseat(self, place: _Place, reference: _Vector = ...) -> Optional[Position]: ...
    def cells_of_sphere(self, center: _Place, radius: float) -> npt.NDArray[np.uint32]: ...
    def visible_cells(self, cell: int) -> npt.NDArray[np.uint32]: ...
    def cast(
        self,
        begin: _Place,
        direction: _Vector,
        reach: float,
        blockers: Literal["everything", "solid", "environment"] = "everything",
    ) -> Optional[Hit]: ...
    def casts(
        self,
        begins: _Places,
        ends: _Places,
        blockers: Literal["everything", "solid", "environment"] = "everything",
    ) -> npt.NDArray[np.void]:
        """Rays from places to places, on all processors: an array of ``HIT``."""
    def line_of_sight(
        self, a: Union[Entity, _Place], b: Union[Entity, _Place], radius: float = 0.0
    ) -> Optional[Hit]:
        """``None`` when the line is clear, otherwise the obstacle."""
    def lines_of_sight(self, begins: _Places, ends: _Places, radius: float = 0.0) -> npt.NDArray[np.void]: ...
    def sweep(
        self,
        begins: _Places,
        ends: _Places,
        radius: float = 0.3,
        kind: Literal["camera", "missile", "slide"] = "camera",
    ) -> npt.NDArray[np.void]:
        """Sweeps spheres through everything solid, on all processors: an array of ``SWEPT``."""
    def check_path(self, begin: _Place, legs: _Places, body: Optional[Body] = None) -> PathReport: ...
    def find_path(
        self,
        begin: _Place,
        end: _Place,
        body: Optional[Body] = None,
        *,
        opens_doors: bool = True,
        max_drop: float = 6.0,
        wades: bool = True,
        takes_portals: bool = False,
        prove: bool = True,
    ) -> Route:
        """Finds the shortest route and proves it by walking it, or reports where the reachable region ends."""
    def check_paths(self, paths: Sequence[_Places], body: Optional[Body] = None) -> list[PathReport]:
        """Like ``check_path`` for many paths, each beginning with its start, on all processors."""
    def simulate_jump(
        self,
        begin: _Place,
        power: float = 1.0,
        *,
        forward: bool = False,
        back: bool = False,
        left: bool = False,
        right: bool = False,
        slow: bool = False,
        body: Optional[Body] = None,
    ) -> JumpReport: ...
    def stand_at(self, place: _Place, body: Optional[Body] = None) -> Optional[Position]: ...
    def random_standable(
        self, area: Union[int, _Place], metres: float = 10.0, seed: int = 0, body: Optional[Body] = None
    ) -> Optional[Position]:
        """A random spot in a cell, or within a distance of a place, where a body can stand; the same seed gives the same spot."""

    # Pictures.
    def plan(
        self,
        view: Union[Entity, _Place],
        width: int = 640,
        height: int = 360,
        *,
        fov: float = 60.0,
        pitch: float = 0.0,
        is_eye: bool = False,
    ) -> Plan:
        """Plans a frame as seen by a player or from a place; with ``is_eye`` the eye is exactly at that place."""
    def render(
        self,
        view: Union[Entity, _Place],
        width: int = 640,
        height: int = 360,
        *,
        fov: float = 60.0,
        pitch: float = 0.0,
        is_eye: bool = False,
        after_noon: float = 0.0,
    ) -> npt.NDArray[np.uint8]:
        """A picture, height by width by 4; ``after_noon`` is a fraction of a day, -0.5 to 0.5."""
    def map_tile(
        self,
        block: int,
        *,
        around: int = 0,
        window: Optional[Sequence[float]] = None,
        pixels: int = 1024,
        cut: Optional[float] = None,
    ) -> npt.NDArray[np.uint8]:
        """A block from above, north up; ``window`` is west, south, east, north in metres from its south-west corner."""

    # Data.
    def check_instances(self, sql: str) -> list[str]:
        """Checks rows of ACE-World SQL against this world; a line per finding."""

class DatFile:
    """A dat file, read and written record by record."""

    def __init__(self, path: Union[str, os.PathLike[str]]) -> None: ...
    def ids(self, first: int = 0, last: int = 0xFFFFFFFF) -> npt.NDArray[np.uint32]: ...
    def read(self, id: int) -> bytes: ...
    def put(self, id: int, record: bytes) -> None:
        """Stores a record, replacing an existing one; an interrupted write never damages the file."""
    def remove(self, id: int) -> None: ...
    def __contains__(self, id: int) -> bool: ...
    def close(self) -> None: ...
    def __enter__(self) -> DatFile: ...
    def __exit__(self, *exception: object) -> None: ...

def decode(capture: Union[bytes, str, os.PathLike[str]]) -> list[dict[str, Any]]:
    """The events of a recorded session (pcap, pcapng, gzipped or not): a dict per event, as ``threshold wire decode`` prints it."""

def positions(cells: npt.ArrayLike, origins: npt.ArrayLike) -> npt.NDArray[np.void]:
    """An array of ``POSITION`` from cells and origins, which broadcast against each other; all face north."""

def on_map(places: npt.NDArray[np.void]) -> npt.NDArray[np.float64]:
    """Metres from the map's south-west corner, east and north, and the height: an array with three columns."""
