//! Mentions of several parts, which the model holds as the whole stretch.

use karat_model::Span;

/// The annotation attribute that keeps the parts, as `0 3;7 9` in code points.
pub(crate) const FRAGMENTS: &str = "fragments";

/// From the start of the first part to the end of the last.
pub(crate) fn whole(parts: &[Span]) -> Option<Span> {
    let start = parts.iter().map(|part| part.start).min()?;
    let end = parts.iter().map(|part| part.end).max()?;
    Some(Span::new(start, end))
}

/// The parts as a value of [`FRAGMENTS`].
pub(crate) fn spelled(parts: &[Span]) -> String {
    let parts: Vec<String> =
        parts.iter().map(|part| format!("{} {}", part.start, part.end)).collect();
    parts.join(";")
}

/// The parts of a value of [`FRAGMENTS`]; `None` when it is not exactly one for this span.
pub(crate) fn parsed(value: &str, span: Span) -> Option<Vec<Span>> {
    let mut parts = Vec::new();
    for part in value.split(';') {
        let (start, end) = part.split_once(' ')?;
        let (start, end) = (start.parse().ok()?, end.parse().ok()?);
        if end < start {
            return None;
        }
        parts.push(Span::new(start, end));
    }
    // Only the exact spelling is taken apart again; anything else is an attribute of somebody else.
    let exact = parts.len() > 1 && whole(&parts) == Some(span) && spelled(&parts) == value;
    exact.then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_exact_spelling_counts() {
        let span = Span::new(0, 9);
        let parts = [Span::new(0, 3), Span::new(7, 9)];
        assert_eq!(whole(&parts), Some(span));
        assert_eq!(parsed("0 3;7 9", span).as_deref(), Some(&parts[..]));
        for bad in ["", "0 9", "0 3; 7 9", "0 3;7 8", "0 3;9 7", "0 03;7 9", "a b;c d"] {
            assert_eq!(parsed(bad, span), None, "{bad}");
        }
    }
}
