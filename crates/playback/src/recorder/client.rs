//! Actions and reports of the client. Spec: entities §2.8.

use super::{RecordError, Stage};
use threshold_sim::{
    Position, TICKS_PER_SECOND,
    motion::{HoldKey, RawCommand, RawState},
};
use threshold_wire::messages::{self, AutonomousPosition, GameAction, Jump, MoveToState, ReportStamps};
use threshold_world::{geometry::Plane, heading_of, motion::Command};

/// Near enough to a place.
const ARRIVED: f32 = 0.35;
/// Degrees off the way that are put up with.
const STRAIGHT: f32 = 3.5;
/// Degrees off the way beyond which it turns on the spot.
const ASIDE: f32 = 25.0;
/// Ticks after which a way is too long.
const PATIENCE: u32 = 60 * TICKS_PER_SECOND as u32;

/// Which keys are held, and what was reported last.
#[derive(Default)]
pub(super) struct Keys {
    pub(super) held: Option<RawState>,
    pub(super) runs: bool,
    reported: Option<Reported>,
}

/// The last position that was reported.
struct Reported {
    tick: u64,
    position: Position,
    plane: Plane,
}

impl Stage<'_> {
    /// Walks or runs straight to a place.
    pub(super) fn walk_to(&mut self, name: &str) -> Result<(), RecordError> {
        let to = self.place(name)?;
        for _ in 0..PATIENCE {
            let at = self.position()?;
            let way = at.offset_to(&to).with_z(0.0);
            if way.length() < ARRIVED {
                self.release(false)?;
                return self.tick();
            }
            let off = (heading_of(way) - at.frame.heading() + 540.0).rem_euclid(360.0) - 180.0;
            let key = if self.keys.runs { HoldKey::Run } else { HoldKey::None };
            let mut keys = RawState { hold_key: key, ..RawState::default() };
            if off.abs() < ASIDE {
                keys.forward = RawCommand { command: Command::WALK_FORWARD, speed: 1.0, key };
            }
            if off.abs() > STRAIGHT {
                let command = if off > 0.0 { Command::TURN_RIGHT } else { Command::TURN_LEFT };
                keys.turn = RawCommand { command, speed: 1.0, key: HoldKey::None };
            }
            self.hold(keys)?;
            self.tick()?;
        }
        Err(RecordError::Stuck { place: name.to_owned(), at: self.position()? })
    }

    /// Walks ahead for some seconds, whatever is there.
    pub(super) fn walk_ahead(&mut self, seconds: f32) -> Result<(), RecordError> {
        let forward = RawCommand { command: Command::WALK_FORWARD, speed: 1.0, key: HoldKey::None };
        self.hold(RawState { forward, ..RawState::default() })?;
        self.wait(seconds)?;
        self.release(false)
    }

    /// Holds these keys from now on.
    pub(super) fn hold(&mut self, keys: RawState) -> Result<(), RecordError> {
        if self.keys.held.as_ref() == Some(&keys) {
            return Ok(());
        }
        let report = MoveToState {
            motion: sent(&keys),
            position: place(&self.position()?),
            stamps: self.report_stamps(),
            contact: self.sim.entity(self.player()?)?.stands(),
            long_jump: false,
        };
        self.keys.held = Some(keys);
        self.report(GameAction::MoveToState(Box::new(report)))
    }

    pub(super) fn jump(&mut self, extent: f32) -> Result<(), RecordError> {
        let position = Some(place(&self.position()?));
        let stamps = self.report_stamps();
        let upward = threshold_sim::Skills::default().jump_speed(extent);
        let jump = Jump { extent, velocity: [0.0, 0.0, upward], position, stamps };
        self.report(GameAction::Jump(jump))
    }

    /// Reports where the player is when the original's client would.
    pub(super) fn report_position(&mut self) -> Result<(), RecordError> {
        let player = self.player()?;
        let entity = self.sim.entity(player)?;
        if !entity.stands() || self.sim.player(player)?.is_travelling() {
            return Ok(());
        }
        let (position, plane, tick) = (entity.position, entity.contact_plane, self.sim.ticks());
        let is_due = self.keys.reported.as_ref().is_none_or(|last| {
            if tick - last.tick > TICKS_PER_SECOND {
                last.position != position
            } else {
                last.position.cell != position.cell || last.plane != plane
            }
        });
        if !is_due {
            return Ok(());
        }
        self.keys.reported = Some(Reported { tick, position, plane });
        let stamps = self.report_stamps();
        let report = AutonomousPosition { position: place(&position), stamps, contact: true };
        self.report(GameAction::AutonomousPosition(report))
    }

    fn report_stamps(&self) -> ReportStamps {
        let stamps = self.server.stamps(super::PLAYER);
        ReportStamps {
            instance: stamps.instance,
            server_control: stamps.server_control,
            teleport: stamps.teleport,
            force_position: stamps.force_position,
        }
    }
}

/// A place as messages carry it.
pub(super) fn place(position: &Position) -> messages::Position {
    messages::Position {
        cell: position.cell,
        origin: position.frame.origin.into(),
        rotation: position.frame.rotation().into(),
    }
}

/// Keys as messages carry them: what is as it is without keys is left out.
fn sent(keys: &RawState) -> messages::RawState {
    let usual = RawState::default();
    let differs = |command: &RawCommand, usual: &RawCommand| command != usual;
    let forward = differs(&keys.forward, &usual.forward).then_some(keys.forward);
    let side = differs(&keys.side, &usual.side).then_some(keys.side);
    let turn = differs(&keys.turn, &usual.turn).then_some(keys.turn);
    messages::RawState {
        hold_key: (keys.hold_key != usual.hold_key).then(|| keys.hold_key.number()),
        forward: forward.map(|command| command.command.0),
        forward_hold_key: forward.map(|command| command.key.number()),
        sidestep: side.map(|command| command.command.0),
        sidestep_hold_key: side.map(|command| command.key.number()),
        turn: turn.map(|command| command.command.0),
        turn_hold_key: turn.map(|command| command.key.number()),
        ..messages::RawState::default()
    }
}
