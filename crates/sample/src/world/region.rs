//! The region: land, terrain textures, scenes, time and sky.

use super::{scenery, skins::Skins, sky, terrain::kind};
use crate::{
    builder::WorldBuilder,
    error::BuildError,
    land::height_table,
    material::Materials,
    texture::{Image, paint::ground},
};
use threshold_dat::{
    DatId,
    records::{
        AlphaMap, Color, GameTime, LandDefs, PixelFormat as Format, Region, SceneType, Season,
        TerrainTexture, TerrainType, Text, TextureMerge, TimeOfDay,
    },
};
use threshold_world::REGION;

/// Terrain "type" of the road's texture.
const ROAD: u32 = 32;

/// Names of the terrain types and their colours on a map.
const TERRAIN: [(&str, [u8; 3]); 32] = [
    ("BarrenRock", [110, 105, 100]),
    ("Grassland", [90, 130, 60]),
    ("Ice", [200, 220, 235]),
    ("LushGrass", [70, 140, 55]),
    ("MarshSparseSwamp", [80, 100, 60]),
    ("MudRichDirt", [95, 75, 50]),
    ("ObsidianPlain", [45, 40, 45]),
    ("PackedDirt", [135, 110, 75]),
    ("PatchyDirt", [125, 115, 75]),
    ("PatchyGrassland", [115, 135, 70]),
    ("sand-yellow", [210, 190, 130]),
    ("sand-grey", [170, 165, 150]),
    ("sand-rockStrewn", [180, 160, 120]),
    ("SedimentaryRock", [130, 110, 90]),
    ("SemiBarrenRock", [120, 120, 95]),
    ("Snow", [235, 240, 245]),
    ("WaterRunning", [70, 110, 150]),
    ("WaterStandingFresh", [65, 100, 130]),
    ("WaterShallowSea", [60, 120, 160]),
    ("WaterShallowStillSea", [60, 115, 150]),
    ("WaterDeepSea", [35, 75, 125]),
    ("Forestfloor", [75, 90, 50]),
    ("FauxWaterRunning", [70, 110, 150]),
    ("SeaSlime", [70, 100, 80]),
    ("Argila", [150, 100, 75]),
    ("Volcano1", [70, 45, 40]),
    ("Volcano2", [90, 50, 40]),
    ("BlueIce", [170, 200, 230]),
    ("Moss", [85, 120, 65]),
    ("DarkMoss", [60, 90, 50]),
    ("olthoi", [90, 80, 60]),
    ("DesolateLands", [105, 95, 85]),
];

/// Stores the region.
pub(super) fn store(
    world: &mut WorldBuilder,
    skins: &Skins,
    scenes: Vec<SceneType>,
) -> Result<(), BuildError> {
    let sky = sky::make(world, skins)?;
    let textures = textures(&mut world.materials);
    let terrain_types = TERRAIN.iter().map(|(name, [red, green, blue])| TerrainType {
        name: text(name),
        color: Color { red: *red, green: *green, blue: *blue, alpha: 255 },
        scene_types: (0..scenery::CODES).collect(),
    });
    let region = Region {
        number: 1,
        name: text("Threshold"),
        land: LandDefs {
            blocks: [255, 255],
            square_length: 24.0,
            squares_per_block: 8,
            vertices_per_cell: 1,
            max_object_height: 200.0,
            sky_height: 1000.0,
            road_width: 5.0,
            heights: height_table(),
        },
        time: game_time(),
        parts_mask: 0x16,
        sky: Some(sky),
        sounds: None,
        scene_types: Some(scenes),
        terrain_types: terrain_types.collect(),
        textures,
        misc: None,
    };
    Ok(world.store.put(REGION, &region)?)
}

pub(super) fn text(text: &str) -> Text {
    Text(text.as_bytes().to_vec())
}

fn game_time() -> GameTime {
    let hours = [
        (0.0, true, "Midnight"),
        (0.22, true, "Dawn"),
        (0.28, false, "Morning"),
        (0.46, false, "Noon"),
        (0.55, false, "Afternoon"),
        (0.72, false, "Dusk"),
        (0.78, true, "Night"),
    ];
    let days = ["Stone", "Hearth", "Field", "River", "Market", "Rest"];
    let seasons = [(0, "Thaw"), (90, "Bloom"), (180, "Harvest"), (270, "Frost")];
    GameTime {
        zero_time_of_year: 3810.0,
        zero_year: 1,
        day_length: 7620.0,
        days_per_year: 360,
        year_name: text("Year"),
        times_of_day: hours.map(|(start, night, name)| TimeOfDay { start, night, name: text(name) }).to_vec(),
        week_days: days.map(text).to_vec(),
        seasons: seasons.map(|(start_day, name)| Season { start_day, name: text(name) }).to_vec(),
    }
}

/// Terrain textures and the masks that blend them. Spec: render-data §9.3.
fn textures(m: &mut Materials) -> TextureMerge {
    let grass = m.texture(Format::R8G8B8, || {
        ground::turf([0.2, 0.3, 0.1], [0.42, 0.52, 0.22], [0.45, 0.38, 0.24], 0.35, 101)
    });
    let lush = m.texture(Format::R8G8B8, || {
        ground::turf([0.14, 0.3, 0.09], [0.34, 0.54, 0.2], [0.5, 0.56, 0.25], 0.3, 102)
    });
    let patchy = m.texture(Format::R8G8B8, || {
        ground::turf([0.24, 0.32, 0.12], [0.45, 0.52, 0.24], [0.5, 0.41, 0.28], 0.9, 103)
    });
    let forest = m.texture(Format::X8R8G8B8, || {
        ground::turf([0.14, 0.19, 0.08], [0.3, 0.34, 0.15], [0.36, 0.25, 0.13], 0.8, 104)
    });
    let dirt = m.texture(Format::R8G8B8, || ground::soil([0.52, 0.41, 0.27], [0.55, 0.5, 0.42], 0.35, 105));
    let mud = m.texture(Format::R5G6B5, || ground::soil([0.33, 0.26, 0.17], [0.4, 0.36, 0.3], 0.3, 106));
    let sand = m.texture(Format::R8G8B8, || ground::soil([0.82, 0.74, 0.53], [0.7, 0.64, 0.5], 0.12, 107));
    // These two are grey, so the open question about the order of the format's bytes cannot show.
    let rock = m.texture(Format::LSCAPE_R8G8B8, || ground::crag([0.56, 0.55, 0.54], 108));
    let snow =
        m.texture(Format::LSCAPE_R8G8B8, || ground::soil([0.95, 0.95, 0.95], [0.88, 0.88, 0.88], 0.1, 109));
    let river = m.texture(Format::R8G8B8, || ground::water([0.16, 0.3, 0.36], [0.6, 0.72, 0.75], 110));
    let sea = m.texture(Format::R8G8B8, || ground::water([0.13, 0.32, 0.42], [0.55, 0.72, 0.76], 111));
    let deep = m.texture(Format::R8G8B8, || ground::water([0.07, 0.2, 0.33], [0.35, 0.5, 0.6], 112));
    let road = m.texture(Format::R8G8B8, || ground::cobbles([0.56, 0.53, 0.47], [0.44, 0.36, 0.25], 113));

    let texture_of = |terrain: u32| match terrain as u8 {
        kind::ROCK | kind::SEMI_BARREN | 6 | 13 | 25 | 26 | 31 => rock,
        kind::LUSH_GRASS | 28 | 29 => lush,
        kind::MUD | 4 | 23 | 24 | 30 => mud,
        kind::PACKED_DIRT | 8 => dirt,
        kind::PATCHY_GRASS => patchy,
        kind::SAND | 11 | 12 => sand,
        kind::SNOW | 2 | 27 => snow,
        kind::RIVER | 17 | 22 => river,
        kind::SHALLOW_SEA | 19 => sea,
        kind::DEEP_SEA => deep,
        kind::FOREST => forest,
        _ if terrain == ROAD => road,
        _ => grass,
    };
    let terrain = (0..=ROAD).map(|terrain| TerrainTexture {
        terrain,
        texture: texture_of(terrain),
        tiling: ground::MASK_SIZE / ground::TERRAIN_SIZE,
        brightness: [0, 0],
        saturation: [0, 0],
        hue: [0, 0],
        detail_tiling: 1,
        detail_texture: DatId(0),
    });
    let mut mask = |code: u32, paint: fn(u32) -> Image, seed: u32| AlphaMap {
        code,
        texture: m.texture(Format::LSCAPE_ALPHA, move || paint(seed)),
    };
    TextureMerge {
        base_size: ground::MASK_SIZE,
        corner_maps: (0..3).map(|i| mask(8, ground::corner_mask, 120 + i)).collect(),
        side_maps: (0..2).map(|i| mask(9, ground::side_mask, 130 + i)).collect(),
        road_maps: vec![
            mask(9, ground::road_side_mask, 140),
            mask(8, ground::road_corner_mask, 141),
            mask(10, ground::road_diagonal_mask, 142),
        ],
        terrain: terrain.collect(),
    }
}
