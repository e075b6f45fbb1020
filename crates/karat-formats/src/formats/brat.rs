//! brat standoff: a text file and beside it a file of numbered annotations.

mod write;

use crate::anchor::Here;
use crate::block::refused_document;
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::fragments::{FRAGMENTS, spelled, whole};
use crate::placing::repair::{Fit, Placed};
use crate::placing::text_folder;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use karat_model::{
    Corpus, CorpusBuilder, Features, Hint, Link, Restriction, Span, TextIndex, attribute,
};
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Brat;

static INFO: Info = Info {
    name: "brat",
    title: "brat standoff",
    about: "`X.ann` beside `X.txt`, a document per pair: `T1  LOC 0 6  Berlin` is a mention (the type `Untyped` stands \
            for none), `N1  Reference T1 Wikidata:Q64  Berlin` its link. The id after the colon is the link and the \
            database before it an attribute; further N lines of a mention are equivalents, `NIL:` with a cluster or `-` \
            is NIL, and no N line is no answer. Notes become comments, attributes stay attributes, a numeric \
            `Confidence` is the confidence, and relations and events are passed over and counted. A mention of several parts (`0 3;7 \
            9`) is read as the whole stretch, its parts as the attribute `fragments`.",
    reference: "https://brat.nlplab.org/standoff.html",
    extensions: &["ann"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::Directory),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::UNLINKED)
            .union(Features::NIL)
            .union(Features::NIL_CLUSTERS)
            .union(Features::CONFIDENCE)
            .union(Features::EQUIVALENTS)
            .union(Features::TYPE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: &["*"],
    },
};

/// The annotation attribute that keeps the database of a link.
const DATABASE: &str = "database";
/// The name of the attribute line that holds a confidence.
const CONFIDENCE: &str = "Confidence";
/// A mention must have a type in brat; this one stands for none.
const UNTYPED: &str = "Untyped";
/// The database of links that have none.
const ANY_DATABASE: &str = "KB";
const NIL: &str = "NIL";
/// Before equivalents of a mention without an answer.
const NO_ANSWER: &str = "NONE";

impl Format for Brat {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let mut lines = sample.lines().filter(|line| !line.trim().is_empty()).take(50).peekable();
        let ours = sample.has_extension("ann");
        match lines.peek().copied() {
            // A document without annotations has an empty file.
            None if ours && sample.complete && sample.bytes.trim_ascii().is_empty() => 60,
            None => 0,
            Some(first) if !is_numbered(first) => 0,
            Some(_) if lines.any(is_mention) => 90,
            Some(_) => 60 * u8::from(ours),
        }
    }

    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            let annotations = format!("{}.ann", file.stem());
            // Given a folder, both files of a pair arrive; the annotations stand for the pair.
            let is_text = file.file_name().ends_with(".txt");
            if is_text && input.companion(file, &annotations, &[]).is_some() {
                continue;
            }
            read_file(file, input, reading)?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        corpus.documents().try_for_each(|document| write::write_document(output, &document))
    }
}

/// A letter or sign, a number, a tab: `T1`, `#12`, or `*` without a number.
fn is_numbered(line: &str) -> bool {
    let Some((id, _)) = line.split_once('\t') else { return false };
    let number = id.strip_prefix(['T', 'N', 'A', 'M', 'R', 'E', '#']);
    id == "*" || number.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

fn is_mention(line: &str) -> bool {
    let mut columns = line.split('\t');
    let id = columns.next().unwrap_or_default();
    let Some((kind, offsets)) = columns.next().and_then(|what| what.split_once(' ')) else {
        return false;
    };
    let offset = |part: &str| part.parse::<u64>().is_ok();
    id.starts_with('T') && !kind.is_empty() && offsets.split([' ', ';']).all(offset)
}

/// A mention with all that other lines say about it.
struct Found<'t> {
    span: Span,
    kind: &'t str,
    /// Targets and names of its references.
    references: Vec<(&'t str, &'t str)>,
    confidence: Option<f64>,
    attributes: Vec<(String, String)>,
}

/// The mentions of a file by their id; `None` for one that was skipped.
type ById<'t> = HashMap<&'t str, Option<usize>>;

fn read_file(file: &Source, input: &Input, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let name = text_folder::document_name(file.stem());
    let text_name = format!("{}.txt", file.stem());
    let content =
        text_folder::find(input, file, std::slice::from_ref(&text_name), &[], &name, reading);
    let Some(content) = reading.accept(content)? else { return Ok(()) };
    let Some(content) = content else {
        let message = format!("its text `{text_name}` is missing");
        let problem = Problem::new(Kind::UnknownDocument, file.name(), message);
        return reading.report(problem.hint(Hint::template(
            "put the text beside it, or name both files joined by a comma; {documents} takes a corpus with the texts",
        )));
    };
    let Some(text) = reading.accept(file.text())? else { return Ok(()) };
    reading.corpus.begin_source(file.name());
    if let Err(duplicate) = reading.corpus.begin_document(&name) {
        return reading.report(refused_document(file.name(), &duplicate));
    }
    reading.corpus.set_text(&content);
    let index = TextIndex::new(&content);
    let mut found = Vec::new();
    let mut by_id = ById::new();
    // Two passes: brat numbers lines as people make them, so that a reference or note may stand
    // before its mention.
    for line in lines(&text).filter(|line| line.starts_with('T')) {
        read_mention(&text, line, &index, reading, &mut found, &mut by_id)?;
    }
    for line in lines(&text).filter(|line| !line.starts_with('T')) {
        let fact = read_fact(&text, line, &by_id, &mut found);
        if let Some(Fact::PassedOver(what)) = reading.accept(fact)? {
            let problem = text.problem_at(Kind::PassedOver, line, format!("{what} is not kept"));
            reading.passed_over(problem);
        }
    }
    for mention in &found {
        add(&mut reading.corpus, mention);
    }
    Ok(())
}

fn lines<'t>(text: &'t Text<'_>) -> impl Iterator<Item = &'t str> {
    text.as_str().lines().filter(|line| !line.trim().is_empty())
}

fn read_mention<'t>(
    text: &'t Text<'_>,
    line: &'t str,
    index: &TextIndex<'_>,
    reading: &mut Reading<'_>,
    found: &mut Vec<Found<'t>>,
    by_id: &mut ById<'t>,
) -> Result<(), Problem> {
    let mut columns = line.splitn(3, '\t');
    let id = columns.next().unwrap_or_default();
    let (what, surface) = (columns.next().unwrap_or_default(), columns.next());
    if by_id.contains_key(id) {
        // What other lines say of it is said of the first.
        let message = format!("`{id}` occurs twice");
        return reading.report(
            text.problem_at(Kind::Malformed, id, message).hint("each annotation has its own id"),
        );
    }
    // Entered as skipped until it is read, so that lines about a bad mention are not reported as
    // well.
    by_id.insert(id, None);
    let offsets = reading.offsets(INFO.offsets);
    let parsed = read_parts(text, line, what, index, offsets)
        .and_then(|(kind, parts)| Ok((kind, checked(text, line, index, parts, surface, reading)?)));
    let Some((kind, parts)) = reading.accept(parsed)? else { return Ok(()) };
    let Some(span) = whole(&parts) else { return Ok(()) };
    let mut mention =
        Found { span, kind, references: Vec::new(), confidence: None, attributes: Vec::new() };
    if parts.len() > 1 {
        let message = format!(
            "the mention has {} parts; it is read as the whole stretch {span}",
            parts.len()
        );
        reading.repaired(text.problem_at(Kind::Offset, line, message));
        mention.attributes.push((FRAGMENTS.to_owned(), spelled(&parts)));
    }
    by_id.insert(id, Some(found.len()));
    found.push(mention);
    Ok(())
}

/// The type and the parts in `LOC 0 3;7 9`.
fn read_parts<'t>(
    text: &Text<'_>,
    line: &str,
    what: &'t str,
    index: &TextIndex<'_>,
    offsets: Offsets,
) -> Result<(&'t str, Vec<Span>), Problem> {
    let malformed = |part: &str, message: String| {
        text.problem_at(Kind::Malformed, part, message).hint(
            "a mention is `T1  TYPE START END  text`, with tabs after the id and before the text",
        )
    };
    let Some((kind, ranges)) = what.split_once(' ') else {
        return Err(malformed(line, "expected `TYPE START END` after the id".to_owned()));
    };
    let number = |part: &str| {
        let bad = || malformed(part, format!("expected a whole number, found `{part}`"));
        part.parse::<u64>().map_err(|_| bad())
    };
    let here = Here::of(text, line);
    let mut parts = Vec::new();
    for range in ranges.split(';') {
        let Some((start, end)) = range.trim().split_once(' ') else {
            return Err(malformed(range, format!("expected `START END`, found `{range}`")));
        };
        let span = here.anchor(index, offsets, number(start)?, number(end.trim())?, None)?;
        if span.is_empty() {
            let message = format!("the mention at {span} is empty");
            return Err(here.problem(Kind::Offset, message).hint("the end offset is exclusive"));
        }
        parts.push(span);
    }
    Ok((kind, parts))
}

/// The parts of a mention, compared with the words that the file has for it.
fn checked(
    text: &Text<'_>,
    line: &str,
    index: &TextIndex<'_>,
    parts: Vec<Span>,
    surface: Option<&str>,
    reading: &mut Reading<'_>,
) -> Result<Vec<Span>, Problem> {
    let Some(surface) = surface else { return Ok(parts) };
    // brat writes line breaks within a mention as spaces, so that the text alone may differ from
    // this column.
    if on_one_line(index, &parts) == surface {
        let span = whole(&parts).unwrap_or_default();
        reading.placed(Placed { span, fit: Fit::Same })?;
        return Ok(parts);
    }
    let here = Here::of(text, line);
    // The anchor compares again and finds the likely cause of the difference, such as another unit
    // of offsets.
    if let [span] = parts[..] {
        let (start, end) = (span.start.into(), span.end.into());
        let placed = here.place(index, Offsets::CODE_POINTS, start, end, Some(surface))?;
        return Ok(vec![reading.placed(placed)?]);
    }
    let message = format!("the mention is `{surface}` but the text of its parts is different");
    let problem = here.problem(Kind::Surface, message);
    let problem = Box::new(problem.hint(Hint::template("try {unit=bytes} or {unit=utf16}")));
    let span = whole(&parts).unwrap_or_default();
    reading.placed(Placed::kept(span, problem))?;
    Ok(parts)
}

/// What stands in the last column: line breaks as spaces, a space between parts.
fn on_one_line(index: &TextIndex<'_>, parts: &[Span]) -> String {
    let parts: Vec<&str> =
        parts.iter().map(|&part| index.slice(part).unwrap_or_default()).collect();
    parts.join(" ").replace(['\n', '\r'], " ")
}

/// What became of a line.
enum Fact {
    Taken,
    /// It is something the model has no place for.
    PassedOver(&'static str),
}

/// A line about a mention: a reference, an attribute or a note.
fn read_fact<'t>(
    text: &Text<'_>,
    line: &'t str,
    by_id: &ById<'_>,
    found: &mut [Found<'t>],
) -> Result<Fact, Problem> {
    let malformed = |message: String, hint: &'static str| {
        Err(text.problem_at(Kind::Malformed, line, message).hint(hint))
    };
    if !is_numbered(line) {
        return malformed(
            "expected a line such as `T1`, `N1`, `A1`, `#1`, with a tab after the id".to_owned(),
            "columns are separated by tabs, not spaces",
        );
    }
    let (id, rest) = line.split_once('\t').unwrap_or((line, ""));
    match id.chars().next() {
        Some('E') => return Ok(Fact::PassedOver("an event")),
        Some('R' | '*') => return Ok(Fact::PassedOver("a relation")),
        _ => {}
    }
    let what = rest.split('\t').next().unwrap_or_default();
    let mut words = what.splitn(3, ' ');
    let (key, target) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
    let Some(&known) = by_id.get(target) else {
        if target.starts_with('T') {
            let message = format!("`{id}` is about `{target}`, which is not in the file");
            return malformed(message, "every `N`, `A` and note line names a `T` line");
        }
        if id.starts_with('N') {
            let message = format!("expected `Reference T1 DATABASE:ID`, found `{what}`");
            return malformed(message, "a reference names a mention and what it is linked to");
        }
        return Ok(Fact::PassedOver("a fact about a relation or an event"));
    };
    // The mention itself was reported.
    let Some(mention) = known.and_then(|index| found.get_mut(index)) else {
        return Ok(Fact::Taken);
    };
    if id.starts_with('N') {
        let linked = words.next().unwrap_or_default().trim();
        if linked.is_empty() || linked.ends_with(':') && !linked.starts_with(NIL) {
            let message = format!("expected `Reference {target} DATABASE:ID`, found `{what}`");
            return malformed(message, "a reference names a mention and what it is linked to");
        }
        // NIL beside a link would be a contradiction; further links are equivalents.
        if !mention.references.is_empty() && !matches!(answer(linked).1, Answer::Entity(_)) {
            let message = format!("`{target}` has a link already and cannot be NIL as well");
            return malformed(message, "remove one of its `N` lines");
        }
        mention.references.push((linked, rest.split_once('\t').map_or("", |(_, name)| name)));
        return Ok(Fact::Taken);
    }
    if id.starts_with('#') {
        if key != "AnnotatorNotes" {
            return Ok(Fact::PassedOver("a note that no annotator made"));
        }
        let note = rest.split_once('\t').map_or("", |(_, note)| note);
        mention.attributes.push((attribute::COMMENT.to_owned(), note.to_owned()));
        return Ok(Fact::Taken);
    }
    // The value is all that follows, tabs included.
    let value = rest.splitn(3, ' ').nth(2).unwrap_or("true");
    match value.parse::<f64>() {
        // A confidence that is not finite is none to compare by, and stays as it is spelled.
        Ok(number) if key == CONFIDENCE && number.is_finite() && mention.confidence.is_none() => {
            mention.confidence = Some(number);
        }
        _ => mention.attributes.push((key.to_owned(), value.to_owned())),
    }
    Ok(Fact::Taken)
}

/// What a reference points to.
#[derive(Debug, PartialEq)]
enum Answer<'t> {
    Entity(&'t str),
    /// With the name of a cluster, or without.
    Nil(Option<&'t str>),
    Missing,
}

/// The database and the answer in `Wikidata:Q64`.
fn answer(linked: &str) -> (Option<&str>, Answer<'_>) {
    let entity = |id| if id == NIL { Answer::Nil(None) } else { Answer::Entity(id) };
    match linked.split_once(':') {
        Some((NIL, "" | "-" | NIL)) => (None, Answer::Nil(None)),
        Some((NIL, cluster)) => (None, Answer::Nil(Some(cluster))),
        Some((NO_ANSWER, "-")) => (None, Answer::Missing),
        Some((ANY_DATABASE, id)) => (None, entity(id)),
        // The colon in `http://...` does not end the name of a database.
        Some((database, id)) if is_database(database) && !id.starts_with("//") => {
            (Some(database), entity(id))
        }
        _ => (None, entity(linked)),
    }
}

fn is_database(name: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || "_-.".contains(c);
    let reserved = [ANY_DATABASE, NIL, NO_ANSWER].contains(&name);
    !name.is_empty() && name.chars().all(plain) && !reserved
}

/// The attribute for a fact about the first, second, ... reference of a mention.
fn numbered(key: &str, reference: usize) -> String {
    if reference == 0 { key.to_owned() } else { format!("{key}.{}", reference + 1) }
}

fn add(corpus: &mut CorpusBuilder, found: &Found<'_>) {
    let mut references = found.references.iter().map(|&(linked, name)| (answer(linked), name));
    let first = references.next();
    let link = match first.as_ref().map(|((_, answer), _)| answer) {
        Some(Answer::Entity(id)) => Link::to(corpus.intern(id)),
        Some(Answer::Nil(Some(cluster))) => Link::nil_cluster(corpus.intern(cluster)),
        Some(Answer::Nil(None)) => Link::NIL,
        Some(Answer::Missing) | None => Link::NONE,
    };
    let kind = if found.kind == UNTYPED { "" } else { found.kind };
    let mut annotation = corpus.annotate(found.span, link).types([kind]);
    if let Some(confidence) = found.confidence {
        annotation = annotation.confidence(confidence);
    }
    for (number, ((database, answer), name)) in first.into_iter().chain(references).enumerate() {
        if let (Answer::Entity(id), true) = (answer, number > 0) {
            annotation = annotation.equivalent(id);
        }
        annotation = annotation
            .attribute(&numbered(DATABASE, number), database.unwrap_or_default())
            .attribute(&numbered(attribute::NAME, number), name);
    }
    for (key, value) in &found.attributes {
        annotation = annotation.attribute(key, value);
    }
}

#[cfg(test)]
mod tests;
