//! Ranks of values.

use std::cmp::Ordering;

/// Standard competition ranking, the largest value first: equal values share the
/// lowest of their ranks, and the next rank is skipped (1, 2, 2, 4). This is how
/// neleval's `rank-systems` counts. What is not a number comes last.
pub fn competition_ranks(values: &[f64]) -> Vec<usize> {
    let order = sorted_indices(values, |a, b| b.total_cmp(&a));
    let mut ranks = vec![0; values.len()];
    for (first, tied) in runs_of_equals(values, &order) {
        for &index in tied {
            ranks[index] = first + 1;
        }
    }
    ranks
}

/// Ranks from the smallest value to the largest, where equal values share the
/// mean of their ranks (1, 2.5, 2.5, 4), as `scipy.stats.rankdata`. What is not a
/// number comes last. Twice a rank is a whole number.
pub fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let order = sorted_indices(values, |a, b| a.total_cmp(&b));
    let mut ranks = vec![0.0; values.len()];
    for (first, tied) in runs_of_equals(values, &order) {
        for &index in tied {
            ranks[index] = (2 * first + 1 + tied.len()) as f64 / 2.0;
        }
    }
    ranks
}

/// The places of the values in order, with the two zeros as one and everything
/// that is not a number at the end.
fn sorted_indices(values: &[f64], compare: impl Fn(f64, f64) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&left, &right| {
        let (left, right) = (values[left], values[right]);
        // Adding 0 turns -0 into 0, which `total_cmp` would tell apart.
        let numbers = || compare(left + 0.0, right + 0.0);
        left.is_nan().cmp(&right.is_nan()).then_with(numbers)
    });
    order
}

/// Neighbours in the order with equal values, each run with its place.
fn runs_of_equals<'o>(
    values: &'o [f64],
    order: &'o [usize],
) -> impl Iterator<Item = (usize, &'o [usize])> {
    let same = |&left: &usize, &right: &usize| {
        let (left, right) = (values[left], values[right]);
        left == right || left.is_nan() && right.is_nan()
    };
    order.chunk_by(same).scan(0, |place, tied| {
        let first = *place;
        *place += tied.len();
        Some((first, tied))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_values_share_a_rank() {
        let values = [0.7, 0.9, 0.7, 0.1, 0.7];
        assert_eq!(competition_ranks(&values), [2, 1, 2, 5, 2]);
        // scipy 1.17.1, rankdata(values).
        assert_eq!(mid_ranks(&values), [3.0, 5.0, 3.0, 1.0, 3.0]);
        assert_eq!(mid_ranks(&[-0.0, 0.0]), [1.5, 1.5]);
        assert!(competition_ranks(&[]).is_empty() && mid_ranks(&[]).is_empty());
    }

    #[test]
    fn what_is_not_a_number_comes_last() {
        let values = [f64::NAN, f64::NEG_INFINITY, 1.0, -f64::NAN];
        assert_eq!(competition_ranks(&values), [3, 2, 1, 3]);
        assert_eq!(mid_ranks(&values), [3.5, 1.0, 2.0, 3.5]);
    }

    proptest! {
        #[test]
        fn ranks_count_the_values_before(values in prop::collection::vec(-4_i8..5, 0..40)) {
            let values: Vec<f64> = values.into_iter().map(f64::from).collect();
            let count = |test: &dyn Fn(f64) -> bool| values.iter().filter(|&&other| test(other)).count();
            let ranks = competition_ranks(&values).into_iter().zip(mid_ranks(&values));
            for ((rank, middle), &value) in ranks.zip(&values) {
                prop_assert_eq!(rank, count(&|other| other > value) + 1);
                let (below, same) = (count(&|other| other < value), count(&|other| other == value));
                prop_assert_eq!(middle, below as f64 + (same + 1) as f64 / 2.0);
            }
        }
    }
}
