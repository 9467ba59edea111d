//! The explorer as a program: what its arguments say.

use super::{check_display, settings_path};
use crate::{
    data::Data,
    explorer::Explorer,
    script::Script,
    settings::Settings,
    window::{self, FrameTimes},
};
use anyhow::{Context, Result, ensure};
use clap::Parser;
use std::{env, fs, fs::File, path::PathBuf, process::ExitCode, sync::Arc, time::Instant};
use threshold_render::Backend;
use threshold_world::loc::Place;

/// Walk through the cell world of Asheron's Call, and see the engine at work.
///
/// Without --dats it opens the built-in sample world. F1 lists the keys.
#[derive(Parser)]
#[command(
    name = "threshold-explorer",
    version,
    after_help = "Examples:
  threshold-explorer
  threshold-explorer --at 'Tower Lookout'
  threshold-explorer --dats ~/ac --at 42.1N, 33.6E
  threshold-explorer --dats ~/ac --instances A9B4.sql weenies/*.sql
  threshold-explorer --session session.pcap
  threshold-explorer --script walk.txt --headless"
)]
struct Args {
    /// Folder with client_portal.dat and client_cell_1.dat; without it the built-in sample world is used
    /// [env: THRESHOLD_DATS]
    #[arg(long, value_name = "DIR")]
    dats: Option<PathBuf>,
    /// Where to start: a place's name, 0xA9B40019 [84 7.1 94] 1 0 0 0, or map coordinates such as 42.1N, 33.6E
    #[arg(long, value_name = "PLACE", num_args = 1.., allow_negative_numbers = true)]
    at: Vec<String>,
    /// Play a recorded session (pcap or pcapng), such as one from `threshold record`
    #[arg(long, value_name = "FILE", conflicts_with_all = ["at", "instances"])]
    session: Option<PathBuf>,
    /// ACE-World SQL files whose doors, portals and other objects are added to the world
    #[arg(long, value_name = "FILE", num_args = 1..)]
    instances: Vec<PathBuf>,
    /// What draws the picture [default: the graphics card if there is one]
    #[arg(long, value_name = "auto|cpu|gpu")]
    backend: Option<Backend>,
    /// Size of the picture in pixels
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<[u32; 2]>,
    /// Run a script instead of reading the keys, then exit
    #[arg(long, value_name = "FILE")]
    script: Option<PathBuf>,
    /// Run the script without a window; pictures are drawn by the processor
    #[arg(long, requires = "script")]
    headless: bool,
    /// Write how long each frame took, with the cell and the state of loading, as CSV; at the end, print the time to
    /// the first picture, the frame rate and the longest frame
    #[arg(long, value_name = "FILE", conflicts_with = "headless")]
    frame_times: Option<PathBuf>,
    /// Settings file [default: in the user's configuration folder; none with a script]
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once(['x', 'X']).and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    match sides {
        Some(sides) if sides.iter().all(|side| (16..=8192).contains(side)) => Ok(sides),
        _ => Err("width and height are needed, such as 1280x720, each from 16 to 8192".into()),
    }
}

/// Runs the program.
pub fn main() -> ExitCode {
    match run(Args::parse(), Instant::now()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("threshold-explorer: {}", format!("{error:#}").replace('\n', " "));
            ExitCode::from(2)
        }
    }
}

fn run(args: Args, begun: Instant) -> Result<()> {
    let script = args.script.as_ref().map(|path| {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        Script::parse(&text).with_context(|| path.display().to_string())
    });
    let script = script.transpose()?;
    if !args.headless {
        check_display()?;
    }
    let frame_times = args.frame_times.as_ref().map(|path| FrameTimes::create(path, begun)).transpose()?;
    let path = args.settings.or_else(|| settings_path().filter(|_| script.is_none()));
    let mut settings = match &path {
        Some(path) => Settings::load(path).unwrap_or_else(|error| {
            eprintln!("threshold-explorer: {error:#}; the default settings are used");
            Settings::default()
        }),
        None => Settings::default(),
    };
    settings.backend = args.backend.unwrap_or(settings.backend);
    settings.window = args.size.unwrap_or(settings.window);
    // A variable set to nothing names no folder.
    let named = || env::var_os("THRESHOLD_DATS").filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let mut data = match &args.dats.or_else(named) {
        Some(dir) => Data::open(dir)?,
        None => Data::sample()?,
    };
    let left_out = data.add_instances(&args.instances)?;
    if left_out > 0 {
        eprintln!(
            "threshold-explorer: {left_out} objects cannot be placed; `threshold check --instances` says why"
        );
    }
    let data = Arc::new(data);
    let at: Option<Place> = if args.at.is_empty() { None } else { Some(data.find(&args.at.join(" "))?) };
    let [width, height] = settings.window;
    let mut explorer = match &args.session {
        Some(path) => {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            Explorer::film(data, &name, file, settings, script)?
        }
        None => Explorer::new(data, at, settings, script)?,
    };
    if args.headless {
        ensure!(explorer.is_scripted(), "--headless needs a script");
        return explorer.run_headless(width, height);
    }
    window::run(explorer, path, frame_times)
}
