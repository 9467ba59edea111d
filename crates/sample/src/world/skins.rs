//! The materials of the sample world.

use crate::{
    material::{Blend, Materials, Skin},
    texture::{
        Rgb,
        paint::{ground, masonry, plants, sky, things, wood},
    },
};
use threshold_dat::records::PixelFormat as Format;

/// All materials that meshes and rooms use.
#[derive(Clone, Copy)]
pub(crate) struct Skins {
    pub(crate) plaster: Skin,
    pub(crate) rose_plaster: Skin,
    pub(crate) boards: Skin,
    pub(crate) ceiling: Skin,
    pub(crate) beam: Skin,
    pub(crate) stone: Skin,
    pub(crate) flagstone: Skin,
    pub(crate) brick: Skin,
    pub(crate) rock: Skin,
    pub(crate) cave_floor: Skin,
    pub(crate) dungeon_wall: Skin,
    pub(crate) dungeon_floor: Skin,
    pub(crate) dungeon_vault: Skin,
    pub(crate) marble: Skin,
    pub(crate) limestone: Skin,
    pub(crate) thatch: Skin,
    pub(crate) slate: Skin,
    pub(crate) door: Skin,
    pub(crate) iron: Skin,
    pub(crate) brass: Skin,
    pub(crate) bark: Skin,
    pub(crate) leaves: Skin,
    pub(crate) autumn: Skin,
    pub(crate) fir: Skin,
    pub(crate) tuft: Skin,
    pub(crate) flowers: Skin,
    pub(crate) glass: Skin,
    pub(crate) water: Skin,
    pub(crate) carpet: Skin,
    pub(crate) linen: Skin,
    pub(crate) red_cloth: Skin,
    pub(crate) green_cloth: Skin,
    pub(crate) leather: Skin,
    pub(crate) face: Skin,
    pub(crate) hair: Skin,
    pub(crate) hide: Skin,
    pub(crate) flame: Skin,
    pub(crate) embers: Skin,
    pub(crate) lamp: Skin,
    pub(crate) halo: Skin,
    pub(crate) lamplight: Skin,
    pub(crate) swirl: Skin,
    pub(crate) smoke: Skin,
    pub(crate) inn_sign: Skin,
    pub(crate) way_sign: Skin,
    pub(crate) dome: Skin,
    pub(crate) dusk_dome: Skin,
    pub(crate) night_dome: Skin,
    pub(crate) clouds: Skin,
    pub(crate) overcast: Skin,
    pub(crate) sun: Skin,
    pub(crate) moon: Skin,
    pub(crate) stars: Skin,
    pub(crate) rain: Skin,
}

const OAK: Rgb = [0.42, 0.29, 0.17];
const PINE: Rgb = [0.62, 0.46, 0.28];
const DARK_OAK: Rgb = [0.27, 0.18, 0.11];
const GREY_STONE: Rgb = [0.55, 0.54, 0.5];
const MORTAR: Rgb = [0.42, 0.4, 0.36];
const IRON: Rgb = [0.25, 0.25, 0.27];

impl Skins {
    pub(crate) fn new(m: &mut Materials) -> Skins {
        use Blend::{Alpha, Clip, Glow, Opaque};
        macro_rules! skin {
            ($format:ident, $repeat:expr, $blend:expr, $luminosity:expr, $paint:expr) => {{
                let texture = m.texture(Format::$format, move || $paint);
                m.image(texture, $repeat, $blend, $luminosity)
            }};
            ($format:ident, $repeat:expr, $paint:expr) => {
                skin!($format, $repeat, Opaque, 0.0, $paint)
            };
        }
        Skins {
            plaster: skin!(DXT1, 2.5, masonry::plaster([0.86, 0.81, 0.69], 1)),
            rose_plaster: skin!(DXT1, 2.5, masonry::plaster([0.8, 0.64, 0.53], 2)),
            boards: skin!(INDEX16, 2.0, wood::boards(PINE, [0.2, 0.13, 0.08], 8, 3)),
            ceiling: skin!(P8, 2.5, wood::boards(OAK, [0.12, 0.08, 0.05], 6, 4)),
            beam: skin!(R5G6B5, 1.0, wood::beam(DARK_OAK, 5)),
            stone: skin!(R8G8B8, 2.5, masonry::courses(GREY_STONE, MORTAR, (4, 8), 6)),
            flagstone: skin!(DXT1, 2.5, masonry::flagstones([0.56, 0.53, 0.47], [0.28, 0.26, 0.22], 5, 7)),
            brick: skin!(R5G6B5, 2.0, masonry::courses([0.62, 0.3, 0.2], [0.5, 0.46, 0.4], (6, 16), 8)),
            rock: skin!(DXT1, 5.0, masonry::rock([0.52, 0.47, 0.42], 9)),
            cave_floor: skin!(DXT1, 2.5, masonry::rock([0.42, 0.37, 0.31], 10)),
            dungeon_wall: skin!(
                DXT1,
                2.5,
                masonry::courses([0.46, 0.45, 0.47], [0.24, 0.24, 0.26], (3, 6), 11)
            ),
            dungeon_floor: skin!(
                R5G6B5,
                2.5,
                masonry::flagstones([0.44, 0.43, 0.43], [0.2, 0.2, 0.21], 4, 12)
            ),
            dungeon_vault: skin!(
                DXT1,
                2.5,
                masonry::courses([0.36, 0.34, 0.33], [0.2, 0.19, 0.19], (5, 10), 13)
            ),
            marble: skin!(R8G8B8, 2.5, masonry::flagstones([0.72, 0.68, 0.6], [0.5, 0.42, 0.3], 3, 14)),
            limestone: skin!(DXT1, 2.5, masonry::plaster([0.74, 0.7, 0.62], 47)),
            thatch: skin!(INDEX16, 3.0, wood::thatch([0.78, 0.63, 0.33], 15)),
            slate: skin!(DXT1, 2.5, masonry::slates([0.36, 0.4, 0.46], 16)),
            door: skin!(A8R8G8B8, 2.0, wood::door([0.45, 0.3, 0.17], IRON, 17)),
            iron: skin!(P8, 1.0, things::metal(IRON, 18)),
            brass: skin!(P8, 0.5, things::metal([0.78, 0.6, 0.26], 19)),
            bark: skin!(P8, 1.5, wood::bark([0.36, 0.27, 0.19], 20)),
            leaves: skin!(A8R8G8B8, 1.0, Clip, 0.0, plants::leaves([0.1, 0.25, 0.06], [0.42, 0.6, 0.2], 21)),
            autumn: skin!(A8R8G8B8, 1.0, Clip, 0.0, plants::leaves([0.4, 0.2, 0.06], [0.85, 0.55, 0.18], 22)),
            fir: skin!(A8R8G8B8, 1.0, Clip, 0.0, plants::fir([0.05, 0.16, 0.09], [0.24, 0.42, 0.22], 23)),
            tuft: skin!(P8, 1.0, Clip, 0.0, plants::tuft([0.14, 0.28, 0.08], [0.5, 0.66, 0.25], None, 24)),
            flowers: skin!(
                DXT5,
                1.0,
                Clip,
                0.0,
                plants::tuft([0.14, 0.3, 0.1], [0.45, 0.65, 0.25], Some([0.95, 0.75, 0.2]), 25)
            ),
            glass: skin!(A4R4G4B4, 1.0, Alpha, 0.0, things::glass([0.75, 0.85, 0.8], [0.2, 0.2, 0.2], 26)),
            water: skin!(
                R5G6B5,
                1.0,
                Blend::Translucent(0.35),
                0.0,
                ground::water([0.16, 0.3, 0.36], [0.6, 0.72, 0.75], 48)
            ),
            carpet: skin!(INDEX16, 1.0, things::carpet([0.5, 0.12, 0.12], [0.8, 0.66, 0.35], 27)),
            linen: skin!(R5G6B5, 0.5, things::cloth([0.88, 0.85, 0.76], 28)),
            red_cloth: skin!(R5G6B5, 0.5, things::cloth([0.62, 0.16, 0.14], 29)),
            green_cloth: skin!(P8, 0.5, things::cloth([0.22, 0.4, 0.24], 30)),
            leather: skin!(P8, 0.5, things::hide([0.42, 0.27, 0.16], 31)),
            face: skin!(R5G6B5, 0.5, masonry::plaster([0.9, 0.68, 0.54], 32)),
            hair: skin!(P8, 0.5, things::hide([0.3, 0.19, 0.1], 33)),
            hide: skin!(P8, 0.6, things::hide([0.45, 0.4, 0.36], 34)),
            flame: skin!(DXT5, 1.0, Glow, 1.0, things::flame(35)),
            embers: skin!(R8G8B8, 0.5, Opaque, 1.0, things::embers(36)),
            lamp: skin!(X8R8G8B8, 0.5, Opaque, 0.9, things::metal([1.0, 0.86, 0.5], 37)),
            halo: skin!(A8R8G8B8, 1.0, Glow, 1.0, things::halo([1.0, 0.8, 0.45], 0.6)),
            lamplight: skin!(A8R8G8B8, 1.0, Alpha, 1.0, things::halo([0.52, 0.43, 0.29], 0.55)),
            swirl: skin!(A8R8G8B8, 1.0, Glow, 1.0, things::swirl([0.9, 0.7, 1.0], [0.35, 0.2, 0.9], 38)),
            smoke: skin!(A8R8G8B8, 1.0, Alpha, 0.3, things::puff(39)),
            inn_sign: skin!(A8R8G8B8, 1.0, wood::sign(PINE, &["THE OPEN", "DOOR"], 40)),
            way_sign: skin!(A8R8G8B8, 1.0, wood::sign(PINE, &["THRESHOLD", "TOWER  CAVE"], 41)),
            dome: skin!(R8G8B8, 1.0, Opaque, 1.0, sky::dome([0.25, 0.48, 0.85], [0.72, 0.82, 0.92])),
            dusk_dome: skin!(R8G8B8, 1.0, Opaque, 1.0, sky::dome([0.22, 0.26, 0.5], [0.95, 0.62, 0.42])),
            night_dome: skin!(R8G8B8, 1.0, Opaque, 1.0, sky::dome([0.02, 0.03, 0.08], [0.1, 0.12, 0.2])),
            clouds: skin!(A8R8G8B8, 1.0, Alpha, 0.5, sky::clouds(0.55, 42)),
            overcast: skin!(DXT5, 1.0, Alpha, 0.3, sky::clouds(1.0, 43)),
            sun: skin!(A8, 1.0, Glow, 1.0, sky::sun()),
            moon: skin!(A8R8G8B8, 1.0, Alpha, 1.0, sky::moon(44)),
            stars: skin!(A8, 1.0, Glow, 1.0, sky::stars(45)),
            rain: skin!(A8R8G8B8, 1.0, Alpha, 0.4, sky::rain(46)),
        }
    }
}
