//! Scores that must be reached.

use super::Board;
use super::answer::GateVerdict;
use crate::error::Error;
use crate::notices;
use karat_measures::{Average, Convention, Selection, Wanted};
use karat_model::{Hint, Notice};
use std::borrow::Cow;

/// A score that must be reached.
#[derive(Debug, Clone)]
pub(super) struct Gate {
    asked: Selection,
    least: f64,
}

/// What a gate asks for: a score alone is that of the headline, `link`.
pub(super) fn gated_score(name: &str) -> Cow<'_, str> {
    let (score, average) = name.trim().split_once('@').unwrap_or((name.trim(), "micro"));
    let is_score = matches!(score, "f1" | "precision" | "recall");
    // Recall at a number is a measure.
    match is_score && matches!(average, "micro" | "macro") {
        true => Cow::Owned(format!("link.{}", name.trim())),
        false => Cow::Borrowed(name),
    }
}

impl Gate {
    /// The gate that is written as `link.f1=0.8`.
    pub(super) fn parse(text: &str, convention: &Convention) -> Result<Gate, Error> {
        let hint = || Hint::template("write for example {fail-under=link.f1=0.8}");
        // The last `=`, as names of measures may have parameters with one: `fuzzy(alpha=0.5)=0.9`.
        let (name, least) = text
            .rsplit_once('=')
            .ok_or_else(|| Error::bad_request(format!("`{text}` names no value"), hint()))?;
        let number = least.parse().ok().filter(|number: &f64| number.is_finite());
        let least = number.ok_or_else(|| {
            Error::bad_request(format!("`{least}` is no number to reach"), hint())
        })?;
        let name = gated_score(name);
        let mut asked = Selection::parse([name.as_ref()], convention)?;
        for wanted in &mut asked.wanted {
            let measure = &asked.measures[wanted.measure];
            wanted.score = wanted.score.take().or(measure.compute.headline().map(str::to_owned));
            if wanted.score.is_none() {
                let hint = "choose a measure with a score; `karat measures` lists them";
                let message = format!("`{}` has no score to reach", measure.name);
                return Err(Error::bad_request(message, hint));
            }
        }
        // A gate that nobody can pass is a mistake of the reader (80 for 0.8), not of the system.
        if least > 1.0 && asked.wanted.iter().any(|wanted| is_score(&asked, wanted)) {
            return Err(Error::bad_request(
                format!("`{name}` cannot reach {least}"),
                "scores lie between 0 and 1; only counts such as link.tp go beyond",
            ));
        }
        Ok(Gate { asked, least })
    }

    /// What it says of every system of every board.
    pub(super) fn verdicts(&self, boards: &[Board]) -> Vec<GateVerdict> {
        let of_board = |board: &Board| {
            let wanted = self.asked.wanted.iter();
            wanted.flat_map(|wanted| self.of_wanted(board, wanted)).collect::<Vec<_>>()
        };
        boards.iter().flat_map(of_board).collect()
    }

    fn of_wanted(&self, board: &Board, asked: &Wanted) -> Vec<GateVerdict> {
        let name = &self.asked.measures[asked.measure].name;
        let known = board.selection.measures.iter().position(|measure| measure.name == *name);
        let Some(measure) = known else { return Vec::new() };
        let wanted = Wanted { measure, ..asked.clone() };
        let score = asked.score.as_deref().unwrap_or("f1");
        let average = if asked.average == Average::Macro { "@macro" } else { "" };
        let of_system = |system: &super::SystemScores| {
            // What a convention says of nothing at all reaches nothing.
            let result = &system.evaluation.results[measure];
            let reached = result.wanted(&wanted).filter(|_| !result.is_over_nothing());
            GateVerdict {
                system: system.name.clone(),
                benchmark: board.benchmark.clone(),
                score: format!("{name}.{score}{average}"),
                least: self.least,
                reached,
                // An undefined score passes no gate: a build must not succeed because nothing was
                // scored.
                passed: reached.is_some_and(|reached| reached >= self.least),
            }
        };
        board.systems.iter().map(of_system).collect()
    }
}

impl GateVerdict {
    /// What has to be said of a system that does not pass.
    pub(super) fn notice(&self) -> Option<Notice> {
        let GateVerdict { system, score, least, .. } = self;
        (!self.passed).then(|| {
            let reached = self.reached.map_or("undefined".to_owned(), |it| format!("{it:.4}"));
            let message = format!("`{system}` has {score} {reached}, below {least}");
            notices::GATE_MISSED.notice(message).about(system)
        })
    }
}

/// Whether a score is asked for, and not a count.
pub fn is_score(selection: &Selection, wanted: &Wanted) -> bool {
    let compute = &selection.measures[wanted.measure].compute;
    wanted.score.as_deref().is_none_or(|score| compute.count_at(score).is_none())
}
