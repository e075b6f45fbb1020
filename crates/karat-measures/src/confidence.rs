//! Predictions by their confidence.

use crate::measure::{Compute, CorpusMeasure, Gathered, Points, Scored, Scores};
use crate::score::{Zero, share};
use karat_match::{Criteria, Matcher, Outcome, Pairing, Scene, Settings};
use std::collections::HashMap;
use std::sync::Arc;

/// Predicted links, the most confident first, and how many gold links there are.
#[derive(Debug, Clone, Default)]
pub struct Confidences {
    scored: Vec<Scored>,
    gold: u64,
    unrated: usize,
}

/// Predictions of about the same confidence.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Bin {
    /// Confidences in it are above this; in the first, 0 as well.
    pub above: f64,
    /// And at most this.
    pub to: f64,
    /// How many predictions are in it.
    pub predictions: u64,
    /// How many of them are right.
    pub right: u64,
    /// The sum of their confidences.
    pub confidence: f64,
}

impl Confidences {
    /// All predicted links of a system. A link that counts neither for nor against is left out.
    pub fn of(pairing: &Pairing<'_>, settings: &Settings) -> Confidences {
        let mut gathered = Gathered::default();
        let mut scene = Scene::default();
        for index in 0..pairing.len() {
            pairing.stage(index, settings, &mut scene);
            gather(settings, &scene, &mut gathered);
        }
        Confidences::from(&gathered)
    }

    /// For each threshold, falling: precision and recall of what is at least as confident.
    /// Recall is over all gold links; without any there is no curve.
    pub fn precision_recall(&self) -> Vec<(f64, f64, f64)> {
        if self.gold == 0 {
            return Vec::new();
        }
        let point = |step: &Step| {
            let right = step.right as f64;
            (step.threshold, right / step.taken as f64, right / self.gold as f64)
        };
        self.steps().iter().map(point).collect()
    }

    /// The same with recall first, as the curve is drawn.
    fn recall_precision(&self) -> Vec<(f64, f64, f64)> {
        let points = self.precision_recall().into_iter();
        points.map(|(threshold, precision, recall)| (threshold, recall, precision)).collect()
    }

    /// For each bin that is not empty: how many predictions are in it, the mean of their confidences
    /// and the share of right ones.
    fn calibration(&self, bins: usize) -> Vec<(f64, f64, f64)> {
        let bins = self.reliability(bins).into_iter().filter(|bin| bin.predictions > 0);
        let point = |bin: Bin| {
            let predictions = bin.predictions as f64;
            (predictions, bin.confidence / predictions, bin.right as f64 / predictions)
        };
        bins.map(point).collect()
    }

    /// For each threshold, falling: the share of predictions at least as confident, and
    /// the share of wrong ones among these.
    pub fn risk_coverage(&self) -> Vec<(f64, f64, f64)> {
        let all = self.scored.len() as f64;
        let point = |step: &Step| (step.threshold, step.taken as f64 / all, step.risk());
        self.steps().iter().map(point).collect()
    }

    /// Bins of equal width from 0 to 1. Confidences outside are in none.
    pub fn reliability(&self, bins: usize) -> Vec<Bin> {
        let edge = |index: usize| index as f64 / bins as f64;
        let empty = |index| Bin { above: edge(index), to: edge(index + 1), ..Bin::default() };
        let mut all: Vec<Bin> = (0..bins).map(empty).collect();
        for scored in self.scored.iter().filter(|scored| is_probability(scored.confidence)) {
            // The first bin whose upper border is not below: a confidence on a border belongs to
            // the lower bin.
            let index = all.partition_point(|bin| bin.to < scored.confidence);
            if let Some(bin) = all.get_mut(index) {
                bin.predictions += 1;
                bin.right += u64::from(scored.right);
                bin.confidence += scored.confidence;
            }
        }
        all
    }

    /// What is taken at each threshold; predictions of one confidence come together.
    fn steps(&self) -> Vec<Step> {
        let (mut taken, mut right) = (0, 0);
        // Predictions of one confidence cannot be told apart by any threshold, so they are one
        // step. Otherwise their order in the file would decide the area under the curve.
        let groups = self.scored.chunk_by(|a, b| a.confidence == b.confidence);
        let step = |group: &[Scored]| {
            taken += group.len();
            right += group.iter().filter(|scored| scored.right).count();
            Step { threshold: group[0].confidence, size: group.len(), taken, right }
        };
        groups.map(step).collect()
    }

    fn average_precision(&self) -> f64 {
        let mut before = 0;
        let steps = self.steps();
        let parts = steps.iter().map(|step| {
            let more = step.right - std::mem::replace(&mut before, step.right);
            more as f64 / self.gold as f64 * (step.right as f64 / step.taken as f64)
        });
        if self.gold == 0 { 0.0 } else { parts.sum() }
    }

    fn area_of_risk(&self) -> f64 {
        let steps = self.steps();
        let sum: f64 = steps.iter().map(|step| step.size as f64 * step.risk()).sum();
        sum / self.scored.len() as f64
    }

    fn calibration_error(&self, bins: usize) -> f64 {
        let gaps = self.reliability(bins).into_iter();
        let sum: f64 = gaps.map(|bin| (bin.right as f64 - bin.confidence).abs()).sum();
        sum / self.scored.len() as f64
    }

    fn brier(&self) -> f64 {
        let error = |scored: &Scored| f64::from(u8::from(scored.right)) - scored.confidence;
        let sum: f64 = self.scored.iter().map(|scored| error(scored).powi(2)).sum();
        sum / self.scored.len() as f64
    }
}

impl From<&Gathered> for Confidences {
    fn from(gathered: &Gathered) -> Confidences {
        let rated = gathered.scored.iter().filter(|scored| !scored.confidence.is_nan());
        let mut scored: Vec<Scored> = rated.copied().collect();
        // Sums run in this order, whatever the order of documents was.
        scored.sort_unstable_by(|a, b| {
            b.confidence.total_cmp(&a.confidence).then(b.right.cmp(&a.right))
        });
        let unrated = gathered.scored.len() - scored.len();
        Confidences { scored, gold: gathered.gold, unrated }
    }
}

fn is_probability(confidence: f64) -> bool {
    (0.0..=1.0).contains(&confidence)
}

/// Everything at least as confident as a threshold.
struct Step {
    threshold: f64,
    /// How many predictions have just this confidence.
    size: usize,
    taken: usize,
    right: usize,
}

impl Step {
    fn risk(&self) -> f64 {
        (self.taken - self.right) as f64 / self.taken as f64
    }
}

fn gather(settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
    let cases = Matcher::new(settings, Criteria::LINK).cases(scene);
    let confidence = |system: u32| {
        let said = scene.system.confidence(&scene.system.items[system as usize]);
        said.unwrap_or(f64::NAN)
    };
    // A reading of several parts is as sure as its least sure part, whichever comes first.
    let mut others: HashMap<u32, f64> = HashMap::new();
    for case in cases.iter().filter(|case| case.outcome == Outcome::Ignored) {
        if let (Some(gold), Some(system)) = (case.gold, case.system) {
            let least = others.entry(gold).or_insert(f64::INFINITY);
            *least = least_sure(*least, confidence(system));
        }
    }
    for case in cases {
        gathered.gold += u64::from(matches!(case.outcome, Outcome::Match | Outcome::Missed));
        let Some(system) = case.system.filter(|_| case.outcome != Outcome::Ignored) else {
            continue;
        };
        let right = case.outcome == Outcome::Match;
        let others = case.gold.filter(|_| right).and_then(|gold| others.get(&gold).copied());
        let own = confidence(system);
        let confidence = others.map_or(own, |others| least_sure(own, others));
        gathered.scored.push(Scored { confidence, right });
    }
}

/// The smaller of two confidences; none if one of them is not given.
fn least_sure(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { a.min(b) }
}

/// A number that the confidences of a system give.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Figure {
    /// The area under the curve of precision and recall.
    AveragePrecision,
    /// The area under the curve of risk and coverage.
    RiskCoverage,
    /// How far confidences are from shares of right predictions, in so many bins.
    CalibrationError(usize),
    /// The mean squared error.
    Brier,
}

/// The measure of a figure.
pub(crate) fn figure(name: &'static str, figure: Figure) -> Compute {
    Compute::Corpus(Arc::new(ByConfidence { name, figure }))
}

#[derive(Debug)]
struct ByConfidence {
    name: &'static str,
    figure: Figure,
}

impl CorpusMeasure for ByConfidence {
    fn purpose(&self) -> String {
        "confidence of links".to_owned()
    }

    fn gather(&self, settings: &Settings, scene: &Scene<'_>, gathered: &mut Gathered) {
        gather(settings, scene, gathered);
    }

    fn columns(&self) -> &'static [&'static str] {
        &["value", "predictions", "right", "gold", "unrated", "outside"]
    }

    fn total(&self, gathered: &Gathered) -> Vec<f64> {
        let confidences = Confidences::from(gathered);
        let scored = &confidences.scored;
        let value = match self.figure {
            _ if scored.is_empty() => 0.0,
            Figure::AveragePrecision => confidences.average_precision(),
            Figure::RiskCoverage => confidences.area_of_risk(),
            Figure::CalibrationError(bins) => confidences.calibration_error(bins),
            Figure::Brier => confidences.brier(),
        };
        let right = gathered.scored.iter().filter(|scored| scored.right).count();
        let outside = scored.iter().filter(|scored| !is_probability(scored.confidence)).count();
        let counts = [gathered.scored.len(), right, gathered.gold as usize];
        let mut total = vec![value];
        total.extend(counts.iter().chain(&[confidences.unrated, outside]).map(|&n| n as f64));
        total
    }

    fn scores(&self, counts: &[f64], zero: Zero) -> Scores {
        let &[value, predictions, _, gold, unrated, outside] = counts else {
            return Scores::default();
        };
        let needs_probabilities =
            matches!(self.figure, Figure::CalibrationError(_) | Figure::Brier);
        if unrated > 0.0 {
            return Scores::undefined(self.name, "some predictions have no confidence");
        }
        if needs_probabilities && outside > 0.0 {
            return Scores::undefined(self.name, "some confidences are not from 0 to 1");
        }
        let score = match self.figure {
            Figure::AveragePrecision if gold == 0.0 => share(0.0, 0.0, zero),
            Figure::AveragePrecision => Some(value),
            // These are losses: of nothing they are neither good nor bad.
            _ => (predictions > 0.0).then_some(value),
        };
        Scores::new([(self.name, score)])
    }

    fn curve(&self, gathered: &Gathered) -> Option<Points> {
        let confidences = Confidences::from(gathered);
        let (columns, points): (&'static [&'static str], _) = match self.figure {
            Figure::AveragePrecision => {
                (&["threshold", "recall", "precision"], confidences.recall_precision())
            }
            Figure::RiskCoverage => {
                (&["threshold", "coverage", "risk"], confidences.risk_coverage())
            }
            Figure::CalibrationError(bins) => {
                (&["predictions", "confidence", "accuracy"], confidences.calibration(bins))
            }
            Figure::Brier => return None,
        };
        let rows = points.into_iter().map(|(at, x, y)| vec![at, x, y]);
        // Where some predictions have no confidence there is no score, and no curve.
        (confidences.unrated == 0).then(|| Points { columns, axes: [1, 2], rows: rows.collect() })
    }
}
