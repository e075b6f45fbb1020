//! What stands in a cell: values, escaped, with the numbers of their annotations.

/// No annotation.
pub(super) const NOTHING: &str = "_";
/// An annotation of which nothing is said.
pub(super) const UNSAID: &str = "*";

/// A value of a cell.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Value {
    /// `None` for an annotation of which nothing is said.
    pub(super) text: Option<String>,
    /// The number that rows of one annotation share.
    pub(super) number: Option<u32>,
}

/// The values of a cell, `None` where there are none.
pub(super) fn values(cell: &str) -> Option<Vec<Value>> {
    (cell != NOTHING && !cell.is_empty()).then(|| split(cell).into_iter().map(value).collect())
}

/// Cut at bars that are not escaped.
fn split(cell: &str) -> Vec<&str> {
    let (mut parts, mut start, mut escaped) = (Vec::new(), 0, false);
    for (at, character) in cell.char_indices() {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '|' => {
                parts.push(&cell[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&cell[start..]);
    parts
}

fn value(part: &str) -> Value {
    let numbered = part.strip_suffix(']').and_then(|part| part.rsplit_once('['));
    let numbered = numbered.and_then(|(text, number)| Some((text, number.parse().ok()?)));
    let (text, number) = match numbered {
        Some((text, number)) if !ends_escaped(text) => (text, Some(number)),
        _ => (part, None),
    };
    let text = (text != UNSAID && text != NOTHING).then(|| unescaped(text));
    Value { text, number }
}

/// Whether the next character would be escaped.
fn ends_escaped(text: &str) -> bool {
    text.bytes().rev().take_while(|byte| *byte == b'\\').count() % 2 == 1
}

/// A value, or a text, without its escapes.
pub(super) fn unescaped(text: &str) -> String {
    if !text.contains('\\') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match (character, if character == '\\' { characters.next() } else { None }) {
            ('\\', Some('t')) => out.push('\t'),
            ('\\', Some('n')) => out.push('\n'),
            ('\\', Some('r')) => out.push('\r'),
            ('\\', Some('f')) => out.push('\u{c}'),
            ('\\', Some(other)) => out.push(other),
            (other, _) => out.push(other),
        }
    }
    out
}

/// A value with escapes.
pub(super) fn escaped(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '\\' | '[' | ']' | '|' | '_' | ';' | '*' => out.extend(['\\', character]),
            '>' if out.ends_with('-') => out.extend(['\\', character]),
            other => push_escaped(&mut out, other),
        }
    }
    out
}

/// A text or a token with escapes.
pub(super) fn escaped_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\\' => out.push_str("\\\\"),
            other => push_escaped(&mut out, other),
        }
    }
    out
}

fn push_escaped(out: &mut String, character: char) {
    match character {
        '\t' => out.push_str("\\t"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\u{c}' => out.push_str("\\f"),
        other => out.push(other),
    }
}
