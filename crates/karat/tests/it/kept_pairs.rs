//! Pairs of systems are tested once each, and boards leave out tests that could not show anything.

use karat::board::BoardRequest;
use karat::comparison::{ComparisonRequest, PairKeeper, PairKey, TestedPair};
use karat::inputs::{Benchmark, Experiment, InputRequest, Inputs, Run, Shelf};
use karat::request::Request;
use karat::scoring::DrawingRequest;
use karat::work::Work;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Keeps tests as text, as a store does, and counts how many were new.
#[derive(Debug, Default)]
struct Keeper {
    kept: Mutex<HashMap<PairKey, String>>,
    new: Mutex<usize>,
}

impl PairKeeper for Keeper {
    fn kept(&self, keys: &[PairKey]) -> Vec<Option<TestedPair>> {
        let kept = self.kept.lock().unwrap();
        let read = |text: &String| serde_json::from_str(text).unwrap();
        keys.iter().map(|key| kept.get(key).map(read)).collect()
    }

    fn keep(&self, tested: &[(&PairKey, &TestedPair)]) {
        *self.new.lock().unwrap() += tested.len();
        for (key, tested) in tested {
            assert!(!key.test.contains("0x"), "an address is another in the next process");
            let text = serde_json::to_string(tested).unwrap();
            let before = self.kept.lock().unwrap().insert((*key).clone(), text);
            assert_eq!(before, None, "nothing is tested twice");
        }
    }
}

/// Gold of twelve documents of four mentions, and systems that differ in what they find.
fn experiment(systems: usize) -> Experiment {
    let read = |text: String| {
        let input = karat::formats::Source::memory("a.tsv", text).into();
        karat::registry().read(&input, None, &Default::default()).unwrap().corpus
    };
    let rows = |finds: &dyn Fn(usize, usize) -> bool| {
        let mut text = String::new();
        for (document, mention) in (0..12).flat_map(|it| (0..4).map(move |mention| (it, mention))) {
            let entity = if finds(document, mention) { 10 * document + mention + 1 } else { 999 };
            let start = 10 * mention;
            text.push_str(&format!("d{document}\t{start}\t{}\tQ{entity}\n", start + 5));
        }
        read(text)
    };
    let run = |system: usize| {
        let finds = move |document: usize, mention: usize| {
            (7 * document + 3 * mention + system * (document + 1)) % (systems + 3) <= system
        };
        Run::new(format!("s{system}"), rows(&finds))
    };
    Experiment {
        benchmark: Benchmark::new("gold", rows(&|_, _| true)),
        runs: (0..systems).map(run).collect(),
    }
}

fn works(experiment: &Experiment) -> (Work, Work, Arc<Keeper>) {
    let mut shelf = Shelf::default();
    shelf.add(experiment.clone(), Vec::new());
    let plain = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
    let keeper = Arc::new(Keeper::default());
    let keeping = Work { pairs: Some(keeper.clone()), ..plain.clone() };
    (plain, keeping, keeper)
}

fn about(systems: usize) -> Inputs {
    Inputs {
        gold: vec![InputRequest::held("gold")],
        systems: (0..systems).map(|it| InputRequest::held(&format!("s{it}"))).collect(),
        ..Inputs::default()
    }
}

fn compared(systems: usize) -> ComparisonRequest {
    let drawing = DrawingRequest { trials: Some(1000), ..DrawingRequest::default() };
    ComparisonRequest { inputs: about(systems), drawing, ..ComparisonRequest::default() }
}

#[test]
fn one_system_more_is_tested_against_the_others_and_nothing_else() {
    let (plain, keeping, keeper) = works(&experiment(7));
    let mut new = Vec::new();
    for systems in [5, 6, 7, 7] {
        let request = compared(systems);
        let expected = request.answer(&plain).unwrap();
        assert_eq!(request.answer(&keeping).unwrap(), expected, "{systems}");
        new.push(std::mem::take(&mut *keeper.new.lock().unwrap()));
    }
    assert_eq!(new, [10, 5, 6, 0]);
    // Another score, or other trials, are other tests.
    let measures = vec!["link.recall".to_owned()];
    let recall = ComparisonRequest { measures, ..compared(3) };
    assert_eq!(recall.answer(&keeping).unwrap(), recall.answer(&plain).unwrap());
    assert_eq!(*keeper.new.lock().unwrap(), 3);
}

#[test]
fn standings_are_those_of_the_whole_comparison() {
    let (plain, keeping, keeper) = works(&experiment(12));
    for systems in [2, 5, 12] {
        let whole = compared(systems);
        let board = ComparisonRequest { standings_only: true, ..whole.clone() };
        let (mut whole, board) = (whole.answer(&plain).unwrap(), board.answer(&keeping).unwrap());
        let (expected, found) =
            (&mut whole.benchmarks[0].scores[0], &board.benchmarks[0].scores[0]);
        // What is left out is not shown on boards.
        expected.systems.iter_mut().for_each(|standing| standing.strength = None);
        assert_eq!(found.systems, expected.systems, "{systems}");
        assert_eq!(found.groups, expected.groups, "{systems}");
        assert_eq!(found.detectable, expected.detectable, "{systems}");
        if systems < 12 {
            assert_eq!(found.pairs, expected.pairs);
            assert_eq!(board.sentence(), whole.sentence());
        }
    }
    // With 66 pairs and 1,000 trials the smallest p-value is 0.066 after correction, whatever is tested.
    assert_eq!(*keeper.new.lock().unwrap(), 1 + 10 - 1, "of twelve systems nothing was tested");
}

#[test]
fn a_board_of_many_systems_says_why_none_is_shown_to_be_better() {
    let (plain, ..) = works(&experiment(40));
    let request = BoardRequest { benchmarks: vec![about(40)], ..BoardRequest::default() };
    let board = request.answer(&plain).unwrap();
    assert_eq!(
        board.sentence(),
        "No system is shown to be better. With 10000 trials no difference among 780 pairs after correction can be \
         significant; ask for 15600 or more."
    );
    assert!(board.rows.iter().all(|row| row.cells[0].letters == "a" && !row.cells[0].leads));
    assert!(board.rows.iter().all(|row| row.cells[0].rank_ci.is_some()));
}
