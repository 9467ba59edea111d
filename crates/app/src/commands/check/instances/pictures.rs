//! A picture of each finding.

use crate::{out_folder::OutFolder, progress, text::say};
use anyhow::{Context, Result};
use glam::Vec3;
use std::{collections::BTreeMap, sync::Arc};
use threshold_ace::{Database, Finding};
use threshold_physics::{
    EntityKey,
    cast::{Blockers, Cast},
};
use threshold_render::{
    cpu::CpuRenderer,
    overlay::{Color, Segment, paint},
    picture::encode_rgba,
};
use threshold_sim::{Residency, Simulation, SimulationView, SphereKind, SphereSweep};
use threshold_view::{Lens, Viewer, camera::orientation};
use threshold_world::{
    Frame, Library, Position, World,
    coords::{adjust_to_outside, block_offset},
    geometry::Aabb,
    heading_of,
    placed::PlacedObject,
    stream::{Loading, StreamConfig},
};

const SIZE: (u32, u32) = (800, 500);
/// Vertical field of view in degrees.
const FIELD_OF_VIEW: f32 = 60.0;
/// Where the row puts the object.
const TOLD: Color = [255, 60, 60];
/// Where it would be right.
const RIGHT: Color = [60, 220, 110];
/// Pictures of one run; more findings than these are looked at one by one.
const MOST: usize = 1000;
/// Metres from what is seen to the eye, at least and at most.
const DISTANCE: (f32, f32) = (3.0, 30.0);
/// Metres from which something can be seen.
const NEAREST: f32 = 0.3;
/// Radius of the eye, in metres.
const EYE: f32 = 0.2;
/// A box for what has no shape.
const NOTHING: Aabb = Aabb { min: Vec3::new(-0.3, -0.3, 0.0), max: Vec3::new(0.3, 0.3, 1.0) };

/// Draws a picture per finding that is somewhere into a folder.
pub(super) fn draw(
    folder: OutFolder,
    library: &Arc<Library>,
    database: &Database,
    findings: &[Finding],
) -> Result<()> {
    let config = StreamConfig::default().loading(Loading::Inline(usize::MAX));
    let objects = database.objects(&World::new(), &mut |id| library.model(id).ok().flatten());
    let bounds: BTreeMap<u32, Aabb> =
        objects.placed.iter().filter_map(|object| Some((object.guid, object.bounds()?))).collect();
    let placed = objects.placed.iter().map(PlacedObject::from);
    let builder = Simulation::builder().library(library.clone()).placed(placed);
    let mut sim = builder.residency(Residency::Observed(config)).build()?;
    let mut view = SimulationView::new(&sim);
    let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
    let lens = Lens::new(FIELD_OF_VIEW.to_radians(), SIZE.0, SIZE.1).context("a picture needs pixels")?;
    let seen: Vec<&Finding> = findings.iter().filter(|finding| finding.at.is_some()).collect();
    let bar = progress::bar(seen.len().min(MOST), "pictures");
    let (mut files, mut blind) = (Vec::new(), 0);
    for finding in seen.iter().take(MOST) {
        bar.inc(1);
        let (Some(at), Some(guid)) = (finding.at, finding.guid) else { continue };
        let bounds = bounds.get(&guid).copied().unwrap_or(NOTHING);
        let right = finding.fix.unwrap_or(at);
        if !sim.blocks().contains(&right.cell.block()) {
            blind += 1;
            continue;
        }
        let observer = sim.observe(right)?;
        let is_there = sim.settle(observer).is_ok();
        let from = is_there.then(|| seat(&sim, &right, bounds)).flatten();
        let apart = at.distance_to(&right);
        let radius = (bounds.max - bounds.min).length() * 0.5;
        let distance = ((radius + apart) * 2.5).clamp(DISTANCE.0, DISTANCE.1);
        let sight = Sight { heading: right.frame.heading(), own: sim.find(guid), radius, distance };
        let eye = from.map(|from| sight.eye(&sim, from)).transpose()?.flatten();
        let Some(viewer) = from.zip(eye).map(|(from, eye)| looking(&eye, &from, lens)) else {
            sim.stop_observing(observer)?;
            blind += 1;
            continue;
        };
        let mut feet = viewer.position;
        feet.frame.origin.z -= threshold_view::camera::PIVOT_HEIGHT;
        view.follow(&sim);
        view.frame(&sim, &viewer, &feet);
        renderer.draw(view.studio.list(), &view.studio.assets);
        view.frame(&sim, &viewer, &feet);
        renderer.draw(view.studio.list(), &view.studio.assets);
        let mut rgba = Vec::new();
        renderer.picture().copy_rgba(&mut rgba);
        if let Some(projection) = view.studio.plan().projection {
            let told = finding.fix.is_none_or(|fix| fix != at).then_some((at, TOLD));
            for (place, color) in told.into_iter().chain(finding.fix.map(|fix| (fix, RIGHT))) {
                let lines = outline(&viewer.position, &place, bounds, color);
                paint(renderer.picture(), &projection, &lines, &mut rgba);
            }
        }
        let name = format!("{guid:08X}-{}.png", finding.problem.name());
        files.push((name, encode_rgba(SIZE, &rgba)?));
        sim.stop_observing(observer)?;
    }
    bar.finish_and_clear();
    if blind > 0 {
        say!("threshold: --pictures: {blind} findings are where nothing can be seen from");
    }
    if seen.len() > MOST {
        say!("threshold: --pictures: the first {MOST} of {} findings were drawn", seen.len());
    }
    folder.write(&files)
}

/// What is to be seen.
struct Sight {
    /// Where it faces, in degrees.
    heading: f32,
    /// The object itself, which is in nobody's way.
    own: Option<EntityKey>,
    radius: f32,
    /// Metres from which all of it is seen.
    distance: f32,
}

impl Sight {
    /// Where it is well seen from: the eye goes out from its middle to all sides and stays where it comes farthest.
    fn eye(&self, sim: &Simulation, middle: Position) -> Result<Option<Position>> {
        let mut best: Option<(f32, Position)> = None;
        for step in 0..12 {
            // From the front first, and from a little above.
            let heading = (self.heading + 30.0 * step as f32).to_radians();
            let direction = Vec3::new(heading.sin(), heading.cos(), 0.45).normalize();
            let reach = self.radius + EYE;
            let cast = Cast {
                from: middle,
                direction,
                reach,
                blockers: Blockers::Environment,
                ignored: self.own.as_slice(),
            };
            let outside = Position::new(middle.cell, Frame::at(middle.frame.origin + direction * reach));
            let Some(from) = sim.world().reseat(&outside, Vec3::ZERO).filter(|_| sim.cast(&cast).is_none())
            else {
                continue;
            };
            let mut to = from;
            to.frame.origin += direction * (self.distance - reach).max(EYE);
            let sweep = SphereSweep { from, to, radius: EYE, kind: SphereKind::Camera };
            let end = sim.sweep_sphere(&sweep)?.position;
            let far = middle.distance_to(&end);
            if best.is_none_or(|(longest, _)| far > longest + 0.5) {
                best = Some((far, end));
            }
        }
        Ok(best.filter(|&(far, _)| far > NEAREST).map(|(_, eye)| eye))
    }
}

/// An eye that looks at a place.
fn looking(eye: &Position, at: &Position, lens: Lens) -> Viewer {
    let look = eye.offset_to(at);
    let pitch = look.z.atan2(look.truncate().length()).to_degrees();
    let frame = Frame::new(eye.frame.origin, orientation(heading_of(look), pitch));
    Viewer { position: Position::new(eye.cell, frame), lens, player_cell: eye.cell }
}

/// The middle of an object in the cell that it is in, above the ground.
fn seat(sim: &Simulation, at: &Position, bounds: Aabb) -> Option<Position> {
    let middle = at.frame.apply((bounds.min + bounds.max) * 0.5);
    if at.cell.is_interior() {
        let place = |point| Position::new(at.cell, Frame::at(point));
        let seated = |point| sim.world().reseat(&place(point), Vec3::ZERO);
        return seated(middle).or_else(|| seated(at.frame.origin)).or_else(|| seated(middle + Vec3::Z));
    }
    let (cell, mut origin) = adjust_to_outside(at.cell, middle)?;
    let ground = sim.ground_height(&Position::new(cell, Frame::at(origin)))?;
    origin.z = origin.z.max(ground + 0.5);
    Some(Position::new(cell, Frame::at(origin)))
}

/// The edges of an object's box, in the coordinates of the eye's block.
fn outline(eye: &Position, at: &Position, bounds: Aabb, color: Color) -> Vec<Segment> {
    let shift = block_offset(eye.cell, at.cell);
    let corners = bounds.corners().map(|corner| at.frame.apply(corner) + shift);
    let edges = (0..8usize).flat_map(|a| [1, 2, 4].map(|bit| (a, a | bit))).filter(|(a, b)| a != b);
    edges.map(|(a, b)| Segment { a: corners[a], b: corners[b], color }).collect()
}
