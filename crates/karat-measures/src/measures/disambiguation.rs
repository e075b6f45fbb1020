//! Right links among the mentions that were found.
//!
//! What it is: how well a system links, apart from how well it finds. Of the linked gold mentions
//! whose span the system found, the share that it linked rightly.
//! Formula: accuracy = right links / linked gold mentions whose span was predicted.
//! Example: gold [0,6) Q64, [10,15) Q90 and [20,25) Q1, predicted [0,6) Q64 and [10,15) Q84: 1 of 2.
//! Source: the disambiguation accuracy that most papers on linking report, in one form or another.
//! Pitfalls: systems are asked about different mentions, each about those that it found; a system
//! that finds only the easy ones does well.

use crate::measure::{Compute, Definition, DocumentMeasure, Scores};
use crate::score::{Zero, share};
use karat_match::{Agreement, Criteria, Keep, Matcher, Outcome, Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(super) static DISAMBIGUATION: Definition = Definition {
    name: "disambiguation",
    aliases: &[],
    groups: &[],
    file: include_str!("disambiguation.rs"),
    parameters: &[],
    compute: |_| Ok(Compute::Documents(Arc::new(Disambiguation))),
};

#[derive(Debug)]
struct Disambiguation;

impl DocumentMeasure for Disambiguation {
    fn columns(&self) -> &'static [&'static str] {
        &["right", "found"]
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        // All predictions may find a linked gold mention, also those that call it NIL.
        let linked_gold = |at: usize| scene.gold.items[at].link.entity().is_some();
        let asked = scene.keeping(linked_gold, |_| true);
        let right = Criteria::new(Keep::All, Agreement::SPAN.union(Agreement::ENTITY));
        counts[0] += Matcher::new(settings, right).counts(&asked).hits as f64;
        let spans = Matcher::new(settings, Criteria::MENTION).cases(&asked);
        counts[1] += spans.iter().filter(|case| case.outcome == Outcome::Match).count() as f64;
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        Scores::new([("accuracy", share(counts[0], counts[1], zero))])
    }
}
