use super::*;
use crate::{Kind, ReadOptions, testing};
use karat_model::{End, Mention, Span, attribute};

fn read_with(content: &str, options: &ReadOptions) -> Result<crate::ReadOutcome, Problem> {
    testing::read(&LabelStudio, &[("export.json", content)], options)
}

fn read(content: &str) -> Corpus {
    read_with(content, &ReadOptions::default()).unwrap_or_else(|p| panic!("{p}")).corpus
}

fn task(text: &str, results: &str) -> String {
    let text = Value::from(text);
    format!(r#"[{{"id":7,"data":{{"text":{text}}},"annotations":[{{"result":[{results}]}}]}}]"#)
}

fn region(start: usize, end: usize, text: &str) -> String {
    format!(
        r#"{{"id":"r1","from_name":"ner","to_name":"text","type":"labels","value":{{"start":{start},"end":{end},"text":"{text}","labels":["LOC"]}}}}"#
    )
}

const EXPORT: &str = r#"[{
  "id": 12, "project": 1,
  "data": {"text": "Berlin is large. So is 東京.", "topic": "cities", "year": 2024},
  "annotations": [
    {"id": 1, "was_cancelled": true, "result": []},
    {"id": 2, "was_cancelled": false, "ground_truth": false, "completed_by": 3, "result": [
      {"id": "aXy_1", "from_name": "label", "to_name": "text", "type": "labels", "origin": "manual",
       "value": {"start": 0, "end": 6, "text": "Berlin", "labels": ["LOC", "City"]}},
      {"id": "aXy_1", "from_name": "entity_id", "to_name": "text", "type": "textarea",
       "value": {"start": 0, "end": 6, "text": ["Q64", "http://dbpedia.org/resource/Berlin"]}},
      {"id": "aXy_1", "from_name": "comment", "to_name": "text", "type": "textarea",
       "value": {"start": 0, "end": 6, "text": ["sure"]}},
      {"id": "b", "from_name": "label", "to_name": "text", "type": "labels",
       "value": {"start": "23", "end": "25", "text": "東京", "labels": ["LOC"]}},
      {"id": "b", "from_name": "kb", "to_name": "text", "type": "taxonomy",
       "value": {"start": 23, "end": 25, "taxonomy": [["Japan", "Q1490"]]}},
      {"id": "c", "from_name": "mood", "to_name": "text", "type": "choices", "value": {"choices": ["fine"]}},
      {"type": "relation", "from_id": "aXy_1", "to_id": "b", "direction": "right"}
    ]}],
  "predictions": [{"model_version": "m-1", "score": 0.5, "result": [
      {"id": "p", "from_name": "label", "to_name": "text", "type": "labels", "score": 0.75,
       "value": {"start": 0, "end": 6, "text": "Berlin", "labels": ["LOC"]}},
      {"id": "q", "from_name": "label", "to_name": "text", "type": "labels",
       "value": {"start": 10, "end": 15, "text": "large", "labels": []}}]}]
}]"#;

#[test]
fn an_export_with_annotations_and_predictions() {
    let corpus = read(EXPORT);
    let document = corpus.document("12").unwrap();
    let facts: Vec<_> = document.attributes().collect();
    assert_eq!(
        facts,
        [("topic", "cities"), ("year", "2024"), ("model_version", "m-1"), ("mood", "fine")]
    );
    let mentions: Vec<_> = document.mentions().collect();
    let shown: Vec<_> =
        mentions.iter().map(|m| (m.surface().unwrap(), m.entity(), m.confidence())).collect();
    assert_eq!(
        shown,
        [
            ("Berlin", Some("Q64"), None),
            ("東京", Some("Q1490"), None),
            ("Berlin", None, Some(0.75)),
            ("large", None, Some(0.5)),
        ]
    );
    assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["LOC", "City"]);
    assert_eq!(mentions[0].equivalents().next(), Some("http://dbpedia.org/resource/Berlin"));
    assert_eq!(mentions[0].attribute(attribute::COMMENT), Some("sure"));
    let sides: Vec<_> = mentions.iter().map(Mention::flags).collect();
    assert_eq!(sides, [Flags::GOLD, Flags::GOLD, Flags::PREDICTED, Flags::PREDICTED]);
}

#[test]
fn the_ground_truth_is_preferred_and_the_others_are_noted() {
    let content = r#"{"data":{"text":"ab"},"completions":[{"result":[]},
        {"ground_truth":true,"result":[{"id":"x","from_name":"l","to_name":"text","type":"labels","value":{"start":0,"end":1,"labels":["A"]}}]}]}"#;
    let outcome = read_with(content, &ReadOptions::default()).unwrap();
    assert_eq!(outcome.corpus.annotations().len(), 1);
    let noted = &outcome.findings.repaired()[0];
    assert_eq!(noted.message, "1 more of the `annotations` of this task are left out");
}

#[test]
fn both_ways_of_counting_are_understood() {
    // An emoji, a combining mark and an astral letter before the mention.
    let text = "😀 e\u{301} 𝔄 Berlin";
    for (start, end) in [(7, 13), (9, 15)] {
        let corpus = read(&task(text, &region(start, end, "Berlin")));
        assert_eq!(corpus.annotations()[0].span, Span::new(7, 13));
    }
    let corpus = read(&task("a\nb c", &region(0, 3, r"a\\nb")));
    assert_eq!(corpus.annotations()[0].span, Span::new(0, 3));
}

#[test]
fn nil_is_written_as_a_link() {
    for (link, nil, cluster) in
        [("NIL", true, None), ("NIL:7", true, Some("7")), ("Nile", false, None)]
    {
        let area = format!(
            r#",{{"id":"r1","from_name":"link","to_name":"text","type":"textarea","value":{{"text":["{link}"]}}}}"#
        );
        let corpus = read(&task("Berlin", &(region(0, 6, "Berlin") + &area)));
        let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!((mention.link().is_nil(), mention.nil_cluster()), (nil, cluster), "{link}");
    }
}

#[test]
fn a_text_elsewhere_leaves_a_document_without_text() {
    let corpus = read(&task("https://example.org/a.txt", &region(0, 6, "Berlin")));
    let document = corpus.document("7").unwrap();
    assert_eq!(
        (document.text(), document.attribute("url")),
        (None, Some("https://example.org/a.txt"))
    );
    let mention = document.mentions().next().unwrap();
    assert_eq!(mention.attribute(attribute::SURFACE), Some("Berlin"));
}

#[test]
fn an_inclusive_end_needs_no_text() {
    let content = task("https://example.org/a.txt", &region(0, 5, "Berlin"));
    let options = ReadOptions { end: Some(End::Inclusive), ..ReadOptions::default() };
    let corpus = read_with(&content, &options).unwrap().corpus;
    assert_eq!(corpus.document("7").unwrap().mention(0).unwrap().span(), Span::new(0, 6));
}

#[test]
fn the_text_may_have_another_name() {
    let content = r#"{"data":{"id":"d","ner":"Berlin is large","lang":"en"},"annotations":[{"result":[]}],"predictions":[]}"#;
    let corpus = read(content);
    let document = corpus.document("d").unwrap();
    assert_eq!(
        (document.text(), document.attribute("lang")),
        (Some("Berlin is large"), Some("en"))
    );
}

#[test]
fn bad_tasks_are_located() {
    let cases = [
        (task("Berlin", &region(0, 99, "Berlin")), Kind::Offset, 67),
        (task("Berlin", &region(0, 3, "Berlin")), Kind::Surface, 67),
        (task("Berlin", &region(0, 6, "Berlin").replace(":6", ":6.5")), Kind::Malformed, 67),
        (
            task("Berlin", &region(0, 6, "Berlin").replace("\"labels\",", "\"hypertextlabels\",")),
            Kind::Malformed,
            67,
        ),
        (r#"[{"data":7,"annotations":[]}]"#.to_owned(), Kind::Malformed, 10),
        (
            r#"[{"data":{"id":"a","text":""},"annotations":[]},{"data":{"id":"a","text":""}}]"#
                .to_owned(),
            Kind::DuplicateDocument,
            49,
        ),
        (r#"[{"data":{"text":"a"},"annotations":[]}"#.to_owned(), Kind::Truncated, 1),
    ];
    for (content, kind, column) in cases {
        let problem = read_with(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.clone().unwrap_or_else(|| panic!("{problem}"));
        assert_eq!((problem.kind, place.line, place.column), (kind, 1, column), "{problem}");
        assert!(problem.hint.is_some());
        let lenient = testing::lenient();
        assert!(!read_with(&content, &lenient).unwrap().findings.is_empty());
    }
}

#[test]
fn other_json_is_not_claimed() {
    for content in ["{\"document\":\"d\",\"annotations\":[]}", "{\"data\":[1,2]}", "[1]", ""] {
        assert_eq!(testing::score(&LabelStudio, "x.json", content), 0, "{content}");
    }
}
