//! How mentions lie among each other.

use karat_model::{DimensionCategory, Document, Flags, Mention, Span};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// The overlap of every mention of a document, by pure containment: a mention that contains
/// another is maximal, one that is contained minimal, one that is both intermediate.
///
/// Crossing mentions do not count, alternatives on one span are one mention, and gold and system
/// of one file are looked at apart.
#[derive(Debug, Clone, Default)]
pub struct MentionOverlaps {
    by_side: [BTreeMap<Span, DimensionCategory>; 2],
}

impl MentionOverlaps {
    /// Looks at all mentions of a document.
    pub fn of(document: &Document<'_>) -> MentionOverlaps {
        let by_side = [false, true].map(|predicted| {
            let annotations = document.annotations().iter();
            let side = annotations.filter(|annotation| is_predicted(annotation.flags) == predicted);
            by_containment(side.map(|annotation| annotation.span).collect())
        });
        MentionOverlaps { by_side }
    }

    /// The category of a mention of the document.
    pub fn category(&self, mention: &Mention<'_>) -> Option<DimensionCategory> {
        let side = usize::from(is_predicted(mention.flags()));
        self.by_side[side].get(&mention.span()).copied()
    }
}

fn is_predicted(flags: Flags) -> bool {
    flags.contains(Flags::PREDICTED)
}

fn by_containment(mut spans: Vec<Span>) -> BTreeMap<Span, DimensionCategory> {
    // In this order what contains a span comes before it, and what it contains after it.
    spans.sort_unstable_by_key(|span| (span.start, Reverse(span.end)));
    spans.dedup();
    let mut contains = vec![false; spans.len()];
    let mut nearest_end = u32::MAX;
    for (span, contains) in spans.iter().zip(&mut contains).rev() {
        *contains = nearest_end <= span.end;
        nearest_end = nearest_end.min(span.end);
    }
    let mut furthest_end = None;
    let categories = spans.iter().zip(contains).map(|(&span, contains)| {
        let contained = furthest_end.is_some_and(|end| end >= span.end);
        furthest_end = furthest_end.max(Some(span.end));
        let category = match (contains, contained) {
            (false, false) => DimensionCategory::NoOverlap,
            (true, false) => DimensionCategory::MaximalOverlap,
            (false, true) => DimensionCategory::MinimalOverlap,
            (true, true) => DimensionCategory::IntermediateOverlap,
        };
        (span, category)
    });
    categories.collect()
}
