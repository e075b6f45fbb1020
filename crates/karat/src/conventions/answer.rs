//! One run under several conventions, as a record.

use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::request::{Answer, record};
use crate::scoring::answer::{EvaluationAnswer, MeasureRecord, Shown};
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};

/// One system under several conventions.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionsAnswer {
    /// The version of karat.
    pub karat: String,
    /// The system.
    pub system: String,
    /// The benchmark.
    pub benchmark: String,
    /// The score that was asked for, if it was one of a measure.
    pub score: Option<String>,
    /// Whether it is the mean over documents.
    #[serde(rename = "macro")]
    pub mean: bool,
    /// Each convention.
    pub conventions: Vec<ConventionScores>,
    /// The way from one convention to another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub walk: Option<ConventionWalk>,
    /// What a reader of the numbers has to know.
    pub notices: Vec<Notice>,
}

/// One system under one convention.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionScores {
    /// The preset.
    pub preset: String,
    /// What it is.
    pub about: String,
    /// The scores.
    pub measure: Option<MeasureRecord>,
    /// What reproduces them.
    pub signature: Option<String>,
    /// Why there are no scores.
    pub refused: Option<String>,
}

/// The way from one convention to another, one setting after the other.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionWalk {
    /// The preset at its start.
    pub from: String,
    /// The preset at its end.
    pub to: String,
    /// The start, and one step for each setting that differs.
    pub steps: Vec<ConventionStep>,
    /// The other preset itself.
    pub end: ConventionStep,
    /// Whether the last step gives the scores of the other preset.
    pub arrives: bool,
}

/// One step: a setting that is changed, and the scores after it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ConventionStep {
    /// The setting; nothing at the start.
    pub setting: Option<String>,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
    /// What the new value means.
    pub meaning: String,
    /// The convention after the step.
    #[serde(default)]
    pub convention: ConventionRequest,
    /// The counts and scores after the step; nothing where they could not be made.
    pub scores: Vec<(String, Option<f64>)>,
}

impl ConventionsAnswer {
    /// Takes what all conventions have in common from one of them.
    pub(super) fn take(&mut self, scored: &EvaluationAnswer) {
        if let Some(system) = scored.systems.first().filter(|_| self.system.is_empty()) {
            self.system.clone_from(&system.name);
            self.benchmark.clone_from(&system.benchmark);
        }
        if let Some(Shown { score, mean, .. }) = scored.shown.first() {
            self.score.clone_from(score);
            self.mean = *mean;
        }
        for notice in &scored.notices {
            if !self.notices.contains(notice) {
                self.notices.push(notice.clone());
            }
        }
    }

    /// The name of the score that conventions are told apart by.
    pub fn main_score(&self) -> &str {
        self.score.as_deref().unwrap_or("f1")
    }

    /// The score under a convention.
    pub fn value(&self, scores: &ConventionScores) -> Option<f64> {
        let measure = scores.measure.as_ref()?;
        match self.mean {
            true => measure.mean.as_ref()?.score(self.main_score()).flatten(),
            false => measure.score(self.main_score()).flatten(),
        }
    }

    /// The result in words: how far conventions are apart.
    pub fn sentence(&self) -> String {
        let mut values: Vec<(f64, &str)> = self
            .conventions
            .iter()
            .filter(|scores| !scores.is_over_nothing())
            .filter_map(|scores| Some((self.value(scores)?, scores.preset.as_str())))
            .collect();
        values.sort_by(|a, b| a.0.total_cmp(&b.0));
        match (values.first(), values.last()) {
            (Some((low, lowest)), Some((high, highest))) if high > low => format!(
                "The same output scores from {low:.3} ({lowest}) to {high:.3} ({highest}): {:.1} points of convention.",
                100.0 * (high - low)
            ),
            (Some((value, _)), _) => format!("All conventions give {value:.3}."),
            _ => "No convention gives a score.".to_owned(),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("convention"),
            Column::exact(self.main_score().to_owned()),
            Column::exact("low"),
            Column::exact("high"),
            Column::exact("tp"),
            Column::exact("fp"),
            Column::exact("fn"),
            Column::text("signature"),
        ]);
        for scores in &self.conventions {
            let measure = scores.measure.as_ref();
            let count = |name: &str| measure.and_then(|it| it.count(name).flatten());
            let ci = measure.and_then(|it| it.ci.get(self.main_score()));
            table.row([
                Cell::from(scores.preset.as_str()),
                Cell::from(self.value(scores)),
                Cell::from(ci.map(|ends| ends[0])),
                Cell::from(ci.map(|ends| ends[1])),
                Cell::from(count("tp")),
                Cell::from(count("fp")),
                Cell::from(count("fn")),
                Cell::from(scores.signature.clone()),
            ]);
        }
        table
    }
}

impl Answer for ConventionsAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let mut report = Report::of(Deferred::by(|| self.table()));
        if let Some(walk) = &self.walk {
            let title = format!("From {} to {}", walk.from, walk.to);
            report.sections.push(ReportSection::new(title, Deferred::by(|| walk.table())));
        }
        let signatures = self.conventions.iter().filter_map(|scores| scores.signature.clone());
        Report {
            result: Some(self.sentence()),
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| record(self))),
            signatures: signatures.collect(),
            ..report
        }
    }
}

impl ConventionScores {
    /// Whether nothing was counted: the score is what the convention says of nothing.
    pub fn is_over_nothing(&self) -> bool {
        self.measure.as_ref().is_some_and(|measure| measure.over_nothing)
    }

    pub(super) fn of(
        preset: &str,
        about: String,
        scored: Result<EvaluationAnswer, Error>,
    ) -> ConventionScores {
        let scores = ConventionScores { preset: preset.to_owned(), about, ..Self::default() };
        match scored {
            Err(error) => ConventionScores { refused: Some(error.to_string()), ..scores },
            Ok(scored) => ConventionScores {
                signature: Some(scored.gold.signature.clone()),
                measure: first_measure(&scored).cloned(),
                ..scores
            },
        }
    }
}

fn first_measure(scored: &EvaluationAnswer) -> Option<&MeasureRecord> {
    scored.systems.first()?.measures.first()
}

impl ConventionStep {
    pub(super) fn of(
        change: Option<[String; 4]>,
        scored: Option<&EvaluationAnswer>,
    ) -> ConventionStep {
        let measure = scored.and_then(first_measure);
        let scores = measure.into_iter().flat_map(|it| it.counts.iter().chain(&it.scores));
        let step = ConventionStep { scores: scores.cloned().collect(), ..Self::default() };
        match change {
            None => step,
            Some([setting, before, after, meaning]) => {
                ConventionStep { setting: Some(setting), before, after, meaning, ..step }
            }
        }
    }

    /// A count or a score after the step.
    pub fn number(&self, name: &str) -> Option<f64> {
        let named = |name: &str| self.scores.iter().find(|(known, _)| known == name)?.1;
        named(name).or_else(|| named("ptp").filter(|_| name == "tp"))
    }
}

impl ConventionWalk {
    /// How far each step moves a score, in the order of the steps; nothing for the start, and where a score is not
    /// defined.
    pub fn changes(&self, score: &str) -> Vec<Option<f64>> {
        let moved = |pair: &[ConventionStep]| {
            let [before, after] = pair else { return None };
            Some(after.number(score)? - before.number(score)?)
        };
        std::iter::once(None).chain(self.steps.windows(2).map(moved)).collect()
    }

    fn table(&self) -> Table {
        let words = ["setting", "before", "after"].map(Column::text);
        let numbers = ["tp", "fp", "fn", "f1"].map(Column::exact);
        let mut table = Table::new(words.into_iter().chain(numbers));
        for step in &self.steps {
            let words = [step.setting.as_deref().unwrap_or(&self.from), &step.before, &step.after];
            let numbers = ["tp", "fp", "fn", "f1"].map(|name| Cell::from(step.number(name)));
            table.row(words.map(Cell::from).into_iter().chain(numbers).collect::<Vec<_>>());
        }
        table
    }
}
