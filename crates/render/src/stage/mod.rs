//! The objects in the cells, as the picture sees them: models with poses, registered in every cell they touch.
//!
//! The stage tells the planner which objects are in a cell, and the executor how a part is drawn. It does not decide
//! where objects are, or in which cells: it follows an [`ObjectSource`] or explicit calls.

mod effects;
mod motion;
mod object;
mod source;
mod sync;

pub use object::{Object, PartDraw, Spawn};
pub use source::{ObjectSource, Shape, SourceObject};

use crate::{assets::Assets, light::Candidate as LightCandidate};
use glam::Vec3;
use std::collections::{BTreeMap, HashMap};
use threshold_dat::records::HookAction;
use threshold_view::{Candidate, Contents};
use threshold_world::{CellId, Position, coords::block_offset, geometry::Sphere, motion::QueuedHook};

/// Number of an object on the stage.
pub type ObjectId = u32;

/// All objects.
#[derive(Default)]
pub struct Stage {
    objects: Vec<Option<Object>>,
    free: Vec<ObjectId>,
    lists: HashMap<CellId, Vec<ObjectId>>,
    /// Objects that something happens to as time passes.
    active: Vec<ObjectId>,
    /// Objects that stand for those of a source, by their keys.
    mirror: HashMap<u64, ObjectId>,
    /// What the last sync moved.
    glides: Vec<sync::Glide>,
    provisional: Provisional,
    eye: Option<(CellId, Vec3)>,
    now: f64,
    /// Hooks of an object's frames that have just passed.
    hooks: Vec<QueuedHook>,
}

/// What could not be made as it should be because a record could not be read.
#[derive(Default)]
struct Provisional {
    objects: BTreeMap<ObjectId, Spawn>,
    hooks: Vec<(ObjectId, HookAction)>,
    /// [`Assets::answers`] when it was last tried to make it.
    answers: u64,
}

impl Stage {
    /// An empty stage.
    pub fn new() -> Stage {
        Stage::default()
    }

    /// Seconds that have passed.
    pub fn now(&self) -> f64 {
        self.now
    }

    /// Puts an object on the stage, in the given cells.
    pub fn spawn(&mut self, assets: &mut Assets, spawn: &Spawn, cells: &[CellId]) -> ObjectId {
        let (object, is_sure) = assets.surely(|assets| Object::new(assets, spawn, self.now));
        let id = self.insert(object, cells);
        if !is_sure {
            self.provisional.objects.insert(id, spawn.clone());
        }
        id
    }

    /// Makes anew what could not be made as it should be, when a record has come that could not be read before.
    fn mend(&mut self, assets: &mut Assets) {
        if self.provisional.answers == assets.answers() {
            return;
        }
        let Provisional { objects, hooks, .. } = std::mem::take(&mut self.provisional);
        self.provisional.answers = assets.answers();
        for (id, spawn) in objects {
            let (made, is_sure) = assets.surely(|assets| Object::new(assets, &spawn, self.now));
            let Some(object) = self.object_mut(id) else { continue };
            object.become_like(made);
            if object.is_active() && !self.active.contains(&id) {
                self.active.push(id);
            }
            if !is_sure {
                self.provisional.objects.insert(id, spawn);
            }
        }
        hooks.iter().for_each(|(id, action)| self.hook(assets, *id, action));
    }

    fn insert(&mut self, object: Object, cells: &[CellId]) -> ObjectId {
        let is_active = object.is_active();
        let id = match self.free.pop() {
            Some(id) => {
                self.objects[id as usize] = Some(object);
                id
            }
            None => {
                self.objects.push(Some(object));
                self.objects.len() as u32 - 1
            }
        };
        self.register(id, cells);
        if is_active {
            self.active.push(id);
        }
        id
    }

    /// An object.
    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        self.objects.get(id as usize)?.as_ref()
    }

    /// An object, to be changed.
    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        self.objects.get_mut(id as usize)?.as_mut()
    }

    /// Removes an object from the stage, with all its effects.
    pub fn remove(&mut self, id: ObjectId) {
        self.unregister(id);
        self.active.retain(|&other| other != id);
        let Some(object) = self.objects.get_mut(id as usize).and_then(Option::take) else { return };
        self.provisional.objects.remove(&id);
        self.provisional.hooks.retain(|(of, _)| *of != id);
        self.free.push(id);
        for emitter in object.emitter_ids() {
            self.remove(emitter);
        }
    }

    /// Moves an object, and with it its emitters.
    pub fn place(&mut self, id: ObjectId, position: Position, cells: &[CellId]) {
        self.unregister(id);
        if let Some(object) = self.object_mut(id) {
            object.position = position;
        }
        self.register(id, cells);
    }

    fn register(&mut self, id: ObjectId, cells: &[CellId]) {
        for &cell in cells {
            let list = self.lists.entry(cell).or_default();
            if !list.contains(&id) {
                list.push(id);
            }
        }
        if let Some(object) = self.object_mut(id) {
            object.cells.clear();
            object.cells.extend_from_slice(cells);
        }
    }

    fn unregister(&mut self, id: ObjectId) {
        let Some(object) = self.objects.get_mut(id as usize).and_then(Option::as_mut) else { return };
        for cell in object.cells.drain(..) {
            if let Some(list) = self.lists.get_mut(&cell) {
                list.retain(|&other| other != id);
            }
        }
    }

    /// Objects registered in a cell, in order.
    pub fn objects_in(&self, cell: CellId) -> &[ObjectId] {
        self.lists.get(&cell).map_or(&[], Vec::as_slice)
    }

    /// Every object with its number.
    pub fn objects(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().filter_map(|(id, object)| Some((id as u32, object.as_ref()?)))
    }

    /// Sets the eye of the next frame, for distance ladders. `eye` is in the coordinates of the cell's block.
    pub fn set_eye(&mut self, cell: CellId, eye: Vec3) {
        self.eye = Some((cell, eye));
    }

    /// The eye in the coordinates of a cell's block.
    fn eye_in(&self, cell: CellId) -> Option<Vec3> {
        self.eye.map(|(viewer, eye)| eye + block_offset(cell, viewer))
    }

    /// How a part is drawn now; `None` when it is not.
    pub fn part(&self, object: ObjectId, part: u16) -> Option<PartDraw<'_>> {
        let object = self.object(object)?;
        object.draw(part, self.eye_in(object.position.cell), self.now, self)
    }

    /// Lights of the objects in a cell that stand still, or of those that move, in coordinates of the block of `to`.
    pub fn lights_in(&self, cell: CellId, fixed: bool, to: CellId, out: &mut Vec<LightCandidate>) {
        for &id in self.objects_in(cell) {
            let Some(object) = self.object(id).filter(|object| object.is_fixed == fixed && object.lights_on)
            else {
                continue;
            };
            // An object in several cells shines once.
            if object.position.cell != cell {
                continue;
            }
            let offset = block_offset(to, object.position.cell);
            let owner = object.position.frame.origin + offset;
            out.extend(object.lights(offset).map(|light| LightCandidate { light, owner }));
        }
    }
}

impl Contents for Stage {
    fn parts(&self, cell: CellId, visit: &mut dyn FnMut(Candidate)) {
        for &id in self.objects_in(cell) {
            let Some(object) = self.object(id).filter(|object| object.is_drawn()) else { continue };
            let shift = block_offset(cell, object.position.cell);
            let eye = self.eye_in(object.position.cell);
            for part in 0..object.part_count() {
                let Some(draw) = object.draw(part, eye, self.now, self) else { continue };
                let largest = draw.scale.abs().max_element();
                let sphere = draw.level.sphere;
                visit(Candidate {
                    object: id,
                    part,
                    sphere: Some(Sphere {
                        center: draw.frame.apply(sphere.center * largest) + shift,
                        radius: sphere.radius * largest,
                    }),
                    sort_center: draw.sort_center + shift,
                    origin: object.position.frame.origin + shift,
                    emitter: object.is_emitter(),
                });
            }
        }
    }
}
