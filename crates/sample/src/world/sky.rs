//! Sky: domes for night, dusk and day that fade into each other, sun, moon, stars, clouds, rain. Spec: render-data §11.

use super::{region::text, skins::Skins};
use crate::{
    builder::WorldBuilder,
    error::BuildError,
    material::Skin,
    mesh::{Face, Mesh},
    vertices::Corner,
};
use glam::{DVec2, DVec3};
use threshold_dat::{
    DatId,
    records::{Color, DayGroup, Sky, SkyObject, SkyReplacement, SkyTime},
};

/// Drawn after the land, only with the player outdoors, following the eye.
const WEATHER: u32 = 0x1 | 0x4 | 0x8;

/// Places of the fading objects in a day group's list.
const STARS: u32 = 1;
const DUSK: u32 = 2;
const DAY: u32 = 3;

struct Meshes {
    night: DatId,
    stars: DatId,
    dusk: DatId,
    day: DatId,
    sun: DatId,
    moon: DatId,
    clouds: DatId,
    overcast: DatId,
    rain: DatId,
}

pub(super) fn make(world: &mut WorldBuilder, skins: &Skins) -> Result<Sky, BuildError> {
    let mut mesh = |mesh: Mesh| world.mesh(&mesh);
    let meshes = Meshes {
        night: mesh(dome(skins.night_dome, 3000.0, 1.0))?,
        stars: mesh(dome(skins.stars, 2950.0, 6.0))?,
        dusk: mesh(dome(skins.dusk_dome, 2900.0, 1.0))?,
        day: mesh(dome(skins.dome, 2850.0, 1.0))?,
        sun: mesh(disc(skins.sun, 2500.0, 260.0))?,
        moon: mesh(disc(skins.moon, 2450.0, 90.0))?,
        clouds: mesh(sheet(skins.clouds, 420.0, 9000.0, 5.0))?,
        overcast: mesh(sheet(skins.overcast, 380.0, 9000.0, 5.0))?,
        rain: mesh(curtain(skins.rain))?,
    };
    let clear = day_group("Clear", 0.5, &meshes, Weather::Clear);
    let fair = day_group("Fair", 0.35, &meshes, Weather::Fair);
    let rain = day_group("Rain", 0.15, &meshes, Weather::Rain);
    Ok(Sky { tick_size: 0.8, light_tick_size: 15.0, day_groups: vec![clear, rain, fair] })
}

#[derive(Clone, Copy, PartialEq)]
enum Weather {
    Clear,
    Fair,
    Rain,
}

fn day_group(name: &str, chance: f32, meshes: &Meshes, weather: Weather) -> DayGroup {
    let always = |model: DatId| SkyObject {
        begin_time: 0.0,
        end_time: 0.0,
        begin_angle: 0.0,
        end_angle: 0.0,
        texture_velocity: [0.0, 0.0],
        model,
        script: DatId(0),
        properties: 0,
    };
    let passes = |model: DatId, begin_time: f32, end_time: f32, begin_angle: f32, end_angle: f32| SkyObject {
        begin_time,
        end_time,
        begin_angle,
        end_angle,
        ..always(model)
    };
    let mut objects = vec![
        always(meshes.night),
        always(meshes.stars),
        always(meshes.dusk),
        always(meshes.day),
        passes(meshes.sun, 0.24, 0.76, -4.0, 184.0),
        // Nothing wraps past midnight, so the moon's way has two halves.
        passes(meshes.moon, 0.78, 1.0, 0.0, 90.0),
        passes(meshes.moon, 0.0, 0.22, 90.0, 180.0),
    ];
    match weather {
        Weather::Clear => {}
        Weather::Fair => {
            objects.push(SkyObject { texture_velocity: [0.004, 0.001], ..always(meshes.clouds) })
        }
        Weather::Rain => {
            objects.push(SkyObject { texture_velocity: [0.007, 0.002], ..always(meshes.overcast) });
            objects.push(SkyObject {
                texture_velocity: [0.0, -1.6],
                properties: WEATHER,
                ..always(meshes.rain)
            });
        }
    }
    DayGroup { chance, name: text(name), objects, times: times(weather == Weather::Rain) }
}

/// One row per keyframe: begin; brightness, heading, pitch and colour of the sun; ambient; fog; how much of the stars,
/// of dusk and of day does not show (percent).
type Key = (f32, (f32, f32, f32, [u8; 3]), (f32, [u8; 3]), [u8; 3], (f32, f32, f32));

const KEYS: [Key; 7] = [
    (0.0, (0.25, 200.0, 60.0, [150, 170, 220]), (0.3, [120, 135, 190]), [20, 24, 40], (0.0, 100.0, 100.0)),
    (0.22, (0.2, 95.0, 10.0, [190, 160, 170]), (0.3, [140, 140, 180]), [60, 55, 75], (30.0, 60.0, 100.0)),
    (0.27, (0.7, 95.0, 12.0, [255, 190, 130]), (0.36, [200, 180, 180]), [190, 150, 130], (100.0, 0.0, 60.0)),
    (
        0.34,
        (1.1, 115.0, 35.0, [255, 235, 205]),
        (0.38, [205, 215, 235]),
        [185, 205, 225],
        (100.0, 100.0, 0.0),
    ),
    (
        0.5,
        (1.25, 180.0, 62.0, [255, 248, 232]),
        (0.38, [210, 220, 240]),
        [190, 210, 230],
        (100.0, 100.0, 0.0),
    ),
    (
        0.68,
        (1.1, 250.0, 30.0, [255, 225, 185]),
        (0.38, [210, 205, 220]),
        [200, 195, 205],
        (100.0, 100.0, 0.0),
    ),
    (0.76, (0.5, 268.0, 8.0, [255, 150, 95]), (0.34, [190, 160, 180]), [170, 115, 105], (60.0, 0.0, 80.0)),
];

fn times(wet: bool) -> Vec<SkyTime> {
    let color = |[red, green, blue]: [u8; 3]| Color { red, green, blue, alpha: 255 };
    let time =
        |&(begin, (bright, heading, pitch, sun), (ambient, air), fog, (stars, dusk, day)): &Key| SkyTime {
            begin,
            directional_brightness: if wet { bright * 0.5 } else { bright },
            directional_heading: heading,
            directional_pitch: pitch,
            directional_color: color(sun),
            ambient_brightness: ambient,
            ambient_color: color(air),
            fog_minimum: if wet { 60.0 } else { 250.0 },
            fog_maximum: if wet { 500.0 } else { 1400.0 },
            fog_color: color(fog),
            fog_mode: 1,
            replacements: [(STARS, stars), (DUSK, dusk), (DAY, day)]
                .map(|(object, transparent)| SkyReplacement {
                    object,
                    model: DatId(0),
                    rotate: 0.0,
                    transparent,
                    luminosity: 0.0,
                    max_bright: 0.0,
                })
                .to_vec(),
        };
    KEYS.iter().map(time).collect()
}

/// A dome seen from inside, down to a little below the horizon; the picture goes round it `repeats` times.
fn dome(skin: Skin, radius: f64, repeats: f64) -> Mesh {
    let (columns, rows) = (16, 6);
    let corner = |i: u32, j: u32| {
        let around = f64::from(i) / f64::from(columns);
        let down = f64::from(j) / f64::from(rows);
        let (a, b) = (around * std::f64::consts::TAU, down * 1.8);
        let out = DVec3::new(libm::cos(a) * libm::sin(b), libm::sin(a) * libm::sin(b), libm::cos(b));
        let v = if repeats > 1.0 { down * repeats / 3.0 } else { down };
        Corner { place: out * radius, normal: -out, uv: DVec2::new(around * repeats, v) }
    };
    let mut mesh = Mesh::default();
    for j in 0..rows {
        for i in 0..columns {
            // Counter-clockwise seen from inside; at the top two corners fall together.
            let mut corners = vec![corner(i + 1, j), corner(i + 1, j + 1), corner(i, j + 1), corner(i, j)];
            corners.truncate(if j == 0 { 3 } else { 4 });
            mesh.face(Face { corners, skin, two_sided: false });
        }
    }
    mesh
}

/// A picture in the east that faces the viewer.
fn disc(skin: Skin, distance: f64, size: f64) -> Mesh {
    let mut mesh = Mesh::default();
    // A little to the south, so that it passes below the zenith.
    let at = |y: f64, z: f64| DVec3::new(distance, y - distance * 0.35, z);
    mesh.picture([at(size, -size), at(-size, -size), at(-size, size), at(size, size)], skin, false);
    mesh
}

/// A level sheet overhead, seen from below.
fn sheet(skin: Skin, height: f64, reach: f64, repeats: f64) -> Mesh {
    let n = 8;
    let corner = |i: i32, j: i32| {
        let (x, y) = (f64::from(i) / f64::from(n), f64::from(j) / f64::from(n));
        // Bends down to the horizon.
        let z = height - 0.25 * height * (x * x + y * y);
        Corner {
            place: DVec3::new(x * reach, y * reach, z),
            normal: -DVec3::Z,
            uv: DVec2::new(x + 1.0, y + 1.0) * repeats,
        }
    };
    let mut mesh = Mesh::default();
    for (i, j) in (-n..n).flat_map(|i| (-n..n).map(move |j| (i, j))) {
        let [a, b, c, d] = [corner(i, j), corner(i, j + 1), corner(i + 1, j + 1), corner(i + 1, j)];
        mesh.face(Face { corners: vec![a, b, c], skin, two_sided: false });
        mesh.face(Face { corners: vec![a, c, d], skin, two_sided: false });
    }
    mesh
}

/// Two rings of falling rain around the viewer.
fn curtain(skin: Skin) -> Mesh {
    let mut mesh = Mesh::default();
    for (ring, radius) in [(0, 3.0), (1, 8.0)] {
        let sides = 8;
        let corner = |i: u32, z: f64| {
            let a = f64::from(i) / f64::from(sides) * std::f64::consts::TAU + f64::from(ring) * 0.3;
            let out = DVec3::new(libm::cos(a), libm::sin(a), 0.0);
            Corner {
                place: out * radius + DVec3::Z * z,
                normal: -out,
                uv: DVec2::new(f64::from(i * (ring + 1)), (12.0 - z) / 4.0),
            }
        };
        for i in 0..sides {
            let corners = vec![corner(i + 1, -12.0), corner(i, -12.0), corner(i, 12.0), corner(i + 1, 12.0)];
            mesh.face(Face { corners, skin, two_sided: false });
        }
    }
    mesh
}
