//! A world with one hut on flat ground, from nothing to dat files that every tool of the game can open.
//!
//! `cargo run -p threshold-sample --example one_room -- world && threshold map --dats world --out hut.png`

use glam::DVec3;
use std::{env, error::Error, fs, path::PathBuf};
use threshold_dat::records::PixelFormat;
use threshold_sample::{
    Blend, Mesh, Sample, WorldBuilder,
    geom::Convex,
    plan::{Finish, Plan},
    texture::Image,
};
use threshold_world::BlockId;

fn main() -> Result<(), Box<dyn Error>> {
    let dir = PathBuf::from(env::args_os().nth(1).ok_or("usage: one_room DIR")?);
    let mut world = WorldBuilder::new(BlockId(0x8080));
    let wood = || Image::from_fn(8, 8, |u, _| [0.4 + 0.2 * u, 0.3, 0.2, 1.0]);
    let wood = world.materials.texture(PixelFormat::R5G6B5, wood);
    let wood = world.materials.image(wood, 1.0, Blend::Opaque, 0.0);
    let look = Finish { floor: wood, wall: wood, ceiling: wood };
    world.land(BlockId(0x8080), |_, _| Sample { height: 20, kind: 1, ..Sample::default() });

    // A room, and a doorway as deep as the wall is thick; its outer side is the way out.
    let mut plan = Plan::default();
    let room = plan.block("room", DVec3::new(-3.0, -3.0, 0.2), DVec3::new(3.0, 3.0, 3.0), look);
    let door = plan.block("door", DVec3::new(-0.8, -3.4, 0.2), DVec3::new(0.8, -3.0, 2.5), look);
    plan.join(room, door)?;
    plan.exit(door, -DVec3::Y, true)?;

    // The shell is solid; the builder cuts the exit out of it.
    let mut shell = Mesh::default();
    shell.solid(Convex::block(DVec3::new(-3.4, -3.4, -0.5), DVec3::new(3.4, 3.4, 3.4), wood));
    let hut = world.blueprint("hut", plan, shell)?;
    let at = world.outdoors((36.0, 60.0).into(), 0.0, 0.0);
    let placed = world.building(&hut, at)?;
    println!("the room is cell {}", placed.cell(room));

    let store = world.finish()?;
    fs::create_dir_all(&dir)?;
    fs::write(dir.join("client_portal.dat"), store.portal_file()?)?;
    fs::write(dir.join("client_cell_1.dat"), store.cell_file()?)?;
    println!("written to {}", dir.display());
    Ok(())
}
