//! How objects are to move. Spec: entities §2.5.

use super::Applied;
use crate::{SimError, Simulation};
use threshold_physics::{
    EntityKey,
    motion::{InterpretedState, Movement, MovementParameters, MovementState, Order, ServerAction},
    update::{Age, CommandIndex, MovementOrder, MovementUpdate, OrderKind, OrderedState, Stamps},
};
use threshold_world::motion::{Command, MotionTable};

impl Simulation {
    /// Retail: `CPhysics::SetObjectMovement`.
    pub(super) fn receive_movement(
        &mut self,
        key: EntityKey,
        update: &MovementUpdate,
    ) -> Result<Applied, SimError> {
        let is_own = self.told.own == Some(update.guid);
        let Some(stamps) = self.told_mut().stamps(update.guid) else { return Ok(Applied::Stale) };
        if !Stamps::renew(&mut stamps.movement, update.movement_stamp)
            || Stamps::accept(&mut stamps.server_control, update.server_control) == Age::Older
        {
            return Ok(Applied::Stale);
        }
        // What the own player did by itself comes back to it.
        if !(is_own && update.autonomous) {
            self.order(key, &update.order, update.autonomous)?;
        }
        Ok(Applied::Done)
    }

    /// Lets an object do what a server orders. What has no motion table does nothing.
    /// Retail: `MovementManager::unpack_movement`.
    pub(super) fn order(
        &mut self,
        key: EntityKey,
        order: &MovementOrder,
        autonomous: bool,
    ) -> Result<(), SimError> {
        let table = self.entity(key)?.actor().and_then(|actor| actor.animator.table());
        let Some(table) = table.cloned() else { return Ok(()) };
        let Some(style) = known(&table, order.style) else { return Ok(()) };
        let order = self.resolve_order(&table, &order.kind);
        self.scene.set_last_move_autonomous(key, autonomous)?;
        Ok(self.scene.obey(key, style, &order)?)
    }

    /// An order with the objects and commands that it names; those that are unknown give way as in the original.
    fn resolve_order(&self, table: &MotionTable, kind: &OrderKind) -> Order {
        let perform = |movement, run_rate| Order::Perform { movement, run_rate };
        match kind {
            OrderKind::State(state) => Order::State {
                movement: movement_state(table, state),
                sticky: state.sticky.and_then(|guid| self.find(guid)),
            },
            OrderKind::MoveToObject(target, to) => {
                let movement = match self.find(*target) {
                    Some(target) => Movement::MoveToObject(target, to.parameters),
                    None => Movement::MoveToPosition(to.to, to.parameters),
                };
                perform(movement, Some(to.run_rate))
            }
            OrderKind::MoveToPosition(to) => {
                perform(Movement::MoveToPosition(to.to, to.parameters), Some(to.run_rate))
            }
            OrderKind::TurnToObject(target, heading, parameters) => {
                let movement = match self.find(*target) {
                    Some(target) => Movement::TurnToObject(target, *parameters),
                    None => {
                        let parameters = MovementParameters { heading: *heading, ..*parameters };
                        Movement::TurnToHeading(parameters)
                    }
                };
                perform(movement, None)
            }
            OrderKind::TurnToHeading(parameters) => perform(Movement::TurnToHeading(*parameters), None),
        }
    }
}

fn known(table: &MotionTable, index: CommandIndex) -> Option<Command> {
    table.command(index.0)
}

/// Commands that the table does not know are left out: it has no motion for them.
fn movement_state(table: &MotionTable, sent: &OrderedState) -> MovementState {
    let absent = InterpretedState::default();
    let action = |action: &threshold_physics::update::OrderedAction| {
        Some(ServerAction {
            command: known(table, action.command)?,
            stamp: action.stamp,
            speed: action.speed,
            autonomous: action.autonomous,
        })
    };
    MovementState {
        state: InterpretedState {
            style: known(table, sent.style).unwrap_or(absent.style),
            forward: known(table, sent.forward).unwrap_or(absent.forward),
            forward_speed: sent.forward_speed,
            side: known(table, sent.side).unwrap_or(absent.side),
            side_speed: sent.side_speed,
            turn: known(table, sent.turn).unwrap_or(absent.turn),
            turn_speed: sent.turn_speed,
            ..absent
        },
        actions: sent.actions.iter().filter_map(action).collect(),
        standing_long_jump: sent.standing_long_jump,
    }
}
