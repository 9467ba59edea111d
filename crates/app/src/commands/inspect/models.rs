//! Shapes: rooms, models and objects made of parts.

use super::sheet::{Sheet, flags, frame, point, sphere};
use threshold_dat::records::{
    BspNode, BspTree, DegradeInfo, Environment, GfxObj, Location, Polygon, PolygonTree, Setup, Vertex,
};

pub(super) fn environment(sheet: &mut Sheet, environment: &Environment) {
    sheet.row("structures", environment.structures.len());
    for (key, structure) in &environment.structures {
        sheet.item(format!(
            "structure {key}: {} vertices within {}",
            structure.vertices.vertices.len(),
            extent(&structure.vertices.vertices)
        ));
        sheet.item(format!("  drawn      {}", polygons(&structure.polygons, structure.drawing_bsp.as_ref())));
        sheet.item(format!(
            "  collision  {}",
            polygons(&structure.physics_polygons, Some(&structure.physics_bsp))
        ));
        sheet.item(format!("  volume     {}", tree(&structure.cell_bsp)));
        let portals: Vec<String> = structure.portals.iter().map(u16::to_string).collect();
        sheet.item(format!("  openings   polygons {}", portals.join(", ")));
    }
}

pub(super) fn gfx_obj(sheet: &mut Sheet, model: &GfxObj) {
    sheet.inline("surfaces", &model.surfaces, ToString::to_string);
    let vertices = &model.vertices.vertices;
    sheet.row("vertices", format!("{} within {}", vertices.len(), extent(vertices)));
    let part = |part: &Option<PolygonTree>| match part {
        Some(part) => polygons(&part.polygons, Some(&part.bsp)),
        None => "nothing".to_owned(),
    };
    sheet.row("drawn", part(&model.drawing));
    sheet.row("collision", part(&model.physics));
    if let Some(drawing) = &model.drawing
        && !drawing.bsp.portals.is_empty()
    {
        sheet.list("openings", &drawing.bsp.portals, |opening| {
            format!("polygon {} is opening {} of its building", opening.polygon, opening.portal)
        });
    }
    sheet.row("sorted by", point(model.sort_center));
    if let Some(degrade) = model.degrade {
        sheet.row("far away", degrade);
    }
}

fn polygons(polygons: &[(u16, Polygon)], bsp: Option<&BspTree>) -> String {
    let tree = bsp.map_or("without a tree".to_owned(), tree);
    format!("{} polygons, {tree}", polygons.len())
}

fn tree(tree: &BspTree) -> String {
    let leaves = tree.nodes.iter().filter(|node| matches!(node, BspNode::Leaf(_))).count();
    format!("tree of {} nodes, {leaves} of them leaves", tree.nodes.len())
}

/// The box around all vertices.
fn extent(vertices: &[(u16, Vertex)]) -> String {
    let corner = |start: f32, pick: fn(f32, f32) -> f32| {
        vertices.iter().fold([start; 3], |best, (_, vertex)| {
            let [a, b, c] = best;
            let [x, y, z] = vertex.origin;
            [pick(a, x), pick(b, y), pick(c, z)]
        })
    };
    if vertices.is_empty() {
        return "nothing".to_owned();
    }
    format!("{} to {}", point(corner(f32::INFINITY, f32::min)), point(corner(f32::NEG_INFINITY, f32::max)))
}

pub(super) fn setup(sheet: &mut Sheet, setup: &Setup) {
    const FLAGS: [(u32, &str); 4] =
        [(1, "parents"), (2, "scales"), (4, "turns freely"), (8, "collides by its parts")];
    sheet.row("flags", flags(setup.flags, &FLAGS));
    let placement = setup.placement();
    sheet.row("parts", setup.parts.len());
    for (index, part) in setup.parts.iter().enumerate() {
        let place = placement.and_then(|placement| placement.parts.get(index));
        sheet.item(format!("{index}: {part} at {}", place.map_or("its origin".to_owned(), frame)));
    }
    sheet.row("height, radius", format!("{:.3}, {:.3}", setup.height, setup.radius));
    sheet.row("steps", format!("{:.3} up, {:.3} down", setup.step_up, setup.step_down));
    sheet.list("cylinders", &setup.cylinders, |cylinder| {
        format!("{} radius {:.3} height {:.3}", point(cylinder.low), cylinder.radius, cylinder.height)
    });
    sheet.list("spheres", &setup.spheres, sphere);
    sheet.row("sorted by", sphere(&setup.sorting_sphere));
    sheet.row("selected by", sphere(&setup.selection_sphere));
    sheet.inline("placements", &setup.placements, |(key, _)| format!("{key:#x}"));
    sheet.list("holds at", &setup.holding_locations, location);
    sheet.list("held at", &setup.connection_points, location);
    sheet.list("lights", &setup.lights, |(key, light)| {
        format!(
            "{key}: {} intensity {} to {} m, at {}",
            light.color,
            light.intensity,
            light.falloff,
            frame(&light.frame)
        )
    });
    let defaults = &setup.defaults;
    sheet.id("animation", defaults.animation);
    sheet.id("script", defaults.script);
    sheet.id("motion table", defaults.motion_table);
    sheet.id("sound table", defaults.sound_table);
    sheet.id("script table", defaults.script_table);
}

fn location((key, location): &(i32, Location)) -> String {
    let names = [
        "right hand",
        "left hand",
        "shield",
        "belt",
        "quiver",
        "heraldry",
        "mouth",
        "left weapon",
        "left unarmed",
    ];
    let name = usize::try_from(key - 1).ok().and_then(|index| names.get(index));
    let name = name.map_or_else(|| format!("{key:#x}"), |name| (*name).to_owned());
    format!("{name}: part {} at {}", location.part, frame(&location.frame))
}

pub(super) fn degrade_info(sheet: &mut Sheet, info: &DegradeInfo) {
    sheet.list("levels", &info.levels, |level| {
        let model = if level.model.0 == 0 { "nothing".to_owned() } else { level.model.to_string() };
        format!("{model} from {} to {} m (mode {})", level.min_distance, level.max_distance, level.mode)
    });
}
