//! Frame plans as flat arrays.

use crate::{
    camera::ThCamera,
    fault::ThStatus,
    handles::ThWorld,
    memory::{Out, read},
    types::ThEntity,
    world::{copy_array, with_world},
};
use threshold_sim::{FramePlan, Simulation};
use threshold_view::{FloodSource, LightSet, Root, Span, Step, Via};

/// Means none where 0 means the first.
pub const TH_NONE: u32 = 0xFFFF_FFFF;

/// A point of a picture in pixels: x right, y down.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPoint {
    /// Right.
    pub x: f32,
    /// Down.
    pub y: f32,
}

/// Summary of a plan, and the lengths of its arrays.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPlanInfo {
    /// The cell of the eye; 0 for none, and then nothing of the world is visible.
    pub viewer_cell: u32,
    /// First region in which the outdoors is visible.
    pub first_region: u32,
    /// How many there are; 0 when the outdoors is not visible.
    pub region_count: u32,
    /// Length of the array of `th_plan_cells`.
    pub cells: u32,
    /// Length of the array of `th_plan_regions`.
    pub regions: u32,
    /// Length of the array of `th_plan_points`.
    pub points: u32,
    /// Length of the array of `th_plan_steps`.
    pub steps: u32,
    /// Length of the array of `th_plan_parts`.
    pub parts: u32,
}

/// A visible interior cell. A cell precedes those that are seen through it; one that is visible through
/// several openings of buildings is listed several times.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPlanCell {
    /// The cell.
    pub cell: u32,
    /// Metres to the farthest corner of the openings through which it is visible; 0 for the first one.
    pub distance: f32,
    /// First region in which it is visible.
    pub first_region: u32,
    /// How many there are.
    pub region_count: u32,
    /// The land cell of the building into which the eye looks from outdoors; 0 when the eye itself is inside.
    pub building: u32,
}

/// What a region of the picture belongs to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThOpening {
    /// The whole picture.
    #[default]
    Screen = 0,
    /// A portal of an interior cell.
    Portal = 1,
    /// An opening of a building, seen from outdoors.
    Building = 2,
}

/// A convex region of the picture, counter-clockwise as seen, in which something is visible.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPlanRegion {
    /// Its first corner.
    pub first_point: u32,
    /// How many corners it has.
    pub point_count: u32,
    /// The opening.
    pub opening: ThOpening,
    /// The cell of the portal, or the land cell of the building.
    pub cell: u32,
    /// Number of the opening in the list of the cell or building.
    pub portal: u32,
}

/// Operations of a plan, in drawing order. A renderer may batch, but must not move anything across a punch, seal, depth
/// clear, flush or shell.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ThStepKind {
    /// Clear colour and depth.
    #[default]
    BeginFrame = 0,
    /// Select the lights: `index` is 0 for sun and sky, 1 for the lights of interior cells.
    Lights = 1,
    /// The outdoors begins, visible in the regions.
    Landscape = 2,
    /// The sky, without depth.
    Sky = 3,
    /// Ground of the block of `cell`: `index` cells along a side, `count` is column × side + row.
    Terrain = 4,
    /// Building `index` of the block of land cell `cell` begins.
    BuildingBegin = 5,
    /// Write the greatest depth where the opening is; one region.
    Punch = 6,
    /// The interior cells seen through an opening begin, with `cell`.
    FloodBegin = 7,
    /// The mesh of an interior cell.
    Cell = 8,
    /// Objects of a cell, far to near: `count` parts from `index` on.
    Objects = 9,
    /// The interior cells seen through an opening end.
    FloodEnd = 10,
    /// The shell of building `index` of the block of land cell `cell`.
    BuildingShell = 11,
    /// Draw the deferred transparent parts.
    FlushAlpha = 12,
    /// Parts that were drawn may be drawn again.
    AdvanceStamp = 13,
    /// Clear depth, never colour.
    ClearDepth = 14,
    /// Write the opening's own depth where it is; one region.
    Seal = 15,
    /// Rain and snow.
    Weather = 16,
    /// The picture is complete.
    EndFrame = 17,
}

/// One operation of a plan.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPlanStep {
    /// What to do.
    pub kind: ThStepKind,
    /// With which cell; 0 for none.
    pub cell: u32,
    /// First region in which it is visible.
    pub first_region: u32,
    /// How many there are.
    pub region_count: u32,
    /// Meaning depends on the kind.
    pub index: u32,
    /// Meaning depends on the kind.
    pub count: u32,
}

/// A part of an object that is drawn.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ThPlanPart {
    /// The object.
    pub entity: ThEntity,
    /// Number of the part in its setup.
    pub part: u32,
    /// Sorting distance in metres.
    pub distance: f32,
}

/// The plan that a world made last.
#[derive(Default)]
pub(crate) struct Plan {
    /// Memory that is used again.
    frame: FramePlan,
    info: ThPlanInfo,
    cells: Vec<ThPlanCell>,
    regions: Vec<ThPlanRegion>,
    points: Vec<ThPoint>,
    steps: Vec<ThPlanStep>,
    parts: Vec<ThPlanPart>,
}

impl Plan {
    /// Plans a frame and lays it out in arrays.
    fn make(&mut self, sim: &mut Simulation, viewer: &threshold_view::Viewer) {
        let mut frame = std::mem::take(&mut self.frame);
        sim.plan(viewer, &mut frame);
        self.lay_out(&frame, sim);
        self.frame = frame;
    }

    fn lay_out(&mut self, frame: &FramePlan, sim: &Simulation) {
        let Plan { cells, regions, points, steps, parts, .. } = self;
        cells.clear();
        steps.clear();
        points.clear();
        points.extend(frame.points.iter().map(|p| ThPoint { x: p.x, y: p.y }));
        // Lists of regions name them by number; here each list has its own.
        regions.clear();
        regions.extend(frame.view_refs.iter().map(|&number| {
            let view = &frame.views[number as usize];
            region(frame, view.points, view.via)
        }));
        for flood in &frame.floods {
            let building = match flood.source {
                FloodSource::Viewer => 0,
                FloodSource::Building { building, .. } => frame.buildings[building as usize].cell.0,
            };
            cells.extend(frame.cells[flood.cells.range()].iter().map(|cell| ThPlanCell {
                cell: cell.id.0,
                distance: cell.distance,
                first_region: cell.views.start,
                region_count: cell.views.len,
                building,
            }));
        }
        let mut ids: Vec<(u32, ThEntity)> =
            sim.scene().entities().map(|(key, _)| (key.number(), key.id())).collect();
        ids.sort_unstable();
        let id =
            |number: u32| ids.binary_search_by_key(&number, |&(number, _)| number).map_or(0, |i| ids[i].1);
        parts.clear();
        parts.extend(frame.parts.iter().map(|part| ThPlanPart {
            entity: id(part.object),
            part: part.part.into(),
            distance: part.distance,
        }));
        for found in &frame.steps {
            let mut plain = step(frame, found);
            if let Step::Punch { aperture } | Step::Seal { aperture } = *found {
                let aperture = &frame.apertures[aperture as usize];
                let first = points.len();
                // Corners behind the eye do not occur: the opening was clipped to a region.
                points.extend(
                    frame.clipped[aperture.clipped.range()]
                        .iter()
                        .map(|p| ThPoint { x: p.x / p.w, y: p.y / p.w }),
                );
                (plain.first_region, plain.region_count) = (regions.len() as u32, 1);
                regions.push(region(frame, Span::between(first, points.len()), aperture.via));
            }
            steps.push(plain);
        }
        self.info = ThPlanInfo {
            viewer_cell: match frame.root {
                Root::None => 0,
                Root::Outdoor(cell) | Root::Interior(cell) => cell.0,
            },
            first_region: frame.outside.start,
            region_count: frame.outside.len,
            cells: self.cells.len() as u32,
            regions: self.regions.len() as u32,
            points: self.points.len() as u32,
            steps: self.steps.len() as u32,
            parts: self.parts.len() as u32,
        };
    }
}

fn region(frame: &FramePlan, points: Span, via: Via) -> ThPlanRegion {
    let (opening, cell, portal) = match via {
        Via::Screen => (ThOpening::Screen, 0, TH_NONE),
        Via::Cell { cell, portal } => (ThOpening::Portal, cell.0, portal.into()),
        Via::Building { building, portal } => {
            (ThOpening::Building, frame.buildings[building as usize].cell.0, portal.into())
        }
    };
    ThPlanRegion { first_point: points.start, point_count: points.len, opening, cell, portal }
}

fn step(frame: &FramePlan, step: &Step) -> ThPlanStep {
    let plain = |kind| ThPlanStep { kind, ..ThPlanStep::default() };
    let seen = |kind, cell: u32, views: Span| ThPlanStep {
        cell,
        first_region: views.start,
        region_count: views.len,
        ..plain(kind)
    };
    let building = |kind, building: u32| {
        let found = &frame.buildings[building as usize];
        ThPlanStep { cell: found.cell.0, index: found.index.into(), ..plain(kind) }
    };
    match *step {
        Step::BeginFrame => plain(ThStepKind::BeginFrame),
        Step::Lights { set } => {
            ThPlanStep { index: (set == LightSet::Cells).into(), ..plain(ThStepKind::Lights) }
        }
        Step::Landscape { views } => seen(ThStepKind::Landscape, 0, views),
        Step::Sky => plain(ThStepKind::Sky),
        Step::Terrain { block, side, cell, .. } => ThPlanStep {
            cell: u32::from(block.0) << 16 | 0xFFFF,
            index: side.into(),
            count: cell.into(),
            ..plain(ThStepKind::Terrain)
        },
        Step::BuildingBegin { building: index } => building(ThStepKind::BuildingBegin, index),
        Step::Punch { .. } => plain(ThStepKind::Punch),
        Step::FloodBegin { flood } => {
            ThPlanStep { cell: frame.floods[flood as usize].root.0, ..plain(ThStepKind::FloodBegin) }
        }
        Step::Cell { id, views } => seen(ThStepKind::Cell, id.0, views),
        Step::Objects { cell, views, parts } => {
            ThPlanStep { index: parts.start, count: parts.len, ..seen(ThStepKind::Objects, cell.0, views) }
        }
        Step::FloodEnd => plain(ThStepKind::FloodEnd),
        Step::BuildingShell { building: index } => building(ThStepKind::BuildingShell, index),
        Step::FlushAlpha { .. } => plain(ThStepKind::FlushAlpha),
        Step::AdvanceStamp => plain(ThStepKind::AdvanceStamp),
        Step::ClearDepth => plain(ThStepKind::ClearDepth),
        Step::Seal { .. } => plain(ThStepKind::Seal),
        Step::Weather => plain(ThStepKind::Weather),
        Step::EndFrame => plain(ThStepKind::EndFrame),
    }
}

/// Plans a frame: which cells are visible in which regions of the picture, and in which order everything is drawn. The
/// world keeps the plan until the next one; the functions below copy its arrays out. `info` may not be null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan(
    world: *mut ThWorld,
    camera: *const ThCamera,
    info: *mut ThPlanInfo,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (camera, out) = unsafe { (read(camera, "camera")?, Out::new(info, "info")?) };
        let camera = camera.check(&world.sim)?;
        world.plan.make(&mut world.sim, &camera.viewer);
        out.set(world.plan.info);
        Ok(())
    })
}

/// Visible interior cells of the last plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan_cells(
    world: *mut ThWorld,
    cells: *mut ThPlanCell,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (cells, capacity, count), |world| &world.plan.cells) }
}

/// Regions of the picture, of the last plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan_regions(
    world: *mut ThWorld,
    regions: *mut ThPlanRegion,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (regions, capacity, count), |world| &world.plan.regions) }
}

/// Corners of the regions, of the last plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan_points(
    world: *mut ThWorld,
    points: *mut ThPoint,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (points, capacity, count), |world| &world.plan.points) }
}

/// Drawing steps of the last plan, in order.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan_steps(
    world: *mut ThWorld,
    steps: *mut ThPlanStep,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (steps, capacity, count), |world| &world.plan.steps) }
}

/// Parts of objects that are drawn, of the last plan.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_plan_parts(
    world: *mut ThWorld,
    parts: *mut ThPlanPart,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    // SAFETY: the caller keeps the rules of the header.
    unsafe { copy_array(world, (parts, capacity, count), |world| &world.plan.parts) }
}
