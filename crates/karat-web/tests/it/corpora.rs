//! Benchmarks and runs for tests: one with every kind of mention, and one that wants to do harm.

use karat::inputs::{Benchmark, Experiment, Run};
use karat::model::{Corpus, CorpusBuilder, Link, Span, attribute};
use karat_web::workbench::Workbench;

/// The sample.
pub(crate) fn sample() -> Workbench {
    Workbench::of([karat::sample::experiment().expect("the sample can be read")])
}

/// A corpus from records of karat's own format, one on a line.
pub(crate) fn corpus(records: &str) -> Corpus {
    let input = karat::formats::Source::memory("records.karat.jsonl", records).into();
    let read = karat::registry().read(&input, Some("karat-jsonl"), &Default::default());
    read.unwrap_or_else(|problem| panic!("{problem}")).corpus
}

/// An experiment of such records.
pub(crate) fn experiment(name: &str, gold: &str, runs: &[(&str, &str)]) -> Experiment {
    let runs = runs.iter().map(|(name, records)| Run::new(*name, corpus(records))).collect();
    Experiment { benchmark: Benchmark::new(name, corpus(gold)), runs }
}

/// What wants to be more than text.
pub(crate) const HOSTILE: &str = "</title></script><script>document.title='harm'</script>\"'><img src=x onerror=\"document.title='harm'\">&amp;\u{202e}\u{2066}\u{0}\u{7}\u{1b}[31m\u{200b}javascript:alert(1)";

/// A benchmark whose names, ids, texts, types, tags and systems are all hostile.
pub(crate) fn hostile() -> Workbench {
    let gold = |with: &str| {
        let mut builder = CorpusBuilder::new();
        for number in 0..2 {
            builder.begin_document(&format!("{with} {number}")).expect("a new document");
            builder.set_text(&format!("{with} and {with} again \u{202e}turned"));
            for key in [attribute::TITLE, attribute::LANGUAGE, attribute::TOPIC] {
                builder.document_attribute(key, with);
            }
            builder.document_attribute(attribute::URL, "javascript:document.title='harm'");
            for start in 0..5 {
                let id = builder.intern(&format!("{with}{start}"));
                let other = builder.intern(&format!("{with}c"));
                builder
                    .annotate(Span::new(start, start + 9), Link::to(id))
                    .types([with])
                    .tags([with, "el:Mnt-\"><script>"])
                    .attribute(attribute::COMMENT, with)
                    .attribute(attribute::NAME, with)
                    .candidate(Link::to(other), 0.5)
                    .candidate(Link::to(id), 0.25)
                    .equivalent(with);
            }
        }
        builder.finish()
    };
    let runs = vec![
        Run::new(HOSTILE, gold(HOSTILE)),
        Run::new(format!("{HOSTILE}2"), gold("another <b>text</b>")),
        Run::new("plain", gold(HOSTILE)),
    ];
    Workbench::of([Experiment { benchmark: Benchmark::new(HOSTILE, gold(HOSTILE)), runs }])
}

/// A document with very many mentions inside each other, and one with a very long line.
pub(crate) fn huge() -> Workbench {
    let nested = 100_000;
    let mut builder = CorpusBuilder::new();
    builder.begin_document("nested").expect("a new document");
    builder.set_text(&"x".repeat(2 * nested));
    let id = builder.intern("Q1");
    for at in 0..nested as u32 {
        builder.annotate(Span::new(at, 2 * nested as u32 - at), Link::to(id));
    }
    builder.begin_document("long").expect("a new document");
    builder.set_text(&"word ".repeat(2_000_000));
    builder.annotate(Span::new(9_999_990, 9_999_994), Link::to(id));
    let gold = builder.finish();
    let runs = vec![Run::new("a", gold.clone()), Run::new("b", gold.clone())];
    Workbench::of([Experiment { benchmark: Benchmark::new("huge", gold), runs }])
}

/// Texts that are hard to draw: nested, crossing and adjacent mentions, other readings, NIL, coreference, and scripts
/// that are not Latin.
pub(crate) fn hard() -> Workbench {
    let gold = r#"{"document":"overlaps","text":"Bank of England Museum in London. It opened; it <script>alert(1)</script> closed.","annotations":[{"span":[0,22],"link":"Q1"},{"span":[0,15],"link":"Q2"},{"span":[8,15],"link":"Q21"},{"span":[8,22],"link":"Q3"},{"span":[26,32],"link":"Q84","types":["LOC"]},{"span":[34,36],"link":"Q1","flags":["coreference"]},{"span":[45,47],"link":"Q1","flags":["coreference"]},{"span":[37,43],"nil":true,"flags":["optional"]}]}
{"document":"readings","text":"New York Times reader","annotations":[{"span":[0,14],"link":"Q9684"},{"span":[0,8],"link":"Q60","part_of":{"parent":0,"reading":1}},{"span":[9,14],"link":"Q11","part_of":{"parent":0,"reading":1}},{"span":[15,21],"nil":true}]}
{"document":"scripts","text":"زار محمد القاهرة 🙂 e\u0301te\u0301 in 東京タワー.","attributes":{"language":"ar"},"annotations":[{"span":[4,8],"link":"Q10"},{"span":[9,16],"link":"Q85"},{"span":[17,18],"link":"Q12"},{"span":[19,20],"link":"Q13"},{"span":[28,30],"link":"Q1490"},{"span":[28,33],"link":"Q183536"}]}
{"document":"bare","annotations":[{"span":[3,4],"link":"Q1"},{"span":[7,9],"nil":true}]}
"#;
    let run = r#"{"document":"overlaps","text":"Bank of England Museum in London. It opened; it <script>alert(1)</script> closed.","annotations":[{"span":[0,22],"link":"Q1"},{"span":[8,15],"link":"Q99","confidence":0.4,"candidates":[{"link":"Q99","score":0.4},{"link":"Q21","score":0.3}]},{"span":[26,32],"nil":true},{"span":[48,54],"link":"http://example.org/script"},{"span":[34,36],"link":"Q1"}]}
{"document":"readings","text":"New York Times reader","annotations":[{"span":[0,8],"link":"Q60"},{"span":[9,14],"link":"Q11"},{"span":[15,21],"link":"javascript:alert(1)"}]}
{"document":"scripts","text":"زار محمد القاهرة 🙂 e\u0301te\u0301 in 東京タワー.","annotations":[{"span":[4,8],"link":"Q10"},{"span":[9,16],"link":"Q1"},{"span":[28,33],"link":"Q183536"}]}
{"document":"bare","annotations":[{"span":[3,4],"link":"Q2"}]}
"#;
    Workbench::of([experiment("hard", gold, &[("one", run), ("two", gold)])])
}

/// A benchmark in which every field of a file is a line of ten million bytes: names of documents, ids, names, types, tags,
/// comments, titles, and the text itself.
pub(crate) fn bulky() -> Workbench {
    let line = "<b>ten million</b> ".repeat(10_000_000 / 19);
    let mut builder = CorpusBuilder::new();
    builder.begin_document(&line).expect("a new document");
    builder.set_text(&line);
    for key in [attribute::TITLE, attribute::LANGUAGE, attribute::TOPIC, attribute::URL] {
        builder.document_attribute(key, &line);
    }
    let id = builder.intern(&line);
    builder
        .annotate(Span::new(0, 9_000_000), Link::to(id))
        .types([line.as_str()])
        .tags([line.as_str()])
        .attribute(attribute::COMMENT, &line)
        .attribute(attribute::NAME, &line)
        .candidate(Link::to(id), 0.5)
        .equivalent(&line);
    let gold = builder.finish();
    let runs = vec![Run::new("plain", gold.clone()), Run::new("other", gold.clone())];
    Workbench::of([Experiment { benchmark: Benchmark::new("bulky", gold), runs }])
}
