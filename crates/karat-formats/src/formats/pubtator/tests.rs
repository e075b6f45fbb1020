use super::*;
use crate::{ReadOptions, ReadOutcome, testing};
use karat_model::OffsetUnit;

fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&PubTator, &[("m.pubtator", content)], options)
}

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default()).map(|outcome| outcome.corpus)
}

const ABSTRACT: &str = "\
227508|t|Naloxone reverses it
227508|a|In rats, \u{3b1}-methyldopa and 😀 clonidine.
227508\t0\t8\tNaloxone\tChemical\tD009270
227508\t30\t42\t\u{3b1}-methyldopa\tChemical\tD008750|D2
227508\t49\t58\tclonidine\tChemical\t-1
227508\t24\t28\trats\tSpecies
227508\tCID\tD009270\tD003000
227508\tAssociation\tD009270\t1017\tNovel

2|t|No abstract here
2|a|
2\t3\t11\tabstract\tNoun\t
";

#[test]
fn relations_are_counted() {
    let outcome = testing::read(&PubTator, &[("a.pubtator", ABSTRACT)], &ReadOptions::default());
    let findings = outcome.unwrap().findings;
    let shown: Vec<_> = findings.passed_over().iter().map(ToString::to_string).collect();
    assert_eq!(
        shown,
        ["a.pubtator:7:1: a relation is not kept", "a.pubtator:8:1: a relation is not kept"]
    );
}

#[test]
fn a_document_with_all_its_fields() {
    let corpus = read(ABSTRACT).unwrap();
    let document = corpus.document("227508").unwrap();
    let text = "Naloxone reverses it\nIn rats, \u{3b1}-methyldopa and 😀 clonidine.";
    assert_eq!(document.text(), Some(text));
    let found: Vec<_> = document
        .mentions()
        .map(|m| (m.surface().unwrap(), m.entity(), m.types().next(), m.link().is_nil()))
        .collect();
    assert_eq!(
        found,
        [
            ("Naloxone", Some("D009270"), Some("Chemical"), false),
            ("\u{3b1}-methyldopa", Some("D008750|D2"), Some("Chemical"), false),
            ("clonidine", None, Some("Chemical"), true),
            ("rats", None, Some("Species"), false),
        ]
    );
    let second = corpus.document("2").unwrap();
    assert_eq!(second.text(), Some("No abstract here"));
    assert!(second.mentions().next().unwrap().link().is_nil(), "an empty last column is NIL");
}

#[test]
fn offsets_count_code_points_unless_said_otherwise() {
    let content = "1|t|e\u{301} 😀 𝔄lpha\n1\t5\t10\t𝔄lpha\tX\tQ1\n";
    let span = |corpus: &Corpus| corpus.annotations()[0].span;
    assert_eq!(span(&read(content).unwrap()), Span::new(5, 10));
    let bytes = content.replace("\t5\t10", "\t9\t17");
    let options = ReadOptions { unit: Some(OffsetUnit::Bytes), ..ReadOptions::default() };
    assert_eq!(span(&read_with(&bytes, &options).unwrap().corpus), Span::new(5, 10));
    assert!(read(&bytes).unwrap_err().hint.unwrap().to_string().contains("bytes"));
}

#[test]
fn bad_lines_are_located() {
    let cases = [
        (
            "1|t|ab\n1\tx1\t2\tab\tT\tQ\n",
            Kind::Malformed,
            2,
            3,
            "expected a whole number, found `x1`",
        ),
        (
            "1|t|ab\n1\t0\t-2\tab\tT\tQ\n",
            Kind::Malformed,
            2,
            5,
            "expected a whole number, found `-2`",
        ),
        (
            "1|t|ab\n1\t0\t2\tax\tT\tQ\n",
            Kind::Surface,
            2,
            1,
            "the mention is “ax” but the text at 0..2 is “ab”",
        ),
        (
            "1|t|ab\n1\t0\t9\tab\tT\n",
            Kind::Offset,
            2,
            1,
            "offset 0..9 lies outside the text, which has 2 code points",
        ),
        ("1|t|ab\n1\t1\t1\t\tT\n", Kind::Offset, 2, 1, "the mention at 1..1 is empty"),
        (
            "1|t|ab\n1\t0\t2\tab\n",
            Kind::Malformed,
            2,
            1,
            "expected `id  start  end  text  type  link` separated by tabs, found 4 columns",
        ),
        (
            "1|t|ab\n2\t0\t2\tab\tT\n",
            Kind::UnknownDocument,
            2,
            1,
            "the line belongs to document `2` but stands in document `1`",
        ),
        ("1|a|ab\n", Kind::UnknownDocument, 1, 1, "document `1` has no title line"),
        (
            "1|t|ab\nword\n",
            Kind::Malformed,
            2,
            1,
            "expected `id|t|title`, `id|a|abstract` or a mention with columns separated by tabs",
        ),
        ("1|t|ab\n\n1|t|cd\n", Kind::DuplicateDocument, 3, 1, "document `1` occurs twice"),
    ];
    for (content, kind, line, column, message) in cases {
        let problem = read(content).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!((place.line, place.column), (line, column), "{content}");
        assert!(problem.hint.is_some(), "{content}");
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let content = "1|t|ab\n1\tx\ty\tab\tT\tQ\n1\t0\t2\tab\tT\tQ\nstray\n\n2|t|cd\n";
    let outcome = read_with(content, &options).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (2, 1));
    assert_eq!(outcome.findings.skipped().len(), 2);
}

#[test]
fn windows_line_ends_and_missing_blank_lines_are_fine() {
    let corpus = read("1|t|ab\r\n1|a|cd\r\n1\t3\t5\tcd\tT\tQ1\r\n2|t|ef\r\n").unwrap();
    assert_eq!(corpus.document("1").unwrap().text(), Some("ab\ncd"));
    assert_eq!(corpus.document("2").unwrap().text(), Some("ef"));
    let mention = corpus.document("1").unwrap().mentions().next().unwrap();
    assert_eq!(mention.entity(), Some("Q1"));
}

#[test]
fn blocks_end_before_a_title() {
    let bytes = b"1|t|a|t|b\n1|a|x\n1\t0\t1\ta\tT\ty|t|z\n\n22|t|b\n";
    assert_eq!(before_title(bytes), Some(bytes.len() - 7));
    assert_eq!(before_title(&bytes[..bytes.len() - 8]), None);
}

#[test]
fn what_has_no_form_is_refused() {
    let write = |name: &str, text: &str, entity: &str| {
        testing::write(&PubTator, &testing::linked(name, text, entity))
    };
    assert!(write("1", "title\nabstract", "Q1").is_ok());
    for (name, text, entity) in [
        ("1", "a\nb\nc", "Q1"),
        ("1", "a\r\nb", "Q1"),
        ("1", "a\n", "Q1"),
        ("a|b", "ab", "Q1"),
        ("1", "ab", "-"),
        ("1", "ab", "Q\t1"),
    ] {
        assert!(write(name, text, entity).is_err(), "{name} {text} {entity}");
    }
}

#[test]
fn ordinary_texts_are_adapted() {
    for (text, adapted) in [
        ("Zürich\nis\r\nlarge\n", "Zürich\nis  large "),
        ("Zürich\n", "Zürich "),
        ("\rZürich\n\nx", " Zürich\n x"),
    ] {
        let corpus = testing::linked("d", text, "Q72");
        assert!(testing::write(&PubTator, &corpus).is_err(), "{text:?}");
        let new = PubTator.adapted(&corpus).unwrap();
        assert_eq!(new.documents, 1);
        let again = testing::again(&PubTator, &new.corpus);
        assert_eq!(again.document("d").unwrap().text(), Some(adapted));
        assert!(PubTator.adapted(&new.corpus).is_none());
    }
    assert!(PubTator.adapted(&testing::linked("d", "title\nabstract", "Q1")).is_none());
}
