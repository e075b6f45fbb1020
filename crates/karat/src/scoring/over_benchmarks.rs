//! Means of scores over several benchmarks, each of which counts the same.

use super::answer::{EvaluationAnswer, SystemRecord};
use karat_report::{Cell, Column, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The mean of a score of one system over the benchmarks where it is defined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BenchmarkMean {
    /// The system.
    pub system: String,
    /// The measure.
    pub measure: String,
    /// The score.
    pub score: String,
    /// Whether it is the mean of means over documents.
    #[serde(default, rename = "macro", skip_serializing_if = "std::ops::Not::not")]
    pub of_means: bool,
    /// The mean; `None` where the score is defined nowhere.
    pub mean: Option<f64>,
    /// Over how many benchmarks.
    pub benchmarks: usize,
}

/// The benchmark that is all others together, which is no further one.
const ALL_TOGETHER: &str = "unified";

/// The means of what is shown. There are none over one benchmark.
pub(super) fn means(answer: &EvaluationAnswer) -> Vec<BenchmarkMean> {
    let mut of_system: Vec<(&str, Vec<&SystemRecord>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for record in answer.systems.iter().filter(|record| record.benchmark != ALL_TOGETHER) {
        let at = *places.entry(&record.name).or_insert(of_system.len());
        match of_system.get_mut(at) {
            Some((_, records)) => records.push(record),
            None => of_system.push((&record.name, vec![record])),
        }
    }
    let several = of_system.into_iter().filter(|(_, records)| records.len() > 1);
    several.flat_map(|(system, records)| of_records(answer, system, &records)).collect()
}

fn of_records(
    answer: &EvaluationAnswer,
    system: &str,
    records: &[&SystemRecord],
) -> Vec<BenchmarkMean> {
    let mut means = Vec::new();
    for shown in &answer.shown {
        // By score, in the order of the first benchmark that has it.
        let mut scores: Vec<(&str, Vec<f64>)> = Vec::new();
        let mut measure = "";
        for record in records {
            let Some(result) = record.measures.get(shown.measure) else { continue };
            measure = &result.name;
            let of_means = result.mean.as_ref().filter(|_| shown.mean);
            let of_record = of_means.map_or(&result.scores, |means| &means.scores);
            for (name, score) in of_record {
                if shown.score.as_ref().is_some_and(|wanted| wanted != name) {
                    continue;
                }
                let at = scores.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                    scores.push((name, Vec::new()));
                    scores.len() - 1
                });
                scores[at].1.extend(score);
            }
        }
        means.extend(scores.into_iter().map(|(score, values)| BenchmarkMean {
            system: system.to_owned(),
            measure: measure.to_owned(),
            score: score.to_owned(),
            of_means: shown.mean,
            mean: (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64),
            benchmarks: values.len(),
        }));
    }
    means
}

/// The means as a table.
pub(super) fn table(answer: &EvaluationAnswer) -> Table {
    let columns = ["system", "measure", "score"].map(Column::text);
    let numbers = [Column::number("mean", 3), Column::count("benchmarks")];
    let mut table = Table::new(columns.into_iter().chain(numbers));
    for of in &answer.means {
        let measure =
            if of.of_means { format!("{}@macro", of.measure) } else { of.measure.clone() };
        let names = [of.system.as_str(), &measure, &of.score].map(Cell::from);
        let mean = of.mean.map_or(Cell::Missing, Cell::Number);
        table.row(names.into_iter().chain([mean, Cell::Count(of.benchmarks as u64)]));
    }
    table
}
