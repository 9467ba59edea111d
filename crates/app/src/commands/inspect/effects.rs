//! Particles, scripts and sounds.

use super::motion::action;
use super::sheet::{Sheet, point};
use threshold_dat::records::{
    ParticleEmitter, ParticleVector, PhysicsScript, PhysicsScriptTable, Sound, SoundTable, Wave,
};

pub(super) fn emitter(sheet: &mut Sheet, emitter: &ParticleEmitter) {
    const TYPES: [&str; 12] = [
        "still",
        "local velocity",
        "parabolic LVGA",
        "parabolic LVGA + GR",
        "swarm",
        "explode",
        "implode",
        "parabolic LVLA",
        "parabolic LVLA + LR",
        "parabolic GVGA",
        "parabolic GVGA + GR",
        "global velocity",
    ];
    let kind = usize::try_from(emitter.particle_type - 1).ok().and_then(|index| TYPES.get(index));
    sheet.row(
        "particles",
        kind.map_or_else(|| format!("type {}", emitter.particle_type), |kind| (*kind).to_owned()),
    );
    sheet.row("models", format!("{}, in hardware {}", emitter.model, emitter.hardware_model));
    let per = if emitter.emitter_type == 2 { "metres" } else { "seconds" };
    sheet.row("births", format!("one every {} {per}", emitter.birth_rate));
    sheet.row(
        "numbers",
        format!(
            "{} at first, {} at a time, {} in all",
            emitter.initial_particles, emitter.max_particles, emitter.total_particles
        ),
    );
    sheet.row(
        "life",
        format!(
            "{} ± {} s, emitter {} s",
            emitter.life_span, emitter.life_span_random, emitter.total_seconds
        ),
    );
    sheet.row(
        "offset",
        format!(
            "{} from {} to {} m",
            point(emitter.offset_direction),
            emitter.min_offset,
            emitter.max_offset
        ),
    );
    for (label, ParticleVector { vector, min, max }) in
        [("a", &emitter.a), ("b", &emitter.b), ("c", &emitter.c)]
    {
        sheet.row(label, format!("{} × {min}…{max}", point(*vector)));
    }
    sheet.row(
        "scale",
        format!("{} to {} ± {}", emitter.start_scale, emitter.final_scale, emitter.scale_random),
    );
    sheet.row(
        "translucency",
        format!(
            "{} to {} ± {}",
            emitter.start_translucency, emitter.final_translucency, emitter.translucency_random
        ),
    );
    sheet.row("moves along", if emitter.parent_local { "yes" } else { "no" });
}

pub(super) fn script(sheet: &mut Sheet, script: &PhysicsScript) {
    sheet.list("steps", &script.steps, |step| format!("{} s: {}", step.start, action(&step.hook)));
}

pub(super) fn script_table(sheet: &mut Sheet, table: &PhysicsScriptTable) {
    sheet.list("scripts", &table.scripts, |(kind, choices)| {
        let choices: Vec<String> =
            choices.iter().map(|choice| format!("{} up to {}", choice.script, choice.threshold)).collect();
        format!("type {kind}: {}", choices.join(", "))
    });
}

pub(super) fn wave(sheet: &mut Sheet, wave: &Wave) {
    if let Some(format) = wave.format() {
        let coding = match format.tag {
            1 => "PCM".to_owned(),
            0x55 => "MP3".to_owned(),
            other => format!("format {other:#x}"),
        };
        sheet.row(
            "sound",
            format!("{coding}, {} channels, {} Hz, {} bits", format.channels, format.rate, format.bits),
        );
        if format.bytes_per_second > 0 {
            let seconds = wave.data.0.len() as f64 / f64::from(format.bytes_per_second);
            sheet.row("length", format!("{seconds:.2} s"));
        }
    }
    sheet.row("data", format!("{} bytes", wave.data.0.len()));
}

pub(super) fn sound_table(sheet: &mut Sheet, table: &SoundTable) {
    let sounds = |sounds: &[Sound]| {
        let sounds: Vec<String> =
            sounds.iter().map(|sound| format!("{} ({}%)", sound.wave, sound.probability * 100.0)).collect();
        sounds.join(", ")
    };
    sheet.row("default", sounds(&table.root.sounds));
    sheet.list("sounds", &table.root.children, |node| format!("type {}: {}", node.key, sounds(&node.sounds)));
}
