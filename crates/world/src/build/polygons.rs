//! Vertex loops from vertex arrays.

use crate::geometry::{Aabb, PolygonSet};
use glam::Vec3;
use std::collections::HashMap;
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
    index: HashMap<u16, u16>,
}

impl Polygons {
    /// Takes every polygon of the list that has an area; the first one counts when an id occurs twice.
    pub(super) fn new<'a>(
        list: impl IntoIterator<Item = &'a (u16, Polygon)>,
        vertices: &Vertices,
    ) -> Polygons {
        let mut polygons = Polygons::default();
        for (id, polygon) in list {
            polygons.push(*id, polygon, vertices);
        }
        polygons.set.shrink();
        polygons
    }

    fn push(&mut self, id: u16, polygon: &Polygon, vertices: &Vertices) {
        if self.index.contains_key(&id) || polygon.vertices.len() < 3 {
            return;
        }
        let corners: Option<Vec<Vec3>> = polygon.vertices.iter().map(|&key| vertices.get(key)).collect();
        if let Some(index) = corners.and_then(|corners| self.set.push(id, &corners)) {
            // Ids are 16 bits wide and each is taken once.
            self.index.insert(id, index as u16);
        }
    }

    /// Index of a stored id in the set.
    pub(super) fn index_of(&self, id: u16) -> Option<u16> {
        self.index.get(&id).copied()
    }
}
