//! How far two series agree: the three coefficients of neleval's `compare-measures`.
//!
//! All are `None` where they are undefined: series of different lengths, fewer than
//! two pairs, a series without variation, or values that are not finite.

use crate::{Tolerance, mid_ranks};

/// Pearson's coefficient: the covariance over the product of the deviations.
pub fn pearson(first: &[f64], second: &[f64]) -> Option<f64> {
    check(first, second)?;
    let (first, second) = (deviations(first)?, deviations(second)?);
    let dot = |left: &[f64], right: &[f64]| -> f64 {
        left.iter().zip(right).map(|(left, right)| left * right).sum()
    };
    let scale = dot(&first, &first).sqrt() * dot(&second, &second).sqrt();
    Some((dot(&first, &second) / scale).clamp(-1.0, 1.0))
}

/// Spearman's coefficient: Pearson's, of mid-ranks.
pub fn spearman(first: &[f64], second: &[f64]) -> Option<f64> {
    check(first, second)?;
    let ranks = |values: &[f64]| mid_ranks(&Tolerance::ROUNDING.levelled(values));
    pearson(&ranks(first), &ranks(second))
}

/// Kendall's tau-b: of all pairs of places, those in the same order less those in
/// opposite order, over the geometric mean of the numbers of pairs untied in either
/// series. In time `n log n`, by counting the exchanges of a merge sort (Knight 1966).
pub fn kendall(first: &[f64], second: &[f64]) -> Option<f64> {
    check(first, second)?;
    let [first, second] = [first, second].map(|values| Tolerance::ROUNDING.levelled(values));
    let mut pairs: Vec<(f64, f64)> =
        first.iter().zip(&second).map(|(first, second)| (first + 0.0, second + 0.0)).collect();
    pairs.sort_unstable_by(|left, right| {
        left.0.total_cmp(&right.0).then(left.1.total_cmp(&right.1))
    });
    let tied_in_first = tied_pairs(&pairs, |left, right| left.0 == right.0);
    let tied_in_both = tied_pairs(&pairs, |left, right| left == right);
    let mut second: Vec<f64> = pairs.into_iter().map(|(_, second)| second).collect();
    let exchanges = sort_counting_exchanges(&mut second);
    let tied_in_second = tied_pairs(&second, |left, right| left == right);

    let all = choose_two(second.len());
    let untied = (all - tied_in_first, all - tied_in_second);
    if untied.0 == 0 || untied.1 == 0 {
        return None;
    }
    let in_order = all - tied_in_first - tied_in_second + tied_in_both - exchanges;
    let balance = in_order as f64 - exchanges as f64;
    let tau = balance / (untied.0 as f64).sqrt() / (untied.1 as f64).sqrt();
    Some(tau.clamp(-1.0, 1.0))
}

fn check(first: &[f64], second: &[f64]) -> Option<()> {
    let finite = first.iter().chain(second).all(|value| value.is_finite());
    (first.len() == second.len() && first.len() > 1 && finite).then_some(())
}

/// Differences from the mean, in units of the largest value and then of the largest
/// difference, so that neither sums nor squares overflow. `None` without variation.
fn deviations(values: &[f64]) -> Option<Vec<f64>> {
    let constant = values.iter().all(|value| Some(value) == values.first());
    let largest = |values: &[f64]| values.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
    let unit = largest(values);
    if constant || unit == 0.0 {
        return None;
    }
    let mean = values.iter().map(|value| value / unit).sum::<f64>() / values.len() as f64;
    let mut deviations: Vec<f64> = values.iter().map(|value| value / unit - mean).collect();
    let unit = largest(&deviations);
    deviations.iter_mut().for_each(|deviation| *deviation /= unit);
    (unit > 0.0).then_some(deviations)
}

fn choose_two(count: usize) -> u64 {
    let count = count as u64;
    count * count.saturating_sub(1) / 2
}

/// Pairs within the runs of a sorted slice.
fn tied_pairs<T>(sorted: &[T], same: impl Fn(&T, &T) -> bool) -> u64 {
    sorted.chunk_by(same).map(|run| choose_two(run.len())).sum()
}

/// Sorts by merging and says how many pairs stood in opposite order.
fn sort_counting_exchanges(values: &mut [f64]) -> u64 {
    if values.len() < 2 {
        return 0;
    }
    let (left, right) = values.split_at_mut(values.len() / 2);
    let mut exchanges = sort_counting_exchanges(left) + sort_counting_exchanges(right);
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut left, mut right) = (&*left, &*right);
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        if second < first {
            exchanges += left.len() as u64;
            merged.push(*second);
            right = right_rest;
        } else {
            merged.push(*first);
            left = left_rest;
        }
    }
    merged.extend_from_slice(left);
    merged.extend_from_slice(right);
    values.copy_from_slice(&merged);
    exchanges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    #[test]
    fn coefficients_are_those_of_scipy() {
        // scipy 1.17.1, pearsonr, spearmanr, kendalltau.
        let first = [0.52, 0.61, 0.61, 0.7, 0.33, 0.45, 0.45, 0.45, 0.81, 0.12];
        let second = [0.5, 0.63, 0.6, 0.6, 0.41, 0.41, 0.52, 0.41, 0.77, 0.2];
        let turned = second.map(|value| -value);
        for (coefficient, expected) in [
            (pearson as fn(&[f64], &[f64]) -> Option<f64>, 0.9617467056974702),
            (spearman, 0.921875),
            (kendall, 0.8292682926829268),
        ] {
            assert_near(coefficient(&first, &second).expect("defined"), expected, 1e-14);
            assert_near(coefficient(&first, &turned).expect("defined"), -expected, 1e-14);
        }
    }

    #[test]
    fn what_has_no_correlation() {
        for coefficient in [pearson, spearman, kendall] {
            assert_eq!(coefficient(&[], &[]), None);
            assert_eq!(coefficient(&[1.0], &[1.0]), None);
            assert_eq!(coefficient(&[1.0, 2.0], &[1.0]), None);
            assert_eq!(coefficient(&[1.0, 2.0], &[3.0, 3.0]), None);
            assert_eq!(coefficient(&[0.0, -0.0], &[1.0, 2.0]), None);
            assert_eq!(coefficient(&[1.0, f64::NAN], &[1.0, 2.0]), None);
            let largest = [f64::MAX, -f64::MAX, 0.0];
            assert_near(coefficient(&largest, &largest).expect("defined"), 1.0, 1e-15);
        }
    }

    proptest! {
        #[test]
        fn kendall_counts_all_pairs(
            pairs in prop::collection::vec((-4_i8..5, -4_i8..5), 2..40),
        ) {
            let (first, second): (Vec<f64>, Vec<f64>) =
                pairs.iter().map(|&(first, second)| (f64::from(first), f64::from(second))).unzip();
            let (mut balance, mut untied) = (0, (0, 0));
            for (at, left) in pairs.iter().enumerate() {
                for right in &pairs[at + 1..] {
                    let (one, two) = (left.0.cmp(&right.0) as i32, left.1.cmp(&right.1) as i32);
                    balance += one * two;
                    untied = (untied.0 + one.abs(), untied.1 + two.abs());
                }
            }
            let product = f64::from(untied.0) * f64::from(untied.1);
            let expected = (product > 0.0).then(|| f64::from(balance) / product.sqrt());
            match (kendall(&first, &second), expected) {
                (Some(found), Some(expected)) => prop_assert!((found - expected).abs() < 1e-12),
                (found, expected) => prop_assert_eq!(found, expected),
            }
        }
    }
}
