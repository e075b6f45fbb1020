//! What happens to the scores when queries are removed or added: the model of Mertens et al. (2014).

use super::cells::{Cells, harmonic};
use super::chances::Chances;
use super::distribution::Distribution;
use super::exact;
use crate::Random;

/// A change of a test collection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum CollectionChange {
    /// So many queries are taken out at random.
    Remove(u64),
    /// So many queries are added, drawn at random from queries like those that are there.
    Add(u64),
}

/// A test collection whose size changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Model {
    pub(super) cells: Cells,
    pub(super) change: CollectionChange,
}

/// Which queries change hands: the a, b and c of the paper as whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mix {
    /// How many are gold links.
    pub links: u64,
    /// How many of these were answered with a link.
    pub answered: u64,
    /// How many of the others, which are gold NIL, were answered NIL.
    pub right_nil: u64,
}

/// The three scores, each with the same kind of thing said about it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Each<T> {
    /// About precision.
    pub precision: T,
    /// About recall.
    pub recall: T,
    /// About F1.
    pub f1: T,
}

/// The worst and the best that can happen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The worst.
    pub worst: f64,
    /// The best.
    pub best: f64,
}

/// A change that cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChangeError {
    /// Nothing would be left.
    #[error("{removed} of {queries} queries cannot be removed: nothing would be left")]
    NothingLeft {
        /// How many were to be removed.
        removed: u64,
        /// How many there are.
        queries: u64,
    },
    /// There is nothing to add to.
    #[error("there are no queries, so that nobody knows what queries like these are")]
    Empty,
    /// There would be too many.
    #[error("{added} queries added to {queries} are more than the {most} that the model is made for", most = Cells::MOST)]
    TooMany {
        /// How many were to be added.
        added: u64,
        /// How many there are.
        queries: u64,
    },
    /// These queries are not there to be removed, or do not fit the number of them.
    #[error("{what}: {asked} do not lie between {least} and {most}")]
    Infeasible {
        /// Which.
        what: &'static str,
        /// How many were asked for.
        asked: u64,
        /// The fewest possible.
        least: u64,
        /// The most possible.
        most: u64,
    },
}

impl ChangeError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            ChangeError::NothingLeft { .. } => "remove fewer queries than there are",
            ChangeError::Empty => "give counts that are not all 0",
            ChangeError::TooMany { .. } => "add fewer queries",
            ChangeError::Infeasible { .. } => {
                "choose shares that the counts allow: of links among the changed queries, of links among these \
                 that were answered with a link, and of NIL that were answered NIL"
            }
        }
    }
}

impl<T> Each<T> {
    /// The same for other values.
    pub fn map<U>(self, change: impl Fn(T) -> U) -> Each<U> {
        let Each { precision, recall, f1 } = self;
        Each { precision: change(precision), recall: change(recall), f1: change(f1) }
    }

    /// The values with their names.
    pub fn named(&self) -> [(&'static str, &T); 3] {
        [("precision", &self.precision), ("recall", &self.recall), ("F1", &self.f1)]
    }
}

impl Model {
    /// A change of these queries.
    pub fn new(cells: Cells, change: CollectionChange) -> Result<Model, ChangeError> {
        let queries = cells.queries();
        match change {
            CollectionChange::Remove(removed) if removed >= queries => {
                Err(ChangeError::NothingLeft { removed, queries })
            }
            CollectionChange::Add(_) if queries == 0 => Err(ChangeError::Empty),
            CollectionChange::Add(added) if added > Cells::MOST.saturating_sub(queries) => {
                Err(ChangeError::TooMany { added, queries })
            }
            _ => Ok(Model { cells, change }),
        }
    }

    /// How many queries are removed or added.
    pub fn size(&self) -> u64 {
        match self.change {
            CollectionChange::Remove(size) | CollectionChange::Add(size) => size,
        }
    }

    /// How many queries there are afterwards.
    pub fn queries_after(&self) -> u64 {
        match self.change {
            CollectionChange::Remove(size) => self.cells.queries() - size,
            CollectionChange::Add(size) => self.cells.queries() + size,
        }
    }

    /// The three scores when these queries are removed or added; there must be as many of each as
    /// are removed.
    pub fn after(&self, changed: &Cells) -> Each<f64> {
        let (before, changed) = (self.cells.counts(), changed.counts());
        let after = match self.change {
            CollectionChange::Remove(_) => {
                std::array::from_fn(|at| before[at].saturating_sub(changed[at]))
            }
            CollectionChange::Add(_) => std::array::from_fn(|at| before[at] + changed[at]),
        };
        scores(&Cells::from_counts(after))
    }

    /// The chances of a count among the changed queries: `marked` of `population` are of some kind.
    pub(super) fn chances(&self, population: u64, marked: u64, draws: u64) -> Chances {
        match self.change {
            CollectionChange::Remove(_) => Chances::hypergeometric(population, marked, draws),
            CollectionChange::Add(_) => Chances::binomial(population, marked, draws),
        }
    }

    /// The exact distribution of the scores; `None` if there are too many cases to go through.
    pub fn exact(&self) -> Option<Each<Distribution>> {
        exact::distributions(self)
    }

    /// The scores of random changes, one for each draw.
    pub fn simulate(&self, draws: usize, seed: u64) -> Vec<Each<f64>> {
        let links = self.chances(self.cells.queries(), self.cells.links(), self.size());
        let draw = |trial: usize| self.after(&self.draw(&links, seed, trial as u64));
        (0..draws).map(draw).collect()
    }

    /// One random change, kind by kind: links, those answered, those right, and NIL.
    fn draw(&self, links: &Chances, seed: u64, trial: u64) -> Cells {
        let mut random = Random::new(seed, trial);
        let cells = &self.cells;
        let answered = cells.right_link + cells.wrong_link;
        let mut at = |chances: &Chances| chances.at(random.unit());
        let link = at(links);
        let given = at(&self.chances(cells.links(), answered, link));
        let right = at(&self.chances(answered, cells.right_link, given));
        let nil = self.size() - link;
        let right_nil = at(&self.chances(cells.nils(), cells.right_nil, nil));
        Cells::from_counts([right, given - right, link - given, right_nil, nil - right_nil])
    }

    /// The scores when queries are removed one by one from a list of all of them: slower than the
    /// model, and independent of it. Additions are drawn one by one likewise.
    pub fn simulate_one_by_one(&self, draws: usize, seed: u64) -> Vec<Each<f64>> {
        let kinds = self.cells.counts().into_iter().enumerate();
        let mut list: Vec<u8> = Vec::with_capacity(self.cells.queries() as usize);
        kinds.for_each(|(kind, count)| list.extend((0..count).map(|_| kind as u8)));
        let draw = |trial: usize| {
            let mut random = Random::new(seed, trial as u64);
            let mut changed = [0; 5];
            for at in 0..self.size() as usize {
                let taken = match self.change {
                    // What was drawn goes to the front and is not drawn again.
                    CollectionChange::Remove(_) => {
                        let other = at + random.below(list.len() - at);
                        list.swap(at, other);
                        list[at]
                    }
                    CollectionChange::Add(_) => list[random.below(list.len())],
                };
                changed[usize::from(taken)] += 1;
            }
            self.after(&Cells::from_counts(changed))
        };
        (0..draws).map(draw).collect()
    }
}

/// Distributions of scores that were observed; `None` if there are none.
pub fn observed(scores: &[Each<f64>]) -> Option<Each<Distribution>> {
    let of =
        |score: fn(&Each<f64>) -> f64| Distribution::observed(scores.iter().map(score).collect());
    Some(Each {
        precision: of(|each| each.precision)?,
        recall: of(|each| each.recall)?,
        f1: of(|each| each.f1)?,
    })
}

/// The three scores of counts; 0 where there is nothing.
pub(super) fn scores(cells: &Cells) -> Each<f64> {
    let found = cells.scores();
    let (precision, recall) = (found.precision.unwrap_or(0.0), found.recall.unwrap_or(0.0));
    Each { precision, recall, f1: harmonic(precision, recall) }
}
