//! NIF in Turtle: GERBIL's dialect, and the one of the categorised datasets.

mod answer;
mod categorised;
mod fragment;
mod gerbil;
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
    let tags = has("el:Mnt-") || has("el:PoS-") || has("el:Olp-") || has("el:Ref-");
    let sentences = has("nif:broaderContext") && has("_sentence");
    let layout = has("nif:sourceUrl") && (has("nif:context <") || has("mnt:entityType"));
    tags || sentences || layout
}
