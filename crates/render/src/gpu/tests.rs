//! Small lists that meet every state, on the device and on the reference.

use super::*;
use crate::{
    cpu::CpuRenderer,
    draw::{Draw, DrawKind, Fog, Instance, Item, Lighting, Transform},
    light::PointLight,
    mesh::{Mesh, Vertex},
    raster::{Blend, Depth, DrawState, TextureIndex},
    texture::{Address, Texture, pack},
};
use glam::{Vec2, Vec3};
use std::{ops::Range, sync::Arc};
use threshold_view::{Lens, Projection};
use threshold_world::{CellId, Frame, Library, Position, source::MemorySource};

const SIZE: (u32, u32) = (168, 96);
const OPAQUE: DrawState = DrawState {
    blend: Blend::Opaque,
    depth: Depth::TestAndWrite,
    alpha_ref: 0,
    opacity: 255,
    fog: false,
    address: Address::Wrap,
};

/// The device, or a reason to stop; where changes are judged a missing driver is a failure.
fn device() -> Option<Gpu> {
    match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) => panic!("{error}"),
        Err(error) => {
            eprintln!("not tested: {error}");
            None
        }
    }
}

/// Something to draw into; the eye is at the origin and looks along +Y.
struct Canvas {
    assets: Assets,
    list: DrawList,
    projection: Projection,
}

impl Canvas {
    fn new() -> Canvas {
        let assets = Assets::new(Arc::new(Library::new(Arc::new(MemorySource::new()))));
        let lens = Lens::new(90f32.to_radians(), SIZE.0, SIZE.1).unwrap();
        let projection = Projection::new(&Position::new(CellId(0x0101_0001), Frame::IDENTITY), &lens);
        let ambient = Vec3::ONE;
        let list = DrawList {
            projection: Some(projection),
            background: pack(40, 30, 20, 255),
            lightings: vec![Lighting::Sun { ambient, sun: Vec3::ZERO, sun_color: Vec3::ZERO }],
            ..DrawList::default()
        };
        Canvas { assets, list, projection }
    }

    fn solid(&mut self, r: u8, g: u8, b: u8) -> TextureIndex {
        self.assets.add_texture(Texture::solid(pack(r, g, b, 255)))
    }

    /// Corners of a rectangle of pixels at a distance, counter-clockwise from the lower left.
    fn corners(&self, x: Range<f32>, y: Range<f32>, distance: f32) -> [Vec3; 4] {
        [(x.start, y.end), (x.end, y.end), (x.end, y.start), (x.start, y.start)]
            .map(|(x, y)| self.projection.ray(Vec2::new(x, y)) * distance)
    }

    /// A mesh of one rectangle; texture coordinates run over a range both ways.
    fn mesh(&mut self, corners: [Vec3; 4], uv: Range<f32>) -> u32 {
        let uvs = [(uv.start, uv.end), (uv.end, uv.end), (uv.end, uv.start), (uv.start, uv.start)];
        let vertex = |(position, (u, v)): (Vec3, (f32, f32))| Vertex {
            position,
            normal: -Vec3::Y,
            uv: Vec2::new(u, v),
            glow: [10, 20, 30, 0],
        };
        let vertices = corners.into_iter().zip(uvs).map(vertex).collect();
        self.assets.add_mesh(Mesh { vertices, indices: vec![0, 1, 2, 0, 2, 3], ..Mesh::default() })
    }

    fn draw(&mut self, mesh: u32, texture: TextureIndex, state: DrawState, lighting: u32) {
        self.list.instances.push(Instance::new(Transform::at(Vec3::ZERO), lighting));
        let instance = self.list.instances.len() as u32 - 1;
        self.list.items.push(Item::Draw(Draw {
            mesh,
            vertices: 0..4,
            indices: 0..6,
            instance,
            texture,
            state,
            bounds: Rect::ALL,
            what: DrawKind::Object,
        }));
    }

    /// A rectangle of pixels in one colour.
    fn wall(&mut self, x: Range<f32>, y: Range<f32>, distance: f32, texture: TextureIndex) {
        let corners = self.corners(x, y, distance);
        let mesh = self.mesh(corners, 0.0..1.0);
        self.draw(mesh, texture, OPAQUE, 0);
    }

    /// A portal's polygon.
    fn portal(&mut self, x: Range<f32>, y: Range<f32>, distance: f32) -> Range<u32> {
        let start = self.list.corners.len() as u32;
        for corner in self.corners(x, y, distance) {
            let screen = self.projection.to_screen(corner);
            self.list.corners.push(Vec3::new(screen.x, screen.y, screen.w));
        }
        start..start + 4
    }

    /// Both pictures, the reference first.
    fn pictures(&self, gpu: &Gpu) -> (Vec<u8>, Vec<u8>, Counts) {
        let mut reference = CpuRenderer::new(SIZE.0, SIZE.1);
        let mut expected = Vec::new();
        reference.draw(&self.list, &self.assets);
        reference.picture().copy_rgba(&mut expected);
        let mut renderer = GpuRenderer::new(gpu, wgpu::TextureFormat::Rgba8Unorm);
        let found = renderer.picture(gpu, &self.list, &self.assets, SIZE).unwrap();
        (expected, found, renderer.counts())
    }
}

fn pixel(picture: &[u8], x: u32, y: u32) -> [u8; 3] {
    let at = (y * SIZE.0 + x) as usize * 4;
    [picture[at], picture[at + 1], picture[at + 2]]
}

/// Pixels of which some channel differs by more than `most`.
fn far_pixels(a: &[u8], b: &[u8], most: u8) -> usize {
    let far = |(a, b): &(&[u8], &[u8])| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > most);
    a.chunks_exact(4).zip(b.chunks_exact(4)).filter(far).count()
}

#[test]
fn every_state_gives_the_pixels_of_the_reference() {
    let Some(gpu) = device() else { return };
    let mut canvas = Canvas::new();
    canvas.list.fog = Some(Fog { begin: 2.0, end: 20.0 });
    canvas.list.fog_color = pack(200, 190, 250, 255);
    canvas.list.lights = vec![
        PointLight {
            position: Vec3::new(-4.0, 5.0, 2.0),
            color: Vec3::new(1.0, 0.6, 0.3),
            intensity: 1.5,
            falloff: 6.0,
        },
        PointLight { position: Vec3::new(6.0, 7.0, -2.0), color: Vec3::ONE, intensity: 2.0, falloff: 5.0 },
    ];
    let (ambient, sun) = (Vec3::new(0.3, 0.35, 0.2), Vec3::new(0.2, -0.7, 0.1));
    let sun_color = Vec3::new(0.9, 0.8, 0.7);
    canvas.list.lightings.extend([
        Lighting::Sun { ambient, sun, sun_color },
        Lighting::Ground { ambient, sun, sun_color },
        Lighting::Points { ambient, lights: 0..2 },
        Lighting::Points { ambient, lights: 1..1 },
    ]);
    let ramp = |i: u32| {
        let (x, y) = (i % 16, i / 16);
        pack((x * 17) as u8, (y * 17) as u8, ((x + y) * 8) as u8, (255 - x * 9 - y * 5) as u8)
    };
    let ramp = canvas.assets.add_texture(Texture::from_texels(16, 16, (0..256).map(ramp).collect()));
    let sky = canvas.solid(90, 120, 200);
    canvas.wall(0.0..168.0, 0.0..96.0, 12.0, sky);
    let blends = [
        Blend::Opaque,
        Blend::Alpha,
        Blend::AlphaAdditive,
        Blend::InvAlpha,
        Blend::InvAlphaAdditive,
        Blend::Additive,
        Blend::Clip,
    ];
    let mut place = 0..;
    for blend in blends {
        for depth in [Depth::TestAndWrite, Depth::Test, Depth::Ignore] {
            for (alpha_ref, opacity) in [(0, 255), (0, 100), (150, 255), (90, 200)] {
                for (fog, address) in [(false, Address::Wrap), (true, Address::Clamp)] {
                    let state = DrawState { blend, depth, alpha_ref, opacity, fog, address };
                    let i: u32 = place.next().unwrap();
                    let (x, y) = ((i % 14 * 12) as f32, (i / 14 * 8) as f32);
                    // Every fifth one lies behind the sky.
                    let distance = if i.is_multiple_of(5) { 15.0 } else { 4.0 + (i % 7) as f32 };
                    let corners = canvas.corners(x + 1.0..x + 11.0, y + 1.0..y + 7.0, distance);
                    let mesh = canvas.mesh(corners, -0.3..1.6);
                    canvas.draw(mesh, ramp, state, i % 5);
                }
            }
        }
    }
    let (expected, found, counts) = canvas.pictures(&gpu);
    assert_eq!((counts.draws, counts.left_out), (1 + 7 * 3 * 4 * 2, 0));
    // A texel at the edge of an alpha test may fall on either side; each draw has sixty pixels.
    let far = far_pixels(&expected, &found, 2);
    assert!(far <= 24, "{far} pixels differ");
}

#[test]
fn portals_set_depth_as_in_the_reference() {
    let Some(gpu) = device() else { return };
    let mut canvas = Canvas::new();
    let (full_x, full_y) = (0.0..168.0, 0.0..96.0);
    let [near, room, late, floor, close] =
        [(200, 0, 0), (0, 200, 0), (0, 0, 200), (200, 200, 0), (0, 200, 200)]
            .map(|(r, g, b)| canvas.solid(r, g, b));
    // A house front, an opening in it, a room behind the front: seen through the opening only.
    canvas.wall(full_x.clone(), full_y.clone(), 5.0, near);
    let opening = canvas.portal(8.0..40.0, 8.0..88.0, 5.0);
    canvas.list.items.push(Item::Punch(opening));
    canvas.wall(full_x.clone(), 0.0..48.0, 20.0, room);
    // After a clear what is farther shows, except behind a seal.
    canvas.list.items.push(Item::ClearDepth);
    let exit = canvas.portal(48.0..80.0, 8.0..88.0, 10.0);
    canvas.list.items.push(Item::Seal(exit));
    canvas.wall(44.0..100.0, 0.0..96.0, 15.0, late);
    canvas.wall(60.0..70.0, 20.0..30.0, 9.0, floor);
    // A seal nearer than anything can be hides all that is behind it.
    let before_the_eye = canvas.portal(120.0..160.0, 8.0..88.0, 0.05);
    canvas.list.items.push(Item::Seal(before_the_eye));
    canvas.wall(104.0..168.0, 0.0..96.0, 0.2, close);
    let (expected, found, _) = canvas.pictures(&gpu);
    for picture in [&expected, &found] {
        let at = |x, y| pixel(picture, x, y);
        assert_eq!(at(20, 20), [0, 200, 0], "through the opening");
        assert_eq!(at(20, 80), [200, 0, 0], "the opening shows what was drawn before where there is no room");
        assert_eq!(at(4, 20), [200, 0, 0], "the front hides the room");
        assert_eq!(at(90, 50), [0, 0, 200], "after the clear");
        assert_eq!(at(50, 50), [200, 0, 0], "behind the seal");
        assert_eq!(at(65, 25), [200, 200, 0], "before the seal");
        assert_eq!(at(140, 50), [200, 0, 0], "behind the seal before the eye");
        assert_eq!(at(110, 50), [0, 200, 200], "beside it");
    }
    assert_eq!(far_pixels(&expected, &found, 1), 0);
}

#[test]
fn neighbours_become_one_command_and_keep_their_order() {
    let Some(gpu) = device() else { return };
    let mut canvas = Canvas::new();
    let ramp = (0..64).map(|i| pack(i * 4, 255 - i * 4, i * 2, 60 + i * 3)).collect();
    let ramp = canvas.assets.add_texture(Texture::from_texels(8, 8, ramp));
    let corners = canvas.corners(10.0..60.0, 10.0..60.0, 6.0);
    let mesh = canvas.mesh(corners, 0.0..1.0);
    let veil = DrawState { blend: Blend::Alpha, depth: Depth::Test, opacity: 180, ..OPAQUE };
    for i in 0..10 {
        canvas.draw(mesh, ramp, veil, 0);
        let moved = Vec3::new(i as f32 * 0.4, 0.0, i as f32 * -0.2);
        canvas.list.instances.last_mut().unwrap().transform.translation = moved;
    }
    // Two halves of a rectangle, one after the other.
    for indices in [0..3, 3..6] {
        canvas.draw(mesh, ramp, OPAQUE, 0);
        if let Some(Item::Draw(draw)) = canvas.list.items.last_mut() {
            draw.indices = indices;
            draw.instance = 3;
        }
    }
    // The same with bounds of its own.
    canvas.draw(mesh, ramp, OPAQUE, 0);
    if let Some(Item::Draw(draw)) = canvas.list.items.last_mut() {
        draw.bounds = Rect { min: (20, 20), max: (30, 25) };
    }
    let (expected, found, counts) = canvas.pictures(&gpu);
    assert_eq!((counts.draws, counts.commands), (13, 3));
    assert!(far_pixels(&expected, &found, 3) <= 4);
}

#[test]
fn a_changed_mesh_and_many_textures_reach_the_device() {
    let Some(gpu) = device() else { return };
    let mut canvas = Canvas::new();
    let mut renderer = GpuRenderer::new(&gpu, wgpu::TextureFormat::Bgra8Unorm);
    // More textures of one size than an array begins with.
    for i in 0..150 {
        let texture = canvas.solid(i, 255 - i, 7);
        let x = f32::from(i);
        canvas.wall(x..x + 1.0, 0.0..90.0, 5.0, texture);
    }
    let found = renderer.picture(&gpu, &canvas.list, &canvas.assets, SIZE).unwrap();
    for i in 0..150 {
        assert_eq!(pixel(&found, u32::from(i), 50), [i, 255 - i, 7]);
    }
    // Another texture takes over the place of one that is gone, in another size first.
    let third = match &canvas.list.items[3] {
        Item::Draw(draw) => draw.texture,
        other => panic!("{other:?}"),
    };
    for (side, color) in [(4u8, 200), (1, 90)] {
        canvas.assets.remove_texture(third);
        let texels =
            vec![crate::texture::pack(color, color, color, 255); usize::from(side) * usize::from(side)];
        let texture = Texture::from_texels(side.into(), side.into(), texels);
        assert_eq!(canvas.assets.add_texture(texture), third);
        let found = renderer.picture(&gpu, &canvas.list, &canvas.assets, SIZE).unwrap();
        assert_eq!(pixel(&found, 3, 50), [color; 3]);
        assert_eq!(pixel(&found, 4, 50), [4, 251, 7], "its neighbour is as it was");
    }
    // The first column's mesh moves to the right edge and gets more vertices.
    let corners = canvas.corners(160.0..168.0, 0.0..90.0, 5.0);
    let replaced = canvas.mesh(corners, 0.0..1.0);
    let mut mesh = canvas.assets.mesh(replaced).mesh.clone();
    mesh.vertices.extend([Vertex::default(); 5]);
    let first = match &canvas.list.items[0] {
        Item::Draw(draw) => draw.mesh,
        other => panic!("{other:?}"),
    };
    canvas.assets.replace_mesh(first, mesh);
    let found = renderer.picture(&gpu, &canvas.list, &canvas.assets, SIZE).unwrap();
    assert_eq!(pixel(&found, 164, 50), [0, 255, 7]);
    assert_eq!(pixel(&found, 0, 50), [40, 30, 20], "only the background is left");
    let nothing = renderer.picture(&gpu, &DrawList::default(), &canvas.assets, (5, 3)).unwrap();
    assert_eq!(nothing.len(), 5 * 3 * 4);
    assert!(matches!(
        renderer.picture(&gpu, &canvas.list, &canvas.assets, (1 << 20, 4)),
        Err(GpuError::TooLarge(_))
    ));
}
