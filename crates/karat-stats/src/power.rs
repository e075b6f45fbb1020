//! What a test set can show before anything is run on it.

use crate::normal;

/// What is asked of a two-sided test.
///
/// ```
/// use karat_stats::{Pairs, Power};
///
/// // AIDA testb, and systems that disagree on one mention in ten.
/// let pairs = Pairs { discordant: 0.10, design_effect: 1.0 };
/// let smallest = Power::default().detectable_share(4485.0, pairs).expect("detectable");
/// assert!((smallest - 0.013).abs() < 0.0005);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Power {
    /// How often it may see a difference where there is none.
    pub alpha: f64,
    /// How often it is to see a difference that is there.
    pub power: f64,
}

/// How the mentions of two systems hang together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pairs {
    /// The share of mentions on which exactly one of them is right.
    pub discordant: f64,
    /// How many times more mentions are needed because they come in documents; 1 if
    /// they are independent. See [`crate::ClusteredShare`].
    pub design_effect: f64,
}

impl Default for Power {
    fn default() -> Power {
        Power { alpha: 0.05, power: 0.8 }
    }
}

impl Power {
    /// The number of mentions that McNemar's test needs for a difference of
    /// accuracies D when a share d is discordant: `((z_α √d + z_β √(d - D²)) / D)²`
    /// (Connor 1987; Card et al. 2020), times the design effect. `None` if there is
    /// no such number: the difference is 0 or above d.
    pub fn mentions(&self, difference: f64, pairs: Pairs) -> Option<f64> {
        let Pairs { discordant, design_effect } = pairs.check()?;
        let difference = difference.abs();
        if difference > discordant {
            return None;
        }
        let (alpha, power) = self.quantiles();
        let root =
            alpha * discordant.sqrt() + power * (discordant - difference * difference).sqrt();
        finite((root / difference).powi(2) * design_effect)
    }

    /// The smallest difference of accuracies that McNemar's test detects on so many
    /// mentions: [`mentions`](Power::mentions), solved for the difference. `None` if
    /// it were larger than the share of discordant mentions, which it cannot be.
    pub fn detectable_share(&self, mentions: f64, pairs: Pairs) -> Option<f64> {
        let Pairs { discordant, design_effect } = pairs.check()?;
        let (alpha, power) = self.quantiles();
        let mentions = mentions / design_effect;
        let root = (mentions + power * power - alpha * alpha).sqrt();
        let difference = discordant.sqrt() * (mentions.sqrt() * alpha + power * root)
            / (mentions + power * power);
        finite(difference).filter(|&difference| 0.0 < difference && difference <= discordant)
    }

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

impl Pairs {
    fn check(self) -> Option<Pairs> {
        let sound = 0.0 < self.discordant && self.discordant <= 1.0 && self.design_effect > 0.0;
        sound.then_some(self)
    }
}

/// The power of a two-sided test of a difference that is normal with this standard
/// error: `Φ(|D| / s - z_α) + Φ(-|D| / s - z_α)`.
pub fn power_of_difference(difference: f64, standard_error: f64, alpha: f64) -> Option<f64> {
    let critical = normal::critical(alpha);
    let shift = difference.abs() / standard_error;
    (standard_error > 0.0)
        .then(|| normal::above(critical - shift) + normal::above(critical + shift))
        .filter(|power| power.is_finite())
}

/// The power of a one-sided test of a difference in the expected direction that is normal with this
/// standard error: `Φ(D / s - z_α)`.
pub fn power_one_sided(difference: f64, standard_error: f64, alpha: f64) -> Option<f64> {
    let critical = -normal::quantile(alpha);
    (standard_error > 0.0)
        .then(|| normal::above(critical - difference / standard_error))
        .filter(|power| power.is_finite())
}

/// The power of a two-sided test of two shares in samples of their own, of these
/// sizes. The test takes its standard error from both samples together.
pub fn power_of_two_shares(shares: (f64, f64), sizes: (f64, f64), alpha: f64) -> Option<f64> {
    let unit = 0.0..=1.0;
    let sound =
        unit.contains(&shares.0) && unit.contains(&shares.1) && sizes.0 > 0.0 && sizes.1 > 0.0;
    if !sound {
        return None;
    }
    let pooled = (shares.0 * sizes.0 + shares.1 * sizes.1) / (sizes.0 + sizes.1);
    let assumed = (pooled * (1.0 - pooled) * (1.0 / sizes.0 + 1.0 / sizes.1)).sqrt();
    let real =
        (shares.0 * (1.0 - shares.0) / sizes.0 + shares.1 * (1.0 - shares.1) / sizes.1).sqrt();
    let critical = normal::critical(alpha) * assumed;
    let difference = (shares.0 - shares.1).abs();
    let power = normal::above((critical - difference) / real)
        + normal::above((critical + difference) / real);
    finite(power)
}

fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    /// The smallest detectable differences on test sets of the field, in points, for
    /// discordant shares of 0.05, 0.1 and 0.2, and of 0.1 with a design effect of 3.
    /// Where a number is above the share, it is undetectable.
    ///
    /// scipy 1.17.1: brentq of the formula of `Power::mentions` less the mentions.
    const TEST_SETS: [(&str, f64, [f64; 4]); 7] = [
        (
            "KORE50",
            144.0,
            [5.17782155706663, 7.322545469551406, 10.35564311413326, 12.475836715741564],
        ),
        (
            "ACE2004",
            257.0,
            [3.889811104655109, 5.5010236192727255, 7.779622209310218, 9.440761434328926],
        ),
        (
            "MSNBC",
            656.0,
            [2.4414969788471057, 3.452798139978515, 4.882993957694212, 5.958939032252501],
        ),
        (
            "AQUAINT",
            727.0,
            [2.319621755225461, 3.2804405458155314, 4.639243510450923, 5.66347158151629],
        ),
        (
            "RSS-500",
            1000.0,
            [1.9786853307726338, 2.798283630447352, 3.9573706615452675, 4.835345861518585],
        ),
        (
            "AIDA-B",
            4485.0,
            [0.9351762121449364, 1.3225388824240679, 1.870352424289873, 2.2895003680905225],
        ),
        (
            "WNED-CWEB",
            11154.0,
            [0.5930995783162415, 0.8387694674925924, 1.186199156632483, 1.4524842352184895],
        ),
    ];

    #[test]
    fn what_the_test_sets_of_the_field_can_show() {
        let columns = [(0.05, 1.0), (0.1, 1.0), (0.2, 1.0), (0.1, 3.0)];
        for (name, mentions, points) in TEST_SETS {
            for ((discordant, design_effect), points) in columns.into_iter().zip(points) {
                let pairs = Pairs { discordant, design_effect };
                let found = Power::default().detectable_share(mentions, pairs);
                if points / 100.0 > discordant {
                    assert_eq!(found, None, "{name}");
                } else {
                    assert_near(found.expect(name), points / 100.0, 1e-12);
                }
            }
        }
    }

    #[test]
    fn mentions_that_are_needed() {
        // numpy 2.4.6, the formula as written.
        for (difference, discordant, expected) in [
            (0.01, 0.1, 7846.521448148711),
            (-0.013, 0.05, 2319.7944977235766),
            (0.05, 0.05, 154.59856956021105),
        ] {
            let pairs = Pairs { discordant, design_effect: 1.0 };
            let found = Power::default().mentions(difference, pairs).expect("detectable");
            assert_near(found, expected, 1e-12);
        }
        let nothing = [(0.0, 0.1, 1.0), (0.2, 0.1, 1.0), (0.1, 0.0, 1.0), (0.1, 0.1, 0.0)];
        for (difference, discordant, design_effect) in nothing {
            let pairs = Pairs { discordant, design_effect };
            assert_eq!(Power::default().mentions(difference, pairs), None);
        }
    }

    #[test]
    fn power_when_the_standard_error_is_known() {
        // statsmodels 0.15.0, normal_power(difference / standard_error, 1, alpha).
        for (difference, alpha, expected) in [
            (-0.02, 0.05, 0.7054180011138002),
            (0.0, 0.05, 0.05),
            (0.01, 0.01, 0.09251328843843701),
        ] {
            let found = power_of_difference(difference, 0.008, alpha).expect("defined");
            assert_near(found, expected, 1e-13);
        }
        assert_eq!(power_of_difference(0.1, 0.0, 0.05), None);
        assert_eq!(power_of_difference(0.1, 0.1, 1.5), None);
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

    #[test]
    fn power_of_samples_of_their_own() {
        // statsmodels 0.15.0, power_proportions_2indep(p - q, q, nobs1, ratio, alpha=...).
        for (shares, sizes, alpha, expected) in [
            ((0.8, 0.7), (144.0, 144.0), 0.05, 0.49989025969314255),
            ((0.8, 0.77), (1000.0, 1000.0), 0.05, 0.3718787581461155),
            ((0.9, 0.85), (500.0, 250.0), 0.01, 0.2963574281853162),
        ] {
            let found = power_of_two_shares(shares, sizes, alpha).expect("defined");
            assert_near(found, expected, 1e-12);
        }
        assert_eq!(power_of_two_shares((1.2, 0.5), (10.0, 10.0), 0.05), None);
        assert_eq!(power_of_two_shares((0.5, 0.5), (0.0, 10.0), 0.05), None);
        assert_eq!(power_of_two_shares((1.0, 1.0), (10.0, 10.0), 0.05), None);
    }

    proptest! {
        #[test]
        fn the_detectable_difference_needs_just_so_many_mentions(
            mentions in 1.0..1e6, discordant in 0.001..1.0, design_effect in 1.0..5.0,
            alpha in 0.001..0.2, power in 0.5..0.99,
        ) {
            let (wanted, pairs) = (Power { alpha, power }, Pairs { discordant, design_effect });
            if let Some(difference) = wanted.detectable_share(mentions, pairs) {
                let needed = wanted.mentions(difference, pairs).unwrap();
                prop_assert!((needed / mentions - 1.0).abs() < 1e-9, "{needed} {mentions}");
                let more = wanted.detectable_share(2.0 * mentions, pairs).unwrap();
                prop_assert!(more < difference);
            }
        }
    }
}
