//! Texts with other white space.

use crate::{Document, Span};

/// The tokens of a document, joined anew: the new text, and where each token of the old one
/// stands in it.
#[derive(Debug)]
pub(crate) struct Respaced {
    pub(crate) text: String,
    /// Where each token was, and where it is now, in order.
    tokens: Vec<(Span, Span)>,
}

impl Respaced {
    /// Between two tokens stays what was there if it is one of `gaps`, and otherwise comes a line
    /// break, where there was one and `gaps` has it, or a space. `None` for a document without
    /// text, or where the tokens are not in their order in it.
    pub(crate) fn of(document: &Document<'_>, tokens: &[Span], gaps: &[&str]) -> Option<Respaced> {
        let index = document.text_index()?;
        let mut respaced = Respaced { text: String::new(), tokens: Vec::new() };
        let (mut before, mut length) = (0, 0);
        for &old in tokens {
            let token = index.slice(old).filter(|_| old.start >= before && !old.is_empty())?;
            if !respaced.text.is_empty() {
                let gap = index.slice(Span::new(before, old.start)).unwrap_or_default();
                let gap = match gaps.contains(&gap) {
                    true => gap,
                    false if gap.contains('\n') && gaps.contains(&"\n") => "\n",
                    false => " ",
                };
                respaced.text.push_str(gap);
                length += gap.chars().count() as u32;
            }
            before = old.end;
            let new = Span::new(length, length + old.len());
            respaced.text.push_str(token);
            length = new.end;
            respaced.tokens.push((old, new));
        }
        Some(respaced)
    }

    /// Where a span of the old text is now, without white space at its edges.
    pub(crate) fn span(&self, span: Span) -> Span {
        let first = self.tokens.partition_point(|(old, _)| old.end <= span.start);
        let last = self.tokens.partition_point(|(old, _)| old.start < span.end);
        let start = match (self.tokens.get(first), self.tokens.last()) {
            (Some((old, new)), _) => new.start + span.start.saturating_sub(old.start),
            (None, Some((_, new))) => new.end,
            (None, None) => 0,
        };
        let end = last.checked_sub(1).and_then(|last| self.tokens.get(last));
        let end = end.map_or(start, |(old, new)| new.start + (span.end.min(old.end) - old.start));
        Span::new(start, end.max(start))
    }

    /// The tokens where they are now.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = Span> {
        self.tokens.iter().map(|&(_, new)| new)
    }
}
