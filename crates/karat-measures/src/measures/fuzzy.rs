//! Recall that asks less for what not everybody would annotate.
//!
//! What it is: gold mentions weigh between 0 and 1, by a membership function over their category tags.
//! Missing a mention of little weight costs little. Precision is plain, and counts every prediction; where
//! mentions are given, those in documents that gold does not have are left out as in every other measure.
//! Formula: P = hits / predicted spans, R* = sum of the weights of hits / sum of the weights of gold,
//! F1* = 2 P R* / (P + R*).
//! Example: a full name and a common form, of which the full name is found; membership `strict`. With
//! alpha=1, R* = 1/2; with alpha=0.5, R* = 1/1.5 = .667; with alpha=0, R* = 1.
//! Source: Rosales-Méndez, Hogan and Poblete (2019), section 6 and Figure 5.
//! Parameters: `alpha`, the weight of what is not strict (0 unless given); `membership`: strict, strict-text, questionnaire (what
//! people answered in the authors' survey), systems (the mean recall of the authors' six systems) or
//! attribute:KEY (a number that each mention has itself); `over-tags`: min, mean or product;
//! `over-alternatives`: max or min; `hit-earns`: mention or alternative; `weight-decimals`: to how many decimals
//! weights are rounded, 6 at most. What is not given is as the preset has it.
//! Pitfalls: mentions without category tags weigh 1, so without tags this is plain recall. The weight
//! of a mention with alternatives, and what a hit earns, are not the same in the paper and in its code:
//! compare `rosales-2019` and `rosales-2019-text`. Where a part of the corpus is a gold standard of its own, it has
//! only the predictions on its spans, so that R* is all there is of it: precision counts every prediction.

use crate::harmonic::Ratio;
use crate::measure::{Compute, Definition, DocumentMeasure, Numbers, Parameters, Scores};
use crate::membership::{MEMBERSHIPS, Membership};
use crate::score::{Credit, Prf, Zero, share};
use karat_match::{Agreement, Criteria, Given, Keep, Matcher, Scene, Settings};
use std::sync::Arc;

/// See the head of this file.
pub(super) static FUZZY: Definition = Definition {
    name: "fuzzy",
    aliases: &[],
    groups: &[],
    file: include_str!("fuzzy.rs"),
    parameters: &[
        "alpha",
        "membership",
        "over-tags",
        "over-alternatives",
        "hit-earns",
        "weight-decimals",
    ],
    compute: |parameters| Ok(Compute::Documents(Arc::new(Fuzzy::asked(parameters)?))),
};

#[derive(Debug)]
struct Fuzzy {
    alpha: f64,
    parameters: Parameters,
    membership: Membership,
}

impl Fuzzy {
    fn asked(parameters: &Parameters) -> Result<Fuzzy, String> {
        let alpha = match parameters.get("alpha") {
            None => 0.0,
            Some(text) => text
                .parse()
                .ok()
                .filter(|alpha| (0.0..=1.0).contains(alpha))
                .ok_or_else(|| format!("`{text}` is no weight from 0 to 1"))?,
        };
        let membership = changed(crate::Convention::default().membership, parameters)?;
        Ok(Fuzzy { alpha, parameters: parameters.clone(), membership })
    }
}

/// A membership function with what a name says in brackets.
fn changed(usual: Membership, parameters: &Parameters) -> Result<Membership, String> {
    let mut membership = match parameters.get("membership") {
        None => usual,
        Some(name) => Membership::named(name)
            .ok_or_else(|| {
                let known = MEMBERSHIPS.join(", ");
                format!(
                    "`{name}` is no membership function: expected one of {known}, or attribute:KEY"
                )
            })?
            .put_together_like(&usual),
    };
    if let Some(word) = parameters.get("over-tags") {
        membership.over_tags = word.parse()?;
    }
    if let Some(word) = parameters.get("over-alternatives") {
        membership.over_alternatives = word.parse()?;
    }
    if let Some(word) = parameters.get("hit-earns") {
        membership.hit_earns = word.parse()?;
    }
    if let Some(word) = parameters.get("weight-decimals") {
        membership.decimals = word.parse()?;
    }
    Ok(membership)
}

impl DocumentMeasure for Fuzzy {
    fn columns(&self) -> &'static [&'static str] {
        &["ptp", "fp", "fn", "earned_millionths", "weight_millionths"]
    }

    fn tally(&self, settings: &Settings, scene: &Scene<'_>, counts: &mut [f64]) {
        let document = scene.gold.document;
        // Mentions were given, and none here: the other measures see nothing of this document either.
        if document.is_none() && settings.given != Given::Nothing {
            return;
        }
        let settings = Settings { given: Given::Nothing, ..settings.clone() };
        let criteria = Criteria::new(Keep::All, Agreement::SPAN | Agreement::ENTITY);
        let mentions = Matcher::new(&settings, criteria).mentions(scene);
        let hits = mentions.gold.iter().filter(|mention| mention.hit().is_some()).count();
        let extra = mentions.predicted() - hits;
        let missed = mentions.gold.len() - hits;
        let weights = mentions
            .gold
            .iter()
            .map(|mention| self.membership.of_mention(document.as_ref(), mention, self.alpha));
        let [earned, weight] =
            weights.fold([0.0; 2], |sums, more| [sums[0] + more[0], sums[1] + more[1]]);
        let all = [hits as f64, extra as f64, missed as f64, earned, weight];
        for (count, more) in counts.iter_mut().zip(all) {
            *count += more;
        }
    }

    fn credit(&self, counts: &[f64]) -> Option<Credit> {
        let &[hits, extra, _, earned, weight] = counts else { return None };
        if extra.is_nan() {
            return None;
        }
        let [rtp, fn_] = [earned, weight - earned].map(|weight| weight / 1e6);
        Some(Credit { ptp: hits, fp: extra, rtp, fn_ })
    }

    fn numbers(&self) -> Numbers {
        Numbers::Fractions
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let &[hits, extra, _, earned, weight] = counts else { return Scores::default() };
        if extra.is_nan() {
            return Prf { recall: share(earned, weight, zero), ..Prf::default() }.into();
        }
        let precision = Ratio { part: hits, whole: hits + extra };
        Prf::of(precision, Ratio { part: earned, whole: weight }, zero).into()
    }

    /// Precision counts every prediction, and no part has them all.
    fn forget_in_part(&self, counts: &mut [f64]) {
        if let [_, extra, ..] = counts {
            *extra = f64::NAN;
        }
    }

    fn needs_exact_spans(&self) -> bool {
        true
    }

    fn with_membership(&self, membership: &Membership) -> Option<Arc<dyn DocumentMeasure>> {
        let Fuzzy { alpha, parameters, .. } = self;
        // They were read before, when the measure was named.
        let membership = changed(membership.clone(), parameters).ok()?;
        Some(Arc::new(Fuzzy { alpha: *alpha, parameters: parameters.clone(), membership }))
    }
}
