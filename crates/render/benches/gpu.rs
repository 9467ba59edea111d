//! What a frame costs the processor when a GPU draws it: planning and listing, then the commands and their submission.
//!
//! The device's own work is waited for outside of the measured time: on a software driver it runs on the same cores.

#[path = "../tests/gallery/mod.rs"]
mod gallery;

use gallery::{Gallery, Shot};
use std::time::{Duration, Instant};
use threshold_render::gpu::{Gpu, GpuRenderer, wgpu};

const SIZE: (u32, u32) = (1280, 720);
const FRAMES: usize = 100;

const SHOTS: &[Shot] = &[
    Shot::of("village, street", "Village Street"),
    Shot::of("village, green", "Village Green"),
    Shot::of("village, at night", "Village Street").at(0, 0.0),
    Shot::of("landscape from the tower", "Tower Lookout").turned(180.0).pitched(-5.0),
    Shot::of("house, living room", "Cottage Living Room"),
    Shot::of("dungeon hall", "Dungeon Great Hall"),
];

fn main() {
    // `cargo test --benches` only asks whether it builds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let gpu = match Gpu::headless() {
        Ok(gpu) => gpu,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let mut gallery = Gallery::new(SHOTS);
    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut renderer = GpuRenderer::new(&gpu, format);
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: SIZE.0, height: SIZE.1, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT,
        view_formats: &[],
    });
    let target = texture.create_view(&wgpu::TextureViewDescriptor::default());
    println!("{} × {} on {}; best and median of {FRAMES} frames", SIZE.0, SIZE.1, gpu.name());
    for shot in SHOTS {
        let (mut listing, mut drawing) = (Vec::new(), Vec::new());
        gallery.frame(shot, SIZE);
        let (viewer, player) = gallery.viewer(shot, SIZE);
        let Gallery { studio, world, .. } = &mut gallery;
        for _ in 0..FRAMES {
            let start = Instant::now();
            studio.frame(world, &viewer, &player);
            listing.push(start.elapsed());
            let start = Instant::now();
            renderer.draw(&gpu, studio.list(), &studio.assets, &target, SIZE);
            drawing.push(start.elapsed());
            gpu.device.poll(wgpu::PollType::wait_indefinitely()).unwrap();
        }
        let counts = renderer.counts();
        println!(
            "{:26} {:4} draws, {:4} commands: plan and list {}, commands and submission {}",
            shot.name,
            counts.draws,
            counts.commands,
            best_and_median(&mut listing),
            best_and_median(&mut drawing),
        );
    }
    if let Some(failure) = gpu.take_failure() {
        eprintln!("{failure}");
        std::process::exit(2);
    }
}

fn best_and_median(times: &mut [Duration]) -> String {
    times.sort();
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    format!("{:.2} / {:.2} ms", ms(times[0]), ms(times[times.len() / 2]))
}
