//! Items as keys: what makes two of them the same, in sixteen bytes.

use crate::criteria::{Agreement, Criteria, Keep};
use crate::scene::{Item, Scene, Side};
use std::cmp::Ordering;

/// The key of an item under some agreement. Equal keys are the same item.
///
/// Span (64 bits), link (32) and types (32) fill it exactly.
#[inline]
pub(crate) fn key(item: &Item, agree: Agreement) -> u128 {
    let mut key = 0;
    if agree.contains(Agreement::SPAN) {
        key = u128::from(item.span.start) << 96 | u128::from(item.span.end) << 64;
    }
    if agree.contains(Agreement::CLUSTER) {
        key |= u128::from(item.link.code()) << 32;
    } else if agree.contains(Agreement::ENTITY) {
        // All that is not in the knowledge base is one.
        let entity = item.link.entity().map_or(u32::MAX, |entity| entity.index() as u32);
        key |= u128::from(entity) << 32;
    }
    if agree.contains(Agreement::TYPE) {
        key |= item.types.index() as u128;
    }
    key
}

/// How many keys two sides have, and share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Shared {
    pub(crate) left: u64,
    pub(crate) right: u64,
    pub(crate) both: u64,
}

/// Counts the distinct keys of the items that are kept.
///
/// Items are sorted by span, so where no two share one, keys with spans come in
/// order by themselves, and there is nothing to collect.
pub(crate) fn shared(scene: &Scene<'_>, criteria: &Criteria, answers_only: bool) -> Shared {
    let (gold, system) = (&scene.gold, &scene.system);
    let unsorted = |side| keys(side, criteria, answers_only);
    // Try without collecting first: on most corpora no two mentions share a span, and then this is
    // the whole work. It is the hot path of every count under sets.
    in_order(unsorted(gold), unsorted(system)).unwrap_or_else(|| {
        let sorted = |side| sorted_keys(side, criteria, answers_only).into_iter();
        in_order(sorted(gold), sorted(system)).unwrap_or_default()
    })
}

fn keys<'s>(
    side: &'s Side<'_>,
    criteria: &Criteria,
    answers_only: bool,
) -> impl Iterator<Item = u128> + use<'s> {
    let agree = criteria.agree;
    kept(side, criteria, answers_only).map(move |(_, item)| key(item, agree))
}

/// The distinct keys in order.
fn sorted_keys(side: &Side<'_>, criteria: &Criteria, answers_only: bool) -> Vec<u128> {
    let mut sorted = Vec::with_capacity(side.items.len());
    sorted.extend(keys(side, criteria, answers_only));
    sorted.sort_unstable();
    sorted.dedup();
    sorted
}

/// Counts keys that come in order on both sides, each once; `None` if they do not.
fn in_order(
    mut lefts: impl Iterator<Item = u128>,
    mut rights: impl Iterator<Item = u128>,
) -> Option<Shared> {
    let mut shared = Shared::default();
    let (mut left, mut right) = (lefts.next(), rights.next());
    loop {
        let order = match (left, right) {
            (None, None) => return Some(shared),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some(left), Some(right)) => left.cmp(&right),
        };
        shared.both += u64::from(order.is_eq());
        if order.is_le() {
            shared.left += 1;
            left = next_after(left, &mut lefts)?;
        }
        if order.is_ge() {
            shared.right += 1;
            right = next_after(right, &mut rights)?;
        }
    }
}

/// The next key, if any; `None` if it is not larger than the last.
#[inline]
fn next_after(last: Option<u128>, keys: &mut impl Iterator<Item = u128>) -> Option<Option<u128>> {
    let next = keys.next();
    (next.is_none() || next > last).then_some(next)
}

/// The items that are looked at, with their positions on their side.
pub(crate) fn kept<'s>(
    side: &'s Side<'_>,
    criteria: &Criteria,
    answers_only: bool,
) -> impl Iterator<Item = (u32, &'s Item)> + use<'s> {
    let keep = criteria.keep;
    let first = if keep == Keep::First { side.firsts() } else { Vec::new() };
    let skips_unanswered = answers_only && criteria.is_about_links();
    let keeps = move |index: usize, item: &Item| match keep {
        _ if skips_unanswered && item.link.is_none() => false,
        Keep::All => true,
        Keep::Linked => item.link.entity().is_some(),
        Keep::Nil => item.link.entity().is_none(),
        Keep::First => first[index],
    };
    let items = side.items.iter().enumerate().filter(move |&(index, item)| keeps(index, item));
    items.map(|(index, item)| (index as u32, item))
}

/// Which items are the first of their entity, NIL clusters included; of two that
/// start together the longer is first.
pub(crate) fn firsts(items: &[Item]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..items.len()).collect();
    let reading_order = |&index: &usize| {
        let item = &items[index];
        (item.span.start, u32::MAX - item.span.end, index)
    };
    order.sort_unstable_by_key(reading_order);
    let mut seen = std::collections::HashSet::new();
    let mut first = vec![false; items.len()];
    for index in order {
        first[index] = seen.insert(items[index].link.code());
    }
    first
}
