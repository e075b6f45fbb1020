//! What holds for every two clusterings.

use crate::clusterings::{COUNTED, count};
use karat_measures::clustering::{Contingency, Credit, blanc};
use proptest::prelude::*;

type Items = Vec<(Option<u32>, Option<u32>)>;

/// Up to 40 items in up to seven clusters a side, some on one side only.
fn items() -> impl Strategy<Value = Items> {
    let side = || prop::option::weighted(0.85, 0..7_u32);
    prop::collection::vec((side(), side()), 0..40)
}

fn swapped(counts: Credit) -> Credit {
    Credit { ptp: counts.rtp, fp: counts.fn_, rtp: counts.ptp, fn_: counts.fp }
}

/// Sums of quotients are rounded once for each size.
fn close(one: Credit, other: Credit) -> bool {
    let (one, other): ([f64; 4], [f64; 4]) = (one.into(), other.into());
    one.iter().zip(other).all(|(one, other)| (one - other).abs() < 1e-9)
}

/// The best alignment by trying all: gold clusters choose in turn.
fn best_alignment(table: &Contingency, gold: u32, used: u32) -> u64 {
    if gold as usize == table.gold_sizes().len() {
        return 0;
    }
    let free = |system: u32| used & (1 << system) == 0;
    let choices = table.cells().iter().filter(|cell| cell.gold == gold && free(cell.system));
    choices
        .map(|cell| cell.items + best_alignment(table, gold + 1, used | 1 << cell.system))
        .fold(best_alignment(table, gold + 1, used), u64::max)
}

proptest! {
    #[test]
    fn a_perfect_answer_scores_one(items in items()) {
        let items = items.iter().map(|&(gold, _)| (gold, gold));
        let table = Contingency::new(items);
        for (name, count) in COUNTED {
            let [ptp, fp, rtp, fn_]: [f64; 4] = count(&table).into();
            prop_assert!(fp == 0.0 && fn_ == 0.0 && ptp == rtp, "{}", name);
        }
        let expected = f64::from(u8::from(table.gold_items() > 0));
        prop_assert_eq!(blanc::score(&table).f1, expected);
    }

    #[test]
    fn the_order_of_items_changes_nothing(items in items(), turn in 0..40_usize) {
        let mut other = items.clone();
        other.reverse();
        other.rotate_left(turn % items.len().max(1));
        prop_assert_eq!(Contingency::new(items), Contingency::new(other));
    }

    #[test]
    fn the_names_of_clusters_change_nothing(items in items(), key in 1..1000_u32) {
        let renamed = items.iter().map(|&(gold, system)| {
            (gold.map(|id| (id ^ 5) * key), system.map(|id| u32::MAX - (id ^ 2) * key))
        });
        let (table, renamed) = (Contingency::new(items.clone()), Contingency::new(renamed));
        for (name, count) in COUNTED {
            let (one, other) = (count(&table), count(&renamed));
            // Alignments of the same worth may add up other quotients.
            let same = if name.starts_with("entity") { close(one, other) } else { one == other };
            prop_assert!(same, "{}: {:?} {:?}", name, one, other);
        }
        prop_assert_eq!(blanc::score(&table), blanc::score(&renamed));
    }

    #[test]
    fn precision_and_recall_change_places_with_the_sides(items in items()) {
        let table = Contingency::new(items.clone());
        let other = Contingency::new(items.iter().map(|&(gold, system)| (system, gold)));
        prop_assert_eq!(&other, &table.swapped());
        for (name, count) in COUNTED {
            // The treatment of items without a twin is not symmetric.
            if !name.contains("cs_") {
                let (one, other) = (count(&table), swapped(count(&other)));
                prop_assert!(close(one, other), "{}: {:?} {:?}", name, one, other);
            }
        }
    }

    #[test]
    fn counts_are_never_negative(items in items()) {
        let table = Contingency::new(items);
        for (name, count) in COUNTED {
            let counts: [f64; 4] = count(&table).into();
            prop_assert!(counts.iter().all(|&count| count >= -1e-9), "{}: {:?}", name, counts);
        }
    }

    #[test]
    fn mention_ceaf_is_the_best_alignment(items in items()) {
        let table = Contingency::new(items);
        let best = best_alignment(&table, 0, 0) as f64;
        prop_assert_eq!(count("mention_ceaf", &table).ptp, best);
    }

    /// Item by item, as the papers define them.
    #[test]
    fn definitions_by_item_and_pair(items in items()) {
        let table = Contingency::new(items.clone());
        let recall = count("b_cubed", &table).rtp;
        prop_assert!((recall - b_cubed_by_item(&items)).abs() < 1e-9);
        prop_assert_eq!(count("pairwise", &table).ptp, pairs_where(&items, |g, s| g && s));
        prop_assert_eq!(count("pairwise_negative", &table).ptp, pairs_where(&items, |g, s| !g && !s));
    }
}

fn b_cubed_by_item(items: &Items) -> f64 {
    let both = items.iter().filter(|item| item.0.is_some() && item.1.is_some());
    both.map(|item| {
        let together = items.iter().filter(|other| *other == item).count();
        let cluster = items.iter().filter(|other| other.0 == item.0).count();
        together as f64 / cluster as f64
    })
    .sum()
}

/// How many pairs of shared items are together in gold and in the system as asked.
fn pairs_where(items: &Items, wanted: impl Fn(bool, bool) -> bool) -> f64 {
    let shared: Vec<(u32, u32)> =
        items.iter().filter_map(|&(gold, system)| Some((gold?, system?))).collect();
    let mut pairs = 0.0;
    for (index, one) in shared.iter().enumerate() {
        for other in &shared[..index] {
            pairs += f64::from(u8::from(wanted(one.0 == other.0, one.1 == other.1)));
        }
    }
    pairs
}
