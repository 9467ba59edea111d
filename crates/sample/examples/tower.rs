//! Builds a tower of rooms on top of each other and writes it as dat files that any reader can open.
//!
//! `cargo run -p threshold-sample --example tower -- DIR`

use glam::DVec3;
use std::{error::Error, fs, path::PathBuf};
use threshold_dat::records::PixelFormat;
use threshold_sample::{
    Blend, Mesh, Sample, WorldBuilder,
    geom::Convex,
    plan::{Finish, Plan},
    texture::Image,
};
use threshold_world::BlockId;

const BLOCK: BlockId = BlockId(0x8080);
const FLOORS: u32 = 3;
const HEIGHT: f64 = 3.0;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("usage: tower DIR")?);
    let mut world = WorldBuilder::new(BLOCK);
    let stone = world
        .materials
        .texture(PixelFormat::R5G6B5, || Image::from_fn(16, 16, |u, v| [0.5 + 0.1 * (u - v), 0.5, 0.5, 1.0]));
    let stone = world.materials.image(stone, 2.0, Blend::Opaque, 0.0);
    world.land(BLOCK, |_, _| Sample { height: 20, kind: 1, ..Sample::default() });

    // Rooms that meet over their whole floor: what is above is seen and fallen through.
    let finish = Finish { floor: stone, wall: stone, ceiling: stone };
    let mut plan = Plan::default();
    let mut below = None;
    for floor in 0..FLOORS {
        let base = 0.2 + f64::from(floor) * HEIGHT;
        let corner = DVec3::new(3.0, 3.0, base + HEIGHT);
        let room = plan.block(format!("floor {floor}"), DVec3::new(-3.0, -3.0, base), corner, finish);
        if let Some(below) = below.replace(room) {
            plan.join(below, room)?;
        } else {
            let door = plan.block("door", DVec3::new(-0.8, -3.4, 0.2), DVec3::new(0.8, -3.0, 2.5), finish);
            plan.join(room, door)?;
            plan.exit(door, -DVec3::Y, true)?;
        }
    }
    let mut shell = Mesh::default();
    let top = 0.6 + f64::from(FLOORS) * HEIGHT;
    shell.solid(Convex::block(DVec3::new(-3.4, -3.4, -0.5), DVec3::new(3.4, 3.4, top), stone));
    let tower = world.blueprint("tower", plan, shell)?;
    let at = world.outdoors((96.0, 96.0).into(), 0.0, 0.0);
    world.building(&tower, at)?;

    let store = world.finish()?;
    fs::create_dir_all(&folder)?;
    fs::write(folder.join("client_portal.dat"), store.portal_file()?)?;
    fs::write(folder.join("client_cell_1.dat"), store.cell_file()?)?;
    println!(
        "written; `threshold check --dats {0}` and `threshold map --dats {0} --out tower.png`",
        folder.display()
    );
    Ok(())
}
