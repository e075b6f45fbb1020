//! Ranks over benchmarks and clusters, and what few runs and few documents can say.

use karat::comparison::{Across, Blocks, Comparing, Comparison, remarks};
use karat::facets::{FacetContext, facet};
use karat::formats::{ReadOptions, Source};
use karat::inputs::Run;
use karat::model::Corpus;
use karat::scoring::{Resampling, Scoring};
use karat::stats::{Bootstrap, Friedman};

fn comparing(preset: &str) -> Comparing {
    let scoring = Scoring::named(preset, &["link"]).expect("a known measure");
    let bootstrap = Bootstrap { trials: 999, ..Bootstrap::default() };
    Comparing { bootstrap, ..Comparing::new(scoring) }
}

/// Documents with one mention each, and which of them are right.
fn corpus(documents: u32, right: impl Fn(u32) -> bool) -> Corpus {
    let line = |at: u32| format!("d{at}\t0\t5\tQ{}\n", if right(at) { 1 } else { 2 });
    read("neleval", &(0..documents).map(line).collect::<String>())
}

fn read(format: &str, text: &str) -> Corpus {
    let input = Source::memory("a", text).into();
    karat::registry().read(&input, Some(format), &ReadOptions::default()).expect("rows").corpus
}

fn three_benchmarks(comparing: &Comparing) -> Vec<Comparison> {
    let gold = corpus(30, |_| true);
    let compare = |[a, b]: [u32; 2]| {
        let system = |name: &str, right: u32| Run::new(name, corpus(30, move |at| at < right));
        comparing.compare("benchmark", &gold, &[system("a", a), system("b", b)])
    };
    [[25, 20], [28, 21], [27, 20]].map(compare).to_vec()
}

#[test]
fn all_benchmarks_together_are_no_further_benchmark() {
    let mut comparisons = three_benchmarks(&comparing("karat"));
    let alone = Across::of(&comparisons).remove(0).expect("ranks");
    let union = Comparison { unified: true, ..comparisons[0].clone() };
    comparisons.push(union);
    let beside = Across::of(&comparisons).remove(0).expect("ranks");
    assert_eq!(beside.friedman.benchmarks, 3);
    assert_eq!(beside.critical_difference, alone.critical_difference);
    assert_eq!(beside.replicated, alone.replicated);
}

#[test]
fn what_is_replicated_does_not_depend_on_the_sides_of_p() {
    // Five documents in one direction: p is 1/32 one-sided and 1/16 two-sided, so that no benchmark shows
    // a difference at 0.05, whatever a preset calls p.
    let gold = corpus(30, |_| true);
    for preset in ["karat", "neleval"] {
        let comparing = comparing(preset);
        let systems =
            || [Run::new("a", corpus(30, |_| true)), Run::new("b", corpus(30, |at| at >= 5))];
        let comparisons = vec![comparing.compare("x", &gold, &systems()); 2];
        let across = Across::of(&comparisons).remove(0).expect("ranks");
        assert_eq!(across.replicated, [(0, 1, 0)], "{preset}");
    }
}

#[test]
fn where_clusters_are_drawn_systems_are_ranked_on_clusters() {
    // Three topics of four documents; in each the counts of its documents are summed.
    let document = |at: u32, entity: &str| {
        format!(
            "{{\"document\":\"d{at}\",\"text\":\"Ann Lee\",\"attributes\":{{\"topic\":\"t{}\"}},\
             \"annotations\":[{{\"span\":[0,3],\"link\":\"{entity}\"}}]}}\n",
            at / 4
        )
    };
    let corpus = |right: &dyn Fn(u32) -> bool| {
        let documents = (0..12).map(|at| document(at, if right(at) { "Q1" } else { "Q2" }));
        read("karat-jsonl", &documents.collect::<String>())
    };
    let gold = corpus(&|_| true);
    let systems =
        [Run::new("a", corpus(&|at| at % 4 != 0)), Run::new("b", corpus(&|at| at % 4 == 0))];
    let mut comparing = comparing("karat");
    comparing.scoring.resampling =
        Resampling::Clusters(facet("topic", &FacetContext::default()).expect("a facet"));
    let across =
        Across::of(&[comparing.compare("gold", &gold, &systems)]).remove(0).expect("ranks");
    assert_eq!((across.blocks, across.friedman.benchmarks), (Blocks::Clusters, 3));
    let expected = Friedman::new(&[vec![0.75, 0.25], vec![0.75, 0.25], vec![0.75, 0.25]]);
    assert_eq!(across.friedman.average_ranks, expected.expect("ranks").average_ranks);
}

#[test]
fn few_runs_do_not_say_what_scores_cannot_be() {
    let gold = corpus(20, |_| true);
    let system = |name: &str, right: u32| Run::new(name, corpus(20, move |at| at < right));
    let systems = [system("mine", 4), system("mine", 18), system("theirs", 9)];
    let found = comparing("karat").compare("gold", &gold, &systems);
    let pair = &found.scores[0].pairs[0];
    let drawn = pair.difference.and_then(|found| found.drawn).expect("draws");
    let interval = drawn.interval.expect("an interval");
    assert!((-1.0..=1.0).contains(&interval.low), "{interval:?}");
    assert!((-1.0..=1.0).contains(&interval.high), "{interval:?}");
    assert!(pair.is_out_of_reach && pair.detectable.is_none());
    assert_eq!(found.scores[0].detectable, None);
    let said = remarks(&found).join("\n");
    assert!(
        said.contains("even the largest possible difference between mine and theirs"),
        "{said}"
    );
}

#[test]
fn documents_that_gold_does_not_have_are_not_its_documents() {
    let gold = corpus(40, |_| true);
    let systems =
        [Run::new("a", corpus(41, |at| at % 3 == 0)), Run::new("b", corpus(40, |at| at % 3 == 1))];
    let said = remarks(&comparing("karat").compare("gold", &gold, &systems)).join("\n");
    assert!(said.contains("on the 40 documents of gold and 1 that only systems have"), "{said}");
}
