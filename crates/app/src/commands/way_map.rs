//! Maps with ways on them: a panel for every floor, side by side.

use anyhow::Result;
use glam::Vec2;
use std::sync::Arc;
use threshold_render::map::{Blocks, Canvas, Color, Map, Rectangle, block_origin};
use threshold_world::{Library, Position, block_ids, coords::BLOCK_SIDE, load_block};

const WAY: Color = [0.85, 0.10, 0.15];
const OTHER_FLOOR: Color = [0.45, 0.30, 0.35];
const START: Color = [0.10, 0.55, 0.95];
const GOAL: Color = [0.95, 0.75, 0.05];
/// Metres around a way.
const MARGIN: f32 = 12.0;
/// A floor this much above or below another is drawn by itself, in metres.
const STOREY: f32 = 2.0;
/// How far above a floor its walls are cut, in metres.
const CUT: f32 = 1.5;
/// Most panels of a picture.
const MAX_PANELS: usize = 6;
/// Pixels along the longer side of a panel.
const PIXELS: f32 = 900.0;
/// Most pixels per metre.
const MAX_SCALE: f32 = 24.0;

/// A floor: everything above `cut` is left out, and what lies between the heights is drawn in full colour.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Panel {
    low: f32,
    high: f32,
    cut: f32,
}

impl Panel {
    /// All floors at once.
    pub(crate) const ALL: Panel = Panel { low: f32::NEG_INFINITY, high: f32::INFINITY, cut: f32::INFINITY };

    pub(crate) fn holds(&self, height: f32) -> bool {
        (self.low..=self.high).contains(&height)
    }
}

/// The part of the map that a picture shows.
pub(crate) struct WayMap {
    rectangle: Rectangle,
}

impl WayMap {
    pub(crate) fn around<'a>(places: impl IntoIterator<Item = &'a Position>) -> WayMap {
        let (mut min, mut max) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for place in places {
            (min, max) = (min.min(on_map(place)), max.max(on_map(place)));
        }
        WayMap { rectangle: Rectangle { min: min - MARGIN, max: max + MARGIN } }
    }

    /// The floors that a way passes indoors, lowest first; one panel for a way that stays outdoors.
    pub(crate) fn floors(&self, waypoints: &[Position]) -> Vec<Panel> {
        let inside = waypoints.iter().filter(|place| place.cell.is_interior());
        let mut heights: Vec<f32> = inside.map(|place| place.frame.origin.z).collect();
        heights.sort_by(f32::total_cmp);
        heights.dedup_by(|next, height| *next - *height < STOREY);
        if heights.len() < 2 {
            return vec![Panel::ALL];
        }
        heights.truncate(MAX_PANELS);
        let panel = |k: usize| {
            let low = if k == 0 { f32::NEG_INFINITY } else { heights[k] - 0.5 };
            let high = heights.get(k + 1).map_or(f32::INFINITY, |next| next - 0.5);
            Panel { low, high, cut: heights[k] + CUT }
        };
        (0..heights.len()).map(panel).collect()
    }

    /// Draws all panels and what `marks` adds to each.
    pub(crate) fn draw(
        &self,
        library: &Arc<Library>,
        panels: Vec<Panel>,
        marks: impl Fn(&mut Canvas, &Panel, f32),
    ) -> Result<Canvas> {
        let Rectangle { min, max } = self.rectangle;
        let size = max - min;
        let near = |id: &threshold_world::BlockId| {
            let low = block_origin(*id);
            (low + BLOCK_SIDE).cmpge(min).all() && low.cmple(max).all()
        };
        let ids = block_ids(&**library.source())?.0.into_iter().filter(near);
        let blocks: Blocks = ids.map(|id| Ok((id, load_block(library, id)?))).collect::<Result<_>>()?;
        let scale = (PIXELS / size.max_element()).min(MAX_SCALE);
        let mut picture: Option<Canvas> = None;
        for panel in panels {
            let map = Map { rectangle: self.rectangle, scale, cut: panel.cut, smooth: true, grid: true };
            let canvas = map.draw(&blocks, |canvas, pixel| marks(canvas, &panel, pixel));
            picture = Some(match picture {
                Some(picture) => picture.beside(&canvas),
                None => canvas,
            });
        }
        Ok(picture.unwrap_or_else(|| Canvas::new(min, max, scale, [0.0; 3])))
    }

    /// A route: bold on the floor of the panel, thin elsewhere; a blue start and a yellow end.
    pub(crate) fn way(&self, canvas: &mut Canvas, panel: &Panel, pixel: f32, waypoints: &[Position]) {
        for pair in waypoints.windows(2) {
            let is_here = pair.iter().any(|place| panel.holds(place.frame.origin.z));
            let (width, color, alpha) = if is_here { (4.0, WAY, 1.0) } else { (2.0, OTHER_FLOOR, 0.5) };
            canvas.line(on_map(&pair[0]), on_map(&pair[1]), width * pixel, color, alpha);
        }
        for place in waypoints.iter().filter(|place| panel.holds(place.frame.origin.z)) {
            canvas.disc(on_map(place), 0.0, 3.5 * pixel, WAY, 1.0);
        }
        if let [start, rest @ ..] = waypoints {
            disc(canvas, panel, pixel, start, START);
            if let Some(end) = rest.last() {
                disc(canvas, panel, pixel, end, GOAL);
            }
        }
    }

    /// Where the reachable region ends, in red, and the goal behind the gap, in yellow.
    pub(crate) fn gap(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        pixel: f32,
        nearest: &Position,
        goal: &Position,
    ) {
        canvas.line(on_map(nearest), on_map(goal), 2.0 * pixel, OTHER_FLOOR, 0.8);
        disc(canvas, panel, pixel, nearest, WAY);
        disc(canvas, panel, pixel, goal, GOAL);
    }
}

/// A place on the floor of the panel.
fn disc(canvas: &mut Canvas, panel: &Panel, pixel: f32, place: &Position, color: Color) {
    if panel.holds(place.frame.origin.z) {
        canvas.disc(on_map(place), 0.0, 7.0 * pixel, [0.0; 3], 1.0);
        canvas.disc(on_map(place), 0.0, 5.5 * pixel, color, 1.0);
    }
}

/// A place in metres from the map's south-west corner.
pub(crate) fn on_map(place: &Position) -> Vec2 {
    block_origin(place.cell.block()) + place.frame.origin.truncate()
}
