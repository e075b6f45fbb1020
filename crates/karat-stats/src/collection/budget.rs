//! Closed forms: how far recall, the share of right answers, moves when queries go.

use super::cells::Cells;

/// The share of right answers and what is left of it: p and p(1 - p).
fn shares(cells: &Cells) -> Option<(f64, f64)> {
    let queries = cells.queries();
    let p = (queries > 0).then(|| cells.right() as f64 / queries as f64)?;
    Some((p, p * (1.0 - p)))
}

/// The standard deviation of recall when so many queries are removed at random; `None` if none or
/// all are there.
pub fn deviation_after_removal(cells: &Cells, removed: u64) -> Option<f64> {
    let (_, spread) = shares(cells)?;
    let (all, removed) = (cells.queries() as f64, removed as f64);
    let left = all - removed;
    match left > 0.0 {
        // One query, of which none was removed.
        true if all == 1.0 => Some(0.0),
        // The variance of a share in a sample without replacement, with the factor for a finite
        // population (all - left) / (all - 1).
        true => Some((removed * spread / (left * (all - 1.0))).sqrt()),
        false => None,
    }
}

/// The most queries that can be removed so that the standard deviation of recall stays at
/// this or below; `None` if there are no queries or the deviation is no number.
pub fn largest_removal(cells: &Cells, deviation: f64) -> Option<u64> {
    let (_, spread) = shares(cells)?;
    let queries = cells.queries();
    let all = queries as f64;
    let variance = deviation * deviation;
    if deviation.is_nan() || deviation < 0.0 {
        return None;
    }
    let most = queries - 1;
    if spread == 0.0 || !variance.is_finite() {
        return Some(most);
    }
    let largest = variance * all * (all - 1.0) / (spread + variance * (all - 1.0));
    // Where the formula meets a whole number, its last digit may fall short of it.
    let next = largest as u64 + 1;
    let fits = deviation_after_removal(cells, next).is_some_and(|found| found <= deviation);
    Some(if fits { next } else { largest as u64 }.min(most))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set_1() -> Cells {
        Cells::from_totals([1289, 1058, 1019, 1564, 1477]).expect("possible")
    }

    #[test]
    fn removal_is_the_hypergeometric_distribution() {
        // scipy 1.17.1: scipy.stats.hypergeom(2853, 2496, 100).std() / 2753
        let found = deviation_after_removal(&set_1(), 100).expect("defined");
        assert!((found - 0.001_180_801_131_436_836_2).abs() < 1e-15, "{found}");
        assert_eq!(deviation_after_removal(&set_1(), 0), Some(0.0));
        assert_eq!(deviation_after_removal(&set_1(), 2853), None);
        assert_eq!(deviation_after_removal(&Cells::default(), 0), None);
    }

    #[test]
    fn the_budget_is_the_largest_that_fits() {
        for deviation in [0.0005, 0.001, 0.005, 0.02] {
            let most = largest_removal(&set_1(), deviation).expect("defined");
            let at = |removed| deviation_after_removal(&set_1(), removed).expect("some are left");
            assert!(at(most) <= deviation && deviation < at(most + 1), "{deviation}: {most}");
        }
        assert_eq!(largest_removal(&set_1(), 0.0), Some(0));
        assert_eq!(largest_removal(&set_1(), f64::INFINITY), Some(2852));
        assert_eq!(largest_removal(&set_1(), f64::NAN), None);
        assert_eq!(largest_removal(&Cells::default(), 0.1), None);
        let perfect = Cells { right_link: 4, ..Cells::default() };
        assert_eq!(largest_removal(&perfect, 0.0), Some(3));
    }
}
