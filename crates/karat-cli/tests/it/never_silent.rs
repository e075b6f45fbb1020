//! Never a wrong number without a word: what was seen, and the setting that cures it.

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
fn options_that_describe_a_file_apply_to_inputs_they_fit() {
    let folder = with("mine.csv", COLUMNS);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns doc=article_id,start=b,end=e,link=qid -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns mine:doc=article_id,start=b,end=e,link=qid -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns theirs:doc=article_id -m link"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv --columns doc=nope,start=b,end=e -m link"),
        str![[r#""#]]
    );
}

#[test]
fn every_kind_of_gold_can_stand_beside_a_table_with_its_own_columns() {
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

#[test]
fn documents_that_meet_by_something_else_are_said_with_the_cure() {
    let folder = with("titles.csv", "doc,start,end,link\nBerlin,0,6,Q64\nOslo,0,4,Q585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl titles.csv -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder
            .run("karat eval gold.karat.jsonl titles.csv -m link --trials 0 --documents-by title"),
        str![[r#""#]]
    );
    let folder = with("numbered.csv", "doc,start,end,link\nd1,0,6,Q64\nd2,0,4,Q585\n");
    assert_data_eq!(
        folder.run(
            "karat eval gold.karat.jsonl numbered.csv -m link --trials 0 --documents-by number -q"
        ),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl numbered.csv -m link --documents-by tittle"),
        str![[r#""#]]
    );
}

#[test]
fn offsets_that_are_shifted_are_named() {
    let folder =
        with("shifted.tsv", "1\t1\t6\tQ64\n1\t12\t14\tQ9\n1\t19\t23\tQ90\n2\t1\t4\tQ585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl shifted.tsv -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl shifted.tsv -m link --trials 0 --shift shifted=-1"),
        str![[r#""#]]
    );
}

#[test]
fn offsets_in_another_unit_are_named() {
    let bytes = "doc,start,end,link\n1,11,15,Q9\n1,19,24,Q90\n1,30,34,Q220\n1,39,43,Q586\n2,0,4,Q585\n2,12,16,Q2868\n";
    let folder = with("bytes.csv", bytes);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl bytes.csv -m link --trials 0 --unit system=bytes"),
        str![[r#""#]]
    );
    let folder =
        with("tokens.csv", "doc,start,end,link\n1,0,1,Q64\n1,2,3,Q9\n1,4,5,Q90\n2,0,1,Q585\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl tokens.csv -m link --trials 0"),
        str![[r#""#]]
    );
    let ends = "doc,start,end,link\n1,0,5,Q64\n1,11,13,Q9\n1,18,22,Q90\n2,0,3,Q585\n";
    let folder = with("ends.csv", ends);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl ends.csv -m link --trials 0"),
        str![[r#""#]]
    );
}

#[test]
fn ids_that_are_spelled_in_two_ways_are_compared_by_what_they_name() {
    let wikidata = "http://www.wikidata.org/entity/";
    let output = format!(
        "doc,start,end,link\n1,0,6,{wikidata}Q64\n1,11,14,{wikidata}Q9\n2,0,4,{wikidata}Q585\n"
    );
    let folder = with("mine.csv", &output);
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run(
            "karat eval gold.karat.jsonl mine.csv -m link --trials 0 --set spellings=as-written"
        ),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl mine.csv -m link --trials 0 --preset neleval"),
        str![[r#""#]]
    );
}

#[test]
fn ids_that_never_meet_are_said_with_an_example_of_each() {
    let folder = with(
        "genes.csv",
        "doc,start,end,link\n1,0,6,Wikidata item:Q64\n2,0,4,Wikidata item:Q585\n",
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl genes.csv -m link --trials 0"),
        str![[r#""#]]
    );
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl genes.csv -m link --trials 0 --set ids=local-name"),
        str![[r#""#]]
    );
    let folder = with("other.csv", "doc,start,end,link\n1,0,6,C0001\n1,11,14,C0003\n2,0,4,C0002\n");
    assert_data_eq!(
        folder.run("karat eval gold.karat.jsonl other.csv -m link --trials 0"),
        str![[r#""#]]
    );
}
