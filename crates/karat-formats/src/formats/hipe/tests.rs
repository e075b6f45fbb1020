use super::*;
use crate::problem::Kind;
use crate::{ReadOptions, ReadOutcome, testing};
use karat_model::{CorpusBuilder, Link, MarkKind, Span, attribute};

const HEADER: &str = "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED\tNEL-LIT\tNEL-METO\tMISC\n";

fn outcome(rows: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&Hipe, &[("m.tsv", &format!("{HEADER}{rows}"))], options)
}

fn read(rows: &str) -> Corpus {
    outcome(rows, &ReadOptions::default()).unwrap().corpus
}

fn write(corpus: &Corpus) -> Result<String, WriteError> {
    let written = testing::write(&Hipe, corpus)?;
    Ok(written[0].strip_prefix(HEADER).unwrap().to_owned())
}

/// Span, text, link and types of all mentions of the first document.
fn shown(corpus: &Corpus) -> Vec<String> {
    let mentions = corpus.documents().next().unwrap().mentions();
    mentions
        .map(|mention| {
            let nil = if mention.link().is_nil() { "NIL" } else { "-" };
            let link = mention.entity().unwrap_or(nil);
            let types: Vec<&str> = mention.types().collect();
            format!("{} {:?} {link} {types:?}", mention.span(), mention.surface().unwrap())
        })
        .collect()
}

const DOCUMENT: &str = "# hipe2022:document_id = NZZ-1798-01-20-a-p0002
# hipe2022:language = de
# hipe2022:date = 1798-01-20
General\tB-pers\tO\tB-pers.ind\tO\tB-comp.title\tO\tQ321765\t_\t_
Hutchinson\tI-pers\tO\tI-pers.ind\tO\tB-comp.name\tB-loc\tQ321765\t_\tEndOfLine
in\tO\tO\tO\tO\tO\tO\t_\t_\t_
Frankreich\tB-loc\tB-org\tB-loc.adm.nat\tB-org.adm\tO\tO\tQ142|Q7|NIL\tQ70802\tNoSpaceAfter|EndOfLine|LED0.10
.\tO\tO\tO\tO\tO\tO\t_\t_\tEndOfSentence
X\tB-org\tO\tO\tO\tO\tO\tNIL\t_\tNoSpaceAfter
Y\tB-prod\tO\tO\tO\tO\tO\t_\t_\tEndOfSentence|EndOfLine

";

#[test]
fn all_columns_are_read() {
    let corpus = read(DOCUMENT);
    let document = corpus.document("NZZ-1798-01-20-a-p0002").unwrap();
    assert_eq!(document.text(), Some("General Hutchinson\nin Frankreich. XY"));
    assert_eq!(document.language(), Some("de"));
    assert_eq!(document.attribute("hipe2022:date"), Some("1798-01-20"));
    assert_eq!(
        shown(&corpus),
        [
            "0..18 \"General Hutchinson\" Q321765 [\"pers\"]",
            "22..32 \"Frankreich\" Q142 [\"loc\"]",
            "34..35 \"X\" NIL [\"org\"]",
            "35..36 \"Y\" - [\"prod\"]",
        ]
    );
    let mentions: Vec<_> = document.mentions().collect();
    let attributes: Vec<_> = mentions[0].attributes().collect();
    assert_eq!(
        attributes,
        [
            ("fine_type", "pers.ind"),
            ("components", "B-comp.title B-comp.name"),
            ("nested_type", "O B-loc"),
        ]
    );
    assert_eq!(mentions[1].attribute("metonymic_type"), Some("org"));
    assert_eq!(mentions[1].attribute("metonymic_fine_type"), Some("org.adm"));
    assert_eq!(mentions[1].attribute("metonymic_link"), Some("Q70802"));
    let ranked: Vec<_> = mentions[1].candidates().map(|c| (c.entity, c.score)).collect();
    assert_eq!(ranked, [(Some("Q142"), None), (Some("Q7"), None), (None, None)]);
    let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    assert_eq!(sentences, [Span::new(0, 33), Span::new(34, 36)]);
    let remarks: Vec<_> = document.marks_of(MarkKind::Token).map(|(_, remark)| remark).collect();
    assert_eq!(remarks, ["", "", "", "EndOfLine|LED0.10", "", "", "EndOfLine"]);
}

#[test]
fn what_was_read_is_written_again() {
    assert_eq!(write(&read(DOCUMENT)).unwrap(), DOCUMENT);
}

#[test]
fn documents_of_2020_and_comments_inside() {
    let corpus = read(
        "# language = fr\n# newspaper = EXP\n# document_id = a\n# segment = 1\nL'\tO\tO\tO\tO\tO\tO\t_\t_\tNoSpaceAfter\n# segment = 2\n#x\tO\tO\tO\tO\tO\tO\t_\t_\t_\n\n# language = fr\n# document_id = b\n\n# language = en\n# document_id = c\nz\tO\tO\tO\tO\tO\tO\t_\t_\t_\n",
    );
    let texts: Vec<_> = corpus.documents().map(|d| (d.name(), d.text(), d.language())).collect();
    let expected = [("a", "L'#x", "fr"), ("b", "", "fr"), ("c", "z", "en")];
    assert_eq!(texts, expected.map(|(name, text, language)| (name, Some(text), Some(language))));
    let first = corpus.document("a").unwrap();
    assert_eq!(first.attribute("newspaper"), Some("EXP"));
    assert_eq!(first.attributes().filter(|(key, _)| *key == "segment").count(), 1);
}

#[test]
fn comments_with_tabs_are_told_from_tokens() {
    let corpus = read(
        "#\thipe2022:document_id\t=\td\n#\thipe2022:applicable_columns\t=\tTOKEN\tMISC\n#\tNOTE:\ta\tb\tc\td\te\tf\tg\th\n#\tB-loc\tO\tO\tO\tO\tO\tQ1\t_\t_\n",
    );
    assert_eq!(shown(&corpus), ["0..1 \"#\" Q1 [\"loc\"]"]);
    let document = corpus.document("d").unwrap();
    assert_eq!(document.attribute("hipe2022:applicable_columns"), Some("TOKEN MISC"));
    assert_eq!(corpus.difference(&read(&write(&corpus).unwrap())), None);
}

#[test]
fn parts_of_tokens_and_other_schemes() {
    let row = |token: &str, tag: &str, fine: &str, link: &str, misc: &str| {
        format!("{token}\t{tag}\tO\t{fine}\tO\tO\tO\t{link}\t_\t{misc}\n")
    };
    let cases = [
        (row("😀Bahnhof", "B-loc", "O", "Q1", "Partial-1:5"), "1..5 \"Bahn\" Q1 [\"loc\"]"),
        (
            row("a", "S-loc", "O", "Q1", "_") + &row("b", "O", "O", "_", "_"),
            "0..1 \"a\" Q1 [\"loc\"]",
        ),
        (
            row("a", "B-loc", "O", "Q1", "_") + &row("b", "E-loc", "O", "Q1", "_"),
            "0..3 \"a b\" Q1 [\"loc\"]",
        ),
        (
            row("e\u{301}", "O", "O", "Q1", "_") + &row("b", "O", "O", "Q1", "_"),
            r#"0..4 "e\u{301} b" Q1 []"#,
        ),
        (row("a", "_", "B-loc.adm", "Q1", "_"), "0..1 \"a\" Q1 [\"loc.adm\"]"),
        (row("a", "B", "O", "_", "_"), "0..1 \"a\" - []"),
    ];
    for (rows, expected) in cases {
        let corpus = read(&format!("# hipe2022:document_id = d\n{rows}"));
        assert_eq!(shown(&corpus), [expected]);
        let again = read(&write(&corpus).unwrap());
        assert_eq!(corpus.difference(&again), None);
    }
}

#[test]
fn slips_of_systems_are_mended_and_counted() {
    let rows = "# document_id = d\na\tI-loc\tO\tO\tO\tO\tO\tQ1\t_\t_\nb\tI-loc\tO\tO\tO\tO\tO\tQ2\t_\tPartial-5:9\nc\tI-pers\tO\tO\tO\tO\tO\tQ3\t_\t_\n";
    let outcome = outcome(rows, &ReadOptions::default()).unwrap();
    assert_eq!(shown(&outcome.corpus), ["0..3 \"a b\" Q1 [\"loc\"]", "4..5 \"c\" Q3 [\"pers\"]"]);
    let messages: Vec<_> = outcome.findings.repaired().iter().map(|p| p.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`I-loc` continues a mention, but none of its type is open",
            "the link `Q2` differs from `Q1` at the beginning of the mention",
            "`Partial-5:9` lies outside the token, which has 1 characters",
            "`I-pers` continues a mention, but none of its type is open",
        ]
    );
}

#[test]
fn bad_rows_are_located() {
    let cases = [
        (
            "# document_id = d\na\tO\n",
            3,
            1,
            Kind::Malformed,
            "expected a token and 9 columns, found 1",
        ),
        (
            "# document_id = d\na\tX-loc\tO\tO\tO\tO\tO\t_\t_\t_\n",
            3,
            3,
            Kind::Malformed,
            "expected an IOB tag such as `B-loc`, found `X-loc`",
        ),
    ];
    for (rows, line, column, kind, message) in cases {
        let problem = outcome(rows, &ReadOptions::default()).unwrap_err();
        let place = problem.place.as_ref().unwrap();
        assert_eq!((place.line, place.column, problem.kind), (line, column, kind), "{problem}");
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some());
        let lenient = testing::lenient();
        assert_eq!(outcome(rows, &lenient).unwrap().corpus.annotations().len(), 0);
    }
}

#[test]
fn a_text_without_tokens_is_cut_at_white_space_and_mentions() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("Hauptbahnhof Köln\nDeutz");
    builder.document_attribute(attribute::LANGUAGE, "de");
    builder.annotate(Span::new(5, 9), Link::NIL);
    builder.annotate(Span::new(13, 17), Link::NONE);
    let corpus = builder.finish();
    let written = write(&corpus).unwrap();
    let expected = "# hipe2022:document_id = d\n# hipe2022:language = de\n\
        Haupt\tO\tO\tO\tO\tO\tO\t_\t_\tNoSpaceAfter\n\
        bahn\tB\tO\tO\tO\tO\tO\tNIL\t_\tNoSpaceAfter\n\
        hof\tO\tO\tO\tO\tO\tO\t_\t_\t_\n\
        Köln\tB\tO\tO\tO\tO\tO\t_\t_\tEndOfLine\n\
        Deutz\tO\tO\tO\tO\tO\tO\t_\t_\t_\n\n";
    assert_eq!(written, expected);
    let spans = |corpus: &Corpus| corpus.annotations().iter().map(|a| a.span).collect::<Vec<_>>();
    let again = read(&written);
    assert_eq!(spans(&again), spans(&corpus));
    assert_eq!(again.document("d").unwrap().text(), Some("Hauptbahnhof Köln\nDeutz"));
}

#[test]
fn a_hyphen_is_no_link() {
    let rows = "# hipe2022:document_id = d\nin\tO\tO\tO\tO\tO\tO\t-\t-\t_\n\
         -\tB-loc\tO\tO\tO\tO\tO\t-\t-\t_\nBonn\tB-loc\tO\tO\tO\tO\tO\tQ586\t-\t_\n";
    let corpus = read(rows);
    assert_eq!(shown(&corpus), ["3..4 \"-\" - [\"loc\"]", "5..9 \"Bonn\" Q586 [\"loc\"]"]);
    let mut mentions = corpus.document("d").unwrap().mentions();
    assert!(mentions.all(|mention| mention.attributes().next().is_none()));
}

#[test]
fn what_cannot_be_said_is_refused() {
    let cases = [
        ("two  spaces", 0..3, "Q1", "is not made of tokens"),
        ("a\tb", 0..1, "Q1", "is not made of tokens"),
        ("a b", 0..1, "Q1|Q2", "the entity `Q1|Q2` would be read differently"),
        ("a b", 0..1, "NIL", "the entity `NIL` would be read as NIL"),
        ("a b", 1..3, "Q1", "the mention at 1..3 does not begin and end in tokens"),
    ];
    for (text, span, entity, message) in cases {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(text);
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(span.start, span.end), link);
        let error = write(&builder.finish()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn tokens_that_do_not_cover_the_text_lose_no_words() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("ab cd  ef");
    for (start, end) in [(0, 2), (7, 9)] {
        builder.mark(MarkKind::Token, Span::new(start, end), "");
    }
    builder.annotate(Span::new(7, 9), Link::NIL);
    let adapted = Hipe.adapted(&builder.finish()).unwrap();
    let again = testing::again(&Hipe, &adapted.corpus);
    let document = again.document("d").unwrap();
    assert_eq!(document.text(), Some("ab cd ef"));
    assert_eq!(document.mentions().next().unwrap().span(), Span::new(6, 8));
}

#[test]
fn ordinary_texts_are_adapted() {
    let corpus = testing::linked("d", "Zürich,  a\ttown.\n\nLarge.\n", "Q72");
    assert!(write(&corpus).is_err());
    let adapted = Hipe.adapted(&corpus).unwrap();
    assert_eq!((adapted.documents, adapted.what), (1, "the white space of the text"));
    let again = testing::again(&Hipe, &adapted.corpus);
    assert_eq!(again.document("d").unwrap().text(), Some("Zürich, a town.\nLarge."));
    assert!(Hipe.adapted(&adapted.corpus).is_none());
    let partial = read(DOCUMENT);
    assert!(Hipe.adapted(&partial).is_none(), "what was read can be written");
}

const RUN: &str = "General\tB-pers\tO\tO\tO\tO\tO\tQ321765\t_\t-
Hutchinson\tE-pers\tO\tO\tO\tO\tO\tQ321765\t_\t-
in\tO\t_\t_\t_\t_\tO\t-\t_\t-
Rom\tS-loc\tO\tO\tO\tO\tO\tQ220|NIL\t_\t-
";

#[test]
fn runs_have_rows_alone() {
    let expected =
        ["0..18 \"General Hutchinson\" Q321765 [\"pers\"]", "22..25 \"Rom\" Q220 [\"loc\"]"];
    let with_header = outcome(RUN, &ReadOptions::default()).unwrap();
    assert_eq!(shown(&with_header.corpus), expected);
    assert_eq!(with_header.findings.repaired().len(), 1, "no line names the document");
    assert_eq!(with_header.corpus.documents().next().unwrap().name(), "m");
    let read =
        |rows: &str| testing::read(&Hipe, &[("m.tsv", rows)], &ReadOptions::default()).unwrap();
    let without = read(RUN);
    assert_eq!(shown(&without.corpus), expected);
    assert_eq!(without.findings.repaired().len(), 2, "nor is there a header");
    let sample = crate::Sample { name: "m.tsv", bytes: RUN.as_bytes(), text: RUN, complete: true };
    assert_eq!(Hipe.detect(&sample), 90);
}

#[test]
fn rows_without_misc_and_with_empty_columns() {
    let without: String =
        RUN.lines().map(|row| row.trim_end_matches("\t-").to_owned() + "\n").collect();
    let wide: String = RUN.lines().map(|row| format!("{row}\t\t\n")).collect();
    for rows in [without, wide] {
        let found = outcome(&rows, &ReadOptions::default()).unwrap();
        assert_eq!(found.corpus.annotations().len(), 2, "{rows}");
        assert_eq!(found.findings.repaired().len(), 2, "one note on the document, one on the rows");
    }
    let short = RUN.replace("\tQ220|NIL\t_\t-", "");
    assert_eq!(outcome(&short, &ReadOptions::default()).unwrap_err().kind, Kind::Malformed);
}

#[test]
fn other_columns_mark_the_mentions() {
    let columns = [("type", "NE-FINE-LIT"), ("link", "NEL-METO")];
    let columns = columns.map(|(field, name)| (field.to_owned(), name.to_owned())).into();
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let found = outcome(DOCUMENT, &options).unwrap();
    assert!(found.used.columns);
    assert_eq!(
        shown(&found.corpus),
        [
            "0..18 \"General Hutchinson\" - [\"pers.ind\"]",
            "22..32 \"Frankreich\" Q70802 [\"loc.adm.nat\"]",
        ]
    );
}

#[test]
fn a_document_that_comes_twice_goes_on_or_gets_a_number() {
    let document = |row: &str| format!("# hipe2022:document_id = d\n{row}\n");
    let (a, b) = ("Rom\tB-loc\tO\tO\tO\tO\tO\tQ220\t_\t_", "Bern\tB-loc\tO\tO\tO\tO\tO\tQ70\t_\t_");
    let names = |rows: String| {
        let found = outcome(&rows, &ReadOptions::default()).unwrap();
        let names: Vec<String> = found.corpus.documents().map(|it| it.name().to_owned()).collect();
        (names, found.corpus.annotations().len())
    };
    assert_eq!(names(document(a) + &document(b)), (vec!["d".to_owned(), "d#2".to_owned()], 2));
    assert_eq!(names(document(a) + &document(a)), (vec!["d".to_owned()], 2));
}
