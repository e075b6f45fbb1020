//! The rule that every format keeps. The fuzz targets use this file as well.

use karat::formats::{Format, Input, Output, ReadOptions, Registry, WriteError};
use karat::model::Corpus;

/// What is written and read again is the corpus without what the format cannot hold, or the writer refuses.
pub(crate) fn obeys(registry: &Registry, format: &'static dyn Format, corpus: &Corpus) {
    let info = format.info();
    let Some(layout) = info.writes else { return };
    let mut output = Output::memory(layout);
    match registry.write(corpus, format, &mut output) {
        Ok(_) => {}
        Err(WriteError::Unrepresentable { .. } | WriteError::NoText { .. }) => return,
        Err(error) => panic!("{}: {error}", info.name),
    }
    let written: Input = output.into_sources().into_iter().collect();
    let strict = ReadOptions { threads: 1, ..ReadOptions::default() };
    let again = registry
        .read(&written, Some(info.name), &strict)
        .unwrap_or_else(|problem| panic!("{}: what was written is refused: {problem}", info.name));
    let (expected, _) = corpus.restrict(&info.keeps);
    if let Some(difference) = expected.difference(&again.corpus) {
        panic!("{}: {difference}", info.name);
    }
}
