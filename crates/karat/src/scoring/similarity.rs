//! How much the outputs of systems have in common.

use super::{Board, Scoring, System};
use karat_match::Pairing;
use karat_measures::{Plan, Scores, evaluate};
use karat_model::Corpus;
use karat_report::{Cell, Column, Table};
use serde_json::{Value, json};

/// How much two outputs have in common.
#[derive(Debug, Clone)]
pub struct Similarity {
    /// The measure that says so.
    pub measure: String,
    /// The two systems, as places in their board.
    pub systems: [usize; 2],
    /// What both have, or one of them alone.
    pub counts: Vec<(&'static str, f64)>,
    /// Of all documents together; `None` if both outputs are empty and the convention says nothing then.
    pub micro: Option<f64>,
    /// The mean over documents.
    pub macro_: Option<f64>,
}

/// The names of the counts, where two systems are set side by side.
const COUNTS: [&str; 4] = ["first_met", "first_alone", "second_met", "second_alone"];

impl Scoring {
    /// Every pair of systems, by each measure of similarity, on the documents of a benchmark.
    pub(super) fn similarities(&self, gold: &Corpus, systems: &[System]) -> Vec<Similarity> {
        let Some(selection) = &self.similarity else { return Vec::new() };
        let in_gold = |name: &str| gold.document(name).is_some();
        let of_gold = |system: &System| system.corpus.only_documents(in_gold);
        let outputs: Vec<Corpus> = systems.iter().map(of_gold).collect();
        let mut convention = self.convention.clone();
        // A threshold that is best against gold means nothing here.
        convention.oracle = false;
        let plan = Plan { threads: self.threads, ..Plan::new(convention, selection.clone()) };
        let mut found = Vec::new();
        for first in 0..outputs.len() {
            for second in first + 1..outputs.len() {
                let pairing =
                    Pairing::of_outputs(&outputs[first], &outputs[second], &self.identity);
                let results = evaluate(&pairing, &plan).results.into_iter();
                for (measure, result) in selection.measures.iter().zip(results) {
                    let score = |scores: &Scores| scores.get("similarity").flatten();
                    found.push(Similarity {
                        measure: measure.name.clone(),
                        systems: [first, second],
                        counts: COUNTS.into_iter().zip(result.counts).collect(),
                        micro: score(&result.micro),
                        macro_: result.macro_.and_then(|means| score(&means.scores)),
                    });
                }
            }
        }
        // All pairs of one measure together.
        let place = |name: &str| selection.measures.iter().position(|it| it.name == name);
        found.sort_by_key(|pair| place(&pair.measure));
        found
    }
}

type Score = fn(&Similarity) -> Option<f64>;

/// The similarities of systems: for each measure and average a row for each system, with a column for
/// each.
pub fn table(boards: &[Board]) -> Table {
    const DECIMALS: usize = 3;
    let mut names: Vec<&str> = Vec::new();
    for system in boards.iter().flat_map(|board| &board.systems) {
        if !names.contains(&system.name.as_str()) {
            names.push(&system.name);
        }
    }
    let several = boards.len() > 1;
    let benchmark = several.then_some("benchmark");
    let texts = benchmark.into_iter().chain(["measure", "average", "system"]).map(Column::text);
    let numbers = names.iter().map(|name| Column::number(*name, DECIMALS));
    let mut table = Table::new(texts.chain(numbers));
    for board in boards {
        let averages: [(&str, Score); 2] =
            [("micro", |pair| pair.micro), ("macro", |pair| pair.macro_)];
        for measure in board.similarities.chunk_by(|a, b| a.measure == b.measure) {
            for (average, score) in averages {
                for (at, system) in board.systems.iter().enumerate() {
                    let other = |name: &&str| {
                        let is_it = |pair: &&Similarity| board.is_pair(pair, at, name);
                        Cell::from(measure.iter().find(is_it).and_then(score))
                    };
                    let benchmark = several.then_some(board.benchmark.as_str());
                    let texts = [measure[0].measure.as_str(), average, &system.name];
                    let texts = benchmark.into_iter().chain(texts).map(Cell::from);
                    table.row(texts.chain(names.iter().map(other)));
                }
            }
        }
    }
    table
}

impl Board {
    /// Whether two outputs are that of the system at this place and that of another with this name.
    fn is_pair(&self, pair: &Similarity, at: usize, other: &str) -> bool {
        let [first, second] = pair.systems;
        let is_named = |place: usize| self.systems[place].name == other;
        (first == at && is_named(second)) || (second == at && is_named(first))
    }

    /// The similarities of systems as JSON.
    pub(super) fn similarity_json(&self) -> impl Iterator<Item = Value> {
        self.similarities.iter().map(|pair| {
            let [first, second] = pair.systems.map(|at| self.systems[at].name.as_str());
            let mut object = json!({
                "benchmark": self.benchmark,
                "measure": pair.measure,
                "first": first,
                "second": second,
                "similarity": pair.micro,
                "macro": pair.macro_,
            });
            for (name, count) in &pair.counts {
                object[*name] = (*count as u64).into();
            }
            object
        })
    }
}
