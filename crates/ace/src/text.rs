//! Text from bytes.

use std::borrow::Cow;

/// The text of a file in UTF-8 or, as some editors and shells write it, UTF-16 in either order of bytes, with or without a
/// mark in front. Bytes that are neither become replacement characters.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    let wide = |bytes: &[u8], unit: fn([u8; 2]) -> u16| {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]])).collect();
        Cow::Owned(String::from_utf16_lossy(&units))
    };
    match bytes {
        [0xFF, 0xFE, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xFE, 0xFF, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest),
        // SQL begins with a letter, a blank or a sign of ASCII.
        [first, 0, ..] if *first != 0 => wide(bytes, u16::from_le_bytes),
        [0, second, ..] if *second != 0 => wide(bytes, u16::from_be_bytes),
        _ => String::from_utf8_lossy(bytes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf_16_is_read_in_both_orders_with_and_without_a_mark() {
        let text = "INSERT 'Bär'";
        for mark in ["", "\u{FEFF}"] {
            let marked = format!("{mark}{text}");
            let wide =
                |unit: fn(u16) -> [u8; 2]| -> Vec<u8> { marked.encode_utf16().flat_map(unit).collect() };
            assert_eq!(decode(&wide(u16::to_le_bytes)), text);
            assert_eq!(decode(&wide(u16::to_be_bytes)), text);
            assert_eq!(decode(marked.as_bytes()), text);
        }
        assert_eq!(decode(b""), "");
        assert_eq!(decode(b"\xFF\xFEa"), "", "half a character");
        assert_eq!(decode(b"B\xE4r"), "B\u{FFFD}r");
    }
}
