//! Seams: where the corner of one polygon lies on the edge of another, the edge gets a corner there too.
//!
//! Authors cut walls around windows without cutting the walls beside them. Two edges that share their ends but not
//! their inner corners are rounded differently, and single pixels of what is behind show between them.

use glam::Vec3;
use std::collections::BTreeSet;
use threshold_dat::records::VertexArray;

/// A corner this close to an edge, in metres, lies on it.
const ON_EDGE: f32 = 0.002;
/// Meshes with more vertices than this are left as they are; rooms and houses are far below.
const MAX_VERTICES: usize = 4000;

/// A corner of a polygon after cutting its edges.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ShapeCorner {
    /// One of its own, by its place in the polygon.
    Own(usize),
    /// A new one, part of the way between two of its own.
    Between { from: usize, to: usize, part: f32, position: Vec3 },
}

/// A polygon as triangles.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shape {
    pub(super) corners: Vec<ShapeCorner>,
    pub(super) triangles: Vec<[usize; 3]>,
}

/// All corners of a mesh, sorted for looking up.
pub(super) struct Seams<'a> {
    source: &'a VertexArray,
    /// Places in order of their x coordinate.
    sorted: Vec<Vec3>,
}

impl<'a> Seams<'a> {
    pub(super) fn new<'p>(source: &'a VertexArray, places: impl Iterator<Item = &'p u32>) -> Seams<'a> {
        let mut seams = Seams { source, sorted: Vec::new() };
        let used: BTreeSet<u32> = places.copied().collect();
        if used.len() <= MAX_VERTICES {
            seams.sorted = used.iter().map(|&place| seams.origin(place)).collect();
            seams
                .sorted
                .sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)).then(a.z.total_cmp(&b.z)));
            seams.sorted.dedup();
        }
        seams
    }

    fn origin(&self, place: u32) -> Vec3 {
        self.source.vertices.get(place as usize).map_or(Vec3::ZERO, |(_, v)| Vec3::from_array(v.origin))
    }

    /// Corners of the mesh on an edge, from its start to its end, each with its part of the way.
    fn on_edge(&self, a: Vec3, b: Vec3) -> Vec<(f32, Vec3)> {
        let along = b - a;
        let length = along.length();
        if length <= 2.0 * ON_EDGE {
            return Vec::new();
        }
        let first = self.sorted.partition_point(|p| p.x < a.x.min(b.x) - ON_EDGE);
        let mut found: Vec<(f32, Vec3)> = self.sorted[first..]
            .iter()
            .take_while(|p| p.x <= a.x.max(b.x) + ON_EDGE)
            .filter_map(|&p| {
                let distance = (p - a).dot(along) / length;
                let aside = (p - a - along * (distance / length)).length();
                let inner = distance > ON_EDGE && distance < length - ON_EDGE && aside < ON_EDGE;
                inner.then_some((distance / length, p))
            })
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        found.dedup_by(|a, b| (a.1 - b.1).length() < ON_EDGE);
        found
    }

    /// A polygon with its edges cut where other corners lie on them.
    pub(super) fn shape(&self, places: &[u32]) -> Shape {
        let count = places.len();
        let points: Vec<Vec3> = places.iter().map(|&place| self.origin(place)).collect();
        let mut corners = Vec::with_capacity(count);
        let mut positions = Vec::with_capacity(count);
        for i in 0..count {
            let next = (i + 1) % count;
            corners.push(ShapeCorner::Own(i));
            positions.push(points[i]);
            for (part, position) in self.on_edge(points[i], points[next]) {
                corners.push(ShapeCorner::Between { from: i, to: next, part, position });
                positions.push(position);
            }
        }
        let triangles = if corners.len() == count { fan(count) } else { ears(&positions) };
        Shape { corners, triangles }
    }
}

fn fan(count: usize) -> Vec<[usize; 3]> {
    (1..count.saturating_sub(1)).map(|i| [0, i, i + 1]).collect()
}

/// Triangles of a convex polygon with corners in the middle of edges: each one has area, so that every edge is used as
/// it is cut.
fn ears(points: &[Vec3]) -> Vec<[usize; 3]> {
    let cross = |[a, b, c]: [usize; 3]| (points[b] - points[a]).cross(points[c] - points[a]);
    let area = |corners: &[usize]| {
        let mut sum = Vec3::ZERO;
        for pair in corners.windows(2).skip(1) {
            sum += cross([corners[0], pair[0], pair[1]]);
        }
        sum.length()
    };
    let mut rest: Vec<usize> = (0..points.len()).collect();
    let flat = area(&rest) * 1e-6;
    let mut triangles = Vec::with_capacity(points.len());
    while rest.len() > 3 {
        let (n, whole) = (rest.len(), area(&rest));
        let ear = |i: usize| [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
        // Neither the ear nor what it leaves may be flat; of those that qualify the roundest is cut.
        let usable = (0..n).filter(|&i| {
            let own = cross(ear(i)).length();
            own > flat && whole - own > flat
        });
        let roundness = |i: usize| {
            let [a, _, c] = ear(i);
            cross(ear(i)).length() / ((points[c] - points[a]).length_squared() + 1e-6)
        };
        let best = usable.max_by(|&i, &j| roundness(i).total_cmp(&roundness(j)));
        let Some(best) = best else { break };
        triangles.push(ear(best));
        rest.remove(best);
    }
    // What is left is a triangle, or too flat to matter.
    triangles.extend(fan(rest.len()).iter().map(|t| t.map(|i| rest[i])));
    triangles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ears_cover_a_cut_square_once() {
        let points: Vec<Vec3> =
            [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (3.0, 3.0), (2.0, 3.0), (0.0, 3.0), (0.0, 1.0)]
                .map(|(x, y)| Vec3::new(x, y, 0.0))
                .to_vec();
        let triangles = ears(&points);
        assert_eq!(triangles.len(), points.len() - 2);
        let areas: Vec<f32> = triangles
            .iter()
            .map(|&[a, b, c]| (points[b] - points[a]).cross(points[c] - points[a]).z / 2.0)
            .collect();
        assert!(areas.iter().all(|&area| area > 0.01), "{areas:?}");
        assert!((areas.iter().sum::<f32>() - 9.0).abs() < 1e-4);
    }

    #[test]
    fn a_tall_triangle_with_a_cut_base_keeps_its_apex_to_the_end() {
        let points: Vec<Vec3> = [(0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (3.0, 0.0), (1.0, 50.0)]
            .map(|(x, y)| Vec3::new(x, y, 0.0))
            .to_vec();
        let triangles = ears(&points);
        assert_eq!(triangles.len(), 3);
        assert!(triangles.iter().all(|t| t.contains(&4)), "{triangles:?}");
    }
}
