mod support;
use support::{Doors, Ground};
use glam::Vec3;
use threshold_world::BlockId;
use threshold_nav::*;
#[test]
fn dump() {
    let ground = Ground::sample(Doors::Open);
    let is_door = ground.is_door();
    let around = ground.around(&is_door);
    let nav = Nav::new(ground.player());
    let policy = Policy::default();
    for (a, b) in [("0x80800161 [113.768852 110.682724 23.254999]", "0x80800148 [99.915298 108.975632 20.254999]"),
       ("0x8080000C [35.144012 93.936050 20.004999]", "0x80800024 [115.144012 89.936050 20.004999]"),
       ("0x8080001A [74.956161 27.619688 20.004999]", "0x80800016 [52.072289 126.796463 20.783783]"),
    ] {
      for prove in [false, true] {
        let request = Request { from: a.parse().unwrap(), to: b.parse().unwrap(), policy: &policy, prove };
        let route = match nav.find(&around, &request).unwrap() { Ok(r) => r, Err(e) => { println!("ROUTE {e:?} marked {}", nav.marked()); continue } };
        let mut body = ground.body();
        body.put_down(&route.waypoints[0]).unwrap();
        println!("ROUTE {} legs", route.waypoints.len());
        for w in &route.waypoints[1..] {
            let d = body.walk_to(w, ground.player().pace / 30.0);
            let e = body.probe.entity();
            println!("ROUTE {w} -> {d} at {} {:?} slide {}", e.position, e.transient, e.sliding_normal);
        }
      }
    }
    threshold_nav::debug_nodes(&around, &ground.player(), BlockId(0x8080), Vec3::new(100.5, 107.5, 21.4), Vec3::new(106.0, 111.5, 23.6));
}
