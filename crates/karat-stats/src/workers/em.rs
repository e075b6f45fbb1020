//! Expectation and maximisation, which all models of confusions share.

use super::{ControlAnswers, PersonFit, Votes, WorkerFit};

/// Rounds after which even slow data has settled; reached only by data that goes in circles.
const ROUNDS: usize = 10_000;

/// A round that moves the objective by less ends the search.
const SETTLED: f64 = 1e-10;

/// What votes are expected to be, given the chances of the answers of items.
#[derive(Debug, Clone)]
pub(super) struct Expected {
    /// The expected number of items of each class.
    pub classes: Vec<f64>,
    /// Of each person, by right answer and answer given.
    pub people: Vec<Vec<Vec<f64>>>,
}

impl Expected {
    pub(super) fn of(
        votes: &Votes,
        posteriors: &[Vec<f64>],
        controls: &[ControlAnswers],
    ) -> Expected {
        let size = votes.categories();
        let mut classes = vec![0.0; size];
        let mut people: Vec<Vec<Vec<f64>>> =
            (0..votes.people()).map(|person| known(controls.get(person), size)).collect();
        for (votes, chances) in votes.items().iter().zip(posteriors) {
            for (class, &chance) in chances.iter().enumerate() {
                classes[class] += chance;
                for vote in votes {
                    people[vote.person][class][vote.answer] += chance;
                }
            }
        }
        Expected { classes, people }
    }

    /// How many answers stand behind each row.
    pub(super) fn answers(&self, counts: &[Vec<f64>]) -> Vec<f64> {
        counts.iter().map(|row| row.iter().sum()).collect()
    }
}

fn known(controls: Option<&ControlAnswers>, size: usize) -> Vec<Vec<f64>> {
    let cell = |class: usize, answer: usize| {
        controls.and_then(|rows| rows.get(class)?.get(answer).copied()).unwrap_or(0.0)
    };
    (0..size).map(|class| (0..size).map(|answer| cell(class, answer)).collect()).collect()
}

/// Counts as shares of their rows, with this much added beside and on the diagonal. A row without any counts is
/// undecided: every answer is as likely.
pub(super) fn rows(counts: &[Vec<f64>], beside: f64, diagonal: f64) -> Vec<Vec<f64>> {
    let of = |(class, row): (usize, &Vec<f64>)| -> Vec<f64> {
        let added = |at: usize| if at == class { diagonal } else { beside };
        let filled: Vec<f64> =
            row.iter().enumerate().map(|(at, count)| count + added(at)).collect();
        let sum: f64 = filled.iter().sum();
        let even = 1.0 / row.len() as f64;
        filled.iter().map(|count| if sum > 0.0 { count / sum } else { even }).collect()
    };
    counts.iter().enumerate().map(of).collect()
}

/// What a model says about people and classes, made from expected counts.
pub(super) trait Maximise {
    /// The shares of classes.
    fn classes(&self, expected: &[f64]) -> Vec<f64>;
    /// The confusion of one person.
    fn confusion(&self, counts: &[Vec<f64>]) -> Vec<Vec<f64>>;
    /// What the prior adds to the logarithm of the likelihood.
    fn prior(&self, classes: &[f64], confusions: &[Vec<Vec<f64>>], expected: &Expected) -> f64;
}

/// Goes round until the objective stands still.
pub(super) fn settle(
    votes: &Votes,
    controls: &[ControlAnswers],
    model: &impl Maximise,
) -> WorkerFit {
    let mut posteriors = votes.shares();
    let mut before = f64::NEG_INFINITY;
    let mut rounds = 0;
    loop {
        rounds += 1;
        let expected = Expected::of(votes, &posteriors, controls);
        let shares = model.classes(&expected.classes);
        let confusions: Vec<Vec<Vec<f64>>> =
            expected.people.iter().map(|counts| model.confusion(counts)).collect();
        let likelihood = expect(votes, &shares, &confusions, &mut posteriors);
        let objective = likelihood
            + observed(controls, &confusions)
            + model.prior(&shares, &confusions, &expected);
        if (objective - before).abs() < SETTLED || rounds == ROUNDS {
            let answers = |counts: &Vec<Vec<f64>>| expected.answers(counts);
            let people = confusions.into_iter().zip(&expected.people);
            let person = |(confusion, counts)| PersonFit::new(confusion, answers(counts), &shares);
            let people = people.map(person).collect();
            return WorkerFit { posteriors, people, shares, objective, rounds };
        }
        before = objective;
    }
}

/// The chances of answers given people, and the logarithm of the likelihood.
fn expect(
    votes: &Votes,
    shares: &[f64],
    confusions: &[Vec<Vec<f64>>],
    posteriors: &mut [Vec<f64>],
) -> f64 {
    let logarithm = |chance: f64| if chance > 0.0 { libm::log(chance) } else { f64::NEG_INFINITY };
    let mut likelihood = 0.0;
    for (votes, chances) in votes.items().iter().zip(posteriors) {
        if votes.is_empty() {
            continue;
        }
        for (class, chance) in chances.iter_mut().enumerate() {
            let told =
                votes.iter().map(|vote| logarithm(confusions[vote.person][class][vote.answer]));
            *chance = logarithm(shares[class]) + told.sum::<f64>();
        }
        let most = chances.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = chances.iter().map(|chance| libm::exp(chance - most)).sum();
        likelihood += most + libm::log(sum);
        chances.iter_mut().for_each(|chance| *chance = libm::exp(*chance - most) / sum);
    }
    likelihood
}

/// The logarithm of the likelihood of the answers on controls.
fn observed(controls: &[ControlAnswers], confusions: &[Vec<Vec<f64>>]) -> f64 {
    let mut sum = 0.0;
    for (rows, confusion) in controls.iter().zip(confusions) {
        for (counts, chances) in rows.iter().zip(confusion) {
            sum += weighted(counts, chances);
        }
    }
    sum
}

/// `sum n ln p`, where nothing times anything is nothing.
pub(super) fn weighted(counts: &[f64], chances: &[f64]) -> f64 {
    let term =
        |(&count, &chance): (&f64, &f64)| if count > 0.0 { count * libm::log(chance) } else { 0.0 };
    counts.iter().zip(chances).map(term).sum()
}
