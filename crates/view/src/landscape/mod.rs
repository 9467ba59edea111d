//! Drawing the outdoors: sky, then blocks and cells far to near, each cell's ground, building and objects.
//!
//! Retail: `LScape::draw` (0x00506330), `RenderDeviceD3D::DrawBlock`. Spec: visibility §10.

mod columns;
mod order;
mod window;

pub(crate) use window::Window;

use crate::{Contents, Observer, Span, Step, drawing::Drawing};
use glam::Vec3;
use order::{cells_near_to_far, nearest_cell, spiral};
use threshold_world::{
    BlockId, EPSILON,
    coords::{LandCoord, block_offset},
    geometry::polygon_plane,
    landblock::{LandCell, Landblock},
    terrain::splits_sw_ne,
};
use window::WindowBlock;

/// Terrain is drawn this much lower than it is, so that floors at grade win.
const TERRAIN_SINK: f32 = 0.01;
/// Part of the transparent lists' capacity that makes a land cell flush them.
const FLUSH_WHEN: f32 = 0.75;

impl<C: Contents, O: Observer> Drawing<'_, '_, C, O> {
    /// Draws the landscape once for all regions of a list.
    pub(crate) fn landscape(&mut self, views: Span) {
        self.plan.steps.extend([Step::Landscape { views }, Step::Sky]);
        let (viewer, center) = self.landscape_viewpoint();
        // Taken out for the duration, so that the buildings on the way can use the rest.
        let mut window = std::mem::take(&mut self.scratch.window);
        let mut cones = std::mem::take(&mut self.scratch.land_cones);
        cones.set(self.plan, &self.projection, views);
        let loaded = window.center(self.world, center, &self.options);
        window.cull(&cones, self.projection.block);
        self.scratch.land_cones = cones;

        let (x, y) = (viewer.x >> 3, viewer.y >> 3);
        let mut order = std::mem::take(&mut self.scratch.block_order);
        order.clear();
        order.extend(spiral(window.reach_from(x, y)).filter(|(dx, dy)| window.get(x + dx, y + dy).is_some()));
        for &(dx, dy) in order.iter().rev() {
            if let Some(block) = window.get(x + dx, y + dy).filter(|block| block.seen) {
                self.block(block, (dx, dy), (viewer.x & 7, viewer.y & 7), views);
            }
        }
        self.scratch.block_order = order;
        self.scratch.window = window;
        self.plan.wanted_blocks.sort_unstable();
        if loaded && self.options.weather && self.player_cell.is_outdoor() {
            self.plan.steps.push(Step::Weather);
        }
    }

    /// The land cell the landscape is ordered around and the block its window is centred on. Spec: visibility §3, §2.3.
    fn landscape_viewpoint(&self) -> (LandCoord, BlockId) {
        let base = || {
            let block = self.cell.block();
            LandCoord { x: i32::from(block.x()) << 3, y: i32::from(block.y()) << 3 }
        };
        let viewer = if self.cell.is_outdoor() {
            LandCoord::of_cell(self.cell)
        } else {
            LandCoord::under(self.cell, self.projection.eye)
        };
        (viewer.unwrap_or_else(base), self.player_cell.block())
    }

    fn block(&mut self, seen: &WindowBlock, direction: (i32, i32), viewer: (i32, i32), views: Span) {
        let Some(id) = seen.id else { return };
        let Some(block) = self.world.landscape(id) else {
            self.plan.wanted_blocks.push(id);
            return;
        };
        let offset = block_offset(self.cell, id.cell(0));
        let side = i32::from(seen.side);
        let mut cells = [0; 64];
        let count = cells_near_to_far(nearest_cell(direction, viewer, side), side, &mut cells);
        for &cell in cells[..count].iter().rev() {
            let in_view = seen.cells >> cell & 1 == 1;
            if in_view {
                let triangles =
                    triangles_facing(block, side as u32, u32::from(cell), self.projection.eye - offset);
                if triangles != 0 {
                    self.plan.steps.push(Step::Terrain { block: id, side: seen.side, cell, triangles });
                }
            }
            if seen.has_objects
                && (in_view || self.options.objects_out_of_view)
                && let Some(cell) = block.land_cell(u16::from(cell) + 1)
            {
                self.land_cell(cell, offset, views);
            }
        }
    }

    /// A land cell's building, then its objects. Retail: `RenderDeviceD3D::DrawSortCell` (0x0059F140).
    fn land_cell(&mut self, cell: LandCell<'_>, offset: Vec3, views: Span) {
        let mut drawn = false;
        if let Some(index) = cell.block.cell_buildings[cell.index()]
            && let Some(building) = cell.building()
        {
            drawn = self.building(building, index, views);
        }
        let parts = self.land_objects(cell, offset);
        if !parts.is_empty() {
            self.plan.steps.push(Step::Objects { cell: cell.id(), views, parts });
        }
        // Ground is never transparent: a cell without anything else has nothing to flush.
        if drawn || !parts.is_empty() {
            self.plan.steps.push(Step::FlushAlpha { threshold: FLUSH_WHEN });
        }
    }
}

/// Which triangles of a terrain cell the eye (in block coordinates) sees from above, as bits.
/// Retail: `ACRender::landPolysDraw`. Spec: visibility §10 step 3a, render-data §9.2.
fn triangles_facing(block: &Landblock, side: u32, cell: u32, eye: Vec3) -> u8 {
    let faces = |distance: f32| u8::from(distance + TERRAIN_SINK > EPSILON);
    let terrain = &block.terrain;
    if side == 8 {
        return faces(terrain.plane(cell as usize, 0).distance(eye))
            | faces(terrain.plane(cell as usize, 1).distance(eye)) << 1;
    }
    let (i, j, step) = (cell / side, cell % side, 8 / side);
    let corner = |di: u32, dj: u32| {
        let sample = (i + di) * step * 9 + (j + dj) * step;
        terrain.vertex(sample as usize)
    };
    let [sw, se, nw, ne] = [corner(0, 0), corner(1, 0), corner(0, 1), corner(1, 1)];
    let base = (u32::from(block.id.x()) * 8, u32::from(block.id.y()) * 8);
    let triangles = if splits_sw_ne(base.0 + i, base.1 + j) {
        [[sw, se, ne], [sw, ne, nw]]
    } else {
        [[sw, se, nw], [ne, nw, se]]
    };
    let bit =
        |half: usize| polygon_plane(&triangles[half]).map_or(0, |plane| faces(plane.distance(eye)) << half);
    bit(0) | bit(1)
}
