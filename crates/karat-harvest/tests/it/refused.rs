//! What cannot be read is named with its place and what to do.

use crate::built;
use karat_formats::Input;
use karat_harvest::{HarvestError, Options, harvest};
use karat_kb::Builder;

/// The problem with a file: message with its place, and the hint.
fn problem(name: &str, content: &[u8]) -> (String, String) {
    match built(&[(name, content)]) {
        Err(HarvestError::Input(problem)) => (
            problem.to_string(),
            problem.hint.as_ref().map(ToString::to_string).unwrap_or_default(),
        ),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("{name} was read"),
    }
}

#[test]
fn problems_have_a_place() {
    let table: &[(&str, &[u8], &str)] = &[
        ("t.tsv", b"id\tpopularity\nQ1\tmany\n", "t.tsv:2:4: expected a whole number that is not negative, found `many`"),
        ("t.tsv", b"id\tname\nQ1\ta\tb\n", "t.tsv:2:6: expected at most 2 columns, found 3"),
        ("t.tsv", b"id\tname\n\ta\n", "t.tsv:2:1: a row without an id"),
        ("t.tsv", b"id\tname\nQ1\t\xff\n", "t.tsv: line 2: expected UTF-8, found the byte 0xff"),
        ("t.csv", b"id,name\nQ1,a\nQ2\n", "t.csv:3:3: expected 2 columns, found 1"),
        ("t.csv", b"mention,id,prior\nx,Q1,1.5\n", "t.csv:2:6: expected a share between 0 and 1, found `1.5`"),
        ("t.jsonl", b"{\"id\":\"Q1\",\"name\":\"a\"}\n{\"id\":}\n", "t.jsonl:2:7: expected a JSON object: expected value"),
        ("t.jsonl", b"{\"id\":\"Q1\",\"name\":{}}\n", "t.jsonl:1:12: expected a text, a number or a list of them in `name`"),
        ("t.jsonl", b"{\"x\":1}\n", "t.jsonl:1:1: no key of this object says anything about entities"),
        ("popular.tsv", b"Berlin\texact\tQ64\n", "popular.tsv:1:1: expected a text in quotes, as JSON"),
        ("popular.tsv", b"\"a\"\tguess\tQ64\n", "popular.tsv:1:5: expected `exact` or `inferred`, found `guess`"),
        ("entities.tsv", b"Q1\ta\t\tCOLOUR\t\n", "entities.tsv:1:7: expected QUANTITY, DATETIME or nothing, found `COLOUR`"),
        ("word_counts.tsv", b"b\td\n", "word_counts.tsv:1:4: no number of words"),
        ("x.json", b"[\n{\"type\":\"item\",\"labels\":{},\"id\":\"Q1\"},\n{\"type\":\"item\",\"labels\":{}},\n", "x.json:3:27: expected an item of Wikidata: missing field `id`"),
        ("x.sql", b"INSERT INTO `page` VALUES (1,0,'a'),oops;\n", "x.sql: line 1, byte 37: expected rows as `(1,0,'Title'),`"),
        ("r.sql", b"INSERT INTO `redirect` VALUES (1,0,'a','','');\n", "r.sql: this dump names pages by number, and no input has their titles"),
        ("t.csv", b"id,name\nQ1,a\nQ2,\"Berlin\nQ3,c\n", "t.csv:3:4: a quote that is not closed"),
        ("t.csv", b"id,name,popularity\nQ1,\"a, b\nc\",few\n", "t.csv:3:4: expected a whole number that is not negative, found `few`"),
        ("t.jsonl", b"{\"id\":\"Q1\",\"popularity\":\"x\"}\n", "t.jsonl:1:12: expected a whole number"),
        ("titles.tsv", b"Berlin\tQ64\nParis\n", "titles.tsv:2:6: a row that says nothing: its column `id` is empty"),
        ("same_as.tsv", b"Q64\n", "same_as.tsv:1:4: a row that says nothing: its column `same_as` is empty"),
        ("m.csv", b"mention,id\n,Q64\n", "m.csv:2:1: a row that says nothing: its column `mention` is empty"),
        ("r.csv", b"from,to\nA,B\nA,\n", "r.csv:3:3: a redirect whose column `to` is empty"),
        ("r.tsv", b"from\tto\n\tB\n", "r.tsv:2:1: a redirect whose column `from` is empty"),
        ("word_counts.tsv", b"b\td\t3\t4\n", "word_counts.tsv:1:7: 4 lowercased words of 3 words"),
        ("c.sql", b"INSERT INTO `page` (`page_id`,`page_title`) VALUES (1,'a');\n", "c.sql: line 1, byte 19: expected rows"),
        ("e.csv", b"", "e.csv: the file is empty"),
        ("e.csv", b"id;name\nQ1;a\n", "e.csv: the columns are separated by semicolons"),
        ("e.kb", b"KARAT KB...", "e.kb: this is a knowledge base already"),
        ("e.csv", b"name,popularity\nx,1\n", "e.csv: this is nothing that a knowledge base can be built from: there is no column `id`"),
        ("e.csv", b"from,targett\nx,1\n", "e.csv: this is nothing that a knowledge base can be built from: there is no column `to`"),
        ("e.csv", b"id,nomen\nx,1\n", "e.csv: this is nothing that a knowledge base can be built from: no column says anything beside the id"),
        ("x.txt", b"nothing here\n", "x.txt: this is nothing that a knowledge base can be built from"),
        ("x.parquet", b"PAR1 and no more", "x.parquet: the file ends too early"),
    ];
    for (name, content, message) in table {
        let (found, hint) = problem(name, content);
        assert!(found.starts_with(message), "{found}\n{message}");
        assert!(!hint.is_empty() || name.starts_with("word"), "{found} has no hint");
    }
}

#[test]
fn a_damaged_file_of_a_folder_is_not_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content);
    write("titles.tsv", b"Berlin\tQ64\n").unwrap();
    write("notes.txt", b"nothing\n").unwrap();
    let input = || Input::open(folder.path().to_str().unwrap()).unwrap();
    let harvested =
        |input: Input| harvest(&[input], &mut Builder::in_memory(), &Options::default());
    let kinds: Vec<bool> =
        harvested(input()).unwrap().iter().map(|one| one.kind.is_some()).collect();
    assert_eq!(kinds, [false, true], "what is no input is left out");
    write("entities.tsv.gz", b"\x1f\x8b\x08 and no more").unwrap();
    assert!(harvested(input()).is_err(), "what cannot be read is not");
}
