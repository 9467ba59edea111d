//! Meshes: the polygons of a GfxObj or cell structure as triangles, grouped by surface.
//!
//! Retail: `D3DPolyRender::ConstructMesh` (0x0059DFA0). Spec: render-data §2.

mod seams;

use crate::texture::Address;
use glam::{Vec2, Vec3};
use seams::{Seams, Shape, ShapeCorner};
use std::collections::HashMap;
use std::ops::Range;
use threshold_dat::records::{self, KeyIndex, Polygon, VertexArray};
use threshold_world::geometry::{Aabb, Sphere, polygon_plane};

/// A corner of a triangle.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Vertex {
    /// Where it is, in the mesh's own space.
    pub position: Vec3,
    /// For lighting; zero where the record has zero: such a vertex takes no directional light.
    pub normal: Vec3,
    /// Texture coordinates, (0, 0) at the top left.
    pub uv: Vec2,
    /// Light that the vertex has taken once and for all: static lights on cells. The last byte is not used.
    pub glow: [u8; 4],
}

/// The triangles of a mesh that share a surface.
#[derive(Clone, Debug, PartialEq)]
pub struct Subset {
    /// Position in the owner's surface list.
    pub surface: u16,
    /// Addressing of the texture. Spec: render-data §3.7.
    pub address: Address,
    /// Its vertices; no other subset uses them.
    pub vertices: Range<u32>,
    /// Its triangles, three indices each.
    pub indices: Range<u32>,
}

/// Triangles ready to be drawn.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Mesh {
    /// Corners, subset after subset.
    pub vertices: Vec<Vertex>,
    /// Indices into `vertices`.
    pub indices: Vec<u32>,
    /// In order of their surfaces.
    pub subsets: Vec<Subset>,
    /// Contains all vertices that are drawn.
    pub sphere: Sphere,
    /// The point by which its distance is measured.
    pub sort_center: Vec3,
}

impl Mesh {
    /// Builds the mesh of a list of polygons whose owner has `surfaces` surfaces. Polygons that cannot be drawn
    /// (fewer than three vertices, no area, no surface, unknown vertices) are omitted.
    pub fn new(vertices: &VertexArray, polygons: &[(u16, Polygon)], surfaces: usize) -> Mesh {
        let mut builder =
            Builder { source: vertices, keys: KeyIndex::new(&vertices.vertices), groups: Vec::new() };
        let drawn: Vec<(&Polygon, Vec<u32>)> =
            polygons.iter().filter_map(|(_, polygon)| Some((polygon, builder.places(polygon)?))).collect();
        let seams = Seams::new(vertices, drawn.iter().flat_map(|(_, places)| places));
        for (polygon, places) in &drawn {
            builder.add(polygon, places, &seams, surfaces);
        }
        builder.finish()
    }

    /// The mesh of a model record; empty when it has nothing to draw.
    pub fn from_model(model: &records::GfxObj) -> Mesh {
        let polygons = model.drawing.as_ref().map_or(&[][..], |drawing| &drawing.polygons);
        let center = Vec3::from_array(model.sort_center);
        let sort_center = if center.is_finite() { center } else { Vec3::ZERO };
        Mesh { sort_center, ..Mesh::new(&model.vertices, polygons, model.surfaces.len()) }
    }

    /// Number of triangles.
    pub fn triangle_count(&self) -> usize {
        self.indices.len() / 3
    }
}

/// A corner of a face: vertex, texture coordinates, side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Corner {
    vertex: u32,
    uv: [u32; 2],
    back: bool,
}

#[derive(Default)]
struct Group {
    surface: u16,
    wraps: bool,
    corners: HashMap<Corner, u32>,
    vertices: Vec<Vertex>,
    indices: Vec<u32>,
}

struct Builder<'a> {
    source: &'a VertexArray,
    keys: KeyIndex,
    groups: Vec<Group>,
}

impl Builder<'_> {
    fn add(&mut self, polygon: &Polygon, places: &[u32], seams: &Seams, surfaces: usize) {
        let valid = |surface: i16| u16::try_from(surface).ok().filter(|&s| usize::from(s) < surfaces);
        let stippled = (polygon.stippling as i8) > 0;
        let shape = seams.shape(places);
        if let Some(surface) = valid(polygon.pos_surface) {
            self.face(surface, places, &shape, &polygon.pos_uvs, false, stippled);
            if polygon.sides == 1 {
                self.face(surface, places, &shape, &polygon.pos_uvs, true, stippled);
            }
        }
        // The original gives the negative face the forward winding, which hides it under the positive one; turned
        // round it is seen from behind, as its author meant it (spec: render-data §2, HARDENING).
        if polygon.sides == 2
            && let Some(surface) = valid(polygon.neg_surface)
        {
            self.face(surface, places, &shape, &polygon.neg_uvs, true, false);
        }
    }

    /// Positions of the polygon's vertices in the source list; `None` when it cannot be drawn.
    fn places(&self, polygon: &Polygon) -> Option<Vec<u32>> {
        let places: Option<Vec<u32>> =
            polygon.vertices.iter().map(|&key| self.keys.position(key).map(|p| p as u32)).collect();
        let places = places.filter(|places| places.len() >= 3)?;
        let loop_: Vec<Vec3> = places.iter().map(|&p| self.origin(p)).collect();
        polygon_plane(&loop_)?;
        Some(places)
    }

    fn origin(&self, place: u32) -> Vec3 {
        self.source.vertices.get(place as usize).map_or(Vec3::ZERO, |(_, v)| Vec3::from_array(v.origin))
    }

    fn face(&mut self, surface: u16, places: &[u32], shape: &Shape, uvs: &[u8], back: bool, stippled: bool) {
        let at = match self.groups.binary_search_by_key(&surface, |group| group.surface) {
            Ok(at) => at,
            Err(at) => {
                self.groups.insert(at, Group { surface, ..Group::default() });
                at
            }
        };
        let own: Vec<u32> = places
            .iter()
            .enumerate()
            .map(|(i, &place)| {
                // Without a list every corner takes the first coordinates of its vertex.
                let index = uvs.get(i).map_or(0, |&index| index as i8);
                self.corner(at, place, index, back)
            })
            .collect();
        let group = &mut self.groups[at];
        group.wraps |= stippled;
        let corners: Vec<u32> = shape
            .corners
            .iter()
            .map(|corner| match *corner {
                ShapeCorner::Own(i) => own[i],
                ShapeCorner::Between { from, to, part, position } => {
                    let (a, b) = (group.vertices[own[from] as usize], group.vertices[own[to] as usize]);
                    group.vertices.push(Vertex {
                        position,
                        normal: a.normal + (b.normal - a.normal) * part,
                        uv: a.uv + (b.uv - a.uv) * part,
                        glow: [0; 4],
                    });
                    group.vertices.len() as u32 - 1
                }
            })
            .collect();
        for &[a, b, c] in &shape.triangles {
            let [b, c] = if back { [c, b] } else { [b, c] };
            group.indices.extend([a, b, c].map(|i| corners[i]));
        }
    }

    fn corner(&mut self, group: usize, place: u32, uv_index: i8, back: bool) -> u32 {
        let vertex = self.source.vertices.get(place as usize).map(|(_, vertex)| vertex);
        let uv = vertex
            .and_then(|v| v.uvs.get(usize::try_from(uv_index).ok()?))
            .map_or(Vec2::ZERO, |&[u, v]| Vec2::new(number_or_zero(u), number_or_zero(v)));
        let group = &mut self.groups[group];
        let key = Corner { vertex: place, uv: [uv.x.to_bits(), uv.y.to_bits()], back };
        *group.corners.entry(key).or_insert_with(|| {
            let normal = vertex.map_or(Vec3::ZERO, |v| Vec3::from_array(v.normal));
            let normal = if normal.is_finite() { normal } else { Vec3::Z };
            let position = vertex.map_or(Vec3::ZERO, |v| Vec3::from_array(v.origin));
            let normal = if back { -normal } else { normal };
            group.vertices.push(Vertex { position, normal, uv, glow: [0; 4] });
            group.vertices.len() as u32 - 1
        })
    }

    fn finish(self) -> Mesh {
        let mut mesh = Mesh::default();
        for group in self.groups {
            let (first, start) = (mesh.vertices.len() as u32, mesh.indices.len() as u32);
            // Coordinates beyond the texture without a stippled polygon are clamped in the original; repeating is
            // what their author meant.
            let unit = -0.001..=1.001;
            let beyond = group.vertices.iter().any(|v| !unit.contains(&v.uv.x) || !unit.contains(&v.uv.y));
            mesh.indices.extend(group.indices.iter().map(|i| i + first));
            mesh.vertices.extend(group.vertices);
            mesh.subsets.push(Subset {
                surface: group.surface,
                address: if group.wraps || beyond { Address::Wrap } else { Address::Clamp },
                vertices: first..mesh.vertices.len() as u32,
                indices: start..mesh.indices.len() as u32,
            });
        }
        mesh.sphere = bounding_sphere(&mesh.vertices);
        mesh
    }
}

fn number_or_zero(value: f32) -> f32 {
    if value.is_finite() { value } else { 0.0 }
}

fn bounding_sphere(vertices: &[Vertex]) -> Sphere {
    let Some(bounds) = Aabb::around(vertices.iter().map(|v| v.position)) else { return Sphere::default() };
    let center = (bounds.min + bounds.max) / 2.0;
    let radius_sq = vertices.iter().map(|v| (v.position - center).length_squared()).fold(0.0, f32::max);
    Sphere { center, radius: radius_sq.sqrt() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::records;

    #[test]
    fn a_wall_meets_the_corners_of_its_neighbours() {
        // Two halves of a wall above one long wall: the corner between the halves lies on the long wall's edge.
        let corner = |x: f32, z: f32| records::Vertex {
            origin: [x, 0.0, z],
            normal: [0.0, -1.0, 0.0],
            uvs: vec![[x, z]],
        };
        let places =
            [(0.0, 0.0), (4.0, 0.0), (4.0, 2.0), (0.0, 2.0), (1.0, 2.0), (1.0, 3.0), (0.0, 3.0), (4.0, 3.0)];
        let vertices = VertexArray { vertices: (0..).zip(places.map(|(x, z)| corner(x, z))).collect() };
        let wall = |loop_: &[u16]| Polygon {
            vertices: loop_.to_vec(),
            pos_uvs: vec![0; loop_.len()],
            ..Polygon::default()
        };
        let polygons = [(0, wall(&[0, 1, 2, 3])), (1, wall(&[3, 4, 5, 6])), (2, wall(&[4, 2, 7, 5]))];
        let mesh = Mesh::new(&vertices, &polygons, 1);
        assert_eq!(mesh.triangle_count(), 3 + 2 + 2);
        let split = mesh.vertices.iter().filter(|v| v.position == Vec3::new(1.0, 0.0, 2.0)).count();
        assert_eq!(split, 2, "once of the halves, once of the long wall");
        assert!(mesh.vertices.iter().all(|v| v.uv == Vec2::new(v.position.x, v.position.z)));
        // Every triangle has area, so every edge of the long wall is really cut.
        for t in mesh.indices.chunks(3) {
            let [a, b, c] = [t[0], t[1], t[2]].map(|i| mesh.vertices[i as usize].position);
            assert!((b - a).cross(c - a).length() > 0.1);
        }
    }

    fn square() -> VertexArray {
        let corner = |x: f32, y: f32| records::Vertex {
            origin: [x, y, 0.0],
            normal: [0.0, 0.0, 1.0],
            uvs: vec![[0.3, 0.7], [x, y]],
        };
        let corners = [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)];
        VertexArray { vertices: (10..).zip(corners).collect() }
    }

    fn polygon(sides: i32, pos_surface: i16, neg_surface: i16) -> Polygon {
        Polygon {
            sides,
            pos_surface,
            neg_surface,
            vertices: vec![10, 11, 12, 13],
            pos_uvs: vec![1; 4],
            ..Polygon::default()
        }
    }

    fn build(polygon: Polygon) -> Mesh {
        Mesh::new(&square(), &[(0, polygon)], 2)
    }

    #[test]
    fn a_quad_is_two_triangles_that_share_corners() {
        let mesh = build(polygon(0, 0, -1));
        assert_eq!((mesh.triangle_count(), mesh.vertices.len()), (2, 4));
        assert_eq!(mesh.indices, [0, 1, 2, 0, 2, 3]);
        assert_eq!(mesh.sphere.center, Vec3::new(0.5, 0.5, 0.0));
        assert_eq!(mesh.subsets[0].address, Address::Clamp);
    }

    #[test]
    fn example_12_sides_decide_the_faces() {
        let double = build(polygon(1, 1, -1));
        assert_eq!(double.triangle_count(), 4);
        assert_eq!(double.subsets.len(), 1);
        assert!(double.vertices[4..].iter().all(|v| v.normal == -Vec3::Z));
        assert_eq!(build(polygon(2, 0, -1)).triangle_count(), 2);
        let both = build(polygon(2, 1, 0));
        assert_eq!(both.subsets.iter().map(|s| s.surface).collect::<Vec<_>>(), [0, 1]);
        // The negative face is turned: its second triangle corner is the positive face's third.
        assert_eq!(both.indices[..3], [0, 2, 1]);
        assert_eq!(build(polygon(3, 0, 1)).triangle_count(), 2);
    }

    #[test]
    fn example_13_a_hexagon_is_four_triangles() {
        let corner = |i: u16| {
            let angle = f32::from(i) * 1.047;
            records::Vertex { origin: [angle.cos(), angle.sin(), 0.0], ..records::Vertex::default() }
        };
        let vertices = VertexArray { vertices: (0..6).map(|i| (i, corner(i))).collect() };
        let hexagon = Polygon { vertices: (0..6).collect(), stippling: 4, ..Polygon::default() };
        assert_eq!(Mesh::new(&vertices, &[(0, hexagon)], 1).triangle_count(), 4);
    }

    #[test]
    fn example_18_without_a_list_corners_take_the_first_coordinates() {
        let mesh = build(Polygon { pos_uvs: Vec::new(), stippling: 4, ..polygon(0, 0, -1) });
        assert!(mesh.vertices.iter().all(|v| v.uv == Vec2::new(0.3, 0.7)));
        assert_eq!(mesh.subsets[0].address, Address::Wrap, "any stippling bit makes it wrap");
        let wrong = build(Polygon { pos_uvs: vec![2, 200, 1, 0], ..polygon(0, 0, -1) });
        let uvs: Vec<_> = wrong.vertices.iter().map(|v| v.uv.to_array()).collect();
        assert_eq!(uvs, [[0.0, 0.0], [0.0, 0.0], [1.0, 1.0], [0.3, 0.7]]);
    }

    #[test]
    fn what_cannot_be_drawn_is_left_out() {
        let broken = [
            Polygon { vertices: vec![10, 11], ..polygon(0, 0, 0) },
            Polygon { vertices: vec![10, 11, 99], ..polygon(0, 0, 0) },
            Polygon { vertices: vec![10, 11, 10], ..polygon(0, 0, 0) },
            polygon(0, 2, 0),
            polygon(0, -1, 0),
        ];
        for polygon in broken {
            assert_eq!(build(polygon.clone()).triangle_count(), 0, "{polygon:?}");
        }
    }
}
