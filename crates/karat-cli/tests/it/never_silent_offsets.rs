//! Offsets and names of documents that are off in several ways at once, and what of it is in the signature.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// Bytes and code points differ from the second word on.
const GOLD: &str = r#"{"document":"a.txt","text":"Åsa met Bo in Zürich, and Örjan saw Bonn.","annotations":[{"span":[0,3],"link":"Q1"},{"span":[8,10],"link":"Q2"},{"span":[14,20],"link":"Q72"},{"span":[26,31],"link":"Q4"},{"span":[36,40],"link":"Q586"}]}
{"document":"b.txt","text":"Ödön left Pécs.","annotations":[{"span":[0,4],"link":"Q5"},{"span":[10,14],"link":"Q6"}]}
"#;

/// Counts bytes from 1, with the last one inside, and calls documents by the names of their files without `.txt`.
const BYTES: &str = "doc,start,end,link\na,1,4,Q1\na,10,11,Q2\na,16,22,Q72\na,29,34,Q4\na,40,43,Q586\nb,1,6,Q5\nb,13,17,Q6\n";

fn with(output: &str) -> Folder {
    Folder::with(&[("gold.karat.jsonl", GOLD), ("mine.csv", output)])
}

#[test]
fn b5_names_and_offsets_that_are_both_off_are_told_together() {
    let folder = with(BYTES);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   7   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@65faf1
-- stderr
warning: no documents of `mine` are called as in `gold`, but 2 have the same name without folders and extensions, such as `a` and `a.txt`
  = help: --documents-by stem lines them up
warning: 7 of 7 mentions would meet the text or gold if the offsets of `mine` counted bytes and `mine` counted from 1, with ends that are the last position inside, and none do as they are
  = help: --unit mine=bytes --end mine=inclusive --shift mine=-1 together read them so
warning: `mine` has 2 documents that `gold` does not know (`a`, `b`); what it says there counts as wrong
warning: `mine` says nothing about 2 of 2 documents; they count as empty
  = help: documents are lined up by name; are these files of the same benchmark?

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval gold.karat.jsonl mine.csv -m link --trials 0 --documents-by stem --unit mine=bytes --end mine=inclusive --shift mine=-1"
        ),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      7   0   0  1.000  1.000  1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@65faf1|documents:by-stem|unit:mine=bytes|end:mine=inclusive|shift:mine=-1

"#]]
    );
}

#[test]
fn b5_offsets_from_one_with_inclusive_ends_are_named() {
    let folder =
        with("doc,start,end,link\na.txt,1,3,Q1\na.txt,9,10,Q2\na.txt,15,20,Q72\nb.txt,1,4,Q5\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   4   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@65faf1
-- stderr
warning: 4 of 4 mentions would meet the text or gold if `mine` counted from 1, with ends that are the last position inside, and none do as they are
  = help: --end mine=inclusive --shift mine=-1 together read them so

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0 --end mine=inclusive --shift mine=-1"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      4   0   3  1.000  0.571  0.727

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@65faf1|end:mine=inclusive|shift:mine=-1

"#]]
    );
}

/// What stands before the first longer character is right as it is, and hides the rest.
#[test]
fn b5_bytes_are_named_where_most_mentions_are_right() {
    let gold = r#"{"document":"d","text":"Bo, Al, Ed, Jo and Cy met Åsa, Ina, Uli and Eva.","annotations":[{"span":[0,2],"link":"Q1"},{"span":[4,6],"link":"Q2"},{"span":[8,10],"link":"Q3"},{"span":[12,14],"link":"Q4"},{"span":[19,21],"link":"Q5"},{"span":[31,34],"link":"Q6"},{"span":[36,39],"link":"Q7"},{"span":[44,47],"link":"Q8"}]}"#;
    let mine = "doc,start,end,link\nd,0,2,Q1\nd,4,6,Q2\nd,8,10,Q3\nd,12,14,Q4\nd,19,21,Q5\nd,32,35,Q6\nd,37,40,Q7\nd,45,48,Q8\n";
    let folder = Folder::with(&[("gold.karat.jsonl", gold), ("mine.csv", mine)]);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      5   3   3  0.625  0.625  0.625

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@f26806
-- stderr
warning: 8 of 8 mentions would meet the text or gold if the offsets of `mine` counted bytes, and only 5 do as they are
  = help: --unit mine=bytes reads them so

"#]]
    );
}

/// The end can be wrong on the side of gold, and a cure must be one.
#[test]
fn b5_ends_of_gold_that_are_inclusive_are_named() {
    let folder = Folder::with(&[
        ("gold.csv", "doc,start,end,link\nd,0,5,Q64\nd,11,13,Q9\nd,18,22,Q90\n"),
        ("mine.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,14,Q9\nd,18,23,Q90\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   3   3  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b3cdde
-- stderr
warning: 3 of 3 mentions would meet the text or gold if the end offsets of `gold` were one larger, and none do as they are
  = help: --end gold=inclusive reads them so

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link --trials 0 --end gold=inclusive"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      3   0   0  1.000  1.000  1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@827f0d|end:gold=inclusive

"#]]
    );
}

/// A run that has its texts is checked as well, by the mentions of gold.
#[test]
fn b5_a_run_with_texts_of_its_own_is_checked() {
    let shifted = r#"{"id":"a.txt","text":"Åsa met Bo in Zürich, and Örjan saw Bonn.","entities":[{"start":1,"end":4,"link":"Q1"},{"start":9,"end":11,"link":"Q2"},{"start":15,"end":21,"link":"Q72"}]}"#;
    let folder = Folder::with(&[("gold.karat.jsonl", GOLD), ("mine.jsonl", shifted)]);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.jsonl -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      0   3   7  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@65faf1
-- stderr
warning: 3 of 3 mentions would meet the text or gold if all offsets of `mine` were 1 smaller, and none do as they are
  = help: --shift mine=-1 moves them
warning: `mine` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
}

/// Words that are checked against the text say what is wrong, and the cure reaches them.
#[test]
fn b5_words_that_stand_elsewhere_are_said_with_the_cure() {
    let mine = |entities: &str| {
        format!("{{\"id\":\"d\",\"text\":\"Bo met Al in Rome.\",\"entities\":[{entities}]}}\n")
    };
    let gold = mine(r#"{"start":0,"end":2,"link":"Q1"},{"start":7,"end":9,"link":"Q2"}"#);
    let from_one = r#"{"start":1,"end":3,"text":"Bo","link":"Q1"},{"start":8,"end":10,"text":"Al","link":"Q2"}"#;
    let inclusive = r#"{"start":0,"end":1,"text":"Bo","link":"Q1"},{"start":7,"end":8,"text":"Al","link":"Q2"}"#;
    let far = r#"{"start":3,"end":7,"text":"Rome","link":"Q1"}"#;
    let folder = Folder::with(&[
        ("gold.jsonl", &gold),
        ("one.jsonl", &mine(from_one)),
        ("inclusive.jsonl", &mine(inclusive)),
        ("far.jsonl", &mine(far)),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.jsonl one.jsonl -m link --trials 0"),
        str![[r#"
exit code 2
-- stderr
error: the mention is “Bo” but the text at 1..3 is “o ”; 2 of 2 mentions do not fit
 --> one.jsonl:1:70
  |
1 | …,"text":"Bo met Al in Rome.","entities":[{"start":1,"end":3,"text":"Bo","link":"Q1"},{"start":8,"end":10,"text":"Al","li…
  |                                                              ^^^^^^
  |
  = help: “Bo” stands at 0, 1 earlier; are the offsets counted from 1? try `--shift -1`
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.jsonl one.jsonl -m link --trials 0 --shift one=-1"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
one     link      2   0   0  1.000  1.000  1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@1ff8df|shift:one=-1

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.jsonl inclusive.jsonl -m link --trials 0"),
        str![[r#"
exit code 2
-- stderr
error: the mention is “Bo” but the text at 0..1 is “B”; 2 of 2 mentions do not fit
 --> inclusive.jsonl:1:70
  |
1 | …,"text":"Bo met Al in Rome.","entities":[{"start":0,"end":1,"text":"Bo","link":"Q1"},{"start":7,"end":8,"text":"Al","lin…
  |                                                              ^^^^^^
  |
  = help: “Bo” ends at 2; is the end offset the last position inside? try `--end inclusive`
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.jsonl far.jsonl -m link --trials 0"),
        str![[r#"
exit code 2
-- stderr
error: the mention is “Rome” but the text at 3..7 is “met ”
 --> far.jsonl:1:70
  |
1 | …,"text":"Bo met Al in Rome.","entities":[{"start":3,"end":7,"text":"Rome","link":"Q1"}]}
  |                                                              ^^^^^^
  |
  = help: “Rome” stands at 13, 10 later; are these the offsets of another text?
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    let cured = folder.run(
        "karat eval gold.jsonl inclusive.jsonl -m link --trials 0 --format tsv --end inclusive=inclusive",
    );
    assert!(cured.contains("inclusive\tlink\t2\t0\t0"), "{cured}");
}

/// A name with two extensions is the one that karat itself gives.
#[test]
fn b5_the_cure_can_be_typed_as_it_is_printed() {
    let folder = with("");
    folder.write(
        "mine.karat.jsonl",
        br#"{"document":"a.txt","annotations":[{"span":[1,4],"link":"Q1"},{"span":[9,11],"link":"Q2"},{"span":[15,21],"link":"Q72"}]}"#,
    );
    let told = folder.run("karat eval gold.karat.jsonl mine.karat.jsonl -m link --trials 0");
    assert!(told.contains("--shift mine=-1 moves them"), "{told}");
    let cured = folder.run(
        "karat eval gold.karat.jsonl mine.karat.jsonl -m link --trials 0 --format tsv --shift mine=-1",
    );
    assert!(cured.contains("mine\tlink\t3\t0\t4"), "{cured}");
}

#[test]
fn what_describes_a_file_is_in_the_signature() {
    let folder = Folder::with(&[
        ("gold.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,14,Q9\n"),
        ("mine.csv", "page,b,e,qid\nd,1,6,Q64\nd,12,14,Q9\n"),
    ]);
    let line = "gold.csv mine.csv --columns mine:doc=page,start=b,end=e --end mine=inclusive --shift mine=-1 --unit code-points --lenient";
    for command in ["eval -m link --trials 0", "errors", "curves --group-by link"] {
        let said = folder.run(&format!("karat {command} {line} --format tsv"));
        let signed = "|columns:mine=doc=page+end=e+start=b|unit:code-points|end:mine=inclusive|shift:mine=-1|lenient:yes";
        assert!(said.contains(signed), "{command}: {said}");
    }
}

#[test]
fn compare_and_errors_have_the_digests_that_eval_has() {
    let folder = Folder::with(&[
        ("gold.csv", "doc,start,end,link\nd,0,6,Q64\ne,11,14,Q9\n"),
        ("a.csv", "doc,start,end,link\nd,0,6,Q64\ne,11,14,Q8\n"),
        ("b.csv", "doc,start,end,link\nd,0,6,Q65\n"),
    ]);
    let json = |command: &str| -> serde_json::Value {
        let output =
            folder.output(&format!("karat {command} gold.csv a.csv b.csv --format json -q"));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let eval = json("eval -m link --trials 0");
    for command in ["compare --trials 1000", "errors", "errors --list"] {
        let answer = json(command);
        let digests = &answer["digests"][0];
        assert_eq!(digests["gold"], eval["gold"]["digest"], "{command}");
        assert_eq!(digests["benchmark"], "gold");
        for (at, name) in ["a", "b"].iter().enumerate() {
            assert_eq!(digests["systems"][at]["name"], *name, "{command}");
            let expected = &eval["systems"][at]["digest"];
            assert!(expected.is_string());
            assert_eq!(digests["systems"][at]["digest"], *expected, "{command}");
        }
    }
}
