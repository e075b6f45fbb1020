//! BLANC: the mean of how well pairs are put together and kept apart.
//!
//! Scores of pairwise and of pairwise_negative are averaged, precision with precision,
//! recall with recall and F1 with F1, so that the few pairs that belong together weigh
//! as much as the many that do not.
//!
//! Formula: P = (P of pairwise + P of pairwise_negative) / 2, R and F1 likewise. If gold puts no pair together, the pairs kept apart alone count, and the reverse.
//!
//! Example: gold {a b} {c}, system {a b c}: together 1 of 3 pairs right, P = 1/3, R = 1, F1 = 1/2; apart nothing, all 0; BLANC P = 1/6, R = 1/2, F1 = 1/4.
//!
//! Source: Recasens and Hovy (2011), "BLANC: Implementing the Rand index for coreference evaluation", Natural Language Engineering 17; for items of one side only Luo, Pradhan, Recasens and Hovy (2014), "An extension of BLANC to system mentions", ACL.
//!
//! Pitfalls: F1 is not the harmonic mean of the P and R shown; it cannot be added up over documents, only its counts can. A gold standard of one item has no pairs: the score is 1 if the system has exactly that item.

use super::cluster_measure::Clusters;
use super::{ClusterScores, Contingency, Credit, pairwise, pairwise_negative};
use crate::measure::{Compute, CorpusMeasure, Definition, Gathered, Numbers, Scores};
use crate::score::Zero;
use karat_match::{Agreement, Criteria, Keep, Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(crate) static DEFINITION: Definition = Definition {
    name: "blanc",
    aliases: &[],
    groups: &[],
    file: include_str!("blanc.rs"),
    parameters: &[],
    compute: |_| {
        let criteria = Criteria::new(Keep::All, Agreement::SPAN);
        Compute::Corpus(Arc::new(Blanc { clusters: Clusters::new(criteria, pairwise::COUNTING) }))
    },
};

/// Its counts are the scores themselves, as they do not follow from four numbers, and how many items
/// either side has.
#[derive(Debug)]
struct Blanc {
    clusters: Clusters,
}

impl CorpusMeasure for Blanc {
    fn purpose(&self) -> String {
        self.clusters.purpose()
    }

    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
        self.clusters.gather(settings, scene, gathered);
    }

    fn columns(&self) -> &'static [&'static str] {
        &[]
    }

    fn total(&self, gathered: &Gathered) -> Vec<f64> {
        let table = gathered.contingency();
        let ClusterScores { precision, recall, f1 } = score(table);
        vec![precision, recall, f1, table.system_items() as f64, table.gold_items() as f64]
    }

    /// Of the items of either side the share that its scores give.
    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        let &[precision, recall, _, system, gold] = counts else { return None };
        let (ptp, rtp) = (precision * system, recall * gold);
        Some(Credit { ptp, fp: system - ptp, rtp, fn_: gold - rtp })
    }

    fn numbers(&self) -> Numbers {
        Numbers::Fractions
    }

    fn takes_one_of_a_span(&self) -> bool {
        true
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let at = |index: usize| counts.get(index).copied().unwrap_or_default();
        let defined =
            |score: usize, items: f64| (items > 0.0 || zero != Zero::Undefined).then(|| at(score));
        let (system, gold) = (at(3), at(4));
        Scores::new([
            ("precision", defined(0, system)),
            ("recall", defined(1, gold)),
            ("f1", defined(2, system + gold)),
        ])
    }
}

/// The scores of this measure.
pub fn score(table: &Contingency) -> ClusterScores {
    // One item makes no pairs, so both halves of the formula are 0/0. Recasens and Hovy (2011)
    // define this case separately.
    if table.gold_items() == 1 {
        let same = table.shared_items() == 1 && table.system_items() == 1;
        let score = f64::from(u8::from(same));
        return ClusterScores { precision: score, recall: score, f1: score };
    }
    from_counts(&pairwise::count(table), &pairwise_negative::count(table))
}

/// The scores that follow from the counts of pairwise and of pairwise_negative.
pub fn from_counts(together: &Credit, apart: &Credit) -> ClusterScores {
    let in_gold = |counts: &Credit| counts.rtp + counts.fn_;
    if in_gold(together) == 0.0 {
        apart.scores()
    } else if in_gold(apart) == 0.0 {
        together.scores()
    } else {
        mean(together.scores(), apart.scores())
    }
}

fn mean(one: ClusterScores, other: ClusterScores) -> ClusterScores {
    ClusterScores {
        precision: (one.precision + other.precision) / 2.0,
        recall: (one.recall + other.recall) / 2.0,
        f1: (one.f1 + other.f1) / 2.0,
    }
}
