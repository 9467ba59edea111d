//! `threshold render`: a picture of what is seen from a place.

use super::Outcome;
use crate::{
    backend::Drawer,
    camera::CameraArgs,
    dats::DatsArg,
    out_file::{ForceArg, OutFile},
    overlays::{self, Overlay, Pixels},
    text::say,
};
use anyhow::{Result, ensure};
use std::{
    io::{Write, stdout},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};
use threshold_render::{Backend, picture::encode_rgba};
use threshold_sim::{Event, Simulation, SimulationView};
use threshold_view::{Options, Viewer};
use threshold_world::Problem;

/// Problems of the data that are named; the rest is counted.
const NAMED_PROBLEMS: usize = 5;

/// Render the view from a place as a PNG picture.
///
/// The CPU draws the same pixels on every machine and needs no driver. A graphics card draws the same picture up to
/// rounding; it needs a build with `--features gpu`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  threshold render --at 'Tower Lookout' --out lookout.png
  threshold render --at '0x8080001C [84 60 20]' --out village.png
  threshold render --at '0x80800148 [105 107.5 20.25]' --yaw 30 --out inn.png --time 0.9
  threshold render --at '0x80800103 [59 110 20.255]' --yaw 200 --overlay cells,portals --out cells.png
  threshold render --at 42.1N, 33.6E --pitch -10 --out holtburg.png --dats ~/ac")]
pub(crate) struct Args {
    #[command(flatten)]
    camera: CameraArgs,
    /// The picture to write
    #[arg(long, value_name = "FILE.png")]
    out: PathBuf,
    #[command(flatten)]
    force: ForceArg,
    /// What draws the picture: the processor (cpu), a graphics card or a software driver (gpu), or a graphics
    /// card if there is one and the processor otherwise (auto)
    #[arg(long, value_name = "auto|cpu|gpu", default_value_t)]
    backend: Backend,
    /// Time of day as a fraction: 0 is midnight, 0.5 noon
    #[arg(long, value_name = "FRACTION", default_value_t = 0.5, allow_negative_numbers = true)]
    time: f32,
    /// Day of the year, from 0; selects the sky
    #[arg(long, value_name = "DAY", default_value_t = 0)]
    day: u32,
    /// Draw rain and snow, on days that have them
    #[arg(long)]
    weather: bool,
    /// Lines to draw over the picture, comma-separated
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    overlay: Vec<Overlay>,
    #[command(flatten)]
    dats: DatsArg,
}

pub(crate) fn run(args: Args) -> Result<Outcome> {
    ensure!((0.0..=1.0).contains(&args.time), "--time: {} is not between 0 and 1", args.time);
    let (width, height) = args.camera.size();
    let out = OutFile::picture(&args.out, args.force)?;
    let mut drawer = Drawer::open(args.backend, (width, height))?;
    let options = Options::default().weather(args.weather);
    let mut sim = args.dats.simulation()?;
    let viewer = args.camera.viewer(&args.dats, &mut sim)?;
    let mut view = SimulationView::with_options(&sim, options);
    view.studio.set_time(args.day, args.time);
    view.warm_up(&sim);
    let mut picture = draw(&mut view, &sim, &viewer, &mut drawer)?;
    let mut pixels = Pixels { viewer: viewer.position.cell, size: (width, height), rgba: &mut picture.rgba };
    overlays::draw(&args.overlay, &sim, &view, &mut pixels);
    let png = encode_rgba((width, height), &picture.rgba)?;
    out.write(&png)?;
    let mut problems = problems(&mut sim);
    problems.extend(view.studio.assets.take_problems());
    report(&picture, (width, height), &args.out, &problems)?;
    Ok(Outcome::Success)
}

/// What is wrong with the data.
fn problems(sim: &mut Simulation) -> Vec<Problem> {
    let problems = sim.drain_events().filter_map(|event| match event {
        Event::Problem(problem) => Some(problem),
        _ => None,
    });
    problems.collect()
}

/// A finished picture.
struct Picture {
    rgba: Vec<u8>,
    triangles: usize,
    cells: usize,
    planning: Duration,
    drawing: Duration,
    drawn_by: String,
}

/// Draws the frame twice: the first time loads what it needs, the second one is measured.
fn draw(
    view: &mut SimulationView,
    sim: &Simulation,
    viewer: &Viewer,
    drawer: &mut Drawer,
) -> Result<Picture> {
    let mut player = viewer.position;
    player.cell = viewer.player_cell;
    player.frame.origin.z -= threshold_view::camera::PIVOT_HEIGHT;
    view.frame(sim, viewer, &player);
    drawer.draw(view.studio.list(), &view.studio.assets)?;
    let start = Instant::now();
    let triangles = view.frame(sim, viewer, &player).triangle_count();
    let planning = start.elapsed();
    let start = Instant::now();
    let rgba = drawer.draw(view.studio.list(), &view.studio.assets)?;
    let drawing = start.elapsed();
    let cells = view.studio.plan().cells.len();
    Ok(Picture { rgba, triangles, cells, planning, drawing, drawn_by: drawer.name() })
}

fn report(picture: &Picture, (width, height): (u32, u32), path: &Path, problems: &[Problem]) -> Result<()> {
    for problem in problems.iter().take(NAMED_PROBLEMS) {
        say!("threshold: {problem}");
    }
    if let Some(more @ 1..) = problems.len().checked_sub(NAMED_PROBLEMS) {
        say!("threshold: {more} more problems like these");
    }
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    writeln!(
        stdout(),
        "{}: {} × {}, {} interior cells, {} triangles, frame time {:.1} ms ({:.2} planning, {:.1} drawing on {})",
        path.display(),
        width,
        height,
        picture.cells,
        picture.triangles,
        ms(picture.planning + picture.drawing),
        ms(picture.planning),
        ms(picture.drawing),
        picture.drawn_by,
    )?;
    Ok(())
}
