use super::*;
use crate::{Kind, ReadOptions, ReadOutcome, testing};
use karat_model::{Link, MarkKind, Span};

fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read_as(&BiocJson, &[("m.json", content)], options)
}

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default()).map(|outcome| outcome.corpus)
}

const DOCUMENT: &str = r#"{"_id": "9|None", "id": 9, "infons": {"license": null, "year": 2020},
 "passages": [
  {"offset": 0, "infons": {"type": "title"}, "text": "\ud83d\ude00 Z\u00fcrich", "sentences": [], "annotations": [
   {"id": "a1", "infons": {"identifier": "Q72", "type": "City", "valid": true, "normalized": [1, {"x": 2}]},
    "text": "Zürich", "locations": [{"offset": 2, "length": 6}]},
   {"id": "a2", "infons": {"type": "Emoji", "identifier": null, "normalized_id": 12}, "text": "😀", "locations": [{"offset": "0", "length": "1"}]}]},
  {"offset": 9, "infons": {}, "text": "e\u0301t", "annotations": null,
   "sentences": [{"offset": 9, "infons": {}, "text": "e\u0301t", "annotations": [
    {"id": "a3", "infons": {"MESH": "-"}, "locations": [{"offset": 9, "length": 2}]}]}]}],
 "annotations": [], "relations": []}"#;

#[test]
fn a_document_with_all_its_fields() {
    let shapes = [
        format!(
            "{{\"source\": \"x\", \"date\": \"\", \"key\": \"\", \"documents\": [{DOCUMENT}]}}"
        ),
        format!("[{{\"bioctype\": \"BioCCollection\", \"documents\": [{DOCUMENT}]}}]"),
        format!("{{\"PubTator3\": [{DOCUMENT}]}}"),
        DOCUMENT.replace('\n', " ") + "\n",
    ];
    for content in shapes {
        let corpus = read(&content).unwrap();
        let document = corpus.document("9").unwrap();
        assert_eq!(document.text(), Some("😀 Zürich\ne\u{301}t"));
        assert_eq!(document.attributes().collect::<Vec<_>>(), [("year", "2020")]);
        assert_eq!(
            document.marks_of(MarkKind::Passage).collect::<Vec<_>>(),
            [(Span::new(0, 8), "title")]
        );
        let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).collect();
        assert_eq!(sentences, [(Span::new(9, 12), "")]);
        let [first, second, third] = &document.mentions().collect::<Vec<_>>()[..] else { panic!() };
        assert_eq!((first.surface(), first.entity()), (Some("Zürich"), Some("Q72")));
        assert_eq!(first.types().next(), Some("City"));
        assert_eq!(first.attribute("valid"), Some("true"));
        assert_eq!((second.surface(), second.entity()), (Some("😀"), Some("12")));
        assert_eq!((third.span(), third.link()), (Span::new(9, 11), Link::NIL));
        assert_eq!(third.attribute("database"), Some("MESH"));
    }
}

#[test]
fn it_is_recognised_and_others_are_not() {
    let detect = |text: &str| testing::score(&BiocJson, "x.json", text);
    assert_eq!(detect(DOCUMENT), 90);
    assert_eq!(
        detect("{\"id\":\"1\",\"text\":\"x\",\"annotations\":[],\"metadata\":{\"passages\":[]}}"),
        0
    );
    assert_eq!(detect("{\"document\":\"d\",\"text\":\"\\\"infons\\\": \\\"passages\\\":\"}"), 0);
    assert_eq!(detect("\"infons\": \"passages\":"), 0);
}

#[test]
fn bad_files_are_located() {
    let entity = |locations: &str| {
        format!(
            "{{\"documents\":[{{\"id\":\"d\",\"passages\":[{{\"offset\":0,\"infons\":{{}},\"text\":\"Bern\",\"annotations\":[\n\
             {{\"id\":\"a7\",\"text\":\"Bern\",\"infons\":{{}},\"locations\":{locations}}}]}}]}}]}}"
        )
    };
    let cases = [
        (
            entity("[{\"offset\":0,\"length\":9}]"),
            Kind::Offset,
            (2, 8),
            "offset 0..9 lies outside the text, which has 4 code points",
        ),
        (
            entity("[{\"offset\":0,\"length\":3}]"),
            Kind::Surface,
            (2, 8),
            "the mention is “Bern” but the text at 0..3 is “Ber”",
        ),
        (
            entity("[{\"offset\":-1,\"length\":3}]"),
            Kind::Malformed,
            (2, 8),
            "expected a whole number, found `-1`",
        ),
        (
            entity("[{\"offset\":1.5,\"length\":3}]"),
            Kind::Malformed,
            (2, 8),
            "expected a whole number, found `1.5`",
        ),
        (entity("[{\"length\":3}]"), Kind::Malformed, (2, 8), "the location has no offset"),
        (
            entity("{}"),
            Kind::Malformed,
            (2, 49),
            "bad JSON: invalid type: map, expected a sequence",
        ),
        (
            "{\"documents\":[\n{\"id\":\"d\",".to_owned(),
            Kind::Truncated,
            (2, 10),
            "the JSON ends too early, inside a value",
        ),
        ("[{\"documents\":\n[}]".to_owned(), Kind::Malformed, (2, 2), "bad JSON: expected value"),
        (
            "{\"documents\":[{\"passages\":[]}]}".to_owned(),
            Kind::Malformed,
            (1, 1),
            "the document has no id",
        ),
        (
            "{\"documents\":[{\"id\":\"d\"},\n{\"id\":\"d\"}]}".to_owned(),
            Kind::DuplicateDocument,
            (2, 8),
            "document `d` occurs twice",
        ),
    ];
    for (content, kind, position, message) in cases {
        let problem = read_with(&content, &testing::strict()).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind), "{content}");
        assert_eq!((place.line, place.column), position, "{content}");
        assert!(problem.hint.is_some());
    }
    let deep = format!("{{\"documents\":{}", "[".repeat(100_000));
    assert!(read(&deep).is_err());
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let content = "{\"id\":\"1\",\"passages\":[{\"offset\":0,\"infons\":{},\"text\":\"ab\",\"annotations\":[\
        {\"locations\":[{\"offset\":7,\"length\":1}]},{\"locations\":[{\"offset\":0,\"length\":1}]}]}]}\n{\"id\":";
    let outcome = read_with(content, &options).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (1, 1));
    let kinds: Vec<_> = outcome.findings.skipped().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [Kind::Offset, Kind::Truncated]);
}

#[test]
fn two_values_of_one_key_are_refused() {
    let mut builder = karat_model::CorpusBuilder::new();
    builder.begin_document("1").unwrap();
    builder.set_text("ab");
    let two = builder.annotate(Span::new(0, 1), Link::NONE);
    two.attribute("comment", "a").attribute("comment", "b");
    let corpus = builder.finish();
    assert!(testing::write(&BiocJson, &corpus).is_err());
    assert!(testing::write(&bioc::BiocXml, &corpus).is_ok());
}
