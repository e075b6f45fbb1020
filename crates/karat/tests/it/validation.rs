//! Validations as requests and answers.

use karat::inputs::InputRequest;
use karat::request::{Answer, Request};
use karat::validation::{FixRequest, ValidationAnswer, ValidationRequest};
use karat::work::Work;
use std::path::Path;
use tempfile::TempDir;

const GOLD: &str = "{\"document\":\"d1\",\"text\":\"In Bern and Basel\"}\n";

/// A mention with a blank at its end, another with words that are not those of the text.
const RUN: &str = "{\"document\":\"d1\",\"text\":\"In Bern and Basle\",\"annotations\":[\
    {\"span\":[3,8],\"link\":\"Q70\"},{\"span\":[12,17],\"link\":\"Q78\"}]}\n";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

fn path(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).display().to_string()
}

fn request(folder: &TempDir, names: &[&str]) -> ValidationRequest {
    let inputs = names.iter().map(|name| InputRequest::parse(&path(folder, name)));
    ValidationRequest { inputs: inputs.collect(), ..ValidationRequest::default() }
}

fn ids(answer: &ValidationAnswer) -> Vec<&str> {
    answer.notices().iter().map(|notice| notice.id.as_ref()).collect()
}

#[test]
fn requests_and_answers_read_back_equal() {
    let folder = folder(&[("run.karat.jsonl", RUN), ("gold.karat.jsonl", GOLD)]);
    let gold = Some(InputRequest::parse(&path(&folder, "gold.karat.jsonl")));
    let request = ValidationRequest { gold, ..request(&folder, &["run.karat.jsonl", "none.tsv"]) };
    let again = serde_json::to_string(&request).expect("JSON");
    assert_eq!(serde_json::from_str::<ValidationRequest>(&again).expect("a request"), request);
    let answer = request.answer(&Work::default()).expect("an answer");
    assert_eq!(answer.inputs[0].counts.get("white-space"), Some(&1));
    let text = serde_json::to_string(&answer).expect("JSON");
    let again: ValidationAnswer = serde_json::from_str(&text).expect("an answer");
    assert_eq!(again, answer);
    assert_eq!(format!("{:?}", again.table()), format!("{:?}", answer.table()));
}

#[test]
fn what_cannot_be_read_is_no_mere_finding() {
    let folder = folder(&[("bad.tsv", "d1\t0\t5\tQ64\nd1\t0\n"), ("good.tsv", "d1\t0\t5\tQ64\n")]);
    let good = request(&folder, &["good.tsv"]).answer(&Work::default()).expect("an answer");
    assert!(good.passes() && !good.is_unreadable() && good.notices().is_empty());
    let bad = request(&folder, &["bad.tsv"]).answer(&Work::default()).expect("an answer");
    assert!(!bad.passes() && bad.is_unreadable());
    assert_eq!(ids(&bad), ["unreadable-record", "unreadable-records"]);
    assert_eq!(bad.inputs[0].records[0].check, "malformed");
    // The others are checked all the same.
    let some = request(&folder, &["none.tsv", "good.tsv"]).answer(&Work::default());
    let some = some.expect("an answer");
    assert!(some.is_unreadable() && ids(&some) == ["bad-input"]);
    assert_eq!((some.unreadable.len(), some.inputs.len()), (1, 1));
}

#[test]
fn nobody_is_sent_to_the_validation_that_is_running() {
    let folder = folder(&[("run.karat.jsonl", RUN), ("gold.karat.jsonl", GOLD)]);
    let gold = Some(InputRequest::parse(&path(&folder, "gold.karat.jsonl")));
    let request = ValidationRequest { gold, ..request(&folder, &["run.karat.jsonl"]) };
    let answer = request.answer(&Work::default()).expect("an answer");
    assert_eq!(ids(&answer), ["other-texts"]);
    assert_eq!(answer.notices()[0].hint, None);
}

#[test]
fn a_file_is_mended_in_place_and_its_original_kept() {
    let folder = folder(&[("run.karat.jsonl", RUN)]);
    let fix = Some(FixRequest::default());
    let request = ValidationRequest { fix, ..request(&folder, &["run.karat.jsonl"]) };
    let answer = request.answer(&Work::default()).expect("an answer");
    assert_eq!(ids(&answer), ["original-kept", "fixed"]);
    let [fixed] = answer.fixes.as_slice() else { panic!("one file: {:?}", answer.fixes) };
    let original = fixed.original.as_deref().expect("an original");
    assert_eq!((fixed.mended, fixed.left), (1, 0));
    assert_eq!(std::fs::read_to_string(original).expect("the original"), RUN);
    let again = request.answer(&Work::default()).expect("an answer");
    assert!(again.passes() && again.fixes.is_empty(), "{again:?}");
}

#[test]
fn findings_are_there_where_a_fix_is_refused() {
    let table = "docid,start,end,link,note\nd,0,6,Q64,x\nd,0,6,Q64,y\n";
    let folder = folder(&[("t.csv", table)]);
    let fix = Some(FixRequest::default());
    let request = ValidationRequest { fix, ..request(&folder, &["t.csv"]) };
    let work = Work::default();
    let mut validation = request.validate(&work).expect("findings");
    let error = validation.fix(&work).expect_err("a refusal");
    assert!(error.to_string().contains("would lose something"), "{error}");
    assert_eq!(ids(&validation.answer), ["unread-columns", "foreign-columns"]);
    assert!(!validation.answer.inputs[0].findings.is_empty());
    let file = Path::new(&path(&folder, "t.csv")).to_owned();
    assert_eq!(std::fs::read_to_string(file).expect("the file"), table);
}
