//! Builds one frame: the decision between inside and outside, and the drawing order inside.

use crate::{
    Aperture, Contents, FloodSource, FramePlan, LightSet, Observer, Options, Projection, Root, SeenCell,
    Span, Step, Via,
    clip::{CornerOrder, bring_to_screen},
    contents::{Cones, Sight, Sorter, Stamps},
    flood::{Flood, Outdoors, Walk, full_screen, portal_corners, portal_polygon, push_view, via_cell},
    landscape::Window,
};
use glam::{Vec3, Vec4};
use threshold_world::{
    BlockId, CellId, World,
    cell::{EnvCell, PortalTarget},
    coords::block_offset,
    geometry::{Polygon, PolygonSet},
    landblock::LandCell,
};

/// Half the side of a land cell: openings that lie in such a plane belong to structures on the cell grid.
const GRID_HALF: f32 = 12.0;

/// Memory that is kept from frame to frame.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) flood: Flood,
    pub(crate) window: Window,
    pub(crate) block_order: Vec<(i32, i32)>,
    pub(crate) land_cones: Cones,
    cell_cones: Cones,
    stamps: Stamps,
    sorter: Sorter,
    screen: Vec<Vec4>,
    /// Seals attempted since the depth gate was last asked.
    pub(crate) seals: u32,
}

/// A frame in the making.
pub(crate) struct Drawing<'a, 'w, C, O> {
    pub(crate) world: &'w World,
    pub(crate) contents: &'a C,
    pub(crate) projection: Projection,
    /// The viewer's cell.
    pub(crate) cell: CellId,
    pub(crate) player_cell: CellId,
    pub(crate) options: Options,
    pub(crate) scratch: &'a mut Scratch,
    pub(crate) plan: &'a mut FramePlan,
    pub(crate) observer: &'a mut O,
}

impl<'w, C: Contents, O: Observer> Drawing<'_, 'w, C, O> {
    /// The one decision of a frame. Retail: `SmartBox::RenderNormalMode` (0x00453AA0). Spec: visibility §3.
    pub(crate) fn frame(&mut self) {
        self.scratch.stamps.begin_frame();
        if self.cell.is_outdoor() {
            self.plan.root = Root::Outdoor(self.cell);
            self.plan.steps.extend([Step::BeginFrame, Step::Lights { set: LightSet::Sun }]);
            let view = push_view(self.plan, &full_screen(self.projection.size), None, Via::Screen);
            self.plan.outside = Span::between(self.plan.view_refs.len(), self.plan.view_refs.len() + 1);
            self.plan.view_refs.push(view);
            self.landscape(self.plan.outside);
        } else if let Some(cell) = self.world.env_cell(self.cell) {
            self.plan.root = Root::Interior(self.cell);
            self.plan.steps.push(Step::BeginFrame);
            self.inside(cell);
        } else {
            self.plan.wanted_cells.push(self.cell);
            self.plan.projection = None;
            return;
        }
        self.plan.steps.extend([Step::FlushAlpha { threshold: 0.0 }, Step::EndFrame]);
        self.scratch.flood.release();
    }

    /// Retail: `PView::DrawInside` (0x005A5860). Spec: visibility §9.
    fn inside(&mut self, root: &'w EnvCell) {
        self.scratch.flood.admit(root.id().low(), &root.visible_cells);
        self.scratch.flood.region.clear();
        self.scratch.flood.region.extend(full_screen(self.projection.size));
        let mut walk = self.walk(root.id().block(), Outdoors::Seen);
        walk.give_root(root, None, Via::Screen);
        walk.run(root, None, FloodSource::Viewer);

        let start = self.plan.view_refs.len();
        self.plan.view_refs.extend_from_slice(&self.scratch.flood.outside);
        self.plan.outside = Span::between(start, self.plan.view_refs.len());
        self.plan.steps.push(Step::FloodBegin { flood: 0 });
        if self.plan.draws_landscape() {
            self.exit();
        }
        self.cells(0);
        self.plan.steps.push(Step::FloodEnd);
    }

    /// A traversal of a block's cells.
    pub(crate) fn walk(&mut self, block: BlockId, outdoors: Outdoors) -> Walk<'_, 'w, O> {
        Walk {
            world: self.world,
            block,
            offset: block_offset(self.cell, block.cell(0)),
            projection: self.projection,
            options: &self.options,
            outdoors,
            flood: &mut self.scratch.flood,
            plan: self.plan,
            observer: self.observer,
        }
    }

    /// What an interior frame shows of the outdoors. Retail: `PView::DrawCells` (0x005A4840), its first part.
    fn exit(&mut self) {
        self.plan.steps.push(Step::Lights { set: LightSet::Sun });
        self.landscape(self.plan.outside);
        self.plan.steps.extend([Step::FlushAlpha { threshold: 0.0 }, Step::AdvanceStamp]);
        self.scratch.stamps.advance();
        let gate = self.plan.steps.len();
        self.seals();
        let seals_of_the_past = std::mem::replace(&mut self.scratch.seals, self.plan.seal_count);
        let counted = if self.options.clear_by_this_frame { self.plan.seal_count } else { seals_of_the_past };
        if counted > 0 {
            self.plan.steps.insert(gate, Step::ClearDepth);
        }
    }

    /// Seals every opening to the outdoors of the cells that were reached, far to near; they all belong to the
    /// viewer's block. Spec: visibility §9 step 3e.
    fn seals(&mut self) {
        for index in self.plan.floods[0].cells.range().rev() {
            let seen = self.plan.cells[index];
            let Some(cell) =
                self.world.env_cell(seen.id).filter(|cell| cell.structure.drawing_sphere.is_some())
            else {
                continue;
            };
            for view in seen.views.range() {
                let view = self.plan.view_refs[view];
                for (index, portal) in cell.portals.iter().enumerate() {
                    let Some(polygon) = portal_polygon(cell, portal) else { continue };
                    let set = &cell.structure.portal_polygons;
                    if portal.target != PortalTarget::Outside || is_on_grid(set, polygon) {
                        continue;
                    }
                    self.plan.seal_count += 1;
                    let corners = || portal_corners(cell, polygon, Vec3::ZERO);
                    if self.clip_to_view(
                        corners(),
                        CornerOrder::from_here(portal.neighbour_is_positive),
                        view,
                    ) {
                        let aperture = self.aperture(corners(), view, via_cell(cell.id(), index));
                        self.plan.steps.push(Step::Seal { aperture });
                    }
                }
            }
        }
    }

    /// Leaves in the clipper what is seen of a polygon (in world coordinates) through a region; false when nothing is.
    pub(crate) fn clip_to_view(
        &mut self,
        corners: impl DoubleEndedIterator<Item = Vec3> + ExactSizeIterator,
        order: CornerOrder,
        view: u32,
    ) -> bool {
        let region = self.plan.pixels(&self.plan.views[view as usize]);
        let screen = &mut self.scratch.screen;
        screen.clear();
        let shape = bring_to_screen(&self.projection, corners, order, screen);
        self.scratch.flood.clipper.clip(shape, screen, region).len() >= 3
    }

    /// Enters an opening, as the clipper left it, in the plan.
    pub(crate) fn aperture(&mut self, corners: impl Iterator<Item = Vec3>, view: u32, via: Via) -> u32 {
        let plan = &mut *self.plan;
        let (clipped, polygon) = (plan.clipped.len(), plan.corners.len());
        plan.clipped.extend_from_slice(self.scratch.flood.clipper.result());
        plan.corners.extend(corners);
        plan.apertures.push(Aperture {
            via,
            view,
            polygon: Span::between(polygon, plan.corners.len()),
            clipped: Span::between(clipped, plan.clipped.len()),
        });
        (plan.apertures.len() - 1) as u32
    }

    /// Shells, then contents, of the cells of a traversal, far to near.
    /// Retail: `PView::DrawCells` (0x005A4840), its second part. Spec: visibility §9 steps 4–7.
    pub(crate) fn cells(&mut self, flood: usize) {
        let cells = self.plan.floods[flood].cells.range();
        self.plan.steps.push(Step::Lights { set: LightSet::Cells });
        for index in cells.clone().rev() {
            let seen = self.plan.cells[index];
            let drawable = |cell: &EnvCell| cell.structure.drawing_sphere.is_some();
            if self.world.env_cell(seen.id).is_some_and(drawable) && self.scratch.stamps.take_cell(seen.id) {
                self.plan.steps.push(Step::Cell { id: seen.id, views: seen.views });
            }
        }
        for index in cells.rev() {
            let seen = self.plan.cells[index];
            let parts = self.cell_objects(&seen);
            self.plan.steps.push(Step::Objects { cell: seen.id, views: seen.views, parts });
        }
        self.plan.steps.push(Step::Lights { set: LightSet::Sun });
    }

    /// The objects of an interior cell that its regions show.
    fn cell_objects(&mut self, seen: &SeenCell) -> Span {
        let scratch = &mut *self.scratch;
        if !scratch.sorter.gather(self.contents, seen.id, &scratch.stamps) {
            return Span::default();
        }
        scratch.cell_cones.set(self.plan, &self.projection, seen.views);
        let sight = Sight {
            projection: &self.projection,
            offset: block_offset(self.cell, seen.id),
            land_distance: None,
            sort_by_part: self.options.sort_by_part,
        };
        scratch.sorter.select(&scratch.cell_cones, &sight, &mut scratch.stamps, self.plan)
    }

    /// The objects of a land cell that the landscape's regions show.
    pub(crate) fn land_objects(&mut self, cell: LandCell<'_>, offset: Vec3) -> Span {
        let scratch = &mut *self.scratch;
        if !scratch.sorter.gather(self.contents, cell.id(), &scratch.stamps) {
            return Span::default();
        }
        let from_eye = cell.position().frame.origin + offset - self.projection.eye;
        let sight = Sight {
            projection: &self.projection,
            offset,
            land_distance: Some(from_eye.truncate().length()),
            sort_by_part: self.options.sort_by_part,
        };
        scratch.sorter.select(&scratch.land_cones, &sight, &mut scratch.stamps, self.plan)
    }
}

/// Whether a polygon lies in one of the four planes of the land cell's sides; such openings are neither punched nor
/// sealed. Exact on purpose. Spec: visibility §7.2.
pub(crate) fn is_on_grid(set: &PolygonSet, polygon: &Polygon) -> bool {
    let edges = set.edges(polygon);
    let all = |on: fn(Vec3) -> bool| edges.iter().all(|edge| on(edge.start));
    all(|p| p.x == GRID_HALF)
        || all(|p| p.x == -GRID_HALF)
        || all(|p| p.y == GRID_HALF)
        || all(|p| p.y == -GRID_HALF)
}
