//! From what trials gave to an interval.

use crate::{Tolerance, normal, percentile};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// From one value to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// How an interval is made of what trials gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// What lies between two percentiles.
    #[default]
    Percentile,
    /// The percentiles mirrored at the estimate: how far trials were above it is how far the
    /// truth may be below.
    Basic,
    /// Percentiles moved for bias and skewness (Efron 1987): bias-corrected and accelerated.
    Bca,
}

impl Method {
    /// The interval that covers `level` percent. `left_out` holds the estimates without one
    /// document each; only [`Method::Bca`] looks at it. `None` where it is not defined.
    pub fn interval(
        self,
        estimate: f64,
        values: &mut [f64],
        left_out: &[f64],
        level: f64,
    ) -> Option<Interval> {
        let outside = (100.0 - level) / 2.0;
        match self {
            Method::Percentile => between(values, outside, 100.0 - outside),
            Method::Basic => {
                let Interval { low, high } = between(values, outside, 100.0 - outside)?;
                Some(Interval { low: 2.0 * estimate - high, high: 2.0 * estimate - low })
            }
            Method::Bca => {
                let (low, high) = accelerated(estimate, values, left_out, outside)?;
                between(values, low, high)
            }
        }
    }
}

fn between(values: &mut [f64], low: f64, high: f64) -> Option<Interval> {
    Some(Interval {
        low: percentile::of_unsorted(values, low)?,
        high: percentile::of_unsorted(values, high)?,
    })
}

/// The percents of the percentiles that the bias and the skewness ask for.
fn accelerated(
    estimate: f64,
    values: &[f64],
    left_out: &[f64],
    outside: f64,
) -> Option<(f64, f64)> {
    let (below, equal) = values.iter().fold((0.0, 0.0), |(below, equal), &value| {
        match Tolerance::ROUNDING.compare(value, estimate) {
            Some(Ordering::Less) => (below + 1.0, equal),
            Some(Ordering::Equal) => (below, equal + 1.0),
            _ => (below, equal),
        }
    });
    // Scores are fractions with small denominators and often meet the estimate: half of these
    // count as below.
    let share = (below + equal / 2.0) / values.len() as f64;
    // All trials on one side: the correction for bias would be infinite.
    if share <= 0.0 || share >= 1.0 {
        return None;
    }
    let bias = normal::quantile(share);
    let mean = left_out.iter().sum::<f64>() / left_out.len().max(1) as f64;
    let moment = |power: i32| left_out.iter().map(|value| (mean - value).powi(power)).sum::<f64>();
    let spread = moment(2);
    let acceleration = if spread > 0.0 { moment(3) / (6.0 * spread.powf(1.5)) } else { 0.0 };
    let percent = |outside: f64| {
        let z = bias + normal::quantile(outside / 100.0);
        100.0 * normal::above(-(bias + z / (1.0 - acceleration * z)))
    };
    Some((percent(outside), percent(100.0 - outside)))
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Method::Percentile => "percentile",
            Method::Basic => "basic",
            Method::Bca => "bca",
        })
    }
}

/// A name that no method has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no interval: expected percentile, basic or bca")]
pub struct MethodError(String);

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(name: &str) -> Result<Method, MethodError> {
        let all = [Method::Percentile, Method::Basic, Method::Bca];
        let known = all.into_iter().find(|method| method.to_string() == name);
        known.ok_or_else(|| MethodError(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bootstrap, Counts, Sampling};

    /// scipy 1.17.1: bootstrap((right, all), ratio of sums, paired=True, n_resamples=0,
    /// bootstrap_result=values), so that both see the same trials. Its percentiles interpolate
    /// between other ranks, which among 20 001 values makes less than 1e-5.
    #[track_caller]
    fn expect(method: Method, low: f64, high: f64) {
        let row = |at: u32| [f64::from(at * at % 7), f64::from(7 + at % 4)];
        let counts = Counts::new(2, (0..30).flat_map(row).collect());
        let ratio = |sums: &[f64]| Some(sums[0] / sums[1]);
        let value = |at: u32| 0.1 + 0.25 * (f64::from(at) / 20_000.0).powf(1.5);
        let mut values: Vec<f64> = (0..=20_000).map(value).collect();
        let bootstrap = Bootstrap { method, ..Bootstrap::default() };
        let found = bootstrap.interval(&counts, &Sampling::Documents, &ratio, &mut values);
        let found = found.expect("defined");
        assert!((found.low - low).abs() < 2e-5 && (found.high - high).abs() < 2e-5, "{found:?}");
    }

    #[test]
    fn intervals_are_those_of_scipy() {
        expect(Method::Percentile, 0.100_988, 0.340_684);
        expect(Method::Basic, 0.109_909, 0.349_605);
        expect(Method::Bca, 0.108_356, 0.348_673);
    }

    #[test]
    fn names_are_read_back() {
        for method in [Method::Percentile, Method::Basic, Method::Bca] {
            assert_eq!(method.to_string().parse(), Ok(method));
        }
        assert!("median".parse::<Method>().is_err());
    }
}
