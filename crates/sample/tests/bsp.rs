//! Compiled trees answer like brute force.

use glam::{DVec2, DVec3};
use proptest::prelude::*;
use std::collections::BTreeSet;
use threshold_dat::records::{BspNode, BspTag, BspTree};
use threshold_sample::{
    bsp::{BspError, Drawn, Role, Surface, cell_tree, drawing_tree, physics_tree},
    geom::{Convex, Polygon, convex_parts, union_surface},
};

const EPSILON: f64 = 0.0002;

fn plane_distance(plane: &threshold_dat::records::Plane, p: DVec3) -> f64 {
    let n = plane.normal.map(f64::from);
    DVec3::from(n).dot(p) + f64::from(plane.d)
}

/// Whether the descent to a point ends in matter: a solid leaf with polygons. Spec: physics-bsp §5.4.
fn in_matter(tree: &BspTree, p: DVec3) -> bool {
    let mut at = 0;
    loop {
        match &tree.nodes[at] {
            BspNode::Leaf(leaf) => return leaf.solid == 1 && leaf.polygons.len > 0,
            BspNode::Inner(inner) => {
                let child =
                    if plane_distance(&inner.plane, p) < 0.0 { inner.negative } else { inner.positive };
                at = child.expect("inner nodes of physics trees have both children") as usize;
            }
        }
    }
}

/// Polygons that a sphere walk meets, with the prune of every node. Spec: physics-bsp §5.3, §5.4.
fn offered(tree: &BspTree, c: DVec3, r: f64) -> BTreeSet<u16> {
    let mut out = BTreeSet::new();
    let mut open = vec![0];
    while let Some(at) = open.pop() {
        let sphere = match &tree.nodes[at] {
            BspNode::Leaf(leaf) => leaf.sphere,
            BspNode::Inner(inner) => inner.sphere,
        };
        let center = DVec3::from(sphere.center.map(f64::from));
        if c.distance_squared(center) - (r + f64::from(sphere.radius)).powi(2) >= EPSILON {
            continue;
        }
        match &tree.nodes[at] {
            BspNode::Leaf(leaf) => out.extend(leaf.polygons.of(&tree.polygons)),
            BspNode::Inner(inner) => {
                let t = plane_distance(&inner.plane, c);
                if t > EPSILON - r {
                    open.push(inner.positive.unwrap() as usize);
                }
                if t < r - EPSILON {
                    open.push(inner.negative.unwrap() as usize);
                }
            }
        }
    }
    out
}

fn distance_to(polygon: &Polygon, c: DVec3) -> f64 {
    let plane = polygon.plane().unwrap();
    let foot = c - plane.normal * plane.distance(c);
    if polygon.edge_planes().iter().all(|e| e.distance(foot) >= 0.0) {
        return c.distance(foot);
    }
    let next = polygon.points.iter().cycle().skip(1);
    let edges = polygon.points.iter().zip(next);
    edges
        .map(|(&a, &b)| {
            c.distance(a + (b - a) * ((c - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0))
        })
        .fold(f64::INFINITY, f64::min)
}

fn walls(polygons: impl IntoIterator<Item = Polygon>) -> Vec<Surface> {
    (0..).zip(polygons).map(|(id, polygon)| Surface { polygon, role: Role::Wall(id) }).collect()
}

/// A star-shaped outline around the origin; convex when `bumpy` is false.
fn outline(bumpy: bool) -> impl Strategy<Value = Vec<DVec2>> {
    (3usize..12).prop_flat_map(move |n| {
        (proptest::collection::vec((0.15f64..0.85, 1.0f64..6.0), n), 2.0f64..6.0).prop_map(
            move |(list, r)| {
                let n = list.len() as f64;
                let corner = |(i, &(turn, radius)): (usize, &(f64, f64))| {
                    let angle = (i as f64 + turn) / n * std::f64::consts::TAU;
                    DVec2::from_angle(angle) * if bumpy { radius } else { r }
                };
                list.iter().enumerate().map(corner).collect()
            },
        )
    })
}

/// Sides and caps of a prism, facing outwards; the caps fall into convex parts.
fn prism(outline: &[DVec2], bottom: f64, top: f64) -> Vec<Polygon> {
    let mut out = Vec::new();
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        out.push(Polygon::new([a.extend(bottom), b.extend(bottom), b.extend(top), a.extend(top)]));
    }
    for part in convex_parts(outline).unwrap() {
        let cap = |z: f64| Polygon::new(part.iter().map(|p| p.extend(z)).collect::<Vec<_>>());
        out.push(cap(top));
        out.push(cap(bottom).flipped());
    }
    out
}

fn in_outline(outline: &[DVec2], p: DVec2) -> bool {
    let mut inside = false;
    for (i, &a) in outline.iter().enumerate() {
        let b = outline[(i + 1) % outline.len()];
        if (a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x {
            inside = !inside;
        }
    }
    inside
}

fn points(count: usize) -> impl Strategy<Value = Vec<DVec3>> {
    proptest::collection::vec((-8.0f64..8.0, -8.0f64..8.0, -3.0f64..6.0).prop_map(DVec3::from), count)
}

fn check_offers(tree: &BspTree, surface: &[Surface], centers: &[DVec3]) -> Result<(), TestCaseError> {
    for (i, &c) in centers.iter().enumerate() {
        let r = [0.1, 0.3, 0.48, 1.0, 2.0][i % 5];
        let found = offered(tree, c, r);
        for s in surface {
            if let Role::Wall(id) = s.role
                && distance_to(&s.polygon, c) < r - 0.002
            {
                prop_assert!(
                    found.contains(&id),
                    "polygon {id} is not offered to a sphere at {c} of radius {r}"
                );
            }
        }
    }
    Ok(())
}

proptest! {
    #[test]
    fn the_volume_of_a_convex_room_is_its_half_spaces(outline in outline(false), probes in points(60)) {
        let room = Convex::prism(&outline, 0.0, 3.0, ());
        let sides: Vec<Polygon> = room.facets.iter().map(|f| f.polygon.flipped()).collect();
        let Ok(tree) = cell_tree(&sides) else { return Err(TestCaseError::reject("sliver")) };
        for p in probes {
            let inside = tree.nodes.iter().all(|n| match n {
                BspNode::Inner(inner) => plane_distance(&inner.plane, p) >= -EPSILON,
                BspNode::Leaf(_) => true,
            });
            let margin = room.planes().iter().map(|plane| plane.distance(p)).fold(f64::NEG_INFINITY, f64::max);
            if margin.abs() < 1e-3 { continue; }
            prop_assert_eq!(inside, margin < 0.0, "at {}", p);
        }
    }

    #[test]
    fn matter_of_a_prism_is_where_its_outline_says(
        outline in outline(true), probes in points(80), centers in points(40)
    ) {
        let sides = prism(&outline, 0.0, 2.5);
        let surface = walls(sides);
        let tree = physics_tree(&surface).unwrap();
        for p in probes {
            if !(surface.iter().all(|s| distance_to(&s.polygon, p) > 2e-3)) { continue; }
            let expected = (0.0..2.5).contains(&p.z) && in_outline(&outline, p.truncate());
            prop_assert_eq!(in_matter(&tree, p), expected, "at {}", p);
        }
        check_offers(&tree, &surface, &centers)?;
    }

    #[test]
    fn a_heap_of_boxes_is_matter_exactly_inside_one_of_them(
        boxes in proptest::collection::vec((-5.0f64..5.0, -5.0f64..5.0, 0.0f64..3.0, 0.3f64..4.0, 0.3f64..4.0, 0.3f64..2.0), 1..7),
        probes in points(80), centers in points(40)
    ) {
        // Corners on a coarse grid, so that sides often lie on each other.
        let grid = |v: f64| (v * 2.0).round() / 2.0;
        let solids: Vec<Convex<()>> = boxes.iter().map(|&(x, y, z, a, b, c)| {
            let min = DVec3::new(grid(x), grid(y), grid(z));
            Convex::block(min, min + DVec3::new(grid(a), grid(b), grid(c)).max(DVec3::splat(0.5)), ())
        }).collect();
        let surface = walls(union_surface(&solids).into_iter().map(|f| f.polygon));
        let tree = physics_tree(&surface).unwrap();
        for p in probes {
            let depth = |s: &Convex<()>| s.planes().iter().map(|q| q.distance(p)).fold(f64::NEG_INFINITY, f64::max);
            if !(solids.iter().all(|s| s.planes().iter().all(|q| q.distance(p).abs() > 2e-3))) { continue; }
            prop_assert_eq!(in_matter(&tree, p), solids.iter().any(|s| depth(s) < 0.0), "at {}", p);
        }
        check_offers(&tree, &surface, &centers)?;
    }

    #[test]
    fn behind_a_door_is_no_matter_and_beside_it_is(
        (x, width) in (-4.0f64..1.0, 0.5f64..3.0), (z, height) in (0.0f64..1.0, 0.5f64..2.0), probes in points(60)
    ) {
        let room = Convex::block(DVec3::new(-5.0, -5.0, 0.0), DVec3::new(5.0, 5.0, 3.0), ());
        let door = Polygon::new([
            DVec3::new(x, 5.0, z), DVec3::new(x + width, 5.0, z),
            DVec3::new(x + width, 5.0, z + height), DVec3::new(x, 5.0, z + height),
        ]);
        let inside = room.facets.iter().map(|f| f.polygon.flipped());
        let mut surface = walls(inside.flat_map(|p| {
            let on_wall = p.points.iter().all(|q| q.y == 5.0);
            if on_wall { p.without(&door) } else { vec![p] }
        }));
        surface.push(Surface { polygon: door, role: Role::Opening });
        let tree = physics_tree(&surface).unwrap();
        for p in probes {
            if !(room.planes().iter().all(|q| q.distance(p).abs() > 2e-3)) { continue; }
            let in_door = p.x - x > 2e-3 && x + width - p.x > 2e-3 && p.z - z > 2e-3 && z + height - p.z > 2e-3;
            let off_door = p.x - x < -2e-3 || x + width - p.x < -2e-3 || p.z - z < -2e-3 || z + height - p.z < -2e-3;
            if room.contains(p, 0.0) {
                prop_assert!(!in_matter(&tree, p), "free inside, at {}", p);
            } else if p.y > 5.0 && p.x.abs() < 5.0 && (0.0..3.0).contains(&p.z) {
                if in_door {
                    prop_assert!(!in_matter(&tree, p), "free in the doorway, at {}", p);
                } else if off_door {
                    prop_assert!(in_matter(&tree, p), "wall beside the door, at {}", p);
                }
            } else if p.y < 5.0 {
                // Beyond the wall but not behind it the neighbour decides.
                prop_assert!(in_matter(&tree, p), "matter outside, at {}", p);
            }
        }
        check_offers(&tree, &surface, &[DVec3::new(x, 4.8, z), DVec3::new(x + width, 5.1, z + height)])?;
    }

    #[test]
    fn drawing_trees_bound_everything_and_put_openings_into_port_nodes(outline in outline(true), doors in 1usize..3) {
        let sides = prism(&outline, 0.0, 2.5);
        let doors = doors.min(outline.len());
        let portal = |i: usize| (i < doors).then_some(i as u16);
        let drawn: Vec<Drawn> = sides.into_iter().enumerate()
            .map(|(i, polygon)| Drawn { polygon, id: i as u16, portal: portal(i) }).collect();
        let tree = drawing_tree(&drawn).unwrap();
        let mut named = BTreeSet::new();
        let mut openings = BTreeSet::new();
        for node in &tree.nodes {
            let BspNode::Inner(inner) = node else { continue };
            named.extend(inner.polygons.of(&tree.polygons).iter().copied());
            let portals = inner.portals.of(&tree.portals);
            prop_assert_eq!(inner.tag == BspTag::Port, !portals.is_empty());
            for p in portals {
                openings.insert((p.polygon, p.portal));
                let polygon = &drawn[usize::from(p.polygon)].polygon;
                prop_assert!(polygon.points.iter().all(|&q| plane_distance(&inner.plane, q).abs() < 1e-3));
            }
        }
        prop_assert_eq!(openings, (0..doors as u16).map(|i| (i, i)).collect::<BTreeSet<_>>());
        prop_assert_eq!(named, (doors as u16..drawn.len() as u16).collect::<BTreeSet<_>>());
        let BspNode::Inner(root) = &tree.nodes[0] else { panic!("a leaf for {} polygons", drawn.len()) };
        let center = DVec3::from(root.sphere.center.map(f64::from));
        for p in drawn.iter().flat_map(|d| &d.polygon.points) {
            prop_assert!(p.distance(center) <= f64::from(root.sphere.radius));
        }
    }
}

#[test]
fn a_room_that_is_not_convex_is_refused_as_one_cell() {
    let l = [(0.0, 0.0), (6.0, 0.0), (6.0, 2.0), (2.0, 2.0), (2.0, 6.0), (0.0, 6.0)].map(DVec2::from);
    let sides: Vec<Polygon> = prism(&l, 0.0, 3.0).iter().map(Polygon::flipped).collect();
    assert!(matches!(cell_tree(&sides), Err(BspError::NotConvex { .. })));
}

#[test]
fn a_room_without_a_ceiling_is_refused() {
    let room = Convex::block(DVec3::ZERO, DVec3::ONE, ());
    let open: Vec<Polygon> = room
        .facets
        .iter()
        .map(|f| f.polygon.flipped())
        .filter(|p| p.plane().unwrap().normal != -DVec3::Z)
        .collect();
    assert_eq!(open.len(), 5);
    assert!(matches!(cell_tree(&open), Err(BspError::Open(_))));
}

#[test]
fn a_polygon_without_area_is_named() {
    let bad = Polygon::new([DVec3::ZERO, DVec3::X, DVec3::X * 2.0]);
    let surface = [Surface { polygon: bad, role: Role::Wall(0) }];
    assert_eq!(physics_tree(&surface), Err(BspError::Flat(0)));
}

#[test]
fn a_shell_keeps_matter_behind_its_sealed_door() {
    let shell = Convex::block(DVec3::new(-5.0, -5.0, 0.0), DVec3::new(5.0, 5.0, 3.0), ());
    let door =
        Polygon::new([(-1.0, 0.0), (1.0, 0.0), (1.0, 2.0), (-1.0, 2.0)].map(|(x, z)| DVec3::new(x, -5.0, z)));
    let mut surface = walls(shell.facets.iter().flat_map(|f| {
        let front = f.polygon.points.iter().all(|q| q.y == -5.0);
        if front { f.polygon.without(&door) } else { vec![f.polygon.clone()] }
    }));
    surface.push(Surface { polygon: door, role: Role::Seal });
    let tree = physics_tree(&surface).unwrap();
    assert!(in_matter(&tree, DVec3::new(0.0, 0.0, 1.0)));
    assert!(!in_matter(&tree, DVec3::new(0.0, -6.0, 1.0)));
    assert!(!in_matter(&tree, DVec3::new(0.0, 0.0, 4.0)));
}

#[test]
fn large_meshes_stay_shallow() {
    // A field of 400 pillars: far from a chain.
    let pillars: Vec<Convex<()>> = (0..400)
        .map(|i| {
            let min = DVec3::new(f64::from(i % 20) * 3.0, f64::from(i / 20) * 3.0, 0.0);
            Convex::block(min, min + DVec3::new(1.0, 1.0, 2.0), ())
        })
        .collect();
    let tree = physics_tree(&walls(union_surface(&pillars).into_iter().map(|f| f.polygon))).unwrap();
    fn depth(tree: &BspTree, at: u32) -> usize {
        match &tree.nodes[at as usize] {
            BspNode::Leaf(_) => 1,
            BspNode::Inner(i) => 1 + depth(tree, i.positive.unwrap()).max(depth(tree, i.negative.unwrap())),
        }
    }
    assert!(depth(&tree, 0) < 40, "{} levels", depth(&tree, 0));
}
