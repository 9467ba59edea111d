//! Objects that a scene can spawn.

use crate::room::{distance_to_land_cell, nearest_wall};
use crate::{Class, ClassKind, Database, Finding, Generator, Instance, Origin, Problem, Spot, Where};
use glam::Vec3;
use std::{collections::BTreeMap, sync::Arc};
use threshold_dat::DatId;
use threshold_physics::{Spawn, State, scene::SCALES};
use threshold_world::{
    CellId, Frame, Position, Quat, World,
    coords::{adjust_to_outside, is_valid_cell_id},
    geometry::Aabb,
    landblock::Landblock,
    model::Model,
    placed::{PlacedObject, seat_without_cell},
};

/// Finds the model of an object; `None` when it is missing or broken.
pub type Models<'a> = dyn FnMut(DatId) -> Option<Arc<Model>> + 'a;

/// Metres outside its cell up to which an origin counts as on its border.
const OUTSIDE: f32 = 0.05;
/// Metres outside its room up to which an object is in the wall, and not outdoors.
pub(crate) const IN_WALL: f32 = 1.0;
/// Outside its cell, for doors, which stand between cells.
const BESIDE: f32 = 0.5;

/// Game ids of what generators make; no row has one of them.
const GENERATED: u32 = 0x8000_0000;
/// Generators that may make each other.
const MAX_GENERATIONS: u32 = 4;

/// Property numbers.
mod property {
    pub(super) const SETUP: u32 = 1;
    pub(super) const PHYSICS_STATE: u32 = 93;
    pub(super) const SCALE: u32 = 39;
    pub(super) const RESET_INTERVAL: u32 = 11;
    pub(super) const USE_RADIUS: u32 = 54;
    pub(super) const NAME: u32 = 1;
    pub(super) const OPEN: u32 = 2;
    pub(super) const IGNORE_COLLISIONS: u32 = 11;
    pub(super) const REPORT_COLLISIONS: u32 = 12;
    pub(super) const ETHEREAL: u32 = 13;
    pub(super) const GRAVITY: u32 = 14;
    pub(super) const VISIBILITY: u32 = 18;
    pub(super) const DEFAULT_OPEN: u32 = 34;
    pub(super) const DESTINATION: u32 = 2;
}

/// An object that can be put into the world.
#[derive(Clone, Debug)]
pub struct Object {
    /// Game id.
    pub guid: u32,
    /// Its class.
    pub class: u32,
    /// What kind of thing it is.
    pub kind: ClassKind,
    /// What it is called.
    pub name: String,
    /// Its setup.
    pub setup: DatId,
    /// Shapes.
    pub model: Arc<Model>,
    /// Where it stands.
    pub position: Position,
    /// State word.
    pub state: State,
    /// Size.
    pub scale: f32,
    /// Seconds until a door closes by itself.
    pub reset_interval: Option<f32>,
    /// Metres from which it can be used.
    pub use_radius: Option<f32>,
    /// Where a portal leads.
    pub destination: Option<Position>,
}

impl Object {
    /// The parameters for spawning it.
    pub fn spawn(&self) -> Spawn {
        Spawn::placed(&PlacedObject::from(self), self.model.clone())
    }

    /// The box around its parts at its size, in its own space; none when it has no parts.
    pub fn bounds(&self) -> Option<Aabb> {
        let parts = self.model.parts.iter().filter_map(|part| {
            let mesh = part.mesh.as_ref()?;
            let corner = |corner: Vec3| part.frame.apply(corner * part.scale) * self.scale;
            Some(mesh.bounds.transformed(corner).corners())
        });
        Aabb::around(parts.flatten())
    }
}

/// All placeable objects, and all problems.
#[derive(Clone, Debug, Default)]
pub struct Objects {
    /// In order of game ids.
    pub placed: Vec<Object>,
    /// How many of them are spawned by the objects that they are linked to.
    pub link_children: usize,
    /// How many of them are made by generators, and have no rows of their own.
    pub generated: usize,
    /// In order of files and lines.
    pub findings: Vec<Finding>,
}

impl Database {
    /// Makes objects from the rows. Cells are looked up in the data of `world`'s blocks, whether they are resident or
    /// not; rows of missing blocks keep the cell they name, even if it does not exist.
    ///
    /// A link child is placed where its own row says, if its parent object exists. Generators produce only objects that do not
    /// depend on chance and have a fixed place; random, scattered or carried ones are omitted.
    pub fn objects(&self, world: &World, models: &mut Models<'_>) -> Objects {
        let mut objects = self.objects_of(self.instances(), &self.parents(), world, models);
        objects.findings.extend(self.findings().iter().cloned().chain(self.broken_links()));
        objects.findings.sort_by(Finding::order);
        objects
    }

    /// Which object spawns which, by their game ids.
    pub(crate) fn parents(&self) -> BTreeMap<u32, u32> {
        self.links().map(|(parent, child, _)| (child, parent)).collect()
    }

    /// As [`Database::objects`] for some rows, without what is wrong elsewhere.
    pub(crate) fn objects_of<'d>(
        &'d self,
        instances: impl Iterator<Item = &'d Instance>,
        parents: &BTreeMap<u32, u32>,
        world: &World,
        models: &mut Models<'_>,
    ) -> Objects {
        let mut objects = Objects::default();
        for instance in instances {
            let mut reports = Reports { database: self, instance, findings: &mut objects.findings };
            let object = self.object(instance, world, models, &mut reports);
            if instance.is_link_child {
                let parent = parents.get(&instance.guid);
                if parent.is_none() {
                    reports.add(Problem::Orphan, "is spawned by another object, but linked to none".into());
                }
                if parent.is_none_or(|&parent| self.instance(parent).is_none()) {
                    continue;
                }
                objects.link_children += usize::from(object.is_some());
            }
            objects.placed.extend(object);
        }
        self.generate(&mut objects, world, models);
        objects
    }

    /// Links that name objects which are not there.
    pub(crate) fn broken_links(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (parent, child, at) in self.links() {
            for guid in [parent, child].into_iter().filter(|&guid| self.instance(guid).is_none()) {
                let message = format!(
                    "a link between 0x{parent:08X} and 0x{child:08X} names an object that is not there"
                );
                let mut finding = Finding::new(at, Problem::BrokenLink, message);
                finding.guid = Some(guid);
                findings.push(finding);
            }
        }
        findings
    }

    /// Adds what generators make, and what generators make that they make.
    fn generate(&self, objects: &mut Objects, world: &World, models: &mut Models<'_>) {
        let mut first = 0;
        for _ in 0..MAX_GENERATIONS {
            let generation = first..objects.placed.len();
            first = generation.end;
            for index in generation {
                let maker = &objects.placed[index];
                let Some(class) = self.class(maker.class) else { continue };
                let (at, guid, row) = (maker.position, maker.guid, self.instance(maker.guid));
                let row = row.map_or_else(|| class_row(class), |row| row.at.clone());
                for generator in class.certain_generators() {
                    let Some(position) = generated_at(&at, generator) else { continue };
                    let spot = Spot {
                        cell: position.cell.0,
                        origin: position.frame.origin.into(),
                        angles: position.frame.rotation().into(),
                    };
                    let made = Instance {
                        guid: GENERATED + objects.generated as u32,
                        class: generator.class,
                        spot,
                        is_link_child: false,
                        comment: None,
                        at: row.clone(),
                    };
                    // What is wrong with it is wrong with its maker.
                    let told = Instance { guid, ..made.clone() };
                    let mut reports =
                        Reports { database: self, instance: &told, findings: &mut objects.findings };
                    if let Some(object) = self.object(&made, world, models, &mut reports) {
                        objects.generated += 1;
                        objects.placed.push(object);
                    }
                }
            }
        }
    }

    fn object(
        &self,
        instance: &Instance,
        world: &World,
        models: &mut Models<'_>,
        reports: &mut Reports<'_>,
    ) -> Option<Object> {
        let is_door = self.class(instance.class).is_some_and(|class| class.kind() == ClassKind::Door);
        let position = place(instance, world, if is_door { BESIDE } else { OUTSIDE }, reports);
        let Some(class) = self.class(instance.class) else {
            reports.add(Problem::UnknownClass, format!("class {} is not in the files", instance.class));
            return None;
        };
        let Some(&setup) = class.records.get(&property::SETUP) else {
            reports.add(Problem::NoSetup, format!("class {} has no setup", instance.class));
            return None;
        };
        let setup = DatId(setup);
        let Some(model) = models(setup) else {
            reports
                .add(Problem::UnknownSetup, format!("{setup} is not a usable Setup or GfxObj of this world"));
            return None;
        };
        let state = state(class, &model, reports);
        let scale = scale(class, reports);
        Some(Object {
            guid: instance.guid,
            class: instance.class,
            kind: class.kind(),
            name: self.name_of(instance),
            setup,
            model,
            position: position?,
            state,
            scale,
            reset_interval: class.floats.get(&property::RESET_INTERVAL).copied(),
            use_radius: class.floats.get(&property::USE_RADIUS).copied(),
            destination: class
                .places
                .get(&property::DESTINATION)
                .map(|spot| at(CellId(spot.cell), spot.origin.into(), rotation(spot).0)),
        })
    }
}

impl Database {
    /// What an object is called: by its class, else by the comment behind its row.
    pub(crate) fn name_of(&self, instance: &Instance) -> String {
        let class = self.class(instance.class);
        let name = class.and_then(|class| class.strings.get(&property::NAME).or(class.name.as_ref()));
        name.or(instance.comment.as_ref()).cloned().unwrap_or_default()
    }
}

impl Class {
    /// Whether players never see its objects: servers hide them, or they only make others.
    pub(crate) fn is_unseen(&self) -> bool {
        self.is(property::VISIBILITY) || !self.generators.is_empty()
    }
}

/// Where what is made from a class that no row places is told of: nowhere in particular.
fn class_row(class: &Class) -> Origin {
    Origin { file: class.name.as_deref().unwrap_or_default().into(), line: 0 }
}

/// Where a generator makes something; `None` when it is no one place.
fn generated_at(maker: &Position, generator: &Generator) -> Option<Position> {
    let spot = &generator.spot;
    match generator.place {
        Where::OnTop => Some(*maker),
        Where::Specific if spot.cell != 0 => {
            Some(at(CellId(spot.cell), spot.origin.into(), rotation(spot).0))
        }
        // Beside the generator, along the axes of the map.
        Where::Specific => {
            let origin = maker.frame.origin + Vec3::from(spot.origin);
            let (cell, origin) = match maker.cell.is_outdoor() {
                true => adjust_to_outside(maker.cell, origin)?,
                false => (maker.cell, origin),
            };
            Some(at(cell, origin, rotation(spot).0))
        }
        Where::Elsewhere => None,
    }
}

/// Findings about one object.
struct Reports<'a> {
    database: &'a Database,
    instance: &'a Instance,
    findings: &'a mut Vec<Finding>,
}

impl Reports<'_> {
    fn add(&mut self, problem: Problem, message: String) {
        self.add_fixed(problem, message, None, None);
    }

    /// With how far off the object is, and where it would be right.
    fn add_fixed(&mut self, problem: Problem, message: String, off: Option<f32>, fix: Option<Position>) {
        self.findings.push(Finding { off, fix, ..self.database.finding(self.instance, problem, message) });
    }
}

impl Database {
    /// A defect of an object's row.
    pub(crate) fn finding(&self, instance: &Instance, problem: Problem, message: String) -> Finding {
        Finding {
            guid: Some(instance.guid),
            class: Some(instance.class),
            name: self.name_of(instance),
            at: Some(at(CellId(instance.spot.cell), instance.spot.origin.into(), rotation(&instance.spot).0)),
            ..Finding::new(&instance.at, problem, message)
        }
    }
}

/// The state word a server sends. Spec: ace-world.
fn state(class: &Class, model: &Model, reports: &mut Reports<'_>) -> State {
    let bits = class.ints.get(&property::PHYSICS_STATE).copied().unwrap_or_else(|| {
        let flags = [
            (property::REPORT_COLLISIONS, State::REPORT_COLLISIONS),
            (property::ETHEREAL, State::ETHEREAL),
            (property::GRAVITY, State::GRAVITY),
            (property::IGNORE_COLLISIONS, State::IGNORE_COLLISIONS),
        ];
        let set = flags.into_iter().filter(|(number, _)| class.is(*number)).map(|(_, flag)| flag);
        set.fold(State::empty(), |all, flag| all | flag).bits()
    });
    let mut state = State::from_bits_truncate(bits);
    if state.bits() != bits {
        let unknown = bits & !state.bits();
        reports.add(Problem::UnknownState, format!("state 0x{bits:08X} has unknown bits 0x{unknown:08X}"));
    }
    let is_open = class.is(property::OPEN) || class.is(property::DEFAULT_OPEN);
    if class.kind() == ClassKind::Door && is_open {
        state |= State::ETHEREAL;
    }
    if model.has_physics_mesh() {
        state |= State::HAS_PHYSICS_BSP;
    }
    state
}

fn scale(class: &Class, reports: &mut Reports<'_>) -> f32 {
    let scale = class.floats.get(&property::SCALE).copied().unwrap_or(1.0);
    if SCALES.contains(&scale) {
        return scale;
    }
    reports.add(Problem::BadScale, format!("scale {scale} is taken as 1"));
    1.0
}

/// The position of a row, with its cell, which the origin may be outside of by some metres.
fn place(instance: &Instance, world: &World, tolerance: f32, reports: &mut Reports<'_>) -> Option<Position> {
    let spot = &instance.spot;
    let (rotation, is_unit) = rotation(spot);
    if !is_unit {
        let [w, x, y, z] = spot.angles;
        reports.add(Problem::BadRotation, format!("({w} {x} {y} {z}) is not a rotation"));
    }
    let origin = Vec3::from(spot.origin);
    let named = CellId(spot.cell);
    let block = world.block_data(named.block()).map(|block| &**block);
    if named.low() == 0 {
        // Loading the block finds the cell.
        let Some(block) = block else { return Some(at(named, origin, rotation)) };
        let Some((cell, origin)) = seat_without_cell(block, origin) else {
            reports.add(Problem::OffMap, format!("{origin} in block {} lies outside the map", named.block()));
            return None;
        };
        let found = at(cell, origin, rotation);
        let message = format!("no cell is named; by its position it stands in {cell}");
        reports.add_fixed(Problem::CellFound, message, None, Some(found));
        return Some(found);
    }
    if !is_valid_cell_id(named) || named.low() == 0xFFFF {
        reports.add(Problem::OffMap, format!("{named} is not a cell of the map"));
        return None;
    }
    match block {
        // Nothing is known of the block: the row is taken at its word.
        None => {}
        Some(block) if named.is_interior() => match block.env_cell(named.low()) {
            None => {
                let right = interior_at(block, origin);
                let hint = right.map(|cell| format!("; by its position it stands in {cell}"));
                let message = format!("{named} is not in the world{}", hint.unwrap_or_default());
                let fix = right.map(|cell| at(cell, origin, rotation));
                reports.add_fixed(Problem::UnknownCell, message, None, fix);
                return None;
            }
            Some(cell) => {
                let wall = || nearest_wall(cell, origin).map_or(f32::INFINITY, |(metres, _)| metres);
                let outside = if cell.contains(origin) { 0.0 } else { wall() };
                if outside > tolerance {
                    // What the original finds first, then whatever room is there.
                    let seen = world.reseat(&at(named, origin, rotation), Vec3::ZERO);
                    let seen = seen.map(|seen| seen.cell);
                    let room = seen.filter(|cell| cell.is_interior()).or_else(|| interior_at(block, origin));
                    let right = room.or(seen.filter(|_| outside > IN_WALL));
                    let hint = right.map(|cell| format!(", {cell} does"));
                    let message = format!(
                        "{named} does not contain {origin}{}: it is {outside:.2} m outside",
                        hint.unwrap_or_default()
                    );
                    let fix = right.map(|cell| at(cell, origin, rotation));
                    reports.add_fixed(Problem::OutsideItsCell, message, Some(outside), fix);
                }
            }
        },
        Some(block) => {
            if let Some(room) = interior_at(block, origin).filter(|_| tolerance < BESIDE) {
                let message = format!("{named} is outdoors, but {origin} is in the room {room}");
                reports.add_fixed(Problem::OutsideItsCell, message, None, Some(at(room, origin, rotation)));
                return Some(at(named, origin, rotation));
            }
        }
    }
    if named.is_outdoor() {
        match adjust_to_outside(named, origin) {
            None => {
                reports.add(Problem::OffMap, format!("{origin} in {named} lies outside the map"));
                return None;
            }
            Some((cell, moved)) if cell != named => {
                let outside = distance_to_land_cell(named, origin);
                if outside > tolerance {
                    let message = format!(
                        "{named} does not contain {origin}, {cell} does: it is {outside:.2} m outside"
                    );
                    let fix = Some(at(cell, moved, rotation));
                    reports.add_fixed(Problem::OutsideItsCell, message, Some(outside), fix);
                }
            }
            Some(_) => {}
        }
    }
    Some(at(named, origin, rotation))
}

/// The room of a block that contains a point.
fn interior_at(block: &Landblock, origin: Vec3) -> Option<CellId> {
    seat_without_cell(block, origin).map(|(cell, _)| cell).filter(|cell| cell.is_interior())
}

/// The rotation nearest to what is written, and whether that is about one.
fn rotation(spot: &Spot) -> (Quat, bool) {
    let rotation = Quat::from(spot.angles);
    let length = rotation.dot(rotation);
    let nearest = if length > 1e-6 { rotation.normalized() } else { Quat::IDENTITY };
    (nearest, (0.25..4.0).contains(&length))
}

fn at(cell: CellId, origin: Vec3, rotation: Quat) -> Position {
    Position::new(cell, Frame::new(origin, rotation))
}
