//! What a test set can show.

use crate::normal;

/// What is asked of a two-sided test.
///
/// ```
/// use karat_stats::Power;
///
/// // A difference whose standard error is one point must be about three points to be found.
/// let smallest = Power::default().detectable(0.01).expect("detectable");
/// assert!((smallest - 0.028).abs() < 0.0005);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// How often it may see a difference where there is none.
    pub alpha: f64,
    /// How often it is to see a difference that is there.
    pub power: f64,
}

impl Default for Power {
    fn default() -> Power {
        Power { alpha: 0.05, power: 0.8 }
    }
}

impl Power {
    /// The smallest difference that is detected when its standard error is known,
    /// `(z_α + z_β)` standard errors.
    pub fn detectable(&self, standard_error: f64) -> Option<f64> {
        let (alpha, power) = self.quantiles();
        finite((alpha + power) * standard_error).filter(|&difference| difference >= 0.0)
    }

    /// How many units (documents, mentions) would make a difference detectable, when
    /// so many were seen to give this standard error: it shrinks with their root.
    pub fn units(&self, seen: f64, standard_error: f64, difference: f64) -> Option<f64> {
        let detectable = self.detectable(standard_error)?;
        finite(seen * (detectable / difference).powi(2))
    }

    /// The normal quantiles of the test and of the power.
    fn quantiles(&self) -> (f64, f64) {
        (normal::critical(self.alpha), normal::quantile(self.power))
    }
}

/// The power of a one-sided test of a difference in the expected direction that is normal with this
/// standard error: `Φ(D / s - z_α)`.
pub fn power_one_sided(difference: f64, standard_error: f64, alpha: f64) -> Option<f64> {
    let critical = -normal::quantile(alpha);
    (standard_error > 0.0)
        .then(|| normal::above(critical - difference / standard_error))
        .filter(|power| power.is_finite())
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;

    #[test]
    fn what_can_be_found_when_the_standard_error_is_known() {
        // scipy 1.17.1, (norm.ppf(0.975) + norm.ppf(0.8)) * 0.008.
        let smallest = Power::default().detectable(0.008).expect("defined");
        assert_near(smallest, 0.022412681744903747, 1e-14);
        let half = Power::default().units(231.0, 0.008, smallest / 2.0);
        assert_near(half.expect("defined"), 4.0 * 231.0, 1e-12);
        assert_eq!(Power::default().units(231.0, 0.008, 0.0), None);
        assert_eq!(Power { alpha: -1.0, power: 0.8 }.detectable(0.008), None);
    }

    #[test]
    fn power_in_the_expected_direction() {
        // CPython 3, 0.5 * math.erfc((z - difference / 0.008) / math.sqrt(2)) with z = 1.6448536269514722.
        for (difference, alpha, expected) in [
            (0.02, 0.05, 0.8037649400154939),
            (0.0, 0.05, 0.05),
            (-0.02, 0.05, 1.7001542031682903e-5),
        ] {
            let found = power_one_sided(difference, 0.008, alpha).expect("defined");
            assert!((found - expected).abs() < 1e-12, "{found}");
        }
        assert_eq!(power_one_sided(0.1, 0.0, 0.05), None);
        // Both halves of a two-sided level.
        let wanted = Power { alpha: 0.1, power: 0.8 };
        let units = wanted.units(100.0, 0.008, 0.01).expect("defined");
        let then = power_one_sided(0.01, 0.008 * (100.0 / units).sqrt(), 0.05);
        assert_near(then.expect("defined"), 0.8, 1e-12);
    }
}
