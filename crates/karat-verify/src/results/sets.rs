//! Sets of spans with links.

use crate::LinkTarget;
use karat_model::Span;

/// A span with a link, in one document.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VerifiedUnit {
    /// Where.
    pub span: Span,
    /// What it means.
    pub link: LinkTarget,
}

/// How many of the units of one document do not overlap, taken from left to right: the longest of those that begin at
/// one place comes first, and what begins before the end of all that were taken is passed over.
pub fn greedy_size<'u>(units: impl IntoIterator<Item = &'u VerifiedUnit>) -> usize {
    greedy(units).len()
}

/// Those units themselves.
pub(super) fn greedy<'u>(
    units: impl IntoIterator<Item = &'u VerifiedUnit>,
) -> Vec<&'u VerifiedUnit> {
    let mut units: Vec<&VerifiedUnit> = units.into_iter().collect();
    units.sort_by_key(|unit| (unit.span.start, std::cmp::Reverse(unit.span.end), &unit.link));
    let mut end = 0;
    units.retain(|unit| {
        let is_free = unit.span.start >= end;
        end = if is_free { unit.span.end } else { end };
        is_free
    });
    units
}

/// Which of some proposals meet a unit with their entity whose span overlaps theirs. A proposal counts once, and a
/// unit may be met again and again, as in the code of the paper.
pub fn weak_hits<'u>(
    proposals: &[&VerifiedUnit],
    units: impl IntoIterator<Item = &'u VerifiedUnit>,
) -> Vec<bool> {
    let mut by_link: std::collections::BTreeMap<&LinkTarget, Vec<Span>> =
        std::collections::BTreeMap::new();
    for unit in units {
        by_link.entry(&unit.link).or_default().push(unit.span);
    }
    let mut ends: std::collections::BTreeMap<&LinkTarget, Vec<u32>> =
        std::collections::BTreeMap::new();
    for (link, spans) in &mut by_link {
        spans.sort_unstable();
        // The furthest end so far tells whether any unit that begins early enough reaches a proposal.
        let furthest = spans.iter().scan(0, |end, span| {
            *end = span.end.max(*end);
            Some(*end)
        });
        ends.insert(link, furthest.collect());
    }
    let meets = |one: &&VerifiedUnit| {
        let (Some(spans), Some(ends)) = (by_link.get(&one.link), ends.get(&one.link)) else {
            return false;
        };
        let before = spans.partition_point(|span| span.start < one.span.end);
        before > 0 && ends[before - 1] > one.span.start
    };
    proposals.iter().map(meets).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn unit((begin, length, link): (u32, u32, u8)) -> VerifiedUnit {
        let link = LinkTarget::Entity(format!("Q{link}"));
        VerifiedUnit { span: Span::new(begin, begin + length), link }
    }

    proptest! {
        #[test]
        fn sets_are_what_they_say(
            units in prop::collection::vec((0_u32..40, 1_u32..9, 0_u8..4), 0..30),
            more in prop::collection::vec((0_u32..40, 1_u32..9, 0_u8..4), 0..30),
        ) {
            let units: BTreeSet<VerifiedUnit> = units.into_iter().map(unit).collect();
            let more: Vec<VerifiedUnit> = more.into_iter().map(unit).collect();
            prop_assert!(greedy_size(&units) <= units.len());
            let all: BTreeSet<VerifiedUnit> = units.iter().chain(&more).cloned().collect();
            prop_assert!(all.len() >= units.len());
            let asked: Vec<&VerifiedUnit> = more.iter().collect();
            let found = weak_hits(&asked, &units);
            for (one, met) in more.iter().zip(found) {
                let (s, e) = (one.span.start, one.span.end);
                let slow = units.iter().any(|gold| {
                    let (b, f) = (gold.span.start, gold.span.end);
                    gold.link == one.link && (b <= s && s < f || s <= b && b < e)
                });
                prop_assert_eq!(met, slow);
                prop_assert!(met || !units.contains(one), "a strong hit is a weak one");
            }
        }
    }
}
