//! Ids that are no IRIs, as IRIs.
//!
//! Turtle has room for absolute IRIs only. Any other name is written as
//! `urn:karat:id:...` with percent-encoding, and comes back as it was.

use crate::formats::nif::answer::Answer;
use crate::formats::nif::fragment::Located;
use crate::formats::nif::tags::tag_of;
use crate::syntax::turtle::Iri;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;

const ID: &str = "urn:karat:id:";
const TAG: &str = "urn:karat:tag:";
/// Stands before equivalent links of a mention that has no answer.
pub(super) const NO_ANSWER: &str = "urn:karat:no-answer";

const PLAIN: AsciiSet = NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The IRI of an entity.
pub(super) fn iri(name: &str) -> Cow<'_, str> {
    if is_iri(name) && Answer::of(name) == Answer::Entity(name) {
        return Cow::Borrowed(name);
    }
    spelled(name).into()
}

/// The IRI of a type. One that is a tag elsewhere would be read as a tag.
pub(super) fn type_iri(name: &str) -> Cow<'_, str> {
    match tag_of(&Iri::whole(name)) {
        Some(_) => spelled(name).into(),
        None => iri(name),
    }
}

/// The IRI of a document, to which offsets are added.
pub(super) fn document_iri(name: &str) -> Cow<'_, str> {
    if is_iri(name) && !name.contains('#') && Located::of(name).document == name {
        return Cow::Borrowed(name);
    }
    spelled(name).into()
}

fn spelled(name: &str) -> String {
    format!("{ID}{}", utf8_percent_encode(name, &PLAIN))
}

/// The IRI of a tag that no vocabulary has.
pub(super) fn tag_iri(name: &str) -> String {
    format!("{TAG}{}", utf8_percent_encode(name, &PLAIN))
}

/// The name that an IRI stands for.
pub(super) fn name(iri: &str) -> Cow<'_, str> {
    decoded(iri, ID).unwrap_or(Cow::Borrowed(iri))
}

/// The tag that an IRI stands for, if it was written by [`tag_iri`].
pub(super) fn tag(iri: &str) -> Option<Cow<'_, str>> {
    decoded(iri, TAG)
}

fn decoded<'t>(iri: &'t str, kind: &str) -> Option<Cow<'t, str>> {
    percent_decode_str(iri.strip_prefix(kind)?).decode_utf8().ok()
}

/// Whether a name surely is an absolute IRI that every parser accepts. It errs
/// on the side of no.
fn is_iri(name: &str) -> bool {
    let Some((scheme, rest)) = name.split_once(':') else { return false };
    let letters = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let scheme_fits =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(letters);
    let host_fits = match rest.strip_prefix("//") {
        None => !rest.is_empty(),
        Some(rest) => is_host(rest.split(['/', '?', '#']).next().unwrap_or_default()),
    };
    let once = name.matches('#').count() <= 1;
    let escapes = name.split('%').skip(1).all(|after| {
        after.get(..2).is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
    });
    let characters = name.chars().all(|character| match character {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        _ if character.is_ascii() => "-._~:/?#@!$&'()*+,;=%".contains(character),
        _ => character.is_alphanumeric(),
    });
    scheme_fits && host_fits && once && escapes && characters && !name.starts_with("urn:karat:")
}

fn is_host(authority: &str) -> bool {
    let (host, port) = authority.split_once(':').unwrap_or((authority, ""));
    let fits = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
    !host.is_empty() && host.bytes().all(fits) && port.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_comes_back() {
        for (entity, written) in [
            ("http://dbpedia.org/resource/Köln", "http://dbpedia.org/resource/Köln"),
            ("https://en.wikipedia.org/wiki/C++", "https://en.wikipedia.org/wiki/C++"),
            ("mesh:D001", "mesh:D001"),
            ("Q64", "urn:karat:id:Q64"),
            ("a%20b", "urn:karat:id:a%2520b"),
            ("AT&T", "urn:karat:id:AT%26T"),
            ("http://x/a b", "urn:karat:id:http%3A%2F%2Fx%2Fa%20b"),
            ("http://x/50%", "urn:karat:id:http%3A%2F%2Fx%2F50%25"),
            ("http://x/a#b#c", "urn:karat:id:http%3A%2F%2Fx%2Fa%23b%23c"),
            ("http://aksw.org/notInWiki/x", "urn:karat:id:http%3A%2F%2Faksw.org%2FnotInWiki%2Fx"),
            ("urn:karat:id:Q64", "urn:karat:id:urn%3Akarat%3Aid%3AQ64"),
            ("東京", "urn:karat:id:%E6%9D%B1%E4%BA%AC"),
            ("", "urn:karat:id:"),
        ] {
            assert_eq!(iri(entity), written);
            assert_eq!(name(&iri(entity)), entity);
        }
        assert_eq!(document_iri("http://x/d"), "http://x/d");
        for document in ["http://x/d#char=0,1", "http://x/d?char=0,1", "d 1"] {
            assert_eq!(name(&document_iri(document)), document);
            assert!(document_iri(document).starts_with(ID));
        }
        assert_eq!(tag(&tag_iri("my tag")).as_deref(), Some("my tag"));
    }
}
