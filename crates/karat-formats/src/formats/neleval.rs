//! neleval / TAC TSV: one annotation per line, the interchange format of TAC KBP.

use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::scan::{Separators, whole_number};
use karat_model::{
    Corpus, CorpusBuilder, End, Features, Link, Mention, OffsetUnit, Repeated, Restriction, Span,
    StrId,
};
use std::io::Write;

/// The format.
#[derive(Debug)]
pub(crate) struct Neleval;

static INFO: Info = Info {
    name: "neleval",
    title: "neleval / TAC TSV",
    about: "`doc  start  end  [id  [score  [type  [id  score  type] ...]]]`, separated by tabs, one mention per line, \
            end offset inclusive, in whatever unit the files agree on. An id that begins with NIL is NIL and the rest \
            of it names the cluster; no id at all is a mention without an answer. Several candidates are ranked by \
            score and the best is the answer. A type that begins with { is a JSON object of attributes.",
    reference: "neleval 3.1, neleval/doc/formats.rst",
    extensions: &["tsv", "tab"],
    offsets: Offsets { unit: OffsetUnit::CodePoints, end: End::Inclusive },
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction {
        // A mention without an answer has no room for a type or score, so it is
        // written as NIL, which is how most conventions count it.
        features: Features::NIL
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::CANDIDATES)
            .union(Features::CANDIDATE_SCORES)
            .union(Features::CANDIDATE_TYPES)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["*"],
    },
};

impl Format for Neleval {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let fits = |line: &&str| {
            let mut fields = line.split('\t');
            let name = fields.next().is_some_and(|name| !name.is_empty());
            let number = |field: Option<&str>| field.is_some_and(|f| f.parse::<u32>().is_ok());
            name && number(fields.next()) && number(fields.next())
        };
        let lines: Vec<&str> = sample.lines().take(20).collect();
        match lines.iter().copied().filter(|line| fits(line)).count() {
            0 => 0,
            all if all == lines.len() => 60,
            // A few bad lines deserve to be named, not the whole file.
            most if most * 2 >= lines.len() => 30,
            _ => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let end = INFO.offsets.or(reading.options).end;
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Merge, reading, |text, reading| {
                read_block(text, end, reading)
            })?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                check_name(document.name(), document.name(), "document id")?;
                for mention in document.mentions() {
                    write_line(out, &mention)?;
                }
            }
            Ok(())
        })
    }
}

fn read_block(text: &Text<'_>, end: End, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let content = text.as_str();
    let mut block = Block { end, document: "", kind: ("", StrId::EMPTY) };
    let mut separators = Separators::new(content.as_bytes(), b'\t', b'\n');
    let (mut line_start, mut read) = (0, 0);
    loop {
        let is_newline = |&at: &u32| content.as_bytes()[at as usize] == b'\n';
        let newline = separators.found()[read..].iter().position(is_newline);
        if newline.is_none() && separators.advance(read) {
            read = 0;
            continue;
        }
        let unread = &separators.found()[read.min(separators.found().len())..];
        let (tabs, line_end) = match newline {
            Some(tabs) => (&unread[..tabs], unread[tabs] as usize),
            None if line_start < content.len() => (unread, content.len()),
            None => return Ok(()),
        };
        let without_return = line_end - usize::from(content[line_start..line_end].ends_with('\r'));
        let line = Line { content, start: line_start, end: without_return, tabs };
        if let Err(fault) = block.add(&line, &mut reading.corpus) {
            reading.report(fault.problem(text, line.text()))?;
        }
        read += tabs.len() + 1;
        line_start = line_end + 1;
        if line_start > content.len() {
            return Ok(());
        }
    }
}

/// One line and where its tabs are.
#[derive(Clone, Copy)]
struct Line<'t, 's> {
    content: &'t str,
    start: usize,
    end: usize,
    tabs: &'s [u32],
}

impl<'t> Line<'t, '_> {
    fn text(&self) -> &'t str {
        &self.content[self.start..self.end]
    }

    /// Where a column starts and ends; empty at the end of the line for one that is not there.
    #[inline]
    fn bounds(&self, column: usize) -> (usize, usize) {
        let start = match column {
            0 => self.start,
            _ => self.tabs.get(column - 1).map_or(self.end, |&tab| tab as usize + 1),
        };
        let end = self.tabs.get(column).map_or(self.end, |&tab| tab as usize);
        (start.min(end), end)
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

    /// Everything from a column on.
    fn rest_from(&self, column: usize) -> &'t str {
        &self.content[self.bounds(column).0..self.end]
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

/// What is remembered from line to line.
struct Block<'t> {
    end: End,
    document: &'t str,
    kind: (&'t str, StrId),
}

impl<'t> Block<'t> {
    #[inline]
    fn add(&mut self, line: &Line<'t, '_>, corpus: &mut CorpusBuilder) -> Result<(), Fault<'t>> {
        let document = line.bytes(0);
        if line.tabs.len() < 2 || document.is_empty() {
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
            self.document = line.column(0);
            corpus.continue_document(self.document);
        }
        let span = Span::new(start, stop_exclusive);
        let plain = line.tabs.len() <= 5 && line.bytes(5).first() != Some(&b'{');
        let added = if plain {
            self.add_plain(line, span, corpus)
        } else {
            add_ranked(corpus, span, line.rest_from(3).trim_end_matches('\t'))
        };
        added.map_err(|BadCandidates| Fault::Candidates(line.rest_from(3)))
    }

    /// At most one candidate, and no attributes.
    #[inline]
    fn add_plain(
        &mut self,
        line: &Line<'t, '_>,
        span: Span,
        corpus: &mut CorpusBuilder,
    ) -> Result<(), BadCandidates> {
        let (id, score, kind) = (line.column(3), line.bytes(4), line.bytes(5));
        if id.is_empty() {
            if !score.is_empty() || !kind.is_empty() {
                return Err(BadCandidates);
            }
            corpus.annotate(span, Link::NONE);
            return Ok(());
        }
        let confidence = match short_decimal(score) {
            Some(value) => value,
            None => number(line.column(4))?,
        };
        if kind != self.kind.0.as_bytes() {
            self.kind = (line.column(5), corpus.intern(line.column(5)));
        }
        let link = link(corpus, id);
        corpus.annotate_plainly(span, link, self.kind.1, confidence);
        Ok(())
    }
}

/// The candidate columns of a line have no valid shape.
struct BadCandidates;

/// Several candidates, or attributes: the slow road.
fn add_ranked(corpus: &mut CorpusBuilder, span: Span, columns: &str) -> Result<(), BadCandidates> {
    let fields: Vec<&str> = columns.split('\t').collect();
    // Trailing tabs were cut, so the last type, or score and type, may be missing.
    let mut candidates = Vec::with_capacity(fields.len() / 3 + 1);
    for triple in fields.chunks(3) {
        let &[id, ref rest @ ..] = triple else { continue };
        if id.is_empty() {
            return Err(BadCandidates);
        }
        let score = number(rest.first().copied().unwrap_or_default())?;
        let kind = Kinds::parse(rest.get(1).copied().unwrap_or_default())?;
        candidates.push((link(corpus, id), score, kind));
    }
    let key = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
    candidates.sort_by(|a, b| key(b.1).total_cmp(&key(a.1)));
    let Some((best, score, kinds)) = candidates.first() else { return Err(BadCandidates) };
    let types = corpus.intern(&kinds.kind);
    let ranked: Vec<(Link, f64, StrId)> = candidates
        .iter()
        .map(|(link, score, kinds)| (*link, *score, corpus.intern(&kinds.kind)))
        .collect();
    let mut annotation = corpus.annotate(span, *best).confidence(*score).types_id(types);
    for (key, value) in &kinds.attributes {
        annotation = annotation.attribute(key, value);
    }
    if ranked.len() > 1 {
        for (link, score, types) in ranked {
            annotation = annotation.candidate_with_types(link, score, types);
        }
    }
    Ok(())
}

/// A type column: a plain type, or a JSON object of attributes.
#[derive(Default)]
struct Kinds {
    kind: String,
    attributes: Vec<(String, String)>,
}

impl Kinds {
    fn parse(column: &str) -> Result<Kinds, BadCandidates> {
        if !column.starts_with('{') {
            return Ok(Kinds { kind: column.to_owned(), attributes: Vec::new() });
        }
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
                    .hint("columns are separated by tabs, not spaces; --lenient skips bad lines and counts them")
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

fn write_line(out: &mut dyn Write, mention: &Mention<'_>) -> Result<(), WriteError> {
    let document = mention.document().name();
    let span = mention.span();
    // Empty spans are left out by the restriction, so the end is at least 1.
    write!(out, "{document}\t{}\t{}", span.start, span.end.saturating_sub(1))?;
    let name = id(document, mention.entity(), mention.nil_cluster())?;
    let types = mention.types().next().unwrap_or_default();
    let attributes: Vec<(&str, &str)> = mention.attributes().collect();
    let kind = kind_column(document, types, &attributes)?;
    write!(out, "\t{name}")?;
    let mut others = mention.candidates().skip(1).peekable();
    if others.peek().is_some() || !kind.is_empty() || mention.confidence().is_some() {
        write!(out, "\t{}", score(mention.confidence()))?;
    }
    if others.peek().is_some() || !kind.is_empty() {
        write!(out, "\t{kind}")?;
    }
    for candidate in others {
        let name = id(document, candidate.entity, candidate.nil_cluster)?;
        let kind = kind_column(document, candidate.types().next().unwrap_or_default(), &[])?;
        write!(out, "\t{name}\t{}\t{kind}", score(candidate.score))?;
    }
    Ok(writeln!(out)?)
}

fn id(document: &str, entity: Option<&str>, cluster: Option<&str>) -> Result<String, WriteError> {
    match (entity, cluster) {
        (Some(entity), _) if entity.starts_with("NIL") => Err(WriteError::unrepresentable(
            document,
            format!("the entity `{entity}` would be read as NIL"),
        )),
        (Some(name), _) => check_name(document, name, "entity").map(|()| name.to_owned()),
        (None, Some(name)) => check_name(document, name, "cluster").map(|()| format!("NIL{name}")),
        (None, None) => Ok("NIL".to_owned()),
    }
}

fn kind_column(
    document: &str,
    kind: &str,
    attributes: &[(&str, &str)],
) -> Result<String, WriteError> {
    if attributes.is_empty() && !kind.starts_with('{') {
        check_name(document, kind, "type")?;
        return Ok(kind.to_owned());
    }
    let pairs = std::iter::once(("type", kind)).filter(|(_, kind)| !kind.is_empty());
    let pairs = pairs.chain(attributes.iter().copied());
    let object: serde_json::Map<String, serde_json::Value> =
        pairs.map(|(key, value)| (key.to_owned(), value.into())).collect();
    Ok(serde_json::Value::Object(object).to_string())
}

fn check_name(document: &str, name: &str, what: &str) -> Result<(), WriteError> {
    if name.contains(['\t', '\n', '\r']) {
        let message = format!("the {what} `{}` has a tab or line break in it", name.escape_debug());
        return Err(WriteError::unrepresentable(document, message));
    }
    Ok(())
}

fn score(score: Option<f64>) -> String {
    score.map(|score| format!("{score:?}")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ReadOptions, Registry};

    fn read(content: &str) -> Result<Corpus, Problem> {
        read_with(content, &ReadOptions::default())
    }

    fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
        let registry = Registry::new(&[&Neleval]);
        let input = Input::from(Source::memory("m.tsv", content));
        registry.read(&input, Some("neleval"), options).map(|outcome| outcome.corpus)
    }

    #[test]
    fn the_best_candidate_is_the_answer() {
        let corpus = read("d x\t3\t5\tQ1\t0.25\tPER\tQ2\t0.5\tLOC\tNIL7\t\tORG\n").unwrap();
        let mention = corpus.document("d x").unwrap().mentions().next().unwrap();
        assert_eq!(mention.span(), Span::new(3, 6), "the end is inclusive");
        assert_eq!(mention.entity(), Some("Q2"));
        assert_eq!(mention.confidence(), Some(0.5));
        assert_eq!(mention.types().collect::<Vec<_>>(), ["LOC"]);
        let order: Vec<_> = mention.candidates().map(|c| c.entity.or(c.nil_cluster)).collect();
        assert_eq!(order, [Some("Q2"), Some("Q1"), Some("7")]);
    }

    #[test]
    fn nil_and_no_answer_are_told_apart() {
        let corpus = read("d\t0\t1\nd\t2\t3\tNIL\nd\t4\t5\tNIL0042\t1.0\n").unwrap();
        let links: Vec<_> = corpus.annotations().iter().map(|a| a.link).collect();
        assert!(links[0].is_none() && links[1] == Link::NIL);
        let clusters: Vec<_> =
            corpus.documents().next().unwrap().mentions().map(|m| m.nil_cluster()).collect();
        assert_eq!(clusters, [None, None, Some("0042")]);
    }

    #[test]
    fn attributes_come_as_json() {
        let corpus = read("d\t0\t1\tQ1\t1.0\t{\"type\":\"PER\",\"reftype\":\"NOM\"}\n").unwrap();
        let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!(mention.types().next(), Some("PER"));
        assert_eq!(mention.attribute("reftype"), Some("NOM"));
        assert_eq!(mention.candidates().len(), 0, "a single candidate is the answer");
    }

    #[test]
    fn bad_lines_are_located() {
        let cases = [
            ("d\t0\t1\nd\tx\t3\n", 2, 3, "expected a whole number, found `x`"),
            ("d 0 1\n", 1, 1, "expected `doc  start  end  ...` separated by tabs, found 1 column"),
            ("d\t5\t2\tQ1\n", 1, 5, "the mention ends at 2, before it starts at 5"),
            (
                "d\t0\t1\tQ1\thigh\n",
                1,
                7,
                "expected `id  score  type`, repeated for each candidate",
            ),
            ("d\t0\t1\n\nd\t2\t3\n", 2, 1, "a blank line"),
        ];
        for (content, line, column, message) in cases {
            let problem = read(content).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!(
                (place.line, place.column, problem.message.as_str()),
                (line, column, message)
            );
            assert!(problem.hint.is_some());
        }
    }

    #[test]
    fn a_lenient_reading_goes_on() {
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = read_with("d\tx\t3\nd\t0\t1\tQ1\nshort\n", &options).unwrap();
        assert_eq!(corpus.annotations().len(), 1);
    }

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
