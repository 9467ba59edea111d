//! Plans and pictures.

use crate::{
    argument::{Options, floats, whole},
    error::Fault,
    position::SpotArg,
    types::{JsPicture, JsPlan, JsPlanOptions, JsRenderOptions, JsTileOptions, JsView},
    value::{Fields, list},
    world::{Inner, World, block_id},
};
use js_sys::{Array, Float32Array, JSON, Uint8ClampedArray};
use threshold_render::{
    map::{Tile, TileError, tile},
    raster::MAX_SIDE,
};
use threshold_sim::{FramePlan, Lens, Position as Place, SimulationView};
use threshold_view::{
    Viewer,
    camera::orientation,
    report::{CellReport, Region, Report},
};
use threshold_world::Frame;
use wasm_bindgen::{JsValue, prelude::wasm_bindgen};

fn regions(regions: &[Region]) -> Array {
    let flat =
        |region: &Region| Float32Array::from(&region.iter().flatten().copied().collect::<Vec<f32>>()[..]);
    list(regions.iter().map(flat))
}

fn cells(cells: &[CellReport]) -> Array {
    list(cells.iter().map(|cell| {
        let fields = Fields::new().with("cell", cell.id.0).with("distance", cell.distance);
        fields.with("regions", regions(&cell.regions)).done::<JsValue>()
    }))
}

fn plan(report: &Report, steps: JsValue) -> JsPlan {
    let buildings = report.buildings.iter().map(|seen| {
        let fields = Fields::new().with("cell", seen.cell.0);
        fields.with("cells", cells(&seen.interior_cells)).done::<JsValue>()
    });
    Fields::new()
        .with("viewerCell", report.viewer_cell.map(|cell| cell.0))
        .with("outside", report.outside)
        .with("landscape", regions(&report.landscape.regions))
        .with("cells", cells(&report.cells))
        .with("buildings", list::<Array>(buildings))
        .with("steps", steps)
        .done()
}

/// How a picture is taken.
struct Shot {
    view: SpotArg,
    size: (u32, u32),
    fov: f32,
    pitch: f32,
    /// The place is the eye's, not the feet's.
    is_eye: bool,
}

impl Shot {
    fn new(
        view: &JsView,
        width: Option<f64>,
        height: Option<f64>,
        options: &mut Options,
    ) -> Result<Shot, Fault> {
        let width = whole("width", width.unwrap_or(640.0))?;
        let height = whole("height", height.unwrap_or(360.0))?;
        Ok(Shot {
            view: SpotArg::read(view)?,
            size: (width, height),
            fov: options.float("fov", 60.0)?,
            pitch: options.finite("pitch", 0.0)?,
            is_eye: options.flag("isEye", false)?,
        })
    }

    fn viewer(&self, world: &Inner) -> Result<(Viewer, Place), Fault> {
        let (width, height) = self.size;
        let lens = Lens::new(self.fov.to_radians(), width, height).filter(|_| width.max(height) <= MAX_SIDE);
        let lens = lens.ok_or_else(|| {
            Fault::argument(format!(
                "a picture has 1 to {MAX_SIDE} pixels a side and 0 to 180 degrees of view"
            ))
        })?;
        let place = match &self.view {
            SpotArg::Entity(key) => {
                world.sim.entity(*key)?;
                let feet = world.sim.drawn_position(*key)?;
                let viewer = world.sim.viewer(*key, &lens);
                let eyeless =
                    || Fault::NotPossible("the player has no camera yet; advance the world first".into());
                return Ok((viewer.ok_or_else(eyeless)?, feet));
            }
            SpotArg::At(place) => place.resolve(&world.sim)?,
        };
        if world.sim.world().cell(place.cell).is_none() {
            return Err(Fault::not_found(format_args!("loaded cell {}", place.cell)));
        }
        let mut at = place;
        if self.pitch != 0.0 {
            at.frame = Frame::new(at.frame.origin, orientation(at.frame.heading(), self.pitch));
        }
        let viewer = match self.is_eye {
            true => Viewer { position: at, lens, player_cell: at.cell },
            false => world.sim.viewer_above(&at, &lens),
        };
        Ok((viewer, at))
    }
}

fn picture((width, height): (u32, u32), rgba: &[u8]) -> JsPicture {
    let fields = Fields::new().with("width", width).with("height", height);
    fields.with("rgba", Uint8ClampedArray::from(rgba)).done()
}

#[wasm_bindgen]
impl World {
    /// Plans a frame, as a player sees it or somebody who stands at a place: 640 by 360 unless named.
    pub fn plan(
        &self,
        view: &JsView,
        width: Option<f64>,
        height: Option<f64>,
        options: Option<JsPlanOptions>,
    ) -> Result<JsPlan, Fault> {
        let mut options = Options::new(&options.into())?;
        let shot = Shot::new(view, width, height, &mut options)?;
        options.end()?;
        let (report, steps) = self.shared.with(|world| {
            let (viewer, _) = shot.viewer(world)?;
            let mut plan = FramePlan::default();
            world.sim.plan(&viewer, &mut plan);
            let report = Report::new(&plan, world.sim.world());
            let steps =
                serde_json::to_string(&report.steps).map_err(|error| Fault::Data(error.to_string()))?;
            Ok((report, steps))
        })?;
        Ok(plan(&report, JSON::parse(&steps)?))
    }

    /// Draws what a player sees, or somebody who stands at a place: 640 by 360 pixels unless named.
    pub fn render(
        &self,
        view: &JsView,
        width: Option<f64>,
        height: Option<f64>,
        options: Option<JsRenderOptions>,
    ) -> Result<JsPicture, Fault> {
        let mut options = Options::new(&options.into())?;
        let shot = Shot::new(view, width, height, &mut options)?;
        let after_noon = options.float("afterNoon", 0.0)?;
        options.end()?;
        if !(-0.5..=0.5).contains(&after_noon) {
            return Err(Fault::argument(format!("afterNoon is {after_noon} days; it must be -0.5 to 0.5")));
        }
        let rgba = self.shared.with(|world| {
            let (viewer, feet) = shot.viewer(world)?;
            let Inner { sim, view, .. } = world;
            let view = view.get_or_insert_with(|| SimulationView::new(sim));
            view.studio.set_time(0, 0.5 + after_noon);
            Ok(match shot.view {
                SpotArg::Entity(key) => view.rgba_of(sim, key, &viewer.lens)?,
                SpotArg::At(_) => view.rgba(sim, &viewer, &feet)?,
            })
        })?;
        Ok(picture(shot.size, &rgba))
    }

    /// Draws a block from above, north up.
    #[wasm_bindgen(js_name = mapTile)]
    pub fn map_tile(&self, block: f64, options: Option<JsTileOptions>) -> Result<JsPicture, Fault> {
        let mut options = Options::new(&options.into())?;
        let around = options.whole("around", 0)?;
        let window = options.get("window")?.map(|window| floats("window", &window)).transpose()?;
        let pixels = Some(options.whole("pixels", 1024)?);
        let cut = options.number("cut")?.map(|cut| cut as f32);
        options.end()?;
        let around = u8::try_from(around).unwrap_or(u8::MAX);
        let asked = Tile { block: block_id(whole("block", block)?)?, around, window, pixels, cut };
        let (size, rgba) = self.shared.with(|world| {
            let canvas = tile(world.sim.library(), &asked).map_err(|error| match error {
                TileError::NoBlock(_) => Fault::NotFound(error.to_string()),
                TileError::BadSize => Fault::Argument(error.to_string()),
                TileError::Dat(error) => error.into(),
            })?;
            Ok((canvas.size(), canvas.rgba()))
        })?;
        Ok(picture((size.0 as u32, size.1 as u32), &rgba))
    }
}
