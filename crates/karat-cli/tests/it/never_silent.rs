//! Never a wrong number without a word: what was seen, and the setting that cures it.
//!
//! The ways to a wrong number that are known, each with tests by its number, here and in the files beside this one:
//! b1 options that describe another file, b2 ids that never meet, b3 words for NIL, b4 documents and columns that do not
//! meet, b5 offsets that are off, b6 scores over nothing, b7 parents that are not there, b8 equal scores that are not told
//! as equal, b9 spellings that break ties, b10 means without a word on what they are over.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = r#"{"document":"1","attributes":{"title":"Berlin"},"text":"Berlin met Åsa in Paris, and Rome saw Bonn.","annotations":[{"span":[0,6],"link":"Q64"},{"span":[11,14],"link":"Q9"},{"span":[18,23],"link":"Q90"},{"span":[29,33],"link":"Q220"},{"span":[38,42],"link":"Q586"}]}
{"document":"2","attributes":{"title":"Oslo"},"text":"Oslo is not Lima.","annotations":[{"span":[0,4],"link":"Q585"},{"span":[12,16],"link":"Q2868"}]}
"#;

/// A gold standard, and the output of a system.
fn with(name: &str, output: &str) -> Folder {
    Folder::with(&[("gold.karat.jsonl", GOLD), (name, output)])
}

const COLUMNS: &str = "article_id,b,e,qid\n1,0,6,Q64\n1,11,14,Q9\n1,18,23,Q90\n2,0,4,Q585\n";

#[test]
fn b1_options_that_describe_a_file_apply_to_inputs_they_fit() {
    let folder = with("mine.csv", COLUMNS);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns doc=article_id,start=b,end=e,link=qid -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      4   0   3  1.000  0.571  0.727

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|columns:doc=article_id+end=e+link=qid+start=b

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns mine:doc=article_id,start=b,end=e,link=qid -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      4   0   3  1.000  0.571  0.727

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|columns:mine=doc=article_id+end=e+link=qid+start=b

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns theirs:doc=article_id -m link"),
        str![[r#"
exit code 2
-- stderr
error: there is no input `theirs`
  = help: inputs are gold, mine

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns doc=nope,start=b,end=e -m link"),
        str![[r#"
exit code 2
-- stderr
error: no column `nope`; the columns are `article_id`, `b`, `e`, `qid`
 --> mine.csv
  = help: did you mean --columns doc=e?

"#]]
    );
}

#[test]
fn b1_every_kind_of_gold_can_stand_beside_a_table_with_its_own_columns() {
    let folder = with("mine.csv", COLUMNS);
    for (name, format) in [
        ("gold.ttl", "nif"),
        ("gold.tsv", "neleval"),
        ("gold.jsonl", "elevant-benchmark"),
        ("gold.xml", "bioc-xml"),
    ] {
        let converted =
            folder.output(&format!("karat convert gold.karat.jsonl {name} --to {format} -q"));
        if !converted.status.success() {
            continue;
        }
        let line = format!(
            "karat eval {name} mine.csv --columns doc=article_id,start=b,end=e,link=qid -m link.tp --trials 0 --format tsv"
        );
        let said = folder.run(&line);
        assert!(said.contains("mine\t4\t"), "{name}: {said}");
    }
}

/// Two answers are enough, if they are of another kind.
#[test]
fn b2_a_few_ids_of_another_base_are_said() {
    let address = "http://dbpedia.org/resource";
    let table = format!("doc,start,end,link\n1,0,6,{address}/Berlin\n2,0,4,{address}/Oslo\n");
    let folder = with("dbpedia.csv", &table);
    let said = folder.run("karat eval gold.karat.jsonl dbpedia.csv -m link --trials 0");
    let expected = "warning: `dbpedia` and `gold` have no id in common";
    assert!(said.contains(expected) && said.contains("give it with --kb"), "{said}");
    // Two wrong answers of the same kind prove nothing.
    let folder = with("wrong.csv", "doc,start,end,link\n1,0,6,Q1\n2,0,4,Q2\n");
    let said = folder.run("karat eval gold.karat.jsonl wrong.csv -m link --trials 0");
    assert!(!said.contains("no id in common"), "{said}");
}

#[test]
fn b3_links_that_may_mean_nil_are_said() {
    let folder = with("na.csv", "doc,start,end,link\n1,0,6,N/A\n2,0,4,Q585\n");
    let said = folder.run("karat eval gold.karat.jsonl na.csv -m link --trials 0");
    let expected =
        "note: in `na.csv`, `N/A` (once) was read as an entity of this name, and not as NIL";
    assert!(said.contains(expected), "{said}");
}

#[test]
fn b4_documents_that_meet_by_something_else_are_said_with_the_cure() {
    let folder = with("titles.csv", "doc,start,end,link\nBerlin,0,6,Q64\nOslo,0,4,Q585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl titles.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
titles  link      0   2   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: no documents of `titles` are called as in `gold`, but 2 have the same title, such as `Berlin` and `1`
  = help: --documents-by title lines them up
warning: `titles` has 2 documents that `gold` does not know (`Berlin`, `Oslo`); what it says there counts as wrong
warning: `titles` says nothing about 2 of 2 documents; they count as empty
  = help: documents are lined up by name; are these files of the same benchmark?

"#]]
    );
    assert_data_eq!(
        folder
            .run("karat eval gold.karat.jsonl titles.csv -m link --trials 0 --documents-by title"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
titles  link      2   0   5  1.000  0.286  0.444

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|documents:by-title

"#]]
    );
    let folder = with("numbered.csv", "doc,start,end,link\nd1,0,6,Q64\nd2,0,4,Q585\n");
    assert_data_eq!(
        folder.run(
            "karat eval gold.karat.jsonl numbered.csv -m link --trials 0 --documents-by number -q"
        ),
        str![[r#"
exit code 0
-- stdout
system    measure  tp  fp  fn      P      R     F1
───────────────────────────────────────────────────
numbered  link      2   0   5  1.000  0.286  0.444

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|documents:by-number

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl numbered.csv -m link --documents-by tittle"),
        str![[r#"
exit code 2
-- stderr
error: documents cannot be lined up by `tittle`
  = help: they can by name, title, text, number, stem

"#]]
    );
}

#[test]
fn b5_offsets_that_are_shifted_are_named() {
    let folder =
        with("shifted.tsv", "1\t1\t6\tQ64\n1\t12\t14\tQ9\n1\t19\t23\tQ90\n2\t1\t4\tQ585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl shifted.tsv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system   measure  tp  fp  fn      P      R     F1
──────────────────────────────────────────────────
shifted  link      0   4   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: 4 of 4 mentions would meet the text or gold if all offsets of `shifted` were 1 smaller, and none do as they are
  = help: --shift shifted=-1 moves them

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl shifted.tsv -m link --trials 0 --shift shifted=-1"),
        str![[r#"
exit code 0
-- stdout
system   measure  tp  fp  fn      P      R     F1
──────────────────────────────────────────────────
shifted  link      4   0   3  1.000  0.571  0.727

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|shift:shifted=-1

"#]]
    );
}

#[test]
fn b5_offsets_in_another_unit_are_named() {
    let bytes = "doc,start,end,link\n1,11,15,Q9\n1,19,24,Q90\n1,30,34,Q220\n1,39,43,Q586\n2,0,4,Q585\n2,12,16,Q2868\n";
    let folder = with("bytes.csv", bytes);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl bytes.csv -m link --trials 0 --unit system=bytes"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
bytes   link      6   0   1  1.000  0.857  0.923

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|unit:bytes=bytes

"#]]
    );
    let folder =
        with("tokens.csv", "doc,start,end,link\n1,0,1,Q64\n1,2,3,Q9\n1,4,5,Q90\n2,0,1,Q585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl tokens.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
tokens  link      0   4   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: 4 of 4 mentions would meet the text or gold if the offsets of `tokens` counted tokens, and none do as they are
  = help: --unit tokens=tokens reads them so; gold must have the tokens, as AIDA-CoNLL has

"#]]
    );
    let ends = "doc,start,end,link\n1,0,5,Q64\n1,11,13,Q9\n1,18,22,Q90\n2,0,3,Q585\n";
    let folder = with("ends.csv", ends);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl ends.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
ends    link      0   4   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: 4 of 4 mentions would meet the text or gold if the end offsets of `ends` were one larger, and none do as they are
  = help: --end ends=inclusive reads them so

"#]]
    );
}

#[test]
fn b2_ids_that_are_spelled_in_two_ways_are_compared_by_what_they_name() {
    let wikidata = "http://www.wikidata.org/entity/";
    let output = format!(
        "doc,start,end,link\n1,0,6,{wikidata}Q64\n1,11,14,{wikidata}Q9\n2,0,4,{wikidata}Q585\n"
    );
    let folder = with("mine.csv", &output);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      3   0   4  1.000  0.429  0.600

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|spellings:by-name|kb:spellings|gold:gold@eb768f
-- stderr
note: ids are spelled in two ways: `gold` has `Q585` and `mine` has `http://www.wikidata.org/entity/Q585`. They are compared by what they name: 3 of 3 ids meet, 0 as written; --set spellings=as-written compares them as they are

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval gold.karat.jsonl mine.csv -m link --trials 0 --set spellings=as-written"
        ),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   3   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|spellings:as-written|gold:gold@eb768f
-- stderr
warning: no ids of `mine` are in `gold`, but 3 would be if ids were compared otherwise: `gold` has `Q585` and `mine` has `http://www.wikidata.org/entity/Q585`
  = help: --set spellings=by-name compares what known addresses name

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0 --preset neleval"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   3   7  0.000  0.000  0.000

karat:0.1.0|preset:neleval|task:end-to-end|match:exact|assign:sets|threshold:none|gold:gold@eb768f
-- stderr
warning: no ids of `mine` are in `gold`, but 3 would be if ids were compared otherwise: `gold` has `Q585` and `mine` has `http://www.wikidata.org/entity/Q585`
  = help: --set spellings=by-name compares what known addresses name

"#]]
    );
}

#[test]
fn b2_a_stream_says_that_ids_are_spelled_in_two_ways() {
    let wikidata = "http://www.wikidata.org/entity/";
    let output = format!("doc,start,end,link\n1,0,6,{wikidata}Q64\n2,0,4,{wikidata}Q585\n");
    let folder = with("mine.csv", &output);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0 --stream"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   2   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f|stream:yes
-- stderr
warning: ids are spelled in two ways: `gold` has `Q585` and `mine` has `http://www.wikidata.org/entity/Q585`. A stream compares them as they are written
  = help: --set spellings=by-name compares what known addresses name

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0 --stream --set spellings=by-name"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      2   0   5  1.000  0.286  0.444

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|spellings:by-name|kb:spellings|gold:gold@eb768f|stream:yes

"#]]
    );
}

#[test]
fn b2_ids_that_never_meet_are_said_with_an_example_of_each() {
    let folder = with(
        "genes.csv",
        "doc,start,end,link\n1,0,6,Wikidata item:Q64\n2,0,4,Wikidata item:Q585\n",
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl genes.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
genes   link      0   2   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: no ids of `genes` are in `gold`, but 2 would be if ids were compared otherwise: `gold` has `Q585` and `genes` has `Wikidata item:Q585`
  = help: --set ids=local-name compares what follows the last `/`, `#` or `:`

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl genes.csv -m link --trials 0 --set ids=local-name"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
genes   link      2   0   5  1.000  0.286  0.444

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|ids:local-name|kb:local-name|gold:gold@eb768f

"#]]
    );
    let folder = with("other.csv", "doc,start,end,link\n1,0,6,C0001\n1,11,14,C0003\n2,0,4,C0002\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl other.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
other   link      0   3   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@eb768f
-- stderr
warning: `other` and `gold` have no id in common: `gold` has `Q220` and `other` has `C0001`
  = help: are these ids of one knowledge base? `karat kb build` makes a base that knows which ids are one; give it with --kb

"#]]
    );
}

#[test]
fn what_a_stream_skips_is_told_as_elsewhere() {
    let good = "doc,start,end,link\n1,0,6,Q64\n";
    let bad = format!("{good}1,nine,14,Q9\n1,18,23,Q90\n");
    let folder = Folder::with(&[
        ("gold.csv", bad.as_str()),
        ("mine.csv", &format!("{bad}2,4,2,Q585\n")),
        ("theirs.csv", good),
    ]);
    let run = |stream: &str| {
        let line =
            format!("karat eval gold.csv mine.csv theirs.csv --lenient -m link --trials 0{stream}");
        folder.run(&line)
    };
    let streamed = run(" --stream");
    assert_data_eq!(
        &streamed,
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      2   0   0  1.000  1.000  1.000
theirs  link      1   0   1  1.000  0.500  0.667

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@e2b168|lenient:yes|stream:yes
-- stderr
warning: expected a whole number from 0 up, found “nine”
 --> gold.csv:3:3
  |
3 | 1,nine,14,Q9
  |   ^^^^
  |
  = help: docs/formats/tables.md says what stands in each column
note: skipped 1 record (1 malformed)
warning: expected a whole number from 0 up, found “nine”
 --> mine.csv:3:3
  |
3 | 1,nine,14,Q9
  |   ^^^^
  |
  = help: docs/formats/tables.md says what stands in each column
warning: the mention ends at 2, before it starts at 4
 --> mine.csv:5:5
  |
5 | 2,4,2,Q585
  |     ^
  |
  = help: docs/formats/tables.md says what stands in each column
note: skipped 2 records (1 malformed, 1 offset)
warning: `mine` has 1 document that `gold` does not know (`2`); what it says there counts as wrong

"#]]
    );
    assert_eq!(streamed.replace("|stream:yes", ""), run(""));
}

/// Half of the ids are addresses: most of the others meet, and the addresses must not be lost.
#[test]
fn b2_ids_that_are_spelled_in_two_ways_within_one_file_meet() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("gold.tsv", "d\t0\t5\tQ64\nd\t10\t14\tQ90\nd\t20\t24\tQ1\nd\t30\t34\tQ2\n");
    write(
        "mine.tsv",
        "d\t0\t5\tQ64\nd\t10\t14\tQ90\nd\t20\t24\thttp://www.wikidata.org/entity/Q1\nd\t30\t34\tQ2\n",
    );
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_karat"));
        let output = command.args(arguments).current_dir(folder.path()).output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (text(output.stdout), text(output.stderr))
    };
    let scored = [
        "eval", "-g", "gold.tsv", "-s", "mine.tsv", "-m", "link", "--trials", "0", "--format",
        "tsv",
    ];
    let (table, told) = run(&scored);
    assert!(table.contains("mine\tlink\t4\t0\t0\t1\t1\t1"), "{table}");
    assert!(told.contains("ids are spelled in two ways"), "{told}");
    let (table, told) = run(&[&scored[..], &["--set", "spellings=as-written"]].concat());
    assert!(table.contains("mine\tlink\t3\t1\t1"), "{table}");
    assert!(told.contains("would be if ids were compared otherwise"), "{told}");
}

#[test]
fn b2_results_of_elevant_say_that_ids_never_meet_and_compare_them_where_asked() {
    let addresses = "1\t0\t5\thttp://www.wikidata.org/entity/Q64\n1\t18\t22\thttp://www.wikidata.org/entity/Q90\n";
    let folder = with("mine.tsv", addresses);
    let line = "karat eval gold.karat.jsonl mine.tsv --preset elevant --format elevant";
    assert_data_eq!(
        folder.run(line),
        str![[r#"
exit code 0
-- stdout
{"IGNORED":{"mention_types":{"all":{"true_positives":0,[..]
-- stderr
...
warning: no ids of `mine` are in `gold`, but 2 would be if ids were compared otherwise: `gold` has `Q64` and `mine` has `http://www.wikidata.org/entity/Q64`
  = help: --set spellings=by-name compares what known addresses name
...
"#]]
    );
    assert_data_eq!(
        folder.run(&format!("{line} --set spellings=adapt")),
        str![[r#"
exit code 0
-- stdout
{"IGNORED":{"mention_types":{"all":{"true_positives":2,[..]
-- stderr
...
note: ids are spelled in two ways: [..]
...
"#]]
    );
}

#[test]
fn b2_facets_see_ids_as_they_are_compared() {
    let addresses = "1\t0\t5\thttp://www.wikidata.org/entity/Q64\n1\t18\t22\thttp://www.wikidata.org/entity/Q1\n";
    let folder = with("mine.tsv", addresses);
    let line = "karat eval gold.karat.jsonl mine.tsv -m link --trials 0 --format tsv -q --group-by error,relation,category";
    let adapted = folder.output(line);
    let told = folder.output(&format!("{line} --set spellings=by-name"));
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    assert_eq!(text(&adapted.stdout), text(&told.stdout));
    assert!(text(&adapted.stdout).contains("correct link\tlink\t1\t"), "{}", text(&adapted.stdout));
}

#[test]
fn every_known_way_to_a_wrong_number_has_a_test() {
    let tests = [
        include_str!("never_silent.rs"),
        include_str!("never_silent_formats.rs"),
        include_str!("never_silent_offsets.rs"),
        include_str!("equal_scores.rs"),
    ];
    for row in 1..=10 {
        let has_snapshot = |test: &str| test.contains("str![[");
        let name = format!("\nfn b{row}_");
        let found = tests.iter().flat_map(|text| text.split("#[test]"));
        let found = found.filter(|test| test.contains(&name) && has_snapshot(test));
        assert!(found.count() > 0, "b{row}");
    }
}
