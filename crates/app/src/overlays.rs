//! Overlays for people who debug worlds.

use crate::surroundings::Surroundings;
use clap::ValueEnum;
use threshold_render::{
    cpu::CpuRenderer,
    overlay::{self, Kind, Subject},
    studio::Studio,
};
use threshold_sim::SceneContents;
use threshold_world::CellId;

/// What is drawn over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Overlay {
    /// Boundaries and numbers of the interior cells in view
    Cells,
    /// Their portals: green to the outside, blue where both sides coincide, orange otherwise
    Portals,
    /// Collision polygons of the viewer's cell (green: one can stand there) and the planes that split them (violet)
    Bsp,
    /// Objects in the lists of the cells in view: blue, yellow, orange, red by number of cells; statics grey
    Shadows,
}

impl From<Overlay> for Kind {
    fn from(overlay: Overlay) -> Kind {
        match overlay {
            Overlay::Cells => Kind::Cells,
            Overlay::Portals => Kind::Portals,
            Overlay::Bsp => Kind::Bsp,
            Overlay::Shadows => Kind::Shadows,
        }
    }
}

/// Draws overlays over the pixels of the studio's last frame; what hides them is found by drawing it on the CPU.
pub(crate) fn draw(
    overlays: &[Overlay],
    studio: &Studio,
    around: &Surroundings,
    viewer: CellId,
    (width, height): (u32, u32),
    rgba: &mut [u8],
) {
    let Some(projection) = studio.plan().projection.filter(|_| !overlays.is_empty()) else { return };
    let mut renderer = CpuRenderer::new(width, height);
    renderer.draw(studio.list(), &studio.assets);
    let subject =
        Subject { world: &around.world, objects: &SceneContents(&around.scene), plan: studio.plan(), viewer };
    for &kind in overlays {
        overlay::paint(renderer.picture(), &projection, &overlay::lines(kind.into(), &subject), rgba);
    }
    for &kind in overlays {
        overlay::write(renderer.picture(), &projection, &overlay::labels(kind.into(), &subject), rgba);
    }
}
