//! Rows that the auction has left make room for themselves: along a shortest path
//! each row on the way moves to its next best column, until one finds a free column
//! or goes empty.
//!
//! Dijkstra's search over what each step loses; the prices keep losses from being
//! negative (Edmonds and Karp 1972).

use super::market::{Graph, Market};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// A search that is used again for every row.
pub(super) struct Rerouting<'a> {
    graph: &'a Graph,
    /// What is lost on the way to a column; infinite where the search has not been.
    loss: Vec<f64>,
    /// The row from which a column was reached.
    from: Vec<u32>,
    reached: Vec<u32>,
    passed: Vec<u32>,
    open: BinaryHeap<Open>,
}

/// Where a path ends, and what it loses.
struct End {
    loss: f64,
    place: Place,
}

enum Place {
    FreeColumn(u32),
    RowGoesEmpty(u32),
}

impl<'a> Rerouting<'a> {
    pub(super) fn new(graph: &'a Graph, columns: usize) -> Self {
        Self {
            graph,
            loss: vec![f64::INFINITY; columns],
            from: vec![0; columns],
            reached: Vec::new(),
            passed: Vec::new(),
            open: BinaryHeap::new(),
        }
    }

    /// Gives the row a column, or leaves it empty, whatever is best for all.
    pub(super) fn place(&mut self, row: u32, market: &mut Market) {
        let most =
            self.graph.offers(row).iter().map(|offer| market.gain_from(offer)).fold(0.0, f64::max);
        market.gain[row as usize] = most;
        let end = self.shortest(row, market);
        self.settle_prices(row, end.loss, market);
        self.move_along(&end.place, market);
        self.forget();
    }

    fn shortest(&mut self, start: u32, market: &Market) -> End {
        let mut end = End { loss: market.gain[start as usize], place: Place::RowGoesEmpty(start) };
        self.look_around(start, 0.0, market, &mut end);
        while let Some(Open { loss, column, .. }) = self.open.pop() {
            if loss >= end.loss {
                break;
            }
            // An outdated entry: the column was reached again at a smaller loss after this was
            // pushed. The heap has no way to lower a key.
            if loss > self.loss[column as usize] {
                continue;
            }
            self.passed.push(column);
            if let Some(owner) = market.row_of[column as usize] {
                self.look_around(owner, loss, market, &mut end);
            }
        }
        end
    }

    /// Continues all paths that have come to this row.
    fn look_around(&mut self, row: u32, so_far: f64, market: &Market, end: &mut End) {
        let gain = market.gain[row as usize];
        if so_far + gain < end.loss {
            *end = End { loss: so_far + gain, place: Place::RowGoesEmpty(row) };
        }
        for offer in self.graph.offers(row) {
            // Offers get lighter from here on and prices are never negative.
            let at_least = so_far + (gain - offer.weight);
            if at_least >= end.loss {
                break;
            }
            let column = offer.column as usize;
            // Rounding must not make a step win what it cannot.
            let loss = (at_least + market.price[column]).max(so_far);
            if loss >= end.loss || loss >= self.loss[column] {
                continue;
            }
            if self.loss[column] == f64::INFINITY {
                self.reached.push(offer.column);
            }
            self.loss[column] = loss;
            self.from[column] = row;
            if market.row_of[column].is_some() {
                self.open.push(Open { loss, turn: self.reached.len(), column: offer.column });
            } else {
                *end = End { loss, place: Place::FreeColumn(offer.column) };
            }
        }
    }

    /// Moves prices and gains so that the path loses nothing any more.
    fn settle_prices(&self, start: u32, total: f64, market: &mut Market) {
        market.gain[start as usize] -= total;
        for &column in &self.passed {
            let rise = total - self.loss[column as usize];
            market.price[column as usize] += rise;
            if let Some(owner) = market.row_of[column as usize] {
                let gain = &mut market.gain[owner as usize];
                *gain = (*gain - rise).max(0.0);
            }
        }
    }

    fn move_along(&self, end: &Place, market: &mut Market) {
        let mut vacant = match *end {
            Place::FreeColumn(column) => Some(column),
            Place::RowGoesEmpty(row) => market.column_of[row as usize].take(),
        };
        while let Some(column) = vacant {
            vacant = market.give(column, self.from[column as usize]);
        }
    }

    fn forget(&mut self) {
        for column in self.reached.drain(..) {
            self.loss[column as usize] = f64::INFINITY;
        }
        self.passed.clear();
        self.open.clear();
    }
}

/// A column that paths may go on from, the least loss first. Among equal losses the
/// one reached last goes first: where many weights are equal, a path that goes deep
/// finds a free column sooner than one that looks at everything nearby.
struct Open {
    loss: f64,
    turn: usize,
    column: u32,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .loss
            .total_cmp(&self.loss)
            .then(self.turn.cmp(&other.turn))
            .then(other.column.cmp(&self.column))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}
