//! A hash of a mesh's input: when it changes, the mesh must be rebuilt.

use crate::{
    Agent, Gateway, Surroundings,
    lattice::{REACH, neighbours},
    surroundings::Meaning,
};
use glam::Vec3;
use threshold_physics::{Entity, EntityKey, State};
use threshold_world::{
    BlockId, Frame, Position,
    coords::BLOCK_SIDE,
    geometry::{PolygonSet, Sphere},
};

/// Words that are mixed one after the other; the same on every machine.
#[derive(Clone, Copy)]
pub(crate) struct Signature(u64);

impl Signature {
    fn new() -> Signature {
        Signature(0xCBF2_9CE4_8422_2325)
    }

    fn word(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    }

    fn long(&mut self, long: u64) {
        self.word(long as u32);
        self.word((long >> 32) as u32);
    }

    fn number(&mut self, number: f32) {
        self.word(number.to_bits());
    }

    fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|v| self.number(v));
    }

    fn frame(&mut self, frame: &Frame) {
        self.vector(frame.origin);
        <[f32; 4]>::from(frame.rotation()).into_iter().for_each(|v| self.number(v));
    }

    fn sphere(&mut self, sphere: &Sphere) {
        self.vector(sphere.center);
        self.number(sphere.radius);
    }

    fn polygons(&mut self, set: &PolygonSet) {
        for polygon in set.polygons() {
            set.vertices(polygon).for_each(|v| self.vector(v));
        }
    }

    /// Everything that the mesh of a block depends on: what is loaded of it and of those around it, and what stands there.
    pub(crate) fn of_block(around: &Surroundings<'_>, block: BlockId) -> u64 {
        let mut signature = Signature::new();
        for id in neighbours(block) {
            signature.word(id.0.into());
            signature.long(around.ground_signature(id));
        }
        let middle = Vec3::new(BLOCK_SIDE / 2.0, BLOCK_SIDE / 2.0, 0.0);
        let center = Position::new(block.cell(1), Frame::at(middle));
        let near = |entity: &Entity| {
            let at = center.offset_to(&entity.position).truncate();
            entity.cell.is_some() && at.abs().max_element() <= BLOCK_SIDE / 2.0 + REACH
        };
        let objects = around.scene.entities().filter(|(_, entity)| near(entity));
        let objects = objects.map(|(key, entity)| match around.object_signature(key, entity) {
            0 => 0,
            place => place.wrapping_add(shape(entity)),
        });
        objects.fold(signature.0, u64::wrapping_add)
    }

    fn land(&mut self, around: &Surroundings<'_>, id: BlockId) {
        let Some(land) = around.world.landscape(id) else { return };
        for sample in 0..81 {
            self.number(land.terrain.height(sample));
            self.word(land.terrain.terrain_type(sample).into());
        }
        for building in &land.buildings {
            self.frame(&building.shell.frame);
            let parts = building.model.iter().flat_map(|model| &model.parts);
            for mesh in parts.filter_map(|part| part.mesh.as_ref()) {
                mesh.physics.iter().for_each(|physics| self.polygons(&physics.polygons));
            }
        }
    }

    fn rooms(&mut self, around: &Surroundings<'_>, id: BlockId) {
        let Some(block) = around.world.block_data(id) else { return };
        for room in block.env_cells.iter().flatten().filter(|room| around.world.env_cell(room.id()).is_some())
        {
            self.word(room.id().0);
            self.frame(&room.position.frame);
            self.word(room.portals.len() as u32);
            self.polygons(&room.structure.portal_polygons);
            room.structure.physics.iter().for_each(|physics| self.polygons(&physics.polygons));
        }
    }
}

impl Surroundings<'_> {
    /// What is loaded of a block, as a number: its land, buildings and rooms, without the objects.
    pub fn ground_signature(&self, block: BlockId) -> u64 {
        let mut signature = Signature::new();
        signature.land(self, block);
        signature.rooms(self, block);
        signature.0
    }

    /// What of an object meshes depend on, as a number to be added to those of other objects, as their order does not matter: 0 when they do not depend on it.
    pub fn object_signature(&self, key: EntityKey, entity: &Entity) -> u64 {
        let mut signature = Signature::new();
        match self.meaning(key, entity) {
            Meaning::None => return 0,
            Meaning::Obstacle => {}
            Meaning::Gateway(id, Gateway::Door) => [1, id].into_iter().for_each(|word| signature.word(word)),
            Meaning::Gateway(id, _) => [2, id].into_iter().for_each(|word| signature.word(word)),
        }
        signature.word(entity.model.id.0);
        signature.number(entity.scale);
        // Whether a door stands open does not matter: bodies that make meshes pass them.
        signature.word((entity.state - State::ETHEREAL).bits());
        signature.word(entity.position.cell.0);
        signature.frame(&entity.position.frame);
        signature.0
    }
}

/// What of an object's model others hit.
fn shape(entity: &Entity) -> u64 {
    let mut signature = Signature::new();
    entity.model.spheres.iter().for_each(|sphere| signature.sphere(sphere));
    for cylinder in &entity.model.cylinders {
        signature.sphere(&Sphere { center: cylinder.low, radius: cylinder.radius });
        signature.number(cylinder.height);
    }
    for mesh in entity.model.parts.iter().filter_map(|part| part.mesh.as_ref()) {
        mesh.physics_sphere.iter().for_each(|sphere| signature.sphere(sphere));
        signature.word(mesh.physics.as_ref().map_or(0, |physics| physics.polygons.polygons().len() as u32));
    }
    signature.0
}

impl Agent {
    /// Everything about a body that meshes depend on.
    pub(crate) fn signature(&self) -> u64 {
        let mut signature = Signature::new();
        signature.word(self.model.id.0);
        [self.scale, self.pace, self.model.height, self.model.step_up, self.model.step_down]
            .into_iter()
            .for_each(|v| signature.number(v));
        self.model.spheres.iter().for_each(|sphere| signature.sphere(sphere));
        signature.word(u32::from(self.role.is_player) | u32::from(self.role.bypasses_restrictions) << 1);
        signature.0
    }
}
