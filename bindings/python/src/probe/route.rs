//! Finding a way.

use super::walk::Body;
use crate::{
    error::Fault,
    position::{PlaceArg, Position},
    world::World,
};
use pyo3::prelude::*;
use threshold_sim::{
    PathRequest,
    nav::{self, DoorPolicy, Policy, Unreachable},
};
use threshold_world::Position as Place;

/// A route, or how near to the goal one can get.
#[pyclass(frozen, get_all, module = "threshold")]
pub(crate) struct Route {
    /// Why there is no route; `None` if there is one.
    why: Option<String>,
    /// Whether a body has walked every leg of it.
    proved: bool,
    /// Length in metres, seen from above.
    length: f32,
    /// Where its legs end, the start first and the goal last.
    waypoints: Vec<Position>,
    /// Game ids of the closed doors on the route, in order.
    doors: Vec<u32>,
    /// Cells that it passes through, in order.
    cells: Vec<u32>,
    /// Portals that it takes, in order: the game id, and the number of the waypoint that lies in the portal.
    portals: Vec<(u32, u32)>,
    /// The place nearest to the goal that can be reached.
    nearest: Position,
    /// Metres from there to the goal, seen from above.
    gap: f32,
}

impl Route {
    fn new(found: Result<nav::Route, Unreachable>, goal: Place) -> Route {
        let none = Route {
            why: None,
            proved: false,
            length: 0.0,
            waypoints: Vec::new(),
            doors: Vec::new(),
            cells: Vec::new(),
            portals: Vec::new(),
            nearest: Position(goal),
            gap: 0.0,
        };
        match found {
            Ok(route) => Route {
                proved: route.proved,
                length: route.length,
                waypoints: route.waypoints.into_iter().map(Position).collect(),
                doors: route.doors,
                cells: route.cells.iter().map(|cell| cell.0).collect(),
                portals: route.passages.iter().map(|passage| (passage.portal, passage.waypoint)).collect(),
                ..none
            },
            Err(end) => {
                Route { why: Some(end.why.to_string()), nearest: Position(end.nearest), gap: end.gap, ..none }
            }
        }
    }
}

#[pymethods]
impl Route {
    /// Whether there is a route.
    #[getter]
    fn reachable(&self) -> bool {
        self.why.is_none()
    }

    fn __repr__(&self) -> String {
        match &self.why {
            None => {
                format!("<threshold.Route of {:.1} m, {} legs>", self.length, self.waypoints.len().max(1) - 1)
            }
            Some(why) => format!("<threshold.Route: {why}>"),
        }
    }
}

#[pymethods]
impl World {
    /// Finds the shortest way that a body has walked, or says where what it can reach ends.
    #[pyo3(signature = (begin, end, body = None, *, opens_doors = true, max_drop = 6.0, wades = true, takes_portals = false, prove = true))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn find_path(
        &self,
        py: Python<'_>,
        begin: PlaceArg,
        end: PlaceArg,
        body: Option<Body>,
        opens_doors: bool,
        max_drop: f32,
        wades: bool,
        takes_portals: bool,
        prove: bool,
    ) -> PyResult<Route> {
        if max_drop.is_nan() || max_drop < 0.0 {
            return Err(Fault::argument("the deepest fall is NaN, infinite or out of range").into());
        }
        let doors = if opens_doors { DoorPolicy::Opens } else { DoorPolicy::LeavesShut };
        let policy =
            Policy::default().doors(doors).max_drop(max_drop).wades(wades).takes_portals(takes_portals);
        self.shared.run(py, |world| {
            let (from, to) = (begin.resolve(&world.sim)?, end.resolve(&world.sim)?);
            let request = PathRequest { walker: super::walk::body(body), from, to, policy: &policy, prove };
            Ok(Route::new(world.sim.find_path(&request)?, to))
        })
    }
}
