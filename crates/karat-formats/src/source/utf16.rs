//! Text in UTF-16, with a byte order mark or without, and in UTF-32 with one.

/// How much is looked at: enough for any script to have come to a space or a digit.
const LOOKED_AT: usize = 4 << 10;
/// Of this many units, one has to be ASCII: markup, digits, spaces.
const ASCII_SHARE: usize = 5;

/// The name that `iconv` has for the encoding, if the bytes begin like one of these.
pub(super) fn encoding(bytes: &[u8]) -> Option<&'static str> {
    // The mark of UTF-32 begins with one of UTF-16.
    if bytes.starts_with(&[0xff, 0xfe, 0, 0]) || bytes.starts_with(&[0, 0, 0xfe, 0xff]) {
        return Some("UTF-32");
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some("UTF-16");
    }
    // One of the two bytes of an ASCII character is zero, and other text has none.
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    memchr::memchr(0, head)?;
    let (units, _) = head.as_chunks::<2>();
    match () {
        () if is_text(units.iter().map(|&unit| u16::from_le_bytes(unit))) => Some("UTF-16LE"),
        () if is_text(units.iter().map(|&unit| u16::from_be_bytes(unit))) => Some("UTF-16BE"),
        () => None,
    }
}

/// Whether units are text: characters without control codes, enough of them ASCII.
fn is_text(units: impl Iterator<Item = u16> + Clone) -> bool {
    let count = units.clone().count();
    let mut characters = char::decode_utf16(units).peekable();
    let mut ascii = 0;
    while let Some(character) = characters.next() {
        match character {
            Ok(c) if c.is_control() && !matches!(c, '\t' | '\n' | '\r') => return false,
            Ok(c) => ascii += usize::from(c.is_ascii()),
            // A pair may be cut by the end of what is looked at.
            Err(_) if characters.peek().is_none() => {}
            Err(_) => return false,
        }
    }
    ascii > 1 && ascii * ASCII_SHARE >= count
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn utf16_is_told_from_other_bytes() {
        for text in ["d1\t0\t6\tQ64\n", "<doc>Москва и 東京 😀</doc>\n", "{\"a\": 1}"] {
            assert_eq!(encoding(&encoded(text, u16::to_le_bytes)), Some("UTF-16LE"), "{text}");
            assert_eq!(encoding(&encoded(text, u16::to_be_bytes)), Some("UTF-16BE"), "{text}");
            assert_eq!(encoding(text.as_bytes()), None, "{text}");
        }
        assert_eq!(encoding(b"\xff\xfed\0"), Some("UTF-16"));
        assert_eq!(encoding(b"\xff\xfe\0\0d\0\0\0"), Some("UTF-32"));
        assert_eq!(encoding(b"\0\0\xfe\xff\0\0\0d"), Some("UTF-32"));
        for other in [&b""[..], b"a", b"a\0", b"PAR1\x15\0\x15\x0c", b"\0\0\0\0\0\0", b"M\xfcnchen"]
        {
            assert_eq!(encoding(other), None, "{other:?}");
        }
    }
}
