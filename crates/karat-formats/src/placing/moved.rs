//! Where a mention is that is not where the file says.
//!
//! A *shifted* mention is looked for near its place, and found only if there is no doubt ([`certain`]). Corpora whose
//! offsets are known to be bad have mentions that moved any distance; then the nearest occurrence is taken
//! ([`Searched::nearest`]).

use super::align::folded_occurrences;
use karat_model::{Span, TextIndex};
use std::ops::Range;

/// How far a mention may have moved before a better occurrence elsewhere counts.
const WINDOW: u32 = 200;

/// The text of a document, to find mentions in that have moved.
pub(crate) struct Searched<'i, 't> {
    pub(crate) index: &'i TextIndex<'t>,
    /// How many bytes may still be searched for mentions that moved far.
    left: usize,
}

/// After this many bytes a mention is looked for only near its place: a document all of
/// whose mentions are lost is not worth a search of all its text for each of them.
const ENOUGH: usize = 1 << 30;
/// Looking at an occurrence takes as long as searching through about this many bytes.
const OCCURRENCE: usize = 64;

impl<'i, 't> Searched<'i, 't> {
    pub(crate) fn new(index: &'i TextIndex<'t>) -> Searched<'i, 't> {
        Searched { index, left: ENOUGH }
    }
}

/// The one place near a span where a mention must have been meant to be: where the text has the words of the
/// mention, which are as long as the span or one longer or shorter. One that overlaps or touches the span comes before
/// others, which must begin with a word and be alone for some lines around. `None` where there is none, or any doubt.
pub(crate) fn certain(index: &TextIndex<'_>, span: Span, surface: &str) -> Option<Span> {
    let surface = surface.trim();
    let length = u32::try_from(surface.chars().count()).ok()?;
    if length == 0 || length.abs_diff(span.len()) > 1 {
        return None;
    }
    let position = |position: u32| index.byte_of(position.min(index.len()));
    let (from, to) =
        (position(span.start.saturating_sub(WINDOW))?, position(span.end.saturating_add(WINDOW))?);
    let found = all_in(index, surface, from..to);
    let touches = |other: &&(Span, bool)| other.0.start <= span.end && span.start <= other.0.end;
    let near: Vec<Span> = found.iter().filter(touches).map(|&(span, _)| span).collect();
    let distance = |other: &Span| other.start.abs_diff(span.start) + other.end.abs_diff(span.end);
    let nearest = near.iter().map(distance).min();
    let mut nearest_ones = near.iter().filter(|other| Some(distance(other)) == nearest);
    match (nearest_ones.next(), nearest_ones.next(), found.as_slice()) {
        (Some(&only), None, _) => Some(only),
        (None, _, &[(only, true)]) => Some(only),
        _ => None,
    }
}

/// The occurrences that begin in a range of bytes, and whether they begin with a word: of what is misspelled, the end may
/// be joined to the next word (`PAX6gene`).
fn all_in(index: &TextIndex<'_>, surface: &str, range: Range<usize>) -> Vec<(Span, bool)> {
    let text = index.text();
    let to = range.end.saturating_add(surface.len()).min(text.len());
    let searched = text.as_bytes().get(range.start..to).unwrap_or_default();
    let places = memchr::memmem::find_iter(searched, surface).filter_map(|found| {
        let start = range.start + found;
        let place = |byte: usize| index.position_of_byte(byte);
        let span = Span::new(place(start)?, place(start + surface.len())?);
        Some((span, !is_inside(text, start)))
    });
    places.collect()
}

/// Whether a byte is inside a word.
fn is_inside(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
    before && text[at..].chars().next().is_some_and(char::is_alphanumeric)
}

/// Whether two strings differ in white space only.
pub(crate) fn same_words(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq(b.split_whitespace())
}

impl Searched<'_, '_> {
    /// As [`Searched::nearest`], also where the text keeps the escapes of XML or is spelled a little differently.
    pub(crate) fn nearest_spelled(&mut self, surface: &str, near: u32) -> Option<Span> {
        let escaped = surface.contains('&').then(|| surface.replace('&', "&amp;"));
        let found = self.nearest(surface, near);
        let found = found.or_else(|| self.nearest(&escaped?, near));
        found.or_else(|| self.nearest_alike(surface, near))
    }

    /// The nearest place in the window where the text says the same but for case, quotes and dashes.
    fn nearest_alike(&self, surface: &str, near: u32) -> Option<Span> {
        let index = self.index;
        let position = |position: u32| index.byte_of(position.min(index.len()));
        let reach = WINDOW.saturating_add(u32::try_from(surface.chars().count()).ok()?);
        let (from, to) =
            (position(near.saturating_sub(WINDOW))?, position(near.saturating_add(reach))?);
        let found = folded_occurrences(index.text().get(from..to)?, surface).into_iter();
        let spans = found.filter_map(|(start, end)| {
            let place = |byte: usize| index.position_of_byte(from + byte);
            Some(Span::new(place(start)?, place(end)?))
        });
        spans.min_by_key(|span| span.start.abs_diff(near))
    }

    /// The occurrence of a mention that is most likely meant: within the window
    /// rather than outside, whole words rather than parts, near rather than far.
    pub(crate) fn nearest(&mut self, surface: &str, near: u32) -> Option<Span> {
        let index = self.index;
        let first = surface.split_whitespace().next()?;
        let position = |position: u32| index.byte_of(position.min(index.len()));
        let window_start = position(near.saturating_sub(WINDOW))?;
        let window_end = position(near.saturating_add(WINDOW))?;
        let window_end = window_end.saturating_add(first.len()).min(index.text().len());
        let (found, _) = best(index, surface, near, window_start..window_end, usize::MAX);
        if found.is_some_and(|span| span.start.abs_diff(near) <= WINDOW) {
            return found;
        }
        if self.left == 0 {
            return None;
        }
        let (found, used) = best(index, surface, near, 0..index.text().len(), self.left);
        self.left = self.left.saturating_sub(used);
        found
    }
}

/// The best occurrence that begins in a range of bytes, and how many bytes looking for it
/// took; when these are more than `most`, what was found until then.
fn best(
    index: &TextIndex<'_>,
    surface: &str,
    near: u32,
    range: Range<usize>,
    most: usize,
) -> (Option<Span>, usize) {
    let text = index.text();
    let first = surface.split_whitespace().next().unwrap_or_default();
    let finder = memchr::memmem::Finder::new(first);
    let mut best = None;
    let (mut at, mut looked_at) = (range.start, 0);
    while looked_at <= most {
        let rest = text.as_bytes().get(at..range.end).unwrap_or_default();
        let Some(found) = finder.find(rest).filter(|_| !first.is_empty()) else {
            return (best.map(|(_, span)| span), looked_at + rest.len());
        };
        let start = at + found;
        looked_at += found + OCCURRENCE;
        at = start + first.len();
        let Some((key, span)) = occurrence(index, surface, near, start) else { continue };
        if best.is_none_or(|(other, _)| key < other) {
            best = Some((key, span));
        }
    }
    (best.map(|(_, span)| span), looked_at)
}

/// How unlikely an occurrence is: outside of the window, inside a word, how far away.
type Key = (bool, bool, u32);

/// The occurrence of a mention that begins at a byte, if it does.
fn occurrence(
    index: &TextIndex<'_>,
    surface: &str,
    near: u32,
    start: usize,
) -> Option<(Key, Span)> {
    let text = index.text();
    let end = start + end_of_words(text.get(start..)?, surface)?;
    let span = Span::new(index.position_of_byte(start)?, index.position_of_byte(end)?);
    let distance = span.start.abs_diff(near);
    let is_part = is_inside(text, start) || is_inside(text, end);
    Some(((distance > WINDOW, is_part, distance), span))
}

/// How far the words reach if the text begins with them, whatever white space is between.
fn end_of_words(text: &str, surface: &str) -> Option<usize> {
    let mut rest = text;
    for (number, word) in surface.split_whitespace().enumerate() {
        if number > 0 {
            let trimmed = rest.trim_start();
            if trimmed.len() == rest.len() {
                return None;
            }
            rest = trimmed;
        }
        rest = rest.strip_prefix(word)?;
    }
    Some(text.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_occurrence_is_taken() {
        let far = " ".repeat(300);
        let text = format!("BUSA US and USA{far}US  New\r\nYork");
        let index = TextIndex::new(&text);
        let at = |surface: &str, near: u32| {
            let span = Searched::new(&index).nearest(surface, near);
            span.map(|span| (span.start, span.end))
        };
        assert_eq!(at("US", 0), Some((5, 7)), "a whole word within the window");
        assert_eq!(at("US", 300), Some((315, 317)));
        assert_eq!(at("USA", 0), Some((12, 15)));
        assert_eq!(at("BUS", 0), Some((0, 3)), "a part where nothing else is");
        assert_eq!(at("New York", 0), Some((319, 328)));
        assert_eq!(at("NewYork", 0), None);
        assert_eq!(at("", 0), None);
    }

    #[test]
    fn far_searches_come_to_an_end() {
        let text = format!("{}lost", "x ".repeat(1 << 20));
        let index = TextIndex::new(&text);
        let mut searched = Searched::new(&index);
        assert!(searched.nearest("lost", 0).is_some());
        let mut before = usize::MAX;
        let mut rounds = 0;
        // A search takes from what is left until nothing is; then only what is near is found.
        while searched.left > 0 && rounds < 1 << 20 {
            assert!(searched.left < before);
            before = searched.left;
            searched.nearest("x nowhere", 0);
            rounds += 1;
        }
        assert!(rounds < ENOUGH / (OCCURRENCE << 20) + 2, "{rounds}");
        assert_eq!(searched.nearest("lost", 0), None);
        assert_eq!(searched.nearest("x", 6).map(|span| span.start), Some(6));
    }
}
