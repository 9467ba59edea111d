//! What meshes depend on, as numbers: one for every loaded block, kept up to date with little work.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_nav::Surroundings;
use threshold_physics::{Entity, EntityKey, State};
use threshold_world::{BlockId, Frame, Position, landblock::Landblock, model::Model};

/// What a mesh depends on, as a number.
pub(crate) type Signature = u64;

/// What is loaded of a block, with the number that stands for it.
struct Ground {
    block: Arc<Landblock>,
    has_land: bool,
    rooms: u64,
    signature: Signature,
}

/// What an object adds to the signature of its block, with everything that follows from the object itself. Most objects never change,
/// and comparing is much cheaper than computing a signature.
struct Share {
    key: EntityKey,
    /// Whether an object with a game id is a door or a portal does not follow from the object.
    has_guid: bool,
    model: Arc<Model>,
    scale: f32,
    state: State,
    position: Position,
    is_in_cell: bool,
    is_held: bool,
    is_creature: bool,
    signature: Signature,
}

impl Share {
    fn new(around: &Surroundings<'_>, key: EntityKey, entity: &Entity) -> Share {
        let is_in_cell = entity.cell.is_some();
        Share {
            key,
            has_guid: entity.guid.is_some(),
            model: entity.model.clone(),
            scale: entity.scale,
            state: entity.state,
            position: entity.position,
            is_in_cell,
            is_held: entity.parent.is_some(),
            is_creature: entity.role.is_creature(),
            signature: if is_in_cell { around.object_signature(key, entity) } else { 0 },
        }
    }

    /// Whether it is certainly still what the object adds.
    #[inline]
    fn holds(&self, key: EntityKey, entity: &Entity) -> bool {
        self.key == key
            && !self.has_guid
            && entity.guid.is_none()
            && self.state == entity.state
            && self.position.cell == entity.position.cell
            && is_same_frame(&self.position.frame, &entity.position.frame)
            && self.is_in_cell == entity.cell.is_some()
            && self.is_held == entity.parent.is_some()
            && self.is_creature == entity.role.is_creature()
            && self.scale.to_bits() == entity.scale.to_bits()
            && Arc::ptr_eq(&self.model, &entity.model)
    }
}

/// Bit for bit, as signatures are.
#[inline]
fn is_same_frame(a: &Frame, b: &Frame) -> bool {
    a.origin.to_array().map(f32::to_bits) == b.origin.to_array().map(f32::to_bits)
        && a.rotation().is_same(b.rotation())
}

/// The signatures of all loaded blocks.
#[derive(Default)]
pub(crate) struct Signatures {
    blocks: BTreeMap<BlockId, Signature>,
    /// As far as they depend on nothing but what is loaded, and the version of the world that they are of.
    ground: BTreeMap<BlockId, Ground>,
    ground_version: Option<u64>,
    /// In the order of the scene.
    shares: Vec<Share>,
}

impl Signatures {
    /// Of a block and those around it.
    pub(crate) fn around(&self, block: BlockId) -> Signature {
        let near = |v: u8| v.saturating_sub(1)..=v.saturating_add(1);
        let blocks = near(block.x()).flat_map(|x| near(block.y()).map(move |y| BlockId::new(x, y)));
        blocks.fold(1, |hash, id| mix(hash, self.blocks.get(&id).copied().unwrap_or(0)))
    }

    /// Brings them up to date; the blocks whose signatures have changed.
    pub(crate) fn refresh(&mut self, around: &Surroundings<'_>) -> BTreeSet<BlockId> {
        let has_same_ground = self.ground_version == Some(around.world.version());
        let has_same_objects = self.refresh_shares(around);
        if has_same_ground && has_same_objects {
            return BTreeSet::new();
        }
        self.refresh_ground(around);
        let mut blocks: BTreeMap<BlockId, Signature> =
            self.ground.iter().map(|(&id, ground)| (id, ground.signature)).collect();
        for share in self.shares.iter().filter(|share| share.signature != 0) {
            if let Some(signature) = blocks.get_mut(&share.position.cell.block()) {
                *signature = signature.wrapping_add(share.signature);
            }
        }
        let before = std::mem::replace(&mut self.blocks, blocks);
        let ids = before.keys().chain(self.blocks.keys()).copied();
        ids.filter(|id| before.get(id) != self.blocks.get(id)).collect()
    }

    /// Looks at every object; whether all add what they added before.
    fn refresh_shares(&mut self, around: &Surroundings<'_>) -> bool {
        let (mut is_same, mut count) = (true, 0);
        let mut entities = around.scene.entities();
        for (known, (key, entity)) in self.shares.iter_mut().zip(&mut entities) {
            count += 1;
            if !known.holds(key, entity) {
                let share = Share::new(around, key, entity);
                let is_elsewhere = share.position.cell.block() != known.position.cell.block();
                is_same &= share.signature == known.signature && !(is_elsewhere && share.signature != 0);
                *known = share;
            }
        }
        // `zip` takes a share before it finds out that there is no object for it, and never loses an object.
        let before = self.shares.len();
        self.shares.truncate(count);
        self.shares.extend(entities.map(|(key, entity)| Share::new(around, key, entity)));
        is_same && self.shares.len() == before && count == before
    }

    /// What is loaded. Geometry is looked at once.
    fn refresh_ground(&mut self, around: &Surroundings<'_>) {
        let version = around.world.version();
        if self.ground_version == Some(version) {
            return;
        }
        self.ground_version = Some(version);
        let mut before = std::mem::take(&mut self.ground);
        for id in around.world.block_ids() {
            let Some(block) = around.world.block_data(id) else { continue };
            let has_land = around.world.landscape(id).is_some();
            let rooms = block.env_cells.iter().flatten().map(|room| room.id());
            let rooms = rooms.filter(|&room| around.world.env_cell(room).is_some());
            let rooms = rooms.fold(0, |hash, room| mix(hash, room.0.into()));
            let is_same = |ground: &Ground| {
                Arc::ptr_eq(&ground.block, block) && (ground.has_land, ground.rooms) == (has_land, rooms)
            };
            let ground = before.remove(&id).filter(is_same).unwrap_or_else(|| Ground {
                block: block.clone(),
                has_land,
                rooms,
                signature: mix(around.ground_signature(id), u64::from(has_land)),
            });
            self.ground.insert(id, ground);
        }
    }
}

/// Mixes a word into a hash.
pub(crate) fn mix(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(5)
}
