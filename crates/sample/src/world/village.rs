//! The village: street, houses, people.

use super::{
    DOOR_CLOSED, LIVING, PASSABLE, Roll, SOLID_THING, cottage, people::People, props::Props, scenery::Plants,
    skins::Skins,
};
use crate::{
    builder::WorldBuilder,
    error::BuildError,
    gazetteer::{EntityKind, PlaceKind},
};
use glam::{DVec2, DVec3};
use threshold_dat::DatId;

/// What the village is made of.
pub(super) struct Stock<'a> {
    pub(super) skins: &'a Skins,
    pub(super) props: &'a Props,
    pub(super) plants: &'a Plants,
    pub(super) people: &'a People,
    pub(super) door: DatId,
}

pub(super) fn build(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    build_cottage(world, stock, roll)?;
    let Stock { props, plants, people, .. } = stock;
    let at = DVec2::new;
    for (i, x) in [24.0, 60.0, 96.0, 132.0, 168.0].into_iter().enumerate() {
        let side = if i % 2 == 0 { 6.0 } else { -6.0 };
        world.object(props.lamp_post, at(x, 96.0 + side), 0.0, 0.0);
    }
    world.object(props.way_sign, at(178.0, 102.5), 0.0, 0.0);
    world.object(props.obelisk, at(132.0, 84.0), 0.0, 0.0);
    world.object(props.inn_sign, at(60.0, 104.0), 2.8, 0.0);
    world.object(props.well, at(84.0, 84.0), 0.0, 20.0);
    for i in 0..4 {
        world.object(props.fence, at(50.5 + 3.0 * f64::from(i), 119.0), 0.0, 0.0);
    }
    for (tree, x, y) in [
        (plants.oak, 76.0, 84.0),
        (plants.oak, 92.0, 78.0),
        (plants.fir, 50.0, 118.0),
        (plants.bush, 69.0, 103.0),
    ] {
        world.object(tree, at(x, y), 0.0, x * 7.0 % 360.0);
    }
    roll.entity(
        EntityKind::Person,
        "Miller",
        people.villager,
        world.outdoors(at(88.0, 92.0), 0.005, 200.0),
        LIVING,
    );
    roll.entity(
        EntityKind::Creature,
        "Boar",
        people.boar,
        world.outdoors(at(120.0, 60.0), 0.005, 40.0),
        LIVING,
    );
    roll.entity(
        EntityKind::Portal,
        "Portal",
        props.portal,
        world.outdoors(at(84.0, 120.0), 0.0, 0.0),
        PASSABLE,
    );
    roll.place("Village Green", PlaceKind::Outdoors, world.outdoors(at(84.0, 90.0), 0.005, 0.0));
    roll.place("Village Street", PlaceKind::Outdoors, world.outdoors(at(60.0, 97.0), 0.005, 0.0));
    Ok(())
}

fn build_cottage(world: &mut WorldBuilder, stock: &Stock<'_>, roll: &mut Roll) -> Result<(), BuildError> {
    let home = cottage::cottage(stock.skins, stock.props, &world.materials)?;
    let at = world.outdoors(DVec2::new(60.0, 109.0), 0.0, 0.0);
    let placed = world.building("cottage", &home.plan, home.shell, at)?;
    let spot = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let door = placed.position(home.doorway, spot(0.0, -4.8, 0.25), 0.0);
    roll.entity(EntityKind::Door, "Cottage Door", stock.door, door, DOOR_CLOSED);
    let chest = placed.position(home.cellar, spot(-1.5, -2.4, -2.75), 0.0);
    roll.entity(EntityKind::Chest, "Cellar Chest", stock.props.chest, chest, SOLID_THING);
    for (name, room, at, heading) in [
        ("Cottage Vestibule", home.vestibule, spot(0.0, -3.7, 0.255), 0.0),
        ("Cottage Living Room", home.main, spot(-1.0, 1.0, 0.255), 90.0),
        ("Cottage Cellar Stairs", home.cellar_stairs, spot(-4.75, 2.2, -2.745), 90.0),
        ("Cottage Cellar", home.cellar, spot(-2.0, 1.5, -2.745), 90.0),
        ("Cottage Upstairs", home.upstairs, spot(-2.0, 0.0, 3.255), 180.0),
        ("Cottage Window", home.upstairs, spot(-3.0, -3.9, 3.255), 180.0),
        ("Cottage Bedroom", home.bedroom, spot(3.0, 0.0, 3.255), 90.0),
    ] {
        roll.place(name, PlaceKind::Interior, placed.position(room, at, heading));
    }
    roll.place("Cottage Door", PlaceKind::Outdoors, world.outdoors(DVec2::new(60.0, 101.5), 0.005, 0.0));
    Ok(())
}
