//! How much the outputs of systems have in common.

use super::answer::{EvaluationAnswer, SimilarityRecord, SystemRecord};
use super::{Board, Scoring};
use crate::inputs::Run;
use karat_match::Pairing;
use karat_measures::{Plan, Scores, evaluate};
use karat_model::Corpus;
use karat_report::{Cell, Column, Table};

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
    pub(super) fn similarities(&self, gold: &Corpus, systems: &[Run]) -> Vec<Similarity> {
        let Some(selection) = &self.similarity else { return Vec::new() };
        let in_gold = |name: &str| gold.document(name).is_some();
        // What a system says of documents that gold does not have would count as difference though
        // nobody asked for it.
        let of_gold = |system: &Run| system.corpus.only_documents(in_gold);
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
                let results = evaluate(&pairing.watched(&self.watch), &plan).results.into_iter();
                for (measure, result) in selection.measures.iter().zip(results) {
                    let headline = measure.compute.headline();
                    let score = |scores: &Scores| scores.get(headline?).flatten();
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

type Score = fn(&SimilarityRecord) -> Option<f64>;

/// The similarities of systems: for each measure and average a row for each system, with a column for
/// each.
pub fn table(answer: &EvaluationAnswer) -> Table {
    const DECIMALS: usize = 3;
    let mut names: Vec<&str> = Vec::new();
    for system in &answer.systems {
        if !names.contains(&system.name.as_str()) {
            names.push(&system.name);
        }
    }
    let several = answer.all_benchmarks().len() > 1;
    let benchmark = several.then_some("benchmark");
    let texts = benchmark.into_iter().chain(["measure", "average", "system"]).map(Column::text);
    let numbers = names.iter().map(|name| Column::number(*name, DECIMALS));
    let mut table = Table::new(texts.chain(numbers));
    let is_together = |a: &SimilarityRecord, b: &SimilarityRecord| {
        (&a.benchmark, &a.measure) == (&b.benchmark, &b.measure)
    };
    let averages: [(&str, Score); 2] =
        [("micro", |pair| pair.similarity), ("macro", |pair| pair.mean)];
    for pairs in answer.similarity.chunk_by(is_together) {
        let SimilarityRecord { benchmark, measure, .. } = &pairs[0];
        let is_here = |system: &&SystemRecord| system.benchmark == *benchmark;
        for (average, score) in averages {
            for system in answer.systems.iter().filter(is_here) {
                let other = |name: &&str| {
                    let is_it = |pair: &&SimilarityRecord| pair.is_of(&system.name, name);
                    Cell::from(pairs.iter().find(is_it).and_then(score))
                };
                let benchmark = several.then_some(benchmark.as_str());
                let texts = [measure.as_str(), average, &system.name];
                let texts = benchmark.into_iter().chain(texts).map(Cell::from);
                table.row(texts.chain(names.iter().map(other)));
            }
        }
    }
    table
}

impl SimilarityRecord {
    fn is_of(&self, one: &str, other: &str) -> bool {
        let pair = (self.first.as_str(), self.second.as_str());
        pair == (one, other) || pair == (other, one)
    }
}

impl Board {
    /// The similarities of systems as records.
    pub(super) fn similarity_records(&self) -> impl Iterator<Item = SimilarityRecord> {
        self.similarities.iter().map(|pair| {
            let [first, second] = pair.systems.map(|at| self.systems[at].name.clone());
            let counts = pair.counts.iter();
            SimilarityRecord {
                benchmark: self.benchmark.clone(),
                measure: pair.measure.clone(),
                first,
                second,
                similarity: pair.micro,
                mean: pair.macro_,
                counts: counts
                    .map(|(name, count)| ((*name).to_owned(), (*count as u64).into()))
                    .collect(),
            }
        })
    }
}
