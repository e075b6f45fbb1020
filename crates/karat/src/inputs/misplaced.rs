//! Mentions that would be right if their offsets were counted in another way.
//!
//! A run without texts of its own cannot be checked when it is read. Gold has the texts, so it is checked here: by
//! the words that the file gives for its mentions, or else by the spans that gold has.

use super::reading::counted;
use crate::notices;
use karat_model::{Corpus, Document, Hint, MarkKind, Notice, Role, Span, TextIndex};
use std::collections::{HashMap, HashSet};

/// Another way to count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// As it was read.
    AsRead,
    /// Both ends are off by this.
    Shifted(i64),
    /// The end is off by this.
    End(i64),
    /// UTF-16 code units.
    Utf16,
    /// Bytes of UTF-8.
    Bytes,
    /// Tokens, end exclusive.
    Tokens,
    /// Tokens, where the end is the last one.
    TokensInclusive,
}

/// Ways to count that are tried, the most usual first.
const OTHERS: [Reading; 9] = [
    Reading::End(1),
    Reading::End(-1),
    Reading::Shifted(-1),
    Reading::Shifted(1),
    Reading::Utf16,
    Reading::Bytes,
    Reading::Tokens,
    Reading::TokensInclusive,
    Reading::Shifted(-2),
];

/// Documents are looked at until this many mentions were seen: a wrong count shows at once.
const ENOUGH: usize = 2_000;

/// Tells of mentions that hardly ever meet as they are, and mostly would if they were counted otherwise.
pub(super) fn misplaced(gold: &Corpus, run: &Corpus, system: &str) -> Option<Notice> {
    let mut met: HashMap<usize, usize> = HashMap::new();
    let (mut as_read, mut seen) = (0, 0);
    for document in run.documents() {
        let Some(of_gold) = gold.document(document.name()) else { continue };
        // Offsets into a text of its own were checked when the file was read.
        if document.text().is_some() {
            continue;
        }
        let places = Places::new(&of_gold);
        for mention in document.mentions().filter(|it| Role::System.plays(it.flags())) {
            let words = mention.attribute(karat_model::attribute::SURFACE);
            let fits = |reading: Reading| places.fits(reading.of(mention.span(), &places), words);
            seen += 1;
            as_read += usize::from(fits(Reading::AsRead));
            for (at, reading) in OTHERS.into_iter().enumerate() {
                *met.entry(at).or_default() += usize::from(fits(reading));
            }
        }
        if seen >= ENOUGH {
            break;
        }
    }
    let (at, count) = (0..OTHERS.len())
        .map(|at| (at, met.get(&at).copied().unwrap_or(0)))
        // Of equal ones the first, which is the most usual.
        .rev()
        .max_by_key(|(_, count)| *count)?;
    // A few hits by chance prove nothing, and a run that is bad in many ways is just bad.
    let is_clear = count >= 2 && count > as_read * 3 && count * 2 > seen;
    is_clear.then(|| OTHERS[at].notice(system, as_read, count, seen))
}

/// Where mentions can be in a document of gold.
struct Places<'g> {
    index: Option<TextIndex<'g>>,
    /// /// Code points at the beginning of each UTF-16 unit and of each byte; none for ASCII, where all three
    /// are the same.
    units: Option<(Vec<u32>, Vec<u32>)>,
    tokens: Vec<Span>,
    spans: HashSet<Span>,
}

impl<'g> Places<'g> {
    fn new(document: &Document<'g>) -> Places<'g> {
        let text = document.text();
        let marked: Vec<Span> = document.marks_of(MarkKind::Token).map(|(span, _)| span).collect();
        // Without tokens in gold, an approximation of them is good enough to tell whether offsets
        // count tokens at all.
        let tokens = match (marked.is_empty(), text) {
            (true, Some(text)) => words(text),
            _ => marked,
        };
        let is_plain = text.is_none_or(str::is_ascii);
        Places {
            index: document.text_index(),
            units: text.filter(|_| !is_plain).map(units),
            tokens,
            spans: document.mentions().map(|mention| mention.span()).collect(),
        }
    }

    /// Whether a mention with these words may be at a span: it has them there, or gold has a mention there.
    fn fits(&self, span: Option<Span>, words: Option<&str>) -> bool {
        let Some(span) = span else { return false };
        match (words, &self.index) {
            // Words prove more than a span of gold: a wrong system has spans that gold does not
            // have, but not words that the text does not have.
            (Some(words), Some(index)) => index.slice(span) == Some(words),
            _ => self.spans.contains(&span),
        }
    }
}

impl Reading {
    /// The span that is meant if offsets are counted like this.
    fn of(self, span: Span, places: &Places<'_>) -> Option<Span> {
        let moved = |start: i64, end: i64| {
            let start = u32::try_from(i64::from(span.start) + start).ok()?;
            let end = u32::try_from(i64::from(span.end) + end).ok()?;
            (start < end).then(|| Span::new(start, end))
        };
        let in_units = |starts: &[u32]| {
            let at = |offset: u32| starts.get(offset as usize).copied();
            Some(Span::new(at(span.start)?, at(span.end)?))
        };
        let in_tokens = |last: u32| {
            let first = places.tokens.get(span.start as usize)?;
            let last = places.tokens.get(last as usize)?;
            (first.start < last.end).then(|| Span::new(first.start, last.end))
        };
        match self {
            Reading::AsRead => Some(span),
            Reading::Shifted(by) => moved(by, by),
            Reading::End(by) => moved(0, by),
            Reading::Utf16 => in_units(&places.units.as_ref()?.0),
            Reading::Bytes => in_units(&places.units.as_ref()?.1),
            Reading::Tokens => in_tokens(span.end.checked_sub(1)?),
            Reading::TokensInclusive => in_tokens(span.end),
        }
    }

    fn notice(self, system: &str, as_read: usize, count: usize, seen: usize) -> Notice {
        let (what, hint) = match self {
            Reading::Shifted(by) => (
                format!(
                    "if all offsets of `{system}` were {} {}",
                    by.abs(),
                    if by < 0 { "smaller" } else { "larger" }
                ),
                Hint::default().setting("shift", format!("{system}={by}")).text(" moves them"),
            ),
            Reading::End(1) => (
                format!("if the end offsets of `{system}` were one larger"),
                Hint::default()
                    .setting("end", format!("{system}=inclusive"))
                    .text(" reads them so"),
            ),
            Reading::End(_) => (
                format!("if the end offsets of `{system}` were one smaller"),
                Hint::default()
                    .setting("end", format!("{system}=exclusive"))
                    .text(" reads them so"),
            ),
            Reading::Utf16 => (
                format!("if the offsets of `{system}` counted UTF-16 code units"),
                Hint::default().setting("unit", format!("{system}=utf16")).text(" reads them so"),
            ),
            Reading::Bytes => (
                format!("if the offsets of `{system}` counted bytes"),
                Hint::default().setting("unit", format!("{system}=bytes")).text(" reads them so"),
            ),
            Reading::Tokens | Reading::TokensInclusive | Reading::AsRead => (
                format!("if the offsets of `{system}` counted tokens"),
                Hint::default()
                    .setting("unit", format!("{system}=tokens"))
                    .text(" reads them so; gold must have the tokens, as AIDA-CoNLL has"),
            ),
        };
        let message = format!(
            "{count} of {} would meet the text or gold {what}, and {} as they are",
            counted(seen, "mention"),
            if as_read == 0 { "none do".to_owned() } else { format!("only {as_read} do") },
        );
        notices::MISPLACED_MENTIONS.notice(message).about(system).hint(hint)
    }
}

/// The code point at the beginning of each UTF-16 unit and of each byte of a text, and at its end.
fn units(text: &str) -> (Vec<u32>, Vec<u32>) {
    let (mut utf16, mut bytes) = (Vec::new(), Vec::new());
    for (at, c) in text.chars().enumerate() {
        // An offset into a character is in no place; it is read as the place of the character.
        utf16.extend(std::iter::repeat_n(at as u32, c.len_utf16()));
        bytes.extend(std::iter::repeat_n(at as u32, c.len_utf8()));
    }
    let end = text.chars().count() as u32;
    utf16.push(end);
    bytes.push(end);
    (utf16, bytes)
}

/// The words of a text between blanks, with punctuation apart, as most tokenisers have them.
fn words(text: &str) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    let mut open: Option<u32> = None;
    let mut end = 0;
    for (at, c) in text.chars().enumerate() {
        let at = at as u32;
        end = at + 1;
        if c.is_alphanumeric() {
            open.get_or_insert(at);
            continue;
        }
        words.extend(open.take().map(|start| Span::new(start, at)));
        if !c.is_whitespace() {
            words.push(Span::new(at, at + 1));
        }
    }
    words.extend(open.map(|start| Span::new(start, end)));
    words
}
