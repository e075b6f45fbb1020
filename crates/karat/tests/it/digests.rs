//! Digests of corpora, and the keys of evaluations that are made of them.

use karat::formats::{Input, Output, ReadOptions, Source};
use karat::inputs::{Described, Run};
use karat::model::{Corpus, CorpusBuilder, Link, Span};
use karat::scoring::{Development, Scoring, StreamInput};
use std::sync::Arc;

/// More annotations than one part of a stream has, with more to them than a line of neleval has.
fn large_corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    let text = "Bonn ".repeat(60);
    for document in 0..2_200 {
        builder.begin_document(&format!("d{document}")).unwrap();
        builder.set_text(&text);
        for mention in 0..50u32 {
            let entity = format!("Q{}", (document + mention) % 997);
            let link = Link::to(builder.intern(&entity));
            let span = Span::new(5 * mention, 5 * mention + 4);
            let annotation = builder.annotate(span, link).types(["LOC"]).confidence(0.25);
            if mention % 7 == 0 {
                annotation.candidate(link, 0.25).candidate(Link::NIL, 0.125);
            }
        }
    }
    builder.finish()
}

#[test]
fn a_stream_has_the_digest_of_the_whole() {
    let mut scoring = Scoring::named("karat", &["mention"]).unwrap();
    scoring.bootstrap = None;
    scoring.digest_systems = true;
    let corpus = large_corpus();
    let mut digests = Vec::new();
    for name in ["neleval", "simple-jsonl", "karat-jsonl", "elevant"] {
        let format = karat::registry().find(name).unwrap();
        let mut output = Output::memory(format.info().writes.unwrap());
        karat::registry().write(&corpus, format, &mut output).unwrap();
        let input: Input = output.into_sources().into_iter().collect();
        let read = karat::registry().read(&input, Some(name), &ReadOptions::default()).unwrap();
        let whole = scoring.score("gold", &read.corpus, &[Run::new("system", read.corpus.clone())]);
        let described = &Described {
            from: Some(name.to_owned()),
            options: ReadOptions::default(),
            shift: None,
        };
        let of_stream = StreamInput { name: "gold", input: &input, described };
        let stream = scoring.score_stream(&of_stream, &of_stream);
        let stream = stream.unwrap().board;
        for board in [&whole, &stream] {
            assert_eq!(board.digest, read.corpus.digest(), "{name}");
            assert_eq!(board.systems[0].digest, Some(read.corpus.digest()), "{name}");
            let named = format!("gold@{}", read.corpus.digest().short());
            assert_eq!(board.signature.get("gold"), Some(named.as_str()), "{name}");
        }
        digests.push(whole.digest);
    }
    // One format keeps less of a corpus than another, and says something else then.
    assert_ne!(digests[0], digests[2]);
    assert_eq!(digests[2], corpus.digest(), "karat's own format keeps everything");
}

fn read(text: &str) -> Corpus {
    let input = Source::memory("memory.tsv", text).into();
    karat::registry().read(&input, Some("neleval"), &ReadOptions::default()).unwrap().corpus
}

#[test]
fn a_key_knows_the_order_of_annotations_where_it_decides() {
    let gold = read("d\t0\t5\tQ1\n");
    let [one, other] = ["d\t0\t5\tQ1\nd\t0\t5\tQ2\n", "d\t0\t5\tQ2\nd\t0\t5\tQ1\n"].map(read);
    assert_eq!(one.digest(), other.digest());
    for (preset, differ) in [("karat", false), ("neleval", false), ("elevant", true)] {
        let scoring = Scoring::named(preset, &["link"]).unwrap();
        assert_eq!(scoring.key(&gold, &one) != scoring.key(&gold, &other), differ, "{preset}");
        // What has one key has one score.
        let score = |system: &Corpus| {
            let board = scoring.score("gold", &gold, &[Run::new("system", system.clone())]);
            board.systems[0].evaluation.results[0].counts.clone()
        };
        assert_eq!(score(&one) != score(&other), differ, "{preset}");
    }
}

#[test]
fn a_key_knows_what_changes_a_score() {
    let (gold, system) = (read("d\t0\t5\tQ1\n"), read("d\t0\t5\tQ2\n"));
    let scoring = Scoring::named("karat", &["link"]).unwrap();
    let key = scoring.key(&gold, &system);
    let with_other_measures = Scoring::named("karat", &["mention"]).unwrap();
    assert_eq!(with_other_measures.key(&gold, &system), key);
    let mut changed = scoring.clone();
    changed.convention.set("optional", "no").unwrap();
    assert_ne!(changed.key(&gold, &system), key);
    let development = |name: &str, entity: &str| {
        let of_development = Arc::new(read(&format!("e\t0\t5\t{entity}\n")));
        let development = Development { name: name.to_owned(), gold: of_development };
        Scoring { development: Some(development), ..scoring.clone() }.key(&gold, &system)
    };
    assert_ne!(development("dev", "Q1"), key);
    assert_ne!(development("dev", "Q1"), development("dev", "Q2"));
    assert_eq!(development("dev", "Q1"), development("other name", "Q1"));
}
