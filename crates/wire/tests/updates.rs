//! Messages as updates: worked examples 3 to 6 of the specification (entities §11), and a golden session.

use threshold_dat::DatId;
use threshold_golden::wire_capture;
use threshold_physics::update::{Pose, Update};
use threshold_wire::{
    Capture, DEFAULT_PORTS, EventKind, Forms, Guid, Message, decode,
    messages::{
        self, Action, InterpretedState, MotionUpdate, MovementKind, ObjectDescription, PackedPosition,
        PositionUpdate,
    },
};
use threshold_world::CellId;

fn size(message: &Message<'_>) -> usize {
    message.encode(&Forms::default()).expect("it can be sent").len()
}

/// A description of which only the physical side changes in size.
fn description(change: impl FnOnce(&mut messages::PhysicsDescription)) -> usize {
    let mut object = ObjectDescription::default();
    change(&mut object.physics);
    size(&Message::CreateObject(Box::new(object)))
}

#[test]
fn examples_3_and_4_sizes_of_descriptions() {
    // Without any field: flags, state and nine stamps, aligned.
    let rest = description(|_| ()) - 28;
    let fill = |physics: &mut messages::PhysicsDescription| {
        physics.setup = Some(DatId(0x0200_0001));
        physics.motion_table = Some(DatId(0x0900_0001));
        physics.scale = Some(1.0);
        physics.position = Some(messages::Position::default());
    };
    assert_eq!(description(fill) - rest, 72);
    let moving = description(|physics| {
        fill(physics);
        physics.pose = messages::Pose::Moving(None);
    });
    assert_eq!(moving - rest, 76);
}

#[test]
fn example_5_size_of_a_position() {
    let mut position = PackedPosition { contact: true, ..PackedPosition::default() };
    position.position.rotation = [1.0, 0.0, 0.0, 0.0];
    let message = Message::UpdatePosition(PositionUpdate { guid: Guid(1), position });
    let bytes = message.encode(&Forms::default()).unwrap();
    assert_eq!(bytes.len() - 8, 32);
    assert_eq!(bytes[8..12], 0x74_u32.to_le_bytes());
}

#[test]
fn example_6_size_of_an_interpreted_state() {
    let movement = |actions: Vec<Action>| {
        let state = InterpretedState {
            forward: Some(7),
            forward_speed: Some(1.5),
            actions,
            ..InterpretedState::default()
        };
        let mut update = MotionUpdate::default();
        update.motion.movement.kind = MovementKind::Interpreted(state, None);
        // Opcode, id, three stamps, who decided, aligned; then type, options and style.
        size(&Message::Movement(Box::new(update))) - 16 - 4
    };
    assert_eq!(movement(Vec::new()), 12);
    assert_eq!(movement(vec![Action::default()]), 20);
}

/// Every update of a golden session, in order.
fn updates(name: &str) -> Vec<Update> {
    let mut updates = Vec::new();
    let file = wire_capture(name).bytes;
    decode(Capture::new(&file[..]).expect("a capture"), DEFAULT_PORTS, &mut |event| {
        if let EventKind::Message { message, .. } = &event.kind {
            updates.extend(message.updates());
        }
    });
    updates
}

#[test]
fn a_session_says_who_the_player_is_what_there_is_and_what_becomes_of_it() {
    let updates = updates("village.pcap");
    let own = updates.iter().find_map(|update| match update {
        Update::OwnPlayer(guid) => Some(*guid),
        _ => None,
    });
    let own = own.expect("a player logs in");
    let created: Vec<_> = updates
        .iter()
        .filter_map(|update| match update {
            Update::Create(object) => Some(&**object),
            _ => None,
        })
        .collect();
    assert!(created.len() >= 40, "{}", created.len());
    let me = created.iter().find(|object| object.guid == own).expect("the player is described");
    assert!(me.game.is_player() && me.game.role().is_player && me.setup.is_some());
    let door = created.iter().find(|object| object.game.is_door()).expect("a door");
    assert!(door.game.role().door && door.position.is_some_and(|at| at.cell != CellId::NONE));
    assert_eq!(door.friction, 0.95, "what is not sent is the original's");
    assert!(created.iter().any(|object| object.parent.is_some()), "something is held");
    assert!(created.iter().any(|object| object.game.house.is_some()), "a house has guests");
    for kind in [
        |update: &Update| matches!(update, Update::Position(_)),
        |update: &Update| matches!(update, Update::State(_)),
        |update: &Update| matches!(update, Update::Pickup(_)),
        |update: &Update| matches!(update, Update::Parent(_)),
        |update: &Update| matches!(update, Update::Teleport(_)),
    ] {
        assert!(updates.iter().any(kind), "every kind of update is in it");
    }
}

#[test]
fn rotations_come_out_at_unit_length() {
    for (sent, expected) in [
        ([2.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        ([0.0, 0.0, 0.0, 0.5], [0.0, 0.0, 0.0, 1.0]),
        // Too short to mean anything.
        ([0.01, 0.0, 0.0, 0.02], [1.0, 0.0, 0.0, 0.0]),
    ] {
        let mut object = ObjectDescription::default();
        let position =
            messages::Position { cell: CellId(0x8080_0015), origin: [1.0, 2.0, 3.0], rotation: sent };
        object.physics.position = Some(position);
        let message = Message::CreateObject(Box::new(object));
        let Some(Update::Create(object)) = message.updates().next() else { panic!("a description") };
        let at = object.position.expect("a place");
        assert_eq!(<[f32; 4]>::from(at.frame.rotation()), expected, "{sent:?}");
        assert_eq!(object.pose, Pose::Placed(0));
    }
}
