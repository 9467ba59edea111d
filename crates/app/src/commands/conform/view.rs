//! Frame plans against what rays meet.

use super::{
    engine::{Engine, Program},
    kit::Kit,
    report::{First, Verdict},
};
use anyhow::{Context, Result};
use rayon::prelude::*;
use serde_json::Value;
use threshold_golden::{view_difference, views};
use threshold_view::{FramePlan, Lens, Planner, Viewer, camera::orientation, report::Report};
use threshold_world::{Frame, Position, World, load_all};

pub(super) fn play(
    world: &str,
    kit: &Kit,
    engine: &Engine,
    wanted: &(dyn Fn(&str) -> bool + Sync),
) -> Result<Vec<Verdict>> {
    let mut cameras = views(world);
    cameras.retain(|camera| wanted(camera["name"].as_str().unwrap_or_default()));
    match engine {
        Engine::Own => {
            let (loaded, _) = load_all(&kit.library(world)?)?;
            cameras.iter().map(|camera| Ok(verdict(camera, own(&loaded, camera)?))).collect()
        }
        Engine::Program(program) => {
            cameras.par_iter().map(|camera| other(program, kit, world, camera)).collect()
        }
    }
}

fn verdict(camera: &Value, plan: Value) -> Verdict {
    let case = camera["name"].as_str().unwrap_or_default();
    let first = view_difference(&plan, camera).map(|d| First::new(case, 0, d.field, d.found, d.expected));
    Verdict { case: case.to_owned(), fragile: false, first }
}

fn own(world: &World, camera: &Value) -> Result<Value> {
    let seat: Position = camera["at"].as_str().unwrap_or_default().parse()?;
    let number = |value: &Value| value.as_f64().context("a number in a recorded view").map(|v| v as f32);
    let rotation = orientation(number(&camera["yaw"])?, number(&camera["pitch"])?);
    let position = Position::new(seat.cell, Frame::new(seat.frame.origin, rotation));
    let side =
        |index: usize| camera["size"][index].as_u64().and_then(|v| u32::try_from(v).ok()).unwrap_or_default();
    let lens =
        Lens::new(number(&camera["fov"])?.to_radians(), side(0), side(1)).context("a recorded lens")?;
    let mut plan = FramePlan::default();
    Planner::default().plan(world, &(), &Viewer { position, lens, player_cell: seat.cell }, &mut plan);
    Ok(serde_json::to_value(Report::new(&plan, world))?)
}

/// A program finds the camera in its file, or in its arguments.
fn other(program: &Program, kit: &Kit, world: &str, camera: &Value) -> Result<Verdict> {
    const CAMERA: [&str; 7] = ["name", "at", "eye", "yaw", "pitch", "fov", "size"];
    let case = camera["name"].as_str().unwrap_or_default();
    let fields = camera.as_object().into_iter().flatten().filter(|(name, _)| CAMERA.contains(&name.as_str()));
    let question: Value =
        fields.map(|(name, value)| (name.clone(), value.clone())).collect::<serde_json::Map<_, _>>().into();
    let file = kit.put(&format!("views/{case}.json"), format!("{question}\n").as_bytes())?;
    let list = |value: &Value, separator: &str| {
        let numbers = value.as_array().into_iter().flatten().map(Value::to_string);
        numbers.collect::<Vec<_>>().join(separator)
    };
    let values = [
        ("dats", kit.world(world).display().to_string()),
        ("scenario", file.display().to_string()),
        ("at", camera["at"].as_str().unwrap_or_default().to_owned()),
        ("eye", list(&camera["eye"], ",")),
        ("yaw", camera["yaw"].to_string()),
        ("pitch", camera["pitch"].to_string()),
        ("fov", camera["fov"].to_string()),
        ("size", list(&camera["size"], "x")),
    ];
    let answer = program.answer(&values)?;
    let first = match (&answer.fault, serde_json::from_slice(&answer.output)) {
        (Some(fault), _) => First::new(case, 0, "exit", fault.to_string(), "exit status 0"),
        (None, Ok(plan)) => return Ok(verdict(camera, plan)),
        (None, Err(_)) => {
            let text = String::from_utf8_lossy(&answer.output);
            First::new(case, 0, "plan", format!("`{}`", text.trim()), "a JSON object")
        }
    };
    Ok(Verdict { case: case.to_owned(), fragile: false, first: Some(first) })
}
