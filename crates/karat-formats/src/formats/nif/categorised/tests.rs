use super::*;
use crate::problem::Kind;
use crate::registry::Registry;
use karat_model::{CorpusBuilder, Link, MarkKind, Span};

/// A document of two sentences, as in the gold files.
const DOCUMENT: &str = r#"
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#> .

<http://x/d#char=0,30>
        a nif:String , nif:Context  , nif:RFC5147String ;
        nif:isString """Ana sang. “Él” met her in Bern."""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "31"^^xsd:nonNegativeInteger ;
        nif:sourceUrl <http://x/d> .

<http://x/d_sentence0#0,9>
        nif:isString """Ana sang."""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "9"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,30> .

<http://x/d_sentence1#10,31>
        nif:isString """“Él” met her in Bern."""^^xsd:string ;
        nif:beginIndex "10"^^xsd:nonNegativeInteger ;
        nif:endIndex "31"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,30> .
"#;

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    let input = Input::from(Source::memory("f.ttl", content));
    let registry = Registry::new(crate::FORMATS);
    let outcome = registry.read(&input, Some(INFO.name), options)?;
    Ok(outcome.corpus)
}

fn read(content: &str) -> Corpus {
    read_with(content, &ReadOptions::default()).unwrap_or_else(|problem| panic!("{problem}"))
}

/// A mention of a sentence, with what else is said about it.
fn mention(sentence: &str, begin: u32, end: u32, suffix: &str, said: &str) -> String {
    format!(
        "\n<http://x/d_any#char={begin},{end}{suffix}>\n        a nif:Phrase ;\n        \
         nif:referenceContext <http://x/d_{sentence}> ;\n        nif:context <http://x/d#char=0,30> ;\n        \
         nif:beginIndex \"{begin}\"^^xsd:nonNegativeInteger ;\n        \
         nif:endIndex \"{end}\"^^xsd:nonNegativeInteger {said} .\n"
    )
}

const FIRST: &str = "sentence0#0,9";
const SECOND: &str = "sentence1#10,31";

/// All annotations as `start..end surface link|types|tags|reading`.
fn shown(corpus: &Corpus) -> Vec<String> {
    corpus
        .documents()
        .flat_map(|document| document.mentions())
        .map(|mention| {
            let nil = || format!("NIL{}", mention.nil_cluster().unwrap_or_default());
            let link = match mention.entity() {
                Some(entity) => entity.to_owned(),
                None => {
                    if mention.link().is_nil() {
                        nil()
                    } else {
                        "-".to_owned()
                    }
                }
            };
            format!(
                "{} {} {link}|{}|{}|{}",
                mention.span(),
                mention.surface().unwrap(),
                mention.types().collect::<Vec<_>>().join(","),
                mention.tags().collect::<Vec<_>>().join(","),
                mention.place().map_or(String::new(), |p| format!("{} of {}", p.reading, p.parent)),
            )
        })
        .collect()
}

/// What comes of `Ana` when this is said about her.
fn ana(said: &str) -> Vec<String> {
    shown(&read(&format!("{DOCUMENT}{}", mention(FIRST, 0, 3, "", said))))
}

#[test]
fn a_gold_document() {
    let mention = mention(
        SECOND,
        16,
        20,
        "",
        "; nif:anchorOf \"\"\"Bern\"\"\"^^xsd:string ; rdfs:comment \"\"\"two\nlines\"\"\"^^xsd:string ;
        itsrdf:taClassRef el:Mnt-Full, el:PoS-NounSingular ; itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Bern>",
    );
    let typed = "\n<https://en.wikipedia.org/wiki/Bern> mnt:entityType mnt:Place .\n";
    let corpus = read(&format!("{DOCUMENT}{mention}{typed}"));
    let expected =
        ["26..30 Bern https://en.wikipedia.org/wiki/Bern|Place|el:Mnt-Full,el:PoS-NounSingular|"];
    assert_eq!(shown(&corpus), expected);
    let document = corpus.documents().next().unwrap();
    assert_eq!(document.name(), "http://x/d");
    assert_eq!(
        document.mentions().next().unwrap().attribute(attribute::COMMENT),
        Some("two\nlines")
    );
    let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    assert_eq!(sentences, [Span::new(0, 9), Span::new(10, 31)]);
}

/// No prefixes, no text of the document, one subject for mentions of two sentences.
const SYSTEM: &str = r#"<http://x/d#char=0,24>
        a nif:String , nif:Context  , nif:RFC5147String ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "24"^^xsd:nonNegativeInteger ;
        nif:sourceUrl <http://x/d#char=0,24> .

<http://x/d_sentence0#1,10>
        nif:isString """Ana sang."""^^xsd:string ;
        nif:beginIndex "1"^^xsd:nonNegativeInteger ;
        nif:endIndex "10"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,24> .

<http://x/d_sentence1#12,23>
        nif:isString """Bob 😀 slept"""^^xsd:string ;
        nif:beginIndex "12"^^xsd:nonNegativeInteger ;
        nif:endIndex "23"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,24> .

<http://x/d#char=0,3>
        nif:referenceContext <http://x/d_sentence0#1,10> ;
        nif:anchorOf """Ana"""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "3"^^xsd:nonNegativeInteger ;
        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Ana> .

<http://x/d#char=0,3>
        nif:referenceContext <http://x/d_sentence1#12,23> ;
        nif:anchorOf """Bob"""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "3"^^xsd:nonNegativeInteger ;
        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Bob> .
"#;

#[test]
fn a_system_file_is_put_together_from_its_sentences() {
    let corpus = read(SYSTEM);
    let document = corpus.documents().next().unwrap();
    assert_eq!(document.name(), "http://x/d");
    assert_eq!(document.text(), Some(" Ana sang.  Bob 😀 slept "));
    let expected = [
        "1..4 Ana https://en.wikipedia.org/wiki/Ana|||",
        "12..15 Bob https://en.wikipedia.org/wiki/Bob|||",
    ];
    assert_eq!(shown(&corpus), expected);
    let sample = Sample { name: "x", bytes: &[], text: SYSTEM, complete: true };
    assert_eq!(CategorisedNif.detect(&sample), 95);
}

#[test]
fn statements_come_in_any_order() {
    let mut statements: Vec<&str> = SYSTEM.split_inclusive(" .\n").collect();
    statements.reverse();
    let reversed = shown(&read(&statements.concat()));
    assert_eq!(reversed.len(), 2);
    assert!(reversed[0].starts_with("12..15 Bob"));
}

#[test]
fn prefixes_may_come_again() {
    let again = DOCUMENT.replace("http://x/d", "http://x/e");
    assert_eq!(read(&format!("{DOCUMENT}{again}")).len(), 2);
}

#[test]
fn quotes_stand_bare_in_strings() {
    let quoted = SYSTEM
        .replace("Ana sang.", "\"A\" \"sgs\"")
        .replace("\"\"\"Ana\"\"\"", "\"\"\"\"A\"\"\"\"");
    assert!(shown(&read(&quoted))[0].starts_with("1..4 \"A\" "));
}

#[test]
fn links_are_kept_as_they_are() {
    for (written, entity) in [
        ("< https://en.wikipedia.org/wiki/Ana>", "https://en.wikipedia.org/wiki/Ana"),
        ("<https://en.wikipedia.org/wiki/Ana >", "https://en.wikipedia.org/wiki/Ana "),
        (r"<https://en.wikipedia.org/wiki/An\u014d>", r"https://en.wikipedia.org/wiki/An\u014d"),
        ("<https://en.wikipedia.org/wiki/An\u{fffd}>", "https://en.wikipedia.org/wiki/An\u{fffd}"),
        ("<https://en.wikipedia.org/wiki/A/B%20>", "https://en.wikipedia.org/wiki/A/B%20"),
    ] {
        let found = ana(&format!("; itsrdf:taIdentRef {written}"));
        assert_eq!(found, [format!("0..3 Ana {entity}|||")]);
    }
}

#[test]
fn nil_in_its_forms() {
    for (said, expected) in [
        (
            "[mnt:entityType mnt:Person] ; itsrdf:taIdentRef <https://en.wikipedia.org/wiki/NotInLexico>",
            "NIL|Person",
        ),
        ("<https://en.wikipedia.org/wiki/NotInLexico>", "NIL|"),
        ("[mnt:entityType mnt:Place]", "NIL|Place"),
        ("<http://x/notInWiki>", "NIL|"),
        ("<http://aksw.org/notInWiki/Ana>", "NILAna|"),
    ] {
        assert_eq!(ana(&format!("; itsrdf:taIdentRef {said}")), [format!("0..3 Ana {expected}||")]);
    }
    assert_eq!(ana(""), ["0..3 Ana -|||"]);
}

#[test]
fn tags_of_all_vocabularies() {
    for (written, tags) in [
        ("el:Mnt-Full, el:Mnt-Alias", "el:Mnt-Full,el:Mnt-Alias"),
        ("fel:FullProperForm, <http://w3id.org/vcb/fel#AdverbPoS>", "el:Mnt-Full,el:PoS-Adverb"),
        ("fel:ProperForm", "fel:ProperForm"),
        ("mnt:AliasPN , mnt:LiteralRh, tax:Ambiguous", "el:Mnt-Alias,mnt:LiteralRh,tax:Ambiguous"),
        ("dbo:Person", "http://dbpedia.org/ontology/Person"),
    ] {
        assert_eq!(
            ana(&format!("; itsrdf:taClassRef {written}")),
            [format!("0..3 Ana -||{tags}|")]
        );
    }
}

#[test]
fn alternatives_are_readings_of_the_first() {
    let of = |suffix: &str, tag: &str, link: &str| {
        let said = format!("; itsrdf:taClassRef el:{tag} ; itsrdf:taIdentRef <{link}>");
        mention(FIRST, 0, 3, suffix, &said)
    };
    let other = mention(SECOND, 0, 3, "", "");
    let alternatives =
        [of(";1", "Mnt-Full", "A"), other, of(";2", "Mnt-Alias", "B"), of(";3", "Mnt-Full", "C")];
    let expected = [
        "0..3 Ana A||el:Mnt-Full|",
        "10..13 “Él -|||",
        "0..3 Ana B||el:Mnt-Alias|1 of 0",
        "0..3 Ana C||el:Mnt-Full|2 of 0",
    ];
    assert_eq!(shown(&read(&format!("{DOCUMENT}{}", alternatives.concat()))), expected);
    let two_links = ana("; itsrdf:taIdentRef <A>, <B>");
    assert_eq!(two_links, ["0..3 Ana A|||", "0..3 Ana B|||1 of 0"]);
}

#[test]
fn bad_statements_are_located() {
    let cases = [
        (
            mention("sentence9#0,9", 0, 3, "", ""),
            (Kind::UnknownDocument, 24, 1),
            "the sentence <http://x/d_sentence9#0,9> is not in the file",
        ),
        (
            mention(FIRST, 0, 4, "", "; nif:anchorOf \"\"\"Ana\"\"\""),
            (Kind::Surface, 24, 1),
            "the mention is “Ana” but the text at 0..4 is “Ana ”",
        ),
        (
            mention(FIRST, 5, 12, "", ""),
            (Kind::Offset, 24, 1),
            "offset 5..12 lies outside the text, which has 9 code points",
        ),
        (
            mention(FIRST, 0, 3, "", "; nif:endIndex \"x\""),
            (Kind::Malformed, 29, 65),
            "expected an offset, found “x”",
        ),
        (
            mention(FIRST, 0, 3, "", "; ?"),
            (Kind::Malformed, 29, 52),
            "expected a predicate, found “?”",
        ),
        (
            DOCUMENT.replace("sentence", "other"),
            (Kind::DuplicateDocument, 27, 1),
            "document `http://x/d` occurs twice",
        ),
        (
            DOCUMENT.replace("http://x/d", "http://x/e").replace("#10,31", "#10,30").replace(
                "Bern.\"\"\"^^xsd:string ;\n        nif:beginIndex \"10",
                "Bonn.\"\"\"^^xsd:string ;\n        nif:beginIndex \"10",
            ),
            (Kind::Surface, 40, 1),
            "the sentence is ““Él” met her in Bonn.” but the text at 10..31 is ““Él” met her in Bern.”",
        ),
    ];
    for (statement, place, message) in cases {
        let content = format!("{DOCUMENT}{statement}");
        let problem = read_with(&content, &crate::testing::strict()).unwrap_err();
        let found = problem.place.as_ref().unwrap();
        assert_eq!(problem.message, message);
        assert_eq!((problem.kind, found.line, found.column), place, "{message}");
        assert!(problem.hint.is_some());
        let good = mention(FIRST, 4, 8, "", "");
        let options = ReadOptions { lenient: true, ..ReadOptions::default() };
        let corpus = read_with(&format!("{content}{good}"), &options).unwrap();
        assert!(shown(&corpus).contains(&"4..8 sang -|||".to_owned()), "{message}");
    }
}

#[test]
fn a_gap_that_would_fill_the_memory_is_refused() {
    let far = SYSTEM.replace("\"12\"", "\"4000000000\"");
    let problem = read_with(&far, &ReadOptions::default()).unwrap_err();
    assert_eq!(problem.kind, Kind::Offset);
}

#[test]
fn what_has_no_form_is_refused() {
    let write = |entity: &str, tag: &str| {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text("Ana");
        let link = Link::to(builder.intern(entity));
        builder.annotate(Span::new(0, 3), link).tags([tag]);
        CategorisedNif.write(&builder.finish(), &mut Output::memory(Layout::File))
    };
    assert!(write("Q1", "el:Mnt-Full").is_ok() && write("Q1", "free text").is_ok());
    for (entity, tag) in
        [("a>b", "x"), (" a", "x"), ("http://x/notInWiki/a", "x"), ("Q1", "mnt:AliasPN")]
    {
        assert!(
            matches!(write(entity, tag), Err(WriteError::Unrepresentable { .. })),
            "{entity} {tag}"
        );
    }
}

/// A file of several blocks: documents of one long sentence with two mentions
/// each, and something more at the end.
fn large_file(end: &str) -> String {
    let text = "Ana met her in Bern. ".repeat(800);
    let mut content = String::new();
    for number in 0..600 {
        let document = format!("http://x/{number}");
        content += &format!(
            "\n<{document}#char=0,16800>\n  nif:isString \"\"\"{text}\"\"\" ;\n  nif:sourceUrl <{document}> .\n\
             \n<{document}_sentence0#0,16800>\n  nif:isString \"\"\"{text}\"\"\" ;\n  nif:broaderContext <{document}#char=0,16800> .\n"
        );
        for start in [0, 21 * number] {
            content += &format!(
                "\n<{document}_x#char={start},{}>\n  nif:referenceContext <{document}_sentence0#0,16800> ;\n  \
                 nif:anchorOf \"\"\"Ana\"\"\" ;\n  itsrdf:taIdentRef <http://x/e{}> .\n",
                start + 3,
                number % 7
            );
        }
        if number % 50 == 0 {
            content += &format!("\n<http://x/e{}> mnt:entityType mnt:T{number} .\n", number / 50);
        }
    }
    content + end
}

#[test]
fn threads_do_not_change_the_result() {
    let mention =
        |context: &str| format!("\n<http://x/m#char=0,3> nif:referenceContext <{context}> .\n");
    let sentence = "\n<http://x/0_sentence0#0,16800> nif:isString \"\"\"Ana\"\"\" ; nif:broaderContext <http://x/599> .\n";
    let untyped = "\n<http://x/599#char=42,45> nif:referenceContext <http://x/599> ; itsrdf:taIdentRef <http://x/e1> ; mnt:entityType mnt: .\n";
    for (end, whole) in [
        (mention("http://x/599"), false),
        ("\n<http://x/e6> mnt:entityType mnt:Late .\n".to_owned(), false),
        (mention("http://x/0"), true),
        (mention("http://x/0_sentence0#0,16800"), true),
        (sentence.to_owned(), true),
        (untyped.to_owned(), true),
        ("\n<http://x/0> nif:isString \"\"\"Ana\"\"\" .\n".to_owned(), true),
        ("\n<http://x/599#char=0,3> nif:referenceContext .\n".to_owned(), true),
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

/// What a reading of the document with something behind it notes, and its annotations.
fn noted(content: &str) -> (Vec<String>, Vec<String>) {
    let input = Input::from(Source::memory("f.ttl", content));
    let registry = Registry::new(crate::FORMATS);
    let outcome = registry.read(&input, Some(INFO.name), &ReadOptions::default()).unwrap();
    let notes = outcome.findings.repaired().iter().map(|problem| problem.message.clone());
    (notes.collect(), shown(&outcome.corpus))
}

#[test]
fn a_mention_may_be_a_blank_node() {
    let said = "nif:beginIndex \"0\" ; nif:endIndex \"3\" ; itsrdf:taIdentRef <http://x/Ana>";
    for subject in ["_:b1", "[]"] {
        let mention = format!("\n{subject} nif:referenceContext <http://x/d_{FIRST}> ; {said} .\n");
        assert_eq!(shown(&read(&format!("{DOCUMENT}{mention}"))), ["0..3 Ana http://x/Ana|||"]);
    }
}

#[test]
fn offsets_and_documents_that_disagree_are_noted() {
    let right = DOCUMENT.replace("char=0,30", "char=0,31");
    assert_eq!(noted(&right).0, Vec::<String>::new());
    let (notes, _) = noted(DOCUMENT);
    assert_eq!(notes, ["the IRI says 0,30, but nif:beginIndex and nif:endIndex say 0,31"]);
    let mention = mention(FIRST, 0, 3, "", "").replace("char=0,30", "char=0,31");
    let (notes, found) = noted(&format!("{right}{}", mention.replace("char=0,3>", "char=1,9>")));
    assert_eq!(notes, ["the IRI says 1,9, but nif:beginIndex and nif:endIndex say 0,3"]);
    assert_eq!(found, ["0..3 Ana -|||"], "the properties count");
    let elsewhere = mention.replace("nif:context <http://x/d#", "nif:context <http://x/e#");
    let (notes, found) = noted(&format!("{right}{elsewhere}"));
    assert_eq!(
        notes,
        ["nif:context names <http://x/e#char=0,31>, but the sentence is of another document"]
    );
    assert_eq!(found.len(), 1);
    let end = "nonNegativeInteger ;\n        nif:sourceUrl";
    let longer = right.replace("char=0,31", "char=0,40");
    let longer = longer.replace(&format!("\"31\"^^xsd:{end}"), &format!("\"40\"^^xsd:{end}"));
    let (notes, _) = noted(&longer);
    assert_eq!(notes, ["nif:endIndex is 40, but the text has 31 code points"]);
}

#[test]
fn a_wrong_sentence_is_called_a_sentence() {
    let wrong = DOCUMENT.replace("\"\"\"Ana sang.\"\"\"", "\"\"\"Ana rang.\"\"\"");
    let content = format!("{wrong}{}", mention(FIRST, 0, 3, "", ""));
    let input = Input::from(Source::memory("f.ttl", content));
    let lenient = ReadOptions { lenient: true, ..ReadOptions::default() };
    let outcome = Registry::new(crate::FORMATS).read(&input, Some(INFO.name), &lenient).unwrap();
    let messages: Vec<_> =
        outcome.findings.skipped().iter().map(|problem| problem.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "the sentence is “Ana rang.” but the text at 0..9 is “Ana sang.”",
            "the sentence of this mention is not where it should be in the text"
        ]
    );
}

/// A system file with the mentions that a coreference resolver added: a blank line first, the sentences
/// joined by blanks with one more behind the last, subjects that are numbered where they repeat in another
/// sentence, and added mentions whose subject has two fragments.
const EXTENDED: &str = r#"
<http://x/d#char=0,30>
        a nif:String , nif:Context  , nif:RFC5147String ;
        nif:isString """Ana sang. She met Ben in Bern. """^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "30"^^xsd:nonNegativeInteger ;
        nif:sourceUrl <http://x/d#char=0,30> .

<http://x/d_sentence0#0,9>
        a nif:String , nif:Context  , nif:RFC5147String ;
        nif:isString """Ana sang."""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "9"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,30> .

<http://x/d_sentence1#10,30>
        a nif:String , nif:Context  , nif:RFC5147String ;
        nif:isString """She met Ben in Bern."""^^xsd:string ;
        nif:beginIndex "10"^^xsd:nonNegativeInteger ;
        nif:endIndex "30"^^xsd:nonNegativeInteger ;
        nif:broaderContext <http://x/d#char=0,30> .

<http://x/d#char=0,3>
        a nif:String , nif:Context , nif:Phrase , nif:RFC5147String ;
        nif:referenceContext <http://x/d_sentence0#0,9> ;
        nif:context <http://x/d#char=0,30> ;
        nif:anchorOf """Ana"""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "3"^^xsd:nonNegativeInteger ;
        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Ana> .

<http://x/d#char=0,3;1>
        a nif:String , nif:Context , nif:Phrase , nif:RFC5147String ;
        nif:referenceContext <http://x/d_sentence1#10,30> ;
        nif:context <http://x/d#char=0,30> ;
        nif:anchorOf """She"""^^xsd:string ;
        nif:beginIndex "0"^^xsd:nonNegativeInteger ;
        nif:endIndex "3"^^xsd:nonNegativeInteger ;
        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/She> .

<http://x/d_sentence1#10,30#char=8,11>
        a nif:String , nif:Context , nif:Phrase , nif:RFC5147String ;
        nif:context <http://x/d#char=0,30> ;
        nif:anchorOf """Ben"""^^xsd:string ;
        nif:beginIndex "8"^^xsd:nonNegativeInteger ;
        nif:endIndex "11"^^xsd:nonNegativeInteger ;
        itsrdf:taIdentRef <https://en.wikipedia.org/wiki/Ben> ;
        nif:referenceContext <http://x/d_sentence1#10,30> .
"#;

#[test]
fn a_blank_behind_the_last_sentence_is_no_trouble() {
    let (notes, found) = noted(EXTENDED);
    assert_eq!(notes, [""; 0]);
    assert_eq!(
        found,
        [
            "0..3 Ana https://en.wikipedia.org/wiki/Ana|||",
            "10..13 She https://en.wikipedia.org/wiki/She|||",
            "18..21 Ben https://en.wikipedia.org/wiki/Ben|||",
        ]
    );
    let longer = EXTENDED.replace("in Bern. \"\"\"", "in Bern. x\"\"\"");
    assert_eq!(noted(&longer).0, ["nif:endIndex is 30, but the text has 32 code points"]);
}

/// What a lenient reading says of a file: kind, document and span of what it repaired and skipped.
fn about(content: &str, options: &ReadOptions) -> [Vec<String>; 2] {
    let input = Input::from(Source::memory("f.ttl", content));
    let options = ReadOptions { lenient: true, ..options.clone() };
    let outcome = Registry::new(crate::FORMATS).read(&input, Some(INFO.name), &options).unwrap();
    [outcome.findings.repaired(), outcome.findings.skipped()].map(|problems| {
        let shown = |problem: &Problem| {
            let about = problem.about.as_deref().unwrap();
            let document = about.document.as_deref().unwrap();
            format!("{} {document} {:?}", problem.kind.name(), about.span)
        };
        problems.iter().map(shown).collect()
    })
}

#[test]
fn what_is_wrong_with_a_mention_says_which_it_is() {
    let usual = crate::testing::strict();
    let padded = EXTENDED
        .replace("<https://en.wikipedia.org/wiki/Ben>", "< https://en.wikipedia.org/wiki/Ben>");
    assert_eq!(
        noted(&padded).0,
        ["the link ` https://en.wikipedia.org/wiki/Ben` has white space at its edges"]
    );
    assert_eq!(noted(&padded).1, noted(EXTENDED).1, "it is read without");
    let ben = Some(Span::new(18, 21));
    assert_eq!(about(&padded, &usual), [vec![format!("link-shape http://x/d {ben:?}")], vec![]]);
    let moved = EXTENDED.replace("#char=8,11", "#char=8,12");
    assert_eq!(about(&moved, &usual), [vec![format!("offset http://x/d {ben:?}")], vec![]]);
    let renamed = EXTENDED.replace("\"\"\"Ben\"\"\"", "\"\"\"Bea\"\"\"");
    let surface = vec![format!("surface form http://x/d {ben:?}")];
    assert_eq!(about(&renamed, &usual), [vec![], surface]);
    let trusting = ReadOptions { offsets_decide: true, ..usual };
    assert!(about(&renamed, &trusting).iter().all(Vec::is_empty));
    assert_eq!(shown(&read_with(&renamed, &trusting).unwrap()), noted(EXTENDED).1);
    let sentence = EXTENDED.replace("\"\"\"Ana sang.\"\"\"", "\"\"\"Ana rang.\"\"\"");
    assert!(read_with(&sentence, &trusting).is_err(), "of a sentence the words count");
}

#[test]
fn mixed_vocabularies_are_noted() {
    let right = DOCUMENT.replace("char=0,30", "char=0,31");
    let noted = |tags: &str| {
        let said = format!("; itsrdf:taClassRef {tags}");
        let mention = mention(FIRST, 0, 3, "", &said).replace("char=0,30", "char=0,31");
        noted(&format!("{right}{mention}")).0
    };
    assert_eq!(
        noted("<http://w3id.org/vcb/fel#FullProperForm>, el:Olp-None"),
        ["tags of several vocabularies: el, fel"]
    );
    for one in ["el:Mnt-Full, el:Olp-None", "mnt:FullMentionPN, el:Ref-Direct"] {
        assert_eq!(noted(one), [""; 0], "{one}");
    }
}
