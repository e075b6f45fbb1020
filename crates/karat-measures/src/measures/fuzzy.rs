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
//! Pitfalls: mentions without category tags weigh 1, so without tags this is plain recall. The weight
//! of a mention with alternatives, and what a hit earns, are not the same in the paper and in its code:
//! compare `rosales-2019` and `rosales-2019-text`. Where a part of the corpus is a gold standard of its own, it has
//! only the predictions on its spans, so that R* is all there is of it: precision counts every prediction.

use crate::harmonic::Ratio;
use crate::measure::{Compute, Definition, DocumentMeasure, Numbers, Scores};
use crate::membership::{Decimals, HitEarns, Membership, OverAlternatives, OverTags};
use crate::parameter::{MeasureContext, Otherwise, ParameterOf};
use crate::score::{Credit, Prf, Zero, share};
use crate::settings;
use crate::values::{Values, WrittenValue};
use karat_match::{Agreement, Criteria, Given, Keep, Matcher, Scene, Settings};
use std::borrow::Cow;
use std::sync::Arc;

/// See the head of this file.
pub(super) static FUZZY: Definition = Definition {
    name: "fuzzy",
    aliases: &[],
    groups: &[],
    file: include_str!("fuzzy.rs"),
    parameters: &[
        &ALPHA,
        &MEMBERSHIP,
        &OVER_TAGS,
        &OVER_ALTERNATIVES,
        &HIT_EARNS,
        &WEIGHT_DECIMALS,
    ],
    compute: |context| Compute::Documents(Arc::new(Fuzzy::asked(context))),
};

static ALPHA: ParameterOf<f64> = ParameterOf {
    name: "alpha",
    about: "The weight of what is not strict.",
    values: &Values {
        named: &[],
        written: Some(WrittenValue {
            about: "a number from 0 to 1",
            example: "0.3",
            read: |text| text.parse().ok().filter(|alpha| (0.0..=1.0).contains(alpha)),
            write: |alpha| Some(alpha.to_string()),
        }),
    },
    otherwise: Otherwise::Is(0.0),
};

static MEMBERSHIP: ParameterOf<Cow<'static, str>> = ParameterOf {
    name: "membership",
    about: "How much gold mentions weigh, by their category tags.",
    values: &settings::MEMBERSHIP,
    otherwise: Otherwise::OfConvention(|convention| {
        Cow::Owned(convention.membership.name().unwrap_or_default().to_owned())
    }),
};

static OVER_TAGS: ParameterOf<OverTags> = ParameterOf {
    name: "over-tags",
    about: "How the weights of several category tags of an annotation are put together.",
    values: &settings::OVER_TAGS,
    otherwise: Otherwise::OfConvention(|convention| convention.membership.over_tags),
};

static OVER_ALTERNATIVES: ParameterOf<OverAlternatives> = ParameterOf {
    name: "over-alternatives",
    about: "How the weights of the alternatives of a mention are put together.",
    values: &settings::OVER_ALTERNATIVES,
    otherwise: Otherwise::OfConvention(|convention| convention.membership.over_alternatives),
};

static HIT_EARNS: ParameterOf<HitEarns> = ParameterOf {
    name: "hit-earns",
    about: "What a hit earns.",
    values: &settings::HIT_EARNS,
    otherwise: Otherwise::OfConvention(|convention| convention.membership.hit_earns),
};

static WEIGHT_DECIMALS: ParameterOf<Decimals> = ParameterOf {
    name: "weight-decimals",
    about: "To how many decimals weights are rounded.",
    values: &settings::DECIMALS,
    otherwise: Otherwise::OfConvention(|convention| convention.membership.decimals),
};

#[derive(Debug)]
struct Fuzzy {
    alpha: f64,
    membership: Membership,
}

impl Fuzzy {
    fn asked(context: &MeasureContext<'_>) -> Fuzzy {
        let given = context.given(&MEMBERSHIP).and_then(|name| Membership::named(&name));
        // The function of the convention may come from a file and have no name.
        let usual = || context.convention().membership.clone();
        let membership = Membership {
            over_tags: context.value(&OVER_TAGS),
            over_alternatives: context.value(&OVER_ALTERNATIVES),
            hit_earns: context.value(&HIT_EARNS),
            decimals: context.value(&WEIGHT_DECIMALS),
            ..given.unwrap_or_else(usual)
        };
        Fuzzy { alpha: context.value(&ALPHA), membership }
    }
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
        // Precision of the paper counts every prediction, also where mentions are given for the
        // other measures.
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

    fn alpha(&self) -> Option<f64> {
        Some(self.alpha)
    }
}
