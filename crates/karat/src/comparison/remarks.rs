//! What the numbers of a comparison mean, in sentences.

use super::score::least_by_exchange;
use super::{Comparison, EnteredSystem, Pair, ScoreComparison, Standing};
use crate::scoring::Resampling;
use karat_measures::Sides;
use karat_stats::{Bootstrap, Correction};

/// Of pairs that are not decided, so many are named.
const NAMED: usize = 3;

/// What a reader should know before the table is believed.
pub fn remarks(comparison: &Comparison) -> Vec<String> {
    let whole = comparison.scores.iter().filter(|score| score.part.is_none());
    let mut remarks: Vec<String> = whole
        .flat_map(|score| {
            of_score(comparison, score).into_iter().chain(of_parts(comparison, score))
        })
        .collect();
    remarks.extend(nothing_can_be_found(comparison));
    let has_runs = comparison.systems.iter().any(|system| system.sources.len() > 1);
    if comparison.comparing.scoring.convention.sides == Sides::One {
        remarks.push(
            "p is one-sided, in the direction that was seen; what counts as significant is decided by \
             twice as much, because the direction was not said before."
                .to_owned(),
        );
    }
    for measure in &comparison.left_out {
        remarks.push(format!(
            "{measure} needs the whole corpus at once: drawing documents again says nothing about it."
        ));
    }
    if has_runs {
        remarks.push(
            "Systems with several runs score the mean of their runs. That these runs might have been others \
             widens their intervals by Student's distribution, much if they are few, and their p-values \
             come from the same draws."
                .to_owned(),
        );
    }
    remarks
}

/// Why no difference can be significant, if none can.
pub(super) fn nothing_can_be_found(comparison: &Comparison) -> Option<String> {
    let comparing = &comparison.comparing;
    let systems = comparison.systems.len();
    let pairs = systems * systems.saturating_sub(1) / 2;
    let among = match (pairs, comparing.correction) {
        (0, _) => return None,
        (1, _) | (_, Correction::None) => String::new(),
        _ => format!(" among {pairs} pairs after correction"),
    };
    let alpha = comparing.power.alpha;
    let with_runs = comparison.systems.iter().filter(|system| system.sources.len() > 1).count();
    let exchanged = with_runs + 1 < comparison.systems.len();
    let least = least_by_exchange(comparison.units);
    // Which of the two limits is the cause, too few documents or too few trials: only the second
    // can be mended by asking for more trials.
    if exchanged
        && comparing.least_p(least, pairs) >= alpha
        && comparing.least_p(0.0, pairs) < alpha
    {
        return Some(format!(
            "Exchanging {} gives no p below {least:.2}: too few for any difference{among} to be significant \
             at level {alpha}.",
            units(comparison),
        ));
    }
    let Bootstrap { trials, .. } = comparing.bootstrap;
    (comparing.least_p(0.0, pairs) >= alpha).then(|| {
        let tests = if comparing.correction == Correction::None { 1 } else { pairs };
        // The trials that would be needed, from the same formula the other way round.
        let needed = comparing.sides() * tests as f64 / alpha;
        format!(
            "With {trials} trials no difference{among} can be significant; ask for {needed:.0} or more."
        )
    })
}

/// What is drawn, and how many.
fn units(comparison: &Comparison) -> String {
    let what = match (&comparison.comparing.scoring.resampling, comparison.units) {
        (Resampling::Clusters(_), 1) => "cluster of documents",
        (Resampling::Clusters(_), _) => "clusters of documents",
        (_, 1) => "document",
        _ => "documents",
    };
    format!("{} {what}", comparison.units)
}

fn of_score(comparison: &Comparison, score: &ScoreComparison) -> Vec<String> {
    let mut remarks = undefined(comparison, score);
    let power = comparison.comparing.power;
    if let Some(detectable) = score.detectable {
        let how = match (score.pairs.len(), comparison.comparing.correction) {
            (0 | 1, _) => "",
            (_, Correction::None) => ", median of all pairs",
            _ => " after correction, median of all pairs",
        };
        remarks.push(format!(
            "{}: a difference must be {} or more to be found with probability {} at level {} on {}{how}.",
            score.title(),
            amount(score, detectable),
            power.power,
            power.alpha,
            test_set(comparison),
        ));
    }
    remarks.extend(out_of_reach(comparison, score));
    let undecided: Vec<&Pair> = score.pairs.iter().filter(|pair| pair.is_too_small()).collect();
    for pair in undecided.iter().take(NAMED) {
        let (Some(difference), Some(detectable)) = (pair.difference, pair.detectable) else {
            continue;
        };
        let name = |at: usize| &comparison.systems[at].name;
        remarks.push(format!(
            "{}: {} and {} differ by {}, less than the {} that can be resolved between them; \
             {} does not decide which of them is better.",
            score.title(),
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
            score.title(),
            undecided.len(),
            score.pairs.len(),
            comparison.benchmark,
        ));
    }
    remarks
}

/// Pairs between which nothing could be found.
fn out_of_reach(comparison: &Comparison, score: &ScoreComparison) -> Option<String> {
    let hopeless: Vec<&Pair> = score.pairs.iter().filter(|pair| pair.is_out_of_reach).collect();
    let pairs = match hopeless.as_slice() {
        [] => return None,
        [only] => {
            let name = |at: usize| &comparison.systems[at].name;
            format!("{} and {}", name(only.first), name(only.second))
        }
        all if all.len() == score.pairs.len() => "any two systems".to_owned(),
        some => format!("the systems of {} of {} pairs", some.len(), score.pairs.len()),
    };
    let power = comparison.comparing.power;
    Some(format!(
        "{}: even the largest possible difference between {pairs} would not be found with probability {} \
         at level {} on {}.",
        score.name,
        power.power,
        power.alpha,
        test_set(comparison),
    ))
}

/// On what systems are compared.
fn test_set(comparison: &Comparison) -> String {
    let Comparison { benchmark, documents, units: all, .. } = comparison;
    let others = match &comparison.comparing.scoring.resampling {
        Resampling::Clusters(_) => 0,
        _ => all.saturating_sub(*documents),
    };
    match others {
        0 => format!("the {} of {benchmark}", units(comparison)),
        _ => format!(
            "the {documents} {} of {benchmark} and {others} that only systems have",
            if *documents == 1 { "document" } else { "documents" },
        ),
    }
}

/// The parts of the corpus are many: what they can resolve stands in the table.
fn of_parts(comparison: &Comparison, whole: &ScoreComparison) -> Option<String> {
    let parts = comparison.scores.iter().filter(|score| score.part.is_some());
    let pairs = parts.filter(|score| score.name == whole.name).flat_map(|score| &score.pairs);
    let compared: Vec<&Pair> = pairs.filter(|pair| pair.difference.is_some()).collect();
    let is_undecided =
        |pair: &&&Pair| pair.is_too_small() || pair.is_out_of_reach && !pair.is_significant;
    let undecided = compared.iter().filter(is_undecided).count();
    (undecided > 0).then(|| {
        format!(
            "{}: {undecided} of {} differences on parts of {} are less than can be resolved there.",
            whole.name,
            compared.len(),
            comparison.benchmark,
        )
    })
}

/// Systems that have no score in some trials.
fn undefined(comparison: &Comparison, score: &ScoreComparison) -> Vec<String> {
    let Bootstrap { trials, .. } = comparison.comparing.bootstrap;
    let systems = comparison.systems.iter().zip(&score.systems);
    let undefined = systems.filter(|(_, standing)| standing.undefined > 0);
    let remark = |(system, standing): (&EnteredSystem, &Standing)| {
        let then = match (standing.score, standing.interval) {
            (None, _) => return None,
            (_, Some(_)) => "they are left out",
            (_, None) => "too few documents decide it for an interval",
        };
        Some(format!(
            "{}: {} has none in {} of {trials} trials; {then}.",
            score.title(),
            system.name,
            standing.undefined
        ))
    };
    undefined.filter_map(remark).collect()
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
