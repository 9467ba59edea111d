//! Cells that are tested over and over: a step down and its confirmation come back to the same one or two.

use super::Sweep;
use crate::scene::EntityKey;
use threshold_world::{Cell, CellId};

/// A cell and the objects in it, none of which change during a sweep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TestedCell<'w> {
    pub(crate) id: CellId,
    /// None when it is not loaded.
    pub(crate) cell: Option<Cell<'w>>,
    /// The list of the cell; empty when there is nothing in it but the mover.
    pub(crate) objects: &'w [EntityKey],
}

/// The cells that were looked up last. Neighbours on the ground have different places.
#[derive(Debug)]
pub(super) struct Tested<'w>([TestedCell<'w>; 2]);

impl Default for Tested<'_> {
    fn default() -> Self {
        Tested([TestedCell { id: CellId::NONE, cell: None, objects: &[] }; 2])
    }
}

impl<'w> Sweep<'w> {
    /// A cell, and what is in it.
    #[inline]
    pub(crate) fn look_into(&mut self, id: CellId) -> TestedCell<'w> {
        let place = (id.0 ^ id.0 >> 3) as usize & 1;
        if self.tested.0[place].id != id {
            let objects = match self.scene.shadows_in(id) {
                [only] if Some(*only) == self.mover.entity => &[],
                objects => objects,
            };
            self.tested.0[place] = TestedCell { id, cell: self.world.cell(id), objects };
        }
        self.tested.0[place]
    }
}
