//! What it costs that mentions come in documents.

/// A share of right mentions, with documents as clusters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClusteredShare {
    /// Right mentions over all mentions.
    pub share: f64,
    /// Its standard error as a ratio of sums over documents: with k documents and m
    /// mentions in all, `√(k / (k - 1) Σ (right - share · total)²) / m`.
    pub standard_error: f64,
    /// How many times larger its variance is than that of independent mentions,
    /// `share (1 - share) / m` (Kish 1965). So many times more mentions are needed.
    /// `None` if all mentions are right, or none.
    pub design_effect: Option<f64>,
    /// How alike two mentions of a document are: the intraclass correlation, by the
    /// analysis of variance. 1 if documents are all right or all wrong, about 0 if
    /// it does not matter where a mention is. `None` if it is undefined: all
    /// mentions are right or none, or no document has two.
    pub intraclass_correlation: Option<f64>,
}

impl ClusteredShare {
    /// The share of documents given as (right, total). Documents without mentions
    /// are left out. `None` with fewer than two documents, or more right mentions
    /// than there are.
    pub fn new(documents: &[(u64, u64)]) -> Option<ClusteredShare> {
        let documents: Vec<(f64, f64)> = (documents.iter())
            .filter(|&&(right, total)| right > 0 || total > 0)
            .map(|&(right, total)| (right as f64, total as f64))
            .collect();
        if documents.len() < 2 || documents.iter().any(|(right, total)| right > total) {
            return None;
        }
        let clusters = documents.len() as f64;
        let (right, mentions) = (documents.iter())
            .fold((0.0, 0.0), |sums, document| (sums.0 + document.0, sums.1 + document.1));
        let share = right / mentions;
        let squares: f64 =
            documents.iter().map(|(right, total)| (right - share * total).powi(2)).sum();
        let variance = clusters / (clusters - 1.0) * squares / (mentions * mentions);
        let independent = share * (1.0 - share) / mentions;
        Some(ClusteredShare {
            share,
            standard_error: variance.sqrt(),
            design_effect: (independent > 0.0).then(|| variance / independent),
            intraclass_correlation: intraclass_correlation(&documents, share, mentions),
        })
    }
}

/// `(between - within) / (between + (size - 1) within)`, of the mean squares between
/// and within documents, where the size of documents is `(m - Σ total² / m) / (k - 1)`
/// (Donald and Donner 1987).
fn intraclass_correlation(documents: &[(f64, f64)], share: f64, mentions: f64) -> Option<f64> {
    let clusters = documents.len() as f64;
    let sum = |value: fn(f64, f64, f64) -> f64| -> f64 {
        documents.iter().map(|&(right, total)| value(right, total, share)).sum()
    };
    let between =
        sum(|right, total, share| (right - share * total).powi(2) / total) / (clusters - 1.0);
    let within = sum(|right, total, _| right * (total - right) / total) / (mentions - clusters);
    let size = (mentions - sum(|_, total, _| total * total) / mentions) / (clusters - 1.0);
    let correlation = (between - within) / (between + (size - 1.0) * within);
    correlation.is_finite().then_some(correlation)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::near::assert_near;
    use proptest::prelude::*;

    const DOCUMENTS: [(u64, u64); 10] =
        [(3, 5), (10, 10), (0, 4), (7, 9), (2, 2), (5, 12), (1, 1), (8, 8), (6, 15), (4, 6)];

    #[test]
    fn the_standard_error_is_that_of_a_regression_with_clusters() {
        // statsmodels 0.15.0, OLS of the outcomes on a constant, fit(cov_type="cluster",
        // cov_kwds={"groups": documents, "use_correction": True}).bse; the correlation from
        // the mean squares of anova_lm.
        let found = ClusteredShare::new(&DOCUMENTS).expect("documents");
        assert_near(found.share, 0.6388888888888888, 1e-15);
        assert_near(found.standard_error, 0.10367491761951428, 1e-14);
        assert_near(found.design_effect.expect("both outcomes"), 3.3543911804781286, 1e-13);
        assert_near(
            found.intraclass_correlation.expect("both outcomes"),
            0.2952047952047954,
            1e-13,
        );
    }

    #[test]
    fn documents_of_one_mention_and_of_one_outcome() {
        let single = ClusteredShare::new(&[(1, 1), (0, 1), (1, 1), (0, 1)]).expect("documents");
        assert_near(single.design_effect.expect("both outcomes"), 4.0 / 3.0, 1e-15);
        assert_eq!(single.intraclass_correlation, None);
        let pure = ClusteredShare::new(&[(9, 9), (0, 9), (9, 9), (0, 9)]).expect("documents");
        assert_near(pure.intraclass_correlation.expect("both outcomes"), 1.0, 1e-15);
        assert_near(pure.design_effect.expect("both outcomes"), 9.0 * 4.0 / 3.0, 1e-14);
        let right = ClusteredShare::new(&[(3, 3), (4, 4)]).expect("documents");
        assert_eq!((right.standard_error, right.design_effect), (0.0, None));
        assert_eq!(right.intraclass_correlation, None);
    }

    #[test]
    fn counts_that_make_no_share() {
        assert_eq!(ClusteredShare::new(&[]), None);
        assert_eq!(ClusteredShare::new(&[(1, 2), (0, 0)]), None);
        assert_eq!(ClusteredShare::new(&[(1, 2), (3, 2)]), None);
        assert!(ClusteredShare::new(&[(0, u64::MAX), (u64::MAX, u64::MAX)]).is_some());
    }

    proptest! {
        #[test]
        fn the_order_of_documents_does_not_matter(
            mut documents in prop::collection::vec((0_u64..20, 0_u64..20), 0..20),
        ) {
            documents.iter_mut().for_each(|(right, total)| *total += *right);
            let found = ClusteredShare::new(&documents);
            documents.reverse();
            let turned = ClusteredShare::new(&documents);
            prop_assert_eq!(found.is_some(), turned.is_some());
            if let (Some(found), Some(turned)) = (found, turned) {
                prop_assert!((found.standard_error - turned.standard_error).abs() < 1e-12);
                let correlation = found.intraclass_correlation.unwrap_or(0.0);
                prop_assert!(correlation <= 1.0 + 1e-12);
            }
        }
    }
}
