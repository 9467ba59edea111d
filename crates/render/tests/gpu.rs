#![cfg(feature = "gpu")]
//! The GPU backend against the CPU reference.
//!
//! Both get the same draw lists, those of the golden pictures. They may differ where a driver is free: along edges
//! (vertices are rounded to fractions of a pixel that differ), at the edges of alpha tests, in the mip level (from
//! neighbouring pixels instead of exact slopes), in the last bit of a blend. None of that reaches far or adds up, so the
//! bounds below catch a wrong state, texture, light, fog or order of drawing on anything larger than a thousandth of the
//! picture: on a software driver the worst picture has less than half of what they allow.

mod gallery;

use gallery::{Gallery, viewpoints};
use std::{collections::BTreeSet, path::PathBuf};
use threshold_render::{
    cpu::CpuRenderer,
    draw::Item,
    gpu::{Gpu, GpuRenderer, wgpu::TextureFormat},
    picture::encode_rgba,
};

const SIZE: (u32, u32) = (480, 270);
/// Channels may differ by this much …
const CLOSE: u8 = 8;
/// … in this share of the pixels.
const CLOSE_SHARE: f64 = 0.999;
/// Mean difference of all channels of all pixels.
const MEAN: f64 = 0.4;

/// How far two pictures are apart.
struct Difference {
    close: f64,
    mean: f64,
    largest: u8,
}

impl Difference {
    fn between(a: &[u8], b: &[u8]) -> Difference {
        assert_eq!(a.len(), b.len());
        let of = |a: &[u8], b: &[u8]| a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
        let pixels: Vec<u8> = a.chunks_exact(4).zip(b.chunks_exact(4)).map(|(a, b)| of(a, b)).collect();
        let close = pixels.iter().filter(|&&difference| difference <= CLOSE).count();
        let sum: u64 = a.iter().zip(b).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
        Difference {
            close: close as f64 / pixels.len() as f64,
            mean: sum as f64 / (pixels.len() * 3) as f64,
            largest: pixels.into_iter().max().unwrap_or(0),
        }
    }

    fn is_small(&self) -> bool {
        self.close >= CLOSE_SHARE && self.mean <= MEAN
    }
}

/// What an item is, in a word.
fn kind(item: &Item) -> String {
    match item {
        Item::Draw(draw) => format!("{:?}", draw.what),
        Item::ClearDepth => "Clear".into(),
        Item::Punch(_) => "Punch".into(),
        Item::Seal(_) => "Seal".into(),
    }
}

/// The device, or a reason to stop; where changes are judged a missing driver is a failure.
fn gpu() -> Option<Gpu> {
    match Gpu::headless() {
        Ok(gpu) => Some(gpu),
        Err(error) if std::env::var_os("CI").is_some_and(|ci| !ci.is_empty()) => panic!("{error}"),
        Err(error) => {
            eprintln!("not tested: {error}; a driver such as Debian's mesa-vulkan-drivers is needed");
            None
        }
    }
}

/// Writes both pictures and their difference, eight times as strong, one above the other.
fn write_pictures(name: &str, cpu: &[u8], gpu: &[u8]) -> PathBuf {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("gpu");
    std::fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{name}.png"));
    let difference = cpu.iter().zip(gpu).enumerate().map(|(i, (a, b))| match i % 4 {
        3 => 255,
        _ => a.abs_diff(*b).saturating_mul(8),
    });
    let pixels: Vec<u8> = cpu.iter().copied().chain(gpu.iter().copied()).chain(difference).collect();
    std::fs::write(&path, encode_rgba((SIZE.0, SIZE.1 * 3), &pixels).unwrap()).unwrap();
    path
}

#[test]
fn the_gpu_draws_what_the_reference_draws() {
    let Some(gpu) = gpu() else { return };
    let shots = viewpoints();
    let mut gallery = Gallery::new(&shots);
    let mut reference = CpuRenderer::new(SIZE.0, SIZE.1);
    let mut renderer = GpuRenderer::new(&gpu, TextureFormat::Rgba8Unorm);
    let (mut expected, mut failures) = (Vec::new(), Vec::new());
    let mut met = BTreeSet::new();
    for shot in &shots {
        gallery.frame(shot, SIZE);
        let (list, assets) = (gallery.studio.list(), &gallery.studio.assets);
        met.extend(list.items.iter().map(kind));
        reference.draw(list, assets);
        reference.picture().copy_rgba(&mut expected);
        let found = renderer.picture(&gpu, list, assets, SIZE).unwrap();
        let difference = Difference::between(&expected, &found);
        let counts = renderer.counts();
        eprintln!(
            "{:28} {:7.3} % close, mean {:.3}, largest {:3}; {} draws as {} commands",
            shot.name,
            difference.close * 100.0,
            difference.mean,
            difference.largest,
            counts.draws,
            counts.commands,
        );
        assert!(counts.draws > 5 && counts.left_out == 0, "{}: {counts:?}", shot.name);
        if !difference.is_small() || std::env::var_os("THRESHOLD_WRITE_PICTURES").is_some() {
            let path = write_pictures(shot.name, &expected, &found);
            if !difference.is_small() {
                failures.push(format!("{}: see {}", shot.name, path.display()));
            }
        }
    }
    // The shots are worth something only as long as all of this is in them.
    let wanted = ["Clear", "Punch", "Seal", "Sky", "Ground", "Shell", "Cell", "Object"];
    assert!(wanted.iter().all(|kind| met.contains(*kind)), "{met:?}");
    assert!(failures.is_empty(), "on {}:\n{}", gpu.name(), failures.join("\n"));
}
