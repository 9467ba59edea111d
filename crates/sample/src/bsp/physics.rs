//! Physics trees: matter at solid leaves, with the polygons that bound it.

use super::{
    BspError, MAX_DEPTH, bounding_sphere, check_polygons,
    splitter::{Divided, Piece, best_splitter, divide},
    stored_plane,
};
use crate::geom::{Plane, Polygon, Side};
use threshold_dat::records::{BspInner, BspLeaf, BspNode, BspTag, BspTree, Span};

/// The role of a polygon of a surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Something to hit, stored under this id; matter behind it.
    Wall(u16),
    /// Nothing to hit and free space behind: a room's portal.
    Opening,
    /// Nothing to hit but matter behind: closes a shell where its doors are.
    Seal,
}

/// A polygon of the boundary between free space, which it faces, and matter.
#[derive(Clone, Debug, PartialEq)]
pub struct Surface {
    /// Shape; faces free space.
    pub polygon: Polygon,
    /// Meaning.
    pub role: Role,
}

enum Node {
    Leaf { solid: bool, walls: Vec<usize> },
    Split { plane: Plane, front: Box<Node>, back: Box<Node> },
}

impl Node {
    fn is_nothing(&self) -> bool {
        matches!(self, Node::Leaf { walls, .. } if walls.is_empty())
    }
}

/// Compiles the boundary of matter. Spec: physics-bsp §5.1, §5.4.
///
/// Planes with openings come first, those without any wall before the others, so that a sphere whose centre has left the
/// room through a door is never taken to be inside a wall beside it. After them planes that cut little and balance well.
pub fn physics_tree(surface: &[Surface]) -> Result<BspTree, BspError> {
    check_polygons(surface.iter().map(|s| &s.polygon))?;
    let planes: Option<Vec<Plane>> = surface.iter().map(|s| s.polygon.plane()).collect();
    let compiler = Compiler { surface, planes: planes.unwrap_or_default() };
    let pieces = surface.iter().enumerate();
    let pieces = pieces.map(|(source, s)| Piece { source, polygon: s.polygon.clone() }).collect();
    let root = compiler.build(pieces, Vec::new(), 0)?;
    Ok(Flattener { surface, tree: BspTree::default(), empty_leaves: 0 }.finish(&root))
}

struct Compiler<'a> {
    surface: &'a [Surface],
    planes: Vec<Plane>,
}

impl Compiler<'_> {
    fn role(&self, piece: &Piece) -> Role {
        self.surface[piece.source].role
    }

    /// The tree of a region. `pieces` lie in it; `bounds` lie on its rim and have the region behind them.
    fn build(&self, pieces: Vec<Piece>, bounds: Vec<Piece>, depth: usize) -> Result<Node, BspError> {
        if depth >= MAX_DEPTH {
            return Err(BspError::TooDeep);
        }
        let Some(plane) = self.gate(&pieces).or_else(|| best_splitter(&pieces, &self.planes)) else {
            return self.behind(bounds, depth);
        };
        let Divided { front, back, along, against } = divide(pieces, &plane, &self.planes);
        let rim = divide(bounds, &plane, &self.planes);
        let mut front_bounds = rim.front;
        front_bounds.extend(rim.against);
        front_bounds.extend(against);
        let mut back_bounds = rim.back;
        back_bounds.extend(rim.along);
        back_bounds.extend(along);
        self.join(plane, (front, front_bounds), (back, back_bounds), depth)
    }

    fn join(
        &self,
        plane: Plane,
        front: (Vec<Piece>, Vec<Piece>),
        back: (Vec<Piece>, Vec<Piece>),
        depth: usize,
    ) -> Result<Node, BspError> {
        let front = self.build(front.0, front.1, depth + 1)?;
        let back = self.build(back.0, back.1, depth + 1)?;
        if front.is_nothing() && back.is_nothing() {
            return Ok(front);
        }
        Ok(Node::Split { plane, front: Box::new(front), back: Box::new(back) })
    }

    /// The plane of an opening that everything else lies in front of; if possible one that holds nothing but openings.
    fn gate(&self, pieces: &[Piece]) -> Option<Plane> {
        let is_opening = |p: &&Piece| self.role(p) == Role::Opening;
        let gates = || pieces.iter().filter(is_opening).map(|p| self.planes[p.source]);
        let bounds = |plane: &Plane, walls: bool| {
            pieces.iter().all(|p| match p.polygon.side(plane) {
                Side::Front => true,
                Side::On => walls || self.role(p) == Role::Opening,
                Side::Back | Side::Across => false,
            })
        };
        gates().find(|plane| bounds(plane, false)).or_else(|| gates().find(|plane| bounds(plane, true)))
    }

    /// A region without anything in it: free behind openings, matter behind the rest. Where both bound it, it is cut
    /// along the openings' edges.
    fn behind(&self, bounds: Vec<Piece>, depth: usize) -> Result<Node, BspError> {
        let (openings, matter): (Vec<_>, Vec<_>) = bounds.iter().partition(|p| self.role(p) == Role::Opening);
        if !openings.is_empty()
            && !matter.is_empty()
            && let Some(plane) = opening_edge(&openings, &matter)
        {
            let Divided { front, back, .. } = divide(bounds, &plane, &self.planes);
            return self.join(plane, (Vec::new(), front), (Vec::new(), back), depth);
        }
        let mut walls: Vec<usize> =
            matter.iter().filter(|p| self.role(p) != Role::Seal).map(|p| p.source).collect();
        walls.sort_unstable();
        walls.dedup();
        Ok(Node::Leaf { solid: !matter.is_empty(), walls })
    }
}

/// The edge of an opening that has most matter beyond it and cuts least.
fn opening_edge(openings: &[&Piece], matter: &[&Piece]) -> Option<Plane> {
    let edges = openings.iter().flat_map(|p| p.polygon.edge_planes());
    let mut best: Option<(isize, Plane)> = None;
    for plane in edges {
        let (mut beyond, mut cut) = (0isize, 0isize);
        for piece in matter.iter().chain(openings) {
            match piece.polygon.side(&plane) {
                Side::Back => beyond += 1,
                Side::Across => cut += 1,
                Side::Front | Side::On => {}
            }
        }
        let separates = matter.iter().any(|p| matches!(p.polygon.side(&plane), Side::Back | Side::Across));
        let score = beyond - cut;
        if separates && best.is_none_or(|(other, _)| score > other) {
            best = Some((score, plane));
        }
    }
    best.map(|(_, plane)| plane)
}

struct Flattener<'a> {
    surface: &'a [Surface],
    tree: BspTree,
    empty_leaves: i32,
}

impl Flattener<'_> {
    fn finish(mut self, root: &Node) -> BspTree {
        let mut walls = Vec::new();
        self.add(root, &mut walls);
        self.tree
    }

    /// Adds a node and what is below it; `walls` receives the walls below.
    fn add(&mut self, node: &Node, walls: &mut Vec<usize>) -> u32 {
        let index = self.tree.nodes.len() as u32;
        match node {
            Node::Leaf { walls: own, .. } if own.is_empty() => {
                self.tree
                    .nodes
                    .push(BspNode::Leaf(BspLeaf { index: self.empty_leaves, ..BspLeaf::default() }));
                self.empty_leaves += 1;
            }
            Node::Leaf { solid, walls: own } => {
                let ids = own.iter().filter_map(|&w| match self.surface[w].role {
                    Role::Wall(id) => Some(id),
                    Role::Opening | Role::Seal => None,
                });
                let start = self.tree.polygons.len() as u32;
                self.tree.polygons.extend(ids);
                let leaf = BspLeaf {
                    index: -1,
                    solid: i32::from(*solid),
                    sphere: self.sphere(own),
                    polygons: Span { start, len: self.tree.polygons.len() as u32 - start },
                };
                self.tree.nodes.push(BspNode::Leaf(leaf));
                walls.extend(own);
            }
            Node::Split { plane, front, back } => {
                self.tree.nodes.push(BspNode::Leaf(BspLeaf::default()));
                let mut below = Vec::new();
                let positive = self.add(front, &mut below);
                let negative = self.add(back, &mut below);
                below.sort_unstable();
                below.dedup();
                self.tree.nodes[index as usize] = BspNode::Inner(BspInner {
                    tag: BspTag::BPnN,
                    plane: stored_plane(plane),
                    positive: Some(positive),
                    negative: Some(negative),
                    sphere: self.sphere(&below),
                    ..BspInner::default()
                });
                walls.extend(below);
            }
        }
        index
    }

    fn sphere(&self, walls: &[usize]) -> threshold_dat::records::Sphere {
        bounding_sphere(walls.iter().flat_map(|&w| self.surface[w].polygon.points.iter().copied()))
    }
}
