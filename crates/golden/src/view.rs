//! The rules by which a frame plan shows what rays met.

use serde_json::{Map, Value};

/// A pixel and a half of a picture that is 1280 pixels wide: regions are cut at pixels.
const MARGIN: f64 = 3.0 / 1280.0;

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ViewDifference {
    /// The part of the plan: `cells`, `landscape`, `buildings`.
    pub field: &'static str,
    /// What the plan says.
    pub found: String,
    /// What the rays say.
    pub expected: String,
}

/// The first disagreement of a plan, as `threshold view --json` prints it, with the rays of a recorded view: a cell, or the
/// outdoors, that a ray met where no region of the plan shows it; or a cell that no ray met and that the original would not
/// have listed either.
pub fn view_difference(plan: &Value, view: &Value) -> Option<ViewDifference> {
    let own = regions_by_cell(plan["cells"].as_array());
    let buildings = plan["buildings"].as_array().into_iter().flatten();
    let inside = buildings.flat_map(|building| building["interior_cells"].as_array().into_iter().flatten());
    let inside: Vec<(String, &Value)> = inside.filter_map(cell_and_regions).collect();
    shows("cells", &own, view["cells"].as_object())
        .or_else(|| {
            let regions = plan["landscape"]["regions"].as_array().into_iter().flatten().collect::<Vec<_>>();
            let hidden = points(&view["outdoors"]).find(|&point| !any_contains(&regions, point))?;
            Some(missing("landscape", "the outdoors", !regions.is_empty(), hidden))
        })
        .or_else(|| shows("buildings", &inside, view["building_cells"].as_object()))
        .or_else(|| excess("cells", &own, view, "cells"))
        .or_else(|| excess("buildings", &inside, view, "building_cells"))
}

fn cell_and_regions(cell: &Value) -> Option<(String, &Value)> {
    Some((cell["id"].as_str()?.to_uppercase(), &cell["regions"]))
}

fn regions_by_cell(cells: Option<&Vec<Value>>) -> Vec<(String, &Value)> {
    cells.into_iter().flatten().filter_map(cell_and_regions).collect()
}

/// Every point at which a ray met a cell lies in a region of that cell.
fn shows(
    field: &'static str,
    planned: &[(String, &Value)],
    met: Option<&Map<String, Value>>,
) -> Option<ViewDifference> {
    for (id, at) in met.into_iter().flatten() {
        let key = id.to_uppercase();
        let mine = planned.iter().filter(|(planned, _)| *planned == key);
        let regions: Vec<&Value> =
            mine.flat_map(|(_, regions)| regions.as_array().into_iter().flatten()).collect();
        if let Some(point) = points(at).find(|&point| !any_contains(&regions, point)) {
            return Some(missing(field, &format!("cell {id}"), !regions.is_empty(), point));
        }
    }
    None
}

fn missing(field: &'static str, what: &str, is_planned: bool, (x, y): (f64, f64)) -> ViewDifference {
    let found = if is_planned { "no region there".to_owned() } else { "not in the plan".to_owned() };
    ViewDifference { field, found, expected: format!("{what} at {x}, {y}") }
}

/// A plan may list what a ray met, and what the original lists although no ray meets it.
fn excess(
    field: &'static str,
    planned: &[(String, &Value)],
    view: &Value,
    met: &str,
) -> Option<ViewDifference> {
    let is_met =
        |id: &str| view[met].as_object().is_some_and(|met| met.keys().any(|key| key.to_uppercase() == id));
    let may = |id: &str| {
        let mut listed = view["may"].as_array().into_iter().flatten().filter_map(Value::as_str);
        listed.any(|cell| cell.to_uppercase() == id)
    };
    let (id, _) = planned.iter().find(|(id, _)| !is_met(id) && !may(id))?;
    let id = id.replacen("0X", "0x", 1);
    Some(ViewDifference { field, found: format!("cell {id}"), expected: "no ray meets it".to_owned() })
}

fn points(list: &Value) -> impl Iterator<Item = (f64, f64)> {
    list.as_array().into_iter().flatten().filter_map(|point| Some((point[0].as_f64()?, point[1].as_f64()?)))
}

fn any_contains(regions: &[&Value], point: (f64, f64)) -> bool {
    regions.iter().any(|region| contains(&points(region).collect::<Vec<_>>(), point))
}

/// Whether a point lies in a convex polygon of either winding, grown by the margin.
fn contains(corners: &[(f64, f64)], (x, y): (f64, f64)) -> bool {
    let sides = corners.iter().zip(corners.iter().cycle().skip(1)).map(|(a, b)| {
        let (dx, dy) = (b.0 - a.0, b.1 - a.1);
        (dx * (y - a.1) - dy * (x - a.0), MARGIN * dx.hypot(dy))
    });
    let sides: Vec<(f64, f64)> = sides.collect();
    corners.len() > 2
        && (sides.iter().all(|(side, margin)| *side >= -margin)
            || sides.iter().all(|(side, margin)| *side <= *margin))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const LEFT: [[f64; 2]; 4] = [[-1.0, -1.0], [0.0, -1.0], [0.0, 1.0], [-1.0, 1.0]];

    fn fault(plan: &Value, view: &Value) -> Option<(&'static str, String, String)> {
        view_difference(plan, view).map(|d| (d.field, d.found, d.expected))
    }

    #[test]
    fn a_plan_shows_what_rays_met_and_little_else() {
        let view = json!({
            "cells": {"0xA9B40100": [[-0.5, 0.0], [0.001, 0.5]]},
            "outdoors": [[0.5, 0.5]],
            "building_cells": {"0xA9B40105": [[0.6, 0.6]]},
            "may": ["0xA9B40101"],
        });
        let right: Vec<[f64; 2]> = LEFT.iter().rev().map(|[x, y]| [-x, *y]).collect();
        let plan = json!({
            "cells": [{"id": "0xa9b40100", "regions": [LEFT]}, {"id": "0xA9B40101", "regions": [LEFT]}],
            "landscape": {"drawn": true, "regions": [right]},
            "buildings": [{"interior_cells": [{"id": "0xA9B40105", "regions": [right]}]}],
        });
        assert_eq!(fault(&plan, &view), None);
        let edited = |pointer: &str, value: Value| {
            let mut plan = plan.clone();
            *plan.pointer_mut(pointer).unwrap() = value;
            fault(&plan, &view)
        };
        let words = |field, found: &str, expected: &str| Some((field, found.to_owned(), expected.to_owned()));
        assert_eq!(
            edited("/cells/0/regions", json!([right])),
            words("cells", "no region there", "cell 0xA9B40100 at -0.5, 0")
        );
        assert_eq!(
            edited("/cells/0/id", json!("0xA9B40101")),
            words("cells", "not in the plan", "cell 0xA9B40100 at -0.5, 0")
        );
        assert_eq!(
            edited("/landscape/regions", json!([])),
            words("landscape", "not in the plan", "the outdoors at 0.5, 0.5")
        );
        assert_eq!(
            edited("/buildings", json!([])),
            words("buildings", "not in the plan", "cell 0xA9B40105 at 0.6, 0.6")
        );
        assert_eq!(
            edited("/cells/1/id", json!("0xA9B40102")),
            words("cells", "cell 0xA9B40102", "no ray meets it")
        );
        assert!(fault(&json!(null), &view).is_some());
    }
}
