//! How objects move.

use crate::{
    Guid,
    messages::{Action, Motion, MoveTo, Movement, MovementKind, TurnTo},
};
use threshold_physics::{
    motion::MovementParameters,
    update::{
        CommandIndex, MoveOrder, MovementOrder, MovementUpdate, OrderKind, OrderedAction, OrderedState,
        Update,
    },
};
use threshold_world::{Frame, Position};

/// What a message with a movement says.
pub(super) fn movement(guid: Guid, instance: u16, motion: &Motion) -> Update {
    Update::Movement(Box::new(MovementUpdate {
        guid: guid.0,
        instance,
        movement_stamp: motion.movement_stamp,
        server_control: motion.server_control,
        autonomous: motion.autonomous,
        order: (&motion.movement).into(),
    }))
}

impl From<&Movement> for MovementOrder {
    fn from(sent: &Movement) -> MovementOrder {
        let kind = match &sent.kind {
            MovementKind::Interpreted(state, sticky) => {
                let absent = OrderedState::default();
                OrderKind::State(OrderedState {
                    style: state.current_style.map_or(absent.style, CommandIndex),
                    forward: state.forward.map_or(absent.forward, CommandIndex),
                    side: state.sidestep.map_or(absent.side, CommandIndex),
                    turn: state.turn.map_or(absent.turn, CommandIndex),
                    forward_speed: state.forward_speed.unwrap_or(absent.forward_speed),
                    side_speed: state.sidestep_speed.unwrap_or(absent.side_speed),
                    turn_speed: state.turn_speed.unwrap_or(absent.turn_speed),
                    actions: state.actions.iter().map(OrderedAction::from).collect(),
                    sticky: sticky.map(|guid| guid.0).filter(|guid| *guid != 0),
                    standing_long_jump: sent.is_long_jump(),
                })
            }
            MovementKind::MoveToObject(target, to) => OrderKind::MoveToObject(target.0, to.into()),
            MovementKind::MoveToPosition(to) => OrderKind::MoveToPosition(to.into()),
            MovementKind::TurnToObject(target, heading, to) => {
                OrderKind::TurnToObject(target.0, *heading, to.into())
            }
            MovementKind::TurnToHeading(to) => OrderKind::TurnToHeading(to.into()),
        };
        MovementOrder { style: CommandIndex(sent.style), kind }
    }
}

impl From<&Action> for OrderedAction {
    fn from(sent: &Action) -> OrderedAction {
        OrderedAction {
            command: CommandIndex(sent.command),
            stamp: sent.sequence,
            autonomous: sent.autonomous,
            speed: sent.speed,
        }
    }
}

impl From<&MoveTo> for MoveOrder {
    fn from(sent: &MoveTo) -> MoveOrder {
        MoveOrder {
            to: Position::new(sent.to.cell, Frame::at(sent.to.origin.into())),
            parameters: MovementParameters {
                bits: sent.parameters,
                distance: sent.distance,
                minimum: sent.min_distance,
                fail_distance: sent.fail_distance,
                heading: sent.heading,
                speed: sent.speed,
                threshold: sent.walk_run_threshold,
                ..MovementParameters::default()
            },
            run_rate: sent.run_rate,
        }
    }
}

impl From<&TurnTo> for MovementParameters {
    fn from(sent: &TurnTo) -> MovementParameters {
        MovementParameters {
            bits: sent.parameters,
            heading: sent.heading,
            speed: sent.speed,
            ..MovementParameters::default()
        }
    }
}
