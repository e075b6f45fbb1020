//! Tables among all the other formats: recognised by content, the same rows in each.

use crate::data;
use karat::formats::{Format, Input, Layout, Output, ReadOptions, Source};
use karat::model::{Corpus, CorpusBuilder, Link, Span};

const TABLES: &[&str] = &[
    "csv",
    "tsv",
    "jsonl",
    #[cfg(feature = "columns")]
    "parquet",
    #[cfg(feature = "columns")]
    "arrow",
];

fn table(name: &str) -> &'static dyn Format {
    karat::registry().find(name).unwrap()
}

fn written(corpus: &Corpus, name: &str) -> Source {
    let mut output = Output::memory(Layout::File);
    karat::registry().write(corpus, table(name), &mut output).unwrap();
    output.into_sources().remove(0)
}

fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document("d1").unwrap();
    builder.set_text("e\u{301} 😀 𝔄\tin\r\n\"Köln\", \u{2028}x");
    let link = Link::to(builder.intern("Q365"));
    builder.annotate(Span::new(12, 16), link).types(["LOC", "CITY"]).confidence(0.1);
    builder.annotate(Span::new(3, 4), Link::NIL);
    builder.begin_document("d2").unwrap();
    builder.finish()
}

#[test]
fn every_table_is_recognised() {
    let corpus = corpus();
    for &name in TABLES {
        let input = Input::from(written(&corpus, name));
        let outcome = karat::registry().read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(outcome.formats, [name]);
        assert_eq!(corpus.difference(&outcome.corpus), None, "{name}");
    }
}

#[test]
fn a_table_of_another_table_is_the_same() {
    let Some(folder) = data::folder("aida-testb") else { return };
    let corpus = crate::shared_data::read(&folder.join("schwa.tsv")).corpus;
    let mut through = corpus.restrict(&table("csv").info().keeps).0;
    for &name in TABLES {
        let input = Input::from(written(&through, name));
        through = karat::registry().read(&input, None, &ReadOptions::default()).unwrap().corpus;
    }
    assert_eq!(corpus.difference(&through), None);
}
