//! Models of objects: meshes (GfxObj) and models made of them (Setup).

use crate::{
    bsp::PhysicsMesh,
    frame::Frame,
    geometry::{Aabb, Cylinder, Plane, PolygonSet, Sphere},
    ladder::Ladder,
};
use glam::Vec3;
use std::sync::Arc;
use threshold_dat::DatId;

/// A splitting node of a shell's drawing tree that carries openings.
#[derive(Clone, Debug, PartialEq)]
pub struct ShellOpening {
    /// The node's splitting plane.
    pub plane: Plane,
    /// Pairs of (index into [`Mesh::opening_polygons`], index of the building's portal).
    pub portals: Box<[(u16, u16)]>,
}

/// A mesh, reduced to what collision, placement and visibility need.
#[derive(Clone, Debug)]
pub struct Mesh {
    /// Its GfxObj.
    pub id: DatId,
    /// Collision geometry.
    pub physics: Option<PhysicsMesh>,
    /// Root sphere of the physics tree.
    pub physics_sphere: Option<Sphere>,
    /// Root sphere of the drawing tree.
    pub drawing_sphere: Option<Sphere>,
    /// Box of all vertices.
    pub bounds: Aabb,
    /// The first distance level is not an ordinary one; the outdoor flood then measures by sphere. Spec: physics-cells §3.10.
    pub flat_only: bool,
    /// The point that its distance from the eye is measured to.
    pub sort_center: Vec3,
    /// Other meshes for other distances.
    pub ladder: Option<Arc<Ladder>>,
    /// It has polygons to draw; others are there to be run into.
    pub is_drawn: bool,
    /// Portal nodes of the drawing tree in reversed post-order. Spec: visibility §2.2.
    pub openings: Box<[ShellOpening]>,
    /// Polygons that [`Mesh::openings`] refer to.
    pub opening_polygons: PolygonSet,
}

impl Mesh {
    /// The sphere that floods measure by: physics if there is one, else drawing.
    pub fn flood_sphere(&self) -> Option<Sphere> {
        self.physics_sphere.or(self.drawing_sphere)
    }

    /// The GfxObj that is drawn at a distance from the eye by a part with a height scale; `None` when nothing is.
    /// Spec: render-data §8, visibility §11 step 2.
    pub fn drawn_at(&self, distance: f32, z_scale: f32) -> Option<DatId> {
        match &self.ladder {
            Some(ladder) => ladder.levels()[ladder.select(distance, z_scale)].mesh,
            None => self.is_drawn.then_some(self.id),
        }
    }
}

/// One part of a [`Model`].
#[derive(Clone, Debug)]
pub struct ModelPart {
    /// The mesh; `None` when it is missing or broken.
    pub mesh: Option<Arc<Mesh>>,
    /// Where the default placement puts the part.
    pub frame: Frame,
    /// The part's own scale.
    pub scale: Vec3,
}

/// A place where a model holds things, such as a hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Holding {
    /// Its number in server messages.
    pub location: u32,
    /// The part that it is on; the object as a whole when there is no such part.
    pub part: usize,
    /// Relative to the part.
    pub frame: Frame,
}

/// A model: parts and collision shapes. A bare mesh becomes a model of one part.
#[derive(Clone, Debug)]
pub struct Model {
    /// Its Setup, or the GfxObj it was made from.
    pub id: DatId,
    /// Parts with their placement frames.
    pub parts: Box<[ModelPart]>,
    /// Collision cylinders.
    pub cylinders: Box<[Cylinder]>,
    /// Collision spheres; a mover uses the first two.
    pub spheres: Box<[Sphere]>,
    /// Height at scale 1.
    pub height: f32,
    /// Radius at scale 1.
    pub radius: f32,
    /// Highest step the model climbs, at scale 1.
    pub step_up: f32,
    /// Deepest step it follows down, at scale 1.
    pub step_down: f32,
    /// Fallback bounds for flooding.
    pub sorting_sphere: Sphere,
    /// Turns without being collided.
    pub free_heading: bool,
    /// Where it holds things.
    pub holdings: Box<[Holding]>,
    /// What it plays by default.
    pub motion: ModelMotion,
    /// Has a default animation or script, which plays even as part of a block or cell. Spec: motion §7.
    pub plays_when_static: bool,
}

/// What a model plays by default. Spec: motion §7.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ModelMotion {
    /// Nothing: it keeps its placement frame.
    #[default]
    None,
    /// An animation, over and over.
    Animation(DatId),
    /// The default state of a motion table.
    Table(DatId),
}

impl Model {
    /// The place that servers call by a number.
    pub fn holding(&self, location: u32) -> Option<&Holding> {
        self.holdings.iter().find(|holding| holding.location == location)
    }

    /// Whether any part has a physics tree; decides the HAS_PHYSICS_BSP state bit. Spec: physics-objects §8.9.
    pub fn has_physics_mesh(&self) -> bool {
        self.parts.iter().any(|p| p.mesh.as_ref().is_some_and(|m| m.physics.is_some()))
    }
}
