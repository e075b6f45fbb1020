//! Every format is recognised by its content, and none claims a file of another.

use crate::data;
use karat::formats::{Format, Input, Output, ReadOptions, Registry, Source};
use karat::model::{Corpus, CorpusBuilder, Link, Span};

/// Small files of the formats that are only read, by the name of the format.
pub(crate) const READ_ONLY: [(&str, &str); 14] = [
    (
        "kilt",
        r#"{"id":"1 EU:0","input":"in [START_ENT] Rome [END_ENT] now","output":[{"answer":"Rome","provenance":[{"wikipedia_id":"25458","title":"Rome"}]}],"meta":{"left_context":"in","mention":"Rome","right_context":"now"}}"#,
    ),
    (
        "blink",
        r#"{"id":0,"label":"unknown","label_id":-1,"context_left":"in","mention":"rome","context_right":"now"}"#,
    ),
    (
        "refined",
        r#"{"id":"d","text":"in Rome","spans":[{"text":"Rome","start":3,"ln":4,"predicted_entity":{"wikidata_entity_id":"Q220"}}]}"#,
    ),
    ("refined", r#"{"text":"in Rome","mentions":[{"start":3,"length":4,"wiki_name":"Rome"}]}"#),
    (
        "refined",
        r#"[{"text":"Rome","start":3,"ln":4,"predicted_entity":{"wikidata_entity_id":"Q220"}}]"#,
    ),
    ("rel", r#"{"d": [[3, 4, "Rome", "Rome", 0.5, 0.9, "LOC"]]}"#),
    ("rel", r#"[[3, 4, "Rome", "Rome", 0.5, 0.9, "LOC"]]"#),
    (
        "mewsli",
        "docid\tposition\tlength\tmention\turl\tlang\tqid\tqid_in_refs\tfreq_bin\nen-1\t3\t4\tRome\thttp://x\ten\tQ220\tTrue\t4\n",
    ),
    (
        "belb",
        r#"{"id":"1","text":"Rats","annotations":[{"type":"species","text":"Rats","start":0,"end":4,"ids":["10116"]}],"metadata":{"passages":[{"offset":0,"type":"title"}]}}"#,
    ),
    (
        "belb",
        r#"{"id":"1","passages":[{"offset":0,"type":"title","text":"Rats","annotations":[{"type":"species","text":"Rats","start":0,"end":4,"ids":["10116"]}]}]}"#,
    ),
    ("llm-markup", r#"{"id":"d","text":"in Rome","output":"in [Rome](Q220)"}"#),
    ("llm-markup", "in <e id=\"Q220\">Rome</e> and [Bonn](Q586)"),
    (
        "llm-json",
        r#"{"id":"d","text":"in Rome","output":"Yes: [{\"mention\":\"Rome\",\"entity\":\"Q220\"}]"}"#,
    ),
    ("llm-json", "```json\n[{\"mention\": \"Rome\", \"entity\": \"Q220\"}]\n```"),
];

/// Small files of formats that are none of these.
const OTHERS: [&str; 24] = [
    r#"{"id":1,"title":"","text":"Rome is large.","evaluation_span":[0,14],"labels":[{"id":0,"span":[0,4],"entity_id":"Q220","name":"Rome","parent":null,"children":[],"optional":false,"type":"Q27096213"}]}"#,
    r#"{"id":1,"title":"","text":"Rome is large.","evaluation_span":[0,14],"entity_mentions":[{"span":[0,4],"id":"Q220","linked_by":"x"}],"labels":[]}"#,
    r#"{"text":"Rome is large.","labels":[{"start_char":0,"end_char":4,"entity_reference":"Q220"}]}"#,
    r#"{"predictions":[{"start_char":0,"end_char":4,"entity_reference":"Q220","candidates":["Q220"]}]}"#,
    r#"{"id":"1","text":"Rome","index":[[0,4]],"wikipedia_titles":["Rome"],"wikipedia_ids":["25458"]}"#,
    r#"{"text":"Rome is large","label":[[0,4,"LOC"]]}"#,
    r#"{"document":"d","text":"Rome","annotations":[{"span":[0,4],"mention":"Rome","link":"Q220"}]}"#,
    r#"{"@context":"http://www.w3.org/ns/anno.jsonld","type":"Annotation","body":{"id":"http://www.wikidata.org/entity/Q220","purpose":"identifying"},"target":{"source":"d1","selector":{"type":"TextPositionSelector","start":0,"end":4}}}"#,
    r#"[{"id":1,"data":{"text":"Rome"},"annotations":[{"result":[{"id":"a","value":{"start":0,"end":4,"text":"Rome","labels":["LOC"]}}]}]}]"#,
    r#"{"source":"PubTator","documents":[{"id":"1","passages":[{"offset":0,"infons":{"type":"title"},"text":"Rats","annotations":[{"id":"0","infons":{"type":"Species","identifier":"10116"},"text":"Rats","locations":[{"offset":0,"length":4}]}]}]}]}"#,
    r#"{"id":"1","passages":[{"offset":0,"infons":{"type":"title"},"text":"Rats","annotations":[{"id":"0","infons":{"type":"Species","identifier":"10116"},"text":"Rats","locations":[{"offset":0,"length":4}]}]}]}"#,
    r#"{"doc":"d","start":0,"end":4,"link":"Q220","mention":"Rome"}"#,
    r#"[{"id":1,"text":"Rome is large"}]"#,
    "d1\t0\t3\tQ220\t1.0\tLOC\n",
    "-DOCSTART- (1 EU)\nRome\tB\tRome\tRome\thttp://en.wikipedia.org/wiki/Rome\t25458\t/m/06c62\n",
    "12345|t|Rats are large.\n12345\t0\t4\tRats\tSpecies\t10116\n",
    "T1\tLOC 0 4\tRome\nN1\tReference T1 Wikidata:Q220\tRome\n",
    "# language = en\nTOKEN\tNE-COARSE-LIT\tNEL-LIT\nRome\tB-loc\tQ220\n",
    "@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .\n<http://x/d#char=0,4> a nif:Phrase ; nif:anchorOf \"Rome\" .\n",
    "<?xml version=\"1.0\"?>\n<entity.Annotation><document docName=\"d\"><annotation><mention>Rome</mention><wikiName>Rome</wikiName><offset>0</offset><length>4</length></annotation></document></entity.Annotation>",
    "<kbpentlink>\n<query id=\"EL1\"><name>Rome</name><docid>d</docid><beg>0</beg><end>3</end></query>\n</kbpentlink>",
    "<ere><entities><entity id=\"ent-1\" type=\"GPE\"><entity_mention id=\"m-1\">Rome</entity_mention></entity></entities></ere>",
    "doc,start,end,link\nd,0,4,Q220\n",
    "See [the manual](docs/manual.md) and [the site](https://example.org/).\n",
];

/// A corpus that every format has a form for.
fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    for name in ["10", "11"] {
        builder.begin_document(name).unwrap();
        builder.set_text("😀 Zürich & <Bern> e\u{301}t𝔄 \"x\"");
        let city = Link::to(builder.intern("Q72"));
        builder.annotate(Span::new(2, 8), city).types(["City"]);
        builder.annotate(Span::new(11, 17), Link::NIL).types(["City"]).confidence(0.5);
        builder.annotate(Span::new(18, 22), city).types(["City"]);
    }
    builder.finish()
}

fn writable() -> impl Iterator<Item = &'static dyn Format> {
    let all: Vec<_> = karat::registry().formats().collect();
    all.into_iter().filter(|format| format.info().writes.is_some())
}

fn names(content: &str) -> Result<Vec<&'static str>, String> {
    let input = Input::from(Source::memory("file", content));
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let outcome = karat::registry().read(&input, None, &options);
    outcome.map(|outcome| outcome.formats).map_err(|problem| problem.message)
}

#[test]
fn what_is_written_is_recognised_in_memory_and_on_disk() {
    let registry = karat::registry();
    for format in writable() {
        let info = format.info();
        let mut output = Output::memory(info.writes.unwrap());
        registry.write(&corpus(), format, &mut output).unwrap();
        let input: Input = output.into_sources().into_iter().collect();
        let in_memory = registry.read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(in_memory.formats, [info.name]);
        assert_eq!(
            in_memory.ignored, [""; 0],
            "{}: texts that belong to a file are used",
            info.name
        );
        assert_eq!(in_memory.corpus.annotations().len(), 6, "{}", info.name);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out").display().to_string();
        registry.write_to(&corpus(), format, &path).unwrap();
        let input = Input::open(&path).unwrap();
        let on_disk = registry.read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(in_memory.corpus.difference(&on_disk.corpus), None, "{}", info.name);
    }
}

#[test]
fn a_file_name_does_not_ask_for_a_directory() {
    let registry = karat::registry();
    let suggested = |path: &str| registry.for_output(path).map(|format| format.info().name);
    assert_eq!(suggested("x.bioc.xml"), Some("bioc-xml"));
    assert_eq!(suggested("x.pubtator"), Some("pubtator"));
    assert_eq!(suggested("x.ann"), None);
}

#[test]
fn of_formats_that_share_an_extension_the_input_s_is_written() {
    let registry = karat::registry();
    let suggested = |path: &str, formats: &[&str]| {
        registry.for_output_of(path, formats).map(|format| format.info().name)
    };
    assert_eq!(suggested("x.ttl", &[]), Some("nif"));
    assert_eq!(suggested("x.ttl", &["nif-categorised"]), Some("nif-categorised"));
    assert_eq!(suggested("x.ttl", &["nif", "nif-categorised"]), Some("nif"));
    assert_eq!(suggested("x.ttl", &["neleval"]), Some("nif"));
    assert_eq!(suggested("x.categorised.ttl", &["nif"]), Some("nif-categorised"));
    assert_eq!(suggested("x.tsv", &["tsv"]), Some("tsv"));
    assert_eq!(suggested("x.tsv", &["csv"]), Some("neleval"));
    assert_eq!(suggested("x.pubtator", &["nif"]), Some("pubtator"));
    assert_eq!(suggested("x.ann", &["brat"]), None);
}

#[test]
fn what_is_only_read_is_recognised() {
    for (format, content) in READ_ONLY {
        assert_eq!(names(content), Ok(vec![format]), "{content}");
    }
}

#[test]
fn none_claims_another_format() {
    for content in OTHERS {
        let found = names(content);
        for (own, _) in READ_ONLY {
            assert_ne!(found, Ok(vec![own]), "{content}");
        }
        assert!(!found.is_err_and(|message| message.contains("this could be")), "{content}");
    }
}

#[test]
fn none_claims_a_published_file() {
    let all = karat::registry();
    let is_own = |name: &str| name == "spacy" || READ_ONLY.iter().any(|(own, _)| *own == name);
    let own: Vec<_> = all.formats().filter(|format| is_own(format.info().name)).collect();
    let own = Registry::new(&own);
    for folder in ["aida-testb", "elevant", "finegrained", "neleval", "posthoc"] {
        let Some(folder) = data::folder(folder) else { return };
        for file in data::files(&folder, "") {
            let input = Input::from(Source::file(&file));
            let problem = own.read(&input, None, &ReadOptions::default()).unwrap_err();
            assert!(problem.message.starts_with("not a format karat knows"), "{problem}");
        }
    }
}
