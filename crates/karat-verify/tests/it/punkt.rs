//! Sentences as NLTK 3.10.4 splits them, with the same parameters: `punkt.json` has the four files of a made-up language, and
//! texts with the spans of their sentences.

use karat_model::Span;
use karat_verify::chunking::{PunktParameters, SentenceSplitter};
use serde_json::Value;

#[test]
fn sentences_are_those_of_nltk() {
    let file: Value = serde_json::from_str(include_str!("punkt.json")).expect("JSON");
    let text = |at: usize| file["parameters"][at].as_str().expect("a text");
    let parameters =
        PunktParameters::parse([text(0), text(1), text(2), text(3)]).expect("parameters");
    let splitter = SentenceSplitter::with(parameters);
    let mut compared = 0;
    for case in file["texts"].as_array().expect("texts") {
        let text = case[0].as_str().expect("a text");
        let numbers: Vec<u32> = case[1]
            .as_array()
            .expect("spans")
            .iter()
            .map(|n| n.as_u64().expect("n") as u32)
            .collect();
        let expected: Vec<Span> =
            numbers.chunks_exact(2).map(|pair| Span::new(pair[0], pair[1])).collect();
        assert_eq!(splitter.sentences(text), expected, "{text:?}");
        compared += 1;
    }
    assert!(compared >= 200);
}

#[test]
fn files_that_are_no_parameters_are_located() {
    let error = PunktParameters::parse(["mr\n", "a\tb\nalone\n", "", ""]).expect_err("no tab");
    assert_eq!(error.to_string(), "line 2 of collocations.tab: two words with a tab between them");
    let error = PunktParameters::parse(["", "", "", "word\tmany\n"]).expect_err("no number");
    assert_eq!(error.line, 1);
}
