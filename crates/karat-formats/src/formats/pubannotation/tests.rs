use super::*;
use crate::{ReadOptions, ReadOutcome, testing};

const ONE: &str = r#"{
  "target": "https://pubannotation.org/docs/sourcedb/PubMed/sourceid/10022",
  "sourcedb": "PubMed",
  "sourceid": "10022",
  "text": "😀 e\u0301𝄞 IRF-4 expression and TP53.",
  "denotations": [
    {"id": "T1", "span": {"begin": 6, "end": 11}, "obj": "Gene"},
    {"id": "T2", "span": {"begin": 27, "end": 31}, "obj": "uniprot:P04637"},
    {"id": "T3", "span": [{"begin": 12, "end": 22}, {"begin": 6, "end": 11}], "obj": "Process"}
  ],
  "attributes": [
    {"id": "A1", "subj": "T1", "pred": "tao:has_database_id", "obj": "Gene:3662"},
    {"id": "A2", "subj": "T1", "pred": "tao:has_database_id", "obj": "Gene:7157"},
    {"id": "A3", "subj": "T1", "pred": "negated", "obj": true}
  ],
  "relations": [{"id": "R1", "subj": "T1", "pred": "in", "obj": "T3"}]
}"#;

fn read(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&PubAnnotation, &[("d.json", content)], options)
}

fn facts(corpus: &Corpus, name: &str) -> Vec<String> {
    let document = corpus.document(name).unwrap();
    let facts = document.mentions().map(|m| {
        let link = m.entity().unwrap_or(if m.link().is_nil() { "NIL" } else { "-" });
        let others: Vec<_> = m.equivalents().collect();
        format!("{} {link} {others:?} {:?}", m.surface().unwrap(), m.types().next())
    });
    facts.collect()
}

#[test]
fn a_document_is_read() {
    let corpus = read(ONE, &ReadOptions::default()).unwrap().corpus;
    assert_eq!(
        facts(&corpus, "10022"),
        [
            "IRF-4 Gene:3662 [\"Gene:7157\"] Some(\"Gene\")",
            "TP53 uniprot:P04637 [] None",
            "IRF-4 expression - [] Some(\"Process\")",
        ]
    );
    let document = corpus.document("10022").unwrap();
    assert_eq!(document.attribute("sourcedb"), Some("PubMed"));
    let parts: Vec<_> = document.mentions().filter_map(|m| m.attribute(FRAGMENTS)).collect();
    assert_eq!(parts, ["6 11;12 22"]);
}

#[test]
fn tracks_lines_and_divisions() {
    let content = concat!(
        r#"{"target": "https://x/docs/sourcedb/PMC/sourceid/77/divid/3", "text": "Rome", "tracks": [{"project": "a", "denotations": [{"span": {"begin": 0, "end": 4}, "obj": "http://www.wikidata.org/entity/Q220"}]}, {"project": "b", "denotations": [{"span": {"begin": 0, "end": 4}, "obj": "tao:City"}]}]}"#,
        "\n",
        r#"{"sourcedb": "PMC", "sourceid": 77, "divid": 4, "text": "x", "denotations": []}"#,
    );
    let corpus = read(content, &ReadOptions::default()).unwrap().corpus;
    assert_eq!(
        facts(&corpus, "77-3"),
        ["Rome http://www.wikidata.org/entity/Q220 [] None", "Rome - [] Some(\"tao:City\")"]
    );
    assert_eq!(facts(&corpus, "77-4"), [""; 0]);
}

#[test]
fn a_document_that_comes_again_goes_on() {
    let corpus = read(&format!("{ONE}\n{ONE}"), &ReadOptions::default()).unwrap().corpus;
    assert_eq!((corpus.len(), corpus.annotations().len()), (1, 6));
    assert_eq!(corpus.difference(&testing::again(&PubAnnotation, &corpus)), None);
}

#[test]
fn what_is_written_is_read_again() {
    let corpus = read(ONE, &ReadOptions::default()).unwrap().corpus;
    assert_eq!(corpus.difference(&testing::again(&PubAnnotation, &corpus)), None);
    let corpus = testing::linked("d", "x", "NIL");
    assert!(testing::write(&PubAnnotation, &corpus).is_err());
}

#[test]
fn bad_denotations_are_located() {
    for (denotation, message) in [
        (r#"{"obj": "A"}"#, "expected a `span` with `begin` and `end`, which are whole numbers"),
        (r#"{"span": [], "obj": "A"}"#, "expected a `span` with `begin` and `end`"),
        (
            r#"{"span": {"begin": 5, "end": 99}, "obj": "A"}"#,
            "offset 5..99 lies outside the text, which has 32 code points",
        ),
        (
            r#"{"span": {"begin": 5, "end": 2}, "obj": "A"}"#,
            "the mention ends at 2, before it starts at 5",
        ),
    ] {
        let content = ONE
            .replace(r#"{"id": "T1", "span": {"begin": 6, "end": 11}, "obj": "Gene"}"#, denotation);
        let problem = read(&content, &ReadOptions::default()).unwrap_err();
        let place = problem.place.unwrap();
        assert_eq!((problem.message.as_str(), place.line, place.column), (message, 7, 5));
        assert_eq!(read(&content, &testing::lenient()).unwrap().findings.skipped().len(), 1);
    }
    let problem = read(r#"{"denotations": []}"#, &ReadOptions::default()).unwrap_err();
    assert!(problem.hint.is_some());
}
