//! Capture lines of the acdream client: a call of its resolver, the body before it, and the result.
//!
//! Positions are relative to the block of the cell that the call starts in. The lines do not contain whether a position
//! was found, which objects were hit, or which cells were touched; those fields are not compared.

use super::{error::ScenarioError, format::After};
use glam::Vec3;
use serde::Deserialize;
use threshold_physics::{
    flags::{MoverFlags, State, Transient},
    sweep::{Contact, MAX_MOVER_SPHERES, Mover, StartContact, SweepInput, Sweeper},
};
use threshold_sim::Simulation;
use threshold_world::{
    CellId, EPSILON, Frame, Position, Quat,
    coords::block_offset,
    geometry::{Plane, Sphere},
};

/// One line.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AcdreamRecord {
    #[serde(default)]
    tick: i64,
    input: Input,
    body_before: Option<Body>,
    result: Answer,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Input {
    current_pos: Vector,
    target_pos: Vector,
    cell_id: u32,
    sphere_radius: f32,
    /// Top of the second sphere; 0 for a mover of one sphere.
    sphere_height: f32,
    step_up_height: f32,
    step_down_height: f32,
    is_on_ground: bool,
    mover_flags: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Body {
    orientation: Rotation,
    velocity: Vector,
    sliding_normal: Vector,
    contact_plane_valid: bool,
    contact_plane: PlaneSpec,
    contact_plane_cell_id: u32,
    contact_plane_is_water: bool,
    state: u32,
    transient_state: u32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    position: Vector,
    cell_id: u32,
    is_on_ground: bool,
    collision_normal_valid: bool,
    collision_normal: Vector,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Vector {
    x: f32,
    y: f32,
    z: f32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct Rotation {
    x: f32,
    y: f32,
    z: f32,
    w: f32,
}

#[derive(Clone, Copy, Debug, Deserialize)]
struct PlaneSpec {
    normal: Vector,
    d: f32,
}

impl From<Vector> for Vec3 {
    fn from(v: Vector) -> Vec3 {
        Vec3::new(v.x, v.y, v.z)
    }
}

impl AcdreamRecord {
    /// A name for reports.
    pub fn id(&self) -> String {
        format!("tick {}", self.tick)
    }

    /// Runs the call in a simulation and returns the recorded and the actual result. Fields that the line lacks are the same
    /// in both.
    pub fn replay(&self, sim: &mut Simulation) -> Result<(After, After), ScenarioError> {
        let input = &self.input;
        let cell = CellId(input.cell_id);
        let rotation = self.body_before.as_ref().map_or(Quat::IDENTITY, |body| {
            let Rotation { x, y, z, w } = body.orientation;
            Quat { w, v: Vec3::new(x, y, z) }
        });
        let begin = Position::new(cell, Frame::new(input.current_pos.into(), rotation));
        let end = Position::new(cell, Frame::new(input.target_pos.into(), rotation));
        sim.reach(&begin, &end)?;
        let mut mover = input.mover(self.body_before.as_ref());
        let contact =
            self.body_before.as_ref().map_or_else(StartContact::default, |body| body.start(&mut mover));
        let moved = SweepInput { mover, contact, begin: &begin, end: &end };
        let mut sweeper = Sweeper::new();
        sweeper
            .sweep(sim.world(), sim.scene(), moved, None)
            .map_err(|source| ScenarioError::Scene { field: "input".into(), source: source.into() })?;
        let found = self.found(&sweeper);
        let result = &self.result;
        let recorded = After {
            cell: CellId(result.cell_id),
            origin: (Vec3::from(result.position) - block_offset(cell, CellId(result.cell_id))).into(),
            contact: result.is_on_ground,
            collision_normal: result
                .collision_normal_valid
                .then(|| Vec3::from(result.collision_normal).into()),
            ..found.clone()
        };
        Ok((recorded, found))
    }

    fn found(&self, sweeper: &Sweeper) -> After {
        let outcome = sweeper.outcome();
        let log = &outcome.log;
        After {
            ok: outcome.ok,
            cell: outcome.position.cell,
            origin: outcome.position.frame.origin.into(),
            rotation: None,
            contact: log.contact_valid || (!outcome.ok && self.input.is_on_ground),
            on_walkable: false,
            contact_plane: None,
            sliding_normal: None,
            collision_normal: log.hit_valid.then(|| log.hit.into()),
            collided_env: log.hit_environment,
            collided_with: Vec::new(),
            cell_array: sweeper.cells().ids().collect(),
            lost: outcome.cell.is_none(),
        }
    }
}

impl Input {
    fn mover(&self, body: Option<&Body>) -> Mover {
        let radius = self.sphere_radius;
        let sphere = |z: f32| Sphere { center: Vec3::new(0.0, 0.0, z), radius };
        let mut spheres = [sphere(radius); MAX_MOVER_SPHERES];
        spheres[1] = sphere(self.sphere_height - radius);
        let state = body.map_or(State::empty(), |body| State::from_bits_retain(body.state));
        let mut flags = MoverFlags::from_bits_truncate(self.mover_flags);
        flags |= if state.contains(State::MISSILE) { MoverFlags::PATH_CLIPPED } else { MoverFlags::empty() };
        if body.is_none() {
            flags.set(MoverFlags::CONTACT | MoverFlags::ON_WALKABLE, self.is_on_ground);
        }
        Mover {
            entity: None,
            flags,
            spheres,
            sphere_count: if self.sphere_height > 0.0 { 2 } else { 1 },
            step_up: self.step_up_height,
            step_down: self.step_down_height,
            state,
            target: None,
            bypasses_restrictions: true,
        }
    }
}

impl Body {
    /// As an object's own contact: one that is being left is only remembered. Spec: physics-objects §8.1.
    fn start(&self, mover: &mut Mover) -> StartContact {
        let transient = Transient::from_bits_truncate(self.transient_state);
        let stages = [Transient::STATIONARY_1, Transient::STATIONARY_2, Transient::STATIONARY_3];
        let stage = stages.iter().rposition(|&bit| transient.contains(bit)).map_or(0, |i| i as u8 + 1);
        let mut start = StartContact { stationary_stage: stage, ..StartContact::default() };
        if transient.contains(Transient::CONTACT) && self.contact_plane_valid {
            let plane = Plane { normal: self.contact_plane.normal.into(), d: self.contact_plane.d };
            let contact = Contact {
                plane,
                cell: CellId(self.contact_plane_cell_id),
                is_water: self.contact_plane_is_water,
            };
            start.last_contact = Some(contact);
            if Vec3::from(self.velocity).dot(plane.normal) <= EPSILON {
                start.contact = Some(contact);
                mover.flags |= MoverFlags::CONTACT;
                mover.flags.set(MoverFlags::ON_WALKABLE, transient.contains(Transient::ON_WALKABLE));
            }
        }
        if transient.contains(Transient::SLIDING) {
            start.slide = Some(self.sliding_normal.into());
        }
        start
    }
}
