//! Sums of quotients that come out the same in any order.

use std::collections::BTreeMap;

/// A sum of quotients of whole numbers.
///
/// Numerators over the same denominator are added as whole numbers, and each
/// denominator divides once, the smallest first. The sum therefore depends neither
/// on the order of its parts nor on how they were spread over threads.
#[derive(Debug, Default)]
pub(super) struct Quotients {
    numerators: BTreeMap<u64, u128>,
}

impl Quotients {
    pub(super) fn add(&mut self, numerator: u128, denominator: u64) {
        *self.numerators.entry(denominator).or_default() += numerator;
    }

    pub(super) fn sum(&self) -> f64 {
        let quotients = self.numerators.iter();
        // Not `sum()`: the sum of nothing would be negative zero, and print so.
        quotients.fold(0.0, |sum, (&denominator, &numerator)| {
            sum + numerator as f64 / denominator as f64
        })
    }
}

impl FromIterator<(u128, u64)> for Quotients {
    fn from_iter<I: IntoIterator<Item = (u128, u64)>>(parts: I) -> Self {
        let mut quotients = Self::default();
        for (numerator, denominator) in parts {
            quotients.add(numerator, denominator);
        }
        quotients
    }
}
