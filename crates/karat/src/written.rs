//! What requests that write corpora have in common.

use crate::error::Error;
use crate::inputs::counted;
use crate::notices;
use crate::work::Work;
use karat_formats::Format;
use karat_model::{Corpus, DimensionCategory, Loss, Notice, Vocabulary};
use std::collections::BTreeMap;

/// Writes a corpus, all or nothing; nothing as well if the work is cancelled before the end.
pub(crate) fn write(
    corpus: &Corpus,
    format: &'static dyn Format,
    output: &str,
    vocabulary: Option<Vocabulary>,
    work: &Work,
) -> Result<Loss, Error> {
    // Nobody knows how many bytes it will be.
    work.begin("writing", 0)?;
    let watch = work.watch();
    let written = work
        .install(|| crate::registry().write_spelled(corpus, format, output, vocabulary, &watch));
    // A writing that was cancelled fails like any other, and whoever cancelled it wants to hear just that.
    written.map_err(|error| work.check().err().unwrap_or_else(|| Error::output(output, error)))
}

/// What a format could not hold.
pub(crate) fn loss_notice(format: &str, loss: &Loss) -> Option<Notice> {
    let items: String = loss.iter().map(|(what, count)| format!("\n{count:>8}  {what}")).collect();
    let message = format!("`{format}` cannot hold everything; left out:{items}");
    (!loss.is_empty()).then(|| notices::LEFT_OUT.notice(message).about(format))
}

/// The same as a record: what was left out, and how often.
pub(crate) fn lost(loss: &Loss) -> BTreeMap<String, usize> {
    loss.iter().map(|(what, count)| (what.to_owned(), count)).collect()
}

/// How many tags of a corpus keep their names, as a vocabulary has none for them.
pub(crate) fn unnamed(corpus: &Corpus, vocabulary: Option<Vocabulary>) -> Option<Notice> {
    let vocabulary = vocabulary?;
    let mentions = corpus.documents().flat_map(|document| document.mentions());
    let categories = mentions.flat_map(|mention| mention.tags().filter_map(DimensionCategory::of));
    let unnamed = categories.filter(|category| category.name(vocabulary).is_none()).count();
    let tags = counted(unnamed, "tag");
    let keep = if unnamed == 1 { "keeps its name" } else { "keep their names" };
    let message = format!(
        "{tags} {keep}: `{}:` has none for references, so the output mixes vocabularies",
        vocabulary.prefix()
    );
    (unnamed > 0).then(|| notices::UNNAMED_TAGS.notice(message))
}
