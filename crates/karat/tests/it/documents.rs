//! One document with its layers, and the list of all: they say what `karat eval` and `karat errors` say.

use karat::documents::{
    CaseOutcome, DocumentAnswer, DocumentChoice, DocumentRequest, DocumentsAnswer, DocumentsOrder,
    DocumentsRequest, NotCounted, OutcomeCounts,
};
use karat::errors::{ErrorsRequest, FoundErrors};
use karat::formats::{ReadOptions, Source};
use karat::inputs::{Benchmark, Experiment, InputRequest, Inputs, Run, Shelf};
use karat::report::{FORMS, RenderOptions};
use karat::request::{Answer, Request};
use karat::scoring::EvaluationRequest;
use karat::work::Work;
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;

const PRESETS: [&str; 6] = ["karat", "elevant", "elevant-2023", "neleval", "bat", "rosales-2019"];

fn sample() -> Work {
    holding(karat::sample::experiment().expect("the sample"))
}

fn holding(experiment: Experiment) -> Work {
    let mut shelf = Shelf::default();
    shelf.add(experiment, Vec::new());
    Work { shelf: Some(Arc::new(shelf)), ..Work::default() }
}

fn held(benchmark: &str, runs: &[&str]) -> Inputs {
    Inputs {
        gold: vec![InputRequest::held(benchmark)],
        systems: runs.iter().map(|run| InputRequest::held(run)).collect(),
        ..Inputs::default()
    }
}

fn all_runs() -> Inputs {
    held("sample", &["careful", "popular", "spotter"])
}

fn preset(name: &str) -> karat::convention::ConventionRequest {
    serde_json::from_value(json!({"preset": name})).expect("a convention")
}

fn document(number: usize, name: &str) -> DocumentRequest {
    DocumentRequest {
        inputs: all_runs(),
        convention: preset(name),
        document: DocumentChoice::Number(number),
        ..DocumentRequest::default()
    }
}

fn documents_of_sample(name: &str, work: &Work) -> Vec<DocumentAnswer> {
    let asked = (1..=14).map(|number| document(number, name).answer(work));
    asked.collect::<Result<_, _>>().expect("all documents")
}

/// How many mentions `karat errors` has of each kind, by system.
fn kinds(name: &str, work: &Work) -> BTreeMap<String, BTreeMap<String, u64>> {
    let request =
        ErrorsRequest { inputs: all_runs(), convention: preset(name), ..ErrorsRequest::default() };
    let answer = request.answer(work).expect("an answer");
    let FoundErrors::Rows(table) = &answer.found else { panic!("no rows") };
    let mut kinds: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for row in table.json().as_array().expect("rows") {
        let mut counts = row.as_object().expect("an object").clone();
        let system = counts.remove("system").expect("a system");
        let counts =
            counts.into_iter().map(|(kind, count)| (kind, count.as_u64().expect("a count")));
        kinds.insert(system.as_str().expect("a name").to_owned(), counts.collect());
    }
    kinds
}

fn as_kinds(counts: &OutcomeCounts) -> [(&'static str, u64); 7] {
    let names = [
        "correct link",
        "correct nil",
        "wrong-link",
        "link-as-nil",
        "nil-as-link",
        "missing",
        "extra",
    ];
    let mut at = 0;
    names.map(|name| {
        at += 1;
        (name, counts.of(CaseOutcome::COUNTED[at - 1]) as u64)
    })
}

#[test]
fn outcomes_of_all_documents_are_those_of_errors() {
    let work = sample();
    for name in PRESETS {
        let kinds = kinds(name, &work);
        let mut sums: BTreeMap<String, OutcomeCounts> = BTreeMap::new();
        for answer in documents_of_sample(name, &work) {
            for run in &answer.runs {
                *sums.entry(run.name.clone()).or_default() += run.outcomes;
            }
        }
        assert_eq!(sums.len(), 3, "{name}");
        for (system, counts) in &sums {
            for (kind, count) in as_kinds(counts) {
                let told = kinds[system][kind];
                assert_eq!(count, told, "{kind} of {system} under {name}");
            }
        }
    }
}

#[test]
fn scores_of_all_documents_add_up_to_the_evaluation() {
    let work = sample();
    for name in PRESETS {
        let documents = documents_of_sample(name, &work);
        let measure = documents[0].runs[0].measures[0].name.clone();
        let whole = EvaluationRequest {
            inputs: all_runs(),
            convention: preset(name),
            measures: vec![measure],
            ..EvaluationRequest::default()
        };
        let whole = whole.answer(&work).expect("an evaluation");
        for (at, system) in whole.systems.iter().enumerate() {
            for count in ["tp", "fp", "fn"] {
                let of = |answer: &DocumentAnswer| {
                    answer.runs[at].measures[0].count(count).flatten().expect("a count")
                };
                let sum: f64 = documents.iter().map(of).sum();
                let expected = system.measures[0].count(count).flatten().expect("a count");
                // Counts of these measures are whole numbers.
                assert_eq!(sum, expected, "{count} of {} under {name}", system.name);
            }
        }
    }
}

#[test]
fn the_list_says_what_the_documents_say() {
    let work = sample();
    for name in PRESETS {
        let request = DocumentsRequest {
            inputs: all_runs(),
            convention: preset(name),
            ..DocumentsRequest::default()
        };
        let list = request.answer(&work).expect("a list");
        assert_eq!(list.documents.len(), 14);
        for (entry, answer) in list.documents.iter().zip(documents_of_sample(name, &work)) {
            assert_eq!((entry.number, &entry.name), (answer.number, &answer.name));
            assert_eq!(entry.characters, answer.characters.map(|it| it as usize));
            let units = answer.cases.iter().filter(|case| case.gold.is_some()).count();
            assert_eq!(entry.mentions, units, "{name}: {}", entry.name);
            for (listed, shown) in entry.outcomes.iter().zip(&answer.runs) {
                assert_eq!(*listed, shown.outcomes, "{name}: {} of {}", shown.name, entry.name);
            }
        }
    }
}

#[test]
fn every_annotation_is_in_a_case() {
    let work = sample();
    let experiment = karat::sample::experiment().expect("the sample");
    for name in PRESETS {
        for answer in documents_of_sample(name, &work) {
            let gold = experiment.benchmark.corpus.document(&answer.name).expect("a document");
            let roots = gold.mentions().filter(|mention| mention.place().is_none()).count();
            let units = answer.cases.iter().filter(|case| case.gold.is_some()).count();
            assert_eq!(units, roots, "{name}: {}", answer.name);
            for (at, layer) in answer.runs.iter().enumerate() {
                let run = experiment.run(&layer.name).expect("a run");
                let Some(document) = run.corpus.document(&answer.name) else { continue };
                let shown = |span: karat::model::Span| {
                    answer.cases.iter().any(|case| {
                        let said = case.runs[at].prediction.as_ref();
                        said.is_some_and(|said| (said.start, said.end) == (span.start, span.end))
                    })
                };
                for mention in document.mentions() {
                    assert!(shown(mention.span()), "{name}: {} {}", layer.name, mention.span());
                }
            }
        }
    }
}

#[test]
fn cases_are_in_order_and_have_everything_a_reader_sees() {
    let answer = document(1, "karat").answer(&sample()).expect("a document");
    assert_eq!((answer.number, answer.documents, answer.name.as_str()), (1, 14, "wire-talks"));
    assert_eq!(answer.previous, None);
    assert_eq!(answer.next.as_ref().map(|next| next.number), Some(2));
    assert!(answer.text.as_ref().is_some_and(|text| text.starts_with("Geneva, 12 March")));
    assert!(answer.cases.is_sorted_by_key(|case| case.start));
    let numbers: Vec<usize> = answer.cases.iter().map(|case| case.number).collect();
    assert_eq!(numbers, (1..=answer.cases.len()).collect::<Vec<_>>());
    let paris = answer.cases.iter().find(|case| case.surface.as_deref() == Some("Paris"));
    let paris = paris.expect("Paris");
    let gold = paris.gold.as_ref().expect("gold");
    assert_eq!(gold.answer.entity.as_deref(), Some("Q142"));
    assert_eq!((paris.right, paris.of), (1, 3));
    let [careful, popular, _] = paris.runs.as_slice() else { panic!("three runs") };
    assert_eq!(careful.outcome, Some(CaseOutcome::Right));
    assert_eq!(popular.outcome, Some(CaseOutcome::WrongLink));
    let said = popular.prediction.as_ref().expect("a prediction");
    assert_eq!(said.answer.entity.as_deref(), Some("Q90"));
    assert!(said.confidence.is_some());
    assert_eq!((said.candidates.len(), said.right_rank), (2, Some(2)));
}

#[test]
fn what_does_not_count_says_why() {
    let work = sample();
    let mut reasons: BTreeMap<NotCounted, usize> = BTreeMap::new();
    for answer in documents_of_sample("karat", &work) {
        for case in &answer.cases {
            let ignored = case.gold.as_ref().and_then(|gold| gold.ignored);
            reasons.extend(ignored.map(|reason| (reason, 1)));
            for run in &case.runs {
                let is_ignored = run.outcome == Some(CaseOutcome::Ignored);
                assert_eq!(run.ignored.is_some(), is_ignored, "{case:?}");
                reasons.extend(run.ignored.map(|reason| (reason, 1)));
            }
        }
    }
    for reason in [NotCounted::Optional, NotCounted::Descriptive, NotCounted::Literal] {
        assert!(reasons.contains_key(&reason), "{reasons:?}");
    }
    assert!(!reasons.contains_key(&NotCounted::Convention), "{reasons:?}");
}

#[test]
fn readings_and_chains_are_told() {
    let answers = documents_of_sample("karat", &sample());
    let gold = || answers.iter().flat_map(|it| &it.cases).filter_map(|case| case.gold.as_ref());
    assert!(gold().any(|gold| gold.readings.iter().any(|parts| parts.len() > 1)));
    assert!(gold().any(|gold| gold.readings.iter().any(|parts| parts.len() == 1)));
    assert!(gold().any(|gold| gold.refers_back && gold.chain.is_some()));
    for answer in &answers {
        let mut chains: BTreeMap<usize, Vec<Option<&str>>> = BTreeMap::new();
        for gold in answer.cases.iter().filter_map(|case| case.gold.as_ref()) {
            if let Some(chain) = gold.chain {
                chains.entry(chain).or_default().push(gold.answer.entity.as_deref());
            }
        }
        for chain in chains.values() {
            assert!(chain.len() > 1 && chain.iter().all(|entity| entity == &chain[0]));
        }
    }
}

#[test]
fn labels_narrow_cases_down() {
    let request =
        DocumentRequest { filters: vec!["error=wrong-link".to_owned()], ..document(1, "karat") };
    let answer = request.answer(&sample()).expect("a document");
    let listed = || answer.cases.iter().filter(|case| case.listed);
    assert!(listed().count() > 0 && listed().count() < answer.cases.len());
    for case in listed() {
        let wrong = |run: &karat::documents::RunAnswer| run.outcome == Some(CaseOutcome::WrongLink);
        assert!(case.runs.iter().any(wrong), "{case:?}");
    }
}

#[test]
fn documents_are_found_by_name_and_unknown_ones_refused() {
    let work = sample();
    let by_name = DocumentRequest {
        document: DocumentChoice::Name("wire-talks".into()),
        ..document(9, "karat")
    };
    assert_eq!(by_name.answer(&work).expect("a document").number, 1);
    for choice in [DocumentChoice::Name("wire-talk".into()), DocumentChoice::Number(15)] {
        let request = DocumentRequest { document: choice, ..document(1, "karat") };
        let error = request.answer(&work).expect_err("no such document").to_string();
        assert!(error.contains("document"), "{error}");
    }
    let nobody = DocumentRequest { only: vec!["nobody".into()], ..document(1, "karat") };
    assert!(nobody.answer(&work).is_err());
}

#[test]
fn gold_alone_and_documents_that_only_a_run_has_are_shown() {
    let read = |text: &str| {
        let input = Source::memory("a.tsv", text).into();
        karat::registry().read(&input, None, &ReadOptions::default()).expect("tsv").corpus
    };
    let gold = read("d1\t0\t5\tQ64\n");
    let mine = read("d1\t0\t5\tQ64\nd2\t3\t4\tQ1\n");
    let experiment =
        Experiment { benchmark: Benchmark::new("b", gold), runs: vec![Run::new("mine", mine)] };
    let work = holding(experiment);
    let ask = |number: usize, runs: &[&str]| {
        let document = DocumentChoice::Number(number);
        let request =
            DocumentRequest { inputs: held("b", runs), document, ..DocumentRequest::default() };
        request.answer(&work).expect("a document")
    };
    let alone = ask(1, &[]);
    assert_eq!((alone.cases.len(), alone.runs.len(), alone.text), (1, 0, None));
    assert!(alone.cases[0].listed);
    let stray = ask(2, &["mine"]);
    assert_eq!((stray.name.as_str(), stray.in_gold), ("d2", false));
    assert_eq!(stray.runs[0].outcomes.extra, 1);
    assert_eq!(stray.next, None);
}

#[test]
fn requests_and_answers_about_documents_read_back_equal() {
    let work = sample();
    let request = DocumentRequest { only: vec!["popular".into()], ..document(3, "elevant") };
    let text = serde_json::to_string(&request).expect("JSON");
    assert_eq!(serde_json::from_str::<DocumentRequest>(&text).expect("a request"), request);
    for answer in documents_of_sample("karat", &work) {
        let text = serde_json::to_string_pretty(&answer).expect("JSON");
        let again: DocumentAnswer = serde_json::from_str(&text).expect("an answer");
        assert_eq!(again, answer);
        assert_eq!(serde_json::to_string_pretty(&again).expect("JSON"), text);
        for form in FORMS {
            let shown = |it: &DocumentAnswer| it.report().render(*form, &RenderOptions::default());
            assert_eq!(shown(&again).text, shown(&answer).text, "{}", form.name());
        }
    }
    let request = DocumentsRequest { inputs: all_runs(), ..DocumentsRequest::default() };
    let list = request.answer(&work).expect("a list");
    let text = serde_json::to_string(&list).expect("JSON");
    assert_eq!(serde_json::from_str::<DocumentsAnswer>(&text).expect("a list"), list);
    let worst = list.in_order(DocumentsOrder::Errors);
    assert!(worst.is_sorted_by_key(|entry| std::cmp::Reverse(entry.errors())));
    assert_eq!(worst.len(), 14);
}

#[test]
fn a_run_fills_in_masked_text_and_rewrites_nothing() {
    let read = |text: &str| {
        let text = format!(
            r#"{{"id": 1, "title": "t", "text": "{text}", "labels": [{{"id": 0, "span": [0, 6], "entity_id": "Q64", "name": "n", "type": "OTHER"}}], "entity_mentions": []}}"#
        );
        let input = Source::memory("a.jsonl", text).into();
        karat::registry().read(&input, Some("elevant"), &ReadOptions::default()).expect("it").corpus
    };
    let shown = |gold: &str, run: &str| {
        let runs = vec![Run::new("mine", read(run))];
        let work = holding(Experiment { benchmark: Benchmark::new("b", read(gold)), runs });
        let document = DocumentChoice::Number(1);
        let inputs = held("b", &["mine"]);
        let request = DocumentRequest { inputs, document, ..DocumentRequest::default() };
        request.answer(&work).expect("a document").text
    };
    assert_eq!(shown("Berlin ** ***.", "Berlin is big.").as_deref(), Some("Berlin is big."));
    for other in ["berlin is big.", "berlin ** ***.", "Berlin is big. ", "Berlin is"] {
        assert_eq!(shown("Berlin ** ***.", other).as_deref(), Some("Berlin ** ***."), "{other}");
    }
    assert_eq!(shown("Berlin is big.", "berlin is big.").as_deref(), Some("Berlin is big."));
}
