//! The one record that describes the whole map. Spec: dat-portal §11.

use super::{Color, DatRecord, Sky, Text};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
use crate::{DatId, RecordKind};
#[cfg(feature = "serde")]
use serde::{Serialize, Serializer};

/// The map: its measures, calendar, sky, sounds, scenery and ground.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Region {
    /// 1 for Dereth.
    pub number: u32,
    /// For people.
    pub name: Text,
    /// Measures of the map.
    pub land: LandDefs,
    /// The calendar.
    pub time: GameTime,
    /// Stored mask; the bits of the optional parts follow from the parts when written.
    pub parts_mask: u32,
    /// Sky and light.
    pub sky: Option<Sky>,
    /// Ambient sounds, which scene types name by index.
    pub sounds: Option<Vec<SoundDesc>>,
    /// Kinds of scenery, which terrain types name by index.
    pub scene_types: Option<Vec<SceneType>>,
    /// What the ground can be made of, by terrain type.
    pub terrain_types: Vec<TerrainType>,
    /// How the ground is textured.
    pub textures: TextureMerge,
    /// The rest.
    pub misc: Option<Misc>,
}

impl Region {
    const VERSION: u32 = 3;
    const HAS_SOUND: u32 = 0x1;
    const HAS_SCENE: u32 = 0x2;
    const HAS_SKY: u32 = 0x10;
    const HAS_MISC: u32 = 0x200;
    const TEXTURE_MERGE: u32 = 0;
}

impl DatRecord for Region {
    const KIND: RecordKind = RecordKind::Region;
}

impl Wire for Region {
    const MIN: usize = 12 + LandDefs::MIN + GameTime::MIN + 12;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let number = r.read("number")?;
        let version_at = r.pos();
        let version: u32 = r.read("version")?;
        if version != Region::VERSION {
            return Err(r.error(
                "version",
                version_at,
                format!("is {version}, only {} is known", Region::VERSION),
            ));
        }
        let name = r.read("name")?;
        let land = r.read("land")?;
        let time = r.read("time")?;
        let mask_at = r.pos();
        let parts_mask: u32 = r.read("parts mask")?;
        if parts_mask & !0x21F != 0 {
            r.note("parts mask", mask_at, || format!("unknown bits in {parts_mask:#x}"));
        }
        // Stored in this order, not in that of the bits.
        let sky = optional(r, parts_mask & Self::HAS_SKY, "sky")?;
        let sounds = optional(r, parts_mask & Self::HAS_SOUND, "sounds")?;
        let scene_types = optional(r, parts_mask & Self::HAS_SCENE, "scene types")?;
        let terrain_types = r.read("terrain types")?;
        let kind_at = r.pos();
        let surface_kind: u32 = r.read("land surface")?;
        if surface_kind != Region::TEXTURE_MERGE {
            return Err(r.error("land surface", kind_at, format!("kind {surface_kind}, only 0 is known")));
        }
        let textures = r.read("textures")?;
        let misc = optional(r, parts_mask & Self::HAS_MISC, "misc")?;
        Ok(Region {
            number,
            name,
            land,
            time,
            parts_mask,
            sky,
            sounds,
            scene_types,
            terrain_types,
            textures,
            misc,
        })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.number, "number")?;
        w.write(&Region::VERSION, "version")?;
        w.write(&self.name, "name")?;
        w.write(&self.land, "land")?;
        w.write(&self.time, "time")?;
        let mut mask = self.parts_mask;
        for (bit, present) in [
            (Self::HAS_SKY, self.sky.is_some()),
            (Self::HAS_SOUND, self.sounds.is_some()),
            (Self::HAS_SCENE, self.scene_types.is_some()),
            (Self::HAS_MISC, self.misc.is_some()),
        ] {
            mask = if present { mask | bit } else { mask & !bit };
        }
        w.write(&mask, "parts mask")?;
        write_optional(w, &self.sky, "sky")?;
        write_optional(w, &self.sounds, "sounds")?;
        write_optional(w, &self.scene_types, "scene types")?;
        w.write(&self.terrain_types, "terrain types")?;
        w.write(&Region::TEXTURE_MERGE, "land surface")?;
        w.write(&self.textures, "textures")?;
        write_optional(w, &self.misc, "misc")
    }
}

fn optional<T: Wire>(r: &mut Reader<'_>, bit: u32, field: &'static str) -> Result<Option<T>> {
    if bit == 0 { Ok(None) } else { r.read(field).map(Some) }
}

fn write_optional<T: Wire>(w: &mut Writer<'_>, part: &Option<T>, field: &'static str) -> Result<()> {
    part.as_ref().map_or(Ok(()), |part| w.write(part, field))
}

/// Measures of the map.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct LandDefs {
    /// Blocks per side of the map, x then y.
    pub blocks: [i32; 2],
    /// Metres per side of a land cell.
    pub square_length: f32,
    /// Land cells per side of a block.
    pub squares_per_block: i32,
    /// Samples per land cell.
    pub vertices_per_cell: i32,
    /// Metres.
    pub max_object_height: f32,
    /// Metres.
    pub sky_height: f32,
    /// Metres.
    pub road_width: f32,
    /// Altitudes as stored; see [`LandDefs::height`].
    pub heights: LandHeights,
}

/// Altitudes by height index.
#[derive(Debug, Clone, PartialEq)]
pub struct LandHeights(pub Box<[f32; 256]>);

#[cfg(feature = "serde")]
impl Serialize for LandHeights {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        self.0.as_slice().serialize(serializer)
    }
}

impl LandDefs {
    /// The altitude a LandBlock's height index stands for: within 0…800, and 0 for NaN.
    pub fn height(&self, index: u8) -> f32 {
        let stored = self.heights.0.get(usize::from(index)).copied().unwrap_or(0.0);
        if stored.is_nan() { 0.0 } else { stored.clamp(0.0, 800.0) }
    }
}

impl Default for LandDefs {
    /// The measures of Dereth, with a flat height table.
    fn default() -> Self {
        LandDefs {
            blocks: [255, 255],
            square_length: 24.0,
            squares_per_block: 8,
            vertices_per_cell: 1,
            max_object_height: 200.0,
            sky_height: 1000.0,
            road_width: 5.0,
            heights: LandHeights(Box::new([0.0; 256])),
        }
    }
}

impl Wire for LandDefs {
    const MIN: usize = 1056;

    fn read(r: &mut Reader<'_>, _: &'static str) -> Result<Self> {
        let offset = r.pos();
        let blocks: [i32; 2] = r.read("blocks per side")?;
        if !blocks.iter().all(|count| (1..=256).contains(count)) {
            return Err(r.error("blocks per side", offset, format!("{blocks:?} is not within 1…256")));
        }
        let [square_length] = r.finite("square length")?;
        if square_length <= 0.0 {
            return Err(r.error("square length", offset + 8, format!("{square_length} is not positive")));
        }
        Ok(LandDefs {
            blocks,
            square_length,
            squares_per_block: r.read("squares per block")?,
            vertices_per_cell: r.read("vertices per cell")?,
            max_object_height: r.read("max object height")?,
            sky_height: r.read("sky height")?,
            road_width: r.read("road width")?,
            heights: LandHeights(Box::new(r.read("height table")?)),
        })
    }

    fn write(&self, w: &mut Writer<'_>, _: &'static str) -> Result<()> {
        w.write(&self.blocks, "blocks per side")?;
        w.write(&self.square_length, "square length")?;
        w.write(&[self.squares_per_block, self.vertices_per_cell], "squares per block")?;
        w.write(&[self.max_object_height, self.sky_height, self.road_width], "max object height")?;
        w.write(self.heights.0.as_ref(), "height table")
    }
}

wire_struct! {
    /// The calendar.
    #[derive(Default)]
    pub struct GameTime {
        /// Seconds at which the first year began.
        pub zero_time_of_year: f64,
        /// Number of that year.
        pub zero_year: u32,
        /// Seconds.
        pub day_length: f32,
        /// Days.
        pub days_per_year: u32,
        /// Follows the number of a year.
        pub year_name: Text,
        /// Parts of the day.
        pub times_of_day: Vec<TimeOfDay>,
        /// Names.
        pub week_days: Vec<Text>,
        /// Parts of the year.
        pub seasons: Vec<Season>,
    }
}

wire_struct! {
    /// A part of the day.
    #[derive(Default)]
    pub struct TimeOfDay {
        /// Fraction of the day.
        pub start: f32,
        /// Whether it counts as night.
        pub night: bool,
        /// For people.
        pub name: Text,
    }
}

wire_struct! {
    /// A part of the year.
    #[derive(Default)]
    pub struct Season {
        /// Day of the year.
        pub start_day: u32,
        /// For people.
        pub name: Text,
    }
}

wire_struct! {
    /// What is heard somewhere.
    #[derive(Default)]
    pub struct SoundDesc {
        /// SoundTable.
        pub sound_table: DatId,
        /// Its sounds and when they are played.
        pub sounds: Vec<AmbientSound>,
    }
}

wire_struct! {
    /// A sound of the surroundings.
    #[derive(Default)]
    pub struct AmbientSound {
        /// Key in the SoundTable.
        pub sound: u32,
        /// 0…1.
        pub volume: f32,
        /// 0 for a sound without end.
        pub base_chance: f32,
        /// Times per second at least.
        pub min_rate: f32,
        /// Times per second at most.
        pub max_rate: f32,
    }
}

wire_struct! {
    /// A kind of scenery.
    #[derive(Default)]
    pub struct SceneType {
        /// Index into the Region's sounds; 0xFFFFFFFF for none.
        pub sound: u32,
        /// Scenes, one of which is chosen for each cell.
        pub scenes: Vec<DatId>,
    }
}

wire_struct! {
    /// What the ground can be made of.
    #[derive(Default)]
    pub struct TerrainType {
        /// For people.
        pub name: Text,
        /// On the map.
        pub color: Color,
        /// Indices into the Region's scene types; 0xFFFFFFFF for none. A sample's scenery code chooses.
        pub scene_types: Vec<u32>,
    }
}

wire_struct! {
    /// How textures of neighbouring samples are blended.
    #[derive(Default)]
    pub struct TextureMerge {
        /// Pixels per side of the blended texture.
        pub base_size: u32,
        /// Masks for one corner.
        pub corner_maps: Vec<AlphaMap>,
        /// Masks for two neighbouring corners.
        pub side_maps: Vec<AlphaMap>,
        /// Masks of roads; codes are corners with a road.
        pub road_maps: Vec<AlphaMap>,
        /// Textures by terrain type; 32 is the road.
        pub terrain: Vec<TerrainTexture>,
    }
}

wire_struct! {
    /// A mask.
    #[derive(Default)]
    pub struct AlphaMap {
        /// Corners of a land cell, a bit each.
        pub code: u32,
        /// SurfaceTexture.
        pub texture: DatId,
    }
}

wire_struct! {
    /// The texture of a terrain type, and how much single vertices may differ.
    #[derive(Default)]
    pub struct TerrainTexture {
        /// Terrain type; 32 is the road.
        pub terrain: u32,
        /// SurfaceTexture.
        pub texture: DatId,
        /// Repetitions per land cell.
        pub tiling: u32,
        /// Maximum, then minimum.
        pub brightness: [u32; 2],
        /// Maximum, then minimum.
        pub saturation: [u32; 2],
        /// Maximum, then minimum.
        pub hue: [u32; 2],
        /// Repetitions of the detail texture.
        pub detail_tiling: u32,
        /// SurfaceTexture of the detail.
        pub detail_texture: DatId,
    }
}

wire_struct! {
    /// Single things of the map.
    #[derive(Default)]
    pub struct Misc {
        /// 1.
        pub version: u32,
        /// RenderSurface.
        pub game_map: DatId,
        /// Only kept.
        pub autotest_map: DatId,
        /// Only kept.
        pub autotest_map_size: u32,
        /// GfxObj.
        pub clear_cell: DatId,
        /// GfxObj.
        pub clear_monster: DatId,
    }
}
