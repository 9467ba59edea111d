//! The village and what lies around it: houses, street, tower, cave, people.

use super::{
    LIVING, PASSABLE, Roll, SOLID_MESH, SOLID_THING,
    bridge::{HALF_LENGTH, bridge},
    cave, cottage, dungeon, ferry_house, inn, life,
    people::People,
    props::Props,
    scenery::Plants,
    skins::Skins,
    tower,
};
use crate::{
    builder::{PlacedPlan, WorldBuilder},
    error::BuildError,
    land::Sample,
    plan::RoomId,
};
use glam::{DVec2, DVec3};
use threshold_dat::DatId;
use threshold_world::{
    Frame,
    placed::{ObjectKind, PlaceKind},
};

/// What the world is made of.
pub(super) struct Stock<'a> {
    pub(super) skins: &'a Skins,
    pub(super) props: &'a Props,
    pub(super) plants: &'a Plants,
    pub(super) people: &'a People,
    pub(super) door: DatId,
}

/// Middle of the river where the road crosses it.
const CROSSING: DVec2 = DVec2::new(264.0, 96.0);

pub(super) fn build(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    cottages(world, stock, roll)?;
    build_inn(world, stock, roll)?;
    build_ferry_house(world, stock, roll)?;
    build_bridge(world, stock, roll)?;
    build_tower(world, stock, roll)?;
    let portal = build_cave(world, stock, roll)?;
    build_dungeon(world, stock, roll, portal)?;
    street(world, stock, roll);
    life::build(world, stock, roll);
    Ok(())
}

/// Adds a list of named places in the rooms of a building.
fn places(roll: &mut Roll, placed: &PlacedPlan, kind: PlaceKind, list: &[(&str, RoomId, DVec3, f64)]) {
    for &(name, room, at, heading) in list {
        roll.place(name, kind, placed.position(room, at + DVec3::Z * 0.005, heading));
    }
}

fn spot(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

fn cottages(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let home = cottage::cottage(stock.skins, stock.props, &world.materials)?;
    let cottage::Cottage { doorway, cellar, .. } = home;
    let blueprint = world.blueprint("cottage", home.plan, home.shell)?;
    // The one of the tour, one turned by an odd angle, one across the street.
    for (i, (x, y, heading, name)) in [
        (60.0, 109.0, 0.0, "Cottage"),
        (36.0, 81.5, 145.0, "Crooked Cottage"),
        (132.0, 83.0, 180.0, "South Cottage"),
    ]
    .into_iter()
    .enumerate()
    {
        let at = world.outdoors(DVec2::new(x, y), 0.0, heading);
        let placed = world.building(&blueprint, at)?;
        let door = placed.position(doorway, spot(0.0, -4.8, 0.25), 0.0);
        roll.entity(ObjectKind::Door, &format!("{name} Door"), stock.door, door, SOLID_MESH);
        let chest = placed.position(cellar, spot(-1.5, -2.4, -2.75), 0.0);
        roll.entity(ObjectKind::Chest, &format!("{name} Chest"), stock.props.chest, chest, SOLID_THING);
        let rim = DVec3::new(4.4, 3.9, 9.42).as_vec3();
        world.object_at(stock.props.smoke, at.cell.block(), at.frame.compose(&Frame::at(rim)));
        if i == 1 {
            places(
                roll,
                &placed,
                PlaceKind::Interior,
                &[("Crooked Cottage", home.main, spot(-1.0, 1.0, 0.25), 90.0)],
            );
        }
        if i > 0 {
            continue;
        }
        places(
            roll,
            &placed,
            PlaceKind::Interior,
            &[
                ("Cottage Vestibule", home.vestibule, spot(0.0, -3.7, 0.25), 0.0),
                ("Cottage Living Room", home.main, spot(-1.0, 1.0, 0.25), 90.0),
                ("Cottage Cellar Stairs", home.cellar_stairs, spot(-4.5, 2.65, -2.75), 90.0),
                ("Cottage Cellar", home.cellar, spot(-2.0, 1.5, -2.75), 90.0),
                ("Cottage Upstairs", home.upstairs, spot(-2.0, 0.0, 3.25), 180.0),
                ("Cottage Window", home.upstairs, spot(-3.0, -3.9, 3.25), 180.0),
                ("Cottage Bedroom", home.bedroom, spot(3.0, 0.0, 3.25), 90.0),
            ],
        );
        for (name, y) in [("Cottage Door", 102.0), ("Cottage Path", 100.0)] {
            roll.place(name, PlaceKind::Outdoors, world.outdoors(DVec2::new(60.0, y), 0.005, 0.0));
        }
    }
    Ok(())
}

fn build_inn(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let house = inn::inn(stock.skins, stock.props, &world.materials)?;
    let inn::Inn { doorway, yard_door, common, kitchen, corridor, guest_room, .. } = house;
    let blueprint = world.blueprint("inn", house.plan, house.shell)?;
    let at = DVec2::new(108.0, 109.5);
    let place = world.outdoors(at, 0.0, 0.0);
    let placed = world.building(&blueprint, place)?;
    for (name, room, x, y) in
        [("Inn Door", doorway, inn::DOOR_X, -5.8), ("Inn Yard Door", yard_door, inn::YARD_DOOR_X, 5.8)]
    {
        roll.entity(
            ObjectKind::Door,
            name,
            stock.door,
            placed.position(room, spot(x, y, 0.25), 0.0),
            SOLID_MESH,
        );
    }
    let keeper = placed.position(common, spot(0.42, 4.2, 0.255), 180.0);
    roll.entity(ObjectKind::Person, "Innkeeper", stock.people.villager, keeper, LIVING);
    places(
        roll,
        &placed,
        PlaceKind::Interior,
        &[
            ("Inn Common Room", common, spot(-3.0, -2.0, 0.25), 0.0),
            ("Inn Kitchen", kitchen, spot(6.0, -2.6, 0.25), 270.0),
            ("Inn Corridor", corridor, spot(0.0, 0.0, 3.25), 90.0),
            ("Inn Guest Room", guest_room, spot(0.0, -3.0, 3.25), 180.0),
        ],
    );
    for rim in [DVec3::new(-3.2, 4.6, 10.22), DVec3::new(7.9, -4.3, 9.02)] {
        world.object_at(
            stock.props.smoke,
            place.cell.block(),
            place.frame.compose(&Frame::at(rim.as_vec3())),
        );
    }
    let sign = at + DVec2::new(inn::DOOR_X + 1.6, -6.0);
    world.object(stock.props.inn_sign, sign, 3.1, 0.0);
    roll.place(
        "Inn Door",
        PlaceKind::Outdoors,
        world.outdoors(at + DVec2::new(inn::DOOR_X, -8.0), 0.005, 0.0),
    );
    Ok(())
}

fn build_ferry_house(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let at = DVec2::new(189.5, 82.5);
    let border = 192.0 - at.x;
    let house = ferry_house::ferry_house(stock.skins, stock.props, &world.materials, border)?;
    let ferry_house::FerryHouse { doorway, west, east, .. } = house;
    let overhang = world.mesh(&house.overhang)?;
    let blueprint = world.blueprint("ferry house", house.plan, house.shell)?;
    let place = world.outdoors(at, 0.0, 0.0);
    let placed = world.building(&blueprint, place)?;
    world.object(overhang, at, 0.0, 0.0);
    let door = placed.position(doorway, spot(ferry_house::DOOR_X, 3.8, 0.25), 180.0);
    roll.entity(ObjectKind::Door, "Ferry House Door", stock.door, door, SOLID_MESH);
    places(
        roll,
        &placed,
        PlaceKind::Interior,
        &[
            ("Ferry House West Room", west, spot(-2.6, 1.0, 0.25), 90.0),
            ("Ferry House East Room", east, spot(3.4, 1.0, 0.25), 270.0),
        ],
    );
    let step = at + DVec2::new(ferry_house::DOOR_X, 6.4);
    roll.place("Ferry House Door", PlaceKind::Outdoors, world.outdoors(step, 0.005, 180.0));
    Ok(())
}

fn build_bridge(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let end = |side: f64| world.height(CROSSING + DVec2::X * (side * HALF_LENGTH));
    let (west, east) = (end(-1.0), end(1.0));
    let crown = west.max(east) + 1.6;
    let mesh = bridge(stock.skins, west, crown, east);
    let model = world.mesh(&mesh)?;
    // Heights in the mesh are absolute.
    let place = world.outdoors(CROSSING, 0.0, 0.0);
    let origin = place.frame.origin.with_z(0.0);
    world.object_at(model, place.cell.block(), Frame::at(origin));
    for (name, x) in [("Bridge West End", -HALF_LENGTH - 3.0), ("Bridge East End", HALF_LENGTH + 3.0)] {
        roll.place(name, PlaceKind::Outdoors, world.outdoors(CROSSING + DVec2::new(x, 1.5), 0.005, 90.0));
    }
    Ok(())
}

fn build_tower(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let keep = tower::tower(stock.skins, stock.props, &world.materials)?;
    let tower::Tower { doorway, ground, lookout, .. } = keep;
    let blueprint = world.blueprint("tower", keep.plan, keep.shell)?;
    let at = DVec2::new(324.0, 110.0);
    let place = world.outdoors(at, 0.0, 0.0);
    let placed = world.building(&blueprint, place)?;
    let door = placed.position(doorway, spot(0.0, -4.53, 0.25), 0.0);
    roll.entity(ObjectKind::Door, "Tower Door", stock.door, door, SOLID_MESH);
    places(
        roll,
        &placed,
        PlaceKind::Interior,
        &[
            ("Tower Ground Floor", ground, spot(1.0, -2.8, 0.25), 0.0),
            ("Tower Lookout", lookout, spot(2.0, 2.0, 9.85), 270.0),
        ],
    );
    roll.place("Tower Door", PlaceKind::Outdoors, world.outdoors(at + DVec2::new(0.0, -7.5), 0.005, 0.0));
    Ok(())
}

/// The cave; returns where the portal to the dungeon stands.
fn build_cave(
    world: &mut WorldBuilder,
    stock: &Stock<'_>,
    roll: &mut Roll,
) -> Result<threshold_world::Position, BuildError> {
    let hollow = cave::cave(stock.skins, stock.props)?;
    let cave::Cave { mouth, slope, chamber, shrine, .. } = hollow;
    let blueprint = world.blueprint("cave", hollow.plan, hollow.shell)?;
    let at = DVec2::new(300.0, 276.0);
    let place = world.outdoors(at, 0.0, 0.0);
    let placed = world.building(&blueprint, place)?;
    places(
        roll,
        &placed,
        PlaceKind::Interior,
        &[
            ("Cave Mouth", mouth, spot(0.0, -6.2, 0.2), 0.0),
            ("Cave Slope", slope, spot(0.0, 3.0, -2.3), 0.0),
            ("Cave Chamber", chamber, spot(1.0, 12.0, -4.8), 0.0),
            ("Cave Shrine", shrine, spot(13.0, 18.0, -4.8), 0.0),
        ],
    );
    roll.place("Cave Entrance", PlaceKind::Outdoors, world.outdoors(at + DVec2::new(0.0, -10.0), 0.005, 0.0));
    let boar = placed.position(chamber, spot(-3.4, 15.0, -4.795), 140.0);
    roll.entity(ObjectKind::Creature, "Cave Boar", stock.people.boar, boar, LIVING);
    Ok(placed.position(shrine, cave::PORTAL + DVec3::Z * 0.25, 0.0))
}

fn build_dungeon(
    world: &mut WorldBuilder,
    stock: &Stock<'_>,
    roll: &mut Roll,
    portal: threshold_world::Position,
) -> Result<(), BuildError> {
    world.land(dungeon::BLOCK, |_, _| Sample::default());
    let maze = dungeon::dungeon(stock.skins, stock.props)?;
    let placed = world.interior(dungeon::BLOCK, &maze.plan, Frame::at(dungeon::ORIGIN.as_vec3()))?;
    let floor = |room: RoomId| {
        let (low, high) = maze.plan.rooms()[room.index()].volume.bounds();
        ((low + high) / 2.0).with_z(low.z)
    };
    let arrival = placed.position(maze.entrance, floor(maze.entrance) + DVec3::Z * 0.005, 0.0);
    roll.portal("Portal to the Dungeon", stock.props.portal, portal, PASSABLE, arrival);
    let back = placed.position(maze.entrance, floor(maze.entrance) + DVec3::new(-1.8, 2.0, 0.0), 0.0);
    let mut exit = portal;
    exit.frame.origin -= glam::Vec3::new(0.0, 4.0, 0.25);
    roll.portal("Portal to the Cave", stock.props.portal, back, PASSABLE, exit);
    places(
        roll,
        &placed,
        PlaceKind::Dungeon,
        &[
            ("Dungeon Entrance", maze.entrance, floor(maze.entrance), 0.0),
            ("Dungeon Great Hall", maze.hall, floor(maze.hall) + DVec3::new(-6.0, -6.0, 0.0), 45.0),
            ("Dungeon Ramp", maze.ramp, floor(maze.ramp).with_z(-13.5), 90.0),
            ("Dungeon Below the Pit", maze.pit, floor(maze.pit), 0.0),
            ("Dungeon Depths", maze.deepest, floor(maze.deepest), 0.0),
        ],
    );
    for (i, (room, at)) in maze.treasures.iter().enumerate() {
        let place = placed.position(*room, *at, 45.0);
        roll.entity(
            ObjectKind::Chest,
            &format!("Dungeon Chest {}", i + 1),
            stock.props.chest,
            place,
            SOLID_THING,
        );
    }
    for (i, (room, at)) in maze.lairs.iter().enumerate() {
        let place = placed.position(*room, *at + DVec3::Z * 0.005, 45.0);
        roll.entity(
            ObjectKind::Creature,
            &format!("Dungeon Boar {}", i + 1),
            stock.people.boar,
            place,
            LIVING,
        );
    }
    Ok(())
}

fn street(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) {
    let Stock { props, plants, people, .. } = stock;
    let at = DVec2::new;
    for (i, x) in [12.0, 48.0, 84.0, 120.0, 156.0, 204.0].into_iter().enumerate() {
        let side = if i % 2 == 0 { 6.2 } else { -6.2 };
        world.object(props.lamp_post, at(x, 96.0 + side), 0.0, 0.0);
        world.object(props.lamplight, at(x, 96.0 + side), 0.0, 0.0);
    }
    for (name, x, y, heading) in
        [("Signpost at the Bridge", 212.0, 102.5, 0.0), ("Signpost on the Hill", 281.5, 181.0, 90.0)]
    {
        roll.entity(
            ObjectKind::Sign,
            name,
            props.way_sign,
            world.outdoors(at(x, y), 0.0, heading),
            SOLID_MESH,
        );
    }
    world.object(props.well, at(84.0, 84.0), 0.0, 20.0);
    world.object(props.obelisk, at(84.0, 60.0), 0.0, 0.0);
    // A garden behind the cottage.
    for i in 0..5 {
        world.object(props.fence, at(54.0 + 3.0 * f64::from(i), 127.0), 0.0, 0.0);
    }
    for i in 0..3 {
        world.object(props.fence, at(52.5, 118.5 + 3.0 * f64::from(i)), 0.0, 90.0);
        world.object(props.fence, at(67.5, 118.5 + 3.0 * f64::from(i)), 0.0, 90.0);
    }
    for (tree, x, y) in [
        (plants.oak, 78.0, 78.0),
        (plants.oak, 92.0, 74.0),
        (plants.oak, 20.0, 112.0),
        (plants.oak, 150.0, 112.0),
        (plants.oak, 168.0, 118.0),
        (plants.fir, 50.0, 132.0),
        (plants.fir, 124.0, 128.0),
        (plants.fir, 10.0, 76.0),
        (plants.bush, 69.0, 104.0),
        (plants.bush, 51.0, 104.5),
        (plants.bush, 121.0, 103.5),
        (plants.bush, 56.0, 124.0),
        (plants.bush, 64.0, 124.5),
    ] {
        world.object(tree, at(x, y), 0.0, x * 7.0 % 360.0);
    }
    for (x, y) in [(70.5, 112.0), (70.8, 110.9)] {
        world.object(props.barrel, at(x, y), 0.0, x);
    }
    world.object(props.crate_box, at(98.0, 113.0), 0.0, 10.0);
    world.object(props.bench, at(84.0, 87.5), 0.0, 0.0);
    for (name, x, y, heading) in [("Miller", 88.0, 92.0, 200.0), ("Fisher", 206.0, 91.0, 100.0)] {
        roll.entity(
            ObjectKind::Person,
            name,
            people.villager,
            world.outdoors(at(x, y), 0.005, heading),
            LIVING,
        );
    }
    for (i, (x, y)) in [(120.0, 50.0), (20.0, 150.0), (380.0, 150.0)].into_iter().enumerate() {
        let place = world.outdoors(at(x, y), 0.005, 40.0 + 60.0 * i as f64);
        roll.entity(ObjectKind::Creature, &format!("Boar {}", i + 1), people.boar, place, LIVING);
    }
    for (name, x, y, heading) in [
        ("Village Green", 84.0, 90.0, 0.0),
        ("Village Street", 60.0, 97.5, 90.0),
        ("Western Road", -20.0, 97.5, 90.0),
        ("Landblock Border", 190.0, 97.5, 90.0),
        ("Hill Road", 289.5, 190.0, 0.0),
    ] {
        roll.place(name, PlaceKind::Outdoors, world.outdoors(at(x, y), 0.005, heading));
    }
}
