use super::*;
use crate::{ReadOptions, testing};
use karat_model::{CorpusBuilder, MarkKind};

fn read(content: &str) -> Result<Corpus, Problem> {
    read_with(content, &ReadOptions::default())
}

fn read_with(content: &str, options: &ReadOptions) -> Result<Corpus, Problem> {
    testing::read(&AidaConll, &[("m.conll", content)], options).map(|outcome| outcome.corpus)
}

fn write(corpus: &Corpus) -> Result<String, WriteError> {
    Ok(testing::write(&AidaConll, corpus)?.remove(0))
}

/// Span, link (`NIL` and `-` for none) and text of all mentions of a document.
fn shown(corpus: &Corpus, document: &str) -> Vec<String> {
    let mentions = corpus.document(document).unwrap().mentions();
    mentions
        .map(|mention| {
            let nil = if mention.link().is_nil() { "NIL" } else { "-" };
            let link = mention.entity().unwrap_or(nil);
            format!("{} {} {link}", mention.span(), mention.surface().unwrap())
        })
        .collect()
}

const GOLD: &str = "-DOCSTART- (1163testb SOCCER)
SOCCER
JAPAN\tB\tJAPAN\tJapan_national_football_team\thttp://en.wikipedia.org/wiki/Japan_national_football_team\t993546\t/m/03xh50
,

Nadim\tB\tNadim Ladki\t--NME--
Ladki\tI\tNadim Ladki\t--NME--
Diego\tB\tDiego\tDiego_Dom\\u00ednguez\thttp://en.wikipedia.org/wiki/Diego_Domínguez\t795068

-DOCSTART- (2)
plain
";

#[test]
fn the_gold_columns_of_aida() {
    let corpus = read(GOLD).unwrap();
    let document = corpus.document("1163testb SOCCER").unwrap();
    assert_eq!(document.text(), Some("SOCCER JAPAN , Nadim Ladki Diego"));
    assert_eq!(document.topic(), Some("SOCCER"));
    assert_eq!(
        shown(&corpus, "1163testb SOCCER"),
        [
            "7..12 JAPAN http://en.wikipedia.org/wiki/Japan_national_football_team",
            "15..26 Nadim Ladki NIL",
            "27..32 Diego http://en.wikipedia.org/wiki/Diego_Domínguez",
        ]
    );
    let mentions: Vec<_> = document.mentions().collect();
    assert_eq!(mentions[0].attribute("yago"), Some("Japan_national_football_team"));
    assert_eq!(mentions[0].attribute("wikipedia_id"), Some("993546"));
    assert_eq!(mentions[0].attribute("freebase_mid"), Some("/m/03xh50"));
    assert_eq!(mentions[2].attribute("yago"), Some("Diego_Domínguez"));
    let sentences: Vec<_> = document.marks_of(MarkKind::Sentence).map(|(span, _)| span).collect();
    assert_eq!(sentences, [Span::new(0, 14), Span::new(15, 32)]);
    assert_eq!(document.marks_of(MarkKind::Token).count(), 6);
    let plain = corpus.document("2").unwrap();
    assert_eq!((plain.text(), plain.topic()), (Some("plain"), None));
    assert_eq!(plain.marks_of(MarkKind::Sentence).count(), 0, "no blank line says nothing");
}

#[test]
fn what_was_read_is_written_again() {
    let corpus = read(GOLD).unwrap();
    let written = write(&corpus).unwrap();
    assert_eq!(written.replace("Domínguez\thttp", "Dom\\u00ednguez\thttp"), GOLD);
    assert_eq!(corpus.difference(&read(&written).unwrap()), None);
}

#[test]
fn entities_outside_of_the_base_are_nil_in_aida_ee() {
    let rows = "-DOCSTART- (APW_1)\nAnn\tB\tAnn\t--OOE--\nin\nRome\tB\tRome\tRome\n";
    let corpus = read(rows).unwrap();
    assert_eq!(shown(&corpus, "APW_1"), ["0..3 Ann NIL", "7..11 Rome Rome"]);
}

#[test]
fn the_columns_of_systems_and_of_older_files() {
    let corpus = read(
        "-DOCSTART- d\nA\tB\tA\nB\tB\tB\tQ1\nC\tB\tC\tQ\\u0031\t0.5\nD\tO\nE\tB\tE\tE_1\thttp://e/E\nF\tB\nG\tB\tG\t\t0.25\n",
    )
    .unwrap();
    assert_eq!(
        shown(&corpus, "d"),
        ["0..1 A -", "2..3 B Q1", "4..5 C Q1", "8..9 E http://e/E", "10..11 F -", "12..13 G -"]
    );
    let scores: Vec<_> = corpus.annotations().iter().map(|a| a.confidence).collect();
    assert_eq!((scores[2], scores[5]), (0.5, 0.25));
}

#[test]
fn offsets_count_code_points() {
    let corpus = read("-DOCSTART- (d)\n😀\n𝔄e\u{301}\tB\t𝔄e\u{301}\tQ1\nx\tB\tx\tQ2\n").unwrap();
    assert_eq!(shown(&corpus, "d"), ["2..5 𝔄e\u{301} Q1", "6..7 x Q2"]);
}

#[test]
fn obscured_tokens_leave_the_mention_column_as_surface() {
    for tokens in [
        "w12\tB\tNew York\tQ60\nw13\tI\tNew York\tQ60",
        "***\tB\tNew York\tQ60\n****\tI\tNew York\tQ60",
    ] {
        let content = format!("-DOCSTART- (d)\n{tokens}\n");
        let corpus = read(&content).unwrap();
        let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
        assert_eq!(mention.attribute(attribute::SURFACE), Some("New York"));
        assert_eq!(write(&corpus).unwrap(), content);
    }
}

#[test]
fn bad_rows_are_located() {
    let cases = [
        ("x\n-DOCSTART- (d)\n", 1, 1, Kind::Malformed, "a token before the first document"),
        (
            "-DOCSTART- ()\nx\n",
            1,
            1,
            Kind::Malformed,
            "expected `-DOCSTART- (id)`, found no document id",
        ),
        ("-DOCSTART- (d)\nA\tX\tA\n", 2, 3, Kind::Malformed, "expected `B`, `I` or `O`, found `X`"),
        (
            "-DOCSTART- (d)\nA\tI\tA\n",
            2,
            3,
            Kind::Malformed,
            "`I` continues a mention, but none is open",
        ),
        (
            "-DOCSTART- (d)\nA\tB\tA B\n\nB\tI\tA B\n",
            4,
            3,
            Kind::Malformed,
            "`I` continues a mention, but none is open",
        ),
        (
            "-DOCSTART- (d)\nA\tB\tA\tQ1\nB\tI\tA\tQ2\n",
            3,
            5,
            Kind::Malformed,
            "these columns differ from those of the row where the mention begins",
        ),
        (
            "-DOCSTART- (d)\nA\tB\tA\tQ1\thigh\n",
            2,
            10,
            Kind::Malformed,
            "expected a score or a url, found `high`",
        ),
        (
            "-DOCSTART- (d)\nA\tB\tA\t1\t2\t3\t4\t5\n",
            2,
            5,
            Kind::Malformed,
            "expected at most 7 columns, found 8",
        ),
        (
            "-DOCSTART- (d)\nA\tB\tÄ\tQ1\n",
            2,
            5,
            Kind::Surface,
            "the mention is “Ä” but the text at 0..1 is “A”",
        ),
        (
            "-DOCSTART- (d)\nA\n-DOCSTART- (d)\n",
            3,
            13,
            Kind::DuplicateDocument,
            "document `d` occurs twice",
        ),
    ];
    for (content, line, column, kind, message) in cases {
        let files = [("m.conll", content)];
        let problem = testing::read_as(&AidaConll, &files, &ReadOptions::default()).unwrap_err();
        let place = problem.place.as_ref().unwrap();
        assert_eq!((place.line, place.column, problem.kind), (line, column, kind), "{problem}");
        assert_eq!(problem.message, message);
        assert!(problem.hint.is_some());
    }
}

#[test]
fn a_lenient_reading_goes_on() {
    let options = testing::lenient();
    let corpus = read_with(
        "-DOCSTART- (d)\nA\tB\tX\tQ1\nB\tB\tB\tQ2\nC\tZ\n-DOCSTART- (d)\nD\tB\tD\tQ3\n",
        &options,
    )
    .unwrap();
    assert_eq!(corpus.len(), 1);
    assert_eq!(shown(&corpus, "d"), ["2..3 B Q2"]);
    assert_eq!(corpus.document("d").unwrap().text(), Some("A B C"), "the token itself is fine");
}

#[test]
fn texts_that_tokens_cannot_make_are_refused() {
    let cases = [
        ("two  spaces", 0..3, "is not made of tokens"),
        ("line\nbreak", 0..4, "is not made of tokens"),
        ("midword", 0..3, "the mention at 0..3 does not begin and end with tokens"),
        ("a -DOCSTART- b", 0..1, "would be read as something else"),
    ];
    for (text, span, message) in cases {
        let mut builder = CorpusBuilder::new();
        builder.begin_document("d").unwrap();
        builder.set_text(text);
        builder.annotate(Span::new(span.start, span.end), Link::NIL);
        let error = write(&builder.finish()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn other_files_are_not_claimed() {
    for content in [
        "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\n",
        "-DOCSTART-\n\n# 1\nEU\tB-1\tB-x\n",
        "-DOCSTART- (1 EU)\n0\tEuropean_Union\thttp://x\t9317\n",
        "d\t0\t1\tQ1\n",
    ] {
        assert!(read(content).is_err(), "{content}");
    }
}

#[test]
fn an_id_of_freebase_without_that_of_the_page() {
    let rows =
        "-DOCSTART- (d)\nJAPAN\tB\tJAPAN\tJapan\thttp://en.wikipedia.org/wiki/Japan\t/m/03xh50\n";
    let corpus = read(rows).unwrap();
    let mention = corpus.documents().next().unwrap().mentions().next().unwrap();
    assert_eq!(
        (mention.attribute(FREEBASE_MID), mention.attribute(WIKIPEDIA_ID)),
        (Some("/m/03xh50"), None)
    );
    assert_eq!(read(&write(&corpus).unwrap()).unwrap().difference(&corpus), None);
}

#[test]
fn sentences_that_a_mention_goes_over_are_joined() {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d").unwrap();
    builder.set_text("Here is Peter . He left . Bye");
    for (start, end) in [(0, 15), (16, 25), (26, 29)] {
        builder.mark(MarkKind::Sentence, karat_model::Span::new(start, end), "");
    }
    builder.annotate(karat_model::Span::new(8, 18), karat_model::Link::NIL);
    let corpus = builder.finish();
    assert!(write(&corpus).is_err());
    let adapted = AidaConll.adapted(&corpus).unwrap();
    assert_eq!((adapted.documents, adapted.what), (1, "the ends of sentences within mentions"));
    let marks = adapted.corpus.documents().next().unwrap();
    let sentences: Vec<_> =
        marks.marks_of(MarkKind::Sentence).map(|(span, _)| (span.start, span.end)).collect();
    assert_eq!(sentences, [(0, 25), (26, 29)]);
    assert!(write(&adapted.corpus).is_ok() && AidaConll.adapted(&adapted.corpus).is_none());
}
