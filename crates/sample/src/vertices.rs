//! The vertex list that the polygons of a record share.

use glam::{DVec2, DVec3};
use std::collections::BTreeMap;
use threshold_dat::records::{Polygon, Vertex, VertexArray};

type Bits = [u32; 3];

/// Collects vertices: one per place and normal, with the texture coordinates that polygons use there.
#[derive(Default)]
pub(crate) struct VertexTable {
    vertices: Vec<Vertex>,
    by_place_and_normal: BTreeMap<(Bits, Bits), u16>,
    by_place: BTreeMap<Bits, u16>,
}

impl VertexTable {
    /// Number of the vertex at a place with a normal.
    fn vertex(&mut self, place: DVec3, normal: DVec3) -> u16 {
        // Adding zero turns -0 into 0, so that both count as the same place.
        let stored = |v: DVec3| (v.as_vec3() + 0.0).to_array();
        let (origin, normal) = (stored(place), stored(normal));
        let key = (origin.map(f32::to_bits), normal.map(f32::to_bits));
        if let Some(&known) = self.by_place_and_normal.get(&key) {
            return known;
        }
        let index = self.vertices.len() as u16;
        self.vertices.push(Vertex { origin, normal, uvs: Vec::new() });
        self.by_place_and_normal.insert(key, index);
        self.by_place.entry(key.0).or_insert(index);
        index
    }

    fn uv(&mut self, vertex: u16, uv: DVec2) -> u8 {
        let uv = (uv.as_vec2() + 0.0).to_array();
        let list = &mut self.vertices[usize::from(vertex)].uvs;
        let index = list.iter().position(|known| *known == uv).unwrap_or_else(|| {
            list.push(uv);
            list.len() - 1
        });
        index.min(255) as u8
    }

    /// A polygon that is drawn.
    pub(crate) fn drawn(&mut self, corners: &[Corner], surface: usize, two_sided: bool) -> Polygon {
        let vertices: Vec<u16> = corners.iter().map(|c| self.vertex(c.place, c.normal)).collect();
        let pos_uvs = vertices.iter().zip(corners).map(|(&v, c)| self.uv(v, c.uv)).collect();
        let shows_once = corners.iter().all(|c| c.uv.min_element() >= 0.0 && c.uv.max_element() <= 1.0);
        Polygon {
            // Not having uvs for the other side changes nothing here, but any bit lets the texture repeat. A picture that
            // is shown once must not: its edges would mix with the opposite ones. Spec: render-data §3.7.
            stippling: if shows_once { 0 } else { Polygon::NO_NEG_UVS },
            sides: i32::from(two_sided),
            pos_surface: surface as i16,
            neg_surface: -1,
            vertices,
            pos_uvs,
            neg_uvs: Vec::new(),
        }
    }

    /// A polygon without texture coordinates: an opening (with the filler's place in the surface list) or one that is
    /// only collided with (none).
    pub(crate) fn bare(&mut self, points: &[DVec3], normal: DVec3, surface: Option<usize>) -> Polygon {
        let place = |p: DVec3| (p.as_vec3() + 0.0).to_array().map(f32::to_bits);
        let vertices = points.iter().map(|&p| match self.by_place.get(&place(p)) {
            Some(&known) => known,
            None => self.vertex(p, normal),
        });
        Polygon {
            vertices: vertices.collect(),
            stippling: Polygon::NO_POS_UVS,
            sides: 0,
            pos_surface: surface.map_or(-1, |s| s as i16),
            neg_surface: -1,
            ..Polygon::default()
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.vertices.len()
    }

    pub(crate) fn finish(self) -> VertexArray {
        VertexArray { vertices: (0..).zip(self.vertices).collect() }
    }
}

/// A corner of a drawn polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner {
    /// Where.
    pub place: DVec3,
    /// For lighting.
    pub normal: DVec3,
    /// On the texture; v downwards.
    pub uv: DVec2,
}
