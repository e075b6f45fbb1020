//! Who answered what.

use super::ModelRefused;

/// One answer of one person on one item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Vote {
    /// The number of the person.
    pub person: usize,
    /// The number of the answer.
    pub answer: usize,
}

/// The votes on all items. A person may vote on an item more than once, as in the data of Dawid and Skene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Votes {
    categories: usize,
    people: usize,
    items: Vec<Vec<Vote>>,
}

/// What one person answered where the right answer is known: how often each was given, by right answer.
pub type ControlAnswers = Vec<Vec<f64>>;

impl Votes {
    /// Votes with one of so many answers by so many people. Votes of others are left out.
    pub fn new(categories: usize, people: usize, mut items: Vec<Vec<Vote>>) -> Votes {
        for votes in &mut items {
            votes.retain(|vote| vote.person < people && vote.answer < categories);
        }
        Votes { categories, people, items }
    }

    /// How many answers are possible.
    pub fn categories(&self) -> usize {
        self.categories
    }

    /// How many people there are.
    pub fn people(&self) -> usize {
        self.people
    }

    /// The votes of each item.
    pub fn items(&self) -> &[Vec<Vote>] {
        &self.items
    }

    /// Votes per item that has any.
    pub fn per_item(&self) -> f64 {
        let judged = self.items.iter().filter(|votes| !votes.is_empty()).count();
        let all: usize = self.items.iter().map(Vec::len).sum();
        if judged == 0 { 0.0 } else { all as f64 / judged as f64 }
    }

    /// Refuses what a model cannot learn from.
    pub(super) fn enough(&self) -> Result<(), ModelRefused> {
        let per_item = self.per_item();
        if per_item == 0.0 {
            Err(ModelRefused::Nothing)
        } else if per_item < 2.0 {
            Err(ModelRefused::TooFew { per_item })
        } else {
            Ok(())
        }
    }

    /// The shares of the votes of each item.
    pub(super) fn shares(&self) -> Vec<Vec<f64>> {
        let of = |votes: &Vec<Vote>| {
            if votes.is_empty() {
                return Vec::new();
            }
            let mut shares = vec![0.0; self.categories];
            votes.iter().for_each(|vote| shares[vote.answer] += 1.0 / votes.len() as f64);
            shares
        };
        self.items.iter().map(of).collect()
    }
}
