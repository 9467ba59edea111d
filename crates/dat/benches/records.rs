//! How fast records become values: `cargo bench -p threshold-dat --bench records`.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use threshold_dat::{DatId, Mode, records::*};

/// An interior cell as dungeons have them: a few exits, a dozen surfaces, some furniture.
fn cell() -> EnvCell {
    EnvCell {
        flags: EnvCell::SEEN_OUTSIDE,
        surfaces: (0..12).collect(),
        environment: 0x2E6,
        frame: Frame { origin: [48.0, 72.0, 10.0], ..Frame::IDENTITY },
        portals: (0..4)
            .map(|n| CellPortal { flags: PortalFlags(3), polygon: n, other_cell: 0x100 + n, other_portal: 0 })
            .collect(),
        visible_cells: (0x100..0x114).collect(),
        statics: vec![PlacedObject { model: DatId(0x0200_033F), frame: Frame::IDENTITY }; 3],
        ..EnvCell::default()
    }
}

/// A model of 10 × 10 corners with 81 faces, drawn and collided with, in a balanced tree of 63 nodes each.
fn model() -> GfxObj {
    let corner = |n: u16| Vertex {
        origin: [f32::from(n % 10), f32::from(n / 10), 0.0],
        normal: [0.0, 0.0, 1.0],
        uvs: vec![[0.0, 0.0], [1.0, 0.0]],
    };
    let face = |n: u16| {
        let low = n % 9 + n / 9 * 10;
        let vertices = vec![low, low + 1, low + 11, low + 10];
        (n, Polygon { vertices, pos_uvs: vec![0, 1, 1, 0], neg_surface: -1, ..Polygon::default() })
    };
    let polygons: Vec<_> = (0..81).map(face).collect();
    GfxObj {
        surfaces: vec![DatId(0x0800_0219); 4],
        vertices: VertexArray { vertices: (0..100).map(|n| (n, corner(n))).collect() },
        physics: Some(PolygonTree { polygons: polygons.clone(), bsp: tree() }),
        drawing: Some(PolygonTree { polygons, bsp: tree() }),
        ..GfxObj::default()
    }
}

fn tree() -> BspTree {
    fn grow(tree: &mut BspTree, levels: u32) -> u32 {
        let index = tree.nodes.len();
        let polygons = Span { start: 0, len: 2 };
        if levels == 0 {
            tree.nodes.push(BspNode::Leaf(BspLeaf { index: index as i32, polygons, ..BspLeaf::default() }));
            return index as u32;
        }
        tree.nodes.push(BspNode::Leaf(BspLeaf::default()));
        let plane = Plane { normal: [1.0, 0.0, 0.0], d: levels as f32 };
        let (positive, negative) = (Some(grow(tree, levels - 1)), Some(grow(tree, levels - 1)));
        tree.nodes[index] =
            BspNode::Inner(BspInner { plane, positive, negative, polygons, ..BspInner::default() });
        index as u32
    }
    let mut tree = BspTree { polygons: vec![0, 1], ..BspTree::default() };
    grow(&mut tree, 5);
    tree
}

fn measure<T: DatRecord>(c: &mut Criterion, name: &str, id: DatId, record: &T) {
    let bytes = record.encode(id).expect("the record can be stored");
    let mut group = c.benchmark_group(format!("{name} of {} bytes", bytes.len()));
    group.throughput(Throughput::Elements(1));
    group.bench_function("load", |b| b.iter(|| T::load(id, black_box(&bytes))));
    group.bench_function("decode strictly", |b| b.iter(|| T::decode(id, black_box(&bytes), Mode::Strict)));
    group.bench_function("encode", |b| b.iter(|| black_box(record).encode(id)));
    group.finish();
}

fn records(c: &mut Criterion) {
    measure(c, "EnvCell", DatId(0x0102_0100), &cell());
    measure(c, "GfxObj", DatId(0x0100_0001), &model());
}

criterion_group!(benches, records);
criterion_main!(benches);
