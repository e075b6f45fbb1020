//! Files that are read in a way their author may not have meant: karat says how.

use crate::folder::Folder;
use snapbox::{assert_data_eq, str};

const GOLD: &str = "doc,start,end,link\nd,0,6,Q64\nd,11,15,Q586\nd,20,25,NIL\n";

#[test]
fn b3_words_for_nil_in_a_table_are_no_entity() {
    let folder = Folder::with(&[
        ("gold.csv", GOLD),
        ("mine.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,15,NULL\nd,20,25,NULL\nd,30,33,nan\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link,nil --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	1	0	1	1	0.5	0.6666666666666666		
mine	nil	1	2	0	0.3333333333333333	1	0.5		
-- stderr
note: in `mine.csv`, `NULL` (2 times), `nan` (once) were read as NIL
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b0003a

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert mine.csv - --to neleval"),
        str![[r#"
exit code 0
-- stdout
d	0	5	Q64
d	11	14	NIL
d	20	24	NIL
d	30	32	NIL
-- stderr
note: in `mine.csv`, `NULL` (2 times), `nan` (once) were read as NIL

"#]]
    );
    // Quiet is without remarks.
    assert_data_eq!(
        folder.run("karat convert mine.csv - --to neleval --quiet"),
        str![[r#"
exit code 0
-- stdout
d	0	5	Q64
d	11	14	NIL
d	20	24	NIL
d	30	32	NIL

"#]]
    );
}

#[test]
fn b3_every_word_in_every_kind_of_file() {
    let words =
        ["NIL", "<NIL>", "--NME--", "None", "null", "nan", "NaN", "-", "NULL", "Wikidata:NULL"];
    let folder = Folder::new();
    let rows = |line: &dyn Fn(usize, &str) -> String| -> String {
        words.iter().enumerate().map(|(at, word)| line(at, word) + "\n").collect()
    };
    let text = "x".repeat(40);
    let table = rows(&|at, word| format!("d\t{at}\t{}\t{word}", at + 1));
    folder.write("t.table.tsv", format!("doc\tstart\tend\tlink\n{table}").as_bytes());
    folder.write("t.csv", format!("doc,start,end,link\n{}", table.replace('\t', ",")).as_bytes());
    let jsonl = rows(&|at, word| {
        format!(r#"{{"doc": "d", "start": {at}, "end": {}, "link": "{word}"}}"#, at + 1)
    });
    folder.write("t.jsonl", jsonl.as_bytes());
    folder.write("t.tsv", rows(&|at, word| format!("d\t{at}\t{at}\t{word}\t1\tLOC")).as_bytes());
    let brat = rows(&|at, word| {
        format!("T{at}\tLOC {at} {}\tx\nN{at}\tReference T{at} {word}\tx", at + 1)
    });
    folder.write("b/d.ann", brat.as_bytes());
    folder.write("b/d.txt", text.as_bytes());
    let pubtator = rows(&|at, word| format!("1\t{at}\t{}\tx\tLOC\t{word}", at + 1));
    folder.write("t.pubtator", format!("1|t|{text}\n1|a|\n{pubtator}\n").as_bytes());
    let bioc = rows(&|at, word| {
        let word = word.replace('<', "&lt;").replace('>', "&gt;");
        format!(
            "<annotation id=\"{at}\"><infon key=\"identifier\">{word}</infon><location offset=\"{at}\" length=\"1\"/><text>x</text></annotation>"
        )
    });
    let bioc = format!(
        "<collection><source/><date/><key/><document><id>d</id><passage><offset>0</offset><text>{text}</text>{bioc}</passage></document></collection>"
    );
    folder.write("t.bioc.xml", bioc.as_bytes());
    for input in ["t.table.tsv", "t.csv", "t.jsonl", "t.tsv", "b", "t.pubtator", "t.bioc.xml"] {
        let said = folder.run(&format!("karat validate {input}"));
        assert!(
            said.contains("10 annotations: 0 linked, 10 NIL, 0 without answer"),
            "{input}: {said}"
        );
        assert!(said.contains("`NULL` (") && said.contains("were read as NIL"), "{input}: {said}");
    }
    // What was read from one kind of file has the same form in the others.
    let run = folder.run("karat convert t.csv t.parquet && karat validate t.parquet");
    assert!(run.contains("10 annotations: 0 linked, 10 NIL"), "{run}");
}

#[test]
fn b3_no_entity_is_written_that_would_be_nil() {
    let folder = Folder::with(&[(
        "odd.karat.jsonl",
        "{\"document\":\"d\",\"text\":\"ab\",\"annotations\":[{\"span\":[0,1],\"link\":\"NULL\"}]}\n",
    )]);
    assert_data_eq!(
        folder.run("karat convert odd.karat.jsonl - --to csv"),
        str![[r#"
exit code 2
-- stderr
error: cannot write to standard output: document `d`: the entity `NULL` would be read as NIL
  = help: choose another format; `karat-jsonl` holds everything

"#]]
    );
}

#[test]
fn b3_numbers_for_nil_are_no_entity() {
    let folder = Folder::with(&[
        ("gold.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,15,-1\n"),
        ("mine.csv", "doc,start,end,link\nd,0,6,Q-1\nd,11,15,-1\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link,nil --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	0	0	1		0	0		
mine	nil	1	1	0	0.5	1	0.6666666666666666		
-- stderr
note: in `gold.csv`, `-1` (once) was read as NIL
note: in `mine.csv`, `-1` (once), `Q-1` (once) were read as NIL
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@3cb399

"#]]
    );
}

#[test]
fn a_threshold_without_confidences_is_said() {
    let folder = Folder::with(&[
        ("gold.csv", GOLD),
        ("mine.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,15,Q586\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link --trials 0 --threshold 0.5 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	2	0	0	1	1	1		
-- stderr
warning: no answer of `mine` has a confidence, so that the threshold of 0.5 leaves none out
  = help: leave --threshold out, or give an output with scores
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:0.5|gold:gold@b0003a

"#]]
    );
}

#[test]
fn b4_documents_that_went_through_floating_point_and_words_called_text() {
    let folder = Folder::with(&[
        ("gold.csv", "doc,start,end,link\n1,0,6,Q64\n2,0,4,Q586\n"),
        ("floats.csv", "doc,start,end,link\n1.0,0.0,6.0,Q64\n2.0,0.0,4.0,Q586\n"),
        ("words.csv", "doc,start,end,link,text\n1,0,6,Q64,Berlin\n1,11,16,Q90,Paris\n"),
    ]);
    let told = folder.run("karat eval gold.csv floats.csv -m link --trials 0");
    assert!(told.contains("--documents-by number lines them up"), "{told}");
    assert_data_eq!(
        folder.run("karat eval gold.csv words.csv -m link --trials 0"),
        str![[r#"
exit code 0
-- stdout
system  measure  tp  fp  fn      P      R     F1
─────────────────────────────────────────────────
words   link      1   1   1  0.500  0.500  0.500

karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@8c3a0c
-- stderr
warning: `words` says nothing about 1 of 2 documents; they count as empty

"#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval gold.csv words.csv -m link --trials 0 --format tsv -q --columns words:surface=text"
        ),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
words	link	1	1	1	0.5	0.5	0.5		
-- stderr
warning: `words` says nothing about 1 of 2 documents; they count as empty
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@8c3a0c|columns:words=surface=text

"#]]
    );
}

#[test]
fn b4_a_table_without_links_and_columns_that_are_passed_over() {
    let folder = Folder::with(&[
        ("gold.csv", GOLD),
        (
            "mine.csv",
            "doc,start,end,wikidata_url,remark\nd,0,6,http://www.wikidata.org/entity/Q64,sure\n",
        ),
        ("extra.csv", "doc,start,end,link,certainty,annotator\nd,0,6,Q64,0.5,me\n"),
        ("spans.csv", "doc,start,end\nd,0,6\n"),
        ("lines.jsonl", "{\"doc\": \"d\", \"start\": 0, \"end\": 6, \"wiki\": \"Berlin\"}\n"),
        ("empty.csv", "doc,start,end,link\nd,0,6,Q64\nd,11,15,\n"),
    ]);
    assert_data_eq!(
        folder.run("karat eval gold.csv mine.csv -m link --trials 0 --format tsv"),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	0	0	2		0	0		
-- stderr
note: columns `remark`, `wikidata_url` of `mine.csv` are not read; say with --columns which column is which, if one of them is meant
warning: no column of `mine.csv` is read as `link`, so its mentions are linked to nothing; the nearest is `wikidata_url`
  = help: is it this one? --columns link=wikidata_url
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@b0003a

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert mine.csv - --to neleval --columns link=wikidata_url"),
        str![[r#"
exit code 0
-- stdout
d	0	5	http://www.wikidata.org/entity/Q64
-- stderr
note: column `remark` of `mine.csv` is not read; say with --columns which column is which, if one of them is meant

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert extra.csv - --to neleval"),
        str![[r#"
exit code 0
-- stdout
d	0	5	Q64
-- stderr
note: columns `annotator`, `certainty` of `extra.csv` are not read; say with --columns which column is which, if one of them is meant

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert spans.csv - --to neleval"),
        str![[r#"
exit code 0
-- stdout
d	0	5
-- stderr
warning: no column of `spans.csv` is read as `link`, so its mentions are linked to nothing

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate lines.jsonl"),
        str![[r#"
exit code 0
-- stdout
lines.jsonl (jsonl): 1 document, 1 annotation: 0 linked, 0 NIL, 1 without answer
  nothing to complain about
-- stderr
note: column `wiki` of `lines.jsonl` is not read; say with --columns which column is which, if one of them is meant
warning: no column of `lines.jsonl` is read as `link`, so its mentions are linked to nothing; the nearest is `wiki`
  = help: is it this one? --columns link=wiki

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate empty.csv"),
        str![[r#"
exit code 0
-- stdout
empty.csv (csv): 1 document, 2 annotations: 1 linked, 0 NIL, 1 without answer
  nothing to complain about
-- stderr
note: in `empty.csv`, 1 row has no link and is a mention without an answer; write NIL, or a column `nil` with `true`, where the entity is not in the knowledge base

"#]]
    );
}

#[test]
fn b7_a_parent_that_is_not_there_is_a_warning() {
    let article = concat!(
        r#"{"id": 1, "title": "", "text": "Berlin and Bonn", "evaluation_span": [0, 15], "labels": ["#,
        r#"{"id": 0, "span": [0, 6], "entity_id": "Q64", "name": "Berlin", "type": "OTHER", "parent": 9}, "#,
        r#"{"id": 1, "span": [11, 15], "entity_id": "Q586", "name": "Bonn", "type": "OTHER"}]"#,
    );
    let folder = Folder::with(&[
        ("gold.benchmark.jsonl", &format!("{article}}}\n")),
        (
            "mine.linked_articles.jsonl",
            &format!(
                "{article}, \"entity_mentions\": [{{\"span\": [0, 6], \"id\": \"Q1\"}}, {{\"span\": [11, 15], \"id\": \"Q586\"}}]}}\n"
            ),
        ),
    ]);
    assert_data_eq!(
        folder.run(
            "karat eval gold.benchmark.jsonl mine.linked_articles.jsonl --preset elevant --format tsv"
        ),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	linking	1	0	0	1	1	1		
mine	linking(unknowns=required)	1	0	0	1	1	1		
mine	recognition	1	0	0	1	1	1		
mine	recognition(unknowns=required)	1	0	0	1	1	1		
-- stderr
warning: in `gold.benchmark.jsonl`, 1 label names a parent that is not there, and counts nowhere, as in ELEVANT; the first is 0..6 of `1`, whose parent is 9
  = help: `parent` is the `id` of another label of the same document; `karat validate` lists them
warning: in `mine.linked_articles.jsonl`, 1 label names a parent that is not there, and counts nowhere, as in ELEVANT; the first is 0..6 of `1`, whose parent is 9
  = help: `parent` is the `id` of another label of the same document; `karat validate` lists them
signature: karat:0.1.0|preset:elevant|task:end-to-end|match:exact|assign:last-wins|threshold:none|gold:gold@f42589

"#]]
    );
    assert_data_eq!(
        folder.run("karat validate gold.benchmark.jsonl"),
        str![[r#"
exit code 1
-- stdout
gold.benchmark.jsonl (elevant): 1 document, 2 annotations: 2 linked, 0 NIL, 0 without answer
  error [alternatives] 1 0..6: the mention is a part of `9`, which is not there
      ⟦Berlin⟧ and Bonn
  1 finding (1 alternatives)
-- stderr
warning: in `gold.benchmark.jsonl`, 1 label names a parent that is not there, and counts nowhere, as in ELEVANT; the first is 0..6 of `1`, whose parent is 9
  = help: `parent` is the `id` of another label of the same document; `karat validate` lists them

"#]]
    );
    assert_data_eq!(
        folder.run("karat convert gold.benchmark.jsonl - --to elevant --quiet"),
        str![[r#"
exit code 0
-- stdout
{"id":1,"title":"","text":"Berlin and Bonn","evaluation_span":[0,15],"labels":[{"id":0,"span":[0,6],"entity_id":"Q64","parent":9,"name":"Berlin","type":"OTHER"},{"id":1,"span":[11,15],"entity_id":"Q586","name":"Bonn","type":"OTHER"}]}
-- stderr
warning: in `gold.benchmark.jsonl`, 1 label names a parent that is not there, and counts nowhere, as in ELEVANT; the first is 0..6 of `1`, whose parent is 9
  = help: `parent` is the `id` of another label of the same document; `karat validate` lists them

"#]]
    );
}

/// Options that describe a table are no reason to refuse what is none.
#[test]
fn b1_columns_are_for_tables() {
    let folder = Folder::with(&[
        ("gold.tsv", "d\t0\t5\tQ64\t1\tLOC\n"),
        ("mine.csv", "article,b,e,answer\nd,0,6,Q64\n"),
    ]);
    let line = "karat eval gold.tsv mine.csv --columns doc=article,start=b,end=e,link=answer -m link --trials 0 --format tsv";
    assert_data_eq!(
        folder.run(line),
        str![[r#"
exit code 0
-- stdout
system	measure	tp	fp	fn	P	R	F1	low	high
mine	link	1	0	0	1	1	1		
-- stderr
signature: karat:0.1.0|preset:karat|task:end-to-end|match:exact|assign:one-to-one|threshold:none|gold:gold@2242ac|columns:doc=article+end=e+link=answer+start=b

"#]]
    );
}
