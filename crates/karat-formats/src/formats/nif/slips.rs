//! What offsets say twice and not alike, which is worth a remark.

use super::fragment::Located;
use crate::anchor::Here;
use crate::format::Offsets;
use crate::problem::Kind;
use crate::reading::Reading;
use karat_model::OffsetUnit;

/// What to do about an IRI that says something else than the properties.
pub(super) const PROPERTIES_COUNT: &str = "the properties count; the IRI should say the same";

/// Says that the offsets of an IRI and of the properties differ, if they do.
pub(super) fn offsets_differ(iri: &str, properties: (u64, u64)) -> Option<String> {
    let (first, last) = Located::of(iri).offsets.filter(|&said| said != properties)?;
    let (begin, end) = properties;
    Some(format!(
        "the IRI says {first},{last}, but nif:beginIndex and nif:endIndex say {begin},{end}"
    ))
}

/// The text of a document counts; an end that is not its end is worth a remark. Where only white
/// space follows it is: some tools join sentences by a blank and put one behind the last.
pub(super) fn check_length(
    here: Here<'_>,
    (document, text): (&str, &str),
    end: u64,
    offsets: Offsets,
    reading: &mut Reading<'_>,
) {
    let unit = offsets.unit;
    let (length, exclusive) = (measure(text, unit), offsets.exclusive(end));
    let rest = skip_units(text, exclusive, unit);
    if exclusive != length && (rest.is_empty() || !rest.trim().is_empty()) {
        let message = format!("nif:endIndex is {end}, but the text has {length} {unit}");
        let problem = here.problem(Kind::Offset, message).hint("the text counts");
        reading.repaired(problem.about(Some(document), None));
    }
}

/// The length of a text.
pub(super) fn measure(text: &str, unit: OffsetUnit) -> u64 {
    text.chars().map(|character| units(character, unit)).sum()
}

/// The length of a character.
fn units(character: char, unit: OffsetUnit) -> u64 {
    match unit {
        OffsetUnit::Bytes => character.len_utf8() as u64,
        OffsetUnit::Utf16 => character.len_utf16() as u64,
        OffsetUnit::CodePoints | OffsetUnit::Tokens => 1,
    }
}

/// What of a text is behind so many units.
pub(super) fn skip_units(text: &str, count: u64, unit: OffsetUnit) -> &str {
    let mut seen = 0;
    let behind = text.char_indices().find(|&(_, character)| {
        let is_behind = seen >= count;
        seen += units(character, unit);
        is_behind
    });
    behind.map_or("", |(at, _)| &text[at..])
}
