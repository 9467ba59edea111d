//! Binary space partitions as flat lists of nodes. Spec: dat-portal §3.

use super::{Plane, Sphere};
use crate::codec::{Reader, Result, Wire, Writer, wire_struct};
#[cfg(feature = "serde")]
use serde::Serialize;

/// The purpose of a tree, which decides the fields of its nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub enum BspKind {
    /// Polygons at the nodes, openings of buildings at PORT nodes.
    Drawing,
    /// Polygons at the leaves, solid or not.
    Physics,
    /// The volume of an interior cell; no polygons.
    Cell,
}

/// The kind of an inner node: which children it has.
///
/// The letters: P/p positive child or none, N/n negative child or none, I/n polygons in the plane or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[repr(u32)]
#[allow(missing_docs)] // The names are the stored tags.
pub enum BspTag {
    Port = 0x504F_5254,
    BPnn = 0x4250_6E6E,
    BPIn = 0x4250_496E,
    BpIN = 0x4270_494E,
    BpnN = 0x4270_6E4E,
    #[default]
    BPIN = 0x4250_494E,
    BPnN = 0x4250_6E4E,
    Bpnn = 0x4270_6E6E,
    BpIn = 0x4270_496E,
    BPOL = 0x4250_4F4C,
    BPFL = 0x4250_464C,
}

impl BspTag {
    pub(crate) const ALL: [BspTag; 11] = [
        BspTag::BPIN,
        BspTag::BPnN,
        BspTag::BPnn,
        BspTag::BPIn,
        BspTag::BpIN,
        BspTag::BpnN,
        BspTag::Bpnn,
        BspTag::BpIn,
        BspTag::BPOL,
        BspTag::BPFL,
        BspTag::Port,
    ];

    fn from_stored(tag: u32) -> Option<BspTag> {
        BspTag::ALL.into_iter().find(|known| *known as u32 == tag)
    }

    /// Whether a node of this kind has a child on the positive side of its plane.
    pub fn has_positive(self) -> bool {
        matches!(self, BspTag::Port | BspTag::BPnn | BspTag::BPIn | BspTag::BPIN | BspTag::BPnN)
    }

    /// Whether a node of this kind has a child on the negative side of its plane.
    pub fn has_negative(self) -> bool {
        matches!(self, BspTag::Port | BspTag::BpIN | BspTag::BpnN | BspTag::BPIN | BspTag::BPnN)
    }
}

const LEAF: u32 = 0x4C45_4146;

/// A run of elements in one of the tree's lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct Span {
    /// Index of the first element.
    pub start: u32,
    /// Number of elements.
    pub len: u32,
}

impl Span {
    /// The elements; `None` when the span does not lie within the list.
    pub fn of<T>(self, list: &[T]) -> &[T] {
        let start = self.start as usize;
        list.get(start..start.saturating_add(self.len as usize)).unwrap_or_default()
    }
}

/// The end of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct BspLeaf {
    /// Number of the leaf in its tree.
    pub index: i32,
    /// 1 inside matter; physics trees only.
    pub solid: i32,
    /// Bounds of its polygons; physics trees only.
    pub sphere: Sphere,
    /// Ids in [`BspTree::polygons`]; physics trees only.
    pub polygons: Span,
}

/// A plane that divides space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct BspInner {
    /// Says which children there are.
    pub tag: BspTag,
    /// The dividing plane.
    pub plane: Plane,
    /// Index of the node on the positive side.
    pub positive: Option<u32>,
    /// Index of the node on the negative side.
    pub negative: Option<u32>,
    /// Bounds of the subtree; not in cell trees.
    pub sphere: Sphere,
    /// Ids in [`BspTree::polygons`]; drawing trees only.
    pub polygons: Span,
    /// Entries of [`BspTree::portals`]; PORT nodes of drawing trees only.
    pub portals: Span,
}

/// A node of a tree. Fields that its tree's kind does not store are zero and empty.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "serde", derive(Serialize))]
#[allow(missing_docs)] // Each variant holds the type of its name.
pub enum BspNode {
    Leaf(BspLeaf),
    Inner(BspInner),
}

wire_struct! {
    /// An opening: a polygon of the model and the building portal behind it.
    #[derive(Copy, Eq, Default)]
    pub struct BspPortal {
        /// Id of the polygon.
        pub polygon: u16,
        /// Index into the building's portals.
        pub portal: u16,
    }
}

/// A tree: nodes in the order they are stored (each before its children, positive first); the root is the first.
#[derive(Debug, Clone, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(Serialize))]
pub struct BspTree {
    /// All nodes.
    pub nodes: Vec<BspNode>,
    /// Polygon ids that nodes refer to in runs.
    pub polygons: Vec<u16>,
    /// Openings that PORT nodes refer to in runs.
    pub portals: Vec<BspPortal>,
}

/// A node whose children are being read or written.
struct Open {
    node: usize,
    next: Side,
}

#[derive(Clone, Copy)]
enum Side {
    Positive,
    Negative,
    Done,
}

impl BspTree {
    /// Trees of real data are a few dozen deep.
    pub const MAX_DEPTH: usize = 1024;

    /// A tree of one leaf.
    pub fn leaf(leaf: BspLeaf) -> Self {
        BspTree { nodes: vec![BspNode::Leaf(leaf)], ..BspTree::default() }
    }

    pub(crate) fn read(r: &mut Reader<'_>, kind: BspKind) -> Result<Self> {
        let mut tree = BspTree::default();
        let mut open: Vec<Open> = Vec::new();
        loop {
            if open.len() >= Self::MAX_DEPTH {
                return Err(r.error("bsp node", r.pos(), format!("deeper than {} levels", Self::MAX_DEPTH)));
            }
            let node = tree.read_head(r, kind)?;
            let index = tree.nodes.len();
            if let BspNode::Inner(_) = node {
                open.push(Open { node: index, next: Side::Positive });
            }
            tree.nodes.push(node);
            // Closes every node whose children are complete, up to one that waits for another child.
            loop {
                let Some(Open { node, next }) = open.last_mut() else { return Ok(tree) };
                let child = tree.nodes.len() as u32;
                let Some(BspNode::Inner(inner)) = tree.nodes.get_mut(*node) else { return Ok(tree) };
                match *next {
                    Side::Positive => {
                        *next = Side::Negative;
                        if inner.tag.has_positive() {
                            inner.positive = Some(child);
                            break;
                        }
                    }
                    Side::Negative => {
                        *next = Side::Done;
                        if inner.tag.has_negative() {
                            inner.negative = Some(child);
                            break;
                        }
                    }
                    Side::Done => {
                        let node = *node;
                        tree.read_tail(node, r, kind)?;
                        open.pop();
                    }
                }
            }
        }
    }

    /// What is stored of a node before its children.
    fn read_head(&mut self, r: &mut Reader<'_>, kind: BspKind) -> Result<BspNode> {
        let offset = r.pos();
        let stored: u32 = r.read("bsp tag")?;
        if stored == LEAF {
            let mut leaf = BspLeaf { index: r.read("bsp leaf index")?, ..BspLeaf::default() };
            if kind == BspKind::Physics {
                leaf.solid = r.read("bsp leaf solid")?;
                leaf.sphere = read_sphere(r, kind)?;
                let count = r.count(2, "bsp polygon count")?;
                leaf.polygons = self.read_polygons(r, count)?;
            }
            return Ok(BspNode::Leaf(leaf));
        }
        let Some(tag) = BspTag::from_stored(stored) else {
            return Err(r.error("bsp tag", offset, format!("{stored:#010x} is unknown")));
        };
        if tag == BspTag::Port && kind != BspKind::Drawing {
            r.note("bsp tag", offset, || format!("a PORT node in a {kind:?} tree"));
        }
        Ok(BspNode::Inner(BspInner { tag, plane: r.read("bsp plane")?, ..BspInner::default() }))
    }

    /// What is stored of an inner node after its children.
    fn read_tail(&mut self, node: usize, r: &mut Reader<'_>, kind: BspKind) -> Result<()> {
        let Some(BspNode::Inner(mut inner)) = self.nodes.get(node).copied() else { return Ok(()) };
        let is_port = inner.tag == BspTag::Port;
        if kind == BspKind::Cell || (is_port && kind == BspKind::Physics) {
            return Ok(());
        }
        inner.sphere = read_sphere(r, kind)?;
        if kind == BspKind::Drawing {
            let count = r.count(2, "bsp polygon count")?;
            let portal_count = if is_port { r.count(4, "bsp portal count")? } else { 0 };
            inner.polygons = self.read_polygons(r, count)?;
            let start = self.portals.len() as u32;
            r.check_count(portal_count as u64, 4, r.pos(), "bsp portal count")?;
            for _ in 0..portal_count {
                self.portals.push(r.read("bsp portal")?);
            }
            inner.portals = Span { start, len: portal_count as u32 };
        }
        if let Some(slot) = self.nodes.get_mut(node) {
            *slot = BspNode::Inner(inner);
        }
        Ok(())
    }

    fn read_polygons(&mut self, r: &mut Reader<'_>, count: usize) -> Result<Span> {
        let start = self.polygons.len() as u32;
        let ids = r.slice(2 * count, "bsp polygons")?.as_chunks().0;
        self.polygons.extend(ids.iter().map(|id| u16::from_le_bytes(*id)));
        Ok(Span { start, len: count as u32 })
    }

    pub(crate) fn write(&self, w: &mut Writer<'_>, kind: BspKind) -> Result<()> {
        let mut open: Vec<Open> = Vec::new();
        let mut next_node = Some(0);
        let mut written = 0;
        while let Some(index) = next_node.take() {
            // A tree made in memory could refer to a node twice, even to its own parent.
            written += 1;
            if written > self.nodes.len() || open.len() >= Self::MAX_DEPTH {
                return Err(w.error("bsp node", "the nodes are not a tree of at most 1024 levels"));
            }
            self.write_head(index, w, kind)?;
            open.push(Open { node: index, next: Side::Positive });
            while let Some(Open { node, next }) = open.last_mut() {
                let Some(BspNode::Inner(inner)) = self.nodes.get(*node) else {
                    open.pop();
                    continue;
                };
                let (child, stored) = match *next {
                    Side::Positive => {
                        *next = Side::Negative;
                        (inner.positive, inner.tag.has_positive())
                    }
                    Side::Negative => {
                        *next = Side::Done;
                        (inner.negative, inner.tag.has_negative())
                    }
                    Side::Done => {
                        self.write_tail(inner, w, kind)?;
                        open.pop();
                        continue;
                    }
                };
                if child.is_some() != stored {
                    return Err(w.error("bsp node", format!("children do not match the tag {:?}", inner.tag)));
                }
                if let Some(child) = child {
                    next_node = Some(child as usize);
                    break;
                }
            }
        }
        Ok(())
    }

    fn write_head(&self, index: usize, w: &mut Writer<'_>, kind: BspKind) -> Result<()> {
        match self.nodes.get(index) {
            None => Err(w.error("bsp node", format!("there is no node {index}"))),
            Some(BspNode::Inner(inner)) => {
                w.write(&(inner.tag as u32), "bsp tag")?;
                w.write(&inner.plane, "bsp plane")
            }
            Some(BspNode::Leaf(leaf)) => {
                w.write(&LEAF, "bsp tag")?;
                w.write(&leaf.index, "bsp leaf index")?;
                if kind == BspKind::Physics {
                    w.write(&leaf.solid, "bsp leaf solid")?;
                    w.write(&leaf.sphere, "bsp sphere")?;
                    w.write(&leaf.polygons.len, "bsp polygon count")?;
                    write_span(w, leaf.polygons, &self.polygons)?;
                }
                Ok(())
            }
        }
    }

    fn write_tail(&self, inner: &BspInner, w: &mut Writer<'_>, kind: BspKind) -> Result<()> {
        let is_port = inner.tag == BspTag::Port;
        if kind == BspKind::Cell || (is_port && kind == BspKind::Physics) {
            return Ok(());
        }
        w.write(&inner.sphere, "bsp sphere")?;
        if kind == BspKind::Drawing {
            w.write(&inner.polygons.len, "bsp polygon count")?;
            if is_port {
                w.write(&inner.portals.len, "bsp portal count")?;
            }
            write_span(w, inner.polygons, &self.polygons)?;
            if is_port {
                write_span(w, inner.portals, &self.portals)?;
            }
        }
        Ok(())
    }
}

fn write_span<T: Wire>(w: &mut Writer<'_>, span: Span, list: &[T]) -> Result<()> {
    let elements = span.of(list);
    if elements.len() != span.len as usize {
        return Err(w.error("bsp node", format!("{span:?} is outside the tree's list of {}", list.len())));
    }
    w.elements(elements, "bsp node")
}

/// Collision depends on the bounds; drawing can do without them.
fn read_sphere(r: &mut Reader<'_>, kind: BspKind) -> Result<Sphere> {
    let offset = r.pos();
    let sphere: Sphere = match kind {
        BspKind::Physics => Sphere::read_finite(r, "bsp sphere")?,
        _ => r.read("bsp sphere")?,
    };
    if sphere.radius < 0.0 {
        let problem = format!("radius {} is negative", sphere.radius);
        if kind == BspKind::Physics {
            return Err(r.error("bsp sphere", offset, problem));
        }
        r.repair("bsp sphere", offset, || problem)?;
    }
    Ok(sphere)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DatId;
    use crate::codec::HookPadding;
    use crate::codec::testing::{both_ways, reader};

    const UP: Plane = Plane { normal: [0.0, 0.0, 1.0], d: 0.0 };
    const BALL: Sphere = Sphere { center: [0.5, 0.5, 0.0], radius: 1.0 };

    #[track_caller]
    fn tree(kind: BspKind, text: &str) -> BspTree {
        both_ways(text, |r| BspTree::read(r, kind), |tree, w| tree.write(w, kind))
    }

    #[test]
    fn a_cell_tree_has_planes_only() {
        let tree = tree(
            BspKind::Cell,
            "6E 6E 50 42 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 46 41 45 4C 00 00 00 00",
        );
        let root = BspInner { tag: BspTag::BPnn, plane: UP, positive: Some(1), ..BspInner::default() };
        assert_eq!(tree.nodes, [BspNode::Inner(root), BspNode::Leaf(BspLeaf::default())]);
    }

    #[test]
    fn a_physics_tree_has_polygons_at_its_leaves() {
        let tree = tree(
            BspKind::Physics,
            "6E 6E 50 42 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 46 41 45 4C 00 00 00 00 01 00 00 00
             00 00 00 3F 00 00 00 3F 00 00 00 00 00 00 80 3F 01 00 00 00 00 00 00 00 00 3F 00 00 00 3F 00 00
             00 00 00 00 80 3F",
        );
        let inner =
            BspInner { tag: BspTag::BPnn, plane: UP, positive: Some(1), sphere: BALL, ..BspInner::default() };
        let leaf = BspLeaf { index: 0, solid: 1, sphere: BALL, polygons: Span { start: 0, len: 1 } };
        assert_eq!(tree.nodes, [BspNode::Inner(inner), BspNode::Leaf(leaf)]);
        assert_eq!(leaf.polygons.of(&tree.polygons), [0]);
    }

    #[test]
    fn a_drawing_tree_has_polygons_at_its_planes() {
        let tree = tree(
            BspKind::Drawing,
            "4C 4F 50 42 00 00 00 00 00 00 00 00 00 00 80 3F 00 00 00 00 00 00 00 3F 00 00 00 3F 00 00 00 00
             00 00 80 3F 01 00 00 00 00 00",
        );
        let polygons = Span { start: 0, len: 1 };
        let root = BspInner { tag: BspTag::BPOL, plane: UP, sphere: BALL, polygons, ..BspInner::default() };
        assert_eq!((tree.nodes, tree.polygons), (vec![BspNode::Inner(root)], vec![0]));
    }

    #[test]
    fn a_port_node_names_the_polygon_before_the_portal() {
        let tree = tree(
            BspKind::Drawing,
            "54 52 4F 50 00 00 80 3F 00 00 00 00 00 00 00 00 00 00 00 C0 46 41 45 4C 00 00 00 00 46 41 45 4C
             01 00 00 00 00 00 00 40 00 00 00 00 00 00 80 3F 00 00 40 40 00 00 00 00 01 00 00 00 2A 00 03 00",
        );
        let leaf = |index| BspNode::Leaf(BspLeaf { index, ..BspLeaf::default() });
        let root = BspInner {
            tag: BspTag::Port,
            plane: Plane { normal: [1.0, 0.0, 0.0], d: -2.0 },
            positive: Some(1),
            negative: Some(2),
            sphere: Sphere { center: [2.0, 0.0, 1.0], radius: 3.0 },
            polygons: Span::default(),
            portals: Span { start: 0, len: 1 },
        };
        assert_eq!(tree.nodes, [BspNode::Inner(root), leaf(0), leaf(1)]);
        assert_eq!(tree.portals, [BspPortal { polygon: 42, portal: 3 }]);
    }

    #[test]
    fn every_tag_is_read_with_the_children_its_letters_say() {
        let leaf = "46 41 45 4C 00 00 00 00";
        for (bytes, tag, children) in [
            ("54 52 4F 50", BspTag::Port, 2),
            ("6E 6E 50 42", BspTag::BPnn, 1),
            ("6E 49 50 42", BspTag::BPIn, 1),
            ("4E 49 70 42", BspTag::BpIN, 1),
            ("4E 6E 70 42", BspTag::BpnN, 1),
            ("4E 49 50 42", BspTag::BPIN, 2),
            ("4E 6E 50 42", BspTag::BPnN, 2),
            ("6E 6E 70 42", BspTag::Bpnn, 0),
            ("6E 49 70 42", BspTag::BpIn, 0),
            ("4C 4F 50 42", BspTag::BPOL, 0),
            ("4C 46 50 42", BspTag::BPFL, 0),
        ] {
            let text = format!("{bytes} 00000000 00000000 0000803F 00000000 {}", leaf.repeat(children));
            let tree = tree(BspKind::Cell, &text);
            assert_eq!(tree.nodes.len(), 1 + children);
            let Some(BspNode::Inner(root)) = tree.nodes.first() else { panic!("{bytes} is no inner node") };
            assert_eq!(root.tag, tag);
            let found = usize::from(root.positive.is_some()) + usize::from(root.negative.is_some());
            assert_eq!(found, children);
        }
    }

    #[test]
    fn a_tree_of_unbounded_depth_is_refused() {
        let mut node = 0x4250_6E6E_u32.to_le_bytes().to_vec();
        node.extend([0; 16]);
        let error = BspTree::read(&mut reader(&node.repeat(100_000)), BspKind::Cell).unwrap_err();
        assert_eq!((error.field, error.offset), ("bsp node", 1024 * 20));

        let mut deepest = node.repeat(1023);
        deepest.extend([0x46, 0x41, 0x45, 0x4C, 0, 0, 0, 0]);
        let tree = BspTree::read(&mut reader(&deepest), BspKind::Cell).unwrap();
        let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
        tree.write(&mut w, BspKind::Cell).unwrap();
        assert_eq!(w.into_bytes(), deepest);
    }

    #[test]
    fn an_unknown_tag_is_refused() {
        let error = BspTree::read(&mut reader(&[0; 64]), BspKind::Drawing).unwrap_err();
        assert_eq!((error.field, error.offset), ("bsp tag", 0));
    }

    #[test]
    fn nodes_that_are_no_tree_are_not_written() {
        let inner = BspInner { tag: BspTag::BPnn, positive: Some(0), ..BspInner::default() };
        let own_child = BspTree { nodes: vec![BspNode::Inner(inner)], ..BspTree::default() };
        let childless = BspInner { positive: None, ..inner };
        let childless = BspTree { nodes: vec![BspNode::Inner(childless)], ..BspTree::default() };
        let polygons = Span { start: 0, len: 1 };
        let no_polygons = BspTree::leaf(BspLeaf { polygons, ..BspLeaf::default() });
        for tree in [own_child, childless, no_polygons, BspTree::default()] {
            let mut w = Writer::new(DatId(1), &[], HookPadding::Aligned);
            assert!(tree.write(&mut w, BspKind::Physics).is_err());
        }
    }
}
