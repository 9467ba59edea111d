//! Doors and their openings.

use super::{
    Verdict,
    opening::Opening,
    rest::overlap,
    site::{Site, Subject},
};
use crate::{ClassKind, Problem};
use glam::Vec3;
use std::ops::RangeInclusive;
use threshold_world::{CellId, Frame, Position, Quat, cell::PortalTarget};

/// Metres from an opening, seen from above, up to which a door stands in it.
const AT_OPENING: f32 = 0.75;
/// Metres above or below an opening up to which a door belongs to it.
const LEVELS: f32 = 6.0;
/// Metres from an opening up to which a door can be moved there.
const FARTHEST_FIX: f32 = 2.0;
/// Metres beside a door within which a frame without a portal must be.
const FRAME: f32 = 0.6;
/// Degrees by which a door may be turned.
const TURNED: f32 = 12.0;
/// Metres of an opening that a door may leave open.
const GAP: f32 = 0.3;
/// How high a door may be, as parts of its opening's height.
const HEIGHTS: RangeInclusive<f32> = 0.7..=1.2;
/// How wide a door may be, as a part of its opening's width.
const WIDEST: f32 = 1.6;
/// Metres by which a door may be above or below the floor.
const FLOOR: f32 = 0.15;
/// A leaf is at most this part as thick as it is wide.
const THIN: f32 = 0.6;
/// Cosine up to which something stands upright.
const UPRIGHT: f32 = 0.95;

/// A door as a thin upright box.
#[derive(Clone, Copy, Debug)]
struct Leaf {
    center: Vec3,
    /// Level, in the leaf; none when it is as thick as wide.
    wide: Option<Vec3>,
    half_width: f32,
    low: f32,
    high: f32,
}

impl Leaf {
    /// None for what has no shape or lies.
    fn of(subject: &Subject, frame: &Frame) -> Option<Leaf> {
        let bounds = subject.bounds?;
        if frame.rotate(Vec3::Z).z < UPRIGHT {
            return None;
        }
        let size = bounds.max - bounds.min;
        let world = bounds.transformed(|corner| frame.apply(corner));
        let (wide, half_width) =
            if size.x >= size.y { (Vec3::X, size.x * 0.5) } else { (Vec3::Y, size.y * 0.5) };
        let is_thin = size.x.min(size.y) <= THIN * size.x.max(size.y);
        Some(Leaf {
            center: frame.apply((bounds.min + bounds.max) * 0.5),
            wide: is_thin.then(|| frame.rotate(wide).with_z(0.0).normalize_or_zero()),
            half_width,
            low: world.min.z,
            high: world.max.z,
        })
    }
}

impl Leaf {
    /// Whether it is about as high as an opening, and not much wider.
    fn fits(&self, opening: &Opening) -> bool {
        let height = (opening.top - opening.bottom).max(f32::EPSILON);
        HEIGHTS.contains(&((self.high - self.low) / height)) && self.half_width <= WIDEST * opening.half_width
    }
}

/// Which openings the doors of a site stand in, and how much of them they fill.
#[derive(Clone, Debug)]
pub(super) struct Filling(Vec<Option<Fit>>);

/// A door in its opening.
#[derive(Clone, Copy, Debug)]
struct Fit {
    opening: usize,
    /// From its middle, along the opening.
    left: f32,
    right: f32,
}

impl Filling {
    pub(super) fn of(site: &Site<'_>) -> Filling {
        let fit = |subject: &Subject| {
            let is_door = subject.object.kind == ClassKind::Door;
            is_door.then(|| fit(site, subject, &subject.object.position)).flatten()
        };
        Filling(site.subjects.iter().map(fit).collect())
    }

    /// The same with one door elsewhere.
    pub(super) fn with(&self, site: &Site<'_>, index: usize, at: &Position) -> Filling {
        let mut filling = self.clone();
        if site.subjects[index].object.kind == ClassKind::Door {
            filling.0[index] = fit(site, &site.subjects[index], at);
        }
        filling
    }

    /// The widest part of an opening that no door fills.
    fn gap(&self, opening: usize, half_width: f32) -> f32 {
        let mut parts: Vec<(f32, f32)> = self
            .0
            .iter()
            .flatten()
            .filter(|fit| fit.opening == opening)
            .map(|fit| (fit.left, fit.right))
            .collect();
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (mut filled, mut gap) = (-half_width, 0.0f32);
        for (left, right) in parts {
            gap = gap.max(left.min(half_width) - filled);
            filled = filled.max(right);
        }
        gap.max(half_width - filled)
    }

    /// How many doors stand in an opening.
    fn leaves(&self, opening: usize) -> usize {
        self.0.iter().flatten().filter(|fit| fit.opening == opening).count()
    }
}

fn fit(site: &Site<'_>, subject: &Subject, at: &Position) -> Option<Fit> {
    let leaf = Leaf::of(subject, &at.frame)?;
    let opening = opening_of(site, &leaf)?;
    let Opening { center, along, .. } = site.openings[opening];
    let middle = (leaf.center - center).dot(along);
    let reach = leaf.half_width * leaf.wide.map_or(1.0, |wide| wide.dot(along).abs());
    Some(Fit { opening, left: middle - reach, right: middle + reach })
}

/// The opening that a door stands in, seen from above, on the nearest level.
fn opening_of(site: &Site<'_>, leaf: &Leaf) -> Option<usize> {
    let apart = |opening: &Opening| opening.distance_in_height(leaf.low, leaf.high);
    let here = (0..site.openings.len()).filter(|&index| {
        let opening = &site.openings[index];
        opening.distance_in_plan(leaf.center) <= AT_OPENING && apart(opening) <= LEVELS
    });
    let far = |index: usize| {
        let opening = &site.openings[index];
        apart(opening) + opening.center.distance(leaf.center) * 0.01
    };
    here.min_by(|&a, &b| far(a).total_cmp(&far(b)))
}

pub(super) fn judge(
    site: &Site<'_>,
    subject: &Subject,
    index: usize,
    at: &Position,
    filling: &Filling,
) -> Vec<Verdict> {
    let Some(leaf) = Leaf::of(subject, &at.frame) else { return Vec::new() };
    let Some(number) = opening_of(site, &leaf) else {
        return no_opening(site, subject, at, &leaf, filling);
    };
    let opening = &site.openings[number];
    let fix = fitted(subject, at, &leaf, opening);
    let mut verdicts = Vec::new();
    let mut add = |problem, off, fix, message| {
        verdicts.push(Verdict { problem, message, off: Some(off), fix });
    };
    let between = || format!("the opening between {}", opening.sides());
    if let Some(wide) = leaf.wide {
        let degrees = wide.dot(opening.along).abs().min(1.0).acos().to_degrees();
        if degrees > TURNED {
            let off = leaf.half_width * degrees.to_radians().sin();
            add(Problem::Turned, off, Some(fix), format!("is turned by {degrees:.0}° in {}", between()));
        }
    }
    let is_turned = !verdicts.is_empty();
    let mut add = |problem, off, fix, message| {
        verdicts.push(Verdict { problem, message, off: Some(off), fix });
    };
    let aside = (leaf.center - opening.center).dot(opening.along).abs();
    let gap = filling.gap(number, opening.half_width);
    let (width, wanted) = (2.0 * leaf.half_width, 2.0 * opening.half_width);
    if !is_turned && gap > GAP {
        let is_small = filling.leaves(number) == 1 && width < wanted - GAP;
        let message = if is_small {
            format!("is {width:.2} m wide and leaves {gap:.2} m of {}, {wanted:.2} m wide", between())
        } else {
            format!("stands {aside:.2} m beside the middle and leaves {gap:.2} m of {}", between())
        };
        add(Problem::NotFilling, aside.max(gap), (!is_small).then_some(fix), message);
    }
    let height = opening.top - opening.bottom;
    if !leaf.fits(opening) {
        let message = format!(
            "is {width:.2} × {:.2} m in {}, {wanted:.2} × {height:.2} m",
            leaf.high - leaf.low,
            between()
        );
        add(Problem::NotFilling, (height - (leaf.high - leaf.low)).abs(), None, message);
    }
    let floor = floor_near(site, subject, at, &leaf, opening);
    let above = leaf.low - floor;
    if above.abs() > FLOOR {
        let message = if above > 0.0 {
            format!("is {above:.2} m above the floor of {}", between())
        } else if leaf.high < floor {
            format!("is {:.2} m below the floor of {}", -above, between())
        } else {
            format!("is {:.2} m inside the floor of {}", -above, between())
        };
        add(Problem::OffFloor, above.abs(), Some(fix), message);
    }
    if verdicts.is_empty() && !opening.is_beside(at.cell) && site.subjects[index].object.position == *at {
        let message = format!("{} is not beside the door, which stands in {}", at.cell, between());
        let fix = Some(Position::new(opening.cell, at.frame));
        verdicts.push(Verdict { problem: Problem::OutsideItsCell, message, off: None, fix });
    }
    if verdicts.is_empty() {
        verdicts.extend(overlap(site, subject, index, at));
    }
    verdicts
}

/// The height that a door should stand on: the lower edge of its opening, or the floor that a ray meets, whichever is
/// nearer.
fn floor_near(site: &Site<'_>, subject: &Subject, at: &Position, leaf: &Leaf, opening: &Opening) -> f32 {
    let from = site.seat(at.cell, leaf.center);
    let hit = from.and_then(|from| site.cast(from, -Vec3::Z, leaf.high - leaf.low, subject.key));
    let met = hit.map(|hit| leaf.center.z - hit.distance);
    let far = |height: f32| (leaf.low - height).abs();
    met.filter(|&met| far(met) < far(opening.bottom)).unwrap_or(opening.bottom)
}

/// A door without a portal near it may stand in a gap between walls; one that does not is nowhere.
fn no_opening(
    site: &Site<'_>,
    subject: &Subject,
    at: &Position,
    leaf: &Leaf,
    filling: &Filling,
) -> Vec<Verdict> {
    let wide = leaf.wide.unwrap_or(Vec3::X);
    let is_held = |direction: Vec3| {
        let from = site.seat(at.cell, leaf.center);
        from.is_none_or(|from| site.cast(from, direction, leaf.half_width + FRAME, subject.key).is_some())
    };
    let is_in_room = site.seat(at.cell, leaf.center).is_some();
    if is_in_room && is_held(wide) && is_held(-wide) {
        return Vec::new();
    }
    let far = |opening: &Opening| {
        // A window, or one on another level, is not meant.
        opening.distance_in_plan(leaf.center) + 2.0 * (opening.bottom - leaf.low).abs()
    };
    let nearest =
        (0..site.openings.len()).min_by(|&a, &b| far(&site.openings[a]).total_cmp(&far(&site.openings[b])));
    let Some(number) = nearest else {
        let message = "stands in no opening, and its block has none".to_owned();
        return vec![Verdict { problem: Problem::NoOpening, message, off: None, fix: None }];
    };
    let opening = &site.openings[number];
    let metres = opening.distance_in_plan(leaf.center);
    let message =
        format!("stands in no opening; the nearest, between {}, is {metres:.2} m away", opening.sides());
    let is_meant = far(opening) <= FARTHEST_FIX && filling.leaves(number) == 0;
    let (off, fix) = (Some(metres), is_meant.then(|| fitted(subject, at, leaf, opening)));
    vec![Verdict { problem: Problem::NoOpening, message, off, fix }]
}

/// The door in the middle of an opening, turned as little as possible.
fn fitted(subject: &Subject, at: &Position, leaf: &Leaf, opening: &Opening) -> Position {
    let mut frame = at.frame;
    if let Some(wide) = leaf.wide {
        let along = if wide.dot(opening.along) < 0.0 { -opening.along } else { opening.along };
        let radians = wide.cross(along).z.atan2(wide.dot(along));
        if radians.abs() > TURNED.to_radians() {
            frame.set_rotation((Quat::about_z(radians) * frame.rotation()).normalized());
        }
    }
    let Some(turned) = Leaf::of(subject, &frame) else { return *at };
    let to = opening.center.with_z(opening.bottom) - turned.center.with_z(turned.low);
    // Doors stand before or behind the plane of their opening; that is kept.
    let depth = to.dot(opening.normal);
    let kept = if depth.abs() <= AT_OPENING * 0.5 { opening.normal * depth } else { Vec3::ZERO };
    frame.origin += to - kept;
    Position::new(side_of(at.cell, opening), frame)
}

/// The cell of a door in an opening: its own if that is beside it, else the room.
fn side_of(cell: CellId, opening: &Opening) -> CellId {
    let is_room = cell.is_interior() || opening.to != PortalTarget::Outside;
    if is_room && opening.is_beside(cell) { cell } else { opening.cell }
}
