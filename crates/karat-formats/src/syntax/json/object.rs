//! Objects of formats without a fixed schema: one per line, their fields, detection.

use crate::anchor::Here;
use crate::format::{Sample, WriteError};
use crate::problem::Problem;
use crate::reading::Reading;
use crate::source::Text;
use serde::Serialize;
use serde_json::{Map, Value};
use std::io::{self, Write};

/// A JSON object with any fields.
pub(crate) type Object = Map<String, Value>;

/// Calls `handle` with the object of each line; a line that is not one is bad.
pub(crate) fn each_line(
    text: &Text<'_>,
    hint: &'static str,
    reading: &mut Reading<'_>,
    mut handle: impl FnMut(Object, Here<'_>, &mut Reading<'_>) -> Result<(), Problem>,
) -> Result<(), Problem> {
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let parsed = serde_json::from_str(line);
        let parsed = parsed.map_err(|error| text.json_problem(line, &error).hint(hint));
        if let Some(object) = reading.accept(parsed)? {
            handle(object, Here { text, at: text.offset_of(line), len: 1 }, reading)?;
        }
    }
    Ok(())
}

/// Writes a value as one line.
pub(crate) fn write_line(out: &mut dyn Write, value: &impl Serialize) -> Result<(), WriteError> {
    serde_json::to_writer(&mut *out, value).map_err(io::Error::from)?;
    Ok(out.write_all(b"\n")?)
}

/// A field as a string; numbers are written out, anything else is missing.
pub(crate) fn string(object: &Object, key: &str) -> Option<String> {
    match object.get(key)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// The first of several fields that is there, as a string.
pub(crate) fn first_string(object: &Object, keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| string(object, key))
}

/// A field that is a string, borrowed.
pub(crate) fn text<'o>(object: &'o Object, key: &str) -> Option<&'o str> {
    object.get(key)?.as_str()
}

/// A field as an offset; whole numbers may be written as floats or strings.
pub(crate) fn offset(object: &Object, key: &str) -> Option<u64> {
    as_offset(object.get(key)?)
}

/// A value as an offset.
pub(crate) fn as_offset(value: &Value) -> Option<u64> {
    match value {
        Value::Number(number) => number.as_u64().or_else(|| {
            let float = number.as_f64()?;
            // Beyond 10^15 a float has no exact whole numbers to spare.
            (float >= 0.0 && float.fract() == 0.0 && float < 1e15).then_some(float as u64)
        }),
        Value::String(digits) => digits.trim().parse().ok(),
        _ => None,
    }
}

/// A field that is a list of objects; other items are left out.
pub(crate) fn objects<'o>(object: &'o Object, key: &str) -> impl Iterator<Item = &'o Object> {
    let items = object.get(key).and_then(Value::as_array);
    items.into_iter().flatten().filter_map(Value::as_object)
}

/// The keys at the beginning of a JSON text with their depth, the outermost
/// object being 1. Works on a text that is cut off, and looks at the first value only.
#[derive(Debug, Default)]
pub(crate) struct Outline<'s> {
    keys: Vec<(usize, &'s str)>,
}

impl<'s> Outline<'s> {
    /// The outline of the first record of a sample.
    pub(crate) fn of(sample: &Sample<'s>) -> Outline<'s> {
        let text = sample.text.trim_start();
        if text.starts_with('{') { Outline::of_text(text) } else { Outline::default() }
    }

    /// The outline of the first record of a sample, which may be in an array.
    pub(crate) fn of_first(sample: &Sample<'s>) -> Outline<'s> {
        let text = sample.text.trim_start();
        let record = text.strip_prefix('[').map_or(text, str::trim_start);
        if record.starts_with('{') { Outline::of_text(record) } else { Outline::default() }
    }

    fn of_text(text: &'s str) -> Outline<'s> {
        let mut outline = Outline::default();
        let bytes = text.as_bytes();
        let (mut depth, mut at) = (0usize, 0);
        while at < bytes.len() {
            match bytes[at] {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        break;
                    }
                }
                b'"' => {
                    let Some(end) = string_end(bytes, at) else { break };
                    if text[end..].trim_start().starts_with(':') {
                        outline.keys.push((depth, &text[at + 1..end - 1]));
                    }
                    at = end;
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        outline
    }

    /// Whether there is such a key at this depth.
    pub(crate) fn has(&self, depth: usize, key: &str) -> bool {
        self.keys.contains(&(depth, key))
    }

    /// Whether there is such a key at any depth.
    pub(crate) fn has_any(&self, key: &str) -> bool {
        self.keys.iter().any(|(_, found)| *found == key)
    }

    /// The keys at this depth.
    pub(crate) fn keys_at(&self, depth: usize) -> impl Iterator<Item = &'s str> {
        self.keys.iter().filter(move |(at, _)| *at == depth).map(|(_, key)| *key)
    }

    /// Whether all these keys are at this depth.
    pub(crate) fn has_all(&self, depth: usize, keys: &[&str]) -> bool {
        keys.iter().all(|key| self.has(depth, key))
    }
}

/// An item of the list under a key of an object, as it stands in the text.
pub(crate) fn nth_item<'t>(object: &'t str, key: &str, wanted: usize) -> Option<&'t str> {
    let bytes = object.as_bytes();
    let (mut depth, mut at, mut inside, mut items, mut begin) = (0usize, 0, false, 0, None);
    while at < bytes.len() {
        let before = at;
        match bytes[at] {
            b'"' => {
                at = string_end(bytes, at)?;
                let is_key = depth == 1 && object[at..].trim_start().starts_with(':');
                inside = if is_key { &object[before + 1..at - 1] == key } else { inside };
            }
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            _ => at += 1,
        }
        let is_blank = bytes[before].is_ascii_whitespace();
        let ends = inside
            && ((depth == 1 && bytes[before] == b']') || (depth == 2 && bytes[before] == b','));
        if ends {
            if items == wanted {
                return Some(object[begin?..before].trim_end());
            }
            (items, begin) = (items + 1, None);
        } else if inside
            && depth >= 2
            && begin.is_none()
            && !is_blank
            && !(depth == 2 && bytes[before] == b'[')
        {
            begin = Some(before);
        }
    }
    None
}

/// Where the string that starts at a quote ends, its closing quote included.
pub(crate) fn string_end(bytes: &[u8], quote: usize) -> Option<usize> {
    let mut at = quote + 1;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at + 1);
        }
        // An escaped character is one byte, or begins with one; more of a `\u` escape is no quote.
        at += 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_where_they_stand() {
        let line = r#"{"x": [{"a": 1}], "e\"": 0, "es": [ {"a": "]", "b": [1]} ,{"a": {"c": 2}}, [3, 4], 5], "y": [7]}"#;
        for (at, item) in
            [r#"{"a": "]", "b": [1]}"#, r#"{"a": {"c": 2}}"#, "[3, 4]", "5"].iter().enumerate()
        {
            assert_eq!(nth_item(line, "es", at), Some(*item));
        }
        assert_eq!(nth_item(line, "es", 4), None);
        assert_eq!(nth_item(line, "y", 0), Some("7"));
        for end in (0..line.len()).filter(|&end| line.is_char_boundary(end)) {
            nth_item(&line[..end], "es", 3);
        }
    }

    #[test]
    fn an_outline_survives_a_cut() {
        let whole = r#"{"id":"a\"}:","output":[{"answer":"{","p":[{"x":1}]}],"meta":{"left":"cut"#;
        for end in (0..=whole.len()).filter(|&end| whole.is_char_boundary(end)) {
            Outline::of_text(&whole[..end]);
        }
        let outline = Outline::of_text(whole);
        assert!(outline.has_all(1, &["id", "output", "meta"]));
        assert!(outline.has(3, "answer") && outline.has(5, "x") && outline.has(2, "left"));
        assert!(!outline.has(1, "answer"));
        assert!(!Outline::of_text("{\"a\":1} {\"b\":2}").has(1, "b"), "the first record only");
    }
}
