//! The harmonic mean of two ratios, so that equal means are equal numbers.
//!
//! 2PR / (P + R) rounds four times, and how depends on the counts: 3 right of 5 predictions and 4 gold
//! mentions, and 2 right of 2 and 4, are both two thirds, and come out one digit apart. Ranks, ties and
//! p-values are then made of that digit. So the mean is one fraction of whole numbers here, which is
//! rounded once, at its division: equal fractions give the same bits whatever they were counted from.

/// A part of a whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Ratio {
    pub(crate) part: f64,
    pub(crate) whole: f64,
}

impl Ratio {
    const ONE: Ratio = Ratio { part: 1.0, whole: 1.0 };

    /// Its value; a part of nothing has none.
    pub(crate) fn value(self) -> Option<f64> {
        (self.whole != 0.0).then(|| self.part / self.whole)
    }

    /// The same, or 1 for a part of nothing.
    pub(crate) fn or_one(self) -> Ratio {
        if self.whole == 0.0 { Ratio::ONE } else { self }
    }
}

/// The harmonic mean; 0 if one of the two is, or is of nothing.
///
/// It is correctly rounded where parts and wholes are whole numbers, or multiples of one over [`STEPS`]
/// as all partial credit is. Other numbers were rounded before they came here.
pub(crate) fn harmonic(precision: Ratio, recall: Ratio) -> f64 {
    let is_nothing = |ratio: Ratio| ratio.part == 0.0 || ratio.whole == 0.0;
    if is_nothing(precision) || is_nothing(recall) {
        return 0.0;
    }
    // The usual case: both parts are the true positives, and 2tp / (2tp + fp + fn) needs one
    // division of whole numbers.
    if precision.part == recall.part {
        return 2.0 * precision.part / (precision.whole + recall.whole);
    }
    of_different_parts(precision, recall).unwrap_or_else(|| {
        let (p, r) = (precision.part / precision.whole, recall.part / recall.whole);
        2.0 * p * r / (p + r)
    })
}

/// 2ab / (aB + bA) for a / A and b / B; `None` if these are no multiples of a step.
fn of_different_parts(precision: Ratio, recall: Ratio) -> Option<f64> {
    let numbers = [precision.part, precision.whole, recall.part, recall.whole];
    let are_whole = numbers.iter().all(|number| number.fract() == 0.0);
    let steps = if are_whole { 1.0 } else { STEPS };
    let [a, all_a, b, all_b] = numbers.map(|number| in_steps(number, steps));
    let (a, all_a, b, all_b) = (a?, all_a?, b?, all_b?);
    // Each factor is at most 2^62, so twice a product and a sum of two products fit into 128 bits.
    Some(quotient(2 * a * b, a * all_b + b * all_a))
}

/// Partial credit is rounded to multiples of one over this.
pub(crate) const STEPS: f64 = (1u32 << 26) as f64;

/// So many steps; `None` if that is no whole number, or so large that a sum of products would not fit.
fn in_steps(number: f64, steps: f64) -> Option<u128> {
    const MOST: f64 = (1u64 << 62) as f64;
    let number = number * steps;
    (number.fract() == 0.0 && (0.0..=MOST).contains(&number)).then_some(number as u128)
}

/// The number nearest to a fraction of positive whole numbers; halfway between two, the even one.
fn quotient(numerator: u128, denominator: u128) -> f64 {
    const EXACT: u128 = 1 << 53;
    if numerator <= EXACT && denominator <= EXACT {
        return numerator as f64 / denominator as f64;
    }
    // Long division, until there are two binary digits more than a number keeps.
    const ENOUGH: u128 = 1 << 55;
    let (mut digits, mut rest) = (numerator / denominator, numerator % denominator);
    let mut places = 0;
    while digits < ENOUGH && rest != 0 {
        let room = digits.leading_zeros() - (ENOUGH << 1).leading_zeros();
        let more = rest.leading_zeros().min(room);
        rest <<= more;
        digits = (digits << more) + rest / denominator;
        rest %= denominator;
        places += more;
    }
    // Whatever is left over makes the last digit odd, so that it is never taken for a half.
    let digits = digits | u128::from(rest != 0);
    digits as f64 * power_of_two(-(places as i32))
}

/// Exact, which a call of `powi` need not be on every machine.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ratio(part: f64, whole: f64) -> Ratio {
        Ratio { part, whole }
    }

    #[test]
    fn two_thirds_are_two_thirds_whatever_they_are_counted_from() {
        // Right, predicted, gold.
        for [right, predicted, gold] in [[3.0, 5.0, 4.0], [2.0, 2.0, 4.0], [7.0, 11.0, 10.0]] {
            let f1 = harmonic(ratio(right, predicted), ratio(right, gold));
            assert_eq!(f1, 2.0 / 3.0, "{right} of {predicted} and {gold}");
        }
    }

    #[test]
    fn nothing_has_no_mean() {
        assert_eq!(harmonic(ratio(0.0, 0.0), ratio(1.0, 2.0)), 0.0);
        assert_eq!(harmonic(ratio(0.0, 3.0), ratio(1.0, 2.0)), 0.0);
        assert_eq!(harmonic(ratio(0.0, 0.0).or_one(), ratio(1.0, 3.0)), 0.5);
    }

    #[test]
    fn what_was_rounded_before_is_still_a_mean() {
        let third = 1.0 / 3.0;
        assert_eq!(harmonic(ratio(third, 1.0), ratio(1.0, 1.0)), 0.5);
        assert!(harmonic(ratio(1e30, 2e30), ratio(3.0, 4.0)) > 0.599);
    }

    /// By comparing the fraction itself with the middle between two neighbouring numbers.
    fn is_nearest(found: f64, numerator: u128, denominator: u128) -> bool {
        let bits = found.to_bits();
        let exponent = (bits >> 52) as i32 - 1075;
        let digits = u128::from(bits << 12 >> 12 | 1 << 52);
        // found = digits / 2^-exponent; twice the distance to the fraction is at most one digit.
        let shift = -exponent as u32;
        let scaled = |fraction: u128| fraction.checked_shl(shift).filter(|_| shift < 60);
        let Some(scaled) = scaled(numerator) else { return true };
        let distance = (digits * denominator).abs_diff(scaled);
        2 * distance <= denominator
    }

    proptest! {
        #[test]
        fn equal_fractions_are_the_same_number(
            right in 1_u64..400, extra in 0_u64..400, missed in 0_u64..400, times in 1_u64..5000,
        ) {
            let f1 = |[right, extra, missed]: [u64; 3]| {
                let [right, extra, missed] = [right, extra, missed].map(|count| count as f64);
                harmonic(ratio(right, right + extra), ratio(right, right + missed))
            };
            let counts = [right, extra, missed];
            prop_assert_eq!(f1(counts), f1(counts.map(|count| count * times)));
            // Only the sum of both kinds of errors counts.
            prop_assert_eq!(f1(counts), f1([right, extra + missed, 0]));
            prop_assert_eq!(f1(counts), f1([right, 0, extra + missed]));
        }

        #[test]
        fn different_credit_on_both_sides_does_no_harm(
            [a, more_a, b, more_b] in [1_u64..300, 0_u64..300, 1_u64..300, 0_u64..300],
            times in 1_u64..3000, fraction in 0_u32..26,
        ) {
            let unit = 1.0 / f64::from(1_u32 << fraction);
            let f1 = |times: f64, others: f64| harmonic(
                ratio(a as f64 * times, (a + more_a) as f64 * times),
                ratio(b as f64 * others, (b + more_b) as f64 * others),
            );
            let expected = f1(1.0, 1.0);
            prop_assert_eq!(f1(times as f64, times as f64), expected);
            prop_assert_eq!(f1(times as f64, 1.0), expected);
            prop_assert_eq!(f1(unit, times as f64 * unit), expected);
        }

        #[test]
        fn quotients_are_the_nearest_numbers(
            numerator in 1_u128..1 << 60, denominator in 1_u128..1 << 60, times in 1_u128..1 << 60,
        ) {
            let (small, large) = (numerator.min(denominator), numerator.max(denominator));
            let found = quotient(small, large);
            prop_assert_eq!(quotient(small * times, large * times), found);
            prop_assert!(is_nearest(found, small, large), "{} {} {}", found, small, large);
        }
    }
}
