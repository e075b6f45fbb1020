//! Gold patches on every format, on published gold, and in requests.

use crate::data::{files, folder};
use crate::generate;
use crate::round_trip::written_and_read;
use karat::formats::Input;
use karat::gold::{GoldDiffRequest, GoldLogRequest, GoldRebaseRequest};
use karat::inputs::{InputRequest, PatchedEdition};
use karat::model::{Change, Corpus, Edit, OffsetUnit};
use karat::request::Request;
use karat::verify::patch::{GoldPatch, NoPatch, read};
use proptest::prelude::*;

/// Gold with corrections: some mentions with other links, types or tags, some gone.
fn corrected(corpus: &Corpus, every: usize) -> Corpus {
    let mut number = 0;
    corpus.edit(|mention| {
        number += 1;
        match number % every {
            0 => Edit::Remove,
            1 if mention.entity().is_some() => Edit::Change(Change::entity("Q1")),
            2 => Edit::Change(Change { types: Some(vec!["PER".to_owned()]), ..Change::default() }),
            3 => Edit::Change(Change::tags(["el:Mnt-Full"])),
            _ => Edit::Keep,
        }
    })
}

/// The patch between two corpora makes the second of the first, and its opposite the first of the second, also after it was
/// written and read.
fn obeys(old: &Corpus, new: &Corpus) -> Result<usize, TestCaseError> {
    let patch = match GoldPatch::between(old, new, OffsetUnit::CodePoints) {
        Ok(patch) => patch,
        // A format may have no form for a document without mentions.
        Err(NoPatch::OtherDocuments { .. }) => return Ok(0),
        Err(error) => return Err(TestCaseError::fail(error.to_string())),
    };
    let patch = read(&patch.to_string()).map_err(|problem| TestCaseError::fail(problem.message))?;
    let patched = patch.applied_to(old);
    prop_assert!(
        !patched.judged.iter().any(|it| it.state.is_trouble()),
        "{:?}\n{}",
        patched.judged,
        patch
    );
    let left = GoldPatch::between(&patched.corpus, new, OffsetUnit::CodePoints);
    let left = left.map_err(|error| TestCaseError::fail(error.to_string()))?;
    prop_assert!(left.changes.is_empty(), "{}\nleft: {}", patch, left);
    let back = patch.reverted().applied_to(&patched.corpus);
    prop_assert_eq!(back.annotations(), GoldPatch::default().applied_to(old).annotations());
    Ok(patch.changes.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn gold_of_every_format_can_be_patched(plans in generate::plans(), every in 4usize..9) {
        let old = generate::corpus(&plans, false);
        let new = corrected(&old, every);
        obeys(&old, &new)?;
        for format in karat::registry().formats().filter(|format| format.info().writes.is_some()) {
            let both = (written_and_read(format, &old), written_and_read(format, &new));
            let (Some(old), Some(new)) = both else { continue };
            // A format whose rows are tokens may have made other texts of each.
            let same = |a: &Corpus, b: &Corpus| a.documents().all(|document| {
                b.document(document.name()).is_none_or(|other| other.text() == document.text())
            });
            if same(&old, &new) {
                obeys(&old, &new)?;
            }
        }
    }
}

#[test]
fn published_gold_can_be_patched() {
    let Some(data) = folder("elevant/benchmarks") else { return };
    let mut changes = 0;
    for file in files(&data, ".jsonl") {
        let input = Input::open(&file.display().to_string()).unwrap();
        let gold = karat::registry().read(&input, None, &Default::default()).unwrap().corpus;
        changes += obeys(&gold, &corrected(&gold, 7))
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
    assert!(changes > 1000, "{changes}");
}

#[test]
fn the_name_of_an_edition_parses_back() {
    for text in [
        "aida-testb@9b2c11+spring@4f0c9a",
        "aida-testb@9b2c11+spring@4f0c9a(17/19)",
        "a+b@9b2c11+c@d+e@4f0c9a+more@000000(0/1)",
    ] {
        let edition: PatchedEdition = text.parse().unwrap();
        assert_eq!(edition.to_string(), text);
    }
    for text in
        ["aida-testb", "aida-testb@9b2c11", "a@9b2c11(1/2)+b@4f0c9a", "a@9b2c1+b@4f0c9a", ""]
    {
        assert!(text.parse::<PatchedEdition>().is_err(), "{text}");
    }
}

#[test]
fn requests_name_patches_with_their_gold() {
    let request = r#"{"path": "gold.tsv", "patches": ["spring.goldpatch.jsonl"]}"#;
    let input: InputRequest = serde_json::from_str(request).unwrap();
    assert_eq!(input.patches, ["spring.goldpatch.jsonl"]);
    // A server answers requests about what it holds, and opens no files for them.
    let held = serde_json::json!({
        "request": "evaluation",
        "inputs": {
            "gold": [{"path": "held:sample", "patches": ["/etc/hostname"]}],
            "systems": [{"path": "held:careful"}],
        },
    });
    let mut shelf = karat::inputs::Shelf::default();
    shelf.add(karat::sample::experiment().unwrap(), Vec::new());
    let work = karat::work::Work { shelf: Some(std::sync::Arc::new(shelf)), ..Default::default() };
    let refused =
        karat::request::answer(&held.to_string(), &work).err().map(|error| error.to_string());
    assert_eq!(refused.as_deref(), Some("`held:sample` is held in memory and takes no patches"));
}

/// Nothing that is read is written over, and offsets that count something else are refused by everything that looks at gold.
#[test]
fn patches_are_kept_from_mistakes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(path("old.tsv"), "d1\t0\t5\tQ90\n").unwrap();
    std::fs::write(path("new.tsv"), "d1\t0\t5\tQ142\n").unwrap();
    let work = karat::work::Work::default();
    let input = |name: &str| InputRequest::parse(&path(name));
    let diff = |output: &str| {
        let (old, new) = (input("old.tsv"), input("new.tsv"));
        GoldDiffRequest { old, new, output: path(output), ..Default::default() }.answer(&work)
    };
    for output in ["old.tsv", "new.tsv"] {
        let refused = diff(output).unwrap_err().to_string();
        assert!(refused.contains("is an input and would be written over"), "{refused}");
    }
    diff("p.goldpatch.jsonl").unwrap();
    let written = std::fs::read_to_string(path("p.goldpatch.jsonl")).unwrap();
    let rebase = |output: &str| {
        let (patch, gold) = (path("p.goldpatch.jsonl"), input("old.tsv"));
        GoldRebaseRequest { patch, gold, output: path(output), ..Default::default() }.answer(&work)
    };
    for output in ["old.tsv", "p.goldpatch.jsonl"] {
        assert!(rebase(output).is_err(), "{output}");
    }
    assert_eq!(std::fs::read_to_string(path("p.goldpatch.jsonl")).unwrap(), written);
    assert_eq!(std::fs::read_to_string(path("old.tsv")).unwrap(), "d1\t0\t5\tQ90\n");

    let tokens = written.replacen("\"base\":{", "\"base\":{\"unit\":\"tokens\",", 1);
    std::fs::write(path("tokens.goldpatch.jsonl"), tokens).unwrap();
    let show = GoldLogRequest {
        patches: vec![path("tokens.goldpatch.jsonl")],
        gold: Some(input("old.tsv")),
        ..Default::default()
    };
    let refused = show.answer(&work).unwrap_err().to_string();
    assert!(refused.contains("count tokens"), "{refused}");
}
