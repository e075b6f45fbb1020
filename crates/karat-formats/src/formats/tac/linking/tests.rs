use super::*;
use crate::{ReadOptions, testing};
use karat_model::{Link, Span};

const XML: &str = "<?xml version=\"1.0\"?>
<kbpentlink>
  <query id=\"EL1\">
    <name>AT&amp;T &#x1F600;</name>
    <docid>AFP_1</docid>
    <beg>10</beg>
    <end>13</end>
  </query>
  <query id=\"EL2\"><name>PRC</name><docid>AFP_1</docid><beg>0</beg><end>2</end></query>
</kbpentlink>
";

fn read_with(xml: &str, tab: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    let files = [("q.xml", xml), ("q.tab", tab)];
    testing::read_as(&Tac, &files, options).map(|outcome| outcome.corpus)
}

fn read(xml: &str, tab: &str) -> Result<Corpus, Problem> {
    read_with(xml, tab, &ReadOptions::default())
}

#[test]
fn queries_and_their_answers() {
    let tab = "query_id\tkb_id\ttype\tscore\nEL2\tNIL07\tGPE\t0.5\nEL1\tE2\tORG\t0.25\nEL1\tE1\tPER\t0.75\n";
    let corpus = read(XML, tab).unwrap();
    let mentions: Vec<_> = corpus.document("AFP_1").unwrap().mentions().collect();
    assert_eq!(mentions.len(), 2);
    assert_eq!(mentions[0].span(), Span::new(10, 14), "the end is inclusive");
    assert_eq!(mentions[0].surface(), Some("AT&T 😀"));
    assert_eq!(mentions[0].attribute(attribute::ID), Some("EL1"));
    assert_eq!((mentions[0].entity(), mentions[0].confidence()), (Some("E1"), Some(0.75)));
    assert_eq!(mentions[0].types().collect::<Vec<_>>(), ["PER"]);
    let ranked: Vec<_> = mentions[0].candidates().map(|c| (c.entity, c.score)).collect();
    assert_eq!(ranked, [(Some("E1"), Some(0.75)), (Some("E2"), Some(0.25))]);
    assert_eq!(mentions[1].nil_cluster(), Some("07"));
    assert_eq!(mentions[1].candidates().len(), 0);
}

#[test]
fn the_tables_of_other_years() {
    for (tab, kind, score) in [
        ("EL1\tE1\nEL2\tNIL\n", None, Some(1.0)),
        ("EL1\tE1\t0.5\nEL2\tNIL\t1\n", None, Some(0.5)),
        ("EL1 E1 0.5\nEL2 NIL 1\n", None, Some(0.5)),
        ("EL1\tE1\tPER\tN\tNW\tYES\nEL2\tNIL\tPER\tN\tNW\tYES\n", Some("PER"), Some(1.0)),
        ("EL1\tE1\tPER\nEL2\tNIL\tPER\n", Some("PER"), Some(1.0)),
        ("EL1\tE1\tPER\tnan\nEL2\tNIL\tPER\tnan\n", Some("PER"), None),
        ("EL1\tE1\tNA\t0.5\nEL2\tNIL\tNA\t1\n", None, Some(0.5)),
    ] {
        let corpus = read(XML, tab).unwrap();
        let mentions: Vec<_> = corpus.document("AFP_1").unwrap().mentions().collect();
        assert_eq!((mentions[0].types().next(), mentions[0].confidence()), (kind, score), "{tab}");
        assert_eq!(mentions[1].link(), Link::NIL);
    }
}

#[test]
fn what_does_not_fit_is_located() {
    let good = "EL1\tE1\tPER\nEL2\tE2\tPER\n";
    let query = "<kbpentlink><query id=\"EL1\"><name>x</name><docid>d</docid>";
    let cases = [
        (XML.to_owned(), "EL1\tE1\tPER\n", "q.xml", 9, 3, "query `EL2` has no line in `q.tab`"),
        (
            XML.to_owned(),
            "EL1\tE1\tPER\nEL9\tE1\tPER\n",
            "q.tab",
            2,
            1,
            "query `EL9` is not among the queries",
        ),
        (XML.to_owned(), "EL1\tE1\tPER\thigh\n", "q.tab", 1, 12, "expected a score, found `high`"),
        (XML.to_owned(), "EL1\n", "q.tab", 1, 1, "expected at least 2 columns, found 1"),
        (XML.replace("EL2", "EL1"), good, "q.xml", 9, 3, "query `EL1` occurs twice"),
        (XML.replace(" id=\"EL2\"", ""), good, "q.xml", 9, 3, "a query without an `id`"),
        (
            format!("{query}<end>1</end></query>"),
            good,
            "q.xml",
            1,
            13,
            "query `EL1` has no `<beg>`",
        ),
        (
            format!("{query}<beg>x</beg><end>1</end></query>"),
            good,
            "q.xml",
            1,
            64,
            "expected a whole number, found `x`",
        ),
        (
            format!("{query}<beg>5</beg><end>1</end></query>"),
            good,
            "q.xml",
            1,
            76,
            "the mention ends at 1, before it starts at 5",
        ),
        (format!("{query}<beg>5</beg>"), good, "q.xml", 1, 13, "the file ends inside a query"),
    ];
    for (xml, tab, file, line, column, message) in cases {
        let problem = read(&xml, tab).unwrap_err();
        let place = problem.place.as_ref().unwrap();
        let found =
            (problem.source_name.as_str(), place.line, place.column, problem.message.as_str());
        assert_eq!(found, (file, line, column, message));
        assert!(problem.hint.is_some());
        let lenient = testing::lenient();
        assert!(read_with(&xml, tab, &lenient).is_ok());
    }
    let problem = read("<kbpentlink><query id=\"a\"></b>", good).unwrap_err();
    assert!(problem.message.starts_with("bad XML"), "{problem}");
}

#[test]
fn one_file_alone_is_not_enough() {
    for file in [("q.xml", XML), ("q.tab", "EL1\tE1\tPER\n")] {
        let problem = testing::read(&Tac, &[file], &ReadOptions::default()).unwrap_err();
        assert!(problem.message.starts_with("the file that belongs to it is missing"), "{problem}");
    }
}

#[test]
fn ids_are_kept_and_made_up_where_there_are_none() {
    let corpus = read(XML, "EL1\tE1\tPER\nEL2\tE2\tPER\t0.5\n").unwrap();
    let files = testing::write(&Tac, &corpus).unwrap();
    assert_eq!(files[1], "EL1\tE1\tPER\t1.0\nEL2\tE2\tPER\t0.5\n");
    assert_eq!(corpus.difference(&read(&files[0], &files[1]).unwrap()), None);
    let made = XML.replace("EL", "karat_");
    let corpus = read(&made, "karat_1\tE1\tPER\nkarat_2\tE2\tPER\n").unwrap();
    assert!(corpus.documents().flat_map(|d| d.mentions()).all(|m| m.attribute("id").is_none()));
    assert_eq!(
        testing::write(&Tac, &corpus).unwrap()[1],
        "karat_000001\tE1\tPER\t1.0\nkarat_000002\tE2\tPER\t1.0\n"
    );
}

#[test]
fn a_lenient_reading_goes_on_without_a_file_that_is_missing() {
    let tab = "EL1\tE1\tORG\nEL2\tNIL\tGPE\n";
    let files = [("q.xml", XML), ("q.tab", tab), ("alone.tab", tab)];
    assert!(testing::read_as(&Tac, &files, &ReadOptions::default()).is_err());
    let outcome = testing::read_as(&Tac, &files, &testing::lenient()).unwrap();
    assert_eq!(outcome.corpus.annotations().len(), 2);
    let skipped = outcome.findings.skipped();
    assert_eq!((skipped.len(), skipped[0].source_name.as_str()), (1, "alone.tab"));
}
