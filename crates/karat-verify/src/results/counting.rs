//! What is counted of each document.

use super::{
    Incomplete, Relations, ResultPreset, RightWhen, UnionOf, VerifiedGold, VerifiedSet,
    VerifiedUnit, sets, weak_hits,
};
use crate::VerifyAction;
use crate::outcome::{CampaignOutcomes, ItemOutcome};
use crate::plan::{CampaignPlan, ItemKind, VerifyItem};
use karat_model::Span;
use std::collections::{BTreeMap, BTreeSet};

/// The counts of one document.
#[derive(Debug, Clone, Default)]
pub(super) struct DocumentTally {
    pub dataset: String,
    /// By source, in the order of sources.
    pub sources: Vec<SourceTally>,
    /// Different units of the union, and units without overlaps, weighted.
    pub union: [f64; 2],
    /// The union against gold, and gold against the union.
    pub relations: [Relations; 2],
    /// Units that one source found, and that two found.
    pub found_by: [f64; 2],
}

/// The counts of one source in one document, weighted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SourceTally {
    /// Proposals with an outcome: verify, modify, remove.
    pub outcomes: [f64; 3],
    /// Proposals without.
    pub open: f64,
    /// The summed chances of verify, and over how much.
    pub chance: [f64; 2],
    /// Proposals whose first judgement is verify, and all that have one.
    pub first: [f64; 2],
    /// The summed variances of what items may be.
    pub doubt: f64,
    /// Units that the source has verified.
    pub verified: f64,
    /// Proposals that are right, and all that were asked.
    pub hits: [f64; 2],
    /// Proposals whose span and link are in the union.
    pub exact: f64,
}

/// One proposal.
struct Proposed<'p> {
    item: &'p VerifyItem,
    outcome: &'p ItemOutcome,
    unit: VerifiedUnit,
}

/// Everything that counting looks at.
pub(super) struct Counting<'c> {
    pub plan: &'c CampaignPlan,
    pub outcomes: &'c CampaignOutcomes,
    pub preset: &'c ResultPreset,
    pub sources: &'c [String],
    pub gold: Option<&'c str>,
    pub verified: &'c VerifiedGold,
}

impl<'c> Counting<'c> {
    /// The counts of all documents, by name.
    pub(super) fn documents(&self) -> BTreeMap<&'c str, DocumentTally> {
        let mut by_document: BTreeMap<&str, Vec<Vec<Proposed<'_>>>> = BTreeMap::new();
        for one in &self.plan.proposals {
            let (Some(item), Some(outcome)) =
                (self.plan.items.get(one.item), self.outcomes.items.get(one.item))
            else {
                continue;
            };
            let Ok(source) = self.sources.binary_search(&one.source) else { continue };
            if item.kind != ItemKind::Real || item.probability <= 0.0 {
                continue;
            }
            let document = self.plan.texts[item.text].document.as_str();
            let lists = by_document.entry(document);
            let lists = lists.or_insert_with(|| self.sources.iter().map(|_| Vec::new()).collect());
            let unit = VerifiedUnit { span: item.span(), link: item.link.clone() };
            lists[source].push(Proposed { item, outcome, unit });
        }
        let datasets: BTreeMap<&str, &str> = self
            .plan
            .texts
            .iter()
            .map(|text| (text.document.as_str(), text.dataset.as_str()))
            .collect();
        let tally = |(name, lists): (&'c str, Vec<Vec<Proposed<'_>>>)| {
            let dataset = datasets.get(name).copied().unwrap_or_default().to_owned();
            (name, DocumentTally { dataset, ..self.document(name, lists) })
        };
        by_document.into_iter().map(tally).collect()
    }

    fn document(&self, name: &str, mut lists: Vec<Vec<Proposed<'_>>>) -> DocumentTally {
        let gold: BTreeSet<VerifiedUnit> = self.gold_units(&lists);
        let weights = SpanWeights::of(&lists);
        if self.preset.incomplete == Incomplete::Dropped {
            self.drop_incomplete(&mut lists);
        }
        let found: Vec<BTreeSet<VerifiedUnit>> =
            lists.iter().map(|list| self.verified_by(name, list)).collect();
        let union: BTreeSet<VerifiedUnit> = match self.preset.union {
            UnionOf::VerifiedGold => self.units_of_gold(name),
            UnionOf::AllTexts | UnionOf::TextsOfAll => found.iter().flatten().cloned().collect(),
        };
        let tallies = lists
            .iter()
            .zip(&found)
            .map(|(list, found)| self.source(list, found, &union, &weights));
        let sources: Vec<SourceTally> = tallies.collect();
        let distinct = match self.preset.union {
            UnionOf::VerifiedGold => weights.of_spans(&union),
            _ => weights.of_units(&union),
        };
        let times = |unit: &VerifiedUnit| found.iter().filter(|found| found.contains(unit)).count();
        let found_by =
            [1, 2].map(|wanted| union.iter().filter(|unit| times(unit) == wanted).count() as f64);
        DocumentTally {
            dataset: String::new(),
            sources,
            union: [distinct, weights.of_units(sets::greedy(&union))],
            relations: [Relations::of(&union, &gold), Relations::of(&gold, &union)],
            found_by,
        }
    }

    /// What gold said before anything was judged.
    fn gold_units(&self, lists: &[Vec<Proposed<'_>>]) -> BTreeSet<VerifiedUnit> {
        let place = self.gold.and_then(|gold| self.sources.iter().position(|one| one == gold));
        let list = place.and_then(|place| lists.get(place));
        list.into_iter().flatten().map(|one| one.unit.clone()).collect()
    }

    /// Drops texts of a source that are not judged whole and, where the union wants texts of all sources, these texts
    /// for everybody.
    fn drop_incomplete(&self, lists: &mut [Vec<Proposed<'_>>]) {
        let incomplete = |list: &Vec<Proposed<'_>>| -> BTreeSet<usize> {
            let open = list.iter().filter(|one| one.outcome.is_open());
            open.map(|one| one.item.text).collect()
        };
        let of_sources: Vec<BTreeSet<usize>> = lists.iter().map(incomplete).collect();
        let of_any: BTreeSet<usize> = of_sources.iter().flatten().copied().collect();
        for (list, of_source) in lists.iter_mut().zip(&of_sources) {
            let dropped = match self.preset.union {
                UnionOf::TextsOfAll => &of_any,
                _ => of_source,
            };
            list.retain(|one| !dropped.contains(&one.item.text));
        }
    }

    fn units_of_gold(&self, name: &str) -> BTreeSet<VerifiedUnit> {
        let spans = self.verified.documents.get(name).into_iter().flatten();
        let unit = |span, link: &crate::LinkTarget| VerifiedUnit { span, link: link.clone() };
        spans.flat_map(|(span, links)| links.iter().map(|link| unit(*span, link))).collect()
    }

    /// What a source has verified.
    fn verified_by(&self, name: &str, list: &[Proposed<'_>]) -> BTreeSet<VerifiedUnit> {
        let is_reading = |unit: &VerifiedUnit| {
            self.verified.readings(name, unit.span).is_some_and(|links| links.contains(&unit.link))
        };
        let kept = |one: &Proposed<'_>| match self.preset.verified {
            VerifiedSet::Verified => {
                (one.outcome.action == Some(VerifyAction::Verify)).then(|| one.unit.clone())
            }
            VerifiedSet::LeftAfterJudging => {
                let link = one.outcome.left(&one.unit.link)?.clone();
                Some(VerifiedUnit { span: one.unit.span, link })
            }
            VerifiedSet::UnitsOfGold => is_reading(&one.unit).then(|| one.unit.clone()),
        };
        list.iter().filter_map(kept).collect()
    }

    fn source(
        &self,
        list: &[Proposed<'_>],
        found: &BTreeSet<VerifiedUnit>,
        union: &BTreeSet<VerifiedUnit>,
        weights: &SpanWeights,
    ) -> SourceTally {
        let mut tally = SourceTally::default();
        let units: Vec<&VerifiedUnit> = list.iter().map(|one| &one.unit).collect();
        let weak = match self.preset.hits {
            RightWhen::Weak => weak_hits(&units, union),
            RightWhen::Outcome | RightWhen::Reading => Vec::new(),
        };
        for (at, one) in list.iter().enumerate() {
            let weight = one.item.weight;
            match one.outcome.action.and_then(VerifyAction::index) {
                Some(answer) => tally.outcomes[answer] += weight,
                None => tally.open += weight,
            }
            if let Some(first) = one.outcome.first {
                tally.first[0] += if first == VerifyAction::Verify { weight } else { 0.0 };
                tally.first[1] += weight;
            }
            if let Some(chances) = one.outcome.chances {
                tally.chance[0] += weight * chances[0];
                tally.chance[1] += weight;
                tally.doubt += weight * chances[0] * (1.0 - chances[0]);
            }
            if one.outcome.is_open() {
                continue;
            }
            let is_hit = match self.preset.hits {
                RightWhen::Outcome => one.outcome.action == Some(VerifyAction::Verify),
                RightWhen::Weak => weak[at],
                RightWhen::Reading => found.contains(&one.unit),
            };
            tally.hits[0] += if is_hit { weight } else { 0.0 };
            tally.hits[1] += weight;
            tally.exact += if union.contains(&one.unit) { weight } else { 0.0 };
        }
        tally.verified = match self.preset.verified {
            // Readings of one span are one unit.
            VerifiedSet::UnitsOfGold => weights.of_spans(found),
            VerifiedSet::LeftAfterJudging => tally.hits[0],
            VerifiedSet::Verified => weights.of_units(found),
        };
        tally
    }
}

/// For how many units those of a span stand, where only some items were drawn. Both sides of a recall are counted with
/// the same weights: a span stands for as many as the most likely of its items, since one of them is enough to find it.
struct SpanWeights(BTreeMap<Span, f64>);

impl SpanWeights {
    fn of(lists: &[Vec<Proposed<'_>>]) -> SpanWeights {
        let mut weights: BTreeMap<Span, f64> = BTreeMap::new();
        for one in lists.iter().flatten() {
            let weight = weights.entry(one.unit.span).or_insert(one.item.weight);
            *weight = weight.min(one.item.weight);
        }
        SpanWeights(weights)
    }

    fn of_span(&self, span: Span) -> f64 {
        self.0.get(&span).copied().unwrap_or(1.0)
    }

    fn of_units<'u>(&self, units: impl IntoIterator<Item = &'u VerifiedUnit>) -> f64 {
        units.into_iter().map(|unit| self.of_span(unit.span)).sum()
    }

    /// Units of one span count once.
    fn of_spans<'u>(&self, units: impl IntoIterator<Item = &'u VerifiedUnit>) -> f64 {
        let spans: BTreeSet<Span> = units.into_iter().map(|unit| unit.span).collect();
        spans.into_iter().map(|span| self.of_span(span)).sum()
    }
}
