//! How high the gold entity is ranked.
//!
//! What it is: the distribution of the rank of the right entity among the candidates.
//! Formula: counts of linked gold mentions by rank; `at-k` = those at rank k or above / linked gold
//! mentions whose span was predicted, or with `over=all` all linked gold mentions.
//! Example: gold [0,5) Q64 and [10,15) Q90, predicted [0,5) with Q1, Q64 and [10,15) with Q84: one at rank
//! 2, one absent.
//! Source: the candidate experiment of Cornolti et al. (2013), where a rank of -1 is `absent` here.
//! Pitfalls: `unfound` are mentions whose span was not predicted; BAT does not see them.

use crate::measure::{Compute, Definition, DocumentMeasure, Scores};
use crate::ranks::{OVER, Over, questions};
use crate::score::{Zero, share};
use karat_match::{Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(super) static GOLD_RANK: Definition = Definition {
    name: "gold-rank",
    aliases: &[],
    groups: &["ranks"],
    file: include_str!("gold_rank.rs"),
    parameters: &[&OVER],
    compute: |context| Compute::Documents(Arc::new(GoldRank { over: context.value(&OVER) })),
};

#[derive(Debug)]
struct GoldRank {
    over: Over,
}

const COLUMNS: [&str; 9] = [
    "rank-1",
    "rank-2",
    "rank-3",
    "rank-4-5",
    "rank-6-10",
    "rank-11-20",
    "rank-21+",
    "absent",
    "unfound",
];
/// The last rank of each column but those for no rank.
const LAST: [usize; 7] = [1, 2, 3, 5, 10, 20, usize::MAX];
const ABSENT: usize = 7;
const UNFOUND: usize = 8;

impl DocumentMeasure for GoldRank {
    fn columns(&self) -> &'static [&'static str] {
        &COLUMNS
    }

    fn tally(&self, _settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        for question in questions(scene) {
            for rank in question.best() {
                let column = match rank {
                    Some(rank) => LAST.partition_point(|&last| last < rank),
                    None if question.is_found() => ABSENT,
                    None => UNFOUND,
                };
                counts[column] += 1.0;
            }
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let whole = match self.over {
            Over::Found => counts[..=ABSENT].iter().sum(),
            Over::All => counts.iter().sum(),
        };
        let within = |columns: usize| share(counts[..columns].iter().sum(), whole, zero);
        Scores::new([
            ("at-1", within(1)),
            ("at-3", within(3)),
            ("at-5", within(4)),
            ("at-10", within(5)),
            ("at-20", within(6)),
            ("any", within(7)),
        ])
    }
}
