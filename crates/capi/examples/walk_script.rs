//! Plays a walk script and prints the state hashes: the reference for the other languages' bindings.
//!
//! `cargo run -p threshold-capi --example walk_script bindings/walk/cottage.txt`

use std::{env, error::Error, fs};
use threshold_sim::{Controls, EntityKey, Simulation};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("usage: walk_script SCRIPT.txt")?;
    let mut sim = Simulation::sample()?;
    let mut player = None;
    for line in fs::read_to_string(path)?.lines().filter(|line| !line.starts_with('#')) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let me = || player.ok_or("nobody has been spawned");
        match command {
            "spawn" => player = Some(spawn(&mut sim, rest)?),
            "use" => {
                let object = sim.find_by_name(rest).ok_or("no such object")?;
                sim.use_object(object)?;
            }
            "look" => {
                let (right, up) = rest.split_once(' ').ok_or("look RIGHT UP")?;
                sim.look(me()?, right.parse()?, up.parse()?)?;
            }
            "keys" => sim.control(me()?, controls(rest.parse()?))?,
            "ticks" => {
                for _ in 0..rest.parse()? {
                    sim.tick()?;
                }
            }
            "hash" => println!("{:016x}", sim.state_hash()),
            _ => return Err(format!("what is '{line}'?").into()),
        }
    }
    Ok(())
}

fn spawn(sim: &mut Simulation, name: &str) -> Result<EntityKey, Box<dyn Error>> {
    let place = sim.places().iter().find(|place| place.name == name).ok_or("no such place")?.position;
    Ok(sim.spawn_player(place)?)
}

fn controls(bits: u32) -> Controls {
    let held = |bit: u32| bits >> bit & 1 == 1;
    Controls {
        forward: held(0),
        back: held(1),
        left: held(2),
        right: held(3),
        turn_left: held(4),
        turn_right: held(5),
        toggle_run: held(6),
        jump: held(7),
    }
}
