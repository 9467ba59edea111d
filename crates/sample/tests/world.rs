//! The sample world as a whole.

use threshold_dat::container::DatFile;

#[test]
fn writing_twice_gives_identical_bytes() {
    let (a, b) = (threshold_sample::build().unwrap(), threshold_sample::build().unwrap());
    assert!(a.portal == b.portal && a.cell == b.cell);
    assert_eq!(a.entities_json(), b.entities_json());
    assert_eq!(a.locations(), b.locations());
}

#[test]
fn the_files_open_without_notes() {
    let world = threshold_sample::build().unwrap();
    for bytes in [world.portal, world.cell] {
        let file = DatFile::from_bytes(bytes).unwrap();
        assert!(file.notes().is_empty(), "{:?}", file.notes());
        assert!(file.entries().count() > 50);
    }
}
