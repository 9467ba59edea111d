//! A picture of the land around the player, from above.

use glam::{Vec2, Vec3};
use threshold_world::{
    BlockId, Position, World,
    coords::{BLOCK_SIDE, LandCoord},
    loc::MapCoords,
    terrain::is_water,
};

/// Pixels along a block.
const BLOCK_PIXELS: usize = 24;
/// Blocks to each side of the player's.
const RADIUS: i32 = 5;

/// Colours of terrain types, by their usual numbers. Spec: dat-cell §2.
const COLORS: [[u8; 3]; 32] = {
    let mut colors = [[104, 128, 72]; 32];
    colors[0] = [130, 126, 120];
    colors[1] = [98, 132, 66];
    colors[3] = [78, 120, 52];
    colors[5] = [110, 92, 66];
    colors[6] = [120, 100, 72];
    colors[7] = [140, 118, 84];
    colors[9] = [124, 140, 80];
    colors[10] = [206, 188, 136];
    colors[14] = [140, 134, 100];
    colors[15] = [232, 236, 240];
    colors[16] = [66, 112, 148];
    colors[17] = [60, 106, 146];
    colors[18] = [70, 124, 160];
    colors[19] = [52, 96, 138];
    colors[20] = [40, 80, 124];
    colors[21] = [58, 96, 48];
    colors
};
const ROAD: [u8; 3] = [184, 160, 120];
const HOUSE: [u8; 3] = [150, 74, 56];
const UNKNOWN: [u8; 3] = [36, 44, 56];

/// The map.
pub struct Map {
    /// Rows of RGBA pixels, north first.
    pub rgba: Vec<u8>,
    /// Pixels along a side.
    pub side: usize,
    middle: BlockId,
    version: u64,
}

impl Map {
    /// Draws what is loaded around a block.
    pub fn draw(world: &World, middle: BlockId) -> Map {
        let side = BLOCK_PIXELS * (2 * RADIUS as usize + 1);
        let mut map = Map { rgba: vec![255; side * side * 4], side, middle, version: world.version() };
        for row in 0..side {
            for column in 0..side {
                let color = map.color(world, map.metres(Vec2::new(column as f32 + 0.5, row as f32 + 0.5)));
                map.rgba[(row * side + column) * 4..][..3].copy_from_slice(&color);
            }
        }
        map
    }

    /// Whether it still shows what is loaded around a block.
    pub fn is_current(&self, world: &World, middle: BlockId) -> bool {
        self.version == world.version() && self.middle == middle
    }

    /// Metres from the south-west corner of the whole world at a pixel.
    fn metres(&self, pixel: Vec2) -> Vec2 {
        let scale = BLOCK_SIDE / BLOCK_PIXELS as f32;
        let corner = Vec2::new(
            (i32::from(self.middle.x()) - RADIUS) as f32,
            (i32::from(self.middle.y()) + RADIUS + 1) as f32,
        ) * BLOCK_SIDE;
        corner + Vec2::new(pixel.x, -pixel.y) * scale
    }

    /// The pixel of a position; `None` for interiors without a landscape around them and beyond the picture.
    pub fn pixel(&self, position: &Position) -> Option<Vec2> {
        let block = position.cell.block();
        let metres = Vec2::new(f32::from(block.x()), f32::from(block.y())) * BLOCK_SIDE
            + position.frame.origin.truncate();
        let way = metres - self.metres(Vec2::ZERO);
        let pixel = Vec2::new(way.x, -way.y) * (BLOCK_PIXELS as f32 / BLOCK_SIDE);
        let inside = pixel.min_element() >= 0.0 && pixel.max_element() <= self.side as f32;
        inside.then_some(pixel)
    }

    /// The map coordinates of a pixel.
    pub fn coords(&self, pixel: Vec2) -> Option<MapCoords> {
        let at = self.metres(pixel);
        let block = at / BLOCK_SIDE;
        if block.min_element() < 0.0 || block.max_element() >= 255.0 {
            return None;
        }
        let id = BlockId::new(block.x as u8, block.y as u8);
        let local = at - Vec2::new(f32::from(id.x()), f32::from(id.y())) * BLOCK_SIDE;
        let land = LandCoord::under(id.cell(1), local.extend(0.0))?;
        MapCoords::of(land.cell()?)
    }

    fn color(&self, world: &World, at: Vec2) -> [u8; 3] {
        let block = at / BLOCK_SIDE;
        if block.min_element() < 0.0 || block.max_element() >= 255.0 {
            return UNKNOWN;
        }
        let id = BlockId::new(block.x as u8, block.y as u8);
        let Some(land) = world.landscape(id) else { return UNKNOWN };
        let local = (at - Vec2::new(f32::from(id.x()), f32::from(id.y())) * BLOCK_SIDE).extend(0.0);
        let sample = threshold_world::terrain::Terrain::nearest_sample(local);
        let near_house = |house: &threshold_world::landblock::Building| {
            house.model.is_some()
                && (house.position.frame.origin.truncate() - local.truncate()).length() < 5.0
        };
        let kind = land.terrain.terrain_type(sample);
        let base = if land.buildings.iter().any(near_house) {
            HOUSE
        } else if land.terrain.road(sample) != 0 {
            ROAD
        } else {
            COLORS[usize::from(kind) & 31]
        };
        let slope = land.terrain.ground_at(local).map_or(Vec3::Z, |ground| ground.plane.normal);
        let light =
            if is_water(kind) { 1.0 } else { (0.55 + 0.5 * slope.dot(Vec3::new(-0.4, 0.4, 0.82))).min(1.1) };
        base.map(|channel| (f32::from(channel) * light).min(255.0) as u8)
    }
}
