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
    for (a, b) in [("0x8080001D [93.889084 106.199402 20.004999]", "0x8080000D [35.889084 119.552956 20.004999]"), ("0x80800108 [59.204769 110.039955 23.254999]", "0x80800121 [33.849861 77.973267 23.254999]")] {
        let request = Request { from: a.parse().unwrap(), to: b.parse().unwrap(), policy: &policy, prove: true };
        let route = nav.find(&around, &request).unwrap().unwrap();
        let mut body = ground.body();
        body.put_down(&route.waypoints[0]).unwrap();
        for w in &route.waypoints[1..] {
            let d = body.walk_to(w, 0.11);
            let e = body.probe.entity();
            println!("ROUTE {w} -> {d} at {} {:?} slide {}", e.position, e.transient, e.sliding_normal);
        }
    }
    threshold_nav::debug_nodes(&around, &ground.player(), BlockId(0x8080), Vec3::new(100.0, 107.5, 20.4), Vec3::new(106.0, 111.5, 23.2));
}
