//! Worlds authored in code and written as genuine dat files.
//!
//! - [`bsp`] compiles polygons into the trees that records carry; [`geom`] is the geometry it works on.
//! - [`Plan`](plan::Plan), [`Mesh`], [`Materials`] and [`WorldBuilder`] are for building worlds of one's own.
//! - [`build`] makes the sample world that Threshold comes with.
//!
//! Everything is deterministic: the same code gives the same bytes on every machine.

pub mod bsp;
mod builder;
mod error;
mod gazetteer;
pub mod geom;
mod land;
mod material;
mod mesh;
pub mod plan;
mod store;
pub mod texture;
mod vertices;
mod world;

pub use builder::{Blueprint, PlacedPlan, WorldBuilder};
pub use error::BuildError;
pub use gazetteer::{Entity, EntityKind, Place, PlaceKind};
pub use land::{HEIGHT_STEP, Sample, height_table};
pub use material::{Blend, Materials, Skin};
pub use mesh::{Face, Mesh, ShellOpening};
pub use store::Store;
pub use vertices::Corner;

/// A world as files.
#[derive(Clone, Debug)]
pub struct SampleWorld {
    /// `client_portal.dat`.
    pub portal: Vec<u8>,
    /// `client_cell_1.dat`.
    pub cell: Vec<u8>,
    /// Doors, chests, creatures and other things that a server would place.
    pub entities: Vec<Entity>,
    /// Named places.
    pub places: Vec<Place>,
}

impl SampleWorld {
    /// The entities as a JSON list, in the form scenarios use.
    pub fn entities_json(&self) -> String {
        // Plain data with string keys cannot fail to serialize.
        serde_json::to_string_pretty(&self.entities).unwrap_or_default() + "\n"
    }

    /// The gazetteer: a line `name | type | loc` per place.
    pub fn locations(&self) -> String {
        self.places.iter().map(|place| format!("{place}\n")).collect()
    }
}

/// Builds the sample world. Takes well under a second with optimisation; the same bytes every time.
pub fn build() -> Result<SampleWorld, BuildError> {
    let world::Authored { store, entities, places } = world::author()?;
    Ok(SampleWorld { portal: store.portal_file()?, cell: store.cell_file()?, entities, places })
}
