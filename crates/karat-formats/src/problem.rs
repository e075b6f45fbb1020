//! What is wrong with an input, and where.

use crate::notices::Remarks;
use crate::placing::repair::Placings;
use karat_model::{Hint, Span};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

/// Something wrong with an input: what, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", prefix(.source_name, .place.as_ref()))]
pub struct Problem {
    /// The kind of problem.
    pub kind: Kind,
    /// What is wrong and what was expected, in one sentence.
    pub message: String,
    /// The file, as the user named it.
    pub source_name: String,
    /// Where in the file.
    pub place: Option<FilePlace>,
    /// What the user can do.
    pub hint: Option<Hint>,
    /// What in the corpus it is about, where that is known.
    pub about: Option<Box<About>>,
}

/// A document, or a place in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    /// The name of the document, where it is known.
    pub document: Option<String>,
    /// The place in its text.
    pub span: Option<Span>,
}

/// What is wrong with a value, in one sentence, where it is not known yet which file and which place it is from: the message of a
/// [`Problem`] to come.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Flaw(String);

impl From<String> for Flaw {
    fn from(message: String) -> Flaw {
        Flaw(message)
    }
}

impl From<&str> for Flaw {
    fn from(message: &str) -> Flaw {
        Flaw(message.to_owned())
    }
}

impl From<Flaw> for String {
    fn from(flaw: Flaw) -> String {
        flaw.0
    }
}

fn prefix(source_name: &str, place: Option<&FilePlace>) -> String {
    match place {
        Some(place) => format!("{source_name}:{}:{}: ", place.line, place.column),
        None if source_name.is_empty() => String::new(),
        None => format!("{source_name}: "),
    }
}

/// A place in a text file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilePlace {
    /// Line, from 1.
    pub line: u64,
    /// Column in code points, from 1.
    pub column: u64,
    /// The line, or the part of it around the place.
    pub excerpt: String,
    /// The bytes of the excerpt that are meant.
    pub highlight: std::ops::Range<usize>,
}

/// The kinds of problems, as users meet them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// The file cannot be read.
    Unreadable,
    /// The format is not recognised, or cannot do what was asked.
    Format,
    /// A record does not have the shape the format prescribes.
    Malformed,
    /// The file ends in the middle of a record.
    Truncated,
    /// The file is not UTF-8.
    Encoding,
    /// A compressed file expands beyond reason.
    Bomb,
    /// A file, or one record of it, needs more memory than there is.
    TooLarge,
    /// An offset lies outside the text or points into a character.
    Offset,
    /// The text at the offsets is not the mention the file names.
    Surface,
    /// An annotation belongs to a document that is not there.
    UnknownDocument,
    /// Two documents have the same name.
    DuplicateDocument,
    /// Mentions overlap where the format forbids it.
    Overlap,
    /// A mention without offsets was not found in the text.
    Alignment,
    /// A link has white space at its edges.
    LinkShape,
    /// There is nothing wrong, but karat's model has no place for it.
    PassedOver,
    /// Whoever asked for the file no longer waits for it.
    Cancelled,
}

impl Kind {
    /// The name used in summaries and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Unreadable => "unreadable",
            Kind::Format => "format",
            Kind::Malformed => "malformed",
            Kind::Truncated => "truncated",
            Kind::Encoding => "encoding",
            Kind::Bomb => "archive bomb",
            Kind::TooLarge => "too large",
            Kind::Offset => "offset",
            Kind::Surface => "surface form",
            Kind::UnknownDocument => "unknown document",
            Kind::DuplicateDocument => "duplicate document",
            Kind::Overlap => "overlap",
            Kind::Alignment => "alignment",
            // As the check of links that are not mended in reading.
            Kind::LinkShape => "link-shape",
            Kind::PassedOver => "passed over",
            Kind::Cancelled => "cancelled",
        }
    }
}

impl Problem {
    /// Whether it is that the file cannot be read to its end, whatever is in it.
    pub(crate) fn is_of_whole_file(&self) -> bool {
        let kinds = [Kind::Unreadable, Kind::Truncated, Kind::Bomb, Kind::Cancelled];
        self.kind == Kind::TooLarge || self.place.is_none() && kinds.contains(&self.kind)
    }

    /// Reading a file was cancelled.
    pub fn cancelled(source_name: impl Into<String>) -> Problem {
        Problem::new(Kind::Cancelled, source_name, "cancelled")
    }

    /// A problem with a whole file.
    pub fn new(kind: Kind, source_name: impl Into<String>, message: impl Into<String>) -> Problem {
        Problem {
            kind,
            message: message.into(),
            source_name: source_name.into(),
            place: None,
            hint: None,
            about: None,
        }
    }

    /// Adds the place: a byte of a text; `len` bytes are meant.
    pub(crate) fn at(
        mut self,
        text: &str,
        at: usize,
        len: usize,
        cursor: &Cell<Cursor>,
    ) -> Problem {
        self.place = Some(FilePlace::in_text(text, at, len, cursor));
        self
    }

    /// Adds what the user can do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Problem {
        self.hint = Some(hint.into());
        self
    }

    /// Adds what in the corpus it is about.
    #[must_use]
    pub fn about(mut self, document: Option<&str>, span: Option<Span>) -> Problem {
        self.about = Some(Box::new(About { document: document.map(str::to_owned), span }));
        self
    }

    /// Adds the document that it is about, where only the place in it was known.
    #[must_use]
    pub(crate) fn in_document(self, document: &str) -> Problem {
        let span = self.about.as_ref().and_then(|about| about.span);
        self.about(Some(document), span)
    }

    /// Moves the place down by the lines that came before the text it was found in.
    pub(crate) fn below(mut self, lines: u64) -> Problem {
        if let Some(place) = &mut self.place {
            place.line += lines;
        }
        self
    }
}

/// How much of a long line an excerpt shows.
const EXCERPT: usize = 120;

impl FilePlace {
    /// The place of a byte. The cursor remembers the last one, so that many
    /// problems of one text cost one walk through it and not one each.
    fn in_text(text: &str, at: usize, len: usize, cursor: &Cell<Cursor>) -> FilePlace {
        let at = floor_char(text, at.min(text.len()));
        let here = cursor.get().moved_to(text, at);
        cursor.set(here);
        // Only the surroundings of the place are looked at: a line may be a whole file.
        let window_end = floor_char(text, (at + EXCERPT).min(text.len()));
        let ahead = &text[at..window_end];
        let line_end = ahead.find(['\n', '\r']).map_or(window_end, |newline| at + newline);
        let from = floor_char(text, here.line_start.max(at.saturating_sub(EXCERPT / 2)));
        let to = floor_char(text, line_end.min(from + EXCERPT)).max(at);
        let end = floor_char(text, (at + len).min(to)).max(at);
        let clean =
            |part: &str| part.replace('\t', "→").replace(|c: char| c.is_control(), "\u{fffd}");
        let (before, meant) = (clean(&text[from..at]), clean(&text[at..end]));
        let after = clean(&text[end..to]);
        let lead = if from > here.line_start { "…" } else { "" };
        let goes_on = text[to..].chars().next().is_some_and(|next| !['\n', '\r'].contains(&next));
        let trail = if goes_on { "…" } else { "" };
        let start = lead.len() + before.len();
        FilePlace {
            line: here.line + 1,
            column: here.column + 1,
            highlight: start..start + meant.len(),
            excerpt: format!("{lead}{before}{meant}{after}{trail}"),
        }
    }
}

/// A position in a text with its line and column, counted from 0.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cursor {
    at: usize,
    line: u64,
    line_start: usize,
    column: u64,
}

impl Cursor {
    fn moved_to(self, text: &str, at: usize) -> Cursor {
        // Problems mostly come in the order of the file; going back starts over from the beginning.
        let from = if at < self.at { Cursor::default() } else { self };
        let passed = &text[from.at..at];
        let lines = memchr::memchr_iter(b'\n', passed.as_bytes()).count() as u64;
        match memchr::memrchr(b'\n', passed.as_bytes()) {
            Some(newline) => Cursor {
                at,
                line: from.line + lines,
                line_start: from.at + newline + 1,
                column: passed[newline + 1..].chars().count() as u64,
            },
            None => Cursor { at, column: from.column + passed.chars().count() as u64, ..from },
        }
    }
}

fn floor_char(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// What a lenient reading skipped and what any reading repaired or passed over.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    skipped: Listing,
    repaired: Listing,
    passed_over: Listing,
    /// Files that were read because others refer to them.
    used: BTreeSet<String>,
    /// Columns of tables that would be called otherwise, or left out, if they were written.
    foreign_columns: BTreeSet<String>,
    /// How mentions fit their texts.
    pub(crate) placings: Placings,
    pub(crate) remarks: Remarks,
}

#[derive(Debug, Clone, Default)]
struct Listing {
    listed: Vec<Problem>,
    counts: BTreeMap<Kind, usize>,
    /// Whether all problems are kept in full, however many there are.
    all: bool,
}

/// How many problems are kept in full, unless all are asked for; all are counted.
const LISTED: usize = 1000;

impl Listing {
    fn add(&mut self, problem: Problem, all: bool) {
        self.all |= all;
        *self.counts.entry(problem.kind).or_default() += 1;
        // A file with a million bad lines must not fill the memory with their descriptions.
        if self.room() > 0 {
            self.listed.push(problem);
        }
    }

    fn room(&self) -> usize {
        if self.all { usize::MAX } else { LISTED.saturating_sub(self.listed.len()) }
    }

    fn merge(&mut self, other: Listing, lines: u64) {
        self.all |= other.all;
        for (kind, count) in other.counts {
            *self.counts.entry(kind).or_default() += count;
        }
        let room = self.room();
        self.listed.extend(other.listed.into_iter().take(room).map(|p| p.below(lines)));
    }
}

impl Findings {
    /// Moves what was found in a file down, past lines of it that were taken out before.
    pub(crate) fn make_room(&mut self, source_name: &str, lines: &[u64]) {
        let lists = [&mut self.skipped, &mut self.repaired, &mut self.passed_over];
        let problems = lists.into_iter().flat_map(|list| &mut list.listed);
        for problem in problems.filter(|problem| problem.source_name == source_name) {
            let Some(place) = &mut problem.place else { continue };
            // `lines` are in order, and each that is passed moves the place one further down.
            lines.iter().for_each(|&line| place.line += u64::from(line <= place.line));
        }
    }

    /// Notes a record that was skipped; `all` if none may be left off the list.
    pub(crate) fn skip(&mut self, problem: Problem, all: bool) {
        self.skipped.add(problem, all);
    }

    /// Notes a record that was mended; `all` if none may be left off the list.
    pub(crate) fn repair(&mut self, problem: Problem, all: bool) {
        self.repaired.add(problem, all);
    }

    /// Notes a record that has no place in the model; `all` if none may be left off the list.
    pub(crate) fn pass_over(&mut self, problem: Problem, all: bool) {
        self.passed_over.add(problem, all);
    }

    /// Adds the findings of a later part of the same file.
    pub(crate) fn merge(&mut self, other: Findings, lines: u64) {
        self.skipped.merge(other.skipped, lines);
        self.repaired.merge(other.repaired, lines);
        self.passed_over.merge(other.passed_over, lines);
        self.used.extend(other.used);
        self.foreign_columns.extend(other.foreign_columns);
        self.placings.merge(other.placings, lines);
        self.remarks.merge(other.remarks);
    }

    pub(crate) fn note_columns<'n>(&mut self, foreign: impl Iterator<Item = &'n str>) {
        self.foreign_columns.extend(foreign.map(str::to_owned));
    }

    /// Columns of tables that karat has no use for or calls otherwise: a table that is written
    /// does not have them.
    pub fn foreign_columns(&self) -> impl ExactSizeIterator<Item = &str> {
        self.foreign_columns.iter().map(String::as_str)
    }

    pub(crate) fn note_use(&mut self, name: &str) {
        self.used.insert(name.to_owned());
    }

    pub(crate) fn is_used(&self, name: &str) -> bool {
        self.used.contains(name)
    }

    /// Records that were skipped, the first thousand of them unless all were asked for.
    pub fn skipped(&self) -> &[Problem] {
        &self.skipped.listed
    }

    /// How many records were skipped, by kind.
    pub fn skipped_counts(&self) -> &BTreeMap<Kind, usize> {
        &self.skipped.counts
    }

    /// Records that were repaired, the first thousand of them unless all were asked for.
    pub fn repaired(&self) -> &[Problem] {
        &self.repaired.listed
    }

    /// How many records were repaired, by kind.
    pub fn repaired_counts(&self) -> &BTreeMap<Kind, usize> {
        &self.repaired.counts
    }

    /// Records that are well-formed but have no place in karat's model, a relation for
    /// instance: the first thousand of them unless all were asked for.
    pub fn passed_over(&self) -> &[Problem] {
        &self.passed_over.listed
    }

    /// How many records were passed over.
    pub fn passed_over_count(&self) -> usize {
        self.passed_over.counts.values().sum()
    }

    /// How many mentions were moved in reading, or kept although their words are others.
    pub fn misfits(&self) -> usize {
        self.placings.misfits
    }

    /// Whether nothing was skipped or repaired.
    pub fn is_empty(&self) -> bool {
        self.skipped.counts.is_empty() && self.repaired.counts.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_found_by_line_and_column() {
        let text = "first\nzweite Zeile mit ä und\tmehr\nthird";
        let at = text.find("mehr").unwrap();
        let problem = Problem::new(Kind::Malformed, "f.tsv", "not a number");
        let problem = problem.at(text, at, 4, &Cell::default());
        let place = problem.place.clone().unwrap();
        assert_eq!((place.line, place.column), (2, 24));
        assert_eq!(&place.excerpt[place.highlight.clone()], "mehr");
        assert_eq!(place.excerpt, "zweite Zeile mit ä und→mehr");
        assert_eq!(problem.to_string(), "f.tsv:2:24: not a number");
    }

    #[test]
    fn a_long_line_is_cut_around_the_place() {
        let text = format!("{}X{}", "a".repeat(500), "b".repeat(500));
        let place = FilePlace::in_text(&text, 500, 1, &Cell::default());
        assert_eq!(&place.excerpt[place.highlight.clone()], "X");
        assert!(place.excerpt.chars().count() <= EXCERPT + 2);
    }

    #[test]
    fn any_position_is_survived() {
        let text = "ä\r\n\u{1F600}\tz";
        let cursor = Cell::default();
        for at in (0..text.len() + 3).chain([4, 0, 9]) {
            for len in 0..6 {
                let place = FilePlace::in_text(text, at, len, &cursor);
                let fresh = FilePlace::in_text(text, at, len, &Cell::default());
                assert_eq!(place, fresh, "the cursor only saves time");
                assert!(place.excerpt.get(place.highlight).is_some());
            }
        }
    }
}
