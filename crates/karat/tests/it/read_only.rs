//! The formats that are only read: each is recognised by its content, none claims
//! a file of another format, and no damage makes a reader panic.

use crate::data;
use karat::formats::{Input, ReadOptions, Registry, Source};
use proptest::prelude::*;

/// One small file of each format.
const OWN: [(&str, &str); 14] = [
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

fn names(content: &str) -> Result<Vec<&'static str>, String> {
    let input = Input::from(Source::memory("file", content));
    let options = ReadOptions { lenient: true, ..ReadOptions::default() };
    let outcome = karat::registry().read(&input, None, &options);
    outcome.map(|outcome| outcome.formats).map_err(|problem| problem.message)
}

#[test]
fn each_is_recognised() {
    for (format, content) in OWN {
        assert_eq!(names(content), Ok(vec![format]), "{content}");
    }
}

#[test]
fn none_claims_another_format() {
    for content in OTHERS {
        for (own, _) in OWN {
            let found = names(content);
            assert_ne!(found, Ok(vec![own]), "{content}");
            assert!(!found.is_err_and(|message| message.contains("this could be")), "{content}");
        }
    }
}

#[test]
fn none_claims_a_published_file() {
    let all = karat::registry();
    let is_own = |name: &str| name == "spacy" || OWN.iter().any(|(own, _)| *own == name);
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn damage_is_survived(
        which in 0..OWN.len(),
        at in 0.0..1.0f64,
        cut in any::<bool>(),
        patch in "([\\[\\]{},:\"0-9-]|\\PC|\n|null){0,6}",
    ) {
        let (format, content) = OWN[which];
        let mut at = (content.len() as f64 * at) as usize;
        while !content.is_char_boundary(at) {
            at -= 1;
        }
        let rest = if cut { "" } else { &content[at..] };
        let damaged = format!("{}{patch}{rest}\n{content}\n", &content[..at]);
        let input = Input::from(Source::memory("file", damaged));
        for lenient in [false, true] {
            let options = ReadOptions { lenient, ..ReadOptions::default() };
            let _outcome = karat::registry().read(&input, Some(format), &options);
        }
    }
}
