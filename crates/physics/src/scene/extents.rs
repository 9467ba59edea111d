//! Horizontal extents of objects, contiguous in memory, so that a sweep can skip distant objects without looking at them.
//!
//! An extent is exact or unknown. Anything that may change an object
//! ([`Entities::get_mut`](super::entities::Entities::get_mut)) makes its extent unknown until the next
//! [`Entities::measure`](super::entities::Entities::measure); an unknown extent counts as near everything. An object that is
//! committed early ([`alone`](super::alone)) gets its new extent at its turn: before that, nobody near it looks.

use super::{Entity, EntityKey, Part};
use crate::flags::State;
use glam::{Vec2, Vec3};
use threshold_world::{BlockId, Position, coords::BLOCK_SIDE};

/// Given away to rounding: metres from the corner of the map have steps of 4 mm at its far end.
pub(super) const ROUNDING: f32 = 0.05;
/// Unknown extents that are measured before a single sweep: one may be the mover's own.
const MANY: usize = 2;

/// A place on the map, in metres from its south-western corner.
pub(crate) fn on_map(block: BlockId, origin: Vec2) -> Vec2 {
    origin + Vec2::new(f32::from(block.x()), f32::from(block.y())) * BLOCK_SIDE
}

/// A circle on the map; every shape of an object that can be hit lies above it or below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    center: Vec2,
    radius: f32,
}

impl Extent {
    const UNKNOWN: Extent = Extent { center: Vec2::NAN, radius: f32::NAN };

    pub(super) fn of(entity: &Entity) -> Extent {
        let Position { cell, frame } = entity.position;
        let model = &entity.model;
        let across = |at: Vec3| frame.rotate(at * entity.scale).truncate().length();
        let round = |at: Vec3, radius: f32| across(at) + (radius * entity.scale).abs();
        let farthest = if entity.state.contains(State::HAS_PHYSICS_BSP) {
            let part = |part: &Part| {
                entity.position.offset_to(&part.position).truncate().length() + part.reach.abs()
            };
            entity.parts.iter().map(part).fold(0.0, f32::max)
        } else if frame.is_upright() {
            entity.girth
        } else if !model.cylinders.is_empty() {
            model.cylinders.iter().map(|shape| round(shape.low, shape.radius)).fold(0.0, f32::max)
        } else {
            model.spheres.iter().map(|shape| round(shape.center, shape.radius)).fold(0.0, f32::max)
        };
        Extent { center: on_map(cell.block(), frame.origin.truncate()), radius: farthest + ROUNDING }
    }

    /// Whether any of it may be within a distance of a place.
    #[inline]
    pub(crate) fn is_within(&self, distance: f32, of: Vec2) -> bool {
        let reach = self.radius + distance;
        let is_out = self.center.distance_squared(of) > reach * reach;
        !is_out
    }

    /// Whether any of it may be within a distance of another one's middle.
    #[inline]
    pub(super) fn is_near(&self, distance: f32, other: &Extent) -> bool {
        self.is_within(distance + ROUNDING, other.center)
    }
}

/// The extents of all objects, by slot.
#[derive(Debug, Default)]
pub(super) struct Extents {
    extents: Vec<Extent>,
    /// Slots whose extents are unknown; some of them may have no object any more, or have been measured since.
    unknown: Vec<u32>,
}

impl Extents {
    #[inline]
    pub(super) fn get(&self, key: EntityKey) -> &Extent {
        self.extents.get(key.slot as usize).unwrap_or(&Extent::UNKNOWN)
    }

    /// There is a new object in a slot, or one that may change.
    #[inline(never)]
    pub(super) fn forget(&mut self, slot: u32) {
        let at = slot as usize;
        if self.extents.len() <= at {
            self.extents.resize(at + 1, Extent::UNKNOWN);
        }
        self.extents[at] = Extent::UNKNOWN;
        self.unknown.push(slot);
    }

    /// Whether so many are unknown that it is time to measure them.
    #[inline]
    pub(super) fn are_many_unknown(&self) -> bool {
        self.unknown.len() >= MANY
    }

    /// A slot whose extent is to be measured.
    #[inline]
    pub(super) fn next_unknown(&mut self) -> Option<u32> {
        let Extents { extents, unknown } = self;
        let is_unknown = |slot: u32| extents.get(slot as usize).is_some_and(|known| known.radius.is_nan());
        std::iter::from_fn(|| unknown.pop()).find(|&slot| is_unknown(slot))
    }

    /// An object has been measured.
    pub(super) fn set(&mut self, slot: u32, extent: Extent) {
        if let Some(known) = self.extents.get_mut(slot as usize) {
            *known = extent;
        }
    }
}
