//! Comparisons as plots.

use super::{Across, Comparison};
use karat_report::plot::{Axis, CriticalDifference, Forest, ForestRow, RankedSystem};

/// The scores of all systems with their intervals, the best first, by benchmark and score.
pub fn forest(comparisons: &[Comparison]) -> Forest {
    let scores = || {
        comparisons
            .iter()
            .flat_map(|comparison| comparison.scores.iter().map(move |score| (comparison, score)))
    };
    let several = (comparisons.len() > 1, scores().count() > comparisons.len());
    let rows = scores().flat_map(|(comparison, score)| {
        score.by_score().into_iter().map(move |at| {
            let standing = &score.systems[at];
            let estimate = standing.score.unwrap_or(f64::NAN);
            let ends = standing.interval.map(|interval| (interval.low, interval.high));
            let (low, high) = ends.unwrap_or((estimate, estimate));
            let group = match several {
                (true, true) => Some(format!("{}, {}", comparison.benchmark, score.title())),
                (true, false) => Some(comparison.benchmark.clone()),
                (false, true) => Some(score.title()),
                (false, false) => None,
            };
            let label = comparison.systems[at].name.clone();
            ForestRow { label, estimate, low, high, note: None, group }
        })
    });
    let level = comparisons.first().map_or(0.0, |first| first.comparing.bootstrap.level);
    let what = match several {
        (_, true) => "score",
        (_, false) => scores().next().map_or("score", |(_, score)| score.name.as_str()),
    };
    let title = match comparisons {
        [only] => format!("{} with {level}% intervals", only.benchmark),
        _ => format!("Scores with {level}% intervals"),
    };
    Forest {
        title,
        x: Axis::new(what),
        rows: rows.collect(),
        decimals: Some(3),
        ..Forest::default()
    }
}

/// The average ranks of all systems, and which do not differ.
pub fn critical_difference(across: &Across) -> CriticalDifference {
    let number = across.friedman.benchmarks;
    let over = format!("{number} {}", across.blocks.name());
    let ranked = across.systems.iter().zip(&across.friedman.average_ranks);
    let ends = |group: &Vec<usize>| Some((*group.first()?, *group.last()?));
    CriticalDifference {
        title: format!("Average ranks by {} over {over}", across.title()),
        systems: ranked.map(|(name, &rank)| RankedSystem { name: name.clone(), rank }).collect(),
        critical_difference: Some(across.critical_difference),
        groups: Some(
            across.groups.iter().filter(|group| group.len() > 1).filter_map(ends).collect(),
        ),
        note: format!(
            "Tested are average ranks over {} (Friedman, Nemenyi). That is another question than whether \
             scores differ, which the table of the comparison answers, and the answers may differ.",
            across.blocks.name()
        ),
    }
}
