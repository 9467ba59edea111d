//! What must hold for any motion table and any orders: places stay finite, lists stay bounded, nothing hangs.

use super::bytes::Bytes;
use std::{cell::RefCell, sync::Arc};
use threshold_dat::{
    DatId,
    records::{self, AnimationFrame, Hook, HookAction, Motion, MotionAnimation},
};
use threshold_physics::{
    EntityKey, EntityRole, PLAYER_STATE, PlaceOptions, Scene, SceneError, Spawn,
    motion::{
        HoldKey, InterpretedState, MotionError, Movement, MovementParameters, MovementState, ServerAction,
    },
    movement::Skills,
};
use threshold_sim::Simulation;
use threshold_world::{
    CellId, Frame, Library, Position, Quat,
    motion::{Animation, Animator, Command, MAX_MODIFIERS, MAX_NODES, MAX_REPEATS, MotionTable},
    source::DatSource,
};

const MAX_ORDERS: usize = 60;
const PERSON: DatId = DatId(0x0200_0201);
const STREET: CellId = CellId(0xA9B4_001C);
/// Animations of a table: of one frame, of five, of ten, and one that is missing.
const ANIMATIONS: [usize; 3] = [1, 5, 10];
const COMMANDS: [Command; 14] = [
    Command::READY,
    Command::WALK_FORWARD,
    Command::WALK_BACKWARDS,
    Command::RUN_FORWARD,
    Command::TURN_RIGHT,
    Command::TURN_LEFT,
    Command::SIDE_STEP_RIGHT,
    Command::SIDE_STEP_LEFT,
    Command::FALLING,
    Command::DEAD,
    Command::SITTING,
    Command::HAND_COMBAT,
    Command::NON_COMBAT,
    Command(0x1000_0062),
];

thread_local! {
    static SIMULATION: RefCell<Simulation> = RefCell::new({
        let source = DatSource::open(threshold_golden::world_dir("motions")).expect("a golden world");
        threshold_scenario::simulation(Library::new(Arc::new(source))).expect("it loads")
    });
}

fn command(bytes: &mut Bytes<'_>) -> Command {
    match bytes.byte() {
        0xFF => Command(u32::from(bytes.word()) << 16 | u32::from(bytes.word())),
        number => COMMANDS[usize::from(number) % COMMANDS.len()],
    }
}

fn numbers(bytes: &mut Bytes<'_>, size: f32) -> [f32; 3] {
    [bytes.number(size), bytes.number(size), bytes.number(size)]
}

fn hook(bytes: &mut Bytes<'_>) -> Hook {
    let action = match bytes.below(5) {
        0 => HookAction::Ethereal { on: bytes.below(2) == 1 },
        1 => HookAction::SetOmega { omega: numbers(bytes, 3.0) },
        2 => HookAction::Scale { end: bytes.number(2.0), time: bytes.number(1.0) },
        3 => HookAction::AnimationDone {},
        _ => HookAction::NoOp {},
    };
    Hook { direction: bytes.below(4) as i32 - 2, action }
}

fn animation(bytes: &mut Bytes<'_>, id: u32, frames: usize) -> Arc<Animation> {
    let frame = |bytes: &mut Bytes<'_>| AnimationFrame {
        parts: vec![records::Frame::default(); 2],
        hooks: (0..bytes.below(3)).map(|_| hook(bytes)).collect(),
    };
    let root = |bytes: &mut Bytes<'_>| records::Frame {
        origin: numbers(bytes, 0.3),
        rotation: Quat::about_z(bytes.finite(1.0)).into(),
    };
    let record = records::Animation {
        part_count: 2,
        frames: (0..frames).map(|_| frame(bytes)).collect(),
        root_frames: (bytes.below(2) == 1).then(|| (0..frames).map(|_| root(bytes)).collect()),
        ..records::Animation::default()
    };
    Arc::new(Animation::new(DatId(id), record))
}

fn entry(bytes: &mut Bytes<'_>) -> Motion {
    let clip = |bytes: &mut Bytes<'_>| MotionAnimation {
        animation: DatId(1 + bytes.below(ANIMATIONS.len() + 1) as u32),
        low: bytes.below(14) as i32 - 2,
        high: bytes.below(14) as i32 - 2,
        rate: bytes.number(120.0),
    };
    Motion {
        animations: (0..bytes.below(4)).map(|_| clip(bytes)).collect(),
        velocity: (bytes.below(2) == 1).then(|| numbers(bytes, 5.0)),
        omega: (bytes.below(2) == 1).then(|| numbers(bytes, 3.0)),
        bits: bytes.below(4) as u8,
        ..Motion::default()
    }
}

/// A table whose entries lead anywhere, round in circles too.
fn table(bytes: &mut Bytes<'_>) -> Arc<MotionTable> {
    let style = Command::NON_COMBAT.0;
    let key = |style: u32, command: Command| style << 16 | command.0 & 0x00FF_FFFF;
    let any_key = |bytes: &mut Bytes<'_>| match bytes.below(3) {
        0 => key(Command::HAND_COMBAT.0, command(bytes)),
        1 => command(bytes).0 & 0x00FF_FFFF,
        _ => key(style, command(bytes)),
    };
    let animations: Vec<Arc<Animation>> =
        (1..).zip(ANIMATIONS).map(|(id, frames)| animation(bytes, id, frames)).collect();
    let mut cycles = vec![(key(style, Command::READY), entry(bytes))];
    for _ in 0..bytes.below(10) {
        cycles.push((any_key(bytes), entry(bytes)));
    }
    let modifiers = (0..bytes.below(8)).map(|_| (any_key(bytes), entry(bytes))).collect();
    let link = |bytes: &mut Bytes<'_>| (command(bytes).0, entry(bytes));
    let links = (0..bytes.below(8))
        .map(|_| (any_key(bytes), (0..bytes.below(4)).map(|_| link(bytes)).collect()))
        .collect();
    let defaults = [(style, Command::READY.0), (Command::HAND_COMBAT.0, command(bytes).0)];
    let record = records::MotionTable {
        default_style: if bytes.below(20) == 0 { command(bytes).0 } else { style },
        style_defaults: defaults.to_vec(),
        cycles,
        modifiers,
        links,
    };
    let find = |id: DatId| animations.get(id.0.checked_sub(1)? as usize).cloned();
    Arc::new(MotionTable::new(DatId(0x0900_0001), &record, find, |_| {}))
}

/// A table alone.
fn play(table: &Arc<MotionTable>, mut bytes: Bytes<'_>) {
    let mut animator = Animator::with_table(table.clone());
    for _ in 0..MAX_ORDERS {
        let (command, speed) = (command(&mut bytes), bytes.finite(3.0));
        // What the table lacks is refused.
        match bytes.below(4) {
            0 => drop(animator.stop(command)),
            1 => drop(animator.stop_completely()),
            _ => drop(animator.request(command, speed)),
        }
        let (mut offset, mut hooks) = (Frame::IDENTITY, Vec::new());
        let seconds = f64::from(bytes.finite(0.3).abs().min(2.0));
        animator.advance(seconds, Some(&mut offset), &mut hooks);
        animator.finish(&hooks);
        let sequence = animator.sequence();
        assert!(sequence.velocity.is_finite() && sequence.omega.is_finite(), "{sequence:?}");
        assert!(
            sequence.frame_number().is_finite() && sequence.nodes().len() <= 2 * MAX_NODES,
            "{sequence:?}"
        );
        assert!(animator.pending().motions().len() <= MAX_REPEATS);
        assert!(animator.state().modifiers().len() <= MAX_MODIFIERS);
        if bytes.is_empty() {
            return;
        }
    }
}

fn parameters(bytes: &mut Bytes<'_>) -> MovementParameters {
    let defaults = MovementParameters::default();
    MovementParameters {
        bits: match bytes.below(3) {
            0 => defaults.bits ^ u32::from(bytes.word()),
            _ => defaults.bits,
        },
        speed: bytes.number(2.0),
        distance: bytes.number(5.0),
        minimum: bytes.number(5.0),
        heading: bytes.number(360.0),
        key: [HoldKey::Unspecified, HoldKey::None, HoldKey::Run][bytes.below(3)],
        ..defaults
    }
}

fn place(bytes: &mut Bytes<'_>) -> Position {
    let origin = glam::Vec3::new(84.0, 70.0, 20.005) + bytes.vector(20.0);
    Position::new(STREET, Frame::new(origin, Quat::from_heading(bytes.finite(360.0))))
}

/// Something that an object is told to do.
fn order(
    scene: &mut Scene,
    key: EntityKey,
    other: EntityKey,
    bytes: &mut Bytes<'_>,
) -> Result<(), SceneError> {
    match bytes.below(20) {
        0 => scene.perform(key, &Movement::Stop(command(bytes), parameters(bytes))),
        1 => scene.perform(key, &Movement::DoInterpreted(command(bytes), parameters(bytes))),
        2 => scene.perform(key, &Movement::StopInterpreted(command(bytes), parameters(bytes))),
        3 => scene.perform(key, &Movement::StopCompletely),
        4 => scene.perform(key, &Movement::MoveToObject(other, parameters(bytes))),
        5 => scene.perform(key, &Movement::MoveToPosition(place(bytes), parameters(bytes))),
        6 => scene.perform(key, &Movement::TurnToObject(other, parameters(bytes))),
        7 => scene.perform(key, &Movement::TurnToHeading(parameters(bytes))),
        8 => scene.set_hold_key(key, if bytes.below(2) == 0 { HoldKey::None } else { HoldKey::Run }),
        9 => scene.charge_jump(key),
        10 => scene.jump_with_power(key, bytes.number(1.0)),
        11 => scene.interpolate_to(key, &place(bytes), bytes.below(2) == 1),
        12 => scene.stick_to(key, other),
        13 => scene.constrain_to(key, None),
        14 => scene.cancel_move_to(key, MotionError::CANCELLED),
        15 => scene.set_run_rate(key, bytes.number(4.0)),
        16 => {
            let action = |bytes: &mut Bytes<'_>| ServerAction {
                command: command(bytes),
                stamp: bytes.word(),
                speed: bytes.number(2.0),
                autonomous: bytes.below(2) == 1,
            };
            let movement = MovementState {
                state: InterpretedState {
                    style: command(bytes),
                    forward: command(bytes),
                    forward_speed: bytes.number(2.0),
                    turn: command(bytes),
                    turn_speed: bytes.number(2.0),
                    ..InterpretedState::default()
                },
                actions: (0..bytes.below(4)).map(|_| action(bytes)).collect(),
                standing_long_jump: bytes.below(4) == 0,
            };
            scene.apply_movement(key, &movement, (bytes.below(4) == 0).then_some(other))
        }
        17 => scene.set_skills(key, (bytes.below(2) == 0).then_some(Skills::default())),
        18 => scene.prepare_teleport(key),
        _ => scene.perform(key, &Movement::Do(command(bytes), parameters(bytes))),
    }
}

/// Two objects with the table in a world.
fn live(table: &Arc<MotionTable>, mut bytes: Bytes<'_>) {
    SIMULATION.with_borrow_mut(|sim| {
        sim.clear();
        let before = sim.scene().len();
        let model = sim.library().model(PERSON).ok().flatten().expect("a person");
        let mut keys = Vec::new();
        for guid in 2..4 {
            let position = place(&mut bytes);
            let role = EntityRole { creature: bytes.below(4) != 0, ..EntityRole::default() };
            let (model, state) = (model.clone(), PLAYER_STATE);
            let spawn = Spawn { guid: Some(guid), model, position, state, scale: 1.0, role };
            let (world, scene) = sim.parts_mut();
            let Ok(key) = scene.spawn(world, spawn) else { continue };
            scene.set_aside(key);
            // What cannot be placed stays aside, and can be told what to do there too.
            let _ = scene.set_motion_table(key, Some(table.clone()));
            let _ = scene.place(world, key, &position, PlaceOptions::default());
            let _ = scene.enter_world(key);
            keys.push(key);
        }
        if let [first, second] = keys[..] {
            for _ in 0..MAX_ORDERS {
                let (key, other) = if bytes.below(4) == 0 { (second, first) } else { (first, second) };
                // An order may be refused; it then changes nothing.
                let _ = order(sim.parts_mut().1, key, other, &mut bytes);
                let seconds = f64::from(bytes.finite(0.1).abs().min(0.5));
                sim.advance_clock(seconds).expect("a finite time");
                let (world, scene) = sim.parts_mut();
                scene.update_all(world);
                for key in [first, second] {
                    let entity = scene.get(key).expect("it is there");
                    assert!(entity.position.frame.is_finite() && entity.velocity.is_finite(), "{entity:?}");
                    assert!(entity.cell.is_none_or(|cell| world.cell(cell).is_some()), "{entity:?}");
                }
                scene.drain_events();
                if bytes.is_empty() {
                    break;
                }
            }
        }
        sim.clear();
        assert_eq!(sim.scene().len(), before, "something stayed behind");
    });
}

/// Any motion table under any orders, alone and in a world.
pub(crate) fn motion(data: &[u8]) {
    let mut bytes = Bytes(data);
    let table = table(&mut bytes);
    play(&table, Bytes(bytes.0));
    live(&table, bytes);
}
