//! One-to-one assignment of the largest weight.
//!
//! The assignment is found as on a market: rows buy columns, a column has a price, and a row gains what its
//! column is worth to it less the price. First the rows bid against each other, which settles nearly
//! everything. The few that are left look for the shortest way to make room, which may leave another row
//! without a column. Four facts hold whenever a row has been dealt with, and together they
//! prove that no assignment is worth more (the duality of linear programming):
//!
//! - gain of the row + price of the column >= weight, for every edge;
//! - the two are equal for an assigned pair;
//! - a free column costs nothing;
//! - a row without a column gains nothing.
//!
//! Neither step leaves the component it starts in, so that a component costs the same
//! alone as among a million others. Within one, searches are short where weights are
//! skewed, as the sizes of clusters are. They are long where a large component has
//! nearly equal weights and nearly everybody can be served, as between two random
//! clusterings: entity CEAF of 20 000 random clusters a side takes most of a minute.

mod bidding;
mod market;
mod rerouting;
#[cfg(test)]
mod tests;

use bidding::bid;
use market::{Graph, Market};
use rerouting::Rerouting;

/// A pair that may be assigned to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Edge {
    /// Index on the one side.
    pub row: u32,
    /// Index on the other side.
    pub column: u32,
    /// What the pair is worth; more than zero.
    pub weight: f64,
}

/// For each row its column in an assignment of the largest total weight.
///
/// A row or column stays empty where that is worth more. The order of the edges
/// makes no difference; of several edges between the same two the heaviest counts,
/// and edges whose weight is not a finite number above zero are passed over. The
/// total is exact for weights that are whole numbers (below 2^53 in sum), and within
/// rounding otherwise.
///
/// # Panics
///
/// If an edge names a row or column that is not below `rows` or `columns`.
///
/// ```
/// use karat_match::assignment::{Edge, assign};
///
/// let edge = |row, column, weight| Edge { row, column, weight };
/// // Row 0 would like column 0 best, but row 1 has nothing else.
/// let edges = [edge(0, 0, 3.0), edge(0, 1, 2.0), edge(1, 0, 2.0)];
/// assert_eq!(assign(2, 2, &edges), [Some(1), Some(0)]);
/// ```
pub fn assign(rows: usize, columns: usize, edges: &[Edge]) -> Vec<Option<u32>> {
    let graph = Graph::new(rows, edges);
    let mut market = Market::new(rows, columns);
    let left = bid(&graph, &mut market);
    // Allocated once and used for every row that is left: a search touches only its own component,
    // so clearing everything for each row would make many small components quadratic.
    let mut rerouting = Rerouting::new(&graph, columns);
    for row in left {
        rerouting.place(row, &mut market);
    }
    market.column_of
}
