use super::*;
use crate::{ReadOptions, testing};
use karat_model::Span;

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    testing::read(&WebAnnotation, &[("a.jsonld", content)], options).map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Corpus {
    read_with(content, &ReadOptions::default()).unwrap_or_else(|problem| panic!("{problem}"))
}

const ANNOTATION: &str = r#"{
  "@context": "http://www.w3.org/ns/anno.jsonld",
  "id": "http://example.org/anno1",
  "type": "Annotation",
  "motivation": "identifying",
  "body": [
    {"type": "SpecificResource", "purpose": "identifying", "source": "http://www.wikidata.org/entity/Q64"},
    {"id": "http://dbpedia.org/resource/Berlin", "purpose": "linking"},
    {"type": "TextualBody", "purpose": "tagging", "value": "LOC"},
    {"purpose": "classifying", "source": {"id": "http://dbpedia.org/ontology/City"}},
    {"type": "TextualBody", "purpose": "commenting", "value": "sure"}
  ],
  "target": {"source": "http://example.org/doc", "selector": [
    {"type": "TextQuoteSelector", "exact": "Berlin", "prefix": "in ", "suffix": "."},
    {"type": "TextPositionSelector", "start": 7, "end": 13}
  ]}
}"#;

#[test]
fn an_annotation_with_all_kinds_of_bodies() {
    let corpus = read(ANNOTATION);
    let document = corpus.document("http://example.org/doc").unwrap();
    assert_eq!(document.text(), None);
    let mention = document.mentions().next().unwrap();
    assert_eq!(mention.span(), Span::new(7, 13));
    assert_eq!(mention.entity(), Some("http://www.wikidata.org/entity/Q64"));
    assert_eq!(mention.equivalents().collect::<Vec<_>>(), ["http://dbpedia.org/resource/Berlin"]);
    let types: Vec<_> = mention.types().collect();
    assert_eq!(types, ["LOC", "http://dbpedia.org/ontology/City"]);
    assert_eq!(mention.attribute(attribute::COMMENT), Some("sure"));
    assert_eq!(mention.attribute(attribute::ID), Some("http://example.org/anno1"));
    assert_eq!(mention.attribute(attribute::SURFACE), Some("Berlin"));
}

#[test]
fn every_container_is_opened() {
    let page = format!(r#"{{"type":"AnnotationPage","items":[{ANNOTATION}]}}"#);
    let collection = format!(r#"{{"type":"AnnotationCollection","total":1,"first":{page}}}"#);
    let graph = format!(r#"{{"@graph":[{ANNOTATION}]}}"#);
    let array = format!("[{ANNOTATION},{ANNOTATION}]");
    let lines = format!("{ANNOTATION}\n{ANNOTATION}\n");
    for (content, count) in [(page, 1), (collection, 1), (graph, 1), (array, 2), (lines, 2)] {
        assert_eq!(read(&content).annotations().len(), count, "{content}");
    }
}

#[test]
fn selectors_that_refine_each_other() {
    let cases = [
        (
            r#"{"source":"d","selector":{"type":"TextPositionSelector","start":10,"end":50,"refinedBy":{"type":"TextPositionSelector","start":2,"end":5}}}"#,
            "d",
            12..15,
        ),
        (
            r#"{"source":"d","selector":{"type":"FragmentSelector","value":"p3","refinedBy":{"type":"TextPositionSelector","start":2,"end":5}}}"#,
            "d#p3",
            2..5,
        ),
        (
            r#"{"source":"d","selector":{"type":"FragmentSelector","value":"char=2,5;length=9"}}"#,
            "d",
            2..5,
        ),
        (r#""http://example.org/d#char=2,5""#, "http://example.org/d", 2..5),
    ];
    for (target, name, range) in cases {
        let content = format!(r#"{{"@context":"{CONTEXT}","body":"Q64","target":{target}}}"#);
        let corpus = read(&content);
        let mention = corpus.document(name).unwrap().mentions().next().unwrap();
        assert_eq!(
            (mention.span(), mention.entity()),
            (Span::new(range.start, range.end), Some("Q64"))
        );
    }
}

#[test]
fn a_quote_is_found_in_the_text() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("😀 Paris e\u{301} 𝔄 Paris!");
    let documents = Some(std::sync::Arc::new(builder.finish()));
    let options = ReadOptions { documents, ..ReadOptions::default() };
    let quote = |suffix: &str| {
        format!(
            r#"{{"@context":"{CONTEXT}","target":{{"source":"d","selector":{{"type":"TextQuoteSelector","exact":"Paris","suffix":"{suffix}"}}}}}}"#
        )
    };
    for (suffix, start) in [("!", 13), ("", 2), ("?", 2)] {
        let corpus = read_with(&quote(suffix), &options).unwrap();
        assert_eq!(corpus.annotations()[0].span, Span::new(start, start + 5));
    }
    let problem = read_with(&quote(""), &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.kind, Kind::Alignment);
}

#[test]
fn bad_annotations_are_located() {
    let text = r#"{"target":{"source":{"id":"d","value":"Köln"}}}"#;
    let at = |target: &str| {
        format!(r#"{{"@context":"{CONTEXT}","items":[{text},{{"id":"x1","target":{target}}}]}}"#)
    };
    let selector = |start: i32, end: i32, exact: &str| {
        at(&format!(
            r#"{{"source":"d","selector":[{{"type":"TextPositionSelector","start":{start},"end":{end}}},{{"type":"TextQuoteSelector","exact":"{exact}"}}]}}"#
        ))
    };
    let cases = [
        (selector(0, 9, "Köln"), Kind::Offset),
        (selector(0, 3, "Köln"), Kind::Surface),
        (selector(-1, 3, "Köln"), Kind::Malformed),
        (at("7"), Kind::Malformed),
        (at(r#"{"source":"d","selector":{"type":"SvgSelector"}}"#), Kind::Malformed),
    ];
    for (content, kind) in cases {
        let problem = read_with(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((problem.kind, place.line, place.column), (kind, 1, 111), "{problem}");
        assert!(problem.hint.is_some());
        let lenient = testing::lenient();
        assert_eq!(read_with(&content, &lenient).unwrap().len(), 1);
    }
}

#[test]
fn other_json_is_not_claimed() {
    for content in ["{\"document\":\"d\"}", "{\"target\":\"x\",\"body\":\"y\"}", "[1]", ""] {
        assert_eq!(testing::score(&WebAnnotation, "x.json", content), 0, "{content}");
    }
}
