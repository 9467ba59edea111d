//! From a plan to structures and cells.

use super::{
    Plan, RoomId, Sight,
    surface::{room_surface, tiles},
    visible::Visibility,
};
use crate::{
    bsp::{BspError, Drawn, Role, Surface, cell_tree, drawing_tree, physics_tree},
    error::BuildError,
    geom::{Facet, Polygon},
    material::{Materials, Skin},
    mesh::flat_face,
    vertices::{Corner, VertexTable},
};
use glam::DVec3;
use threshold_dat::records::{CellStruct, PortalFlags};

/// Distance between the corners of walls, in metres; see [`tiles`].
const TILE: f64 = 2.5;

/// An opening of a compiled cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledPortal {
    /// Flags as stored.
    pub flags: PortalFlags,
    /// Id of the polygon in the structure.
    pub polygon: u16,
    /// Room behind it and the number of its opening there; `None` for the outdoors.
    pub other: Option<(RoomId, u16)>,
}

/// A room as a cell.
#[derive(Clone, Debug)]
pub struct CompiledCell {
    /// Shape, in the cell's own space.
    pub structure: CellStruct,
    /// Where the cell's own origin lies in the plan.
    pub origin: DVec3,
    /// The materials of the structure's surface numbers.
    pub skins: Vec<Skin>,
    /// Openings in the order of the plan's links.
    pub portals: Vec<CompiledPortal>,
    /// What is visible from it.
    pub sight: Sight,
}

/// An exit of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompiledExit {
    /// The room it belongs to.
    pub room: RoomId,
    /// Number of the opening in that room.
    pub portal: u16,
    /// What is visible through it from outdoors.
    pub sight: Sight,
}

/// All cells of a plan.
#[derive(Clone, Debug)]
pub struct CompiledPlan {
    /// By room.
    pub cells: Vec<CompiledCell>,
    /// In the order the exits were made.
    pub exits: Vec<CompiledExit>,
}

impl Plan {
    /// Compiles every room.
    pub fn compile(&self, materials: &Materials) -> Result<CompiledPlan, BuildError> {
        let visibility = Visibility::new(self);
        let cells: Result<Vec<_>, BuildError> = (0..self.rooms.len())
            .map(|i| {
                let cell = self.compile_room(RoomId(i), materials, visibility.seen_from(RoomId(i)));
                cell.map_err(|error| match error {
                    BuildError::Bsp(error) => BuildError::Part { part: self.rooms[i].name.clone(), error },
                    other => other,
                })
            })
            .collect();
        let exits = self.links.iter().enumerate().filter(|(_, l)| l.other.is_none());
        let exits = exits.map(|(link, l)| CompiledExit {
            room: l.room,
            portal: self.portal_number(l.room, link),
            sight: visibility.through_exit(l.room, link),
        });
        Ok(CompiledPlan { cells: cells?, exits: exits.collect() })
    }

    /// The number of a link among the openings of a room.
    fn portal_number(&self, room: RoomId, link: usize) -> u16 {
        self.links[..link].iter().filter(|l| l.room == room || l.other == Some(room)).count() as u16
    }

    fn compile_room(
        &self,
        id: RoomId,
        materials: &Materials,
        sight: Sight,
    ) -> Result<CompiledCell, BuildError> {
        let room = &self.rooms[id.0];
        let links = self.links.iter().enumerate();
        let openings: Vec<(usize, Polygon, Option<RoomId>)> =
            links.filter_map(|(i, l)| l.seen_from(id).map(|(polygon, other)| (i, polygon, other))).collect();
        let all: Vec<Polygon> = openings.iter().map(|(_, p, _)| p.clone()).collect();
        let ways: Vec<Polygon> =
            openings.iter().filter(|(i, ..)| self.links[*i].passable).map(|(_, p, _)| p.clone()).collect();
        let origin = own_origin(&room.volume.bounds());

        let mut build = Structure::new(origin, materials);
        for facet in room_surface(self, id, &all) {
            build.wall(&facet);
        }
        let first_portal = build.polygons.len() as u16;
        for polygon in &all {
            build.opening(polygon);
        }
        let walls = if ways.len() == all.len() { None } else { Some(room_surface(self, id, &ways)) };
        let walls = walls.unwrap_or_else(|| room_surface(self, id, &all));
        let sides: Vec<Polygon> = room.volume.facets.iter().map(|f| f.polygon.flipped()).collect();
        let (structure, skins) = build.finish(&sides, &walls, &ways, first_portal)?;

        let portal = |(n, (link, _, other)): (u16, &(usize, Polygon, Option<RoomId>))| CompiledPortal {
            flags: PortalFlags(
                PortalFlags::EXACT_MATCH
                    | PortalFlags::POSITIVE_SIDE
                    | if other.is_none() { PortalFlags::EXIT } else { 0 },
            ),
            polygon: first_portal + n,
            other: other.map(|room| (room, self.portal_number(room, *link))),
        };
        let portals = (0u16..).zip(&openings).map(portal).collect();
        Ok(CompiledCell { structure, origin, skins, portals, sight })
    }
}

/// A cell's own space begins in the middle of its floor, on a coarse grid so that equal rooms get equal numbers.
fn own_origin((low, high): &(DVec3, DVec3)) -> DVec3 {
    let middle = (*low + *high) / 2.0;
    let grid = |v: f64| (v * 16.0).round() / 16.0;
    DVec3::new(grid(middle.x), grid(middle.y), grid(low.z))
}

/// A CellStruct while it grows.
struct Structure<'a> {
    origin: DVec3,
    materials: &'a Materials,
    table: VertexTable,
    skins: Vec<Skin>,
    polygons: Vec<(u16, threshold_dat::records::Polygon)>,
    drawn: Vec<Drawn>,
}

impl<'a> Structure<'a> {
    fn new(origin: DVec3, materials: &'a Materials) -> Structure<'a> {
        Structure {
            origin,
            materials,
            table: VertexTable::default(),
            skins: vec![Skin::OPENING],
            polygons: Vec::new(),
            drawn: Vec::new(),
        }
    }

    fn local(&self, polygon: &Polygon) -> Polygon {
        polygon.map(|p| p - self.origin)
    }

    fn wall(&mut self, facet: &Facet<Skin>) {
        let slot = self.skins.iter().position(|s| *s == facet.skin).unwrap_or_else(|| {
            self.skins.push(facet.skin);
            self.skins.len() - 1
        });
        for tile in tiles(&facet.polygon, TILE) {
            // Coordinates of the plan keep the pattern going from room to room.
            let Some(face) = flat_face(&tile, facet.skin, self.materials) else { continue };
            let corners = face.corners.iter();
            let corners: Vec<Corner> =
                corners.map(|c| Corner { place: c.place - self.origin, ..*c }).collect();
            let polygon = self.table.drawn(&corners, slot, false);
            self.push(polygon, self.local(&tile));
        }
    }

    fn opening(&mut self, polygon: &Polygon) {
        let shape = self.local(polygon);
        let normal = shape.plane().map_or(DVec3::Z, |p| p.normal);
        let stored = self.table.bare(&shape.points, normal, Some(0));
        self.push(stored, shape);
    }

    fn push(&mut self, polygon: threshold_dat::records::Polygon, shape: Polygon) {
        let id = self.polygons.len() as u16;
        self.polygons.push((id, polygon));
        self.drawn.push(Drawn { polygon: shape, id, portal: None });
    }

    fn finish(
        mut self,
        sides: &[Polygon],
        walls: &[Facet<Skin>],
        ways: &[Polygon],
        first_portal: u16,
    ) -> Result<(CellStruct, Vec<Skin>), BuildError> {
        let mut surface = Vec::new();
        let mut physics = Vec::new();
        for (id, wall) in (0u16..).zip(walls) {
            let shape = self.local(&wall.polygon);
            let normal = shape.plane().map_or(DVec3::Z, |p| p.normal);
            physics.push((id, self.table.bare(&shape.points, normal, None)));
            surface.push(Surface { polygon: shape, role: Role::Wall(id) });
        }
        surface.extend(ways.iter().map(|p| Surface { polygon: self.local(p), role: Role::Opening }));
        let sides: Vec<Polygon> = sides.iter().map(|p| self.local(p)).collect();
        if self.table.len() > crate::bsp::MAX_POLYGONS {
            return Err(BspError::TooManyPolygons(self.table.len()).into());
        }
        let structure = CellStruct {
            cell_bsp: cell_tree(&sides)?,
            physics_bsp: physics_tree(&surface)?,
            drawing_bsp: Some(drawing_tree(&self.drawn)?),
            portals: (first_portal..self.polygons.len() as u16).collect(),
            polygons: self.polygons,
            physics_polygons: physics,
            vertices: self.table.finish(),
        };
        Ok((structure, self.skins))
    }
}
