//! Buildings seen from outdoors: punching their openings and drawing the interiors behind them.
//!
//! Retail: `RenderDeviceD3D::DrawBuilding`, `PView::DrawPortal` (0x005A5AB0). Spec: visibility §7.

use crate::{
    Contents, FloodSource, Observer, SeenBuilding, Span, Step, Via,
    clip::CornerOrder,
    drawing::{Drawing, is_on_grid},
    flood::{Outdoors, corners},
};
use glam::Vec3;
use threshold_world::{
    Frame,
    cell::EnvCell,
    coords::block_offset,
    geometry::{Side, Sphere},
    landblock::{Building, BuildingPortal},
    model::{Mesh, ShellOpening},
};

/// A building whose turn has come.
struct Shell<'a> {
    building: &'a Building,
    mesh: &'a Mesh,
    /// Index in the plan's list.
    index: u32,
    /// From the shell's space to world coordinates: scale, then frame, then offset.
    scale: Vec3,
    frame: Frame,
    offset: Vec3,
}

impl Shell<'_> {
    fn place(&self, p: Vec3) -> Vec3 {
        self.frame.apply(p * self.scale) + self.offset
    }

    /// A world point in the shell's space.
    fn local(&self, p: Vec3) -> Vec3 {
        self.frame.apply_inverse(p - self.offset) / self.scale
    }
}

/// An opening of a shell, and the eye in the shell's space.
#[derive(Clone, Copy)]
struct Opening<'a> {
    eye: Vec3,
    /// Index of its polygon in the mesh.
    polygon: u16,
    /// Index of the building's portal.
    portal: u16,
    record: &'a BuildingPortal,
}

/// The two walks over a building's openings.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Punch,
    Interiors,
}

impl<C: Contents, O: Observer> Drawing<'_, '_, C, O> {
    /// A building at its turn, for the regions the landscape is seen through. False when its ladder says "nothing".
    pub(crate) fn building(&mut self, building: &Building, index: u16, views: Span) -> bool {
        let offset = block_offset(self.cell, building.position.cell);
        let distance = (building.position.frame.origin + offset - self.projection.eye).length();
        let contents = self.contents;
        let Some(mesh) = contents.shell(building, distance) else { return false };
        let part = building.model.as_ref().and_then(|model| model.parts.first());
        let frame = part.map_or(building.position.frame, |part| building.position.frame.compose(&part.frame));
        let shell = Shell {
            building,
            mesh,
            index: self.plan.buildings.len() as u32,
            scale: part.map_or(Vec3::ONE, |part| part.scale),
            frame,
            offset,
        };
        self.plan.buildings.push(SeenBuilding {
            cell: building.position.cell,
            index,
            model: building.model_id,
            mesh: mesh.id,
        });
        self.plan.steps.push(Step::FlushAlpha { threshold: 0.0 });
        self.plan.steps.push(Step::BuildingBegin { building: shell.index });
        if self.options.punch_first {
            for pass in [Pass::Punch, Pass::Interiors] {
                views.range().for_each(|view| self.openings(&shell, self.plan.view_refs[view], pass));
            }
        } else {
            for view in views.range() {
                self.openings(&shell, self.plan.view_refs[view], Pass::Punch);
                self.openings(&shell, self.plan.view_refs[view], Pass::Interiors);
            }
        }
        let largest = shell.scale.abs().max_element();
        let accepted = mesh.drawing_sphere.is_none_or(|sphere| {
            let center = shell.frame.apply(sphere.center * largest) + offset;
            self.scratch.land_cones.accept(&Sphere { center, radius: sphere.radius * largest })
        });
        if accepted {
            self.plan.steps.push(Step::BuildingShell { building: shell.index });
        }
        true
    }

    /// One walk over the openings for one region.
    fn openings(&mut self, shell: &Shell<'_>, view: u32, pass: Pass) {
        let eye = shell.local(self.projection.eye);
        for (polygon, portal) in walk_openings(&shell.mesh.openings, eye) {
            let Some(record) = shell.building.portals.get(usize::from(portal)) else { continue };
            self.opening(shell, &Opening { eye, polygon, portal, record }, view, pass);
        }
    }

    /// Retail: `PView::ConstructView` for building portals (0x005A59A0). Spec: visibility §7 steps 1–7.
    fn opening(&mut self, shell: &Shell<'_>, opening: &Opening<'_>, view: u32, pass: Pass) {
        let Opening { eye, polygon, portal, record } = *opening;
        let set = &shell.mesh.opening_polygons;
        let Some(polygon) = set.polygons().get(usize::from(polygon)) else { return };
        let outdoor_side = if record.neighbour_is_positive { Side::Negative } else { Side::Positive };
        if polygon.plane.side(eye) != outdoor_side {
            return;
        }
        let placed = || corners(set, polygon).map(|p| shell.place(p));
        if !self.clip_to_view(placed(), CornerOrder::from_here(record.neighbour_is_positive), view) {
            return;
        }
        let Some(cell) = self.world.env_cell(record.cell) else {
            let wanted = &mut self.plan.wanted_cells;
            if let Err(at) = wanted.binary_search(&record.cell) {
                wanted.insert(at, record.cell);
            }
            return;
        };
        let flood = &mut self.scratch.flood;
        if !flood.clipper.store(self.projection.size, &mut flood.region) {
            return;
        }
        let via = Via::Building { building: shell.index, portal };
        match pass {
            Pass::Punch if is_on_grid(set, polygon) => {}
            Pass::Punch => {
                let aperture = self.aperture(placed(), view, via);
                self.plan.steps.push(Step::Punch { aperture });
            }
            Pass::Interiors => self.interior(cell, record, view, via),
        }
    }

    /// Floods and draws the cells behind an opening.
    fn interior(&mut self, cell: &EnvCell, record: &BuildingPortal, view: u32, via: Via) {
        let Via::Building { building, portal } = via else { return };
        self.scratch.flood.admit(cell.id().low(), &record.visible_cells);
        let mut walk = self.walk(cell.id().block(), Outdoors::Ignored);
        walk.give_root(cell, Some(view), via);
        walk.run(cell, record.other_portal, FloodSource::Building { building, portal });
        let flood = self.plan.floods.len() - 1;
        self.plan.steps.push(Step::FloodBegin { flood: flood as u32 });
        self.cells(flood);
        self.plan.steps.push(Step::FloodEnd);
    }
}

/// The openings as pairs (polygon, portal): those of nodes whose plane the eye is in front of, in stored order, then
/// the others backwards; nodes whose plane it lies in are left out.
///
/// Retail: `BSPPORTAL::portal_draw_portals_only` (0x0053D870) on the reduced tree. Spec: visibility §7.
fn walk_openings(nodes: &[ShellOpening], eye: Vec3) -> impl Iterator<Item = (u16, u16)> {
    let on = move |side: Side| move |node: &&ShellOpening| node.plane.side(eye) == side;
    let front = nodes.iter().filter(on(Side::Positive));
    let back = nodes.iter().rev().filter(on(Side::Negative));
    front.chain(back).flat_map(|node| node.portals.iter().copied())
}
