//! Sources of objects, and what the renderer needs to know about each.

use threshold_dat::{DatId, records};
use threshold_world::{
    CellId, Frame, Position,
    geometry::{Aabb, Cylinder, Sphere},
};

/// An object as its keeper describes it.
#[derive(Clone, Copy, Debug)]
pub struct SourceObject<'a> {
    /// The keeper's number of the object, which no other object ever has.
    pub key: u64,
    /// GfxObj or Setup.
    pub model: DatId,
    /// Where it is.
    pub position: Position,
    /// Its size.
    pub scale: f32,
    /// It never moves.
    pub is_fixed: bool,
    /// Nothing of it is drawn.
    pub is_hidden: bool,
    /// Cells whose lists name it, in order.
    pub cells: &'a [CellId],
    /// Where its keeper's animator has the parts, in the object and before its scale; `None` when the keeper does not
    /// animate it.
    pub pose: Option<&'a [records::Frame]>,
}

/// A shape by which an object is hit, in the coordinates of the block that the object is in.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Bounds of a part with a physics tree.
    Box {
        /// In the part's own space.
        bounds: Aabb,
        /// The part's place.
        frame: Frame,
        /// Its size.
        scale: f32,
    },
    /// An upright cylinder.
    Cylinder(Cylinder),
    /// A sphere.
    Sphere(Sphere),
}

/// Holds the objects that the stage shows.
pub trait ObjectSource {
    /// Calls `visit` with every object that is somewhere in the loaded world, always in the same order.
    fn objects(&self, visit: &mut dyn FnMut(&SourceObject<'_>));

    /// Whether an object exists, loaded or not.
    fn contains(&self, key: u64) -> bool;

    /// Calls `visit` with every object in a cell's list and the shapes it is hit by.
    fn shapes_in(&self, cell: CellId, visit: &mut dyn FnMut(&SourceObject<'_>, &[Shape]));
}
