//! Digests of corpora.

use karat::formats::{Input, Output, ReadOptions};
use karat::model::{Corpus, CorpusBuilder, Link, Span};
use karat::scoring::{Scoring, StreamInput, System};

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
        let whole =
            scoring.score("gold", &read.corpus, &[System::new("system", read.corpus.clone())]);
        let of_stream = StreamInput { name: "gold", input: &input, format: Some(name) };
        let stream = scoring.score_stream(&of_stream, &of_stream, &ReadOptions::default());
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
