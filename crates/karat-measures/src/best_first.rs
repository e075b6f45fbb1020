//! Cumulative scores over categories of gold, the best category first.

use crate::evaluate::slices::{joined, labels_of_item, taken_apart};
use crate::score::{Credit, Prf, Zero};
use karat_facets::{Facet, UNLABELLED, order};
use karat_match::{Agreement, Criteria, Keep, Matcher, Pairing, Scene, Settings};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The scores that categories are ranked by.
pub const RANKINGS: [&str; 3] = ["precision", "recall", "f1"];

/// How a system does on the best category, the best two, and so on.
#[derive(Debug, Clone)]
pub struct BestFirst {
    /// The categories, in the order of their vocabulary.
    pub categories: Vec<String>,
    /// A curve for each of [`RANKINGS`].
    pub curves: Vec<Curve>,
    /// How many gold annotations belong to no category, or to several.
    pub left_out: usize,
}

/// The curve of one score; categories are ranked by this very score.
#[derive(Debug, Clone)]
pub struct Curve {
    /// The score.
    pub score: &'static str,
    /// A point for each category, the best first.
    pub points: Vec<CurvePoint>,
}

/// A category and all that are better.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// The category that is added, as a position in [`BestFirst::categories`].
    pub category: usize,
    /// Its own score.
    pub own: Option<f64>,
    /// Right, extra and missed mentions of the categories so far.
    pub counts: [u64; 3],
    /// The score of the categories so far.
    pub value: Option<f64>,
}

impl BestFirst {
    /// Ranks the categories that facets give to gold annotations, for a system. Each alternative belongs
    /// to its own category; an annotation with no category, or with several, to none.
    ///
    /// A category alone is scored as a gold standard of its own: mentions are spans, and predictions
    /// elsewhere are left out. Of equals the first of the vocabulary is the best.
    pub fn of(
        pairing: &Pairing<'_>,
        settings: &Settings,
        zero: Zero,
        facets: &[Arc<dyn Facet>],
    ) -> BestFirst {
        let matched = MatchedMentions::of(pairing, settings, facets);
        let alone: Vec<Prf> =
            matched.members.iter().map(|members| matched.score(members, zero)).collect();
        let curve = |score: &'static str| {
            let own = |category: usize| alone.get(category).and_then(|alone| value(alone, score));
            let mut ranked: Vec<usize> = (0..matched.members.len()).collect();
            // A category without a score goes with those of score 0, at the end.
            let key = |category: usize| own(category).unwrap_or_default();
            // The sort is stable: equals stay in the order of the vocabulary.
            ranked.sort_by(|&a, &b| key(b).total_cmp(&key(a)));
            let mut sweep = Sweep::over(&matched);
            let point = |category: usize| {
                sweep.add(&matched.members[category]);
                let value = value(&prf(sweep.counts, zero), score);
                CurvePoint { category, own: own(category), counts: sweep.counts, value }
            };
            Curve { score, points: ranked.into_iter().map(point).collect() }
        };
        let curves = RANKINGS.into_iter().map(curve).collect();
        BestFirst { categories: matched.categories, curves, left_out: matched.left_out }
    }
}

fn value(scores: &Prf, score: &str) -> Option<f64> {
    match score {
        "precision" => scores.precision,
        "recall" => scores.recall,
        _ => scores.f1,
    }
}

fn prf([right, extra, missed]: [u64; 3], zero: Zero) -> Prf {
    let [right, extra, missed] = [right, extra, missed].map(|count| count as f64);
    Credit { ptp: right, fp: extra, rtp: right, fn_: missed }.prf(zero)
}

/// What curves are made of.
#[derive(Default)]
struct MatchedMentions {
    categories: Vec<String>,
    /// Whether the system says anything of a mention.
    answered: Vec<bool>,
    /// The annotations of each category: which mention, and whether the system is right by it.
    members: Vec<Vec<(u32, bool)>>,
    left_out: usize,
}

impl MatchedMentions {
    fn of(
        pairing: &Pairing<'_>,
        settings: &Settings,
        facets: &[Arc<dyn Facet>],
    ) -> MatchedMentions {
        let criteria = Criteria::new(Keep::All, Agreement::SPAN | Agreement::ENTITY);
        let matcher = Matcher::new(settings, criteria);
        let (mut matched, mut scene) = (MatchedMentions::default(), Scene::default());
        let mut by_label: BTreeMap<String, Vec<(u32, bool)>> = BTreeMap::new();
        for index in 0..pairing.len() {
            pairing.watch().advance(1);
            pairing.stage(index, settings, &mut scene);
            for mention in matcher.mentions(&scene).gold {
                let number = matched.answered.len() as u32;
                matched.answered.push(!mention.predictions.is_empty());
                for annotation in &mention.annotations {
                    let labels = labels_of_item(facets, &scene, &scene.gold, &annotation.item);
                    // Exactly one label: with none the annotation has no category, and with several
                    // it would be added more than once.
                    match labels.as_slice() {
                        [label] if taken_apart(label).all(|part| part != UNLABELLED) => {
                            let label = joined(taken_apart(label));
                            let members = by_label.entry(label).or_default();
                            members.push((number, annotation.met.is_some()));
                        }
                        _ => matched.left_out += 1,
                    }
                }
            }
        }
        let mut by_label: Vec<_> = by_label.into_iter().collect();
        by_label.sort_by(|(a, _), (b, _)| order(a).cmp(&order(b)));
        (matched.categories, matched.members) = by_label.into_iter().unzip();
        matched
    }

    /// The scores of one category. Annotations of a mention stand together, so that the state of one
    /// mention is enough.
    fn score(&self, members: &[(u32, bool)], zero: Zero) -> Prf {
        let mut counts = [0; 3];
        // Members were pushed mention by mention, so that those of one mention stand together.
        for mention in members.chunk_by(|a, b| a.0 == b.0) {
            let answered = mention.first().is_some_and(|first| self.answered[first.0 as usize]);
            match mention.iter().any(|(_, right)| *right) {
                true => counts[0] += 1,
                false => {
                    counts[1] += u64::from(answered);
                    counts[2] += 1;
                }
            }
        }
        prf(counts, zero)
    }
}

/// Counts while categories are added: each annotation is looked at once.
struct Sweep<'g> {
    matched: &'g MatchedMentions,
    /// Whether a mention is right; `None` if it is not there yet.
    right: Vec<Option<bool>>,
    counts: [u64; 3],
}

impl<'g> Sweep<'g> {
    fn over(matched: &'g MatchedMentions) -> Sweep<'g> {
        Sweep { matched, right: vec![None; matched.answered.len()], counts: [0; 3] }
    }

    fn add(&mut self, members: &[(u32, bool)]) {
        let [found, extra, missed] = &mut self.counts;
        for &(mention, right) in members {
            let answered = u64::from(self.matched.answered[mention as usize]);
            let state = &mut self.right[mention as usize];
            match (*state, right) {
                (None, true) => *found += 1,
                (None, false) => {
                    *missed += 1;
                    *extra += answered;
                }
                (Some(false), true) => {
                    *found += 1;
                    *missed -= 1;
                    *extra -= answered;
                }
                // Right already, or wrong and still wrong: alternatives of other categories change
                // nothing.
                (Some(_), _) => continue,
            }
            *state = Some(right);
        }
    }
}
