//! The round-trip rule of formats: what is written and read again is the corpus without
//! what the format cannot hold, or the writer refuses and says why.

use crate::generate;
use karat::formats::{Format, Input, Output, ReadOptions, WriteError};
use karat::model::{Corpus, OffsetUnit};
use proptest::prelude::*;

/// Writes and reads; `None` when the format has no form for something in it.
pub(crate) fn written_and_read(format: &'static dyn Format, corpus: &Corpus) -> Option<Corpus> {
    let registry = karat::registry();
    let info = format.info();
    let mut output = Output::memory(info.writes.unwrap());
    match registry.write(corpus, format, &mut output) {
        Ok(_) => {}
        Err(WriteError::Unrepresentable { .. } | WriteError::NotText) => return None,
        Err(error) => panic!("{}: {error}", info.name),
    }
    let sources = output.into_sources();
    let shown: Vec<String> = sources
        .iter()
        .map(|s| String::from_utf8_lossy(&s.bytes(None).unwrap()).into_owned())
        .collect();
    let input: Input = sources.into_iter().collect();
    let outcome = registry
        .read(&input, Some(info.name), &ReadOptions::default())
        .unwrap_or_else(|problem| panic!("{}: {problem}\n{}", info.name, shown.join("\n---\n")));
    Some(outcome.corpus)
}

/// The formats to test: all that can be written, or the one in `$KARAT_FORMAT`.
fn writable() -> Vec<&'static dyn Format> {
    let wanted = std::env::var("KARAT_FORMAT").ok();
    karat::registry()
        .formats()
        .filter(|format| format.info().writes.is_some())
        .filter(|format| wanted.as_deref().is_none_or(|name| name == format.info().name))
        .collect()
}

/// One plan with mentions anywhere, and with mentions of whole tokens.
struct Corpora {
    free: Corpus,
    of_tokens: Corpus,
}

impl Corpora {
    fn new(plans: &[generate::DocumentPlan], wild: bool) -> Corpora {
        Corpora {
            free: generate::corpus(plans, wild),
            of_tokens: generate::token_corpus(plans, wild),
        }
    }

    /// A format whose rows are tokens need not have a form for a part of a token.
    fn suited_to(&self, format: &'static dyn Format) -> &Corpus {
        if has_rows_of_tokens(format) { &self.of_tokens } else { &self.free }
    }
}

fn has_rows_of_tokens(format: &'static dyn Format) -> bool {
    let info = format.info();
    info.offsets.unit == OffsetUnit::Tokens && info.needs_text
}

/// Texts, and places and links of mentions, whatever the tokens and the order.
fn gist(corpus: &Corpus) -> Vec<String> {
    let mut facts: Vec<String> = Vec::new();
    for document in corpus.documents() {
        facts.push(format!("{} {:?}", document.name(), document.text()));
        facts.extend(document.mentions().map(|mention| {
            let (nil, entity) = (mention.link().is_nil(), mention.entity());
            format!("{} {} {nil} {entity:?}", document.name(), mention.span())
        }));
    }
    facts.sort();
    facts
}

fn obeys(
    format: &'static dyn Format,
    corpus: &Corpus,
    may_refuse: bool,
) -> Result<(), TestCaseError> {
    let (expected, _) = corpus.restrict(&format.info().keeps);
    match written_and_read(format, corpus) {
        None => prop_assert!(may_refuse, "{} refused a corpus it should hold", format.info().name),
        Some(found) => {
            let difference = expected.difference(&found);
            prop_assert!(difference.is_none(), "{}: {}", format.info().name, difference.unwrap());
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_format_keeps_what_it_says(plans in generate::plans()) {
        let corpora = Corpora::new(&plans, false);
        for format in writable() {
            obeys(format, corpora.suited_to(format), false)?;
        }
    }

    #[test]
    fn texts_without_tokens_are_cut_or_refused(plans in generate::plans(), wild: bool) {
        let corpus = generate::corpus(&plans, wild);
        for format in writable().into_iter().filter(|&format| has_rows_of_tokens(format)) {
            if let Some(found) = written_and_read(format, &corpus) {
                let (expected, _) = corpus.restrict(&format.info().keeps);
                prop_assert_eq!(gist(&expected), gist(&found), "{}", format.info().name);
            }
        }
    }

    #[test]
    fn line_breaks_are_kept_or_refused(plans in generate::plans()) {
        let corpora = Corpora::new(&plans, true);
        for format in writable() {
            obeys(format, corpora.suited_to(format), true)?;
        }
    }
}

#[test]
fn an_empty_corpus_is_a_corpus() {
    let empty = generate::corpus(&[], false);
    for format in writable() {
        if let Some(found) = written_and_read(format, &empty) {
            assert_eq!(found.len(), 0, "{}", format.info().name);
        }
    }
}
