//! How fast a capture is decoded, without and with printing.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use std::hint::black_box;
use threshold_wire::{Capture, DEFAULT_PORTS, decode};

/// Copies of the records of the crowd: about 64 MB.
const COPIES: usize = 97;

fn captures(c: &mut Criterion) {
    // Each copy begins with the logins of both clients, so that its packets are new.
    let crowd = threshold_golden::wire_capture("crowd.pcap").bytes;
    let (header, records) = crowd.split_at(24);
    let large: Vec<u8> = [header, &records.repeat(COPIES)].concat();
    let mut group = c.benchmark_group("crowd");
    group.throughput(Throughput::Bytes(large.len() as u64)).sample_size(10);
    group.bench_function("decode", |b| {
        b.iter(|| {
            let mut events = 0;
            decode(Capture::new(&large[..]).unwrap(), DEFAULT_PORTS, &mut |event| {
                black_box(event);
                events += 1;
            });
            assert!(events >= COPIES * 2503, "{events}");
        })
    });
    group.bench_function("decode and print", |b| {
        b.iter(|| {
            let (mut line, mut bytes) = (String::new(), 0);
            decode(Capture::new(&large[..]).unwrap(), DEFAULT_PORTS, &mut |event| {
                for printed in event.lines() {
                    line.clear();
                    printed.write(&mut line);
                    bytes += black_box(&line).len();
                }
            });
            bytes
        })
    });
    group.finish();
}

criterion_group!(benches, captures);
criterion_main!(benches);
