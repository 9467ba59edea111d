//! What a record is in the world: bounds, who leads to a room and sees it, where a building stands, what the lints say.

use super::sheet::{Sheet, point};
use glam::Vec3;
use serde::Serialize;
use threshold_dat::{DatId, Error};
use threshold_world::{
    CellId, Frame, Library,
    cell::PortalTarget,
    check::{Finding, check_block},
    geometry::{Aabb, PolygonSet, polygon_plane},
    landblock::{Building, Landblock},
    load_block,
    loc::MapCoords,
    placed::{ObjectKind, PlacedObject},
    terrain::{FLOOR_Z, WaterClass, cell_index_at},
};

/// How far the origin of a door can be beside its opening, at its hinges, and before it, in metres.
const DOOR_ASIDE: f32 = 1.0;
const DOOR_BEFORE: f32 = 0.75;

/// What is to be told of a cell or block that its record alone does not tell.
#[derive(Serialize)]
#[serde(untagged)]
pub(super) enum Place {
    Room(Room),
    Ground(Ground),
    Buildings(Buildings),
}

/// An interior cell.
#[derive(Serialize)]
pub(super) struct Room {
    /// Lowest and highest corner in block coordinates; `None` when the cell cannot be loaded.
    bounds: Option<[[f32; 3]; 2]>,
    volume_planes: usize,
    neighbours: Vec<Neighbour>,
    /// Openings of buildings that lead here.
    doors: Vec<Door>,
    /// How one comes in.
    entrances: Vec<Entrance>,
    /// Cells that list this one as visible.
    seen_from: Vec<CellId>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct Neighbour {
    portal: usize,
    /// None for the outdoors.
    cell: Option<CellId>,
    loaded: bool,
    leads_back: bool,
}

/// An opening through which one comes into a room.
#[derive(Serialize)]
struct Entrance {
    /// The cell on the other side; none for the outdoors.
    from: Option<CellId>,
    /// The building whose opening it is, from outdoors.
    building: Option<usize>,
    /// Index of the portal on the other side: of that cell, or of the building.
    portal: usize,
    /// Index of the room's own portal; none when there is no way back.
    own_portal: Option<usize>,
    /// The middle of the opening in block coordinates.
    at: Option<[f32; 3]>,
    /// What closes it.
    door: Option<DoorObject>,
}

/// A door that stands in an opening.
#[derive(Clone, Serialize)]
struct DoorObject {
    id: String,
    name: String,
    cell: CellId,
    origin: [f32; 3],
}

#[derive(Serialize)]
struct Door {
    building: usize,
    portal: usize,
}

/// A block, or one of its outdoor cells.
#[derive(Serialize)]
pub(super) struct Ground {
    map: String,
    lowest: f32,
    highest: f32,
    water: &'static str,
    rooms: usize,
    buildings: usize,
    objects: usize,
    cell: Option<OutdoorCell>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct OutdoorCell {
    id: CellId,
    map: String,
    split: &'static str,
    walkable: [bool; 2],
    water: &'static str,
    building: Option<DatId>,
    objects: usize,
}

/// The buildings of a block.
#[derive(Serialize)]
pub(super) struct Buildings {
    buildings: Vec<BuildingPlace>,
    findings: Vec<Finding>,
}

#[derive(Serialize)]
struct BuildingPlace {
    model: DatId,
    cell: CellId,
    /// A building in a cell that has one already, or outside its block, is never drawn nor hit.
    ignored: bool,
    bounds: Option<[[f32; 3]; 2]>,
    shell_openings: usize,
}

/// What can be told of a record of the cell file; `asked` may be an outdoor cell of it.
pub(super) fn place(
    library: &Library,
    asked: DatId,
    record: DatId,
    objects: &[PlacedObject],
) -> Result<Option<Place>, Error> {
    let id = CellId(record.0);
    if !id.block().is_on_map() {
        return Ok(None);
    }
    let block = load_block(library, id.block())?.block;
    let mut findings = check_block(library, id.block())?;
    findings.retain(|finding| finding.id == record);
    Ok(match id.low() {
        0xFFFF => {
            let cell = block.land_cell(asked.0 as u16).map(|_| outdoor_cell(&block, CellId(asked.0)));
            Some(Place::Ground(ground(&block, cell, findings)))
        }
        0xFFFE => Some(Place::Buildings(buildings(&block, findings))),
        _ if id.is_interior() => Some(Place::Room(room(&block, id, objects, findings))),
        _ => None,
    })
}

fn room(block: &Landblock, id: CellId, objects: &[PlacedObject], findings: Vec<Finding>) -> Room {
    let cell = block.env_cell(id.low());
    let portals = cell.map(|cell| &*cell.portals).unwrap_or_default();
    let neighbours = portals.iter().enumerate().map(|(portal, opening)| {
        let (cell, other) = match opening.target {
            PortalTarget::Outside => (None, None),
            PortalTarget::Cell(other) => (Some(other), block.env_cell(other.low())),
        };
        let back = other.and_then(|other| other.portals.get(usize::from(opening.other_portal?)));
        let leads_back = back.is_some_and(|back| back.target == PortalTarget::Cell(id));
        Neighbour {
            portal,
            cell,
            loaded: cell.is_none() || other.is_some(),
            leads_back: cell.is_none() || leads_back,
        }
    });
    let doors = block.buildings.iter().enumerate().flat_map(|(building, of)| {
        let here = of.portals.iter().enumerate().filter(|(_, portal)| portal.cell == id);
        here.map(move |(portal, _)| Door { building, portal })
    });
    let viewers = block.env_cells.iter().flatten().filter(|other| other.id() != id && other.sees(id));
    Room {
        bounds: cell.map(|cell| {
            let bounds = cell.structure.bounds.transformed(|p| cell.position.frame.apply(p));
            [bounds.min.into(), bounds.max.into()]
        }),
        volume_planes: cell.map_or(0, |cell| cell.structure.volume.planes().len()),
        neighbours: neighbours.collect(),
        doors: doors.collect(),
        entrances: entrances(block, id, objects),
        seen_from: viewers.map(|viewer| viewer.id()).collect(),
        findings,
    }
}

/// Openings of other cells and of buildings that lead into a room.
fn entrances(block: &Landblock, id: CellId, objects: &[PlacedObject]) -> Vec<Entrance> {
    let mut entrances = Vec::new();
    let own = block.env_cell(id.low());
    let own_portal = |wanted: Option<u16>, leads: PortalTarget| {
        let portal = usize::from(wanted?);
        own?.portals.get(portal).filter(|back| back.target == leads).map(|_| portal)
    };
    for cell in block.env_cells.iter().flatten() {
        let leading =
            cell.portals.iter().enumerate().filter(|(_, portal)| portal.target == PortalTarget::Cell(id));
        for (portal, opening) in leading {
            let set = &cell.structure.portal_polygons;
            let corners = corners(set, opening.polygon, &cell.position.frame);
            entrances.push(Entrance {
                from: Some(cell.id()),
                building: None,
                portal,
                own_portal: own_portal(opening.other_portal, PortalTarget::Cell(cell.id())),
                at: middle(&corners),
                door: door_in(block, &corners, objects),
            });
        }
    }
    for (index, building) in block.buildings.iter().enumerate() {
        let mesh =
            building.model.as_ref().and_then(|model| model.parts.first()).and_then(|part| part.mesh.as_ref());
        for (portal, opening) in building.portals.iter().enumerate().filter(|(_, portal)| portal.cell == id) {
            let corners = mesh.and_then(|mesh| {
                let mut pairs = mesh.openings.iter().flat_map(|opening| opening.portals.iter());
                let (polygon, _) = pairs.find(|(_, of)| usize::from(*of) == portal)?;
                Some(corners(&mesh.opening_polygons, *polygon, &building.shell.frame))
            });
            let corners = corners.unwrap_or_default();
            entrances.push(Entrance {
                from: None,
                building: Some(index),
                portal,
                own_portal: own_portal(opening.other_portal, PortalTarget::Outside),
                at: middle(&corners),
                door: door_in(block, &corners, objects),
            });
        }
    }
    entrances
}

/// Corners of a polygon in block coordinates; none of one that does not exist.
fn corners(set: &PolygonSet, polygon: u16, frame: &Frame) -> Vec<Vec3> {
    let polygon = set.polygons().get(usize::from(polygon));
    polygon.into_iter().flat_map(|polygon| set.vertices(polygon)).map(|p| frame.apply(p)).collect()
}

fn middle(corners: &[Vec3]) -> Option<[f32; 3]> {
    let bounds = Aabb::around(corners.iter().copied())?;
    Some(((bounds.min + bounds.max) / 2.0).into())
}

/// The door that stands in an opening: the one nearest to its plane.
fn door_in(block: &Landblock, corners: &[Vec3], objects: &[PlacedObject]) -> Option<DoorObject> {
    let plane = polygon_plane(corners)?;
    let bounds = Aabb::around(corners.iter().copied())?;
    let doors =
        objects.iter().filter(|object| object.kind == ObjectKind::Door && object.cell.block() == block.id);
    let away = |door: &PlacedObject| {
        let origin = Vec3::from(door.origin);
        let is_beside =
            origin.cmplt(bounds.min - DOOR_ASIDE).any() || origin.cmpgt(bounds.max + DOOR_ASIDE).any();
        let distance = plane.distance(origin).abs();
        (!is_beside && distance <= DOOR_BEFORE).then_some(distance)
    };
    let near = doors.filter_map(|door| Some((away(door)?, door)));
    let (_, door) = near.min_by(|(a, _), (b, _)| a.total_cmp(b))?;
    Some(DoorObject {
        id: format!("0x{:08X}", door.id),
        name: door.name.clone(),
        cell: door.cell,
        origin: door.origin,
    })
}

fn ground(block: &Landblock, cell: Option<OutdoorCell>, findings: Vec<Finding>) -> Ground {
    let heights = || (0..81).map(|sample| block.terrain.height(sample));
    Ground {
        map: map_text(block.id.cell(0x25)),
        lowest: heights().fold(f32::INFINITY, f32::min),
        highest: heights().fold(f32::NEG_INFINITY, f32::max),
        water: water(block.terrain.block_water),
        rooms: block.env_cells.iter().flatten().count(),
        buildings: block.buildings.len(),
        objects: block.statics.len(),
        cell,
        findings,
    }
}

fn outdoor_cell(block: &Landblock, id: CellId) -> OutdoorCell {
    let index = usize::from(id.low() - 1);
    let terrain = &block.terrain;
    let building = block.land_cell(id.low()).and_then(|cell| cell.building());
    let is_here = |position: Vec3| cell_index_at(position) == Some(index);
    OutdoorCell {
        id,
        map: map_text(id),
        split: if terrain.splits_sw_ne(index) {
            "south-west to north-east"
        } else {
            "south-east to north-west"
        },
        walkable: [0, 1].map(|half| terrain.plane(index, half).normal.z >= FLOOR_Z),
        water: water(terrain.water(index)),
        building: building.map(|building| building.model_id),
        objects: block.statics.iter().filter(|object| is_here(object.frame.origin)).count(),
    }
}

fn map_text(cell: CellId) -> String {
    MapCoords::of(cell).map_or_else(String::new, |coords| coords.to_string())
}

fn water(class: WaterClass) -> &'static str {
    match class {
        WaterClass::Dry => "none",
        WaterClass::Partial => "some",
        WaterClass::Full => "all of it",
    }
}

fn buildings(block: &Landblock, findings: Vec<Finding>) -> Buildings {
    let place = |building: &Building| {
        let cell = building.position.cell;
        let owner = Some(block)
            .filter(|block| block.id == cell.block())
            .and_then(|block| block.land_cell(cell.low()));
        let mesh =
            building.model.as_ref().and_then(|model| model.parts.first()).and_then(|part| part.mesh.as_ref());
        BuildingPlace {
            model: building.model_id,
            cell,
            ignored: !owner
                .and_then(|cell| cell.building())
                .is_some_and(|owner| std::ptr::eq(owner, building)),
            bounds: mesh.map(|mesh| {
                let bounds = mesh.bounds.transformed(|p| building.position.frame.apply(p));
                [bounds.min.into(), bounds.max.into()]
            }),
            shell_openings: mesh
                .map_or(0, |mesh| mesh.openings.iter().map(|opening| opening.portals.len()).sum()),
        }
    };
    Buildings { buildings: block.buildings.iter().map(place).collect(), findings }
}

/// Adds the facts to a summary.
pub(super) fn show(sheet: &mut Sheet, place: &Place) {
    let findings = match place {
        Place::Room(room) => {
            show_room(sheet, room);
            &room.findings
        }
        Place::Ground(ground) => {
            show_ground(sheet, ground);
            &ground.findings
        }
        Place::Buildings(buildings) => {
            for (index, building) in buildings.buildings.iter().enumerate() {
                let ignored = if building.ignored { ", ignored" } else { "" };
                let extent = extent(building.bounds);
                sheet.row(&format!("building {index}"), format!("in {}{ignored}, {extent}", building.cell));
            }
            &buildings.findings
        }
    };
    if !findings.is_empty() {
        sheet.list("findings", findings, |finding| {
            format!("{}: {}; to do: {}", finding.lint, finding.what, finding.advice())
        });
    }
}

fn show_room(sheet: &mut Sheet, room: &Room) {
    sheet.row("extends", format!("{}, {} planes", extent(room.bounds), room.volume_planes));
    sheet.list("neighbours", &room.neighbours, |neighbour| {
        let name = neighbour.cell.map_or("outdoors".to_owned(), |cell| cell.to_string());
        let missing = if neighbour.loaded { "" } else { ", does not exist" };
        let one_way = if neighbour.leads_back { "" } else { ", does not lead back" };
        format!("{}: {name}{missing}{one_way}", neighbour.portal)
    });
    sheet.list("entered", &room.entrances, |entrance| {
        let from = match (entrance.from, entrance.building) {
            (Some(cell), _) => format!("from {cell} by its portal {}", entrance.portal),
            (None, Some(building)) => {
                format!("from outdoors by opening {} of building {building}", entrance.portal)
            }
            (None, None) => "from outdoors".to_owned(),
        };
        let at = entrance.at.map_or(String::new(), |at| format!(" at {}", point(at)));
        let back = match entrance.own_portal {
            Some(portal) => format!(" (portal {portal} here)"),
            None => " (no way back)".to_owned(),
        };
        let door = entrance.door.as_ref();
        let door = door.map_or(String::new(), |door| {
            format!(", {} {} stands at {}", door.name, door.id, point(door.origin))
        });
        format!("{from}{at}{back}{door}")
    });
    if room.entrances.is_empty() {
        sheet.row("to enter it", "set other_cell of a portal of another cell or of a building to this one");
    }
    sheet.inline("seen from", &room.seen_from, |cell| format!("{:04X}", cell.low()));
}

fn show_ground(sheet: &mut Sheet, ground: &Ground) {
    sheet.row("on the map", &ground.map);
    sheet.row("altitude", format!("{:.1} to {:.1} m", ground.lowest, ground.highest));
    sheet.row("water", ground.water);
    sheet.row(
        "holds",
        format!("{} rooms, {} buildings, {} objects", ground.rooms, ground.buildings, ground.objects),
    );
    if let Some(cell) = &ground.cell {
        let slope = match cell.walkable {
            [true, true] => "walkable",
            [false, false] => "too steep",
            _ => "half of it too steep",
        };
        sheet.row("cell", format!("{} at {}: {slope}, water: {}", cell.id, cell.map, cell.water));
        sheet.row("cell split", cell.split);
        sheet.row("cell building", cell.building.map_or("none".to_owned(), |model| model.to_string()));
        sheet.row("cell objects", cell.objects);
    }
}

fn extent(bounds: Option<[[f32; 3]; 2]>) -> String {
    bounds.map_or("unknown".to_owned(), |[low, high]| format!("{} to {}", point(low), point(high)))
}
