//! The motion columns of a line.

use super::super::format::{CommandWord, StateWord};
use serde::Serialize;
use threshold_dat::DatId;
use threshold_physics::{
    flags::Transient,
    motion::{InterpretedState, Interpreter, MoveTo},
    scene::{Entity, EntityKey, Event, Scene},
};
use threshold_world::{
    CellId, Frame, Quat,
    motion::{Animator, Command},
};

/// A command and its speed; without a command the speed is 0.
pub(super) type CommandAndSpeed = (CommandWord, f32);

/// A frame as x, y, z, qw, qx, qy, qz.
pub(super) type PlainFrame = [f32; 7];

pub(super) fn plain(frame: &Frame) -> PlainFrame {
    let [x, y, z] = frame.origin.to_array();
    let [qw, qx, qy, qz] = frame.rotation().into();
    [x, y, z, qw, qx, qy, qz]
}

/// State of an object's motion table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionColumn {
    /// Style.
    pub style: CommandWord,
    /// Substate.
    pub substate: CommandWord,
    /// Its speed.
    pub speed: f32,
    /// Newest first.
    pub modifiers: Vec<CommandAndSpeed>,
    /// Number of actions that wait.
    pub actions: usize,
    /// Length of the list of animations.
    pub nodes: usize,
    /// Which of them is played; −1 none.
    pub current: i64,
    /// Which of them repeats; −1 none.
    pub cyclic: i64,
    /// The animation that is played.
    pub animation: Option<DatId>,
    /// Its frames per second.
    pub rate: f32,
    /// Where in it.
    pub frame: f64,
    /// Metres per second.
    pub velocity: [f32; 3],
    /// Radians per second.
    pub omega: [f32; 3],
    /// Motions that wait for their end, and how many animations they wait for.
    pub pending: Vec<(CommandWord, u32)>,
    /// Animations that have ended.
    pub counter: u32,
}

impl MotionColumn {
    /// The column; `None` without a motion table.
    pub(super) fn of(animator: &Animator) -> Option<MotionColumn> {
        animator.table()?;
        let (state, sequence, pending) = (animator.state(), animator.sequence(), animator.pending());
        let nodes = sequence.nodes().len();
        let current = sequence.current();
        Some(MotionColumn {
            style: CommandWord(state.style),
            substate: CommandWord(state.substate),
            speed: state.speed,
            modifiers: state.modifiers().map(|(id, speed)| (CommandWord(id), speed)).collect(),
            actions: state.actions().len(),
            nodes,
            current: sequence.current_index().map_or(-1, |index| index as i64),
            cyclic: nodes as i64 - 1,
            animation: current.map(|node| node.animation().id),
            rate: current.map_or(0.0, |node| node.rate()),
            frame: sequence.frame_number(),
            velocity: sequence.velocity.into(),
            omega: sequence.omega.into(),
            pending: pending.motions().map(|entry| (CommandWord(entry.motion), entry.animations)).collect(),
            counter: pending.counter(),
        })
    }
}

/// The interpreted state.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommandsColumn {
    /// Style.
    pub style: CommandWord,
    /// Forward, or another substate.
    pub forward: CommandAndSpeed,
    /// To the right.
    pub side: CommandAndSpeed,
    /// Clockwise.
    pub turn: CommandAndSpeed,
    /// The run key.
    pub hold_key: u32,
    /// A jump is charged while standing still.
    pub long_jump: bool,
    /// Number of actions.
    pub actions: usize,
    /// Number of commands that wait for the end of their motions.
    pub queued: usize,
}

impl CommandsColumn {
    fn of(interpreter: &Interpreter) -> CommandsColumn {
        let with_speed = |command: Command, speed: f32| {
            (CommandWord(command), if command == Command::NONE { 0.0 } else { speed })
        };
        let state: &InterpretedState = &interpreter.interpreted;
        CommandsColumn {
            style: CommandWord(state.style),
            forward: with_speed(state.forward, state.forward_speed),
            side: with_speed(state.side, state.side_speed),
            turn: with_speed(state.turn, state.turn_speed),
            hold_key: interpreter.raw.hold_key.number(),
            long_jump: interpreter.standing_long_jump,
            actions: state.actions.len(),
            queued: interpreter.pending().len(),
        }
    }
}

/// State of a move-to.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveToColumn {
    /// 6 to an object, 7 to a place, 8 turning to an object, 9 to a heading, 0 nothing.
    #[serde(rename = "type")]
    pub kind: u32,
    /// Remaining nodes.
    pub nodes: usize,
    /// The current command.
    pub command: CommandWord,
    /// The turn that accompanies it.
    pub aux: CommandWord,
    /// Away from the target.
    pub away: bool,
    /// Codes of the move-tos that ended in this step.
    pub ended: Vec<u32>,
}

impl MoveToColumn {
    fn of(move_to: Option<&MoveTo>, ended: Vec<u32>) -> MoveToColumn {
        MoveToColumn {
            kind: move_to.and_then(MoveTo::kind).map_or(0, |kind| kind.number()),
            nodes: move_to.map_or(0, |move_to| move_to.nodes().len()),
            command: CommandWord(move_to.map_or(Command::NONE, MoveTo::command)),
            aux: CommandWord(move_to.map_or(Command::NONE, MoveTo::aux)),
            away: move_to.is_some_and(MoveTo::is_away),
            ended,
        }
    }
}

/// Positions that an object follows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InterpolationColumn {
    /// How many.
    pub queue: usize,
    /// How many could not be reached.
    pub fails: u32,
}

/// What happened to an object's motion in a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Happened {
    pub(super) hooks: Vec<u32>,
    pub(super) done: Vec<(CommandWord, bool)>,
    pub(super) ended: Vec<u32>,
}

impl Happened {
    /// What of some events concerns an object.
    pub(super) fn to(key: EntityKey, events: &[Event]) -> Happened {
        let mut happened = Happened::default();
        for event in events {
            match *event {
                Event::HookRun { entity, hook } if entity == key => happened.hooks.push(hook.code),
                Event::MotionDone { entity, motion, success } if entity == key => {
                    happened.done.push((CommandWord(motion), success));
                }
                Event::MoveToEnded { entity, code } if entity == key => happened.ended.push(code.0),
                _ => {}
            }
        }
        happened
    }
}

/// How an object moves by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionColumns {
    /// State word.
    pub state: StateWord,
    /// State of its motion table.
    pub motion: Option<MotionColumn>,
    /// Types of the hooks that were run.
    pub hooks: Vec<u32>,
    /// Motions that ended, and whether they were completed.
    pub done: Vec<(CommandWord, bool)>,
    /// The interpreted state, as far as there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commands: Option<CommandsColumn>,
    /// Its move-to.
    pub move_to: MoveToColumn,
    /// Positions that it follows.
    pub interpolation: InterpolationColumn,
    /// The object it sticks to; 0 for none.
    pub sticky: u32,
    /// Distance moved since measuring started.
    pub constraint: Option<f32>,
    /// Where its parts are, in the block's frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<Vec<PlainFrame>>,
}

/// What a line tells of an object.
pub(super) struct Told<'a> {
    pub(super) events: &'a [Event],
    pub(super) with_parts: bool,
}

impl MotionColumns {
    pub(super) fn of(scene: &Scene, key: EntityKey, told: &Told<'_>) -> Option<MotionColumns> {
        let entity = scene.get(key)?;
        let Happened { hooks, done, ended } = Happened::to(key, told.events);
        let position = entity.position_manager();
        let interpolation = position.map(|position| &position.interpolation);
        let sticky = entity.sticky().and_then(|sticky| scene.get(sticky.object)?.guid);
        Some(MotionColumns {
            state: StateWord(entity.state),
            motion: entity.actor().and_then(|actor| MotionColumn::of(&actor.animator)),
            hooks,
            done,
            commands: entity.interpreter().map(CommandsColumn::of),
            move_to: MoveToColumn::of(entity.move_to(), ended),
            interpolation: InterpolationColumn {
                queue: interpolation.map_or(0, |interpolation| interpolation.nodes().len()),
                fails: interpolation.map_or(0, |interpolation| interpolation.fails()),
            },
            sticky: sticky.unwrap_or(0),
            constraint: position.map(|p| p.constraint).filter(|c| c.is_on).map(|c| c.gone),
            parts: told.with_parts.then(|| parts(entity)),
        })
    }
}

fn parts(entity: &Entity) -> Vec<PlainFrame> {
    let frames = (0..).map_while(|part| entity.part_frame(part));
    let scaled = frames.map(|mut frame| {
        frame.origin *= entity.scale;
        plain(&entity.position.frame.compose(&frame))
    });
    scaled.collect()
}

/// Columns of an object other than the mover that moves on its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EntityColumns {
    /// The cell.
    pub cell: CellId,
    /// Block coordinates.
    pub origin: [f32; 3],
    /// Orientation, w first.
    pub rotation: Quat,
    /// On the ground.
    pub contact: bool,
    /// On walkable ground.
    pub on_walkable: bool,
    /// Metres per second.
    pub velocity: [f32; 3],
    /// How it moves by itself.
    #[serde(flatten)]
    pub motion: MotionColumns,
}

impl EntityColumns {
    pub(super) fn of(scene: &Scene, key: EntityKey, told: &Told<'_>) -> Option<EntityColumns> {
        let entity = scene.get(key)?;
        Some(EntityColumns {
            cell: entity.position.cell,
            origin: entity.position.frame.origin.into(),
            rotation: entity.position.frame.rotation(),
            contact: entity.has(Transient::CONTACT),
            on_walkable: entity.has(Transient::ON_WALKABLE),
            velocity: entity.velocity.into(),
            motion: MotionColumns::of(scene, key, told)?,
        })
    }
}
