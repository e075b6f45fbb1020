//! PubTator: title and abstract on a line each, then a line per mention.

use crate::anchor::Here;
use crate::block::in_blocks;
use crate::format::{Adapted, Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::columns::check_column;
use karat_model::{
    Corpus, Document, Features, Hint, Link, Mention, Repeated, Restriction, Span, TextIndex,
};
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
            a text become spaces. Links are kept as they are, composite ones such as `D1|D2` too; \
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
            return 0;
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
            in_blocks(file, before_title, Repeated::Refuse, reading, read_block)?;
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

/// A document starts with its title, so a block ends before the last title.
fn before_title(bytes: &[u8]) -> Option<usize> {
    // From the end, where a block should be cut; `|t|` may also stand within a title, so that the
    // line must begin with an id.
    memchr::memmem::rfind_iter(bytes, b"|t|").find_map(|found| {
        let start = memchr::memrchr(b'\n', &bytes[..found])? + 1;
        let id = &bytes[start..found];
        (!id.is_empty() && !id.contains(&b'|') && !id.contains(&b'\t')).then_some(start)
    })
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
    title: &'t str,
    summary: &'t str,
    mentions: Vec<&'t str>,
}

fn read_block(text: &Text<'_>, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let mut current: Option<Record<'_>> = None;
    for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
        if let Some((id, title)) = text_line(line, "t") {
            if let Some(record) = current.take() {
                read_record(text, &record, reading)?;
            }
            current = Some(Record { id, title, summary: "", mentions: Vec::new() });
            continue;
        }
        let summary = text_line(line, "a");
        let id = summary.map_or_else(|| line.split('\t').next().unwrap_or_default(), |(id, _)| id);
        match (&mut current, summary) {
            (Some(record), Some((_, summary))) if record.id == id => record.summary = summary,
            (Some(record), None) if record.id == id => record.mentions.push(line),
            (record, _) => {
                let expected = record.as_ref().map(|record| record.id);
                reading.report(stray_line(text, line, id, expected))?;
            }
        }
    }
    match current {
        Some(record) => read_record(text, &record, reading),
        None => Ok(()),
    }
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
    if let Err(duplicate) = here.begin_document(record.id, &mut reading.corpus) {
        return reading.report(duplicate);
    }
    let mut content = record.title.to_owned();
    if !record.summary.is_empty() {
        // One line break joins title and abstract, and offsets count it.
        content.push('\n');
        content.push_str(record.summary);
    }
    reading.corpus.set_text(&content);
    let index = TextIndex::new(&content);
    let offsets = reading.offsets(INFO.offsets);
    for &line in &record.mentions {
        let columns: Vec<&str> = line.split('\t').collect();
        if is_relation(&columns) {
            reading.passed_over(text.problem_at(Kind::PassedOver, line, "a relation is not kept"));
            continue;
        }
        let parsed = read_mention(text, line, &columns, &index, offsets);
        let Some((span, kind, id)) = reading.accept(parsed)? else { continue };
        let link = match id.map(str::trim) {
            None => Link::NONE,
            Some("" | "-" | "-1") => Link::NIL,
            Some(_) => Link::to(reading.corpus.intern(id.unwrap_or_default())),
        };
        reading.corpus.annotate(span, link).types([kind]);
    }
    Ok(())
}

/// `id  CID  D1  D2`, with a fifth column in some corpora: a word where a mention has its start.
fn is_relation(columns: &[&str]) -> bool {
    // The second column of a mention is a number, that of a relation its name (`CID`).
    let word = columns.get(1).is_some_and(|column| column.starts_with(char::is_alphabetic));
    word && (4..=5).contains(&columns.len())
}

type MentionLine<'t> = (Span, &'t str, Option<&'t str>);

fn read_mention<'t>(
    text: &Text<'_>,
    line: &'t str,
    columns: &[&'t str],
    index: &TextIndex<'_>,
    offsets: Offsets,
) -> Result<MentionLine<'t>, Problem> {
    let [_, start, end, surface, kind, rest @ ..] = columns else {
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
            text.problem_at(
                Kind::Malformed,
                column,
                format!("expected a whole number, found `{column}`"),
            )
            .hint("the second and third column are the offsets of the mention")
        })
    };
    let (start, end) = (number(start)?, number(end)?);
    let here = Here::of(text, line);
    let span = here.anchor(index, offsets, start, end, None)?;
    if span.is_empty() {
        return Err(here.problem(Kind::Offset, format!("the mention at {span} is empty")).hint(
            Hint::template(
                "the end offset is exclusive; say {end=inclusive} if the file counts differently",
            ),
        ));
    }
    let found = index.slice(span).unwrap_or_default();
    // Line breaks and tabs in a mention are spaces in its column; the full check, which also finds
    // a likely cause, is made only if that does not explain the difference.
    if !same_on_one_line(found, surface) {
        here.anchor(index, offsets, start, end, Some(surface))?;
    }
    Ok((span, kind, rest.first().copied()))
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
            check_column(name, entity, "entity")?;
            write!(out, "\t{entity}")?;
        }
        None if mention.link().is_nil() => write!(out, "\t-")?,
        None => {}
    }
    Ok(writeln!(out)?)
}

#[cfg(test)]
mod tests;
