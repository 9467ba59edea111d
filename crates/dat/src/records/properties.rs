//! Invariants of every record: it round-trips, and no damage breaks the rules.

use super::random::Dice;
use super::*;
use crate::{DatId, Mode, RecordKind};
use proptest::prelude::*;

/// The kinds with a known layout, and how to make and load one of them.
macro_rules! every_kind {
    ($($kind:ident),*) => {
        const KINDS: &[RecordKind] = &[$(RecordKind::$kind),*];

        fn record(kind: RecordKind, dice: &mut Dice) -> Record {
            match kind {
                $(RecordKind::$kind => Record::from(dice.roll::<$kind>()),)*
                _ => unreachable!("{kind} has no layout"),
            }
        }

        fn load(kind: RecordKind, id: DatId, bytes: &[u8]) -> Option<Record> {
            match kind {
                $(RecordKind::$kind => $kind::load(id, bytes).ok().map(Record::from),)*
                _ => unreachable!("{kind} has no layout"),
            }
        }
    };
}

every_kind!(
    LandBlock,
    LandBlockInfo,
    EnvCell,
    GfxObj,
    Setup,
    Animation,
    Palette,
    SurfaceTexture,
    RenderSurface,
    Surface,
    MotionTable,
    Wave,
    Environment,
    PaletteSet,
    ClothingTable,
    DegradeInfo,
    Scene,
    Region,
    RenderTexture,
    SoundTable,
    ParticleEmitter,
    PhysicsScript,
    PhysicsScriptTable,
    Iteration
);

const ID: DatId = DatId(0x0102_0304);

/// Whatever the bytes are: reading them fails with a place inside them, or keeps every one of them.
fn check_bytes(kind: RecordKind, bytes: &[u8]) -> Result<(), TestCaseError> {
    let lenient = Record::decode(ID, kind, bytes, Mode::Lenient);
    match &lenient {
        Ok(decoded) => prop_assert_eq!(&decoded.encode().unwrap(), bytes),
        Err(error) => {
            prop_assert_eq!(error.id, ID);
            prop_assert!(error.offset <= bytes.len(), "{}", error);
        }
    }
    prop_assert_eq!(load(kind, ID, bytes).is_some(), lenient.is_ok(), "the engine's reader agrees");
    if let Ok(strict) = Record::decode(ID, kind, bytes, Mode::Strict) {
        prop_assert!(lenient.is_ok(), "strict accepts what lenient refuses");
        prop_assert_eq!(strict.encode().unwrap(), bytes);
        prop_assert!(strict.notes.iter().all(|note| note.severity == Severity::Note));
    }
    Ok(())
}

/// One way in which a record can be damaged.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = dice.below(bytes.len().max(1));
    match dice.below(6) {
        0 => bytes.truncate(at),
        1 => bytes.extend(dice.roll::<[u8; 5]>()),
        2 if at + 4 <= bytes.len() => bytes[at..at + 4].copy_from_slice(&dice.roll::<u32>().to_le_bytes()),
        3 if at + 4 <= bytes.len() => bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes()),
        4 => bytes.insert(at, dice.roll()),
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte ^= 1 << dice.below(8);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_is_read_back(seed: u64) {
        for &kind in KINDS {
            let value = record(kind, &mut Dice(seed));
            let bytes = value.encode(ID).unwrap();
            let decoded = Record::decode(ID, kind, &bytes, Mode::Lenient).map_err(|e| TestCaseError::fail(e.to_string()))?;
            prop_assert_eq!(&decoded.value, &value);
            prop_assert!(decoded.trailing.is_empty());
            prop_assert_eq!(decoded.encode().unwrap(), bytes.clone());
            prop_assert_eq!(load(kind, ID, &bytes), Some(value));
        }
    }

    #[test]
    fn damaged_records_are_refused_or_kept(seed: u64) {
        let dice = &mut Dice(seed);
        for &kind in KINDS {
            let whole = record(kind, dice).encode(ID).unwrap();
            for _ in 0..4 {
                let mut bytes = whole.clone();
                for _ in 0..1 + dice.below(3) {
                    damage(&mut bytes, dice);
                }
                check_bytes(kind, &bytes)?;
            }
        }
    }

    #[test]
    fn arbitrary_bytes_are_refused_or_kept(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for &kind in KINDS {
            check_bytes(kind, &bytes)?;
        }
    }
}
