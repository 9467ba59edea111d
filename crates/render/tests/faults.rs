//! Missing and broken records: the picture goes on with a neutral substitute, and each is reported once.

mod gallery;

use gallery::{Gallery, Shot};
use std::{collections::BTreeSet, sync::Arc};
use threshold_dat::{DatId, IdScheme};
use threshold_render::{assets::SUBSTITUTE, cpu::CpuRenderer};
use threshold_world::source::{DatSource, MemorySource, Source};

const SIZE: (u32, u32) = (160, 90);
const ROOM: Shot = Shot::of("room", "Cottage Living Room");
const STREET: Shot = Shot::of("street", "Village Street");

/// What happens to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Missing,
    /// Only half of it is left.
    Cut,
    /// Other bytes of the same number.
    Garbage,
}

/// The sample world with all portal records of a kind spoilt.
fn spoilt(kind: u32, fault: Fault) -> impl FnOnce(DatSource) -> Arc<dyn Source> {
    move |source| {
        let mut copy = MemorySource::copy_of(&source).unwrap();
        let range = DatId(kind << 24)..=DatId(kind << 24 | 0xFF_FFFF);
        let ids = source.ids(IdScheme::Portal, range).unwrap().ids;
        assert!(!ids.is_empty());
        for id in ids {
            let mut bytes = copy.remove(IdScheme::Portal, id).unwrap();
            match fault {
                Fault::Missing => continue,
                Fault::Cut => bytes.truncate(bytes.len() / 2),
                Fault::Garbage => {
                    // The id stays, so that the record gets past the first check.
                    bytes.iter_mut().enumerate().skip(4).for_each(|(i, byte)| *byte = (i * 151 + 77) as u8);
                }
            }
            copy.insert(IdScheme::Portal, id, bytes);
        }
        Arc::new(copy)
    }
}

struct Taken {
    /// Mean colour.
    mean: [f32; 3],
    /// Number of colours.
    colors: usize,
    /// Share of the pixels in which something was drawn.
    covered: f32,
}

fn take(gallery: &mut Gallery, shot: &Shot) -> Taken {
    let mut renderer = CpuRenderer::new(SIZE.0, SIZE.1);
    gallery.frame(shot, SIZE);
    renderer.draw(gallery.studio.list(), &gallery.studio.assets);
    let mut rgba = Vec::new();
    renderer.picture().copy_rgba(&mut rgba);
    let count = (SIZE.0 * SIZE.1) as f32;
    let mean = std::array::from_fn(|c| rgba.chunks(4).map(|p| f32::from(p[c])).sum::<f32>() / count);
    let colors = rgba.chunks(4).collect::<BTreeSet<_>>().len();
    let drawn = |i: u32| renderer.picture().distance_at(i % SIZE.0, i / SIZE.0).unwrap().is_finite();
    let covered = (0..SIZE.0 * SIZE.1).filter(|&i| drawn(i)).count() as f32 / count;
    Taken { mean, colors, covered }
}

/// Takes both pictures twice: problems come with the first and not again, none of them twice.
fn take_twice(kind: u32, fault: Fault) -> (Gallery, [Taken; 2]) {
    let mut gallery = Gallery::changed(&[ROOM, STREET], spoilt(kind, fault));
    let taken = [take(&mut gallery, &ROOM), take(&mut gallery, &STREET)];
    let problems = gallery.studio.assets.take_problems();
    // A picture that is not there is missed by the texture that lists it.
    let told_of = if (kind, fault) == (0x06, Fault::Missing) { 0x05 } else { kind };
    let of_kind = problems.iter().filter(|problem| problem.id.0 >> 24 == told_of).count();
    assert!(of_kind > 0, "{kind:02X} {fault:?}: {problems:?}");
    assert_eq!(problems.iter().collect::<BTreeSet<_>>().len(), problems.len(), "{kind:02X} {fault:?}");
    take(&mut gallery, &ROOM);
    take(&mut gallery, &STREET);
    let again = gallery.studio.assets.take_problems();
    assert!(again.is_empty(), "{kind:02X} {fault:?} again: {again:?}");
    (gallery, taken)
}

/// Textures, pictures and surfaces: everything is still there, in greys.
fn check_looks(kind: u32, fault: Fault) {
    let (_, [room, street]) = take_twice(kind, fault);
    assert_eq!(room.covered, 1.0, "{kind:02X} {fault:?}: the walls stand");
    assert!(street.covered > 0.4, "{kind:02X} {fault:?}: the ground lies");
    for taken in [&room, &street] {
        let [low, high] = [f32::min, f32::max].map(|pick| taken.mean.into_iter().reduce(pick).unwrap());
        assert!(low > 30.0 && high < 230.0 && high - low < 60.0, "{kind:02X} {fault:?}: {:?}", taken.mean);
        assert!(taken.colors > 20, "{kind:02X} {fault:?}: {} colours", taken.colors);
    }
}

#[test]
fn missing_pictures_are_grey_checks() {
    check_looks(0x06, Fault::Missing);
}

#[test]
fn cut_pictures_are_grey_checks() {
    check_looks(0x06, Fault::Cut);
}

#[test]
fn broken_textures_are_grey_checks() {
    check_looks(0x05, Fault::Garbage);
}

#[test]
fn missing_surfaces_are_grey_checks() {
    check_looks(0x08, Fault::Missing);
}

#[test]
fn cut_surfaces_are_grey_checks() {
    check_looks(0x08, Fault::Cut);
    let mut gallery = Gallery::changed(&[ROOM], spoilt(0x08, Fault::Cut));
    let surface = gallery.studio.assets.surface(DatId(0x0800_0001));
    let material = *gallery.studio.assets.material(surface);
    assert_eq!((material.texture, material.textured), (SUBSTITUTE, true));
}

#[test]
fn missing_palettes_leave_pictures() {
    let (_, [room, _]) = take_twice(0x04, Fault::Missing);
    assert_eq!(room.covered, 1.0);
}

#[test]
fn broken_meshes_leave_the_rooms_and_the_ground() {
    for fault in [Fault::Cut, Fault::Missing] {
        let (_, [room, street]) = take_twice(0x01, fault);
        // Whatever stood there is gone; what the cells and the land are made of is not.
        assert_eq!(room.covered, 1.0, "{fault:?}");
        assert!(street.covered > 0.4, "{fault:?}");
    }
}
