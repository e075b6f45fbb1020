//! Places in a text where it may be cut.

use karat::model::TextIndex;
use std::ops::Range;
use unicode_segmentation::UnicodeSegmentation;

/// A stretch of a text in bytes, with where its characters and words end.
///
/// Offsets of mentions are code points of the whole text. A cut inside a character that is made of several code
/// points (a letter with its accents, a flag, a family) would show other characters than the text has, so a mention
/// that begins or ends there is drawn to the edge of the character.
#[derive(Debug)]
pub(super) struct Places<'t> {
    index: TextIndex<'t>,
    /// What is shown, in bytes of the whole text.
    pub(super) shown: Range<usize>,
    /// Where characters begin, in bytes of the whole text, and the end.
    characters: Vec<usize>,
    /// Where words begin and end, likewise.
    words: Vec<usize>,
}

impl<'t> Places<'t> {
    /// The places of a stretch of a text, given in code points.
    pub(super) fn new(text: &'t str, stretch: Range<u32>) -> Places<'t> {
        let index = TextIndex::new(text);
        let byte = |position: u32| index.byte_of(position).unwrap_or(text.len());
        let shown = byte(stretch.start)..byte(stretch.end).max(byte(stretch.start));
        let part = &text[shown.clone()];
        let from = shown.start;
        let ends = |places: Vec<usize>| {
            let mut places = places;
            places.push(shown.end);
            places
        };
        // Almost all texts have characters that are code points: then every place is fine.
        let characters = match part.is_ascii() && !part.contains('\r') {
            true => Vec::new(),
            false => ends(part.grapheme_indices(true).map(|(at, _)| from + at).collect()),
        };
        let words = ends(part.split_word_bound_indices().map(|(at, _)| from + at).collect());
        Places { index, characters, words, shown }
    }

    pub(super) fn text(&self) -> &'t str {
        self.index.text()
    }

    /// Where a span is in bytes, widened to whole characters; `None` if nothing of it is shown. The second is
    /// whether it had to be widened.
    pub(super) fn range(&self, start: u32, end: u32) -> Option<(Range<usize>, bool)> {
        let [start, end] = [start, end].map(|at| self.index.byte_of(at));
        let (start, end) = (start?, end.unwrap_or(self.text().len()));
        let is_shown = start < self.shown.end && end > self.shown.start;
        let is_empty = start >= end && self.shown.contains(&start);
        if !is_shown && !is_empty {
            return None;
        }
        let start = start.max(self.shown.start);
        let end = end.clamp(start, self.shown.end);
        let wide = self.before(start)..self.after(end);
        let is_wide = wide != (start..end);
        Some((wide, is_wide))
    }

    fn before(&self, byte: usize) -> usize {
        match self.characters.partition_point(|at| *at <= byte) {
            0 => byte,
            next => self.characters[next - 1],
        }
    }

    fn after(&self, byte: usize) -> usize {
        let next = self.characters.partition_point(|at| *at < byte);
        self.characters.get(next).copied().unwrap_or(byte)
    }

    /// Where the word ends that a place is in.
    pub(super) fn end_of_word(&self, byte: usize) -> usize {
        let next = self.words.partition_point(|at| *at < byte);
        self.words.get(next).copied().unwrap_or(byte)
    }

    /// Cuts what is shown into blocks of about this many bytes, at line ends where there are some, or else between
    /// words. However long a line is, no block is longer than three times that.
    pub(super) fn blocks(&self, about: usize) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = self.shown.start;
        while self.shown.end - start > about {
            let rest = &self.text().as_bytes()[start..self.shown.end];
            let line = rest[about..rest.len().min(3 * about)].iter().position(|b| *b == b'\n');
            let end = match line {
                Some(at) => start + about + at + 1,
                None => self.after(self.end_of_word(start + about).min(start + 3 * about)),
            };
            // A character of that many bytes would not be cut at all.
            let end = if end > start { end } else { self.shown.end };
            blocks.push(start..end);
            start = end;
        }
        if start < self.shown.end || blocks.is_empty() {
            blocks.push(start..self.shown.end);
        }
        blocks
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_are_never_cut() {
        // A letter with an accent of its own, a flag of two letters, a family of three.
        let text = "e\u{301}a 🇨🇭 👨\u{200d}👩\u{200d}👧.";
        let length = text.chars().count() as u32;
        let places = Places::new(text, 0..length);
        assert_eq!(places.range(0, 1), Some((0..3, true)));
        assert_eq!(places.range(1, 3), Some((0..4, true)));
        assert_eq!(places.range(0, 2), Some((0..3, false)));
        assert_eq!(places.range(5, 6).map(|(range, _)| &text[range]), Some("🇨🇭"));
        assert_eq!(places.range(8, 9).map(|(range, _)| text[range].chars().count()), Some(5));
        assert_eq!(places.range(length + 5, length + 9), None);
        // What reaches beyond the text ends with it.
        assert_eq!(places.range(length - 1, length + 9).map(|(range, _)| &text[range]), Some("."));
    }

    #[test]
    fn only_what_is_shown_is_there() {
        let places = Places::new("abcdef", 2..4);
        assert_eq!(places.range(0, 2), None);
        assert_eq!(places.range(1, 3), Some((2..3, false)));
        assert_eq!(places.range(4, 6), None);
    }

    #[test]
    fn blocks_end_with_lines_and_words_and_cover_the_text() {
        for text in [
            "word ".repeat(3000),
            "x".repeat(20_000),
            "線".repeat(5000),
            "a\n".repeat(6000),
            "e".to_owned() + "\u{301}".repeat(9000).as_str(),
            String::new(),
        ] {
            let places = Places::new(&text, 0..text.chars().count() as u32);
            let blocks = places.blocks(1500);
            let joined: String = blocks.iter().map(|block| &text[block.clone()]).collect();
            assert_eq!(joined, text);
        }
        let words = "word ".repeat(3000);
        let places = Places::new(&words, 0..15_000);
        assert!(
            places.blocks(1500).iter().all(|block| words[block.clone()].starts_with(['w', ' ']))
        );
    }
}
