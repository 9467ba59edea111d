//! The sample world's own objects.

mod support;

use std::sync::Arc;
use threshold_ace::{CheckOptions, Database};
use threshold_world::{Library, placed::ObjectKind};

#[test]
fn the_sample_worlds_own_objects_are_where_they_should_be() {
    let sample = threshold_sample::build().expect("the sample world");
    let objects: Vec<_> = sample.entities.iter().filter(|object| object.kind != ObjectKind::Other).collect();
    let rows = objects
        .iter()
        .enumerate()
        .map(|(number, object)| support::row(number, 0x7000_0001 + number, object, object.cell.0, [0.0; 3]));
    let rows: Vec<String> = rows.collect();
    let mut database = Database::new();
    let text = format!("{}{}{};", support::classes(&objects), support::INSTANCES, rows.join(","));
    database.read("sample.sql", &text).expect("SQL");
    let library = Arc::new(Library::new(Arc::new(sample.source().expect("its records"))));
    let checked = database.check(&library, &CheckOptions::default()).expect("the world can be read");
    assert_eq!((checked.instances, checked.placed), (objects.len(), objects.len()));
    assert!(checked.findings.is_empty(), "{:#?}", checked.findings);
}
