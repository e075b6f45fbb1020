//! Spans in groups, to ask for those that fit another without looking at all that touch it.
//!
//! Neighbours in the order of their starts are not enough where thousands of mentions overlap each other: each of
//! them touches all others. Here a span is a point of a plane, by its start and its end, and the points of a
//! group are halved again and again, by the one and by the other (k-d tree: Bentley 1975). What fits a span is a
//! part of the plane with straight borders, of which only the edge has to be looked at closely.

use karat_model::Span;
use std::collections::HashMap;
use std::hash::Hash;

/// Spans in groups; each has a rank, and may be taken out.
#[derive(Debug)]
pub struct SpanIndex<K> {
    entries: Vec<SpanEntry>,
    nodes: Vec<Node>,
    roots: HashMap<K, u32>,
    /// Where the entries of each item are: the item, its root and its entry, in order.
    places: Vec<(u32, u32, u32)>,
}

/// A span of an index.
#[derive(Debug, Clone, Copy)]
pub struct SpanEntry {
    /// Where it is.
    pub span: Span,
    /// Whose it is. An item may have several spans, in several groups.
    pub item: u32,
    /// The lower, the sooner it is found.
    pub rank: u32,
}

/// Between which limits starts, ends and lengths of some spans lie.
#[derive(Debug, Clone, Copy)]
pub struct SpanLimits {
    /// The lowest and the highest start.
    pub start: (u32, u32),
    /// The lowest and the highest end.
    pub end: (u32, u32),
    /// The lowest and the highest length.
    pub len: (u32, u32),
}

/// Which spans are asked for.
pub trait WantedSpans {
    /// Whether this one is.
    fn has(&self, span: Span) -> bool;
    /// Whether any within these limits may be. If in doubt, yes.
    fn may_have(&self, limits: &SpanLimits) -> bool;
}

/// Every span of a group.
#[derive(Debug, Clone, Copy)]
pub struct AnySpan;

impl WantedSpans for AnySpan {
    fn has(&self, _: Span) -> bool {
        true
    }

    fn may_have(&self, _: &SpanLimits) -> bool {
        true
    }
}

/// Spans that share a position with this one.
#[derive(Debug, Clone, Copy)]
pub struct Overlapping(pub Span);

impl WantedSpans for Overlapping {
    fn has(&self, span: Span) -> bool {
        self.0.overlaps(span)
    }

    fn may_have(&self, limits: &SpanLimits) -> bool {
        limits.start.0 < self.0.end && self.0.start < limits.end.1
    }
}

/// Spans with the borders of this one.
#[derive(Debug, Clone, Copy)]
pub struct SameSpan(pub Span);

impl WantedSpans for SameSpan {
    fn has(&self, span: Span) -> bool {
        self.0 == span
    }

    fn may_have(&self, limits: &SpanLimits) -> bool {
        let within = |value: u32, (low, high): (u32, u32)| (low..=high).contains(&value);
        within(self.0.start, limits.start) && within(self.0.end, limits.end)
    }
}

/// A part of the entries of a group: a leaf, or two halves.
#[derive(Debug)]
struct Node {
    limits: SpanLimits,
    /// The lowest rank that is left.
    first: u32,
    entries: (u32, u32),
    halves: Option<(u32, u32)>,
}

/// The rank of what was taken out.
const GONE: u32 = u32::MAX;
/// So many entries are looked at one by one.
const LEAF: usize = 8;

impl SpanLimits {
    fn of(entries: &[SpanEntry]) -> SpanLimits {
        let none = (u32::MAX, 0);
        let mut limits = SpanLimits { start: none, end: none, len: none };
        for SpanEntry { span, .. } in entries {
            let all = [&mut limits.start, &mut limits.end, &mut limits.len];
            for (limit, value) in all.into_iter().zip([span.start, span.end, span.len()]) {
                *limit = (limit.0.min(value), limit.1.max(value));
            }
        }
        limits
    }

    /// The most positions that one of the spans can share with this one.
    pub fn most_common(&self, span: Span) -> u32 {
        let between = Span::new(self.start.0.max(span.start), self.end.1.min(span.end));
        between.len().min(self.len.1)
    }
}

impl<K: Copy + Eq + Hash + Ord> SpanIndex<K> {
    /// Of entries, each with its group. Ranks are below `u32::MAX`.
    pub fn new(mut entries: Vec<(K, SpanEntry)>) -> SpanIndex<K> {
        // The index is the same in whichever order the entries come.
        entries.sort_unstable_by_key(|(group, entry)| (*group, entry.rank, entry.item, entry.span));
        let mut index = SpanIndex {
            entries: entries.iter().map(|(_, entry)| *entry).collect(),
            nodes: Vec::with_capacity(entries.len() / LEAF * 4),
            roots: HashMap::new(),
            places: Vec::with_capacity(entries.len()),
        };
        let mut from = 0;
        for group in entries.chunk_by(|(a, _), (b, _)| a == b) {
            let root = index.grow(from, from + group.len(), true);
            index.roots.extend(group.first().map(|(key, _)| (*key, root)));
            let entries = (from..).zip(&index.entries[from..from + group.len()]);
            index.places.extend(entries.map(|(at, entry)| (entry.item, root, at as u32)));
            from += group.len();
        }
        index.places.sort_unstable();
        index
    }

    /// The node of these entries.
    fn grow(&mut self, from: usize, to: usize, by_start: bool) -> u32 {
        let entries = &mut self.entries[from..to];
        let limits = SpanLimits::of(entries);
        let first = entries.iter().map(|entry| entry.rank).min().unwrap_or(GONE);
        let at = self.nodes.len();
        let node = Node { limits, first, entries: (from as u32, to as u32), halves: None };
        self.nodes.push(node);
        if to - from > LEAF {
            let middle = (to - from) / 2;
            let coordinate = |entry: &SpanEntry| {
                let Span { start, end } = entry.span;
                (if by_start { (start, end) } else { (end, start) }, entry.rank, entry.item)
            };
            entries.select_nth_unstable_by_key(middle, coordinate);
            let left = self.grow(from, from + middle, !by_start);
            let right = self.grow(from + middle, to, !by_start);
            self.nodes[at].halves = Some((left, right));
        }
        at as u32
    }

    /// Of the spans of a group that are left and wanted, the one of the lowest rank: rank and item.
    pub fn first(&self, group: K, wanted: &impl WantedSpans) -> Option<(u32, u32)> {
        let found = self.least(group, wanted, |_| 0, |_| 0);
        found.map(|(_, rank, item)| (rank, item))
    }

    /// Of the spans of a group that are left and wanted, the one that costs least, and of equals the one of the lowest
    /// rank: cost, rank and item. `at_least` is a bound of what any span within some limits costs.
    pub fn least(
        &self,
        group: K,
        wanted: &impl WantedSpans,
        cost: impl Fn(Span) -> u32,
        at_least: impl Fn(&SpanLimits) -> u32,
    ) -> Option<(u32, u32, u32)> {
        let mut least: Option<(u32, u32, u32)> = None;
        let known = |least: Option<(u32, u32, u32)>| {
            least.map_or((u32::MAX, GONE), |(cost, rank, _)| (cost, rank))
        };
        let bound = |at: u32| {
            let node = &self.nodes[at as usize];
            (at_least(&node.limits), node.first)
        };
        let mut open: Vec<u32> = self.roots.get(&group).into_iter().copied().collect();
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            let hopeless = node.first == GONE || bound(at) >= known(least);
            if hopeless || !wanted.may_have(&node.limits) {
                continue;
            }
            match node.halves {
                // The more promising half is taken from the stack first. Mostly nothing in the other
                // can be better then.
                Some((left, right)) => {
                    let turned = bound(left) < bound(right);
                    open.extend(if turned { [right, left] } else { [left, right] });
                }
                None => {
                    for entry in self.of(node).iter().filter(|entry| entry.rank != GONE) {
                        let (cost, rank) = (cost(entry.span), entry.rank);
                        if (cost, rank) < known(least) && wanted.has(entry.span) {
                            least = Some((cost, rank, entry.item));
                        }
                    }
                }
            }
        }
        least
    }

    /// The items of all spans of a group that are left and wanted, in no order.
    pub fn each(&self, group: K, wanted: &impl WantedSpans, found: &mut Vec<u32>) {
        let mut open: Vec<u32> = self.roots.get(&group).into_iter().copied().collect();
        while let Some(at) = open.pop() {
            let node = &self.nodes[at as usize];
            if node.first == GONE || !wanted.may_have(&node.limits) {
                continue;
            }
            match node.halves {
                Some((left, right)) => open.extend([left, right]),
                None => {
                    let left = self.of(node).iter().filter(|entry| entry.rank != GONE);
                    let wanted = left.filter(|entry| wanted.has(entry.span));
                    found.extend(wanted.map(|entry| entry.item));
                }
            }
        }
    }

    /// Takes out all spans of an item.
    pub fn remove(&mut self, item: u32) {
        self.put_back(item, GONE);
    }

    /// Puts all spans of an item back, with this rank.
    pub fn put_back(&mut self, item: u32, rank: u32) {
        let from = self.places.partition_point(|&(other, ..)| other < item);
        let to = from + self.places[from..].partition_point(|&(other, ..)| other == item);
        for place in from..to {
            let (_, root, entry) = self.places[place];
            self.entries[entry as usize].rank = rank;
            self.refresh(root, entry);
        }
    }

    /// Looks again for the lowest rank of all nodes of an entry.
    fn refresh(&mut self, at: u32, entry: u32) {
        let node = &self.nodes[at as usize];
        let first = match node.halves {
            Some((left, right)) => {
                let in_right = self.nodes[right as usize].entries.0 <= entry;
                self.refresh(if in_right { right } else { left }, entry);
                self.nodes[left as usize].first.min(self.nodes[right as usize].first)
            }
            None => self.of(node).iter().map(|entry| entry.rank).min().unwrap_or(GONE),
        };
        self.nodes[at as usize].first = first;
    }

    fn of(&self, node: &Node) -> &[SpanEntry] {
        &self.entries[node.entries.0 as usize..node.entries.1 as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::candidates::Fit;
    use crate::settings::Spans;
    use proptest::prelude::*;

    fn spans() -> impl Strategy<Value = Vec<(u8, Span)>> {
        let span = (0..30_u32, 0..12_u32).prop_map(|(start, len)| Span::new(start, start + len));
        prop::collection::vec((0..3_u8, span), 0..80)
    }

    fn how() -> impl Strategy<Value = Spans> {
        prop_oneof![
            Just(Spans::Overlap),
            Just(Spans::Containment),
            (0..3_u32).prop_map(Spans::Near),
            (0.0..120.0).prop_map(Spans::AtLeast),
            Just(Spans::AtLeast(50.0)),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1000))]

        /// What the index finds is what a look at every span finds, also while spans are taken out.
        #[test]
        fn finds_what_a_look_at_all_finds(
            all in spans(), asked in spans(), spans in how(), by_gold in any::<bool>(),
        ) {
            let entry = |(at, (group, span)): (usize, &(u8, Span))| {
                // Ranks that are not in the order of the spans, and all different.
                (*group, SpanEntry { span: *span, item: at as u32, rank: (at as u32 * 37) % 101 })
            };
            let mut left: Vec<(u8, SpanEntry)> = all.iter().enumerate().map(entry).collect();
            let mut index = SpanIndex::new(left.clone());
            for (group, span) in asked {
                let fit = Fit { spans, asked: span, by_gold };
                let common = |other: Span| {
                    Span::new(span.start.max(other.start), span.end.min(other.end)).len()
                };
                let of_group = left.iter().filter(|(other, _)| *other == group);
                let costs = of_group.map(|(_, it)| (100 - common(it.span), it.rank, it.item));
                let bound = |limits: &SpanLimits| 100 - limits.most_common(span);
                let least = index.least(group, &AnySpan, |it| 100 - common(it), bound);
                prop_assert_eq!(least, costs.min());
                let of_group = left.iter().filter(|(other, _)| *other == group);
                let same = of_group.clone().filter(|(_, it)| it.span == span);
                let same = same.map(|(_, it)| (it.rank, it.item)).min();
                prop_assert_eq!(index.first(group, &SameSpan(span)), same);
                let overlapping = of_group.filter(|(_, it)| it.span.overlaps(span));
                let overlapping = overlapping.map(|(_, it)| (it.rank, it.item)).min();
                prop_assert_eq!(index.first(group, &Overlapping(span)), overlapping);
                let fitting = left.iter().filter(|(other, entry)| {
                    *other == group && if by_gold { spans.fit(span, entry.span) } else { spans.fit(entry.span, span) }
                });
                let first = fitting.clone().map(|(_, entry)| (entry.rank, entry.item)).min();
                prop_assert_eq!(index.first(group, &fit), first);
                let mut found = Vec::new();
                index.each(group, &fit, &mut found);
                found.sort_unstable();
                let expected: Vec<u32> = fitting.map(|(_, entry)| entry.item).collect();
                prop_assert_eq!(found, expected);
                if let Some((_, item)) = first {
                    index.remove(item);
                    left.retain(|(_, entry)| entry.item != item);
                }
            }
        }
    }
}
