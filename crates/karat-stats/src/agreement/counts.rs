//! The sums that coefficients are made of.

use crate::Counts;

/// How often each answer was given on one item. Only answers that were given take room: of thousands of possible links an
/// item has two or three.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RatedItem {
    /// Answers with how often they were given, by number.
    given: Vec<(usize, u32)>,
}

impl RatedItem {
    /// From the numbers of the answers that were given.
    pub fn of(answers: &[usize]) -> RatedItem {
        let mut sorted = answers.to_vec();
        sorted.sort_unstable();
        let runs = sorted.chunk_by(|one, other| one == other);
        RatedItem { given: runs.map(|run| (run[0], run.len() as u32)).collect() }
    }

    /// From how often each answer was given.
    pub fn counted(counts: Vec<u32>) -> RatedItem {
        let given = counts.into_iter().enumerate().filter(|&(_, times)| times > 0);
        RatedItem { given: given.collect() }
    }

    /// Answers among so many with how often they were given.
    fn given(&self, categories: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let known = self.given.iter().filter(move |(category, _)| *category < categories);
        known.map(|&(category, times)| (category, f64::from(times)))
    }
}

/// What coefficients of agreement see of some items: a row of sums, which add up over items and documents.
#[derive(Debug, Clone, PartialEq)]
pub struct AgreementCounts {
    categories: usize,
    row: Vec<f64>,
}

/// Items with an answer, items with two or more, and the summed shares of agreeing pairs.
const HEAD: usize = 3;
/// Of each category: summed shares, coincidences with itself, answers that can be paired, summed shares of pairs
/// of which one has it.
const EACH: usize = 4;

impl AgreementCounts {
    /// The sums of some items, of which each answer is one of so many that were possible.
    pub fn of(categories: usize, items: &[RatedItem]) -> AgreementCounts {
        let mut counts = AgreementCounts { categories, row: vec![0.0; HEAD + EACH * categories] };
        items.iter().for_each(|item| counts.add(item));
        counts
    }

    /// From a row of sums, such as those of a trial.
    pub fn from_sums(categories: usize, sums: &[f64]) -> AgreementCounts {
        let mut row = sums.to_vec();
        row.resize(HEAD + EACH * categories, 0.0);
        AgreementCounts { categories, row }
    }

    /// The rows of documents, for drawing them again.
    pub fn rows(documents: &[AgreementCounts]) -> Counts {
        let width = documents.first().map_or(0, |first| first.row.len());
        let rows = documents.iter().filter(|one| one.row.len() == width);
        Counts::new(width, rows.flat_map(|one| one.row.iter().copied()).collect())
    }

    fn add(&mut self, item: &RatedItem) {
        let answers: f64 = item.given(self.categories).map(|(_, times)| times).sum();
        if answers == 0.0 {
            return;
        }
        self.row[0] += 1.0;
        let pairs = answers * (answers - 1.0);
        if pairs > 0.0 {
            self.row[1] += 1.0;
        }
        for (category, times) in item.given(self.categories) {
            let place = HEAD + EACH * category;
            self.row[place] += times / answers;
            if pairs > 0.0 {
                self.row[2] += times * (times - 1.0) / pairs;
                self.row[place + 1] += times * (times - 1.0) / (answers - 1.0);
                self.row[place + 2] += times;
                self.row[place + 3] += 2.0 * times * (answers - times) / pairs;
            }
        }
    }

    /// How many answers were possible, whether or not anybody gave them.
    pub fn categories(&self) -> usize {
        self.categories
    }

    /// Items with two answers or more.
    pub fn pairable_items(&self) -> f64 {
        self.row[1]
    }

    /// The mean over items of the share of agreeing pairs.
    pub(super) fn observed(&self) -> Option<f64> {
        (self.row[1] > 0.0).then(|| self.row[2] / self.row[1])
    }

    /// The mean over items of the share of a category.
    pub(super) fn share(&self, category: usize) -> f64 {
        self.row[HEAD + EACH * category] / self.row[0]
    }

    /// Pairs of equal answers of a category, weighted as Krippendorff does: `o(c,c)`.
    pub(super) fn coincidences(&self, category: usize) -> f64 {
        self.row[HEAD + EACH * category + 1]
    }

    /// Answers of a category on items with two or more: `N(c)`.
    pub fn pairable(&self, category: usize) -> f64 {
        self.row[HEAD + EACH * category + 2]
    }

    /// The mean over items of the share of pairs of which one, and not the other, has the category.
    pub(super) fn disagreement(&self, category: usize) -> Option<f64> {
        (self.row[1] > 0.0).then(|| self.row[HEAD + EACH * category + 3] / self.row[1])
    }

    /// All categories.
    pub(super) fn each(&self) -> std::ops::Range<usize> {
        0..self.categories
    }
}
