//! What pages ask beside scores: search, who is right about what, and what another convention changes.

use karat::board::{BoardField, BoardGrouping, BoardRequest, BoardShape, BoardView};
use karat::errors::{AgreementRequest, CasesRequest, ChangedCasesRequest, ContrastRequest};
use karat::inputs::{InputRequest, Inputs, Shelf};
use karat::request::{Answer, Request};
use karat::searching::{SearchAnswer, SearchKind, SearchRequest};
use karat::work::Work;
use serde_json::json;
use std::sync::Arc;

const SYSTEMS: [&str; 3] = ["careful", "popular", "spotter"];

fn work() -> Work {
    let mut shelf = Shelf::default();
    shelf.add(karat::sample::experiment().expect("the sample"), Vec::new());
    Work { shelf: Some(Arc::new(shelf)), ..Work::default() }
}

fn inputs(systems: &[&str]) -> Inputs {
    Inputs {
        gold: vec![InputRequest::held("sample")],
        systems: systems.iter().map(|name| InputRequest::held(name)).collect(),
        ..Inputs::default()
    }
}

fn searched(query: &str, kind: Option<SearchKind>) -> SearchAnswer {
    let benchmarks = vec![inputs(&SYSTEMS)];
    let request = SearchRequest { benchmarks, query: query.to_owned(), kind, ..Default::default() };
    request.answer(&work()).expect("an answer")
}

#[test]
fn everything_is_found_by_what_it_is_called() {
    let france = searched("FRANCE", None);
    let first = &france.entities.items[0];
    assert_eq!((first.entity.as_str(), first.name.as_deref()), ("Q142", Some("France")));
    assert!(first.gold > 0 && first.predicted > 0, "{first:?}");
    // A mention counts once, wherever gold and runs say the entity.
    assert!(france.mentions.total >= first.gold, "{france:?}");
    let paris =
        france.mentions.items.iter().find(|it| it.in_text.mention.as_deref() == Some("Paris"));
    assert_eq!(paris.expect("Paris").runs.len(), 3);
    assert_eq!(searched("wire-t", None).documents.items[0].number, 1);
    assert_eq!(searched("popul", None).systems.items[0].name, "popular");
    // A part of an id is no id.
    assert_eq!(searched("Q14", None).entities.total, 0);
    assert_eq!(searched("q142", None).entities.total, 1);
    assert_eq!(searched("  ", None).sentence(), searched("", None).sentence());
    assert_eq!(
        searched("nobody has this", None).sentence(),
        "Nothing has this in its name or text."
    );
    let only = searched("France", Some(SearchKind::Entities));
    assert!(only.mentions.items.is_empty() && only.entities.total > 0);
    let long = SearchRequest { query: "x".repeat(201), ..SearchRequest::default() };
    assert!(long.answer(&work()).is_err());
}

#[test]
fn outcomes_of_found_mentions_are_those_of_cases() {
    let found = searched("Paris", Some(SearchKind::Mentions));
    assert!(!found.mentions.items.is_empty());
    for system in SYSTEMS {
        let request = CasesRequest {
            inputs: inputs(&[system]),
            filter: "text=Paris".to_owned(),
            ..CasesRequest::default()
        };
        let cases = request.answer(&work()).expect("cases");
        for case in &cases.rows {
            let mention = found.mentions.items.iter().find(|it| {
                (it.document, it.in_text.start, it.in_text.end)
                    == (case.document, case.in_text.start, case.in_text.end)
            });
            let mention = mention.expect("the mention");
            let outcome = mention.runs.iter().find(|it| it.system == system).expect("the run");
            assert_eq!(outcome.outcome.is_right(), case.is_right, "{case:?}");
        }
    }
}

#[test]
fn agreement_counts_what_each_system_gets_right() {
    let ask = |fields: serde_json::Value| {
        let mut request: AgreementRequest = serde_json::from_value(fields).expect("a request");
        request.inputs = inputs(&SYSTEMS);
        request.answer(&work())
    };
    let all = ask(json!({"limit": 500})).expect("an answer");
    assert_eq!(all.right.iter().sum::<usize>(), all.total);
    assert_eq!(all.cases.len(), all.total);
    for (at, system) in SYSTEMS.iter().enumerate() {
        let right = all.cases.iter().filter(|case| case.answers[at].is_right).count();
        let request = CasesRequest {
            inputs: inputs(&[system]),
            // Agreement is about links; NIL that is right is not one.
            filter: "error=\"correct link\"".to_owned(),
            ..CasesRequest::default()
        };
        assert_eq!(right, request.answer(&work()).expect("cases").total, "{system}");
    }
    let none = ask(json!({"right": 0, "limit": 2})).expect("an answer");
    assert_eq!((none.total, none.cases.len()), (all.right[0], 2));
    let next = ask(json!({"right": 0, "limit": 2, "after": none.next})).expect("an answer");
    assert_eq!(next.first, Some(3));
    assert!(next.cases[0].place > none.cases[1].place);
    assert!(all.sentence().starts_with("Of "), "{}", all.sentence());
    assert!(ask(json!({"after": "99.1"})).is_err() && ask(json!({"limit": 0})).is_err());
    let alone = AgreementRequest { inputs: inputs(&["careful"]), ..AgreementRequest::default() };
    assert!(alone.answer(&work()).is_err());
}

#[test]
fn documents_that_differ_are_those_of_the_cases() {
    let request = ContrastRequest {
        inputs: inputs(&["spotter", "popular"]),
        first: "spotter".to_owned(),
        second: "popular".to_owned(),
        ..ContrastRequest::default()
    };
    let contrast = request.answer(&work()).expect("a contrast").contrast;
    let sum = |of: fn(&karat::errors::ContrastDocument) -> usize| -> usize {
        contrast.documents.iter().map(of).sum()
    };
    assert_eq!((sum(|it| it.won), sum(|it| it.lost)), (contrast.won, contrast.lost));
    let ahead: Vec<usize> = contrast.documents.iter().map(|it| it.won.abs_diff(it.lost)).collect();
    assert!(ahead.is_sorted_by(|a, b| a >= b), "{ahead:?}");
    let words = contrast.sentence("spotter", "popular");
    assert!(
        words.starts_with("popular is right about 24 mentions where spotter is not"),
        "{words}"
    );
}

#[test]
fn what_a_convention_changes_is_listed_mention_by_mention() {
    let mut request: ChangedCasesRequest = serde_json::from_value(
        json!({"to": {"preset": "karat", "settings": {"match": "overlap"}}}),
    )
    .expect("a request");
    request.inputs = inputs(&["careful"]);
    let changed = request.answer(&work()).expect("an answer");
    assert_eq!(changed.total, changed.cases.len());
    assert!(changed.cases.iter().all(|case| case.was != case.is));
    let same = ChangedCasesRequest { to: request.from.clone(), ..request.clone() };
    assert_eq!(same.answer(&work()).expect("an answer").total, 0);
    // There and back is the same list.
    let back =
        ChangedCasesRequest { from: request.to.clone(), to: request.from.clone(), ..request };
    assert_eq!(back.answer(&work()).expect("an answer").total, changed.total);
    assert!(!changed.report().signatures.is_empty());
}

#[test]
fn boards_have_columns_for_parts_and_for_errors() {
    let ask = |by: &str, view: BoardView| {
        let by = Some(by.to_owned());
        let benchmarks = vec![inputs(&SYSTEMS)];
        BoardRequest { benchmarks, by, view, ..BoardRequest::default() }.answer(&work())
    };
    let types = ask("type", BoardView::default()).expect("a board");
    let names: Vec<&str> = types.fields.iter().map(BoardField::name).collect();
    assert!(names.starts_with(&["score"]) && names.contains(&"type=PER"), "{names:?}");
    let errors = ask("error", BoardView::default()).expect("a board");
    let cell = errors.cell("careful", "sample").expect("a cell");
    let rate = cell.numbers.iter().find(|(name, _)| name == "error=ner_fn.lowercased");
    let rate = rate.and_then(|(_, rate)| *rate).expect("a rate");
    assert!((rate - 28.0 / 31.0).abs() < 1e-12, "{rate}");
    let grouped = BoardView { group: Some(BoardGrouping::System), ..BoardView::default() };
    let grouped = ask("type", grouped).expect("a board");
    assert_eq!((grouped.shape, grouped.runs.len()), (BoardShape::Rows, 3));
    assert!(ask("no-such-facet", BoardView::default()).is_err());
}
