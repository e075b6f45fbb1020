//! How sources did against gold before anything was verified.

use super::answer::BeforeRecord;
use crate::inputs::Run;
use crate::scoring::{EvaluationAnswer, Scoring};
use karat_measures::presets;
use karat_model::{Corpus, CorpusBuilder, Link};
use karat_stats::{Bootstrap, Counts, Sampling};
use karat_verify::LinkTarget;
use karat_verify::plan::{CampaignPlan, ItemKind};
use karat_verify::results::{VerifiedUnit, weak_hits};
use std::collections::{BTreeMap, BTreeSet};

/// What each source said, by document.
type Said<'p> = BTreeMap<&'p str, BTreeMap<&'p str, BTreeSet<VerifiedUnit>>>;

/// Precision and recall of every other source against the gold source. Exact matches are those of the engine; overlapping ones
/// are counted as the code of the paper does, which divides the hits of the system by the size of gold.
pub(super) fn before(plan: &CampaignPlan, gold: &str, bootstrap: &Bootstrap) -> Vec<BeforeRecord> {
    let said = said(plan);
    let Some(of_gold) = said.get(gold) else { return Vec::new() };
    let documents: BTreeSet<&str> = said.values().flat_map(BTreeMap::keys).copied().collect();
    let others: Vec<(&str, &BTreeMap<&str, BTreeSet<VerifiedUnit>>)> = said
        .iter()
        .filter(|(name, _)| **name != gold)
        .map(|(name, units)| (*name, units))
        .collect();
    let runs: Vec<Run> =
        others.iter().map(|(name, units)| Run::new(*name, corpus(units, &documents))).collect();
    // The measure is one of the preset's own, so that there is nothing that could be misspelt.
    let Ok(scoring) = Scoring::under(&presets::NELEVAL, &["link"]) else { return Vec::new() };
    let board = scoring.score(gold, &corpus(of_gold, &documents), &runs);
    let answer = EvaluationAnswer::of(&[board]);
    let record = |((name, units), system): ((&str, &BTreeMap<&str, BTreeSet<VerifiedUnit>>), _)| {
        let system: &crate::scoring::answer::SystemRecord = system;
        let score = |name: &str| system.measures.first().and_then(|one| one.score(name).flatten());
        let (hits, proposed) = weak(units, of_gold);
        let expected: usize = of_gold.values().map(BTreeSet::len).sum();
        let share = |of: usize| (of > 0).then(|| hits as f64 / of as f64);
        let counts = strong(units, of_gold, &documents);
        BeforeRecord {
            source: name.to_owned(),
            strong_precision: score("precision"),
            precision_interval: drawn(&counts, 1, bootstrap),
            strong_recall: score("recall"),
            recall_interval: drawn(&counts, 2, bootstrap),
            weak_precision: share(proposed),
            weak_recall: share(expected),
        }
    };
    others.into_iter().zip(&answer.systems).map(record).collect()
}

fn said(plan: &CampaignPlan) -> Said<'_> {
    let mut said = Said::new();
    for proposal in &plan.proposals {
        let item = &plan.items[proposal.item];
        if item.kind == ItemKind::Real {
            let document = plan.texts[item.text].document.as_str();
            let unit = VerifiedUnit { span: item.span(), link: item.link.clone() };
            said.entry(&proposal.source).or_default().entry(document).or_default().insert(unit);
        }
    }
    said
}

fn corpus(units: &BTreeMap<&str, BTreeSet<VerifiedUnit>>, documents: &BTreeSet<&str>) -> Corpus {
    let mut builder = CorpusBuilder::new();
    for document in documents {
        builder.continue_document(document);
        for unit in units.get(document).into_iter().flatten() {
            let link = match &unit.link {
                LinkTarget::Entity(id) => Link::to(builder.intern(id)),
                LinkTarget::Nil => Link::NIL,
            };
            builder.annotate(unit.span, link);
        }
    }
    builder.finish()
}

/// Of each document: what gold has too, what the source has, and what gold has.
fn strong(
    units: &BTreeMap<&str, BTreeSet<VerifiedUnit>>,
    gold: &BTreeMap<&str, BTreeSet<VerifiedUnit>>,
    documents: &BTreeSet<&str>,
) -> Counts {
    let nothing = BTreeSet::new();
    let row = |document: &&str| {
        let (units, gold) =
            (units.get(document).unwrap_or(&nothing), gold.get(document).unwrap_or(&nothing));
        [units.intersection(gold).count(), units.len(), gold.len()].map(|count| count as f64)
    };
    Counts::new(3, documents.iter().flat_map(row).collect())
}

/// The interval of hits over one of the other counts, from drawing documents again.
fn drawn(counts: &Counts, over: usize, bootstrap: &Bootstrap) -> Option<[f64; 2]> {
    let ratio = |sums: &[f64]| (sums[over] > 0.0).then(|| sums[0] / sums[over]);
    let found = bootstrap.intervals(counts, &Sampling::Documents, &[&ratio]);
    found.first().copied().flatten().map(|found| [found.low, found.high])
}

/// Proposals that overlap gold with their entity, and all proposals.
fn weak(
    units: &BTreeMap<&str, BTreeSet<VerifiedUnit>>,
    gold: &BTreeMap<&str, BTreeSet<VerifiedUnit>>,
) -> (usize, usize) {
    let nothing = BTreeSet::new();
    let (mut hits, mut all) = (0, 0);
    for (document, units) in units {
        let asked: Vec<&VerifiedUnit> = units.iter().collect();
        hits += weak_hits(&asked, gold.get(document).unwrap_or(&nothing))
            .into_iter()
            .filter(|hit| *hit)
            .count();
        all += units.len();
    }
    (hits, all)
}
