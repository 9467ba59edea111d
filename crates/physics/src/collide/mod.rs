//! What a trial position runs into: ground, rooms, shells and objects. Spec: physics-cells §4, physics-spheres §6.

mod cell;
mod cylinder;
mod dispatch;
#[cfg(test)]
mod examples;
mod ground;
mod slide;
mod sphere;
mod target;
