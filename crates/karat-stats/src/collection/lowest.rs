//! Sampling from a stream: what has the lowest random keys stays.
//!
//! The key of an item depends on the seed and the item alone, so the sample depends neither on the
//! order of the stream nor on how it is cut into parts, and there is room for no more than the sample.

use crate::Random;
use std::collections::BTreeMap;

/// The items of a stream with the lowest keys.
#[derive(Debug, Clone)]
pub struct Lowest<T> {
    size: usize,
    /// By key, then by item; one more than asked for, whose key is the threshold.
    kept: BTreeMap<(u64, u64), T>,
}

/// A sample of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct DrawnSample<T> {
    /// The items in the order in which they were drawn: the first of them are a sample as well.
    pub items: Vec<T>,
    /// The lowest key that did not get in; `None` if everything did.
    pub threshold: Option<f64>,
}

/// The key of an item when all items are drawn alike: a number from 0 to 1.
pub fn uniform_key(seed: u64, item: u64) -> f64 {
    Random::new(seed, item).unit()
}

/// The key of an item that is drawn in proportion to a weight. The items with the lowest keys are
/// those that drawing one after the other, without those already drawn, would give.
pub fn weighted_key(seed: u64, item: u64, weight: f64) -> f64 {
    -libm::log1p(-uniform_key(seed, item)) / weight
}

/// The chance that an item with this weight has a key below a threshold, for [`weighted_key`].
pub fn weighted_chance(threshold: f64, weight: f64) -> f64 {
    -libm::expm1(-threshold * weight)
}

impl<T> Lowest<T> {
    /// Room for so many items.
    pub fn new(size: usize) -> Lowest<T> {
        Lowest { size, kept: BTreeMap::new() }
    }

    /// The place of an item with this key, which is not negative; `None` if its key is too high.
    /// What has no place once will have none later.
    pub fn place(&mut self, key: f64, item: u64, make: impl FnOnce() -> T) -> Option<&mut T> {
        // The bits of a float that is not negative sort like the float itself, which has no total
        // order.
        let key = (key.to_bits(), item);
        let full = self.kept.len() > self.size;
        let highest = self.kept.last_key_value().map(|(&key, _)| key);
        if full && highest.is_some_and(|highest| key > highest) {
            return None;
        }
        self.kept.entry(key).or_insert_with(make);
        if self.kept.len() > self.size.saturating_add(1) {
            self.kept.pop_last();
        }
        self.kept.get_mut(&key)
    }

    /// The sample.
    pub fn finish(mut self) -> DrawnSample<T> {
        let left_out = if self.kept.len() > self.size { self.kept.pop_last() } else { None };
        DrawnSample {
            threshold: left_out.map(|((key, _), _)| f64::from_bits(key)),
            items: self.kept.into_values().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(items: impl Iterator<Item = u64>, size: usize, seed: u64) -> DrawnSample<u64> {
        let mut lowest = Lowest::new(size);
        items.for_each(|item| {
            lowest.place(uniform_key(seed, item), item, || item);
        });
        lowest.finish()
    }

    #[test]
    fn the_order_of_the_stream_does_not_matter_and_repeats_neither() {
        let found = sample(0..1000, 10, 1);
        assert_eq!(found.items.len(), 10);
        assert_eq!(sample((0..1000).rev(), 10, 1), found);
        assert_eq!(sample((0..1000).chain(0..1000), 10, 1), found);
        assert_ne!(sample(0..1000, 10, 2), found);
        // The first of a sample are the smaller sample.
        assert_eq!(sample(0..1000, 4, 1).items, found.items[..4]);
    }

    #[test]
    fn a_small_stream_is_taken_whole() {
        let DrawnSample { items, threshold } = sample(0..3, 10, 1);
        assert_eq!((items.len(), threshold), (3, None));
        assert_eq!(sample(0..0, 5, 1).items, []);
        assert_eq!(sample(0..9, 0, 1).items, []);
    }

    #[test]
    fn items_are_drawn_by_weight_and_their_chances_add_up() {
        // Successive draws of 2 of 3 items with weights 1, 2, 3. By hand, the chance that an item
        // is among them: 1/6 + 2/6 * 1/4 + 3/6 * 1/3 = 0.416667; 0.733333 for the second; 0.85 for the third.
        let trials = 20_000;
        let mut seen = [0.0; 3];
        let mut estimate = 0.0;
        for seed in 0..trials {
            let mut lowest = Lowest::new(2);
            for item in 0..3u64 {
                lowest.place(weighted_key(seed, item, (item + 1) as f64), item, || item);
            }
            let DrawnSample { items, threshold } = lowest.finish();
            for item in items {
                seen[item as usize] += 1.0 / trials as f64;
                // Each item counts one over its chance: the mean is how many there are.
                let chance =
                    weighted_chance(threshold.expect("one is left out"), (item + 1) as f64);
                estimate += 1.0 / chance / trials as f64;
            }
        }
        for (seen, expected) in seen.into_iter().zip([0.416_667, 0.733_333, 0.85]) {
            // Four standard errors at most.
            assert!((seen - expected).abs() < 0.015, "{seen} {expected}");
        }
        assert!((estimate - 3.0).abs() < 0.1, "{estimate}");
    }

    #[test]
    fn items_drawn_alike_come_equally_often() {
        let mut seen = [0u32; 5];
        for seed in 0..20_000 {
            for item in sample(0..5, 2, seed).items {
                seen[item as usize] += 1;
            }
        }
        // Expected 8000 each; the standard error is 69.
        assert!(seen.iter().all(|&count| count.abs_diff(8000) < 300), "{seen:?}");
    }
}
