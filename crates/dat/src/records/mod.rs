//! Turns the bytes of a record into values and back.
//!
//! There are three ways to read and one to write:
//!
//! - [`DatRecord::load`] reads leniently and keeps no notes. Engines use it.
//! - [`DatRecord::decode`] and [`Record::decode`] return a [`Decoded`] value with its notes. Its
//!   [`encode`](Decoded::encode) gives the same bytes again, whatever the reader tolerated: values are kept as
//!   stored (a rotation of length zero, an unknown flag bit, a key that occurs twice), unusual encodings and
//!   unclaimed bytes are kept beside them.
//! - In [`Mode::Strict`](crate::Mode::Strict), values that would need a substitute are refused, and so are records that
//!   would not re-encode to the same bytes.
//! - [`DatRecord::encode`] writes a new or changed value in the usual form.
//!
//! Values that may be unusable as stored have an accessor that returns the format's substitute, for example
//! [`Frame::orientation`]. Ids are not part of the values: a record is written under the id it is given.

mod animation;
mod bsp;
mod cell;
mod clothing;
mod degrade;
mod environment;
mod geometry;
mod gfx_obj;
mod hook;
mod iteration;
mod land;
mod mesh;
mod motion;
mod palette;
mod particle;
#[cfg(test)]
mod properties;
#[cfg(test)]
pub(crate) mod random;
mod record;
mod region;
mod scene;
mod script;
mod setup;
mod sky;
mod sound;
mod surface;
mod texture;
mod wave;

pub use crate::codec::{Blob, PackedTable, Text, TextForm};
pub use animation::{Animation, AnimationFrame};
pub use bsp::{BspInner, BspKind, BspLeaf, BspNode, BspPortal, BspTag, BspTree, Span};
pub use cell::{CellPortal, EnvCell, PortalFlags};
pub use clothing::{ClothingPart, ClothingTable, ColorRange, SubPalette, SubPaletteEffect, TextureChange};
pub use degrade::{DegradeInfo, DegradeLevel};
pub use environment::{CellStruct, Environment};
pub use geometry::{Color, CylSphere, Frame, PlacedObject, Plane, Quat, Sphere, Vec3};
pub use gfx_obj::{GfxObj, PolygonTree};
pub use hook::{Hook, HookAction};
pub use iteration::{Iteration, IterationItem};
pub use land::{Building, BuildingPortal, LandBlock, LandBlockInfo, TerrainWord};
pub use mesh::{KeyIndex, Polygon, Vertex, VertexArray, find_by_key};
pub use motion::{Motion, MotionAnimation, MotionTable};
pub use palette::{Palette, PaletteSet};
pub use particle::{ParticleEmitter, ParticleVector};
pub use record::{DatRecord, Decoded, Note, Record, Severity};
pub use region::{
    AlphaMap, AmbientSound, GameTime, LandDefs, LandHeights, Misc, Region, SceneType, Season, SoundDesc,
    TerrainTexture, TerrainType, TextureMerge, TimeOfDay,
};
pub use scene::{Scene, SceneObject};
pub use script::{PhysicsScript, PhysicsScriptTable, ScriptChoice, ScriptStep};
pub use setup::{Light, Location, Setup, SetupDefaults};
pub use sky::{DayGroup, Sky, SkyObject, SkyReplacement, SkyTime};
pub use sound::{Sound, SoundNode, SoundTable};
pub use surface::{Surface, SurfaceBase};
pub use texture::{PixelFormat, RenderSurface, RenderTexture, SurfaceTexture};
pub use wave::{Wave, WaveFormat};
