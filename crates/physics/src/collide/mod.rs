//! Collisions of a trial position: ground, rooms, shells and objects. Spec: physics-cells §4, physics-spheres §6.

mod cell;
mod cylinder;
mod dispatch;
mod ground;
mod slide;
mod sphere;
mod target;
#[cfg(test)]
mod tests;

pub(crate) use ground::Ground;
