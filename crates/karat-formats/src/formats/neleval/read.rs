//! From lines to annotations.
//!
//! Millions of lines are read, so this is written for speed: separators are found
//! ahead (`scan.rs`), and the lines of a document are first taken apart and then
//! looked up together, so that the look-ups, which mostly wait for memory, overlap.

use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::scan::{Separators, whole_number};
use karat_model::{CorpusBuilder, End, Link, Span, StrId};

/// Reads the lines of a block.
pub(super) fn read_block(
    text: &Text<'_>,
    end: End,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let content = text.as_str();
    let mut block = Block::new(end);
    let mut separators = Separators::new(content.as_bytes(), b'\t', b'\n');
    let (mut line_start, mut read) = (0, 0);
    while line_start < content.len() {
        let is_newline = |&at: &u32| content.as_bytes()[at as usize] == b'\n';
        let newline = separators.found()[read..].iter().position(is_newline);
        if newline.is_none() && separators.advance(read) {
            read = 0;
            continue;
        }
        let unread = separators.found().get(read..).unwrap_or_default();
        let (tabs, line_end) = match newline {
            Some(tabs) => (&unread[..tabs], unread[tabs] as usize),
            None => (unread, content.len()),
        };
        let line = Line::new(content, line_start, line_end, tabs);
        if let Err(fault) = block.add(&line, &mut reading.corpus) {
            block.flush(&mut reading.corpus);
            reading.report(fault.problem(text, line.text()))?;
        }
        read += tabs.len() + 1;
        line_start = line_end + 1;
    }
    block.flush(&mut reading.corpus);
    Ok(())
}

/// The columns a line has at least room for: document, start, end, id, score, type.
const COLUMNS: usize = 6;

/// One line and where its columns are.
struct Line<'t> {
    content: &'t str,
    end: usize,
    columns: usize,
    /// Where the first columns start, each one past the tab before it; columns
    /// that are not there start one past the end of the line.
    starts: [usize; COLUMNS + 1],
}

impl<'t> Line<'t> {
    #[inline]
    fn new(content: &'t str, start: usize, newline: usize, tabs: &[u32]) -> Line<'t> {
        let returned = newline > start && content.as_bytes()[newline - 1] == b'\r';
        let end = newline - usize::from(returned);
        let mut starts = [end + 1; COLUMNS + 1];
        starts[0] = start;
        for (start, &tab) in starts[1..].iter_mut().zip(tabs) {
            *start = tab as usize + 1;
        }
        Line { content, end, columns: tabs.len() + 1, starts }
    }

    fn text(&self) -> &'t str {
        &self.content[self.starts[0]..self.end]
    }

    /// Where a column starts and ends.
    #[inline]
    fn bounds(&self, column: usize) -> (usize, usize) {
        let end = self.starts[column + 1] - 1;
        (self.starts[column].min(end), end)
    }

    #[inline]
    fn column(&self, column: usize) -> &'t str {
        let (start, end) = self.bounds(column);
        &self.content[start..end]
    }

    #[inline]
    fn bytes(&self, column: usize) -> &'t [u8] {
        let (start, end) = self.bounds(column);
        &self.content.as_bytes()[start..end]
    }

    /// Everything after the offsets.
    fn candidates(&self) -> &'t str {
        &self.content[self.starts[3].min(self.end)..self.end]
    }

    #[inline]
    fn offset(&self, column: usize) -> Result<u32, Fault<'t>> {
        let (start, end) = self.bounds(column);
        whole_number(self.content.as_bytes(), start, end)
            .ok_or_else(|| Fault::Offset(self.column(column)))
    }
}

/// What is wrong with a line, and at which column.
enum Fault<'t> {
    Columns,
    Offset(&'t str),
    Reversed(&'t str, u32, u32),
    Candidates(&'t str),
}

/// A line that was taken apart, its id not looked up yet.
struct Pending<'t> {
    span: Span,
    id: &'t str,
    types: StrId,
    confidence: f64,
}

/// A candidate: link, score, type, and the column the type was in.
type Ranked<'t> = (Link, f64, StrId, &'t str);

/// What is remembered from line to line.
struct Block<'t> {
    end: End,
    document: &'t str,
    kind: (&'t str, StrId),
    pending: Vec<Pending<'t>>,
    links: Vec<Link>,
    ranked: Vec<Ranked<'t>>,
}

impl<'t> Block<'t> {
    fn new(end: End) -> Block<'t> {
        let kind = ("", StrId::EMPTY);
        let (pending, links, ranked) = (Vec::new(), Vec::new(), Vec::new());
        Block { end, document: "", kind, pending, links, ranked }
    }

    #[inline]
    fn add(&mut self, line: &Line<'t>, corpus: &mut CorpusBuilder) -> Result<(), Fault<'t>> {
        let document = line.bytes(0);
        if line.columns < 3 || document.is_empty() {
            return Err(Fault::Columns);
        }
        let (start, stop) = (line.offset(1)?, line.offset(2)?);
        let stop_exclusive = match self.end {
            End::Inclusive => stop.checked_add(1).ok_or_else(|| Fault::Offset(line.column(2)))?,
            End::Exclusive => stop,
        };
        if stop_exclusive < start {
            return Err(Fault::Reversed(line.column(2), start, stop));
        }
        if document != self.document.as_bytes() {
            self.flush(corpus);
            self.document = line.column(0);
            corpus.continue_document(self.document);
        }
        let span = Span::new(start, stop_exclusive);
        let plain = line.columns <= COLUMNS && line.bytes(5).first() != Some(&b'{');
        let added = if plain {
            self.add_plain(line, span, corpus)
        } else {
            self.add_ranked(corpus, span, line.candidates().trim_end_matches('\t'))
        };
        added.map_err(|BadCandidates| Fault::Candidates(line.candidates()))
    }

    /// At most one candidate, and no attributes.
    #[inline]
    fn add_plain(
        &mut self,
        line: &Line<'t>,
        span: Span,
        corpus: &mut CorpusBuilder,
    ) -> Result<(), BadCandidates> {
        let (id, score, kind) = (line.column(3), line.bytes(4), line.bytes(5));
        if id.is_empty() && !(score.is_empty() && kind.is_empty()) {
            return Err(BadCandidates);
        }
        let confidence = match short_decimal(score) {
            Some(value) => value,
            None => number(line.column(4))?,
        };
        if kind != self.kind.0.as_bytes() {
            self.kind = (line.column(5), corpus.intern(line.column(5)));
        }
        self.pending.push(Pending { span, id, types: self.kind.1, confidence });
        Ok(())
    }

    /// Looks up the ids of the pending lines and adds their annotations.
    fn flush(&mut self, corpus: &mut CorpusBuilder) {
        self.links.clear();
        self.links.extend(self.pending.iter().map(|pending| link(corpus, pending.id)));
        for (pending, &link) in self.pending.iter().zip(&self.links) {
            corpus.annotate_plainly(pending.span, link, pending.types, pending.confidence);
        }
        self.pending.clear();
    }

    /// Several candidates, or attributes.
    fn add_ranked(
        &mut self,
        corpus: &mut CorpusBuilder,
        span: Span,
        columns: &'t str,
    ) -> Result<(), BadCandidates> {
        self.flush(corpus);
        self.ranked.clear();
        let mut fields = columns.split('\t');
        while let Some(id) = fields.next() {
            if id.is_empty() {
                return Err(BadCandidates);
            }
            // Trailing tabs were cut, so the last score and type may be missing.
            let score = number(fields.next().unwrap_or_default())?;
            let kind = fields.next().unwrap_or_default();
            let types = match kind.starts_with('{') {
                false => corpus.intern(kind),
                true => corpus.intern(&Kinds::parse(kind)?.kind),
            };
            self.ranked.push((link(corpus, id), score, types, kind));
        }
        let key = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
        self.ranked.sort_by(|a, b| key(b.1).total_cmp(&key(a.1)));
        let Some(&(best, score, types, kind)) = self.ranked.first() else {
            return Err(BadCandidates);
        };
        let mut annotation = corpus.annotate(span, best).confidence(score).types_id(types);
        if kind.starts_with('{') {
            for (key, value) in &Kinds::parse(kind)?.attributes {
                annotation = annotation.attribute(key, value);
            }
        }
        if self.ranked.len() > 1 {
            for &(link, score, types, _) in &self.ranked {
                annotation = annotation.candidate_with_types(link, score, types);
            }
        }
        Ok(())
    }
}

/// The candidate columns of a line have no valid shape.
struct BadCandidates;

/// A type column that is a JSON object of attributes.
#[derive(Default)]
struct Kinds {
    kind: String,
    attributes: Vec<(String, String)>,
}

impl Kinds {
    fn parse(column: &str) -> Result<Kinds, BadCandidates> {
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(column).map_err(|_| BadCandidates)?;
        let mut kinds = Kinds::default();
        for (key, value) in object {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if key == "type" {
                kinds.kind = value;
            } else {
                kinds.attributes.push((key, value));
            }
        }
        Ok(kinds)
    }
}

/// A score; NaN for an empty field, which neleval's own writer produces.
#[inline]
fn number(field: &str) -> Result<f64, BadCandidates> {
    if field.is_empty() {
        return Ok(f64::NAN);
    }
    if let Some(value) = short_decimal(field.as_bytes()) {
        return Ok(value);
    }
    match field.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(BadCandidates),
    }
}

/// A decimal of up to 15 digits. Its digits and the power of ten are exact
/// doubles, so the one division rounds correctly.
#[inline]
fn short_decimal(bytes: &[u8]) -> Option<f64> {
    const POWERS: [f64; 16] =
        [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15];
    if bytes.len() > 16 {
        return None;
    }
    let (mut digits, mut point, mut value) = (0, None, 0u64);
    for &byte in bytes {
        match byte {
            b'0'..=b'9' => {
                value = value * 10 + u64::from(byte - b'0');
                digits += 1;
            }
            b'.' if point.is_none() => point = Some(digits),
            _ => return None,
        }
    }
    if digits == 0 || digits > 15 {
        return None;
    }
    let decimals: usize = point.map_or(0, |before| digits - before);
    Some(value as f64 / POWERS[decimals])
}

#[inline]
fn link(corpus: &mut CorpusBuilder, id: &str) -> Link {
    match id.strip_prefix("NIL") {
        None if id.is_empty() => Link::NONE,
        None => Link::to(corpus.intern(id)),
        Some("") => Link::NIL,
        Some(cluster) => Link::nil_cluster(corpus.intern(cluster)),
    }
}

impl Fault<'_> {
    fn problem(&self, text: &Text<'_>, line: &str) -> Problem {
        match *self {
            Fault::Columns if line.trim().is_empty() => {
                text.problem_at(Kind::Malformed, line, "a blank line").hint("remove it: every line is a mention")
            }
            Fault::Columns => {
                let columns = line.split('\t').count();
                let message = format!("expected `doc  start  end  ...` separated by tabs, found {columns} column{}", if columns == 1 { "" } else { "s" });
                text.problem_at(Kind::Malformed, line, message)
                    .hint("columns are separated by tabs, not spaces")
            }
            Fault::Offset(field) => {
                let message = format!("expected a whole number, found `{field}`");
                text.problem_at(Kind::Malformed, field, message)
                    .hint("the second and third column are the offsets of the mention")
            }
            Fault::Reversed(field, start, end) => {
                let message = format!("the mention ends at {end}, before it starts at {start}");
                text.problem_at(Kind::Offset, field, message)
                    .hint("the end offset is inclusive; say --end exclusive if the file counts differently")
            }
            Fault::Candidates(columns) => {
                text.problem_at(Kind::Malformed, columns, "expected `id  score  type`, repeated for each candidate")
                    .hint("a score is a number; with more than one candidate each needs all three columns, separated by tabs")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_decimals_are_exact() {
        for text in
            ["0.740614547609", "1.0", "0.1", "123456789012345", ".5", "5.", "0.00000000000001"]
        {
            assert_eq!(short_decimal(text.as_bytes()), text.parse().ok(), "{text}");
        }
        for text in ["", ".", "-1", "1e5", "1.2.3", "0.1234567890123456"] {
            assert_eq!(short_decimal(text.as_bytes()), None, "{text}");
        }
    }
}
