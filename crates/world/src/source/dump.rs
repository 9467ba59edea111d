//! Folders of cell and mesh dumps (JSON), as acdream writes them, served as records.
//!
//! A dump holds polygons but no trees and no terrain. The missing trees are made as simply as they can be: every
//! polygon in one leaf, and as a cell's volume the planes that have all of its vertices in front.

use super::MemorySource;
use crate::{
    CellId, EPSILON,
    geometry::{Aabb, Plane, polygon_plane},
};
use glam::{Mat3, Vec3};
use serde::{Deserialize, de::IgnoredAny};
use std::{
    collections::{BTreeMap, HashMap},
    fs, io,
    path::{Path, PathBuf},
};
use threshold_dat::{
    DatId, IdScheme, RecordError,
    records::{self, BspInner, BspLeaf, BspNode, BspTag, BspTree, PortalFlags, Span},
};

/// Distance within which vertices count as lying in a plane.
const PLANAR: f32 = 0.01;
/// Distance within which two portal polygons count as the same opening.
const COINCIDENT: f32 = 0.05;

/// Why a folder of dumps cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DumpError {
    /// The operating system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// File or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// Not a dump, or one with impossible contents.
    #[error("{}: {problem}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
    /// The folder holds no dump of a cell.
    #[error("{}: no cell dumps (JSON files with a `CellId`) here", .0.display())]
    Empty(PathBuf),
}

/// What a file is a dump of, by the id it has.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Kind {
    cell_id: Option<IgnoredAny>,
    gfx_obj_id: Option<IgnoredAny>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct CellDump {
    cell_id: u32,
    world_transform: Matrix,
    resolved_polygons: Vec<PolygonDump>,
    portal_polygons: Vec<PolygonDump>,
    #[serde(default)]
    portals: Vec<PortalDump>,
    #[serde(default)]
    visible_cell_ids: Vec<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct MeshDump {
    gfx_obj_id: u32,
    resolved_polygons: Vec<PolygonDump>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PolygonDump {
    id: u16,
    #[serde(default)]
    sides_type: i32,
    vertices: Vec<Point>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct PortalDump {
    other_cell_id: u32,
    polygon_id: u16,
    flags: u16,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Point {
    x: f32,
    y: f32,
    z: f32,
}

/// Row vectors: the first three rows are where the axes go, the fourth is the origin.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
#[allow(missing_docs)]
struct Matrix {
    m11: f32,
    m12: f32,
    m13: f32,
    m21: f32,
    m22: f32,
    m23: f32,
    m31: f32,
    m32: f32,
    m33: f32,
    m41: f32,
    m42: f32,
    m43: f32,
}

impl From<Point> for Vec3 {
    fn from(p: Point) -> Vec3 {
        Vec3::new(p.x, p.y, p.z)
    }
}

impl Matrix {
    fn rotation(&self) -> Mat3 {
        Mat3::from_cols(
            Vec3::new(self.m11, self.m12, self.m13),
            Vec3::new(self.m21, self.m22, self.m23),
            Vec3::new(self.m31, self.m32, self.m33),
        )
    }

    fn frame(&self) -> records::Frame {
        let q = glam::Quat::from_mat3(&self.rotation());
        records::Frame { origin: [self.m41, self.m42, self.m43], rotation: [q.w, q.x, q.y, q.z] }
    }

    fn apply(&self, p: Vec3) -> Vec3 {
        self.rotation() * p + Vec3::new(self.m41, self.m42, self.m43)
    }
}

impl PolygonDump {
    fn corners(&self) -> Vec<Vec3> {
        self.vertices.iter().map(|&p| p.into()).collect()
    }
}

impl CellDump {
    fn id(&self) -> CellId {
        CellId(self.cell_id)
    }

    /// The middle of a portal's polygon in block coordinates.
    fn portal_center(&self, portal: &PortalDump) -> Option<Vec3> {
        let polygon = self.portal_polygons.iter().find(|p| p.id == portal.polygon_id)?;
        let sum: Vec3 = polygon.vertices.iter().map(|&p| Vec3::from(p)).sum();
        Some(self.world_transform.apply(sum / polygon.vertices.len().max(1) as f32))
    }
}

/// Reads every dump of a folder. Cells come without terrain; the folder's other files are passed over.
pub fn read_dumps(dir: impl AsRef<Path>) -> Result<MemorySource, DumpError> {
    let dir = dir.as_ref();
    let failed = |path: &Path, source| DumpError::Io { path: path.to_owned(), source };
    let mut paths = Vec::new();
    for entry in fs::read_dir(dir).map_err(|e| failed(dir, e))? {
        paths.push(entry.map_err(|e| failed(dir, e))?.path());
    }
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "json"));
    paths.sort();
    let (mut cells, mut source) = (BTreeMap::new(), MemorySource::new());
    for path in paths {
        let wrong = |problem: String| DumpError::Format { path: path.clone(), problem };
        let bytes = fs::read(&path).map_err(|e| failed(&path, e))?;
        let unusable = |e: serde_json::Error| wrong(e.to_string());
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        let kind = if is_object {
            serde_json::from_slice(&bytes)
        } else {
            serde_json::from_slice(&bytes).map(|IgnoredAny| Kind::default())
        };
        let kind = kind.map_err(unusable)?;
        if kind.cell_id.is_some() {
            let cell: CellDump = serde_json::from_slice(&bytes).map_err(unusable)?;
            cells.insert(cell.cell_id, (path, cell));
        } else if kind.gfx_obj_id.is_some() {
            let mesh = serde_json::from_slice(&bytes).map_err(unusable)?;
            add_mesh(&mut source, &mesh).map_err(|e| wrong(e.to_string()))?;
        }
    }
    if cells.is_empty() {
        return Err(DumpError::Empty(dir.to_owned()));
    }
    for (number, (path, cell)) in cells.values().enumerate() {
        add_cell(&mut source, number, cell, &cells)
            .map_err(|problem| DumpError::Format { path: path.clone(), problem })?;
    }
    Ok(source)
}

type Cells = BTreeMap<u32, (PathBuf, CellDump)>;

fn add_mesh(source: &mut MemorySource, dump: &MeshDump) -> Result<(), RecordError> {
    let mut vertices = VertexList::default();
    let polygons: Vec<_> = dump.resolved_polygons.iter().map(|p| vertices.polygon(p)).collect();
    let bsp = one_leaf(&dump.resolved_polygons);
    let mesh = records::GfxObj {
        vertices: vertices.array,
        physics: Some(records::PolygonTree { polygons, bsp }),
        ..records::GfxObj::default()
    };
    source.insert_record(IdScheme::Portal, DatId(dump.gfx_obj_id), &mesh)
}

fn add_cell(source: &mut MemorySource, number: usize, cell: &CellDump, cells: &Cells) -> Result<(), String> {
    if !cell.id().is_interior() || !crate::coords::is_valid_cell_id(cell.id()) {
        return Err(format!("{} is not an interior cell", cell.id()));
    }
    let number = u16::try_from(number).map_err(|_| "more cells than there are Environment ids".to_owned())?;
    let environment = DatId(0x0D00_0000 | u32::from(number));
    let structure = records::Environment { structures: vec![(0, structure_of(cell))] };
    source.insert_record(IdScheme::Portal, environment, &structure).map_err(|e| e.to_string())?;
    let sees_outside = |cell: &CellDump| cell.portals.iter().any(|p| p.other_cell_id as u16 == 0xFFFF);
    let seen_outside = sees_outside(cell)
        || cell.visible_cell_ids.iter().filter_map(|id| cells.get(id)).any(|(_, other)| sees_outside(other));
    let record = records::EnvCell {
        flags: if seen_outside { records::EnvCell::SEEN_OUTSIDE } else { 0 },
        environment: number,
        frame: cell.world_transform.frame(),
        portals: cell.portals.iter().map(|portal| portal_of(cell, portal, cells)).collect(),
        visible_cells: cell.visible_cell_ids.iter().map(|&id| id as u16).collect(),
        ..records::EnvCell::default()
    };
    source.insert_record(IdScheme::Cell, DatId(cell.cell_id), &record).map_err(|e| e.to_string())
}

/// A portal with the index of its counterpart, which dumps do not name: the one that leads back at the same place.
fn portal_of(cell: &CellDump, portal: &PortalDump, cells: &Cells) -> records::CellPortal {
    let other_cell = portal.other_cell_id as u16;
    let other = cells.get(&cell.id().block().cell(other_cell).0).map(|(_, other)| other);
    let center = cell.portal_center(portal);
    let is_counterpart = |other: &CellDump, back: &PortalDump| {
        back.other_cell_id as u16 == cell.id().low()
            && match (center, other.portal_center(back)) {
                (Some(a), Some(b)) => a.distance(b) < COINCIDENT,
                _ => false,
            }
    };
    let index = other.and_then(|other| other.portals.iter().position(|back| is_counterpart(other, back)));
    records::CellPortal {
        flags: PortalFlags(portal.flags),
        polygon: portal.polygon_id,
        other_cell,
        other_portal: index.and_then(|i| i16::try_from(i).ok()).unwrap_or(-1),
    }
}

fn structure_of(cell: &CellDump) -> records::CellStruct {
    let mut vertices = VertexList::default();
    let polygons: Vec<_> = cell.portal_polygons.iter().map(|p| vertices.polygon(p)).collect();
    let physics_polygons: Vec<_> = cell.resolved_polygons.iter().map(|p| vertices.polygon(p)).collect();
    let mut portals: Vec<u16> = cell.portals.iter().map(|portal| portal.polygon_id).collect();
    portals.sort_unstable();
    portals.dedup();
    portals.retain(|id| cell.portal_polygons.iter().any(|p| p.id == *id));
    records::CellStruct {
        vertices: vertices.array,
        polygons,
        portals,
        cell_bsp: volume_of(cell),
        physics_polygons,
        physics_bsp: one_leaf(&cell.resolved_polygons),
        drawing_bsp: None,
    }
}

/// Vertices under consecutive keys, equal ones once.
#[derive(Default)]
struct VertexList {
    array: records::VertexArray,
    keys: HashMap<[u32; 3], u16>,
}

impl VertexList {
    fn key(&mut self, p: Point) -> u16 {
        let bits = [p.x.to_bits(), p.y.to_bits(), p.z.to_bits()];
        *self.keys.entry(bits).or_insert_with(|| {
            // More vertices than keys: the record's own check refuses the list.
            let key = self.array.vertices.len() as u16;
            let vertex =
                records::Vertex { origin: [p.x, p.y, p.z], normal: [0.0, 0.0, 1.0], uvs: Vec::new() };
            self.array.vertices.push((key, vertex));
            key
        })
    }

    fn polygon(&mut self, dump: &PolygonDump) -> (u16, records::Polygon) {
        let vertices = dump.vertices.iter().map(|&p| self.key(p)).collect();
        let stippling = records::Polygon::NO_POS_UVS | records::Polygon::NO_NEG_UVS;
        (
            dump.id,
            records::Polygon { stippling, sides: dump.sides_type, vertices, ..records::Polygon::default() },
        )
    }
}

fn one_leaf(polygons: &[PolygonDump]) -> BspTree {
    let points = || polygons.iter().flat_map(|p| p.corners());
    let bounds = Aabb::around(points()).unwrap_or_default();
    let center = (bounds.min + bounds.max) / 2.0;
    let radius = points().map(|p| p.distance(center)).fold(0.0, f32::max);
    let ids: Vec<u16> = polygons.iter().map(|p| p.id).collect();
    let leaf = BspLeaf {
        sphere: records::Sphere { center: center.into(), radius },
        polygons: Span { start: 0, len: ids.len() as u32 },
        ..BspLeaf::default()
    };
    BspTree { polygons: ids, ..BspTree::leaf(leaf) }
}

/// The convex hull as far as the cell's own planes tell, within its box.
fn volume_of(cell: &CellDump) -> BspTree {
    let polygons: Vec<Vec<Vec3>> =
        cell.portal_polygons.iter().chain(&cell.resolved_polygons).map(PolygonDump::corners).collect();
    let bounds = Aabb::around(polygons.iter().flatten().copied()).unwrap_or_default();
    let mut planes: Vec<Plane> = Vec::new();
    let mut add = |plane: Plane| {
        let same = |other: &Plane| {
            other.normal.dot(plane.normal) > 1.0 - EPSILON && (other.d - plane.d).abs() < PLANAR
        };
        if !planes.iter().any(same) {
            planes.push(plane);
        }
    };
    for plane in polygons.iter().filter_map(|polygon| polygon_plane(polygon)) {
        for plane in [plane, Plane { normal: -plane.normal, d: -plane.d }] {
            if polygons.iter().flatten().all(|&p| plane.distance(p) >= -PLANAR) {
                add(plane);
            }
        }
    }
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        add(Plane::through(axis, bounds.min));
        add(Plane::through(-axis, bounds.max));
    }
    chain(&planes)
}

fn chain(planes: &[Plane]) -> BspTree {
    let inner = |(i, plane): (usize, &Plane)| {
        BspNode::Inner(BspInner {
            tag: BspTag::BPnn,
            plane: records::Plane { normal: plane.normal.into(), d: plane.d },
            positive: Some(i as u32 + 1),
            ..BspInner::default()
        })
    };
    let mut nodes: Vec<BspNode> = planes.iter().enumerate().map(inner).collect();
    nodes.push(BspNode::Leaf(BspLeaf::default()));
    BspTree { nodes, ..BspTree::default() }
}
