//! From lines to annotations.
//!
//! Millions of lines are read, so this is written for speed. Usual lines are taken
//! apart word by word (`scan.rs`) and looked up many together, so that the look-ups,
//! which mostly wait for memory, overlap. What is unusual or wrong is left to
//! [`Block::add_unusual`], which is written for clear messages.

use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::Text;
use crate::syntax::scan::{self, Field, Number};
use karat_model::{Candidate, CorpusBuilder, End, Hint, Key, Link, Span, StrId};
use std::ops::Range;

/// Reads the lines of a block.
pub(super) fn read_block(
    text: &Text<'_>,
    end: End,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    if reading.is_looking() {
        return read_plainly(text, end, reading);
    }
    read_lines(text, end, reading)
}

#[inline(always)]
fn read_lines(text: &Text<'_>, end: End, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let content = text.as_str();
    let mut block = Block::new(content, end);
    let mut start = 0;
    while start < content.len() {
        if let Some(next) = block.add(start, &reading.corpus) {
            start = next;
        } else {
            let rest = &content.as_bytes()[start..];
            let newline = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let line = &content[start..start + newline];
            let line = line.strip_suffix('\r').unwrap_or(line);
            if let Err(fault) = block.add_unusual(line, &mut reading.corpus) {
                reading.report(fault.problem(text, line))?;
            }
            start += newline + 1;
        }
        if block.words.count >= TOGETHER {
            block.flush(&mut reading.corpus);
        }
    }
    block.flush(&mut reading.corpus);
    Ok(())
}

/// Reads line by line and says which document each names, where that is asked for.
fn read_plainly(text: &Text<'_>, end: End, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut block = Block::new(text.as_str(), end);
    for line in text.as_str().lines() {
        match block.add_unusual(line, &mut reading.corpus) {
            Ok(()) => {
                let name = line.split('\t').next().unwrap_or_default();
                reading.names(name, |kind, message| text.problem_at(kind, name, message));
            }
            Err(fault) => reading.report(fault.problem(text, line))?,
        }
    }
    Ok(())
}

/// How many strings are looked up together: as many as the first cache surely holds.
const TOGETHER: usize = 128;

/// For how many strings there is room; lines with very many of them are not usual.
const ROOM: usize = 2 * TOGETHER;

/// What is wrong with a line, and at which column.
enum Fault<'t> {
    Columns,
    Offset(&'t str),
    Reversed(&'t str, u32, u32),
    Candidates(&'t str),
    Score(&'t str),
    Attributes(&'t str),
}

/// Strings of the block that are not looked up yet, in the order in which they stand
/// there: so they get the ids that reading line by line would give them. The first so many
/// are there. They are written in place: a list that may grow takes them through memory,
/// and the processor waits for that.
struct Words {
    keys: [Key; ROOM],
    starts: [u32; ROOM],
    count: usize,
}

impl Words {
    /// Puts a string at a place behind the others; it counts when `count` says so.
    #[inline(always)]
    fn put(&mut self, place: usize, key: Key, start: usize) -> Option<()> {
        *self.keys.get_mut(place)? = key;
        *self.starts.get_mut(place)? = start as u32;
        Some(())
    }
}

/// A mention whose answers are the next so many.
struct Row {
    span: Span,
    answers: u32,
    /// Whether the name of its document is among the words, before those of the answers.
    begins: bool,
}

/// What is not a string of a candidate, whose entity or NIL cluster and whose types are the
/// next two words.
#[derive(Clone, Copy, Default)]
struct Answer {
    nil: bool,
    score: f64,
}

impl Answer {
    #[inline]
    fn candidate(self, ids: &mut impl Iterator<Item = StrId>) -> Candidate {
        let id = ids.next().unwrap_or(StrId::EMPTY);
        let types = ids.next().unwrap_or(StrId::EMPTY);
        let link = match self.nil {
            false => Link::to(id),
            true if id == StrId::EMPTY => Link::NIL,
            true => Link::nil_cluster(id),
        };
        Candidate { link, types, score: self.score }
    }
}

/// Lines that were taken apart.
struct Block<'t> {
    content: &'t str,
    end: End,
    /// The document of the last line, with the tab behind it.
    document: &'t [u8],
    rows: Vec<Row>,
    words: Words,
    /// The first so many are those of the rows.
    answers: [Answer; ROOM / 2],
    count: usize,
    ranked: Vec<Candidate>,
    ids: Vec<StrId>,
}

impl<'t> Block<'t> {
    fn new(content: &'t str, end: End) -> Block<'t> {
        Block {
            content,
            end,
            document: &[],
            rows: Vec::new(),
            words: Words { keys: [Key::default(); ROOM], starts: [0; ROOM], count: 0 },
            answers: [Answer::default(); ROOM / 2],
            count: 0,
            ranked: Vec::new(),
            ids: Vec::new(),
        }
    }

    /// Takes the line that starts here apart and gives the start of the next one;
    /// `None`, and nothing is added, where the line is not as usual.
    #[inline(always)]
    fn add(&mut self, start: usize, corpus: &CorpusBuilder) -> Option<usize> {
        let bytes = self.content.as_bytes();
        let known = scan::begins_with(&bytes[start..], self.document);
        let offsets = match known {
            true => start + self.document.len(),
            false => document_end(bytes, start)?,
        };
        let first = Number::at(bytes, offsets).filter(|first| !first.last)?;
        let second = Number::at(bytes, first.next)?;
        let span = self.span(first.value, second.value)?;
        let mut words = self.words.count;
        if !known {
            let key = corpus.strings().key(&self.content[start..offsets - 1]);
            self.put_key(words, key, start, corpus)?;
            words += 1;
        }
        let (count, next) = self.add_answers(&second, words, corpus)?;
        if !known {
            self.document = &bytes[start..offsets];
        }
        let answers = count - self.count;
        self.rows.push(Row { span, answers: answers as u32, begins: !known });
        self.words.count = words + 2 * answers;
        self.count = count;
        Some(next)
    }

    #[inline(always)]
    fn span(&self, start: u32, end: u32) -> Option<Span> {
        let end = match self.end {
            End::Inclusive => end.checked_add(1)?,
            End::Exclusive => end,
        };
        (start <= end).then(|| Span::new(start, end))
    }

    /// Takes the candidates apart, `id  score  type` and again, puts their strings behind so
    /// many words, and gives how many answers there are with them and the start of the next line.
    #[inline(always)]
    fn add_answers(
        &mut self,
        before: &Number,
        mut words: usize,
        corpus: &CorpusBuilder,
    ) -> Option<(usize, usize)> {
        let bytes = self.content.as_bytes();
        let (mut next, mut last) = (before.next, before.last);
        let mut count = self.count;
        while !last {
            let id = Field::at(bytes, next);
            let score = id.following(bytes);
            let kind = score.following(bytes);
            // With more than one candidate each has all three columns.
            let short = score.last && count > self.count;
            if id.is_empty() || short || kind.word as u8 == b'{' {
                return None;
            }
            let score = match score.short_decimal() {
                Some(number) => number,
                None => self.score(&score).ok()?,
            };
            let nil = self.put_id(words, &id, corpus)?;
            self.put(words + 1, &kind, corpus)?;
            *self.answers.get_mut(count)? = Answer { nil, score };
            count += 1;
            words += 2;
            (next, last) = (kind.next, kind.last);
        }
        Some((count, next))
    }

    /// A score that is no short decimal; NaN for an empty field, which neleval's own
    /// writer produces.
    fn score(&self, field: &Field) -> Result<f64, Fault<'_>> {
        number(&self.content[field.start..field.end])
    }

    /// Puts the entity or the NIL cluster among the words, and says whether it is NIL.
    #[inline(always)]
    fn put_id(&mut self, place: usize, field: &Field, corpus: &CorpusBuilder) -> Option<bool> {
        const NIL: u64 = u64::from_le_bytes(*b"NIL\0\0\0\0\0");
        let nil = field.word & 0xff_ffff == NIL;
        let mut name = *field;
        if nil {
            name.start += 3;
            name.word >>= 24;
        }
        let key = match field.len() <= 8 {
            true => Key::short(name.word, name.len()),
            // What is left in the word is not all of the name.
            false => None,
        };
        let key = key.unwrap_or_else(|| self.key(name.start..name.end, corpus));
        self.put_key(place, key, name.start, corpus)?;
        Some(nil)
    }

    #[inline(always)]
    fn put(&mut self, place: usize, field: &Field, corpus: &CorpusBuilder) -> Option<()> {
        let key = Key::short(field.word, field.len());
        let key = key.unwrap_or_else(|| self.key(field.start..field.end, corpus));
        self.put_key(place, key, field.start, corpus)
    }

    /// Puts a string among the words, and asks for what is known of it: until it is looked up,
    /// some more lines are taken apart.
    #[inline(always)]
    fn put_key(
        &mut self,
        place: usize,
        key: Key,
        start: usize,
        corpus: &CorpusBuilder,
    ) -> Option<()> {
        corpus.strings().fetch(key);
        self.words.put(place, key, start)
    }

    #[inline(never)]
    fn key(&self, place: Range<usize>, corpus: &CorpusBuilder) -> Key {
        corpus.strings().key(&self.content[place])
    }

    /// Looks everything up, or notes it in a part, and adds the annotations.
    fn flush(&mut self, corpus: &mut CorpusBuilder) {
        let Words { keys, starts, count } = &self.words;
        let text = |at: usize| {
            let start = starts[at] as usize;
            &self.content[start..start + keys[at].len()]
        };
        corpus.intern_all_for_rows(&keys[..*count], text, &mut self.ids);
        let mut ids = self.ids.iter().copied();
        let mut answers = &self.answers[..self.count];
        for Row { span, answers: count, begins } in self.rows.drain(..) {
            if begins {
                corpus.continue_document_id(ids.next().unwrap_or(StrId::EMPTY));
            }
            let (own, others) = answers.split_at(count as usize);
            answers = others;
            match own {
                [] => corpus.annotate_plainly(span, Link::NONE, StrId::EMPTY, f64::NAN),
                [answer] => {
                    let Candidate { link, types, score } = answer.candidate(&mut ids);
                    corpus.annotate_plainly(span, link, types, score);
                }
                several => {
                    self.ranked.clear();
                    self.ranked.extend(several.iter().map(|answer| answer.candidate(&mut ids)));
                    annotate_ranked(corpus, span, &mut self.ranked);
                }
            }
        }
        self.words.count = 0;
        self.count = 0;
    }

    /// Adds a line that is not as usual, or says what is wrong with it.
    #[cold]
    fn add_unusual(&mut self, line: &'t str, corpus: &mut CorpusBuilder) -> Result<(), Fault<'t>> {
        let mut columns = line.splitn(4, '\t');
        let (Some(name), Some(start), Some(end)) = (columns.next(), columns.next(), columns.next())
        else {
            return Err(Fault::Columns);
        };
        if name.is_empty() {
            return Err(Fault::Columns);
        }
        let (first, last) = (offset(start)?, offset(end)?);
        let span = match (self.span(first, last), last.checked_add(1)) {
            (Some(span), _) => span,
            (None, None) => return Err(Fault::Offset(end)),
            (None, Some(_)) => return Err(Fault::Reversed(end, first, last)),
        };
        let candidates = columns.next().unwrap_or_default();
        let unusual = Unusual::parse_all(candidates)?;
        self.flush(corpus);
        corpus.continue_document(name);
        // The next usual line says again which document it is of.
        self.document = &[];
        annotate_unusual(corpus, span, unusual);
        Ok(())
    }
}

/// Where the offsets begin, behind the name of a document and a tab.
fn document_end(bytes: &[u8], start: usize) -> Option<usize> {
    let name = Field::at(bytes, start);
    (!name.is_empty() && !name.last).then_some(name.next)
}

fn offset(column: &str) -> Result<u32, Fault<'_>> {
    let digits = column.bytes().all(|byte| byte.is_ascii_digit());
    column.parse().ok().filter(|_| digits).ok_or(Fault::Offset(column))
}

/// Adds a mention with several candidates; the best is the answer.
fn annotate_ranked(corpus: &mut CorpusBuilder, span: Span, ranked: &mut [Candidate]) {
    ranked.sort_by(|a, b| by_falling_score(a.score, b.score));
    let Some(best) = ranked.first() else { return };
    let annotation = corpus.annotate(span, best.link);
    annotation.confidence(best.score).types_id(best.types).ranked(ranked);
}

fn by_falling_score(a: f64, b: f64) -> std::cmp::Ordering {
    let key = |score: f64| if score.is_nan() { f64::NEG_INFINITY } else { score };
    key(b).total_cmp(&key(a))
}

/// A candidate of an unusual line.
struct Unusual<'t> {
    id: &'t str,
    score: f64,
    kinds: Kinds,
}

impl<'t> Unusual<'t> {
    fn parse_all(columns: &'t str) -> Result<Vec<Unusual<'t>>, Fault<'t>> {
        let mut all = Vec::new();
        // The empty columns of one candidate are no answer. Behind an answer they say
        // nothing; alone there cannot be more of them.
        let is_empty = |columns: &str| columns.bytes().all(|byte| byte == b'\t');
        if columns.len() < 3 && is_empty(columns) {
            return Ok(all);
        }
        let mut rest = Some(columns);
        while let Some(candidates) = rest.filter(|rest| all.is_empty() || !is_empty(rest)) {
            let mut fields = candidates.splitn(4, '\t');
            let id = fields.next().filter(|id| !id.is_empty()).ok_or(Fault::Candidates(columns))?;
            let (score, kind) = match (fields.next(), fields.next()) {
                (Some(score), Some(kind)) => (score, kind),
                // With more than one candidate each has all three columns.
                _ if !all.is_empty() => return Err(Fault::Candidates(columns)),
                (score, _) => (score.unwrap_or_default(), ""),
            };
            all.push(Unusual { id, score: number(score)?, kinds: Kinds::parse(kind)? });
            rest = fields.next();
        }
        Ok(all)
    }

    fn candidate(&self, corpus: &mut CorpusBuilder) -> Candidate {
        let link = match self.id.strip_prefix("NIL") {
            None => Link::to(corpus.intern(self.id)),
            Some("") => Link::NIL,
            Some(cluster) => Link::nil_cluster(corpus.intern(cluster)),
        };
        Candidate { link, types: corpus.intern(&self.kinds.kind), score: self.score }
    }
}

/// Adds a mention whose candidates may have attributes.
fn annotate_unusual(corpus: &mut CorpusBuilder, span: Span, mut unusual: Vec<Unusual<'_>>) {
    let mut ranked: Vec<Candidate> = unusual.iter().map(|one| one.candidate(corpus)).collect();
    unusual.sort_by(|a, b| by_falling_score(a.score, b.score));
    match ranked.as_mut_slice() {
        [] => corpus.annotate_plainly(span, Link::NONE, StrId::EMPTY, f64::NAN),
        [only] => corpus.annotate_plainly(span, only.link, only.types, only.score),
        several => annotate_ranked(corpus, span, several),
    }
    let last = corpus.next_index().saturating_sub(1);
    for (key, value) in unusual.first().iter().flat_map(|best| &best.kinds.attributes) {
        if let Some(annotation) = corpus.annotation_mut(last) {
            annotation.attribute(key, value);
        }
    }
}

/// A type column, which may be a JSON object of attributes.
#[derive(Default)]
struct Kinds {
    kind: String,
    attributes: Vec<(String, String)>,
}

impl Kinds {
    fn parse(column: &str) -> Result<Kinds, Fault<'_>> {
        if !column.starts_with('{') {
            return Ok(Kinds { kind: column.to_owned(), attributes: Vec::new() });
        }
        let object: serde_json::Map<String, serde_json::Value> =
            serde_json::from_str(column).map_err(|_| Fault::Attributes(column))?;
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

/// A score; NaN for none, which is written as `nan` or left out.
fn number(field: &str) -> Result<f64, Fault<'_>> {
    if field.is_empty() || field.eq_ignore_ascii_case("nan") {
        return Ok(f64::NAN);
    }
    match field.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(Fault::Score(field)),
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
                let digits = !field.is_empty() && field.bytes().all(|byte| byte.is_ascii_digit());
                let message = match digits {
                    true => format!("the offset {field} is beyond any text"),
                    false => format!("expected a whole number, found `{field}`"),
                };
                text.problem_at(Kind::Malformed, field, message)
                    .hint("the second and third column are the offsets of the mention")
            }
            Fault::Reversed(field, start, end) => {
                let message = format!("the mention ends at {end}, before it starts at {start}");
                text.problem_at(Kind::Offset, field, message)
                    .hint(Hint::template("the end offset is inclusive; say {end=exclusive} if the file counts differently"))
            }
            Fault::Candidates(columns) => {
                text.problem_at(Kind::Malformed, columns, "expected `id  score  type`, repeated for each candidate")
                    .hint("with more than one candidate each needs all three columns, separated by tabs")
            }
            Fault::Score(field) => {
                let message = format!("expected a finite number, found `{field}`");
                text.problem_at(Kind::Malformed, field, message)
                    .hint("behind the id of each candidate come its score and its type; `nan` or nothing is no score")
            }
            Fault::Attributes(column) => {
                text.problem_at(Kind::Malformed, column, "expected a JSON object of attributes")
                    .hint("a type that begins with { is a JSON object, as in {\"type\":\"PER\",\"reftype\":\"NOM\"}")
            }
        }
    }
}
