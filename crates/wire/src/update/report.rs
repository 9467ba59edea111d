//! A client's reports, as the keys that its player holds.

use crate::messages::RawState as Sent;
use threshold_physics::motion::{ActionState, HoldKey, RawCommand, RawState};
use threshold_world::motion::Command;

impl From<&Sent> for RawState {
    /// What is absent is as it is without keys; hold keys that do not exist count as not held.
    fn from(sent: &Sent) -> RawState {
        let absent = RawState::default();
        let key =
            |sent: Option<u32>, absent| sent.map_or(absent, |n| HoldKey::from_number(n).unwrap_or(absent));
        let command =
            |id: Option<u32>, speed: Option<f32>, hold: Option<u32>, absent: RawCommand| RawCommand {
                command: id.map_or(absent.command, Command),
                speed: speed.unwrap_or(absent.speed),
                key: key(hold, absent.key),
            };
        RawState {
            hold_key: key(sent.hold_key, absent.hold_key),
            style: sent.style.map_or(absent.style, Command),
            forward: command(sent.forward, sent.forward_speed, sent.forward_hold_key, absent.forward),
            side: command(sent.sidestep, sent.sidestep_speed, sent.sidestep_hold_key, absent.side),
            turn: command(sent.turn, sent.turn_speed, sent.turn_hold_key, absent.turn),
            actions: sent
                .actions
                .iter()
                .map(|action| ActionState {
                    command: Command(action.command.into()),
                    speed: action.speed,
                    stamp: action.sequence.into(),
                    autonomous: action.autonomous,
                })
                .collect(),
        }
    }
}
