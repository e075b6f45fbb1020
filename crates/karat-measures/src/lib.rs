//! Cases to counts, and counts to scores.

pub mod clustering;
