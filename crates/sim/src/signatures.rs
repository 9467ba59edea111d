//! What meshes depend on, as numbers: one for every loaded block, kept up to date with little work.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_nav::Surroundings;
use threshold_physics::{Entity, EntityKey};
use threshold_world::{BlockId, landblock::Landblock};

/// What a mesh depends on, as a number.
pub(crate) type Signature = u64;

/// What is loaded of a block, with the number that stands for it.
struct Ground {
    block: Arc<Landblock>,
    has_land: bool,
    rooms: u64,
    signature: Signature,
}

/// Everything that the signature of an object without a game id is computed from.
#[derive(Clone, Copy, PartialEq)]
struct Stamp {
    key: EntityKey,
    model: u32,
    scale: u32,
    state: u32,
    cell: u32,
    is_in_cell: bool,
    is_held: bool,
    is_creature: bool,
    place: [u32; 3],
    rotation: [u32; 4],
}

impl Stamp {
    fn new(key: EntityKey, entity: &Entity) -> Stamp {
        Stamp {
            key,
            model: entity.model.id.0,
            scale: entity.scale.to_bits(),
            state: entity.state.bits(),
            cell: entity.position.cell.0,
            is_in_cell: entity.cell.is_some(),
            is_held: entity.parent.is_some(),
            is_creature: entity.role.is_creature(),
            place: entity.position.frame.origin.to_array().map(f32::to_bits),
            rotation: <[f32; 4]>::from(entity.position.frame.rotation()).map(f32::to_bits),
        }
    }
}

/// What an object adds to the signature of its block. Most objects never change, and looking at a stamp is much cheaper
/// than computing a signature.
#[derive(Clone, Copy)]
struct Share {
    /// `None` for an object with a game id: whether it is a door or a portal is not for the object to say.
    stamp: Option<Stamp>,
    block: BlockId,
    signature: Signature,
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
            if let Some(signature) = blocks.get_mut(&share.block) {
                *signature = signature.wrapping_add(share.signature);
            }
        }
        let before = std::mem::replace(&mut self.blocks, blocks);
        let ids = before.keys().chain(self.blocks.keys()).copied();
        ids.filter(|id| before.get(id) != self.blocks.get(id)).collect()
    }

    /// Looks at every object; whether all add what they added before.
    fn refresh_shares(&mut self, around: &Surroundings<'_>) -> bool {
        let mut is_same = true;
        let mut count = 0;
        for (key, entity) in around.scene.entities() {
            let known = self.shares.get(count).copied();
            count += 1;
            let stamp = entity.guid.is_none().then(|| Stamp::new(key, entity));
            if stamp.is_some() && known.is_some_and(|known| known.stamp == stamp) {
                continue;
            }
            let is_there = entity.cell.is_some();
            let signature = if is_there { around.object_signature(key, entity) } else { 0 };
            let share = Share { stamp, block: entity.position.cell.block(), signature };
            is_same &= known.map(|known| (known.block, known.signature)) == Some((share.block, signature))
                || signature == 0 && known.is_some_and(|known| known.signature == 0);
            match self.shares.get_mut(count - 1) {
                Some(slot) => *slot = share,
                None => self.shares.push(share),
            }
        }
        is_same &= self.shares.len() == count;
        self.shares.truncate(count);
        is_same
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
