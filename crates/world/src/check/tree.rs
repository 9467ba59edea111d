//! Trees over polygons: a walk must meet every polygon wherever it is.

use crate::{
    bsp::{NO_NODE, PhysicsMesh, PhysicsNode},
    geometry::Plane,
};
use glam::Vec3;
use std::collections::BTreeMap;

/// Pieces of a polygon thinner than this need not be found.
const SLIVER: f32 = 0.005;
/// Metres by which a polygon may reach out of a node's sphere.
const SPHERE_SLACK: f32 = 0.01;
/// Pieces looked at per polygon, so that a hostile tree costs no more than time in proportion.
const MAX_PIECES: usize = 10_000;

/// What is wrong with a physics tree, by polygon id.
pub(super) fn faults(mesh: &PhysicsMesh) -> Vec<String> {
    let mut faults = Vec::new();
    if mesh.tree.nodes.is_empty() {
        return faults;
    }
    let reaches = reaches(mesh);
    for (index, polygon) in (0u16..=u16::MAX).zip(mesh.polygons.polygons()) {
        let corners: Vec<Vec3> = mesh.polygons.vertices(polygon).collect();
        match placement(mesh, index, corners) {
            Placement::Complete => {}
            Placement::Missing => faults.push(format!("polygon {} is in no leaf", polygon.id)),
            Placement::Partly => {
                faults.push(format!("polygon {} reaches into a leaf that does not list it", polygon.id))
            }
        }
    }
    for (node, (polygon, excess)) in reaches {
        let id = mesh.polygons.polygons()[usize::from(polygon)].id;
        faults.push(format!("node {node}: polygon {id} reaches {excess:.3} m out of its sphere"));
    }
    faults
}

enum Placement {
    Complete,
    Missing,
    Partly,
}

/// A piece of a polygon on its way down. Pieces that lie in a node's plane go both ways; then one of the leaves on
/// either side is enough, which `group` keeps together.
struct Piece {
    node: u32,
    corners: Vec<Vec3>,
    group: Option<usize>,
}

fn placement(mesh: &PhysicsMesh, polygon: u16, corners: Vec<Vec3>) -> Placement {
    let mut open = vec![Piece { node: 0, corners, group: None }];
    let mut groups: Vec<bool> = Vec::new();
    let (mut met, mut lost, mut pieces) = (false, false, 0);
    while let Some(Piece { node, corners, group }) = open.pop() {
        pieces += 1;
        if pieces > MAX_PIECES {
            break;
        }
        match mesh.tree.nodes.get(node as usize) {
            Some(PhysicsNode::Inner { plane, positive, negative, .. }) => {
                let distances: Vec<f32> = corners.iter().map(|&p| plane.distance(p)).collect();
                let is_flat = distances.iter().all(|d| d.abs() <= SLIVER);
                let group = if is_flat && group.is_none() {
                    groups.push(false);
                    Some(groups.len() - 1)
                } else {
                    group
                };
                for (child, sign) in [(*positive, 1.0), (*negative, -1.0)] {
                    if is_flat {
                        open.push(Piece { node: child, corners: corners.clone(), group });
                    } else if distances.iter().any(|d| d * sign > SLIVER) {
                        open.push(Piece { node: child, corners: clip(&corners, plane, sign), group });
                    }
                }
            }
            leaf => {
                let listed = match leaf {
                    Some(PhysicsNode::Leaf { first, count, .. }) => {
                        let list = mesh.tree.leaf_polygons.get(*first as usize..(*first + *count) as usize);
                        list.is_some_and(|list| list.contains(&polygon))
                    }
                    _ => false,
                };
                met |= listed;
                match group {
                    Some(group) => groups[group] |= listed,
                    None => lost |= !listed && width(&corners) > SLIVER,
                }
            }
        }
    }
    match (met, lost || groups.contains(&false)) {
        (false, _) => Placement::Missing,
        (true, true) => Placement::Partly,
        (true, false) => Placement::Complete,
    }
}

/// The part of a convex loop on one side of a plane.
fn clip(corners: &[Vec3], plane: &Plane, sign: f32) -> Vec<Vec3> {
    let mut out = Vec::with_capacity(corners.len() + 1);
    for (i, &b) in corners.iter().enumerate() {
        let a = corners[(i + corners.len() - 1) % corners.len()];
        let (da, db) = (plane.distance(a) * sign, plane.distance(b) * sign);
        if (da < 0.0) != (db < 0.0) {
            out.push(a + (b - a) * (da / (da - db)));
        }
        if db >= 0.0 {
            out.push(b);
        }
    }
    out
}

/// Least extent of a loop, roughly: twice its area by its longest diagonal.
fn width(corners: &[Vec3]) -> f32 {
    let Some(&first) = corners.first() else { return 0.0 };
    let area: Vec3 = corners.windows(2).map(|pair| (pair[0] - first).cross(pair[1] - first)).sum();
    let longest = corners.iter().map(|p| p.distance(first)).fold(0.0, f32::max);
    if longest > 0.0 { area.length() / longest } else { 0.0 }
}

/// Nodes whose sphere a polygon below leaves, with the polygon that does so farthest.
fn reaches(mesh: &PhysicsMesh) -> BTreeMap<usize, (u16, f32)> {
    let mut worst = BTreeMap::new();
    let mut below: Vec<Vec<u16>> = vec![Vec::new(); mesh.tree.nodes.len()];
    // Children lie behind their parents.
    for (index, node) in mesh.tree.nodes.iter().enumerate().rev() {
        let (sphere, list) = match node {
            PhysicsNode::Leaf { sphere, first, count, .. } => {
                let list = mesh.tree.leaf_polygons.get(*first as usize..(*first + *count) as usize);
                (sphere, list.unwrap_or_default().to_vec())
            }
            PhysicsNode::Inner { sphere, positive, negative, .. } => {
                let mut list = Vec::new();
                for child in
                    [*positive, *negative].into_iter().filter(|&c| c != NO_NODE && c as usize > index)
                {
                    list.append(&mut below[child as usize]);
                }
                (sphere, list)
            }
        };
        let slack = SPHERE_SLACK + 1e-4 * sphere.radius;
        for &polygon in &list {
            let corners = mesh.polygons.vertices(&mesh.polygons.polygons()[usize::from(polygon)]);
            let excess = corners.map(|p| p.distance(sphere.center)).fold(0.0, f32::max) - sphere.radius;
            if excess > slack && worst.get(&index).is_none_or(|&(_, other)| excess > other) {
                worst.insert(index, (polygon, excess));
            }
        }
        below[index] = list;
        below[index].sort_unstable();
        below[index].dedup();
    }
    worst
}
