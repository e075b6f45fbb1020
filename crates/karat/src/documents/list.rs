//! The list of all documents of a benchmark.

use super::context::DocumentContext;
use super::outcome::OutcomeCounts;
use crate::collection::CollectionStatsRequest;
use crate::command::CommandLine;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::errors::ErrorsRequest;
use crate::inputs::{Inputs, Run};
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_model::{Corpus, Document, Notice, Role, attribute};
use karat_report::{Cell, Column, Deferred, Report, Table};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Lists the documents of a benchmark with how many mentions became what in each run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DocumentsRequest {
    /// Gold and systems; without systems only gold is listed.
    pub inputs: Inputs,
    /// The convention.
    pub convention: ConventionRequest,
    /// Of the systems, only those with these names; all if there are none.
    pub only: Vec<String>,
}

/// The documents of a benchmark.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentsAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces the counts.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The names of the runs, in the order of the counts.
    pub runs: Vec<String>,
    /// The documents, those of gold first.
    pub documents: Vec<DocumentEntry>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// One document in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DocumentEntry {
    /// Its number, from 1.
    pub number: usize,
    /// What it is called.
    pub name: String,
    /// Its title, if the file has one.
    pub title: Option<String>,
    /// Its language, as a BCP 47 tag.
    pub language: Option<String>,
    /// How many code points its text has; `None` without a text.
    pub characters: Option<usize>,
    /// How many gold mentions it has; parts of others are not counted.
    pub mentions: usize,
    /// Whether gold has it.
    pub in_gold: bool,
    /// What became of the mentions in each run.
    pub outcomes: Vec<OutcomeCounts>,
}

/// In which order documents are listed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DocumentsOrder {
    /// That of the benchmark.
    #[default]
    Number,
    /// By name.
    Name,
    /// Those with the most errors of all runs first.
    Errors,
    /// Those first in which runs differ most in their number of errors.
    Disagreement,
    /// The longest first.
    Length,
}

impl DocumentsOrder {
    /// All of them, the usual first.
    pub const ALL: [DocumentsOrder; 5] = [
        DocumentsOrder::Number,
        DocumentsOrder::Name,
        DocumentsOrder::Errors,
        DocumentsOrder::Disagreement,
        DocumentsOrder::Length,
    ];

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            DocumentsOrder::Number => "number",
            DocumentsOrder::Name => "name",
            DocumentsOrder::Errors => "errors",
            DocumentsOrder::Disagreement => "disagreement",
            DocumentsOrder::Length => "length",
        }
    }
}

impl DocumentEntry {
    /// Errors of all runs.
    pub fn errors(&self) -> usize {
        self.outcomes.iter().map(OutcomeCounts::errors).sum()
    }

    /// How many more errors the worst run has than the best.
    pub fn disagreement(&self) -> usize {
        let errors = || self.outcomes.iter().map(OutcomeCounts::errors);
        errors().max().unwrap_or_default() - errors().min().unwrap_or_default()
    }
}

impl DocumentsAnswer {
    /// The documents in this order.
    pub fn in_order(&self, order: DocumentsOrder) -> Vec<&DocumentEntry> {
        use std::cmp::Reverse;
        let mut all: Vec<&DocumentEntry> = self.documents.iter().collect();
        match order {
            DocumentsOrder::Number => {}
            DocumentsOrder::Name => all.sort_by(|a, b| a.name.cmp(&b.name)),
            DocumentsOrder::Errors => all.sort_by_key(|entry| Reverse(entry.errors())),
            DocumentsOrder::Disagreement => all.sort_by_key(|entry| Reverse(entry.disagreement())),
            DocumentsOrder::Length => all.sort_by_key(|entry| Reverse(entry.characters)),
        }
        all
    }

    fn table(&self) -> Table {
        let mut columns = vec![Column::count("number"), Column::text("document")];
        columns.extend(["characters", "mentions"].map(Column::count));
        for run in &self.runs {
            columns.push(Column::count(format!("{run} right")));
            columns.push(Column::count(format!("{run} errors")));
        }
        let mut table = Table::new(columns);
        for entry in &self.documents {
            let mut cells = vec![Cell::from(entry.number), Cell::from(entry.name.as_str())];
            cells.push(entry.characters.map_or(Cell::Missing, Cell::from));
            cells.push(Cell::from(entry.mentions));
            for counts in &entry.outcomes {
                cells.push(Cell::from(counts.right + counts.right_nil));
                cells.push(Cell::from(counts.errors()));
            }
            table.row(cells);
        }
        table
    }
}

impl Request for DocumentsRequest {
    type Answer = DocumentsAnswer;

    const NAME: &'static str = "documents";

    fn answer(&self, work: &Work) -> Result<DocumentsAnswer, Error> {
        let mut context = DocumentContext::open(&self.inputs, &self.convention, &self.only, work)?;
        let runs = &context.experiment.runs;
        work.begin("judging", runs.len() as u64)?;
        let counts: Result<Vec<_>, Error> = work.install(|| {
            let counted = runs.par_iter().map(|run| {
                // Here rather than after: runs are long, and a page that was closed should not keep
                // all of them going.
                work.check()?;
                let counts = outcomes(&context, run);
                if let Some(progress) = &work.progress {
                    progress.advance(1);
                }
                Ok(counts)
            });
            counted.collect()
        });
        let counts = counts?;
        context.identity.check()?;
        let numbered = (1..).zip(context.names());
        let documents =
            numbered.map(|(number, name)| entry(&context, number, name, &counts)).collect();
        Ok(DocumentsAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            signature: context.signature(None),
            benchmark: context.experiment.benchmark.name.clone(),
            runs: runs.iter().map(|run| run.name.clone()).collect(),
            documents,
            notices: std::mem::take(&mut context.told),
        })
    }

    fn commands(&self) -> Vec<CommandLine> {
        if self.inputs.systems.is_empty() {
            let Inputs { gold, reading, .. } = self.inputs.clone();
            let of_gold = CollectionStatsRequest { gold, reading, ..Default::default() };
            return of_gold.commands();
        }
        let request = ErrorsRequest {
            inputs: self.inputs.clone(),
            convention: self.convention.clone(),
            only: self.only.clone(),
            ..ErrorsRequest::default()
        };
        request.commands()
    }
}

/// What became of the mentions of each document in a run.
fn outcomes<'d>(context: &'d DocumentContext, run: &'d Run) -> HashMap<&'d str, OutcomeCounts> {
    let mut counts: HashMap<&str, OutcomeCounts> = HashMap::new();
    let gold = &context.experiment.benchmark.corpus;
    context.inspection().each_finding(gold, &run.corpus, false, |found| {
        counts.entry(found.document).or_default().add(found.finding.into());
    });
    counts
}

fn entry(
    context: &DocumentContext,
    number: usize,
    name: &str,
    counts: &[HashMap<&str, OutcomeCounts>],
) -> DocumentEntry {
    let gold = context.experiment.benchmark.corpus.document(name);
    let of_run = |run: &'_ Run| -> Option<usize> { text_of(&run.corpus, name) };
    let characters = gold.and_then(|document| document.text()).map(|text| text.chars().count());
    let is_unit = |document: &Document<'_>| {
        let units = document
            .mentions()
            .filter(|mention| Role::Gold.plays(mention.flags()) && mention.place().is_none());
        units.count()
    };
    let fact = |key: &str| gold?.attribute(key).map(str::to_owned);
    DocumentEntry {
        number,
        name: name.to_owned(),
        title: fact(attribute::TITLE),
        language: fact(attribute::LANGUAGE),
        characters: characters.or_else(|| context.experiment.runs.iter().find_map(of_run)),
        mentions: gold.as_ref().map_or(0, is_unit),
        in_gold: gold.is_some(),
        outcomes: counts.iter().map(|of| of.get(name).copied().unwrap_or_default()).collect(),
    }
}

fn text_of(corpus: &Corpus, name: &str) -> Option<usize> {
    Some(corpus.document(name)?.text()?.chars().count())
}

impl Answer for DocumentsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = vec![self.signature.clone()];
        let report = Report::of(Deferred::by(|| self.table()));
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}
