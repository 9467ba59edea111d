//! The rules by which two events of a recorded session are the same.

use serde_json::Value;
use std::fmt;

/// Every name that means something in a line; others are ignored.
const NAMES: &str = "event packet time from guid layer reason group have count opcode size sequence type name class icon \
    item_type description state cell origin rotation setup motion_table sound_table script_table placement parent \
    location children scale friction elasticity translucency velocity acceleration omega default_script \
    default_script_intensity movement autonomous timestamps appearance weenie position vector teleport server_control \
    force_position instance parent_instance palette subpalettes offset textures part old new parts model style \
    current_style forward sidestep turn forward_speed sidestep_speed turn_speed actions command speed sticky longjump \
    target parameters distance min_distance fail_distance walk_run_threshold heading run_rate target_heading contact \
    sound volume script intensity motion hold_key forward_hold_key sidestep_hold_key turn_hold_key extent level \
    plural_name items_capacity containers_capacity ammo_type value usable use_radius target_type effects combat_use \
    structure max_structure stack_size max_stack_size container wielder valid_locations priority blip_color radar \
    workmanship burden spell house_owner restrictions version open monarch guests storage hook_item_types hook_type \
    icon_overlay icon_underlay material cooldown_id cooldown pet_owner";

/// Where two values of a line differ.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WireDifference {
    /// Names and numbers from the line down to the value, with slashes between them.
    pub field: String,
    /// What came out.
    pub found: Value,
    /// What was recorded.
    pub expected: Value,
}

impl fmt::Display for WireDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: found {}, expected {}", self.field, self.found, self.expected)
    }
}

/// The first place where two lines of a decoded session differ: hex strings by value, floats as f32, times within 2 µs, and
/// what is absent is the same as null.
pub fn wire_difference(found: &Value, expected: &Value) -> Option<WireDifference> {
    compare("", found, expected)
}

fn compare(path: &str, found: &Value, expected: &Value) -> Option<WireDifference> {
    let same = match (found, expected) {
        (Value::Object(found_fields), Value::Object(expected_fields)) => {
            let names = found_fields.keys().chain(expected_fields.keys());
            let known = names.filter(|name| NAMES.split_whitespace().any(|known| known == name.as_str()));
            return known
                .into_iter()
                .find_map(|name| compare(&format!("{path}/{name}"), &found[name], &expected[name]));
        }
        (Value::Array(found_items), Value::Array(expected_items)) => {
            let differs = || {
                let pairs = found_items.iter().zip(expected_items).enumerate();
                pairs.into_iter().find_map(|(index, (a, b))| compare(&format!("{path}/{index}"), a, b))
            };
            if found_items.len() == expected_items.len() {
                return differs();
            }
            false
        }
        (Value::String(a), Value::String(b)) if b.starts_with("0x") => hex(a).is_some() && hex(a) == hex(b),
        (Value::Number(a), Value::Number(b)) => match (a.as_i64(), b.as_i64(), a.as_f64(), b.as_f64()) {
            (Some(a), Some(b), ..) => a == b,
            (_, _, Some(a), Some(b)) if path == "/time" => (a - b).abs() <= 2e-6,
            (_, _, Some(a), Some(b)) if path.ends_with("/cooldown") => a == b,
            (_, _, Some(a), Some(b)) => a as f32 == b as f32,
            _ => false,
        },
        (a, b) => a == b,
    };
    (!same).then(|| WireDifference {
        field: path.trim_start_matches('/').to_owned(),
        found: found.clone(),
        expected: expected.clone(),
    })
}

fn hex(text: &str) -> Option<u64> {
    u64::from_str_radix(text.strip_prefix("0x")?, 16).ok()
}
