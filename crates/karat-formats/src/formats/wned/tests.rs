use super::*;
use crate::testing;
use crate::{ReadOptions, ReadOutcome, Registry};
use karat_model::OffsetUnit;

fn read_with(files: &[(&str, &str)], options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&Wned, files, options)
}

fn read(files: &[(&str, &str)]) -> Result<ReadOutcome, Problem> {
    read_with(files, &ReadOptions::default())
}

/// One annotation of one document.
fn read_one(text: &str, annotation: &str) -> Result<ReadOutcome, Problem> {
    let xml = format!(
        "<x.entityAnnotation><document docName=\"d\">\n<annotation>{annotation}</annotation></document></x.entityAnnotation>"
    );
    read(&[("x.xml", &xml), ("RawText/d", text)])
}

fn annotation(mention: &str, title: &str, offset: &str, length: &str) -> String {
    format!(
        "<mention>{mention}</mention><wikiName>{title}</wikiName><offset>{offset}</offset><length>{length}</length>"
    )
}

const PROBLEM_FILE: &str = "\
<ReferenceProblem>
<ReferenceFileName>
news.eng
</ReferenceFileName>
<ReferenceInstance>
<SurfaceForm>
AT&amp;T
</SurfaceForm>
<Offset>
2
</Offset>
<Length>
4
</Length>
<ChosenAnnotation>
http://en.wikipedia.org/wiki/AT%26T
</ChosenAnnotation>
<NumAnnotators>
1
</NumAnnotators>
<AnnotatorId>
A9
</AnnotatorId>
</ReferenceInstance>
<ReferenceInstance>
<SurfaceForm>
𝔄lpha
</SurfaceForm>
<Offset>
7
</Offset>
<Length>
5
</Length>
<ChosenAnnotation>
*null*
</ChosenAnnotation>
</ReferenceInstance>
</ReferenceProblem>
";

#[test]
fn the_dialect_of_problems() {
    // The problem and its text have the same file name.
    let text = "😀 AT&T 𝔄lpha\r\n";
    let files = [("b/Problems/news.eng", PROBLEM_FILE), ("b/RawTexts/news.eng", text)];
    let outcome = read(&files).unwrap();
    assert!(outcome.findings.is_empty());
    let document = outcome.corpus.document("news.eng").unwrap();
    assert_eq!(document.text(), Some(text), "line ends stay");
    let first = document.mention(0).unwrap();
    assert_eq!((first.surface(), first.span()), (Some("AT&T"), Span::new(2, 6)));
    assert_eq!(first.entity(), Some("http://en.wikipedia.org/wiki/AT%26T"));
    assert_eq!(first.attribute("NumAnnotators"), Some("1"));
    assert_eq!(first.attribute("AnnotatorId"), Some("A9"));
    let second = document.mention(1).unwrap();
    assert_eq!((second.surface(), second.link()), (Some("𝔄lpha"), Link::NIL));
}

#[test]
fn the_dialect_of_documents() {
    let xml = "<?xml version='1.0' encoding='UTF-8'?>
<ACE2004.entityAnnotation>
<document docName=\"a b\">
<annotation>
<mention>e\u{301}t</mention>
<wikiName>Summer (season)</wikiName>
<offset>2</offset>
<length>3</length>
<prob>0.25</prob>
<entity/>
</annotation>
<annotation><mention><![CDATA[<b>]]></mention><wikiName/><offset>6</offset><length>3</length></annotation>
<annotation><mention>😀</mention><wikiName>NIL</wikiName><offset>0</offset><length>1</length></annotation>
</document>
<document docName=\"empty\"/>
</ACE2004.entityAnnotation>";
    let files =
        [("x/ACE2004.xml", xml), ("x/RawText/a_b", "😀 e\u{301}t <b>"), ("x/RawText/empty", "")];
    let outcome = read(&files).unwrap();
    let document = outcome.corpus.document("a b").unwrap();
    let found: Vec<_> = document
        .mentions()
        .map(|m| (m.surface().unwrap(), m.entity(), m.link().is_nil(), m.confidence()))
        .collect();
    assert_eq!(
        found,
        [
            ("e\u{301}t", Some("Summer (season)"), false, Some(0.25)),
            ("<b>", None, true, None),
            ("😀", None, true, None),
        ]
    );
    assert_eq!(outcome.corpus.document("empty").unwrap().text(), Some(""));
}

#[test]
fn annotations_may_name_their_document_themselves() {
    let xml = "<iitb.CSAW><annotation><docName>d</docName><wikiName>Q</wikiName><offset>0</offset><length>2</length></annotation>\
        <annotation><docName>d</docName><wikiName/><offset>3</offset><length>2</length></annotation></iitb.CSAW>";
    let corpus = read(&[("x.xml", xml), ("d", "ab cd")]).unwrap().corpus;
    let found: Vec<_> =
        corpus.document("d").unwrap().mentions().map(|m| m.surface().unwrap().to_owned()).collect();
    assert_eq!(found, ["ab", "cd"]);
}

#[test]
fn mentions_are_moved_to_where_they_are() {
    let cases = [
        (
            "Zürich in Bern",
            annotation("Bern", "B", "11", "4"),
            (10, 14),
            "11..15 is not in the text, the mention is “Bern”; moved to 10..14",
        ),
        (
            "in Bern\r\nnow",
            annotation("now", "B", "8", "3"),
            (9, 12),
            "the mention is “now” but the text at 8..11 is “\\nno”; moved to 9..12",
        ),
        (
            "see AT&amp;T",
            annotation("AT&amp;T", "B", "4", "4"),
            (4, 12),
            "the mention is “AT&T” but the text at 4..8 is “AT&a”; moved to 4..12",
        ),
        (
            "in Bern",
            annotation("Bern", "B", "3", "2"),
            (3, 7),
            "the mention is “Bern” but the text at 3..5 is “Be”; moved to 3..7",
        ),
    ];
    for (text, annotation, span, message) in cases {
        let outcome = read_one(text, &annotation).unwrap();
        assert_eq!(outcome.corpus.annotations()[0].span, Span::new(span.0, span.1));
        let repaired = &outcome.findings.repaired()[0];
        assert_eq!((repaired.kind, repaired.message.as_str()), (Kind::Surface, message));
        assert_eq!(repaired.place.as_ref().unwrap().line, 2);
    }
}

#[test]
fn white_space_may_differ() {
    let outcome = read_one("New\r\nYork", &annotation("New York", "N", "0", "9")).unwrap();
    assert!(outcome.findings.is_empty());
    assert_eq!(outcome.corpus.annotations()[0].span, Span::new(0, 9));
}

#[test]
fn bad_annotations_are_located() {
    let cases = [
        (
            annotation("Rome", "B", "0", "4"),
            Kind::Surface,
            "the mention is “Rome” but the text at 0..4 is “Bern”",
        ),
        (
            annotation("Rome", "B", "90", "4"),
            Kind::Offset,
            "offset 90..94 lies outside the text, which has 4 code points",
        ),
        (
            annotation("Bern", "B", "zero", "4"),
            Kind::Malformed,
            "expected a whole number, found `zero`",
        ),
        (
            annotation("Bern", "B", "-1", "4"),
            Kind::Malformed,
            "expected a whole number, found `-1`",
        ),
        (
            annotation("Bern", "B", "0", "99999999999999999999"),
            Kind::Malformed,
            "expected a whole number, found `99999999999999999999`",
        ),
        (annotation("", "B", "0", "0"), Kind::Offset, "the mention at 0..0 is empty"),
        ("<mention>Bern</mention>".to_owned(), Kind::Malformed, "`<annotation>` has no `<offset>`"),
        ("<offset>0</offset>".to_owned(), Kind::Malformed, "`<annotation>` has no `<length>`"),
        (
            format!("{}<prob>high</prob>", annotation("Bern", "B", "0", "4")),
            Kind::Malformed,
            "expected a number, found `high`",
        ),
    ];
    for (annotation, kind, message) in cases {
        let problem = read_one("Bern", &annotation).unwrap_err();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!(problem.place.as_ref().unwrap().line, 2);
        assert!(problem.hint.is_some());
    }
}

#[test]
fn broken_files_are_located() {
    let root = "<x.entityAnnotation>";
    let cases = [
        (
            format!("{root}\n<document docName=\"d\"><annotation>"),
            Kind::Truncated,
            2,
            "the file ends inside `<annotation>`",
        ),
        (
            format!("{root}\n<document docName=\"d\"></annotation>"),
            Kind::Malformed,
            2,
            "bad XML: expected `</document>`, but `</annotation>` was found",
        ),
        (
            format!("{root}\n<document></document></x.entityAnnotation>"),
            Kind::Malformed,
            2,
            "expected an attribute `docName`",
        ),
    ];
    for (xml, kind, line, message) in cases {
        let problem = read(&[("x.xml", &xml), ("d", "Bern")]).unwrap_err();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind));
        assert_eq!(problem.place.unwrap().line, line);
    }
    let problem = testing::read_as(&Wned, &[("x.xml", "<other/>")], &ReadOptions::default());
    assert_eq!(
        problem.unwrap_err().message,
        "expected `<ReferenceProblem>` or `<....entityAnnotation>`, found `<other>`"
    );
}

#[test]
fn a_missing_text_is_named() {
    let xml = "<x.entityAnnotation><document docName=\"a/b\"/></x.entityAnnotation>";
    let problem = read_with(&[("x.xml", xml)], &testing::strict()).unwrap_err();
    assert_eq!(problem.kind, Kind::UnknownDocument);
    assert_eq!(problem.to_string(), "x.xml:1:21: the text of document `a/b` is missing");
    assert!(
        problem
            .hint
            .unwrap()
            .to_string()
            .starts_with("looked for a file `a%2Fb` beside this one and in")
    );
}

#[test]
fn without_any_text_the_words_of_mentions_stay() {
    let xml = format!(
        "<x.entityAnnotation><document docName=\"d\"><annotation>{}</annotation></document>\
         <document docName=\"d\"><annotation>{}</annotation></document></x.entityAnnotation>",
        annotation("JAPAN", "Japan", "7", "5"),
        annotation("Nadim", "", "55", "5"),
    );
    let corpus = read(&[("x.xml", &xml)]).unwrap().corpus;
    let document = corpus.document("d").unwrap();
    let said: Vec<_> = document.mentions().map(|m| (m.span(), m.surface(), m.entity())).collect();
    assert_eq!(document.text(), None);
    let nadim = (Span::new(55, 60), Some("Nadim"), None);
    assert_eq!(said, [(Span::new(7, 12), Some("JAPAN"), Some("Japan")), nadim]);
    // Where one document has its text, the others are missed.
    let two = xml.replacen("\"d\"", "\"other\"", 1);
    let problem = read(&[("x.xml", &two), ("d", &"Nadim ".repeat(20))]).unwrap_err();
    assert_eq!(problem.message, "the text of document `other` is missing");
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let good = annotation("ab", "Q1", "0", "2");
    let bad = annotation("xy", "Q1", "0", "2");
    let xml = format!(
        "<x.entityAnnotation><document docName=\"gone\"/><document docName=\"d\"><annotation>{bad}</annotation>\
         <annotation>{good}</annotation></document><document docName=\"cut\">"
    );
    let outcome = read_with(&[("x.xml", &xml), ("d", "ab")], &options).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (1, 1));
    let kinds: Vec<_> = outcome.findings.skipped().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [Kind::Surface, Kind::Truncated, Kind::UnknownDocument]);
}

#[test]
fn other_units_are_honoured() {
    let options = ReadOptions { unit: Some(OffsetUnit::Bytes), ..ReadOptions::default() };
    let xml = format!(
        "<x.entityAnnotation><document docName=\"d\"><annotation>{}</annotation></document></x.entityAnnotation>",
        annotation("Zürich", "Z", "5", "7")
    );
    let outcome = read_with(&[("x.xml", &xml), ("d", "😀 Zürich")], &options).unwrap();
    assert_eq!(outcome.corpus.annotations()[0].span, Span::new(2, 8));
    assert!(outcome.findings.is_empty());
}

#[test]
fn texts_are_found_on_disk() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["Problems", "RawTexts"] {
        std::fs::create_dir(at(name)).unwrap();
    }
    std::fs::write(at("Problems/news.eng"), PROBLEM_FILE).unwrap();
    std::fs::write(at("RawTexts/news.eng"), "😀 AT&T 𝔄lpha").unwrap();
    for path in ["", "Problems", "Problems/news.eng"] {
        let input = Input::open(&at(path).display().to_string()).unwrap();
        let outcome = Registry::new(&[&Wned]).read(&input, None, &ReadOptions::default());
        assert_eq!(outcome.unwrap().corpus.annotations().len(), 2, "{path}");
    }
}

#[test]
fn names_of_all_kinds_are_written_and_read() {
    let mut builder = karat_model::CorpusBuilder::new();
    for name in ["a/b", "a%2Fb", "..", "corpus.xml", "<d> & \"e\""] {
        builder.begin_document(name).unwrap();
        builder.set_text(name);
    }
    let corpus = builder.finish();
    assert_eq!(corpus.difference(&testing::again(&Wned, &corpus)), None);
}

#[test]
fn what_has_no_form_is_refused() {
    let write = |name: &str, text: &str, entity: &str| {
        testing::write(&Wned, &testing::linked(name, text, entity))
    };
    assert!(write("d", "a\u{1}", "Q1").is_ok(), "controls outside mentions stay in the text");
    for (name, text, entity) in [
        ("d", "\u{1}", "Q1"),
        ("\u{1}", "ab", "Q1"),
        ("d", "ab", "NIL"),
        ("d", "ab", "*null*"),
        ("d", "ab", " Q1"),
        ("d", "\u{feff}ab", "Q1"),
        ("", "ab", "Q1"),
        (&"x".repeat(300), "ab", "Q1"),
    ] {
        assert!(write(name, text, entity).is_err(), "{name} {text} {entity}");
    }
}

#[test]
fn a_confidence_that_is_not_finite_is_left_out_and_listed() {
    let spelled = |prob: &str| annotation("Rome", "Rome", "0", "4") + "<prob>" + prob + "</prob>";
    let outcome = read_one("Rome", &spelled("inf")).unwrap();
    let mention = outcome.corpus.document("d").unwrap().mentions().next().unwrap();
    assert_eq!(mention.confidence(), None);
    let repaired = outcome.findings.repaired();
    assert_eq!(repaired[0].message, "the confidence `inf` is not finite and was left out");
    assert_eq!((repaired.len(), repaired[0].place.as_ref().unwrap().line), (1, 2));
    assert!(read_one("Rome", &spelled("0.5")).unwrap().findings.is_empty());
}

#[test]
fn annotations_of_very_many_documents_are_put_together() {
    let many = 20_000;
    let said = annotation("a", "A", "0", "1");
    let xml: String = (0..2 * many)
        .map(|number| {
            format!("<annotation><docName>d{}</docName>{said}</annotation>", number % many)
        })
        .collect();
    let xml = format!("<x.entityAnnotation>{xml}</x.entityAnnotation>");
    let corpus = read(&[("x.xml", &xml)]).unwrap().corpus;
    assert_eq!((corpus.len(), corpus.annotations().len()), (many, 2 * many));
}

#[test]
fn what_annotators_did_is_written_in_the_dialect_that_says_so() {
    let text = "😀 AT&T 𝔄lpha\r\n";
    let files = [("b/Problems/news.eng", PROBLEM_FILE), ("b/RawTexts/news.eng", text)];
    let corpus = read(&files).unwrap().corpus;
    let written = testing::write(&Wned, &corpus).unwrap();
    assert!(written[0].contains("<ReferenceInstance>"), "{}", written[0]);
    assert!(written[0].contains("<AnnotatorId>A9</AnnotatorId>"), "{}", written[0]);
    assert_eq!(testing::again(&Wned, &corpus).difference(&corpus), None);
}
