use super::*;
use crate::problem::Kind;
use crate::registry::Registry;
use karat_model::{CorpusBuilder, Link, MarkKind, Span};
use proptest::prelude::*;

const PREFIXES: &str = "\
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .
@prefix itsrdf: <http://www.w3.org/2005/11/its/rdf#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
";

const BERLIN: &str = r#"
<http://ex.org/d1#char=0,16> a nif:Context, nif:String, nif:RFC5147String ;
  nif:beginIndex "0"^^xsd:nonNegativeInteger ; nif:endIndex "16"^^xsd:nonNegativeInteger ;
  nif:isString "Berlin is large." .
"#;

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    let input = Input::from(Source::memory("f.ttl", format!("{PREFIXES}{content}")));
    Registry::new(crate::FORMATS).read(&input, Some("nif"), options).map(|outcome| outcome.corpus)
}

fn read(content: &str) -> Corpus {
    read_with(content, &ReadOptions::default()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// All mentions as `start..end link|equivalents|types|tags|confidence`.
fn shown(corpus: &Corpus) -> Vec<String> {
    let join = |items: Vec<&str>| items.join(",");
    corpus
        .documents()
        .flat_map(|document| document.mentions())
        .map(|mention| {
            let link = match mention.entity() {
                Some(entity) => entity.to_owned(),
                None if mention.link().is_nil() => {
                    format!("NIL{}", mention.nil_cluster().unwrap_or_default())
                }
                None => "-".to_owned(),
            };
            format!(
                "{} {link}|{}|{}|{}|{}",
                mention.span(),
                join(mention.equivalents().collect()),
                join(mention.types().collect()),
                join(mention.tags().collect()),
                mention.confidence().map_or(String::new(), |c| c.to_string()),
            )
        })
        .collect()
}

/// What is said about the first word of [`BERLIN`], and what comes of it.
fn phrase(said: &str) -> Vec<String> {
    shown(&read(&format!(
        "{BERLIN}<http://ex.org/d1#char=0,6> a nif:Phrase ; nif:referenceContext <http://ex.org/d1#char=0,16> {said} ."
    )))
}

#[test]
fn a_document_of_gerbil() {
    let corpus = read(&format!(
        r#"{BERLIN}
<http://ex.org/d1#char=0,6> a nif:Phrase, nif:String, nif:RFC5147String ; nif:anchorOf "Berlin" ;
  nif:beginIndex "0"^^xsd:nonNegativeInteger ; nif:endIndex "6"^^xsd:nonNegativeInteger ;
  nif:referenceContext <http://ex.org/d1#char=0,16> ; rdfs:comment "a city" ;
  itsrdf:taIdentRef <http://dbpedia.org/resource/Berlin>, <http://www.wikidata.org/entity/Q64> ;
  itsrdf:taClassRef dbo:City, <http://ex.org/Capital>, el:Mnt-Full, fel:DirectReference ;
  itsrdf:taConfidence "0.92"^^xsd:double ."#
    ));
    let document = corpus.documents().next().unwrap();
    assert_eq!((document.name(), document.text()), ("http://ex.org/d1", Some("Berlin is large.")));
    assert_eq!(
        shown(&corpus),
        ["0..6 http://dbpedia.org/resource/Berlin|http://www.wikidata.org/entity/Q64|\
          http://dbpedia.org/ontology/City,http://ex.org/Capital|el:Mnt-Full,el:Ref-Direct|0.92"]
    );
    assert_eq!(document.mentions().next().unwrap().attribute(attribute::COMMENT), Some("a city"));
}

#[test]
fn statements_come_in_any_order_and_in_pieces() {
    let corpus = read(&format!(
        r#"
<http://ex.org/d1#char=10,15> nif:referenceContext <http://ex.org/d1#char=0,16> ; nif:anchorOf "large" .
<http://ex.org/d1#char=0,6> itsrdf:taIdentRef <http://x/A> .
<http://ex.org/d1#char=10,15> a nif:Word ; itsrdf:taIdentRef <http://x/B> .
<http://ex.org/d1#char=0,6> a nif:String ; nif:beginIndex 0 ; nif:endIndex 6 .
<http://ex.org/d1#char=0,6> itsrdf:taIdentRef <http://x/A>, <http://x/C> .
<http://x/A> a <http://x/City> ; rdfs:comment "not a mention" .
{BERLIN}"#
    ));
    assert_eq!(shown(&corpus), ["0..6 http://x/A|http://x/C|||", "10..15 http://x/B||||"]);
}

#[test]
fn nil_and_no_answer() {
    for (said, expected) in [
        ("", "-"),
        ("; itsrdf:taIdentRef <http://aksw.org/notInWiki/Berlin>", "NILBerlin"),
        ("; itsrdf:taIdentRef <http://aksw.org/unknown_entity/7>", "NIL7"),
        ("; itsrdf:taIdentRef <*null*>", "NIL"),
        ("; itsrdf:taIdentRef []", "NIL"),
        (r"; itsrdf:taIdentRef <http://x/\u00fc b>", "http://x/ü b"),
    ] {
        assert_eq!(phrase(said), [format!("0..6 {expected}||||")]);
    }
}

#[test]
fn the_forms_of_nif_2_1() {
    let corpus = read(
        r#"
<http://ex.org/d?char=0,16> a nif:Context, nif:OffsetBasedString ; nif:isString "Berlin is large." .
<http://ex.org/d#offset_0_6> a nif:OffsetBasedString ; nif:anchorOf "Berlin" ; nif:referenceContext <http://ex.org/d?char=0,16> ;
  nif:annotationUnit [ a nif:AnnotationUnit ; itsrdf:taIdentRef <http://x/A> ; itsrdf:taConfidence 0.5 ] .
<http://ex.org/d#offset_10_15> a nif:Phrase ; nif:annotationUnit <http://ex.org/u1> .
<http://ex.org/u1> itsrdf:taIdentRef <http://x/B> .
"#,
    );
    assert_eq!(corpus.documents().next().unwrap().name(), "http://ex.org/d");
    assert_eq!(shown(&corpus), ["0..6 http://x/A||||0.5", "10..15 http://x/B||||"]);
}

#[test]
fn sentences_and_tokens_are_not_mentions() {
    let corpus = read(&format!(
        r#"{BERLIN}
<http://ex.org/d1#char=0,16> a nif:Sentence ; nif:referenceContext <http://ex.org/d1#char=0,16> .
<http://ex.org/d1#char=7,9> a nif:Word ; nif:anchorOf "is" ; nif:posTag "VBZ" ; nif:sentence <http://ex.org/d1#char=0,16> .
<http://ex.org/d1#char=0,6> a nif:Phrase ; nif:referenceContext <http://ex.org/d1#char=0,16> .
<http://ex.org/d1#char=0,16> a nif:Phrase ; itsrdf:taIdentRef <http://x/All> ."#
    ));
    assert_eq!(shown(&corpus), ["0..6 -||||", "0..16 http://x/All||||"]);
    let document = corpus.documents().next().unwrap();
    let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).collect();
    assert_eq!(sentences, [(Span::new(0, 16), "")]);
}

#[test]
fn offsets_count_code_points() {
    let corpus = read(
        r#"<http://x/d#char=0,11> a nif:Context ; nif:isString "😀 e\u0301 𝔄lpha" .
<http://x/d#char=5,10> a nif:Phrase ; nif:anchorOf "𝔄lpha" ; nif:referenceContext <http://x/d#char=0,11> ."#,
    );
    assert_eq!(shown(&corpus), ["5..10 -||||"]);
}

#[test]
fn entities_of_the_file_are_those_they_are_the_same_as() {
    let about = "http://ex.org/task/";
    let mention = |start: u32, entity: &str| {
        format!(
            "<{about}d#char={start},{}> a nif:Phrase ; nif:referenceContext <{about}d#char=0,16> ; itsrdf:taIdentRef <{entity}> .\n",
            start + 2
        )
    };
    let same = "<http://www.w3.org/2002/07/owl#sameAs>";
    let content = format!(
        "{PREFIXES}<{about}d#char=0,16> a nif:Context ; nif:isString \"Berlin is large.\" .\n\
         <{about}A> {same} <http://dbpedia.org/resource/A> , <http://x.org/A> .\n\
         <{about}B> a <http://www.w3.org/2002/07/owl#Individual> .\n\
         <http://other.org/C> {same} <http://dbpedia.org/resource/C> .\n{}{}{}{}",
        mention(0, &format!("{about}A")),
        mention(2, &format!("{about}B")),
        mention(4, "http://other.org/C"),
        mention(6, &format!("{about}D")),
    );
    let corpus = read(&content);
    let document = corpus.document("http://ex.org/task/d").unwrap();
    let mentions: Vec<_> = document.mentions().collect();
    let equivalents = |number: usize| mentions[number].equivalents().collect::<Vec<_>>();
    assert_eq!(mentions[0].entity(), Some("http://dbpedia.org/resource/A"));
    assert_eq!(equivalents(0), ["http://x.org/A"]);
    assert_eq!(mentions[1].nil_cluster(), Some("B"), "only this file knows it");
    assert_eq!(mentions[2].entity(), Some("http://other.org/C"));
    assert_eq!(equivalents(2), ["http://dbpedia.org/resource/C"]);
    assert_eq!(mentions[3].entity(), Some("http://ex.org/task/D"), "nothing says what it is");
}

#[test]
fn bad_statements_are_located() {
    let cases = [
        (
            "<http://x/d#char=0,6> a nif:Phrase ; nif:referenceContext <http://x/none> .",
            (Kind::UnknownDocument, 8, 1),
            "the context <http://x/none> is not in the file, or has no nif:isString",
        ),
        (
            "<http://ex.org/d1#char=0,5> a nif:Phrase ; nif:anchorOf \"Berlin\" .",
            (Kind::Surface, 8, 1),
            "the mention is “Berlin” but the text at 0..5 is “Berli”",
        ),
        (
            "<http://ex.org/d1#char=9,99> a nif:Phrase .",
            (Kind::Offset, 8, 1),
            "offset 9..99 lies outside the text, which has 16 code points",
        ),
        (
            "<http://ex.org/d1#x> a nif:Phrase ; nif:referenceContext <http://ex.org/d1#char=0,16> .",
            (Kind::Malformed, 8, 1),
            "expected nif:beginIndex and nif:endIndex, or offsets in the IRI",
        ),
        (
            "<http://x/d> nif:beginIndex \"x\" .",
            (Kind::Malformed, 8, 29),
            "expected an offset, found “x”",
        ),
        (
            "<http://x/d> a nif:Phrase",
            (Kind::Truncated, 8, 26),
            "the file ends where `;`, `,` or `.` should follow",
        ),
        (
            "<http://ex.org/d1#char=0,1> a nif:Context ; nif:isString \"x\" .",
            (Kind::DuplicateDocument, 8, 1),
            "document `http://ex.org/d1` occurs twice",
        ),
    ];
    for (statement, place, message) in cases {
        let problem =
            read_with(&format!("{BERLIN}{statement}"), &crate::testing::strict()).unwrap_err();
        let found = problem.place.as_ref().unwrap();
        assert_eq!((problem.kind, found.line, found.column), place, "{statement}");
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some());
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let good = "\n<http://ex.org/d1#char=7,9> a nif:Phrase .";
        let corpus = read_with(&format!("{BERLIN}{statement}{good}"), &options).unwrap();
        assert_eq!(shown(&corpus), ["7..9 -||||"], "{statement}");
    }
}

#[test]
fn files_are_told_apart_by_content() {
    let detect = |text: &str| {
        let sample = Sample { name: "x", bytes: text.as_bytes(), text, complete: true };
        (Nif.detect(&sample), super::super::CategorisedNif.detect(&sample))
    };
    assert_eq!(detect(&format!("{PREFIXES}{BERLIN}")), (90, 0));
    let sentence = "<http://x/d_sentence0#0,5>\n a nif:Context ; nif:isString \"x\" ; nif:broaderContext <http://x/d#char=0,9> .";
    assert_eq!(detect(sentence), (0, 95));
    for other in
        ["", "d\t0\t5\tQ64\n", "{\"nif:isString\": \"x\"}", "@prefix ex: <http://x/> . <a> a <b> ."]
    {
        assert_eq!(detect(other), (0, 0), "{other}");
    }
}

/// Strings that break careless writers.
const HOSTILE: &[&str] = &[
    "Q64",
    "a b",
    "\"x\"",
    "\\u0041",
    "<b>",
    "http://x/ü",
    "http://x/%zz",
    "http://x y/",
    "a\nb\r\t",
    "😀",
    "",
    "http://[x]/",
    "foo:bar|baz",
    "http://x/a#b#c",
    "é\u{301}",
    "\u{e000}",
    "\u{fffe}",
    "http://x:y/",
    "urn:karat:id:1",
    "el:Mnt-Full",
    "mnt:Other",
    "http://x/notInWiki/a",
    "-:x",
    "1:x",
    "x:",
    "http://",
    "\u{0}",
    "\"\"\"",
    "a'b''",
];

#[test]
fn a_mention_that_is_the_whole_text_keeps_all_its_links() {
    let mention = "\n<http://ex.org/d1#char=0,16> a nif:Phrase ; itsrdf:taIdentRef <http://x/a>, <http://x/a> .\n";
    assert_eq!(shown(&read(&format!("{BERLIN}{mention}"))), ["0..16 http://x/a|http://x/a|||"]);
}

/// A file of several blocks: documents with a long text and two mentions each,
/// and something more at the end.
fn large_file(end: &str) -> String {
    let text = "Berlin is large. ".repeat(1000);
    let mut content = PREFIXES.to_owned();
    for number in 0..600 {
        let document = format!("http://ex.org/d{number}");
        content +=
            &format!("\n<{document}#char=0,17000> a nif:Context ; nif:isString \"{text}\" .\n");
        for start in [0, 17 * number] {
            content += &format!(
                "\n<{document}#char={start},{}>\n  nif:anchorOf \"Berlin\" ;\n  nif:referenceContext <{document}#char=0,17000> ;\n  \
                 itsrdf:taIdentRef <http://ex.org/e{}> .\n",
                start + 6,
                number % 7 + start
            );
        }
    }
    content + end
}

#[test]
fn threads_do_not_change_the_result() {
    let mention = |document: &str, subject: &str| {
        format!(
            "\n<{subject}#char=34,40> nif:referenceContext <{document}#char=0,17000> ; itsrdf:taIdentRef <http://ex.org/Berlin> .\n"
        )
    };
    let (first, last) = ("http://ex.org/d0", "http://ex.org/d599");
    let again = format!("\n<{first}#char=0,17000> a nif:Context ; nif:isString \"Berlin\" .\n");
    let unit = "\n<http://ex.org/u> itsrdf:taIdentRef <http://ex.org/Berlin> .\n";
    for (end, whole) in [
        (mention(last, last), false),
        (mention(first, first), true),
        (mention(first, "http://ex.org/other"), true),
        (mention(last, first), true),
        (again, true),
        (format!("\n<{last}#char=0,6> nif:annotationUnit <http://ex.org/u> .\n{unit}"), false),
        (format!("\n<{last}#char=0,6> nif:annotationUnit <http://ex.org/v> .\n{unit}"), true),
        ("\n<http://ex.org/d599#char=0,6> itsrdf:taIdentRef .\n".to_owned(), true),
        ("\n@prefix nif: <http://ex.org/> .\n".to_owned(), true),
    ] {
        let file = Source::memory("f.ttl", large_file(&end));
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let mut expected = Reading::new(&options);
        as_a_whole(&file, &mut expected).unwrap();
        let expected = expected.corpus.finish();
        for threads in [1, 3] {
            let found =
                in_stretches(&file, INFO.offsets, &ReadOptions { threads, ..options.clone() });
            assert_eq!(found.is_none(), whole, "{end}");
            if let Some(found) = found {
                assert_eq!(found.finish().difference(&expected), None, "{end}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_valid_turtle_and_comes_back(
        choices in prop::collection::vec(prop::collection::vec(0..HOSTILE.len(), 6), 1..4),
    ) {
        let mut builder = CorpusBuilder::new();
        for choice in &choices {
            let word = |number: usize| HOSTILE[choice[number]];
            if builder.begin_document(word(0)).is_err() {
                continue;
            }
            let text = format!("{} {}", word(1), word(2));
            builder.set_text(&text);
            let link = Link::to(builder.intern(word(3)));
            let end = text.chars().count() as u32;
            builder.mark(MarkKind::Sentence, Span::new(0, end), "");
            builder.annotate(Span::new(0, 1), Link::NONE).equivalent(word(4)).confidence(1e-7);
            builder.annotate(Span::new(0, end), link).types([word(4)]).tags([word(5)]).attribute("comment", word(1));
            let nil = Link::nil_cluster(builder.intern(word(5)));
            builder.annotate(Span::new(0, 0), if word(5).is_empty() { Link::NIL } else { nil });
        }
        let (corpus, _) = builder.finish().restrict(&INFO.keeps);
        let mut output = Output::memory(Layout::File);
        Nif.write(&corpus, &mut output).unwrap();
        let sources = output.into_sources();
        for triple in oxttl::TurtleParser::new().for_slice(&*sources[0].bytes(None).unwrap()) {
            prop_assert!(triple.is_ok(), "{:?}", triple);
        }
        let input: Input = sources.into_iter().collect();
        let again = Registry::new(crate::FORMATS).read(&input, Some("nif"), &ReadOptions::default()).unwrap();
        prop_assert_eq!(corpus.difference(&again.corpus), None);
    }
}

#[test]
fn offsets_that_are_said_twice_and_not_alike_are_noted() {
    let content = format!(
        "{PREFIXES}{}<http://ex.org/d1#char=3,9> a nif:Phrase ; nif:beginIndex 0 ; nif:endIndex 6 ; \
         nif:referenceContext <http://ex.org/d1#char=0,16> ; nif:anchorOf \"Berlin\" .",
        BERLIN.replace("\"16\"", "\"20\"")
    );
    let input = Input::from(Source::memory("f.ttl", content));
    let registry = Registry::new(crate::FORMATS);
    let outcome = registry.read(&input, Some("nif"), &ReadOptions::default()).unwrap();
    let notes: Vec<String> = outcome.findings.repaired().iter().map(ToString::to_string).collect();
    assert_eq!(
        notes,
        [
            "f.ttl:5:1: nif:endIndex is 20, but the text has 16 code points",
            "f.ttl:8:1: the IRI says 3,9, but nif:beginIndex and nif:endIndex say 0,6",
        ]
    );
    assert_eq!(outcome.corpus.annotations()[0].span, Span::new(0, 6), "the properties count");
    let about = outcome.findings.repaired().iter().map(|problem| problem.about.as_deref().unwrap());
    let about: Vec<_> = about.map(|about| (about.document.as_deref(), about.span)).collect();
    let document = Some("http://ex.org/d1");
    assert_eq!(about, [(document, None), (document, Some(Span::new(0, 6)))]);
}

#[test]
fn a_blank_behind_the_text_is_no_trouble() {
    let repaired = |end: &str| {
        let content = format!("{PREFIXES}{}", BERLIN.replace("large.\"", end));
        assert!(content.contains(end), "{content}");
        let input = Input::from(Source::memory("f.ttl", content));
        let registry = Registry::new(crate::FORMATS);
        let outcome = registry.read(&input, Some("nif"), &ReadOptions::default()).unwrap();
        outcome.findings.repaired().len()
    };
    assert_eq!((repaired("large. \""), repaired("large. x\"")), (0, 1));
}
