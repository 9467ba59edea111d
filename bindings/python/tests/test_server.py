import struct

import pytest

import threshold
from threshold import Update

GUID = 0x70000001


def test_updates_follow_the_sequence_numbers_of_the_game(world):
    street, green = world.place("Village Street"), world.place("Village Green")
    assert world.apply(Update.state(GUID, 0x40C, stamp=1)) == "queued"
    assert world.apply(Update.create(GUID, 0x02000001, street, name="Drudge", item_type=0x10)) == "done"
    drudge = world.find(GUID)
    assert drudge.state == 0x40C
    assert world.apply(Update.state(GUID, 0x408, stamp=1)) == "stale"
    assert world.apply(Update.state(GUID, 0x408, stamp=2)) == "done"
    assert drudge.state == 0x408
    assert world.apply(Update.position(GUID, green, stamp=1, teleport=1)) == "done"
    world.tick()
    assert drudge.position.cell == green.cell
    assert world.apply(Update.vector(GUID, (0, 0, 3), stamp=1)) == "done"
    assert world.apply(Update.sound(GUID, 5, 0.5)) == "done"
    assert world.apply(Update.script(GUID, 0x33000001)) == "done"
    kinds = [event["kind"] for event in world.events()]
    assert "created" in kinds and "sound" in kinds and "script" in kinds
    assert world.apply(Update.delete(GUID)) == "done"
    with pytest.raises(threshold.NotFoundError):
        world.find(GUID)


def test_a_server_orders_an_object_to_go_and_to_turn(world):
    green = world.place("Village Green")
    world.apply(Update.create(GUID, 0x02000001, green, item_type=0x10, motion_table=0x09000001))
    world.tick()
    drudge = world.find(GUID)
    to = drudge.position.moved(north=4)
    assert world.apply(Update.move_to(GUID, to, stamp=1)) == "done"
    assert world.apply(Update.move_to(GUID, to, stamp=1)) == "stale"
    world.advance(4)
    assert drudge.position.origin[1] > to.origin[1] - 1
    assert world.apply(Update.turn_to(GUID, 90, stamp=2)) == "done"
    world.advance(3)
    assert drudge.position.heading == pytest.approx(90, abs=1)
    before = drudge.position.origin[0]
    assert world.apply(Update.movement(GUID, 0x05, stamp=3)) == "done"
    world.advance(1)
    assert drudge.position.origin[0] > before + 1, "it walks east"


def test_things_are_held_and_put_away(world):
    street = world.place("Village Street")
    world.apply(Update.create(GUID, 0x02000001, street, item_type=0x10))
    world.apply(Update.create(GUID + 1, 0x02000001, street))
    assert world.apply(Update.parent(GUID + 1, GUID, 1, stamp=1)) == "done"
    assert world.apply(Update.pickup(GUID + 1, stamp=2)) == "done"
    assert "Pickup" in repr(Update.pickup(GUID, stamp=2))


def test_everything_waits_until_the_own_player_is_named(world):
    world.await_own_player()
    street = world.place("Village Street")
    assert world.apply(Update.create(GUID, 0x02000001, street, item_type=0x10)) == "queued"
    assert world.own_player is None
    assert world.apply(Update.own_player(0x50000001)) == "done"
    assert world.own_player == 0x50000001 and world.find(GUID).guid == GUID
    with pytest.raises(threshold.NotPossibleError):
        world.apply(Update.own_player(0x50000002))
    assert world.apply(Update.teleport(1)) == "stale", "the own player has not been described"
    world.forget_server()
    with pytest.raises(threshold.NotFoundError):
        world.find(GUID)


def test_messages_are_applied_as_they_come(world):
    world.apply(Update.create(GUID, 0x02000001, world.place("Village Street")))
    set_state = struct.pack("<IIIHH", 0xF74B, GUID, 0x40C, 0, 1)
    assert world.apply(set_state) == "done" and world.find(GUID).state == 0x40C
    assert world.apply(set_state) == "stale"
    assert world.apply(struct.pack("<I", 0xF7E5) + bytes(24)) == "nothing"
    with pytest.raises(ValueError, match="not a message"):
        world.apply(set_state[:7])


def test_a_recorded_session_is_decoded(data):
    path = data / "wire" / "village.pcap.gz"
    events = threshold.decode(path)
    assert len(events) > 100 and {"created", "position"} <= {event["event"] for event in events}
    assert threshold.decode(path.read_bytes()) == events
    with pytest.raises(threshold.DataError):
        threshold.decode(b"no capture at all, but long enough to be read")


def test_rows_of_sql_are_checked(world):
    sql = (
        "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`, "
        "`angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, `last_Modified`) "
        "VALUES (1, 412, 0x80800100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '2021-11-01 00:00:00');"
    )
    findings = world.check_instances(sql)
    assert any("unknown-class" in finding for finding in findings)
    assert world.check_instances("") == []
