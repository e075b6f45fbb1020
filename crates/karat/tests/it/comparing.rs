//! Comparing systems: published verdicts, runs, benchmarks, and documents that only some have.

use crate::data;
use crate::shared_data::read;
use karat::comparison::{Across, Blocks, Comparing, Comparison, remarks};
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::Corpus;
use karat::scoring::Scoring;
use karat::stats::{Bootstrap, Correction};
use proptest::prelude::*;

fn comparing(preset: &str, measures: &[&str]) -> Comparing {
    let scoring = Scoring::named(preset, measures).expect("known measures");
    let bootstrap = Bootstrap { trials: 10_000, ..Bootstrap::default() };
    Comparing { bootstrap, ..Comparing::new(scoring) }
}

/// Compares runs on AIDA testb; nothing if the data is not there.
fn on_aida(gold: &str, systems: &[&str], measures: &[&str]) -> Option<Comparison> {
    let folder = data::folder("aida-testb")?;
    let corpus = |name: &str| read(&folder.join(format!("{name}.tsv"))).corpus;
    let systems: Vec<Run> = systems.iter().map(|name| Run::new(*name, corpus(name))).collect();
    Some(comparing("neleval", measures).compare("testb", &corpus(gold), &systems))
}

/// The p-values of the first pair, one for each score.
fn p_values(comparison: &Comparison) -> Vec<f64> {
    comparison.scores.iter().map(|score| score.pairs[0].p.expect("a test")).collect()
}

#[test]
fn the_verdicts_of_hachey_2014() {
    // neleval.md 3.5: all differences of Tables 1 to 3 have p <= .005 but for TagMe and Schwa by
    // entity tags, .129; 10 000 trials, one-sided, so 4 standard errors are 0.0134.
    let hachey = ["strong_linked_mention_match", "strong_link_match", "entity_match"];
    let Some(found) = on_aida("gold", &["schwa", "tagme_289"], &hachey) else { return };
    let found = p_values(&found);
    assert!(found[..2].iter().all(|&p| p <= 0.005), "{found:?}");
    assert!((found[2] - 0.129).abs() < 0.0134, "{found:?}");
    let linkable = ["schwa-goldmentions.linkable", "aida-goldmentions"];
    let Some(found) = on_aida("gold.linkable", &linkable, &hachey[1..]) else { return };
    assert!(p_values(&found).iter().all(|&p| p <= 0.005), "{:?}", p_values(&found));
}

#[test]
fn documents_meet_by_name_and_not_by_place() {
    // All ways to exchange the 162 documents in which the systems differ, summed in CPython 3 with whole
    // numbers (the joint distribution of exchanged matches and predictions): 0.0196416. neleval.md 2.9 has
    // .025 from 5000 trials of cne, which is 2.4 of its standard errors (.0022) off; neleval itself says
    // .020 to .252, because it lines documents up by place.
    const EXACT: f64 = 0.0196416;
    let systems = ["tagme_289", "tagme_336"];
    let Some(found) = on_aida("gold", &systems, &["strong_link_match"]) else { return };
    let p = p_values(&found)[0];
    let error = |trials: f64| (EXACT * (1.0 - EXACT) / trials).sqrt();
    assert!((p - EXACT).abs() < 4.0 * error(1e4), "{p}");
    assert!((p - 0.025).abs() < 3.0 * error(1e4).hypot(error(5e3)), "{p}");
}

#[test]
fn intervals_are_near_those_of_neleval() {
    // neleval 3.1.1 confidence -m strong_link_match -n 10000 on schwa, as run for this test:
    // F1 95% between 0.596 and 0.683.
    let Some(found) = on_aida("gold", &["schwa", "tagme_289"], &["strong_link_match"]) else {
        return;
    };
    let interval = found.scores[0].systems[0].interval.expect("an interval");
    assert!((interval.low - 0.596).abs() < 0.004, "{interval:?}");
    assert!((interval.high - 0.683).abs() < 0.004, "{interval:?}");
}

/// Documents with one gold mention each, and which of them a system gets right.
fn corpus(documents: u32, right: impl Fn(u32) -> bool) -> Corpus {
    let line = |at: u32| format!("d{at}\t0\t5\tQ{}\n", if right(at) { 1 } else { 2 });
    let text: String = (0..documents).map(line).collect();
    read_text(&text)
}

fn read_text(text: &str) -> Corpus {
    let input = Source::memory("a.tsv", text).into();
    karat::registry().read(&input, Some("neleval"), &ReadOptions::default()).expect("rows").corpus
}

#[test]
fn a_difference_that_the_set_cannot_resolve_is_said_to_be_one() {
    let gold = corpus(40, |_| true);
    let systems = [
        Run::new("a", corpus(40, |at| at % 4 != 0)),
        Run::new("b", corpus(40, |at| at % 4 != 1 && at != 3)),
    ];
    let found = comparing("karat", &["link"]).compare("gold", &gold, &systems);
    let pair = &found.scores[0].pairs[0];
    assert!(!pair.is_significant && pair.is_too_small());
    let said = remarks(&found).join("\n");
    assert!(said.contains("a and b differ by 2.5 points, less than the"), "{said}");
    assert_eq!(found.scores[0].groups, [[0, 1]]);
    // 10 documents only one way, 11 the other: scipy binomtest(10, 21).pvalue is 1.
    let mentions = pair.mentions.expect("mentions");
    assert_eq!((mentions.exact.first_only, mentions.exact.second_only), (11, 10));
    assert!((mentions.exact.two_sided() - 1.0).abs() < 1e-12);
}

#[test]
fn a_clear_difference_is_found_and_corrected_for() {
    let gold = corpus(60, |_| true);
    let system = |name: &str, right: u32| Run::new(name, corpus(60, move |at| at < right));
    let systems = [system("low", 20), system("high", 55), system("same", 54)];
    let mut comparing = comparing("karat", &["link"]);
    let found = comparing.compare("gold", &gold, &systems);
    let score = &found.scores[0];
    assert_eq!(score.systems[1].beats, [0]);
    assert_eq!(score.systems[2].beats, [0]);
    assert_eq!(score.groups, [vec![1, 2], vec![0]]);
    assert_eq!(score.by_score(), [1, 2, 0]);
    let p: Vec<f64> = score.pairs.iter().filter_map(|pair| pair.p).collect();
    let adjusted: Vec<f64> = score.pairs.iter().filter_map(|pair| pair.adjusted).collect();
    assert_eq!(adjusted, Correction::Holm.adjust(&p));
    comparing.correction = Correction::None;
    let plain = comparing.compare("gold", &gold, &systems);
    assert_eq!(plain.scores[0].pairs[0].adjusted, plain.scores[0].pairs[0].p);
}

#[test]
fn runs_of_one_system_score_their_mean() {
    let gold = corpus(50, |_| true);
    let system = |name: &str, right: u32| Run::new(name, corpus(50, move |at| at < right));
    let systems =
        [system("mine", 30), system("mine", 40), system("mine", 35), system("theirs", 35)];
    let found = comparing("karat", &["link"]).compare("gold", &gold, &systems);
    let mine = &found.scores[0].systems[0];
    assert_eq!(found.systems.len(), 2);
    for (run, expected) in mine.runs.iter().zip([0.6, 0.8, 0.7]) {
        assert!((run.expect("a score") - expected).abs() < 1e-12);
    }
    assert!((mine.score.expect("a score") - 0.7).abs() < 1e-12);
    let width = |at: usize| {
        let interval = found.scores[0].systems[at].interval.expect("an interval");
        interval.high - interval.low
    };
    assert!(width(0) > width(1) * 1.05, "runs that differ widen the interval");
    assert!(!found.scores[0].pairs[0].is_significant);
    let signature = found.signature.to_string();
    assert!(signature.contains("test:boot(doc,runs),10000"), "{signature}");
}

#[test]
fn neither_names_nor_order_of_runs_change_a_digit() {
    let gold = corpus(50, |_| true);
    let system = |name: &str, source: &str, step: u32| {
        let source = source.to_owned();
        Run { source, ..Run::new(name, corpus(50, move |at| !at.is_multiple_of(step))) }
    };
    let comparing = comparing("karat", &["link"]);
    let runs = [system("a", "x", 3), system("a", "y", 4), system("b", "z", 5), system("c", "w", 2)];
    let found = comparing.compare("gold", &gold, &runs);
    let turned =
        [system("q", "1", 2), system("p", "2", 4), system("p", "3", 3), system("r", "4", 5)];
    let other = comparing.compare("gold", &gold, &turned);
    let (first, second) = (&found.scores[0].systems[0], &other.scores[0].systems[1]);
    assert_eq!((first.interval, first.ranks), (second.interval, second.ranks));
    let strengths = |of: &Comparison, order: [usize; 3]| {
        order.map(|at| of.scores[0].systems[at].strength.expect("connected"))
    };
    assert_eq!(strengths(&found, [0, 1, 2]), strengths(&other, [1, 2, 0]));
    // Runs stand in the order of their sources.
    assert_eq!(other.systems[1].sources, ["2", "3"]);
    let scores: Vec<f64> = second.runs.iter().flatten().copied().collect();
    assert!(scores.len() == 2 && scores[0] > scores[1], "{scores:?}");
}

/// Mentions that only one of two systems finds, and by how many the first finds more.
fn first_ahead(comparison: &Comparison) -> Vec<(f64, f64)> {
    let of_score = |score: &karat::comparison::ScoreComparison| {
        let mentions = score.pairs[0].mentions?;
        let all = mentions.exact.first_only + mentions.exact.second_only + mentions.concordant;
        let recall = |at: usize| score.systems[at].score.map(|recall| recall * all as f64);
        let ahead = mentions.exact.first_only as f64 - mentions.exact.second_only as f64;
        Some((ahead, recall(0)? - recall(1)?))
    };
    comparison.scores.iter().filter_map(of_score).collect()
}

#[test]
fn mentions_of_a_measure_are_those_that_it_asks_about() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let corpus = |name: &str| read(&folder.join(format!("{name}.tsv"))).corpus;
    let systems = ["schwa-goldmentions", "houlsby"].map(|name| Run::new(name, corpus(name)));
    let measures = ["query.recall", "query-link.recall", "query-nil.recall"];
    let mut comparing = comparing("mertens-2014", &measures);
    comparing.bootstrap.trials = 100;
    let found = first_ahead(&comparing.compare("testb", &corpus("gold"), &systems));
    // The cells of both, as in collections.rs: 3510 and 3788 right links, 340 and 1131 right NIL.
    let ahead: Vec<f64> = found.iter().map(|(ahead, _)| *ahead).collect();
    assert_eq!(ahead, [-1069.0, -278.0, -791.0]);
    // GERBIL looks for a threshold, and mentions below it are not found.
    let systems = ["schwa", "houlsby"].map(|name| Run::new(name, corpus(name)));
    let mut comparing = self::comparing("gerbil", &["mention.recall", "all.recall", "c2kb.recall"]);
    comparing.bootstrap.trials = 100;
    for (ahead, by_recall) in first_ahead(&comparing.compare("testb", &corpus("gold"), &systems)) {
        assert!((ahead - by_recall).abs() < 1e-6, "{ahead} {by_recall}");
    }
}

#[test]
fn a_score_of_few_documents_still_beats_and_is_beaten() {
    let gold = corpus(40, |_| true);
    let sparse = Run::new("sparse", read_text("d0\t0\t5\tQ2\n"));
    let systems = [sparse, Run::new("good", corpus(40, |at| at % 10 != 1))];
    let found = comparing("karat", &["link.precision"]).compare("gold", &gold, &systems);
    let score = &found.scores[0];
    let difference = score.pairs[0].difference.expect("both have a precision");
    assert!((difference.value + 0.9).abs() < 1e-12 && difference.drawn.is_none());
    assert_eq!(score.systems[0].interval, None);
    assert!(score.systems[1].interval.is_some());
    assert!(score.systems[1].ranks.is_some_and(|ranks| ranks.interval == Some([1, 1])));
    let said = remarks(&found).join("\n");
    assert!(said.contains("link.precision: sparse has none in "), "{said}");
    assert!(said.contains("too few documents decide it for an interval"), "{said}");
}

#[test]
fn so_few_documents_that_nothing_can_be_found_are_said_to_be() {
    let gold = corpus(4, |_| true);
    let systems = [Run::new("a", corpus(4, |_| true)), Run::new("b", corpus(4, |at| at == 0))];
    let found = comparing("karat", &["link"]).compare("gold", &gold, &systems);
    assert_eq!(found.scores[0].detectable, None);
    let said = remarks(&found).join("\n");
    assert!(said.contains("Exchanging 4 documents gives no p below 0.12: too few"), "{said}");
    // Seven documents are enough for three pairs: 3 * 2 / 2^7 is below 0.05.
    let three = |correction| {
        let gold = corpus(7, |_| true);
        let system = |name: &str, right: u32| Run::new(name, corpus(7, move |at| at < right));
        let systems = [system("a", 6), system("b", 4), system("c", 1)];
        let comparing = Comparing { correction, ..comparing("karat", &["link"]) };
        remarks(&comparing.compare("gold", &gold, &systems)).join("\n")
    };
    let said = three(Correction::Holm);
    assert!(!said.contains("too few"), "{said}");
    assert!(said.contains("on the 7 documents of gold after correction, median of"), "{said}");
    let said = three(Correction::None);
    assert!(said.contains("on the 7 documents of gold, median of all pairs."), "{said}");
}

#[test]
fn a_direction_that_was_not_said_before_is_no_evidence() {
    // 12 documents only one way, 5 the other: exactly, one-sided 0.0717, scipy binomtest(12, 17).
    let gold = corpus(60, |_| true);
    let systems = [
        Run::new("a", corpus(60, |at| !(12..17).contains(&at))),
        Run::new("b", corpus(60, |at| at >= 12)),
    ];
    let mut comparing = comparing("neleval", &["link.recall"]);
    comparing.power.alpha = 0.1;
    let found = comparing.compare("gold", &gold, &systems);
    let pair = &found.scores[0].pairs[0];
    let p = pair.p.expect("a test");
    assert!((p - 0.0717).abs() < 0.0103, "{p}");
    assert_eq!(pair.adjusted, Some(2.0 * p));
    assert!(!pair.is_significant && found.scores[0].systems[0].beats.is_empty());
    let said = remarks(&found).join("\n");
    assert!(said.contains("p is one-sided"), "{said}");
}

#[test]
fn ranks_over_benchmarks() {
    let gold = corpus(30, |_| true);
    let system = |name: &str, right: u32| Run::new(name, corpus(30, move |at| at < right));
    let comparing = comparing("karat", &["link"]);
    let comparisons: Vec<Comparison> = [[25, 20, 10], [28, 20, 12], [22, 23, 11], [24, 20, 9]]
        .iter()
        .map(|right| {
            let systems = [("a", right[0]), ("b", right[1]), ("c", right[2])];
            let systems: Vec<Run> =
                systems.iter().map(|(name, right)| system(name, *right)).collect();
            comparing.compare("benchmark", &gold, &systems)
        })
        .collect();
    let across = Across::of(&comparisons).remove(0).expect("ranks");
    assert_eq!(across.blocks, Blocks::Benchmarks);
    assert_eq!(across.friedman.average_ranks, [1.25, 1.75, 3.0]);
    // scipy 1.17.1: friedmanchisquare([25, 28, 22, 24], [20, 20, 23, 20], [10, 12, 11, 9])
    // has statistic 6.5 and pvalue 0.0387742.
    assert!((across.friedman.chi_squared - 6.5).abs() < 1e-9);
    assert!((across.friedman.p - 0.038_774_2).abs() < 1e-6);
    let over_documents = Across::of(&comparisons[..1]).remove(0).expect("ranks");
    assert_eq!(over_documents.blocks, Blocks::Documents);
}

#[test]
fn a_document_that_only_one_system_has_counts_for_it_alone() {
    let gold = corpus(20, |_| true);
    let more = corpus(25, |_| true);
    let systems = [Run::new("same", corpus(20, |_| true)), Run::new("more", more)];
    let found = comparing("karat", &["link"]).compare("gold", &gold, &systems);
    assert_eq!(found.systems[1].unknown_documents, ["d20", "d21", "d22", "d23", "d24"]);
    let scores: Vec<_> = found.scores[0].systems.iter().map(|standing| standing.score).collect();
    assert_eq!(scores[0], Some(1.0));
    assert!((scores[1].expect("a score") - 40.0 / 45.0).abs() < 1e-12);
}

#[test]
fn measures_of_the_whole_corpus_are_left_out_and_named() {
    let gold = corpus(5, |_| true);
    let systems = [Run::new("a", corpus(5, |_| true)), Run::new("b", corpus(5, |_| false))];
    let found = comparing("karat", &["link", "b-cubed"]).compare("gold", &gold, &systems);
    assert_eq!((found.scores.len(), found.left_out.as_slice()), (1, &["b-cubed".to_owned()][..]));
}

#[test]
fn the_signature_of_a_comparison_parses_back() {
    let gold = corpus(5, |_| true);
    let systems = [Run::new("a", corpus(5, |_| true)), Run::new("b", corpus(5, |_| false))];
    let comparing = comparing("neleval", &["link"]);
    let signature = comparing.compare("gold", &gold, &systems).signature.to_string();
    let parsed: karat::measures::Signature = signature.parse().expect("a signature");
    assert_eq!(parsed.convention(), Ok(comparing.scoring.convention));
}

#[test]
fn a_pair_does_not_depend_on_the_others() {
    let gold = corpus(40, |_| true);
    let system = |name: &str, right: u32| Run::new(name, corpus(40, move |at| at < right));
    let comparing = Comparing { correction: Correction::None, ..comparing("karat", &["link"]) };
    let two = comparing.compare("gold", &gold, &[system("a", 30), system("b", 20)]);
    // The third says nothing about most documents, and the order is another.
    let silent = Run::new("c", corpus(3, |_| true));
    let three = comparing.compare("gold", &gold, &[silent, system("b", 20), system("a", 30)]);
    let (pair, turned) = (&two.scores[0].pairs[0], &three.scores[0].pairs[2]);
    assert_eq!(pair.p, turned.p);
    assert_eq!(pair.detectable, turned.detectable);
    let documents = (turned.documents.losses, turned.documents.ties, turned.documents.wins);
    assert_eq!((pair.documents.wins, pair.documents.ties, pair.documents.losses), documents);
    let value = |pair: &karat::comparison::Pair| pair.difference.map(|found| found.value);
    assert_eq!(value(pair), value(turned).map(|value| -value));
}

/// Rows of document, place and entity, in the order of the documents or in reverse.
fn rows(rows: &[(u8, u8, u8)], reversed: bool) -> Corpus {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    if reversed {
        rows.reverse();
    }
    let line = |(document, place, entity): &(u8, u8, u8)| {
        format!("d{document}\t{}\t{}\tQ{entity}\n", place * 10, place * 10 + 5)
    };
    read_text(&rows.iter().map(line).collect::<String>())
}

/// Mentions with a link or NIL and a confidence.
fn answers(rows: &[(u8, u8, u8)]) -> Corpus {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    rows.dedup_by_key(|row| (row.0, row.1));
    let line = |(document, place, entity): &(u8, u8, u8)| {
        let link = if *entity == 0 { "NIL".to_owned() } else { format!("Q{entity}") };
        let score = f64::from(place % 3) / 4.0;
        format!("d{document}\t{}\t{}\t{link}\t{score}\tT\n", place * 10, place * 10 + 5)
    };
    read_text(&rows.iter().map(line).collect::<String>())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn mentions_that_only_one_finds_are_what_recall_differs_by(
        gold in prop::collection::vec((0..6u8, 0..6u8, 0..3u8), 1..40),
        first in prop::collection::vec((0..6u8, 0..6u8, 0..3u8), 1..40),
        second in prop::collection::vec((0..6u8, 0..6u8, 0..3u8), 1..40),
    ) {
        let systems = || [Run::new("a", answers(&first)), Run::new("b", answers(&second))];
        let queries: &[&str] = &["query.recall", "query-link.recall", "query-nil.recall"];
        let links: &[&str] = &["mention.recall", "link.recall", "nil.recall", "all.recall"];
        for (preset, measures) in [("mertens-2014", queries), ("karat", links), ("neleval", links), ("gerbil", links)] {
            let mut comparing = comparing(preset, measures);
            comparing.bootstrap.trials = 10;
            let found = comparing.compare("gold", &answers(&gold), &systems());
            for (ahead, by_recall) in first_ahead(&found) {
                prop_assert!((ahead - by_recall).abs() < 1e-6, "{}: {} {}", preset, ahead, by_recall);
            }
        }
    }

    #[test]
    fn neither_order_of_documents_nor_threads_change_a_digit(
        gold in prop::collection::vec((0..9u8, 0..6u8, 0..3u8), 1..60),
        system in prop::collection::vec((0..9u8, 0..6u8, 0..3u8), 1..60),
    ) {
        let run = |threads: usize, reversed: bool| {
            let mut comparing = comparing("karat", &["link", "mention.recall", "tag.f1@macro"]);
            comparing.bootstrap.trials = 50;
            comparing.scoring.threads = threads;
            let systems = [
                Run::new("a", rows(&system, reversed)),
                Run::new("b", rows(&gold, reversed)),
            ];
            let found = comparing.compare("gold", &rows(&gold, reversed), &systems);
            format!("{:?}", found.scores)
        };
        let first = run(1, false);
        prop_assert_eq!(&first, &run(2, false));
        prop_assert_eq!(&first, &run(1, true));
    }
}
