//! Placed objects as rows of SQL.

use threshold_world::placed::{ObjectKind, PlacedObject};

/// The beginning of a list of rows.
pub(crate) const INSTANCES: &str = "INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, \
    `origin_X`, `origin_Y`, `origin_Z`, `angles_W`, `angles_X`, `angles_Y`, `angles_Z`, `is_Link_Child`) VALUES ";

/// A class for every object, by its number.
pub(crate) fn classes(objects: &[&PlacedObject]) -> String {
    let list = |row: &dyn Fn(usize, &PlacedObject) -> String| {
        let rows = objects.iter().enumerate().map(|(number, object)| row(number, object));
        rows.collect::<Vec<_>>().join(",")
    };
    let kind = |object: &PlacedObject| match object.kind {
        ObjectKind::Door => 19,
        ObjectKind::Chest => 20,
        ObjectKind::Creature | ObjectKind::Person => 10,
        _ => 1,
    };
    let classes =
        list(&|number, object| format!("({number}, '{}', {})", object.name.replace('\'', ""), kind(object)));
    let setups = list(&|number, object| format!("({number}, 1, {})", object.setup.0));
    let states = list(&|number, object| format!("({number}, 93, {})", object.state));
    format!(
        "INSERT INTO `weenie` (`class_Id`, `class_Name`, `type`) VALUES {classes};
        INSERT INTO `weenie_properties_d_i_d` (`object_Id`, `type`, `value`) VALUES {setups};
        INSERT INTO `weenie_properties_int` (`object_Id`, `type`, `value`) VALUES {states};\n"
    )
}

/// A row of an object in a cell, moved.
pub(crate) fn row(class: usize, guid: usize, object: &PlacedObject, cell: u32, by: [f32; 3]) -> String {
    let [x, y, z] = object.origin;
    let [w, a, b, c] = object.rotation;
    let (x, y, z) = (x + by[0], y + by[1], z + by[2]);
    format!("\n(0x{guid:08X}, {class}, 0x{cell:08X}, {x}, {y}, {z}, {w}, {a}, {b}, {c}, False)")
}
