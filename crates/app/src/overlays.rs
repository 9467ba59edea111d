//! Overlays for people who debug worlds.

use clap::ValueEnum;
use threshold_render::{
    cpu::CpuRenderer,
    overlay::{self, Kind, Subject},
};
use threshold_sim::{SceneContents, Simulation, SimulationView};
use threshold_world::CellId;

/// What is drawn over a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Overlay {
    /// Boundaries and numbers of the interior cells in view
    Cells,
    /// Their portals: green to the outside, blue where both sides coincide, orange otherwise
    Portals,
    /// Collision polygons of the viewer's cell (green: walkable) and the planes that split them (violet)
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

/// Draws overlays over the pixels of a view's last frame; what hides them is found by drawing it on the CPU.
pub(crate) fn draw(overlays: &[Overlay], sim: &Simulation, view: &SimulationView, picture: &mut Pixels<'_>) {
    let studio = &view.studio;
    let Some(projection) = studio.plan().projection.filter(|_| !overlays.is_empty()) else { return };
    let mut renderer = CpuRenderer::new(picture.size.0, picture.size.1);
    renderer.draw(studio.list(), &studio.assets);
    let objects = SceneContents(sim.scene());
    let viewer = picture.viewer;
    let subject = Subject { world: sim.world(), objects: &objects, plan: studio.plan(), viewer };
    for &kind in overlays {
        let lines = overlay::lines(kind.into(), &subject);
        overlay::paint(renderer.picture(), &projection, &lines, picture.rgba);
    }
    for &kind in overlays {
        let labels = overlay::labels(kind.into(), &subject);
        overlay::write(renderer.picture(), &projection, &labels, picture.rgba);
    }
}

/// A picture that was drawn.
pub(crate) struct Pixels<'p> {
    /// The eye's cell.
    pub(crate) viewer: CellId,
    pub(crate) size: (u32, u32),
    pub(crate) rgba: &'p mut [u8],
}
