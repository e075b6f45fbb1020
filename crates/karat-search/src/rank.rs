//! The order in which the entries of an index lie.

/// One point of a score. Scores are whole numbers of its parts, so that adding them never rounds, and
/// the order of entries is the order of their scores whatever is asked.
pub(crate) const POINT: i64 = 1 << 20;
/// More points than any weight is worth.
const MOST: i64 = 45;
/// Longer texts count as texts of so many words.
const LONGEST: usize = 2_000;

/// What an entry is worth before anything is asked, and where it comes among its equals; smaller
/// is better. An entry is worth the logarithm of its weight, and each of its words takes a point away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Rank(pub(crate) u64);

impl Rank {
    /// Equals come in their order, of which 32 bits count: an index has no room for more entries.
    pub(crate) fn new(weight: u64, words: usize, order: u64) -> Rank {
        let known = (weight.saturating_add(1) as f64).ln() * POINT as f64;
        let standing = known.round() as i64 - words.min(LONGEST) as i64 * POINT;
        let below = (MOST * POINT).abs_diff(standing);
        Rank(below << 32 | order.min(u64::from(u32::MAX)))
    }

    /// What the entry is worth.
    pub(crate) fn standing(self) -> i64 {
        MOST * POINT - (self.0 >> 32) as i64
    }

    /// Where it comes among its equals.
    pub(crate) fn order(self) -> u64 {
        self.0 & u64::from(u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_known_and_shorter_texts_come_first_and_equals_in_their_order() {
        let ordered = [
            Rank::new(u64::MAX, 0, 9),
            Rank::new(1_000_000, 1, 9),
            Rank::new(999_999, 1, 8),
            Rank::new(0, 0, 7),
            Rank::new(6, 2, 0),
            Rank::new(0, 1, 1),
            Rank::new(0, 1, 2),
            Rank::new(0, 2, 0),
            Rank::new(0, usize::MAX, 0),
            Rank::new(0, usize::MAX, u64::MAX),
        ];
        assert!(ordered.is_sorted(), "{ordered:?}");
        let one = Rank::new(0, 3, 5);
        assert_eq!((one.standing(), one.order()), (-3 * POINT, 5));
    }
}
