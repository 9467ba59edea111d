//! Distance ladders: which level of detail is drawn, and how a level turns towards the eye. Spec: render-data §8.

use crate::{EPSILON, Frame, Quat, heading_or_north};
use glam::Vec3;
use threshold_dat::{DatId, records::DegradeInfo};

/// Distance that counts as none.
const FREE_DISTANCE: f32 = 50.0;

/// How a level of detail turns towards the viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Facing {
    /// Not at all.
    #[default]
    Fixed,
    /// Heading and pitch, its front away from the eye.
    Viewer,
    /// About its own X axis only.
    AboutX,
    /// About its own Y axis only.
    AboutY,
    /// About its own Z axis only.
    AboutZ,
}

/// One level of a ladder.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// GfxObj; `None` draws nothing.
    pub mesh: Option<DatId>,
    /// How it turns.
    pub facing: Facing,
    ideal: f32,
}

/// The levels of a mesh, from most to least detail; at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct Ladder {
    levels: Vec<Level>,
}

impl Ladder {
    /// The usable levels of a record; `None` when the mesh itself is to be drawn at any distance.
    pub fn new(record: &DegradeInfo) -> Option<Ladder> {
        let usable = record
            .levels
            .iter()
            .filter(|level| level.min_distance <= level.max_distance && level.ideal_distance.is_finite());
        let levels: Vec<Level> = usable
            .map(|level| Level {
                mesh: (level.model != DatId(0)).then_some(level.model),
                facing: match level.mode {
                    2 => Facing::Viewer,
                    3 => Facing::AboutX,
                    4 => Facing::AboutY,
                    5 => Facing::AboutZ,
                    _ => Facing::Fixed,
                },
                ideal: level.ideal_distance,
            })
            .collect();
        let marker = record.levels.first().is_some_and(|level| level.max_distance == 0.0)
            && levels.iter().any(|level| level.mesh.is_none());
        if marker {
            let nothing = Level { mesh: None, facing: Facing::Fixed, ideal: 0.0 };
            return Some(Ladder { levels: vec![nothing] });
        }
        (!levels.is_empty()).then_some(Ladder { levels })
    }

    /// All levels.
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// The level for a viewer distance, divided by the part's height scale.
    /// Retail: `GfxObjDegradeInfo::get_degrade` (0x0051E4B0).
    pub fn select(&self, distance: f32, z_scale: f32) -> usize {
        let d = distance / if z_scale == 0.0 { 1.0 } else { z_scale };
        let e = (d.abs() - FREE_DISTANCE).max(0.0);
        let chosen = self.levels.iter().position(|level| f64::from(e) < f64::from(level.ideal));
        chosen.unwrap_or(self.levels.len() - 1)
    }
}

/// The frame a level is drawn with. `frame` places the part, `center` is its sort centre in the same space.
/// Retail: `CPhysicsPart::calc_draw_frame`.
pub fn draw_frame(facing: Facing, frame: &Frame, center: Vec3, eye: Vec3) -> Frame {
    let away = center - eye;
    let length = away.length();
    let away = if length < EPSILON { Vec3::Z } else { away / length };
    let (keep, point) = match facing {
        Facing::Fixed => return *frame,
        Facing::Viewer => {
            let turned =
                Quat::from_heading_and_pitch(heading_or_north(away), libm::asinf(away.z.clamp(-1.0, 1.0)));
            return Frame::new(frame.origin, turned);
        }
        Facing::AboutX => (Vec3::X, Vec3::Z),
        Facing::AboutY => (Vec3::Y, Vec3::X),
        Facing::AboutZ => (Vec3::Z, Vec3::Y),
    };
    let axis = frame.rotate(keep);
    let flat = away - axis * axis.dot(away);
    let flat_length = flat.length();
    if flat_length < EPSILON {
        return *frame;
    }
    let wanted = flat / flat_length;
    let present = frame.rotate(point);
    let (sin, cos) = (axis.dot(present.cross(wanted)), present.dot(wanted));
    let half = libm::atan2f(sin, cos) / 2.0;
    let turn = Quat { w: libm::cosf(half), v: axis * libm::sinf(half) };
    Frame::new(frame.origin, turn * frame.rotation())
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::records::DegradeLevel;

    const A: DatId = DatId(0x0100_000A);

    fn level(model: DatId, min: f32, ideal: f32, max: f32) -> DegradeLevel {
        DegradeLevel { model, mode: 1, min_distance: min, ideal_distance: ideal, max_distance: max }
    }

    #[test]
    fn the_first_level_beyond_the_distance_is_drawn_and_the_last_one_for_ever() {
        let ladder = Ladder::new(&DegradeInfo {
            levels: vec![level(A, 10.0, 20.0, 30.0), level(DatId(0), 30.0, 40.0, 50.0)],
        })
        .unwrap();
        let mesh = |distance| ladder.levels()[ladder.select(distance, 1.0)].mesh;
        assert_eq!((mesh(0.0), mesh(69.99)), (Some(A), Some(A)));
        assert_eq!((mesh(70.0), mesh(1e6)), (None, None));
        assert_eq!(ladder.select(139.0, 2.0), 0, "large parts are seen farther");
    }

    #[test]
    fn editor_markers_are_never_drawn_and_broken_levels_do_not_count() {
        let marker = DegradeInfo { levels: vec![level(A, 0.0, 0.0, 0.0), level(DatId(0), 0.0, 1.0, 1.0)] };
        let marker = Ladder::new(&marker).unwrap();
        assert_eq!(marker.levels()[marker.select(0.0, 1.0)].mesh, None);
        let broken = DegradeInfo { levels: vec![level(A, 5.0, f32::NAN, 1.0)] };
        assert_eq!(Ladder::new(&broken), None);
    }

    #[test]
    fn example_20_a_billboard_turns_its_back_to_the_eye() {
        let place = Frame::at(Vec3::new(10.0, 0.0, 0.0));
        let turned = draw_frame(Facing::Viewer, &place, place.origin, Vec3::ZERO);
        assert!((turned.heading() - 90.0).abs() < 1e-3);
        assert!((turned.rotate(-Vec3::Y) - -Vec3::X).length() < 1e-5, "its −Y side faces the eye");
        let below = draw_frame(Facing::Viewer, &place, place.origin, Vec3::new(10.0, -1.0, -1.0));
        assert!((below.rotate(Vec3::Y) - Vec3::new(0.0, 1.0, 1.0).normalize()).length() < 1e-4);
    }

    #[test]
    fn turning_about_one_axis_keeps_it() {
        let place = Frame::new(Vec3::new(0.0, 10.0, 0.0), Quat::from_heading(30.0));
        let turned = draw_frame(Facing::AboutZ, &place, place.origin, Vec3::new(0.0, 0.0, 5.0));
        assert!((turned.rotate(Vec3::Z) - Vec3::Z).length() < 1e-5);
        assert!((turned.rotate(Vec3::Y) - Vec3::Y).length() < 1e-4, "{}", turned.rotate(Vec3::Y));
        assert_eq!(draw_frame(Facing::AboutZ, &place, place.origin, place.origin), place);
    }
}
