//! Pictures: what is seen, and the world from above.

use crate::{
    camera::ThCamera,
    fault::{Fault, ThStatus},
    handles::ThWorld,
    memory::{Out, OutArray, read},
    types::block,
    world::with_world,
};
use bytemuck::AnyBitPattern;
use threshold_render::map::{Tile, TileError, tile};
use threshold_sim::SimulationView;

/// Size of a picture.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThSize {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
}

/// A block from above, and its surroundings.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, AnyBitPattern)]
pub struct ThTile {
    /// The block, such as 0xA9B4.
    pub block: u32,
    /// Blocks to add in every direction, up to 16.
    pub around: u32,
    /// Pixels along the longer side, 16 to 8192; 0 for 1024.
    pub pixels: u32,
    /// 1 to omit everything above `cut`, 0 to draw everything.
    pub has_cut: u32,
    /// Height of the cut in metres, to show lower floors.
    pub cut: f32,
    /// Only this part, in metres from the block's south-west corner; all zeros for all of the block, or of a dungeon's
    /// rooms.
    pub west: f32,
    /// South edge.
    pub south: f32,
    /// East edge.
    pub east: f32,
    /// North edge.
    pub north: f32,
}

impl ThTile {
    fn check(&self) -> Result<Tile, Fault> {
        let window = [self.west, self.south, self.east, self.north];
        if self.has_cut > 1 {
            return Err(Fault::argument(format!("has_cut must be 0 or 1, not {}", self.has_cut)));
        }
        Ok(Tile {
            block: block(self.block)?,
            around: u8::try_from(self.around).unwrap_or(u8::MAX),
            window: (window != [0.0; 4]).then_some(window),
            pixels: Some(if self.pixels == 0 { 1024 } else { self.pixels }),
            cut: (self.has_cut == 1).then_some(self.cut),
        })
    }
}

impl From<TileError> for Fault {
    fn from(error: TileError) -> Fault {
        let status = match &error {
            TileError::NoBlock(_) => ThStatus::NotFound,
            TileError::BadSize => ThStatus::BadArgument,
            TileError::Dat(_) => ThStatus::Data,
        };
        Fault::new(status, error.to_string())
    }
}

/// Renders the view of a camera on the processor: the same picture on every machine. Four bytes per pixel, red, green, blue
/// and 255, rows from the top down: width × height × 4. The first picture of a world takes longer, because particle effects are started for it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_render(
    world: *mut ThWorld,
    camera: *const ThCamera,
    rgba: *mut u8,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (asked, out) = unsafe { (read(camera, "camera")?, OutArray::new(rgba, capacity, count)?) };
        let camera = asked.check(&world.sim)?;
        if !out.wants(asked.width * asked.height * 4)? {
            return Ok(());
        }
        let view = world.view.get_or_insert_with(|| Box::new(SimulationView::new(&world.sim)));
        view.studio.set_time(0, 0.5 + asked.after_noon);
        let picture = match camera.player {
            Some(player) => view.rgba_of(&world.sim, player, &camera.viewer.lens)?,
            None => view.rgba(&world.sim, &camera.viewer, &camera.feet)?,
        };
        out.set(&picture)
    })
}

/// Draws a block from above: terrain, water, roads, buildings, floor plans. Four bytes per pixel as in `th_render`, north up;
/// `size` is written even when the buffer is too small. The block need not be loaded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn th_map_tile(
    world: *mut ThWorld,
    asked: *const ThTile,
    size: *mut ThSize,
    rgba: *mut u8,
    capacity: u32,
    count: *mut u32,
) -> ThStatus {
    with_world(world, |world| {
        // SAFETY: the caller keeps the rules of the header.
        let (asked, size, out) =
            unsafe { (read(asked, "tile")?, Out::new(size, "size")?, OutArray::new(rgba, capacity, count)?) };
        let canvas = tile(world.sim.library(), &asked.check()?)?;
        let (width, height) = canvas.size();
        size.set(ThSize { width: width as u32, height: height as u32 });
        out.set(&canvas.rgba())
    })
}
