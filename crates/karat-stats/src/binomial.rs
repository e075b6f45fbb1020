//! Tosses of a fair coin: the binomial distribution with all its digits. statrs goes through its incomplete
//! beta function, of which ten digits are right at a million trials and eight at a
//! hundred million.

use crate::normal;
use std::f64::consts::PI;

/// Beyond this many tosses, which no corpus has, the sums would take long and the
/// normal distribution must do.
const MANY: f64 = 1e11;

/// The probability of exactly `heads` in `tosses`, by Loader's saddle-point
/// expansion (2000), which does not lose digits when the numbers are large.
pub(crate) fn density(heads: f64, tosses: f64) -> f64 {
    let tails = tosses - heads;
    if heads == 0.0 || tails == 0.0 {
        return libm::exp(tosses * libm::log1p(-0.5));
    }
    let exponent = stirling_error(tosses)
        - stirling_error(heads)
        - stirling_error(tails)
        - deviance(heads, tosses / 2.0)
        - deviance(tails, tosses / 2.0);
    libm::exp(exponent) * (tosses / (2.0 * PI * heads * tails)).sqrt()
}

/// The probability of at most `heads` in `tosses`.
pub(crate) fn at_most(heads: f64, tosses: f64) -> f64 {
    let mean = tosses / 2.0;
    if heads >= tosses {
        1.0
    } else if tosses > MANY {
        normal::above((mean - heads - 0.5) / (mean / 2.0).sqrt())
    } else if heads > mean {
        1.0 - lower_tail(tosses - heads - 1.0, tosses)
    } else {
        lower_tail(heads, tosses)
    }
}

/// The sum of the densities from `heads` down, where they fall.
fn lower_tail(heads: f64, tosses: f64) -> f64 {
    let (mut term, mut sum, mut at) = (1.0, 1.0, heads);
    // Terms fall geometrically from here on: a sixteenth of the last digit is where they stop
    // mattering.
    while at > 0.0 && term > sum * f64::EPSILON / 16.0 {
        term *= at / (tosses - at + 1.0);
        sum += term;
        at -= 1.0;
    }
    (density(heads, tosses) * sum).min(1.0)
}

/// The logarithm of `n!` less that of Stirling's formula.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * libm::log(2.0 * PI);
    }
    let square = n * n;
    // Stirling's series. Six terms are exact to the last digit from 16 on.
    let series =
        [1.0 / 12.0, 1.0 / 360.0, 1.0 / 1260.0, 1.0 / 1680.0, 1.0 / 1188.0, 691.0 / 360_360.0];
    series.iter().rev().fold(0.0, |sum, coefficient| coefficient - sum / square) / n
}

/// `x ln(x / mean) + mean - x`, without cancellation where the two are near.
fn deviance(x: f64, mean: f64) -> f64 {
    let difference = x - mean;
    if difference.abs() > 0.1 * (x + mean) {
        return x * libm::log(x / mean) - difference;
    }
    let ratio = difference / (x + mean);
    let (mut sum, mut power) = (difference * ratio, 2.0 * x * ratio);
    // The ratio is at most a tenth: this is more than enough.
    for odd in (3..64).step_by(2) {
        power *= ratio * ratio;
        let next = sum + power / f64::from(odd);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{assert_near, assert_ratio_near};
    use proptest::prelude::*;

    #[test]
    fn tails_have_all_their_digits() {
        // Sums of the densities with 40 digits, mpmath 1.3; the last by scipy 1.17.1,
        // scipy.stats.binom.cdf.
        for (heads, tosses, expected, tolerance) in [
            (0.0, 1.0, 0.5, 1e-15),
            (2.0, 5.0, 0.5, 1e-14),
            (5.0, 20.0, 0.020694732666015625, 1e-13),
            (480.0, 1000.0, 0.10872414660207047, 1e-13),
            (300.0, 1000.0, 8.832839003975068e-38, 1e-12),
            (49_800.0, 100_000.0, 0.10351948588211242, 1e-12),
            (499_000.0, 1_000_000.0, 0.0228041499326948, 1e-10),
        ] {
            assert_ratio_near(at_most(heads, tosses), expected, tolerance);
        }
    }

    #[test]
    fn more_tosses_than_can_be_summed_are_normal() {
        let many = 4.0 * MANY;
        assert_near(at_most(many / 2.0, many), 0.5, 1e-6);
    }

    proptest! {
        #[test]
        fn densities_sum_to_one(tosses in 0_u32..200) {
            let sum: f64 = (0..=tosses).map(|at| density(f64::from(at), f64::from(tosses))).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            prop_assert_eq!(at_most(f64::from(tosses), f64::from(tosses)), 1.0);
        }
    }
}
