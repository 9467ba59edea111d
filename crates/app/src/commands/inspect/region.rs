//! The map as a whole, and its scenery.

use super::sheet::{Sheet, frame};
use threshold_dat::records::{Region, Scene};

pub(super) fn region(sheet: &mut Sheet, region: &Region) {
    sheet.row("name", format!("{} (region {})", region.name, region.number));
    let land = &region.land;
    let [columns, rows] = land.blocks;
    sheet.row(
        "map",
        format!(
            "{columns} × {rows} blocks of {} × {0} cells of {} m",
            land.squares_per_block, land.square_length
        ),
    );
    let heights = (0..=u8::MAX).map(|index| land.height(index));
    let (low, high) =
        heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), z| (low.min(z), high.max(z)));
    sheet.row("altitudes", format!("{low} to {high} m"));
    let time = &region.time;
    sheet.row(
        "calendar",
        format!(
            "days of {} s, {} days a year, {} from {}",
            time.day_length, time.days_per_year, time.year_name, time.zero_year
        ),
    );
    sheet.inline("times of day", &time.times_of_day, |part| part.name.to_string());
    sheet.inline("seasons", &time.seasons, |season| season.name.to_string());
    if let Some(sky) = &region.sky {
        sheet.list("kinds of days", &sky.day_groups, |group| {
            format!(
                "{}: chance {}, {} sky objects, {} times",
                group.name,
                group.chance,
                group.objects.len(),
                group.times.len()
            )
        });
    }
    sheet.row("ambient sounds", region.sounds.as_deref().unwrap_or_default().len());
    sheet.row("scene types", region.scene_types.as_deref().unwrap_or_default().len());
    let textures = &region.textures.terrain;
    sheet.row("terrain types", region.terrain_types.len());
    for (number, terrain) in region.terrain_types.iter().enumerate() {
        let texture = textures.iter().find(|texture| texture.terrain as usize == number);
        let texture = texture.map_or("no texture".to_owned(), |texture| texture.texture.to_string());
        sheet.item(format!(
            "{number:>2} {:<24} {texture}, {} scene types",
            terrain.name,
            terrain.scene_types.len()
        ));
    }
    let merge = &region.textures;
    sheet.row(
        "blending",
        format!(
            "{} corner, {} side and {} road masks",
            merge.corner_maps.len(),
            merge.side_maps.len(),
            merge.road_maps.len()
        ),
    );
}

pub(super) fn scene(sheet: &mut Sheet, scene: &Scene) {
    sheet.list("objects", &scene.objects, |object| {
        let place = frame(&object.object.frame);
        format!(
            "{} at {place}, frequency {}, scale {}…{}, slope {}…{}",
            object.object.model,
            object.frequency,
            object.min_scale,
            object.max_scale,
            object.min_slope,
            object.max_slope
        )
    });
}
