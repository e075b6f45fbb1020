//! The studentized range with infinitely many degrees of freedom: the distance
//! between the largest and the smallest of several standard normal values.

use crate::normal;

/// The probability that the range of `count` values exceeds `range`. With `z` the
/// largest value, the others lie between it and `z - range` with probability
/// `(Φ(z) - Φ(z - range))^(count - 1)`; integrated is what that lacks to
/// `Φ(z)^(count - 1)`, so that small probabilities keep their digits. The integrand is
/// smooth and vanishes at both ends, where the trapezoidal rule converges fastest.
pub fn studentized_range_above(range: f64, count: usize) -> f64 {
    const STEPS: u32 = 240;
    const FROM: f64 = -10.0;
    const STEP: f64 = 0.1;
    if range.is_nan() || count < 2 {
        return f64::NAN;
    }
    if range <= 0.0 {
        return 1.0;
    }
    let others = (count - 1) as f64;
    let lacking = |step: u32| {
        let largest = FROM + f64::from(step) * STEP;
        let below = normal::above(-largest);
        let outside = normal::above(range - largest) / below;
        let within = libm::exp(others * libm::log(below));
        normal::density(largest) * within * -libm::expm1(others * libm::log1p(-outside))
    };
    (count as f64 * STEP * (0..=STEPS).map(lacking).sum::<f64>()).min(1.0)
}

/// The range that is exceeded with probability `alpha`. Not a number unless `alpha`
/// is from 0 to 1 and there are at least two values.
pub fn studentized_range_critical(alpha: f64, count: usize) -> f64 {
    if !(0.0..=1.0).contains(&alpha) || count < 2 {
        return f64::NAN;
    }
    // No range of normal values reaches 64 standard deviations; halving ends when the two ends are
    // neighbouring numbers.
    let (mut low, mut high) = (0.0, 64.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if studentized_range_above(middle, count) > alpha { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::{assert_near, assert_ratio_near};

    #[test]
    fn tails_are_those_of_scipy() {
        // scipy 1.17.1, scipy.stats.studentized_range.sf(range, count, np.inf).
        for (range, count, expected) in [
            (0.5, 3, 0.933421945135287),
            (2.0, 3, 0.33349932504015),
            (3.31449, 3, 0.0500002823236112),
            (5.0, 3, 0.0011839912309870027),
            (0.01, 4, 0.999999873015108),
            (2.0, 4, 0.49036940998054945),
            (3.31449, 5, 0.13123624417173863),
            (1.0, 10, 0.9994801305445359),
            (3.31449, 10, 0.36053146528642843),
            (5.0, 10, 0.014857437887783598),
            (8.0, 10, 6.894622225361857e-07),
            (3.31449, 20, 0.7035591201312463),
            (5.0, 50, 0.21014537871762118),
            (2.0, 100, 0.9999999999999997),
            (5.0, 100, 0.47854770644698774),
            (8.0, 100, 7.191934654937615e-05),
        ] {
            assert_near(studentized_range_above(range, count), expected, 1e-12);
        }
    }

    #[test]
    fn the_range_of_two_is_the_distance_of_two_normal_values() {
        for range in [0.01, 0.5, 1.0, 2.0, 5.0, 8.0, 14.0] {
            assert_ratio_near(studentized_range_above(range, 2), libm::erfc(range / 2.0), 1e-11);
        }
    }

    #[test]
    fn critical_values_are_those_of_scipy() {
        // scipy 1.17.1, scipy.stats.studentized_range.isf(alpha, count, np.inf). Over √2,
        // those at 0.05 are in Table 5 of Demšar (2006): 1.960, 2.343, 2.728, 3.164.
        for (alpha, count, expected) in [
            (0.1, 2, 2.3261743073533476),
            (0.05, 2, 2.771807648699355),
            (0.05, 3, 3.314493155398122),
            (0.01, 3, 4.12030320646012),
            (0.05, 5, 3.857655510378623),
            (0.05, 10, 4.474124221725907),
            (0.05, 20, 5.0116887941184425),
            (0.01, 50, 6.228392608582205),
            (0.05, 100, 6.084637537173171),
        ] {
            assert_near(studentized_range_critical(alpha, count), expected, 1e-8);
        }
    }

    #[test]
    fn what_is_undefined_is_not_a_number() {
        assert!(studentized_range_above(1.0, 1).is_nan());
        assert!(studentized_range_above(f64::NAN, 3).is_nan());
        assert!(studentized_range_critical(1.5, 3).is_nan());
        assert_eq!(studentized_range_above(-1.0, 3), 1.0);
        assert_eq!(studentized_range_above(f64::INFINITY, 3), 0.0);
    }
}
