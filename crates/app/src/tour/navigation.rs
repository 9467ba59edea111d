//! The way from one place to another through the doorways of rooms.

use glam::Vec3;
use std::collections::BTreeMap;
use threshold_world::{
    BlockId, CellId, Frame, Position, World,
    cell::{CellPortal, EnvCell, PortalTarget},
};

/// Lowest opening a person walks through.
const MIN_HEIGHT: f32 = 1.5;
/// Highest sill over one of the floors it joins.
const MAX_SILL: f32 = 0.7;
/// How far before and behind a doorway the way is made to pass through its middle.
const APPROACH: f32 = 0.6;

/// An opening that one can walk through.
struct Opening {
    /// The cell it belongs to.
    cell: CellId,
    target: PortalTarget,
    /// Middle of its sill.
    middle: Position,
    /// Horizontal direction out of the cell.
    outward: Vec3,
}

/// Places to walk to in turn, the last of them `to`. Straight where no way through rooms is known.
pub(super) fn path(world: &World, from: &Position, to: &Position) -> Vec<Position> {
    let is_same = from.cell == to.cell || (from.cell.is_outdoor() && to.cell.is_outdoor());
    if is_same {
        return vec![*to];
    }
    let blocks = [from.cell.block(), to.cell.block()];
    let mut openings: Vec<Opening> = blocks[..if blocks[0] == blocks[1] { 1 } else { 2 }]
        .iter()
        .flat_map(|&block| openings_of(world, block))
        .collect();
    openings.sort_by_key(|opening| opening.cell);
    let route = cheapest(&openings, from, to).unwrap_or_default();
    let beside = |(index, inward): (usize, bool), reach: f32| {
        let opening = &openings[index];
        let mut position = opening.middle;
        position.frame.origin += opening.outward * if inward { -reach } else { reach };
        position
    };
    // Through the middle of every doorway, and straight through the first and the last.
    let mut path: Vec<Position> = route.first().map(|&first| beside(first, -APPROACH)).into_iter().collect();
    path.extend(route.iter().map(|&step| beside(step, 0.0)));
    path.extend(route.last().map(|&last| beside(last, APPROACH)));
    path.push(*to);
    path
}

fn openings_of(world: &World, block: BlockId) -> Vec<Opening> {
    let Some(data) = world.block_data(block) else { return Vec::new() };
    let cells = data.env_cells.iter().flatten();
    cells
        .flat_map(|cell| cell.portals.iter().filter_map(move |portal| opening(world, cell, portal)))
        .collect()
}

fn opening(world: &World, cell: &EnvCell, portal: &CellPortal) -> Option<Opening> {
    let polygons = &cell.structure.portal_polygons;
    let polygon = polygons.polygons().get(usize::from(portal.polygon))?;
    let frame = &cell.position.frame;
    let corners: Vec<Vec3> = polygons.vertices(polygon).map(|v| frame.apply(v)).collect();
    let (low, high) = corners
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), v| (low.min(v.z), high.max(v.z)));
    let mut middle = corners.iter().sum::<Vec3>() / corners.len() as f32;
    middle.z = low;
    let normal =
        frame.rotate(if portal.neighbour_is_positive { portal.plane.normal } else { -portal.plane.normal });
    let neighbour = match portal.target {
        PortalTarget::Cell(id) => Some(world.env_cell(id)?),
        PortalTarget::Outside => None,
    };
    let sill =
        std::iter::once(cell).chain(neighbour).map(|cell| low - floor_of(cell)).fold(f32::INFINITY, f32::min);
    // Windows are too high or too low, and stairs through hatches need a guide who knows them.
    if normal.z.abs() > 0.5 || high - low < MIN_HEIGHT || sill > MAX_SILL {
        return None;
    }
    Some(Opening {
        cell: cell.id(),
        target: portal.target,
        middle: Position::new(cell.id(), Frame::at(middle)),
        outward: Vec3::new(normal.x, normal.y, 0.0).normalize_or_zero(),
    })
}

fn floor_of(cell: &EnvCell) -> f32 {
    let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
    bounds.min.z
}

/// Where one is between two openings; all outdoors is one place.
fn room(cell: CellId) -> CellId {
    if cell.is_outdoor() { CellId::NONE } else { cell }
}

fn beyond(opening: &Opening) -> CellId {
    match opening.target {
        PortalTarget::Cell(id) => id,
        PortalTarget::Outside => CellId::NONE,
    }
}

/// Dijkstra over (opening, direction): the openings of the shortest way and whether each is entered from beyond.
fn cheapest(openings: &[Opening], from: &Position, to: &Position) -> Option<Vec<(usize, bool)>> {
    type State = (usize, bool);
    let goal = room(to.cell);
    let mut reached: BTreeMap<State, (f32, Option<State>)> = BTreeMap::new();
    let mut open: Vec<(f32, State)> = Vec::new();
    let sides = |i: usize| [(i, false), (i, true)];
    let entry = |(i, inward): State| if inward { beyond(&openings[i]) } else { openings[i].cell };
    let exit = |(i, inward): State| if inward { openings[i].cell } else { beyond(&openings[i]) };
    let relax = |reached: &mut BTreeMap<State, (f32, Option<State>)>,
                 open: &mut Vec<(f32, State)>,
                 at: &Position,
                 place: CellId,
                 so_far: f32,
                 via: Option<State>| {
        for state in (0..openings.len()).flat_map(sides).filter(|&state| entry(state) == place) {
            let opening = &openings[state.0];
            let cost = so_far + at.distance_to(&opening.middle);
            if reached.get(&state).is_none_or(|&(known, _)| cost < known) {
                reached.insert(state, (cost, via));
                open.push((cost, state));
            }
        }
    };
    relax(&mut reached, &mut open, from, room(from.cell), 0.0, None);
    let mut best: Option<(f32, State)> = None;
    while let Some(next) = (0..open.len()).min_by(|&a, &b| open[a].0.total_cmp(&open[b].0)) {
        let (cost, state) = open.swap_remove(next);
        if best.is_some_and(|(known, _)| known <= cost) {
            break;
        }
        let middle = openings[state.0].middle;
        if exit(state) == goal {
            let total = cost + middle.distance_to(to);
            if best.is_none_or(|(known, _)| total < known) {
                best = Some((total, state));
            }
        }
        relax(&mut reached, &mut open, &middle, exit(state), cost, Some(state));
    }
    let mut route = Vec::new();
    let mut at = best.map(|(_, state)| state);
    while let Some(state) = at {
        route.push(state);
        at = reached.get(&state).and_then(|&(_, via)| via);
    }
    route.reverse();
    (!route.is_empty()).then_some(route)
}
