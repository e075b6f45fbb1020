//! What inputs become.

#![allow(clippy::unwrap_used)]

mod dumps;
mod hostile;
mod refused;
mod sources;
mod tables;

use karat_formats::{Input, Source};
use karat_harvest::{HarvestError, Options, harvest};
use karat_kb::{Builder, KnowledgeBase};

/// The base built from these files.
fn built(files: &[(&str, &[u8])]) -> Result<KnowledgeBase, HarvestError> {
    built_in("en", files)
}

/// The base built from these files, with names and titles in a language.
fn built_in(language: &str, files: &[(&str, &[u8])]) -> Result<KnowledgeBase, HarvestError> {
    let inputs: Vec<Input> =
        files.iter().map(|(name, content)| Source::memory(*name, *content).into()).collect();
    let mut builder = Builder::in_memory();
    let options = Options { language: language.to_owned(), ..Options::default() };
    harvest(&inputs, &mut builder, &options)?;
    Ok(builder.finish()?)
}

/// The base built from these texts.
fn base(files: &[(&str, &str)]) -> KnowledgeBase {
    let files: Vec<(&str, &[u8])> =
        files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    built(&files).unwrap()
}

/// What an entity is, in one line.
fn described(base: &KnowledgeBase, id: &str) -> String {
    let Some(entity) = base.entity(id) else { return "unknown".to_owned() };
    let list = |items: karat_kb::Strings<'_>| items.collect::<Vec<_>>().join("|");
    format!(
        "{} name={} aliases={} description={} types={} parents={} popularity={} kind={:?}",
        entity.id(),
        entity.name().unwrap_or("?"),
        list(entity.aliases()),
        entity.description().unwrap_or("?"),
        entity.types().known().map_or("?".to_owned(), list),
        list(entity.parents()),
        entity.popularity().map_or("?".to_owned(), |popularity| popularity.to_string()),
        entity.kind(),
    )
}

/// The candidates of a text, with their counts.
fn candidates(base: &KnowledgeBase, mention: &str) -> String {
    let Some(candidates) = base.candidates(mention).known() else { return "unknown".to_owned() };
    let shown = candidates.priors().map(|(one, prior)| match (one.count, prior) {
        (Some(count), _) => format!("{} {count}", one.id),
        (None, Some(prior)) => format!("{} {prior}", one.id),
        (None, None) => one.id.to_owned(),
    });
    shown.collect::<Vec<_>>().join(", ")
}
