//! Test collections: what is in them, which queries to choose, and how many are enough.

mod queries;

pub use queries::{Queries, QueryPlace};
