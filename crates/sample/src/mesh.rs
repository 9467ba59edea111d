//! Meshes: drawing and collision geometry of an object, and the openings of a shell.

use crate::{
    bsp::{BspError, Drawn, Role, Surface, drawing_tree, physics_tree},
    error::BuildError,
    geom::{Convex, Facet, Polygon, union_surface},
    material::{Materials, Skin},
    vertices::{Corner, VertexTable},
};
use glam::{DMat3, DVec2, DVec3};
use threshold_dat::{
    DatId,
    records::{GfxObj, PolygonTree},
};

/// A drawn face.
#[derive(Clone, Debug, PartialEq)]
pub struct Face {
    /// Corners, counter-clockwise seen from the front.
    pub corners: Vec<Corner>,
    /// Dressing.
    pub skin: Skin,
    /// Also drawn from behind.
    pub two_sided: bool,
}

/// An opening of a building's shell, seen from outside.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellOpening {
    /// Faces outdoors.
    pub polygon: Polygon,
    /// Whether players can walk through.
    pub passable: bool,
}

/// A mesh being built; becomes a GfxObj.
#[derive(Clone, Debug, Default)]
pub struct Mesh {
    faces: Vec<Face>,
    solids: Vec<Convex<Skin>>,
    hidden_solids: Vec<Convex<Skin>>,
    openings: Vec<ShellOpening>,
    degrade: Option<DatId>,
}

impl Mesh {
    /// Adds a solid for drawing and collision. Solids may touch and overlap; parts inside others are cut away.
    pub fn solid(&mut self, solid: Convex<Skin>) -> &mut Mesh {
        self.solids.push(solid);
        self
    }

    /// Matter that is collided with but not drawn.
    pub fn collider(&mut self, solid: Convex<Skin>) -> &mut Mesh {
        self.hidden_solids.push(solid);
        self
    }

    /// Matter that is drawn but not collided with.
    pub fn shape(&mut self, solid: &Convex<Skin>, materials: &Materials) -> &mut Mesh {
        for facet in &solid.facets {
            self.facet(facet, materials);
        }
        self
    }

    /// A flat face that is only drawn, with its material laid flat on it.
    pub fn facet(&mut self, facet: &Facet<Skin>, materials: &Materials) -> &mut Mesh {
        if let Some(face) = flat_face(&facet.polygon, facet.skin, materials) {
            self.faces.push(face);
        }
        self
    }

    /// A face that is only drawn.
    pub fn face(&mut self, face: Face) -> &mut Mesh {
        self.faces.push(face);
        self
    }

    /// A quad that shows the whole picture of a material once; corners: lower left, lower right, upper right, upper left.
    pub fn picture(&mut self, corners: [DVec3; 4], skin: Skin, two_sided: bool) -> &mut Mesh {
        let normal = Polygon::new(corners).plane().map_or(DVec3::Z, |p| p.normal);
        let uvs = [(0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (0.0, 0.0)].map(DVec2::from);
        let corners = corners.into_iter().zip(uvs).map(|(place, uv)| Corner { place, normal, uv }).collect();
        self.face(Face { corners, skin, two_sided })
    }

    /// An opening; its place in the list is its number among the building's portals.
    pub fn opening(&mut self, opening: ShellOpening) -> &mut Mesh {
        self.openings.push(opening);
        self
    }

    /// The levels of detail that this mesh is the first of.
    pub fn degrade(&mut self, ladder: DatId) -> &mut Mesh {
        self.degrade = Some(ladder);
        self
    }

    /// Adds everything of another mesh, turned by `turn`, then moved by `by`.
    pub fn merge(&mut self, other: &Mesh, turn: DMat3, by: DVec3) -> &mut Mesh {
        self.solids.extend(other.solids.iter().map(|s| s.moved(turn, by)));
        self.hidden_solids.extend(other.hidden_solids.iter().map(|s| s.moved(turn, by)));
        for face in &other.faces {
            let corner =
                |c: &Corner| Corner { place: turn * c.place + by, normal: turn * c.normal, uv: c.uv };
            self.faces.push(Face { corners: face.corners.iter().map(corner).collect(), ..face.clone() });
        }
        self
    }

    /// Compiles the mesh.
    pub fn gfx_obj(&self, materials: &Materials) -> Result<GfxObj, BuildError> {
        let visible = union_surface(&self.solids);
        let mut out = Assembly::default();
        for facet in without_openings(&visible, self.openings.iter()) {
            if let Some(face) = flat_face(&facet.polygon, facet.skin, materials) {
                out.face(&face);
            }
        }
        for face in &self.faces {
            out.face(face);
        }
        for (portal, opening) in self.openings.iter().enumerate() {
            out.opening(&opening.polygon, portal as u16);
        }
        let touchable = if self.hidden_solids.is_empty() {
            visible
        } else {
            let all: Vec<_> = self.solids.iter().chain(&self.hidden_solids).cloned().collect();
            union_surface(&all)
        };
        let passable = self.openings.iter().filter(|o| o.passable);
        let walls = without_openings(&touchable, passable.clone());
        out.finish(&walls, passable.map(|o| &o.polygon), self.degrade)
    }
}

/// A polygon with its material laid flat on it.
pub(crate) fn flat_face(polygon: &Polygon, skin: Skin, materials: &Materials) -> Option<Face> {
    let normal = polygon.plane()?.normal;
    let uvs = materials.flat_uvs(skin, normal, &polygon.points);
    let corners = polygon.points.iter().zip(uvs).map(|(&place, uv)| Corner { place, normal, uv }).collect();
    Some(Face { corners, skin, two_sided: false })
}

fn without_openings<'a>(
    facets: &[Facet<Skin>],
    openings: impl Iterator<Item = &'a ShellOpening> + Clone,
) -> Vec<Facet<Skin>> {
    let mut left = Vec::new();
    for facet in facets {
        let holes = openings.clone().map(|o| &o.polygon);
        left.extend(
            cut_holes(&facet.polygon, holes).into_iter().map(|polygon| Facet { polygon, skin: facet.skin }),
        );
    }
    left
}

/// What is left of a polygon without the holes that lie in its plane and face as it does.
pub(crate) fn cut_holes<'a>(polygon: &Polygon, holes: impl Iterator<Item = &'a Polygon>) -> Vec<Polygon> {
    let Some(plane) = polygon.plane() else { return Vec::new() };
    let mut pieces = vec![polygon.clone()];
    for hole in holes {
        if hole.plane().is_some_and(|p| p.coincides(&plane, hole.center())) {
            pieces = pieces.iter().flat_map(|p| p.without(hole)).collect();
        }
    }
    pieces
}

/// The lists of a GfxObj while they grow.
#[derive(Default)]
struct Assembly {
    table: VertexTable,
    skins: Vec<Skin>,
    polygons: Vec<(u16, threshold_dat::records::Polygon)>,
    drawn: Vec<Drawn>,
}

impl Assembly {
    fn slot(&mut self, skin: Skin) -> usize {
        self.skins.iter().position(|s| *s == skin).unwrap_or_else(|| {
            self.skins.push(skin);
            self.skins.len() - 1
        })
    }

    fn face(&mut self, face: &Face) {
        let slot = self.slot(face.skin);
        let polygon = self.table.drawn(&face.corners, slot, face.two_sided);
        let shape = Polygon::new(face.corners.iter().map(|c| c.place).collect::<Vec<_>>());
        self.push(polygon, shape, None);
    }

    fn opening(&mut self, shape: &Polygon, portal: u16) {
        let slot = self.slot(Skin::OPENING);
        let normal = shape.plane().map_or(DVec3::Z, |p| p.normal);
        let polygon = self.table.bare(&shape.points, normal, Some(slot));
        self.push(polygon, shape.clone(), Some(portal));
    }

    fn push(&mut self, polygon: threshold_dat::records::Polygon, shape: Polygon, portal: Option<u16>) {
        let id = self.polygons.len() as u16;
        self.polygons.push((id, polygon));
        self.drawn.push(Drawn { polygon: shape, id, portal });
    }

    fn finish<'a>(
        mut self,
        walls: &[Facet<Skin>],
        seals: impl Iterator<Item = &'a Polygon>,
        degrade: Option<DatId>,
    ) -> Result<GfxObj, BuildError> {
        let mut surface = Vec::new();
        let mut physics = Vec::new();
        for (id, wall) in (0u16..).zip(walls) {
            let normal = wall.polygon.plane().map_or(DVec3::Z, |p| p.normal);
            physics.push((id, self.table.bare(&wall.polygon.points, normal, None)));
            surface.push(Surface { polygon: wall.polygon.clone(), role: Role::Wall(id) });
        }
        surface.extend(seals.map(|polygon| Surface { polygon: polygon.clone(), role: Role::Seal }));
        if self.table.len() > crate::bsp::MAX_POLYGONS {
            return Err(BspError::TooManyPolygons(self.table.len()).into());
        }
        let physics = match physics.is_empty() {
            true => None,
            false => Some(PolygonTree { polygons: physics, bsp: physics_tree(&surface)? }),
        };
        let drawing = match self.drawn.is_empty() {
            true => None,
            false => Some(PolygonTree { polygons: self.polygons, bsp: drawing_tree(&self.drawn)? }),
        };
        let corners = self.drawn.iter().flat_map(|d| &d.polygon.points);
        let (sum, count) = corners.fold((DVec3::ZERO, 0.0), |(sum, n), &p| (sum + p, n + 1.0));
        Ok(GfxObj {
            flags: 0,
            surfaces: self.skins.iter().map(|s| s.surface()).collect(),
            vertices: self.table.finish(),
            physics,
            sort_center: (sum / f64::max(count, 1.0)).as_vec3().to_array(),
            drawing,
            degrade,
        })
    }
}
