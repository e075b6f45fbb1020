//! Items as keys: what makes two of them the same, in sixteen bytes.

use crate::criteria::{Agreement, Criteria, Keep};
use crate::scene::{Item, Side};

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

/// The distinct keys of the items that are kept, in order.
pub(crate) fn keys(side: &Side<'_>, criteria: &Criteria, answers_only: bool, keys: &mut Vec<u128>) {
    keys.clear();
    let kept = kept(side, criteria, answers_only);
    keys.extend(kept.map(|(_, item)| key(item, criteria.agree)));
    if !keys.is_sorted() {
        keys.sort_unstable();
    }
    keys.dedup();
}

/// The items that are looked at, with their positions on their side.
pub(crate) fn kept<'s>(
    side: &'s Side<'_>,
    criteria: &Criteria,
    answers_only: bool,
) -> impl Iterator<Item = (u32, &'s Item)> + use<'s> {
    let keep = criteria.keep;
    let first = if keep == Keep::First { firsts(&side.items) } else { Vec::new() };
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
        (item.span.start, u32::MAX - item.span.end, item.index)
    };
    order.sort_unstable_by_key(reading_order);
    let mut seen = std::collections::HashSet::new();
    let mut first = vec![false; items.len()];
    for index in order {
        first[index] = seen.insert(items[index].link.code());
    }
    first
}

/// How many keys two sorted lists of distinct keys share.
pub(crate) fn shared(left: &[u128], right: &[u128]) -> usize {
    let (mut at_left, mut at_right, mut shared) = (0, 0, 0);
    while let (Some(a), Some(b)) = (left.get(at_left), right.get(at_right)) {
        shared += usize::from(a == b);
        at_left += usize::from(a <= b);
        at_right += usize::from(b <= a);
    }
    shared
}
