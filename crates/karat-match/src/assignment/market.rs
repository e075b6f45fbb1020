//! What rows may buy, and who has bought what.

use super::Edge;

/// A column that a row may have, and its worth.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offer {
    pub(super) column: u32,
    pub(super) weight: f64,
}

/// The edges of each row, the heaviest first.
pub(super) struct Graph {
    offers: Vec<Offer>,
    /// Where the offers of each row begin, and where the last ones end.
    starts: Vec<usize>,
}

impl Graph {
    // Counting sort by row: linear in the edges, and one array for all rows.
    pub(super) fn new(rows: usize, edges: &[Edge]) -> Self {
        let usable = || edges.iter().filter(|edge| edge.weight > 0.0 && edge.weight.is_finite());
        let mut starts = vec![0; rows + 1];
        for edge in usable() {
            starts[edge.row as usize + 1] += 1;
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut offers = vec![Offer { column: 0, weight: 0.0 }; starts[rows]];
        for edge in usable() {
            let place = &mut next[edge.row as usize];
            offers[*place] = Offer { column: edge.column, weight: edge.weight };
            *place += 1;
        }
        for row in 0..rows {
            offers[starts[row]..starts[row + 1]].sort_unstable_by(|a, b| {
                // The column breaks ties, so the result does not depend on the order of the edges.
                b.weight.total_cmp(&a.weight).then(a.column.cmp(&b.column))
            });
        }
        Self { offers, starts }
    }

    pub(super) fn rows(&self) -> u32 {
        (self.starts.len() - 1) as u32
    }

    pub(super) fn offers(&self, row: u32) -> &[Offer] {
        &self.offers[self.starts[row as usize]..self.starts[row as usize + 1]]
    }
}

/// Who has what, what columns cost and what rows gain.
pub(super) struct Market {
    pub(super) column_of: Vec<Option<u32>>,
    pub(super) row_of: Vec<Option<u32>>,
    pub(super) price: Vec<f64>,
    pub(super) gain: Vec<f64>,
}

impl Market {
    pub(super) fn new(rows: usize, columns: usize) -> Self {
        Self {
            column_of: vec![None; rows],
            row_of: vec![None; columns],
            price: vec![0.0; columns],
            gain: vec![0.0; rows],
        }
    }

    /// What a row would gain from an offer.
    pub(super) fn gain_from(&self, offer: &Offer) -> f64 {
        offer.weight - self.price[offer.column as usize]
    }

    /// Gives a column to a row; returns the column the row had.
    pub(super) fn give(&mut self, column: u32, row: u32) -> Option<u32> {
        self.row_of[column as usize] = Some(row);
        self.column_of[row as usize].replace(column)
    }
}
