//! Corpora made up by proptest, with every feature of the model.

use karat::model::{Corpus, CorpusBuilder, Flags, Link, MarkKind, Span, TextIndex, attribute};
use proptest::prelude::*;

/// Words with everything that breaks careless offset arithmetic: combining
/// marks, astral characters, quotes and the special characters of the formats.
const WORDS: &[&str] = &[
    "Berlin",
    "is",
    "large.",
    "Zürich",
    "e\u{301}te\u{301}",
    "😀",
    "👩‍🚀",
    "𝔄lpha",
    "東京",
    "a&b",
    "<b>",
    "\"quoted\"",
    "it's",
    "C:\\dir",
    "[x](y)",
    "{z}",
    "50%",
    "#tag;",
    "x|y,z",
    "Ω",
    "O",
    "@prefix",
    "$1",
    "'''",
    "\\u0041",
    "]]>",
    "ﬁn",
];
/// White space and controls that line formats have no room for.
const WILD: &[&str] = &["\n", "\t", "\r\n", "\n\n", "\u{feff}", "\u{a0}", "\u{2028}", "\"\"\""];
const ENTITIES: &[&str] = &[
    "Q64",
    "Q1022",
    "http://www.wikidata.org/entity/Q1",
    "Berlin_(Ort)",
    "München",
    "a%20b",
    "東京",
    "https://en.wikipedia.org/wiki/C++",
    "AT&T",
];
const TYPES: &[&str] = &["PER", "LOC", "Q215627", "http://dbpedia.org/ontology/Place"];
const TAGS: &[&str] = &["el:Mnt-Full", "el:PoS-Adjective", "el:Olp-None", "el:Ref-Direct"];

/// One annotation; positions are taken modulo what there is.
#[derive(Debug, Clone)]
pub(crate) struct AnnotationPlan {
    start: u32,
    length: u32,
    link: u8,
    confidence: Option<u16>,
    types: Vec<usize>,
    tags: Vec<usize>,
    flags: u8,
    candidates: Vec<(u8, Option<u16>, Option<usize>)>,
    equivalents: Vec<usize>,
    comment: Option<usize>,
    /// Parent and reading.
    part_of: Option<(u32, u8)>,
}

#[derive(Debug, Clone)]
pub(crate) struct DocumentPlan {
    words: Vec<usize>,
    topic: Option<bool>,
    evaluation: bool,
    hyperlink: bool,
    annotations: Vec<AnnotationPlan>,
}

fn annotation_plan() -> impl Strategy<Value = AnnotationPlan> {
    let shape = (any::<u32>(), 1..20u32, any::<u8>(), prop::option::of(any::<u16>()));
    let lists = (
        prop::collection::vec(any::<usize>(), 0..3),
        prop::collection::vec(any::<usize>(), 0..3),
        prop::collection::vec(
            (any::<u8>(), prop::option::of(any::<u16>()), prop::option::of(any::<usize>())),
            0..3,
        ),
        prop::collection::vec(any::<usize>(), 0..2),
    );
    let rest =
        (any::<u8>(), prop::option::of(any::<usize>()), prop::option::of((any::<u32>(), 1..3u8)));
    (shape, lists, rest).prop_map(|(shape, lists, rest)| AnnotationPlan {
        start: shape.0,
        length: shape.1,
        link: shape.2,
        confidence: shape.3,
        types: lists.0,
        tags: lists.1,
        candidates: lists.2,
        equivalents: lists.3,
        flags: rest.0,
        comment: rest.1,
        part_of: rest.2,
    })
}

pub(crate) fn plans() -> impl Strategy<Value = Vec<DocumentPlan>> {
    let document = (
        prop::collection::vec(any::<usize>(), 1..30),
        prop::option::of(any::<bool>()),
        any::<bool>(),
        any::<bool>(),
        prop::collection::vec(annotation_plan(), 0..6),
    );
    let document = document.prop_map(|(words, topic, evaluation, hyperlink, annotations)| {
        DocumentPlan { words, topic, evaluation, hyperlink, annotations }
    });
    prop::collection::vec(document, 0..4)
}

/// The corpus of a plan; `wild` puts line breaks and the like into the texts.
pub(crate) fn corpus(plans: &[DocumentPlan], wild: bool) -> Corpus {
    build(plans, wild, false)
}

/// The corpus of a plan for formats whose rows are tokens: each word is one, and
/// mentions are whole words, in the order of the text.
pub(crate) fn token_corpus(plans: &[DocumentPlan], wild: bool) -> Corpus {
    build(plans, wild, true)
}

fn build(plans: &[DocumentPlan], wild: bool, tokens: bool) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (number, plan) in plans.iter().enumerate() {
        builder.begin_document(&format!("doc-{number}é")).unwrap();
        let text = text(plan, wild);
        let index = TextIndex::new(&text);
        builder.set_text(&text);
        if let Some(topic) = plan.topic {
            builder
                .document_attribute(attribute::TOPIC, if topic { "sports" } else { "war & peace" });
            builder.document_attribute(attribute::LANGUAGE, "en");
            builder.document_attribute(attribute::TITLE, "A “title” of <one>");
        }
        if plan.evaluation {
            builder.set_evaluation_span(Span::new(0, index.len()));
        }
        if plan.hyperlink {
            builder.mark(MarkKind::Hyperlink, Span::new(0, 1), "Some target");
            builder.mark(MarkKind::Sentence, Span::new(0, index.len()), "");
        }
        let words = if tokens { words(&index) } else { Vec::new() };
        for &word in &words {
            builder.mark(MarkKind::Token, word, "");
        }
        annotate(&mut builder, plan, &index, &words);
    }
    builder.finish()
}

fn text(plan: &DocumentPlan, wild: bool) -> String {
    let mut text = String::new();
    for (position, &word) in plan.words.iter().enumerate() {
        if position > 0 {
            text.push_str(if wild && word % 5 == 0 { WILD[word / 5 % WILD.len()] } else { " " });
        }
        text.push_str(WORDS[word % WORDS.len()]);
    }
    text
}

fn link(builder: &mut CorpusBuilder, choice: u8) -> Link {
    match choice % 8 {
        0 => Link::NONE,
        1 => Link::NIL,
        2 => Link::nil_cluster(builder.intern("007")),
        3 => Link::nil_cluster(builder.intern("8b")),
        _ => Link::to(builder.intern(ENTITIES[choice as usize / 8 % ENTITIES.len()])),
    }
}

fn score(choice: u16) -> f64 {
    f64::from(choice) / 65_536.0
}

fn annotate(
    builder: &mut CorpusBuilder,
    plan: &DocumentPlan,
    index: &TextIndex<'_>,
    words: &[Span],
) {
    let positions = solid_positions(index);
    let spans = plan.annotations.iter().filter_map(|plan| span(plan, &positions));
    let mut annotations: Vec<(Span, &AnnotationPlan)> =
        spans.map(|span| snapped(span, words)).zip(&plan.annotations).collect();
    if !words.is_empty() {
        annotations.sort_by_key(|(span, _)| *span);
    }
    for (number, (span, plan)) in annotations.into_iter().enumerate() {
        let link = link(builder, plan.link);
        let candidates: Vec<_> = plan
            .candidates
            .iter()
            .map(|&(choice, value, kind)| {
                let kind = kind.map(|kind| TYPES[kind % TYPES.len()]);
                let types = builder.intern_list(kind);
                (self::link(builder, choice | 4), value.map_or(f64::NAN, score), types)
            })
            .collect();
        let place = plan.part_of.filter(|_| number > 0).map(|(p, r)| (p % number as u32, r));
        let mut annotation = builder
            .annotate(span, link)
            .types(plan.types.iter().map(|t| TYPES[t % TYPES.len()]))
            .tags(plan.tags.iter().map(|t| TAGS[t % TAGS.len()]));
        let flags = match plan.flags % 8 {
            0 => Flags::OPTIONAL,
            1 => Flags::COREFERENCE,
            2 => Flags::NOT_COREFERENCE | Flags::OPTIONAL,
            3 => Flags::DESCRIPTIVE,
            _ => Flags::empty(),
        };
        let side = [Flags::empty(), Flags::GOLD, Flags::PREDICTED][plan.flags as usize / 8 % 3];
        annotation = annotation.flags(flags | side);
        if let Some(confidence) = plan.confidence {
            annotation = annotation.confidence(score(confidence));
        }
        for (link, score, types) in candidates {
            annotation = annotation.candidate_with_types(link, score, types);
        }
        for equivalent in &plan.equivalents {
            annotation = annotation.equivalent(ENTITIES[equivalent % ENTITIES.len()]);
        }
        if let Some(comment) = plan.comment {
            annotation = annotation.attribute(attribute::COMMENT, WORDS[comment % WORDS.len()]);
            if comment % 2 == 0 {
                annotation = annotation.attribute(attribute::DERIVED, "el:Olp-None, Person");
            }
        }
        if let Some((parent, reading)) = place {
            annotation.part_of(parent, reading.into());
        }
    }
}

/// Mentions start and end at characters that are not white space, as real ones do.
fn span(plan: &AnnotationPlan, positions: &[u32]) -> Option<Span> {
    let first = positions.get(plan.start as usize % positions.len().max(1))?;
    let last = positions.iter().rev().find(|&&p| p < first + plan.length).unwrap_or(first);
    Some(Span::new(*first, (*last).max(*first) + 1))
}

/// The span from the start of its first word to the end of its last, if there are words.
fn snapped(span: Span, words: &[Span]) -> Span {
    let mut touched = words.iter().filter(|word| word.overlaps(span));
    let Some(first) = touched.next() else { return span };
    Span::new(first.start, touched.next_back().unwrap_or(first).end)
}

fn words(index: &TextIndex<'_>) -> Vec<Span> {
    let mut words: Vec<Span> = Vec::new();
    for (position, character) in (0..).zip(index.text().chars()) {
        match words.last_mut() {
            _ if character.is_whitespace() => {}
            Some(word) if word.end == position => word.end += 1,
            _ => words.push(Span::new(position, position + 1)),
        }
    }
    words
}

fn solid_positions(index: &TextIndex<'_>) -> Vec<u32> {
    let characters = index.text().chars().enumerate();
    characters
        .filter(|(_, c)| !c.is_whitespace() && *c != '\u{feff}')
        .map(|(p, _)| p as u32)
        .collect()
}
