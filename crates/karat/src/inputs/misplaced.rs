//! Mentions that would be right if their offsets were counted in another way.
//!
//! A run without texts of its own cannot be checked when it is read. Gold has the texts, so it is checked here: by
//! the words that the file gives for its mentions, or else by the spans that gold has.

use super::reading::counted;
use crate::notices;
use karat_model::{Corpus, Document, End, Hint, MarkKind, Notice, Role, Span, TextIndex};
use std::collections::HashSet;

/// Another way to count. Offsets are changed first, in what they count, and then translated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Reading {
    unit: Unit,
    /// What is added to both offsets.
    shift: i64,
    /// What is added to the end as well: 1 for an end that is the last one inside, but was read as one past it.
    end: i64,
}

/// What offsets may count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// What they were read as.
    AsRead,
    Utf16,
    Bytes,
    Tokens,
}

/// Ways to count that are tried, the most usual first: where two explain as much, the first is named. A file that
/// counts from 1 often has ends that are the last one inside, and may count bytes besides.
fn others() -> Vec<Reading> {
    let reading = |unit, shift, end| Reading { unit, shift, end };
    let mut all = Vec::new();
    for (shift, end) in [(0, 1), (0, -1), (-1, 0), (1, 0), (-1, 1), (1, -1)] {
        all.push(reading(Unit::AsRead, shift, end));
    }
    let simple = [(0, 0), (0, 1), (0, -1), (-1, 0), (-1, 1)];
    all.extend(simple.map(|(shift, end)| reading(Unit::Utf16, shift, end)));
    all.extend(simple.map(|(shift, end)| reading(Unit::Bytes, shift, end)));
    all.push(reading(Unit::Tokens, 0, 0));
    all.push(reading(Unit::Tokens, 0, 1));
    all.push(reading(Unit::AsRead, -2, 0));
    all
}

/// Documents are looked at until this many mentions were seen: a wrong count shows at once.
const ENOUGH: usize = 2_000;

/// What can be said of an input: its name, and what its ends were read as where it has no texts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ends<'a> {
    pub(super) name: &'a str,
    pub(super) end: Option<End>,
}

/// How often a way to count is right, over the mentions that it moves: it says nothing of the others.
#[derive(Debug, Clone, Copy, Default)]
struct Hits {
    moved: usize,
    right: usize,
    right_as_read: usize,
}

impl Hits {
    /// A few hits by chance prove nothing, and a run that is bad in many ways is just bad.
    fn are_clear(self) -> bool {
        self.right >= 2 && self.right > self.right_as_read * 3 && self.right * 2 > self.moved
    }
}

/// Tells of mentions that hardly ever meet as they are, and mostly would if they were counted otherwise.
pub(super) fn misplaced(
    gold: &Corpus,
    benchmark: Ends<'_>,
    run: &Corpus,
    system: Ends<'_>,
) -> Option<Notice> {
    let others: Vec<(Reading, Hint)> = others()
        .into_iter()
        .filter_map(|reading| Some((reading, reading.cure(benchmark, system)?)))
        .collect();
    let mut hits = vec![Hits::default(); others.len()];
    let (mut as_read, mut seen) = (0, 0);
    for document in run.documents() {
        let Some(of_gold) = gold.document(document.name()) else { continue };
        // A run with texts of its own is looked at too: most files give no words that its reader could check.
        let places = Places::new(&of_gold);
        for mention in document.mentions().filter(|it| Role::System.plays(it.flags())) {
            let words = mention.attribute(karat_model::attribute::SURFACE);
            let span = mention.span();
            let is_right = places.fits(Some(span), words);
            seen += 1;
            as_read += usize::from(is_right);
            for ((reading, _), hits) in others.iter().zip(&mut hits) {
                let meant = reading.of(span, &places);
                if meant == Some(span) {
                    continue;
                }
                hits.moved += 1;
                hits.right += usize::from(places.fits(meant, words));
                hits.right_as_read += usize::from(is_right);
            }
        }
        if seen >= ENOUGH {
            break;
        }
    }
    // Of equal ones the first, which is the most usual: the maximum is the last of equal ones.
    let gained = |hits: Hits| hits.right - hits.right_as_read.min(hits.right);
    let clear = others.into_iter().zip(hits).filter(|(_, hits)| hits.are_clear()).rev();
    let ((reading, hint), hits) = clear.max_by_key(|(_, hits)| gained(*hits))?;
    let would = as_read - hits.right_as_read + hits.right;
    let message = format!(
        "{would} of {} would meet the text or gold {}, and {} as they are",
        counted(seen, "mention"),
        reading.described(benchmark, system),
        if as_read == 0 { "none do".to_owned() } else { format!("only {as_read} do") },
    );
    Some(notices::MISPLACED_MENTIONS.notice(message).about(system.name).hint(hint))
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
        let start = u32::try_from(i64::from(span.start) + self.shift).ok()?;
        let end = u32::try_from(i64::from(span.end) + self.shift + self.end).ok()?;
        let in_units = |starts: &[u32]| {
            let at = |offset: u32| starts.get(offset as usize).copied();
            Some(Span::new(at(start)?, at(end)?))
        };
        let moved = match (self.unit, &places.units) {
            // In a text without any other characters, all of these count the same.
            (Unit::AsRead, _) | (Unit::Utf16 | Unit::Bytes, None) => Some(Span::new(start, end)),
            (Unit::Utf16, Some((utf16, _))) => in_units(utf16),
            (Unit::Bytes, Some((_, bytes))) => in_units(bytes),
            (Unit::Tokens, _) => {
                let first = places.tokens.get(start as usize)?;
                let last = places.tokens.get(end.checked_sub(1)? as usize)?;
                Some(Span::new(first.start, last.end))
            }
        };
        moved.filter(|span| span.start < span.end)
    }

    /// The settings that read offsets like this; `None` if no setting does.
    fn cure(self, benchmark: Ends<'_>, system: Ends<'_>) -> Option<Hint> {
        let mut settings: Vec<(&str, String)> = Vec::new();
        let name = system.name;
        match self.unit {
            Unit::AsRead => {}
            Unit::Utf16 => settings.push(("unit", format!("{name}=utf16"))),
            Unit::Bytes => settings.push(("unit", format!("{name}=bytes"))),
            Unit::Tokens => settings.push(("unit", format!("{name}=tokens"))),
        }
        if self.end != 0 {
            settings.push(("end", self.end_setting(benchmark, system)?));
        }
        if self.shift != 0 {
            settings.push(("shift", format!("{name}={}", self.shift)));
        }
        let count = settings.len();
        let mut hint = Hint::default();
        for (at, (setting, value)) in settings.into_iter().enumerate() {
            hint = if at == 0 { hint } else { hint.text(" ") }.setting(setting, value);
        }
        Some(hint.text(match (self.unit, self.shift, count) {
            (Unit::Tokens, ..) => " reads them so; gold must have the tokens, as AIDA-CoNLL has",
            (_, shift, 1) if shift != 0 => " moves them",
            (_, _, 1) => " reads them so",
            _ => " together read them so",
        }))
    }

    /// Ends can be read otherwise on the side that was not read like that already.
    fn end_setting(self, benchmark: Ends<'_>, system: Ends<'_>) -> Option<String> {
        let (wanted, other) = match self.end > 0 {
            true => (End::Inclusive, End::Exclusive),
            false => (End::Exclusive, End::Inclusive),
        };
        // Where nothing is known of an end, it was read as most formats have it.
        let read = |side: Ends<'_>| side.end.unwrap_or(End::Exclusive);
        if read(system) == other {
            return Some(format!("{}={wanted}", system.name));
        }
        // A larger end here is a smaller one there.
        let gold_can = read(benchmark) == wanted && self.unit == Unit::AsRead && self.shift == 0;
        gold_can.then(|| format!("{}={other}", benchmark.name))
    }

    /// What is assumed, as a clause.
    fn described(self, benchmark: Ends<'_>, system: Ends<'_>) -> String {
        let name = system.name;
        let unit = match self.unit {
            Unit::AsRead => None,
            Unit::Utf16 => Some(format!("the offsets of `{name}` counted UTF-16 code units")),
            Unit::Bytes => Some(format!("the offsets of `{name}` counted bytes")),
            Unit::Tokens => Some(format!("the offsets of `{name}` counted tokens")),
        };
        let of_gold = self.end != 0
            && self.end_setting(benchmark, system).is_some_and(|value| {
                value.starts_with(&format!("{}=", benchmark.name)) && benchmark.name != name
            });
        let end = match (self.end, self.shift) {
            (0, _) => None,
            (1, -1) => Some(format!(
                "`{name}` counted from 1, with ends that are the last position inside"
            )),
            (by, 0) if of_gold => {
                Some(format!("the end offsets of `{}` were one {}", benchmark.name, larger(-by)))
            }
            (by, _) => Some(format!("the end offsets of `{name}` were one {}", larger(by))),
        };
        let shift = match (self.shift, self.end) {
            (0, _) | (-1, 1) => None,
            (by, _) => Some(format!("all offsets of `{name}` were {} {}", by.abs(), larger(by))),
        };
        let parts: Vec<String> = [unit, end, shift].into_iter().flatten().collect();
        format!("if {}", parts.join(" and "))
    }
}

fn larger(by: i64) -> &'static str {
    if by < 0 { "smaller" } else { "larger" }
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
