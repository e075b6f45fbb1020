//! Characters that were escaped on the way.

use std::borrow::Cow;

/// A text without percent- and unicode-escapes, however often they were applied, and with
/// underscores for blanks. What only looks like an escape stays.
pub(crate) fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['%', '\\']) && !text.contains(char::is_whitespace) {
        return Cow::Borrowed(text);
    }
    let mut text = text.to_owned();
    loop {
        let once = underscored(&without_unicode_escapes(&without_percents(&text)));
        // Each round makes the text shorter or is the last.
        if once == text {
            return Cow::Owned(once);
        }
        text = once;
    }
}

fn underscored(text: &str) -> String {
    text.trim().replace(char::is_whitespace, "_")
}

fn without_percents(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        match (first, percent(after)) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            _ => {
                bytes.push(first);
                rest = after;
            }
        }
    }
    // Bytes that are no text, in Latin-1 for instance, are left as they are.
    String::from_utf8(bytes).unwrap_or_else(|_| text.to_owned())
}

/// The byte that two hexadecimal digits spell; control characters are not decoded.
fn percent(digits: &[u8]) -> Option<u8> {
    let digit = |at: usize| char::from(*digits.get(at)?).to_digit(16);
    let byte = u8::try_from(digit(0)? * 16 + digit(1)?).ok()?;
    (byte >= 0x20 && byte != 0x7f).then_some(byte)
}

/// `\u00e9` and `\U0001F600`, as Java and Turtle write them, in pairs of surrogates too.
fn without_unicode_escapes(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        plain.push_str(before);
        match unicode_escape(escape) {
            Some((character, length)) => {
                plain.push(character);
                rest = &escape[length..];
            }
            None => {
                plain.push('\\');
                rest = &escape[1..];
            }
        }
    }
    plain.push_str(rest);
    plain
}

fn unicode_escape(text: &str) -> Option<(char, usize)> {
    let unit = |from: usize, length: usize| {
        let digits = text.get(from..from + length)?;
        let all_hexadecimal = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| all_hexadecimal)
    };
    let visible = |code: u32| char::from_u32(code).filter(|character| !character.is_control());
    if text.starts_with("\\U") {
        return Some((visible(unit(2, 8)?)?, 10));
    }
    if !text.starts_with("\\u") {
        return None;
    }
    let first = unit(2, 4)?;
    if let Some(character) = visible(first) {
        return Some((character, 6));
    }
    let second = text.get(6..8).filter(|escape| *escape == "\\u").and_then(|_| unit(8, 4))?;
    let pair = char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?]).next();
    pair?.ok().map(|character| (character, 12))
}
