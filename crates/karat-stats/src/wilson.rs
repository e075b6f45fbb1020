//! The interval of a share.

use crate::{Interval, normal};

/// Wilson's interval (1927) of a share of which `successes` of `trials` were seen, at a level in percent. It holds for
/// few trials and for shares near 0 and 1, where the textbook interval does not; trials need not be whole
/// numbers. `None` without trials.
///
/// ```
/// // Newcombe 1998, method 3: 81 of 263 is .2553 to .3662.
/// let interval = karat_stats::wilson(81.0, 263.0, 95.0).expect("some trials");
/// assert!((interval.low - 0.2553).abs() < 5e-5 && (interval.high - 0.3662).abs() < 5e-5);
/// ```
pub fn wilson(successes: f64, trials: f64, level: f64) -> Option<Interval> {
    if trials.is_nan() || trials <= 0.0 {
        return None;
    }
    let z = normal::critical(1.0 - level / 100.0);
    let square = z * z;
    let middle = successes + square / 2.0;
    let half = z * (successes * (trials - successes) / trials + square / 4.0).max(0.0).sqrt();
    let end = |at: f64| (at / (trials + square)).clamp(0.0, 1.0);
    Some(Interval { low: end(middle - half), high: end(middle + half) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    #[test]
    fn the_examples_of_newcombe() {
        // Newcombe 1998, Statistics in Medicine 17, Table I, method 3, with the digits of scipy 1.12.
        for (x, n, low, high) in [
            (81.0, 263.0, 0.255_288_519_878, 0.366_209_576_983),
            (15.0, 148.0, 0.062_386_399_531, 0.160_487_241_723),
            (0.0, 20.0, 0.0, 0.161_125_158_053),
            (1.0, 29.0, 0.006_113_214_293, 0.171_755_218_793),
            (3.0, 3.0, 0.438_502_968_245, 1.0),
        ] {
            let found = wilson(x, n, 95.0).expect("some trials");
            assert_near(found.low, low, 1e-9);
            assert_near(found.high, high, 1e-9);
        }
        assert_eq!(wilson(0.0, 0.0, 95.0), None);
    }
}
