"""Wrong use raises; it never changes the world, hangs or crashes."""

import gc
import inspect
import math
import threading

import numpy as np
import pytest

import threshold
from threshold import Body, Position, Update

BAD = [math.nan, math.inf, -math.inf]


def calls(world, place, thing, me):
    """Every method, with arguments that are good in an open world."""
    dot = threshold.positions(place.cell, [place.origin])
    return {
        "World.another": lambda: world.another("observed").close(),
        "World.blocks": lambda: world.blocks(),
        "World.load": lambda: world.unload(world.load(place)),
        "World.unload": lambda: world.unload(world.load(place)),
        "World.move_observer": lambda: world.move_observer(world.load(place), place),
        "World.places": lambda: world.places(),
        "World.place": lambda: world.place("Village Street"),
        "World.heights": lambda: world.heights(0x8080),
        "World.portals": lambda: world.portals(0x8080),
        "World.tick": lambda: world.tick(),
        "World.advance": lambda: world.advance(0.1),
        "World.ticks": lambda: world.ticks,
        "World.state_hash": lambda: world.state_hash,
        "World.snapshot": lambda: world.snapshot(),
        "World.restore": lambda: world.restore(world.snapshot()),
        "World.events": lambda: world.events(),
        "World.spawn": lambda: world.spawn(0x02000001, place).despawn(),
        "World.walker": lambda: world.walker(place).despawn(),
        "World.entities": lambda: world.entities(),
        "World.find": lambda: world.find("Cottage Door"),
        "World.residents": lambda: world.residents(place.cell),
        "World.objects_within": lambda: world.objects_within(place, 1),
        "World.apply": lambda: world.apply(Update.state(1, 2, stamp=3)),
        "World.await_own_player": lambda: world.another().await_own_player() or world.ticks,
        "World.own_player": lambda: world.own_player,
        "World.forget_server": lambda: world.forget_server(),
        "World.ground_height": lambda: world.ground_height(place),
        "World.ground": lambda: world.ground(place),
        "World.ceiling": lambda: world.ceiling(place),
        "World.reseat": lambda: world.reseat(place),
        "World.cells_of_sphere": lambda: world.cells_of_sphere(place, 1),
        "World.visible_cells": lambda: world.visible_cells(place.cell),
        "World.cast": lambda: world.cast(place, (0, 0, 1), 1),
        "World.casts": lambda: world.casts(dot, dot),
        "World.line_of_sight": lambda: world.line_of_sight(place, place),
        "World.lines_of_sight": lambda: world.lines_of_sight(dot, dot),
        "World.sweep": lambda: world.sweep(dot, dot),
        "World.check_path": lambda: world.check_path(place, [place]),
        "World.check_paths": lambda: world.check_paths([[place]]),
        "World.find_path": lambda: world.find_path(place, place),
        "World.simulate_jump": lambda: world.simulate_jump(place),
        "World.stand_at": lambda: world.stand_at(place),
        "World.random_standable": lambda: world.random_standable(place),
        "World.plan": lambda: world.plan(place, 8, 8),
        "World.render": lambda: world.render(place, 8, 8),
        "World.map_tile": lambda: world.map_tile(0x8080, pixels=16),
        "World.check_instances": lambda: world.check_instances(""),
        "Entity.guid": lambda: thing.guid,
        "Entity.setup": lambda: thing.setup,
        "Entity.position": lambda: thing.position,
        "Entity.state": lambda: thing.state,
        "Entity.velocity": lambda: thing.velocity,
        "Entity.scale": lambda: thing.scale,
        "Entity.height": lambda: thing.height,
        "Entity.radius": lambda: thing.radius,
        "Entity.stands": lambda: thing.stands,
        "Entity.door": lambda: thing.door,
        "Entity.shadow_cells": lambda: thing.shadow_cells,
        "Entity.use": lambda: thing.use(),
        "Entity.place": lambda: thing.place(place),
        "Entity.sweep": lambda: thing.sweep(place),
        "Walker.drive": lambda: me.drive(),
        "Walker.walk": lambda: me.walk(0.1),
        "Walker.look": lambda: me.look(1),
        "Walker.teleport": lambda: me.teleport(place),
        "Walker.pick": lambda: me.pick((0, 0, -1)),
        "Entity.despawn": lambda: thing.despawn(),
    }


def everything(world):
    place = world.place("Village Street")
    thing = world.spawn(0x02000001, place, creature=True)
    return calls(world, place, thing, world.walker(place))


def test_every_method_is_known_here(world):
    names = set(everything(world))
    for cls in (threshold.World, threshold.Entity, threshold.Walker):
        for name, member in vars(cls).items():
            is_static = isinstance(inspect.getattr_static(cls, name), staticmethod)
            if not name.startswith("_") and not is_static and name not in ("close", "id"):
                assert f"{cls.__name__}.{name}" in names, f"{cls.__name__}.{name} is not tried"


def test_a_closed_world_refuses_everything(origin):
    world = origin.another()
    methods = everything(world)
    for call in methods.values():
        call()
    world = origin.another()
    methods = everything(world)
    world.close()
    world.close()
    for name, call in methods.items():
        with pytest.raises(ValueError, match="closed"):
            call()
            pytest.fail(name)


def test_objects_outlive_their_world_without_harm(origin):
    thing = origin.another().find("Cottage Door")
    gc.collect()
    assert thing.use() == "open"


def test_numbers_that_are_none(world):
    place = world.place("Village Street")
    before = world.state_hash
    for bad in BAD:
        for call in (
            lambda: place.moved(east=bad),
            lambda: Position(place.cell, (bad, 0, 0)),
            lambda: Position(place.cell, (0, 0, 0), (bad, 0, 0, 0)),
            lambda: place.facing(bad),
            lambda: world.advance(bad),
            lambda: world.cells_of_sphere(place, bad),
            lambda: world.cast(place, (bad, 0, 0), 1),
            lambda: world.sweep([place], [place], bad),
            lambda: world.sweep(threshold.positions(place.cell, [[bad, 0, 0]]), [place]),
            lambda: world.line_of_sight(place, place, bad),
            lambda: world.lines_of_sight([place], [place], bad),
            lambda: world.simulate_jump(place, bad),
            lambda: world.random_standable(place, bad),
            lambda: world.reseat(place, (bad, 0, 0)),
            lambda: world.spawn(0x02000001, place, scale=bad),
            lambda: world.walker(place, burden=bad),
            lambda: Body(burden=bad),
            lambda: world.plan(place, fov=bad),
            lambda: world.plan(place, pitch=bad),
            lambda: world.render(place, 8, 8, after_noon=bad),
            lambda: world.map_tile(0x8080, window=(bad, 0, 1, 1)),
            lambda: Update.move_to(9, place, stamp=1, speed=bad),
            lambda: Update.turn_to(9, bad, stamp=1),
            lambda: Update.movement(9, 5, stamp=1, forward_speed=bad),
            lambda: world.apply(Update.create(9, 0x02000001, place, scale=bad)),
        ):
            with pytest.raises(ValueError):
                call()
                pytest.fail(inspect.getsource(call))
    for call in (
        lambda: world.advance(-1),
        lambda: world.advance(1e9),
        lambda: world.cast(place, (0, 0, 1), math.nan),
        lambda: world.objects_within(place, math.nan),
        lambda: world.map_tile(0x8080, cut=math.nan),
        lambda: world.map_tile(0x8080, pixels=0),
        lambda: world.map_tile(0x8080, around=300),
        lambda: world.map_tile(0x10000),
        lambda: world.render(place, 0, 10),
        lambda: world.render(place, 10, 9000),
        lambda: Position(0, (0, 0, 0)),
        lambda: Position.parse("nowhere"),
        lambda: world.another("somehow"),
        lambda: world.sweep([place], [place], 1, "ghost"),
        lambda: world.cast(place, (0, 0, 1), 1, "ghosts"),
    ):
        with pytest.raises(ValueError):
            call()
            pytest.fail(inspect.getsource(call))
    assert world.state_hash == before


def test_lengths_and_types(world):
    place = world.place("Village Street")
    with pytest.raises(ValueError, match="2 starts and 1 ends"):
        world.sweep([place, place], [place])
    with pytest.raises(ValueError, match="1 starts and 0 ends"):
        world.casts([place], [])
    with pytest.raises(ValueError, match="0 starts and 1 ends"):
        world.lines_of_sight([], [place])
    assert len(world.sweep([], [])) == 0
    with pytest.raises(ValueError, match="needs a start"):
        world.check_paths([[]])
    with pytest.raises(TypeError):
        world.sweep(np.zeros((3, 3)), np.zeros((3, 3)))
    with pytest.raises(TypeError):
        world.ground(None)
    with pytest.raises(TypeError):
        world.apply(5)
    with pytest.raises((OverflowError, TypeError)):
        world.load(-1)
    with pytest.raises(ValueError):
        threshold.positions([1], [[1, 2]])
    with pytest.raises(TypeError):
        threshold.on_map(np.zeros(3))
    with pytest.raises(ValueError, match="entry 1"):
        world.sweep(threshold.positions([place.cell, 0], [place.origin] * 2), [place, place])
    with pytest.raises(threshold.DataError):
        world.restore(b"")
    with pytest.raises(threshold.DataError):
        threshold.World.open("/nowhere")


def test_what_does_not_exist(world):
    door = world.find("Cottage Door")
    for call in (
        lambda: world.find("Nobody"),
        lambda: world.find(12345),
        lambda: world.place("Nowhere"),
        lambda: world.ground("Nowhere"),
        lambda: world.unload(4711),
        lambda: world.heights(0x0101),
        lambda: world.portals(0x0101),
        lambda: world.map_tile(0x0101),
        lambda: world.plan(Position(0x01010001, (1, 1, 1))),
        lambda: world.spawn(0x0200FFFF, "Village Street"),
    ):
        with pytest.raises(threshold.NotFoundError):
            call()
            pytest.fail(inspect.getsource(call))
    with pytest.raises(threshold.NotPossibleError):
        world.render(door, 8, 8)
    with pytest.raises(threshold.NotPossibleError):
        world.check_path("Village Street", ["Village Street"], Body(like=door))
    with pytest.raises(ValueError):
        Body(like=door, setup=1)


def test_two_threads_at_once(origin):
    """One works, with the lock of the interpreter released; the other one is refused, and nothing else happens."""
    for _ in range(100):
        with origin.another() as world:
            worker = threading.Thread(target=world.advance, args=(60,))
            refused = 0
            worker.start()
            while worker.is_alive():
                try:
                    world.ticks
                except threshold.BusyError:
                    refused += 1
            worker.join()
            # The worker itself is refused when it comes second.
            assert world.ticks in (0, 1800)
            if refused and world.ticks == 1800:
                return
    pytest.fail("nothing was ever refused")


def test_worlds_in_parallel_do_not_disturb_each_other(origin):
    def life(hashes, index):
        with origin.another() as world:
            world.walker("Village Street").walk(2)
            hashes[index] = world.state_hash

    hashes = [None] * 4
    threads = [threading.Thread(target=life, args=(hashes, index)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert hashes[0] is not None and len(set(hashes)) == 1


def test_a_thousand_worlds_need_no_more_memory_than_a_few(origin):
    def resident():
        gc.collect()
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    warm = 0
    for cycle in range(1000):
        if cycle == 200:
            warm = resident()
        world = origin.another("observed")
        if cycle % 2:
            world.close()
    assert resident() - warm < 2048, "pages"
