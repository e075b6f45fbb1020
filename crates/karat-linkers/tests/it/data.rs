//! Where the published data is, if it is here, and what is read from files.

use karat_formats::{FORMATS, Input, ReadOptions, Registry};
use karat_kb::{Builder, KnowledgeBase};
use karat_model::Corpus;
use std::path::Path;
use std::sync::Arc;

#[path = "../../../karat/tests/it/published.rs"]
mod published;

pub(crate) use published::published as folder;

/// The corpus of a file.
pub(crate) fn read(path: &Path) -> Arc<Corpus> {
    let input = Input::open(path.to_str().unwrap()).unwrap();
    let outcome = Registry::new(FORMATS).read(&input, None, &ReadOptions::default());
    Arc::new(outcome.unwrap_or_else(|problem| panic!("{problem}")).corpus)
}

/// The base of the files of a folder.
pub(crate) fn base(folder: &Path) -> Arc<KnowledgeBase> {
    let mut builder = Builder::in_memory();
    let input = Input::open(folder.to_str().unwrap()).unwrap();
    karat_harvest::harvest(&[input], &mut builder, &karat_harvest::Options::default()).unwrap();
    Arc::new(builder.finish().unwrap())
}

/// The sample, and the base of its entities and their namesakes.
pub(crate) fn sample() -> (Arc<Corpus>, Arc<KnowledgeBase>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    (read(&root.join("../../sample/gold.karat.jsonl")), base(&root.join("tests/sample-base")))
}
