//! What the inspector shows, as plain data: for the panels, for scripts and for tests.

use crate::{
    session::{Crossing, Session},
    session_view::SessionView,
};
use serde::Serialize;
use threshold_scenario::StepReport;
use threshold_view::Root;
use threshold_world::{CellId, World, cell::PortalTarget, loc::MapCoords};

/// A cell next to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Neighbour {
    /// Index of the opening in the cell's list; `None` for land cells.
    pub portal: Option<u16>,
    /// The cell behind it; `None` is the outdoors.
    pub cell: Option<CellId>,
    /// Whether it is loaded.
    pub loaded: bool,
}

/// A door and how it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DoorReport {
    /// Its name.
    pub name: String,
    /// Whether it is open.
    pub open: bool,
}

/// How everything stands.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Ticks since the beginning.
    pub tick: u64,
    /// Time stands still.
    pub paused: bool,
    /// Where the player is, in `/loc` notation.
    pub loc: String,
    /// The same in map coordinates, outdoors.
    pub map: Option<String>,
    /// Its cell.
    pub cell: CellId,
    /// Cells next to it.
    pub neighbours: Vec<Neighbour>,
    /// What `walk` prints for the last tick: sweep, contact, hits.
    pub last: StepReport,
    /// Names of what was touched.
    pub touched: Vec<String>,
    /// The eye, in `/loc` notation.
    pub eye: Option<String>,
    /// The cell it is in: the root of visibility.
    pub viewer_cell: Option<CellId>,
    /// Interior cells in the last plan, ascending.
    pub visible_cells: Vec<CellId>,
    /// The landscape is in the last plan.
    pub landscape: bool,
    /// All doors.
    pub doors: Vec<DoorReport>,
    /// What is loading.
    pub loading: Option<String>,
    /// One number for the state of everything that moves.
    pub hash: String,
    /// Changes of the player's cell.
    pub crossings: Vec<Crossing>,
}

impl Report {
    /// How a session stands, and what its last plan shows.
    pub fn new(session: &Session, view: &SessionView) -> Report {
        let position = session.position();
        let plan = view.plan();
        let mut visible_cells: Vec<CellId> = plan.cells.iter().map(|cell| cell.id).collect();
        visible_cells.sort_unstable();
        visible_cells.dedup();
        let door = |door: &threshold_sim::Door| DoorReport { name: session.name(door.key), open: door.open };
        Report {
            tick: session.ticks(),
            paused: session.is_paused(),
            loc: position.to_string(),
            map: MapCoords::of(position.cell).map(|coords| coords.to_string()),
            cell: position.cell,
            neighbours: neighbours(session.world(), position.cell),
            last: session.last().clone(),
            touched: session.touched().iter().map(|&key| session.name(key)).collect(),
            eye: session.eye().position().map(ToString::to_string),
            viewer_cell: match plan.root {
                Root::None => None,
                Root::Outdoor(cell) | Root::Interior(cell) => Some(cell),
            },
            visible_cells,
            landscape: plan.draws_landscape(),
            doors: session.sim().doors().map(door).collect(),
            loading: session.loading(),
            hash: format!("{:016x}", session.sim().state_hash()),
            crossings: session.journal().crossings().copied().collect(),
        }
    }
}

/// Cells that can be reached from a cell without passing another one: through its openings, or over its edges.
pub fn neighbours(world: &World, cell: CellId) -> Vec<Neighbour> {
    if let Some(room) = world.env_cell(cell) {
        let behind = room.portals.iter().enumerate().map(|(portal, opening)| {
            let (cell, loaded) = match opening.target {
                PortalTarget::Cell(id) => (Some(id), world.env_cell(id).is_some()),
                PortalTarget::Outside => (None, true),
            };
            Neighbour { portal: Some(portal as u16), cell, loaded }
        });
        return behind.collect();
    }
    let Some(land) = world.land_cell(cell) else { return Vec::new() };
    let entrances = land.building().into_iter().flat_map(|building| building.portals.iter()).enumerate();
    let entrances = entrances.map(|(portal, opening)| Neighbour {
        portal: Some(portal as u16),
        cell: Some(opening.cell),
        loaded: world.env_cell(opening.cell).is_some(),
    });
    let around = threshold_world::coords::LandCoord::of_cell(cell).into_iter().flat_map(|at| {
        let steps = [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];
        steps
            .into_iter()
            .filter_map(move |(x, y)| threshold_world::coords::LandCoord { x: at.x + x, y: at.y + y }.cell())
    });
    let around =
        around.map(|id| Neighbour { portal: None, cell: Some(id), loaded: world.land_cell(id).is_some() });
    entrances.chain(around).collect()
}
