use super::*;
use crate::problem::Kind;
use crate::{ReadOptions, testing};
use karat_model::{Link, Span};

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    testing::read(&Jsonl, &[("t.jsonl", content)], options).map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default())
}

#[test]
fn keys_may_be_left_out() {
    let corpus = read(concat!(
        r#"{"doc":"d","start":2,"end":8,"link":"Q72","text":"😀 Zürich","surface":"Zürich","type":["LOC","CITY"],"score":1}"#,
        "\n\n",
        r#"{"doc":"d","start":0,"end":1,"nil":true,"candidates":[{"link":"Q1","score":0.5}],"attributes":{"a":1},"tags":"x|y"}"#,
        "\n",
        r#"{"doc":17,"start":null,"end":null,"lang":"de"}"#,
        "\n",
    ))
    .unwrap();
    let documents: Vec<_> = corpus.documents().collect();
    let mentions: Vec<_> = documents[0].mentions().collect();
    assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("Q72"), Some(1.0)));
    assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["LOC", "CITY"]);
    assert_eq!((mentions[1].link(), mentions[1].attribute("a")), (Link::NIL, Some("1")));
    assert_eq!(mentions[1].candidates().next().unwrap().entity, Some("Q1"));
    assert_eq!(mentions[1].tags().collect::<Vec<_>>(), ["x", "y"]);
    assert_eq!((documents[1].name(), documents[1].language()), ("17", Some("de")));
}

#[test]
fn the_user_names_keys() {
    let columns = [("doc", "page"), ("start", "from"), ("end", "to"), ("link", "target")];
    let columns = columns.map(|(field, key)| (field.to_owned(), key.to_owned())).into();
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let content = r#"{"page":"d","from":1,"to":3,"target":"Q5","other":{"x":[1]}}"#;
    let corpus = read_with(content, &options).unwrap();
    assert_eq!(corpus.annotations()[0].span, Span::new(1, 3));
    let problem = read_with(r#"{"page":"d","from":1,"to":3}"#, &options).unwrap_err();
    assert_eq!(problem.message, "no column `target`; the columns are `page`, `from`, `to`");
}

#[test]
fn bad_lines_are_located() {
    let first = r#"{"doc":"d","start":0,"end":1}"#;
    let cases = [
        (r#"{"doc":"d","start":"x","end":1}"#, 12, "expected a whole number from 0 up, found “x”"),
        (
            r#"{"doc":"d","start":0,"end":1.5}"#,
            22,
            "expected a whole number from 0 up, found `1.5`",
        ),
        (r#"{"doc":"d","start":0,"end":1,"link":{}}"#, 30, "expected text, found “{}”"),
        (r#"{"doc":"d","start":0}"#, 1, "a mention that starts but does not end"),
        (r#"{"doc":"d","start":0,}"#, 22, "bad JSON: trailing comma"),
        ("[1]", 1, "bad JSON: invalid type: sequence, expected a JSON object"),
    ];
    for (line, column, message) in cases {
        let problem = read(&format!("{first}\n{line}\n")).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((place.line, problem.message.as_str()), (2, message));
        assert_eq!(place.column, column, "{message}");
        assert!(problem.hint.is_some());
    }
    let problem = read(&format!("{first}\n{{\"doc\":\"d\"")).unwrap_err();
    assert_eq!(problem.kind, Kind::Truncated);
}

#[test]
fn other_lines_are_not_claimed() {
    let score = |line| testing::score(&Jsonl, "x.jsonl", line);
    for other in [
        r#"{"document":"d","annotations":[{"span":[0,1]}]}"#,
        r#"{"id":1,"title":"t","text":"x","labels":[{"id":1,"span":[0,1]}]}"#,
        r#"{"id":"1","input":"x","output":[],"meta":{"left_context":""}}"#,
        r#"{"context_left":"","mention":"x","context_right":"","label_id":1,"label":"x"}"#,
        r#"{"doc":"d","start":0,"end":1,"spans":[]}"#,
        "[]",
    ] {
        assert_eq!(score(other), 0, "{other}");
    }
    assert_eq!(score(r#"{"doc_id":"d","start":0,"end":1}"#), 40);
}

#[test]
fn several_links_are_ranked_answers() {
    let corpus = read(concat!(
        r#"{"doc":"d","start":0,"end":1,"link":["Q64","Q5"]}"#,
        "\n",
        r#"{"doc":"d","start":2,"end":3,"link":["NIL"]}"#,
        "\n",
        r#"{"doc":"d","start":4,"end":5,"link":[]}"#,
        "\n",
    ))
    .unwrap();
    let mentions: Vec<_> = corpus.documents().flat_map(|document| document.mentions()).collect();
    let candidates: Vec<_> = mentions[0].candidates().map(|c| c.entity).collect();
    assert_eq!((mentions[0].entity(), candidates), (Some("Q64"), vec![Some("Q64"), Some("Q5")]));
    assert_eq!((mentions[1].link(), mentions[1].candidates().len()), (Link::NIL, 0));
    assert!(mentions[2].link().is_none());
    let problem = read(r#"{"doc":"d","start":0,"end":1,"link":[64]}"#).unwrap_err();
    assert_eq!(problem.message, "expected a list of strings");
}

#[test]
fn an_array_of_rows_is_read_as_lines_are() {
    let rows = [
        r#"{"doc_id": "d", "start": 0, "end": 6, "surface": "Berlin", "qid": "Q64"}"#,
        "{\"doc_id\": \"d\",\n  \"start\": 10, \"end\": 15, \"qid\": \"Q90\"}",
    ];
    let lines = read(&rows.map(|row| row.replace('\n', " ") + "\n").concat()).unwrap();
    for array in [format!("[{}]", rows.join(",")), format!("\u{feff} [\n{}\n]\n", rows.join(",\n"))]
    {
        let sample =
            crate::Sample { name: "m.json", bytes: array.as_bytes(), text: &array, complete: true };
        assert_eq!(Jsonl.detect(&sample), 40, "{array}");
        assert_eq!(read(&array).unwrap().difference(&lines), None, "{array}");
    }
    let bad = read("[{\"doc\": \"d\", \"start\": 0, \"end\": 1, \"link\": \"Q1\"},\n {\"doc\": \"d\", \"start\": \"x\", \"end\": 1, \"link\": \"Q1\"}]").unwrap_err();
    assert_eq!(bad.place.map(|place| place.line), Some(2));
    assert_eq!(read("[{\"doc\": \"d\", \"start\": 0").unwrap_err().kind, Kind::Truncated);
}
