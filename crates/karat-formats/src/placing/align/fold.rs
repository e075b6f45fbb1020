//! A text without the differences that copying makes: case, spaces, quotes, dashes.

use std::collections::BTreeMap;

/// A text in folded form, with the way back.
#[derive(Debug)]
pub(super) struct Folded {
    text: String,
    /// For each byte, where the character it comes from starts in the original.
    origin: Vec<u32>,
}

impl Folded {
    pub(super) fn new(original: &str) -> Folded {
        let mut folded = Folded { text: String::with_capacity(original.len()), origin: Vec::new() };
        for (at, character) in original.char_indices() {
            folded.push(at, character);
        }
        folded
    }

    fn push(&mut self, at: usize, character: char) {
        match character {
            // Soft hyphens and zero-width characters, which copying adds and drops.
            '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' => {}
            _ if character.is_whitespace() => {
                if !self.text.ends_with(' ') {
                    self.text.push(' ');
                }
            }
            '‘' | '’' | '‚' | '‛' | '`' | '´' | 'ʼ' | '′' => self.text.push('\''),
            '“' | '”' | '„' | '‟' | '«' | '»' | '″' => self.text.push('"'),
            '‐'..='―' | '−' => self.text.push('-'),
            _ => self.text.extend(character.to_lowercase()),
        }
        self.origin.resize(self.text.len(), at as u32);
    }

    /// Where a surface form stands as whole words, in bytes of the original.
    pub(super) fn occurrences(&self, surface: &str, original: &str) -> BTreeMap<usize, usize> {
        let wanted = Folded::new(surface).text;
        let wanted = wanted.trim();
        if wanted.is_empty() {
            return BTreeMap::new();
        }
        let found = memchr::memmem::find_iter(self.text.as_bytes(), wanted);
        let ranges = found
            .take(super::REMEMBERED)
            .filter_map(|at| self.range(at, at + wanted.len(), original));
        ranges.filter(|&(start, end)| super::words::is_whole(original, start, end)).collect()
    }

    /// The original of a stretch, if it is made of whole characters of it.
    fn range(&self, from: usize, to: usize, original: &str) -> Option<(usize, usize)> {
        let start = *self.origin.get(from)?;
        let last = *self.origin.get(to.checked_sub(1)?)?;
        let whole = from == 0 || self.origin.get(from - 1) != Some(&start);
        // A lower-cased letter may be longer than the original; a match that begins or ends inside
        // one is none.
        if !whole || self.origin.get(to) == Some(&last) {
            return None;
        }
        let end = last as usize + original.get(last as usize..)?.chars().next()?.len_utf8();
        Some((start as usize, end))
    }
}

/// A string in folded form.
pub(super) fn fold(text: &str) -> String {
    Folded::new(text).text
}
