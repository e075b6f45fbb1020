//! Mentions that are not where the file says.

use crate::anchor::{Here, quoted};
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use karat_model::{Span, TextIndex};

/// How far a mention may have moved before a better occurrence elsewhere counts.
const WINDOW: u32 = 200;

/// Where a mention is, and what was repaired if it is not where the file says.
pub(super) fn locate(
    here: Here<'_>,
    index: &TextIndex<'_>,
    offsets: Offsets,
    start: u64,
    length: u64,
    surface: &str,
) -> Result<(Span, Option<Problem>), Problem> {
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
    let moved = nearest(index, surface, near)
        // Some texts keep the escapes of XML.
        .or_else(|| nearest(index, &surface.replace('&', "&amp;"), near));
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

/// The occurrence of a mention that is most likely meant: within the window
/// rather than outside, whole words rather than parts, near rather than far.
fn nearest(index: &TextIndex<'_>, surface: &str, near: u32) -> Option<Span> {
    let text = index.text();
    let first = surface.split_whitespace().next()?;
    let finder = memchr::memmem::Finder::new(first);
    finder
        .find_iter(text.as_bytes())
        .filter_map(|start| {
            let end = start + end_of_words(text.get(start..)?, surface)?;
            let span = Span::new(index.position_of_byte(start)?, index.position_of_byte(end)?);
            let inside = |at: usize| {
                let before = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
                before && text[at..].chars().next().is_some_and(char::is_alphanumeric)
            };
            let distance = span.start.abs_diff(near);
            Some(((distance > WINDOW, inside(start) || inside(end), distance), span))
        })
        .min_by_key(|&(key, _)| key)
        .map(|(_, span)| span)
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
            nearest(&index, surface, near).map(|span| (span.start, span.end))
        };
        assert_eq!(at("US", 0), Some((5, 7)), "a whole word within the window");
        assert_eq!(at("US", 300), Some((315, 317)));
        assert_eq!(at("USA", 0), Some((12, 15)));
        assert_eq!(at("BUS", 0), Some((0, 3)), "a part where nothing else is");
        assert_eq!(at("New York", 0), Some((319, 328)));
        assert_eq!(at("NewYork", 0), None);
        assert_eq!(at("", 0), None);
    }
}
