//! Drawing trees: bounds of a mesh, and the openings of a building's shell.

use super::{
    BspError, MAX_DEPTH, bounding_sphere, check_polygons,
    splitter::{Divided, Piece, best_splitter, divide},
    stored_plane,
};
use crate::geom::{Plane, Polygon};
use threshold_dat::records::{BspInner, BspLeaf, BspNode, BspPortal, BspTag, BspTree, Span};

/// A polygon of a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawn {
    /// Shape.
    pub polygon: Polygon,
    /// The number it is stored under.
    pub id: u16,
    /// The building portal it is the opening of.
    pub portal: Option<u16>,
}

/// Compiles all polygons of a mesh; openings end up in PORT nodes at the top. Spec: dat-portal §3, visibility §2.2.
///
/// Polygons are listed at the node whose plane contains them; one that is cut is listed at several.
pub fn drawing_tree(drawn: &[Drawn]) -> Result<BspTree, BspError> {
    check_polygons(drawn.iter().map(|d| &d.polygon))?;
    let planes: Option<Vec<Plane>> = drawn.iter().map(|d| d.polygon.plane()).collect();
    let planes = planes.unwrap_or_default();
    let mut compiler = Compiler { drawn, planes, tree: BspTree::default(), leaves: 0 };
    let pieces = drawn.iter().enumerate();
    compiler.add(pieces.map(|(source, d)| Piece { source, polygon: d.polygon.clone() }).collect(), 0)?;
    Ok(compiler.tree)
}

struct Compiler<'a> {
    drawn: &'a [Drawn],
    planes: Vec<Plane>,
    tree: BspTree,
    leaves: i32,
}

impl Compiler<'_> {
    /// Adds the tree of some pieces; returns its index and the polygons in it.
    fn add(&mut self, pieces: Vec<Piece>, depth: usize) -> Result<(u32, Vec<usize>), BspError> {
        if depth >= MAX_DEPTH {
            return Err(BspError::TooDeep);
        }
        let index = self.tree.nodes.len() as u32;
        let opening = pieces.iter().find(|p| self.drawn[p.source].portal.is_some());
        let opening = opening.map(|p| self.planes[p.source]);
        let Some(plane) = opening.or_else(|| best_splitter(&pieces, &self.planes)) else {
            self.tree.nodes.push(BspNode::Leaf(BspLeaf { index: self.leaves, ..BspLeaf::default() }));
            self.leaves += 1;
            return Ok((index, Vec::new()));
        };
        self.tree.nodes.push(BspNode::Leaf(BspLeaf::default()));
        let Divided { front, back, along, against } = divide(pieces, &plane, &self.planes);
        let mut own: Vec<usize> = along.iter().chain(&against).map(|p| p.source).collect();
        own.sort_unstable();
        own.dedup();
        let (polygons, portals) = self.store(&own);
        let (positive, mut below) = self.add(front, depth + 1)?;
        let (negative, behind) = self.add(back, depth + 1)?;
        below.extend(behind);
        below.extend(own);
        below.sort_unstable();
        below.dedup();
        let points = below.iter().flat_map(|&i| self.drawn[i].polygon.points.iter().copied());
        self.tree.nodes[index as usize] = BspNode::Inner(BspInner {
            tag: match (portals.len, polygons.len) {
                (0, 0) => BspTag::BPnN,
                (0, _) => BspTag::BPIN,
                _ => BspTag::Port,
            },
            plane: stored_plane(&plane),
            positive: Some(positive),
            negative: Some(negative),
            sphere: bounding_sphere(points),
            polygons,
            portals,
        });
        Ok((index, below))
    }

    /// Stores the polygons in a node's plane: openings apart from the rest.
    fn store(&mut self, own: &[usize]) -> (Span, Span) {
        let (first_polygon, first_portal) = (self.tree.polygons.len(), self.tree.portals.len());
        for &i in own {
            let Drawn { id, portal, .. } = self.drawn[i];
            match portal {
                Some(portal) => self.tree.portals.push(BspPortal { polygon: id, portal }),
                None => self.tree.polygons.push(id),
            }
        }
        let span = |start: usize, end: usize| Span { start: start as u32, len: (end - start) as u32 };
        (span(first_polygon, self.tree.polygons.len()), span(first_portal, self.tree.portals.len()))
    }
}
