//! Reading a file: its text from the sentences, and the mentions from the rows.

use super::cells::{unescaped, values};
use super::layers::{Columns, Layer, chosen};
use super::{FORMAT, HINT, INFO, TEXT};
use crate::anchor::Here;
use crate::format::Offsets;
use crate::placing::text_folder;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::{Link, Span, TextIndex};
use std::collections::HashMap;

/// So much may lie between sentences: a hostile offset must not fill the memory.
const GAPS: usize = 64 << 10;

/// The columns before those of the layers.
const BEFORE: usize = 3;

/// A row of a token, or of a part of one.
struct Row<'t> {
    line: &'t str,
    begin: u64,
    end: u64,
    token: String,
}

/// An annotation while its rows are read.
struct Found<'t> {
    line: &'t str,
    begin: u64,
    end: u64,
    number: Option<u32>,
    link: Option<String>,
    kind: Option<String>,
}

/// What tells an annotation from others: its layer, and its number, or else its row and place in the cell.
type Key = (usize, u32, Option<usize>);

/// A file while it is read.
struct Draft<'t> {
    offsets: Offsets,
    /// How long the text may get.
    longest: usize,
    content: String,
    /// The length of the text in the unit of its offsets.
    length: u64,
    /// The texts of a sentence whose first row is still to come.
    sentence: Vec<String>,
    rows: Vec<Row<'t>>,
    found: Vec<Found<'t>>,
    places: HashMap<Key, usize>,
}

pub(super) fn file(file: &Source, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let text = file.text()?;
    let mut lines = text.as_str().lines();
    let first = lines.by_ref().find(|line| !line.trim().is_empty()).unwrap_or_default();
    if !first.starts_with(FORMAT) {
        let problem = text.problem_at(Kind::Malformed, first, format!("expected `{FORMAT}.x`"));
        return reading.report(problem.hint(HINT));
    }
    let mut layers: Vec<(Layer, &str)> = Vec::new();
    let mut columns: Option<Vec<Columns>> = None;
    let longest = text.as_str().len().saturating_mul(2).saturating_add(GAPS);
    let mut draft = Draft {
        offsets: reading.offsets(INFO.offsets),
        longest,
        content: String::new(),
        length: 0,
        sentence: Vec::new(),
        rows: Vec::new(),
        found: Vec::new(),
        places: HashMap::new(),
    };
    for line in lines {
        if let Some(sentence) = line.strip_prefix(TEXT) {
            // Several in a row are the lines of one sentence, in early releases.
            draft.sentence.push(unescaped(sentence));
        } else if line.starts_with('#') && columns.is_none() {
            let next = layers.last().map_or(BEFORE, |(layer, _)| layer.end());
            layers.extend(Layer::parse(line, next).map(|layer| (layer, line)));
        } else if !line.trim().is_empty() && !is_comment(line) {
            let columns = columns.get_or_insert_with(|| choose(&text, &layers, reading));
            let row = draft.row(&text, line, columns);
            reading.accept(row)?;
        }
    }
    draft.end_sentence();
    let name = text_folder::document_name(file.stem()).into_owned();
    draft.finish(&text, &name, reading)
}

/// INCEpTION says more of sentences: `#Sentence.id=...`.
fn is_comment(line: &str) -> bool {
    line.starts_with('#')
}

/// The layers that are read; what is left out is counted.
fn choose(text: &Text<'_>, layers: &[(Layer, &str)], reading: &mut Reading<'_>) -> Vec<Columns> {
    let (all, lines): (Vec<&Layer>, Vec<&str>) = layers.iter().map(|(l, line)| (l, *line)).unzip();
    let (columns, others) = chosen(&all);
    for other in others {
        let line = all.iter().zip(&lines).find(|(layer, _)| layer.name == other);
        let message = format!("the layer `{other}` is not read");
        let line = line.map_or("", |(_, line)| *line);
        reading.passed_over(text.problem_at(Kind::PassedOver, line, message));
    }
    columns
}

impl<'t> Draft<'t> {
    fn row(&mut self, text: &Text<'_>, line: &'t str, columns: &[Columns]) -> Result<(), Problem> {
        let cells: Vec<&'t str> = line.split('\t').collect();
        let malformed = |part: &str, message: String| {
            text.problem_at(Kind::Malformed, part, message).hint(HINT)
        };
        let &[_, place, token, ..] = cells.as_slice() else {
            let message = format!("expected at least {BEFORE} columns, found {}", cells.len());
            return Err(malformed(line, message));
        };
        let ends = place.split_once('-');
        let ends = ends.and_then(|(begin, end)| Some((begin.parse().ok()?, end.parse().ok()?)));
        let Some((begin, end)) = ends.filter(|(begin, end): &(u64, u64)| begin <= end) else {
            return Err(malformed(place, format!("expected `begin-end`, found `{place}`")));
        };
        self.begin_sentence(text, place, begin)?;
        let number = self.rows.len();
        self.rows.push(Row { line, begin, end, token: unescaped(token) });
        for (layer, columns) in columns.iter().enumerate() {
            for column in columns.first..columns.first + columns.count {
                let cell = cells.get(column).copied().unwrap_or_default();
                for (at, value) in values(cell).into_iter().flatten().enumerate() {
                    let at = u32::try_from(at).unwrap_or(u32::MAX);
                    let key = match value.number {
                        Some(id) => (layer, id, None),
                        None => (layer, at, Some(number)),
                    };
                    let found = self.found_at(key, line, begin, end);
                    let slot = match Some(column) {
                        at if at == columns.link => &mut found.link,
                        at if at == columns.kind => &mut found.kind,
                        _ => continue,
                    };
                    if slot.is_none() {
                        *slot = value.text;
                    }
                }
            }
        }
        Ok(())
    }

    fn found_at(&mut self, key: Key, line: &'t str, begin: u64, end: u64) -> &mut Found<'t> {
        let new = self.found.len();
        let at = *self.places.entry(key).or_insert(new);
        if at == new {
            let number = key.2.is_none().then_some(key.1);
            self.found.push(Found { line, begin, end, number, link: None, kind: None });
        }
        let found = &mut self.found[at];
        found.begin = found.begin.min(begin);
        found.end = found.end.max(end);
        found
    }

    /// Puts the text of a sentence where its first token says it is.
    fn begin_sentence(&mut self, text: &Text<'_>, place: &str, begin: u64) -> Result<(), Problem> {
        if self.sentence.is_empty() {
            return Ok(());
        }
        let sentence = std::mem::take(&mut self.sentence).join("\n");
        let blanks = &sentence[..sentence.len() - sentence.trim_start().len()];
        let start = begin.checked_sub(self.offsets.length_of(blanks));
        let gap = start.and_then(|start| start.checked_sub(self.length));
        let gap = gap.and_then(|gap| usize::try_from(gap).ok());
        let room = self.longest.saturating_sub(self.content.len());
        let Some(gap) = gap.filter(|gap| *gap <= room) else {
            let message = format!(
                "the sentence cannot begin at {begin}, as those before it end at {}",
                self.length
            );
            self.append(&sentence);
            let problem = text.problem_at(Kind::Offset, place, message);
            return Err(problem.hint("the offsets of tokens grow through the file"));
        };
        if gap > 0 {
            let between = format!("\n{}", " ".repeat(gap - 1));
            self.append(&between);
        }
        self.append(&sentence);
        Ok(())
    }

    fn end_sentence(&mut self) {
        let rest = std::mem::take(&mut self.sentence).join("\n");
        self.append(&rest);
    }

    fn append(&mut self, part: &str) {
        self.content.push_str(part);
        self.length = self.length.saturating_add(self.offsets.length_of(part));
    }

    fn finish(
        mut self,
        text: &Text<'_>,
        name: &str,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let start = Here { text, at: 0, len: 1 };
        if !reading.begin_document(start, name, &self.content)? {
            return Ok(());
        }
        let index = TextIndex::new(&self.content);
        for row in &self.rows {
            let here = Here::of(text, row.line);
            let placed = here.anchor(&index, self.offsets, row.begin, row.end, Some(&row.token));
            reading.accept(placed)?;
        }
        // Numbers are given in order; where one has none, the order of the rows is all there is.
        if self.found.iter().all(|found| found.number.is_some()) {
            self.found.sort_by_key(|found| found.number);
        }
        for found in self.found {
            let here = Here::of(text, found.line);
            let span = here.anchor(&index, self.offsets, found.begin, found.end, None);
            let Some(span) = reading.accept(span)? else { continue };
            add(span, found.link, found.kind, reading);
        }
        Ok(())
    }
}

fn add(span: Span, link: Option<String>, kind: Option<String>, reading: &mut Reading<'_>) {
    let link = match link.as_deref() {
        None | Some("") => Link::NONE,
        Some("NIL") => Link::NIL,
        Some(id) => Link::to(reading.corpus.intern(id)),
    };
    let kind = kind.filter(|kind| !kind.is_empty());
    reading.corpus.annotate(span, link).types(kind.as_deref());
}
