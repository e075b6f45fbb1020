//! What the numbers of a comparison mean, in sentences.

use super::{Comparison, Pair, ScoreComparison};
use karat_stats::Bootstrap;

/// Of pairs that are not decided, so many are named.
const NAMED: usize = 3;

/// What a reader should know before the table is believed.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let mut remarks: Vec<String> =
        comparison.scores.iter().flat_map(|score| of_score(comparison, score)).collect();
    let pairs = comparison.scores.first().map_or(0, |score| score.pairs.len());
    let Bootstrap { trials, .. } = comparison.comparing.bootstrap;
    let least = comparison.comparing.correction.adjust(&vec![1.0 / (trials + 1) as f64; pairs]);
    if least.first().is_some_and(|least| *least >= comparison.comparing.power.alpha) {
        let needed = pairs as f64 / comparison.comparing.power.alpha;
        remarks.push(format!(
            "With {trials} trials no difference among {pairs} pairs can be significant after correction; ask for \
             {needed:.0} or more."
        ));
    }
    for measure in &comparison.left_out {
        remarks.push(format!(
            "{measure} needs the whole corpus at once: drawing documents again says nothing about it."
        ));
    }
    if comparison.systems.iter().any(|system| system.sources.len() > 1) {
        remarks.push(
            "Systems with several runs score the mean of their runs; runs and documents are drawn again."
                .to_owned(),
        );
    }
    remarks
}

fn of_score(comparison: &Comparison, score: &ScoreComparison) -> Vec<String> {
    let mut remarks = Vec::new();
    let power = comparison.comparing.power;
    if let Some(detectable) = score.detectable {
        let how = match score.pairs.len() {
            0 | 1 => "",
            _ => " after correction, median of all pairs",
        };
        remarks.push(format!(
            "{}: a difference must be {} or more to be found with probability {} at level {} on the {} \
             documents of {}{how}.",
            score.name,
            amount(score, detectable),
            power.power,
            power.alpha,
            comparison.documents,
            comparison.benchmark,
        ));
    }
    let undecided: Vec<&Pair> = score.pairs.iter().filter(|pair| pair.is_too_small()).collect();
    for pair in undecided.iter().take(NAMED) {
        let (Some(difference), Some(detectable)) = (pair.difference, pair.detectable) else {
            continue;
        };
        let name = |at: usize| &comparison.systems[at].name;
        remarks.push(format!(
            "{}: {} and {} differ by {}, less than the {} that can be resolved between them; \
             {} does not decide which of them is better.",
            score.name,
            name(pair.first),
            name(pair.second),
            amount(score, difference.value.abs()),
            amount(score, detectable),
            comparison.benchmark,
        ));
    }
    if undecided.len() > NAMED {
        remarks.push(format!(
            "{}: {} of {} pairs differ by less than {} can resolve between them.",
            score.name,
            undecided.len(),
            score.pairs.len(),
            comparison.benchmark,
        ));
    }
    remarks
}

impl Pair {
    /// Whether the difference is not significant and smaller than what the test set can resolve.
    pub fn is_too_small(&self) -> bool {
        let (Some(difference), Some(detectable)) = (self.difference, self.detectable) else {
            return false;
        };
        !self.is_significant && difference.value.abs() < detectable
    }
}

/// Scores in points, counts as they are.
fn amount(score: &ScoreComparison, difference: f64) -> String {
    match score.is_count {
        true => format!("{difference:.0}"),
        false => format!("{:.1} points", 100.0 * difference),
    }
}
