//! Gold and systems whose offsets count different things.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

/// A gold standard with text and tokens, and the same answers in tokens and in bytes.
fn contest() -> Folder {
    let gold = "-DOCSTART- (d)\nIn\nNew\tB\tNew York\tNew_York_City\nYork\tI\tNew York\tNew_York_City\n\
                met\nÅsa\tB\tÅsa\tÅsa\n,\nBonn\tB\tBonn\tBonn\n";
    Folder::with(&[
        ("gold.aida.tsv", gold),
        ("tokens.txt", "d\t1\t3\tNew_York_City\t0.5\nd\t4\t5\tÅsa\t0.5\nd\t6\t7\tBonn\t\n"),
        ("neleval.tsv", "d\t1\t2\tNew_York_City\nd\t4\t4\tÅsa\nd\t6\t6\tBonn\n"),
        ("bytes.csv", "doc,start,end,link\nd,3,11,New_York_City\nd,16,20,Åsa\nd,23,27,Bonn\n"),
        ("far.txt", "d\t1\t3\tNew_York_City\t0.5\nd\t40\t41\tÅsa\t0.5\n"),
        ("plain.karat.jsonl", "{\"document\":\"d\",\"text\":\"In New York met Åsa , Bonn\"}\n"),
        ("characters.tsv", "d\t2\t7\tJapan\t1.0\tLOC\nd\t9\t15\tNIL\t1.0\tLOC\n"),
        ("unlinked.tsv", "d\t2\t7\tJapan\t0.5\nd\t9\t15\t\t\n"),
    ])
}

#[test]
fn tokens_and_bytes_are_translated_by_the_text_of_gold() {
    let folder = contest();
    let found = str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
x	mention	3	0	0	1	1	1		
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold.aida@a865c6[..]

"#]];
    for line in [
        "karat eval -g gold.aida.tsv -s x=tokens.txt -m mention --trials 0 --format tsv",
        "karat eval -g gold.aida.tsv -s x=neleval.tsv --unit tokens -m mention --trials 0 --format tsv",
        "karat eval -g gold.aida.tsv -s x=bytes.csv --unit bytes -m mention --trials 0 --format tsv",
        "karat eval -g gold.aida.tsv -s x=tokens.txt --documents gold.aida.tsv -m mention --trials 0 --format tsv",
    ] {
        assert_data_eq!(folder.run(line), found.clone());
    }
    assert_data_eq!(
        folder.run("karat validate tokens.txt --gold gold.aida.tsv"),
        str![[r#"
exit code 0
-- stdout
tokens.txt (cne-release): 1 document, 3 annotations: 3 linked, 0 NIL, 0 without answer
  nothing to complain about

"#]]
    );
}

#[test]
fn texts_and_tokens_come_with_documents() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat convert tokens.txt - --to karat-jsonl --documents gold.aida.tsv"),
        str![[r#"
exit code 0
-- stdout
{"document":"d","text":"In New York met Åsa , Bonn","annotations":[{"span":[3,11],"mention":"New York","link":"New_York_City","confidence":0.5},{"span":[16,19],"mention":"Åsa","link":"Åsa","confidence":0.5},{"span":[22,26],"mention":"Bonn","link":"Bonn"}]}

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert bytes.csv - --to neleval --unit bytes --documents gold.aida.tsv"),
        str![[r#"
exit code 0
-- stdout
d	3	10	New_York_City
d	16	18	Åsa
d	22	25	Bonn
-- stderr
note: `neleval` cannot hold everything; left out:
       1  texts

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert tokens.txt - --to karat-jsonl --documents plain.karat.jsonl"),
        str![[r#"
exit code 2
-- stderr
error: document `d`: its offsets count tokens, but its text has no tokens
 --> tokens.txt
  = help: say with --unit what the offsets count, or give the right texts with --documents
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
}

#[test]
fn what_cannot_be_translated_is_refused() {
    let folder = contest();
    for (line, expected) in [
        (
            "karat eval -g gold.aida.tsv -s x=far.txt -m mention --trials 0",
            str![[r#"
exit code 2
-- stderr
error: document `d`: the mention at 40..41 lies outside its text, which has 7 tokens
 --> far.txt
  = help: say with --unit what the offsets count, or give the right texts with --documents
  = help: --lenient skips such records, counts them and goes on

"#]],
        ),
        (
            "karat eval -g gold.aida.tsv -s x=far.txt -m mention --trials 0 --lenient",
            str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
x       mention   1   0   2  1.000  0.333  0.500

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold.aida@a865c6|lenient:yes
-- stderr
warning: 1 mention left out; the first: far.txt: document `d`: the mention at 40..41 lies outside its text, which has 7 tokens

"#]],
        ),
        (
            "karat eval -g plain.karat.jsonl -s x=tokens.txt -m mention --trials 0",
            str![[r#"
exit code 2
-- stderr
error: document `d`: its offsets count tokens, but its text has no tokens
 --> tokens.txt
  = help: say with --unit what the offsets count, or give the right texts with --documents
  = help: --lenient skips such records, counts them and goes on

"#]],
        ),
        (
            "karat eval -g tokens.txt -s x=gold.aida.tsv -m mention --trials 0",
            str![[r#"
exit code 2
-- stderr
error: the offsets of `tokens` count tokens, those of `gold.aida.tsv` code points of its texts
  = help: give the texts with --documents, with their tokens where offsets count these

"#]],
        ),
        (
            "karat eval -g gold.aida.tsv -s x=tokens.txt -m mention --trials 0 --stream",
            str![[r#"
exit code 2
-- stderr
error: the offsets of the gold standard count code points, those of the system tokens
  = help: leave out --stream, so that they can be translated by the texts

"#]],
        ),
        (
            "karat validate far.txt --gold gold.aida.tsv",
            str![[r#"
exit code 2
-- stderr
error: document `d`: the mention at 40..41 lies outside its text, which has 7 tokens
 --> far.txt
  = help: say with --unit what the offsets count, or give the right texts with --documents

"#]],
        ),
    ] {
        assert_data_eq!(folder.run(line), expected);
    }
}

#[test]
fn characters_are_not_taken_for_tokens_and_a_doubt_is_said() {
    let folder = contest();
    assert_data_eq!(
        folder.run("karat eval -g characters.tsv -s unlinked.tsv -m mention --trials 0"),
        str![[r#"
exit code 0
-- stdout
system    measure  tp  fp  fn      P      R     F1
───────────────────────────────────────────────────
unlinked  mention   2   0   0  1.000  1.000  1.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:characters@d5f8c2

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval -g characters.tsv -s tokens.txt -m mention --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
tokens  mention   0   3   2  0.000  0.000  0.000

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:characters@d5f8c2
-- stderr
warning: `characters` was read as neleval (code points, end inclusive) and `tokens.txt` as cne-release (tokens, end exclusive)
  = help: say --from, or --unit and --end, if that is wrong

"#]]
    );
}

#[test]
fn gold_that_is_a_part_of_itself_is_said() {
    let article = |parents: [&str; 2]| {
        let label = |id: usize, end: u32| {
            let parent = parents[id];
            format!(
                r#"{{"id": {id}, "span": [0, {end}], "entity_id": "Q{id}", "name": "n", "type": "OTHER"{parent}}}"#
            )
        };
        let labels = [label(0, 12), label(1, 5)].join(", ");
        format!(
            r#"{{"id": 7, "title": "t", "text": "Paris Hilton", "evaluation_span": [0, 12], "labels": [{labels}]}}"#
        )
    };
    let folder = Folder::with(&[
        ("ring.jsonl", &article([r#", "parent": 1"#, r#", "parent": 0"#])),
        ("tree.jsonl", &article(["", r#", "parent": 0"#])),
    ]);
    assert_data_eq!(
        folder.run("karat eval -g ring.jsonl -s x=ring.jsonl -m link --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
x	link	0	0	0					
-- stderr
warning: `ring` has 2 mentions that are parts of themselves, directly or through others, and so counted nowhere; the first is 0..12 of `7`
  = help: `karat validate GOLD` lists them
warning: all annotations of `x` are marked as gold, and none as those of a system
  = help: they do not count; `karat convert IN OUT --to neleval` leaves the marks out, so that they are answers
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:ring@e02585

"#]]
    );
    for line in
        ["errors", "eval --preset elevant --format elevant", "compare -s y=GOLD --trials 10"]
    {
        let said = |gold: &str| {
            let line = format!("karat {line} -g GOLD -s x=GOLD").replace("GOLD", gold);
            folder.run(&line).contains("parts of themselves")
        };
        assert!(said("ring.jsonl") && !said("tree.jsonl"), "{line}");
    }
}

#[test]
fn mentions_outside_the_texts_of_gold_are_said() {
    let folder = Folder::with(&[
        (
            "gold.jsonl",
            "{\"document\":\"d\",\"text\":\"Åsa, Bonn\",\"annotations\":[{\"span\":[5,9],\"link\":\"Q1\"}]}\n",
        ),
        ("inside.tsv", "d\t5\t8\tQ1\n"),
        ("outside.tsv", "d\t5\t8\tQ1\nd\t5\t9\tQ1\nd\t70\t90\tQ1\nelsewhere\t70\t90\tQ1\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval -g gold.jsonl -s x=outside.tsv -m link --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
x	link	1	3	0	0.25	1	0.4		
-- stderr
warning: `outside.tsv` has 2 mentions outside the texts of `gold`, the first at 5..10 of `d`
  = help: `karat validate SYSTEM --gold GOLD` lists them
warning: `x` has 1 document that `gold` does not know (`elsewhere`); what it says there counts as wrong
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@1fac51

"#]]
    );
    for line in ["", "--stream -m link"] {
        let said = |system: &str| {
            let line = format!("karat eval -g gold.jsonl -s x={system} --trials 0 {line}");
            folder.run(&line).contains("outside the texts")
        };
        assert!(said("outside.tsv") && !said("inside.tsv"), "{line}");
    }
}

#[test]
fn texts_that_differ_are_said() {
    let annotated = |text: &str| {
        format!(
            "{{\"document\":\"e\",\"text\":\"Rome\"}}\n{{\"document\":\"d\",\"text\":\"{text}\",\
             \"annotations\":[{{\"span\":[0,4],\"link\":\"Q1\"}}]}}\n"
        )
    };
    let folder = Folder::with(&[
        ("gold.jsonl", &annotated("Bonn, Åsa")),
        ("blank.jsonl", &annotated("Bonn, Åsa\\n")),
        ("masked.jsonl", &annotated("Bonn, ***")),
        ("other.jsonl", &annotated("Bonn , Åsa")),
    ]);
    assert_data_eq!(
        folder.run("karat eval -g gold.jsonl -s x=other.jsonl -m link --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
x	link	1	0	0	1	1	1		
-- stderr
warning: `other.jsonl` has other texts than `gold` in 1 of 2 documents, the first from code point 4 of `d` on; what stands there is compared in the wrong places
  = help: `karat validate SYSTEM --gold GOLD` lists them
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@bad483

"#]]
    );
    for line in [
        "karat eval -g gold.jsonl -s SYSTEM --trials 0",
        "karat eval -g gold.jsonl -s SYSTEM --trials 0 -m link --stream",
        "karat compare -g gold.jsonl -s SYSTEM -s y=gold.jsonl --trials 10",
        "karat errors -g gold.jsonl -s SYSTEM",
        "karat collection size -g gold.jsonl -s SYSTEM",
        "karat collection model -g gold.jsonl -s SYSTEM",
    ] {
        let said =
            |system: &str| folder.run(&line.replace("SYSTEM", system)).contains("other texts");
        assert!(said("other.jsonl") && !said("blank.jsonl"), "{line}");
        assert!(!said("masked.jsonl"), "{line}");
    }
}

#[test]
fn texts_come_from_a_plain_table() {
    let folder = Folder::with(&[
        ("run.tsv", "d1\t0\t3\tQ586\n"),
        ("texts.jsonl", "{\"doc\":\"d1\",\"text\":\"Bonn and Rome\"}\n"),
        ("texts.csv", "doc,text\nd1,Bonn and Rome\n"),
    ]);
    for texts in ["texts.jsonl", "texts.csv"] {
        let line = format!("karat convert run.tsv - --to jsonl -q --documents {texts}");
        let said = folder.run(&line);
        assert!(
            said.contains("\"text\":\"Bonn and Rome\"") && said.contains("\"end\":4"),
            "{said}"
        );
    }
}

#[test]
fn one_file_can_be_given_twice_and_read_in_two_units() {
    let folder = contest();
    for order in ["-s a=bytes.csv -s b=bytes.csv", "-s b=bytes.csv -s a=bytes.csv"] {
        let line = format!(
            "karat eval -g gold.aida.tsv {order} --unit a=bytes -m mention.tp --trials 0 --format tsv -q"
        );
        let scored = String::from_utf8(folder.output(&line).stdout).unwrap();
        // Of the offsets in bytes, two are right as code points: before the first letter of two bytes, and with
        // a space behind it.
        assert!(scored.contains("a\t3\t") && scored.contains("b\t2\t"), "{scored}");
    }
}
