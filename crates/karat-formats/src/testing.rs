//! What the tests of the formats share: files in memory, read and written.

use crate::WriteError;
use crate::{Format, Input, Output, Problem, ReadOptions, ReadOutcome, Registry, Sample, Source};
use karat_model::{Corpus, CorpusBuilder, Link, Span};
use std::path::PathBuf;
use std::sync::Arc;

/// Reads files, each a name and its content, that the format has to recognise.
pub(crate) fn read(
    format: &'static dyn Format,
    files: &[(&str, &str)],
    options: &ReadOptions,
) -> Result<ReadOutcome, Problem> {
    Registry::new(&[format]).read(&input(files), None, options)
}

/// Reads files as the format, whatever they look like.
pub(crate) fn read_as(
    format: &'static dyn Format,
    files: &[(&str, &str)],
    options: &ReadOptions,
) -> Result<ReadOutcome, Problem> {
    Registry::new(&[format]).read(&input(files), Some(format.info().name), options)
}

fn input(files: &[(&str, &str)]) -> Input {
    files.iter().map(|&(name, content)| Source::memory(name, content)).collect()
}

/// The options of a reading that goes on after a bad record.
pub(crate) fn lenient() -> ReadOptions {
    ReadOptions { lenient: true, ..ReadOptions::default() }
}

/// The options of a reading that repairs nothing.
pub(crate) fn strict() -> ReadOptions {
    ReadOptions { strict: true, ..ReadOptions::default() }
}

/// The options of a reading with documents, each a name and its text, at hand.
pub(crate) fn given(documents: &[(&str, &str)]) -> ReadOptions {
    let mut builder = CorpusBuilder::new();
    for (name, text) in documents {
        builder.begin_document(name).unwrap();
        builder.set_text(text);
    }
    ReadOptions { documents: Some(Arc::new(builder.finish())), ..ReadOptions::default() }
}

/// A document with one annotation, the link of its first character.
pub(crate) fn linked(name: &str, text: &str, entity: &str) -> Corpus {
    let mut builder = CorpusBuilder::new();
    builder.begin_document(name).unwrap();
    builder.set_text(text);
    let link = Link::to(builder.intern(entity));
    builder.annotate(Span::new(0, 1), link);
    builder.finish()
}

/// The contents of the files that a corpus is written as.
pub(crate) fn write(
    format: &'static dyn Format,
    corpus: &Corpus,
) -> Result<Vec<String>, WriteError> {
    let files = written(format, corpus)?;
    Ok(files.iter().map(|file| file.text().unwrap().as_str().to_owned()).collect())
}

/// What is left of a corpus that is written and read again.
pub(crate) fn again(format: &'static dyn Format, corpus: &Corpus) -> Corpus {
    let input: Input = written(format, corpus).unwrap().into_iter().collect();
    Registry::new(&[format]).read(&input, None, &ReadOptions::default()).unwrap().corpus
}

fn written(format: &'static dyn Format, corpus: &Corpus) -> Result<Vec<Source>, WriteError> {
    let mut output = Output::memory(format.info().writes.unwrap());
    Registry::new(&[format]).write(corpus, format, &mut output)?;
    Ok(output.into_sources())
}

/// How sure the format is that a content is its own.
pub(crate) fn score(format: &dyn Format, name: &str, content: &str) -> u8 {
    format.detect(&Sample { name, bytes: content.as_bytes(), text: content, complete: true })
}

/// The files of a folder of real data, in order; none where there is no data on this machine.
pub(crate) fn data(folder: &str) -> Vec<PathBuf> {
    let beside = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data");
    let root = std::env::var_os("KARAT_DATA").map_or_else(|| PathBuf::from(beside), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else {
        println!("skipped: no data (set KARAT_DATA to the folder that holds `{folder}`)");
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}
