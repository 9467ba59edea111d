//! Events as JSON lines. The names and forms are a contract with other programs.

mod object;
mod writer;

use crate::{
    Guid,
    event::{Event, EventKind, Fault},
    messages::{
        Action, GameAction, InterpretedState, Message, Motion, MoveTo, Movement, MovementKind,
        PackedPosition, Position, RawState, ReportStamps, TurnTo,
    },
};
use writer::Object;

/// One line: a kind, the object it is about, and the text.
pub struct JsonLine<'l> {
    /// The `event` of the line.
    pub kind: &'static str,
    /// The object, when it is about one.
    pub guid: Option<Guid>,
    event: &'l Event<'l>,
    /// A message with two lines has a second one.
    part: Part,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Position,
    Motion,
}

impl<'a> Event<'a> {
    /// The lines of the event: mostly one, none for a new connection, two for a message that is two things.
    pub fn lines(&self) -> impl Iterator<Item = JsonLine<'_>> {
        let line = |kind, guid, part| Some(JsonLine { kind, guid, event: self, part });
        let lines = match &self.kind {
            EventKind::Connected => [None, None],
            EventKind::Malformed(_) => [line("malformed", None, Part::Whole), None],
            EventKind::Message { message: Message::PositionAndMovement(update), .. } => [
                line("position", Some(update.guid), Part::Position),
                line("motion", Some(update.guid), Part::Motion),
            ],
            EventKind::Message { message, .. } => [line(kind(message), message.guid(), Part::Whole), None],
        };
        lines.into_iter().flatten()
    }
}

fn kind(message: &Message<'_>) -> &'static str {
    match message {
        Message::CreateObject(_) => "created",
        Message::UpdateObject(_) => "updated",
        Message::Appearance(_) => "appearance",
        Message::CreatePlayer(_) => "player",
        Message::DeleteObject(_) => "deleted",
        Message::UpdatePosition(_) | Message::PositionAndMovement(_) => "position",
        Message::Parent(_) => "parented",
        Message::Pickup(_) => "picked_up",
        Message::SetState(_) => "state",
        Message::Movement(_) => "motion",
        Message::VectorUpdate(_) => "vector",
        Message::Sound(_) => "sound",
        Message::PlayerTeleport(_) => "teleport",
        Message::PlayScriptId(_) | Message::PlayScriptType(_) => "script",
        Message::GameAction { action, .. } => match action {
            GameAction::MoveToState(_) => "move_to_state",
            GameAction::AutonomousPosition(_) => "autonomous_position",
            GameAction::Jump(_) | GameAction::PlainJump(_) => "jump",
            GameAction::DoMovementCommand(_) => "movement_command",
            GameAction::StopMovementCommand(_) => "stop_command",
            GameAction::AutonomyLevel(_) => "autonomy_level",
            GameAction::Other { .. } => "message",
        },
        Message::GameEvent(_) | Message::Other { .. } => "message",
    }
}

/// All kinds of lines, in alphabetical order.
pub const KINDS: [&str; 22] = [
    "appearance",
    "autonomous_position",
    "autonomy_level",
    "created",
    "deleted",
    "jump",
    "malformed",
    "message",
    "motion",
    "move_to_state",
    "movement_command",
    "parented",
    "picked_up",
    "player",
    "position",
    "script",
    "sound",
    "state",
    "stop_command",
    "teleport",
    "updated",
    "vector",
];

impl JsonLine<'_> {
    /// Appends the line, without a line break.
    pub fn write(&self, out: &mut String) {
        Object::write(out, |o| {
            o.text("event", self.kind);
            o.number("packet", self.event.packet);
            o.maybe(self.event.time, |o, time| o.number("time", time));
            o.maybe(self.event.from, |o, from| o.text("from", from.name()));
            o.maybe(self.guid, |o, guid| o.hex("guid", guid.0));
            match &self.event.kind {
                EventKind::Connected => {}
                EventKind::Malformed(fault) => write_fault(o, fault),
                EventKind::Message { message, size } => write_message(o, message, *size, self.part),
            }
        });
    }
}

impl std::fmt::Display for JsonLine<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut line = String::new();
        self.write(&mut line);
        f.write_str(&line)
    }
}

fn write_fault(o: &mut Object<'_>, fault: &Fault) {
    let mut layer = |layer, reason| {
        o.text("layer", layer);
        o.text("reason", reason);
    };
    match fault {
        Fault::Capture(fault) => layer("capture", fault.name()),
        Fault::Udp { .. } => layer("udp", "truncated"),
        Fault::Packet(error) => {
            layer("packet", error.reason.name());
            o.text("field", error.field);
            o.number("byte", error.offset);
        }
        Fault::Fragment(fault) => {
            layer("fragment", fault.reason.name());
            o.text("group", &fault.number.to_string());
        }
        Fault::Abandoned(open) => {
            layer("fragment", if open.evicted { "evicted" } else { "incomplete" });
            o.text("group", &open.number.to_string());
            o.number("have", open.have);
            o.number("count", open.count);
        }
        Fault::Message(error) => {
            layer("message", error.reason.name());
            o.maybe(error.opcode, |o, opcode| o.short_hex("opcode", opcode));
            o.text("field", error.field);
            o.number("byte", error.offset);
        }
    }
}

fn write_message(o: &mut Object<'_>, message: &Message<'_>, size: usize, part: Part) {
    match message {
        Message::CreateObject(object) | Message::UpdateObject(object) => object::write(o, object),
        Message::Appearance(change) => {
            object::write_appearance(o, &change.appearance);
            stamps(o, &[("instance", change.instance), ("appearance", change.appearance_stamp)]);
        }
        Message::CreatePlayer(_) => {}
        Message::DeleteObject(deleted) => stamps(o, &[("instance", deleted.instance)]),
        Message::UpdatePosition(update) => write_packed_position(o, &update.position),
        Message::Parent(parented) => {
            o.object("parent", |o| {
                o.hex("guid", parented.parent.0);
                o.number("location", parented.location);
            });
            o.number("placement", parented.placement);
            stamps(o, &[("parent_instance", parented.parent_instance), ("position", parented.position)]);
        }
        Message::Pickup(picked_up) => {
            stamps(o, &[("instance", picked_up.instance), ("position", picked_up.position)]);
        }
        Message::SetState(change) => {
            o.hex("state", change.state);
            stamps(o, &[("instance", change.instance), ("state", change.state_stamp)]);
        }
        Message::Movement(update) => write_motion(o, &update.motion, update.instance),
        Message::VectorUpdate(update) => {
            o.floats("velocity", &update.velocity);
            o.floats("omega", &update.omega);
            stamps(o, &[("instance", update.instance), ("vector", update.vector)]);
        }
        Message::Sound(sound) => {
            o.number("sound", sound.sound);
            o.float("volume", sound.volume);
        }
        Message::PlayerTeleport(teleport) => stamps(o, &[("teleport", teleport.teleport)]),
        Message::PlayScriptId(script) => o.hex("script", script.script),
        Message::PlayScriptType(script) => {
            o.number("type", script.script_type);
            o.float("intensity", script.intensity);
        }
        Message::PositionAndMovement(update) if part == Part::Motion => {
            write_motion(o, &update.motion, update.position.stamps.instance);
        }
        Message::PositionAndMovement(update) => write_packed_position(o, &update.position),
        Message::GameAction { sequence, action } => {
            o.number("sequence", *sequence);
            write_action(o, message, action, size);
        }
        Message::GameEvent(event) => {
            write_other(o, message, size);
            o.number("sequence", event.sequence);
            o.short_hex("type", event.number);
        }
        Message::Other { .. } => write_other(o, message, size),
    }
}

fn write_other(o: &mut Object<'_>, message: &Message<'_>, size: usize) {
    o.short_hex("opcode", message.opcode());
    o.number("size", size);
}

fn write_action(o: &mut Object<'_>, message: &Message<'_>, action: &GameAction<'_>, size: usize) {
    match action {
        GameAction::MoveToState(report) => {
            o.object("motion", |o| write_raw_state(o, &report.motion));
            write_position(o, &report.position);
            o.truth("contact", report.contact);
            o.truth("longjump", report.long_jump);
            report_stamps(o, &report.stamps);
        }
        GameAction::AutonomousPosition(report) => {
            write_position(o, &report.position);
            o.truth("contact", report.contact);
            report_stamps(o, &report.stamps);
        }
        GameAction::Jump(jump) => {
            o.float("extent", jump.extent);
            o.floats("velocity", &jump.velocity);
            o.maybe(jump.position.as_ref(), write_position);
            report_stamps(o, &jump.stamps);
        }
        GameAction::PlainJump(jump) => o.float("extent", jump.extent),
        GameAction::DoMovementCommand(command) => {
            o.hex("command", command.command);
            o.float("speed", command.speed);
            o.number("hold_key", command.hold_key);
        }
        GameAction::StopMovementCommand(command) => {
            o.hex("command", command.command);
            o.number("hold_key", command.hold_key);
        }
        GameAction::AutonomyLevel(level) => o.number("level", level.level),
        GameAction::Other { number, .. } => {
            write_other(o, message, size);
            o.short_hex("type", *number);
        }
    }
}

fn stamps(o: &mut Object<'_>, stamps: &[(&str, u16)]) {
    o.object("timestamps", |o| stamps.iter().for_each(|(name, stamp)| o.number(name, stamp)));
}

fn report_stamps(o: &mut Object<'_>, sent: &ReportStamps) {
    let ReportStamps { instance, server_control, teleport, force_position } = *sent;
    stamps(
        o,
        &[
            ("instance", instance),
            ("server_control", server_control),
            ("teleport", teleport),
            ("force_position", force_position),
        ],
    );
}

fn write_position(o: &mut Object<'_>, position: &Position) {
    o.hex("cell", position.cell.0);
    o.floats("origin", &position.origin);
    o.floats("rotation", &position.rotation);
}

fn write_packed_position(o: &mut Object<'_>, sent: &PackedPosition) {
    write_position(o, &sent.position);
    o.maybe(sent.velocity, |o, velocity| o.floats("velocity", &velocity));
    o.maybe(sent.placement, |o, placement| o.number("placement", placement));
    o.truth("contact", sent.contact);
    let at = &sent.stamps;
    stamps(
        o,
        &[
            ("instance", at.instance),
            ("position", at.position),
            ("teleport", at.teleport),
            ("force_position", at.force_position),
        ],
    );
}

fn write_motion(o: &mut Object<'_>, motion: &Motion, instance: u16) {
    o.truth("autonomous", motion.autonomous);
    o.object("movement", |o| write_movement(o, &motion.movement));
    stamps(
        o,
        &[
            ("instance", instance),
            ("movement", motion.movement_stamp),
            ("server_control", motion.server_control),
        ],
    );
}

fn write_movement(o: &mut Object<'_>, movement: &Movement) {
    let name = match &movement.kind {
        MovementKind::Interpreted(..) => "interpreted",
        MovementKind::MoveToObject(..) => "move_to_object",
        MovementKind::MoveToPosition(_) => "move_to_position",
        MovementKind::TurnToObject(..) => "turn_to_object",
        MovementKind::TurnToHeading(_) => "turn_to_heading",
    };
    o.text("type", name);
    o.short_hex("style", movement.style.into());
    match &movement.kind {
        MovementKind::Interpreted(state, sticky) => {
            write_interpreted(o, state);
            o.maybe(*sticky, |o, sticky| o.hex("sticky", sticky.0));
            if movement.is_long_jump() {
                o.truth("longjump", true);
            }
        }
        MovementKind::MoveToObject(target, to) => {
            o.hex("target", target.0);
            write_move_to(o, to);
        }
        MovementKind::MoveToPosition(to) => write_move_to(o, to),
        MovementKind::TurnToObject(target, heading, to) => {
            o.hex("target", target.0);
            o.float("target_heading", *heading);
            write_turn_to(o, to);
        }
        MovementKind::TurnToHeading(to) => write_turn_to(o, to),
    }
}

fn write_interpreted(o: &mut Object<'_>, state: &InterpretedState) {
    let commands = [
        ("current_style", state.current_style),
        ("forward", state.forward),
        ("sidestep", state.sidestep),
        ("turn", state.turn),
    ];
    for (name, command) in commands {
        o.maybe(command, |o, command| o.short_hex(name, command.into()));
    }
    let speeds = [
        ("forward_speed", state.forward_speed),
        ("sidestep_speed", state.sidestep_speed),
        ("turn_speed", state.turn_speed),
    ];
    for (name, speed) in speeds {
        o.maybe(speed, |o, speed| o.float(name, speed));
    }
    write_actions(o, &state.actions);
}

fn write_actions(o: &mut Object<'_>, actions: &[Action]) {
    if actions.is_empty() {
        return;
    }
    o.list("actions", actions, |o, action| {
        o.short_hex("command", action.command.into());
        o.number("sequence", action.sequence);
        o.truth("autonomous", action.autonomous);
        o.float("speed", action.speed);
    });
}

fn write_move_to(o: &mut Object<'_>, to: &MoveTo) {
    o.hex("cell", to.to.cell.0);
    o.floats("origin", &to.to.origin);
    o.hex("parameters", to.parameters);
    o.float("distance", to.distance);
    o.float("min_distance", to.min_distance);
    o.float("fail_distance", to.fail_distance);
    o.float("speed", to.speed);
    o.float("walk_run_threshold", to.walk_run_threshold);
    o.float("heading", to.heading);
    o.float("run_rate", to.run_rate);
}

fn write_turn_to(o: &mut Object<'_>, to: &TurnTo) {
    o.hex("parameters", to.parameters);
    o.float("speed", to.speed);
    o.float("heading", to.heading);
}

fn write_raw_state(o: &mut Object<'_>, state: &RawState) {
    o.maybe(state.hold_key, |o, key| o.number("hold_key", key));
    o.maybe(state.style, |o, style| o.hex("style", style));
    let motions = [
        (
            ["forward", "forward_hold_key", "forward_speed"],
            state.forward,
            state.forward_hold_key,
            state.forward_speed,
        ),
        (
            ["sidestep", "sidestep_hold_key", "sidestep_speed"],
            state.sidestep,
            state.sidestep_hold_key,
            state.sidestep_speed,
        ),
        (["turn", "turn_hold_key", "turn_speed"], state.turn, state.turn_hold_key, state.turn_speed),
    ];
    for ([name, key_name, speed_name], command, key, speed) in motions {
        o.maybe(command, |o, command| o.hex(name, command));
        o.maybe(key, |o, key| o.number(key_name, key));
        o.maybe(speed, |o, speed| o.float(speed_name, speed));
    }
    write_actions(o, &state.actions);
}
