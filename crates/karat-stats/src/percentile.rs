//! Percentiles of a sample.

/// The value below which `percent` of a sorted sample lies, by the rule of the
/// NIST handbook, which neleval uses: the rank is `percent / 100 * (n + 1)`, and
/// values between two ranks are interpolated. `None` for an empty sample.
pub fn percentile(sorted: &[f64], percent: f64) -> Option<f64> {
    let (first, last) = (*sorted.first()?, *sorted.last()?);
    let rank = percent / 100.0 * (sorted.len() as f64 + 1.0);
    let below = rank.floor();
    if below < 1.0 {
        return Some(first);
    }
    let at = below as usize;
    match (sorted.get(at - 1), sorted.get(at)) {
        (Some(low), Some(high)) => Some(low + (rank - below) * (high - low)),
        _ => Some(last),
    }
}

/// The same of a sample in any order, which is left in another.
pub(crate) fn of_unsorted(values: &mut [f64], percent: f64) -> Option<f64> {
    let rank = percent / 100.0 * (values.len() as f64 + 1.0);
    let below = rank.floor();
    let at = (below.max(1.0) as usize).min(values.len());
    // Selecting is linear, where sorting all trials for two percentiles is not.
    let (_, value, above) = values.select_nth_unstable_by(at.checked_sub(1)?, f64::total_cmp);
    let next = above.iter().copied().min_by(f64::total_cmp);
    Some(match next {
        Some(next) if below >= 1.0 => *value + (rank - below) * (next - *value),
        _ => *value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_of_the_handbook() {
        let sample = [
            95.0610, 95.0925, 95.1065, 95.1195, 95.1442, 95.1567, 95.1591, 95.1682, 95.1772,
            95.1937, 95.1959, 95.1990,
        ];
        // NIST/SEMATECH e-Handbook of Statistical Methods, 7.2.6.2: the 90th percentile is 95.1981.
        let found = percentile(&sample, 90.0).expect("a sample");
        assert!((found - 95.1981).abs() < 5e-5, "{found}");
        assert_eq!(percentile(&sample, 0.0), Some(95.0610));
        assert_eq!(percentile(&sample, 100.0), Some(95.1990));
        assert_eq!(percentile(&[], 50.0), None);
    }

    #[test]
    fn the_order_of_a_sample_does_not_matter() {
        let sorted: Vec<f64> = (0..101).map(|at| f64::from(at * at)).collect();
        let mut mixed: Vec<f64> = (0..101).map(|at| f64::from((at * 37 % 101i32).pow(2))).collect();
        for percent in [0.0, 0.3, 2.5, 50.0, 97.5, 99.9, 100.0] {
            assert_eq!(of_unsorted(&mut mixed, percent), percentile(&sorted, percent), "{percent}");
        }
        assert_eq!(of_unsorted(&mut [], 50.0), None);
        assert_eq!(of_unsorted(&mut [3.0], 97.5), Some(3.0));
    }
}
