//! Counts of parts give what counting everything at once gives.

use karat::counts::{CountsRequest, EvaluationCounts, MergeRequest, Shard};
use karat::error::Error;
use karat::measures::presets::PRESETS;
use karat::request::{Answer, Request};
use karat::scoring::{EvaluationAnswer, EvaluationRequest};
use karat::work::Work;
use proptest::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A mention: where it is, what it links to, how sure that is.
type Mention = (u32, &'static str, u8);

/// A document of both sides; either may not have it.
#[derive(Debug, Clone)]
struct Both {
    gold: Option<Vec<Mention>>,
    systems: [Option<Vec<Mention>>; 2],
}

const LINKS: &[&str] = &["Q1", "Q2", "Q3", "Q4", "NIL", "NIL1", "NIL2"];

fn mentions(repeats: bool) -> impl Strategy<Value = Vec<Mention>> {
    let mention = (0u32..6, proptest::sample::select(LINKS), 0u8..4);
    prop::collection::vec(mention, 1..6).prop_map(move |mut mentions| {
        if !repeats {
            mentions.sort();
            mentions.dedup_by_key(|(place, ..)| *place);
        }
        mentions
    })
}

fn corpora(repeats: bool) -> impl Strategy<Value = Vec<Both>> {
    let side = move || prop::option::weighted(0.85, mentions(repeats));
    let both = (side(), side(), side())
        .prop_map(|(gold, mine, theirs)| Both { gold, systems: [mine, theirs] });
    prop::collection::vec(both, 2..14)
}

fn table<'d>(documents: impl Iterator<Item = (usize, &'d Option<Vec<Mention>>)>) -> String {
    let mut text = String::new();
    for (document, mentions) in documents {
        for (place, link, sure) in mentions.iter().flatten() {
            let (start, end) = (place * 10, place * 10 + 4);
            let sure = f64::from(*sure) / 4.0;
            writeln!(text, "doc{document}\t{start}\t{end}\t{link}\t{sure}\tPER").unwrap();
        }
    }
    text
}

/// Writes these documents as gold and two systems, and asks for their evaluation.
fn request(
    folder: &Path,
    documents: &[(usize, &Both)],
    more: serde_json::Value,
) -> EvaluationRequest {
    std::fs::create_dir_all(folder).unwrap();
    let input = |name: &str, text: String| {
        let path = folder.join(format!("{name}.tsv"));
        std::fs::write(&path, text).unwrap();
        json!({"name": name, "path": path, "describe": {"from": "neleval"}})
    };
    let gold = input("gold", table(documents.iter().map(|(at, both)| (*at, &both.gold))));
    let system = |place: usize, name: &str| {
        input(name, table(documents.iter().map(|(at, both)| (*at, &both.systems[place]))))
    };
    let mut request = json!({
        "inputs": {"gold": [gold], "systems": [system(0, "mine"), system(1, "theirs")]},
        "drawing": {"trials": 40},
        "digests": true,
    });
    let fields = request.as_object_mut().unwrap();
    fields.extend(more.as_object().unwrap().clone());
    serde_json::from_value(request).unwrap()
}

/// Through a file and back.
fn kept(counts: EvaluationCounts) -> EvaluationCounts {
    let mut file = Vec::new();
    counts.write(&mut file).unwrap();
    let read = EvaluationCounts::read("kept", &mut file.as_slice()).unwrap();
    assert_eq!(read, counts);
    let json = serde_json::to_string(&counts).unwrap();
    assert_eq!(serde_json::from_str::<EvaluationCounts>(&json).unwrap(), counts);
    counts
}

fn shards(request: &EvaluationRequest, of: u32) -> Result<Vec<EvaluationCounts>, Error> {
    let shard = |index: u32| {
        let shard = Some(Shard { index, of });
        CountsRequest { evaluation: request.clone(), shard, ..CountsRequest::default() }
            .answer(&Work::default())
    };
    (0..of).map(shard).collect()
}

/// The id of the notice that an error is.
fn refusal<T>(result: Result<T, Error>) -> String {
    match result {
        Ok(_) => panic!("it was not refused"),
        Err(error) => error.notice().id.to_string(),
    }
}

const MEASURES: &[&str] = &[
    "link",
    "link@macro",
    "mention",
    "all",
    "typed-link",
    "b-cubed",
    "cs-b-cubed",
    "mention-ceaf",
    "entity-ceaf",
    "typed-mention-ceaf",
    "muc",
    "lea",
    "blanc",
    "pairwise",
    "nil-clusters",
    "average-precision",
    "brier",
    "calibration-error",
    "risk-coverage",
    "tag",
    "mrr",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shards_of_a_corpus_score_as_the_whole(documents in corpora(true), of in 1u32..5) {
        let folder = tempfile::tempdir().unwrap();
        let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
        let presets = PRESETS.iter().map(|preset| json!({"convention": {"preset": preset.name}}));
        let measures = json!({"measures": MEASURES, "fail_under": ["link.f1=0.5"]});
        for more in presets.chain([measures, json!({"drawing": {"trials": 0}})]) {
            let request = request(folder.path(), &documents, more.clone());
            let whole = match request.answer(&Work::default()) {
                Ok(whole) => whole,
                // What cannot be evaluated at all cannot be counted either.
                Err(_) => continue,
            };
            let parts = match shards(&request, of) {
                Ok(parts) => parts,
                Err(error) => {
                    prop_assert_eq!(error.notice().id.to_string(), "not-in-parts", "{}: {}", more, error);
                    continue;
                }
            };
            let merged = EvaluationCounts::merge(parts.into_iter().rev().map(kept)).unwrap();
            prop_assert_eq!(merged.answer(&Work::default()).unwrap(), whole, "{}", more);
        }
    }

    #[test]
    fn files_of_their_own_score_as_one(documents in corpora(false), of in 1usize..5) {
        let folder = tempfile::tempdir().unwrap();
        let all: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
        let more = json!({"measures": MEASURES});
        let whole = request(folder.path(), &all, more.clone()).answer(&Work::default()).unwrap();
        let part = |index: usize| {
            let part: Vec<(usize, &Both)> =
                all.iter().filter(|(at, _)| at % of == index).copied().collect();
            let evaluation = request(&folder.path().join(index.to_string()), &part, more.clone());
            CountsRequest { evaluation, ..CountsRequest::default() }.answer(&Work::default())
        };
        let parts: Result<Vec<EvaluationCounts>, Error> = (0..of).map(part).collect();
        let merged = parts.and_then(EvaluationCounts::merge).unwrap();
        let merged = merged.answer(&Work::default()).unwrap();
        // Notices of reading, and where it was read from, are those of parts.
        let bare = |answer: EvaluationAnswer| {
            let systems = answer.systems.into_iter();
            let systems = systems.map(|system| karat::scoring::answer::SystemRecord {
                source: String::new(),
                ..system
            });
            EvaluationAnswer { systems: systems.collect(), notices: Vec::new(), ..answer }
        };
        prop_assert_eq!(bare(merged), bare(whole));
    }
}

fn few() -> Vec<Both> {
    let both = |gold: &'static str, system: &'static str| Both {
        gold: Some(vec![(0, gold, 1), (1, "NIL1", 1)]),
        systems: [Some(vec![(0, system, 2), (1, "NIL7", 3)]), None],
    };
    vec![both("Q1", "Q1"), both("Q2", "Q1"), both("Q1", "Q3"), both("Q3", "Q3")]
}

#[test]
fn most_presets_can_be_counted_in_parts() {
    let folder = tempfile::tempdir().unwrap();
    let documents = few();
    let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
    let mut told = BTreeMap::new();
    for preset in PRESETS {
        let more = json!({"convention": {"preset": preset.name}});
        let mut request = request(folder.path(), &documents, more);
        request.inputs.systems.truncate(1);
        let counted = shards(&request, 2).map(|parts| parts.len());
        let counted = counted.map_err(|error| error.to_string());
        told.insert(preset.name, counted.err().unwrap_or_else(|| "yes".to_owned()));
    }
    let oracle = "a threshold that is chosen on the data itself needs all documents at once";
    for (preset, told) in told {
        let expected = if preset == "gerbil" { oracle } else { "yes" };
        assert_eq!(told, expected, "{preset}");
    }
}

#[test]
fn parts_that_do_not_belong_together_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let documents = few();
    let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
    let parts =
        |more: serde_json::Value| shards(&request(folder.path(), &documents, more), 2).unwrap();
    let link = || parts(json!({"measures": ["link", "b-cubed"]}));
    let told = |parts: Vec<EvaluationCounts>| {
        EvaluationCounts::merge(parts).map(|_| ()).unwrap_err().to_string()
    };
    let twice = told([link(), link()].concat());
    assert!(
        twice.starts_with("the document `doc") && twice.ends_with("is in two parts"),
        "{twice}"
    );
    let other =
        parts(json!({"measures": ["link", "b-cubed"], "convention": {"preset": "neleval"}}));
    assert!(
        told(vec![link().remove(0), other[1].clone()]).starts_with("counts of two conventions")
    );
    let other = parts(json!({"measures": ["link", "muc"]}));
    assert_eq!(told(vec![link().remove(0), other[1].clone()]), "counts of different measures");
    assert_eq!(refusal(EvaluationCounts::merge([])), "bad-request");
}

#[test]
fn files_of_counts_are_merged_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let documents = few();
    let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
    let request = request(folder.path(), &documents, json!({"measures": ["link", "b-cubed"]}));
    let whole = request.answer(&Work::default()).unwrap();
    let write = |(at, counts): (usize, EvaluationCounts)| {
        let path = folder.path().join(format!("{at}.counts"));
        counts.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        path.display().to_string()
    };
    let paths: Vec<String> =
        shards(&request, 3).unwrap().into_iter().enumerate().map(write).collect();
    let merge = |parts: &[String], partial: bool| {
        MergeRequest { parts: parts.to_vec(), partial }.answer(&Work::default())
    };
    assert_eq!(merge(&paths, false).unwrap(), whole);
    assert_eq!(merge(&paths[1..], false).unwrap_err().to_string(), "shard 0 of 3 is missing");
    let partial = merge(&paths[1..], true).unwrap();
    assert!(partial.signature.contains("|shards:2/3"), "{}", partial.signature);
    assert!(partial.notices().len() <= whole.notices().len());

    let text = std::fs::read_to_string(&paths[0]).unwrap();
    let damaged = |text: String, message: &str| {
        let path = folder.path().join("damaged.counts");
        std::fs::write(&path, text).unwrap();
        let error = merge(&[path.display().to_string()], true).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    damaged(
        text.replacen("\"karat.counts\":1", "\"karat.counts\":2", 1),
        "counts of version 2: this karat knows 1",
    );
    damaged(String::new(), "it is empty");
    damaged("{}\n".to_owned(), "does not begin with the plan");
    let lines: Vec<&str> = text.lines().collect();
    let rows = &lines[..lines.len() - 1];
    // Rows that were written as a whole file.
    let written = |rows: &[&str]| {
        format!("{}\n{{\"kind\":\"end\",\"rows\":{}}}\n", rows.join("\n"), rows.len() - 1)
    };
    assert_eq!(written(rows), text);
    for cut in 1..lines.len() {
        let message = format!("line {cut}: it is cut off");
        damaged(format!("{}\n", lines[..cut].join("\n")), &message);
    }
    let without_corpus = [&lines[..1], &lines[2..]].concat().join("\n");
    damaged(without_corpus, &format!("rows were written, here are {}", rows.len() - 2));
    damaged(written(&rows[..2]), "ends before all systems");
    let asked = "{\"kind\":\"asked\",\"system\":9,\"purpose\":0,\"items\":1}";
    damaged(format!("{text}{asked}\n"), "a row after the last one");
    damaged(written(&[rows, &[asked]].concat()), "there is no system 9");
    let large = "{\"kind\":\"cell\",\"system\":0,\"purpose\":0,\"gold_key\":null,\"system_key\":\"alone\",\"items\":10000001}";
    damaged(written(&[rows, &[large]].concat()), "10000000 is the limit");
}

#[test]
fn rows_of_other_widths_do_not_shift_columns() {
    let folder = tempfile::tempdir().unwrap();
    let documents = few();
    let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
    let request = request(folder.path(), &documents, json!({"measures": ["link"]}));
    let mut counts = shards(&request, 1).unwrap().remove(0);
    let rows = &mut counts.systems[0].documents;
    let columns = rows[0].counts.len();
    let moved = rows[0].counts.pop().unwrap();
    rows[1].counts.insert(0, moved);
    let message = format!(
        "`{}` of `mine` has {} counts, its measures have {columns}",
        rows[0].document,
        columns - 1
    );
    assert_eq!(counts.answer(&Work::default()).unwrap_err().to_string(), message);
}

#[test]
fn what_needs_the_whole_corpus_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let documents = few();
    let documents: Vec<(usize, &Both)> = documents.iter().enumerate().collect();
    for more in [
        json!({"similarity": true}),
        json!({"curve": true}),
        json!({"group_by": ["type"]}),
        json!({"measures": ["disambiguation"]}),
        json!({"measures": ["sets::kbid"]}),
        json!({"drawing": {"strata": "type"}}),
    ] {
        let request = request(folder.path(), &documents, more.clone());
        assert_eq!(refusal(shards(&request, 1)), "not-in-parts", "{more}");
    }
}
