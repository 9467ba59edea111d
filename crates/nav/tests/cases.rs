//! Where a body may not go, with numbers: each case is authored so that a person can check it by hand.

mod support;

use support::{Doors, Ground};
use threshold_nav::{
    LegFailure, Nav, Obstruction, Passage, Policy, Request, Route, Unreachable, check_route,
};
use threshold_world::{BlockId, Position, terrain::Terrain};

const BLOCK: BlockId = BlockId(0x8080);

fn find(ground: &Ground, from: &str, to: &str, policy: &Policy) -> Result<Route, Unreachable> {
    answer(ground, Request { from: place(from), to: place(to), policy, prove: true })
}

/// What the mesh alone says: nobody walks the route.
fn find_unproved(ground: &Ground, from: &str, to: &str, policy: &Policy) -> Result<Route, Unreachable> {
    answer(ground, Request { from: place(from), to: place(to), policy, prove: false })
}

fn answer(ground: &Ground, request: Request<'_>) -> Result<Route, Unreachable> {
    let gateway = ground.gateway();
    Nav::new(ground.player()).find(&ground.around(&gateway), &request).expect("an answer")
}

/// Why a body does not come straight from one place to another.
fn walked(ground: &Ground, from: &str, to: &str, policy: &Policy) -> Option<LegFailure> {
    let gateway = ground.gateway();
    let check = check_route(&ground.around(&gateway), &ground.player(), policy, &[place(from), place(to)]);
    check.expect("an answer").expect("room at the start").failure
}

fn place(text: &str) -> Position {
    text.parse().expect("a place")
}

/// On the road in front of a house of the sample village, and in its hall behind a door that is 1.6 m wide.
const ROAD: &str = "0x80800015 [60 97.5 20.01]";
const HALL: &str = "0x80800100 [60 105.2 20.26]";

#[test]
fn a_closed_door_is_passed_only_by_one_who_may_open_it() {
    let ground = Ground::sample(Doors::Shut);
    let route = find(&ground, ROAD, HALL, &Policy::default()).expect("a way");
    assert_eq!(route.doors, [1]);
    let why = find(&ground, ROAD, HALL, &Policy::leaving_doors_shut()).expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
    let locked = Policy::default().locked([1].into());
    assert_eq!(find(&ground, ROAD, HALL, &locked).expect_err("no way").why, Obstruction::RegionEnds);
    // The same straight line holds for one and breaks at the door for the other.
    let places: Vec<Position> = [ROAD, HALL].iter().map(|text| text.parse().expect("a place")).collect();
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let walk = |policy: &Policy| {
        check_route(&around, &ground.player(), policy, &places)
            .expect("an answer")
            .expect("room at the start")
    };
    assert_eq!(walk(&Policy::default()).failure, None);
    let stopped = walk(&Policy::leaving_doors_shut());
    assert_eq!(stopped.failure, Some(LegFailure::Door(1)));
    let y = stopped.end.frame.origin.y;
    assert!((103.0..104.2).contains(&y), "the body got to y = {y}; the door stands at 104.2");
}

#[test]
fn an_open_door_is_passed_by_everybody() {
    let ground = Ground::sample(Doors::Open);
    let route = find(&ground, ROAD, HALL, &Policy::leaving_doors_shut()).expect("a way");
    assert!(route.doors.is_empty() && route.proved);
    assert!((7.0..9.5).contains(&route.length), "{} m", route.length);
}

/// Flat ground with a ridge across the block from west to east: the samples in its middle are `rise` metres higher, and the ground rises
/// and falls over 24 m.
fn ridge(rise: f32) -> Ground {
    let heights = std::array::from_fn(|sample| if sample % 9 == 4 { 20.0 + rise } else { 20.0 });
    Ground::bare(BLOCK, Terrain::new(BLOCK, heights, [0; 81]))
}

#[test]
fn a_slope_is_climbed_up_to_the_limit_and_not_beyond() {
    // 24 / sqrt(24² + h²) is 0.664 at h = 27.02.
    let (south, north) = ("0x80800023 [100 60 20.01]", "0x80800026 [100 130 20.01]");
    let route = find(&ridge(26.8), south, north, &Policy::default()).expect("a way over the ridge");
    assert!(route.proved && (69.0..75.0).contains(&route.length), "{} m", route.length);
    let why = find(&ridge(27.2), south, north, &Policy::default()).expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
    let y = why.nearest.frame.origin.y;
    assert!((71.0..72.5).contains(&y), "the region ends at y = {y}; the slope begins at 72");
}

/// A row of posts across the block at y = 96, with one gap of a width around x = 100.3.
fn palisade(gap: f32) -> Ground {
    let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
    let edges = [100.3 - gap / 2.0 - 0.5, 100.3 + gap / 2.0 + 0.5];
    let west = (0..120).map(|k| edges[0] - k as f32).take_while(|&x| x > -1.0);
    let east = (0..120).map(|k| edges[1] + k as f32).take_while(|&x| x < 193.0);
    west.chain(east).filter(|x| (0.0..192.0).contains(x)).for_each(|x| ground.post(x, 96.0));
    ground
}

#[test]
fn a_gap_is_passed_by_a_body_that_fits_and_by_no_wider_one() {
    // The body is 0.96 m wide.
    let (south, north) = ("0x80800024 [110.2 80 20.01]", "0x80800025 [90.7 110 20.01]");
    let route = find(&palisade(1.06), south, north, &Policy::default()).expect("a way through the gap");
    let through =
        route.waypoints.windows(2).find(|leg| leg[0].frame.origin.y < 96.0 && leg[1].frame.origin.y >= 96.0);
    let leg = through.expect("a leg through the posts");
    let (a, b) = (leg[0].frame.origin, leg[1].frame.origin);
    let x = a.x + (b.x - a.x) * (96.0 - a.y) / (b.y - a.y);
    // A body that leans on a post slides along it into the gap, so that the line is not quite its path.
    assert!((x - 100.3).abs() < 0.6, "the way crosses the row at x = {x}");
    let why = find(&palisade(0.9), south, north, &Policy::default()).expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
}

/// Flat ground with a brook across the block from west to east: the samples in its middle are water.
fn brook() -> Ground {
    const WATER: u16 = 0x10 << 2;
    let words = std::array::from_fn(|sample| if sample % 9 == 4 { WATER } else { 0 });
    Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], words))
}

#[test]
fn water_is_waded_through_only_by_one_who_may() {
    let (south, north) = ("0x80800023 [100 60 20.01]", "0x80800026 [100 130 20.01]");
    for find in [find, find_unproved] {
        let route = find(&brook(), south, north, &Policy::default()).expect("a way through the brook");
        assert!((69.0..72.0).contains(&route.length), "{} m", route.length);
        let why = find(&brook(), south, north, &Policy::default().wades(false)).expect_err("no way");
        assert_eq!(why.why, Obstruction::RegionEnds);
        let y = why.nearest.frame.origin.y;
        assert!((70.0..72.5).contains(&y), "the region ends at y = {y}; the water begins at 72");
    }
}

#[test]
fn a_leg_that_ends_on_another_floor_or_before_a_post_fails() {
    let house = Ground::sample(Doors::Open);
    let (down, up) = ("0x80800103 [59 108 20.26]", "0x80800108 [59.2 108 23.26]");
    assert_eq!(walked(&house, down, up, &Policy::default()), Some(LegFailure::OtherLevel));
    let (south, north) = ("0x80800024 [80.5 90 20.01]", "0x80800025 [80.5 102 20.01]");
    assert_eq!(walked(&palisade(1.06), south, north, &Policy::default()), Some(LegFailure::Blocked));
}

#[test]
fn a_way_around_is_found_when_the_straight_one_is_blocked() {
    // The row of posts ends 20 m before the border of the block.
    let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
    (0..172).for_each(|k| ground.post(k as f32 + 0.5, 96.0));
    let route = find(&ground, "0x80800024 [100 90 20.01]", "0x80800025 [100 102 20.01]", &Policy::default())
        .expect("a way around");
    // Around the last post at 171.5: twice sqrt(72.5² + 6²), and a little.
    assert!((144.0..149.0).contains(&route.length), "{} m", route.length);
}

#[test]
fn places_without_room_or_ground_are_named() {
    let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
    ground.post(100.0, 96.0);
    let open = "0x80800024 [110 90 20.01]";
    let post = find(&ground, open, "0x80800025 [100 96 20.01]", &Policy::default()).expect_err("no room");
    assert_eq!(post.why, Obstruction::NoRoomAtGoal);
    let sky = find(&ground, "0x80800024 [110 90 500]", open, &Policy::default()).expect_err("no ground");
    assert_eq!(sky.why, Obstruction::NoRoomAtStart);
}

/// A row of posts without a gap, and south of it a portal at (80, 80) that leads north of it.
fn divided() -> Ground {
    let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
    (0..192).for_each(|k| ground.post(k as f32 + 0.5, 96.0));
    ground.portal(80.0, 80.0, place("0x80800025 [100 116 20.01]"));
    ground
}

#[test]
fn a_portal_is_taken_by_one_who_may_and_by_nobody_else() {
    let (south, north) = ("0x8080001C [90 80 20.01]", "0x80800025 [100 110 20.01]");
    let why = find(&divided(), south, north, &Policy::default()).expect_err("no way");
    assert_eq!(why.why, Obstruction::RegionEnds);
    let takes = Policy::default().takes_portals(true);
    let route = find(&divided(), south, north, &takes).expect("a way");
    let [Passage { portal: 7, waypoint }] = route.passages[..] else { panic!("{:?}", route.passages) };
    let at = |k: u32| route.waypoints[k as usize].frame.origin.truncate();
    assert!(at(waypoint).distance(glam::Vec2::new(80.0, 80.0)) < 1.5, "{} is in the portal", at(waypoint));
    assert!(at(waypoint + 1).distance(glam::Vec2::new(100.0, 116.0)) < 0.01, "{}", at(waypoint + 1));
    // 10 m less the portal's and the body's radius, and 6 m from where it leads.
    assert!(route.proved && (14.0..16.5).contains(&route.length), "{} m", route.length);
    // The same waypoints, walked as somebody else's route.
    let ground = divided();
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let walk = |policy: &Policy| {
        let check = check_route(&around, &ground.player(), policy, &route.waypoints);
        check.expect("an answer").expect("room at the start").failure
    };
    assert_eq!(walk(&takes), None);
    assert_eq!(walk(&Policy::default()), Some(LegFailure::Portal(7)));
}

#[test]
fn what_a_portal_leads_to_is_reached_through_it() {
    let ground = divided();
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let nav = Nav::new(ground.player());
    let reach = |policy: &Policy| {
        let region = nav.reach(&around, &place("0x8080001C [90 80 20.01]"), policy);
        region.expect("an answer").expect("a region").area
    };
    let half = 192.0 * 96.0;
    let (without, with) = (reach(&Policy::default()), reach(&Policy::default().takes_portals(true)));
    assert!((half * 0.95..half).contains(&without), "{without} m²");
    assert!((half * 1.95..half * 2.0).contains(&with), "{with} m²");
}

#[test]
fn a_player_goes_around_a_portal_that_is_in_the_way_and_a_creature_through_it() {
    let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
    ground.portal(100.0, 84.0, place("0x80800025 [100 116 20.01]"));
    let (from, to) = ("0x80800024 [100 78 20.01]", "0x80800024 [100 90 20.01]");
    for find in [find, find_unproved] {
        let route = find(&ground, from, to, &Policy::default()).expect("a way");
        // Around a disc of 1.48 m: 2 × sqrt(36 + 1.48²) at least.
        assert!(route.passages.is_empty() && (12.3..14.5).contains(&route.length), "{} m", route.length);
    }
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let nav = Nav::new(threshold_nav::Agent::creature(ground.player().model, 1.0));
    let policy = Policy::default();
    let request = Request { from: place(from), to: place(to), policy: &policy, prove: true };
    let route = nav.find(&around, &request).expect("an answer").expect("a way");
    assert!((11.9..12.1).contains(&route.length), "{} m", route.length);
}

/// Posts from west to east at y = 96, side by side but for gaps, each from one x to another.
fn row_with_gaps(gaps: &[(f32, f32)]) -> Ground {
    let mut ground = bare();
    let mut x = 0.5;
    while x < 192.0 {
        match gaps.iter().find(|gap| x + 0.5 > gap.0 && x - 0.5 < gap.1) {
            Some(gap) => {
                // The last post before a gap ends where it begins.
                ground.post(gap.0 - 0.5, 96.0);
                x = gap.1 + 0.5;
            }
            None => {
                ground.post(x, 96.0);
                x += 1.0;
            }
        }
    }
    ground
}

fn bare() -> Ground {
    Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]))
}

#[test]
fn a_portal_in_the_only_gap_bars_the_way() {
    let mut ground = row_with_gaps(&[(99.0, 101.0)]);
    ground.portal(100.0, 96.0, place("0x80800025 [100 70 20.01]"));
    let (south, north) = ("0x80800024 [100 80 20.01]", "0x80800025 [100 112 20.01]");
    for find in [find, find_unproved] {
        let why = find(&ground, south, north, &Policy::default()).expect_err("no way");
        assert_eq!(why.why, Obstruction::RegionEnds);
    }
    let gateway = ground.gateway();
    let region = Nav::new(ground.player()).reach(&ground.around(&gateway), &place(south), &Policy::default());
    let area = region.expect("an answer").expect("a region").area;
    assert!((17_500.0..192.0 * 96.0).contains(&area), "{area} m² are more than the southern half");
}

#[test]
fn water_is_gone_around_when_that_is_little_farther() {
    // One sample of water wets the four cells around it, from 72 to 120 both ways.
    const WATER: u16 = 0x10 << 2;
    let words = std::array::from_fn(|sample| if sample == 4 * 9 + 4 { WATER } else { 0 });
    let pond = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], words));
    let length = |x: f32| {
        let (south, north) = (format!("0x8080001B [{x} 60 20.01]"), format!("0x8080001E [{x} 132 20.01]"));
        find_unproved(&pond, &south, &north, &Policy::default()).expect("a way").length
    };
    // 72 m with 48 m of water count as 96 m, and 76.8 m along its shore are less; from the middle it is 101.7 m.
    assert!((74.5..82.0).contains(&length(80.0)), "{} m along the shore", length(80.0));
    assert!((71.9..74.0).contains(&length(95.0)), "{} m through the middle", length(95.0));
}

#[test]
fn a_door_is_left_alone_when_the_way_around_is_two_metres_longer_at_most() {
    let (south, north) = ("0x80800024 [100 86 20.01]", "0x80800025 [100 106 20.01]");
    let doors = |gap: (f32, f32)| {
        let mut ground = row_with_gaps(&[(99.0, 101.0), gap]);
        ground.door(100.0, 96.0);
        find_unproved(&ground, south, north, &Policy::default()).expect("a way").doors
    };
    // Through a gap four metres aside it is 2 × sqrt(10² + 4²) = 21.5 m, and 26.2 m through one of eight and a half metres.
    assert!(doors((103.4, 106.4)).is_empty());
    assert_eq!(doors((108.0, 111.0)), [9]);
}

#[test]
fn a_portal_that_saves_a_few_steps_is_not_taken() {
    let takes = Policy::default().takes_portals(true);
    let taken = |leads_to: &str, to: &str| {
        let mut ground = bare();
        ground.portal(100.0, 92.0, place(leads_to));
        let route = find_unproved(&ground, "0x80800024 [102 94 20.01]", to, &takes).expect("a way");
        route.passages.len()
    };
    // A portal counts as five metres: with one and six more it is no shorter than twelve, with one and four more than forty.
    assert_eq!(taken("0x80800025 [100 100 20.01]", "0x80800025 [102 106 20.01]"), 0);
    assert_eq!(taken("0x80800026 [100 130 20.01]", "0x80800026 [102 134 20.01]"), 1);
}

#[test]
fn a_way_leads_over_the_bridge_and_up_the_tower_of_the_next_block() {
    let ground = Ground::sample(Doors::Open);
    let tower = "0x81800103 [134 112 32.86]";
    for find in [find, find_unproved] {
        let route = find(&ground, ROAD, tower, &Policy::default()).expect("a way");
        let end = route.waypoints.last().expect("an end");
        assert!(end.distance_to(&place(tower)) < 0.3, "{end}");
        let bridge = place("0x8180001D [72 97.5 21.5]");
        let nearest = route.waypoints.windows(2).map(|leg| {
            let (a, b) = (bridge.offset_to(&leg[0]).truncate(), bridge.offset_to(&leg[1]).truncate());
            let t = (-a.dot(b - a) / (b - a).length_squared().max(1e-6)).clamp(0.0, 1.0);
            (a + (b - a) * t).length()
        });
        let nearest = nearest.fold(f32::INFINITY, f32::min);
        assert!(nearest < 4.0, "it passes the middle of the bridge at {nearest} m");
    }
}

#[test]
fn those_who_are_alive_are_no_part_of_a_mesh() {
    let patches = |ground: &Ground| {
        let gateway = ground.gateway();
        Nav::new(ground.player()).mesh(&ground.around(&gateway), BLOCK).len()
    };
    let (mut somebody, mut post) = (bare(), bare());
    somebody.creature(100.0, 84.0);
    post.post(100.0, 84.0);
    assert_eq!(patches(&somebody), patches(&bare()));
    assert!(patches(&post) > patches(&bare()));
}

#[test]
fn what_lies_about_is_stepped_over_and_what_stands_is_gone_around() {
    let ground_with = |radius: f32| {
        let mut ground = Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]));
        ground.ball(100.0, 84.0, radius);
        ground
    };
    let patches = |ground: &Ground| {
        let gateway = ground.gateway();
        Nav::new(ground.player()).mesh(&ground.around(&gateway), BLOCK).len()
    };
    let (from, to) = ("0x80800024 [100 80 20.01]", "0x80800024 [100 88 20.01]");
    // A dart has a ball of 0.1 m: a solid body walks over it, and no mesh knows of it.
    let dart = ground_with(0.1);
    let mut body = dart.body();
    body.put_down(&place(from)).expect("room");
    assert!(body.walk_to(&place(to), 0.1) < 0.02);
    let route = find(&dart, from, to, &Policy::default()).expect("a way");
    assert!(route.waypoints.len() == 2 && (7.9..8.1).contains(&route.length), "{} m", route.length);
    assert_eq!(patches(&dart), patches(&Ground::bare(BLOCK, Terrain::new(BLOCK, [20.0; 81], [0; 81]))));
    // A ball of 0.6 m stands in the way of a body of 0.48 m.
    let boulder = ground_with(0.6);
    assert!(patches(&boulder) > patches(&dart));
    let around = find(&boulder, from, to, &Policy::default()).expect("a way around");
    assert!(around.waypoints.len() > 2 && (8.1..9.5).contains(&around.length), "{} m", around.length);
}

#[test]
fn links_that_did_not_hold_are_kept_and_forgotten_with_their_block() {
    let ground = Ground::golden("hostile");
    let gateway = ground.gateway();
    let around = ground.around(&gateway);
    let mut nav = Nav::new(ground.player());
    let policy = Policy::default();
    // Places between which links of the mesh turn out not to hold.
    let pairs = [
        ((0xA9B4_0115, 38.446_735, 96.188_58, 20.005), (0xA9B4_0114, 32.510_185, 96.346_94, 20.005)),
        ((0xA9B4_0110, 94.642_914, 67.848_59, 20.338_36), (0xA9B4_010E, 92.496_46, 64.995_04, 19.835_203)),
        ((0xA9B4_0110, 94.642_914, 67.848_59, 20.338_36), (0xA9B4_010E, 99.496_46, 65.191_48, 19.869_84)),
    ];
    let ways = |nav: &Nav| -> Vec<Route> {
        let place = |(cell, x, y, z): (u32, f32, f32, f32)| support::at(cell, x, y, z);
        let found = pairs.iter().map(|&(from, to)| {
            let request = Request { from: place(from), to: place(to), policy: &policy, prove: true };
            nav.find(&around, &request).expect("an answer").expect("a way")
        });
        found.collect()
    };
    ways(&nav);
    let marks = nav.marks();
    assert!(nav.marked() > 0, "no link fails");
    // With the marks of before nothing fails any more, here or in a mesh that was built anew.
    let again = Nav::new(ground.player());
    again.set_marks(&marks);
    assert!(ways(&again) == ways(&nav), "a mesh with the same marks gives other ways");
    assert_eq!((again.marks(), nav.marks()), (marks.clone(), marks));
    nav.forget(BlockId::new(0xA9 + 3, 0xB4));
    assert!(nav.marked() > 0, "three blocks away");
    nav.forget(BlockId::new(0xA9 + 1, 0xB4));
    assert_eq!(nav.marked(), 0);
}
