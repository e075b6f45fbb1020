//! Runs whose counts are kept are counted once, and give the numbers that they give without.

use karat::comparison::ComparisonRequest;
use karat::convention::ConventionRequest;
use karat::counts::{CountsKeeper, CountsRequest, EvaluationCounts};
use karat::inputs::{Benchmark, Experiment, InputRequest, Inputs, Run, Shelf};
use karat::measures::presets::PRESETS;
use karat::request::Request;
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Keeps counts by everything but the names of what was counted, as a store does.
#[derive(Default)]
struct Keeper {
    /// What requests name, by the digests of corpora.
    digests: BTreeMap<String, String>,
    /// Files of counts.
    kept: Mutex<BTreeMap<String, Vec<u8>>>,
}

impl Keeper {
    fn key(&self, request: &CountsRequest) -> String {
        let mut plain = request.clone();
        let inputs = std::mem::take(&mut plain.evaluation.inputs);
        let names = inputs.gold.iter().chain(&inputs.systems).map(|it| &self.digests[&it.path]);
        let names: Vec<&String> = names.collect();
        serde_json::to_string(&(plain, names)).unwrap()
    }

    fn counted(&self) -> usize {
        self.kept.lock().unwrap().len()
    }
}

impl CountsKeeper for Keeper {
    fn kept(&self, request: &CountsRequest) -> Option<EvaluationCounts> {
        let kept = self.kept.lock().unwrap();
        let file = kept.get(&self.key(request))?;
        Some(EvaluationCounts::read("kept", &mut file.as_slice()).unwrap())
    }

    fn keep(&self, request: &CountsRequest, counts: &EvaluationCounts) {
        let mut file = Vec::new();
        counts.write(&mut file).unwrap();
        let before = self.kept.lock().unwrap().insert(self.key(request), file);
        assert_eq!(before, None, "nothing is counted twice");
    }
}

fn works(experiment: &Experiment) -> (Work, Work, Arc<Keeper>) {
    let held = |name: &str| InputRequest::held(name).path;
    let Experiment { benchmark, runs } = experiment;
    let gold = (held(&benchmark.name), benchmark.corpus.digest().to_string());
    let of_run = |run: &Run| (held(&run.name), run.corpus.digest().to_string());
    let digests = std::iter::once(gold).chain(runs.iter().map(of_run)).collect();
    let keeper = Arc::new(Keeper { digests, ..Keeper::default() });
    let mut shelf = Shelf::default();
    shelf.add(experiment.clone(), Vec::new());
    let plain = Work { shelf: Some(Arc::new(shelf)), ..Work::default() };
    let keeping = Work { counts: Some(keeper.clone()), ..plain.clone() };
    (plain, keeping, keeper)
}

fn inputs(experiment: &Experiment, runs: &[&str]) -> Inputs {
    Inputs {
        gold: vec![InputRequest::held(&experiment.benchmark.name)],
        systems: runs.iter().map(|run| InputRequest::held(run)).collect(),
        ..Inputs::default()
    }
}

/// An answer as JSON; what is told of several runs may come in another order.
fn record<R: Request>(request: &R, work: &Work) -> Result<Value, String> {
    let answer = request.answer(work).map_err(|error| error.to_string())?;
    let mut record = serde_json::to_value(&answer).unwrap();
    if let Some(notices) = record["notices"].as_array_mut() {
        notices.sort_by_key(Value::to_string);
    }
    Ok(record)
}

fn same<R: Request>(request: &R, plain: &Work, keeping: &Work, what: &str) {
    let (expected, found) = (record(request, plain), record(request, keeping));
    assert_eq!(expected, found, "{what}");
    // Once more, from what was kept.
    assert_eq!(record(request, keeping), expected, "{what}, again");
}

#[test]
fn scores_and_comparisons_are_those_of_texts() {
    let sample = karat::sample::experiment().unwrap();
    let (plain, keeping, keeper) = works(&sample);
    let all = ["spotter", "careful", "popular"];
    for preset in PRESETS {
        let convention = ConventionRequest { preset: preset.name.to_owned(), ..Default::default() };
        for measures in [&[][..], &["link"], &["link@macro", "mention"], &["disambiguation"]] {
            let measures: Vec<String> = measures.iter().map(|it| (*it).to_owned()).collect();
            let what = format!("{} {measures:?}", preset.name);
            let evaluation = EvaluationRequest {
                inputs: inputs(&sample, &all),
                convention: convention.clone(),
                measures: measures.clone(),
                ..EvaluationRequest::default()
            };
            same(&evaluation, &plain, &keeping, &what);
            let one = EvaluationRequest { inputs: inputs(&sample, &all[1..2]), ..evaluation };
            same(&EvaluationRequest { digests: true, ..one }, &plain, &keeping, &what);
            if measures.is_empty() {
                continue;
            }
            let comparison = ComparisonRequest {
                inputs: inputs(&sample, &all),
                convention: convention.clone(),
                measures,
                ..ComparisonRequest::default()
            };
            same(&comparison, &plain, &keeping, &what);
        }
    }
    assert!(keeper.counted() > 30, "{}", keeper.counted());
}

#[test]
fn one_run_more_is_one_run_counted() {
    let sample = karat::sample::experiment().unwrap();
    let (plain, keeping, keeper) = works(&sample);
    let about = |runs: &[&str]| ComparisonRequest {
        inputs: inputs(&sample, runs),
        ..ComparisonRequest::default()
    };
    same(&about(&["spotter", "careful"]), &plain, &keeping, "two");
    assert_eq!(keeper.counted(), 2);
    same(&about(&["spotter", "careful", "popular"]), &plain, &keeping, "three");
    assert_eq!(keeper.counted(), 3);
    // An evaluation by the same measure has all its counts.
    let evaluation = EvaluationRequest {
        inputs: inputs(&sample, &["careful", "popular"]),
        measures: vec!["link".to_owned()],
        ..EvaluationRequest::default()
    };
    same(&evaluation, &plain, &keeping, "evaluation");
    assert_eq!(keeper.counted(), 3);
    // What counts do not tell is asked of the texts.
    let by_type =
        ComparisonRequest { group_by: vec!["type".to_owned()], ..about(&["careful", "popular"]) };
    same(&by_type, &plain, &keeping, "by type");
    assert_eq!(keeper.counted(), 3);
    let alone = about(&["careful"]);
    assert_eq!(record(&alone, &plain), record(&alone, &keeping));
    assert!(record(&alone, &keeping).is_err());
}

#[test]
fn one_run_that_spells_ids_otherwise_decides_for_all() {
    let read = |text: &str| {
        let input = karat::formats::Source::memory("a.tsv", text.to_owned()).into();
        karat::registry().read(&input, None, &Default::default()).unwrap().corpus
    };
    let ids = |prefix: &str| {
        let rows = (1..9).map(|at| format!("d{at}\t0\t5\t{prefix}Q{}\n", 60 + at));
        rows.collect::<String>()
    };
    let experiment = Experiment {
        benchmark: Benchmark::new("gold", read(&ids(""))),
        runs: vec![
            Run::new("alike", read(&ids(""))),
            Run::new("other", read(&ids("http://www.wikidata.org/entity/"))),
        ],
    };
    let (plain, keeping, keeper) = works(&experiment);
    let request = EvaluationRequest {
        inputs: inputs(&experiment, &["alike", "other"]),
        measures: vec!["link".to_owned()],
        ..EvaluationRequest::default()
    };
    same(&request, &plain, &keeping, "both");
    let answer = request.answer(&keeping).unwrap();
    assert!(answer.systems.iter().all(|it| it.measures[0].score("f1") == Some(Some(1.0))));
    assert_eq!(keeper.counted(), 3, "the first was counted in both ways");
}

#[test]
fn counts_have_the_names_that_are_asked_for() {
    let sample = karat::sample::experiment().unwrap();
    let (_, keeping, _) = works(&sample);
    let request = CountsRequest::of_run(
        "sample",
        "careful",
        &ConventionRequest::default(),
        &["link".to_owned()],
    );
    let counts = request.answer(&keeping).unwrap();
    let mut other = counts.clone();
    let notice = karat::notices::BAD_INPUT.notice("`careful` on `sample`, not careful");
    other.gold.notices.push(notice.about("careful"));
    let other = other.called("gold", "sample");
    assert_eq!((other.plan.benchmark.as_str(), other.plan.systems[0].as_str()), ("gold", "sample"));
    let told = other.gold.notices.last().unwrap();
    assert_eq!(told.message, "`sample` on `gold`, not careful");
    assert_eq!(told.subject.as_deref(), Some("sample"));
    // Counts of another gold standard do not stand beside.
    assert!(EvaluationCounts::beside([counts.clone(), other]).is_err());
    assert!(EvaluationCounts::beside([counts.clone(), counts]).is_ok());
}
