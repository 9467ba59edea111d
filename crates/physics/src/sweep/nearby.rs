//! Objects that a sweep may touch.
//!
//! A sweep tests the list of a cell repeatedly, a little farther on or lower down each time, and skips the objects that are
//! too far away. In a long list those that are too far away for all of these tests are skipped once: the sweep picks the
//! objects near a circle around the mover. If the mover leaves the circle, a new one is chosen.

use super::Sweep;
use crate::scene::{EntityKey, on_map};
use glam::{Vec2, Vec3};
use std::ops::Range;
use threshold_world::{BlockId, CellId};

/// Lists from this length on are long.
pub(crate) const LONG: usize = 16;
/// Lists up to this length are tested as they are: that costs less than finding out what is far away.
pub(crate) const SHORT: usize = 2;
/// How far the mover may come before there is another circle.
const ROAM: f32 = 0.5;

/// An object of a list, and its place there.
#[derive(Clone, Copy, Debug)]
struct Picked {
    place: u32,
    key: EntityKey,
}

/// What has been picked so far.
#[derive(Debug, Default)]
pub(super) struct Nearby {
    /// The middle of the circle, and the block whose coordinates it is in.
    center: Vec2,
    block: BlockId,
    /// Distance from it within which the middles of all spheres of the mover stay; `None` before the first circle.
    roam: Option<f32>,
    lists: Vec<(CellId, Range<usize>)>,
    picked: Vec<Picked>,
}

impl Nearby {
    /// Another sweep begins.
    #[inline]
    pub(super) fn clear(&mut self) {
        self.roam = None;
    }
}

/// A circle on the map around everything of the mover that can hit an object where the trial is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    center: Vec2,
    radius: f32,
}

impl Sweep<'_> {
    /// Where the trial is on the map.
    #[inline]
    pub(crate) fn surroundings(&self) -> Surroundings {
        let path = &self.path;
        let origin = path.trial.frame.origin.truncate();
        let [a, b, c, d] = path.trial_centers();
        let away = |center: Vec3| (center.truncate() - origin).abs();
        // Never less than the distance, and needs no root.
        let away = away(a).max(away(b)).max(away(c).max(away(d))).element_sum();
        Surroundings { center: on_map(path.trial.cell.block(), origin), radius: away + self.widest() }
    }

    /// Whether an object may be there.
    #[inline]
    pub(crate) fn may_touch(&self, key: EntityKey, there: &Surroundings) -> bool {
        self.scene.extent(key).is_within(there.radius, there.center)
    }

    /// The radius of the mover's larger sphere.
    #[inline]
    fn widest(&self) -> f32 {
        self.path.body.iter().map(|sphere| sphere.radius.abs()).fold(0.0, f32::max)
    }

    /// The next object of a cell's list, from a place in it on, that may be where the trial is; and its place.
    pub(crate) fn next_nearby(
        &mut self,
        cell: CellId,
        list: &[EntityKey],
        from: u32,
    ) -> Option<(u32, EntityKey)> {
        let centers = self.path.trial_centers().map(|center| center.truncate());
        let block = self.path.trial.cell.block();
        let widest = self.widest();
        let near = &mut *self.near;
        let is_within =
            |roam: f32| centers.iter().all(|center| center.distance_squared(near.center) <= roam * roam);
        if near.block != block || !near.roam.is_some_and(is_within) {
            near.block = block;
            near.center = self.path.trial.frame.origin.truncate();
            let away = centers.map(|center| center.distance(near.center));
            near.roam = Some(away.into_iter().fold(0.0, f32::max) + ROAM);
            near.lists.clear();
            near.picked.clear();
        }
        let known = near.lists.iter().find(|(id, _)| *id == cell);
        let range = match known {
            Some((_, range)) => range.clone(),
            None => {
                let (distance, first) = (near.roam.unwrap_or(0.0) + widest, near.picked.len());
                let (scene, middle) = (self.scene, on_map(block, near.center));
                let listed = (0..).zip(list).map(|(place, &key)| Picked { place, key });
                near.picked.extend(listed.filter(|at| scene.extent(at.key).is_within(distance, middle)));
                let range = first..near.picked.len();
                near.lists.push((cell, range.clone()));
                range
            }
        };
        let next = near.picked[range].iter().find(|picked| picked.place >= from)?;
        Some((next.place, next.key))
    }
}
