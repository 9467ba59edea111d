//! The options that place a camera, for every command that looks at the world.

use crate::dats::DatsArg;
use anyhow::{Context, Result, bail, ensure};
use glam::Vec3;
use std::str::FromStr;
use threshold_render::raster::MAX_SIDE;
use threshold_sim::{SimError, Simulation, eye_above};
use threshold_view::{Lens, Viewer, camera::orientation};
use threshold_world::{Frame, Position};

/// Where a picture is taken from.
#[derive(clap::Args)]
pub(crate) struct CameraArgs {
    /// The player's position: a named place such as 'Tower Lookout' (`threshold places` lists them),
    /// 0xA9B40100 [84 79.5 20.2] 1 0 0 0, or map coordinates such as 42.1N, 33.6E
    #[arg(long, value_name = "LOC", num_args = 1.., required = true, allow_negative_numbers = true)]
    at: Vec<String>,
    /// Position of the eye, in the coordinates of LOC's block; its cell is then LOC's [default: eye height above LOC]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    eye: Option<Triple>,
    /// Heading of the camera, degrees clockwise from north [default: LOC's heading]
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    yaw: Option<f32>,
    /// Pitch of the camera, degrees up
    #[arg(long, value_name = "DEG", allow_negative_numbers = true)]
    pitch: Option<f32>,
    /// Vertical field of view in degrees
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    fov: f32,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720")]
    size: Size,
}

/// Three numbers with commas between them.
#[derive(Clone, Copy)]
struct Triple(Vec3);

impl FromStr for Triple {
    type Err = String;

    fn from_str(text: &str) -> Result<Triple, String> {
        let numbers: Option<Vec<f32>> =
            text.split(',').map(|word| word.trim().parse().ok().filter(|v: &f32| v.is_finite())).collect();
        match numbers.as_deref() {
            Some(&[x, y, z]) => Ok(Triple(Vec3::new(x, y, z))),
            _ => Err("three numbers are needed, such as 84,79.5,21.7".into()),
        }
    }
}

/// Width and height in pixels.
#[derive(Clone, Copy)]
struct Size(u32, u32);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let parts = text.split_once(['x', 'X']).and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        match parts {
            Some((w, h)) if (1..=MAX_SIDE).contains(&w) && (1..=MAX_SIDE).contains(&h) => Ok(Size(w, h)),
            _ => Err(format!("width and height are needed, such as 1280x720, each up to {MAX_SIDE}")),
        }
    }
}

impl CameraArgs {
    /// Width and height of the picture.
    pub(crate) fn size(&self) -> (u32, u32) {
        (self.size.0, self.size.1)
    }

    /// The viewer these options describe, after loading the world around it.
    pub(crate) fn viewer(&self, dats: &DatsArg, sim: &mut Simulation) -> Result<Viewer> {
        let place = dats.place(&self.at.join(" ")).context("--at")?;
        let missing = |cell| format!("--at: there is no cell {cell} {}", dats.in_world());
        let around = place.flat();
        if !sim.blocks().contains(&around.cell.block()) {
            bail!(missing(around.cell));
        }
        let observer = sim.observe(around)?;
        match sim.settle(observer) {
            Err(SimError::NoCell(cell)) => bail!(missing(cell)),
            settled => settled?,
        }
        let at = sim.resolve(&place);
        ensure!(sim.world().cell(at.cell).is_some(), missing(at.cell));
        let Size(width, height) = self.size;
        let lens = Lens::new(self.fov.to_radians(), width, height);
        let lens = lens.with_context(|| format!("--fov: {} is not between 0 and 180 degrees", self.fov))?;
        let rotation = match (self.yaw, self.pitch) {
            (None, None) => at.frame.rotation(),
            (yaw, pitch) => {
                let (yaw, pitch) = (yaw.unwrap_or_else(|| at.frame.heading()), pitch.unwrap_or(0.0));
                ensure!(yaw.is_finite() && pitch.is_finite(), "--yaw and --pitch must be finite");
                orientation(yaw, pitch)
            }
        };
        let seat = match self.eye {
            Some(Triple(eye)) => Position::new(at.cell, Frame::at(eye)),
            None => eye_above(sim.world(), sim.scene(), None, &at),
        };
        let position = Position::new(seat.cell, Frame::new(seat.frame.origin, rotation));
        Ok(Viewer { position, lens, player_cell: at.cell })
    }
}
