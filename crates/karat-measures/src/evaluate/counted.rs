//! Counts taken out of an evaluation, and put into another.

use super::Accumulator;
use super::tally::Part;
use crate::measure::Gathered;

/// What was counted in some documents, before anything is scored: all that another evaluation by the same
/// plan needs of them.
///
/// Scoring is counting, adding and a formula. Whoever has the counts of all parts of a corpus, from other
/// threads, processes or machines, has its scores, whatever the parts were.
#[derive(Debug, Default)]
pub struct CountedDocuments {
    /// The documents, by a hash of their names.
    pub documents: Vec<u64>,
    /// The counts of each document, one row after the other. A row has the columns of all measures of
    /// documents, in the order of the plan.
    pub rows: Vec<f64>,
    /// What measures of the whole corpus took down: one for each of their purposes, in the order of the plan.
    /// Clusters have the numbers of the pairing that was counted.
    pub gathered: Vec<Gathered>,
}

impl Accumulator<'_> {
    /// How many counts the row of a document has.
    pub fn columns(&self) -> usize {
        self.layout.width
    }

    /// How many purposes measures of the whole corpus have.
    pub fn purposes(&self) -> usize {
        self.layout.gathers
    }

    /// All that was counted. The plan must keep the counts of documents; slices are left behind.
    pub fn into_counts(self) -> CountedDocuments {
        let Part { tally, documents, .. } = self.whole;
        CountedDocuments { documents, rows: tally.rows, gathered: tally.gathered }
    }

    /// Adds what was counted elsewhere by the same plan, as if its documents had been counted here.
    /// `false`, and nothing is added, if the counts cannot be of this plan.
    #[must_use]
    pub fn add_counts(&mut self, counts: CountedDocuments) -> bool {
        let CountedDocuments { documents, rows, gathered } = counts;
        let layout = &self.layout;
        if rows.len() != documents.len() * layout.width || gathered.len() != layout.gathers {
            return false;
        }
        let mut part = Part::new(layout);
        for at in 0..documents.len() {
            part.tally.add_row(at, &rows[at * layout.width..(at + 1) * layout.width], layout);
        }
        part.tally.gathered = gathered;
        if layout.plan.keep_documents {
            part.documents = documents;
        }
        self.whole.append(part);
        true
    }
}
