//! Measures of queries: mentions that were given, each with one answer.

use crate::harmonic::Ratio;
use crate::measure::{Compute, DocumentMeasure, Numbers, Scores, credit_scores};
use crate::score::{Credit, Prf, Zero, share};
use karat_facets::findings;
use karat_match::{Case, Outcome, Scene, Settings, Side};
use std::sync::Arc;

/// Counts what became of every gold mention, and looks at links, at NIL, or at both.
#[derive(Debug)]
pub(crate) struct Queries(pub(crate) Answers);

/// The answers that a measure of queries looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answers {
    /// Entities.
    Links,
    /// NIL.
    Nils,
    /// Both.
    All,
}

/// A measure of queries.
pub(crate) fn queries(answers: Answers) -> Compute {
    Compute::Documents(Arc::new(Queries(answers)))
}

/// What became of a query, in the order of the columns of the total.
const CELLS: [&str; 5] = ["right-link", "wrong-link", "link-as-nil", "right-nil", "nil-as-link"];

/// Every query of a scene: each gold mention, with the prediction on it if there is one. It is a
/// match if it was answered rightly; no answer is the answer NIL.
fn cases(settings: &Settings, scene: &Scene<'_>) -> Vec<Case> {
    let of_gold = findings(settings, scene).into_iter().filter(|(case, _)| case.gold.is_some());
    let case = |(case, finding): (Case, karat_facets::Finding)| {
        // No answer is the answer NIL: every query is answered in one way or the other.
        let unanswered_nil =
            case.system.is_none() && !is_linked(&scene.gold, case.gold).unwrap_or_default();
        let right = finding.is_right() || unanswered_nil;
        Case { outcome: if right { Outcome::Match } else { Outcome::Missed }, ..case }
    };
    of_gold.map(case).collect()
}

/// Which of the cells a query falls into.
fn cell(scene: &Scene<'_>, case: &Case) -> usize {
    let right = case.outcome == Outcome::Match;
    let gold = is_linked(&scene.gold, case.gold).unwrap_or_default();
    let system = is_linked(&scene.system, case.system).unwrap_or_default();
    match (gold, right, system) {
        (true, true, _) => 0,
        (true, false, true) => 1,
        (true, false, false) => 2,
        (false, true, _) => 3,
        (false, false, _) => 4,
    }
}

fn is_linked(side: &Side<'_>, at: Option<u32>) -> Option<bool> {
    Some(side.items.get(at? as usize)?.link.entity().is_some())
}

impl Queries {
    /// What a query is to these answers. One whose right answer is of the other kind cannot be found, only
    /// be answered wrongly.
    fn outcome(&self, scene: &Scene<'_>, case: &Case) -> Outcome {
        match (self.0, cell(scene, case)) {
            (Answers::Links, 4) | (Answers::Nils, 2) => Outcome::Extra,
            (Answers::Links, 3) | (Answers::Nils, 0 | 1) => Outcome::Ignored,
            _ => case.outcome,
        }
    }
}

impl DocumentMeasure for Queries {
    fn columns(&self) -> &'static [&'static str] {
        match self.0 {
            Answers::All => &CELLS,
            Answers::Links | Answers::Nils => &Credit::COLUMNS,
        }
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        for case in cases(settings, scene) {
            self.add(scene, &case, counts);
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        match (self.0, counts) {
            (Answers::All, &[right_link, wrong_link, link_as_nil, right_nil, nil_as_link]) => {
                let cells = [right_link, wrong_link, link_as_nil, right_nil, nil_as_link];
                total(cells, zero).into()
            }
            _ => credit_scores(counts, zero),
        }
    }

    /// All answers together: every query is a prediction, right as far as the weighted precision says.
    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        if self.0 != Answers::All {
            return Some(Credit::from(<[f64; 4]>::try_from(counts).ok()?));
        }
        let queries: f64 = counts.iter().sum();
        let Prf { precision, recall, .. } = total(counts.try_into().ok()?, Zero::Nought);
        let [ptp, rtp] = [precision, recall].map(|share| share.unwrap_or_default() * queries);
        Some(Credit { ptp, fp: queries - ptp, rtp, fn_: queries - rtp })
    }

    fn numbers(&self) -> Numbers {
        match self.0 {
            Answers::All => Numbers::Fractions,
            Answers::Links | Answers::Nils => Numbers::Whole,
        }
    }

    fn cases(&self, settings: &Settings, scene: &Scene<'_>) -> Option<Vec<Case>> {
        let mut cases = cases(settings, scene);
        cases.iter_mut().for_each(|case| case.outcome = self.outcome(scene, case));
        Some(cases)
    }

    fn add(&self, scene: &Scene<'_>, case: &Case, counts: &mut [f64]) {
        if case.outcome == Outcome::Ignored {
            return;
        }
        let cell = cell(scene, case);
        // Right, extra, right, missed: a wrong link is both extra and missed.
        let columns: &[usize] = match (self.0, cell) {
            (Answers::All, cell) => &[cell],
            (Answers::Links, 0) | (Answers::Nils, 3) => &[0, 2],
            (Answers::Links, 1) => &[1, 3],
            (Answers::Links, 4) | (Answers::Nils, 2) => &[1],
            (Answers::Links, 2) | (Answers::Nils, 4) => &[3],
            _ => &[],
        };
        for &column in columns {
            counts[column] += 1.0;
        }
    }
}

/// The scores of links and NIL together. `karat_stats::collection` has the same formula for its models.
fn total(
    [right_link, wrong_link, link_as_nil, right_nil, nil_as_link]: [f64; 5],
    zero: Zero,
) -> Prf {
    let links = right_link + wrong_link + link_as_nil;
    let nils = right_nil + nil_as_link;
    // A kind that was never answered has no right answers, whatever the convention calls its precision.
    let of_links = share(right_link, right_link + wrong_link + nil_as_link, Zero::Nought);
    let of_nils = share(right_nil, right_nil + link_as_nil, Zero::Nought);
    let weighted = links * of_links.unwrap_or_default() + nils * of_nils.unwrap_or_default();
    let of_all = |part: f64| Ratio { part, whole: links + nils };
    Prf::of(of_all(weighted), of_all(right_link + right_nil), zero)
}
