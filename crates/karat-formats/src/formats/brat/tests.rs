use super::*;
use crate::{ReadOptions, ReadOutcome, testing};
use karat_model::{Mention, OffsetUnit};

fn read(text: &str, annotations: &str) -> Result<ReadOutcome, Problem> {
    let files = [("d/x.ann", annotations), ("d/x.txt", text)];
    testing::read_as(&Brat, &files, &ReadOptions::default())
}

fn mention(corpus: &Corpus, number: usize) -> Mention<'_> {
    corpus.documents().next().unwrap().mention(number).unwrap()
}

fn attributes(mention: &Mention<'_>) -> Vec<(String, String)> {
    let mut all: Vec<_> =
        mention.attributes().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    all.sort();
    all
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_document_with_all_its_fields() {
    let text = "Berlin lies in Germany\r\nnear 😀 e\u{301}t𝔄.";
    let annotations = "\
T1\tLOC 0 6\tBerlin
T2\tGPE 15 22\tGermany
E1\tLocate:T1 Place:T2
N1\tReference T1 Wikidata:Q64\tBerlin
N2\tReference T1 Wikipedia:Berlin\tBerlin, Germany
A1\tConfidence T1 0.75
A2\tNegation T1
M1\tConfidence T2 inf
A3\tNegation E1
#1\tAnnotatorNotes T1\tcapital, \tsince 1990
#2\tAnnotatorNotes E1\tpassed over
R1\tIn Arg1:T1 Arg2:T2
*\tEquiv T1 T2
T3\tUntyped 31 34\te\u{301}t
T4\tX 34 35\t𝔄
N3\tReference T3 NIL:-\t
N4\tReference T4 NIL:c7
";
    let outcome = read(text, annotations).unwrap();
    let passed_over: Vec<_> =
        outcome.findings.passed_over().iter().map(ToString::to_string).collect();
    assert_eq!(
        passed_over,
        [
            "d/x.ann:3:1: an event is not kept",
            "d/x.ann:9:1: a fact about a relation or an event is not kept",
            "d/x.ann:11:1: a fact about a relation or an event is not kept",
            "d/x.ann:12:1: a relation is not kept",
            "d/x.ann:13:1: a relation is not kept",
        ]
    );
    let corpus = outcome.corpus;
    let document = corpus.document("x").unwrap();
    assert_eq!(document.text(), Some(text));
    let first = mention(&corpus, 0);
    assert_eq!((first.surface(), first.entity()), (Some("Berlin"), Some("Q64")));
    assert_eq!(first.types().collect::<Vec<_>>(), ["LOC"]);
    assert_eq!(first.equivalents().collect::<Vec<_>>(), ["Berlin"]);
    assert_eq!(first.confidence(), Some(0.75));
    let expected = pairs(&[
        ("Negation", "true"),
        ("comment", "capital, \tsince 1990"),
        ("database", "Wikidata"),
        ("database.2", "Wikipedia"),
        ("name", "Berlin"),
        ("name.2", "Berlin, Germany"),
    ]);
    assert_eq!(attributes(&first), expected);
    let second = mention(&corpus, 1);
    assert!(second.link().is_none(), "no N line is no answer");
    assert_eq!(attributes(&second), pairs(&[("Confidence", "inf")]));
    let third = mention(&corpus, 2);
    assert_eq!((third.span(), third.types().count()), (Span::new(31, 34), 0));
    assert_eq!(third.link(), Link::NIL);
    assert_eq!(mention(&corpus, 3).nil_cluster(), Some("c7"));
    assert_eq!(mention(&corpus, 3).surface(), Some("𝔄"));
}

#[test]
fn links_are_told_from_their_databases() {
    let cases = [
        ("Wikidata:Q64", Some("Wikidata"), Answer::Entity("Q64")),
        ("Q64", None, Answer::Entity("Q64")),
        ("KB:Q64", None, Answer::Entity("Q64")),
        ("http://x.org/Q64", None, Answer::Entity("http://x.org/Q64")),
        ("KB:http://x.org/Q64", None, Answer::Entity("http://x.org/Q64")),
        ("GO:GO:0001", Some("GO"), Answer::Entity("GO:0001")),
        ("a b:c", None, Answer::Entity("a b:c")),
        ("Wikidata:NIL", Some("Wikidata"), Answer::Nil(None)),
        ("NIL", None, Answer::Nil(None)),
        ("NIL:NIL", None, Answer::Nil(None)),
        ("NIL:7", None, Answer::Nil(Some("7"))),
        ("NONE:-", None, Answer::Missing),
    ];
    for (linked, database, expected) in cases {
        assert_eq!(answer(linked), (database, expected), "{linked}");
    }
}

#[test]
fn parts_are_read_as_the_whole_stretch() {
    let outcome = read("New or old York", "T1\tLOC 0 3;11 15\tNew York\n").unwrap();
    let only = mention(&outcome.corpus, 0);
    assert_eq!(only.span(), Span::new(0, 15));
    assert_eq!(only.attribute(FRAGMENTS), Some("0 3;11 15"));
    let repaired = &outcome.findings.repaired()[0];
    assert_eq!(repaired.message, "the mention has 2 parts; it is read as the whole stretch 0..15");
}

#[test]
fn bad_lines_are_located() {
    let cases = [
        ("T1\tLOC\tab\n", Kind::Malformed, 1, 1, "expected `TYPE START END` after the id"),
        ("T1\tLOC 0 x\tab\n", Kind::Malformed, 1, 10, "expected a whole number, found `x`"),
        ("T1\tLOC 0\tab\n", Kind::Malformed, 1, 8, "expected `START END`, found `0`"),
        (
            "T1\tLOC 0 9\tab\n",
            Kind::Offset,
            1,
            1,
            "offset 0..9 lies outside the text, which has 5 code points",
        ),
        ("T1\tLOC 1 1\t\n", Kind::Offset, 1, 1, "the mention at 1..1 is empty"),
        (
            "T1\tLOC 0 2\txy\n",
            Kind::Surface,
            1,
            1,
            "the mention is “xy” but the text at 0..2 is “ab”",
        ),
        (
            "T1\tLOC 0 1;3 4\txy\n",
            Kind::Surface,
            1,
            1,
            "the mention is `xy` but the text of its parts is different",
        ),
        ("T1\tLOC 0 2\tab\nT1\tLOC 3 5\tcd\n", Kind::Malformed, 2, 1, "`T1` occurs twice"),
        (
            "N1\tReference T9 Wikidata:Q1\tx\n",
            Kind::Malformed,
            1,
            1,
            "`N1` is about `T9`, which is not in the file",
        ),
        (
            "T1\tLOC 0 2\tab\nN1\tReference T1\n",
            Kind::Malformed,
            2,
            1,
            "expected `Reference T1 DATABASE:ID`, found `Reference T1`",
        ),
        (
            "T1\tLOC 0 2\tab\nN1\tReference T1 A:1\nN2\tReference T1 NIL:-\n",
            Kind::Malformed,
            3,
            1,
            "`T1` has a link already and cannot be NIL as well",
        ),
        (
            "T1\tLOC 0 2\tab\nA word\n",
            Kind::Malformed,
            2,
            1,
            "expected a line such as `T1`, `N1`, `A1`, `#1`, with a tab after the id",
        ),
    ];
    for (annotations, kind, line, column, message) in cases {
        let problem = read("ab cd", annotations).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!((place.line, place.column), (line, column), "{annotations}");
        assert!(problem.hint.is_some(), "{annotations}");
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let files = [
        ("a.ann", "T1\tLOC 0 99\tab\nN1\tReference T1 W:1\nT2\tLOC 0 2\tab\n"),
        ("a.txt", "ab"),
        ("b.ann", "T1\tLOC 0 2\tab\n"),
    ];
    let outcome = testing::read(&Brat, &files, &options).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (1, 1));
    let kinds: Vec<_> = outcome.findings.skipped().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [Kind::Offset, Kind::UnknownDocument]);
}

#[test]
fn a_mention_keeps_its_link_where_its_id_comes_again() {
    let annotations =
        "T1\tLOC 0 2\tab\nT1\tLOC 3 5\tcd\nN1\tReference T1 W:Q1\nA1\tConfidence T1 0.5\n";
    let files = [("a.ann", annotations), ("a.txt", "ab cd")];
    let outcome = testing::read(&Brat, &files, &testing::lenient()).unwrap();
    assert_eq!(outcome.findings.skipped().len(), 1);
    let first = mention(&outcome.corpus, 0);
    assert_eq!((first.entity(), first.confidence()), (Some("Q1"), Some(0.5)));
}

#[test]
fn a_missing_text_is_named() {
    let files = [("d/x.ann", "T1\tLOC 0 2\tab\n")];
    let problem = testing::read(&Brat, &files, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.to_string(), "d/x.ann: its text `x.txt` is missing");
}

#[test]
fn empty_files_and_names_with_signs_are_documents() {
    let files =
        [("a%2Fb.ann", ""), ("a%2Fb.txt", "T1\tLOC 0 2\tab"), ("c.ann", "\n"), ("c.txt", "")];
    let corpus = testing::read_as(&Brat, &files, &ReadOptions::default()).unwrap().corpus;
    let names: Vec<_> = corpus.documents().map(|document| document.name().to_owned()).collect();
    assert_eq!(names, ["a/b", "c"]);
    assert_eq!(corpus.document("c").unwrap().text(), Some(""));
}

#[test]
fn other_units_are_honoured() {
    let options = ReadOptions { unit: Some(OffsetUnit::Bytes), ..ReadOptions::default() };
    let files = [("x.ann", "T1\tLOC 5 11\tBerlin\n"), ("x.txt", "😀 Berlin")];
    let corpus = testing::read(&Brat, &files, &options).unwrap().corpus;
    assert_eq!(mention(&corpus, 0).span(), Span::new(2, 8));
}

#[test]
fn what_was_read_is_written_again() {
    let annotations = "\
T1\tLOC 0 3;11 15\tNew York
N1\tReference T1 Wikidata:Q60\tNew York City
N2\tReference T1 KB:http://x.org/a b\t
#1\tAnnotatorNotes T1\ta note
T2\tUntyped 7 10\told
N3\tReference T2 Wikidata:NIL\t
A1\tConfidence T2 0.5
A2\tNegation T2 true
";
    let corpus = read("New or old York", annotations).unwrap().corpus;
    let mut output = Output::memory(Layout::Directory);
    Brat.write(&corpus, &mut output).unwrap();
    let written = output.into_sources();
    assert_eq!(written[0].name(), "x.txt");
    assert_eq!(written[1].name(), "x.ann");
    assert_eq!(written[1].text().unwrap().as_str(), annotations);
}

#[test]
fn what_has_no_form_is_refused() {
    let write = |text: &str, entity: &str, kind: &str, key: &str, value: &str| {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("x").unwrap();
        builder.set_text(text);
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(0, 1), link).types([kind]).attribute(key, value);
        testing::write(&Brat, &builder.finish())
    };
    assert!(write("ab", "Q1", "LOC", "key", "some value").is_ok());
    for (text, entity, kind, key, value) in [
        ("\u{feff}ab", "Q1", "LOC", "key", "value"),
        ("ab", "NIL", "LOC", "key", "value"),
        ("ab", "Q\n1", "LOC", "key", "value"),
        ("ab", " Q1", "LOC", "key", "value"),
        ("ab", "Q1", "a type", "key", "value"),
        ("ab", "Q1", UNTYPED, "key", "value"),
        ("ab", "Q1", "LOC", "a key", "value"),
        ("ab", "Q1", "LOC", "key", "two\nlines"),
        ("ab", "Q1", "LOC", "Confidence", "0.5"),
        ("ab", "Q1", "LOC", FRAGMENTS, "0 9"),
    ] {
        assert!(write(text, entity, kind, key, value).is_err(), "{entity} {kind} {key} {value}");
    }
}
