import numpy as np
import pytest

import threshold


def test_a_closed_door_blocks_the_view_and_an_open_one_does_not(world):
    door = world.find("Cottage Door")
    outside = world.place("Cottage Door").moved(up=1.2)
    inside = world.place("Cottage Vestibule").moved(up=1.2)
    hit = world.line_of_sight(outside, inside)
    assert (hit.kind, hit.entity, hit.cell) == ("entity", door.id, None) and hit.distance > 0.5
    assert hit.position.origin[1] == pytest.approx(outside.origin[1] + hit.distance, abs=0.01)
    assert list(world.lines_of_sight([outside, inside], [inside, outside])["entity"]) == [door.id, door.id]
    door.use()
    assert world.line_of_sight(outside, inside, 0.1) is None
    assert list(world.lines_of_sight([outside, inside], [inside, outside])["kind"]) == [0, 0]
    a, b = world.walker("Village Street"), world.walker("Village Green")
    assert world.line_of_sight(a, b) is None


def test_a_path_over_the_stairs_holds_and_one_through_the_floor_does_not(world):
    room, foot = world.place("Cottage Living Room"), world.place("Cottage Cellar Stairs")

    def top(east):
        return threshold.Position(room.cell, (foot.origin[0] + east, foot.origin[1] - 4.6, room.origin[2]))

    down = world.check_path(room, [top(1.9), top(0), foot])
    assert down.holds and down.stop is None and down.legs == 3 and down.end.cell == foot.cell
    assert down.end.origin[2] < room.origin[2] - 2.5
    up = world.check_path(down.end, [top(0), top(1.9), room], threshold.Body(slow=True))
    assert up.holds and up.seconds > down.seconds and up.metres > 5 and up.deepest_fall < 1
    assert not world.check_path(room, ["Cottage Cellar"]).holds
    both = world.check_paths([["Cottage Door", "Cottage Vestibule"], [room, top(1.9)]])
    assert both[0].stop == "blocked" and both[0].blocker == "entity"
    assert both[0].blocking_entity == world.find("Cottage Door").id
    assert both[1].holds and both[1].blocker is None
    me = world.walker(room)
    assert world.check_path(room, [room], threshold.Body(like=me)).holds


def test_a_way_to_the_cellar_is_walked_before_it_is_given_out(world):
    way = world.find_path("Village Street", "Cottage Cellar")
    assert way.reachable and way.proved and way.why is None and way.length > 10
    assert way.waypoints[-1].cell == way.cells[-1] == world.place("Cottage Cellar").cell
    assert way.doors == [world.find("Cottage Door").guid]
    shut = world.find_path("Village Street", "Cottage Cellar", opens_doors=False)
    assert not shut.reachable and "ends before the goal" in shut.why and shut.gap > 0 and shut.waypoints == []
    assert not shut.nearest.is_inside
    with pytest.raises(ValueError):
        world.find_path("Village Street", "Village Street", max_drop=float("nan"))


def test_a_portal_is_taken_by_one_who_may(world):
    on_foot = world.find_path("Cave Entrance", "Dungeon Great Hall")
    assert not on_foot.reachable and on_foot.portals == []
    way = world.find_path("Cave Entrance", "Dungeon Great Hall", takes_portals=True)
    assert way.reachable and way.proved
    [(portal, waypoint)] = way.portals
    assert portal == world.find("Portal to the Dungeon").guid and waypoint + 1 < len(way.waypoints)


def test_jumps_land_where_they_should(world):
    body = threshold.Body(run=300, jump=300)
    jump = world.simulate_jump("Village Street", 1.0, forward=True, body=body)
    assert jump.end == "landed" and 3.5 < jump.height < 4.5 and jump.fall > 2 and jump.bumped is None
    assert tuple(jump.arc["origin"][-1]) == jump.landing.origin and jump.seconds > 1
    assert world.simulate_jump("Cottage Cellar").bumped == "room"


def test_spots_ground_and_cells(world):
    street = world.place("Village Street")
    assert world.ground(street).kind == "ground" and world.ceiling(street) is None
    assert world.ceiling("Cottage Cellar").kind == "room"
    assert world.stand_at(street).cell == street.cell and world.stand_at(street.moved(up=300)) is None
    room = world.place("Cottage Living Room").cell
    spot = world.random_standable(room, seed=7)
    assert spot.cell == room and spot == world.random_standable(room, seed=7)
    assert world.random_standable(street, 10, 3, threshold.Body(setup=0x02000001)) is not None
    assert world.reseat(spot, (0, 0, 1)).cell == room
    assert world.cells_of_sphere(spot.moved(up=1.2), 0.2)[0] == room
    assert world.place("Cottage Vestibule").cell in world.visible_cells(room)
    assert "Village Street" in world.places() and len(world.blocks()) > 5


def test_many_sweeps_are_as_good_as_one(world):
    door = world.find("Cottage Door")
    begin, end = world.place("Cottage Door").moved(up=1), world.place("Cottage Vestibule").moved(up=1)
    one = world.sweep([begin], [end], radius=0.2)[0]
    assert one["valid"] == 1 and one["entity"] == door.id and one["remaining"] > 0.3
    assert one["normal"][1] == pytest.approx(-1, abs=0.01)
    begins = threshold.positions(begin.cell, np.tile(begin.origin, (100, 1)))
    ends = threshold.positions(end.cell, np.tile(end.origin, (100, 1)))
    many = world.sweep(begins, ends, radius=0.2)
    assert many.shape == (100,) and (many["position"]["origin"] == one["position"]["origin"]).all()
    # Arrays need not be contiguous.
    assert (world.sweep(begins[::3], ends[::3], 0.2)["remaining"] == one["remaining"]).all()
    spread = begins.copy()
    spread["origin"][:, 0] += np.linspace(-5, 5, 100)
    single = [world.sweep(spread[i : i + 1], ends[i : i + 1], 0.2)["remaining"][0] for i in range(100)]
    assert list(world.sweep(spread, ends, 0.2)["remaining"]) == single


def test_rays(world):
    door = world.find("Cottage Door")
    begin = world.place("Cottage Door").moved(up=1)
    hit = world.cast(begin, (0, 1, 0), 10, "solid")
    assert hit.entity == door.id
    hits = world.casts([begin] * 3, [begin.moved(north=10)] * 3, "solid")
    assert hits.dtype == threshold.HIT and (hits["distance"] == np.float32(hit.distance)).all()
    assert world.cast(begin, (0, 0, 1), 10) is None
