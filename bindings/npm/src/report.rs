//! Answers, as plain objects.

use crate::{
    position::arrays,
    types::{JsHit, JsHits, JsJumpReport, JsPathReport, JsPosition, JsRoute, JsSweeps, JsSwept},
    value::{self, Fields, list},
};
use glam::Vec3;
use js_sys::{Array, Float32Array, Float64Array, Uint8Array, Uint32Array};
use threshold_sim::{
    Hit, JumpEnd, JumpReport, PathReport, StopReason, Swept, Target,
    nav::{Route, Unreachable},
};
use threshold_world::{Frame, Position as Place};
use wasm_bindgen::JsValue;

const KINDS: [&str; 5] = ["nothing", "entity", "room", "shell", "ground"];

/// Kind, cell and object, as in arrays: 0 for none.
fn numbered(target: Option<Target>) -> (u8, u32, f64) {
    match target {
        None => (0, 0, 0.0),
        Some(Target::Entity(key)) => (1, 0, key.id() as f64),
        Some(Target::Room(cell)) => (2, cell.0, 0.0),
        Some(Target::Shell(cell)) => (3, cell.0, 0.0),
        Some(Target::Ground(cell)) => (4, cell.0, 0.0),
    }
}

fn kind(target: Option<Target>) -> Option<&'static str> {
    target.map(|target| KINDS[usize::from(numbered(Some(target)).0)])
}

fn entity(target: Option<Target>) -> Option<f64> {
    Some(numbered(target).2).filter(|&entity| entity != 0.0)
}

/// A plain object with what was met.
fn met(target: Option<Target>) -> Fields {
    let cell = Some(numbered(target).1).filter(|&cell| cell != 0);
    Fields::new().with("kind", kind(target)).with("entity", entity(target)).with("cell", cell)
}

pub(crate) fn hit(hit: &Hit) -> JsHit {
    let place = Place::new(hit.cell, Frame::at(hit.point));
    met(Some(hit.target))
        .with("distance", hit.distance)
        .with("position", value::position::<JsPosition>(&place))
        .done()
}

/// What many were about: kinds, cells, objects.
struct Targets(Vec<u8>, Vec<u32>, Vec<f64>);

impl Targets {
    fn new(targets: impl Iterator<Item = Option<Target>>) -> Targets {
        let mut all = Targets(Vec::new(), Vec::new(), Vec::new());
        for (kind, cell, entity) in targets.map(numbered) {
            all.0.push(kind);
            all.1.push(cell);
            all.2.push(entity);
        }
        all
    }

    fn fields(&self) -> Fields {
        Fields::new()
            .with("kinds", Uint8Array::from(&self.0[..]))
            .with("targetCells", Uint32Array::from(&self.1[..]))
            .with("entities", Float64Array::from(&self.2[..]))
    }
}

fn points(points: impl Iterator<Item = Vec3>) -> Float32Array {
    Float32Array::from(&points.flat_map(|point| point.to_array()).collect::<Vec<_>>()[..])
}

pub(crate) fn hits(hits: &[Option<Hit>]) -> JsHits {
    let distances: Vec<f32> = hits.iter().map(|hit| hit.map_or(0.0, |hit| hit.distance)).collect();
    let cells: Vec<u32> = hits.iter().map(|hit| hit.map_or(0, |hit| hit.cell.0)).collect();
    Targets::new(hits.iter().map(|hit| hit.map(|hit| hit.target)))
        .fields()
        .with("distances", Float32Array::from(&distances[..]))
        .with("points", points(hits.iter().map(|hit| hit.map_or(Vec3::ZERO, |hit| hit.point))))
        .with("cells", Uint32Array::from(&cells[..]))
        .done()
}

pub(crate) fn swept(answer: &Swept) -> JsSwept {
    let normal = answer.hit.map_or(Vec3::ZERO, |hit| hit.normal);
    met(answer.hit.map(|hit| hit.target))
        .with("position", value::position::<JsPosition>(&answer.position))
        .with("valid", answer.is_valid)
        .with("remaining", answer.remaining)
        .with("normal", list::<Array>(normal.to_array()))
        .done()
}

pub(crate) fn sweeps(answers: &[Swept]) -> JsSweeps {
    let valid: Vec<u8> = answers.iter().map(|answer| answer.is_valid.into()).collect();
    let remaining: Vec<f32> = answers.iter().map(|answer| answer.remaining).collect();
    Targets::new(answers.iter().map(|answer| answer.hit.map(|hit| hit.target)))
        .fields()
        .with("positions", arrays(answers.iter().map(|answer| &answer.position)))
        .with("valid", Uint8Array::from(&valid[..]))
        .with("remaining", Float32Array::from(&remaining[..]))
        .with("normals", points(answers.iter().map(|answer| answer.hit.map_or(Vec3::ZERO, |hit| hit.normal))))
        .done()
}

pub(crate) fn path(report: &PathReport) -> JsPathReport {
    let blocker = report.stop.and_then(|stop| stop.blocker);
    let stop = report.stop.map(|stop| match stop.reason {
        StopReason::NoRoom => "no room",
        StopReason::Blocked => "blocked",
        StopReason::OtherLevel => "other level",
        StopReason::Lost => "lost",
        StopReason::TooLong => "too long",
    });
    Fields::new()
        .with("holds", stop.is_none())
        .with("end", value::position::<JsPosition>(&report.end))
        .with("legs", report.legs)
        .with("stop", stop)
        .with("blocker", kind(blocker))
        .with("blockingEntity", entity(blocker))
        .with("seconds", report.seconds)
        .with("metres", report.metres)
        .with("deepestFall", report.deepest_fall)
        .done()
}

pub(crate) fn route(found: Result<Route, Unreachable>, goal: &Place) -> JsRoute {
    let (route, end) = match found {
        Ok(route) => (Some(route), None),
        Err(end) => (None, Some(end)),
    };
    let route = route.as_ref();
    Fields::new()
        .with("reachable", route.is_some())
        .with("why", end.as_ref().map(|end| end.why.to_string()))
        .with("proved", route.is_some_and(|route| route.proved))
        .with("length", route.map_or(0.0, |route| route.length))
        .with(
            "waypoints",
            list::<Array>(
                route.into_iter().flat_map(|route| &route.waypoints).map(value::position::<JsPosition>),
            ),
        )
        .with("doors", list::<Array>(route.into_iter().flat_map(|route| route.doors.iter().copied())))
        .with(
            "cells",
            list::<Array>(route.into_iter().flat_map(|route| route.cells.iter().map(|cell| cell.0))),
        )
        .with(
            "portals",
            list::<Array>(route.into_iter().flat_map(|route| &route.passages).map(|passage| {
                let fields = Fields::new().with("portal", passage.portal).with("waypoint", passage.waypoint);
                fields.done::<JsValue>()
            })),
        )
        .with("nearest", value::position::<JsPosition>(end.as_ref().map_or(goal, |end| &end.nearest)))
        .with("gap", end.as_ref().map_or(0.0, |end| end.gap))
        .done()
}

pub(crate) fn jump(report: &JumpReport) -> JsJumpReport {
    let end = match report.end {
        JumpEnd::Landed => "landed",
        JumpEnd::NoFooting => "no footing",
        JumpEnd::Lost => "lost",
        JumpEnd::Stuck => "stuck",
    };
    Fields::new()
        .with("end", end)
        .with("seconds", report.seconds())
        .with("height", report.height)
        .with("fall", report.fall)
        .with("landing", report.landing().map(value::position::<JsPosition>))
        .with("bumped", kind(report.bumped))
        .with("arc", arrays(&report.arc))
        .done()
}
