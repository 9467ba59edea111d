//! The objects in the cells: where they come from, which of them are drawn, and in which order.

use crate::{FramePlan, Part, Projection, Span, Z_NEAR, plan::edge_planes};
use glam::Vec3;
use std::collections::HashMap;
use threshold_world::{
    CellId,
    geometry::{Plane, Sphere},
    landblock::Building,
    model::Mesh,
};

/// Horizontal distance of an object from which all its parts sort alike, and the same for particle emitters.
const LUMPED_OBJECT: f32 = 25.0;
const LUMPED_EMITTER: f32 = 16.0;
/// Horizontal distance of a land cell from which all its objects sort alike.
const LUMPED_CELL: f32 = 50.0;

/// A part of an object as a cell's list holds it; coordinates are those of the cell's block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Candidate {
    /// The caller's number of the object; with `part` it identifies what is drawn.
    pub object: u32,
    /// Number of the part in the object.
    pub part: u16,
    /// Drawing sphere; centre and radius scaled by the part's largest axis scale. None is drawn with its cell.
    pub sphere: Option<Sphere>,
    /// Where the part sorts.
    pub sort_center: Vec3,
    /// The object's origin.
    pub origin: Vec3,
    /// It is a particle emitter.
    pub emitter: bool,
}

/// Holds the lists of objects in the cells.
pub trait Contents {
    /// Calls `visit` with every part of every object that is registered in a cell, in the order of the list. Parts
    /// that are hidden, wholly translucent, or whose distance ladder says "nothing", are left out.
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate));

    /// The mesh to draw for a building's shell at a distance; `None` leaves out the building with its interior.
    /// A mesh without openings shows no interior.
    fn shell<'a>(&'a self, building: &'a Building, distance: f32) -> Option<&'a Mesh> {
        building.shell_at(distance)
    }
}

/// Empty cells.
impl Contents for () {
    fn parts(&self, _: CellId, _: &mut dyn FnMut(Candidate)) {}
}

/// How much of a sphere a view cone holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum InCone {
    Out,
    Partly,
    Wholly,
}

/// The view cones of a list of regions.
#[derive(Debug, Default)]
pub(crate) struct Cones {
    planes: Vec<Plane>,
    cones: Vec<(u32, Span)>,
}

impl Cones {
    /// Sets up the cones of a run of [`FramePlan::view_refs`].
    pub(crate) fn set(&mut self, plan: &FramePlan, projection: &Projection, views: Span) {
        self.planes.clear();
        self.cones.clear();
        for &view in &plan.view_refs[views.range()] {
            let start = self.planes.len();
            self.planes.push(forward_plane(projection));
            self.planes.extend(edge_planes(projection, plan.pixels(&plan.views[view as usize])));
            self.cones.push((view, Span::between(start, self.planes.len())));
        }
    }

    /// The planes of each region: the forward plane, then its edges.
    pub(crate) fn planes(&self) -> impl Iterator<Item = &[Plane]> {
        self.cones.iter().map(|(_, span)| &self.planes[span.range()])
    }

    /// Whether one of the regions accepts a sphere.
    pub(crate) fn accept(&self, sphere: &Sphere) -> bool {
        self.planes().any(|planes| in_cone(planes, sphere) != InCone::Out)
    }

    /// Appends the regions that accept a sphere to `accepting` and tells how much of it the best one holds.
    fn check(&self, sphere: Option<&Sphere>, accepting: &mut Vec<u32>) -> InCone {
        let mut best = InCone::Out;
        for (view, span) in &self.cones {
            let result = sphere.map_or(InCone::Partly, |sphere| in_cone(&self.planes[span.range()], sphere));
            if result != InCone::Out {
                accepting.push(*view);
            }
            best = best.max(result);
        }
        best
    }
}

/// What lies nearer than the near plane is behind it. Spec: visibility §10.2.
fn forward_plane(projection: &Projection) -> Plane {
    Plane { normal: projection.forward, d: -projection.eye.dot(projection.forward) - Z_NEAR }
}

/// Retail: `Render::viewconeCheck` (0x0054C250). Spec: visibility §11 step 3.
fn in_cone(planes: &[Plane], sphere: &Sphere) -> InCone {
    let mut result = InCone::Wholly;
    for plane in planes {
        let distance = plane.distance(sphere.center);
        if distance < -sphere.radius {
            return InCone::Out;
        }
        if distance <= sphere.radius {
            result = InCone::Partly;
        }
    }
    result
}

/// What was drawn since the last advance of the stamp. Spec: visibility §11 step 4.
#[derive(Debug, Default)]
pub(crate) struct Stamps {
    stamp: u32,
    parts: HashMap<(u32, u16), u32>,
    cells: HashMap<CellId, u32>,
}

impl Stamps {
    pub(crate) fn begin_frame(&mut self) {
        self.stamp = 0;
        self.parts.clear();
        self.cells.clear();
    }

    pub(crate) fn advance(&mut self) {
        self.stamp += 1;
    }

    /// Whether the cell's shell is still to be drawn; from now on it is not.
    pub(crate) fn take_cell(&mut self, cell: CellId) -> bool {
        self.cells.insert(cell, self.stamp) != Some(self.stamp)
    }

    fn has_part(&self, object: u32, part: u16) -> bool {
        self.parts.get(&(object, part)) == Some(&self.stamp)
    }

    fn take_part(&mut self, object: u32, part: u16) {
        self.parts.insert((object, part), self.stamp);
    }
}

/// Where the parts of one cell are collected and sorted; keeps its memory.
#[derive(Debug, Default)]
pub(crate) struct Sorter {
    candidates: Vec<Candidate>,
    found: Vec<(Part, u32)>,
}

/// How a cell's objects are seen.
pub(crate) struct Sight<'a> {
    pub(crate) projection: &'a Projection,
    /// Origin of the cell's block in world coordinates.
    pub(crate) offset: Vec3,
    /// Horizontal distance of a land cell.
    pub(crate) land_distance: Option<f32>,
    pub(crate) sort_by_part: bool,
}

impl Sorter {
    /// Collects the parts of a cell's objects that are not drawn yet; true when there are any.
    pub(crate) fn gather<C: Contents>(&mut self, contents: &C, cell: CellId, stamps: &Stamps) -> bool {
        self.candidates.clear();
        contents.parts(cell, &mut |candidate| {
            if !stamps.has_part(candidate.object, candidate.part) {
                self.candidates.push(candidate);
            }
        });
        !self.candidates.is_empty()
    }

    /// Enters those of the collected parts that the cones accept in the plan, far to near.
    ///
    /// Retail: `RenderDeviceD3D::DrawObjCellForDummies`, `DrawPartCell`, `DrawMesh` (0x005A0860). Spec: visibility §11.
    pub(crate) fn select(
        &mut self,
        cones: &Cones,
        sight: &Sight<'_>,
        stamps: &mut Stamps,
        plan: &mut FramePlan,
    ) -> Span {
        self.found.clear();
        for candidate in &self.candidates {
            let sphere =
                candidate.sphere.map(|s| Sphere { center: s.center + sight.offset, radius: s.radius });
            let start = plan.view_refs.len();
            let best = cones.check(sphere.as_ref(), &mut plan.view_refs);
            // A part may be in the list twice.
            if best == InCone::Out || stamps.has_part(candidate.object, candidate.part) {
                plan.view_refs.truncate(start);
                continue;
            }
            stamps.take_part(candidate.object, candidate.part);
            let part = Part {
                object: candidate.object,
                part: candidate.part,
                inside: best == InCone::Wholly,
                distance: sight.distance(candidate),
                views: Span::between(start, plan.view_refs.len()),
            };
            self.found.push((part, self.found.len() as u32));
        }
        self.found.sort_unstable_by(|(a, i), (b, j)| b.distance.total_cmp(&a.distance).then(i.cmp(j)));
        let start = plan.parts.len();
        plan.parts.extend(self.found.iter().map(|(part, _)| *part));
        Span::between(start, plan.parts.len())
    }
}

impl Sight<'_> {
    /// The viewer distance of a part. Retail: `CPhysicsPart::UpdateViewerDistance` (0x0050E030). Spec: visibility §11 step 5.
    fn distance(&self, candidate: &Candidate) -> f32 {
        let from_eye = |p: Vec3| p + self.offset - self.projection.eye;
        if self.sort_by_part {
            return from_eye(candidate.sort_center).length();
        }
        if let Some(distance) = self.land_distance.filter(|&distance| distance > LUMPED_CELL) {
            return distance;
        }
        let origin = from_eye(candidate.origin);
        let lumped = if candidate.emitter { LUMPED_EMITTER } else { LUMPED_OBJECT };
        if origin.truncate().length() < lumped {
            from_eye(candidate.sort_center).length()
        } else {
            origin.length()
        }
    }
}
