//! Tiny corpora written as text, and the numbers karat gives for them.
//!
//! Documents are separated by `|`, mentions by `,`. A mention is a span, a link, and
//! what else it has: `.9` or `-2` a confidence, `#PER` a type, `=B` an equivalent,
//! `?B` a candidate. A link is a name of DBpedia, `ee:x` for what no knowledge base
//! has, `nil`, `-` for no answer, or a whole URI.

use karat_match::Pairing;
use karat_measures::{Convention, Evaluation, Plan, Preset, Result, Selection, evaluate};
use karat_model::{Corpus, CorpusBuilder, Link, Span};

/// The corpus that `text` writes.
pub(crate) fn corpus(text: &str) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for (index, document) in text.split('|').enumerate() {
        builder.continue_document(&format!("d{index}"));
        for mention in document.split(',').filter(|mention| !mention.trim().is_empty()) {
            annotate(&mut builder, mention);
        }
    }
    builder.finish()
}

fn annotate(builder: &mut CorpusBuilder, mention: &str) {
    let mut words = mention.split_whitespace();
    let (start, end) = words.next().and_then(|span| span.split_once('-')).expect("a span");
    let span = Span::new(start.parse().expect("a start"), end.parse().expect("an end"));
    let link = link(builder, words.next().expect("a link"));
    let rest: Vec<&str> = words.collect();
    let marked = |mark: char| rest.iter().filter_map(move |word| word.strip_prefix(mark));
    let candidates: Vec<Link> =
        marked('?').map(|name| Link::to(builder.intern(&uri(name)))).collect();
    let mut annotation = builder.annotate(span, link).types(marked('#'));
    for name in marked('=') {
        annotation = annotation.equivalent(&uri(name));
    }
    for candidate in candidates {
        annotation = annotation.candidate(candidate, f64::NAN);
    }
    if let Some(confidence) = rest.iter().find_map(|word| word.parse().ok()) {
        annotation.confidence(confidence);
    }
}

fn link(builder: &mut CorpusBuilder, name: &str) -> Link {
    match name {
        "nil" => Link::NIL,
        "-" => Link::NONE,
        name => Link::to(builder.intern(&uri(name))),
    }
}

fn uri(name: &str) -> String {
    match name.strip_prefix("ee:") {
        Some(unknown) => format!("http://aksw.org/unknown_entity/{unknown}"),
        None if name.contains("://") => name.to_owned(),
        None => format!("http://dbpedia.org/resource/{name}"),
    }
}

/// The convention of a preset.
pub(crate) fn convention(preset: &str) -> Convention {
    (Preset::named(preset).expect("a preset").convention)()
}

/// The results of these measures.
pub(crate) fn run(
    convention: Convention,
    gold: &str,
    system: &str,
    measures: &[&str],
) -> Evaluation {
    let (gold, system) = (corpus(gold), corpus(system));
    let identity = convention.identity();
    let selection = Selection::parse(measures.iter().copied(), &convention).expect("measures");
    evaluate(&Pairing::new(&gold, &system, &identity), &Plan::new(convention, selection))
}

/// The result of one measure of a preset.
pub(crate) fn score(preset: &str, gold: &str, system: &str, measure: &str) -> Result {
    let mut evaluation = run(convention(preset), gold, system, &[measure]);
    evaluation.results.remove(0)
}

/// Micro precision, recall and F1, to three digits as the sources print them.
pub(crate) fn micro(result: &Result) -> [f64; 3] {
    rounded(&result.micro)
}

/// Macro precision, recall and F1, to three digits.
pub(crate) fn macro_(result: &Result) -> [f64; 3] {
    rounded(&result.macro_.as_ref().expect("a macro score").scores)
}

fn rounded(scores: &karat_measures::Scores) -> [f64; 3] {
    ["precision", "recall", "f1"].map(|name| {
        let score = scores.get(name).flatten().expect("a score");
        (score * 1000.0).round() / 1000.0
    })
}
