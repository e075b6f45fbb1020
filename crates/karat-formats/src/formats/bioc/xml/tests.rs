use super::*;
use crate::placing::fragments::FRAGMENTS;
use crate::{ReadOptions, ReadOutcome, testing};
use karat_model::{CorpusBuilder, Link, MarkKind, OffsetUnit, Span};

/// The two spellings.
const BOTH: [&dyn Format; 2] = [&BiocXml, &bioc::BiocJson];

fn read_with(content: &str, options: &ReadOptions) -> Result<ReadOutcome, Problem> {
    testing::read(&BiocXml, &[("m.xml", content)], options)
}

fn read(content: &str) -> Result<ReadOutcome, Problem> {
    read_with(content, &ReadOptions::default())
}

fn collection(body: &str) -> String {
    format!("<!DOCTYPE collection SYSTEM \"BioC.dtd\"><collection>\n{body}</collection>")
}

/// One passage at offset 0 with this below it.
fn with_passage(text: &str, below: &str) -> String {
    collection(&format!(
        "<document><id>1</id><passage><offset>0</offset><text>{text}</text>\n{below}</passage></document>"
    ))
}

fn annotation(location: &str, text: &str) -> String {
    format!(
        "<annotation id=\"A\"><infon key=\"identifier\">Q1</infon>{location}<text>{text}</text></annotation>"
    )
}

const ARTICLE: &str = "\
<?xml version='1.0' encoding='UTF-8'?>
<!DOCTYPE collection SYSTEM 'BioC.dtd'>
<collection>
  <source>PubTator</source><date/><key>BioC.key</key>
  <infon key=\"note\">passed over</infon>
  <document>
    <id>PMC12</id>
    <infon key=\"license\">CC &amp; BY</infon>
    <passage>
      <infon key=\"type\">title</infon>
      <infon key=\"section_type\">TITLE</infon>
      <offset>0</offset>
      <text>😀 e\u{301}t &lt;𝔄&gt;</text>
      <annotation id=\"G0\">
        <infon key=\"type\">Chemical</infon>
        <infon key=\"identifier\">MESH:D1|MESH:D2</infon>
        <infon key=\"NCBI Homologene\">47906</infon>
        <infon key=\"confidence\">0.5</infon>
        <location offset=\"2\" length=\"3\"/>
        <text>e\u{301}t</text>
      </annotation>
      <annotation id=\"\">
        <infon key=\"type\">Gene</infon>
        <infon key=\"NCBI Gene\">672</infon>
        <location length=\"3\" offset=\"6\"/>
        <text><![CDATA[<𝔄>]]></text>
      </annotation>
    </passage>
    <passage>
      <offset>12</offset>
      <sentence><offset>12</offset><text>One two.</text>
        <annotation id=\"2\"><infon key=\"identifier\">-</infon><location offset=\"12\" length=\"3\"/></annotation>
      </sentence>
      <sentence><offset>21</offset><text>Three</text>
        <annotation id=\"3\"><infon key=\"identifier\"></infon><location offset=\"21\" length=\"5\"/><text>Three</text></annotation>
      </sentence>
      <annotation id=\"MI1\"><infon key=\"type\">MeSH_Indexing</infon><infon key=\"identifier\">D9</infon></annotation>
    </passage>
  </document>
</collection>
";

#[test]
fn a_document_with_all_its_fields() {
    let corpus = read(ARTICLE).unwrap().corpus;
    let document = corpus.document("PMC12").unwrap();
    assert_eq!(document.text(), Some("😀 e\u{301}t <𝔄>\n  One two.\nThree"));
    assert_eq!(document.attribute("license"), Some("CC & BY"));
    let passages: Vec<_> = document.marks_of(MarkKind::Passage).collect();
    assert_eq!(passages, [(Span::new(0, 9), "title")], "a passage without a type leaves no mark");
    let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    assert_eq!(sentences, [Span::new(12, 20), Span::new(21, 26)]);
    let [first, second, third, fourth] = &document.mentions().collect::<Vec<_>>()[..] else {
        panic!("an annotation without a place is no mention");
    };
    assert_eq!((first.surface(), first.entity()), (Some("e\u{301}t"), Some("MESH:D1|MESH:D2")));
    assert_eq!(first.types().collect::<Vec<_>>(), ["Chemical"]);
    assert_eq!(first.confidence(), Some(0.5));
    assert_eq!(first.attribute("id"), Some("G0"));
    assert_eq!(first.attribute("NCBI Homologene"), Some("47906"));
    assert_eq!((second.surface(), second.entity()), (Some("<𝔄>"), Some("672")));
    assert_eq!(second.attribute("database"), Some("NCBI Gene"));
    assert_eq!(second.attribute("id"), None);
    assert_eq!((third.surface(), third.link()), (Some("One"), Link::NIL));
    assert_eq!((fourth.surface(), fourth.link()), (Some("Three"), Link::NONE));
}

#[test]
fn what_was_read_is_written_again() {
    let corpus = read(ARTICLE).unwrap().corpus;
    let (expected, _) = corpus.restrict(&INFO.keeps);
    assert_eq!(expected.difference(&testing::again(&BiocXml, &corpus)), None);
}

#[test]
fn parts_are_read_as_the_whole_stretch() {
    let places = "<location offset=\"0\" length=\"3\"/><location offset=\"11\" length=\"4\"/>";
    let outcome = read(&with_passage("New or old York", &annotation(places, "New York"))).unwrap();
    let document = outcome.corpus.document("1").unwrap();
    let mention = document.mention(0).unwrap();
    assert_eq!(mention.span(), Span::new(0, 15));
    assert_eq!(mention.attribute(FRAGMENTS), Some("0 3;11 15"));
    let repaired = &outcome.findings.repaired()[0];
    assert_eq!(repaired.message, "the mention has 2 parts; it is read as the whole stretch 0..15");
    assert_eq!(repaired.place.as_ref().unwrap().line, 3);
    assert!(testing::write(&BiocXml, &outcome.corpus).unwrap()[0].contains(places));
}

#[test]
fn byte_offsets_are_read_when_asked_and_suspected_when_not() {
    let content = collection(
        "<document><id>1</id><passage><offset>0</offset><text>é😀</text></passage><passage><offset>7</offset><text>ü Bern</text>\n\
         <annotation id=\"A\"><location offset=\"10\" length=\"4\"/><text>Bern</text></annotation></passage></document>",
    );
    let options = ReadOptions { unit: Some(OffsetUnit::Bytes), ..ReadOptions::default() };
    let corpus = read_with(&content, &options).unwrap().corpus;
    let document = corpus.document("1").unwrap();
    assert_eq!(document.text(), Some("é😀\nü Bern"));
    assert_eq!(document.mention(0).unwrap().span(), Span::new(5, 9));
    let problem = read(&content).unwrap_err();
    assert_eq!(problem.kind, Kind::Offset);
    assert_eq!(
        problem.hint.unwrap().to_string(),
        "counted in bytes the mention is where the file says: try `unit=bytes`"
    );
}

#[test]
fn bad_files_are_located() {
    let passage = |offset: &str, text: &str| {
        format!("<passage><offset>{offset}</offset><text>{text}</text></passage>\n")
    };
    let document =
        |passages: &str| collection(&format!("<document><id>1</id>\n{passages}</document>"));
    let at = |offset: &str, length: &str| {
        let place = format!("<location offset=\"{offset}\" length=\"{length}\"/>");
        with_passage("Bern", &annotation(&place, "Bern"))
    };
    let cases = [
        (at("0", "x"), Kind::Malformed, 3, "expected a whole number, found `x`"),
        (at("-1", "4"), Kind::Malformed, 3, "expected a whole number, found `-1`"),
        (
            at("1", "4"),
            Kind::Offset,
            3,
            "offset 1..5 lies outside the text, which has 4 code points",
        ),
        (at("0", "3"), Kind::Surface, 3, "the mention is “Bern” but the text at 0..3 is “Ber”"),
        (
            at("18446744073709551615", "4"),
            Kind::Offset,
            3,
            "offset 18446744073709551615..18446744073709551615 lies outside the text, which has 4 code points",
        ),
        (
            with_passage("Bern", &annotation("<location length=\"1\"/>", "")),
            Kind::Malformed,
            3,
            "the location has no offset",
        ),
        (
            with_passage("Bern", &annotation("<location offset=\"1\" length=\"0\"/>", "")),
            Kind::Offset,
            3,
            "the mention at 1..1 is empty",
        ),
        (
            document(&passage("zero", "ab")),
            Kind::Malformed,
            3,
            "expected a whole number, found `zero`",
        ),
        (
            document("<passage><text>ab</text></passage>"),
            Kind::Malformed,
            3,
            "the passage has no offset",
        ),
        (
            document(&(passage("0", "abc") + &passage("2", "d"))),
            Kind::Overlap,
            4,
            "the passage starts at 2, before the end of the one before it at 3",
        ),
        (
            document(&(passage("9", "abc") + &passage("0", "d"))),
            Kind::Overlap,
            4,
            "the passage starts at 0, before the end of the one before it at 12",
        ),
        (
            document(&passage("99999999999", "ab")),
            Kind::Offset,
            3,
            "the passage starts at 99999999999, 99999999999 code points after the one before it",
        ),
        (collection("<document></document>"), Kind::Malformed, 2, "the document has no id"),
        (
            collection("<document><id>1</id></document>\n<document><id>1</id></document>"),
            Kind::DuplicateDocument,
            3,
            "document `1` occurs twice",
        ),
        (
            "<!-- BioC.dtd <collection> -->\n<other/>".to_owned(),
            Kind::Malformed,
            2,
            "expected `<collection>`, found `<other>`",
        ),
        (
            "<collection>\n<document><passage>".to_owned(),
            Kind::Truncated,
            2,
            "the file ends inside `<passage>`",
        ),
        (
            "<collection>\n<document><passage></document>".to_owned(),
            Kind::Malformed,
            2,
            "bad XML: expected `</passage>`, but `</document>` was found",
        ),
    ];
    for (content, kind, line, message) in cases {
        let problem = read_with(&content, &testing::strict()).unwrap_err();
        assert_eq!((problem.message.as_str(), problem.kind), (message, kind), "{content}");
        assert_eq!(problem.place.as_ref().unwrap().line, line, "{content}");
        assert!(problem.hint.is_some(), "{content}");
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let content = "<collection><document><id>1</id><passage><offset>0</offset><text>abc</text>\
        <annotation><location offset=\"0\" length=\"9\"/></annotation>\
        <annotation><location offset=\"0\" length=\"3\"/></annotation></passage>\
        <passage><offset>1</offset><text>d</text><annotation><location offset=\"1\" length=\"1\"/></annotation></passage>\
        </document><document>";
    let outcome = read_with(content, &options).unwrap();
    assert_eq!((outcome.corpus.len(), outcome.corpus.annotations().len()), (1, 1));
    let kinds: Vec<_> = outcome.findings.skipped().iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, [Kind::Overlap, Kind::Offset, Kind::Truncated]);
}

/// A document with marks, mentions in any order, and attributes that are hard to tell apart.
fn hard_corpus() -> CorpusBuilder {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("1").unwrap();
    builder.set_text("Title\n  Text . more\u{a0}\r\n");
    builder.mark(MarkKind::Passage, Span::new(0, 5), "title");
    builder.mark(MarkKind::Passage, Span::new(8, 12), "");
    builder.mark(MarkKind::Passage, Span::new(13, 13), "nothing");
    builder.mark(MarkKind::Passage, Span::new(13, 14), "stop");
    let q1 = Link::to(builder.intern("Q1"));
    builder.annotate(Span::new(8, 12), q1).attribute("database", "MESH").attribute("OMIM", "5");
    builder.annotate(Span::new(0, 5), Link::NIL).attribute("database", "MESH");
    builder.annotate(Span::new(0, 5), Link::NONE).attribute("database", "MESH");
    builder.annotate(Span::new(15, 19), q1).attribute("database", "own").types(["type"]);
    builder
}

#[test]
fn passages_and_databases_survive() {
    let corpus = hard_corpus().finish();
    for format in BOTH {
        assert_eq!(corpus.difference(&testing::again(format, &corpus)), None);
    }
}

#[test]
fn what_has_no_form_is_refused() {
    let refused = |change: &dyn Fn(&mut CorpusBuilder)| {
        let mut builder = hard_corpus();
        change(&mut builder);
        let corpus = builder.finish();
        for format in BOTH {
            testing::write(format, &corpus).unwrap_err();
        }
    };
    let whole = Span::new(0, 5);
    refused(&|builder| builder.mark(MarkKind::Passage, Span::new(3, 6), "crossing"));
    refused(&|builder| builder.mark(MarkKind::Passage, Span::new(80, 90), "outside"));
    for (key, value) in [("type", "x"), ("confidence", "1"), ("MESH", "D1"), (FRAGMENTS, "0 9")] {
        refused(&|builder| {
            builder.annotate(whole, Link::NONE).attribute(key, value);
        });
    }
    for id in ["-", "-1", " Q1"] {
        refused(&|builder| {
            let link = Link::to(builder.intern(id));
            builder.annotate(whole, link);
        });
    }
    let mut control = CorpusBuilder::new();
    control.begin_document("1").unwrap();
    control.set_text("\u{1}");
    let control = control.finish();
    assert!(testing::write(&BiocXml, &control).is_err());
}

#[test]
fn sentences_are_written_again() {
    let corpus = read(ARTICLE).unwrap().corpus;
    let again = testing::again(&BiocXml, &corpus);
    assert_eq!(again.difference(&corpus), None);
    assert_eq!(again.document("PMC12").unwrap().marks_of(MarkKind::Sentence).count(), 2);
}
