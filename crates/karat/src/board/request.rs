//! What can be asked of a board.

use super::answer::{BoardAnswer, BoardPart};
use super::view::BoardView;
use crate::command::CommandLine;
use crate::comparison::ComparisonRequest;
use crate::convention::ConventionRequest;
use crate::error::Error;
use crate::errors::{ErrorRatesRequest, ErrorsBy, ErrorsQuestion, ErrorsRequest};
use crate::inputs::Inputs;
use crate::request::Request;
use crate::scoring::EvaluationRequest;
use crate::work::Work;
use serde::{Deserialize, Serialize};

/// Puts systems beside each other on several benchmarks, and says which were told apart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BoardRequest {
    /// The benchmarks, each with the runs on it. A benchmark is one gold standard.
    pub benchmarks: Vec<Inputs>,
    /// The convention.
    pub convention: ConventionRequest,
    /// The measure, which stands for its F1, or one score of it.
    pub measure: String,
    /// A facet whose labels become columns, such as `type`; `error` for the rates of error categories.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// What is shown of it.
    pub view: BoardView,
}

/// Why the systems on a benchmark are not compared.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotCompared {
    /// There is none.
    #[error("there is no system")]
    NoSystem,
    /// There is nobody to compare it with.
    #[error("there is only one system")]
    OneSystem,
    /// The comparison was asked for, and this was said.
    #[error("{0}")]
    Refused(String),
}

impl NotCompared {
    /// A comparison that has no answer.
    pub fn refused(why: impl std::fmt::Display) -> NotCompared {
        NotCompared::Refused(why.to_string())
    }
}

/// What [`BoardRequest::by`] calls the categories of errors.
pub const BY_ERROR: &str = "error";

impl Default for BoardRequest {
    fn default() -> BoardRequest {
        BoardRequest {
            benchmarks: Vec::new(),
            convention: ConventionRequest::default(),
            measure: "link".to_owned(),
            by: None,
            view: BoardView::default(),
        }
    }
}

impl BoardRequest {
    /// The request that gives the scores on a benchmark.
    pub fn evaluation(&self, inputs: &Inputs) -> EvaluationRequest {
        EvaluationRequest {
            inputs: inputs.clone(),
            convention: self.convention.clone(),
            measures: vec![self.measure.clone()],
            group_by: self.by.iter().filter(|by| *by != BY_ERROR).cloned().collect(),
            ..EvaluationRequest::default()
        }
    }

    /// The requests that count errors by category on a benchmark, if columns are to show their rates: one for each system, with
    /// its name.
    pub fn errors(&self, inputs: &Inputs, systems: &[&str]) -> Vec<(String, ErrorRatesRequest)> {
        if self.by.as_deref() != Some(BY_ERROR) {
            return Vec::new();
        }
        let request = |system: &&str| ErrorRatesRequest {
            inputs: inputs.clone(),
            convention: self.convention.clone(),
            system: (*system).to_owned(),
            beside: None,
        };
        systems.iter().map(|system| ((*system).to_owned(), request(system))).collect()
    }

    /// The request that compares the systems on a benchmark; why there is none if there is nobody to compare.
    pub fn comparison(&self, inputs: &Inputs) -> Result<ComparisonRequest, NotCompared> {
        match inputs.systems.len() {
            0 => Err(NotCompared::NoSystem),
            1 => Err(NotCompared::OneSystem),
            _ => Ok(ComparisonRequest {
                inputs: inputs.clone(),
                convention: self.convention.clone(),
                measures: vec![self.measure.clone()],
                standings_only: true,
                ..ComparisonRequest::default()
            }),
        }
    }
}

impl Request for BoardRequest {
    type Answer = BoardAnswer;

    const NAME: &'static str = "board";

    fn answer(&self, work: &Work) -> Result<BoardAnswer, Error> {
        let mut answers = Vec::new();
        for inputs in &self.benchmarks {
            let evaluation = self.evaluation(inputs).answer(work)?;
            let compared = self
                .comparison(inputs)
                .and_then(|request| request.answer(work).map_err(NotCompared::refused));
            let names: Vec<&str> = evaluation.systems.iter().map(|it| it.name.as_str()).collect();
            let mut errors = Vec::new();
            for (name, request) in self.errors(inputs, &names) {
                errors.push((name, request.answer(work)?));
            }
            work.check()?;
            answers.push((evaluation, compared, errors));
        }
        let parts = answers.iter().map(|(evaluation, compared, errors)| BoardPart {
            evaluation,
            comparison: compared.as_ref().map_err(Clone::clone),
            errors: errors.iter().map(|(name, rates)| (name.as_str(), rates)).collect(),
        });
        BoardAnswer::of(&parts.collect::<Vec<_>>()).viewed(&self.view)
    }

    fn commands(&self) -> Vec<CommandLine> {
        let of_benchmark = |inputs: &Inputs| {
            let errors = self.by.as_deref().filter(|by| *by == BY_ERROR).map(|_| ErrorsRequest {
                inputs: inputs.clone(),
                convention: self.convention.clone(),
                question: ErrorsQuestion::Count(ErrorsBy::Category),
                ..ErrorsRequest::default()
            });
            let mut commands = self.evaluation(inputs).commands();
            commands.extend(self.comparison(inputs).iter().flat_map(Request::commands));
            commands.extend(errors.iter().flat_map(Request::commands));
            commands
        };
        self.benchmarks.iter().flat_map(of_benchmark).collect()
    }
}
