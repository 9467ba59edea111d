//! The frame plan: what a renderer has to draw, through which regions of the screen, in which order.
//!
//! Everything is plain data in flat pools; a [`Span`] names a run of entries of one of them. World coordinates are
//! those of the viewer's block ([`Projection::block`]). Spec: visibility §12.

use crate::Projection;
use glam::{Vec2, Vec3, Vec4};
use serde::{Serialize, Serializer};
use std::ops::Range;
use threshold_dat::DatId;
use threshold_world::{BlockId, CellId, geometry::Plane};

/// Depth that a [`Step::Punch`] writes, in a buffer from 0 (near) to 1 (far): a plane 3844 m away.
pub const PUNCH_DEPTH: f32 = f32::from_bits(0x3F7F_FFEF);

/// A run of entries in one of the plan's pools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Span {
    /// First entry.
    pub start: u32,
    /// Number of entries.
    pub len: u32,
}

impl Span {
    /// From an earlier to the present length of a pool.
    pub fn between(start: usize, end: usize) -> Span {
        Span { start: start as u32, len: (end - start) as u32 }
    }

    /// For indexing the pool.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.start as usize + self.len as usize
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// Where the visibility of a frame starts: the viewer's cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Root {
    /// No viewer cell: nothing of the world is drawn.
    #[default]
    None,
    /// A land cell.
    Outdoor(CellId),
    /// An interior cell.
    Interior(CellId),
}

/// The opening that a [`View`] looks through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Via {
    /// The whole picture: the viewer's own cell, or the outdoors around it.
    Screen,
    /// A portal of a cell, by its place in the cell's list.
    Cell {
        /// Owner of the portal.
        cell: CellId,
        /// Index in its list.
        portal: u16,
    },
    /// An opening of a building's shell.
    Building {
        /// Index in [`FramePlan::buildings`].
        building: u32,
        /// Index in the building's portal list.
        portal: u16,
    },
}

/// A region of the screen in which something is visible: a convex polygon, counter-clockwise as seen.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct View {
    /// Its corners in [`FramePlan::points`].
    pub points: Span,
    /// The region it was cut from; `None` for the whole picture.
    pub parent: Option<u32>,
    /// The opening it belongs to.
    pub via: Via,
}

/// Which traversal found a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FloodSource {
    /// From the viewer's own cell.
    Viewer,
    /// From outdoors through an opening of a building.
    Building {
        /// Index in [`FramePlan::buildings`].
        building: u32,
        /// Index in the building's portal list.
        portal: u16,
    },
}

/// One traversal of interior cells.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeenFlood {
    /// Where it came from.
    pub source: FloodSource,
    /// The cell it started in.
    pub root: CellId,
    /// The cells it reached, in [`FramePlan::cells`]: a cell precedes those seen through it.
    pub cells: Span,
}

/// An interior cell that a traversal reached.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeenCell {
    /// The cell.
    pub id: CellId,
    /// Distance of the farthest corner of the openings it is entered by; 0 for the first cell of a traversal.
    pub distance: f32,
    /// Regions in which it is visible: a run of [`FramePlan::view_refs`].
    pub views: Span,
}

/// A building in the landscape part of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SeenBuilding {
    /// The land cell that owns it.
    pub cell: CellId,
    /// Index in its block's building list.
    pub index: u16,
    /// Model named by its record.
    pub model: DatId,
    /// The mesh that was selected for the shell.
    pub mesh: DatId,
}

/// The polygon of an opening as a [`Step::Punch`] or [`Step::Seal`] draws it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Aperture {
    /// The opening.
    pub via: Via,
    /// The region it is clipped to, in [`FramePlan::views`].
    pub view: u32,
    /// The whole polygon in world coordinates, in [`FramePlan::corners`].
    pub polygon: Span,
    /// The part of it within the region, as homogeneous pixels, in [`FramePlan::clipped`]. The eye may be nearer
    /// than the near plane: depths below 0 occur and mean 0.
    pub clipped: Span,
}

/// A part of an object that is to be drawn, whole.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Part {
    /// The caller's number of the object.
    pub object: u32,
    /// Number of the part in the object.
    pub part: u16,
    /// It lies wholly inside one of the regions.
    pub inside: bool,
    /// Distance it was sorted by.
    pub distance: f32,
    /// The regions of its cell that accept it: a run of [`FramePlan::view_refs`].
    pub views: Span,
}

/// Which lights apply to the following steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LightSet {
    /// Sun and sky.
    Sun,
    /// The lights of interior cells.
    Cells,
}

/// One operation of a plan. Steps are strictly ordered; a renderer may batch, but must not move anything across a punch, seal,
/// depth clear, flush or shell. Spec: visibility §12 (grammar).
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(tag = "op", rename_all = "snake_case")]
pub enum Step {
    /// Clear colour, and depth to 1.
    BeginFrame,
    /// Switch the light set.
    Lights {
        /// To this one.
        set: LightSet,
    },
    /// The landscape pass begins; it is drawn once for all these regions.
    Landscape {
        /// A run of [`FramePlan::view_refs`].
        views: Span,
    },
    /// The sky's first part: no depth test, no depth write, no fog.
    Sky,
    /// Triangles of a terrain cell, 1 cm lower than they are.
    Terrain {
        /// Block.
        #[serde(serialize_with = "block_as_text")]
        block: BlockId,
        /// Cells along a side of the block at the resolution to draw: 8, 4, 2 or 1.
        side: u8,
        /// Column × side + row.
        cell: u8,
        /// Bit 0: first triangle, bit 1: second triangle.
        triangles: u8,
    },
    /// A building begins; its shell comes last.
    BuildingBegin {
        /// Index in [`FramePlan::buildings`].
        building: u32,
    },
    /// Write [`PUNCH_DEPTH`] where the opening is: invisible, depth test always, no culling.
    Punch {
        /// Index in [`FramePlan::apertures`].
        aperture: u32,
    },
    /// The cells of a traversal begin.
    FloodBegin {
        /// Index in [`FramePlan::floods`].
        flood: u32,
    },
    /// Mesh of an interior cell, whole.
    Cell {
        /// The cell.
        id: CellId,
        /// A run of [`FramePlan::view_refs`].
        views: Span,
    },
    /// Objects of a cell, already culled, far to near.
    Objects {
        /// The cell, of either kind.
        cell: CellId,
        /// The cell's regions: a run of [`FramePlan::view_refs`].
        views: Span,
        /// A run of [`FramePlan::parts`].
        parts: Span,
    },
    /// The cells of a traversal end.
    FloodEnd,
    /// Mesh of the building's shell.
    BuildingShell {
        /// Index in [`FramePlan::buildings`].
        building: u32,
    },
    /// Draw the deferred transparent lists if one of them is at least this full (0: always), then empty them.
    FlushAlpha {
        /// Part of the lists' capacity.
        threshold: f32,
    },
    /// Bumps the stamp so that parts may be drawn again.
    AdvanceStamp,
    /// Clear depth to 1 over the whole picture, never colour.
    ClearDepth,
    /// Write the opening's own depth where it is: invisible, depth test always, no culling.
    Seal {
        /// Index in [`FramePlan::apertures`].
        aperture: u32,
    },
    /// The sky's second part.
    Weather,
    /// The picture is complete.
    EndFrame,
}

/// The plan of one frame. Spec: visibility §12.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct FramePlan {
    /// The viewer's cell.
    pub root: Root,
    /// The eye and the screen; `None` when there is no viewer cell.
    pub projection: Option<Projection>,
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// Regions in which the landscape is visible: a run of [`FramePlan::view_refs`].
    pub outside: Span,
    /// Traversals; the one from the viewer's cell is the first.
    pub floods: Vec<SeenFlood>,
    /// Cells of all traversals.
    pub cells: Vec<SeenCell>,
    /// Buildings in drawing order.
    pub buildings: Vec<SeenBuilding>,
    /// All regions.
    pub views: Vec<View>,
    /// Lists of regions, as indices into [`FramePlan::views`].
    pub view_refs: Vec<u32>,
    /// Corners of regions in pixels (x right, y down).
    pub points: Vec<Vec2>,
    /// Punched and sealed openings.
    pub apertures: Vec<Aperture>,
    /// Corners of openings in world coordinates.
    pub corners: Vec<Vec3>,
    /// Corners of clipped openings as homogeneous pixels.
    pub clipped: Vec<Vec4>,
    /// Parts of objects.
    pub parts: Vec<Part>,
    /// Interior cells that would have been reached but are not loaded, ascending.
    pub wanted_cells: Vec<CellId>,
    /// Blocks of the landscape window that are in view but not loaded, ascending.
    #[serde(serialize_with = "blocks_as_text")]
    pub wanted_blocks: Vec<BlockId>,
    /// Seals attempted, including those that were clipped away.
    pub seal_count: u32,
    /// A guard against ill-formed portal graphs acted; regions are then larger than they need be, never smaller.
    pub truncated: bool,
}

impl FramePlan {
    /// Whether the landscape is part of the picture.
    pub fn draws_landscape(&self) -> bool {
        !self.outside.is_empty()
    }

    /// The regions of a list such as [`SeenCell::views`].
    pub fn views(&self, list: Span) -> impl ExactSizeIterator<Item = &View> + '_ {
        self.view_refs[list.range()].iter().map(|&i| &self.views[i as usize])
    }

    /// Corners of a region in pixels (x right, y down).
    pub fn pixels(&self, view: &View) -> &[Vec2] {
        &self.points[view.points.range()]
    }

    /// Corners of a region in normalised device coordinates (x right, y up, -1…1).
    pub fn region(&self, view: &View) -> impl ExactSizeIterator<Item = Vec2> + '_ {
        let projection = self.projection.as_ref();
        self.pixels(view).iter().map(move |&p| projection.map_or(p, |projection| projection.to_ndc(p)))
    }

    /// World planes through the eye and the edges of a region, pointing inwards.
    pub fn edge_planes(&self, view: &View) -> impl Iterator<Item = Plane> + '_ {
        let pixels = self.pixels(view);
        self.projection.iter().flat_map(move |projection| edge_planes(projection, pixels))
    }

    /// The cells reached from the viewer's own cell, nearest first; empty when the viewer is outdoors.
    pub fn interior_cells(&self) -> &[SeenCell] {
        match self.floods.first() {
            Some(SeenFlood { source: FloodSource::Viewer, cells, .. }) => &self.cells[cells.range()],
            _ => &[],
        }
    }

    /// Empties the plan and keeps its memory.
    pub fn clear(&mut self) {
        self.root = Root::None;
        self.projection = None;
        self.steps.clear();
        self.outside = Span::default();
        self.floods.clear();
        self.cells.clear();
        self.buildings.clear();
        self.views.clear();
        self.view_refs.clear();
        self.points.clear();
        self.apertures.clear();
        self.corners.clear();
        self.clipped.clear();
        self.parts.clear();
        self.wanted_cells.clear();
        self.wanted_blocks.clear();
        self.seal_count = 0;
        self.truncated = false;
    }
}

/// Planes through the eye and each edge of a polygon in pixels; inside is positive. Spec: visibility §4.
pub(crate) fn edge_planes<'a>(
    projection: &'a Projection,
    pixels: &'a [Vec2],
) -> impl Iterator<Item = Plane> + 'a {
    (0..pixels.len()).map(move |k| {
        let next = pixels[(k + 1) % pixels.len()];
        let cross = projection.ray(next).cross(projection.ray(pixels[k]));
        let degenerate = cross.abs().max_element() < threshold_world::EPSILON;
        let normal = if degenerate { cross } else { cross / cross.length() };
        Plane::through(normal, projection.eye)
    })
}

pub(crate) fn block_as_text<S: Serializer>(block: &BlockId, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(block)
}

fn blocks_as_text<S: Serializer>(blocks: &[BlockId], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(blocks.iter().map(BlockId::to_string))
}
