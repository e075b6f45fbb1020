//! karat JSONL: one document per line, with everything the model holds.

use crate::anchor::Here;
use crate::block::{at_line_ends, in_blocks};
use crate::format::{Format, Info, Layout, Offsets, Sample, WriteError};
use crate::input::Input;
use crate::output::Output;
use crate::placing::trees;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use crate::source::{Source, Text};
use crate::syntax::json::JsonRecords;
use crate::syntax::json::write_line;
use crate::syntax::nil::NilWords;
use karat_model::{
    Corpus, CorpusBuilder, Document, Flags, Link, MarkKind, Mention, Repeated, Restriction, Span,
    TextIndex,
};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The format.
#[derive(Debug)]
pub(crate) struct KaratJsonl;

static INFO: Info = Info {
    name: "karat-jsonl",
    title: "karat JSONL",
    about: "One JSON object per document with every field of karat's model: \
            text, attributes, evaluation span, marks, and annotations with links, NIL clusters, confidence, types, \
            flags, tags, candidates and trees of alternatives. The one format in which nothing is lost.",
    reference: "this project, docs/formats/karat-jsonl.md",
    extensions: &["karat.jsonl"],
    offsets: Offsets::CODE_POINTS,
    writes: Some(Layout::File),
    needs_text: false,
    keeps: Restriction::NOTHING_LOST,
};

/// One line.
#[derive(Debug, Serialize, Deserialize)]
// Unknown fields are refused, here and below: a misspelt optional field would otherwise be lost
// without a word.
#[serde(deny_unknown_fields)]
struct DocumentLine<'t> {
    #[serde(borrow)]
    document: Cow<'t, str>,
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'t, str>>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    evaluation_span: Option<(u32, u32)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    marks: Vec<MarkObject>,
    #[serde(default)]
    annotations: Vec<AnnotationObject<'t>>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkObject {
    kind: String,
    span: (u32, u32),
    #[serde(default, skip_serializing_if = "String::is_empty")]
    value: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnnotationObject<'t> {
    span: (u32, u32),
    /// The text of the mention, for people and for the check against the text.
    #[serde(borrow, default, skip_serializing_if = "Option::is_none")]
    mention: Option<Cow<'t, str>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nil: Option<Nil>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    confidence: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    types: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    flags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<CandidateObject>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    equivalents: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    attributes: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    part_of: Option<PlaceObject>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CandidateObject {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    link: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nil: Option<Nil>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    types: Vec<String>,
}

/// `true`, or the name of a NIL cluster.
#[derive(Debug, Serialize, Deserialize)]
#[serde(untagged)]
enum Nil {
    Unclustered(bool),
    Cluster(String),
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PlaceObject {
    parent: u32,
    reading: u32,
}

const FLAGS: [(&str, Flags); 6] = [
    ("optional", Flags::OPTIONAL),
    ("coreference", Flags::COREFERENCE),
    ("not-coreference", Flags::NOT_COREFERENCE),
    ("descriptive", Flags::DESCRIPTIVE),
    ("gold", Flags::GOLD),
    ("predicted", Flags::PREDICTED),
];

impl Format for KaratJsonl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn nil_words(&self) -> NilWords {
        // NIL has a key of its own, and this format holds everything.
        NilWords::None
    }

    fn detect(&self, sample: &Sample<'_>) -> u8 {
        let line = sample.first_line();
        let ours = line.starts_with("{\"document\":") || line.starts_with("{ \"document\":");
        if ours { 95 } else { 0 }
    }

    fn lines_are_records(&self) -> bool {
        true
    }

    fn read(
        &self,
        files: &[Source],
        _input: &Input,
        reading: &mut Reading<'_>,
    ) -> Result<(), Problem> {
        for file in files {
            in_blocks(file, at_line_ends, Repeated::Refuse, reading, |text, reading| {
                for line in text.as_str().lines().filter(|line| !line.trim().is_empty()) {
                    read_document(text, line, reading)?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn write(&self, corpus: &Corpus, output: &mut Output) -> Result<(), WriteError> {
        output.single(|out| {
            for document in corpus.documents() {
                write_line(out, &document_line(&document))?;
            }
            Ok(())
        })
    }
}

fn read_document(text: &Text<'_>, line: &str, reading: &mut Reading<'_>) -> Result<(), Problem> {
    let parsed = serde_json::from_str(line).map_err(|error| {
        text.json_problem(line, &error)
            .hint("each line is one document; docs/formats/karat-jsonl.md lists its fields")
    });
    let Some(document): Option<DocumentLine<'_>> = reading.accept(parsed)? else { return Ok(()) };
    let here = Here { text, at: text.offset_of(line), len: 1 };
    if let Err(duplicate) = here.begin_document(&document.document, &mut reading.corpus) {
        return reading.report(duplicate);
    }
    let index = document.text.as_deref().map(TextIndex::new);
    if let Some(text) = &document.text {
        reading.corpus.set_text(text);
    }
    for (key, value) in &document.attributes {
        reading.corpus.document_attribute(key, value);
    }
    if let Some((start, end)) = document.evaluation_span {
        reading.corpus.set_evaluation_span(Span::new(start, end));
    }
    for mark in &document.marks {
        match MarkKind::ALL.into_iter().find(|kind| kind.name() == mark.kind) {
            Some(kind) => {
                reading.corpus.mark(kind, Span::new(mark.span.0, mark.span.1), &mark.value);
            }
            None => {
                let message = format!("unknown kind of mark `{}`", mark.kind);
                reading.report(here.problem(Kind::Malformed, message))?;
            }
        }
    }
    let tree = Tree::of(&document.annotations);
    let offsets = reading.offsets(INFO.offsets);
    let mut places = None;
    let mut indices = vec![None; document.annotations.len()];
    for (number, annotation) in document.annotations.iter().enumerate() {
        let check = |here| check(here, index.as_ref(), offsets, annotation, tree.fault(number));
        // Where an annotation stands in the line is looked for only after a check has failed; the
        // second check makes the same problem with its place.
        let checked = check(here).or_else(|_| {
            let places = places.get_or_insert_with(|| annotation_places(text, line));
            check(places.get(number).map_or(here, |&(at, len)| Here { text, at, len }))
        });
        let checked = checked.map_err(|problem| problem.in_document(&document.document));
        if let Some((span, flags)) = reading.accept(checked)? {
            // Numbers in `part_of` count the annotations of the file; a bad one that is left out
            // shifts those after it.
            indices[number] = Some(reading.corpus.next_index());
            add(&mut reading.corpus, span, flags, annotation);
        }
    }
    // Joined at the end, because a parent may stand after its parts.
    join(&document.annotations, &indices, &mut reading.corpus);
    Ok(())
}

/// Which annotations are parts of which.
struct Tree {
    /// Empty where none is a part of another.
    parents: Vec<Option<usize>>,
    circular: Vec<bool>,
}

impl Tree {
    fn of(annotations: &[AnnotationObject<'_>]) -> Tree {
        if annotations.iter().all(|annotation| annotation.part_of.is_none()) {
            return Tree { parents: Vec::new(), circular: Vec::new() };
        }
        let parent = |place: &PlaceObject| place.parent as usize;
        let parents: Vec<_> = annotations.iter().map(|a| a.part_of.as_ref().map(parent)).collect();
        Tree { circular: trees::circular(&parents), parents }
    }

    /// What is wrong with the place of an annotation.
    fn fault(&self, number: usize) -> Option<String> {
        let parent = self.parents.get(number).copied().flatten()?;
        match () {
            () if parent >= self.parents.len() => {
                Some(format!("its parent {parent} is not in the document"))
            }
            () if self.circular[number] => Some(format!(
                "it is a part of {parent}, and from parent to parent no annotation is the whole"
            )),
            () => None,
        }
    }
}

/// Makes annotations parts of their parents, by the places they have now: in a
/// lenient reading those after a bad annotation move up.
fn join(annotations: &[AnnotationObject<'_>], indices: &[Option<u32>], corpus: &mut CorpusBuilder) {
    for (annotation, &index) in annotations.iter().zip(indices) {
        let Some(place) = &annotation.part_of else { continue };
        let parent = indices.get(place.parent as usize).copied().flatten();
        if let (Some(index), Some(parent)) = (index, parent)
            && let Some(part) = corpus.annotation_mut(index)
        {
            part.part_of(parent, place.reading);
        }
    }
}

/// Where the annotations of a line stand, by offset and length; needed only for problems.
fn annotation_places(text: &Text<'_>, line: &str) -> Vec<(usize, usize)> {
    const KEY: &str = "\"annotations\"";
    // In a string the quotes of the key would be escaped, and no other key has a list as its value.
    let lists = line.match_indices(KEY).filter_map(|(at, _)| {
        let list = line[at + KEY.len()..].trim_start().strip_prefix(':')?.trim_start();
        list.starts_with('[').then_some(list)
    });
    let Some(list) = lists.last() else { return Vec::new() };
    let list = Text::new("", list);
    let records = JsonRecords::of(&list).map_while(Result::ok);
    records.map(|record| (text.offset_of(record), record.len())).collect()
}

/// What can be wrong with a well-formed annotation.
fn check(
    here: Here<'_>,
    index: Option<&TextIndex<'_>>,
    offsets: Offsets,
    annotation: &AnnotationObject<'_>,
    misplaced: Option<String>,
) -> Result<(Span, Flags), Problem> {
    let (start, end) = annotation.span;
    let span = match index {
        Some(index) => {
            here.anchor(index, offsets, start.into(), end.into(), annotation.mention.as_deref())?
        }
        None => Span::new(start, end),
    };
    let mut flags = Flags::empty();
    for name in &annotation.flags {
        let known = FLAGS.iter().find(|(flag, _)| flag == name);
        flags |= known.map(|&(_, flag)| flag).ok_or_else(|| {
            here.problem(Kind::Malformed, format!("unknown flag `{name}` at {span}"))
        })?;
    }
    if let Some(fault) = misplaced {
        let message = format!("annotation at {span}: {fault}");
        return Err(here.problem(Kind::Malformed, message).hint(
            "`parent` is the number, from 0, of another annotation of the document, and some parent has none",
        ));
    }
    Ok((span, flags))
}

fn add(corpus: &mut CorpusBuilder, span: Span, flags: Flags, object: &AnnotationObject<'_>) {
    let link = link(corpus, object.link.as_deref(), object.nil.as_ref());
    let candidates: Vec<_> = object
        .candidates
        .iter()
        .map(|candidate| {
            let types = corpus.intern_list(candidate.types.iter().map(String::as_str));
            let link = self::link(corpus, candidate.link.as_deref(), candidate.nil.as_ref());
            // NaN stands for a candidate without a score; JSON has no NaN, so no file can give one.
            (link, candidate.score.unwrap_or(f64::NAN), types)
        })
        .collect();
    let mut annotation = corpus
        .annotate(span, link)
        .flags(flags)
        .types(object.types.iter().map(String::as_str))
        .tags(object.tags.iter().map(String::as_str));
    if let Some(confidence) = object.confidence {
        annotation = annotation.confidence(confidence);
    }
    for (link, score, types) in candidates {
        annotation = annotation.candidate_with_types(link, score, types);
    }
    for equivalent in &object.equivalents {
        annotation = annotation.equivalent(equivalent);
    }
    for (key, value) in &object.attributes {
        annotation = annotation.attribute(key, value);
    }
}

fn link(corpus: &mut CorpusBuilder, link: Option<&str>, nil: Option<&Nil>) -> Link {
    match (link, nil) {
        // A file with both a link and NIL contradicts itself; the link says more.
        (Some(entity), _) => Link::to(corpus.intern(entity)),
        (None, Some(Nil::Cluster(cluster))) => Link::nil_cluster(corpus.intern(cluster)),
        (None, Some(Nil::Unclustered(true))) => Link::NIL,
        (None, _) => Link::NONE,
    }
}

fn document_line<'c>(document: &Document<'c>) -> DocumentLine<'c> {
    let index = document.text_index();
    DocumentLine {
        document: document.name().into(),
        text: document.text().map(Cow::Borrowed),
        attributes: owned(document.attributes()),
        evaluation_span: document.evaluation_span().map(|span| (span.start, span.end)),
        marks: MarkKind::ALL
            .into_iter()
            .flat_map(|kind| {
                document.marks_of(kind).map(move |(span, value)| MarkObject {
                    kind: kind.name().to_owned(),
                    span: (span.start, span.end),
                    value: value.to_owned(),
                })
            })
            .collect(),
        annotations: document
            .mentions()
            .map(|mention| annotation_object(&mention, index.as_ref()))
            .collect(),
    }
}

fn annotation_object<'c>(
    mention: &Mention<'c>,
    index: Option<&TextIndex<'c>>,
) -> AnnotationObject<'c> {
    let flags = FLAGS.iter().filter(|(_, flag)| mention.flags().contains(*flag));
    AnnotationObject {
        span: (mention.span().start, mention.span().end),
        // Written for people; on reading it is checked against the text and catches files whose
        // text was edited by hand.
        mention: index.and_then(|index| index.slice(mention.span())).map(Cow::Borrowed),
        link: mention.entity().map(str::to_owned),
        nil: nil(mention.link(), mention.nil_cluster()),
        confidence: mention.confidence(),
        types: mention.types().map(str::to_owned).collect(),
        flags: flags.map(|&(name, _)| name.to_owned()).collect(),
        tags: mention.tags().map(str::to_owned).collect(),
        candidates: mention
            .candidates()
            .map(|candidate| CandidateObject {
                link: candidate.entity.map(str::to_owned),
                nil: nil(candidate.link, candidate.nil_cluster),
                score: candidate.score,
                types: candidate.types().map(str::to_owned).collect(),
            })
            .collect(),
        equivalents: mention.equivalents().map(str::to_owned).collect(),
        attributes: owned(mention.attributes()),
        part_of: mention
            .place()
            .map(|place| PlaceObject { parent: place.parent, reading: place.reading }),
    }
}

fn nil(link: Link, cluster: Option<&str>) -> Option<Nil> {
    link.is_nil().then(|| cluster.map_or(Nil::Unclustered(true), |c| Nil::Cluster(c.to_owned())))
}

fn owned<'c>(pairs: impl Iterator<Item = (&'c str, &'c str)>) -> BTreeMap<String, String> {
    pairs.map(|(key, value)| (key.to_owned(), value.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::{ReadOptions, ReadOutcome};

    fn read(annotations: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
        let line = format!("{{\"document\":\"d\",\"annotations\":[{annotations}]}}\n");
        testing::read(&KaratJsonl, &[("d.karat.jsonl", &line)], options)
    }

    #[test]
    fn a_part_of_itself_is_located() {
        for (annotations, column, message) in [
            (
                r#"{"span":[0,1],"part_of":{"parent":0,"reading":1}}"#,
                32,
                "annotation at 0..1: it is a part of 0, and from parent to parent no annotation is the whole",
            ),
            (
                r#"{"span":[0,1]},{"span":[1,2],"part_of":{"parent":2,"reading":1}},{"span":[2,3],"part_of":{"parent":1,"reading":1}}"#,
                47,
                "annotation at 1..2: it is a part of 2, and from parent to parent no annotation is the whole",
            ),
            (
                r#"{"span":[0,1],"part_of":{"parent":7,"reading":1}}"#,
                32,
                "annotation at 0..1: its parent 7 is not in the document",
            ),
        ] {
            let problem = read(annotations, &ReadOptions::default()).unwrap_err();
            let place = problem.place.unwrap();
            assert_eq!((problem.message.as_str(), place.line, place.column), (message, 1, column));
            assert!(problem.hint.is_some());
        }
    }

    #[test]
    fn parts_find_their_parents_after_a_bad_annotation() {
        let annotations = r#"{"span":[0,1],"flags":["odd"]},{"span":[1,2]},{"span":[2,3],"part_of":{"parent":1,"reading":1}}"#;
        let outcome = read(annotations, &testing::lenient()).unwrap();
        assert_eq!(outcome.findings.skipped().len(), 1);
        let document = outcome.corpus.document("d").unwrap();
        let parents: Vec<_> = document.mentions().map(|m| m.place().map(|p| p.parent)).collect();
        assert_eq!(parents, [None, Some(0)]);
    }
}
