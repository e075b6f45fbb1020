//! How far two rows of numbers go together.

/// Pearson's correlation of pairs; `None` where one side does not vary, or there are fewer than three pairs: any two lie
/// on a line.
///
/// ```
/// let pairs = [(1.0, 2.0), (2.0, 4.0), (3.0, 6.0)];
/// assert_eq!(karat_stats::pearson(&pairs), Some(1.0));
/// ```
pub fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < 3 {
        return None;
    }
    let number = pairs.len() as f64;
    let mean = |side: fn(&(f64, f64)) -> f64| pairs.iter().map(side).sum::<f64>() / number;
    let (x, y) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let sum = |of: fn(f64, f64) -> f64| -> f64 {
        pairs.iter().map(|pair| of(pair.0 - x, pair.1 - y)).sum()
    };
    let (xx, yy, xy) = (sum(|a, _| a * a), sum(|_, b| b * b), sum(|a, b| a * b));
    // Means are rounded, so that what does not vary may seem to, by the last digits.
    let varies = |squares: f64, mean: f64| squares > number * (mean * 1e-12).powi(2);
    (varies(xx, x) && varies(yy, y)).then(|| (xy / (xx * yy).sqrt()).clamp(-1.0, 1.0))
}

#[cfg(test)]
mod tests {
    use super::pearson;

    /// Anscombe (1973): four sets with the same correlation, .816.
    #[test]
    fn anscombes_sets_have_their_correlation() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let first = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68];
        let second = [9.14, 8.14, 8.74, 8.77, 9.26, 8.10, 6.13, 3.10, 9.13, 7.26, 4.74];
        for (y, wanted) in [(first, 0.816_42), (second, 0.816_24)] {
            let pairs: Vec<(f64, f64)> = x.into_iter().zip(y).collect();
            let r = pearson(&pairs).expect("both vary");
            assert!((r - wanted).abs() < 1e-5, "{r}");
        }
    }

    #[test]
    fn what_does_not_vary_goes_with_nothing() {
        assert_eq!(pearson(&[(1.0, 0.1), (2.0, 0.1), (3.0, 0.1)]), None);
        assert_eq!(pearson(&[(1.0, 2.0), (2.0, 1.0)]), None);
        assert_eq!(pearson(&[(1.0, 3.0), (2.0, 2.0), (3.0, 1.0)]), Some(-1.0));
    }
}
