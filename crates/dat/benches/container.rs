//! Walking files of 200 MB, compared with copying the same bytes, and finding records in them.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::{hint::black_box, path::Path, time::Duration};
use threshold_dat::{
    DatId,
    container::{Attributes, Builder, DatFile, FileKind, Header},
    records::Iteration,
};

const FILE_BYTES: u64 = 200 << 20;
const LOOKUPS: u32 = 1_000_000;

/// Numbers that look random and are the same in every run.
struct Sequence(u64);

impl Sequence {
    fn below(&mut self, limit: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % u64::from(limit)) as u32
    }
}

/// The id of a record; ids are not dense.
fn id(index: u32) -> DatId {
    DatId(index * 5)
}

/// Writes a file with records of about `mean` bytes, as the shipped files have them, and returns their number.
fn make(path: &Path, kind: FileKind, mean: u32) -> u32 {
    let mut builder = Builder::create(path, Header::new(kind)).unwrap();
    let mut sizes = Sequence(1);
    let bytes: Vec<u8> = (0..32 * mean).map(|i| i as u8).collect();
    let block_size = u64::from(Header::new(kind).block_size);
    let (mut index, mut total) = (0, 0);
    while total < FILE_BYTES {
        // Many small records and a few that are much larger.
        let size = 16 + sizes.below(mean) + if sizes.below(16) == 0 { sizes.below(16 * mean) } else { 0 };
        builder.add(id(index), &bytes[..size as usize], Attributes::default()).unwrap();
        total += u64::from(size).div_ceil(block_size - 4) * block_size;
        index += 1;
    }
    builder.commit(&Iteration::complete(1)).unwrap();
    index
}

fn walk(path: &Path, buffer: &mut Vec<u8>) -> u64 {
    let dat = DatFile::open(path).unwrap();
    let mut total = 0;
    for entry in dat.entries().prefetching() {
        total += black_box(dat.read_with(&entry.unwrap(), buffer).unwrap()).len() as u64;
    }
    total
}

fn benches(criterion: &mut Criterion) {
    let folder = tempfile::tempdir().unwrap();
    let mut group = criterion.benchmark_group("container");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    for (name, kind, mean) in [("portal", FileKind::Portal, 8000), ("cell", FileKind::Cell, 300)] {
        let path = folder.path().join(name);
        let count = make(&path, kind, mean);
        let dat = DatFile::open(&path).unwrap();
        let bytes = dat.bytes().unwrap();
        let mut buffer = Vec::new();
        let total = walk(&path, &mut buffer);

        group.throughput(Throughput::Bytes(bytes.len() as u64));
        group.bench_function(format!("{name}/open and walk {count} records"), |bencher| {
            bencher.iter(|| assert_eq!(walk(&path, &mut buffer), total));
        });
        let mut target = vec![0u8; bytes.len()];
        group.bench_function(format!("{name}/copy the same bytes"), |bencher| {
            bencher.iter(|| black_box(&mut target).copy_from_slice(black_box(bytes)));
        });

        group.throughput(Throughput::Elements(LOOKUPS.into()));
        group.bench_function(format!("{name}/look up 1,000,000 random ids"), |bencher| {
            let mut choice = Sequence(7);
            bencher.iter(|| {
                for _ in 0..LOOKUPS {
                    black_box(dat.find(id(choice.below(count))).unwrap().unwrap());
                }
            });
        });
    }
    group.finish();
}

criterion_group!(container, benches);
criterion_main!(container);
