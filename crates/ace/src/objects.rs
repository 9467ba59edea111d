//! What a scene can spawn.

use crate::{Class, ClassKind, Database, Finding, Generator, Instance, Origin, Problem, Spot, Where};
use glam::Vec3;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};
use threshold_dat::{DatId, Error};
use threshold_physics::{Spawn, State, scene::SCALES};
use threshold_world::{
    BlockId, CellId, Frame, Library, Position, Quat, World, block_ids,
    coords::{adjust_to_outside, is_valid_cell_id},
    load_block,
    model::Model,
    placed::{PlacedObject, seat_without_cell},
};

/// Finds the model of an object; none when it is missing or broken.
pub type Models<'a> = dyn FnMut(DatId) -> Option<Arc<Model>> + 'a;

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
    /// What brings it into a scene.
    pub fn spawn(&self) -> Spawn {
        Spawn::placed(&PlacedObject::from(self), self.model.clone())
    }
}

/// Everything that can be placed, and everything that is wrong.
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
    /// Checks all rows against a world, whose blocks are loaded as far as rows name them. An error means that the
    /// library's source could not answer now.
    pub fn check(&self, library: &Library) -> Result<Objects, Error> {
        let known: BTreeSet<BlockId> = block_ids(&**library.source())?.0.into_iter().collect();
        let named = self.instances().map(|instance| BlockId((instance.spot.cell >> 16) as u16));
        let mut world = World::new();
        for id in named.collect::<BTreeSet<_>>().intersection(&known) {
            world.insert_resident(load_block(library, *id)?.block);
        }
        let mut failed = None;
        let objects = self.objects(&world, &mut |id| match library.model(id) {
            Ok(model) => model,
            Err(error) => {
                failed.get_or_insert(error);
                None
            }
        });
        failed.map_or(Ok(objects), Err)
    }

    /// Makes objects of the rows. Cells are looked up in the data of `world`'s blocks, whether they are resident or
    /// not; rows of blocks that are not there keep the cell they name, even if it does not exist.
    ///
    /// A link child stands where its own row says, if the object that it is linked to is there. A generator makes what
    /// it makes for certain and in one place; what it makes by chance, scatters or hands to somebody is left out.
    pub fn objects(&self, world: &World, models: &mut Models<'_>) -> Objects {
        let mut objects = Objects { findings: self.findings().to_vec(), ..Objects::default() };
        let parents: BTreeMap<u32, u32> = self.links().map(|(parent, child, _)| (child, parent)).collect();
        for instance in self.instances() {
            let mut reports = Reports { instance, findings: &mut objects.findings };
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
        for (parent, child, at) in self.links() {
            for guid in [parent, child].into_iter().filter(|&guid| self.instance(guid).is_none()) {
                let message = format!(
                    "a link between 0x{parent:08X} and 0x{child:08X} names an object that is not there"
                );
                let (file, line) = (at.file.to_string(), at.line);
                objects.findings.push(Finding {
                    file,
                    line,
                    guid: Some(guid),
                    problem: Problem::BrokenLink,
                    message,
                });
            }
        }
        objects.findings.sort();
        objects
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
                        at: row.clone(),
                    };
                    // What is wrong with it is wrong with its maker.
                    let told = Instance { guid, ..made.clone() };
                    let mut reports = Reports { instance: &told, findings: &mut objects.findings };
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
        let position = place(instance, world, reports);
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
        let name = class.strings.get(&property::NAME).or(class.name.as_ref()).cloned().unwrap_or_default();
        Some(Object {
            guid: instance.guid,
            class: instance.class,
            kind: class.kind(),
            name,
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

/// Where what is made from a class that no row places is told of: nowhere in particular.
fn class_row(class: &Class) -> Origin {
    Origin { file: class.name.as_deref().unwrap_or_default().into(), line: 0 }
}

/// Where a generator makes something; none when it is no one place.
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
    instance: &'a Instance,
    findings: &'a mut Vec<Finding>,
}

impl Reports<'_> {
    fn add(&mut self, problem: Problem, message: String) {
        let Instance { guid, at, .. } = self.instance;
        let (file, line) = (at.file.to_string(), at.line);
        self.findings.push(Finding { file, line, guid: Some(*guid), problem, message });
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

/// The position of a row, with its cell.
fn place(instance: &Instance, world: &World, reports: &mut Reports<'_>) -> Option<Position> {
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
        reports.add(Problem::CellFound, format!("no cell is named; by its position it stands in {cell}"));
        return Some(at(cell, origin, rotation));
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
                reports.add(Problem::UnknownCell, format!("{named} is not in the world"));
                return None;
            }
            Some(cell) if !cell.contains(origin) => {
                reports.add(Problem::OutsideItsCell, format!("{named} does not contain {origin}"));
            }
            Some(_) => {}
        },
        Some(_) => {}
    }
    if named.is_outdoor() {
        match adjust_to_outside(named, origin) {
            None => {
                reports.add(Problem::OffMap, format!("{origin} in {named} lies outside the map"));
                return None;
            }
            Some((cell, _)) if cell != named => {
                reports
                    .add(Problem::OutsideItsCell, format!("{named} does not contain {origin}, {cell} does"));
            }
            Some(_) => {}
        }
    }
    Some(at(named, origin, rotation))
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
