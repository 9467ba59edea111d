import numpy as np
import pytest

import threshold


def test_a_player_walks_through_the_door_only_when_it_is_open(world):
    me = threshold.Walker(world, "Cottage Door")
    door = world.find("Cottage Door")
    me.walk(1.0, slow=True)
    assert not me.position.is_inside
    touched = [event for event in world.events() if event["kind"] == "touched" and event["entity"] == me.id]
    assert touched and touched[0]["other"] == door.id
    assert (door.door, door.use(), door.door) == ("closed", "open", "open")
    way = me.walk(1.5, slow=True)
    inside = world.place("Cottage Vestibule").cell
    assert len(way) == 45 and way.dtype == threshold.POSITION
    assert tuple(way["origin"][-1]) == me.position.origin
    assert inside in way["cell"]
    events = world.events()
    assert {"kind": "door_opened", "entity": door.id} in events
    assert any(event["kind"] == "cell_changed" and event["to"] == inside for event in events)
    assert world.events() == [] and world.ticks == 75


def test_snapshots_bring_a_world_back(world):
    me = world.walker("Village Street")
    before, snapshot = world.state_hash, world.snapshot()
    me.drive(forward=True)
    world.advance(0.5)
    assert world.state_hash != before
    world.restore(snapshot)
    assert world.state_hash == before
    with pytest.raises(threshold.DataError):
        world.restore(b"\x00" + snapshot[1:])


def test_blocks_come_and_go(origin):
    street = origin.place("Village Street")
    with origin.another("observed") as world:
        assert world.ground_height(street) is None
        block = world.load(street.cell >> 16)
        assert world.ground_height(street) == pytest.approx(street.origin[2], abs=0.1)
        around = world.load(street)
        world.unload(block)
        world.move_observer(around, street.moved(east=5))
        assert world.ground_height(street) is not None
        world.unload(around)
        with pytest.raises(threshold.NotFoundError):
            world.unload(around)
        with pytest.raises(threshold.NotFoundError):
            world.load(0x0101)


def test_a_folder_of_dat_files_is_a_world(data):
    with threshold.World.open(data / "worlds" / "cottage") as world:
        assert 0xA9B4 in world.blocks()
        assert world.heights(0xA9B4).shape == (9, 9)
        assert len(world.portals(0xA9B4)) > 0


def test_heights_are_those_of_the_ground(world):
    street = world.place("Village Street")
    heights = world.heights(street.cell >> 16)
    assert heights.dtype == np.float32
    corner = threshold.Position(0x80800001, (24.0, 24.0, 0.0))
    assert world.ground_height(corner.moved(east=-0.001)) == pytest.approx(heights[1, 1], abs=0.01)


def test_portals_lead_from_cell_to_cell(world):
    room = world.place("Cottage Living Room").cell
    portals = world.portals(room >> 16)
    vestibule = world.place("Cottage Vestibule").cell
    # The corridor between them has both as its neighbours.
    assert {p.to for p in portals if p.cell == room} & {p.to for p in portals if p.cell == vestibule}
    assert any(portal.to is None for portal in portals)
    for portal in portals:
        assert portal.polygon.shape[1] == 3 and len(portal.polygon) >= 3
        # Every opening between two cells is one of both.
        if portal.to is not None:
            assert any(back.cell == portal.to and back.to == portal.cell for back in portals)


def test_objects_come_move_and_go(world):
    street = world.place("Village Street")
    thing = world.spawn(0x02000001, street, guid=0x70000001, creature=True)
    assert world.find(0x70000001) == thing and hash(world.find(0x70000001)) == hash(thing)
    assert (thing.guid, thing.setup, thing.scale, thing.state) == (0x70000001, 0x02000001, 1.0, 0x408)
    assert thing.height > 1 and thing.radius > 0.1 and thing.door is None
    assert thing in world.residents(street.cell) and thing in world.entities()
    assert world.objects_within(street, 0.5)[0] == thing
    assert street.cell in thing.shadow_cells
    assert thing.place(street.moved(up=0.1)) == "placed"
    thing.velocity = (0, 0, 5)
    assert thing.velocity == (0.0, 0.0, 5.0)
    thing.state = 0x40C
    assert thing.state == 0x40C
    world.tick()
    thing.despawn()
    with pytest.raises(threshold.NotFoundError):
        thing.position
    door = world.spawn(0x02000001, street, door=True)
    assert door.door == "closed"


def test_a_walker_looks_jumps_and_travels(world):
    me = threshold.Walker(world, "Village Street", run=400, jump=100)
    before = me.position.heading
    me.look(90)
    world.tick()
    assert me.stands and (me.position.heading - before) % 360 == pytest.approx(90, abs=0.1)
    assert me.pick((0, 0, -1)).kind in ("ground", "entity")
    free = me.sweep(me.position.moved(north=-2))
    assert free["remaining"] < 0.1 and free.dtype == threshold.SWEPT
    heights = me.walk(1.0, forward=False, jump=True)["origin"][:, 2]
    assert heights[-1] == heights[0]
    assert me.walk(0.5, forward=False)["origin"][:, 2].max() > heights[0] + 0.3
    tower = world.place("Tower Lookout")
    me.teleport(tower)
    assert any(event["kind"] == "arrived" for event in world.events())
    assert me.position.cell == tower.cell
    assert isinstance(me, threshold.Entity)


def test_positions_are_values():
    text = "0xA9B40019 [84.000000 7.100000 94.000000] 1.000000 0.000000 0.000000 0.000000"
    place = threshold.Position.parse(text)
    assert str(place) == text and eval(repr(place), {"Position": threshold.Position}) == place
    assert place == threshold.Position(0xA9B40019, place.origin) and hash(place) == hash(threshold.Position.parse(text))
    assert place != place.moved(east=1) and place.moved(1, 2, 3).origin == pytest.approx((85, 9.1, 97))
    assert place.facing(90).heading == pytest.approx(90) and place.rotation == (1, 0, 0, 0)
    assert not place.is_inside and threshold.Position(0xA9B40100).is_inside
    array = threshold.positions([0xA9B40019], [place.origin])
    assert threshold.on_map(array)[0] == pytest.approx(place.on_map)
    assert threshold.on_map(array)[0] == pytest.approx((0xA9 * 192 + 84, 0xB4 * 192 + 7.1, 94))
