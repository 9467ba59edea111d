//! Held, trial and saved places of a sweep, and the mover's shape in each. Spec: physics §2.4, §2.8.

use super::misses::Misses;
use crate::{bsp::Overlapped, scene::Part};
use glam::{Vec3, Vec3A};
use threshold_world::{
    CellId, Frame, Position, Quat,
    bsp::PhysicsMesh,
    coords::block_offset,
    geometry::{Polygon, Sphere},
};

/// Spheres of a mover that count; further ones of its setup are ignored.
pub const MAX_MOVER_SPHERES: usize = 2;

/// What is being asked. Retail: `InsertType`. Spec: physics §1.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// A sweep.
    Move,
    /// Is there room?
    Place,
    /// The pass that pushes the mover out of walls before room is looked for.
    FirstPlace,
}

/// A floor polygon the mover was seated on. Terrain, spheres and cylinders leave none.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FloorRecord<'w> {
    pub(crate) mesh: &'w PhysicsMesh,
    pub(crate) polygon: u16,
    /// The sphere in the mesh's space.
    pub(crate) sphere: Sphere,
    pub(crate) up: Vec3,
    pub(crate) position: &'w Position,
    pub(crate) scale: f32,
}

impl<'w> FloorRecord<'w> {
    pub(crate) fn polygon(&self) -> &'w Polygon {
        &self.mesh.polygons.polygons()[usize::from(self.polygon)]
    }
}

/// A back-facing polygon met on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BackFace {
    /// Try a step up; else slide.
    pub(crate) steps: bool,
    /// The polygon's normal, negated.
    pub(crate) normal: Vec3,
}

/// The mover seen from a cell or part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local<'w> {
    pub(crate) position: &'w Position,
    pub(crate) scale: f32,
    pub(crate) spheres: [Sphere; MAX_MOVER_SPHERES],
    /// What the spheres overlap of the mesh that belongs to the position, once it was asked for.
    overlapped: [Option<Overlapped>; MAX_MOVER_SPHERES],
}

impl Local<'_> {
    /// What a sphere overlaps of the mesh that belongs to the position.
    #[inline]
    pub(crate) fn overlapped(&mut self, mesh: &PhysicsMesh, i: usize) -> Overlapped {
        if let Some(known) = self.overlapped[i] {
            return known;
        }
        let overlapped = Overlapped::of(mesh, &self.spheres[i]);
        self.overlapped[i] = Some(overlapped);
        overlapped
    }
}

/// Stands in until the mover has been brought anywhere.
static ELSEWHERE: Position = NOWHERE;
const NOWHERE: Position = Position { cell: CellId::NONE, frame: Frame::IDENTITY };

/// Retail: `SPHEREPATH`.
#[derive(Debug)]
pub(crate) struct Path<'w> {
    pub(crate) count: usize,
    pub(crate) body: [Sphere; MAX_MOVER_SPHERES],
    pub(crate) body_low: Vec3,

    pub(crate) held: Position,
    pub(crate) held_cell: Option<CellId>,
    pub(crate) held_centers: [Vec3; MAX_MOVER_SPHERES],

    /// Read it freely; write it through the methods, which keep what is derived from it.
    pub(crate) trial: Position,
    /// Body centres turned by the trial's rotation, and that rotation.
    turned: [Vec3A; MAX_MOVER_SPHERES],
    turned_by: Quat,
    /// The turned centres at the trial's origin. Spheres follow a turn later.
    body_centers: [Vec3A; MAX_MOVER_SPHERES],
    pub(crate) trial_cell: Option<CellId>,
    pub(crate) trial_spheres: [Sphere; MAX_MOVER_SPHERES],
    pub(crate) trial_low: Vec3,

    saved: Option<(Position, Option<CellId>)>,

    pub(crate) local: Local<'w>,
    /// Whether `local` is where the trial is now.
    is_local: bool,

    pub(crate) mode: Mode,
    /// Inside a step up.
    pub(crate) going_up: bool,
    /// Inside a step down.
    pub(crate) going_down: bool,
    /// Asking whether there is any floor below.
    pub(crate) floor_probe: bool,
    /// A first hit while airborne asked for a landing pass.
    pub(crate) landing: bool,
    /// The target under test is ethereal to the mover.
    pub(crate) ghost_target: bool,
    /// A building's shell is under test.
    pub(crate) shell_test: bool,
    /// An interior cell is in the set; keeps its value until the next set is built.
    pub(crate) touches_inside: bool,
    pub(crate) may_search: bool,
    /// The move begins in an interior cell.
    pub(crate) from_inside: bool,

    pub(crate) bump_normal: Vec3,
    pub(crate) down_amount: f32,
    pub(crate) budget: f32,
    pub(crate) min_up: f32,
    pub(crate) floor: Option<FloorRecord<'w>>,
    pub(crate) back_face: Option<BackFace>,
    /// Parts that are not where the trial is. Every change of the trial empties it.
    pub(super) misses: Misses<'w>,
}

impl<'w> Path<'w> {
    /// Nowhere yet.
    #[inline(always)]
    pub(crate) fn new(body: [Sphere; MAX_MOVER_SPHERES], count: usize) -> Self {
        Path {
            count: count.clamp(1, MAX_MOVER_SPHERES),
            body,
            body_low: body[0].center - Vec3::new(0.0, 0.0, body[0].radius),
            held: NOWHERE,
            held_cell: None,
            held_centers: [Vec3::ZERO; MAX_MOVER_SPHERES],
            trial: NOWHERE,
            turned: [Vec3A::ZERO; MAX_MOVER_SPHERES],
            turned_by: Quat::IDENTITY,
            body_centers: [Vec3A::ZERO; MAX_MOVER_SPHERES],
            trial_cell: None,
            trial_spheres: body,
            trial_low: Vec3::ZERO,
            saved: None,
            local: Local {
                position: &ELSEWHERE,
                scale: 1.0,
                spheres: body,
                overlapped: [None; MAX_MOVER_SPHERES],
            },
            is_local: false,
            mode: Mode::Move,
            going_up: false,
            going_down: false,
            floor_probe: false,
            landing: false,
            ghost_target: false,
            shell_test: false,
            touches_inside: false,
            may_search: true,
            from_inside: false,
            bump_normal: Vec3::ZERO,
            down_amount: 0.0,
            budget: 1.0,
            min_up: 0.0,
            floor: None,
            back_face: None,
            misses: Misses::default(),
        }
    }

    /// Holds and tries the place where the sweep begins. Apart from making the path, so that a place is copied once for each.
    #[inline(always)]
    pub(super) fn begin(&mut self, at: &Position, cell: Option<CellId>) {
        self.held = *at;
        self.held_cell = cell;
        self.trial = *at;
        self.trial_cell = cell;
        self.turned_by = at.frame.rotation();
        self.turned = self.body.map(|sphere| Vec3A::from(at.frame.rotate(sphere.center)));
        self.center_body(at.frame.origin);
        self.held_centers = self.body_centers.map(Vec3::from);
        self.refresh_spheres();
        self.trial_low = at.frame.apply(self.body_low);
        self.from_inside = at.cell.is_interior();
    }

    /// Radius of the first sphere.
    #[inline]
    pub(crate) fn radius(&self) -> f32 {
        self.body[0].radius
    }

    /// Accepts the trial. Retail: `SPHEREPATH::cache_global_curr_center`.
    pub(crate) fn hold_trial(&mut self) {
        self.held = self.trial;
        self.held_cell = self.trial_cell;
        self.held_centers = self.body_centers.map(Vec3::from);
    }

    /// Accepts the trial and derives its spheres anew from the place that is held now.
    #[inline]
    pub(crate) fn hold_and_refresh_trial(&mut self) {
        self.hold_trial();
        self.refresh_spheres();
        self.trial_low = self.trial.frame.apply(self.body_low);
    }

    /// Puts the trial somewhere. Retail: `SPHEREPATH::set_check_pos`.
    pub(crate) fn place_trial(&mut self, position: &Position, cell: Option<CellId>) {
        self.trial = *position;
        self.trial_cell = cell;
        self.derive_trial();
    }

    fn derive_trial(&mut self) {
        self.trial_changed();
        self.turn_body();
        self.center_body(self.trial.frame.origin);
        self.refresh_spheres();
        self.trial_low = self.trial.frame.apply(self.body_low);
    }

    /// Turns the trial. Its spheres follow only with the next placing.
    pub(crate) fn turn_trial(&mut self, rotation: Quat) {
        if self.trial.frame.set_rotation(rotation) {
            self.trial_changed();
            self.turn_body();
            self.center_body(self.trial.frame.origin);
        }
    }

    /// Puts the turned body at the trial's origin.
    #[inline]
    fn center_body(&mut self, origin: Vec3) {
        self.body_centers = self.turned.map(|center| center + Vec3A::from(origin));
    }

    /// Puts the spheres where the body is.
    #[inline]
    fn refresh_spheres(&mut self) {
        self.trial_spheres =
            std::array::from_fn(|i| Sphere::from_vec4(self.body_centers[i].extend(self.body[i].radius)));
    }

    #[inline]
    fn turn_body(&mut self) {
        let frame = &self.trial.frame;
        if self.turned_by.is_same(frame.rotation()) {
            return;
        }
        self.turned_by = frame.rotation();
        self.turned = self.body.map(|sphere| frame.rotate(sphere.center).into());
    }

    /// What was found out about the trial no longer holds.
    #[inline]
    fn trial_changed(&mut self) {
        self.misses.clear();
        self.is_local = false;
    }

    /// Puts the trial where the mover is held.
    pub(crate) fn place_trial_at_held(&mut self) {
        self.trial = self.held;
        self.trial_cell = self.held_cell;
        self.derive_trial();
    }

    /// Moves the trial; its spheres follow without being derived anew.
    /// Retail: `SPHEREPATH::add_offset_to_check_pos`.
    pub(crate) fn shift_trial(&mut self, offset: Vec3) {
        self.trial_changed();
        let origin = self.trial.frame.origin + offset;
        self.trial.frame.origin = origin;
        self.center_body(origin);
        for sphere in &mut self.trial_spheres {
            *sphere = Sphere::from_vec4(sphere.to_vec4() + offset.extend(0.0));
        }
        self.trial_low += offset;
    }

    /// Retail: `SPHEREPATH::save_check_pos`.
    pub(crate) fn save_trial(&mut self) {
        self.saved = Some((self.trial, self.trial_cell));
    }

    /// Retail: `SPHEREPATH::restore_check_pos`.
    pub(crate) fn restore_trial(&mut self) {
        if let Some((position, cell)) = self.saved {
            self.place_trial(&position, cell);
        }
    }

    /// Gives the trial another cell id, in that cell's block coordinates when it is outdoors.
    /// Retail: `SPHEREPATH::adjust_check_pos`.
    #[inline]
    pub(crate) fn rehome_trial(&mut self, id: CellId) {
        if id.block() != self.trial.cell.block() {
            if id.is_outdoor() {
                self.shift_trial(block_offset(id, self.trial.cell));
            }
            self.trial_changed();
        }
        // Mostly it is the same, and need not be waited for by what reads it.
        if id != self.trial.cell {
            self.trial.cell = id;
        }
    }

    /// Notes a polygon that was met from behind.
    pub(crate) fn remember_back_face(&mut self, steps: bool, normal: Vec3) {
        self.back_face = Some(BackFace { steps, normal });
    }

    /// Vector from the held block's origin to the trial block's origin.
    #[inline]
    pub(crate) fn held_to_trial(&self) -> Vec3 {
        block_offset(self.held.cell, self.trial.cell)
    }

    /// How far sphere `i` has come in this sub-step.
    #[inline]
    pub(crate) fn movement(&self, i: usize) -> Vec3 {
        self.trial_spheres[i].center - self.held_centers[i] + self.held_to_trial()
    }

    /// Where the middles of the spheres are, as objects are tested: by the trial itself, and by its spheres, which follow a turn
    /// later.
    #[inline]
    pub(crate) fn trial_centers(&self) -> [Vec3; 2 * MAX_MOVER_SPHERES] {
        let [first, second] = self.body_centers.map(Vec3::from);
        let [third, fourth] = self.trial_spheres.map(|sphere| sphere.center);
        [first, second, third, fourth]
    }

    /// Brings the mover into the space of a cell or part. Retail: `SPHEREPATH::cache_localspace_sphere`.
    #[inline]
    pub(crate) fn localise(&mut self, position: &'w Position, scale: f32) {
        if !(self.is_local && std::ptr::eq(self.local.position, position) && self.local.scale == scale) {
            self.bring_into(position, scale);
        }
    }

    /// Directions only are seen from a place; the spheres stay where they were brought.
    #[inline]
    pub(crate) fn look_from(&mut self, position: &'w Position) {
        self.local.position = position;
        self.is_local = false;
    }

    fn bring_into(&mut self, position: &'w Position, scale: f32) {
        let shift = Vec3A::from(block_offset(position.cell, self.trial.cell));
        let mut spheres: [Sphere; MAX_MOVER_SPHERES] = std::array::from_fn(|i| Sphere {
            center: position.frame.apply_inverse(self.body_centers[i] + shift),
            radius: self.body[i].radius,
        });
        if scale != 1.0 {
            for sphere in &mut spheres {
                sphere.center /= scale;
                sphere.radius /= scale;
            }
        }
        self.local = Local { position, scale, spheres, overlapped: [None; MAX_MOVER_SPHERES] };
        self.is_local = true;
    }

    /// Whether the mover may touch a part; false spares it the way into the part's space. Rounding is given away.
    #[inline]
    pub(crate) fn is_within_reach(&self, part: &Part) -> bool {
        let shift = block_offset(part.position.cell, self.trial.cell);
        let apart = Vec3A::from(self.trial.frame.origin + shift - part.position.frame.origin);
        // A second sphere that does not count may be within reach all the same; that costs a test and no more.
        self.body.iter().zip(self.turned).any(|(sphere, turned)| {
            let reach = (part.reach + sphere.radius) * 1.001 + 0.01;
            let is_out = (apart + turned).length_squared() > reach * reach;
            !is_out
        })
    }

    /// Where the first sphere is held, in the space the mover was brought into last.
    pub(crate) fn local_held(&self) -> Vec3 {
        let Local { position, scale, .. } = self.local;
        let held = position.local_point_of(&self.held, self.body[0].center);
        if scale != 1.0 { held / scale } else { held }
    }

    /// Up, in the space the mover was brought into last.
    pub(crate) fn local_up(&self) -> Vec3 {
        self.local.position.frame.rotate_inverse(Vec3::Z)
    }
}
