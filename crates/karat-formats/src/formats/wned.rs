//! XML with the annotations and a folder with the texts: WNED, AQUAINT, MSNBC, ACE2004, IITB.

mod write;

use crate::anchor::{Here, quoted};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::moved::{Searched, same_words};
use crate::placing::repair::{Fit, Placed, Reach};
use crate::placing::text_folder;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::nil::NilWords;
use crate::syntax::xml_tree::{Element, Records};
use karat_model::{
    Corpus, CorpusBuilder, End, Features, Hint, Link, Restriction, Span, TextIndex, attribute,
};
use std::collections::HashMap;

/// The format.
#[derive(Debug)]
pub(crate) struct Wned;

static INFO: Info = Info {
    name: "wned",
    title: "WNED XML with raw texts",
    about: "XML with mentions, offsets and Wikipedia titles, the texts in a folder `RawText` beside it. Two dialects: one \
            XML file per document with `<ReferenceInstance>` elements (ACE2004, MSNBC, AQUAINT), or one for all with \
            `<document docName=...>` and `<annotation>` (WNED and IITB). The second is written, and the first where mentions tell of \
            their annotators, which only it can say. `*null*`, `NIL` and an \
            empty title are NIL; `<prob>` is a confidence. Offsets in the published files are often off: a mention that \
            is not where the file says is moved to its nearest occurrence, and each such repair is counted.",
    reference: "Guo and Barbosa 2018, https://doi.org/10.3233/SW-170273; Ratinov et al. 2011",
    extensions: &["xml"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::Directory),
    needs_text: true,
    keeps: Restriction {
        features: Features::TEXT
            .union(Features::EMPTY_DOCUMENTS)
            .union(Features::NIL)
            .union(Features::CONFIDENCE)
            .union(Features::OVERLAPS)
            .union(Features::REPEATS),
        document_attributes: &[],
        annotation_attributes: ATTRIBUTES,
    },
};

/// Where the published benchmarks keep their texts.
const FOLDERS: &[&str] = &[
    "RawText",
    "RawTexts",
    "RawTextsWithUTF8",
    "RawTexts_utf8",
    "RawTextsSimpleChars_utf8",
    "RawTextsSimpleChars",
    "RawTextsNoTranscripts",
    "RawTextsWithUTF8Encoding",
    "crawledDocs",
];

/// What the dialect of one file per document tells of annotators.
const ATTRIBUTES: &[&str] = &["NumAnnotators", "AnnotatorId"];

/// The names of the elements in the two dialects.
struct Dialect {
    surface: &'static str,
    link: &'static str,
    offset: &'static str,
    length: &'static str,
    /// Elements that are kept as attributes.
    attributes: &'static [&'static str],
}

static PROBLEM: Dialect = Dialect {
    surface: "SurfaceForm",
    link: "ChosenAnnotation",
    offset: "Offset",
    length: "Length",
    attributes: ATTRIBUTES,
};
static WNED: Dialect = Dialect {
    surface: "mention",
    link: "wikiName",
    offset: "offset",
    length: "length",
    attributes: &[],
};

impl Format for Wned {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // Links are titles.
        NilWords::NoTitles
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let has = |part: &str| sample.text.contains(part);
        match () {
            () if !sample.text.trim_start().starts_with('<') => 0,
            () if has("<ReferenceProblem>") => 95,
            () if has("entityAnnotation>") && (has("<document ") || has("<docName>")) => 95,
            () if has("<wikiName") && has("<offset>") && has("<annotation>") => 85,
            // A benchmark without documents.
            () if has("entityAnnotation>") && has("</") => 90,
            () => 0,
        }
    }

    fn read(
        &self,
        files: &[Source],
        input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        let mut texts = Texts::default();
        for file in files {
            if let Some(text) = reading.accept(file.text())? {
                read_file(file, &text, input, &mut texts, reading)?;
            }
        }
        texts.settle(reading)
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        write::corpus(corpus, output)
    }
}

/// A file and what is needed to find the texts of its documents.
struct Place<'f> {
    file: &'f Source,
    text: &'f Text<'f>,
    input: &'f Input,
}

/// Whether documents have their texts. Where none has, the corpus came without, and its mentions stay with the words that
/// the file has for them; where some have, the others are missed.
#[derive(Default)]
struct Texts {
    any: bool,
    missing: Vec<Missing>,
}

/// A document without its text.
struct Missing {
    source: String,
    name: String,
    problem: Problem,
    mentions: Vec<BareMention>,
}

/// What an annotation says of a text that is not here.
struct BareMention {
    span: Span,
    surface: String,
    confidence: f64,
    link: String,
    attributes: Vec<(&'static str, String)>,
}

impl Texts {
    fn settle(self, reading: &mut Reading<'_>) -> Result<(), Problem> {
        let is_bare = !self.any && !reading.options.strict;
        if let Some(first) = self.missing.first().filter(|_| is_bare) {
            let message =
                format!("{}, as are all others; mentions keep their words", first.problem.message);
            reading.repaired(Problem { message, ..first.problem.clone() });
        }
        for Missing { source, name, problem, mentions } in self.missing {
            if !is_bare {
                reading.report(problem)?;
                continue;
            }
            reading.corpus.begin_source(&source);
            reading.corpus.continue_document(&name);
            for mention in mentions {
                let link = link(&mention.link, &mut reading.corpus);
                let mut added = reading.corpus.annotate(mention.span, link);
                added = added.confidence(mention.confidence);
                added = added.attribute(attribute::SURFACE, &mention.surface);
                for (key, value) in mention.attributes {
                    added = added.attribute(key, &value);
                }
            }
        }
        Ok(())
    }
}

fn read_file(
    file: &Source,
    text: &Text<'_>,
    input: &Input,
    texts: &mut Texts,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let place = Place { file, text, input };
    let Some(records) = reading.accept(Records::open(text))? else { return Ok(()) };
    // The name of the root tells the two dialects apart.
    if records.root().name == "ReferenceProblem" {
        return read_problem(&place, records, texts, reading);
    }
    let unknown = (!records.root().name.ends_with("entityAnnotation")).then(|| {
        let message = format!(
            "expected `<ReferenceProblem>` or `<....entityAnnotation>`, found `<{}>`",
            records.root().name
        );
        let problem = records.root().here(text).problem(Kind::Malformed, message);
        problem.hint("is it another XML format? `karat formats` lists all")
    });
    let mut recognised = false;
    // IITB names the document in each annotation.
    // Kept until the end, since the annotations of a document need not stand together.
    let mut loose: Vec<(String, Vec<Element>)> = Vec::new();
    let mut numbers: HashMap<String, usize> = HashMap::new();
    for record in records {
        let Some(record) = reading.accept(record)? else { break };
        if record.name == "document" {
            recognised = true;
            let Some(name) = record.attribute("docName") else {
                let problem =
                    record.here(text).problem(Kind::Malformed, "expected an attribute `docName`");
                reading.report(problem.hint("it names the file with the text"))?;
                continue;
            };
            let annotations: Vec<&Element> = record.all("annotation").collect();
            let document = Named { name, here: record.here(text), annotations: &annotations };
            read_document(&place, &document, &WNED, texts, reading)?;
        } else if let Some(name) = record.child("docName").map(|name| name.text.trim()) {
            recognised = true;
            match numbers.get(name).and_then(|&number| loose.get_mut(number)) {
                Some((_, annotations)) => annotations.push(record),
                None => {
                    numbers.insert(name.to_owned(), loose.len());
                    loose.push((name.to_owned(), vec![record]));
                }
            }
        } else if record.name == "annotation" {
            let problem = record.here(text).problem(Kind::Malformed, "expected a `docName`");
            reading.report(problem.hint("it names the document the annotation belongs to"))?;
        }
    }
    for (name, annotations) in &loose {
        let annotations: Vec<&Element> = annotations.iter().collect();
        let here = annotations.first().map_or(Here::of(text, ""), |first| first.here(text));
        let document = Named { name, here, annotations: &annotations };
        read_document(&place, &document, &WNED, texts, reading)?;
    }
    match unknown {
        Some(problem) if !recognised => reading.report(problem),
        _ => Ok(()),
    }
}

fn read_problem(
    place: &Place<'_>,
    records: Records<'_>,
    texts: &mut Texts,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    let mut name = None;
    let mut annotations = Vec::new();
    for record in records {
        let Some(record) = reading.accept(record)? else { break };
        match record.name.as_str() {
            "ReferenceFileName" => name = Some(record.text.trim().to_owned()),
            "ReferenceInstance" => annotations.push(record),
            _ => {}
        }
    }
    let name = name.unwrap_or_else(|| place.file.file_name().to_owned());
    let annotations: Vec<&Element> = annotations.iter().collect();
    let here = Here { text: place.text, at: 0, len: 1 };
    let document = Named { name: &name, here, annotations: &annotations };
    read_document(place, &document, &PROBLEM, texts, reading)
}

/// A document as the file has it.
struct Named<'d> {
    name: &'d str,
    here: Here<'d>,
    annotations: &'d [&'d Element],
}

fn read_document(
    place: &Place<'_>,
    &Named { name, here, annotations }: &Named<'_>,
    dialect: &Dialect,
    texts: &mut Texts,
    reading: &mut Reading<'_>,
) -> Result<(), Problem> {
    // The name in the XML and that of the file differ in blanks, underscores and endings from
    // release to release.
    let names = [
        text_folder::file_name(name),
        name.to_owned(),
        format!("{name}.txt"),
        name.replace(' ', "_"),
        name.replace('_', " "),
    ];
    let content = text_folder::find(place.input, place.file, &names, FOLDERS, name, reading);
    let Some(content) = reading.accept(content)? else { return Ok(()) };
    let Some(content) = content else {
        let message = format!("the text of document `{name}` is missing");
        let folders = FOLDERS.join(", ");
        let looked = format!(
            "looked for a file `{}` beside this one and in the folders {folders}; ",
            names[0]
        );
        let hint =
            Hint::from(looked).then(Hint::template("{documents} takes a corpus with the texts"));
        let problem = here.problem(Kind::UnknownDocument, message).hint(hint);
        let mentions = bare_mentions(place.text, annotations, dialect, reading)?;
        let (source, name) = (place.file.name().to_owned(), name.to_owned());
        texts.missing.push(Missing { source, name, problem, mentions });
        return Ok(());
    };
    texts.any = true;
    reading.corpus.begin_source(place.file.name());
    if !reading.begin_document(here, name, &content)? {
        return Ok(());
    }
    let index = TextIndex::new(&content);
    let mut searched = Searched::new(&index);
    let offsets = reading.offsets(INFO.offsets);
    for annotation in annotations {
        let said = Said::of(place.text, annotation, dialect);
        let Some(said) = reading.accept(said)? else { continue };
        let placed = locate(annotation.here(place.text), &mut searched, offsets, &said);
        let placed = placed.and_then(|placed| reading.placed_in(placed, Some(name)));
        let Some(span) = reading.accept(placed)? else { continue };
        said.left_out.into_iter().for_each(|repair| reading.repaired(repair));
        let link = link(said.link, &mut reading.corpus);
        let mut added = reading.corpus.annotate(span, link).confidence(said.confidence);
        for &key in dialect.attributes {
            let value = annotation.child(key).map_or("", |child| child.text.trim());
            added = added.attribute(key, value);
        }
    }
    Ok(())
}

/// The mentions of a document whose text is not here.
fn bare_mentions(
    text: &Text<'_>,
    annotations: &[&Element],
    dialect: &Dialect,
    reading: &mut Reading<'_>,
) -> Result<Vec<BareMention>, Problem> {
    let offsets = Offsets { end: End::Exclusive, ..INFO.offsets };
    let mut mentions = Vec::new();
    for annotation in annotations {
        let said = Said::of(text, annotation, dialect).and_then(|said| {
            let end = said.start.saturating_add(said.length);
            Ok((annotation.here(text).unchecked(offsets, said.start, end)?, said))
        });
        let Some((span, said)) = reading.accept(said)? else { continue };
        let value = |key: &str| annotation.child(key).map_or("", |child| child.text.trim());
        let attributes = dialect.attributes.iter().map(|&key| (key, value(key).to_owned()));
        mentions.push(BareMention {
            span,
            surface: said.surface.trim().to_owned(),
            confidence: said.confidence,
            link: said.link.to_owned(),
            attributes: attributes.collect(),
        });
    }
    Ok(mentions)
}

/// Releases differ in what they write for what is not in Wikipedia.
fn link(title: &str, corpus: &mut CorpusBuilder) -> Link {
    if is_nil(title) { Link::NIL } else { Link::to(corpus.intern(title)) }
}

fn is_nil(title: &str) -> bool {
    matches!(title, "" | "NIL" | "*null*")
}

/// What an annotation says.
struct Said<'e> {
    surface: &'e str,
    link: &'e str,
    start: u64,
    length: u64,
    /// NaN for none.
    confidence: f64,
    left_out: Option<Problem>,
}

impl<'e> Said<'e> {
    fn of(
        text: &Text<'_>,
        annotation: &'e Element,
        dialect: &Dialect,
    ) -> Result<Said<'e>, Problem> {
        let surface = annotation.child(dialect.surface).map_or("", |child| child.text.as_str());
        let number = |name: &str| match annotation.child(name) {
            None => Ok(None),
            Some(child) => child.text.trim().parse::<u64>().map(Some).map_err(|_| {
                let message = format!("expected a whole number, found `{}`", child.text.trim());
                child.here(text).problem(Kind::Malformed, message).hint("offsets count from 0")
            }),
        };
        let missing = |name: &str| {
            let message = format!("`<{}>` has no `<{name}>`", annotation.name);
            annotation
                .here(text)
                .problem(Kind::Malformed, message)
                .hint("an annotation needs its offset, and its length or its mention")
        };
        let start = number(dialect.offset)?.ok_or_else(|| missing(dialect.offset))?;
        let length = match number(dialect.length)? {
            Some(length) => length,
            None if surface.trim().is_empty() => return Err(missing(dialect.length)),
            // Without a length, the words of the mention have it.
            None => surface.trim().chars().count() as u64,
        };
        let (confidence, left_out) = confidence_of(text, annotation)?;
        let link = annotation.child(dialect.link).map_or("", |link| link.text.trim());
        Ok(Said { surface, link, start, length, confidence, left_out })
    }
}

/// Where a mention is. The offsets of these corpora are often off, so that a mention is looked for in all of the text.
fn locate(
    here: Here<'_>,
    searched: &mut Searched<'_, '_>,
    offsets: Offsets,
    said: &Said<'_>,
) -> Result<Placed, Problem> {
    let (index, start) = (searched.index, said.start);
    let end = start.saturating_add(said.length);
    let offsets = Offsets { end: End::Exclusive, ..offsets };
    let surface = Some(said.surface).filter(|surface| !surface.trim().is_empty());
    let stated = here.anchor(index, offsets, start, end, None);
    let Some(surface) = surface else {
        // A file may leave the mention out.
        return match stated? {
            span if span.is_empty() => Err(here
                .problem(Kind::Offset, format!("the mention at {span} is empty"))
                .hint("a mention needs a length of at least 1")),
            span => Ok(Placed { span, fit: Fit::Unnamed }),
        };
    };
    match stated {
        Ok(span) if !span.is_empty() => {
            if same_words(index.slice(span).unwrap_or_default(), surface) {
                return Ok(Placed { span, fit: Fit::Same });
            }
            here.place_within(index, offsets, (start, end), Some(surface), Reach::Nearest(searched))
        }
        // It is in no text, or is empty: its words may be.
        stated => {
            let near = index
                .to_code_points(start, offsets.unit)
                .unwrap_or_else(|| u32::try_from(start).unwrap_or(u32::MAX).min(index.len()));
            let Some(span) = searched.nearest_spelled(surface.trim(), near) else {
                return Err(match stated {
                    Err(problem) => problem,
                    Ok(span) => here
                        .problem(Kind::Offset, format!("the mention at {span} is empty"))
                        .hint("a mention needs a length of at least 1"),
                });
            };
            let message =
                format!("{start}..{end} is not in the text, the mention is {}", quoted(surface));
            let problem = Box::new(here.problem(Kind::Surface, message));
            Ok(Placed::moved(span, problem, true))
        }
    }
}

/// The confidence, NaN for none, and what is said about one that is no number to compare by.
fn confidence_of(text: &Text<'_>, annotation: &Element) -> Result<(f64, Option<Problem>), Problem> {
    let Some(prob) = annotation.child("prob") else { return Ok((f64::NAN, None)) };
    let spelled = prob.text.trim();
    let problem = |message: String| {
        prob.here(text).problem(Kind::Malformed, message).hint("`<prob>` is a confidence")
    };
    match spelled.parse::<f64>() {
        Ok(confidence) if confidence.is_finite() => Ok((confidence, None)),
        Ok(_) => {
            let left_out = format!("the confidence `{spelled}` is not finite and was left out");
            Ok((f64::NAN, Some(problem(left_out))))
        }
        Err(_) => Err(problem(format!("expected a number, found `{spelled}`"))),
    }
}

#[cfg(test)]
mod tests;
