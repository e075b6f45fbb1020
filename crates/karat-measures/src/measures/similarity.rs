//! How much two outputs have in common.
//!
//! What it is: the agreement of two systems, or of two annotators: neither is right. The second takes
//! the place of gold. Each item looks for an equal on the other side, and none is used up. `of=link`
//! (the default), `of=mention` or `of=tag` says what is compared. `karat eval --similarity` sets every two
//! systems side by side.
//! Formula: S = (items of A with an equal in B + items of B with an equal in A) / (items of A + items
//! of B).
//! Example: A has [0,4) Q1 and [5,9) Q2, B has [0,4) Q1, [5,9) Q3 and [10,14) Q4: S = 2/5.
//! Source: similarity of Cornolti et al. (2013). The counts `gold_alone` and `system_alone` are the
//! dissimilarity of either to the other.
//! Pitfalls: two outputs without anything are alike: 1 where the convention has a rule for it, undefined
//! in karat's own. BAT's own micro average divides whole numbers, and so is 0 unless all are alike.

use crate::asked::counted;
use crate::measure::{Compute, Definition, DocumentMeasure, Scores};
use crate::parameter::{Otherwise, ParameterOf};
use crate::score::Zero;
use crate::values::{Values, named};
use karat_match::{Agreement, Criteria, Keep, Matcher, Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(super) static SIMILARITY: Definition = Definition {
    name: "similarity",
    aliases: &[],
    groups: &[],
    file: include_str!("similarity.rs"),
    parameters: &[&OF],
    compute: |context| Compute::Documents(Arc::new(Similarity { criteria: context.value(&OF) })),
};

static OF: ParameterOf<Criteria> = ParameterOf {
    name: "of",
    about: "What is compared.",
    values: &Values::only(&[
        named("link", Criteria::LINK, "Spans with their entities."),
        named("mention", Criteria::MENTION, "Spans."),
        named(
            "tag",
            Criteria::new(Keep::Linked, Agreement::ENTITY),
            "The entities of a document, wherever they are mentioned.",
        ),
    ]),
    otherwise: Otherwise::Is(Criteria::LINK),
};

#[derive(Debug)]
struct Similarity {
    criteria: Criteria,
}

impl DocumentMeasure for Similarity {
    fn columns(&self) -> &'static [&'static str] {
        &["gold_met", "gold_alone", "system_met", "system_alone"]
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let part = counted(scene);
        let scene = part.as_ref().unwrap_or(scene);
        let alike = Matcher::new(settings, self.criteria).alike(scene);
        let found = [
            alike.gold_met,
            alike.gold - alike.gold_met,
            alike.system_met,
            alike.system - alike.system_met,
        ];
        for (count, more) in counts.iter_mut().zip(found) {
            *count += more as f64;
        }
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let items: f64 = counts.iter().sum();
        let similarity = match (items, zero) {
            (0.0, Zero::Undefined) => None,
            (0.0, _) => Some(1.0),
            (items, _) => Some((counts[0] + counts[2]) / items),
        };
        Scores::new([("similarity", similarity)])
    }

    fn compares_outputs(&self) -> bool {
        true
    }
}
