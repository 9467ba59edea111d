//! Messages whose bytes are known, most of them from real sessions. Spec: wire §14.

use threshold_dat::DatId;
use threshold_wire::{
    Forms, Guid, Message, Reason, Side,
    messages::{
        Action, GameAction, InterpretedState, Movement, MovementKind, ObjectDescription, PackedPosition,
        Pose, PositionStamps, StateChange, TurnTo,
    },
};
use threshold_world::CellId;

fn hex(text: &str) -> Vec<u8> {
    let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
    digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
}

/// Reads a message, requires that it is written as it was, and shows it.
fn message(from: Side, text: &str, show: impl FnOnce(&Message<'_>)) {
    let bytes = hex(text);
    let message = Message::decode(from, &bytes).unwrap();
    assert_eq!(message.encode(&Forms::default()).unwrap(), bytes, "{message:?}");
    show(&message);
}

fn action(text: &str, show: impl FnOnce(u32, &GameAction<'_>)) {
    message(Side::Client, text, |message| {
        let Message::GameAction { sequence, action } = message else { panic!("{message:?}") };
        show(*sequence, action);
    });
}

fn movement(text: &str, show: impl FnOnce(&Movement)) {
    message(Side::Server, text, |message| {
        let Message::Movement(update) = message else { panic!("{message:?}") };
        show(&update.motion.movement);
    });
}

#[test]
fn a_state() {
    message(Side::Server, "4B F7 00 00 67 2F 00 50 08 04 40 00 8D 01 01 00", |message| {
        let state =
            StateChange { guid: Guid(0x5000_2F67), state: 0x0040_0408, instance: 397, state_stamp: 1 };
        assert_eq!(*message, Message::SetState(state));
    });
}

#[test]
fn an_autonomous_position() {
    let text = "B1 F7 00 00 05 00 00 00 53 F7 00 00 07 01 25 01 39 C5 C0 41 CE 99 D0 C1 00 D7 A3 3B F3 00 72 3F \
        00 00 00 00 00 00 00 00 98 F9 A6 3E 8D 01 00 00 00 00 00 00 01 00 00 00";
    action(text, |sequence, action| {
        let GameAction::AutonomousPosition(report) = action else { panic!("{action:?}") };
        assert_eq!((sequence, report.contact, report.stamps.instance), (5, true, 397));
        assert_eq!(report.position.cell, CellId(0x0125_0107));
        assert_eq!(report.position.origin, [24.0963, -26.0751, 0.004999995]);
    });
}

#[test]
fn keys_that_are_not_held_and_keys_that_are() {
    let text = "B1 F7 00 00 02 00 00 00 1C F6 00 00 00 00 00 00 07 01 25 01 39 C5 C0 41 CE 99 D0 C1 0A D7 A3 3B F3 00 72 3F \
        00 00 00 00 00 00 00 00 98 F9 A6 3E 8D 01 00 00 00 00 00 00 00 00 00 00";
    action(text, |_, action| {
        let GameAction::MoveToState(report) = action else { panic!("{action:?}") };
        assert_eq!((report.contact, report.motion.forward), (false, None));
    });
    let text = "B1 F7 00 00 05 00 00 00 1C F6 00 00 0D 00 00 00 02 00 00 00 05 00 00 45 02 00 00 00 15 00 80 80 00 00 70 42 \
        00 00 C3 42 3D 0A A0 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 57 02 01 00 02 00 03 00 01 00 00 00";
    action(text, |_, action| {
        let GameAction::MoveToState(report) = action else { panic!("{action:?}") };
        let motion = &report.motion;
        assert_eq!(
            (motion.hold_key, motion.forward, motion.forward_hold_key),
            (Some(2), Some(0x4500_0005), Some(2))
        );
    });
}

#[test]
fn motions() {
    movement(
        "4C F7 00 00 6F C0 88 7C 00 00 2D 00 2D 00 00 00 00 00 3D 00 03 00 00 00 3D 00 7F 00",
        |movement| {
            assert_eq!(movement.style, 0x3D);
            let state = InterpretedState {
                current_style: Some(0x3D),
                forward: Some(0x7F),
                ..InterpretedState::default()
            };
            assert_eq!(movement.kind, MovementKind::Interpreted(state, None));
        },
    );
    let text = "4C F7 00 00 58 01 00 80 01 00 05 00 06 00 00 00 00 01 3C 00 A7 00 00 00 3C 00 07 00 \
        0D 00 00 00 C0 3F 57 00 09 80 00 00 80 3F 00 00 01 00 00 50";
    movement(text, |movement| {
        let state = InterpretedState {
            current_style: Some(0x3C),
            forward: Some(0x07),
            turn: Some(0x0D),
            forward_speed: Some(1.5),
            actions: vec![Action { command: 0x57, sequence: 9, autonomous: true, speed: 1.0 }],
            ..InterpretedState::default()
        };
        assert_eq!(movement.kind, MovementKind::Interpreted(state, Some(Guid(0x5000_0001))));
    });
    let text = "4C F7 00 00 58 01 00 80 01 00 05 00 06 00 00 00 08 00 3D 00 01 00 00 50 00 00 B4 42 0F EE 01 00 00 00 80 3F \
        00 00 00 00";
    movement(text, |movement| {
        let turn = TurnTo { parameters: 0x1_EE0F, speed: 1.0, heading: 0.0 };
        assert_eq!(movement.kind, MovementKind::TurnToObject(Guid(0x5000_0001), 90.0, turn));
    });
}

#[test]
fn positions_of_which_only_a_part_is_sent() {
    let text = "48 F7 00 00 58 01 00 80 36 00 00 00 15 00 80 80 00 00 70 42 00 00 C3 42 3D 0A A0 41 F3 04 35 3F F3 04 35 BF \
        65 00 00 00 01 00 02 00 03 00 04 00";
    message(Side::Server, text, |message| {
        let Message::UpdatePosition(update) = message else { panic!("{message:?}") };
        let PackedPosition { position, velocity, placement, contact, stamps } = &update.position;
        assert_eq!((position.origin, *velocity), ([60.0, 97.5, 20.005], None));
        assert_eq!(position.rotation, [0.70710677, 0.0, 0.0, -0.70710677]);
        assert_eq!((*placement, *contact), (Some(101), true));
        assert_eq!(*stamps, PositionStamps { instance: 1, position: 2, teleport: 3, force_position: 4 });
    });
    let text = "19 F6 00 00 01 00 00 50 74 00 00 00 15 00 80 80 00 00 70 42 00 00 C3 42 3D 0A A0 41 00 00 80 3F 01 00 02 00 \
        03 00 04 00 05 00 06 00 00 00 00 00 00 00 3D 00 00 00 00 00";
    message(Side::Server, text, |message| {
        let Message::PositionAndMovement(update) = message else { panic!("{message:?}") };
        assert_eq!(update.position.position.rotation, [1.0, 0.0, 0.0, 0.0]);
        assert_eq!((update.motion.movement_stamp, update.motion.movement.style), (5, 0x3D));
    });
}

#[test]
fn an_appearance_with_one_of_each() {
    let text =
        "25 F6 00 00 01 00 00 50 11 01 01 01 7E 00 87 10 50 0C 00 D5 03 FE 1A 00 00 80 54 48 01 00 02 00";
    message(Side::Server, text, |message| {
        let Message::Appearance(change) = message else { panic!("{message:?}") };
        let worn = &change.appearance;
        assert_eq!((worn.palette, worn.subpalettes[0].palette), (DatId(0x0400_007E), DatId(0x0400_1087)));
        assert_eq!((worn.subpalettes[0].first_color(), worn.subpalettes[0].colors()), (640, 96));
        assert_eq!((worn.textures[0].old, worn.textures[0].new), (DatId(0x0500_03D5), DatId(0x0500_1AFE)));
        assert_eq!(worn.parts[0].model, DatId(0x0100_4854));
    });
}

const DOOR: &str = "45 F7 00 00 01 00 08 78 11 00 00 00 03 80 01 00 08 00 01 00 0C 00 00 00 00 00 3D 00 02 00 00 00 0C 00 00 00 \
    00 00 00 00 04 01 80 80 00 00 70 42 66 66 D0 42 00 00 A2 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 \
    04 00 00 09 04 00 00 02 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 30 00 00 00 04 00 44 6F 6F 72 00 00 \
    38 02 17 13 80 00 00 00 14 10 00 00 20 00 00 00 00 00 00 40";

fn door(show: impl FnOnce(&ObjectDescription)) {
    message(Side::Server, DOOR, |message| {
        let Message::CreateObject(object) = message else { panic!("{message:?}") };
        show(object);
    });
}

#[test]
fn a_closed_door() {
    door(|object| {
        let (physics, weenie) = (&object.physics, &object.weenie);
        assert_eq!((object.guid, physics.state), (Guid(0x7808_0001), 0x1_0008));
        let Pose::Moving(Some((movement, false))) = &physics.pose else { panic!("{physics:?}") };
        let closed = InterpretedState { forward: Some(0x0C), ..InterpretedState::default() };
        assert_eq!(movement.kind, MovementKind::Interpreted(closed, None));
        assert_eq!(
            (physics.motion_table, physics.setup),
            (Some(DatId(0x0900_0004)), Some(DatId(0x0200_0004)))
        );
        assert_eq!(
            (weenie.name.to_string(), weenie.class, weenie.icon),
            ("Door".into(), 568, DatId(0x0600_1317))
        );
        assert_eq!((weenie.fields.usable, weenie.fields.use_radius), (Some(0x20), Some(2.0)));
        assert!(weenie.is_door());
    });
}

#[test]
fn jumps_with_and_without_a_position() {
    let text = "B1 F7 00 00 2A 00 00 00 1B F6 00 00 00 00 00 3F 00 00 00 00 14 AE 47 40 00 00 B0 40 1C 00 80 80 00 00 A8 42 \
        00 00 B4 42 3D 0A A0 41 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 00 57 02 01 00 02 00 03 00";
    action(text, |_, action| {
        let GameAction::Jump(jump) = action else { panic!("{action:?}") };
        assert_eq!((jump.extent, jump.velocity), (0.5, [0.0, 3.12, 5.5]));
        assert_eq!(jump.position.as_ref().unwrap().origin, [84.0, 90.0, 20.005]);
    });
    let text = "B1 F7 00 00 2A 00 00 00 1B F6 00 00 00 00 00 3F 00 00 00 00 14 AE 47 40 00 00 B0 40 57 02 01 00 02 00 03 00";
    action(text, |_, action| {
        let GameAction::Jump(jump) = action else { panic!("{action:?}") };
        assert_eq!((&jump.position, jump.stamps.instance), (&None, 0x257));
    });
}

#[test]
fn a_message_that_is_cut_names_the_field_that_is_missing() {
    let bytes = hex(DOOR);
    for (len, field, reason) in [
        (9, "subpalettes", Reason::Truncated),
        (38, "autonomous", Reason::Truncated),
        (70, "rotation", Reason::Truncated),
        (108, "name", Reason::String),
        (130, "use_radius", Reason::Truncated),
    ] {
        let error = Message::decode(Side::Server, &bytes[..len]).unwrap_err();
        assert_eq!((error.opcode, error.field, error.reason), (Some(0xF745), field, reason), "{error}");
        assert!(error.offset <= len);
    }
}

#[test]
fn what_cannot_be_sent_is_refused() {
    let state = |state| Message::SetState(StateChange { guid: Guid(1), state, instance: 0, state_stamp: 0 });
    assert!(state(u32::MAX).encode(&Forms::default()).is_ok());
    let sound = threshold_wire::messages::Sound { guid: Guid(1), sound: 1, volume: f32::NAN };
    let error = Message::Sound(sound).encode(&Forms::default()).unwrap_err();
    assert_eq!((error.field, error.reason), ("volume", Reason::Value));
}

#[test]
fn messages_in_the_wrong_direction_stay_bytes() {
    let bytes = hex(DOOR);
    let message = Message::decode(Side::Client, &bytes).unwrap();
    assert_eq!(message, Message::Other { opcode: 0xF745, body: &bytes[4..] });
}
