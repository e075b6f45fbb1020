//! The binomial distribution with all its digits. statrs goes through its incomplete
//! beta function, of which ten digits are right at a million trials and eight at a
//! hundred million.

use crate::{Interval, normal};
use std::f64::consts::PI;

/// Beyond this many trials, which no corpus has, the sums would take long and the
/// normal distribution must do.
const MANY: f64 = 1e11;

/// The probability of a success and that of a failure. Both are kept, for the small
/// one has digits that the other has not.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chance {
    success: f64,
    failure: f64,
}

impl Chance {
    /// The toss of a coin.
    pub(crate) const EVEN: Chance = Chance { success: 0.5, failure: 0.5 };

    fn of_success(p: f64) -> Chance {
        Chance { success: p, failure: 1.0 - p }
    }

    fn turned(self) -> Chance {
        Chance { success: self.failure, failure: self.success }
    }
}

/// The probability of exactly `successes` in `trials`, by Loader's saddle-point
/// expansion (2000), which does not lose digits when the numbers are large.
pub(crate) fn density(successes: f64, trials: f64, chance: Chance) -> f64 {
    let failures = trials - successes;
    if successes == 0.0 {
        return libm::exp(trials * logarithm(chance.failure, chance.success));
    }
    if failures == 0.0 {
        return libm::exp(trials * logarithm(chance.success, chance.failure));
    }
    let exponent = stirling_error(trials)
        - stirling_error(successes)
        - stirling_error(failures)
        - deviance(successes, trials * chance.success)
        - deviance(failures, trials * chance.failure);
    libm::exp(exponent) * (trials / (2.0 * PI * successes * failures)).sqrt()
}

/// The probability of at most `successes` in `trials`.
pub(crate) fn at_most(successes: f64, trials: f64, chance: Chance) -> f64 {
    let mean = trials * chance.success;
    if successes >= trials {
        1.0
    } else if trials > MANY {
        normal::above((mean - successes - 0.5) / (mean * chance.failure).sqrt())
    } else if successes > mean {
        1.0 - tail(trials - successes - 1.0, trials, chance.turned())
    } else {
        tail(successes, trials, chance)
    }
}

/// The exact interval of a probability (Clopper and Pearson 1934): those that the
/// two one-sided tests do not reject at half of what is outside `level` percent.
/// Everything from 0 to 1 without trials.
pub fn clopper_pearson(successes: u64, failures: u64, level: f64) -> Interval {
    Interval {
        low: lowest(successes, failures, level),
        high: 1.0 - lowest(failures, successes, level),
    }
}

/// The lower end of the exact interval.
pub(crate) fn lowest(successes: u64, failures: u64, level: f64) -> f64 {
    if successes == 0 {
        return 0.0;
    }
    let rare = (1.0 - level / 100.0) / 2.0;
    let (trials, failures) = (successes as f64 + failures as f64, failures as f64);
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        // At least so many successes are at most the other failures.
        let at_least = at_most(failures, trials, Chance::of_success(middle).turned());
        if at_least < rare { low = middle } else { high = middle }
    }
}

/// The sum of the densities from `successes` down, where they fall.
fn tail(successes: f64, trials: f64, chance: Chance) -> f64 {
    let odds = chance.failure / chance.success;
    let (mut term, mut sum, mut at) = (1.0, 1.0, successes);
    while at > 0.0 && term > sum * f64::EPSILON / 16.0 {
        term *= at * odds / (trials - at + 1.0);
        sum += term;
        at -= 1.0;
    }
    (density(successes, trials, chance) * sum).min(1.0)
}

/// The logarithm of a probability, from whichever of it and the rest is small.
fn logarithm(p: f64, rest: f64) -> f64 {
    if p < 0.5 { libm::log(p) } else { libm::log1p(-rest) }
}

/// The logarithm of `n!` less that of Stirling's formula.
fn stirling_error(n: f64) -> f64 {
    if n < 16.0 {
        return libm::lgamma(n + 1.0) - (n + 0.5) * libm::log(n) + n - 0.5 * libm::log(2.0 * PI);
    }
    let square = n * n;
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
        for (successes, trials, p, expected, tolerance) in [
            (0.0, 1.0, 0.5, 0.5, 1e-15),
            (2.0, 5.0, 0.5, 0.5, 1e-14),
            (5.0, 20.0, 0.5, 0.020694732666015625, 1e-13),
            (5.0, 20.0, 0.03, 0.9999803526143667, 1e-13),
            (19.0, 20.0, 0.9, 0.8784233454094307, 1e-13),
            (480.0, 1000.0, 0.5, 0.10872414660207047, 1e-13),
            (300.0, 1000.0, 0.5, 8.832839003975068e-38, 1e-12),
            (49_800.0, 100_000.0, 0.5, 0.10351948588211242, 1e-12),
            (510.0, 100_000.0, 0.005, 0.6831411853439693, 1e-12),
            (499_000.0, 1_000_000.0, 0.5, 0.0228041499326948, 1e-10),
        ] {
            assert_ratio_near(
                at_most(successes, trials, Chance::of_success(p)),
                expected,
                tolerance,
            );
        }
    }

    #[test]
    fn exact_intervals_have_all_their_digits() {
        // scipy 1.17.1, binomtest(k, n).proportion_ci(0.95, "exact"); where that is
        // right to fewer digits, roots of the incomplete beta function of mpmath 1.3.
        for (successes, failures, low, high) in [
            (0, 10, 0.0, 0.30849710781876294),
            (10, 0, 0.6915028921812371, 1.0),
            (3, 7, 0.06673951117773447, 0.6524528500599973),
            (15, 5, 0.5089541282920425, 0.9134285308985655),
            (480, 520, 0.4486329426945337, 0.5114851175478413),
            (1, 100_000, 2.531755160384915e-7, 5.571460321444594e-05),
            (60_000, 40_000, 0.5969557723413762, 0.6030384264896744),
        ] {
            let interval = clopper_pearson(successes, failures, 95.0);
            assert_ratio_near(interval.low, low, 1e-11);
            assert_ratio_near(interval.high, high, 1e-11);
        }
        assert_eq!(clopper_pearson(0, 0, 95.0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn more_trials_than_can_be_summed_are_normal() {
        let many = 4.0 * MANY;
        assert_near(at_most(many / 2.0, many, Chance::EVEN), 0.5, 1e-6);
        let interval = clopper_pearson(u64::MAX, u64::MAX, 95.0);
        assert!(interval.low < 0.5 && 0.5 < interval.high, "{interval:?}");
    }

    proptest! {
        #[test]
        fn densities_sum_to_one(trials in 0_u32..200, p in 0.001..0.999) {
            let (trials, chance) = (f64::from(trials), Chance::of_success(p));
            let sum: f64 = (0..=trials as u32).map(|at| density(f64::from(at), trials, chance)).sum();
            prop_assert!((sum - 1.0).abs() < 1e-12, "{sum}");
            prop_assert_eq!(at_most(trials, trials, chance), 1.0);
        }
    }
}
