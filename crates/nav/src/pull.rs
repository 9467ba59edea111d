//! The shortest line through a corridor: the funnel algorithm.

use crate::search::Crossing;
use glam::Vec2;

/// A corner of the line, and how many crossings lie before it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Corner {
    pub(crate) at: Vec2,
    pub(crate) crossings: usize,
}

/// A gate that the line must go through, left and right, and how many crossings are behind one who has passed it.
struct Gate {
    left: Vec2,
    right: Vec2,
    crossings: usize,
}

fn gates(corridor: &[Crossing], goal: Vec2) -> Vec<Gate> {
    let mut gates = Vec::with_capacity(corridor.len() + 1);
    for (crossings, crossing) in (1..).zip(corridor) {
        match crossing.exit {
            None => gates.push(Gate { left: crossing.left, right: crossing.right, crossings }),
            Some(exit) => {
                gates.push(Gate { left: crossing.left, right: crossing.right, crossings: crossings - 1 });
                gates.push(Gate { left: exit, right: exit, crossings });
            }
        }
    }
    gates.push(Gate { left: goal, right: goal, crossings: corridor.len() });
    gates
}

/// Corners after the start; the last one is the goal.
pub(crate) fn pull(start: Vec2, corridor: &[Crossing], goal: Vec2) -> Vec<Corner> {
    let gates = gates(corridor, goal);
    let mut corners = Vec::new();
    let (mut apex, mut left, mut right) = (start, start, start);
    let (mut left_gate, mut right_gate) = (0, 0);
    let mut k = 0;
    while k < gates.len() {
        let gate = &gates[k];
        // Narrow the right side, unless it crosses the left one: then the left corner is part of the line.
        if turns(apex, right, gate.right) >= 0.0 {
            if apex == right || turns(apex, left, gate.right) < 0.0 {
                (right, right_gate) = (gate.right, k);
            } else {
                corners.push(Corner { at: left, crossings: gates[left_gate].crossings });
                apex = left;
                k = left_gate + 1;
                (left, right) = (apex, apex);
                (left_gate, right_gate) = (k - 1, k - 1);
                continue;
            }
        }
        if turns(apex, left, gate.left) <= 0.0 {
            if apex == left || turns(apex, right, gate.left) > 0.0 {
                (left, left_gate) = (gate.left, k);
            } else {
                corners.push(Corner { at: right, crossings: gates[right_gate].crossings });
                apex = right;
                k = right_gate + 1;
                (left, right) = (apex, apex);
                (left_gate, right_gate) = (k - 1, k - 1);
                continue;
            }
        }
        k += 1;
    }
    corners.push(Corner { at: goal, crossings: corridor.len() });
    corners.dedup_by(|next, corner| {
        next.at == corner.at && {
            corner.crossings = next.crossings;
            true
        }
    });
    corners
}

/// Positive when `b` lies to the left of the line from `apex` to `a`.
fn turns(apex: Vec2, a: Vec2, b: Vec2) -> f32 {
    (a - apex).perp_dot(b - apex)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        PatchId,
        mesh::{Link, Side},
        nav::{LinkId, Way},
    };
    use threshold_world::BlockId;

    fn crossing(left: [f32; 2], right: [f32; 2], exit: Option<[f32; 2]>) -> Crossing {
        let from = PatchId::new(BlockId(0), 0);
        let link = Link { to: 0, lo: 0, hi: 0, door: 0, side: Side::Point, drop: 0 };
        let way = Way { id: LinkId { from, number: 0 }, link, to: from };
        Crossing { way, left: left.into(), right: right.into(), exit: exit.map(Vec2::from), portal: None }
    }

    fn line(start: [f32; 2], corridor: &[Crossing], goal: [f32; 2]) -> Vec<([f32; 2], usize)> {
        pull(start.into(), corridor, goal.into()).iter().map(|c| (c.at.to_array(), c.crossings)).collect()
    }

    #[test]
    fn an_open_corridor_is_one_straight_line() {
        let corridor = [crossing([1.0, 5.0], [1.0, -5.0], None), crossing([2.0, 5.0], [2.0, -5.0], None)];
        assert_eq!(line([0.0, 0.0], &corridor, [3.0, 1.0]), [([3.0, 1.0], 2)]);
    }

    #[test]
    fn the_line_bends_at_the_corner_that_is_in_its_way() {
        // East through a gate whose lower end is above the straight line.
        let corridor = [crossing([1.0, 5.0], [1.0, 2.0], None), crossing([3.0, 5.0], [3.0, -5.0], None)];
        assert_eq!(line([0.0, 0.0], &corridor, [4.0, 0.0]), [([1.0, 2.0], 1), ([4.0, 0.0], 2)]);
        // A zigzag: below the first gate's end, then above the second's.
        let corridor = [crossing([1.0, -2.0], [1.0, -5.0], None), crossing([2.0, 5.0], [2.0, 2.0], None)];
        assert_eq!(
            line([0.0, 0.0], &corridor, [3.0, 0.0]),
            [([1.0, -2.0], 1), ([2.0, 2.0], 2), ([3.0, 0.0], 2)]
        );
    }

    #[test]
    fn a_way_from_point_to_point_is_followed_through_both() {
        let corridor = [crossing([1.0, 1.0], [1.0, 1.0], Some([2.0, 3.0]))];
        assert_eq!(
            line([0.0, 0.0], &corridor, [9.0, 9.0]),
            [([1.0, 1.0], 0), ([2.0, 3.0], 1), ([9.0, 9.0], 1)]
        );
    }
}
