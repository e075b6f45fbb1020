//! Two systems on the same mentions, each right or wrong.

use crate::binomial::{at_most, density};
use crate::normal;

/// McNemar's test of paired outcomes. Only mentions on which exactly one system is
/// right say anything; if the systems are equally good, who is right on one of
/// them is the toss of a coin.
///
/// Mentions are taken to be independent; those of one document are not, see
/// [`ClusteredMcNemar`].
///
/// ```
/// use karat_stats::McNemar;
///
/// let test = McNemar { first_only: 15, second_only: 5 };
/// assert!((test.two_sided() - 0.0414).abs() < 1e-4);
/// assert_eq!(test.odds_ratio(), Some(3.0));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct McNemar {
    /// Mentions that only the first system got right.
    pub first_only: u64,
    /// Mentions that only the second system got right.
    pub second_only: u64,
}

impl McNemar {
    /// The exact two-sided p-value: twice the smaller tail of the binomial
    /// distribution, at most 1.
    pub fn two_sided(&self) -> f64 {
        (2.0 * at_most(self.fewer(), self.discordant())).min(1.0)
    }

    /// The two-sided mid-p-value, which counts outcomes as far out as the observed
    /// one by half. Less timid than the exact test, and hardly ever too bold
    /// (Fagerland, Lydersen and Laake 2013).
    pub fn mid_p(&self) -> f64 {
        let (fewer, discordant) = (self.fewer(), self.discordant());
        if discordant == 0.0 {
            return 1.0;
        }
        let observed = density(fewer, discordant);
        // The usual formula would count the middle outcome twice.
        if self.first_only == self.second_only {
            return 1.0 - 0.5 * observed;
        }
        2.0 * at_most(fewer, discordant) - observed
    }

    /// The odds that a mention on which one system is right is the first system's.
    /// Infinite if all are; `None` if there is no such mention.
    pub fn odds_ratio(&self) -> Option<f64> {
        (self.first_only > 0 || self.second_only > 0)
            .then(|| self.first_only as f64 / self.second_only as f64)
    }

    fn fewer(&self) -> f64 {
        self.first_only.min(self.second_only) as f64
    }

    fn discordant(&self) -> f64 {
        self.first_only as f64 + self.second_only as f64
    }
}

/// McNemar's test with documents as clusters. With `d` the difference of the two
/// counts of a document, `z = Σ d / √(Σ d²)`: documents are independent, their
/// mentions need not be. Mentions weigh the same (Yang, Sun and Hardin 2010);
/// Durkalski et al. (2003) weigh documents the same. With at most one mention per
/// document this is McNemar's test without correction for continuity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredMcNemar {
    /// How far the balance is from 0, in standard errors; positive if the first
    /// system is better.
    pub z: f64,
    /// The two-sided p-value, from the normal distribution. It needs some dozens of
    /// documents in which the systems differ.
    pub p: f64,
}

impl ClusteredMcNemar {
    /// The test of the counts of the documents.
    pub fn new(documents: &[McNemar]) -> ClusteredMcNemar {
        let difference =
            |document: &McNemar| i128::from(document.first_only) - i128::from(document.second_only);
        let balance: i128 = documents.iter().map(difference).sum();
        let squares: f64 =
            documents.iter().map(|document| (difference(document) as f64).powi(2)).sum();
        let z = if squares > 0.0 { balance as f64 / squares.sqrt() } else { 0.0 };
        ClusteredMcNemar { z, p: normal::beyond(z) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{assert_near, assert_ratio_near};
    use proptest::prelude::*;

    fn discordant((first_only, second_only): (u64, u64)) -> McNemar {
        McNemar { first_only, second_only }
    }

    #[test]
    fn p_values_are_those_of_statsmodels_and_scipy() {
        // statsmodels 0.15.0, mcnemar([[0, b], [c, 0]], exact=True).pvalue; scipy 1.17.1:
        // mid-p from binom.cdf and binom.pmf. (1, 7) is the example of Fagerland et al., who print 0.070 and 0.039.
        for (counts, two_sided, mid_p) in [
            ((0, 0), 1.0, 1.0),
            ((1, 0), 1.0, 0.5),
            ((5, 15), 0.04138946533203125, 0.026603698730468753),
            ((15, 5), 0.04138946533203125, 0.026603698730468753),
            ((7, 1), 0.0703125, 0.0390625),
            ((10, 10), 1.0, 0.9119014739990235),
            ((59, 121), 4.4344492637551645e-06, 3.2666467957745733e-06),
            ((120, 121), 1.0, 0.9487629958476215),
            ((1000, 1150), 0.0013063541365220237, 0.0012146452794107605),
            ((40_000, 41_000), 0.0004478218231375636, 0.0004419761965309523),
        ] {
            let test = discordant(counts);
            assert_ratio_near(test.two_sided(), two_sided, 1e-10);
            assert_ratio_near(test.mid_p(), mid_p, 1e-10);
        }
    }

    #[test]
    fn the_odds_of_the_first_system() {
        assert_eq!(discordant((15, 5)).odds_ratio(), Some(3.0));
        assert_eq!(discordant((6, 0)).odds_ratio(), Some(f64::INFINITY));
        assert_eq!(discordant((0, 0)).odds_ratio(), None);
    }

    #[test]
    fn documents_as_clusters() {
        // numpy 2.4.6: d.sum() / np.sqrt((d**2).sum()), scipy.stats.norm.sf.
        let documents = [(3, 1), (0, 2), (5, 0), (1, 1), (0, 0), (4, 2), (2, 0), (1, 3)];
        let test = ClusteredMcNemar::new(&documents.map(discordant));
        assert_near(test.z, 1.0434983894999017, 1e-14);
        assert_near(test.p, 0.2967175263220605, 1e-13);
        assert_eq!(ClusteredMcNemar::new(&[]), ClusteredMcNemar { z: 0.0, p: 1.0 });
    }

    #[test]
    fn documents_of_one_mention_are_no_clusters() {
        // statsmodels 0.15.0, mcnemar([[0, 59], [121, 0]], exact=False, correction=False).
        let mut documents = vec![discordant((1, 0)); 59];
        documents.resize(180, discordant((0, 1)));
        let test = ClusteredMcNemar::new(&documents);
        assert_near(test.z * test.z, 21.355555555555554, 1e-14);
        assert_ratio_near(test.p, 3.815135865112594e-06, 1e-12);
    }

    #[test]
    fn counts_that_no_corpus_has() {
        let test = discordant((u64::MAX, u64::MAX - 1));
        assert!((0.99..=1.0).contains(&test.two_sided()), "{}", test.two_sided());
        assert!(discordant((u64::MAX, 0)).two_sided() < 1e-300);
        assert!(ClusteredMcNemar::new(&[test; 3]).z > 0.0);
    }

    proptest! {
        #[test]
        fn the_order_of_the_systems_does_not_matter(first in 0_u64..500, second in 0_u64..500) {
            let (test, turned) = (discordant((first, second)), discordant((second, first)));
            prop_assert_eq!(test.two_sided(), turned.two_sided());
            prop_assert_eq!(test.mid_p(), turned.mid_p());
            prop_assert!(test.mid_p() <= test.two_sided());
            for p in [test.two_sided(), test.mid_p()] {
                prop_assert!((0.0..=1.0).contains(&p), "{}", p);
            }
        }
    }
}
