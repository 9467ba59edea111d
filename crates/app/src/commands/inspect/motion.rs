//! Animations and the tables that choose them.

use super::sheet::{Sheet, point};
use threshold_dat::records::{Animation, Hook, Motion, MotionTable};

pub(super) fn animation(sheet: &mut Sheet, animation: &Animation) {
    sheet.row("parts", animation.part_count);
    sheet.row("frames", animation.frames.len());
    if let Some(root) = &animation.root_frames {
        let travelled = root.iter().fold([0.0; 3], |[x, y, z], frame| {
            let [dx, dy, dz] = frame.origin;
            [x + dx, y + dy, z + dz]
        });
        sheet.row("moves by", point(travelled));
    }
    let hooks: Vec<(usize, &Hook)> = (0..)
        .zip(&animation.frames)
        .flat_map(|(number, frame)| frame.hooks.iter().map(move |hook| (number, hook)))
        .collect();
    sheet.list("hooks", &hooks, |(number, hook)| format!("frame {number}: {}", action(hook)));
}

/// What a hook does.
pub(super) fn action(hook: &Hook) -> String {
    let direction = match hook.direction {
        0 => "",
        1 => ", forward only",
        -1 => ", backward only",
        _ => ", direction unknown",
    };
    format!("{:?}{direction}", hook.action)
}

pub(super) fn motion_table(sheet: &mut Sheet, table: &MotionTable) {
    sheet.row("default style", format!("{:#010x}", table.default_style));
    sheet.list("styles", &table.style_defaults, |(style, substate)| {
        format!("{style:#010x} starts with {substate:#010x}")
    });
    sheet.list("cycles", &table.cycles, keyed);
    sheet.list("modifiers", &table.modifiers, keyed);
    sheet.list("links", &table.links, |(from, targets)| {
        let targets: Vec<String> = targets.iter().map(|(command, _)| format!("{command:#010x}")).collect();
        format!("{from:#010x} → {}", targets.join(", "))
    });
}

fn keyed((key, motion): &(u32, Motion)) -> String {
    let mut parts: Vec<String> = motion
        .animations
        .iter()
        .map(|part| format!("{} [{}…{}] at {}/s", part.animation, part.low, part.high, part.rate))
        .collect();
    parts.extend(motion.velocity.map(|velocity| format!("velocity {}", point(velocity))));
    parts.extend(motion.omega.map(|omega| format!("omega {}", point(omega))));
    format!("{key:#010x}: {}", parts.join(", "))
}
