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

use super::{Contingency, Counts, Scores, pairwise, pairwise_negative};

/// The scores of this measure.
pub fn score(table: &Contingency) -> Scores {
    if table.gold_items() == 1 {
        let same = table.shared_items() == 1 && table.system_items() == 1;
        let score = f64::from(u8::from(same));
        return Scores::new(score, score);
    }
    from_counts(&pairwise::count(table), &pairwise_negative::count(table))
}

/// The scores that follow from the counts of pairwise and of pairwise_negative.
pub fn from_counts(together: &Counts, apart: &Counts) -> Scores {
    let in_gold = |counts: &Counts| counts.rtp + counts.fn_;
    if in_gold(together) == 0.0 {
        apart.scores()
    } else if in_gold(apart) == 0.0 {
        together.scores()
    } else {
        mean(together.scores(), apart.scores())
    }
}

fn mean(one: Scores, other: Scores) -> Scores {
    Scores {
        precision: (one.precision + other.precision) / 2.0,
        recall: (one.recall + other.recall) / 2.0,
        f1: (one.f1 + other.f1) / 2.0,
    }
}
