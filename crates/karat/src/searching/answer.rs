//! What was found, as a record.

use crate::documents::CaseOutcome;
use crate::errors::{MentionAnswer, MentionInText};
use crate::inputs::counted;
use crate::request::{Answer, record};
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};

/// Everything whose name has in it what was looked for.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SearchAnswer {
    /// The version of karat.
    pub karat: String,
    /// What was looked for.
    pub query: String,
    /// Systems.
    pub systems: SearchHits<FoundSystem>,
    /// Documents.
    pub documents: SearchHits<FoundDocument>,
    /// Entities.
    pub entities: SearchHits<FoundEntity>,
    /// Mentions.
    pub mentions: SearchHits<MentionHit>,
    /// What a reader has to know.
    pub notices: Vec<Notice>,
}

/// Some of all that was found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchHits<T> {
    /// How many there are.
    pub total: usize,
    /// The first of them.
    pub items: Vec<T>,
}

impl<T> Default for SearchHits<T> {
    fn default() -> SearchHits<T> {
        SearchHits { total: 0, items: Vec::new() }
    }
}

/// A system.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundSystem {
    /// Its name.
    pub name: String,
    /// The benchmarks on which it has a run.
    pub benchmarks: Vec<String>,
}

/// A document.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundDocument {
    /// The benchmark.
    pub benchmark: String,
    /// Its number, from 1.
    pub number: usize,
    /// What it is called.
    pub name: String,
    /// Its title, if the file has one.
    pub title: Option<String>,
}

/// An entity.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundEntity {
    /// Its id.
    pub entity: String,
    /// What it is called, if a file or the knowledge base says so.
    pub name: Option<String>,
    /// How many gold mentions are linked to it.
    pub gold: usize,
    /// How many predictions of all runs are.
    pub predicted: usize,
}

/// A mention, with what gold and runs say of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct MentionHit {
    /// The benchmark.
    pub benchmark: String,
    /// The number of its document, from 1.
    pub document: usize,
    /// What the document is called.
    pub name: String,
    /// Where it stands, with the text around it.
    #[serde(flatten)]
    pub in_text: MentionInText,
    /// What gold says; `None` where only a run has a mention here.
    pub gold: Option<MentionAnswer>,
    /// What runs made of it; those that have nothing to do with it are left out.
    pub runs: Vec<FoundOutcome>,
}

/// What a run made of a mention.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FoundOutcome {
    /// The system.
    pub system: String,
    /// What became of the mention.
    pub outcome: CaseOutcome,
    /// What it predicted, if it did.
    pub prediction: Option<MentionAnswer>,
}

impl SearchAnswer {
    /// What was found, in a sentence.
    pub fn sentence(&self) -> String {
        if self.query.trim().is_empty() {
            return "Type a mention, an entity, or the name of a document or a system.".to_owned();
        }
        let found = [
            (self.mentions.total, "mention"),
            (self.entities.total, "entity"),
            (self.documents.total, "document"),
            (self.systems.total, "system"),
        ];
        let found: Vec<String> = found
            .into_iter()
            .filter(|(total, _)| *total > 0)
            .map(|(total, noun)| match (total, noun) {
                (1, _) => format!("1 {noun}"),
                (_, "entity") => format!("{total} entities"),
                _ => counted(total, noun),
            })
            .collect();
        match found.as_slice() {
            [] => "Nothing has this in its name or text.".to_owned(),
            [only] => format!("{only}."),
            [first @ .., last] => format!("{} and {last}.", first.join(", ")),
        }
    }

    fn rows(&self) -> Table {
        let texts = ["kind", "benchmark", "document", "text", "gold"].map(Column::text);
        let mut table = Table::new(texts.into_iter().chain([Column::text("runs")]));
        let mut row = |cells: [&str; 6]| table.row(cells.map(Cell::from));
        for it in &self.systems.items {
            row(["system", &it.benchmarks.join(" "), "", &it.name, "", ""]);
        }
        for it in &self.documents.items {
            row(["document", &it.benchmark, &it.name, it.title.as_deref().unwrap_or(""), "", ""]);
        }
        for it in &self.entities.items {
            let counts = format!("{} in gold, {} predicted", it.gold, it.predicted);
            row(["entity", "", "", it.name.as_deref().unwrap_or(""), &it.entity, &counts]);
        }
        for it in &self.mentions.items {
            let runs: Vec<String> = it.runs.iter().map(FoundOutcome::to_string).collect();
            let gold = it.gold.as_ref().map(ToString::to_string).unwrap_or_default();
            let text = it.in_text.mention.as_deref().unwrap_or("");
            row(["mention", &it.benchmark, &it.name, text, &gold, &runs.join("; ")]);
        }
        table
    }
}

impl std::fmt::Display for FoundOutcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.system, self.outcome.name())?;
        match &self.prediction {
            Some(prediction) => write!(f, " {prediction}"),
            None => Ok(()),
        }
    }
}

impl Answer for SearchAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        Report {
            result: Some(self.sentence()),
            sections: vec![ReportSection::new("", Deferred::by(|| self.rows()))],
            rows: Some(Deferred::by(|| self.rows())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}
