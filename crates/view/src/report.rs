//! Reports of a plan: JSON for other programs and a human-readable tree.

use crate::{FloodSource, FramePlan, Part, Root, SeenCell, Span, Step, Via, View};
use serde::Serialize;
use std::fmt::{self, Write};
use threshold_dat::DatId;
use threshold_world::{CellId, World};

/// A convex polygon in normalised device coordinates.
pub type Region = Vec<[f32; 2]>;

/// A plan with its regions spelled out, as `threshold view --json` prints it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The root of visibility; `None` when there is no viewer cell.
    pub viewer_cell: Option<CellId>,
    /// The viewer is outdoors.
    pub outside: bool,
    /// The viewer's cell has the flag that the outdoors is visible from it.
    pub seen_outside: bool,
    /// The outdoors.
    pub landscape: Landscape,
    /// Interior cells seen from the viewer's own, nearest first.
    pub cells: Vec<CellReport>,
    /// Buildings of the landscape, in drawing order.
    pub buildings: Vec<BuildingReport>,
    /// The order of drawing.
    pub steps: Vec<StepReport>,
    /// Cells that would be seen if they were loaded.
    pub wanted_cells: Vec<CellId>,
    /// A guard against ill-formed portal graphs acted.
    pub truncated: bool,
}

/// Visible parts of the outdoors.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Landscape {
    /// Whether it is.
    pub drawn: bool,
    /// Through which regions.
    pub regions: Vec<Region>,
}

/// An interior cell and the regions in which it is visible.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellReport {
    /// The cell.
    pub id: CellId,
    /// See [`SeenCell::distance`].
    pub distance: f32,
    /// Through which regions.
    pub regions: Vec<Region>,
}

/// A building and the cells visible through its openings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BuildingReport {
    /// The land cell that owns it.
    pub cell: CellId,
    /// Its model.
    pub model: DatId,
    /// Cells seen through any of its openings, each once.
    pub interior_cells: Vec<CellReport>,
}

/// A step with its references spelled out.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum StepReport {
    /// Neighbouring terrain cells of one block.
    Terrain {
        /// Always "terrain".
        op: &'static str,
        /// The block.
        block: String,
        /// Cells along its side.
        side: u8,
        /// Column × side + row of each.
        cells: Vec<u8>,
    },
    /// A punch or a seal.
    Aperture {
        /// "punch" or "seal".
        op: &'static str,
        /// The opening.
        #[serde(flatten)]
        opening: Option<Opening>,
        /// What is left of it in the region it is clipped to.
        region: Region,
    },
    /// Objects of a cell.
    Objects {
        /// Always "objects".
        op: &'static str,
        /// The cell.
        cell: CellId,
        /// (object, part) far to near.
        parts: Vec<(u32, u16)>,
    },
    /// A cell's own mesh.
    Cell {
        /// Always "cell".
        op: &'static str,
        /// The cell.
        id: CellId,
    },
    /// The cells of a traversal begin.
    Flood {
        /// Always "flood_begin".
        op: &'static str,
        /// The cell it starts in.
        root: CellId,
        /// The opening it looks through; `None` when it starts from the viewer.
        #[serde(flatten)]
        opening: Option<Opening>,
    },
    /// The landscape begins; its regions are in [`Report::landscape`].
    Landscape {
        /// Always "landscape".
        op: &'static str,
    },
    /// Any other step.
    Plain(Step),
}

/// Names an opening.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Opening {
    /// The interior cell it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<CellId>,
    /// The building it belongs to, by its place in the report's list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub building: Option<u32>,
    /// Its number there.
    pub portal: u16,
}

impl Opening {
    /// None for the whole picture.
    fn of(via: Via) -> Option<Opening> {
        match via {
            Via::Screen => None,
            Via::Cell { cell, portal } => Some(Opening { cell: Some(cell), building: None, portal }),
            Via::Building { building, portal } => {
                Some(Opening { cell: None, building: Some(building), portal })
            }
        }
    }
}

impl Report {
    /// Spells out a plan of a world.
    pub fn new(plan: &FramePlan, world: &World) -> Report {
        let viewer_cell = match plan.root {
            Root::None => None,
            Root::Outdoor(cell) | Root::Interior(cell) => Some(cell),
        };
        let outside = matches!(plan.root, Root::Outdoor(_));
        let flagged = |cell: CellId| world.env_cell(cell).is_some_and(|cell| cell.seen_outside);
        Report {
            viewer_cell,
            outside,
            seen_outside: outside || viewer_cell.is_some_and(flagged),
            landscape: Landscape { drawn: plan.draws_landscape(), regions: regions(plan, plan.outside) },
            cells: plan.interior_cells().iter().map(|cell| cell_report(plan, cell)).collect(),
            buildings: (0..plan.buildings.len()).map(|index| building_report(plan, index)).collect(),
            steps: steps(plan),
            wanted_cells: plan.wanted_cells.clone(),
            truncated: plan.truncated,
        }
    }
}

fn region(plan: &FramePlan, view: &View) -> Region {
    plan.region(view).map(|p| [p.x, p.y]).collect()
}

fn regions(plan: &FramePlan, list: Span) -> Vec<Region> {
    plan.views(list).map(|view| region(plan, view)).collect()
}

fn cell_report(plan: &FramePlan, cell: &SeenCell) -> CellReport {
    CellReport { id: cell.id, distance: cell.distance, regions: regions(plan, cell.views) }
}

fn building_report(plan: &FramePlan, index: usize) -> BuildingReport {
    let mut cells: Vec<CellReport> = Vec::new();
    for flood in &plan.floods {
        if !matches!(flood.source, FloodSource::Building { building, .. } if building as usize == index) {
            continue;
        }
        for cell in plan.cells[flood.cells.range()].iter().map(|cell| cell_report(plan, cell)) {
            match cells.iter_mut().find(|known| known.id == cell.id) {
                Some(known) => known.regions.extend(cell.regions),
                None => cells.push(cell),
            }
        }
    }
    let building = &plan.buildings[index];
    BuildingReport { cell: building.cell, model: building.model, interior_cells: cells }
}

fn steps(plan: &FramePlan) -> Vec<StepReport> {
    let mut steps: Vec<StepReport> = Vec::new();
    for step in &plan.steps {
        let report = match *step {
            Step::Terrain { block, side, cell, .. } => {
                let name = block.to_string();
                if let Some(StepReport::Terrain { block, cells, .. }) = steps.last_mut()
                    && *block == name
                {
                    cells.push(cell);
                    continue;
                }
                StepReport::Terrain { op: "terrain", block: name, side, cells: vec![cell] }
            }
            Step::Punch { aperture } => aperture_report(plan, "punch", aperture),
            Step::Seal { aperture } => aperture_report(plan, "seal", aperture),
            Step::Objects { cell, parts, .. } => {
                let name = |part: &Part| (part.object, part.part);
                StepReport::Objects {
                    op: "objects",
                    cell,
                    parts: plan.parts[parts.range()].iter().map(name).collect(),
                }
            }
            Step::Cell { id, .. } => StepReport::Cell { op: "cell", id },
            Step::FloodBegin { flood } => {
                let flood = &plan.floods[flood as usize];
                let opening = match flood.source {
                    FloodSource::Viewer => None,
                    FloodSource::Building { building, portal } => {
                        Opening::of(Via::Building { building, portal })
                    }
                };
                StepReport::Flood { op: "flood_begin", root: flood.root, opening }
            }
            Step::Landscape { .. } => StepReport::Landscape { op: "landscape" },
            plain => StepReport::Plain(plain),
        };
        steps.push(report);
    }
    steps
}

fn aperture_report(plan: &FramePlan, op: &'static str, index: u32) -> StepReport {
    let aperture = &plan.apertures[index as usize];
    let points = &plan.clipped[aperture.clipped.range()];
    let ndc = |projection: crate::Projection| {
        let corner = |p: &glam::Vec4| projection.to_ndc(glam::Vec2::new(p.x, p.y) / p.w).to_array();
        points.iter().map(corner).collect()
    };
    StepReport::Aperture {
        op,
        opening: Opening::of(aperture.via),
        region: plan.projection.map_or_else(Region::new, ndc),
    }
}

/// A plan as a human-readable tree: under each cell, the cells visible through its openings.
pub struct Tree<'a>(pub &'a FramePlan);

/// What a region shows.
#[derive(Clone, Copy)]
enum Shown {
    Nothing,
    Outdoors,
    Cell(CellId),
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = self.0;
        let mut shown = vec![Shown::Nothing; plan.views.len()];
        for &view in &plan.view_refs[plan.outside.range()] {
            shown[view as usize] = Shown::Outdoors;
        }
        for cell in &plan.cells {
            for &view in &plan.view_refs[cell.views.range()] {
                shown[view as usize] = Shown::Cell(cell.id);
            }
        }
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); plan.views.len()];
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (index, view) in plan.views.iter().enumerate().rev() {
            match view.parent {
                Some(parent) => children[parent as usize].push(index),
                None => open.push((index, 0)),
            }
        }
        if plan.root == Root::None {
            writeln!(f, "no viewer cell: nothing is seen")?;
        }
        while let Some((index, depth)) = open.pop() {
            self.line(f, &plan.views[index], shown[index], depth)?;
            open.extend(children[index].iter().map(|&child| (child, depth + 1)));
        }
        self.summary(f)
    }
}

impl Tree<'_> {
    fn line(&self, f: &mut fmt::Formatter<'_>, view: &View, shown: Shown, depth: usize) -> fmt::Result {
        let plan = self.0;
        let mut line = "  ".repeat(depth);
        match view.via {
            Via::Screen => {}
            Via::Cell { portal, .. } => write!(line, "portal {portal} → ")?,
            Via::Building { building, portal } => {
                let model = plan.buildings[building as usize].model;
                write!(line, "building {building} ({model}) opening {portal} → ")?;
            }
        }
        match shown {
            Shown::Nothing => write!(line, "nothing")?,
            Shown::Outdoors => write!(line, "outdoors")?,
            Shown::Cell(cell) => write!(line, "{cell}")?,
        }
        let corners: Vec<glam::Vec2> = plan.region(view).collect();
        let (mut low, mut high) = (glam::Vec2::MAX, glam::Vec2::MIN);
        let mut area = 0.0;
        for (i, p) in corners.iter().enumerate() {
            (low, high) = (low.min(*p), high.max(*p));
            area += p.perp_dot(corners[(i + 1) % corners.len()]) / 2.0;
        }
        // The whole screen has an area of 4.
        let part = area * 25.0;
        writeln!(
            f,
            "{line}  x {:.3}…{:.3} y {:.3}…{:.3}, {part:.2} % of the picture",
            low.x, high.x, low.y, high.y
        )
    }

    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plan = self.0;
        let count = |wanted: fn(&Step) -> bool| plan.steps.iter().filter(|step| wanted(step)).count();
        let interior = plan.interior_cells().len();
        let floods = plan.floods.iter().filter(|flood| flood.source != FloodSource::Viewer).count();
        writeln!(
            f,
            "{interior} cells from within, {floods} looks into {} buildings, landscape {}",
            plan.buildings.len(),
            if plan.draws_landscape() { "drawn" } else { "not drawn" }
        )?;
        writeln!(
            f,
            "{} steps: {} terrain cells, {} punches, {} seals, {} shells, {} parts of objects",
            plan.steps.len(),
            count(|s| matches!(s, Step::Terrain { .. })),
            count(|s| matches!(s, Step::Punch { .. })),
            count(|s| matches!(s, Step::Seal { .. })),
            count(|s| matches!(s, Step::Cell { .. } | Step::BuildingShell { .. })),
            plan.parts.len(),
        )?;
        if !plan.wanted_cells.is_empty() {
            let cells: Vec<String> = plan.wanted_cells.iter().map(CellId::to_string).collect();
            writeln!(f, "not loaded: {}", cells.join(" "))?;
        }
        if !plan.wanted_blocks.is_empty() {
            writeln!(f, "{} blocks in view are not loaded", plan.wanted_blocks.len())?;
        }
        if plan.truncated {
            writeln!(f, "the portal graph is ill-formed: some regions are larger than they need be")?;
        }
        Ok(())
    }
}
