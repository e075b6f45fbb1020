//! Dawid and Skene with a prior: a person with few answers is taken for an ordinary one until answers say otherwise, and
//! answers on controls are observed counts of the confusion matrix.

use super::em::{Expected, Maximise, rows, settle, weighted};
use super::one_coin::coin;
use super::{ControlAnswers, ModelRefused, Votes, WorkerFit, WorkerModel};

/// The most probable confusions under a prior.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DawidSkeneMap {
    /// The prior.
    pub prior: WorkerPrior,
    /// People with fewer answers than this have one accuracy instead of a matrix, which they could not fill.
    pub coin_below: f64,
}

/// What is added to counts before shares are taken: one less than the parameter of a Dirichlet distribution, whose mode is
/// then found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorkerPrior {
    /// To every class.
    pub class: f64,
    /// To every wrong answer.
    pub beside: f64,
    /// To the right answer.
    pub diagonal: f64,
}

impl DawidSkeneMap {
    /// The default of reports: classes Dirichlet(2), half an answer beside the diagonal and two and a half on it, one
    /// accuracy for those with fewer than ten answers.
    pub const DEFAULT: DawidSkeneMap = DawidSkeneMap {
        prior: WorkerPrior { class: 1.0, beside: 0.5, diagonal: 2.5 },
        coin_below: 10.0,
    };
}

impl WorkerModel for DawidSkeneMap {
    fn name(&self) -> &'static str {
        "dawid-skene-map"
    }

    fn about(&self) -> &'static str {
        "a confusion matrix for each person, with a prior, and with controls as known answers"
    }

    fn fit(&self, votes: &Votes, controls: &[ControlAnswers]) -> Result<WorkerFit, ModelRefused> {
        votes.enough()?;
        Ok(settle(votes, controls, self))
    }
}

impl DawidSkeneMap {
    fn is_coin(&self, counts: &[Vec<f64>]) -> bool {
        // Votes of expected counts sum up with rounding; a thousandth of an answer decides nothing.
        counts.iter().flatten().sum::<f64>() < self.coin_below - 1e-3
    }
}

impl Maximise for DawidSkeneMap {
    fn classes(&self, expected: &[f64]) -> Vec<f64> {
        let all: f64 = expected.iter().map(|class| class + self.prior.class).sum();
        expected.iter().map(|class| (class + self.prior.class) / all).collect()
    }

    fn confusion(&self, counts: &[Vec<f64>]) -> Vec<Vec<f64>> {
        let WorkerPrior { beside, diagonal, .. } = self.prior;
        match self.is_coin(counts) {
            true => coin(counts, beside, diagonal),
            false => rows(counts, beside, diagonal),
        }
    }

    fn prior(&self, classes: &[f64], confusions: &[Vec<Vec<f64>>], _: &Expected) -> f64 {
        let WorkerPrior { class, beside, diagonal } = self.prior;
        let mut sum = weighted(&vec![class; classes.len()], classes);
        for confusion in confusions {
            for (right, chances) in confusion.iter().enumerate() {
                let mut added = vec![beside; chances.len()];
                added[right] = diagonal;
                sum += weighted(&added, chances);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workers::Vote;

    #[test]
    fn controls_tell_who_is_right() {
        // Two and two who contradict each other: only controls can tell.
        let vote = |item: usize, person: usize| Vote {
            person,
            answer: (item % 2 + usize::from(person > 1)) % 2,
        };
        let items = (0..30).map(|item| (0..4).map(|person| vote(item, person)).collect()).collect();
        let votes = Votes::new(2, 4, items);
        let good = vec![vec![6.0, 0.0], vec![0.0, 6.0]];
        let bad = vec![vec![1.0, 5.0], vec![5.0, 1.0]];
        for (controls, first) in [
            (vec![good.clone(), good.clone(), bad.clone(), bad.clone()], 0),
            (vec![bad.clone(), bad, good.clone(), good], 1),
        ] {
            let fit = DawidSkeneMap::DEFAULT.fit(&votes, &controls).expect("enough");
            assert!(fit.posteriors[0][first] > 0.99, "{:?}", fit.posteriors[0]);
        }
    }
}
