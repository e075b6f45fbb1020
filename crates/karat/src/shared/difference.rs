//! What a change does to the boards of a shared evaluation.

use super::results::SharedResults;
use crate::board::BoardCell;
use crate::error::Error;
use crate::request::{Answer, Request, record};
use crate::work::Work;
use karat_model::Notice;
use karat_report::{Cell, Column, Deferred, Report, ReportSection, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Asks what differs between two results of one shared evaluation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DifferenceRequest {
    /// The results before: the folder of a site, or its `results.json`.
    pub old: String,
    /// The results after.
    pub new: String,
}

/// What differs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct DifferenceAnswer {
    /// The version of karat.
    pub karat: String,
    /// What the evaluation is called.
    pub title: String,
    /// The scores that are new, gone or other than before.
    pub changes: Vec<ScoreChange>,
    /// How many scores are the same.
    pub same: usize,
    /// What has to be known.
    pub notices: Vec<Notice>,
}

/// A score that is not what it was.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreChange {
    /// The convention.
    pub convention: String,
    /// The measure.
    pub measure: String,
    /// The benchmark.
    pub benchmark: String,
    /// The system.
    pub system: String,
    /// The score before.
    pub before: Option<f64>,
    /// The score after.
    pub after: Option<f64>,
    /// Where the score may lie now.
    pub ci: Option<[f64; 2]>,
    /// The rank before, as a range where it is not certain.
    pub rank_before: Option<String>,
    /// The rank after.
    pub rank_after: Option<String>,
    /// The letters of its groups now: systems that share one were not told apart.
    pub letters: String,
}

impl Request for DifferenceRequest {
    type Answer = DifferenceAnswer;

    const NAME: &'static str = "shared-difference";

    fn answer(&self, _: &Work) -> Result<DifferenceAnswer, Error> {
        let (old, new) = (SharedResults::read(&self.old)?, SharedResults::read(&self.new)?);
        Ok(DifferenceAnswer::between(&old, &new))
    }
}

impl DifferenceAnswer {
    /// What differs between two results.
    pub fn between(old: &SharedResults, new: &SharedResults) -> DifferenceAnswer {
        let mut answer = DifferenceAnswer {
            karat: env!("CARGO_PKG_VERSION").to_owned(),
            title: new.title.clone(),
            ..DifferenceAnswer::default()
        };
        let (before, after) = (old.scores(), new.scores());
        let by_name =
            |scores: &'_ [([String; 4], &'_ BoardCell)]| -> BTreeMap<[String; 4], BoardCell> {
                scores.iter().map(|(of, cell)| (of.clone(), (*cell).clone())).collect()
            };
        let (known_before, known_after) = (by_name(&before), by_name(&after));
        for (of, cell) in &after {
            let was = known_before.get(of);
            // Ranks of others move with every new system; what is said is whose own score moved.
            if was.is_some_and(|was| was.value == cell.value) {
                answer.same += 1;
                continue;
            }
            answer.changes.push(ScoreChange::of(of, was, Some(cell)));
        }
        for (of, cell) in &before {
            if !known_after.contains_key(of) {
                answer.changes.push(ScoreChange::of(of, Some(cell), None));
            }
        }
        answer
    }

    /// The result in words.
    pub fn sentence(&self) -> String {
        let count =
            |fits: fn(&ScoreChange) -> bool| self.changes.iter().filter(|it| fits(it)).count();
        let counted = [
            (count(|it| it.before.is_none()), "new"),
            (count(|it| it.before.is_some() && it.after.is_some()), "changed"),
            (count(|it| it.after.is_none()), "gone"),
        ];
        let words: Vec<String> = counted
            .iter()
            .filter(|(number, _)| *number > 0)
            .map(|(number, word)| format!("{number} {word}"))
            .collect();
        match words.is_empty() {
            true => format!("No score changes; {} stay as they are.", self.same),
            false => format!("Scores: {}; {} stay as they are.", words.join(", "), self.same),
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            Column::text("system"),
            Column::text("benchmark"),
            Column::text("measure"),
            Column::text("as"),
            Column::number("before", 3),
            Column::number("after", 3),
            Column::text("95 %"),
            Column::text("rank"),
            Column::text("group"),
        ]);
        for change in &self.changes {
            let range = change.ci.map(|[low, high]| format!("{low:.3}–{high:.3}"));
            let ranks = match (&change.rank_before, &change.rank_after) {
                (Some(before), Some(after)) if before != after => format!("{before} → {after}"),
                (_, Some(after)) => after.clone(),
                (Some(before), None) => format!("{before} → –"),
                (None, None) => String::new(),
            };
            let text =
                |text: String| if text.is_empty() { Cell::Missing } else { Cell::from(text) };
            table.row([
                Cell::from(change.system.as_str()),
                Cell::from(change.benchmark.as_str()),
                Cell::from(change.measure.as_str()),
                Cell::from(change.convention.as_str()),
                Cell::from(change.before),
                Cell::from(change.after),
                text(range.unwrap_or_default()),
                text(ranks),
                text(change.letters.clone()),
            ]);
        }
        table
    }
}

impl ScoreChange {
    fn of(of: &[String; 4], was: Option<&BoardCell>, is: Option<&BoardCell>) -> ScoreChange {
        let [convention, measure, benchmark, system] = of.clone();
        ScoreChange {
            convention,
            measure,
            benchmark,
            system,
            before: was.and_then(|cell| cell.value),
            after: is.and_then(|cell| cell.value),
            ci: is.and_then(|cell| cell.ci),
            rank_before: was.and_then(BoardCell::ranks),
            rank_after: is.and_then(BoardCell::ranks),
            letters: is.map(|cell| cell.letters.clone()).unwrap_or_default(),
        }
    }
}

impl Answer for DifferenceAnswer {
    fn notices(&self) -> &[Notice] {
        &self.notices
    }

    fn report(&self) -> Report<'_> {
        let tables = || match self.changes.is_empty() {
            true => Vec::new(),
            false => vec![ReportSection::new("", Deferred::by(|| self.table()))],
        };
        Report {
            title: Some(format!("What changes in {}", self.title)),
            result: Some(self.sentence()),
            sections: tables(),
            page: tables(),
            rows: Some(Deferred::by(|| self.table())),
            record: Some(Deferred::by(|| record(self))),
            ..Report::default()
        }
    }
}
