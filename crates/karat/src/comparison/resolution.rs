//! What a benchmark can resolve: the smallest difference that it would show, by systems and documents.

use super::request::ComparisonRequest;
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::inputs::Inputs;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, Table};
use karat_stats::Power;
use serde::{Deserialize, Serialize};

/// Asks which difference a benchmark would show, with so many systems compared on so many documents.
///
/// The standard error of a difference is taken from the runs that are there, the median over all pairs. It shrinks
/// with the root of the number of documents, and each pair has to pass a level that is divided by the number of pairs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResolutionRequest {
    /// One benchmark and at least two runs.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// The measure; links if absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measure: Option<String>,
}

/// Which differences a benchmark shows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResolutionAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces the numbers.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The score with its measure.
    pub score: String,
    /// How many documents there are.
    pub documents: usize,
    /// How many systems were compared, and how many pairs of them have a standard error.
    pub systems: usize,
    /// How many pairs of systems the standard error is a median of.
    pub pairs: usize,
    /// The standard error of a difference on all documents.
    pub standard_error: Option<f64>,
    /// How often a difference may be seen where there is none, over all pairs.
    pub alpha: f64,
    /// How often a difference that is there is to be seen.
    pub power: f64,
    /// The numbers of systems of the columns.
    pub numbers_of_systems: Vec<usize>,
    /// The rows, by number of documents.
    pub rows: Vec<ResolutionRow>,
    /// The result in words.
    pub sentence: String,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// What so many documents show.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ResolutionRow {
    /// How many documents.
    pub documents: usize,
    /// Whether it is the number that the benchmark has.
    pub is_here: bool,
    /// The smallest difference for each number of systems; `None` where no difference of scores is as large.
    pub detectable: Vec<Option<f64>>,
}

/// The numbers of systems that are shown.
const SYSTEMS: [usize; 5] = [2, 3, 5, 10, 20];

impl Request for ResolutionRequest {
    type Answer = ResolutionAnswer;

    const NAME: &'static str = "resolution";

    fn answer(&self, work: &Work) -> Result<ResolutionAnswer, Error> {
        let comparison = self.comparison();
        let asked = Power { alpha: comparison.alpha, power: comparison.power };
        let compared = comparison.answer(work)?;
        let signature = compared.signature.unwrap_or_default();
        let notices = compared.notices;
        let Some(benchmark) = compared.benchmarks.into_iter().next() else {
            return Err(Error::bad_request("there is no benchmark", "give one"));
        };
        let score = benchmark.scores.first();
        let pairs = score.map(|score| score.pairs.as_slice()).unwrap_or_default();
        let mut errors: Vec<f64> = pairs.iter().filter_map(|pair| pair.standard_error).collect();
        errors.sort_by(f64::total_cmp);
        let mut answer = ResolutionAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature,
            score: score.map(|score| score.name.clone()).unwrap_or_default(),
            documents: benchmark.documents,
            systems: benchmark.systems.len(),
            benchmark: benchmark.name,
            pairs: errors.len(),
            standard_error: median(&errors),
            alpha: asked.alpha,
            power: asked.power,
            numbers_of_systems: SYSTEMS.to_vec(),
            rows: Vec::new(),
            sentence: String::new(),
            notices,
        };
        answer.rows =
            answer.standard_error.map(|it| rows(asked, it, benchmark.units)).unwrap_or_default();
        answer.sentence = answer.in_words();
        Ok(answer)
    }

    fn commands(&self) -> Vec<CommandLine> {
        self.comparison().commands()
    }
}

impl ResolutionRequest {
    /// The request for the comparison whose errors tell it.
    fn comparison(&self) -> ComparisonRequest {
        ComparisonRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            measures: vec![self.measure.clone().unwrap_or_else(|| "link".to_owned())],
            ..ComparisonRequest::default()
        }
    }
}

fn median(sorted: &[f64]) -> Option<f64> {
    let half = sorted.len() / 2;
    match (sorted.len() % 2, sorted.get(half)) {
        (_, None) => None,
        (1, Some(middle)) => Some(*middle),
        (_, Some(upper)) => Some((sorted[half - 1] + upper) / 2.0),
    }
}

/// A quarter of the documents to sixteen times as many.
fn rows(asked: Power, standard_error: f64, documents: usize) -> Vec<ResolutionRow> {
    let mut numbers = vec![documents / 4, documents / 2, documents];
    numbers.extend([2, 4, 8, 16].map(|times| documents.saturating_mul(times)));
    numbers.retain(|number| *number > 1);
    numbers.dedup();
    let detectable = |number: usize, systems: usize| {
        let pairs = (systems * (systems - 1) / 2) as f64;
        let asked = Power { alpha: asked.alpha / pairs, ..asked };
        let here = standard_error * (documents as f64 / number as f64).sqrt();
        asked.detectable(here).filter(|difference| *difference <= 1.0)
    };
    let row = |number: usize| ResolutionRow {
        documents: number,
        is_here: number == documents,
        detectable: SYSTEMS.iter().map(|systems| detectable(number, *systems)).collect(),
    };
    numbers.into_iter().map(row).collect()
}

impl ResolutionAnswer {
    fn in_words(&self) -> String {
        let here = self.rows.iter().find(|row| row.is_here);
        let two = here.and_then(|row| row.detectable.first().copied().flatten());
        match two {
            Some(two) => format!(
                "With {} documents, a comparison of two systems shows differences of {:.1} points of {} or more in {:.0} % of cases.",
                self.documents,
                100.0 * two,
                self.score,
                100.0 * self.power,
            ),
            None => format!(
                "{} documents do not show a difference of two systems in {}, however large it is.",
                self.documents, self.score
            ),
        }
    }

    fn table(&self) -> Table {
        let systems = self.numbers_of_systems.iter();
        let systems = systems.map(|number| Column::number(format!("{number} systems"), 3));
        let mut table = Table::new(std::iter::once(Column::count("documents")).chain(systems));
        for row in &self.rows {
            let cells = row.detectable.iter().map(|value| Cell::from(*value));
            table.row(std::iter::once(Cell::from(row.documents)).chain(cells));
        }
        table
    }
}

impl Answer for ResolutionAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = vec![self.signature.clone()];
        let report = Report::of(Deferred::by(|| self.table()));
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_documents_show_more_and_more_systems_less() {
        // By hand: (1.9600 + 0.8416) × 0.05 = 0.1401 for two systems on the documents that are there.
        let rows = rows(Power::default(), 0.05, 100);
        let numbers: Vec<usize> = rows.iter().map(|row| row.documents).collect();
        assert_eq!(numbers, [25, 50, 100, 200, 400, 800, 1600]);
        let here = rows.iter().find(|row| row.is_here).expect("the row of the benchmark");
        assert!((here.detectable[0].expect("two systems") - 0.1401).abs() < 1e-4);
        // Four times the documents halve it; ten systems are 45 pairs, at a level of 0.05 / 45.
        let four = rows.iter().find(|row| row.documents == 400).expect("a row");
        assert!((four.detectable[0].expect("two systems") - 0.07004).abs() < 1e-4);
        assert!((here.detectable[3].expect("ten systems") - (3.2607 + 0.8416) * 0.05).abs() < 2e-3);
        assert_eq!(median(&[1.0, 2.0, 4.0]), Some(2.0));
        assert_eq!(median(&[1.0, 2.0]), Some(1.5));
        assert_eq!(median(&[]), None);
    }
}
