//! JSONL with a list of mentions in each document, as most scripts write it.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = r#"{"id": "d1", "text": "Berlin met Ann in Paris.", "entities": [{"start": 0, "end": 6, "label": "LOC", "link": "Q64"}, {"start": 11, "end": 14, "label": "PER", "link": "NIL"}, {"start": 18, "end": 23, "label": "LOC", "link": "Q90"}]}
{"id": "d2", "text": "Rome.", "entities": []}
"#;

#[test]
fn gold_and_systems_may_call_things_otherwise() {
    let folder = Folder::with(&[
        ("gold.jsonl", GOLD),
        (
            "mine.jsonl",
            "{\"doc_id\": \"d1\", \"mentions\": [{\"begin\": 0, \"stop\": 6, \"qid\": \"Q64\", \"text\": \"Berlin\", \"score\": 0.9}, {\"begin\": 18, \"stop\": 23, \"qid\": \"Q90\", \"text\": \"Paris\"}]}\n{\"doc_id\": \"d2\", \"mentions\": []}\n",
        ),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.jsonl mine.jsonl -m link,nil,mention --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
mine    link      2   0   0  1.000  1.000  1.000
mine    nil       0   0   1      –  0.000  0.000
mine    mention   2   0   1  1.000  0.667  0.800

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b9139d

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.jsonl"),
        str![[r#"
exit code 0
-- stdout
gold.jsonl (nested-jsonl): 2 documents, 3 annotations: 2 linked, 1 NIL, 0 without answer
  nothing to complain about

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert gold.jsonl - --to csv"),
        str![[r#"
exit code 0
-- stdout
doc,start,end,link,nil,type,surface,text
d1,0,6,Q64,,LOC,Berlin,Berlin met Ann in Paris.
d1,11,14,,true,PER,Ann,
d1,18,23,Q90,,LOC,Paris,
d2,,,,,,,Rome.

"#]]
    );
}

#[test]
fn keys_that_are_not_read_are_said_with_the_cure() {
    let folder = Folder::with(&[
        ("gold.jsonl", GOLD),
        (
            "mine.jsonl",
            "{\"id\": \"d1\", \"spans\": [{\"start\": 0, \"end\": 6, \"id\": \"Q64\", \"note\": 1}]}\n",
        ),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.jsonl mine.jsonl -m link --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	0	0	2		0	0		
-- stderr
note: columns `id`, `note` of `mine.jsonl` are not read; say with --columns which column is which, if one of them is meant
warning: no column of `mine.jsonl` is read as `link`, so its mentions are linked to nothing; the nearest is `id`
  = help: is it this one? --columns link=id
warning: `mine` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b9139d

"#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.jsonl mine.jsonl -m link --trials 0 --format tsv --columns mine:link=id"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	1	0	1	1	0.5	0.6666666666666666		
-- stderr
note: column `note` of `mine.jsonl` is not read; say with --columns which column is which, if one of them is meant
warning: `mine` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b9139d|columns:mine=link=id

"#]]
    );
}

#[test]
fn bad_lines_are_located() {
    let folder = Folder::with(&[(
        "bad.jsonl",
        "{\"id\": \"d1\", \"text\": \"Rome\", \"entities\": [{\"start\": 0, \"end\": 4, \"link\": \"Q220\"}, {\"start\": 0, \"end\": 40}]}\n",
    )]);
    assert_data_eq!(
        folder.run("karat convert bad.jsonl - --to neleval"),
        str![[r#"
exit code 2
-- stderr
error: offset 0..40 lies outside the text, which has 4 code points
 --> bad.jsonl:1:84
  |
1 | …ome", "entities": [{"start": 0, "end": 4, "link": "Q220"}, {"start": 0, "end": 40}]}
  |                                                              ^^^^^^^
  |
  = help: offsets were read as code points with exclusive end; say `--unit utf16`, `--unit bytes` or `--end inclusive` if the file counts differently
  = help: --lenient skips such records, counts them and goes on

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert bad.jsonl - --to neleval --lenient"),
        str![[r#"
exit code 0
-- stdout
d1	0	3	Q220
-- stderr
warning: offset 0..40 lies outside the text, which has 4 code points
 --> bad.jsonl:1:84
  |
1 | …ome", "entities": [{"start": 0, "end": 4, "link": "Q220"}, {"start": 0, "end": 40}]}
  |                                                              ^^^^^^^
  |
  = help: offsets were read as code points with exclusive end; say `--unit utf16`, `--unit bytes` or `--end inclusive` if the file counts differently
note: skipped 1 record (1 offset)
note: `neleval` cannot hold everything; left out:
       1  texts

"#]]
    );
}
