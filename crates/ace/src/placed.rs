//! Rows as the things that a world lists beside its dat files.

use crate::{ClassKind, Database, Finding, Object};
use std::collections::BTreeSet;
use threshold_dat::Error;
use threshold_world::{
    BlockId, Library, World, block_ids, load_block,
    placed::{ObjectKind, PlacedObject},
};

/// What the rows of a database place in a world.
#[derive(Clone, Debug, Default)]
pub struct PlacedRows {
    /// In order of game ids.
    pub objects: Vec<PlacedObject>,
    /// Rows that are spawned by their parents later.
    pub link_children: usize,
    /// Rows that cannot be placed.
    pub left_out: usize,
    /// In order of files and lines.
    pub findings: Vec<Finding>,
}

impl Database {
    /// Makes placed objects of the rows. A row keeps the cell that it names; for those that name none, their blocks are
    /// loaded and searched. An error means that the library's source could not answer now.
    pub fn placed_objects(&self, library: &Library) -> Result<PlacedRows, Error> {
        let known: BTreeSet<BlockId> = block_ids(&**library.source())?.0.into_iter().collect();
        let without_cell = self.instances().filter(|instance| instance.spot.cell & 0xFFFF == 0);
        let blocks = without_cell.map(|instance| BlockId((instance.spot.cell >> 16) as u16));
        let mut world = World::new();
        for id in blocks.collect::<BTreeSet<_>>().intersection(&known) {
            world.insert(load_block(library, *id)?.block);
        }
        let mut failed = None;
        let objects = self.objects(&world, &mut |id| match library.model(id) {
            Ok(model) => model,
            Err(error) => {
                failed = Some(error);
                None
            }
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let (placed, link_children) = (objects.placed.len(), objects.link_children);
        Ok(PlacedRows {
            objects: objects.placed.iter().map(PlacedObject::from).collect(),
            link_children,
            left_out: self.instances().count() - placed - link_children,
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
