//! Words of a text and where they begin and end.

use std::ops::Range;

/// The words of a text: runs of letters and digits, and every other visible character.
pub(super) fn words(text: &str) -> Vec<Range<usize>> {
    let mut words: Vec<Range<usize>> = Vec::new();
    let mut open = false;
    for (at, character) in text.char_indices() {
        let end = at + character.len_utf8();
        let joins = character.is_alphanumeric() && !is_unspaced(character);
        match words.last_mut() {
            Some(last) if joins && open => last.end = end,
            _ if character.is_whitespace() => {}
            _ => words.push(at..end),
        }
        open = joins;
    }
    words
}

/// Whether a stretch of a text neither begins nor ends inside a word.
pub(super) fn is_whole(text: &str, start: usize, end: usize) -> bool {
    !joined(text, start) && !joined(text, end)
}

pub(super) fn joined(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let after = text[at..].chars().next();
    matches!((before, after), (Some(before), Some(after)) if
        before.is_alphanumeric() && after.is_alphanumeric() && !(is_unspaced(before) || is_unspaced(after)))
}

/// Whether a character belongs to a script that is written without spaces
/// between words, or with particles joined to them.
fn is_unspaced(character: char) -> bool {
    matches!(u32::from(character),
        0x0e00..=0x0eff | 0x1000..=0x109f | 0x1780..=0x17ff | 0x3040..=0x30ff | 0x3400..=0x9fff
        | 0xac00..=0xd7af | 0xf900..=0xfaff | 0x20000..=0x3ffff)
}
