//! Names and texts for files that have none: from the documents the user gives.

use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::{Kind, Problem};
use crate::reading::Reading;
use karat_model::{End, Span, TextIndex};

/// The name of a document that the file does not name: the given document at its
/// position, or the position itself.
pub(super) fn name_at(position: usize, reading: &Reading<'_>) -> String {
    let given = reading.options.documents.as_deref();
    let document = given.and_then(|corpus| corpus.documents().nth(position));
    document.map_or_else(|| position.to_string(), |document| document.name().to_owned())
}

/// The text of a given document.
pub(super) fn text_of<'o>(name: &str, reading: &Reading<'o>) -> Option<&'o str> {
    reading.options.documents.as_deref()?.document(name)?.text()
}

/// Starts a document with the text of the file, else with the given one.
/// `None` when there is such a document already.
pub(super) fn begin(
    name: &str,
    own_text: Option<&str>,
    here: Here<'_>,
    reading: &mut Reading<'_>,
) -> Result<Option<Option<String>>, Problem> {
    if let Err(duplicate) = reading.corpus.begin_document(name) {
        let problem = here.problem(Kind::DuplicateDocument, duplicate.to_string());
        reading.report(problem.hint("document ids must be unique in one input"))?;
        return Ok(None);
    }
    let text = own_text.or_else(|| text_of(name, reading));
    if let Some(text) = text {
        reading.corpus.set_text(text);
    }
    Ok(Some(text.map(str::to_owned)))
}

/// The span for two offsets, checked against the text where there is one.
pub(super) fn span(
    index: Option<&TextIndex<'_>>,
    offsets: Offsets,
    (start, end): (u64, u64),
    surface: Option<&str>,
    here: Here<'_>,
) -> Result<Span, Problem> {
    if let Some(index) = index {
        return here.anchor(index, offsets, start, end, surface);
    }
    let end_exclusive = match offsets.end {
        End::Exclusive => end,
        End::Inclusive => end.saturating_add(1),
    };
    match (u32::try_from(start), u32::try_from(end_exclusive)) {
        (Ok(start), Ok(end)) if start <= end => Ok(Span::new(start, end)),
        _ => Err(here
            .problem(Kind::Offset, format!("{start}..{end} cannot be the offsets of a mention"))
            .hint("offsets count from 0, and the end is not before the start")),
    }
}
