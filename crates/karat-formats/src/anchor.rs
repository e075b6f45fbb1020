//! From the offsets of a file to a span of the text, checked.

use crate::block::UNIQUE_DOCUMENTS;
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use crate::source::Text;
use karat_model::{CorpusBuilder, End, Hint, OffsetUnit, Span, TextIndex};

/// The record a reader is at, to locate what is wrong with it.
#[derive(Debug, Clone, Copy)]
pub struct Here<'t> {
    /// The text of the file.
    pub text: &'t Text<'t>,
    /// Where the record or field starts.
    pub at: usize,
    /// How many bytes of it to point at.
    pub len: usize,
}

impl<'t> Here<'t> {
    /// The place of a slice of the file's text.
    pub fn of(text: &'t Text<'t>, part: &str) -> Here<'t> {
        Here { text, at: text.offset_of(part), len: part.len() }
    }

    /// A problem here.
    pub fn problem(&self, kind: Kind, message: impl Into<String>) -> Problem {
        self.text.problem(kind, self.at, self.len, message)
    }

    /// The span for two offsets of a file, if they lie in the text and, where the
    /// file names the mention, if the text there says the same.
    pub fn anchor(
        &self,
        index: &TextIndex<'_>,
        offsets: Offsets,
        start: u64,
        end: u64,
        surface: Option<&str>,
    ) -> Result<Span, Problem> {
        let shift = offsets.shift;
        let moved = |offset: u64| offset.checked_add_signed(shift);
        let (Some(from), Some(to)) = (moved(start), moved(end)) else {
            let message = format!("moved by {shift}, {start}..{end} would be in no text");
            return Err(self.problem(Kind::Offset, message).hint(offsets.hint()));
        };
        let span = self.anchor_of("mention", index, offsets, from, to, surface)?;
        if shift == 0 {
            return Ok(span);
        }
        // The words are checked where they are meant to be. But the mentions of an input are moved when all of it was
        // read, those without texts too, so this one is put where it has to be moved from.
        let back = |offset: u32| u32::try_from(i64::from(offset).checked_sub(shift)?).ok();
        match (back(span.start), back(span.end)) {
            (Some(start), Some(end)) => Ok(Span::new(start, end)),
            _ => {
                let message = format!("no mention at {span} can have been moved by {shift}");
                Err(self.problem(Kind::Offset, message).hint(offsets.hint()))
            }
        }
    }

    /// The same for a mention, a sentence or whatever else has a place in the text.
    pub(crate) fn anchor_of(
        &self,
        what: &str,
        index: &TextIndex<'_>,
        offsets: Offsets,
        start: u64,
        end: u64,
        surface: Option<&str>,
    ) -> Result<Span, Problem> {
        let span = self.span_in(what, index, offsets, start, end)?;
        match surface {
            // `--offsets-decide`: the text at the offsets is believed, and the file's own words are
            // not.
            Some(expected) if !offsets.decide && index.slice(span) != Some(expected) => {
                Err(self.differs(what, index, offsets, span, expected))
            }
            _ => Ok(span),
        }
    }

    /// The span for two offsets in a text that is not at hand, as far as it can be checked.
    pub(crate) fn unchecked(
        &self,
        offsets: Offsets,
        start: u64,
        end: u64,
    ) -> Result<Span, Problem> {
        match (u32::try_from(start), u32::try_from(offsets.exclusive(end))) {
            (Ok(start), Ok(end)) if start <= end => Ok(Span::new(start, end)),
            _ => Err(self
                .problem(Kind::Offset, format!("{start}..{end} cannot be the offsets of a mention"))
                .hint("offsets count from 0, and the end is not before the start")),
        }
    }

    /// Starts a document, unless there is one of this name already.
    pub(crate) fn begin_document(
        &self,
        name: &str,
        corpus: &mut CorpusBuilder,
    ) -> Result<(), Problem> {
        corpus.begin_document(name).map_err(|duplicate| {
            self.problem(Kind::DuplicateDocument, duplicate.to_string()).hint(UNIQUE_DOCUMENTS)
        })
    }

    fn span_in(
        &self,
        what: &str,
        index: &TextIndex<'_>,
        offsets: Offsets,
        start: u64,
        end: u64,
    ) -> Result<Span, Problem> {
        if offsets.unit == OffsetUnit::Tokens {
            let message = "the offsets count tokens, but this file does not say where the tokens of its text are";
            return Err(self.problem(Kind::Offset, message).hint(Hint::template(
                "leave {unit} out, or give the texts and their tokens as an AIDA-CoNLL file with {documents}",
            )));
        }
        let end_exclusive = offsets.exclusive(end);
        if end_exclusive < start {
            let message = format!("the {what} ends at {end}, before it starts at {start}");
            return Err(self.problem(Kind::Offset, message).hint(offsets.hint()));
        }
        let position = |offset: u64| {
            index.to_code_points(offset, offsets.unit).ok_or_else(|| {
                let length = index.from_code_points(index.len(), offsets.unit).unwrap_or_default();
                let (unit, end) = (offsets.unit, offsets.end);
                let message = if offset > length {
                    format!(
                        "offset {start}..{end_} lies outside the text, which has {length} {unit}",
                        end_ = shown_end(end_exclusive, end)
                    )
                } else {
                    format!(
                        "offset {offset} points into the middle of a character (counting {unit})"
                    )
                };
                self.problem(Kind::Offset, message).hint(offsets.hint())
            })
        };
        Ok(Span::new(position(start)?, position(end_exclusive)?))
    }

    fn differs(
        &self,
        what: &str,
        index: &TextIndex<'_>,
        offsets: Offsets,
        span: Span,
        expected: &str,
    ) -> Problem {
        let found = index.slice(span).unwrap_or_default();
        let message = format!(
            "the {what} is {} but the text at {span} is {}",
            quoted(expected),
            quoted(found)
        );
        let nearest = nearest_occurrence(index, expected, span.start);
        let hint = match nearest {
            Some(start) => elsewhere(index, offsets, span, expected, start),
            None if index.text().len() > AROUND => {
                format!("the {what} occurs nowhere near in the text; is it the right document?")
                    .into()
            }
            None => {
                format!("the {what} does not occur in the text at all; is it the right document?")
                    .into()
            }
        };
        self.problem(Kind::Surface, message).hint(hint).about(None, Some(span))
    }
}

/// What may be wrong with offsets whose words begin at another place, or end at one.
fn elsewhere(
    index: &TextIndex<'_>,
    offsets: Offsets,
    span: Span,
    expected: &str,
    start: u32,
) -> Hint {
    let words = quoted(expected);
    let end = start.saturating_add(expected.chars().count() as u32);
    let distance = i64::from(start) - i64::from(span.start);
    if distance == 0 {
        let other = match (offsets.end, i64::from(end) - i64::from(span.end)) {
            (End::Exclusive, 1) => {
                "; is the end offset the last position inside? try `{end=inclusive}`"
            }
            (End::Inclusive, -1) => {
                "; is the end offset one past the mention? try `{end=exclusive}`"
            }
            _ => "",
        };
        return Hint::from(format!("{words} ends at {end}")).then(Hint::template(other));
    }
    let stands = format!(
        "{words} stands at {start}, {} {}",
        distance.abs(),
        if distance < 0 { "earlier" } else { "later" }
    );
    // Without longer characters all units count the same.
    let before = index.slice(Span::new(0, start.max(span.start))).unwrap_or_default();
    match (before.is_ascii(), distance) {
        (false, _) => Hint::from(stands + "; are the offsets counted in another unit? ")
            .then(Hint::template("try `{unit=bytes}` or `{unit=utf16}`")),
        (true, -1) => Hint::from(stands + "; are the offsets counted from 1? ")
            .then(Hint::template("try `{shift=-1}`")),
        (true, _) => Hint::from(stands + "; are these the offsets of another text?"),
    }
}

fn shown_end(exclusive: u64, end: End) -> u64 {
    if end == End::Inclusive { exclusive.saturating_sub(1) } else { exclusive }
}

/// How far around a mention its words are looked for, in bytes. A file may have very
/// many bad mentions in one long text, and each of them gets its hint.
const AROUND: usize = 64 << 10;

/// Where `surface` occurs nearest to a position, if it does not too far from it.
fn nearest_occurrence(index: &TextIndex<'_>, surface: &str, near: u32) -> Option<u32> {
    let text = index.text().as_bytes();
    let at = index.byte_of(near)?;
    if surface.is_empty() {
        return None;
    }
    // Bytes of UTF-8 are found only where the characters are.
    let first = at.saturating_sub(AROUND);
    let last = text.len().min(at.saturating_add(AROUND).saturating_add(surface.len()));
    // One that begins before the position may reach beyond it.
    let behind = last.min(at.saturating_add(surface.len()).saturating_sub(1));
    let before = memchr::memmem::rfind(&text[first..behind], surface.as_bytes());
    let after = memchr::memmem::find(&text[at..last], surface.as_bytes());
    let starts = [before.map(|byte| first + byte), after.map(|byte| at + byte)];
    let starts = starts.into_iter().flatten().filter_map(|byte| index.position_of_byte(byte));
    starts.min_by_key(|start| start.abs_diff(near))
}

/// A string for a message: short, in quotes, control characters visible.
pub(crate) fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    let dots = if short.len() < text.len() { "…" } else { "" };
    format!(
        "“{}{dots}”",
        short.escape_debug().to_string().replace("\\'", "'").replace("\\\"", "\"")
    )
}

impl Offsets {
    pub(crate) fn exclusive(self, end: u64) -> u64 {
        match self.end {
            End::Exclusive => end,
            End::Inclusive => end.saturating_add(1),
        }
    }

    /// How long words are in the unit of these offsets.
    pub(crate) fn length_of(self, words: &str) -> u64 {
        let length = match self.unit {
            OffsetUnit::Bytes => words.len(),
            OffsetUnit::Utf16 => words.encode_utf16().count(),
            OffsetUnit::CodePoints | OffsetUnit::Tokens => words.chars().count(),
        };
        length as u64
    }

    fn hint(self) -> Hint {
        let Offsets { unit, end, .. } = self;
        let other_unit = match unit {
            OffsetUnit::CodePoints => Hint::template("`{unit=utf16}`, `{unit=bytes}`"),
            _ => Hint::template("`{unit=code-points}`"),
        };
        let other_end = match end {
            End::Inclusive => Hint::template(" or `{end=exclusive}`"),
            End::Exclusive => Hint::template(" or `{end=inclusive}`"),
        };
        Hint::from(format!("offsets were read as {unit} with {end} end; say "))
            .then(other_unit)
            .then(other_end)
            .text(" if the file counts differently")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn anchor(
        start: u64,
        end: u64,
        surface: Option<&str>,
        unit: OffsetUnit,
    ) -> Result<Span, String> {
        let text = Text::new("f", "record");
        let index = TextIndex::new("a😀 Zürich");
        let offsets = Offsets { unit, ..Offsets::CODE_POINTS };
        let here = Here { text: &text, at: 0, len: 6 };
        here.anchor(&index, offsets, start, end, surface).map_err(|problem| problem.message)
    }

    #[test]
    fn offsets_are_checked_in_their_unit() {
        assert_eq!(anchor(3, 9, Some("Zürich"), OffsetUnit::CodePoints), Ok(Span::new(3, 9)));
        assert_eq!(anchor(4, 10, Some("Zürich"), OffsetUnit::Utf16), Ok(Span::new(3, 9)));
        assert_eq!(anchor(6, 13, Some("Zürich"), OffsetUnit::Bytes), Ok(Span::new(3, 9)));
    }

    #[test]
    fn the_nearest_occurrence_is_named() {
        let text = "ab é ab é ab";
        let index = TextIndex::new(text);
        let nearest = |surface: &str, near: u32| nearest_occurrence(&index, surface, near);
        for (near, expected) in [(0, 0), (2, 0), (3, 5), (6, 5), (7, 5), (8, 10), (12, 10)] {
            assert_eq!(nearest("ab", near), Some(expected), "{near}");
        }
        assert_eq!((nearest("x", 3), nearest("", 3), nearest("ab", 99)), (None, None, None));
        let far = format!("{}ab", "é".repeat(AROUND));
        assert_eq!(nearest_occurrence(&TextIndex::new(&far), "ab", 0), None, "too far");
    }

    #[test]
    fn what_is_wrong_is_said() {
        let unit = OffsetUnit::CodePoints;
        assert_eq!(
            anchor(3, 99, None, unit).unwrap_err(),
            "offset 3..99 lies outside the text, which has 9 code points"
        );
        assert_eq!(
            anchor(5, 3, None, unit).unwrap_err(),
            "the mention ends at 3, before it starts at 5"
        );
        assert_eq!(
            anchor(2, 5, None, OffsetUnit::Bytes).unwrap_err(),
            "offset 2 points into the middle of a character (counting bytes)"
        );
        assert_eq!(
            anchor(4, 9, Some("Zürich"), unit).unwrap_err(),
            "the mention is “Zürich” but the text at 4..9 is “ürich”"
        );
        assert!(anchor(u64::MAX, u64::MAX, None, unit).is_err());
    }
}
