//! Two editions of a gold standard side by side.

use karat::editions::{EditionChangeKind, EditionsRequest};
use karat::request::{Answer, Request};
use karat::work::Work;
use serde_json::json;

#[test]
fn changes_are_found_and_what_they_change() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        json!({"name": name.trim_end_matches(".tsv"), "path": path, "describe": {"from": "neleval"}})
    };
    let row = |doc: &str, start: u32, link: &str| {
        format!("{doc}\t{start}\t{}\t{link}\t1.0\tPER\n", start + 4)
    };
    let old = [
        row("d1", 0, "Q1"),
        row("d1", 10, "Q2"),
        row("d1", 20, "Q3"),
        row("d2", 0, "Q4"),
        row("gone", 0, "Q9"),
    ];
    // One link changed, one gone, one new, one document gone and one new.
    let new = [
        row("d1", 0, "Q1"),
        row("d1", 10, "Q5"),
        row("d2", 0, "Q4"),
        row("d2", 10, "NIL"),
        row("new", 0, "Q8"),
    ];
    // The first is right in the old edition, the second in the new one.
    let first = old.concat();
    let second = new.concat();
    let request = json!({
        "older": {"gold": [file("old.tsv", &old.concat())],
            "systems": [file("first.tsv", &first), file("second.tsv", &second)]},
        "newer": {"gold": [file("new.tsv", &new.concat())]},
    });
    let request: EditionsRequest = serde_json::from_value(request).unwrap();
    let answer = request.answer(&Work::default()).unwrap();
    assert_eq!((answer.added, answer.removed, answer.changed, answer.same), (1, 1, 1, 2));
    assert_eq!(
        (&*answer.added_documents, &*answer.removed_documents),
        (&["new".to_owned()][..], &["gone".to_owned()][..])
    );
    let changed = answer.changes.iter().find(|it| it.kind == EditionChangeKind::Changed).unwrap();
    assert_eq!((changed.old.as_deref(), changed.new.as_deref()), (Some("Q2"), Some("Q5")));
    let place = (changed.document.as_str(), changed.number, changed.in_text.start);
    assert_eq!(place, ("d1", Some(1), 10));
    let kinds: Vec<&str> = answer.changes.iter().map(|it| it.kind.name()).collect();
    assert_eq!(kinds, ["changed", "removed", "added"]);
    let board = answer.board.as_ref().unwrap();
    let score = |system: &str, benchmark: &str| board.cell(system, benchmark).unwrap().value;
    assert_eq!((score("first", "old"), score("second", "new")), (Some(1.0), Some(1.0)));
    assert!(score("first", "new") < Some(1.0) && score("second", "old") < Some(1.0));
    assert_eq!(answer.moved(), Some(2), "{:?}", board.rows);
    assert_eq!(
        answer.sentence(),
        "Annotations in common documents: 1 added, 1 removed, 1 changed, 2 alike. 1 document is new, 1 document is gone. 2 systems change their rank."
    );
    // The record reads back, and a page of the list has the rest.
    let again: karat::editions::EditionsAnswer =
        serde_json::from_value(serde_json::to_value(&answer).unwrap()).unwrap();
    assert_eq!(again, answer);
    assert!(answer.report().rows.is_some());
    let rest = EditionsRequest { after: 2, ..request }.answer(&Work::default()).unwrap();
    assert_eq!((rest.changes.len(), rest.total()), (1, 3));
}

#[test]
fn equal_editions_have_no_changes() {
    let sample = karat::sample::experiment().unwrap();
    let mut shelf = karat::inputs::Shelf::default();
    shelf.add(sample, Vec::new());
    let held = || karat::inputs::Inputs {
        gold: vec![karat::inputs::InputRequest::held("sample")],
        ..Default::default()
    };
    let work = Work { shelf: Some(std::sync::Arc::new(shelf)), ..Work::default() };
    let request = EditionsRequest { older: held(), newer: held(), ..Default::default() };
    let answer = request.answer(&work).unwrap();
    assert_eq!((answer.total(), answer.board.is_none()), (0, true));
    assert!(answer.sentence().starts_with("All "), "{}", answer.sentence());
    let none = EditionsRequest::default().answer(&work);
    assert!(none.is_err());
}
