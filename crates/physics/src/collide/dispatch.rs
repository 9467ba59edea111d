//! A mover against a physics tree, in every mode. Spec: physics-bsp §5.7–5.10.

use crate::{
    bsp::{self, FloorSearch, SolidSearch},
    flags::MoverFlags,
    sweep::{Contact, FloorRecord, LANDING_Z, Local, Mode, Sweep, Verdict},
};
use glam::Vec3;
use threshold_world::{bsp::PhysicsMesh, geometry::Sphere};

/// Pushes a mover may need to get out of a tree.
const MAX_PUSHES: u32 = 20;
/// Refinements of an exact stop, over both phases.
const MAX_REFINEMENTS: u32 = 15;
/// Bracket at which the refinement is done.
const REFINE_TOLERANCE: f64 = 0.02;

impl<'w> Sweep<'w> {
    /// The mover has been brought into the mesh's space ([`crate::sweep::Path::localise`]). None when there is nothing
    /// of the mesh where the mover is; that changes nothing, and depends on nothing but the trial and the kind of question
    /// ([`Sweep::note_miss`]).
    /// Retail: `BSPTREE::find_collisions` (0x0053A440).
    pub(super) fn collide_with_mesh(&mut self, mesh: &'w PhysicsMesh, scale: f32) -> Option<Verdict> {
        if self.path.mode == Mode::FirstPlace {
            return Some(self.push_out(mesh));
        }
        let count = self.path.count;
        if self.path.mode == Mode::Place || self.path.ghost_target {
            let center = self.centers_count_as_solid();
            let hit = (0..count).any(|i| self.hits_solid(mesh, i, center));
            return hit.then_some(Verdict::Blocked);
        }
        let first = self.path.local.spheres[0];
        if self.path.floor_probe {
            let hit = bsp::hits_floor(mesh, &first, self.path.local_up(), self.path.min_up);
            return hit.then_some(Verdict::Blocked);
        }
        // Only the first sphere looks for floors.
        let asked = if self.path.going_down || self.path.landing { 1 } else { count };
        if (0..asked).all(|i| self.path.local.overlapped(mesh, i).is_nothing()) {
            return None;
        }
        if self.path.going_down {
            let down = self.path.local_up() * -(self.path.down_amount * self.path.budget) / scale;
            return self.seat(mesh, scale, down);
        }
        let movement = first.center - self.path.local_held();
        if self.path.landing {
            return self.seat(mesh, scale, movement);
        }
        let mut met = None;
        let hit = self.faces(mesh, 0, movement, &mut met);
        if self.is(MoverFlags::CONTACT) {
            return self.collide_on_ground(mesh, hit, met, movement);
        }
        if let Some(polygon) = met {
            let normal = self.outward(mesh, polygon);
            return Some(if self.is(MoverFlags::PATH_CLIPPED) {
                self.clip_to_point(mesh, polygon, scale)
            } else {
                self.begin_landing(normal)
            });
        }
        if count > 1 && !self.is(MoverFlags::PATH_CLIPPED) {
            let mut met = None;
            self.faces(mesh, 1, movement, &mut met);
            if let Some(polygon) = met {
                self.log.set_hit(self.outward(mesh, polygon));
                return Some(Verdict::Blocked);
            }
        }
        None
    }

    /// [`bsp::hits_solid`] for a sphere of the mover.
    #[inline]
    fn hits_solid(&mut self, mesh: &PhysicsMesh, i: usize, center: bool) -> bool {
        let local = &mut self.path.local;
        local.overlapped(mesh, i).hits_solid(mesh, &local.spheres[i], center)
    }

    /// [`bsp::first_facing`] for a sphere of the mover.
    #[inline]
    fn faces(&mut self, mesh: &PhysicsMesh, i: usize, movement: Vec3, met: &mut Option<u16>) -> bool {
        let local = &mut self.path.local;
        local.overlapped(mesh, i).first_facing(mesh, &local.spheres[i], movement, met)
    }

    /// A shell's inside does not count as solid to a mover that touches its rooms.
    fn centers_count_as_solid(&self) -> bool {
        !(self.path.shell_test && self.path.touches_inside)
    }

    fn outward(&self, mesh: &PhysicsMesh, polygon: u16) -> Vec3 {
        self.path.local.position.frame.rotate(mesh.polygons.polygons()[usize::from(polygon)].plane.normal)
    }

    /// Step up, slide, or remember a back face. A mover of one sphere ignores back faces.
    fn collide_on_ground(
        &mut self,
        mesh: &PhysicsMesh,
        hit: bool,
        met: Option<u16>,
        movement: Vec3,
    ) -> Option<Verdict> {
        if let Some(polygon) = met.filter(|_| hit) {
            let normal = self.outward(mesh, polygon);
            return Some(if self.step_up(normal) { Verdict::Clear } else { self.step_up_slide() });
        }
        let mut met_by_second = None;
        if self.path.count > 1 {
            if self.faces(mesh, 1, movement, &mut met_by_second)
                && let Some(polygon) = met_by_second
            {
                return Some(self.slide(0, self.outward(mesh, polygon)));
            }
            if let Some(polygon) = met_by_second {
                self.path.remember_back_face(false, -self.outward(mesh, polygon));
            } else if let Some(polygon) = met {
                self.path.remember_back_face(true, -self.outward(mesh, polygon));
            }
        }
        met.or(met_by_second).map(|_| Verdict::Clear)
    }

    /// Asks for a landing pass. Retail: `SPHEREPATH::set_collide`.
    pub(super) fn begin_landing(&mut self, normal: Vec3) -> Verdict {
        self.path.landing = true;
        self.path.save_trial();
        self.path.bump_normal = normal;
        self.path.budget = 1.0;
        self.path.min_up = LANDING_Z;
        Verdict::Nudged
    }

    /// Seats the first sphere on the floors it meets along `movement`.
    ///
    /// The plane is carried out of the mesh's space unscaled and its offset then multiplied by the scale, as in the
    /// original. Retail: `BSPTREE::step_sphere_down`. Spec: physics-bsp §5.8.
    fn seat(&mut self, mesh: &'w PhysicsMesh, scale: f32, movement: Vec3) -> Option<Verdict> {
        let position = self.path.local.position;
        let sphere = self.path.local.spheres[0];
        let up = self.path.local_up();
        let mut search = FloorSearch {
            sphere,
            polygon: None,
            budget: self.path.budget,
            movement,
            up,
            min_up: self.path.min_up,
        };
        self.path.local.overlapped(mesh, 0).find_floor(mesh, &mut search);
        self.path.budget = search.budget;
        let polygon = search.polygon?;
        self.path.shift_trial(position.frame.rotate(search.sphere.center - sphere.center) * scale);
        let mut plane =
            mesh.polygons.polygons()[usize::from(polygon)].plane.to_block(position, &self.path.trial);
        plane.d *= scale;
        self.log.set_contact(Contact { plane, cell: self.path.trial.cell, is_water: false });
        self.path.floor = Some(FloorRecord { mesh, polygon, sphere: search.sphere, up, position, scale });
        Some(Verdict::Nudged)
    }

    /// Pushes the mover out of walls. Retail: `BSPTREE::placement_insert`. Spec: physics-bsp §5.9.
    fn push_out(&mut self, mesh: &PhysicsMesh) -> Verdict {
        let count = self.path.count;
        let start = self.path.local.spheres;
        let mut spheres = start;
        let solid_rule = self.centers_count_as_solid();
        let mut reach = spheres[0].radius;
        let mut found = SolidSearch::default();
        for push in 0..MAX_PUSHES {
            found.inside = false;
            let struck = (0..count)
                .find(|&i| bsp::hits_solid_polygon(mesh, &spheres[i], reach, solid_rule, &mut found));
            let Some(i) = struck else {
                if push == 0 {
                    return Verdict::Clear;
                }
                let offset = spheres[0].center - start[0].center;
                self.path.shift_trial(self.path.local.position.frame.rotate(offset));
                return Verdict::Nudged;
            };
            match found.polygon.take() {
                Some(polygon) => {
                    let plane = mesh.polygons.polygons()[usize::from(polygon)].plane;
                    let height = plane.distance(spheres[i].center);
                    let mut target = reach;
                    if solid_rule {
                        if found.inside {
                            target = -target;
                        }
                        if height <= 0.0 {
                            target = -target;
                        }
                    }
                    for sphere in &mut spheres[..count] {
                        sphere.center += plane.normal * (target - height);
                    }
                    reach = spheres[0].radius;
                }
                None => reach *= 2.0,
            }
        }
        Verdict::Blocked
    }

    /// Stops at the polygon; the camera stops at the exact point.
    /// Retail: `BSPTREE::collide_with_pt`. Spec: physics-bsp §5.10.
    fn clip_to_point(&mut self, mesh: &PhysicsMesh, polygon: u16, scale: f32) -> Verdict {
        let normal = self.outward(mesh, polygon);
        if !self.is(MoverFlags::PERFECT_CLIP) {
            self.log.set_hit(normal);
            return Verdict::Blocked;
        }
        let Local { position, spheres: [from, _], .. } = self.path.local;
        let stopped = refine(mesh, &from, self.path.local_held(), polygon);
        let Some(stopped) = stopped else { return Verdict::Blocked };
        self.log.set_hit(normal);
        self.path.shift_trial(position.frame.rotate(stopped - from.center) * scale);
        Verdict::Nudged
    }
}

/// The last point on the way from `start` at which the sphere faces nothing: first by planes, then by halving.
/// Retail: `BSPTREE::adjust_to_plane`. Spec: physics-bsp §5.10.
fn refine(mesh: &PhysicsMesh, sphere: &Sphere, start: Vec3, polygon: u16) -> Option<Vec3> {
    let movement = sphere.center - start;
    let at = |t: f64| start + movement * t as f32;
    let mut met = Some(polygon);
    let faces = |t: f64, met: &mut Option<u16>| {
        bsp::first_facing(mesh, &Sphere { center: at(t), radius: sphere.radius }, movement, met)
    };
    let (mut low, mut high) = (0.0, 1.0);
    let mut tries = 0;
    loop {
        let plane = &mesh.polygons.polygons()[usize::from(met?)].plane;
        let t = f64::from(bsp::touch_fraction(plane, sphere.radius, start, movement));
        if t == 1.0 {
            break;
        }
        if !faces(t, &mut met) {
            low = t;
            break;
        }
        tries += 1;
        high = t;
        if tries >= MAX_REFINEMENTS {
            return None;
        }
    }
    while tries < MAX_REFINEMENTS {
        let middle = (low + high) / 2.0;
        if faces(middle, &mut met) {
            high = middle;
        } else {
            low = middle;
        }
        if high - low < REFINE_TOLERANCE {
            break;
        }
        tries += 1;
    }
    Some(at(low))
}
