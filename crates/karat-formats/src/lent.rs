//! Texts for documents that were read without one: from the documents the user gives.

use crate::anchor::quoted;
use crate::format::Info;
use crate::problem::{Kind, Problem};
use crate::reading::ReadOptions;
use karat_model::{Corpus, Mention, OffsetUnit, TextIndex, attribute};

/// The texts for the documents of a corpus that have none, by name, and the documents
/// that do not fit the text they would get.
pub(crate) fn texts<'o>(
    corpus: &Corpus,
    info: &Info,
    source_name: &str,
    options: &'o ReadOptions,
) -> Vec<Result<(String, &'o str), Problem>> {
    let Some(given) = options.documents.as_deref() else { return Vec::new() };
    // Without a text a file's own unit is kept, and only code points are positions in a text.
    if info.offsets.or(options).unit != OffsetUnit::CodePoints {
        return Vec::new();
    }
    let bare = corpus.documents().filter(|document| document.text().is_none());
    bare.filter_map(|document| {
        let Some(known) = given.document(document.name()) else {
            let message =
                format!("document `{}` is not among those of --documents", document.name());
            return Some(Err(Problem::new(Kind::UnknownDocument, source_name, message)
                .hint("are the documents given with --documents the right ones?")));
        };
        let text = known.text()?;
        let index = TextIndex::new(text);
        let misfit = document.mentions().find_map(|mention| misfit(&mention, &index));
        Some(match misfit {
            None => Ok((document.name().to_owned(), text)),
            Some((kind, message)) => {
                let message = format!("document `{}`: {message}", document.name());
                Err(Problem::new(kind, source_name, message)
                    .hint("are the documents given with --documents the right ones?"))
            }
        })
    })
    .collect()
}

/// Why a mention cannot be of a text.
fn misfit(mention: &Mention<'_>, index: &TextIndex<'_>) -> Option<(Kind, String)> {
    let span = mention.span();
    let Some(found) = index.slice(span) else {
        let length = index.len();
        let message =
            format!("the mention at {span} lies outside its text, which has {length} code points");
        return Some((Kind::Offset, message));
    };
    let (_, surface) = mention.attributes().find(|(key, _)| *key == attribute::SURFACE)?;
    (surface != found).then(|| {
        let (surface, found) = (quoted(surface), quoted(found));
        (Kind::Surface, format!("the mention is {surface} but its text at {span} is {found}"))
    })
}
