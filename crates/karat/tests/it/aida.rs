//! AIDA-CoNLL testb in its column format and in the formats made from it.

use crate::data;
use crate::shared_data::{read, survives};
use karat::formats::{Detection, Source, in_code_points};
use karat::model::{Corpus, Document, MarkKind, OffsetUnit, Span};
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
    // AIDA joins sentences that break inside a mention, 32 times here.
    assert_eq!(sentences.sum::<usize>() + 32, sentences_of_testb(&folder));
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

#[test]
fn the_release_format_states_the_same_mentions() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let columns = read(&folder.join("AIDA-YAGO2-testb.notext.tsv")).corpus;
    let release = read(&folder.join("gold-unmapped.release.tsv"));
    assert_eq!(release.formats, ["cne-release"]);
    let expected: BTreeSet<TokenMention> =
        columns.documents().flat_map(|document| in_tokens(&document)).collect();
    let found: BTreeSet<TokenMention> = release
        .corpus
        .documents()
        .flat_map(|document| document.mentions())
        .map(|mention| {
            let (span, link) = (mention.span(), mention.entity().map(str::to_owned));
            (mention.document().name().to_owned(), span.start, span.end, link)
        })
        .collect();
    assert_eq!(found.len(), 5616);
    assert_eq!(found, expected);
}

#[test]
fn a_system_in_tokens_meets_a_gold_standard_in_characters() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let gold = read(&folder.join("AIDA-YAGO2-testb.notext.tsv")).corpus;
    let system = read(&folder.join("unmapped/schwa-unsup-unmapped.testb.txt"));
    assert_eq!(system.unit(), OffsetUnit::Tokens);
    let (moved, problems) = in_code_points(&system.corpus, system.unit(), &gold, "schwa");
    assert!(problems.is_empty());
    let spans = |corpus: &Corpus| -> BTreeSet<(String, Span)> {
        let mentions = corpus.documents().flat_map(|document| document.mentions());
        mentions.map(|mention| (mention.document().name().to_owned(), mention.span())).collect()
    };
    let (gold, moved) = (spans(&gold), spans(&moved));
    let both = gold.intersection(&moved).count();
    // What conll03_nel_eval counts for strong mention match on the files in tokens.
    assert_eq!((both, moved.len() - both, gold.len() - both), (4310, 652, 1306));
}

#[test]
fn every_file_is_recognised() {
    let (Some(aida), Some(neleval)) = (data::folder("aida-testb"), data::folder("neleval")) else {
        return;
    };
    let helpers = ["testb.netags.tsv", "testb.sentences.tsv", "map-testb-fromapi-20140227.tsv"];
    let files = data::files(&aida, "").into_iter().filter(|path| {
        let folder = path.parent().unwrap();
        let table = path.extension().is_some_and(|extension| extension == "tsv");
        (folder == aida && table) || folder.ends_with("unmapped")
    });
    for path in files.chain(data::files(&neleval.join("examples"), "")) {
        let name = path.file_name().unwrap().to_str().unwrap();
        let expected = match name {
            _ if helpers.contains(&name) => None,
            _ if name.contains(".release.") || name.contains("unmapped") => Some("cne-release"),
            _ if name.contains(".unstitched.") => Some("cne-release"),
            _ if name.contains(".notext.") || name.starts_with("conll_") => Some("aida-conll"),
            _ if name.contains(".combined.") => Some("neleval"),
            _ if name.starts_with("tac_") => Some("tac"),
            _ => Some("neleval"),
        };
        let found = match karat::registry().detect(&Source::file(&path)).unwrap() {
            Detection::Format(format) => Some(format.info().name),
            Detection::Several(names) => panic!("{name}: {names:?}"),
            Detection::Unknown { .. } => None,
        };
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn columns_and_release_of_the_examples_agree() {
    let Some(folder) = data::folder("neleval") else { return };
    for name in ["conll_gold", "conll_multi_gold", "conll_sysa", "conll_multi_sysa"] {
        let columns = folder.join(format!("examples/{name}.txt"));
        let release = folder.join(format!("examples/{name}.unstitched.tsv"));
        let expected: Vec<_> =
            read(&columns).corpus.documents().flat_map(|d| in_tokens(&d)).collect();
        let found = read(&release).corpus;
        let found = found.documents().flat_map(|d| d.mentions()).map(|mention| {
            let link = mention.entity().map(str::to_owned);
            (mention.document().name().to_owned(), mention.span().start, mention.span().end, link)
        });
        assert_eq!(found.collect::<Vec<_>>(), expected, "{name}");
        survives(&columns);
        survives(&release);
    }
}

#[test]
fn the_original_outputs_are_read() {
    let Some(folder) = data::folder("aida-testb/unmapped") else { return };
    for (name, mentions) in [
        ("aida-gold-mentions-unmapped.testb.txt", 4485),
        ("houlsby_ECIR14-unmapped.testb.txt", 5616),
        ("schwa-unsup-gold-mentions-unmapped.testb.txt", 5616),
        ("schwa-unsup-unmapped.testb.txt", 4962),
        ("tagme_289-unmapped.testb.txt", 3603),
        ("tagme_336-unmapped.testb.txt", 3138),
    ] {
        let path = folder.join(name);
        assert_eq!(read(&path).corpus.annotations().len(), mentions, "{name}");
        survives(&path);
    }
}
