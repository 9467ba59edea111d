//! Time, day groups, keyframes and sky objects. Spec: render-data §11.

use glam::Vec3;
use threshold_dat::{
    DatId,
    records::{Color, DayGroup, GameTime, Sky, SkyTime},
};
use threshold_world::{Frame, Quat};

/// Lowest level of the ambient light outdoors.
const MIN_AMBIENT: f32 = 0.2;

/// A moment of the game's calendar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// Number of the year.
    pub year: u32,
    /// Day of the year from 0.
    pub day: u32,
    /// Part of the day that has passed, 0…1.
    pub fraction: f32,
}

impl Moment {
    /// The moment after so many seconds of game time. Retail: `GameTime::CalcDayBegin` (0x005A6400).
    pub fn at(ticks: f64, calendar: &GameTime) -> Moment {
        let day_length = f64::from(calendar.day_length);
        let year_length = day_length * f64::from(calendar.days_per_year);
        let total = ticks + calendar.zero_time_of_year;
        if !(day_length > 0.0 && year_length > 0.0 && total.is_finite()) {
            return Moment { year: calendar.zero_year, day: 0, fraction: 0.5 };
        }
        let years = (total / year_length).floor();
        let rest = total - years * year_length;
        let day = (rest / day_length).floor();
        let fraction = ((rest - day * day_length) / day_length) as f32;
        let year = (f64::from(calendar.zero_year) + years).clamp(0.0, f64::from(u32::MAX)) as u32;
        Moment { year, day: day as u32, fraction: fraction.clamp(0.0, 1.0) }
    }

    /// Which of `count` day groups rules this day. Retail: `SkyDesc::CalcPresentDayGroup`.
    pub fn day_group(&self, days_per_year: u32, count: usize) -> usize {
        let day = self.year.wrapping_mul(days_per_year).wrapping_add(self.day);
        let g = day.wrapping_mul(0x6A42_FDB2).wrapping_add(0x8ABE_1652);
        let index = (count as f64 * f64::from(g) / 4_294_967_296.0) as usize;
        if index < count { index } else { 0 }
    }
}

/// Light and fog outdoors at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Daylight {
    /// Towards the sun; its length is the sun's brightness.
    pub sun: Vec3,
    /// Colour of the sun, 0…1.
    pub sun_color: Vec3,
    /// Level of the ambient light, at least 0.2.
    pub ambient_level: f32,
    /// Colour of the ambient light, 0…1.
    pub ambient_color: Vec3,
    /// Where fog begins and where it is complete; `None` where the keyframes give no fog.
    pub fog: Option<(f32, f32)>,
    /// Colour of the fog.
    pub fog_color: Color,
}

impl Default for Daylight {
    /// What a sky without keyframes gives.
    fn default() -> Self {
        Daylight {
            sun: Vec3::new(0.5, 0.0, 0.8),
            sun_color: Vec3::ONE,
            ambient_level: 0.3,
            ambient_color: Vec3::ONE,
            fog: None,
            fog_color: Color { red: 200, green: 210, blue: 220, alpha: 255 },
        }
    }
}

impl Daylight {
    /// Ambient light of meshes: includes a fifth of the sun's brightness, rounded to bytes.
    pub fn mesh_ambient(&self) -> Vec3 {
        let level = self.ambient_level + 0.2 * self.sun.length();
        let round = |c: f32| libm::rintf((c * level).clamp(0.0, 1.0) * 255.0) / 255.0;
        Vec3::new(round(self.ambient_color.x), round(self.ambient_color.y), round(self.ambient_color.z))
    }
}

/// A colour as fractions.
pub fn color_to_vec(color: Color) -> Vec3 {
    Vec3::new(f32::from(color.red), f32::from(color.green), f32::from(color.blue)) / 255.0
}

/// The two keyframes around a moment, and the fraction between them.
#[derive(Clone, Copy, Debug)]
pub struct Keyframes<'a> {
    /// The last one that has begun; the first one before that.
    pub before: &'a SkyTime,
    /// The one after it; the first one after the last.
    pub after: &'a SkyTime,
    /// 0 at `before`, 1 at `after`.
    pub u: f32,
}

impl<'a> Keyframes<'a> {
    /// The keyframes around a fraction of the day; `None` without keyframes. After the last one, the interpolation to the
    /// first ends at midnight, not where the first begins. Retail: `DayGroup::GetTimeOfDay`.
    pub fn at(group: &'a DayGroup, fraction: f32) -> Option<Keyframes<'a>> {
        let times = &group.times;
        let index = times.iter().rposition(|time| time.begin <= fraction).unwrap_or(0);
        let before = times.get(index)?;
        let (after, end) = match times.get(index + 1) {
            Some(next) => (next, next.begin),
            None => (times.first()?, 1.0),
        };
        let u = (fraction - before.begin) / (end - before.begin);
        Some(Keyframes { before, after, u: if u.is_finite() { u.clamp(0.0, 1.0) } else { 0.0 } })
    }

    fn mix(&self, value: impl Fn(&SkyTime) -> f32) -> f32 {
        let (a, b) = (value(self.before), value(self.after));
        a + (b - a) * self.u
    }

    fn mix_color(&self, value: impl Fn(&SkyTime) -> Color) -> Color {
        let (a, b) = (value(self.before), value(self.after));
        let mix = |a: u8, b: u8| (f32::from(a) + (f32::from(b) - f32::from(a)) * self.u) as u8;
        Color {
            red: mix(a.red, b.red),
            green: mix(a.green, b.green),
            blue: mix(a.blue, b.blue),
            alpha: mix(a.alpha, b.alpha),
        }
    }

    /// Light and fog. Retail: `SkyDesc::GetLighting` (0x00500A80), `GetWorldFog`.
    pub fn daylight(&self) -> Daylight {
        let bright = self.mix(|t| t.directional_brightness);
        let heading = self.mix(|t| t.directional_heading).to_radians();
        let pitch = self.mix(|t| t.directional_pitch).to_radians();
        let level = libm::cosf(pitch) * bright;
        let sun =
            Vec3::new(libm::sinf(heading) * level, libm::cosf(heading) * level, libm::sinf(pitch) * bright);
        let fogged = self.before.fog_mode != 0 && self.after.fog_mode != 0;
        let fog = (self.mix(|t| t.fog_minimum), self.mix(|t| t.fog_maximum));
        let usable = fog.0.is_finite() && fog.1.is_finite() && fog.1 > fog.0;
        let ambient = self.mix(|t| t.ambient_brightness);
        Daylight {
            sun: if sun.is_finite() { sun } else { Vec3::ZERO },
            sun_color: color_to_vec(self.mix_color(|t| t.directional_color)),
            ambient_level: if ambient.is_finite() { ambient.max(MIN_AMBIENT) } else { MIN_AMBIENT },
            ambient_color: color_to_vec(self.mix_color(|t| t.ambient_color)),
            fog: (fogged && usable).then_some(fog),
            fog_color: self.mix_color(|t| t.fog_color),
        }
    }
}

/// An object of the sky at a moment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SkyBody {
    /// GfxObj or Setup.
    pub model: DatId,
    /// Orientation; its place is the eye's.
    pub rotation: Quat,
    /// Texture repetitions per second that the texture moves by.
    pub texture_velocity: [f32; 2],
    /// Run-time translucency.
    pub translucency: Option<f32>,
    /// Run-time luminosity.
    pub luminosity: Option<f32>,
    /// Run-time diffuse.
    pub diffuse: Option<f32>,
    /// Drawn after the landscape.
    pub after_landscape: bool,
    /// Follows the eye only east and north; its height is fixed unless `at_eye_height`.
    pub weather: bool,
    /// A weather object at the height of the eye.
    pub at_eye_height: bool,
}

/// Height of weather objects.
pub const WEATHER_HEIGHT: f32 = -120.0;

/// The objects of a day group's sky that show at a moment, in stored order. Retail: `SkyDesc::GetSky` (0x00501EC0).
pub fn bodies(group: &DayGroup, fraction: f32) -> impl Iterator<Item = SkyBody> + '_ {
    let keys = Keyframes::at(group, fraction);
    group.objects.iter().enumerate().filter_map(move |(index, object)| {
        let replacement =
            |time: &'_ SkyTime| time.replacements.iter().find(|r| r.object as usize == index).cloned();
        let before = keys.and_then(|k| replacement(k.before));
        let after = keys.and_then(|k| replacement(k.after));
        let always = object.begin_time == object.end_time;
        let shows = always || (object.begin_time < fraction && fraction < object.end_time);
        let replaced = before.as_ref().map(|r| r.model).filter(|model| *model != DatId(0));
        let model = replaced.or((shows && object.model != DatId(0)).then_some(object.model))?;
        let angle = if always {
            object.begin_angle
        } else {
            let part = (fraction - object.begin_time) / (object.end_time - object.begin_time);
            object.begin_angle + (object.end_angle - object.begin_angle) * part
        };
        let heading = before.as_ref().map_or(0.0, |r| r.rotate);
        // Counts only when both keyframes give a value.
        let percent = |value: fn(&threshold_dat::records::SkyReplacement) -> f32, least: fn(f32) -> bool| {
            let (a, b) = (value(before.as_ref()?), value(after.as_ref()?));
            let u = keys?.u;
            (least(a) && least(b)).then_some((a + (b - a) * u) * 0.01)
        };
        Some(SkyBody {
            model,
            rotation: body_rotation(heading, angle),
            texture_velocity: object.texture_velocity,
            translucency: percent(|r| r.transparent, |v| v >= 0.0),
            luminosity: percent(|r| r.luminosity, |v| v > 0.0),
            diffuse: percent(|r| r.max_bright, |v| v > 0.0),
            after_landscape: object.properties & 1 != 0,
            weather: object.properties & 4 != 0,
            at_eye_height: object.properties & 8 != 0,
        })
    })
}

/// First the heading about the vertical axis, then the way along the arc about the world's north axis.
fn body_rotation(heading: f32, angle: f32) -> Quat {
    let half = -angle.to_radians() / 2.0;
    let arc = Quat { w: libm::cosf(half), v: Vec3::new(0.0, libm::sinf(half), 0.0) };
    (arc * Quat::from_heading(heading)).normalized()
}

/// The day group and the light of a moment; default light for a sky without groups.
pub fn day_group<'a>(sky: &'a Sky, moment: &Moment, days_per_year: u32) -> Option<&'a DayGroup> {
    sky.day_groups.get(moment.day_group(days_per_year, sky.day_groups.len()))
}

impl SkyBody {
    /// Where the object is drawn for an eye.
    pub fn frame(&self, eye: Vec3) -> Frame {
        let origin = match (self.weather, self.at_eye_height) {
            (true, false) => Vec3::new(eye.x, eye.y, WEATHER_HEIGHT),
            _ => eye,
        };
        Frame::new(origin, self.rotation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_dat::records::{SkyObject, SkyReplacement};

    fn dereth() -> GameTime {
        GameTime {
            zero_time_of_year: 3333.75,
            zero_year: 10,
            day_length: 7620.0,
            days_per_year: 360,
            ..GameTime::default()
        }
    }

    #[test]
    fn the_calendar_starts_at_seven_sixteenths_of_a_day() {
        let start = Moment::at(0.0, &dereth());
        assert_eq!((start.year, start.day, start.fraction), (10, 0, 0.4375));
        let later = Moment::at(7620.0 * 361.0, &dereth());
        assert_eq!((later.year, later.day), (11, 1));
        assert!((later.fraction - 0.4375).abs() < 1e-5);
        let broken = Moment::at(5.0, &GameTime::default());
        assert_eq!((broken.day, broken.fraction), (0, 0.5));
    }

    #[test]
    fn spec_11_1_day_groups() {
        for (day, group) in [(0, 18), (1, 6), (2, 14), (100, 8)] {
            assert_eq!(Moment { year: 117, day, fraction: 0.0 }.day_group(360, 20), group);
        }
        assert_eq!(Moment { year: 117, day: 0, fraction: 0.0 }.day_group(360, 0), 0);
    }

    fn keyframe(begin: f32) -> SkyTime {
        SkyTime { begin, ..SkyTime::default() }
    }

    #[test]
    fn example_15_keyframes_wrap_to_the_first_at_midnight() {
        let mut group = DayGroup { times: [0.0, 0.5, 0.8].map(keyframe).to_vec(), ..DayGroup::default() };
        let keys = Keyframes::at(&group, 0.9).unwrap();
        assert_eq!((keys.before.begin, keys.after.begin), (0.8, 0.0));
        assert!((keys.u - 0.5).abs() < 1e-5);
        group.times[0].begin = 0.1;
        let early = Keyframes::at(&group, 0.05).unwrap();
        assert_eq!((early.before.begin, early.after.begin), (0.1, 0.5));
        assert!(Keyframes::at(&DayGroup::default(), 0.5).is_none());
    }

    #[test]
    fn light_is_mixed_and_colours_are_cut_to_bytes() {
        let mut group = DayGroup { times: vec![keyframe(0.0), keyframe(1.0)], ..DayGroup::default() };
        for (time, red, mode) in [(0, 10, 1), (1, 21, 0)] {
            let time = &mut group.times[time];
            time.directional_brightness = 1.2;
            time.directional_heading = 90.0;
            time.directional_pitch = 30.0;
            time.fog_color.red = red;
            (time.fog_minimum, time.fog_maximum, time.fog_mode) = (100.0, 300.0, mode);
        }
        let light = Keyframes::at(&group, 0.5).unwrap().daylight();
        assert!((light.sun - Vec3::new(1.0392, 0.0, 0.6)).length() < 1e-4, "{}", light.sun);
        assert_eq!((light.fog_color.red, light.fog, light.ambient_level), (15, None, 0.2));
        group.times[1].fog_mode = 1;
        assert_eq!(Keyframes::at(&group, 0.5).unwrap().daylight().fog, Some((100.0, 300.0)));
    }

    fn body(begin: f32, end: f32, fraction: f32) -> Option<SkyBody> {
        let object = SkyObject {
            begin_time: begin,
            end_time: end,
            end_angle: 180.0,
            model: DatId(0x0100_0001),
            ..SkyObject::default()
        };
        let group = DayGroup { objects: vec![object], ..DayGroup::default() };
        bodies(&group, fraction).next()
    }

    #[test]
    fn example_15_a_sky_object_shows_strictly_within_its_window() {
        let noon = body(0.25, 0.75, 0.5).unwrap();
        // Half of the arc: what was in the west-east plane points up.
        let turned = Frame::new(Vec3::ZERO, noon.rotation).rotate(Vec3::X);
        assert!((turned - Vec3::Z).length() < 1e-5, "{turned}");
        assert!(body(0.25, 0.75, 0.25).is_none() && body(0.25, 0.75, 0.75).is_none());
        assert!(body(0.25, 0.75, 0.2501).is_some());
        assert!(body(0.9, 0.2, 0.95).is_none() && body(0.9, 0.2, 0.1).is_none());
        assert_eq!(body(0.5, 0.5, 0.1).unwrap().rotation, Quat::IDENTITY);
    }

    #[test]
    fn a_replacement_needs_both_keyframes_for_its_percentages() {
        let part = |luminosity| SkyReplacement { luminosity, transparent: 50.0, ..SkyReplacement::default() };
        let times = vec![
            SkyTime { replacements: vec![part(0.0)], ..keyframe(0.0) },
            SkyTime { replacements: vec![part(40.0)], ..keyframe(1.0) },
        ];
        let objects = vec![SkyObject { model: DatId(0x0100_0001), ..SkyObject::default() }];
        let group = DayGroup { objects, times, ..DayGroup::default() };
        let body = bodies(&group, 0.5).next().unwrap();
        assert_eq!((body.translucency, body.luminosity), (Some(0.5), None));
    }

    #[test]
    fn weather_follows_the_eye_only_on_the_map() {
        let mut weather = body(0.5, 0.5, 0.1).unwrap();
        let eye = Vec3::new(10.0, 20.0, 30.0);
        assert_eq!(weather.frame(eye).origin, eye);
        weather.weather = true;
        assert_eq!(weather.frame(eye).origin, Vec3::new(10.0, 20.0, -120.0));
        weather.at_eye_height = true;
        assert_eq!(weather.frame(eye).origin, eye);
    }
}
