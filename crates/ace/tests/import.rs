//! Files of the kind the community shares, on golden worlds.

use std::sync::Arc;
use threshold_ace::{ClassKind, Database, Finding, Objects, Problem};
use threshold_dat::DatId;
use threshold_physics::State;
use threshold_sim::Simulation;
use threshold_world::{CellId, Library, placed::ObjectKind, source::DatSource};

/// Object classes: a door, an open door, a chest, a creature, and some that are no good.
const CLASSES: &str = r"
DELETE FROM `weenie` WHERE `class_Id` = 900;

INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`, `last_Modified`)
VALUES (900, 'door-cottage', 19, '2026-01-01 00:00:00') /* Door */
     , (901, 'chest-cottage', 20, '2026-01-01 00:00:00')
     , (902, 'door-open', 19, '2026-01-01 00:00:00')
     , (903, 'rabbit', 10, '2026-01-01 00:00:00')
     , (904, 'no-setup', 1, '2026-01-01 00:00:00')
     , (905, 'bad-setup', 1, '2026-01-01 00:00:00')
     , (906, 'odd', 1, '2026-01-01 00:00:00');

INSERT INTO `weenie_properties_int` (`object_Id`, `type`, `value`)
VALUES (900,  93,      65544) /* PhysicsState - ReportCollisions, HasPhysicsBSP */
     , (906,  93, 0x2000008) /* with a bit that nobody knows */;
INSERT INTO `weenie_properties_bool` (`object_Id`, `type`, `value`)
VALUES (901, 12, True ), (901, 14, False), (902, 12, b'1'), (902, 2, 1), (903, 14, TRUE), (903, 12, 1);
INSERT INTO `weenie_properties_float` (`object_Id`, `type`, `value`)
VALUES (900, 11, 30), (900, 54, 2.5), (901, 39, 1.5), (906, 39, -3e-1);
INSERT INTO `weenie_properties_string` (`object_Id`, `type`, `value`)
VALUES (900, 1, 'Farmer''s Door'), (901, 1, 'Chest; \'old\' /* not a comment */');
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`)
VALUES (900, 1, 0x02000100) /* Setup */, (900, 2, 0x09000001), (901, 1, 0x02000101), (902, 1, 33554688)
     , (903, 1, 0x02000103), (905, 1, 0x0200FFFF), (906, 1, 0x02000104);
INSERT INTO `weenie_properties_spell_book` (`object_Id`, `spell`, `probability`) VALUES (900, 1, 2.0);
";

const COLUMNS: &str = "(`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`, \
    `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`, `last_Modified`)";

fn instances(rows: &[&str]) -> String {
    format!("INSERT INTO `landblock_instance` {COLUMNS}\nVALUES {};", rows.join("\n     , "))
}

fn simulation() -> Simulation {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).expect("a golden world");
    Simulation::builder().source(Arc::new(source)).build().expect("it loads")
}

fn objects(sim: &Simulation, files: &[&str]) -> Objects {
    let mut database = Database::new();
    for (i, file) in files.iter().enumerate() {
        database.read(&format!("{i}.sql"), file).unwrap_or_else(|error| panic!("{i}.sql: {error}"));
    }
    let library = sim.library();
    database.objects(sim.world(), &mut |id| library.model(id).ok().flatten())
}

fn problems(objects: &Objects) -> Vec<(u32, Problem)> {
    objects.findings.iter().map(|f| (f.guid.unwrap_or(0), f.problem)).collect()
}

#[test]
fn a_door_stands_where_its_row_says_and_blocks() {
    let mut sim = simulation();
    let row =
        "(0x7A9B4001, 900, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '2026-01-01 00:00:00') /* Door */";
    let objects = objects(&sim, &[CLASSES, &instances(&[row])]);
    assert_eq!(objects.findings, []);
    let [door] = &objects.placed[..] else { panic!("one object") };
    assert_eq!((door.guid, door.class, door.kind), (0x7A9B_4001, 900, ClassKind::Door));
    assert_eq!((door.name.as_str(), door.setup), ("Farmer's Door", DatId(0x0200_0100)));
    assert_eq!((door.state.bits(), door.scale), (0x1_0008, 1.0));
    assert_eq!((door.reset_interval, door.use_radius), (Some(30.0), Some(2.5)));
    let (world, scene) = sim.parts_mut();
    let key = scene.spawn(world, door.spawn()).unwrap();
    let cells: Vec<u32> = sim.scene().get(key).unwrap().shadows().iter().map(|s| s.cell.0).collect();
    assert_eq!(cells, [0xA9B4_0100, 0xA9B4_001C]);
}

#[test]
fn a_portal_knows_where_it_leads() {
    let portal = "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (910, 'portal', 7);
        INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (910, 1, 0x02000100);
        INSERT INTO `weenie_properties_position` (`object_Id`, `position_Type`, `obj_Cell_Id`, `origin_X`, `origin_Y`,
            `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`)
        VALUES (910, 8040, 0xA9B40001, 1, 1, 1, 1, 0, 0, 0), (910, 2, 0xA9B40019, 84, 7.5, 94, 0, 0, 0, 2);";
    let row = instances(&["(1, 910, 0xA9B4001C, 84, 79, 20, 1, 0, 0, 0, 0, '')"]);
    let sim = simulation();
    let leads_to = |files: &[&str]| objects(&sim, files).placed[0].destination.map(|to| to.to_string());
    let there = "0xA9B40019 [84.000000 7.500000 94.000000] 0.000000 0.000000 0.000000 1.000000";
    assert_eq!(leads_to(&[portal, &row]).as_deref(), Some(there));
    let gone = "DELETE FROM `weenie_properties_position` WHERE `object_Id` = 910;";
    assert_eq!(leads_to(&[portal, gone, &row]), None);
}

#[test]
fn states_come_from_the_word_or_from_the_flags() {
    let sim = simulation();
    let row =
        |guid: u32, class: u32| format!("({guid}, {class}, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, 0, NOW())");
    let rows: Vec<String> = (900..=903).chain([906]).zip(1..).map(|(class, guid)| row(guid, class)).collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let objects = objects(&sim, &[CLASSES, &instances(&rows)]);
    let bits: Vec<u32> = objects.placed.iter().map(|object| object.state.bits()).collect();
    // Doors, chests and crates have parts with physics; the creature has not.
    assert_eq!(bits, [0x1_0008, 0x1_0008, 0x1_000C, 0x408, 0x1_0008]);
    assert_eq!(objects.placed[1].scale, 1.5);
    assert_eq!(objects.placed[1].name, "Chest; 'old' /* not a comment */");
    assert_eq!(objects.placed[4].scale, 1.0);
    assert_eq!(problems(&objects), [(5, Problem::UnknownState), (5, Problem::BadScale)]);
    let role = |i: usize| objects.placed[i].spawn().role;
    assert!(role(1).forced_into_cell && !role(0).forced_into_cell && role(3).creature);
    assert!(objects.placed[2].state.contains(State::ETHEREAL), "an open door");
}

#[test]
fn rows_without_a_cell_are_found_by_their_position_and_reported() {
    let sim = simulation();
    let row = |guid: u32, x: f32, y: f32, z: f32| {
        format!("({guid}, 900, 0xA9B40000, {x}, {y}, {z}, 1, 0, 0, 0, False, '')")
    };
    for (x, y, z, cell) in [
        (84.0, 79.1, 20.15, 0xA9B4_0100),
        (84.0, 84.0, 20.2, 0xA9B4_0101),
        (83.0, 83.0, 17.2, 0xA9B4_0107),
        (84.0, 70.0, 20.0, 0xA9B4_001B),
        (-1.0, 70.0, 20.0, 0xA8B4_003B),
    ] {
        let objects = objects(&sim, &[CLASSES, &instances(&[&row(1, x, y, z)])]);
        assert_eq!(objects.placed[0].position.cell, CellId(cell), "{x} {y} {z}");
        assert_eq!(problems(&objects), [(1, Problem::CellFound)]);
    }
    // Nothing is known of the block: loading it finds the cell.
    let block = objects(&sim, &[CLASSES, &instances(&["(1, 900, 0x00010000, -5, 1, 0, 1, 0, 0, 0, 0, '')"])]);
    assert_eq!((problems(&block), block.placed[0].position.cell), (vec![], CellId(0x0001_0000)));
}

#[test]
fn bad_rows_are_reported_with_file_and_line_and_the_rest_goes_on() {
    let sim = simulation();
    let rows = instances(&[
        "(1, 999, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(2, 904, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(3, 905, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(4, 900, 0xA9B40177, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(5, 900, 0xA9B40100, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(6, 900, 0xA9B40101, 84, 84, 20.2, 0, 0, 0, 0, False, '')",
        "(6, 900, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(7, 900, 0xA9B4FFFF, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(8, 900, 0xA9B40001, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(9, 900, 0xA9B40101, 84, 84, 20.2, 0.92388, 0, 0, -0.382683, False, '')",
        "(10, 900, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, True, '')",
        "(11, 900, 0xFFFF0001, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
    ]);
    let links =
        "INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`) VALUES (9, 10), (9, 77);";
    let objects = objects(&sim, &[CLASSES, &rows, links]);
    let expected = [
        (1, Problem::UnknownClass),
        (2, Problem::NoSetup),
        (3, Problem::UnknownSetup),
        (4, Problem::UnknownCell),
        (5, Problem::OutsideItsCell),
        (6, Problem::BadRotation),
        (6, Problem::DuplicateGuid),
        (7, Problem::OffMap),
        (8, Problem::OutsideItsCell),
        (11, Problem::OffMap),
        (77, Problem::BrokenLink),
    ];
    assert_eq!(problems(&objects), expected);
    let placed: Vec<u32> = objects.placed.iter().map(|object| object.guid).collect();
    assert_eq!(placed, [5, 6, 8, 9, 10], "the child stands where its own row says");
    assert_eq!(objects.link_children, 1);
    // Rows stand one to a line, from line 2 of the second file.
    let lines: Vec<u32> = objects.findings.iter().filter(|f| f.file == "1.sql").map(|f| f.line).collect();
    assert_eq!(lines, [2, 3, 4, 5, 6, 7, 8, 9, 10, 13]);
    let first = &objects.findings[0];
    assert_eq!(first.to_string(), "1.sql:2: unknown-class: 0x00000001: class 999 is not in the files");
    assert_eq!(objects.placed[0].position.cell.0, 0xA9B4_0100, "the named cell is kept");
}

#[test]
fn a_child_is_there_with_the_object_that_spawns_it() {
    let sim = simulation();
    let rows = instances(&[
        "(1, 900, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(2, 903, 0xA9B40101, 85, 84, 20.2, 1, 0, 0, 0, True, '')",
        "(3, 903, 0xA9B40101, 86, 84, 20.2, 1, 0, 0, 0, True, '')",
        "(4, 903, 0xA9B40101, 83, 84, 20.2, 1, 0, 0, 0, True, '')",
    ]);
    let links = "INSERT INTO `landblock_instance_link` (`parent_GUID`, `child_GUID`) VALUES (1, 2), (99, 3);";
    let objects = objects(&sim, &[CLASSES, &rows, links]);
    let placed: Vec<(u32, f32)> =
        objects.placed.iter().map(|o| (o.guid, o.position.frame.origin.x)).collect();
    assert_eq!(placed, [(1, 84.0), (2, 85.0)]);
    assert_eq!(objects.link_children, 1);
    assert_eq!(problems(&objects), [(4, Problem::Orphan), (99, Problem::BrokenLink)]);
}

/// A class whose objects make others: in its own place, beside it, elsewhere, and by chance.
const GENERATOR: &str = "
INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES (920, 'camp', 1), (921, 'nest', 1);
INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES (920, 1, 0x02000104), (921, 1, 0x02000104);
INSERT INTO `weenie_properties_generator` (`object_Id`, `probability`, `weenie_Class_Id`, `delay`, `init_Create`,
    `max_Create`, `when_Create`, `where_Create`, `stack_Size`, `palette_Id`, `shade`, `obj_Cell_Id`, `origin_X`,
    `origin_Y`, `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`)
VALUES (920, -1, 903, 60, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* OnTop */
     , (920, -1, 903, 60, 1, 1, 1, 4, -1, 0, 0, 0, 2, -14, 0, 0, 0, 0, 1) /* Specific, beside it */
     , (920, -1, 903, 60, 1, 1, 1, 4, -1, 0, 0, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0) /* Specific, in a room */
     , (920, -1, 921, 60, 1, 1, 1, 4, -1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0) /* another generator */
     , (920, -1, 903, 60, 0, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* none at first */
     , (920, -1, 903, 60, 1, 1, 1, 2, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* Scatter */
     , (920, -1, 901, 60, 1, 1, 2, 8, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* Contain */
     , (920, 0.5, 903, 60, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* by chance */
     , (921, 1, 903, 60, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* for certain */
     , (921, 1, 903, 60, 1, 1, 1, 1, -1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0) /* never: the one before takes all chances */;";

#[test]
fn generators_make_what_leaves_nothing_to_chance_where_their_rows_say() {
    let sim = simulation();
    let row = instances(&["(1, 920, 0xA9B4001B, 84, 70, 20, 1, 0, 0, 0, 0, '')"]);
    let made = objects(&sim, &[CLASSES, GENERATOR, &row]);
    let at = |o: &threshold_ace::Object| {
        (o.class, o.position.cell.0, o.position.frame.origin.to_array(), o.position.frame.rotation().w)
    };
    let placed: Vec<_> = made.placed.iter().map(at).collect();
    let expected = [
        (920, 0xA9B4_001B, [84.0, 70.0, 20.0], 1.0),
        (903, 0xA9B4_001B, [84.0, 70.0, 20.0], 1.0),
        (903, 0xA9B4_001B, [86.0, 56.0, 20.0], 0.0),
        (903, 0xA9B4_0101, [84.0, 84.0, 20.2], 1.0),
        (921, 0xA9B4_001B, [84.0, 71.0, 20.0], 1.0),
        (903, 0xA9B4_001B, [84.0, 71.0, 20.0], 1.0),
    ];
    assert_eq!(placed, expected);
    assert_eq!((made.generated, problems(&made)), (5, vec![]));
    let guids: std::collections::BTreeSet<u32> = made.placed.iter().map(|object| object.guid).collect();
    assert_eq!(guids.len(), 6);
    let gone = "DELETE FROM `weenie_properties_generator` WHERE `object_Id` = 920;";
    assert_eq!(objects(&sim, &[CLASSES, GENERATOR, gone, &row]).placed.len(), 1);
    // One that makes itself comes to an end.
    let endless = "INSERT INTO `weenie_properties_generator` (`object_Id`, `probability`, `weenie_Class_Id`, `init_Create`,
        `where_Create`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`)
        VALUES (906, -1, 906, 1, 1, 0, 0, 0, 0, 1, 0, 0, 0);";
    let row = instances(&["(1, 906, 0xA9B4001B, 84, 70, 20, 1, 0, 0, 0, 0, '')"]);
    assert_eq!(objects(&sim, &[CLASSES, endless, &row]).generated, 4);
}

#[test]
fn deletions_remove_what_came_before_them() {
    let sim = simulation();
    let row = |guid: u32, cell: &str| {
        instances(&[&format!("({guid}, 900, {cell}, 84, 84, 20.2, 1, 0, 0, 0, 0, '')")])
    };
    let guids =
        |sql: &str| -> Vec<u32> { objects(&sim, &[CLASSES, sql]).placed.iter().map(|o| o.guid).collect() };
    let three = row(1, "0xA9B40101") + &row(2, "0xA9B40102") + &row(3, "0x12340100");
    assert_eq!(guids(&three), [1, 2, 3]);
    let patch = |delete: &str| guids(&format!("{three} {delete} {}", row(4, "0xA9B40101")));
    assert_eq!(patch("DELETE FROM `landblock_instance` WHERE `landblock` = 0xA9B4;"), [3, 4]);
    assert_eq!(patch("delete from landblock_instance where guid in (1, 3);"), [2, 4]);
    assert_eq!(
        patch("DELETE FROM `ace_world`.`landblock_instance` WHERE `obj_Cell_Id` = 0x12340100;"),
        [1, 2, 4]
    );
    assert_eq!(patch("DELETE FROM `landblock_instance`;"), [4]);
    assert_eq!(patch("DELETE FROM `recipe` WHERE `id` = 1;"), [1, 2, 3, 4]);
    let odd = format!("{three} DELETE FROM `landblock_instance` WHERE `guid` BETWEEN 1 AND 2;");
    let odd = objects(&sim, &[CLASSES, &odd]);
    assert_eq!(odd.placed.len(), 3);
    assert!(problems(&odd).contains(&(0, Problem::UnknownDelete)));
    let without = format!("{three} DELETE FROM `weenie` WHERE `class_Id` = 900;");
    let without = objects(&sim, &[CLASSES, &without]);
    let unknown = without.findings.iter().filter(|f| f.problem == Problem::UnknownClass);
    assert_eq!((unknown.count(), without.placed.len()), (3, 0));
}

/// A dump lists the columns once, when it makes the table.
#[test]
fn a_dump_without_column_lists_is_read_by_the_tables_it_makes() {
    let sim = simulation();
    let dump = "
        -- MySQL dump 10.13
        /*!40101 SET NAMES utf8 */;
        SET @OLD_TIME_ZONE=@@TIME_ZONE;
        DROP TABLE IF EXISTS `weenie`;
        CREATE TABLE `weenie` (
          `class_Id` int(10) unsigned NOT NULL COMMENT 'Weenie Class Id (a, b)',
          `class_Name` varchar(100) NOT NULL,
          `type` int(5) NOT NULL DEFAULT '0',
          `last_Modified` datetime NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
          PRIMARY KEY (`class_Id`),
          UNIQUE KEY `className_UNIQUE` (`class_Name`)
        ) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COMMENT='Weenies';
        LOCK TABLES `weenie` WRITE;
        INSERT INTO `weenie` VALUES (7,'door',19,'2005-02-09 10:00:00'),(8,'sign',1,'2005-02-09 10:00:00');
        UNLOCK TABLES;
        INSERT INTO `weenie_properties_d_i_d` (`id`, `object_Id`, `type`, `value`) VALUES (1,7,1,33554688);";
    let row = instances(&["(1, 7, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, 0, '')"]);
    let objects = objects(&sim, &[dump, &row]);
    assert_eq!(problems(&objects), []);
    assert_eq!((objects.placed[0].name.as_str(), objects.placed[0].kind), ("door", ClassKind::Door));
}

#[test]
fn sql_that_does_not_parse_is_refused_with_its_line() {
    for (sql, line, problem) in [
        ("\n\nINSERT INTO `landblock_instance` VALUES (1);", 3, "not listed"),
        ("INSERT INTO `weenie` (`class_Id`)\nVALUES (1,\n2);", 2, "more than 1 values"),
        ("INSERT INTO `weenie` (`class_Id`, `type`)\nVALUES (1);", 2, "1 values for 2 columns"),
        ("INSERT INTO `weenie` (`class_Id`) VALUES (1)\n(2);", 2, "`(`"),
        ("INSERT `weenie`;", 1, "INTO"),
        ("INSERT INTO `weenie` (`class_Id` VALUES (1);", 1, "VALUES"),
        (
            "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`)\n\nVALUES ('x', 'y', 1);",
            3,
            "class_Id is 'x'",
        ),
        ("INSERT INTO `weenie` (`class_Id`, `type`) VALUES (1, 2);", 1, "no column class_Name"),
        ("SELECT 'abc", 1, "no end"),
        ("/* abc", 1, "no end"),
        ("INSERT INTO `weenie` (`class_Id`) VALUES (1", 1, "ends"),
        ("INSERT INTO `weenie` (`class_Id`) VALUES (f(1;", 1, "`;`"),
        ("DELETE `weenie`;", 1, "FROM"),
        ("DELETE FROM `weenie` WHERE `class_Id` = 'x';", 1, "not a number"),
        ("DELETE FROM `weenie` `class_Id`;", 1, "WHERE"),
    ] {
        let error = Database::new().read("x.sql", sql).expect_err(sql);
        assert_eq!(error.line, line, "{sql}: {error}");
        assert!(error.to_string().contains(problem), "{sql}: {error}");
    }
}

mod random {
    use super::{COLUMNS, Database, Finding};
    use proptest::prelude::*;

    /// Pieces that the reader has to do with, in any order.
    fn pieces() -> impl Strategy<Value = String> {
        let piece = prop::sample::select(vec![
            "INSERT",
            "INTO",
            "`weenie`",
            "`landblock_instance`",
            "VALUES",
            "(",
            ")",
            ",",
            ";",
            "'a'",
            "'",
            "`",
            "/*",
            "*/",
            "--",
            "\n",
            "1",
            "-1",
            "0x7A9B4015",
            "1e-5",
            "NULL",
            "True",
            "b'1'",
            "DELETE",
            "FROM",
            "WHERE",
            "=",
            "IN",
            "`guid`",
            "CREATE",
            "TABLE",
            "f(",
            "\\",
            "é",
            "\u{0}",
            COLUMNS,
        ]);
        prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.join(" "))
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in pieces()) {
            let mut database = Database::new();
            if let Err(error) = database.read("x", &text) {
                let lines = text.bytes().filter(|&byte| byte == b'\n').count() as u32 + 1;
                prop_assert!((1..=lines).contains(&error.line), "{}", error);
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes: Vec<u8>) {
            let _ = Database::new().read("x", &String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn numbers_come_through_as_they_were(guid: u32, cell: u32, numbers in prop::array::uniform7(-1e6f32..1e6)) {
            let list: Vec<String> = numbers.iter().map(|n| format!("{n:e}")).collect();
            let row = format!("({guid}, 5, 0x{cell:08X}, {}, 0, '')", list.join(", "));
            let mut database = Database::new();
            database.read("x", &format!("INSERT INTO landblock_instance {COLUMNS} VALUES {row}")).unwrap();
            let instance = database.instance(guid).unwrap();
            prop_assert_eq!((instance.spot.cell, instance.class), (cell, 5));
            prop_assert_eq!(&instance.spot.origin, &numbers[..3]);
            prop_assert_eq!(&instance.spot.angles, &numbers[3..]);
        }
    }

    #[test]
    fn findings_sort_by_place() {
        let finding = |file: &str, line| {
            let at = threshold_ace::Origin { file: file.into(), line };
            Finding::new(&at, threshold_ace::Problem::OffMap, "")
        };
        let mut list = vec![finding("b", 1), finding("a", 2), finding("a", 1)];
        list.sort_by(Finding::order);
        assert_eq!(list, [finding("a", 1), finding("a", 2), finding("b", 1)]);
    }
}

#[test]
fn placed_objects_keep_what_their_rows_say_also_that_they_have_no_cell() {
    let source = DatSource::open(threshold_golden::world_dir("cottage")).expect("a golden world");
    let library = Library::new(Arc::new(source));
    let rows = instances(&[
        "(1, 900, 0xA9B40100, 84, 79.1, 20.15, 1, 0, 0, 0, False, '')",
        "(2, 901, 0xA9B40000, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
        "(3, 903, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, True, '')",
        "(4, 999, 0xA9B40101, 84, 84, 20.2, 1, 0, 0, 0, False, '')",
    ]);
    let mut database = Database::new();
    database.read("classes.sql", CLASSES).unwrap();
    database.read("rows.sql", &rows).unwrap();
    let placed = database.placed_objects(&library).unwrap();
    let [door, chest] = &placed.objects[..] else { panic!("two objects: {:?}", placed.objects) };
    assert_eq!((door.id, door.kind, door.cell), (1, ObjectKind::Door, CellId(0xA9B4_0100)));
    assert_eq!((door.reset_interval, door.use_radius), (Some(30.0), Some(2.5)));
    assert_eq!((chest.id, chest.kind, chest.cell), (2, ObjectKind::Chest, CellId(0xA9B4_0000)));
    assert_eq!((chest.scale, chest.reset_interval), (1.5, None));
    assert_eq!((placed.link_children, placed.left_out), (0, 2));
    let findings: Vec<(u32, Problem)> =
        placed.findings.iter().map(|f| (f.guid.unwrap_or(0), f.problem)).collect();
    assert_eq!(findings, [(3, Problem::Orphan), (4, Problem::UnknownClass)]);
}
