//! One-to-one assignment of the largest weight.

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
pub fn assign(_rows: usize, _columns: usize, _edges: &[Edge]) -> Vec<Option<u32>> {
    Vec::new()
}
