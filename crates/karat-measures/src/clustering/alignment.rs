//! The one-to-one alignment of clusters that CEAF scores.

use super::{ClusterPair, Contingency};
use karat_match::assignment::{Edge, assign};

/// The cells of the alignment whose similarities have the largest sum.
pub(super) fn align(
    table: &Contingency,
    similarity: impl Fn(&ClusterPair) -> f64,
) -> impl Iterator<Item = &ClusterPair> {
    let edges: Vec<Edge> = table
        .cells()
        .iter()
        .map(|cell| Edge { row: cell.gold, column: cell.system, weight: similarity(cell) })
        .collect();
    let system_of = assign(table.gold_sizes().len(), table.system_sizes().len(), &edges);
    table.cells().iter().filter(move |cell| system_of[cell.gold as usize] == Some(cell.system))
}
