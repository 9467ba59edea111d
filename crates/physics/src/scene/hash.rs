//! A hash of the state of everything that moves.

use super::{Entity, Scene};
use threshold_world::motion::Animator;

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
        if let Some(actor) = entity.actor() {
            self.add_animator(&actor.animator);
            self.add_managers(entity);
        }
    }

    fn add_animator(&mut self, animator: &Animator) {
        let sequence = animator.sequence();
        let state = animator.state();
        self.add(sequence.nodes().len() as u32);
        if let Some(node) = sequence.current() {
            self.add(node.animation().id.0);
            self.add(node.rate().to_bits());
        }
        let frame = sequence.frame_number().to_bits();
        self.add(frame as u32);
        self.add((frame >> 32) as u32);
        self.add_floats(sequence.velocity.to_array());
        self.add_floats(sequence.omega.to_array());
        self.add(state.style.0);
        self.add(state.substate.0);
        self.add(state.speed.to_bits());
        for (command, speed) in state.modifiers().chain(state.actions()) {
            self.add(command.0);
            self.add(speed.to_bits());
        }
        self.add(animator.pending().counter());
        for motion in animator.pending().motions() {
            self.add(motion.motion.0);
            self.add(motion.animations);
        }
    }

    fn add_managers(&mut self, entity: &Entity) {
        if let Some(interpreter) = entity.interpreter() {
            let state = &interpreter.interpreted;
            for command in [state.style, state.forward, state.side, state.turn] {
                self.add(command.0);
            }
            self.add_floats([state.forward_speed, state.side_speed, state.turn_speed, interpreter.run_rate]);
            self.add(interpreter.pending().len() as u32);
        }
        if let Some(move_to) = entity.move_to() {
            self.add(move_to.kind().map_or(0, |kind| kind.number()));
            self.add(move_to.nodes().len() as u32);
            self.add(move_to.command().0);
            self.add(move_to.aux().0);
        }
        if let Some(target) = entity.target_info() {
            self.add(target.object.number());
            self.add_floats(target.position.frame.origin.to_array());
        }
        if let Some(position) = entity.position_manager() {
            self.add(position.interpolation.nodes().len() as u32);
            self.add(position.interpolation.fails());
            self.add(position.sticky.map_or(0, |sticky| sticky.object.number() + 1));
            self.add(position.constraint.gone.to_bits());
        }
    }
}

impl Scene {
    /// A hash of the positions and motions of everything that moves.
    ///
    /// 64-bit FNV-1a over 32-bit words (offset basis 0xCBF29CE484222325, prime 0x100000001B3): the number of objects,
    /// then in order of keys for each of them its game id, loaded cell (0 for none), cell of its position, origin,
    /// rotation (w first), velocity (the bits of the f32), state word and transient bits; for one that moves by itself
    /// ([`Entity::actor`]) also its animations, commands and targets. Then, in the same way, statics that
    /// play something. The same input gives the same hash on
    /// every machine, in every build and with any number of threads.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Fnv(0xCBF2_9CE4_8422_2325);
        hash.add(self.movers.len() as u32);
        for entity in self.movers.iter().filter_map(|key| self.entities.get(key)) {
            hash.add_entity(entity);
        }
        for entity in self.playing_statics.iter().filter_map(|&key| self.entities.get(key)) {
            hash.add_entity(entity);
        }
        hash.0
    }
}
