//! A second front end prints to the letter what the command prints: nothing is decided in either.
//!
//! The example program `answer` gets requests as JSON. Both programs are built with these tests.

use crate::data::sample_folder;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The folder that programs are built into: tests are in `deps` below it.
pub(crate) fn built() -> PathBuf {
    let test = std::env::current_exe().expect("the path of this test");
    test.parent().and_then(|deps| deps.parent()).expect("a folder above").to_path_buf()
}

pub(crate) struct Printed {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: Option<i32>,
}

pub(crate) fn run(mut command: Command, stdin: &str) -> Printed {
    command.env("NO_COLOR", "1").env_remove("COLUMNS");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("a program that was built");
    child.stdin.take().expect("a pipe").write_all(stdin.as_bytes()).expect("a reader");
    let output = child.wait_with_output().expect("an end");
    Printed {
        stdout: String::from_utf8(output.stdout).expect("text"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        code: output.status.code(),
    }
}

/// Runs the command and the example, in JSON and as a table.
pub(crate) fn same(arguments: &[&str], request: &Value) {
    same_in(&["json", "table", "md", "tsv"], arguments, &["--format"], request);
}

/// The command, where it was built beside these tests.
pub(crate) fn karat() -> Option<PathBuf> {
    let karat = built().join(format!("karat{}", std::env::consts::EXE_SUFFIX));
    if !karat.exists() {
        // Only these tests were built, with `-p karat`.
        println!("skipped: no command beside these tests (build the whole workspace)");
        return None;
    }
    Some(karat)
}

/// The same in these forms, which the command is asked for by `option` and the name of the form.
fn same_in(forms: &[&str], arguments: &[&str], option: &[&str], request: &Value) {
    let Some(karat) = karat() else { return };
    let answer = built().join("examples").join(format!("answer{}", std::env::consts::EXE_SUFFIX));
    for form in forms {
        let mut command = Command::new(&karat);
        command.args(arguments);
        option.iter().for_each(|option| _ = command.args([*option, *form]));
        let by_command = run(command, "");
        let mut example = Command::new(&answer);
        example.arg(form);
        let by_example = run(example, &request.to_string());
        assert_eq!(
            without_colours(&by_example.stdout),
            by_command.stdout,
            "{arguments:?} as {form}\n{}\n{}",
            by_example.stderr,
            by_command.stderr
        );
        assert_eq!(by_example.code, by_command.code, "{arguments:?} as {form}");
        assert!(!by_command.stdout.is_empty(), "{arguments:?} as {form}: {}", by_command.stderr);
    }
}

/// Colours are for terminals, and the command leaves them out elsewhere.
fn without_colours(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    first + &parts.filter_map(|part| Some(part.split_once('m')?.1)).collect::<String>()
}

pub(crate) fn file(name: &str) -> String {
    format!("{}/{name}", sample_folder())
}

/// The sample as arguments.
pub(crate) fn compared() -> Vec<String> {
    let mut arguments = vec!["-g".to_owned(), format!("sample={}", file("gold.karat.jsonl"))];
    for name in ["careful", "popular", "spotter"] {
        let path = file(&format!("systems/{name}.karat.jsonl"));
        arguments.extend(["-s".to_owned(), format!("{name}={path}")]);
    }
    arguments
}

/// The same in a request.
pub(crate) fn inputs() -> Value {
    let system =
        |name: &str| json!({"name": name, "path": file(&format!("systems/{name}.karat.jsonl"))});
    json!({
        "gold": [{"name": "sample", "path": file("gold.karat.jsonl")}],
        "systems": [system("careful"), system("popular"), system("spotter")],
    })
}

fn with_compared(command: &str, more: &[&str], request: &Value) {
    let compared = compared();
    let arguments: Vec<&str> = std::iter::once(command)
        .chain(compared.iter().map(String::as_str))
        .chain(more.iter().copied())
        .collect();
    same(&arguments, request);
}

#[test]
fn evaluations() {
    with_compared(
        "eval",
        &[],
        &json!({"request": "evaluation", "schema": 1, "inputs": inputs(), "digests": true}),
    );
    with_compared(
        "eval",
        &["-m", "link,link.f1@macro,b-cubed", "--group-by", "type", "--fail-under", "link.f1=0.5"],
        &json!({
            "request": "evaluation",
            "inputs": inputs(),
            "measures": ["link", "link.f1@macro", "b-cubed"],
            "group_by": ["type"],
            "fail_under": ["link.f1=0.5"],
            "digests": true,
        }),
    );
    with_compared(
        "eval",
        &["--preset", "gerbil", "--set", "in-kb=every-id"],
        &json!({
            "request": "evaluation",
            "inputs": inputs(),
            "convention": {"preset": "gerbil", "settings": {"in-kb": "every-id"}},
            "digests": true,
        }),
    );
}

#[test]
fn comparisons() {
    with_compared(
        "compare",
        &["-m", "link,mention", "--trials", "500"],
        &json!({
            "request": "comparison",
            "inputs": inputs(),
            "measures": ["link", "mention"],
            "drawing": {"trials": 500},
            "digests": true,
        }),
    );
}

#[test]
fn curves() {
    with_compared(
        "curves",
        &["--group-by", "type"],
        &json!({"request": "curves", "inputs": inputs(), "group_by": "type"}),
    );
}

#[test]
fn errors() {
    let request = |question: Value| json!({"request": "errors", "inputs": inputs(), "question": question, "digests": true});
    with_compared("errors", &[], &request(json!({"count": "error"})));
    with_compared("errors", &["--list"], &request(json!({"list": "error"})));
    with_compared("errors", &["--by", "category"], &request(json!({"count": "category"})));
    with_compared(
        "errors",
        &["--diff", "careful", "popular"],
        &request(json!({"diff": ["careful", "popular"]})),
    );
    with_compared("errors", &["--suspects"], &request(json!({"suspects": {}})));
}

#[test]
fn validations() {
    let gold = file("gold.karat.jsonl");
    let names = ["careful", "popular"].map(|name| file(&format!("systems/{name}.karat.jsonl")));
    let [careful, popular] = names.each_ref().map(String::as_str);
    same(
        &["validate", careful, popular, "--gold", &gold],
        &json!({
            "request": "validation",
            "inputs": [{"path": careful}, {"path": popular}],
            "gold": {"path": gold},
        }),
    );
}

#[test]
fn agreements_of_derived_tags() {
    let gold = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/tagging/gold.karat.jsonl");
    let arguments = ["tag", "--accuracy", gold, "--dimensions", "overlap"];
    let request = json!({"request": "tagging", "input": {"path": gold}, "dimensions": ["overlap"]});
    same(&arguments, &request);
}

#[test]
fn collections() {
    let gold = file("gold.karat.jsonl");
    same(
        &["collection", "stats", "-g", &format!("sample={gold}")],
        &json!({"request": "collection-stats", "gold": [{"name": "sample", "path": gold}]}),
    );
    same(
        &[
            "collection",
            "model",
            "--cells",
            "452,371,357,548,518",
            "--remove",
            "100,5%",
            "--draws",
            "50",
        ],
        &json!({
            "request": "query-model",
            "cells": [452, 371, 357, 548, 518],
            "remove": [100, "5%"],
            "draws": 50,
        }),
    );
    let model = json!({
        "request": "query-model", "inputs": inputs(), "add": ["10%"], "draws": 20, "deviation": 0.01,
    });
    let compared = compared();
    let with = |command: &[&'static str], more: &[&'static str], request: &Value| {
        let compared = compared.iter().map(String::as_str);
        let arguments: Vec<&str> =
            command.iter().copied().chain(compared).chain(more.iter().copied()).collect();
        same(&arguments, request);
    };
    with(
        &["collection", "model"],
        &["--add", "10%", "--draws", "20", "--deviation", "0.01"],
        &model,
    );
    with(
        &["collection", "size"],
        &["--by", "document", "--at", "5,100%", "--orders", "5", "--trials", "50"],
        &json!({
            "request": "collection-size",
            "inputs": inputs(),
            "by": "document",
            "at": [5, "100%"],
            "orders": 5,
            "trials": 50,
        }),
    );
}

/// The command prints the lines of an annotation task, whatever else the answer has.
#[test]
fn samples() {
    let gold = file("gold.karat.jsonl");
    let request = json!({
        "request": "sample", "corpus": {"path": gold}, "by": "document", "number": 2, "strata": "type",
    });
    same_in(
        &["jsonl"],
        &["collection", "sample", "--by", "document", "-n", "2", "--strata", "type", &gold],
        &[],
        &request,
    );
}

#[test]
fn questions_to_a_knowledge_base() {
    let Some(karat) = karat() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let kb = folder.path().join("small.kb").display().to_string();
    let facts =
        |name: &str| format!("{}/../../docs/knowledge-base/{name}", env!("CARGO_MANIFEST_DIR"));
    let mut build = Command::new(&karat);
    build.args(["kb", "build", "-q", &facts("entities.csv"), &facts("counts.csv"), "-o", &kb]);
    let mut index = Command::new(&karat);
    index.args(["kb", "index", "-q", &kb]);
    for command in [build, index] {
        let done = run(command, "");
        assert_eq!(done.code, Some(0), "{}", done.stderr);
    }
    let asked = |command: &[&str], question: Value| {
        let arguments: Vec<&str> =
            ["kb", command[0], &kb].into_iter().chain(command[1..].iter().copied()).collect();
        same(&arguments, &json!({"request": "knowledge", "kb": kb, "question": question}));
    };
    asked(&["info"], json!({"info": {}}));
    asked(
        &["get", "Q64", "Q821244", "--spellings"],
        json!({"entities": {"ids": ["Q64", "Q821244"], "spellings": true}}),
    );
    asked(&["normalise", "Q64", "Q7"], json!({"normalise": {"ids": ["Q64", "Q7"]}}));
    asked(
        &["candidates", "Berlin", "Nowhere"],
        json!({"candidates": {"mentions": ["Berlin", "Nowhere"], "number": 20}}),
    );
    asked(&["search", "Ber"], json!({"search": {"text": "Ber", "number": 10}}));
}

/// Both programs write the same file.
#[test]
fn conversions() {
    let Some(karat) = karat() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let gold = file("gold.karat.jsonl");
    let mut command = Command::new(&karat);
    command.args(["convert", &gold, &path("a.tsv")]);
    assert_eq!(run(command, "").code, Some(0));
    let request =
        json!({"request": "conversion", "input": {"path": gold}, "output": path("b.tsv")});
    let answer = karat::request::answer(&request.to_string(), &Default::default());
    let record = answer.expect("an answer").record();
    let [a, b] =
        ["a.tsv", "b.tsv"].map(|name| std::fs::read_to_string(path(name)).expect("a file"));
    assert_eq!(a, b);
    assert_eq!(record["written"]["annotations"], b.lines().count(), "{record}");
    assert!(record["lost"]["texts"].as_u64() > Some(0), "{record}");
}
