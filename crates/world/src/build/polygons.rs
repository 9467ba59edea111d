//! Vertex loops from vertex arrays.

use crate::geometry::{Aabb, PolygonSet};
use glam::Vec3;
use threshold_dat::records::{Polygon, VertexArray};

/// Vertices by key; the first one counts when a key occurs twice.
pub(super) struct Vertices(Vec<(u16, Vec3)>);

impl Vertices {
    pub(super) fn new(array: &VertexArray) -> Vertices {
        let mut list: Vec<_> = array.vertices.iter().map(|(key, v)| (*key, Vec3::from(v.origin))).collect();
        list.sort_by_key(|(key, _)| *key);
        list.dedup_by_key(|(key, _)| *key);
        Vertices(list)
    }

    fn get(&self, key: u16) -> Option<Vec3> {
        let stored = match self.0.get(usize::from(key)) {
            Some(entry) if entry.0 == key => Some(entry),
            _ => self.0.binary_search_by_key(&key, |(key, _)| *key).ok().and_then(|i| self.0.get(i)),
        };
        stored.map(|(_, vertex)| *vertex)
    }

    pub(super) fn bounds(&self) -> Aabb {
        Aabb::around(self.0.iter().map(|(_, vertex)| *vertex)).unwrap_or_default()
    }
}

/// Usable polygons of a list, and where each stored id went.
#[derive(Default)]
pub(super) struct Polygons {
    pub(super) set: PolygonSet,
    /// Ascending by id.
    index: Vec<(u16, u16)>,
}

impl Polygons {
    /// Takes every polygon of the list that has an area; the first one counts when an id occurs twice.
    pub(super) fn new<'a>(
        list: impl IntoIterator<Item = &'a (u16, Polygon)>,
        vertices: &Vertices,
    ) -> Polygons {
        let list: Vec<&(u16, Polygon)> = list.into_iter().collect();
        let mut by_id: Vec<(u16, usize)> = list.iter().enumerate().map(|(at, (id, _))| (*id, at)).collect();
        by_id.sort();
        by_id.dedup_by_key(|(id, _)| *id);
        let mut first = vec![false; list.len()];
        by_id.iter().for_each(|&(_, at)| first[at] = true);
        let mut polygons = Polygons::default();
        let mut corners = Vec::new();
        for ((id, polygon), _) in list.iter().zip(first).filter(|(_, first)| *first) {
            corners.clear();
            corners.extend(polygon.vertices.iter().map_while(|&key| vertices.get(key)));
            if corners.len() < polygon.vertices.len().max(3) {
                continue;
            }
            if let Some(index) = polygons.set.push(*id, &corners) {
                // Ids are 16 bits wide and each is taken once.
                polygons.index.push((*id, index as u16));
            }
        }
        polygons.index.sort_unstable();
        polygons.set.shrink();
        polygons
    }

    /// Index of a stored id in the set.
    pub(super) fn index_of(&self, id: u16) -> Option<u16> {
        self.index.binary_search_by_key(&id, |(id, _)| *id).ok().map(|at| self.index[at].1)
    }
}
