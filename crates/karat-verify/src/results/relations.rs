//! How the units of one set lie to those of another.

use super::VerifiedUnit;
use karat_model::Span;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// How a unit lies to a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SpanRelation {
    /// The same span and entity is there.
    Same,
    /// The same span is there, with another entity.
    OtherEntity,
    /// An overlapping span is there with the same entity.
    OtherSpan,
    /// An overlapping span is there, with another entity.
    Overlap,
    /// Nothing overlaps it.
    Missing,
}

impl SpanRelation {
    /// All of them; the paper calls them a to e.
    pub const ALL: [SpanRelation; 5] = [
        SpanRelation::Same,
        SpanRelation::OtherEntity,
        SpanRelation::OtherSpan,
        SpanRelation::Overlap,
        SpanRelation::Missing,
    ];

    /// The letter of the paper.
    pub fn letter(self) -> char {
        char::from(b'a' + self as u8)
    }

    /// In a word or two: what is in the set.
    pub fn words(self) -> &'static str {
        match self {
            SpanRelation::Same => "same",
            SpanRelation::OtherEntity => "other entity",
            SpanRelation::OtherSpan => "other span",
            SpanRelation::Overlap => "overlap",
            SpanRelation::Missing => "nothing",
        }
    }
}

/// How many units lie in each way to a set. They sum to the number of units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Relations {
    /// a to e.
    pub counts: [u64; 5],
}

impl Relations {
    /// The relations of some units of a document to a set of the same document.
    pub fn of<'u>(
        units: impl IntoIterator<Item = &'u VerifiedUnit>,
        set: &BTreeSet<VerifiedUnit>,
    ) -> Relations {
        let mut by_span: BTreeMap<Span, Vec<&VerifiedUnit>> = BTreeMap::new();
        set.iter().for_each(|unit| by_span.entry(unit.span).or_default().push(unit));
        let longest = set.iter().map(|unit| unit.span.len()).max().unwrap_or(0);
        let mut relations = Relations::default();
        for unit in units {
            relations.counts[relation(unit, set, &by_span, longest) as usize] += 1;
        }
        relations
    }

    /// The share of what is missing; `None` of nothing.
    pub fn missing(&self) -> Option<f64> {
        let all: u64 = self.counts.iter().sum();
        (all > 0).then(|| self.counts[SpanRelation::Missing as usize] as f64 / all as f64)
    }

    /// Both together.
    #[must_use]
    pub fn and(self, other: Relations) -> Relations {
        let mut counts = self.counts;
        counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
        Relations { counts }
    }
}

fn relation(
    unit: &VerifiedUnit,
    set: &BTreeSet<VerifiedUnit>,
    by_span: &BTreeMap<Span, Vec<&VerifiedUnit>>,
    longest: u32,
) -> SpanRelation {
    if set.contains(unit) {
        return SpanRelation::Same;
    }
    if by_span.contains_key(&unit.span) {
        return SpanRelation::OtherEntity;
    }
    // Nothing that begins before this can reach the unit.
    let from = Span::new(unit.span.start.saturating_sub(longest), 0);
    let near = by_span.range(from..Span::new(unit.span.end, 0));
    let mut overlapping =
        near.filter(|(span, _)| span.overlaps(unit.span)).flat_map(|(_, units)| units).peekable();
    if overlapping.peek().is_none() {
        SpanRelation::Missing
    } else if overlapping.any(|other| other.link == unit.link) {
        SpanRelation::OtherSpan
    } else {
        SpanRelation::Overlap
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LinkTarget;
    use proptest::prelude::*;

    fn unit(begin: u32, end: u32, link: &str) -> VerifiedUnit {
        VerifiedUnit { span: Span::new(begin, end), link: LinkTarget::Entity(link.to_owned()) }
    }

    #[test]
    fn one_of_each() {
        let set: BTreeSet<VerifiedUnit> = [unit(0, 5, "Q1"), unit(10, 20, "Q2")].into();
        let units = [
            unit(0, 5, "Q1"),
            unit(0, 5, "Q9"),
            unit(12, 14, "Q2"),
            unit(12, 14, "Q9"),
            unit(20, 25, "Q2"),
        ];
        assert_eq!(Relations::of(&units, &set).counts, [1; 5]);
        assert_eq!(Relations::of(&units, &set).missing(), Some(0.2));
        assert_eq!(Relations::of(&[], &set).missing(), None);
    }

    proptest! {
        #[test]
        fn relations_sum_to_the_units(
            units in prop::collection::vec((0_u32..40, 1_u32..9, 0_u8..4), 0..30),
            set in prop::collection::vec((0_u32..40, 1_u32..9, 0_u8..4), 0..30),
        ) {
            let of = |(begin, length, link): (u32, u32, u8)| unit(begin, begin + length, &format!("Q{link}"));
            let units: Vec<VerifiedUnit> = units.into_iter().map(of).collect();
            let set: BTreeSet<VerifiedUnit> = set.into_iter().map(of).collect();
            let found = Relations::of(&units, &set);
            prop_assert_eq!(found.counts.iter().sum::<u64>(), units.len() as u64);
            let alone = units.iter().filter(|unit| !set.iter().any(|other| other.span.overlaps(unit.span))).count();
            prop_assert_eq!(found.counts[4], alone as u64);
        }
    }
}
