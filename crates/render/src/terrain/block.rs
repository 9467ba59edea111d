//! The mesh of a block's ground at the resolution it is drawn with. Spec: render-data §9.2.

use super::SINK;
use crate::mesh::{Mesh, Vertex};
use glam::{Vec2, Vec3};
use threshold_world::{
    BlockId, EPSILON,
    geometry::polygon_plane,
    terrain::{SAMPLES_PER_SIDE, Terrain, splits_sw_ne},
};

/// Resolutions of the blocks beyond the four edges: west, east, south, north.
pub type Neighbours = [u8; 4];

/// Vertices of a cell in [`block_mesh`]: south-west, south-east, north-west, north-east.
pub const VERTICES_PER_CELL: u32 = 4;
/// Indices of a cell: two triangles.
pub const INDICES_PER_CELL: u32 = 6;

/// The ground of a block with `side` × `side` cells, cell after cell (column × side + row), already lowered.
///
/// An edge that meets a coarser block follows that block's straight line, so that no crack opens. (The original does
/// so between reduced blocks and lowers the edge of the finest ring; one rule for all is enough.)
pub fn block_mesh(block: BlockId, terrain: &Terrain, side: u8, neighbours: Neighbours) -> Mesh {
    let side = usize::from(side).clamp(1, 8);
    let step = 8 / side;
    let corners = side + 1;
    let mut points = Vec::with_capacity(corners * corners);
    for i in 0..corners {
        for j in 0..corners {
            let mut point = terrain.vertex(i * step * SAMPLES_PER_SIDE + j * step);
            point.z = edge_height(terrain, i * step, j * step, neighbours) - SINK;
            points.push(point);
        }
    }
    let base = (u32::from(block.x()) * 8, u32::from(block.y()) * 8);
    let mut normals = vec![Vec3::ZERO; points.len()];
    let mut mesh = Mesh::default();
    for cell in 0..side * side {
        let (i, j) = (cell / side, cell % side);
        let at = |di: usize, dj: usize| (i + di) * corners + j + dj;
        let places = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        // The original hashes the split of a reduced cell at its own number.
        let order = if splits_sw_ne(base.0 + i as u32, base.1 + j as u32) {
            [[0, 1, 3], [0, 3, 2]]
        } else {
            [[0, 1, 2], [3, 2, 1]]
        };
        for triangle in order {
            let normal = polygon_plane(&triangle.map(|k| points[places[k]])).map_or(Vec3::Z, |p| p.normal);
            triangle.iter().for_each(|&k| normals[places[k]] += normal);
        }
        let first = mesh.vertices.len() as u32;
        for (k, uv) in [(0.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0)].into_iter().enumerate() {
            let uv = Vec2::new(uv.0, uv.1);
            // The normal is not complete yet: keep the place of the sample instead.
            let place = Vec3::new(places[k] as f32, 0.0, 0.0);
            mesh.vertices.push(Vertex { position: points[places[k]], normal: place, uv, glow: [0; 4] });
        }
        mesh.indices.extend(order.iter().flatten().map(|&k| first + k as u32));
    }
    for vertex in &mut mesh.vertices {
        let sum = normals[vertex.normal.x as usize];
        let length = sum.length();
        vertex.normal = if length < EPSILON { Vec3::Z } else { sum / length };
    }
    mesh
}

/// Height of a sample, on the line between two samples of a coarser neighbour where it lies on such an edge.
fn edge_height(terrain: &Terrain, x: usize, y: usize, [west, east, south, north]: Neighbours) -> f32 {
    let coarse = |side: u8| 8 / usize::from(side).clamp(1, 8);
    let along_y = |step: usize| {
        let (low, part) = (y / step * step, (y % step) as f32 / step as f32);
        let at = |y: usize| terrain.height(x * SAMPLES_PER_SIDE + y);
        if part == 0.0 { at(y) } else { at(low) + (at(low + step) - at(low)) * part }
    };
    let along_x = |step: usize| {
        let (low, part) = (x / step * step, (x % step) as f32 / step as f32);
        let at = |x: usize| terrain.height(x * SAMPLES_PER_SIDE + y);
        if part == 0.0 { at(x) } else { at(low) + (at(low + step) - at(low)) * part }
    };
    match (x, y) {
        (0, _) if !y.is_multiple_of(coarse(west)) => along_y(coarse(west)),
        (8, _) if !y.is_multiple_of(coarse(east)) => along_y(coarse(east)),
        (_, 0) if !x.is_multiple_of(coarse(south)) => along_x(coarse(south)),
        (_, 8) if !x.is_multiple_of(coarse(north)) => along_x(coarse(north)),
        _ => terrain.height(x * SAMPLES_PER_SIDE + y),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: BlockId = BlockId(0xA9B4);

    fn bumpy() -> Terrain {
        Terrain::new(BLOCK, std::array::from_fn(|i| (i * 7 % 13) as f32), [0; 81])
    }

    #[test]
    fn a_full_block_has_all_triangles_and_lies_lower() {
        let terrain = bumpy();
        let mesh = block_mesh(BLOCK, &terrain, 8, [8; 4]);
        assert_eq!((mesh.vertices.len(), mesh.triangle_count()), (256, 128));
        for cell in 0..64 {
            let triangle = terrain.triangle(cell, 1);
            let drawn: Vec<Vec3> = mesh.indices[cell * 6 + 3..cell * 6 + 6]
                .iter()
                .map(|&i| mesh.vertices[i as usize].position)
                .collect();
            for (a, b) in triangle.iter().zip(&drawn) {
                assert!((*a - *b - Vec3::new(0.0, 0.0, SINK)).length() < 1e-5);
            }
        }
        assert!(mesh.vertices.iter().all(|v| (v.normal.length() - 1.0).abs() < 1e-5));
    }

    #[test]
    fn normals_lean_away_from_a_hill() {
        let mut heights = [0.0; 81];
        heights[4 * 9 + 4] = 20.0;
        let mesh = block_mesh(BLOCK, &Terrain::new(BLOCK, heights, [0; 81]), 8, [8; 4]);
        let normal = |x: f32, y: f32| {
            mesh.vertices.iter().find(|v| v.position.x == x && v.position.y == y).unwrap().normal
        };
        assert!(normal(72.0, 96.0).x < -0.1 && normal(120.0, 96.0).x > 0.1);
        assert!(normal(96.0, 72.0).y < -0.1 && normal(96.0, 120.0).y > 0.1);
        assert_eq!(normal(0.0, 0.0), Vec3::Z);
    }

    #[test]
    fn uvs_put_north_at_the_top() {
        let mesh = block_mesh(BLOCK, &bumpy(), 8, [8; 4]);
        let north_west = &mesh.vertices[2];
        assert_eq!((north_west.position.x, north_west.position.y), (0.0, 24.0));
        assert_eq!(north_west.uv, Vec2::ZERO);
    }

    #[test]
    fn an_edge_follows_a_coarser_neighbour_and_meets_its_corners() {
        let terrain = bumpy();
        let height = |side, neighbours, x: f32, y: f32| {
            let mesh = block_mesh(BLOCK, &terrain, side, neighbours);
            mesh.vertices.iter().find(|v| v.position.x == x && v.position.y == y).unwrap().position.z + SINK
        };
        let own = |sample: usize| terrain.height(sample);
        // The east edge towards a block of half the resolution: sample 1 lies between samples 0 and 2.
        let expected = (own(72) + own(74)) / 2.0;
        assert!((height(8, [8, 4, 8, 8], 192.0, 24.0) - expected).abs() < 1e-4);
        assert!((height(8, [8; 4], 192.0, 24.0) - own(73)).abs() < 1e-4);
        assert!((height(8, [8, 4, 8, 8], 192.0, 48.0) - own(74)).abs() < 1e-4);
        assert!((height(2, [2, 2, 1, 2], 96.0, 0.0) - (own(0) + own(72)) / 2.0).abs() < 1e-4);
        assert_eq!(block_mesh(BLOCK, &terrain, 1, [1; 4]).triangle_count(), 2);
    }
}
