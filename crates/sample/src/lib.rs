//! Worlds authored in code and written as genuine dat files.
//!
//! - [`bsp`] compiles polygons into the trees that records carry; [`geom`] is the geometry it works on.
//! - [`Plan`](plan::Plan), [`Mesh`], [`Materials`] and [`WorldBuilder`] are for building your own worlds.
//! - [`build`] builds Threshold's sample world as files, [`build_records`] as records in memory.
//!
//! A hut on flat ground, from scratch to files:
//!
//! ```
//! use glam::DVec3;
//! use threshold_sample::{Blend, Mesh, Sample, WorldBuilder, geom::Convex, plan::{Finish, Plan}, texture::Image};
//! use threshold_dat::records::PixelFormat;
//! use threshold_world::BlockId;
//!
//! let mut world = WorldBuilder::new(BlockId(0x8080));
//! let wood = world.materials.texture(PixelFormat::R5G6B5, || Image::from_fn(8, 8, |u, _| [0.4 + 0.2 * u, 0.3, 0.2, 1.0]));
//! let wood = world.materials.image(wood, 1.0, Blend::Opaque, 0.0);
//! let look = Finish { floor: wood, wall: wood, ceiling: wood };
//! world.land(BlockId(0x8080), |_, _| Sample { height: 20, kind: 1, ..Sample::default() });
//!
//! // A room, and a doorway as deep as the wall is thick; its outer side is the way out.
//! let mut plan = Plan::default();
//! let room = plan.block("room", DVec3::new(-3.0, -3.0, 0.2), DVec3::new(3.0, 3.0, 3.0), look);
//! let door = plan.block("door", DVec3::new(-0.8, -3.4, 0.2), DVec3::new(0.8, -3.0, 2.5), look);
//! plan.join(room, door)?;
//! plan.exit(door, -DVec3::Y, true)?;
//!
//! // The shell is solid; the builder cuts the exits out of it.
//! let mut shell = Mesh::default();
//! shell.solid(Convex::block(DVec3::new(-3.4, -3.4, -0.5), DVec3::new(3.4, 3.4, 3.4), wood));
//! let hut = world.blueprint("hut", plan, shell)?;
//! let at = world.outdoors((36.0, 60.0).into(), 0.0, 0.0);
//! let placed = world.building(&hut, at)?;
//! assert_eq!(placed.cell(door).0, 0x8080_0101);
//!
//! let store = world.finish()?;
//! let (portal, cell) = (store.portal_file()?, store.cell_file()?);
//! assert!(portal.len() > 1024 && cell.len() > 1024);
//! # Ok::<(), threshold_sample::BuildError>(())
//! ```
//!
//! Everything is deterministic: the same code gives the same bytes on every machine.

pub mod bsp;
mod builder;
pub mod census;
mod error;
pub mod geom;
mod land;
mod material;
mod mesh;
pub mod plan;
mod source;
mod store;
pub mod texture;
mod vertices;
mod world;

pub use builder::{Blueprint, PlacedPlan, WorldBuilder};
pub use error::BuildError;
pub use land::{HEIGHT_STEP, Sample, height_table};
pub use material::{Blend, Materials, Skin};
pub use mesh::{Face, Mesh, ShellOpening};
pub use source::AuthoredSource;
pub use store::Store;
pub use vertices::Corner;

use threshold_dat::container::DatFile;
use threshold_world::{
    placed::{NamedPlace, PlacedObject},
    source::DatSource,
};

/// A world as files.
#[derive(Clone, Debug)]
pub struct SampleWorld {
    /// `client_portal.dat`.
    pub portal: Vec<u8>,
    /// `client_cell_1.dat`.
    pub cell: Vec<u8>,
    /// Doors, chests, creatures and other things that a server would place.
    pub entities: Vec<PlacedObject>,
    /// Named places.
    pub places: Vec<NamedPlace>,
}

impl SampleWorld {
    /// The records of both files.
    pub fn source(&self) -> Result<DatSource, threshold_dat::Error> {
        let open = |bytes: &[u8]| DatFile::from_bytes(bytes.to_vec());
        DatSource::new(open(&self.portal)?, open(&self.cell)?)
    }

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

/// A world as records in memory.
pub struct SampleRecords {
    /// The records that the files would have. Pictures are painted when they are first asked for.
    pub source: AuthoredSource,
    /// Doors, chests, creatures and other things that a server would place.
    pub entities: Vec<PlacedObject>,
    /// Named places.
    pub places: Vec<NamedPlace>,
}

/// Builds the sample world as files. Takes well under a second with optimisation; the same bytes every time.
pub fn build() -> Result<SampleWorld, BuildError> {
    let world::Authored { world, entities, places } = world::author()?;
    let store = world.finish()?;
    Ok(SampleWorld { portal: store.portal_file()?, cell: store.cell_file()?, entities, places })
}

/// Builds the sample world as records: several times faster than [`build`], for programs that need no files.
pub fn build_records() -> Result<SampleRecords, BuildError> {
    let world::Authored { world, entities, places } = world::author()?;
    Ok(SampleRecords { source: world.into_source()?, entities, places })
}
