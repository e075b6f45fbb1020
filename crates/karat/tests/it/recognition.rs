//! Every format is recognised by its content, and none claims a file of another.

use crate::data;
use karat::formats::{Format, Input, Output, ReadOptions, Registry, Source};
use karat::model::{Corpus, CorpusBuilder, Link, Span};

/// A corpus that every format has a form for.
fn corpus() -> Corpus {
    let mut builder = CorpusBuilder::new();
    for name in ["10", "11"] {
        builder.begin_document(name).unwrap();
        builder.set_text("😀 Zürich & <Bern> e\u{301}t𝔄 \"x\"");
        let city = Link::to(builder.intern("Q72"));
        builder.annotate(Span::new(2, 8), city).types(["City"]);
        builder.annotate(Span::new(11, 17), Link::NIL).types(["City"]).confidence(0.5);
        builder.annotate(Span::new(18, 22), city).types(["City"]);
    }
    builder.finish()
}

fn writable() -> impl Iterator<Item = &'static dyn Format> {
    let all: Vec<_> = karat::registry().formats().collect();
    all.into_iter().filter(|format| format.info().writes.is_some())
}

#[test]
fn what_is_written_is_recognised_in_memory_and_on_disk() {
    let registry = karat::registry();
    for format in writable() {
        let info = format.info();
        let mut output = Output::memory(info.writes.unwrap());
        registry.write(&corpus(), format, &mut output).unwrap();
        let input: Input = output.into_sources().into_iter().collect();
        let in_memory = registry.read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(in_memory.formats, [info.name]);
        assert_eq!(
            in_memory.ignored, [""; 0],
            "{}: texts that belong to a file are used",
            info.name
        );
        assert_eq!(in_memory.corpus.annotations().len(), 6, "{}", info.name);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out").display().to_string();
        registry.write_to(&corpus(), format, &path).unwrap();
        let input = Input::open(&path).unwrap();
        let on_disk = registry.read(&input, None, &ReadOptions::default()).unwrap();
        assert_eq!(in_memory.corpus.difference(&on_disk.corpus), None, "{}", info.name);
    }
}

#[test]
fn a_file_name_does_not_ask_for_a_directory() {
    let registry = karat::registry();
    let suggested = |path: &str| registry.for_output(path).map(|format| format.info().name);
    assert_eq!(suggested("x.bioc.xml"), Some("bioc-xml"));
    assert_eq!(suggested("x.pubtator"), Some("pubtator"));
    assert_eq!(suggested("x.ann"), None);
}

#[test]
fn of_formats_that_share_an_extension_the_input_s_is_written() {
    let registry = karat::registry();
    let suggested = |path: &str, formats: &[&str]| {
        registry.for_output_of(path, formats).map(|format| format.info().name)
    };
    assert_eq!(suggested("x.ttl", &[]), Some("nif"));
    assert_eq!(suggested("x.ttl", &["nif-categorised"]), Some("nif-categorised"));
    assert_eq!(suggested("x.ttl", &["nif", "nif-categorised"]), Some("nif"));
    assert_eq!(suggested("x.ttl", &["neleval"]), Some("nif"));
    assert_eq!(suggested("x.categorised.ttl", &["nif"]), Some("nif-categorised"));
    assert_eq!(suggested("x.tsv", &["tsv"]), Some("tsv"));
    assert_eq!(suggested("x.tsv", &["csv"]), Some("neleval"));
    assert_eq!(suggested("x.pubtator", &["nif"]), Some("pubtator"));
    assert_eq!(suggested("x.ann", &["brat"]), None);
}

/// Whether none of the published files is of a format: those that are only read, and those of annotation tools.
fn is_of_nobody(format: &dyn Format) -> bool {
    let info = format.info();
    let of_others = ["conll-coref", "nested-jsonl"];
    info.writes.is_none() && !of_others.contains(&info.name)
        || ["webanno-tsv", "pubannotation"].contains(&info.name)
}

#[test]
fn none_claims_a_published_file() {
    let all = karat::registry();
    let own: Vec<_> = all.formats().filter(|format| is_of_nobody(*format)).collect();
    let own = Registry::new(&own);
    for folder in ["aida-testb", "elevant", "finegrained", "neleval", "posthoc"] {
        let Some(folder) = data::folder(folder) else { return };
        for file in data::files(&folder, "") {
            let input = Input::from(Source::file(&file));
            let problem = own.read(&input, None, &ReadOptions::default()).unwrap_err();
            assert!(problem.message.starts_with("not a format karat knows"), "{problem}");
        }
    }
}
