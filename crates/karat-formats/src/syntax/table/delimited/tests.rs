use super::*;
use crate::input::Input;
use crate::reading::ReadOptions;
use crate::registry::Registry;
use crate::testing;
use karat_model::{Flags, Link, OffsetUnit, Span, attribute};

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    let registry = Registry::new(crate::FORMATS);
    let source = Source::memory("t.csv", content);
    registry.read(&Input::from(source), None, options).map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default())
}

fn formats_of(content: &str) -> Vec<&'static str> {
    let claiming = crate::FORMATS.iter().filter(|f| testing::score(**f, "t", content) > 0);
    claiming.map(|format| format.info().name).collect()
}

#[test]
fn every_column_is_read() {
    let corpus = read(concat!(
        "doc,start,end,link,nil,cluster,score,type,surface,text,optional,coreference,descriptive,side,tags,",
        "equivalents,candidates,attributes,language,topic,title,url\n",
        "d1,0,6,Q64,,,0.5,LOC|CITY,Berlin,\"Berlin, \"\"😀\"\"\nend\",true,no,,gold,a|b,Q1|Q2,",
        "\"[{\"\"link\"\":\"\"Q64\"\",\"\"score\"\":0.5,\"\"type\"\":\"\"LOC\"\"},{\"\"nil\"\":true}]\",",
        "\"{\"\"comment\"\":\"\"x\"\"}\",en,sports,T,http://x\n",
        "d1,9,10,,yes,,,,😀,,,1,true,gold|system,,,,,,,,\n",
        "d1,12,15,,,7,,,,,,,,,,,,,,,,\n",
        "d2,,,,,,,,,,,,,,,,,,de,,,\n",
    ))
    .unwrap();
    let documents: Vec<_> = corpus.documents().collect();
    let [one, two] = documents.as_slice() else { panic!("two documents") };
    assert_eq!(one.text(), Some("Berlin, \"😀\"\nend"));
    assert_eq!((one.language(), one.topic()), (Some("en"), Some("sports")));
    assert_eq!(one.attribute(attribute::TITLE), Some("T"));
    assert_eq!(one.attribute(attribute::URL), Some("http://x"));
    assert_eq!((two.mentions().len(), two.language()), (0, Some("de")));
    let mentions: Vec<_> = one.mentions().collect();
    let [berlin, smile, end] = mentions.as_slice() else { panic!("three mentions") };
    assert_eq!((berlin.entity(), berlin.confidence()), (Some("Q64"), Some(0.5)));
    assert_eq!(berlin.types().collect::<Vec<_>>(), ["LOC", "CITY"]);
    assert_eq!(berlin.tags().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(berlin.equivalents().collect::<Vec<_>>(), ["Q1", "Q2"]);
    assert_eq!(berlin.flags(), Flags::OPTIONAL | Flags::NOT_COREFERENCE | Flags::GOLD);
    assert_eq!(berlin.attribute(attribute::COMMENT), Some("x"));
    let candidates: Vec<_> = berlin.candidates().collect();
    assert_eq!((candidates[0].entity, candidates[0].score), (Some("Q64"), Some(0.5)));
    assert_eq!((candidates[1].link, candidates[1].score), (Link::NIL, None));
    assert_eq!((smile.surface(), smile.link()), (Some("😀"), Link::NIL));
    let flags = Flags::COREFERENCE | Flags::DESCRIPTIVE | Flags::GOLD | Flags::PREDICTED;
    assert_eq!(smile.flags(), flags);
    assert_eq!((end.surface(), end.nil_cluster()), (Some("end"), Some("7")));
}

#[test]
fn links_and_nil_are_told_apart() {
    let corpus = read(concat!(
        "docid\tbegin\tlen\tentity\tis_nil\n",
        "d\t0\t1\tQ1\t\n",
        "d\t0\t1\tQ1\tfalse\n",
        "d\t0\t1\t\t\n",
        "d\t0\t1\t\tTrue\n",
        "d\t0\t1\t\tcluster-3\n",
        "d\t0\t1\tNIL\t\n",
        "d\t0\t1\tNIL0042\ttrue\n",
        "d\t0\t1\tNILS\t0\n",
    ))
    .unwrap();
    let document = corpus.documents().next().unwrap();
    let links = document.mentions().map(|m| match (m.entity(), m.nil_cluster(), m.link()) {
        (Some(entity), ..) => entity.to_owned(),
        (_, Some(cluster), _) => format!("NIL {cluster}"),
        (.., link) => format!("{link:?}"),
    });
    let links: Vec<String> = links.collect();
    assert_eq!(links, ["Q1", "Q1", "None", "Nil", "NIL cluster-3", "Nil", "NIL 0042", "NILS"]);
    assert!(document.mentions().all(|mention| mention.span() == Span::new(0, 1)));
}

#[test]
fn the_user_names_columns() {
    let content = "id;von;bis;objekt\nd;1.0;4.0;Q64\n";
    assert_eq!(read(content).unwrap_err().kind, Kind::Format);
    let columns = [("doc", "id"), ("start", "von"), ("end", "bis"), ("link", "objekt")];
    let columns = columns.map(|(field, column)| (field.to_owned(), column.to_owned())).into();
    let options = ReadOptions { columns, ..ReadOptions::default() };
    let corpus = read_with(content, &options).unwrap();
    let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
    assert_eq!((mention.span(), mention.entity()), (Span::new(1, 4), Some("Q64")));
    let problem = read_with("id;von;to;objekt\nd;1;4;Q64\n", &options).unwrap_err();
    assert!(problem.message.starts_with("no column `bis`; the columns are `id`"), "{problem}");
    assert_eq!(problem.hint.unwrap().to_string(), "did you mean `columns=end=id`?");
}

#[test]
fn offsets_are_checked_in_their_unit() {
    let content = "doc,start,end,mention,text\nd,3,9,Zürich,😀 Zürich\n";
    let problem = read(content).unwrap_err();
    assert_eq!(problem.kind, Kind::Offset);
    let options = ReadOptions { unit: Some(OffsetUnit::Utf16), ..ReadOptions::default() };
    let corpus = read_with(content, &options).unwrap();
    assert_eq!(corpus.annotations()[0].span, Span::new(2, 8));
}

#[test]
fn without_text_the_surface_is_kept() {
    let corpus = read("doc,start,end,surface\nd,0,6,Berlin\n").unwrap();
    let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
    assert_eq!(mention.attribute(attribute::SURFACE), Some("Berlin"));
}

#[test]
fn rows_of_a_document_may_lie_apart() {
    let corpus = read("doc,start,end,text\na,0,1,xyz\nb,0,1,uvw\na,1,2,\nb,1,3,uvw\n").unwrap();
    let spans = |name: &str| -> Vec<String> {
        corpus.document(name).unwrap().mentions().map(|m| m.surface().unwrap().to_owned()).collect()
    };
    assert_eq!(
        (spans("a"), spans("b")),
        (vec!["x".into(), "y".into()], vec!["u".into(), "vw".into()])
    );
}

#[test]
fn bad_rows_are_located() {
    const UNCLOSED: &str = "a quote that is not closed before the file ends";
    let cases = [
        ("d,x,3,Q1,\n", 2, 3, "expected a whole number from 0 up, found “x”"),
        ("d,-1,3,Q1,\n", 2, 3, "expected a whole number from 0 up, found “-1”"),
        ("d,0,3,Q1,high\n", 2, 10, "expected a number, found “high”"),
        ("d,0,3,Q1,-inf\n", 2, 10, "expected a finite number, found “-inf”"),
        ("d,0,3,Q1,1e400\n", 2, 10, "expected a finite number, found “1e400”"),
        ("d,5,3,Q1,\n", 2, 5, "the mention ends at 3, before it starts at 5"),
        ("d,0,1,Q1,\nd,0,3,Q1\n", 3, 1, "expected 5 columns, found 4"),
        (",0,1,Q1,\n", 2, 1, "expected the name of a document, found nothing"),
        ("\"d\n1\",0,,Q1,\n", 3, 6, "a mention that starts but does not end"),
        ("d,,,Q1,\n", 2, 5, "a link without a start and an end"),
        ("d,0,99999999999,Q1,\n", 2, 5, "the offset 99999999999 is too large"),
        ("d,0,1,\"Q\"\"1\",\nd,2,3,\"Q2,\nd,4,5,Q3,\n", 3, 7, UNCLOSED),
        ("d,0,1,Q1,\"\"\"\n", 2, 10, UNCLOSED),
    ];
    for (rows, line, column, message) in cases {
        let problem = read(&format!("doc,start,end,link,score\n{rows}")).unwrap_err();
        let place = problem.place.clone().unwrap();
        assert_eq!((place.line, place.column, problem.message.as_str()), (line, column, message));
        assert!(problem.hint.is_some());
    }
    let problem = read("doc,start,end,link,nil\r\nd,0,1,Q1,true\r\n").unwrap_err();
    assert_eq!(problem.message, "a link to an entity that is NIL at the same time");
    let problem = read("doc,start,end,surface,text\nd,0,2,Xy,Zy\n").unwrap_err();
    assert_eq!((problem.kind, problem.place.unwrap().column), (Kind::Surface, 7));
}

#[test]
fn a_text_comes_first_and_stays_the_same() {
    let cases = [
        ("d,0,1,xy\nd,0,1,xz\n", "the text of the document differs from the one in an earlier row"),
        (
            "d,0,1,\ne,0,1,xy\nd,0,1,xy\n",
            "the text of the document comes too late; it belongs into its first row",
        ),
    ];
    for (rows, message) in cases {
        let problem = read(&format!("doc,start,end,text\n{rows}")).unwrap_err();
        assert_eq!(problem.message, message);
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let content = "doc,start,end\nd,0,1\nd,x,2\nd,3\nd,5,9\n";
    assert_eq!(read_with(content, &options).unwrap().annotations().len(), 2);
}

#[test]
fn a_lenient_reading_goes_on_behind_an_open_quote() {
    let good: String = (0..100).map(|at| format!("d,{at},{at},Q1\n")).collect();
    let read = |lines: &str| {
        let table = format!("doc,start,end,link\n{good}{lines}{good}");
        read_with(&table, &testing::lenient()).map(|corpus| corpus.annotations().len())
    };
    assert_eq!(read("d,1,2,\"Q64\nd,3,4,Q5\n").unwrap(), 201);
    assert_eq!(read("d,1,2,\"Q6\"\"\r\nd,3,4,\"Q5\"\n").unwrap(), 201);
    // The last one is what is not closed.
    assert_eq!(read(&"a\"b,1,2,\"c\n".repeat(1000)).unwrap(), 200);
}

#[test]
fn the_text_of_a_bad_row_is_kept_and_checks_the_others() {
    let table = "doc,start,end,link,text,language\nd,x,6,Q64,Berlin is,de\nd,7,9,Q65,,\n\
        d,70,90,Q65,,\ne,5,1,Q1,Bern,\nd,0,x,Q1,Other,\n";
    let input = Input::from(Source::memory("m.csv", table));
    let outcome =
        Registry::new(crate::FORMATS).read(&input, Some("csv"), &testing::lenient()).unwrap();
    let documents = outcome.corpus.documents();
    let found: Vec<_> = documents.map(|d| (d.text(), d.language(), d.mentions().len())).collect();
    assert_eq!(found, [(Some("Berlin is"), Some("de"), 1), (Some("Bern"), None, 0)]);
    assert_eq!(outcome.findings.skipped().len(), 4, "each bad row once");
}

#[test]
fn files_put_together_repeat_their_header() {
    let corpus = read("doc,start,end\na,0,1\ndoc,start,end\nb,0,1\n").unwrap();
    assert_eq!(corpus.len(), 2);
}

#[test]
fn tables_are_recognised_by_their_header() {
    assert_eq!(formats_of("doc,start,end,link\n"), ["csv"]);
    assert_eq!(formats_of("Doc;Begin;Stop;Q\n"), ["csv"]);
    assert_eq!(formats_of("docid\tstart\tlength\n"), ["tsv"]);
    assert_eq!(formats_of("d\t0\t5\tQ1\n"), ["neleval"]);
    assert_eq!(formats_of("TOKEN\tNE-COARSE-LIT\tNEL-LIT\n"), ["hipe"]);
    for other in ["a,b,c\n1,2,3\n", "doc\n", "", "Hello, start and end.\n"] {
        assert_eq!(formats_of(other), Vec::<&str>::new(), "{other}");
    }
}

#[test]
fn threads_do_not_change_the_result() {
    let mut content = String::from("doc,start,end,link,surface\n");
    let surface = "a\n\"\"b\"\",".repeat(50);
    for row in 0..14_000 {
        content.push_str(&format!("d{},{row},{},Q{},\"{surface}\"\n", row % 70, row + 5, row % 99));
    }
    let corpora = [1, 3].map(|threads| {
        read_with(&content, &ReadOptions { threads, ..ReadOptions::default() }).unwrap()
    });
    assert_eq!((corpora[0].len(), corpora[0].annotations().len()), (70, 14_000));
    assert_eq!(corpora[0].difference(&corpora[1]), None);
}
