//! Comparisons as plots.

use super::answer::{ComparisonAnswer, RankedRecord, RanksRecord};
use super::tables;
use crate::error::Error;
use karat_report::plot::{Axis, CriticalDifference, Forest, ForestRow, RankedSystem};
use std::path::Path;

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

/// A diagram of average ranks for each score, with the file it goes to: the one that was named, or, with several scores,
/// one beside it for each. Parts of a corpus may be many, and have none.
pub fn critical_difference_files(
    answer: &ComparisonAnswer,
    path: &str,
) -> Result<Vec<(String, CriticalDifference)>, Error> {
    let whole = answer.across.iter().filter_map(|ranks| match ranks {
        RanksRecord::Ranked(ranked) if ranked.facet.is_some() => None,
        RanksRecord::Ranked(ranked) => Some(Ok(ranked.as_ref())),
        RanksRecord::NotRanked { reason } => Some(Err(Error::bad_request(
            format!("there is no critical-difference diagram: {reason}"),
            "it needs two or more systems, each with a score everywhere",
        ))),
    });
    let whole: Vec<&RankedRecord> = whole.collect::<Result<_, Error>>()?;
    let file = |ranked: &RankedRecord| match whole.len() {
        1 => path.to_owned(),
        _ => with_name(Path::new(path), &ranked.score),
    };
    Ok(whole.iter().map(|ranked| (file(ranked), critical_difference(ranked))).collect())
}

/// `ranks.svg` as `ranks-link.f1.svg`.
fn with_name(path: &Path, score: &str) -> String {
    let part =
        |part: Option<&std::ffi::OsStr>| part.map(|part| part.to_string_lossy().into_owned());
    let stem = part(path.file_stem()).unwrap_or_default();
    let extension = part(path.extension()).unwrap_or_else(|| "svg".to_owned());
    let score = score.replace(|c: char| !c.is_alphanumeric() && c != '.', "-");
    path.with_file_name(format!("{stem}-{score}.{extension}")).to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_becomes_part_of_a_name() {
        assert_eq!(with_name(Path::new("out/ranks.svg"), "link.f1"), "out/ranks-link.f1.svg");
        assert_eq!(with_name(Path::new("ranks"), "link(by=a/b).f1"), "ranks-link-by-a-b-.f1.svg");
    }
}
