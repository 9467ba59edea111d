//! Rows with other places in them.

use crate::{
    SqlError,
    database::{INSTANCE, Row},
    sql::{Event, Reader},
};
use std::collections::BTreeMap;
use threshold_world::{Position, Quat};

/// Metres, and parts of a rotation, below which a value stays as it is written.
const SAME: f32 = 5e-7;

/// The text of a file with new positions for some objects, by game id: only the values that change are replaced,
/// everything else stays byte for byte. `None` when there is nothing to change.
pub fn rewrite(text: &str, places: &BTreeMap<u32, Position>) -> Result<Option<String>, SqlError> {
    let mut reader = Reader::new(text, &[INSTANCE]);
    let mut out = String::new();
    let mut copied = 0;
    while let Some(event) = reader.next()? {
        let Event::Row { columns, row, .. } = event else { continue };
        let row = Row { columns: &columns, row: &row };
        let Some(place) = places.get(&row.id("guid")?) else { continue };
        let spot = row.spot()?;
        let [x, y, z] = place.frame.origin.to_array();
        let [qw, qx, qy, qz]: [f32; 4] = place.frame.rotation().into();
        let cosine = Quat::from(spot.angles).normalized().dot(place.frame.rotation()).abs();
        let is_turned = cosine < 1.0 - SAME;
        let mut changes: Vec<(usize, String)> = Vec::new();
        let mut change = |column: &str, value: String| changes.extend(row.index(column).map(|i| (i, value)));
        if spot.cell != place.cell.0 {
            change("obj_Cell_Id", format!("0x{:08X}", place.cell.0));
        }
        for (column, old, new) in [
            ("origin_X", spot.origin[0], x),
            ("origin_Y", spot.origin[1], y),
            ("origin_Z", spot.origin[2], z),
        ] {
            if (old - new).abs() > SAME {
                change(column, short(new));
            }
        }
        let angles = [("angles_W", qw), ("angles_X", qx), ("angles_Y", qy), ("angles_Z", qz)];
        for ((column, new), old) in angles.into_iter().zip(spot.angles) {
            if is_turned && (old - new).abs() > SAME {
                change(column, short(new));
            }
        }
        changes.sort_by_key(|&(index, _)| index);
        for (index, value) in changes {
            let span = &row.row.spans[index];
            out += &text[copied..span.start];
            out += &value;
            copied = span.end;
        }
    }
    out += &text[copied..];
    Ok((copied > 0).then_some(out))
}

/// A number to six digits after the point, without those that say nothing.
fn short(value: f32) -> String {
    let text = format!("{value:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use threshold_world::{CellId, Frame};

    #[test]
    fn only_what_changes_is_written_anew() {
        let text = "-- doors\nDELETE FROM `landblock_instance` WHERE `landblock` = 0x1234;\n\
            INSERT INTO `landblock_instance` (`guid`, `weenie_Class_Id`, `obj_Cell_Id`, `origin_X`, `origin_Y`, `origin_Z`, \
            `angles_W`, `angles_X`, `angles_Y`, `angles_Z`)\n\
            VALUES (0x71234001,   900, 0x12340100,  24.50, 30.250000, - 12.005, 1, 0, 0, 0) /* Door */\n     \
            , (0x71234002, 901, 305397760, 1, 2, 3, 2, 0, 0, 0); /* Chest */ # end";
        let lift =
            |z| Position::new(CellId(0x1234_0100), Frame::new((24.5, 30.25, z).into(), Quat::IDENTITY));
        let changed = rewrite(text, &BTreeMap::from([(0x7123_4001, lift(-11.5))])).unwrap().unwrap();
        assert_eq!(changed, text.replace("- 12.005", "-11.5"));
        assert_eq!(rewrite(text, &BTreeMap::from([(0x7123_4001, lift(-12.005))])), Ok(None));
        assert_eq!(rewrite(text, &BTreeMap::from([(7, lift(0.0))])), Ok(None));
        // A rotation of another length that means the same stays; a decimal cell id becomes one for people.
        let moved = Position::new(CellId(0x1234_0101), Frame::new((1.0, 2.0, 3.0).into(), Quat::IDENTITY));
        let changed = rewrite(text, &BTreeMap::from([(0x7123_4002, moved)])).unwrap().unwrap();
        assert_eq!(changed, text.replace("305397760", "0x12340101"));
    }
}
