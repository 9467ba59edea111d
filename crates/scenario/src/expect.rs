//! Comparing the lines of a walk with a file of expected lines, by the rules of the golden recordings.

use super::compare::{Difference, Tolerance};
use glam::Vec3;
use serde_json::{Map, Value};
use threshold_world::{CellId, Quat, coords::block_offset};

type Object = Map<String, Value>;

/// Keys of motion recordings that never stand for the value of the line before: left out, they are empty.
const NEVER_CARRIED: [&str; 10] = [
    "hooks",
    "done",
    "collided_with",
    "collided_env",
    "ended",
    "result",
    "offset",
    "lost",
    "fragile",
    "fragile_cells",
];
/// Cell sets, which `fragile_cells` leaves out.
const CELL_SETS: [&str; 3] = ["cell_array", "mover_shadow_cells", "entity_shadow_cells"];

/// Which columns a recording has, and what a column that is left out means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Scripted sweeps: every line is whole, places agree within a millimetre.
    Sweeps,
    /// Motion: a line omits what did not change, positions agree within two millimetres.
    Motion,
}

/// How a line compares with its expected one.
#[derive(Clone, Debug, PartialEq)]
pub struct Compared {
    /// Number of the step.
    pub step: i64,
    /// Its outcome depends on arithmetic noise.
    pub fragile: bool,
    /// It counts: no line before it disagreed at a fragile one.
    pub counts: bool,
    /// Fields that differ; the names of those inside objects have points.
    pub differences: Vec<Difference>,
}

/// A file of expected lines, compared line by line.
#[derive(Clone, Debug, Default)]
pub struct Expectation {
    kind: Option<Kind>,
    /// The last expected line of a motion recording with everything it left out.
    whole: Object,
    /// A fragile line disagreed.
    is_adrift: bool,
}

impl Expectation {
    /// A fragile line disagreed: the following lines do not count.
    pub fn is_adrift(&self) -> bool {
        self.is_adrift
    }

    /// Compares the next lines of both files.
    pub fn compare(&mut self, expected: &Object, found: &Object) -> Compared {
        let motion = expected.contains_key("motion") || expected.contains_key("offset");
        let kind = *self.kind.get_or_insert(if motion { Kind::Motion } else { Kind::Sweeps });
        let is = |key: &str| expected.get(key).and_then(Value::as_bool).unwrap_or(false);
        let (fragile, fragile_cells) = (is("fragile"), is("fragile_cells"));
        let mut comparison = Comparison { kind, fragile_cells, differences: Vec::new() };
        if kind == Kind::Motion {
            carry(&mut self.whole, expected);
            comparison.object("", &self.whole, found);
        } else {
            comparison.object("", expected, found);
        }
        let (differences, counts) = (comparison.differences, !self.is_adrift);
        self.is_adrift |= fragile && !differences.is_empty();
        let step = expected.get("step").and_then(Value::as_i64).unwrap_or_default();
        Compared { step, fragile, counts, differences }
    }
}

/// Brings a line up to date with the next one.
fn carry(whole: &mut Object, line: &Object) {
    whole.retain(|key, _| !NEVER_CARRIED.contains(&key.as_str()));
    for value in whole.values_mut() {
        // Inside an object that the line does not mention nothing happened either.
        if let Value::Object(inner) = value {
            carry(inner, &Object::new());
        }
    }
    for (key, value) in line {
        match (whole.get_mut(key), value) {
            (Some(Value::Object(inner)), Value::Object(changes)) => carry(inner, changes),
            _ => {
                whole.insert(key.clone(), value.clone());
            }
        }
    }
}

/// One line against another.
struct Comparison {
    kind: Kind,
    fragile_cells: bool,
    differences: Vec<Difference>,
}

impl Comparison {
    fn object(&mut self, path: &str, expected: &Object, found: &Object) {
        let kind = self.kind;
        let unexpected =
            NEVER_CARRIED.iter().filter(|key| found.contains_key(**key) && !expected.contains_key(**key));
        let counted = unexpected.filter(|key| kind == Kind::Motion || **key == "lost");
        let empty = counted.map(|key| (*key, &Value::Null));
        for (key, e) in expected.iter().map(|(key, e)| (key.as_str(), e)).chain(empty) {
            if matches!(key, "fragile" | "fragile_cells") || self.fragile_cells && CELL_SETS.contains(&key) {
                continue;
            }
            let f = found.get(key).unwrap_or(&Value::Null);
            let path = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
            if let (Value::Object(inner), Value::Object(found)) = (e, f)
                && key != "entity_shadow_cells"
            {
                self.object(&path, inner, found);
            } else if !self.same(key, (e, f), (expected, found)) {
                self.differences.push(Difference {
                    field: path.into(),
                    expected: e.to_string(),
                    found: f.to_string(),
                });
            }
        }
    }

    fn same(&self, key: &str, (e, f): (&Value, &Value), lines: (&Object, &Object)) -> bool {
        let Tolerance { normal, rotation, .. } = Tolerance::default();
        let place = match self.kind {
            Kind::Sweeps => Tolerance::default().origin,
            Kind::Motion => 0.002,
        };
        if e.is_null() || f.is_null() {
            return is_empty(e) && is_empty(f);
        }
        match key {
            "origin" => same_origin((e, f), lines, place),
            "rotation" => same_rotation(e, f, rotation),
            "contact_plane" => same_plane((e, f), lines, (normal, place)),
            "sliding_normal" | "collision_normal" => same_within(e, f, normal, Scale::Absolute),
            "parts" => {
                let (Some(e), Some(f)) = (e.as_array(), f.as_array()) else { return false };
                e.len() == f.len() && e.iter().zip(f).all(|(e, f)| same_frame(e, f, place, rotation))
            }
            "offset" => same_frame(e, f, 0.0002, rotation),
            "velocity" | "omega" | "frame" | "constraint" => same_within(e, f, 0.002, Scale::Relative),
            "speed" | "rate" | "modifiers" | "forward" | "side" | "turn" => {
                same_within(e, f, 0.0001, Scale::Relative)
            }
            _ => same_within(e, f, 0.0, Scale::Absolute),
        }
    }
}

/// What a column that is left out amounts to.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        _ => false,
    }
}

/// What a tolerance is a part of.
#[derive(Clone, Copy, PartialEq)]
enum Scale {
    Absolute,
    /// Of the number, when that is greater than 1.
    Relative,
}

/// Numbers within a tolerance, everything else the same; ids in any case.
fn same_within(e: &Value, f: &Value, tolerance: f32, scale: Scale) -> bool {
    match (e, f) {
        (Value::Number(e), Value::Number(f)) => {
            let (Some(e), Some(f)) = (e.as_f64(), f.as_f64()) else { return false };
            let unit = if scale == Scale::Relative { e.abs().max(1.0) } else { 1.0 };
            (e - f).abs() <= f64::from(tolerance) * unit
        }
        (Value::Array(e), Value::Array(f)) => {
            e.len() == f.len() && e.iter().zip(f).all(|(e, f)| same_within(e, f, tolerance, scale))
        }
        (Value::Object(e), Value::Object(f)) => {
            e.len() == f.len()
                && e.iter().all(|(key, e)| f.get(key).is_some_and(|f| same_within(e, f, tolerance, scale)))
        }
        (Value::String(e), Value::String(f)) => e.eq_ignore_ascii_case(f),
        (e, f) => e == f,
    }
}

fn numbers<const N: usize>(value: &Value) -> Option<[f32; N]> {
    let list: Option<Vec<f32>> = value.as_array()?.iter().map(|v| v.as_f64().map(|v| v as f32)).collect();
    list?.try_into().ok()
}

fn same_origin((e, f): (&Value, &Value), (expected, found): (&Object, &Object), tolerance: f32) -> bool {
    let cell =
        |line: &Object| line.get("cell").and_then(Value::as_str).and_then(|id| id.parse::<CellId>().ok());
    let shift = cell(expected).zip(cell(found)).map_or(Vec3::ZERO, |(e, f)| block_offset(e, f));
    match (numbers::<3>(e), numbers::<3>(f)) {
        (Some(e), Some(f)) => (Vec3::from(f) + shift).distance(e.into()) <= tolerance,
        _ => false,
    }
}

fn same_rotation(e: &Value, f: &Value, tolerance: f32) -> bool {
    match (numbers::<4>(e), numbers::<4>(f)) {
        (Some(e), Some(f)) => {
            1.0 - Quat::from(e).normalized().dot(Quat::from(f).normalized()).abs() <= tolerance
        }
        _ => false,
    }
}

/// Three numbers of a place and four of a rotation.
fn same_frame(e: &Value, f: &Value, place: f32, rotation: f32) -> bool {
    let (Some(e), Some(f)) = (numbers::<7>(e), numbers::<7>(f)) else { return false };
    let split = |[x, y, z, rotation @ ..]: [f32; 7]| (Vec3::new(x, y, z), Quat::from(rotation).normalized());
    let ((at, e), (other, f)) = (split(e), split(f));
    at.distance(other) <= place && 1.0 - e.dot(f).abs() <= rotation
}

/// The distances of planes are compared at the mover: far from the block's corner the bare offset amplifies the normal's error.
fn same_plane(
    (e, f): (&Value, &Value),
    (expected, found): (&Object, &Object),
    (normal, place): (f32, f32),
) -> bool {
    let split = |plane: &Value, line: &Object| {
        let [x, y, z, d] = numbers(plane)?;
        let origin = line.get("origin").and_then(numbers::<3>)?;
        Some(([x, y, z], Vec3::new(x, y, z).dot(origin.into()) + d))
    };
    match (split(e, expected), split(f, found)) {
        (Some((n, height)), Some((m, other))) => {
            n.iter().zip(m).all(|(n, m)| (n - m).abs() <= normal) && (height - other).abs() <= place
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn fields(expectation: &mut Expectation, expected: Value, found: Value) -> Vec<String> {
        let (Value::Object(expected), Value::Object(found)) = (expected, found) else { panic!("objects") };
        let compared = expectation.compare(&expected, &found);
        compared.differences.iter().map(|difference| difference.field.to_string()).collect()
    }

    fn once(expected: Value, found: Value) -> Vec<String> {
        fields(&mut Expectation::default(), expected, found)
    }

    #[test]
    fn places_agree_within_a_millimetre_in_any_blocks_coordinates() {
        let line = |cell: &str, x: f32| json!({"cell": cell, "origin": [x, 7.0, 94.0], "ok": true});
        assert_eq!(once(line("0xA9B40019", 84.0), line("0xa9b40019", 84.0009)), [""; 0]);
        assert_eq!(once(line("0xA9B40019", 84.0), line("0xA9B40019", 84.0011)), ["origin"]);
        // A block further east begins 192 m further east.
        assert_eq!(once(line("0xA9B40039", 192.0), line("0xAAB40001", 0.0)), ["cell"]);
    }

    #[test]
    fn planes_are_compared_where_the_mover_is() {
        let line = |n: f32, d: f32| json!({"origin": [190.0, 0.0, 0.0], "contact_plane": [n, 0, 1, d]});
        assert_eq!(once(line(0.0, 0.0), line(0.0009, -0.171)), [""; 0]);
        assert_eq!(once(line(0.0, 0.0), line(0.0, 0.002)), ["contact_plane"]);
        assert_eq!(
            once(line(0.0, 0.0), json!({"origin": [190, 0, 0], "contact_plane": null})),
            ["contact_plane"]
        );
    }

    #[test]
    fn cell_sets_are_exact_unless_they_are_fragile() {
        let found = || json!({"cell_array": ["0xA9B40101", "0xA9B40100"]});
        assert_eq!(once(json!({"cell_array": ["0xA9B40100", "0xA9B40101"]}), found()), ["cell_array"]);
        let fragile = json!({"cell_array": ["0xA9B40100"], "fragile_cells": true});
        assert_eq!(once(fragile, found()), [""; 0]);
    }

    #[test]
    fn what_is_not_expected_is_not_compared_but_losing_the_mover_is() {
        assert_eq!(
            once(json!({"ok": true}), json!({"ok": true, "velocity": [1, 2, 3], "lost": false})),
            [""; 0]
        );
        assert_eq!(once(json!({"ok": true}), json!({"ok": true, "lost": true})), ["lost"]);
    }

    #[test]
    fn nothing_counts_after_a_disagreement_at_a_fragile_line() {
        let mut expectation = Expectation::default();
        let mut counts = |expected: Value, found: Value| {
            let (Value::Object(expected), Value::Object(found)) = (expected, found) else {
                panic!("objects")
            };
            let compared = expectation.compare(&expected, &found);
            (compared.fragile, compared.counts, compared.differences.len())
        };
        assert_eq!(counts(json!({"ok": true, "fragile": true}), json!({"ok": true})), (true, true, 0));
        assert_eq!(counts(json!({"ok": true, "fragile": true}), json!({"ok": false})), (true, true, 1));
        assert_eq!(counts(json!({"ok": true}), json!({"ok": false})), (false, false, 1));
    }

    #[test]
    fn motion_lines_leave_out_what_did_not_change() {
        let mut expectation = Expectation::default();
        let first = json!({"step": -1, "cell": "0xA9B40019", "origin": [1, 2, 3], "hooks": [4],
            "motion": {"style": "0x8000003D", "frame": 1.0, "modifiers": [["0x1", 1.5]]}, "move_to": {"type": 0, "ended": [0]}});
        assert_eq!(fields(&mut expectation, first.clone(), first.clone()), [""; 0]);
        let mut found = json!({"step": 0, "cell": "0xA9B40019", "origin": [1, 2, 3.0019], "hooks": [],
            "motion": {"style": "0x8000003D", "frame": 2.001, "modifiers": [["0x1", 1.50009]]},
            "move_to": {"type": 0, "ended": []}, "result": 0});
        let next = json!({"step": 0, "motion": {"frame": 2.0}});
        assert_eq!(fields(&mut expectation.clone(), next.clone(), found.clone()), [""; 0]);
        found["motion"]["style"] = json!("0x8000003E");
        found["move_to"]["ended"] = json!([11]);
        found["result"] = json!(36);
        assert_eq!(fields(&mut expectation, next, found), ["motion.style", "move_to.ended", "result"]);
    }

    #[test]
    fn fractions_of_large_numbers_are_relative() {
        let line = |rate: f64| json!({"motion": {"rate": rate, "frame": 1000.0}});
        assert_eq!(once(line(30.0), line(30.0029)), [""; 0]);
        assert_eq!(once(line(30.0), line(30.0031)), ["motion.rate"]);
    }
}
