//! Comparisons as plots.

use super::answer::{ComparisonAnswer, RankedRecord};
use super::tables;
use karat_report::plot::{Axis, CriticalDifference, Forest, ForestRow, RankedSystem};

/// The scores of all systems with their intervals, the best first, by benchmark and score.
pub fn forest(answer: &ComparisonAnswer) -> Forest {
    let scores = || tables::scores(answer);
    let benchmarks = answer.benchmarks.len();
    let several = (benchmarks > 1, scores().count() > benchmarks);
    let rows = scores().flat_map(|(benchmark, score)| {
        score.by_score().into_iter().map(move |(_, standing)| {
            let estimate = standing.score.unwrap_or(f64::NAN);
            let [low, high] = standing.ci.unwrap_or([f64::NAN; 2]);
            let group = match several {
                (true, true) => Some(format!("{}, {}", benchmark.name, score.title())),
                (true, false) => Some(benchmark.name.clone()),
                (false, true) => Some(score.title()),
                (false, false) => None,
            };
            let label = standing.name.clone();
            ForestRow { label, estimate, low, high, group, ..ForestRow::default() }
        })
    });
    let level = answer.level;
    let what = match several {
        (_, true) => "score",
        (_, false) => scores().next().map_or("score", |(_, score)| score.name.as_str()),
    };
    let title = match answer.benchmarks.as_slice() {
        [only] => format!("{} with {level}% intervals", only.name),
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
pub fn critical_difference(ranked: &RankedRecord) -> CriticalDifference {
    let over = format!("{} {}", ranked.number, ranked.blocks);
    let systems = ranked.ranks.iter();
    let systems =
        systems.map(|it| RankedSystem { name: it.name.clone(), rank: it.rank, link: None });
    let place = |name: &String| ranked.ranks.iter().position(|it| it.name == *name);
    let ends = |group: &Vec<String>| Some((place(group.first()?)?, place(group.last()?)?));
    CriticalDifference {
        title: format!("Average ranks by {} over {over}", ranked.title()),
        systems: systems.collect(),
        critical_difference: Some(ranked.critical_difference),
        groups: Some(
            ranked.groups.iter().filter(|group| group.len() > 1).filter_map(ends).collect(),
        ),
        note: format!(
            "Tested are average ranks over {} (Friedman, Nemenyi). That is another question than whether \
             scores differ, which the table of the comparison answers, and the answers may differ.",
            ranked.blocks
        ),
    }
}
