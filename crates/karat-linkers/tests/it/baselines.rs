//! Baselines against published figures, and on the sample.

use crate::data;
use karat_kb::KnowledgeBase;
use karat_linkers::baselines::{CandidateCeiling, ContextTuning};
use karat_linkers::{AnsweredLink, LinkTask, Linker, LinkerContext, built_in};
use karat_model::{Corpus, Document, Span, Watch};
use std::sync::Arc;

const BENCHMARKS: [&str; 5] =
    ["kore50", "msnbc-updated", "news-fair-no-coref", "wiki-fair-no-coref", "aida-conll-test"];

fn linker(name: &str, base: &Arc<KnowledgeBase>) -> Box<dyn Linker> {
    let context = LinkerContext { base: Some(Arc::clone(base)), ..LinkerContext::default() };
    built_in(name, &context).unwrap().unwrap()
}

fn oracle(gold: &Arc<Corpus>) -> Box<dyn Linker> {
    let context = LinkerContext { gold: Some(Arc::clone(gold)), ..LinkerContext::default() };
    built_in("oracle", &context).unwrap().unwrap()
}

/// Where the mentions of an answer are, and what they are linked to.
fn said(
    linker: &dyn Linker,
    document: &Document<'_>,
    mentions: Option<&[Span]>,
) -> Vec<(Span, AnsweredLink)> {
    let text = document.text().unwrap();
    let language = document.language();
    let task = LinkTask { mentions, language, ..LinkTask::of_text(document.name(), text) };
    let answer = linker.link(&[task]).remove(0).unwrap();
    let spans = answer.mentions.into_iter().map(|mention| {
        let (start, end) = mention.at.unwrap();
        (Span::new(start as u32, end as u32), mention.link)
    });
    spans.collect()
}

/// What a file says, in the same form.
fn published(document: &Document<'_>) -> Vec<(Span, AnsweredLink)> {
    let mentions = document
        .mentions()
        .filter(|mention| mention.flags().contains(karat_model::Flags::PREDICTED));
    let link = |mention: &karat_model::Mention<'_>| match mention.entity() {
        Some(entity) => AnsweredLink::To(entity.to_owned()),
        None => AnsweredLink::Nil,
    };
    mentions.map(|mention| (mention.span(), link(&mention))).collect()
}

#[test]
fn prior_gives_the_links_of_the_published_baseline() {
    let Some(folder) = data::folder("elevant") else { return };
    let prior = linker("prior", &data::base(&folder.join("facts")));
    let (mut same, mut all) = (0, 0);
    for benchmark in BENCHMARKS {
        let output =
            data::read(&folder.join(format!("linked/baseline.{benchmark}.linked_articles.jsonl")));
        for document in output.documents() {
            let expected = published(&document);
            let spans: Vec<Span> = expected.iter().map(|(span, _)| *span).collect();
            let found = said(&*prior, &document, Some(&spans));
            for (found, expected) in found.iter().zip(&expected) {
                all += 1;
                same += usize::from(found == expected);
            }
        }
    }
    println!("{same} of {all} links");
    assert_eq!((same, all), (10_773, 10_773));
}

#[test]
fn right_links_of_prior_and_names_on_gold_mentions() {
    let Some(folder) = data::folder("elevant") else { return };
    let base = data::base(&folder.join("facts"));
    let (prior, names) = (linker("prior", &base), linker("names", &base));
    let table = BENCHMARKS.map(|benchmark| {
        // The benchmark of AIDA has most of its words masked; the published results have them all.
        let gold =
            data::read(&folder.join(format!("linked/baseline.{benchmark}.linked_articles.jsonl")));
        let oracle = oracle(&gold);
        let mut counts = [0, 0, 0];
        for document in gold.documents() {
            let mut right = said(&*oracle, &document, None);
            right.retain(|(_, link)| matches!(link, AnsweredLink::To(_)));
            right.sort_unstable_by_key(|(span, _)| *span);
            let spans: Vec<Span> = right.iter().map(|(span, _)| *span).collect();
            for (at, linker) in [&prior, &names].into_iter().enumerate() {
                let found = said(&**linker, &document, Some(&spans));
                counts[at] +=
                    found.iter().zip(&right).filter(|(found, right)| found == right).count();
            }
            counts[2] += right.len();
        }
        println!("{benchmark}: {counts:?}");
        counts
    });
    let expected =
        [[52, 52, 143], [440, 555, 653], [149, 151, 226], [646, 658, 907], [2740, 2892, 4484]];
    assert_eq!(table, expected);
}

/// Every number that was published of the oracle follows from these mentions: the tests of the facade compute them from the
/// published files.
#[test]
fn the_oracle_says_what_the_published_oracle_said() {
    let Some(folder) = data::folder("elevant") else { return };
    let mut all = 0;
    for benchmark in BENCHMARKS {
        let gold = data::read(&folder.join(format!("benchmarks/{benchmark}.benchmark.jsonl")));
        let output =
            data::read(&folder.join(format!("linked/oracle.{benchmark}.linked_articles.jsonl")));
        let oracle = oracle(&gold);
        assert_eq!(gold.len(), output.len());
        for document in gold.documents() {
            let mut found = said(&*oracle, &document, None);
            let mut expected = published(&output.document(document.name()).unwrap());
            found.sort_unstable_by_key(|(span, _)| *span);
            expected.sort_unstable_by_key(|(span, _)| *span);
            assert_eq!(found, expected, "{benchmark}, {}", document.name());
            all += found.len();
        }
    }
    assert_eq!(all, 144 + 739 + 275 + 1034 + 5616);
}

/// How many links of given gold mentions are right on the sample.
fn right_on_sample(linker: &dyn Linker, gold: &Arc<Corpus>) -> usize {
    let oracle = oracle(gold);
    let counts = gold.documents().map(|document| {
        let mut right = said(&*oracle, &document, None);
        right.retain(|(_, link)| matches!(link, AnsweredLink::To(_)));
        let spans: Vec<Span> = right.iter().map(|(span, _)| *span).collect();
        let found = said(linker, &document, Some(&spans));
        found.iter().zip(&right).filter(|(found, right)| found == right).count()
    });
    counts.sum()
}

/// The figures of `docs/baselines.md`.
#[test]
fn context_finds_more_than_prior_and_names_on_the_sample() {
    let (gold, base) = data::sample();
    let ceiling = CandidateCeiling::of(&base, &gold);
    let names = ["random", "popular", "prior", "names", "context"];
    let right = names.map(|name| right_on_sample(&*linker(name, &base), &gold));
    println!("{names:?}: {right:?}; {ceiling:?}");
    let context = LinkerContext { base: Some(Arc::clone(&base)), ..LinkerContext::default() };
    let tuning = ContextTuning::on(&gold, &context, &Watch::default()).unwrap();
    println!("{:?} of {}", tuning.best, tuning.links);
    let [random, _, prior, names, context] = right;
    assert!(random < prior && prior < names && names < context, "{right:?}");
    assert!(context as u64 <= tuning.best.right && tuning.best.right <= ceiling.reachable);
}
