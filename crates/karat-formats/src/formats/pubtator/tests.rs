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
            ("\u{3b1}-methyldopa", Some("D008750"), Some("Chemical"), false),
            ("clonidine", None, Some("Chemical"), true),
            ("rats", None, Some("Species"), false),
        ]
    );
    let equivalents = document.mentions().nth(1).unwrap();
    assert_eq!(equivalents.equivalents().collect::<Vec<_>>(), ["D2"]);
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
        let problem = read_with(content, &testing::strict()).unwrap_err();
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
fn an_id_that_comes_again_goes_on_or_is_numbered() {
    let mention = "1\t0\t2\tab\tT\tQ\n";
    // Sections of one document, each with offsets of its own.
    let sections =
        format!("1|t|ab\n1|a|\n{mention}\n1|t|cdab\n1|a|ef\n1\t2\t4\tab\tT\tQ\n\n2|t|x\n");
    let outcome = read_with(&sections, &ReadOptions::default()).unwrap();
    let document = outcome.corpus.document("1").unwrap();
    assert_eq!(document.text(), Some("ab\ncdab\nef"));
    let spans: Vec<Span> = document.mentions().map(|mention| mention.span()).collect();
    assert_eq!(spans, [Span::new(0, 2), Span::new(5, 7)]);
    let said = |outcome: &ReadOutcome| outcome.findings.repaired()[0].message.clone();
    assert_eq!(said(&outcome), "document `1` comes in 2 sections, which are read as one text");
    // Somewhere else in the file, with the same text and with another.
    let same = format!("1|t|ab\n{mention}\n2|t|x\n\n1|t|ab\n{mention}");
    let outcome = read_with(&same, &ReadOptions::default()).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (2, 2));
    let expected = "document `1` occurs twice with the same text; its annotations are put together";
    assert_eq!(said(&outcome), expected);
    let other = format!("1|t|ab\n{mention}\n2|t|x\n\n1|t|abc\n{mention}\n2|t|y\n\n1|t|abx\n");
    let outcome = read_with(&other, &ReadOptions::default()).unwrap();
    let names: Vec<&str> = outcome.corpus.documents().map(|document| document.name()).collect();
    assert_eq!(names, ["1", "2", "1#2", "2#2", "1#3"]);
    assert_eq!(
        said(&outcome),
        "document `1` occurs twice with another text; the second is called `1#2`"
    );
}

#[test]
fn a_blank_may_join_title_and_abstract() {
    let content = "1|t|ab \n1|a|cd\n1\t3\t5\tcd\tT\tQ\n";
    assert_eq!(read(content).unwrap().document("1").unwrap().text(), Some("ab cd"));
    let usual = "1|t|ab \n1|a|cd\n1\t4\t6\tcd\tT\tQ\n";
    assert_eq!(read(usual).unwrap().document("1").unwrap().text(), Some("ab \ncd"));
}

#[test]
fn mentions_behind_the_end_of_a_text_stay_without_it() {
    let mentions: String = (0..5).map(|n| format!("1\t{n}0\t{n}2\tab\tT\tQ\n")).collect();
    let content = format!("1|t|ab\n1|a|cd\n{mentions}\n2|t|ab\n2\t0\t2\tab\tT\tQ\n");
    let outcome = read_with(&content, &ReadOptions::default()).unwrap();
    assert_eq!(outcome.corpus.annotations().len(), 6);
    assert_eq!(outcome.corpus.document("1").unwrap().text(), None);
    let said = &outcome.findings.repaired()[0].message;
    assert!(said.starts_with("most mentions of document `1` are behind the end"), "{said}");
    assert!(read_with(&content, &testing::strict()).is_err());
}

#[test]
fn lines_of_mentions_are_enough() {
    let content =
        "0\t17\t27\tCXCR1 gene\tgene\tNCBI Gene:3577\n0\t29\t34\tIL8RA\tgene\t-\n1\t0\t2\tab\tT\n";
    let corpus = read(content).unwrap();
    let mentions: Vec<_> = corpus.document("0").unwrap().mentions().collect();
    assert_eq!(
        (mentions[0].surface(), mentions[0].entity()),
        (Some("CXCR1 gene"), Some("NCBI Gene:3577"))
    );
    assert!(mentions[1].link().is_nil());
    assert_eq!(corpus.len(), 2);
    let neleval = "d\t0\t2\tQ1\t0.5\tPER\nd\t4\t6\tQ2\t1\tPER\n";
    assert_eq!(testing::score(&PubTator, "f", neleval), 0);
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

#[test]
fn several_identifiers_are_told_from_one() {
    for (column, expected) in [
        ("D1|D2", vec!["D1", "D2"]),
        ("3577;3579", vec!["3577", "3579"]),
        ("NCBI Gene:1,NCBI Gene:2", vec!["NCBI Gene:1", "NCBI Gene:2"]),
        ("D1|D1", vec!["D1"]),
        ("dbSNP:c|DEL||5", vec!["dbSNP:c|DEL||5"]),
        ("p|SUB|V|600|E", vec!["p|SUB|V|600|E"]),
        ("D1|-1", vec!["D1|-1"]),
        ("Berlin,_Texas", vec!["Berlin,_Texas"]),
    ] {
        assert_eq!(identifiers(column), expected, "{column}");
    }
}
