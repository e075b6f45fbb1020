//! One accuracy for each person; wrong answers are equally likely.

use super::em::{Expected, Maximise, settle};
use super::{ControlAnswers, ModelRefused, Votes, WorkerFit, WorkerModel};

/// The one-coin model, by maximum likelihood.
#[derive(Debug)]
pub(super) struct OneCoin;

impl WorkerModel for OneCoin {
    fn name(&self) -> &'static str {
        "one-coin"
    }

    fn about(&self) -> &'static str {
        "one accuracy for each person; all wrong answers are equally likely"
    }

    fn fit(&self, votes: &Votes, controls: &[ControlAnswers]) -> Result<WorkerFit, ModelRefused> {
        votes.enough()?;
        Ok(settle(votes, controls, self))
    }
}

impl Maximise for OneCoin {
    fn classes(&self, expected: &[f64]) -> Vec<f64> {
        let all: f64 = expected.iter().sum();
        expected.iter().map(|class| class / all).collect()
    }

    fn confusion(&self, counts: &[Vec<f64>]) -> Vec<Vec<f64>> {
        coin(counts, 0.0, 0.0)
    }

    fn prior(&self, _: &[f64], _: &[Vec<Vec<f64>>], _: &Expected) -> f64 {
        0.0
    }
}

/// A confusion with one accuracy, from counts and what is added to them.
pub(super) fn coin(counts: &[Vec<f64>], beside: f64, diagonal: f64) -> Vec<Vec<f64>> {
    let size = counts.len();
    let right: f64 = counts.iter().enumerate().map(|(class, row)| row[class] + diagonal).sum();
    let all: f64 = counts.iter().flatten().sum::<f64>()
        + size as f64 * (diagonal + (size as f64 - 1.0) * beside);
    let others = (size as f64 - 1.0).max(1.0);
    let accuracy = if all > 0.0 { right / all } else { 1.0 / size as f64 };
    let chance = |class, answer| if class == answer { accuracy } else { (1.0 - accuracy) / others };
    (0..size).map(|class| (0..size).map(|answer| chance(class, answer)).collect()).collect()
}
