//! What became of the queries of a test collection.

/// The queries of a test collection by what a system answered to them. A query is
/// a mention whose gold answer is an entity or NIL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord)]
pub struct Cells {
    /// The gold answer is an entity, and so is the system's, the same one.
    pub right_link: u64,
    /// Both are entities, but not the same.
    pub wrong_link: u64,
    /// An entity that the system called NIL, or did not answer at all.
    pub link_as_nil: u64,
    /// NIL on both sides.
    pub right_nil: u64,
    /// NIL that the system gave an entity.
    pub nil_as_link: u64,
}

/// Precision and recall of links, of NIL, and of both together, as Mertens et al. (2014) define them.
/// What would divide by nothing is `None`.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QueryScores {
    /// Right links of all links that were given.
    pub link_precision: Option<f64>,
    /// Right links of all gold links.
    pub link_recall: Option<f64>,
    /// Right NIL of all NIL that were given.
    pub nil_precision: Option<f64>,
    /// Right NIL of all gold NIL.
    pub nil_recall: Option<f64>,
    /// The mean of both precisions, weighted by how many *gold* links and NIL there are. A kind
    /// that was never answered counts as 0.
    pub precision: Option<f64>,
    /// The mean of both recalls, weighted likewise, which is the share of right answers.
    pub recall: Option<f64>,
    /// The harmonic mean of precision and recall.
    pub f1: Option<f64>,
}

/// Counts that no system can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CellsError {
    /// A part is larger than what it is a part of.
    #[error("{part} ({larger}) cannot be more than {whole} ({smaller})")]
    Inconsistent {
        /// The part.
        part: &'static str,
        /// How many it is.
        larger: u64,
        /// What it is a part of.
        whole: &'static str,
        /// How many that is.
        smaller: u64,
    },
    /// There are more queries than the models are made for.
    #[error("{0} queries are more than the {most} that the models are made for", most = Cells::MOST)]
    TooMany(u64),
}

impl CellsError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            CellsError::Inconsistent { .. } => {
                "the order is L,S,T,M,C: gold links, those answered with a link, those answered rightly, \
                 gold NIL, those answered NIL"
            }
            CellsError::TooMany(_) => {
                "divide all counts by the same number: shares are what matters"
            }
        }
    }
}

impl Cells {
    /// The most queries that the models are made for.
    pub const MOST: u64 = 10_000_000;

    /// From the totals of the paper: gold links L, those of them that were answered with a link S and
    /// with the right one T, gold NIL M, and those of them that were answered NIL C.
    pub fn from_totals([l, s, t, m, c]: [u64; 5]) -> Result<Cells, CellsError> {
        let part = |part, larger, whole, smaller| match larger <= smaller {
            true => Ok(smaller - larger),
            false => Err(CellsError::Inconsistent { part, larger, whole, smaller }),
        };
        let link_as_nil = part("links answered with a link", s, "gold links", l)?;
        let wrong_link = part("links answered rightly", t, "links answered with a link", s)?;
        let nil_as_link = part("NIL answered NIL", c, "gold NIL", m)?;
        let queries = l.saturating_add(m);
        if queries > Cells::MOST {
            return Err(CellsError::TooMany(queries));
        }
        Ok(Cells { right_link: t, wrong_link, link_as_nil, right_nil: c, nil_as_link })
    }

    /// From five counts in the order of the fields.
    pub fn from_counts(
        [right_link, wrong_link, link_as_nil, right_nil, nil_as_link]: [u64; 5],
    ) -> Cells {
        Cells { right_link, wrong_link, link_as_nil, right_nil, nil_as_link }
    }

    /// The five counts, in the order of the fields.
    pub fn counts(&self) -> [u64; 5] {
        [self.right_link, self.wrong_link, self.link_as_nil, self.right_nil, self.nil_as_link]
    }

    /// The totals L, S, T, M, C of the paper.
    pub fn totals(&self) -> [u64; 5] {
        let answered = self.right_link + self.wrong_link;
        [self.links(), answered, self.right_link, self.nils(), self.right_nil]
    }

    /// Gold links.
    pub fn links(&self) -> u64 {
        self.right_link + self.wrong_link + self.link_as_nil
    }

    /// Gold NIL.
    pub fn nils(&self) -> u64 {
        self.right_nil + self.nil_as_link
    }

    /// All queries.
    pub fn queries(&self) -> u64 {
        self.links() + self.nils()
    }

    /// Queries that were answered rightly.
    pub fn right(&self) -> u64 {
        self.right_link + self.right_nil
    }

    /// The same shares among another number of queries: every total is rounded to the
    /// nearest whole number, as if somebody had drawn that many.
    pub fn scaled(&self, queries: u64) -> Cells {
        let all = u128::from(self.queries().max(1));
        let [l, s, t, _, c] = self.totals();
        let part =
            |count: u64| ((2 * u128::from(count) * u128::from(queries) + all) / (2 * all)) as u64;
        let (l, s, t) = (part(l), part(s), part(t));
        let nil = queries.saturating_sub(l);
        let (s, c) = (s.min(l), part(c).min(nil));
        let t = t.min(s);
        Cells::from_counts([t, s - t, l - s, c, nil - c])
    }

    /// The scores of these counts.
    pub fn scores(&self) -> QueryScores {
        query_scores(self.counts().map(|count| count as f64))
    }
}

impl std::ops::Add for Cells {
    type Output = Cells;

    fn add(self, other: Cells) -> Cells {
        let (mine, more) = (self.counts(), other.counts());
        Cells::from_counts(std::array::from_fn(|at| mine[at] + more[at]))
    }
}

/// The scores of five counts, or of five shares, in the order of [`Cells::counts`].
pub fn query_scores(cells: [f64; 5]) -> QueryScores {
    let [right_link, wrong_link, link_as_nil, right_nil, nil_as_link] = cells;
    let links = right_link + wrong_link + link_as_nil;
    let nils = right_nil + nil_as_link;
    let all = links + nils;
    let link_precision = ratio(right_link, right_link + wrong_link + nil_as_link);
    let nil_precision = ratio(right_nil, right_nil + link_as_nil);
    let weighted = links * link_precision.unwrap_or(0.0) + nils * nil_precision.unwrap_or(0.0);
    let (precision, recall) = (ratio(weighted, all), ratio(right_link + right_nil, all));
    QueryScores {
        link_precision,
        link_recall: ratio(right_link, links),
        nil_precision,
        nil_recall: ratio(right_nil, nils),
        precision,
        recall,
        f1: precision.zip(recall).map(|(p, r)| harmonic(p, r)),
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// The harmonic mean; 0 if both are.
#[inline]
pub(super) fn harmonic(p: f64, r: f64) -> f64 {
    if p + r > 0.0 { 2.0 * p * r / (p + r) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(totals: [u64; 5]) -> Cells {
        Cells::from_totals(totals).expect("possible counts")
    }

    #[test]
    fn the_scores_of_the_paper() {
        // Recall, precision and F1 of the subsets, from the cells that their Tables 1 and 2 give.
        for (totals, [r, p, f]) in [
            ([367, 328, 318, 133, 112], [0.8600, 0.8661, 0.8630]),
            ([753, 631, 606, 654, 605], [0.8607, 0.8638, 0.8622]),
            ([169, 99, 95, 777, 760], [0.9038, 0.8984, 0.9011]),
            ([1289, 1058, 1019, 1564, 1477], [0.87487, 0.87614, 0.87550]),
        ] {
            let found = cells(totals).scores();
            for (found, expected) in [(found.recall, r), (found.precision, p), (found.f1, f)] {
                let found = found.expect("there are queries");
                assert!((found - expected).abs() < 5.1e-5, "{totals:?}: {found} {expected}");
            }
            assert_eq!(cells(totals).totals(), totals);
        }
    }

    #[test]
    fn precision_is_weighted_by_gold_and_not_by_answers() {
        // Three links, one right, two called NIL; one NIL, right. P_L = 1, P_N = 1/3.
        let scores = cells([3, 1, 1, 1, 1]).scores();
        assert_eq!(scores.link_precision, Some(1.0));
        assert_eq!(scores.nil_precision, Some(1.0 / 3.0));
        let precision = scores.precision.expect("defined");
        assert!((precision - (3.0 + 1.0 / 3.0) / 4.0).abs() < 1e-15);
        assert_eq!(scores.recall, Some(0.5));
    }

    #[test]
    fn nothing_has_no_score_and_what_was_never_answered_counts_as_0() {
        assert_eq!(Cells::default().scores(), QueryScores::default());
        let silent = cells([2, 0, 0, 2, 2]).scores();
        assert_eq!((silent.link_precision, silent.nil_precision), (None, Some(0.5)));
        assert_eq!((silent.precision, silent.recall), (Some(0.25), Some(0.5)));
        let hopeless = cells([1, 1, 0, 0, 0]).scores();
        assert_eq!((hopeless.f1, hopeless.nil_recall), (Some(0.0), None));
    }

    #[test]
    fn impossible_totals_are_refused() {
        let message = |totals| Cells::from_totals(totals).expect_err("impossible").to_string();
        assert_eq!(
            message([5, 6, 1, 1, 1]),
            "links answered with a link (6) cannot be more than gold links (5)"
        );
        assert_eq!(
            message([5, 4, 5, 1, 1]),
            "links answered rightly (5) cannot be more than links answered with a link (4)"
        );
        assert_eq!(
            message([5, 4, 4, 1, 2]),
            "NIL answered NIL (2) cannot be more than gold NIL (1)"
        );
        assert!(message([u64::MAX, 1, 1, u64::MAX, 1]).contains("are more than the 10000000"));
    }

    #[test]
    fn scaling_gives_the_second_set_of_the_paper() {
        let all = cells([1289, 1058, 1019, 1564, 1477]);
        assert_eq!(all.scaled(1000).totals(), [452, 371, 357, 548, 518]);
        assert_eq!(all.scaled(0), Cells::default());
        assert_eq!(Cells::default().scaled(7).queries(), 7);
    }
}
