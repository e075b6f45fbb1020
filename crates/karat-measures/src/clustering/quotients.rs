//! Sums of quotients that come out the same in any order.

use std::collections::BTreeMap;

/// A sum of quotients of whole numbers.
///
/// Numerators over the same denominator are added as whole numbers, each
/// denominator divides once, and what is left over is added in fixed point, so that only the sum is
/// rounded. It therefore depends neither on the order of its parts nor on how they were spread over threads,
/// and alignments that are equally good give the same sum whichever of them was found: a half and a
/// half are as much as a third and two thirds.
#[derive(Debug, Default)]
pub(super) struct Quotients {
    numerators: BTreeMap<u64, u128>,
}

impl Quotients {
    pub(super) fn add(&mut self, numerator: u128, denominator: u64) {
        *self.numerators.entry(denominator).or_default() += numerator;
    }

    pub(super) fn sum(&self) -> f64 {
        const PLACES: u32 = 64;
        let mut sum: u128 = 0;
        // At most one division per distinct cluster size. The rounding of each is half a unit of
        // 2^-64 at most, which no sum of a corpus can bring into the 53 bits of the result.
        for (&denominator, &numerator) in &self.numerators {
            let denominator = u128::from(denominator);
            let (whole, rest) = (numerator / denominator, numerator % denominator);
            let rest = ((rest << PLACES) + denominator / 2) / denominator;
            sum += (whole << PLACES) + rest;
        }
        sum as f64 / (1u128 << PLACES) as f64
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
