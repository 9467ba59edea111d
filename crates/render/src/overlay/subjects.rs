//! What each overlay shows.

use super::{
    Color, EXACT, INEXACT, LISTED, Label, SPLIT, STATIC_LISTED, STEEP, Segment, Subject, TO_OUTSIDE,
    WALKABLE, color_of,
    shapes::{box_of, cut, cylinder, outline, plane_in_box, sphere},
};
use crate::stage::{Shape, SourceObject};
use glam::Vec3;
use std::collections::{BTreeMap, BTreeSet};
use threshold_view::Step;
use threshold_world::{
    CellId, Frame,
    bsp::{NO_NODE, PhysicsMesh, PhysicsNode},
    cell::{EnvCell, PortalTarget},
    coords::block_offset,
    geometry::{Aabb, Plane, Polygon, PolygonSet},
    terrain::FLOOR_Z,
};

/// Nodes whose planes are shown; more would be a thicket.
const MAX_NODES: usize = 400;
/// Corners closer than 1/512 m are the same.
const GRID: f32 = 512.0;

/// Places points of something in the viewer's block.
struct Placing {
    frame: Frame,
    offset: Vec3,
}

impl Placing {
    fn of(subject: &Subject, frame: &Frame, cell: CellId) -> Placing {
        Placing { frame: *frame, offset: block_offset(subject.viewer, cell) }
    }

    fn apply(&self, p: Vec3) -> Vec3 {
        self.frame.apply(p) + self.offset
    }

    fn corners(&self, set: &PolygonSet, polygon: &Polygon) -> Vec<Vec3> {
        set.vertices(polygon).map(|p| self.apply(p)).collect()
    }
}

impl Subject<'_> {
    /// The interior cells in view, each once.
    fn seen(&self) -> Vec<&EnvCell> {
        let ids: BTreeSet<CellId> = self.plan.cells.iter().map(|cell| cell.id).collect();
        ids.into_iter().filter_map(|id| self.world.env_cell(id)).collect()
    }

    pub(super) fn cells(&self, out: &mut Vec<Segment>) {
        for cell in self.seen() {
            let placing = Placing::of(self, &cell.position.frame, cell.id());
            match &cell.structure.physics {
                Some(physics) => creases(&physics.polygons, &placing, color_of(cell.id()), out),
                None => box_of(&cell.structure.bounds, |p| placing.apply(p), color_of(cell.id()), out),
            }
        }
    }

    pub(super) fn numbers(&self) -> Vec<Label> {
        let label = |cell: &EnvCell| {
            let bounds = &cell.structure.bounds;
            let placing = Placing::of(self, &cell.position.frame, cell.id());
            let at = placing.apply((bounds.min + bounds.max) / 2.0);
            Label { at, number: cell.id().low(), color: color_of(cell.id()) }
        };
        self.seen().into_iter().map(label).collect()
    }

    pub(super) fn portals(&self, out: &mut Vec<Segment>) {
        for cell in self.seen() {
            let placing = Placing::of(self, &cell.position.frame, cell.id());
            let set = &cell.structure.portal_polygons;
            for portal in &cell.portals {
                let Some(polygon) = set.polygons().get(usize::from(portal.polygon)) else { continue };
                let color = match portal.target {
                    PortalTarget::Outside => TO_OUTSIDE,
                    PortalTarget::Cell(_) if portal.exact_match => EXACT,
                    PortalTarget::Cell(_) => INEXACT,
                };
                outline(&placing.corners(set, polygon), color, out);
            }
        }
    }

    /// What can be hit in the viewer's own cell: the ground and a house's shell, or the walls of a room.
    pub(super) fn collision(&self, out: &mut Vec<Segment>) {
        if let Some(cell) = self.world.env_cell(self.viewer) {
            if let Some(physics) = &cell.structure.physics {
                let placing = Placing::of(self, &cell.position.frame, cell.id());
                polygons(physics, &placing, out);
                splits(physics, &cell.structure.bounds, &placing, out);
            }
        } else if let Some(land) = self.world.land_cell(self.viewer) {
            let Some(block) = self.world.landscape(self.viewer.block()) else { return };
            for half in 0..2 {
                let walkable = block.terrain.plane(land.index(), half).normal.z >= FLOOR_Z;
                let color = if walkable { WALKABLE } else { STEEP };
                outline(&block.terrain.triangle(land.index(), half), color, out);
            }
            let Some(building) = land.building() else { return };
            let Some(part) = building.model.as_ref().and_then(|model| model.parts.first()) else { return };
            let Some(mesh) = &part.mesh else { return };
            if let Some(physics) = &mesh.physics {
                let frame = building.position.frame.compose(&part.frame);
                let placing = Placing::of(self, &frame, building.position.cell);
                polygons(physics, &placing, out);
                splits(physics, &mesh.bounds, &placing, out);
            }
        }
    }

    pub(super) fn shadows(&self, out: &mut Vec<Segment>) {
        let mut cells: BTreeSet<CellId> = self.plan.cells.iter().map(|cell| cell.id).collect();
        cells.extend(self.plan.steps.iter().filter_map(|step| match step {
            Step::Objects { cell, .. } => Some(*cell),
            _ => None,
        }));
        let mut shown = BTreeSet::new();
        for cell in cells {
            self.objects.shapes_in(cell, &mut |object, shapes| {
                if shown.insert(object.key) {
                    self.object(object, shapes, out);
                }
            });
        }
    }

    /// The shapes by which an object is hit.
    fn object(&self, object: &SourceObject<'_>, shapes: &[Shape], out: &mut Vec<Segment>) {
        let palette = if object.is_fixed { STATIC_LISTED } else { LISTED };
        let color = palette[object.cells.len().saturating_sub(1).min(palette.len() - 1)];
        let offset = block_offset(self.viewer, object.position.cell);
        for shape in shapes {
            match shape {
                Shape::Box { bounds, frame, scale } => {
                    box_of(bounds, |p| frame.apply(p * *scale) + offset, color, out);
                }
                Shape::Cylinder(shape) => {
                    cylinder(shape.low + offset, shape.radius, shape.height, color, out);
                }
                Shape::Sphere(shape) => sphere(shape.center + offset, shape.radius, color, out),
            }
        }
    }
}

/// The edges at which a mesh bends: not those between two halves of one wall.
fn creases(set: &PolygonSet, placing: &Placing, color: Color, out: &mut Vec<Segment>) {
    let key = |p: Vec3| (p * GRID).round().as_ivec3().to_array();
    let mut edges: BTreeMap<[[i32; 3]; 2], (Vec3, Vec3, Vec3, bool)> = BTreeMap::new();
    for polygon in set.polygons() {
        for edge in set.edges(polygon) {
            let (a, b) = (edge.start, edge.start + edge.along);
            let mut ends = [key(a), key(b)];
            ends.sort_unstable();
            let normal = polygon.plane.normal;
            let known = edges.entry(ends).or_insert((a, b, normal, false));
            known.3 |= known.2.dot(normal) > 0.999 && (known.0, known.1) != (a, b);
        }
    }
    let bent = edges.into_values().filter(|(.., flat)| !flat);
    out.extend(bent.map(|(a, b, ..)| Segment { a: placing.apply(a), b: placing.apply(b), color }));
}

fn polygons(physics: &PhysicsMesh, placing: &Placing, out: &mut Vec<Segment>) {
    for polygon in physics.polygons.polygons() {
        let upward = placing.frame.rotate(polygon.plane.normal).z;
        let color = if upward >= FLOOR_Z { WALKABLE } else { STEEP };
        outline(&placing.corners(&physics.polygons, polygon), color, out);
    }
}

/// The planes of a tree, each within the space of its node.
fn splits(physics: &PhysicsMesh, bounds: &Aabb, placing: &Placing, out: &mut Vec<Segment>) {
    let nodes = &physics.tree.nodes[..physics.tree.nodes.len().min(MAX_NODES)];
    // For each node the plane above it, turned so that the node lies in front.
    let mut above: Vec<Option<(usize, Plane)>> = vec![None; nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        let PhysicsNode::Inner { plane, positive, negative, .. } = node else { continue };
        let behind = Plane { normal: -plane.normal, d: -plane.d };
        for (child, side) in [(*positive, *plane), (*negative, behind)] {
            // Parents come before their children, so ways up are finite.
            if child != NO_NODE && child as usize > index && (child as usize) < nodes.len() {
                above[child as usize] = Some((index, side));
            }
        }
        let mut corners = plane_in_box(plane, bounds);
        let mut at = index;
        while let Some((parent, side)) = above[at] {
            corners = cut(&corners, &side);
            at = parent;
        }
        if corners.len() >= 3 {
            let corners: Vec<Vec3> = corners.into_iter().map(|p| placing.apply(p)).collect();
            outline(&corners, SPLIT, out);
        }
    }
}
