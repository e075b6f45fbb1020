//! Dawid and Skene (1979): everybody has a confusion matrix of their own; the most likely ones are found by EM.

use super::em::{Expected, Maximise, rows, settle};
use super::{ControlAnswers, ModelRefused, Votes, WorkerFit, WorkerModel};

/// Maximum likelihood, as in the paper.
#[derive(Debug)]
pub(super) struct DawidSkene;

impl WorkerModel for DawidSkene {
    fn name(&self) -> &'static str {
        "dawid-skene"
    }

    fn about(&self) -> &'static str {
        "a confusion matrix for each person, by maximum likelihood"
    }

    fn fit(&self, votes: &Votes, controls: &[ControlAnswers]) -> Result<WorkerFit, ModelRefused> {
        votes.enough()?;
        Ok(settle(votes, controls, self))
    }
}

impl Maximise for DawidSkene {
    fn classes(&self, expected: &[f64]) -> Vec<f64> {
        let all: f64 = expected.iter().sum();
        expected.iter().map(|class| class / all).collect()
    }

    fn confusion(&self, counts: &[Vec<f64>]) -> Vec<Vec<f64>> {
        rows(counts, 0.0, 0.0)
    }

    fn prior(&self, _: &[f64], _: &[Vec<Vec<f64>>], _: &Expected) -> f64 {
        0.0
    }
}
