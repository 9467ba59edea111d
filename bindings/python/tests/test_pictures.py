import numpy as np

import threshold


def test_a_plan_says_what_is_seen_through_what(world):
    room = world.place("Cottage Living Room").cell
    plan = world.plan("Cottage Living Room", 640, 360)
    assert plan.viewer_cell == room and not plan.outside
    assert plan.cells[0].cell == room and plan.cells[0].distance == 0 and len(plan.cells) > 1
    for cell in plan.cells:
        for region in cell.regions:
            assert region.shape[1] == 2 and len(region) >= 3 and np.abs(region).max() <= 1.001
    # The outdoors are seen through windows, and other houses through theirs.
    assert plan.landscape and plan.buildings
    operations = [step["op"] for step in plan.steps]
    assert operations[0] == "begin_frame" and operations[-1] == "end_frame"
    assert operations.index("landscape") < operations.index("clear_depth") < operations.index("seal")


def test_a_picture_shows_an_open_door(world):
    closed = world.render("Cottage Door", 160, 90)
    assert closed.shape == (90, 160, 4) and closed.dtype == np.uint8 and (closed[..., 3] == 255).all()
    assert (world.render("Cottage Door", 160, 90) == closed).all()
    world.find("Cottage Door").use()
    world.advance(2)
    different = (world.render("Cottage Door", 160, 90) != closed).any(axis=2)
    assert different.sum() > 1000
    # The wall beside the door is the same.
    assert not different[:, :20].any()


def test_a_player_sees_with_its_own_eye(world):
    me = world.walker("Cottage Door")
    world.advance(0.5)
    own = world.render(me, 160, 90)
    assert (own != world.render("Cottage Door", 160, 90)).any()
    assert world.plan(me).viewer_cell is not None
    night = world.render(me, 160, 90, after_noon=0.5)
    assert night.mean() < own.mean()


def test_a_map_tile_shows_a_block_from_above(world):
    tile = world.map_tile(0x8080, pixels=128)
    assert tile.shape == (128, 128, 4)
    part = world.map_tile(0x8080, window=(48, 96, 72, 108), pixels=128, cut=21)
    assert part.shape == (64, 128, 4)
    assert world.map_tile(0x8080, around=1, pixels=96).shape[1] <= 96


def test_the_same_pictures_as_from_another_world(origin):
    with origin.another() as a, threshold.World.sample() as b:
        assert (a.render("Village Street", 80, 45) == b.render("Village Street", 80, 45)).all()
