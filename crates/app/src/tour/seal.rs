//! The seal, in pixels: what the whole tour shows, against rays that go from opening to opening.
//!
//! Every few ticks the frame is drawn with one flat colour per kind of thing and an unmistakable background, without
//! any object that could hide a hole.

#[path = "../../../view/tests/support/oracle.rs"]
mod rays;

use super::{SAMPLE_ROUTE, Tour};
use glam::{Mat3, Vec2, Vec3};
use rays::{Oracle, is_sliver};
use threshold_render::{
    assets::WHITE,
    cpu::CpuRenderer,
    draw::{Draw, DrawKind, DrawList, Instance, Item, Lighting},
    raster::{Blend, DrawState, Rect},
    studio::Studio,
};
use threshold_sim::Simulation;
use threshold_view::{Lens, Options};
use threshold_world::{CellId, load_all};

const WIDTH: u32 = 96;
const HEIGHT: u32 = 54;
/// Ticks from one picture to the next.
const EVERY: usize = 5;
/// Of the pixels that show a room, one in this many is compared with its ray as well.
const SAMPLED: usize = 7;
/// Edges on the screen are rounded to 1/256 of a pixel; a ray this near may decide differently.
const ROUNDING: f32 = 0.02;
/// Regions that things are seen through are rounded to about a pixel, as in the original; openings are sealed as far as
/// their region goes.
const REGION_ROUNDING: f32 = 1.5;
/// How much larger than the viewer's room those behind everything are.
const BEYOND: f32 = 40.0;

/// What a pixel shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    Nothing,
    Sky,
    Ground,
    Shell,
    Room,
}

const COLORS: [(Seen, [u8; 3]); 5] = [
    (Seen::Nothing, [255, 0, 255]),
    (Seen::Sky, [0, 0, 255]),
    (Seen::Ground, [0, 255, 0]),
    (Seen::Shell, [255, 255, 0]),
    (Seen::Room, [255, 255, 255]),
];

impl Seen {
    fn of(what: DrawKind) -> Seen {
        match what {
            DrawKind::Sky => Seen::Sky,
            DrawKind::Ground => Seen::Ground,
            DrawKind::Shell => Seen::Shell,
            DrawKind::Cell | DrawKind::Object => Seen::Room,
        }
    }

    fn color(self) -> [u8; 3] {
        COLORS[self as usize].1
    }

    fn read(pixel: &[u8]) -> Seen {
        let found = COLORS.iter().find(|(_, color)| pixel.starts_with(color));
        found.unwrap_or_else(|| panic!("no opening has the colour {pixel:?}")).0
    }
}

/// The same frame in flat colours; what lets light through is left out.
fn flat(list: &DrawList) -> DrawList {
    let [r, g, b] = Seen::Nothing.color();
    let background = u32::from_le_bytes([r, g, b, 255]);
    let mut flat = DrawList { background, fog: None, ..list.clone() };
    flat.lightings = COLORS
        .iter()
        .map(|(_, color)| {
            // Far beyond what lamps and baked light could change.
            let ambient = Vec3::from_array(color.map(|c| if c > 0 { 1000.0 } else { -1000.0 }));
            Lighting::Sun { ambient, sun: Vec3::ZERO, sun_color: Vec3::ZERO }
        })
        .collect();
    flat.items.clear();
    flat.instances.clear();
    for item in &list.items {
        let Item::Draw(draw) = item else {
            flat.items.push(item.clone());
            continue;
        };
        if draw.what != DrawKind::Sky && draw.state.blend != Blend::Opaque {
            continue;
        }
        let transform = list.instances[draw.instance as usize].transform;
        flat.instances.push(Instance::new(transform, Seen::of(draw.what) as u32));
        let mut draw = draw.clone();
        draw.instance = flat.instances.len() as u32 - 1;
        draw.texture = WHITE;
        draw.state = DrawState {
            opacity: 255,
            depth: draw.state.depth,
            address: draw.state.address,
            ..DrawState::default()
        };
        flat.items.push(Item::Draw(draw));
    }
    flat
}

/// Adds rooms far behind everything, in all directions, as if the house went on there: the viewer's own room, turned and
/// much larger.
fn add_rooms_beyond(list: &mut DrawList) {
    let (Some(projection), Some(last)) = (list.projection, list.items.iter().rposition(is_wall)) else {
        return;
    };
    let Item::Draw(Draw { mesh, .. }) = list.items[last] else { return };
    let own: Vec<Draw> =
        list.items.iter().filter_map(|item| wall(item).filter(|wall| wall.mesh == mesh)).collect();
    for mut draw in own {
        let mut transform = list.instances[draw.instance as usize].transform;
        let away = Mat3::from_rotation_z(1.0) * BEYOND;
        transform.matrix = away * transform.matrix;
        transform.translation = projection.eye + away * (transform.translation - projection.eye);
        list.instances.push(Instance::new(transform, Seen::Room as u32));
        draw.instance = list.instances.len() as u32 - 1;
        draw.bounds = Rect::ALL;
        list.items.insert(last + 1, Item::Draw(draw));
    }
}

fn wall(item: &Item) -> Option<Draw> {
    match item {
        Item::Draw(draw) if draw.what == DrawKind::Cell => Some(draw.clone()),
        _ => None,
    }
}

fn is_wall(item: &Item) -> bool {
    wall(item).is_some()
}

#[derive(Default, Debug)]
struct Tally {
    frames: usize,
    inside: usize,
    outdoors_seen: usize,
    rays: usize,
    slivers: usize,
    faults: Vec<String>,
}

/// Compares a picture with rays.
fn judge(
    oracle: &Oracle<'_>,
    studio: &Studio,
    viewer: CellId,
    pixels: &[Seen],
    (tick, margin): (usize, f32),
    tally: &mut Tally,
) {
    let plan = studio.plan();
    // Whether any ray near the middle of a pixel agrees.
    let agrees = |pixel: Vec2, rays: &mut usize, wanted: &mut dyn FnMut(&rays::Trace) -> bool| {
        [Vec2::ZERO, Vec2::X, -Vec2::X, Vec2::Y, -Vec2::Y].iter().any(|aside| {
            *rays += 1;
            wanted(&oracle.trace(viewer, &oracle.ray(plan, viewer, pixel + *aside * margin)))
        })
    };
    let mut slivers = 0;
    tally.frames += 1;
    tally.inside += usize::from(viewer.is_interior());
    for (i, &seen) in pixels.iter().enumerate() {
        let pixel = Vec2::new((i as u32 % WIDTH) as f32, (i as u32 / WIDTH) as f32) + 0.5;
        let right = match (seen, viewer.is_interior()) {
            // Nothing is allowed only where there is nothing: beyond all ground, under an open sky. Openings that leave
            // less than a pixel are not looked through, as in the original.
            (Seen::Nothing, _) => agrees(pixel, &mut tally.rays, &mut |trace| {
                let sliver = is_sliver(plan, viewer, trace);
                slivers += usize::from(sliver);
                sliver || (trace.outdoors && trace.ground.is_none() && trace.building.is_empty())
            }),
            (Seen::Sky | Seen::Ground | Seen::Shell, true) => {
                tally.outdoors_seen += 1;
                agrees(pixel, &mut tally.rays, &mut |trace| trace.outdoors)
            }
            (Seen::Room, true) if (i + tick).is_multiple_of(SAMPLED) && plan.draws_landscape() => {
                agrees(pixel, &mut tally.rays, &mut |trace| {
                    !trace.outdoors || !trace.building.is_empty() || is_sliver(plan, viewer, trace)
                })
            }
            _ => true,
        };
        if !right {
            tally.faults.push(format!("tick {tick}, from {viewer}, pixel {pixel}: {seen:?}"));
        }
    }
    tally.slivers += slivers;
}

/// Walks the tour and judges every few ticks of it; `change` may spoil the frames of a viewer in a cell. Rays within
/// `margin` pixels may excuse what a pixel shows.
fn walk(every: usize, margin: f32, change: impl Fn(&mut DrawList, CellId)) -> Tally {
    let lens = Lens::new(60f32.to_radians(), WIDTH, HEIGHT).unwrap();
    let mut tour = Tour::begin(Simulation::sample().unwrap(), lens).unwrap();
    let library = tour.sim.library().clone();
    let (world, _) = load_all(&library).unwrap();
    let oracle = Oracle::new(&world);
    let mut studio = Studio::new(library, Options::default().weather(false));
    let mut renderer = CpuRenderer::new(WIDTH, HEIGHT);
    let (mut rgba, mut tally, mut tick) = (Vec::new(), Tally::default(), 0);
    for leg in SAMPLE_ROUTE {
        tour.walk(leg).unwrap();
        // Doors stay as they are during a leg, so its ticks can be looked at when it is over.
        while let Some(line) = tour.lines.get(tick) {
            let player = line.player();
            let viewer = tour.viewer_of(&player);
            studio.frame(&world, &viewer, &player);
            let mut list = flat(studio.list());
            change(&mut list, viewer.position.cell);
            renderer.draw(&list, &studio.assets);
            renderer.picture().copy_rgba(&mut rgba);
            let pixels: Vec<Seen> = rgba.chunks_exact(4).map(Seen::read).collect();
            judge(&oracle, &studio, viewer.position.cell, &pixels, (tick, margin), &mut tally);
            tick += every;
        }
    }
    tally
}

#[test]
fn nothing_shows_through_a_wall_on_the_whole_tour() {
    let tally = walk(EVERY, ROUNDING, |_, _| {});
    assert!(tally.frames > 1500 && tally.inside > 1000, "{} frames, {} inside", tally.frames, tally.inside);
    assert!(tally.outdoors_seen > 10_000, "{} pixels of the outdoors seen from inside", tally.outdoors_seen);
    let pixels = tally.frames * (WIDTH * HEIGHT) as usize;
    assert!(tally.slivers * 5000 < pixels, "too many excuses: {} of {pixels} pixels", tally.slivers);
    // Regions end within about a pixel of their openings: a single pixel at such an edge may show what is behind.
    let faults = &tally.faults;
    assert!(
        faults.len() * 100_000 < tally.rays,
        "{} of {} rays: {:#?}",
        faults.len(),
        tally.rays,
        &faults[..faults.len().min(8)]
    );
}

/// The landscape in an opening is like a painting that stands there: nothing behind it shows.
#[test]
fn rooms_behind_an_exit_do_not_show_in_it() {
    let beyond = |list: &mut DrawList, viewer: CellId| {
        if viewer.is_interior() {
            add_rooms_beyond(list);
        }
    };
    let sealed = walk(EVERY * 4, REGION_ROUNDING, beyond);
    let faults = &sealed.faults;
    assert!(faults.is_empty(), "{}: {:#?}", faults.len(), &faults[..faults.len().min(8)]);
    let open = walk(EVERY * 4, REGION_ROUNDING, |list, viewer| {
        beyond(list, viewer);
        list.items.retain(|item| !matches!(item, Item::Seal(_)));
    });
    assert!(open.faults.len() > 1000, "{} faults without seals", open.faults.len());
}

/// Depth of the landscape stays, and covers rooms that lie behind it: nothing else keeps a cellar free of ground.
#[test]
fn without_the_clear_of_depth_the_same_test_fails() {
    let tally =
        walk(EVERY * 4, ROUNDING, |list, _| list.items.retain(|item| !matches!(item, Item::ClearDepth)));
    assert!(tally.faults.len() > 20, "{} faults in {} frames", tally.faults.len(), tally.frames);
}

#[test]
fn without_some_of_the_walls_the_same_test_fails() {
    let tally = walk(EVERY * 8, ROUNDING, |list, _| {
        list.items.retain(|item| wall(item).is_none_or(|wall| wall.mesh % 5 != 0));
    });
    let nothing = tally.faults.iter().filter(|fault| fault.ends_with("Nothing")).count();
    assert!(nothing > 1000, "{nothing} holes in {} frames", tally.frames);
}
