use super::reference::LITERALS;
use super::*;
use crate::problem::Kind;
use crate::{ReadOptions, Registry};
use karat_model::{CorpusBuilder, Document, Link, MarkKind, Mention, Place, Span};
use serde_json::{Value, json};

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    let input = Input::from(Source::memory("m.benchmark.jsonl", content));
    Registry::new(&[&Elevant]).read(&input, Some("elevant"), options).map(|outcome| outcome.corpus)
}

/// The corpus of one article with this text and these further keys.
fn article(keys: Value) -> Corpus {
    let mut article = json!({"id": 7, "title": "", "text": "Berlin and Bonn are cities."});
    article.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    let corpus = read_with(&article.to_string(), &ReadOptions::default()).unwrap();
    let again = read_with(&written(&corpus).to_string(), &ReadOptions::default()).unwrap();
    assert_eq!(corpus.difference(&again), None);
    corpus
}

fn written(corpus: &Corpus) -> Value {
    let mut output = Output::memory(Layout::File);
    Elevant.write(corpus, &mut output).unwrap();
    let source = output.into_sources().remove(0);
    let text = source.text().unwrap();
    serde_json::from_str(text.as_str()).unwrap()
}

fn document(corpus: &Corpus) -> Document<'_> {
    corpus.documents().next().unwrap()
}

fn first(corpus: &Corpus) -> Mention<'_> {
    document(corpus).mentions().next().unwrap()
}

/// The corpus of an article with one label, which has these further keys.
fn label(keys: Value) -> Corpus {
    let mut label = json!({"id": 0, "span": [0, 6], "entity_id": "Q64"});
    label.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    article(json!({"labels": [label]}))
}

/// The corpus of an article with one mention, which has these further keys.
fn mention(keys: Value) -> Corpus {
    let mut mention = json!({"span": [0, 6]});
    mention.as_object_mut().unwrap().extend(keys.as_object().unwrap().clone());
    article(json!({"labels": [], "entity_mentions": [mention]}))
}

#[test]
fn an_article_says_what_it_is() {
    let corpus = article(json!({
        "title": "T", "url": "https://a.b", "evaluation_span": [0, 15],
        "hyperlinks": [[[0, 6], "Berlin"]], "title_synonyms": [[11, 15]],
        "sections": [[[0, 27], "Top"], [[0, 5], ""]],
    }));
    let document = document(&corpus);
    assert_eq!(document.name(), "7");
    assert_eq!(document.text(), Some("Berlin and Bonn are cities."));
    assert_eq!(document.attribute(attribute::TITLE), Some("T"));
    assert_eq!(document.attribute(attribute::URL), Some("https://a.b"));
    assert_eq!(document.evaluation_span(), Some(Span::new(0, 15)));
    let marks = |kind| document.marks_of(kind).collect::<Vec<_>>();
    assert_eq!(marks(MarkKind::Hyperlink), [(Span::new(0, 6), "Berlin")]);
    assert_eq!(marks(MarkKind::TitleSynonym), [(Span::new(11, 15), "")]);
    assert_eq!(marks(MarkKind::Section), [(Span::new(0, 27), "Top"), (Span::new(0, 5), "")]);
}

#[test]
fn names_of_documents() {
    for (id, title, name, written_id) in [
        (json!(5), "T", "5", 5),
        (json!("5"), "T", "5", 5),
        (json!(-1), "T", "T", -1),
        (json!(-1), "", "0", 0),
        (Value::Null, "", "0", 0),
        (json!("x"), "T", "x", -1),
    ] {
        let corpus = article(json!({"id": id, "title": title}));
        assert_eq!(document(&corpus).name(), name);
        assert_eq!(written(&corpus)["id"], written_id);
    }
    let lines = "{\"id\": -1, \"title\": \"\", \"text\": \"a\"}\n".repeat(3);
    let corpus = read_with(&lines, &ReadOptions::default()).unwrap();
    let names: Vec<_> = corpus.documents().map(|document| document.name()).collect();
    assert_eq!(names, ["0", "1", "2"]);
}

#[test]
fn ids_of_entities() {
    let links = [
        ("Q64", Some("Q64"), false, None),
        ("", Some(""), false, None),
        ("Margaret Ackrill", Some("Margaret Ackrill"), false, None),
        ("<NIL>", None, true, None),
        ("<NO_MAPPING>", None, true, None),
        ("Unknown", None, true, None),
        ("Unknown12", None, true, Some("12")),
        ("QUANTITY", Some("QUANTITY"), false, None),
    ];
    for (id, entity, nil, cluster) in links {
        for corpus in [label(json!({"entity_id": id})), mention(json!({"id": id}))] {
            let mention = first(&corpus);
            assert_eq!(
                (mention.entity(), mention.link().is_nil(), mention.nil_cluster()),
                (entity, nil, cluster),
                "{id}"
            );
        }
    }
    let reason =
        |id| first(&label(json!({"entity_id": id}))).attribute(NIL_REASON).map(str::to_owned);
    assert_eq!((reason("<NIL>"), reason("<NO_MAPPING>")), (None, Some("no mapping".to_owned())));
    let spelled = |id| written(&label(json!({"entity_id": id})))["labels"][0]["entity_id"].clone();
    assert_eq!([spelled("<NO_MAPPING>"), spelled("Unknown")], ["<NO_MAPPING>", "<NIL>"]);
}

#[test]
fn quantities_and_dates_are_neither_known_nor_nil() {
    for literal in LITERALS {
        let corpus = label(json!({"entity_id": literal, "type": literal}));
        let mention = first(&corpus);
        assert!(mention.link().is_none());
        assert_eq!(mention.types().collect::<Vec<_>>(), [literal]);
        assert_eq!(written(&corpus)["labels"][0]["entity_id"], literal);
    }
}

#[test]
fn names_types_and_flags_of_a_label() {
    let corpus = label(json!({"name": "Berlin", "type": "Q515|Q43229"}));
    assert_eq!(first(&corpus).attribute(attribute::NAME), Some("Berlin"));
    assert_eq!(first(&corpus).types().collect::<Vec<_>>(), ["Q515", "Q43229"]);
    for (keys, flags) in [
        (json!({}), Flags::empty()),
        (json!({"optional": true}), Flags::OPTIONAL),
        (json!({"optional": false, "desc": false}), Flags::empty()),
        (json!({"desc": true}), Flags::DESCRIPTIVE),
        (json!({"coref": true}), Flags::COREFERENCE),
        (json!({"coref": false}), Flags::NOT_COREFERENCE),
    ] {
        assert_eq!(first(&label(keys)).flags(), flags | Flags::GOLD);
    }
}

#[test]
fn children_are_one_reading_of_their_parent() {
    let corpus = article(json!({"labels": [
        {"id": 3, "span": [0, 15], "entity_id": "Q1", "children": [5, 4]},
        {"id": 4, "span": [0, 6], "entity_id": "Q64", "parent": 3},
        {"id": 5, "span": [11, 15], "entity_id": "Q586", "parent": 4, "children": []},
        {"id": 3000, "span": [11, 15], "entity_id": "Q586", "parent": 4, "children": []},
    ]}));
    let mentions: Vec<_> = document(&corpus).mentions().collect();
    let places: Vec<_> = mentions.iter().map(Mention::place).collect();
    let part_of = |parent| Some(Place { parent, reading: 1 });
    assert_eq!(places, [None, part_of(0), part_of(1), part_of(1)]);
    assert_eq!(mentions[0].attribute(CHILDREN), Some("5 4"), "not what `parent` says");
    assert_eq!(mentions[1].attribute(CHILDREN), None);
    assert_eq!(mentions[3].attribute(attribute::ID), Some("3000"));
    let labels = &written(&corpus)["labels"];
    assert_eq!(labels[0]["children"], json!([5, 4]));
    assert_eq!(labels[1]["children"], json!([5, 3000]));
}

#[test]
fn the_number_of_a_label_is_kept_where_it_is_not_its_position() {
    assert_eq!(first(&label(json!({"id": 0}))).attribute(attribute::ID), None);
    let corpus = label(json!({"id": 9}));
    assert_eq!(first(&corpus).attribute(attribute::ID), Some("9"));
    assert_eq!(written(&corpus)["labels"][0]["id"], 9);
}

#[test]
fn what_a_mention_says() {
    let corpus = mention(json!({
        "id": "Q64", "recognized_by": "R", "linked_by": "L", "candidates": ["Q1", "<NIL>", null, "Q64"],
        "referenced_span": [11, 15], "contained": false, "score": 0.1,
    }));
    let mention = first(&corpus);
    assert_eq!((mention.span(), mention.entity()), (Span::new(0, 6), Some("Q64")));
    assert_eq!(mention.flags(), Flags::PREDICTED);
    assert_eq!(mention.confidence(), Some(0.1));
    let candidates: Vec<_> = mention.candidates().map(|c| (c.entity, c.score)).collect();
    assert_eq!(candidates, [(Some("Q1"), None), (None, None), (None, None), (Some("Q64"), None)]);
    for (key, value) in [
        (attribute::RECOGNIZED_BY, "R"),
        (attribute::LINKED_BY, "L"),
        (REFERENCED_SPAN, "11 15"),
        (CONTAINED, "false"),
    ] {
        assert_eq!(mention.attribute(key), Some(value));
    }
}

#[test]
fn a_mention_of_2023_without_an_id_is_nil_and_null_is_no_answer() {
    assert_eq!(first(&mention(json!({}))).link(), Link::NIL);
    assert_eq!(written(&mention(json!({})))["entity_mentions"][0]["id"], "<NIL>");
    assert_eq!(first(&mention(json!({"id": null}))).link(), Link::NONE);
}

#[test]
fn labels_of_2023_name_what_they_lack() {
    let corpus = label(json!({"parent": null, "children": [], "optional": false, "type": "OTHER"}));
    let label = json!({"id": 0, "span": [0, 6], "entity_id": "Q64", "type": "OTHER"});
    assert_eq!(written(&corpus)["labels"][0], label);
}

#[test]
fn both_sides_of_a_file_survive() {
    let label = json!({"id": 0, "span": [0, 6], "entity_id": "Q64"});
    let mention = json!({"span": [0, 6], "id": "Q1", "candidates": []});
    let keys = json!({"labels": [label], "entity_mentions": [mention]});
    let corpus = article(keys.clone());
    let flags: Vec<_> = document(&corpus).mentions().map(|mention| mention.flags()).collect();
    assert_eq!(flags, [Flags::GOLD, Flags::PREDICTED]);
    let written = written(&corpus);
    assert_eq!(written["labels"], keys["labels"]);
    assert_eq!(written["entity_mentions"], keys["entity_mentions"]);
    assert_eq!(written.get("sides"), None);
}

#[test]
fn other_orders_and_sides_are_spelled_out() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("Berlin and Bonn");
    builder.annotate(Span::new(0, 6), Link::NIL).flags(Flags::PREDICTED);
    builder.annotate(Span::new(0, 6), Link::NIL).attribute(attribute::ID, "1");
    let root = builder.annotate(Span::new(0, 15), Link::NIL).flags(Flags::GOLD).index();
    builder.annotate(Span::new(0, 6), Link::NIL).flags(Flags::PREDICTED).part_of(root, 1);
    builder.annotate(Span::new(0, 6), Link::NIL).flags(Flags::PREDICTED | Flags::GOLD);
    let corpus = builder.finish();
    let written = written(&corpus);
    assert_eq!((&written["sides"], &written["name"]), (&json!("p-gPb"), &json!("d")));
    let again = read_with(&written.to_string(), &ReadOptions::default()).unwrap();
    assert_eq!(corpus.difference(&again), None);
}

#[test]
fn offsets_count_code_points() {
    let line = r#"{"id": 1, "title": "", "text": "👩‍🚀 in e\u0301te\u0301 𝔄!", "labels": [{"id": 0, "span": [7, 12], "entity_id": "Q1"}, {"id": 1, "span": [13, 14], "entity_id": "Q2"}]}"#;
    let corpus = read_with(line, &ReadOptions::default()).unwrap();
    let surfaces: Vec<_> = document(&corpus).mentions().filter_map(|m| m.surface()).collect();
    assert_eq!(surfaces, ["e\u{301}te\u{301}", "𝔄"]);
}

#[test]
fn bad_articles_are_located() {
    let good = r#"{"id": 0, "title": "", "text": "a"}"#;
    let labels = |labels: &str| {
        format!(
            "{good}\n{{\"id\": 1, \"title\": \"\", \"text\": \"Berlin\", \"labels\": [{labels}]}}\n"
        )
    };
    let cases = [
        (
            labels(r#"{"id": 0, "span": [0, 9], "entity_id": "Q64"}"#),
            93,
            Kind::Offset,
            "offset 0..9 lies outside the text, which has 6 code points",
        ),
        (
            labels(r#"{"id": 0, "span": [4, 2], "entity_id": "Q64"}"#),
            93,
            Kind::Offset,
            "the mention ends at 2, before it starts at 4",
        ),
        (
            labels(r#"{"id": 0, "span": 5}"#),
            71,
            Kind::Malformed,
            "bad JSON: invalid type: integer `5`, expected a tuple of size 2",
        ),
        (labels(r#"{"id": 0}"#), 61, Kind::Malformed, "bad JSON: missing field `span`"),
        (format!("{good}\n{good}"), 1, Kind::DuplicateDocument, "document `0` occurs twice"),
        (format!("{good}\n{{\"id\": 3}}"), 9, Kind::Malformed, "bad JSON: missing field `text`"),
        (
            format!("{good}\n{{\"id\": 3"),
            8,
            Kind::Truncated,
            "the JSON ends too early, inside an object",
        ),
        (
            format!("{good}\n{{\"text\": \"a\", \"evaluation_span\": [0, 5]}}"),
            15,
            Kind::Offset,
            "`evaluation_span`: offset 0..5 lies outside the text, which has 1 code points",
        ),
        (
            format!(
                "{good}\n{}",
                r#"{"text": "a \"hyperlinks\": b", "title": "hyperlinks", "hyperlinks": [[[0, 1], "x"], [[1, 99], "y"]]}"#
            ),
            56,
            Kind::Offset,
            "`hyperlinks`: offset 1..99 lies outside the text, which has 17 code points",
        ),
        (
            format!("{good}\n{{\"text\": \"a\", \"sections\": [[[1, 0], \"x\"]]}}"),
            15,
            Kind::Offset,
            "`sections`: the mention ends at 0, before it starts at 1",
        ),
        (
            format!("{good}\n{{\"text\": \"a\", \"sides\": \"g\"}}"),
            1,
            Kind::Malformed,
            "`sides` is `g`, expected one letter of `gpPb-` for each of 0 labels and 0 mentions",
        ),
    ];
    for (content, column, kind, message) in cases {
        let problem = read_with(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!((place.line, place.column), (2, column), "{message}");
        assert!(problem.hint.is_some(), "{message}");
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = read_with(&content, &lenient).unwrap();
        assert_eq!(corpus.annotations().len(), 0, "{message}");
        assert!(corpus.document("0").is_some());
    }
}

/// The article of a line with a label below one that is not there, another below that, and a root.
const DANGLING: &str = r#"{"id": 7, "title": "", "text": "Berlin and Bonn", "labels": [
    {"id": 3, "span": [0, 6], "entity_id": "Q64", "parent": 99, "children": [4]},
    {"id": 4, "span": [0, 3], "entity_id": "Q1", "parent": 3},
    {"id": 5, "span": [11, 15], "entity_id": "Q586"}]}"#;

#[test]
fn a_label_below_one_that_is_not_there_has_no_root() {
    let content = DANGLING.replace('\n', "");
    let input = Input::from(Source::memory("m.benchmark.jsonl", content.clone()));
    let registry = Registry::new(&[&Elevant]);
    let outcome = registry.read(&input, None, &ReadOptions::default()).unwrap();
    assert!(outcome.findings.is_empty());
    let [notice] = &outcome.notices[..] else { panic!("{:?}", outcome.notices) };
    assert_eq!(
        notice.message,
        "in `m.benchmark.jsonl`, 1 label names a parent that is not there, and counts nowhere, \
         as in ELEVANT; the first is 0..6 of `7`, whose parent is 99"
    );
    let mentions: Vec<_> = document(&outcome.corpus).mentions().collect();
    let part_of = |parent| Some(Place { parent, reading: 1 });
    assert_eq!(
        mentions.iter().map(karat_model::Mention::place).collect::<Vec<_>>(),
        [part_of(0), part_of(0), None]
    );
    assert_eq!(mentions[0].attribute(attribute::MISSING_PARENT), Some("99"));
    assert_eq!(mentions[0].attribute(CHILDREN), None);
    let again = written(&outcome.corpus);
    assert_eq!(again["labels"][0]["parent"], 99);
    assert_eq!(again["labels"][0]["children"], json!([4]));
    let again = read_with(&again.to_string(), &ReadOptions::default()).unwrap();
    assert_eq!(outcome.corpus.difference(&again), None);
}

#[test]
fn a_parent_that_is_there_is_not_written_as_missing() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("1").unwrap();
    builder.set_text("Berlin");
    let label = builder.annotate(Span::new(0, 6), Link::NIL).flags(Flags::GOLD).part_of(0, 1);
    label.attribute(attribute::MISSING_PARENT, "0");
    let refused = Elevant.write(&builder.finish(), &mut Output::memory(Layout::File)).unwrap_err();
    assert!(refused.to_string().contains("`0` is not the id of a missing parent"), "{refused}");
}

#[test]
fn a_lenient_reading_leaves_out_only_what_is_bad() {
    let read = |keys: &str| {
        let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
        let line = format!(
            r#"{{"id": 0, "title": "", "text": "Berlin", "labels": [{{"id": 0, "span": [0, 6], "entity_id": "Q64"{keys}}}]}}"#
        );
        let strict = read_with(&line, &ReadOptions::default()).unwrap_err();
        (strict.message, read_with(&line, &lenient).unwrap())
    };
    let (message, corpus) = read(r#", "children": [0, 7]"#);
    assert_eq!(message, "there is no label 7, a child of this one");
    assert_eq!(first(&corpus).attribute(CHILDREN), Some("0"));
    let (message, corpus) = read(r#", "referenced_span": [0, 9]"#);
    assert!(message.starts_with("`referenced_span`: offset 0..9 lies outside"), "{message}");
    assert_eq!(first(&corpus).entity(), Some("Q64"));
    let (message, corpus) = read(r#"}], "evaluation_span": [0, 9], "x": [{"y": 0"#);
    assert!(message.starts_with("`evaluation_span`: "), "{message}");
    assert_eq!(document(&corpus).evaluation_span(), None);
    assert_eq!(first(&corpus).entity(), Some("Q64"));
}

#[test]
fn what_would_be_read_otherwise_is_refused() {
    let refused = |entity: &str, name: &str, kind: &str| {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text("Berlin");
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(0, 6), link).types([kind]).attribute(REFERENCED_SPAN, name);
        Elevant.write(&builder.finish(), &mut Output::memory(Layout::File)).is_err()
    };
    assert!(!refused("Q1", "", "LOC"));
    for (entity, span, kind) in [
        ("<NIL>", "", ""),
        ("Unknown4", "", ""),
        ("DATETIME", "", "DATETIME"),
        ("Q1", "", "A|B"),
        ("Q1", "x", ""),
    ] {
        assert!(refused(entity, span, kind), "{entity} {span} {kind}");
    }
}

#[test]
fn only_articles_are_recognised() {
    let score = |line: &str| {
        let sample = Sample { name: "x.jsonl", bytes: line.as_bytes(), text: line, complete: true };
        Elevant.detect(&sample)
    };
    assert_eq!(
        score(r#"{"id": 0, "title": "", "text": "a", "evaluation_span": [0, 1], "labels": []}"#),
        90
    );
    for other in [
        r#"[{"span": [0, 1], "entity_id": "Q1", "evaluation_span": 1}]"#,
        r#"{"IGNORED": {"mention_types": {}}}"#,
        r#"{"text_statistics": {"words": 640}}"#,
        r#"{"id": "1", "input": "a", "output": []}"#,
        r#"{"text": "a", "labels": [{"entity_reference": "Q1", "start_char": 0, "end_char": 1}]}"#,
        "d\t0\t1",
    ] {
        assert_eq!(score(other), 0, "{other}");
    }
}
