//! Surfaces, textures, colours and clothes.

use super::sheet::{Sheet, flags};
use threshold_dat::{
    DatId,
    records::{ClothingTable, Palette, RenderSurface, Surface, SurfaceBase},
};

pub(super) fn surface(sheet: &mut Sheet, surface: &Surface) {
    const FLAGS: [(u32, &str); 13] = [
        (Surface::BASE_SOLID, "solid"),
        (Surface::BASE_IMAGE, "image"),
        (Surface::BASE_CLIP_MAP, "clip map"),
        (Surface::TRANSLUCENT, "translucent"),
        (Surface::DIFFUSE, "diffuse"),
        (Surface::LUMINOUS, "luminous"),
        (Surface::ALPHA, "alpha"),
        (Surface::INVERSE_ALPHA, "inverse alpha"),
        (Surface::ADDITIVE, "additive"),
        (Surface::DETAIL, "detail"),
        (Surface::GOURAUD, "gouraud"),
        (Surface::STIPPLED, "stippled"),
        (Surface::PERSPECTIVE, "perspective"),
    ];
    sheet.row("flags", flags(surface.flags, &FLAGS));
    match surface.base {
        SurfaceBase::Solid(color) => sheet.row("color", color),
        SurfaceBase::Image { texture, palette } => {
            sheet.row("texture", texture);
            sheet.id("palette", palette);
        }
    }
    sheet.row("translucency", surface.translucency);
    sheet.row("luminosity", surface.luminosity);
    sheet.row("diffuse", surface.diffuse);
}

pub(super) fn levels(sheet: &mut Sheet, category: u32, texture_type: u8, levels: &[DatId]) {
    let kind = match texture_type {
        2 => "two-dimensional".to_owned(),
        3 => "volume".to_owned(),
        4 => "cube".to_owned(),
        5 => "movie".to_owned(),
        other => format!("type {other}"),
    };
    sheet.row("texture", format!("{kind}, category {category}"));
    sheet.inline("sizes", levels, DatId::to_string);
}

pub(super) fn render_surface(sheet: &mut Sheet, picture: &RenderSurface) {
    sheet.row("picture", format!("{} × {} in {}", picture.width, picture.height, picture.format));
    sheet.row("pixels", format!("{} bytes", picture.pixels.0.len()));
    sheet.row("category", picture.category);
    if let Some(palette) = picture.palette {
        sheet.row("palette", palette);
    }
}

pub(super) fn palette(sheet: &mut Sheet, palette: &Palette) {
    sheet.row("colors", palette.colors.len());
    for (row, colors) in palette.colors.chunks(8).take(8).enumerate() {
        let colors: Vec<String> = colors.iter().map(ToString::to_string).collect();
        sheet.item(format!("{:>4}  {}", row * 8, colors.join(" ")));
    }
    if palette.colors.len() > 64 {
        sheet.item(format!("… and {} more (--json has all)", palette.colors.len() - 64));
    }
}

pub(super) fn clothing(sheet: &mut Sheet, table: &ClothingTable) {
    sheet.list("bodies", &table.base_effects.entries, |(setup, parts)| {
        let parts: Vec<String> = parts.iter().map(|part| format!("{} → {}", part.part, part.model)).collect();
        format!("{setup}: parts {}", parts.join(", "))
    });
    sheet.list("palettes", &table.sub_palette_effects.entries, |(template, effect)| {
        let sets: Vec<String> = effect.sub_palettes.iter().map(|set| set.palette_set.to_string()).collect();
        format!("template {template}: icon {}, sets {}", effect.icon, sets.join(", "))
    });
}
