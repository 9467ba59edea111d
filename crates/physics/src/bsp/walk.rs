//! The way down a physics tree. Spec: physics-bsp §5.4.
//!
//! Four of the five questions differ only in what they do at a leaf and, at planes that the sphere barely reaches, in which
//! sides they go to. The fifth ([`super::hits_solid_polygon`]) goes to the nearer side first, and its answer depends on the
//! branch that it comes out of, so that it walks by itself.

use super::node;
use threshold_world::{
    bsp::{PhysicsMesh, PhysicsNode},
    geometry::Sphere,
};

/// Which children of a node a sphere is to be taken to.
pub(super) enum Sides {
    Positive,
    Negative,
    Both,
    Neither,
}

impl Sides {
    /// The sides of a plane at a distance from the sphere's centre; both where nothing rules one out.
    #[inline(always)]
    pub(super) fn touched(distance: f32, reach: f32) -> Sides {
        if distance >= reach {
            Sides::Positive
        } else if distance <= -reach {
            Sides::Negative
        } else {
            Sides::Both
        }
    }

    /// As [`Sides::touched`], but a sphere without any reach touches neither.
    #[inline(always)]
    pub(super) fn reached(distance: f32, reach: f32) -> Sides {
        match (distance > -reach, distance < reach) {
            (true, true) => Sides::Both,
            (true, false) => Sides::Positive,
            (false, true) => Sides::Negative,
            (false, false) => Sides::Neither,
        }
    }
}

/// A leaf that a walk has come to.
pub(super) struct Leaf<'m> {
    pub(super) bounds: &'m Sphere,
    pub(super) is_solid: bool,
    pub(super) first: u32,
    pub(super) count: u32,
    /// The sphere's centre lies in it, if it was asked where the centre is.
    pub(super) has_center: bool,
}

/// A question that a sphere asks on its way down.
pub(super) trait Visitor {
    fn sphere(&self) -> &Sphere;

    fn sides(distance: f32, reach: f32) -> Sides;

    /// True ends the walk.
    fn visit(&mut self, mesh: &PhysicsMesh, leaf: &Leaf<'_>) -> bool;
}

/// Takes a visitor to the leaves that its sphere touches, the positive side of every plane first, until one answers. With
/// `center` it is told which of them holds the sphere's centre.
pub(super) fn walk<V: Visitor>(
    mesh: &PhysicsMesh,
    mut index: u32,
    reach: f32,
    mut center: bool,
    visitor: &mut V,
) -> bool {
    loop {
        match node(mesh, index) {
            None => return false,
            Some(PhysicsNode::Inner { sphere: bounds, plane, positive, negative }) => {
                if !bounds.is_near(visitor.sphere()) {
                    return false;
                }
                let distance = plane.distance(visitor.sphere().center);
                match V::sides(distance, reach) {
                    Sides::Positive => index = *positive,
                    Sides::Negative => index = *negative,
                    Sides::Neither => return false,
                    Sides::Both => {
                        let in_front = distance >= 0.0;
                        if walk(mesh, *positive, reach, center && in_front, visitor) {
                            return true;
                        }
                        index = *negative;
                        center &= !in_front;
                    }
                }
            }
            Some(&PhysicsNode::Leaf { sphere: ref bounds, solid, first, count }) => {
                let leaf = Leaf { bounds, is_solid: solid, first, count, has_center: center };
                return visitor.visit(mesh, &leaf);
            }
        }
    }
}
