//! Golden pictures of the CPU reference, compared exactly.
//!
//! A picture that changed is written beside the one that was expected, with their difference. When the change was meant:
//! look at it, then accept it with the command that the failure names.

mod gallery;

use gallery::{Gallery, Shot, folder, viewpoints};
use std::{
    fs::{self, File},
    io::{BufReader, BufWriter},
    path::{Path, PathBuf},
};
use threshold_render::cpu::CpuRenderer;

const SIZE: (u32, u32) = (240, 135);
/// Set to accept the pictures as they are now.
const ACCEPT: &str = "THRESHOLD_ACCEPT_PICTURES";
const COMMAND: &str = "THRESHOLD_ACCEPT_PICTURES=1 cargo test -p threshold-render --test pictures";
/// Fewest viewpoints that say enough of the world.
const FEWEST: usize = 25;

fn draw_all(shots: &[Shot], threads: usize) -> Vec<Vec<u8>> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        let mut gallery = Gallery::new(shots);
        let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
        let draw = |shot: &Shot| {
            gallery.frame(shot, SIZE);
            renderer.draw(gallery.studio.list(), &gallery.studio.assets);
            let mut rgba = Vec::new();
            renderer.picture().copy_rgba(&mut rgba);
            rgba.chunks_exact(4).flat_map(|p| [p[0], p[1], p[2]]).collect()
        };
        let pictures = shots.iter().map(draw).collect();
        let problems = gallery.studio.assets.take_problems();
        assert!(problems.is_empty(), "{problems:?}");
        pictures
    })
}

fn read(path: &Path) -> Option<Vec<u8>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).ok()?)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), SIZE, "{}", path.display());
    Some(pixels)
}

fn write(path: &Path, height: u32, pixels: &[u8]) {
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(path).unwrap()), SIZE.0, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
}

/// Writes what was expected, what was found, and their difference made visible, one above the other.
fn write_difference(name: &str, expected: &[u8], found: &[u8]) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures");
    fs::create_dir_all(&dir).unwrap();
    let path = dir.join(format!("{name}.png"));
    let visible = |(a, b): (&u8, &u8)| if a == b { 0 } else { a.abs_diff(*b).saturating_mul(8).max(64) };
    let difference: Vec<u8> = expected.iter().zip(found).map(visible).collect();
    write(&path, SIZE.1 * 3, &[expected, found, &difference].concat());
    path
}

#[test]
fn pictures_are_as_they_were_whatever_the_number_of_threads() {
    let shots = viewpoints();
    assert!(shots.len() >= FEWEST);
    let found = draw_all(&shots, 1);
    let parallel = draw_all(&shots, 4);
    for ((shot, one), four) in shots.iter().zip(&found).zip(&parallel) {
        assert!(one == four, "{}: see {}", shot.name, write_difference(shot.name, one, four).display());
    }
    let mut failures = Vec::new();
    for (shot, found) in shots.iter().zip(&found) {
        let path = folder().join(format!("{}.png", shot.name));
        if std::env::var_os(ACCEPT).is_some() {
            write(&path, SIZE.1, found);
            continue;
        }
        match read(&path) {
            None => failures.push(format!("{}: there is no such picture", path.display())),
            Some(expected) if expected == *found => {}
            Some(expected) => {
                let differing = expected.chunks(3).zip(found.chunks(3)).filter(|(a, b)| a != b).count();
                let path = write_difference(shot.name, &expected, found);
                failures.push(format!("{}: {differing} pixels differ, see {}", shot.name, path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{}\nto accept them: {COMMAND}", failures.join("\n"));
}

#[test]
fn every_picture_is_of_a_viewpoint_and_shows_something() {
    let names: Vec<&str> = viewpoints().iter().map(|shot| shot.name).collect();
    let mut total = 0;
    for entry in fs::read_dir(folder()).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "png") {
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(names.contains(&name), "{name} is in no list");
            let pixels = read(&path).unwrap();
            let colors: std::collections::BTreeSet<&[u8]> = pixels.chunks(3).collect();
            assert!(colors.len() > 100, "{name} has {} colours", colors.len());
            total += fs::metadata(&path).unwrap().len();
        }
    }
    assert!(total < 2_000_000, "{total} bytes of pictures");
}
