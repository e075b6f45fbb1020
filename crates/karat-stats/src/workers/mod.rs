//! What the right answers are, and how good people are, from answers alone.
//!
//! A [`WorkerModel`] turns votes into a chance for each answer of each item. All are deterministic: they start from the
//! shares of the votes, and nothing is drawn. With one judgement per item there is nothing to compare, and models refuse:
//! tried anyway, they called every item verified and found no error at all.
//!
//! ```
//! use karat_stats::workers::{Vote, Votes, model};
//!
//! // Two people who agree, and one who always gives answer 0.
//! let items: Vec<Vec<Vote>> = (0..200)
//!     .map(|item| {
//!         let answer = usize::from(item % 4 == 0);
//!         [answer, answer, 0].iter().enumerate().map(|(person, &answer)| Vote { person, answer }).collect()
//!     })
//!     .collect();
//! let votes = Votes::new(2, 3, items);
//! let fit = model("dawid-skene-map").expect("known").fit(&votes, &[]).expect("three judgements per item");
//! assert!(fit.posteriors[0][1] > 0.9, "the third vote weighs little");
//! assert!(fit.people[2].weight < 0.1 * fit.people[0].weight);
//! ```

mod crowd;
mod dawid_skene;
mod dawid_skene_map;
mod em;
mod majority;
mod one_coin;
mod votes;

pub use dawid_skene_map::{DawidSkeneMap, WorkerPrior};
pub use votes::{ControlAnswers, Vote, Votes};

use crate::{Interval, wilson};

/// A model of people's answers: one file, one line in [`WORKER_MODELS`].
///
/// A model sees votes and the answers that people gave where the right one is known. It gives each item a chance of each
/// answer. It must not draw anything, and must not depend on the order of items or people but for the order of
/// its output. GLAD, MACE and hierarchical models would be others.
pub trait WorkerModel: std::fmt::Debug + Sync {
    /// Its name in requests and reports.
    fn name(&self) -> &'static str;

    /// What it assumes, in a line.
    fn about(&self) -> &'static str;

    /// The chances of all answers of all items. Controls are by person; people without any may be left out at the end.
    fn fit(&self, votes: &Votes, controls: &[ControlAnswers]) -> Result<WorkerFit, ModelRefused>;
}

/// All models.
pub static WORKER_MODELS: &[&dyn WorkerModel] = &[
    &majority::Majority,
    &dawid_skene::DawidSkene,
    &DawidSkeneMap::DEFAULT,
    &crowd::DawidSkeneCrowd,
    &one_coin::OneCoin,
];

/// The model of a name.
pub fn model(name: &str) -> Option<&'static dyn WorkerModel> {
    WORKER_MODELS.iter().copied().find(|model| model.name() == name)
}

/// What a model says.
#[derive(Debug, Clone, PartialEq)]
pub struct WorkerFit {
    /// Of each item, the chance of each answer; empty for items without votes.
    pub posteriors: Vec<Vec<f64>>,
    /// The share of each answer among items.
    pub shares: Vec<f64>,
    /// What people are like.
    pub people: Vec<PersonFit>,
    /// What the model maximises: the logarithm of the likelihood, with the prior if it has one.
    pub objective: f64,
    /// How many rounds it took.
    pub rounds: usize,
}

/// What a model says of one person.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonFit {
    /// For each right answer, the share of each answer given: rows sum to 1.
    pub confusion: Vec<Vec<f64>>,
    /// How many answers stand behind each row, controls included.
    pub answers: Vec<f64>,
    /// The chance of a right answer on an item of this corpus.
    pub accuracy: f64,
    /// How much one vote tells, from 0 (nothing: always the same answer, or guesses) to 1 (everything): the information
    /// that an answer has about the right one, as a share of what there is to know.
    pub weight: f64,
}

impl PersonFit {
    pub(crate) fn new(confusion: Vec<Vec<f64>>, answers: Vec<f64>, shares: &[f64]) -> PersonFit {
        let accuracy = shares
            .iter()
            .zip(&confusion)
            .enumerate()
            .map(|(at, (share, row))| share * row[at])
            .sum();
        let weight = weight(&confusion, shares);
        PersonFit { confusion, answers, accuracy, weight }
    }

    /// The interval of a share of the confusion, at a level in percent. `None` where no answers stand behind the row.
    pub fn interval(&self, right: usize, given: usize, level: f64) -> Option<Interval> {
        let answers = *self.answers.get(right)?;
        wilson(self.confusion.get(right)?.get(given)? * answers, answers, level)
    }
}

/// The mutual information of right and given answers over the entropy of right ones.
fn weight(confusion: &[Vec<f64>], shares: &[f64]) -> f64 {
    let given = |answer: usize| -> f64 {
        shares.iter().zip(confusion).map(|(share, row)| share * row[answer]).sum()
    };
    let term = |part: f64, of: f64| if part > 0.0 { part * libm::log(of) } else { 0.0 };
    let mut told = 0.0;
    for (share, row) in shares.iter().zip(confusion) {
        for (answer, &chance) in row.iter().enumerate() {
            told += term(share * chance, chance / given(answer));
        }
    }
    let unknown: f64 = -shares.iter().map(|&share| term(share, share)).sum::<f64>();
    if unknown > 0.0 { (told / unknown).clamp(0.0, 1.0) } else { 0.0 }
}

/// Why a model gives no answer.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum ModelRefused {
    /// Too few votes per item.
    #[error(
        "a model of people needs two judgements per item on average, and there are {per_item:.2}"
    )]
    TooFew {
        /// Judgements per item.
        per_item: f64,
    },
    /// Nothing was judged.
    #[error("nothing was judged")]
    Nothing,
}
