//! AIDA-CoNLL testb in its column format and in the formats made from it.

use crate::data;
use crate::shared_data::{read, survives};
use karat::model::{Document, MarkKind, Span};
use std::collections::BTreeSet;

/// A mention as documents without text state it: document, first token, end, link.
type TokenMention = (String, u32, u32, Option<String>);

#[test]
fn testb_in_columns() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let path = folder.join("AIDA-YAGO2-testb.notext.tsv");
    let outcome = read(&path);
    assert_eq!(outcome.formats, ["aida-conll"]);
    assert!(outcome.findings.is_empty());
    let counts = outcome.corpus.statistics();
    assert_eq!((counts.documents, counts.annotations), (231, 5616));
    assert_eq!((counts.linked, counts.nil), (4485, 1131));
    let sentences = outcome.corpus.documents().map(|d| d.marks_of(MarkKind::Sentence).count());
    assert_eq!(sentences.sum::<usize>(), sentences_of_testb(&folder));
    survives(&path);
}

/// What the file of sentence starts says.
fn sentences_of_testb(folder: &std::path::Path) -> usize {
    let listing = std::fs::read_to_string(folder.join("testb.sentences.tsv")).unwrap();
    listing.lines().map(|line| line.rsplit('\t').next().unwrap().split(',').count()).sum()
}

fn in_tokens(document: &Document<'_>) -> Vec<TokenMention> {
    let tokens: Vec<Span> = document.marks_of(MarkKind::Token).map(|(span, _)| span).collect();
    document
        .mentions()
        .map(|mention| {
            let span = mention.span();
            let first = tokens.binary_search_by_key(&span.start, |token| token.start).unwrap();
            let last = tokens.binary_search_by_key(&span.end, |token| token.end).unwrap();
            let link = mention.entity().map(str::to_owned);
            (document.name().to_owned(), first as u32, last as u32 + 1, link)
        })
        .collect()
}
