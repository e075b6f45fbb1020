//! One document with everything that is said of it, as a record.

use super::outcome::{CaseOutcome, OutcomeCounts};
use crate::errors::known_names::KnownNames;
use crate::errors::{MentionAnswer, NotCounted};
use crate::request::{Answer, record};
use crate::scoring::answer::MeasureRecord;
use karat_model::{Notice, Span};
use karat_report::{Cell, Column, Deferred, Report, Table};
use serde::{Deserialize, Serialize};

/// A document, its layers and its cases.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DocumentAnswer {
    /// The version of karat.
    pub karat: String,
    /// What reproduces everything that is said.
    pub signature: String,
    /// The benchmark.
    pub benchmark: String,
    /// The number of the document, from 1. Documents that only a run has come after those of gold.
    pub number: usize,
    /// How many documents there are.
    pub documents: usize,
    /// What it is called.
    pub name: String,
    /// Its title, if the file has one.
    pub title: Option<String>,
    /// Its language, as a BCP 47 tag.
    pub language: Option<String>,
    /// Its topic.
    pub topic: Option<String>,
    /// Where it came from.
    pub url: Option<String>,
    /// Whether gold has it.
    pub in_gold: bool,
    /// The document before it.
    pub previous: Option<NeighbourDocument>,
    /// The document after it.
    pub next: Option<NeighbourDocument>,
    /// Its text; a file may have none, and count in tokens or bytes of a text that is elsewhere.
    pub text: Option<String>,
    /// How many code points the text has.
    pub characters: Option<u32>,
    /// The part that is evaluated, if not all of it is: where it starts and ends.
    pub evaluated: Option<[u32; 2]>,
    /// The part of the text that is given, if not all of it is: where it starts and ends.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<[u32; 2]>,
    /// The runs, in the order given: the layers beside gold.
    pub runs: Vec<RunLayer>,
    /// Every gold mention and every stray prediction, in the order of their spans.
    pub cases: Vec<TextCase>,
    /// What a reader has to know.
    #[serde(default)]
    pub notices: Vec<Notice>,
}

impl DocumentAnswer {
    /// The same with a part of the text only, and the cases that reach into it. Offsets stay those of the whole text. A part that
    /// reaches beyond the text ends with it.
    #[must_use]
    pub fn within(mut self, [from, to]: [u32; 2]) -> DocumentAnswer {
        let end = self.characters.unwrap_or_else(|| {
            // Without a text, what is said of it ends with its last mention.
            self.cases.iter().map(|case| case.end).max().unwrap_or(from)
        });
        let to = to.min(end).max(from);
        let length = to.saturating_sub(from) as usize;
        let cut = |text: String| text.chars().skip(from as usize).take(length).collect();
        self.text = self.text.map(cut);
        self.cases.retain(|case| case.start < to && case.end > from);
        self.part = Some([from, to]);
        self
    }
}

/// A document beside the one that is shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeighbourDocument {
    /// Its number.
    pub number: usize,
    /// What it is called.
    pub name: String,
}

/// What one run did in the document.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunLayer {
    /// The system.
    pub name: String,
    /// Whether it says anything of this document.
    pub has_document: bool,
    /// How many mentions became what.
    pub outcomes: OutcomeCounts,
    /// Scores on this document alone.
    pub measures: Vec<MeasureRecord>,
}

/// A gold mention with what met it, or a stray prediction with the runs that made it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TextCase {
    /// Its number in the document, from 1.
    pub number: usize,
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Its text, if there is any.
    pub surface: Option<String>,
    /// What gold says; `None` for a stray prediction.
    pub gold: Option<GoldMention>,
    /// What each run made of it, in the order of the layers.
    pub runs: Vec<RunAnswer>,
    /// How many runs are right.
    pub right: usize,
    /// How many runs it counts for.
    pub of: usize,
    /// Whether it has the labels that were asked for.
    pub listed: bool,
}

/// What gold says of a mention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GoldMention {
    /// The entity, a quantity or a date, or NIL.
    #[serde(flatten)]
    pub answer: MentionAnswer,
    /// The NIL cluster it belongs to.
    pub nil_cluster: Option<String>,
    /// Why it counts for nothing, if it does.
    pub ignored: Option<NotCounted>,
    /// Other entities that are just as right.
    pub equivalents: Vec<String>,
    /// Other ways to read it: each is found when all of its parts are.
    pub readings: Vec<Vec<ReadingPart>>,
    /// Its types.
    pub types: Vec<String>,
    /// Its category tags.
    pub tags: Vec<String>,
    /// The chain of mentions of one entity that it belongs to, where there are several.
    pub chain: Option<usize>,
    /// Whether it refers back to an entity that is named elsewhere.
    pub refers_back: bool,
    /// What an annotator remarked.
    pub comment: Option<String>,
}

/// A part of another reading of a gold mention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadingPart {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// Its text.
    pub surface: Option<String>,
    /// What it is.
    #[serde(flatten)]
    pub answer: MentionAnswer,
}

/// What one run made of a case.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunAnswer {
    /// What became of it; `None` where another run has a stray prediction and this one has nothing.
    pub outcome: Option<CaseOutcome>,
    /// Why it does not count, if it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ignored: Option<NotCounted>,
    /// What the run predicted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prediction: Option<CasePrediction>,
    /// The categories of errors that were made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub categories: Vec<String>,
    /// Whether a category is unknown for want of facts.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_open: bool,
    /// The category that it has if the knowledge base knows all that the run predicted anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub if_all_known: Option<String>,
}

/// A prediction of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CasePrediction {
    /// Where it starts.
    pub start: u32,
    /// Where it ends.
    pub end: u32,
    /// The entity, or NIL.
    #[serde(flatten)]
    pub answer: MentionAnswer,
    /// The NIL cluster it belongs to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nil_cluster: Option<String>,
    /// How sure the system is.
    pub confidence: Option<f64>,
    /// Its types.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub types: Vec<String>,
    /// The ranked answers of the system, the best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub candidates: Vec<RankedCandidate>,
    /// The rank of the right entity among its answers, from 1; `None` if it is not among them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right_rank: Option<usize>,
}

/// One of the ranked answers of a system.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RankedCandidate {
    /// The entity; `None` for NIL.
    pub entity: Option<String>,
    /// What it is called, if that is known.
    pub name: Option<String>,
    /// Its score.
    pub score: Option<f64>,
}

impl TextCase {
    /// Gives entities the names that are known.
    pub(super) fn complete_names(&mut self, names: &KnownNames<'_>) {
        if let Some(gold) = &mut self.gold {
            names.complete(&mut gold.answer);
        }
        for said in self.runs.iter_mut().filter_map(|run| run.prediction.as_mut()) {
            names.complete(&mut said.answer);
            for candidate in &mut said.candidates {
                if let (None, Some(entity)) = (&candidate.name, &candidate.entity) {
                    candidate.name = names.get(entity);
                }
            }
        }
    }
}

impl TextCase {
    /// Where it is.
    pub fn span(&self) -> Span {
        Span::new(self.start, self.end)
    }

    /// Whether any run is wrong here.
    pub fn has_error(&self) -> bool {
        self.runs.iter().any(|run| run.outcome.is_some_and(CaseOutcome::is_wrong))
    }

    /// Whether some runs are right and others wrong.
    pub fn is_disputed(&self) -> bool {
        self.right > 0 && self.has_error()
    }
}

impl Answer for DocumentAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let signatures = vec![self.signature.clone()];
        let report = Report::of(Deferred::by(|| self.table()));
        Report { record: Some(Deferred::by(|| record(self))), signatures, ..report }
    }
}

impl DocumentAnswer {
    /// The same with one of its runs only. Cases keep their numbers; those that are only about others go.
    pub fn of_run(&self, at: usize) -> DocumentAnswer {
        let only = |case: &TextCase| {
            let run = case.runs.get(at).cloned().unwrap_or_default();
            let is_right = run.outcome.is_some_and(CaseOutcome::is_right);
            let counts = run.outcome.is_some_and(|outcome| outcome != CaseOutcome::Ignored);
            let is_there = case.gold.is_some() || run.outcome.is_some();
            is_there.then(|| TextCase {
                runs: vec![run],
                right: usize::from(is_right),
                of: usize::from(counts),
                ..case.clone()
            })
        };
        DocumentAnswer {
            runs: self.runs.get(at).cloned().into_iter().collect(),
            cases: self.cases.iter().filter_map(only).collect(),
            ..self.clone()
        }
    }

    /// A row for each case and run that says something.
    fn table(&self) -> Table {
        let texts = ["mention", "gold", "system", "outcome", "answer"].map(Column::text);
        let spans = ["start", "end"].map(Column::count);
        let mut table = Table::new(spans.into_iter().chain(texts));
        for case in &self.cases {
            for (layer, run) in self.runs.iter().zip(&case.runs) {
                let Some(outcome) = run.outcome else { continue };
                let gold = case.gold.as_ref().map(|gold| gold.answer.to_string());
                let said = run.prediction.as_ref().map(|said| said.answer.to_string());
                let text = |text: Option<String>| Cell::from(text.unwrap_or_default());
                table.row([
                    Cell::from(case.start as usize),
                    Cell::from(case.end as usize),
                    text(case.surface.clone()),
                    text(gold),
                    Cell::from(layer.name.as_str()),
                    Cell::from(outcome.name()),
                    text(said),
                ]);
            }
        }
        table
    }
}
