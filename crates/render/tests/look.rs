mod support;
use std::path::Path;
use support::*;

#[test]
#[ignore]
fn look() {
    let dir = std::env::var("LOOK_DIR").unwrap();
    let shots = std::env::var("LOOK_SHOTS").unwrap();
    let out = std::env::var("LOOK_OUT").unwrap();
    let mut studio = Studio::open(Path::new(&dir));
    for (i, line) in shots.split(';').enumerate() {
        let w: Vec<&str> = line.split_whitespace().collect();
        let f = |i: usize| w[i].parse::<f32>().unwrap();
        let shot = Shot {
            cell: u32::from_str_radix(w[0], 16).unwrap(),
            eye: [f(1), f(2), f(3)],
            yaw: f(4),
            pitch: f(5),
        };
        let t = std::time::Instant::now();
        let mut r = studio.picture(&shot, 960, 540);
        let first = t.elapsed();
        let t = std::time::Instant::now();
        for _ in 0..20 {
            studio.prepare(&shot, 960, 540);
        }
        let prep = t.elapsed() / 20;
        let t2 = std::time::Instant::now();
        for _ in 0..20 {
            r.draw(studio.builder.list(), &studio.assets);
        }
        println!("first {first:?} prepare {prep:?} draw {:?}", t2.elapsed() / 20);
        println!(
            "{i}: {:?} items {} tris {} cells {} problems {:?}",
            t.elapsed(),
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
