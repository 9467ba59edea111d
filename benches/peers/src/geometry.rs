//! The collision geometry of a loaded world as triangles and simple shapes, in metres from the corner of one block.

use glam::Vec3;
use threshold_physics::{Scene, State};
use threshold_world::{
    BlockId, Frame, Position, World,
    bsp::PhysicsMesh,
    coords::BLOCK_SIDE,
    geometry::{Cylinder, Sphere},
};

/// What can be collided with.
#[derive(Default)]
pub struct Geometry {
    /// Corners of triangles.
    pub vertices: Vec<Vec3>,
    /// Triangles.
    pub triangles: Vec<[u32; 3]>,
    /// Upright cylinders.
    pub cylinders: Vec<Cylinder>,
    /// Spheres.
    pub spheres: Vec<Sphere>,
}

/// Where a position is, seen from the corner of a block.
pub fn at(base: BlockId, position: &Position) -> Vec3 {
    position.frame.origin + offset(base, position.cell.block())
}

fn offset(base: BlockId, block: BlockId) -> Vec3 {
    let blocks = |to: u8, from: u8| (f32::from(to) - f32::from(from)) * BLOCK_SIDE;
    Vec3::new(blocks(block.x(), base.x()), blocks(block.y(), base.y()), 0.0)
}

impl Geometry {
    /// Everything that is loaded: ground, rooms, shells of buildings, and the objects of the scene.
    pub fn of(world: &World, scene: &Scene, base: BlockId) -> Geometry {
        let mut geometry = Geometry::default();
        for id in world.block_ids() {
            let Some(block) = world.block_data(id) else { continue };
            let shift = offset(base, id);
            if block.has_land {
                let halves = (0..64).flat_map(|cell| [(cell, 0), (cell, 1)]);
                halves.for_each(|(cell, half)| geometry.face(&block.terrain.triangle(cell, half), shift));
            }
            for cell in block.env_cells.iter().flatten() {
                if let Some(mesh) = &cell.structure.physics {
                    geometry.mesh(mesh, &cell.position.frame, 1.0, shift);
                }
            }
            for building in &block.buildings {
                if let Some(mesh) = building.shell_at(0.0).and_then(|shell| shell.physics.as_ref()) {
                    geometry.mesh(mesh, &building.shell.frame, 1.0, shift);
                }
            }
        }
        for (_, entity) in scene.entities() {
            if entity.cell.is_none() || entity.state.contains(State::ETHEREAL) {
                continue;
            }
            let shift = offset(base, entity.position.cell.block());
            let place = |p: Vec3| entity.position.frame.apply(p * entity.scale) + shift;
            if entity.state.contains(State::HAS_PHYSICS_BSP) {
                for part in entity.parts() {
                    if let Some(mesh) = &part.mesh.physics {
                        let shift = offset(base, part.position.cell.block());
                        geometry.mesh(mesh, &part.position.frame, part.scale, shift);
                    }
                }
            } else if !entity.model.cylinders.is_empty() {
                geometry.cylinders.extend(entity.model.cylinders.iter().map(|shape| Cylinder {
                    low: place(shape.low),
                    radius: shape.radius * entity.scale,
                    height: shape.height * entity.scale,
                }));
            } else {
                geometry.spheres.extend(entity.model.spheres.iter().map(|shape| Sphere {
                    center: place(shape.center),
                    radius: shape.radius * entity.scale,
                }));
            }
        }
        geometry
    }

    fn mesh(&mut self, mesh: &PhysicsMesh, frame: &Frame, scale: f32, shift: Vec3) {
        for polygon in mesh.polygons.polygons() {
            let corners: Vec<Vec3> =
                mesh.polygons.vertices(polygon).map(|p| frame.apply(p * scale)).collect();
            self.face(&corners, shift);
        }
    }

    /// Adds a convex face as a fan.
    fn face(&mut self, corners: &[Vec3], shift: Vec3) {
        let first = self.vertices.len() as u32;
        self.vertices.extend(corners.iter().map(|&corner| corner + shift));
        self.triangles.extend((1..corners.len().saturating_sub(1) as u32).map(|i| [first, first + i, first + i + 1]));
    }
}
