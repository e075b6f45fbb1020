use super::*;
use crate::{ReadOptions, testing};
use karat_model::{Corpus, Link, Span};

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    testing::read(&NestedJsonl, &[("t.jsonl", content)], options).map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default())
}

fn links(corpus: &Corpus) -> Vec<(String, Span, Option<String>)> {
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    mentions
        .map(|it| (it.document().name().to_owned(), it.span(), it.entity().map(str::to_owned)))
        .collect()
}

#[test]
fn the_usual_names_are_read() {
    for line in [
        r#"{"id": "d", "text": "Berlin!", "entities": [{"start": 0, "end": 6, "label": "LOC", "link": "Q64"}]}"#,
        r#"{"doc_id": "d", "text": "Berlin!", "mentions": [{"begin": 0, "stop": 6, "qid": "Q64", "type": "LOC", "text": "Berlin"}]}"#,
        r#"{"document": "d", "title": "T", "text": "Berlin!", "annotations": [{"start_char": 0, "end_char": 6, "entity": "Q64", "label": "LOC"}]}"#,
        r#"{"name": "d", "text": "Berlin!", "spans": [{"span": [0, 6], "kb_id": "Q64", "label": "LOC", "mention": "Berlin"}]}"#,
        r#"{"title": "d", "text": "Berlin!", "found": [{"offset": 0, "length": 6, "uri": "Q64", "types": ["LOC"], "score": 0.5}], "tokens": ["Berlin", "!"]}"#,
    ] {
        assert_eq!(testing::score(&NestedJsonl, "x.jsonl", line), MENTIONS, "{line}");
        let corpus = read(line).unwrap();
        let expected = ("d".to_owned(), Span::new(0, 6), Some("Q64".to_owned()));
        assert_eq!(links(&corpus), [expected], "{line}");
        let document = corpus.documents().next().unwrap();
        assert_eq!(document.text(), Some("Berlin!"), "{line}");
        assert_eq!(document.mentions().next().unwrap().types().collect::<Vec<_>>(), ["LOC"]);
    }
}

#[test]
fn every_field_of_a_mention_is_read() {
    let corpus = read(concat!(
        r#"{"id": 7, "lang": "de", "title": "T", "text": "a 😀 e\u0301𝔄 Bonn", "entities": ["#,
        r#"{"start": 8, "end": 12, "text": "Bonn", "link": "Q586", "score": 0.5, "candidates": [{"link": "Q586", "score": 0.5}], "attributes": {"a": 1}},"#,
        r#"{"start": 4, "end": 7, "link": "NIL", "optional": true}, {"start": 0, "end": 1, "link": null}]}"#,
        "\n",
        r#"{"id": 8, "text": "x", "entities": []}"#,
        "\n",
        r#"{"id": 9, "text": "y"}"#,
    ))
    .unwrap();
    let documents: Vec<_> = corpus.documents().collect();
    assert_eq!(
        documents.iter().map(karat_model::Document::name).collect::<Vec<_>>(),
        ["7", "8", "9"]
    );
    assert_eq!((documents[0].language(), documents[1].text()), (Some("de"), Some("x")));
    assert_eq!(documents[0].attribute(attribute::TITLE), Some("T"));
    let mentions: Vec<_> = documents[0].mentions().collect();
    assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("Q586"), Some(0.5)));
    assert_eq!((mentions[0].candidates().len(), mentions[0].attribute("a")), (1, Some("1")));
    assert_eq!((mentions[1].link(), mentions[1].span()), (Link::NIL, Span::new(4, 7)));
    assert!(mentions[2].link().is_none());
}

#[test]
fn the_user_names_keys() {
    let columns = [("doc", "page"), ("start", "from"), ("end", "to"), ("link", "id")];
    let columns = columns.map(|(field, key)| (field.to_owned(), key.to_owned())).into();
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let line = r#"{"page": "d", "id": 5, "entities": [{"from": 1, "to": 3, "id": "Q5"}]}"#;
    let corpus = read_with(line, &options).unwrap();
    assert_eq!(links(&corpus), [("d".to_owned(), Span::new(1, 3), Some("Q5".to_owned()))]);
    let other = r#"{"page": "d", "entities": [{"from": 1, "to": 3, "start": 1, "end": 2}]}"#;
    let problem = read_with(other, &options).unwrap_err();
    assert!(problem.message.starts_with("no column `id`"), "{}", problem.message);
}

#[test]
fn arrays_and_documents_over_several_lines_are_read() {
    let mention = r#"{"start": 0, "end": 1, "link": "Q1"}"#;
    let array = format!(
        "[\n {{\"id\": \"a\", \"entities\": [{mention}]}},\n {{\"id\": \"b\", \"entities\": []}}\n]\n"
    );
    let pretty = format!("{{\n  \"id\": \"a\",\n  \"entities\": [\n    {mention}\n  ]\n}}\n");
    for content in [&array, &pretty] {
        assert_eq!(testing::score(&NestedJsonl, "x.json", content), MENTIONS, "{content}");
        let corpus = read(content).unwrap();
        assert_eq!(links(&corpus), [("a".to_owned(), Span::new(0, 1), Some("Q1".to_owned()))]);
    }
    assert_eq!(read(&array).unwrap().len(), 2);
    let problem = read(&array.replace("\"end\": 1", "\"end\": \"x\"")).unwrap_err();
    assert_eq!(problem.place.unwrap().line, 2);
    assert!(read(array.trim_end_matches("]\n")).is_err(), "an array that is not closed");
}

#[test]
fn documents_without_a_name_are_counted() {
    let line = r#"{"text": "ab", "entities": [{"start": 0, "end": 1, "link": "Q1"}]}"#;
    let corpus = read(&format!("{line}\n\n{line}\n")).unwrap();
    let names: Vec<_> = corpus.documents().map(|document| document.name().to_owned()).collect();
    assert_eq!(names, ["0", "2"], "as in ELEVANT, lines are counted");
}

#[test]
fn bad_lines_are_located() {
    let good =
        r#"{"id": "a", "text": "Bonn", "entities": [{"start": 0, "end": 4, "link": "Q586"}]}"#;
    for (line, column, message) in [
        (
            r#"{"id": "b", "text": "Bonn", "entities": [{"start": 0, "end": 4}, {"start": "x", "end": 1}]}"#,
            67,
            "expected a whole number from 0 up, found “x”",
        ),
        (
            r#"{"id": "b", "text": "Bonn", "entities": [{"start": 0, "end": 9}]}"#,
            43,
            "offset 0..9 lies outside the text",
        ),
        (
            r#"{"id": "b", "text": "Bonn", "entities": [{"start": 0, "end": 2, "text": "Bo"}, {"start": 0, "end": 2, "text": "no"}]}"#,
            103,
            "the mention is “no” but the text at 0..2 is “Bo”",
        ),
        (
            r#"{"id": "b", "entities": [{"start": 0, "end": 4}, [1, 2]]}"#,
            50,
            "expected a mention as an object",
        ),
        (
            r#"{"id": "b", "entities": [{"start": 0, "end": 4}, {"link": "Q1"}]}"#,
            50,
            "expected a mention with a start",
        ),
        (
            r#"{"id": "b", "entities": [{"start": 0, "end": 4}], "gold": [{"start": 0, "end": 4}]}"#,
            1,
            "`entities` and `gold` are both lists of mentions",
        ),
        (r#"{"entities": [{"start": 0, "end": 4}]}"#, 1, "expected the name of a document as `id`"),
        (r#"{"id": "a", "entities": []}"#, 1, "document `a`"),
        (r#"{"id": "b", "entities": [}"#, 26, "bad JSON"),
    ] {
        let problem = read(&format!("{good}\n{line}\n")).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert!(problem.message.starts_with(message), "{} for {line}", problem.message);
        assert_eq!((place.line, place.column), (2, column), "{line}");
        assert!(problem.hint.is_some(), "{line}");
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = read_with(&format!("{good}\n{line}\n"), &lenient).unwrap();
        assert_eq!(corpus.documents().next().unwrap().name(), "a", "{line}");
    }
}

#[test]
fn other_lines_are_not_claimed() {
    for other in [
        r#"{"doc":"d","start":0,"end":1,"link":"Q1"}"#,
        r#"{"id":"1","input":"x","output":[{"answer":"A"}],"meta":{"left_context":""}}"#,
        r#"{"id":"1","text":"x","tokens":[{"word":"a"}]}"#,
        "[]",
        "",
        r#"{"d1":[{"start":0,"end":1}],"d2":[]}"#,
        "{\"id\":1,\"text\":\"x\",\"title\":\"t\",\"labels\":[]}\n{\"id\":2,\"text\":\"x\",\"title\":\"t\",\"labels\":[{\"id\":1,\"span\":[0,1],\"entity_id\":\"Q1\"}]}",
    ] {
        assert_eq!(testing::score(&NestedJsonl, "x.jsonl", other), 0, "{other}");
    }
    let objects = r#"[{"id":1,"annotations":[{"result":[{"value":{"start":0,"end":4}}]}]}]"#;
    assert_eq!(testing::score(&NestedJsonl, "x.json", objects), EMPTY, "other objects");
    let long =
        format!(r#"{{"id":"1","text":"{}","entities":[{{"start":0,"end":1}}"#, "x".repeat(1_000));
    assert_eq!(testing::score(&NestedJsonl, "x.jsonl", &long), MENTIONS, "a line that is cut");
}
