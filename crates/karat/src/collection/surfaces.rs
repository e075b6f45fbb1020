//! The words of mentions, as statistics count them.
//!
//! A hostile benchmark may have a hundred thousand mentions of a whole book each. What is asked of a mention must not
//! read it, or the work is quadratic.

use super::words::WordBreaks;
use karat_model::{Flags, Mention, TextIndex};
use std::cell::OnceCell;

/// Whether a mention is one of gold: a file may hold the output of a system beside it.
pub(super) fn is_of_gold(mention: &Mention<'_>) -> bool {
    mention.flags() & (Flags::GOLD | Flags::PREDICTED) != Flags::PREDICTED
}

/// The words of a mention: those of the text, or those that the file gives where there is none.
pub(super) fn surface_of<'m>(
    mention: &Mention<'m>,
    text: Option<&TextIndex<'m>>,
) -> Option<&'m str> {
    match text {
        Some(text) => text.slice(mention.span()),
        None => mention.surface(),
    }
}

/// Up to how many bytes a mention is read as it is.
const LONG: usize = 4096;

/// What tells forms apart: a mention in lower case. Of a very long one, its beginning, its end and its length, which no
/// two forms of a real benchmark share.
pub(super) fn form_of(surface: &str) -> String {
    if surface.len() <= LONG {
        return surface.to_lowercase();
    }
    let end = |at: usize| (at..).find(|at| surface.is_char_boundary(*at)).unwrap_or(surface.len());
    let (head, tail) = (&surface[..end(LONG / 2)], &surface[end(surface.len() - LONG / 2)..]);
    format!("{}…{}…{}", head.to_lowercase(), surface.len(), tail.to_lowercase())
}

/// How many words stretches of a text have.
pub(super) struct Words<'t> {
    text: &'t str,
    /// How its words are told apart; where there is no text, each mention shows how it is written.
    breaks: Option<WordBreaks>,
    /// Where the words of the text begin and end, in bytes; found when a long stretch is asked for.
    places: OnceCell<Vec<(usize, usize)>>,
}

impl<'t> Words<'t> {
    /// Those of a text; none where there is no text.
    pub(super) fn new(text: Option<&'t str>) -> Words<'t> {
        let breaks = text.map(WordBreaks::of);
        Words { text: text.unwrap_or_default(), breaks, places: OnceCell::new() }
    }

    /// The number of words of a mention, or of another stretch of the text.
    pub(super) fn of(&self, surface: &str) -> usize {
        let count = || self.breaks.unwrap_or_else(|| WordBreaks::of(surface)).count(surface);
        if surface.len() <= LONG {
            return count();
        }
        // Where a stretch lies in its text is told by addresses; what is from elsewhere is counted as it is.
        let text = self.text.as_bytes().as_ptr_range();
        let own = surface.as_bytes().as_ptr_range();
        if own.start < text.start || own.end > text.end {
            return count();
        }
        let start = own.start as usize - text.start as usize;
        let before = |byte: usize| self.places().partition_point(|(begin, _)| *begin < byte);
        // A word that the stretch begins within is one of its words.
        let is_cut = before(start).checked_sub(1).is_some_and(|at| self.places()[at].1 > start);
        before(start + surface.len()) - before(start) + usize::from(is_cut)
    }

    fn places(&self) -> &[(usize, usize)] {
        self.places
            .get_or_init(|| self.breaks.map_or_else(Vec::new, |breaks| breaks.places(self.text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_long_stretches_are_those_of_short_ones() {
        let text = " one two\tthree\u{3000}four ".repeat(1000);
        let words = Words::new(Some(&text));
        for (start, end) in
            [(0, text.len()), (2, 9000), (1, 8001), (5, 8002), (8, 12_000), (9, 4200)]
        {
            let Some(stretch) = text.get(start..end) else { continue };
            assert!(stretch.len() > LONG);
            assert_eq!(words.of(stretch), stretch.split_whitespace().count(), "{start}..{end}");
        }
        assert_eq!(words.of("a b"), 2);
        assert_eq!(words.of(&"a b ".repeat(2000)), 4000);
    }

    #[test]
    fn words_without_spaces_are_counted_alike_in_long_stretches() {
        let text = "東京は日本の首都です。コンピュータ".repeat(300);
        let words = Words::new(Some(&text));
        assert_eq!(words.of("東京"), 2);
        assert_eq!(words.of(&text), WordBreaks::Unicode.count(&text));
        let start = text.find("です").expect("a word");
        let stretch = &text[start..start + 6000];
        assert_eq!(words.of(stretch), WordBreaks::Unicode.count(stretch));
    }

    #[test]
    fn long_forms_differ_by_beginning_end_or_length() {
        let long =
            |first: &str, last: &str, times: usize| format!("{first}{}{last}", "ä".repeat(times));
        assert_eq!(form_of("Paris"), "paris");
        assert_eq!(form_of(&long("A", "b", 9000)), form_of(&long("a", "B", 9000)));
        assert_ne!(form_of(&long("a", "b", 9000)), form_of(&long("a", "c", 9000)));
        assert_ne!(form_of(&long("a", "b", 9000)), form_of(&long("a", "b", 9001)));
        assert!(form_of(&long("a", "b", 90_000)).len() < 10_000);
    }
}
