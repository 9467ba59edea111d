//! A block with its objects in it.

use super::{Verdict, door, opening::Opening, rest};
use crate::{ClassKind, Database, Object};
use glam::Vec3;
use std::collections::BTreeMap;
use threshold_physics::{EntityKey, Spawn, State, cast::Blockers};
use threshold_sim::{Hit, SimError, Simulation};
use threshold_world::{
    BlockId, CellId, Frame, Position, coords::adjust_to_outside, geometry::Aabb, placed::seat_without_cell,
};

/// An object that is judged.
pub(super) struct Subject {
    pub(super) object: Object,
    /// Its shape in its own space, at its size; none when it has nothing to see.
    pub(super) bounds: Option<Aabb>,
    /// It never moves and players run into it.
    pub(super) is_solid: bool,
    /// Players see it.
    pub(super) is_seen: bool,
    /// It stands in the scene.
    pub(super) key: Option<EntityKey>,
}

impl Subject {
    fn new(object: Object, database: &Database) -> Subject {
        let bounds = object.bounds();
        let model = &object.model;
        let has_shape = model.has_physics_mesh() || !model.cylinders.is_empty() || !model.spheres.is_empty();
        let passes = State::ETHEREAL | State::IGNORE_COLLISIONS | State::HIDDEN;
        let is_unseen = database.class(object.class).is_some_and(|class| class.is_unseen());
        Subject {
            is_solid: has_shape && object.kind != ClassKind::Creature && !object.state.intersects(passes),
            is_seen: !is_unseen && !object.state.intersects(State::HIDDEN | State::NO_DRAW),
            bounds,
            object,
            key: None,
        }
    }
}

/// A block of the world with what stands in it.
pub(super) struct Site<'s> {
    pub(super) sim: &'s Simulation,
    pub(super) block: BlockId,
    pub(super) subjects: Vec<Subject>,
    pub(super) openings: Vec<Opening>,
}

impl<'s> Site<'s> {
    /// Puts objects into a block that is loaded, some of them where they would be right.
    pub(super) fn new(
        sim: &'s mut Simulation,
        database: &Database,
        block: BlockId,
        objects: Vec<Object>,
        right: &BTreeMap<u32, Option<Position>>,
    ) -> Result<Site<'s>, SimError> {
        let mut subjects: Vec<Subject> =
            objects.into_iter().map(|object| Subject::new(object, database)).collect();
        for subject in &mut subjects {
            // In the wrong cell: judged in the right one.
            if let Some(Some(right)) = right.get(&subject.object.guid) {
                subject.object.position = *right;
            }
        }
        let (world, scene) = sim.parts_mut();
        for subject in subjects.iter_mut().filter(|subject| subject.is_solid) {
            let spawn = Spawn { guid: None, ..subject.object.spawn() };
            subject.key = Some(scene.spawn(world, spawn)?);
        }
        let openings = sim.world().block_data(block).map_or_else(Vec::new, |block| Opening::all(block));
        Ok(Site { sim, block, subjects, openings })
    }

    /// What stands in the scene.
    pub(super) fn keys(&self) -> impl Iterator<Item = EntityKey> + '_ {
        self.subjects.iter().filter_map(|subject| subject.key)
    }

    /// What is wrong with where objects of some classes stand, by their game ids.
    pub(super) fn judge(&self, wanted: impl Fn(u32) -> bool) -> Result<Vec<(u32, Verdict)>, SimError> {
        let mut found = Vec::new();
        let filling = door::Filling::of(self);
        for (index, subject) in self.subjects.iter().enumerate() {
            let at = subject.object.position;
            if !wanted(subject.object.class) || at.cell.block() != self.block {
                continue;
            }
            let verdicts = self.judge_at(subject, index, &at, &filling)?;
            for mut verdict in verdicts {
                // A place that is wrong again is no fix.
                if let Some(fix) = verdict.fix
                    && !self.judge_at(subject, index, &fix, &filling.with(self, index, &fix))?.is_empty()
                {
                    verdict.fix = None;
                }
                found.push((subject.object.guid, verdict));
            }
        }
        Ok(found)
    }

    fn judge_at(
        &self,
        subject: &Subject,
        index: usize,
        at: &Position,
        filling: &door::Filling,
    ) -> Result<Vec<Verdict>, SimError> {
        match subject.object.kind {
            ClassKind::Door => Ok(door::judge(self, subject, index, at, filling)),
            ClassKind::Creature => rest::judge_creature(self, subject, at),
            _ => Ok(rest::judge(self, subject, index, at)),
        }
    }

    /// A point in the cell that it is in, as seen from the cell of an object.
    pub(super) fn seat(&self, cell: CellId, point: Vec3) -> Option<Position> {
        let place = Position::new(cell, Frame::at(point));
        if cell.is_interior() {
            let seated = self.sim.world().reseat(&place, Vec3::ZERO)?;
            // Outdoors, but below the ground: in a wall.
            let is_under = seated.cell.is_outdoor()
                && self.sim.ground_height(&seated).is_none_or(|ground| seated.frame.origin.z < ground);
            return (!is_under).then_some(seated);
        }
        let (cell, origin) = adjust_to_outside(cell, point)?;
        Some(Position::new(cell, Frame::at(origin)))
    }

    /// An object somewhere else, in the cell that is there.
    pub(super) fn moved(&self, at: &Position, frame: Frame) -> Position {
        let place = Position::new(at.cell, frame);
        if at.cell.is_interior() {
            if let Some(room) = self.sim.world().env_cell(at.cell)
                && room.contains(frame.origin)
            {
                return place;
            }
            let block = self.sim.world().block_data(at.cell.block());
            let found = block.and_then(|block| seat_without_cell(block, frame.origin));
            return found
                .map_or(place, |(cell, origin)| Position::new(cell, Frame::new(origin, frame.rotation())));
        }
        let found = adjust_to_outside(at.cell, frame.origin);
        found.map_or(place, |(cell, origin)| Position::new(cell, Frame::new(origin, frame.rotation())))
    }

    /// What a ray from somewhere meets within some metres, other than one object.
    pub(super) fn cast(
        &self,
        from: Position,
        direction: Vec3,
        reach: f32,
        ignored: Option<EntityKey>,
    ) -> Option<Hit> {
        let ignored = ignored.as_slice();
        let blockers = Blockers::Solid;
        self.sim.cast(&threshold_physics::cast::Cast { from, direction, reach, blockers, ignored })
    }

    /// The name of a placed object, or what else an object of the scene is.
    pub(super) fn name_of(&self, key: EntityKey) -> String {
        let placed = self.subjects.iter().find(|subject| subject.key == Some(key));
        match placed {
            Some(Subject { object, .. }) if object.name.is_empty() => format!("0x{:08X}", object.guid),
            Some(Subject { object, .. }) => format!("{} (0x{:08X})", object.name, object.guid),
            None => match self.sim.entity(key) {
                Ok(entity) => format!("a part of the world, {}", entity.model.id),
                Err(_) => "something".to_owned(),
            },
        }
    }
}
