//! Landblocks and rooms.

use super::sheet::{Sheet, flags, frame};
use std::collections::BTreeMap;
use threshold_dat::{
    DatId, IdScheme,
    records::{
        Building, CellPortal, DatRecord, EnvCell, LandBlock, LandBlockInfo, PlacedObject, PortalFlags, Region,
    },
};
use threshold_world::{REGION, source::Source};

fn cell_id(owner: DatId, number: u16) -> DatId {
    DatId(owner.0 & 0xFFFF_0000 | u32::from(number))
}

pub(super) fn outdoor_cell(sheet: &mut Sheet, id: DatId) {
    let index = (id.0 & 0xFFFF) - 1;
    let (x, y) = (index / 8 * 24, index % 8 * 24);
    sheet.row("outdoor cell", format!("{id}, x {x} to {}, y {y} to {}", x + 24, y + 24));
}

pub(super) fn land_block(sheet: &mut Sheet, id: DatId, block: &LandBlock, source: &dyn Source) {
    // Names are missing when there is no usable region; the numbers are still there.
    let region = match source.record(IdScheme::Portal, REGION) {
        Ok(stored) => stored.and_then(|bytes| Region::load(REGION, &bytes).ok()),
        Err(error) => {
            sheet.row("terrain names", format!("cannot be read now: {error}"));
            None
        }
    };
    sheet.row("block", format!("column {}, row {}", id.0 >> 24, id.0 >> 16 & 0xFF));
    sheet.row("has info", if block.has_info { "yes: objects, buildings or rooms" } else { "no" });
    let mut types: BTreeMap<u8, usize> = BTreeMap::new();
    for word in &block.terrain {
        *types.entry(word.terrain_type()).or_default() += 1;
    }
    let types: Vec<(u8, usize)> = types.into_iter().collect();
    sheet.inline("terrain", &types, |(number, samples)| {
        let named = region.as_ref().and_then(|region| region.terrain_types.get(usize::from(*number)));
        match named {
            Some(named) => format!("{} ×{samples}", named.name),
            None => format!("type {number} ×{samples}"),
        }
    });
    let roads = block.terrain.iter().filter(|word| word.road() != 0).count();
    sheet.row("road samples", roads);
    let unit = if region.is_some() { "metres" } else { "height indices" };
    sheet.row("heights", format!("{unit}, north at the top"));
    for y in (0..9).rev() {
        let row: String = (0..9)
            .filter_map(|x| block.heights.get(x * 9 + y))
            .map(|&index| match &region {
                Some(region) => format!("{:>8.1}", region.land.height(index)),
                None => format!("{index:>8}"),
            })
            .collect();
        sheet.item(row);
    }
}

pub(super) fn land_block_info(sheet: &mut Sheet, id: DatId, info: &LandBlockInfo) {
    match info.cell_count {
        0 => sheet.row("rooms", 0),
        count => {
            let last = cell_id(id, 0xFF_u16.saturating_add(count as u16));
            sheet.row("rooms", format!("{count}: {} to {last}", cell_id(id, 0x100)));
        }
    }
    sheet.list("objects", &info.objects, object);
    sheet.row("buildings", info.buildings.len());
    for building in &info.buildings {
        sheet.item(format!("{} at {}", building.model, frame(&building.frame)));
        building_portals(sheet, id, building);
    }
    if let Some(table) = &info.restrictions {
        sheet.list("restrictions", &table.entries, |(cell, house)| {
            format!("{cell:#06x} guarded by {house:#010x}")
        });
    }
}

fn building_portals(sheet: &mut Sheet, id: DatId, building: &Building) {
    for (index, portal) in building.portals.iter().enumerate() {
        let cells: Vec<String> = portal.visible_cells.iter().map(|number| format!("{number:04X}")).collect();
        sheet.item(format!(
            "  opening {index} → {} portal {}, {}, shows {}",
            cell_id(id, portal.other_cell),
            portal.other_portal,
            side(portal.flags, "outdoors"),
            cells.join(" ")
        ));
    }
}

fn object(object: &PlacedObject) -> String {
    format!("{} at {}", object.model, frame(&object.frame))
}

fn side(portal: PortalFlags, owner: &str) -> String {
    let side = if portal.owner_is_positive() { "in front of" } else { "behind" };
    let exact = if portal.is_exact() { ", exact" } else { "" };
    format!("{owner} {side} the polygon{exact}")
}

pub(super) fn env_cell(sheet: &mut Sheet, id: DatId, cell: &EnvCell) {
    const FLAGS: [(u32, &str); 4] =
        [(1, "sees outside"), (2, "has objects"), (4, "server data"), (8, "restricted")];
    sheet.row("flags", flags(cell.flags, &FLAGS));
    sheet.row("shape", format!("{} structure {}", cell.environment_id(), cell.structure));
    sheet.row("placed at", frame(&cell.frame));
    sheet.inline("surfaces", &cell.surfaces, |number| format!("0x0800{number:04X}"));
    sheet.row("portals", cell.portals.len());
    for (index, portal) in cell.portals.iter().enumerate() {
        sheet.item(cell_portal(index, id, portal));
    }
    sheet.inline("visible cells", &cell.visible_cells, |number| format!("{number:04X}"));
    sheet.list("objects", &cell.statics, object);
    if let Some(house) = cell.restriction {
        sheet.row("guarded by", format!("{house:#010x}"));
    }
}

fn cell_portal(index: usize, id: DatId, portal: &CellPortal) -> String {
    let target = if portal.is_exit() {
        "outdoors".to_owned()
    } else {
        format!("{} portal {}", cell_id(id, portal.other_cell), portal.other_portal)
    };
    format!("{index}: polygon {} → {target}, {}", portal.polygon, side(portal.flags, "cell"))
}
