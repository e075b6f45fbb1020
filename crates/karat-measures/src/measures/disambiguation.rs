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

const RIGHT: Criteria = Criteria::new(Keep::All, Agreement::SPAN.union(Agreement::ENTITY));

/// The scene with the gold mentions that are linked. All predictions may find one, also those that
/// call it NIL.
fn linked_gold<'a>(scene: &Scene<'a>) -> Scene<'a> {
    scene.keeping(|at| scene.gold.items[at].link.entity().is_some(), |_| true)
}

/// Linked gold mentions of a document, by their places among its annotations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disambiguated {
    /// Those whose span was found.
    pub found: Vec<u32>,
    /// Those that were linked rightly.
    pub right: Vec<u32>,
}

/// The mentions behind the counts of `disambiguation`. What is right is right in the assignment of
/// all gold, as `link` has it: a prediction that finds a NIL mention there links no other.
pub fn disambiguated(settings: &Settings, scene: &Scene<'_>) -> Disambiguated {
    let met = |criteria: Criteria, scene: &Scene<'_>| -> Vec<u32> {
        let cases = Matcher::new(settings, criteria).cases(scene).into_iter();
        let hits = cases.filter(|case| case.outcome == Outcome::Match);
        let gold = hits.filter_map(|case| scene.gold.items.get(case.gold? as usize));
        gold.filter(|item| item.link.entity().is_some()).map(|item| item.index).collect()
    };
    let found = met(Criteria::MENTION, &linked_gold(scene));
    Disambiguated { found, right: met(RIGHT, scene) }
}

#[derive(Debug)]
struct Disambiguation;

impl DocumentMeasure for Disambiguation {
    fn columns(&self) -> &'static [&'static str] {
        &["right", "found"]
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let Disambiguated { found, right } = disambiguated(settings, scene);
        counts[0] += right.len() as f64;
        counts[1] += found.len() as f64;
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        Scores::new([("accuracy", share(counts[0], counts[1], zero))])
    }
}
