//! No record makes the reader allocate more than a small multiple of its own size.

use crate::support;
use support::examples;
use threshold_dat::{Mode, records::Record};

/// Bytes of memory per byte of a record: values are wider in memory than in the file, and lists of unknown length grow
/// by doubling.
const FACTOR: u64 = 16;
/// For what does not depend on the record: notes and error texts.
const FIXED: u64 = 32 * 1024;

#[test]
fn counts_do_not_decide_what_is_allocated() {
    let mut highest = 0;
    for example in examples() {
        // Room in which large counts look possible.
        let mut bytes = example.bytes.clone();
        bytes.resize(bytes.len() + 16 * 1024, 0);
        for offset in 0..example.bytes.len().min(256) {
            for count in [0x3FF, 0x7FF, 0xFFF, 0x3FFF, 0x0FFF_FFFF, u32::MAX] {
                let mut hostile = bytes.clone();
                hostile[offset..offset + 4].copy_from_slice(&count.to_le_bytes());
                for mode in [Mode::Lenient, Mode::Strict] {
                    let used = allocation_counter::measure(|| {
                        let _ = Record::decode(example.id, example.kind, &hostile, mode);
                    });
                    let allowed = FACTOR * hostile.len() as u64 + FIXED;
                    assert!(
                        used.bytes_max <= allowed,
                        "example {} with {count:#x} at {offset}: {} bytes for {}",
                        example.number,
                        used.bytes_max,
                        hostile.len()
                    );
                    highest = highest.max(used.bytes_max);
                }
            }
        }
    }
    assert!(highest > 16 * 1024, "nothing was decoded");
}
