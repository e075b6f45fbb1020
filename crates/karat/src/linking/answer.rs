//! What asking a linker gives.

use crate::notices;
use crate::request::{Answer, record};
use crate::scoring::EvaluationAnswer;
use karat_linkers::LinkFailure;
use karat_linkers::runner::{DocumentOutcome, DocumentStatus, RunCosts};
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a linker said, and what became of every document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LinkingAnswer {
    /// The version of karat.
    pub karat: String,
    /// The linker.
    pub linker: String,
    /// The linker with everything that its answers depend on.
    pub signature: String,
    /// How many documents were answered, and how.
    pub documents: LinkedDocuments,
    /// How many mentions were answered.
    pub mentions: u64,
    /// How many of them have an entity.
    pub linked: u64,
    /// How many of them are NIL.
    pub nil: u64,
    /// The documents that were not answered, or not all of them, and why.
    #[serde(default)]
    pub unanswered: Vec<DocumentOutcome>,
    /// What is remarkable about answers, and how often.
    #[serde(default)]
    pub counted: BTreeMap<String, u64>,
    /// Ways of counting offsets that answers fit, where they do not fit the declared one.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub better_counting: BTreeMap<String, u64>,
    /// What it took.
    pub costs: RunCosts,
    /// Why the run ended before all was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped: Option<LinkFailure>,
    /// The scores of the output, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<EvaluationAnswer>,
    /// What was written beside the folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<LinkedOutput>,
    /// The folder of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Whether enough documents were answered.
    pub passes: bool,
    /// What has to be known beside it.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

/// How many documents were answered, and how.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct LinkedDocuments {
    /// With mentions.
    pub answered: u64,
    /// With none.
    pub empty: u64,
    /// In part.
    pub partly: u64,
    /// Not at all.
    pub failed: u64,
    /// Not asked about, because the run ended before.
    pub not_asked: u64,
}

impl LinkedDocuments {
    pub(super) fn of(documents: &[DocumentOutcome]) -> LinkedDocuments {
        let mut counts = LinkedDocuments::default();
        for document in documents {
            *match document.status {
                DocumentStatus::Answered => &mut counts.answered,
                DocumentStatus::Empty => &mut counts.empty,
                DocumentStatus::Partly => &mut counts.partly,
                DocumentStatus::Failed => &mut counts.failed,
                DocumentStatus::NotAsked => &mut counts.not_asked,
            } += 1;
        }
        counts
    }

    /// All documents.
    pub fn all(&self) -> u64 {
        self.answered + self.empty + self.unanswered()
    }

    /// Those of which not everything was answered.
    pub fn unanswered(&self) -> u64 {
        self.partly + self.failed + self.not_asked
    }
}

/// An output that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkedOutput {
    /// Where.
    pub path: String,
    /// In which format.
    pub format: String,
    /// What the format cannot hold and was left out, and how often.
    pub lost: BTreeMap<String, usize>,
}

impl LinkingAnswer {
    /// Where things are now. A replay keeps no answers.
    pub(super) fn kept(&self, is_replay: bool) -> Vec<Notice> {
        let folder = self.folder.as_ref().map(|folder| {
            let message = match is_replay {
                true => format!("wrote the output and a report to `{folder}`"),
                false => format!("kept every answer, the output and a report in `{folder}`"),
            };
            notices::CONVERTED.notice(message).about(&self.linker)
        });
        let written = self.written.as_ref().filter(|written| written.path != "-");
        let written = written.map(|written| {
            let message = format!("wrote `{}` ({})", written.path, written.format);
            notices::CONVERTED.notice(message).about(&self.linker)
        });
        folder.into_iter().chain(written).collect()
    }

    /// One row: what became of documents and what was found.
    fn overview(&self) -> Table {
        let counts = ["documents", "answered", "empty", "partly", "failed", "not asked"];
        let found = ["mentions", "linked", "NIL"];
        let columns = [Column::text("linker")].into_iter();
        let mut table =
            Table::new(columns.chain(counts.into_iter().chain(found).map(Column::count)));
        let documents = &self.documents;
        let cells = [
            documents.all(),
            documents.answered,
            documents.empty,
            documents.partly,
            documents.failed,
            documents.not_asked,
            self.mentions,
            self.linked,
            self.nil,
        ];
        table.row([Cell::from(self.linker.as_str())].into_iter().chain(cells.map(Cell::Count)));
        table
    }

    fn unanswered(&self) -> Table {
        let mut table = Table::new([
            Column::text("document"),
            Column::text("status"),
            Column::text("kind"),
            Column::text("why"),
        ]);
        for document in &self.unanswered {
            let failure = document.failure.as_ref();
            table.row([
                Cell::from(document.name.as_str()),
                Cell::from(document.status.name()),
                failure.map_or(Cell::Missing, |failure| Cell::from(failure.kind.name())),
                failure.map_or(Cell::Missing, |failure| Cell::from(failure.message.as_str())),
            ]);
        }
        table
    }

    fn remarkable(&self) -> Table {
        let mut table = Table::new([Column::text("what"), Column::count("how often")]);
        for (what, count) in &self.counted {
            table.row([Cell::from(what.as_str()), Cell::Count(*count)]);
        }
        table
    }

    fn costs(&self) -> Table {
        let costs = &self.costs;
        let mut table = Table::new([
            Column::count("requests"),
            Column::count("kept answers"),
            Column::count("characters"),
            Column::number("median ms", 1),
            Column::number("p90", 1),
            Column::number("p99", 1),
            Column::number("longest", 1),
            Column::number("spent", 4),
        ]);
        let number = |value: Option<f64>| value.map_or(Cell::Missing, Cell::Number);
        let time =
            |of: fn(&karat_linkers::runner::RunTimes) -> f64| number(costs.times.as_ref().map(of));
        table.row([
            Cell::Count(costs.requests),
            Cell::Count(costs.kept),
            Cell::Count(costs.characters),
            time(|times| times.median),
            time(|times| times.p90),
            time(|times| times.p99),
            time(|times| times.longest),
            number(costs.spent),
        ]);
        table
    }
}

impl Answer for LinkingAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let mut sections = vec![ReportSection::new("Documents", Deferred::by(|| self.overview()))];
        if !self.unanswered.is_empty() {
            sections
                .push(ReportSection::new("Without an answer", Deferred::by(|| self.unanswered())));
        }
        if !self.counted.is_empty() {
            sections
                .push(ReportSection::new("Counted on the way", Deferred::by(|| self.remarkable())));
        }
        if self.costs.requests + self.costs.kept > 0 {
            sections.push(ReportSection::new("What it took", Deferred::by(|| self.costs())));
        }
        if let Some(scores) = &self.scores {
            sections.extend(scores.report().sections);
        }
        Report {
            sections,
            rows: Some(Deferred::by(|| self.overview())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }

    fn passes(&self) -> bool {
        self.passes && self.scores.as_ref().is_none_or(Answer::passes)
    }
}
