//! Deletions remove the right rows, in time that grows with the file and not with its square.

use proptest::prelude::*;
use std::{
    fmt::Write,
    ops::Range,
    time::{Duration, Instant},
};
use threshold_ace::Database;

fn read(sql: &str) -> Database {
    let mut database = Database::new();
    database.read("test.sql", sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
    database
}

fn row(guid: u32, class: u32, cell: u32) -> String {
    format!(
        "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, \
         `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`) \
         VALUES ({guid}, {class}, {cell}, 1, 2, 3, 1, 0, 0, 0);\n"
    )
}

fn link(parent: u32, child: u32) -> String {
    format!(
        "INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`) VALUES ({parent}, {child});\n"
    )
}

/// A statement, from few values so that they meet.
#[derive(Clone, Debug)]
enum Statement {
    Row { guid: u32, class: u32, cell: u32 },
    Link { parent: u32, child: u32 },
    DeleteRows { column: &'static str, values: Vec<u32> },
    DeleteLinks { column: &'static str, values: Vec<u32> },
}

const CELLS: [u32; 5] = [0, 0xA9B4_0001, 0xA9B4_FFFF, 0xA9B5_0000, u32::MAX];
const GUIDS: [u32; 4] = [0, 1, 2, u32::MAX];
const CLASSES: [u32; 3] = [0, 7, u32::MAX];
const BLOCKS: [u32; 5] = [0, 0xA9B4, 0xA9B5, 0xFFFF, 0x1_A9B4];

fn statement() -> impl Strategy<Value = Statement> {
    let some = |values: &'static [u32]| prop::collection::vec(prop::sample::select(values), 1..3);
    let one = |values: &'static [u32]| prop::sample::select(values);
    let delete_rows = prop_oneof![
        some(&GUIDS).prop_map(|values| ("guid", values)),
        some(&CLASSES).prop_map(|values| ("weenie_Class_Id", values)),
        some(&CELLS).prop_map(|values| ("obj_Cell_Id", values)),
        some(&BLOCKS).prop_map(|values| ("landblock", values)),
    ];
    prop_oneof![
        4 => (one(&GUIDS), one(&CLASSES), one(&CELLS))
            .prop_map(|(guid, class, cell)| Statement::Row { guid, class, cell }),
        4 => (one(&GUIDS), one(&GUIDS)).prop_map(|(parent, child)| Statement::Link { parent, child }),
        1 => delete_rows.prop_map(|(column, values)| Statement::DeleteRows { column, values }),
        1 => (one_of_columns(), some(&GUIDS))
            .prop_map(|(column, values)| Statement::DeleteLinks { column, values }),
    ]
}

fn one_of_columns() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&["parent_GUID", "child_GUID"][..])
}

fn sql(statements: &[Statement]) -> String {
    let list = |values: &[u32]| values.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
    statements
        .iter()
        .map(|statement| match statement {
            Statement::Row { guid, class, cell } => row(*guid, *class, *cell),
            Statement::Link { parent, child } => link(*parent, *child),
            Statement::DeleteRows { column, values } => {
                format!("DELETE FROM `landblock_instance` WHERE `{column}` IN ({});\n", list(values))
            }
            Statement::DeleteLinks { column, values } => {
                format!("DELETE FROM `landblock_instance_link` WHERE `{column}` IN ({});\n", list(values))
            }
        })
        .collect()
}

/// What is left, by looking at every row for every deletion.
#[derive(Default)]
struct Oracle {
    rows: Vec<[u32; 3]>,
    links: Vec<[u32; 2]>,
}

impl Oracle {
    fn of(statements: &[Statement]) -> Oracle {
        let mut left = Oracle::default();
        for statement in statements {
            match statement {
                // The first of several rows with one id stays.
                &Statement::Row { guid, class, cell } => {
                    if left.rows.iter().all(|row| row[0] != guid) {
                        left.rows.push([guid, class, cell]);
                    }
                }
                &Statement::Link { parent, child } => left.links.push([parent, child]),
                Statement::DeleteRows { column, values } => left.rows.retain(|&[guid, class, cell]| {
                    let value = match *column {
                        "guid" => guid,
                        "weenie_Class_Id" => class,
                        "obj_Cell_Id" => cell,
                        _ => cell >> 16,
                    };
                    !values.contains(&value)
                }),
                Statement::DeleteLinks { column, values } => {
                    let at = usize::from(*column == "child_GUID");
                    left.links.retain(|link| !values.contains(&link[at]));
                }
            }
        }
        left.rows.sort_unstable();
        left
    }
}

proptest! {
    #[test]
    fn deletions_leave_what_a_look_at_every_row_leaves(statements in prop::collection::vec(statement(), 0..40)) {
        let database = read(&sql(&statements));
        let expected = Oracle::of(&statements);
        let rows: Vec<[u32; 3]> = database.instances().map(|i| [i.guid, i.class, i.spot.cell]).collect();
        prop_assert_eq!(rows, expected.rows);
        let links: Vec<[u32; 2]> = database.links().map(|(parent, child, _)| [parent, child]).collect();
        prop_assert_eq!(links, expected.links);
    }
}

/// Rows as patches have them, each after the deletion of what it replaces, in every way there is.
fn patches(rows: Range<u32>) -> String {
    let mut text = String::new();
    for i in rows {
        let cell = i << 16 | 1;
        let ways = [("guid", i), ("landblock", i), ("obj_Cell_Id", cell), ("weenie_Class_Id", i)];
        let (column, value) = ways[i as usize % ways.len()];
        let _ = writeln!(text, "DELETE FROM `landblock_instance` WHERE `{column}` = {value};");
        text += &row(i, i, cell);
        let column = ["parent_GUID", "child_GUID"][i as usize % 2];
        let _ = writeln!(text, "DELETE FROM `landblock_instance_link` WHERE `{column}` = {i};");
        text += &link(i, i);
        let _ = writeln!(text, "DELETE FROM `weenie` WHERE `class_Id` = {i};");
        let _ =
            writeln!(text, "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES ({i}, 'a', 1);");
        let _ = writeln!(text, "DELETE FROM `weenie_properties_int` WHERE `object_Id` = {i};");
    }
    text
}

/// A file into a database that holds much takes about as long as the same file into one that holds little.
///
/// Short files and the shortest of many readings: what else the machine does makes some of them longer.
#[test]
fn the_time_for_a_deletion_does_not_depend_on_how_much_there_is() {
    const FILES: u32 = 24;
    const ROWS: u32 = 400;
    let files: Vec<String> = (0..FILES).map(|file| patches(1 + file * ROWS..1 + (file + 1) * ROWS)).collect();
    let mut best = [Duration::MAX; FILES as usize];
    for _ in 0..5 {
        let mut database = Database::new();
        for (file, best) in files.iter().zip(&mut best) {
            let start = Instant::now();
            database.read("test.sql", file).unwrap();
            *best = start.elapsed().min(*best);
        }
        assert_eq!(database.instances().count(), (FILES * ROWS) as usize);
    }
    // With a look at every row the last files take twenty times as long as the first.
    let shortest = |times: &[Duration]| times.iter().copied().min().unwrap_or_default();
    let (first, last) = (shortest(&best[..4]), shortest(&best[20..]));
    assert!(last < 5 * first, "{first:?} at the beginning, {last:?} at the end");
}
