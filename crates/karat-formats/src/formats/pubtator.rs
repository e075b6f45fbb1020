//! PubTator: title and abstract on a line each, then a line per mention.

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::repair::{Fit, Placed};
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::columns::check_column;
use karat_model::{
    AnnotationMut, Corpus, CorpusBuilder, Document, Features, Hint, Link, Mention, Repeated,
    Restriction, Span, TextIndex, attribute,
};
use std::collections::HashSet;
use std::io::Write;

/// The format.
#[derive(Debug)]
pub(crate) struct PubTator;

static INFO: Info = Info {
    name: "pubtator",
    title: "PubTator",
    about: "`id|t|title` and `id|a|abstract`, then a line `id  start  end  text  type  link` per mention, separated by \
            tabs, with a blank line between documents (BC5CDR, NCBI Disease, MedMentions); lines of relations (counted) and \
            further columns are passed over. Offsets run over the title, one line break and the abstract, and further line breaks of \
            a text become spaces. A title that ends in a blank and an abstract may also be joined by that blank, as in old \
            dumps: the mentions tell. Records of one id that follow each other are sections of one document. A file may have the lines of \
            mentions only; then it has no texts. Of several identifiers (`D1|D2`, `1;2`) any is right, and the first alone is written; \
            `-`, `-1` or nothing in the last column is NIL, a line without that column has no answer.",
    reference: "Wei et al. 2013, https://www.ncbi.nlm.nih.gov/research/pubtator/",
    extensions: &["pubtator"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &[],
    },
};

impl Format for PubTator {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let first = sample.first_line();
        let Some((id, _)) = text_line(first, "t").or_else(|| text_line(first, "a")) else {
            return if has_mentions_only(sample) { 92 } else { 0 };
        };
        // Ids are numbers in the wild, but any word will do.
        if id.contains(char::is_whitespace) { 50 } else { 90 }
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let head = file.head(HEAD)?;
            let head = String::from_utf8_lossy(&head);
            let is_text =
                |line: &str| text_line(line, "t").or_else(|| text_line(line, "a")).is_some();
            let first = head.lines().find(|line| !line.trim().is_empty());
            if first.is_some_and(|line| !is_text(line) && mention_of(line).is_some()) {
                in_blocks(file, at_line_ends, Repeated::Merge, reading, read_bare_block)?;
            } else {
                in_blocks(file, before_title, Repeated::Refuse, reading, read_block)?;
            }
        }
        Ok(())
    }

    fn adapted(&self, corpus: &Corpus) -> Option<Adapted> {
        let with_one_break = |document: &Document<'_>| with_one_break(document.text()?);
        let documents = corpus.documents().filter(|d| with_one_break(d).is_some()).count();
        let what = "the white space of the text";
        (documents > 0).then(|| Adapted {
            corpus: corpus.with_texts(with_one_break),
            documents,
            what,
        })
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write_document(out, &document)?;
            }
            Ok(())
        })
    }
}

/// How much of a file is looked at to tell whether it has texts.
const HEAD: u64 = 4 << 10;

/// Whether a file has lines of mentions and no texts: the words of the mentions are as long as their offsets say.
fn has_mentions_only(sample: &Sample<'_>) -> bool {
    let mut lines = sample.lines().filter(|line| !line.trim().is_empty()).take(100).peekable();
    let fits = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        is_relation(&columns)
            || mention_of(line).is_some_and(|(start, end, surface, kind)| {
                let length = surface.chars().count() as u64;
                // The fifth column of neleval is a number.
                end.checked_sub(start) == Some(length) && kind.parse::<f64>().is_err()
            })
    };
    lines.peek().is_some_and(|first| mention_of(first).is_some()) && lines.all(fits)
}

/// The offsets, words and type of a line of a mention, if it is one.
fn mention_of(line: &str) -> Option<(u64, u64, &str, &str)> {
    let mut columns = line.split('\t').skip(1);
    let (start, end) = (columns.next()?.parse().ok()?, columns.next()?.parse().ok()?);
    Some((start, end, columns.next()?, columns.next()?))
}

/// A document starts with its title, so a block ends before the last title of another document.
fn before_title(bytes: &[u8]) -> Option<usize> {
    let mut later: Option<(usize, &[u8])> = None;
    // From the end, where a block should be cut; `|t|` may also stand within a title, so that the
    // line must begin with an id.
    for found in memchr::memmem::rfind_iter(bytes, b"|t|") {
        let start = memchr::memrchr(b'\n', &bytes[..found]).map_or(0, |newline| newline + 1);
        let id = &bytes[start..found];
        if id.is_empty() || id.contains(&b'|') || id.contains(&b'\t') {
            continue;
        }
        match later {
            Some((start, other)) if other != id => return Some(start),
            _ => later = Some((start, id)),
        }
    }
    None
}

/// The id and the text of a line `id|kind|text`.
fn text_line<'t>(line: &'t str, kind: &str) -> Option<(&'t str, &'t str)> {
    let (id, rest) = line.split_once('|')?;
    let text = rest.strip_prefix(kind)?.strip_prefix('|')?;
    (!id.is_empty() && !id.contains('\t')).then_some((id, text))
}

/// The lines of one document.
struct Record<'t> {
    id: &'t str,
    sections: Vec<Section<'t>>,
}

/// A title, an abstract and their mentions. Most documents have one section.
struct Section<'t> {
    title: &'t str,
    summary: &'t str,
    mentions: Vec<&'t str>,
}

fn read_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut current: Option<Record<'_>> = None;
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        if let Some((id, title)) = text_line(line, "t") {
            let section = Section { title, summary: "", mentions: Vec::new() };
            match &mut current {
                Some(record) if record.id == id && !reading.options.strict => {
                    record.sections.push(section);
                }
                current => {
                    let done = current.replace(Record { id, sections: vec![section] });
                    done.map_or(Ok(()), |record| read_record(text, &record, reading))?;
                }
            }
            continue;
        }
        let summary = text_line(line, "a");
        let id = summary.map_or_else(|| line.split('\t').next().unwrap_or_default(), |(id, _)| id);
        let section = current.as_mut().filter(|record| record.id == id);
        match (section.and_then(|record| record.sections.last_mut()), summary) {
            (Some(section), Some((_, summary))) => section.summary = summary,
            (Some(section), None) => section.mentions.push(line),
            (None, _) => {
                let expected = current.as_ref().map(|record| record.id);
                reading.report(stray_line(text, line, id, expected))?;
            }
        }
    }
    match current {
        Some(record) => read_record(text, &record, reading),
        None => Ok(()),
    }
}

/// Lines of mentions whose texts are elsewhere.
fn read_bare_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        let id = line.split('\t').next().unwrap_or_default();
        reading.names(id, |kind, message| text.problem_at(kind, id, message));
        reading.corpus.continue_document(id);
        read_bare_mention(text, line, reading)?;
    }
    Ok(())
}

/// A mention of the current document, which has no text: its words stay with it.
fn read_bare_mention(
    text: &Text<'_>,
    line: &str,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let columns: Vec<&str> = line.split('\t').collect();
    if is_relation(&columns) {
        reading.passed_over(text.problem_at(Kind::PassedOver, line, "a relation is not kept"));
        return Ok(());
    }
    let offsets = reading.end(INFO.offsets);
    let parsed = Columns::of(text, line, &columns).and_then(|columns| {
        let span = Here::of(text, line).unchecked(offsets, columns.start, columns.end)?;
        Ok((span, columns))
    });
    let Some((span, columns)) = reading.accept(parsed)? else { return Ok(()) };
    annotate(span, &columns, &mut reading.corpus).attribute(attribute::SURFACE, columns.surface);
    Ok(())
}

fn stray_line(text: &Text<'_>, line: &str, id: &str, expected: Option<&str>) -> Problem {
    if !line.contains(['\t', '|']) {
        return text
            .problem_at(Kind::Malformed, line, "expected `id|t|title`, `id|a|abstract` or a mention with columns separated by tabs")
            .hint("columns are separated by tabs, not spaces");
    }
    let message = match expected {
        Some(expected) => {
            format!("the line belongs to document `{id}` but stands in document `{expected}`")
        }
        None => format!("document `{id}` has no title line"),
    };
    text.problem_at(Kind::UnknownDocument, id, message)
        .hint("a document starts with its `id|t|title` line, and its mentions follow it")
}

fn read_record(
    text: &Text<'_>,
    record: &Record<'_>,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let here = Here::of(text, record.id);
    let texts: Vec<String> = record.sections.iter().map(Section::text).collect();
    if let [_, _, ..] = texts[..] {
        let message = format!("document `{}` comes in {} sections", record.id, texts.len());
        let message = message + ", which are read as one text";
        let note = here.problem(Kind::DuplicateDocument, message);
        reading.repaired(note.about(Some(record.id), None));
    }
    if let ([section], [text_of_it]) = (record.sections.as_slice(), texts.as_slice())
        && !reading.options.strict
        && section.goes_beyond(text_of_it)
        && reading.corpus.begin_document(record.id).is_ok()
    {
        let message = format!(
            "most mentions of document `{}` are behind the end of its text, which is read without",
            record.id
        );
        reading.repaired(here.problem(Kind::Offset, message).about(Some(record.id), None));
        let mut lines = section.mentions.iter();
        return lines.try_for_each(|line| read_bare_mention(text, line, reading));
    }
    if !reading.begin_document(here, record.id, &texts.join("\n"))? {
        return Ok(());
    }
    let offsets = reading.offsets(INFO.offsets);
    let mut before = 0;
    for (section, content) in record.sections.iter().zip(&texts) {
        let index = TextIndex::new(content);
        for &line in &section.mentions {
            let columns: Vec<&str> = line.split('\t').collect();
            if is_relation(&columns) {
                let note = text.problem_at(Kind::PassedOver, line, "a relation is not kept");
                reading.passed_over(note);
                continue;
            }
            let placed = Columns::of(text, line, &columns).and_then(|columns| {
                let placed = read_mention(text, line, &columns, &index, offsets)?;
                Ok((reading.placed_in(placed.below(before), Some(record.id))?, columns))
            });
            let Some((span, columns)) = reading.accept(placed)? else { continue };
            annotate(span, &columns, &mut reading.corpus);
        }
        // One line break joins sections.
        before = before.saturating_add(index.len()).saturating_add(1);
    }
    Ok(())
}

/// Adds a mention. Of several identifiers any is right.
fn annotate<'c>(
    span: Span,
    columns: &Columns<'_>,
    corpus: &'c mut CorpusBuilder,
) -> AnnotationMut<'c> {
    let ids = match columns.id.map(str::trim) {
        None | Some("" | "-" | "-1") => Vec::new(),
        Some(_) => identifiers(columns.id.unwrap_or_default()),
    };
    let link = match ids.first() {
        Some(first) => Link::to(corpus.intern(first)),
        None if columns.id.is_some() => Link::NIL,
        None => Link::NONE,
    };
    let mut annotation = corpus.annotate(span, link).types([columns.kind]);
    for other in ids.iter().skip(1) {
        annotation = annotation.equivalent(other);
    }
    annotation
}

/// The identifiers of a column, which composite names have several of: `D003110|D010051`, `3577;3579`. What is no list of
/// identifiers, such as a variant `c|DEL||5`, is one.
fn identifiers(column: &str) -> Vec<&str> {
    let is_id = |part: &&str| {
        let bytes = part.as_bytes();
        bytes.first().is_some_and(u8::is_ascii_alphanumeric)
            && bytes.iter().any(u8::is_ascii_digit)
            && bytes.iter().all(|byte| byte.is_ascii_alphanumeric() || b":._- ".contains(byte))
    };
    let parts: Vec<&str> = column.split(['|', ';', ',']).map(str::trim).collect();
    if parts.len() == 1 || !parts.iter().all(is_id) {
        return vec![column];
    }
    let mut seen = HashSet::new();
    parts.into_iter().filter(|part| seen.insert(*part)).collect()
}

impl Section<'_> {
    /// The text that offsets run over.
    fn text(&self) -> String {
        let Section { title, summary, .. } = self;
        if summary.is_empty() {
            return (*title).to_owned();
        }
        // One line break joins title and abstract, and offsets count it.
        let usual = format!("{title}\n{summary}");
        if !title.ends_with(' ') {
            return usual;
        }
        // In old dumps the blank at the end of the title is what joins them.
        let joined = format!("{title}{summary}");
        if self.fitting(&joined) > self.fitting(&usual) { joined } else { usual }
    }

    /// Whether this is the beginning of a text only, as where the mentions of an article stand below its abstract: most
    /// of several mentions are behind its end, whatever their offsets count.
    fn goes_beyond(&self, text: &str) -> bool {
        let end = |line: &&str| Some(mention_of(line)?.1);
        let ends: Vec<u64> = self.mentions.iter().filter_map(end).collect();
        let behind = ends.iter().filter(|&&end| end > text.len() as u64).count();
        behind >= 4 && 2 * behind > ends.len()
    }

    /// How many mentions of the abstract are where their offsets say.
    fn fitting(&self, text: &str) -> usize {
        let index = TextIndex::new(text);
        let fits = |line: &&&str| {
            let found = mention_of(line).and_then(|(start, end, surface, _)| {
                let span = Span::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?);
                Some(index.slice(span)? == surface)
            });
            found == Some(true)
        };
        self.mentions.iter().filter(fits).count()
    }
}

/// `id  CID  D1  D2`, with a fifth column in some corpora: a word where a mention has its start.
fn is_relation(columns: &[&str]) -> bool {
    // The second column of a mention is a number, that of a relation its name (`CID`).
    let word = columns.get(1).is_some_and(|column| column.starts_with(char::is_alphabetic));
    word && (4..=5).contains(&columns.len())
}

/// The columns of the line of a mention.
struct Columns<'t> {
    start: u64,
    end: u64,
    surface: &'t str,
    kind: &'t str,
    id: Option<&'t str>,
}

impl<'t> Columns<'t> {
    fn of(text: &Text<'_>, line: &'t str, columns: &[&'t str]) -> Result<Columns<'t>, Problem> {
        let &[_, start, end, surface, kind, ref rest @ ..] = columns else {
            let message = format!(
                "expected `id  start  end  text  type  link` separated by tabs, found {} columns",
                columns.len()
            );
            return Err(text
                .problem_at(Kind::Malformed, line, message)
                .hint("columns are separated by tabs, not spaces; the link alone may be missing"));
        };
        let number = |column: &str| {
            column.trim().parse::<u64>().map_err(|_| {
                let message = format!("expected a whole number, found `{column}`");
                text.problem_at(Kind::Malformed, column, message)
                    .hint("the second and third column are the offsets of the mention")
            })
        };
        let (start, end) = (number(start)?, number(end)?);
        Ok(Columns { start, end, surface, kind, id: rest.first().copied() })
    }
}

fn read_mention(
    text: &Text<'_>,
    line: &str,
    &Columns { start, end, surface, .. }: &Columns<'_>,
    index: &TextIndex<'_>,
    offsets: Offsets,
) -> Result<Placed, Problem> {
    let here = Here::of(text, line);
    match here.anchor(index, offsets, start, end, None) {
        Ok(span) if span.is_empty() => {
            let problem = here.problem(Kind::Offset, format!("the mention at {span} is empty"));
            let hint =
                "the end offset is exclusive; say {end=inclusive} if the file counts differently";
            Err(problem.hint(Hint::template(hint)))
        }
        // Line breaks and tabs in a mention are spaces in its column.
        Ok(span) if same_on_one_line(index.slice(span).unwrap_or_default(), surface) => {
            Ok(Placed { span, fit: Fit::Same })
        }
        _ => here.place(index, offsets, start, end, Some(surface)),
    }
}

/// A mention column cannot hold tabs and line breaks; they stand there as spaces.
fn on_one_line(surface: &str) -> String {
    surface.replace(['\n', '\t'], " ")
}

fn same_on_one_line(found: &str, column: &str) -> bool {
    found == column || on_one_line(found) == column
}

/// A text whose line breaks became spaces, but for the one between title and abstract;
/// `None` where it has no other.
fn with_one_break(text: &str) -> Option<String> {
    let title = text.find('\n').filter(|&at| !text[at + 1..].trim_matches(['\n', '\r']).is_empty());
    let spaced = |part: &str| part.replace(['\n', '\r'], " ");
    let adapted = match title {
        Some(at) => format!("{}\n{}", spaced(&text[..at]), spaced(&text[at + 1..])),
        None => spaced(text),
    };
    (adapted != text).then_some(adapted)
}

fn write_document(out: &mut dyn Write, document: &Document<'_>) -> Result<(), WriteError> {
    let name = document.name();
    let refuse = |message: &str| Err(WriteError::unrepresentable(name, message));
    if name.is_empty() || name.contains(['|', '\t', '\n', '\r']) {
        return refuse("a document id must not be empty or contain `|`, tabs or line breaks");
    }
    let Some(index) = document.text_index() else {
        return refuse("the document has no text");
    };
    let content = index.text();
    let (title, summary) = content.split_once('\n').unwrap_or((content, ""));
    if with_one_break(content).is_some() {
        return refuse("a text may have one line break, between title and abstract");
    }
    writeln!(out, "{name}|t|{title}\n{name}|a|{summary}")?;
    for mention in document.mentions() {
        write_mention(out, name, &index, &mention)?;
    }
    Ok(writeln!(out)?)
}

fn write_mention(
    out: &mut dyn Write,
    name: &str,
    index: &TextIndex<'_>,
    mention: &Mention<'_>,
) -> Result<(), WriteError> {
    let span = mention.span();
    let Some(surface) = index.slice(span).map(on_one_line) else {
        let message = format!("the mention {span} is not in the text");
        return Err(WriteError::unrepresentable(name, message));
    };
    let kind = mention.types().next().unwrap_or_default();
    check_column(name, kind, "type")?;
    write!(out, "{name}\t{}\t{}\t{surface}\t{kind}", span.start, span.end)?;
    match mention.entity() {
        Some(entity) if matches!(entity.trim(), "" | "-" | "-1") => {
            let message = format!("the entity `{entity}` would be read as NIL");
            return Err(WriteError::unrepresentable(name, message));
        }
        Some(entity) => {
            let ids: Vec<&str> = std::iter::once(entity).chain(mention.equivalents()).collect();
            let column = ids.join("|");
            check_column(name, &column, "entity")?;
            if identifiers(&column) != ids {
                let message = format!("the entity `{column}` would be read differently");
                return Err(WriteError::unrepresentable(name, message));
            }
            write!(out, "\t{column}")?;
        }
        None if mention.link().is_nil() => write!(out, "\t-")?,
        None => {}
    }
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests;
