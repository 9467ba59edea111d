//! The worked examples of the format's description, for several tests.

use threshold_dat::{DatId, IdScheme, RecordKind};

/// A complete record with its bytes.
#[derive(Debug, Clone)]
pub(crate) struct Example {
    pub(crate) number: u32,
    pub(crate) id: DatId,
    pub(crate) kind: RecordKind,
    pub(crate) bytes: Vec<u8>,
}

/// All examples of complete records.
pub(crate) fn examples() -> Vec<Example> {
    let mut examples: Vec<Example> = Vec::new();
    for line in
        include_str!("../examples.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty())
    {
        if line.starts_with(' ') {
            let digits = line.trim().as_bytes();
            let bytes = digits
                .chunks(2)
                .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap());
            examples.last_mut().unwrap().bytes.extend(bytes);
            continue;
        }
        let [number, file, id] = line.split(' ').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let scheme = if file == "cell" { IdScheme::Cell } else { IdScheme::Portal };
        let id: DatId = id.parse().unwrap();
        examples.push(Example {
            number: number.parse().unwrap(),
            id,
            kind: id.kind(scheme),
            bytes: Vec::new(),
        });
    }
    examples
}

/// One example by its number.
#[allow(dead_code)]
pub(crate) fn example(number: u32) -> Example {
    examples().into_iter().find(|example| example.number == number).unwrap()
}
