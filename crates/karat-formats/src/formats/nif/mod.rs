//! NIF in Turtle: GERBIL's dialect, and the one of the categorised datasets.

pub(super) mod answer;
mod categorised;
mod fragment;
mod gerbil;
mod slips;
mod stretches;
mod tags;

pub(crate) use categorised::CategorisedNif;
pub(crate) use gerbil::Nif;

use crate::format::Sample;

/// The property names that any NIF file has.
fn looks_like_nif(sample: &Sample<'_>) -> bool {
    let text = sample.text.trim_start();
    let turtle = text.starts_with(['<', '@', '#', '_', '[', ':'])
        || text.get(..6).is_some_and(|word| word.eq_ignore_ascii_case("prefix"))
        || text.starts_with(|c: char| c.is_ascii_lowercase());
    let speaks_nif = ["isString", "referenceContext", "anchorOf", "nif:Context", "#Context>"]
        .iter()
        .any(|name| text.contains(name));
    turtle && speaks_nif && (text.contains("nif:") || text.contains("nlp2rdf/ontologies/nif-core"))
}

/// What only the categorised dialect has: its tags, or statements for sentences
/// that are contexts of their own.
fn looks_categorised(sample: &Sample<'_>) -> bool {
    let text = sample.text;
    let has = |name: &str| text.contains(name);
    // A whole IRI `<el:Mnt-Full>` is valid Turtle, and a name in a string says nothing.
    let tags = objects(text, "taClassRef").any(|object| {
        ["el:Mnt-", "el:PoS-", "el:Olp-", "el:Ref-"].iter().any(|name| object.starts_with(name))
    });
    let says = |property: &str| objects(text, property).next().is_some();
    // Nested contexts alone are plain NIF.
    let sentences = has_sentences_with_offsets(text);
    let in_document = objects(text, "context").any(|object| object.starts_with('<'));
    let layout = (says("sourceUrl") || says("referenceContext")) && in_document
        || says("sourceUrl") && has("mnt:entityType");
    tags || sentences || layout
}

/// Whether contexts are sentences with bare offsets behind the hash: `<http://x/d_sentence0#0,80>`.
fn has_sentences_with_offsets(text: &str) -> bool {
    let numbered = |rest: &str| {
        let behind = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        let offsets = behind.strip_prefix('#').and_then(|rest| rest.split_once(','));
        let is_number = |part: &str| part.bytes().all(|b| b.is_ascii_digit()) && !part.is_empty();
        behind.len() < rest.len() && offsets.is_some_and(|(start, _)| is_number(start))
    };
    text.match_indices("_sentence").any(|(at, name)| numbered(&text[at + name.len()..]))
}

/// What stands behind a property, whatever its prefix is or if it is written out.
fn objects<'t>(text: &'t str, property: &'t str) -> impl Iterator<Item = &'t str> {
    text.match_indices(property).filter_map(move |(at, _)| {
        let (before, after) = (&text[..at], &text[at + property.len()..]);
        let object = match before.as_bytes().last()? {
            b':' => after,
            b'#' => after.strip_prefix('>')?,
            _ => return None,
        };
        object.starts_with(|c: char| c.is_whitespace() || c == '<').then(|| object.trim_start())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_categorised_dialect_is_recognised_under_any_prefix() {
        const NIF: &str = "http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#";
        let categorised = |text: &str| {
            let sample = Sample { name: "f.ttl", bytes: text.as_bytes(), text, complete: true };
            looks_like_nif(&sample) && looks_categorised(&sample)
        };
        let written_out = format!("<{NIF}isString>");
        for (text, expected) in [
            ("<d_sentence0#0,9> nif:isString \"a\" ; nif:broaderContext <d> .", true),
            (
                &*format!(
                    "@prefix n: <{NIF}> . <d_sentence0#0,9> n:isString \"a\" ; n:broaderContext <d> ."
                ),
                true,
            ),
            (
                &*format!("<d_sentence0#0,9> {written_out} \"a\" ; <{NIF}broaderContext> <d> ."),
                true,
            ),
            (
                &*format!(
                    "<d#0,9> {written_out} \"a\" ; <http://www.w3.org/2005/11/its/rdf#taClassRef> el:Mnt-Full ."
                ),
                true,
            ),
            (
                &*format!(
                    "@prefix n: <{NIF}> . <m> n:referenceContext <s> ; n:context <d> . <d> n:sourceUrl <d> ."
                ),
                true,
            ),
            ("<d#0,9> nif:isString \"taClassRef el:Mnt-Full\" ; nif:sourceUrl <d> .", false),
            ("<d_sentence> nif:isString \"broaderContext\" .", false),
            (
                "<d_sentence0> nif:isString \"a\" ; nif:broaderContext <d> . <d> nif:sourceUrl <d> .",
                false,
            ),
            ("<m> nif:referenceContext <d_sentence0#0,9> ; nif:context <d> .", true),
            ("<m> nif:referenceContext <d> . <d> nif:sourceUrl <d> .", false),
        ] {
            assert_eq!(categorised(text), expected, "{text}");
        }
    }
}
