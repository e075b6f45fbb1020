//! The best entries of an index for what was asked, without looking at all that fit.

use crate::entries::Columns;
use crate::rank::POINT;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
use tantivy::query::{EnableScoring, Query};
use tantivy::{DocAddress, Score, Searcher, TERMINATED};

/// How well an entry fits, and, among those that fit equally well, which comes first.
type Fit = (i64, Reverse<u64>);

/// The best entries so far.
pub(crate) struct Best {
    /// How many are wanted.
    limit: usize,
    /// How many words were asked for.
    asked: u64,
    worst_first: BinaryHeap<Reverse<(Fit, DocAddress)>>,
    taken: HashSet<DocAddress>,
}

impl Best {
    pub(crate) fn new(limit: usize, asked: usize) -> Best {
        let (worst_first, taken) = (BinaryHeap::new(), HashSet::new());
        Best { limit, asked: asked as u64, worst_first, taken }
    }

    /// Takes the best entries of a query whose ways to fit are worth `most` at the most. An entry
    /// that an earlier query gave is worth what it was there.
    ///
    /// Entries lie in the order of their ranks, so that what comes later fits better only if its
    /// ways to fit are worth more. As soon as even the most would not do, the rest is left alone.
    pub(crate) fn take(
        &mut self,
        searcher: &Searcher,
        columns: &[Columns],
        query: &dyn Query,
        most: Score,
    ) -> tantivy::Result<()> {
        let weight = query.weight(EnableScoring::enabled_from_searcher(searcher))?;
        for (segment, (reader, columns)) in
            (0..).zip(searcher.segment_readers().iter().zip(columns))
        {
            let mut fitting = weight.scorer(reader, 1.0)?;
            let mut entry = fitting.doc();
            while entry != TERMINATED {
                let rank = columns.rank(entry);
                let fit = |ways: Score, words: u64| {
                    // The words that were asked for take nothing away.
                    let points = f64::from(ways) + words.min(self.asked) as f64;
                    let points = (points * POINT as f64) as i64;
                    (points + rank.standing(), Reverse(rank.order()))
                };
                // Entries are sorted by rank, so all that follow are worth less. This is what keeps
                // a search for `a` from reading millions of entries.
                if !self.has_room(fit(most, self.asked)) {
                    break;
                }
                let address = DocAddress::new(segment, entry);
                let fit = fit(fitting.score(), columns.length(entry));
                if self.has_room(fit) && self.taken.insert(address) {
                    self.worst_first.push(Reverse((fit, address)));
                    if self.worst_first.len() > self.limit {
                        self.worst_first.pop();
                    }
                }
                entry = fitting.advance();
            }
        }
        Ok(())
    }

    fn has_room(&self, fit: Fit) -> bool {
        let full = self.worst_first.len() >= self.limit;
        !full || self.worst_first.peek().is_some_and(|Reverse((worst, _))| fit > *worst)
    }

    /// The entries, best first, with the points that each is worth.
    pub(crate) fn into_entries(self) -> impl Iterator<Item = (f64, DocAddress)> {
        let sorted = self.worst_first.into_sorted_vec().into_iter();
        sorted.map(|Reverse(((fit, _), address))| (fit as f64 / POINT as f64, address))
    }
}
