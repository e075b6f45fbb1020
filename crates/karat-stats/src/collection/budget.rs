//! Closed forms: how far recall, the share of right answers, moves when queries go or come.

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
        true => Some((removed * spread / (left * (all - 1.0))).sqrt()),
        false => None,
    }
}

/// The standard deviation of recall when so many queries like these are added.
pub fn deviation_after_addition(cells: &Cells, added: u64) -> Option<f64> {
    let (_, spread) = shares(cells)?;
    Some((added as f64 * spread).sqrt() / (cells.queries() + added) as f64)
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

/// How many queries a share needs so that its interval, by the normal distribution, is at most so
/// wide: `z` is 1.96 for 95%. `None` if no number is enough, or the share is none.
pub fn queries_for_width(share: f64, width: f64, z: f64) -> Option<u64> {
    let possible = (0.0..=1.0).contains(&share) && width > 0.0;
    let needed = 4.0 * z * z * share * (1.0 - share) / (width * width);
    (possible && needed.is_finite()).then(|| needed.ceil() as u64)
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
    fn addition_is_the_binomial_distribution() {
        // scipy 1.17.1: scipy.stats.binom(100, 2496 / 2853).std() / 2953
        let found = deviation_after_addition(&set_1(), 100).expect("defined");
        assert!((found - 0.001_120_446_643_502_336_5).abs() < 1e-15, "{found}");
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

    #[test]
    fn a_narrow_interval_needs_many_queries() {
        // 1.96^2 * 4 * .25 / .1^2 = 384.16, the number of every textbook on polls.
        assert_eq!(queries_for_width(0.5, 0.1, 1.96), Some(385));
        assert_eq!(queries_for_width(1.0, 0.1, 1.96), Some(0));
        for (share, width) in [(f64::NAN, 0.1), (0.5, 0.0), (0.5, f64::NAN), (1.5, 0.1)] {
            assert_eq!(queries_for_width(share, width, 1.96), None);
        }
    }
}
