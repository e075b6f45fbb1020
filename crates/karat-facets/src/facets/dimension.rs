//! One of the four dimensions of category tags: base form, part of speech, overlap, reference.

use crate::facet::{Facet, Labels};
use crate::registry::{FacetDefinition, FacetNeeds};
use karat_match::{Item, Side};
use karat_model::{Dimension, DimensionCategory, Mention};
use std::sync::Arc;

/// See the head of this file.
pub(super) static BASE_FORM: FacetDefinition = FacetDefinition {
    name: "base-form",
    about: "The base form of a mention, by its category tags: full name, alias, common form, ...",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByDimension(Dimension::BaseForm))),
};

/// See the head of this file.
pub(super) static PART_OF_SPEECH: FacetDefinition = FacetDefinition {
    name: "pos",
    about: "The part of speech of a mention, by its category tags.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByDimension(Dimension::PartOfSpeech))),
};

/// See the head of this file.
pub(super) static OVERLAP: FacetDefinition = FacetDefinition {
    name: "overlap",
    about: "How a mention lies among the others, by its category tags.",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByDimension(Dimension::Overlap))),
};

/// See the head of this file.
pub(super) static REFERENCE: FacetDefinition = FacetDefinition {
    name: "reference",
    about: "How a mention refers, by its category tags: direct, anaphoric, metonymic, ...",
    needs: FacetNeeds::Nothing,
    make: |_, _| Ok(Arc::new(ByDimension(Dimension::Reference))),
};

/// Labels by one dimension.
#[derive(Debug)]
pub(super) struct ByDimension(pub(super) Dimension);

impl Facet for ByDimension {
    fn name(&self) -> &str {
        self.0.key()
    }

    fn vocabulary(&self) -> Vec<Vec<&'static str>> {
        vec![vocabulary(self.0)]
    }

    fn labels(&self, side: &Side<'_>, item: &Item) -> Labels {
        let mention = side.mention(item);
        let tags = mention.iter().flat_map(Mention::tags);
        labels(tags.filter(|tag| Dimension::of(tag) == Some(self.0)))
    }
}

/// All labels of a dimension.
pub(super) fn vocabulary(dimension: Dimension) -> Vec<&'static str> {
    dimension.categories().map(DimensionCategory::el).collect()
}

/// The labels of tags, each once: two vocabularies may say the same.
pub(super) fn labels<'t>(tags: impl Iterator<Item = &'t str>) -> Labels {
    let mut labels = Labels::new();
    for label in tags.map(label) {
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

/// A tag as the vocabulary of the released datasets names it, whatever vocabulary it is of.
fn label(tag: &str) -> String {
    let known = DimensionCategory::of(tag).map(DimensionCategory::el);
    known.or_else(|| tag.strip_prefix("el:")).unwrap_or(tag).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_two_vocabularies_say_is_said_once() {
        let tags = ["el:Mnt-Full", "fel:FullProperForm", "el:Olp-None"];
        assert_eq!(labels(tags.into_iter()), ["Mnt-Full", "Olp-None"]);
    }

    #[test]
    fn all_vocabularies_have_the_same_labels() {
        for (tag, expected) in [
            ("el:Mnt-Full", "Mnt-Full"),
            ("fel:FullProperForm", "Mnt-Full"),
            ("mnt:FullMentionPN", "Mnt-Full"),
            ("el:Mnt-Nickname", "Mnt-Nickname"),
            ("tax:Ambiguous", "tax:Ambiguous"),
        ] {
            assert_eq!(label(tag), expected);
        }
    }
}
