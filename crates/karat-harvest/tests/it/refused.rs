//! What cannot be read is named with its place and what to do.

use crate::built;
use karat_harvest::HarvestError;

/// The problem with a file: message with its place, and the hint.
fn problem(name: &str, content: &[u8]) -> (String, String) {
    match built(&[(name, content)]) {
        Err(HarvestError::Input(problem)) => {
            (problem.to_string(), problem.hint.clone().unwrap_or_default())
        }
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
        ("t.csv", b"id,name\nQ1,a\nQ2\n", "t.csv: line 3: expected 2 columns, found 1"),
        ("t.csv", b"mention,id,prior\nx,Q1,1.5\n", "t.csv:2:1: expected a share between 0 and 1, found `1.5`"),
        ("t.jsonl", b"{\"id\":\"Q1\",\"name\":\"a\"}\n{\"id\":}\n", "t.jsonl:2:7: expected a JSON object: expected value"),
        ("t.jsonl", b"{\"id\":\"Q1\",\"name\":{}}\n", "t.jsonl:1:1: expected a text, a number or a list of them in `name`"),
        ("t.jsonl", b"{\"x\":1}\n", "t.jsonl:1:1: no key of this object says anything about entities"),
        ("popular.tsv", b"Berlin\texact\tQ64\n", "popular.tsv:1:1: expected a text in quotes, as JSON"),
        ("popular.tsv", b"\"a\"\tguess\tQ64\n", "popular.tsv:1:5: expected `exact` or `inferred`, found `guess`"),
        ("entities.tsv", b"Q1\ta\t\tCOLOUR\t\n", "entities.tsv:1:7: expected QUANTITY, DATETIME or nothing, found `COLOUR`"),
        ("word_counts.tsv", b"b\td\n", "word_counts.tsv:1:1: no number of words"),
        ("x.json", b"[\n{\"type\":\"item\",\"labels\":{},\"id\":\"Q1\"},\n{\"type\":\"item\",\"labels\":{}},\n", "x.json:3:27: expected an item of Wikidata: missing field `id`"),
        ("x.sql", b"INSERT INTO `page` VALUES (1,0,'a'),oops;\n", "x.sql: line 1, byte 37: expected rows as `(1,0,'Title'),`"),
        ("r.sql", b"INSERT INTO `redirect` VALUES (1,0,'a','','');\n", "r.sql: this dump names pages by number, and no input has their titles"),
        ("x.txt", b"nothing here\n", "x.txt: this is nothing that a knowledge base can be built from"),
        ("x.parquet", b"PAR1 and no more", "x.parquet: the file ends too early"),
    ];
    for (name, content, message) in table {
        let (found, hint) = problem(name, content);
        assert!(found.starts_with(message), "{found}\n{message}");
        assert!(!hint.is_empty() || name.starts_with("word"), "{found} has no hint");
    }
}
