//! What holds for the errors of any article: they add up, no more are made than could be, and no order of
//! predictions changes a count.

use crate::errors::{check_rates, check_sums};
use karat::errors::{Hits, Inspection, ModeCounts};
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::kb::Identity;
use karat::measures::Convention;
use karat::model::Corpus;
use karat::scoring::Scoring;
use proptest::prelude::*;
use serde_json::{Value, json};

pub(crate) const TEXT: &str = "The New York Times of New York it met US-based Jim in Rome";

/// The spans of one to three of the first words, and a few others: so few that mentions meet.
pub(crate) fn spans() -> Vec<(usize, usize)> {
    let starts: Vec<usize> =
        std::iter::once(0).chain(TEXT.match_indices(' ').map(|(at, _)| at + 1)).collect();
    let ends: Vec<usize> = TEXT.match_indices(' ').map(|(at, _)| at).chain([TEXT.len()]).collect();
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (at, &start) in starts.iter().enumerate() {
        spans.extend(ends[at..].iter().take(3).map(|&end| (start, end)));
    }
    spans.truncate(9);
    let last = TEXT.find("Jim").unwrap();
    spans.extend([(last, last + 3), (last, TEXT.len())]);
    // A pronoun, and a part of a word.
    let pronoun = TEXT.find("it").unwrap();
    spans.push((pronoun, pronoun + 2));
    let based = TEXT.find("US-based").unwrap();
    spans.push((based, based + 2));
    spans
}

fn entity() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["Q1", "Q2", "Q3", "<NIL>"])
}

/// A label of its own, or a part of one before it.
fn label()
-> impl Strategy<Value = (prop::sample::Index, &'static str, bool, Option<prop::sample::Index>)> {
    (
        any::<prop::sample::Index>(),
        entity(),
        prop::bool::weighted(0.2),
        prop::option::weighted(0.4, any::<prop::sample::Index>()),
    )
}

fn labels() -> impl Strategy<Value = Vec<Value>> {
    prop::collection::vec(label(), 0..7).prop_map(|drawn| {
        let spans = spans();
        let mut labels: Vec<Value> = Vec::new();
        for (id, (span, entity, optional, parent)) in drawn.into_iter().enumerate() {
            let (start, end) = *span.get(&spans);
            let mut label = json!({"id": id, "span": [start, end], "entity_id": entity, "name": entity, "type": "OTHER"});
            if optional {
                label["optional"] = json!(true);
            }
            if let Some(parent) = parent.filter(|_| id > 0) {
                label["parent"] = json!(parent.index(id));
            }
            labels.push(label);
        }
        labels
    })
}

fn mentions() -> impl Strategy<Value = Vec<Value>> {
    let candidates = prop::collection::vec(entity(), 0..4);
    let mention =
        (any::<prop::sample::Index>(), entity(), candidates).prop_map(|(span, id, candidates)| {
            let spans = spans();
            let (start, end) = *span.get(&spans);
            json!({"span": [start, end], "id": id, "candidates": candidates})
        });
    prop::collection::vec(mention, 0..10)
}

fn article(labels: &[Value], mentions: &[Value]) -> Corpus {
    let links: Vec<Value> = spans().iter().step_by(2).map(|(a, b)| json!([[a, b], "x"])).collect();
    let article = json!({
        "id": 0, "title": "t", "text": TEXT, "labels": labels, "entity_mentions": mentions, "hyperlinks": links,
    });
    let input = Source::memory("a.jsonl", article.to_string()).into();
    karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).unwrap().corpus
}

fn counts(corpus: &Corpus) -> [ModeCounts; 2] {
    let convention = Convention::default();
    let identity = Identity::new();
    let (settings, taxonomy) = (&convention.settings, convention.taxonomy);
    let inspection =
        Inspection { settings, taxonomy, identity: &identity, base: None, watch: None };
    inspection.counts("b", corpus, corpus).modes
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn errors_add_up_to_scores(labels in labels(), mentions in mentions()) {
        let corpus = article(&labels, &mentions);
        let modes = counts(&corpus);
        let scoring = Scoring::named("karat", &["link", "all"]).unwrap();
        let board = scoring.score("b", &corpus, &[Run::new("s", corpus.clone())]);
        for (mode, result) in modes.iter().zip(&board.systems[0].evaluation.results) {
            check_sums(mode, "without a base, as aida");
            check_rates(mode, "any article");
            let Hits { hits, extra, missed } = mode.all();
            let scored = [0, 1, 3].map(|at| result.counts[at] as u64);
            prop_assert_eq!([hits, extra, missed], scored);
        }
    }

    #[test]
    fn no_order_of_predictions_changes_a_count(
        labels in labels(),
        (mentions, shuffled) in mentions().prop_flat_map(|mentions| {
            (Just(mentions.clone()), Just(mentions).prop_shuffle())
        }),
    ) {
        prop_assert_eq!(counts(&article(&labels, &mentions)), counts(&article(&labels, &shuffled)));
    }
}
