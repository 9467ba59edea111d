//! Rows as placed objects of a world.

use crate::{ClassKind, Database, Finding, Object};
use threshold_dat::Error;
use threshold_world::{
    Library, World,
    placed::{ObjectKind, PlacedObject},
};

/// The objects that the rows of a database place in a world.
#[derive(Clone, Debug, Default)]
pub struct PlacedRows {
    /// In order of game ids.
    pub objects: Vec<PlacedObject>,
    /// How many of them are spawned by the objects that they are linked to.
    pub link_children: usize,
    /// How many of them are made by generators, and have no rows of their own.
    pub generated: usize,
    /// Rows that cannot be placed.
    pub left_out: usize,
    /// In order of files and lines.
    pub findings: Vec<Finding>,
}

impl Database {
    /// Makes placed objects of the rows. A row keeps the cell that it names, even if it does not exist: the simulation finds it
    /// when the block is loaded. An error means that the library's source could not answer now.
    pub fn placed_objects(&self, library: &Library) -> Result<PlacedRows, Error> {
        let mut failed = None;
        let objects = self.objects(&World::new(), &mut |id| match library.model(id) {
            Ok(model) => model,
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        Ok(PlacedRows {
            objects: objects.placed.iter().map(PlacedObject::from).collect(),
            link_children: objects.link_children,
            generated: objects.generated,
            left_out: self.instances().count() + objects.generated - objects.placed.len(),
            findings: objects.findings,
        })
    }
}

impl From<&Object> for PlacedObject {
    fn from(object: &Object) -> PlacedObject {
        PlacedObject {
            id: object.guid,
            name: object.name.clone(),
            scale: object.scale,
            state: object.state.bits(),
            destination: object.destination,
            reset_interval: object.reset_interval,
            use_radius: object.use_radius,
            ..PlacedObject::new(object.kind.into(), object.setup, object.position)
        }
    }
}

impl From<ClassKind> for ObjectKind {
    fn from(kind: ClassKind) -> ObjectKind {
        match kind {
            ClassKind::Door => ObjectKind::Door,
            ClassKind::Chest => ObjectKind::Chest,
            ClassKind::Portal => ObjectKind::Portal,
            ClassKind::Creature => ObjectKind::Creature,
            ClassKind::Other(_) => ObjectKind::Other,
        }
    }
}
