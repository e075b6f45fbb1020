//! What offsets say twice and not alike, which is worth a remark.

use karat_model::OffsetUnit;

/// What to do about an IRI that says something else than the properties.
pub(super) const PROPERTIES_COUNT: &str = "the properties count; the IRI should say the same";

/// Says that the offsets of an IRI and of the properties differ.
pub(super) fn offsets_differ(iri: (u64, u64), properties: (u64, u64)) -> String {
    let ((first, last), (begin, end)) = (iri, properties);
    format!("the IRI says {first},{last}, but nif:beginIndex and nif:endIndex say {begin},{end}")
}

/// Says that a text does not end where the file says.
pub(super) fn length_differs(end: u64, length: u64, unit: OffsetUnit) -> String {
    format!("nif:endIndex is {end}, but the text has {length} {unit}")
}

/// The length of a text.
pub(super) fn measure(text: &str, unit: OffsetUnit) -> u64 {
    text.chars().map(|character| units(character, unit)).sum()
}

/// The length of a character.
pub(super) fn units(character: char, unit: OffsetUnit) -> u64 {
    match unit {
        OffsetUnit::Bytes => character.len_utf8() as u64,
        OffsetUnit::Utf16 => character.len_utf16() as u64,
        OffsetUnit::CodePoints | OffsetUnit::Tokens => 1,
    }
}
