//! One number for the state of everything that moves.

use super::{Entity, Scene};

/// FNV-1a over 32-bit words instead of bytes: simple enough to be computed by anything that wants to compare.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, word: u32) {
        self.0 = (self.0 ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01B3);
    }

    fn add_floats(&mut self, floats: impl IntoIterator<Item = f32>) {
        for float in floats {
            self.add(float.to_bits());
        }
    }

    fn add_entity(&mut self, entity: &Entity) {
        self.add(entity.guid.unwrap_or(0));
        self.add(entity.cell.map_or(0, |cell| cell.0));
        self.add(entity.position.cell.0);
        self.add_floats(entity.position.frame.origin.to_array());
        self.add_floats(<[f32; 4]>::from(entity.position.frame.rotation()));
        self.add_floats(entity.velocity.to_array());
        self.add(entity.state.bits());
        self.add(entity.transient.bits());
    }
}

impl Scene {
    /// A hash of where everything that is not static is and how it moves.
    ///
    /// 64-bit FNV-1a over 32-bit words (offset basis 0xCBF29CE484222325, prime 0x100000001B3): the number of objects,
    /// then in order of keys for each of them its game id, loaded cell (0 for none), cell of its position, origin,
    /// rotation (w first), velocity (the bits of the f32), state word and transient bits. The same input gives the
    /// same hash on every machine, in every build and with any number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
        hash.add(self.movers.len() as u32);
        for entity in self.movers.iter().filter_map(|key| self.entities.get(key)) {
            hash.add_entity(entity);
        }
        hash.0
    }
}
