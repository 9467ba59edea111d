mod support;
use std::path::Path;
use support::*;

fn cpu() -> u64 {
    let s = std::fs::read_to_string("/proc/self/stat").unwrap();
    let w: Vec<&str> = s.rsplit(')').next().unwrap().split_whitespace().collect();
    w[11].parse::<u64>().unwrap()
}

#[test]
#[ignore]
fn look() {
    let dir = std::env::var("LOOK_DIR").unwrap();
    let shots = std::env::var("LOOK_SHOTS").unwrap();
    let out = std::env::var("LOOK_OUT").unwrap();
    let reps: u32 = std::env::var("LOOK_REPS").map_or(0, |s| s.parse().unwrap());
    let c = cpu();
    let mut studio = Studio::open(Path::new(&dir));
    if let Ok(f) = std::env::var("LOOK_TIME") {
        let (d, f) = f.split_once(':').unwrap();
        let m =
            threshold_render::sky::Moment { year: 10, day: d.parse().unwrap(), fraction: f.parse().unwrap() };
        studio.atmosphere =
            threshold_render::frame::Atmosphere::of(studio.assets.terrain.region().map(|r| &**r), m, 0.0);
    }
    for _ in 0..60 {
        studio.stage.advance(&mut studio.assets, 0.1);
    }
    println!("open cpu {} ms", (cpu() - c) * 10);
    for (i, line) in shots.split(';').enumerate() {
        let w: Vec<&str> = line.split_whitespace().collect();
        let f = |i: usize| w[i].parse::<f32>().unwrap();
        let shot = Shot {
            cell: u32::from_str_radix(w[0], 16).unwrap(),
            eye: [f(1), f(2), f(3)],
            yaw: f(4),
            pitch: f(5),
        };
        let c = cpu();
        let mut r = studio.picture(&shot, 960, 540);
        let first = cpu() - c;
        if reps > 0 {
            let c = cpu();
            for _ in 0..reps {
                studio.prepare(&shot, 960, 540);
            }
            let prep = cpu() - c;
            let c = cpu();
            for _ in 0..reps {
                r.draw(studio.builder.list(), &studio.assets);
            }
            println!(
                "cpu ms: first {} prepare {:.1} draw {:.1}",
                first * 10,
                prep as f32 * 10.0 / reps as f32,
                (cpu() - c) as f32 * 10.0 / reps as f32
            );
        }
        println!(
            "{i}: items {} tris {} cells {} problems {:?}",
            studio.builder.list().items.len(),
            studio.builder.list().triangle_count(),
            studio.plan.cells.len(),
            studio.assets.take_problems().iter().take(5).map(|p| p.to_string()).collect::<Vec<_>>()
        );
        let mut rgba = Vec::new();
        r.picture().copy_rgba(&mut rgba);
        write_png(Path::new(&format!("{out}-{i}.png")), 960, 540, &rgba);
    }
}
