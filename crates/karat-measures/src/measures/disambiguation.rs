//! Right links among the mentions that were found.
//!
//! What it is: how well a system links, apart from how well it finds. Of the linked gold mentions
//! whose span the system found, the share that it linked rightly. What is right was found, by whichever
//! reading; other mentions are found by the predictions that are left, each by one.
//! Formula: accuracy = right links / linked gold mentions whose span was predicted.
//! Example: gold [0,6) Q64, [10,15) Q90 and [20,25) Q1, predicted [0,6) Q64 and [10,15) Q84: 1 of 2.
//! Source: the disambiguation accuracy that most papers on linking report, in one form or another.
//! Pitfalls: systems are asked about different mentions, each about those that it found; a system
//! that finds only the easy ones does well. A prediction that agrees with optional gold finds no other
//! mention on that span.

use crate::measure::{Compute, Definition, DocumentMeasure, Scores};
use crate::score::{Zero, share};
use karat_facets::Pairs;
use karat_match::{Case, Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(super) static DISAMBIGUATION: Definition = Definition {
    name: "disambiguation",
    aliases: &[],
    groups: &[],
    file: include_str!("disambiguation.rs"),
    parameters: &[],
    compute: |_| Compute::Documents(Arc::new(Disambiguation)),
};

/// Linked gold mentions of a document, by their places among its annotations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Disambiguated {
    /// Those whose span was found.
    pub found: Vec<u32>,
    /// Those that were linked rightly.
    pub right: Vec<u32>,
}

/// The mentions behind the counts of `disambiguation`, as errors have them: a prediction that finds a NIL
/// mention finds no other, and what is right was found.
pub fn disambiguated(settings: &Settings, scene: &Scene<'_>) -> Disambiguated {
    let linked = |cases: &[Case]| -> Vec<u32> {
        let met = cases.iter().filter(|case| case.system.is_some());
        let gold = met.filter_map(|case| scene.gold.items.get(case.gold? as usize));
        gold.filter(|item| item.link.entity().is_some()).map(|item| item.index).collect()
    };
    let Pairs { right, wrong } = Pairs::of(settings, scene);
    let (right, wrong) = (linked(&right), linked(&wrong));
    Disambiguated { found: [right.as_slice(), &wrong].concat(), right }
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

    fn is_of_linking_alone(&self) -> bool {
        true
    }
}
