//! Every vote counts the same: the chance of an answer is its share of the votes.

use super::em::{Expected, rows};
use super::{ControlAnswers, ModelRefused, PersonFit, Votes, WorkerFit, WorkerModel};

/// Majority. It is the only model that takes one judgement per item.
#[derive(Debug)]
pub(super) struct Majority;

impl WorkerModel for Majority {
    fn name(&self) -> &'static str {
        "majority"
    }

    fn about(&self) -> &'static str {
        "every vote counts the same"
    }

    fn fit(&self, votes: &Votes, controls: &[ControlAnswers]) -> Result<WorkerFit, ModelRefused> {
        if votes.per_item() == 0.0 {
            return Err(ModelRefused::Nothing);
        }
        let posteriors = votes.shares();
        let expected = Expected::of(votes, &posteriors, controls);
        let all: f64 = expected.classes.iter().sum();
        let shares: Vec<f64> = expected.classes.iter().map(|class| class / all).collect();
        let person = |counts: &Vec<Vec<f64>>| {
            PersonFit::new(rows(counts, 0.0, 0.0), expected.answers(counts), &shares)
        };
        let people = expected.people.iter().map(person).collect();
        Ok(WorkerFit { posteriors, people, shares, objective: 0.0, rounds: 0 })
    }
}
