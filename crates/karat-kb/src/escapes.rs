//! Characters that were escaped on the way.

use std::borrow::Cow;

/// A text without percent- and unicode-escapes, however often they were applied, and with
/// underscores for blanks. What only looks like an escape stays.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '\\']) && !text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    // A character may be the last of an escape, and what the escape spells that of another.
    // Escapes do not overlap, so the order in which they are taken off does not matter.
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        plain.push(character);
        // Each round removes at least two characters, so the loop ends; `%2541` becomes `%41` and
        // then `A`.
        while let Some((start, spelled)) = escape_at_end(&plain) {
            plain.truncate(start);
            plain.push(spelled);
        }
    }
    Cow::Owned(plain.trim().replace(char::is_whitespace, "_"))
}

/// A text without unicode-escapes such as `\u00e9`, in pairs of surrogates too. An escape of a blank or of
/// a control character stays: such a character is no better than its escape.
pub fn without_unicode_escapes(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let is_shown = |character: char| !character.is_control() && !character.is_whitespace();
    let mut plain = String::with_capacity(text.len());
    for character in text.chars() {
        plain.push(character);
        if let Some((start, spelled)) = unicode_escape(plain.as_bytes())
            && is_shown(spelled)
        {
            plain.truncate(start);
            plain.push(spelled);
        }
    }
    Cow::Owned(plain)
}

/// The escape that a text ends with: where it starts, and what it spells.
fn escape_at_end(text: &str) -> Option<(usize, char)> {
    let bytes = text.as_bytes();
    if !bytes.last()?.is_ascii_hexdigit() {
        return None;
    }
    percent_escape(bytes)
        .or_else(|| unicode_escape(bytes))
        .filter(|(_, character)| !character.is_control())
}

/// `%41`, and `%C3%A9` for a letter of several bytes. Bytes that are no text, in Latin-1 for
/// instance, are left as they are.
fn percent_escape(bytes: &[u8]) -> Option<(usize, char)> {
    let mut spelled = [0; 4];
    let mut start = bytes.len();
    for first in (0..spelled.len()).rev() {
        start = start.checked_sub(3)?;
        let digits = bytes.get(start..start + 3)?.strip_prefix(b"%")?;
        spelled[first] = u8::try_from(hexadecimal(digits)?).ok()?;
        if let Ok(text) = std::str::from_utf8(&spelled[first..]) {
            return text.chars().next().map(|character| (start, character));
        }
    }
    None
}

/// `\u00e9` and `\U0001F600`, as Java and Turtle write them, in pairs of surrogates too.
fn unicode_escape(bytes: &[u8]) -> Option<(usize, char)> {
    let unit = |end: usize, mark: &[u8], length: usize| {
        let start = end.checked_sub(mark.len() + length)?;
        let digits = bytes.get(start..end)?.strip_prefix(mark)?;
        Some((start, hexadecimal(digits)?))
    };
    if let Some((start, code)) = unit(bytes.len(), b"\\U", 8) {
        return Some((start, char::from_u32(code)?));
    }
    let (middle, second) = unit(bytes.len(), b"\\u", 4)?;
    if let Some(character) = char::from_u32(second) {
        return Some((middle, character));
    }
    let (start, first) = unit(middle, b"\\u", 4)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    Some((start, char::decode_utf16(pair).next()?.ok()?))
}

/// The number that up to eight digits spell.
fn hexadecimal(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |number, &digit| Some(number << 4 | char::from(digit).to_digit(16)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_taken_off_however_often_they_were_applied() {
        for (text, plain) in [
            ("a%20b", "a_b"),
            ("%2525252541", "A"),
            ("%4%31", "A"),
            ("%%3541", "T1"),
            ("%C3%A9%25C3%25A9", "éé"),
            ("%F0%9F%98%80\\uD83D\\uDE00\\U0001F600", "😀😀😀"),
            ("\\u0025C3%A9", "é"),
            ("k%E9%20x", "k%E9_x"),
            ("%0a%00%C2%85\\u001b", "%0a%00%C2%85\\u001b"),
            ("100%_\\u12_\\uD83D_\\UFFFFFFFF", "100%_\\u12_\\uD83D_\\UFFFFFFFF"),
            ("%20 x ", "x"),
        ] {
            assert_eq!(unescaped(text), plain, "{text}");
        }
    }

    #[test]
    fn unicode_escapes_are_decoded_where_they_stand_for_a_character() {
        for (text, plain) in [
            (r"Tenn\u014d", "Tennō"),
            (r"a\u2013b\u00e9", "a–bé"),
            (r"\ud83d\ude00", "😀"),
            (r"\U0001F600", "😀"),
            (r"\ud83d", r"\ud83d"),
            (r"a\u000ab\u0020c\u00a0", r"a\u000ab\u0020c\u00a0"),
            (r"\u12é4\u01", r"\u12é4\u01"),
            (r"\u\u0041", r"\uA"),
            ("a%20b", "a%20b"),
        ] {
            assert_eq!(without_unicode_escapes(text), plain, "{text}");
        }
    }

    #[test]
    fn a_long_row_of_escapes_takes_no_longer_than_its_length() {
        let percents = format!("%{}41", "25".repeat(1_000_000));
        assert_eq!(unescaped(&percents), "A");
        let mixed = format!("%{}41", "5Cu0025".repeat(300_000));
        assert_eq!(unescaped(&mixed), "A");
    }
}
