//! Mentions that are not where the file says.

use crate::anchor::{Here, quoted};
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use karat_model::{Span, TextIndex};
use std::ops::Range;

/// How far a mention may have moved before a better occurrence elsewhere counts.
const WINDOW: u32 = 200;

/// The text of a document, to find mentions in that have moved.
pub(super) struct Searched<'i, 't> {
    index: &'i TextIndex<'t>,
    /// How many bytes may still be searched for mentions that moved far.
    left: usize,
}

/// After this many bytes a mention is looked for only near its place: a document all of
/// whose mentions are lost is not worth a search of all its text for each of them.
const ENOUGH: usize = 1 << 30;
/// Looking at an occurrence takes as long as searching through about this many bytes.
const OCCURRENCE: usize = 64;

impl<'i, 't> Searched<'i, 't> {
    pub(super) fn new(index: &'i TextIndex<'t>) -> Searched<'i, 't> {
        Searched { index, left: ENOUGH }
    }
}

/// Where a mention is, and what was repaired if it is not where the file says.
pub(super) fn locate(
    here: Here<'_>,
    searched: &mut Searched<'_, '_>,
    offsets: Offsets,
    start: u64,
    length: u64,
    surface: &str,
) -> Result<(Span, Option<Problem>), Problem> {
    let index = searched.index;
    let end = start.saturating_add(length);
    let offsets = Offsets { end: karat_model::End::Exclusive, ..offsets };
    let stated = here.anchor(index, offsets, start, end, None);
    if let Ok(span) = stated
        && !span.is_empty()
        && same_words(index.slice(span).unwrap_or_default(), surface)
    {
        return Ok((span, None));
    }
    let surface = surface.trim();
    if surface.is_empty() {
        return match stated {
            // A file may leave the mention out.
            Ok(span) if !span.is_empty() => Ok((span, None)),
            Ok(span) => Err(here
                .problem(Kind::Offset, format!("the mention at {span} is empty"))
                .hint("a mention needs a length of at least 1")),
            Err(problem) => Err(problem),
        };
    }
    let near = index
        .to_code_points(start, offsets.unit)
        .unwrap_or_else(|| u32::try_from(start).unwrap_or(u32::MAX).min(index.len()));
    let moved = searched.nearest(surface, near).or_else(|| {
        // Some texts keep the escapes of XML.
        let escaped = surface.contains('&').then(|| surface.replace('&', "&amp;"));
        escaped.and_then(|escaped| searched.nearest(&escaped, near))
    });
    match (moved, stated) {
        (Some(span), stated) => {
            let found = match stated {
                Ok(stated) => {
                    let found = quoted(index.slice(stated).unwrap_or_default());
                    format!("the text at {stated} is {found}")
                }
                Err(_) => format!("{start}..{end} is not in the text"),
            };
            let message = format!("{found}, not the mention {}; moved to {span}", quoted(surface));
            Ok((span, Some(here.problem(Kind::Surface, message))))
        }
        (None, Ok(_)) => match here.anchor(index, offsets, start, end, Some(surface)) {
            Ok(span) => Ok((span, None)),
            Err(problem) => Err(problem),
        },
        (None, Err(problem)) => Err(problem),
    }
}

/// Whether two strings differ in white space only.
fn same_words(a: &str, b: &str) -> bool {
    a == b || a.split_whitespace().eq(b.split_whitespace())
}

impl Searched<'_, '_> {
    /// The occurrence of a mention that is most likely meant: within the window
    /// rather than outside, whole words rather than parts, near rather than far.
    fn nearest(&mut self, surface: &str, near: u32) -> Option<Span> {
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
    let inside = |at: usize| {
        let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
        before && text[at..].chars().next().is_some_and(char::is_alphanumeric)
    };
    let distance = span.start.abs_diff(near);
    Some(((distance > WINDOW, inside(start) || inside(end), distance), span))
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
